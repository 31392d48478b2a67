"""Domain statistics: what one source says of another of its kind."""

from __future__ import annotations

import os
import zipfile
from array import array
from pathlib import Path
from random import Random

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.harvester.loop import HarvestedRecords, run_queries
from dowse.model import Record, Value
from dowse.select import SELECTORS, build_selector
from dowse.select.domain import (
    FORMAT,
    MAX_TEXT_CHARS,
    MAX_TRUSTED_VALUES,
    MIN_EXPECTED_RATE,
    NO_TABLE,
    WRITINGS,
    CandidateGroup,
    DomainSelector,
    DomainStatistics,
    DomainTable,
    EstimatorErrors,
    MatchEstimate,
    TableMatch,
    build_table,
    normalise,
    predict_answer,
    read_table,
    save_table,
)
from dowse.select.graph import Graph
from dowse.select.selector import Interface, QueryProgress, Selector, SelectorParts
from tests.select.tabled import Row, Table

RECORDS = [
    Record((Value("actor", "Tom Hanks"), Value("year", "1994"))),
    Record((Value("actor", "Tom Hanks"), Value("actor", "Meg Ryan"), Value("actor", "Meg Ryan"))),
    Record(()),
]


def test_counts_records_of_values() -> None:
    table = build_table(RECORDS)
    assert table.record_count == 3
    found = {table.texts[value]: list(table.records_of(value)) for value in range(table.value_count)}
    assert found == {"Tom Hanks": [0, 1], "1994": [0], "Meg Ryan": [1]}
    assert [table.count(value) for value in range(table.value_count)] == [len(each) for each in found.values()]


def test_leaves_out_what_nobody_asks_for() -> None:
    table = build_table(
        [Record((Value("plot", "x" * (MAX_TEXT_CHARS + 1)), Value("plot", ""), Value("plot", "short")))]
    )
    assert list(table.texts) == ["short"]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.text(max_size=5)), max_size=4), max_size=10))
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, rows: list[list[tuple[str, str]]]) -> None:
    rows = [[(name, text.encode("utf-8", "replace").decode()) for name, text in row] for row in rows]
    table = build_table(Record(tuple(Value(name, text) for name, text in row)) for row in rows)
    path = tmp_path_factory.mktemp("tables") / "films.table"
    save_table(table, path)
    again = read_table(path)
    assert list(again.texts) == list(table.texts)
    assert (again.attributes, again.attribute_of, again.ends, again.postings, again.record_count) == (
        table.attributes, table.attribute_of, table.ends, table.postings, table.record_count,
    )  # fmt: skip


def test_a_table_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        save_table(build_table(RECORDS), tmp_path / "no folder" / "films.table")
    assert not list(tmp_path.iterdir())


GOOD = {"format": FORMAT, "records": 2, "attributes": ["a"], "texts": ["x", "y"]}
BROKEN: dict[str, tuple[dict[str, object], dict[str, bytes]]] = {
    "another format": (GOOD | {"format": "other"}, {}),
    "no number of records": (GOOD | {"records": "2"}, {}),
    "no texts": (GOOD | {"texts": [1, 2]}, {}),
    "a text too long": (GOOD | {"texts": ["x", "y" * (MAX_TEXT_CHARS + 1)]}, {}),
    "parts that do not fit": (GOOD, {"ends.u64": array("Q", [1]).tobytes()}),
    "ends that go back": (GOOD, {"ends.u64": array("Q", [3, 2]).tobytes()}),
    "ends beyond": (GOOD, {"ends.u64": array("Q", [1, 9]).tobytes()}),
    "half a number": (GOOD, {"records.u32": b"\0\0\0"}),
    "a record that is not there": (GOOD, {"records.u32": array("I", [0, 7]).tobytes()}),
    "no attribute": (GOOD, {"attributes.u16": array("H", [0, 1]).tobytes()}),
    "not JSON": (GOOD, {"names.json": b"{"}),
    "a list": (GOOD, {"names.json": b"[]"}),
}
PARTS = {
    "attributes.u16": array("H", [0, 0]).tobytes(),
    "ends.u64": array("Q", [1, 2]).tobytes(),
    "records.u32": array("I", [0, 1]).tobytes(),
}


