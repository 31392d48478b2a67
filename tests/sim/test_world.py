"""A world is a pure function: the same bytes every time, in every process, in bounded memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc

import pytest

from dowse.errors import BadInput
from dowse.model import Failure, Request
from dowse.reasons import FailureReason
from dowse.sim import World, summarise

from .walk import encoding_of, get, walk

_DIGEST = """
import hashlib
from dowse.model import Request
from dowse.sim import World
digest = hashlib.sha256()
for family in "AB":
    world = World(seed=7, sites=60, family=family, day=40)
    for index in range(0, 60, 3):
        site = world.site(index)
        digest.update(repr(site).encode())
        for path in ("/", "/robots.txt", "/nowhere"):
            digest.update(repr(world.answer(Request(site.site + path))).encode())
        for form in site.forms:
            digest.update(repr(world.answer(Request(form.page))).encode())
            digest.update(repr(world.answer(Request(form.action))).encode())
print(digest.hexdigest())
"""


def test_another_process_makes_the_same_bytes() -> None:
    digests = set()
    for salt in ("0", "1"):
        python = [sys.executable, "-c", _DIGEST]
        environment = {**os.environ, "PYTHONHASHSEED": salt}
        digests.add(subprocess.run(python, env=environment, capture_output=True, text=True, check=True).stdout)
    assert len(digests) == 1


def test_a_page_made_twice_and_out_of_order_is_the_same(world: World) -> None:
    truth = world.site(0)
    urls = [page.url for _, page in walk(world, truth, depth=3)]
    first = {url: get(world, url) for url in urls}
    other = World(seed=1, sites=300, family=world.family)
    assert {url: get(other, url) for url in reversed(urls)} == first


def test_another_seed_is_another_world(world: World) -> None:
    assert list(World(seed=2, family=world.family).addresses()) != list(world.addresses())


@pytest.mark.parametrize("outlinks", ["few", "many"])
def test_every_site_is_found_from_the_hubs_by_links_within_depth_three(outlinks: str) -> None:
    world = World(seed=5, sites=80, outlinks=outlinks)
    waiting, seen = world.seeds(), set(world.seeds())
    assert len(waiting) == 3
    hosts = {truth.address: truth for truth in world.truth()}
    while waiting:
        truth = hosts[waiting.pop()]
        if not truth.reachable:
            continue
        named: set[str] = set()
        for _, page in walk(world, truth, depth=3):
            text = page.body.decode("utf-8", "replace")
            named |= {address for address in truth.neighbours if f'"{address}"' in text}
        assert truth.spread in ("directory", "mixed" if outlinks == "many" else "") or named == set(truth.neighbours)
        waiting += named - seen
        seen |= named
    assert seen == set(world.addresses())


def test_in_a_world_of_many_links_directories_list_more_sites_along_their_branches(world: World) -> None:
    few, many = (World(1, 3000, family=world.family, outlinks=outlinks) for outlinks in ("few", "many"))
    listed, shallow = 0, 0
    for index in range(3, 200):
        plan, other = many.plan(index), few.plan(index)
        pages = {page: plan.outside(page) for page in range(plan.tree.size)}
        inside = [address for some in pages.values() for address in some]
        if plan.traits.spread not in ("directory", "mixed"):
            assert pages == {page: other.outside(page) for page in range(plan.tree.size)}
            continue
        assert sorted(inside) == sorted(plan.neighbours), "each on one page"
        assert set(other.neighbours[:2]) <= set(plan.neighbours), "by those the others are found"
        listed += len(inside)
        shallow += sum(len(some) for page, some in pages.items() if plan.tree.depth(page) <= 3)
    assert listed > 5 * sum(
        len(few.plan(index).neighbours) for index in range(3, 200) if few.traits(index).spread in ("directory", "mixed")
    )
    assert 0.9 < shallow / listed < 0.99  # the paper: 95 % of all


def test_hosts_and_numbers_belong_together(world: World) -> None:
    for index in range(0, 300, 7):
        host = world.site(index).site.removeprefix("http://")
        assert world.host_index(host) == world.host_index(host.upper()) == index
    assert world.host_index("nowhere.example") is None
    assert world.host_index("acorn999999.example") is None


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://x.example/", FailureReason.BAD_URL),
        ("http://nobody.example/", FailureReason.NO_HOST),
        ("https://{host}/", FailureReason.REFUSED),
        ("http://{host}:8080/", FailureReason.REFUSED),
    ],
    ids=["another scheme", "unknown host", "no TLS", "another port"],
)
def test_what_is_not_there_fails_with_a_reason(world: World, url: str, why: FailureReason) -> None:
    host = world.site(0).site.removeprefix("http://")
    answer = world.answer(Request(url.format(host=host)))
    assert isinstance(answer, Failure)
    assert answer.why is why


def test_an_unknown_page_is_404_and_soft_404_where_the_site_is_so(world: World) -> None:
    statuses = {
        truth.trouble: get(world, f"{truth.site}/no-such-page").status for truth in world.truth() if truth.reachable
    }
    assert statuses["soft-404"] == 200
    assert statuses[""] == 404


def test_the_summary_counts_what_can_be_reached() -> None:
    world = World(seed=4, sites=12)
    reachable = [truth for truth in world.truth() if truth.reachable]
    pages = sum(1 for truth in reachable for _ in walk(world, truth))
    doors = [form for truth in reachable for form in truth.forms if form.kind == "database" and not form.same_as]
    forms = sum(form.reachable for form in doors)
    summary = summarise(world)
    assert (summary.sites, summary.pages, summary.forms) == (len(reachable), pages, forms)
    assert summary.records >= 50
    assert "pages_ci" not in summary.to_json()


def test_the_summary_of_a_large_world_is_an_estimate_with_an_interval() -> None:
    told = summarise(World(seed=4, sites=20_000)).to_json()
    low, high = told["pages_ci"]  # type: ignore[misc]
    assert low < told["pages"] < high
    assert "estimated" in str(told["method"])


def test_a_world_of_two_million_sites_opens_at_once_and_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dowse.sim.world.PLANS_KEPT", 16)
    monkeypatch.setattr("dowse.sim.world.TRAITS_KEPT", 128)
    warm = World(seed=1, sites=100)
    for index in range(100):  # the words of every language are read once
        warm.answer(Request(warm.site(index).site + "/"))
    tracemalloc.start()
    start = time.process_time()
    world = World(seed=1, sites=2_000_000)
    assert time.process_time() - start < 1  # a hundredth of it is needed
    sizes = []
    for part in range(3):
        for index in range(part, 2_000_000, 40_000):
            world.answer(Request(world.site(index).site + "/"))
        sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert sizes[-1] < 4_000_000  # 150 plans kept would be more than 10 MB


def test_bad_settings_are_refused_with_a_reason(world: World) -> None:
    for bad in (
        lambda: World(sites=0),
        lambda: World(sites=3_000_000),
        lambda: World(family="C"),
        lambda: World(day=-1),
        lambda: World(outlinks="all"),
    ):
        with pytest.raises(BadInput):
            bad()
    with pytest.raises(BadInput):
        world.site(300)


def test_pages_have_an_encoding_that_holds(world: World) -> None:
    seen = set()
    for index in range(200):
        truth = world.site(index)
        if truth.reachable:
            page = get(world, f"{truth.site}/")
            seen.add(truth.encoding)
            assert page.body.decode(truth.encoding)
            assert encoding_of(page).lower() == truth.encoding
    assert len(seen) >= 6
    assert "utf-8" in seen


def test_every_language_and_design_is_there(truths: list, world: World) -> None:  # type: ignore[type-arg]
    assert {truth.language for truth in truths} == {"en", "de", "fr", "es", "it", "pl", "ru", "ja"}
    assert len({truth.design for truth in truths}) >= 12


def test_time_passes() -> None:
    """Sites die, are redesigned and grow; what was there stays where it was."""
    early, late = World(seed=9, sites=200), World(seed=9, sites=200, day=300)
    died = redesigned = grown = 0
    for index in range(200):
        before, after = early.site(index), late.site(index)
        died += before.reachable and not after.reachable
        if not (before.reachable and after.reachable):
            continue
        redesigned += before.design != after.design
        grown += sum(after.pages_by_depth) > sum(before.pages_by_depth)
        assert [form.page for form in before.forms] == [form.page for form in after.forms]
        assert all(new.size >= old.size for old, new in zip(before.databases, after.databases, strict=True))
    assert died > 5
    assert redesigned > 5
    assert grown > 50


def test_records_of_a_database_stay_when_others_are_added() -> None:
    early, late = World(seed=9, sites=200), World(seed=9, sites=200, day=100)
    index = next(index for index in range(200) if early.plan(index).databases)
    old, new = early.database(index), late.database(index)
    assert new.size > old.size
    assert [old.row(number) for number in range(20)] == [new.row(number) for number in range(20)]
