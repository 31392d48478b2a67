"""Which pages of a site are like the samples: by template, by how addresses are written, and by where they are listed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import exp, log, sqrt
from statistics import median
from typing import Final

from dowse.errors import BadInput
from dowse.example.address import AddressKind, address_form, address_kind, has_more_parameters
from dowse.example.page import LinkBlock
from dowse.tree.node import Node
from dowse.tree.similarity import (
    PageShape,
    Shape,
    Threshold,
    count_mixed,
    explain_cuts,
    fingerprint_of,
    shape_of,
    similarity,
    similarity_bound,
)

# --- likeness
# How like samples a page is, beyond what all pages of their site have in common.

MAX_ENTRY_SIMILARITY: Final = (
    0.98  # that can be taken off; of an entry that is built just like the samples, something is left
)


@dataclass(frozen=True, slots=True)
class ReferenceSample:
    """A sample, and what the entry has in common with it: the frame of the site, which counts for nothing."""

    page: PageShape
    common: float

    def likeness(self, page: PageShape) -> float:
        """Return how like the sample a page is: 0 as little as the entry, 1 the same."""
        return max(0.0, (similarity(page.shape, self.page.shape) - self.common) / (1.0 - self.common))

    def needed(self, likeness: float) -> float:
        """Return the similarity that a likeness comes from."""
        return self.common + likeness * (1.0 - self.common)


def reference_sample(sample: PageShape, entry: PageShape) -> ReferenceSample:
    """Take off a sample what the entry shares with it."""
    return ReferenceSample(sample, min(MAX_ENTRY_SIMILARITY, similarity(entry.shape, sample.shape)))


def nearest_likeness(page: PageShape, samples: Iterable[ReferenceSample]) -> float:
    """Return how like the sample that it is most like a page is; fingerprints spare most comparisons."""
    best = 0.0
    for sample in samples:
        if similarity_bound(page.print, sample.page.print) > sample.needed(best):
            best = max(best, sample.likeness(page))
    return best


@dataclass(frozen=True, slots=True)
class Likeness:
    """Compares pages with the samples of a pattern."""

    samples: Sequence[ReferenceSample]
    scale: float = 1.0  # what pages of the kind reach: long texts are never very alike

    def of(self, tree: Node) -> float:
        """Return how like a sample a page is; all are where a pattern written by hand has none."""
        if not self.samples:
            return 1.0
        shape = shape_of(tree)
        return min(1.0, nearest_likeness(PageShape(shape, fingerprint_of(shape)), self.samples) / self.scale)


# --- spread
# Two spreads of values: whether they are one, which is less, and how far they are apart.

MIN_VALUES: Final = 5  # values that show no spread yet
SERIES_TERMS: Final = 20  # of a sum that ends soon
MIN_KS_STATISTIC: Final = 0.3  # under this the sum ends late, and is as good as 1


def ks_p_value(some: Sequence[float], others: Sequence[float]) -> float:
    """Return how likely it is that values which differ as these do come from one spread (Kolmogorov 1933, Smirnov 1939)."""
    n, m = len(some), len(others)
    if n < MIN_VALUES or m < MIN_VALUES:
        return 1.0
    root = sqrt(n * m / (n + m))
    reach = (root + 0.12 + 0.11 / root) * ks_distance(some, others)
    terms = ((-1) ** (k - 1) * exp(-2 * k * k * reach * reach) for k in range(1, SERIES_TERMS))
    return min(1.0, max(0.0, 2 * sum(terms))) if reach > MIN_KS_STATISTIC else 1.0


def is_median_less(some: Sequence[float], others: Sequence[float], by: float = 0.0) -> bool:
    """Tell whether some values are mostly less than others, by so much or more."""
    return bool(some) and bool(others) and median(some) < median(others) - by


def ks_distance(some: Sequence[float], others: Sequence[float]) -> float:
    """Return how far two spreads are apart: the largest part of one that lies below a value beyond that of the other."""
    first, second = sorted(some), sorted(others)
    return max(
        (
            abs(bisect_right(first, value) / len(first) - bisect_right(second, value) / len(second))
            for value in {*first, *second}
        ),
        default=0.0,
    )


# --- listed
# Where the pages of a site are listed: who stands in lists as the samples do, and what stands on every page.

MIN_LIST_LINKS: Final = 3  # links to pages of a kind that make a list of them
MAX_LINKING_PAGE_SHARE: Final = 0.3  # of all pages: what so many link to stands in a menu or a box
MIN_SIBLING_SHARE: Final = 0.5  # of some pages that stand in the samples' lists, when all may

MAX_SAMPLE_LISTS: Final = 200  # of samples that are remembered; any more are like them
_FURTHER: Final = re.compile(r"(?:[a-zA-Z_-]{1,12}/)?[a-zA-Z_-]{0,12}[0-9]{1,6}/?")  # page/2/, p2

PagePlace = tuple[AddressKind, int]  # the form of a page's address without its parameters, and a place on it
ParameterNames = frozenset[object]  # of parameters


@dataclass(slots=True)
class SiteLists:
    """The links of the pages that were seen, and what they tell of the pages they lead to."""

    named: frozenset[str]  # addresses of the samples
    start: str = ""  # address of the entry
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)
    blocks: dict[str, tuple[LinkBlock, ...]] = field(default_factory=dict)
    usual: frozenset[str] = frozenset()  # addresses that very many pages link to: of menus and boxes
    places: dict[PagePlace, set[ParameterNames]] = field(default_factory=dict)  # where samples are listed
    kinds: frozenset[AddressKind] = frozenset()  # of the samples' addresses, unless such pages list samples
    lists: dict[int, list[str]] = field(default_factory=dict)  # the pages where they are, by places
    before: frozenset[str] = frozenset()  # addresses in such places on the way to the lists of samples
    beside: frozenset[str] = frozenset()  # addresses in the same places of the same pages as samples
    kin: frozenset[str] | None = None  # addresses that are listed as the samples are; None where no list has those

    def note(self, url: str, links: tuple[str, ...], blocks: tuple[LinkBlock, ...]) -> None:
        """Note where a page leads, and which of its links stand together."""
        self.links[url], self.blocks[url] = links, blocks
        if self.kin is not None:
            self.kin = self.kin.union(*(self._list_kin(url, block) for block in blocks))

    def look_again(self, same: Collection[str] = ()) -> None:
        """Find anew what stands everywhere, and what stands where the samples do; where no list has them, where many pages that are the same do."""
        linked = Counter(link for links in self.links.values() for link in links)
        most = max(MIN_LIST_LINKS, MAX_LINKING_PAGE_SHARE * len(self.links))
        self.usual = frozenset(url for url, count in linked.items() if count > most)
        there = [(page, block) for page, block in self._blocks() if self._count(block, self.named - {page})]
        there = there or [(page, block) for page, block in self._blocks() if self._count(block, same) >= MIN_LIST_LINKS]
        self.places, self.lists = defaultdict(set), defaultdict(list)
        for page, block in there[:MAX_SAMPLE_LISTS]:
            place, names = _page_place(page, block.place)
            self.places[place].add(names)
            self.lists[block.place].append(page)
        self.kinds = frozenset(map(address_kind, self.named)).difference(address_kind(page) for page, _ in there)
        found = (self._list_kin(page, block) for page, block in self._blocks())
        self.kin = frozenset().union(*found) if there else None
        self.before = self._find_before() if there else frozenset()
        lists = {(page, block.place) for page, block in there}
        found = (block.links for page, block in self._blocks() if (page, block.place) in lists)
        self.beside = frozenset().union(*found) - self.usual

    def _blocks(self) -> Iterator[tuple[str, LinkBlock]]:
        return ((page, block) for page, blocks in self.blocks.items() for block in blocks)

    def _find_before(self) -> frozenset[str]:
        """Return what stands in the samples' places on the way to their lists: on the entry, and on pages that lead to those lists."""
        lists = {page for page, block in self._blocks() if self._list_kin(page, block)} - self.usual
        kinds = set(map(address_kind, self.named))
        ways = {
            page
            for page, links in self.links.items()
            if address_kind(page) not in kinds and not lists.isdisjoint(links)
        }
        found = (
            block.links for page, block in self._blocks() if page in ways | {self.start} and block.place in self.lists
        )
        return frozenset().union(*found)

    def _count(self, block: LinkBlock, wanted: Collection[str]) -> int:
        return sum(link in wanted and link not in self.usual for link in block.links)

    def _list_kin(self, page: str, block: LinkBlock) -> tuple[str, ...]:
        """Return what a block lists where samples are listed; of a menu, what is not on every page."""
        if not self._is_place(page, block.place):
            return ()
        others = tuple(link for link in block.links if link not in self.usual)
        return block.links if 2 * len(others) > len(block.links) else others

    def _is_place(self, page: str, place: int) -> bool:
        """Tell whether samples are listed in such a place of such pages; further pages of a list have more parameters, or numbered folders."""
        key, names = _page_place(page, place)
        if address_kind(page) in self.kinds and page not in self.lists.get(place, ()):
            return False  # a page that may be like a sample lists what it likes
        if any(names <= known or known <= names for known in self.places.get(key, ())):
            return True
        return any(_are_pages_of_one_list(page, each) for each in self.lists.get(place, ()))

    def is_kin(self, url: str) -> bool:
        """Tell whether an address is listed as the samples are, as far as such lists were seen."""
        return self.kin is None or url in self.kin

    def are_kin(self, urls: Collection[str]) -> bool:
        """Tell whether many of some addresses are."""
        return sum(map(self.is_kin, urls)) >= MIN_SIBLING_SHARE * len(urls)

    def group_by_place(self, urls: Iterable[str]) -> Iterator[set[str]]:
        """Yield those of some addresses that are listed in one place, on whatever page of a form."""
        wanted = set(urls) - self.usual
        groups: dict[PagePlace, set[str]] = defaultdict(set)
        for page, block in self._blocks():
            groups[_page_place(page, block.place)[0]].update(wanted.intersection(block.links))
        yield from filter(None, groups.values())

    def group_by_list(self, urls: Iterable[str]) -> Iterator[set[str]]:
        """Yield those of some addresses that stand in one place of one page."""
        wanted = set(urls) - self.usual
        groups: dict[tuple[str, int], set[str]] = defaultdict(set)
        for page, block in self._blocks():
            groups[page, block.place].update(wanted.intersection(block.links))
        yield from filter(None, groups.values())

    def find_together(self, kinds: Collection[AddressKind]) -> dict[AddressKind, float]:
        """Return for each kind of addresses the part of its lists that have addresses of some kinds too; what every page has is no list."""
        lists: Counter[AddressKind] = Counter()
        mixed: Counter[AddressKind] = Counter()
        for _, block in self._blocks():
            counts = Counter(address_kind(link) for link in block.links if link not in self.usual)
            listed = [kind for kind, count in counts.items() if count >= MIN_LIST_LINKS]
            lists.update(listed)
            if sum(counts[kind] for kind in kinds) >= MIN_LIST_LINKS:
                mixed.update(listed)
        return {kind: mixed[kind] / count for kind, count in lists.items()}

    def count(self, page: str, wanted: Callable[[str], bool]) -> int:
        """Return how many addresses of some sort stand together on a page at most."""
        return max(
            (
                sum(link not in self.usual and wanted(link) for link in block.links)
                for block in self.blocks.get(page, ())
            ),
            default=0,
        )


