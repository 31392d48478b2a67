"""Addresses of the pages of one list: which numbers count pages or records, and how near two addresses are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import islice, pairwise
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from dowse.url import registrable_domain

MAX_COMPARED_CHARS: Final = 8_192  # of an address
MAX_ADDRESS_NUMBERS: Final = 60  # in one address
MAX_QUERY_PARAMETERS: Final = 200
MIN_TELLING_RECORDS: Final = 5  # on a page from which on their number is no accident in an address
MIN_ARTICLE_NUMBER: Final = 1_000  # in a path, which rather names an article than a page

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
class AddressChange:
    """What an address has where another has something else; whole numbers are not cut."""

    place: int
    before: str
    after: str
    name: str = ""  # the word that stands before it: the name of a parameter, a folder


def find_change(one: str, two: str) -> AddressChange | None:
    """Return the one piece in which two addresses differ, or None where they are equal or too long."""
    if one == two or len(one) > MAX_COMPARED_CHARS or len(two) > MAX_COMPARED_CHARS:
        return None
    start = _common_length(one, two)
    end = min(_common_length(one[::-1], two[::-1]), len(one) - start, len(two) - start)
    while start and one[start - 1].isdigit() and (one[start : start + 1].isdigit() or two[start : start + 1].isdigit()):
        start -= 1
    # what differs may end within a number that goes on in what is common
    while (
        end
        and one[len(one) - end].isdigit()
        and any(each[start : len(each) - end][-1:].isdigit() for each in (one, two))
    ):
        end -= 1
    return AddressChange(start, one[start : len(one) - end], two[start : len(two) - end], _name_before(two, start))


def _common_length(one: str, two: str) -> int:
    return next((place for place, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


def _name_before(url: str, place: int) -> str:
    found = _WORDS_BEFORE.search(url[max(0, place - 40) : place])
    return found[1].lower() if found else ""


def counts_pages(name: str) -> bool:
    """Return True if the name of a parameter or folder is one that pages or records are counted by."""
    return _PAGE_NAME.fullmatch("".join(letter for letter in name if letter.isalnum())) is not None


@dataclass(frozen=True, slots=True)
class NumberedLinks:
    """Numbered links that lead to pages of one list: the address as a function of the number."""

    sample: str
    start: int  # where the number stands in the sample
    end: int
    slope: int
    offset: int  # the number in the address is slope * page + offset
    numbers: tuple[int, ...]

    @property
    def counts_shown(self) -> bool:
        """Whether these links choose how many stand on a page: 20, 50, 100."""
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


def find_numbered_links(pages: Sequence[tuple[int, str]]) -> NumberedLinks | None:
    """Return how the addresses of numbered links follow from their numbers, where at least two of them agree."""
    pages = list(dict(pages).items())
    for (low, one), (high, two) in pairwise(sorted(pages)[-4:]):
        row = _line_through(low, one, high, two)
        if row is not None:
            numbers = tuple(number for number, url in sorted(pages) if row.write(number) == url)
            if len(numbers) >= max(2, 0.5 * len(pages)):
                return replace(row, numbers=numbers)
    return None


def _line_through(low: int, one: str, high: int, two: str) -> NumberedLinks | None:
    change = find_change(one, two)
    if change is None or not change.before.isdecimal() or not change.after.isdecimal():
        return None
    if len(change.before) > 12 or len(change.after) > 12:
        return None
    slope, rest = divmod(int(change.after) - int(change.before), high - low)
    if rest or slope < 1:
        return None
    end = change.place + len(change.after)
    return NumberedLinks(two, change.place, end, slope, int(change.after) - slope * high, ())


def find_numbers(url: str) -> list[tuple[str, int]]:
    """Return the numbers of an address, each with the word that stands before it."""
    found = islice(_DIGITS.finditer(url[:MAX_COMPARED_CHARS]), MAX_ADDRESS_NUMBERS)
    return [(_name_before(url, each.start()), int(each[0])) for each in found]


# -- how near one address is to another


class Relation(IntEnum):
    """How near an address is to another, as a page of the same list; the higher, the nearer."""

    BACKWARDS = -1
    ELSEWHERE = 0
    BELOW = 1  # its path goes on from the one here
    SAME_LIST = 2  # the same path with other parameters; or elsewhere, but by a number of a page
    STEPS = 3  # a number of it is another
    COUNTED = 4  # and that number counts pages or records


_INDEX: Final = re.compile(r"/(?:index|default|home)\.(?:php|html?|aspx?|jsp|cgi|do)$", re.IGNORECASE)
_DATE: Final = re.compile(
    r"(?<!\d)(?:19|20)\d\d[-/_.]?(?:0?[1-9]|1[0-2])(?:[-/_.]?(?:0?[1-9]|[12]\d|3[01]))?/?(?:\.html?)?$"
    r"|[?&;](?:date|day|month|year|mon|ym|calendar|cal|m)=[\d-]{1,10}(?:&|$)"
    r"|[?&;](?:month|year)=",
    re.IGNORECASE,
)


def domain_of(url: str) -> str:
    """Return the registrable domain that an address belongs to: next pages stay within it."""
    return registrable_domain(urlsplit(url).hostname or "")


def relate(here: str, url: str) -> Relation:
    """Return how near an address is to the one here, as a page of the same list."""
    one, two = urlsplit(here), urlsplit(url)
    paths = [_INDEX.sub("/", part.path).rstrip("/") for part in (one, two)]
    if paths[0] == paths[1]:
        return _relate_queries(one.query, two.query)
    near = _relate_paths(*paths)
    if near in (Relation.ELSEWHERE, Relation.BELOW) and _has_page_number(url, here):
        return Relation.SAME_LIST
    return near


def _relate_queries(one: str, two: str) -> Relation:
    before, after = _read_parameters(one), _read_parameters(two)
    changed = {name: value for name, value in after.items() if before.get(name, "") != value}
    if not changed:
        return Relation.ELSEWHERE
    numbers = {name: value for name, value in changed.items() if value.isdecimal() and len(value) < 10}
    counted = {name for name in numbers if counts_pages(name)}
    for name in counted or set(numbers):
        if before.get(name, "").isdecimal() and int(before[name][:12]) > int(numbers[name]):
            return Relation.BACKWARDS
    if any(name in before or int(numbers[name]) <= MIN_ARTICLE_NUMBER for name in counted):  # ?p=33216 is an article
        return Relation.COUNTED
    return Relation.STEPS if numbers and not counted else Relation.SAME_LIST


def _read_parameters(query: str) -> dict[str, str]:
    if query.count("&") + query.count(";") > MAX_QUERY_PARAMETERS:
        return {}
    separator = ";" if ";" in query and "&" not in query else "&"
    return dict(parse_qsl(query, keep_blank_values=True, separator=separator))


def _relate_paths(one: str, two: str) -> Relation:
    change = find_change(one, two)
    if change is None:
        return Relation.ELSEWHERE
    numbers = [number for _, number in find_numbers(change.after)]
    older = [number for _, number in find_numbers(change.before)]
    is_below = two.startswith(one)
    # a piece of a path that is no more than a number, or an ending before one: .html, 7
    is_bare = change.before.strip("/-_.").isdecimal() or len(change.before) <= 12
    if len(numbers) != 1 or len(older) > 1 or not (is_below or is_bare):
        return Relation.BELOW if is_below else Relation.ELSEWHERE
    if older and older[0] > numbers[0]:
        return Relation.BACKWARDS
    if older and numbers[0] != older[0] + 1 and not counts_pages(change.name):
        return Relation.ELSEWHERE  # another article
    named = any(counts_pages(name) for name, _ in find_numbers(two[: change.place] + change.after)[-1:])
    if named:
        return Relation.COUNTED
    return Relation.STEPS if numbers[0] < MIN_ARTICLE_NUMBER else Relation.ELSEWHERE


def _has_page_number(url: str, here: str) -> bool:
    """Return True if an address has a number of a page that the one here has not."""
    known = set(find_numbers(here))
    return any(
        counts_pages(name) and 1 <= number < 100_000
        for name, number in find_numbers(url)
        if (name, number) not in known
    )


def is_dated(url: str) -> bool:
    """Return True if an address leads to a day, a month or a year: a calendar counts too."""
    return _DATE.search(url) is not None


def is_next_address(here: str, url: str, shown: int) -> bool:
    """Return True if an address asks the same as the one here, but for one number that is the one after: in any language a next page."""
    one, two = urlsplit(here), urlsplit(url)
    if _INDEX.sub("/", one.path).rstrip("/") != _INDEX.sub("/", two.path).rstrip("/"):
        return False
    before, after = _read_parameters(one.query), _read_parameters(two.query)
    numbers = {name: value for name, value in after.items() if before.get(name) != value and value.isdecimal()}
    if len(numbers) != 1 or any(name not in before for name in after.keys() - numbers.keys()):
        return False
    (name, value), *_ = numbers.items()
    known = before.get(name, "")
    if len(value) > 9 or (known and not (known.isdecimal() and len(known) <= 9)):
        return False
    steps = {int(known) + 1, int(known) + shown} if known else {2, shown, shown + 1}
    by_name = counts_pages(name) and int(value) in steps
    return by_name or (
        shown >= MIN_TELLING_RECORDS and int(value) in ({int(known) + shown} if known else {shown, shown + 1})
    )
