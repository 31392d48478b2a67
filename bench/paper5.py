"""Paper 5, the two-stage crawler: relevant sites and forms per crawler and domain (Table 1, Fig. 2), over family B with topics in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.options import Options
from bench.plots import Series, draw, paint_bars
from bench.report import markdown_table
from bench.topical.crawls import CrawlTask
from bench.topical.measure import FORMS, SITES, TOPICS, mean_found, ratio, run_all, say_ratio

TITLE = "Paper 5: the two-stage crawler"
CRAWLERS = ("ache-like", "scdi", "smart", "smart, top 10")
PAPER = {
    "ache-like": (1700, 1300, 500, 2300),
    "scdi": (1900, 2400, 2200, 4200),
    "smart": (3000, 3300, 2800, 4300),
    "smart, top 10": (3200, 3400, 2900, 4400),
}
EXTENTS = {
    "short": (50_000, 1_000, (201, 202, 203, 204, 205)),
    "full": (50_000, 30_000, (201, 202, 203, 204, 205)),
}  # sites, pages, worlds


def run(options: Options) -> dict[str, Any]:
    """Crawl in every way, from the same sites."""
    sites, pages, seeds = EXTENTS[options.extent]
    topics = TOPICS
    tasks = [CrawlTask(topic, seed, sites=sites, pages=pages) for topic in topics for seed in seeds]
    rows = run_all(tasks, CRAWLERS, options.say)
    medians = {
        f"{one} over {other}, {what}": ratio(rows, one, other, pages, number)
        for one, other in (("smart", "scdi"), ("smart", "ache-like"), ("smart, top 10", "smart"))
        for what, number in (("forms", FORMS), ("sites", SITES))
    }
    return {"pages": pages, "sites": sites, "topics": list(topics), "rows": rows, "medians": medians}


def table(result: Mapping[str, Any]) -> str:
    """Write what each crawler found."""
    rows, pages, topics = result["rows"], result["pages"], result["topics"]
    lines = []
    for name in CRAWLERS:
        found = []
        for topic in topics:
            some = [row for row in rows if row["topic"] == topic]
            found.append(f"{mean_found(some, name, pages, SITES):,.1f} / {mean_found(some, name, pages):,.1f}")
        lines.append([name, *found])
    compared = [[name, say_ratio(one)] for name, one in result["medians"].items()]
    printed = [[name, *map(str, found)] for name, found in PAPER.items()]
    return "\n\n".join(
        [
            f"Relevant sites / wanted forms by the world's truth after {pages:,} pages of a web of {result['sites']:,} sites, mean over worlds; look-ups count as pages.",
            markdown_table(["crawler", *topics], lines),
            markdown_table(["found, in pairs", "ratio (95 % interval)"], compared),
            "The paper's Table 1 (relevant sites on the web of 2016; its pages are not told):",
            markdown_table(["crawler", "river", "mountain", "movies", "actor"], printed),
        ]
    )


def notes(result: Mapping[str, Any]) -> str:
    """Describe what the figures mean."""
    return (
        "`scdi` follows out-links of relevant sites as they come: no reverse search, no ranking, no two queues, no adaptive learning. `ache-like` is a linear SVM over 150 words of anchors, 150 of addresses and 100 from around"
        " links, learned again every 500 pages from at most 5,000 samples of a class. `smart, top 10` is the paper's fourth crawler as far as it is described: the first ten results of a search for each source are looked at whether or not"
        " sites wait. Relevance is the truth of the simulated web. How well sites and forms are classified (the paper's Fig. 3) stands in [topics](topics.md)."
    )


def plots(result: Mapping[str, Any]) -> dict[str, str]:
    """Draw relevant sites by topic (Fig. 2)."""
    topics = result["topics"]

    def paint(axes: list[Any]) -> None:
        series = []
        for name in CRAWLERS:
            found = [
                mean_found([row for row in result["rows"] if row["topic"] == topic], name, result["pages"], SITES)
                for topic in topics
            ]
            series.append(Series(name, found))
        paint_bars(axes[0], topics, series)
        axes[0].set(ylabel="relevant sites")

    return {"sites": draw("Bars: relevant sites found by four crawlers, by topic", 1, paint)}
