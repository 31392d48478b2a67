"""Scanning markup: the same whatever the blocks, nothing kept, nothing expanded."""

from __future__ import annotations

import re
import time
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.find.markup import find_matches, find_root, uncommented

PIECES = st.lists(st.sampled_from([b"<!--", b"-->", b"-", b"<", b"a", b"!", b">", b"<b>"]), max_size=30)


def blocks_of(content: bytes, size: int) -> Iterator[bytes]:
    return (content[at : at + size] for at in range(0, len(content), size))


@given(PIECES.map(b"".join), st.integers(1, 20))
def test_comments_do_not_depend_on_blocks(content: bytes, size: int) -> None:
    expected = re.sub(rb"<!--.*?(?:-->|\Z)", b"", content, flags=re.DOTALL)
    assert b"".join(uncommented(blocks_of(content, size))) == expected


@given(st.integers(1, 40))
def test_matches_do_not_depend_on_blocks(size: int) -> None:
    content = b"<x><a n='1'>long text</a><!-- <a n='9'> --><a\nn='22'/><a n='333'"
    found = find_matches(blocks_of(content, size), re.compile(rb"<a\s+n='(\d+)'"), b"<")
    assert [match[1] for match in found] == [b"1", b"22", b"333"]


ENDLESS = {
    "a tag": b"<a " + b"x" * 1000,
    "text": b"<a>" + b"x" * 1000,
    "comments": b"<!---->" * 150,
    "openings": b"<" * 1000,
    "an attribute": b"<ExternalPage about=" * 50,
    "white space": b"<loc>" + b" " * 1000,
}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_ends_costs_no_memory_and_little_time(name: str) -> None:
    from dowse.find.rdf import _LISTED
    from dowse.find.sitemap import _LOC

    start, more = ENDLESS[name], ENDLESS[name][-900:].replace(b"<loc>", b"")
    for pattern, end in ((_LISTED, b"<"), (_LOC, b"</")):
        tracemalloc.start()
        begun = time.process_time()
        stream = (start if place == 0 else more * 70 for place in range(100))
        assert sum(1 for match in find_matches(stream, pattern, end) if match[1]) == 0
        assert time.process_time() - begun < 20  # a scan that goes back over all of it takes minutes
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
        tracemalloc.stop()


ROOTS = [
    ("declaration", b'<?xml version="1.0"?>\n<urlset xmlns="x">', "urlset"),
    ("prefix", b"<sm:urlset>", "urlset"),
    ("comment before it", b"<!-- <html> --><RDF>", "rdf"),
    ("document type", b"<!DOCTYPE html><HTML>", "html"),
    ("none", b"<<<", ""),
]


@pytest.mark.parametrize(("head", "root"), [row[1:] for row in ROOTS], ids=[row[0] for row in ROOTS])
def test_the_outermost_element(head: bytes, root: str) -> None:
    assert find_root(head) == root
