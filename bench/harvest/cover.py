"""What one who knows the whole source would ask: the greedy weighted cover, and what can be reached at all."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from bench.harvest.databases import Source
from bench.harvest.runs import Curve
from dowse.model import Query, Value


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
    """Count the records that can be drawn from a seed, by asking for every value that is met."""
    found: set[int] = set()
    waiting, met = [seed], {seed}
    limit = source.limit or len(source.database.records)
    while waiting:
        for record in source.match(Query((waiting.pop(),)))[:limit]:
            if record not in found:
                found.add(record)
                fresh = set(source.database.records[record].values) - met
                met |= fresh
                waiting.extend(fresh)
    return len(found)
