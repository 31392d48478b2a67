"""Which pages of a site are like the samples: by template, by their addresses, and by where they are listed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import exp, log, sqrt
from statistics import median
from typing import Final, NamedTuple

from dowse.errors import BadInput
from dowse.example.address import (
    AddressKind,
    address_kind,
    has_more_parameters,
    is_further_page,
    is_root,
    last_word,
    loose_address_kind,
)
from dowse.frontier.traps import view_of
from dowse.reasons import say_count
from dowse.tree.node import Node
from dowse.tree.similarity import (
    MAX_ENTRY_SIMILARITY,
    PageShape,
    ReferenceSample,
    Shape,
    Threshold,
    count_mixed,
    explain_cuts,
    fingerprint_of,
    nearest_likeness,
    reference_sample,
    similarity_bound,
)

# Chosen on simulated sites of family A, sites with random templates and recorded sites; bench/paper3.py measures others.

# -- what counts as a list
MIN_LIST_LINKS: Final = 3  # links to pages of a kind that make a list of them
MAX_LINKING_PAGE_SHARE: Final = 0.3  # of all pages: what more of them link to stands in a menu or a box
MIN_SIBLING_SHARE: Final = 0.5  # of some pages that stand in the samples' lists, when all may
MAX_SAMPLE_LISTS: Final = 200  # lists of samples that are remembered; any more are like them
MIN_LONG_LIST_LINKS: Final = 12  # links to pages with addresses like the samples' that make a page a list
LONG_LIST_PAGE_SHARE: Final = 0.15  # of all such pages: the same on a large site
MIN_MIXED_LIST_SHARE: Final = 0.3  # of the lists of some pages: so many list others too when both are the same

# -- likeness
MAX_JUDGE_SAMPLES: Final = 10  # those given and those found; each costs a comparison on every page
MAX_FOUND_SAMPLE_SIMILARITY: Final = 0.9  # to the entry, of a page that becomes a sample
MAX_LIKENESS_SHOWN: Final = 0.995  # from which a likeness is written as 1.00: none is higher
STRICT_LIKENESS: Final = 0.7  # the threshold until pages part, and where nothing parts them
MIN_LIKENESS: Final = 0.3  # less never counts as like the samples
SAMPLE_LIKENESS: Final = 0.6  # from which on pages with an address like the samples' become samples
EQUAL_LIKENESS: Final = 0.97  # as good as equal
LOWEST_OWN_LIKENESS: Final = 0.02  # that still counts for addresses like the samples'
SCALE_QUANTILE: Final = 0.9  # of the pages with the samples' kind of address are less like them than the scale
MIN_SCALE: Final = 0.1
MIN_STRUCTURED_SCALE: Final = 0.75  # with a scale under this pages are long texts, whose structure says little

# -- where likenesses part
PURITY_WEIGHT: Final = 2.0  # of addresses beside a gap
GAP_SMOOTHING: Final = 0.2  # keeps the logarithm of a difference finite: less does not tell templates apart
MAX_GAP_LIKENESS: Final = 0.6  # of the lower side of a gap: what is more like the sample is no other kind of page
MIN_GAP_WIDTH: Final = 0.15  # of a gap among pages with the samples' kind of address that makes them two kinds
MAX_LOW_SHARE: Final = 0.6  # of the pages listed as the samples are that may lie under such a gap
STRAY_SHARE: Final = 0.02  # of them: a link or two in a list lead elsewhere
MIN_OTHER_PAGES: Final = 10  # to know what is usual

# -- tests of two samples of likenesses
MIN_VALUES: Final = 5  # fewer show no distribution
SERIES_TERMS: Final = 20  # of the Kolmogorov series, which converges fast
MIN_KS_STATISTIC: Final = 0.3  # under this the series converges slowly, and is as good as 1
MIN_P_VALUE: Final = 1e-4  # under this it is no accident that pages listed elsewhere are otherwise like the sample
MIN_P_VALUE_ELSEWHERE: Final = 0.02  # the same for pages that no list of the samples has
MIN_APART_DISTANCE: Final = 0.9  # between what one list has and what others have, when it is another kind of list
MIN_MEDIAN_DIFFERENCE: Final = 0.2  # by which they are less alike than what stands beside a sample

UNKNOWN_THRESHOLD: Final = Threshold(STRICT_LIKENESS, "too few pages to see a distribution", 0.0)
_FURTHER: Final = re.compile(r"(?:[a-zA-Z_-]{1,12}/)?[a-zA-Z_-]{0,12}[0-9]{1,6}/?")  # page/2/, p2

PagePlace = tuple[AddressKind, int]  # the form of a page's address without its parameters, and a place on it
ParameterNames = frozenset[object]


@dataclass(slots=True)
class Judge:
    """Judges the pages of one site, better with every page."""

    entry: PageShape
    samples: list[ReferenceSample]
    site_lists: SiteLists
    # Of the addresses of the given samples, and those that are listed as they are and have similar addresses.
    kinds: frozenset[AddressKind]
    loose_kinds: frozenset[AddressKind]  # the same, without the names of folders
    given_count: int  # of the samples that were given
    scale: float = 1.0  # what pages with addresses like the samples' reach beyond that: long texts are never very alike
    pages: dict[str, PageShape] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)  # similarity to the nearest sample
    given_likeness: dict[str, float] = field(default_factory=dict)  # likeness to the samples that were given
    threshold: Threshold = UNKNOWN_THRESHOLD
    own_threshold: float = STRICT_LIKENESS  # the threshold for addresses of the samples' kind in their lists
    added_samples: list[str] = field(default_factory=list)  # pages that became samples
    tried: set[str] = field(default_factory=set)  # pages that were taken as samples, or could not be
    list_pages: frozenset[str] = frozenset()  # pages that list many of the pages with addresses like the samples'
    same_kind: frozenset[str] = frozenset()  # pages with addresses of the samples' kind, without the samples
    siblings: frozenset[str] = frozenset()  # of them, those that are listed as the samples are
    lookalike_kinds: frozenset[AddressKind] = frozenset()  # kinds of addresses whose pages only resemble the samples
    outliers: frozenset[str] = (
        frozenset()
    )  # pages with addresses of the samples' kind that are listed elsewhere, and vary otherwise

    @property
    def sample_urls(self) -> frozenset[str]:
        """The addresses of the given samples."""
        return self.site_lists.sample_urls

    def add(self, url: str, shape: Shape, links: tuple[str, ...] = (), blocks: tuple[LinkBlock, ...] = ()) -> float:
        """Add a page, and return its likeness to the samples beyond what all pages of the site share."""
        self.site_lists.add_page(url, links, blocks)
        page = self.pages[url] = PageShape(shape, fingerprint_of(shape))
        self.given_likeness[url] = nearest_likeness(page, self.samples[: self.given_count])
        self.scores[url] = max(self.given_likeness[url], nearest_likeness(page, self.samples[self.given_count :]))
        return self.likeness(url)

    def likeness(self, url: str) -> float:
        """Return the likeness of a page to the samples: 0 as little as the entry, 1 as much as those of its kind that are most like them."""
        return min(1.0, self.scores[url] / self.scale)

    def is_target(self, url: str) -> bool:
        """Return True if a page counts as like the samples."""
        if url in self.sample_urls:
            return True
        kind, is_usual = address_kind(url), url in self.site_lists.boilerplate
        if self.is_view(url) or (self.site_lists.scope is not None and not self.site_lists.is_sibling(url)):
            return False
        if (
            kind in self.lookalike_kinds
            or url in self.site_lists.labels
            or url in self.list_pages
            or url in self.outliers
            or (is_usual and kind not in self.kinds)
        ):
            return False
        own = kind in self.kinds and (
            url in (self.site_lists.siblings or ()) if is_usual else self.site_lists.is_sibling(url)
        )
        return self.likeness(url) >= (self.own_threshold if own else self.threshold.value)

    def is_view(self, url: str) -> bool:
        """Return True if an address is another view of a page (sorted, printed, compared, edited), as no sample's is."""
        return view_of(url)[0] is not None and not any(view_of(each)[0] for each in self.sample_urls)

    def rejudge(self) -> None:
        """Find the thresholds again, with further samples among the pages that are like those given."""
        self.kinds = frozenset(map(address_kind, self.sample_urls))
        self.same_kind = self._find_same_kind()
        self.site_lists.update({url for url in self.same_kind if self.given_likeness[url] >= EQUAL_LIKENESS})
        if self.site_lists.siblings is not None:
            mixed = self._find_mixed_kinds(self.site_lists.siblings)
            self.kinds |= (
                mixed if self._does_entry_list_most() else mixed | self._find_sibling_kinds(self.site_lists.siblings)
            )
            self.same_kind = self._find_same_kind()
        self.siblings = frozenset(filter(self.site_lists.is_sibling, self.same_kind))
        own = self.siblings - self.site_lists.boilerplate
        least = max(MIN_LONG_LIST_LINKS, LONG_LIST_PAGE_SHARE * len(own))
        lists = (url for url, links in self.site_lists.links.items() if len(own.intersection(links)) >= least)
        self.list_pages = frozenset(lists)
        self.lookalike_kinds, self.outliers = self._find_lookalike_kinds(), self._find_outliers()
        self._drop_samples()
        self._find_thresholds()
        while len(self.samples) < MAX_JUDGE_SAMPLES and (url := self._find_sample()):
            self._add_sample(url)
            self._find_thresholds()

    def _find_thresholds(self) -> None:
        reached = sorted(self.scores[url] for url in self.siblings) if self.site_lists.siblings is not None else []
        is_known = len(reached) >= MIN_VALUES
        self.scale = max(MIN_SCALE, reached[int(len(reached) * SCALE_QUANTILE)]) if is_known else 1.0
        values = {url: self.likeness(url) for url in self.pages if url not in self.sample_urls | self.list_pages}
        is_sibling = self.site_lists.is_sibling
        self.threshold = find_cut(
            [(likeness, (is_sibling(url), *address_kind(url))) for url, likeness in values.items()]
        )
        self.own_threshold = self._find_own_threshold(values)

    def _find_same_kind(self) -> frozenset[str]:
        return frozenset(url for url in self.pages if self._is_same_kind(url) and url not in self.sample_urls)

    def _find_sibling_kinds(self, siblings: frozenset[str]) -> frozenset[AddressKind]:
        """Return the kinds of addresses that are listed as the samples are, and differ from theirs in the names of folders only.

        Many kinds with few pages each have folders that name what the pages are about; few with many are parts of the site.
        """
        formed = Counter(address_kind(url) for url in self.pages if loose_address_kind(url) in self.loose_kinds)
        there = Counter(
            address_kind(url)
            for url in siblings.intersection(self.pages)
            if loose_address_kind(url) in self.loose_kinds
        )
        found = frozenset(kind for kind, count in there.items() if count > MIN_SIBLING_SHARE * formed[kind])
        return found if len(found) ** 2 >= sum(there[kind] for kind in found) else frozenset()

    def _find_mixed_kinds(self, siblings: frozenset[str]) -> frozenset[AddressKind]:
        """Return the kinds of addresses that are listed as the samples are, and mostly in one list with such as theirs."""
        together = self.site_lists.find_together(self.kinds)
        pages = Counter(map(address_kind, self.pages))
        there = Counter(address_kind(url) for url in siblings.intersection(self.pages) if not self.is_view(url))
        return frozenset(
            kind
            for kind, count in there.items()
            if count > MIN_SIBLING_SHARE * pages[kind]
            and together.get(kind, 0) >= MIN_SIBLING_SHARE
            and not self._has_more_parameters(kind)
        )

    def _has_more_parameters(self, kind: AddressKind) -> bool:
        """Return True if addresses are the samples' with more parameters: further pages of one thing."""
        return any(has_more_parameters(kind, each) for each in map(address_kind, self.sample_urls))

    @property
    def _is_entry_like_samples(self) -> bool:
        """True if the entry is built like the samples, so that all pages may be."""
        return any(sample.common >= MAX_ENTRY_SIMILARITY for sample in self.samples[: self.given_count])

    def _is_same_kind(self, url: str) -> bool:
        return address_kind(url) in self.kinds

    def _find_sample(self) -> str | None:
        """Return the page that becomes a sample: of those like the samples and listed with them, the least like them."""
        alike = (
            url for url in self.pages if loose_address_kind(url) in self.loose_kinds and self.site_lists.is_sibling(url)
        )
        likely = [
            url for url in alike if url not in self.tried and SAMPLE_LIKENESS <= self.likeness(url) < EQUAL_LIKENESS
        ]
        return min(filter(self.is_target, likely), key=self.likeness, default=None)

    def _find_lookalike_kinds(self) -> frozenset[AddressKind]:
        """Return the kinds of addresses whose pages resemble the samples and are probably made by another template.

        Pages of one template vary alike wherever they stand, and stand in the same lists whatever their addresses.
        """
        others: dict[AddressKind, list[str]] = defaultdict(list)
        for url in self.pages:
            if not self._is_same_kind(url):
                others[address_kind(url)].append(url)
        formed = {address_kind(url) for url in self.pages if loose_address_kind(url) in self.loose_kinds}
        if self._is_entry_like_samples:
            return frozenset(kind for kind in others if kind not in formed)  # only addresses tell them from lists
        wanted = [kind for kind in others if not self._has_more_parameters(kind)]
        if self._does_entry_list_most():
            counts = Counter(map(address_kind, self.site_lists.links[self.site_lists.entry_url]))
            wanted = [kind for kind in wanted if counts[kind] >= MIN_LIST_LINKS]
        together = self.site_lists.find_together(self.kinds)
        listed = (
            kind
            for kind in wanted
            if together.get(kind, 0) >= MIN_MIXED_LIST_SHARE
            or ((kind in formed or together.get(kind, 0)) and self.site_lists.are_siblings(others[kind]))
        )
        alike = {kind for kind in listed if self._may_be_alike(others[kind]) and not self._are_lists(others[kind])}
        return frozenset(others.keys() - alike)

    def _does_entry_list_most(self) -> bool:
        listed = self.same_kind.intersection(self.site_lists.links.get(self.site_lists.entry_url, ()))
        return len(self.same_kind) >= MIN_VALUES and len(listed) >= len(self.same_kind) / 2

    def _find_outliers(self) -> frozenset[str]:
        """Return the pages with addresses like the samples' that do not vary as those do where they are listed.

        On a site where the entry is built like the samples, pages tell nothing: what is not listed with them is an outlier.
        """
        others = self.same_kind - self.siblings - self.site_lists.on_the_way
        if self._is_entry_like_samples:
            return others
        elsewhere = self.site_lists.group_by_place(others)
        unlike = [group for group in elsewhere if not self._may_be_alike(group, MIN_P_VALUE_ELSEWHERE, 0.0)]
        apart = [group for group in self.site_lists.group_by_list(self.siblings) if self._are_apart(group)]
        return frozenset().union(*unlike, *apart)

    def _may_be_alike(
        self, pages: Iterable[str], doubt: float = MIN_P_VALUE, by: float = MIN_MEDIAN_DIFFERENCE
    ) -> bool:
        """Return True if pages may be as like the samples as those that are listed with them by chance, or differ by little."""
        some, others = [self.given_likeness[url] for url in pages], [self.given_likeness[url] for url in self.siblings]
        return not is_median_less(some, others, by) or ks_p_value(some, others) >= doubt

    def _are_apart(self, pages: Collection[str]) -> bool:
        """Return True if what one list lists is altogether less like the samples than what stands with them."""
        beside = self.siblings.intersection(self.site_lists.same_lists)
        some = [self.given_likeness[url] for url in pages]
        others = [
            self.given_likeness[url]
            for url in (beside if len(beside) >= MIN_VALUES else self.siblings.difference(pages))
        ]
        return (
            is_median_less(some, others, MIN_MEDIAN_DIFFERENCE)
            and ks_p_value(some, others) < MIN_P_VALUE
            and ks_distance(some, others) >= MIN_APART_DISTANCE
        )

    def _find_own_threshold(self, values: Mapping[str, float]) -> float:
        """Return the threshold for addresses like the samples' in their lists; lower where those under a gap are no lists."""
        own = {url for url in values if self._is_same_kind(url) and self.site_lists.is_sibling(url)}
        others = [each for url, each in values.items() if url not in own]
        found = _find_gap([values[url] for url in own], others, self.threshold.value)
        low = {url for url in own if values[url] < found} - self.site_lists.boilerplate
        many = len(own) if self._is_entry_like_samples or self._does_entry_list_most() else MAX_LOW_SHARE * len(own)
        if self.site_lists.siblings is None or not max(1, STRAY_SHARE * len(own)) < len(low) <= many:
            return found
        if self._are_lists(low):
            return found
        return LOWEST_OWN_LIKENESS if self.scale >= MIN_STRUCTURED_SCALE and not self._is_entry_like_samples else 0.0

    def _are_lists(self, pages: Collection[str]) -> bool:
        """Return True if pages are lists of pages with addresses like the samples', more than those are themselves."""
        usual = sorted(map(self._count_same_kind, self.siblings))
        most = max(
            usual[int(len(usual) * SCALE_QUANTILE)] if usual else 0, *map(self._count_same_kind, self.sample_urls)
        )
        leading = sum(self._count_same_kind(url) >= max(MIN_LIST_LINKS, 2 * most) for url in pages)
        return leading > MIN_MIXED_LIST_SHARE * len(pages)

    def _count_same_kind(self, url: str) -> int:
        """Return how many pages with addresses like the samples' stand together on a page."""
        return self.site_lists.count_together(url, self._is_same_kind)

    def _drop_samples(self) -> None:
        """Drop samples that turned out to be something else."""
        wrong = self.list_pages | self.outliers
        kept = [url for url in self.added_samples if url not in wrong and self.site_lists.is_sibling(url)]
        if len(kept) == len(self.added_samples):
            return
        self.added_samples, self.scores = [], dict(self.given_likeness)
        del self.samples[self.given_count :]
        for url in kept:
            self._add_sample(url)

    def _add_sample(self, url: str) -> None:
        self.tried.add(url)
        sample = reference_sample(self.pages[url], self.entry)
        if sample.common > MAX_FOUND_SAMPLE_SIMILARITY:
            return
        self.samples.append(sample)
        self.added_samples.append(url)
        for each, page in self.pages.items():
            if similarity_bound(page.fingerprint, sample.page.fingerprint) > sample.needed(self.scores[each]):
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
    kinds, loose_kinds = frozenset(map(address_kind, samples)), frozenset(map(loose_address_kind, samples))
    return Judge(start, taken, SiteLists(frozenset(samples), start_url), kinds, loose_kinds, len(taken))


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
    """Find where pages part in two groups: a wide gap, little variance within, and addresses of one kind on one side."""
    ranked = sorted(pages, key=lambda each: each[0])
    values = [likeness for likeness, _ in ranked]
    if len(values) < MIN_VALUES or values[-1] < MIN_LIKENESS:
        return Threshold(STRICT_LIKENESS, f"{len(values)} pages are too few to see a distribution", 0.0)
    explained, mixed = explain_cuts(values), count_mixed([kind for _, kind in ranked])
    best, worth = 0, 0.0
    for cut in range(1, len(values)):
        if not values[cut - 1] < values[cut] >= MIN_LIKENESS:
            continue
        # The gap that a cut lies in, and the share of pages whose kind of address lies on one side of it.
        pure = 1.0 - mixed[cut - 1] / min(cut, len(values) - cut)
        weight = weigh_gap(values[cut - 1], values[cut]) + PURITY_WEIGHT * max(0.0, pure)
        if not best or explained[cut - 1] + weight > worth:
            best, worth = cut, explained[cut - 1] + weight
    if not best:
        return Threshold(STRICT_LIKENESS, "nothing parts the pages", 0.0)
    value = (values[best] + values[best - 1]) / 2
    high = f"{values[best]:.2f}" + (" or more" if values[best] < MAX_LIKENESS_SHOWN else "")
    why = f"likeness {high} for {say_count(len(values) - best, 'pages')}, {values[best - 1]:.2f} or less for {best:,}"
    return Threshold(max(MIN_LIKENESS, value), why, worth)


