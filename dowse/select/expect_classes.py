"""Values that wait, sorted into classes in which all are expected to bring about the same."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from dowse.select.expect_routes import SPREADS, Routes
from dowse.select.graph import Graph

STEP: Final = 1.35  # a size class reaches that much further than the one before
EXACT: Final = 6  # sizes up to this have a class of their own
SIZES: Final = 48  # classes: the last begins at 1.8 million records
FRESH: Final = 0.1  # a value whose count grew within the last tenth of all records is fresh
AT_ONCE: Final = 500  # values that are looked at again in one go
UNSORTED: Final = -1


def size_class(count: int) -> int:
    """Return the class of a value with so many known records."""
    if count <= EXACT:
        return count
    return min(SIZES - 1, EXACT + math.ceil(math.log(count / EXACT) / math.log(STEP) - 1e-9))


_TABLE: Final = tuple(size_class(count) for count in range(4096))
MIDDLES: Final = tuple(float(c) if c <= EXACT else EXACT * STEP ** (c - EXACT - 0.5) for c in range(SIZES))


class Kind(NamedTuple):
    """What is known of a value before it is asked for, as far as it matters."""

    attribute: int
    size: int  # class of its known records
    spread: int  # how they came
    stale: int  # 0 when one came lately


class Classes:
    """The values that can be asked for and were not, each under its kind; the one that grew last comes first."""

    def __init__(self, graph: Graph, routes: Routes, takes: Callable[[str], bool]) -> None:
        self.graph, self.routes, self.takes = graph, routes, takes
        self.gone = bytearray()  # of each value, whether it waits no longer
        self.allowed: list[bool] = []  # of each attribute, whether its values can be asked for
        self.counts: list[list[int]] = []  # of each attribute, values that wait in each size class
        self._key = array("i")  # of each value, the stack it stands in
        self._stacks: list[dict[int, tuple[list[int], list[int]]]] = []  # of each attribute: values, and when they came

    def take_up(self) -> None:
        """Make room for values and attributes that are new in the graph."""
        missing = self.graph.value_count - len(self.gone)
        self.gone.extend(bytes(missing))
        self._key.extend([UNSORTED] * missing)
        for name in self.graph.attributes[len(self.allowed) :]:
            self.allowed.append(self.takes(name))
            self.counts.append([0] * SIZES)
            self._stacks.append({})

    def sort_in(self, value: int) -> None:
        """Put a value under its kind, where that is another than before."""
        attribute = self.graph.attribute_of[value]
        if self.gone[value] or not self.allowed[attribute]:
            return
        count = self.graph.count(value)
        size = _TABLE[count] if count < 4096 else size_class(count)
        before = self._key[value]
        if before >= 0 and before // SPREADS == size:
            return
        self._place(value, attribute, before, size * SPREADS + self.routes.spread(value))

    def _place(self, value: int, attribute: int, before: int, key: int) -> None:
        counts = self.counts[attribute]
        if before >= 0:
            counts[before // SPREADS] -= 1
        counts[key // SPREADS] += 1
        self._key[value] = key
        stack = self._stacks[attribute].get(key)
        if stack is None:
            stack = self._stacks[attribute][key] = ([], [])
        stack[0].append(value)
        stack[1].append(self.graph.record_count)

    def remove(self, value: int) -> None:
        """Let a value wait no longer."""
        if not self.gone[value] and self._key[value] >= 0:
            self.counts[self.graph.attribute_of[value]][self._key[value] // SPREADS] -= 1
        self.gone[value] = 1

    def kinds(self) -> Iterator[tuple[Kind, int]]:
        """Yield every kind that has a value waiting, with the value that is next."""
        recent = self.graph.record_count * (1 - FRESH)
        for attribute, stacks in enumerate(self._stacks):
            for key in list(stacks):
                value = self._top(stacks, key)
                if value >= 0:
                    stale = int(stacks[key][1][-1] < recent)
                    yield Kind(attribute, key // SPREADS, key % SPREADS, stale), value

    def _top(self, stacks: dict[int, tuple[list[int], list[int]]], key: int) -> int:
        """Return the value on a stack that is still there; those that went elsewhere are dropped."""
        values, since = stacks[key]
        while values:
            if self._key[values[-1]] == key and not self.gone[values[-1]]:
                return values[-1]
            values.pop()
            since.pop()
        del stacks[key]
        return -1

    def settle(self, value: int) -> bool:
        """Look again how the records of a value came; say whether it stands where it belongs."""
        before = self._key[value]
        if before < 0 or self.gone[value]:
            return True
        key = before // SPREADS * SPREADS + self.routes.spread(value)
        if key == before:
            return True
        self._place(value, self.graph.attribute_of[value], before, key)
        return False

    def settle_all(self, kind: Kind) -> None:
        """Do so with all that come before one that stands where it belongs, a bounded number at a time."""
        stacks, key = self._stacks[kind.attribute], kind.size * SPREADS + kind.spread
        for _ in range(AT_ONCE):
            if key not in stacks:
                return
            value = self._top(stacks, key)
            if value < 0 or self.settle(value):
                return
