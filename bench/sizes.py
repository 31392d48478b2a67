"""How well the size of a source is judged while it is harvested: how often the interval holds the truth, how wide it is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import product
from math import inf, isfinite
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from bench.harvest.databases import Database, Source, load
from bench.options import Options
from bench.places import ROOT, SCRATCH
from bench.report import markdown_table
from dowse.harvester.loop import HarvestedRecords, ProbingSelector, run_queries
from dowse.model import Record, Value, Verdict
from dowse.select import SELECTORS
from dowse.select.graph import Graph
from dowse.select.selector import Interface, SelectorParts
from dowse.yields.curve import Point, forecast_requests
from dowse.yields.interval import Interval
from dowse.yields.overlap import estimate_overlap

TITLE = "How large a source is, judged while it is harvested"
TUNED = ("movies", "vehicles", "goodbooks", "packages", "cities")
REPORTED = ("tate", "artsmia", "papers", "gutenberg", "packages-old", "cities-500")
WITH_CHOICES = ("vehicles", "goodbooks", "movies", "papers", "artsmia")  # whose form could list some values
CHOSEN = ("random", "greedy", "auto")
LIMITS = (0, 50)
MARKS = (0.3, 0.5, 0.8)
MOST_REQUESTS = 40_000  # a source whose values are nearly all its own takes as many requests as records
MOST_LIMITED = 20_000  # a source that shows only a part of each answer may never reach the last mark
CRAWLED = ("goodbooks", "vehicles", "movies")
CRAWLS = 6  # and so 15 pairs (paper 4, Section 5)
CRAWL_PART = 30  # a crawl has one request for so many records: up to a third of them
JUDGES = ("capture", "drill", "size", "interval", "curve")
MOST_CHOICES = 700  # that a form lists of one attribute
SAMPLE_RECORDS = 2500  # of a database by chance: so small a source is harvested in seconds, so many can be
SAMPLED_TUNED = ("vehicles", "goodbooks", "movies", "packages")  # cities has values of its own for nearly each record
SAMPLED_REPORTED = ("tate", "artsmia", "papers", "gutenberg")
SAMPLED_SEEDS = 2
FORECAST_TO = 0.8  # of all records: requests to this mark are forecast at those before it
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    databases: tuple[str, ...]
    seeds: int
    uncounted: tuple[str, ...]
    auto_alone: tuple[str, ...] = ()  # harvested by `auto`, with count lines and without, and not otherwise


EXTENTS = {
    "short": Extent(
        ("goodbooks", "vehicles"), 2, ("goodbooks", "vehicles"), ("tate", "gutenberg", "papers", "artsmia")
    ),
    "full": Extent(
        (*REPORTED, *TUNED), 4, ("goodbooks", "vehicles", "movies", "gutenberg", "tate", "papers", "artsmia")
    ),
}


@dataclass(frozen=True)
class Case:
    """One harvest to watch."""

    database: str
    selector: str
    seed: int
    limit: int = 0
    counts: bool = True
    choices: bool = False  # attributes with few values are choices of the form
    records: int = 0  # of the database by chance, others with each seed; 0 for all


@dataclass
class FormSource(Source):
    """A source whose form lists the values of attributes that have few."""

    @cached_property
    def interface(self) -> Interface:
        """What it can be asked: choices where there are not too many, and boxes for the rest."""
        texts: dict[str, list[str]] = {name: [] for name in self.database.attributes}
        for value in self.database.index:
            texts[value.attribute].append(value.text)
        choices = tuple((name, tuple(sorted(some))) for name, some in texts.items() if len(some) <= MOST_CHOICES)
        boxes = tuple(name for name in texts if name not in dict(choices))
        return Interface(boxes, choices=choices, joins=len(texts) > 1, page_size=self.page_size, limit=self.limit)


def decompose(record: Record) -> tuple[Value, ...]:
    """Return the values of a record as they are."""
    return record.values


async def watch(
    database: Database, case: Case, marks: Sequence[float] = MARKS
) -> AsyncIterator[tuple[float, list[Point], ProbingSelector]]:
    """Harvest until the last mark, with the probes that a harvest has; yield the curve so far and what was known at each."""
    kind = FormSource if case.choices else Source
    source = kind(database, limit=case.limit, counts=case.counts)
    graph, rng, left = Graph(), Random(case.seed), list(marks)
    chosen = SELECTORS[case.selector](SelectorParts(graph, source.interface, rng))
    first = rng.choice(database.records).values[0]
    selector = ProbingSelector(chosen, graph, source.interface, Random(case.seed), values=[first])
    drawn, curve = HarvestedRecords(graph), [(0, 0)]
    async for result in run_queries(source.ask, selector, drawn, decompose):
        selector.note(result)
        curve.append((drawn.requests, graph.record_count))
        while left and graph.record_count >= left[0] * len(database.records):
            yield left.pop(0), curve, selector
        if not left or drawn.requests > (MOST_LIMITED if case.limit else MOST_REQUESTS):
            return


def measure(database: Database, case: Case) -> list[Row]:
    """Return what was judged at each mark of one harvest, and whether it holds the truth."""
    return asyncio.run(_measure(database, case))


async def _measure(database: Database, case: Case) -> list[Row]:
    truth, rows = len(database.records), []
    async for mark, curve, selector in watch(database, case):
        size, requests = selector.estimate(), curve[-1][0]
        left = forecast_requests(curve, size, FORECAST_TO) if mark < FORECAST_TO else None
        said = [round(left.low), round(left.high)] if isinstance(left, Interval) else None
        rows.append(
            {
                **asdict(case), "coverage": mark, "requests": requests, "truth": truth,
                "size": round(size.size), "low": round(size.low), "high": round(size.high) if isfinite(size.high) else None, "method": size.method,
                "holds": size.low - 0.5 <= truth <= size.high + 0.5, "forecast": said,
                "why no forecast": left.reason if isinstance(left, Verdict) else "",
            }
        )  # fmt: skip
    fact = next((row["requests"] for row in rows if row["coverage"] == FORECAST_TO), None)
    return [{**row, "left": None if fact is None else fact - row["requests"]} for row in rows]


def fingerprint() -> str:
    """Return what tells one way of judging from another: pieces of an older one are measured again."""
    folder = ROOT / "dowse" / "yields"
    source = b"".join((folder / f"{name}.py").read_bytes() for name in JUDGES)
    return sha256(source).hexdigest()[:12]


def measure_piece(case: Case, load_once: Callable[[str], Database]) -> list[Row]:
    """Return the rows of a harvest: those that were kept, else measured and kept."""
    kept = find_kept(case)
    if kept is not None:
        return kept
    database = load_once(case.database)
    if case.records:
        chosen = Random(case.seed * 100 + case.records).sample(range(len(database.records)), case.records)
        database = Database(
            database.name, database.attributes, tuple(database.records[place] for place in sorted(chosen))
        )
    rows, path = measure(database, case), find_path(case)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"fingerprint": fingerprint(), "rows": rows}) + "\n")
    return rows


def find_kept(case: Case) -> list[Row] | None:
    """Return the rows of a harvest that was measured before; None when it was not, or judged otherwise."""
    path = find_path(case)
    kept = json.loads(path.read_text()) if path.exists() else {}
    return list(kept["rows"]) if kept.get("fingerprint") == fingerprint() else None


def find_path(case: Case) -> Path:
    """Return where a harvest is kept."""
    counts = "counts" if case.counts else "none"
    form = "-choices" if case.choices else ""
    form += f"-{case.records}" if case.records else ""
    return SCRATCH / "sizes" / f"{case.database}-{case.selector}-{case.limit}-{counts}-{case.seed}{form}.json"


def list_cases(options: Options) -> Iterator[Case]:
    """Give all harvests, database by database."""
    extent = EXTENTS[options.extent]
    for database in extent.databases:
        for seed, selector, limit in product(range(extent.seeds), CHOSEN, LIMITS):
            yield Case(database, selector, options.seed + seed, limit)
        for selector in CHOSEN if database in extent.uncounted else ():
            for seed in range(extent.seeds):
                yield Case(database, selector, options.seed + seed, counts=False)
                if database in WITH_CHOICES:
                    yield Case(database, selector, options.seed + seed, counts=False, choices=True)
    for database, seed, counts in product(extent.auto_alone, range(extent.seeds), (False, True)):
        yield Case(database, "auto", options.seed + seed, counts=counts)
    for database, seed, selector in product((*SAMPLED_TUNED, *SAMPLED_REPORTED), range(SAMPLED_SEEDS), CHOSEN):
        yield Case(database, selector, options.seed + seed, counts=False, records=SAMPLE_RECORDS)


def run(options: Options) -> dict[str, Any]:
    """Harvest every database with every selector, or those of some parts beside what was kept; crawl some of them six times."""
    load_once = lru_cache(maxsize=1)(load)
    rows: list[Row] = []
    cases, missing, short = list(list_cases(options)), 0, []
    for case in cases:
        wanted = not options.parts or ("samples" if case.records else case.database) in options.parts
        kept = measure_piece(case, load_once) if wanted else find_kept(case)
        missing += kept is None
        short += [f"{case.database} {case.selector} {case.limit}"] if kept == [] else []
        found = kept or []
        rows += found
        told = ", ".join(f"{row['coverage']:.0%} {'held' if row['holds'] else 'MISSED'}" for row in found)
        options.say(f"  {case.database} {case.selector} limit {case.limit} seed {case.seed}: {told or 'nothing kept'}")
    crawls = [measure_crawls(load_once(name), options.seed) for name in CRAWLED]
    return {
        "seeds": sorted({row["seed"] for row in rows}),
        "settings": {"extent": options.extent, "marks": MARKS, "fingerprint": fingerprint()},
        "planned": len(cases),
        "missing": missing,  # not measured yet
        "short": sorted(set(short)),  # ended before the first mark
        "rows": rows,
        "crawls": crawls,
        "medians": summarise(rows),
    }


def measure_crawls(database: Database, seed: int) -> Row:
    """Crawl a database six times from values of their own, and judge its size by what each two have in common (paper 4, Section 5)."""
    requests = len(database.records) // CRAWL_PART
    crawls = [asyncio.run(crawl(database, seed + place, requests)) for place in range(CRAWLS)]
    found = estimate_overlap(crawls)
    truth, held = len(database.records), len(frozenset().union(*crawls))
    return {
        "database": database.name, "truth": truth, "requests": requests, "crawls": [len(each) for each in crawls],
        "together": held, "pairs": CRAWLS * (CRAWLS - 1) // 2, "size": round(found.value), "low": round(found.low),
        "high": round(found.high), "holds": found.low - 0.5 <= truth <= found.high + 0.5,
    }  # fmt: skip


async def crawl(database: Database, seed: int, requests: int) -> frozenset[str]:
    """Return the records of a crawl that asks for any value."""
    source, rng, drawn = Source(database), Random(seed), HarvestedRecords(Graph())
    selector = SELECTORS["random"](SelectorParts(drawn.graph, source.interface, rng))
    selector.seed([rng.choice(database.records).values[0]])
    async for _ in run_queries(source.ask, selector, drawn, decompose):
        if drawn.requests >= requests:
            break
    return frozenset(key.hex() for key in drawn.keys)


def summarise(rows: Sequence[Row]) -> dict[str, Any]:
    """Return how often intervals hold and how wide they are at each mark: all, tuned and reported; without count lines apart."""
    samples = [row for row in rows if row["records"]]
    rows = [row for row in rows if not row["records"]]
    counted = [row for row in rows if row["counts"]]
    groups = {
        "all": counted,
        "tuned": [row for row in counted if row["database"] in TUNED],
        "reported": [row for row in counted if row["database"] in REPORTED],
        "no count lines": [row for row in rows if not row["counts"] and not row["choices"]],
        "no count lines, only reported on": [row for row in rows if not row["counts"] and row["database"] in REPORTED],
        "no count lines, choices": [row for row in rows if row["choices"]],
        "samples without count lines, tuned": [row for row in samples if row["database"] in SAMPLED_TUNED],
        "samples without count lines, only reported on": [
            row for row in samples if row["database"] in SAMPLED_REPORTED
        ],
    }
    marks = {
        name: {f"{mark:.0%}": _sum_up([row for row in some if row["coverage"] == mark]) for mark in MARKS}
        for name, some in groups.items()
        if some
    }
    worst = min((_sum_up(some)["held"] for some in _group(counted, "database").values()), default=0.0)
    return {**marks, "worst database": worst, "forecasts": sum_up_forecasts(rows)}


def sum_up_forecasts(rows: Sequence[Row]) -> dict[str, float]:
    """Return how often requests were forecast, how often the forecast held, and how far its ends lie apart."""
    known = [row for row in rows if row["coverage"] < FORECAST_TO and row["left"] is not None]
    said = [row for row in known if row["forecast"]]
    held = sum(row["forecast"][0] <= row["left"] <= row["forecast"][1] for row in said)
    factors = [row["forecast"][1] / max(1, row["forecast"][0]) for row in said]
    return {
        "runs": len(known), "said": len(said) / max(1, len(known)), "held": held / max(1, len(said)),
        "factor": median(factors) if factors else 0.0,
    }  # fmt: skip


def _group(rows: Sequence[Row], *names: str) -> dict[tuple[Any, ...], list[Row]]:
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row.get(name) for name in names), []).append(row)
    return found


def _sum_up(rows: Sequence[Row]) -> dict[str, float]:
    """Return how many intervals held the truth, how wide they were, how far the estimate was off."""
    if not rows:
        return {"runs": 0, "held": 0.0, "width": 0.0, "off": 0.0}
    return {
        "runs": len(rows),
        "held": sum(row["holds"] for row in rows) / len(rows),
        "width": median(((inf if row["high"] is None else row["high"]) - row["low"]) / row["truth"] for row in rows),
        "off": median(abs(row["size"] - row["truth"]) / row["truth"] for row in rows),
    }


# what is shown


def table(result: dict[str, Any]) -> str:
    """How often intervals held: in all, by database and selector; and six crawls."""
    parts = [_table_of_marks(result), _table_of_forecasts(result), _table_of_databases(result["rows"])]
    return "\n\n".join([*parts, _table_of_crawls(result["crawls"])])


def _table_of_forecasts(result: dict[str, Any]) -> str:
    told = result["medians"]["forecasts"]
    row = [f"{told['runs']}", f"{told['said']:.0%}", f"{told['held']:.0%}", f"{told['factor']:.1f}"]
    heads = [f"forecasts of the requests to {FORECAST_TO:.0%}", "said", "of them held", "ends apart, times"]
    return markdown_table(heads, [row], numbers=3)


def _table_of_marks(result: dict[str, Any]) -> str:
    rows = [
        [group, mark, f"{each['runs']}", f"{each['held']:.0%}", f"{each['width']:.3f}", f"{each['off']:.3f}"]
        for group, marks in result["medians"].items()
        if isinstance(marks, dict) and group != "forecasts"
        for mark, each in marks.items()
    ]
    return markdown_table(
        ["databases", "coverage", "runs", "held the truth", "width / size", "off by"], rows, numbers=5
    )


def _table_of_databases(rows: Sequence[Row]) -> str:
    """For each database, selector and limit: intervals that held, of how many, and their width, at each mark."""
    shown = []
    for (database, selector, limit, counts, choices, records), some in _group(
        rows, "database", "selector", "limit", "counts", "choices", "records"
    ).items():
        cells = []
        for mark in MARKS:
            each = [row for row in some if row["coverage"] == mark]
            held = sum(row["holds"] for row in each)
            cells.append(f"{held} of {len(each)}, {_sum_up(each)['width']:.2f}" if each else "not reached")
        shown.append(
            [
                f"{database}, {records:,}" if records else database,
                selector,
                str(limit or "none"),
                "yes" if counts else "no, choices" if choices else "no",
                *cells,
            ]
        )
    heads = ["database", "selector", "limit", "count lines", *(f"at {mark:.0%}: held, width" for mark in MARKS)]
    return markdown_table(heads, shown, numbers=3)


def _table_of_crawls(crawls: Sequence[Row]) -> str:
    rows = [
        [
            each["database"], f"{each['truth']:,}", f"{each['requests']:,}", f"{median(each['crawls']):,.0f}", f"{each['together']:,}",
            f"{each['size']:,}", f"{each['low']:,} to {each['high']:,}", "yes" if each["holds"] else "no",
        ]
        for each in crawls
    ]  # fmt: skip
    heads = ["six crawls of", "records", "requests each", "records each", "together", "judged", "90 %", "holds"]
    return markdown_table(heads, rows, numbers=7)


def notes(result: dict[str, Any]) -> str:
    """Describe what the tables are."""
    tuned = [name for name in TUNED if any(row["database"] == name for row in result["rows"])]
    return (
        "Intervals of nominal 90 %, page size 10, probes 5 % of the first 1,000 requests and 2 % of the rest. *Width* and *off by* are medians, "
        f"as parts of the true size. Constants were chosen on {', '.join(tuned)}, with seeds 1 and 2 (without count lines 1 to 6); the others were only reported on. "
        f"A harvest ends after {MOST_REQUESTS:,} requests, with a limit after {MOST_LIMITED:,}: some marks are not reached{_tell_short(result)}. "
        f"{result['planned'] - result['missing']} of {result['planned']} harvests that belong to this table were measured, with the seeds "
        f"{', '.join(map(str, result['seeds']))}. "
        "Six crawls of each database ask for any value, from a first value of their own; the size is the mean over the 15 pairs, the "
        "interval that of Student's t with five degrees of freedom. *Choices*: the form lists all values of attributes that have at most "
        f"{MOST_CHOICES}. *Samples*: {SAMPLE_RECORDS:,} records of a database by chance, others with each seed, harvested by {', '.join(CHOSEN)}: small enough for "
        "many harvests, so that how often intervals hold is told by more than a few. A forecast is said where its ends are at most a factor of ten apart."
    )


def _tell_short(result: dict[str, Any]) -> str:
    return (
        f", and no mark at all by {', '.join(result['short'])}, which are not in the tables" if result["short"] else ""
    )
