"""What can be asked of a door, what goes into its form, and addresses with places for a query."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.form.doors import open_door
from dowse.harvester.door import (
    MAX_VALUES_PER_RECORD,
    AttributeMap,
    FieldMap,
    fill_template,
    first_queries,
    has_pages,
    map_fields,
    nothing_query,
    read_values,
)
from dowse.model import Door, Link, Page, Query, Range, Record, Request, Response, Value, Verdict
from dowse.page import read_page
from dowse.select.selector import Interface, Span
from tests.hash_seeds import run_with_hash_seed

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
        ("ftp://a.test/{query}", "the template is not a web address: it begins neither with http:// nor with https://"),
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


def record(**held: str) -> Record:
    return Record(tuple(Value(name, text) for name, text in held.items()))


def test_by_name() -> None:
    matching = AttributeMap(Interface(("author",)))
    matching.learn(Query(), [record(Author="Kafka", Year="1925")])
    assert matching.asks == {"Author": "author"}


def test_by_choices() -> None:
    matching = AttributeMap(Interface(choices=(("make", ("Ford", "Opel", "Lada")),)))
    matching.learn(Query(), [record(brand="ford", model="Ka"), record(brand="Opel", model="Astra")])
    assert matching.asks == {"brand": "make"}
    assert matching.decompose(record(brand="FORD", model="Ka")) == [Value("make", "Ford")]


def test_by_what_an_answer_shows() -> None:
    matching = AttributeMap(Interface(("writer",)))
    matching.learn(Query((Value("writer", "Kafka"),)), [record(c1="Franz Kafka", c2=f"book {n}") for n in range(4)])
    assert matching.asks == {"c1": "writer"}
    words = [
        Value("writer", text) for text in ("Max Brod", "max", "brod")
    ]  # a word was asked for, and found values with it
    assert matching.decompose(record(c1="Max Brod", c2="x")) == words


def test_of_attributes_that_show_it_as_often_the_first_one_is_taken_whatever_the_order_of_sets() -> None:
    script = (
        "from dowse.harvester.door import AttributeMap\n"
        "from dowse.model import Query, Record, Value\n"
        "from dowse.select.selector import Interface\n"
        "records = [Record(tuple(Value(f'c{n}', 'Franz Kafka') for n in range(9))) for _ in range(4)]\n"
        "matching = AttributeMap(Interface(('writer',)))\n"
        "matching.learn(Query((Value('writer', 'Kafka'),)), records)\n"
        "print(matching.asks)"
    )
    assert {run_with_hash_seed(script, seed) for seed in range(3)} == {"{'c0': 'writer'}"}


def test_two_records_tell_nothing() -> None:
    matching = AttributeMap(Interface(("writer",)))
    matching.learn(Query((Value("writer", "Kafka"),)), [record(c1="Franz Kafka"), record(c1="Kafka, F.")])
    assert not matching.asks


def test_a_box_for_any_words_gets_values_and_their_words() -> None:
    matching = AttributeMap(Interface(keyword=True))
    assert matching.decompose(record(title="The Blue Whale")) == [
        Value("", "The Blue Whale"), Value("", "blue"), Value("", "whale"),
    ]  # fmt: skip


def test_a_long_text_is_asked_for_by_its_words() -> None:
    matching = AttributeMap(Interface(keyword=True))
    text = "words " * 50
    assert matching.decompose(record(about=text)) == [Value("", "words")]


def test_a_record_cannot_fill_the_graph() -> None:
    matching = AttributeMap(Interface(keyword=True))
    text = " ".join(f"wo{chr(97 + n % 26)}rd{chr(97 + n // 26)}" for n in range(500))
    assert len(matching.decompose(record(about=text))) == MAX_VALUES_PER_RECORD


@pytest.mark.parametrize(
    ("own", "shown"),
    [
        pytest.param("height in cm", "Height", id="with its unit"),
        pytest.param("cognome dell autore", "Autore", id="a part of the other"),
        pytest.param("autori", "Autore", id="another ending"),
    ],
)
def test_names_that_are_alike(own: str, shown: str) -> None:
    matching = AttributeMap(Interface((own,)))
    matching.learn(Query(), [record(**{shown: "x", "Other": "y"})])
    assert matching.asks == {shown: own}


def test_a_range_is_matched_to_what_has_its_type() -> None:
    held = [record(Published=f"2001-0{n}-02", Year=str(2000 + n), Title=f"Book {n}") for n in range(1, 5)]
    matching = AttributeMap(Interface(spans=(Span("year published"), Span("in print", "date"))))
    matching.learn(Query(), held)
    assert matching.asks == {"Year": "year published", "Published": "in print"}


def test_what_an_answer_shows_is_believed_before_a_name() -> None:
    matching = AttributeMap(Interface(("name",)))
    held = [record(Name=f"Book {n}", c2="Franz Kafka") for n in range(4)]
    matching.learn(Query(), held)
    assert matching.asks == {"Name": "name"}
    matching.learn(Query((Value("name", "Franz Kafka"),)), held)
    assert matching.asks == {"c2": "name"}


def test_a_choice_in_a_longer_text_is_no_value_of_it() -> None:
    matching = AttributeMap(Interface(choices=(("town", ("Bonn", "Ulm")),)))
    matching.learn(Query((Value("town", "Bonn"),)), [record(title=f"House {n} in Bonn") for n in range(5)])
    assert not matching.asks


def test_values_of_records_are_tried_in_boxes_that_nobody_knows() -> None:
    held = [record(c1="The Trial", c2="Franz Kafka", c3="1925"), record(c1="Amerika", c2="Franz Kafka", c3="1927")]
    matching = AttributeMap(Interface(("by",)))
    tried = []
    for query in matching.trials(held):
        tried.append(query.values[0].text)
        matching.learn(query, [each for each in held if Value("c2", query.values[0].text) in each.values])
    assert tried == ["The Trial", "Franz Kafka"]
    assert matching.asks == {"c2": "by"}


def test_a_range_is_asked_for_all_that_it_holds_and_letters_are_those_of_the_page(field_map: FieldMap) -> None:
    page = Page("http://e.com/", title="東京の家", links=(Link("http://e.com/a", "東京"), Link("http://e.com/b", "東")))
    asked = list(first_queries((), field_map, door(FORM), page))
    assert [query.ranges[0].attribute for query in asked if query.ranges] == ["price"]
    assert Query((Value("author", "東"),)) in asked
