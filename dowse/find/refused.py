"""What a list had in it that is no address."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Refused:
    """Lines of a list that are no address: how many, and the first; beside how many are."""

    accepted: int = 0
    count: int = 0
    first: str = ""
    notes: list[str] = field(default_factory=list)  # what else a reader of the list should know

    def add(self, where: str, text: str) -> None:
        """Count a line."""
        self.leave_out(f"{where}: {text[:80]!r} is not a web address")

    def leave_out(self, why: str) -> None:
        """Count something that could not be used."""
        self.count += 1
        self.first = self.first or why
