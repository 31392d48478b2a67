"""Traps: addresses without end that lead to nothing new.

A *mounted* trap has its own folder; a *decorating* one adds parameters to the addresses of
ordinary pages; sessions change every link of a site; a honeypot is linked where no person sees it. A trap says by a
pattern which addresses are its own, so that truth can leave them out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from dowse.sim.address import Address
from dowse.sim.chance import pick, some, token

Links = tuple[tuple[str, str], ...]  # address within the site, text
Says = Mapping[str, str]

TRAP_SHARE = 0.28  # sites with a trap; a quarter of them have two
HONEYPOT_SHARE = 0.05

FACETS = {
    "A": (
        ("colour", ("red", "blue", "green", "black")),
        ("size", ("s", "m", "l", "xl")),
        ("brand", ("acme", "nord", "zeta")),
        ("price", ("0-10", "10-50", "50-100")),
        ("rating", ("3", "4", "5")),
    ),
    "B": (
        ("fq_type", ("a1", "b2", "c3")),
        ("fq_year", ("2019", "2020", "2021", "2022")),
        ("fq_loc", ("n", "e", "s", "w")),
        ("fq_lang", ("x", "y", "z")),
    ),
}


@dataclass(frozen=True, slots=True)
class TrapPlan:
    """A trap of a site."""

    kind: str
    family: str
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
class Ways:
    """How a family's traps of one kind vary."""

    mounts: tuple[str, ...]  # empty for one that decorates ordinary pages
    styles: tuple[tuple[str, tuple[str, ...]], ...]  # a style and the parameters it uses


def plan_traps(rng: Random, family: str, host: str) -> tuple[TrapPlan, ...]:
    """Plan the traps of a site, no two of a kind."""
    kinds = []
    if rng.random() < TRAP_SHARE:
        kinds = some(rng, tuple(kind for kind in WAYS[family] if kind != "honeypot"), 2 if rng.random() < 0.25 else 1)
    if rng.random() < HONEYPOT_SHARE:
        kinds.append("honeypot")
    return tuple(_plan_trap(rng, family, kind, host) for kind in kinds)


def _plan_trap(rng: Random, family: str, kind: str, host: str) -> TrapPlan:
    ways = WAYS[family][kind]
    style, names = pick(rng, ways.styles)
    mount = pick(rng, ways.mounts) if ways.mounts else ""
    if kind == "session":
        lead = "" if names[0].startswith(";") else "[?&]"
        return TrapPlan(kind, family, "", style, names, rf"{lead}{re.escape(names[0])}=[0-9a-f]{{24}}")
    if mount:
        return TrapPlan(kind, family, mount, style, names, rf"^http://{re.escape(host)}{re.escape(mount)}(?:[/?]|$)")
    return TrapPlan(kind, family, "", style, names, rf"[?&](?:{'|'.join(map(re.escape, names))})=")


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
    return int(text) if re.fullmatch(r"-?[0-9]{1,11}", text) else otherwise


def _calendar(trap: TrapPlan, address: Address, says: Says) -> Links:
    month = _read_month(trap, address)
    steps = ((-1, f"&laquo; {says['month']}"), (1, f"{says['month']} &raquo;"), (12, f"{says['year']} +1"), (2, "+2"))
    return tuple((_write_month(trap, month + step), text) for step, text in steps)


def _read_month(trap: TrapPlan, address: Address) -> int:
    """Return the month as a number of months."""
    if trap.style == "path":
        digits = re.findall(r"[0-9]+", address.path[len(trap.mount) :])
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


def _repeat(trap: TrapPlan, address: Address, says: Says) -> Links:
    path = address.path.rstrip("/")
    return ((f"{path}{trap.mount}/", says["more"]), (f"{path}/i/", says["sitemap"]))


def _alike(trap: TrapPlan, address: Address, says: Says) -> Links:
    text = address.get(trap.names[0]) if trap.names else address.path.rpartition("/")[2]
    number = _number(text, 1)
    numbers = [(number * 3 + step) % 10**9 for step in (1, 2, 4)]
    if trap.names:
        return tuple((f"{trap.mount}?{trap.names[0]}={each}", f"{says['also']} {each}") for each in numbers)
    return tuple((f"{trap.mount}/{each}", f"{says['also']} {each}") for each in numbers)


def _facets(trap: TrapPlan, address: Address, says: Says) -> Links:
    links: list[tuple[str, str]] = []
    for facet, values in FACETS[trap.family]:
        for value in values:
            if trap.style == "path":
                part = f"/{facet}-{value}"
                path = address.path.replace(part, "") if part in address.path else address.path + part
                links.append((path, f"{facet}: {value}"))
            else:
                name = facet + trap.style.removeprefix("plain")
                links.append((str(_toggle(address, name, value)), f"{facet}: {value}"))
    return tuple(links)


def _toggle(address: Address, name: str, value: str) -> Address:
    if (name, value) in address.params:
        return Address(address.path, tuple(each for each in address.params if each != (name, value)))
    return Address(address.path, (*address.params, (name, value)))


def _orders(trap: TrapPlan, address: Address, says: Says) -> Links:
    order, direction = trap.names
    return tuple(
        (str(address.put((order, value), (direction, way))), f"{says['sort_by']} {value} {way}")
        for value in ("name", "date", "price")
        for way in ("asc", "desc")
    )


