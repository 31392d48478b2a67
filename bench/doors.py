"""Telling the doors of databases from all else, at every depth, and what that adds to the reading of a page.

Every form of a world is judged on the page it stands on first, read as the program reads it: as
it came, or as a browser shows it where the page says that one is needed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from bench.doortimes import measure_crawl, measure_real
from bench.install import Missing
from bench.intervals import explain_intervals, measure_interval, write_interval
from bench.kinds import confuse
from bench.options import Options
from bench.report import markdown_table
from dowse.errors import BadInput
from dowse.fetch.build import Fetches, with_browser, wrap_fetch
from dowse.fetch.chromium import require_chromium
from dowse.model import KINDS, Door, Failure
from dowse.settings import FetchSettings
from dowse.sim import SiteTruth, World, simulate
from dowse.sim.truth import FormTruth
from dowse.step.probe import probe_doors
from dowse.step.visit import Inspection, inspect

TITLE = "Telling the doors of databases from all else"
FAMILY = "B"
EXTENTS = {"short": 400, "full": 1000}  # sites
WANTED, UNSEEN = "database", "not seen"
GROUPS = ("depth", "made", "language")
DEEPEST = 5  # all that stands deeper is one group
LEAST_FORMS = 30  # query forms that a depth must have for its figures to count alone
PASSES = 3
FIGURES = ("precision", "recall")


@dataclass(frozen=True, slots=True)
class Seen:
    """A true form, what it was taken for, and where it stands; or a door that is no true form."""

    kind: str  # what it is; nothing for a door that is no form of the site
    said: str
    depth: str
    made: str
    language: str
    asked: str = ""  # what it was taken for after a few questions, where it could be asked

    @property
    def right(self) -> bool:
        """Whether it is a database's door and said to be one."""
        return self.kind == self.said == WANTED


def run(options: Options, family: str = FAMILY) -> dict[str, object]:
    """Judge the forms of a world for each seed; take the times in fresh processes."""
    try:
        require_chromium()
    except BadInput as error:
        raise Missing(str(error)) from None
    seeds, sites = [options.seed + repeat for repeat in range(options.repeats)], EXTENTS[options.extent]
    runs: list[list[Seen]] = []
    for seed in seeds:
        runs.append(asyncio.run(_gather(World(seed, sites, family=family))))
        figures = count_figures(runs[-1])
        options.say(
            f"  seed {seed}: {len(runs[-1])} forms, " + ", ".join(f"{name} {figures[name]:.3f}" for name in FIGURES)
        )
    times = {
        "real pages, each alone": [measure_real() for _ in range(PASSES)],
        "pages of a search": [measure_crawl(options.seed, family) for _ in range(PASSES)],
    }
    return {"seeds": seeds, "settings": {"family": family, "sites": sites}, **sum_up(runs, times)}


async def _gather(world: World) -> list[Seen]:
    async with with_browser(wrap_fetch(simulate(world)), FetchSettings(render="auto")) as fetches:
        return [one for truth in world.truth() if truth.reachable async for one in _judge_site(truth, fetches)]


async def _judge_site(truth: SiteTruth, fetches: Fetches) -> AsyncIterator[Seen]:
    """Give every true form of a site once, and every other door that is said to be a database's."""
    pages: dict[str, list[FormTruth]] = {}
    for form in truth.forms:
        if form.reachable and not form.same_as:
            pages.setdefault(form.page, []).append(form)
    claimed: set[tuple[str, frozenset[str]]] = set()
    for url, forms in pages.items():
        seen = await inspect(url, fetches.anywhere, fetches.render)
        doors = () if isinstance(seen, Failure) else seen.doors
        for form in forms:
            door = next((door for door in doors if is_same(form, door)), None)
            said = door.judgement.kind if door else UNSEEN
            asked = await _ask(door, fetches, seen) if door else ""
            yield Seen(form.kind, said, _group_depth(form.depth), form.made, truth.language, asked)
        for door in find_strangers(doors, truth, claimed):
            yield Seen("", WANTED, _group_depth(forms[0].depth), door.form.made, truth.language)


