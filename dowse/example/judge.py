"""Which pages of a site are like the samples: by how alike they are, where the likenesses part, and how addresses are written."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import erfc, log, sqrt
from typing import Final

from dowse.errors import BadInput
from dowse.example.blocks import Block
from dowse.example.kind import Kind, form_of, kind_of
from dowse.example.likeness import MOST_COMMON, Framed, frame, nearest
from dowse.tree.alike import Sample, Threshold, explain_cuts
from dowse.tree.fingerprint import bound, print_of
from dowse.tree.shape import Shape

MOST_SAMPLES: Final = 10  # those given and those found; each costs a comparison on every page
MOST_COMMON_FOUND: Final = 0.9  # a page that was found is a sample only where it shows more than the frame
FEW: Final = 5  # pages that show no spread yet
STRICT: Final = 0.7  # until then, and where nothing parts, this much beyond the site's frame is like the sample
LOOSE: Final = 0.3  # less is never like it
SURE: Final = 0.6  # pages with an address like the sample's that are this alike are samples themselves
SAME: Final = 0.97  # as good as equal
PURE: Final = 2.0  # what addresses weigh beside a gap
SOFT: Final = 0.2  # keeps the logarithm of what differs finite: less than this does not tell templates apart
PARTED_BELOW: Final = 0.6  # what is more like the sample than this is no other kind of page
PARTED: Final = 0.15  # a gap among pages with the sample's kind of address that says they are two kinds after all
MINORITY: Final = 0.6  # of the pages with the sample's kind of address
ENOUGH: Final = 10  # of those, to know what is usual
REACHED: Final = 0.9  # of the pages with the samples' kind of address are less like them than the scale
LEAST_SCALE: Final = 0.1
DOUBT: Final = 1e-4  # chance under which it is no accident that pages of another folder are less like the sample
LONG_LIST: Final = 12  # links to pages with addresses like the samples'
LARGE_LIST: Final = 0.15  # of all such pages
LEAST: Final = 0.02  # like the sample at all
LISTED: Final = 3  # links to pages of a kind that make a list of them
EVERYWHERE: Final = 0.3  # of all pages: what so many link to stands in a menu or a box
KIN: Final = 0.5  # of the pages of a kind that stand in the samples' lists
SOME_LISTS: Final = 0.3  # of the lists of one kind: so many list the other kind too when both are the same
UNKNOWN: Final = Threshold(STRICT, "too few pages to see a spread", 0.0)


@dataclass(slots=True)
class Judge:
    """Judges the pages of one site, better with every page."""

    entry: Sample
    samples: list[Framed]
    named: frozenset[str]  # addresses of the given samples: they are like themselves, which tells nothing
    kinds: frozenset[Kind]  # of the given samples' addresses
    forms: frozenset[Kind]  # the same, without the names of folders
    count: int  # of the samples that were given
    scale: float = 1.0  # what pages with addresses like the samples' reach beyond that: long texts are never very alike
    pages: dict[str, Sample] = field(default_factory=dict)
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)
    blocks: dict[str, tuple[Block, ...]] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)  # similarity to the nearest sample
    given: dict[str, float] = field(default_factory=dict)  # likeness to the samples that were given
    threshold: Threshold = UNKNOWN
    own: float = STRICT  # the threshold for addresses of the samples' kind
    taken: set[str] = field(default_factory=set)  # pages that are samples themselves
    tried: set[str] = field(default_factory=set)  # pages that were taken as samples, or could not be
    usual: frozenset[str] = frozenset()  # addresses that very many pages link to: of menus and boxes
    lists: frozenset[str] = frozenset()  # pages that list many of the pages with addresses like the samples'
    kin: frozenset[str] | None = None  # addresses that stand in lists as the samples do; None where no list has them
    near: frozenset[Kind] = frozenset()  # kinds of addresses that only look like it

    def note(self, url: str, links: tuple[str, ...], blocks: tuple[Block, ...]) -> None:
        """Note where a page leads, and which of its links stand together."""
        self.links[url], self.blocks[url] = links, blocks

    def add(self, url: str, shape: Shape, links: tuple[str, ...] = (), blocks: tuple[Block, ...] = ()) -> float:
        """Take a page, and return how like a sample it is beyond what all pages of the site share."""
        self.note(url, links, blocks)
        page = self.pages[url] = Sample(shape, print_of(shape))
        self.given[url] = nearest(page, self.samples[: self.count])
        self.scores[url] = max(self.given[url], nearest(page, self.samples[self.count :]))
        return self.likeness(url)

    def likeness(self, url: str) -> float:
        """Return how like a sample a page is: 0 as little as the entry, 1 as much as those of its kind that are most like it."""
        return min(1.0, self.scores[url] / self.scale)

    def is_target(self, url: str) -> bool:
        """Tell whether a page counts as like the samples."""
        if url in self.named or url in self.taken:
            return True
        kind = kind_of(url)
        if kind in self.near or url in self.lists or (url in self.usual and kind not in self.kinds):
            return False
        own = kind in self.kinds and url not in self.usual and self.is_kin(url)
        return self.likeness(url) >= (self.own if own else self.threshold.value)

    def judge_again(self) -> None:
        """Find the thresholds anew, with further samples among the pages that are surely like those given."""
        self._find_thresholds()
        while len(self.samples) < MOST_SAMPLES and (url := self._find_sample()):
            self._take_sample(url)
            self._find_thresholds()

    def _find_thresholds(self) -> None:
        self.usual = self._find_usual()
        self.kin, self.lists = self._find_kin(), self._find_lists()
        self.scale = self._find_scale()
        values = {url: self.likeness(url) for url in self.pages if url not in self.named | self.lists}
        self.threshold = find_cut([(likeness, (self.is_kin(url), *kind_of(url))) for url, likeness in values.items()])
        self.own = self._find_own(values)
        self.near = self._find_near()

    def _find_scale(self) -> float:
        reached = sorted(self.scores[url] for url in self._own if self.kin and url in self.kin)
        return max(LEAST_SCALE, reached[int(len(reached) * REACHED)]) if len(reached) >= FEW else 1.0

    @property
    def _own(self) -> list[str]:
        """Pages with addresses of the samples' kind, without the samples."""
        return [url for url in self.pages if kind_of(url) in self.kinds and url not in self.named]

    def is_kin(self, url: str) -> bool:
        """Tell whether an address stands in lists as the samples do, as far as such lists were seen."""
        return self.kin is None or url in self.kin

    def _find_kin(self) -> frozenset[str] | None:
        """Return what stands in the same place of a page with the same form of address as where a sample stands."""
        places: dict[tuple[Kind, int], set[str]] = defaultdict(set)
        for page, blocks in self.blocks.items():
            for block in blocks:
                places[form_of(page), block.place].update(block.links)
        found = [links for links in places.values() if not self.named.isdisjoint(links - self.usual)]
        return frozenset().union(*found) - self.usual if found else None

    def _find_sample(self) -> str | None:
        """Return the page least like the samples of those that are surely like them."""
        alike = (url for url in self.pages if form_of(url) in self.forms and self.is_kin(url) and self.is_target(url))
        sure = [url for url in alike if SURE <= self.likeness(url) < SAME and url not in self.tried]
        return min(sure, key=self.likeness, default=None)

    def _find_near(self) -> frozenset[Kind]:
        """Return the kinds of addresses whose pages are near the samples and seem to be made by another template.

        Pages of one template vary in the same ways wherever they stand, and stand in the same lists however their
        addresses are written.
        """
        own = [self.given[url] for url in self._own]
        others: dict[Kind, list[str]] = defaultdict(list)
        for url in self.pages:
            if kind_of(url) not in self.kinds:
                others[kind_of(url)].append(url)
        return frozenset(kind for kind, pages in others.items() if not self._may_be_alike(kind, pages, own))

    def _may_be_alike(self, kind: Kind, pages: Sequence[str], own: Sequence[float]) -> bool:
        """Tell whether pages with another kind of address may be of the samples' template."""
        if any(sample.common >= MOST_COMMON for sample in self.samples[: self.count]):
            return kind in self.alike_written  # only addresses tell them from lists
        if not (self._is_listed_with(kind) or (kind in self.alike_written and self._are_kin(pages))):
            return False
        return not self._do_lead(pages) and chance_of_less([self.given[url] for url in pages], own) >= DOUBT

    def _are_kin(self, pages: Collection[str]) -> bool:
        return sum(map(self.is_kin, pages)) >= KIN * len(pages)

    @property
    def alike_written(self) -> Container[Kind]:
        """Kinds that differ from the samples' in names of folders alone."""
        return {kind_of(url) for url in self.pages if form_of(url) in self.forms}

    def _is_listed_with(self, kind: Kind) -> bool:
        """Tell whether lists of one kind of pages list pages written like the samples too."""
        lists = mixed = 0
        for block in self._blocks:
            kinds = Counter(kind_of(link) for link in block if link not in self.usual)
            if kinds[kind] >= LISTED:
                lists += 1
                mixed += sum(kinds[each] for each in self.kinds) >= LISTED
        return lists > 0 and mixed >= SOME_LISTS * lists

    @property
    def _blocks(self) -> Iterator[tuple[str, ...]]:
        return (block.links for blocks in self.blocks.values() for block in blocks)

    def _find_usual(self) -> frozenset[str]:
        linked = Counter(link for links in self.links.values() for link in links)
        return frozenset(url for url, count in linked.items() if count > max(LISTED, EVERYWHERE * len(self.links)))

    def _find_lists(self) -> frozenset[str]:
        own = set(self._own) - self.usual
        least = max(LONG_LIST, LARGE_LIST * len(own))
        return frozenset(url for url, links in self.links.items() if len(own.intersection(links)) >= least)

    def _find_own(self, values: Mapping[str, float]) -> float:
        """Return the threshold for addresses like the samples' in their lists; lower where those under a gap are no lists."""
        own = {url for url in values if kind_of(url) in self.kinds and self.is_kin(url)}
        others = [each for url, each in values.items() if url not in own]
        found = _find_own([values[url] for url in own], others, self.threshold.value)
        low = {url for url in own if values[url] < found} - self.usual
        if self.kin is None or len(low) > MINORITY * len(own):
            return found
        return found if self._do_lead(low) else LEAST

    def _do_lead(self, pages: Collection[str]) -> bool:
        """Tell whether pages are lists of pages with addresses like the samples', more than those are themselves."""
        usual = sorted(map(self._count_own, self._own))
        most = usual[int(len(usual) * REACHED)] if usual else 0
        leading = sum(self._count_own(url) >= max(LISTED, 2 * most) for url in pages)
        return leading > SOME_LISTS * len(pages)

    def _count_own(self, url: str) -> int:
        """Return how many pages with addresses like the samples' stand together on a page."""
        counts = (
            sum(kind_of(link) in self.kinds and link not in self.usual for link in block.links)
            for block in self.blocks.get(url, ())
        )
        return max(counts, default=0)

    def _take_sample(self, url: str) -> None:
        self.tried.add(url)
        sample = frame(self.pages[url], self.entry)
        if sample.common > MOST_COMMON_FOUND:
            return
        self.samples.append(sample)
        self.taken.add(url)
        for each, page in self.pages.items():
            if each != url and bound(page.print, sample.page.print) > sample.needed(self.scores[each]):
                self.scores[each] = max(self.scores[each], sample.likeness(page))


