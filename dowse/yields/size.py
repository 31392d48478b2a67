"""How many records a source has, estimated while it is being harvested."""

from __future__ import annotations

import math
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Final

from dowse.yields.interval import Interval, find_normal, find_student

# --- chao
# The least that there is, by how often what was seen was seen (Chao): where some are met far more often than others.

METHOD = "records shown once and twice (Chao)"


def estimate_chao(seen: int, once: int, twice: int, *, queries: int = 0, confidence: float = 0.9) -> Interval:
    """Return a lower bound of the size by records that one query showed, and two (Chao 1987, bias-corrected).

    With the number of queries it is Chao2, of incidences; without, Chao1.
    """
    part = (queries - 1) / queries if queries > 1 else 1.0
    unseen = part * once * (once - 1) / (2 * (twice + 1)) if once else 0.0
    ratio = once / (twice + 1)
    variance = (twice + 1) * (ratio**2 / 2 + ratio**3 + ratio**4 / 4)
    return _bound_unseen(seen, unseen, variance, METHOD, confidence)


def _bound_unseen(seen: int, unseen: float, variance: float, method: str, confidence: float) -> Interval:
    """Return the interval in which the logarithm of what is unseen is normal (Chao 1987): never under what was seen."""
    if unseen <= 0:
        return Interval(float(seen), float(seen), float(seen), method)
    factor = math.exp(find_normal(confidence) * math.sqrt(math.log1p(variance / unseen**2)))
    return Interval(seen + unseen, seen + unseen / factor, seen + unseen * factor, method)


# --- route
# What queries of other attributes say of a frame: which part of what is not held it leads to.
#
# A query of another attribute shows new records. Where the values that they have in this frame were met before, the frame would have led to
# them, too. That says nothing where one attribute lies within the other (a county in a state): all records of a county
# are of the state that it was met in. So what a query shows is compared with its lead, a record with the same value that was held
# before: attributes are akin when both agree more often than any two records.

FADE: Final = (
    2.0  # what was seen when half as much was held counts a quarter: where values lead changes as more is held
)
PRIOR: Final = 1.0  # queries that say what all routes say, before one is believed by itself
NEVER: Final = 0.25  # of a query that shows nothing the frame leads to, and half of one that does, before any was seen
PICK: Final = (
    1.0  # errors over its share at which the lowest route is looked for: one that is low by chance is not taken
)
CLOSED_ERROR: Final = 0.5  # the part that a frame does not lead to may be wrong by so much beside its chance
KIN_ERROR: Final = 4.0  # the same where attributes are as akin as can be: what neither leads to is more than it seems
LEAST_APART: Final = 0.05  # of any two records: a frame in which more agree than that cannot tell who is akin
LEAST_SHARE: Final = 1e-3


@dataclass(slots=True)
class Route:
    """What first pages of one attribute's queries showed of a frame; a query counts by what was new on its page."""

    count: float = 0.0  # new records
    squares: float = 0.0  # of those of each query
    met: float = 0.0  # of the new records, those that the frame leads to
    mates: float = 0.0  # new records that were compared with a lead
    apart: float = 0.0  # of them, those that have another value than it
    held: int = 0  # records, at the last query

    def add(self, count: int, met: float, held: int) -> None:
        """Count what a query showed."""
        self.fade(held)
        self.count += count
        self.squares += count * count
        self.met += met

    def compare(self, mates: int, apart: int) -> None:
        """Count how many new records differ from their lead."""
        self.mates += mates
        self.apart += apart

    def fade(self, held: int) -> None:
        """Let what was seen count less, as more is held."""
        keep = (self.held / held) ** FADE if held > self.held else 1.0
        self.count, self.squares, self.met = self.count * keep, self.squares * keep, self.met * keep
        self.mates, self.apart = self.mates * keep, self.apart * keep
        self.held = max(self.held, held)

    @property
    def share(self) -> float:
        """The part of what was new that the frame leads to."""
        return self.met / self.count if self.count else 0.0

    @property
    def queries(self) -> float:
        """How many queries that brought as much as each other would say as much."""
        return self.count * self.count / self.squares if self.squares else 0.0

    def find_kinship(self, usual: float) -> float:
        """Return how much an attribute lies within the frame, 0 to 1, where such a part of any two records differ."""
        if usual < LEAST_APART:
            return 0.0
        apart = (self.apart + usual) / (self.mates + 1)
        return min(1.0, max(0.0, 1 - apart / usual))


@dataclass(frozen=True, slots=True)
class Open:
    """The part of what is not held that values met so far lead to, and between what it lies."""

    share: float
    least: float
    most: float
    by: int = -1  # the attribute whose queries say so


@dataclass(frozen=True, slots=True)
class _Told:
    """What one route says."""

    by: int
    share: float
    error: float
    queries: float
    kinship: float


