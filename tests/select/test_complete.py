"""Everything is harvested, with a reason, or it is said what is not."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.model import Query, Value
from dowse.select.certificate import check_certificate
from dowse.select.complete import CompleteSelector
from dowse.select.graph import Graph
from dowse.select.selector import Interface, SelectorParts, Span
from tests.select.tabled import Row, Run, Table, draw_table, go_on

COLOURS = ("red", "green", "blue", "grey")
SHAPES = tuple(f"shape {number}" for number in range(12))
FORM = Interface(
    choices=(("colour", COLOURS), ("shape", SHAPES)), spans=(Span("year"), Span("price")), joins=True, blank=True
)


def rows(count: int, seed: int = 1) -> list[Row]:
    """Return rows that tell no more than their columns do."""
    rng = Random(seed)
    return [
        {
            "colour": rng.choice(COLOURS), "shape": rng.choice(SHAPES),
            "year": str(rng.randrange(1950, 2020)), "price": f"{rng.lognormvariate(2, 1):.2f}", "name": f"n{number}",
        }
        for number in range(count)
    ]  # fmt: skip


def form(*names: str, blank: bool = True, joins: bool = True, limit: int = 0) -> Interface:
    """Return a form with some of the columns."""
    return Interface(
        choices=tuple(each for each in FORM.choices if each[0] in names),
        spans=tuple(span for span in FORM.spans if span.attribute in names), blank=blank, joins=joins, limit=limit,
    )  # fmt: skip


@pytest.mark.parametrize("limit", [5, 20, 100])
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("year", "price"), id="numbers"),
        pytest.param(("price",), id="one number with decimals"),
        pytest.param(("colour", "shape", "year", "price"), id="mixed"),
        pytest.param(("colour", "price"), id="one choice and a number"),
    ],
)
async def test_all_is_harvested_and_proven(names: tuple[str, ...], limit: int) -> None:
    run = await draw_table(Table(rows(600), form(*names), limit=limit))
    assert run.records == 600
    assert run.selector.verdict().yes, run.selector.verdict()
    assert run.harvested.queries <= 2.5 * len(names) * 600 / limit + 16


async def test_choices_alone() -> None:
    run = await draw_table(Table(rows(400), form("colour", "shape"), limit=20))
    assert run.records == 400
    assert run.selector.verdict().yes


@pytest.mark.parametrize("counts", ["none", "rough"])
async def test_without_a_true_count_it_says_what_the_proof_rests_on(counts: str) -> None:
    run = await draw_table(Table(rows(600), form("year", "price"), limit=20, counts=counts))
    assert run.records == 600
    verdict = run.selector.verdict()
    assert not verdict.yes
    assert "every record has a value of" in verdict.reason


async def test_without_a_limit_one_query_is_enough() -> None:
    run = await draw_table(Table(rows(60), form("year", "colour")))
    assert (run.records, run.harvested.queries) == (60, 1)
    assert run.selector.verdict().yes


async def test_without_a_blank_query_choices_cover_what_has_them() -> None:
    run = await draw_table(Table(rows(60), form("colour", blank=False)))
    assert (run.records, run.harvested.queries) == (60, len(COLOURS))
    assert run.selector.verdict().reason == "complete only if every record has a value of colour, which no count shows"


async def test_a_choice_for_none_makes_it_whole() -> None:
    face = Interface(choices=(("colour", (*COLOURS, "none")),))
    run = await draw_table(Table(rows(60), face))
    assert run.selector.verdict().yes


async def test_free_text_proves_nothing() -> None:
    run = await draw_table(Table(rows(60), Interface(attributes=("author",))))
    assert run.harvested.queries == 0
    assert run.selector.verdict().reason == "author is free text"


async def test_a_limit_that_nobody_told_of_is_found() -> None:
    run = await draw_table(Table(rows(300), form("year", "price"), limit=20, says_limit=False))
    assert run.records == 300
    assert run.selector.result_cap.limit == 20
    assert run.selector.verdict().yes


async def test_an_answer_that_ends_at_a_round_number_is_not_trusted() -> None:
    run = await draw_table(Table(rows(300), form("year", "price"), limit=100, says_limit=False, counts="none"))
    assert run.records == 300
    assert run.selector.result_cap.limit == 100


async def test_counts_that_are_wrong_prove_nothing() -> None:
    run = await draw_table(Table(rows(600), form("year", "price"), limit=20, counts="wrong"))
    assert run.records == 600
    assert run.selector.result_cap.untrue_count
    assert not run.selector.verdict().yes


async def test_records_that_lack_the_attribute_are_found_by_another() -> None:
    table = Table(
        [row | ({"price": ""} if number % 3 == 0 else {}) for number, row in enumerate(rows(600))], FORM, limit=20
    )
    run = await draw_table(table)
    assert run.records == 600
    assert run.selector.verdict().yes


async def test_what_no_query_tells_apart_is_said() -> None:
    same = [{"colour": "red", "year": "1990"} for _ in range(50)]
    run = await draw_table(Table([*rows(200), *same], form("colour", "year"), limit=20))
    assert run.records == 250 - 30
    verdict = run.selector.verdict()
    assert not verdict.yes
    assert "colour=red" in verdict.reason
    assert "no query tells the others apart" in verdict.reason
    assert "30 records are left" in verdict.reason


async def test_records_that_do_not_show_what_is_asked_for() -> None:
    run = await draw_table(Table(rows(400), form("year", "colour"), limit=40, hides=("year", "colour")))
    assert run.records == 400
    assert run.selector.verdict().yes


async def test_several_values_of_one_attribute() -> None:
    several = [row | {"shape": f"{row['shape']}|{SHAPES[number % 12]}"} for number, row in enumerate(rows(400))]
    run = await draw_table(Table(several, form("shape", "year"), limit=20))
    assert run.records == 400
    assert run.selector.verdict().yes


async def test_dates() -> None:
    rng = Random(3)
    days = [
        {"day": f"{rng.randrange(2000, 2024)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"} for _ in range(300)
    ]
    run = await draw_table(Table(days, Interface(spans=(Span("day", "date"),), blank=True), limit=20))
    assert run.records == 300
    assert run.selector.verdict().yes


@pytest.mark.parametrize("counts", ["exact", "none"])
async def test_ends_that_can_only_be_chosen(counts: str) -> None:
    steps = tuple(str(year) for year in range(1955, 2016, 5))
    face = Interface(spans=(Span("year", steps=steps),), blank=True)
    table = Table(rows(300), face, limit=60, counts=counts)
    run = await draw_table(table)
    assert run.records == 300
    ends = {end for query, _ in table.asked for each in query.ranges for end in (each.low, each.high)}
    assert ends <= {*steps, ""}


async def test_one_condition_at_a_time() -> None:
    table = Table(rows(300), form("year", "colour", joins=False), limit=20)
    run = await draw_table(table)
    assert run.records == 300
    assert all(len(query.values) + len(query.ranges) <= 1 for query, _ in table.asked)
    assert run.selector.verdict().yes


async def test_what_must_be_given_is_always_given() -> None:
    face = Interface(choices=FORM.choices, spans=FORM.spans, joins=True, required=("colour",))
    table = Table(rows(300), face, limit=20)
    run = await draw_table(table)
    assert run.records == 300
    assert all(any(value.attribute == "colour" for value in query.values) for query, _ in table.asked)


async def test_finer_values_than_it_seemed_are_asked_for() -> None:
    whole = [{"price": str(number)} for number in range(100)]
    fine = [{"price": f"{number}.5"} for number in range(60, 99)]
    run = await draw_table(Table([*whole, *fine], form("price"), limit=10, counts="none"))
    assert run.records == len(whole) + len(fine)


@pytest.mark.parametrize(("times", "records"), [(1, 60), (9, 0)], ids=["once", "always"])
async def test_a_failure_is_tried_again_and_then_told(times: int, records: int) -> None:
    run = await draw_table(Table(rows(60), form("colour"), failing={Query(): times}))
    assert run.records == records
    assert run.selector.verdict().yes == bool(records)
    assert bool(records) or "not answered: timed out" in run.selector.verdict().reason


async def test_a_source_that_does_not_keep_to_ranges_is_left() -> None:
    class Deaf(Table):
        def match(self, query: Query) -> list[int]:
            return super().match(Query(query.values))

    table = Deaf(rows(300), form("year", "colour"), limit=20)
    run = await draw_table(table)
    assert len(table.asked) < 400
    assert not run.selector.verdict().yes


@pytest.mark.parametrize("counts", ["exact", "none"])
@pytest.mark.parametrize("stop", [1, 7, 40])
async def test_a_run_that_was_killed_goes_on_where_it_was(counts: str, stop: int) -> None:
    whole = await draw_table(Table(rows(400), FORM, limit=10, counts=counts))
    table = Table(rows(400), FORM, limit=10, counts=counts)
    half = await draw_table(table, queries=stop)
    again = Run(
        CompleteSelector(SelectorParts(half.harvested.graph, table.interface, Random(2))),
        half.harvested,
        list(half.learned),
    )
    for asked in half.learned:
        again.selector.learn(asked)
    await go_on(again, table)
    assert again.records == 400
    assert again.harvested.requests == whole.harvested.requests
    assert len(set(table.asked)) == len(table.asked)


async def test_what_others_asked_is_not_asked_again() -> None:
    table = Table(rows(200), form("colour", "year", blank=False), limit=100)
    first = await draw_table(table)
    graph = first.harvested.graph
    again = CompleteSelector(SelectorParts(graph, table.interface, Random(1)))
    for asked in reversed(first.learned):
        again.learn(asked)
    assert again.choose() is None


def test_nothing_is_asked_for_values_that_come_from_elsewhere() -> None:
    selector = CompleteSelector(SelectorParts(Graph(), Interface(attributes=("name",)), Random(1)))
    selector.seed([Value("name", "n1")])
    assert selector.choose() is None


@settings(max_examples=40, deadline=None)
@given(
    table=st.lists(
        st.fixed_dictionaries(
            {
                "colour": st.sampled_from(["", "red", "green", "red|green"]),
                "year": st.sampled_from(["", *map(str, range(1990, 2000))]),
            }
        ),
        max_size=60,
    ),
    limit=st.integers(1, 12),
    counts=st.sampled_from(["exact", "none", "rough", "wrong"]),
    blank=st.booleans(),
    joins=st.booleans(),
    page_size=st.integers(1, 6),
)
async def test_a_yes_is_always_true(
    table: list[Row], limit: int, counts: str, blank: bool, joins: bool, page_size: int
) -> None:
    """Whatever the table and the form: it ends, and what it calls everything is everything."""
    source = Table(
        table, form("colour", "year", blank=blank, joins=joins), limit=limit, page_size=page_size, counts=counts
    )
    run = await draw_table(source)
    assert not run.selector.stack or run.selector.given_up
    if run.selector.verdict().yes:
        assert run.records == len(table)
    assert run.selector.verdict() == check_certificate(run.selector.certificate("now")) or run.selector.given_up
