"""One's own servers in place of others: which requests go where, as with curl's --connect-to."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import lru_cache

from dowse.errors import BadInput
from dowse.settings import ConnectTo
from dowse.url import site_of

_SHAPE = "write it as PATTERN=HOST:PORT, such as '*.example=127.0.0.1:8000'"


def parse_connect_to(text: str) -> ConnectTo:
    """Read what a person typed after --connect-to."""
    pattern, mark, target = text.strip().rpartition("=")
    host, colon, port = target.rpartition(":")
    if not mark or not pattern or not colon or not host:
        raise BadInput(f"--connect-to {text!r}: {_SHAPE}")
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise BadInput(f"--connect-to {text!r}: the port must be a number from 1 to 65535")
    if any(mark in host for mark in "/@ ") or (":" in host) != (host.startswith("[") and host.endswith("]")):
        raise BadInput(f"--connect-to {text!r}: {host!r} is not a host name; {_SHAPE}")
    return ConnectTo(pattern.lower(), host, int(port))


def build_detour(rules: tuple[ConnectTo, ...]) -> Callable[[str], str]:
    """Return what gives the HOST:PORT to connect to instead for an origin, or nothing; the first match wins."""

    @lru_cache(maxsize=4096)
    def detour(origin: str) -> str:
        site = site_of(origin)
        names = (site.host, f"{site.host}:{site.port}")
        for rule in rules:
            if any(fnmatchcase(name, rule.pattern.lower()) for name in names):
                return f"{rule.host}:{rule.port}"
        return ""

    return detour
