"""From the markup of a form to what it can be asked, in the ways forms are laid out on the web."""

from __future__ import annotations

import pytest

from dowse.form.conditions import read_structure
from dowse.model import Form, Response
from dowse.page import read_page

DAYS = "".join(f"<option>{day}" for day in range(1, 32))
MONTHS = "".join(f"<option value={n}>{n}" for n in range(1, 13))


def select(name: str, *choices: str) -> str:
    inside = "".join(f"<option value='{choice if number else ''}'>{choice}" for number, choice in enumerate(choices))
    return f"<select name={name}>{inside}</select>"


def form_of(html: str) -> Form:
    body = f"<h1>Site</h1><form action=/s>{html}<input type=submit value=Go></form>"
    return read_page(
        Response("http://e.com/", 200, (("content-type", "text/html; charset=utf-8"),), body.encode())
    ).forms[0]


def asked(html: str) -> dict[str, str]:
    """Return what can be asked: the names of the fields, and the label."""
    return {" ".join(each.fields): each.label for each in read_structure(form_of(html)).conditions}


PRICES = ("Any", "100", "200", "300")


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        pytest.param("<table><tr><td>Title<td><input name=t><tr><td>Author<td><input name=a></table>", {"t": "Title", "a": "Author"}, id="cell to the left"),
        pytest.param(f"<table><tr><th>Make<th>Model<tr><td>{select('mk', 'Any', 'Audi')}<td><input name=md></table>", {"mk": "Make", "md": "Model"}, id="head of the column"),
        pytest.param("<table><tr><td>ACCOUNT TYPE</table><table><tr><td><input type=radio name=a><td>Basic<tr><td><input type=radio name=a><td>Full</table>Name <input name=n>", {"a": "ACCOUNT TYPE", "n": "Name"}, id="a table of one cell over a table"),
        pytest.param(f"<dl><dt>Marke<dd>{select('m', 'Alle', 'VW')}<dt>Ort<dd><input name=o></dl>", {"m": "Marke", "o": "Ort"}, id="list of definitions"),
        pytest.param("Keywords:<br><input name=k><br>Place:<br><input name=p>", {"k": "Keywords", "p": "Place"}, id="line above"),
        pytest.param("<div>Name<br>(first and last)</div><div><input name=n></div><div>Town</div><input name=t>", {"n": "Name", "t": "Town"}, id="a hint under the caption"),
        pytest.param("<label>Riding<br>(more than one)</label><div><input name=r></div><label>Town</label><input name=t>", {"r": "Riding (more than one)", "t": "Town"}, id="a label of two lines"),
        pytest.param("<input name=n> <label>Name</label><br><input name=c> <label>City</label>", {"n": "Name", "c": "City"}, id="behind the control"),
        pytest.param("<label>Width: <input name=w> px</label><label>Height: <input name=h> px</label>", {"w": "Width", "h": "Height"}, id="a unit in the label"),
        pytest.param("<label><input type=checkbox name=p> With photo</label><label>Word <input name=w></label>", {"p": "With photo", "w": "Word"}, id="a box and its label"),
        pytest.param("<div>Call us: 877-985-2695</div><div><input name=q value='Search here'></div><div>City</div><input name=c>", {"q": "Search here", "c": "City"}, id="a telephone number is no caption"),
        pytest.param("<p><input type=checkbox name=n1><h4>Daily news</h4></p><div><div><input type=checkbox name=w value=1><div>Weekly</div></div><div><input type=checkbox name=m value=1><div>Monthly</div></div></div>", {"n1": "", "w": "Weekly", "m": "Monthly"}, id="a block behind a box"),
        pytest.param("Story <textarea name=s></textarea> Remember me? <input type=radio name=r value=1> Yes <input type=radio name=r value=0> No", {"s": "Story", "r": "Remember me?"}, id="a question before boxes"),
        pytest.param(f"State {select('st', '', 'AL', 'AK')} <input name=box>", {"st": "State", "box": ""}, id="a caption stays with a select that is no scope"),
        pytest.param("Login <input name=l> -OR- <input name=e placeholder=E-mail>", {"l": "Login", "e": "E-mail"}, id="a word between two is no caption"),
    ],
)  # fmt: skip
def test_labels(html: str, wanted: dict[str, str]) -> None:
    assert asked(html) == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        pytest.param("<table><tr><td>Price (€):<td><input name=pmin> - <input name=pmax> €<tr><td>Ort<td><input name=o></table>", {"pmin pmax": "Price (€)", "o": "Ort"}, id="a dash, a unit"),
        pytest.param("<p>Date: <input name=d1> – <input name=d2></p><p>Word: <input name=w></p>", {"d1 d2": "Date", "w": "Word"}, id="a dash and numbered names"),
        pytest.param("<p>Height: <input name=one> cm to <input name=two> cm</p><p>Word: <input name=w></p>", {"one two": "Height", "w": "Word"}, id="a unit before the word between"),
        pytest.param("<div>価格</div><div><input name=pl>円～<input name=ph>円</div><div>地域</div><input name=a>", {"pl ph": "価格", "a": "地域"}, id="Japanese"),
        pytest.param("<label>Цена, руб.</label> <input name=p_from placeholder='от'> <input name=p_to placeholder='до'><br><label>Город</label> <input name=c>", {"p_from p_to": "Цена, руб", "c": "Город"}, id="Russian"),
        pytest.param(f"Preis von {select('pv', *PRICES)} bis {select('pb', *PRICES)}<br>Ort <input name=o>", {"pv pb": "Preis von", "o": "Ort"}, id="German"),
        pytest.param("<fieldset><legend>Published</legend><label for=f>From</label><input id=f name=from_d><label for=u>To</label><input id=u name=to_d></fieldset><label for=q>Words</label><input id=q name=q>", {"from_d to_d": "Published", "q": "Words"}, id="a legend over two labels"),
        pytest.param(f"<h4>Bedrooms</h4>{select('b1', 'No min', '1', '2')} to {select('b2', 'No max', '1', '2')}<h4>Type</h4>{select('t', 'Any', 'House')}", {"b1 b2": "Bedrooms", "t": "Type"}, id="a heading over two selects"),
        pytest.param("<div>Price Range:</div><input name=PriceLower title=From> – <input name=PriceUpper title=To>", {"PriceLower PriceUpper": "Price Range"}, id="a caption with a colon is no title"),
        pytest.param(f"<b>Salary</b><br>{select('s1', 'Min', '10000', '20000')} {select('s2', 'Max', '10000', '20000')}<br><b>Word</b><br><input name=w>", {"s1 s2": "Salary", "w": "Word"}, id="words inside the selects"),
        pytest.param("<p><input name=y_min> at least <input name=y_max> and Year</p><p><input name=n> Name</p>", {"y_min y_max": "Year", "n": "Name"}, id="captions behind"),
        pytest.param("First name <input name=first_name> Last name <input name=last_name>", {"first_name": "First name", "last_name": "Last name"}, id="a person is no range"),
        pytest.param("From <input name=from_city> To <input name=to_city>", {"from_city": "From", "to_city": "To"}, id="a journey is no range"),
        pytest.param("<table><tr><td>Dish<td>Minutes<tr><td><input name=d><td>up to <input type=number name=m></table>", {"d": "Dish", "m": "Minutes"}, id="words and an amount are no range"),
    ],
)  # fmt: skip
def test_ranges(html: str, wanted: dict[str, str]) -> None:
    assert asked(html) == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        pytest.param(f"Datum: <select name=d><option>Tag{DAYS}</select><select name=m><option>Monat{MONTHS}</select>{select('y', 'Jahr', '2019', '2020')}<br>Titel <input name=t>", {"d m y": "Datum", "t": "Titel"}, id="three selects"),
        pytest.param(f"Дата: дд <select name=d>{DAYS}</select> мм <select name=m>{MONTHS}</select> гггг {select('y', '2018', '2019', '2020')}<br>Имя <input name=t>", {"d m y": "Дата", "t": "Имя"}, id="short words for the parts"),
        pytest.param(f"Arrival <select name=d>{DAYS}</select>{select('my', 'May 2014', 'June 2014', 'July 2014')}<br>Rooms <input name=r>", {"d my": "Arrival", "r": "Rooms"}, id="a month with its year"),
        pytest.param(f"<label for=y>Birthday</label> <select name=m>{MONTHS}</select><select name=d>{DAYS}</select>{select('y', '1990', '1991', '1992').replace('<select', '<select id=y')}<br>Town <input name=t>", {"m d y": "Birthday", "t": "Town"}, id="the label is for the last part"),
        pytest.param(f"Years: from {select('y1', '', '2001', '2002')} to {select('y2', '', '2001', '2002')}<br>Day: <select name=d>{DAYS}</select><select name=m>{MONTHS}</select>{select('y', '', '2019', '2020')}", {"y1 y2": "Years", "d m y": "Day"}, id="a range of years before a date"),
        pytest.param("Word <input name='data[Search][word]'> E-mail <input type=email name='data[Search][mail]'>", {"data[Search][word]": "Word", "data[Search][mail]": "E-mail"}, id="data is a box of values"),
    ],
)  # fmt: skip
def test_dates(html: str, wanted: dict[str, str]) -> None:
    assert asked(html) == wanted