def weigh_gap(low: float, high: float) -> float:
    """Return the width of a gap between two likenesses, as the logarithm of the ratio of what differs."""
    return log((1 - low + GAP_SMOOTHING) / (1 - high + GAP_SMOOTHING))


# -- links that stand together: in one list, one row of a menu, one column of a table

# Tags whose class says what is inside; classes of rows say odd and even, first and last.
CLASS_TAGS: Final = frozenset("div ul ol dl table tbody section nav aside main header footer form".split())
ROW_TAGS: Final = frozenset({"tr", "tbody", "thead"})  # a list in a table goes on in the next row
MAX_CLASS_NAMES: Final = 20  # of a class attribute that are read
MIN_BLOCK_LINKS: Final = 3  # links that make a list; where there are fewer, two do
MIN_PAIR_LINKS: Final = 2

_BlockKey = tuple[int, int]  # a tag, and the tags from it down to a link


class LinkBlock(NamedTuple):
    """Links that stand together, and their place: a hash of the tags from the root down to each of them."""

    place: int
    links: tuple[str, ...]


def find_blocks(tree: Node, resolve: Callable[[str], str | None], links: Collection[str]) -> tuple[LinkBlock, ...]:
    """Return which links of a page stand together; each in the smallest part of the page with others in the same position."""
    known = set(links)
    found = [(url, keys, place) for href, keys, place in _find_anchors(tree) if (url := resolve(href)) in known]
    counts = Counter(key for _, keys, _ in found for key in keys)
    blocks: dict[tuple[_BlockKey, int], dict[str, None]] = {}
    for url, keys, place in found:
        key = next(
            (key for least in (MIN_BLOCK_LINKS, MIN_PAIR_LINKS) for key in keys if counts[key] >= least), keys[0]
        )
        if url is not None:
            blocks.setdefault((key, place), {})[url] = None
    return tuple(LinkBlock(place, tuple(urls)) for (_, place), urls in blocks.items())


