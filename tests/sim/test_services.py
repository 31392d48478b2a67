"""Databases answer programs too: JSON, XML, completions, OpenSearch descriptions."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest

from dowse.sim import World

from .walk import get


def _door(world: World, kind: str) -> tuple[int, str]:
    for index in range(world.sites):
        truth = world.site(index)
        for database in truth.databases if truth.reachable else ():
            for door in database.doors:
                if door.kind == kind and database.id.endswith("/0"):
                    return index, door.template
    pytest.fail(f"no {kind} door")


def _fill(template: str, words: str) -> str:
    return template.replace("{searchTerms}", words).replace("{startPage?}", "1").replace("{startIndex?}", "0")


def _find_rows(told: object) -> list[dict[str, object]]:
    """Return the objects that have an id, however deep they are."""
    if isinstance(told, list):
        return [row for each in told for row in _find_rows(each)]
    if isinstance(told, dict):
        return [told] if "id" in told else [row for each in told.values() for row in _find_rows(each)]
    return []


@pytest.fixture(scope="module", params=["A", "B"])
def world(request: pytest.FixtureRequest) -> World:
    return World(seed=1, sites=600, family=request.param)


def test_json_gives_records_that_are_in_the_database(world: World) -> None:
    index, template = _door(world, "json")
    answer = get(world, _fill(template, ""))
    told = json.loads(answer.body)
    rows = _find_rows(told)
    table = world.database(index)
    assert rows
    for row in rows:
        true = table.row(row["id"])
        for name, value in row.items():
            if name != "id":
                assert (tuple(value) if isinstance(value, list) else (value,)) == true[name]


def test_xml_parses_and_has_the_same_number_of_records(world: World) -> None:
    index, template = _door(world, "xml")
    tree = ElementTree.fromstring(get(world, _fill(template, "")).body)
    plan = world.plan(index).databases[0]
    assert len(tree) == min(plan.page_size, plan.size)
    assert str(plan.size) in tree.attrib.values()


def test_an_opensearch_description_leads_to_answers(world: World) -> None:
    index, template = _door(world, "opensearch")
    plan = world.plan(index)
    from dowse.sim.plan import DESCRIPTIONS

    description = get(world, plan.origin + DESCRIPTIONS[world.family])
    urls = [
        url.attrib["template"] for url in ElementTree.fromstring(description.body).iter() if url.tag.endswith("Url")
    ]
    assert template in urls
    word = world.database(index).name(0).split()[0]
    assert get(world, _fill(template, word)).status == 200
    assert DESCRIPTIONS[world.family][1:].encode() in get(world, f"{plan.origin}/").body.replace(b"&#x2F;", b"/")


def test_completions_are_names_of_records(world: World) -> None:
    _, template = _door(world, "json")
    names = json.loads(get(world, _fill(template, "") + "&suggest=1").body)
    assert names
    assert all(isinstance(name, str) for name in names)
