"""Fig. 3, 5, 16 and 17: sites recorded once, every strategy replayed over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from bench.paper1.facts import BASE, LOCAL, OURS, PAPER, RIVALS, Plan
from bench.paper1.sites import CLAIMS, Row, survey_sites
from bench.paper1.trials import try_often
from bench.paper1.workers import Say, Task, split, spread
from dowse.sample.record import WHOLE
from dowse.yields import Interval, SiteYield, measure

PIECE = 10  # sites that a worker takes at a time
SHALLOW = 3


def run_local(plan: Plan, say: Say) -> dict[str, Any]:
    """Record every site of a world; return the depths, the trials and the table of strategies."""
    extent = plan.extent
    tasks = [
        Task(plan.family, plan.seed, extent.sites, piece, extent.site_pages, LOCAL)
        for piece in split(range(extent.sites), PIECE)
    ]
    rows = [row for piece in spread(survey_sites, tasks, say) for row in piece]
    answering = [row for row in rows if not row["error"]]
    return {
        "sites": len(rows),
        "answering": len(answering),
        "depths": sum_depths(answering),
        "claims": sum_claims(answering),
        "trials": try_often(list_yields(answering, BASE, "forms"), extent.trials, extent.drawn, plan.seed),
        "strategies": sum_up(answering, LOCAL, "forms"),
    }


def sum_depths(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how many things lie at each depth, and which part within depth 3."""
    counts = {
        what: [sum(column) for column in zip(*(row["depths"][what] for row in rows), strict=True)]
        for what in ("pages", "query forms", "other sites")
    }
    forms = counts["query forms"]
    return {
        "counts": counts,
        "within 3": {what: sum(some[: SHALLOW + 1]) / max(1, sum(some)) for what, some in counts.items()},
        "deepest form": max((depth for depth, count in enumerate(forms) if count), default=0),
    }


def sum_claims(rows: Sequence[Row]) -> dict[str, list[int]]:
    """Return what an exhaustive search took for query forms at each depth, and how much of it is none."""
    return {
        what: [sum(column) for column in zip(*(row["claims"][what] for row in rows), strict=True)] for what in CLAIMS
    }


def list_yields(rows: Sequence[Row], name: str, objects: str) -> list[SiteYield]:
    """Return what a strategy gave by site; all that there is is what the whole recording found."""
    return [
        SiteYield(row["yields"][name]["pages"], row["yields"][name][objects], row["yields"][WHOLE][objects])
        for row in rows
    ]


def sum_up(rows: Sequence[Row], strategies: Sequence[str], objects: str) -> dict[str, dict[str, Any]]:
    """Return the yields of each strategy with their intervals."""
    return {name: _sum_up_one(rows, name, objects) for name in strategies}


def _sum_up_one(rows: Sequence[Row], name: str, objects: str) -> dict[str, Any]:
    yields = list_yields(rows, name, objects)
    whole = measure(name, yields)
    having = measure(name, [each for each in yields if each.total])
    given = [row["yields"][name] for row in rows]
    told: dict[str, Any] = {
        "pages": whole.pages,
        "forms": whole.forms,
        "site harvest": write(whole.site_harvest),
        "site coverage": write(whole.site_coverage),
        "harvest": write(whole.harvest),
        "coverage": write(whole.coverage),
        "site harvest where any": write(having.site_harvest),
        "missing": sum(each["missing"] for each in given),
    }
    return told | _compare_with_truth(given)


def _compare_with_truth(given: Sequence[dict[str, int]]) -> dict[str, float]:
    """Return coverage of all that a polite crawler can reach, and precision; nothing where no truth is known."""
    if not given or "right" not in given[0]:
        return {}
    right, wrong, reachable = (sum(each[what] for each in given) for what in ("right", "wrong", "reachable"))
    told = {"true coverage": right / max(1, reachable), "precision": right / max(1, right + wrong)}
    claimed = max(1, sum(each["forms"] for each in given))
    return told | {
        f"share {what}": sum(each[what] for each in given) / claimed for what in ("no query form", "found before")
    }


def write(interval: Interval) -> dict[str, Any]:
    """Return an interval as plain values."""
    return asdict(interval)


def judge(strategies: dict[str, dict[str, Any]], ours: str = OURS) -> dict[str, float]:
    """Return the figures that a table of strategies has to reach."""

    def of(name: str, figure: str) -> float:
        return float(strategies[name][figure]["value"])

    harvests, coverages = ([of(name, f"site {figure}") for name in PAPER] for figure in ("harvest", "coverage"))
    figures = {
        "harvest in the order of Fig. 17": float(sorted(set(harvests)) == harvests),
        "coverage in the order of Fig. 17": float(sorted(set(coverages), reverse=True) == coverages),
    }
    for way in ("site ", ""):
        base = of(BASE, f"{way}harvest") or 1e-9
        rivals = {figure: max(of(name, f"{way}{figure}") for name in RIVALS) for figure in ("harvest", "coverage")}
        figures |= {
            f"{way}harvest of navmenu:3 over {BASE}": of("navmenu:3", f"{way}harvest") / base,
            f"{way}coverage of ours": of(ours, f"{way}coverage"),
            f"{way}harvest of ours over {BASE}": of(ours, f"{way}harvest") / base,
            f"{way}harvest of ours over the best rival": of(ours, f"{way}harvest") / (rivals["harvest"] or 1e-9),
            f"{way}coverage of ours over the best rival": of(ours, f"{way}coverage") / (rivals["coverage"] or 1e-9),
        }
    return figures
