"""A bandit over DOM tag paths: links that stand in the same place of the template pay alike.

A baseline of today to compare with: each tag path is an arm, asleep when none of its links is left; the arm
with the highest upper bound on its mean reward is played and one of its links followed, by chance. It stops when
the pages of late have brought nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from dowse.errors import BadInput
from dowse.model import Earlier, Link, LinkChoice, Site
from dowse.reasons import StopReason
from dowse.strategy.guide import MAX_DEPTH, NO_OUTLOOK, Guide, LinkOutcome, Outlook, Strategy

EXPLORATION_WEIGHT = 2.0 * math.sqrt(2.0)
MAX_BARREN_PAGES = 30  # pages without a form after which a site is left


@dataclass(frozen=True, slots=True)
class TagPath(Strategy):
    """Play tag paths as arms."""

    patience: int = MAX_BARREN_PAGES

    @classmethod
    def parse(cls, parameters: str) -> TagPath:
        """Read the patience in `tagpath:30`."""
        if not parameters:
            return cls()
        if not (parameters.isascii() and parameters.isdecimal()) or not 0 < int(parameters) <= 100_000:
            raise BadInput(f"tagpath takes a number of pages from 1 to 100000, as in tagpath:30, not {parameters!r}")
        return cls(int(parameters))

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> TagPathGuide:
        """Return a guide that has played nothing; its chances are those of the site."""
        return TagPathGuide(self, Random(str(site)))


@dataclass(slots=True)
class _Arm:
    plays: int = 0
    reward: float = 0.0


@dataclass(slots=True)
class TagPathGuide(Guide):
    """What each tag path of one site has paid."""

    strategy: TagPath
    dice: Random
    arms: dict[str, _Arm] = field(default_factory=dict)
    plays: int = 0
    barren: int = 0  # pages in a row without a form

    def learn(self, seen: LinkOutcome) -> Iterator[LinkChoice]:
        """Reward the arm that led here; let the page's links wait, each with its tag path."""
        arm = self.arms.setdefault(seen.link.path, _Arm())
        arm.plays += 1
        arm.reward += seen.forms
        self.plays += 1
        self.barren = 0 if seen.forms else self.barren + 1
        if seen.link.depth < MAX_DEPTH:
            for link in seen.links:
                yield LinkChoice(link, self.dice.random(), link.path, "")

    def remember(self) -> dict[str, Any]:
        """Return what the arms have paid, and the dice."""
        arms = {path: (arm.plays, arm.reward) for path, arm in self.arms.items()}
        return {"arms": arms, "plays": self.plays, "barren": self.barren, "dice": self.dice.getstate()}

    def go_on(self, earlier: Earlier) -> None:
        """Restore it."""
        if kept := earlier.guide:
            self.arms = {path: _Arm(*arm) for path, arm in kept["arms"].items()}
            self.plays, self.barren = kept["plays"], kept["barren"]
            version, numbers, gauss = kept["dice"]
            self.dice.setstate((version, tuple(numbers), gauss))

    def pick(self, heads: Mapping[str, LinkChoice]) -> str:
        """Return the arm with the highest upper bound; one never played comes first."""
        return max(heads, key=self._bound)

    def _bound(self, path: str) -> float:
        arm = self.arms.get(path)
        if arm is None:
            return EXPLORATION_WEIGHT * 10
        return arm.reward / arm.plays + EXPLORATION_WEIGHT * math.sqrt(math.log(max(2, self.plays)) / arm.plays)

    def why_stop(self, choice: LinkChoice) -> StopReason | None:
        """Stop when the last pages brought nothing."""
        return StopReason.NO_NEW_FORMS if self.barren >= self.strategy.patience else None

    def why_not(self, link: Link) -> str:
        """Return that it is too deep."""
        return f"deeper than {MAX_DEPTH}"
