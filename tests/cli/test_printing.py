"""Words for people."""

from __future__ import annotations

from dowse.cli.printing import write_span


def test_an_interval_without_an_end_says_so() -> None:
    assert write_span(1200, 3400) == "1,200 to 3,400"
    assert write_span(1200, float("inf")) == "1,200 or more"
