"""Where the label of a question stands: each way gives what may stand apart, and the controls."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from dowse.sim.family_b.controls import BELOW, LOOSE, TIED, Hand, write_part
from dowse.sim.view import Part, Question


class Unit(NamedTuple):
    """A question as HTML: a label that may stand apart (or nothing), and the rest."""

    label: str
    control: str


Way = Callable[[Hand, Question, str], Unit]

_BOXES = frozenset({"radio", "checkbox"})
_WRITTEN = frozenset({"text", "search", "email", "tel", "number", "password", "textarea"})


def is_state(question: Question) -> bool:
    """Whether nothing of the question is shown."""
    return question.kind == "state" or all(part.control == "hidden" for part in question.parts)


def _is_tick(question: Question) -> bool:
    """Whether the question is a single check box: its label stands at its right on any site."""
    return len(question.parts) == 1 and question.parts[0].control in _BOXES and not question.parts[0].choices


def _write_parts(hand: Hand, question: Question, name: str) -> str:
    """Write the controls with their hints as text before them; the first has the id that a label points to."""
    written = []
    for place, part in enumerate(question.parts):
        own = f' id="{name}_{place}"' if place else f' id="{name}"'
        hint = f"{part.hint} " if part.hint else ""
        written.append(f"{hint}{write_part(hand, part, question.kind, own)}")
    return " ".join(written)


def _write_spoken(hand: Hand, question: Question, attribute: str) -> str:
    """Write the controls with label and hint in an attribute, and nothing beside them."""
    return " ".join(
        [
            write_part(hand, part, question.kind, f' {attribute}="{_full_label(question, part)}"')
            for part in question.parts
        ]
    )


def _full_label(question: Question, part: Part) -> str:
    return f"{question.label} {part.hint}" if part.hint else question.label


def _has_boxes(question: Question) -> bool:
    return question.parts[0].control in _BOXES


def _label_for(hand: Hand, question: Question, name: str) -> Unit:
    label = f'<label for="{name}">{question.label}</label>'
    if _is_tick(question):
        return Unit("", f"{_write_parts(hand, question, name)} {label}")
    return Unit(label, _write_parts(hand, question, name))


def _wrap(hand: Hand, question: Question, name: str) -> Unit:
    if _is_tick(question):
        return Unit("", f"<label>{_write_parts(hand, question, name)} <span>{question.label}</span></label>")
    if _has_boxes(question):
        return Unit("", f"<span>{question.label}</span> {_write_parts(hand, question, name)}")
    return Unit("", f"<label>{question.label} {_write_parts(hand, question, name)}</label>")


def _before(hand: Hand, question: Question, name: str) -> Unit:
    return Unit("", f"{question.label}: {_write_parts(hand, question, name)}")


def _cell(hand: Hand, question: Question, name: str) -> Unit:
    return Unit(f"<b>{question.label}</b>", _write_parts(hand, question, name))


def _above(hand: Hand, question: Question, name: str) -> Unit:
    if _is_tick(question):
        return _after(hand, question, name)
    return Unit("", f"<small>{question.label}</small><br />{_write_parts(hand, question, name)}")


def _placeholder(hand: Hand, question: Question, name: str) -> Unit:
    if question.parts[0].control in _WRITTEN:
        return Unit("", _write_spoken(hand, question, "placeholder"))
    return _after(hand, question, name) if _is_tick(question) else _before(hand, question, name)


def _title(hand: Hand, question: Question, name: str) -> Unit:
    if _has_boxes(question):
        return _after(hand, question, name)
    return Unit("", _write_spoken(hand, question, "title"))


def _aria(hand: Hand, question: Question, name: str) -> Unit:
    if _is_tick(question):
        return _after(hand, question, name)
    if _has_boxes(question):
        return Unit("", f'<span role="group" aria-label="{question.label}">{_write_parts(hand, question, name)}</span>')
    return Unit("", _write_spoken(hand, question, "aria-label"))


def _labelled_by(hand: Hand, question: Question, name: str) -> Unit:
    said = f'<span id="{name}-t">{question.label}</span>'
    pointed = f' aria-labelledby="{name}-t"'
    controls = [f"{part.hint} {write_part(hand, part, question.kind, pointed)}" for part in question.parts]
    return Unit("", f"{controls[0]} {said}") if _is_tick(question) else Unit(said, " ".join(controls))


def _after(hand: Hand, question: Question, name: str) -> Unit:
    return Unit("", f"{_write_parts(hand, question, name)} {question.label}")


def _definition(hand: Hand, question: Question, name: str) -> Unit:
    return Unit("", f"<dl><dt>{question.label}</dt><dd>{_write_parts(hand, question, name)}</dd></dl>")


def _legend(hand: Hand, question: Question, name: str) -> Unit:
    if _is_tick(question):
        return _label_for(hand, question, name)
    return Unit("", f"<fieldset><legend>{question.label}</legend>{_write_parts(hand, question, name)}</fieldset>")


def _floating(hand: Hand, question: Question, name: str) -> Unit:
    if _has_boxes(question):
        return _label_for(hand, question, name)
    controls = _write_parts(hand, question, name)
    return Unit("", f'<span>{controls}<label for="{name}">{question.label}</label></span>')


def _bare(hand: Hand, question: Question, name: str) -> Unit:
    return _after(hand, question, name) if _is_tick(question) else Unit("", _write_parts(hand, question, name))


def _column(hand: Hand, question: Question, name: str) -> Unit:
    return Unit(f"<div>{question.label}</div>", f"<div><div>{_write_parts(hand, question, name)}</div></div>")


WAYS: Mapping[str, Way] = {
    "for": _label_for,
    "wrap": _wrap,
    "before": _before,
    "cell": _cell,
    "above": _above,
    "placeholder": _placeholder,
    "title": _title,
    "aria": _aria,
    "labelled_by": _labelled_by,
    "after": _after,
    "definition": _definition,
    "legend": _legend,
    "floating": _floating,
    "bare": _bare,
    "column": _column,
}

_COMPACT: Mapping[str, str] = {
    "cell": "before",
    "above": "before",
    "definition": "for",
    "legend": "aria",
    "column": "wrap",
}

CHOICES: Mapping[str, str] = {
    "before": LOOSE,
    "cell": BELOW,
    "above": LOOSE,
    "title": LOOSE,
    "after": BELOW,
    "definition": BELOW,
    "bare": LOOSE,
}


def choice_of(labels: str) -> str:
    """Return how the choices of a set of boxes are written beside labels of that sort."""
    return CHOICES.get(labels, TIED)


def write_units(hand: Hand, questions: tuple[Question, ...], labels: str, place: str) -> list[Unit]:
    """Write all questions that are shown; how a word is to be taken stands beside what it is about."""
    way = WAYS[labels if place == "content" else _COMPACT.get(labels, labels)]
    units: list[Unit] = []
    for number, question in enumerate(questions):
        if is_state(question):
            continue
        unit = (way if question.label else _bare)(hand, question, f"{hand.ids}{number}")
        if question.kind == "operator" and units:
            units[-1] = Unit(units[-1].label, f"{units[-1].control} {unit.label} {unit.control}")
            continue
        units.append(unit)
    return units
