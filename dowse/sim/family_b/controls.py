"""Controls as an author writes them: in capitals, as XHTML, or plainly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from dowse.sim.view import Part, Style


class Dialect(NamedTuple):
    """How the elements of a form are spelled."""

    form: str
    input: str
    select: str
    option: str
    textarea: str
    closed: str  # end tag of an option
    end: str  # of an element without content
    checked: str
    selected: str
    multiple: str


LOUD = Dialect("FORM", "INPUT", "SELECT", "OPTION", "TEXTAREA", "", ">", " CHECKED", " SELECTED", " MULTIPLE SIZE=4")
PLAIN = Dialect("form", "input", "select", "option", "textarea", "</option>", ">", " checked", " selected", " multiple")
STRICT = Dialect(
    "form",
    "input",
    "select",
    "option",
    "textarea",
    "</option>",
    " />",
    ' checked="checked"',
    ' selected="selected"',
    ' multiple="multiple" size="5"',
)

_DIALECT_OF: Mapping[str, Dialect] = {
    "homestead": LOUD,
    "jumpgate": LOUD,
    "gazette": LOUD,
    "tiles": STRICT,
    "postback": STRICT,
    "portlets": STRICT,
    "stacks": STRICT,
    "board": STRICT,
    "pageroot": STRICT,
    "regions": STRICT,
}


def dialect_of(style: Style) -> Dialect:
    """Return how forms are spelled in a design."""
    return _DIALECT_OF.get(style.design, PLAIN)


class Hand(NamedTuple):
    """What all controls of one form have in common."""

    dialect: Dialect
    ids: str  # what every id starts with
    common: str  # attributes that every control carries
    any: str  # what the first option of a select says
    choice: str  # how a choice of several is written: with the slots box and text
    completed: str  # name of the field that a service completes, or nothing
    completion: str  # the attributes of that field


TIED = "<label>{box} {text}</label> "
LOOSE = "{box}&nbsp;{text} "
BELOW = "{box} {text}<br />"


def write_part(hand: Hand, part: Part, kind: str, attributes: str) -> str:
    """Write one control; `attributes` are its own: id, placeholder and such."""
    return _WRITERS.get(part.control, _write_input)(hand, part, kind, attributes)


def write_hidden(hand: Hand, part: Part) -> str:
    """Write a value that is sent but not shown."""
    return f'<{hand.dialect.input} type="hidden" name="{part.name}" value="{part.value}"{hand.common}{hand.dialect.end}'


def _write_input(hand: Hand, part: Part, kind: str, attributes: str) -> str:
    value = f' value="{part.value}"' if part.value else ""
    if hand.completed and part.name == hand.completed:
        attributes += hand.completion
    return f'<{hand.dialect.input} type="{part.control}" name="{part.name}"{value}{attributes}{hand.common}{hand.dialect.end}'


def _write_textarea(hand: Hand, part: Part, kind: str, attributes: str) -> str:
    tag = hand.dialect.textarea
    return f'<{tag} name="{part.name}" rows="5" cols="40"{attributes}{hand.common}>{part.value}</{tag}>'


def _write_select(hand: Hand, part: Part, kind: str, attributes: str) -> str:
    spelled = hand.dialect
    first = "" if kind == "operator" else f'<{spelled.option} value="">{hand.any}{spelled.closed}'
    options = [
        f'<{spelled.option} value="{value}"{spelled.selected if value == part.value else ""}>{label}{spelled.closed}'
        for value, label in part.choices
    ]
    many = spelled.multiple if kind == "several" else ""
    return f'<{spelled.select} name="{part.name}"{many}{attributes}{hand.common}>{first}{"".join(options)}</{spelled.select}>'


def _write_boxes(hand: Hand, part: Part, kind: str, attributes: str) -> str:
    if not part.choices:
        value = part.value or "1"
        end = hand.dialect.end
        return f'<{hand.dialect.input} type="{part.control}" name="{part.name}" value="{value}"{attributes}{hand.common}{end}'
    return "".join([_write_box(hand, part, value, label) for value, label in part.choices])


def _write_box(hand: Hand, part: Part, value: str, label: str) -> str:
    spelled = hand.dialect
    on = spelled.checked if value == part.value else ""
    start = f'<{spelled.input} type="{part.control}" name="{part.name}"'
    return hand.choice.format(box=f'{start} value="{value}"{on}{hand.common}{spelled.end}', text=label)


_WRITERS: Mapping[str, Callable[[Hand, Part, str, str], str]] = {
    "textarea": _write_textarea,
    "select": _write_select,
    "radio": _write_boxes,
    "checkbox": _write_boxes,
}
