"""Tags that only highlight what was asked for."""

from __future__ import annotations

import pytest

from dowse.records.marks import find_marks
from tests.records.trees import tree_of


@pytest.mark.parametrize(
    ("html", "found"),
    [
        pytest.param("<p>The <b>magic</b> hat</p><p>A <b>Magic</b> box</p>", ("b",), id="in the middle of texts"),
        pytest.param("<p><b>magic</b></p><p><b>magic</b></p>", (), id="values of their own"),
        pytest.param(
            "<p>The <b>magic</b> hat</p><p>A <b>red</b> box</p><p>B <b>new</b> c</p>", (), id="other words too"
        ),
        pytest.param("<p>The <b>magic</b> hat</p>", (), id="only once"),
    ],
)
def test_highlights(html: str, found: tuple[str, ...]) -> None:
    assert find_marks([(tree_of(html), ("magic",))]) == found