def _page_place(page: str, place: int) -> tuple[PagePlace, ParameterNames]:
    form = address_form(page)
    names = form[-1] if len(form) > 1 else ()
    return (form[:-1], place), frozenset(names) if isinstance(names, tuple) else frozenset()


def _are_pages_of_one_list(page: str, other: str) -> bool:
    """Tell whether two pages are pages of one list: their addresses differ in a folder with a number at the end."""
    short, long = sorted((page, other), key=len)
    return short.endswith("/") and long.startswith(short) and _FURTHER.fullmatch(long[len(short) :]) is not None


# --- judge
# Which pages of a site are like the samples: by how alike they are, where the likenesses part, and how addresses are written.

MAX_JUDGE_SAMPLES: Final = 10  # those given and those found; each costs a comparison on every page
MAX_FOUND_SAMPLE_SIMILARITY: Final = 0.9  # a page that was found is a sample only where it shows more than the frame
STRICT_LIKENESS: Final = (
    0.7  # until then, and where nothing parts, this much beyond the site's frame is like the sample
)
MIN_LIKENESS: Final = 0.3  # less is never like it
SAMPLE_LIKENESS: Final = 0.6  # pages with an address like the sample's that are this alike are samples themselves
EQUAL_LIKENESS: Final = 0.97  # as good as equal
PURITY_WEIGHT: Final = 2.0  # what addresses weigh beside a gap
GAP_SMOOTHING: Final = 0.2  # keeps the logarithm of what differs finite: less than this does not tell templates apart
MAX_GAP_LIKENESS: Final = 0.6  # what is more like the sample than this is no other kind of page
MIN_GAP_WIDTH: Final = (
    0.15  # a gap among pages with the sample's kind of address that says they are two kinds after all
)
MAX_LOW_SHARE: Final = 0.6  # of the pages that are listed as the samples are
STRAY_SHARE: Final = 0.02  # of them: a link or two in a list lead elsewhere
MIN_OTHER_PAGES: Final = 10  # of those, to know what is usual
SCALE_QUANTILE: Final = 0.9  # of the pages with the samples' kind of address are less like them than the scale
MIN_SCALE: Final = 0.1
MIN_P_VALUE: Final = (
    1e-4  # chance under which it is no accident that pages listed elsewhere are otherwise like the sample
)
MIN_P_VALUE_ELSEWHERE: Final = 0.02  # the same for pages that no list of the samples has
MIN_APART_DISTANCE: Final = (
    0.9  # the distance between what one list has and what others have, when it is another kind of list
)
MIN_MEDIAN_DIFFERENCE: Final = 0.2  # that they are less alike than what stands beside a sample
MIN_LONG_LIST_LINKS: Final = 12  # links to pages with addresses like the samples'
LONG_LIST_PAGE_SHARE: Final = 0.15  # of all such pages
MIN_MIXED_LIST_SHARE: Final = 0.3  # of the lists of some pages: so many list others too when both are the same
LOWEST_OWN_LIKENESS: Final = 0.02  # like the sample at all
MIN_STRUCTURED_SCALE: Final = 0.75  # with a scale under this pages are texts, whose build says little
UNKNOWN_THRESHOLD: Final = Threshold(STRICT_LIKENESS, "too few pages to see a spread", 0.0)


