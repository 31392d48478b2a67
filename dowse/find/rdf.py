"""The directory of DMOZ as RDF (`content.rdf.u8`): the sites of the pages that it lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dowse.find.address import front_pages
from dowse.find.markup import find_in_document
from dowse.find.refused import Refused
from dowse.find.unpack import Listing
from dowse.model import Seed

_LISTED = re.compile(
    rb"""<(?:(?:ExternalPage|link1?)\b[^<>]*?\b(?:about|resource)\s*+=\s*+(?:"([^"<]{0,4096})"|'([^'<]{0,4096})')"""
    rb"""|ExternalPage\b)"""
)


def read_rdf(listing: Listing, refused: Refused) -> Iterator[Seed]:
    """Yield the sites of a directory; a topic's links and the pages that they describe are one."""
    found = find_in_document(listing, _LISTED, b"<")
    addresses = ((match[1] or match[2] or b"").decode("utf-8", "replace").strip() for match in found)
    return front_pages(addresses, listing.name, refused)
