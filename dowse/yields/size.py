"""How many records a source has, judged while it is being harvested.

In each frame (an attribute), what lies behind values that the source has counted is known. For the others the
held records are, and values drawn at random say how many there are in the source for each held one. What the frame does not lead to
at all is judged by what queries of other attributes brought that was new. The frame with the narrowest interval is taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from dowse.yields.chao import METHOD, estimate_chao
from dowse.yields.frame import Draws, Frame
from dowse.yields.interval import find_student

CONFIDENCE: Final = 0.9
PRIOR_DRAWS: Final = 2.0  # draws that are imagined, so that a few that agree are not certainty
PRIOR_STRAY: Final = 1.0  # by how much of the mean those stray
LEAST_ERROR: Final = 0.03  # of the unseen: no interval is narrower
CHOSEN_ERROR: Final = (
    1.0  # of what is behind unknown values: those that were chosen for what they bring are not a sample
)
LEAST_DRAWS: Final = 2.0  # values drawn at random: one alone says nothing of how they stray
MOST_CUT: Final = 0.1  # of what was shown may be parts of answers whose rest nobody counted
GUESSED_ERROR: Final = 0.5  # of what is behind values that the source shows only in part
MINOR: Final = 0.5  # of what another frame leads to: one that leads to less is not asked
SAID_ERROR: Final = 0.02  # of what the source says it has
BELIEVED: Final = 1.5  # times more or less than judged that a source may say it has
NOTHING_HIGH: Final = 30.0  # times what is held that there may be when nothing is known
MOST_TIMES: Final = 30.0  # times what is held that can be inferred from it
FLOOR_TIMES: Final = 3.0  # the same of what counts speak of

PROBED = "values drawn at random"
CHOSEN = "values that were chosen"
SAID = "what the source says it has"
NOTHING = METHOD
NO_END = f"more than {MOST_TIMES:.0f} times what is held cannot be told from it: there may be any number"


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that the size of a source is judged by."""

    held: int
    frames: tuple[Frame, ...] = ()
    total: int | None = None  # of all records, as the source says
    once: int = 0  # held records that one query showed
    twice: int = 0
    queries: int = 0
    shown: int = 0  # records on all pages
    cut: int = 0  # of them, those of answers whose rest was never shown nor counted


@dataclass(frozen=True, slots=True)
class Size:
    """How many records a source has, how much of it is held, and how that was found."""

    size: float
    low: float
    high: float
    method: str
    coverage: float
    coverage_low: float
    coverage_high: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Guess:
    """A size by one frame, with how far the fact may lie to either side."""

    size: float
    below: float
    above: float
    method: str
    least: float = 0.0  # unseen that its frame leads to, at least
    most: float = 0.0
    reasons: tuple[str, ...] = ()


def estimate_size(evidence: Evidence) -> Size:
    """Return how many records there are, never fewer than are held, with an interval of 90 %."""
    if not evidence.held:
        return Size(0.0, 0.0, math.inf, NOTHING, 0.0, 0.0, 1.0, ("nothing is held",))
    floor = find_floor(evidence)
    guesses = [] if evidence.cut > MOST_CUT * evidence.shown else _judge_frames(evidence)
    best = _choose(guesses, evidence.held, floor) or _judge_hits(evidence, floor)
    return _say_total(evidence, floor, _bound(evidence, floor, best))


def find_floor(evidence: Evidence) -> float:
    """Return how many records there are at least: held ones, and those that count lines speak of."""
    held = evidence.held
    sure = [
        held + frame.known - frame.guessed - 2 * math.sqrt(max(0.0, frame.noise)) + frame.unknown - frame.records
        for frame in evidence.frames
    ]
    return max([float(held), *sure])


def _judge_frames(evidence: Evidence) -> list[_Guess]:
    """Return what each frame says by values drawn at random, and by those chosen."""
    held, frames = evidence.held, [frame for frame in evidence.frames if frame.records]
    drawn = [_judge_draws(frame, held, frame.drawn, PROBED) for frame in frames if frame.drawn.count >= LEAST_DRAWS]
    return drawn + [_judge_draws(frame, held, frame.chosen, CHOSEN) for frame in frames if frame.chosen.weight]


