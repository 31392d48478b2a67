"""From a door and values to the request that a browser would send."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.form.fill import MAX_ADDRESS, fill, judge_asking, judge_named
from dowse.model import Door, Field, Form, Judgement, Option, Request, Response, Verdict
from dowse.page import read_page

SEARCH = Judgement("database", 0.9)


def door(html: str, url: str = "http://e.com/dir/page?old=1", headers: tuple[tuple[str, str], ...] = ()) -> Door:
    form = read_page(
        Response(url, 200, headers or (("content-type", "text/html; charset=utf-8"),), html.encode())
    ).forms[0]
    return Door(form, SEARCH)


def asked(html: str, **values: str) -> str:
    request = fill(door(html), values)
    assert isinstance(request, Request), request
    return request.url


@pytest.mark.parametrize(
    ("html", "values", "url"),
    [
        ('<form action="/find?x=1#top"><input name=q></form>', {"q": "a b&c"}, "http://e.com/find?q=a+b%26c"),
        ("<form><input name=q></form>", {"q": "x"}, "http://e.com/dir/page?q=x"),
        ('<form action="find"><input name=q value=old><input name=r value="as it is"></form>', {"q": "~*-._"}, "http://e.com/dir/find?q=%7E*-._&r=as+it+is"),
        ('<form action="/f"><input type=hidden name=h value=1><input name=q></form>', {"q": ""}, "http://e.com/f?h=1&q="),
        ('<form action="/f"><input name=q><input type=submit name=go value=Go><input type=submit name=more value=More></form>', {}, "http://e.com/f?q=&go=Go"),
        ('<form action="/f"><input type=image name=go><input name=q></form>', {"q": "1"}, "http://e.com/f?go.x=0&go.y=0&q=1"),
        ('<form action="/f"><button type=button name=no value=1>a</button><input type=reset name=no2><input name=q></form>', {}, "http://e.com/f?q="),
        ('<form action="/f"><input type=checkbox name=c value=1 checked><input type=checkbox name=c value=2><input type=radio name=r value=a><input type=radio name=r value=b checked></form>', {}, "http://e.com/f?c=1&r=b"),
        ('<form action="/f"><input type=checkbox name=c value=1 checked><input type=checkbox name=c value=2></form>', {"c": "2"}, "http://e.com/f?c=2"),
        ('<form action="/f"><input type=radio name=r value=a checked><input type=radio name=r value=b></form>', {"r": "b"}, "http://e.com/f?r=b"),
        ('<form action="/f"><input type=checkbox name=c value=1 checked></form>', {"c": ""}, "http://e.com/f?"),
        ('<form action="/f"><input type=hidden name=c value=0><input type=checkbox name=c value=1></form>', {"c": "1"}, "http://e.com/f?c=0&c=1"),
        ('<form action="/f"><select name=s><option value=1>a<option value=2 selected>b</select></form>', {}, "http://e.com/f?s=2"),
        ('<form action="/f"><select name=s><option>first<option>second</select></form>', {}, "http://e.com/f?s=first"),
        ('<form action="/f"><select name=s multiple><option selected>a<option>b<option selected>c</select></form>', {}, "http://e.com/f?s=a&s=c"),
        ('<form action="/f"><select name=s multiple><option>a<option>b</select></form>', {}, "http://e.com/f?"),
        ('<form action="/f"><select name=s></select><input name=q></form>', {}, "http://e.com/f?q="),
        ('<form action="/f"><textarea name=t>a\nb</textarea></form>', {}, "http://e.com/f?t=a%0D%0Ab"),
        ('<form action="/f"><input name=q></form>', {"q": "löwe"}, "http://e.com/f?q=l%C3%B6we"),
        ('<form action="/f" accept-charset="iso-8859-1"><input name=q></form>', {"q": "lö€ł"}, "http://e.com/f?q=l%F6%80%26%23322%3B"),
        ('<form action="/f"><input type=hidden name=_charset_><input name=q></form>', {}, "http://e.com/f?_charset_=UTF-8&q="),
        ('<form action="/f"><input><input name=q></form>', {"q": "x"}, "http://e.com/f?q=x"),
        ('<form action="/f"><input name=d><input name=d value=2></form>', {"d": "1"}, "http://e.com/f?d=1&d=2"),
    ],
    ids=[
        "the action's query is replaced", "no action: the page itself", "defaults, and what is left as it is", "hidden state", "the first button",
        "an image is pressed at a point", "buttons that send nothing", "what is checked", "a checkbox of a group", "a radio of a group",
        "a checkbox cleared", "a hidden value beside its checkbox", "the selected option", "the first option", "several options", "none of several",
        "a select without options", "lines end as in mail", "as UTF-8", "as the form asks, with references for the rest", "the name of the encoding",
        "a control without a name", "two controls of one name",
    ],
)  # fmt: skip
def test_sent_as_a_browser_would(html: str, values: dict[str, str], url: str) -> None:
    assert asked(html, **values) == url


def test_values_are_encoded_as_the_page_is() -> None:
    html = '<form action="/f"><input name=q></form>'
    request = fill(door(html, headers=(("content-type", "text/html; charset=koi8-r"),)), {"q": "да"})
    assert isinstance(request, Request)
    assert request.url == "http://e.com/f?q=%C4%C1"


def test_post_only_when_it_is_allowed() -> None:
    posted = door('<form action="/f?keep=1" method=post><input name=q></form>')
    assert fill(posted, {"q": "a b"}) == Verdict(False, "sends with POST, and only GET is allowed")
    request = fill(posted, {"q": "a b"}, methods={"GET", "POST"})
    assert isinstance(request, Request)
    assert (request.url, request.method, request.body) == ("http://e.com/f?keep=1", "POST", b"q=a+b")
    assert dict(request.headers) == {"content-type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    ("form", "kind", "reason"),
    [
        (Form(0, "GET", "http://e.com/", (Field("p", "password"),)), "database", "asks for a password"),
        (Form(0, "GET", "http://e.com/", (Field("f", "file"),)), "database", "asks for a file"),
        (Form(0, "GET", "http://e.com/", (Field("q", "text"),)), "contact", "is not a search form: its kind is contact"),
        (Form(0, "GET", "javascript:go()", (Field("q", "text"),)), "database", "sends to javascript:, not to a web address"),
        (Form(0, "GET", "MAILTO:a@e.com", (Field("q", "text"),)), "database", "sends to mailto:, not to a web address"),
        (Form(0, "GET", "", (Field("q", "text"),)), "database", "sends to no web address"),
        (Form(0, "DIALOG", "http://e.com/", (Field("q", "text"),)), "database", "sends with DIALOG, and only GET is allowed"),
    ],
    ids=["password", "file", "kind", "script", "mail", "nowhere", "dialog"],
)  # fmt: skip
def test_what_is_never_asked(form: Form, kind: str, reason: str) -> None:
    assert judge_asking(Door(form, Judgement(kind, 1.0))) == Verdict(False, reason)
    assert fill(Door(form, Judgement(kind, 1.0)), {}) == Verdict(False, reason)


def test_a_field_that_is_not_there() -> None:
    assert fill(door("<form action=/f><input name=q></form>"), {"x": "1"}) == Verdict(False, "has no field 'x'")


def test_an_address_that_would_be_too_long() -> None:
    form = Form(0, "GET", "http://e.com/", (Field("q", "text"), Field("state", "hidden", value="x" * MAX_ADDRESS)))
    refused = fill(Door(form, SEARCH), {"q": "a"})
    assert isinstance(refused, Verdict)
    assert refused.reason.startswith("its address would have more than 8,")


def template(text: str, *fields: Field, charset: str = "") -> Door:
    return Door(Form(0, "GET", "", fields, made="opensearch", template=text, charset=charset), SEARCH)


@pytest.mark.parametrize(
    ("text", "fields", "values", "url"),
    [
        ("http://e.com/{q}/x", (Field("q", "text"),), {"q": "a b/c?"}, "http://e.com/a%20b%2Fc%3F/x"),
        ("http://e.com/?q={q}&p={page?}", (Field("q", "text"),), {"q": "é"}, "http://e.com/?q=%C3%A9&p="),
        ("http://e.com/?q={q}&p={page?}", (Field("q", "text"), Field("page", "text", value="1")), {}, "http://e.com/?q=&p=1"),
    ],
    ids=["percent-encoded", "an optional place stays empty", "defaults"],
)  # fmt: skip
def test_templates(text: str, fields: tuple[Field, ...], values: dict[str, str], url: str) -> None:
    assert fill(template(text, *fields), values) == Request(url)


def test_a_place_that_nobody_fills() -> None:
    assert fill(template("http://e.com/?q={q}&k={key}", Field("q", "text")), {"q": "a"}) == Verdict(
        False, "wants a value for 'key'"
    )


@given(st.lists(st.tuples(st.text(min_size=1, max_size=9), st.text(max_size=20)), max_size=5))
def test_what_is_filled_in_is_what_arrives(pairs: list[tuple[str, str]]) -> None:
    plain = [(n, v) for n, v in pairs if not {"\r", "\n"} & set(n + v) and n != "_charset_" and _encodes(n + v)]
    form = Form(0, "GET", "http://e.com/f", tuple(Field(name, "text", value=value) for name, value in plain))
    request = fill(Door(form, SEARCH), {})
    assert isinstance(request, Request)
    assert parse_qsl(request.url.partition("?")[2], keep_blank_values=True) == plain


def _encodes(text: str) -> bool:
    return not any(0xD800 <= ord(letter) <= 0xDFFF for letter in text)


def test_lone_surrogates_are_sent_as_something() -> None:
    form = Form(0, "GET", "http://e.com/f", (Field("q", "select", value="\ud800", options=(Option("\ud800"),)),))
    assert isinstance(fill(Door(form, SEARCH), {}), Request)
    assert isinstance(fill(template("http://e.com/{q}", Field("q", "text")), {"q": "\ud800"}), Request)


@pytest.mark.parametrize(
    "html",
    [
        "<form action=/delete><input name=title><input name=author><button>Go</button></form>",
        "<form action=/do><input name=title><input name=author><button name=do value=delete>Go</button></form>",
        "<form action=/do><input type=hidden name=cmd value=remove><input name=a><button>Go</button></form>",
        "<form action=/do><input name=a><button>Löschen</button></form>",
        "<form action=/do><input name=a><button>Удалить</button></form>",
        "<form action=/do><input name=q><button>Add to basket</button></form>",
    ],
)
def test_what_may_change_something_is_not_asked(html: str) -> None:
    assert "may change something" in judge_asking(door(html)).reason


@pytest.mark.parametrize("text", ["Search the register", "Im Register suchen", "Buscar registro", "Find orders", "Rechercher un compte"])  # fmt: skip
def test_what_is_searched_may_be_called_like_a_deed(text: str) -> None:
    controls = "<label>Holder <input name=holder></label><select name=town><option>Ayr<option>Rye</select>"
    assert judge_asking(door(f"<form action=/do>{controls}<button>{text}</button></form>")).yes


@pytest.mark.parametrize("text", ["Search and order", "Suchen und bestellen", "Rechercher & commander", "Find and delete"])  # fmt: skip
def test_a_search_that_does_something_as_well_is_not_asked(text: str) -> None:
    one = replace(door(f"<form action=/do><input name=q><button>{text}</button></form>"), judgement=SEARCH)
    assert "may change something" in judge_asking(one).reason


def test_who_names_a_search_insists_on_it() -> None:
    """Not on one that deletes something, nor on what looks like no search."""
    one = replace(door("<form action=/do><input name=q><button>Registry</button></form>"), judgement=SEARCH)
    assert judge_asking(one).reason == "may change something: 'registry'; --form 0 insists"
    assert judge_asking(replace(one, judgement=judge_named(one))).yes
    other = replace(one, judgement=Judgement("other", 0.9))
    assert not judge_asking(replace(other, judgement=judge_named(other))).yes
    deleting = replace(door("<form action=/do><input name=q><button>Delete</button></form>"), judgement=SEARCH)
    assert not judge_asking(replace(deleting, judgement=judge_named(deleting))).yes


def test_the_button_that_searches_is_pressed() -> None:
    buttons = "<button name=op value=drop>Remove all</button><button name=op value=find>Search books</button>"
    assert asked(f"<form action=/do><input name=q>{buttons}</form>", q="owl") == "http://e.com/do?q=owl&op=find"


def test_services_with_a_protocol_of_their_own_are_not_asked() -> None:
    form = Form(0, "GET", "http://e.com/oai", (Field("verb", "text"),), made="oai-pmh")
    assert "protocol" in judge_asking(Door(form, Judgement("database", 0.9))).reason


@pytest.mark.parametrize(
    ("method", "action", "kind", "is_asked"),
    [
        ("GET", "http://e.com/films", "other", True),
        ("GET", "http://e.com/films", "configure", True),
        ("POST", "http://e.com/films", "other", False),
        ("GET", "http://e.com/vote", "other", False),
        ("GET", "http://e.com/cart/add", "other", False),
        ("GET", "http://e.com/delete", "other", False),
        ("GET", "http://e.com/films", "login", False),
        ("GET", "http://e.com/films", "order", False),
        ("GET", "http://e.com/films", "registration", False),
        ("GET", "http://e.com/films", "contact", False),
        ("GET", "http://e.com/films", "subscribe", False),
    ],
)
def test_a_form_that_somebody_named_is_asked_unless_it_may_change_something(
    method: str, action: str, kind: str, is_asked: bool
) -> None:
    named = Door(Form(0, method, action, (Field("genre", "select"),)), Judgement(kind, 0.9))
    assert judge_asking(named).yes is False
    assert judge_asking(replace(named, judgement=judge_named(named))).yes is is_asked


def test_a_named_form_with_a_button_that_changes_something_is_not_asked() -> None:
    named = door("<form action=/do><select name=a><option>1<option>2</select><button>Delete</button></form>")
    named = replace(named, judgement=Judgement("other", 0.9))
    assert judge_asking(replace(named, judgement=judge_named(named))) == Verdict(
        False, "may change something: 'delete'"
    )
