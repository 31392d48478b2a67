"""Sitemaps and their indexes: the sites of what they list. Nothing is fetched.

An index names other sitemaps. One that lies beside it on disk, by its file name, is read; of the others only the
site is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from dowse.errors import BadInput
from dowse.find.address import front_pages
from dowse.find.markup import find_in_document, find_root
from dowse.find.refused import Refused
from dowse.find.unpack import Listing, open_listing
from dowse.model import Seed

_LOC = re.compile(
    rb"<(?:([\w.-]{1,60}):)?loc(?:\s[^<>]*+)?>\s*+(?:<!\[CDATA\[\s*+)?([^<>\]]{1,4096}+)(?=[<\]])", re.IGNORECASE
)
_MAX_DEPTH = 3  # indexes in indexes; the protocol knows none
_MAX_CHILDREN = 50_000  # of the protocol


def read_sitemap(listing: Listing, refused: Refused) -> Iterator[Seed]:
    """Yield the sites that a sitemap, or an index and the sitemaps beside it, lists."""
    return front_pages(_addresses(listing, refused, set(), 0), listing.name, refused)


def _addresses(listing: Listing, refused: Refused, read: set[Path], depth: int) -> Iterator[str]:
    listed = _locations(listing)
    if find_root(listing.head) != "sitemapindex":
        yield from listed
        return
    for address in listed:
        child = _beside(address, listing.folder) if depth < _MAX_DEPTH else None
        if child in read:
            continue
        if child and len(read) < _MAX_CHILDREN:
            read.add(child)
            yield from _child_addresses(child, refused, read, depth + 1)
        else:
            refused.unread += 1
            yield address


def _locations(listing: Listing) -> Iterator[str]:
    """Yield the addresses of pages; those of the pictures on them are no pages."""
    for found in find_in_document(listing, _LOC, b"</"):
        if (found[1] or b"").lower() != b"image":
            yield found[2].decode("utf-8", "replace").strip()


def _child_addresses(path: Path, refused: Refused, read: set[Path], depth: int) -> Iterator[str]:
    try:
        with open_listing(str(path)) as listing:
            yield from _addresses(listing, refused, read, depth)
    except BadInput as error:
        refused.break_off(str(error))


def _beside(address: str, folder: Path | None) -> Path | None:
    """Return the file in the folder that an address ends with the name of."""
    name = unquote(re.split(r"[?#]", address, maxsplit=1)[0].rpartition("/")[2])
    if folder is None or not name or "/" in name or "\0" in name or len(name) > 250 or name in (".", ".."):
        return None
    path = folder / name
    return path if path.is_file() else None
