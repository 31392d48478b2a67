"""Replay gives what was recorded, by us or by others."""

from __future__ import annotations

import gzip
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.fetch.archive import ArchiveWriter, open_archive
from dowse.fetch.replay import INDEX_NAME, CapturePlace, find_capture, open_replay
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason

A = "http://a.example"
HEADERS = (("content-type", "text/html"), ("set-cookie", "a=1"), ("set-cookie", "b=é"))
EXCHANGES: dict[str, tuple[Request, Response | Failure]] = {
    "page": (Request(f"{A}/"), Response(f"{A}/", 200, HEADERS, b"<p>hello")),
    "decoded page": (
        Request(f"{A}/z"),
        Response(f"{A}/z", 200, (("content-encoding", "gzip"), ("content-length", "9"), ("x", "y")), b"hello"),
    ),
    "chunked page": (Request(f"{A}/c"), Response(f"{A}/c", 200, (("transfer-encoding", "chunked"),), b"5\r\nhello")),
    "cut page": (Request(f"{A}/t"), Response(f"{A}/t", 200, (), b"x" * 1000, truncated=True)),
    "empty": (Request(f"{A}/e"), Response(f"{A}/e", 204)),
    "bytes": (Request(f"{A}/b"), Response(f"{A}/b", 200, (), bytes(range(256)) * 3)),
    "redirect": (Request(f"{A}/r"), Response(f"{A}/r", 301, (("location", "/x"),))),
    "error": (Request(f"{A}/404"), Response(f"{A}/404", 404, (), b"no")),
    "one question": (Request(f"{A}/ask", "POST", b"q=1"), Response(f"{A}/ask", 200, (), b"one")),
    "another question": (Request(f"{A}/ask", "POST", b"q=2"), Response(f"{A}/ask", 200, (), b"two")),
    "failure": (Request(f"{A}/f"), Failure(f"{A}/f", FailureReason.BUSY, "dé", 503, 1.5)),
    "failed question": (Request(f"{A}/f", "POST", b"q"), Failure(f"{A}/f", FailureReason.TIMEOUT)),
    "many headers": (Request(f"{A}/h"), Response(f"{A}/h", 200, tuple(("x-long", "y" * 500) for _ in range(120)))),
}


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = str(tmp_path_factory.mktemp("recording"))
    with open_archive(folder) as writer:
        for request, result in EXCHANGES.values():
            writer.add(request, result)
    return folder


@pytest.mark.parametrize(("request_", "result"), EXCHANGES.values(), ids=EXCHANGES.keys())
async def test_gives_what_was_recorded(recording: str, request_: Request, result: Response | Failure) -> None:
    with open_replay(recording) as fetch:
        assert await fetch(request_) == result


MISSES = {
    "another address": Request(f"{A}/nowhere"),
    "a longer one": Request(f"{A}/zz"),
    "before all": Request("http://0.example/"),
    "after all": Request("http://zzz.example/"),
    "another method": Request(f"{A}/", "POST"),
    "another body": Request(f"{A}/ask", "POST", b"q=3"),
    "no body": Request(f"{A}/ask"),
}


@pytest.mark.parametrize("request_", MISSES.values(), ids=MISSES.keys())
async def test_a_miss_says_so(recording: str, request_: Request) -> None:
    with open_replay(recording) as fetch:
        assert await fetch(request_) == Failure(request_.url, FailureReason.NOT_RECORDED)


async def test_the_newest_capture_wins_whatever_the_order_of_files(tmp_path: Path) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for name, days in (("b", 2), ("a", 3), ("c", 1)):
        (tmp_path / name).mkdir()
        writer = ArchiveWriter(tmp_path / name, "x", clock=lambda days=days: start + timedelta(days=days))  # type: ignore[misc]
        writer.add(Request(f"{A}/"), Response(f"{A}/", 200, (), str(days).encode()))
        writer.close()
        writer.path.rename(tmp_path / f"{name}.warc.gz")
    with open_replay(str(tmp_path)) as fetch:
        response = await fetch(Request(f"{A}/"))
    assert isinstance(response, Response)
    assert response.body == b"3"


async def test_the_index_is_kept_and_renewed_when_files_change(tmp_path: Path) -> None:
    def record(url: str) -> None:
        with open_archive(str(tmp_path)) as writer:
            writer.add(Request(url), Response(url, 200))
            writer.path.rename(tmp_path / f"{url[-1]}.warc.gz")

    record(f"{A}/a")
    with open_replay(str(tmp_path)):
        made = (tmp_path / INDEX_NAME).stat().st_mtime_ns
    with open_replay(str(tmp_path)):
        assert (tmp_path / INDEX_NAME).stat().st_mtime_ns == made
    record(f"{A}/b")
    with open_replay(str(tmp_path)) as fetch:
        assert isinstance(await fetch(Request(f"{A}/b")), Response)
    assert sorted(os.listdir(tmp_path)) == ["a.warc.gz", "b.warc.gz", INDEX_NAME]


