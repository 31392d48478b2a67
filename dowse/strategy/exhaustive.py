"""Exhaustive(d): every link, down to a depth (paper 1, Section 3.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dowse.errors import BadInput
from dowse.model import Link, Page

MAX_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Exhaustive:
    """Follow every link until the depth is reached."""

    depth: int = 3

    @classmethod
    def parse(cls, parameters: str) -> Exhaustive:
        """Read the depth in `exhaustive:3`."""
        if not parameters:
            return cls()
        if not parameters.isdecimal() or int(parameters) > MAX_DEPTH:
            raise BadInput(f"exhaustive takes a depth from 0 to {MAX_DEPTH}, as in exhaustive:3, not {parameters!r}")
        return cls(int(parameters))

    def choose(self, page: Page, depth: int) -> Iterable[Link]:
        """Return all links, or none at the last depth."""
        return page.links if depth < self.depth else ()

    def why_not(self, page: Page, depth: int) -> str:
        """Say that the last depth is reached."""
        return f"deeper than {self.depth}"
