"""The page of one record: its labels and values, and what else one might like."""

from __future__ import annotations

from collections.abc import Callable

from dowse.sim.family_a.anchors import write_each, write_line, write_list
from dowse.sim.view import Detail


def _as_table(detail: Detail) -> str:
    rows = "\n".join([f"<tr><th align=left>{label}</th><td>{value}</td></tr>" for label, value in detail.cells])
    liked = f"<p>{detail.says['liked']}: {write_line(detail.liked, ', ')}</p>" if detail.liked else ""
    return f"<h1>{detail.title}</h1>\n<table border=0>\n{rows}\n</table>\n{liked}"


def _as_terms(detail: Detail) -> str:
    mark = detail.style.mark
    rows = "\n".join([f"<dt>{label}</dt><dd>{value}</dd>" for label, value in detail.cells if value])
    liked = f"<h3>{detail.says['liked']}</h3>{write_list(detail.liked)}" if detail.liked else ""
    return f'<h2>{detail.title}</h2>\n<dl class="{mark}ddl">\n{rows}\n</dl>\n{liked}'


def _as_breaks(detail: Detail) -> str:
    rows = "<br>\n".join([f"<b>{label}:</b> {value}" for label, value in detail.cells])
    liked = f"<hr>\n<i>{detail.says['liked']}</i><br>{write_line(detail.liked, '<br>')}" if detail.liked else ""
    return f"<h2>{detail.title}</h2>\n<p>{rows}\n{liked}"


def _as_blocks(detail: Detail) -> str:
    mark = detail.style.mark
    pair = f'<div class="{mark}dpair"><div class="{mark}dk">{{}}</div><div class="{mark}dv">{{}}</div></div>'
    rows = "\n".join([pair.format(label, value) for label, value in detail.cells if value])
    liked = write_each(detail.liked, f'<div class="{mark}dpair">', "</div>")
    other = f'<div class="{mark}do"><div class="{mark}dk">{detail.says["liked"]}</div>{liked}</div>' if liked else ""
    return f'<div class="{mark}drec"><h1>{detail.title}</h1>\n{rows}</div>\n{other}'


def _as_list(detail: Detail) -> str:
    rows = "\n".join([f"<li>{label}: <em>{value}</em></li>" for label, value in detail.cells if value])
    liked = f"<p>{detail.says['liked']}</p>\n{write_list(detail.liked)}" if detail.liked else ""
    return f"<h1>{detail.title}</h1>\n<ul>\n{rows}\n</ul>\n{liked}"


def _as_values(detail: Detail) -> str:
    """The labels in one row of a table, the values in the next: broad and short."""
    labels = "".join([f"<td><small>{label}</small></td>" for label, _ in detail.cells])
    values = "".join([f"<td>{value or '-'}</td>" for _, value in detail.cells])
    liked = write_each(detail.liked, "<tr><td>", "</td></tr>")
    other = f"<table><tr><td><b>{detail.says['liked']}</b></td></tr>{liked}</table>" if liked else ""
    return f"<h3>{detail.title}</h3>\n<table border=1>\n<tr>{labels}</tr>\n<tr>{values}</tr>\n</table>\n{other}"


DETAILS: dict[str, Callable[[Detail], str]] = {
    "table": _as_table,
    "terms": _as_terms,
    "breaks": _as_breaks,
    "blocks": _as_blocks,
    "list": _as_list,
    "values": _as_values,
}
