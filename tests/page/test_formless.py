from __future__ import annotations

import time

import pytest

from dowse.model import Form, Response, SeenOnSite
from dowse.page.document import read_page
from dowse.page.forms import find_form_ends
from tests.page.pages import URL, only_form, read
from tests.webs import read_in_turn

# What Chromium's form.elements gives for each.
CASES = [
    pytest.param("<form><input name=a></form>", ["a"], id="plain"),
    pytest.param("<form><input name=a><p><input name=b>", ["ab"], id="never closed"),
    pytest.param("<table><form><tr><td><input name=a></form></table>", ["a"], id="opened in a table"),
    pytest.param("<table><form><tr><td><input name=a></table><input name=b></form>", ["ab"], id="closed after it"),
    pytest.param("<table><tr><form><td><input name=a></td></form></tr></table>", ["a"], id="opened in a row"),
    pytest.param(
        "<table><form><tr><td><input name=a></form><form><tr><td><input name=b></form></table>",
        ["a", "b"],
        id="two in one table",
    ),
    pytest.param("<form><input name=a><form><input name=b></form><input name=c>", ["ab"], id="nested: inner ignored"),
    pytest.param("<div><form></div><input name=a></form>", ["a"], id="closed outside its parent"),
    pytest.param("<form><div></form><input name=a></div>", ["a"], id="closed inside its child"),
    pytest.param("<form></form><input name=a>", [""], id="after the form"),
    pytest.param("<input name=a><form></form>", [""], id="before the form"),
    pytest.param("<form id=f></form><input name=a form=f>", ["a"], id="form attribute"),
    pytest.param("<form id=f></form><form><input name=a form=f></form>", ["a", ""], id="it outranks the place"),
    pytest.param("<form><input name=a form=nope></form>", [""], id="it names nothing"),
    pytest.param("<form><input name=a form></form>", [""], id="it is empty"),
    pytest.param("<p id=f></p><form id=f></form><input name=a form=f>", [""], id="it names no form"),
    pytest.param("<table><form><!--</form>--><tr><td><input name=a></table>", ["a"], id="a comment closes nothing"),
    pytest.param("<table><form><script>'</form>'</script><tr><td><input name=a></table>", ["a"], id="nor a script"),
    pytest.param("<table><form><tr><td>\r\nü\r<input name=a></FORM ><input name=b></table>", ["a"], id="odd lines"),
    pytest.param("<form><template><input name=a></template></form>", [""], id="a template is not on the page"),
    pytest.param("<form><noscript><input name=a></noscript></form>", ["a"], id="we run no scripts"),
]


@pytest.mark.parametrize(("html", "names"), CASES)
def test_controls_belong_to(html: str, names: list[str]) -> None:
    forms = read(html).forms
    assert ["".join(field.name for field in form.fields) for form in forms] == names


@pytest.mark.parametrize(
    ("source", "ends"),
    [
        pytest.param("a</form>", [1], id="place"),
        pytest.param("é\r\nü</form>x</FORM >", [4, 12], id="any case, any line end"),
        pytest.param("<!--></form>", [5], id="a comment that is over at once"),
        pytest.param("<textarea></form></textarea></formula>", [], id="none"),
        pytest.param("İ<SCRIPT></form></script></form>", [25], id="letters that grow when they are made small"),
    ],
)
def test_find_form_ends(source: str, ends: list[int]) -> None:
    assert find_form_ends(source) == ends


def test_a_form_on_a_page_in_utf_16() -> None:
    html = "<table><form><tr><td><input name=a></td></tr></form><tr><td><input name=b>"
    (form,) = read(html.encode("utf-16le"), content_type="text/html; charset=utf-16le").forms[:1]
    assert [field.name for field in form.fields] == ["a"]


def test_what_looks_like_a_tag_in_a_value_changes_nothing() -> None:
    html = "<table><form title='<input name=x>'><tr><td><input name=a value='<form >'><textarea name=t><input ></textarea></table>"
    (form,) = read(html).forms
    assert [(field.name, field.value) for field in form.fields] == [("a", "<form >"), ("t", "<input >")]


SECONDS = 3.0


def names(form: Form) -> list[str]:
    return [field.name or field.id for field in form.fields]


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<input type=search name=a>", id="type"),
        pytest.param("<input name=q>", id="name"),
        pytest.param("<input id=searchBox>", id="id"),
        pytest.param("<input placeholder='Suchbegriff eingeben'>", id="placeholder"),
        pytest.param("<input aria-label='Rechercher un livre'>", id="aria-label"),
        pytest.param("<label for=x>Buscar</label><input id=x>", id="label for"),
        pytest.param("<label>Szukaj: <input></label>", id="label around"),
        pytest.param("<div role=search><input name=a></div>", id="role"),
        pytest.param("<search><input name=a></search>", id="search element"),
        pytest.param("<input type=email name=mail><button>Subscribe</button>", id="another kind, with a button"),
        pytest.param("<input type=password name=p><input type=submit>", id="a password, with a button"),
        pytest.param("<select name=a><option>x</select><input type=button value=Go>", id="a choice, with a button"),
    ],
)
def test_controls_without_a_form_are_a_form(html: str) -> None:
    form = only_form(f"<body><div>{html}</div>")
    assert (form.made, form.method, form.action, form.own_page) == ("input", "GET", URL, True)


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<input name=mail type=email>", id="nothing to press, and no search"),
        pytest.param("<input name=research>", id="research is no search"),
        pytest.param("<input type=checkbox id=search><label for=search>Menu</label>", id="a menu that opens"),
        pytest.param("<select name=jump><option>x</select>", id="a choice alone"),
        pytest.param("<button>Search</button>", id="a button alone"),
        pytest.param("<input type=hidden name=q><button>Go</button>", id="state that nobody sees"),
        pytest.param("<template><input type=search></template>", id="inert"),
    ],
)
def test_what_asks_nothing_is_no_form(html: str) -> None:
    assert read(f"<body><div>{html}</div>").forms == ()


