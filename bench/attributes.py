"""Attributes of detail pages, found by laying pages of one template beside each other, on the pages and truths of SWDE."""

from __future__ import annotations

import html
import random
import re
import tarfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import mean, median
from typing import Any

from bench.install import Missing
from bench.options import Options
from bench.places import DATA
from bench.report import markdown_table
from dowse.model import Response, Value
from dowse.page.document import Document
from dowse.records.details import PageWrapper, learn_page_wrapper, read_detail, read_page_values
from dowse.tree.node import Node

TITLE = "Attributes of pages of one template"
PARTS = {"auto": "dev", "book": "dev", "camera": "dev", "job": "held", "movie": "held"}
LEARNED = 10  # pages of a site that are learned from
READ = 60  # others that are read
EXPECTED = 0.8  # share of pages with an attribute, from which a page of the template is expected to have it
FITTED = 10  # of these that are asked whether they fit, by their own wrapper and by that of the site before
TOLD = 3  # pages read that must have a true value, so that an attribute counts

_NAMED = re.compile(r"[^\W\d][^:=]{0,38}(?::| =) (?=\S)")  # the truth has whole texts: Publisher: Penguin

Truth = Mapping[str, Mapping[str, frozenset[str]]]  # attribute -> page -> values


@dataclass(frozen=True, slots=True)
class Score:
    """How well the best attribute of those found tells a true one."""

    precision: float  # of its values
    pages: float  # share of the pages with a true value on which it has one of them
    recall: float  # share of all true values that it has

    @property
    def f1(self) -> float:
        """Both of precision and pages in one figure."""
        both = self.precision + self.pages
        return 2 * self.precision * self.pages / both if both else 0.0


def write_plain(text: str) -> str:
    """Return a value as it is compared: blanks as one, without a name before a colon."""
    line = " ".join(html.unescape(text).split())
    return _NAMED.sub("", line, count=1) if _NAMED.match(line) else line


@cache
def read_truths() -> dict[tuple[str, str], dict[str, dict[str, frozenset[str]]]]:
    """Return the true values by vertical and site, attribute and page."""
    truths: dict[tuple[str, str], dict[str, dict[str, frozenset[str]]]] = defaultdict(dict)
    with tarfile.open(DATA / "pages" / "swde_groundtruth.tar.xz") as archive:
        for member in archive:
            opened = archive.extractfile(member) if member.name.endswith(".txt") else None
            if opened is None:
                continue
            head, _, *lines = opened.read().decode("utf-8-sig").splitlines()
            vertical, site, attribute = head.split("\t")[:3]
            rows = [line.split("\t") for line in lines if line.strip()]
            truths[vertical, site][attribute] = {
                row[0]: frozenset(write_plain(each) for each in row[2:] if each != "<NULL>" and each.strip())
                for row in rows
            }
    return truths


