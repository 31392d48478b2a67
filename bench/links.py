"""Following links on sites that were not learned from: real software, real sites that were kept, and the simulated family B.

The prior of `learned` is fitted once for each program of the real web without that program (leave one software out), for
the kept sites without an eighth of them at a time, and never with family B. Strategies are replayed over recordings whose
forms are labelled with the truth, so that what is measured is the choice of links. `--parts ship` writes the model that
comes with Dowse, fitted on everything but family B.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Any

import uvloop

from bench.options import Options
from bench.paper1.real import find_entrance, read_manuals, read_webkb, serve
from bench.places import LABELS
from bench.realweb.recordings import load_recordings, relabel
from bench.report import markdown_table
from dowse.crawl.site import search_site
from dowse.model import Door, Judgement
from dowse.sample.record import Recording, count_queries, record_site
from dowse.sample.replay import replay_search
from dowse.sim import World
from dowse.strategy import Strategy, build_strategy
from dowse.strategy.learned import MODEL, LearnedStrategy, LinkModel
from dowse.train.links import (
    GRID,
    REAL_WEIGHT,
    FollowedLink,
    TrainingSites,
    fit_prior,
    record_world,
    set_worths,
    walk_all,
    write_model,
)

TITLE = "Following links on sites that were not learned from"
LEARNED_SEED, HELD_SEED = 101, 301  # worlds of family A: to learn from, to choose what a page must promise
FOLDS = 8  # of the kept sites
STRATEGIES = ("exhaustive:0", "exhaustive:1", "exhaustive:3", "tagpath", "learned:0.02", "learned")
WANTED_COVERAGE = 0.944  # of family B, at which the harvest counts
AUDIT = 0.05
MAX_LABELLED_NAMES = 60  # characters of the names of its fields by which a labelled form is known


@dataclass(frozen=True, slots=True)
class Extent:
    """How many simulated sites are recorded."""

    learned: int
    held: int


EXTENTS = {"short": Extent(300, 100), "full": Extent(1000, 120)}


@dataclass(frozen=True, slots=True)
class HeldSite:
    """A site with a prior that was fitted without it."""

    source: str
    name: str
    recording: Recording
    model: LinkModel


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a strategy gave on a site."""

    source: str
    pages: int
    forms: int
    total: int


def run(options: Options) -> dict[str, object]:
    """Fit, leave out, replay."""
    extent = EXTENTS[options.extent]
    say = options.say
    real = load_recordings(say)
    kept = uvloop.run(record_kept())
    world = record_world(World(LEARNED_SEED, extent.learned), range(extent.learned))
    apart = record_world(World(HELD_SEED, extent.held), range(extent.held))
    say(f"    {len(real)} programs, {len(kept)} kept sites, {len(world)} + {len(apart)} sites of family A")
    groups = [TrainingSites(world), TrainingSites(list(real.values()), REAL_WEIGHT), TrainingSites(kept, REAL_WEIGHT)]
    say("    recorded")
    walked = walk_all(groups, say=lambda line: say(f"    {line}"))
    whole = fit_without(walked, set(), set())
    held = leave_out(walked, list(real), list(real.values()), kept)
    held += [HeldSite("family A", str(place), each, whole) for place, each in enumerate(apart)]
    say("    fitted")
    settings = {worth: sum_up([play(each, LearnedStrategy(worth, each.model)) for each in held]) for worth in GRID}
    shipped = set_worths(whole, {worth: told["coverage"] for worth, told in settings.items()})
    if "ship" in options.parts:
        say(f"    {MODEL}: {write_model(shipped, MODEL):,} bytes")
    family_b = record_world(World(options.seed, 2 * extent.held, family="B"), range(2 * extent.held))
    held += [HeldSite("family B", str(place), each, shipped) for place, each in enumerate(family_b)]
    rows = {name: [play(each, open_strategy(name, each.model, shipped)) for each in held] for name in STRATEGIES}
    return tell(rows, [each for each in held if each.source == "family B"], settings, shipped)


async def record_kept() -> list[Recording]:
    """Record the university hosts of 1997 and the manuals that were kept, with their forms as they were labelled by hand."""
    sites = [*read_webkb().values(), *read_manuals().values()]
    recordings = [await record_site(find_entrance(pages), search_site, serve(pages), site_pages=500) for pages in sites]
    with (LABELS / "kept_forms.tsv").open(encoding="utf-8") as lines:
        kinds = {
            (row["page"], row["action"], row["fields"]): row["kind"] for row in csv.DictReader(lines, delimiter="\t")
        }

    def label(door: Door) -> Door:
        names = ",".join(dict.fromkeys(field.name for field in door.form.fields if field.name))[:MAX_LABELLED_NAMES]
        return replace(door, judgement=Judgement(kinds.get((door.page, door.form.action, names), "other"), 1.0))

    return [relabel(each, label) for each in recordings if not each.search.error]


Walked = Sequence[Sequence[Sequence[FollowedLink]]]


