"""Which pages of a site are like the samples: one score for each page, of named facts about its tree, its address and where it is listed.

What a fact says for and against is fitted on sites whose pages are known (`bench/paper3/fit.py`), and kept as data with its
source in `models/pages.json`. Facts of a page depend on the other pages of its site, so they are found again as a map grows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import msgspec

from dowse.errors import BadInput
from dowse.example.lists import (
    MIN_LIST_LINKS,
    MIN_SIBLING_SHARE,
    AddressKind,
    LinkBlock,
    SiteLists,
    address_kind,
    has_more_parameters,
    loose_address_kind,
)
from dowse.frontier.traps import view_of
from dowse.learn.linear import Softmax
from dowse.model import Verdict
from dowse.tree.similarity import (
    MAX_ENTRY_SIMILARITY,
    MIN_VALUES,
    STRICT_LIKENESS,
    PageShape,
    ReferenceSample,
    Shape,
    Threshold,
    find_cut,
    fingerprint_of,
    is_median_less,
    ks_distance,
    ks_p_value,
    nearest_likeness,
    reference_sample,
    similarity_bound,
    weigh_gap,
)

MODEL: Final = Path(__file__).parent / "models" / "pages.json"
# By what a person reads in a line.
SHOWN_FACTS: Final = 3  # that a reason names, the strongest

# -- steps of facts: where they are coarse or fine matters little, since each step has a weight of its own
LIKENESS_STEPS: Final = (0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97)
# Steps with weights of their own (bench/paper3/fit.py); where they lie was not measured.
TOGETHER_STEPS: Final = (0.01, 0.3, 0.5, 0.9)  # of the lists of a kind of page that have the samples' kind, too
# Steps with weights of their own (bench/paper3/fit.py); where they lie was not measured.
SIBLING_STEPS: Final = (0.01, 0.5, 0.9)  # of the pages of a kind that are listed where the samples are

# -- groups of pages; chosen on simulated sites of family A, sites with random templates and recorded sites
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_LONG_LIST_LINKS: Final = 12  # links to pages with addresses like the samples' that make a page a list
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
LONG_LIST_PAGE_SHARE: Final = 0.15  # of all such pages: the same on a large site
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_MIXED_LIST_SHARE: Final = 0.3  # of some pages that are lists, when all of them count as lists
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MAX_GAP_LIKENESS: Final = 0.6  # of the lower side of a gap: what is more like the sample is no other kind of page
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_GAP_WIDTH: Final = 0.15  # of a gap among pages with the samples' kind of address that makes them two kinds
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MAX_LOW_SHARE: Final = 0.6  # of the pages listed as the samples are that lie under a gap and count as some of them
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
STRAY_SHARE: Final = 0.02  # of them: a link or two in a list lead elsewhere
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_P_VALUE: Final = 1e-4  # under this it is no accident that pages listed elsewhere are otherwise like the sample
# The same, and by how much they are less alike, for pages that stand in another place of pages than the samples.
ELSEWHERE: Final = (0.02, 0.0)
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_APART_DISTANCE: Final = 0.9  # between what one list has and what others have, when it is another kind of list
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_MEDIAN_DIFFERENCE: Final = 0.2  # by which they are less alike than what stands beside a sample

# -- pages that become samples
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MAX_JUDGE_SAMPLES: Final = 10  # those given and those found; each costs a comparison on every page
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MAX_FOUND_SAMPLE_SIMILARITY: Final = 0.9  # to the entry, of a page that becomes a sample
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
SAMPLE_LIKENESS: Final = 0.6  # from which on pages with an address like the samples' become samples
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
EQUAL_LIKENESS: Final = 0.97  # as good as equal
# On eight development sites (bench/paper3/sensitivity.py) 1 cannot be.
SCALE_QUANTILE: Final = 0.9  # of the pages with the samples' kind of address are less like them than the scale
# Half and twice change nothing on eight development sites (bench/paper3/sensitivity.py); chosen on others, by hand.
MIN_SCALE: Final = 0.1

UNKNOWN_THRESHOLD: Final = Threshold(STRICT_LIKENESS, "too few pages to see a distribution", 0.0)


class PageModel(msgspec.Struct, frozen=True):
    """What each fact says for and against a page, and what that was fitted on."""

    source: str
    weights: Softmax  # of "like" and "unlike"


@cache
def load_page_model() -> PageModel:
    """Return the weights that come with Dowse."""
    return msgspec.json.decode(MODEL.read_bytes(), type=PageModel)


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
    model: Softmax = field(default_factory=lambda: load_page_model().weights)
    scale: float = 1.0  # what pages with addresses like the samples' reach beyond that: long texts are never very alike
    pages: dict[str, PageShape] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)  # similarity to the nearest sample
    given_likeness: dict[str, float] = field(default_factory=dict)  # likeness to the samples that were given
    threshold: Threshold = UNKNOWN_THRESHOLD  # where the likenesses of all pages part
    own_gap: float = 0.0  # where those of pages that are listed with the samples part; 0 where they do not
    below_gap: str = ""  # what is under that
    are_all_alike: bool = False  # the entry and nearly all pages are as like the samples as others of their kind are
    added_samples: list[str] = field(default_factory=list)  # pages that became samples
    tried: set[str] = field(default_factory=set)  # pages that were taken as samples, or could not be
    list_pages: frozenset[str] = frozenset()  # pages that list many of the pages with addresses like the samples'
    same_kind: frozenset[str] = frozenset()  # pages with addresses of the samples' kind, without the samples
    liked: frozenset[str] = frozenset()  # of them, those that counted as like the samples when all were judged last
    siblings: frozenset[str] = frozenset()  # of them, those that are listed as the samples are
    kind_facts: dict[AddressKind, tuple[str, ...]] = field(default_factory=dict)  # of kinds that are not the samples'
    unlike: frozenset[str] = frozenset()  # of the samples' kind, listed elsewhere, and they vary otherwise
    apart: frozenset[str] = frozenset()  # the same, in one of the samples' lists that has other pages than the others

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

    # -- the score of a page

    def is_target(self, url: str) -> bool:
        """Return True if a page counts as like the samples."""
        return url in self.sample_urls or self.score(self.find_facts(url)) > 0

    def score(self, facts: Iterable[str]) -> float:
        """Return the logarithm of the odds that facts are those of a page like the samples."""
        like, unlike = self.model.score(facts)
        return like - unlike

    def judge(self, url: str) -> Verdict:
        """Judge a page, with the strongest facts that speak for the verdict."""
        if url in self.sample_urls:
            return Verdict(True, "is a sample")
        facts = list(self.find_facts(url))
        is_like = self.score(facts) > 0
        speaks = {fact: (1 if is_like else -1) * self.score((fact,)) for fact in facts}
        bias = (1 if is_like else -1) * self.score(())
        strong = sorted((fact for fact in facts if speaks[fact] > bias), key=lambda fact: -speaks[fact])[:SHOWN_FACTS]
        return Verdict(is_like, "; ".join(strong) or "nothing speaks for it")

    def find_facts(self, url: str) -> Iterator[str]:
        """Yield what is known of a page and may tell whether it is like the samples."""
        kind, likeness = address_kind(url), self.likeness(url)
        address, listed = self._describe_address(url), self._describe_place(url)
        yield from (address, listed, f"{address}, {listed}")
        is_own = kind in self.kinds and self.site_lists.is_sibling(url)
        known = "with such an address" if self.site_lists.siblings is None else "in such a list"
        sort = (known if is_own else "elsewhere") + (", as the entry" if self._is_entry_like_samples else "")
        if self.are_all_alike:
            yield f"{listed}, where all pages look the same"
        else:
            yield from (f"likeness {step} or more {sort}" for step in LIKENESS_STEPS if likeness >= step)
        if self.threshold.confidence:
            yield f"{'above' if likeness >= self.threshold.value else 'below'} where all pages part, {sort}"
        if is_own and self.own_gap:
            yield "above a gap in the samples' lists" if likeness >= self.own_gap else self.below_gap
        if url in self.site_lists.boilerplate:
            yield f"linked from many pages, {address}, {listed}"
        if self.site_lists.scope is not None and not self.site_lists.is_sibling(url):
            yield "outside what is below the entry"
        marks = {
            "ends with a word of the template": self.site_lists.labels,
            "lists many such pages": self.list_pages,
            "varies otherwise, as all that is listed there": self.unlike,
            "in a list of other pages": self.apart,
        }
        yield from (fact for fact, urls in marks.items() if url in urls)
        yield from ("another view of a page",) if self.is_view(url) else ()
        yield from self.kind_facts.get(kind, ())  # of kinds that are not the samples'

    def _describe_address(self, url: str) -> str:
        kind = address_kind(url)
        if kind in map(address_kind, self.sample_urls):
            return "address like the samples'"
        if kind in self.kinds:
            return "address listed among the samples'"
        return "address with other folders" if loose_address_kind(url) in self.loose_kinds else "another address"

    def _describe_place(self, url: str) -> str:
        if self.site_lists.siblings is None:
            return "no list of samples known"
        if url in self.site_lists.siblings:
            return "listed where the samples are"
        return "on the way to their lists" if url in self.site_lists.on_the_way else "not listed with them"

    def is_view(self, url: str) -> bool:
        """Return True if an address is another view of a page (sorted, printed, compared, edited), as no sample's is."""
        return view_of(url)[0] is not None and not any(view_of(each)[0] for each in self.sample_urls)

    # -- what is known of all pages together

    def rejudge(self) -> None:
        """Find again what pages have in common, with further samples among the pages that are like those given."""
        self.kinds = frozenset(map(address_kind, self.sample_urls))
        self.same_kind = self._find_same_kind()
        other = sum(likeness < SAMPLE_LIKENESS for likeness in self.given_likeness.values())
        self.are_all_alike = self._is_entry_like_samples and other <= STRAY_SHARE * len(self.given_likeness)
        same = {url for url in self.same_kind if self.given_likeness[url] >= EQUAL_LIKENESS}
        near = {url for url in self.same_kind if self.given_likeness[url] >= SAMPLE_LIKENESS}
        self.site_lists.update(same, self.liked, near)
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
        self.kind_facts = self._describe_kinds()
        elsewhere = self.site_lists.group_by_place(self.same_kind - self.siblings - self.site_lists.on_the_way)
        unlike = (group for place, group in elsewhere if self._are_otherwise(place, group))
        self.unlike = frozenset().union(*unlike)
        self.apart = frozenset().union(*filter(self._are_apart, self.site_lists.group_by_list(self.siblings)))
        self._drop_samples()
        self._find_gaps()
        while len(self.samples) < MAX_JUDGE_SAMPLES and (url := self._find_sample()):
            self._add_sample(url)
            self._find_gaps()
        self.liked = frozenset(filter(self.is_target, self.same_kind))

    def _find_gaps(self) -> None:
        """Find where likenesses part: of all pages, and of those that are listed with the samples."""
        reached = sorted(self.scores[url] for url in self.siblings) if self.site_lists.siblings is not None else []
        is_known = len(reached) >= MIN_VALUES
        self.scale = max(MIN_SCALE, reached[int(len(reached) * SCALE_QUANTILE)]) if is_known else 1.0
        values = {url: self.likeness(url) for url in self.pages if url not in self.sample_urls | self.list_pages}
        is_sibling = self.site_lists.is_sibling
        self.threshold = find_cut(
            [(likeness, (is_sibling(url), *address_kind(url))) for url, likeness in values.items()]
        )
        own = {url: likeness for url, likeness in values.items() if self._is_same_kind(url) and is_sibling(url)}
        self.own_gap = _find_gap(list(own.values()))
        self.below_gap = self._describe_low(own)

    def _describe_low(self, own: Mapping[str, float]) -> str:
        """Describe the pages in the samples' lists under a gap: how many they are, and whether they are lists."""
        low = {url for url, likeness in own.items() if likeness < self.own_gap} - self.site_lists.boilerplate
        many = "most" if len(low) > MAX_LOW_SHARE * len(own) else "some"
        many = "few" if len(low) <= max(1, STRAY_SHARE * len(own)) else many
        lists = ", which are lists" if self._are_lists(low) else ""
        if many == "some" and not lists and self._are_among(low, own.keys() - low | self.sample_urls):
            return "below a gap in the samples' lists, as some, among those above it"
        return f"below a gap in the samples' lists, as {many}{lists}{', which the entry has' if self._does_entry_list_most() else ''}"

    def _are_among(self, pages: Collection[str], others: Collection[str]) -> bool:
        """Return True if most of some pages stand in one list with others: two templates of one kind of page."""
        lists = list(self.site_lists.group_by_list({*pages, *others}))
        among = set[str]().union(*(group for group in lists if not group.isdisjoint(others)))
        return len(among.intersection(pages)) > MIN_SIBLING_SHARE * len(pages)

    def _find_same_kind(self) -> frozenset[str]:
        return frozenset(url for url in self.pages if self._is_same_kind(url) and url not in self.sample_urls)

    def _is_same_kind(self, url: str) -> bool:
        return address_kind(url) in self.kinds

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

    def _describe_kinds(self) -> dict[AddressKind, tuple[str, ...]]:
        """Return what is known of each kind of address that is not the samples'.

        Pages of one template vary alike wherever they stand, and stand in the same lists whatever their addresses.
        """
        others: dict[AddressKind, list[str]] = defaultdict(list)
        for url in self.pages:
            if not self._is_same_kind(url):
                others[address_kind(url)].append(url)
        together = self.site_lists.find_together(self.kinds)
        on_entry = Counter(map(address_kind, self.site_lists.links.get(self.site_lists.entry_url, ())))
        is_listed = self._does_entry_list_most()
        found: dict[AddressKind, tuple[str, ...]] = {}
        for kind, urls in others.items():
            facts = ["its kind varies as the samples'" if self._may_be_alike(urls) else "its kind varies otherwise"]
            facts += [
                f"its kind stands in their lists {step}" for step in TOGETHER_STEPS if together.get(kind, 0) >= step
            ]
            if self.site_lists.siblings is not None:
                share = sum(map(self.site_lists.is_sibling, urls)) / len(urls)
                facts += [f"its kind is listed as they are {step}" for step in SIBLING_STEPS if share >= step]
            if is_listed:
                facts.append(
                    f"its kind is {'' if on_entry[kind] >= MIN_LIST_LINKS else 'not '}on the entry, as they are"
                )
            if self._has_more_parameters(kind):
                facts.append("the samples' address with more parameters")
            if self._are_lists(urls):
                facts.append("its kind are lists of such pages")
            found[kind] = tuple(facts)
        return found

    def _has_more_parameters(self, kind: AddressKind) -> bool:
        """Return True if addresses are the samples' with more parameters: further pages of one thing."""
        return any(has_more_parameters(kind, each) for each in map(address_kind, self.sample_urls))

    @property
    def _is_entry_like_samples(self) -> bool:
        """True if the entry is built like the samples: it does not tell what all pages of the site share."""
        return any(sample.common >= MAX_ENTRY_SIMILARITY for sample in self.samples[: self.given_count])

    def _does_entry_list_most(self) -> bool:
        listed = self.same_kind.intersection(self.site_lists.links.get(self.site_lists.entry_url, ()))
        return len(self.same_kind) >= MIN_VALUES and len(listed) >= len(self.same_kind) / 2

    def _may_be_alike(
        self, pages: Iterable[str], doubt: float = MIN_P_VALUE, by: float = MIN_MEDIAN_DIFFERENCE
    ) -> bool:
        """Return True if pages may be as like the samples as those that are listed with them by chance, or differ by little."""
        some, others = [self.given_likeness[url] for url in pages], [self.given_likeness[url] for url in self.siblings]
        return not is_median_less(some, others, by) or ks_p_value(some, others) >= doubt

    def _are_otherwise(self, place: int, pages: Collection[str]) -> bool:
        """Return True if pages that are listed elsewhere are less like the samples; in such a place as the samples', all of them must be."""
        if self._may_be_alike(pages, *ELSEWHERE):
            return False
        some, others = [self.given_likeness[url] for url in pages], [self.given_likeness[url] for url in self.siblings]
        return place not in self.site_lists.list_pages or ks_distance(some, others) >= MIN_APART_DISTANCE

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

    # -- pages that become samples

    def _find_sample(self) -> str | None:
        """Return the page that becomes a sample: of those like the samples and listed with them, the least like them."""
        alike = (
            url for url in self.pages if loose_address_kind(url) in self.loose_kinds and self.site_lists.is_sibling(url)
        )
        likely = [
            url for url in alike if url not in self.tried and SAMPLE_LIKENESS <= self.likeness(url) < EQUAL_LIKENESS
        ]
        return min(filter(self.is_target, likely), key=self.likeness, default=None)

    def add_samples_of(self, targets: Collection[str]) -> None:
        """Let targets that are unlike all samples become samples, the least alike first: each stands for a further template."""
        left = [url for url in targets if url in self.pages and url not in self.tried]
        while left and len(self.samples) < MAX_JUDGE_SAMPLES:
            url = min(left, key=self.likeness)
            if self.likeness(url) >= SAMPLE_LIKENESS:
                return
            left.remove(url)
            self._add_sample(url)

    def _drop_samples(self) -> None:
        """Drop samples that turned out to be something else."""
        wrong = self.list_pages | self.unlike | self.apart
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


