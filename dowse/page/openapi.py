"""OpenAPI and Swagger documents: the questions that a web service takes, read as forms."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import orjson

from dowse.model import Field, Form, Option
from dowse.url import canonical, origin

MAX_FORMS = 50
MAX_PATHS = 2_000
MAX_PARAMETERS = 60
MAX_OPTIONS = 200
MAX_WORDS = 200
MAX_TEXT = 1_000

_START = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*+\{")
_PLACE = re.compile(r"\{([^{}/]{1,100})\}")
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
    return _line(info.get("title"), MAX_WORDS), _line(info.get("description"), MAX_TEXT)


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
        address = _PLACE.sub(
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
    words = " ".join(_line(asked.get(name), MAX_TEXT) for name in ("summary", "description"))
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
        text=words.strip()[:MAX_TEXT],
        made="openapi",
        template=template,
        heading=_line(asked.get("summary"), MAX_WORDS),
    )


def _searches(words: str, sent: list[dict[str, Any]]) -> bool:
    """Say whether an operation chooses among many things by what it is asked."""
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
