"""What people who know forms would say at a glance: a table of evidence, each row with its reason in words.

Points are natural logarithms of odds. The models learn what this table does not know, from forms
of the web that people have labelled; where those are few (votes, bookings, choosers of a language),
the table has the say.
"""

from __future__ import annotations

from collections.abc import Callable

Facts = set[str]
Row = tuple[str, float, str, Callable[[Facts], bool]]


def _personal(f: Facts) -> bool:
    return "any~mail" in f or "password 1" in f or "password 2" in f or "textarea 1" in f


def _searches(f: Facts) -> bool:
    return "any~search" in f or "search 1" in f or "role search" in f


def _several(f: Facts) -> bool:
    return "asked 0" not in f and "asked 1" not in f


def _typed(f: Facts) -> bool:
    return "typed 0" not in f


def _names_the_site(f: Facts) -> bool:
    """Whether it says that this site's pages are searched."""
    named = f & {"label~site", "button~site", "text~site", "label~page", "button~page"}
    return (
        bool(named)
        or ("text~page" in f and "text~this" in f)
        or bool(
            f & {"heading~site", "title~site", "title~page"}
            and f & {"heading~search", "title~search"}
            and not f & {"title~catalogue", "heading~catalogue"}
        )
    )


_PRIVATE = {
    "any~mail",
    "any~order",
    "any~vote",
    "any~booking",
    "any~recover",
    "any~card",
    "any~contact",
    "any~upload",
    "any~register",
    "password 1",
    "password 2",
    "textarea 1",
    "file 1",
}


TYPE: tuple[Row, ...] = (
    ("login", 2.5, "asks for one password", lambda f: "password 1" in f),
    ("registration", 3, "asks for a password twice", lambda f: "password 2" in f),
    ("registration", 1.5, "a password among many fields", lambda f: "password 1" in f and bool(f & {"typed 3", "typed 4+", "typed 7+"})),
    ("registration", 1, "speaks of registering", lambda f: "said~register" in f and not _searches(f) and bool(f & {"password 1", "password 2", "any~person"})),
    ("recovery", 2.5, "recovers what was forgotten", lambda f: "any~recover" in f and "password 1" not in f and not _searches(f)),
    ("subscribe", 2, "asks for little more than a mail address", lambda f: "any~mail" in f and bool(f & {"typed 1", "typed 2"}) and not f & {"password 1", "password 2", "textarea 1", "any~contact", "any~booking", "any~recover"}),
    ("subscribe", 2, "speaks of a newsletter", lambda f: bool(f & {"said~subscribe", "any~unsubscribe", "action~subscribe"}) and "any~mail" in f and not f & {"password 1", "password 2", "textarea 1"}),
    ("contact", 1.5, "has room for a message", lambda f: "textarea 1" in f or "textarea 2" in f),
    ("contact", 1.5, "has room for a message and asks who is writing", lambda f: "textarea 1" in f and bool(f & {"any~mail", "any~person"}) and not f & {"any~booking", "any~order"}),
    ("order", 1.5, "speaks of buying", lambda f: "any~order" in f and not _searches(f)),
    ("order", 2, "asks for payment", lambda f: "any~card" in f and "any~person" in f),
    ("order", 1, "a person's address and the terms", lambda f: "any~person" in f and "any~agree" in f and "any~order" in f),
    ("order", 2.5, "chooses options of one thing", lambda f: bool(f & {"any~configure", "lists colours", "lists sizes"}) and "choices 0" not in f and not _searches(f) and not _personal(f) and "method POST" in f and not f & {"title~catalogue", "said~catalogue", "title~search"}),
    ("other", 2.5, "a vote", lambda f: bool(f & {"said~vote", "action~vote", "form~vote"}) and "typed 0" in f),
    ("other", 2.5, "chooses a language, a country or a currency", lambda f: bool(f & {"any~chooser", "lists languages", "lists currencies"}) and "typed 0" in f and bool(f & {"asked 1", "asked 2"}) and not _searches(f)),
    ("other", 1, "one question, to be answered by a choice", lambda f: "question" in f and "typed 0" in f and "asked 1" in f and not _searches(f)),
    ("other", 2.5, "books a time or a place", lambda f: "said~booking" in f and bool(f & {"any~mail", "any~person", "textarea 1"}) and not f & {"any~attribute", "any~search"}),
    ("other", 1.5, "only choices, and no word of searching", lambda f: "typed 0" in f and "any~search" not in f and not f & {"any~browse", "any~attribute", "any~catalogue", "title~catalogue", "any~query"}),
    ("other", 2, "uploads a file", lambda f: "file 1" in f),
    ("other", 1.5, "nothing to fill in", lambda f: "asked 0" in f),
    ("search", 1, "speaks of searching", lambda f: "said~search" in f and not _personal(f)),
    ("search", 1, "is marked as a search", lambda f: _searches(f) and "said~search" not in f),
    ("search", 1.5, "several things can be asked, nothing personal, and nothing is changed by asking", lambda f: _several(f) and "method GET" in f and not _personal(f) and not f & {"said~order", "said~vote"} and not ("typed 0" in f and "any~chooser" in f)),
    ("search", 1.5, "several attributes of things can be asked", lambda f: _several(f) and "any~attribute" in f and not _personal(f) and not f & {"said~order", "said~vote", "any~card", "any~person"} and (_searches(f) or "any~range" in f or "any~catalogue" in f or "title~catalogue" in f or "title~search" in f)),
    ("search", 1, "attributes of things can be asked, and nothing personal", lambda f: _several(f) and "any~attribute" in f and not f & _PRIVATE and not ("typed 0" in f and "any~chooser" in f)),
    ("search", 1.5, "stands on a page about searching", lambda f: bool(f & {"title~search", "title~catalogue", "title~query", "heading~search", "heading~catalogue", "heading~query"}) and not _personal(f) and "any~order" not in f),
    ("search", -2.5, "asks for a password, a message or a mail address", _personal),
)  # fmt: skip