def _find_anchors(tree: Node) -> Iterator[tuple[str, list[_BlockKey], int]]:
    """Yield the address of each link, the keys of the tags around it from the nearest to the root, and its place."""
    waiting: list[tuple[Node, tuple[Node, ...]]] = [(tree, ())]
    while waiting:
        node, above = waiting.pop()
        if node.tag == "a" and node.attribute("href"):
            path, keys = hash(node.tag), []
            around = above or (node,)
            for tag in reversed(around):
                if tag.tag not in ROW_TAGS or tag is around[0]:
                    keys.append((id(tag), path))
                name = _first_class_name(tag.attribute("class")) if tag.tag in CLASS_TAGS else ""
                path = hash((path, tag.tag, name))
            yield node.attribute("href"), keys, path
        inside = (*above, node)
        waiting.extend((each, inside) for each in reversed(node.content) if isinstance(each, Node))


@lru_cache(maxsize=8_192)
def _first_class_name(css: str) -> str:
    """Return the first class name without digits: those after it tell the tags of one kind apart."""
    names = css.lower().split()[:MAX_CLASS_NAMES]
    return next((name for name in names if not any(map(str.isdigit, name))), "")


# -- where pages are listed


@dataclass(slots=True)
class SiteLists:
    """The links of the pages that were opened, and which pages are listed together."""

    sample_urls: frozenset[str]  # addresses of the samples
    entry_url: str = ""  # address of the entry
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)
    blocks: dict[str, tuple[LinkBlock, ...]] = field(default_factory=dict)
    boilerplate: frozenset[str] = frozenset()  # addresses that very many pages link to: of menus and boxes
    labels: frozenset[str] = frozenset()  # addresses whose last level stands below many others: `/a/edit`, `/b/edit`
    places: dict[PagePlace, set[ParameterNames]] = field(default_factory=dict)  # where samples are listed
    kinds: frozenset[AddressKind] = frozenset()  # of the samples' addresses, unless such pages list samples
    list_pages: dict[int, list[str]] = field(default_factory=dict)  # the pages where they are, by places
    on_the_way: frozenset[str] = frozenset()  # addresses in such places on the way to the lists of samples
    same_lists: frozenset[str] = frozenset()  # addresses in the same places of the same pages as samples
    siblings: frozenset[str] | None = None  # addresses that are listed as the samples are; None where no list has those
    # Pages that lists are taken from, where the entry is one of several lists of one kind, such as a category: those below it.
    scope: frozenset[str] | None = None

    def add_page(self, url: str, links: tuple[str, ...], blocks: tuple[LinkBlock, ...]) -> None:
        """Add the links of a page, and which of them stand together."""
        self.links[url], self.blocks[url] = links, blocks
        if self.siblings is not None:
            self.siblings = self.siblings.union(*(self._list_siblings(url, block) for block in blocks))

    def update(self, same: Collection[str] = ()) -> None:
        """Find again what stands on every page, and what is listed where the samples are, or else where many equal pages are."""
        linked = Counter(link for links in self.links.values() for link in links)
        most = max(MIN_LIST_LINKS, MAX_LINKING_PAGE_SHARE * len(self.links))
        self.boilerplate = frozenset(url for url, count in linked.items() if count > most)
        self.labels = self._find_labels(linked)
        there = [
            (page, block) for page, block in self._blocks() if self._count_wanted(block, self.sample_urls - {page})
        ]
        # Where samples are listed on the entry, or on a further page of it.
        own = {block.place for page, block in there if page == self.entry_url or is_further_page(page, self.entry_url)}
        self.scope = self._find_scope(own) if own else None
        there = there or [
            (page, block) for page, block in self._blocks() if self._count_wanted(block, same) >= MIN_LIST_LINKS
        ]
        there = [(page, block) for page, block in there if self.is_in_scope(page)]
        self.places, self.list_pages = defaultdict(set), defaultdict(list)
        for page, block in there[:MAX_SAMPLE_LISTS]:
            place, names = _page_place(page, block.place)
            self.places[place].add(names)
            self.list_pages[block.place].append(page)
        self.kinds = frozenset(map(address_kind, self.sample_urls)).difference(address_kind(page) for page, _ in there)
        found = (self._list_siblings(page, block) for page, block in self._blocks())
        self.siblings = frozenset().union(*found) if there else None
        self.on_the_way = self._find_on_the_way() if there else frozenset()
        lists = {(page, block.place) for page, block in there}
        found = (block.links for page, block in self._blocks() if (page, block.place) in lists)
        self.same_lists = frozenset().union(*found) - self.boilerplate

    def _blocks(self) -> Iterator[tuple[str, LinkBlock]]:
        return ((page, block) for page, blocks in self.blocks.items() for block in blocks)

    def _find_on_the_way(self) -> frozenset[str]:
        """Return what stands in the samples' places on the way to their lists: on the entry, and on pages that lead to those lists."""
        lists = {page for page, block in self._blocks() if self._list_siblings(page, block)} - self.boilerplate
        kinds = set(map(address_kind, self.sample_urls))
        hubs = {
            page
            for page, links in self.links.items()
            if address_kind(page) not in kinds and not lists.isdisjoint(links)
        }
        found = (
            block.links
            for page, block in self._blocks()
            if page in hubs | {self.entry_url} and block.place in self.list_pages
        )
        return frozenset().union(*found)

    def _find_labels(self, urls: Iterable[str]) -> frozenset[str]:
        """Return the addresses whose last level is a word of the template: it stands below several others, as no sample's does."""
        below: dict[str, list[str]] = defaultdict(list)
        for url in urls:
            word = last_word(url)
            if word:
                below[word].append(url)
        own = set(map(last_word, self.sample_urls))
        return frozenset(
            url for word, there in below.items() if word not in own and len(there) > MIN_LIST_LINKS for url in there
        )

    def is_in_scope(self, page: str) -> bool:
        """Return True if lists of a page count: everywhere, unless the entry is one list beside others of its kind."""
        return self.scope is None or page in self.scope

    def _find_scope(self, places: Collection[int]) -> frozenset[str] | None:
        """Return the pages below the entry where it is one of several lists that are built alike; else nothing bounds it.

        A page that lists the entry beside its peers is above it, or beside it.
        """
        if is_root(self.entry_url):
            return None
        kinds = set(map(address_kind, self.sample_urls))
        lists: dict[str, set[int]] = defaultdict(set)
        for page, block in self._blocks():
            if block.place in places and sum(address_kind(link) in kinds for link in block.links) >= MIN_PAIR_LINKS:
                lists[page].add(block.place)
        form, here = loose_address_kind(self.entry_url)[:-1], lists.get(self.entry_url, set())
        peers = {
            page
            for page, there in lists.items()
            if there & here and loose_address_kind(page)[:-1] == form and page not in self.sample_urls
        }
        peers = {page for page in peers if page != self.entry_url and not is_further_page(page, self.entry_url)}
        if not peers:
            return None
        beside = {
            page
            for page, block in self._blocks()
            if self.entry_url in block.links and not peers.isdisjoint(block.links)
        }
        outside = beside | self.boilerplate | self.sample_urls
        found, waiting = {self.entry_url}, [self.entry_url]
        while waiting:
            page = waiting.pop()
            for url in self.links.get(page, ()):
                if url not in found and (is_further_page(url, self.entry_url) or url not in outside):
                    found.add(url)
                    waiting.extend([url] if address_kind(url) not in kinds else [])
        return frozenset(found)

    def _count_wanted(self, block: LinkBlock, wanted: Collection[str]) -> int:
        return sum(link in wanted and link not in self.boilerplate for link in block.links)

    def _list_siblings(self, page: str, block: LinkBlock) -> tuple[str, ...]:
        """Return what a block lists where samples are listed; of a menu, what is not on every page."""
        if not self._is_place(page, block.place):
            return ()
        links = tuple(link for link in block.links if link not in self.labels)
        others = tuple(link for link in links if link not in self.boilerplate)
        return links if 2 * len(others) > len(links) else others

    def _is_place(self, page: str, place: int) -> bool:
        """Return True if samples are listed in such a place of such pages; further pages of a list have more parameters, or numbered folders."""
        if not self.is_in_scope(page):
            return False
        key, names = _page_place(page, place)
        if address_kind(page) in self.kinds and page not in self.list_pages.get(place, ()):
            return False  # lists on pages like the samples are not lists of samples
        if any(names <= known or known <= names for known in self.places.get(key, ())):
            return True
        return any(_are_pages_of_one_list(page, each) for each in self.list_pages.get(place, ()))

    def is_sibling(self, url: str) -> bool:
        """Return True if an address is listed as the samples are, as far as such lists were seen."""
        return self.siblings is None or url in self.siblings

    def are_siblings(self, urls: Collection[str]) -> bool:
        """Return True if many of some addresses are listed as the samples are."""
        return sum(map(self.is_sibling, urls)) >= MIN_SIBLING_SHARE * len(urls)

    def group_by_place(self, urls: Iterable[str]) -> Iterator[set[str]]:
        """Yield those of some addresses that are listed in one place, on whatever page of a form."""
        wanted = set(urls) - self.boilerplate
        groups: dict[PagePlace, set[str]] = defaultdict(set)
        for page, block in self._blocks():
            groups[_page_place(page, block.place)[0]].update(wanted.intersection(block.links))
        yield from filter(None, groups.values())

    def group_by_list(self, urls: Iterable[str]) -> Iterator[set[str]]:
        """Yield those of some addresses that stand in one place of one page."""
        wanted = set(urls) - self.boilerplate
        groups: dict[tuple[str, int], set[str]] = defaultdict(set)
        for page, block in self._blocks():
            groups[page, block.place].update(wanted.intersection(block.links))
        yield from filter(None, groups.values())

    def find_together(self, kinds: Collection[AddressKind]) -> dict[AddressKind, float]:
        """Return for each kind of addresses the part of its lists that have addresses of some kinds too; what every page has is no list."""
        lists: Counter[AddressKind] = Counter()
        mixed: Counter[AddressKind] = Counter()
        for _, block in self._blocks():
            counts = Counter(address_kind(link) for link in block.links if link not in self.boilerplate)
            listed = [kind for kind, count in counts.items() if count >= MIN_LIST_LINKS]
            lists.update(listed)
            if sum(counts[kind] for kind in kinds) >= MIN_LIST_LINKS:
                mixed.update(listed)
        return {kind: mixed[kind] / count for kind, count in lists.items()}

    def count_together(self, page: str, wanted: Callable[[str], bool]) -> int:
        """Return how many addresses of some sort stand together on a page at most."""
        return max(
            (
                sum(link not in self.boilerplate and wanted(link) for link in block.links)
                for block in self.blocks.get(page, ())
            ),
            default=0,
        )


