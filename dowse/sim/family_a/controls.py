"""Controls of a form as HTML: inputs, selects, sets of buttons, and the words that stand directly at them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dowse.sim.view import Choice, Part, Question

TYPED = frozenset({"text", "search", "email", "tel", "number", "password", "textarea"})  # what shows a placeholder
SETS = frozenset({"radio", "checkbox"})
SIZES = {"text": 20, "search": 22, "email": 24, "tel": 14, "password": 12}


class Asked(NamedTuple):
    """A question with its controls written out, ready to be labelled and arranged."""

    id: str  # of its first control
    label: str
    controls: str
    sort: str  # typed: fields to type in; line: others; set: several buttons; box: a single check box
    beside: str = ""  # controls that say how to compare


class Pen(NamedTuple):
    """How the controls of one form are written."""

    any: str  # first option of a select
    attribute: str  # placeholder, title or aria-label: where the label goes, or nothing
    choice: str  # one of CHOICES
    hints: str  # before, after or within: where a control's own word stands
    extra: str = ""  # attributes of every control


def write_question(question: Question, id_: str, pen: Pen, first: str = "") -> Asked:
    """Write the controls of a question; `first` are attributes of the first one alone."""
    shown = [part for part in question.parts if part.control != "hidden"]
    written = []
    for number, part in enumerate(shown):
        extra = pen.extra + _say(question, part, pen) + ("" if number else first)
        control = _write_part(question, part, f"{id_}_{number}" if number else id_, pen, extra)
        written.append(_place_hint(part, control, pen))
    return Asked(id_, question.label, " ".join(written), _sort(shown))


def write_hidden(questions: tuple[Question, ...], extra: str = "") -> str:
    """Write what a form sends without showing it."""
    return "".join(
        [
            f'<input type="hidden" name="{part.name}" value="{part.value}"{extra}>'
            for question in questions
            for part in question.parts
            if part.control == "hidden"
        ]
    )


def _sort(shown: list[Part]) -> str:
    if len(shown) == 1 and shown[0].control in SETS:
        return "set" if shown[0].choices else "box"
    return "typed" if all(part.control in TYPED for part in shown) else "line"


def _say(question: Question, part: Part, pen: Pen) -> str:
    """Return the attribute that says the label, where labels are said by attributes."""
    if not pen.attribute or (pen.attribute == "placeholder" and part.control not in TYPED):
        return ""
    words = f"{question.label} {part.hint}".strip()
    return f' {pen.attribute}="{words}"' if words else ""


def _place_hint(part: Part, control: str, pen: Pen) -> str:
    if not part.hint or (pen.hints == "within" and part.control in TYPED):
        return control
    return f"{control} {part.hint}" if pen.hints == "after" else f"{part.hint} {control}"


def _write_part(question: Question, part: Part, id_: str, pen: Pen, extra: str) -> str:
    if part.control == "select":
        return _write_select(question, part, id_, pen, extra)
    if part.control in SETS and part.choices:
        return _write_set(part, id_, pen, extra)
    if part.control == "textarea":
        return f'<textarea name="{part.name}" id="{id_}" rows="5" cols="40"{extra}>{part.value}</textarea>'
    size = f' size="{SIZES[part.control]}"' if part.control in SIZES else ""
    value = f' value="{part.value}"' if part.value else ""
    return f'<input type="{part.control}" name="{part.name}" id="{id_}"{size}{value}{extra}>'


def _write_select(question: Question, part: Part, id_: str, pen: Pen, extra: str) -> str:
    """Write a select; it begins with a choice that means nothing, unless it chooses between ways to compare."""
    start = "" if question.kind == "operator" else f'<option value="">{pen.any}</option>'
    options = "".join(
        [
            f'<option value="{value}"{" selected" if value == part.value else ""}>{label}</option>'
            for value, label in part.choices
        ]
    )
    several = ' multiple size="4"' if question.kind == "several" else ""
    return f'<select name="{part.name}" id="{id_}"{several}{extra}>{start}{options}</select>'


def _write_set(part: Part, id_: str, pen: Pen, extra: str) -> str:
    write = CHOICES[pen.choice]
    rows = []
    for number, choice in enumerate(part.choices):
        own = f"{id_}c{number}"
        checked = " checked" if choice[0] == part.value else ""
        button = f'<input type="{part.control}" name="{part.name}" id="{own}" value="{choice[0]}"{checked}{extra}>'
        rows.append(write(button, own, choice))
    return "\n".join(rows)


CHOICES: dict[str, Callable[[str, str, Choice], str]] = {
    "for": lambda button, id_, choice: f'{button}<label for="{id_}">{choice[1]}</label>',
    "wrapped": lambda button, id_, choice: f"<label>{button} {choice[1]}</label>",
    "text": lambda button, id_, choice: f"{button}{choice[1]}&nbsp;",
    "lines": lambda button, id_, choice: f"{button} {choice[1]}<br>",
}
