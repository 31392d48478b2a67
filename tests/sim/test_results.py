"""Databases answer queries through their forms: exactly the records that match, ten to a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from urllib.parse import urlencode

import pytest

from dowse.model import Record, Request, Response
from dowse.sim import World
from dowse.sim.address import split_address
from dowse.sim.formplan import FieldPlan, FormPlan
from dowse.sim.plan import SitePlan
from dowse.sim.results import detail_path, read_detail
from dowse.sim.traps import without_session

from .walk import find_links, get


def _deep_sites(world: World) -> Iterator[tuple[int, SitePlan]]:
    for index in range(world.sites):
        plan = world.plan(index)
        if plan.databases and not plan.traits.is_dead:
            yield index, plan


def _ask(world: World, plan: SitePlan, form: FormPlan, values: dict[str, str]) -> list[int]:
    """Submit a form as a browser does and follow every next page; returns the record numbers in order."""
    url, body = f"{plan.origin}{form.action}", urlencode(values).encode()
    request = Request(url, "POST", body) if form.method == "POST" else Request(f"{url}?{body.decode()}")
    found: list[int] = []
    while True:
        page = world.answer(request)
        assert isinstance(page, Response)
        assert page.status == 200
        found += [number for link in find_links(page) for number in _record_at(plan, form.database, link)]
        if len(found) % 10 or not found:
            return found
        following = re.findall(
            rf'href="([^"]*)">{re.escape(plan.habits.next.replace(">", "&gt;"))}</a>', page.body.decode("latin-1")
        )
        if not following:
            return found
        request = Request(next(link for link in find_links(page) if _without_dots(link, following[0])))


def _without_dots(link: str, href: str) -> bool:
    return link.rpartition("?")[2] == href.replace("&amp;", "&").rpartition("?")[2]


def _record_at(plan: SitePlan, database: int, link: str) -> list[int]:
    text = link.removeprefix(plan.origin)
    for trap in plan.traps:
        text = without_session(trap, text) if trap.kind == "session" else text
    detail = read_detail(plan, split_address(text))
    return [detail[1]] if detail and detail[0] == database else []


def _matches(record: Record, field: FieldPlan, value: str) -> bool:
    values = [each for name, each in record.values if name == field.attribute]
    if field.operator == "equals":
        return value in values
    if field.operator == "contains":
        return any(all(word in each.lower() for word in value.lower().split()) for each in values)
    if field.operator == "min":
        return int(values[0]) >= int(value)
    if field.operator == "max":
        return int(values[0]) <= int(value)
    text = " ".join(each for _, each in record.values).lower()
    return all(word in text for word in value.lower().split())


def test_every_database_answers_each_field_with_exactly_the_matching_records(world: World) -> None:
    operators = []
    for index, plan in islice(_deep_sites(world), 10):
        for form in plan.forms:
            if form.kind != "database":
                continue
            records = world.records(index, form.database)
            for field in form.fields:
                if field.operator:
                    value = dict(records[7].values)[field.attribute or records[7].values[0][0]]
                    sent = next((code for code, label in field.choices if label == value), value)
                    expected = [number for number, record in enumerate(records) if _matches(record, field, value)]
                    assert _ask(world, plan, form, {field.name: sent}) == expected
                    assert 7 in expected
                    operators.append(field.operator)
    assert set(operators) == {"keyword", "contains", "equals", "min", "max"}
    assert len(operators) > 80


def test_two_conditions_are_both_kept(world: World) -> None:
    index, plan, form = next(
        (index, plan, form)
        for index, plan in _deep_sites(world)
        for form in plan.forms
        if sum(field.operator == "equals" for field in form.fields) >= 2
    )
    first, second = [field for field in form.fields if field.operator == "equals"][:2]
    records = world.records(index, form.database)
    values = dict(records[3].values)
    sent = {
        field.name: next(code for code, label in field.choices if label == values[field.attribute])
        for field in (first, second)
    }
    expected = [
        number
        for number, record in enumerate(records)
        if _matches(record, first, values[first.attribute]) and _matches(record, second, values[second.attribute])
    ]
    assert _ask(world, plan, form, sent) == expected


def test_nothing_found_and_nothing_asked_are_said_in_words(world: World) -> None:
    said = set()
    for _, plan in _deep_sites(world):
        form = next(form for form in plan.forms if form.kind == "database")
        field = next(field for field in form.fields if field.operator)
        nothing = get(world, f"{plan.origin}{form.action}?{field.name}=zzzz")
        if field.operator not in ("min", "max"):
            assert plan.habits.empty.encode() in nothing.body
        blank = get(world, f"{plan.origin}{form.action}?{field.name}=")
        assert (plan.habits.blank.encode() in blank.body.replace(b"&#x27;", b"'")) is (
            plan.habits.answers_blank == "nothing"
        )
        said.add(plan.habits.answers_blank)
    assert said == {"all", "nothing"}


def test_a_record_has_a_page_with_all_its_values(world: World) -> None:
    index, plan = next(_deep_sites(world))
    page = get(world, plan.origin + detail_path(plan, 0, 5))
    text = page.body.decode(plan.habits.encoding)
    assert page.status == 200
    assert all(value.replace("&", "&amp;") in text for _, value in world.records(index)[5].values)
    assert get(world, plan.origin + detail_path(plan, 0, 99999)).status in (200, 404)


@pytest.mark.parametrize("start", ["abc", "-1", "99999999999", "0", "٣"])
def test_odd_page_numbers_do_no_harm(world: World, start: str) -> None:
    _, plan = next(_deep_sites(world))
    form = next(form for form in plan.forms if form.kind == "database")
    query = urlencode({plan.habits.page_parameter: start})
    assert get(world, f"{plan.origin}{form.action}?{query}").status == 200
