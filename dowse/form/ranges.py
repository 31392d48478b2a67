"""Controls that make one question together: the ends of a range, the parts of a date, numbered slots."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from dowse.form.roles import DATE_VALUE, ControlGroup, range_words, split_name, strip_end_word
from dowse.words.lookup import anywhere, expression, phrases, whole_words

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
    if "low" in _ends_in(low.label) and "high" in _ends_in(high.label):
        stems = _without_ends(low.label), _without_ends(high.label)
        return stems[0] == stems[1] or not all(stems)
    if "low" in _ends_in(low.prompt) and "high" in _ends_in(high.prompt):
        return _without_ends(low.prompt) == _without_ends(high.prompt)
    if high.caption or high.prompt or (high.label and high.label != low.label):
        return False
    # nothing but the last letters of their names tells them apart
    stem, ends = low.names[0][:-1], (low.names[0][-1:], high.names[0][-1:])
    if ends[0].isdigit() and (stem[-1:].isdigit() or (low.kind == "text" and low.first.type != "number")):
        return False
    return bool(low.caption) and ends in _SUFFIXES and stem == high.names[0][:-1]


@lru_cache(maxsize=4096)
def _ends_in(label: str) -> tuple[str, ...]:
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
    return whole_words("one end").search(words) is not None and not _PLACES.search(group.names[0].lower())


def _bounds_amount(group: ControlGroup, words: str) -> bool:
    choices = group.choices
    if not _has_amounts(group) and len(choices) > 1:
        return False
    if whole_words("distance").search(words) or whole_words("one end").search(words):
        return True
    if len(choices) > 1 and _ends_in(words):
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
