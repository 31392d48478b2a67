"""The tables of the page, beside the paper's numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.paper1.crawls import compare, find_best
from bench.paper1.facts import (
    FIG3_DEEPEST_FORM,
    FIG3_WITHIN_3,
    FIG16_FALSE,
    FIG17_COVERAGE,
    FIG17_HARVEST,
    FIG20_PAGES,
    FIG20_SITES,
    FIG21_OVER,
    ORDERS,
    SEEDS,
)
from bench.paper1.wide import list_wide, measure_swing
from bench.paper1.windows import count_trend, measure_range, read_setting
from bench.report import markdown_table
from dowse.sample.record import WHOLE
from dowse.strategy.navmenu import DEFAULT_GROUPS

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
    table = f"## Strategies for forms on {many:,} sites (Fig. 16 and 17)\n\n{markdown_table(heads, rows, numbers=10)}"
    return [table, *(write_false(parts) if "claims" in parts["local"] else [])]


def write_false(parts: dict[str, Part]) -> list[str]:
    """What was taken for a query form and is none, as the paper counted by hand for Fig. 16."""
    rows = []
    for name, one in parts["local"]["strategies"].items():
        shares = [f"{one[f'share {what}']:.1%}" for what in ("no query form", "found before")]
        rows.append([f"`{name}`", f"{one['forms']:,}", *shares, FIG16_FALSE.get(name, "")])
    heads = ["strategy", "taken for a query form", "is none", "was found before", "paper: false positives"]
    first = markdown_table(heads, rows, numbers=4)
    claims = parts["local"]["claims"]
    taken, none, before = (claims[what] for what in ("taken for one", "no query form", "found before"))
    by_depth = [
        [str(depth), f"{count:,}", f"{none[depth]:,}", f"{none[depth] / count:.1%}", f"{before[depth]:,}"]
        for depth, count in enumerate(taken)
        if count
    ]
    heads = ["depth of the page", "taken for a query form", "is none", "share", "was found before"]
    told = (
        "The paper inspected by hand: 9 % of what depth 0 gave was no query form, 60 to 70 % of what depth 10 gave, with many product "
        "configurations, and exhaustive search had more of it than menus. Where forms were found is below, for `exhaustive:10`."
    )
    second = markdown_table(heads, by_depth, numbers=4)
    return [f"## False positives by depth (Fig. 16)\n\n{first}\n\n{told}\n\n{second}"]


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
            f"{one['sites']:,}",
            f"{one['pages']:,}",
            f"{one['forms']:,}",
            f"{one['harvest']:.4f}",
            f"{measure_swing(one['points']):.1%}",
        ]
        for name, one in list_wide(parts).items()
    ]
    heads = ["strategy", "sites", "pages", "forms", "harvest", "farthest from it after a fifth of the sites"]
    wide = parts["wide"]
    title = f"## Harvest over {wide['sites']:,} sites (Fig. 18)"
    missing = sum(one["missing"] for one in wide["strategies"].values())
    told = (
        f"Each site is recorded by `navmenu:10`, at most {wide['site pages']} pages of it, and the other two are replayed over that; "
        f"{missing:,} of their pages were not recorded."
    )
    if wide["sites"] < wide["of"]:
        told += f" The paper has 50,000 sites; {wide['sites']:,} of {wide['of']:,} is what the time was enough for."
    return [f"{title}\n\n{markdown_table(heads, rows, numbers=5)}\n\n{told}"]


def write_windows(parts: dict[str, Part]) -> list[str]:
    """Fig. 19 in the usual world."""
    return _write_windows(parts["windows"], "the usual world")


def write_windows_many(parts: dict[str, Part]) -> list[str]:
    """Fig. 19 in a world of many links."""
    return _write_windows(parts["windows-many"], 'a world of many links, `World(outlinks="many")`')


def _write_windows(part: Part, world: str) -> list[str]:
    settings = part["settings"]
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
    trend, apart = count_trend(settings), measure_range(settings)
    told = (
        f"The sites lead to {part['other sites']:,} others. Over the 27 settings, the highest harvest of all is "
        f"{apart['highest over lowest harvest']:.2f} times the lowest, and the highest coverage of all is "
        f"{apart['highest less lowest coverage']:.3f} over the lowest. When T falls, S grows or p grows, with the other two as they are, coverage does not fall in "
        f"{trend['coverage']:.0%} and harvest does not rise in {trend['harvest']:.0%} of the steps; the paper says so in general."
    )
    title = f"## Adaptive(T, S, p) on {part['sites']} sites of {world} (Fig. 19)"
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
    for name, one in list_wide(parts).items():
        pages = one["pages"] + each * one["sites"]
        rows.append([f"`{name}`", f"{one['harvest']:.4f}", f"{one['forms'] / max(1, pages):.4f}"])
    heads = ["strategy", "Form Finder alone", "with the pages of the Site Finder"]
    told = f"The Site Finder takes {each:.2f} pages for a new site."
    return [f"## Harvest of both finders (Fig. 21 a)\n\n{markdown_table(heads, rows, numbers=2)}\n\n{told}"]


def write_crawls(parts: dict[str, Part]) -> list[str]:
    """Fig. 21 (b)."""
    ways = parts["crawls"]["ways"]
    seeded = compare(ways, find_best(ways))
    alone = compare(ways, find_best(list_wide(parts))) if "wide" in parts else {}
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


FORMER_MENUS = 2  # k of Navmenu, in parts that do not say it
WITH_MENUS = ("local", "real", "wide", "crawls", "cost")  # parts in which Navmenu decides


def count_menus(part: Part) -> int:
    """Return how many menus of a page Navmenu tried when a part was taken."""
    return int(part.get("menus", FORMER_MENUS))


WITHOUT_OURS = ("windows", "windows-many", "finder", "wide")  # parts in which no model decides


def write_times(parts: dict[str, Part]) -> list[str]:
    """How long each part took."""
    rows = [
        [
            name,
            f"{part['seconds']:,.0f}",
            f"{part['cpu seconds']:,.0f}",
            part["date"][:10],
            f"`{part['model']}`",
            f"{count_menus(part)}",
        ]
        for name, part in parts.items()
    ]
    heads = ["part", "seconds", "of CPU", "taken", "model of `learned`", "k of `navmenu`"]
    models = {part["model"] for name, part in parts.items() if name not in WITHOUT_OURS}
    told = "\n\n**The parts were not taken with the same model.**" if len(models) > 1 else ""
    older = [name for name, part in parts.items() if count_menus(part) < DEFAULT_GROUPS and name in WITH_MENUS]
    if "menus" not in parts.get("finder", {"menus": 0}):  # noted since both strategies were mended
        told += "\n\n**In finder, `adaptive` still followed links called links beyond depth 10, and before their neighbours.**"
    if older:
        told += f"\n\n**In {' and '.join(older)}, `navmenu` still tried {FORMER_MENUS} menus of a page, not {DEFAULT_GROUPS}.**"
    return [f"## How long it took\n\n{markdown_table(heads, rows, numbers=2)}{told}"]


def _write_first(parts: dict[str, Part]) -> list[str]:
    return [*write_depths(parts), *write_local(parts)]


def _write_wide(parts: dict[str, Part]) -> list[str]:
    return [*write_wide(parts), *write_whole(parts)]


SECTIONS: dict[str, Callable[[dict[str, Part]], list[str]]] = {
    "local": _write_first,
    "real": write_real,
    "windows-many": write_windows_many,
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
        "Fig. 18 and 19 are searched or replayed from the entrance of each site. In a world of many links, sites of the directory and "
        "mixed templates of the paper's Section 5.1 link to ten times as many others, along the branches of their pages, and a mixed "
        "site has half of them on its page of links; all else is as in the usual world. Fig. 20 and 21 b go from the same "
        f"{SEEDS} sites drawn by chance, never hubs, with the store and the two finders that `dowse find` has. Where "
        "a page-based crawl found no form at all, it is taken to have found one.",
        "Real sites: hosts of WebKB with five pages or more, the manuals of SQLite and Python. Links to pages of a site "
        "that were not kept do not exist for any strategy. The search begins at the root where that was kept, "
        "else at the page with the shortest address.",
        "Decisions are what a guide learns, picks, stops at and explains, and for strategies that look at it the layout of "
        "the page, in CPU time of one thread beside all else that a page takes.",
    ]
    return "\n\n".join([*told, *write_times(parts)])
