"""Trap defences: every kind of endlessness costs a bounded number of pages, and is named.

Two sorts of knowledge. What an address says by itself (a path in circles, a sort order of a page that is known), and
what the pages behind addresses of one shape have shown: when most of the last pages of a shape brought nothing new,
the shape is closed. Beside that, what a site shows about its own addresses: parameters that do not matter.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache

from dowse.model import Page
from dowse.reasons import SkipKind, SkipReason, Trap
from dowse.url import sorted_parameters

# -- the shape of an address: what stays when numbers, dates and hashes change

_VARIABLE = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[a-f]{0,40}\d)[0-9a-f]{7,}|\d+(?:[-.]\d+)*", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_DATE_WORDS = re.compile(
    r"(?:^|[/?&;_-])(?:cal|calendar|kalender|calendario|agenda|events?|y|yr|year|month|mon|ym|day|date|week|wk)(?:[/=&;?_-]|$)",
    re.I,
)
_DATE_VALUE = re.compile(
    r"(?:19|20|21)\d\d(?:[-/.]?(?:0?[1-9]|1[0-2]))(?!\d)|\b(?:0?[1-9]|1[0-2])[-/.](?:19|20|21)\d\d\b"
)


def path_and_query(url: str) -> tuple[str, str]:
    """Return the path and the query of a canonical address."""
    path, _, query = url[url.find("/", 8) :].partition("?")
    return path, query


def parameters(query: str) -> list[tuple[str, str]]:
    """Return names and values of a query, whichever separator it uses."""
    pairs = []
    for part in re.split("[&;]", query):
        name, _, value = part.partition("=")
        if name:
            pairs.append((name, value))
    return pairs


@lru_cache(maxsize=4096)  # asked for when an address is offered, taken and read
def shape_of(url: str) -> str:
    """Return the address without what varies: /item/0?color&size for /item/17?size=3&color=red."""
    path, query = path_and_query(url)
    if _DIGIT.search(path):
        path = _VARIABLE.sub("0", path)
    if not query:
        return path
    return f"{path}?{'&'.join(sorted({name for name, _ in parameters(query)}))}"


def looks_like_dates(url: str) -> bool:
    """Return True if an address names a day, month or year."""
    path, query = path_and_query(url)
    tail = f"{path}?{query}"
    return bool(_DATE_WORDS.search(tail) and re.search(r"\d", tail)) or bool(_DATE_VALUE.search(tail))


def repeats_itself(path: str) -> bool:
    """Return True if a path runs in circles, such as /a/b/a/b/a/b or /x/x/x/x."""
    parts = [part for part in path.split("/") if part]
    for size in range(1, min(5, len(parts) // 3 + 1)):
        for start in range(len(parts) - 3 * size + 1):
            block = parts[start : start + size]
            if parts[start + size : start + 2 * size] == block == parts[start + 2 * size : start + 3 * size]:
                return True
    return len(parts) >= 6 and len(set(parts)) <= len(parts) // 2


# -- views that software multiplies: the same page sorted, resized, printed, compared, edited

# Each row is a view of a page that is also there without it: parameter name, parameter value (empty: any).
_PARAMETERS: tuple[tuple[Trap, str, str], ...] = (
    (Trap.SORT_ORDER, r"sort\w*|\w+[_-]sort|order_?by|order_?dir|ordering|sens|tri|sortierung|orden", r""),
    (Trap.SORT_ORDER, r"order|dir|direction|desc|asc", r"(?!\d{2})[\w.+-]{0,24}"),
    (Trap.SORT_ORDER, r"[co]", r"[A-Z]"),  # directory listings: ?C=N;O=D
    (Trap.PAGE_SIZE, r"limit|per_?page|page_?size|\w+_?per_?page|num_?results|rows|rpp|ipp|count", r"\d+|all|max"),
    (Trap.PRINT_VIEW, r"print\w*|\w+_print|pf", r""),
    (Trap.PRINT_VIEW, r"layout|tmpl|format|view|output|mode|style|type|media", r"print\w*|pdf|xml|json|rss|atom|te?xt|raw|component|mobile|amp|plain|csv"),
    (Trap.PAGE_STYLE, r"view|mode|display|layout|style|skin|theme|useskin|viewmode", r"grid|list|table|tiles?|gallery|compact|full|thumbs?|dark|light|classic"),
    (Trap.HISTORY, r"action|do|a|op|cmd", r"history|revisions?|log|shortlog|hist|recent|info|backlinks?"),
    (Trap.HISTORY, r"oldid|rev|revision|rev_?id|version_?id|hb|hp|hpb|h|commit|sha", r"\d+|[0-9a-f]{7,}"),
    (Trap.DIFFERENCE, r"diff\w*|oldid2|rev1|rev2|rev2\[\]|compare\w*|\w+diff", r""),
    (Trap.DIFFERENCE, r"action|do|a|op|cmd", r"\w*diff\w*|compare"),
    (Trap.EDIT, r"action|do|a|op|cmd|veaction|task|mode", r"edit\w*|submit|log-?in|log-?out|register|delete|move|protect|purge|unwatch|watch|reply|quote|report|rollback|undo|media|raw|source|export\w*"),
    (Trap.SHARE, r"replytocom|reply_?to|share", r""),
    (Trap.SHARE, r"return\w*|redirect\w*|next|destination|back_?url|ref|referer|referrer|from|continue|goto", r"(?:https?(?::|%3A)|/|%2F|\.\.?/).*|.*\.html?"),
)  # fmt: skip
_WORDS_IN_PATH: tuple[tuple[Trap, str], ...] = (
    (Trap.PRINT_VIEW, r"print|printable|print-?view|printer-friendly|druck\w*|imprimir|imprimer"),
    (Trap.HISTORY, r"history|revisions?|commits?|shortlog|changelog|recentchanges|log|changesets?|old-?versions?|versions"),
    (Trap.DIFFERENCE, r"diff|diffs|compare|blame|annotate|patch|rawdiff|commitdiff"),
    (Trap.EDIT, r"edit|login|logout|signin|sign-in|lostpassword|reply|report-abuse|email-friend|sendtofriend|share"),
)  # fmt: skip

_BY_PARAMETER = [
    (reason, re.compile(rf"\A(?:{name})$", re.I), re.compile(rf"\A(?:{value})$", re.I) if value else None)
    for reason, name, value in _PARAMETERS
]
_BY_PATH = [(reason, re.compile(rf"[/:;.](?:{word})(?:[/:;.]|$)")) for reason, word in _WORDS_IN_PATH]


@lru_cache(maxsize=4096)  # asked again when a strategy is replayed over a recording
def view_of(url: str) -> tuple[Trap | None, str]:
    """Return which view of another page an address is, and that page's address; None when it is none."""
    path, query = path_and_query(url)
    if query:
        pairs = parameters(query)
        reasons = [(_parameter_reason(name, value), name, value) for name, value in pairs]
        found = next((reason for reason, _, _ in reasons if reason), None)
        if found:
            separator = ";" if ";" in query and "&" not in query else "&"
            kept = separator.join(f"{name}={value}" for reason, name, value in reasons if not reason)
            head = url.partition("?")[0]
            return found, f"{head}?{kept}" if kept else head
    path = path.lower()
    for reason, word in _BY_PATH:
        if word.search(path):
            return reason, ""
    return None, ""


