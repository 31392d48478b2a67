"""Which addresses may be connected to."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.fetch.guard import build_connect_to, judge_address, parse_connect_to
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
    connect_to = build_connect_to(
        (ConnectTo("a.example:81", "x", 1), ConnectTo("*.EXAMPLE", "y", 2), ConnectTo("*", "z", 3))
    )
    assert connect_to("http://a.example:81") == "x:1"
    assert connect_to("http://a.example") == "y:2"
    assert connect_to("https://b.test") == "z:3"
    assert build_connect_to(())("http://a.example") == ""


REFUSED = {
    "loopback": ("127.0.0.1", "loopback"),
    "loopback, far end": ("127.255.255.254", "loopback"),
    "loopback v6": ("::1", "loopback"),
    "private 10": ("10.1.2.3", "private"),
    "private 172": ("172.31.255.255", "private"),
    "private 192": ("192.168.0.1", "private"),
    "unique local": ("fd12:3456::1", "private"),
    "site-local": ("fec0::1", "private"),
    "link-local": ("169.254.1.1", "link-local"),
    "link-local v6 with its zone": ("fe80::1%eth0", "link-local"),
    "metadata": ("169.254.169.254", "cloud metadata"),
    "metadata v6": ("fd00:ec2::254", "cloud metadata"),
    "metadata, Alibaba": ("100.100.100.200", "cloud metadata"),
    "metadata, Azure": ("168.63.129.16", "cloud metadata"),
    "carrier-grade NAT": ("100.64.0.1", "carrier-grade NAT"),
    "unspecified": ("0.0.0.0", "unspecified"),
    "unspecified v6": ("::", "unspecified"),
    "multicast": ("224.0.0.1", "multicast"),
    "multicast v6": ("ff02::1", "multicast"),
    "reserved": ("240.0.0.1", "reserved"),
    "broadcast": ("255.255.255.255", "reserved"),
    "documentation": ("192.0.2.1", "reserved"),
    "documentation v6": ("2001:db8::1", "reserved"),
    "not handed out": ("4000::1", "reserved"),
    "mapped loopback": ("::ffff:127.0.0.1", "loopback"),
    "mapped metadata": ("::ffff:a9fe:a9fe", "cloud metadata"),
    "compatible loopback": ("::127.0.0.1", "loopback"),
    "6to4 of a private address": ("2002:0a00:0001::1", "private"),
    "NAT64 of loopback": ("64:ff9b::7f00:1", "loopback"),
    "local NAT64": ("64:ff9b:1::1", "private"),
    "Teredo of a private address": ("2001:0:4136:e378:8000:63bf:f5ff:fffe", "reserved"),
    "ISATAP of a private address": ("2a00::5efe:10.0.0.1", "private"),
    "junk": ("localhost", "not an IP address"),
}
ALLOWED = {
    "public": "93.184.216.34",
    "next to private": "172.32.0.1",
    "next to carrier-grade NAT": "100.128.0.1",
    "public v6": "2606:2800:220:1::1",
    "mapped public": "::ffff:8.8.8.8",
    "6to4 of a public address": "2002:0808:0808::1",
    "NAT64 of a public address": "64:ff9b::808:808",
}


@pytest.mark.parametrize(("ip", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_refuses(ip: str, reason: str) -> None:
    verdict = judge_address(ip)
    assert not verdict.yes
    assert verdict.reason == reason


@pytest.mark.parametrize("ip", ALLOWED.values(), ids=ALLOWED.keys())
def test_allows(ip: str) -> None:
    assert judge_address(ip).yes


@given(st.ip_addresses(v=4))
def test_an_address_in_disguise_is_judged_as_itself(address: object) -> None:
    assert judge_address(f"::ffff:{address}") == judge_address(str(address))


@given(st.ip_addresses())
def test_nothing_private_passes(address: IPv4Address | IPv6Address) -> None:
    private = address.is_private or address.is_loopback or address.is_link_local or address.is_multicast
    assert not (private and judge_address(str(address)).yes)
