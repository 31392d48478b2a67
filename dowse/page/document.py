"""Read a page: bytes and headers in, links, forms and words out."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from dowse.model import FormKey, Link, LinkGroup, Page, Response, SeenOnSite
from dowse.page.charset import MAX_BODY, decode, find_encoding
from dowse.page.forms import MAX_FORMS, find_fields, read_form, read_form_text
from dowse.page.lines import LEAST_LINKS, find_groups, lay_out
from dowse.page.links import find_links
from dowse.page.needs_browser import why_unrendered, writes_form
from dowse.page.parser import Bounds, HtmlNode, MarkupKeys, TagPaths, Tree, attribute, parse, view
from dowse.page.services import add_services, find_call_forms, find_services, read_service_page
from dowse.page.text import collapse, read_headings, read_language, read_text, read_title, read_types
from dowse.page.tree import build_nodes
from dowse.tree.node import Node
from dowse.url import MAX_LENGTH, Base, canonical, resolve

# --- meta
# What the head of a page and its headers say: robots, canonical address, base, refresh.

MAX_ELEMENTS = 500  # meta and link elements looked at, each
MAX_DESCRIPTION = 2_000  # characters of what a page says of itself
_BOTS = frozenset({"robots", "dowse"})
_SAYS = (
    "og:site_name",
    "description",
    "og:description",
    "keywords",
)  # names and properties, in the order they are read
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
    description: str = ""


def read_meta(tree: Tree, response: Response, url: str) -> Meta:
    """Read what the page at a canonical address declares."""
    named, equivalents, said = _read_elements(tree)
    base = _read_base(tree, url)
    related = _read_relations(tree, base)
    headers = [value for name, value in response.headers if name == "x-robots-tag"]
    return Meta(
        base=base,
        canonical=related.get("canonical", ""),
        next=related.get("next", ""),
        refresh=read_refresh(equivalents["refresh"], base) if "refresh" in equivalents else "",
        robots=frozenset().union(*map(_rules, [*named, *filter(None, map(_for_us, headers))])),
        language=equivalents.get("content-language") or response.header("content-language"),
        description=collapse(" ".join(dict.fromkeys(said[name] for name in _SAYS if name in said)), MAX_DESCRIPTION),
    )


def read_refresh(content: str, base: str) -> str:
    """Return the address a refresh leads to, or nothing when it only loads the page again."""
    found = _REFRESH.match(content[:MAX_LENGTH])
    return (found and found[1].strip() and resolve(found[1], base)) or ""


def _read_elements(tree: Tree) -> tuple[list[str], dict[str, str], dict[str, str]]:
    """Return the rules for robots, the first of each stand-in for a header, and what the page says of itself."""
    robots: list[str] = []
    equivalents: dict[str, str] = {}
    said: dict[str, str] = {}
    for element in tree.tags("meta")[:MAX_ELEMENTS]:
        given = element.attributes
        name = (given.get("name") or given.get("property") or "").strip().lower()
        if name:
            if name in _BOTS:
                robots.append(given.get("content") or "")
            elif name in _SAYS:
                said.setdefault(name, (given.get("content") or "")[:MAX_DESCRIPTION])
            continue
        equivalent = given.get("http-equiv")
        if equivalent:
            equivalents.setdefault(equivalent.strip().lower(), given.get("content") or "")
    return robots, equivalents, said


def _for_us(value: str) -> str:
    """Return what an X-Robots-Tag header says to us: one that is for all, or names us."""
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


def _read_relations(tree: Tree, base: str) -> dict[str, str]:
    """Return where the first link element of each relation leads that says which page this is among others."""
    related: dict[str, str] = {}
    for element in tree.tags("link")[:MAX_ELEMENTS]:
        given = element.attributes
        rel = (given.get("rel") or "").lower()
        for relation in ("canonical", "next"):
            if relation in rel and relation in rel.split() and relation not in related:
                href = given.get("href") or ""
                related[relation] = (href and len(href) <= MAX_LENGTH and resolve(href, base)) or ""
    return related


# --- read
# Read a page: bytes and headers in, links, forms and words out.
#
# Nothing here waits and nothing here raises: whatever a server sends is a page, if a poor one.


class Document:
    """A response that is decoded and parsed once, with what can be read out of it; each is read when it is asked for."""

    def __init__(self, response: Response, seen: SeenOnSite | None = None) -> None:
        self.response = response
        self.seen = seen  # by the search of a site: it is left out of the page
        self.not_rendered = ""  # why a browser that was to open it did not
        self.bounds = Bounds()
        self.body = response.body[:MAX_BODY]
        if len(response.body) > MAX_BODY:
            self.bounds.drop("bytes", len(response.body) - MAX_BODY)
        elif response.truncated:
            self.bounds.drop("body")
        self.cut = f"cut at {MAX_BODY:,} bytes" if len(response.body) > MAX_BODY else ""
        if response.truncated:  # what ends before the limit has broken off
            verb = "cut at" if len(response.body) >= MAX_BODY else "truncated after"
            self.cut = f"{verb} {len(self.body):,} bytes"
        self.is_partial = bool(self.cut)  # there is more of it than was read
        self.encoding = find_encoding(self.body, response.header("content-type"))

    @view
    def tree(self) -> Tree:
        """The tags as a browser has them."""
        return parse(decode(self.body, self.encoding))

    def release(self) -> None:
        """Free the tree; what was read out of it stays."""
        self.__dict__.pop("tree", None)

    @view
    def nodes(self) -> Node:
        """What records are found in."""
        nodes, is_whole = build_nodes(self.tree)
        self.is_partial = self.is_partial or not is_whole
        return nodes

    @view
    def groups(self) -> tuple[LinkGroup, ...]:
        """Its links that stand together when it is laid out as text."""
        base = Base.of(read_meta(self.tree, self.response, canonical(self.response.url) or "").base)
        return _find_groups(self.tree, find_links(self.tree, base, TagPaths(), Bounds(), ANY)[3])

    @view
    def page(self) -> Page:
        """Its links, forms and words, without what a search has seen before."""
        response, bounds, encoding = self.response, self.bounds, self.encoding
        if (described := read_service_page(response, self.body, encoding)) is not None:
            return described
        tree, seen = self.tree, self.seen or SeenOnSite()
        keys = MarkupKeys(self.seen.form_keys if self.seen else None)
        url = canonical(response.url) or ""
        meta = read_meta(tree, response, url)
        base, path_of = Base.of(meta.base), TagPaths()
        links, urls, likely, elements = find_links(tree, base, path_of, bounds, seen.links)
        groups = _find_groups(tree, elements) if seen.layout else ()
        services, links = find_services(tree, links, likely, base, path_of, seen, keys)
        if meta.refresh:
            links.append(Link(meta.refresh, rel="refresh", path="html/head/meta", place=len(urls)))
        found, form_count = find_fields(tree, bounds, keys, base)
        writes = writes_form(tree, keys)
        services += find_call_forms(response.calls) if response.calls else []
        forms = [
            read_form(form, read_form_text(form.element, form.fields), url, base, path_of, encoding) for form in found
        ]
        text = read_text(tree)
        return Page(
            url=response.url,
            title=read_title(tree),
            text=text,
            headings=read_headings(tree),
            description=meta.description,
            types=read_types(tree),
            language=read_language(tree, meta.language, text),
            encoding=encoding,
            canonical=meta.canonical,
            next=meta.next,
            base=meta.base,
            robots=meta.robots,
            links=tuple(links),
            link_count=len(urls),
            urls=tuple(urls),
            groups=groups,
            forms=add_services(forms, services, form_count, MAX_FORMS),
            form_count=form_count,
            refresh=meta.refresh,
            dropped=bounds.dropped(),
            calls=response.calls,
            unrendered=""
            if response.rendered
            else why_unrendered(self.body, text, len(urls), forms, form_count, writes),
            form_keys=tuple(map(FormKey._make, keys.found.items())),
            cut=self.cut,
        )


class _Any(Container[str]):
    """Has everything: for who wants no link described."""

    def __contains__(self, _: object) -> bool:
        return True


ANY = _Any()


def read_page(response: Response, seen: SeenOnSite | None = None) -> Page:
    """Return the page that a response holds, without links and forms that a search has seen before, if there is one."""
    return Document(response, seen).page


def _find_groups(tree: Tree, elements: Sequence[HtmlNode]) -> tuple[LinkGroup, ...]:
    """Return the links that stand together when the page is laid out as text."""
    root = tree.root
    if root is None or len(elements) < LEAST_LINKS:
        return ()
    places = {element: place for place, element in enumerate(elements)}
    return find_groups(lay_out(root, places))
