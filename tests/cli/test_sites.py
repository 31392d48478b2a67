"""`dowse sites` and `dowse sites import`."""

from __future__ import annotations

import gzip
from pathlib import Path

from tests.cli.conftest import Dowse


def test_import_and_look(dowse: Dowse) -> None:
    Path("ranking.csv.gz").write_bytes(gzip.compress(b"1,a.example\n2,b.example\n3,nonsense here\n"))
    outcome = dowse("sites", "import", "ranking.csv.gz", "--json")
    assert outcome.json == {"imported": 2, "known": 2, "left_out": 1}
    assert "line 3" in outcome.err
    assert dowse("sites", "import", "ranking.csv.gz", "--json").json["imported"] == 0
    shown = dowse("sites")
    assert "2 sites known: 2 waiting" in shown.out
    assert "http://a.example" in shown.out
    assert dowse("sites", "--state", "failed", "--json").json["sites"] == []


def test_a_list_without_any_address(dowse: Dowse) -> None:
    Path("list").write_text("nothing\nat all\n")
    outcome = dowse("sites", "import", "list")
    assert outcome.code == 2
    assert "no web address in it" in outcome.err
