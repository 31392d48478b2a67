"""Lists as they lie on disk: packed, cut off, with lines that do not end."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.seeds.lists import RefusedLines, read_list
from dowse.seeds.unpack import MAX_LINE_CHARS, TOO_LONG, split_lines

LINES = b"".join(b"host-%d.example\n" % number for number in range(20_000))


def zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("LICENSE.txt", "free")
        archive.writestr("folder/", "")
        archive.writestr("top-1m.csv", content)
    return packed.getvalue()


PACKERS = {
    "plain": bytes,
    "gzip": gzip.compress,
    "gzip of several members": lambda content: b"".join(
        gzip.compress(content[at : at + 99_991]) for at in range(0, len(content), 99_991)
    ),
    "xz": lzma.compress,
    "bzip2": bz2.compress,
    "zip": zipped,
}


def read(path: Path) -> tuple[list[str], str]:
    """Return the hosts that were read, and why the list broke off."""
    found: list[str] = []
    try:
        for seed in read_list(str(path), RefusedLines()):
            found.append(seed.site.host)
    except BadInput as error:
        return found, str(error)
    return found, ""


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_packed(tmp_path: Path, pack) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "list"
    path.write_bytes(pack(LINES))
    found, why = read(path)
    assert not why
    assert found == [f"host-{number}.example" for number in range(20_000)]


@pytest.mark.parametrize("name", ["gzip", "gzip of several members", "xz", "bzip2"])
def test_what_stands_before_the_end_of_a_cut_file_is_kept(tmp_path: Path, name: str) -> None:
    packed = PACKERS[name](LINES * 20)  # type: ignore[operator]
    path = tmp_path / "list"
    path.write_bytes(packed[: len(packed) * 2 // 3])
    found, why = read(path)
    assert "cannot be unpacked" in why
    assert len(found) > 1000
    assert set(found) <= {f"host-{number}.example" for number in range(20_000)}, "half a line was taken for a host"


def test_a_small_file_that_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(gzip.compress(b"a.example\nb.example\nc.exam")[:-9])
    assert read(path)[0] == ["a.example", "b.example"]


def test_a_file_that_is_broken_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_bytes(b"\x1f\x8bnonsense")
    found, why = read(path)
    assert not found
    assert "cannot be unpacked" in why


FAULTS = [("empty", b"", "is empty"), ("zstd", b"\x28\xb5\x2f\xfd....", "packed with zstd"), ("zip", b"PK\x03\x04...", "cannot be unpacked")]  # fmt: skip


@pytest.mark.parametrize(("content", "said"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "list"
    path.write_bytes(content)
    assert said in read(path)[1]


def test_standard_input_may_be_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Input:
        buffer = io.BufferedReader(io.BytesIO(gzip.compress(b"a.example\n")))  # type: ignore[arg-type]

    monkeypatch.setattr(sys, "stdin", Input)
    assert [seed.site.host for seed in read_list("-", RefusedLines())] == ["a.example"]


def blocks_of(content: bytes, size: int) -> Iterator[bytes]:
    return (content[at : at + size] for at in range(0, len(content), size))


@given(st.lists(st.text("aé\r", max_size=9), min_size=1), st.integers(1, 30))
def test_lines_do_not_depend_on_blocks(lines: list[str], size: int) -> None:
    lines[-1] = lines[-1] or "end"
    assert list(split_lines(blocks_of("\n".join(lines).encode(), size))) == lines


@pytest.mark.parametrize("size", [1000, 30_000, 10**6])
def test_a_line_that_does_not_end(size: int) -> None:
    content = b"first\n" + b"x" * (MAX_LINE_CHARS * 5) + b"\nlast\n" + b"y" * (MAX_LINE_CHARS + 1)
    assert list(split_lines(blocks_of(content, size))) in (
        ["first", TOO_LONG, "last", TOO_LONG],
        ["first", TOO_LONG, "last", TOO_LONG, ""],
    )
