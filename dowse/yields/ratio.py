"""Ratios of sums over sites with an interval, and what a strategy yields by them (paper 1, Section 3.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from dowse.yields.interval import Interval, bound, bound_count, find_normal, find_student

# -- one sum over sites divided by another, with an interval: every yield is such a ratio
#
# The site is what was sampled, so the site is what varies: pages and forms of one site belong together. Harvest is
# forms / pages; the mean of harvests is their sum / the number of sites; a total is a mean times the number of sites.
#
# Two intervals, for two kinds of ratio:
# - a *rate* (harvest, a mean, a total): a studentised bootstrap over sites, for few sites have most of the pages and forms;
#   Eq. 3 of paper 1 for more than 2,000 sites. The largest sites are those that a sample misses, so what is resampled has
#   one more, twice as large as the largest that was seen;
# - a *part* (coverage: 0 to 1, and often near 1): Student's interval of its logit, after a tenth of a site was added
#   that gave all and a tenth that gave nothing; the binomial one when nothing was missed, or nothing found. So 25 sites
#   with nothing missed are not certainty.
#
# `share` says how much of the variance is left: 1 for a population without end, 1 - n/N when the sample is a part of the N
# sites asked about (finite population correction), 1 + n/m when m other sites are asked about.

Pair = tuple[float, float]  # what one site adds to the sum on top, and to the one at the bottom

EQ3 = "normal (Eq. 3)"
STUDENT = "Student's t (Eq. 3)"
BOOTSTRAP = "bootstrap-t over sites"
LOGIT = "logit with a fifth of a site added"
EXACT = "binomial over sites"
STUDENT_LOG = "Student's t of the logarithm"
COUNT = "Poisson count of sites"
RESAMPLES = 999  # so that 25 of 1,000 gaps between them lie beyond each end
MIN_NORMAL_SITES = 30  # paper 1: usually more than 30
MIN_RESAMPLED_SITES = 3  # fewer sites with anything on top have no shape to resample
MAX_RESAMPLED_SITES = 2_000  # with more, both intervals are the same, and Eq. 3 is there at once
# Of a site that gave all, and of one that gave nothing. A quarter of each holds the truth in 96 to 97 of 100 samples of 15 to
# 100 sites, a tenth in 95 and is up to a quarter narrower near 1; with none, sites that happen to be alike are certainty.
ADDED_SITES = 0.1
ROUNDING = 1e-12  # what is left of squares that cancel


@dataclass(frozen=True, slots=True)
class Sums:
    """All that the error of a ratio needs to know of its sites."""

    count: float = 0
    top: float = 0
    bottom: float = 0
    top_top: float = 0
    top_bottom: float = 0
    bottom_bottom: float = 0

    def add(self, top: float, bottom: float, weight: float = 1) -> Sums:
        """Return the sums with one site more."""
        return self.join(Sums(weight, *(weight * each for each in _expand(top, bottom))))

    def join(self, other: Sums) -> Sums:
        """Return the sums of both."""
        return Sums(
            self.count + other.count,
            self.top + other.top,
            self.bottom + other.bottom,
            self.top_top + other.top_top,
            self.top_bottom + other.top_bottom,
            self.bottom_bottom + other.bottom_bottom,
        )

    @property
    def ratio(self) -> float:
        """One sum divided by the other."""
        return self.top / self.bottom if self.bottom else 0.0

    @property
    def variance(self) -> float:
        """How much a site strays from the ratio: the variance of top - ratio * bottom."""
        ratio = self.ratio
        squares = self.top_top - 2 * ratio * self.top_bottom + ratio * ratio * self.bottom_bottom
        if self.count <= 1 or squares <= ROUNDING * self.top_top:
            return 0.0
        return squares / (self.count - 1)

    @property
    def error(self) -> float:
        """The standard error of the ratio, linearised."""
        return math.sqrt(self.count * self.variance) / self.bottom if self.bottom else 0.0


def gather(pairs: Sequence[Pair]) -> Sums:
    """Return the sums of all sites."""
    return _add_up([_expand(*pair) for pair in pairs])


def _expand(top: float, bottom: float) -> tuple[float, ...]:
    """Return what one site adds to each of the sums."""
    return top, bottom, top * top, top * bottom, bottom * bottom


def _add_up(rows: Sequence[tuple[float, ...]]) -> Sums:
    return Sums(len(rows), *map(sum, zip(*rows, strict=True)))


def estimate_rate(pairs: Sequence[Pair], rng: Random, *, confidence: float = 0.95, share: float = 1.0) -> Interval:
    """Return a ratio that has no upper end, with its interval."""
    giving = sum(1 for top, _ in pairs if top)
    if giving < MIN_RESAMPLED_SITES:
        return _count_sites(gather(pairs), giving, confidence, share)
    if len(pairs) > MAX_RESAMPLED_SITES:
        return estimate_plain(pairs, confidence=confidence, share=share)
    return _resample(pairs, rng, confidence, share)


def estimate_plain(pairs: Sequence[Pair], *, confidence: float = 0.95, share: float = 1.0) -> Interval:
    """Return a ratio with the interval of paper 1, Eq. 3; Student's t takes its place for fewer than 30 sites."""
    sums = gather(pairs)
    many = sums.count >= MIN_NORMAL_SITES
    reach = find_normal(confidence) if many else find_student(confidence, sums.count - 1)
    width = reach * sums.error * math.sqrt(share)
    return bound(sums.ratio, sums.ratio - width, sums.ratio + width, EQ3 if many else STUDENT)


