"""What a record is known by: one page asked twice shows which parts of addresses and values change by themselves.

A token in each record's address makes copies look new: 1,103 records came as 2,128. What differs between two readings of
one page is no part of any record's identity.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from dowse.harvester.loop import key_of
from dowse.model import Answer, Record, Value

MAX_PARAMETERS: Final = 60  # of an address that are looked at
MIN_SAME_SHARE: Final = 0.5  # of the records of a page that are there again when it is asked again
MAX_RARE: Final = (
    5  # records of a page that have a value, so that it still tells which of them one is; more are compared in vain
)
MIN_LEFT_SHARE: Final = 0.9  # of the different records of a page that stay different without what changes

_BORDERS: Final = re.compile(r"([/;])")


@dataclass(frozen=True, slots=True)
class UnstableParts:
    """What changed between two readings of one page."""

    parameters: frozenset[str] = frozenset()  # of addresses
    segments: frozenset[int] = frozenset()  # of the paths of addresses, counted from their beginning
    attributes: frozenset[str] = frozenset()  # whose values count or tell the time
    by_values: bool = False  # addresses tell records apart by nothing else: their values do
    doubt: str = ""  # why nobody can tell which records are the same

    def __bool__(self) -> bool:
        """Return True if something changes."""
        return bool(self.parameters or self.segments or self.attributes or self.by_values)

    def clean_record(self, record: Record) -> Record:
        """Return a record whose key has nothing that changes; its address stays as it is."""
        if record.key and not self.by_values:
            return replace(record, key=self._clean_address(record.key)) if self.parameters or self.segments else record
        if not self.attributes and not (record.key and self.by_values):
            return record
        return replace(record, key=_write_values(record, self.attributes))

    def _clean_address(self, address: str) -> str:
        path, sign, query = address.partition("?")
        if self.segments:
            parts = _BORDERS.split(path)
            path = "".join([part for place, part in enumerate(parts) if place not in self.segments])
        kept = [(name, value) for name, value in _parameters(query) if name not in self.parameters]
        if not self.parameters:
            return f"{path}{sign}{query}"
        return f"{path}?{urlencode(kept)}" if kept else path

    def describe(self) -> list[str]:
        """Return what changes, in words."""
        path = ["a part of the path"] if self.segments else []
        return [*sorted(self.parameters), *path, *sorted(self.attributes)]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        names = {"parameters": self.parameters, "segments": self.segments, "attributes": self.attributes}
        return {
            **{name: sorted(each) for name, each in names.items()},
            "by_values": self.by_values,
            "doubt": self.doubt,
        }

    @staticmethod
    def from_dict(plain: dict[str, Any]) -> UnstableParts:
        """Read it from plain data."""
        read = {name: frozenset(plain.get(name, ())) for name in ("parameters", "segments", "attributes")}
        return UnstableParts(**read, by_values=plain.get("by_values", False), doubt=plain.get("doubt", ""))


def compare_readings(first: Answer, again: Answer) -> UnstableParts:
    """Return what differs between two answers to one query; a total or records that differ are a doubt of their own."""
    if first.exact and again.exact and None not in (first.total, again.total) and first.total != again.total:
        return UnstableParts(doubt=f"the same query reported {first.total:,} records, then {again.total:,}")
    if not again.records:
        return UnstableParts(doubt="the same query brought records, and none when it was asked again")
    pairs = _pair_up(first.records, again.records)
    parameters: set[str] = set()
    segments: set[int] = set()
    for one, other in pairs:
        if one.key != other.key:
            parameters |= _changed_parameters(one.key, other.key)
            segments |= _changed_segments(one.key, other.key)
    parts = UnstableParts(frozenset(parameters), frozenset(segments), _changed_attributes(pairs))
    before = len({*map(key_of, first.records)})
    if parts and _count_different(parts, first.records) < MIN_LEFT_SHARE * before:
        parts = replace(parts, by_values=True)
    before_keys, keys = ({key_of(parts.clean_record(each)) for each in answer.records} for answer in (first, again))
    # other records, as in an order by chance, may be paired for being alike: what leaves too few apart is no explanation
    # where a key is there again, which is no token
    has_tokens = {*map(key_of, first.records)}.isdisjoint(map(key_of, again.records))
    is_told = has_tokens or _count_different(parts, first.records) >= MIN_LEFT_SHARE * before
    if is_told and len(before_keys & keys) >= MIN_SAME_SHARE * max(len(before_keys), len(keys)):
        return parts
    doubt = "the same query brought other records when it was asked again"
    return replace(parts, doubt=doubt) if is_told else UnstableParts(doubt=doubt)


def compare_queries(parts: UnstableParts, answers: Sequence[Answer]) -> UnstableParts:
    """Return what changes with the query as well: parameters that are the same for all records of an answer and not for a record.

    A record that two answers show with the same values, under addresses that differ in such a parameter alone, tells it.
    """
    several = [answer.records for answer in answers if len(answer.records) > 1]
    constant = [set.intersection(*(set(_parameters(each.key.partition("?")[2])) for each in some)) for some in several]
    shown: dict[tuple[Any, ...], tuple[str, int]] = {}
    found: set[str] = set()
    for place, records in enumerate(several):
        for record in records:
            key, before = shown.setdefault(record.values, (record.key, place))
            changed = _changed_parameters(key, record.key) if before != place and len(record.values) > 1 else set()
            is_same_path = key.partition("?")[0] == record.key.partition("?")[0]
            both = {name for name, _ in constant[before]} & {name for name, _ in constant[place]}
            if is_same_path and changed <= both:
                found |= changed
    ranks = _find_ranks([records for records in several if not any(each.key for each in records)])
    wider = replace(parts, parameters=parts.parameters | found, attributes=parts.attributes | ranks)
    is_safe = all(_count_different(wider, some) >= MIN_LEFT_SHARE * len({*map(key_of, some)}) for some in several)
    return wider if is_safe else parts


def _find_ranks(answers: Sequence[Sequence[Record]]) -> frozenset[str]:
    """Return attributes that count the records of each of several answers, from one on: a record's rank is no part of it."""
    told: list[set[str]] = []
    for records in answers:
        held = [dict(each.values) for each in records]
        names = set.intersection(*(set(each) for each in held))
        told.append(
            {
                name
                for name in names
                if [each[name].strip(" .)#") for each in held] == [str(place) for place in range(1, len(held) + 1)]
            }
        )
    return frozenset(set.intersection(*told)) if len(told) > 1 else frozenset()


