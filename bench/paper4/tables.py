"""The tables of the page."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean
from typing import Any

from bench.paper4.facts import ABORTING, LIMITS, LINKED, MARKS, MISFITS, PUBLISHED_MMMI, SWITCHED_MMMI, TUNED, Pair
from bench.paper4.figures import Cell, divide, divide_span, find_cell, judge, list_databases, lose
from bench.paper4.interfaces import PAPER
from bench.report import markdown_table


def write_tables(result: dict[str, Any]) -> str:
    """Return every section."""
    cells = result["cells"]
    pairs = [Pair(**pair) for pair in result["settings"]["pairs"]]
    sections = {
        "Query interfaces (Table 1)": _write_interfaces(result["interfaces"]),
        "The databases (Table 2)": _write_databases(result["degrees"]),
        "Degrees of values (Fig. 2)": _write_degrees(result["degrees"]),
        "Requests for a part of the records (Fig. 3, 4)": _write_requests(cells),
        "What mutual information saves (Fig. 4)": _write_savings(cells),
        "Domain statistics (Fig. 5)": _write_domain(cells, pairs),
        "Tables that do not fit": _write_misfits(cells),
        "Limited answers (Fig. 6)": _write_limits(cells, pairs),
        "Leaving answers (Section 3.4)": _write_aborting(cells),
        "Size by overlap (Section 5)": _write_sizes(result["sizes"]),
    }
    return "\n\n".join(f"## {head}\n\n{text}" for head, text in sections.items())


def _write_interfaces(interfaces: dict[str, Cell]) -> str:
    rows = [
        [
            name, str(one["interfaces"]), f"{one['keyword'] / one['interfaces']:.0%}", f"{PAPER[name][0]}%",
            f"{one['single'] / one['interfaces']:.0%}", f"{PAPER[name][1]}%",
        ]
        for name, one in sorted(interfaces.items())
    ]  # fmt: skip
    heads = ["domain", "interfaces", "with a box for keywords", "paper", "one attribute is enough", "paper"]
    return markdown_table(heads, rows, numbers=5)


def _write_databases(degrees: dict[str, Cell]) -> str:
    rows = [
        [
            name,
            f"{one['records']:,}",
            f"{one['values']:,}",
            ", ".join(one["attributes"]),
            "yes" if name in TUNED else "no",
        ]
        for name, one in degrees.items()
    ]
    return markdown_table(["database", "records", "values", "attributes", "parameters chosen on it"], rows, numbers=2)


def _write_degrees(degrees: dict[str, Cell]) -> str:
    rows = [
        [
            name, f"{one['median']:,}", f"{one['most']:,}", f"{one['hubs']:.0%}", f"{one['exponent']:.2f}",
            f"{one['from']:,}", f"{one['distance']:.3f}",
        ]
        for name, one in degrees.items()
    ]  # fmt: skip
    heads = ["database", "median degree", "greatest", "links of the first hundredth", "exponent", "from degree", "KS distance"]  # fmt: skip
    return markdown_table(heads, rows, numbers=6)


def _show(cell: Cell | None, mark: int) -> str:
    found = cell["marks"][str(mark)] if cell else None
    return f"{found:,.0f}" if found else "-"


def _spread(cell: Cell | None) -> str:
    """Write how far the runs from different seeds are apart."""
    ends = [each for each in (cell["at 90 %"] if cell else []) if each is not None]
    return f"{(max(ends) - min(ends)) / fmean(ends):.0%}" if ends else "-"


def _write_requests(cells: list[Cell]) -> str:
    rows = [
        [name, selector, *(_show(cell, mark) for mark in MARKS), _spread(cell), str(cell["runs"])]
        for name in list_databases(cells)
        for selector in LINKED
        if (cell := find_cell(cells, name, selector))
    ]
    heads = ["database", "selector", *(f"{mark} %" for mark in MARKS), "apart at 90 %", "runs that differ"]
    return markdown_table(heads, rows, numbers=8)


def _write_savings(cells: list[Cell]) -> str:
    judged = judge(cells, [], {})
    rows = []
    for name in list_databases(cells):
        greedy = find_cell(cells, name, "greedy")
        tails = [
            _ratio(divide_span(find_cell(cells, name, selector), greedy, 85, 95))
            for selector in (PUBLISHED_MMMI, SWITCHED_MMMI, "mmmi")
        ]
        before = _ratio(judged["greedy over the best naive, 90 %"][name])
        rows.append([name, before, *tails, _ratio(judged["mmmi over greedy, 95 %"][name])])
    heads = ["database", "greedy over the best naive, to 90 %", "published over greedy, from 85 to 95 %",
             "our order, published switch", "ours", "ours over greedy, to 95 %"]  # fmt: skip
    return markdown_table(heads, rows, numbers=5)


def _ratio(found: float | None) -> str:
    return f"{found:.2f}" if found is not None else "-"


def _part(cell: Cell | None) -> str:
    return f"{cell['within the budget']:.0%}" if cell else "-"


def _write_domain(cells: list[Cell], pairs: list[Pair]) -> str:
    rows = []
    for pair in pairs:
        name = pair.database
        greedy, none = find_cell(cells, name, "greedy"), find_cell(cells, name, "domain")
        large, small = (find_cell(cells, name, "domain", kin=kin) for kin in (pair.large, pair.small))
        if large:
            four = (greedy, none, large, small)
            rows.append([
                name, pair.large, pair.small, *(_show(cell, 80) for cell in four), _ratio(divide(large, greedy, 80)),
                _ratio(divide(large, none, 80)), _ratio(divide(small, large, 80)), *(_part(cell) for cell in four),
            ])  # fmt: skip
    heads = ["database", "DM(I)", "DM(II)", "greedy, to 80 %", "domain without a table", "DM(I)", "DM(II)", "DM(I) over greedy",
             "over no table", "DM(II) over DM(I)", "greedy within the budget", "no table", "DM(I)", "DM(II)"]  # fmt: skip
    return markdown_table(heads, rows)


def _write_misfits(cells: list[Cell]) -> str:
    rows = []
    for kin, name in MISFITS:
        cell, none = find_cell(cells, name, "domain", kin=kin), find_cell(cells, name, "domain")
        if cell:
            rows.append([name, kin, *(_ratio(divide(cell, none, mark)) for mark in (50, 80, 90, 95))])
    return markdown_table(["database", "table of", *(f"over none, to {mark} %" for mark in (50, 80, 90, 95))], rows)


def _write_limits(cells: list[Cell], pairs: list[Pair]) -> str:
    rows = []
    for pair in pairs:
        for selector, kin in (("greedy", ""), ("domain", pair.large)):
            free = find_cell(cells, pair.database, selector, kin=kin)
            for limit in LIMITS:
                cell = find_cell(cells, pair.database, selector, kin=kin, limit=limit)
                if cell:
                    lost = lose(cell, free)
                    rows.append([
                        pair.database, str(limit), selector, _show(cell, 50), _show(cell, 80), _part(free), _part(cell),
                        f"{lost:.0%}" if lost is not None else "-", {10: "50%", 50: "20%"}[limit],
                    ])  # fmt: skip
    heads = ["database", "limit", "selector", "50 %", "80 %", "within the budget without a limit", "with it", "lost", "paper"]  # fmt: skip
    return markdown_table(heads, rows)


def _write_aborting(cells: list[Cell]) -> str:
    names = list(dict.fromkeys(cell["database"] for cell in cells if cell["abort"] == "always"))
    rows = []
    for name in names:
        for selector in ABORTING:
            read, left = (find_cell(cells, name, selector, abort=abort) for abort in ("never", "always"))
            both: list[Callable[[int], str]] = [lambda mark, one=one: _show(one, mark) for one in (read, left)]  # type: ignore[misc]
            marks = [show(mark) for mark in (80, 90, 95) for show in both]
            rows.append([name, selector, *marks, *(_ratio(divide(left, read, mark)) for mark in (80, 90, 95))])
    heads = ["database", "selector", *(f"{mark} %, {how}" for mark in (80, 90, 95) for how in ("read", "left"))]
    return markdown_table([*heads, *(f"left over read, {mark} %" for mark in (80, 90, 95))], rows, numbers=10)


def _write_sizes(sizes: list[Cell]) -> str:
    rows = [
        [one["database"], one["selector"], f"{one['requests']:,}", f"{one['truth']:,}", f"{one['mean']:,.0f}",
         f"{one['published']:,.0f}", "yes" if one["truth"] <= one["published"] else "no",
         f"{one['low']:,.0f} to {one['high']:,.0f}", "yes" if one["low"] <= one["truth"] <= one["high"] else "no", f"{one['mean'] / one['truth']:.2f}"]
        for one in sizes
    ]  # fmt: skip
    heads = ["database", "selector", "requests of each", "records", "mean of 15 estimates", "at most, as published", "holds",
             "our 90 % interval", "holds", "mean over the truth"]  # fmt: skip
    return markdown_table(heads, rows)


def tell_notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the tables."""
    most = result["settings"]["records"]
    size = f"{most:,} records of each database by chance (goodbooks has no more)" if most else "Whole databases"
    return (
        f"{size}; domain tables are of whole sources. Requests are result pages of ten records (Definition 2.3), the mean over "
        f"{len(result['seeds'])} runs, each from another value and with another order of what matches; *apart* is how far they are. Answers are read to their end "
        f"except where it says *left*; a dash says that a harvest did not come so far. Parameters were chosen on {', '.join(TUNED)}. *As published* is told the size of "
        "the database and switches at 85 % of it; *ours* is not. The budget is the paper's: 10,000 requests for 37,000 records. *Films since* are those of two lists of "
        "films (JedAI D10); Table 1 counts interfaces of the same repository in a part that people wrote down without saying which "
        "boxes must be filled.\n\nThe paper: Table 1; Fig. 3 has greedy ahead of all naive selectors on every database; Fig. 4 saves 1,200 requests from 85 % on (ours is counted from where greedy has 85 %, since it may switch before); Fig. 5 has 95 % of "
        "Amazon's DVDs by domain statistics where greedy has less than 70 %, and a smaller table does slightly worse; Fig. 6 loses about half with a limit of 10 and a fifth "
        "with 50; Section 3.4 says that leaving answers greatly improves crawling; with 90 % confidence the size is under the bound of Section 5. Each is a figure to reach above, "
        "for all databases where the paper says so of all, and for films where it measured those.\n\n" + WHY_MISSED
        + (f"\n\n{result['missing']} of the harvests were not made." if result.get("missing") else "")
    )  # fmt: skip


