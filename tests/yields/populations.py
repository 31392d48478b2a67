"""Sites as the web has them: most without a form, few with most of the pages, some of whose forms are not found."""

from __future__ import annotations

from random import Random

from dowse.yields import SiteYield


def build_population(seed: int, sites: int = 4_000, *, missed: float = 0.15, found: float = 0.3) -> list[SiteYield]:
    """Make sites of which one in four has forms; in one of `1 / missed` of them only the part `found` is found."""
    rng = Random(seed)
    return [_make_site(rng, missed, found) for _ in range(sites)]


def _make_site(rng: Random, missed: float, found: float) -> SiteYield:
    pages = min(500, int(8 * rng.paretovariate(1.5))) if rng.random() > 0.1 else 1
    if rng.random() > 0.25:
        return SiteYield(pages, 0, 0)
    total = 1
    while total < 15 and rng.random() > 0.4:
        total += 1
    chance = found if rng.random() < missed else 1.0
    return SiteYield(pages, sum(rng.random() < chance for _ in range(total)), total)


def halve(site: SiteYield, rng: Random) -> SiteYield:
    """Lose every other form of a site."""
    return SiteYield(site.pages, sum(rng.random() < 0.5 for _ in range(site.forms)), site.total)
