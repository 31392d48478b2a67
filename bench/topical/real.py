"""`levels` against best-first on a real graph: WebKB, the pages of computer science departments in 1996, one university left out at a time."""

from __future__ import annotations

import gzip
import heapq
import json
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from bench.places import DATA
from dowse.model import Page, Response
from dowse.page import read_page
from dowse.strategy.contexts import link_words
from dowse.strategy.levels import BestFirst, LevelModel, LevelsRanker, PageRanker, label_links
from dowse.url import origin

UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")
FEW_SITES = 2  # that a word has to stand on: with four of the three universities that are learned from, 23 words were left, with two 94
SHARES = (0.1, 0.25, 0.5)  # of the pages that can be reached
LEVELS = (3, 1)


@dataclass(frozen=True, slots=True)
class RealPage:
    """A page of the set."""

    university: str
    label: str
    page: Page
    has_form: bool


def read_pages() -> dict[str, RealPage]:
    """Read the set: pages by address, with links inside it only."""
    found: dict[str, RealPage] = {}
    with gzip.open(DATA / "sites" / "webkb_pages.jsonl.gz", "rt") as lines:
        for line in lines:
            row = json.loads(line)
            page = read_page(
                Response(row["url"], 200, (("content-type", "text/html"),), row["html"].encode("utf-8", "replace"))
            )
            found[page.url] = RealPage(row["university"], row["label"], page, bool(page.forms))
    return found


def crawl(pages: dict[str, RealPage], start: Sequence[str], ranker: PageRanker) -> list[bool]:
    """Follow links by rank; return for each page in turn whether it has a form."""
    known = set(start)
    waiting: list[tuple[int, float, int, str, int]] = [(0, 0.0, number, url, 0) for number, url in enumerate(start)]
    seen: list[bool] = []
    while waiting:
        _, _, _, url, depth = heapq.heappop(waiting)
        one = pages[url]
        seen.append(one.has_form)
        for link in one.page.links:
            if link.url in pages and link.url not in known and pages[link.url].university == one.university:
                known.add(link.url)
                level, score = ranker.rank(link, one.page, 1.0, depth) or (99, 0.0)
                heapq.heappush(waiting, (level, -score, len(known), link.url, depth + 1))
    return seen


def compare() -> list[dict[str, Any]]:
    """Learn on all universities but one, crawl that one in both ways."""
    pages = read_pages()
    rows = []
    for university in UNIVERSITIES:
        others = {url: one for url, one in pages.items() if one.university != university}
        links = {url: [link for link in one.page.links if link.url in others] for url, one in others.items()}
        labelled = label_links(links, {url for url, one in others.items() if one.has_form}, Random(1))
        samples = [
            (level, link_words(link, host=False), origin(page)) for some in labelled for level, link, page in some
        ]
        start = [url for url, one in pages.items() if one.university == university and one.label == "department"]
        row: dict[str, Any] = {"university": university}
        rankers: dict[str, PageRanker] = {
            f"levels:{n}": LevelsRanker(LevelModel.fit(samples, n, min_sites=FEW_SITES)) for n in LEVELS
        }
        for name, ranker in {**rankers, "best-first": BestFirst()}.items():
            seen = crawl(pages, start, ranker)
            forms = sum(seen)
            row["pages"], row["forms"] = len(seen), forms
            row[name] = [sum(seen[: int(share * len(seen))]) / max(1, forms) for share in SHARES]
        rows.append(row)
    return rows


if __name__ == "__main__":
    for found in compare():
        print(found)
