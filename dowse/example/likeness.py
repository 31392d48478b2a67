"""How like the samples a page is, beyond what all pages of their site have in common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dowse.errors import BadInput
from dowse.tree.alike import Alike, learn_alike
from dowse.tree.node import Node
from dowse.tree.shape import Shape, shape_of

MOST_COMMON: Final = 0.98  # an entry that is more like the sample than this is one of the pages that are wanted


@dataclass(frozen=True, slots=True)
class Likeness:
    """Compares pages with samples; what the entry has in common with them is the site's frame, and counts for nothing."""

    alike: Alike
    common: float  # similarity of the entry, which is not one of the pages that are wanted

    def of(self, tree: Node) -> float:
        """Return how like a sample a page is: 0 as little as the entry, 1 the same."""
        return max(0.0, (self.alike.score(shape_of(tree)) - self.common) / (1.0 - self.common))


def learn_likeness(samples: Iterable[Shape], entry: Shape) -> Likeness:
    """Take samples, and an entry to start from; an entry that is like them tells nothing."""
    alike = learn_alike(samples)
    common = alike.score(entry)
    if common > MOST_COMMON:
        raise BadInput("the entry is itself like the sample; give a page that leads to such pages, such as a list of them")
    return Likeness(alike, common)
