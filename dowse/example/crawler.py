"""The crawler of a pattern (paper 3, Figure 9): breadth first along its steps, and how the walk went."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from dowse.example.address import AddressPattern
from dowse.example.generalise import read_pattern
from dowse.example.page import ExamplePage, FormQuestions, OpenPage, failure_reason
from dowse.example.pattern import Pattern, Step
from dowse.model import Failure, Request, Verdict, Why
from dowse.records.paging import find_next
from dowse.step.visit import offload
from dowse.store.walks import LIKE, UNLIKE, OpenedPage
from dowse.tree.similarity import Likeness
from dowse.url import same_site

# -- how a walk went, and whether the pattern still fits its site

MIN_UNLIKE_PAGES: Final = 3  # fewer pages that are not like the sample are no sign: any site may have some
MIN_TARGET_SHARE: Final = (
    0.5  # of the targets that were found when the pattern was learned: with fewer the site has changed
)
MAX_REASONS_NAMED: Final = 5  # in one line

_TRANSIENT_FAILURES: Final = frozenset(
    {Why.NO_HOST, Why.REFUSED, Why.BROKEN, Why.TIMEOUT, Why.TLS, Why.GARBAGE, Why.ROBOTS_DOWN, Why.BUSY, Why.BROWSER}
)
# Servers that are asked for too much answer so.
_TRANSIENT_STATUS: Final = frozenset({"HTTP 403", "HTTP 408", "HTTP 425", "HTTP 429"})

PathState = tuple[int, int]  # a path, and how many of its steps were taken


@dataclass(slots=True)
class Walk:
    """The counts of a crawler while it follows a pattern."""

    pattern: Pattern
    likeness: Likeness
    only_new: bool = False  # what earlier runs found is not opened
    before: int = 0  # pages like the sample that this run found before it was interrupted
    pages: int = 0  # like the sample
    links: int = 0  # traversed
    opened: int = 0  # pages that were read, before the interruption too
    unlike: int = 0  # pages at the end of a path that are not like the sample
    unread: int = 0  # known targets that were not opened again
    checked: int = 0  # of them, those that were opened to see whether the site has changed
    confirmed: int = 0  # of these, those that are as they were
    differing: int = 0  # and those that are not
    dropped: int = 0  # links over the bound of a page
    matched: Counter[PathState] = field(default_factory=Counter)  # links that each step took
    read: Counter[PathState] = field(default_factory=Counter)  # pages, by the states they were reached in
    lost: Counter[PathState] = field(default_factory=Counter)  # pages that the server failed to give
    failures: Counter[str] = field(default_factory=Counter)
    stopped: str = ""

    @property
    def in_doubt(self) -> bool:
        """True if most pages that were reached are not like the sample: the site has changed, or they never were."""
        expected = int(self.pattern.figures.get("others", 0))
        return self.unlike - expected > max(MIN_UNLIKE_PAGES, self.pages + self.before)

    @property
    def needs_check(self) -> bool:
        """True if known targets must be opened to see whether the site has changed: nothing else tells, or what does is against it."""
        found_nothing = self.only_new and not self.pages and not self.before
        return bool(self.likeness.samples) and (self.in_doubt or found_nothing)

    @property
    def transient_failures(self) -> dict[str, int]:
        """Failures of the server or the network, and how often."""
        return find_transient(self.failures)


def is_transient(why: str) -> bool:
    """Return True if a failure may pass: it says nothing about the page."""
    return why in _TRANSIENT_FAILURES or why in _TRANSIENT_STATUS or why.startswith("HTTP 5")


def find_transient(failures: Mapping[str, int]) -> dict[str, int]:
    """Return the failures that may pass, the most frequent first."""
    return {why: count for why, count in Counter(failures).most_common() if is_transient(why)}


def describe_transient(failures: Mapping[str, int]) -> str:
    """Return the failures that may pass, and how often each came, in one line."""
    return ", ".join(f"{why} ({count:,})" for why, count in [*find_transient(failures).items()][:MAX_REASONS_NAMED])


def judge_map(failures: Mapping[str, int], pages: int) -> Verdict:
    """Judge whether enough of a site could be read to learn from it: more pages than its server failed to give."""
    failed = sum(find_transient(failures).values())
    if failed and failed >= pages:
        return Verdict(False, f"the site could not be read: {describe_transient(failures)}; try again later")
    return Verdict(True)


def judge_walk(walk: Walk) -> Verdict:
    """Judge whether a pattern still fits its site: each step matched something, and pages at the end were like the sample."""
    reading = judge_reading(walk)
    if not reading.yes:
        return reading
    if walk.in_doubt and not walk.confirmed:
        reached = walk.pages + walk.before + walk.unlike
        return Verdict(False, f"{walk.unlike:,} of {reached:,} pages that were reached look different now")
    if walk.checked and walk.differing == walk.checked:
        known = "a page that was found before looks" if walk.checked == 1 else "pages that were found before look"
        return Verdict(False, f"{known} different now, {walk.checked:,} of {walk.checked:,} that were opened again")
    return Verdict(True) if walk.stopped else _judge_complete(walk)


def judge_reading(walk: Walk) -> Verdict:
    """Judge whether a site could be read: what its server failed to give says nothing about the pattern."""
    if walk.failures and not walk.opened:
        start = walk.pattern.first.address if walk.pattern.first else walk.pattern.entry
        return Verdict(False, f"{start} could not be opened: {', '.join([*walk.failures][:MAX_REASONS_NAMED])}")
    most_failed = sum(walk.transient_failures.values()) > walk.opened
    if most_failed or (not walk.stopped and not _judge_complete(walk).yes and _may_be_lost(walk)):
        return Verdict(False, f"the site could not be read: {describe_transient(walk.failures)}")
    return Verdict(True)


def _judge_complete(walk: Walk) -> Verdict:
    """Judge whether a walk that was not stopped found what there was when the pattern was learned."""
    for place, step in _find_unmatched(walk):
        return Verdict(False, f"no link matches step {place + 1}: {step.pattern}")
    before, reached = walk.pattern.figures.get("targets", 0), walk.pages + walk.unread
    if reached < MIN_TARGET_SHARE * before:
        found = "1 page was" if reached == 1 else f"{reached:,} pages were"
        by_hand = "if the pattern was changed by hand, change or remove its `figures`, too"
        return Verdict(False, f"{found} found where there were {before:,.0f} ({by_hand})")
    return Verdict(True)


def _find_unmatched(walk: Walk) -> Iterator[tuple[int, Step]]:
    """Yield the steps that matched no link, with their places."""
    for path in walk.pattern.paths:
        for place, step in enumerate(path.steps):
            if not _count_at(walk, walk.matched, place):
                yield place, step


def _may_be_lost(walk: Walk) -> bool:
    """Return True if what is missing may stand on pages that the server failed to give."""
    unmatched = next(_find_unmatched(walk), None)
    if unmatched is not None:
        lost = _count_at(walk, walk.lost, unmatched[0])
        return lost > 0 and lost >= _count_at(walk, walk.read, unmatched[0])
    ends = sum(walk.lost[place, len(path.steps)] for place, path in enumerate(walk.pattern.paths))
    shares = []  # of the pages before each step, those that were read
    for step in range(max(len(path.steps) for path in walk.pattern.paths)):
        read, lost = _count_at(walk, walk.read, step), _count_at(walk, walk.lost, step)
        shares.append(read / (read + lost) if lost else 1.0)
    expected = walk.pattern.figures.get("targets", 0) * min(shares)
    return walk.lost.total() > 0 and walk.pages + walk.unread + ends >= MIN_TARGET_SHARE * expected


def _count_at(walk: Walk, counts: Counter[PathState], step: int) -> int:
    return sum(counts[place, step] for place in range(len(walk.pattern.paths)))


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

    def leads_on(self, state: PathState) -> bool:
        """Return True if links are taken from a page in a state."""
        path, taken = state
        return taken < len(self.paths[path]) or (taken > 0 and self.paths[path][taken - 1][1].repeats)

    def is_end(self, state: PathState) -> bool:
        """Return True if a path ends in a state."""
        return state[1] == len(self.paths[state[0]])

    def may_end(self, url: str) -> bool:
        """Return True if a path may end at an address."""
        return url not in self.lists and any(steps[-1][0].matches(url) for steps in self.paths)

    def may_lead(self, url: str) -> bool:
        """Return True if an address may be in the middle of a path, or at an end that leads to further ones."""
        return any(
            pattern.matches(url)
            for steps in self.paths
            for place, (pattern, step) in enumerate(steps, 1)
            if place < len(steps) or step.repeats
        )

    def match(self, links: Iterable[str]) -> tuple[str, ...]:
        """Return the links that any step matches."""
        steps = [each for path in self.paths for each, _ in path]
        return tuple(url for url in links if any(each.matches(url) for each in steps))

    def wants(self, state: PathState, links: Iterable[str]) -> bool:
        """Return True if the next step takes any of the links."""
        return any(self.goes_on(state, url) for url in links)

    def goes_on(self, state: PathState, url: str) -> bool:
        """Return True if the next step takes a link."""
        path, taken = state
        if url in self.lists and self.is_end((path, taken + 1)):
            return False
        return taken < len(self.paths[path]) and self.paths[path][taken][0].matches(url)

    def stays(self, state: PathState, url: str) -> bool:
        """Return True if the step that led to the page repeats and takes a link once more."""
        path, taken = state
        if taken == 0 or (url in self.lists and self.is_end(state)):
            return False
        pattern, step = self.paths[path][taken - 1]
        return step.repeats and pattern.matches(url)


# -- the crawler: breadth first along the links that the steps match, each page once

MAX_ADDRESSES: Final = 1_000_000  # that one run remembers; a site with more is a trap
MAX_BARREN_LISTS: Final = 100  # lists in a row that led to nothing new: calendars go on for ever
MAX_PAGES_HELD: Final = 200  # pages in memory that may still turn out to be targets
MAX_PAGE_TRIES: Final = 2  # of a page that its server failed to give, when an interrupted run goes on
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
    questions = FormQuestions(walk.pattern.first)
    queue.begin(questions.start(walk.pattern.entry))
    for title in memory.titles:
        queue.begin(questions.learn(title))
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
            await offload(isinstance(seen, ExamplePage) and seen.large, queue.take, queued, seen)
        targets, queue.targets = queue.targets, []
        for target in targets:
            walk.pages += 1
            queue.begin(questions.learn(target.seen.page.title))
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
class _WalkQueue:
    """The queue of a crawler: addresses, and the states they were reached in."""

    walk: Walk
    paths: CompiledPaths
    memory: WalkMemory
    ends: deque[str] = field(default_factory=deque)  # opened first, so that a run with a limit brings targets
    waiting: deque[str | Request] = field(default_factory=deque)
    retries: deque[QueuedRequest] = field(default_factory=deque)  # failed before the interruption: after all others
    tried: dict[str, int] = field(default_factory=dict)  # how often these were
    states: dict[str, set[PathState]] = field(default_factory=dict)  # of every address that was reached
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of the pages that were opened and may lead on
    again: list[tuple[str, PathState]] = field(default_factory=list)  # opened pages that were reached in another state
    next_pages: set[str] = field(default_factory=set)  # addresses of further pages of lists
    barren: dict[str, int] = field(default_factory=dict)  # lists in a row, up to this one, that led to nothing new
    held: dict[str, FoundTarget] = field(default_factory=dict)  # like the sample, and not reached as a target so far
    recalled: set[str] = field(default_factory=set)  # the same, before the interruption
    targets: list[FoundTarget] = field(default_factory=list)  # found since they were last collected
    found: set[str] = field(default_factory=set)  # addresses of all targets
    final_urls: set[str] = field(default_factory=set)  # where those redirected to: two links may lead to one page
    skipped: set[str] = field(default_factory=set)  # known targets that were not opened

    def begin(self, requests: Iterable[Request]) -> None:
        """Queue pages that the first steps start from."""
        for request in requests:
            if request.method != "GET":
                self.waiting.append(request)
            elif request.url not in self.states:
                self.states[request.url] = self.paths.start()
                self.waiting.append(request.url)

    def next(self) -> QueuedRequest | None:
        """Return the next request; known targets that lead nowhere are skipped."""
        while self.ends or self.waiting:
            place = self.ends.popleft() if self.ends else self.waiting.popleft()
            if isinstance(place, Request):
                return QueuedRequest(place, self.paths.start())
            if place in self.links or place in self.skipped:
                continue
            if place not in self.memory.known or any(map(self.paths.leads_on, self.states[place])):
                return QueuedRequest(Request(place), self.states[place])
            self._skip(place)
        return self.retries.popleft() if self.retries else None

    def _skip(self, url: str) -> None:
        self.skipped.add(url)
        self.walk.unread += 1

    def _are_ends(self, states: Iterable[PathState]) -> bool:
        return any(map(self.paths.is_end, states))

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
        if before.judged == LIKE and self._are_ends(queued.states) and queued.request.url not in self.memory.known:
            return False  # its data was not stored
        self._recall_judgement(queued, before)
        self._lead(queued, before)
        return True

    def _recall_judgement(self, queued: QueuedRequest, before: OpenedPage) -> None:
        url, is_end = queued.request.url, self._are_ends(queued.states)
        if before.judged == LIKE and is_end:
            self._skip(url)
            self.found.add(url)
        elif before.judged == LIKE:
            self.recalled.add(url)
        elif before.judged == UNLIKE and is_end:
            self.walk.unlike += 1

    def take(self, queued: QueuedRequest, seen: ExamplePage | Failure) -> None:
        """Take what was opened: the page, if it is a target, and its links."""
        if isinstance(seen, Failure):
            why = failure_reason(seen)
            self._count_failure(queued, why)
            self.memory.note(OpenedPage(queued.name, failure=why, tries=self.tried.get(queued.name, 0) + 1))
            return
        self.walk.dropped += dict(seen.page.dropped).get("links", 0)
        judged = self._judge(seen, queued.states)
        leads = any(map(self.paths.leads_on, queued.states)) or self.paths.may_lead(
            seen.url
        )  # now, or in another state
        links = self.paths.match(seen.links) if leads else ()
        wanted = any(self.paths.wants(state, links) for state in queued.states)
        page = OpenedPage(queued.name, links, self._find_next_page(seen) if wanted else (), judged)
        self._lead(queued, page)
        if leads or seen.url not in self.found:  # of a target that leads nowhere it is enough that it is known
            self.memory.note(page)

    def _count_failure(self, queued: QueuedRequest, why: str) -> None:
        self.walk.failures[why] += 1
        if is_transient(why):
            self.walk.lost.update(queued.states)

    def _lead(self, queued: QueuedRequest, page: OpenedPage) -> None:
        """Take the links of a page that was read, now or before the interruption."""
        url = queued.request.url
        self.walk.opened += 1
        self.walk.read.update(queued.states)
        self.next_pages.update(page.following)
        self.links[url] = page.links
        for state in tuple(queued.states):  # the page may lead to itself
            if self.paths.leads_on(state) and (url in self.found or not self.paths.is_end(state)):
                following = page.following if self.paths.wants(state, page.links) else ()
                self._take_links(url, (*page.links, *following), state)
        while self.again:
            other, state = self.again.pop()
            self._take_links(other, self.links.get(other, ()), state)

    def _judge(self, seen: ExamplePage, states: set[PathState]) -> str:
        """Find out whether a page is a target, or would be if a path ended there: it may be reached in another state later."""
        is_end = self._are_ends(states)
        if not is_end and (len(self.held) >= MAX_PAGES_HELD or not self.paths.may_end(seen.url)):
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

    def _find_next_page(self, seen: ExamplePage) -> tuple[str, ...]:
        """Return the next page of a list: lists grow, and the pattern may know one page of it."""
        following = find_next(seen.page, Request(seen.url))
        if following is None or following.request.method != "GET":
            return ()
        url = following.request.url
        return (url,) if same_site(url, seen.url) and not self.paths.may_end(url) else ()

    def _take_links(self, page: str, links: Iterable[str], state: PathState) -> None:
        """Reach the links that the next step matches, and those of the step before where it repeats."""
        path, taken = state
        onward: list[str] = []
        further: list[str] = []
        for url in links:
            if self.paths.goes_on(state, url):
                onward.append(url)
            elif url in self.next_pages or self.paths.stays(state, url):
                further.append(url)
        self.walk.matched[state] += len(onward)
        is_new = [self._reach(url, (path, taken + 1)) for url in onward]
        barren = 0 if any(is_new) or self.paths.is_end(state) else self.barren.get(page, 0) + 1
        for url in further if barren <= MAX_BARREN_LISTS else ():
            if self._reach(url, state):
                self.barren[url] = barren

    def _reach(self, url: str, state: PathState) -> bool:
        """Note that an address was reached, and return True if it is a new one."""
        known = self.states.get(url)
        if known is None and len(self.states) >= MAX_ADDRESSES:
            self.walk.stopped = f"{MAX_ADDRESSES:,} addresses were met"
            return False
        if known is None:
            self.states[url] = {state}
            (self.waiting if self.paths.leads_on(state) else self.ends).append(url)
            return True
        if state not in known:
            known.add(state)
            self._reach_again(url, state)
        return False

    def _reach_again(self, url: str, state: PathState) -> None:
        """Take an address in another state: a page that was opened may be a target after all, and leads on from here, too."""
        if url in self.links:
            if self.paths.is_end(state):
                self._end_at(url)
            if self.paths.leads_on(state) and (url in self.found or not self.paths.is_end(state)):
                self.again.append((url, state))
        elif url in self.skipped and self.paths.leads_on(state):
            self.skipped.remove(url)
            self.walk.unread -= 1
            self.waiting.append(url)

    def _end_at(self, url: str) -> None:
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
