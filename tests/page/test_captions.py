"""The words that stand for controls: by label, and by where they stand."""

from __future__ import annotations

import pytest

from dowse.model import Field
from tests.page.pages import only_form


def fields(html: str) -> tuple[Field, ...]:
    return tuple(field for field in only_form(f"<form>{html}</form>").fields if field.type != "submit")


def near(html: str) -> list[str]:
    return [field.near for field in fields(html)]


def groups(html: str) -> list[str]:
    return [field.group for field in fields(html)]


@pytest.mark.parametrize(
    ("html", "words"),
    [
        pytest.param("Make: <input name=a>", ["Make:"], id="left of it"),
        pytest.param("Make: <input name=a> Model: <input name=b>", ["Make:", "Model:"], id="one line"),
        pytest.param("Make<br><input name=a><br>Model<br><input name=b>", ["Make", "Model"], id="above"),
        pytest.param("<p>Make<p><input name=a><p>Model<p><input name=b>", ["Make", "Model"], id="blocks"),
        pytest.param("<div>Make</div><div><input name=a></div><div>Model</div><div><select name=b></select></div>",
            ["Make", "Model"], id="pairs of blocks"),
        pytest.param("<dl><dt>Make<dd><input name=a><dt>Model<dd><input name=b></dl>", ["Make", "Model"], id="terms"),
        pytest.param("<table><tr><td>Make<td><input name=a><tr><td>Model<td><input name=b></table>",
            ["Make", "Model"], id="cell to the left"),
        pytest.param("<table><tr><td>Make<td>Model<tr><td><input name=a><td><input name=b></table>",
            ["Make", "Model"], id="cell above"),
        pytest.param("<table><tr><th colspan=2>Make<tr><td><input name=a><tr><th>Model<tr><td><input name=b></table>",
            ["Make", "Model"], id="row above"),
        pytest.param("<table><tr><td>Make<br><input name=a><td>Model<br><input name=b></table>", ["Make", "Model"], id="same cell"),
        pytest.param("<table><tr><td>Field<td>Type<td>Value<tr><td>Make<td>TEXT<td><input name=a><tr><td>Model<td>TEXT<td><input name=b></table>",
            ["Make", "Model"], id="first of several cells, under a row that heads them all"),
        pytest.param("<table><tr><td>1.<td>Make<td><input name=a><tr><td>2.<td>Model<td><input name=b></table>",
            ["Make", "Model"], id="numbered rows"),
        pytest.param("<table><tr><td><input name=a><td>Make<tr><td><input name=b><td>Model</table>",
            ["Make", "Model"], id="cell to the right"),
        pytest.param("<p><input name=a> Make<p><input name=b> Model", ["Make", "Model"], id="behind"),
        pytest.param("<label>Make:</label> <select name=a></select>", ["Make:"], id="a label for nobody"),
        pytest.param("<label for=x>Make</label><div>Say it.</div><input name=a>", ["Make"], id="a label for an id that is not there"),
        pytest.param("<b>TIMES:</b> Zip <input name=a>", ["Zip"], id="after bold words with a colon"),
        pytest.param("$ <input name=a> | <input name=b>", ["", ""], id="signs are no words"),
        pytest.param("<input name=a> - <input name=b>", ["", "-"], id="but a dash joins two"),
        pytest.param("<input name=a> - <select name=b></select>", ["", ""], id="of one kind"),
        pytest.param("<a href=1>News</a> | <a href=2>Map</a> | <a href=3>Help</a> <input name=a>", [""], id="a row of links"),
        pytest.param("<p>We have been selling cars to the people of this town for many happy years.<p><input name=a>", [""], id="a sentence"),
        pytest.param("<label for=i>Make</label> <input id=i name=a> <input name=b>", ["", ""], id="words of another"),
        pytest.param("<script>var x</script><style>p{}</style><input name=a>", [""], id="code"),
        pytest.param("Make <select name=a><option>Audi</select> Model <input name=b>", ["Make", "Model"], id="choices are no words"),
    ],
)  # fmt: skip
def test_near(html: str, words: list[str]) -> None:
    assert near(html) == words


