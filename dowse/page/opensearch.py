"""OpenSearch descriptions: a small file in which a site says how it can be searched.

They are XML, which can be written to hurt who reads it. So it is not parsed but looked through:
tags and their attributes, no entities beyond those of characters, and no more than so much of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape, unescape
from itertools import islice

from dowse.model import Field, Form
from dowse.page.template import MAX_NAME, MAX_TEXT, Part, Template, read_template, write_form

MAX_LENGTH = 100_000  # characters of a description
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
    """Say whether a body is an OpenSearch description."""
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
    opening = _OPENING.search(source[:MAX_LENGTH])
    source = source[opening.start() if opening else 0 :][:MAX_LENGTH]
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
