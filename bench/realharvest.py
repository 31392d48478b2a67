"""`dowse harvest` on real software, live: what it claims about every page with a door, beside the truth.

A page is given as a user would give it, without naming the form. What counts is first whether a claim is true: `complete`,
a coverage of 1, the interval of the size; then how many of the records that came are records at all, and how many requests
they took. The fewest possible is the number of records by that on the largest page that the site itself offers
(`labels/real_lists.tsv`): nobody goes below it, and a box for words that lists nothing by itself needs more.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.install import Missing
from bench.options import Options
from bench.places import LABELS, RESULTS, SCRATCH, empty_folder
from bench.realweb import web
from bench.realweb.place import DOMAIN, PROXY_PORT
from bench.realweb.truth import FormPurpose, TrueDatabase, TrueSite, load_site
from bench.report import markdown_table, read_result
from dowse.store import open_existing
from dowse.store.harvests import list_harvests, read_pages

TITLE = "What harvests of real software claim, beside the truth"
REQUESTS = {"short": 100, "full": 300}  # of one harvest; more where three times the fewest possible are more
SECONDS = {"short": 300, "full": 900}  # of one harvest: a program that answers slowly is left, and named
MAX_TIMES_IDEAL = 3  # requests to 95 % of the records that count as few, of the fewest possible
MIN_ALLOWED = 20  # requests that any door may take: the trials before a harvest cost some, however few pages there are
MIN_LONG_LIST = (
    20  # requests that a list needs as it comes, from which on a cheaper way matters: trials cost four to ten
)
MAX_VALUE_WORDS = 12  # of a true value that is looked for in a record
MAX_SHARING = 300  # true records with one value, above which it tells nothing
MIN_SHARE_TRUE = 0.95  # of the true records: fewer is not everything; programs hide a few of theirs

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class RealHarvest:
    """One page, what was claimed about it, and what is true."""

    site: str
    page: str
    true: int  # records of its database; 0 where it searches something else
    records: int = 0
    right: int = 0  # records that are one of the database
    distinct: int = 0  # different ones of the database that they are
    requests: int = 0
    size: int | None = None
    size_ci: tuple[int, int | None] | None = None
    coverage: float | None = None
    complete: bool = False
    complete_for: str = ""
    proof: str = ""
    stopped: str = ""
    ideal: int = 0  # requests, the fewest possible; 0 where that is not known
    plain: int = 0  # requests that its pages as they come need
    to_most: int = 0  # requests after which 95 % of the true records were held; 0 where they never were
    way: str = ""  # the way to everything that was taken

    @property
    def is_thrifty(self) -> bool:
        """Return True if 95 % of the records came within three times the fewest requests."""
        return 0 < self.to_most <= max(MAX_TIMES_IDEAL * self.ideal, MIN_ALLOWED)

    @property
    def is_false(self) -> bool:
        """Return True if it claims to have everything and has not, or claims more than there is."""
        claims = self.complete or (self.coverage is not None and self.coverage >= 0.9995)
        entries = max(self.true, count_entries(self.page, self.true))
        has_all = self.distinct >= MIN_SHARE_TRUE * self.true and self.records >= MIN_SHARE_TRUE * entries
        return claims and not (has_all and self.records <= entries * 1.01)

    @property
    def holds(self) -> bool | None:
        """Return True if the interval of the size holds the truth; None where there is nothing to compare."""
        if self.size_ci is None or not self.true:
            return None
        low, high = self.size_ci
        entries = max(self.true, count_entries(self.page, self.true))
        return low * 0.99 <= entries and (high is None or self.true * 0.99 <= high)  # a count may include a hidden one


def run(options: Options) -> dict[str, object]:
    """Harvest from each page with a door that a GET asks, or those of some programs beside what was kept; the web must be up."""
    folder = empty_folder(SCRATCH / "realharvest")
    kept = read_result(RESULTS, "realharvest")["rows"] if options.parts else []
    rows = [RealHarvest(**each) for each in kept if each["site"] not in options.parts]
    for site in filled_sites(options.parts):
        for page, databases in door_pages(site).items():
            row = harvest_page(site, page, databases, folder / f"{len(rows)}", options.extent)
            rows.append(row)
            options.say(
                f"    {page}: {row.records} records ({row.distinct} of {row.true}), complete {row.complete}, {row.stopped}"
            )
    return {"rows": [asdict(row) for row in rows], "requests": REQUESTS[options.extent], "medians": summarise(rows)}


def filled_sites(names: Iterable[str] = ()) -> Iterator[TrueSite]:
    """Yield the programs that run and whose records are known."""
    for program in web.programs(tuple(names)):
        if web.state(program).running:
            try:
                yield load_site(program.name)
            except Missing:
                continue


def door_pages(site: TrueSite) -> dict[str, list[TrueDatabase]]:
    """Return the pages with a search that a GET without a browser asks, and the databases that it may mean."""
    pages: dict[str, list[TrueDatabase]] = defaultdict(list)
    for form in site.forms:
        if (
            form.purpose in (FormPurpose.DATABASE, FormPurpose.SITE_SEARCH)
            and form.method == "get"
            and not form.browser
        ):
            pages[form.page] += [each for each in site.databases if each.name == form.database]
    return pages


def harvest_page(site: TrueSite, page: str, databases: list[TrueDatabase], base: Path, extent: str) -> RealHarvest:
    """Run the command as a user would, and compare what it wrote with the truth."""
    output = base.with_suffix(".jsonl")
    plain, ideal = count_ideal(page, max((each.count for each in databases), default=0))
    rounds = max(REQUESTS[extent], MAX_TIMES_IDEAL * ideal)
    command = [
        sys.executable, "-m", "dowse", "harvest", page, "--json", "-o", str(output), "--db", str(base.with_suffix(".db")),
        "--rounds", str(rounds), "--connect-to", f"*=127.0.0.1:{PROXY_PORT}", "--allow-private", "--delay", "0",
        "--ignore-robots",
    ]  # fmt: skip
    true = max((each.count for each in databases), default=0)
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS[extent], check=False)
    except subprocess.TimeoutExpired:
        return RealHarvest(site.name, page, true, ideal=ideal, stopped=f"no end within {SECONDS[extent]} s")
    try:
        told: dict[str, Any] = json.loads(ended.stdout)
    except ValueError:
        return RealHarvest(site.name, page, true, ideal=ideal, stopped=ended.stderr.strip()[-200:])
    held = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()] if output.exists() else []
    matches = [(identify_records(held, list(each.records())), each.count) for each in databases]
    numbers, true = max(matches, key=lambda each: len(each[0]) - each[0].count(None), default=([], 0))
    plain, ideal = count_ideal(page, true)
    right, distinct = len(numbers) - numbers.count(None), len({*numbers} - {None})
    ci = told["size_ci"]
    return RealHarvest(
        site.name, page, true, told["records"], right, distinct, told["requests"], told["size"], (ci[0], ci[1]) if ci else None,
        told["coverage"], told["complete"], told.get("complete_for", ""), told.get("proof", ""), told["stopped"], ideal, plain,
        count_requests(base.with_suffix(".db"), numbers, count_reach(page, true)) if numbers else 0, told.get("way", ""),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class LabelledList:
    """How many records a page of a door shows, as it comes and at most, and how many entries it can show at all."""

    usual: int
    largest: int
    reach: int | None = None  # None for all of its database, and nothing else


def read_lists() -> dict[str, LabelledList]:
    """Return what was labelled by hand, by page."""
    found = {}
    for line in (LABELS / "real_lists.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            page, usual, largest, _, *reach = line.split("\t")
            found[page] = LabelledList(int(usual), int(largest), int(reach[0]) if reach else None)
    return found


def count_ideal(page: str, true: int) -> tuple[int, int]:
    """Return the requests that a door's list needs as it comes, and by the largest pages that its site offers; 0 for unknown."""
    labelled = read_lists().get(page)
    if labelled is None or not true:
        return 0, 0
    reach = count_reach(page, true)
    return math.ceil(reach / labelled.usual), math.ceil(reach / labelled.largest)


