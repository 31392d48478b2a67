"""How the address of one page becomes that of the next: which numbers of it count pages or records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Final

from dowse.model import Request

MAX_ADDRESS: Final = 8_192  # characters that are compared
MAX_NUMBERS: Final = 60  # in one address
MOST_STEPPING: Final = 3  # numbers of one address that step together: page=2&start=10
LARGEST: Final = 10**9  # no page and no record is counted further

_SCHEME: Final = re.compile(r"^https?://(?:www\.)?")  # pages are the same without and with TLS
_DIGITS: Final = re.compile(r"\d{1,18}")
_PARAMETER: Final = re.compile(r"(?:^|[?&;])([^?&;=]{1,100})=([^&;#]{0,2000})")
_WORDS_BEFORE: Final = re.compile(r"([^\W\d_]{1,30})[^\w]{0,3}[_=/-]?$")
# Names of parameters that count pages or records, lower case, without signs; as a whole.
_PAGE_NAME: Final = re.compile(
    r"(?:p|pg|pn|pp|page|pages|paged|pageno|pagenr|pagenum|pagenumber|pageid|pageindex|currentpage|curpage|cpage|pagina|pag|pgno|seite|seitennr|sida|side|sivu|strona|str|stranka|"
    r"strana|oldal|halaman|sayfa|trang|page[a-z]?|pagen\d?|index|start|startat|startindex|startrow|startrecord|startpage|startpos|begin|from|first|firstrecord|offset|limitstart|skip|"
    r"cursor|pos|position|row|rows?start|rowoffset|record|recno|rec|resultoffset|searchoffset|catlistingoffset|listoffset|b|o|s|st)",
    re.IGNORECASE,
)
_SIZE_NAME: Final = re.compile(
    r"(?:per[_-]?page|page[_-]?size|limit|rows|size|count|show|results|num|max|items|hits|anzahl|display|view|epp|ipp|rpp|ps)=$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Change:
    """What an address has where another has something else; whole numbers are not cut."""

    place: int
    before: str
    after: str
    name: str = ""  # the word that stands before it: the name of a parameter, a folder


def find_change(one: str, two: str) -> Change | None:
    """Return the one piece in which two addresses differ, or None where they are equal or too long."""
    if one == two or len(one) > MAX_ADDRESS or len(two) > MAX_ADDRESS:
        return None
    start = _common_length(one, two)
    end = min(_common_length(one[::-1], two[::-1]), len(one) - start, len(two) - start)
    while start and one[start - 1].isdigit() and (one[start : start + 1].isdigit() or two[start : start + 1].isdigit()):
        start -= 1
    while end and one[len(one) - end].isdigit() and _ends_in_digit(one, two, start, end):
        end -= 1
    return Change(start, one[start : len(one) - end], two[start : len(two) - end], _name_before(two, start))


def _common_length(one: str, two: str) -> int:
    return next((place for place, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


def _ends_in_digit(one: str, two: str, start: int, end: int) -> bool:
    """Say whether what differs ends within a number that goes on in what is common."""
    return one[start : len(one) - end][-1:].isdigit() or two[start : len(two) - end][-1:].isdigit()


def _name_before(url: str, place: int) -> str:
    found = _WORDS_BEFORE.search(url[max(0, place - 40) : place])
    return found[1].lower() if found else ""


def counts_pages(name: str) -> bool:
    """Say whether the name of a parameter or folder is one that pages or records are counted by."""
    return _PAGE_NAME.fullmatch("".join(letter for letter in name if letter.isalnum())) is not None


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
    if len(first) > MAX_ADDRESS or len(second) > MAX_ADDRESS:
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
    found = islice(_PARAMETER.finditer(text[:MAX_ADDRESS]), MAX_NUMBERS)
    return [(each[1], each[2], each.start(2)) for each in found]


def _step_numbers(first: str, second: str, page_number: int) -> str | None:
    """Return an address of which some numbers have grown, grown on."""
    pairs = list(zip(_DIGITS.finditer(first), _DIGITS.finditer(second), strict=True))[: MAX_NUMBERS + 1]
    steps = [int(two[0]) - int(one[0]) for one, two in pairs]
    if len(pairs) > MAX_NUMBERS or min(steps) < 0 or not 0 < sum(map(bool, steps)) <= MOST_STEPPING:
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


def _step_added(second: str, change: Change, page_number: int, shown: int) -> str | None:
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


@dataclass(frozen=True, slots=True)
class Row:
    """Numbered links that lead to pages of one list: the address as a function of the number."""

    sample: str
    start: int  # where the number stands in the sample
    end: int
    slope: int
    offset: int  # the number in the address is slope * page + offset
    numbers: tuple[int, ...]

    @property
    def counts_shown(self) -> bool:
        """Whether it is how many stand on a page that is chosen here: 20, 50, 100."""
        return _SIZE_NAME.search(self.sample[max(0, self.start - 40) : self.start]) is not None

    def write(self, page: int) -> str:
        """Return the address of a page by its number, counted from 1."""
        return self.sample[: self.start] + str(self.slope * page + self.offset) + self.sample[self.end :]

    def read(self, url: str) -> int:
        """Return the number of the page, counted from 1, that an address has; 0 for an address of another kind."""
        head, tail, url = _SCHEME.sub("", self.sample[: self.start]), self.sample[self.end :], _SCHEME.sub("", url)
        inner = url[len(head) : len(url) - len(tail)] if url.startswith(head) and url.endswith(tail) else ""
        if not inner.isdecimal() or len(inner) > 12 or (int(inner) - self.offset) % self.slope:
            return 0
        return max(0, (int(inner) - self.offset) // self.slope)


def find_row(pages: Sequence[tuple[int, str]]) -> Row | None:
    """Return how the addresses of numbered links follow from their numbers, where at least two of them agree."""
    pages = list(dict(pages).items())
    for (low, one), (high, two) in pairwise(sorted(pages)[-4:]):
        row = _line_through(low, one, high, two)
        if row is not None:
            numbers = tuple(number for number, url in sorted(pages) if row.write(number) == url)
            if len(numbers) >= max(2, 0.5 * len(pages)):
                return replace(row, numbers=numbers)
    return None


def _line_through(low: int, one: str, high: int, two: str) -> Row | None:
    change = find_change(one, two)
    if change is None or not change.before.isdecimal() or not change.after.isdecimal():
        return None
    if len(change.before) > 12 or len(change.after) > 12:
        return None
    slope, rest = divmod(int(change.after) - int(change.before), high - low)
    if rest or slope < 1:
        return None
    end = change.place + len(change.after)
    return Row(two, change.place, end, slope, int(change.after) - slope * high, ())


def find_numbers(url: str) -> list[tuple[str, int]]:
    """Return the numbers of an address, each with the word that stands before it."""
    found = islice(_DIGITS.finditer(url[:MAX_ADDRESS]), MAX_NUMBERS)
    return [(_name_before(url, each.start()), int(each[0])) for each in found]
