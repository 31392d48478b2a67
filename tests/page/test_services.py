"""Calls of scripts as forms."""

from __future__ import annotations

import time

import orjson
import pytest

from dowse.model import Call, Field, Form, Option, Response, SeenOnSite
from dowse.page.document import read_page
from dowse.page.services import MAX_FORMS, find_call_forms
from tests.page.pages import URL, read
from tests.webs import read_in_turn


def fields(form: Form) -> list[tuple[str, str, str]]:
    return [(field.name, field.type, field.value) for field in form.fields]


def get(url: str, status: int = 200) -> Call:
    return Call(url, "GET", "", "application/json", status, 10)


def post(body: str) -> Call:
    return Call("http://e.com/api", "POST", body, "application/json", 200, 10)


def test_a_question_in_the_address() -> None:
    (form,) = find_call_forms([get("http://api.e.com/books?q=all&page=1&sort=")])
    assert (form.method, form.action, form.made) == ("GET", "http://api.e.com/books", "call")
    assert fields(form) == [("q", "search", "all"), ("page", "hidden", "1"), ("sort", "hidden", "")]


def test_a_question_in_a_json_body() -> None:
    (form,) = find_call_forms([post('{"query": {"searchTerm": "x", "size": 20}, "facets": ["a"], "deep": null}')])
    assert (form.method, form.action, form.enctype) == ("POST", "http://e.com/api", "application/json")
    assert fields(form) == [("query.searchTerm", "search", "x"), ("query.size", "hidden", "20")]


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(get("http://e.com/menu.json"), id="asks nothing"),
        pytest.param(get("http://e.com/menu.json?v=3&quiet=1"), id="no question among the parameters"),
        pytest.param(get("http://e.com/find?q=x", status=404), id="not there"),
        pytest.param(get("ftp://e.com/find?q=x"), id="another scheme"),
        pytest.param(post("{"), id="broken JSON"),
        pytest.param(post("[" * 100_000), id="deep JSON"),
        pytest.param(post('{"a":' * 100 + '{"q": 1}' + "}" * 100), id="a question too deep"),
        pytest.param(post('{"query": "query { books { title } }"}'), id="GraphQL"),
        pytest.param(get("http://e.com/?" + "&".join(f"a{n}=1" for n in range(500))), id="too many parameters"),
    ],
)
def test_what_is_no_form(call: Call) -> None:
    assert find_call_forms([call]) == []


def test_each_address_once_and_no_more_than_the_bound() -> None:
    same = [get(f"http://e.com/find?q={word}") for word in ("a", "b", "c")]
    assert len(find_call_forms(same)) == 1
    many = [get(f"http://e.com/{number}?q=a") for number in range(50)]
    assert len(find_call_forms(many)) == MAX_FORMS


SECONDS = 3.0


def made(html: str, kind: str) -> list[Form]:
    return [form for form in read(html).forms if form.made == kind]


# links to services


@pytest.mark.parametrize(
    ("html", "kind", "action"),
    [
        pytest.param("<a href=/oai?verb=Identify>x</a>", "oai-pmh", "/oai", id="oai-pmh"),
        pytest.param("<a href='/request?verb=ListRecords&metadataPrefix=oai_dc'>x</a>", "oai-pmh", "/request", id="verb"),
        pytest.param("<a href=/oai-pmh>Harvest</a>", "oai-pmh", "/oai-pmh", id="oai-pmh by its address"),
        pytest.param("<a href=/oai/request>OAI-PMH</a>", "oai-pmh", "/oai/request", id="oai by its words"),
        pytest.param("<a href='/sru?version=1.1&amp;operation=explain'>x</a>", "sru", "/sru", id="sru"),
        pytest.param("<a href='/x?operation=searchRetrieve&query=a'>x</a>", "sru", "/x", id="sru query"),
        pytest.param("<a href=/api/3/action/package_list>x</a>", "ckan", "/api/3/action/package_search", id="ckan"),
        pytest.param("<a href='/data/api/3/action/package_search?q=x'>x</a>", "ckan", "/data/api/3/action/package_search",
            id="ckan in a folder"),
    ],
)  # fmt: skip
def test_a_link_to_a_service_is_a_form(html: str, kind: str, action: str) -> None:
    (form,) = made(html, kind)
    assert form.action == f"http://example.com{action}"
    assert form.template.startswith(f"{form.action}?")
    assert {f"{{{field.name}}}" for field in form.fields} <= set(form.template.replace("=", "&").split("&"))


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<a href=/oai>About us</a>", id="a folder of that name"),
        pytest.param("<a href=/x?verb=jump>OAI-PMH</a>", id="another verb"),
        pytest.param("<a href='/calculator?operation=plus'>x</a>", id="another operation"),
        pytest.param("<a href=/api/users>x</a>", id="another API"),
    ],
)
def test_other_links_are_no_service(html: str) -> None:
    assert read(html).forms == ()


