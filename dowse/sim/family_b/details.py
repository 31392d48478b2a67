"""Pages of one record."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dowse.sim.family_b.markup import divide_links, join_links
from dowse.sim.family_b.naming import css
from dowse.sim.view import Detail


def _sheet(detail: Detail) -> str:
    rows = "".join(
        [f'<tr><th scope="row">{label}</th><td>{value or "&nbsp;"}</td></tr>\n' for label, value in detail.cells]
    )
    liked = f"<p><b>{detail.says['liked']}</b><br>{divide_links(detail.liked, '<br>')}</p>\n" if detail.liked else ""
    return f'<h1>{detail.title}</h1>\n<table class="{css(detail.style, "frame")}">\n{rows}</table>\n{liked}'


def _definitions(detail: Detail) -> str:
    cells = "".join([f"<dt>{label}</dt>\n<dd>{value}</dd>\n" for label, value in detail.cells if value])
    liked = (
        f"<h3>{detail.says['liked']}</h3><ul>{join_links(detail.liked, '<li>', '</li>')}</ul>\n" if detail.liked else ""
    )
    return f'<h2 class="{css(detail.style, "title")}">{detail.title}</h2>\n<dl>\n{cells}</dl>\n{liked}'


def _lines(detail: Detail) -> str:
    lines = "".join([f"<b>{label}:</b>&nbsp;{value or '-'}<br>\n" for label, value in detail.cells])
    liked = f"<hr><i>{detail.says['liked']}</i> {divide_links(detail.liked, ', ')}\n" if detail.liked else ""
    return f"<font size=+2>{detail.title}</font><br><br>\n{lines}<br>\n{liked}"


def _tiles(detail: Detail) -> str:
    style = detail.style
    row, label, value = css(style, "row"), css(style, "label"), css(style, "value")
    tiles = "".join(
        [
            f'<div class="{row}"><div class="{label}"><span>{name}</span></div><div class="{value}"><span>{text}</span></div></div>'
            for name, text in detail.cells
            if text
        ]
    )
    liked = "".join(
        [f'<div class="{css(style, "entry")}"><a href="{href}">{text}</a></div>' for href, text in detail.liked]
    )
    box = f"<aside><h2>{detail.says['liked']}</h2>{liked}</aside>" if liked else ""
    return f'<article class="{css(style, "frame")}"><header><h1>{detail.title}</h1></header><div>{tiles}</div>{box}</article>\n'


def _sentence(detail: Detail) -> str:
    """The values in one run of text, hardly marked."""
    style = detail.style
    cells = ". ".join([f"{label}: <em>{value}</em>" for label, value in detail.cells if value])
    liked = (
        f'<p class="{css(style, "note")}">{detail.says["liked"]}: {divide_links(detail.liked, " &middot; ")}</p>\n'
        if detail.liked
        else ""
    )
    return f'<div class="{css(style, "body")}"><h3>{detail.title}</h3>\n<p>{cells}.</p></div>\n{liked}'


DETAILS: Mapping[str, Callable[[Detail], str]] = {
    "sheet": _sheet,
    "definitions": _definitions,
    "lines": _lines,
    "tiles": _tiles,
    "sentence": _sentence,
}
