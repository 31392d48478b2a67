"""Template family R: random markup and addresses, so that no two sites of it are alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

import pytest

from dowse.sim import habits, hosts, traps
from dowse.sim.chance import dice, pick
from dowse.sim.families import FAMILIES
from dowse.sim.family_a import FAMILY_A
from dowse.sim.shapes import SHAPES, Shape, ShapeSite, addresses, open_shape
from dowse.sim.view import Anchor, Anchors, Detail, Family, Listing, Row, Style, View
from dowse.sim.wording import Wording, read_wording

NAME: Final = "R"
TEMPLATES: Final = 4  # of each kind in a family: pages that are nearly targets are written with another than they are

# What stands around rows, and around each of them.
WRAPPERS: Final = (
    ("<ul{mark}>{text}</ul>", "<li{mark}>{text}</li>"),
    ("<ol{mark}>{text}</ol>", "<li{mark}>{text}</li>"),
    ("<table{mark}>{text}</table>", "<tr{mark}><td>{text}</td></tr>"),
    ("<table{mark}><tr>{text}</tr></table>", "<td{mark}>{text}</td>"),
    ("<table{mark}><tr><td>{text}</td></tr></table>", "<p{mark}>{text}</p>"),
    ("<div{mark}>{text}</div>", "<div{mark}>{text}</div>"),
    ("<div{mark}>{text}</div>", "<p{mark}>{text}</p>"),
    ("<div{mark}>{text}</div>", "<span{mark}>{text}</span>"),
    ("<section{mark}>{text}</section>", "<article{mark}>{text}</article>"),
    ("<dl{mark}>{text}</dl>", "<dd{mark}>{text}</dd>"),
    ("<p{mark}>{text}</p>", "{text}<br>"),
    ("<p{mark}>{text}</p>", "{text} | "),
    ("<blockquote{mark}>{text}</blockquote>", "{text}<hr>"),
    ("<pre{mark}>{text}</pre>", "{text}\n"),
    ("{text}", "<p{mark}>{text}</p>"),
    ("{text}", "<div{mark}>{text}</div>"),
)
HEADINGS: Final = (
    "<h1{mark}>{text}</h1>",
    "<h2{mark}>{text}</h2>",
    "<h3{mark}>{text}</h3>",
    "<h4{mark}>{text}</h4>",
    "<header><h1{mark}>{text}</h1></header>",
    "<b{mark}>{text}</b><br>",
    "<p{mark}><strong>{text}</strong></p>",
    "<p{mark}>{text}</p>",
    "<div{mark}>{text}</div>",
    "<font size=5>{text}</font>",
)
BOXES: Final = (
    "<div{mark}>{text}</div>",
    "<div{mark}><div>{text}</div></div>",
    "<section{mark}>{text}</section>",
    "<table{mark}><tr><td>{text}</td></tr></table>",
    "<center>{text}</center>",
    "<font face=Arial>{text}</font>",
    "{text}",
)
CONTENTS: Final = (
    "{text}",
    "<div class=main>{text}</div>",
    "<article>{text}</article>",
    "<table><tr><td>{text}</td></tr></table>",
)
PAIRS: Final = (
    "{label}: {value}",
    "<b>{label}</b> {value}",
    "<em>{label}</em> {value}",
    "<span>{label}</span><span>{value}</span>",
    "<div>{label}</div><div>{value}</div>",
    "<small>{label}</small><br>{value}",
    "<strong>{label}:</strong> <i>{value}</i>",
    "{value}",
)
TITLES: Final = ("{text}", "<b>{text}</b>", "<h3>{text}</h3>", "<strong>{text}</strong><br>")
PARAGRAPHS: Final = ("<p>{text}</p>", "<p class=t>{text}</p>", "<div>{text}</div>", "{text}<br><br>")
BETWEEN: Final = (", ", "; ", " ", " | ", "<br>")
PARTS: Final = ("top", "menu", "crumbs", "main", "side", "tools", "foot")
BESIDE: Final = ("menu", "side")  # parts that stand in a cell of their own where a page is a table
EXTRAS: Final = ("slogan", "picture", "groups", "number", "title")  # what some designs have on every page
EXTRA_SHARE: Final = 0.3

# The address of a target by style, and that of a list: what stands first, before each name in it, and last.
TARGETS: Final[Mapping[str, tuple[str, ...]]] = {
    "number": ("/{item}/{n}", "/{item}-{n}.html", "/{n}", "/{item}/{n}/", "/view/{item}/{n}"),
    "slug": ("/{item}/{slug}", "/{slug}", "/{item}/{slug}/", "/{slug}.html"),
    "slug-number": ("/{item}/{slug}-{n}", "/{item}/{slug}_{n}.html", "/{n}-{slug}", "/{item}/{n}/{slug}"),
    "folder": ("/{item}/{slug}/", "/{slug}/"),
    "html": ("/{item}/{slug}.html", "/{slug}.html", "/{item}-{slug}.htm"),
    "php": ("/{item}{n}.php", "/{item}.{n}.html", "/{item}s/{item}{n}.htm"),
    "asp": ("/{item}_{n}.asp", "/{item}.asp/{n}"),
    "date": ("/{year}/{month}/{slug}", "/{year}/{month}/{day}/{slug}.html", "/{year}-{month}/{slug}/"),
    "letter-file": ("/{letter}/{name}.html", "/{item}/{letter}/{name}.htm"),
    "nested": (
        "/{category}/{part}/{slug}",
        "/{item}/{category}/{part}/{slug}.html",
        "/{category}/{part}/{slug}/",
    ),
    "owned": ("/{owner}/{slug}.html", "/{item}/{owner}/{slug}/"),
    "native": ("/{item}/{native}", "/{native}", "/wiki/{native}"),
    "query": ("/{item}.php?{id}={n}", "/?{id}={n}", "/index.php?do={item}&{id}={n}"),
    "parameters": (
        "/{item}.cgi?sec={category}&{id}={n}&view=full",
        "/index.php?page={item}&{id}={n}&cat={category}",
    ),
}
HUBS: Final[Mapping[str, tuple[tuple[str, str, str], ...]]] = {
    "folder": (("/{word}", "/", "/"), ("/browse/{word}", "/", "/"), ("/{word}", "/", "")),
    "bare": (("", "/", "/"), ("", "/", "")),
    "file": (("/{word}", "_", ".html"), ("/{word}", "-", ".htm"), ("/{word}", "/", ".html")),
    "query": (("/{word}.php", "", ""), ("/{word}", "", ""), ("/browse/{word}.asp", "", "")),
}
PAGINGS: Final[Mapping[str, tuple[str, ...]]] = {"query": ("",), "path": ("page/{n}/", "{n}/", "p{n}/")}
NEWS: Final = ("/{word}/{n}.htm", "/{word}/{n}", "/{word}-{n}", "/{word}/{n}/")
WORKS: Final = ("/{word}-{n}.html", "/{word}/{n}", "/{word}/{n}.html")

# Tables of words, hosts and traps in which the random family has what family A has.
SHARED: Final[tuple[Mapping[str, Any], ...]] = (
    hosts.SHAPES,
    hosts.FIRST,
    hosts.SECOND,
    habits.NEUTRAL_WORDS,
    traps.WAYS,
    addresses.ITEMS,
    addresses.IDS,
    addresses.KEYS,
    addresses.WORDS,
    addresses.PICTURES,
)


@dataclass(frozen=True, slots=True)
class Holder:
    """Markup around one text, with a class or without."""

    pattern: str
    mark: str = ""

    def write(self, text: str) -> str:
        """Write a text in it; nothing around nothing."""
        return self.pattern.format(mark=self.mark, text=text) if text else ""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Markup around rows."""

    outer: Holder
    row: Holder

    def write(self, rows: Sequence[str]) -> str:
        """Write rows in it."""
        return self.outer.write("\n".join(self.row.write(each) for each in rows))


