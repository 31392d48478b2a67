"""The figures of paper 1 are counted right: small cases by hand, small worlds of family A."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvloop

pytest.importorskip("scipy")

import bench.paper1 as paper1
from bench.install import Missing
from bench.options import Options
from bench.paper1 import cost, crawls, finder, local, real, sites, trials, wide, windows, workers
from bench.paper1.facts import ADAPTIVE, EXTENTS, FIG18, LOCAL, ORDERS, OURS, PAPER, WIDE, Plan
from bench.paper1.tables import write_tables, write_times
from bench.paper1.workers import Task
from bench.places import FLOORS
from dowse.crawl.site import search_site
from dowse.model import Link, SeenOnSite, Visit
from dowse.sample.record import WHOLE, record_site
from dowse.sim import World
from dowse.step.visit import visit
from dowse.strategy import SITE_STRATEGIES, build_strategy
from dowse.yields import SiteYield

TINY = Task("A", 1, 40, (3, 4, 5, 6, 7, 8), 40, LOCAL)


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return [row for row in sites.survey_sites(TINY) if not row["error"]]


# a recorded site


def test_depths_add_up_to_what_exhaustive_search_found(rows: list[dict[str, Any]]) -> None:
    assert rows
    for row in rows:
        assert sum(row["depths"]["query forms"]) == row["yields"][WHOLE]["forms"]
        assert 0 < sum(row["depths"]["pages"]) <= row["yields"][WHOLE]["pages"]
        assert row["depths"]["pages"][0] >= 1


def test_other_sites_lie_where_the_first_page_leads_there() -> None:
    world = TINY.world()
    recording = uvloop.run(
        record_site(workers.seed_of(world, 0), search_site, workers.open_fetch(world), site_pages=30)
    )
    counted = sites.count_depths(recording)["other sites"]
    assert sum(counted) == len(recording.search.neighbours) > 0


def test_a_strategy_gives_no_more_than_exhaustive_search(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        whole = row["yields"][WHOLE]
        assert all(one["forms"] <= whole["forms"] and one["pages"] <= 40 for one in row["yields"].values())
        assert row["yields"]["exhaustive:0"]["pages"] == 1
        assert whole["right"] <= whole["reachable"]
        assert whole["right"] + whole["wrong"] <= whole["forms"]


def test_strategies_for_sites_can_be_replayed_too() -> None:
    world = TINY.world()
    recording = uvloop.run(
        record_site(workers.seed_of(world, 0), search_site, workers.open_fetch(world), site_pages=40)
    )
    few, all_of_it = (
        sites.replay(recording, build_strategy(name, SITE_STRATEGIES), 40)
        for name in ("adaptive:10,2,0", "exhaustive:10")
    )
    assert few.pages < all_of_it.pages == len(recording.search.visits)
    assert set(few.search.neighbours) <= set(all_of_it.search.neighbours) == set(recording.search.neighbours)


# what is made of them


def strategies(harvest: dict[str, float], coverage: dict[str, float]) -> dict[str, Any]:
    """Return a table of strategies with the same figures by site and over all."""
    return {
        name: {f"{way}{figure}": {"value": some[name]} for way in ("site ", "") for figure, some in (("harvest", harvest), ("coverage", coverage))}
        for name in harvest
    }  # fmt: skip


HARVEST = {"exhaustive:10": 0.1, "exhaustive:3": 0.2, "navmenu:10": 0.3, "navmenu:3": 0.4, "exhaustive:0": 0.9}
COVERAGE = {"exhaustive:10": 1.0, "exhaustive:3": 0.9, "navmenu:10": 0.7, "navmenu:3": 0.6, "exhaustive:0": 0.3}
OTHERS = {"tagpath": 0.25, "learned": 0.8}


@pytest.mark.parametrize(
    ("changed", "harvest_order", "coverage_order"),
    [({}, 1.0, 1.0), ({"navmenu:3": 0.3}, 0.0, 1.0), ({"exhaustive:0": 0.15}, 0.0, 1.0)],
    ids=["as in the paper", "two alike", "the last is not the highest"],
)
def test_the_order_of_the_paper_is_strict(
    changed: dict[str, float], harvest_order: float, coverage_order: float
) -> None:
    found = local.judge(strategies(HARVEST | OTHERS | changed, COVERAGE | OTHERS))
    assert found["harvest in the order of Fig. 17"] == harvest_order
    assert found["coverage in the order of Fig. 17"] == coverage_order


def test_ours_is_compared_with_the_best_of_the_others() -> None:
    found = local.judge(strategies(HARVEST | OTHERS, COVERAGE | OTHERS))
    assert found["site harvest of navmenu:3 over exhaustive:3"] == pytest.approx(2)
    assert found["harvest of ours over exhaustive:3"] == pytest.approx(4)
    assert found["harvest of ours over the best rival"] == pytest.approx(0.8 / 0.4)
    assert found["coverage of ours over the best rival"] == pytest.approx(0.8 / 0.7)


def test_the_table_sums_up_what_the_sites_gave(rows: list[dict[str, Any]]) -> None:
    table = local.sum_up(rows, LOCAL, "forms")
    pages = sum(row["yields"]["exhaustive:3"]["pages"] for row in rows)
    assert table["exhaustive:3"]["pages"] == pages
    assert table["exhaustive:3"]["harvest"]["value"] == pytest.approx(table["exhaustive:3"]["forms"] / pages)
    assert table[WHOLE]["coverage"]["value"] == 1.0


def test_nineteen_of_twenty_trials_are_inside() -> None:
    yields = [SiteYield(pages=10, forms=number % 7, total=6) for number in range(200)]
    found = trials.try_often(yields, 400, 60, seed=1)
    for figure in ("harvest", "coverage"):
        assert 0.92 <= found[figure]["inside"] <= 0.98
        assert 0.90 <= found[figure]["holding"] <= 0.98
        assert sum(found[figure]["histogram"]["counts"]) == 400
    assert found["harvest"]["mean"] == pytest.approx(sum(each.harvest for each in yields) / 200)


def test_sites_without_a_form_have_no_coverage() -> None:
    found = trials.try_often([SiteYield(5, 0, 0), SiteYield(5, 1, 2), SiteYield(5, 2, 2)], 10, 5, seed=1)
    assert found["coverage"]["mean"] == pytest.approx(0.75)


# curves


@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 1000, 1001])
def test_a_thin_curve_is_short_and_ends_where_it_ended(count: int) -> None:
    points = [(place, place) for place in range(count)]
    kept = workers.thin(points)
    assert len(kept) <= 100
    assert kept[-1:] == points[-1:]
    assert kept == sorted(kept)


def test_of_points_at_one_place_the_last_is_kept() -> None:
    assert workers.thin([(1, 0), (1, 5), (2, 6)]) == [(1, 5), (2, 6)]


def test_totals_and_swing() -> None:
    added = wide.add_up([(10, 1, 0), (10, 1, 2), (10, 4, 0), (10, 2, 1)])
    assert added["missing"] == 3
    assert (added["pages"], added["forms"], added["harvest"]) == (40, 8, 0.2)
    assert added["points"][-1] == (4, 40, 8)
    assert wide.measure_swing(added["points"], after=0.5) == pytest.approx(0.5)  # 0.1 after two sites, 0.2 in the end
    assert wide.measure_swing(added["points"], after=1.0) == 0


def test_what_is_replayed_over_the_widest_search_is_what_a_live_one_gives() -> None:
    task = Task("A", 1, 40, tuple(range(3, 15)), 60, FIG18)
    replayed, live = wide.record_pieces(task), wide.search_pieces(task)
    assert replayed == live
    assert sum(forms for _, forms, _ in live["navmenu:10"]) > 0


def test_a_long_search_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide, "PIECE", 4)
    seconds = iter([0, 0, 1, 5, 6, 11, 12])
    monkeypatch.setattr(wide.time, "process_time", lambda: next(seconds))
    plan = Plan("A", 1, replace(EXTENTS["tiny"], wide_seconds=10))
    found = wide.run_wide(plan, lambda words: None)
    assert (found["sites"], found["of"]) == (8, 24)
    assert {name: one["points"][-1][0] for name, one in found["strategies"].items()} == dict.fromkeys(FIG18, 8)


def test_ours_searches_the_first_of_the_same_sites() -> None:
    plan = Plan("A", 1, EXTENTS["tiny"])
    ours, theirs = wide.make_tasks(plan, 12, (OURS,)), wide.make_tasks(plan, 24, FIG18)
    assert [index for task in theirs for index in task.indexes][:12] == [
        index for task in ours for index in task.indexes
    ]


# false positives


def test_what_is_no_query_form_or_was_found_before_is_counted_where_it_was_found(rows: list[dict[str, Any]]) -> None:
    claims = local.sum_claims(rows)
    whole = [row["yields"][WHOLE] for row in rows]
    assert sum(claims["taken for one"]) == sum(each["forms"] for each in whole) > 0
    assert sum(claims["no query form"]) == sum(each["no query form"] for each in whole)
    table = local.sum_up(rows, LOCAL, "forms")
    for one in table.values():
        assert 0 <= one["share no query form"] + one["share found before"] <= 1


def test_a_form_is_judged_by_the_truth() -> None:
    world = World(1, 60)
    index = next(each for each in range(60) if any(form.kind == "database" for form in world.site(each).forms))
    truth = world.site(index)
    form = next(form for form in truth.forms if form.kind == "database" and not form.same_as)

    def door(action: str, depth: int, kind: str = "database") -> Any:
        fields = [SimpleNamespace(name=name) for name in form.fields]
        return SimpleNamespace(
            judgement=SimpleNamespace(kind=kind), form=SimpleNamespace(action=action, fields=fields), depth=depth
        )

    other = "http://elsewhere.example/"
    doors = [door(form.action, 1), door(form.action, 2), door(other, 2), door(other, 40), door(other, 0, "login")]
    claims = sites.judge_claims(truth, doors)
    assert claims["taken for one"] == [0, 1, 2, *[0] * 7, 1]
    assert claims["no query form"] == [0, 0, 1, *[0] * 7, 1]
    assert claims["found before"] == [0, 0, 1, *[0] * 8]


# parameters


@pytest.mark.parametrize(
    ("tight", "loose", "step"),
    [
        ("adaptive:5,5,0", "adaptive:2,5,0", True),
        ("adaptive:5,2,0", "adaptive:5,10,0", True),
        ("adaptive:5,5,0", "adaptive:5,5,0.1", True),
        ("adaptive:5,5,0", "adaptive:10,5,0", False),
        ("adaptive:5,5,0", "adaptive:2,10,0", False),
        ("adaptive:5,5,0", "adaptive:5,5,0", False),
    ],
    ids=["smaller T", "larger S", "larger p", "larger T", "two at once", "the same"],
)
def test_a_step_allows_more_pages_by_one_parameter(tight: str, loose: str, step: bool) -> None:
    assert windows.is_step(tight, loose) is step


def test_a_trend_is_the_part_of_steps_that_have_it() -> None:
    def given(name: str) -> dict[str, Any]:
        t, s, p = windows.read_setting(name)
        return {"harvest": {"value": t - s - 10 * p}, "coverage": {"value": s}}  # coverage does not hear of T and p

    settings = {name: given(name) for name in ADAPTIVE}
    assert windows.count_trend(settings) == {"coverage": 1.0, "harvest": 1.0}
    settings["adaptive:5,5,0"]["harvest"]["value"] = -100
    assert windows.count_trend(settings)["harvest"] < 1.0


@pytest.mark.parametrize(("outlinks", "trades"), [("few", False), ("many", True)])
def test_in_a_world_of_many_links_pages_saved_are_sites_lost(outlinks: str, trades: bool) -> None:
    task = Task("A", 1, 3000, site_pages=300, strategies=("adaptive:2,10,0", "adaptive:10,2,0"), outlinks=outlinks)
    rows = windows.explore_pieces(replace(task, indexes=tuple(range(10, 40))))
    wide_open, tight = (windows.sum_up(rows, name) for name in task.strategies)
    assert wide_open["harvest"]["value"] < tight["harvest"]["value"]
    assert (wide_open["coverage"]["value"] > tight["coverage"]["value"] + 0.05) is trades


def test_how_far_settings_lie_apart() -> None:
    settings = {name: {"harvest": {"value": 0.5}, "coverage": {"value": 0.8}} for name in ADAPTIVE}
    settings[ADAPTIVE[3]] = {"harvest": {"value": 2.0}, "coverage": {"value": 0.6}}
    assert windows.measure_range(settings) == {
        "highest over lowest harvest": 4.0,
        "highest less lowest coverage": pytest.approx(0.2),
    }


def test_the_parameters_are_those_of_the_paper() -> None:
    assert len(set(ADAPTIVE)) == 27
    assert [build_strategy(name, SITE_STRATEGIES) for name in ADAPTIVE]
    assert [build_strategy(name) for name in (*LOCAL, *WIDE)]


# crawls


def test_a_crawl_without_a_form_is_taken_to_have_found_one() -> None:
    ways = {name: {"pages": 100, "forms": 20, "harvest": 0.2} for name in WIDE}
    ways |= {order: {"pages": 100, "forms": 4, "harvest": 0.04} for order in ORDERS}
    ways["depth"] = {"pages": 100, "forms": 0, "harvest": 0.0}
    assert crawls.find_best(ways) == 0.2
    assert crawls.compare(ways, 0.2) == {
        "breadth": pytest.approx(5),
        "depth": pytest.approx(20),
        "random": pytest.approx(5),
    }
    named = paper1.list_ratios(
        {"crawls": {"ways": ways}, "wide": {"sites": 9, "strategies": {name: {"harvest": 0.4} for name in FIG18}}}
    )
    assert named["over breadth"] == pytest.approx(5)
    assert named["Form Finder alone over breadth"] == pytest.approx(10)


@pytest.mark.parametrize("way", ["exhaustive:0", "breadth"])
def test_a_crawl_keeps_to_its_pages(way: str) -> None:
    found = crawls.crawl(Task("A", 1, 200, tuple(range(3, 13)), strategies=(way,), pages=30))
    assert 0 < found["pages"] <= 30
    assert found["points"][-1] == (found["pages"], found["forms"])


def test_sites_are_found_from_seeds() -> None:
    found = finder.find_sites(Task("A", 1, 300, tuple(range(3, 13)), strategies=(finder.FINDER,), found=10))
    assert found["found"] >= 10
    assert found["harvest"] == found["found"] / found["pages"]


def test_seeds_answer_and_are_no_hubs() -> None:
    world = TINY.world()
    picked = workers.pick_seeds(world, 10, seed=1)
    assert len(set(picked)) == 10
    assert min(picked) >= 3
    assert all(world.site(index).reachable for index in picked)
    assert picked != workers.pick_seeds(world, 10, seed=2)


# kept sites


PAGES = {"http://a.example/x/": b"", "http://a.example/x/y.html": b""}


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (b'<a href="y.html">', b'<a href="y.html">'),
        (b'<a href="gone.html">', b'<a data-dead="gone.html">'),
        (b"<a HREF=gone.html>", b"<a data-dead=gone.html>"),
        (b"<a href='/x/#top'>", b"<a href='/x/#top'>"),
        (b'<a href="http://b.example/gone">', b'<a href="http://b.example/gone">'),
        (b'<frame src="gone.html">', b'<frame data-dead="gone.html">'),
        (b'<a href="mailto:a@b.example">', b'<a href="mailto:a@b.example">'),
    ],
    ids=["kept", "not kept", "no quotes", "fragment", "another site", "frame", "no page"],
)
def test_links_to_pages_that_were_not_kept_lead_nowhere(body: bytes, shown: bytes) -> None:
    assert real.strip_dead(body, "http://a.example/x/", PAGES) == shown


def test_a_search_begins_at_the_root_or_the_shortest_address() -> None:
    assert real.find_entrance(PAGES).entrance == "http://a.example/x/"
    assert real.find_entrance({**PAGES, "http://a.example/": b""}).entrance == "http://a.example/"


def test_no_strategy_pays_for_what_was_not_kept() -> None:
    pages = {
        "http://a.example/": b"<a href=one.html>one</a> <a href=gone.html>gone</a>",
        "http://a.example/one.html": b"<form action=find><input name=author> <input name=title> <input type=submit value=Search></form>",
    }
    (row,) = uvloop.run(real.survey_kept({"a": pages}, 50))
    assert {one["pages"] for name, one in row["yields"].items() if name in PAPER[:2]} == {2}
    assert all(one["missing"] == 0 for one in row["yields"].values())


# cost


@pytest.mark.parametrize("name", cost.STRATEGIES)
def test_a_timed_strategy_decides_the_same(name: str) -> None:
    world = TINY.world()
    seed, fetch = workers.seed_of(world, 0), workers.open_fetch(world)

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    clock = cost.Clock()
    plain, timed = (
        uvloop.run(search_site(seed, strategy, visit_link, site_pages=30))
        for strategy in (build_strategy(name), cost.Timed(build_strategy(name), clock))
    )
    assert [each.link.url for each in timed.visits] == [each.link.url for each in plain.visits]
    assert len(plain.visits) > 1
    assert clock.decide > 0


def test_the_layout_is_timed_only_where_somebody_looks() -> None:
    world = TINY.world()
    found = {
        name: cost.time_sites(name, [(workers.seed_of(world, 0), workers.open_fetch(world))])
        for name in ("navmenu:3", "tagpath")
    }
    assert found["navmenu:3"].layout > 0
    assert found["tagpath"].layout == 0
    for clock in found.values():
        told = clock.sum_up()
        assert 0 < told["share"] < told["share without fetching"] < 1
        assert clock.whole > clock.fetch + clock.decide + clock.layout


# parts


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Return a run whose parts only say how often they were measured."""
    times: dict[str, int] = {}

    def make(name: str) -> Callable[..., dict[str, Any]]:
        def measure(plan: Plan, say: object) -> dict[str, Any]:
            times[name] = times.get(name, 0) + 1
            return {"times": times[name]}

        return measure

    monkeypatch.setattr(paper1, "PARTS", {name: make(name) for name in ("one", "two")})
    monkeypatch.setattr(paper1, "RESULTS", tmp_path / "none")

    def run(*parts: str, extent: str = "tiny") -> dict[str, Any]:
        found: dict[str, Any] = paper1.run(Options(extent=extent, parts=parts), family="A", kept=tmp_path / "kept")[
            "parts"
        ]  # type: ignore[assignment]
        return {name: part["times"] for name, part in found.items()}

    return run


