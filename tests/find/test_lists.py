"""Plain lists and rankings in columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.find.seeds import Refused, read_list

TABLES = [
    ("Tranco", "csv", "1,google.com\r\n2,b.example\r\n", [("google.com", 1), ("b.example", 2)]),
    ("Umbrella has hosts without a dot", "csv", "1,com\n2,a.example\n", [("a.example", 2)]),
    (
        "Majestic",
        "csv",
        "GlobalRank,TldRank,Domain,TLD,RefSubNets\n1,1,a.example,com,5\n2,2,b.example,com,4\n",
        [("a.example", 1), ("b.example", 2)],
    ),
    ("a header behind a comment", "csv", "# list of 2026\nrank,site\n3,a.example\n", [("a.example", 3)]),
    ("quoted, with a comma", "csv", 'name,url\n"A, and B",http://a.example/x\n', [("a.example", 0)]),
    ("tabs", "csv", "rank\thost\n4\ta.example\n", [("a.example", 4)]),
    ("semicolons", "csv", "1;a.example\n2;b.example\n", [("a.example", 1), ("b.example", 2)]),
    ("a rank with too many digits", "csv", f"{'9' * 5000},a.example\n", [("a.example", 0)]),
    ("a rank of another script", "csv", "a.example,٣\n", [("a.example", 3)]),
    ("an unclosed quotation mark", "csv", '1,"a.example\n2,b.example\n', [("a.example", 1), ("b.example", 2)]),
    ("a row that is too short", "csv", "rank,url\n1\n2,a.example\n", [("a.example", 2)]),
    ("commas in addresses of a plain list", "plain", "a.example\nhttp://b.example/x,y\nc.example\n",
     [("a.example", 0), ("b.example", 0), ("c.example", 0)]),
]  # fmt: skip


@pytest.mark.parametrize("forced", [False, True], ids=["recognised", "forced"])
@pytest.mark.parametrize(("kind", "content", "expected"), [row[1:] for row in TABLES], ids=[row[0] for row in TABLES])
def test_tables(tmp_path: Path, kind: str, content: str, expected: list[tuple[str, int]], forced: bool) -> None:
    path = tmp_path / "list"
    path.write_text(content)
    seeds = read_list(str(path), Refused(), kind if forced else "")
    assert [(seed.site.host, seed.rank) for seed in seeds] == expected


def test_a_plain_list_is_not_split_at_commas(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("http://a.example/x,y\n")
    assert [seed.entrance for seed in read_list(str(path), Refused(), "plain")] == ["http://a.example/x,y"]