def find_sites(vertical: str) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield the sites of a vertical with their pages by number, one after the other: all of them are a gigabyte."""
    path = DATA / "pages" / f"swde_{vertical}.tar.xz"
    if not path.exists():
        raise Missing(f"{path} is not there")
    current, pages = "", dict[str, bytes]()
    with tarfile.open(path) as archive:
        for member in archive:
            opened = archive.extractfile(member) if member.isfile() else None
            if opened is None:
                continue
            _, folder, name = member.name.rsplit("/", 2)
            site = folder.partition("-")[2].partition("(")[0]
            if site != current and pages:
                yield current, pages
                pages = {}
            current, pages[name.partition(".")[0]] = site, opened.read()
    if pages:
        yield current, pages


def draw_trees(pages: Mapping[str, bytes], seed: int) -> list[tuple[str, Node]]:
    """Return some pages of a site, drawn by chance, as trees."""
    drawn = random.Random(seed).sample(sorted(pages), min(len(pages), LEARNED + READ))
    return [(name, Document(Response("http://site.test/", 200, (), pages[name])).nodes) for name in drawn]


Read = Mapping[str, Mapping[str, frozenset[str]]]  # page -> attribute -> values


def read_all(trees: Sequence[tuple[str, Node]], read: Callable[[Node], Sequence[Value]]) -> Read:
    """Return what a reader says of pages."""
    said: dict[str, dict[str, frozenset[str]]] = {}
    for name, tree in trees:
        own: dict[str, set[str]] = defaultdict(set)
        for value in read(tree):
            own[value.attribute].add(write_plain(value.text))
        said[name] = {attribute: frozenset(texts) for attribute, texts in own.items()}
    return said


def score(said: Read, wanted: Mapping[str, frozenset[str]]) -> Score:
    """Return how well the best one of the attributes that were read tells a true one."""
    hits, pages, values = Counter[str](), Counter[str](), Counter[str]()
    for name, own in said.items():
        for attribute, texts in own.items():
            right = len(texts & wanted.get(name, frozenset()))
            hits[attribute] += right
            pages[attribute] += right > 0
            values[attribute] += len(texts)
    total = sum(len(wanted.get(name, ())) for name in said)
    having = sum(bool(wanted.get(name)) for name in said)
    scores = [Score(hits[each] / values[each], pages[each] / having, hits[each] / total) for each in values]
    return max(scores, key=lambda each: each.f1, default=Score(0.0, 0.0, 0.0))


def score_all(said: Read, truth: Truth) -> dict[str, Score]:
    """Return the scores of the attributes that the truth knows on these pages."""
    known = {each for each, wanted in truth.items() if sum(bool(wanted.get(name)) for name in said) >= TOLD}
    return {attribute: score(said, truth[attribute]) for attribute in sorted(known)}


def fits(wrapper: PageWrapper, tree: Node) -> float:
    """Return the share of the expected attributes that a page has: near 1 for the template, near 0 for another one."""
    shares: dict[str, float] = defaultdict(float)
    for each in wrapper.attributes:
        shares[each.name] += each.share
    expected = {name for name, share in shares.items() if share >= EXPECTED} or set(shares)
    had = {value.attribute for value in read_page_values(wrapper, tree)}
    return len(expected & had) / len(expected) if expected else 0.0


def measure_vertical(vertical: str, seed: int) -> dict[str, Any]:
    """Learn on some pages of each site, and compare what is read on others with the truth."""
    sites: dict[str, Any] = {}
    before: list[Node] = []
    for site, pages in find_sites(vertical):
        trees = draw_trees(pages, seed)
        started = time.process_time()
        wrapper = learn_page_wrapper([tree for _, tree in trees[:LEARNED]])
        learned = time.process_time()
        said = read_all(trees[LEARNED:], lambda tree: read_page_values(wrapper, tree))  # noqa: B023  # called at once
        ended = time.process_time()
        truth = read_truths()[vertical, site]
        own = [tree for _, tree in trees[LEARNED : LEARNED + FITTED]]
        sites[site] = {
            "attributes": len({each.name for each in wrapper.attributes}),
            "named": len({each.name for each in wrapper.attributes if each.how != "place"}),
            "scores": _plain(score_all(said, truth)),
            "pairs": _plain(score_all(read_all(trees[LEARNED:], read_detail), truth)),
            "fits": mean(fits(wrapper, tree) for tree in own),
            "fits others": mean(fits(wrapper, tree) for tree in before) if before else 0.0,
            "learn seconds": learned - started,
            "read milliseconds": 1_000 * (ended - learned) / len(said),
        }
        before = own
    return {"part": PARTS[vertical], "sites": sites, **_sum_up(sites)}


def _plain(scores: Mapping[str, Score]) -> dict[str, list[float]]:
    return {name: [each.precision, each.pages, each.recall, each.f1] for name, each in scores.items()}


def _sum_up(sites: Mapping[str, Any]) -> dict[str, float]:
    """Return the means over the true attributes of all sites, and medians over the sites."""
    means = {
        f"{kind} {name}": mean(row[place] for site in sites.values() for row in site[kind].values())
        for kind in ("scores", "pairs")
        for place, name in enumerate(("precision", "pages", "recall", "f1"))
    }
    figures = ("attributes", "named", "fits", "fits others", "learn seconds", "read milliseconds")
    return means | {name: median(site[name] for site in sites.values()) for name in figures}


def run(options: Options) -> dict[str, object]:
    """Measure every vertical once: the pages are drawn by the seed."""
    verticals: dict[str, Any] = {}
    for vertical in PARTS:
        verticals[vertical] = measure_vertical(vertical, options.seed)
        options.say(f"  {vertical} F1 {verticals[vertical]['scores f1']:.3f}")
    held = [each for each in verticals.values() if each["part"] == "held"]
    medians = {f"held {name}": mean(each[f"scores {name}"] for each in held) for name in ("precision", "pages", "f1")}
    return {"seeds": [options.seed], "verticals": verticals, "medians": medians}


def table(result: dict[str, Any]) -> str:
    """The best attribute for each true one, and how many there are."""
    rows = [
        [
            vertical,
            each["part"],
            *(f"{each[f'scores {name}']:.3f}" for name in ("precision", "pages", "recall", "f1")),
            f"{each['pairs f1']:.3f}",
            f"{each['attributes']:.0f}",
            f"{each['named']:.0f}",
            f"{each['fits']:.2f}",
            f"{each['fits others']:.2f}",
            f"{each['read milliseconds']:.0f}",
        ]
        for vertical, each in result["verticals"].items()
    ]
    heads = ["vertical", "part", "precision", "pages", "values", "F1", "F1 of pairs alone"]
    return markdown_table([*heads, "attributes", "named", "fits", "fits others", "ms a page"], rows, numbers=11)


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    return (
        f"SWDE: detail pages of ten sites of each vertical. A wrapper is learned from {LEARNED} pages of a site, without any label, and "
        f"reads {READ} others. For each attribute of the truth the attribute of the wrapper that fits best is taken, as it is usual "
        "for extraction without supervision: what is measured is whether it is found and kept apart, not how it is called. "
        "*precision*: of the values of that attribute; *pages*: share of the pages with a true value on which it has one of them (the truth often has "
        "the same thing from several places of a page); *values*: share of all true values; F1 is of precision and pages; means over the true attributes of all "
        "sites. Blanks are made one and a name before a colon is left out, on both sides. *pairs alone*: the same for `read_detail`, which knows no template. "
        "*attributes*, *named*: of a wrapper, and those with a name of their own; *fits*: share of the expected attributes on pages of the site, and *fits others* "
        "on pages of another site; medians over the sites. Pages of auto, book and camera were looked at while it was made, those of job and movie were not; but one rule (links "
        "after different names are judged apart) was changed after the scores of movie were first seen. "
        "The truth of movie has known faults."
    )
