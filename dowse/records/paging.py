"""The next page of an answer: the request that a person would make by pressing "next".

A link counts by what it says (a word, a sign, a number) and by how its address follows from the one
it stands on. Neither alone is enough: "next" may lead to the next article, a number to a day of a calendar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Final
from urllib.parse import urlsplit

from dowse.model import Link, Page, Request, Verdict
from dowse.records.pageforms import find_next_form, find_scripted
from dowse.records.pagewords import read_number, read_word
from dowse.records.relation import BELOW, COUNTED, ELSEWHERE, SAME_LIST, STEPS, is_dated, is_next_address, relate
from dowse.records.steps import Row, find_numbers, find_row
from dowse.url import canonical, registrable_domain

MAX_LINKS: Final = 3_000  # of a page that are looked at
MAX_PAGES: Final = 100_000  # of one answer that a guard remembers
MAX_KEYS: Final = 500_000  # of records that a guard remembers
REPEATED: Final = 2  # pages in a row without a new record after which paging goes round
CLOSE: Final = 3  # links from one number of a page to the next
_SHAPE: Final = re.compile(r"\d+")

# How near an address must be for a link that says so to be believed.
_NEEDED: Final = {
    "next": BELOW, "older": BELOW, "right": SAME_LIST, "right twice": SAME_LIST, "rel": COUNTED, "more": COUNTED, "perhaps": COUNTED,
}  # fmt: skip
_ELSEWHERE_WORDS: Final = frozenset({"back", "first", "last", "left"})
_ORDER: Final = ("next", "older", "right", "right twice", "rel", "more", "perhaps")


@dataclass(frozen=True, slots=True)
class Next:
    """The request for the next page, and how it was found."""

    request: Request
    how: str  # says next, says more, numbered, rel=next, by its address, a form, a script


@dataclass(frozen=True)
class _Sheet:
    """A page of an answer as paging sees it."""

    page: Page
    here: str
    links: tuple[Link, ...]
    number: int  # of this page, counted from 1, as the caller says; 0 when nobody knows
    shown: int
    source: str

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Numbered links that belong together, those with the most numbers first."""
        shapes: dict[str, list[tuple[int, Link]]] = {}
        for link in self.links:
            number = read_number(link.text)
            if number:
                shapes.setdefault(_SHAPE.sub("0", link.url), []).append((number, link))
        close = [[(number, link.url) for number, link in pages] for pages in shapes.values() if _stand_close(pages)]
        found = [row for pages in close if (row := find_row(pages)) is not None]
        near = [row for row in found if not row.counts_shown and self.is_near(row.write(row.numbers[-1]))]
        return tuple(sorted(near, key=lambda row: -len(row.numbers)))

    def is_near(self, url: str) -> bool:
        """Say whether an address can be a page of this list; a calendar counts days and months, but no pages."""
        near = relate(self.here, url)
        return near == COUNTED or (near != ELSEWHERE and not is_dated(url))

    def current(self, row: Row) -> int:
        """Return the number of this page in a row of numbered links, or 0 where that cannot be told."""
        own = row.read(self.here) or self.number
        if own:
            return own
        numbers = set(row.numbers)
        if 1 not in numbers and 2 in numbers:
            return 1
        back = next((row.read(url) for url in self.back if row.read(url)), 0)
        return back + 1 if back else self._find_gap(row)

    def _find_gap(self, row: Row) -> int:
        """Return the one number that is no link while its neighbours are."""
        numbers = set(row.numbers)
        gaps = (number for number in range(2, row.numbers[-1]) if number not in numbers)
        return next((number for number in gaps if {number - 1, number + 1} <= numbers), 0)

    @cached_property
    def back(self) -> tuple[str, ...]:
        """Where links lead that say previous."""
        return tuple(link.url for link in self.links if read_word(link.text) in ("back", "left"))


def find_next(
    page: Page, request: Request, shown: int = 0, page_number: int | None = None, source: str = ""
) -> Next | None:
    """Return the request for the next page of an answer, or None; pages are counted from 0, the source is the page's HTML."""
    here = canonical(page.url) or canonical(request.url) or ""
    sheet = _Sheet(page, here, _near_links(page, here), 0 if page_number is None else page_number + 1, shown, source)
    found = (look(sheet) for look in _LOOKS if look is _by_words or not _is_last(sheet))
    return next((each for each in found if each is not None), None)


def _is_last(sheet: _Sheet) -> bool:
    """Say whether numbered links tell that no page comes after this one."""
    return any(0 < row.numbers[-1] <= sheet.current(row) for row in sheet.rows[:1])