def _parameter_reason(name: str, value: str) -> Trap | None:
    for reason, names, values in _BY_PARAMETER:
        if names.match(name) and (values is None or values.match(value)):
            return reason
    return None


# -- what a site shows about its own addresses: parameters and orders that do not matter

MIN_EQUAL_PAGES = 2  # until a parameter counts as noise
MAX_LEARNED_PARAMETERS = 8  # of an address, up to which it teaches anything


@dataclass(slots=True)
class Sameness:
    """Learns, from pages that were equal or not, which addresses of a site mean the same."""

    noise: set[str] = field(default_factory=set)
    order_matters: bool = True
    contents: dict[str, int] = field(default_factory=dict)  # an address without one parameter -> content seen there
    equal: dict[str, int] = field(default_factory=dict)
    different: set[str] = field(default_factory=set)
    orders: dict[str, tuple[str, int]] = field(default_factory=dict)  # sorted address -> first address, content

    def key(self, url: str) -> str:
        """Return the address as the site means it."""
        if "?" not in url:
            return url
        if self.noise:
            url = _without(url, self.noise)
        return url if self.order_matters else sorted_parameters(url)

    def learn(self, url: str, content: int) -> bool:
        """Note what an address showed; return True if addresses have a new meaning now."""
        pairs = parameters(path_and_query(url)[1])
        if not pairs or len(pairs) > MAX_LEARNED_PARAMETERS:
            return False
        before = len(self.noise), self.order_matters
        first, seen = self.orders.setdefault(sorted_parameters(url), (url, content))
        if first != url and seen == content:
            self.order_matters = False
        for name in {name for name, _ in pairs} - self.noise:
            group = f"{name} {_without(url, {name})}"
            if group not in self.contents:
                self.contents[group] = content
            elif self.contents[group] != content:
                self.different.add(name)
            else:
                self.equal[name] = self.equal.get(name, 0) + 1
                if self.equal[name] >= MIN_EQUAL_PAGES and name not in self.different:
                    self.noise.add(name)
        return before != (len(self.noise), self.order_matters)


