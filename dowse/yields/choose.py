"""Which strategy to search with, for a wanted coverage or yield."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dowse.errors import BadInput
from dowse.yields.interval import Interval
from dowse.yields.ratio import Yield

DEFAULT_COVERAGE = 0.9  # the target where none is given


@dataclass(frozen=True, slots=True)
class StrategyChoice:
    """The strategy chosen, and why."""

    name: str
    reason: str


def choose(yields: Sequence[Yield], *, coverage: float | None = None, harvest: float | None = None) -> StrategyChoice:
    """Choose the highest yield among those that reach a coverage, or the highest coverage for a yield.

    With both, a strategy must reach both, and the highest yield is taken. With neither, a coverage of 0.9 is
    asked for, and when none has it, the best compromise is taken: the highest harmonic mean of coverage and harvest, each
    as a part of the best one's.
    """
    if not yields:
        raise BadInput("no strategy was measured: name at least one")
    if coverage is None and harvest is None:
        return _choose_by_default(yields)
    reaching = [each for each in yields if _reaches(each.coverage, coverage) and _reaches(each.harvest, harvest)]
    if not reaching:
        return _choose_nearest(yields, coverage, harvest)
    best = max(reaching, key=_by_harvest if coverage is not None else _by_coverage)
    wanted = "yield" if coverage is not None else "coverage"
    reached = [
        _say_reached(figure, interval, target)
        for figure, interval, target in (("coverage", best.coverage, coverage), ("yield", best.harvest, harvest))
        if target is not None
    ]
    return StrategyChoice(
        best.name,
        f"highest {wanted} of {len(reaching)} of {len(yields)} strategies that reach it: {'; '.join(reached)}",
    )


def _reaches(figure: Interval, target: float | None) -> bool:
    return target is None or figure.value >= target


def _by_harvest(each: Yield) -> tuple[float, float]:
    return each.harvest.value, each.coverage.value


def _by_coverage(each: Yield) -> tuple[float, float]:
    return each.coverage.value, each.harvest.value


def _say_reached(figure: str, interval: Interval, target: float) -> str:
    """Return in words whether a target is reached, and with what confidence."""
    found = f"{figure} {interval.value:.3g} ({interval.low:.3g} to {interval.high:.3g})"
    if interval.low >= target:
        return f"{found} is clearly at least {target:g}"
    return f"{found} is at least {target:g} in the sample, but not certainly"


def _choose_nearest(yields: Sequence[Yield], coverage: float | None, harvest: float | None) -> StrategyChoice:
    """Choose what comes nearest when nothing reaches the targets: coverage comes first."""
    key: Callable[[Yield], tuple[float, float]] = _by_coverage if coverage is not None else _by_harvest
    figure, target = ("coverage", coverage) if coverage is not None else ("yield", harvest)
    best = max(yields, key=key)
    interval = best.coverage if coverage is not None else best.harvest
    targets = f"{figure} {target:g}" if None in (coverage, harvest) else f"coverage {coverage:g} and yield {harvest:g}"
    return StrategyChoice(best.name, f"none reaches {targets}: this has the highest {figure}, {interval.value:.3g}")


def _choose_by_default(yields: Sequence[Yield]) -> StrategyChoice:
    """Choose where no target is given."""
    if any(_reaches(each.coverage, DEFAULT_COVERAGE) for each in yields):
        return choose(yields, coverage=DEFAULT_COVERAGE)
    most_harvest = max(each.harvest.value for each in yields)
    most_coverage = max(each.coverage.value for each in yields)

    def weigh(each: Yield) -> float:
        first, second = _divide(each.coverage.value, most_coverage), _divide(each.harvest.value, most_harvest)
        return _divide(2 * first * second, first + second)

    best = max(yields, key=weigh)
    figures = f"coverage {best.coverage.value:.3g}, yield {best.harvest.value:.3g}"
    return StrategyChoice(
        best.name, f"none reaches coverage {DEFAULT_COVERAGE:g}: this is the best compromise, {figures}"
    )


def _divide(value: float, most: float) -> float:
    return value / most if most else 0.0
