"""Real list pages with the records that were marked on them by hand."""

from __future__ import annotations

import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.places import DATA, ROOT
from dowse.model import Response
from dowse.page.document import Document
from dowse.tree.node import Node, text_of

LABELS = ROOT / "bench" / "labels" / "list_pages.json"
ARCHIVES = ("next_eval_list_pages.tar.xz", "list_pages_misc.tar.xz")
URL = "http://page.test/"
_STEP = re.compile(r"([\w-]+)\[([\d,*-]+)\]")


@dataclass(frozen=True, slots=True)
class ListPage:
    """A page and the text of each of its records."""

    name: str
    tree: Node
    records: tuple[str, ...]


def read_pages() -> Iterator[ListPage]:
    """Give the labelled pages, without those that hold no list."""
    labels: dict[str, Any] = json.loads(LABELS.read_text())["pages"]
    for archive in ARCHIVES:
        with tarfile.open(DATA / "pages" / archive) as held:
            for member in held:
                label = labels.get(member.name.removeprefix("./"))
                if label and "records" in label:
                    body = held.extractfile(member)
                    assert body is not None
                    tree = Document(Response(URL, 200, (), body.read())).nodes
                    yield ListPage(member.name, tree, tuple(_find_records(tree, label)))


def _find_records(tree: Node, label: dict[str, Any]) -> Iterator[str]:
    for path in label["records"]:
        for node in _follow([tree], _STEP.findall(path)):
            names = node.attribute("class").split()
            if label.get("only", "") in (*names, "") and label.get("without") not in names and squeeze([node]):
                yield squeeze([node])


def _follow(nodes: Sequence[Node], steps: Sequence[tuple[str, str]]) -> Sequence[Node]:
    """Return the tags at a path, numbered among their like."""
    for tag, numbers in steps:
        nodes = [node for parent in nodes for node in _take(parent, tag, numbers)]
    return nodes


def _take(parent: Node, tag: str, numbers: str) -> list[Node]:
    like = [child for child in parent.children if child.tag == tag]
    if numbers == "*":
        return like
    wanted = {number for part in numbers.split(",") for number in _range(part)}
    return [child for number, child in enumerate(like, 1) if number in wanted]


def _range(part: str) -> range:
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)


def squeeze(parts: Sequence[Node | str]) -> str:
    """Return the letters and digits of some tags and texts: what they say, however it is parted."""
    return "".join(sign for part in parts for sign in text_of(part, 20_000) if sign.isalnum())


def count_both(read: Sequence[str], there: Sequence[str]) -> int:
    """Return how many records are the same."""
    return (Counter(read) & Counter(there)).total()
