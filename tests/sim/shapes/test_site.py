"""Browsable sites: every target is found by its links, pages are what other simulated pages are, and days only add."""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys

import pytest

from dowse.errors import BadInput
from dowse.model import Failure, Request, Response
from dowse.reasons import FailureReason
from dowse.sim import serve
from dowse.sim.shapes import SHAPES, open_shape

from ..walk import find_links, read_forms
from .sites import CASES, IDS, get, links, site, walk

_DIGEST = """
import hashlib
from dowse.model import Request
from dowse.sim.shapes import open_shape
digest = hashlib.sha256()
for name in ("tags", "form"):
    for family in "AB":
        web = open_shape(name, family, 7, 40, edition=1)
        digest.update(repr(web.truth).encode())
        for url in (web.entry, *web.samples, *web.truth.hubs[:3], web.entry + "nowhere"):
            digest.update(repr(web.answer(Request(url))).encode())
print(digest.hexdigest())
"""


@pytest.mark.parametrize(("name", "family"), CASES, ids=IDS)
class TestShape:
    def test_links_lead_to_every_target_and_nowhere_else(self, name: str, family: str) -> None:
        web = site(name, family)
        clicks = walk(web)
        assert set(clicks) <= set(web.truth.pages)
        found = [clicks.get(url, -1) for url in web.truth.targets]
        if web.shape.form:
            assert set(found) == {-1}
        else:
            assert tuple(found) == web.truth.clicks
            assert 1 <= min(found) <= max(found) <= web.shape.clicks

    def test_targets_are_there_and_lead_nowhere_else(self, name: str, family: str) -> None:
        web = site(name, family)
        pages = set(web.truth.pages)
        for url in (*web.samples, *web.truth.targets[-3:]):
            page = get(web, url)
            assert page.status == 200
            assert page.url == url
            assert set(links(web, url)) <= pages


def test_all_shapes_and_both_families_differ() -> None:
    entries = [get(site(name, family), site(name, family).entry).body for name, family in CASES]
    assert len({hashlib.sha256(body).digest() for body in entries}) == len(CASES)
    assert len({site(name, family).host for name, family in CASES}) == len(CASES)
    designs = {family: {site(name, family).truth.design for name in SHAPES} for family in "AB"}
    assert not designs["A"] & designs["B"]
    assert min(map(len, designs.values())) >= 10


def test_another_process_makes_the_same_bytes() -> None:
    digests = set()
    for salt in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": salt}
        made = subprocess.run(
            [sys.executable, "-c", _DIGEST], env=environment, capture_output=True, text=True, check=True
        )
        digests.add(made.stdout)
    assert len(digests) == 1


@pytest.mark.parametrize("family", ["A", "B"])
def test_the_form_leads_to_every_target(family: str) -> None:
    web = site("form", family)
    way = web.truth.form
    assert way
    assert ("GET", way.action, (way.name,)) in read_forms(get(web, way.page))
    answers = [f"{way.action}?{way.name}={value}&other=1" for value in way.values]
    assert {link for url in answers for link in links(web, url)} >= set(web.truth.targets)
    assert not set(links(web, f"{way.action}?{way.name}=")) & set(web.truth.targets)


@pytest.mark.parametrize("family", ["A", "B"])
def test_every_link_carries_a_session_and_another_one_each_time(family: str) -> None:
    web = site("session", family)
    raw = [set(find_links(get(web, url))) for url in (web.entry, web.samples[0])]
    assert not raw[0] & raw[1]
    plain = links(web, web.entry)
    assert not [url for url in plain if url not in web.truth.pages]
    assert get(web, next(iter(raw[1]))).status == 200


def test_popular_targets_stand_on_every_page() -> None:
    for family in "AB":
        web = site("popular", family)
        targets = set(web.truth.targets)
        boxes = [targets & set(links(web, url)) for url in web.truth.pages if url not in web.truth.lists]
        assert min(len(box) for box in boxes) >= 4


def test_what_is_not_there() -> None:
    web = site("letters", "A")
    assert get(web, f"http://{web.host}/no-such-page").status == 404
    for url, why in (
        ("ftp://x.example/", FailureReason.BAD_URL),
        ("http://nobody.example/", FailureReason.NO_HOST),
        (f"https://{web.host}/", FailureReason.REFUSED),
    ):
        answer = web.answer(Request(url))
        assert isinstance(answer, Failure)
        assert answer.why is why


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: open_shape("nope"), "no shape 'nope'; there are one-list, "),
        (lambda: open_shape("form", "C"), "no template family 'C'"),
        (lambda: open_shape("form", day=-1), "not on day -1"),
        (lambda: open_shape("form", edition=-1), "in edition -1"),
        (lambda: open_shape("form", addresses="gone"), "kept or moved, not 'gone'"),
    ],
    ids=["shape", "family", "day", "edition", "addresses"],
)
def test_bad_settings_are_refused_with_a_reason(call: object, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        call()  # type: ignore[operator]


async def test_the_fetch_and_the_server_give_the_same_bytes() -> None:
    web = site("native", "A")
    async with serve(web) as port:
        for url in (web.entry, *web.samples):
            told = await web.fetch(Request(url))
            assert isinstance(told, Response)
            assert told.status == 200
            assert await _ask(port, url) == told.body


async def _ask(port: int, url: str) -> bytes:
    """Ask over HTTP as plainly as can be."""
    host, _, path = url.removeprefix("http://").partition("/")
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    answer = await asyncio.wait_for(reader.read(), 100)
    writer.close()
    return answer.partition(b"\r\n\r\n")[2]