def _sizes(trap: TrapPlan, address: Address, says: Says) -> Links:
    size, view = trap.names
    sizes = tuple(
        (str(address.put((size, count))), f"{count} {says['per_page']}") for count in ("10", "25", "50", "100")
    )
    return (*sizes, (str(address.put((view, "grid"))), "#"), (str(address.put((view, "list"))), "="))


def _history(trap: TrapPlan, address: Address, says: Says) -> Links:
    action, old, difference, skip = trap.names
    plain = address.without(*trap.names)
    if not address.get(action):
        return ((str(plain.put((action, "history"))), says["updated"]),)
    last = _number(address.get(skip), 4000)
    links = [(str(plain.put((action, "history"), (skip, str(last - 3)))), says["previous"])]
    for number in range(last, last - 3, -1):
        links.append((str(plain.put((action, "view"), (old, str(number)))), f"r{number}"))
        links.append(
            (str(plain.put((action, "diff"), (old, str(number - 1)), (difference, str(number)))), f"+/- {number}")
        )
    return tuple(links)


def _print(trap: TrapPlan, address: Address, says: Says) -> Links:
    if address.get(trap.names[0]):
        return ()
    return ((str(address.put((trap.names[0], trap.style))), says["print"]),)


LINKS: dict[str, Callable[[TrapPlan, Address, Says], Links]] = {
    "calendar": _calendar,
    "repeating": _repeat,
    "alike": _alike,
    "honeypot": _alike,
    "facets": _facets,
    "orders": _orders,
    "sizes": _sizes,
    "history": _history,
    "print": _print,
}


def _plain(*names: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(("", tuple(each.split())) for each in names)


WAYS: dict[str, dict[str, Ways]] = {
    "A": {
        "calendar": Ways(
            ("/calendar", "/agenda", "/diary.php", "/cal", "/whats-on"),
            (
                ("month", ("month",)),
                ("ym", ("ym",)),
                ("two", ("y", "m")),
                ("two", ("year", "mon")),
                ("date", ("date",)),
                ("path", ()),
            ),
        ),
        "repeating": Ways(("/archive/old", "/docs/text", "/a/b", "/pub/files/en"), (("", ()),)),
        "alike": Ways(
            ("/thread", "/visitor", "/gift", "/variant.php"),
            (("path", ()), ("query", ("n",)), ("query", ("ref",))),
        ),
        "honeypot": Ways(("/members-only", "/do-not-enter", "/x-files"), (("path", ()),)),
        "facets": Ways(("/browse", "/filter", "/shop/list"), (("plain", ()), ("[]", ()), ("path", ()), ("_f", ()))),
        "orders": Ways((), _plain("sort dir", "orderby way", "sortby asc")),
        "sizes": Ways((), _plain("per_page layout", "show mode", "pagesize disp")),
        "history": Ways((), _plain("action oldid diff offset", "do rev compare skip", "task r against before")),
        "print": Ways(
            (),
            (
                ("1", ("print",)),
                ("print", ("view",)),
                ("printer", ("format",)),
                ("yes", ("printable",)),
                ("component", ("tmpl",)),
            ),
        ),
        "session": Ways((), _plain(";jsessionid", "PHPSESSID", "sid", "zx", "vtok")),
    },
    "B": {
        "calendar": Ways(
            ("/events/month", "/kalender.do", "/planner", "/timetable.aspx"),
            (
                ("month", ("mo",)),
                ("ym", ("period",)),
                ("two", ("jahr", "monat")),
                ("date", ("day",)),
                ("path", ()),
            ),
        ),
        "repeating": Ways(("/static/v1", "/lib/res", "/content/dam"), (("", ()),)),
        "alike": Ways(("/topic", "/offer", "/profile.aspx"), (("path", ()), ("query", ("uid",)), ("query", ("pid",)))),
        "honeypot": Ways(("/wp-content/keep", "/bot-check", "/intern"), (("path", ()),)),
        "facets": Ways(("/explore", "/katalog/auswahl", "/products.do"), (("plain", ()), ("-f", ()), ("path", ()))),
        "orders": Ways((), _plain("sortField sortOrder", "ord up", "tx_sort tx_dir")),
        "sizes": Ways((), _plain("rows display", "limit tpl", "items grid")),
        "history": Ways((), _plain("mode version cmp from", "op id1 id2 cursor")),
        "print": Ways((), (("true", ("printview",)), ("98", ("type",)), ("pdf", ("out",)))),
        "session": Ways((), _plain(";JSESSIONID_P", "CFTOKEN", "ASPSESSION", "phpsid", "ticket")),
    },
}


def links_from(trap: TrapPlan, address: Address, says: Says) -> Links:
    """Return the links of a trap on one of its pages, or of a decorating trap on an ordinary page."""
    return LINKS[trap.kind](trap, address, says)


def answer_trap(trap: TrapPlan, address: Address, says: Says) -> TrapPage | None:
    """Return the page of a mounted trap at an address that is its own."""
    inside = address.path == trap.mount or address.path.startswith(f"{trap.mount}/")
    if not trap.mount or not inside:
        return None
    return TrapPage(entrance_text(trap, says), links_from(trap, address, says))


def entrance(trap: TrapPlan) -> str:
    """Return the path that leads into a mounted trap."""
    return f"{trap.mount}/" if trap.kind == "repeating" else trap.mount


def entrance_text(trap: TrapPlan, says: Says) -> str:
    """Return what a mounted trap calls itself."""
    return {"calendar": says["month"], "facets": says["shop"]}.get(trap.kind, says["news"])