@dataclass(frozen=True, slots=True)
class ListTemplate:
    """A list of links with a heading."""

    heading: Holder
    wrapper: Wrapper

    def write(self, heading: str, links: Anchors) -> str:
        """Write the list."""
        return self.heading.write(heading) + self.wrapper.write(_write_links(links))


@dataclass(frozen=True, slots=True)
class DetailTemplate:
    """The page of one record."""

    outer: Holder
    heading: Holder
    wrapper: Wrapper
    pair: str
    blanks: str  # "shown" or "hidden": labels whose value nobody filled in
    liked: ListTemplate

    def write(self, detail: Detail) -> str:
        """Write the values of a record, and what else may be liked."""
        filled = (each for each in detail.cells if each[1] or self.blanks == "shown")
        own = self.heading.write(detail.title) + self.wrapper.write(_write_pairs(self.pair, filled))
        liked = self.liked.write(detail.says["liked"], detail.liked) if detail.liked else ""
        return self.outer.write(own) + liked


@dataclass(frozen=True, slots=True)
class ListingTemplate:
    """A list of records with some of their values, and the ways to its other pages."""

    outer: Holder
    heading: Holder
    wrapper: Wrapper
    title: Holder
    pair: str
    between: str
    pages: Wrapper

    def write(self, listing: Listing) -> str:
        """Write a page of the list."""
        rows = self.wrapper.write([self._write_row(row) for row in listing.rows])
        return self.outer.write(self.heading.write(listing.heading) + rows) + self.pages.write(_write_pages(listing))

    def _write_row(self, row: Row) -> str:
        title = _write_link(Anchor(row.href, row.title)) if row.href else row.title
        filled = (each for each in row.cells if each[1])
        return f"{self.title.write(title)} {self.between.join(_write_pairs(self.pair, filled))}"


