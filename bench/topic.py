"""Our own crawler on a topic, beside those of papers 2 and 5 and an oracle that knows every site's topic; each part switched off in turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.options import Options
from bench.plots import draw, paint_curves
from bench.report import markdown_table
from bench.topical.crawls import KNOWS_TOPICS, CrawlTask
from bench.topical.measure import FORMS, SHORT_TOPICS, SITES, WRONG, found_at, mean_found, ratio, run_all, say_ratio

TITLE = "On a topic"
TOPICS = ("airfares", "hotels", "cars", "books", "movies", "music", "jobs", "real estate")
PAPERS = ("levels:3", "levels:1", "smart", "scdi", "ache-like", "best-first, stopping", "fixed depth 3")
PARTS = ("focused without reverse search", "focused without exploration", "focused without adaptation", "smart without queues", "smart without link tree",
         "smart without adaptation", "smart without reverse search")  # fmt: skip
CRAWLERS = ("oracle", KNOWS_TOPICS, "focused", *PAPERS, *PARTS)
EXTENTS = {
    "short": (50_000, 1_000, (201,)),
    "full": (50_000, 30_000, (201, 202, 203, 204, 205)),
}  # sites, pages, worlds
ALLOWED = 1.6  # of the best of the papers', which the oracle has to find for ours to be compared with it


def run(options: Options) -> dict[str, Any]:
    """Crawl in every way, from the same sites."""
    sites, pages, seeds = EXTENTS[options.extent]
    topics = TOPICS if options.extent == "full" else SHORT_TOPICS
    tasks = [CrawlTask(topic, seed, sites=sites, pages=pages) for topic in topics for seed in seeds]
    names = CRAWLERS if options.extent == "full" else CRAWLERS[: 3 + len(PAPERS)]
    rows = run_all(tasks, names, options.say)
    medians: dict[str, Any] = {}
    for what, number in (("forms", FORMS), ("sites", SITES)):
        medians[f"focused of the oracle, {what}"] = ratio(rows, "focused", "oracle", pages, number)
        medians[f"focused of itself with every site's topic known, {what}"] = ratio(
            rows, "focused", KNOWS_TOPICS, pages, number
        )
        best = max(PAPERS, key=lambda name: mean_found(rows, name, pages, number))
        medians[f"focused over the best of the papers', {what}"] = {
            **ratio(rows, "focused", best, pages, number),
            "best": best,
        }
        medians[f"the oracle over the best of the papers', {what}"] = ratio(rows, "oracle", best, pages, number)
    return {"pages": pages, "sites": sites, "topics": list(topics), "rows": rows, "medians": medians}


def table(result: Mapping[str, Any]) -> str:
    """Write what each crawler found."""
    rows, pages = result["rows"], result["pages"]
    budgets = sorted({pages // 5, pages})
    lines = []
    for name in dict.fromkeys(row["name"] for row in rows):
        found = [f"{mean_found(rows, name, budget, number):,.1f}" for budget in budgets for number in (FORMS, SITES)]
        right, wrong = mean_found(rows, name, pages), mean_found(rows, name, pages, WRONG)
        precision = f"{right / (right + wrong):.2f}" if right + wrong else "-"
        share = [say_ratio(ratio(rows, name, "oracle", pages, number)) for number in (FORMS, SITES)]
        lines.append([name, *found, precision, *share])
    heads = [f"{what} at {budget:,}" for budget in budgets for what in ("forms", "sites")]
    compared = [
        [name + (f" ({one['best']})" if "best" in one else ""), say_ratio(one)]
        for name, one in result["medians"].items()
    ]
    return "\n\n".join(
        [
            f"Wanted forms and relevant sites by the world's truth, mean over {', '.join(result['topics'])} in a web of {result['sites']:,} sites; look-ups count as pages.",
            markdown_table(
                ["crawler", *heads, "precision of forms", "of the oracle, forms", "of the oracle, sites"], lines
            ),
            markdown_table(["in pairs", "ratio (95 % interval)"], compared),
        ]
    )


def notes(result: Mapping[str, Any]) -> str:
    """Say what the figures mean."""
    return (
        "Every crawler starts from the same ten sites and uses the same classifiers of pages and forms, which were trained on texts of other sites than those that gave the world its words. The oracle knows every site's topic, where its forms are and who links to whom: it takes the forms that are most for their"
        f" pages, but may follow links only, from the same sites, and reads no page in vain: no crawler can know which sites have forms, and on which page. `{KNOWS_TOPICS}` is our own crawler that is told every site's topic before it reads a page, and nothing else. Settings were chosen on family A; these are worlds of family B."
    )


def plots(result: Mapping[str, Any]) -> dict[str, str]:
    """Draw forms over pages."""

    def paint(axes: list[Any]) -> None:
        steps = [result["pages"] * step // 40 for step in range(1, 41)]
        for axis, (what, number) in zip(axes, (("wanted forms", FORMS), ("relevant sites", SITES)), strict=True):
            curves = {}
            for name in (KNOWS_TOPICS, "focused", *PAPERS):
                some = [row for row in result["rows"] if row["name"] == name]
                curves[name] = [
                    (pages, sum(found_at(row, pages, number) for row in some) / max(1, len(some))) for pages in steps
                ]
            paint_curves(axis, curves, dashed=list(PAPERS))
            axis.set(xlabel="pages", ylabel=what)
        axes[1].get_legend().remove()

    return {
        "found": draw(
            "Curves: wanted forms and relevant sites over pages, for ours, ours with every topic known, and the papers' crawlers",
            2,
            paint,
        )
    }
