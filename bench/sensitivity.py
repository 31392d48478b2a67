"""What each constant of the room of records is worth: how pages are read with half and with twice of it.

Shares, ratios and least numbers in `dowse/records` are halved and doubled one at a time, in every module that has them,
and pages of the development data are read, each list learned from one answer alone: answers of family A, real records in common
designs, labelled list pages, pages of the tests in unlike markups, and detail pages of SWDE (cars, books, cameras). Numbers that
bound the work on one page (`MAX_..._CHARS`, `MAX_UNITS`, counts of fifty and more) are left.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import islice
from statistics import mean
from types import ModuleType
from typing import Any

from bench.attributes import PARTS, draw_trees, find_sites, read_all, read_truths, score_all
from bench.extract import LEAST
from bench.extraction.designs import DESIGNS, make_sites
from bench.extraction.pages import URL, ListPage, count_both, read_pages, squeeze
from bench.extraction.score import Tally, compare
from bench.extraction.world import Asked, ask_doors
from bench.options import Options
from bench.report import markdown_table
from dowse.model import Verdict
from dowse.records.details import learn_page_wrapper, read_page_values
from dowse.records.wrapper import AnswerSample, apply_wrapper, find_records, learn_wrapper
from dowse.sim import World
from dowse.tree.node import Node, find_nodes
from tests.records.markups import PAGES, share_right

TITLE = "What each constant of the room of records is worth"
SORTS = ("family A", "designs", "labelled pages", "markups", "detail pages")
SITES = 40  # of family A
MAX_ANSWERS = 3  # of one list that are read
DOORS = 16  # of these that have large answers
MAX_PAGE_NODES = (
    500  # of a labelled page: each is read hundreds of times, and all of it is to end within a quarter of an hour
)
SWDE_SITES = 1  # of each vertical of the development part
SWDE_LEARNED, SWDE_READ = 6, 8  # pages of each
LESS, MORE = 0.5, 2  # times a number; a whole one changes by one at least
MIN_WORK_NUMBER = 50  # from which a whole number bounds the work on a page
LISTS = ("family A", "designs", "labelled pages", "markups")
# What the modules that choices are in can change; the others read services, counts and pages of a list, and have floors of their own.
READS = {
    "labels": SORTS, "pieces": SORTS, "regions": LISTS, "values": LISTS, "attributes": LISTS, "wrapper": LISTS, "details": SORTS[4:],
}  # fmt: skip
MIN_CHANGE = 0.0005  # of a figure that is a change
_WORK = (
    "_CHARS",
    "_UNITS",
    "_NODES",
    "_LINES",
    "_PIECES",
    "_TEXTS",
    "_DEPTH",
    "_VERSION",
)  # ends of names of what bounds the work


@dataclass(frozen=True, slots=True)
class DevelopmentPages:
    """The pages that are read with each constant."""

    doors: tuple[Asked, ...]
    designs: tuple[Asked, ...]
    lists: tuple[ListPage, ...]
    details: tuple[tuple[str, str, tuple[tuple[str, Node], ...]], ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """A number of one module, or of a table of numbers there."""

    module: str
    name: str
    value: float
    field: str = ""
    room: str = "records"

    def write(self, value: float) -> Any:
        """Return what stands in the module instead."""
        if not self.field:
            return value
        table = getattr(importlib.import_module(f"dowse.{self.room}.{self.module}"), self.name)
        return replace(table, **{self.field: value})


def read_development_pages(seed: int) -> DevelopmentPages:
    """Return the pages, parsed once."""
    doors = (each for each in ask_doors(World(seed, SITES, family="A"), seed) if _list_large(each))
    designs = list(islice(make_sites(seed), 3 * len(DESIGNS)))
    details = [
        (vertical, site, tuple(draw_trees(pages, seed)[: SWDE_LEARNED + SWDE_READ]))
        for vertical, part in PARTS.items()
        if part == "dev"
        for site, pages in islice(find_sites(vertical), SWDE_SITES)
    ]
    lists = [page for page in read_pages() if sum(1 for _ in find_nodes(page.tree)) <= MAX_PAGE_NODES]
    return DevelopmentPages(tuple(islice(doors, DOORS)), tuple(designs[::6]), tuple(lists), tuple(details))


def _list_large(asked: Asked) -> list[Any]:
    return sorted((page for page in asked.pages if len(page.records) >= LEAST), key=lambda page: -len(page.records))


def measure(pages: DevelopmentPages, sorts: Sequence[str] = SORTS) -> dict[str, float]:
    """Return how well each of some sorts of pages is read."""
    ways = {
        "family A": lambda: _measure_answers(pages.doors),
        "designs": lambda: _measure_answers(pages.designs),
        "labelled pages": lambda: mean(map(_measure_list, pages.lists)),
        "markups": lambda: mean(map(share_right, PAGES)),
        "detail pages": lambda: mean(_measure_details(*each) for each in pages.details),
    }
    return {sort: ways[sort]() for sort in sorts}


def _measure_answers(doors: tuple[Asked, ...]) -> float:
    """Return the mean of the values that are right: F1, of those of all records."""
    tally = Tally()
    for asked in doors:
        large = _list_large(asked)
        wrapper = learn_wrapper([large[-1].sample])
        for page in large[:MAX_ANSWERS]:
            read = (
                ()
                if isinstance(wrapper, Verdict)
                else apply_wrapper(wrapper, page.sample.tree, page.sample.url).records
            )
            own = compare(read, page.records)
            tally.add(own)
    shares = tally.shares()
    return _f1(shares["record precision"], shares["record recall"]) * _f1(
        shares["value precision"], shares["value recall"]
    )


def _measure_list(page: ListPage) -> float:
    wrapper = learn_wrapper([AnswerSample(page.tree, URL)])
    read = (
        [] if isinstance(wrapper, Verdict) else [squeeze(each.parts) for each in find_records(wrapper, page.tree, URL)]
    )
    right = count_both(read, page.records)
    return _f1(right / max(1, len(read)), right / max(1, len(page.records)))


def _measure_details(vertical: str, site: str, trees: tuple[tuple[str, Node], ...]) -> float:
    wrapper = learn_page_wrapper([tree for _, tree in trees[:SWDE_LEARNED]])
    said = read_all(list(trees[SWDE_LEARNED:]), lambda tree: read_page_values(wrapper, tree))
    return mean(score.f1 for score in score_all(said, read_truths()[vertical, site]).values())


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def find_modules(room: str = "records") -> dict[str, ModuleType]:
    """Return the modules of a room by name."""
    names = [each.name for each in pkgutil.iter_modules(importlib.import_module(f"dowse.{room}").__path__)]
    return {name: importlib.import_module(f"dowse.{room}.{name}") for name in names}


def find_constants(room: str = "records") -> Iterator[Constant]:
    """Yield the numbers that choices depend on, each from the module that it is written in."""
    for name, module in find_modules(room).items():
        source = (module.__doc__ or "") and open(str(module.__file__), encoding="utf-8").read()  # noqa: SIM115
        for key, value in vars(module).items():
            if not key.isupper() or f"\n{key}: Final" not in source:
                continue
            if is_dataclass(value) and not isinstance(value, type):
                numbers = ((each.name, getattr(value, each.name)) for each in fields(value))
                yield from (
                    Constant(name, key, own, part, room) for part, own in numbers if isinstance(own, float | int)
                )
            elif isinstance(value, float) or (
                isinstance(value, int) and value < MIN_WORK_NUMBER and not key.endswith(_WORK)
            ):
                yield Constant(name, key, value, room=room)


@contextmanager
def changed(constant: Constant, value: float) -> Iterator[None]:
    """Put another number in the place of a constant, in all modules that have imported it."""
    modules = find_modules(constant.room)
    before = getattr(modules[constant.module], constant.name)
    written = constant.write(value)
    holders = [module for module in modules.values() if vars(module).get(constant.name) is before]
    for module in holders:
        setattr(module, constant.name, written)
    try:
        yield
    finally:
        for module in holders:
            setattr(module, constant.name, before)


def list_changes(value: float) -> tuple[float, float]:
    """Return less and more of a number: of a whole one by one at least."""
    if isinstance(value, int):
        return max(0, min(value - 1, int(value * LESS))), max(value + 1, int(value * MORE))
    return value * LESS, value * MORE if value > 1 else min(1.0, value * MORE)


def run(options: Options) -> dict[str, object]:
    """Read the pages with less and more of each constant; `--parts` names modules."""
    pages = read_development_pages(options.seed)
    usual = measure(pages)
    options.say(f"  as it is: {usual}")
    rows: list[dict[str, Any]] = []
    for constant in find_constants():
        if constant.module not in (options.parts or READS):
            continue
        row: dict[str, Any] = {
            "module": constant.module,
            "name": f"{constant.name}.{constant.field}".rstrip("."),
            "value": constant.value,
        }
        for way, value in zip(("less", "more"), list_changes(constant.value), strict=True):
            with changed(constant, value):
                try:
                    own = measure(pages, READS[constant.module])
                except Exception as error:  # a number that cannot be is part of what is measured
                    own = dict.fromkeys(READS[constant.module], 0.0)
                    row[f"{way} fails"] = str(error)[:80]
            row[way] = {"value": value, **{sort: own.get(sort, usual[sort]) - usual[sort] for sort in SORTS}}
        rows.append(row)
        options.say(f"  {row['module']}.{row['name']}: {_largest(row['less']):+.4f} {_largest(row['more']):+.4f}")
    better = [max(sum(row[way][sort] for sort in SORTS) for way in ("less", "more")) for row in rows]
    return {"usual": usual, "rows": rows, "medians": {"most gained": max(better, default=0.0)}}


def _largest(changes: Mapping[str, float]) -> float:
    return max((changes[sort] for sort in SORTS), key=abs)


def table(result: dict[str, Any]) -> str:
    """The constants whose change is seen, and what it changes."""
    rows = []
    for row in result["rows"]:
        if max(abs(_largest(row["less"])), abs(_largest(row["more"]))) >= MIN_CHANGE:
            cells = [
                f"{row[way][sort]:+.3f}".replace("+0.000", "0").replace("-0.000", "0")
                for way in ("less", "more")
                for sort in SORTS
            ]
            rows.append(
                [
                    f"{row['module']}.{row['name']}",
                    f"{row['value']:g}",
                    f"{row['less']['value']:g}",
                    *cells[: len(SORTS)],
                    f"{row['more']['value']:g}",
                    *cells[len(SORTS) :],
                ]
            )
    heads = ["constant", "value", "less", *SORTS, "more", *SORTS]
    return markdown_table(heads, rows, numbers=len(heads) - 1)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    unseen = [
        f"`{row['module']}.{row['name']}`"
        for row in result["rows"]
        if max(abs(_largest(row["less"])), abs(_largest(row["more"]))) < MIN_CHANGE
    ]
    usual = ", ".join(f"{sort} {share:.3f}" for sort, share in result["usual"].items())
    return (
        f"Every number that a choice in `dowse/records` depends on, halved and doubled one at a time, and what that changes of the figures as they are ({usual}): records "
        f"times values of up to {DOORS} doors of family A and of real records in every second of {len(DESIGNS)} designs, records of labelled list pages, values of {len(PAGES)} pages of the tests "
        f"in unlike markups, all learned from one answer alone, the smallest that has three records, and values of SWDE's cars, books and cameras. Numbers that bound the work on a page are "
        f"left out. Constants whose change these pages do not show ({len(unseen)} of {len(result['rows'])}) stand for what happens elsewhere, such as with several answers or on real software, and are held by "
        f"tests: {', '.join(unseen)}. What the pages of details show is little: of one site of each vertical all values are right, with any of these numbers."
    )
