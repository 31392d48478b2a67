"""What the head of a page and its headers say: robots, canonical address, base, refresh."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dowse.model import Response
from dowse.page.parser import Tree, attribute
from dowse.url import MAX_LENGTH, resolve

MAX_ELEMENTS = 500  # meta and link elements looked at, each
_BOTS = frozenset({"robots", "dowse"})
_REFRESH = re.compile(r"\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?[\"']?\s*([^\"']*)", re.IGNORECASE)
_NAMED_BOT = re.compile(r"\A\s*+([\w-]++)\s*+:")
_WITH_VALUE = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


@dataclass(frozen=True, slots=True)
class Meta:
    """The declarations of a page about itself."""

    base: str
    canonical: str = ""
    next: str = ""
    refresh: str = ""
    robots: frozenset[str] = frozenset()
    language: str = ""


def read_meta(tree: Tree, response: Response, url: str) -> Meta:
    """Read what the page at a canonical address declares."""
    named, equivalents = _read_elements(tree)
    base = _read_base(tree, url)
    return Meta(
        base=base,
        canonical=_read_relation(tree, "canonical", base),
        next=_read_relation(tree, "next", base),
        refresh=read_refresh(equivalents["refresh"], base) if "refresh" in equivalents else "",
        robots=frozenset().union(*map(_rules, named), *map(_rules, _robot_headers(response))),
        language=equivalents.get("content-language") or response.header("content-language"),
    )


def read_refresh(content: str, base: str) -> str:
    """Return the address a refresh leads to, or nothing when it only loads the page again."""
    found = _REFRESH.match(content[:MAX_LENGTH])
    return (found and found[1].strip() and resolve(found[1], base)) or ""


def _read_elements(tree: Tree) -> tuple[list[str], dict[str, str]]:
    """Return the rules for robots, and the first of each stand-in for a header."""
    robots: list[str] = []
    equivalents: dict[str, str] = {}
    for element in tree.tags("meta")[:MAX_ELEMENTS]:
        name = attribute(element, "name")
        if name:
            if name.strip().lower() in _BOTS:
                robots.append(attribute(element, "content") or "")
            continue
        equivalent = attribute(element, "http-equiv")
        if equivalent:
            equivalents.setdefault(equivalent.strip().lower(), attribute(element, "content") or "")
    return robots, equivalents


def _robot_headers(response: Response) -> list[str]:
    """Return the X-Robots-Tag headers that speak to us: those for all, and those that name us."""
    values = [value for name, value in response.headers if name == "x-robots-tag"]
    return [value for value in map(_for_us, values) if value]


def _for_us(value: str) -> str:
    found = _NAMED_BOT.match(value)
    if not found or found[1].lower() in _WITH_VALUE:
        return value
    return value[found.end() :] if found[1].lower() in _BOTS else ""


def _rules(content: str) -> set[str]:
    rules = {rule.strip().lower() for rule in content[:1000].split(",")} - {""}
    return rules | {"noindex", "nofollow"} if "none" in rules else rules


def _read_base(tree: Tree, url: str) -> str:
    for element in tree.tags("base")[:MAX_ELEMENTS]:
        href = attribute(element, "href")
        if href is not None:  # the first that has one counts, even when it is no good
            return (len(href) <= MAX_LENGTH and resolve(href, url)) or url
    return url


def _read_relation(tree: Tree, relation: str, base: str) -> str:
    """Return where the first link element of a relation leads."""
    for element in tree.tags("link")[:MAX_ELEMENTS]:
        rel = attribute(element, "rel")
        if rel and relation in rel.lower().split():
            href = attribute(element, "href") or ""
            return (href and len(href) <= MAX_LENGTH and resolve(href, base)) or ""
    return ""
