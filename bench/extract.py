"""Records read from pages of answers by wrappers that were learned from a few of them, beside the truth."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from bench.extraction.designs import make_sites
from bench.extraction.pages import URL, count_both, read_pages, squeeze
from bench.extraction.score import Tally, compare
from bench.extraction.world import Asked, Page, ask_doors
from bench.harvest.databases import available
from bench.options import Options
from bench.places import DATA
from bench.report import markdown_table
from dowse.model import Verdict
from dowse.records.wrapper import AnswerSample, Wrapper, apply_wrapper, find_records, learn_wrapper
from dowse.sim import World

TITLE = "Records from pages of answers, without hand-written wrappers"
FAMILY = "B"
SITES = 150
LEAST = 3  # records of an answer to learn from
FIGURES = ("record precision", "record recall", "value precision", "value recall")


@dataclass(slots=True)
class Counted:
    """What was counted over the doors of one world."""

    several: Tally = field(default_factory=Tally)  # learned from two answers and an empty one, if there was one
    one: Tally = field(default_factory=Tally)  # learned from one answer
    small: Tally = field(default_factory=Tally)  # answers of one and two records
    designs: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    fits: Counter[str] = field(default_factory=Counter)
    named: list[int] = field(default_factory=lambda: [0, 0])  # values under the usual name of their attribute, and all
    doors: int = 0
    learn_ms: list[float] = field(default_factory=list)
    read_ms: list[float] = field(default_factory=list)


def measure_world(world: World, seed: int) -> Counted:
    """Learn a wrapper for every door of a world, and read all of its answers with it."""
    counted = Counted()
    last: Wrapper | None = None
    for asked in ask_doors(world, seed):
        large = sorted(
            (page for page in asked.pages if len(page.records) >= LEAST), key=lambda page: -len(page.records)
        )
        if large:
            last = _measure_door(counted, asked, large, last)
    return counted


def _measure_door(counted: Counted, asked: Asked, large: Sequence[Page], last: Wrapper | None) -> Wrapper | None:
    counted.doors += 1
    empty = [page for page in asked.pages if not page.records][:1]
    begun = time.process_time()
    several = learn_wrapper([page.sample for page in (*large[:2], *empty)])
    counted.learn_ms.append(1000 * (time.process_time() - begun))
    one = learn_wrapper([large[0].sample])
    names: dict[str, Counter[str]] = defaultdict(Counter)
    for page in asked.pages:
        tally = _read(counted, several, page)
        for attribute, truth in tally.names.items():
            names[attribute] += truth
        counted.several.add(tally)
        counted.designs[asked.design].add(tally)
        counted.one.add(_read(counted, one, page))
        if 0 < len(page.records) < LEAST:
            counted.small.add(tally)
    for truth in names.values():
        counted.named[0] += truth.most_common(1)[0][1]
        counted.named[1] += truth.total()
    _judge_fits(counted, several, asked, last)
    return several if isinstance(several, Wrapper) else last


def _read(counted: Counted, wrapper: Wrapper | Verdict, page: Page) -> Tally:
    if isinstance(wrapper, Verdict):
        return Tally(there=len(page.records))
    begun = time.process_time()
    extract = apply_wrapper(wrapper, page.sample.tree, page.sample.url)
    counted.read_ms.append(1000 * (time.process_time() - begun))
    return compare(extract.records, page.records)


def _judge_fits(counted: Counted, wrapper: Wrapper | Verdict, asked: Asked, last: Wrapper | None) -> None:
    """Count what is said of the door's own answers, and what the wrapper of another site says of them."""
    for page in asked.pages:
        sample, kind = page.sample, "records" if page.records else "nothing"
        if isinstance(wrapper, Wrapper):
            yes = apply_wrapper(wrapper, sample.tree, sample.url).fits.yes
            counted.fits[f"own, {kind}: {'yes' if yes else 'no'}"] += 1
        if last is not None and page.records:
            extract = apply_wrapper(last, sample.tree, sample.url)
            right = not extract.fits.yes or compare(extract.records, page.records).right == len(page.records)
            counted.fits[f"another site: {'no, or right' if right else 'yes'}"] += 1


def measure_pages() -> dict[str, dict[str, int]]:
    """Learn from each real page alone, and count the records that are found on it."""
    counts = {}
    for page in read_pages():
        wrapper = learn_wrapper([AnswerSample(page.tree, URL)])
        read = (
            []
            if isinstance(wrapper, Verdict)
            else [squeeze(each.parts) for each in find_records(wrapper, page.tree, URL)]
        )
        counts[page.name] = {"read": len(read), "there": len(page.records), "right": count_both(read, page.records)}
    return counts


