"""How near one address is to another: the same list a page further, the same list otherwise, or another place."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from dowse.records.steps import counts_pages, find_change, find_numbers

MAX_PARAMETERS: Final = 200
BACKWARDS: Final = -1
ELSEWHERE: Final = 0
BELOW: Final = 1  # its path goes on from the one here
SAME_LIST: Final = 2  # the same path with other parameters; or elsewhere, but by a number of a page
STEPS: Final = 3  # a number of it is another
COUNTED: Final = 4  # and that number counts pages or records
TELLING: Final = 5  # records on a page from which on their number is no accident in an address
LARGE: Final = 1_000  # a number in a path from which on it rather names an article than a page

_INDEX: Final = re.compile(r"/(?:index|default|home)\.(?:php|html?|aspx?|jsp|cgi|do)$", re.IGNORECASE)
_DATE: Final = re.compile(
    r"(?<!\d)(?:19|20)\d\d[-/_.]?(?:0?[1-9]|1[0-2])(?:[-/_.]?(?:0?[1-9]|[12]\d|3[01]))?/?(?:\.html?)?$"
    r"|[?&;](?:date|day|month|year|mon|ym|calendar|cal|m)=[\d-]{1,10}(?:&|$)"
    r"|[?&;](?:month|year)=",
    re.IGNORECASE,
)


def relate(here: str, url: str) -> int:
    """Return how near an address is to the one here, as a page of the same list."""
    one, two = urlsplit(here), urlsplit(url)
    paths = [_INDEX.sub("/", part.path).rstrip("/") for part in (one, two)]
    if paths[0] == paths[1]:
        return _relate_queries(one.query, two.query)
    near = _relate_paths(*paths)
    if near in (ELSEWHERE, BELOW) and _has_page_number(url, here):
        return SAME_LIST
    return near


def _relate_queries(one: str, two: str) -> int:
    before, after = _pairs(one), _pairs(two)
    changed = {name: value for name, value in after.items() if before.get(name, "") != value}
    if not changed:
        return ELSEWHERE
    numbers = {name: value for name, value in changed.items() if value.isdecimal() and len(value) < 10}
    counted = {name for name in numbers if counts_pages(name)}
    for name in counted or set(numbers):
        if before.get(name, "").isdecimal() and int(before[name][:12]) > int(numbers[name]):
            return BACKWARDS
    if any(name in before or int(numbers[name]) <= LARGE for name in counted):  # ?p=33216 is an article
        return COUNTED
    return STEPS if numbers and not counted else SAME_LIST


def _pairs(query: str) -> dict[str, str]:
    if query.count("&") + query.count(";") > MAX_PARAMETERS:
        return {}
    separator = ";" if ";" in query and "&" not in query else "&"
    return dict(parse_qsl(query, keep_blank_values=True, separator=separator))


def _relate_paths(one: str, two: str) -> int:
    change = find_change(one, two)
    if change is None:
        return ELSEWHERE
    numbers = [number for _, number in find_numbers(change.after)]
    older = [number for _, number in find_numbers(change.before)]
    is_below = two.startswith(one)
    if len(numbers) != 1 or len(older) > 1 or not (is_below or _is_bare(change.before)):
        return BELOW if is_below else ELSEWHERE
    if older and older[0] > numbers[0]:
        return BACKWARDS
    if older and numbers[0] != older[0] + 1 and not counts_pages(change.name):
        return ELSEWHERE  # another article
    named = any(counts_pages(name) for name, _ in find_numbers(two[: change.place] + change.after)[-1:])
    if named:
        return COUNTED
    return STEPS if numbers[0] < LARGE else ELSEWHERE


def _is_bare(text: str) -> bool:
    """Say whether a piece of a path is no more than a number, or an ending before one: .html, 7."""
    return text.strip("/-_.").isdecimal() or len(text) <= 12


def _has_page_number(url: str, here: str) -> bool:
    """Say whether an address has a number of a page that the one here has not."""
    known = set(find_numbers(here))
    return any(
        counts_pages(name) and 1 <= number < 100_000
        for name, number in find_numbers(url)
        if (name, number) not in known
    )


def is_dated(url: str) -> bool:
    """Say whether an address leads to a day, a month or a year: a calendar counts too."""
    return _DATE.search(url) is not None


def is_next_address(here: str, url: str, shown: int) -> bool:
    """Say whether an address asks the same as the one here, but for one number that is the one after: in any language a next page."""
    one, two = urlsplit(here), urlsplit(url)
    if _INDEX.sub("/", one.path).rstrip("/") != _INDEX.sub("/", two.path).rstrip("/"):
        return False
    before, after = _pairs(one.query), _pairs(two.query)
    numbers = {name: value for name, value in after.items() if before.get(name) != value and value.isdecimal()}
    if len(numbers) != 1 or any(name not in before for name in after.keys() - numbers.keys()):
        return False
    (name, value), *_ = numbers.items()
    known = before.get(name, "")
    if len(value) > 9 or (known and not (known.isdecimal() and len(known) <= 9)):
        return False
    steps = {int(known) + 1, int(known) + shown} if known else {2, shown, shown + 1}
    by_name = counts_pages(name) and int(value) in steps
    return by_name or (shown >= TELLING and int(value) in ({int(known) + shown} if known else {shown, shown + 1}))
