"""The crawler of a pattern (paper 3, Figure 9): breadth first, along the links that its steps match, and each page once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from dowse.example.asking import Questions
from dowse.example.generalise import AddressPattern
from dowse.example.likeness import Likeness
from dowse.example.look import Look, Seen, name_failure
from dowse.example.pattern import Pattern, Step
from dowse.example.written import read_pattern
from dowse.model import Failure, Request, Verdict
from dowse.records.paging import find_next
from dowse.url import same_site

MOST_PAGES: Final = 1_000_000  # that one run remembers; a site with more is a trap
MOST_BARREN: Final = 100  # lists in a row that led to nothing new: calendars go on for ever
MOST_KEPT: Final = 200  # pages that may still turn out to be wanted; each is kept whole
CHECKED: Final = 3  # known targets that are opened in doubt
FEW_UNLIKE: Final = 3  # pages that any site may have
FEWER: Final = 0.5  # of the targets that there were once: with less than this the site has changed

State = tuple[int, int]  # a path, and how many of its steps were taken
Paths = tuple[tuple[tuple[AddressPattern, Step], ...], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A page like the sample."""

    seen: Seen
    likeness: float


@dataclass(slots=True)
class Walk:
    """How far a crawler is."""

    pattern: Pattern
    likeness: Likeness
    pages: int = 0  # like the sample
    links: int = 0  # that were traversed
    unlike: int = 0  # pages at the end of a path that are not like the sample
    unread: int = 0  # known targets that were not opened again
    confirmed: int = 0  # of them, those that were opened in doubt and are as they were
    dropped: int = 0  # links over the bound of a page
    matched: Counter[State] = field(default_factory=Counter)  # links that each step took
    failures: Counter[str] = field(default_factory=Counter)
    stopped: str = ""

    @property
    def in_doubt(self) -> bool:
        """Whether most pages that were reached are not like the sample: the site has changed, or they never were."""
        return self.unlike > max(FEW_UNLIKE, self.pages)

    @property
    def opened(self) -> int:
        """Pages that came."""
        return self.links - self.failures.total()


async def follow(walk: Walk, look: Look, *, known: Collection[str] = (), limit: int = 0) -> AsyncIterator[Found]:
    """Follow a pattern from its entry and yield the pages that are like its samples; known ones are not opened again."""
    crawl = _Crawl(walk, _read_steps(walk.pattern), known)
    questions = Questions.of(walk.pattern.first)
    crawl.begin(questions.start(walk.pattern.entry))
    while (turn := crawl.next()) is not None:
        request, states = turn
        if walk.stopped:
            return
        if limit and walk.links >= limit:
            walk.stopped = f"{limit:,} links were traversed"
            return
        walk.links += 1
        seen = await look(request)
        if isinstance(seen, Failure):
            walk.failures[name_failure(seen)] += 1
            continue
        for found in crawl.take(seen, states):
            walk.pages += 1
            crawl.begin(questions.learn(found.seen))
            yield found
    if walk.in_doubt and crawl.skipped:
        await _check_known(walk, look, sorted(crawl.skipped)[:CHECKED])


async def _check_known(walk: Walk, look: Look, urls: Iterable[str]) -> None:
    """See whether pages that were like the sample once still are."""
    for url in urls:
        walk.links += 1
        seen = await look(Request(url))
        if isinstance(seen, Failure):
            walk.failures[name_failure(seen)] += 1
        elif walk.likeness.of(seen.tree) >= walk.pattern.threshold:
            walk.confirmed += 1


def _read_steps(pattern: Pattern) -> Paths:
    """Return the steps of each path, ready to match; what a file holds was checked when it was read."""
    paths = []
    for path in pattern.paths:
        read = [read_pattern(step.pattern) for step in path.steps]
        paths.append(
            tuple((each, step) for each, step in zip(read, path.steps, strict=True) if not isinstance(each, Verdict))
        )
    return tuple(paths)


