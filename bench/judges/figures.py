"""How well a judge did: over all forms, and with every registrable domain weighing the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

SEARCH = "s"


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a judge says of a form: its kind where it knows kinds, whether it searches, and how sure that is."""

    said: str | None
    search: bool
    score: float


@dataclass(frozen=True, slots=True)
class Claim:
    """What a form is, and what a judge said of it; `said` is None when the judge knows only search and the rest."""

    domain: str
    kind: str
    said: str | None
    search: bool


def measure_forms(claims: Sequence[Claim]) -> dict[str, float | None]:
    """Return the figures of a judge, each form weighing the same."""
    return _measure(claims, lambda claim: 1.0)


def measure_domains(claims: Sequence[Claim]) -> dict[str, float | None]:
    """Return the figures of a judge, each registrable domain weighing the same."""
    forms = Counter(claim.domain for claim in claims)
    return _measure(claims, lambda claim: 1 / forms[claim.domain])


def _measure(claims: Sequence[Claim], weigh: Callable[[Claim], float]) -> dict[str, float | None]:
    def add(some: Iterable[Claim]) -> float:
        return sum(map(weigh, some))

    claimed = add(claim for claim in claims if claim.search)
    wanted = add(claim for claim in claims if claim.kind == SEARCH)
    both = add(claim for claim in claims if claim.search and claim.kind == SEARCH)
    accuracy = _share(add(claim for claim in claims if claim.search == (claim.kind == SEARCH)), add(claims))
    return {
        "accuracy": accuracy,
        "error": 1 - accuracy,
        "precision": _share(both, claimed),
        "recall": _share(both, wanted),
        "f1": _share(2 * both, claimed + wanted),
        "kinds": _share(add(claim for claim in claims if claim.said == claim.kind), add(claims))
        if any(claim.said for claim in claims)
        else None,
    }


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 1.0
