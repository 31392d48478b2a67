"""`dowse follow` as a function: the crawler of a pattern (paper 3, Figure 9), breadth first along its steps; what it finds is stored."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, NamedTuple

from dowse.example.address import Address, AddressCleaning, AddressPattern, read_address, read_pattern
from dowse.example.lists import AddressKind, LinkBlock, address_kind, find_blocks
from dowse.example.pattern import (
    MAX_FORM_VALUES,
    FormQuery,
    PathState,
    Pattern,
    Step,
    Walk,
    build_request,
    is_transient,
    judge_reading,
    name_pattern,
    name_steps,
)
from dowse.fetch import Fetch, Render
from dowse.fetch.build import Fetches, build_fetch
from dowse.frontier.traps import Traps, shape_of, view_of
from dowse.model import Failure, Page, Request, Value, Verdict
from dowse.reasons import FailureReason
from dowse.records.details import PageWrapper, read_page_values
from dowse.records.paging import find_next
from dowse.settings import FetchSettings
from dowse.step.ask import FetchedPage, ask
from dowse.step.visit import offload, why_no_page
from dowse.store import Store, open_store
from dowse.store.walks import (
    LIKE,
    UNLIKE,
    OpenedPage,
    TargetPage,
    WalkRun,
    add_targets,
    begin_walk,
    count_targets,
    forget_failures,
    known_targets,
    measure_opened,
    read_opened,
    read_targets,
)
from dowse.tree.node import Node
from dowse.tree.similarity import Likeness, PageShape, ReferenceSample, fingerprint_of, read_shape
from dowse.url import Base, canonical, same_site

# -- opening a page

# A bound on work or memory; what it does to figures was not measured.
MAX_PAGE_LINKS: Final = 5_000  # kept of one page, as many as are read of it


@dataclass(frozen=True, slots=True)
class ExamplePage:
    """A page that was read: its tree, its text, its links to the same site."""

    url: str  # the address that was requested
    page: Page
    tree: Node
    links: tuple[str, ...]
    moved: bool = False  # the address redirected to another
    cleaning: AddressCleaning = field(default_factory=AddressCleaning)  # what was removed from the links
    large: bool = False  # so large that it is worked on in a thread beside the event loop

    def find_blocks(self) -> tuple[LinkBlock, ...]:
        """Return which links stand together."""
        base, clean, page = Base.of(self.page.base), self.cleaning.clean, self.page.url
        return find_blocks(self.tree, lambda href: clean(base.resolve(href) or "", page), self.links)


@dataclass(frozen=True, slots=True)
class LinksToLeave:
    """Links of pages that are left out: those to some addresses, and those that stand in some places only."""

    addresses: frozenset[Address] = frozenset()
    places: frozenset[int] = frozenset()

    @classmethod
    def of(cls, pattern: Pattern) -> LinksToLeave:
        """Return what a pattern says."""
        return cls(frozenset(filter(None, map(read_address, pattern.avoid))), frozenset(pattern.boxes))

    def apply(self, seen: ExamplePage) -> ExamplePage:
        """Return a page without those links."""
        links = seen.links
        if self.places:
            elsewhere = {link for place, there in seen.find_blocks() if place not in self.places for link in there}
            links = tuple(url for url in links if url in elsewhere)
        if self.addresses:
            links = tuple(url for url in links if read_address(url) not in self.addresses)
        return replace(seen, links=links) if links != seen.links else seen


OpenPage = Callable[[Request], Awaitable[ExamplePage | Failure]]


def build_opener(
    fetch: Fetch,
    render: Render | None = None,
    cleaning: AddressCleaning | None = None,
    leave: LinksToLeave | None = None,
) -> OpenPage:
    """Return a function that opens pages, in a browser where that shows more; what is no page says why.

    Sessions and ways back are removed from addresses, and some links are left out.
    """
    cleaned, left = cleaning or AddressCleaning(), leave or LinksToLeave()

    async def open_page(request: Request) -> ExamplePage | Failure:
        fetched = await ask(request, fetch, render)
        if isinstance(fetched, Failure):
            return fetched
        return await offload(fetched.large, _read_answer, fetched, cleaned, left)

    return open_page


def _read_answer(fetched: FetchedPage, cleaning: AddressCleaning, leave: LinksToLeave) -> ExamplePage | Failure:
    """Return the page with its links to the same site, each once; or why it is none."""
    url, status = fetched.request.url, fetched.response.status
    if status >= 300:
        return why_no_page(fetched.response, url)
    if fetched.page is None or fetched.tree is None:
        return Failure(url, FailureReason.NOT_A_PAGE, fetched.response.header("content-type")[:80], status)
    nofollow = {link.url for link in fetched.page.links if "nofollow" in link.rel.split()}
    inside = [each for each in fetched.page.urls if each not in nofollow and same_site(each, fetched.page.url)]
    here = fetched.page.url
    links = tuple(dict.fromkeys(cleaning.clean(each, here) for each in inside))[:MAX_PAGE_LINKS]
    moved = bool(fetched.response.redirects)
    return leave.apply(ExamplePage(url, fetched.page, fetched.tree, links, moved, cleaning, fetched.large))


def failure_reason(failure: Failure) -> str:
    """Return why a page could not be read, in few words."""
    return f"HTTP {failure.status}" if failure.why is FailureReason.STATUS else failure.counted_as


# -- the form that is asked before the first step of a pattern

# A bound on work or memory; what it does to figures was not measured.
MAX_WORDS_ASKED: Final = 2_000  # in one text box, in one run
# A bound on work or memory; what it does to figures was not measured.
MAX_TITLE_WORDS: Final = 6  # taken from the title of a page that was found
TITLE_WORD: Final = re.compile(r"[^\W\d_]{3,30}")


@dataclass(slots=True)
class FormRequests:
    """The requests that ask a form: with the values of a list, or with words from the titles of pages that were found, each once."""

    form: FormQuery | None
    asked: dict[str, None] = field(default_factory=dict)

    def start(self, entry: str) -> Iterator[Request]:
        """Yield the first requests: the entry, or the form with every value."""
        if self.form is None:
            yield Request(canonical(entry) or entry)
        else:
            yield from self._ask(self.form, self.form.values, MAX_FORM_VALUES)

    def ask_title_words(self, title: str) -> Iterator[Request]:
        """Yield requests with the words of a title, where the form has a text box."""
        if self.form is not None and self.form.words:
            yield from self._ask(self.form, TITLE_WORD.findall(title.lower())[:MAX_TITLE_WORDS], MAX_WORDS_ASKED)

    def _ask(self, form: FormQuery, values: Sequence[str], most: int) -> Iterator[Request]:
        for value in values:
            if value not in self.asked and len(self.asked) < most:
                self.asked[value] = None
                yield build_request(form, value)


# -- the paths of a pattern, ready to match


@dataclass(frozen=True, slots=True)
class CompiledPaths:
    """The paths of a pattern, and which links each of their states takes."""

    paths: tuple[tuple[tuple[AddressPattern, Step], ...], ...]
    lists: frozenset[str] = frozenset()  # addresses on the paths that are never at their ends

    @classmethod
    def of(cls, pattern: Pattern) -> CompiledPaths:
        """Read the steps of each path; what a file holds was checked when it was read."""
        paths = []
        for path in pattern.paths:
            read = [(read_pattern(step.pattern), step) for step in path.steps]
            paths.append(tuple((each, step) for each, step in read if not isinstance(each, Verdict)))
        return cls(tuple(paths), frozenset(pattern.lists))

    def start(self) -> set[PathState]:
        """Return the states of the first pages."""
        return {(place, 0) for place in range(len(self.paths))}

    def follows_links(self, state: PathState) -> bool:
        """Return True if links are taken from a page in a state."""
        path, taken = state
        return taken < len(self.paths[path]) or (taken > 0 and self.paths[path][taken - 1][1].repeats)

    def is_end(self, state: PathState) -> bool:
        """Return True if a path ends in a state."""
        return state[1] == len(self.paths[state[0]])

    def may_be_target(self, url: str) -> bool:
        """Return True if a path may end at an address."""
        return url not in self.lists and any(steps[-1][0].matches(url) for steps in self.paths)

    def may_lead_on(self, url: str) -> bool:
        """Return True if an address may be in the middle of a path, or at an end that leads to further ones."""
        return any(
            pattern.matches(url)
            for steps in self.paths
            for place, (pattern, step) in enumerate(steps, 1)
            if place < len(steps) or step.repeats
        )

    def filter_links(self, links: Iterable[str]) -> tuple[str, ...]:
        """Return the links that any step matches."""
        steps = [each for path in self.paths for each, _ in path]
        return tuple(url for url in links if any(each.matches(url) for each in steps))

    def has_next_step(self, state: PathState, links: Iterable[str]) -> bool:
        """Return True if the next step takes any of the links."""
        return any(self.takes_next_step(state, url) for url in links)

    def takes_next_step(self, state: PathState, url: str) -> bool:
        """Return True if the next step takes a link."""
        path, taken = state
        if url in self.lists and self.is_end((path, taken + 1)):
            return False
        return taken < len(self.paths[path]) and self.paths[path][taken][0].matches(url)

    def repeats_step(self, state: PathState, url: str) -> bool:
        """Return True if the step that led to the page repeats and takes a link once more."""
        path, taken = state
        if taken == 0 or (url in self.lists and self.is_end(state)):
            return False
        pattern, step = self.paths[path][taken - 1]
        return step.repeats and pattern.matches(url)


# -- the crawler: breadth first along the links that the steps match, each page once

# A bound on work or memory; what it does to figures was not measured.
MAX_ADDRESSES: Final = 1_000_000  # that one run remembers; a site with more is a trap
# Lists of one kind in a row that led to nothing new, after which at most a tenth of the others does (rule of three, 95 %: 3 / 30).
MAX_LISTS_WITHOUT_NEW: Final = 30
# The same while fewer targets were met than when the pattern was learned: at most 3 % of the others (3 / 100).
MAX_LISTS_WITHOUT_KNOWN: Final = 100
# A bound on work or memory; what it does to figures was not measured.
MAX_PAGES_HELD: Final = 200  # pages in memory that may still turn out to be targets
# Once more, and no longer: a server that fails twice is down.
MAX_PAGE_TRIES: Final = 2  # of a page that its server failed to give, when an interrupted run goes on
# Where half of the pages changed, all three did by chance in one case of eight.
CHECKED_TARGETS: Final = 3  # known targets that are opened to see whether the site has changed


@dataclass(frozen=True, slots=True)
class FoundTarget:
    """A page like the sample."""

    seen: ExamplePage
    likeness: float


class QueuedRequest(NamedTuple):
    """A request to send next, and the states it was reached in."""

    request: Request
    states: set[PathState]

    @property
    def name(self) -> str:
        """What tells the request from others: its address, and its body."""
        sent = self.request.body.decode("utf-8", "replace")
        return f"{self.request.url} {sent}" if sent else self.request.url


@dataclass(frozen=True, slots=True)
class WalkMemory:
    """What an interrupted run did before, and where it notes what it does now."""

    known: Collection[str] = ()  # targets that need not be opened
    titles: Iterable[str] = ()  # of the targets: their words are asked in a form
    recall: Callable[[str], OpenedPage | None] = lambda _: None
    note: Callable[[OpenedPage], object] = lambda _: None


async def walk_pattern(
    walk: Walk, open_page: OpenPage, memory: WalkMemory | None = None, *, limit: int = 0
) -> AsyncIterator[FoundTarget]:
    """Follow a pattern from its entry and yield the pages like its samples; what was opened before is not opened again."""
    memory = memory or WalkMemory()
    queue = _WalkQueue(walk, CompiledPaths.of(walk.pattern), memory)
    questions = FormRequests(walk.pattern.first)
    queue.add_start(questions.start(walk.pattern.entry))
    for title in memory.titles:
        queue.add_start(questions.ask_title_words(title))
    while (queued := queue.next()) is not None:
        if walk.stopped:
            return
        if queue.recall(queued):
            await asyncio.sleep(0)  # a long memory must not keep Ctrl-C waiting
        elif limit and walk.links >= limit:
            walk.stopped = f"{limit:,} link{'s were' if limit != 1 else ' was'} traversed"
            return
        else:
            walk.links += 1
            seen = await open_page(queued.request)
            await offload(isinstance(seen, ExamplePage) and seen.large, queue.add_page, queued, seen)
        targets, queue.targets = queue.targets, []
        for target in targets:
            walk.pages += 1
            queue.add_start(questions.ask_title_words(target.seen.page.title))
            yield target
    if walk.needs_check:
        left = max(0, limit - walk.links) if limit else CHECKED_TARGETS
        await _check_known(walk, open_page, sorted(queue.skipped)[: min(CHECKED_TARGETS, left)])


async def _check_known(walk: Walk, open_page: OpenPage, urls: Iterable[str]) -> None:
    """Open pages that were like the sample once, and count how many still are."""
    for url in urls:
        walk.links += 1
        walk.checked += 1
        seen = await open_page(Request(url))
        if isinstance(seen, Failure):
            walk.failures[failure_reason(seen)] += 1
        elif await offload(seen.large, walk.likeness.of, seen.tree) >= walk.pattern.threshold:
            walk.confirmed += 1
        else:
            walk.differing += 1


@dataclass(slots=True)
class _ListYields:
    """What the lists of each kind led to: how many in a row, up to the last one, led to nothing new.

    A list leads to what it links to, and to what the lists do that were found on it. Kinds that never led to anything new
    count as one, for each path: filters combine their parameters without end.
    """

    ways: dict[str, tuple[str, ...]] = field(default_factory=dict)  # the kinds of lists on the way to a page
    without_new: Counter[str] = field(default_factory=Counter)  # by kind, and of barren kinds by path
    fruitful: set[str] = field(default_factory=set)  # kinds that led to something new

    def note_way(self, page: str, url: str) -> None:
        """Note that an address was found on a page."""
        way, kind = self.ways.get(page, ()), _list_kind(page)
        self.ways[url] = way if kind in way else (*way, kind)

    def add(self, page: str, is_new: bool) -> None:
        """Note that a list was read, and whether it links to anything new."""
        kind = _list_kind(page)
        if is_new:
            if kind not in self.fruitful:
                del self.without_new[_path_of(page)]
            for each in {kind, *self.ways.get(page, ())}:
                self.fruitful.add(each)
                del self.without_new[each]
        else:
            self.without_new[kind if kind in self.fruitful else _path_of(page)] += 1

    def count_without_new(self, url: str) -> int:
        """Return how many lists of the kind of an address led to nothing new since one did."""
        kind = _list_kind(url)
        return self.without_new[kind if kind in self.fruitful else _path_of(url)]


def _list_kind(url: str) -> str:
    return repr(address_kind(url))


def _path_of(url: str) -> str:
    return repr(address_kind(url)[:-1])


@dataclass(slots=True)
class _WalkQueue:
    """The queue of a crawler: addresses, and the states they were reached in."""

    walk: Walk
    paths: CompiledPaths
    memory: WalkMemory
    ends: deque[str] = field(default_factory=deque)  # opened first, so that a run with a limit brings targets
    paging: deque[str] = field(default_factory=deque)  # further pages of lists: they come before filters and orders
    waiting: deque[str | Request] = field(default_factory=deque)
    retries: deque[QueuedRequest] = field(default_factory=deque)  # failed before the interruption: after all others
    tried: dict[str, int] = field(default_factory=dict)  # how often these were
    states: dict[str, set[PathState]] = field(default_factory=dict)  # of every address that was reached
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of the pages that were opened and may lead on
    again: list[tuple[str, PathState]] = field(default_factory=list)  # opened pages that were reached in another state
    next_pages: set[str] = field(default_factory=set)  # addresses of further pages of lists
    paging_kinds: set[AddressKind] = field(default_factory=set)  # the kinds of these
    traps: Traps = field(default_factory=Traps)
    yields: _ListYields = field(default_factory=_ListYields)
    met: int = 0  # addresses at the ends of paths
    held: dict[str, FoundTarget] = field(default_factory=dict)  # like the sample, and not reached as a target so far
    recalled: set[str] = field(default_factory=set)  # the same, before the interruption
    targets: list[FoundTarget] = field(default_factory=list)  # found since they were last collected
    found: set[str] = field(default_factory=set)  # addresses of all targets
    final_urls: set[str] = field(default_factory=set)  # where those redirected to: two links may lead to one page
    skipped: set[str] = field(default_factory=set)  # known targets that were not opened

    def add_start(self, requests: Iterable[Request]) -> None:
        """Queue pages that the first steps start from."""
        for request in requests:
            if request.method != "GET":
                self.waiting.append(request)
            elif request.url not in self.states:
                self.states[request.url] = self.paths.start()
                self.waiting.append(request.url)

    def next(self) -> QueuedRequest | None:
        """Return the next request; known targets that lead nowhere are skipped."""
        while waiting := self.ends or self.paging or self.waiting:
            place = waiting.popleft()
            if isinstance(place, Request):
                return QueuedRequest(place, self.paths.start())
            if place in self.links or place in self.skipped:
                continue
            if self._is_closed(place):
                self.walk.closed[shape_of(place)] += 1
                continue
            if place not in self.memory.known or any(map(self.paths.follows_links, self.states[place])):
                return QueuedRequest(Request(place), self.states[place])
            self._skip(place)
        return self.retries.popleft() if self.retries else None

    def _is_closed(self, url: str) -> bool:
        """Return True if a list is of a kind whose last pages led to nothing new; targets are never of one."""
        if any(taken == 0 or self.paths.is_end((path, taken)) for path, taken in self.states[url]):
            return False
        is_whole = self.met >= max(1, self.walk.pattern.figures.get("targets", 0))
        return self.yields.count_without_new(url) >= (MAX_LISTS_WITHOUT_NEW if is_whole else MAX_LISTS_WITHOUT_KNOWN)

    def _skip(self, url: str) -> None:
        self.skipped.add(url)
        self.walk.unread += 1

    def recall(self, queued: QueuedRequest) -> bool:
        """Use what is remembered of a page that was opened before the interruption; return True if that is enough."""
        before = self.memory.recall(queued.name)
        if before is None or queued.name in self.tried:
            return False
        if before.failure:
            if is_transient(before.failure) and before.tries < MAX_PAGE_TRIES:
                self.tried[queued.name] = before.tries
                self.retries.append(queued)
            else:
                self._count_failure(queued, before.failure)
            return True
        url, is_end = queued.request.url, any(map(self.paths.is_end, queued.states))
        if before.judged == LIKE and is_end and url not in self.memory.known:
            return False  # its data was not stored
        if before.judged == LIKE and is_end:
            self._skip(url)
            self.found.add(url)
        elif before.judged == LIKE:
            self.recalled.add(url)
        elif before.judged == UNLIKE and is_end:
            self.walk.unlike += 1
        self._add_links(queued, before)
        return True

    def add_page(self, queued: QueuedRequest, seen: ExamplePage | Failure) -> None:
        """Add what was opened: the page, if it is a target, and its links."""
        if isinstance(seen, Failure):
            why = failure_reason(seen)
            self._count_failure(queued, why)
            self.memory.note(OpenedPage(queued.name, failure=why, tries=self.tried.get(queued.name, 0) + 1))
            return
        self.walk.dropped += dict(seen.page.dropped).get("links", 0)
        judged = self._judge(seen, queued.states)
        # It leads on now, or may do so in another state.
        leads = any(map(self.paths.follows_links, queued.states)) or self.paths.may_lead_on(seen.url)
        links = self.paths.filter_links(seen.links) if leads else ()
        # Lists grow, and the pattern may know one page of a list: the next one counts, too.
        wanted = any(self.paths.has_next_step(state, links) for state in queued.states)
        following = find_next(seen.page, Request(seen.url)) if wanted else None
        next_page = following.request.url if following and following.request.method == "GET" else ""
        is_list = next_page and same_site(next_page, seen.url) and not self.paths.may_be_target(next_page)
        page = OpenedPage(queued.name, links, (next_page,) if is_list else (), judged)
        self._add_links(queued, page)
        if leads or seen.url not in self.found:  # of a target that leads nowhere it is enough that it is known
            self.memory.note(page)

    def _count_failure(self, queued: QueuedRequest, why: str) -> None:
        self.walk.failures[why] += 1
        if is_transient(why):
            self.walk.lost.update(queued.states)

    def _add_links(self, queued: QueuedRequest, page: OpenedPage) -> None:
        """Queue the links of a page that was read, now or before the interruption."""
        url = queued.request.url
        self.walk.opened += 1
        self.walk.read.update(queued.states)
        self.next_pages.update(page.following)
        self.paging_kinds.update(map(address_kind, page.following))
        self.links[url] = page.links
        for state in tuple(queued.states):  # the page may lead to itself
            if self.paths.follows_links(state) and (url in self.found or not self.paths.is_end(state)):
                following = page.following if self.paths.has_next_step(state, page.links) else ()
                self._follow_links(url, (*page.links, *following), state)
        while self.again:
            other, state = self.again.pop()
            self._follow_links(other, self.links.get(other, ()), state)

    def _judge(self, seen: ExamplePage, states: set[PathState]) -> str:
        """Find out whether a page is a target, or would be if a path ended there: it may be reached in another state later."""
        is_end = any(map(self.paths.is_end, states))
        if not is_end and (len(self.held) >= MAX_PAGES_HELD or not self.paths.may_be_target(seen.url)):
            return ""
        target = FoundTarget(seen, self.walk.likeness.of(seen.tree))
        if target.likeness < self.walk.pattern.threshold:
            self.walk.unlike += is_end
            return UNLIKE
        # Another address may have led to the same page before, in this run or before the interruption.
        final = seen.page.url or seen.url
        if final in self.final_urls or (final != seen.url and final in self.memory.known):
            return ""
        if is_end:
            self._add(target)
        else:
            self.held[seen.url] = target
        return LIKE

    def _add(self, target: FoundTarget) -> None:
        self.targets.append(target)
        self.found.add(target.seen.url)
        self.final_urls.add(target.seen.page.url or target.seen.url)

    def _follow_links(self, page: str, links: Collection[str], state: PathState) -> None:
        """Queue the links that the next step matches, and those of the step before where it repeats."""
        path, taken = state
        onward: list[str] = []
        further: list[str] = []
        for url in links:
            if self.paths.takes_next_step(state, url):
                onward.append(url)
            elif self._is_other_view(url, state, links):
                continue
            elif url in self.next_pages or self.paths.repeats_step(state, url):
                further.append(url)
        self.walk.matched[state] += len(onward)
        is_new = [self._add_address(url, (path, taken + 1), page) for url in onward]
        if not self.paths.is_end(state):
            self.yields.add(page, any(is_new))
        for url in further:
            self._add_address(url, state, page)

    def _is_other_view(self, url: str, state: PathState, beside: Collection[str]) -> bool:
        """Return True if an address sorts, resizes or prints a list that was met, and is met without that: such views go on without end."""
        _, base = view_of(url)
        if not base or url in self.states or not self.paths.repeats_step(state, base):
            return False
        return base in beside or self.traps.judge_known_view(url, self.states) is not None

    def _add_address(self, url: str, state: PathState, page: str) -> bool:
        """Queue an address that a page leads to in the state it was reached in, and return True if it is a new one."""
        known = self.states.get(url)
        if known is None and len(self.states) >= MAX_ADDRESSES:
            self.walk.stopped = f"{MAX_ADDRESSES:,} addresses were met"
            return False
        if known is None:
            self.states[url] = {state}
            self.met += self.paths.is_end(state)
            self.yields.note_way(page, url)
            is_paging = address_kind(url) in self.paging_kinds
            waiting = self.ends if not self.paths.follows_links(state) else self.paging if is_paging else self.waiting
            waiting.append(url)
            return True
        if state in known:
            return False
        known.add(state)
        # A page that was opened may be a target after all, and leads on from this state, too.
        if url in self.links:
            if self.paths.is_end(state):
                self._add_opened_target(url)
            if self.paths.follows_links(state) and (url in self.found or not self.paths.is_end(state)):
                self.again.append((url, state))
        elif url in self.skipped and self.paths.follows_links(state):
            self.skipped.remove(url)
            self.walk.unread -= 1
            self.waiting.append(url)
        return False

    def _add_opened_target(self, url: str) -> None:
        """Take a page that was opened on the way for a target; its data may have to be read again."""
        if url in self.held:
            self._add(self.held.pop(url))
        elif url in self.recalled:
            self.recalled.remove(url)
            if url in self.memory.known:
                self._skip(url)
                self.found.add(url)
            else:
                del self.links[url]
                self.ends.append(url)


# -- a run whose pages are stored

# A bound on work or memory; what it does to figures was not measured.
BATCH_PAGES: Final = 20  # stored in one transaction
# What a person may lose by a crash; not measured.
BATCH_SECONDS: Final = 2.0  # that a page waits at most to be stored
# Characters of the addresses on opened pages that are stored; pages beyond are opened again after an interruption.
MAX_REMEMBERED_CHARS: Final = 200_000_000


@dataclass(slots=True)
class FollowRun:
    """A run of a crawler by example: its walk, and what waits to be stored."""

    begun: WalkRun
    walk: Walk
    reader: PageWrapper | None
    pages: int = 0  # like the sample, those before an interruption too
    new: int = 0  # of them, those that no run before found
    waiting: list[TargetPage] = field(default_factory=list)  # to be stored
    opened: list[OpenedPage] = field(default_factory=list)  # to be stored, too
    remembered_chars: int = 0  # of these, and of those that were stored
    stored_at: float = field(default_factory=time.monotonic)

    @property
    def stopped(self) -> str:
        """Why it stopped early."""
        return self.walk.stopped

    @stopped.setter
    def stopped(self, why: str) -> None:
        self.walk.stopped = why

    @property
    def links(self) -> int:
        """Links that were traversed, before an interruption too."""
        return self.begun.links + self.walk.links

    @property
    def rows(self) -> int:
        """The number of pages that are written."""
        return self.new if self.begun.only_new else self.pages

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the attributes that are extracted, each once."""
        return tuple(dict.fromkeys(each.name for each in self.reader.attributes)) if self.reader else ()

    @property
    def is_due(self) -> bool:
        """True if what was found has waited long enough to be stored."""
        most = max(len(self.waiting), len(self.opened))
        return most >= BATCH_PAGES or (most > 0 and time.monotonic() - self.stored_at > BATCH_SECONDS)

    def note(self, page: OpenedPage) -> None:
        """Remember a page that was opened, as far as there is room."""
        self.remembered_chars += len(page.name) + sum(map(len, page.links))
        if self.remembered_chars <= MAX_REMEMBERED_CHARS:
            self.opened.append(page)


