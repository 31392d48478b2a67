"""What the head of a table calls its columns."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from dowse.records.pieces import Part, width_of
from dowse.tree.node import Node, find_nodes, text_of

MAX_NAME: Final = 60  # characters of a column's name
MAX_ROWS: Final = 3_000
_CELLS = frozenset({"td", "th"})
# Signs beside a name that say how rows are sorted, as arrows, triangles and icons of a font: id ▼
_SIGNS = r"\s\u2190-\u21ff\u25a0-\u25ff\u2b00-\u2bff\ue000-\uf8ff\U0001f53c\U0001f53d^\ufe0e\ufe0f"
_SORTING = re.compile(rf"^[{_SIGNS}]++|(?<![{_SIGNS}])[{_SIGNS}]++$")


def find_header(trees: Sequence[Node], records: Collection[Part]) -> dict[str, str]:
    """Return the name of each column, such as td[2]: Year, where the records are rows of a table that has a head."""
    rows = {id(part) for part in records if isinstance(part, Node) and part.tag == "tr"}
    for tree in trees if rows else ():
        for table in find_nodes(tree, "table"):
            names = _read_head(list(_find_rows(table)), rows)
            if names:
                return names
    return {}


def _find_rows(table: Node) -> Iterator[Node]:
    for child in table.children[:MAX_ROWS]:
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child.children[:MAX_ROWS] if row.tag == "tr")


def _read_head(rows: Sequence[Node], records: Collection[int]) -> dict[str, str]:
    """Return the names in the last row before the records that looks like a head."""
    first = next((place for place, row in enumerate(rows) if id(row) in records), 0)
    for row in reversed(rows[:first]):
        cells = [cell for cell in row.children if cell.tag in _CELLS]
        names = [_SORTING.sub("", text_of(cell, MAX_NAME)) for cell in cells]
        filled = [name for name in names if name]
        if len(filled) >= 2 and len(set(filled)) == len(filled) and _is_head(row, cells, rows[first]):
            return _name_columns(cells, names)
    return {}


def _is_head(row: Node, cells: Sequence[Node], record: Node) -> bool:
    """Say whether a row names the columns of another: by its tags, or by having as many cells of a few words each."""
    if sum(cell.tag == "th" for cell in cells) >= len(cells) / 2:
        return True
    count = sum(cell.tag in _CELLS for cell in record.children)
    return len(cells) == count and not any(cell.attribute("colspan") for cell in row.children)


def _name_columns(cells: Sequence[Node], names: Sequence[str]) -> dict[str, str]:
    named: dict[str, str] = {}
    column = 0
    for cell, name in zip(cells, names, strict=True):
        for _ in range(width_of(cell)):
            column += 1
            named[f"td[{column}]"] = name
    return named
