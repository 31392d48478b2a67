"""From a form's controls to its conditions: what it can be asked.

Controls that ask nothing are set aside; those that make one question together are joined: the ends of a range, the parts
of a date, numbered slots, boxes under one heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from dowse.form.features import BUTTON_TYPES, STATE_TYPES, TYPED_TYPES
from dowse.form.roles import (
    BOXES,
    DATE_VALUE,
    ControlGroup,
    attribute_name,
    attribute_of_name,
    bare_words,
    box_words,
    caption_of,
    find_role,
    range_words,
    split_name,
    strip_end_word,
    trim_label,
)
from dowse.model import Condition, Control, Form
from dowse.words.lookup import anywhere, expression, phrases, whole_text, whole_words

ROLES = ("sort", "paging", "state", "button", "operator", "display")
MIN_BOX_STEM = 4  # letters that the names of boxes of one attribute share
MAX_BOUND_BLANKS = 6  # blanks in a caption that bounds something on one side
MIN_DATE_CHOICES = 2  # choices that a part of a date has
MIN_SLOT_STEM = 4  # characters that the names of slots share
MIN_NUMERIC_SHARE = 0.7  # part of the choices that are amounts

# Words in the names of controls, as programmers write them
_BOUND_TOKENS = frozenset({"min", "max", "minimum", "maximum"})
# last letters of two names that are ends: start and end, low and high, from and to, min and max
_SUFFIXES = frozenset(map(tuple, "se lu lh ft 01 12 ia ab nx be".split()))
_GLUED_LOW = re.compile(r"\A(?:min|from|low|start|begin)(?=.)|(?:min|from|low|start|_lo)\Z")
_GLUED_HIGH = re.compile(r"\A(?:max|to|high|end)(?=.)|(?:max|to|high|end|_hi)\Z")
_PLACES = re.compile(
    r"city|airport|origin|dest|place|station|country|port\b|_loc|location|address|town|depart|arriv|ort\b"
)
_NO_AMOUNTS = re.compile(r"name|mail|addr|phone|user|friend|prenom|city|airport|place|station|country|location|town")
_NUMBERING = re.compile(r"\[[^\]]{0,200}+\]|(?<![\d_.:\-])[\d_.:\-]++\Z")  # in the names of boxes: tag[3], tag_3
_BELOW = re.compile(r"(?i)sub|child|\d+")

_UNIT = re.compile(
    r"\A(?:km|mi|miles|eur|euros?|usd|gbp|chf|kr|kč|zł|ft|mm|cm|m|m2|m²|qm|sq\.? ?ft|kg|g|hp|ps|kw|ccm|years?|руб|円|万円|年|才|歳|㎡|[€$£¥₽%])[.\s]*(?=\W|\w*\Z)(?=.)"
)
_AROUND = " .:()[]€$£¥%"
_DIGITS = re.compile(r"\d+")
_YEAR_INSIDE = re.compile(r"(?:19|20)\d\d(?!\d)")
_LAST_WORD = re.compile(r"(?<![\s:,(\-–])[\s:,(\-–]+[^\s:,(]++\Z")
_DATE_TYPES = frozenset({"date", "month", "week", "datetime-local", "datetime"})
_UNBOUNDED_TYPES = frozenset({"textarea", "password", "email", "file", "url", "tel"})


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
    controls = {name for group in groups for name in group.names}
    for group in groups:
        goes_on_sorting = role == "sort" and group.kind == "select" and not group.caption and "order" in group.names[0].lower()  # fmt: skip
        role = find_role(group, controls) or ("sort" if goes_on_sorting else "")
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


# -- two ends of a range


def are_ends(low: ControlGroup, high: ControlGroup) -> bool:
    """Return True if two neighbours are the two ends of one range."""
    if low.is_box or high.is_box or low.first.multiple or high.first.multiple:
        return False
    if (low.kind == "select") != (high.kind == "select") or low.type != high.type:
        return False
    first, second = f"{low.words} {' '.join(low.tokens)}", f"{high.words} {' '.join(high.tokens)}"
    if whole_words("check-in").search(first) and whole_words("check-out").search(second) and (is_date(low) or is_date(high)):  # fmt: skip
        return True
    if _names_are_ends(low.names[0], high.names[0]):
        return True
    if (low.first.type == "number") != (high.first.type == "number") or not _words_are_ends(low, high):
        return False
    # words such as "to" join two amounts, or two boxes that are no places of a journey
    if low.type == "date" or low.first.type in ("number", "range", "date", "month"):
        return True
    if low.kind == "select":
        return _has_amounts(low) and _has_amounts(high)
    return not _PLACES.search(f"{low.names[0]} {high.names[0]} {low.words}".lower())


def _names_are_ends(low: str, high: str) -> bool:
    """Return True if two names differ in nothing but the words for the two ends, and are of no person or address."""
    low_lower, high_lower = low.lower(), high.lower()
    if _NO_AMOUNTS.search(low_lower):
        return False
    first, second = split_name(low), split_name(high)
    if len(first) == len(second):
        low_words, high_words = phrases("low end in a name"), phrases("high end in a name")
        differing = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
        if len(differing) == 1 and len(first) > 1:
            a, b = differing[0]
            if (a in low_words and b in high_words) or _are_glued_ends(a, b):
                return True
        if len(first) == 1 and differing and first[0] in low_words and second[0] in high_words:
            return not (first[0] == "from" and second[0] == "to")
    return _are_glued_ends(low_lower, high_lower) and high_lower != _GLUED_LOW.sub("", low_lower)


def _are_glued_ends(low: str, high: str) -> bool:
    bare = _GLUED_LOW.sub("", low)
    return bare != low and bare == _GLUED_HIGH.sub("", high)


def _words_are_ends(low: ControlGroup, high: ControlGroup) -> bool:
    """Return True if the words of two neighbours, or a word between them, make them ends."""
    caption = _UNIT.sub("", high.caption.lower().strip(_AROUND), count=1).strip(_AROUND)
    if caption and range_words().between.match(caption):
        return True
    if "low" in find_ends(low.label) and "high" in find_ends(high.label):
        stems = _without_ends(low.label), _without_ends(high.label)
        return stems[0] == stems[1] or not all(stems)
    if "low" in find_ends(low.prompt) and "high" in find_ends(high.prompt):
        return _without_ends(low.prompt) == _without_ends(high.prompt)
    if high.caption or high.prompt or (high.label and high.label != low.label):
        return False
    # nothing but the last letters of their names tells them apart
    stem, ends = low.names[0][:-1], (low.names[0][-1:], high.names[0][-1:])
    if ends[0].isdigit() and (stem[-1:].isdigit() or (low.kind == "text" and low.first.type != "number")):
        return False
    return bool(low.caption) and ends in _SUFFIXES and stem == high.names[0][:-1]


@lru_cache(maxsize=4096)
def find_ends(label: str) -> tuple[str, ...]:
    """Return which ends of a range a label speaks of."""
    words = label.lower().strip(_AROUND)
    said = range_words()
    started = said.first.match(words)
    first = started[0].strip(" .:") if started else ""
    is_bounded = whole_words("one end").search(words) is not None
    found = []
    for end, word, last in (("low", said.low, said.low_last), ("high", said.high, said.high_last)):
        is_end = word.fullmatch(words) or (first and word.match(first)) or last.search(words)
        if is_end or (is_bounded and word.search(words)):
            found.append(end)
    return tuple(found)


def _without_ends(label: str) -> str:
    words = label.lower().strip(_AROUND)
    if range_words().low.fullmatch(words) or range_words().high.fullmatch(words):
        return ""
    started = range_words().first.match(words)
    return strip_end_word(words[started.end() :] if started else words)


def _has_amounts(group: ControlGroup) -> bool:
    """Return True if most of the choices are amounts."""
    choices = [choice for choice in group.choices[1:] if choice]
    amount = expression("before an amount", r"\A(?:[^\w]*|(?:...)\b[^\w]*)\d")
    numeric = sum(amount.search(choice) is not None for choice in choices)
    return numeric > 0 and numeric >= MIN_NUMERIC_SHARE * len(choices)


def join_range(low: ControlGroup, high: ControlGroup) -> ControlGroup:
    """Return the two ends as one question, called by what stands over it or by the label of its first end."""
    label = low.label
    head, colon, tail = label.partition(":")
    if colon and is_end_word(tail):
        label = head.strip()
    elif is_end_word(label) or not label:
        label = _beyond_end_word(low) or label
    if is_end_word(label):  # what follows the word for the other end: to Price -> Price
        lower = high.caption.lower()
        started = range_words().first.match(lower) or range_words().high.match(lower)
        label = (high.caption[started.end() :].strip(" :") if started else "") or label
    joined = ControlGroup([*low.fields, *high.fields], [*low.names, *high.names], caption=label)
    joined.operator = "range"
    is_dated = low.type == "date" or is_date(low) or is_date(high)
    joined.type = "date" if is_dated or (low.kind == "text" and low.tokens in (("start",), ("begin",))) else "number"
    joined.parts = [low, high]
    joined.modes = low.modes or high.modes
    return joined


@lru_cache(maxsize=4096)
def is_end_word(words: str) -> bool:
    """Return True if words are nothing but an end of a range: from, at least, to."""
    bare = words.lower().strip(_AROUND)
    return range_words().low.fullmatch(bare) is not None or range_words().high.fullmatch(bare) is not None


def _beyond_end_word(group: ControlGroup) -> str:
    """Return the first hint of a control that says more than the end it is for."""
    field = group.first
    hints = [field.group.strip().rstrip(":：* ")]
    for hint in (field.title, field.aria, field.placeholder):
        if group.caption and hint.lower().endswith(f" {group.caption.lower()}"):  # Minutes and -> Minutes
            hints.append(hint[: -len(group.caption)].rstrip(" ,:(-–"))
        else:
            hints.append(strip_end_word(hint))
    return next((hint for hint in hints if hint and not is_end_word(hint)), "")


def settle_caption(group: ControlGroup) -> None:
    """Leave the word for an end out of a caption, where it is all of it or stands behind a colon."""
    head, colon, tail = group.caption.partition(":")
    if colon and is_end_word(tail):
        group.caption = head.strip()
    elif group.caption and not any(map(str.isalnum, group.caption)):
        group.caption = ""  # a dash between two controls that are no ends
    elif not group.is_box and is_end_word(group.caption):
        more = _beyond_end_word(group)
        if more:
            group.operator, group.type = "range", "date" if is_date(group) else "number"
        group.caption = more or group.caption


# -- one end


def is_one_end(group: ControlGroup) -> bool:
    """Return True if one control bounds something on one side: at least, at most, within."""
    if group.is_box:
        return is_period(group)
    if group.first.multiple or group.first.type in _UNBOUNDED_TYPES:
        return False
    words = group.label.lower()
    if group.kind == "select":
        return is_period(group) or _bounds_amount(group, words)
    if not words or words.count(" ") > MAX_BOUND_BLANKS:
        return False
    if whole_words("distance").search(words):
        return True
    is_amount = group.first.type == "number" or whole_words("stretch of time").search(words) is not None
    is_end = whole_words("one end").search(words) is not None or (is_amount and len(find_ends(words)) == 1)
    return is_end and not _PLACES.search(group.names[0].lower())


def _bounds_amount(group: ControlGroup, words: str) -> bool:
    choices = group.choices
    if not _has_amounts(group) and len(choices) > 1:
        return False
    if whole_words("distance").search(words) or whole_words("one end").search(words):
        return True
    if len(choices) > 1 and find_ends(words):
        return True
    bounded = sum(whole_words("one end").search(choice) is not None for choice in choices)
    if bounded > 1 and bounded * 2 > len(choices):
        return True
    return any(token in _BOUND_TOKENS or token in phrases("distance in a name") for token in group.tokens)


# -- dates


def is_date(group: ControlGroup) -> bool:
    """Return True if a date is typed, or days are bounded."""
    field = group.first
    if group.type == "date" or field.type in _DATE_TYPES:
        return True
    if group.kind != "text":
        return is_period(group)
    if field.type in _UNBOUNDED_TYPES:
        return False
    if any(DATE_VALUE.match(preset.strip().lower()) for preset in (field.value, field.placeholder) if preset):
        return True
    tokens = [token for token in group.tokens[:-1] if token != "data"]  # a box of values, before it is a date
    words = " ".join((group.words, *tokens, *group.tokens[-1:]))
    return whole_words("date").search(words) is not None and not whole_words("no date").search(words)


def is_period(group: ControlGroup) -> bool:
    """Return True if the choices are times back from now, or stretches of time with none at first that are no lengths."""
    choices = group.choices
    stretch = expression("stretch of time", r"(?<!\d)\d++ ?(?:...)\b")
    if len(choices) > 2 and not stretch.match(choices[0]) and stretch.match(choices[1]):
        stretches = sum(stretch.match(choice) is not None for choice in choices)
        if stretches * 3 > len(choices) * 2 and not whole_words("length of time").search(group.words):
            return True
    said = "\n".join(choices)
    if not any(
        hint in said for hint in phrases("time back hint")
    ):  # one is in all that the expression finds, much faster
        return False
    periods = sum(anywhere("time back").search(choice) is not None for choice in choices)
    return periods >= 2 and periods * 2 >= len([choice for choice in choices if choice])


def date_part(group: ControlGroup) -> str:
    """Return day, month or year when a control asks for one, by its choices or its name."""
    if group.is_box:
        return ""
    if group.kind == "select":
        return _part_of_choices(group.choices) if len(group.first.options) >= MIN_DATE_CHOICES else ""
    if group.first.type not in ("text", "number", "tel") or len(group.tokens) < 2:
        return ""
    last = group.tokens[-1]
    return next((part for part in _DATE_PARTS if last == part[0] or whole_words(part).fullmatch(last)), "")


_DATE_PARTS = ("day", "month", "year")


def _part_of_choices(choices: list[str]) -> str:
    months = anywhere("month name")
    choices = [choice for choice in choices if _DIGITS.search(choice) or months.match(choice)]
    numbers = [int(choice) for choice in choices if choice.isascii() and choice.isdigit() and len(choice) < 5]
    if numbers and len(numbers) == len(choices):
        if all(1800 <= number <= 2100 for number in numbers):
            return "year"
        top = max(numbers)
        if min(numbers) == 1 and len(numbers) == top:
            return "day" if top in (28, 29, 30, 31) else "month" if top == 12 else ""
    if choices and all(months.match(choice) for choice in choices):
        return "month" if len(choices) == 12 or all(_YEAR_INSIDE.search(choice) for choice in choices) else ""
    return "day" if len(choices) in (30, 31) and all(_DIGITS.search(choice) for choice in choices) else ""


def count_date_parts(groups: list[ControlGroup], start: int) -> int:
    """Return how many controls from here on make one date: two or three different parts of it."""
    seen: list[str] = []
    for group in groups[start : start + 3]:
        part = date_part(group)
        if not part or part in seen:
            break
        seen.append(part)
    if seen[:1] == ["year"] and start + len(seen) < len(groups) and date_part(groups[start + len(seen)]) == "year":
        return 0  # the end of a range of years before a date
    return len(seen) if len(seen) > 1 and "month" in seen else 0


def join_date(parts: list[ControlGroup]) -> ControlGroup:
    """Return the parts of a date as one question."""
    fields = [each for part in parts for each in part.fields]
    joined = ControlGroup(fields, [name for part in parts for name in part.names], caption=_date_label(parts))
    joined.operator, joined.type, joined.parts = "equals", "date", parts
    return joined


def _date_label(parts: list[ControlGroup]) -> str:
    """Return what a date is called, without the words for its parts."""
    first = parts[0]
    label = first.caption
    head, colon, tail = label.partition(":")
    if colon and is_date_part(tail):
        return head.strip()
    if label and any(is_date_part(part.caption) for part in parts[1:]):
        # what stands before the word for the first part: Published on Day -> Published on
        each = (list(whole_words(part).finditer(label.lower())) for part in _DATE_PARTS)
        found = next(filter(None, each), None)
        before = _article().sub("", label[: found[-1].start()].rstrip(" ,:(-–")) if found else ""
        if before and before != label and not _article().fullmatch(f" {before}"):
            return before
    if label and not is_date_part(label):
        return label
    others = (part.caption for part in parts[1:] if part.first.label and not is_date_part(part.caption))
    # what stands behind the word for the last part, where captions stand behind: Year Advertised -> Advertised
    last = parts[-1].caption
    named = next((named for part in ("year", "month", "day") if (named := whole_words(part).match(last.lower()))), None)
    behind = last[named.end() :] if named else ""
    hints = (
        first.first.group.strip().rstrip(":：* "),
        next(others, ""),
        behind.strip(" :") if behind.startswith(" ") and "(" not in behind else "",
        _without_part(first.first.title),
        _without_part(first.first.aria),
    )
    return next((hint for hint in hints if hint), label)


@cache
def _article() -> re.Pattern[str]:
    return re.compile(rf"(?<!\s)\s++(?:{'|'.join(phrases('article'))})\Z", re.IGNORECASE)


def is_date_part(words: str) -> bool:
    """Return True if words are for a part of a date: Day, El día, Year (4 digits)."""
    lower = words.lower().strip()
    first, _, rest = lower.partition(" ")
    bare = rest if _article().fullmatch(f" {first}") else lower
    return any(whole_words(part).match(bare) for part in _DATE_PARTS) and len(words.split()) <= 4


def _without_part(words: str) -> str:
    """Take the part of a date off the end of a title: Published: day -> Published."""
    found = _LAST_WORD.search(words)
    if not found or not is_date_part(words[found.start() :].strip(" :,(-–")):
        return words
    return _article().sub("", words[: found.start()]).strip(" :")


# -- slots


def are_slots(first: ControlGroup, second: ControlGroup) -> bool:
    """Return True if two selects are places for the same question, or stand for each other: only numbers part their names."""
    if first.kind != "select" or second.kind != "select" or second.caption or second.names[0] == first.names[0]:
        return False
    before, after = first.names[-1], second.names[0]
    stem = _DIGITS.sub("#", before)
    if stem == _DIGITS.sub("#", after) and len(stem) >= MIN_SLOT_STEM:
        return not second.label or second.label == first.label or second.choices == first.choices
    # the second refines the first: its name has a word for something below it
    return after != before and _BELOW.sub("", after) == _BELOW.sub("", before) and not any(second.choices[1:])


def join_slots(slots: list[ControlGroup]) -> ControlGroup:
    """Return slots as one question: any of them when they offer the same, one when they stand for each other."""
    joined = ControlGroup(
        [one for slot in slots for one in slot.fields], [name for slot in slots for name in slot.names]
    )
    joined.caption, joined.parts = slots[0].caption, slots
    is_same = all(slot.choices == slots[0].choices for slot in slots[1:]) and len(slots[0].choices) > 2
    joined.operator, joined.type = ("in" if is_same else "equals"), "choice"
    return joined


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
