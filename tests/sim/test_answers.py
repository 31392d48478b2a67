"""Databases answer queries through their forms: exactly the records that match, page by page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from dowse.model import Request, Response
from dowse.sim import World
from dowse.sim.answers import detail_path, read_detail
from dowse.sim.databases import DatabasePlan
from dowse.sim.formplan import FormPlan, read_asks
from dowse.sim.pages import form_token
from dowse.sim.plan import SitePlan
from dowse.sim.tables import Order
from dowse.sim.traps import without_session
from dowse.sim.view import Question

from .walk import find_links, get


def _deep_sites(world: World) -> Iterator[tuple[int, SitePlan]]:
    for index in range(world.sites):
        plan = world.plan(index)
        if plan.databases and not plan.traits.is_dead:
            yield index, plan


def _submit(world: World, plan: SitePlan, form: FormPlan, values: dict[str, str]) -> Response:
    """Submit a form as a browser does: with its token, its cookie, in the page's encoding."""
    hidden = {part.name: part.value for each in form.questions if each.kind == "state" for part in each.parts}
    sent = {name: form_token(plan) if value == "{token}" else value for name, value in hidden.items()} | values
    body = urlencode(sent, encoding=plan.habits.encoding, errors="xmlcharrefreplace").encode()
    headers = (("cookie", "=".join(plan.cookie)),) if plan.cookie else ()
    url = f"{plan.origin}{form.action}"
    request = (
        Request(url, "POST", body, headers)
        if form.method == "POST"
        else Request(f"{url}?{body.decode()}", headers=headers)
    )
    page = world.answer(request)
    assert isinstance(page, Response)
    assert page.status == 200
    return page


def _records_on(plan: SitePlan, database: int, page: Response) -> set[int]:
    found = set()
    for link in find_links(page):
        text = link.removeprefix(plan.origin)
        for trap in plan.traps:
            text = without_session(trap, text) if trap.kind == "session" else text
        detail = read_detail(plan, text)
        if detail and detail[0] == database:
            found.add(detail[1])
    return found


def _value_for(world: World, index: int, form: FormPlan, question: Question) -> tuple[str, dict[str, str]]:
    """Return a value of record 7 for a question, and what a person would send."""
    row = world.database(index, form.database).row(7)
    values = (
        row[question.attribute] if question.attribute else world.database(index, form.database).row(7)[next(iter(row))]
    )
    if not values:
        return "", {}
    part = question.parts[0]
    sent = next((code for code, label in part.choices if label == values[0]), values[0])
    if question.operator == "since" and len(question.parts) == 3:
        year, month, day = values[0].split("-")
        return values[0], {p.name: str(int(v)) for p, v in zip(question.parts, (day, month, year), strict=True)}
    if question.operator == "range" and part.choices:
        sent = part.choices[0][0]
    return values[0], {part.name: sent}


def test_every_question_is_answered_with_matching_records(world: World) -> None:
    operators = set()
    for index, plan in list(_deep_sites(world))[:25]:
        for form in plan.forms:
            if form.kind != "database":
                continue
            database, table = plan.databases[form.database], world.database(index, form.database)
            for question in form.questions:
                value, sent = _value_for(world, index, form, question) if question.operator else ("", {})
                if not value:
                    continue
                asks = read_asks(plan.questions[form.database], tuple(sent.items()))
                assert asks, (question, sent)
                total, numbers = table.find(asks, Order(), 0, database.page_size)
                page = _submit(world, plan, form, sent)
                assert total, (asks, sent)
                if database.details == "yes":
                    assert set(numbers) <= _records_on(plan, form.database, page)
                operators.add(question.operator)
    assert operators == {"keyword", "contains", "equals", "range", "max", "since"}


def _shown(database: DatabasePlan) -> int:
    return min(database.size, database.limit or database.size)


