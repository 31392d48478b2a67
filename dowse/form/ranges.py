"""Controls that make one question together: the ends of a range, the parts of a date, slots, boxes."""

from __future__ import annotations

import re
from functools import lru_cache

from dowse.form.roles import Asked, split_name, strip_ends
from dowse.words.forms import (
    CONNECTORS,
    DATE,
    DATE_VALUE,
    DAY,
    DISTANCE,
    DURATION,
    END_START,
    HIGH,
    HIGH_END,
    LENGTH,
    LOW,
    LOW_END,
    MONTH,
    MONTH_NAMES,
    NOT_A_DATE,
    ONE_END,
    PERIOD,
    PERIOD_SIGNS,
    STAY_IN,
    STAY_OUT,
    YEAR,
)

LOW_TOKENS = frozenset({"min", "from", "low", "lo", "lower", "start", "begin", "gte", "ge", "gt", "von", "od", "desde", "ab", "after", "since", "minimum", "first", "beginning", "dal", "fra", "van", "vanaf", "mini", "lbound", "ot", "inf", "earliest"})  # fmt: skip
HIGH_TOKENS = frozenset({"max", "to", "high", "hi", "upper", "end", "ending", "lte", "le", "lt", "bis", "do", "hasta", "before", "until", "till", "maximum", "last", "al", "til", "tot", "maxi", "ubound", "sup", "ate", "latest", "stop"})  # fmt: skip
SUFFIXES = frozenset(
    {
        ("s", "e"),
        ("l", "u"),
        ("l", "h"),
        ("f", "t"),
        ("0", "1"),
        ("1", "2"),
        ("i", "a"),
        ("a", "b"),
        ("n", "x"),
        ("b", "e"),
    }
)
_GLUED_LOW = re.compile(r"\A(?:min|from|low|start|begin)(?=.)|(?:min|from|low|start|_lo)\Z")
_GLUED_HIGH = re.compile(r"\A(?:max|to|high|end)(?=.)|(?:max|to|high|end|_hi)\Z")
_PLACES = re.compile(
    r"city|airport|origin|dest|place|station|country|port\b|_loc|location|address|town|depart|arriv|ort\b"
)
_NO_AMOUNTS = re.compile(r"name|mail|addr|phone|user|friend|prenom|city|airport|place|station|country|location|town")
_UNIT = re.compile(
    r"\A(?:km|mi|miles|eur|euros?|usd|gbp|chf|kr|kč|zł|ft|mm|cm|m|m2|m²|qm|sq\.? ?ft|kg|g|hp|ps|kw|ccm|years?|руб|円|万円|年|才|歳|㎡|[€$£¥₽%])[.\s]*(?=\W|\w*\Z)(?=.)"
)
_AROUND = " .:()[]€$£¥%"
_ARTICLE = re.compile(r"(?<!\s)\s++(?:the|el|la|le|il|lo|o|a|der|die|das|de|het|den)\Z", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_NUMERIC = re.compile(
    r"\A(?:[^\w]*|(?:min|max|ab|bis|from|to|up to|under|over|at least|max\.|min\.|us|eur|usd|kr)\b[^\w]*)\d"
)
_YEAR_INSIDE = re.compile(r"(?:19|20)\d\d(?!\d)")
_NOT_BOUNDED = ("textarea", "password", "email", "file", "url", "tel")
MOST_BOUND_WORDS = 6  # blanks in a caption that bounds something on one side
LEAST_PART = 2  # choices that a part of a date has
LEAST_STEM = 4  # signs that the names of slots share


def are_ends(low: Asked, high: Asked) -> bool:
    """Say whether two neighbours are the two ends of one range."""
    if (
        low.is_box
        or high.is_box
        or low.first.multiple
        or high.first.multiple
        or (low.kind == "select") != (high.kind == "select")
    ):
        return False
    if low.type != high.type:
        return False
    if _is_stay(low, high):
        return True
    if _names_pair(low.names[0], high.names[0]):
        return True
    if (low.first.type == "number") != (high.first.type == "number"):
        return False
    said = _words_pair(low, high)
    return said and (_has_amounts(low, high) or _is_strong(low, high))


def _is_stay(low: Asked, high: Asked) -> bool:
    first, second = f"{low.words} {' '.join(low.tokens)}", f"{high.words} {' '.join(high.tokens)}"
    if not (STAY_IN.search(first) and STAY_OUT.search(second)):
        return False
    return is_date(low) or is_date(high)


def _names_pair(low: str, high: str) -> bool:
    """Say whether two names differ in nothing but the words for the two ends, and are of no person or address."""
    if _NO_AMOUNTS.search(low.lower()):
        return False
    first, second = split_name(low), split_name(high)
    if len(first) == len(second):
        differing = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
        if len(differing) == 1 and _are_opposite(*differing[0]) and len(first) > 1:
            return True
        if len(first) == 1 and differing and first[0] in LOW_TOKENS and second[0] in HIGH_TOKENS:
            return not (first[0] == "from" and second[0] == "to")
    a, b = low.lower(), high.lower()
    bare = _GLUED_LOW.sub("", a)
    return bare != a and bare == _GLUED_HIGH.sub("", b) and b != bare


def _are_opposite(low: str, high: str) -> bool:
    if low in LOW_TOKENS and high in HIGH_TOKENS:
        return True
    bare = _GLUED_LOW.sub("", low)
    return bare != low and bare == _GLUED_HIGH.sub("", high)


def _words_pair(low: Asked, high: Asked) -> bool:
    """Say whether the words of two neighbours, or a word between them, make them ends."""
    caption = _UNIT.sub("", high.caption.lower().strip(_AROUND), count=1).strip(_AROUND)
    if caption and CONNECTORS.match(caption):
        return True
    if _is_low(low.label) and _is_high(high.label):
        return _stem(low.label) == _stem(high.label) or not _stem(high.label) or not _stem(low.label)
    if _is_low(low.prompt) and _is_high(high.prompt):
        return _stem(low.prompt) == _stem(high.prompt)
    if high.caption or high.prompt or (high.label and high.label != low.label):
        return False
    stem, ends = low.names[0][:-1], (low.names[0][-1:], high.names[0][-1:])
    if ends[0].isdigit() and (stem[-1:].isdigit() or (low.kind == "text" and low.first.type != "number")):
        return False
    return bool(low.caption) and ends in SUFFIXES and stem == high.names[0][:-1]


@lru_cache(maxsize=4096)
def _is_low(label: str) -> bool:
    words = label.lower().strip(_AROUND)
    started = END_START.match(words)
    return (
        LOW.fullmatch(words) is not None
        or (started is not None and LOW.match(started[0].strip(" .:")) is not None)
        or LOW_END.search(words) is not None
        or (ONE_END.search(words) is not None and LOW.search(words) is not None)
    )


@lru_cache(maxsize=4096)
def _is_high(label: str) -> bool:
    words = label.lower().strip(_AROUND)
    started = END_START.match(words)
    return (
        HIGH.fullmatch(words) is not None
        or (started is not None and HIGH.match(started[0].strip(" .:")) is not None)
        or HIGH_END.search(words) is not None
        or (ONE_END.search(words) is not None and HIGH.search(words) is not None)
    )


def _stem(label: str) -> str:
    words = label.lower().strip(_AROUND)
    if LOW.fullmatch(words) or HIGH.fullmatch(words):
        return ""
    started = END_START.match(words)
    return strip_ends(words[started.end() :] if started else words)


def _is_strong(low: Asked, high: Asked) -> bool:
    """Say whether words such as "to" join two boxes of a range, and not two places of a journey."""
    if low.kind == "select":
        return False
    return not _PLACES.search(f"{low.names[0]} {high.names[0]} {low.words}".lower())


def _has_amounts(low: Asked, high: Asked) -> bool:
    if low.type == "date" or low.first.type in ("number", "range", "date", "month"):
        return True
    if low.kind != "select":
        return False
    return _counts(low) and _counts(high)


def _counts(asked: Asked) -> bool:
    """Say whether most of the choices are amounts."""
    choices = [choice for choice in asked.choices[1:] if choice]
    numeric = sum(_NUMERIC.search(choice) is not None for choice in choices)
    return numeric > 0 and numeric >= 0.7 * len(choices)


def join_range(low: Asked, high: Asked) -> Asked:
    """Return the two ends as one question."""
    label = _range_label(low)
    if is_end_word(label):
        label = _after_end_word(high.caption) or label
    joined = Asked([*low.fields, *high.fields], [*low.names, *high.names], caption=label)
    joined.operator = "range"
    dated = low.type == "date" or is_date(low) or is_date(high)
    joined.type = "date" if dated or (low.kind == "text" and low.tokens in (["start"], ["begin"])) else "number"
    joined.parts = [low, high]
    joined.modes = low.modes or high.modes
    return joined


def _range_label(low: Asked) -> str:
    """Return what stands over a range, or the label of its first end."""
    label = low.label
    head, colon, tail = label.partition(":")
    if colon and is_end_word(tail):
        return head.strip()
    return (_beyond_end_word(low) or label) if is_end_word(label) or not label else label


def _after_end_word(words: str) -> str:
    """Return what follows the word for an end: to Price -> Price."""
    lower = words.lower()
    started = END_START.match(lower) or HIGH.match(lower)
    return words[started.end() :].strip(" :") if started else ""


@lru_cache(maxsize=4096)
def is_end_word(words: str) -> bool:
    """Say whether words are nothing but an end of a range: from, at least, to."""
    bare = words.lower().strip(_AROUND)
    return LOW.fullmatch(bare) is not None or HIGH.fullmatch(bare) is not None


def _beyond_end_word(asked: Asked) -> str:
    one = asked.first
    said = (one.title, one.aria, one.placeholder)
    hints = (one.group.strip().rstrip(":：* "), *(_without_end(hint, asked.caption) for hint in said))
    return next((hint for hint in hints if hint and not is_end_word(hint)), "")


def _without_end(hint: str, end: str) -> str:
    """Take off a hint the word for an end that stands on the page: Minutes and -> Minutes."""
    if end and hint.lower().endswith(f" {end.lower()}"):
        return hint[: -len(end)].rstrip(" ,:(-–")
    return strip_ends(hint)


def settle_caption(asked: Asked) -> None:
    """Leave the word for an end out of a caption, where it is all of it or stands behind a colon."""
    head, colon, tail = asked.caption.partition(":")
    if colon and is_end_word(tail):
        asked.caption = head.strip()
    elif asked.caption and not any(map(str.isalnum, asked.caption)):
        asked.caption = ""  # a dash between two controls that are no ends
    elif not asked.is_box and is_end_word(asked.caption):
        more = _beyond_end_word(asked)
        if more:
            asked.operator, asked.type = "range", "date" if is_date(asked) else "number"
        asked.caption = more or asked.caption


# --- dates


def is_date(asked: Asked) -> bool:
    """Say whether a date is typed, or days are bounded."""
    if asked.type == "date" or asked.first.type in ("date", "month", "week", "datetime-local", "datetime"):
        return True
    if asked.kind != "text":
        return is_period(asked)
    if asked.first.type in _NOT_BOUNDED:
        return False
    tokens = [token for token in asked.tokens[:-1] if token != "data"]  # a box of values, before it is a date
    words = " ".join((asked.words, *tokens, *asked.tokens[-1:]))
    one = asked.first
    if (one.value and DATE_VALUE.match(one.value.strip().lower())) or (
        one.placeholder and DATE_VALUE.match(one.placeholder.strip().lower())
    ):
        return True
    return _speaks_of_date(words)


@lru_cache(maxsize=4096)
def _speaks_of_date(words: str) -> bool:
    return DATE.search(words) is not None and not NOT_A_DATE.search(words)


def is_period(asked: Asked) -> bool:
    """Say whether the choices are times back from now."""
    if _is_duration_back(asked):
        return True
    said = "\n".join(asked.choices)
    if not any(sign in said for sign in PERIOD_SIGNS):
        return False
    periods = sum(PERIOD.search(choice) is not None for choice in asked.choices)
    return periods >= 2 and periods * 2 >= len([choice for choice in asked.choices if choice])


def _is_duration_back(asked: Asked) -> bool:
    """Say whether the choices are stretches of time, none at first, and not how long something takes."""
    if len(asked.choices) < 3 or DURATION.match(asked.choices[0]) or not DURATION.match(asked.choices[1]):
        return False
    stretches = sum(DURATION.match(choice) is not None for choice in asked.choices)
    return stretches * 3 > len(asked.choices) * 2 and not LENGTH.search(asked.words)


def date_part(asked: Asked) -> str:
    """Return day, month or year when a control asks for one, by its choices or its name."""
    if asked.is_box:
        return ""
    if asked.kind == "select":
        if len(asked.first.options) < LEAST_PART:
            return ""
        return _part_of_choices(
            [choice for choice in asked.choices if _DIGITS.search(choice) or MONTH_NAMES.match(choice)]
        )
    last = asked.tokens[-1] if asked.tokens else ""
    if asked.first.type not in ("text", "number", "tel") or len(asked.tokens) < 2:
        return ""
    for part, pattern in (("day", DAY), ("month", MONTH), ("year", YEAR)):
        if pattern.fullmatch(last) or last == part[0]:
            return part
    return ""


def _part_of_choices(choices: list[str]) -> str:
    if not choices:
        return ""
    numbers = [int(choice) for choice in choices if choice.isascii() and choice.isdigit() and len(choice) < 5]
    if len(numbers) == len(choices):
        if all(1800 <= number <= 2100 for number in numbers):
            return "year"
        top = max(numbers)
        if min(numbers) == 1 and len(numbers) == top:
            return "day" if top in (28, 29, 30, 31) else "month" if top == 12 else ""
    if all(MONTH_NAMES.match(choice) for choice in choices):
        return "month" if len(choices) == 12 or all(_YEAR_INSIDE.search(choice) for choice in choices) else ""
    if len(choices) in (30, 31) and all(_DIGITS.search(choice) for choice in choices):
        return "day"
    return ""


def take_date(asked: list[Asked], start: int) -> int:
    """Return how many controls from here on make one date: two or three different parts of it."""
    seen: list[str] = []
    for one in asked[start : start + 3]:
        part = date_part(one)
        if not part or part in seen:
            break
        seen.append(part)
    if seen[:1] == ["year"] and start + len(seen) < len(asked) and date_part(asked[start + len(seen)]) == "year":
        return 0  # the end of a range of years before a date
    return len(seen) if len(seen) > 1 and "month" in seen else 0


def join_date(parts: list[Asked]) -> Asked:
    """Return the parts of a date as one question."""
    fields = [each for part in parts for each in part.fields]
    joined = Asked(fields, [name for part in parts for name in part.names], caption=_date_label(parts))
    joined.operator, joined.type, joined.parts = "equals", "date", parts
    return joined


def _date_label(parts: list[Asked]) -> str:
    first = parts[0]
    label = first.caption
    head, colon, tail = label.partition(":")
    if colon and is_date_part(tail):
        return head.strip()
    if label and any(is_date_part(part.caption) for part in parts[1:]):
        before = _before_part(label)
        if before and before != label and not _ARTICLE.fullmatch(f" {before}"):
            return before
    if is_date_part(label) or not label:
        group = first.first.group.strip().rstrip(":：* ")
        others = (part.caption for part in parts[1:] if part.first.label and not is_date_part(part.caption))
        hints = (
            group,
            next(others, ""),
            _after_part(parts[-1].caption),
            *map(_without_part, (first.first.title, first.first.aria)),
        )
        return next((hint for hint in hints if hint), label)
    return label


def _after_part(words: str) -> str:
    """Return what stands behind the word for the last part, where captions stand behind: Year Advertised -> Advertised."""
    lower = words.lower()
    found = next((found for found in (pattern.match(lower) for pattern in (YEAR, MONTH, DAY)) if found), None)
    rest = words[found.end() :] if found else ""
    return rest.strip(" :") if rest.startswith(" ") and "(" not in rest else ""


def _before_part(words: str) -> str:
    """Return what stands before the word for the first part: Published on Day -> Published on."""
    lower = words.lower()
    for pattern in (DAY, MONTH, YEAR):
        found = list(pattern.finditer(lower))
        if found:
            return _ARTICLE.sub("", words[: found[-1].start()].rstrip(" ,:(-–"))
    return words


def is_date_part(words: str) -> bool:
    """Say whether words are for a part of a date: Day, El día, Year (4 digits)."""
    lower = words.lower().strip()
    bare = lower.partition(" ")[2] if _ARTICLE.fullmatch(f" {lower.partition(' ')[0]}") else lower
    return any(pattern.match(bare) for pattern in (DAY, MONTH, YEAR)) and len(words.split()) <= 4


def _without_part(words: str) -> str:
    """Take the part of a date off the end of a title: Published: day -> Published."""
    found = re.search(r"(?<![\s:,(\-–])[\s:,(\-–]+[^\s:,(]++\Z", words)
    if not found or not is_date_part(words[found.start() :].strip(" :,(-–")):
        return words
    return _ARTICLE.sub("", words[: found.start()]).strip(" :")


# --- one end


def is_one_end(asked: Asked) -> bool:
    """Say whether one control bounds something on one side: at least, at most, within."""
    if asked.is_box:
        return is_period(asked)
    if asked.first.multiple or asked.first.type in _NOT_BOUNDED:
        return False
    words = asked.label.lower()
    if asked.kind == "text" and (not words or words.count(" ") > MOST_BOUND_WORDS):
        return False
    if asked.kind == "select":
        return is_period(asked) or _bounds_amount(asked, words)
    bounds = _bounds(words)
    return bounds == "distance" or (bounds == "end" and not _PLACES.search(asked.names[0].lower()))


@lru_cache(maxsize=4096)
def _bounds(words: str) -> str:
    """Return how words bound something on one side, if they do."""
    return "distance" if DISTANCE.search(words) else "end" if ONE_END.search(words) else ""


def _bounds_amount(asked: Asked, words: str) -> bool:
    if not _counts(asked) and len(asked.choices) > 1:
        return False
    if _bounds(words):
        return True
    if len(asked.choices) > 1 and (_is_low(words) or _is_high(words)):
        return True
    bounded = sum(ONE_END.search(choice) is not None for choice in asked.choices)
    if bounded > 1 and bounded * 2 > len(asked.choices):
        return True
    tokens = set(asked.tokens)
    if tokens & {"distance", "radius", "umkreis", "dist", "rayon"}:
        return True
    return bool(tokens & {"min", "max", "minimum", "maximum"})


# --- slots


def are_slots(first: Asked, second: Asked) -> bool:
    """Say whether two selects are places for the same question, or stand for each other: only numbers part their names."""
    if first.kind != "select" or second.kind != "select" or second.caption or second.names[0] == first.names[0]:
        return False
    stem = _DIGITS.sub("#", first.names[-1])
    if stem == _DIGITS.sub("#", second.names[0]) and len(stem) >= LEAST_STEM:
        return not second.label or second.label == first.label or second.choices == first.choices
    return _refines(first.names[-1], second.names[0]) and not any(second.choices[1:])


def _refines(first: str, second: str) -> bool:
    """Say whether a name is the other's with a word for something below it."""
    below = re.sub(r"(?i)sub|child|\d+", "", second)
    return below == re.sub(r"(?i)sub|child|\d+", "", first) and second != first


def join_slots(slots: list[Asked]) -> Asked:
    """Return slots as one question: any of them when they offer the same, one when they stand for each other."""
    joined = Asked([one for slot in slots for one in slot.fields], [name for slot in slots for name in slot.names])
    joined.caption, joined.parts = slots[0].caption, slots
    same = all(slot.choices == slots[0].choices for slot in slots[1:]) and len(slots[0].choices) > 2
    joined.operator, joined.type = ("in" if same else "equals"), "choice"
    return joined
