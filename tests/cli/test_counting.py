"""Numbers as they are told to people."""

from __future__ import annotations

import pytest

from dowse.cli import counting
from dowse.cli.counting import counted, say_count

COUNTS = [
    (0, "pages mapped", "0 pages mapped"),
    (1, "pages mapped", "1 page mapped"),
    (2_000, "links", "2,000 links"),
    (1, "links", "1 link"),
    (1, "like the sample", "1 like the sample"),
]


@pytest.mark.parametrize(("number", "things", "told"), COUNTS)
def test_one_is_told_as_one(number: int, things: str, told: str) -> None:
    assert say_count(number, things) == told


def test_numbers_that_grow(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "PLAIN_SECONDS", 0.0)
    with counted("links", "pages") as tell:
        tell(1, 1)
        tell(12, 2)
    assert capsys.readouterr().err == "1 link, 1 page\n12 links, 2 pages\n"