def _stand_close(pages: list[tuple[int, Link]]) -> bool:
    """Say whether numbered links stand side by side, as those of pages do; marks of footnotes stand all over a page."""
    gaps = sorted(after.place - before.place for (_, before), (_, after) in pairwise(pages))
    return not gaps or gaps[len(gaps) // 2] <= CLOSE


def _near_links(page: Page, here: str) -> tuple[Link, ...]:
    """Return the links that stay with who answers."""
    domain = _domain(here)
    return tuple(link for link in page.links[:MAX_LINKS] if link.url != here and _domain(link.url) == domain)


def _domain(url: str) -> str:
    return registrable_domain(urlsplit(url).hostname or "")


def _by_words(sheet: _Sheet) -> Next | None:
    """Find the link that says next and leads there."""
    said = _said_links(sheet)
    ranked: list[tuple[int, int, str, str]] = []
    for kind, url in said:
        near = relate(sheet.here, url)
        is_older = kind == "older"  # dates count where older ones come next
        if near >= _NEEDED[kind] and (is_older or sheet.is_near(url)) and not _is_wrong_number(sheet, url):
            ranked.append((near, -_ORDER.index(kind), kind, url))
    if not ranked:
        return None
    *_, kind, url = max(ranked, key=lambda each: each[:2])
    return Next(Request(url), "rel=next" if kind == "rel" else "says next" if kind != "more" else "says more")


def _said_links(sheet: _Sheet) -> list[tuple[str, str]]:
    """Return what speaks of a next page; a word that leads to many places is that of teasers: weiter, more."""
    found: dict[str, dict[str, None]] = {}
    for link in sheet.links:
        word = read_word(link.text)
        kind = word if word in _NEEDED else "rel" if "next" in link.rel.split() and word in ("", "right") else ""
        if kind:
            found.setdefault(kind, {})[link.url] = None
    if "right" in found:
        found.pop("right twice", None)
    return [(kind, url) for kind, urls in found.items() if len(urls) <= 3 for url in urls]


def _is_wrong_number(sheet: _Sheet, url: str) -> bool:
    """Say whether numbered links tell that an address is not the page after this one."""
    for row in sheet.rows:
        there, current = row.read(url), sheet.current(row)
        if there and current:
            return there != current + 1
    return False


def _by_numbers(sheet: _Sheet) -> Next | None:
    """Find the link with the number after that of this page."""
    for row in sheet.rows:
        current = sheet.current(row)
        if current:
            return Next(Request(row.write(current + 1)), "numbered") if current < row.numbers[-1] else None
    return _by_lone_number(sheet)


def _by_lone_number(sheet: _Sheet) -> Next | None:
    """Find the one link to page 2 of two, or numbers whose addresses follow no rule."""
    wanted = (sheet.number or 1) + 1
    urls = {link.url for link in sheet.links if read_number(link.text) == wanted}
    near = [url for url in urls if relate(sheet.here, url) >= STEPS and not is_dated(url)]
    return Next(Request(near[0]), "numbered") if len(near) == 1 and len(urls) == 1 else None


def _by_head(sheet: _Sheet) -> Next | None:
    """Take what the head of the page declares, unless it is the next article: that has a number of its own."""
    url = sheet.page.next
    if not url or url == sheet.here or relate(sheet.here, url) < COUNTED or not _follows(sheet, url):
        return None
    return Next(Request(url), "rel=next")


def _follows(sheet: _Sheet, url: str) -> bool:
    """Say whether a number of an address is one more than here, or the first that a second page can have."""
    known = dict(find_numbers(sheet.here))
    fresh = [(name, number) for name, number in find_numbers(url) if known.get(name) != number]
    return any(
        number == known[name] + 1 if name in known else number in (1, 2, sheet.shown, sheet.shown + 1)
        for name, number in fresh
    )


def _by_address(sheet: _Sheet) -> Next | None:
    """Find the one link that asks the same from the next record or page on, whatever it says in whatever language."""
    links = [
        link for link in sheet.links if read_word(link.text) not in _ELSEWHERE_WORDS and not read_number(link.text)
    ]
    urls = {link.url for link in links if is_next_address(sheet.here, link.url, sheet.shown)}
    return Next(Request(urls.pop()), "by its address") if len(urls) == 1 else None


def _by_form(sheet: _Sheet) -> Next | None:
    request = find_next_form(sheet.page.forms, sheet.here, sheet.number)
    return Next(request, "a form") if request else None


def _by_script(sheet: _Sheet) -> Next | None:
    request = find_scripted(sheet.source, sheet.here, sheet.page.forms, sheet.number or 1) if sheet.source else None
    return Next(request, "a script") if request else None


_LOOKS: tuple[Callable[[_Sheet], Next | None], ...] = (
    _by_words, _by_numbers, _by_head, _by_address, _by_form, _by_script,
)  # fmt: skip


@dataclass(slots=True)
class Paging:
    """A guard over the pages of one answer: it notices when they go round."""

    addresses: set[bytes] = field(default_factory=set)
    keys: set[bytes] = field(default_factory=set)
    stale: int = 0  # pages in a row that had no new record

    def judge(self, request: Request, keys: Iterable[str]) -> Verdict:
        """Note a page and its records; say whether the next is worth asking for."""
        address = _digest(f"{request.method} {request.url}".encode("utf-8", "replace") + request.body)
        if address in self.addresses:
            return Verdict(False, "the same address again")
        if len(self.addresses) >= MAX_PAGES:
            return Verdict(False, f"more than {MAX_PAGES:,} pages")
        self.addresses.add(address)
        return self._judge_keys(list(_digests(keys)))

    def leave_new(self, keys: Iterable[str]) -> list[str]:
        """Return the keys that no page before had."""
        return [key for key in keys if _digest(key.encode("utf-8", "replace")) not in self.keys]

    def _judge_keys(self, keys: list[bytes]) -> Verdict:
        if not keys:
            return Verdict(False, "no records on this page")
        new = [key for key in keys if key not in self.keys]
        self.keys.update(new[: max(0, MAX_KEYS - len(self.keys))])
        if not new and len(self.addresses) > 1:
            self.stale += 1
            is_over = self.stale >= REPEATED or len(keys) > 1
            return Verdict(False, "the same records again") if is_over else Verdict(True)
        self.stale = 0
        return Verdict(True)


def _digests(keys: Iterable[str]) -> Iterator[bytes]:
    for key in keys:
        yield _digest(key.encode("utf-8", "replace"))


def _digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=8).digest()
