"""What sites teach the next, in an order that does not depend on which of them answered first.

Sites are numbered as they are begun, in blocks. A block is searched with what the blocks before the last one taught: those are
done by then, but for a site that is much slower than its block, whose lessons come with a later one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dowse.strategy import Strategy
from dowse.strategy.guide import Lesson

BLOCK = 256  # sites


@dataclass(slots=True)
class Teacher:
    """Hands out the strategy for the next site, and takes in what each site taught."""

    strategy: Strategy
    begun: int = 0  # sites, those before this call too
    blocks: dict[int, Lesson] = field(default_factory=dict)  # what each block taught, before this call too
    known: Lesson = ()  # what the blocks taught that are added up
    _taught: dict[int, Strategy] = field(default_factory=dict)

    def begin(self) -> tuple[int, Strategy]:
        """Return the block of the next site, and the strategy for it."""
        block, self.begun = self.begun // BLOCK, self.begun + 1
        if block not in self._taught:
            done = sorted(each for each in self.blocks if each < block - 1)
            self.known = _sum_up([self.known, *map(self.blocks.pop, done)])
            self._taught = {block: self.strategy.taught([self.known]) if self.known else self.strategy}
        return block, self._taught[block]

    def learn(self, block: int, lessons: Lesson) -> None:
        """Take in what a site of a block taught."""
        if lessons:
            self.blocks[block] = _sum_up([self.blocks.get(block, ()), lessons])


def _sum_up(lessons: list[Lesson]) -> Lesson:
    """Add up lessons by sort of link."""
    sums: dict[str, tuple[float, float]] = {}
    for lesson in lessons:
        for sort, expected, given in lesson:
            before = sums.get(sort, (0.0, 0.0))
            sums[sort] = before[0] + expected, before[1] + given
    return tuple((sort, *sums[sort]) for sort in sorted(sums))
