"""How many query forms a search missed, and so which part it found: by the links it left and a random part of them.

Links of a site whose addresses have one shape are a cluster, and pages of one template mostly show one form. So new forms
of a cluster come ever more slowly, as new species do (Ewens 1972: the chance of the next page goes down with the pages before), and what
is still expected there grows with the logarithm of the pages that it has over those that were read: thousands of facets
beside hundreds that were read hide next to nothing, a cluster that nobody looked at may hide what its best link promises. That becomes
forms of the site by a factor and a power. Sites differ from each other (Gamma-Poisson), and one sort of sites from
another; the second is learned again from pages drawn at random. The interval is that of the count that is still missing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dowse.model import LeftBehind, LinkCluster
from dowse.yields.interval import Interval, bound

MAX_WIDTH = 0.7  # of an interval that still says something
MORE_CHANCE = LESS_CHANCE = 0.025  # that more is missing than the interval says, and that less is
MIN_MISSED, MAX_MISSED = 1e-6, 100_000  # forms expected to be missing that count, and forms that are counted up to
RANDOM_PAGES = "the links that were left and pages drawn at random from them"
LINKS_LEFT = "the links that were left (so few that no page was drawn at random)"


@dataclass(frozen=True, slots=True)
class MissedModel:
    """How what clusters promise becomes forms that are missing.

    Fitted by `python -m bench coverage --parts fit` on recorded real software, recorded real sites and family A, each searched
    with several strategies, by priors that had not seen the site.
    """

    where_found: tuple[float, float] = (1.253, 0.502)  # a factor and a power, where the search found forms
    where_none: tuple[float, float] = (1.214, 0.688)  # and where it found none
    site_shape: float = 0.229  # of the Gamma distribution by which sites differ
    strength: float = 4.0  # forms by which the factor is known beforehand for sites of another sort
    drawn_share: float = 0.5  # of what is expected behind a link, the part that its own page shows

    def expect(self, promised: float, found: int) -> float:
        """Return the forms that are missing of a site whose clusters promise so much."""
        factor, power = self.where_found if found else self.where_none
        return factor * promised**power if promised > 0 else 0.0


FITTED = MissedModel()


def expect_cluster(cluster: LinkCluster) -> float:
    """Return what the links of a cluster promise together, after those of its pages that were read."""
    return cluster.promise * math.log1p(cluster.links / (cluster.pages + 1))


def sum_clusters(
    clusters: Sequence[LinkCluster], found: int, pages: int, forms: int, model: MissedModel = FITTED
) -> LeftBehind:
    """Return what a site is missing, given its clusters, and so many new forms on pages drawn at random."""
    promised = sum(map(expect_cluster, clusters))
    expected = model.expect(promised, found)
    before = model.expect(promised + sum(cluster.drawn for cluster in clusters), found)
    return LeftBehind(expected, pages, before - expected, forms, expected**2)


def estimate_found(found: int, left: LeftBehind, model: MissedModel = FITTED) -> Interval | None:
    """Return which part of all query forms was found; None where too little was seen to say."""
    if not found:
        return None
    known = model.strength + left.drawn_forms
    times = known / (model.strength + model.drawn_share * left.drawn_expected)
    missed = left.expected * times
    low, high = bound_missed(missed, missed + left.squares * times**2 / model.site_shape + missed**2 / known)
    method = RANDOM_PAGES if left.pages else LINKS_LEFT
    interval = bound(found / (found + missed), found / (found + high), found / (found + low), method, most=1.0)
    return interval if interval.high - interval.low <= MAX_WIDTH else None


def bound_missed(mean: float, variance: float) -> tuple[int, int]:
    """Return between which counts forms are missing, of a negative binomial count: a Poisson one whose mean is Gamma."""
    if mean < MIN_MISSED:
        return 0, 0
    shape = mean**2 / (variance - mean)
    chance = (shape / (shape + mean)) ** shape  # of none
    below, count, low = chance, 0, -1
    while below < 1 - MORE_CHANCE and count < MAX_MISSED:
        low = count if low < 0 and below > LESS_CHANCE else low
        chance *= (shape + count) / (count + 1) * mean / (shape + mean)
        count += 1
        below += chance
    return low if low >= 0 else count, count
