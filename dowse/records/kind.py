"""Whether answers come from a database or are pages of the site: by what the items of an answer are made of."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from dowse.model import Link
from dowse.records.compare import Items
from dowse.records.words import count_attributes, find_labels
from dowse.url import origin

CLEAR = 2  # points between the two from which the answers tell
MANY = 3  # attributes of a record
LISTED = 30  # records that an empty question lists, from which a database is behind it
_ID = re.compile(r"\d+|[0-9a-f]{8,}")
_MARKED = frozenset({"b", "em", "strong", "mark", "i", "span", "font"})


@dataclass(frozen=True, slots=True)
class Evidence:
    """An answer with records, and what is known beside it."""

    items: Items
    links: Sequence[Link] = ()  # those in its items
    known: Sequence[Link] = ()  # links of the site's other pages: menus
    pieces: float = 0.0  # texts of their own for each of them
    word: str = ""  # that was asked for
    listed: int = 0  # records that it lists when nothing is asked


def judge_kind(evidence: Evidence) -> tuple[str, tuple[str, ...]]:
    """Return database or site-search, or nothing where the answers do not tell; and the reasons."""
    points = {"database": 0, "site-search": 0}
    reasons: dict[str, list[str]] = {kind: [] for kind in points}
    for kind, weight, reason in _find_evidence(evidence):
        points[kind] += weight
        reasons[kind].append(reason)
    kind = max(points, key=lambda name: points[name])
    lead = abs(points["database"] - points["site-search"])
    return (kind, tuple(reasons[kind])) if lead >= CLEAR else ("", ())


def _find_evidence(evidence: Evidence) -> list[tuple[str, int, str]]:
    items, found = evidence.items, []
    attributes, labels = count_attributes(items), find_labels(items)
    if attributes >= MANY and items.alike >= 0.5:
        found.append(("database", 2, f"each record has the same {attributes} attributes"))
    if len(labels) >= MANY:
        found.append(("database", 2, "each record names its attributes"))
    if evidence.listed >= LISTED:
        found.append(("database", 2, f"lists {evidence.listed:,} records when nothing is asked"))
    if not evidence.links:
        found.append(("database", 1, "its records have no pages of their own"))
    return found + _find_page_evidence(evidence, attributes)


def _find_page_evidence(evidence: Evidence, attributes: int) -> list[tuple[str, int, str]]:
    found = []
    links = evidence.links
    if links and count_known(links, evidence.known) >= max(1, 0.2 * len(links)):
        found.append(("site-search", 3, "its results are pages that the site links to by the same title"))
    if links and evidence.pieces < MANY and attributes < MANY:
        weight, what = (2, "nothing but titles") if evidence.pieces < 2 else (1, "titles with a few words")
        found.append(("site-search", weight, f"its results are {what}"))
    if is_marked(evidence.items, evidence.word):
        found.append(("site-search", 2, "the word that was asked for is marked in the results"))
    shapes = {_ID.sub("0", link.url.removeprefix(origin(link.url))) for link in links}
    if len(links) >= MANY:
        if len(shapes) == 1:
            found.append(("database", 1, "the addresses of its records differ by a number only"))
        elif len(shapes) > 0.5 * len({link.url for link in links}):
            found.append(("site-search", 1, "its results have addresses of many shapes"))
    return found


def count_known(links: Sequence[Link], known: Sequence[Link]) -> int:
    """Count the links that stand elsewhere on the site with the same words."""
    pairs = {(link.url, link.text) for link in known if link.text}
    return len({link.url for link in links if (link.url, link.text) in pairs})


def is_marked(items: Items, word: str) -> bool:
    """Say whether a word stands by itself in a mark of its own in half of the items, as in the snippets of a full-text search."""
    if not word:
        return False
    marked = sum(1 for item in items.items if any(_is_mark(block.path, block.text, word, item) for block in item))
    return marked >= max(2, 0.5 * items.size)


def _is_mark(path: str, text: str, word: str, item: Collection[object]) -> bool:
    holder = path.rpartition("/")[0].rpartition("/")[2].partition(".")[0]
    return holder in _MARKED and text.lower() == word.lower() and len(item) >= 3