def fit_without(walked: Walked, programs: set[int], hosts: set[int]) -> LinkModel:
    """Fit the prior without some programs and some kept sites."""
    sites = [(each, 1.0) for each in walked[0]]
    sites += [(each, REAL_WEIGHT) for place, each in enumerate(walked[1]) if place not in programs]
    sites += [(each, REAL_WEIGHT) for place, each in enumerate(walked[2]) if place not in hosts]
    return fit_prior(sites)


def leave_out(walked: Walked, names: list[str], real: list[Recording], kept: list[Recording]) -> list[HeldSite]:
    """Return each program, and each kept site, with a prior that was fitted without it."""
    order = list(range(len(kept)))
    Random(1).shuffle(order)
    held = []
    for place, recording in enumerate(real):
        hosts = set(order[place % FOLDS :: FOLDS])
        model = fit_without(walked, {place}, hosts)
        held.append(HeldSite("real software", names[place], recording, model))
        if place < FOLDS:
            held += [HeldSite("kept sites", str(host), kept[host], model) for host in sorted(hosts)]
    return held


def open_strategy(name: str, model: LinkModel, shipped: LinkModel) -> Strategy:
    """Return a strategy; one that learns has the prior that was fitted without the site, as thorough as where few sites wait."""
    if not name.startswith("learned"):
        return build_strategy(name)
    return LearnedStrategy(float(name.partition(":")[2] or shipped.thorough_worth), model)


def play(held: HeldSite, strategy: Strategy) -> Replayed:
    """Replay a strategy with its audit."""
    observer = LearnedStrategy(0.0, held.model)
    search, _ = replay_search(held.recording, search_site, strategy, site_pages=500, audit=AUDIT, observer=observer)
    return Replayed(held.source, len(search.visits), count_queries(search), held.recording.total)


def sum_up(rows: Sequence[Replayed]) -> dict[str, Any]:
    """Return the pages and forms of all sites."""
    pages, forms, total = (sum(getattr(each, what) for each in rows) for what in ("pages", "forms", "total"))
    return {
        "pages": pages,
        "forms": forms,
        "total": total,
        "harvest": forms / max(1, pages),
        "coverage": forms / max(1, total),
    }


def tell(
    rows: Mapping[str, Sequence[Replayed]],
    family_b: Sequence[HeldSite],
    settings: Mapping[float, Any],
    shipped: LinkModel,
) -> dict[str, object]:
    """Return the tables, and the figures that must be reached."""
    sources = list(dict.fromkeys(each.source for each in next(iter(rows.values()))))
    tables = {
        source: {name: sum_up([each for each in some if each.source == source]) for name, some in rows.items()}
        for source in sources
    }
    curve = [
        (told["coverage"], told["harvest"])
        for told in (sum_up([play(each, LearnedStrategy(worth, each.model)) for each in family_b]) for worth in GRID)
    ]
    figures: dict[str, Any] = {"harvest of B": interpolate(curve, WANTED_COVERAGE)}
    for source in sources:
        ours, usual = tables[source]["learned"], tables[source]["exhaustive:3"]
        figures[source] = {"coverage": ours["coverage"], "pages": ours["pages"] / max(1, usual["pages"])}
    return {
        "tables": tables,
        "curve of B": curve,
        "settings": {str(worth): told for worth, told in settings.items()},
        "worths": {"many": shipped.page_worth, "few": shipped.thorough_worth},
        "medians": figures,
    }


def interpolate(curve: Sequence[tuple[float, float]], coverage: float) -> float:
    """Return the harvest where a curve has this coverage; nothing where it never has."""
    ranked = sorted(curve)
    for (low, more), (high, less) in pairwise(ranked):
        if low <= coverage <= high:
            share = (coverage - low) / (high - low) if high > low else 0.0
            return more + share * (less - more)
    return ranked[-1][1] if ranked and ranked[0][0] > coverage else 0.0


def table(result: dict[str, Any]) -> str:
    """Return the tables of the page."""
    parts = []
    for source, strategies in result["tables"].items():
        rows = [
            [name, f"{told['pages']:,}", f"{told['forms']} of {told['total']}", f"{told['coverage']:.3f}", f"{told['harvest']:.4f}"]
            for name, told in strategies.items()
        ]  # fmt: skip
        heads = ["strategy", "pages", "query forms", "coverage", "harvest"]
        parts.append(f"**{source}**\n\n" + markdown_table(heads, rows, len(heads)))
    curve = [[f"{coverage:.3f}", f"{harvest:.4f}"] for coverage, harvest in result["curve of B"]]
    parts.append("**family B: harvest by coverage**\n\n" + markdown_table(["coverage", "harvest"], curve, 2))
    return "\n\n".join(parts)


def notes(result: dict[str, Any]) -> str:
    """Return what the tables mean."""
    worths = result["worths"]
    return (
        "Real software: each program with a prior that has not seen it; forms are the true ones, so this measures the choice of"
        " links. Kept sites: university hosts of 1997 and two manuals. Family B was not learned from."
        f" A page has to promise {worths['many']:g} query forms where"
        f" many sites wait, {worths['few']:g} where none does. Harvest of family B at coverage {WANTED_COVERAGE}:"
        f" {result['medians']['harvest of B']:.4f}."
    )