async def _ask(door: Door, fetches: Fetches, seen: Inspection | Failure) -> str:
    """Return the kind of a door after it was asked what `dowse find --probe` asks."""
    page = None if isinstance(seen, Failure) else seen.page
    (asked,) = await probe_doors([door], fetches.anywhere, page)
    return asked.judgement.kind


def after_asking(seen: Iterable[Seen]) -> list[Seen]:
    """Return what each was taken for in the end."""
    return [replace(one, said=one.asked or one.said) for one in seen]


def _group_depth(depth: int) -> str:
    return str(depth) if depth < DEEPEST else f"{DEEPEST}+"


def is_same(form: FormTruth, door: Door) -> bool:
    """Return True if a door is this true form: its address and the names of its fields, buttons aside."""
    return door.form.action == form.action and _names(door) - set(form.buttons) == set(form.fields)


def _names(door: Door) -> frozenset[str]:
    return frozenset(field.name for field in door.form.fields if field.name)


def find_strangers(doors: Iterable[Door], truth: SiteTruth, claimed: set[tuple[str, frozenset[str]]]) -> Iterator[Door]:
    """Give the doors that are said to be a database's and are no form of the site nor a declared way to its databases.

    Each is given once for a site; those that were given before are claimed.
    """
    declared = {door.template.partition("?")[0] for database in truth.databases for door in database.doors}
    for door in doors:
        name = door.form.action, _names(door)
        known = door.form.action.partition("?")[0] in declared or any(is_same(form, door) for form in truth.forms)
        if door.judgement.kind == WANTED and not known and name not in claimed:
            claimed.add(name)
            yield door


def count_figures(seen: Iterable[Seen]) -> dict[str, float]:
    """Return precision and recall for query forms, and how many there are."""
    seen = list(seen)
    right, wanted = sum(one.right for one in seen), sum(one.kind == WANTED for one in seen)
    claimed = sum(one.said == WANTED for one in seen)
    return {
        "precision": right / claimed if claimed else 1.0,
        "recall": right / wanted if wanted else 1.0,
        "forms": wanted,
        "claimed": claimed,
        "right": right,
    }


def sum_up(runs: Sequence[Sequence[Seen]], times: dict[str, list[dict[str, float]]]) -> dict[str, Any]:
    """Return figures over seeds, groups of all seeds together, confusion and shares of time."""
    figures = [count_figures(one) for one in runs]
    every = [one for some in runs for one in some]
    asked = [count_figures(after_asking(one)) for one in runs]
    intervals = {name: measure_interval([one[name] for one in figures]).to_json() for name in FIGURES}
    groups = {group: count_group(every, group) for group in GROUPS}
    shares = {name: {way: median(one[way] for one in some) for way in some[0]} for name, some in times.items()}
    deep = [one for one in groups["depth"].values() if one["forms"] >= LEAST_FORMS]
    worst = {f"least {name} at a depth": min((one[name] for one in deep), default=None) for name in FIGURES}
    return {
        "runs": figures,
        "intervals": intervals,
        "asked": {name: measure_interval([one[name] for one in asked]).to_json() for name in FIGURES},
        "asked by depth": count_group(after_asking(every), "depth"),
        "groups": groups,
        "confusion": confuse((one.kind or "no form", one.said) for one in every),
        "times": times,
        "medians": {
            **{name: intervals[name]["median"] for name in FIGURES},
            **worst,
            **{f"{name} after asking": median(one[name] for one in asked) for name in FIGURES},
            "time": shares,
        },
    }


def count_group(seen: Iterable[Seen], group: str) -> dict[str, dict[str, float]]:
    """Return the figures for each value of a group; doors that are no form count where they stand, made as they are."""
    parts: dict[str, list[Seen]] = {}
    for one in seen:
        parts.setdefault(getattr(one, group), []).append(one)
    return {value: count_figures(parts[value]) for value in sorted(parts)}