def _pair_up(first: Sequence[Record], again: Sequence[Record]) -> list[tuple[Record, Record]]:
    """Return the records that are the same on both pages: by their keys, then by values that few others have, then by place.

    A page may show its records in another order. Where most keys are there again they are no tokens, and a record that
    is gone is not taken for another that is like it: only equal values tell that its address changed.
    """
    before, after = ({key_of(record): record for record in each} for each in (first, again))
    pairs = [(record, after[key]) for key, record in before.items() if key in after]
    is_stable = len(pairs) >= MIN_SAME_SHARE * max(len(before), len(after))
    left = {place: record for place, record in enumerate(again) if key_of(record) not in before}
    having: dict[Value, list[int]] = {}
    for place, other in left.items():
        for value in set(other.values):
            having.setdefault(value, []).append(place)
    for place, one in enumerate(first):
        if key_of(one) in after:
            continue
        rare = {near for value in one.values for near in having.get(value, ()) if len(having[value]) <= MAX_RARE}
        # the one with the most equal values, of several the one in the same place
        ranked = [(_equal_share(one, left[near]), near == place, near) for near in {*rare, place} & left.keys()]
        ranked.sort(reverse=True)
        if not ranked or ranked[0][0] < (1 if is_stable and one.key else MIN_SAME_SHARE):
            continue
        if ranked[0][1] or len(ranked) == 1 or ranked[0][0] > ranked[1][0]:
            pairs.append((one, left.pop(ranked[0][2])))
    return pairs


def _equal_share(one: Record, other: Record) -> float:
    return len(set(one.values) & set(other.values)) / max(len(one.values), len(other.values), 1)


def _changed_parameters(one: str, other: str) -> set[str]:
    first, second = (dict(_parameters(each.partition("?")[2])) for each in (one, other))
    return {name for name in first.keys() | second.keys() if first.get(name) != second.get(name)}


def _changed_segments(one: str, other: str) -> set[int]:
    first, second = (_BORDERS.split(each.partition("?")[0]) for each in (one, other))
    if len(first) != len(second):
        return set()
    return {place for place, (a, b) in enumerate(zip(first, second, strict=True)) if a != b}


def _changed_attributes(pairs: Iterable[tuple[Record, Record]]) -> frozenset[str]:
    found: set[str] = set()
    for one, other in pairs:
        found |= {value.attribute for value in set(one.values) ^ set(other.values)}
    return frozenset(found)


def _count_different(parts: UnstableParts, records: Sequence[Record]) -> int:
    return len({key_of(parts.clean_record(record)) for record in records})


def _parameters(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query, keep_blank_values=True, max_num_fields=None)[:MAX_PARAMETERS] if query else []


def _write_values(record: Record, left_out: frozenset[str]) -> str:
    return "\n".join(sorted(f"{name}\t{text}" for name, text in record.values if name not in left_out))
