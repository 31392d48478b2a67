"""How much there is in a world: counted when it is small, estimated from a sample when it is not."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from dowse.sim.truth import SiteTruth
from dowse.sim.world import World

COUNTED = 5000  # sites up to which all are looked at
SAMPLE = 1000
WORDS = ("sites", "pages", "forms", "records")


@dataclass(frozen=True, slots=True)
class Summary:
    """What a polite crawler can reach; with the half-width of a 95 % interval where it was estimated."""

    sites: int
    pages: int
    forms: int
    records: int
    errors: tuple[int, ...] = ()  # of the four, or nothing when they were counted

    def to_json(self) -> dict[str, object]:
        """Return the counts; estimates carry their interval and say how they came about."""
        values: dict[str, object] = {word: getattr(self, word) for word in WORDS}
        for word, error in zip(WORDS, self.errors, strict=False):
            values[f"{word}_ci"] = [max(0, getattr(self, word) - error), getattr(self, word) + error]
        return {**values, "method": f"estimated from {SAMPLE:,} sites"} if self.errors else values


def summarise(world: World) -> Summary:
    """Return how much there is in a world."""
    if world.hosts <= COUNTED:
        return add_up(world.truth())
    step = world.hosts / SAMPLE
    return _estimate([_count(world.site(int(place * step))) for place in range(SAMPLE)], world.hosts)


def _estimate(sample: list[tuple[int, ...]], hosts: int) -> Summary:
    totals, errors = [], []
    for place in range(4):
        values = [each[place] for each in sample]
        mean = sum(values) / len(values)
        spread = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
        totals.append(round(mean * hosts))
        errors.append(round(1.96 * spread / math.sqrt(len(values)) * hosts))
    sites, pages, forms, records = totals
    return Summary(sites, pages, forms, records, tuple(errors))


def _count(truth: SiteTruth) -> tuple[int, int, int, int]:
    """Count a site's part: itself, its pages, its query forms, and the records behind them."""
    open_forms = [form for form in truth.forms if form.kind == "database" and form.reachable and not form.same_as]
    behind = {form.database for form in open_forms}
    records = sum(each.size for each in truth.databases if each.id in behind)
    return int(truth.reachable), sum(truth.pages_by_depth), len(open_forms), records


def add_up(truths: Iterable[SiteTruth]) -> Summary:
    """Count what the given sites have."""
    sites, pages, forms, records = (sum(column) for column in zip(*map(_count, truths), strict=True))
    return Summary(sites, pages, forms, records)
