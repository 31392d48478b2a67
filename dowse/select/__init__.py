"""Which query is asked next: selectors by name, each a way to expect what a query will bring."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dowse.select.auto import Auto
from dowse.select.complete import Complete
from dowse.select.domain import Domain
from dowse.select.greedy import Greedy
from dowse.select.mmmi import Mmmi
from dowse.select.naive import Naive
from dowse.select.selector import Parts, Selector
from dowse.select.table import DomainTable, read_table

SELECTORS: dict[str, Callable[[Parts], Selector]] = {
    "auto": Auto,
    "breadth": partial(Naive, order="breadth"),
    "depth": partial(Naive, order="depth"),
    "random": partial(Naive, order="random"),
    "greedy": Greedy,
    "mmmi": Mmmi,
    "domain": Domain,
    "complete": Complete,
}
TABLED: dict[str, Callable[[Parts, DomainTable], Selector]] = {"auto": Auto, "domain": Domain}


def build_selector(name: str, parts: Parts, domain: str = "") -> Selector:
    """Build a selector by its name; `domain` has a use for the file of a domain table."""
    if name in TABLED and domain:
        return TABLED[name](parts, read_table(domain))
    return SELECTORS[name](parts)