def table(result: dict[str, Any]) -> str:
    """Precision and recall, by groups; the confusion of kinds; shares of time."""
    parts = [
        _figures_table(result),
        "## What each kind is taken for",
        _confusion_table(result["confusion"]),
        "## What extraction and judgement add",
        _times_table(result["medians"]["time"]),
    ]
    return "\n\n".join(parts)


def _figures_table(result: dict[str, Any]) -> str:
    rows = [
        [
            "all, median of the seeds",
            str(sum(one["forms"] for one in result["runs"])),
            *(write_interval(result["intervals"][name], ".1%") for name in FIGURES),
        ]
    ]
    rows.append(["all, after asking", rows[0][1], *(write_interval(result["asked"][name], ".1%") for name in FIGURES)])
    groups = {**result["groups"], "after asking, depth": result["asked by depth"]}
    for group, values in groups.items():
        for value, one in values.items():
            rows.append([f"{group}: {value}", str(one["forms"]), *(_share(one, name) for name in FIGURES)])
    return markdown_table(["query forms", "there are", "precision", "recall"], rows, numbers=3)


def _share(one: dict[str, float], name: str) -> str:
    whole = one["claimed"] if name == "precision" else one["forms"]
    return f"{one[name]:.1%}" if whole else ""


def _confusion_table(counts: dict[str, dict[str, int]]) -> str:
    said = {kind for row in counts.values() for kind in row}
    columns = [kind for kind in (*KINDS, UNSEEN) if kind in said]
    rows = [
        [kind, *(str(counts[kind].get(column, 0)) for column in columns)]
        for kind in (*KINDS, "no form")
        if kind in counts
    ]
    return markdown_table(["is / is taken for", *columns], rows, numbers=len(columns))


def _times_table(shares: dict[str, dict[str, float]]) -> str:
    rows = [
        [
            name,
            f"{one['pages']:,.0f}",
            f"{one['read ms']:.3f}",
            f"{one['tree ms']:.3f}",
            f"{one['extract ms']:.3f}",
            f"{one['judge ms']:.3f}",
            f"{one['kind ms']:.3f} + {one['structure ms']:.3f} + {one['signature ms']:.3f}",
            f"{one['share of reading']:.1%}",
            f"{one['share of the tree']:.1%}",
        ]
        for name, one in shares.items()
    ]
    heads = [
        "",
        "pages",
        "reading without forms, ms",
        "the tree alone, ms",
        "extraction, ms",
        "judgement, ms",
        "of it kind + conditions + signature",
    ]
    return markdown_table([*heads, "added to reading", "added to the tree alone"], rows, numbers=8)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    settings = result["settings"]
    return (
        f"Every form of {settings['sites']} sites of family {settings['family']} that a polite crawler can reach and that is no copy, once for each site, judged on the page "
        "where it stands first; pages that show too little as they came are opened in a browser, as `--render auto` does. "
        f"{explain_intervals(result['intervals']['precision'], 'seeds')} The groups and the kinds add up all seeds. *made*: `formless` has controls and no form element, "
        "`script` stands on the page only after scripts have run. A form that was not seen with its address and its fields is missed; a door that is no form of the site "
        "and no declared way to its databases, and is said to be a database's, is a wrong claim where it stands. "
        "*After asking*: a door that may be asked (GET, and searchable on the page) got the at most 4 requests of `--probe`, and what it answered decided "
        "between a database and a search of the site. "
        "Times are of one core, medians of passes in fresh processes: extraction is finding and reading forms with their labels, judgement the kind, "
        "the conditions and the signature; added to all else that reading a page takes, and to parsing its tree alone. "
        "Real pages are those of the package `formasaurus`, each read alone; in a search, forms that stood on an earlier page are not read again. "
        "The evidence, the lexicon and the constants were chosen on family A and on real forms; of B only these figures and the table of kinds were looked at meanwhile."
    )
