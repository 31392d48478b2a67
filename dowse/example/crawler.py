"""The crawler of a pattern (paper 3, Figure 9): breadth first along its steps, and how the walk went."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from dowse.example.generalise import AddressPattern, read_pattern
from dowse.example.page import ExamplePage, FormQuestions, OpenPage, failure_reason
from dowse.example.pattern import Pattern, Step
from dowse.model import Failure, Page, Request, Verdict, Why
from dowse.records.paging import find_next
from dowse.step.offload import offload
from dowse.store.walks import LIKE, UNLIKE, Opened
from dowse.tree.node import Node
from dowse.tree.similarity import Likeness
from dowse.url import same_site

# --- walk
# How a walk along a pattern went: what came, what did not, and whether the pattern still fits its site.

MIN_UNLIKE_PAGES: Final = 3  # pages that any site may have
MIN_TARGET_SHARE: Final = 0.5  # of the targets that there were once: with less than this the site has changed
MAX_REASONS_NAMED: Final = 5  # that are named in one line

_TRANSIENT_FAILURES: Final = frozenset(
    {Why.NO_HOST, Why.REFUSED, Why.BROKEN, Why.TIMEOUT, Why.TLS, Why.GARBAGE, Why.ROBOTS_DOWN, Why.BUSY, Why.BROWSER}
)
_TRANSIENT_STATUS: Final = frozenset(
    {"HTTP 403", "HTTP 408", "HTTP 425", "HTTP 429"}
)  # whom we ask for too much says so

PathState = tuple[int, int]  # a path, and how many of its steps were taken


@dataclass(slots=True)
class Walk:
    """How far a crawler is."""

    pattern: Pattern
    likeness: Likeness
    only_new: bool = False  # what earlier runs found is not opened
    before: int = 0  # pages like the sample that this run found before it was cut off
    pages: int = 0  # like the sample
    links: int = 0  # that were traversed
    opened: int = 0  # pages that came, before it was cut off too
    unlike: int = 0  # pages at the end of a path that are not like the sample
    unread: int = 0  # known targets that were not opened again
    checked: int = 0  # of them, those that were opened in doubt
    confirmed: int = 0  # of these, those that are as they were
    differing: int = 0  # and those that are not
    dropped: int = 0  # links over the bound of a page
    matched: Counter[PathState] = field(default_factory=Counter)  # links that each step took
    came: Counter[PathState] = field(default_factory=Counter)  # pages, by the ways they were reached
    lost: Counter[PathState] = field(default_factory=Counter)  # pages that the server could not give
    failures: Counter[str] = field(default_factory=Counter)
    stopped: str = ""

    @property
    def in_doubt(self) -> bool:
        """True if most pages that were reached are not like the sample: the site has changed, or they never were."""
        expected = int(self.pattern.figures.get("others", 0))
        return self.unlike - expected > max(MIN_UNLIKE_PAGES, self.pages + self.before)

    @property
    def needs_check(self) -> bool:
        """True if known pages have to say if the site is as it was: nothing else does, or what does speaks against it."""
        is_silent = self.only_new and not self.pages and not self.before
        return bool(self.likeness.samples) and (self.in_doubt or is_silent)

    @property
    def troubles(self) -> dict[str, int]:
        """Why the server or the way to it gave no page, and how often."""
        return find_transient(self.failures)


def is_transient(why: str) -> bool:
    """Return True if a page did not come for a reason that passes: it says nothing about the page."""
    return why in _TRANSIENT_FAILURES or why in _TRANSIENT_STATUS or why.startswith("HTTP 5")


def find_transient(failures: Mapping[str, int]) -> dict[str, int]:
    """Return the failures that pass, the most frequent first."""
    return {why: count for why, count in Counter(failures).most_common() if is_transient(why)}


def describe_transient(failures: Mapping[str, int]) -> str:
    """Return which failures that pass there were, and how often, in few words."""
    return ", ".join(f"{why} ({count:,})" for why, count in [*find_transient(failures).items()][:MAX_REASONS_NAMED])


def judge_map(failures: Mapping[str, int], came: int) -> Verdict:
    """Return True if enough of a site could be read to learn from it: more pages came than its server did not give."""
    troubles = sum(find_transient(failures).values())
    if troubles and troubles >= came:
        return Verdict(False, f"the site could not be read: {describe_transient(failures)}; try again later")
    return Verdict(True)


def judge_walk(walk: Walk) -> Verdict:
    """Return True if a pattern still fits its site: each step matched something, and pages at the end were like the sample."""
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
    """Return True if a site could be read: what its server did not give says nothing about the pattern."""
    if walk.failures and not walk.opened:
        start = walk.pattern.first.address if walk.pattern.first else walk.pattern.entry
        return Verdict(False, f"{start} could not be opened: {', '.join([*walk.failures][:MAX_REASONS_NAMED])}")
    most = sum(walk.troubles.values()) > walk.opened
    if most or (not walk.stopped and not _judge_complete(walk).yes and _may_be_lost(walk)):
        return Verdict(False, f"the site could not be read: {describe_transient(walk.failures)}")
    return Verdict(True)


def _judge_complete(walk: Walk) -> Verdict:
    """Return True if a walk that came to its end found what there was before."""
    for step, written in _find_unmatched(walk):
        return Verdict(False, f"no link matches step {step + 1}: {written}")
    before, reached = walk.pattern.figures.get("targets", 0), walk.pages + walk.unread
    if reached < MIN_TARGET_SHARE * before:
        found = "1 page was" if reached == 1 else f"{reached:,} pages were"
        by_hand = "if the pattern was changed by hand, change or remove its `figures`, too"
        return Verdict(False, f"{found} found where there were {before:,.0f} ({by_hand})")
    return Verdict(True)


def _find_unmatched(walk: Walk) -> Iterator[tuple[int, str]]:
    """Yield the steps that took no link."""
    for path in walk.pattern.paths:
        for step, written in enumerate(path.steps):
            if not _count_at(walk, walk.matched, step):
                yield step, written.pattern


def _may_be_lost(walk: Walk) -> bool:
    """Return True if what is missing may stand on the pages that the server could not give."""
    unmatched = next(_find_unmatched(walk), None)
    if unmatched is not None:
        lost = _count_at(walk, walk.lost, unmatched[0])
        return lost > 0 and lost >= _count_at(walk, walk.came, unmatched[0])
    steps = max(len(path.steps) for path in walk.pattern.paths)
    ends = sum(walk.lost[place, len(path.steps)] for place, path in enumerate(walk.pattern.paths))
    expected = walk.pattern.figures.get("targets", 0) * min(_share_read(walk, step) for step in range(steps))
    return walk.lost.total() > 0 and walk.pages + walk.unread + ends >= MIN_TARGET_SHARE * expected


def _share_read(walk: Walk, step: int) -> float:
    """Return the part of the pages before a step that could be read."""
    came, lost = _count_at(walk, walk.came, step), _count_at(walk, walk.lost, step)
    return came / (came + lost) if lost else 1.0


def _count_at(walk: Walk, counts: Counter[PathState], step: int) -> int:
    return sum(counts[place, step] for place in range(len(walk.pattern.paths)))


# --- ways
# The steps of a pattern, ready to match, and where a page stands on its paths.


@dataclass(frozen=True, slots=True)
class CompiledPaths:
    """The paths of a pattern."""

    paths: tuple[tuple[tuple[AddressPattern, Step], ...], ...]
    lists: frozenset[str] = frozenset()  # addresses that are on the way and never at its end

    @classmethod
    def of(cls, pattern: Pattern) -> CompiledPaths:
        """Read the steps of each path; what a file holds was checked when it was read."""
        paths = []
        for path in pattern.paths:
            read = [read_pattern(step.pattern) for step in path.steps]
            paths.append(
                tuple(
                    (each, step) for each, step in zip(read, path.steps, strict=True) if not isinstance(each, Verdict)
                )
            )
        return cls(tuple(paths), frozenset(pattern.lists))

    def start(self) -> set[PathState]:
        """Return where the first pages stand."""
        return {(place, 0) for place in range(len(self.paths))}

    def leads_on(self, state: PathState) -> bool:
        """Return True if links are taken from a page in a state."""
        path, taken = state
        return taken < len(self.paths[path]) or self._repeats(state)

    def _repeats(self, state: PathState) -> bool:
        path, taken = state
        return taken > 0 and self.paths[path][taken - 1][1].repeats

    def is_end(self, state: PathState) -> bool:
        """Return True if a path ends in a state."""
        return state[1] == len(self.paths[state[0]])

    def may_end(self, url: str) -> bool:
        """Return True if a path may end at an address."""
        return url not in self.lists and any(steps[-1][0].matches(url) for steps in self.paths)

    def may_lead(self, url: str) -> bool:
        """Return True if an address may be on the way of a path, or at an end that leads to further ones."""
        ends = (steps[-1] for steps in self.paths)
        leading = [each for steps in self.paths for each, _ in steps[:-1]] + [
            each for each, step in ends if step.repeats
        ]
        return any(each.matches(url) for each in leading)

    def match(self, links: Iterable[str]) -> tuple[str, ...]:
        """Return the links that any step matches."""
        steps = [each for path in self.paths for each, _ in path]
        return tuple(url for url in links if any(each.matches(url) for each in steps))

    def wants(self, state: PathState, links: Iterable[str]) -> bool:
        """Return True if a page lists what its next step wants."""
        return any(self.goes_on(state, url) for url in links)

    def goes_on(self, state: PathState, url: str) -> bool:
        """Return True if the next step takes a link."""
        path, taken = state
        if url in self.lists and self.is_end((path, taken + 1)):
            return False
        return taken < len(self.paths[path]) and self.paths[path][taken][0].matches(url)

    def stays(self, state: PathState, url: str) -> bool:
        """Return True if a link is taken once more by the step that led to the page."""
        path, taken = state
        if url in self.lists and self.is_end(state):
            return False
        return self._repeats(state) and self.paths[path][taken - 1][0].matches(url)


# --- follow
# The crawler of a pattern (paper 3, Figure 9): breadth first, along the links that its steps match, and each page once.

MAX_ADDRESSES: Final = 1_000_000  # that one run remembers; a site with more is a trap
MAX_BARREN_LISTS: Final = 100  # lists in a row that led to nothing new: calendars go on for ever
MAX_PAGES_HELD: Final = 200  # pages that may still turn out to be wanted; each is kept whole
MAX_PAGE_TRIES: Final = 2  # of a page that its server could not give, when a run goes on
CHECKED_TARGETS: Final = 3  # known targets that are opened in doubt


@dataclass(frozen=True, slots=True)
class FoundTarget:
    """A page like the sample."""

    seen: ExamplePage
    likeness: float


class QueuedRequest(NamedTuple):
    """What is opened next, and the ways it was reached."""

    request: Request
    states: set[PathState]

    @property
    def name(self) -> str:
        """What tells the request from others: its address, and what is sent there."""
        sent = self.request.body.decode("utf-8", "replace")
        return f"{self.request.url} {sent}" if sent else self.request.url


@dataclass(frozen=True, slots=True)
class WalkMemory:
    """What a run that was cut off knows of what it did, and who is told what it does now."""

    known: Collection[str] = ()  # targets that need not be opened
    titles: Iterable[str] = ()  # of the pages that it found: a form is asked with their words
    recall: Callable[[str], Opened | None] = lambda _: None
    note: Callable[[Opened], object] = lambda _: None


async def walk_pattern(
    walk: Walk, look: OpenPage, memory: WalkMemory | None = None, *, limit: int = 0
) -> AsyncIterator[FoundTarget]:
    """Follow a pattern from its entry and yield the pages that are like its samples; what was opened before is not opened again."""
    memory = memory or WalkMemory()
    crawl = _WalkQueue(walk, CompiledPaths.of(walk.pattern), memory)
    questions = FormQuestions.of(walk.pattern.first)
    crawl.begin(questions.start(walk.pattern.entry))
    for title in memory.titles:
        crawl.begin(questions.learn(ExamplePage("", Page("", title), Node("html"), ())))
    while (turn := crawl.next()) is not None:
        if walk.stopped:
            return
        if crawl.recall(turn):
            await asyncio.sleep(0)  # a long memory must not keep Ctrl-C waiting
        elif limit and walk.links >= limit:
            walk.stopped = f"{limit:,} link{'s were' if limit != 1 else ' was'} traversed"
            return
        else:
            walk.links += 1
            seen = await look(turn.request)
            await offload(isinstance(seen, ExamplePage) and seen.large, crawl.take, turn, seen)
        for found in crawl.give():
            walk.pages += 1
            crawl.begin(questions.learn(found.seen))
            yield found
    if walk.needs_check:
        left = max(0, limit - walk.links) if limit else CHECKED_TARGETS
        await _check_known(walk, look, sorted(crawl.skipped)[: min(CHECKED_TARGETS, left)])


async def _check_known(walk: Walk, look: OpenPage, urls: Iterable[str]) -> None:
    """See whether pages that were like the sample once still are."""
    for url in urls:
        walk.links += 1
        walk.checked += 1
        seen = await look(Request(url))
        if isinstance(seen, Failure):
            walk.failures[failure_reason(seen)] += 1
        elif await offload(seen.large, walk.likeness.of, seen.tree) >= walk.pattern.threshold:
            walk.confirmed += 1
        else:
            walk.differing += 1


@dataclass(slots=True)
class _WalkQueue:
    """The queue of a crawler: addresses, and on which paths they were reached."""

    walk: Walk
    ways: CompiledPaths
    memory: WalkMemory
    ends: deque[str] = field(default_factory=deque)  # opened first, so that a run with a limit brings pages
    waiting: deque[str | Request] = field(default_factory=deque)
    later: deque[QueuedRequest] = field(
        default_factory=deque
    )  # did not come before the run was cut off: after all others
    tried: dict[str, int] = field(default_factory=dict)  # how often these were
    states: dict[str, set[PathState]] = field(default_factory=dict)  # of every address that was reached
    led: dict[str, tuple[str, ...]] = field(default_factory=dict)  # links of the pages that were opened and may lead on
    again: list[tuple[str, PathState]] = field(default_factory=list)  # opened pages that were reached another way
    pages_on: set[str] = field(default_factory=set)  # addresses of further pages of lists
    barren: dict[str, int] = field(default_factory=dict)  # lists in a row, up to this one, that led to nothing new
    alike: dict[str, FoundTarget] = field(default_factory=dict)  # opened on the way, and like the sample
    recalled: set[str] = field(default_factory=set)  # the same, before the run was cut off
    found: list[FoundTarget] = field(default_factory=list)  # since the last page was taken
    taken: set[str] = field(default_factory=set)  # of all that were found
    finals: set[str] = field(default_factory=set)  # where all that were found led to: two links may lead to one page
    skipped: set[str] = field(default_factory=set)  # known ones that were not opened

    def begin(self, requests: Iterable[Request]) -> None:
        """Queue pages that the first steps start from."""
        for request in requests:
            if request.method != "GET":
                self.waiting.append(request)
            elif request.url not in self.states:
                self.states[request.url] = self.ways.start()
                self.waiting.append(request.url)

    def next(self) -> QueuedRequest | None:
        """Return what to open next, and the states it was reached in."""
        while self.ends or self.waiting:
            place = self.ends.popleft() if self.ends else self.waiting.popleft()
            if isinstance(place, Request):
                return QueuedRequest(place, self.ways.start())
            if place in self.led or place in self.skipped:
                continue
            if not self._needs_no_look(place):
                return QueuedRequest(Request(place), self.states[place])
            self._skip(place)
        return self.later.popleft() if self.later else None

    def _skip(self, url: str) -> None:
        self.skipped.add(url)
        self.walk.unread += 1

    def _needs_no_look(self, url: str) -> bool:
        """Return True if an address is a target that is known, and nothing else."""
        return url in self.memory.known and not any(map(self.ways.leads_on, self.states[url]))

    def _ends(self, states: Iterable[PathState]) -> bool:
        return any(map(self.ways.is_end, states))

    def recall(self, turn: QueuedRequest) -> bool:
        """Take a page as it was when the run opened it before it was cut off; return True if that is enough."""
        before = self.memory.recall(turn.name)
        if before is None or turn.name in self.tried:
            return False
        if before.failure:
            self._recall_failure(turn, before)
            return True
        if before.judged == LIKE and self._ends(turn.states) and turn.request.url not in self.memory.known:
            return False  # what it says was not kept
        self._recall_judgement(turn, before)
        self._lead(turn, before)
        return True

    def _recall_failure(self, turn: QueuedRequest, before: Opened) -> None:
        if is_transient(before.failure) and before.tries < MAX_PAGE_TRIES:
            self.tried[turn.name] = before.tries
            self.later.append(turn)
        else:
            self._lose(turn, before.failure)

    def _recall_judgement(self, turn: QueuedRequest, before: Opened) -> None:
        url, is_end = turn.request.url, self._ends(turn.states)
        if before.judged == LIKE and is_end:
            self._skip(url)
            self.taken.add(url)
        elif before.judged == LIKE:
            self.recalled.add(url)
        elif before.judged == UNLIKE and is_end:
            self.walk.unlike += 1

    def take(self, turn: QueuedRequest, seen: ExamplePage | Failure) -> None:
        """Take what was opened: the page, if it is wanted, and its links."""
        if isinstance(seen, Failure):
            why = failure_reason(seen)
            self._lose(turn, why)
            self.memory.note(Opened(turn.name, failure=why, tries=self.tried.get(turn.name, 0) + 1))
            return
        self.walk.dropped += dict(seen.page.dropped).get("links", 0)
        judged = self._judge(seen, turn.states)
        leads = any(map(self.ways.leads_on, turn.states)) or self.ways.may_lead(seen.url)  # now, or reached another way
        links = self.ways.match(seen.links) if leads else ()
        wanted = any(self.ways.wants(state, links) for state in turn.states)
        page = Opened(turn.name, links, self._find_next(seen) if wanted else (), judged)
        self._lead(turn, page)
        if leads or seen.url not in self.taken:  # of a target that leads nowhere it is enough that it is known
            self.memory.note(page)

    def give(self) -> list[FoundTarget]:
        """Return the pages that are known to be wanted since the last time."""
        found, self.found = self.found, []
        return found

    def _lose(self, turn: QueuedRequest, why: str) -> None:
        self.walk.failures[why] += 1
        if is_transient(why):
            self.walk.lost.update(turn.states)

    def _lead(self, turn: QueuedRequest, page: Opened) -> None:
        """Take the links of a page that came, now or before the run was cut off."""
        url = turn.request.url
        self.walk.opened += 1
        self.walk.came.update(turn.states)
        self.pages_on.update(page.following)
        self.led[url] = page.links
        for state in tuple(turn.states):  # the page may lead to itself
            if self.ways.leads_on(state) and (url in self.taken or not self.ways.is_end(state)):
                following = page.following if self.ways.wants(state, page.links) else ()
                self._take_links(url, (*page.links, *following), state)
        while self.again:
            other, state = self.again.pop()
            self._take_links(other, self.led.get(other, ()), state)

    def _judge(self, seen: ExamplePage, states: set[PathState]) -> str:
        """Find out whether a page is wanted, or would be if a path ended there: it may be reached another way later."""
        is_end = self._ends(states)
        if not is_end and (len(self.alike) >= MAX_PAGES_HELD or not self.ways.may_end(seen.url)):
            return ""
        found = FoundTarget(seen, self.walk.likeness.of(seen.tree))
        is_like = found.likeness >= self.walk.pattern.threshold
        if is_like and self._is_taken(seen):
            return ""
        if is_end and is_like:
            self._add(found)
        elif is_end:
            self.walk.unlike += 1
        elif is_like:
            self.alike[seen.url] = found
        return LIKE if is_like else UNLIKE

    def _add(self, found: FoundTarget) -> None:
        self.found.append(found)
        self.taken.add(found.seen.url)
        self.finals.add(_final(found.seen))

    def _is_taken(self, seen: ExamplePage) -> bool:
        """Return True if another address led to the same page before, in this run or where it was cut off."""
        final = _final(seen)
        return final in self.finals or (final != seen.url and final in self.memory.known)

    def _find_next(self, seen: ExamplePage) -> tuple[str, ...]:
        """Return the next page of a list: lists grow, and the pattern may know one page of it."""
        following = find_next(seen.page, Request(seen.url))
        if following is None or following.request.method != "GET":
            return ()
        url = following.request.url
        return (url,) if same_site(url, seen.url) and not self.ways.may_end(url) else ()

    def _take_links(self, page: str, links: Iterable[str], state: PathState) -> None:
        """Reach the links that the next step matches, and those of the step before where it repeats."""
        path, taken = state
        onward, further = self._part(links, state)
        self.walk.matched[state] += len(onward)
        is_fresh = [self._reach(url, (path, taken + 1)) for url in onward]
        barren = 0 if any(is_fresh) or self.ways.is_end(state) else self.barren.get(page, 0) + 1
        for url in further if barren <= MAX_BARREN_LISTS else ():
            if self._reach(url, state):
                self.barren[url] = barren

    def _part(self, links: Iterable[str], state: PathState) -> tuple[list[str], list[str]]:
        """Return the links that lead to the next step, and those that stay at this one."""
        onward: list[str] = []
        further: list[str] = []
        for url in links:
            if self.ways.goes_on(state, url):
                onward.append(url)
            elif url in self.pages_on or self.ways.stays(state, url):
                further.append(url)
        return onward, further

    def _reach(self, url: str, state: PathState) -> bool:
        """Note that an address was reached, and return True if it is a new one."""
        there = self.states.get(url)
        if there is None:
            return self._meet(url, state)
        if state not in there:
            there.add(state)
            if url in self.led:  # opened before it was reached this way: its links are taken from here, too
                self._reach_opened(url, state)
            elif url in self.skipped and self.ways.leads_on(state):
                self.skipped.remove(url)
                self.walk.unread -= 1
                self.waiting.append(url)
        return False

    def _meet(self, url: str, state: PathState) -> bool:
        if len(self.states) >= MAX_ADDRESSES:
            self.walk.stopped = f"{MAX_ADDRESSES:,} addresses were met"
            return False
        self.states[url] = {state}
        (self.waiting if self.ways.leads_on(state) else self.ends).append(url)
        return True

    def _reach_opened(self, url: str, state: PathState) -> None:
        if self.ways.is_end(state):
            self._end_at(url)
        if self.ways.leads_on(state) and (url in self.taken or not self.ways.is_end(state)):
            self.again.append((url, state))

    def _end_at(self, url: str) -> None:
        """Take a page that was opened on the way for a target; what it says may have to be read again."""
        if url in self.alike:
            self._add(self.alike.pop(url))
        elif url in self.recalled:
            self.recalled.remove(url)
            if url in self.memory.known:
                self._skip(url)
                self.taken.add(url)
            else:
                del self.led[url]
                self.ends.append(url)


def _final(seen: ExamplePage) -> str:
    """Return the address that a page has in the end."""
    return seen.page.url or seen.url