def test_what_is_named_data_is_no_date() -> None:
    structure = read_structure(form_of("Word <input name='data[Search][word]'> Town <input name=t>"))
    assert [each.type for each in structure.conditions] == ["text", "text"]


def test_long_words_bound_nothing() -> None:
    html = "<label>Comment, 1000 characters maximum <textarea name=c></textarea></label> Town <input name=t>"
    assert [each.operator for each in read_structure(form_of(html)).conditions] == ["contains", "contains"]


def test_a_tolerance_is_a_way_of_matching() -> None:
    html = f"Born <input name=b> +/- {select('t', '0', '1', '2', '5')} years<br>Name <input name=n> <input type=checkbox name=s> Soundex"
    structure = read_structure(form_of(html))
    assert [each.label for each in structure.conditions] == ["Born", "Name"]
    assert [(each.role, each.fields) for each in structure.controls] == [("operator", ("t", "s"))]


def test_the_title_of_a_form_in_a_broken_table_names_no_control() -> None:
    html = "<table><tr><td><b>All our books</b><form action=/s></td></tr><tr><td><input name=t></td></tr><tr><td><select name=s><option>All<option>New</select></td></tr></form></table>"
    page = read_page(Response("http://e.com/", 200, (), html.encode()))
    assert [each.label for each in read_structure(page.forms[0]).conditions] == ["", ""]


