"""What a page is built with, wherever it stands: its labels, and what stands in what; some of it tells pages apart, some not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Final

from dowse.tree.node import MAX_NODES, Node, sign_of
from dowse.tree.similarity import TAGS_WITHOUT_CLASS, TEXT_LABEL, label_of

Traits = frozenset[int]

BARE: Final = 4  # pages without any trait, counted in: what all pages have tells little, but where all are of one template, something


@dataclass(frozen=True, slots=True)
class Telling:
    """How much each trait tells about a page, and how alike two pages are in what tells."""

    weights: Mapping[int, float]

    def likeness(self, a: Traits, b: Traits) -> float:
        """Return the part of what tells about two pages that both have, 0 to 1."""
        whole = self._weigh(a) + self._weigh(b)
        return min(1.0, 2 * self._weigh(a & b) / whole) if whole else 1.0

    def _weigh(self, traits: Traits) -> float:
        return sum(map(self.weights.__getitem__, traits & self.weights.keys()))


def traits_of(tree: Node) -> Traits:
    """Return the labels of a page's tags, and each with the label of the tag it stands in; how often and how deep tells nothing."""
    traits: set[int] = set()
    text, left = label_of(TEXT_LABEL), MAX_NODES
    waiting = [(0, tree)]
    while waiting and left > 0:
        above, node = waiting.pop()
        left -= 1
        label = label_of(node.tag if node.tag in TAGS_WITHOUT_CLASS else sign_of(node))
        traits.update((label, hash((above, label))))
        if any(not each.isspace() for each in node.texts):
            traits.add(hash((label, text)))
        waiting.extend((label, child) for child in node.children)
    return frozenset(traits)


def weigh_traits(pages: Sequence[Traits]) -> Telling:
    """Weigh traits by the entropy of who of some pages has them: those of all pages and those of one tell the least."""
    count = len(pages) + BARE
    had = Counter(trait for page in pages for trait in page)
    return Telling({trait: _entropy(pages_with / count) for trait, pages_with in had.items()})


def _entropy(share: float) -> float:
    return -share * log2(share) - (1 - share) * log2(1 - share)
