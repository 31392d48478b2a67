"""What is kept of samples, and what estimates ask of the store."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dowse.model import Failure, LeftBehind, Link, Seed, SiteSearch, Visit
from dowse.reasons import FailureReason, SkipReason
from dowse.seeds.lists import read_seed
from dowse.store import open_store
from dowse.store.samples import (
    SampleRow,
    SearchCounts,
    add_samples,
    count_searched,
    lease_sites,
    read_samples,
    searched_with,
    sum_left,
    waiting_sites,
)

SEEDS = [read_seed(f"http://s{number}.example/") for number in range(4)]


def searched(seed: Seed, strategy: str, depths: list[int], counts: dict[SkipReason, int]) -> SiteSearch:
    visits = [Visit(Link(f"{seed.site}/{place}", depth=depth), status=200) for place, depth in enumerate(depths)]
    gone = Visit(
        Link(f"{seed.site}/gone", depth=1), failure=Failure("", FailureReason.STATUS, "HTTP 404", 404), status=404
    )
    return SiteSearch(seed.site, strategy, (*visits, gone), skip_counts=tuple(counts.items()))


def test_samples_are_kept_by_name_and_replaced(tmp_path: Path) -> None:
    rows = [
        SampleRow("http://a.example", "navmenu:3", 5, 1, 2),
        SampleRow("http://b.example", "navmenu:3", 0, 0, 0, "x"),
    ]
    with open_store(str(tmp_path / "a.db")) as store:
        add_samples(store, "one", rows)
        add_samples(store, "two", [SampleRow("http://a.example", "navmenu:3", 9, 9, 9)])
        add_samples(store, "one", [SampleRow("http://a.example", "navmenu:3", 6, 2, 2)])
        assert read_samples(store, "one") == [SampleRow("http://a.example", "navmenu:3", 6, 2, 2), rows[1]]
        assert read_samples(store, "none") == []


def test_just_these_sites_are_taken(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        run = store.begin_run("find")
        store.add_seeds(SEEDS, run)
        assert [seed.site for seed in waiting_sites(store)] == [seed.site for seed in SEEDS]
        lease_sites(store, run, SEEDS[1:3])
        left = [SEEDS[0].site, SEEDS[3].site]
        assert [seed.site for seed in waiting_sites(store, run, own=True)] == left
        assert [seed.site for seed in store.take_sites(run, 10, own=True)] == left
        assert list(waiting_sites(store, run + 1, own=True)) == []


def test_what_a_strategy_gave_is_counted(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        run = store.begin_run("find")
        store.add_seeds(SEEDS, run)
        searches = [searched(SEEDS[0], "navmenu:3", [0, 1], {}), searched(SEEDS[1], "exhaustive:10", [0], {})]
        store.commit(run, searches, discover=False)
        assert count_searched(store, run, "navmenu:3") == SearchCounts(1, 3, 0)
        assert count_searched(store, run, "none") == SearchCounts(0, 0, 0)
        assert [tuple(row) for row in searched_with(store, run, "navmenu:3")] == [(3, 0)]


def test_what_sites_left_behind_is_added_up_and_unknown_where_one_of_them_is(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        run = store.begin_run("find")
        store.add_seeds(SEEDS, run)
        assert sum_left(store) is None, "nothing was searched"
        known = [
            replace(searched(seed, "learned", [0, 1], {}), left_behind=LeftBehind(0.5, 2, 0.1, 1)) for seed in SEEDS
        ]
        store.commit(run, known[:3], discover=False)
        assert sum_left(store) == (1.5, 6, pytest.approx(0.3), 3, 0.75)
        store.commit(run, [replace(known[3], left_behind=None)], discover=False)
        assert sum_left(store) is None
