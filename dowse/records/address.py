"""Addresses with places for what is asked: {query}, {page}, {start}, {count}, and the names that OpenSearch gives them."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote, urlsplit

from dowse.model import Request, Verdict

MAX_TEMPLATE: Final = 4_096  # characters
MAX_ADDRESS: Final = 8_192  # characters; servers refuse longer ones
MAX_QUERY: Final = 1_000  # characters

_PLACE: Final = re.compile(r"\{([A-Za-z][\w.:-]{0,60})(\??)\}")
_QUERY: Final = frozenset({"query", "searchterms"})
_PAGE: Final = frozenset({"page", "startpage"})
_START: Final = frozenset({"start", "startindex", "offset"})
_FIXED: Final = {"language": "*", "inputencoding": "UTF-8", "outputencoding": "UTF-8"}
KNOWN: Final = "{query}, {page}, {start}, {count}"


def fill_template(
    template: str,
    query_text: str,
    page: int = 0,
    page_size: int = 10,
    page_offset: int = 1,
    index_offset: int | None = None,
) -> Request | Verdict:
    """Return the request for a page, counted from 0, of what is asked; or what is wrong with the template.

    Where counting begins is what OpenSearch calls pageOffset and indexOffset: 1, but 0 for a plain {start}.
    """
    wrong = judge_template(template)
    if not wrong.yes:
        return wrong
    if page < 0 or page_size < 1:
        return Verdict(False, "pages are counted from 0, and have at least one record")

    def written(place: re.Match[str]) -> str:
        name = place[1].lower()
        if name in _QUERY:
            return quote(query_text[:MAX_QUERY], safe="", errors="replace")
        first = index_offset if index_offset is not None else int(name == "startindex")
        known = dict.fromkeys(_PAGE, page + page_offset) | dict.fromkeys(_START, page * page_size + first)
        return str({**_FIXED, **known, "count": page_size}.get(name, ""))

    url = _PLACE.sub(written, template.strip())
    if len(url) > MAX_ADDRESS:
        return Verdict(False, f"the address would have {len(url):,} characters")
    return Request(url)


def judge_template(template: str) -> Verdict:
    """Say whether an address can be filled, and if not, the first thing that is wrong with it."""
    template = template.strip()
    if len(template) > MAX_TEMPLATE:
        return Verdict(False, f"the template has more than {MAX_TEMPLATE:,} characters")
    if not template.lower().startswith(("http://", "https://")):
        return Verdict(False, "the template is no web address: it begins neither with http:// nor with https://")
    places = _PLACE.findall(template)
    rest = _PLACE.sub("", template)
    if "{" in rest or "}" in rest:
        return Verdict(False, f"the template has a brace that is not part of a place such as {KNOWN}")
    unknown = [name for name, optional in places if not optional and not _is_known(name)]
    if unknown:
        return Verdict(False, f"the template wants {{{unknown[0]}}}; known are {KNOWN}")
    if not any(name.lower() in _QUERY for name, _ in places):
        return Verdict(False, "the template has no place for what is asked: {query}")
    return _judge_host(template)


def _is_known(name: str) -> bool:
    return name.lower() in _QUERY | _PAGE | _START | _FIXED.keys() | {"count"}


def _judge_host(template: str) -> Verdict:
    try:
        host = urlsplit(_PLACE.sub("x", template)).hostname
    except ValueError:
        host = None
    if not host:
        return Verdict(False, "the template names no host")
    if "{" in template.partition("//")[2].partition("/")[0].partition("?")[0]:
        return Verdict(False, "the template has a place in its host")
    return Verdict(True)


def has_pages(template: str) -> bool:
    """Say whether a template can ask for later pages at all."""
    return any(name.lower() in _PAGE | _START for name, _ in _PLACE.findall(template))
