"""Which query is asked next: selectors by name, each a way to expect what a query will bring."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dowse.select.auto import Auto
from dowse.select.complete import Complete
from dowse.select.domain import Domain, read_table
from dowse.select.greedy import Greedy
from dowse.select.mmmi import Mmmi
from dowse.select.naive import Naive
from dowse.select.selector import Parts, Selector

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


def build_selector(name: str, parts: Parts, domain: str = "") -> Selector:
    """Build a selector by its name; the one called `domain` reads the file of a domain table."""
    return Domain(parts, read_table(domain)) if name == "domain" and domain else SELECTORS[name](parts)
