"""`dowse sim --shape`: one site that people browse, and the truth about it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import orjson
import pytest

from dowse.sim.shapes import open_shape
from tests.cli.conftest import Dowse
from tests.waiting import PATIENCE


def test_the_truth_about_a_shape(dowse: Dowse) -> None:
    truth = dowse("sim", "--shape", "letters", "--family", "b", "--day", "30", "--edition", "1", "--truth").json
    site = open_shape("letters", "B", 1, 30, edition=1)
    assert truth["entry"] == site.entry
    assert truth["targets"] == list(site.truth.targets)
    assert truth["new"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--shape", "nope"), "no shape 'nope'"),
        (("--shape", "letters", "--score", "x"), "--score is about databases"),
        (("--shape", "letters", "--records", "x/0"), "--records is about databases"),
        (("--shape", "letters", "--db-file", "x.csv"), "--db-file is about databases"),
    ],
    ids=["no such shape", "scores", "records", "tables"],
)
def test_mistakes_get_one_line(dowse: Dowse, words: tuple[str, ...], said: str) -> None:
    outcome = dowse("sim", *words)
    assert outcome.code == 2
    assert said in outcome.err
    assert len(outcome.err.strip().splitlines()) == 1


def test_it_is_served_and_says_where(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "dowse", "sim", "--shape", "months", "--port", "0"]
    with subprocess.Popen([*words, "--json"], stdout=subprocess.PIPE, cwd=tmp_path) as served:
        assert served.stdout
        told = orjson.loads(served.stdout.readline())
        proxy = urllib.request.ProxyHandler({"http": f"http://127.0.0.1:{told['port']}"})
        with urllib.request.build_opener(proxy).open(told["samples"][0], timeout=PATIENCE) as answer:
            assert answer.status == 200
            body = answer.read()
        served.send_signal(signal.SIGINT)
    assert told["entry"] == open_shape("months").entry
    assert re.search(rb"<title>[^<]+", body, re.IGNORECASE)


def test_the_truth_in_a_file(dowse: Dowse) -> None:
    told = dowse("sim", "--sites", "3", "--truth", "truth.jsonl", "--json").json
    lines = Path("truth.jsonl").read_text().splitlines()
    assert told == {"path": "truth.jsonl", "sites": len(lines)}
    assert dowse("sim", "--sites", "3", "--truth", "--json").out.splitlines() == lines
