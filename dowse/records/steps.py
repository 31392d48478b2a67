"""How the address of one page becomes that of the next: which numbers of it count pages or records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Final

MAX_ADDRESS: Final = 8_192  # characters that are compared
MAX_NUMBERS: Final = 60  # in one address

_SCHEME: Final = re.compile(r"^https?://(?:www\.)?")  # pages are the same without and with TLS
_DIGITS: Final = re.compile(r"\d{1,18}")
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
