"""What one who knows the whole source would ask: the greedy weighted cover, and what can be reached at all."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from bench.harvest.databases import Source
from bench.harvest.runs import Curve
from dowse.model import Query, Value
from dowse.select.joins import MAX_JOINED_VALUES


def list_shown(source: Source) -> list[Sequence[int]]:
    """Return for each value the records that its query shows."""
    limit = source.limit or len(source.database.records)
    return [source.match(Query((value,)))[:limit] for value in source.database.index]


def cover(source: Source, shown: list[Sequence[int]]) -> Curve:
    """Ask again and again what brings the most new records for a request, knowing them all."""
    curve, seen, size = Curve(len(source.database.records)), bytearray(len(source.database.records)), source.page_size
    heap = [(-len(records) / -(-len(records) // size), place) for place, records in enumerate(shown)]
    heapify(heap)
    requests = drawn = 0
    while heap:
        _, place = heappop(heap)
        pages = -(-len(shown[place]) // size)
        new = len(shown[place]) - sum(map(seen.__getitem__, shown[place]))
        if heap and -new / pages > heap[0][0] + 1e-9:
            heappush(heap, (-new / pages, place))  # what others brought meanwhile is no longer new
        elif new:
            for record in shown[place]:
                seen[record] = 1
            requests, drawn = requests + pages, drawn + new
            curve.note(requests, drawn)
    return curve


def reach(source: Source, seed: Value) -> int:
    """Count the records that can be drawn from a seed, by every value that is met and, where boxes can be filled together, by joins."""
    found, met = _begin(source, seed)
    while source.limit and source.interface.joins:
        before = sum(found)
        for record in (number for number, drawn in enumerate(found) if not drawn):
            if record in show_joined(source, record, met):
                found[record] = 1
                fresh = set(source.database.records[record].values) - met
                met |= fresh
                _follow(source, list(fresh), met, found)
        if sum(found) == before:
            break
    return sum(found)


def reach_alone(source: Source, seed: Value) -> int:
    """Count the records that can be drawn from a seed with one value at a time."""
    return sum(_begin(source, seed)[0])


def _begin(source: Source, seed: Value) -> tuple[bytearray, set[Value]]:
    """Return which records single values reach from a seed, and the values that are met."""
    found, met = bytearray(len(source.database.records)), {seed}
    _follow(source, [seed], met, found)
    return found, met


def _follow(source: Source, waiting: list[Value], met: set[Value], found: bytearray) -> None:
    """Ask for values, and for all that their answers show, one at a time."""
    limit = source.limit or len(found)
    while waiting:
        for record in source.match(Query((waiting.pop(),)))[:limit]:
            if not found[record]:
                found[record] = 1
                fresh = set(source.database.records[record].values) - met
                met |= fresh
                waiting.extend(fresh)


def show_joined(source: Source, record: int, met: set[Value]) -> Sequence[int]:
    """Return what is shown for the rarest value of each attribute that a record has and that was met, at most four of them.

    Of all joins of met values that find the record, this is nearly always the narrowest.
    """
    index = source.database.index
    known = sorted(met.intersection(source.database.records[record].values), key=lambda value: len(index[value]))
    rarest = {value.attribute: value for value in reversed(known)}
    joined = sorted(rarest.values(), key=lambda value: len(index[value]))[:MAX_JOINED_VALUES]
    return source.match(Query(tuple(joined)))[: source.limit] if joined else ()
