"""How often the coverage that a search claims is true: each strategy, on sites that neither its prior nor the estimate was fitted on.

Sites are recorded, priors are fitted without the site, strategies are replayed with their audit; all of that is kept in
`.bench/coverage` for as long as the source it hangs on stays the same. Then the numbers of `dowse.yields.missed` are fitted without the
site that is judged (real software: without the program; kept sites and family A: without an eighth of them; family B: without
all of it), and intervals are taken over samples of sites. `--parts fit` prints the numbers fitted on everything but family B.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from hashlib import sha256
from inspect import getsource
from random import Random
from statistics import median
from typing import Any

import numpy as np
import uvloop
from scipy.optimize import minimize
from scipy.special import gammaln

from bench.links import (
    EXTENTS,
    FOLDS,
    HELD_SEED,
    LEARNED_SEED,
    HeldSite,
    fit_without,
    leave_out,
    record_kept,
)
from bench.options import Options
from bench.places import ROOT, SCRATCH
from bench.realweb.recordings import load_recordings
from bench.report import markdown_table
from dowse.crawl.site import search_site
from dowse.model import LeftBehind, LinkCluster
from dowse.sample.record import Recording, count_queries
from dowse.sample.replay import replay_search
from dowse.sim import World
from dowse.strategy import Strategy, build_strategy
from dowse.strategy.learned import LearnedStrategy, read_model
from dowse.train.links import REAL_WEIGHT, TrainingSites, record_world, walk_all
from dowse.yields.missed import FITTED, MissedModel, estimate_found, expect_cluster, sum_clusters

TITLE = "Coverage that a search claims"
STRATEGIES = (
    "exhaustive:0", "exhaustive:1", "exhaustive:2", "exhaustive:3", "tagpath",
    "learned:0.05", "learned:0.02", "learned:0.01", "learned",
)  # fmt: skip
AUDIT = 0.05
SITE_PAGES = 500
DRAWS = 100  # samples of sites for each interval
DOORS = (30, 10)  # query forms in a sample
REAL, FAMILY_B = "real software", "family B"
START = (
    0.4,
    0.6,
    0.3,
    0.7,
    -1.2,
)  # where the fit begins: factor and power where forms were found and where none, shape
STRENGTHS = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0, 11.0, 16.0)  # that are tried
RULED_OUT = 1.35  # below the highest log likelihood: one-sided, at 95 %; with three sorts of sites the highest itself says little
RECORDING = ("crawl", "fetch", "form", "page", "sample", "sim", "step", "tree")  # packages that recordings hang on
FOLLOWING = ("strategy", "train", "learn")  # and those that priors and replays hang on


@dataclass(frozen=True, slots=True)
class AuditedSearch:
    """What a strategy gave on a site, and what it left."""

    strategy: str
    source: str
    site: str
    pages: int
    found: int
    total: int
    left: LeftBehind
    clusters: tuple[LinkCluster, ...]

    @property
    def missed(self) -> int:
        """Query forms that were not found."""
        return max(0, self.total - self.found)


def run(options: Options) -> dict[str, object]:
    """Record, fit, replay, as far as that is not kept; then judge the intervals."""
    held = keep("priors", (*RECORDING, *FOLLOWING), lambda: hold_out(options))
    rows: list[AuditedSearch] = []
    for name in STRATEGIES:
        rows += keep(
            f"replays {name}", (*RECORDING, *FOLLOWING), partial(replay, name, held), getsource(expect_cluster)
        )
        options.say(f"    {name}: {sum(each.found for each in rows if each.strategy == name)} query forms")
    known = [each for each in rows if each.source != FAMILY_B]
    whole = fit_missed(known)
    options.say(f"    fitted on all but family B: {whole}")
    models = {} if "fit" in options.parts else cross_fit(known)
    recorded = {each.name: len(each.recording.visits) for each in held if each.source == REAL}
    return judge(rows, models, whole) | {"recorded": recorded}


def keep(name: str, packages: Iterable[str], make: Callable[[], Any], also: str = "") -> Any:
    """Return what was made before with the same source of packages, and of what else it hangs on; or make it now."""
    files = [path for package in packages for path in (ROOT / "dowse" / package).rglob("*.py")]
    mark = sha256(b"".join(path.read_bytes() for path in sorted(files)) + also.encode()).hexdigest()[:12]
    path = SCRATCH / "coverage" / f"{name.replace(' ', '-').replace(':', '-')}-{mark}.pickle"
    if path.exists():
        return pickle.loads(path.read_bytes())
    made = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    for older in path.parent.glob(path.name.replace(mark, "?" * len(mark))):
        older.unlink()
    path.write_bytes(pickle.dumps(made))
    return made


# -- what is searched


def hold_out(options: Options) -> list[HeldSite]:
    """Return every site with a prior that was fitted without it."""
    extent, say = EXTENTS["short"], options.say
    real = keep("real software", RECORDING, lambda: load_recordings(say))
    kept = keep("kept sites", RECORDING, lambda: uvloop.run(record_kept()))
    world = keep("family A learned", RECORDING, lambda: record_family("A", LEARNED_SEED, extent.learned))
    apart = keep("family A", RECORDING, lambda: record_family("A", HELD_SEED, extent.held))
    others = keep(FAMILY_B, RECORDING, lambda: record_family("B", options.seed, 2 * extent.held))
    say(f"    {len(real)} programs, {len(kept)} kept sites, {len(apart)} + {len(others)} sites of families A and B")
    groups = [TrainingSites(world), TrainingSites(list(real.values()), REAL_WEIGHT), TrainingSites(kept, REAL_WEIGHT)]
    walked = walk_all(groups, say=lambda line: say(f"    {line}"))
    held = leave_out(walked, list(real), list(real.values()), kept)
    whole = fit_without(walked, set(), set())
    held += [HeldSite("family A", str(place), each, whole) for place, each in enumerate(apart)]
    return held + [HeldSite(FAMILY_B, str(place), each, whole) for place, each in enumerate(others)]


def record_family(family: str, seed: int, sites: int) -> list[Recording]:
    """Record simulated sites."""
    return record_world(World(seed, sites, family=family), range(sites))


def replay(name: str, held: Sequence[HeldSite]) -> list[AuditedSearch]:
    """Replay a strategy with its audit over every site."""
    rows = []
    for each in held:
        learned = LearnedStrategy(0.0, each.model)
        strategy: Strategy = build_strategy(name)
        if name.startswith("learned"):
            strategy = LearnedStrategy(float(name.partition(":")[2] or read_model().thorough_worth), each.model)
        search, _ = replay_search(
            each.recording, search_site, strategy, site_pages=SITE_PAGES, audit=AUDIT, observer=learned
        )
        left = search.left_behind or LeftBehind()
        found, total = count_queries(search), each.recording.total
        rows.append(
            AuditedSearch(name, each.source, each.name, len(search.visits), found, total, left, search.clusters)
        )
    return rows


# -- the numbers of the estimate


def fit_missed(rows: Sequence[AuditedSearch]) -> MissedModel:
    """Fit by likelihood what a site is missing, and how far that holds for a sort of sites that was left out of the fit."""
    fitted = fit_sites(rows)
    sorts = [[each for each in rows if each.source == source] for source in dict.fromkeys(each.source for each in rows)]
    apart = [fit_sites([each for each in rows if each.source != some[0].source]) for some in sorts]
    likely = {
        strength: sum(weigh_sort(some, model, strength) for some, model in zip(sorts, apart, strict=True))
        for strength in STRENGTHS
    }
    strength = min(each for each, told in likely.items() if told >= max(likely.values()) - RULED_OUT)
    return replace(fitted, strength=strength)


def fit_sites(rows: Sequence[AuditedSearch]) -> MissedModel:
    """Fit the two factors, the two powers and the shape: what sites are missing is negative binomial."""
    missed = np.array([each.missed for each in rows], float)
    found = np.array([bool(each.found) for each in rows])
    promised = np.array([sum(map(expect_cluster, each.clusters)) for each in rows])

    def expect(numbers: Any) -> Any:
        some, none = (np.exp(numbers[at]) * np.maximum(promised, 1e-9) ** numbers[at + 1] for at in (0, 2))
        return np.where(promised > 0, np.where(found, some, none), 0.0)

    def cost(numbers: Any) -> float:
        if min(numbers[1], numbers[3]) < 0.1 or abs(numbers[4]) > 4:
            return math.inf
        return float(-weigh_counts(missed, expect(numbers), math.exp(numbers[4])).sum())

    found_best = minimize(cost, START, method="Nelder-Mead", options={"maxiter": 2000, "fatol": 0.01, "adaptive": True})
    some, more, none, less, shape = (float(number) for number in found_best.x)
    return MissedModel(
        (round(math.exp(some), 3), round(more, 3)),
        (round(math.exp(none), 3), round(less, 3)),
        round(math.exp(shape), 3),
    )


def weigh_sort(rows: Sequence[AuditedSearch], model: MissedModel, strength: float) -> float:
    """Return the log likelihood of what each strategy missed on a sort of sites, when the factor is known by so many forms."""
    told = 0.0
    for name in dict.fromkeys(each.strategy for each in rows):
        some = [each for each in rows if each.strategy == name]
        means = [sum_clusters(each.clusters, each.found, 0, 0, model).expected for each in some]
        mean, spread = sum(means), sum(each**2 for each in means) / model.site_shape + sum(means) ** 2 / strength
        told += float(weigh_counts(sum(each.missed for each in some), mean, mean**2 / spread))
    return told


def weigh_counts(counts: Any, mean: Any, shape: Any) -> Any:
    """Return the log likelihood of negative binomial counts."""
    mean = np.maximum(mean, 1e-6)
    known = gammaln(counts + shape) - gammaln(shape) - gammaln(counts + 1)
    return known + shape * np.log(shape / (shape + mean)) + counts * np.log(mean / (shape + mean))


def cross_fit(rows: Sequence[AuditedSearch]) -> dict[tuple[str, str], MissedModel]:
    """Return for each site the numbers that were fitted without it, and without those of its fold."""
    models: dict[tuple[str, str], MissedModel] = {}
    sites = sorted({(each.source, each.site) for each in rows})
    for source in dict.fromkeys(source for source, _ in sites):
        names = [name for other, name in sites if other == source]
        folds = len(names) if source == REAL else FOLDS
        for fold in range(folds):
            out = {(source, name) for name in names[fold::folds]}
            fitted = fit_missed([each for each in rows if (each.source, each.site) not in out])
            models |= dict.fromkeys(out, fitted)
    return models


# -- how often intervals hold


def judge(
    rows: Sequence[AuditedSearch], models: Mapping[tuple[str, str], MissedModel], whole: MissedModel
) -> dict[str, object]:
    """Return for each strategy and sort of sites how often intervals over samples of sites hold, and how wide they are."""
    told: dict[str, dict[str, Any]] = {}
    for source in dict.fromkeys(each.source for each in rows):
        for name in STRATEGIES:
            some = [each for each in rows if (each.source, each.strategy) == (source, name)]
            lefts = [
                sum_clusters(
                    each.clusters,
                    each.found,
                    each.left.pages,
                    each.left.drawn_forms,
                    models.get((source, each.site), whole),
                )
                for each in some
            ]
            row: dict[str, Any] = {
                what: sum(getattr(each, what) for each in some) for what in ("pages", "found", "total", "missed")
            }
            row["expected"] = sum(left.expected for left in lefts)
            row["drawn"] = [
                sum(getattr(left, what) for left in lefts) for what in ("pages", "drawn_expected", "drawn_forms")
            ]
            for doors in DOORS:
                row[str(doors)] = hold(some, lefts, models, whole, doors)
            told.setdefault(source, {})[name] = row
    figures: dict[str, dict[str, Any]] = {}
    for source, strategies in told.items():
        figures[source] = {
            name: {what: row["30"][what] for what in ("held", "width")} for name, row in strategies.items()
        }
        figures[source]["least held"] = min(
            row["30"]["held"] for row in strategies.values() if row["30"]["held"] is not None
        )
    return {"rows": told, "fitted": list(astuple(whole)), "shipped": list(astuple(FITTED)), "medians": figures}


def hold(
    rows: Sequence[AuditedSearch],
    lefts: Sequence[LeftBehind],
    models: Mapping[tuple[str, str], MissedModel],
    whole: MissedModel,
    doors: int,
) -> dict[str, Any]:
    """Take intervals over samples of sites that have so many query forms together."""
    rng, places = Random(1), range(len(rows))
    held, widths = 0, []
    for _ in range(DRAWS):
        sample: list[int] = []
        while sum(rows[place].total for place in sample) < doors:
            sample.append(rng.choice(places))
        model = models.get((rows[sample[0]].source, rows[sample[0]].site), whole)
        found, total = (sum(getattr(rows[place], what) for place in sample) for what in ("found", "total"))
        left = LeftBehind(*map(sum, zip(*(lefts[place] for place in sample), strict=True)))
        interval = estimate_found(found, left, model)
        if interval is not None:
            held += interval.low <= found / total <= interval.high
            widths.append(interval.high - interval.low)
    return {
        "held": held / len(widths) if widths else None,
        "width": median(widths) if widths else None,
        "unknown": 1 - len(widths) / DRAWS,
    }


def table(result: dict[str, Any]) -> str:
    """Return a table for each sort of sites."""
    heads = ["strategy", "pages", "query forms", "missed", "expected to be missed"]
    heads += [f"{doors} doors: {what}" for doors in DOORS for what in ("held", "width", "unknown")]
    parts = []
    for source, strategies in result["rows"].items():
        rows = [
            [name, f"{row['pages']:,}", f"{row['found']} of {row['total']}", str(row["missed"]), f"{row['expected']:.1f}",
             *(_write(row[str(doors)][what]) for doors in DOORS for what in ("held", "width", "unknown"))]
            for name, row in strategies.items()
        ]  # fmt: skip
        parts.append(f"**{source}**\n\n" + markdown_table(heads, rows, len(heads)))
    return "\n\n".join(parts)


def _write(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.2f}"


def notes(result: dict[str, Any]) -> str:
    """Return what the tables mean."""
    pages = list(result["recorded"].values())
    return (
        f"An interval of 95 % is taken over a sample of sites with {DOORS[0]} query forms together, or {DOORS[1]}, {DRAWS} times; sites are"
        " drawn with replacement. *Unknown*: the interval would be too wide to say anything. Forms are the true ones, and each"
        " site's prior and the numbers of the estimate were fitted without it (real software: without the program), and never"
        f" with family B; of a sample, shape and strength are those fitted without its first site. {len(pages)} programs, of which up to"
        f" {max(pages)} pages were recorded, of the middle one {median(pages):.0f}; forms beyond those pages count for nothing. The form of the estimate was chosen"
        f" on all of these sites but family B; the rule for the strength was set after figures of family B with strengths 3, 6 and 12 had been seen. Fitted on everything else: {result['fitted']}; in use: {result['shipped']}."
    )