DOOR: tuple[Row, ...] = (
    ("database", 2.5, "several things can be asked", _several),
    ("database", 1, "nothing but choices: what is there is known", lambda f: "typed 0" in f),
    ("database", 1, "asks for an attribute of things", lambda f: bool(f & {"label~attribute", "text~attribute"}) and not _names_the_site(f)),
    ("database", 1, "names what to type", lambda f: bool(f & {"label~word", "label~field", "text~word", "text~field"}) and not _names_the_site(f)),
    ("database", 1.5, "speaks of a catalogue", lambda f: bool(f & {"said~catalogue", "title~catalogue"}) and not _names_the_site(f)),
    ("database", 1.5, "its heading says what is searched", lambda f: "heading subject" in f and bool(f & {"heading~search", "heading~browse", "heading~query"}) and not _names_the_site(f)),
    ("database", 1, "speaks of a query to something", lambda f: bool(f & {"button~query", "heading~query", "title~query"}) and not _names_the_site(f)),
    ("database", 1, "says what is searched", lambda f: "subjects 0" not in f and "unlabelled" not in f and not _names_the_site(f)),
    ("site-search", 4, "searches this site's own pages", lambda f: _names_the_site(f) and not _several(f)),
    ("site-search", 1, "one box in the head, the foot or the menu of the page", lambda f: not _several(f) and bool(f & {"in header", "in nav", "in footer", "in aside"})),
    ("site-search", 2, "one box, and no word on what is searched", lambda f: not _several(f) and "unlabelled" in f and not f & {"title~catalogue", "said~catalogue", "button~query"}),
)  # fmt: skip

BOUGHT: tuple[Row, ...] = (
    ("configure", 1.5, "chooses among options of one thing", lambda f: "choices 0" not in f and not f & {"any~card", "any~person", "any~mail"}),
    ("configure", 1, "speaks of sizes, colours or models", lambda f: "any~configure" in f and "choices 0" not in f),
    ("order", 1.5, "nothing to choose", lambda f: "choices 0" in f),
    ("order", 2, "asks who buys", lambda f: bool(f & {"any~card", "any~person", "any~mail"})),
)  # fmt: skip
