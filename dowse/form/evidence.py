"""What people who know forms would say at a glance: tables of evidence, each row with its reason in words.

A row holds when all the facts it needs are there, one of those it takes any of, and none of those it bars.
Points are natural logarithms of odds. The models learn what these tables do not know, from forms of the web that
people have labelled; where those are few (votes, bookings, choosers of a language), the tables have the say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

Facts = set[str]


class Row(NamedTuple):
    """A piece of evidence."""

    kind: str
    points: float
    reason: str
    needs: frozenset[str]
    takes: frozenset[str]
    bars: frozenset[str]

    def holds(self, facts: Facts) -> bool:
        """Say whether it is there."""
        if not self.needs <= facts or (self.takes and self.takes.isdisjoint(facts)):
            return False
        return self.bars.isdisjoint(facts)


def _row(kind: str, points: float, reason: str, needs: str = "", any_of: str = "", bars: str = "") -> Row:
    return Row(kind, points, reason, _split(needs), _split(any_of), _split(bars))


def _split(text: str) -> frozenset[str]:
    return frozenset(part for part in text.split(", ") if part)


_PASSWORD = "password 1, password 2"
_SAYS_SEARCH = "title~search, title~catalogue, title~query, heading~search, heading~catalogue, heading~query"
_MORE_THAN_A_SETTING = "searches, any~browse, any~attribute, any~catalogue, title~catalogue, any~query"
_PRIVATE = f"any~mail, any~order, any~vote, any~booking, any~recover, any~card, any~contact, any~upload, any~register, {_PASSWORD}, textarea 1, file 1"

_SAYS_WHAT = "title~catalogue, label~catalogue, button~catalogue, heading~catalogue, button~query, label~attribute, label~word, label~field"

_DERIVED = (
    ("personal", _row("", 0, "", any_of=f"any~mail, textarea 1, {_PASSWORD}")),
    ("searches", _row("", 0, "", any_of="any~search, search 1, role search")),
    ("several", _row("", 0, "", bars="asked 0, asked 1")),
    ("a choice set", _row("", 0, "", needs="typed 0", any_of="any~chooser, lists languages, lists currencies")),
    ("site named", _row("", 0, "", any_of="label~site, button~site, text~site, label~page, button~page")),
    ("site named", _row("", 0, "", needs="text~page, text~this")),
    ("site named", _row("", 0, "", needs="title~search", any_of="title~site, title~page, heading~site", bars="title~catalogue, heading~catalogue")),
    ("site named", _row("", 0, "", needs="heading~search", any_of="heading~site", bars="title~catalogue, heading~catalogue")),
)  # fmt: skip


def derive(facts: Facts) -> Iterator[str]:
    """Yield what follows from the facts: the tables speak of it often."""
    return (name for name, row in _DERIVED if row.holds(facts))


TYPE: tuple[Row, ...] = (
    _row("login", 2.5, "asks for one password", "password 1"),
    _row("registration", 3, "asks for a password twice", "password 2"),
    _row("registration", 1.5, "a password among many fields", "password 1", "typed 3, typed 4+, typed 7+"),
    _row("registration", 1, "speaks of registering", "said~register", f"any~person, {_PASSWORD}", "searches"),
    _row("recovery", 2.5, "recovers what was forgotten", "any~recover", bars="password 1, searches"),
    _row("subscribe", 2, "asks for little more than a mail address", "any~mail", "typed 1, typed 2", f"{_PASSWORD}, textarea 1, any~contact, any~booking, any~recover"),
    _row("subscribe", 2, "speaks of a newsletter", "any~mail", "said~subscribe, any~unsubscribe, action~subscribe", f"{_PASSWORD}, textarea 1"),
    _row("contact", 1.5, "has room for a message", any_of="textarea 1, textarea 2"),
    _row("contact", 1.5, "has room for a message and asks who is writing", "textarea 1", "any~mail, any~person", "any~booking, any~order"),
    _row("order", 1.5, "speaks of buying", "any~order", bars="searches"),
    _row("order", 2, "asks for payment", "any~card, any~person"),
    _row("order", 1, "a person's address and the terms", "any~person, any~agree, any~order"),
    _row("order", 2.5, "chooses options of one thing", "method POST", "any~configure, lists colours, lists sizes", "choices 0, searches, personal, title~catalogue, said~catalogue, title~search"),
    _row("other", 2.5, "a vote", "typed 0", "said~vote, action~vote, form~vote", "textarea 1, textarea 2"),
    _row("other", 2.5, "chooses a language, a country or a currency", "a choice set", "asked 1, asked 2", "searches"),
    _row("other", 1, "one question, to be answered by a choice", "question, typed 0, asked 1", bars="searches"),
    _row("other", 2.5, "books a time or a place", "said~booking", "any~mail, any~person, textarea 1", "any~attribute, any~search"),
    _row("other", 2, "asks for a day and for a person", "date 1", "any~mail, textarea 1", "searches, password 1, password 2"),
    _row("other", 1.5, "only choices, and no word of searching", "typed 0", bars=f"{_MORE_THAN_A_SETTING}, textarea 1, textarea 2"),
    _row("other", 1.5, "changes a setting or adds something", "button~set", "asked 1, asked 2", "said~search, search 1, role search"),
    _row("other", 5, "deletes something", any_of="button~destroy, action~destroy", bars="said~search, search 1, role search"),
    _row("other", 2, "converts money", "lists currencies", bars="searches, typed 0, any~attribute"),
    _row("other", 2, "uploads a file", "file 1"),
    _row("other", 1.5, "nothing to fill in", "asked 0"),
    _row("search", 1, "speaks of searching", "said~search", bars="personal"),
    _row("search", 1, "is marked as a search", "searches", bars="said~search"),
    _row("search", 1.5, "several things can be asked, nothing personal, and nothing is changed by asking", "several, method GET", bars="personal, said~order, said~vote, a choice set"),
    _row("search", 1.5, "several attributes of things can be asked", "several, any~attribute", "searches, any~range, any~catalogue, title~catalogue, title~search", "personal, said~order, said~vote, any~card, any~person"),
    _row("search", 1, "attributes of things can be asked, and nothing personal", "several, any~attribute", bars=f"{_PRIVATE}, a choice set"),
    _row("search", 1.5, "stands on a page about searching", any_of=_SAYS_SEARCH, bars="personal, any~order"),
    _row("search", -2.5, "asks for a password, a message or a mail address", "personal"),
)  # fmt: skip

DOOR: tuple[Row, ...] = (
    _row("database", 2.5, "several things can be asked", "several"),
    _row("database", 1, "nothing but choices: what is there is known", "typed 0"),
    _row("database", 1, "asks for an attribute of things", any_of="label~attribute", bars="site named"),
    _row("database", 1, "names what to type", any_of="label~word, label~field", bars="site named"),
    _row("database", 1.5, "speaks of a catalogue", any_of="label~catalogue, button~catalogue, heading~catalogue, title~catalogue", bars="site named"),
    _row("database", 1.5, "its heading says what is searched", "heading subject", "heading~search, heading~browse, heading~query", "site named"),
    _row("database", 1, "speaks of a query to something", any_of="button~query, heading~query, title~query", bars="site named"),
    _row("database", 1, "says what is searched", bars="subjects 0, unlabelled, site named"),
    _row("site-search", 4, "searches this site's own pages", "site named", bars="several"),
    _row("site-search", 2, "names nothing but the site itself", "names itself", bars=f"several, {_SAYS_WHAT}"),
    _row("site-search", 1, "one box with no heading over it", "no heading", bars=f"several, {_SAYS_WHAT}"),
    _row("site-search", 0.5, "one box on the entrance page", "root", bars=f"several, {_SAYS_WHAT}"),
    _row("site-search", 1, "one box in the head, the foot or the menu of the page", any_of="in header, in nav, in footer, in aside", bars="several"),
    _row("site-search", 1.5, "one box, and no word on what is searched", "subjects 0", bars=f"several, {_SAYS_WHAT}"),
    _row("site-search", 1, "one box without a word", "unlabelled, subjects 0", bars=f"several, {_SAYS_WHAT}"),
)  # fmt: skip

BOUGHT: tuple[Row, ...] = (
    _row("configure", 0.5, "chooses among options of one thing", bars="choices 0, any~card, any~mail"),
    _row("configure", 1.5, "chooses a size, a colour or a model", any_of="any~configure, lists sizes, lists colours", bars="choices 0"),
    _row("order", 1.5, "nothing to choose", "choices 0"),
    _row("order", 2, "asks who buys", any_of="any~card, any~mail"),
)  # fmt: skip
