"""What a crawler could find that knows the truth: every site's topic, where its forms are, and which sites link to which.

    oracle = Oracle(world)
    start = oracle.choose_starts("cars", 10)
    best = oracle.best_order("cars", 5_000, start)
    best.at(1_000)  # relevant forms and sites after so many pages

The order is greedy: the forms next that are most for their pages, with the pages on the way to their site. It may follow
links only, from the sites it starts at; it does without the search engine. Where a link stands on a page of links, that page
is taken to be one click from the root, which is true for most. `bound` is what no crawler can exceed, links or not.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from dowse.errors import BadInput
from dowse.sim.chance import dice, shuffled
from dowse.sim.plan import SitePlan
from dowse.sim.topical.shares import TOPICS
from dowse.sim.topical.themes import TopicalThemes
from dowse.sim.truth import FormTruth, SiteTruth
from dowse.sim.world import World

FAR = 10**9  # pages to a site that cannot be found


class OracleStep(NamedTuple):
    """What was found when so many pages had been read, all told."""

    pages: int
    forms: int
    sites: int


@dataclass(frozen=True, slots=True)
class OracleRun:
    """The best order that was found."""

    steps: tuple[OracleStep, ...]

    def at(self, pages: int) -> OracleStep:
        """Return what was found within so many pages."""
        place = bisect([each.pages for each in self.steps], pages)
        return self.steps[place - 1] if place else OracleStep(0, 0, 0)


class FormPage(NamedTuple):
    """A page with relevant forms."""

    forms: int
    way: frozenset[int]  # the page itself and those above it


def relevant_forms(site: SiteTruth, topic: str) -> tuple[FormTruth, ...]:
    """Return the query forms of a site over databases on a topic that a polite crawler can reach, copies aside."""
    ids = {each.id for each in site.databases if each.topic == topic}
    return tuple(each for each in site.forms if each.database in ids and each.reachable and not each.same_as)


class Oracle:
    """Knows a topical world."""

    def __init__(self, world: World) -> None:
        if not isinstance(world.themes, TopicalThemes):
            raise BadInput('an oracle wants a world with topics: World(topics="power-law")')
        self.world, self._themes = world, world.themes
        self.links = lru_cache(None)(self._find_links)
        self.relevant = lru_cache(None)(self._find_relevant)

    def _find_relevant(self, topic: str) -> dict[int, tuple[FormPage, ...]]:
        """Return the sites with relevant forms that can be reached, each with the pages they stand on."""
        if topic not in TOPICS:
            raise BadInput(f"no topic {topic!r}; there are {', '.join(TOPICS)}")
        found = {}
        for index in range(self.world.sites):
            if topic in self._themes.list_databases(index, self._themes.cell(index)[0]):
                pages = _find_form_pages(self.world.plan(index), self.world.site(index), topic)
                if pages:
                    found[index] = pages
        return found

    def choose_starts(self, topic: str, count: int = 10, seed: int = 0) -> tuple[str, ...]:
        """Return sites with relevant forms that link to others, as a crawl starts from."""
        known = [each for each in self.relevant(topic) if self.world.traits(each).passes_on]
        chosen = shuffled(dice(self.world.themes.key, "starts", topic, seed), known)[:count]
        return tuple(self.world.traits(each).address for each in chosen)

    def bound(self, topic: str, pages: int) -> OracleStep:
        """Return what the best so many pages hold, whether links lead there or not."""
        held = [(form.forms, index) for index, some in self.relevant(topic).items() for form in some]
        best = sorted(held, reverse=True)[:pages]
        return OracleStep(pages, sum(forms for forms, _ in best), min(pages, len(self.relevant(topic))))

    def _find_links(self, index: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the sites that a site names on its root, and those on its pages of links."""
        traits = self.world.traits(index)
        numbers = self.world.linked_sites(index).numbers
        if traits.spread == "skeleton":
            return numbers, ()
        return (numbers[:2], numbers[2:]) if traits.spread == "mixed" else ((), numbers)

    def best_order(self, topic: str, pages: int, start: Sequence[str], most: str = "forms") -> OracleRun:
        """Return the best order of reading up to so many pages from some sites, for most forms or for most sites."""
        if most not in ("forms", "sites"):
            raise BadInput(f"an oracle finds most forms or most sites, not {most!r}")
        known = [self.world.host_index(each.removeprefix("http://").partition("/")[0]) for each in start]
        walk = _Walk(self, dict(self.relevant(topic)), most)
        walk.learn([each for each in known if each is not None])
        steps: list[OracleStep] = []
        while (step := walk.advance(pages)) is not None:
            steps.append(step)
        return OracleRun(tuple(steps))


