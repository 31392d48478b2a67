"""Doors are counted right: each true form once, and what leads nowhere is a wrong claim."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest

from bench import doors, doortimes
from bench.doors import Seen, count_figures, find_strangers, is_same
from bench.report import judge_floors
from dowse.fetch.build import wrap_fetch
from dowse.model import Door, Field, Form, Judgement
from dowse.sim import SiteTruth, World, simulate


@pytest.fixture(scope="module")
def world() -> World:
    return World(1, 40, family="A")


def door(action: str, *names: str, kind: str = "database") -> Door:
    form = Form(0, "GET", action, tuple(Field(name, "text") for name in names))
    return Door(form, Judgement(kind, 0.9))


def site_with_service(world: World) -> SiteTruth:
    return next(truth for truth in world.truth() if any(database.doors for database in truth.databases))


def test_a_door_is_a_true_form_by_its_address_and_its_fields(world: World) -> None:
    form = next(form for truth in world.truth() for form in truth.forms if form.kind == "database")
    assert is_same(form, door(form.action, *form.fields))
    assert is_same(form, door(form.action, *form.fields, *form.buttons))
    assert not is_same(form, door(form.action, *form.fields, "another"))
    assert not is_same(form, door(form.action + "x", *form.fields))


def test_strangers_are_claims_that_lead_nowhere_each_once(world: World) -> None:
    truth = site_with_service(world)
    template = next(door.template for database in truth.databases for door in database.doors)
    known = truth.forms[0]
    some = [
        door(template.partition("?")[0], "q"),
        door(known.action, *known.fields),
        door(f"{truth.site}/nowhere", "q"),
        door(f"{truth.site}/nowhere", "q"),
        door(f"{truth.site}/elsewhere", "q", kind="site-search"),
    ]
    claimed: set[Any] = set()
    assert [one.form.action for one in find_strangers(some, truth, claimed)] == [f"{truth.site}/nowhere"]
    assert not list(find_strangers(some, truth, claimed))


def seen(kind: str, said: str, depth: str = "0") -> Seen:
    return Seen(kind, said, depth, "html", "en")


def test_figures() -> None:
    some = [seen("database", "database")] * 6 + [seen("database", "other"), seen("login", "database")]
    some += [seen("", "database"), seen("login", "login"), seen("database", "not seen", "1")]
    figures = count_figures(some)
    assert (figures["precision"], figures["recall"]) == (6 / 8, 6 / 8)
    assert count_figures([]) == {"precision": 1.0, "recall": 1.0, "forms": 0, "claimed": 0, "right": 0}


def test_only_depths_with_enough_forms_count_alone() -> None:
    many = [seen("database", "database", "1")] * 39 + [seen("database", "other", "1")]
    few = [seen("database", "other", "4")] * 5
    times = {name: 1.0 for name in ("pages", "share of reading")}
    result = doors.sum_up([many, few], {"real": [times]})
    assert result["medians"]["least recall at a depth"] == 39 / 40
    assert result["groups"]["depth"]["4"]["recall"] == 0
    assert result["confusion"] == {"database": {"database": 39, "other": 6}}


def test_a_small_world(world: World) -> None:
    async def judge() -> list[Seen]:
        fetches = wrap_fetch(simulate(world))
        return [one for truth in world.truth() if truth.reachable async for one in doors._judge_site(truth, fetches)]

    some = asyncio.run(judge())
    true = [
        form
        for truth in world.truth()
        if truth.reachable
        for form in truth.forms
        if form.reachable and not form.same_as
    ]
    assert Counter(one.kind for one in some if one.kind) == Counter(form.kind for form in true)
    figures = count_figures(one for one in some if one.made == "html")
    assert figures["precision"] > 0.8
    assert figures["recall"] > 0.8


def test_the_time_of_the_parts_is_added_up() -> None:
    times = Counter({"whole": 3.0, "whole calls": 2, "extract": 1.0, "judge": 0.5, "tree": 0.5, "kind": 0.2})
    found = doortimes.sum_up(times)  # type: ignore[arg-type]
    assert found["read ms"] == 1000
    assert found["share of reading"] == pytest.approx(1.5 / 2)
    assert found["share of the tree"] == pytest.approx(3)


def test_table_and_notes() -> None:
    ways = ("read", "tree", "extract", "judge", "kind", "structure", "signature")
    times = {"pages": 3.0, **{f"{way} ms": 1.0 for way in ways}, "share of reading": 0.3, "share of the tree": 2.0}
    result = doors.sum_up(
        [[seen("database", "database"), seen("", "database")]],
        {"real pages, each alone": [times], "pages of a search": [times]},
    )
    result |= {"settings": {"family": "A", "sites": 5}}
    assert "| no form | 1 |" in doors.table(result)
    assert "| real pages, each alone | 3 |" in doors.table(result)
    assert "5 sites of family A" in doors.notes(result)
    floors = {what: measured for what, measured, _, _ in judge_floors("doors", result)}
    assert floors["precision for database forms on B"] == 0.5
    assert floors["time added to reading, pages of a search"] == 0.3
    assert floors["least recall at a depth with 30 query forms"] is None  # too few forms: not reached, not overlooked
