"""Which addresses may be connected to."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.fetch.guard import judge_address

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
