"""Requests out of bytes, however they are cut; answers as bytes, always the same."""

from __future__ import annotations

import gzip
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import Response
from dowse.sim.wire import HEAD_LIMIT, Asked, Inbox, read_head, seal, write_head, write_last

PORT = 8421


def _read(text: str) -> Asked:
    asked = read_head(text.replace("\n", "\r\n").encode("latin-1"), PORT)
    assert isinstance(asked, Asked), asked
    return asked


def _refused(text: str) -> tuple[int, str]:
    answer = read_head(text.replace("\n", "\r\n").encode("latin-1"), PORT)
    assert isinstance(answer, Response), answer
    return answer.status, answer.body.decode()


@pytest.mark.parametrize(
    ("head", "url", "host"),
    [
        ("GET /a?b=c HTTP/1.1\nHost: A.Example", "http://a.example/a?b=c", "a.example"),
        ("GET / HTTP/1.1\nhost:a.example:80", "http://a.example/", "a.example"),
        (f"GET / HTTP/1.1\nHost: a.example:{PORT}", "http://a.example/", "a.example"),
        ("GET / HTTP/1.1\nHost: a.example:", "http://a.example/", "a.example"),
        ("GET / HTTP/1.1\nHost: a.example:8080", "http://a.example:8080/", "a.example"),
        ("GET http://A.example/x HTTP/1.1\nHost: other.example", "http://a.example/x", "a.example"),
        ("GET HTTP://a.example:80 HTTP/1.1", "http://a.example", "a.example"),
        (f"GET http://a.example:{PORT}?x HTTP/1.1", "http://a.example?x", "a.example"),
        ("GET /http://b.example/ HTTP/1.1\nHost: a.example", "http://a.example/http://b.example/", "a.example"),
        ("GET /\xe9 HTTP/1.1\nHost: a.example", "http://a.example/\xe9", "a.example"),
        ("GET / HTTP/1.0", "http:///", ""),
        ("\nGET / HTTP/1.1\nHost: a.example", "http://a.example/", "a.example"),
    ],
    ids=[
        "by virtual host",
        "port 80",
        "own port",
        "empty port",
        "another port",
        "as to a proxy",
        "proxy, port 80, no path",
        "proxy, own port, no path",
        "an address in the path",
        "bytes over 127",
        "HTTP/1.0 without a host",
        "an empty line before",
    ],
)
def test_where_a_request_leads(head: str, url: str, host: str) -> None:
    asked = _read(head)
    assert (asked.url, asked.host) == (url, host)


@pytest.mark.parametrize(
    ("head", "status", "words"),
    [
        ("hello", 400, "not an HTTP/1 request"),
        ("", 400, "not an HTTP/1 request"),
        ("PRI * HTTP/2.0", 400, "not an HTTP/1 request"),
        ("GET / x HTTP/1.1\nHost: a", 400, "not an HTTP/1 request"),
        ("GET /\x01 HTTP/1.1\nHost: a", 400, "not an HTTP/1 request"),
        ("GET / HTTP/1.1", 400, "no host"),
        ("GET / HTTP/1.1\nHost: a\nHost: b", 400, "no host"),
        ("GET / HTTP/1.1\nHost: a/b", 400, "no host"),
        ("GET x HTTP/1.1\nHost: a", 400, "neither a path"),
        ("GET https://a/ HTTP/1.1\nHost: a", 400, "neither a path"),
        ("GET / HTTP/1.1\nHost: a\nCookie: a\x00b", 400, "control"),
        ("CONNECT a.example:443 HTTP/1.1\nHost: a.example:443", 405, "this web speaks plain HTTP"),
        ("DELETE / HTTP/1.1\nHost: a", 405, "GET, HEAD and POST only"),
        ("get / HTTP/1.1\nHost: a", 405, "GET, HEAD and POST only"),
        ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked", 413, "body too large"),
        ("POST / HTTP/1.1\nHost: a\nContent-Length: 1048577", 413, "body too large"),
        ("POST / HTTP/1.1\nHost: a\nContent-Length: \xb2", 413, "body too large"),
        ("POST / HTTP/1.1\nHost: a\nContent-Length: -1", 413, "body too large"),
        ("POST / HTTP/1.1\nHost: a\nContent-Length: " + "9" * 5000, 413, "body too large"),
        ("POST / HTTP/1.1\nHost: a\nContent-Length: 1\nContent-Length: 2", 413, "body too large"),
    ],
)
def test_what_cannot_be_served_is_refused_in_words(head: str, status: int, words: str) -> None:
    refused, line = _refused(head)
    assert refused == status
    assert words in line


@pytest.mark.parametrize(
    ("head", "kept"),
    [
        ("GET / HTTP/1.1\nHost: a", True),
        ("GET / HTTP/1.1\nHost: a\nConnection: close", False),
        ("GET / HTTP/1.1\nHost: a\nConnection: TE, Close", False),
        ("GET / HTTP/1.1\nHost: a\nProxy-Connection: close", False),
        ("GET / HTTP/1.0\nHost: a", False),
        ("GET / HTTP/1.0\nHost: a\nConnection: Keep-Alive", True),
    ],
)
def test_which_connections_are_kept(head: str, kept: bool) -> None:
    assert _read(head).keep_alive is kept


