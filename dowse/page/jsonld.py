"""Searches that a page declares for machines: schema.org's SearchAction, as JSON-LD or as microdata."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import orjson

from dowse.model import Form
from dowse.page.parser import HtmlNode, Tree, attribute, find_inside
from dowse.page.path import TagPaths
from dowse.page.template import read_template, write_form

MAX_SCRIPTS = 20
MAX_SCRIPT = 100_000  # characters of one script
MAX_PARTS = 5_000  # of all that is in one
MAX_DEPTH = 20
MAX_FORMS = 20  # looked at for microdata
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
    for element in tree.forms[:MAX_FORMS]:
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
