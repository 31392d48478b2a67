from __future__ import annotations

import pytest

from dowse.model import Field, Option
from tests.page.pages import URL, only_form, read


@pytest.mark.parametrize(
    ("html", "field"),
    [
        pytest.param("<input name=a>", Field("a", "text"), id="the default is text"),
        pytest.param("<input name=a type=' SEARCH '>", Field("a", "search"), id="lower case"),
        pytest.param("<input name=a type=checkbox checked>", Field("a", "checkbox", value="on", checked=True), id="on"),
        pytest.param("<input type=image name=a>", Field("a", "image"), id="image"),
        pytest.param("<input name=a id=i value=' v ' placeholder=p title=t required autocomplete=off>",
            Field("a", "text", "i", "", " v ", "p", "t", required=True, autocomplete="off"), id="attributes"),
        pytest.param("<textarea name=a> v</textarea>", Field("a", "textarea", value=" v"), id="textarea"),
        pytest.param("<button name=a value=v><b>Go</b></button>",
            Field("a", "submit", label="Go", value="v"), id="button"),
        pytest.param("<button type=reset>x</button>", Field("", "reset", label="x"), id="reset"),
        pytest.param("<select name=a><option value=1>One<option>Two </select>",
            Field("a", "select", value="1", options=(Option("1", "One"), Option("Two", "Two"))), id="first choice"),
        pytest.param("<select name=a><optgroup label=g><option>x<option selected>y</optgroup></select>",
            Field("a", "select", value="y", options=(Option("x", "x"), Option("y", "y", True))), id="selected"),
        pytest.param("<select name=a multiple><option>x</select>",
            Field("a", "select", options=(Option("x", "x"),), multiple=True), id="multiple: nothing chosen"),
        pytest.param("<input name=a list=l><datalist id=l><option value=x></datalist>",
            Field("a", "text", options=(Option("x", ""),)), id="datalist"),
    ],
)  # fmt: skip
def test_field(html: str, field: Field) -> None:
    assert only_form(f"<form>{html}</form>").fields == (field,)


@pytest.mark.parametrize(
    ("html", "label"),
    [
        pytest.param("<label for=i>Make</label><input id=i>", "Make", id="for"),
        pytest.param("<label> Make <b>x</b>: <input></label>", "Make x:", id="around"),
        pytest.param("<label>Make <select><option>Audi</select></label>", "Make", id="choices are no label"),
        pytest.param("<label for=other>Make <input></label>", "", id="a label for another"),
        pytest.param("<input aria-label=Make>", "", id="aria-label is kept apart"),
        pytest.param(
            "<b id=x>Make</b> <b id=y>of car</b><input aria-labelledby='x y z'>", "Make of car", id="labelledby"
        ),
        pytest.param("Make <input>", "", id="mere layout"),
    ],
)
def test_label(html: str, label: str) -> None:
    assert only_form(f"<form>{html}</form>").fields[0].label == label


def test_a_label_around_two_names_the_first() -> None:
    form = only_form("<form><label>Year <input name=a><input name=b></label></form>")
    assert [field.label for field in form.fields] == ["Year", ""]


@pytest.mark.parametrize(
    ("attributes", "action"),
    [
        pytest.param("", URL, id="the page itself"),
        pytest.param("action=''", URL, id="empty"),
        pytest.param("action=s?q=1", "http://example.com/b/s?q=1", id="against the base"),
        pytest.param("action=javascript:f()", "", id="script"),
        pytest.param("action=mailto:a@b.c", "", id="mail"),
        pytest.param(f"action=/{'x' * 3000}", "", id="too long"),
    ],
)
def test_action(attributes: str, action: str) -> None:
    assert only_form(f"<base href=/b/><form {attributes}></form>").action == action


def test_an_empty_action_drops_the_fragment() -> None:
    (form,) = read("<form></form>", url=f"{URL}?a=1#top").forms
    assert form.action == f"{URL}?a=1"


@pytest.mark.parametrize(
    ("method", "said"), [("", "GET"), ("post", "POST"), ("Post ", "POST"), ("dialog", "DIALOG"), ("put", "GET")]
)
def test_method(method: str, said: str) -> None:
    assert only_form(f"<form method='{method}'></form>").method == said


def test_form_attributes_and_words() -> None:
    form = only_form(
        "<div><form id=i name=n class='a b' role=search enctype=Text/Plain><p>Find <b>c</b>ars</p>"
        "<select><option>Audi</select><script>f()</script></form></div>",
    )
    assert (form.id, form.name, form.css, form.role, form.enctype) == ("i", "n", "a b", "search", "text/plain")
    assert (form.text, form.path, form.index) == ("Find cars", "html/body/div/form", 0)


def test_a_form_in_a_table_has_the_words_of_the_table() -> None:
    assert only_form("<table><form><tr><td>Make<td><input></tr></form></table>").text == "Make"


@pytest.mark.parametrize(
    ("html", "dropped"),
    [
        pytest.param("<form></form>" * 203, ("forms", 3), id="forms"),
        pytest.param("<form>" + "<input>" * 504, ("fields", 4), id="fields"),
        pytest.param(("<form>" + "<input>" * 400 + "</form>") * 13, ("fields", 200), id="fields of all forms"),
        pytest.param("<form><select>" + "<option>x" * 1005, ("options", 5), id="options"),
        pytest.param(f"<form><input value={'x' * 70_000}>", ("values", 1), id="values"),
    ],
)
def test_over_the_bound_is_counted(html: str, dropped: tuple[str, int]) -> None:
    assert read(html).dropped == (dropped,)
