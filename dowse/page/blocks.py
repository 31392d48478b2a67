"""The words of a page with the places they stand at: what two answers are compared by."""

from __future__ import annotations

from itertools import islice

from dowse.model import Block, Response
from dowse.page.charset import read_source
from dowse.page.parser import COMMENT, TEXT, HtmlNode, descend, parse
from dowse.page.text import collapse, leave_out

MAX_PARTS = 60_000  # tags and texts that are looked at
MAX_BLOCKS = 20_000
MAX_TEXT = 500  # characters of one block
MAX_DEPTH = 60  # what stands deeper counts to the last tag above it

_UNSEEN = frozenset("head script style noscript iframe noframes select textarea datalist template".split())


def read_blocks(response: Response) -> tuple[Block, ...]:
    """Return the words of a page, piece by piece, in their order."""
    root = parse(read_source(response)).root
    return tuple(_find_blocks(root)) if root is not None else ()


def _find_blocks(root: HtmlNode) -> list[Block]:
    """Walk a tree in its order and number each tag among those of its kind beside it."""
    places = {root.mem_id: "html.1"}
    counts: dict[tuple[str, str], int] = {}
    blocks: list[Block] = []
    parts = descend(root)
    for part in islice(parts, MAX_PARTS):
        if len(blocks) >= MAX_BLOCKS:
            break
        tag, above = part.tag or "", places[part.parent.mem_id]  # type: ignore[union-attr]
        if tag == TEXT:
            text = collapse((part.text_content or "")[: 2 * MAX_TEXT], MAX_TEXT)
            if text:
                blocks.append(Block(_place(above, "#", counts), text))
        elif tag in _UNSEEN:
            leave_out(part, parts)
        elif tag and tag != COMMENT:
            places[part.mem_id] = _place(above, tag, counts)
    return blocks


def _place(above: str, tag: str, counts: dict[tuple[str, str], int]) -> str:
    if above.count("/") >= MAX_DEPTH:
        return above
    number = counts[above, tag] = counts.get((above, tag), 0) + 1
    return f"{above}/{tag}.{number}"