@dataclass(slots=True)
class _Crawl:
    """The queue of a crawler: addresses, and on which paths they were reached."""

    walk: Walk
    paths: Paths
    known: Collection[str]
    ends: deque[str] = field(default_factory=deque)  # opened first, so that a run with a limit brings pages
    waiting: deque[str | Request] = field(default_factory=deque)
    states: dict[str, set[State]] = field(default_factory=dict)  # of every address that was reached
    led: dict[str, tuple[str, ...]] = field(default_factory=dict)  # links of the pages that were opened and may lead on
    again: list[tuple[str, State]] = field(default_factory=list)  # opened pages that were reached another way
    pages_on: set[str] = field(default_factory=set)  # addresses of further pages of lists
    barren: dict[str, int] = field(default_factory=dict)  # lists in a row, up to this one, that led to nothing new
    alike: dict[str, Found] = field(default_factory=dict)  # opened on the way, and like the sample
    found: list[Found] = field(default_factory=list)  # since the last page was taken
    taken: set[str] = field(default_factory=set)  # of all that were found
    skipped: set[str] = field(default_factory=set)  # known ones that were not opened

    def begin(self, requests: Iterable[Request]) -> None:
        """Queue pages that the first steps start from."""
        for request in requests:
            if request.method != "GET":
                self.waiting.append(request)
            elif request.url not in self.states:
                self.states[request.url] = self._start()
                self.waiting.append(request.url)

    def _start(self) -> set[State]:
        return {(place, 0) for place in range(len(self.paths))}

    def next(self) -> tuple[Request, set[State]] | None:
        """Return what to open next, and the states it was reached in."""
        while self.ends or self.waiting:
            turn = self.ends.popleft() if self.ends else self.waiting.popleft()
            if isinstance(turn, Request):
                return turn, self._start()
            if turn in self.led or turn in self.skipped:
                continue
            if self._needs_no_look(turn):
                self.skipped.add(turn)
                self.walk.unread += 1
                continue
            return Request(turn), self.states[turn]
        return None

    def _needs_no_look(self, url: str) -> bool:
        """Tell whether an address is a target that is known, and nothing else."""
        return url in self.known and not any(map(self._leads_on, self.states[url]))

    def _leads_on(self, state: State) -> bool:
        path, taken = state
        return taken < len(self.paths[path]) or self._repeats(state)

    def _repeats(self, state: State) -> bool:
        path, taken = state
        return taken > 0 and self.paths[path][taken - 1][1].repeats

    def _is_end(self, state: State) -> bool:
        return state[1] == len(self.paths[state[0]])

    def take(self, seen: Seen, states: set[State]) -> list[Found]:
        """Take the links of a page that was opened, and return the pages that are now known to be wanted."""
        self.found = []
        self.walk.dropped += dict(seen.page.dropped).get("links", 0)
        self._judge(seen, states)
        self.led[seen.url] = tuple(filter(self._matches_any, seen.links)) if self._may_lead(seen.url, states) else ()
        for state in tuple(states):  # the page may lead to itself
            if self._leads_on(state) and (seen.url in self.taken or not self._is_end(state)):
                self._take_links(seen.url, (*self.led[seen.url], *self._find_next(seen, state)), state)
        while self.again:
            url, state = self.again.pop()
            self._take_links(url, self.led[url], state)
        return self.found

    def _judge(self, seen: Seen, states: set[State]) -> None:
        """Find out whether a page is wanted, or would be if a path ended there: it may be reached another way later."""
        is_end = any(map(self._is_end, states))
        if not is_end and (len(self.alike) >= MOST_KEPT or not self._may_end(seen.url)):
            return
        found = Found(seen, self.walk.likeness.of(seen.tree))
        is_like = found.likeness >= self.walk.pattern.threshold
        if is_end and is_like:
            self._add(found)
        elif is_end:
            self.walk.unlike += 1
        elif is_like:
            self.alike[seen.url] = found

    def _add(self, found: Found) -> None:
        self.found.append(found)
        self.taken.add(found.seen.url)

    def _may_end(self, url: str) -> bool:
        return any(steps[-1][0].matches(url) for steps in self.paths)

    def _may_lead(self, url: str, states: set[State]) -> bool:
        """Tell whether the links of a page are needed, now or when it is reached another way."""
        leading = (each for steps in self.paths for each, _ in steps[:-1])
        return any(map(self._leads_on, states)) or any(each.matches(url) for each in leading)

    def _matches_any(self, url: str) -> bool:
        return any(each.matches(url) for steps in self.paths for each, _ in steps)

    def _find_next(self, seen: Seen, state: State) -> Iterator[str]:
        """Yield the next page of a list that lists what the next step wants: lists grow, and the pattern may know one page of it."""
        path, taken = state
        if taken == len(self.paths[path]) or not any(self.paths[path][taken][0].matches(url) for url in seen.links):
            return
        following = find_next(seen.page, Request(seen.url))
        if following is not None and following.request.method == "GET":
            url = following.request.url
            if same_site(url, seen.url) and not self._may_end(url):
                self.pages_on.add(url)
                yield url

    def _take_links(self, page: str, links: Iterable[str], state: State) -> None:
        """Reach the links that the next step matches, and those of the step before where it repeats."""
        path, taken = state
        onward, further = self._part(links, state)
        self.walk.matched[state] += len(onward)
        is_fresh = [self._reach(url, (path, taken + 1)) for url in onward]
        barren = 0 if any(is_fresh) or self._is_end(state) else self.barren.get(page, 0) + 1
        for url in further if barren <= MOST_BARREN else ():
            if self._reach(url, state):
                self.barren[url] = barren

    def _part(self, links: Iterable[str], state: State) -> tuple[list[str], list[str]]:
        """Return the links that lead to the next step, and those that stay at this one."""
        path, taken = state
        steps, repeats = self.paths[path], self._repeats(state)
        onward: list[str] = []
        further: list[str] = []
        for url in links:
            if taken < len(steps) and steps[taken][0].matches(url):
                onward.append(url)
            elif url in self.pages_on or (repeats and steps[taken - 1][0].matches(url)):
                further.append(url)
        return onward, further

    def _reach(self, url: str, state: State) -> bool:
        """Note that an address was reached, and tell whether it is a new one."""
        there = self.states.get(url)
        if there is None:
            return self._meet(url, state)
        if state not in there:
            there.add(state)
            if url in self.led:  # opened before it was reached this way: its links are taken from here, too
                self._reach_opened(url, state)
            elif url in self.skipped and self._leads_on(state):
                self.skipped.remove(url)
                self.walk.unread -= 1
                self.waiting.append(url)
        return False

    def _meet(self, url: str, state: State) -> bool:
        if len(self.states) >= MOST_PAGES:
            self.walk.stopped = f"{MOST_PAGES:,} addresses were met"
            return False
        self.states[url] = {state}
        (self.waiting if self._leads_on(state) else self.ends).append(url)
        return True

    def _reach_opened(self, url: str, state: State) -> None:
        if self._is_end(state) and url in self.alike:
            self._add(self.alike.pop(url))
        if self._leads_on(state) and (url in self.taken or not self._is_end(state)):
            self.again.append((url, state))


def judge_walk(walk: Walk) -> Verdict:
    """Tell whether a pattern still fits its site: each step matched something, and pages at the end were like the sample."""
    if walk.links and not walk.opened:
        why = ", ".join(walk.failures)
        return Verdict(
            False,
            f"{walk.pattern.first.address if walk.pattern.first else walk.pattern.entry} could not be opened: {why}",
        )
    if walk.in_doubt and not walk.confirmed:
        reached = walk.pages + walk.unlike
        return Verdict(False, f"{walk.unlike:,} of {reached:,} pages that were reached look different now")
    return Verdict(True) if walk.stopped else _judge_whole(walk)


def _judge_whole(walk: Walk) -> Verdict:
    """Tell whether a walk that came to its end found what there was before."""
    paths, reached = walk.pattern.paths, walk.pages + walk.unread
    for path in paths:
        for step, written in enumerate(path.steps):
            if not any(walk.matched[place, step] for place in range(len(paths))):
                return Verdict(False, f"no link matches step {step + 1}: {written.pattern}")
    before = walk.pattern.figures.get("targets", 0)
    if reached < FEWER * before:
        return Verdict(False, f"{reached:,} pages were found where there were {before:,.0f}")
    return Verdict(True)