@pytest.mark.parametrize(
    ("html", "words", "heads"),
    [
        pytest.param("Size: <input type=radio name=a> S <input type=radio name=a> L", ["S", "L"], ["Size:"] * 2, id="line"),
        pytest.param("<fieldset><legend>Size</legend><input type=radio name=a>S<input type=radio name=a>L</fieldset><input name=q>",
            ["S", "L", ""], ["Size", "Size", ""], id="legend"),
        pytest.param("<table><tr><td>Size<td><input type=checkbox name=a>S<br><b>Big</b><br><input type=checkbox name=b>L</table>",
            ["S", "L"], ["Size"] * 2, id="first cell of the row"),
        pytest.param("<div>Size</div><ul><li><input type=checkbox name=a> S<li><input type=checkbox name=b> L</ul><div>Fit</div>"
            "<ul><li><input type=checkbox name=c> slim</ul>", ["S", "L", "slim"], ["Size", "Size", "Fit"], id="headings"),
        pytest.param("<div>Price</div><input name=p><div><input type=checkbox name=a> cheap</div>",
            ["Price", "cheap"], ["", ""], id="a heading that another control has"),
        pytest.param("Within <input name=q> miles <input type=checkbox name=a> new", ["Within", "new"], ["", ""], id="words of another"),
        pytest.param("S <input type=checkbox name=a> L <input type=checkbox name=b>", ["S", "L"], ["", ""], id="words before"),
    ],
)  # fmt: skip
def test_boxes(html: str, words: list[str], heads: list[str]) -> None:
    assert (near(html), groups(html)) == (words, heads)


def test_a_second_label_for_a_box_is_its_groups() -> None:
    html = (
        "<dl><dt><label for=y>Subforums:</label><dd><label for=y><input type=radio id=y name=s> Yes</label>"
        "<label for=n><input type=radio id=n name=s> No</label></dl>"
    )
    found = fields(html)
    assert [field.label for field in found] == ["Yes", "No"]
    assert [field.group for field in found] == ["Subforums:"] * 2


def test_aria_is_kept_apart() -> None:
    (field,) = fields("Make <input name=a aria-label='Make of car'>")
    assert (field.label, field.aria) == ("", "Make of car")


@pytest.mark.parametrize(
    ("style", "unseen"), [("display: none", True), ("VISIBILITY:hidden;color:red", True), ("width:9em", False)]
)
def test_a_control_that_its_own_style_hides(style: str, unseen: bool) -> None:
    assert [field.unseen for field in fields(f"<input name=a style='{style}'>")] == [unseen]


def test_a_heading_in_a_label_is_no_part_of_it() -> None:
    assert [field.label for field in fields("<label for=a><h2>Jobs</h2>Keyword</label><input id=a name=a>")] == [
        "Keyword"
    ]


def test_a_title_over_the_form_names_no_control() -> None:
    html = "<div>Our roses</div><div><input name=a title=Name></div><div><select name=b title=Family></select></div>"
    assert near(html) == ["", ""]


@pytest.mark.parametrize(
    ("html", "heading"),
    [
        pytest.param("<form><h3>Find a car</h3><input name=a><input name=b></form>", "Find a car", id="inside"),
        pytest.param("<h2>Find a car</h2><form><input name=a title=x></form>", "Find a car", id="before"),
        pytest.param(
            "<h2>Find a car</h2><div><div><form><input name=a></form></div></div>", "Find a car", id="before, around"
        ),
        pytest.param("<p>Hello</p><form><input name=a></form>", "", id="none"),
        pytest.param(f"<h2>{'x' * 900}</h2><form><input name=a></form>", "x" * 200, id="bounded"),
    ],
)
def test_heading(html: str, heading: str) -> None:
    assert only_form(html).heading == heading


def test_controls_of_a_form_that_a_table_left_empty() -> None:
    html = "<table><form><tr><td>Make<td>Model</tr><tr><td><input name=a><td><input name=b></tr></form></table>"
    assert [field.near for field in only_form(html).fields] == ["Make", "Model"]


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<input name=a id=a aria-labelledby='a a b'><b id=b aria-labelledby=b>", id="loop"),
        pytest.param("<label>" * 300 + "<input name=a>", id="label in label"),
        pytest.param("<div>" * 2_000 + "x <input name=a>", id="deep"),
        pytest.param("<table><tr><td>a<td>" * 200 + "<input name=a>", id="tables in tables"),
        pytest.param("<h2>a</h2>" * 3_000 + "<input type=radio name=a>" * 300, id="headings"),
        pytest.param("x <input type=checkbox name=a>" * 3_000, id="boxes"),
    ],
)
def test_bad_markup_is_bounded(html: str) -> None:
    assert all(len(field.near) <= 200 and len(field.group) <= 200 for field in fields(html))
