"""Records that were read beside those that are there: which are right, and which of their values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from bench.extraction.world import Shown
from dowse.model import Record

HALF = 0.5  # share of its values that make a record the same


@dataclass(slots=True)
class Tally:
    """What was counted."""

    read: int = 0
    there: int = 0
    right: int = 0
    values_read: int = 0
    values_there: int = 0
    values_right: int = 0
    names: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, other: Tally) -> None:
        """Add what another counted."""
        self.read += other.read
        self.there += other.there
        self.right += other.right
        self.values_read += other.values_read
        self.values_there += other.values_there
        self.values_right += other.values_right

    def shares(self) -> dict[str, float]:
        """Precision and recall, of records and of values."""
        return {
            "record precision": _share(self.right, self.read),
            "record recall": _share(self.right, self.there),
            "value precision": _share(self.values_right, self.values_read),
            "value recall": _share(self.values_right, self.values_there),
        }


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def compare(read: Sequence[Record], there: Sequence[Shown]) -> Tally:
    """Pair each record that was read with one that is there; each is paired once."""
    tally = Tally(read=len(read), there=len(there))
    left = list(range(len(there)))
    for record in read:
        texts = {value.text for value in record.values}
        best = max(left, key=lambda place: len(texts & there[place].texts), default=-1)
        if best >= 0 and _is_same(texts, there[best].texts):
            left.remove(best)
            tally.right += 1
            tally.values_read += len(texts)
            tally.values_there += len(there[best].texts)
            tally.values_right += len(texts & there[best].texts)
            _note_names(tally, record, there[best])
    return tally


def _is_same(read: set[str], there: frozenset[str]) -> bool:
    both = len(read & there)
    return both >= HALF * len(there) and both >= HALF * len(read)


def _note_names(tally: Tally, record: Record, shown: Shown) -> None:
    names: dict[str, set[str]] = defaultdict(set)
    for name, text in shown.values:
        names[text].add(name)
    for attribute, text in record.values:
        if len(names.get(text, ())) == 1:
            tally.names[attribute][next(iter(names[text]))] += 1
