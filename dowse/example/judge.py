"""Which pages of a site are like the samples: by how alike they are, where the likenesses part, and how addresses are written."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dowse.errors import BadInput
from dowse.example.kind import Kind, kind_of
from dowse.tree.alike import Sample, Threshold
from dowse.tree.fingerprint import bound, print_of
from dowse.tree.rtdm import similarity
from dowse.tree.shape import Shape

MOST_SAMPLES: Final = 8  # those given and those found; each costs a comparison on every page
MOST_COMMON: Final = 0.995  # an entry that is more like a sample than this is one of the pages that are wanted
FEW: Final = 5  # pages that show no spread yet
STRICT: Final = 0.7  # until then, and where nothing parts, this much beyond the site's frame is like the sample
LOOSE: Final = 0.3  # less is never like it
SURE: Final = 0.75  # pages of the sample's kind of address that are this alike are samples themselves


@dataclass(slots=True)
class Judge:
    """Judges the pages of one site, better with every page."""

    entry: Shape
    samples: list[Sample]
    kinds: frozenset[Kind]  # of the samples' addresses
    common: float = 0.0  # similarity of the entry, which is none of the pages that are wanted: the site's frame
    pages: dict[str, Sample] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)  # similarity to the nearest sample
    threshold: Threshold = Threshold(STRICT, "too few pages to see a spread", 0.0)

    def add(self, url: str, shape: Shape) -> float:
        """Take a page, and return how like a sample it is beyond what all pages of the site share."""
        page = Sample(shape, print_of(shape))
        self.pages[url] = page
        self.scores[url] = _nearest(page, self.samples)
        return self.likeness(url)

    def likeness(self, url: str) -> float:
        """Return how like a sample a page is: 0 as little as the entry, 1 the same."""
        return max(0.0, (self.scores[url] - self.common) / (1.0 - self.common))

    def is_target(self, url: str) -> bool:
        """Tell whether a page counts as like the samples."""
        return self.likeness(url) >= self.threshold.value

    def judge_again(self) -> None:
        """Find the threshold anew, with further samples among the pages that are surely like those given."""
        while len(self.samples) < MOST_SAMPLES and (url := self._find_sample()):
            self._take_sample(self.pages[url])
        self.threshold = find_cut([(self.likeness(url), kind_of(url)) for url in self.pages])

    def _find_sample(self) -> str | None:
        """Return the page least like the samples of those that are surely like them."""
        sure = [url for url in self.pages if kind_of(url) in self.kinds and SURE <= self.likeness(url) < 0.97]
        return min(sure, key=self.likeness, default=None)

    def _take_sample(self, sample: Sample) -> None:
        self.samples.append(sample)
        self.common = min(MOST_COMMON, max(self.common, similarity(self.entry, sample.shape)))
        for url, page in self.pages.items():
            if bound(page.print, sample.print) > self.scores[url]:
                self.scores[url] = max(self.scores[url], similarity(page.shape, sample.shape))


def _nearest(page: Sample, samples: Iterable[Sample]) -> float:
    best = 0.0
    for sample in samples:
        if bound(page.print, sample.print) > best:
            best = max(best, similarity(page.shape, sample.shape))
    return best


def open_judge(samples: Mapping[str, Shape], entry: Shape) -> Judge:
    """Take samples by their addresses, and the entry to start from; an entry that is like them tells nothing."""
    taken = [Sample(shape, print_of(shape)) for shape in samples.values()][:MOST_SAMPLES]
    judge = Judge(entry, taken, frozenset(map(kind_of, samples)))
    judge.common = _nearest(Sample(entry, print_of(entry)), taken)
    if judge.common > MOST_COMMON:
        raise BadInput("the entry is itself like the sample; give a page that leads to such pages, such as a list of them")
    return judge


def find_cut(pages: Sequence[tuple[float, Kind]]) -> Threshold:
    """Find where pages part in two: a wide gap, groups that are close in themselves, and addresses of one kind on one side."""
    ranked = sorted(pages, key=lambda each: each[0])
    values = [likeness for likeness, _ in ranked]
    if len(values) < FEW or values[-1] < LOOSE:
        return Threshold(STRICT, f"{len(values)} pages are too few to see a spread", 0.0)
    best, worth = max(((cut, _weigh(ranked, values, cut)) for cut in _cuts(values)), key=lambda each: each[1], default=(0, 0.0))
    if not best:
        return Threshold(STRICT, "nothing parts the pages", 0.0)
    value = (values[best] + values[best - 1]) / 2
    why = f"{len(values) - best} pages are {values[best]:.0%} or more like a sample, {best} are {values[best - 1]:.0%} or less"
    return Threshold(max(LOOSE, value), why, worth)


def _cuts(values: Sequence[float]) -> list[int]:
    return [place for place in range(1, len(values)) if values[place] > values[place - 1] and values[place] >= LOOSE]


def _weigh(ranked: Sequence[tuple[float, Kind]], values: Sequence[float], cut: int) -> float:
    """Weigh a cut: the gap it lies in, and the share of pages whose kind of address lies on one side of it."""
    gap = values[cut] - values[cut - 1]
    below, above = Counter(kind for _, kind in ranked[:cut]), Counter(kind for _, kind in ranked[cut:])
    mixed = sum(min(below[kind], count) for kind, count in above.items())
    pure = 1.0 - mixed / min(cut, len(values) - cut)
    return gap + max(0.0, pure)
