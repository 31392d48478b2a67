"""One's own servers in place of others."""

from __future__ import annotations

import pytest

from dowse.errors import BadInput
from dowse.fetch.connect import build_detour, parse_connect_to
from dowse.settings import ConnectTo

GOOD = {
    "pattern": ("*.example=127.0.0.1:80", ConnectTo("*.example", "127.0.0.1", 80)),
    "host with port": ("a.example:8080=localhost:1", ConnectTo("a.example:8080", "localhost", 1)),
    "upper case": ("A.Example=h:65535", ConnectTo("a.example", "h", 65535)),
    "IPv6": ("*=[::1]:80", ConnectTo("*", "[::1]", 80)),
}
BAD = {
    "no target": ("*.example", "PATTERN=HOST:PORT"),
    "empty": ("", "PATTERN=HOST:PORT"),
    "no pattern": ("=h:1", "PATTERN=HOST:PORT"),
    "no port": ("a=h", "PATTERN=HOST:PORT"),
    "no host": ("a=:80", "PATTERN=HOST:PORT"),
    "port in words": ("a=h:http", "from 1 to 65535"),
    "port zero": ("a=h:0", "from 1 to 65535"),
    "port too large": ("a=h:65536", "from 1 to 65535"),
    "address of a page": ("a=http://h:80", "not a host name"),
    "IPv6 without brackets": ("a=::1:80", "not a host name"),
}


@pytest.mark.parametrize(("text", "expected"), GOOD.values(), ids=GOOD.keys())
def test_parse(text: str, expected: ConnectTo) -> None:
    assert parse_connect_to(text) == expected


@pytest.mark.parametrize(("text", "line"), BAD.values(), ids=BAD.keys())
def test_a_mistake_is_one_clear_line(text: str, line: str) -> None:
    with pytest.raises(BadInput, match=line) as caught:
        parse_connect_to(text)
    assert "\n" not in str(caught.value)


def test_the_first_match_wins_on_host_or_host_and_port() -> None:
    detour = build_detour((ConnectTo("a.example:81", "x", 1), ConnectTo("*.EXAMPLE", "y", 2), ConnectTo("*", "z", 3)))
    assert detour("http://a.example:81") == "x:1"
    assert detour("http://a.example") == "y:2"
    assert detour("https://b.test") == "z:3"
    assert build_detour(())("http://a.example") == ""
