"""Common Crawl's graphs of hosts and domains: files of vertices, and of ranks.

Both are tab separated and write names backwards (com.example.www). Vertices are an id, a name and, for
domains, how many hosts they have; ranks are the positions and values of harmonic centrality and
PageRank, then the name, under a header whose names begin with `#`. The rank is the harmonic position.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dowse.find.address import seed_of
from dowse.find.refused import Refused
from dowse.find.unpack import Listing, split_lines
from dowse.model import Seed

_NAME = r"[^\s.,/:]{1,63}(?:\.[^\s.,/:]{1,63})*+"
_VERTEX = re.compile(rf"\d{{1,12}}\t({_NAME})(?:\t\d{{1,12}})?\s*\Z")
_RANKED = re.compile(rf"\d{{1,12}}\t[\d.eE+-]{{1,40}}\t\d{{1,12}}\t[\d.eE+-]{{1,40}}\t({_NAME})(?:\t\d{{1,12}})?\s*\Z")
_SAMPLE = 200


@dataclass(frozen=True, slots=True)
class _Columns:
    """Where a line has its name and its rank; -1 for no rank."""

    name: int
    rank: int


_VERTICES = _Columns(name=1, rank=-1)
_RANKS = _Columns(name=4, rank=0)


def read_graph(listing: Listing, refused: Refused) -> Iterator[Seed]:
    """Yield the hosts or domains of a graph."""
    columns: _Columns | None = None
    for number, line in enumerate(split_lines(listing.blocks), 1):
        if line.startswith("#") or not line.strip():
            columns = columns or _read_header(line)
            continue
        cells = line.rstrip().split("\t")
        columns = columns or (_RANKS if len(cells) > 3 else _VERTICES)
        seed = _read_row(cells, columns)
        if seed:
            refused.accepted += 1
            yield seed
        else:
            refused.add(f"{listing.name}, line {number}", line.rstrip())


def is_graph(lines: list[str]) -> bool:
    """Say whether these lines begin a graph: a header, ranks, or vertices whose names are backwards."""
    if lines and lines[0].startswith("#") and _read_header(lines[0]):
        return True
    sample = [line for line in lines if line.strip() and not line.startswith("#")][:_SAMPLE]
    if not sample:
        return False
    if all(_RANKED.match(line) for line in sample):
        return True
    vertices = [_VERTEX.match(line) for line in sample]
    return all(vertices) and _are_backwards([found[1] for found in vertices if found])


def _read_header(line: str) -> _Columns | None:
    names = [name.strip().lstrip("#").lower() for name in line.split("\t")]
    name = next((place for place, each in enumerate(names) if each.endswith("_rev")), -1)
    rank = next((place for place, each in enumerate(names) if each in ("harmonicc_pos", "hc_pos")), -1)
    return _Columns(name, rank) if name >= 0 else None


def _read_row(cells: list[str], columns: _Columns) -> Seed | None:
    if columns.name >= len(cells):
        return None
    labels = cells[columns.name].split(".")
    rank = cells[columns.rank] if 0 <= columns.rank < len(cells) else ""
    return seed_of(".".join(labels[::-1]), int(rank) if rank.isdecimal() and len(rank) <= 12 else 0)


def _are_backwards(names: list[str]) -> bool:
    """Say whether more names begin with a public suffix than end with one."""
    from publicsuffixlist import PublicSuffixList  # loads in 0.1 s

    suffixes = PublicSuffixList(accept_unknown=False)
    first = sum(1 for name in names if suffixes.publicsuffix(name.partition(".")[0]))
    last = sum(1 for name in names if suffixes.publicsuffix(name.rpartition(".")[2]))
    return first > last
