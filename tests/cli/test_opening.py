"""What is left of a database when a command turns out to be a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Dowse


def test_a_mistake_does_not_take_away_what_was_there(dowse: Dowse) -> None:
    Path("list").write_text("a.example\n")
    assert dowse("sites", "import", "list").code == 0
    assert dowse("find", "b.example", "--strategy", "clever").code == 2
    assert dowse("sites", "--json").json["known"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["find"], id="nothing to search"),
        pytest.param(["find", "a.example", "--strategy", "clever"], id="no such strategy"),
        pytest.param(["find", "a.example", "--replay", "none"], id="seen when the sites were added already"),
        pytest.param(["sites", "discover"], id="nothing to look through"),
        pytest.param(["sites", "discover", "a.example", "--site-strategy", "best"], id="no such site strategy"),
        pytest.param(["sites", "import", "none"], id="no such list"),
    ],
)
def test_a_mistake_leaves_nothing_behind(dowse: Dowse, arguments: list[str]) -> None:
    assert dowse(*arguments).code == 2
    assert not list(Path.cwd().iterdir())
