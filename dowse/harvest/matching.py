"""Which attribute of a form asks for which attribute of the records: by name, by choices, by what answers show.

A form says Writer, a table says Author, a page without headings says nothing. What was asked for and
came back in most records tells which it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from dowse.form.attributes import attribute_name
from dowse.model import Query, Record, Value
from dowse.records.words import STOP_WORDS, find_words
from dowse.select.selector import Interface

LONGEST_VALUE = 80  # characters of a value that is asked for whole
MOST_VALUES = 64  # of one record
CHOSEN = 0.6  # share of an attribute's values that are choices of the form
SHOWN = 0.6  # share of the records of an answer that show what was asked for
LEAST_SHOWN = 3  # records of an answer that can tell
ALIKE = 0.5  # part of its words that a name shares with another for the same thing
_STOPS = frozenset(word for words in STOP_WORDS.values() for word in words)


@dataclass(slots=True)
class Matching:
    """What is known of how the attributes of records can be asked for."""

    interface: Interface
    asks: dict[str, str] = field(default_factory=dict)  # attribute of records -> attribute of the form
    shown: Counter[tuple[str, str]] = field(
        default_factory=Counter
    )  # (of records, of the form) -> answers that showed it

    def learn(self, query: Query, records: Sequence[Record]) -> None:
        """Learn from the records that came back for a query."""
        self._match_names(records)
        self._match_choices(records)
        if len(query.values) != 1 or len(records) < LEAST_SHOWN or not query.values[0].attribute:
            return
        asked = query.values[0]
        for attribute, share in _shares(asked.text, records):
            if share >= SHOWN and self.interface.takes(asked.attribute):
                self.shown[attribute, asked.attribute] += 1
                self.asks.setdefault(attribute, asked.attribute)

    def _match_names(self, records: Sequence[Record]) -> None:
        """Match equal names first, then those that share most of their words: author, name of the author."""
        free = [name for name in self._askable() if name not in self.asks.values()]
        shown = [name for name in _attributes(records) if name not in self.asks]
        pairs = [(_likeness(own, attribute), own, attribute) for own in free for attribute in shown]
        for likeness, own, attribute in sorted(pairs, key=lambda pair: -pair[0]):
            if likeness >= ALIKE and attribute not in self.asks and own not in self.asks.values():
                self.asks[attribute] = own

    def _match_choices(self, records: Sequence[Record]) -> None:
        values: dict[str, set[str]] = {}
        for record in records:
            for attribute, text in record.values:
                values.setdefault(attribute, set()).add(text.lower())
        for own, choices in self.interface.choices:
            known = {choice.lower() for choice in choices}
            for attribute, texts in values.items():
                if attribute not in self.asks and len(texts) > 1 and len(texts & known) >= CHOSEN * len(texts):
                    self.asks[attribute] = own

    def _askable(self) -> list[str]:
        spans = [span.attribute for span in self.interface.spans]
        return [*self.interface.attributes, *(name for name, _ in self.interface.choices), *spans]

    def decompose(self, record: Record) -> list[Value]:
        """Return the values of a record that can be asked for; words of any kind where the form takes them."""
        return list(dict.fromkeys(self._values(record)))[:MOST_VALUES]

    def _values(self, record: Record) -> Iterator[Value]:
        choices = dict(self.interface.choices)
        for attribute, text in record.values:
            own = self.asks.get(attribute)
            if own is not None and own in choices:
                yield from _as_choice(own, text, choices[own])
            elif own is not None and own in self.interface.attributes and len(text) <= LONGEST_VALUE:
                yield Value(own, text)
            if self.interface.keyword and own is None:
                yield from _as_words(text)


def _attributes(records: Sequence[Record]) -> list[str]:
    return list(dict.fromkeys(value.attribute for record in records for value in record.values))


def _likeness(one: str, two: str) -> float:
    """Return which part of the words of the longer name both names have."""
    first, second = set(attribute_name(one).split()), set(attribute_name(two).split())
    return len(first & second) / max(len(first), len(second), 1)


def _as_choice(attribute: str, text: str, choices: Iterable[str]) -> Iterator[Value]:
    lower = text.lower()
    yield from (Value(attribute, choice) for choice in choices if choice.lower() == lower)


def _as_words(text: str) -> Iterator[Value]:
    """Yield a short value whole, and its words: what a box for any words can be asked."""
    if len(text) <= LONGEST_VALUE and any(map(str.isalpha, text)):
        yield Value("", text)
    for word in find_words(text):
        if word.lower() not in _STOPS and word != text:
            yield Value("", word.lower())


def _shares(text: str, records: Sequence[Record]) -> Iterator[tuple[str, float]]:
    """Yield for each attribute the share of records that show a text in it."""
    wanted = text.lower()
    counts: Counter[str] = Counter()
    for record in records:
        counts.update({attribute for attribute, held in record.values if wanted in held.lower()})
    for attribute, count in counts.most_common(5):
        yield attribute, count / len(records)
