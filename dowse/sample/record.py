"""Search a site once, exhaustively, and keep what a search in any other order would have seen (paper 1, Section 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dowse.fetch import Fetch, Render
from dowse.form.signature import names_of
from dowse.model import Door, Failure, Familiar, Link, LinkGroup, Page, Request, Response, Seed, SiteSearch, Visit
from dowse.page.document import read_groups
from dowse.step.visit import visit
from dowse.strategy import build_strategy

# -- a page as it is kept: without what depends on the order of a search, and laid out only when somebody looks


@dataclass(slots=True)
class RecordedLayout:
    """The groups of links of a page, computed from its body the first time they are asked for.

    To lay out a page is a third of the work of reading it, and strategies look at few pages of a site.
    """

    response: Response | None = None
    familiar: Familiar = field(default_factory=Familiar)  # what needs no description; pages of a site share it
    groups: tuple[LinkGroup, ...] = ()

    def find_groups(self) -> tuple[LinkGroup, ...]:
        """Return the groups, and let go of the body."""
        if self.response is not None:
            self.groups, self.response = read_groups(self.response, self.familiar), None
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
        object.__setattr__(self, "_layout", layout)  # by the constructor, once

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
Asked = tuple[int, bool]  # the name of a form, and whether it was known


@dataclass(frozen=True, slots=True)
class Recording:
    """A site as an exhaustive search saw it."""

    seed: Seed
    search: SiteSearch  # what the search itself gave, to be committed like any other
    visits: Mapping[str, Recorded] = field(repr=False)  # by the address that was asked for
    links: Mapping[str, Link] = field(repr=False)  # by address, as the first page described it

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
    render: Render | None = None,
    count: Callable[[Visit], None] = lambda visited: None,
    **options: Any,
) -> Recording:
    """Search one site to its bottom and keep all that it showed; further options go to the search."""
    recorder = _Recorder()

    async def fetch_kept(request: Request) -> Response | Failure:
        return recorder.keep(await fetch(request))

    async def render_kept(response: Response) -> Response | Failure:
        return recorder.keep(await render(response) if render else response)

    async def visit_noted(link: Link, familiar: Familiar) -> Visit:
        names = recorder.begin(familiar)
        visited = await visit(link, fetch_kept, familiar, render=render_kept if render else None)
        recorder.note(visited, names.asked)
        count(visited)
        return visited

    whole = build_strategy(WHOLE)
    found = await search(seed, whole, visit_noted, site_pages=site_pages, strategy_name=WHOLE, **options)
    return Recording(seed, found, recorder.visits, recorder.links)


class NotedNames(set[int]):
    """Names of forms that also tell which were asked for: those are the forms of the page that is being read."""

    def __init__(self, names: set[int]) -> None:
        super().__init__(names)
        self.asked: list[Asked] = []

    def __contains__(self, name: object) -> bool:
        known = super().__contains__(name)
        if isinstance(name, int):
            self.asked.append((name, known))
        return known


@dataclass(slots=True)
class _Recorder:
    """What was seen of a site so far."""

    visits: dict[str, Recorded] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    named: dict[int, tuple[Door, ...]] = field(default_factory=dict)  # doors by how they are written
    signed: dict[str, Door] = field(default_factory=dict)  # by every signature they go by
    laid_out: Familiar = field(init=False)
    kept: int = 0  # bytes of bodies
    last: Response | None = None  # what the page is read from

    def __post_init__(self) -> None:
        self.laid_out = Familiar(links=self.links)

    def keep(self, result: Response | Failure) -> Response | Failure:
        """Note what came last."""
        if isinstance(result, Response):
            self.last = result
        return result

    def begin(self, familiar: Familiar) -> NotedNames:
        """Prepare for the next page."""
        self.last = None
        familiar.layout = self.kept > KEPT_BYTES
        if not isinstance(familiar.forms, NotedNames):
            familiar.forms = NotedNames(familiar.forms)
        familiar.forms.asked.clear()
        return familiar.forms

    def note(self, visited: Visit, asked: Sequence[Asked]) -> None:
        """Keep a visit."""
        page = visited.page
        if page is None:
            self.visits[visited.link.url] = Recorded(visited)
            return
        for link in page.links:
            self.links.setdefault(link.url, link)
        kept = keep_page(page, (), self._keep_layout(page))
        self.visits[visited.link.url] = Recorded(
            visited, kept, self._doors_on(visited, page, asked), _find_beside(page)
        )

    def _keep_layout(self, page: Page) -> RecordedLayout:
        if self.last is None or self.kept > KEPT_BYTES:
            return RecordedLayout(groups=page.groups)
        self.kept += len(self.last.body)
        return RecordedLayout(self.last, self.laid_out)

    def _doors_on(self, visited: Visit, page: Page, asked: Sequence[Asked]) -> tuple[Door, ...]:
        """Return every door on a page: those just read, and those whose names were known."""
        own = self._own_doors(visited, page) if page.forms else {}
        if own:
            self._name(page, own, asked)
        doors = {door.signature: door for name, _ in asked for door in self.named.get(name, ())}
        doors |= {door.signature: door for door in own.values()}
        return tuple(doors.values())

    def _own_doors(self, visited: Visit, page: Page) -> dict[int, Door]:
        """Return the doors of the forms that were read, by number; a form with a known signature is the door that has it."""
        new = {id(door.form): door for door in visited.doors}
        own: dict[int, Door] = {}
        for form in page.forms:
            names = names_of(form, page.url)
            door = new.get(id(form)) or next((self.signed[name] for name in names if name in self.signed), None)
            if door:
                own[form.index] = door
                self.signed.update((name, door) for name in names if name not in self.signed)
        return own

    def _name(self, page: Page, own: Mapping[int, Door], asked: Sequence[Asked]) -> None:
        """Remember by which names the doors of a page are known.

        The names of its forms were asked for in their order, after those of declared searches and before those of
        controls without a form. A form whose name cannot be told is only known to stand on its own page.
        """
        count = page.form_count
        start = _find_start({form.index for form in page.forms if form.made == "html"}, count, asked)
        if start is None:
            return
        for place, (name, _) in enumerate(asked[start : start + count]):
            if place in own:
                self.named.setdefault(name, (own[place],))
        panels = tuple(own[form.index] for form in page.forms if form.made == "input" and form.index in own)
        for name, _ in asked[start + count : start + count + 1]:
            self.named.setdefault(name, panels)


def _find_start(new: set[int], count: int, asked: Sequence[Asked]) -> int | None:
    """Return where the names of a page's forms begin among those asked for: where just the new forms were not known."""
    wanted = [place not in new for place in range(count)]
    known = [each for _, each in asked]
    return next((start for start in range(len(asked) - count + 1) if known[start : start + count] == wanted), None)


def _find_beside(page: Page) -> tuple[Link, ...]:
    """Return the links that are no anchors."""
    if not page.links:
        return ()
    anchors = set(page.urls)
    return tuple(link for link in page.links if link.url not in anchors)
