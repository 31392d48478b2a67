"""How much of what there is was found, when nobody searched exhaustively."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dowse.yields.interval import Interval, bound, bound_count

METHOD = "unfollowed links"
MOST_BELOW = 0.75  # forms of a level for each of the level above, at most: four times the next level lies below it


@dataclass(frozen=True, slots=True)
class Level:
    """What was found at one depth, over all searched sites."""

    depth: int
    pages: int
    forms: int

    @property
    def rate(self) -> float:
        """Forms per page; half a form more, for none seen is not none there."""
        return (self.forms + 0.5) / (self.pages + 1)


def estimate_from_unfollowed(levels: Sequence[Level], unfollowed: int, *, confidence: float = 0.95) -> Interval | None:
    """Return the coverage of what links lead to; None when no form was found or no page seen.

    Behind a link that was not followed lies a page like those of the deepest level, with fewer forms as the last
    two levels have it, and below it more of the same, as forms grew or shrank from level to level. It is wide on purpose:
    at worst, pages below are as good as the deepest seen, and their rate is the highest that fits what was counted.
    """
    seen = sorted((each for each in levels if each.pages > 0), key=lambda each: each.depth)
    found = sum(each.forms for each in seen)
    if not found:
        return None
    if unfollowed <= 0:
        return Interval(1.0, 1.0, 1.0, METHOD)
    deepest = seen[-1]
    few, many = bound_count(deepest.forms, confidence)
    fade = _fade(seen)
    low = unfollowed * few / deepest.pages * fade
    high = unfollowed * many / deepest.pages / (1 - MOST_BELOW)
    middle = unfollowed * deepest.rate * fade / (1 - _grow(seen))
    return bound(_part(found, middle), _part(found, high), _part(found, low), METHOD, most=1.0)


def _part(found: int, unseen: float) -> float:
    return found / (found + unseen)


def _fade(seen: Sequence[Level]) -> float:
    """Return how the rate changes from one level to the next; never to the better."""
    return min(1.0, seen[-1].rate / seen[-2].rate) if len(seen) > 1 else 1.0


def _grow(seen: Sequence[Level]) -> float:
    """Return how many forms a level has for each of the level above."""
    return min(MOST_BELOW, (seen[-1].forms + 0.5) / (seen[-2].forms + 0.5)) if len(seen) > 1 else MOST_BELOW


PROMISES = "what the links that were left promise"
WRONG = 3.0  # times more or less than promised that may be there
UNPROMISED = 3.0  # forms that may be there where nothing is promised: none in so many trials leaves 3 (95 %)


def estimate_from_promises(forms: int, promised: float) -> Interval | None:
    """Return the coverage when so many query forms were found and a model expects so many beyond the links that were left.

    What a model expects on sites it has not seen may be several times too much or too little; the interval says so.
    """
    if not forms:
        return None
    return Interval(
        forms / (forms + promised),
        forms / (forms + WRONG * promised + UNPROMISED),
        forms / (forms + promised / WRONG),
        PROMISES,
    )
