"""Adaptive(T, S, p): pages that lead to other sites (paper 1, Section 5.2 and Fig. 15).

Everything down to depth one; deeper, links whose words promise links; the links of S pages in a row that together
showed at least T new sites; and of the others some by chance. Pages in a row are siblings, in the order in which the
page above them links to them, and they are fetched in that order (Fig. 7 has one queue).

Where the figures of the paper disagree, the text decides:

- Line 4 of Fig. 15 takes all links of pages down to depth 1, so that everything down to depth 2 would be fetched. The
  text has "crawling pages up to depth 1", as has footnote 4, and in Fig. 14 the children of b, at depth 1, are not fetched.
- Line 8 has the window that ends with the page. A page alone is then a window, which the example does not have: its
  first is b and c. That changes nothing of what is fetched, for the windows that it is in have its sites and more.
- Line 5 looks for keywords in the address, the text in the words of the link; both are looked at.
- The windows of the example could reach from the children of one page to those of the next ("each depth of pages"); by
  the text before it a window is "a group of S adjacent intra-site links in the page", so of one page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from dowse.errors import BadInput
from dowse.model import Link, LinkChoice, Site
from dowse.strategy.guide import MAX_DEPTH, NO_OUTLOOK, Guide, LinkOutcome, Outlook, Strategy
from dowse.words.lookup import anywhere, expression, whole_words

FULL_DEPTH = 1  # depth down to which every link is followed

_MAX_TEXT_CHARS = 200  # characters of a link's words that are looked at


def promises_links(link: Link) -> bool:
    """Return True if the words of a link, or of its address, name a page of links."""
    words, name = link.text[:_MAX_TEXT_CHARS].lower(), link.url.rpartition("/")[2].lower()
    if whole_words("page of links").search(words) or anywhere("page of links anywhere").search(words):
        return True
    in_address = expression("page of links in an address", r"(?<![a-z])(?:web|hyper)?(?:...)(?![a-z])")
    return in_address.search(name) is not None


@dataclass(frozen=True, slots=True)
class Adaptive(Strategy):
    """Follow what brings new sites."""

    threshold: int = 5  # T: new sites that a window has to bring
    window: int = 5  # S: pages in a row
    chance: float = 0.05  # p: of following the links of a page that nothing speaks for

    @classmethod
    def parse(cls, parameters: str) -> Adaptive:
        """Read the three numbers in `adaptive:5,5,0.05`."""
        if not parameters:
            return cls()
        match = re.fullmatch(r"(\d{1,4}),(\d{1,4}),(0|1|0?\.\d{1,6}|1\.0{1,6})", parameters, re.ASCII)
        if not match or not int(match[2]):
            raise BadInput(
                "adaptive takes new sites, pages in a row and a chance from 0 to 1,"
                f" as in adaptive:5,5,0.05, not {parameters!r}"
            )
        return cls(int(match[1]), int(match[2]), float(match[3]))

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> AdaptiveGuide:
        """Return a guide that has seen nothing; its chances are those of the site."""
        return AdaptiveGuide(self, Random(str(site)))


@dataclass(slots=True)
class _Siblings:
    """The pages that one page led to, in the order they were fetched, which is that of its links."""

    pages: list[LinkOutcome] = field(default_factory=list)
    opened: set[str] = field(default_factory=set)  # those whose links are followed


@dataclass(slots=True)
class AdaptiveGuide(Guide):
    """Which pages of one site stand beside each other, and what they brought.

    Every link is worth the same but for its depth, so pages are fetched level by level and siblings in the order of their
    links: a link that is chosen again waits where it was chosen last, so one that its words chose falls into line when
    the page that shows it is opened.
    """

    strategy: Adaptive
    dice: Random
    parents: dict[str, str] = field(default_factory=dict)  # address -> the page that showed it first
    beside: dict[str, _Siblings] = field(default_factory=dict)

    def learn(self, seen: LinkOutcome) -> Iterator[LinkChoice]:
        """Choose by words, by depth, by what the window of pages that ends here brought, or by chance."""
        for link in seen.links:
            self.parents[link.url] = seen.link.url
        group = self.beside.setdefault(self.parents.get(seen.link.url, ""), _Siblings())
        group.pages.append(seen)
        window = group.pages[-self.strategy.window :]
        if seen.link.depth < MAX_DEPTH:
            for link in filter(promises_links, seen.links):
                yield LinkChoice(link, -link.depth, why="its words name a page of links")
        if seen.link.depth < FULL_DEPTH:
            yield from self._open(seen, group, f"within depth {FULL_DEPTH}")
        found = sum(page.sites for page in window)
        if found >= self.strategy.threshold:
            for page in window:
                yield from self._open(page, group, f"{len(window)} pages beside it showed {found} new sites")
        elif self.strategy.chance and self.dice.random() < self.strategy.chance:
            yield from self._open(seen, group, "by chance")

    def _open(self, seen: LinkOutcome, group: _Siblings, why: str) -> Iterator[LinkChoice]:
        """Follow every link of a page, once."""
        if seen.link.url in group.opened or seen.link.depth >= MAX_DEPTH:
            return
        group.opened.add(seen.link.url)
        for link in seen.links:
            yield LinkChoice(link, -link.depth, why=why)

    def why_not(self, link: Link) -> str:
        """Return that it is too deep, or that the pages around brought too little."""
        return (
            f"deeper than {MAX_DEPTH}"
            if link.depth > MAX_DEPTH
            else f"the pages beside the one that leads there showed fewer than {self.strategy.threshold} new sites"
        )