def _count_sites(sums: Sums, giving: int, confidence: float, share: float) -> Interval:
    """Return a rate to which one site or two gave anything: as sure as their count is."""
    low, high = bound_count(giving, confidence)
    each = sums.ratio / giving if giving else 1 / max(1.0, sums.bottom)
    shrink = math.sqrt(share)
    value = sums.ratio
    return bound(value, value + (low * each - value) * shrink, value + (high * each - value) * shrink, COUNT)


def _resample(pairs: Sequence[Pair], rng: Random, confidence: float, share: float) -> Interval:
    """Return a rate with the interval of how far resamples lie from it, each in its own errors."""
    sums = gather(pairs)
    away = sorted(resample_errors(pairs, rng, RESAMPLES))
    if not away:
        return estimate_plain(pairs, confidence=confidence, share=share)
    cut = max(0, int((len(away) + 1) * (1 - confidence) / 2 + ROUNDING) - 1)
    error = sums.error * math.sqrt(share)
    return bound(sums.ratio, sums.ratio - away[-1 - cut] * error, sums.ratio - away[cut] * error, BOOTSTRAP)


def resample_errors(pairs: Sequence[Pair], rng: Random, resamples: int) -> list[float]:
    """Return how many of its own errors the ratio of each resample lies from the one of all it was sampled from."""
    rows = [_expand(*pair) for pair in (*pairs, make_largest_site(pairs))]
    ratio = _add_up(rows).ratio
    resampled = (_add_up(rng.choices(rows, k=len(pairs))) for _ in range(resamples))
    return [(each.ratio - ratio) / error for each in resampled if (error := each.error) > 0]


def make_largest_site(pairs: Sequence[Pair]) -> Pair:
    """Return a site twice as large as the largest: at the bottom, or on top when the bottom is the same for all."""
    tops, bottoms = zip(*pairs, strict=True)
    if min(bottoms) == max(bottoms):
        return 2 * max(tops), bottoms[0]
    return sum(tops) / len(tops), 2 * max(bottoms)


def estimate_part(pairs: Sequence[Pair], *, confidence: float = 0.95, share: float = 1.0) -> Interval | None:
    """Return a ratio between 0 and 1 with its interval; None when there is nothing to have a part of."""
    sums = gather(pairs)
    if not sums.bottom:
        return None
    size = sums.bottom_bottom / sums.bottom  # of the site that the average form is in
    if sums.top in (0, sums.bottom):
        return _bound_end(sums.ratio, sums.bottom / size, confidence, share)
    added = ADDED_SITES * max(share, ROUNDING)  # nothing is to be feared of sites when all were seen
    eased = sums.add(size, size, added).add(0, size, added)
    reach = find_student(confidence, sums.count - 1) * eased.error * math.sqrt(share)
    middle = math.log(eased.ratio / (1 - eased.ratio))
    width = reach / (eased.ratio * (1 - eased.ratio))
    return bound(sums.ratio, _unlogit(middle - width), _unlogit(middle + width), LOGIT, most=1.0)


def _bound_end(ratio: float, sites: float, confidence: float, share: float) -> Interval:
    """Return the interval of all or nothing over so many sites of equal size (Kish's effective size): 3.7 in a hundred."""
    other = 1 - ((1 - confidence) / 2) ** (share / sites)
    return bound(ratio, ratio - other, ratio + other, EXACT, most=1.0)


def _unlogit(value: float) -> float:
    return 1 / (1 + math.exp(-max(-700.0, min(700.0, value))))


# -- what a strategy yields, measured on sampled sites (paper 1, Section 3.2)

Figure = Literal["harvest", "coverage", "site_harvest", "site_coverage"]
UNKNOWN = Interval(0.0, 0.0, 1.0, "no sampled site has any")


@dataclass(frozen=True, slots=True)
class SiteYield:
    """What one strategy gave on one sampled site, and how many forms exhaustive search found there.

    Where a strategy is to find other sites (`dowse sample --goal sites`), those take the place of forms.
    """

    pages: float  # counted; estimated where pages drawn at random stand for others
    forms: float
    total: float
    unjudged: float = 0.0  # of its pages, those of which nothing says what they show

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
    pages: float
    forms: float
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


def compare_prices(usual: Sequence[SiteYield], other: Sequence[SiteYield], *, confidence: float = 0.95) -> Interval:
    """Return which part of its pages another strategy saves for the same forms, both tried on the same sites.

    Student's interval of the logarithm of the two prices' ratio: what a site adds to each of the four sums varies together.
    """
    sums = [sum(getattr(each, what) for each in some) for some in (other, usual) for what in ("pages", "forms")]
    if len(usual) < MIN_RESAMPLED_SITES or not all(sums):
        return Interval(0.0, -math.inf, 1.0, STUDENT_LOG)
    pages, forms, usual_pages, usual_forms = sums
    strays = [
        new.pages / pages - new.forms / forms - old.pages / usual_pages + old.forms / usual_forms
        for new, old in zip(other, usual, strict=True)
    ]
    middle = math.log(pages / forms) - math.log(usual_pages / usual_forms)
    error = math.sqrt(sum(each**2 for each in strays) * len(strays) / (len(strays) - 1))
    reach = find_student(confidence, len(strays) - 1) * error
    return Interval(1 - math.exp(middle), 1 - math.exp(middle + reach), 1 - math.exp(middle - reach), STUDENT_LOG)


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
