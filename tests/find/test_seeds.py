"""Places to start from, in the shapes people keep them in."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dowse.errors import BadInput
from dowse.find.seeds import Refused, read_list, read_seed


def read(tmp_path: Path, content: str | bytes) -> tuple[list[tuple[str, int]], Refused]:
    path = tmp_path / "list"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    refused = Refused()
    return [(str(seed.site), seed.rank) for seed in read_list(str(path), refused)], refused


LISTS = [
    ("plain", "http://a.example/x\nb.example\n", [("http://a.example", 0), ("http://b.example", 0)]),
    ("comments, blanks, Windows line ends", "# list\r\n\r\na.example\r\n", [("http://a.example", 0)]),
    ("byte order mark", "\ufeffa.example\n", [("http://a.example", 0)]),
    ("ranking", "1,a.example\n2,b.example\n", [("http://a.example", 1), ("http://b.example", 2)]),
    ("ranking the other way", "a.example,1\n", [("http://a.example", 1)]),
    ("header with names", "GlobalRank,TldRank,Domain\n7,1,a.example\n", [("http://a.example", 7)]),
    ("one column with a header", "domain\na.example\n", [("http://a.example", 0)]),
    ("quoted", '1,"a.example"\n', [("http://a.example", 1)]),
    ("words behind", "a.example the best\n", [("http://a.example", 0)]),
]


@pytest.mark.parametrize(("content", "expected"), [row[1:] for row in LISTS], ids=[row[0] for row in LISTS])
def test_lists(tmp_path: Path, content: str, expected: list[tuple[str, int]]) -> None:
    assert read(tmp_path, content)[0] == expected
    assert read(tmp_path, gzip.compress(content.encode()))[0] == expected


def test_lines_that_are_no_address_are_counted(tmp_path: Path) -> None:
    found, refused = read(tmp_path, "a.example\nnonsense\n\x00\x01\n")
    assert len(found) == 1
    assert refused.count == 2
    assert "line 2" in refused.first


def test_a_broken_gzip(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be unpacked"):
        read(tmp_path, gzip.compress(b"a.example\n" * 10000)[:-30])


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(BadInput, match="no such file"):
        list(read_list("/nowhere/list.txt", Refused()))


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="folder"):
        list(read_list(str(tmp_path), Refused()))


def test_what_a_person_types() -> None:
    assert read_seed("example.com").entrance == "http://example.com/"
    with pytest.raises(BadInput, match="'foo' is not a web address"):
        read_seed("foo")


def test_an_endless_line_is_bounded(tmp_path: Path) -> None:
    found, refused = read(tmp_path, b"a" * 5_000_000 + b"victim.example\nb.example\n")
    assert found == [("http://b.example", 0)]
    assert refused.count == 1
