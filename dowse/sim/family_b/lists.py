"""Links within the text of a page, and text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dowse.sim.family_b.markup import divide_links, join_links
from dowse.sim.family_b.naming import css
from dowse.sim.view import Anchors, Mention, Style


def _bullets(heading: str, links: Anchors) -> str:
    items = join_links(links, "<li>", "</li>\n")
    return f"{_heading('h2', heading)}<ul>\n{items}</ul>\n"


def _heading(tag: str, heading: str) -> str:
    return f"<{tag}>{heading}</{tag}>\n" if heading else ""


def _arrows(heading: str, links: Anchors) -> str:
    """Paragraphs that lead on, each link after an arrow."""
    return _heading("h4", heading) + join_links(links, "<p>&raquo; ", "</p>\n")


def _cells(heading: str, links: Anchors) -> str:
    """A table of three columns."""
    rows = [f"<tr>{join_links(links[start : start + 3], '<td>', '</td>')}</tr>\n" for start in range(0, len(links), 3)]
    top = f'<tr><th colspan="3" align="left">{heading}</th></tr>\n' if heading else ""
    return f'<table border="0" cellpadding="4" width="100%">\n{top}{"".join(rows)}</table>\n'


def _cards(heading: str, links: Anchors) -> str:
    cards = [
        f'<a href="{href}" style="border:1px solid #ccc;padding:8px;display:block"><div><div>{text}</div>'
        '<svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true"><path d="M3 1l5 5-5 5"/></svg></div></a>\n'
        for href, text in links
    ]
    return f'<section>{_heading("h2", heading)}<div style="display:grid;gap:8px">{"".join(cards)}</div></section>\n'


def _sentence(heading: str, links: Anchors) -> str:
    """All links in one sentence."""
    start = f"{heading}: " if heading else ""
    return f"<p>{start}{divide_links(links, ', ')}.</p>\n"


def _headings(heading: str, links: Anchors) -> str:
    """Each link is a heading with a line under it."""
    return _heading("h2", heading) + join_links(links, "<h3>", "</h3><hr />\n")


def _terms(heading: str, links: Anchors) -> str:
    """A definition list with the heading as its only term."""
    term = f"<dt>{heading}</dt>\n" if heading else ""
    said = join_links(links, "<dd>", "</dd>\n")
    return f"<dl>\n{term}{said}</dl>\n"


def _broken_lines(heading: str, links: Anchors) -> str:
    """Lines with breaks, under a bold line."""
    top = f"<b>{heading}</b><br>\n" if heading else ""
    lines = join_links(links, "&#8226; ", "<br>\n")
    return f"<br>{top}{lines}<br>\n"


LISTS: Mapping[str, Callable[[str, Anchors], str]] = {
    "bullets": _bullets,
    "arrows": _arrows,
    "cells": _cells,
    "cards": _cards,
    "sentence": _sentence,
    "headings": _headings,
    "terms": _terms,
    "broken_lines": _broken_lines,
}


def _open_text(style: Style, heading: str, paragraphs: tuple[str, ...]) -> str:
    top = f"<FONT SIZE=4><B>{heading}</B></FONT>\n" if heading else ""
    return top + "".join([f"<P>{paragraph}\n" for paragraph in paragraphs])


def _broken_text(style: Style, heading: str, paragraphs: tuple[str, ...]) -> str:
    top = f"<b><big>{heading}</big></b><br/>\n" if heading else ""
    return top + "".join([f"{paragraph}<br/><br/>\n" for paragraph in paragraphs])


def _body_text(style: Style, heading: str, paragraphs: tuple[str, ...]) -> str:
    c = css(style, "body")
    top = f'<div class="{css(style, "title")}"><h2>{heading}</h2></div>\n' if heading else ""
    return top + "".join([f'<p class="{c}">{paragraph}</p>\n' for paragraph in paragraphs])


def _plain_text(style: Style, heading: str, paragraphs: tuple[str, ...]) -> str:
    return _heading("h2", heading) + "".join([f"<p>{paragraph}</p>\n" for paragraph in paragraphs])


def _section_text(style: Style, heading: str, paragraphs: tuple[str, ...]) -> str:
    c = css(style, "part")
    inner = "".join([f"<p>{paragraph}</p>\n" for paragraph in paragraphs])
    return f'<section class="{c}">{_heading("h2", heading)}{inner}</section>\n'


def _div_text(style: Style, heading: str, paragraphs: tuple[str, ...]) -> str:
    c = css(style, "body")
    top = f'<div class="{css(style, "title")}"><div><span>{heading}</span></div></div>' if heading else ""
    return (
        f'<div class="{css(style, "part")}">{top}<div>'
        + "".join([f'<div class="{c}">{p}</div>' for p in paragraphs])
        + "</div></div>\n"
    )


_TEXTS: Mapping[str, Callable[[Style, str, tuple[str, ...]], str]] = {
    "homestead": _open_text,
    "gazette": _open_text,
    "jumpgate": _broken_text,
    "dense": _broken_text,
    "tiles": _broken_text,
    "pageroot": _body_text,
    "postback": _body_text,
    "portlets": _div_text,
    "stacks": _plain_text,
    "board": _div_text,
    "weblog": _plain_text,
    "regions": _section_text,
    "twelve": _plain_text,
    "utility": _section_text,
    "ministry": _body_text,
    "swift": _section_text,
    "hydrated": _div_text,
    "shell": _plain_text,
}


def write_notes(style: Style, heading: str, mentions: tuple[Mention, ...]) -> str:
    """Write links to other sites with a few words beside each."""
    name = css(style, "part")
    before, between, after = (
        (f'<div class="{name}"><h4>', "</h4><p>", "</p></div>\n")
        if style.lists in ("cards", "headings", "cells")
        else ("<li><strong>", "</strong>: ", "</li>\n")
    )
    rows = [
        f'{before}<a href="{each.anchor.href}">{each.anchor.text}</a>{between}{each.note}{after}' for each in mentions
    ]
    body = "".join(rows) if before.startswith("<div") else f"<ul>\n{''.join(rows)}</ul>"
    return f"{_heading('h2', heading)}{body}\n"


def write_text(style: Style, heading: str, paragraphs: tuple[str, ...]) -> str:
    """Write headings and paragraphs in the manner of the design."""
    return _TEXTS[style.design](style, heading, paragraphs)