WHY_MISSED = (
    "Where a claim is missed: Table 1 takes a list without an open choice for one that must be chosen, and some of these may be left alone. Fig. 3: greedy asks again for what its "
    "hubs have shown; where hubs share records, breadth-first does as well. Fig. 4: in one order for all attributes the least dependent values are rare ones, which bring a record each; with one value that most records have "
    "(a language), all that came with it alone counts as nearly independent of what was asked, singles included. Our order, among values of one attribute and of about as many links, does not do so; it is chosen when popular values "
    "show mostly what is known, and given up where they do better. Below 0: it has 95 % before greedy has 85 %. On goodbooks the last tenth are authors of one or two books each, a request for each whatever the order. "
    "Fig. 5: greedy comes to 95 %, where harvests end, within the paper's budget, too, so no table can bring a quarter more. "
    "A table of Project Gutenberg has 22 of the 5,833 authors of goodbooks and 58 of its 10,000 records, for it writes Austen, Jane; with names turned round it would have 317 authors and 766 records, and no other attribute: it has nothing to tell, and the figure is that of no table, give or take three requests. Fig. 6: greedy prefers large answers, "
    "which a limit cuts most, and a record whose values all have more matches than the limit may not be shown by any of them. Section 5: crawls that follow the same hubs hold the same records, so sizes come out too small; crawls from different seeds are not independent."
)
