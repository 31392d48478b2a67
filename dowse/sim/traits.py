"""What is known of a site without its pages: name, topic, language, trouble, and what time will do to it."""

from __future__ import annotations

from dataclasses import dataclass

from dowse.sim.chance import Shares, between, by_share, dice, mix, pick
from dowse.sim.manners import Manners
from dowse.sim.themes import Themes
from dowse.sim.trouble import CLOSED_ROBOTS, DEAD_NAMES, ROBOTS, TROUBLES

HUBS = 3  # the first sites are healthy: a crawl can start there
# Paper 1, Section 5.1: of 100 sites 44 link-page, 8 skeleton, 8 directory, 29 mixed, 11 without.
SPREADS = ("link-page",) * 44 + ("skeleton",) * 8 + ("directory",) * 8 + ("mixed",) * 29 + ("none",) * 11
ENDS: Shares = (("gone", 0.08), ("closed", 0.04))  # how many end within a year, and how
REDESIGNS = 0.15  # sites that change their design within a year
YEAR = 365


@dataclass(frozen=True, slots=True)
class Traits:
    """A site from the outside, on one day."""

    index: int
    host: str
    alias: str  # another host that redirects here, or nothing
    topic: str
    language: str
    trouble: str
    robots: str
    spread: str  # how links to other sites are spread over its pages
    edition: int  # how often it was redesigned
    growth: float  # pages added on an average day
    manners: Manners
    name: str = ""  # what it calls itself, where others call it so

    @property
    def address(self) -> str:
        """The address that other sites know."""
        return f"http://{self.alias or self.host}/"

    @property
    def is_dead(self) -> bool:
        """Whether no page can be had."""
        return self.trouble in DEAD_NAMES

    @property
    def is_closed(self) -> bool:
        """Whether a polite crawler sees no page: dead, or forbidden by robots.txt."""
        return self.is_dead or self.robots in CLOSED_ROBOTS

    @property
    def passes_on(self) -> bool:
        """Whether a crawler that comes here finds a way to other sites."""
        return not self.is_closed and self.spread != "none"


def make_traits(themes: Themes, index: int, day: int) -> Traits:
    """Make a site's traits from its number."""
    rng = dice(themes.seed, themes.family, "traits", index)
    topic, language = themes.cell(index)
    host = themes.make_host(rng, index, topic)
    trouble, robots, spread = by_share(rng, TROUBLES), by_share(rng, ROBOTS) or "allow", _spread(themes.key, index)
    end, last_day = by_share(rng, ENDS), between(rng, 1, YEAR)
    redesigned = between(rng, 1, YEAR) if rng.random() < REDESIGNS else 0
    growth = 2.0 * rng.random() ** 4
    delay, rate = pick(rng, (0.2, 0.5, 1.0)), pick(rng, (4.0, 8.0, 20.0))
    if index < HUBS:
        trouble, robots, spread, end = "", "missing", "mixed", ""
    if end and day >= last_day and trouble not in DEAD_NAMES:
        trouble = end
    alias = host.removeprefix("www.") if trouble == "redirecting-root" else ""
    return Traits(
        index=index,
        host=f"www.{alias}" if alias else host,
        alias=alias,
        topic=topic,
        language=language,
        trouble=trouble,
        robots=robots,
        spread=spread,
        edition=1 if redesigned and day >= redesigned else 0,
        growth=growth,
        name=themes.name(index, topic),
        manners=Manners(delay if trouble == "slow" else 0.0, rate if trouble == "rate-limited" else 0.0),
    )


def _spread(key: int, index: int) -> str:
    """Return how a site spreads its links; of every hundred sites exactly as many as were counted."""
    hundred, place = divmod(index, len(SPREADS))
    bits = mix(key ^ 0x5EAD, hundred)
    factor = (1, 3, 7, 9, 11, 13, 17, 19, 21, 23, 27, 29, 31, 33, 37, 39)[bits % 16]
    return SPREADS[(place * factor + (bits >> 8)) % len(SPREADS)]
