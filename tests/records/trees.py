"""Answers of our own to learn from: records written in many ways, between a menu and a footer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dowse.model import Response
from dowse.page.document import Document
from dowse.records.wrapper import AnswerSample
from dowse.tree import Node

URL = "http://site.test/find?q="

Row = tuple[str, str, str, str]  # number, title, author, year

ROWS: tuple[Row, ...] = tuple(
    (str(100 + 7 * place * place), f"{word} of the {noun}", author, str(1950 + 3 * place))
    for place, (word, noun, author) in enumerate(
        [
            ("Song", "river", "Ada Brook"),
            ("Garden", "moon", "Ben Carrow"),
            ("House", "winter", "Cora Dale"),
            ("Voice", "north", "Dan Elm"),
            ("Bridge", "king", "Eve Fern"),
            ("Letters", "sea", "Finn Gale"),
            ("Night", "orchard", "Gus Hill"),
            ("Shadow", "tower", "Hal Ivory"),
            ("Winter", "island", "Ivy Juniper"),
            ("Road", "wolf", "Jo Kestrel"),
        ]
    )
)


def tree_of(html: str, url: str = URL) -> Node:
    """Return the tree of some HTML."""
    return Document(Response(url, 200, (("content-type", "text/html; charset=utf-8"),), html.encode())).nodes


def _table(rows: Sequence[Row]) -> str:
    lines = "".join(f"<tr><td><a href='/book/{n}'>{t}</a><td>{a}<td>{y}" for n, t, a, y in rows)
    return f"<table><tr><th>Title<th>Author<th>Year{lines}</table>"


def _cards(rows: Sequence[Row]) -> str:
    cards = (
        f"<div class='card'><h3><a href='/book/{n}'>{t}</a></h3><div><span class=k>Author</span> <span class=v>{a}</span></div>"
        f"<div><span class=k>Year</span> <span class=v>{y}</span></div></div>"
        for n, t, a, y in rows
    )
    return f"<div class='cards'>{''.join(cards)}</div>"


def _terms(rows: Sequence[Row]) -> str:
    return (
        "<dl>"
        + "".join(f"<dt><a href='/book/{n}'>{t}</a></dt><dd>Author: {a}</dd><dd>Year: {y}</dd>" for n, t, a, y in rows)
        + "</dl>"
    )


def _row_pairs(rows: Sequence[Row]) -> str:
    lines = "".join(f"<tr><td colspan=2><a href='/book/{n}'>{t}</a></tr><tr><td>{a}<td>{y}</tr>" for n, t, a, y in rows)
    return f"<table>{lines}</table>"


def _headings(rows: Sequence[Row]) -> str:
    return "".join(f"<h3><a href='/book/{n}'>{t}</a></h3><p>{a}, {y}</p>" for n, t, a, y in rows)


def _grid(rows: Sequence[Row]) -> str:
    cells = [f"<div class=cell><a href='/book/{n}'>{t}</a><p>{a}</p><p>{y}</p></div>" for n, t, a, y in rows]
    lines = (f"<div class=line>{''.join(cells[at : at + 3])}</div>" for at in range(0, len(cells), 3))
    return f"<div class=grid>{''.join(lines)}</div>"


def _breaks(rows: Sequence[Row]) -> str:
    lines = (f"<b>{t}</b><br>Author: {a}<br>Year: {y}<br><a href='/book/{n}'>More</a>" for n, t, a, y in rows)
    return f"<div class=flat>{'<br><br>'.join(lines)}</div>"


def _rules(rows: Sequence[Row]) -> str:
    lines = (f"<a href='/book/{n}'>{t}</a><br>{a}<br>{y}" for n, t, a, y in rows)
    return f"<div class=flat>{'<hr>'.join(lines)}</div>"


def _text(rows: Sequence[Row]) -> str:
    return (
        "<ol>"
        + "".join(f"<li><a href='/book/{n}'>{t}</a> (Author: {a}; Year: {y})</li>" for n, t, a, y in rows)
        + "</ol>"
    )


DESIGNS: dict[str, Callable[[Sequence[Row]], str]] = {
    "table": _table,
    "cards": _cards,
    "terms": _terms,
    "row pairs": _row_pairs,
    "headings": _headings,
    "grid": _grid,
    "breaks": _breaks,
    "rules": _rules,
    "text": _text,
}


def answer(design: str, rows: Sequence[Row], around: str = "", asked: str = "the") -> AnswerSample:
    """Return a page of answers."""
    said = f"<p>{len(rows)} results for {asked}</p>" if rows else "<p>Nothing was found.</p>"
    menu = "".join(
        f"<li><a href='/{word}'>{word} of the library</a></li>" for word in ("Start", "News", "Help", "Rooms")
    )
    found = DESIGNS[design](rows) if rows else ""
    html = f"<html><body><ul class=menu>{menu}</ul><div id=main>{said}{found}</div>{around}<p class=foot>Library, 1 High Street</p></body></html>"
    return AnswerSample(tree_of(html, f"{URL}{asked}"), f"{URL}{asked}", (asked,))
