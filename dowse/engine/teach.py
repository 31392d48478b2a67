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
    known: list[Lesson] = field(default_factory=list)  # from sites before this call
    begun: int = 0
    _blocks: dict[int, list[Lesson]] = field(default_factory=dict)
    _taught: dict[int, Strategy] = field(default_factory=dict)

    def begin(self) -> tuple[int, Strategy]:
        """Number the next site, and return the strategy for it."""
        number, self.begun = self.begun, self.begun + 1
        block = number // BLOCK
        if block not in self._taught:
            self._fold(block - 1)
            self._taught = {block: self.strategy.taught(self.known) if self.known else self.strategy}
        return number, self._taught[block]

    def _fold(self, block: int) -> None:
        """Add the blocks before a block to what is known."""
        for done in sorted(each for each in self._blocks if each < block):
            self.known.extend(self._blocks.pop(done))
        if len(self.known) > 1:
            self.known = [_sum_up(self.known)]

    def learn(self, number: int, lessons: Lesson) -> None:
        """Take in what a site taught."""
        if lessons:
            block = self._blocks.setdefault(number // BLOCK, [])
            block.append(lessons)
            if len(block) > 1:
                block[:] = [_sum_up(block)]


def _sum_up(lessons: list[Lesson]) -> Lesson:
    """Add up lessons by sort of link."""
    sums: dict[str, tuple[float, float]] = {}
    for lesson in lessons:
        for sort, expected, given in lesson:
            before = sums.get(sort, (0.0, 0.0))
            sums[sort] = before[0] + expected, before[1] + given
    return tuple((sort, *sums[sort]) for sort in sorted(sums))
