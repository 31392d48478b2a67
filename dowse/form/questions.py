"""What a door can be asked to see whether it answers: a box for words, choices, and extremes of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dowse.model import Condition, Door, Field
from dowse.words.lookup import anywhere, whole_text

MAX_CHOICES = 50  # choices of one control that are looked at
MAX_FIELDS = 20  # controls of one condition that are looked at

_TYPED = frozenset({"text", "search", "textarea"})
_LOW_NAME = re.compile(r"min|from|low|lo$|since|after|start|von$|ab$|desde|_?1$|de$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Box:
    """A control to type words into."""

    name: str
    label: str = ""
    general: bool = False  # words of any kind, not the value of one attribute


@dataclass(frozen=True, slots=True)
class ProbeQuery:
    """Values to put to a door to see whether it answers, and what a person would call them."""

    values: tuple[tuple[str, str], ...] = ()
    words: str = ""


def find_box(door: Door) -> Box | None:
    """Return the control that words are best typed into: one for words of any kind, else the first."""
    boxes = list(find_boxes(door))
    return next((box for box in boxes if box.general), boxes[0] if boxes else None)


def find_boxes(door: Door) -> Iterator[Box]:
    """Yield the controls that words can be typed into."""
    no_conditions = {name for control in door.controls for name in control.fields}
    asked = {name: condition for condition in door.conditions for name in condition.fields}
    for field in door.form.fields:
        condition = asked.get(field.name)
        if not field.name or field.type not in _TYPED or field.name in no_conditions:
            continue
        if condition and (condition.type in ("number", "date") or condition.operator == "range"):
            continue
        label = (condition.label if condition else "") or field.label or field.placeholder
        if anywhere("personal").search(f"{field.name} {label}".lower()):
            continue
        said = [text.lower() for text in (field.name, label, field.placeholder)]
        named, worded = whole_text("box for any words, by name"), anywhere("box for any words")
        is_general = any(named.match(text) or worded.search(text) for text in said)
        yield Box(field.name, label, field.type == "search" or is_general)


def find_choices(door: Door) -> list[ProbeQuery]:
    """Return choices to ask for, two of each control at most, of controls that are not preset.

    A control that is preset to a choice mostly says how to match or how to show, not what.
    """
    free = [condition for condition in door.conditions if not _is_preset(door, condition)]
    return [query for condition in free for query in _ask_condition(door, condition)]


def find_preset_choices(door: Door) -> list[ProbeQuery]:
    """Return choices to ask for of controls that are preset to another: what is left when nothing else can be asked."""
    preset = [condition for condition in door.conditions if _is_preset(door, condition)]
    return [query for condition in preset for query in _ask_condition(door, condition)]


def _is_preset(door: Door, condition: Condition) -> bool:
    own = [field for field in door.form.fields if field.name in condition.fields]
    return any(field.checked or (field.type == "select" and not is_blank(field.value)) for field in own)


def is_blank(value: str) -> bool:
    """Return True if a choice asks for nothing."""
    return value.strip().lower() in ("", "0", "-1", "all", "any", "*", "%")


def _ask_condition(door: Door, condition: Condition) -> Iterator[ProbeQuery]:
    fields = [field for name in condition.fields for field in door.form.fields if field.name == name][:MAX_FIELDS]
    if not fields or not condition.options or condition.operator == "range" or condition.type in ("number", "date"):
        return
    usual = fields[0].value if fields[0].type == "select" else None
    # not the blank choice, not that which is chosen anyway, and rather none that means any
    rest = [each for each in condition.options[:MAX_CHOICES] if each.value.strip() and each.value != usual]
    telling = [each for each in rest if not is_blank(each.value) and any(map(str.isalnum, each.label or "x"))]
    for option in (telling or rest)[:2]:
        yield ProbeQuery(((condition.fields[0], option.value),), option.label or option.value)


def find_extremes(door: Door) -> list[ProbeQuery]:
    """Return the lowest and the highest value of the first number or date that can be asked: one of them finds all.

    Of a range the lowest beginning finds all; it is told from a single number by its two ends.
    """
    asked = [condition for condition in door.conditions if condition.type in ("number", "date")]
    asked += [condition for condition in door.conditions if condition.operator == "range" and condition not in asked]
    for condition in sorted(asked, key=lambda condition: condition.operator != "range"):
        fields = [field for name in condition.fields[:3] for field in door.form.fields if field.name == name]
        if fields:
            # of the parts of a date each, of a range only its lower part
            parts = fields if condition.type == "date" and len(fields) == 3 else [low_end(fields)]
            ends = [tuple([(field.name, _end_value(field, condition, end)) for field in parts]) for end in (0, -1)]
            return [ProbeQuery(values, " ".join([value for _, value in values])) for values in ends]
    return []


def has_range(door: Door) -> bool:
    """Return True if a range of numbers or dates can be asked."""
    return any(condition.operator == "range" and len(condition.fields) > 1 for condition in door.conditions)


def low_end(fields: list[Field]) -> Field:
    """Return the control for the lower end of a range."""
    return next((field for field in fields if _LOW_NAME.search(field.name)), fields[0])


def _end_value(field: Field, condition: Condition, end: int) -> str:
    if field.options:
        numbers = sorted((o for o in field.options if o.value.strip().isdigit()), key=lambda o: int(o.value[:12]))
        options = numbers or [o for o in field.options if o.value.strip()] or list(field.options)
        return options[end].value
    if condition.type == "date" or field.type == "date":
        return ("1900-01-01", "2099-12-31")[end]
    return ("1", "987654321")[end]
