"""What is asked first, before anything was drawn."""

from __future__ import annotations

import pytest

from dowse.form.doors import open_door
from dowse.harvest.opening import Opening, open_interface
from dowse.harvest.seeds import first_queries, nothing_query
from dowse.model import Door, Page, Query, Response, Value
from dowse.page import read_page

MAKE = "<label>Make <select name=mk><option value=''>Any make</option><option value=1>Ford</option><option value=2>Opel</option></select></label>"
FORMS = {
    "one": f"<label>Author <input name=author required></label>{MAKE}",
    "two": f"<label>Author <input name=author required></label><label>Title <input name=title required></label>{MAKE}",
    "words and one": "<label>Keywords <input name=q required></label><label>City <input name=city required></label>",
}


def find_door(controls: str) -> tuple[Door, Page, Opening]:
    html = f"<title>Books</title><form action=/find>{controls}<button>Search</button></form><a href=/b>Novels and poems</a>"
    page = read_page(Response("http://e.com/", 200, (), html.encode()))
    door = open_door(page.forms[0], page)
    return door, page, open_interface(door)


def ask(controls: str, *given: Value) -> list[Query]:
    door, page, opening = find_door(controls)
    return list(first_queries(given, opening, door, page))


def test_a_form_that_demands_nothing_is_asked_for_one_value_at_a_time() -> None:
    queries = ask(f"<label>Author <input name=author></label>{MAKE}", Value("author", "Kafka"))
    assert queries[:2] == [Query((Value("author", "Kafka"),)), Query()]
    assert all(len(query.values) == 1 for query in queries[2:])
    assert Query((Value("make", "Ford"),)) in queries


@pytest.mark.parametrize("name", FORMS)
def test_each_query_has_all_that_the_form_demands(name: str) -> None:
    opening, queries = find_door(FORMS[name])[2], ask(FORMS[name])
    required = set(opening.interface.required)
    assert required
    assert queries
    for query in queries:
        named = [value.attribute for value in query.values]
        assert required <= set(named)
        assert len(set(named)) == len(named)
    assert len(set(queries)) == len(queries)


def test_choices_are_asked_for_beside_what_is_demanded() -> None:
    assert any(Value("make", "Ford") in query.values for query in ask(FORMS["two"]))


def test_what_stands_beside_a_value_changes() -> None:
    beside = {value.text for query in ask(FORMS["two"]) for value in query.values if value.attribute == "title"}
    assert len(beside) > 2


def test_given_values_are_asked_for_together() -> None:
    queries = ask(FORMS["two"], Value("author", "Kafka"), Value("title", "Amerika"))
    assert queries[0] == Query((Value("author", "Kafka"), Value("title", "Amerika")))
    assert queries.count(queries[0]) == 1


def test_a_given_value_stays_while_the_other_boxes_are_tried() -> None:
    queries = ask(FORMS["two"], Value("author", "Kafka"))
    with_it = [query for query in queries if Value("author", "Kafka") in query.values]
    assert with_it[0] == queries[0]
    assert len({value.text for query in with_it for value in query.values if value.attribute == "title"}) > 2


@pytest.mark.parametrize("name", FORMS)
def test_the_query_that_finds_nothing_has_all_that_the_form_demands(name: str) -> None:
    door, _, opening = find_door(FORMS[name])
    query = nothing_query(opening, door)
    assert query is not None
    assert set(opening.interface.required) <= {value.attribute for value in query.values}
    assert len({value.text for value in query.values}) == 1
