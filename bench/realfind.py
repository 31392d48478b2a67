"""What `dowse find` finds on real software, live: from a hub that names the sites, and with all sites given.

The models that come with Dowse have learned from this software: what they give on software that was left out is measured by
`links` (the choice of links) and by `python -m bench.realweb pages` with `dowse train forms` (the judgement of forms).
"""

from __future__ import annotations

from typing import Any

import uvloop

from bench.options import Options
from bench.places import SCRATCH, empty_folder
from bench.realweb import web
from bench.realweb.place import DOMAIN, PROXY_PORT
from bench.realweb.score import score_forms
from bench.realweb.truth import TrueSite, load_sites
from bench.report import markdown_table
from dowse.engine.find import begin_run, build_report, search_waiting
from dowse.fetch.build import build_fetch
from dowse.seeds.lists import read_seed
from dowse.settings import ConnectTo, FetchSettings, FindSettings
from dowse.store import open_store

TITLE = "What is found on real software"
STARTS = {"from the hub": (f"http://hub.{DOMAIN}/",), "sites given": ()}
STRATEGIES = ("learned", "exhaustive:3")


def run(options: Options) -> dict[str, object]:
    """Search with each strategy from each start; the web must be up."""
    web.start(web.prepare(web.programs(()), lambda line: None), lambda line: None)
    sites = load_sites()
    folder = empty_folder(SCRATCH / "realfind")
    rows: dict[str, Any] = {}
    for start, seeds in STARTS.items():
        for strategy in STRATEGIES:
            path = str(folder / f"{start} {strategy.replace(':', '-')}.db")
            rows[f"{strategy}, {start}"] = told = uvloop.run(search(path, strategy, seeds or entrances(sites), sites))
            options.say(f"    {strategy}, {start}: {told['found']} of {told['wanted']} doors, {told['pages']} pages")
    figures = {
        start: {
            "found": rows[f"learned, {start}"]["found"] / rows[f"learned, {start}"]["wanted"],
            "precision": rows[f"learned, {start}"]["precision"],
            "pages": rows[f"learned, {start}"]["pages"] / rows[f"exhaustive:3, {start}"]["pages"],
        }
        for start in STARTS
    }
    return {"rows": rows, "medians": figures}


def entrances(sites: list[TrueSite]) -> tuple[str, ...]:
    """Return where all sites are entered."""
    return tuple(site.entrance for site in sites)


async def search(db: str, strategy: str, seeds: tuple[str, ...], sites: list[TrueSite]) -> dict[str, Any]:
    """Run one search and compare it with the truth."""
    ours = (ConnectTo("*", "127.0.0.1", PROXY_PORT),)
    settings = FindSettings(strategy)
    with open_store(db) as store:
        job = begin_run(store, [read_seed(seed) for seed in seeds], settings)
        async with build_fetch(FetchSettings(delay=0.0, allow_private=True, connect_to=ours)) as fetches:
            async for _ in search_waiting(store, job, fetches, settings):
                pass
        report = build_report(store, 0.0, job.stopped)
        rows = list(store.forms())
        searched = {site["site"] for site in store.sites() if site["state"] == "searched"}
    score = score_forms(rows, sites)
    reachable = [site for site in sites if f"http://{site.host}" in searched]
    there = score_forms(rows, reachable)
    true = there.found / there.wanted if there.wanted else None
    return {
        "found": score.found,
        "wanted": score.wanted,
        "missed": list(score.missed),
        "misjudged": list(score.misjudged),
        "false": list(score.false_doors),
        "precision": score.precision,
        "claimed": score.claimed,
        "pages": report.pages,
        "sites": len(reachable),
        "coverage": report.coverage,
        "coverage_ci": report.coverage_ci,
        "true coverage": true,
        "holds": None
        if report.coverage_ci is None or true is None
        else report.coverage_ci[0] <= true <= report.coverage_ci[1],
    }


def table(result: dict[str, Any]) -> str:
    """Return the table of the page."""
    heads = [
        "search",
        "doors found",
        "pages",
        "sites searched",
        "precision",
        "rows that claim a door",
        "coverage it claims",
        "true",
    ]
    rows = []
    for name, told in result["rows"].items():
        ci = told["coverage_ci"]
        claimed = f"{told['coverage']:.2f} ({ci[0]:.2f} to {ci[1]:.2f})" if ci else "unknown"
        true = "-" if told["true coverage"] is None else f"{told['true coverage']:.2f}"
        rows.append(
            [name, f"{told['found']} of {told['wanted']}", f"{told['pages']:,}", str(told["sites"]), f"{told['precision']:.2f}",
             str(told["claimed"]), claimed, true]
        )  # fmt: skip
    return markdown_table(heads, rows, len(heads))


def notes(result: dict[str, Any]) -> str:
    """Return what the table means."""
    ours = result["rows"]["learned, from the hub"]
    return (
        "Doors: forms that ask a database and that a polite crawler reaches without a browser. Precision: distinct true forms"
        " that were judged to ask a database and do. The models have learned from this software, so that these are not figures"
        " for software they have not seen: see [links](links.md) and [forms](../forms.md)."
        f" From the hub, not found: {', '.join(ours['missed']) or 'none'}; misjudged: {', '.join(ours['misjudged']) or 'none'};"
        f" false doors: {', '.join(ours['false']) or 'none'}."
    )