def write(path: Path, names: dict[str, object], parts: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in ({"names.json": orjson.dumps(names)} | PARTS | parts).items():
            packed.writestr(name, text)
    return path


def test_the_parts_alone_are_a_table(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "t", GOOD, {}))
    assert table == DomainTable(("a",), ["x", "y"], array("H", [0, 0]), array("Q", [1, 2]), array("I", [0, 1]), 2)


@pytest.mark.parametrize(("names", "parts"), BROKEN.values(), ids=BROKEN)
def test_a_broken_table_is_one_line(tmp_path: Path, names: dict[str, object], parts: dict[str, bytes]) -> None:
    with pytest.raises(BadInput, match="is not a domain table") as raised:
        read_table(write(tmp_path / "t", names, parts))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "content", [b"", b"PK\x05\x06", b"not a zip" * 99, os.urandom(500)], ids=["empty", "short", "text", "noise"]
)
def test_what_is_no_archive_is_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="is not a domain table"):
        read_table(path)


def test_a_table_of_an_earlier_version_of_the_program_is_read() -> None:
    table = read_table(Path(__file__).parent / "old" / "films-1.table")
    assert (table.record_count, sorted(table.attributes)) == (6, ["cast", "title", "year"])
    values = dict(zip(table.texts, range(table.value_count), strict=True))
    assert [table.count(values[text]) for text in ("Tom Hanks", "Märta Holm", "1990", "Film 5")] == [3, 3, 2, 1]
    assert table.records_of(values["Märta Holm"]).tolist() == [0, 2, 4]


