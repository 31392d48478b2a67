"""From controls to what can be asked."""

from __future__ import annotations

import pytest

from dowse.form.conditions import read_structure
from dowse.model import Condition, Field, Form, Option

DAYS = tuple(Option(str(day), str(day)) for day in range(1, 32))
MONTHS = tuple(
    Option(str(n), name) for n, name in enumerate("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)
)
YEARS = tuple(Option(str(year), str(year)) for year in range(2000, 2010))


def options(*labels: str) -> tuple[Option, ...]:
    return tuple(Option("" if not number else label, label) for number, label in enumerate(labels))


def text(name: str, near: str = "", **more: str) -> Field:
    return Field(name, "text", near=near, **more)  # type: ignore[arg-type]


def select(name: str, near: str = "", *labels: str, **more: str) -> Field:
    return Field(name, "select", near=near, options=options(*labels), **more)  # type: ignore[arg-type]


def box(name: str, words: str, group: str = "", value: str = "1") -> Field:
    return Field(name, "checkbox", near=words, group=group, value=value)


def radio(name: str, words: str, group: str = "") -> Field:
    return Field(name, "radio", near=words, group=group, value=words)


def conditions(*fields: Field) -> tuple[Condition, ...]:
    return read_structure(Form(0, "GET", "http://e.com/", fields)).conditions


def said(*fields: Field) -> list[tuple[str, str, str, str]]:
    """Return label, operator, type and fields of what is asked."""
    return [(each.label, each.operator, each.type, " ".join(each.fields)) for each in conditions(*fields)]


def roles(*fields: Field) -> dict[str, str]:
    controls = read_structure(Form(0, "GET", "http://e.com/", fields)).controls
    return {name: control.role for control in controls for name in control.fields}


# -- labels


@pytest.mark.parametrize(
    ("field", "label"),
    [
        pytest.param(Field("q", "text", label="Title:", near="x", placeholder="y"), "Title", id="label first"),
        pytest.param(Field("q", "text", near="Title *", placeholder="y"), "Title", id="then words beside it"),
        pytest.param(Field("q", "text", placeholder="Title", title="y"), "Title", id="then the placeholder"),
        pytest.param(Field("q", "text", value="Enter a title...", title="y"), "Enter a title...", id="or words in the box"),
        pytest.param(Field("q", "text", title="Title", aria="y"), "Title", id="then the title"),
        pytest.param(Field("q", "text", aria="Title"), "Title", id="then the aria-label"),
        pytest.param(Field("q", "text", value="ebola"), "", id="a value is no label"),
        pytest.param(Field("q", "text", value="12/31/2020"), "", id="a date is no label"),
        pytest.param(Field("q", "text", near="or"), "", id="a joining word is no label"),
        pytest.param(select("s", "", "All", "Books"), "", id="all is no label"),
        pytest.param(select("s", "", "All categories", "Books"), "All categories", id="all of what is one"),
        pytest.param(select("s", "", "Make:", "Audi"), "Make:".rstrip(":"), id="a first choice with a colon"),
        pytest.param(select("s", "", "エリアを選択", "関東"), "エリアを選択", id="an invitation"),
        pytest.param(select("s", "", "Distance", "50 miles", "100 miles"), "Distance", id="unlike the others"),
        pytest.param(Field("state", "select", options=(Option("x", "State"), Option("al", "Alabama"), Option("ak", "Alaska"), Option("az", "Arizona"))), "State", id="its name"),
        pytest.param(Field("type", "select", options=(Option("a", "Type A"), Option("b", "Type B"))), "", id="not its name"),
        pytest.param(select("s", "", "All books", "All films"), "All books", id="all of one, all of another"),
        pytest.param(select("s", "", "No comparison", "More"), "", id="a real choice that sends nothing"),
        pytest.param(select("s", "", "- choose -", "A", title="Maker"), "Maker", id="an invitation names nothing"),
        pytest.param(
            Field("s", "select", options=(Option("1", "Search posts"), Option("2", "Search titles"))), "", id="two alike"
        ),
    ],
)  # fmt: skip
def test_label(field: Field, label: str) -> None:
    assert [condition.label for condition in conditions(field)] == [label]


def test_the_words_before_a_scope_and_a_box_are_the_boxs() -> None:
    assert said(select("scope", "Search", "All", "Books"), text("q")) == [
        ("", "equals", "choice", "scope"),
        ("Search", "contains", "text", "q"),
    ]


def test_a_box_keeps_words_of_its_own() -> None:
    assert [each[0] for each in said(select("scope", "In", "All", "Books"), text("q", "For"))] == ["In", "For"]


def test_the_face_of_a_drawn_select_is_no_label() -> None:
    assert [each[0] for each in said(select("scope", "", "All things", "Kindle"), text("q", "Kindle"))] == [
        "All things",
        "",
    ]


# -- choices


def test_a_select_is_a_choice() -> None:
    (condition,) = conditions(Field("lang", "select", options=(Option("en", "English"), Option("fr", "French"))))
    assert (condition.operator, condition.type) == ("equals", "choice")
    assert [option.label for option in condition.options] == ["English", "French"]


def test_a_multiple_select_is_a_set() -> None:
    (condition,) = conditions(Field("lang", "select", options=(Option("en", "English"),), multiple=True))
    assert condition.operator == "in"


def test_radios_of_one_name_are_one_choice() -> None:
    (condition,) = conditions(
        Field("kind", "radio", label="New", value="n", group="Condition:"),
        Field("kind", "radio", label="Used", value="u", checked=True, group="Condition:"),
    )
    assert (condition.label, condition.operator, condition.fields) == ("Condition", "equals", ("kind",))
    assert condition.options == (Option("n", "New", False), Option("u", "Used", True))
    assert condition.default == ("u",)


def test_radios_without_a_heading_have_no_label() -> None:
    assert said(radio("kind", "New"), radio("kind", "Used")) == [("", "equals", "choice", "kind")]


@pytest.mark.parametrize(
    ("boxes", "expected"),
    [
        pytest.param([box("a", "Bar", "With"), box("b", "Pool", "With")], [("With", "in", "a b")], id="under one heading"),
        pytest.param([box("t[]", "Red"), box("t[]", "Blue")], [("", "in", "t[]")], id="one array"),
        pytest.param([box("search[]", "News"), box("search_feeds", "Feeds")], [("", "in", "search[] search_feeds")], id="one stem"),
        pytest.param([box("pool", "Pool"), box("bar", "Bar")], [("Pool", "equals", "pool"), ("Bar", "equals", "bar")], id="strangers"),
        pytest.param([box("new", "New only", "Extras")], [("Extras", "equals", "new")], id="one under a heading"),
        pytest.param([box("a", "x", "A"), box("b", "y", "B")], [("A", "equals", "a"), ("B", "equals", "b")], id="two headings"),
    ],
)  # fmt: skip
def test_boxes(boxes: list[Field], expected: list[tuple[str, str, str]]) -> None:
    assert [(label, operator, fields) for label, operator, _, fields in said(*boxes)] == expected


def test_a_stem_that_all_controls_have_joins_nothing() -> None:
    assert len(said(text("form[q]"), box("form[new]", "New"), box("form[cheap]", "Cheap"))) == 3


def test_a_title_that_all_boxes_share_is_their_label() -> None:
    fields = [Field("c", "checkbox", label=words, value=words, title="Colour") for words in ("Red", "Blue")]
    assert [each.label for each in conditions(*fields)] == ["Colour"]


# -- ranges


@pytest.mark.parametrize(
    ("low", "high"),
    [("price_min", "price_max"), ("year_from", "year_to"), ("minPrice", "maxPrice"), ("mincost", "maxcost"), ("fromYear", "toYear")],
)  # fmt: skip
def test_two_ends_make_a_range(low: str, high: str) -> None:
    (condition,) = conditions(Field(low, "text"), Field(high, "text"))
    assert (condition.operator, condition.type, condition.fields) == ("range", "number", (low, high))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param([text("p1", "Price: from"), text("p2", "to")], ("Price", "range", "number", "p1 p2"), id="one line"),
        pytest.param([text("p1", "von", group="Preis:"), text("p2", "bis")], ("Preis", "range", "number", "p1 p2"), id="group"),
        pytest.param([text("a", "", placeholder="Min. terület"), text("b", "", placeholder="Max. terület")],
            ("Min. terület", "range", "number", "a b"), id="label of the first end"),
        pytest.param([select("ccl", "Cost", "0", "1", "2"), select("ccu", "", "9", "1", "2")],
            ("Cost", "range", "number", "ccl ccu"), id="selects"),
        pytest.param([text("d1", "Date from"), text("d2", "to")], ("Date from", "range", "date", "d1 d2"), id="dates"),
        pytest.param([text("in", "Check-in"), text("out", "Check-out")], ("Check-in", "range", "date", "in out"), id="a stay"),
        pytest.param([text("a", "od", aria="Rok od"), text("b", "do", aria="Rok do")], ("Rok", "range", "number", "a b"), id="aria"),
        pytest.param([text("a", "from"), text("b", "to Price")], ("Price", "range", "number", "a b"), id="behind"),
    ],
)  # fmt: skip
def test_range(fields: list[Field], expected: tuple[str, str, str, str]) -> None:
    assert said(*fields) == [expected]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param([text("from_city"), text("airline")], id="neighbours"),
        pytest.param([text("origin_city", "From"), text("dest_city", "To")], id="a journey"),
        pytest.param([select("a", "Going from", "Bern", "Rome"), select("b", "Going to", "Bern", "Rome")], id="places"),
        pytest.param([text("dep", "Departing on"), text("ret", "Returning on")], id="out and back"),
        pytest.param([select("qty1", "Adults", "0", "1"), select("qty2", "Children", "0", "1")], id="counts"),
    ],
)
def test_no_range(fields: list[Field]) -> None:
    assert len(said(*fields)) == 2
    assert "range" not in [each[1] for each in said(*fields)]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        pytest.param(select("r", "Distance", "Any", "5 miles", "10 miles"), ("range", "number"), id="distance"),
        pytest.param(select("r", "Max. price", "", "100", "200"), ("range", "number"), id="at most"),
        pytest.param(select("r", "År fra", "Alle", "2014", "2015"), ("range", "number"), id="from"),
        pytest.param(
            select("r", "Posted", "Any date", "Yesterday", "Last week"), ("range", "date"), id="back from now"
        ),
        pytest.param(select("r", "Posts of", "All", "1 day", "7 days", "2 weeks"), ("range", "date"), id="stretches"),
        pytest.param(text("r", "Posted within [days]"), ("range", "date"), id="days"),
        pytest.param(select("r", "Duration", "Any", "7 days", "14 days"), ("equals", "choice"), id="how long it takes"),
        pytest.param(select("r", "Price", "Any", "0-100", "100-200"), ("equals", "choice"), id="brackets"),
        pytest.param(text("r", "Date"), ("equals", "date"), id="one date"),
        pytest.param(Field("r", "number", label="Rooms"), ("equals", "number"), id="a count"),
        pytest.param(text("r", "Postcode"), ("contains", "text"), id="typed"),
    ],
)
def test_operator_and_type(field: Field, expected: tuple[str, str]) -> None:
    ((_, operator, kind, _),) = said(field)
    assert (operator, kind) == expected