@dataclass(slots=True)
class Judge:
    """Judges the pages of one site, better with every page."""

    entry: PageShape
    samples: list[ReferenceSample]
    listed: SiteLists
    kinds: frozenset[
        AddressKind
    ]  # of the given samples' addresses, and those that are listed as they are and written like them
    forms: frozenset[AddressKind]  # the same, without the names of folders
    count: int  # of the samples that were given
    scale: float = 1.0  # what pages with addresses like the samples' reach beyond that: long texts are never very alike
    pages: dict[str, PageShape] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)  # similarity to the nearest sample
    given: dict[str, float] = field(default_factory=dict)  # likeness to the samples that were given
    threshold: Threshold = UNKNOWN_THRESHOLD
    own: float = STRICT_LIKENESS  # the threshold for addresses of the samples' kind in their lists
    taken: list[str] = field(default_factory=list)  # pages that are samples themselves, after those that were given
    tried: set[str] = field(default_factory=set)  # pages that were taken as samples, or could not be
    lists: frozenset[str] = frozenset()  # pages that list many of the pages with addresses like the samples'
    written: frozenset[str] = frozenset()  # pages with addresses of the samples' kind, without the samples
    kin: frozenset[str] = frozenset()  # of them, those that are listed as the samples are
    near: frozenset[AddressKind] = frozenset()  # kinds of addresses that only look like it
    strangers: frozenset[str] = frozenset()  # pages with such an address that are listed elsewhere, and vary otherwise

    @property
    def named(self) -> frozenset[str]:
        """Addresses of the given samples: they are like themselves, which tells nothing."""
        return self.listed.named

    def add(self, url: str, shape: Shape, links: tuple[str, ...] = (), blocks: tuple[LinkBlock, ...] = ()) -> float:
        """Take a page, and return how like a sample it is beyond what all pages of the site share."""
        self.listed.note(url, links, blocks)
        page = self.pages[url] = PageShape(shape, fingerprint_of(shape))
        self.given[url] = nearest_likeness(page, self.samples[: self.count])
        self.scores[url] = max(self.given[url], nearest_likeness(page, self.samples[self.count :]))
        return self.likeness(url)

    def likeness(self, url: str) -> float:
        """Return how like a sample a page is: 0 as little as the entry, 1 as much as those of its kind that are most like it."""
        return min(1.0, self.scores[url] / self.scale)

    def is_target(self, url: str) -> bool:
        """Tell whether a page counts as like the samples."""
        if url in self.named:
            return True
        kind, is_usual = address_kind(url), url in self.listed.usual
        if kind in self.near or url in self.lists or url in self.strangers or (is_usual and kind not in self.kinds):
            return False
        own = kind in self.kinds and (url in (self.listed.kin or ()) if is_usual else self.listed.is_kin(url))
        return self.likeness(url) >= (self.own if own else self.threshold.value)

    def judge_again(self) -> None:
        """Find the thresholds anew, with further samples among the pages that are surely like those given."""
        self.kinds = frozenset(map(address_kind, self.named))
        self.written = self._find_written()
        self.listed.look_again({url for url in self.written if self.given[url] >= EQUAL_LIKENESS})
        if self.listed.kin is not None:
            kin = self._find_mixed_kinds(self.listed.kin)
            self.kinds |= kin if self._does_entry_list() else kin | self._find_kin_kinds(self.listed.kin)
            self.written = self._find_written()
        self.kin = frozenset(filter(self.listed.is_kin, self.written))
        self.lists, self.near, self.strangers = self._find_lists(), self._find_near(), self._find_strangers()
        self._drop_samples()
        self._find_thresholds()
        while len(self.samples) < MAX_JUDGE_SAMPLES and (url := self._find_sample()):
            self._take_sample(url)
            self._find_thresholds()

    def _find_thresholds(self) -> None:
        self.scale = self._find_scale()
        values = {url: self.likeness(url) for url in self.pages if url not in self.named | self.lists}
        is_kin = self.listed.is_kin
        self.threshold = find_cut([(likeness, (is_kin(url), *address_kind(url))) for url, likeness in values.items()])
        self.own = self._find_own(values)

    def _find_written(self) -> frozenset[str]:
        return frozenset(url for url in self.pages if self._is_own(url) and url not in self.named)

    def _find_kin_kinds(self, kin: frozenset[str]) -> frozenset[AddressKind]:
        """Return the kinds of addresses that are listed as the samples are, and written like them but for the names of folders.

        Many kinds with few pages each have folders that name what the pages are about; few with many are parts of the site.
        """
        formed = Counter(address_kind(url) for url in self.pages if address_form(url) in self.forms)
        there = Counter(address_kind(url) for url in kin.intersection(self.pages) if address_form(url) in self.forms)
        found = frozenset(kind for kind, count in there.items() if count > MIN_SIBLING_SHARE * formed[kind])
        return found if len(found) ** 2 >= sum(there[kind] for kind in found) else frozenset()

    def _find_mixed_kinds(self, kin: frozenset[str]) -> frozenset[AddressKind]:
        """Return the kinds of addresses that are listed as the samples are, and mostly in one list with such as theirs."""
        together = self.listed.find_together(self.kinds)
        pages = Counter(map(address_kind, self.pages))
        there = Counter(map(address_kind, kin.intersection(self.pages)))
        return frozenset(
            kind
            for kind, count in there.items()
            if count > MIN_SIBLING_SHARE * pages[kind]
            and together.get(kind, 0) >= MIN_SIBLING_SHARE
            and not self._is_further(kind)
        )

    def _is_further(self, kind: AddressKind) -> bool:
        """Tell whether addresses are the samples' with more parameters: further pages of one thing."""
        return any(has_more_parameters(kind, each) for each in map(address_kind, self.named))

    def _find_scale(self) -> float:
        if self.listed.kin is None:
            return 1.0
        reached = sorted(self.scores[url] for url in self.kin)
        return max(MIN_SCALE, reached[int(len(reached) * SCALE_QUANTILE)]) if len(reached) >= MIN_VALUES else 1.0

    @property
    def _is_indistinct(self) -> bool:
        """Whether the entry is built like the samples, so that all pages may be."""
        return any(sample.common >= MAX_ENTRY_SIMILARITY for sample in self.samples[: self.count])

    def _is_own(self, url: str) -> bool:
        return address_kind(url) in self.kinds

    def _find_sample(self) -> str | None:
        """Return the page least like the samples of those that are surely like them, and are listed as they are."""
        alike = (url for url in self.pages if address_form(url) in self.forms and self.listed.is_kin(url))
        sure = [
            url for url in alike if url not in self.tried and SAMPLE_LIKENESS <= self.likeness(url) < EQUAL_LIKENESS
        ]
        return min(filter(self.is_target, sure), key=self.likeness, default=None)

    def _find_lists(self) -> frozenset[str]:
        own = self.kin - self.listed.usual
        least = max(MIN_LONG_LIST_LINKS, LONG_LIST_PAGE_SHARE * len(own))
        return frozenset(url for url, links in self.listed.links.items() if len(own.intersection(links)) >= least)

    def _find_near(self) -> frozenset[AddressKind]:
        """Return the kinds of addresses whose pages are near the samples and seem to be made by another template.

        Pages of one template vary in the same ways wherever they stand, and stand in the same lists however their
        addresses are written.
        """
        others: dict[AddressKind, list[str]] = defaultdict(list)
        for url in self.pages:
            if not self._is_own(url):
                others[address_kind(url)].append(url)
        formed = {address_kind(url) for url in self.pages if address_form(url) in self.forms}
        if self._is_indistinct:
            return frozenset(kind for kind in others if kind not in formed)  # only addresses tell them from lists
        together = self.listed.find_together(self.kinds)
        listed = (
            kind
            for kind in self._find_wanted([kind for kind in others if not self._is_further(kind)])
            if together.get(kind, 0) >= MIN_MIXED_LIST_SHARE
            or ((kind in formed or together.get(kind, 0)) and self.listed.are_kin(others[kind]))
        )
        alike = {kind for kind in listed if self._vary_alike(others[kind]) and not self._do_lead(others[kind])}
        return frozenset(others.keys() - alike)

    def _find_wanted(self, kinds: Collection[AddressKind]) -> Collection[AddressKind]:
        """Return the kinds that may be wanted: where the entry lists most pages with addresses like the samples', those it lists."""
        if not self._does_entry_list():
            return kinds
        counts = Counter(map(address_kind, self.listed.links[self.listed.start]))
        return [kind for kind in kinds if counts[kind] >= MIN_LIST_LINKS]

    def _does_entry_list(self) -> bool:
        listed = self.written.intersection(self.listed.links.get(self.listed.start, ()))
        return len(self.written) >= MIN_VALUES and len(listed) >= len(self.written) / 2

    def _find_strangers(self) -> frozenset[str]:
        """Return the pages with addresses like the samples' that do not vary as those do where they are listed.

        On a site where the entry is built like the samples, pages tell nothing: who is not listed with them is a stranger.
        """
        kin, others = self.kin, self.written - self.kin - self.listed.before
        if self._is_indistinct:
            return others
        elsewhere = self.listed.group_by_place(others)
        strange = [group for group in elsewhere if not self._vary_alike(group, MIN_P_VALUE_ELSEWHERE, 0.0)]
        apart = [group for group in self.listed.group_by_list(kin) if self._are_apart(group)]
        return frozenset().union(*strange, *apart)

    def _vary_alike(self, pages: Iterable[str], doubt: float = MIN_P_VALUE, by: float = MIN_MEDIAN_DIFFERENCE) -> bool:
        """Tell whether pages may be as like the samples as those that are listed with them by chance, or differ by little."""
        some, others = [self.given[url] for url in pages], [self.given[url] for url in self.kin]
        return not is_median_less(some, others, by) or ks_p_value(some, others) >= doubt

    def _are_apart(self, pages: Collection[str]) -> bool:
        """Tell whether what one list lists is altogether less like the samples than what stands with them."""
        beside = self.kin.intersection(self.listed.beside)
        some = [self.given[url] for url in pages]
        others = [self.given[url] for url in (beside if len(beside) >= MIN_VALUES else self.kin.difference(pages))]
        return (
            is_median_less(some, others, MIN_MEDIAN_DIFFERENCE)
            and ks_p_value(some, others) < MIN_P_VALUE
            and ks_distance(some, others) >= MIN_APART_DISTANCE
        )

    def _find_own(self, values: Mapping[str, float]) -> float:
        """Return the threshold for addresses like the samples' in their lists; lower where those under a gap are no lists."""
        own = {url for url in values if self._is_own(url) and self.listed.is_kin(url)}
        others = [each for url, each in values.items() if url not in own]
        found = _find_gap([values[url] for url in own], others, self.threshold.value)
        low = {url for url in own if values[url] < found} - self.listed.usual
        many = len(own) if self._is_indistinct or self._does_entry_list() else MAX_LOW_SHARE * len(own)
        if self.listed.kin is None or not max(1, STRAY_SHARE * len(own)) < len(low) <= many:
            return found
        if self._do_lead(low):
            return found
        return LOWEST_OWN_LIKENESS if self.scale >= MIN_STRUCTURED_SCALE and not self._is_indistinct else 0.0

    def _do_lead(self, pages: Collection[str]) -> bool:
        """Tell whether pages are lists of pages with addresses like the samples', more than those are themselves."""
        usual = sorted(map(self._count_own, self.kin))
        most = max(usual[int(len(usual) * SCALE_QUANTILE)] if usual else 0, *map(self._count_own, self.named))
        leading = sum(self._count_own(url) >= max(MIN_LIST_LINKS, 2 * most) for url in pages)
        return leading > MIN_MIXED_LIST_SHARE * len(pages)

    def _count_own(self, url: str) -> int:
        """Return how many pages with addresses like the samples' stand together on a page."""
        return self.listed.count(url, self._is_own)

    def _drop_samples(self) -> None:
        """Take back samples that turned out to be something else."""
        wrong = self.lists | self.strangers
        kept = [url for url in self.taken if url not in wrong and self.listed.is_kin(url)]
        if len(kept) == len(self.taken):
            return
        self.taken, self.scores = [], dict(self.given)
        del self.samples[self.count :]
        for url in kept:
            self._take_sample(url)

    def _take_sample(self, url: str) -> None:
        self.tried.add(url)
        sample = reference_sample(self.pages[url], self.entry)
        if sample.common > MAX_FOUND_SAMPLE_SIMILARITY:
            return
        self.samples.append(sample)
        self.taken.append(url)
        for each, page in self.pages.items():
            if similarity_bound(page.print, sample.page.print) > sample.needed(self.scores[each]):
                self.scores[each] = max(self.scores[each], sample.likeness(page))