PHPBB = """<h3>Search query</h3><fieldset>
<dl><dt><label for=k>Search for keywords:</label><br><span>Place <strong>+</strong> in front of a word which must be found.</span></dt><dd><input type=search name=keywords id=k></dd>
<dd><label for=t1><input type=radio name=terms id=t1 value=all checked> Search for all terms or use query as entered</label></dd><dd><label for=t2><input type=radio name=terms id=t2 value=any> Search for any terms</label></dd></dl>
<dl><dt><label for=author>Search for author:</label><br><span>Use * as a wildcard for partial matches.</span></dt><dd><input type=search name=author id=author></dd></dl></fieldset>
<h3>Search options</h3><fieldset><dl><dt><label for=fid>Search in forums:</label></dt><dd><select name=fid[] id=fid multiple><option>A<option>B</select></dd></dl>
<dl><dt><label for=c1>Search subforums:</label></dt><dd><label for=c1><input type=radio name=sc id=c1 value=1 checked> Yes</label><label for=c2><input type=radio name=sc id=c2 value=0> No</label></dd></dl>
<dl><dt><label for=s1>Display results as:</label></dt><dd><label for=s1><input type=radio name=sr id=s1 value=posts checked> Posts</label><label for=s2><input type=radio name=sr id=s2 value=topics> Topics</label></dd></dl>
<dl><dt><label for=sd>Sort results by:</label></dt><dd><select name=sk><option>Author<option>Post time</select> <label for=sa><input type=radio name=sd id=sa value=a> Ascending</label> <label for=sd><input type=radio name=sd id=sd value=d> Descending</label></dd></dl>
<dl><dt><label>Limit results to previous:</label></dt><dd><select name=st><option value=0>All results<option>1 day<option>7 days<option>2 weeks</select></dd></dl></fieldset>"""


def test_the_search_of_a_forum() -> None:
    structure = read_structure(form_of(PHPBB))
    assert {" ".join(each.fields): (each.label, each.operator) for each in structure.conditions} == {
        "keywords": ("Search for keywords", "contains"),
        "author": ("Search for author", "contains"),
        "fid[]": ("Search in forums", "in"),
        "sc": ("Search subforums", "equals"),
        "st": ("Limit results to previous", "range"),
    }
    assert {each.role: each.fields for each in structure.controls} == {
        "operator": ("terms",),
        "display": ("sr",),
        "sort": ("sk", "sd"),
    }
