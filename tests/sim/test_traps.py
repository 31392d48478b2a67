"""Traps have no end, and truth leaves them out."""

from __future__ import annotations

import re

import pytest

from dowse.sim import World
from dowse.sim.traps import WAYS

from .walk import find_links, get


@pytest.fixture(scope="module")
def many() -> World:
    return World(seed=2, sites=800)


@pytest.fixture(scope="module")
def sites_with(many: World) -> dict[str, list[int]]:
    """Sites that have one trap, by its kind."""
    found: dict[str, list[int]] = {}
    for index in range(many.sites):
        plan = many.plan(index)
        if not plan.traits.is_closed and len(plan.traps) == 1 and plan.tree.size > 20:
            found.setdefault(plan.traps[0].kind, []).append(index)
    return found


@pytest.mark.parametrize("kind", [each for each in WAYS["A"] if each != "honeypot"])
def test_a_trap_goes_on_and_its_addresses_match_its_pattern(
    many: World, sites_with: dict[str, list[int]], kind: str
) -> None:
    sites = sites_with[kind]
    assert len(sites) >= 3
    for index in sites[:3]:
        truth = many.site(index)
        pattern = truth.traps[0].pattern
        waiting = [f"{truth.site}/"]
        inside: set[str] = set()
        seen = set(waiting)
        for _ in range(400):
            if len(inside) > 40 or not waiting:
                break
            page = get(many, waiting.pop())
            links = [link for link in find_links(page) if link.startswith(truth.site) and link not in seen]
            inside |= {link for link in links if re.search(pattern, link)}
            seen |= set(links)
            waiting += sorted(links, key=lambda link: bool(re.search(pattern, link)))  # into the trap first
            assert page.status in (200, 302) or re.sub(pattern, "", page.url) in truth.missing
        assert len(inside) > (3 if kind == "print" else 40), truth


def test_a_session_is_another_one_on_each_page(many: World, sites_with: dict[str, list[int]]) -> None:
    truth = many.site(sites_with["session"][0])
    pattern = truth.traps[0].pattern
    first = next(link for link in find_links(get(many, f"{truth.site}/")) if re.search(pattern, link))
    again = [link for link in find_links(get(many, first)) if re.sub(pattern, "", link) == re.sub(pattern, "", first)]
    assert set(again) - {first}  # a link to a place on the same page keeps the address


def test_calendars_are_written_in_several_ways(many: World, sites_with: dict[str, list[int]]) -> None:
    styles = {many.plan(index).traps[0].style for index in sites_with["calendar"]}
    assert len(styles) >= 3
