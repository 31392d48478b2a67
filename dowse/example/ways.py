"""The steps of a pattern, ready to match, and where a page stands on its paths."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dowse.example.generalise import AddressPattern
from dowse.example.pattern import Pattern, Step
from dowse.example.walk import State
from dowse.example.written import read_pattern
from dowse.model import Verdict


@dataclass(frozen=True, slots=True)
class Ways:
    """The paths of a pattern."""

    paths: tuple[tuple[tuple[AddressPattern, Step], ...], ...]
    lists: frozenset[str] = frozenset()  # addresses that are on the way and never at its end

    @classmethod
    def of(cls, pattern: Pattern) -> Ways:
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

    def start(self) -> set[State]:
        """Return where the first pages stand."""
        return {(place, 0) for place in range(len(self.paths))}

    def leads_on(self, state: State) -> bool:
        """Tell whether links are taken from a page in a state."""
        path, taken = state
        return taken < len(self.paths[path]) or self._repeats(state)

    def _repeats(self, state: State) -> bool:
        path, taken = state
        return taken > 0 and self.paths[path][taken - 1][1].repeats

    def is_end(self, state: State) -> bool:
        """Tell whether a path ends in a state."""
        return state[1] == len(self.paths[state[0]])

    def may_end(self, url: str) -> bool:
        """Tell whether a path may end at an address."""
        return url not in self.lists and any(steps[-1][0].matches(url) for steps in self.paths)

    def may_lead(self, url: str) -> bool:
        """Tell whether an address may be on the way of a path, or at an end that leads to further ones."""
        ends = (steps[-1] for steps in self.paths)
        leading = [each for steps in self.paths for each, _ in steps[:-1]] + [
            each for each, step in ends if step.repeats
        ]
        return any(each.matches(url) for each in leading)

    def match(self, links: Iterable[str]) -> tuple[str, ...]:
        """Return the links that any step matches."""
        steps = [each for path in self.paths for each, _ in path]
        return tuple(url for url in links if any(each.matches(url) for each in steps))

    def wants(self, state: State, links: Iterable[str]) -> bool:
        """Tell whether a page lists what its next step wants."""
        return any(self.goes_on(state, url) for url in links)

    def goes_on(self, state: State, url: str) -> bool:
        """Tell whether the next step takes a link."""
        path, taken = state
        if url in self.lists and self.is_end((path, taken + 1)):
            return False
        return taken < len(self.paths[path]) and self.paths[path][taken][0].matches(url)

    def stays(self, state: State, url: str) -> bool:
        """Tell whether a link is taken once more by the step that led to the page."""
        path, taken = state
        if url in self.lists and self.is_end(state):
            return False
        return self._repeats(state) and self.paths[path][taken - 1][0].matches(url)
