"""Search descriptions: address templates, OpenSearch, OpenAPI, read as forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape, unescape
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import quote, unquote_plus

import orjson

from dowse.model import Field, Form, Option
from dowse.url import MAX_LENGTH, canonical, origin

# --- template
# Addresses with places for what is asked, as search descriptions write them, read as forms.
#
# Most of them put each value into a parameter of its own: those are plain forms, the same as a
# page would have. Where a value stands in the path, in the fragment or amid a parameter, the form
# keeps the address with a place for each of its fields.

MAX_PLACES = 30
MAX_NAME = 200
MAX_TEXT = 1_000

_PLACE = re.compile(r"\{([?&]?)([^{}]{1,200})\}")
_MARK = "zqx{}zqx"  # stands for a place while the address is resolved: nothing in it is ever escaped
_MARKED = re.compile(r"zqx(\d+)zqx")
_NO_NAME = re.compile(r"[^\w.-]+")
_DEFAULTS = {  # OpenSearch 1.1, what is sent when nobody says otherwise
    "count": "10",
    "startindex": "1",
    "startpage": "1",
    "language": "*",
    "inputencoding": "UTF-8",
    "outputencoding": "UTF-8",
}


class Part(NamedTuple):
    """A value that an address takes."""

    name: str  # of the parameter, or of the place where there is none
    place: str = ""  # what belongs there; nothing where the value is always the same
    value: str = ""
    optional: bool = False


class Template(NamedTuple):
    """An address that takes values."""

    action: str
    address: str  # with a place for each part; nothing when each is a parameter of its own
    parts: tuple[Part, ...]


def read_template(text: str, base: str) -> Template | None:
    """Read an address such as /search?q={searchTerms}, or return None when it is none or takes nothing."""
    text = text.strip()
    if len(text) > MAX_LENGTH or "zqx" in text:
        return None
    places: list[Part] = []
    marked = _PLACE.sub(lambda found: _mark(found, places), text)
    if not places or len(places) > MAX_PLACES:
        return None
    url = canonical(marked, base)
    if url is None or "zqx" in origin(url):
        return None
    fragment = marked.partition("#")[2]
    if "zqx" in fragment:
        return _with_places(f"{url}#{fragment}", places)
    return _plain(url, places) or _with_places(url, places)


def write_form(made: str, template: Template, *, text: str = "", name: str = "", path: str = "") -> Form:
    """Return a template as a form that is not numbered yet."""
    return Form(
        index=0,
        method="GET",
        action=template.action,
        fields=write_fields(template.parts),
        name=name[:MAX_NAME],
        text=text[:MAX_TEXT],
        path=path,
        made=made,
        template=template.address,
    )


def write_fields(parts: tuple[Part, ...]) -> tuple[Field, ...]:
    """Return the parts of a template as controls: one to search with, others to choose by, the rest hidden."""
    asked = [part for part in parts if part.place and part.place.lower() not in _DEFAULTS]
    fields = []
    for part in parts:
        if part not in asked:
            fields.append(Field(part.name, "hidden", label=part.place, value=_default(part)))
            continue
        label = "" if len(asked) == 1 else " ".join(part.place.replace("_", " ").split())
        fields.append(Field(part.name, "search" if part is asked[0] else "text", label=label))
    return tuple(fields)


def _default(part: Part) -> str:
    return part.value if part.optional or not part.place else part.value or _DEFAULTS[part.place.lower()]


def _mark(found: re.Match[str], places: list[Part]) -> str:
    """Note the places between two braces; {?a,b} stands for whole parameters (RFC 6570)."""
    marks = []
    for name in found[2].split(",") if found[1] else [found[2]]:
        word = name.strip().rpartition(":")[2]
        place = _NO_NAME.sub("_", word.rstrip("?*"))
        marks.append((place, _MARK.format(len(places))))
        places.append(Part(place, place, optional=word.endswith("?")))
    if not found[1]:
        return marks[0][1]
    return found[1] + "&".join(f"{place}={mark}" for place, mark in marks)


def _plain(url: str, places: list[Part]) -> Template | None:
    """Return what is a plain form: each place the whole value of a parameter."""
    action, _, query = url.partition("?")
    if "zqx" in action:
        return None
    parts = []
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        found = _MARKED.fullmatch(value)
        if "zqx" in name or ("zqx" in value and not found):
            return None
        name = unquote_plus(name)[:MAX_NAME]
        parts.append(
            places[int(found[1])]._replace(name=name) if found else Part(name, value=unquote_plus(value)[:MAX_NAME])
        )
    return Template(action, "", tuple(parts))


def _with_places(url: str, places: list[Part]) -> Template:
    start = url[: url.index("zqx")]
    action = start.partition("#")[0].partition("?")[0]
    address = _MARKED.sub(lambda found: f"{{{places[int(found[1])].place}}}", url)
    return Template(action, address, tuple({part.place: part for part in places}.values()))


# --- opensearch
# OpenSearch descriptions: a small file in which a site says how it can be searched.
#
# They are XML, which can be written to hurt who reads it. So it is not parsed but looked through:
# tags and their attributes, no entities beyond those of characters, and no more than so much of it.

MAX_OPENSEARCH_LENGTH = 100_000  # characters of a description
MAX_TAGS = 2_000
MAX_URLS = 20
MAX_PARAMS = 50
_NEAR_TOP = 2_000

_OPENING = re.compile(r"<(?:[\w.-]{1,30}:)?OpenSearchDescription[\s>]")
# What may find no end takes all the rest, so that a body full of openings is still read once.
_COMMENT = re.compile(r"<!--(?:.*?-->|.*)", re.DOTALL)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)
_TAG = re.compile(r"<(/?)(?:[\w.-]{1,30}:)?([\w.-]{1,60})((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*)>([^<]{0,2000})")
_ATTRIBUTE = re.compile(r"(?:[\w.-]{1,30}:)?([\w.-]{1,60})\s{0,20}=\s{0,20}(?:\"([^\"]*)\"|'([^']*)')")
_WORDS = ("shortname", "longname", "description", "tags")
_RESULTS = frozenset({"", "results", "collection"})
_FIRST = ("text/html", "application/xhtml+xml")


@dataclass(slots=True)
class _Url:
    """An Url element: its attributes, and the parameters in it."""

    given: dict[str, str]
    params: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class Description:
    """What an OpenSearch description says."""

    words: dict[str, str] = field(default_factory=dict)
    urls: list[_Url] = field(default_factory=list)
    language: str = ""

    @property
    def title(self) -> str:
        """What it is called."""
        return self.words.get("shortname") or self.words.get("longname") or ""

    @property
    def text(self) -> str:
        """All it says about itself."""
        return " ".join(dict.fromkeys(self.words[name] for name in _WORDS if self.words.get(name)))[:MAX_TEXT]


def is_description(body: bytes) -> bool:
    """Return True if a body is an OpenSearch description."""
    top = body[:_NEAR_TOP]
    return b"OpenSearchDescription" in top and _OPENING.search(top.decode("latin-1")) is not None


def read_description(source: str) -> Description:
    """Read the text of a description as far as it can be read."""
    description = Description()
    for tag, given, text in islice(_find_tags(_clean(source)), MAX_TAGS):
        if tag == "url" and len(description.urls) < MAX_URLS:
            description.urls.append(_Url(_read_attributes(given)))
        elif tag in ("param", "parameter") and description.urls:
            _add_param(description.urls[-1], _read_attributes(given))
        elif tag == "language":
            description.language = description.language or unescape(text).strip()[:MAX_NAME]
        elif tag in _WORDS and tag not in description.words:
            description.words[tag] = " ".join(unescape(text).split())[:MAX_TEXT]
    return description


def find_described_forms(description: Description, base: str) -> list[Form]:
    """Return a form for each way to search that gives results, those for people first."""
    urls = [url for url in description.urls if url.given.get("rel", "results").lower() in _RESULTS]
    urls = [
        url for url in urls if "suggestions" not in url.given.get("type", "").lower()
    ]  # completes words, finds nothing
    urls.sort(key=lambda url: url.given.get("type", _FIRST[0]).lower() not in _FIRST)
    forms = (_read_form(url, description, base) for url in urls)
    return [form for form in forms if form is not None]


def _clean(source: str) -> str:
    """Return a description from its first tag on, so without entities of its own, and without comments."""
    opening = _OPENING.search(source[:MAX_OPENSEARCH_LENGTH])
    source = source[opening.start() if opening else 0 :][:MAX_OPENSEARCH_LENGTH]
    return _CDATA.sub(lambda found: escape(found[1]), _COMMENT.sub("", source))


def _find_tags(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield the opening tags: name, attributes, and the text behind."""
    for found in _TAG.finditer(source):
        if not found[1]:
            yield found[2].lower(), found[3], found[4]


