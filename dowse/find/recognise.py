"""What kind of list a file is, by how it begins."""

from __future__ import annotations

from collections.abc import Iterator

from dowse.errors import BadInput
from dowse.find.address import seed_of
from dowse.find.hostgraph import is_graph
from dowse.find.lists import SEPARATORS, find_columns
from dowse.find.markup import find_root
from dowse.find.unpack import HEAD, Listing, split_lines

_ROOTS = {"rdf": "rdf", "externalpage": "rdf", "topic": "rdf", "urlset": "sitemap", "sitemapindex": "sitemap"}
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1a")
_SAMPLE = 100


def recognise(listing: Listing) -> str:
    """Return the name of the format; what is no list of any kind is the user's mistake."""
    head = listing.head.lstrip()
    if head.startswith(b"<"):
        return _markup_kind(head, listing.name)
    if len(head) - len(head.translate(None, _CONTROLS)) > max(32, len(head) // 25):
        raise BadInput(f"{listing.name} is not a list of sites but binary data")
    lines = list(_whole_lines(head))
    if is_graph(lines):
        return "graph"
    told = [line for line in lines if line.strip() and not line.startswith("#")][:_SAMPLE]
    in_columns = sum(1 for line in told if any(mark in line for mark in SEPARATORS))
    return "csv" if in_columns * 2 > len(told) or (told and _has_header(told[0])) else "plain"


def lists_addresses(listing: Listing) -> bool:
    """Say whether at least half of the first lines begin with an address: a licence has words there."""
    told = [line.strip() for line in _whole_lines(listing.head) if line.strip() and not line.startswith("#")][:_SAMPLE]
    return 2 * sum(1 for line in told if seed_of(line.split(None, 1)[0])) >= max(1, len(told))


def _markup_kind(head: bytes, name: str) -> str:
    root = find_root(head)
    if root in _ROOTS:
        return _ROOTS[root]
    if root == "html" or head[:14].lower().startswith(b"<!doctype html"):
        raise BadInput(f"{name} is a web page, not a list of sites")
    raise BadInput(f"{name} is not a list of sites that Dowse knows: its outermost element is <{root[:40]}>")


def _whole_lines(head: bytes) -> Iterator[str]:
    """Yield the lines of a beginning, without the one that it cuts."""
    whole = head if len(head) < HEAD - 1024 or b"\n" not in head else head[: head.rfind(b"\n")]
    return split_lines(iter([whole]))


def _has_header(line: str) -> bool:
    return find_columns(line).address >= 0 and any(mark in line for mark in SEPARATORS)
