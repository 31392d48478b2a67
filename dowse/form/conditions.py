"""From a form's controls to the conditions it lets you ask."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dowse.form.words import CHOICE_TYPES, visible_fields
from dowse.model import Condition, Field, Form, Option

_LOWER_END = re.compile(
    r"\b(?:min|minimum|from|low|lo|lower|after|since|start|ab|von|de|desde|da)\b|^(?:min|from|low)|(?:min|from|low)$"
)
_UPPER_END = re.compile(
    r"\b(?:max|maximum|to|high|hi|upper|before|until|end|bis|à|hasta|a)\b|^(?:max|to|high)|(?:max|to|high)$"
)
_TYPES = {"number": "number", "range": "number", "date": "date", "month": "date"}


def find_conditions(form: Form) -> tuple[Condition, ...]:
    """Return what can be asked through a form, in the order of its controls."""
    return tuple(_join_ranges([_condition(group) for group in _groups(form)]))


def _groups(form: Form) -> Iterator[list[Field]]:
    """Yield controls that belong together: radios and checkboxes by name, others alone."""
    groups: dict[str, list[Field]] = {}
    for field in visible_fields(form):
        key = field.name if field.type in ("radio", "checkbox") and field.name else f"{len(groups)} {field.name}"
        groups.setdefault(key, []).append(field)
    yield from groups.values()


def _condition(group: list[Field]) -> Condition:
    first = group[0]
    label = _label(first) if len(group) == 1 else first.name
    if first.type not in CHOICE_TYPES:
        return Condition(
            label, attribute_name(label), "contains", _TYPES.get(first.type, "text"), (first.name,), first.options
        )
    several = first.type == "checkbox" or first.multiple
    options = first.options or tuple(Option(field.value, field.label, field.checked) for field in group)
    return Condition(label, attribute_name(label), "in" if several else "equals", "choice", (first.name,), options)


def _label(field: Field) -> str:
    return field.label or field.placeholder or field.title or field.name


def attribute_name(label: str) -> str:
    """Normalise a label to an attribute: Author(s): -> author."""
    words = re.sub(r"\([^)]*\)|\[[^\]]*\]", " ", label)
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", words)
    return " ".join(re.sub(r"[\W_]+", " ", words).lower().split())


def _join_ranges(conditions: list[Condition]) -> Iterator[Condition]:
    """Yield the conditions, with two ends of one range made one."""
    waiting: Condition | None = None
    for condition in conditions:
        if waiting and _are_ends(waiting, condition):
            yield _range(waiting, condition)
            waiting = None
            continue
        if waiting:
            yield waiting
        waiting = condition
    if waiting:
        yield waiting


def _are_ends(low: Condition, high: Condition) -> bool:
    lower, upper = _words_of(low), _words_of(high)
    return bool(_LOWER_END.search(lower) and _UPPER_END.search(upper)) and low.type == high.type


def _words_of(condition: Condition) -> str:
    return f"{attribute_name(condition.fields[0])} {condition.attribute}"


def _range(low: Condition, high: Condition) -> Condition:
    attribute = " ".join(_LOWER_END.sub(" ", low.attribute).split()) or low.attribute
    kind = low.type if low.type != "text" else "number"
    return Condition(f"{low.label} / {high.label}", attribute, "range", kind, low.fields + high.fields, low.options)
