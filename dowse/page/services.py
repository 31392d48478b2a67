"""Ways to ask that are no forms: services that a page links to or calls, and searches that it declares."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, quote

import orjson

from dowse.model import Call, Field, Form, Link, Page, Response, SeenOnSite
from dowse.page.charset import decode
from dowse.page.descriptions import (
    find_described_forms,
    find_operations,
    is_description,
    read_description,
    read_openapi,
    read_template,
    read_title,
    write_form,
)
from dowse.page.parser import HtmlNode, MarkupKeys, TagPaths, Tree, attribute, find_inside
from dowse.url import MAX_LENGTH, Base, canonical

# --- calls
# Services that a page's scripts asked, as forms: an address with a question in it can be asked another.

MAX_FORMS = 10  # made of the calls of one page
MAX_FIELDS = 50
MAX_WORDS = 200
MAX_VALUE = 2_000
MAX_NESTED = 4  # levels of JSON in which a question is looked for

_QUESTION = re.compile(
    r"(?:(?:search|query|filter|full|free)[._-]?)?(?:q|qs|query|search|searchterms?|terms?|keywords?|kw|text|querystring|searchtext|searchstring|phrase)",
    re.IGNORECASE,
)
_NOT_WORDS = re.compile(r"\s{0,20}(?:query|fragment|subscription|\{)", re.IGNORECASE)  # GraphQL, not what people type


def find_call_forms(calls: Sequence[Call]) -> list[Form]:
    """Return the calls that ask something as forms, each address once."""
    found: dict[tuple[str, str, tuple[str, ...]], Form] = {}
    for call in calls:
        if len(found) >= MAX_FORMS:
            break
        form = _read_call(call)
        if form is not None:
            found.setdefault((form.method, form.action, tuple(sorted(field.name for field in form.fields))), form)
    return list(found.values())


def _read_call(call: Call) -> Form | None:
    action = canonical(call.url.partition("?")[0])
    if action is None or not 200 <= call.status < 300:
        return None
    pairs = list(_find_values(call))[:MAX_FIELDS]
    if not any(_is_question(name, value) for name, value in pairs):
        return None
    kind = "application/json" if call.method == "POST" else ""
    return Form(0, call.method, action, tuple(_field(*pair) for pair in pairs), enctype=kind, made="call")


def _find_values(call: Call) -> Iterator[tuple[str, str]]:
    """Yield what was sent: the parameters of the address, or the values of a JSON body with their paths as names."""
    if call.method == "GET":
        try:
            yield from parse_qsl(call.url.partition("?")[2], keep_blank_values=True, max_num_fields=MAX_FIELDS)
        except ValueError:
            return
    elif call.body:
        try:
            sent = json.loads(call.body)
        except (ValueError, RecursionError):
            return
        yield from _find_leaves(sent, "", MAX_NESTED)


def _find_leaves(value: Any, name: str, levels: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and levels:
        for key, inside in list(value.items())[:MAX_FIELDS]:
            yield from _find_leaves(inside, f"{name}.{key}" if name else str(key), levels - 1)
    elif isinstance(value, str | int | float) and name:
        yield name, str(value)


def _is_question(name: str, value: str) -> bool:
    last = name.rpartition(".")[2]
    return _QUESTION.fullmatch(last[:MAX_WORDS]) is not None and not ("{" in value and _NOT_WORDS.match(value))


def _field(name: str, value: str) -> Field:
    kind = "search" if _is_question(name, value) else "hidden"
    return Field(name[:MAX_WORDS], kind, value=value[:MAX_VALUE])


# --- jsonld
# Searches that a page declares for machines: schema.org's SearchAction, as JSON-LD or as microdata.

MAX_SCRIPTS = 20
MAX_SCRIPT = 100_000  # characters of one script
MAX_PARTS = 5_000  # of all that is in one
MAX_DEPTH = 20
MAX_DECLARED_FORMS = 20  # looked at for microdata
MAX_TARGETS = 5  # ways to reach one search: the web, apps
_JSON = "application/ld+json"
_ACTION = "SearchAction"


def find_search_actions(tree: Tree, base: str, path_of: TagPaths) -> list[Form]:
    """Return the searches that the scripts and the microdata of a page declare."""
    forms: list[Form] = []
    scripts = [each for each in tree.tags("script") if attribute(each, "type") == _JSON]
    for script in scripts[:MAX_SCRIPTS]:
        text = script.text()
        if _ACTION in text and len(text) <= MAX_SCRIPT:
            forms += _build_forms(_read_targets(text), base, path_of(script))
    for element in tree.forms[:MAX_DECLARED_FORMS]:
        kind = attribute(element, "itemtype")
        if kind and _is_search(kind):
            forms += _build_forms(_find_microdata(element), base, path_of(element))
    return forms


def _build_forms(targets: Iterator[tuple[str, str]], base: str, path: str) -> list[Form]:
    forms = []
    for address, name in targets:
        template = read_template(address, base)
        if template is not None:
            forms.append(write_form("search-action", template, text=name, path=path))
    return forms


def _read_targets(text: str) -> Iterator[tuple[str, str]]:
    """Yield the address of each SearchAction in a script, with what the search is called."""
    try:
        said = orjson.loads(text)
    except ValueError:
        return
    waiting = deque([(said, "", 0)])
    for _ in range(MAX_PARTS):
        if not waiting:
            return
        part, name, depth = waiting.popleft()
        if isinstance(part, dict):
            name = _words(part) or name
            if _is_search(part.get("@type")):
                yield from ((address, name) for address in _addresses(part.get("target")))
            part = list(part.values())
        if isinstance(part, list) and depth < MAX_DEPTH:
            waiting.extend((each, name, depth + 1) for each in part[:MAX_PARTS] if isinstance(each, dict | list))


def _words(part: dict[str, Any]) -> str:
    """Return what a thing is called and described as, where it is no mere part of a search."""
    said = [part.get(name) for name in ("name", "alternateName", "description")]
    return " ".join(" ".join(each.split()) for each in said if isinstance(each, str))[:1000]


def _is_search(kind: object) -> bool:
    kinds = kind if isinstance(kind, list) else [kind]
    return any(isinstance(each, str) and each.rpartition("/")[2] == _ACTION for each in kinds[:10])


def _addresses(target: object) -> list[str]:
    """Return the addresses of a target: one, several, or an EntryPoint that has them."""
    found: list[object] = []
    for each in target[:MAX_TARGETS] if isinstance(target, list) else [target]:
        address = (each.get("urlTemplate") or each.get("url")) if isinstance(each, dict) else each
        found += address[:MAX_TARGETS] if isinstance(address, list) else [address]
    return [each for each in found if isinstance(each, str)]


def _find_microdata(action: HtmlNode) -> Iterator[tuple[str, str]]:
    """Yield the addresses that the metas in an element have, which is the action itself."""
    for meta in find_inside(action, "meta")[:MAX_TARGETS]:
        if attribute(meta, "itemprop") in ("target", "urlTemplate"):
            yield attribute(meta, "content") or "", ""


# --- services
# Ways to ask that are no forms: services that a page links to, searches that it declares, descriptions of both.
#
# What is known by its address alone (OAI-PMH, SRU, CKAN) becomes a form at once, with the questions
# that its standard has. A description (OpenSearch, OpenAPI) is a link to follow, and a page of its own.

MAX_ELEMENTS = 500  # link elements looked at
MAX_SERVICES = 20  # that one page links to
DECLARING_PAGES = 30  # of a site that are looked through for what it declares: it is the same on each, or on the first

_VERBS = "Identify|ListRecords|ListIdentifiers|ListSets|ListMetadataFormats|GetRecord"
_OAI = re.compile(rf"[?&;]verb=(?:{_VERBS})\b", re.IGNORECASE)
_OAI_PATH = re.compile(r"/[\w-]*oai[\w-]*(?:\.\w{2,4})?(?:/request)?/?\Z", re.IGNORECASE)
_OAI_WORDS = re.compile(r"oai[-_ ]?pmh|oai[-_ ]?2|open archives|metadata harvest", re.IGNORECASE)
_SRU = re.compile(r"[?&;]operation=(?:explain|searchRetrieve|scan)\b", re.IGNORECASE)
_CKAN = re.compile(r"\A(.*/api/(?:3/|rest/)?action/)[a-z_]+\Z", re.IGNORECASE)
_OPENAPI = re.compile(
    r"/(?:openapi|swagger)(?:[._-]?v?\d[\w.]*)?\.json\Z|/v[23]/api-docs(?:/[\w.-]+)?\Z|/swagger/[\w.-]+/swagger\.json\Z|/openapi/?\Z",
    re.IGNORECASE,
)
_HTML = (b"<!doctype html", b"<html")
_OPENSEARCH = "opensearchdescription"
_COMMON_RELS = frozenset(
    {"stylesheet", "shortcut icon", "icon", "alternate", "canonical", "apple-touch-icon", "preload"}
)

Question = tuple[Field, ...]


def find_services(
    tree: Tree,
    links: list[Link],
    likely: Sequence[int],
    base: Base,
    path_of: TagPaths,
    seen: SeenOnSite,
    keys: MarkupKeys,
) -> tuple[list[Form], list[Link]]:
    """Return what a page offers beside its forms, as forms, and its links with those to descriptions, named as such.

    Which links are likely to be services is known by number.
    """
    forms: list[Form] = []
    described: list[Link] = []
    if seen.pages < DECLARING_PAGES:
        forms = find_search_actions(tree, base.url, path_of)
        described = [link for link in _find_descriptions(tree, base) if link.url not in seen.links]
    if likely:
        signed = [links[place] for place in likely]
        forms += _find_linked_services(signed)
        links = _name_descriptions(links, signed)
    forms = [form for form in forms if keys.is_new(form.made, form.method, form.action, form.template, form.fields)]
    return forms, [*links, *described] if described else links


def add_services(forms: Sequence[Form], services: Sequence[Form], count: int, limit: int) -> tuple[Form, ...]:
    """Return the forms of a page with those services that are no twins of one; most declared searches are."""
    if not services:
        return tuple(forms)
    known = {(form.action.partition("?")[0], field.name) for form in forms for field in form.fields}
    others = [form for form in services if form.template or not _is_among(form, known)]
    first = max(count, forms[-1].index + 1) if forms else count
    return (*forms, *_number(others[: max(0, limit - first)], first))


def read_service_page(response: Response, body: bytes, encoding: str) -> Page | None:
    """Return the page that a description makes, or None for what is none."""
    if body[:20].lower().startswith(_HTML):
        return None
    if is_description(body):
        return _read_opensearch(response, decode(body, encoding), encoding)
    document = read_openapi(body)
    if document is None:
        return None
    title, text = read_title(document)
    forms = _number(find_operations(document, canonical(response.url) or ""), 0)
    return _page(response, title, " ".join([text, *(form.text for form in forms)]), encoding, forms)


def _read_opensearch(response: Response, source: str, encoding: str) -> Page:
    description = read_description(source)
    forms = _number(find_described_forms(description, canonical(response.url) or ""), 0)
    page = _page(response, description.title, description.text, encoding, forms)
    language = description.language[:2].lower()
    return replace(page, language=language if language.isalpha() else "")


def _page(response: Response, title: str, text: str, encoding: str, forms: tuple[Form, ...]) -> Page:
    url = canonical(response.url) or ""
    return Page(
        url=response.url, title=title, text=text, encoding=encoding, base=url, forms=forms, form_count=len(forms)
    )


def _number(forms: Sequence[Form], first: int) -> tuple[Form, ...]:
    return tuple(replace(form, index=place) for place, form in enumerate(forms, first))


def _is_among(form: Form, known: set[tuple[str, str]]) -> bool:
    return any((form.action, field.name) in known for field in form.fields if field.type != "hidden")


# links


def _find_descriptions(tree: Tree, base: Base) -> Iterator[Link]:
    """Yield the descriptions that link elements name."""
    for element in tree.tags("link")[:MAX_ELEMENTS]:
        rel = attribute(element, "rel")
        if not rel or rel in _COMMON_RELS:
            continue
        rel = rel.lower()
        kind = _kind_of_description(rel.split(), (attribute(element, "type") or "").lower())
        url = base.resolve((attribute(element, "href") or "").strip()[:MAX_LENGTH]) if kind else None
        if url:
            yield Link(url, (attribute(element, "title") or "")[:200].strip(), rel=kind, path="html/head/link")


def _kind_of_description(rel: list[str], media: str) -> str:
    if "search" in rel:
        return "search" if _OPENSEARCH in media else ""
    return "service-desc" if "service-desc" in rel and "yaml" not in media else ""


def _name_descriptions(links: list[Link], signed: Sequence[Link]) -> list[Link]:
    """Return the links, those to OpenAPI documents with the relation that they have by their address."""
    named = {link.url for link in signed if _OPENAPI.search(link.url.partition("?")[0])}
    if not named:
        return links
    return [
        link._replace(rel=f"{link.rel} service-desc".strip())
        if link.url in named and "service-desc" not in link.rel
        else link
        for link in links
    ]


def _find_linked_services(links: Sequence[Link]) -> list[Form]:
    """Return a form for each service that links lead to, each once."""
    found: dict[tuple[str, str], Form] = {}
    for link in links:
        form = next(filter(None, (read(link) for read in _READERS)), None)
        if form is not None:
            found.setdefault((form.made, form.action), form)
        if len(found) >= MAX_SERVICES:
            break
    return list(found.values())


def _read_oai(link: Link) -> Form | None:
    path = link.url.partition("?")[0]
    asked = _OAI.search(link.url)
    if not asked and not (_OAI_PATH.search(path) and _OAI_WORDS.search(f"{path} {link.text} {link.nearby}")):
        return None
    return _write_service("oai-pmh", link, path, _given(link.url, _OAI_NAMES), _OAI_FIELDS)


def _read_sru(link: Link) -> Form | None:
    if not _SRU.search(link.url):
        return None
    path = link.url.partition("?")[0]
    version = next((value for name, value in _pairs(link.url) if name == "version"), "1.2")
    fields = tuple(each._replace(value=version) if each.name == "version" else each for each in _SRU_FIELDS)
    return _write_service("sru", link, path, _given(link.url, _SRU_NAMES), fields)


def _read_ckan(link: Link) -> Form | None:
    found = _CKAN.match(link.url.partition("?")[0])
    return _write_service("ckan", link, f"{found[1]}package_search", (), _CKAN_FIELDS) if found else None


def _write_service(made: str, link: Link, action: str, given: Question, fields: Question) -> Form:
    """Return a service as a form: what its address needs anyway, and the questions of its standard."""
    asked = (*given, *fields)
    kept = "".join(f"&{quote(each.name)}={quote(each.value)}" for each in given)
    places = "&".join(f"{each.name}={{{each.name}}}" for each in fields)
    return Form(
        index=0,
        method="GET",
        action=action,
        fields=asked,
        name=made,
        text=f"{link.text} {link.nearby}".strip()[:1000],
        path=link.path,
        made=made,
        template=f"{action}?{places}{kept}",
    )


def _pairs(url: str) -> list[tuple[str, str]]:
    query = url.partition("?")[2].replace(";", "&")
    return [(name, value) for name, _, value in (pair.partition("=") for pair in query.split("&")[:30]) if name]


def _given(url: str, own: frozenset[str]) -> Question:
    """Return parameters of an address that are not the standard's own: some servers need them to find the service."""
    return tuple(
        Field(name[:200], "hidden", value=value[:200]) for name, value in _pairs(url) if name.lower() not in own
    )


_OAI_FIELDS = (
    Field("verb", "hidden", value="ListRecords"),
    Field("metadataPrefix", "text", label="Metadata format", value="oai_dc", required=True),
    Field("set", "text", label="Set"),
    Field("from", "date", label="From"),
    Field("until", "date", label="Until"),
)
_OAI_NAMES = frozenset("verb metadataprefix set from until identifier resumptiontoken".split())
_SRU_FIELDS = (
    Field("version", "hidden", value="1.2"),
    Field("operation", "hidden", value="searchRetrieve"),
    Field("query", "search", label="Query (CQL)", required=True),
    Field("startRecord", "hidden", value="1"),
    Field("maximumRecords", "hidden", value="10"),
)
_SRU_NAMES = frozenset(
    "version operation query startrecord maximumrecords recordschema recordpacking scanclause".split()
)
_CKAN_FIELDS = (
    Field("q", "search", label="Search datasets"),
    Field("rows", "hidden", value="10"),
    Field("start", "hidden", value="0"),
)
_READERS: tuple[Callable[[Link], Form | None], ...] = (_read_oai, _read_sru, _read_ckan)
