"""Where a label stands: a dozen ways, each beside a control and in the cells of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dowse.sim.family_a.controls import Asked

Written = Callable[[Asked], str]
FEW = 2  # questions that a form may ask without any label: a person sees what they are


class LabelWay(NamedTuple):
    """One way to place labels."""

    write: Written  # label and controls in running HTML
    cells: Written  # the same as cells of a table's row
    choice: str = "wrapped"  # how the buttons of a set are written, one of controls.CHOICES
    hints: str = "before"  # where a control's own word stands
    attribute: str = ""  # of the control, that has the label
    points: str = ""  # pattern of an attribute of the first control, with its id


def _colon(label: str) -> str:
    return f"{label}:" if label and label[-1] not in ":?!" else label


def _box(asked: Asked) -> str:
    return f"{asked.controls} {asked.label}{asked.beside}"


def _for(asked: Asked) -> str:
    if asked.sort == "set":
        return f"<span>{asked.label}</span> {asked.controls}{asked.beside}"
    label = f'<label for="{asked.id}">{asked.label}</label>'
    if asked.sort == "box":
        return f"{asked.controls} {label}{asked.beside}"
    return f"{label} {asked.controls}{asked.beside}"


def _for_cells(asked: Asked) -> str:
    start = f'<label for="{asked.id}">{asked.label}</label>' if asked.sort != "set" else asked.label
    return f"<td>{start}</td><td>{asked.controls}{asked.beside}</td>"


def _wrapped(asked: Asked) -> str:
    if asked.sort == "set":
        return f"<b>{asked.label}</b> {asked.controls}{asked.beside}"
    if asked.sort == "box":
        return f"<label>{asked.controls} {asked.label}</label>{asked.beside}"
    return f"<label>{asked.label} {asked.controls}</label>{asked.beside}"


def _before(asked: Asked) -> str:
    return _box(asked) if asked.sort == "box" else f"{_colon(asked.label)} {asked.controls}{asked.beside}"


def _before_cells(asked: Asked) -> str:
    return f'<td colspan="2">{_before(asked)}</td>'


def _cell(asked: Asked) -> str:
    return f'<td align="right" nowrap><b>{_colon(asked.label)}</b></td><td>{asked.controls}{asked.beside}</td>'


def _after(asked: Asked) -> str:
    return f"{asked.controls} <small>{asked.label}</small>{asked.beside}"


def _after_cells(asked: Asked) -> str:
    return f"<td>{asked.controls}{asked.beside}</td><td>{asked.label}</td>"


def _line(asked: Asked) -> str:
    return _box(asked) if asked.sort == "box" else f"{asked.label}<br>\n{asked.controls}{asked.beside}"


def _line_cells(asked: Asked) -> str:
    return f'<td colspan="2">{_line(asked)}</td>'


def _within(asked: Asked) -> str:
    if asked.sort == "typed":
        return f"{asked.controls}{asked.beside}"
    return _box(asked) if asked.sort == "box" else f"<span>{asked.label}</span> {asked.controls}{asked.beside}"


def _within_cells(asked: Asked) -> str:
    return f'<td colspan="2">{_within(asked)}</td>'


def _unseen(asked: Asked) -> str:
    return _box(asked) if asked.sort == "box" else f"{asked.controls}{asked.beside}"


def _unseen_cells(asked: Asked) -> str:
    return f'<td colspan="2">{_unseen(asked)}</td>'


def _pointed(asked: Asked) -> str:
    return f'<span id="{asked.id}l">{asked.label}</span> <span>{asked.controls}</span>{asked.beside}'


def _pointed_cells(asked: Asked) -> str:
    return f'<td id="{asked.id}l">{asked.label}</td><td>{asked.controls}{asked.beside}</td>'


WAYS: dict[str, LabelWay] = {
    "for": LabelWay(_for, _for_cells, "for"),
    "wrapped": LabelWay(_wrapped, _before_cells),
    "before": LabelWay(_before, _before_cells, "text"),
    "cell": LabelWay(_before, _cell, "text"),
    "above": LabelWay(_line, _line_cells, "lines"),
    "placeholder": LabelWay(_within, _within_cells, "wrapped", "within", "placeholder"),
    "title": LabelWay(_unseen, _unseen_cells, "for", "before", "title"),
    "after": LabelWay(_after, _after_cells, "text", "after"),
    "aria": LabelWay(_unseen, _unseen_cells, "wrapped", "before", "aria-label"),
    "line": LabelWay(_line, _line_cells, "lines"),
    "pointed": LabelWay(_pointed, _pointed_cells, "for", points=' aria-labelledby="{}l"'),
    "none": LabelWay(_unseen, _unseen_cells, "text"),
}
IN_TABLES = frozenset({"cell", "above"})  # these bring a table of their own where the form has none
_IN_ONE_LINE = {"cell": "before", "above": "before", "line": "before"}  # what a small form does instead


def choose_way(labels: str, place: str, questions: int) -> str:
    """Return the way to place labels in a form: small ones have one line, and no long one goes without."""
    if labels == "none" and questions > FEW:
        return "before"
    return labels if place == "content" else _IN_ONE_LINE.get(labels, labels)


def write_rows(asked: list[Asked], name: str) -> str:
    """Write questions as rows of a table; "above" has a row of labels over a row of controls."""
    if name != "above":
        cells = WAYS[name].cells
        return "\n".join([f"<tr>{cells(each)}</tr>" for each in asked])
    pairs = [asked[start : start + 3] for start in range(0, len(asked), 3)]
    return "\n".join([f"<tr>{_over(three)}</tr>\n<tr>{_under(three)}</tr>" for three in pairs])


def _over(asked: list[Asked]) -> str:
    return "".join([f"<td><font size=2>{each.label}</font></td>" for each in asked])


def _under(asked: list[Asked]) -> str:
    return "".join([f'<td valign="top">{each.controls}{each.beside}</td>' for each in asked])
