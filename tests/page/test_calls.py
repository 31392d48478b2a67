"""Calls of scripts as forms."""

from __future__ import annotations

import pytest

from dowse.model import Call, Form
from dowse.page.calls import MAX_FORMS, find_call_forms


def fields(form: Form) -> list[tuple[str, str, str]]:
    return [(field.name, field.type, field.value) for field in form.fields]


def get(url: str, status: int = 200) -> Call:
    return Call(url, "GET", "", "application/json", status, 10)


def post(body: str) -> Call:
    return Call("http://e.com/api", "POST", body, "application/json", 200, 10)


def test_a_question_in_the_address() -> None:
    (form,) = find_call_forms([get("http://api.e.com/books?q=all&page=1&sort=")])
    assert (form.method, form.action, form.made) == ("GET", "http://api.e.com/books", "call")
    assert fields(form) == [("q", "search", "all"), ("page", "hidden", "1"), ("sort", "hidden", "")]


def test_a_question_in_a_json_body() -> None:
    (form,) = find_call_forms([post('{"query": {"searchTerm": "x", "size": 20}, "facets": ["a"], "deep": null}')])
    assert (form.method, form.action, form.enctype) == ("POST", "http://e.com/api", "application/json")
    assert fields(form) == [("query.searchTerm", "search", "x"), ("query.size", "hidden", "20")]


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(get("http://e.com/menu.json"), id="asks nothing"),
        pytest.param(get("http://e.com/menu.json?v=3&quiet=1"), id="no question among the parameters"),
        pytest.param(get("http://e.com/find?q=x", status=404), id="not there"),
        pytest.param(get("ftp://e.com/find?q=x"), id="another scheme"),
        pytest.param(post("{"), id="broken JSON"),
        pytest.param(post("[" * 100_000), id="deep JSON"),
        pytest.param(post('{"a":' * 100 + '{"q": 1}' + "}" * 100), id="a question too deep"),
        pytest.param(post('{"query": "query { books { title } }"}'), id="GraphQL"),
        pytest.param(get("http://e.com/?" + "&".join(f"a{n}=1" for n in range(500))), id="too many parameters"),
    ],
)
def test_what_is_no_form(call: Call) -> None:
    assert find_call_forms([call]) == []


def test_each_address_once_and_no_more_than_the_bound() -> None:
    same = [get(f"http://e.com/find?q={word}") for word in ("a", "b", "c")]
    assert len(find_call_forms(same)) == 1
    many = [get(f"http://e.com/{number}?q=a") for number in range(50)]
    assert len(find_call_forms(many)) == MAX_FORMS