@dataclass(frozen=True, slots=True)
class TextTemplate:
    """Paragraphs with a heading."""

    outer: Holder
    heading: Holder
    paragraph: Holder

    def write(self, heading: str, paragraphs: Sequence[str]) -> str:
        """Write the text."""
        return self.outer.write(self.heading.write(heading) + "".join(map(self.paragraph.write, paragraphs)))


@dataclass(frozen=True, slots=True)
class Design:
    """A whole page: what stands around the content, where, and in what."""

    outer: Holder
    heading: Holder
    boxes: Mapping[str, Holder]  # by part
    lists: Mapping[str, Wrapper]
    order: tuple[str, ...]  # of the parts, without the foot
    frame: str  # "flow", or "cells": a table with the menu in a cell beside the content
    extras: frozenset[str]

    def write(self, view: View) -> str:
        """Write a page."""
        canonical = f'<link rel="canonical" href="{view.canonical}">' if view.canonical else ""
        start = f'<base href="{view.base}">' if view.base else ""
        written = {part: self.boxes[part].write(self._write_part(part, view)) for part in PARTS}
        body = self.outer.write(self._arrange(written)) + written["foot"] + view.footer
        return f"<html><head><title>{view.title}</title>{start}{canonical}</head><body>{body}</body></html>"

    def _arrange(self, written: Mapping[str, str]) -> str:
        if self.frame == "flow":
            return "".join(written[part] for part in self.order)
        beside = "".join(written[part] for part in self.order if part in BESIDE)
        content = "".join(written[part] for part in self.order if part not in (*BESIDE, "top"))
        return f"{written['top']}<table><tr><td>{beside}</td><td>{content}</td></tr></table>"

    def _write_part(self, part: str, view: View) -> str:
        match part:
            case "top":
                return self.heading.write(view.site_name) + self._add("slogan", f"<p>{view.says['home']}</p>")
            case "menu":
                return "".join(
                    self._add("groups", f"<b>{group.heading}</b>") + self._write_list(part, group.links)
                    for group in view.menu
                )
            case "main":
                return self._add("title", f"<h1>{view.title}</h1>") + view.header + view.content
            case "foot":
                rights = f"{view.says['rights']} {view.site_name}"
                return rights + self._add("number", f" {view.number}") + self._add("picture", "<br><img src=/x.gif>")
        return self._write_list(part, {"crumbs": view.crumbs, "side": view.submenu, "tools": view.tools}[part])

    def _write_list(self, part: str, links: Anchors) -> str:
        return self.lists[part].write(_write_links(links))

    def _add(self, extra: str, text: str) -> str:
        return text if extra in self.extras else ""


def _write_link(link: Anchor) -> str:
    return f'<a href="{link.href}">{link.text}</a>'


def _write_links(links: Anchors) -> list[str]:
    return [_write_link(link) for link in links]


def _write_pairs(pair: str, cells: Iterator[tuple[str, str]]) -> list[str]:
    return [pair.format(label=label, value=value) for label, value in cells]


def _write_pages(listing: Listing) -> list[str]:
    numbers = [_write_link(link) if link else f"<b>{number}</b>" for number, link in listing.pages]
    before = [_write_link(listing.previous)] if listing.previous else []
    return before + numbers + ([_write_link(listing.next)] if listing.next else [])


def draw_family(rng: Random) -> Family:
    """Draw a family; it fills in forms and speaks as family A does."""
    names = [f"drawn{place}" for place in range(TEMPLATES)]
    texts = {name: draw_text(rng) for name in names}

    def write_text(style: Style, heading: str, paragraphs: tuple[str, ...]) -> str:
        return texts[style.design].write(heading, paragraphs)

    return replace(
        FAMILY_A,
        name=NAME,
        designs={name: draw_design(rng).write for name in names},
        old=frozenset(),
        results={name: draw_listing(rng).write for name in names},
        details={name: draw_detail(rng).write for name in names},
        lists={name: draw_list(rng, pick(rng, ("lst", "bx", "item"))).write for name in names},
        write_text=write_text,
    )


def draw_design(rng: Random) -> Design:
    """Draw what stands around the content of a site's pages."""
    return Design(
        outer=draw_holder(rng, BOXES, "page"),
        heading=draw_holder(rng, HEADINGS, "site-h"),
        boxes={part: draw_holder(rng, BOXES, part) for part in PARTS},
        lists={part: draw_wrapper(rng, part) for part in PARTS},
        order=_draw_order(rng),
        frame="cells" if rng.random() < 0.3 else "flow",
        extras=frozenset(extra for extra in EXTRAS if rng.random() < EXTRA_SHARE),
    )