@pytest.mark.parametrize("cut", [10, 60, 150, 400], ids=lambda cut: f"{cut} bytes short")
async def test_a_torn_end_hurts_nobody(tmp_path: Path, cut: int) -> None:
    with open_archive(str(tmp_path)) as writer:
        writer.add(Request(f"{A}/1"), Response(f"{A}/1", 200, (), b"one"))
        writer.add(Request(f"{A}/2"), Response(f"{A}/2", 200, (), b"two"))
    writer.path.write_bytes(writer.path.read_bytes()[:-cut])
    with open_replay(str(tmp_path)) as fetch:
        assert await fetch(Request(f"{A}/1")) == Response(f"{A}/1", 200, (), b"one")
        whole = Response(f"{A}/2", 200, (), b"two")
        assert await fetch(Request(f"{A}/2")) in (whole, Failure(f"{A}/2", FailureReason.NOT_RECORDED))


@pytest.mark.parametrize("name", ["no", "empty"])
def test_nothing_to_replay_is_the_users_mistake(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="there are no WARC files in it"), open_replay(str(tmp_path / name)):
        pass


def foreign(*records: tuple[str, str, bytes]) -> bytes:
    """Return records as other tools write them: WARC 1.0, not compressed, no digests."""
    out = b""
    for number, (kind, url, block) in enumerate(records):
        lines = [
            "WARC/1.0",
            f"WARC-Type: {kind}",
            f"WARC-Target-URI: <{url}>",
            "WARC-Date: 2026-01-01T00:00:00Z",
            f"WARC-Record-ID: <urn:uuid:{number}>",
            *([f"WARC-Concurrent-To: <urn:uuid:{number - 1}>"] if kind == "request" and number else []),
            f"Content-Type: application/http;msgtype={kind}",
            f"Content-Length: {len(block)}",
        ]
        out += "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"
    return out


async def test_a_recording_of_somebody_else(tmp_path: Path) -> None:
    body = gzip.compress(b"hello")
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n"
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    (tmp_path / "x.warc").write_bytes(
        foreign(
            ("response", f"{A}/gzip?utm_source=x", head + b"\r\n" + body),
            ("response", f"{A}/chunked", head + b"Transfer-Encoding: chunked\r\n\r\n" + chunked),
            ("response", f"{A}/ask", b"HTTP/1.1 200 OK\r\n\r\nanswer"),
            ("request", f"{A}/ask", b"POST /ask HTTP/1.1\r\nContent-Length: 3\r\n\r\nq=1"),
        )
    )
    with open_replay(str(tmp_path)) as fetch:
        for path in ("/gzip", "/gzip?utm_source=x", "/chunked"):
            response = await fetch(Request(A + path))
            assert isinstance(response, Response), response
            assert response.body == b"hello"
        answer = await fetch(Request(f"{A}/ask", "POST", b"q=1"))
        assert isinstance(answer, Response)
        assert answer.body == b"answer"
        assert isinstance(await fetch(Request(f"{A}/ask")), Failure)


async def test_a_bomb_in_the_recording_is_cut(tmp_path: Path) -> None:
    block = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(bytes(10_000_000))
    (tmp_path / "x.warc").write_bytes(foreign(("response", f"{A}/", block)))
    with open_replay(str(tmp_path), 5000) as fetch:
        response = await fetch(Request(f"{A}/"))
    assert isinstance(response, Response)
    assert (len(response.body), response.truncated) == (5000, True)


@given(st.sets(st.text("ab/#", min_size=1, max_size=4), max_size=12), st.text("ab/#", min_size=1, max_size=4))
def test_bisection_finds_what_a_scan_finds(keys: set[str], wanted: str) -> None:
    entries = [(key, when) for key in keys for when in ("1", "2")]
    lines = sorted(f'{key} {when} {{"filename": "{key}", "offset": {when}}}\n'.encode() for key, when in entries)
    place = find_capture(b"".join([b"!first\n", *lines]), wanted)
    assert place == (CapturePlace(wanted, 2) if wanted in keys else None)


def test_the_checker_of_the_system_is_content(recording: str) -> None:
    for path in Path(recording).glob("*.warc.gz"):
        assert subprocess.run(["gzip", "-t", str(path)], check=False).returncode == 0
