"""Which value is asked for only to learn how large the source is."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from dowse.yields.frame import Frame
from dowse.yields.reach import Reach

TRIES: Final = 200  # records that are looked at for one with an unknown value: fewer than one in 200 is as good as none
OTHERS: Final = 3  # each third probe asks another attribute: it shows records that the best frame may not lead to
CLOSED: Final = 4000.0  # values that a frame may have more, if it led to all that another does not
SEVERAL: Final = 300.0  # the same, if each of its records had one value and not several

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
    others = best is None or reach.probes % OTHERS == OTHERS - 1
    for _ in range(TRIES):
        groups = reach.group(rng.randrange(len(reach.hits)))
        places = [place for place in groups if (place != best) is others and takes(reach.frames[place].name)]
        if not places:
            continue
        value = rng.choice(groups[rng.choice(places)])
        if reach.totals[value] < 0:
            return value
    return None


def _best_frame(reach: Reach, takes: Callable[[str], bool]) -> int | None:
    """Return the frame that needs the fewest probes."""
    places = [place for place, frame in enumerate(reach.frames) if frame.unknown_values and takes(frame.name)]
    return min(places, key=lambda place: _cost(reach.frames[place]), default=None)


def _cost(frame: Frame) -> float:
    """Return about how many probes a frame needs, and what it misses as probes that would be worth it."""
    records = max(1, frame.records)
    return frame.unknown / records * frame.spread + CLOSED * (1 - frame.open) + SEVERAL * frame.several / records
