"""How the questions of a form are laid out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from dowse.sim.family_b.labels import Unit
from dowse.sim.family_b.naming import css
from dowse.sim.view import Style


class Layout(NamedTuple):
    """A form in pieces."""

    style: Style
    opening: str  # the start tag, and what is sent unseen
    closing: str
    heading: str
    units: list[Unit]
    buttons: str


def _stack(form: Layout) -> str:
    heading = f"<h3>{form.heading}</h3>\n" if form.heading else ""
    row = css(form.style, "row")
    rows = [f'<div class="{row}">{label} {control}</div>\n' for label, control in form.units]
    return f"{heading}{form.opening}\n{''.join(rows)}<div>{form.buttons}</div>\n{form.closing}\n"


def _rows(form: Layout) -> str:
    caption = f"<caption>{form.heading}</caption>" if form.heading else ""
    last = f'<tr><td>&nbsp;</td><td align="right">{form.buttons}</td></tr>'
    table = f'<table class="{css(form.style, "frame")}" border="0" cellpadding="3">{caption}\n'
    return f"{form.opening}{table}{_table_rows(form)}{last}</table>{form.closing}\n"


def _table_rows(form: Layout) -> str:
    side, cell = css(form.style, "side"), css(form.style, "cell")
    return "".join(
        [
            f'<tr valign="top"><td class="{side}">{label}</td><td class="{cell}">{control}</td></tr>\n'
            if label
            else f'<tr><td colspan="2" class="{cell}">{control}</td></tr>\n'
            for label, control in form.units
        ]
    )


def _straddle(form: Layout) -> str:
    heading = f'<tr><th colspan="2">{form.heading}</th></tr>\n' if form.heading else ""
    last = f'<tr><td colspan="2" align="center">{form.buttons}</td></tr>\n'
    return f'<table class="{css(form.style, "frame")}">{form.opening}\n{heading}{_table_rows(form)}{last}{form.closing}</table>\n'


def _grid(form: Layout) -> str:
    style = form.style
    row, side, cell = css(style, "row"), css(style, "side"), css(style, "cell")
    heading = f'<div class="{css(style, "title")}"><div><span>{form.heading}</span></div></div>' if form.heading else ""
    rows = [
        f'<div class="{row}"><div class="{side}"><div>{label}</div></div><div class="{cell}"><div><div>{control}</div></div></div></div>'
        for label, control in form.units
    ]
    return (
        f'<div class="{css(style, "frame")}">{heading}{form.opening}<div><div style="display:grid;gap:8px">{"".join(rows)}</div>'
        f'<div class="{row}"><div class="{side}"></div><div class="{cell}">{form.buttons}</div></div></div>{form.closing}</div>\n'
    )


def _panel(form: Layout) -> str:
    legend = f"<legend>{form.heading}</legend>\n" if form.heading else ""
    rows = [
        f"<p>{label} {control}</p>\n" if _is_inline(control) else f"<div>{label} {control}</div>\n"
        for label, control in form.units
    ]
    frame = css(form.style, "frame")
    return f'{form.opening}<fieldset class="{frame}">{legend}{"".join(rows)}<p>{form.buttons}</p></fieldset>{form.closing}\n'


def _is_inline(control: str) -> bool:
    return not control.startswith(("<div", "<dl", "<fieldset"))


def _line(form: Layout) -> str:
    heading = f"<strong>{form.heading}</strong> " if form.heading else ""
    return f"{form.opening}<div>{heading}{'&nbsp; '.join([f'{label} {control}' for label, control in form.units])}&nbsp; {form.buttons}</div>{form.closing}\n"


def _apart(form: Layout) -> str:
    """The form is empty: the controls stand elsewhere and name it."""
    heading = f"<h4>{form.heading}</h4>" if form.heading else ""
    row = css(form.style, "row")
    rows = [f'<section class="{row}">{label}{control}</section>\n' for label, control in form.units]
    return f'{form.opening}{form.closing}<div class="{css(form.style, "frame")}">{heading}{"".join(rows)}<footer>{form.buttons}</footer></div>\n'


def _items(form: Layout) -> str:
    heading = f'<div class="{css(form.style, "title")}">{form.heading}</div>\n' if form.heading else ""
    items = [f"<li>{label} {control}</li>\n" for label, control in form.units]
    return (
        f'{form.opening}{heading}<ul class="{css(form.style, "row")}" style="list-style:none">\n{"".join(items)}'
        f"<li>{form.buttons}</li></ul>{form.closing}\n"
    )


_BAND = 3  # questions side by side


def _bands(form: Layout) -> str:
    """Labels in one row of a table, their controls in the next."""
    heading = f'<tr><td colspan="{_BAND}"><h3>{form.heading}</h3></td></tr>\n' if form.heading else ""
    bands = [form.units[start : start + _BAND] for start in range(0, len(form.units), _BAND)]
    cell = f'<td class="{css(form.style, "cell")}">'
    rows = [
        f"<tr>{''.join([f'<td>{unit.label}</td>' for unit in band])}</tr>\n"
        + f"<tr>{''.join([cell + unit.control + '</td>' for unit in band])}</tr>\n"
        for band in bands
    ]
    return f'{form.opening}<table width="100%">{heading}{"".join(rows)}<tr><td>{form.buttons}</td></tr></table>{form.closing}\n'


def _columns(form: Layout) -> str:
    """All labels in a column at the left, all controls in one at the right."""
    style = form.style
    heading = f'<h2 class="{css(style, "title")}">{form.heading}</h2>' if form.heading else ""
    side, cell, row = css(style, "side"), css(style, "cell"), css(style, "row")
    labels = "".join([f'<div class="{row}">{unit.label or "&nbsp;"}</div>' for unit in form.units])
    controls = "".join([f'<div class="{row}">{unit.control}</div>' for unit in form.units])
    return (
        f'{heading}{form.opening}<div style="display:flex;gap:12px"><div class="{side}">{labels}</div><div class="{cell}">{controls}'
        f'<div class="{row}">{form.buttons}</div></div></div>{form.closing}\n'
    )


ARRANGEMENTS: Mapping[str, Callable[[Layout], str]] = {
    "stack": _stack,
    "rows": _rows,
    "straddle": _straddle,
    "grid": _grid,
    "panel": _panel,
    "line": _line,
    "apart": _apart,
    "items": _items,
    "bands": _bands,
    "columns": _columns,
}


def _small_table(form: Layout) -> str:
    cells = "".join([f"<td>{label}{control}</td>" for label, control in form.units])
    return f'{form.opening}<table cellspacing="0" cellpadding="2"><tr>{cells}<td>{form.buttons}</td></tr></table>{form.closing}\n'


def _small_line(form: Layout) -> str:
    part = css(form.style, "part")
    return f'<div class="{part}">{form.opening}{"".join([f"{label}{control}" for label, control in form.units])}{form.buttons}{form.closing}</div>\n'


def _small_list(form: Layout) -> str:
    items = "".join([f'<li style="display:inline">{label}{control}</li>' for label, control in form.units])
    return f'{form.opening}<ul class="{css(form.style, "part")}">{items}<li style="display:inline">{form.buttons}</li></ul>{form.closing}\n'


SMALL: Mapping[str, Callable[[Layout], str]] = {
    "rows": _small_table,
    "straddle": _small_table,
    "bands": _small_table,
    "items": _small_list,
    "panel": _small_list,
}


def arrange(form: Layout, arrangement: str, place: str) -> str:
    """Lay a form out; above and below the text of a page there is room for a line only."""
    if place != "content":
        return SMALL.get(arrangement, _small_line)(form)
    return ARRANGEMENTS[arrangement](form)
