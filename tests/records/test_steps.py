"""How the addresses of numbered links follow from their numbers."""

from __future__ import annotations

from dowse.records.steps import find_row


def test_numbered_links_give_a_rule() -> None:
    row = find_row([(2, "http://a.test/?s=10"), (3, "http://a.test/?s=20"), (4, "http://a.test/?s=30")])
    assert row
    assert (row.write(9), row.read("https://www.a.test/?s=50"), row.read("http://a.test/?s=55")) == (
        "http://a.test/?s=80",
        6,
        0,
    )


def test_numbers_without_a_rule_give_none() -> None:
    assert find_row([(2, "http://a.test/x7"), (3, "http://a.test/y9")]) is None