def test_a_word_for_an_end_is_no_attribute() -> None:
    (condition,) = conditions(text("year_from", "From"), text("year_to", "to"))
    assert (condition.label, condition.attribute) == ("From", "year")


# -- dates


def test_a_date_in_three_selects() -> None:
    parts = [
        Field("d", "select", near="Born", options=DAYS),
        Field("m", "select", options=MONTHS),
        Field("y", "select", options=YEARS),
    ]
    assert said(*parts) == [("Born", "equals", "date", "d m y")]


def test_two_dates_in_six_selects_are_a_range() -> None:
    def date(end: str, word: str) -> list[Field]:
        return [
            Field(f"{end}Month", "select", near=word, options=(Option("", ""), *MONTHS)),
            Field(f"{end}Day", "select", options=(Option("", ""), *DAYS)),
            Field(f"{end}Year", "select", options=(Option("", ""), *YEARS)),
        ]

    ((label, operator, kind, fields),) = said(*date("from", "From"), *date("to", "To"))
    assert (label, operator, kind) == ("From", "range", "date")
    assert fields == "fromMonth fromDay fromYear toMonth toDay toYear"


def test_a_year_alone_is_no_date() -> None:
    assert said(Field("y", "select", near="Year", options=YEARS)) == [("Year", "equals", "choice", "y")]


