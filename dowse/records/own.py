"""Which link of a record leads to its own page, and which part of its address tells records apart."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final
from urllib.parse import parse_qsl

from dowse.records.labels import Told
from dowse.records.template import Own
from dowse.url import origin, resolve

DISTINCT: Final = 0.9  # share of the links at a place that lead to different pages
PRESENT: Final = 0.7  # share of records that have one
MAX_PARAMETERS: Final = 60

_DIGITS = re.compile(r"[^0-9]+")
_NUMBER = re.compile(r"[0-9]+")

Links = Sequence[tuple[str, str]]  # page that a record stands on, and the address it leads to


def learn_own(told: Sequence[Sequence[Told]], pages: Sequence[str]) -> Own:
    """Return the link that leads to a page of the record's own, each to another; an empty place when there is none."""
    found: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
    order: dict[tuple[str, int], int] = {}
    for item, page in zip(told, pages, strict=True):
        counts: Counter[str] = Counter()
        for position, each in enumerate(item):
            if each.href:
                counts[each.place] += 1
                key = (each.place, counts[each.place])
                address = follow(each.href, page)
                if address:
                    found[key].append((page, address))
                    order.setdefault(key, position)
    fitting = [key for key, links in found.items() if _are_own(links, len(told))]
    if not fitting:
        return Own()
    place, number = min(fitting, key=lambda key: (-round(len(found[key]) / len(told), 1), order[key]))
    links = found[place, number]
    addresses = [address for _, address in links]
    return Own(place, number, _common_start(addresses), _find_mould(addresses), _find_loose(links))


def learn_identity(own: Own, ids: Sequence[str]) -> str:
    """Return what tells a record from others in every answer: its address, or the id of its tag, unless that counts along."""
    if own.number:
        return "address"
    numbers = [_DIGITS.sub("", each) for each in ids]
    is_own = all(numbers) and len(set(ids)) == len(ids) > 1 and not _counts_up(numbers)
    return "id" if is_own else ""


def follow(href: str, page: str) -> str:
    """Return where a link leads, or nothing when it leads to no page."""
    if not href or href.startswith("#"):
        return ""
    return resolve(href, page) or ""


def _are_own(links: Links, count: int) -> bool:
    addresses = {address for _, address in links}
    pages = {page for page, _ in links}
    return len(links) >= PRESENT * count and len(addresses - pages) >= DISTINCT * len(links) * (
        1 if len(pages) < 2 else 0.6
    )


def _common_start(addresses: Sequence[str]) -> str:
    """Return how the paths of addresses begin, up to a border; nothing when they lead to different sites."""
    if len({origin(address) for address in addresses}) > 1:
        return ""
    paths = [address[len(origin(address)) :].partition("?")[0] for address in addresses]
    low, high = min(paths), max(paths)
    same = next((place for place, sign in enumerate(low) if sign != high[place : place + 1]), len(low))
    border = max(low.rfind(sign, 0, same) for sign in "/?&=-_") + 1
    return low[: same if same == len(low) == len(high) else border]


def _find_mould(addresses: Sequence[str]) -> str:
    """Return how most addresses are written, or nothing when they are written differently."""
    mould, count = Counter(map(_mould_of, addresses)).most_common(1)[0]
    return mould if count >= DISTINCT * len(addresses) else ""


def _mould_of(address: str) -> str:
    """Return a path with 0 for every number and the names of the parameters after it."""
    path, _, query = address[len(origin(address)) :].partition("?")
    names = sorted(part.partition("=")[0] for part in query.split("&")[:MAX_PARAMETERS])
    return f"{_NUMBER.sub('0', path)}?{'&'.join(names)}" if query else _NUMBER.sub("0", path)


def _find_loose(links: Links) -> tuple[str, ...]:
    """Return the parameters that come from the query or count the records on the page, and do not name one."""
    by_name: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for page, address in links:
        for name, value in _parameters(address):
            by_name[name].append((page, value))
    loose = [name for name, seen in by_name.items() if _is_loose(name, seen)]
    ranks = [name for name, seen in by_name.items() if name not in loose and _counts_up([value for _, value in seen])]
    paths = {address.partition("?")[0] for _, address in links}
    left = len(by_name) - len(loose) - len(ranks)
    if ranks and (left or len(paths) > 1) and len(links) > 2 and _tell_apart(links, (*loose, *ranks)):
        loose += ranks
    return tuple(sorted(loose))


def _tell_apart(links: Links, without: tuple[str, ...]) -> bool:
    """Say whether addresses still differ on each page without some parameters: a record may be called by a number that counts."""
    whole, bare = set(links), {(page, key_of(address, Own(without=without))) for page, address in links}
    return len(bare) >= DISTINCT * len(whole)


def _is_loose(name: str, seen: Links) -> bool:
    """Say whether a parameter is what the page was asked with, or the same for all records of a page but not of others."""
    asked = [dict(_parameters(page)).get(name) for page, _ in seen]
    if all(own is not None and own == value for own, (_, value) in zip(asked, seen, strict=True)):
        return True
    pages = {page: {value for other, value in seen if other == page} for page, _ in seen}
    return len(pages) > 1 and all(len(values) == 1 for values in pages.values()) and len(seen) > 2 * len(pages)


def _counts_up(values: Sequence[str]) -> bool:
    numbers = [int(value) for value in values if value.isdecimal() and len(value) < 6]
    return len(numbers) == len(values) and numbers[:3] in ([0, 1, 2], [1, 2, 3])


def _parameters(address: str) -> list[tuple[str, str]]:
    query = address.partition("?")[2]
    return parse_qsl(query, keep_blank_values=True) if query.count("&") < MAX_PARAMETERS else []


def find_own(told: Sequence[Told], own: Own, page: str) -> str:
    """Return the address of a record's own page, or nothing."""
    counts: Counter[str] = Counter()
    for each in told:
        if each.href:
            counts[each.place] += 1
            if each.place == own.place and counts[each.place] == own.number:
                return follow(each.href, page)
    return ""


def key_of(address: str, own: Own) -> str:
    """Return an address without the parameters that do not tell which record it is."""
    head, mark, query = address.partition("?")
    if not mark or not own.without:
        return address
    kept = [part for part in query.split("&") if part.partition("=")[0] not in own.without]
    return f"{head}?{'&'.join(kept)}" if kept else head


def begins_like(address: str, own: Own) -> bool:
    """Say whether an address is like those of other records."""
    path = address[len(origin(address)) :] if address else "/"
    if path == "/" or not path.startswith(own.begins):
        return False
    return not own.mould or _mould_of(address) == own.mould
