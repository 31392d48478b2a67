"""Navmenu(d, k): only the links of navigational menus, down to a depth (paper 1, Section 4.2 and Fig. 11).

A menu is a group of links that stand together, in a line or a column. The first links of the best groups are followed
at once; what the page and one of those share is navigation, and is chosen. The search fetches the pages that the
overlap needs like any other, so none is fetched twice and their forms count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from dowse.errors import BadInput
from dowse.model import Earlier, Link, LinkChoice, LinkGroup, Page, Site
from dowse.page.lines import rank_groups
from dowse.strategy.guide import NO_OUTLOOK, Guide, LinkOutcome, Outlook, Strategy

DEFAULT_GROUPS = 3  # Section 4.2: "the top k (e.g., k = 3 in Figure 10) ranked groups"
MAX_DEPTH, MAX_GROUPS = 100, 100  # that can be asked for


@dataclass(frozen=True, slots=True)
class Navmenu(Strategy):
    """Follow menus; the weights and numbers are those of Fig. 11."""

    depth: int = 3
    groups: int = DEFAULT_GROUPS  # k: groups whose links are tried
    links: int = 1  # x: links of each that are tried ("e.g., the first link")
    size: float = 1.0  # ws
    words: float = 1.0  # ww
    distance: float = 1.0  # wd
    looks: bool = field(default=True, init=False, repr=False)  # menus are found by how links stand

    @classmethod
    def parse(cls, parameters: str) -> Navmenu:
        """Read the depth and k in `navmenu:3` or `navmenu:3,2`."""
        if not parameters:
            return cls()
        match = re.fullmatch(r"(\d{1,3})(?:,(\d{1,3}))?", parameters, re.ASCII)
        depth, groups = (int(match[1]), int(match[2] or DEFAULT_GROUPS)) if match else (0, 0)
        if depth > MAX_DEPTH or not 1 <= groups <= MAX_GROUPS:
            raise BadInput(
                f"navmenu takes a depth from 0 to {MAX_DEPTH} and perhaps a number of menus from 1 to {MAX_GROUPS},"
                f" as in navmenu:3 or navmenu:3,2, not {parameters!r}"
            )
        return cls(depth, groups)

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> NavmenuGuide:
        """Return a guide that has seen nothing."""
        return NavmenuGuide(self)

    def best_groups(self, groups: Iterable[LinkGroup], link_count: int) -> list[LinkGroup]:
        """Return the groups that look most like menus."""
        ranked = rank_groups(tuple(groups), link_count, size=self.size, words=self.words, distance=self.distance)
        return [group for _, group in ranked[: self.groups]]


@dataclass(slots=True)
class NavmenuGuide(Guide):
    """The menus of one site, as far as they are known."""

    strategy: Navmenu
    known: dict[str, Link] = field(default_factory=dict)  # every link of the site that was shown
    chosen: set[str] = field(default_factory=set)  # navigation
    tried: dict[str, list[LinkOutcome]] = field(
        default_factory=dict
    )  # address -> pages whose overlap with it is awaited
    shown: dict[str, LinkOutcome] = field(default_factory=dict)  # pages that were fetched

    def learn(self, seen: LinkOutcome) -> Iterator[LinkChoice]:
        """Compare a page with those that waited for it; look for menus in it when it is navigation itself."""
        for link in seen.links:
            self.known.setdefault(link.url, link)
        url = seen.link.url
        for parent in self.tried.pop(url, ()):
            yield from self._choose(set(parent.urls) & set(seen.urls), parent)
        self.shown[url] = seen
        if seen.link.depth == 0 or url in self.chosen:
            yield from self._look(seen)

    def remember(self) -> dict[str, Any]:
        """Return what the pages showed, and what waits to be compared."""
        shown = {
            url: (seen.link.depth, seen.urls, seen.page.groups if seen.page else None)
            for url, seen in self.shown.items()
        }
        tried = {url: [parent.link.url for parent in parents] for url, parents in self.tried.items()}
        return {"shown": shown, "tried": tried, "chosen": list(self.chosen)}

    def go_on(self, earlier: Earlier) -> None:
        """Restore it; without it, what waits for this round was chosen in the last."""
        kept = earlier.guide
        self.known |= {link.url: link for link in (*earlier.unchosen, *(choice.link for choice in earlier.left))}
        self.chosen.update(kept["chosen"] if kept else (choice.link.url for choice in earlier.left))
        for url, (depth, urls, groups) in kept["shown"].items() if kept else ():
            page = None if groups is None else Page(url, groups=tuple(LinkGroup(*group) for group in groups))
            self.shown[url] = LinkOutcome(Link(url, depth=depth), page, urls=urls)
            self.known.setdefault(url, self.shown[url].link)
        for url, parents in kept["tried"].items() if kept else ():
            self.tried[url] = [self.shown[parent] for parent in parents]

    def _choose(self, urls: set[str], parent: LinkOutcome) -> Iterator[LinkChoice]:
        """Choose the links that a page shares with a page it leads to, in the order of the page."""
        for url in parent.urls:
            if url in urls and url in self.known and url not in self.chosen:
                self.chosen.add(url)
                if url in self.shown:
                    yield from self._look(self.shown[url])
                else:
                    yield LinkChoice(self.known[url], -parent.link.depth, why="a menu leads there")

    def _look(self, seen: LinkOutcome) -> Iterator[LinkChoice]:
        """Try the first links of the groups that look most like menus."""
        if seen.page is None or seen.link.depth >= self.strategy.depth:
            return
        for group in self.strategy.best_groups(seen.page.groups, len(seen.urls)):
            for place in group.places[: self.strategy.links]:
                yield from self._try(seen.urls[place], seen)

    def _try(self, url: str, seen: LinkOutcome) -> Iterator[LinkChoice]:
        """Compare with a page that was fetched, or fetch it to compare."""
        if url in self.shown:
            yield from self._choose(set(seen.urls) & set(self.shown[url].urls), seen)
        elif url in self.known:
            self.tried.setdefault(url, []).append(seen)
            yield LinkChoice(self.known[url], 0.5 - seen.link.depth, why="first of a group that looks like a menu")

    def why_not(self, link: Link) -> str:
        """Return that no menu leads there, or that it is too deep."""
        return f"deeper than {self.strategy.depth}" if link.depth > self.strategy.depth else "no menu leads there"