def test_periods_and_a_period_of_ones_own_are_one_range() -> None:
    fields = [
        radio("age", "Last 2 hours"),
        radio("age", "Yesterday"),
        text("range_from", "From"),
        text("range_to", "to"),
    ]
    assert said(*fields) == [("", "range", "date", "age range_from range_to")]


# -- slots


def test_slots_with_the_same_choices_are_a_set() -> None:
    assert said(select("type1", "Types", "All", "Bug", "Ice"), select("type2", "", "All", "Bug", "Ice")) == [
        ("Types", "in", "choice", "type1 type2")
    ]


def test_selects_of_which_one_is_shown_are_one_choice() -> None:
    kinds = [Field(f"object[{n}]", "select", options=(Option("1", f"Flat {n}"), Option("2", "House"))) for n in (1, 2)]
    assert said(*kinds) == [("", "equals", "choice", "object[1] object[2]")]


def test_numbered_names_with_labels_of_their_own_stay_apart() -> None:
    assert len(said(select("field1", "Make", "All", "Audi"), select("field2", "Model", "All", "A4"))) == 2


# -- what asks nothing


@pytest.mark.parametrize(
    ("field", "role"),
    [
        pytest.param(Field("x", "hidden"), "state", id="hidden"),
        pytest.param(text("captcha", "Code"), "state", id="captcha"),
        pytest.param(Field("x", "text", unseen=True), "state", id="hidden by its style"),
        pytest.param(text("__dummy"), "state", id="state that a server names"),
        pytest.param(Field("x", "submit"), "button", id="submit"),
        pytest.param(Field("x", "image"), "button", id="image"),
        pytest.param(select("sortby", "", "Date", "Title"), "sort", id="sort by name"),
        pytest.param(select("x", "Sortieren nach", "Datum", "Titel"), "sort", id="sort by label"),
        pytest.param(select("x", "", "ascending", "descending"), "sort", id="direction"),
        pytest.param(select("x", "Results per page", "10", "20"), "paging", id="paging"),
        pytest.param(select("limit", "", "10", "20"), "paging", id="paging by name"),
        pytest.param(select("x", "Display as", "list", "map"), "display", id="display"),
        pytest.param(box("x", "Select all"), "display", id="select all"),
        pytest.param(select("x", "", "=", "<", ">"), "operator", id="signs"),
        pytest.param(select("x", "", "tous les mots", "l'un des mots", "phrase exacte"), "operator", id="words"),
        pytest.param(select("x", "", "enthält", "beginnt mit", "genau"), "operator", id="german"),
        pytest.param(box("exact", "Exact name"), "operator", id="exact"),
    ],
)
def test_role(field: Field, role: str) -> None:
    assert roles(text("q", "Title"), field)[field.name] == role


