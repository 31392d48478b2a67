"""Small databases with values as unequal as real ones, and harvests of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from dowse.model import Record, Value
from dowse.select.graph import Graph
from dowse.yields.capture import MAX_PROBE_PAGES, Capture, CaptureHistory, allow_probes, choose_probe

PAGE = 10


def build_records(seed: int, count: int = 2_000, *, lacking: float = 0.0) -> list[Record]:
    """Make records with a kind, a place and one to three names, drawn as in real databases: a few are everywhere."""
    rng = Random(seed)
    return [_make_record(rng, number, count, lacking) for number in range(count)]


def _make_record(rng: Random, number: int, count: int, lacking: float) -> Record:
    names = {_skewed(rng, count // 2) for _ in range(rng.choice((1, 1, 2, 3)))}
    values = [Value("name", f"n{each}") for each in sorted(names)]
    values.append(Value("place", f"p{_skewed(rng, 60)}"))
    if rng.random() >= lacking:
        values.append(Value("kind", f"k{_skewed(rng, 12)}"))
    return Record(tuple(values), key=str(number))


def build_nested_records(seed: int, count: int = 3_000) -> list[Record]:
    """Make towns in counties in lands; a few names are found in several lands, and lead from one to another."""
    rng, records = Random(seed), []
    for number in range(count):
        land = _skewed(rng, 40)
        county = f"{land}.{_skewed(rng, 20)}"
        name = f"s{_skewed(rng, 60)}" if rng.random() < 0.1 else f"n{number}"
        values = (Value("name", name), Value("county", county), Value("land", str(land)))
        records.append(Record(values, key=str(number)))
    return records


def _skewed(rng: Random, values: int) -> int:
    return int(values ** rng.random())


class Harvest:
    """A harvest in memory: asks for values, largest or any first, with probes in between."""

    def __init__(self, records: list[Record], seed: int, *, greedy: bool = False, counts: bool = True) -> None:
        self.records, self.rng, self.greedy, self.counts = records, Random(seed), greedy, counts
        self.index: dict[Value, list[int]] = {}
        for place, record in enumerate(records):
            for value in record.values:
                self.index.setdefault(value, []).append(place)
        self.graph = Graph()
        self.captures = CaptureHistory(self.graph)
        self.numbers: dict[int, int] = {}
        self.asked: set[int] = set()
        self.requests = self.probes = 0

    def run(self, coverage: float, *, probes: bool = True) -> CaptureHistory:
        """Harvest until so much is held."""
        first = self.graph.number(self.rng.choice(self.records).values[0])
        for value in self._values(first):
            for _ in self._pages(value, self.captures.begin(value)):
                if probes:
                    self._probe()
                if len(self.numbers) >= coverage * len(self.records):
                    return self.captures
        return self.captures

    def _values(self, first: int) -> Iterator[int]:
        value: int | None = first
        while value is not None:
            self.asked.add(value)
            yield value
            left = [each for each in range(self.graph.value_count) if each not in self.asked]
            pick = max(left, key=self.graph.count, default=None) if self.greedy else None
            value = pick if self.greedy else self.rng.choice(left) if left else None

    def _pages(self, value: int, shown: Capture) -> Iterator[None]:
        matching = self.index.get(self.graph.value(value), [])
        for first in range(0, max(1, len(matching)), PAGE):
            if shown.probe and first >= MAX_PROBE_PAGES * PAGE:
                return self.captures.end(shown, complete=False)
            self.requests += 1
            page = [self._number(place) for place in matching[first : first + PAGE]]
            self.captures.add(shown, page, len(matching) if self.counts else None)
            yield
        self.captures.end(shown, complete=True)

    def _number(self, place: int) -> int:
        if place not in self.numbers:
            self.numbers[place] = self.graph.add(self.records[place].values)
        return self.numbers[place]

    def _probe(self) -> None:
        while self.probes < allow_probes(self.requests):
            self.probes += 1
            value = choose_probe(self.captures, self.rng)
            if value is not None:
                pages = self._pages(value, self.captures.begin(value, probe=True))
                for _ in pages if not self.counts else islice(pages, 1):
                    pass