def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        read_table(tmp_path / "nothing")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_damaged_table_is_one_line_or_right(
    tmp_path_factory: pytest.TempPathFactory, place: int, change: int
) -> None:
    path = tmp_path_factory.mktemp("tables") / "t"
    save_table(build_table(RECORDS), path)
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= change
    path.write_bytes(content)
    try:
        told = f"{read_table(path).record_count} records"
    except BadInput as error:
        told = str(error)
    assert "\n" not in told


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tom Hanks", "Hanks, Tom"),
        ("TOM  HANKS", "tom hanks"),
        ("Curaçao", "Curacao"),
        ("Straße", "STRASSE"),
        ("J.R.R. Tolkien", "Tolkien, J. R. R."),
    ],
)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(("one", "other"), [("1994", "1995"), ("Tom Hanks", "Tim Hanks"), ("C", "C2")])
def test_not_the_same(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(st.text(max_size=400))
def test_what_is_the_same_stays_the_same(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)
    for write in WRITINGS.values():
        assert isinstance(write(text), str)


@pytest.mark.parametrize(
    ("way", "text", "written"),
    [
        ("given name first", "Hanks, Tom", "Tom Hanks"),
        ("given name first", "Cher", "Cher"),
        ("family name first", "Tom Hanks", "Hanks, Tom"),
        ("family name first", "Cher", "Cher"),
    ],
)
def test_writings(way: str, text: str, written: str) -> None:
    assert WRITINGS[way](text) == written


PEOPLE = ["Hanks, Tom", "Ryan, Meg", "Foster, Jodie", "Reno, Jean", "Ford, Harrison"]
TABLE = build_table(
    Record((Value("actor name", name), Value("year", str(1990 + place)), Value("length", str(100 + place))))
    for place, name in enumerate(PEOPLE)
)


def met(*values: tuple[str, str]) -> TableMatch:
    match = TableMatch(TABLE)
    for attribute, text in values:
        match.compare_value(attribute, text)
    return match


def names(match: TableMatch, attribute: str) -> list[str]:
    return [TABLE.attributes[place] for place in match.match(attribute)]


def test_attributes_of_other_names_are_found_by_their_values() -> None:
    match = met(("cast", "Tom Hanks"), ("cast", "Meg Ryan"), ("cast", "Jodie Foster"))
    assert names(match, "cast") == ["actor name"]


def test_values_are_written_as_the_source_writes_them() -> None:
    match = met(("cast", "Tom Hanks"), ("cast", "Meg Ryan"), ("cast", "Jodie Foster"))
    reno = list(TABLE.texts).index("Reno, Jean")
    assert match.write("cast", reno) == "Jean Reno"
    assert match.write("unknown", reno) == "Reno, Jean"


def test_one_name_is_enough_until_values_differ() -> None:
    assert names(met(), "year") == ["year"]
    assert names(met(*[("year", str(number)) for number in range(MAX_TRUSTED_VALUES)]), "year") == []


def test_a_few_values_in_common_by_chance_are_not_enough() -> None:
    assert names(met(("size", "100"), ("size", "101")), "size") == []
    assert names(met(*[("size", str(number)) for number in range(103)]), "size") == []


def test_the_user_knows_better() -> None:
    match = TableMatch(TABLE, {"size": ["length"], "year": []})
    assert names(match, "size") == ["length"]
    assert names(match, "year") == []


def test_the_hit_rate_is_the_part_that_the_table_has() -> None:
    match = met(*[("year", str(1985 + number)) for number in range(10)])
    assert match.hit_rate("year", match.match("year")) == (5 + 1) / (10 + 2)


STATISTICS_TABLE = build_table(
    Record((Value("a", "even" if number % 2 else "odd"), Value("b", str(number // 10)))) for number in range(100)
)


def value(text: str) -> int:
    return list(STATISTICS_TABLE.texts).index(text)


def test_the_union_grows_by_what_is_new() -> None:
    statistics = DomainStatistics(STATISTICS_TABLE)
    statistics.cover([value("odd")])
    assert statistics.part == 0.5
    statistics.cover([value("3")])
    assert statistics.part == 0.55
    statistics.cover([value("3"), value("odd")])
    assert statistics.covered_count == 55


def test_estimates_scale_with_what_was_harvested() -> None:
    """Eq. 4.2: a query that half of the domain matches drew 300 records; so a tenth of the domain has 60."""
    statistics = DomainStatistics(STATISTICS_TABLE)
    assert statistics.estimate(10) == 10, "nothing asked, nothing known"
    statistics.cover([value("odd")])
    statistics.local = 300
    assert statistics.estimate(10) == pytest.approx(60)


def test_records_outside_the_table_smooth_the_estimate() -> None:
    """Eq. 4.3: |Delta DM| + |DM| in the denominator."""
    statistics = DomainStatistics(STATISTICS_TABLE)
    statistics.cover([value("odd")])
    statistics.local, statistics.outside = 300, 300
    assert statistics.estimate(10) == pytest.approx(15)


@pytest.mark.parametrize(
    ("interface", "matches", "known", "new", "requests"),
    [
        (Interface(), 95, 0, 95, 10),
        (Interface(), 95, 85, 10, 10),
        (Interface(), 3, 0, 3, 1),
        (Interface(), 20, 50, MIN_EXPECTED_RATE * 5, 5),
        (Interface(limit=20), 100, 50, 10, 2),
        (Interface(page_size=50), 95, 0, 95, 2),
    ],
    ids=["Definition 2.3", "most known", "one page", "more than predicted", "limited", "other pages"],
)
def test_foretells_new_records_and_requests(
    interface: Interface, matches: float, known: int, new: float, requests: int
) -> None:
    assert predict_answer(interface, matches, known) == (pytest.approx(new), requests)


INTERFACE = Interface(("cast", "year"), page_size=10)


def films(count: int, seed: int) -> list[Row]:
    """Make films of the same few hundred actors, popular ones in many."""
    rng = Random(seed)
    return [
        {
            "cast": "|".join(
                sorted({f"Given{n} Name{n}" for n in (int(rng.paretovariate(0.7)) % 300, rng.randrange(300))})
            ),
            "year": str(1950 + int(rng.triangular(0, 60, 50))),
        }
        for _ in range(count)
    ]


def write_kin(rows: list[Row]) -> list[Record]:
    """Write films as another source does: other names for attributes, family names first."""
    return [
        Record(
            (
                *(Value("actor", ", ".join(reversed(name.split()))) for name in row["cast"].split("|")),
                Value("released", row["year"]),
            )
        )
        for row in rows
    ]


TARGET = Table(films(2000, seed=1), INTERFACE, page_size=10)
KIN = build_table(write_kin(films(3000, seed=2)))


async def draw_to(selector: Selector, graph: Graph, table: Table, share: float) -> int:
    selector.seed([table.record(0).values[0]])
    harvested = HarvestedRecords(graph)
    async for _ in run_queries(table.ask, selector, harvested, lambda record: record.values):
        if graph.record_count >= share * len(table.rows):
            break
    assert graph.record_count >= share * len(table.rows)
    return harvested.requests


async def test_needs_fewer_requests_than_greedy() -> None:
    graphs = Graph(), Graph()
    greedy = await draw_to(SELECTORS["greedy"](SelectorParts(graphs[0], INTERFACE, Random(1))), graphs[0], TARGET, 0.8)
    domain = DomainSelector(SelectorParts(graphs[1], INTERFACE, Random(1)), KIN)
    least = 0.8 * len(TARGET.rows) / INTERFACE.page_size  # no selector can do with fewer
    assert await draw_to(domain, graphs[1], TARGET, 0.8) - least <= 0.3 * (greedy - least)
    assert {name: [KIN.attributes[place] for place in places] for name, places in domain.places.items()} == {
        "cast": ["actor"],
        "year": ["released"],
    }


async def test_reaches_islands_that_no_record_leads_to() -> None:
    """The limited pool of candidates: Section 4, Limitation 2."""
    rows: list[Row] = [{"cast": f"A{number % 5} B"} for number in range(50)] + [
        {"cast": f"C{n % 9} D"} for n in range(90)
    ]
    table = Table(rows, Interface(("cast",), page_size=10), page_size=10)
    kin = build_table(Record((Value("cast", row["cast"]), Value("set", "x"))) for row in rows)
    graph = Graph()
    await draw_to(DomainSelector(SelectorParts(graph, table.interface, Random(1)), kin), graph, table, 1.0)


async def draw_twice(strange: DomainTable) -> list[int]:
    """Return the requests to 90 % without a table and with one."""
    return [
        await draw_to(DomainSelector(SelectorParts(graph := Graph(), INTERFACE, Random(1)), table), graph, TARGET, 0.9)
        for table in (NO_TABLE, strange)
    ]


async def test_a_table_with_nothing_in_common_costs_nothing() -> None:
    none, misfit = await draw_twice(
        build_table(Record((Value("gene", f"g{number}"), Value("tissue", f"t{number % 9}"))) for number in range(2000))
    )
    assert misfit == none


async def test_a_table_with_other_frequencies_costs_what_it_takes_to_find_out() -> None:
    """Ten requests here; on real databases two in a hundred, which the bench measures."""
    none, misfit = await draw_twice(
        build_table(
            Record((Value("cast", f"Given{number % 300} Name{number % 300}"), Value("year", str(1950 + number % 7))))
            for number in range(2000)
        )
    )
    assert misfit <= 1.05 * none


def test_estimates_are_mixed_by_their_precision() -> None:
    errors = EstimatorErrors()
    good, bad = (
        MatchEstimate(CandidateGroup(kind, "cast", 3), many, many) for kind, many in (("seen", 10.0), ("met", 1000.0))
    )
    assert errors.mix([good]) == 10.0
    assert errors.mix([good, bad]) == pytest.approx((10.5 * 1000.5) ** 0.5 - 0.5), "equal before experience"
    for _ in range(50):
        errors.add(good, 10)
        errors.add(bad, 10)
    assert errors.variance(good.group) < 0.2 < errors.variance(bad.group)
    assert errors.mix([good, bad]) < 12


def test_misses_lower_what_is_expected_of_the_table() -> None:
    graph = Graph()
    domain = DomainSelector(SelectorParts(graph, Interface(("actor",)), Random(1)), KIN)
    first = domain.choose()
    assert first is not None
    group = domain.choice and domain.choice.group
    assert isinstance(group, CandidateGroup)
    before = domain._correction(group)
    for _ in range(5):
        domain.learn(QueryProgress(first, graph.find(first.values[0]) or 0, pages=1, total=0))
        first = domain.choose()
        assert first is not None
    assert domain._correction(group) < before / 2


def test_is_built_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "films.table"
    save_table(KIN, path)
    selector = build_selector("domain", SelectorParts(Graph(), INTERFACE, Random(1)), str(path))
    assert isinstance(selector, DomainSelector)
    assert selector.table.value_count == KIN.value_count
