"""From a form's controls to its conditions: what it can be asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from dowse.form.features import BUTTON_TYPES, STATE_TYPES, TYPED_TYPES
from dowse.form.ranges import (
    are_ends,
    are_slots,
    is_date,
    is_end_word,
    is_one_end,
    is_period,
    join_date,
    join_range,
    join_slots,
    settle_caption,
    take_date,
)
from dowse.form.roles import (
    BOXES,
    Asked,
    add,
    ask,
    attribute_name,
    attribute_of_name,
    bare_words,
    box_words,
    find_role,
    same_title,
)
from dowse.model import Condition, Control, Form
from dowse.words.forms import ALL, INVITATION, SEEK

ROLES = ("sort", "paging", "state", "button", "operator", "display")
_STEM = re.compile(r"\[[^\]]{0,200}+\]|(?<![\d_.:\-])[\d_.:\-]++\Z")
LEAST_STEM = 4  # letters that the names of boxes of one attribute share


@dataclass(frozen=True, slots=True)
class Structure:
    """What a form can be asked, and what else stands in it."""

    conditions: tuple[Condition, ...] = ()
    controls: tuple[Control, ...] = ()


def read_structure(form: Form) -> Structure:
    """Return the conditions of a form and the roles of its other controls, in the order of the form."""
    roles: dict[str, list[str]] = {role: [] for role in ROLES}
    asked = list(_set_aside(_forget_repeats(_gather(form)), roles))
    if len(asked) > 1:
        asked = _join(asked, form)
    taken = {name for one in asked for name in one.names}
    _note_state(form, roles, taken)
    controls = tuple([Control(tuple(dict.fromkeys(names)), role) for role, names in roles.items() if names])
    return Structure(tuple(map(_condition, asked)), controls)


def _join(asked: list[Asked], form: Form) -> list[Asked]:
    """Return what is asked with all joined that belongs together."""
    joined = _join_periods(_join_ranges(_join_dates(asked)))
    for one in joined:
        settle_caption(one)
    _hand_on_captions(joined)
    joined = _join_boxes(_join_slots(joined), {_STEM.sub("", one.name) for one in form.fields if one.type not in BOXES})
    return joined


def _gather(form: Form) -> list[Asked]:
    """Return the visible controls that send something, those of one name together."""
    gathered: dict[str, Asked] = {}
    for one in form.fields:
        if (
            one.type in STATE_TYPES
            or (not one.name and form.made == "html")
            or (one.unseen and one.type in TYPED_TYPES)
        ):
            continue
        known = gathered.get(one.name)
        if known is None:
            gathered[one.name] = ask(one)
        elif (one.type in ("radio", "checkbox")) == known.is_box:
            add(known, one)
    return list(gathered.values())


def _forget_repeats(asked: list[Asked]) -> list[Asked]:
    """Take a first choice that all selects share for no name of any of them, unless it invites to choose."""
    selects = [one for one in asked if one.kind == "select" and one.first.options]
    if (
        len(selects) > 1
        and len({one.prompt for one in selects}) == 1
        and not INVITATION.match(bare_words(selects[0].prompt))
    ):
        for one in selects:
            one.forget_prompt()
    return asked


def _note_state(form: Form, roles: dict[str, list[str]], taken: set[str]) -> None:
    """Add hidden state and buttons to the roles, where their names are not asked for as well."""
    known = taken | {name for names in roles.values() for name in names}
    for one in form.fields:
        if one.name and one.name not in known:
            roles["button" if one.type in BUTTON_TYPES else "state"].append(one.name)


# --- what asks nothing


def _set_aside(asked: list[Asked], roles: dict[str, list[str]]) -> Iterator[Asked]:
    """Yield what asks something; ways of matching are handed to what they are ways of matching."""
    before: Asked | None = None
    waiting: Asked | None = None  # a way of matching whose caption may be that of what follows
    last = ""
    for one in asked:
        last = find_role(one) or ("sort" if last == "sort" and _goes_on_sorting(one) else "")
        if not last:
            if waiting is not None:
                _attach(waiting, before if before is not None and one.caption else one)
            before, waiting = one, None
            yield one
            continue
        roles[last].extend(one.names)
        if last == "operator":
            waiting = _take_modes(one, before)
    if waiting is not None and before is not None:
        _attach(waiting, before)


def _take_modes(modes: Asked, before: Asked | None) -> Asked | None:
    """Hand a way of matching to what stands before it, or return it to wait for what follows."""
    if before is None or (modes.caption and not modes.is_box):
        return modes
    _attach(modes, before)
    return None


def _goes_on_sorting(one: Asked) -> bool:
    return one.kind == "select" and not one.caption and "order" in one.names[0].lower()


def _attach(modes: Asked, one: Asked) -> None:
    """Hand a way of matching to what it is a way of matching, and its caption too where that has none."""
    if one.modes is None:
        one.modes = modes
        if not one.caption and not modes.is_box:
            one.caption = modes.caption


# --- captions


def _hand_on_captions(asked: list[Asked]) -> None:
    """Give the words before a select and a box for words to the box: the select only says where they are sought."""
    for scope, words in pairwise(asked):
        if scope.kind not in ("select", "radio") or words.kind != "text" or scope.operator or words.operator:
            continue
        if words.caption and not words.first.label and any(words.caption == each.label for each in scope.options):
            words.caption = ""  # the face of a select that is drawn with other means
        if not scope.caption or scope.first.label:
            continue
        if words.caption or words.prompt or not _says_where(scope):
            continue
        words.caption, scope.caption = scope.caption, ""


def _says_where(scope: Asked) -> bool:
    """Say whether choices are places to look in: all of them first, or a word for seeking before them."""
    if SEEK.match(scope.caption.lower()) or (scope.prompt and scope.kind == "select"):
        return True
    first = bare_words(scope.choices[0]) if scope.choices else ""
    return scope.kind == "select" and bool(first) and ALL.match(first) is not None


# --- joining


def _join_dates(asked: list[Asked]) -> list[Asked]:
    joined: list[Asked] = []
    start = 0
    while start < len(asked):
        count = take_date(asked, start)
        joined.append(join_date(asked[start : start + count]) if count else asked[start])
        start += count or 1
    return joined


def _join_ranges(asked: list[Asked]) -> list[Asked]:
    joined: list[Asked] = []
    start = 0
    while start < len(asked):
        low = asked[start]
        high = asked[start + 1] if start + 1 < len(asked) else None
        if high is not None and are_ends(low, high):
            joined.append(join_range(low, high))
            start += 2
        else:
            joined.append(low)
            start += 1
    return joined


def _join_periods(asked: list[Asked]) -> list[Asked]:
    """Join ready-made periods with the two boxes for a period of one's own."""
    joined: list[Asked] = []
    for one in asked:
        last = joined[-1] if joined else None
        if last is not None and one.operator == "range" and not last.parts and is_period(last):
            one.type = "date"
            one.fields[:0], one.names[:0] = last.fields, last.names
            one.caption = last.caption
            joined[-1] = one
        else:
            joined.append(one)
    return joined


