"""Which things are records."""

from __future__ import annotations

import pytest

from dowse.records.found import Found
from dowse.records.labels import Told
from dowse.records.likeness import is_record, learn_shape
from dowse.records.own import learn_own
from dowse.records.pieces import Piece
from dowse.records.template import Wrapper
from dowse.records.units import Cut

PAGE = "http://a.test/"
ITEMS = [
    [Told("", "a", 1, f"Book {n}", f"/b/{n}"), Told("Year", "i", 1, str(n)), Told("Shelf", "i", 1, f"s{n}")]
    for n in range(9, 3, -1)
]
OWN = learn_own(ITEMS, [PAGE] * len(ITEMS))
WRAPPER = Wrapper(("html",), Cut("element", "tag", "li"), own=OWN, shape=learn_shape(ITEMS, [PAGE] * len(ITEMS), OWN))


@pytest.mark.parametrize(
    ("told", "text", "yes"),
    [
        pytest.param(ITEMS[0], "", True, id="one of them"),
        pytest.param(ITEMS[0][:2], "", True, id="one without a value"),
        pytest.param(ITEMS[0][:2], "Sponsored", False, id="the same, but it says what it is"),
        pytest.param([Told("", "a", 1, "Socks", "/"), Told("Advice", "i", 1, "x")], "", False, id="another thing"),
        pytest.param([Told("", "img", 1, "", "/b/1")], "", False, id="without words"),
    ],
)
def test_records(told: list[Told], text: str, yes: bool) -> None:
    assert is_record(WRAPPER, Found((), (Piece("b", text),), PAGE), told) is yes
