"""The crawler of a pattern (paper 3, Figure 9): breadth first, along the links that its steps match, and each page once."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from dowse.example.asking import Questions
from dowse.example.generalise import AddressPattern
from dowse.example.likeness import Likeness
from dowse.example.look import Look, Seen
from dowse.example.pattern import Pattern, Step
from dowse.example.written import read_pattern
from dowse.model import Failure, Request, Verdict
from dowse.records.paging import find_next
from dowse.url import same_site

MOST_PAGES: Final = 1_000_000  # that one run remembers; a site with more is a trap
FEWER: Final = 0.5  # of the targets that there were once: with less than this the site has changed

State = tuple[int, int]  # a path, and how many of its steps were taken


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
    matched: Counter[State] = field(default_factory=Counter)  # links that each step took
    failures: Counter[str] = field(default_factory=Counter)
    stopped: str = ""


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
            walk.failures[str(seen.why)] += 1
            continue
        found = crawl.take(seen, states)
        if found is not None:
            walk.pages += 1
            crawl.begin(questions.learn(found.seen))
            yield found


def _read_steps(pattern: Pattern) -> tuple[tuple[tuple[AddressPattern, Step], ...], ...]:
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
    paths: tuple[tuple[tuple[AddressPattern, Step], ...], ...]
    known: Collection[str]
    waiting: deque[str | Request] = field(default_factory=deque)
    states: dict[str, set[State]] = field(default_factory=dict)  # of every address that was reached
    led: dict[str, tuple[str, ...]] = field(default_factory=dict)  # links of the pages that lead on
    pages_on: set[str] = field(default_factory=set)  # addresses of further pages of lists

    def begin(self, requests: Iterable[Request]) -> None:
        """Queue pages that the first steps start from."""
        start = {(place, 0) for place in range(len(self.paths))}
        for request in requests:
            if request.method != "GET":
                self.waiting.append(request)
            elif request.url not in self.states:
                self.states[request.url] = set(start)
                self.waiting.append(request.url)

    def next(self) -> tuple[Request, set[State]] | None:
        """Return what to open next, and the states it was reached in."""
        while self.waiting:
            turn = self.waiting.popleft()
            if isinstance(turn, Request):
                return turn, {(place, 0) for place in range(len(self.paths))}
            if turn in self.led:
                continue
            if self._needs_no_look(turn):
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

    def take(self, seen: Seen, states: set[State]) -> Found | None:
        """Take the links of a page that was opened, and tell whether it is one of those wanted."""
        found = self._judge(seen) if any(map(self._is_end, states)) else None
        leading = [
            state for state in states if self._leads_on(state) and (found is not None or not self._is_end(state))
        ]
        self.led[seen.url] = seen.links if leading else ()
        for state in leading:
            self._lead_on((*seen.links, *self._find_next(seen, state)), state)
        return found

    def _find_next(self, seen: Seen, state: State) -> Iterator[str]:
        """Yield the next page of a list that lists what the next step wants: lists grow, and the pattern may know one page of it."""
        path, taken = state
        if taken == len(self.paths[path]) or not any(self.paths[path][taken][0].matches(url) for url in seen.links):
            return
        following = find_next(seen.page, Request(seen.url))
        if following is not None and following.request.method == "GET":
            url = following.request.url
            if same_site(url, seen.url) and not any(steps[-1][0].matches(url) for steps in self.paths):
                self.pages_on.add(url)
                yield url

    def _judge(self, seen: Seen) -> Found | None:
        likeness = self.walk.likeness.of(seen.tree)
        if likeness < self.walk.pattern.threshold:
            self.walk.unlike += 1
            return None
        return Found(seen, likeness)

    def _lead_on(self, links: Iterable[str], state: State) -> None:
        for url, reached in self._find_reached(links, state):
            there = self.states.get(url)
            if there is None:
                if len(self.states) >= MOST_PAGES:
                    self.walk.stopped = f"{MOST_PAGES:,} addresses were met"
                    return
                self.states[url] = {reached}
                self.waiting.append(url)
            elif reached not in there:
                there.add(reached)
                if url in self.led:  # opened before it was reached this way: its links are taken from here, too
                    self._lead_on(self.led[url], reached)

    def _find_reached(self, links: Iterable[str], state: State) -> Iterator[tuple[str, State]]:
        """Yield the links that the next step matches, and those of the step before where it repeats."""
        path, taken = state
        steps = self.paths[path]
        for url in links:
            if taken < len(steps) and steps[taken][0].matches(url):
                self.walk.matched[path, taken] += 1
                yield url, (path, taken + 1)
            elif url in self.pages_on or (self._repeats(state) and steps[taken - 1][0].matches(url)):
                yield url, state


def judge_walk(walk: Walk) -> Verdict:
    """Tell whether a pattern still fits its site: each step matched something, and pages at the end were like the sample."""
    for place, path in enumerate(walk.pattern.paths):
        for step in range(len(path.steps)):
            if not walk.matched[place, step] and not any(
                walk.matched[other, step] for other in range(len(walk.pattern.paths))
            ):
                return Verdict(False, f"no link matches step {step + 1}: {path.steps[step].pattern}")
    reached = walk.pages + walk.unread
    if walk.unlike > max(3, reached):
        return Verdict(
            False, f"{walk.unlike:,} of {reached + walk.unlike:,} pages that were reached look different now"
        )
    before = walk.pattern.figures.get("targets", 0)
    if not walk.stopped and reached < FEWER * before:
        return Verdict(False, f"{reached:,} pages were found where there were {before:,.0f}")
    return Verdict(True)
