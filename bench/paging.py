"""Next pages and count lines: on real list pages with labels, and on a world whose truth is known."""

from __future__ import annotations

import csv
import io
import json
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from parsel import Selector

from bench.options import Options
from bench.places import DATA
from bench.probe import Sample, count_true, gather
from bench.report import markdown_table
from bench.stepping import step_request
from dowse.form.fill import fill
from dowse.model import Page, Request, Response
from dowse.page import read_page
from dowse.page.document import Document
from dowse.records.counts import best_count, judge_trouble
from dowse.records.paging import find_next, find_numbered_links, read_page_number
from dowse.records.wrapper import find_outside_lines
from dowse.sim import World
from dowse.sim.address import Address, read_params
from dowse.sim.answers import read_start
from dowse.url import canonical, registrable_domain

TITLE = "Next pages and count lines"
LABELS = Path(__file__).parent / "labels" / "counts.json"
ARCHIVES = {
    "autopager": "autopager.tar.xz",
    "next_eval": "next_eval_list_pages.tar.xz",
    "misc": "list_pages_misc.tar.xz",
}
SITES = 150
MOST_PAGES = 4  # of one answer that are walked
PARTS = ("dev", "held")
MARKS = ("PREV", "PAGE", "NEXT")


@lru_cache(maxsize=4)
def read_archive(name: str) -> dict[str, bytes]:
    """Return the files of an archive of pages, by their paths."""
    with tarfile.open(DATA / "pages" / ARCHIVES[name]) as archive:
        members = [each for each in archive if each.isfile()]
        return {each.name.removeprefix("./"): archive.extractfile(each).read() for each in members}  # type: ignore[union-attr]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A list page with the links that people marked on it."""

    name: str
    url: str
    page: Page
    source: str
    marked: dict[str, list[tuple[str, str]]]  # words and addresses

    @property
    def part(self) -> str:
        """Which part it belongs to, the three quarters that rules were made on or the one held back: domains stay together."""
        domain = registrable_domain(urlsplit(self.url).hostname or "")
        return PARTS[blake2b(domain.encode(), digest_size=1).digest()[0] % 4 == 2]


def find_labelled() -> Iterator[Labelled]:
    """Yield the labelled pages."""
    files = read_archive("autopager")
    table = next(body for path, body in files.items() if path.endswith("data.csv"))
    for row in csv.DictReader(io.StringIO(table.decode())):
        body = next(text for path, text in files.items() if path.endswith(f"/{row['File Name']}.html"))
        kind = ("content-type", f"text/html; charset={row['Encoding']}")
        page = read_page(Response(row["Page URL"], 200, (kind,), body))
        source = body.decode(row["Encoding"], "replace")
        tree = Selector(source)
        marked = {mark: list(_find_marked(tree, row[mark], page)) for mark in MARKS}
        yield Labelled(row["File Name"], row["Page URL"], page, source, marked)


def _find_marked(tree: Selector, chosen: str, page: Page) -> Iterator[tuple[str, str]]:
    for element in tree.css(chosen) if chosen.strip() else ():
        anchors = [element] if element.root.tag == "a" else [*element.xpath(".//a"), *element.xpath("ancestor::a")]
        href = anchors[0].attrib.get("href", "") if anchors else ""
        words = " ".join((element.xpath("string()").get() or "").split())
        yield words, (canonical(href, page.base or page.url) or "") if href else ""


def find_wanted(one: Labelled) -> tuple[str, set[str]]:
    """Return what kind of page it is, and which addresses are its next page.

    What says newer leads back, and what says older on, whatever it is marked as; a link to the page itself leads nowhere.
    """
    marked, here = one.marked, canonical(one.url)
    on = [url for words, url in marked["NEXT"] if "newer" not in words.lower() and url != here]
    on += [url for words, url in marked["PREV"] if "older" in words.lower()]
    if on:
        return ("next", set(on)) if any(on) else ("by script", set())
    if marked["PREV"] or not marked["PAGE"]:
        return "no next", set()
    numbers = {read_page_number(words): url for words, url in marked["PAGE"]}
    row = find_numbered_links([(number, url) for number, url in numbers.items() if number and url])
    current = (row.read(here or "") if row else 0) or 1
    return "numbers only", {numbers.get(current + 1, "")} - {""}


def judge_page(one: Labelled) -> tuple[str, bool]:
    """Return what kind of page it is, and whether its next page was told rightly."""
    kind, wanted = find_wanted(one)
    found = find_next(one.page, Request(one.url), source=one.source)
    url = found.request.url if found else ""
    if kind == "by script":
        return kind, not url or url in {each for _, each in one.marked["PAGE"]}
    return kind, url in wanted if wanted else not url


def measure_next() -> dict[str, Any]:
    """Count the labelled pages whose next page is told rightly, by parts and kinds."""
    counts: dict[str, Counter[str]] = {part: Counter() for part in PARTS}
    for one in find_labelled():
        kind, is_right = judge_page(one)
        counts[one.part].update({"pages": 1, "right": is_right, f"{kind}: pages": 1, f"{kind}: right": is_right})
    return {part: {**tally, "share": tally["right"] / tally["pages"]} for part, tally in counts.items()}


