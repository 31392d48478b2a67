"""Search a site once and keep what a search in any other order would have seen (paper 1, Section 3.2).

Exhaustively, or with a cheap strategy and a random part of what it left: pages drawn at random then stand for others.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dowse.fetch import Fetch, Render
from dowse.form.signature import names_of
from dowse.model import (
    LOOSE_CONTROLS,
    Door,
    Failure,
    Link,
    LinkGroup,
    Page,
    Request,
    Response,
    Seed,
    SeenOnSite,
    SiteSearch,
    Visit,
)  # fmt: skip
from dowse.page.document import Document
from dowse.step.visit import visit
from dowse.strategy import build_strategy

# -- a page as it is kept: without what depends on the order of a search, and laid out only when somebody looks


@dataclass(slots=True)
class RecordedLayout:
    """The groups of links of a page, computed from its body the first time they are asked for.

    To lay out a page is a third of the work of reading it, and strategies look at few pages of a site.
    """

    response: Response | None = None
    groups: tuple[LinkGroup, ...] = ()

    def find_groups(self) -> tuple[LinkGroup, ...]:
        """Return the groups, and let go of the body."""
        if self.response is not None:
            self.groups, self.response = Document(self.response).groups, None
        return self.groups


class RecordedPage(Page):
    """A page whose groups come from a layout."""

    __slots__ = ("_layout",)
    _layout: RecordedLayout

    @property
    def groups(self) -> tuple[LinkGroup, ...]:
        """Links that stand together."""
        return self._layout.find_groups()

    @groups.setter
    def groups(self, layout: Any) -> None:
        # by the constructor, once, or from a pickle, where the groups themselves were kept
        kept = layout if isinstance(layout, RecordedLayout) else RecordedLayout(groups=layout)
        object.__setattr__(self, "_layout", kept)

    @property
    def layout(self) -> RecordedLayout:
        """What the groups come from."""
        return self._layout


def keep_page(page: Page, links: tuple[Link, ...], layout: RecordedLayout) -> RecordedPage:
    """Return a page with these links and no forms."""
    given: Any = layout
    return RecordedPage(
        page.url, page.title, page.text, page.language, page.encoding, page.canonical, page.base, page.robots,
        links, page.link_count, page.urls, given, (), page.form_count, page.refresh, page.dropped, page.calls,
        page.unrendered,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recorded:
    """What one address showed, whoever comes there and whenever."""

    visit: Visit  # its page has neither links nor forms: which are new depends on what a search has met
    page: RecordedPage | None = None
    doors: tuple[Door, ...] = ()  # all that stand on the page, whichever page they were found on first
    beside: tuple[Link, ...] = ()  # links that are none of the page's anchors: refreshes, descriptions


# -- recording a site

WHOLE = "exhaustive:10"  # what a site is recorded with: deeper, almost nothing is left
KEPT_BYTES = 16 * 1024 * 1024  # of the bodies of one site, kept to be laid out; further pages are laid out at once

Search = Callable[..., Coroutine[Any, Any, SiteSearch]]  # search_site, handed in by whoever runs it


@dataclass(frozen=True, slots=True)
class Recording:
    """A site as one search saw it, usually an exhaustive one."""

    seed: Seed
    search: SiteSearch  # what the search itself gave, to be committed like any other
    visits: Mapping[str, Recorded] = field(repr=False)  # by the address that was asked for
    links: Mapping[str, Link] = field(repr=False)  # by address, as the first page described it
    chances: Mapping[str, float] = field(default_factory=dict)  # of pages drawn at random from what the search left

    @property
    def total(self) -> int:
        """Query forms that there are, as far as exhaustive search finds them."""
        return count_queries(self.search)


def count_queries(search: SiteSearch) -> int:
    """Count the query forms that a search found."""
    return sum(1 for door in search.doors if door.judgement.kind == "database")


async def record_site(
    seed: Seed,
    search: Search,
    fetch: Fetch,
    *,
    site_pages: int,
    strategy: str = WHOLE,
    render: Render | None = None,
    count: Callable[[Visit], None] = lambda visited: None,
    **options: Any,
) -> Recording:
    """Search one site, to its bottom unless another strategy is named, and keep all that it showed; further options go to the search."""
    recorder = _Recorder()

    async def fetch_kept(request: Request) -> Response | Failure:
        return recorder.keep(await fetch(request))

    async def render_kept(response: Response) -> Response | Failure:
        return recorder.keep(await render(response) if render else response)

    async def visit_noted(link: Link, seen: SeenOnSite) -> Visit:
        recorder.last = None
        seen = replace(seen, layout=seen.layout or recorder.kept > KEPT_BYTES)
        visited = await visit(link, fetch_kept, seen, render=render_kept if render else None)
        recorder.note(visited, seen.layout)
        count(visited)
        return visited

    built = build_strategy(strategy)
    found = await search(seed, built, visit_noted, site_pages=site_pages, strategy_name=strategy, **options)
    chances = dict(found.drawn)
    for url in find_reopened(found.visits, chances):
        recorder.visits.pop(url, None)
    return Recording(seed, found, recorder.visits, recorder.links, chances)


def find_reopened(visits: Sequence[Visit], chances: Mapping[str, float]) -> list[str]:
    """Return the pages that were read because one drawn at random had a form: how likely that was, nobody knows."""
    order = [visit.link for visit in visits]
    first = next((place for place, link in enumerate(order) if link.url in chances), len(order))
    return [link.url for link in order[first:] if link.url not in chances and not link.path.endswith("/link")]


@dataclass(slots=True)
class _Recorder:
    """What was seen of a site so far."""

    visits: dict[str, Recorded] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    keyed: dict[int, tuple[Door, ...]] = field(default_factory=dict)  # doors by the markup of their forms
    signed: dict[str, Door] = field(default_factory=dict)  # by every signature they go by
    kept: int = 0  # bytes of bodies
    last: Response | None = None  # what the page is read from

    def keep(self, result: Response | Failure) -> Response | Failure:
        """Note what came last."""
        if isinstance(result, Response):
            self.last = result
        return result

    def note(self, visited: Visit, laid_out: bool) -> None:
        """Keep a visit; a page that is not laid out yet with its body."""
        page = visited.page
        if page is None:
            self.visits[visited.link.url] = Recorded(visited)
            return
        for link in page.links:
            self.links.setdefault(link.url, link)
        if self.last is None or laid_out:
            layout = RecordedLayout(groups=page.groups)
        else:
            self.kept += len(self.last.body)
            layout = RecordedLayout(self.last)
        beside = _find_beside(page)
        kept = keep_page(page, (), layout)
        self.visits[visited.link.url] = Recorded(visited, kept, self._doors_on(visited, page), beside)

    def _doors_on(self, visited: Visit, page: Page) -> tuple[Door, ...]:
        """Return every door on a page: those just read, and those whose markup is known.

        A form with a known signature is the door that has it. What a site declares is only known to stand on the page
        that was read.
        """
        new = {id(door.form): door for door in visited.doors}
        own: dict[int, Door] = {}
        for form in page.forms:
            names = names_of(form, page.url)
            door = new.get(id(form)) or next((self.signed[name] for name in names if name in self.signed), None)
            if door:
                own[form.index] = door
                self.signed.update((name, door) for name in names if name not in self.signed)

        for key, index in page.form_keys:
            if index in own:
                self.keyed.setdefault(key, (own[index],))
        doors = {door.signature: door for key, _ in page.form_keys for door in self.keyed.get(key, ())}
        doors |= {door.signature: door for door in own.values()}
        for key, index in page.form_keys:
            if index == LOOSE_CONTROLS:
                self.keyed.setdefault(key, tuple([door for door in doors.values() if door.form.made == "input"]))
        return tuple(doors.values())


def _find_beside(page: Page) -> tuple[Link, ...]:
    """Return the links that are no anchors."""
    if not page.links:
        return ()
    anchors = set(page.urls)
    return tuple(link for link in page.links if link.url not in anchors)