def test_the_owner_by_attribute_has_its_control() -> None:
    page = read("<form id=f action=/a><input name=x></form><div><input type=search name=q form=f></div>")
    assert [(form.made, names(form)) for form in page.forms] == [("html", ["x", "q"])]


def test_a_form_that_is_open_still_has_its_control() -> None:
    page = read("<div><form action=/a><input name=x></div><div><input type=search name=q></div></form>")
    assert [(form.made, names(form)) for form in page.forms] == [("html", ["x", "q"])]


PANEL = (
    "<div class=panel><p>Title <input name=title></p><table><tr><td>Year<td><select name=year><option>1</select></table>"
    "<p><input type=button name=go value='Find books'></div>"
)


def test_a_panel_is_one_form() -> None:
    form = only_form(f"<body><p>Text <a href=/x>x</a></p>{PANEL}")
    assert names(form) == ["title", "year", "go"]
    assert form.css == "panel"
    assert form.text == "Title Year"


def test_panels_with_their_own_buttons_are_apart() -> None:
    mail = "<div><input type=email name=mail><button>Subscribe</button></div>"
    page = read(f"<body><form action=/a><input name=x></form><div>{PANEL}</div><div>{mail}</div>")
    assert [(form.index, form.made, names(form)[0]) for form in page.forms] == [
        (0, "html", "x"), (1, "input", "title"), (2, "input", "mail"),
    ]  # fmt: skip


def test_a_form_between_parts_two_panels() -> None:
    page = read("<div><input name=q><form action=/a><input name=x></form><input name=s></div>")
    assert [names(form) for form in page.forms] == [["x"], ["q"], ["s"]]


def test_header_and_footer_are_apart() -> None:
    page = read("<header><input name=q></header><footer><input name=s></footer>")
    assert [names(form) for form in page.forms] == [["q"], ["s"]]


@pytest.mark.parametrize(
    ("html", "action"),
    [
        pytest.param("<div data-to=/find><input name=q></div>", "/find", id="the element around"),
        pytest.param("<div data-search-url='list.php?x=1'><input name=q></div>", "/dir/list.php?x=1", id="relative"),
        pytest.param("<div><input name=q><button data-action=/find>Go</button></div>", "/find", id="the button"),
        pytest.param("<div><input name=q><button formaction=/find>Go</button></div>", "/find", id="formaction"),
        pytest.param(
            "<div><input name=q><input type=button onclick=\"location.href='/find?q='+v\"></div>",
            "/find?q=",
            id="script",
        ),
        pytest.param("<div><input name=q> <a href=/search>Go</a></div>", "/search", id="the only link"),
        pytest.param("<div data-action=toggle><input name=q></div>", "/dir/page", id="no address"),
        pytest.param("<div data-url=javascript:x()><input name=q></div>", "/dir/page", id="no web address"),
        pytest.param("<div><input name=q data-suggest-url=/complete></div>", "/dir/page", id="completions"),
    ],
)
def test_where_it_leads(html: str, action: str) -> None:
    form = only_form(html)
    assert form.action == f"http://example.com{action}"
    assert form.own_page == (action == "/dir/page")


@pytest.mark.parametrize(
    ("html", "role"),
    [
        pytest.param("<form role=search><input></form>", "search", id="its own"),
        pytest.param("<div role=search><div><form><input></form></div></div>", "search", id="around"),
        pytest.param("<search><form><input></form></search>", "search", id="element"),
        pytest.param("<div role=search><form role=form><input></form></div>", "form", id="its own first"),
        pytest.param("<div role=search></div><form><input></form>", "", id="beside"),
    ],
)
def test_role(html: str, role: str) -> None:
    assert only_form(html).role == role


def test_a_panel_has_the_role_of_what_is_around() -> None:
    assert only_form("<div role=search><p><input name=a></p></div>").role == "search"


def test_panels_of_a_page_before_are_known() -> None:
    first = f"<body><form action=/a><input name=x></form>{PANEL}"
    bodies = (first, first, f"<body>{PANEL}", f"<body>{PANEL.replace('title', 'name')}")
    pages = read_in_turn(*(Response(URL, 200, (), html.encode()) for html in bodies))
    assert [len(page.forms) for page in pages] == [2, 0, 0, 1]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"<div><input name=q>" * 50_000, id="deep"),
        pytest.param(b"<div><input name=q></div>" * 50_000, id="many"),
        pytest.param(b"<div data-url=/x>" * 300 + b"<input name=q>" * 5_000, id="marked"),
        pytest.param(b"<div>" + b"<p><input name=q><a href=x>y</a></p>" * 20_000, id="with links"),
        pytest.param(b"<button>x<table><tr><td><input name=q>" * 10_000, id="nested buttons"),
    ],
)
def test_hostile_panels_take_no_time(body: bytes) -> None:
    start = time.process_time()
    page = read(body)
    assert len(page.forms) <= 200
    again = read_page(Response(URL, 200, (), body), SeenOnSite())
    assert len(again.forms) <= 200
    assert time.process_time() - start < 2 * SECONDS


def test_tags_that_close_themselves_have_places_too() -> None:
    html = "<table><form/><tr><td><input name=a/><select name=b/></select><button/>x</table><input name=c>"
    (form,) = read(html).forms
    assert [field.name for field in form.fields] == ["a/", "b/", "", "c"]