def _read_attributes(text: str) -> dict[str, str]:
    return {found[1].lower(): unescape(found[2] or found[3] or "") for found in _ATTRIBUTE.finditer(text)}


def _add_param(url: _Url, given: dict[str, str]) -> None:
    name = given.get("name", "")[:MAX_NAME]
    if name and len(url.params) < MAX_PARAMS:
        url.params.append((name, given.get("value", "")[:MAX_NAME]))


def _read_form(url: _Url, description: Description, base: str) -> Form | None:
    """Return one Url element as a form; parameters stand in its template, or below it as elements."""
    method = "POST" if url.given.get("method", "").strip().lower() == "post" else "GET"
    address = url.given.get("template", "")
    if url.params:  # the query as elements is read as if it were written in an address
        pairs = "&".join(f"{name}={value}" for name, value in url.params)
        address = f"{address}{'&' if '?' in address else '?'}{pairs}"
    template = read_template(address, base)
    if template is None:
        return None
    form = write_form("opensearch", _with_offsets(template, url.given), text=description.text, name=description.title)
    return replace(
        form, method=method, enctype=url.given.get("enctype", "").lower()[:MAX_NAME], fields=_titled(form, description)
    )


def _with_offsets(template: Template, given: dict[str, str]) -> Template:
    """Return a template with where counting begins, when the description says so."""
    first = {"startindex": given.get("indexoffset", ""), "startpage": given.get("pageoffset", "")}
    parts = tuple(_offset(part, first.get(part.place.lower(), "")) for part in template.parts)
    return template._replace(parts=parts)


