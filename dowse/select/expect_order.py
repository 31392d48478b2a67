"""Which attribute parts the source: asked for all its values, it brings full pages and nothing twice.

A query that brings ten new records on a page is no better than another that does. What differs is what
they leave: after all films of a year, those of other years are as new as before; after all
dramas, half of each year is known. So one such attribute is kept to.
"""

from __future__ import annotations

from typing import Final

from dowse.select.expect import Expectation
from dowse.select.expect_classes import Classes, Kind
from dowse.select.expect_routes import SPREAD

ORDERLY: Final = 0.5  # of full pages of new records: an attribute that promises as much parts the source
STRAY: Final = 0.2  # of full pages: how records come that have no value of that attribute
HALF: Final = 0.5  # of a page: what is lost with each value
LOYAL: Final = 1.3  # an attribute that was begun with is kept until another promises so much more


def find_order(promises: list[float], before: int) -> int:
    """Return the attribute that parts the source, by its number; -1 where none does."""
    weighed = [each * LOYAL if attribute == before else each for attribute, each in enumerate(promises)]
    best = max(range(len(weighed)), key=weighed.__getitem__, default=-1)
    return best if best >= 0 and weighed[best] >= ORDERLY else -1


def promise(expectation: Expectation, classes: Classes, attribute: int) -> float:
    """Return how full of new records all pages would be if an attribute were asked for all its values, and then the rest."""
    full = weight = 0.0
    for size, count in enumerate(classes.counts[attribute]):
        if count and size:
            new, pages = expectation.expect_whole(Kind(attribute, size, SPREAD, 0))
            full += count * new * new / pages
            weight += count * new
    if not weight:
        return 0.0
    once = expectation.having[attribute] / max(1, expectation.pairs[attribute])
    once *= count_filled(expectation, classes.counts[attribute])
    share = expectation.share(attribute)
    return 1 / (share / max(1e-9, full / weight / expectation.page_size * once) + (1 - share) / STRAY)


def count_filled(expectation: Expectation, counts: list[int]) -> float:
    """Return what part of the pages is not lost to last pages, half empty, by how many values there must be (Chao 1984)."""
    unmet = counts[1] * (counts[1] - 1) / (2 * (counts[2] + 1))
    return expectation.size / (expectation.size + HALF * expectation.page_size * (sum(counts) + unmet))