def test_a_service_keeps_what_its_address_needs() -> None:
    (form,) = made("<a href='/index.php?page=oai&verb=Identify'>OAI</a>", "oai-pmh")
    assert form.fields[0] == Field("page", "hidden", value="oai")
    assert form.template.endswith("&page=oai")
    assert [field.name for field in form.fields[1:]] == ["verb", "metadataPrefix", "set", "from", "until"]


def test_an_sru_keeps_its_version() -> None:
    (form,) = made("<a href='/sru?version=1.1&operation=explain'>x</a>", "sru")
    assert [(field.name, field.value) for field in form.fields] == [
        ("version", "1.1"), ("operation", "searchRetrieve"), ("query", ""), ("startRecord", "1"), ("maximumRecords", "10"),
    ]  # fmt: skip


def test_each_service_once_and_not_too_many() -> None:
    html = "<a href=/oai?verb=Identify>x</a><a href=/oai?verb=ListSets>y</a>"
    assert len(made(html, "oai-pmh")) == 1
    assert len(made("".join(f"<a href=/{n}/oai?verb=Identify>x</a>" for n in range(100)), "oai-pmh")) == 20


# links to descriptions


def test_descriptions_are_links() -> None:
    page = read(
        "<link rel=search type=application/opensearchdescription+xml href=/os.xml title='My site'>"
        "<link rel=stylesheet href=/a.css><link rel=search href=/search>"
        "<link rel=service-desc href=/openapi.json><a href=/v3/api-docs>API</a><a rel=nofollow href=/swagger.json>x</a>",
    )
    found = [(link.url, link.text, link.rel) for link in page.links]
    assert found == [
        ("http://example.com/v3/api-docs", "API", "service-desc"),
        ("http://example.com/swagger.json", "x", "nofollow service-desc"),
        ("http://example.com/os.xml", "My site", "search"),
        ("http://example.com/openapi.json", "", "service-desc"),
    ]


def test_what_a_search_has_met_is_left_out() -> None:
    html = "<link rel=search type=application/opensearchdescription+xml href=/os.xml><a href=/oai?verb=Identify>x</a>"
    first = read_page(Response(URL, 200, (), html.encode()), SeenOnSite())
    assert (len(first.links), len(first.forms)) == (2, 1)
    seen = SeenOnSite({link.url for link in first.links}, {form.key for form in first.form_keys})
    again = read_page(Response(URL, 200, (), html.encode()), seen)
    assert (again.links, again.forms) == ((), ())


# schema.org


def jsonld(said: object) -> str:
    return f"<script type=application/ld+json>{orjson.dumps(said).decode()}</script>"