def open_judge(samples: Mapping[str, Shape], entry: Shape, start_url: str = "") -> Judge:
    """Take samples by their addresses, and the entry to start from; an entry that is like them tells nothing."""
    start = Sample(entry, print_of(entry))
    taken = [frame(Sample(shape, print_of(shape)), start) for shape in samples.values()][:MOST_SAMPLES]
    if any(each.common >= MOST_COMMON for each in taken) and kind_of(start_url) in set(map(kind_of, samples)):
        raise BadInput(
            "the entry is itself like the sample; give a page that leads to such pages, such as a list of them"
        )
    kinds, forms = frozenset(map(kind_of, samples)), frozenset(map(form_of, samples))
    return Judge(start, taken, frozenset(samples), kinds, forms, len(taken))


def chance_of_less(some: Sequence[float], others: Sequence[float]) -> float:
    """Return how likely it is that some values are by chance as much less than others as they are (Mann and Whitney 1947)."""
    n, m = len(some), len(others)
    if n < FEW or m < FEW:
        return 1.0
    counts = Counter((*some, *others))
    ranks, below = {}, 0
    for value in sorted(counts):
        ranks[value] = below + (counts[value] + 1) / 2
        below += counts[value]
    wins = sum(ranks[value] for value in some) - n * (n + 1) / 2
    ties = sum(count**3 - count for count in counts.values()) / ((n + m) * (n + m - 1))
    spread = sqrt(max(0.0, n * m / 12 * (n + m + 1 - ties)))
    return erfc((n * m / 2 - wins - 0.5) / spread / sqrt(2)) / 2 if spread else 1.0


