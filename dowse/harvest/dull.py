"""Attributes of a form that ask for nothing: an operator, a sort, a language of the page, a choice that needs another.

Whatever is chosen, the same records come; or none come, though records are known that have what was chosen. After a few
tries such an attribute is no longer asked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from dowse.model import Answer, Query, Record

SAME = 3  # different values of one attribute that bring the same first page; one fewer when everything brings it, too
FAILED = 3  # values that bring nothing, though records are known that have them
NOTHING = 12  # values that bring nothing, where no record shows what it should have brought
MOST_KEPT = 20_000  # values of choices that are remembered as seen

_Page = tuple[tuple[str, ...], int | None]


@dataclass(slots=True)
class Dull:
    """Notices attributes that ask for nothing, from the answers as they come."""

    choices: frozenset[str]  # all that can be chosen, in small letters
    everything: _Page | None = None  # the first page of a query without values
    pages: dict[str, _Page] = field(
        default_factory=dict
    )  # attribute -> the one first page that all of its values brought
    tries: Counter[str] = field(default_factory=Counter)  # attribute -> values that brought it
    alive: set[str] = field(default_factory=set)  # attributes that brought different pages
    failed: Counter[str] = field(default_factory=Counter)  # attribute -> such values that known records have
    seen: set[str] = field(default_factory=set)  # choices that records have shown
    reasons: dict[str, str] = field(default_factory=dict)  # attribute -> why it is no longer asked

    def why_not(self, query: Query) -> str:
        """Say why a query is not asked: one of its attributes asks for nothing."""
        return next((self.reasons[value.attribute] for value in query.values if value.attribute in self.reasons), "")

    def note(self, answer: Answer) -> None:
        """Take in the first page of an answer."""
        if answer.failure or answer.trouble or answer.page:
            return
        self._see(answer.records)
        page = _first_page(answer)
        if answer.query == Query():
            self.everything = page
        elif len(answer.query.values) == 1 and not answer.query.ranges and answer.query.values[0].attribute:
            self._judge(answer.query.values[0].attribute, answer.query.values[0].text.lower(), page)

    def _see(self, records: tuple[Record, ...]) -> None:
        if len(self.seen) < MOST_KEPT:
            self.seen.update(text for record in records for _, text in _lower(record) if text in self.choices)

    def _judge(self, attribute: str, text: str, page: _Page) -> None:
        if attribute in self.alive:
            return
        if self.pages.setdefault(attribute, page) != page:
            self.alive.add(attribute)
            del self.pages[attribute]
            return
        self.tries[attribute] += 1
        self.failed[attribute] += not page[0] and text in self.seen
        reason = self._why_dull(attribute, page)
        if reason:
            self.reasons[attribute] = reason

    def _why_dull(self, attribute: str, page: _Page) -> str:
        """Say why an attribute asks for nothing, all of whose values have brought one page."""
        tries = self.tries[attribute]
        if page[0] and tries >= SAME - (page == self.everything):
            return f"whatever is given for {attribute!r}, the same records come"
        if not page[0] and (self.failed[attribute] >= FAILED or tries >= NOTHING):
            return f"whatever is given for {attribute!r}, nothing comes"
        return ""


def _first_page(answer: Answer) -> _Page:
    shown = tuple(sorted(record.key or "\t".join(text for _, text in record.values) for record in answer.records))
    return shown, answer.total


def _lower(record: Record) -> list[tuple[str, str]]:
    return [(attribute, text.lower()) for attribute, text in record.values]
