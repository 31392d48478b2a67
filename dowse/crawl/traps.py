"""Trap defences: every kind of endlessness costs a bounded number of pages and is named.

Two sorts of knowledge. What an address says by itself (a path in circles, a sort order of
a page that is known), and what the pages behind addresses of one shape have shown: when
most of the last pages of a shape brought nothing new, the shape is closed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache

from dowse.crawl.multiples import multiple_of
from dowse.crawl.shape import looks_like_dates, parameters, path_and_query, repeats_itself, shape_of
from dowse.model import Page

MULTIPLES = 20  # pages of one sort of multiple (print views, histories ...) that a site may cost
COMBINATIONS = 20  # combinations of facets that one path may cost
WINDOW = 16  # pages of one shape that are looked back on
STALE = 12  # of those, how many may bring nothing before the shape is closed
NEAR = 0.95  # shared words from which two pages count as near-identical
COMPARED = 3  # earlier pages of the shape that a page is compared with
FIRST_COMPARED = 4  # pages of a shape before comparing starts: most shapes never get there
MAX_SEGMENTS = 24
MAX_PARAMETERS = 16
WORDS_COMPARED = 20_000  # characters of a page
_WITHOUT_DIGITS = str.maketrans("", "", "0123456789")


@dataclass(frozen=True, slots=True)
class Gain:
    """What a page brought: new links of its own shape, new links of others, new forms."""

    own: int = 0
    outside: int = 0
    forms: int = 0


@dataclass(slots=True)
class Ledger:
    """What the pages of one shape have brought."""

    pages: int = 0
    closed: str = ""
    stale: deque[bool] = field(default_factory=lambda: deque(maxlen=WINDOW))
    words: deque[frozenset[str]] = field(default_factory=lambda: deque(maxlen=COMPARED))


@dataclass(slots=True)
class Traps:
    """The memory of one site's search about what multiplies there."""

    _ledgers: dict[str, Ledger] = field(default_factory=dict)
    _multiples: dict[str, int] = field(default_factory=dict)
    _bases: set[str] = field(default_factory=set)
    _combinations: dict[str, int] = field(default_factory=dict)
    _names: dict[str, set[frozenset[str]]] = field(default_factory=dict)  # path -> sets of parameter names seen
    _paths: set[tuple[str, ...]] = field(default_factory=set)
    _sorted_paths: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    def judge(self, url: str, seen: set[str]) -> str:
        """Say why an address that was just found should not be followed, or nothing."""
        path, query = path_and_query(url)
        return (
            _endless_address(path, query)
            or self._multiple(url, seen)
            or self._combined_parameters(path, query)
            or self._combined_path(path)
            or self._closed(url)
        )

    def judge_again(self, url: str) -> str:
        """Say why an address that waited should not be fetched after all, or nothing."""
        return self._closed(url)

    def note(self, url: str, page: Page, gain: Gain) -> None:
        """Learn from a page that was fetched."""
        shape = shape_of(url)
        ledger = self._ledgers.get(shape)
        if ledger is None:
            ledger = self._ledgers[shape] = Ledger()
        ledger.pages += 1
        if ledger.pages < FIRST_COMPARED:
            return
        words = _find_words(page.text)
        near = any(_overlap(words, other) >= NEAR for other in ledger.words)
        endless = gain.own > 0 and (looks_like_dates(url) or url.count("=") > 1)
        ledger.words.append(words)
        ledger.stale.append(not gain.forms and not gain.outside and (near or endless))
        if not ledger.closed and sum(ledger.stale) >= STALE:
            ledger.closed = _name_trap(url, near)

    def _closed(self, url: str) -> str:
        if not self._ledgers:
            return ""
        ledger = self._ledgers.get(shape_of(url))
        return ledger.closed if ledger else ""

    def _multiple(self, url: str, seen: set[str]) -> str:
        reason, base = multiple_of(url)
        if not reason:
            return ""
        known = base and (base in seen or base in self._bases)
        if base:
            self._bases.add(base)
        self._multiples[reason] = self._multiples.get(reason, 0) + (0 if known else 1)
        if known:
            return f"trap: {reason} of a known page"
        return f"trap: {reason}" if self._multiples[reason] > MULTIPLES else ""

    def _combined_parameters(self, path: str, query: str) -> str:
        """Facets: a set of parameters of which two or more can each be left out."""
        if not query:
            return ""
        names = frozenset(name for name, _ in parameters(query))
        known = self._names.setdefault(path, set())
        optional = sum(1 for name in names if names - {name} in known) if len(names) > 1 else 0
        known.add(names)
        return "trap: facets combined" if optional > 1 and self._count_combination(path) else ""

    def _combined_path(self, path: str) -> str:
        """Facets in the path: the same words in another order, or words that can each be left out."""
        parts = tuple(part for part in path.split("/") if part)
        self._paths.add(parts)
        if len(parts) < 3:
            return ""
        first = self._sorted_paths.setdefault(tuple(sorted(parts)), parts)
        if first != parts and not any(part.isdigit() for part in parts) and self._count_combination(parts[0]):
            return "trap: facets combined"
        optional = sum(
            1
            for place, part in enumerate(parts)
            if not part.isdigit() and parts[:place] + parts[place + 1 :] in self._paths
        )
        if optional > 1 and self._count_combination(parts[0]):
            return "trap: facets combined"
        return ""

    def _count_combination(self, place: str) -> bool:
        """Count one more combination and say whether that is too many."""
        self._combinations[place] = self._combinations.get(place, 0) + 1
        return self._combinations[place] > COMBINATIONS


def _endless_address(path: str, query: str) -> str:
    if path.count("/") > MAX_SEGMENTS or query.count("=") > MAX_PARAMETERS:
        return "trap: address too long"
    if repeats_itself(path):
        return "trap: path repeats itself"
    return ""


def _name_trap(url: str, near: bool) -> str:
    if looks_like_dates(url):
        return "trap: endless calendar"
    return "trap: near-identical pages" if near else "trap: endless variants"


@lru_cache(maxsize=256)  # asked again when a strategy is replayed over a recording
def _find_words(text: str) -> frozenset[str]:
    return frozenset(text[:WORDS_COMPARED].translate(_WITHOUT_DIGITS).split())


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    together = len(first | second)
    return len(first & second) / together if together else 1.0
