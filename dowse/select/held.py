"""What the records that were drawn show of the attributes that can be asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dowse.select.graph import Graph
from dowse.select.region import Bounds
from dowse.select.scale import Scale


def fold(text: str) -> str:
    """Write a choice as it is compared: pages write it in capitals here and there."""
    return " ".join(text.split()).casefold()


@dataclass(slots=True)
class Held:
    """Amounts and choices by record, for the records that a selector was told of."""

    graph: Graph
    scales: Mapping[str, Scale]
    choices: Mapping[str, tuple[str, ...]]
    count: int = 0
    amounts: dict[str, dict[int, tuple[int, ...]]] = field(default_factory=dict)
    texts: dict[str, dict[int, tuple[str, ...]]] = field(default_factory=dict)
    several: set[str] = field(default_factory=set)  # attributes of which a record showed two values

    def __post_init__(self) -> None:
        """Make room for each attribute that can be asked for."""
        self.amounts = {name: {} for name in self.scales}
        self.texts = {name: {} for name in self.choices}

    def add(self, records: Iterable[int]) -> None:
        """Take in records that are new."""
        for record in records:
            self.count += 1
            for number in self.graph.values_of(record):
                attribute, text = self.graph.value(number)
                if attribute in self.amounts:
                    self._add_amount(attribute, record, text)
                if attribute in self.texts:
                    self._add_text(attribute, record, text)

    def _add_amount(self, attribute: str, record: int, text: str) -> None:
        amount = self.scales[attribute].read(text)
        if amount is None:
            return
        self.scales[attribute].note(amount)
        before = self.amounts[attribute].get(record, ())
        self.amounts[attribute][record] = (*before, amount)
        if before:
            self.several.add(attribute)

    def _add_text(self, attribute: str, record: int, text: str) -> None:
        before = self.texts[attribute].get(record, ())
        self.texts[attribute][record] = (*before, fold(text))
        if before:
            self.several.add(attribute)

    def shows(self, attribute: str) -> bool:
        """Say whether records show an attribute at all."""
        return bool(self.amounts.get(attribute) or self.texts.get(attribute))

    def lacking(self, attribute: str, records: Iterable[int]) -> int:
        """Count the records without a value of an attribute that records show."""
        if not self.shows(attribute):
            return 0
        seen = self.amounts.get(attribute) or self.texts.get(attribute) or {}
        return sum(record not in seen for record in records)

    def lacks(self, attribute: str) -> bool:
        """Say whether any record lacks an attribute that records show."""
        return 0 < len(self.amounts.get(attribute) or self.texts.get(attribute) or ()) < self.count

    def within(self, attribute: str, bounds: Bounds, records: Iterable[int]) -> list[int]:
        """Return the records that show a value inside a range."""
        low, high = bounds
        seen = self.amounts[attribute]
        return [
            record
            for record in records
            if any(
                (low is None or low <= each) and (high is None or each <= high) for each in seen.get(record, ())
            )
        ]  # fmt: skip

    def group(self, attribute: str, records: Iterable[int], groups: dict[str, list[int]]) -> None:
        """Add records to the groups of their choices."""
        seen = self.texts[attribute]
        for record in records:
            for text in set(seen.get(record, ())):
                groups.setdefault(text, []).append(record)