def open_judge(samples: Mapping[str, Shape], entry: Shape, start_url: str = "") -> Judge:
    """Take samples by their addresses, and the entry to start from; an entry that is like them tells nothing."""
    start = PageShape(entry, fingerprint_of(entry))
    taken = [reference_sample(PageShape(shape, fingerprint_of(shape)), start) for shape in samples.values()][
        :MAX_JUDGE_SAMPLES
    ]
    if any(each.common >= MAX_ENTRY_SIMILARITY for each in taken) and address_kind(start_url) in set(
        map(address_kind, samples)
    ):
        raise BadInput(
            "the entry is itself like the sample; give a page that leads to such pages, such as a list of them"
        )
    kinds, forms = frozenset(map(address_kind, samples)), frozenset(map(address_form, samples))
    return Judge(start, taken, SiteLists(frozenset(samples), start_url), kinds, forms, len(taken))


def _find_gap(values: Sequence[float], others: Sequence[float], usual: float) -> float:
    """Return the threshold for addresses like the sample's.

    Where a wide gap parts them, the address of the sample is no sign.
    """
    ranked = sorted(values)
    if len(ranked) < MIN_VALUES:
        return usual
    gaps = (
        (weigh_gap(low, high), place) for place, (low, high) in enumerate(pairwise(ranked), 1) if low < MAX_GAP_LIKENESS
    )
    cut = max(gaps, default=(0.0, 0))[1]
    width = ranked[cut] - ranked[cut - 1] if cut else 0.0
    if width < MIN_GAP_WIDTH:
        return usual if len(others) < MIN_OTHER_PAGES else min(usual, MIN_LIKENESS)
    return (ranked[cut] + ranked[cut - 1]) / 2


