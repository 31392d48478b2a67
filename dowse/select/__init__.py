"""Which query is asked next: selectors by name, each a way to expect what a query will bring."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dowse.select.auto import AutoSelector
from dowse.select.complete import CompleteSelector
from dowse.select.domain import DomainSelector, read_table
from dowse.select.greedy import GreedySelector
from dowse.select.mmmi import MmmiSelector
from dowse.select.naive import NaiveSelector
from dowse.select.selector import AbortingSelector, PatientSelector, ProvingSelector, Selector, SelectorParts

SELECTORS: dict[str, Callable[[SelectorParts], Selector]] = {
    "auto": AutoSelector,
    "breadth": partial(NaiveSelector, order="breadth"),
    "depth": partial(NaiveSelector, order="depth"),
    "random": partial(NaiveSelector, order="random"),
    "greedy": GreedySelector,
    "mmmi": MmmiSelector,
    "domain": DomainSelector,
    "complete": CompleteSelector,
}


def build_selector(name: str, parts: SelectorParts, domain: str = "", abort: str = "auto") -> Selector:
    """Build a selector by its name; `domain` is the file of a domain table.

    Answers are left as the selector does by itself (`abort` is "auto"), by one rule for all ("always"), or "never".
    """
    selector = DomainSelector(parts, read_table(domain)) if name == "domain" and domain else SELECTORS[name](parts)
    if abort == "auto" or isinstance(selector, ProvingSelector):  # a proof says itself what must be read
        return selector
    return AbortingSelector(selector, parts) if abort == "always" else PatientSelector(selector)