def test_paging_gives_every_record_once(world: World) -> None:
    walked = 0
    for _, plan in _deep_sites(world):
        form = next((each for each in plan.forms if each.database == 0 and each.method == "GET"), None)
        database = plan.databases[0]
        if (
            form is None
            or database.details == "no"
            or database.extras != "none"
            or plan.cookie
            or _shown(database) > 1000
        ):
            continue
        if database.blank != "all":
            continue
        name, counts = plan.habits.paging
        seen: list[int] = []
        for page in range(-(-_shown(database) // database.page_size) + 1):
            start = page * database.page_size if counts == "records" else page + 1
            answer = get(world, f"{plan.origin}{form.action}?{urlencode({name: start})}")
            seen += sorted(_records_on(plan, 0, answer))
        assert sorted(seen) == list(range(_shown(database))), plan.origin
        walked += 1
    assert walked >= 3


def test_next_links_lead_on(world: World) -> None:
    followed = 0
    for _, plan in _deep_sites(world):
        form = next((each for each in plan.forms if each.database == 0 and each.method == "GET"), None)
        database = plan.databases[0]
        if form is None or plan.cookie or database.blank != "all" or database.size <= database.page_size:
            continue
        page = get(world, f"{plan.origin}{form.action}")
        step = re.compile(rf"{re.escape(urlencode({plan.habits.paging[0]: ''}))}[0-9]")
        there = [link for link in find_links(page) if step.search(link) and form.action in link]
        assert there, plan.origin
        if database.details == "yes" and database.extras == "none":
            first, second = _records_on(plan, 0, page), _records_on(plan, 0, get(world, there[0]))
            assert second
            assert not first & second
        followed += 1
    assert followed > 10


def test_nothing_found_and_nothing_asked_are_said_in_words(world: World) -> None:
    said = set()
    for _, plan in _deep_sites(world):
        form = next(form for form in plan.forms if form.kind == "database")
        question = next((each for each in form.questions if each.operator in ("keyword", "contains")), None)
        if question is None:
            continue
        nothing = _submit(world, plan, form, {question.parts[0].name: "zzzz qqqq"})
        assert plan.habits.says["empty"] in nothing.body.decode(plan.habits.encoding)
        blank = _submit(world, plan, form, {question.parts[0].name: ""})
        is_blank = plan.habits.says["blank"] in blank.body.decode(plan.habits.encoding)
        assert is_blank is (plan.databases[form.database].blank == "nothing")
        said.add(is_blank)
    assert said == {True, False}


def test_a_token_or_a_cookie_that_is_missing_is_noticed(world: World) -> None:
    refused = set()
    for _, plan in _deep_sites(world):
        for form in plan.forms:
            wants_token = any(part.value == "{token}" for each in form.questions for part in each.parts)
            wants_cookie = form.database >= 0 and plan.databases[form.database].session == "cookie"
            if not (wants_token or wants_cookie):
                continue
            page = world.answer(Request(f"{plan.origin}{form.action}", form.method))
            assert isinstance(page, Response)
            assert plan.habits.says["expired"] in page.body.decode(plan.habits.encoding)
            refused.add("token" if wants_token else "cookie")
            if wants_cookie:
                assert page.header("set-cookie").startswith("=".join(plan.cookie or ()))
    assert refused == {"token", "cookie"}


def test_a_record_has_a_page_with_all_its_values(world: World) -> None:
    index, plan = next(each for each in _deep_sites(world) if each[1].databases[0].details == "yes")
    page = get(world, plan.origin + detail_path(plan, 0, 5))
    text = page.body.decode(plan.habits.encoding)
    assert page.status == 200
    values = [value for values in world.database(index).row(5).values() for value in values]
    assert all(value.replace("&", "&amp;").replace("'", "&#x27;") in text for value in values)
    assert read_detail(plan, detail_path(plan, 0, 9_999_999)) is None


def test_counts_are_exact_wrong_rough_or_not_there(world: World) -> None:
    assert {each.count for _, plan in _deep_sites(world) for each in plan.databases} == {
        "exact",
        "none",
        "rough",
        "wrong",
    }


def test_records_can_be_sorted(world: World) -> None:
    for _, plan in _deep_sites(world):
        database = plan.databases[0]
        form = next((each for each in plan.forms if each.database == 0 and each.method == "GET"), None)
        if (
            form
            and database.sorts == "yes"
            and database.blank == "all"
            and database.details == "yes"
            and not plan.cookie
        ):
            page = get(world, f"{plan.origin}{form.action}?x=1")
            name = plan.habits.name("sort")
            assert any(f"{urlencode({name: ''})}" in link for link in find_links(page)), plan.origin
            return
    pytest.fail("no database that sorts")


@pytest.mark.parametrize("start", ["abc", "-1", "99999999999", "0", "٣"])
def test_odd_page_numbers_do_no_harm(world: World, start: str) -> None:
    _, plan = next(_deep_sites(world))
    form = next(form for form in plan.forms if form.kind == "database")
    query = urlencode({plan.habits.paging[0]: start})
    assert get(world, f"{plan.origin}{form.action}?{query}").status == 200


def test_signs_without_a_letter_do_not_give_everything(world: World) -> None:
    refused = 0
    for _, plan in _deep_sites(world):
        form = next(form for form in plan.forms if form.kind == "database")
        question = next((each for each in form.questions if each.operator in ("keyword", "contains")), None)
        if question is None or plan.databases[form.database].signs != "nothing":
            continue
        page = _submit(world, plan, form, {question.parts[0].name: "*"})
        assert plan.habits.says["empty"] in page.body.decode(plan.habits.encoding)
        refused += 1
    assert refused > 10
