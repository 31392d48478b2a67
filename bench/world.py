"""Is the simulated web like the web that was measured? Every published figure beside what the world produces."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from typing import Any

from bench.intervals import explain_intervals, measure_interval, write_interval
from bench.options import Options
from bench.plots import Series, draw, paint_lines
from bench.report import markdown_table
from bench.topicworld import measure as measure_topics
from bench.truthcheck import Walked, walk_sites
from dowse.sim import World
from dowse.sim.plan import SitePlan
from dowse.sim.truth import FormTruth, SiteTruth

TITLE = "The simulated web beside the measured one"
FAMILIES = ("A", "B")
SITES = 2000
SHALLOW = 3
PEAK = 5  # depth with the most pages
WALKED = 40  # sites of each family that an independent visitor walks


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
# Of Figure 3 the text gives these points: 17 % of the pages and 94 % of the query forms to depth 3, all forms to 5.
PUBLISHED_POINTS = {"pages": ((3, 17.0),), "query forms": ((3, 94.0), (5, 100.0))}
PUBLISHED_COLOUR = "#111111"
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
    links: list[int] = field(default_factory=list)  # other sites that a site links to


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
    tally.links.append(len(truth.neighbours))
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
    sizes, links, forms = sorted(tally.sizes), sorted(tally.links), tally.forms.total()
    return {
        "sites that answer": tally.answering / tally.sites,
        "sites without a query form": 1 - tally.deep / tally.answering,
        "pages of a site, median": sizes[len(sizes) // 2],
        "pages of a site, 99th percentile": sizes[int(len(sizes) * 0.99)],
        "pages of a site, largest": sizes[-1],
        "other sites that a site links to, median": links[len(links) // 2],
        "other sites that a site links to, 99th percentile": links[int(len(links) * 0.99)],
        "other sites that a site links to, most": links[-1],
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
    walked = {family: walk_sites(World(options.seed, SITES, family=family), WALKED) for family in FAMILIES}
    for family, one in walked.items():
        options.say(f"  {family}: {one.pages:,} pages walked, {len(one.differences)} differences from the truth")
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
        "walked": {family: asdict(one) for family, one in walked.items()},
        "topical": measure_topics(options.seed, options.say),
        "intervals": intervals,
        "medians": worst | {"differences from the truth": _count_differences(walked)},
    }


def _count_differences(walked: dict[str, Walked]) -> int:
    return sum(len(one.differences) for one in walked.values())


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
    tables = [markdown_table(heads, rows, numbers=5), f"## What is not published\n\n{_rest_table(result)}"]
    if "topical" in result:
        tables.append(f"## The world with topics\n\n{_topical_table(result['topical'])}")
    return "\n\n".join(tables)


def _topical_table(topical: dict[str, dict[str, Any]]) -> str:
    """Figures of the topical world; those of the twelve topics from the lowest to the highest."""
    rows = []
    for name, first in topical["B"].items():
        cells = [topical[family].get(name) for family in FAMILIES]
        if name in ("shares", "locality"):
            what = "sites on a topic" if name == "shares" else "links of sites on a topic to their own topic"
            rows.append([what, *(f"{min(cell.values()):.1%} to {max(cell.values()):.1%}" for cell in cells if cell)])
        elif isinstance(first, dict):
            parts = {part: [cell and cell[part] for cell in cells] for part in first}
            rows += [[f"{name}: {part}", *(_write_figure(value) for value in both)] for part, both in parts.items()]
        else:
            rows.append([name, *(_write_figure(cell) for cell in cells)])
    return markdown_table(["figure", "A", "B"], rows)


def _write_figure(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value > 1 else f"{value:.3f}"


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
        "(University of Illinois at Urbana-Champaign, UIUCDCS-R-2006-2752, July 2006). Query forms per site: K. C.-C. Chang, B. He, C. Li, M. Patel and "
        "Z. Zhang, *Structured databases on the web: Observations and implications*, SIGMOD Record 33(3), 2004. "
        "Other sites are counted once for each site that links to them, at the least depth of a page that does. "
        "That most sites have no query form: 34 databases on 281 servers.",
        _tell_walk(result["walked"]),
    ])  # fmt: skip


def _tell_walk(walked: dict[str, dict[str, Any]]) -> str:
    sites, pages, forms = (sum(one[what] for one in walked.values()) for what in ("sites", "pages", "forms"))
    wrong = [line for one in walked.values() for line in one["differences"]]
    found = f"{len(wrong)} differences, the first: {wrong[0]}" if wrong else "no difference"
    return (
        f"The truth itself was checked by an independent visitor, who follows links and reads tags with the standard library: "
        f"{sites} sites of the first seed, {pages:,} pages and {forms} forms with their depths and fields, and the links to "
        f"other sites: {found}."
    )


def plots(result: dict[str, Any]) -> dict[str, str]:
    """Pages and query forms down to each depth, both families, beside the published points."""

    def paint(axes: list[Any]) -> None:
        for axis, (what, points) in zip(axes, PUBLISHED_POINTS.items(), strict=True):
            rows = {family: result["runs"][family]["rest"][0][f"{what} by depth"] for family in FAMILIES}
            depths = max(map(len, rows.values()))
            series = [Series(f"family {family}", accumulate_shares(row, depths)) for family, row in rows.items()]
            paint_lines(axis, range(depths), series)
            axis.plot(
                *zip(*points, strict=True), "D", color=PUBLISHED_COLOUR, label="published", markersize=7, zorder=3
            )
            axis.set(xlabel="down to depth", ylabel=f"% of all {what}", title=what, ylim=(0, 105))
        axes[0].legend(frameon=False)
        axes[1].get_legend().remove()

    title = "Lines: part of the pages and of the query forms down to each depth, families A and B, beside the published parts"
    return {"depth": draw(title, 2, paint)}


def accumulate_shares(counts: list[int], depths: int) -> list[float]:
    """Return which part of all, in percent, stands at each depth or above it."""
    padded = [*counts, *[0] * (depths - len(counts))]
    return [100 * total / sum(counts) for total in accumulate(padded)]
