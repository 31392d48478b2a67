"""How like the samples of a pattern a page is, beyond what all pages of their site have in common."""

from __future__ import annotations

from dataclasses import dataclass

from dowse.tree.alike import Alike
from dowse.tree.node import Node
from dowse.tree.shape import shape_of


@dataclass(frozen=True, slots=True)
class Likeness:
    """Compares pages with samples; what the entry has in common with them is the site's frame, and counts for nothing."""

    alike: Alike
    common: float  # similarity of the entry, which is not one of the pages that are wanted

    def of(self, tree: Node) -> float:
        """Return how like a sample a page is: 0 as little as the entry, 1 the same."""
        return max(0.0, (self.alike.score(shape_of(tree)) - self.common) / (1.0 - self.common))