def _without(url: str, names: set[str]) -> str:
    head, mark, query = url.partition("?")
    if not mark:
        return url
    kept = [part for part in query.split("&") if part.partition("=")[0] not in names]
    return f"{head}?{'&'.join(kept)}" if kept else head


# -- the traps of one site

MAX_VIEW_PAGES = 20  # pages of one sort of view (print views, histories ...) that a site may cost
MAX_FACET_PAGES = 20  # combinations of facets that one path may cost
SHAPE_WINDOW_PAGES = 16  # pages of one shape that are looked back on
MAX_STALE_PAGES = 12  # of those, how many may bring nothing before the shape is closed
NEAR_IDENTICAL_SHARE = 0.95  # shared words from which two pages count as near-identical
COMPARED_PAGES = 3  # earlier pages of the shape that a page is compared with
MIN_SHAPE_PAGES = 4  # pages of a shape before comparing starts: most shapes never get there
MAX_SEGMENTS = 24  # of a path: more than people write
MAX_URL_PARAMETERS = 16  # of an address, likewise
COMPARED_CHARS = 20_000  # of a page
_FACETS = SkipReason(SkipKind.TRAP, Trap.FACETS)
_WITHOUT_DIGITS = str.maketrans("", "", "0123456789")


@dataclass(frozen=True, slots=True)
class PageGain:
    """What a page brought: new links of its own shape, new links of others, new forms."""

    own: int = 0
    outside: int = 0
    forms: int = 0


@dataclass(slots=True)
class ShapeLedger:
    """What the pages of one shape have brought."""

    pages: int = 0
    closed: Trap | None = None
    stale: deque[bool] = field(default_factory=lambda: deque(maxlen=SHAPE_WINDOW_PAGES))
    words: deque[frozenset[str]] = field(default_factory=lambda: deque(maxlen=COMPARED_PAGES))