@pytest.mark.parametrize(
    ("accepted", "zipped"),
    [("gzip", True), ("br, gzip;q=0.5", True), ("x-gzip", True), ("GZIP", True), ("gzip;q=0", False), ("br", False)],
)
def test_who_takes_gzip(accepted: str, zipped: bool) -> None:
    assert _read(f"GET / HTTP/1.1\nHost: a\nAccept-Encoding: {accepted}").gzip is zipped


def test_the_world_is_told_some_headers_in_one_order() -> None:
    asked = _read(
        "POST / HTTP/1.1\nHost: a\nX-Requested-With: XMLHttpRequest\nUser-Agent: me\nX-Other: no\nCOOKIE: a=1\n"
        "Accept-Language: fr\nAccept: text/html\nCookie: b=2\nContent-Type: text/plain"
    )
    assert asked.request.headers == (
        ("accept-language", "fr"),
        ("content-type", "text/plain"),
        ("cookie", "a=1; b=2"),
        ("user-agent", "me"),
        ("x-requested-with", "XMLHttpRequest"),
    )


def _take_all(inbox: Inbox) -> list[Asked | Response]:
    taken = []
    while (asked := inbox.take()) is not None:
        taken.append(asked)
    return taken


@given(cuts=st.lists(st.integers(0, 400), max_size=30))
def test_however_requests_are_cut_they_are_the_same(cuts: list[int]) -> None:
    sent = (
        b"GET /1 HTTP/1.1\r\nHost: a\r\n\r\n"
        b"POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n\r\n\r\nabcde"
        b"HEAD http://b/3 HTTP/1.0\r\n\r\n"
    )
    inbox, taken = Inbox(PORT), []
    for start, end in pairwise([0, *sorted(cuts), len(sent)]):
        inbox.add(sent[start:end])
        taken += _take_all(inbox)
    assert [(each.method, each.url, each.body) for each in taken if isinstance(each, Asked)] == [
        ("GET", "http://a/1", b""),
        ("POST", "http://a/2", b"\r\n\r\nabcde"),
        ("HEAD", "http://b/3", b""),
    ]
    assert inbox.is_empty


@given(st.binary(max_size=300))
def test_nothing_that_is_sent_raises(sent: bytes) -> None:
    read_head(sent, PORT)
    inbox = Inbox(PORT)
    inbox.add(sent + b"\r\n\r\n")
    assert inbox.take() is not None


def test_a_head_may_be_large_but_not_larger() -> None:
    start = b"GET / HTTP/1.1\r\nHost: a\r\nX: "
    for size, is_refused in ((HEAD_LIMIT, False), (HEAD_LIMIT + 1, True)):
        inbox = Inbox(PORT)
        inbox.add(start + b"x" * (size - len(start)) + b"\r\n\r\n")
        assert isinstance(inbox.take(), Response) is is_refused
    inbox = Inbox(PORT)
    inbox.add(b"x" * (HEAD_LIMIT + 1))
    refused = inbox.take()
    assert isinstance(refused, Response)
    assert refused.status == 431


def test_who_waits_to_go_ahead_is_told_once() -> None:
    inbox = Inbox(PORT)
    inbox.add(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
    assert inbox.take() is None
    assert [inbox.take_wait(), inbox.take_wait()] == [True, False]
    inbox.add(b"ab")
    asked = inbox.take()
    assert isinstance(asked, Asked)
    assert asked.body == b"ab"


def test_answers_as_bytes() -> None:
    asked = _read("GET / HTTP/1.1\nHost: a\nAccept-Encoding: gzip")
    cookies = (("set-cookie", "a=1"), ("set-cookie", "b=2"))
    short = seal(Response("", 200, cookies, b"hello"), asked)
    assert short.write(asked) == (
        b"HTTP/1.1 200 OK\r\nset-cookie: a=1\r\nset-cookie: b=2\r\ncontent-length: 5\r\n"
        b"connection: keep-alive\r\n\r\nhello"
    )
    long = seal(Response("", 200, (), b"hello" * 100), asked)
    assert gzip.decompress(long.body) == b"hello" * 100
    assert b"content-encoding: gzip\r\n" in long.head
    coded = seal(Response("", 200, (("content-encoding", "br"),), b"hello" * 100), asked)
    assert coded.body == b"hello" * 100
    head = seal(Response("", 200, (), b"hello" * 100), asked._replace(method="HEAD"))
    assert (head.head, head.body) == (long.head, b"")


def test_the_wire_alone_says_how_long_an_answer_is() -> None:
    headers = (("content-length", "7"), ("transfer-encoding", "chunked"), ("x", "a\r\nb: c\u20ac"))
    assert write_head(299, headers, 3) == b"HTTP/1.1 299 Unknown\r\nx: a  b: c?\r\ncontent-length: 3\r\n"
    assert write_last(Response("", 200, (), b"abc"), missing=4) == (
        b"HTTP/1.1 200 OK\r\ncontent-length: 7\r\nconnection: close\r\n\r\nabc"
    )
