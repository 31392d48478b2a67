"""Traps: addresses without end that lead to nothing new.

A *mounted* trap has its own folder; a *decorating* one adds parameters to the addresses of
ordinary pages; sessions change every link of a site. A trap says by a pattern which addresses
are its own, so that truth can leave them out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from dowse.sim.address import Address
from dowse.sim.chance import token
from dowse.sim.traits import Traits

Links = tuple[tuple[str, str], ...]  # address within the site, text

TRAP_SHARE = 0.28  # sites with a trap; a quarter of them have two
FACETS = (
    ("colour", ("red", "blue", "green", "black")),
    ("size", ("s", "m", "l", "xl")),
    ("brand", ("acme", "nord", "zeta")),
    ("price", ("0-10", "10-50", "50-100")),
    ("rating", ("3", "4", "5")),
)
SESSION_NAMES = (";jsessionid", "PHPSESSID", "sid", "zx", "vtok", "osCsid", "qk", "u_ref", ";s")
PRINT_HABITS = (("print", "1"), ("view", "print"), ("format", "printer"), ("printable", "yes"), ("tmpl", "component"))


@dataclass(frozen=True, slots=True)
class TrapPlan:
    """A trap of a site."""

    kind: str
    mount: str  # folder of a mounted trap, or nothing
    style: str
    names: tuple[str, ...]  # parameters that it reads
    pattern: str  # what its addresses match (the part to take off, for sessions)


@dataclass(frozen=True, slots=True)
class TrapPage:
    """A page of a mounted trap: what it says and where it leads."""

    title: str
    links: Links


@dataclass(frozen=True, slots=True)
class Kind:
    """How a kind of trap varies, and where its pages lead."""

    mounts: tuple[str, ...]  # empty for one that decorates ordinary pages
    styles: tuple[tuple[str, tuple[str, ...]], ...]  # a style and the parameters it uses
    links: Callable[[TrapPlan, Address], Links]


def plan_traps(rng: Random, traits: Traits) -> tuple[TrapPlan, ...]:
    """Plan the traps of a site, no two of a kind."""
    if rng.random() >= TRAP_SHARE:
        return ()
    kinds = rng.sample((*KINDS, "session"), 2 if rng.random() < 0.25 else 1)
    return tuple(_plan_session(rng) if kind == "session" else _plan_trap(rng, kind, traits.host) for kind in kinds)


def _plan_trap(rng: Random, name: str, host: str) -> TrapPlan:
    kind = KINDS[name]
    style, names = rng.choice(kind.styles)
    if kind.mounts:
        mount = rng.choice(kind.mounts)
        return TrapPlan(name, mount, style, names, rf"^http://{re.escape(host)}{re.escape(mount)}(?:[/?]|$)")
    return TrapPlan(name, "", style, names, rf"[?&](?:{'|'.join(names)})=")


def _plan_session(rng: Random) -> TrapPlan:
    name = rng.choice(SESSION_NAMES)
    pattern = rf"{name}=[0-9a-f]{{24}}" if name.startswith(";") else rf"[?&]{name}=[0-9a-f]{{24}}"
    return TrapPlan("session", "", "session", (name,), pattern)


def new_session(trap: TrapPlan, key: str, seen: str) -> str:
    """Return the session that a page hands out: another one for each address asked."""
    return f"{trap.names[0]}={token(24, key, 'session', seen)}"


def without_session(trap: TrapPlan, text: str) -> str:
    """Return the address without its session."""
    text = re.sub(trap.pattern, "", text)
    if "?" not in text and "&" in text:  # the session was the first of several parameters
        text = text.replace("&", "?", 1)
    return text


def _number(text: str, otherwise: int) -> int:
    return int(text) if text.lstrip("-").isdigit() and len(text) < 12 else otherwise


def _calendar(trap: TrapPlan, address: Address) -> Links:
    month = _read_month(trap, address)
    steps = ((-1, "<< previous month"), (1, "next month >>"), (12, "next year"), (2, "in two months"))
    return tuple((_write_month(trap, month + step), text) for step, text in steps)


def _read_month(trap: TrapPlan, address: Address) -> int:
    """Return the month as a number of months."""
    if trap.style == "path":
        digits = re.findall(r"\d+", address.path[len(trap.mount) :])
    elif trap.style == "two":
        digits = [address.get(name) for name in trap.names]
    else:
        text = address.get(trap.names[0])
        digits = [text[:-2], text[-2:]] if trap.style == "ym" else text.split("-")
    year = _number(digits[0], 2006) if digits else 2006
    return year * 12 + (_number(digits[1], 5) if len(digits) > 1 else 5) - 1


def _write_month(trap: TrapPlan, month: int) -> str:
    year, number = month // 12, month % 12 + 1
    if trap.style == "path":
        return f"{trap.mount}/{year}/{number:02}/"
    if trap.style == "two":
        return f"{trap.mount}?{trap.names[0]}={year}&{trap.names[1]}={number}"
    forms = {"ym": f"{year}{number:02}", "month": f"{year}-{number:02}", "date": f"{year}-{number:02}-01"}
    return f"{trap.mount}?{trap.names[0]}={forms[trap.style]}"


def _repeat(trap: TrapPlan, address: Address) -> Links:
    path = address.path.rstrip("/")
    return ((f"{path}{trap.mount}/", "Up to date version"), (f"{path}/index/", "Contents"))


def _alike(trap: TrapPlan, address: Address) -> Links:
    text = address.get(trap.names[0]) if trap.names else address.path.rpartition("/")[2]
    number = _number(text, 1)
    numbers = [(number * 3 + step) % 10**9 for step in (1, 2, 4)]
    if trap.names:
        return tuple((f"{trap.mount}?{trap.names[0]}={each}", f"No. {each}") for each in numbers)
    return tuple((f"{trap.mount}/{each}", f"No. {each}") for each in numbers)


def _facets(trap: TrapPlan, address: Address) -> Links:
    links: list[tuple[str, str]] = []
    for facet, values in FACETS:
        for value in values:
            if trap.style == "path":
                part = f"/{facet}-{value}"
                path = address.path.replace(part, "") if part in address.path else address.path + part
                links.append((path, f"{facet}: {value}"))
            else:
                links.append(
                    (str(_toggle(address, facet + trap.style.removeprefix("plain"), value)), f"{facet}: {value}")
                )
    return tuple(links)


def _toggle(address: Address, name: str, value: str) -> Address:
    if (name, value) in address.params:
        return Address(address.path, tuple(each for each in address.params if each != (name, value)))
    return Address(address.path, (*address.params, (name, value)))


def _orders(trap: TrapPlan, address: Address) -> Links:
    order, direction = trap.names
    return tuple(
        (str(address.put((order, value), (direction, way))), f"by {value}, {way}")
        for value in ("name", "date", "price")
        for way in ("asc", "desc")
    )


def _sizes(trap: TrapPlan, address: Address) -> Links:
    size, view = trap.names
    sizes = tuple((str(address.put((size, count))), f"{count} per page") for count in ("10", "25", "50", "100"))
    return (*sizes, (str(address.put((view, "grid"))), "grid"), (str(address.put((view, "list"))), "list"))


def _history(trap: TrapPlan, address: Address) -> Links:
    action, old, difference, skip = trap.names
    plain = address.without(*trap.names)
    if not address.get(action):
        return ((str(plain.put((action, "history"))), "History"),)
    last = _number(address.get(skip), 4000)
    links = [(str(plain.put((action, "history"), (skip, str(last - 3)))), "older")]
    for number in range(last, last - 3, -1):
        links.append((str(plain.put((action, "view"), (old, str(number)))), f"revision {number}"))
        links.append(
            (str(plain.put((action, "diff"), (old, str(number - 1)), (difference, str(number)))), f"changes {number}")
        )
    return tuple(links)


def _print(trap: TrapPlan, address: Address) -> Links:
    if address.get(trap.names[0]):
        return ()
    return ((str(address.put((trap.names[0], trap.style))), "Print this page"),)


KINDS: dict[str, Kind] = {
    "calendar": Kind(
        ("/calendar", "/agenda", "/diary.php", "/cal", "/whats-on"),
        (
            ("month", ("month",)),
            ("ym", ("ym",)),
            ("two", ("y", "m")),
            ("two", ("year", "mon")),
            ("date", ("date",)),
            ("path", ()),
        ),
        _calendar,
    ),
    "repeating": Kind(("/archive/old", "/docs/text", "/a/b", "/pub/files/en"), (("", ()),), _repeat),
    "alike": Kind(
        ("/thread", "/visitor", "/gift", "/variant.php"), (("path", ()), ("query", ("n",)), ("query", ("ref",))), _alike
    ),
    "facets": Kind(
        ("/browse", "/filter", "/shop/list"), (("plain", ()), ("[]", ()), ("path", ()), ("_f", ())), _facets
    ),
    "orders": Kind((), (("", ("sort", "dir")), ("", ("orderby", "way")), ("", ("sortby", "asc"))), _orders),
    "sizes": Kind((), (("", ("per_page", "layout")), ("", ("show", "mode")), ("", ("pagesize", "disp"))), _sizes),
    "history": Kind(
        (),
        (
            ("", ("action", "oldid", "diff", "offset")),
            ("", ("do", "rev", "compare", "skip")),
            ("", ("task", "r", "against", "before")),
        ),
        _history,
    ),
    "print": Kind((), tuple((value, (name,)) for name, value in PRINT_HABITS), _print),
}


def links_from(trap: TrapPlan, address: Address) -> Links:
    """Return the links of a trap on one of its pages, or of a decorating trap on an ordinary page."""
    return KINDS[trap.kind].links(trap, address)


def answer_trap(trap: TrapPlan, address: Address) -> TrapPage | None:
    """Return the page of a mounted trap at an address that is its own."""
    inside = address.path == trap.mount or address.path.startswith(f"{trap.mount}/")
    if not trap.mount or not inside:
        return None
    title = f"{trap.mount.strip('/').partition('.')[0].replace('/', ' ').title()}"
    return TrapPage(title, links_from(trap, address))
