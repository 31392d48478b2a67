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
    count_date_parts,
    is_date,
    is_end_word,
    is_one_end,
    is_period,
    join_date,
    join_range,
    join_slots,
    settle_caption,
)
from dowse.form.roles import (
    BOXES,
    ControlGroup,
    attribute_name,
    attribute_of_name,
    bare_words,
    box_words,
    caption_of,
    find_role,
    trim_label,
)
from dowse.model import Condition, Control, Form
from dowse.words.lookup import whole_text

ROLES = ("sort", "paging", "state", "button", "operator", "display")
MIN_BOX_STEM = 4  # letters that the names of boxes of one attribute share
_NUMBERING = re.compile(r"\[[^\]]{0,200}+\]|(?<![\d_.:\-])[\d_.:\-]++\Z")  # in the names of boxes: tag[3], tag_3


@dataclass(frozen=True, slots=True)
class Structure:
    """What a form can be asked, and what else stands in it."""

    conditions: tuple[Condition, ...] = ()
    controls: tuple[Control, ...] = ()


def read_structure(form: Form) -> Structure:
    """Return the conditions of a form and the roles of its other controls, in the order of the form."""
    roles: dict[str, list[str]] = {role: [] for role in ROLES}
    asked = list(_set_aside(_group_controls(form), roles))
    if len(asked) > 1:
        asked = _join(asked, form)
    # what is left sends state or is a button, unless its name is asked for as well
    known = {name for group in asked for name in group.names}
    known.update(name for names in roles.values() for name in names)
    for field in form.fields:
        if field.name and field.name not in known:
            roles["button" if field.type in BUTTON_TYPES else "state"].append(field.name)
    controls = tuple([Control(tuple(dict.fromkeys(names)), role) for role, names in roles.items() if names])
    return Structure(tuple(map(_make_condition, asked)), controls)


def _group_controls(form: Form) -> list[ControlGroup]:
    """Return the visible controls that send something, those of one name together."""
    found: dict[str, ControlGroup] = {}
    for field in form.fields:
        is_unseen = field.type in STATE_TYPES or (field.unseen and field.type in TYPED_TYPES)
        if is_unseen or (not field.name and form.made == "html"):
            continue
        group = found.get(field.name)
        if group is None:
            found[field.name] = ControlGroup([field], [field.name], caption_of(field))
        elif (field.type in BOXES) == group.is_box:
            group.fields.append(field)
            group.caption = group.caption or caption_of(field)
    # a first choice that all selects share is no name of any of them, unless it invites to choose
    selects = [group for group in found.values() if group.kind == "select" and group.first.options]
    prompts = {group.prompt for group in selects}
    if len(selects) > 1 and len(prompts) == 1 and not whole_text("invitation").match(bare_words(prompts.pop())):
        for group in selects:
            group.forget_prompt()
    return list(found.values())


# -- what asks nothing


def _set_aside(groups: list[ControlGroup], roles: dict[str, list[str]]) -> Iterator[ControlGroup]:
    """Yield what asks something; a control that chooses how words are matched goes to the one whose words they are."""
    before: ControlGroup | None = None
    waiting: ControlGroup | None = None  # chooses how words are matched, and its caption may be that of what follows
    role = ""
    for group in groups:
        goes_on_sorting = role == "sort" and group.kind == "select" and not group.caption and "order" in group.names[0].lower()  # fmt: skip
        role = find_role(group) or ("sort" if goes_on_sorting else "")
        if not role:
            if waiting is not None:
                _attach(waiting, before if before is not None and group.caption else group)
            before, waiting = group, None
            yield group
            continue
        roles[role].extend(group.names)
        if role == "operator":
            waiting = group if before is None or (group.caption and not group.is_box) else None
            if before is not None and waiting is None:
                _attach(group, before)
    if waiting is not None and before is not None:
        _attach(waiting, before)


def _attach(modes: ControlGroup, group: ControlGroup) -> None:
    """Hand a way of matching to what it is a way of matching, and its caption too where that has none."""
    if group.modes is None:
        group.modes = modes
        if not group.caption and not modes.is_box:
            group.caption = modes.caption


# -- what belongs together


def _join(groups: list[ControlGroup], form: Form) -> list[ControlGroup]:
    """Return what is asked with all joined that belongs together: dates, then ranges of them, periods, slots, boxes."""
    joined: list[ControlGroup] = []
    start = 0
    while start < len(groups):
        count = count_date_parts(groups, start)
        joined.append(join_date(groups[start : start + count]) if count else groups[start])
        start += count or 1
    joined = _join_ranges(joined)
    for group in joined:
        settle_caption(group)
    _hand_on_captions(joined)
    others = {_NUMBERING.sub("", field.name) for field in form.fields if field.type not in BOXES}
    return _join_boxes(_join_slots(joined), others)


