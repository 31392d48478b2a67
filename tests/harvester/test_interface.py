"""From a door to what can be asked, and from a query to what goes into the form."""

from __future__ import annotations

import pytest

from dowse.form.doors import open_door
from dowse.harvester.interface import Opening, first_queries, nothing_query, open_interface, read_values
from dowse.model import Door, Page, Query, Range, Response, Value, Verdict
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
def opening() -> Opening:
    return open_interface(door(FORM))


def test_what_can_be_asked(opening: Opening) -> None:
    interface = opening.interface
    assert interface.keyword
    assert interface.attributes == ("author",)
    assert interface.choices == (("make", ("Ford", "Opel")),)
    assert [span.attribute for span in interface.spans] == ["price"]
    assert interface.joins


def test_the_largest_page_is_asked_for(opening: Opening) -> None:
    assert opening.fixed == {"per_page": "100"}
    assert opening.interface.page_size == 100


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
def test_a_query_goes_into_the_form(opening: Opening, query: Query, sent: dict[str, str]) -> None:
    assert opening.fill(query) == {"per_page": "100"} | sent


@pytest.mark.parametrize(
    ("query", "why"),
    [
        pytest.param(Query((Value("make", "Lada"),)), "has no choice 'Lada'", id="no such choice"),
        pytest.param(Query((Value("colour", "red"),)), "has no condition 'colour'; it has author, make, price", id="no such condition"),
        pytest.param(Query(ranges=(Range("year", "1", "2"),)), "has no range for 'year'", id="no such range"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_says_why(opening: Opening, query: Query, why: str) -> None:
    refused = opening.fill(query)
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
def test_values_that_a_user_gives(opening: Opening, text: str, value: Value) -> None:
    assert read_values([text], opening) == [value]


def test_a_value_for_nothing_says_what_there_is(opening: Opening) -> None:
    refused = read_values(["colour=red"], opening)
    assert isinstance(refused, Verdict)
    assert refused.reason == "the form has no condition 'colour'; it has author, make, price"


def test_a_form_without_a_box_for_any_words() -> None:
    refused = read_values(
        ["red"], open_interface(door("<label>Author <input name=a></label><label>Title <input name=t></label>"))
    )
    assert isinstance(refused, Verdict)
    assert "name the condition" in refused.reason


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
