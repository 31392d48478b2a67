"""Which controls of a form ask nothing themselves: orders, pages, views, ways of matching."""

from __future__ import annotations

import re
from functools import lru_cache

from dowse.form.asked import Asked, box_words
from dowse.form.vocabulary import (
    CAPTCHA,
    DIRECTION,
    DISPLAY,
    DISPLAY_NAMES,
    MATCHING,
    MATCHING_NAMES,
    OLDER,
    ORDERS,
    PAGING,
    PAGING_NAMES,
    SELECT_ALL,
    SIGNS,
    SORT,
    TOLERANCE,
)

_SORT_NAME = re.compile(
    r"(?:\A|[_\W])(?:sort|order_?by|sort_?by|sortorder|sort_?order)|sort\d*\Z|(?i:order_?by)|\Aorder\Z"
)
_SORTING = re.compile(
    r"\bsort(?:ing|iert?|ierung|ieren)?\b|сортиров|\btriage\b|řazení|rendezés|並び?替え|並べ替え|sortowani"
)
_MACHINE_NAME = re.compile(r"\A(?:__|[0-9a-f]{24,}\Z)")  # state that a server keeps in the page
_COUNT = re.compile(r"\d+|all|alle|tous|todos|все")
MOST_WAYS = 12  # choices that a way of matching can have
MOST = 0.6  # part of the choices that must be ways of matching


def find_role(asked: Asked) -> str:
    """Return what controls are for that ask nothing themselves, or nothing."""
    if asked.kind == "text":
        if is_captcha(asked) or _MACHINE_NAME.match(asked.names[0]):
            return "state"
        return "paging" if asked.first.value.isdigit() and _is_paging(asked) else ""
    for role, holds in (
        ("operator", _is_matching),
        ("sort", _is_sort),
        ("paging", _is_paging),
        ("display", _is_display),
    ):
        if holds(asked):
            return role
    return ""


def is_captcha(asked: Asked) -> bool:
    """Say whether a control is there to keep programs out."""
    one = asked.first
    return _speaks_of_captcha(f"{one.name} {one.id} {asked.words}".lower())


@lru_cache(maxsize=4096)
def _speaks_of_captcha(said: str) -> bool:
    return CAPTCHA.search(said) is not None


def _is_sort(asked: Asked) -> bool:
    caption = asked.caption.lower()
    if _SORT_NAME.search(asked.names[0].lower()) or SORT.match(caption) or _SORTING.search(caption):
        return True
    choices = [choice for choice in asked.choices if choice]
    if not 1 <= len(choices) <= MOST_WAYS:
        return False
    if all(DIRECTION.search(choice) or SORT.match(choice) for choice in choices):
        return True
    return any(ORDERS.search(choice) for choice in choices) and (
        SORT.search(asked.words) is not None or _says(asked, SORT)
    )


def _says(asked: Asked, pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(token) for token in asked.tokens)


def _is_paging(asked: Asked) -> bool:
    if PAGING.search(asked.words) or PAGING.search(asked.names[0].lower()):
        return asked.kind != "checkbox"
    choices = [choice for choice in asked.choices if choice]
    if asked.is_box or len(choices) < 2:
        return False
    if not PAGING_NAMES.match("_".join(asked.tokens)) and not PAGING_NAMES.match(
        asked.tokens[-1] if asked.tokens else ""
    ):
        return all(PAGING.search(choice) for choice in choices)
    return all(_COUNT.match(choice) for choice in choices)


def _is_display(asked: Asked) -> bool:
    own = box_words(asked.first).lower() if asked.is_box else ""
    if SELECT_ALL.search(own) or (len(asked.fields) == 1 and asked.kind == "checkbox" and DISPLAY.match(own)):
        return True
    if DISPLAY.match(asked.caption.lower()) and (asked.kind != "checkbox"):
        return True
    return DISPLAY_NAMES.match("_".join(asked.tokens)) is not None and asked.kind != "text"


def _is_matching(asked: Asked) -> bool:
    if asked.kind == "checkbox":
        return len(asked.fields) == 1 and _box_matches(asked)
    choices = [choice for choice in asked.choices if choice]
    if not 2 <= len(choices) <= MOST_WAYS:
        return False
    if TOLERANCE.match(asked.caption.lower()):
        return True
    signs = sum(SIGNS.match(choice) is not None for choice in choices)
    if signs == len(choices):
        return True
    ways = sum(map(_is_way, choices))
    named = MATCHING_NAMES.match("_".join(asked.tokens)) is not None
    return signs + ways >= (1 if named else max(2, MOST * len(choices)))


@lru_cache(maxsize=8192)
def _is_way(choice: str) -> bool:
    if MATCHING.search(choice) or TOLERANCE.search(choice):
        return True
    return OLDER.search(choice) is not None and not any(map(str.isdigit, choice))


def _box_matches(asked: Asked) -> bool:
    words = box_words(asked.first).lower()
    if TOLERANCE.search(words):
        return True
    named = MATCHING_NAMES.match("_".join(asked.tokens)) is not None
    return named or (MATCHING.search(words) is not None and len(words.split()) <= 4)