def _join_ranges(groups: list[ControlGroup]) -> list[ControlGroup]:
    """Join two ends, and ready-made periods with the two boxes for a period of one's own behind them."""
    joined: list[ControlGroup] = []
    start = 0
    while start < len(groups):
        group = groups[start]
        is_range = start + 1 < len(groups) and are_ends(group, groups[start + 1])
        if is_range:
            group = join_range(group, groups[start + 1])
        start += 2 if is_range else 1
        last = joined[-1] if joined else None
        if last is not None and group.operator == "range" and not last.parts and is_period(last):
            group.type = "date"
            group.fields[:0], group.names[:0] = last.fields, last.names
            group.caption = last.caption
            joined[-1] = group
        else:
            joined.append(group)
    return joined


def _hand_on_captions(groups: list[ControlGroup]) -> None:
    """Give the words before a select and a box for words to the box: the select only says where they are sought."""
    for scope, words in pairwise(groups):
        if scope.kind not in ("select", "radio") or words.kind != "text" or scope.operator or words.operator:
            continue
        if words.caption and not words.first.label and any(words.caption == each.label for each in scope.options):
            words.caption = ""  # the face of a select that scripts have replaced
        if not scope.caption or scope.first.label or words.caption or words.prompt:
            continue
        # choices are places to look in: all of them first, or a word for seeking before them
        first = bare_words(scope.choices[0]) if scope.choices else ""
        has_all = scope.prompt or (first and whole_text("all").match(first))
        if whole_text("seek").match(scope.caption.lower()) or (scope.kind == "select" and has_all):
            words.caption, scope.caption = scope.caption, ""


def _join_slots(groups: list[ControlGroup]) -> list[ControlGroup]:
    joined: list[ControlGroup] = []
    start = 0
    while start < len(groups):
        end = start + 1
        while end < len(groups) and not groups[end].operator and are_slots(groups[end - 1], groups[end]):
            end += 1
        joined.append(join_slots(groups[start:end]) if end - start > 1 else groups[start])
        start = end
    return joined


def _join_boxes(groups: list[ControlGroup], others: set[str]) -> list[ControlGroup]:
    """Join boxes under one heading, and those without one whose names share a stem that no other control has."""
    joined: list[ControlGroup] = []
    for group in groups:
        last = joined[-1] if joined else None
        if last is not None and last.is_box and last.kind == group.kind and _are_one_set(last, group, others):
            last.fields.extend(group.fields)
            last.names.extend(group.names)
            last.operator, last.type = "in", "choice"
        else:
            joined.append(group)
    return joined


def _are_one_set(last: ControlGroup, group: ControlGroup, others: set[str]) -> bool:
    if group.kind == "radio" and (len(group.fields) > 1 or (len(last.fields) > 1 and not last.operator)):
        return False
    if last.caption or group.caption:
        return last.caption == group.caption
    first, second = last.names[-1], group.names[0]
    a, b = _NUMBERING.sub("", first), _NUMBERING.sub("", second)
    if group.kind != "checkbox" or b in others:
        return False
    shorter, longer = sorted((a, b), key=len)
    if len(shorter) < MIN_BOX_STEM:
        return a == b and bool(a) and first != a and second != b
    return longer == shorter or (longer.startswith(shorter) and not longer[len(shorter)].isalpha())


# -- conditions


def _make_condition(group: ControlGroup) -> Condition:
    label = group.label
    if group.is_box and not label and group.operator != "range":
        # one box is called by its own words, several by a title that all of them share
        titles = {field.title or field.aria for field in group.fields}
        if group.kind == "checkbox" and len(group.fields) == 1:
            label = box_words(group.first)
        elif len(titles) == 1 and len(group.fields) > 1:
            label = trim_label(titles.pop())
    # how a control that was not joined is matched, and the type of its values
    operator, kind = group.operator, group.type
    if not operator and is_one_end(group):
        operator, kind = "range", "date" if is_date(group) or "day" in group.label.lower() else "number"
    elif not operator and group.kind != "text":
        several = group.first.multiple if group.kind == "select" else group.kind == "checkbox" and len(group.fields) > 1
        operator, kind = "in" if several else "equals", "choice"
    elif not operator:
        typed = "date" if is_date(group) else "number" if group.first.type in ("number", "range") else "text"
        operator, kind = "contains" if typed == "text" else "equals", typed
    # what is sent under each name when nobody touches its controls: of several, the first counts
    untouched = [field for field in group.fields if field.checked or field.type not in BOXES]
    defaults = {field.name: field.value for field in reversed(untouched)}
    named = "" if not label or is_end_word(label) else attribute_name(label)  # "from" is no attribute
    modes = group.modes
    return Condition(
        label,
        named or attribute_of_name(group.names[0]),
        operator,
        kind,
        tuple(group.names),
        group.options,
        tuple([defaults.get(name, "") for name in group.names]),
        modes.options if modes else (),
        modes.names[0] if modes else "",
    )