def test_a_part_can_be_measured_again_alone(counted: Callable[..., dict[str, Any]]) -> None:
    assert counted("one") == {"one": 1}
    assert counted() == {"one": 2, "two": 1}
    assert counted("two") == {"one": 2, "two": 2}


def test_parts_of_another_extent_are_not_mixed(counted: Callable[..., dict[str, Any]]) -> None:
    counted()
    assert counted("one", extent="short") == {"one": 2}


def test_a_part_stays_while_what_it_depends_on_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paper1, "RESULTS", tmp_path / "none")
    before = Plan("A", 1, EXTENTS["tiny"])
    after = Plan("A", 1, replace(EXTENTS["tiny"], wide=30))
    for name in paper1.PARTS:
        (tmp_path / f"{name}.json").write_text(json.dumps({"plan": before.to_json()}))
    gone = {name for name in paper1.PARTS if not paper1.find_kept(name, after, tmp_path)}
    assert gone == {"wide", "wide-ours"}
    assert not [name for name in paper1.PARTS if paper1.find_kept(name, replace(before, seed=2), tmp_path)]
    assert set(paper1.USES) == set(paper1.PARTS)


def test_a_part_that_is_not_there_is_said(counted: Callable[..., dict[str, Any]]) -> None:
    with pytest.raises(Missing, match="no part three"):
        counted("three")


