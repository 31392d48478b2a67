"""The words of a page with the places they stand at: what two answers are compared by."""

from __future__ import annotations

from typing import Any

from dowse.model import Block, Response
from dowse.page.charset import find_encoding
from dowse.page.html import MAX_BODY, open_parser
from dowse.page.text import collapse, hide_unseen

MAX_PARTS = 60_000  # tags and texts that are looked at
MAX_BLOCKS = 20_000
MAX_TEXT = 500  # characters of one block
MAX_DEPTH = 60  # what stands deeper counts to the last tag above it

_UNSEEN = frozenset("head script style noscript iframe noframes select textarea datalist template".split())


def read_blocks(response: Response, parser: str = "") -> tuple[Block, ...]:
    """Return the words of a page, piece by piece, in their order."""
    reading = open_parser(parser)
    body = response.body[:MAX_BODY]
    encoding = find_encoding(body, response.header("content-type")) or reading.detect_encoding(body)
    tree = reading.parse(body, encoding)
    hide_unseen(tree)
    return tuple(_find_blocks(tree.root, reading.text_type)) if tree.root is not None else ()


def _find_blocks(root: Any, text_type: type[Any]) -> list[Block]:
    """Walk a tree in its order and number each tag among those of its kind beside it."""
    places = {root: "html.1"}
    counts: dict[tuple[str, str], int] = {}
    blocks: list[Block] = []
    for step, part in enumerate(root.descendants):
        if step >= MAX_PARTS or len(blocks) >= MAX_BLOCKS:
            break
        above = places.get(part.parent, "")
        if type(part) is text_type:
            text = collapse(part.text[: 2 * MAX_TEXT], MAX_TEXT)
            if text and above:
                blocks.append(Block(_place(above, "#", counts), text))
        elif hasattr(part, "tag"):
            seen = above and part.tag not in _UNSEEN  # a parser may only leave out what it is told to remove
            places[part] = _place(above, part.tag, counts) if seen else ""
    return blocks


def _place(above: str, tag: str, counts: dict[tuple[str, str], int]) -> str:
    if above.count("/") >= MAX_DEPTH:
        return above
    number = counts[above, tag] = counts.get((above, tag), 0) + 1
    return f"{above}/{tag}.{number}"
