"""The databases of a site: what they hold, and how they answer."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from dowse.sim.chance import Shares, by_share, mix, number_of, pick

SMALLEST, LARGEST = 50, 500_000
COUNTS: Shares = (("exact", 0.62), ("none", 0.18), ("rough", 0.12), ("wrong", 0.08))
SERVICES: Shares = (("json", 0.20), ("xml", 0.08))
MONTH = 30
MOST_BLOCKS = 13


@dataclass(frozen=True, slots=True)
class DatabasePlan:
    """What is needed to make a database again, and its manners."""

    number: int  # within its site
    id: str
    topic: str  # nothing for a file
    key: str  # of its chance
    sizes: tuple[int, ...]  # records it began with, and those added each month since
    page_size: int = 10
    limit: int = 0  # records it shows at most, or 0
    count: str = "exact"  # says how many there are: exact, none, rough, wrong
    blank: str = "all"  # a query without values gives all or nothing
    signs: str = "nothing"  # words without a letter or digit give nothing, or are "ignored"
    details: str = "yes"  # whether records have pages of their own
    sorts: str = "no"  # whether answers can be sorted
    extras: str = "none"  # between the records: none, adverts, liked, both
    steps: str = "links"  # to further pages: links, numbers
    service: str = ""  # json, xml or nothing
    described: str = "no"  # whether an OpenSearch description says how to ask
    session: str = ""  # "cookie" when it answers only who brings one
    file: str = ""  # where its records come from, when not from chance

    @property
    def title(self) -> str:
        """What it is called when it has no topic: the name of its file."""
        return self.file.rpartition("/")[2].partition(".")[0].replace("_", " ")

    @property
    def size(self) -> int:
        """How many records there are."""
        return sum(self.sizes)


def plan_databases(rng: Random, topics: tuple[str, ...], key: str, host: str, day: int) -> tuple[DatabasePlan, ...]:
    """Plan the databases of a site, one on each topic."""
    return tuple(_plan(rng, number, each, key, host, day) for number, each in enumerate(topics))


def _plan(rng: Random, number: int, topic: str, key: str, host: str, day: int) -> DatabasePlan:
    size = int(SMALLEST * (LARGEST / SMALLEST) ** (rng.random() ** 2.0))
    months = min(MOST_BLOCKS - 1, day // MONTH)
    grown = min(max(1.0, size * 0.04 * rng.random()), (LARGEST - size) / MOST_BLOCKS)
    bits = number_of(key, number)
    return DatabasePlan(
        number=number,
        id=f"{host}/{number}",
        topic=topic,
        key=f"{key}/db{number}",
        sizes=(size, *(int(grown * (mix(bits, month) % 128) / 64) for month in range(months))),
        page_size=pick(rng, (10, 10, 10, 15, 20, 25, 50)),
        limit=pick(rng, (0, 0, 0, 100, 200, 500, 1000)),
        count=by_share(rng, COUNTS) or "exact",
        blank=pick(rng, ("all", "nothing")),
        signs=pick(rng, ("nothing", "nothing", "nothing", "ignored")),
        details=pick(rng, ("yes", "yes", "yes", "no")),
        sorts=pick(rng, ("yes", "no")),
        extras=pick(rng, ("none", "none", "adverts", "liked", "both")),
        steps=pick(rng, ("links", "numbers")),
        service=by_share(rng, SERVICES),
        described="yes" if rng.random() < 0.15 else "no",
        session="cookie" if rng.random() < 0.06 else "",
    )