@pytest.mark.proof
def test_every_table_and_every_floor_has_its_figure(tmp_path: Path) -> None:
    parts = ("local", "wide", "wide-ours", "windows", "windows-many", "finder", "crawls") + (
        ("real", "cost") if real.DATA.is_dir() else ()
    )
    result = json.loads(json.dumps(paper1.run(Options(extent="tiny", parts=parts), family="A", kept=tmp_path)))
    for figure in ("Fig. 3", "Fig. 5", "Fig. 16 and 17", "Fig. 18", "Fig. 19", "Fig. 20", "Fig. 21 a", "Fig. 21 b"):
        assert f"({figure})" in paper1.table(result)
    for floor in json.loads(FLOORS.read_text())["paper1"]:
        section = floor["at"].split("/")[1]
        assert section not in parts or _dig(result, floor["at"]) is not None, floor["what"]


def _dig(result: Any, path: str) -> Any:
    for word in path.split("/"):
        result = result.get(word) if isinstance(result, dict) else None
    return result


@pytest.mark.parametrize(("other", "told"), [("a", False), ("b", True)], ids=["the same model", "another"])
def test_parts_with_another_model_are_said_to_have_it(other: str, told: bool) -> None:
    parts = {
        name: {"seconds": 1, "cpu seconds": 1, "date": "2020-01-01", "model": model}
        for name, model in (("local", "a"), ("wide-ours", other), ("finder", "c"))
    }
    assert ("not taken with the same model" in write_times(parts)[0]) is told


def test_parts_with_another_k_are_said_to_have_it() -> None:
    part = {"seconds": 1, "cpu seconds": 1, "date": "2020-01-01", "model": "a"}
    assert "In crawls, `navmenu` still tried 2" in write_times({"local": {**part, "menus": 3}, "crawls": part})[0]
    assert "still" not in write_times({"local": {**part, "menus": 3}, "finder": {**part, "menus": 3}})[0]
    assert "In finder, `adaptive` still" in write_times({"finder": part})[0]


def test_what_was_not_measured_has_no_table() -> None:
    assert write_tables({}) == ""
    assert paper1.list_figures({}) == {}
