"""What can be asked of a door, what goes into its form, and addresses with places for a query."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.form.doors import open_door
from dowse.harvester.door import (
    FieldMap,
    fill_template,
    first_queries,
    has_pages,
    map_fields,
    nothing_query,
    read_values,
)
from dowse.model import Door, Page, Query, Range, Request, Response, Value, Verdict
from dowse.page import read_page

FORM = """
<label>Keywords <input name=q></label>
<label>Author <input name=author_name></label>
<label>Make <select name=mk><option value="">Any make</option><option value=12>Ford</option><option value=7>Opel</option></select></label>
<fieldset><legend>Price</legend>from <input type=number name=price_min> to <input type=number name=price_max></fieldset>
<label>Results per page <select name=per_page><option>10<option>25<option>100</select></label>
"""


def door(controls: str) -> Door:
    html = f"<form action=/find>{controls}<button>Search</button></form>"
    page: Page = read_page(Response("http://e.com/", 200, (), html.encode()))
    return open_door(page.forms[0], page)


@pytest.fixture(scope="module")
def field_map() -> FieldMap:
    return map_fields(door(FORM))


def test_what_can_be_asked(field_map: FieldMap) -> None:
    interface = field_map.interface
    assert interface.keyword
    assert interface.attributes == ("author",)
    assert interface.choices == (("make", ("Ford", "Opel")),)
    assert [span.attribute for span in interface.spans] == ["price"]
    assert interface.joins


def test_the_largest_page_is_asked_for(field_map: FieldMap) -> None:
    assert field_map.fixed == {"per_page": "100"}
    assert field_map.interface.page_size == 100


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        pytest.param(Query((Value("", "blue"),)), {"q": "blue"}, id="words go into the box for any words"),
        pytest.param(Query((Value("author", "Kafka"),)), {"author_name": "Kafka"}, id="a value into its own box"),
        pytest.param(Query((Value("make", "Opel"),)), {"mk": "7"}, id="a choice is sent by its code"),
        pytest.param(Query(ranges=(Range("price", "5", "9"),)), {"price_min": "5", "price_max": "9"}, id="a range by its ends"),
        pytest.param(Query((Value("make", "Ford"), Value("author", "Poe"))), {"mk": "12", "author_name": "Poe"}, id="two at once"),
        pytest.param(Query(), {}, id="nothing"),
    ],
)  # fmt: skip
def test_a_query_goes_into_the_form(field_map: FieldMap, query: Query, sent: dict[str, str]) -> None:
    assert field_map.fill(query) == {"per_page": "100"} | sent


@pytest.mark.parametrize(
    ("query", "why"),
    [
        pytest.param(Query((Value("make", "Lada"),)), "has no choice 'Lada'", id="no such choice"),
        pytest.param(Query((Value("colour", "red"),)), "has no condition 'colour'; it has author, make, price", id="no such condition"),
        pytest.param(Query(ranges=(Range("year", "1", "2"),)), "has no range for 'year'", id="no such range"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_says_why(field_map: FieldMap, query: Query, why: str) -> None:
    refused = field_map.fill(query)
    assert isinstance(refused, Verdict)
    assert why in refused.reason


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("author=Kafka", Value("author", "Kafka"), id="by attribute"),
        pytest.param("Author=Kafka", Value("author", "Kafka"), id="by label"),
        pytest.param("author_name=Kafka", Value("author", "Kafka"), id="by the name of the control"),
        pytest.param("blue whale", Value("", "blue whale"), id="words"),
    ],
)
def test_values_that_a_user_gives(field_map: FieldMap, text: str, value: Value) -> None:
    assert read_values([text], field_map) == [value]


def test_a_value_for_nothing_says_what_there_is(field_map: FieldMap) -> None:
    refused = read_values(["colour=red"], field_map)
    assert isinstance(refused, Verdict)
    assert refused.reason == "the form has no condition 'colour'; it has author, make, price"


def test_a_form_without_a_box_for_any_words() -> None:
    refused = read_values(
        ["red"], map_fields(door("<label>Author <input name=a></label><label>Title <input name=t></label>"))
    )
    assert isinstance(refused, Verdict)
    assert "name the condition" in refused.reason


MAKE = "<label>Make <select name=mk><option value=''>Any make</option><option value=1>Ford</option><option value=2>Opel</option></select></label>"
FORMS = {
    "one": f"<label>Author <input name=author required></label>{MAKE}",
    "two": f"<label>Author <input name=author required></label><label>Title <input name=title required></label>{MAKE}",
    "words and one": "<label>Keywords <input name=q required></label><label>City <input name=city required></label>",
}


def find_door(controls: str) -> tuple[Door, Page, FieldMap]:
    html = f"<title>Books</title><form action=/find>{controls}<button>Search</button></form><a href=/b>Novels and poems</a>"
    page = read_page(Response("http://e.com/", 200, (), html.encode()))
    door = open_door(page.forms[0], page)
    return door, page, map_fields(door)


def ask(controls: str, *given: Value) -> list[Query]:
    door, page, field_map = find_door(controls)
    return list(first_queries(given, field_map, door, page))


def test_a_form_that_demands_nothing_is_asked_for_one_value_at_a_time() -> None:
    queries = ask(f"<label>Author <input name=author></label>{MAKE}", Value("author", "Kafka"))
    assert queries[:2] == [Query((Value("author", "Kafka"),)), Query()]
    assert all(len(query.values) == 1 for query in queries[2:])
    assert Query((Value("make", "Ford"),)) in queries


@pytest.mark.parametrize("name", FORMS)
def test_each_query_has_all_that_the_form_demands(name: str) -> None:
    field_map, queries = find_door(FORMS[name])[2], ask(FORMS[name])
    required = set(field_map.interface.required)
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
    door, _, field_map = find_door(FORMS[name])
    query = nothing_query(field_map, door)
    assert query is not None
    assert set(field_map.interface.required) <= {value.attribute for value in query.values}
    assert len({value.text for value in query.values}) == 1


@pytest.mark.parametrize(
    ("template", "wanted"),
    [
        ("http://a.test/?q={query}&page={page}", "http://a.test/?q=red%20car&page=3"),
        ("http://a.test/{query}/{start}/{count}", "http://a.test/red%20car/40/20"),
        ("http://a.test/?q={searchTerms}&p={startPage?}", "http://a.test/?q=red%20car&p=3"),
        ("http://a.test/?q={searchTerms}&i={startIndex?}&n={count?}", "http://a.test/?q=red%20car&i=41&n=20"),
        ("http://a.test/?q={searchTerms}&box={geo:box?}&l={language}", "http://a.test/?q=red%20car&box=&l=*"),
    ],
)
def test_places_are_filled(template: str, wanted: str) -> None:
    assert fill_template(template, "red car", 2, 20) == Request(wanted)


def test_counting_begins_where_the_description_says() -> None:
    template = "http://a.test/?q={searchTerms}&p={startPage}&i={startIndex}"
    assert fill_template(template, "a", 1, 10, page_offset=0, index_offset=0) == Request("http://a.test/?q=a&p=1&i=10")


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("ftp://a.test/{query}", "the template is no web address: it begins neither with http:// nor with https://"),
        ("http://a.test/?q=x", "the template has no place for what is asked: {query}"),
        ("http://a.test/?q={query}&x={secret}", "the template wants {secret}; known are {query}, {page}, {start}, {count}"),
        ("http://a.test/?q={query", "the template has a brace that is not part of a place such as {query}, {page}, {start}, {count}"),
        ("http://{query}.test/", "the template has a place in its host"),
        ("http:///{query}", "the template names no host"),
        ("http://a.test/{query}" + "x" * 5_000, "the template has more than 4,096 characters"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(template: str, reason: str) -> None:
    assert fill_template(template, "a") == Verdict(False, reason)


def test_pages_are_counted_from_0() -> None:
    assert isinstance(fill_template("http://a.test/{query}", "a", -1), Verdict)


def test_whether_there_are_later_pages() -> None:
    assert has_pages("http://a.test/?q={query}&p={page}")
    assert not has_pages("http://a.test/?q={query}")


@given(st.text(max_size=100))
def test_any_template_and_any_query(text: str) -> None:
    assert isinstance(fill_template(text, "a"), Request | Verdict)
    filled = fill_template("http://a.test/?q={query}", text)
    assert isinstance(filled, Request)
    assert filled.url.isascii()