def _judge_draws(frame: Frame, held: int, draws: Draws, method: str) -> _Guess:
    """Return the size by one frame."""
    mean = max(draws.mean, frame.records)
    unseen = max(0.0, frame.known + frame.unknown * mean / frame.records - frame.records)
    reach = find_student(CONFIDENCE, round(max(1.0, draws.count - 1 + PRIOR_DRAWS), 1)) * _find_error(
        frame, draws, mean
    )
    opened = frame.open(CONFIDENCE)
    whole = unseen / opened.share
    extra = min(1.0, frame.unknown / frame.records) * (held + whole) if method == CHOSEN else 0.0
    below = math.hypot((reach + extra) / max(1.0, unseen), math.log(max(1.0, opened.most / opened.share)))
    return _Guess(
        held + whole,
        whole * below,
        math.hypot(reach / opened.share, unseen / opened.least - whole, CHOSEN_ERROR * extra),
        method,
        unseen * math.exp(-reach / max(1.0, unseen)) if method == PROBED else 0.0,
        unseen + reach,
        (
            f"by {frame.name}: {frame.known_values} values with known totals, {frame.unknown_values} without",
            f"{opened.share:.1%} of what is new has a value of it that was met before",
        ),
    )


def _find_error(frame: Frame, draws: Draws, mean: float) -> float:
    """Return how far what is behind a frame may be off: the mean of the draws, and the few values that it is taken for."""
    count = draws.count
    variance = count * draws.variance + PRIOR_DRAWS * (PRIOR_STRAY * mean) ** 2
    variance /= max(0.0, count - 1) + PRIOR_DRAWS
    squares = frame.unknown**2 / count + max(0.0, frame.unknown_squares)
    drawn = math.sqrt(variance * squares) / frame.records
    return math.hypot(drawn, math.sqrt(max(0.0, frame.noise)), GUESSED_ERROR * frame.guessed)


def _choose(guesses: list[_Guess], held: int, floor: float) -> _Guess | None:
    """Return the guess that may lie the least too low, of those that no other frame contradicts: what one leads to is there.

    A frame that leads to far less than another is none to judge the whole by, however sure it seems.
    """
    most = max((guess.least for guess in guesses), default=0.0)
    able = [guess for guess in guesses if guess.most >= MINOR * most]
    least = max(floor, held + most)
    return min(able, key=lambda guess: (guess.size < least, guess.above), default=None)


def _judge_hits(evidence: Evidence, floor: float) -> _Guess:
    """Return the least that there is by how often records were shown, when no total says anything."""
    least = estimate_chao(evidence.held, evidence.once, evidence.twice, queries=evidence.queries)
    size = max(floor, min(least.value, NOTHING_HIGH * evidence.held))
    reason = "too few answers say or show how many records there are: nothing but a lower bound is known"
    return _Guess(size, math.inf, NOTHING_HIGH * evidence.held, NOTHING, reasons=(reason,))


def _bound(evidence: Evidence, floor: float, guess: _Guess) -> Size:
    """Return the interval: normal for the logarithm of what is unseen, and never under the floor; open above what can be told."""
    held, most = evidence.held, max(FLOOR_TIMES * floor, MOST_TIMES * evidence.held)
    if guess.size > most:
        guess = replace(guess, size=most, above=math.inf, reasons=(*guess.reasons, NO_END))
    unseen = max(1.0, guess.size - held)
    least = LEAST_ERROR * unseen + math.sqrt(unseen) / 2
    low = held + unseen * math.exp(-guess.below / unseen) - least
    high = held + _stretch(unseen, guess.above) + least
    high = high if math.isinf(guess.above) else min(high, max(floor, guess.size) + NOTHING_HIGH * held)
    size = max(guess.size, floor)
    return _size(held, size, max(floor, min(low, size)), max(high, size, floor + least), guess)


def _stretch(unseen: float, above: float) -> float:
    """Return the upper end; the exponential goes on as a line where the error is more than the figure itself."""
    return unseen * math.exp(above / unseen) if above < unseen else unseen + above * (math.e - 1)


def _size(held: int, size: float, low: float, high: float, guess: _Guess) -> Size:
    return Size(size, low, high, guess.method, held / size, held / high, held / max(low, held), guess.reasons)


def _say_total(evidence: Evidence, floor: float, size: Size) -> Size:
    """Take what the source says it has, when nothing speaks against it."""
    total = evidence.total
    if total is None:
        return size
    if total < floor or not size.low / BELIEVED <= total <= size.high * BELIEVED:
        reason = f"the source says it has {total} records, which is not believed"
        return replace(size, reasons=(*size.reasons, reason))
    guess = _Guess(total, 0.0, 0.0, SAID, reasons=(f"the source says it has {total} records", *size.reasons))
    return _size(evidence.held, total, max(floor, total * (1 - SAID_ERROR)), total * (1 + SAID_ERROR), guess)
