"""Pages that name a site: from one's own store, a SearXNG instance, a host graph."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from dowse.errors import BadInput
from dowse.model import Failure, Request, Response, Verdict
from dowse.reasons import FailureReason
from dowse.seeds.backlinks import Backlink, HostGraph, OwnMentions, SearxngSearch, ask_all
from dowse.url import site_of

SITE = site_of("http://cars.example/")


def answer_with(status: int, body: bytes, asked: list[str] | None = None):
    async def fetch(request: Request) -> Response | Failure:
        if asked is not None:
            asked.append(request.url)
        return Response(request.url, status, (), body)

    return fetch


async def test_searxng_is_asked_for_pages_that_name_a_host() -> None:
    asked: list[str] = []
    results = [
        {"url": "http://list.example/cars", "title": "Car dealers", "content": None},
        {"url": "http://cars.example/own"},
        {"url": "nonsense://x"},
    ]
    search = SearxngSearch(answer_with(200, json.dumps({"results": results}).encode(), asked), "http://searx.example/")
    assert await search.find(SITE) == [Backlink("http://list.example/cars", "Car dealers")]
    assert asked == ["http://searx.example/search?q=%22cars.example%22%20-site%3Acars.example&format=json"]


async def test_searxng_is_asked_for_pages_about_words_and_a_store_knows_none() -> None:
    asked: list[str] = []
    body = json.dumps({"results": [{"url": "http://cars.example/own"}, {"url": ""}]}).encode()
    search = SearxngSearch(answer_with(200, body, asked), "http://searx.example")
    own = OwnMentions(lambda site, most: ["http://list.example/cars"])
    assert await ask_all([search, own], "used car") == ([Backlink("http://cars.example/own")], [])
    assert asked == ["http://searx.example/search?q=used%20car&format=json"]


@pytest.mark.parametrize(
    ("status", "body", "why"),
    [
        (200, b"<html>", "json under search.formats"),
        (429, b"", "HTTP 429"),
        (200, b'{"x": 1}', "JSON"),
        (200, b'{"results": [1]}', "JSON"),
        (200, b'{"results": null}', "JSON"),
        (200, b"\xff\xfe\x00", "JSON"),
        (200, b"[" * 100_000, "JSON"),
    ],
    ids=["html", "too many", "other keys", "no objects", "nothing", "no text", "nested"],
)
async def test_an_instance_that_gives_no_json_is_asked_once(status: int, body: bytes, why: str) -> None:
    asked: list[str] = []
    search = SearxngSearch(answer_with(status, body, asked), "http://searx.example")
    for _ in range(2):
        found = await search.find(SITE)
        assert isinstance(found, Verdict)
        assert why in found.reason
    assert len(asked) == 1


async def test_an_instance_that_cannot_be_reached_may_be_asked_again() -> None:
    async def fetch(request: Request) -> Response | Failure:
        return Failure(request.url, FailureReason.REFUSED)

    search = SearxngSearch(fetch, "http://searx.example")
    found = await search.find(SITE)
    assert isinstance(found, Verdict)
    assert "refused" in found.reason
    assert not search.refused


async def test_an_instance_that_fails_again_and_again_is_not_asked_any_more_and_costs_nothing() -> None:
    asked: list[str] = []

    async def fetch(request: Request) -> Response | Failure:
        asked.append(request.url)
        return Failure(request.url, FailureReason.REFUSED)

    search = SearxngSearch(fetch, "http://searx.example")
    reasons = [found.reason for _ in range(5) if isinstance(found := await search.find(SITE), Verdict)]
    assert len(asked) == 3
    assert "not asked again" in reasons[2]
    assert search.costs == 0


async def test_a_host_graph_is_read_for_some_hosts(tmp_path: Path) -> None:
    names, links = tmp_path / "vertices.txt.gz", tmp_path / "edges.txt"
    with gzip.open(names, "wt") as file:
        file.write("0\texample.cars\n1\texample.list\n2\texample.other\n")
    links.write_text("1\t0\n2\t1\n")
    graph = HostGraph.read(names, links, ["cars.example"])
    assert await graph.find(SITE) == [Backlink("http://list.example/")]
    assert await graph.find(site_of("http://list.example/")) == []


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("no tabs here\n")
    with pytest.raises(BadInput, match="no file of a Common Crawl graph"):
        HostGraph.read(tmp_path / "a.txt", tmp_path / "a.txt", ["cars.example"])
    with pytest.raises(BadInput, match="could not be read"):
        HostGraph.read(tmp_path / "none", tmp_path / "none", ["cars.example"])


def test_files_of_a_graph_the_wrong_way_round_are_refused(tmp_path: Path) -> None:
    names, links = tmp_path / "vertices.txt", tmp_path / "edges.txt"
    names.write_text("0\texample.cars\n1\texample.list\n")
    links.write_text("1\t0\n")
    with pytest.raises(BadInput, match="names no hosts"):
        HostGraph.read(links, names, ["cars.example"])
    with pytest.raises(BadInput, match="no number of a host"):
        HostGraph.read(names, names, ["cars.example"])


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"no gzip", "could not be read"),
        (gzip.compress(b"0\texample.cars\n" * 999)[:-9], "could not be read"),
        (gzip.compress(b"0\texample.cars\n" * 999)[:20] + b"\xff" * 30, "could not be read"),
        (gzip.compress(b""), "is empty"),
    ],
    ids=["no archive", "cut off", "damaged", "empty"],
)
def test_a_broken_archive_is_refused_in_one_line(tmp_path: Path, body: bytes, why: str) -> None:
    (tmp_path / "a.gz").write_bytes(body)
    (tmp_path / "edges.txt").write_text("1\t0\n")
    with pytest.raises(BadInput, match=why):
        HostGraph.read(tmp_path / "a.gz", tmp_path / "edges.txt", ["cars.example"])


async def test_all_ways_are_asked_and_refusals_are_said() -> None:
    own = OwnMentions(lambda site, most: ["http://list.example/cars", "http://b.example/"])
    broken = SearxngSearch(answer_with(500, b""), "http://searx.example")
    pages, refusals = await ask_all([own, broken, own], SITE)
    assert pages == [Backlink("http://list.example/cars"), Backlink("http://b.example/")]
    assert len(refusals) == 1
    assert "HTTP 500" in refusals[0]
