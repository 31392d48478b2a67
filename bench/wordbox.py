"""One box for words that shows only some of what matches: requests beside one who knows the whole source, and what is reached."""

from __future__ import annotations

import asyncio
import re
from random import Random
from statistics import fmean
from typing import Any

from bench.harvest.compare import find_requests
from bench.harvest.cover import cover, list_shown
from bench.harvest.databases import DATABASES, Database, Source
from bench.harvest.runs import harvest
from bench.kept import list_selectors, open_kept
from bench.options import Options
from bench.report import markdown_table
from dowse.model import Query, Record, Value
from dowse.select import SELECTORS
from dowse.select.selector import DEFAULT_PAGE_SIZE, Interface

TITLE = "A box for words that shows 10 or 100 records of an answer"
TEXTS = {  # whose words a box finds
    "goodbooks": ("title", "authors"),
    "movies": ("title", "cast", "genres"),
    "papers": ("title", "authors"),
    "gutenberg": ("title", "author"),
}
LIMITS = (10, 100)
MOST_RECORDS = 10_000  # of a database, by chance: so many are harvested in a minute
MARK = 0.9  # of the records, to which requests are counted
BUDGET = 3  # times the pages of all records
_WORD = re.compile(r"\w{3,}")
Row = dict[str, Any]


class WordSource(Source):
    """Finds records that have all words of its one box."""

    @property
    def interface(self) -> Interface:
        """What it can be asked: words."""
        return Interface(keyword=True, page_size=self.page_size, limit=self.limit)

    def match(self, query: Query) -> Any:
        """Return the records with all words, in the order of the source."""
        return super().match(Query(tuple(Value("", word) for value in query.values for word in value.text.split())))


def load_words(name: str) -> Database:
    """Read a database as records that are sets of words."""
    rows = list(DATABASES[name][1]())
    chosen = Random(1).sample(rows, MOST_RECORDS) if len(rows) > MOST_RECORDS else rows
    texts = [" ".join(str(row.get(attribute) or "") for attribute in TEXTS[name]).lower() for row in chosen]
    words = [tuple(Value("", word) for word in dict.fromkeys(_WORD.findall(text))) for text in texts]
    return Database(name, ("",), tuple(Record(some, key=str(place)) for place, some in enumerate(words) if some))


def measure(database: Database, limit: int, seed: int) -> Row:
    """Harvest with `auto`; return the requests to the mark, those of one who knows all, and what was held in the end."""
    source, size = WordSource(database, limit=limit), len(database.records)
    knowing = find_requests(cover(source, list_shown(source)), MARK * size)
    curve = asyncio.run(harvest(source, SELECTORS["auto"], seed, requests=BUDGET * size // source.page_size))
    requests = find_requests(curve, MARK * size)
    return {
        "database": database.name, "limit": limit, "seed": seed, "records": size, "requests": requests, "all-knowing": knowing,
        "over all-knowing": requests / knowing if requests and knowing else None, "held": curve.drawn / size,
    }  # fmt: skip


def run(options: Options) -> dict[str, Any]:
    """Harvest every database with both limits."""
    kept, rows = open_kept("wordbox", list_selectors()), []
    seeds = range(options.seed, options.seed + (2 if options.extent == "full" else 1))
    for name in TEXTS:
        database = load_words(name)
        for limit in LIMITS:
            for seed in seeds:
                piece = f"{name}-{limit}-{seed}"
                row = kept.find(piece) or kept.add(piece, measure(database, limit, seed))
                options.say(f"  {name}, {limit}: {row['held']:.2f} held, {row['over all-knowing']} of the all-knowing")
                rows.append(row)
    # who does not come so far within the budget needs more than that: a lower bound
    ratios = [
        (row["requests"] or BUDGET * row["records"] / DEFAULT_PAGE_SIZE) / row["all-knowing"]
        for row in rows
        if row["limit"] == max(LIMITS)
    ]
    return {
        "seeds": list(seeds),
        "settings": {"extent": options.extent, "mark": MARK, "budget": BUDGET},
        "rows": rows,
        "medians": {
            "over all-knowing at 100": fmean(ratios),
            "held at 10": fmean(row["held"] for row in rows if row["limit"] == min(LIMITS)),
        },
    }


def table(result: dict[str, Any]) -> str:
    """Each database and limit."""
    rows = [
        [
            row["database"], f"{row['limit']}", f"{row['records']:,}",
            f"{row['requests']:,.0f}" if row["requests"] else "not reached", f"{row['all-knowing']:,.0f}" if row["all-knowing"] else "not reached",
            f"{row['over all-knowing']:.2f}" if row["over all-knowing"] else "", f"{row['held']:.3f}",
        ]
        for row in result["rows"]
    ]  # fmt: skip
    heads = ["database", "shown", "records", f"requests to {MARK:.0%}", "all-knowing", "ratio", "held in the end"]
    return markdown_table(heads, rows, numbers=6)


def notes(result: dict[str, Any]) -> str:
    """Describe what the table is."""
    return (
        f"One box finds records that have all of its words; an answer says how many match and shows the first 10 or 100, ten on a page, in one order. A harvest by `auto` has {result['settings']['budget']} requests "
        "for each page of all records, from one word of a record by chance. The all-knowing cover asks again and again the single word that brings the most new records for a request, knowing all of them. "
        "In the mean, a harvest that does not come to 90 % counts by all requests that it had: it needs more."
    )