def count_entries(page: str, true: int) -> int:
    """Return how many entries a door can show: the records of its database, fewer, or other pages as well."""
    labelled = read_lists().get(page)
    return true if labelled is None or labelled.reach is None else labelled.reach


def count_reach(page: str, true: int) -> int:
    """Return how many records of its database a door can show."""
    return min(true, count_entries(page, true))


def count_requests(database: Path, numbers: list[int | None], true: int) -> int:
    """Return after how many requests 95 % of so many true records were held, by the pages that are kept; 0 for never."""
    known: set[int] = set()
    requests = seen = 0
    with open_existing(str(database)) as store:
        for page in read_pages(store, list_harvests(store)[-1].id):
            requests += page.answer.requests
            seen, before = max([seen, *(number + 1 for number in page.numbers)]), seen
            known.update(number for number in numbers[before:seen] if number is not None)
            if len(known) >= MIN_SHARE_TRUE * true:
                return requests
    return 0


def identify_records(held: list[dict[str, Any]], true: list[dict[str, Any]]) -> list[int | None]:
    """Return which true record each held one is; None where it is none of them.

    A record is the true one whose values it shows, where these values together belong to hardly any other.
    """
    having = _index_values(true)
    known: set[int] = set()
    found: list[int | None] = []
    for record in held:
        votes: dict[int, float] = defaultdict(float)
        for value in _phrases(record) & having.keys():
            numbers = having[value]
            if len(numbers) <= MAX_SHARING:
                for number in numbers:
                    votes[number] += math.log(len(true) / len(numbers))
        best = max(votes.values(), default=0.0)
        if not best or best < 0.99 * math.log(len(true)):
            found.append(None)
            continue
        equal = [number for number, vote in votes.items() if vote >= best - 1e-9]
        found.append(next((number for number in equal if number not in known), equal[0]))
        known.update(number for number in found[-1:] if number is not None)
    return found