def _page_place(page: str, place: int) -> tuple[PagePlace, ParameterNames]:
    kind = loose_address_kind(page)
    names = kind[-1] if len(kind) > 1 else ()
    return (kind[:-1], place), frozenset(names) if isinstance(names, tuple) else frozenset()


def _are_pages_of_one_list(page: str, other: str) -> bool:
    """Return True if two pages are pages of one list: their addresses differ in a folder with a number at the end."""
    short, long = sorted((page, other), key=len)
    return short.endswith("/") and long.startswith(short) and _FURTHER.fullmatch(long[len(short) :]) is not None


# -- Kolmogorov-Smirnov


def ks_p_value(some: Sequence[float], others: Sequence[float]) -> float:
    """Return the p-value of the two-sample test: that both come from one distribution (Kolmogorov 1933, Smirnov 1939)."""
    n, m = len(some), len(others)
    if n < MIN_VALUES or m < MIN_VALUES:
        return 1.0
    root = sqrt(n * m / (n + m))
    reach = (root + 0.12 + 0.11 / root) * ks_distance(some, others)
    terms = ((-1) ** (k - 1) * exp(-2 * k * k * reach * reach) for k in range(1, SERIES_TERMS))
    return min(1.0, max(0.0, 2 * sum(terms))) if reach > MIN_KS_STATISTIC else 1.0


def is_median_less(some: Sequence[float], others: Sequence[float], by: float = 0.0) -> bool:
    """Return True if the median of some values is less than that of others by more than `by`."""
    return bool(some) and bool(others) and median(some) < median(others) - by


def ks_distance(some: Sequence[float], others: Sequence[float]) -> float:
    """Return the largest difference between the empirical distribution functions of two samples."""
    first, second = sorted(some), sorted(others)
    return max(
        (
            abs(bisect_right(first, value) / len(first) - bisect_right(second, value) / len(second))
            for value in {*first, *second}
        ),
        default=0.0,
    )