ACTION = {"@type": "SearchAction", "query-input": "required name=search_term_string"}
WEBSITE = {"@context": "https://schema.org", "@type": "WebSite", "name": "The Book Barn"}


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(
            {**WEBSITE, "potentialAction": {**ACTION, "target": "/find?a=1&q={search_term_string}"}}, id="text"
        ),
        pytest.param(
            {
                **WEBSITE,
                "potentialAction": [{**ACTION, "target": {"@type": "EntryPoint", "urlTemplate": "/find?a=1&q={x}"}}],
            },
            id="entry point",
        ),
        pytest.param(
            {"@graph": [{}, {**WEBSITE, "potentialAction": {**ACTION, "target": ["/find?a=1&q={x}", "app://x/{x}"]}}]},
            id="in a graph, one of several",
        ),
        pytest.param(
            {**WEBSITE, "potentialAction": {"@type": ["http://schema.org/SearchAction"], "target": "/find?a=1&q={x}"}},
            id="type as an address",
        ),
    ],
)
def test_a_declared_search_is_a_form(said: object) -> None:
    (form,) = made(jsonld(said), "search-action")
    assert (form.action, form.method, form.template, form.text) == (
        "http://example.com/find",
        "GET",
        "",
        "The Book Barn",
    )
    assert form.fields == (Field("a", "hidden", value="1"), Field("q", "search"))


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<script type=application/ld+json>{SearchAction</script>", id="broken"),
        pytest.param("<script>{'@type': 'SearchAction', 'target': '/?q={q}'}</script>", id="another script"),
        pytest.param(jsonld({**ACTION, "target": "/find"}), id="nothing to fill in"),
        pytest.param(jsonld({**ACTION, "target": "javascript:alert({q})"}), id="no web address"),
        pytest.param(jsonld({**ACTION, "target": "https://{q}.example.com/"}), id="a host to fill in"),
        pytest.param(jsonld({**ACTION, "target": 3}), id="a number"),
        pytest.param(jsonld({**ACTION, "target": "/?q={q}", "x": "x" * 200_000}), id="too long"),
        pytest.param(
            jsonld([[[[[[[[[[[[[[[[[[[[[[[[{**ACTION, "target": "/?q={q}"}]]]]]]]]]]]]]]]]]]]]]]]]), id="too deep"
        ),
        pytest.param("<script type=application/ld+json>" + "[" * 50_000 + '"SearchAction"', id="endless"),
    ],
)
def test_what_declares_no_search(html: str) -> None:
    assert read(html).forms == ()


def test_microdata() -> None:
    html = (
        "<form itemprop=potentialAction itemscope itemtype=https://schema.org/SearchAction>"
        "<meta itemprop=target content='https://example.com/find/{words}'><input itemprop=query-input name=words></form>"
    )
    (form,) = made(html, "search-action")
    assert form.template == "https://example.com/find/{words}"
    assert form.action == "https://example.com/find/"


def test_a_declared_search_that_is_a_form_of_the_page_is_not_said_twice() -> None:
    declared = jsonld({**ACTION, "target": "/find?q={q}"})
    assert [form.made for form in read(f"{declared}<form action=/find><input name=q></form>").forms] == ["html"]
    page = read(f"{declared}<form action=/other><input name=q></form>")
    assert [(form.index, form.made) for form in page.forms] == [(0, "html"), (1, "search-action")]


def test_a_declared_search_is_known_on_the_next_page() -> None:
    body = jsonld({**ACTION, "target": "/find?q={q}"}).encode()
    assert [len(page.forms) for page in read_in_turn(*[Response(URL, 200, (), body)] * 3)] == [1, 0, 0]


# OpenAPI

OPENAPI = {
    "openapi": "3.0.1",
    "info": {"title": "Books", "description": "All of our books."},
    "servers": [{"url": "https://api.example.com/{v}", "variables": {"v": {"default": "v1"}}}],
    "components": {"parameters": {"Lang": {
        "name": "language", "in": "query", "description": "Language of the text", "schema": {"$ref": "#/components/schemas/Lang"},
    }}, "schemas": {"Lang": {"type": "string", "enum": ["en", "de"], "default": "de"}}},
    "paths": {
        "/books": {"get": {"operationId": "findBooks", "summary": "Find books", "parameters": [
            {"name": "q", "in": "query", "required": True, "description": "Words to look for", "schema": {"type": "string"}},
            {"name": "year", "in": "query", "schema": {"type": "integer"}},
            {"name": "since", "in": "query", "schema": {"type": "string", "format": "date"}},
            {"name": "page", "in": "query", "schema": {"type": "integer", "default": 1}},
            {"name": "X-Key", "in": "header"}, {"$ref": "#/components/parameters/Lang"}, {"$ref": "#/nowhere"}, 7,
        ]}, "post": {}},
        "/shelves/{shelf}/search": {"parameters": [{"name": "shelf", "in": "path", "required": True}],
            "get": {"parameters": [{"name": "title", "in": "query"}]}},
        "/books/{id}": {"get": {"parameters": [{"name": "id", "in": "path"}, {"name": "page", "in": "query"}]}},
        "/login": {"get": {"parameters": [{"name": "user", "in": "query"}, {"name": "password", "in": "query"}]}},
        "/things": {"get": {"parameters": [{"name": "limit", "in": "query"}]}},
        "/broken": [],
    },
}  # fmt: skip