@dataclass(slots=True)
class Traps:
    """The memory of one site's search about what multiplies there."""

    ledgers: dict[str, ShapeLedger] = field(default_factory=dict)
    views: dict[Trap, int] = field(default_factory=dict)
    bases: set[str] = field(default_factory=set)
    combinations: dict[str, int] = field(default_factory=dict)
    names: dict[str, set[frozenset[str]]] = field(default_factory=dict)  # path -> sets of parameter names seen
    paths: set[tuple[str, ...]] = field(default_factory=set)
    sorted_paths: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    def judge(self, url: str, seen: Collection[str]) -> SkipReason | None:
        """Return why an address that was just found should not be followed, or None."""
        path, query = path_and_query(url)
        if path.count("/") > MAX_SEGMENTS or query.count("=") > MAX_URL_PARAMETERS:
            return SkipReason(SkipKind.TRAP, Trap.LONG_ADDRESS)
        if repeats_itself(path):
            return SkipReason(SkipKind.TRAP, Trap.REPEATED_PATH)
        return (
            self._judge_view(url, seen)
            or (self._judge_facets(path, query) if query else None)
            or self._judge_path_facets(path)
            or self.judge_again(url)
        )

    def judge_again(self, url: str) -> SkipReason | None:
        """Return why an address that waited should not be fetched after all, or None: the shape of it was closed."""
        ledger = self.ledgers.get(shape_of(url)) if self.ledgers else None
        return SkipReason(SkipKind.TRAP, ledger.closed) if ledger and ledger.closed else None

    def note(self, url: str, page: Page, gain: PageGain) -> None:
        """Learn from a page that was fetched."""
        shape = shape_of(url)
        ledger = self.ledgers.get(shape)
        if ledger is None:
            ledger = self.ledgers[shape] = ShapeLedger()
        ledger.pages += 1
        if ledger.pages < MIN_SHAPE_PAGES:
            return
        words = _find_words(page.text)
        near = any(_overlap(words, other) >= NEAR_IDENTICAL_SHARE for other in ledger.words)
        endless = gain.own > 0 and (looks_like_dates(url) or url.count("=") > 1)
        ledger.words.append(words)
        ledger.stale.append(not gain.forms and not gain.outside and (near or endless))
        if not ledger.closed and sum(ledger.stale) >= MAX_STALE_PAGES:
            otherwise = Trap.NEAR_IDENTICAL if near else Trap.VARIANTS
            ledger.closed = Trap.CALENDAR if looks_like_dates(url) else otherwise

    def _judge_view(self, url: str, seen: Collection[str]) -> SkipReason | None:
        reason, _ = view_of(url)
        if not reason:
            return None
        if again := self.judge_known_view(url, seen):
            return again
        self.views[reason] = self.views.get(reason, 0) + 1
        return SkipReason(SkipKind.TRAP, reason) if self.views[reason] > MAX_VIEW_PAGES else None

    def judge_known_view(self, url: str, seen: Collection[str]) -> SkipReason | None:
        """Return why an address shows a page that was seen, or another view of it; None where it is the first."""
        reason, base = view_of(url)
        if not base:
            return None
        known = base in seen or base in self.bases
        self.bases.add(base)
        return SkipReason(SkipKind.TRAP, f"{reason} of a known page") if known else None

    def _judge_facets(self, path: str, query: str) -> SkipReason | None:
        """Find facets: a set of parameters of which two or more can each be left out."""
        names = frozenset(name for name, _ in parameters(query))
        known = self.names.setdefault(path, set())
        optional = sum(1 for name in names if names - {name} in known) if len(names) > 1 else 0
        known.add(names)
        return _FACETS if optional > 1 and self._count_combination(path) else None

    def _judge_path_facets(self, path: str) -> SkipReason | None:
        """Find facets in the path: the same words in another order, or words that can each be left out."""
        parts = tuple(part for part in path.split("/") if part)
        self.paths.add(parts)
        if len(parts) < 3:
            return None
        first = self.sorted_paths.setdefault(tuple(sorted(parts)), parts)
        if first != parts and not any(part.isdigit() for part in parts) and self._count_combination(parts[0]):
            return _FACETS
        optional = sum(
            1
            for place, part in enumerate(parts)
            if not part.isdigit() and parts[:place] + parts[place + 1 :] in self.paths
        )
        if optional > 1 and self._count_combination(parts[0]):
            return _FACETS
        return None

    def _count_combination(self, place: str) -> bool:
        """Count one more combination; return True if that is too many."""
        self.combinations[place] = self.combinations.get(place, 0) + 1
        return self.combinations[place] > MAX_FACET_PAGES


@lru_cache(maxsize=256)  # asked again when a strategy is replayed over a recording
def _find_words(text: str) -> frozenset[str]:
    return frozenset(text[:COMPARED_CHARS].translate(_WITHOUT_DIGITS).split())


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    together = len(first | second)
    return len(first & second) / together if together else 1.0