def _join_slots(asked: list[Asked]) -> list[Asked]:
    joined: list[Asked] = []
    start = 0
    while start < len(asked):
        end = start + 1
        while end < len(asked) and not asked[end].operator and are_slots(asked[end - 1], asked[end]):
            end += 1
        joined.append(join_slots(asked[start:end]) if end - start > 1 else asked[start])
        start = end
    return joined


def _join_boxes(asked: list[Asked], others: set[str]) -> list[Asked]:
    """Join boxes under one heading, and those without one whose names share a stem that no other control has."""
    joined: list[Asked] = []
    for one in asked:
        last = joined[-1] if joined else None
        if last is not None and _are_one_set(last, one, others):
            last.fields.extend(one.fields)
            last.names.extend(one.names)
            last.operator, last.type = "in", "choice"
        else:
            joined.append(one)
    return joined


def _are_one_set(last: Asked, one: Asked, others: set[str]) -> bool:
    if not (last.is_box and one.is_box and last.kind == one.kind):
        return False
    if one.kind == "radio" and (len(one.fields) > 1 or (len(last.fields) > 1 and not last.operator)):
        return False
    if last.caption or one.caption:
        return last.caption == one.caption
    stem = _STEM.sub("", one.names[0])
    return one.kind == "checkbox" and stem not in others and _share_stem(last.names[-1], one.names[0])


def _share_stem(first: str, second: str) -> bool:
    a, b = _STEM.sub("", first), _STEM.sub("", second)
    shorter, longer = sorted((a, b), key=len)
    if len(shorter) < LEAST_STEM:
        return a == b and bool(a) and first != a and second != b
    return longer == shorter or (longer.startswith(shorter) and not longer[len(shorter)].isalpha())


# --- conditions


def _condition(asked: Asked) -> Condition:
    label = _label(asked)
    operator, kind = _operator(asked)
    modes = asked.modes
    return Condition(
        label,
        _attribute(label, asked.names[0]),
        operator,
        kind,
        tuple(asked.names),
        asked.options,
        tuple(_default(asked, name) for name in asked.names),
        modes.options if modes else (),
        modes.names[0] if modes else "",
    )


def _attribute(label: str, name: str) -> str:
    """Return the attribute of a label, or of a name where the label has no more than a word for an end."""
    named = "" if not label or is_end_word(label) else attribute_name(label)
    return named or attribute_of_name(name)


def _label(asked: Asked) -> str:
    if not asked.is_box or asked.operator == "range":
        return asked.label
    if asked.caption:
        return asked.caption
    if asked.kind == "checkbox" and len(asked.fields) == 1:
        return box_words(asked.first)
    return same_title(asked)


def _operator(asked: Asked) -> tuple[str, str]:
    if asked.operator:
        return asked.operator, asked.type
    if is_one_end(asked):
        return "range", "date" if is_date(asked) or "day" in asked.label.lower() else "number"
    if asked.is_box:
        several = asked.kind == "checkbox" and len(asked.fields) > 1
        return ("in" if several else "equals"), "choice"
    if asked.kind == "select":
        return ("in" if asked.first.multiple else "equals"), "choice"
    if is_date(asked):
        return "equals", "date"
    if asked.first.type in ("number", "range"):
        return "equals", "number"
    return "contains", "text"


def _default(asked: Asked, name: str) -> str:
    """Return what is sent under a name when nobody touches its controls."""
    mine = [one for one in asked.fields if one.name == name]
    if mine[0].type in ("radio", "checkbox"):
        return next((one.value for one in mine if one.checked), "")
    return mine[0].value