def described(document: object, url: str = "http://example.com/docs/openapi.json") -> list[Form]:
    return list(read_page(Response(url, 200, (("content-type", "application/json"),), orjson.dumps(document))).forms)


def test_questions_of_an_api_are_forms() -> None:
    books, shelf = described(OPENAPI)
    assert (books.made, books.method, books.action, books.template) == (
        "openapi",
        "GET",
        "https://api.example.com/v1/books",
        "",
    )
    assert (books.id, books.text, books.heading) == ("findBooks", "Find books", "Find books")
    assert books.fields == (
        Field("q", "search", label="Words to look for", required=True),
        Field("year", "number"), Field("since", "date"), Field("page", "hidden", value="1"),
        Field("language", "select", label="Language of the text", value="de",
            options=(Option("en", "en"), Option("de", "de", True))),
    )  # fmt: skip
    assert shelf.template == "https://api.example.com/v1/shelves/{shelf}/search?title={title}"
    assert shelf.action == "https://api.example.com/v1/shelves/"


def test_the_page_of_an_api() -> None:
    page = read(orjson.dumps(OPENAPI), url="http://example.com/openapi.json")
    assert (page.title, page.text, page.links, page.form_count) == ("Books", "All of our books. Find books ", (), 2)


def test_an_api_of_version_2() -> None:
    document = {
        "swagger": "2.0", "host": "api.example.com", "basePath": "/v2", "schemes": ["https"],
        "paths": {"/find": {"get": {"parameters": [{"name": "kind", "in": "query", "type": "array",
            "items": {"enum": ["a", "b"]}, "description": "x " * 500}]}}},
    }  # fmt: skip
    (form,) = described(document)
    assert form.action == "https://api.example.com/v2/find"
    assert (form.fields[0].type, form.fields[0].multiple, len(form.fields[0].options)) == ("select", True, 2)
    assert len(form.fields[0].label) <= 200


@pytest.mark.parametrize(
    "document",
    [
        pytest.param({"openapi": "3", "paths": []}, id="no paths"),
        pytest.param({"openapi": 3, "paths": {"/a": {}}}, id="no version"),
        pytest.param({"openapi": "3", "paths": {"/a": {"get": {"parameters": "x"}}}}, id="no parameters"),
        pytest.param({"x": "openapi", "paths": {}}, id="another document"),
        pytest.param(["openapi"], id="a list"),
        pytest.param({"swagger": "2.0", "servers": [4], "paths": {"/a": {"get": 4}}, "host": {}}, id="wrong kinds"),
    ],
)
def test_other_json_gives_no_forms(document: object) -> None:
    assert described(document) == []


def test_not_too_many_questions() -> None:
    one = {"get": {"parameters": [{"name": "q", "in": "query"}]}}
    assert len(described({"openapi": "3.1.0", "paths": {f"/{n}": one for n in range(200)}})) == 50


def test_a_hostile_api_takes_no_time() -> None:
    shared = {"name": "kind", "in": "query", "description": "x " * 200_000, "schema": {"enum": ["y"] * 50_000}}
    asked = {"get": {"parameters": [{"$ref": "#/shared"}] * 60}}
    document = {"openapi": "3", "shared": shared, "paths": {f"/{n}/{{id}}": asked for n in range(500)}}
    start = time.process_time()
    described(document)
    assert time.process_time() - start < SECONDS
