"""Telling pages like some samples from others by their trees alone, with no site around them: what `dowse like` is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from math import log
from typing import Final

from bench.traits import Telling, Traits, weigh_traits
from dowse.tree.similarity import (
    Fingerprint,
    PageShape,
    Shape,
    Threshold,
    explain_cuts,
    fingerprint_of,
    similarity,
    similarity_bound,
)

MOST_SAMPLES: Final = 20  # each costs time on every page
FEW: Final = 4  # similarities that show no spread yet
HALF: Final = 0.5  # who has less in common with the samples than not is not like them, whatever the others are
STRICT: Final = 0.8  # pages of one template are usually this alike; used only where the spread tells nothing
LEAST: Final = 0.25  # a gap may reach lower, but what differs in three quarters is never alike
APART: Final = 0.1  # two groups whose means are nearer are one
SOFT: Final = 0.5  # what differs counts by its logarithm, but near copies of a sample must not part from its template
MARGIN: Final = (
    0.08  # how much lower than its bound a similarity is at most, for all but 1 in 1,000 pairs of pages of one site
)

ONE_GROUP: Final = Threshold(STRICT, "the pages are one group, and not alike enough to take them all", 0.0)


class Clear(Enum):
    """What two fingerprints say about a pair, for a threshold."""

    ALIKE = "clearly alike"
    UNLIKE = "clearly not alike"
    UNCLEAR = "must be mapped"


def judge_clear(a: Fingerprint, b: Fingerprint, threshold: float, *, margin: float = MARGIN) -> Clear:
    """Return True if two shapes are alike, where their fingerprints are enough to tell."""
    most = similarity_bound(a, b)
    if most < threshold:
        return Clear.UNLIKE
    return Clear.ALIKE if most - margin >= threshold else Clear.UNCLEAR


@dataclass(frozen=True, slots=True)
class Alike:
    """Compares pages with the samples."""

    samples: tuple[PageShape, ...]

    def score(self, shape: Shape, *, at_least: float = 0.0) -> float:
        """Return how alike a page is to the sample that it is most alike to; something less than `at_least` when it is less."""
        mark = fingerprint_of(shape)
        ranked = sorted(
            ((similarity_bound(mark, sample.fingerprint), sample.shape) for sample in self.samples),
            key=lambda each: -each[0],
        )
        best = 0.0
        for most, sample in ranked:
            if most < at_least or most <= best:
                break
            best = max(best, similarity(shape, sample, at_least=max(best, at_least)))
        return best

    def is_alike(self, shape: Shape, threshold: float) -> bool:
        """Return True if a page is like a sample; only what the fingerprints leave open is mapped."""
        mark = fingerprint_of(shape)
        said = [judge_clear(mark, sample.fingerprint, threshold) for sample in self.samples]
        if Clear.ALIKE in said:
            return True
        open_ones = [sample for sample, clear in zip(self.samples, said, strict=True) if clear is Clear.UNCLEAR]
        return any(similarity(shape, each.shape, at_least=threshold) >= threshold for each in open_ones)


def learn_alike(shapes: Iterable[Shape]) -> Alike:
    """Take pages as samples."""
    return Alike(
        tuple(PageShape(shape, fingerprint_of(shape)) for shape, _ in zip(shapes, range(MOST_SAMPLES), strict=False))
    )


@dataclass(frozen=True, slots=True)
class Parted:
    """Pages by how like the samples they are, in their order, and from where on they count as like them."""

    scores: tuple[float, ...]
    threshold: Threshold


def part_pages(samples: Sequence[Traits], pages: Sequence[Traits]) -> Parted:
    """Tell the pages like some samples from the others by what tells them apart.

    Looks twice: one sample has its own whims, so those of the pages like it at first sight that surely are become samples too.
    """
    samples = samples[:MOST_SAMPLES]
    telling = weigh_traits([*samples, *pages])
    first = [max((telling.likeness(sample, page) for sample in samples), default=0.0) for page in pages]
    least = find_threshold(first).value
    ranked = sorted((place for place, score in enumerate(first) if score >= least), key=lambda place: -first[place])
    sure = spread(ranked[: (len(ranked) + 1) // 2], MOST_SAMPLES - len(samples))
    scores = tuple(
        _mean_likeness(telling, page, [*samples, *(pages[other] for other in sure if other != place)])
        for place, page in enumerate(pages)
    )
    return Parted(scores, find_threshold(scores))


def spread(ranked: Sequence[int], most: int) -> list[int]:
    """Return at most so many of a row, from all over it."""
    step = max(1.0, len(ranked) / most) if most > 0 else 0.0
    return [ranked[int(number * step)] for number in range(min(most, len(ranked)))]


def _mean_likeness(telling: Telling, page: Traits, others: Sequence[Traits]) -> float:
    return sum(telling.likeness(page, other) for other in others) / len(others) if others else 0.0


def find_threshold(similarities: Iterable[float]) -> Threshold:
    """Find where the similarities of a site's pages to the samples, the samples themselves left out, fall into two groups."""
    ranked = sorted(similarities)
    if len(ranked) < FEW:
        return Threshold(STRICT, f"{len(ranked)} pages are too few to see a spread", 0.0)
    if ranked[-1] < HALF:
        return Threshold(HALF, f"no page has more than {ranked[-1]:.0%} in common with a sample", 1 - ranked[-1] / HALF)
    if ranked[0] >= STRICT:
        return Threshold(STRICT, f"all pages are alike: each has {ranked[0]:.0%} or more in common", ranked[0])
    return _split(ranked)


def _split(ranked: Sequence[float]) -> Threshold:
    """Cut where the groups explain most of the spread and the gap is wide, both in orders of what differs."""
    if ranked[-1] - ranked[0] < APART:
        return ONE_GROUP
    orders = [-log(1 - each + SOFT) for each in ranked]
    length = orders[-1] - orders[0]
    gaps = [(high - low) / length for low, high in pairwise(orders)]
    worth = [0.0, *map(sum, zip(explain_cuts(orders), gaps, strict=True))]
    cut = max((place for place in range(1, len(ranked)) if ranked[place] > ranked[place - 1]), key=worth.__getitem__)
    below, above = ranked[:cut], ranked[cut:]
    if sum(above) / len(above) - sum(below) / len(below) < APART:
        return ONE_GROUP
    why = f"{len(above)} pages have {above[0]:.0%} or more in common with a sample, {len(below)} have {below[-1]:.0%} or less"
    return Threshold(max(LEAST, (above[0] + below[-1]) / 2), why, min(1.0, worth[cut] / 2))
