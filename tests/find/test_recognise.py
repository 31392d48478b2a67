"""What kind of list it is, by how it begins."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dowse.errors import BadInput
from dowse.find.recognise import recognise
from dowse.find.unpack import open_listing

KINDS = [
    ("plain", "a.example\nb.example\n"),
    ("plain", "# with a comment, and another\na.example\n"),
    ("plain", "\ufeffa.example\n"),
    ("csv", "1,a.example\n"),
    ("csv", "\ufeffrank,domain\n1,a.example\n"),
    ("rdf", '<?xml version="1.0"?>\n<RDF xmlns="http://dmoz.org/rdf/">'),
    ("rdf", '<ExternalPage about="http://a.example/">'),
    ("sitemap", "\ufeff<?xml version='1.0'?><urlset>"),
    ("sitemap", "\n <sitemapindex>"),
    ("graph", "0\tcom.example\n"),
    ("graph", "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\t#n_hosts\n"),
]


@pytest.mark.parametrize(("kind", "content"), KINDS)
def test_kinds(tmp_path: Path, kind: str, content: str) -> None:
    path = tmp_path / "list"
    path.write_text(content)
    with open_listing(str(path)) as listing:
        assert recognise(listing) == kind


FAULTS = [
    ("a web page", b"<!DOCTYPE html><title>x</title>", "is a web page"),
    ("a web page without a type", b"<!-- x -->\n<HTML><body>a.example", "is a web page"),
    ("another XML", b"<?xml version='1.0'?><rss><channel>", "its outermost element is <rss>"),
    ("binary", random.Random(1).randbytes(5000), "binary data"),
    ("a program", b"\x7fELF\x02\x01\x01" + bytes(3000), "binary data"),
]


@pytest.mark.parametrize(("content", "said"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_what_is_no_list(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "list"
    path.write_bytes(content)
    with open_listing(str(path)) as listing, pytest.raises(BadInput, match=said):
        recognise(listing)
