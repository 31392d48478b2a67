"""What a form is for: a table of evidence, each row with its reason in words.

The points are hand-set and the probability is their softmax: an ordering to trust more
than its second digit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import cached_property

from dowse.form import words
from dowse.model import KINDS, Form, Judgement, Page


class Look:
    """A form, looked at for all the evidence; what is asked for twice is looked up once."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.visible = words.visible_fields(form)
        self.text = words.says(form)
        self.types = Counter(control.type for control in form.fields)

    def count(self, *types: str) -> int:
        """Count the controls of these types."""
        return sum(self.types[name] for name in types)

    @cached_property
    def typed(self) -> int:
        """Count the controls that take free text, once per box."""
        return self.count("text", "search", "number", "date", "tel", "url", "email", "month", "range")

    @cached_property
    def choices(self) -> int:
        """Count the choices offered: selects, and groups of radios or checkboxes."""
        groups = {f.name for f in self.visible if f.type in ("radio", "checkbox")}
        return self.count("select") + len(groups)

    @cached_property
    def conditions(self) -> int:
        """Count the separate things that can be asked."""
        return self.typed + self.choices

    @cached_property
    def asks_email(self) -> bool:
        """Whether a mail address is asked for."""
        return any(
            f.type == "email" or "mail" in f"{f.name} {f.id} {f.label} {f.placeholder}".lower() for f in self.visible
        )

    @cached_property
    def personal(self) -> bool:
        """Whether a password, a message or a mail address is asked for."""
        return self.count("password", "textarea") > 0 or self.asks_email

    @cached_property
    def named_for_search(self) -> bool:
        """Whether a control or the form is marked as a search in the HTML itself."""
        marked = self.form.role == "search" or self.count("search") > 0
        return marked or any(words.SEARCH_NAMES.match(f.name.lower()) for f in self.visible if f.type == "text")

    @cached_property
    def speaks_of_search(self) -> bool:
        """Whether any word says that something is searched."""
        return bool(words.SEARCH.search(self.text))

    @property
    def searches(self) -> bool:
        """Whether any word or name says that something is searched."""
        return self.named_for_search or self.speaks_of_search

    @cached_property
    def says_what(self) -> bool:
        """Whether there are words about what is searched."""
        return len(words.subject_words(self.form)) > 3

    @cached_property
    def speaks_of_buying(self) -> bool:
        """Whether any word is about buying."""
        return bool(words.ORDER.search(self.text))

    @cached_property
    def speaks_of_voting(self) -> bool:
        """Whether any word is about a vote."""
        return bool(words.POLL.search(self.text))


POINTS_PER_NAT = 2.0  # evidence overlaps: two rows that say the same should not make twice as sure

Evidence = tuple[str, float, str, Callable[[Look], bool]]

EVIDENCE: tuple[Evidence, ...] = (
    ("login", 5, "asks for one password", lambda f: f.count("password") == 1),
    ("login", 1, "speaks of logging in", lambda f: bool(words.LOGIN.search(f.text))),
    ("registration", 7, "asks for a password twice", lambda f: f.count("password") > 1),
    ("registration", 3, "a password among many fields", lambda f: f.count("password") == 1 and len(f.visible) > 4),
    ("registration", 3, "speaks of registering", lambda f: bool(words.REGISTRATION.search(f.text)) and not f.searches),
    ("subscribe", 3, "asks for nothing but a mail address", lambda f: f.asks_email and f.typed <= 2 and not f.count("password", "textarea")),
    ("subscribe", 3, "speaks of a newsletter", lambda f: bool(words.SUBSCRIBE.search(f.text)) and not f.count("password")),
    ("contact", 3, "has room for a message", lambda f: f.count("textarea") > 0),
    ("contact", 2, "asks who is writing", lambda f: f.asks_email and f.typed > 1 and not f.count("password")),
    ("contact", 2, "speaks of a message", lambda f: bool(words.CONTACT.search(f.text)) and f.count("textarea") > 0),
    ("order", 4, "speaks of buying", lambda f: f.speaks_of_buying and not f.named_for_search),
    ("configure", 5, "chooses options of one thing to buy", lambda f: f.speaks_of_buying and f.choices > 0 and not f.named_for_search),
    ("other", 2, "a vote", lambda f: f.speaks_of_voting and f.typed == 0),
    ("other", 4, "one choice and nothing to type", lambda f: f.typed == 0 and f.conditions == 1 and not f.count("select")),
    ("other", 3, "only choices, and no word of searching", lambda f: f.typed == 0 and not f.searches),
    ("other", 3, "chooses a language, a currency or a view", lambda f: f.conditions == 1 and f.typed == 0 and bool(words.CHOOSER.search(f.text))),
    ("other", 4, "recovers a password", lambda f: bool(words.RECOVERY.search(f.text)) and not f.count("password") and not f.searches),
    ("other", 4, "uploads a file", lambda f: f.count("file") > 0),
    ("other", 3, "nothing to fill in", lambda f: not f.visible),
    ("database", 2, "is marked as a search", lambda f: f.named_for_search),
    ("database", 2, "speaks of searching", lambda f: f.speaks_of_search),
    ("database", 2, "several things can be asked", lambda f: f.conditions > 1 and f.searches),
    ("database", 1, "many things can be asked", lambda f: f.conditions > 3 and f.searches),
    ("database", 3, "several things can be asked, nothing personal, and nothing is changed by asking", lambda f: f.conditions > 1 and f.form.method == "GET" and not f.asks_email and not f.speaks_of_buying and not f.speaks_of_voting),
    ("database", 3, "speaks of a catalogue", lambda f: f.searches and bool(words.CATALOGUE.search(f.text))),
    ("database", 1, "says what is searched", lambda f: f.searches and f.says_what),
    ("database", -4, "asks for a password, a message or a mail address", lambda f: f.personal),
    ("site-search", 2, "is marked as a search", lambda f: f.named_for_search),
    ("site-search", 2, "speaks of searching", lambda f: f.speaks_of_search),
    ("site-search", 2, "one box and no word on what is searched", lambda f: f.conditions == 1 and f.searches and not f.says_what),
    ("site-search", 3, "searches this site", lambda f: bool(words.SITE.search(f.text))),
    ("site-search", -2, "several things can be asked", lambda f: f.conditions > 2),
    ("site-search", -4, "asks for a password, a message or a mail address", lambda f: f.personal),
    ("site-search", -3, "nothing can be typed", lambda f: f.typed == 0),
)  # fmt: skip


def judge_form(form: Form, page: Page) -> Judgement:
    """Say what a form of a page is for, how sure that is, and why."""
    look = Look(form)
    points = dict.fromkeys(KINDS, 0.0) | {"other": 1.0}
    reasons: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for kind, weight, reason, holds in EVIDENCE:
        if holds(look):
            points[kind] += weight
            if weight > 0:
                reasons[kind].append(reason)
    kind = max(KINDS, key=lambda name: points[name])
    odds = {name: math.exp(score / POINTS_PER_NAT) for name, score in points.items()}
    return Judgement(kind, odds[kind] / sum(odds.values()), tuple(reasons[kind]) or ("nothing says what it is for",))
