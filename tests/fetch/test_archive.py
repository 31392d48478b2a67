"""The archive: WARC that others can read."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator

from dowse.errors import BadInput, Stopped
from dowse.fetch.archive import ArchiveWriter, archive, open_archive
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason

URL = "http://a.example/x?y=1"
PAGE = Response(
    URL, 200, (("content-type", "text/html"), ("content-encoding", "gzip"), ("content-length", "7")), b"hello"
)


def read(folder: Path) -> list[tuple[str, dict[str, str], bytes]]:
    """Read every record: type, headers, block; digests are verified on the way."""
    found = []
    for path in sorted(folder.glob("*.warc.gz")):
        for record in ArchiveIterator(str(path), parse_http=False, verify_digests=True):
            found.append((str(record.record_type), dict(record.headers.items()), record.reader.read()))
    return found


def test_an_exchange_is_a_request_and_a_response(tmp_path: Path) -> None:
    with open_archive(str(tmp_path / "new" / "folder"), "Dowse/test") as writer:
        writer.add(Request(URL, "POST", b"q=1", (("X-Mine", "1"),)), PAGE)
    info, request, response = read(tmp_path / "new" / "folder")
    assert [info[0], request[0], response[0]] == ["warcinfo", "request", "response"]
    assert info[1]["WARC-Filename"] == writer.path.name
    assert request[2] == (
        b"POST /x?y=1 HTTP/1.1\r\nHost: a.example\r\nUser-Agent: Dowse/test\r\n"
        b"X-Mine: 1\r\nContent-Length: 3\r\n\r\nq=1"
    )
    assert response[2] == (
        b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nx-archive-orig-content-encoding: gzip\r\n"
        b"x-archive-orig-content-length: 7\r\ncontent-length: 5\r\n\r\nhello"
    )
    assert response[1]["WARC-Concurrent-To"] == request[1]["WARC-Record-ID"]
    assert response[1]["WARC-Target-URI"] == URL
    assert response[1]["WARC-Payload-Digest"].startswith("sha1:")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", response[1]["WARC-Date"])
    assert "WARC-Truncated" not in response[1]


def test_names_and_members(tmp_path: Path) -> None:
    with open_archive(str(tmp_path)) as writer:
        writer.add(Request(URL), PAGE)
    assert re.fullmatch(r"dowse-\d{14}-\d+-00000\.warc\.gz", writer.path.name)
    raw = writer.path.read_bytes()
    assert raw.count(b"\x1f\x8b\x08") == 3  # a member per record
    assert gzip.decompress(raw).startswith(b"WARC/1.1\r\n")


def test_what_was_cut_says_so_and_what_failed_is_kept(tmp_path: Path) -> None:
    with open_archive(str(tmp_path)) as writer:
        writer.add(Request(URL), Response(URL, 200, (), b"x", truncated=True))
        writer.add(Request(URL), Failure(URL, FailureReason.TIMEOUT, "after 30 s"))
    _, _, cut, _, failed = read(tmp_path)
    assert cut[1]["WARC-Truncated"] == "length"
    assert failed[0] == "metadata"
    assert b'"TIMEOUT"' in failed[2]


def test_a_new_file_when_one_is_full(tmp_path: Path) -> None:
    writer = ArchiveWriter(
        tmp_path, "Dowse", max_file_bytes=500, clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    )
    for _ in range(3):
        writer.add(Request(URL), PAGE)
    writer.close()
    names = sorted(path.name for path in tmp_path.iterdir())
    assert [name.rpartition("-")[2] for name in names] == ["00000.warc.gz", "00001.warc.gz", "00002.warc.gz"]
    assert [kind for kind, _, _ in read(tmp_path)] == ["warcinfo", "request", "response"] * 3


def test_flush_hands_all_to_the_system(tmp_path: Path) -> None:
    with open_archive(str(tmp_path)) as writer:
        writer.add(Request(URL), PAGE)
        before = writer.path.stat().st_size
        writer.flush()
        assert writer.path.stat().st_size > before
        assert len(read(tmp_path)) == 3


async def test_wraps_a_fetch(tmp_path: Path) -> None:
    async def fetch(request: Request) -> Response | Failure:
        return PAGE

    with open_archive(str(tmp_path)) as writer:
        assert await archive(fetch, writer)(Request(URL)) is PAGE
    assert len(read(tmp_path)) == 3


def test_a_folder_that_cannot_be_is_the_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match=r"cannot archive in .*file"), open_archive(str(tmp_path / "file" / "x")):
        pass


def test_a_full_disk_stops_the_run(tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path, "Dowse")
    writer._file.close()
    writer._file = open("/dev/full", "wb", buffering=1 << 18)  # noqa: SIM115
    writer.add(Request(URL), PAGE)  # still in our own buffer
    with pytest.raises(Stopped, match=r"cannot write the archive .*No space left on device"):
        writer.flush()
    large = Response(URL, 200, (), os.urandom(500_000))
    with pytest.raises(Stopped, match=r"No space left on device"):
        writer.add(Request(URL), large)


def test_two_archives_in_one_folder_at_the_same_second(tmp_path: Path) -> None:
    writers = [ArchiveWriter(tmp_path, "Dowse", clock=lambda: datetime(2026, 1, 1, tzinfo=UTC)) for _ in range(2)]
    for writer in writers:
        writer.close()
    assert len(read(tmp_path)) == 2


def test_strange_headers_do_not_stop_it(tmp_path: Path) -> None:
    with open_archive(str(tmp_path)) as writer:
        writer.add(
            Request("http://xn--caf-dma.example/", headers=(("X-Ünï", "日本"),)), Response(URL, 799, (("ä", "é"),))
        )
    assert len(read(tmp_path)) == 3


def test_warcio_agrees(tmp_path: Path) -> None:

    with open_archive(str(tmp_path)) as writer:
        writer.add(Request(URL, "POST", b"q=1"), PAGE)
        writer.add(Request(URL), Failure(URL, FailureReason.TIMEOUT))
    command = [sys.executable, "-m", "warcio.cli", "check", "-v", str(writer.path)]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    assert checked.stdout.count("digest pass") == 5
