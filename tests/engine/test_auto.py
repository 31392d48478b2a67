"""`find --strategy auto` over the simulated web: sample, choose, search the rest, compare."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from dowse.engine import auto
from dowse.engine.auto import AUTO, Sampling, read_kept, read_target, sample_name, search_auto
from dowse.engine.find import begin_run, build_report, estimate_coverage
from dowse.engine.job import FindRun
from dowse.engine.workers import open_strategy
from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.model import Failure, Request, Response, SiteSearch
from dowse.reasons import StopReason
from dowse.sample.record import WHOLE
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings
from dowse.sim import World, simulate
from dowse.store import Store, open_store
from dowse.store.samples import SearchCounts
from dowse.yields import Forecast, Interval
from dowse.yields.ratio import Sums

WORLD = World(5, 60)
SETTINGS = FindSettings(strategy=AUTO, discover=False, jobs=4, site_pages=25)
SMALL = Sampling(share=3, least=10)
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


def test_a_sample_is_tried_and_the_rest_searched_with_the_choice(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()
    with open_store(str(tmp_path / "a.db")) as store:
        said, found, run = search(store, fetch=watched(asked))
        report = build_report(store, 0.0, run=run, settings=SETTINGS)
        kept = read_kept(store, sample_name(run.id), CANDIDATES)
        states = Counter(site["state"] for site in store.sites())
    strategies = Counter(each.strategy for each in found)
    assert strategies[WHOLE] == len(kept) == 20
    chosen = choice_of(said[1])
    assert chosen in CANDIDATES
    assert set(strategies) == {WHOLE, chosen}
    assert said[0].startswith("trying strategies on 20 of 60 sites")
    assert said[2].startswith("forecast for the other 4")  # forty, and where sampled sites have moved to
    assert said[-1].startswith("forecast and fact: yield ")
    assert max(asked.values()) == 1, "no page is fetched twice"
    assert report.pages == sum(len(each.visits) for each in found)
    assert not states["waiting"]
    assert report.coverage is not None
    assert report.coverage_ci is not None
    assert report.coverage_ci[0] <= report.coverage <= report.coverage_ci[1] <= 1
    assert report.coverage_method.startswith("sampled sites")


def test_a_run_that_was_stopped_while_sampling_goes_on(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        _, first, _ = search(store, stop_after=100)
    with open_store(str(tmp_path / "a.db")) as store:
        said, _, run = search(store)
        kept = read_kept(store, sample_name(run.id), CANDIDATES)
    with open_store(str(tmp_path / "b.db")) as store:
        whole, _, run = search(store)
        undisturbed = read_kept(store, sample_name(run.id), CANDIDATES)
    assert 1 < sum(each.finished for each in first) < 20
    assert kept == undisturbed
    assert choice_of(said[1]) == choice_of(whole[1])


def test_a_run_that_was_stopped_while_searching_keeps_its_choice(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        first, _, _ = search(store, stop_after=420)
    with open_store(str(tmp_path / "a.db")) as store:
        second, found, _ = search(store)
    assert choice_of(second[0]) == choice_of(first[1]), "the same choice, and no further sample"
    assert WHOLE not in {each.strategy for each in found}
    assert second[-1].startswith("forecast and fact: ")


def test_few_sites_are_searched_at_once(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        said, found, run = search(store, sampling=Sampling())
        assert [line.partition(";")[0] for line in said] == ["not enough sites were tried to choose by"]
        assert {each.strategy for each in found} == {auto.own_strategy()}
        assert not read_kept(store, sample_name(run.id), CANDIDATES)
        report = build_report(store, 0.0, run=run, settings=SETTINGS)
    assert report.coverage_method == "the links that were left and pages drawn at random from them"


def test_a_page_budget_holds_over_the_sample(tmp_path: Path) -> None:
    asked: Counter[str] = Counter()
    settings = FindSettings(strategy=AUTO, discover=False, jobs=4, site_pages=25, pages=40)
    with open_store(str(tmp_path / "a.db")) as store:
        _, _, run = search(store, settings, fetch=watched(asked))
    assert run.stopped == "page budget"
    assert run.started == 40


@pytest.mark.parametrize(("population", "count"), [(0, 0), (299, 0), (300, 30), (1_000, 100), (5_000, 200)], ids=str)
def test_one_site_in_ten_is_sampled_when_that_is_enough(population: int, count: int) -> None:
    assert Sampling().count(population) == count


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
    worths = [open_strategy(FindSettings(coverage=part)).worth for part in (0.5, 0.8, 0.9)]  # type: ignore[attr-defined]
    assert worths == sorted(worths, reverse=True)
    assert len(set(worths)) == 3
    assert open_strategy(FindSettings()).worth is None  # type: ignore[attr-defined]


def forecast(sites: int = 40) -> Forecast:
    def about(value: float) -> Interval:
        return Interval(value, value * 0.8, value * 1.2, "test")

    return Forecast(
        "navmenu:3", sites, about(400), about(20), about(0.05), about(0.9), Sums(20, 10, 200, 30, 150, 3000)
    )


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
                from dowse.engine.workers import search_sites

                async for _ in search_sites(store, run, watched(Counter()), settings):
                    pass

            asyncio.run(go())
            figures.append(estimate_coverage(store))
    shallow, deep = figures
    assert shallow is not None
    assert deep is not None
    assert shallow.value < deep.value
    assert deep.low <= deep.value <= deep.high <= 1
