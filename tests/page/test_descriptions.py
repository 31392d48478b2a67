from __future__ import annotations

import time

import pytest

from dowse.model import Field, Form, Page
from tests.page.pages import read

SECONDS = 3.0
URL = "http://example.com/os/description.xml"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'


def describe(inside: str, head: str = HEAD, **headers: str) -> Page:
    return read(f"{head}{inside}</OpenSearchDescription>", url=URL, **headers)


def only(url: str) -> Form:
    (form,) = describe(url).forms
    return form


def test_a_description_is_a_page() -> None:
    page = describe(
        "<ShortName>Books &amp; more</ShortName><Description>Search the <![CDATA[<b>&]]> catalogue.</Description>"
        "<Tags>books shops</Tags><Language>en-us</Language>"
        '<Url type="text/html" template="http://example.com/find?q={searchTerms}"/>'
    )
    assert (page.title, page.language, page.form_count) == ("Books & more", "en", 1)
    assert page.text == "Books & more Search the <b>& catalogue. books shops"
    (form,) = page.forms
    assert (form.made, form.method, form.action, form.template) == ("opensearch", "GET", "http://example.com/find", "")
    assert (form.name, form.text) == (page.title, page.text)
    assert form.fields == (Field("q", "search", placeholder="Books & more"),)


def test_all_its_places() -> None:
    form = only(
        '<Url type="text/html" indexOffset="0" template="/find?a=b%20c&amp;q={searchTerms}&amp;n={count?}'
        '&amp;s={startIndex}&amp;p={startPage?}&amp;l={language?}&amp;t={time:start?}"/>'
    )
    assert form.action == "http://example.com/find"
    assert form.fields == (
        Field("a", "hidden", value="b c"), Field("q", "search", label="searchTerms"), Field("n", "hidden", label="count"),
        Field("s", "hidden", label="startIndex", value="0"), Field("p", "hidden", label="startPage"),
        Field("l", "hidden", label="language"), Field("t", "text", label="start"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("template", "action", "kept", "names"),
    [
        pytest.param("/find/{searchTerms}/", "/find/", "/find/{searchTerms}/", ["searchTerms"], id="in the path"),
        pytest.param("/find?q=in:{searchTerms}&amp;p={startPage?}", "/find", "/find?q=in:{searchTerms}&p={startPage}",
            ["searchTerms", "startPage"], id="amid a parameter"),
        pytest.param("/#/find?q={searchTerms}", "/", "/#/find?q={searchTerms}", ["searchTerms"], id="in the fragment"),
        pytest.param("find{?q,lang}", "/os/find", "", ["q", "lang"], id="RFC 6570"),
        pytest.param("/find?q={searchTerms}&amp;utm_source=os", "/find", "", ["q"], id="without tracking"),
    ],
)  # fmt: skip
def test_templates(template: str, action: str, kept: str, names: list[str]) -> None:
    form = only(f'<Url type="text/html" template="{template}"/>')
    assert form.action == f"http://example.com{action}"
    assert form.template == (f"http://example.com{kept}" if kept else "")
    assert [field.name for field in form.fields] == names


def test_pages_for_people_come_first() -> None:
    page = describe(
        '<Url type="application/x-suggestions+json" rel="suggestions" template="/suggest?q={searchTerms}"/>'
        '<Url type="application/atom+xml" template="/atom?q={searchTerms}"/>'
        '<Url rel="self" type="application/opensearchdescription+xml" template="/os.xml?x={y}"/>'
        '<Url type="text/html" template="/html?q={searchTerms}"/><Url type="text/html" template="/nothing"/>'
    )
    assert [(form.index, form.action) for form in page.forms] == [
        (0, "http://example.com/html"), (1, "http://example.com/atom"),
    ]  # fmt: skip


def test_a_posted_search() -> None:
    form = only(
        '<Url type="text/html" method="POST" enctype="multipart/form-data" template="https://example.com/find">'
        '<Param name="q" value="{searchTerms}"/><Param name="kind" value="book"/></Url>'
    )
    assert (form.method, form.enctype, form.action) == ("POST", "multipart/form-data", "https://example.com/find")
    assert [(field.name, field.type, field.value) for field in form.fields] == [
        ("q", "search", ""),
        ("kind", "hidden", "book"),
    ]


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("<OpenSearchDescription>", id="without a declaration"),
        pytest.param('<!-- x --><os:OpenSearchDescription xmlns:os="x">', id="with a prefix"),
        pytest.param('<!DOCTYPE x [<!ENTITY a "b">]><OpenSearchDescription>', id="with a doctype"),
    ],
)
def test_ways_to_begin(head: str) -> None:
    assert (
        describe("<os:Url type='text/html' template='/f?q={searchTerms}'/>", head).forms[0].action
        == "http://example.com/f"
    )


def test_the_encoding_of_its_header() -> None:
    body = f"{HEAD}<ShortName>Bücher</ShortName></OpenSearchDescription>".encode("latin-1")
    assert read(body, url=URL, content_type="application/opensearchdescription+xml; charset=latin1").title == "Bücher"


def test_entities_are_not_expanded() -> None:
    head = (
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>'
        "<OpenSearchDescription>"
    )
    assert describe("<ShortName>x&b;&c;</ShortName>", head).title == "x&b;&c;"


def test_a_page_that_names_a_description_is_a_page() -> None:
    page = read("<html><p>Write an &lt;OpenSearchDescription></p><a href=/x>y</a>", url=URL)
    assert len(page.links) == 1


@pytest.mark.parametrize(
    "inside",
    [
        pytest.param("<Url " * 100_000, id="open tags"),
        pytest.param("<Url a='" * 100_000, id="open quotes"),
        pytest.param("<!--" * 200_000, id="open comments"),
        pytest.param("<![CDATA[" * 100_000, id="open cdata"),
        pytest.param("<!DOCTYPE [" * 100_000, id="open doctypes"),
        pytest.param("<Url template='/a?q={searchTerms}'/>" * 50_000, id="many"),
        pytest.param("<Url template='/a?" + "{x}" * 100_000 + "'/>", id="many places"),
        pytest.param(
            "<Url template='/a?q={x}'>" + "<Param name='a' value='b'/>" * 50_000 + "</Url>", id="many parameters"
        ),
        pytest.param("<ShortName>" + "x " * 500_000 + "</ShortName>", id="long"),
    ],
)
def test_hostile_descriptions_take_no_time(inside: str) -> None:
    start = time.process_time()
    assert len(describe(inside).forms) <= 20
    assert time.process_time() - start < SECONDS
