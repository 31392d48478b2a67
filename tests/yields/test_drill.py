"""Random drill-downs through the choices of a form."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from statistics import fmean, stdev

import pytest

from dowse.model import Query, Value
from dowse.select.graph import Graph
from dowse.yields.drill import MAX_LAST_LEAF_PAGES, DrillDown, NodeAnswer
from dowse.yields.size import BY_WALKS, DrillEvidence, SizeEvidence, estimate_size

PAGE_SIZE = 5
COLOURS = tuple(f"colour {number}" for number in range(12))
SHAPES = tuple(f"shape {number}" for number in range(8))
SIZES = tuple(f"size {number}" for number in range(4))
FORM = (("colour", COLOURS), ("shape", SHAPES), ("size", SIZES))
Thing = tuple[Value, ...]


def build_things(count: int = 300, *, colours: int = 1, seed: int = 7) -> list[Thing]:
    """Things of which few colours and shapes have most; some colours nobody has."""
    rng = Random(seed)
    things = []
    for _ in range(count):
        own = {COLOURS[min(int(rng.expovariate(0.6)), 10)] for _ in range(rng.randint(1, colours))}
        shape = SHAPES[min(int(rng.expovariate(0.8)), 7)]
        things.append(
            (*(Value("colour", each) for each in sorted(own)), Value("shape", shape), Value("size", rng.choice(SIZES)))
        )
    return things


class Shop:
    """Answers queries for choices; what it shows is added to the graph."""

    def __init__(self, things: list[Thing], matches: Callable[[Thing, Query], bool] | None = None) -> None:
        self.things, self.graph = things, Graph()
        self.numbers: dict[int, int] = {}
        self.whole: set[int] = set()
        self.matches = matches or (lambda thing, query: set(query.values) <= set(thing))
        self.requests = 0

    def take(self, place: int) -> int:
        if place not in self.numbers:
            self.numbers[place] = self.graph.add(self.things[place])
        return self.numbers[place]

    def read_whole(self, value: Value) -> None:
        self.whole.add(self.graph.number(value))
        for place, thing in enumerate(self.things):
            if value in thing:
                self.take(place)

    def open(self, seed: int, choices: tuple[tuple[str, tuple[str, ...]], ...] = FORM) -> DrillDown:
        return DrillDown(self.graph, choices, PAGE_SIZE, Random(seed), self.whole.__contains__)

    def walk(self, drill: DrillDown, walks: int = 1) -> None:
        """Answer until so many walks are over."""
        while len(drill.walks) < walks:
            query = drill.choose()
            if query is None:
                return
            found = [place for place, thing in enumerate(self.things) if self.matches(thing, query)]
            pages = 1
            while pages * PAGE_SIZE < len(found) and not drill.is_enough(pages):
                pages += 1
            self.requests += pages
            numbers = tuple(self.take(place) for place in found[: pages * PAGE_SIZE])
            drill.note(query, numbers)
            drill.learn(NodeAnswer(numbers, ended=pages * PAGE_SIZE >= len(found)))


def mean_of_walks(prepare: Callable[[], Shop], repeats: int = 150) -> tuple[float, float]:
    """Return the mean of many first walks, and its error."""
    sizes = []
    for seed in range(repeats):
        shop = prepare()
        drill = shop.open(seed)
        shop.walk(drill)
        sizes += [walk.harvested + walk.unseen for walk in drill.walks]
    return fmean(sizes), stdev(sizes) / math.sqrt(len(sizes))


def prepare_nothing() -> Shop:
    return Shop(build_things())


def prepare_popular() -> Shop:
    """The two colours that most have were read to their ends, and of the rest a few are harvested."""
    shop = Shop(build_things())
    for colour in COLOURS[:2]:
        shop.read_whole(Value("colour", colour))
    for place in range(0, 300, 20):
        shop.take(place)
    return shop


def prepare_several() -> Shop:
    shop = Shop(build_things(colours=3))
    for place in range(0, 300, 8):
        shop.take(place)
    return shop


@pytest.mark.parametrize("prepare", [prepare_nothing, prepare_popular, prepare_several])
def test_walks_are_right_on_average(prepare: Callable[[], Shop]) -> None:
    mean, error = mean_of_walks(prepare)
    assert abs(mean - 300) < 3.5 * error
    assert error < 60  # a fifth: a mean that is off by more is found out


def test_the_interval_of_some_walks_holds() -> None:
    held = 0
    for seed in range(30):
        shop = Shop(build_things(seed=seed))
        rng = Random(seed)
        for place in rng.sample(range(300), 90):
            shop.take(place)
        drill = shop.open(seed)
        shop.walk(drill, 10)
        size = estimate_size(SizeEvidence(shop.graph.record_count, counted=False, drilled=drill.evidence()))
        assert size.method == BY_WALKS
        assert size.low >= shop.graph.record_count
        held += size.low <= 300 <= size.high
    assert held >= 24  # 0.9 of 30, less two errors


def test_an_answer_that_is_never_read_to_its_end_gives_no_upper_end() -> None:
    count = (MAX_LAST_LEAF_PAGES + 10) * PAGE_SIZE
    shop = Shop([(Value("size", SIZES[number % 2]), Value("name", str(number))) for number in range(2 * count)])
    drill = shop.open(1, (("size", SIZES[:2]),))
    shop.walk(drill, 6)
    evidence = drill.evidence()
    assert evidence is not None
    assert evidence.cut
    size = estimate_size(SizeEvidence(shop.graph.record_count, counted=False, drilled=evidence))
    assert math.isinf(size.high)
    assert shop.graph.record_count <= size.low


def test_choices_that_lie_within_others_are_refused() -> None:
    """Books has all that novels has, and no record says of which kind it is."""
    kinds = ("books", "novels", "poems", "maps")
    things: list[Thing] = [(Value("name", str(number)),) for number in range(60)]
    rows: dict[Thing, set[str]] = {thing: {"books", kinds[1 + number % 2]} for number, thing in enumerate(things)}
    shop = Shop(things, lambda thing, query: all(value.text in rows[thing] for value in query.values))
    drill = shop.open(3, (("kind", kinds),))
    shop.walk(drill, 8)
    assert drill.refused == {"kind": "its choices share records"}
    assert drill.evidence() is None
    assert drill.choose() is None


def test_a_field_that_the_source_ignores_is_refused() -> None:
    things = build_things(200)
    shop = Shop(
        things, lambda thing, query: all(value in thing for value in query.values if value.attribute != "colour")
    )
    drill = shop.open(1)
    while "colour" not in drill.refused:
        shop.walk(drill, len(drill.walks) + 1)
    shop.walk(drill, len(drill.walks) + 3)
    assert all("colour" not in dict(walk.path) for walk in drill.walks[-3:])
    evidence = drill.evidence()
    assert evidence is not None
    assert len(evidence.draws) < len(drill.walks)


def test_fields_that_many_records_lack_are_not_used() -> None:
    things = [
        (Value("size", SIZES[number % 4]), *([Value("colour", COLOURS[number % 3])] if number % 2 else []))
        for number in range(80)
    ]
    shop = Shop(things)
    for place in range(40):
        shop.take(place)
    drill = shop.open(1)
    shop.walk(drill, 6)
    assert {name for walk in drill.walks for name, _ in walk.path} == {"size"}


def test_what_was_read_to_its_end_is_not_asked_for_again() -> None:
    shop = Shop(build_things(100))
    for colour in COLOURS:
        shop.read_whole(Value("colour", colour))
    drill = shop.open(1, (("colour", COLOURS),))
    shop.walk(drill, 5)
    assert shop.requests == 0
    assert {walk.unseen for walk in drill.walks} == {0}


@pytest.mark.parametrize(
    ("drilled", "is_bounded"),
    [
        (DrillEvidence(((1_000.0, 300.0),) * 8), True),
        (DrillEvidence(((1_000.0, 300.0),) * 8, cut=1), False),
        (DrillEvidence(((1_000.0, 300.0),) * 8, blind=0.8), False),
    ],
    ids=["walks that agree", "one was cut", "most went where nobody was"],
)
def test_an_upper_end_only_where_walks_give_one(drilled: DrillEvidence, *, is_bounded: bool) -> None:
    size = estimate_size(SizeEvidence(300, counted=False, drilled=drilled))
    assert math.isfinite(size.high) == is_bounded
    assert size.size >= 300


def test_too_few_walks_say_nothing() -> None:
    size = estimate_size(SizeEvidence(300, counted=False, drilled=DrillEvidence(((1_000.0, 300.0),) * 3)))
    assert size.method != BY_WALKS