def _index_values(true: list[dict[str, Any]]) -> dict[str, list[int]]:
    """Return which true records have a value, by its words; a short number is the value of too many things."""
    having: dict[str, list[int]] = defaultdict(list)
    for number, record in enumerate(true):
        lines = {
            each for text in _texts(record) for each in (text, text.partition("\n")[0])
        }  # lists show the first line
        for text in lines:
            words = _WORD.findall(text.casefold())
            if words and (not text.isdigit() or len(text) >= 4):  # a long value is known by its beginning
                having[" ".join(words[:MAX_VALUE_WORDS])].append(number)
    return having


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif value is not None:
        yield str(value)


def _phrases(record: dict[str, Any]) -> set[str]:
    """Return each run of words of a record that may be a value."""
    found: set[str] = set()
    for text in _texts({name: value for name, value in record.items() if name != "_url"}):
        words = _WORD.findall(text.casefold())[:200]
        for start in range(len(words)):
            for end in range(start + 1, min(len(words), start + MAX_VALUE_WORDS) + 1):
                found.add(" ".join(words[start:end]))
    return found


def summarise(rows: list[RealHarvest]) -> dict[str, Any]:
    """Return the figures of all pages together."""
    doors = [row for row in rows if row.true]
    able = [row for row in doors if count_reach(row.page, row.true)]
    judged = [row.holds for row in doors if row.holds is not None]
    cheaper = [row for row in doors if 0 < row.ideal < row.plain]
    shares = [min(1.0, (row.to_most or row.plain) / row.plain) for row in cheaper]
    long = [share for share, row in zip(shares, cheaper, strict=True) if row.plain >= MIN_LONG_LIST]
    held = sum(row.records for row in doors)
    return {
        "pages": len(rows),
        "harvested": sum(row.records > 0 for row in doors),
        "complete": sum(row.complete for row in rows),
        "false claims": sum(row.is_false for row in rows),
        "bounded claims": sum(bool(row.complete_for) for row in rows),
        "right records": sum(row.right for row in doors) / held if held else None,
        "held of true": sum(row.distinct for row in doors) / max(1, sum(row.true for row in doors)),
        "intervals that hold": sum(judged) / len(judged) if judged else None,
        "intervals": len(judged),
        "requests": sum(row.requests for row in rows),
        "doors": len(able),
        "thrifty": sum(row.is_thrifty for row in able) / len(able) if able else None,
        "cheaper doors": len(cheaper),
        "of the plain way": median(shares) if shares else None,
        "long lists": len(long),
        "of the plain way, long lists": median(long) if long else None,
        "of the plain way, long lists, all together": sum(
            row.to_most or row.plain for row in cheaper if row.plain >= MIN_LONG_LIST
        )
        / max(1, sum(row.plain for row in cheaper if row.plain >= MIN_LONG_LIST)),
    }