def _find_own(values: Sequence[float], others: Sequence[float], usual: float) -> float:
    """Return the threshold for addresses like the sample's.

    Where a wide gap parts them, the address of the sample is no sign.
    """
    ranked = sorted(values)
    if len(ranked) < FEW:
        return usual
    gaps = (
        (weigh_gap(low, high), place) for place, (low, high) in enumerate(pairwise(ranked), 1) if low < PARTED_BELOW
    )
    cut = max(gaps, default=(0.0, 0))[1]
    width = ranked[cut] - ranked[cut - 1] if cut else 0.0
    if width < PARTED:
        return usual if len(others) < ENOUGH else min(usual, LOOSE)
    return (ranked[cut] + ranked[cut - 1]) / 2


def find_cut(pages: Sequence[tuple[float, Kind]]) -> Threshold:
    """Find where pages part in two: a wide gap, groups that are close in themselves, and addresses of one kind on one side."""
    ranked = sorted(pages, key=lambda each: each[0])
    values = [likeness for likeness, _ in ranked]
    if len(values) < FEW or values[-1] < LOOSE:
        return Threshold(STRICT, f"{len(values)} pages are too few to see a spread", 0.0)
    explained = explain_cuts(values)
    best, worth = max(
        ((cut, explained[cut - 1] + _weigh(ranked, values, cut)) for cut in _cuts(values)),
        key=lambda each: each[1],
        default=(0, 0.0),
    )
    if not best:
        return Threshold(STRICT, "nothing parts the pages", 0.0)
    value = (values[best] + values[best - 1]) / 2
    why = f"{len(values) - best} pages are {values[best]:.0%} or more like a sample, {best} are {values[best - 1]:.0%} or less"
    return Threshold(max(LOOSE, value), why, worth)


def _cuts(values: Sequence[float]) -> list[int]:
    return [place for place in range(1, len(values)) if values[place] > values[place - 1] and values[place] >= LOOSE]


def weigh_gap(low: float, high: float) -> float:
    """Return how far two likenesses are apart, in orders of what differs."""
    return log((1 - low + SOFT) / (1 - high + SOFT))


def _weigh(ranked: Sequence[tuple[float, Kind]], values: Sequence[float], cut: int) -> float:
    """Weigh a cut: the gap it lies in, and the share of pages whose kind of address lies on one side of it."""
    gap = weigh_gap(values[cut - 1], values[cut])
    below, above = Counter(kind for _, kind in ranked[:cut]), Counter(kind for _, kind in ranked[cut:])
    mixed = sum(min(below[kind], count) for kind, count in above.items())
    pure = 1.0 - mixed / min(cut, len(values) - cut)
    return gap + PURE * max(0.0, pure)
