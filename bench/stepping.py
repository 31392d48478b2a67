"""Pages of an answer by their numbers alone, from how the second differs from the first: what "next" links are compared with."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import Final

from dowse.model import Request
from dowse.records.paging import MAX_ADDRESS_NUMBERS, MAX_COMPARED_CHARS, AddressChange, counts_pages, find_change

MOST_STEPPING: Final = 3  # numbers of one address that step together: page=2&start=10
LARGEST: Final = 10**9  # no page and no record is counted further

_DIGITS: Final = re.compile(r"\d{1,18}")
_PARAMETER: Final = re.compile(r"(?:^|[?&;])([^?&;=]{1,100})=([^&;#]{0,2000})")


def step_request(second: Request, first: Request, page_number: int, shown: int = 0) -> Request | None:
    """Return the request for a page by its number, counted from 0, by how the second page differs from the first."""
    if page_number < 2:
        return (first, second)[page_number] if page_number >= 0 else None
    if (first.method, first.headers) != (second.method, second.headers):
        return None
    url = _step(first.url, second.url, page_number, shown)
    body = _step(first.body.decode("latin-1"), second.body.decode("latin-1"), page_number, shown)
    if url is None or body is None or (url == second.url and body.encode("latin-1") == second.body):
        return None
    return replace(second, url=url, body=body.encode("latin-1"))


def _step(first: str, second: str, page_number: int, shown: int) -> str | None:
    """Return what comes at a later page; the same where nothing differs, None where it is not numbers that do."""
    if first == second:
        return second
    if len(first) > MAX_COMPARED_CHARS or len(second) > MAX_COMPARED_CHARS:
        return None
    if _DIGITS.split(first) == _DIGITS.split(second):
        return _step_numbers(first, second, page_number)
    change = find_change(first, second)
    stepped = _step_added(second, change, page_number, shown) if change else None
    return stepped or _step_parameter(first, second, page_number, shown)


def _step_parameter(first: str, second: str, page_number: int, shown: int) -> str | None:
    """Return an address by the one parameter that counts, where others are only written in another way or order."""
    known = {name: value for name, value, _ in _find_parameters(first)}
    new = [each for each in _find_parameters(second) if each[1].isdecimal() and known.get(each[0]) != each[1]]
    counting = [each for each in new if each[0] not in known or counts_pages(each[0])]
    if len(counting) != 1 or len(counting[0][1]) > 9:
        return None
    name, value, place = counting[0]
    before = known.get(name, "")
    step = int(value) - int(before) if before.isdecimal() and len(before) <= 9 else 0
    number = int(value) + step * (page_number - 1) if step > 0 else guess_value(int(value), page_number, shown)
    return second[:place] + _write(number, value) + second[place + len(value) :]


def _find_parameters(text: str) -> list[tuple[str, str, int]]:
    """Return the parameters of an address or a body, each with the place where its value stands."""
    found = islice(_PARAMETER.finditer(text[:MAX_COMPARED_CHARS]), MAX_ADDRESS_NUMBERS)
    return [(each[1], each[2], each.start(2)) for each in found]


def _step_numbers(first: str, second: str, page_number: int) -> str | None:
    """Return an address of which some numbers have grown, grown on."""
    pairs = list(zip(_DIGITS.finditer(first), _DIGITS.finditer(second), strict=True))[: MAX_ADDRESS_NUMBERS + 1]
    steps = [int(two[0]) - int(one[0]) for one, two in pairs]
    if len(pairs) > MAX_ADDRESS_NUMBERS or min(steps) < 0 or not 0 < sum(map(bool, steps)) <= MOST_STEPPING:
        return None
    numbers = [
        _write(int(two[0]) + step * (page_number - 1), two[0]) if step else two[0]
        for (_, two), step in zip(pairs, steps, strict=True)
    ]
    texts = _DIGITS.split(second)
    return "".join(text + number for text, number in zip(texts, [*numbers, ""], strict=True))


def _write(number: int, like: str) -> str:
    """Write a number as another is written: 007 goes on with 008."""
    return str(min(number, LARGEST)).zfill(len(like) if like.startswith("0") and len(like) > 1 else 0)


def _step_added(second: str, change: AddressChange, page_number: int, shown: int) -> str | None:
    """Return an address in which the second page has a number that the first has not."""
    found = list(_DIGITS.finditer(change.after))
    if len(found) != 1 or _DIGITS.search(change.before):
        return None
    value = guess_value(int(found[0][0]), page_number, shown)
    start, end = change.place + found[0].start(), change.place + found[0].end()
    return second[:start] + _write(value, found[0][0]) + second[end:]


def guess_value(second: int, page_number: int, shown: int = 0) -> int:
    """Return what counts a later page, where only the second is known: 2 is a page, 10 and 11 are records."""
    if second <= 2:  # the first is 1, or 0
        return second + page_number - 1
    if second == shown + 1 or (not shown and second % 10 == 1):  # records counted from 1
        return 1 + (second - 1) * page_number
    return second * page_number
