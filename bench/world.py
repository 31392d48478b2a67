"""Is the simulated web like the web that was measured? Every published figure beside what the world produces."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from bench.intervals import explain_intervals, measure_interval, write_interval
from bench.options import Options
from bench.plots import Series, draw, paint_bars
from bench.report import markdown_table
from dowse.sim import World
from dowse.sim.plan import SitePlan
from dowse.sim.truth import FormTruth, SiteTruth

TITLE = "The simulated web beside the measured one"
FAMILIES = ("A", "B")
SITES = 2000
SHALLOW = 3
PEAK = 5  # depth with the most pages


@dataclass(frozen=True, slots=True)
class Published:
    """A figure that was measured on the real web."""

    what: str
    value: float
    where: str


PUBLISHED = {
    "pages_shallow": Published("pages within depth 3", 0.17, "Section 3.1, Figure 3"),
    "shape": Published("pages grow to depth 5 and fall after (1 = yes)", 1, "Section 3.1, Figure 3"),
    "forms_shallow": Published("query forms within depth 3", 0.94, "Section 3.1, Figure 3"),
    "deepest": Published("depth of the deepest query form", 5, "Section 3.1, Figure 3"),
    "forms_per_site": Published("query forms per deep-web site", 4.2, "Chang et al. 2004"),
    "by_menu": Published("query forms off the root page that menus reach", 0.87, "Section 4.1"),
    "link-page": Published("sites with links to others on a link page", 0.44, "Section 5.1, Figure 13"),
    "skeleton": Published("... on every page (skeleton)", 0.08, "Section 5.1, Figure 13"),
    "directory": Published("... all over (directory)", 0.08, "Section 5.1, Figure 13"),
    "mixed": Published("... mixed", 0.29, "Section 5.1, Figure 13"),
    "none": Published("... none", 0.11, "Section 5.1, Figure 13"),
    "outside_shallow": Published("other sites that can be found within depth 3", 0.95, "Section 3.3, Figure 3"),
    "most_without": Published("most sites have no query form (1 = yes)", 1, "Section 3.1"),
}
SPREADS = ("link-page", "skeleton", "directory", "mixed", "none")


@dataclass(slots=True)
class Tally:
    """What was counted in one world; only sites that answer, but for the spread of links."""

    sites: int = 0
    answering: int = 0
    deep: int = 0  # sites with a query form
    pages: Counter[int] = field(default_factory=Counter)  # by depth
    forms: Counter[int] = field(default_factory=Counter)  # query forms by depth, copies aside
    copies: int = 0
    decoys: int = 0
    off_root: int = 0
    by_menu: int = 0
    made: Counter[str] = field(default_factory=Counter)
    outside: Counter[int] = field(default_factory=Counter)  # other sites by the least depth they are linked at
    spreads: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    designs: Counter[str] = field(default_factory=Counter)
    encodings: Counter[str] = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)


def count_world(world: World) -> Tally:
    """Count what the plans of a world hold."""
    tally = Tally(sites=world.sites)
    for index in range(world.sites):
        truth = world.site(index)
        tally.spreads[truth.spread] += 1
        if truth.reachable:
            _count_site(tally, truth)
            tally.outside += find_outside(world.plan(index))
    return tally


def _count_site(tally: Tally, truth: SiteTruth) -> None:
    tally.answering += 1
    tally.languages[truth.language] += 1
    tally.designs[truth.design] += 1
    tally.encodings[truth.encoding] += 1
    tally.sizes.append(sum(truth.pages_by_depth))
    tally.pages += Counter(dict(enumerate(truth.pages_by_depth)))
    query_forms = [form for form in truth.forms if form.kind == "database"]
    tally.deep += bool(query_forms)
    for form in query_forms:
        _count_form(tally, form)
    tally.decoys += sum(form.kind != "database" and not form.same_as for form in truth.forms)


def _count_form(tally: Tally, form: FormTruth) -> None:
    if form.same_as:
        tally.copies += 1
        return
    tally.forms[form.depth] += 1
    tally.made[form.made] += 1
    tally.off_root += form.depth > 0
    tally.by_menu += form.depth > 0 and form.by_menu


def find_outside(plan: SitePlan) -> Counter[int]:
    """Count the other sites that a site links to by the least depth at which they are found."""
    least: dict[str, int] = dict.fromkeys(plan.outside_everywhere, 0)
    spread = plan.traits.spread
    pages = range(plan.tree.articles) if spread == "directory" else [plan.links_page] if plan.links_page >= 0 else []
    for page in pages:
        for address in plan.outside(page):
            least.setdefault(address, plan.tree.depth(page))
    return Counter(least.values())


def compute(tally: Tally) -> dict[str, float]:
    """Return the figures that can be compared."""
    depths = max(tally.pages) + 1
    rising = all(tally.pages[depth] < tally.pages[depth + 1] for depth in range(PEAK))
    falling = all(tally.pages[depth] > tally.pages[depth + 1] for depth in range(PEAK, depths - 1))
    forms = tally.forms.total()
    return {
        "pages_shallow": _shallow(tally.pages),
        "shape": float(rising and falling),
        "forms_shallow": _shallow(tally.forms),
        "deepest": max(tally.forms),
        "forms_per_site": forms / tally.deep,
        "by_menu": tally.by_menu / tally.off_root,
        **{spread: tally.spreads[spread] / tally.sites for spread in SPREADS},
        "outside_shallow": _shallow(tally.outside),
        "most_without": float(tally.deep < tally.answering / 2),
    }


def _shallow(counts: Counter[int]) -> float:
    return sum(count for depth, count in counts.items() if depth <= SHALLOW) / counts.total()


def describe_rest(tally: Tally) -> dict[str, Any]:
    """Return what the world holds beside the published figures."""
    sizes, forms = sorted(tally.sizes), tally.forms.total()
    return {
        "sites that answer": tally.answering / tally.sites,
        "sites without a query form": 1 - tally.deep / tally.answering,
        "pages of a site, median": sizes[len(sizes) // 2],
        "pages of a site, 99th percentile": sizes[int(len(sizes) * 0.99)],
        "pages of a site, largest": sizes[-1],
        "decoys per query form": tally.decoys / forms,
        "query forms made by script": tally.made["script"] / forms,
        "query forms without a form element": tally.made["formless"] / forms,
        "copies per query form": tally.copies / forms,
        "languages": _shares(tally.languages),
        "designs": _shares(tally.designs),
        "encodings": _shares(tally.encodings),
        "pages by depth": [tally.pages[depth] for depth in range(max(tally.pages) + 1)],
        "query forms by depth": [tally.forms[depth] for depth in range(max(tally.forms) + 1)],
        "other sites by depth": [tally.outside[depth] for depth in range(max(tally.outside) + 1)],
    }


def _shares(counts: Counter[str]) -> dict[str, float]:
    return {
        name: count / counts.total() for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    }


def run(options: Options) -> dict[str, object]:
    """Count both families for each seed."""
    seeds = [options.seed + place for place in range(options.repeats)]
    runs: dict[str, dict[str, Any]] = {}
    for family in FAMILIES:
        tallies = [count_world(World(seed, SITES, family=family)) for seed in seeds]
        runs[family] = {
            "figures": [compute(tally) for tally in tallies],
            "rest": [describe_rest(tally) for tally in tallies],
        }
        options.say(f"  {family}: worst difference {_worst(runs[family]['figures']):.3f}")
    intervals = {
        family: {
            name: measure_interval([each[name] for each in runs[family]["figures"]]).to_json() for name in PUBLISHED
        }
        for family in FAMILIES
    }
    worst = {f"worst difference {family}": _worst(runs[family]["figures"]) for family in FAMILIES}
    return {
        "seeds": seeds,
        "settings": {"sites": SITES},
        "runs": runs,
        "intervals": intervals,
        "medians": worst,
    }


def difference(name: str, value: float) -> float:
    """Return how far a value is from the published one, as a part of that."""
    return (value - PUBLISHED[name].value) / PUBLISHED[name].value


def _worst(figures: list[dict[str, float]]) -> float:
    """Return the largest difference of any figure and any seed."""
    return max(abs(difference(name, value)) for each in figures for name, value in each.items())


def table(result: dict[str, Any]) -> str:
    """One row for each published figure, then what nobody has published."""
    rows = []
    for name, published in PUBLISHED.items():
        row = [published.what, f"{published.value:g}"]
        for family in FAMILIES:
            interval = result["intervals"][family][name]
            row += [write_interval(interval), f"{difference(name, interval['median']):+.1%}"]
        rows.append([*row, published.where])
    heads = ["figure", "published", "A", "off by", "B", "off by", "where"]
    return f"{markdown_table(heads, rows, numbers=5)}\n\n## What is not published\n\n{_rest_table(result)}"


def _rest_table(result: dict[str, Any]) -> str:
    rests = {family: result["runs"][family]["rest"] for family in FAMILIES}
    rows = []
    for name, first in rests["A"][0].items():
        if isinstance(first, int | float):
            cells = [measure_interval([one[name] for one in rests[family]]).to_json() for family in FAMILIES]
            rows.append([name, *(write_interval(cell, ",.0f" if isinstance(first, int) else ".3f") for cell in cells)])
        elif isinstance(first, dict):
            rows.append([name, *(_write_shares(rests[family][0][name]) for family in FAMILIES)])
    return markdown_table(["figure", "A", "B"], rows)


def _write_shares(shares: dict[str, float]) -> str:
    return ", ".join(f"{name} {share:.1%}" for name, share in shares.items())


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    first = next(iter(result["intervals"]["A"].values()))
    return "\n\n".join([
        f"{SITES:,} sites of each family. {explain_intervals(first, 'seeds')} `Off by` is the median's difference as a part "
        "of the published value; the figure to reach is the worst difference of any figure and any seed. Counted are the "
        "sites that answer (templates of links: all sites); copies of a form do not count. Languages, designs and encodings "
        "are the first seed's.",
        "Sections and figures are those of Bin He, Chengkai Li, David Killian, Mitesh Patel, Yuping Tseng and Kevin "
        "Chen-Chuan Chang, *A Structure-Driven Yield-Aware Web Form Crawler: Building a Database of Online Databases* "
        "(University of Illinois at Urbana-Champaign). Query forms per site: K. C.-C. Chang, B. He, C. Li, M. Patel and "
        "Z. Zhang, *Structured databases on the web: Observations and implications*, SIGMOD Record 33(3), 2004. "
        "Other sites are counted once for each site that links to them, at the least depth of a page that does. "
        "That most sites have no query form: 34 databases on 281 servers.",
    ])  # fmt: skip


def plots(result: dict[str, Any]) -> dict[str, str]:
    """Pages and query forms by depth, both families."""

    def paint(axes: list[Any]) -> None:
        for axis, what in zip(axes, ("pages", "query forms"), strict=True):
            rows = {family: result["runs"][family]["rest"][0][f"{what} by depth"] for family in FAMILIES}
            depths = max(map(len, rows.values()))
            shares = [
                Series(f"family {family}", [100 * count / sum(row) for count in row] + [0.0] * (depths - len(row)))
                for family, row in rows.items()
            ]
            paint_bars(axis, [str(depth) for depth in range(depths)], shares, "{:.0f}")
            axis.set(xlabel="depth", ylabel=f"% of all {what}", title=f"{what} by depth")

    return {"depth": draw("Bars: part of the pages and of the query forms at each depth, families A and B", 2, paint)}