async def follow(
    pattern: Pattern, *, db: str = "dowse.db", only_new: bool = False, fetching: FetchSettings | None = None
) -> FollowRun:
    """Open all pages that a pattern leads to and store them in a database; the same call resumes an interrupted run."""
    async with build_fetch(fetching or FetchSettings()) as fetches:
        with open_store(db) as store:
            run = begin_follow(store, pattern, only_new=only_new)
            async for _ in run_pattern(store, run, fetches):
                pass
            return run


def begin_follow(store: Store, pattern: Pattern, *, only_new: bool) -> FollowRun:
    """Begin to follow a pattern, or resume the last run if it was interrupted."""
    shapes = [(read_shape(each.shape), each.common) for each in pattern.shapes]
    samples = [ReferenceSample(PageShape(shape, fingerprint_of(shape)), common) for shape, common in shapes]
    likeness = Likeness(samples, pattern.scale)
    reader = PageWrapper.from_dict(pattern.reader) if pattern.reader else None
    begun = begin_walk(store, name_pattern(pattern), only_new=only_new, steps=name_steps(pattern))
    pages, new = count_targets(store, begun)
    walk = Walk(pattern, likeness, only_new, pages)
    return FollowRun(begun, walk, reader, pages, new, remembered_chars=measure_opened(store, begun))


