"""What a strategy yields, measured on sampled sites (paper 1, Section 3.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from dowse.yields.interval import Interval
from dowse.yields.ratio import Pair, estimate_part, estimate_rate

Figure = Literal["harvest", "coverage", "site_harvest", "site_coverage"]
UNKNOWN = Interval(0.0, 0.0, 1.0, "no site with a form was sampled")


@dataclass(frozen=True, slots=True)
class SiteYield:
    """What one strategy gave on one sampled site, and how many forms exhaustive search found there."""

    pages: int
    forms: int
    total: int

    @property
    def harvest(self) -> float:
        """Forms per page crawled (paper 1, Eq. 1)."""
        return self.forms / self.pages if self.pages else 0.0

    @property
    def coverage(self) -> float | None:
        """The part of its forms that was found (paper 1, Eq. 2); None when it has none."""
        return self.forms / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Yield:
    """What one strategy gave on a sample: pooled over all pages and forms, and as the mean of the sites."""

    name: str
    sites: int
    pages: int
    forms: int
    harvest: Interval  # all forms / all pages
    coverage: Interval  # all forms / all that there are
    site_harvest: Interval  # mean over the sites
    site_coverage: Interval  # mean over the sites that have any


def measure(
    name: str,
    yields: Sequence[SiteYield],
    *,
    confidence: float = 0.95,
    seed: int = 1,
    population: int | None = None,
) -> Yield:
    """Return the yields of a strategy; `population` is the length of the list that the sample is part of."""
    share = find_share(len(yields), population)
    return Yield(
        name,
        len(yields),
        sum(each.pages for each in yields),
        sum(each.forms for each in yields),
        estimate_rate(pair_harvest(yields), Random(seed), confidence=confidence, share=share),
        estimate_part(pair_coverage(yields), confidence=confidence, share=share) or UNKNOWN,
        estimate_rate([(each.harvest, 1) for each in yields], Random(seed), confidence=confidence, share=share),
        estimate_part(pair_site_coverage(yields), confidence=confidence, share=share) or UNKNOWN,
    )


def find_share(sites: int, population: int | None) -> float:
    """Return the part of the variance that is left when the sample is a part of the population."""
    return 1.0 if population is None else max(0.0, 1 - sites / max(1, population))


def pair_harvest(yields: Sequence[SiteYield]) -> list[Pair]:
    """Return forms and pages by site."""
    return [(each.forms, each.pages) for each in yields]


def pair_coverage(yields: Sequence[SiteYield]) -> list[Pair]:
    """Return forms found and forms that there are by site."""
    return [(min(each.forms, each.total), each.total) for each in yields]


def pair_site_coverage(yields: Sequence[SiteYield]) -> list[Pair]:
    """Return each site's coverage and whether it has one."""
    return [(min(1.0, each.coverage), 1) if each.coverage is not None else (0, 0) for each in yields]


def sample_size(
    yields: Sequence[SiteYield], width: float, figure: Figure = "harvest", *, population: int | None = None
) -> int:
    """Return how many sites give an interval of at most +-width, judging by those that were sampled.

    An interval narrows with the root of the sites; of a list with an end, never more sites than it has.
    """
    measured: Interval = getattr(measure("", yields), figure)
    needed = len(yields) * (measured.half / max(width, 1e-9)) ** 2
    if population is not None:
        needed = min(population, needed / (1 + needed / max(1, population)))
    return max(2, math.ceil(needed))
