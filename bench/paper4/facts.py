"""What is harvested, with tables of what kin, and what the paper says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from bench.harvest.databases import DATABASES

NAIVE: Final = ("breadth", "depth", "random")
PUBLISHED_MMMI: Final = "mmmi as published"
SWITCHED_MMMI: Final = "mmmi, switch as published"
LINKED: Final = (*NAIVE, "greedy", "mmmi", PUBLISHED_MMMI, SWITCHED_MMMI)
ABORTING: Final = (
    *NAIVE,
    "greedy",
    "mmmi",
    PUBLISHED_MMMI,
    "domain",
    "auto",
)  # measured with and without leaving answers
TUNED: Final = ("movies", "vehicles", "goodbooks", "packages", "cities", "artsmia")  # parameters were chosen on these
SEEDS: Final = (1, 2, 3, 4)
MARKS: Final = (50, 80, 85, 90, 95)  # percent
LIMITS: Final = (10, 50)
CRAWLS: Final = 6  # independent ones, for the size by overlap
BUDGET: Final = (
    10_000 / 3_700
)  # requests for each page of ten of the source: 10,000 for Amazon's 37,000 records (Fig. 5, 6)
SMALLER: Final = ", 30 %"  # of a kin's records by chance, where they have no year to cut by


@dataclass(frozen=True, slots=True)
class Pair:
    """A source that is harvested with a table of its kin: DM(I), and DM(II) of a part of it."""

    large: str
    small: str
    database: str


# two cuts by year, as in the paper; the films that are harvested are since 1900, where Amazon's DVDs are of later ones
FILMS: Final = Pair("films since 1900", "films since 1960", "movies")
PAIRS: Final = (
    FILMS,
    Pair("gutenberg", "gutenberg" + SMALLER, "goodbooks"),
)
MORE_PAIRS: Final = (
    Pair("packages-old", "packages-old" + SMALLER, "packages"),
    Pair("artsmia", "artsmia" + SMALLER, "tate"),
    Pair("cities-500", "cities-500" + SMALLER, "cities"),
    Pair("goodbooks", "goodbooks" + SMALLER, "gutenberg"),
    Pair("tate", "tate" + SMALLER, "artsmia"),
)
MISFITS: Final = (("tate", "movies"), ("vehicles", "goodbooks"), ("movies", "vehicles"))  # no kin


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    databases: tuple[str, ...]
    aborting: tuple[str, ...]  # databases on which leaving answers is measured
    pairs: tuple[Pair, ...]
    records: int = 0  # of each database, by chance; 0 for all
    seeds: tuple[int, ...] = SEEDS

    def to_json(self) -> dict[str, Any]:
        """Write it down."""
        return asdict(self)


EXTENTS: Final = {
    "short": Extent(
        ("movies", "vehicles", "goodbooks", "gutenberg"),
        ("goodbooks",),
        PAIRS,
        records=10_000,
    ),
    "full": Extent(tuple(DATABASES), tuple(DATABASES), PAIRS + MORE_PAIRS),
}
