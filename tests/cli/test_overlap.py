"""`dowse overlap`."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from tests.cli.conftest import Dowse


def write_crawls(folder: Path, count: int) -> list[str]:
    """Write crawls of 400 of 1,000 records each."""
    paths = [folder / f"{place}.jsonl" for place in range(count)]
    for place, path in enumerate(paths):
        drawn = Random(place).sample(range(1_000), 400)
        path.write_text("".join(f'{{"title": "t{number}"}}\n' for number in drawn))
    return list(map(str, paths))


def test_three_crawls_give_a_size_and_the_bound_of_the_paper(dowse: Dowse, tmp_path: Path) -> None:
    told: dict[str, Any] = dowse("overlap", *write_crawls(tmp_path, 3), "--json").json
    assert told["crawls"] == [400, 400, 400]
    assert told["together"] <= told["size_ci"][0] <= told["size"] <= told["size_ci"][1]
    assert 850 < told["size"] < 1_150
    assert told["at_most"] >= told["size"]


def test_one_crawl_is_too_few(dowse: Dowse, tmp_path: Path) -> None:
    ended = dowse("overlap", *write_crawls(tmp_path, 1))
    assert ended.code != 0
    assert "two crawls or more" in ended.err


def test_the_same_harvest_twice_is_no_second_look(dowse: Dowse, tmp_path: Path) -> None:
    (first, *_) = write_crawls(tmp_path, 3)
    assert "nearly all records in common" in dowse("overlap", first, first).out
    assert "nearly all" not in dowse("overlap", *write_crawls(tmp_path, 3)).out