@pytest.mark.parametrize(("kind", "role"), [("checkbox", "display"), ("radio", "sort")])
def test_boxes_that_name_other_controls_ask_nothing(kind: str, role: str) -> None:
    asked = [text(name, name.title()) for name in ("title", "author", "year")]
    chooser = [Field("@x", kind, value=name, checked=name == "title") for name in ("title", "author", "year", "id")]
    fields = [each for pair in zip(asked, chooser, strict=False) for each in pair]
    assert roles(*fields, chooser[-1]) == {"@x": role}
    assert [condition.label for condition in conditions(*fields, chooser[-1])] == ["Title", "Author", "Year"]


def test_boxes_with_values_of_their_own_ask_for_something() -> None:
    kinds = [Field("kind", "checkbox", value=name, label=name.title()) for name in ("title", "novel", "essay", "play")]
    assert "kind" not in roles(text("title", "Title"), *kinds)


def test_state_and_buttons_are_no_conditions() -> None:
    assert not conditions(Field("token", "hidden"), Field("go", "submit"), Field("x", "image"))


def test_a_name_that_is_asked_is_no_state() -> None:
    assert roles(Field("new", "hidden", value="0"), box("new", "New")) == {}


def test_a_way_of_matching_goes_to_what_stands_before_it() -> None:
    first, second = conditions(
        text("t", "Title"), select("how", "", "contains", "starts with", "exact"), text("a", "Author")
    )
    assert (first.operator_field, second.operator_field) == ("how", "")
    assert [option.label for option in first.operators] == ["contains", "starts with", "exact"]


def test_a_way_of_matching_in_between_hands_its_words_on() -> None:
    (condition,) = conditions(select("op", "Power", "=", "<", ">"), select("power", "", "Any", "1", "2"))
    assert (condition.label, condition.fields, condition.operator_field) == ("Power", ("power",), "op")


def test_controls_without_a_name_send_nothing() -> None:
    assert not conditions(Field("", "text", label="Title"))


def test_defaults() -> None:
    (low_high,) = conditions(text("min_x", value="0"), text("max_x", value="99"))
    assert low_high.default == ("0", "99")


def test_every_named_control_stands_in_one_place() -> None:
    fields = [
        text("q", "Title"),
        Field("q", "hidden"),
        select("sort", "", "a", "b"),
        box("c", "x"),
        Field("go", "submit"),
    ]
    structure = read_structure(Form(0, "GET", "http://e.com/", tuple(fields)))
    names = [name for part in (*structure.conditions, *structure.controls) for name in part.fields]
    assert sorted(names) == ["c", "go", "q", "sort"]


def test_thousands_of_controls() -> None:
    fields = [text(f"from{n}", "from " * 20) for n in range(500)] + [box(f"b[{n}]", "x" * 200) for n in range(500)]
    assert conditions(*fields)


@pytest.mark.parametrize(
    ("label", "kind", "operator"),
    [
        ("Year from", "text", "range"),
        ("Years: to", "text", "range"),
        ("Price from", "number", "range"),
        ("Price, max", "number", "range"),
        ("Leaving from", "text", "contains"),  # a place
        ("Year", "text", "contains"),
        ("Rooms", "number", "equals"),
    ],
)
def test_one_box_for_one_end_is_a_range(label: str, kind: str, operator: str) -> None:
    ((_, found, _, _),) = said(Field("box", kind, label=label))
    assert found == operator