async def run_pattern(store: Store, run: FollowRun, fetches: Fetches, *, limit: int = 0) -> AsyncIterator[FoundTarget]:
    """Follow a pattern and store what is found as it comes."""
    pattern = run.walk.pattern
    cleaning = AddressCleaning.of(pattern.samples, pattern.without)
    open_page = build_opener(fetches.within_site, fetches.render, cleaning, LinksToLeave.of(pattern))

    async def save_and_open(request: Request) -> ExamplePage | Failure:
        if run.is_due:
            _save(store, run, fetches)
        return await open_page(request)

    words = pattern.first is not None and pattern.first.words
    titles = (each.title for each in read_targets(store, run.begun)) if words else ()
    recall = partial(read_opened, store, run.begun)
    memory = WalkMemory(known_targets(store, run.begun), titles, recall, run.note)
    async for found in walk_pattern(run.walk, save_and_open, memory, limit=limit):
        seen, values = found.seen, tuple[Value, ...]()
        if run.reader is not None:
            values = await offload(seen.large, read_page_values, run.reader, seen.tree)
        run.waiting.append(TargetPage(seen.url, seen.page.title, round(found.likeness, 4), values))
        yield found
    could_read = judge_reading(run.walk).yes or not run.walk.opened
    _save(store, run, fetches, finished=could_read and not run.stopped)
    if not could_read:
        forget_failures(store, run.begun)


def _save(store: Store, run: FollowRun, fetches: Fetches, *, finished: bool = False) -> None:
    fetches.flush()
    add_targets(store, run.begun, run.waiting, run.links, opened=run.opened, finished=finished)
    run.waiting.clear()
    run.opened.clear()
    run.pages, run.new = count_targets(store, run.begun)
    run.stored_at = time.monotonic()
