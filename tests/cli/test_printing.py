"""Words for people."""

from __future__ import annotations

from dowse.cli.printing import style, table, write_span


def test_an_interval_without_an_end_says_so() -> None:
    assert write_span(1200, 3400) == "1,200 to 3,400"
    assert write_span(1200, float("inf")) == "1,200 or more"


def test_only_our_own_colours_reach_the_terminal() -> None:
    rows = table([[style("a\x1b[2Jb", fg="green"), "\x1b[31mred"], ["長い", "x"]])
    assert rows == "  \x1b[32ma [2Jb\x1b[0m   [31mred\n  長い    x"
