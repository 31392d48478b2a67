"""From a door to what can be asked, and from a query to what goes into the form."""

from __future__ import annotations

import pytest

from dowse.form.doors import open_door
from dowse.harvest.opening import Opening, open_interface, read_values
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
