"""How like samples a page is, beyond what all pages of their site have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from dowse.tree.alike import Sample
from dowse.tree.fingerprint import bound, print_of
from dowse.tree.node import Node
from dowse.tree.rtdm import similarity
from dowse.tree.shape import shape_of

MOST_COMMON: Final = 0.98  # that can be taken off; of an entry that is built just like the samples, something is left


@dataclass(frozen=True, slots=True)
class Framed:
    """A sample, and what the entry has in common with it: the frame of the site, which counts for nothing."""

    page: Sample
    common: float

    def likeness(self, page: Sample) -> float:
        """Return how like the sample a page is: 0 as little as the entry, 1 the same."""
        return max(0.0, (similarity(page.shape, self.page.shape) - self.common) / (1.0 - self.common))

    def needed(self, likeness: float) -> float:
        """Return the similarity that a likeness comes from."""
        return self.common + likeness * (1.0 - self.common)


def frame(sample: Sample, entry: Sample) -> Framed:
    """Take off a sample what the entry shares with it."""
    return Framed(sample, min(MOST_COMMON, similarity(entry.shape, sample.shape)))


def nearest(page: Sample, samples: Iterable[Framed]) -> float:
    """Return how like the sample that it is most like a page is; fingerprints spare most comparisons."""
    best = 0.0
    for sample in samples:
        if bound(page.print, sample.page.print) > sample.needed(best):
            best = max(best, sample.likeness(page))
    return best


@dataclass(frozen=True, slots=True)
class Likeness:
    """Compares pages with the samples of a pattern."""

    samples: Sequence[Framed]
    scale: float = 1.0  # what pages of the kind reach: long texts are never very alike

    def of(self, tree: Node) -> float:
        """Return how like a sample a page is; all are where a pattern written by hand has none."""
        if not self.samples:
            return 1.0
        shape = shape_of(tree)
        return min(1.0, nearest(Sample(shape, print_of(shape)), self.samples) / self.scale)
