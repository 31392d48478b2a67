"""What a strategy is: it opens a guide for each site, and the guide decides while the search fetches."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dowse.model import Earlier, KnownSite, Link, LinkChoice, Page, Site, SiteRank, SiteSearch
from dowse.reasons import StopReason

MAX_DEPTH = 10  # as the paper's experiments went: deep enough for almost all pages
MANY_SITES = 1_000_000  # that wait, where nobody counts: each page is weighed against one of another site


@dataclass(frozen=True, slots=True)
class LinkOutcome:
    """What following a link brought."""

    link: Link
    page: Page | None = None  # None when it failed, or shows what another address has shown
    links: Sequence[Link] = ()  # to addresses of this site that no page has shown before
    urls: Sequence[str] = ()  # of all its links, in their order
    forms: int = 0  # query forms that are new, and on the topic where there is one
    sites: int = 0  # other sites that are new
    topic: float | None = None  # how likely the page is on the topic of the crawl; None where it has none


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the search of a site may know of the run around it."""

    waiting: Callable[[], int] = lambda: MANY_SITES  # sites that wait and that nobody searches yet
    wants_sites: Callable[[], bool] = lambda: False  # whether links to other sites are worth a page now
    alternative: Callable[[], float] = lambda: math.inf  # what a page of the best site that waits promises
    likely: Callable[[Site], float] = lambda site: (
        0.5
    )  # how likely a site is on the topic of the crawl, before any page of it


class Guide(Protocol):
    """Decides for one site, and is thrown away with it. By default links are followed in their order, and it never stops."""

    def learn(self, seen: LinkOutcome) -> Iterable[LinkChoice]:
        """Take in what a link brought; return the links to follow because of it, from this page or an earlier one."""
        raise NotImplementedError

    def why_not(self, link: Link) -> str:
        """Return in words why a link that was seen was not chosen."""
        raise NotImplementedError

    def explain(self, link: Link) -> str:
        """Return what the strategy knows about one link, in words; nothing if it knows nothing."""
        return ""

    def remember(self) -> dict[str, Any] | None:
        """Return what it must know to go on in another process, as plain data; None when it has to begin again."""
        return None

    def go_on(self, earlier: Earlier) -> None:
        """Restore what it remembered, or what earlier rounds brought, before the next page."""
        return

    def pick(self, heads: Mapping[str, LinkChoice]) -> str:
        """Return the kind to follow next, given the best link of each."""
        return max(heads, key=lambda kind: heads[kind].worth) if len(heads) > 1 else next(iter(heads))

    def why_stop(self, choice: LinkChoice) -> StopReason | None:
        """Return why not even the link that was picked is worth a page, or None."""
        return None

    def why_left(self, left: Iterable[LinkChoice]) -> str:
        """Return the numbers by which the site was left, in words; nothing where there are none."""
        return ""

    def promise(self) -> float | None:
        """Return what the next page of a site that was left promises; None where nobody will return."""
        return None

    def site_topic(self) -> float | None:
        """Return how likely the site is on the topic of the crawl; None where it has none."""
        return None


NO_OUTLOOK = Outlook()


class Strategy(Protocol):
    """Opens a guide for each site; itself it only holds parameters."""

    depth: int = MAX_DEPTH  # how deep it goes into a site at most
    looks: bool = False  # whether its guides look at how links stand on the page
    only_on_topic: bool = False  # whether links to other sites count only where the site is on the topic
    returns: bool = False  # whether a site that is left for a better one waits with what it still promises

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> Guide:
        """Return the guide through one site."""
        raise NotImplementedError

    def take_lessons(self) -> dict[str, dict[str, float]]:
        """Return what a crawl on a topic has taught since the last call: sums by kind and name, to which any crawl may add."""
        return {}

    def recall(self, lessons: Mapping[str, Mapping[str, float]]) -> None:
        """Take in what earlier crawls of the topic have learned."""
        return


class SiteRanker(Protocol):
    """Says what a crawl on a topic expects of sites of which no page was read."""

    def rank(self, known: KnownSite) -> SiteRank:
        """Return what is expected of a site, and why."""
        raise NotImplementedError

    def learn(self, search: SiteSearch, known: KnownSite) -> None:
        """Take in what the search of a site gave, beside what was known of it before."""
        raise NotImplementedError

    def take_lessons(self) -> dict[str, dict[str, float]]:
        """Return what was learned since the last call: sums by kind and name, to which any crawl may add."""
        return {}

    def recall(self, lessons: Mapping[str, Mapping[str, float]]) -> None:
        """Take in what earlier crawls of the topic have learned."""
        return


def read_depth(name: str, parameters: str, default: int, deepest: int = 100) -> int:
    """Read the depth in a strategy's written form, such as `exhaustive:3`."""
    from dowse.errors import BadInput

    if not parameters:
        return default
    if not (parameters.isascii() and parameters.isdecimal()) or int(parameters) > deepest:
        raise BadInput(f"{name} takes a depth from 0 to {deepest}, as in {name}:{default}, not {parameters!r}")
    return int(parameters)
