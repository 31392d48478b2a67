"""`find --strategy auto` over the simulated web: sample, choose, search the rest, compare."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dowse.engine import auto
from dowse.engine.auto import AUTO, Sampling, read_kept, read_target, sample_name, search_auto
from dowse.engine.find import begin_run, build_report, estimate_coverage
from dowse.engine.job import FindRun
from dowse.engine.workers import open_strategy, search_sites
from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.model import Failure, Request, Response, SiteSearch, Verdict
from dowse.reasons import StopReason
from dowse.sample.judge import JudgedSwitch, SiteSample
from dowse.sample.record import WHOLE
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings
from dowse.sim import World, simulate
from dowse.store import Store, open_store
from dowse.store.samples import SearchCounts
from dowse.strategy import build_strategy
from dowse.yields import Forecast, Interval, StrategyChoice
from dowse.yields.ratio import Sums

WORLD = World(5, 60)
SETTINGS = FindSettings(strategy=AUTO, discover=False, jobs=4, site_pages=25)
SMALL = Sampling(least=10, step=5)
CANDIDATES = ("navmenu:3", "exhaustive:3", "exhaustive:0")


@pytest.fixture(autouse=True)
def _few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "CANDIDATES", CANDIDATES)


def watched(asked: Counter[str]) -> Fetch:
    """Return the simulated web, with every page that is asked for noted."""
    fetch = wrap_fetch(simulate(WORLD)).within_site

    async def note(request: Request) -> Response | Failure:
        asked[request.url] += 1
        await asyncio.sleep(0)  # as a network does, it lets others have their turn
        return await fetch(request)

    return note


def search(
    store: Store, settings: FindSettings = SETTINGS, sampling: Sampling = SMALL, stop_after: int = 0,
    fetch: Fetch | None = None,
) -> tuple[list[str], list[SiteSearch], FindRun]:  # fmt: skip
    """Search all sites of the world, or until so many pages were asked for; return what was said, committed, and the run."""
    run = begin_run(store, [read_seed(address) for address in WORLD.addresses()], settings)
    said: list[str] = []
    found: list[SiteSearch] = []

    asked: Counter[str] = Counter()
    fetch = fetch or watched(asked)

    async def fetch_or_stop(request: Request) -> Response | Failure:
        if stop_after and asked.total() >= stop_after:
            run.stopped = StopReason.INTERRUPTED
        return await fetch(request)

    async def go() -> None:
        async for told in search_auto(store, run, fetch_or_stop, settings, sampling=sampling):
            (said if isinstance(told, str) else found).append(told)  # type: ignore[arg-type]

    asyncio.run(go())
    return said, found, run


def choice_of(words: str) -> str:
    """Return the strategy that was chosen."""
    assert words.startswith("chose ")
    return words.removeprefix("chose ").partition(": ")[0]


def kept_of(store: Store, run: FindRun) -> list[SiteSample]:
    """Return the sites that a run has sampled."""
    return read_kept(store, sample_name(run.id), (auto.own_strategy(), *CANDIDATES))


def test_a_sample_is_tried_and_costs_little_more_than_no_sample(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()
    with open_store(str(tmp_path / "a.db")) as store:
        said, found, run = search(store, fetch=watched(asked))
        report = build_report(store, 0.0)
        kept = kept_of(store, run)
        states = Counter(site["state"] for site in store.sites())
    chosen = choice_of(next(line for line in said if line.startswith("chose ")))
    assert {each.strategy for each in found} == {auto.own_strategy(), chosen}
    assert said[0].startswith("trying strategies on 10 of 60 sites first")
    assert len(kept) % 5 == 0, "judged after ten sites, then after every five"
    assert said[-2].startswith("forecast for the other ")
    assert said[-1].startswith("forecast and fact: yield ")
    assert max(asked.values()) == 1, "no page is fetched twice"
    assert report.pages == sum(len(each.visits) for each in found)
    assert not states["waiting"]
    assert report.coverage is not None
    assert report.coverage_method == "the links that were left and pages drawn at random from them"

    alone: Counter[str] = Counter()
    with open_store(str(tmp_path / "b.db")) as store:
        settings = replace(SETTINGS, strategy=auto.own_strategy())
        run = begin_run(store, [read_seed(address) for address in WORLD.addresses()], settings)
        asyncio.run(collect(search_sites(store, run, watched(alone), settings)))
        forms = build_report(store, 0.0).forms
    assert chosen == auto.own_strategy()
    assert asked.total() <= 1.1 * alone.total()
    assert report.forms >= 0.95 * forms


async def collect(events: AsyncIterator[SiteSearch]) -> list[SiteSearch]:
    return [event async for event in events]


def test_a_wasteful_strategy_is_left_as_soon_as_that_is_clear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "own_strategy", lambda coverage=None: WHOLE)
    monkeypatch.setattr(auto, "CANDIDATES", ("learned:0.02",))
    asked: Counter[str] = Counter()
    with open_store(str(tmp_path / "a.db")) as store:
        settings = replace(SETTINGS, harvest=0.05)
        said, found, _ = search(store, settings, fetch=watched(asked))
    strategies = Counter(each.strategy for each in found)
    assert choice_of(next(line for line in said if line.startswith("chose "))) == "learned:0.02"
    assert strategies[WHOLE] < 30 < strategies["learned:0.02"]
    assert "fewer pages for the same forms" in " ".join(said)
    assert max(asked.values()) == 1


def test_a_wanted_coverage_says_how_thorough_the_usual_strategy_is() -> None:
    usual, thorough = auto.own_strategy(0.7), auto.own_strategy(0.93)
    assert build_strategy(usual).worth > build_strategy(thorough).worth > 0  # type: ignore[attr-defined]


def test_a_run_that_was_stopped_while_sampling_goes_on(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        _, first, _ = search(store, stop_after=30)
    with open_store(str(tmp_path / "a.db")) as store:
        said, _, run = search(store)
        kept = kept_of(store, run)
    with open_store(str(tmp_path / "b.db")) as store:
        whole, _, run = search(store)
        undisturbed = kept_of(store, run)
    assert 1 < sum(each.finished for each in first) < 10
    assert kept == undisturbed
    assert [line for line in said if line.startswith("chose")] == [line for line in whole if line.startswith("chose")]


@pytest.mark.parametrize("kept_first", [False, True], ids=["before a site is kept", "before its search is committed"])
def test_a_run_that_was_killed_while_sampling_goes_on(tmp_path: Path, kept_first: bool) -> None:
    keep, calls = auto.keep_samples, Counter[str]()

    def keep_or_die(*given: Any) -> None:
        calls["keep"] += 1
        if calls["keep"] < 7 or kept_first:
            keep(*given)
        if calls["keep"] == 7:
            os.kill(os.getpid(), signal.SIGKILL)

    def search_and_die() -> None:
        auto.keep_samples = keep_or_die
        with open_store(str(tmp_path / "a.db")) as store:
            search(store)

    process = multiprocessing.get_context("fork").Process(target=search_and_die)
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    asked: Counter[str] = Counter()
    with open_store(str(tmp_path / "a.db")) as store:
        said, _, run = search(store, fetch=watched(asked))
        kept = kept_of(store, run)
    with open_store(str(tmp_path / "b.db")) as store:
        whole, _, run = search(store)
        undisturbed = kept_of(store, run)
    assert kept == undisturbed
    assert max(asked.values()) == 1
    assert [line for line in said if line.startswith("chose")] == [line for line in whole if line.startswith("chose")]


def test_a_run_that_was_stopped_while_searching_keeps_its_choice(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        first, _, _ = search(store, stop_after=200)
        sampled = len(kept_of(store, begin_run(store, [read_seed(each) for each in WORLD.addresses()], SETTINGS)))
    with open_store(str(tmp_path / "a.db")) as store:
        second, _, run = search(store)
        assert len(kept_of(store, run)) == sampled, "no further sample"
    chosen = [choice_of(line) for line in first if line.startswith("chose ")]
    assert [choice_of(second[0])] == chosen
    assert second[-1].startswith("forecast and fact: ")


def test_a_sample_that_costs_more_than_it_can_save_is_not_taken(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        said, found, run = search(store, sampling=Sampling(least=55))
        assert said == [
            "not sampled: of 60 sites a sample takes 55 and costs the pages of 3.1 sites more; a better strategy would save"
            " 25% on the others, the pages of 1.2 sites; searched with learned"
        ]
        assert {each.strategy for each in found} == {auto.own_strategy()}
        assert not kept_of(store, run)


def forecast(sites: int = 40) -> Forecast:
    def about(value: float) -> Interval:
        return Interval(value, value * 0.8, value * 1.2, "test")

    return Forecast(
        "navmenu:3", sites, about(400), about(20), about(0.05), about(0.9), Sums(20, 10, 200, 30, 150, 3000)
    )


def judged(hoped: float, needed: float) -> JudgedSwitch:
    return JudgedSwitch(StrategyChoice("learned", ""), forecast(), hoped, needed)


@pytest.mark.parametrize(
    ("kept", "others", "said", "wanted"),
    [
        (0, 600, None, 30),  # the first sites cost little
        (0, 35, None, 0),  # but more than five others can save
        (12, 588, judged(0.0, 0.0), 18),  # stopped half way: nothing is judged before thirty
        (30, 570, judged(0.3, 30), 0),  # it is clear
        (30, 570, judged(0.3, 60), 15),  # it will be soon
        (37, 563, judged(0.3, 60), 8),  # stopped between two looks
        (30, 570, judged(0.3, 599), 0),  # clear when no site is left to save pages on
        (30, 570, judged(0.3, float("inf")), 0),  # it never will be
        (30, 570, judged(0.0, 60), 0),  # nothing to save
    ],
)
def test_sites_are_sampled_as_long_as_that_pays(kept: int, others: int, said: JudgedSwitch | None, wanted: int) -> None:
    assert Sampling().plan(kept, others, said, 0.05) == wanted


def test_a_page_budget_holds_over_the_sample(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()
    settings = FindSettings(strategy=AUTO, discover=False, jobs=4, site_pages=25, pages=40)
    with open_store(str(tmp_path / "a.db")) as store:
        _, _, run = search(store, settings, fetch=watched(asked))
    assert run.stopped == "page budget"
    assert run.started == 40


@pytest.mark.parametrize("target", [(0.9, 0.3), (0.0, None), (1.1, None), (float("nan"), None), (None, -1.0)], ids=str)
def test_a_target_has_to_be_possible(target: tuple[float | None, float | None]) -> None:
    with pytest.raises(BadInput):
        read_target(*target)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (FindSettings(harvest=0.1), "--harvest is for --strategy auto"),
        (FindSettings("navmenu:3", coverage=0.9), "navmenu:3 knows no target"),
        (FindSettings("learned:0.1", coverage=0.9), "learned:0.1 fixes what a page has to promise"),
    ],
)
def test_a_target_is_for_those_that_know_what_to_do_with_it(tmp_path: Path, settings: FindSettings, said: str) -> None:
    with open_store(str(tmp_path / "a.db")) as store, pytest.raises(BadInput, match=said):
        begin_run(store, [read_seed("a.example")], settings)


def test_a_coverage_makes_learned_as_thorough_as_it_takes() -> None:
    worths = [open_strategy(FindSettings(coverage=part)).worth for part in (0.8, 0.9, 0.95)]  # type: ignore[attr-defined]
    assert worths == sorted(worths, reverse=True)
    assert len(set(worths)) == 3
    assert open_strategy(FindSettings()).worth is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (SearchCounts(40, 410, 20), "found 0.0488: as forecast"),
        (SearchCounts(40, 410, 20), "pages 400 (320 to 480), found 410: as forecast"),
        (SearchCounts(40, 900, 20), "found 900: more than forecast"),
        (SearchCounts(40, 400, 4), "yield 0.0500 (0.0400 to 0.0600), found 0.0100: less than forecast"),
        (SearchCounts(0, 0, 0), "found 0.0000: less than forecast"),
    ],
)
def test_forecast_and_fact_are_compared(fact: SearchCounts, words: str) -> None:
    assert words in auto.compare(forecast(), fact)


def test_totals_of_other_lists_are_not_compared() -> None:
    assert "pages" not in auto.compare(forecast(), SearchCounts(44, 900, 20))


def test_what_leaves_the_forecast_is_told_once() -> None:
    from dowse.yields import Drift

    drift = Drift(forecast(10_000))
    barren = SiteSearch(read_seed("a.example").site)
    told = [auto._watch(drift, barren) for _ in range(3_000)]
    assert not any(told), "sites without a page say nothing"
    drift = Drift(forecast(10_000))
    busy = SiteSearch(barren.site, visits=tuple([None] * 50))  # type: ignore[list-item]
    told = [words for words in (auto._watch(drift, busy) for _ in range(3_000)) if words]
    assert len(told) == 1
    assert "below the forecast" in told[0]


def test_coverage_by_links_that_were_left_grows_with_depth(tmp_path: Path) -> None:
    figures = []
    for strategy in ("exhaustive:0", "exhaustive:3"):
        with open_store(str(tmp_path / f"{strategy}.db")) as store:
            settings = FindSettings(strategy=strategy, discover=False, jobs=4, site_pages=25)
            run = begin_run(store, [read_seed(address) for address in WORLD.addresses()], settings)

            async def go(store: Store = store, run: FindRun = run, settings: FindSettings = settings) -> None:
                async for _ in search_sites(store, run, watched(Counter()), settings):
                    pass

            asyncio.run(go())
            figures.append(estimate_coverage(store))
    shallow, deep = figures
    assert isinstance(deep, Interval)
    assert isinstance(shallow, Verdict) or shallow.value < deep.value, "unknown, where entrances alone say too little"
    assert deep.low <= deep.value <= deep.high <= 1