def _offset(part: Part, first: str) -> Part:
    return part._replace(value=first[:20]) if first.isdecimal() else part


def _titled(form: Form, description: Description) -> tuple[Field, ...]:
    """Return the controls of a form, its search box with the words that a browser would show in it."""
    return tuple(
        one._replace(placeholder=description.title[:MAX_NAME]) if one.type == "search" else one for one in form.fields
    )


# --- openapi
# OpenAPI and Swagger documents: the questions that a web service takes, read as forms.

MAX_FORMS = 50
MAX_PATHS = 2_000
MAX_PARAMETERS = 60
MAX_OPTIONS = 200
MAX_WORDS = 200
MAX_OPENAPI_TEXT = 1_000

_START = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*+\{")
_PATH_PLACE = re.compile(r"\{([^{}/]{1,100})\}")
_SEARCH = re.compile(r"search|find|query|lookup|suggest|filter|browse|select", re.IGNORECASE)
_SEARCH_NAMES = re.compile(
    r"(?:q|query|search(?:_?(?:term|text|string|query)s?)?|keywords?|terms?|text|phrase)", re.IGNORECASE
)
_PERSONAL = re.compile(
    r"log(?:in|out|on|off)\b|password|oauth|authori[sz]|token|session|callback|health|webhook", re.IGNORECASE
)
_STATE = re.compile(
    r"(?:page|page_?(?:size|number|token|no)|per_?page|limit|offset|cursor|start|start_?(?:index|record)|rows|count|size|skip"
    r"|top|max(?:imum)?_?(?:results|records)|after|before|format|fields?|callback|pretty|api_?key|key|app_?id|token"
    r"|access_?token|lang|locale|sort|sort_?(?:by|order)|order|order_?by|include|expand|embed)",
    re.IGNORECASE,
)


def read_openapi(body: bytes) -> dict[str, Any] | None:
    """Return a body that is an OpenAPI document in JSON, or None for any other."""
    if not _START.match(body[:200]) or (b'"openapi"' not in body and b'"swagger"' not in body):
        return None
    try:
        said = orjson.loads(body.removeprefix(b"\xef\xbb\xbf"))
    except ValueError:
        return None
    if not isinstance(said, dict) or not isinstance(said.get("paths"), dict):
        return None
    return said if isinstance(said.get("openapi") or said.get("swagger"), str) else None


def read_title(document: dict[str, Any]) -> tuple[str, str]:
    """Return what a service is called, and what it says about itself."""
    info = _mapping(document.get("info"))
    return _line(info.get("title"), MAX_WORDS), _line(info.get("description"), MAX_OPENAPI_TEXT)


def find_operations(document: dict[str, Any], url: str) -> list[Form]:
    """Return the questions of a service that search something, as forms: at most 50."""
    root = _read_root(document, url)
    forms: list[Form] = []
    for path, item in list(document["paths"].items())[:MAX_PATHS]:
        form = _read_operation(document, root, path, _mapping(item)) if root else None
        if form is not None:
            forms.append(form)
        if len(forms) >= MAX_FORMS:
            break
    return forms


def _read_root(document: dict[str, Any], url: str) -> str:
    """Return the address that paths are added to: a server (3) or scheme, host and base path (2)."""
    servers = document.get("servers")
    if isinstance(servers, list) and servers:
        server = _mapping(servers[0])
        variables = _mapping(server.get("variables"))
        address = _PATH_PLACE.sub(
            lambda found: _line(_mapping(variables.get(found[1])).get("default"), MAX_WORDS),
            _line(server.get("url"), 1000),
        )
    else:
        address = _line(document.get("basePath"), 1000) or "/"
        if host := _line(document.get("host"), MAX_WORDS):
            address = f"{_scheme(document, url)}://{host}/{address.lstrip('/')}"
    return (canonical(address or "/", url) or "").rstrip("/")


def _scheme(document: dict[str, Any], url: str) -> str:
    schemes = document.get("schemes")
    named = [each for each in schemes if each in ("https", "http")] if isinstance(schemes, list) else []
    own = origin(url).partition(":")[0]
    return own if own in named or not named else named[0]


def _read_operation(document: dict[str, Any], root: str, path: str, item: dict[str, Any]) -> Form | None:
    """Return the GET of a path as a form, when it searches."""
    asked = _mapping(item.get("get"))
    sent = _find_parameters(document, [item.get("parameters"), asked.get("parameters")])
    words = " ".join(_line(asked.get(name), MAX_OPENAPI_TEXT) for name in ("summary", "description"))
    name = _line(asked.get("operationId"), MAX_WORDS)
    if not asked or asked.get("deprecated") is True or not _searches(f"{path} {name} {words}", sent):
        return None
    template = _write_template(root, path, sent) if "{" in path else ""
    return Form(
        index=0,
        method="GET",
        action=f"{root}{path}".partition("{")[0] if template else f"{root}{path}",
        fields=tuple(_read_field(document, each) for each in sent),
        id=name,
        name=_line(path, MAX_WORDS),
        text=words.strip()[:MAX_OPENAPI_TEXT],
        made="openapi",
        template=template,
        heading=_line(asked.get("summary"), MAX_WORDS),
    )


def _searches(words: str, sent: list[dict[str, Any]]) -> bool:
    """Return True if an operation chooses among many things by what it is asked."""
    own = [each["name"] for each in sent if each["in"] == "query" and not _STATE.fullmatch(each["name"])]
    if not own or _PERSONAL.search(" ".join([words[:500], *own])):
        return False
    named = any(map(_SEARCH_NAMES.fullmatch, own)) or _SEARCH.search(words[:500]) is not None
    return named or len(own) > 1 or all(each["in"] == "query" for each in sent)


def _find_parameters(document: dict[str, Any], lists: list[object]) -> list[dict[str, Any]]:
    """Return what an operation takes in its path or query; later ones stand for earlier ones of the same name."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for each in lists:
        for parameter in each[:MAX_PARAMETERS] if isinstance(each, list) else ():
            read = _follow(document, _mapping(parameter))
            name, place = read.get("name"), read.get("in")
            if isinstance(name, str) and 0 < len(name) <= MAX_WORDS and place in ("query", "path"):
                found[name, place] = read
    return list(found.values())


def _follow(document: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return what a reference within the document stands for; one that leads to another is left."""
    reference = part.get("$ref")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return part
    found: Any = document
    for step in reference[2:].split("/")[:10]:
        found = _mapping(found).get(step.replace("~1", "/").replace("~0", "~"))
    return _mapping(found)


def _read_field(document: dict[str, Any], parameter: dict[str, Any]) -> Field:
    schema = {**parameter, **_follow(document, _mapping(parameter.get("schema")))}
    items = _follow(document, _mapping(schema.get("items")))
    options = _read_options(schema, items)
    name = parameter["name"]
    return Field(
        name=name,
        type=_read_type(name, parameter, schema, options),
        label=_line(parameter.get("description"), MAX_WORDS),
        value=_value(schema.get("default")),
        placeholder=_value(parameter.get("example") or schema.get("example")),
        options=options,
        required=parameter.get("required") is True,
        multiple=bool(items),
    )


def _read_type(name: str, parameter: dict[str, Any], schema: dict[str, Any], options: tuple[Option, ...]) -> str:
    if _STATE.fullmatch(name) and parameter["in"] == "query":
        return "hidden"
    if options:
        return "select"
    if schema.get("type") in ("integer", "number"):
        return "number"
    if schema.get("format") in ("date", "date-time"):
        return "date"
    return "search" if _SEARCH_NAMES.fullmatch(name) else "text"


def _read_options(schema: dict[str, Any], items: dict[str, Any]) -> tuple[Option, ...]:
    choices = schema.get("enum") or items.get("enum")
    if schema.get("type") == "boolean":
        choices = [True, False]
    if not isinstance(choices, list):
        return ()
    values = [_value(each) for each in choices[:MAX_OPTIONS] if isinstance(each, str | int | float | bool)]
    chosen = _value(schema.get("default"))
    return tuple(Option(value, value, bool(chosen) and value == chosen) for value in values)


def _write_template(root: str, path: str, sent: list[dict[str, Any]]) -> str:
    """Return the address with a place for each field, where some of them stand in the path."""
    pairs = "&".join(f"{quote(each['name'])}={{{each['name']}}}" for each in sent if each["in"] == "query")
    return f"{root}{path}?{pairs}"[:2048]


def _mapping(part: object) -> dict[str, Any]:
    return part if isinstance(part, dict) else {}


def _line(text: object, limit: int) -> str:
    return " ".join(text[: 4 * limit].split())[:limit] if isinstance(text, str) else ""


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)[:MAX_WORDS] if isinstance(value, str | int | float) else ""
