"""What stands in a page's text: paragraphs, and links with a heading."""

from __future__ import annotations

from collections.abc import Callable

from dowse.sim.family_a.anchors import write_each, write_line, write_list
from dowse.sim.family_a.eras import COLUMNED, OLD
from dowse.sim.view import Anchors, Mention, Style


def _as_points(heading: str, links: Anchors) -> str:
    return (f"<h3>{heading}</h3>\n" if heading else "") + write_list(links)


def _as_numbers(heading: str, links: Anchors) -> str:
    rows = write_each(links, "<li>", "")
    return f"{f'<p>{heading}' if heading else ''}\n<ol>\n{rows}\n</ol>"


def _as_lines(heading: str, links: Anchors) -> str:
    return f"<p>{f'<b>{heading}</b><br>' if heading else ''}\n{write_line(links, '<br>')}</p>"


def _as_sentence(heading: str, links: Anchors) -> str:
    return f"<p>{f'{heading}: ' if heading else ''}{write_line(links, ', ')}.</p>"


def _as_grid(heading: str, links: Anchors) -> str:
    """Cells, three in a row."""
    rows = [f"<tr>{write_each(links[n : n + 3], '<td>', '</td>')}</tr>" for n in range(0, len(links), 3)]
    head = f"<tr><th colspan=3>{heading}</th></tr>\n" if heading else ""
    grid = "\n".join(rows)
    return f"<table cellpadding=4>\n{head}{grid}\n</table>"


def _as_terms(heading: str, links: Anchors) -> str:
    return f"<dl>{f'<dt>{heading}</dt>' if heading else ''}\n{write_each(links, '<dd>', '</dd>')}\n</dl>"


def _as_teasers(heading: str, links: Anchors) -> str:
    """A heading for each link, as front pages have them."""
    rows = write_each(links, "<div><h4>", "</h4></div>")
    return f"<section>{f'<h2>{heading}</h2>' if heading else ''}\n{rows}\n</section>"


def _as_arrows(heading: str, links: Anchors) -> str:
    head = f"<strong>{heading}</strong>" if heading else ""
    return f"<div>{head}\n{write_each(links, '<div>&raquo; ', '</div>')}\n</div>"


LISTS: dict[str, Callable[[str, Anchors], str]] = {
    "points": _as_points,
    "numbers": _as_numbers,
    "lines": _as_lines,
    "sentence": _as_sentence,
    "grid": _as_grid,
    "terms": _as_terms,
    "teasers": _as_teasers,
    "arrows": _as_arrows,
}


_NOTES = {
    "points": ("<ul>\n", "<li>{link} - {note}</li>\n", "</ul>"),
    "terms": ("<dl>\n", "<dt>{link}<dd>{note}\n", "</dl>"),
    "grid": ("<table cellpadding=4>\n", "<tr><td>{link}</td><td>{note}</td></tr>\n", "</table>"),
}  # fmt: skip


def write_notes(style: Style, heading: str, mentions: tuple[Mention, ...]) -> str:
    """Write links to other sites with a few words beside each."""
    start, row, end = _NOTES.get(style.lists, ("<div>\n", "<p>{link}<br>{note}</p>\n", "</div>"))
    rows = [
        row.format(link=f'<a href="{each.anchor.href}">{each.anchor.text}</a>', note=each.note) for each in mentions
    ]
    return f"<h3>{heading}</h3>\n{start}{''.join(rows)}{end}"


def write_text(style: Style, heading: str, paragraphs: tuple[str, ...]) -> str:
    """Write running text as the site's time does: old paragraphs have no ends, new ones a block around them."""
    if style.design in OLD:
        head = f"<H1><FONT FACE=Arial>{heading}</FONT></H1>\n" if heading else ""
        return head + "\n".join([f"<P>{text}" for text in paragraphs])
    body = "\n".join([f"<p>{text}</p>" for text in paragraphs])
    if style.design in COLUMNED:
        return (f"<h1>{heading}</h1>\n" if heading else "") + body
    head = f'<h1 class="{style.mark}ti">{heading}</h1>\n' if heading else ""
    return f'<div class="{style.mark}tx">{head}{body}</div>'
