"""Which IP addresses may be connected to, and --connect-to: one's own servers in place of others."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from dowse.errors import BadInput
from dowse.model import Verdict
from dowse.settings import ConnectTo
from dowse.url import site_of

# --- connect-to
# One's own servers in place of others, as with curl's --connect-to.

_CONNECT_TO_USAGE = "write it as PATTERN=HOST:PORT, such as '*.example=127.0.0.1:8000'"


def parse_connect_to(text: str) -> ConnectTo:
    """Parse the value of --connect-to."""
    pattern, mark, target = text.strip().rpartition("=")
    host, colon, port = target.rpartition(":")
    if not mark or not pattern or not colon or not host:
        raise BadInput(f"--connect-to {text!r}: {_CONNECT_TO_USAGE}")
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise BadInput(f"--connect-to {text!r}: the port must be a number from 1 to 65535")
    if any(mark in host for mark in "/@ ") or (":" in host) != (host.startswith("[") and host.endswith("]")):
        raise BadInput(f"--connect-to {text!r}: {host!r} is not a host name; {_CONNECT_TO_USAGE}")
    return ConnectTo(pattern.lower(), host, int(port))


def build_connect_to(rules: tuple[ConnectTo, ...]) -> Callable[[str], str]:
    """Return a function from an origin to the HOST:PORT to connect to instead, or an empty string; the first match wins."""

    @lru_cache(maxsize=4096)
    def connect_to(origin: str) -> str:
        site = site_of(origin)
        names = (site.host, f"{site.host}:{site.port}")
        for rule in rules:
            if any(fnmatchcase(name, rule.pattern.lower()) for name in names):
                return f"{rule.host}:{rule.port}"
        return ""

    return connect_to


# --- the address guard
# Only the public internet may be connected to, unless --allow-private is given.

# IANA special-purpose registries, and the metadata services of clouds, which hand out credentials. The first match wins.
_REFUSED_V4 = tuple(
    (IPv4Network(network), reason)
    for network, reason in (
        ("169.254.169.254/32", "cloud metadata"),
        ("169.254.170.2/32", "cloud metadata"),  # AWS ECS
        ("100.100.100.200/32", "cloud metadata"),  # Alibaba
        ("168.63.129.16/32", "cloud metadata"),  # Azure
        ("192.0.0.192/32", "cloud metadata"),  # Oracle
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", "loopback"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "reserved"),
        ("192.88.99.0/24", "reserved"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "reserved"),
        ("198.51.100.0/24", "reserved"),
        ("203.0.113.0/24", "reserved"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_REFUSED_V6 = tuple(
    (IPv6Network(network), reason)
    for network, reason in (
        ("fd00:ec2::254/128", "cloud metadata"),
        ("fd20:ce::254/128", "cloud metadata"),
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("fc00::/7", "private"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "private"),
        ("ff00::/8", "multicast"),
        ("2001:db8::/32", "reserved"),
        ("2001::/23", "reserved"),  # Teredo, which embeds any IPv4 address, among them
        ("3fff::/20", "reserved"),
        ("64:ff9b:1::/48", "private"),
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")  # all that is allocated; the rest is reserved
_EMBEDDING_V6 = (  # networks whose addresses embed an IPv4 address, and how many bits follow it
    (IPv6Network("::ffff:0:0/96"), 0),
    (IPv6Network("::ffff:0:0:0/96"), 0),
    (IPv6Network("64:ff9b::/96"), 0),
    (IPv6Network("::/96"), 0),
    (IPv6Network("2002::/16"), 80),
)
_ISATAP = (0x00005EFE, 0x02005EFE)  # RFC 5214: the 32 bits before the IPv4 address, in any network


NOT_AN_IP = "not an IP address"


@lru_cache(maxsize=4096)
def judge_address(ip: str) -> Verdict:
    """Return True if an IP address belongs to the public internet, and if not, what it is."""
    try:
        address = ipaddress.ip_address(ip.partition("%")[0])
    except ValueError:
        return Verdict(False, NOT_AN_IP)
    reason = _why_refused_v4(address) if isinstance(address, IPv4Address) else _why_refused_v6(address)
    return Verdict(not reason, reason)


def _why_refused_v4(address: IPv4Address) -> str:
    return next((reason for network, reason in _REFUSED_V4 if address in network), "")


def _why_refused_v6(address: IPv6Address) -> str:
    for network, reason in _REFUSED_V6:
        if address in network:
            return reason
    inner = _embedded_v4(address)
    if inner is not None:
        return _why_refused_v4(inner)
    return "" if address in _GLOBAL_V6 else "reserved"


def _embedded_v4(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that a tunnel or a translator would connect to."""
    number = int(address)
    for network, shift in _EMBEDDING_V6:
        if address in network:
            return IPv4Address(number >> shift & 0xFFFFFFFF)
    if number >> 32 & 0xFFFFFFFF in _ISATAP:
        return IPv4Address(number & 0xFFFFFFFF)
    return None
