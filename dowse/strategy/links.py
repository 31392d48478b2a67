"""Links(P): pages of links first, and away from a site that shows no other sites.

Adaptive reads every page that the entrance leads to; most of them show no other site. Here a link whose words name a page of
links comes first, then the links of pages that showed new sites themselves; of the rest, P pages are tried
and one more for each that brings something, and none on a site whose pages of links were read and showed some.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dowse.errors import BadInput
from dowse.model import Link, LinkChoice, Site
from dowse.reasons import StopReason
from dowse.strategy.adaptive import promises_links
from dowse.strategy.guide import MAX_DEPTH, NO_OUTLOOK, Guide, LinkOutcome, Outlook, Strategy

NAMED, PAYING, OTHER = "named", "paying", "other"  # kinds of link, the best first
MIN_NEW_SITES = 3  # new sites on a page from which its own links are worth following
MAX_DRY_PAGES = 3  # pages of a kind in a row without a new site after which no more of it are read


@dataclass(frozen=True, slots=True)
class LinksStrategy(Strategy):
    """Follow what is called links, then what brings new sites."""

    patience: int = 2  # other pages that are tried where nothing is called links

    @classmethod
    def parse(cls, parameters: str) -> LinksStrategy:
        """Read the patience in `links:2`."""
        if not parameters:
            return cls()
        if not (parameters.isascii() and parameters.isdecimal()) or int(parameters) > 1000:
            raise BadInput(f"links takes a number of pages from 0 to 1000, as in links:2, not {parameters!r}")
        return cls(int(parameters))

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> LinksGuide:
        """Return a guide that has seen nothing."""
        return LinksGuide(self, {NAMED: MAX_DRY_PAGES, PAYING: MAX_DRY_PAGES, OTHER: self.patience})


@dataclass(slots=True)
class LinksGuide(Guide):
    """What each kind of link may still cost on one site."""

    strategy: LinksStrategy
    left: dict[str, int]  # kind -> pages that may be read without a new site
    following: str = ""  # kind of the link that was picked last

    def learn(self, seen: LinkOutcome) -> Iterator[LinkChoice]:
        """Note whether a kind pays, then choose: by words, by what the page brought, or as one of the rest."""
        self._note(seen)
        if seen.link.depth >= MAX_DEPTH:
            return
        for link in seen.links:
            if promises_links(link):
                yield LinkChoice(link, -link.depth, NAMED, "its words name a page of links")
            elif seen.link.depth and seen.sites >= MIN_NEW_SITES:
                yield LinkChoice(link, seen.sites, PAYING, f"a page that shows {seen.sites} new sites leads there")
            elif not seen.link.depth:
                yield LinkChoice(link, 0.0, OTHER, "the entrance leads there")

    def _note(self, seen: LinkOutcome) -> None:
        kind = self.following
        if not kind:
            return
        if kind == NAMED and seen.sites:  # a page called links that shows none ("About") says nothing about the others
            self.left[OTHER] = 0
        if not seen.sites:
            self.left[kind] -= 1
        elif kind != OTHER:
            self.left[kind] = MAX_DRY_PAGES

    def pick(self, heads: Mapping[str, LinkChoice]) -> str:
        """Return the best kind that still pays."""
        kinds = [kind for kind in (NAMED, PAYING, OTHER) if kind in heads]
        self.following = next((kind for kind in kinds if self.left[kind] > 0), kinds[0]) if kinds else ""
        return self.following or next(iter(heads))

    def why_stop(self, choice: LinkChoice) -> StopReason | None:
        """Stop when the pages of its kind have brought too little."""
        return None if self.left.get(choice.kind, 1) > 0 else StopReason.NO_NEW_SITES

    def why_not(self, link: Link) -> str:
        """Return that it is too deep, or that no other sites are expected there."""
        return (
            f"deeper than {MAX_DEPTH}"
            if link.depth > MAX_DEPTH
            else "neither its words nor its page lead to other sites"
        )
