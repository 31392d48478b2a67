"""Addresses with places for what is asked, as search descriptions write them, read as forms.

Most of them put each value into a parameter of its own: those are plain forms, the same as a
page would have. Where a value stands in the path, in the fragment or amid a parameter, the form
keeps the address with a place for each of its fields.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote_plus

from dowse.model import Field, Form
from dowse.url import MAX_LENGTH, canonical, origin

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
