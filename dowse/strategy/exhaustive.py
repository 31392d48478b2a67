"""Exhaustive(d): every link, down to a depth (paper 1, Section 3.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dowse.model import Link, LinkChoice, Site
from dowse.strategy.guide import NO_OUTLOOK, Guide, LinkOutcome, Outlook, Strategy, read_depth


@dataclass(frozen=True, slots=True)
class Exhaustive(Strategy, Guide):
    """Follow every link until the depth is reached. It remembers nothing, so it is its own guide."""

    depth: int = 3

    @classmethod
    def parse(cls, parameters: str) -> Exhaustive:
        """Read the depth in `exhaustive:3`."""
        return cls(read_depth("exhaustive", parameters, 3))

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> Exhaustive:
        """Return itself."""
        return self

    def learn(self, seen: LinkOutcome) -> Iterable[LinkChoice]:
        """Choose all links, or none at the last depth."""
        return map(LinkChoice, seen.links) if seen.link.depth < self.depth else ()

    def remember(self) -> dict[str, Any]:
        """Return nothing: it needs nothing."""
        return {}

    def why_not(self, link: Link) -> str:
        """Return that it is too deep."""
        return f"deeper than {self.depth}"
