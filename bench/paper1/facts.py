"""What paper 1 measured, and how much of it is measured again."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from dowse.settings import FindSettings

FAMILY = "B"  # nothing in Dowse was chosen by looking at it
DEEPEST = 10
PAPER = ("exhaustive:10", "exhaustive:3", "navmenu:10", "navmenu:3", "exhaustive:0")  # in the order of Fig. 17
BASE = "exhaustive:3"
OURS = "learned"
SETTINGS = ("learned:0.001", "learned:0.005", "learned:0.01", "learned:0.02", "learned:0.05", "learned:0.1")
RIVALS = ("navmenu:10", "navmenu:3", "tagpath")  # what ours has to beat in harvest and coverage
LOCAL = (*PAPER, "tagpath", OURS, *SETTINGS)
FIG18 = ("exhaustive:0", "navmenu:3", "navmenu:10")  # Navmenu(0) is Exhaustive(0); the widest is the last
WIDE = (*FIG18, OURS)  # Fig. 21
ORDERS = ("breadth", "depth", "random")
ADAPTIVE = tuple(f"adaptive:{t},{s},{p}" for p in ("0", "0.05", "0.1") for t in (2, 5, 10) for s in (2, 5, 10))
FINDER = FindSettings().site_strategy
PAPERS_FINDER = "adaptive:5,5,0.05"
SEEDS = 100  # sites that Random100 has

# Fig. 17: mean and half of the 95 % interval.
FIG17_HARVEST = {
    "exhaustive:10": (0.114, 0.020),
    "exhaustive:3": (0.119, 0.020),
    "navmenu:10": (0.192, 0.028),
    "navmenu:3": (0.214, 0.029),
    "exhaustive:0": (0.537, 0.049),
}
FIG17_COVERAGE = {
    "exhaustive:10": (1.0, 0.0),
    "exhaustive:3": (0.898, 0.016),
    "navmenu:10": (0.630, 0.026),
    "navmenu:3": (0.598, 0.026),
    "exhaustive:0": (0.287, 0.025),
}
# Section 6, 1a: the part of what was taken for a query form that manual inspection found to be none, "in depth 0, only 9% ...,
# while in depth 10, 60% to 70%"; and "exhaustive crawling ... has more false positives than navigational menu crawling".
FIG16_FALSE = {"exhaustive:0": "9%", "navmenu:10": "60 to 70%", "exhaustive:10": "60 to 70%"}
# Sections 3.1 and 3.3: parts within depth 3, and the depth below which there is no query form.
FIG3_WITHIN_3 = {"pages": 0.17, "query forms": 0.94, "other sites": 0.95}
FIG3_DEEPEST_FORM = 5
FIG20_SITES, FIG20_PAGES = 50_000, 110_814  # from 100 seeds
FIG21_OVER = {"breadth": 10, "depth": 400}  # "about 10 to 400 times better"


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    sites: int  # recorded, with every strategy replayed over them
    site_pages: int  # of one site at most
    trials: int = 1000  # of Fig. 5
    drawn: int = 100  # sites of a trial
    wide: int = 50_000  # sites of Fig. 18
    wide_seconds: int = 3_600  # of CPU after which no further site of Fig. 18 is begun; 37,000 took 1,809
    wide_ours: int = 5_000  # of the same sites, those that ours searches
    local: int = 100  # sites of Fig. 19
    found: int = 5_000  # sites to be found from the seeds
    world: int = 12_000  # sites that there are to be found
    list_pages: int = 5_000  # pages from the large list
    crawled: int = 10_000  # pages of Fig. 21
    cost: int = 60  # sites over which decisions are timed


EXTENTS = {
    "short": Extent(600, 500, found=50_000, world=120_000, list_pages=20_000, crawled=50_000),
    "full": Extent(
        1000, 2000, wide_ours=50_000, wide_seconds=7_200, found=50_000, world=120_000, list_pages=50_000, crawled=50_000, cost=150
    ),
    "tiny": Extent(
        12, 60, 50, 10, wide=24, wide_ours=12, local=6, found=60, world=600, list_pages=60, crawled=150, cost=6
    ),
}  # fmt: skip
KNOWN = 0.4  # of the world is on the large list


@dataclass(frozen=True, slots=True)
class Plan:
    """What one run of a part is about."""

    family: str
    seed: int
    extent: Extent

    def to_json(self) -> dict[str, Any]:
        """Return plain values for a result."""
        return {"family": self.family, "seed": self.seed, **asdict(self.extent)}
