"""How many query forms a search missed, and so which part it found: by the links it left and a random part of them.

Links of a site whose addresses have one shape are a cluster. Pages of one template mostly show one form, so what is expected
behind a cluster grows with the root of the number of its links, and thousands of facets do not hide thousands of forms. How far
expectations are to be trusted on these sites is learned from the pages that were drawn at random (Gamma-Poisson), and the
interval is that of the count that is still missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from dowse.model import LeftBehind
from dowse.yields.interval import Interval, bound

# Fitted on recorded real software, recorded real sites and family A, each searched with eight strategies, by priors that had not
# seen the sites: how what is expected grows with the links of a cluster; how many forms a site is missing for what is expected
# there, a factor and a power, where the search found some and where it found none (sites that have some hide more than their
# links tell); and by how many forms the factor is known beforehand for sites of another sort.
GROWTH = 0.5
MISSED_WHERE_FOUND = 1.56, 0.62
MISSED_WHERE_NONE = 3.1, 1.03
STRENGTH = 2.0
DRAWN_SHARE = 0.5  # of what is expected behind a link, the part that its own page shows
MAX_WIDTH = 0.7  # of an interval that still says something
RANDOM_PAGES = "the links that were left and pages drawn at random from them"
LINKS_LEFT = "the links that were left (so few that no page was drawn at random)"
# The chance that more is missing, and that less is. That nothing is missing is seldom to be ruled out: a search that found everything
# leaves links, too, and the interval must hold for it.
MORE_CHANCE, LESS_CHANCE = 0.025, 0.005
MAX_MISSED = 100_000  # forms that are counted up to


def expect_cluster(expected: Sequence[float]) -> float:
    """Return the query forms to be expected behind links whose addresses have one shape, given what each promises."""
    return sum(expected) / len(expected) * len(expected) ** GROWTH if expected else 0.0


def expect_missed(expected: float, found: int) -> float:
    """Return the query forms that are missing of a site, given what is expected behind all links that were left."""
    factor, power = MISSED_WHERE_FOUND if found else MISSED_WHERE_NONE
    return factor * expected**power if expected > 0 else 0.0


def estimate_found(found: int, left: LeftBehind) -> Interval | None:
    """Return which part of all query forms was found; None where too little was seen to say."""
    if not found:
        return None
    shape, rate = STRENGTH + left.drawn_forms, STRENGTH + DRAWN_SHARE * left.drawn_expected
    low, high = bound_missed(shape, rate, left.expected)
    missed = left.expected * shape / rate
    method = RANDOM_PAGES if left.pages else LINKS_LEFT
    interval = bound(found / (found + missed), found / (found + high), found / (found + low), method, most=1.0)
    return interval if interval.high - interval.low <= MAX_WIDTH else None


def bound_missed(shape: float, rate: float, expected: float) -> tuple[int, int]:
    """Return between which counts forms are missing that are expected times a factor: Gamma with this shape and rate."""
    if expected <= 0:
        return 0, 0
    chance = (rate / (rate + expected)) ** shape  # of none: a Poisson count whose mean is Gamma is negative binomial
    below, count, low = chance, 0, -1
    while below < 1 - MORE_CHANCE and count < MAX_MISSED:
        low = count if low < 0 and below > LESS_CHANCE else low
        chance *= (shape + count) / (count + 1) * expected / (rate + expected)
        count += 1
        below += chance
    return max(low, 0) if low >= 0 else count, count