def _draw_order(rng: Random) -> tuple[str, ...]:
    """Draw where the menus stand: before the content, or after it."""
    order = [part for part in PARTS if part not in (*BESIDE, "foot")]
    order.insert(order.index(pick(rng, ("crumbs", "main", "tools", "tools"))), "side")
    order.insert(len(order) if rng.random() < 0.3 else 1, "menu")
    return tuple(order)


def draw_list(rng: Random, tag: str) -> ListTemplate:
    """Draw how links are listed."""
    return ListTemplate(draw_holder(rng, HEADINGS, f"{tag}-h"), draw_wrapper(rng, tag))


def draw_detail(rng: Random) -> DetailTemplate:
    """Draw how a record is written; its classes may be those of lists."""
    tag = pick(rng, ("rec", "bx", "item"))
    return DetailTemplate(
        outer=Holder(pick(rng, CONTENTS)),
        heading=draw_holder(rng, HEADINGS, f"{tag}-h"),
        wrapper=draw_wrapper(rng, tag),
        pair=pick(rng, PAIRS),
        blanks=pick(rng, ("shown", "hidden")),
        liked=draw_list(rng, f"{tag}o"),
    )


def draw_listing(rng: Random) -> ListingTemplate:
    """Draw how records are listed with their values."""
    tag = pick(rng, ("res", "bx", "item"))
    return ListingTemplate(
        outer=Holder(pick(rng, CONTENTS)),
        heading=draw_holder(rng, HEADINGS, f"{tag}-h"),
        wrapper=draw_wrapper(rng, tag),
        title=Holder(pick(rng, TITLES)),
        pair=pick(rng, PAIRS),
        between=pick(rng, BETWEEN),
        pages=draw_wrapper(rng, "pg"),
    )


def draw_text(rng: Random) -> TextTemplate:
    """Draw how paragraphs are written."""
    heading, outer = draw_holder(rng, HEADINGS, "tx-h"), draw_holder(rng, BOXES, "tx")
    return TextTemplate(outer, heading, Holder(pick(rng, PARAGRAPHS)))


def draw_wrapper(rng: Random, tag: str) -> Wrapper:
    """Draw what stands around rows."""
    outer, row = pick(rng, WRAPPERS)
    return Wrapper(draw_holder(rng, (outer,), f"{tag}-w"), draw_holder(rng, (row,), f"{tag}-r"))


def draw_holder(rng: Random, patterns: Sequence[str], name: str) -> Holder:
    """Draw what stands around a text; rather more than half of it has a class."""
    return Holder(pick(rng, patterns), f' class="{name}"' if rng.random() < 0.6 else "")


def open_random_site(monkeypatch: pytest.MonkeyPatch, name: str, seed: int, day: int = 0) -> ShapeSite:
    """Open a site of a shape with a random family of its own; the family is known as long as the patch lasts."""
    _register_family(monkeypatch, draw_family(dice("drawn", seed, name)))
    _register_addresses(monkeypatch, dice("addresses", seed, name), SHAPES[name])
    return open_shape(name, NAME, seed, day)


def _register_family(monkeypatch: pytest.MonkeyPatch, family: Family) -> None:
    monkeypatch.setitem(FAMILIES, NAME, family)
    monkeypatch.setattr("dowse.sim.shapes.plan.read_wording", _read_wording)
    for table in SHARED:
        monkeypatch.setitem(table, NAME, table["A"])


def _read_wording(family: str, language: str) -> Wording:
    return read_wording("A" if family == NAME else family, language)


def _register_addresses(monkeypatch: pytest.MonkeyPatch, rng: Random, shape: Shape) -> None:
    for style, targets in TARGETS.items():
        monkeypatch.setitem(addresses.TARGETS[style], NAME, pick(rng, targets))
    for style, hubs in HUBS.items():
        fit = [hub for hub in hubs if shape.paging != "path" or hub[2] == "/"]  # only a folder has pages below it
        monkeypatch.setitem(addresses.HUBS[style], NAME, pick(rng, fit or hubs))
    for style, pagings in PAGINGS.items():
        monkeypatch.setitem(addresses.PAGINGS[style], NAME, pick(rng, pagings))
    monkeypatch.setitem(addresses.NEWS_PATTERNS, NAME, pick(rng, NEWS))
    monkeypatch.setitem(addresses.WORK_PATTERNS, NAME, pick(rng, WORKS))


def find_tables() -> Iterator[Mapping[str, Any]]:
    """Find every table of the simulation that the random family stands in while it is known."""
    yield FAMILIES
    yield from SHARED
    yield from (*addresses.TARGETS.values(), *addresses.HUBS.values(), *addresses.PAGINGS.values())
    yield from (addresses.NEWS_PATTERNS, addresses.WORK_PATTERNS)
