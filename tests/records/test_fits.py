"""Whether a page still looks like those a wrapper was made from."""

from __future__ import annotations

import pytest

from dowse.records.fits import judge_fit
from dowse.records.template import Wrapper
from dowse.records.units import Cut
from tests.records.trees import tree_of

TREE = tree_of("<body><div class=head>Library</div></body>")
WRAPPER = Wrapper(("html",), Cut("element", "tag", "li"), frame=("body/div.head", "html/body"), lines=4)


@pytest.mark.parametrize(
    ("lines", "strangers", "records", "yes", "words"),
    [
        pytest.param(["Library"], 0, 5, True, "5 records", id="records"),
        pytest.param(["Library"], 20, 5, False, "only 5 of 25", id="most are of another kind"),
        pytest.param(["Library"], 0, 0, True, "as before", id="nothing, and nothing is said"),
        pytest.param(["No results found"], 9, 0, True, "says so", id="nothing, and it is said"),
        pytest.param(["1-10 of 57 results"], 0, 0, False, "57", id="it says that there are some"),
        pytest.param(["Library"], 9, 0, False, "9 things", id="others stand there"),
        pytest.param(["line"] * 40, 0, 0, False, "40 lines", id="much more text than usual"),
    ],
)
def test_fits(lines: list[str], strangers: int, records: int, yes: bool, words: str) -> None:
    verdict = judge_fit(WRAPPER, TREE, lines, strangers, records)
    assert (verdict.yes, words in verdict.reason) == (yes, True), verdict


def test_another_frame_does_not_fit() -> None:
    verdict = judge_fit(WRAPPER, tree_of("<main>Shop</main>"), ["Shop"], 0, 0)
    assert not verdict.yes
    assert "built differently" in verdict.reason