def find_cut(pages: Sequence[tuple[float, AddressKind]]) -> Threshold:
    """Find where pages part in two: a wide gap, groups that are close in themselves, and addresses of one kind on one side."""
    ranked = sorted(pages, key=lambda each: each[0])
    values = [likeness for likeness, _ in ranked]
    if len(values) < MIN_VALUES or values[-1] < MIN_LIKENESS:
        return Threshold(STRICT_LIKENESS, f"{len(values)} pages are too few to see a spread", 0.0)
    explained, mixed = explain_cuts(values), count_mixed([kind for _, kind in ranked])
    best, worth = max(
        ((cut, explained[cut - 1] + _weigh_cut(values, mixed[cut - 1], cut)) for cut in _find_candidate_cuts(values)),
        key=lambda each: each[1],
        default=(0, 0.0),
    )
    if not best:
        return Threshold(STRICT_LIKENESS, "nothing parts the pages", 0.0)
    value = (values[best] + values[best - 1]) / 2
    why = f"{len(values) - best} pages are {values[best]:.0%} or more like a sample, {best} are {values[best - 1]:.0%} or less"
    return Threshold(max(MIN_LIKENESS, value), why, worth)


def _find_candidate_cuts(values: Sequence[float]) -> list[int]:
    return [
        place for place in range(1, len(values)) if values[place] > values[place - 1] and values[place] >= MIN_LIKENESS
    ]


def weigh_gap(low: float, high: float) -> float:
    """Return how far two likenesses are apart, in orders of what differs."""
    return log((1 - low + GAP_SMOOTHING) / (1 - high + GAP_SMOOTHING))


def _weigh_cut(values: Sequence[float], mixed: int, cut: int) -> float:
    """Weigh a cut: the gap it lies in, and the share of pages whose kind of address lies on one side of it."""
    pure = 1.0 - mixed / min(cut, len(values) - cut)
    return weigh_gap(values[cut - 1], values[cut]) + PURITY_WEIGHT * max(0.0, pure)