def open_judge(
    samples: Mapping[str, Shape], entry: Shape, start_url: str = "", entry_links: Collection[str] = ()
) -> Judge:
    """Take samples by their addresses, and the entry to start from; an entry that is like them and does not name them is one of them."""
    start = PageShape(entry, fingerprint_of(entry))
    taken = [reference_sample(PageShape(shape, fingerprint_of(shape)), start) for shape in samples.values()][
        :MAX_JUDGE_SAMPLES
    ]
    is_alike = any(each.common >= MAX_ENTRY_SIMILARITY for each in taken)
    is_one = address_kind(start_url) in set(map(address_kind, samples)) and not samples.keys() <= set(entry_links)
    if is_alike and is_one:
        raise BadInput(
            "the entry is itself like the sample; give a page that leads to such pages, such as a list of them"
        )
    kinds, loose_kinds = frozenset(map(address_kind, samples)), frozenset(map(loose_address_kind, samples))
    return Judge(start, taken, SiteLists(frozenset(samples), start_url), kinds, loose_kinds, len(taken))


def _find_gap(likenesses: Sequence[float]) -> float:
    """Return the middle of the widest gap between pages with addresses like the samples'; 0 where none is wide."""
    ranked = sorted(likenesses)
    gaps = (
        (weigh_gap(low, high), place) for place, (low, high) in enumerate(pairwise(ranked), 1) if low < MAX_GAP_LIKENESS
    )
    cut = max(gaps, default=(0.0, 0))[1]
    if len(ranked) < MIN_VALUES or not cut or ranked[cut] - ranked[cut - 1] < MIN_GAP_WIDTH:
        return 0.0
    return (ranked[cut] + ranked[cut - 1]) / 2