def measure_counts() -> dict[str, Any]:
    """Count the pages whose count line is read as it was read by hand; the records are among the lines."""
    tally: Counter[str] = Counter()
    wrong = []
    for name, number in json.loads(LABELS.read_text()).items():
        archive, _, file = name.partition("/")
        body = next(text for path, text in read_archive(archive).items() if path.endswith(f"/{file}"))
        count = best_count(find_outside_lines(Document(Response("http://page.test/", 200, (), body)).nodes, ()))
        is_right = (count.number if count else None) == number
        kind = "none" if number is None else "told"
        tally.update({f"{kind}: pages": 1, f"{kind}: right": is_right})
        wrong += [] if is_right else [name]
    return {**tally, "share": tally["told: right"] / tally["told: pages"], "wrong": wrong}


def measure_world(seed: int, family: str, sites: int = SITES) -> dict[str, Any]:
    """Walk the answers of a world page by page; say how often the next page, and one asked by its number, is right."""
    world = World(seed, sites, family=family)
    tally: Counter[str] = Counter()
    for sample in gather(world):
        if sample.database is not None and sample.answers:
            _walk(world, sample, tally)
    return {
        **tally,
        "share": tally["right"] / max(1, tally["pages"]),
        "by_number": tally["stepped"] / max(1, tally["steps"]),
        "quiet": tally["quiet"] / max(1, tally["pages"]),
    }


def _walk(world: World, sample: Sample, tally: Counter[str]) -> None:
    plan, request = sample.database, fill(sample.door, {})
    if plan is None or not isinstance(request, Request):
        return
    total = count_true(sample, world, request.url)
    most = min(total, plan.limit) if plan.limit else total
    asked = [request]
    for number in range(MOST_PAGES if most else 0):
        response = world.answer(asked[-1])
        if not isinstance(response, Response) or response.status != 200:
            return
        shown = min(plan.page_size, most - number * plan.page_size)
        page = read_page(response)
        found = find_next(page, asked[-1], shown, number, response.body.decode("utf-8", "replace"))
        after = (number + 1) * plan.page_size
        has_more = after < most
        is_right = _start_of(sample, found.request) == after if found and has_more else bool(found) == has_more
        tally.update(
            {
                "pages": 1,
                "right": is_right,
                "quiet": not judge_trouble(200, page, (), shown),
            }
        )
        if found is None or not has_more:
            return
        asked.append(found.request)
        if number:
            stepped = step_request(asked[1], asked[0], number + 1, plan.page_size)
            tally.update({"steps": 1, "stepped": stepped is not None and _start_of(sample, stepped) == after})


def _start_of(sample: Sample, request: Request) -> int:
    """Return the first record that an address asks for, in truth."""
    plan = sample.database
    assert plan is not None
    path, _, query = request.url.removeprefix(sample.site.origin).partition("?")
    return read_start(sample.site, plan, Address(path, read_params(query, sample.site.habits.encoding)))


def run(options: Options) -> dict[str, object]:
    """Measure labelled pages once, and a world of each family for each seed."""
    seeds = [options.seed + repeat for repeat in range(options.repeats)]
    following, counts = measure_next(), measure_counts()
    options.say(f"  next {following['held']['share']:.3f} on those held back, count lines {counts['share']:.3f}")
    worlds = {family: [measure_world(seed, family) for seed in seeds] for family in ("A", "B")}
    medians = {
        "next held": following["held"]["share"],
        "next dev": following["dev"]["share"],
        "count lines": counts["share"],
        "next B": sorted(each["share"] for each in worlds["B"])[len(seeds) // 2],
        "by number B": sorted(each["by_number"] for each in worlds["B"])[len(seeds) // 2],
        "quiet B": sorted(each["quiet"] for each in worlds["B"])[len(seeds) // 2],
    }
    return {"seeds": seeds, "next": following, "counts": counts, "worlds": worlds, "medians": medians}


def table(result: dict[str, Any]) -> str:
    """How often each is right, and over how many pages."""
    rows = [
        [f"next page, real pages, {part}", f"{each['share']:.1%}", str(each["pages"])]
        for part, each in result["next"].items()
    ]
    counts = result["counts"]
    rows.append(["count line, where there is one", f"{counts['share']:.1%}", str(counts["told: pages"])])
    none = counts["none: right"] / counts["none: pages"]
    rows.append(["no count where there is none", f"{none:.1%}", str(counts["none: pages"])])
    for family, runs in result["worlds"].items():
        one = runs[0]
        rows.append([f"next page, family {family}", f"{one['share']:.1%}", str(one["pages"])])
        rows.append([f"page asked by its number, family {family}", f"{one['by_number']:.1%}", str(one["steps"])])
    return markdown_table(["what", "right", "pages"], rows, numbers=2)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    return (
        "Real pages are the labelled list pages of autopager, parted by registrable domain: rules were made on three quarters (dev), one was held back. "
        "A page is right when the address is one that people marked as next, or as the page after this one; where nothing of the "
        "kind is marked, when none is told. A link that says newer leads back, and one that says older on, whatever it was marked as. "
        "Count lines were read by hand on pages of three sets (`bench/labels/counts.json`); the lines of the records are not taken "
        f"out for this, so texts of records can be mistaken for one. Worlds have {SITES} sites; each answer to an empty query "
        f"is walked for {MOST_PAGES} pages."
    )
