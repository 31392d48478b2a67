"""Which value is asked for only to learn how large the source is."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Final

from dowse.yields.frame import Frame
from dowse.yields.reach import Reach
from dowse.yields.size import CONFIDENCE

TRIES: Final = 200  # records that are looked at for one with an unknown value: fewer than one in 200 is as good as none
OTHERS: Final = 3  # each third probe asks another attribute: it shows records that the best frame may not lead to
LEAST_WEIGHT: Final = 0.05  # of an attribute that lies within the best frame: it is asked now and then all the same
CLOSED: Final = 4000.0  # values that a frame may have more, if it led to all that another does not
SEVERAL: Final = 300.0  # the same, if each of its records had one value and not several
PAGE: Final = 10.0  # records on a page, or about
MORE: Final = 3.0  # times what is held that a value may have
LONGER: Final = 2.0  # times the pages of the best frame that a probe of another may have, where it is read to its end
LEAST_SPREAD: Final = (
    10.0  # values that a frame must have to be asked where probes are read to their end: one may be half of the source
)
PATIENCE: Final = 500  # records that are held before a frame of fewer values is asked all the same
UNEVEN: Final = 0.3  # what a frame errs by if all of its records have several values, beside what it misses

MOST_PAGES: Final = 10  # of one probe: where its answer goes on, what was held of it says about how far

FIRST: Final = 50.0  # probes at a share of the requests that soon says something
FIRST_SHARE: Final = 0.05
LATER_SHARE: Final = 0.02


def allow_probes(requests: int) -> float:
    """Return how many requests may have been spent on probes among so many; one that found no value counts as spent."""
    return min(FIRST_SHARE * requests, FIRST + LATER_SHARE * max(0.0, requests - FIRST / FIRST_SHARE))


def choose_probe(reach: Reach, rng: Random, takes: Callable[[str], bool] = lambda name: True) -> int | None:
    """Draw a value whose total is unknown: of any held record, any value in the best frame; None when there is none.

    So a value is drawn in proportion to its held records, and what it has in the source for each of them
    is the same, on average, as for all values that were met. Give it to `Reach.begin` as a probe, before it is asked.
    """
    if not reach.hits:
        return None
    best = _best_frame(reach, takes)
    asked = None if best is None else _find_others(reach, best, takes) if _is_turn(reach) else {best: 1.0}
    asked = asked or ({} if best is None else {best: 1.0})
    for _ in range(TRIES):
        groups = reach.group(rng.randrange(len(reach.hits)))
        places = [place for place in groups if place in asked]
        if not places:
            continue
        value = rng.choice(groups[rng.choices(places, [asked[place] for place in places])[0]])
        if reach.totals[value] < 0:
            return value
    return None


def _is_turn(reach: Reach) -> bool:
    return reach.probes % OTHERS == OTHERS - 1


def _find_others(reach: Reach, best: int, takes: Callable[[str], bool]) -> dict[int, float]:
    """Return attributes that can say what the best frame misses, each with its weight: those akin to it cannot."""
    frame, found = reach.frames[best], {}
    for place, other in enumerate(reach.frames):
        long = not reach.counted and _guess_pages(other) > LONGER * _guess_pages(frame)
        if place != best and takes(other.name) and not long:
            route = frame.routes.get(place)
            found[place] = LEAST_WEIGHT + 1 - (route.find_kinship(frame.usual) if route else 0.0)
    return found


def _best_frame(reach: Reach, takes: Callable[[str], bool]) -> int | None:
    """Return the frame that needs the fewest probes."""
    places = [place for place, frame in enumerate(reach.frames) if frame.unknown_values and takes(frame.name)]
    short = [place for place in places if reach.counted or reach.frames[place].spread >= LEAST_SPREAD]
    if not short and len(reach.hits) < PATIENCE:
        return None
    return min(short or places, key=lambda place: _cost(reach.frames[place], counted=reach.counted), default=None)


def _cost(frame: Frame, *, counted: bool) -> float:
    """Return about how many probes a frame needs, and what it misses as probes that would be worth it."""
    records = max(1, frame.records)
    closed, several = 1 - frame.open(CONFIDENCE).share, frame.several / records
    if counted:
        return frame.unknown / records * frame.spread + CLOSED * closed + SEVERAL * several
    return math.sqrt(_guess_pages(frame) / FIRST) + closed + UNEVEN * several


def _guess_pages(frame: Frame) -> float:
    """Return how many pages a probe has where it must be read to its end: most records are behind large values."""
    return max(1.0, frame.unknown / max(1.0, frame.spread) * MORE / PAGE)