def _find_form_pages(plan: SitePlan, truth: SiteTruth, topic: str) -> tuple[FormPage, ...]:
    """Group the relevant forms of a site by page."""
    relevant = {int(each.id.rpartition("#")[2]) for each in relevant_forms(truth, topic)}
    homes = {form: page for page, forms in plan.homes.items() for form in forms}
    by_page: dict[int, int] = {}
    for form in relevant:
        page = homes.get(form, 0)
        by_page[page] = by_page.get(page, 0) + 1
    return tuple(FormPage(count, _find_way(plan, page)) for page, count in sorted(by_page.items()))


def _find_way(plan: SitePlan, page: int) -> frozenset[int]:
    way = {0, page}
    while page > 0:
        page = plan.tree.parent(page)
        way.add(page)
    return frozenset(way)


class _Walk:
    """A greedy walk: what has been read, and how far every other site is."""

    def __init__(self, oracle: Oracle, left: dict[int, tuple[FormPage, ...]], most: str) -> None:
        self._oracle, self._left, self._most = oracle, left, most
        self._far: dict[int, int] = {}  # pages that must be read before a site is known
        self._from: dict[int, tuple[int, int]] = {}  # by which site, and on its root (0) or its page of links (1)
        self._read: dict[int, set[int]] = {}  # pages of sites; the page of links is -1
        self._pages = self._forms = 0
        self._sites: set[int] = set()

    def learn(self, sites: Sequence[int]) -> None:
        """Take note of sites that are known now, and find out how far that makes the others."""
        waiting: list[tuple[int, int]] = []
        for each in sites:
            if self._far.get(each, FAR) > 0:
                self._far[each] = 0
                heappush(waiting, (0, each))
        self._spread(waiting)

    def _spread(self, waiting: list[tuple[int, int]]) -> None:
        while waiting:
            far, index = heappop(waiting)
            if far > self._far[index] or self._oracle.world.traits(index).is_closed:
                continue
            read = self._read.get(index, set())
            root = far + (0 not in read)
            for place, numbers in enumerate(self._oracle.links(index)):
                cost = root + (place == 1 and -1 not in read)
                for number in numbers:
                    if cost < self._far.get(number, FAR):
                        self._far[number], self._from[number] = cost, (index, place)
                        heappush(waiting, (cost, number))

    def advance(self, most_pages: int) -> OracleStep | None:
        """Read the pages that bring most for their number; nothing when no more can be read."""
        best: tuple[float, int, int] | None = None
        for index, pages in self._left.items():
            far = self._far.get(index, FAR)
            if far >= FAR or (self._most == "sites" and index in self._sites):
                continue
            read = self._read.get(index, set())
            for place, page in enumerate(pages):
                cost = far + len(page.way - read)
                worth = (page.forms if self._most == "forms" else 1) / (
                    cost or 0.1
                )  # read on the way: before all others
                if self._pages + cost <= most_pages and (best is None or worth > best[0]):
                    best = worth, index, place
        if best is None:
            return None
        _, index, place = best
        self._go_to(index)
        self._take(index, place)
        return OracleStep(self._pages, self._forms, len(self._sites))

    def _go_to(self, index: int) -> None:
        """Read what must be read before a site is known."""
        if self._far[index] == 0:
            return
        above, place = self._from[index]
        self._go_to(above)
        wanted = {0} | ({-1} if place else set())
        self._pages += len(wanted - self._read.get(above, set()))
        self._read.setdefault(above, set()).update(wanted)
        self._note_links(above)

    def _note_links(self, index: int) -> None:
        """Take note of the sites that the pages read of a site name."""
        read = self._read[index]
        on_root, listed = self._oracle.links(index)
        named = (*(on_root if 0 in read else ()), *(listed if -1 in read else ()))
        self.learn(named)
        self._spread([(0, index)])

    def _take(self, index: int, place: int) -> None:
        pages = self._left[index]
        page = pages[place]
        own = self._read.setdefault(index, set())
        self._pages += len(page.way - own)
        own |= page.way
        self._forms += page.forms
        self._sites.add(index)
        self._left[index] = pages[:place] + pages[place + 1 :]
        self._note_links(index)
