"""How sure a difference between two judges is: domains are drawn again, the same for both."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from bench.judges.figures import SEARCH, Claim

RESAMPLES = 2000
Sums = tuple[int, int, int, int, int, int]  # forms, wrong, claimed, wanted, claimed rightly, of the right kind


def compare_judges(own: Sequence[Claim], other: Sequence[Claim], seed: int = 1) -> dict[str, dict[str, float]]:
    """Return own minus other for error, F1 and, where both know kinds, kinds, with the bootstrap's 95 %."""
    pairs = [both for _, both in sorted(_count(own, other).items())]
    drawn = _draw(pairs, Random(seed))
    knows = all(any(claim.said for claim in claims) for claims in (own, other))
    figures = {"error": _error, "f1": _f1} | ({"kinds": _kinds} if knows else {})
    found = {}
    for name, figure in figures.items():
        spread = sorted(figure(one) - figure(two) for one, two in drawn)
        one, two = _add(pairs)
        low, high = spread[int(len(spread) * 0.025)], spread[int(len(spread) * 0.975)]
        found[name] = {"difference": figure(one) - figure(two), "low": low, "high": high}
    return found


def _count(own: Sequence[Claim], other: Sequence[Claim]) -> dict[str, tuple[Sums, Sums]]:
    sums: dict[str, tuple[list[Claim], list[Claim]]] = {}
    for place, claims in enumerate((own, other)):
        for claim in claims:
            sums.setdefault(claim.domain, ([], []))[place].append(claim)
    return {domain: (_sum(one), _sum(two)) for domain, (one, two) in sums.items()}


def _sum(claims: Sequence[Claim]) -> Sums:
    return (
        len(claims),
        sum(claim.search != (claim.kind == SEARCH) for claim in claims),
        sum(claim.search for claim in claims),
        sum(claim.kind == SEARCH for claim in claims),
        sum(claim.search and claim.kind == SEARCH for claim in claims),
        sum(claim.said == claim.kind for claim in claims),
    )


def _draw(pairs: Sequence[tuple[Sums, Sums]], rng: Random) -> list[tuple[Sums, Sums]]:
    return [_add(rng.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES)]


def _add(pairs: Sequence[tuple[Sums, Sums]]) -> tuple[Sums, Sums]:
    one, two = zip(*pairs, strict=True)
    return tuple(map(sum, zip(*one, strict=True))), tuple(map(sum, zip(*two, strict=True)))  # type: ignore[return-value]


def _error(sums: Sums) -> float:
    return sums[1] / sums[0]


def _f1(sums: Sums) -> float:
    return 2 * sums[4] / (sums[2] + sums[3]) if sums[2] + sums[3] else 1.0


def _kinds(sums: Sums) -> float:
    return sums[5] / sums[0]
