"""Places to start from: what a person typed, and lists in the shapes people keep them in.

Lists are read as they come, packed or not, and never held whole; what kind one is shows in how it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dowse.errors import BadInput
from dowse.find.hostgraph import read_graph
from dowse.find.lists import read_plain, read_ranking
from dowse.find.rdf import read_rdf
from dowse.find.recognise import lists_addresses, recognise
from dowse.find.refused import Refused
from dowse.find.sitemap import read_sitemap
from dowse.find.unpack import Listing, open_listings
from dowse.model import Seed
from dowse.url import seed_address, site_of

__all__ = ["FORMATS", "Refused", "read_list", "read_seed"]

FORMATS: dict[str, Callable[[Listing, Refused], Iterator[Seed]]] = {
    "plain": read_plain,
    "csv": read_ranking,
    "rdf": read_rdf,
    "sitemap": read_sitemap,
    "graph": read_graph,
}


def read_seed(text: str) -> Seed:
    """Return the place that a person typed."""
    url = seed_address(text)
    if url is None:
        raise BadInput(f"{text[:120]!r} is not a web address; give one such as http://example.com/ or example.com")
    return Seed(site_of(url), url)


def read_list(path: str, refused: Refused, kind: str = "") -> Iterator[Seed]:
    """Yield the sites of a list, or of all lists in an archive; `-` is standard input. Lines that are none are counted.

    A list that breaks off is the user's mistake; what stood before that has been given by then.
    """
    for listing in open_listings(path):
        if isinstance(listing, str):
            refused.leave_out(listing)
        elif listing.beside:
            yield from _read_member(listing, refused, kind)
        else:
            yield from FORMATS[kind or recognise(listing)](listing, refused)


def _read_member(listing: Listing, refused: Refused, kind: str) -> Iterator[Seed]:
    """Yield the sites of one file of an archive; a licence, a picture or a list that breaks off is only counted."""
    try:
        kind = kind or recognise(listing)
    except BadInput as error:
        refused.leave_out(str(error))
        return
    if kind == "plain" and not lists_addresses(listing):
        refused.leave_out(f"{listing.name} is not a list of sites")
        return
    try:
        yield from FORMATS[kind](listing, refused)
    except BadInput as error:
        refused.break_off(str(error))
