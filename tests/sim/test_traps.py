"""Traps have no end, and truth leaves them out."""

from __future__ import annotations

import re

import pytest

from dowse.sim import World
from dowse.sim.traps import KINDS

from .walk import find_links, get


@pytest.fixture(scope="module")
def many() -> World:
    return World(seed=2, sites=900)


def _sites_with(world: World, kind: str) -> list[int]:
    plans = (world.plan(index) for index in range(world.sites))
    return [
        plan.traits.index for plan in plans
        if not plan.traits.is_closed and len(plan.traps) == 1 and plan.traps[0].kind == kind
    ]  # fmt: skip


@pytest.mark.parametrize("kind", [*KINDS, "session"])
def test_a_trap_goes_on_and_its_addresses_match_its_pattern(many: World, kind: str) -> None:
    sites = _sites_with(many, kind)
    assert len(sites) >= 5
    for index in sites[:5]:
        truth = many.site(index)
        pattern = truth.traps[0].pattern
        waiting = [f"{truth.site}/"]
        inside: set[str] = set()
        seen = set(waiting)
        for _ in range(400):
            if len(inside) > 60 or not waiting:
                break
            page = get(many, waiting.pop())
            links = [link for link in find_links(page) if link.startswith(truth.site) and link not in seen]
            inside |= {link for link in links if re.search(pattern, link)}
            seen |= set(links)
            waiting += sorted(links, key=lambda link: bool(re.search(pattern, link)))  # into the trap first
            assert page.status == 200 or page.url in truth.missing
        assert len(inside) > (3 if kind == "print" else 60), truth


def test_a_session_is_another_one_on_each_page(many: World) -> None:
    truth = many.site(_sites_with(many, "session")[0])
    first = next(link for link in find_links(get(many, f"{truth.site}/")) if link.startswith(truth.site))
    second = next(link for link in find_links(get(many, first)) if link.startswith(truth.site))
    assert re.sub(truth.traps[0].pattern, "", first) == re.sub(truth.traps[0].pattern, "", second)
    assert first != second


def test_calendars_are_written_in_several_ways(many: World) -> None:
    styles = {many.plan(index).traps[0].style for index in _sites_with(many, "calendar")}
    assert len(styles) >= 4
