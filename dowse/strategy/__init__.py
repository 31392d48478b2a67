"""Which links of a page are worth following: decisions, no fetching.

A strategy is made from its written form, such as `exhaustive:3`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from dowse.errors import BadInput
from dowse.model import Link, Page
from dowse.strategy.exhaustive import Exhaustive


class Strategy(Protocol):
    """What every strategy can say."""

    def choose(self, page: Page, depth: int) -> Iterable[Link]:
        """Return the links of a page at that depth that are worth following, best first."""

    def why_not(self, page: Page, depth: int) -> str:
        """Say in words why the other links are not."""


STRATEGIES: dict[str, Callable[[str], Strategy]] = {"exhaustive": Exhaustive.parse}


def build_strategy(text: str) -> Strategy:
    """Make a strategy from its written form."""
    name, _, parameters = text.partition(":")
    if name not in STRATEGIES:
        raise BadInput(f"no strategy is called {name!r}; there is {', '.join(STRATEGIES)} (as in exhaustive:3)")
    return STRATEGIES[name](parameters)
