"""Probes between what a selector chooses: how long they are, and what becomes of the rest."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from dowse.harvest.loop import Drawn, draw
from dowse.harvest.steer import ONLY_COUNTED, TOO_LONG, Steered
from dowse.model import Query, Record, Value
from dowse.select import build_selector
from dowse.select.graph import Graph
from dowse.select.selector import Interface, Parts
from dowse.yields.probe import MOST_PAGES
from tests.harvest.small import Small, values_of

FORM = Interface(attributes=("shape", "colour"))


def make_long(count: int) -> tuple[Record, ...]:
    """Return records whose values all have very many of them."""
    return tuple(
        Record((Value("shape", f"shape {n % 13}"), Value("colour", f"colour {n % 12}")), str(n)) for n in range(count)
    )


def run(small: Small, selector: str = "depth") -> tuple[Drawn, dict[Query, tuple[int, str]]]:
    """Draw everything; return it with the pages of each query, and why it was left."""
    graph = Graph()
    rng = Random(3)
    inner = build_selector(selector, Parts(graph, FORM, rng), "")
    steered = Steered(inner, graph, FORM, Random(4), values=[Value("shape", "shape 0")])
    drawn, asked = Drawn(graph), dict[Query, tuple[int, str]]()

    async def go() -> None:
        async for draught in draw(small.ask, steered, drawn, values_of):
            steered.note(draught)
            if draught.over and draught.asked.aborted:
                asked[draught.asked.query] = draught.asked.pages, draught.asked.aborted

    asyncio.run(go())
    return drawn, asked


@pytest.mark.parametrize("counts", [False, True], ids=["no counts", "counts"])
def test_probes_are_short_and_nothing_is_lost_by_that(counts: bool) -> None:
    small = Small(make_long(3_000), counts=counts)
    drawn, left = run(small)
    assert left, "there was a probe that was left"
    assert {why for _, why in left.values()} <= {ONLY_COUNTED, TOO_LONG}
    assert max(pages for pages, _ in left.values()) <= MOST_PAGES
    assert drawn.graph.record_count == 3_000
