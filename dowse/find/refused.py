"""What a list had in it that is no address."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Refused:
    """Lines of a list that are no address: how many, and the first; beside how many are."""

    accepted: int = 0
    count: int = 0
    first: str = ""
    broken: bool = False  # whether a part of the list broke off
    unread: int = 0  # sitemaps that are named, but not there to be read

    def add(self, where: str, text: str, why: str = "is not a web address") -> None:
        """Count a line."""
        self.leave_out(f"{where}: {text[:80]!r} {why}")

    def break_off(self, why: str) -> None:
        """Count a part of the list that could not be read to its end."""
        self.broken = True
        self.leave_out(why)

    def leave_out(self, why: str) -> None:
        """Count something that could not be used."""
        self.count += 1
        self.first = self.first or why
