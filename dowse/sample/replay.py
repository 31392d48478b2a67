"""A strategy over a recorded site: the same search, but nothing is fetched and nothing is read again."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

from dowse.model import Door, Failure, Link, SeenOnSite, SiteSearch, Visit
from dowse.reasons import FailureReason
from dowse.sample.record import WHOLE, Recorded, RecordedPage, Recording, Search, count_queries, keep_page
from dowse.strategy import SITE_STRATEGIES, STRATEGIES, Strategy, build_strategy
from dowse.strategy.exhaustive import Exhaustive
from dowse.yields import SiteYield

DEEPEST = Exhaustive.parse(WHOLE.partition(":")[2]).depth
# A page that is not there costs one, and the strategy hears that it brought nothing.
NOT_THERE = Failure("", FailureReason.STATUS, str(FailureReason.NOT_RECORDED), 404)


@dataclass(frozen=True, slots=True)
class Goal:
    """What a search is for: the strategies that there are for it, and what they are to find."""

    name: str
    strategies: dict[str, Callable[[str], Strategy]]
    count: Callable[[SiteSearch], int]


def count_neighbours(search: SiteSearch) -> int:
    """Count the other sites that a search met."""
    return len(search.neighbours)


FORMS = Goal("forms", STRATEGIES, count_queries)  # of the Form Finder
SITES = Goal("sites", SITE_STRATEGIES, count_neighbours)  # of the Site Finder
GOALS = {goal.name: goal for goal in (FORMS, SITES)}


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a strategy would have given on a recorded site."""

    given: SiteYield
    missing: int = 0  # of its pages, those that the recording does not have: they are taken to show nothing


def replay_site(
    recording: Recording, search: Search, strategy: str, *, site_pages: int, goal: Goal = FORMS
) -> Replayed:
    """Return what a strategy, by its written form, gives on a recorded site; for forms, what follows every link needs no replay."""
    built = build_strategy(strategy, goal.strategies)
    is_whole = goal is FORMS and recording.search.strategy == WHOLE and _is_whole(recording.search, site_pages)
    if is_whole and isinstance(built, Exhaustive) and built.depth <= DEEPEST:
        return Replayed(_cut(recording, built.depth))
    return play(recording, search, built, site_pages=site_pages, goal=goal)


def _is_whole(search: SiteSearch, site_pages: int) -> bool:
    """Return True if a search with this limit would have ended where this one did."""
    pages = len(search.visits)
    return pages == site_pages or (pages < site_pages and not search.stopped)


def _cut(recording: Recording, depth: int) -> SiteYield:
    """Return what following every link down to a depth gives: level by level, the recording began with just that."""
    visits = [visit.link.url for visit in recording.search.visits if visit.link.depth <= depth]
    queries = {door.signature for door in recording.search.doors if door.judgement.kind == "database"}
    found = {door.signature for url in visits for door in recording.visits[url].doors}
    return SiteYield(len(visits), len(queries & found), recording.total)


def play(recording: Recording, search: Search, strategy: Strategy, *, site_pages: int, goal: Goal = FORMS) -> Replayed:
    """Return what a strategy gives on a recorded site."""
    player = _Player(recording, {door.signature: door for door in recording.search.doors})
    found = _drive(search(recording.seed, strategy, player.visit, site_pages=site_pages))
    pages, forms = len(found.visits) + player.more_pages, goal.count(found) + player.more_forms
    return Replayed(SiteYield(pages, forms, goal.count(recording.search), player.unjudged), player.missing)


def replay_search(
    recording: Recording, search: Search, strategy: Strategy, *, site_pages: int, **options: Any
) -> tuple[SiteSearch, int]:
    """Return the search of a recorded site with a strategy, and how many of its pages the recording does not have.

    Further options go to the search.
    """
    player = _Player(recording, {door.signature: door for door in recording.search.doors})
    found = _drive(search(recording.seed, strategy, player.visit, site_pages=site_pages, **options))
    return found, player.missing


def _drive(search: Coroutine[Any, Any, SiteSearch]) -> SiteSearch:
    """Run a search to its end without an event loop: nothing in it waits."""
    try:
        search.send(None)
    except StopIteration as done:
        found: SiteSearch = done.value
        return found
    raise RuntimeError("a replay has nothing to wait for")


@dataclass(slots=True)
class _Player:
    """Answers from a recording."""

    recording: Recording
    doors: Mapping[str, Door]  # by signature, with what they answered when they were asked
    missing: int = 0
    # A page drawn at random stands for others (Horvitz and Thompson 1952): for as many as one through its probability.
    weights: dict[str, float] = field(default_factory=dict)  # of addresses that only such pages showed
    more_pages: float = 0  # beyond those that were asked for
    more_forms: float = 0
    unjudged: float = 0.0  # pages that nothing stands for: linked from pages drawn at random, and not recorded

    async def visit(self, link: Link, seen: SeenOnSite) -> Visit:
        """Return what a link led to when the site was recorded, without what the search has seen."""
        recorded = self.recording.visits.get(link.url)
        shown = self.weights.get(link.url, 1)  # for how many pages the one that showed it stands
        self.more_pages += shown - 1
        if recorded is None:
            self.missing += 1
            self.unjudged += shown if link.url in self.weights else 0.0
            return Visit(link, failure=NOT_THERE, status=NOT_THERE.status)
        chance = self.recording.chances.get(link.url)
        weight = shown / chance if chance else shown
        kept = recorded.visit
        page = recorded.page and self._describe(recorded, recorded.page, seen)
        if page is not None and (chance or link.url in self.weights):
            for each in page.links:
                self.weights.setdefault(each.url, weight)
        known = seen.signatures
        doors = tuple([self.doors[door.signature] for door in recorded.doors if door.signature not in known])
        self.more_forms += (weight - 1) * sum(1 for door in doors if door.judgement.kind == "database")
        return Visit(
            link, page, kept.failure, doors, kept.status, kept.digest, kept.moved, kept.seconds, kept.unrendered,
            signatures=frozenset([door.signature for door in doors]),
        )  # fmt: skip

    def _describe(self, recorded: Recorded, page: RecordedPage, seen: SeenOnSite) -> RecordedPage:
        """Return a page with its links that the search has not met, each as it was first described."""
        known, described = seen.links, self.recording.links
        links = [
            _at(described[url], place) for place, url in enumerate(page.urls) if url not in known and url in described
        ]
        if not links and not recorded.beside:
            return page
        return keep_page(page, (*links, *recorded.beside), page.layout)


def _at(link: Link, place: int) -> Link:
    """Return a link where it stands on another page."""
    return link if link.place == place else Link(link.url, link.text, link.nearby, link.rel, link.path, place)
