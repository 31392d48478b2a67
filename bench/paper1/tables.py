"""The tables of the page, beside the paper's numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.paper1.crawls import compare, find_best
from bench.paper1.facts import (
    FIG3_DEEPEST_FORM,
    FIG3_WITHIN_3,
    FIG17_COVERAGE,
    FIG17_HARVEST,
    FIG20_PAGES,
    FIG20_SITES,
    FIG21_OVER,
    ORDERS,
    SEEDS,
)
from bench.paper1.wide import measure_swing
from bench.paper1.windows import count_trend, read_setting
from bench.report import markdown_table
from dowse.sample.record import WHOLE

Part = dict[str, Any]


def write_tables(parts: dict[str, Part]) -> str:
    """Return every section that was measured."""
    sections = [section for name, write in SECTIONS.items() if name in parts for section in write(parts)]
    return "\n\n".join(sections)


def write_depths(parts: dict[str, Part]) -> list[str]:
    """Fig. 3 and 5."""
    depths, trials = parts["local"]["depths"], parts["local"]["trials"]
    rows = [
        [f"{what} within depth 3", f"{published:.0%}", f"{depths['within 3'][what]:.1%}"]
        for what, published in FIG3_WITHIN_3.items()
    ]
    rows.append(["depth of the deepest query form", str(FIG3_DEEPEST_FORM), str(depths["deepest form"])])
    first = markdown_table(["figure", "paper", "measured"], rows, numbers=2)
    spread = [
        [
            figure,
            f"{one['mean']:.3f}",
            f"± {1.96 * one['error']:.3f}",
            f"{one['inside']:.1%}",
            f"{one['holding']:.1%}",
        ]
        for figure in ("harvest", "coverage")
        if (one := trials.get(figure))
    ]
    heads = ["`exhaustive:3`", "mean", "Eq. 3 for one trial", "trials inside", "trials whose own interval holds"]
    return [
        f"## Where things lie (Fig. 3)\n\n{first}",
        f"## The spread of mean yields over {trials['trials']:,} trials of {trials['sites']} sites (Fig. 5)\n\n"
        + markdown_table(heads, spread, numbers=4),
    ]


def write_local(parts: dict[str, Part]) -> list[str]:
    """Fig. 16 and 17."""
    rows = []
    for name, one in parts["local"]["strategies"].items():
        rows.append(
            [
                f"`{name}`",
                f"{one['pages']:,}",
                f"{one['forms']:,}",
                _interval(one["site harvest"]),
                _paper(FIG17_HARVEST, name),
                _interval(one["site coverage"]),
                _paper(FIG17_COVERAGE, name),
                f"{one['harvest']['value']:.4f}",
                f"{one['coverage']['value']:.3f}",
                f"{one['true coverage']:.3f}",
                f"{one['precision']:.3f}",
            ]
        )
    heads = [
        "strategy", "pages", "forms", "mean harvest", "paper", "mean coverage", "paper", "harvest of all",
        "coverage of all", "of the truth", "precision",
    ]  # fmt: skip
    many = parts["local"]["answering"]
    return [f"## Strategies for forms on {many:,} sites (Fig. 16 and 17)\n\n{markdown_table(heads, rows, numbers=10)}"]


def _paper(figures: dict[str, tuple[float, float]], name: str) -> str:
    return f"{figures[name][0]:g} ± {figures[name][1]:g}" if name in figures else ""


def _interval(interval: dict[str, Any], form: str = ".3f") -> str:
    return f"{interval['value']:{form}} ({interval['low']:{form}} to {interval['high']:{form}})"


def write_real(parts: dict[str, Part]) -> list[str]:
    """The table over real sites."""
    whole = parts["real"]["all"]
    rows = []
    for name, forms in whole["forms"].items():
        row = [f"`{name}`", f"{forms['pages']:,}"]
        for objects in ("forms", "searchable"):
            one = whole[objects][name]
            coverage = "1" if name == WHOLE else _interval(one["site coverage"])
            row += [f"{one['forms']:,}", _interval(one["site harvest"]), coverage]
            row += [f"{one['harvest']['value']:.4f}", f"{one['coverage']['value']:.3f}"]
        rows.append(row)
    heads = ["strategy", "pages"]
    for what in ("query forms", "searchable forms"):
        heads += [what, "mean harvest", "mean coverage", "of all", "of all"]
    title = f"## The same on {whole['sites']} real sites that were kept"
    return [f"{title}\n\n{markdown_table(heads, rows, numbers=11)}"]


def write_wide(parts: dict[str, Part]) -> list[str]:
    """Fig. 18."""
    rows = [
        [
            f"`{name}`",
            f"{one['pages']:,}",
            f"{one['forms']:,}",
            f"{one['harvest']:.4f}",
            f"{measure_swing(one['points']):.1%}",
        ]
        for name, one in parts["wide"]["strategies"].items()
    ]
    heads = ["strategy", "pages", "forms", "harvest", "farthest from it after a fifth of the sites"]
    title = f"## Harvest over {parts['wide']['sites']:,} sites (Fig. 18)"
    return [f"{title}\n\n{markdown_table(heads, rows, numbers=4)}"]


def write_windows(parts: dict[str, Part]) -> list[str]:
    """Fig. 19."""
    settings = parts["windows"]["settings"]
    rows = []
    for name, one in settings.items():
        numbers = [f"{each:g}" for each in read_setting(name)] if name.startswith("adaptive") else [f"`{name}`", "", ""]
        rows.append([*numbers, f"{one['pages']:,}", f"{one['found']:,}", *_yields(one)])
    heads = [
        "T",
        "S",
        "p",
        "pages",
        "other sites",
        "mean harvest",
        "mean coverage",
        "harvest of all",
        "coverage of all",
    ]
    trend = count_trend(settings)
    told = (
        f"When T falls, S grows or p grows, with the other two as they are, coverage does not fall in "
        f"{trend['coverage']:.0%} and harvest does not rise in {trend['harvest']:.0%} of the steps; the paper says so in general."
    )
    title = f"## Adaptive(T, S, p) on {parts['windows']['sites']} sites (Fig. 19)"
    return [f"{title}\n\n{markdown_table(heads, rows, numbers=8)}\n\n{told}"]


def _yields(one: Part) -> list[str]:
    means = [_interval(one[figure]) for figure in ("site harvest", "site coverage")]
    return [*means, *(f"{one[figure]['value']:.3f}" for figure in ("harvest", "coverage"))]


def write_finder(parts: dict[str, Part]) -> list[str]:
    """Fig. 20."""
    finder = parts["finder"]
    rows = [[
        f"paper, from {SEEDS} seeds", "", f"{FIG20_SITES:,}", f"{FIG20_PAGES:,}", f"{FIG20_SITES / FIG20_PAGES:.3f}",
    ]]  # fmt: skip
    starts = ((f"from {SEEDS} seeds", "seeds"), ("from a large list", "list"))
    shown = [
        (f"`{finder[by]}` {what}", finder[f"{prefix}{start}"])
        for by, prefix in (("strategy", ""), ("paper's", "paper's "))
        for what, start in starts
    ]
    for what, one in shown:
        rows.append([what, f"{one['known']:,}", f"{one['found']:,}", f"{one['pages']:,}", f"{one['harvest']:.3f}"])
    heads = ["Site Finder", "known before", "found", "pages", "new sites per page"]
    title = f"## Sites found in a world of {finder['world']:,} (Fig. 20)"
    return [f"{title}\n\n{markdown_table(heads, rows, numbers=4)}"]


def write_whole(parts: dict[str, Part]) -> list[str]:
    """Fig. 21 (a): the pages of both finders count."""
    if "finder" not in parts:
        return []
    each = parts["finder"]["seeds"]["pages"] / max(1, parts["finder"]["seeds"]["found"])
    rows = []
    for name, one in parts["wide"]["strategies"].items():
        pages = one["pages"] + each * parts["wide"]["sites"]
        rows.append([f"`{name}`", f"{one['harvest']:.4f}", f"{one['forms'] / max(1, pages):.4f}"])
    heads = ["strategy", "Form Finder alone", "with the pages of the Site Finder"]
    told = f"The Site Finder takes {each:.2f} pages for a new site."
    return [f"## Harvest of both finders (Fig. 21 a)\n\n{markdown_table(heads, rows, numbers=2)}\n\n{told}"]


def write_crawls(parts: dict[str, Part]) -> list[str]:
    """Fig. 21 (b)."""
    ways = parts["crawls"]["ways"]
    seeded = compare(ways, find_best(ways))
    alone = compare(ways, find_best(parts["wide"]["strategies"])) if "wide" in parts else {}
    rows = []
    for name, one in ways.items():
        least = "" if one["forms"] else "at least "
        times = [f"{least}{some[name]:,.1f}" if name in some else "" for some in (seeded, alone)]
        title = f"page-based, {name}" if name in ORDERS else f"site-based, `{name}`"
        counts = [f"{one['pages']:,}", f"{one['forms']:,}", f"{one['harvest']:.5f}"]
        rows.append([title, *counts, *times, f"{FIG21_OVER.get(name, '')}"])
    heads = ["crawl", "pages", "forms", "harvest", "best site-based over it", "Form Finder alone over it", "paper"]
    told = (
        "The paper's 400 times one form in 1,000 pages is a harvest of 0.4, which only its Form Finder alone comes near, with "
        "all sites given; so that stands beside the crawls from the same seeds, which pay for finding their sites."
    )
    title = f"## Site-based against page-based, {parts['crawls']['pages']:,} pages (Fig. 21 b)"
    return [f"{title}\n\n{markdown_table(heads, rows, numbers=6)}\n\n{told}"]


def write_cost(parts: dict[str, Part]) -> list[str]:
    """What decisions cost."""
    rows = []
    for way, strategies in parts["cost"].items():
        for name, one in strategies.items() if isinstance(strategies, dict) and way != "plan" else ():
            times = [f"{one[f'{what} ms']:.2f}" for what in ("page", "fetch", "decide", "layout")]
            rows.append([way, f"`{name}`", f"{one['pages']:,}", *times])
            rows[-1] += [f"{one['share']:.1%}", f"{one['share without fetching']:.1%}"]
    heads = [
        "pages of",
        "strategy",
        "pages",
        "a page, ms",
        "fetch",
        "decisions",
        "layout",
        "share",
        "without the fetch",
    ]
    return [f"## What decisions cost\n\n{markdown_table(heads, rows, numbers=8)}"]


def write_times(parts: dict[str, Part]) -> list[str]:
    """How long each part took."""
    rows = [
        [name, f"{part['seconds']:,.0f}", f"{part['cpu seconds']:,.0f}", part["date"][:10], f"`{part['model']}`"]
        for name, part in parts.items()
    ]
    heads = ["part", "seconds", "of CPU", "taken", "model of `learned`"]
    models = {part["model"] for name, part in parts.items() if name not in ("windows", "finder")}
    told = "\n\n**The parts were not taken with the same model.**" if len(models) > 1 else ""
    return [f"## How long it took\n\n{markdown_table(heads, rows, numbers=2)}{told}"]


def _write_first(parts: dict[str, Part]) -> list[str]:
    return [*write_depths(parts), *write_local(parts)]


def _write_wide(parts: dict[str, Part]) -> list[str]:
    return [*write_wide(parts), *write_whole(parts)]


SECTIONS: dict[str, Callable[[dict[str, Part]], list[str]]] = {
    "local": _write_first,
    "real": write_real,
    "windows": write_windows,
    "finder": write_finder,
    "wide": _write_wide,
    "crawls": write_crawls,
    "cost": write_cost,
}


def tell_notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the tables."""
    settings, parts = result["settings"], result["parts"]
    told = [
        f"World {settings['family']}, seed {settings['seed']}, extent {settings['extent']}. A site is recorded once by "
        f"`exhaustive:10`, at most {settings['site_pages']:,} pages of it, and every strategy is replayed over the "
        "recording; pages that a strategy asks for and the recording does not have count, and show nothing. Sites that do "
        "not answer are left out. *Mean* is the mean of the sites, as in the paper, *of all* sums up over all sites first; "
        "mean coverage is over the sites that have any form. Coverage is of what `exhaustive:10` found, as in the paper; "
        "*of the truth* of all that a polite crawler can reach. Query forms are those that Dowse takes for such; precision "
        "says which part is. In parentheses 95 % intervals by `dowse.yields`, with sites as what was drawn.",
        "The paper counts in Fig. 17 whatever its classifier took for a query form, by its own account with many that are "
        "none, on sites of another web: its harvests are higher, and what can be compared is the order of the strategies "
        "and their ratios.",
        "Fig. 18 and 19 are searched or replayed from the entrance of each site; Fig. 20 and 21 b go from the same "
        f"{SEEDS} sites drawn by chance, never hubs, with the store and the two finders that `dowse find` has. Where "
        "a page-based crawl found no form at all, it is taken to have found one.",
        "Real sites: hosts of WebKB with five pages or more, the manuals of SQLite and Python. Links to pages of a site "
        "that were not kept do not exist for any strategy. The search begins at the root where that was kept, "
        "else at the page with the shortest address.",
        "Decisions are what a guide learns, picks, stops at and explains, and for strategies that look at it the layout of "
        "the page, in CPU time of one thread beside all else that a page takes.",
    ]
    return "\n\n".join([*told, *write_times(parts)])
