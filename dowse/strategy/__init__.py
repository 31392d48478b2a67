"""Which links of a site are worth following: decisions, no fetching.

A strategy is made from its written form, such as `exhaustive:3`.
"""

from __future__ import annotations

from collections.abc import Callable

from dowse.errors import BadInput
from dowse.strategy.adaptive import Adaptive
from dowse.strategy.exhaustive import Exhaustive
from dowse.strategy.guide import NO_OUTLOOK, Guide, LinkOutcome, Outlook, Strategy
from dowse.strategy.learned import LearnedStrategy
from dowse.strategy.links import LinksStrategy
from dowse.strategy.navmenu import Navmenu
from dowse.strategy.tagpath import TagPath

STRATEGIES: dict[str, Callable[[str], Strategy]] = {
    "exhaustive": Exhaustive.parse,
    "learned": LearnedStrategy.parse,
    "navmenu": Navmenu.parse,
    "tagpath": TagPath.parse,
}
SITE_STRATEGIES: dict[str, Callable[[str], Strategy]] = {
    "adaptive": Adaptive.parse,
    "links": LinksStrategy.parse,
    "exhaustive": Exhaustive.parse,
}

__all__ = [
    "NO_OUTLOOK", "SITE_STRATEGIES", "STRATEGIES", "Guide", "LinkOutcome", "Outlook", "Strategy", "build_strategy",
]  # fmt: skip


def build_strategy(text: str, among: dict[str, Callable[[str], Strategy]] = STRATEGIES) -> Strategy:
    """Make a strategy from its written form."""
    name, _, parameters = text.partition(":")
    if name not in among:
        known = [*among, *(("auto",) if among is STRATEGIES else ())]
        raise BadInput(f"no strategy is called {name!r}; there is {', '.join(known)} (as in exhaustive:3)")
    return among[name](parameters)