def table(result: dict[str, Any]) -> str:
    """Return the table of the page."""
    heads = [
        "page",
        "true",
        "records",
        "right",
        "different",
        "requests",
        "fewest",
        "to 95 %",
        "few",
        "size",
        "90 % interval",
        "coverage",
        "complete",
        "false claim",
        "stopped",
    ]
    lines = []
    for each in result["rows"]:
        row = RealHarvest(**each)
        ci = (
            "-"
            if row.size_ci is None
            else f"{row.size_ci[0]:,} to {'any' if row.size_ci[1] is None else format(row.size_ci[1], ',')}"
        )
        lines.append(
            [row.page.removeprefix("http://").replace(f".{DOMAIN}", "")[:60], f"{row.true:,}" if row.true else "-", f"{row.records:,}",
             f"{row.right:,}", f"{row.distinct:,}", str(row.requests), str(row.ideal or "-"), str(row.to_most or "-"), "yes" if row.is_thrifty else "**no**" if row.true else "-", "-" if row.size is None else f"{row.size:,}",
             ci + ("" if row.holds in (None, True) else " (wrong)"), "-" if row.coverage is None else f"{row.coverage:.1%}",
             row.complete_for or ("yes" if row.complete else "no"), "**yes**" if row.is_false else "no", row.stopped[:70].replace("|", "/")]
        )  # fmt: skip
    return markdown_table(heads, lines, 12)


def notes(result: dict[str, Any]) -> str:
    """Return what the table means."""
    told = result["medians"]
    right = "-" if told["right records"] is None else f"{told['right records']:.3f}"
    return (
        f"Each page was given to `dowse harvest` with {result['requests']} requests (three times the fewest possible where that is more) and no form"
        f" named. *Fewest*: the true records by the records on the largest page that the site offers (`bench/labels/real_lists.tsv`). *To 95 %*: requests"
        f" after which 95 % of the true records were held; *few*: that is at most {MAX_TIMES_IDEAL} times the fewest, or {MIN_ALLOWED}: so for"
        f" {told['thrifty']:.2f} of {told['doors']} doors. On the {told['cheaper doors']} doors whose site offers larger pages, an export or an API, the median of the requests to 95 % is"
        f" {told['of the plain way']:.2f} of those that its pages as they come need; on the {told['long lists']} of them that need {MIN_LONG_LIST} or more, {told['of the plain way, long lists']:.2f}"
        f" ({told['of the plain way, long lists, all together']:.2f} of all their requests together). {told['pages']} pages,"
        f" {told['harvested']} with a known database brought records; {told['complete']} claims of `complete`,"
        f" {told['false claims']} claims of everything (`complete` or 100 %) that are false, {told['bounded claims']} bounded claims;"
        f" {right} of the records are right, {told['held of true']:.3f} of all true records are held; the interval of the size"
        f" holds for {told['intervals that hold']:.2f} of {told['intervals']}. A record is right when the values that it shows"
        " belong to one true record alone. `-` under *true*: the search of a site's own pages, whose number is not known."
    )