def measure_designs(seed: int) -> dict[str, dict[str, int]]:
    """Learn from three answers and an empty one of real records in each common design, and read these and three more."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for asked in make_sites(seed):
        empty, *answers = asked.pages
        wrapper = learn_wrapper([page.sample for page in (*answers[:3], empty)])
        for page in asked.pages:
            records = (
                ()
                if isinstance(wrapper, Verdict)
                else apply_wrapper(wrapper, page.sample.tree, page.sample.url).records
            )
            there = Counter(frozenset(text.casefold() for _, text in shown.values) for shown in page.records)
            read = Counter(frozenset(value.text.casefold() for value in record.values) for record in records)
            counts[asked.design].update(
                read=read.total(), there=there.total(), exact=(read & there).total(),
                right=compare(records, page.records).right,
            )  # fmt: skip
    return {design: dict(own) for design, own in counts.items()}


def run(options: Options, family: str = FAMILY) -> dict[str, object]:
    """Measure a world for each seed, and the real pages once where they are at hand."""
    seeds = [options.seed + repeat for repeat in range(options.repeats)]
    runs = []
    for seed in seeds:
        runs.append(_write(measure_world(World(seed, SITES, family=family), seed)))
        options.say(f"  seed {seed}: " + ", ".join(f"{name} {runs[-1]['several'][name]:.3f}" for name in FIGURES))
    pages = measure_pages() if (DATA / "pages").exists() else {}
    designs = measure_designs(options.seed) if available() else {}
    medians = {name: median(one["several"][name] for one in runs) for name in FIGURES}
    return {
        "seeds": seeds,
        "settings": {"family": family, "sites": SITES},
        "runs": runs,
        "pages": pages,
        "designs": designs,
        "medians": {**medians, **_sum_pages(pages), **_sum_designs(designs)},
    }


def _write(counted: Counted) -> dict[str, Any]:
    return {
        "several": counted.several.shares(),
        "one": counted.one.shares(),
        "small": counted.small.shares(),
        "designs": {design: tally.shares() for design, tally in sorted(counted.designs.items())},
        "records": {"several": counted.several.there, "small": counted.small.there},
        "fits": dict(sorted(counted.fits.items())),
        "named": counted.named[0] / max(1, counted.named[1]),
        "doors": counted.doors,
        "learn_ms": median(counted.learn_ms) if counted.learn_ms else 0.0,
        "read_ms": median(counted.read_ms) if counted.read_ms else 0.0,
    }


def _sum_pages(pages: dict[str, dict[str, int]]) -> dict[str, float]:
    if not pages:
        return {}
    read, there, right = (sum(page[what] for page in pages.values()) for what in ("read", "there", "right"))
    whole = sum(page["right"] == page["there"] == page["read"] for page in pages.values())
    return {
        "page precision": right / max(1, read),
        "page recall": right / max(1, there),
        "pages whole": whole / len(pages),
    }


def _sum_designs(designs: dict[str, dict[str, int]]) -> dict[str, float]:
    if not designs:
        return {}
    read, there, right, exact = (
        sum(own[what] for own in designs.values()) for what in ("read", "there", "right", "exact")
    )
    return {
        "design precision": right / max(1, read),
        "design recall": right / max(1, there),
        "design exact": exact / max(1, there),
    }


def table(result: dict[str, Any]) -> str:
    """Precision and recall of records and values, by what the wrapper was learned from."""
    told = {
        "several": "two answers and one of nothing",
        "one": "one answer",
        "small": "the same, answers of 1 and 2 records",
    }
    rows = []
    for kind, words in told.items():
        rows.append([words, *(f"{median(one[kind][name] for one in result['runs']):.1%}" for name in FIGURES)])
    if result["pages"]:
        shares = _sum_pages(result["pages"])
        rows.append(["one real page", f"{shares['page precision']:.1%}", f"{shares['page recall']:.1%}", "", ""])
    if result.get("designs"):
        shares = _sum_designs(result["designs"])
        rows.append(
            [
                "real records in common designs",
                f"{shares['design precision']:.1%}",
                f"{shares['design recall']:.1%}",
                "",
                "",
            ]
        )
    return markdown_table(["learned from", *FIGURES], rows, numbers=4)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    one = result["runs"][0]
    pages = len(result["pages"])
    whole = sum(page["right"] == page["there"] == page["read"] for page in result["pages"].values())
    return (
        f"Every database of {SITES} sites of family {result['settings']['family']} that answers forms sent with GET; with the first "
        f"seed {one['doors']} doors and {one['records']['several']:,} records on their answers, {one['records']['small']} of them on "
        f"answers of one or two. A record is right when half of its values are, and half of what was read for it; a value when its "
        f"text is the same. {one['named']:.1%} of the values stand under the name that their attribute has most of the time. "
        f"Learning took {one['learn_ms']:.0f} ms and reading a page {one['read_ms']:.1f} ms (medians). Real pages: {pages}, "
        f"labelled by hand (`bench/labels/list_pages.json`); {whole} of them have all records right and no other. Common designs: "
        f"records of nine real databases written in {len(result.get('designs', {}))} ways (`bench/extraction/designs.py`), where "
        f"{result['medians'].get('design exact', 0):.1%} have exactly the values that they should; ways without a sign that parts values "
        f"(a full stop, commas in names) cannot be read by anybody who does not know the values."
    )
