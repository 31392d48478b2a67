"""Where a page stands on the paths of a pattern, and which of its links are taken from there."""

from __future__ import annotations

import pytest

from dowse.example.pattern import Step
from dowse.example.ways import Ways

from .shop import ITEM, LIST, address, pattern_of

WAYS = Ways.of(pattern_of((Step(LIST, repeats=True), Step(ITEM)), (Step(ITEM, repeats=True),)))
STATES = [
    ("at the start", (0, 0), True, False),
    ("in a list", (0, 1), True, False),
    ("at the end", (0, 2), False, True),
    ("at an end that leads on", (1, 1), True, True),
]


@pytest.mark.parametrize(("state", "leads", "ends"), [row[1:] for row in STATES], ids=[row[0] for row in STATES])
def test_where_a_page_stands(state: tuple[int, int], leads: bool, ends: bool) -> None:
    assert (WAYS.leads_on(state), WAYS.is_end(state)) == (leads, ends)


LINKS = [
    ("the next step", (0, 1), "/item/1", (True, False)),
    ("the same step again", (0, 1), "/list/1", (False, True)),
    ("no step again before the first", (0, 0), "/item/1", (False, False)),
    ("no step after the last", (0, 2), "/item/1", (False, False)),
    ("the last step again", (1, 1), "/item/1", (False, True)),
    ("another page", (0, 1), "/about", (False, False)),
]


@pytest.mark.parametrize(("state", "link", "taken"), [row[1:] for row in LINKS], ids=[row[0] for row in LINKS])
def test_which_links_are_taken(state: tuple[int, int], link: str, taken: tuple[bool, bool]) -> None:
    assert (WAYS.goes_on(state, address(link)), WAYS.stays(state, address(link))) == taken
    assert WAYS.wants(state, [address("/about"), address(link)]) == taken[0]


def test_links_that_some_step_matches() -> None:
    given = [address(each) for each in ("/about", "/item/1", "/list/2")]
    assert WAYS.match(given) == tuple(given[1:])


def test_an_end_that_repeats_is_on_the_way_to_others() -> None:
    assert WAYS.may_lead(address("/item/1"))
    assert not Ways.of(pattern_of()).may_lead(address("/item/1"))
    assert Ways.of(pattern_of()).may_end(address("/item/1"))


def test_what_is_known_as_a_list_is_no_end() -> None:
    known = address("/item/1")
    ways = Ways.of(pattern_of((Step(ITEM), Step(ITEM, repeats=True)), lists=(known,)))
    assert ways.goes_on((0, 0), known)
    assert not ways.goes_on((0, 1), known)
    assert not ways.stays((0, 2), known)
    assert not ways.may_end(known)
    assert ways.may_end(address("/item/2"))