def judge_open(routes: Mapping[int, Route], usual: float, confidence: float) -> Open:
    """Return what the route says that is the lowest: attributes that have to do with each other agree too often, never too rarely."""
    kin = {by: route.find_kinship(usual) for by, route in routes.items()}
    queries = {by: route.queries * (1 - kin[by]) for by, route in routes.items()}
    whole = sum(queries.values())
    mean = (sum(queries[by] * route.share for by, route in routes.items()) + 0.5) / (whole + 0.5 + NEVER)
    told = [_tell(by, route.share, queries[by], mean, kin[by]) for by, route in routes.items()]
    lowest = min(told, key=lambda each: each.share + PICK * each.error, default=_tell(-1, mean, 0.0, mean, 0.0))
    most = max((each.share + _reach(each, confidence) for each in told), default=1.0)
    doubt = find_normal(confidence) * (CLOSED_ERROR + (KIN_ERROR - CLOSED_ERROR) * lowest.kinship) * (1 - lowest.share)
    least = lowest.share * math.exp(-_reach(lowest, confidence) / lowest.share - doubt)
    return Open(lowest.share, least, min(1.0, most), lowest.by)


def _tell(by: int, share: float, queries: float, mean: float, kinship: float) -> _Told:
    share = max(LEAST_SHARE, (queries * share + PRIOR * mean) / (queries + PRIOR))
    return _Told(by, share, math.sqrt(share * (1 - min(1.0, share)) / (queries + PRIOR + 1)), queries, kinship)


def _reach(told: _Told, confidence: float) -> float:
    return find_student(confidence, round(told.queries + PRIOR, 1)) * told.error


# --- frame
# An attribute as a frame: a way to every record that has it, and what is known of that way so far.
#
# A record with d values of the attribute counts 1/d at each of them, so what lies behind all values adds up to the number of
# records, whoever chose them and however unequal they are (the multiplicity estimator of Sirken, 1970).


@dataclass(slots=True)
class Draws:
    """Sums over draws of a value; each says how many records there are for one that is held, times those that were held."""

    weight: float = 0.0
    first: float = 0.0
    squares: float = 0.0  # of the weights
    square_first: float = 0.0  # of what was drawn, by the squares of the weights
    square_second: float = 0.0  # of its squares

    def add(self, scaled: float, weight: float) -> None:
        """Add a draw."""
        square = weight * weight
        self.weight += weight
        self.first += weight * scaled
        self.squares += square
        self.square_first += square * scaled
        self.square_second += square * scaled * scaled

    @property
    def count(self) -> float:
        """How many draws of equal weight say as much."""
        return self.weight * self.weight / self.squares if self.squares else 0.0

    @property
    def mean(self) -> float:
        """The weighted mean."""
        return self.first / self.weight if self.weight else 0.0

    @property
    def variance(self) -> float:
        """How much draws stray from their mean: those of little weight, made when little was held, stray the most."""
        if not self.squares:
            return 0.0
        strayed = self.square_second - 2 * self.mean * self.square_first + self.mean**2 * self.squares
        return max(0.0, strayed / self.squares)


@dataclass(slots=True)
class Frame:
    """What is known of an attribute: values whose records were counted by the source, and others."""

    name: str = ""
    records: int = 0  # held, that have it
    several: int = 0  # of them, with more than one value
    known: float = 0.0  # records behind values whose total is known
    known_values: int = 0
    noise: float = 0.0  # variance of that: records divided by their values, judged by some of them
    guessed: float = 0.0  # of the known, what the source did not say
    unknown: float = 0.0  # held records behind values whose total is unknown
    unknown_squares: float = 0.0  # of what each value has
    unknown_values: int = 0
    compared: int = 0  # pairs of any two held records
    apart: int = 0  # of them, those that have no value in common
    routes: dict[int, Route] = field(default_factory=dict)  # other attributes -> what their queries say of this one
    drawn: Draws = field(default_factory=Draws)  # values drawn at random
    chosen: Draws = field(default_factory=Draws)  # values that somebody chose for what they bring

    @property
    def usual(self) -> float:
        """How often any two records have no value in common."""
        return (self.apart + 0.5) / (self.compared + 1)

    def open(self, confidence: float) -> Open:
        """Return the part of what is not held that values met so far lead to."""
        return judge_open(self.routes, self.usual, confidence)

    @property
    def spread(self) -> float:
        """How many values of equal weight the unknown is spread over."""
        return self.unknown**2 / self.unknown_squares if self.unknown_squares > 0 else 0.0

    def copy(self) -> Frame:
        """Return the frame as it is now."""
        routes = {by: copy(route) for by, route in self.routes.items()}
        return replace(self, routes=routes, drawn=copy(self.drawn), chosen=copy(self.chosen))

    def draw(self, scaled: float, draws: Draws) -> None:
        """Add a draw: the more is held, the more it says of what is not."""
        draws.add(scaled, float(self.records))


# --- size
# How many records a source has, judged while it is being harvested.
#
# In each frame (an attribute), what lies behind values that the source has counted is known. For the others the
# held records are, and values drawn at random say how many there are in the source for each held one. What the frame does not lead to
# at all is judged by what queries of other attributes brought that was new. The frame with the narrowest interval is taken.

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
