"""What is drawn, from what kin, and what the paper says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from bench.harvest.databases import DATABASES

NAIVE: Final = ("breadth", "depth", "random")
LINKED: Final = (*NAIVE, "greedy", "mmmi")
TUNED: Final = ("movies", "vehicles", "goodbooks", "packages", "cities", "artsmia")  # parameters were chosen on these
SEEDS: Final = (1, 2, 3, 4)
MARKS: Final = (50, 80, 85, 90, 95)  # percent
SMALL: Final = 0.3  # of the kin's records, for the smaller domain table
LIMITS: Final = (10, 50)
CRAWLS: Final = 6  # independent ones, for the size by overlap
JEDAI: Final = "jedai D10"
PAIRS: Final = (  # a source that was drawn before, and its kin
    ("packages-old", "packages"),
    ("cities-500", "cities"),
    (JEDAI, "movies"),
    ("gutenberg", "goodbooks"),
    ("goodbooks", "gutenberg"),
    ("artsmia", "tate"),
    ("tate", "artsmia"),
)


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    databases: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    limited: tuple[tuple[str, str], ...]  # pairs that are drawn with limits
    seeds: tuple[int, ...] = SEEDS

    def to_json(self) -> dict[str, Any]:
        """Write it down."""
        return asdict(self)


EXTENTS: Final = {
    "short": Extent(
        ("movies", "vehicles", "goodbooks", "packages"),
        ((JEDAI, "movies"), ("packages-old", "packages"), ("gutenberg", "goodbooks")),
        (("gutenberg", "goodbooks"),),
    ),
    "full": Extent(tuple(DATABASES), PAIRS, PAIRS[:4]),
}
