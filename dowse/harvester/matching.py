"""Which field of a form asks for which attribute of the records: by name, by choices, by what answers show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from dowse.form.roles import attribute_name
from dowse.model import Query, Record, Value
from dowse.records.compare import all_stop_words, find_words
from dowse.select.selector import Interface

MAX_ASKED_CHARS = 80  # characters of a value that is asked for whole
MAX_VALUES_PER_RECORD = 64  # of one record
MIN_CHOICE_SHARE = 0.6  # share of an attribute's values that are choices of the form
MIN_SHOWN_SHARE = 0.6  # share of the records of an answer that show what was asked for
MIN_SHOWN_RECORDS = 3  # records of an answer that can tell
MIN_TELLING_CHARS = 4  # characters of a value that one record with it can tell: shorter ones stand everywhere
MAX_TRIAL_CHARS = 60  # characters of a value that is asked for to see which box it belongs to
MIN_NAME_SIMILARITY = 0.5  # part of its words that a name shares with another for the same thing
MIN_TYPE_SHARE = 0.8  # share of values that are numbers, or dates, where an attribute is of that type
MIN_STEMMED_LETTERS, ENDING_LETTERS = 5, 1  # letters of a word whose last one may be an ending
_NUMBER = re.compile(r"[^\d\n]{0,6}\d[\d.,' \u00a0]{0,14}[^\d\n]{0,8}")
_DATE = re.compile(r"\d{1,4}[-./ ]\w{1,10}[-./ ,]{1,2}\d{1,4}|[^\W\d]{3,10} \d{1,2},? \d{4}")


@dataclass(slots=True)
class AttributeMap:
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
        self._match_lone_spans(records)
        if (
            len(query.values) != 1
            or query.ranges
            or not query.values[0].attribute
            or not self.interface.takes(query.values[0].attribute)
        ):
            return
        asked = query.values[0]
        shown = _best_shown(asked.text, records)
        if shown is None or (not shown.whole and asked.attribute in dict(self.interface.choices)):
            return
        if len(records) >= MIN_SHOWN_RECORDS or (shown.whole and len(asked.text) >= MIN_TELLING_CHARS):
            self._believe(asked, shown.attribute, records)

    def _believe(self, asked: Value, attribute: str, records: Sequence[Record]) -> None:
        """Take what an answer shows; what was matched otherwise gives way when the answer does not show it there."""
        self.shown[attribute, asked.attribute] += 1
        before = next((name for name, own in self.asks.items() if own == asked.attribute), None)
        if before is not None:
            if before == attribute or _share(asked.text, records, before) >= MIN_SHOWN_SHARE:
                return
            del self.asks[before]
        if self.asks.get(attribute, asked.attribute) == asked.attribute:
            self.asks[attribute] = asked.attribute

    def _match_names(self, records: Sequence[Record]) -> None:
        """Match equal names first, then those that share most of their words: author, name of the author."""
        values = _values_of(records)
        pairs = [
            (_name_similarity(own, attribute), own, attribute)
            for own in self._free()
            for attribute in values
            if attribute not in self.asks
        ]
        spans = {span.attribute: span.type for span in self.interface.spans}
        for likeness, own, attribute in sorted(pairs, key=lambda pair: -pair[0]):
            fits = own not in spans or _are_of_type(values[attribute], spans[own])
            if (
                likeness >= MIN_NAME_SIMILARITY
                and fits
                and attribute not in self.asks
                and own not in self.asks.values()
            ):
                self.asks[attribute] = own

    def _match_choices(self, records: Sequence[Record]) -> None:
        """Match attributes whose values are choices of the form, those with most of them first."""
        found = []
        for own, choices in self.interface.choices:
            known = {choice.lower() for choice in choices}
            for attribute, texts in _values_of(records).items():
                share = len(texts & known) / len(texts)
                if attribute not in self.asks and len(texts) > 1 and share >= MIN_CHOICE_SHARE:
                    found.append((share, attribute, own))
        for _, attribute, own in sorted(found, key=lambda each: -each[0]):
            if attribute not in self.asks and own not in self.asks.values():
                self.asks[attribute] = own

    def _match_lone_spans(self, records: Sequence[Record]) -> None:
        """Match a range to the only attribute of its type that is left, where it is the only range of it."""
        values = _values_of(records)
        for span in self.interface.spans:
            rivals = [
                each
                for each in self.interface.spans
                if each.type == span.type and each.attribute not in self.asks.values()
            ]
            fitting = [
                name
                for name, texts in values.items()
                if name not in self.asks and len(texts) > 1 and _are_of_type(texts, span.type)
            ]
            if rivals == [span] and len(fitting) == 1:
                self.asks[fitting[0]] = span.attribute

    def trials(self, records: Sequence[Record]) -> Iterator[Query]:
        """Yield queries that would show which box asks for an attribute that nothing is known of: a value of each, the likeliest first."""
        boxes = [name for name in self.interface.attributes if name not in self.asks.values()]
        left = {name: texts for name, texts in _distinctive_values(records).items() if name not in self.asks}
        for box in boxes:
            for name in sorted(left, key=lambda each: -_name_similarity(box, each)):
                if name not in self.asks and box not in self.asks.values():
                    yield Query((Value(box, left[name]),))

    def _free(self) -> list[str]:
        return [name for name in self._askable() if name not in self.asks.values()]

    def _askable(self) -> list[str]:
        spans = [span.attribute for span in self.interface.spans]
        return [*self.interface.attributes, *(name for name, _ in self.interface.choices), *spans]

    def decompose(self, record: Record) -> list[Value]:
        """Return the values of a record that can be asked for; words of any kind where the form takes them."""
        choices = dict(self.interface.choices)
        found: list[Value] = []
        for attribute, text in record.values:
            own = self.asks.get(attribute)
            if own is not None and own in choices:
                lower = text.lower()
                found += [Value(own, choice) for choice in choices[own] if choice.lower() == lower]
            elif own is not None and own in self.interface.attributes and len(text) <= MAX_ASKED_CHARS:
                found.append(Value(own, text))
            if self.interface.keyword and own is None:
                found += _as_words(text)
        return list(dict.fromkeys(found))[:MAX_VALUES_PER_RECORD]


@dataclass(frozen=True, slots=True)
class _Shown:
    """An attribute that shows what was asked for, in most records of an answer."""

    attribute: str
    whole: bool  # each shows it as its whole value, not among other words


def _values_of(records: Sequence[Record]) -> dict[str, set[str]]:
    """Return the different values of each attribute, in small letters."""
    values: dict[str, set[str]] = {}
    for record in records:
        for attribute, text in record.values:
            values.setdefault(attribute, set()).add(text.lower())
    return values


def _distinctive_values(records: Sequence[Record]) -> dict[str, str]:
    """Return a value for each attribute that could only be its own: with letters, and held by no other attribute."""
    found: dict[str, str] = {}
    texts_of = _values_of(records)
    others = {  # a title may stand twice
        name: [texts for texts in texts_of.values() if texts != own] for name, own in texts_of.items()
    }
    for attribute, text in (value for record in records for value in record.values):
        is_short = MIN_TELLING_CHARS <= len(text) <= MAX_TRIAL_CHARS
        if attribute in found or not is_short or not any(map(str.isalpha, text)):
            continue
        if not any(text.lower() in texts for texts in others[attribute]):
            found[attribute] = text
    return found


def _are_of_type(texts: Collection[str], kind: str) -> bool:
    """Return True if most values are numbers, or dates."""
    pattern = _DATE if kind == "date" else _NUMBER
    return sum(bool(pattern.fullmatch(text.strip()[:MAX_ASKED_CHARS])) for text in texts) >= MIN_TYPE_SHARE * len(texts)


def _name_similarity(one: str, two: str) -> float:
    """Return which part of the words of the longer name both names have; a name that is part of another is alike."""
    first, second = _name_words(one), _name_words(two)
    both = sum(any(_are_one_word(word, other) for other in second) for word in first)
    share = both / max(len(first), len(second), 1)
    return max(share, MIN_NAME_SIMILARITY) if both and both == min(len(first), len(second)) else share


def _name_words(name: str) -> list[str]:
    words = attribute_name(name).split()
    return [word for word in words if word not in all_stop_words() and len(word) > 1] or words


def _are_one_word(one: str, other: str) -> bool:
    """Return True if two words are the same but for their ending: autore, autori."""
    longer = max(len(one), len(other))
    return one == other or (
        longer >= MIN_STEMMED_LETTERS and one[: longer - ENDING_LETTERS] == other[: longer - ENDING_LETTERS]
    )


def _as_words(text: str) -> Iterator[Value]:
    """Yield a short value whole, and its words: what a box for any words can be asked."""
    if len(text) <= MAX_ASKED_CHARS and any(map(str.isalpha, text)):
        yield Value("", text)
    for word in find_words(text):
        if word.lower() not in all_stop_words() and word != text:
            yield Value("", word.lower())


def _best_shown(text: str, records: Sequence[Record]) -> _Shown | None:
    """Return the attribute that shows a text in most records, as its whole value rather than among other words."""
    wanted = text.lower()
    whole: Counter[str] = Counter()
    within: Counter[str] = Counter()
    for record in records:
        # each attribute once, in the order of the record: of two that show it as often, the first one
        whole.update(list(dict.fromkeys(name for name, shown in record.values if shown.lower() == wanted)))
        within.update(list(dict.fromkeys(name for name, shown in record.values if wanted in shown.lower())))
    for counts in (whole, within):
        for attribute, count in counts.most_common(1):
            if count >= MIN_SHOWN_SHARE * len(records):
                return _Shown(attribute, counts is whole)
    return None


def _share(text: str, records: Sequence[Record], attribute: str) -> float:
    """Return the share of records that show a text in an attribute."""
    wanted = text.lower()
    return sum(
        any(name == attribute and wanted in shown.lower() for name, shown in record.values) for record in records
    ) / max(1, len(records))
