"""Places to start from: what a person typed, and lists in the shapes people keep them in.

Lists are read as they come, packed or not, and never held whole; what kind one is shows in how it begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dowse.errors import BadInput
from dowse.find.hostgraph import read_graph
from dowse.find.lists import read_plain, read_ranking
from dowse.find.rdf import read_rdf
from dowse.find.recognise import recognise
from dowse.find.refused import Refused
from dowse.find.sitemap import read_sitemap
from dowse.find.unpack import Listing, open_listing
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
    """Yield the sites of a list; `-` is standard input. Lines that are none are counted.

    A list that breaks off is the user's mistake; what stood before that has been given by then.
    """
    with open_listing(path) as listing:
        yield from FORMATS[kind or recognise(listing)](listing, refused)
