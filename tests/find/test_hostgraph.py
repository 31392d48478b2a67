"""Common Crawl's graphs: names backwards, ranks under a header."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.find.seeds import Refused, read_list

HEADER = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev"
GRAPHS = [
    ("hosts", "0\tcom.example\n1\tcom.example.www\n", [("example.com", 0), ("www.example.com", 0)]),
    ("domains", "17\torg.a\t3\n18\tuk.co.b\t1\n", [("a.org", 0), ("b.co.uk", 0)]),
    ("ranks of hosts", f"{HEADER}\n1\t3.1E7\t2\t0.01\tcom.facebook.www\n", [("www.facebook.com", 1)]),
    ("ranks of domains", f"{HEADER}\t#n_hosts\n5\t3.1E7\t2\t0.01\tcom.a\t9\n", [("a.com", 5)]),
    ("ranks without a header", "7\t30000000.0\t2\t0.01\tcom.a\t9\n", [("a.com", 7)]),
    ("an older header", "#hc_val\t#hc_pos\t#host_rev\n1.5\t8\tcom.a\n", [("a.com", 8)]),
    ("new domains of letters only", "0\taaa.1111\t1\n1\taaa.acg\t1\n", [("1111.aaa", 0), ("acg.aaa", 0)]),
    ("names of other scripts", "0\txn--p1ai.xn--80ak6aa92e\n", [("xn--80ak6aa92e.xn--p1ai", 0)]),
]


@pytest.mark.parametrize(("content", "expected"), [row[1:] for row in GRAPHS], ids=[row[0] for row in GRAPHS])
def test_graphs(tmp_path: Path, content: str, expected: list[tuple[str, int]]) -> None:
    path = tmp_path / "graph"
    path.write_text(content)
    assert [(seed.site.host, seed.rank) for seed in read_list(str(path), Refused())] == expected


def test_a_ranking_with_tabs_is_no_graph(tmp_path: Path) -> None:
    path = tmp_path / "ranking"
    path.write_text("1\twww.example.com\n2\texample.org\n")
    found = [(seed.site.host, seed.rank) for seed in read_list(str(path), Refused())]
    assert found == [("www.example.com", 1), ("example.org", 2)]


def test_lines_that_are_none_are_counted(tmp_path: Path) -> None:
    path, refused = tmp_path / "graph", Refused()
    path.write_text("0\tcom.a\nnonsense\n2\tcom\n3\t\n")
    assert len(list(read_list(str(path), refused, "graph"))) == 1
    assert refused.count == 3
    assert "line 2" in refused.first
