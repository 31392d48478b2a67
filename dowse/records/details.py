"""A record's own page: the link that leads there, what distinguishes its address from others, and what the page says."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import parse_qsl

from msgspec import Struct

from dowse.model import Value
from dowse.records.attributes import LabelledPiece
from dowse.tree.node import Node, find_nodes, text_of
from dowse.url import origin, resolve

MIN_DISTINCT_SHARE: Final = 0.9  # of the links at a place that lead to different pages
MIN_LINKED_SHARE: Final = 0.7  # of records that have such a link
MAX_LINK_PARAMETERS: Final = 60
MAX_PAIRS: Final = 200  # of one page
MAX_PAIR_NAME_CHARS: Final = 40
MAX_DETAIL_VALUE_CHARS: Final = 10_000

_NO_DIGITS = re.compile(r"[^0-9]+")
_NUMBER = re.compile(r"[0-9]+")
_LABELLED = re.compile(r"\A\s*([^\W\d][^:：\n]{0,38}?)\s*[:：]\s*(\S.{0,9999})\Z", re.DOTALL)
_MENUS = frozenset({"nav", "header", "footer", "aside", "form"})
_BLOCKS = ("div", "p", "ul", "ol", "dl", "table", "section", "li", "tr")

RecordLinks = Sequence[tuple[str, str]]  # page that a record stands on, and the address it leads to


class OwnPageLink(Struct, frozen=True, forbid_unknown_fields=True):
    """The link of a record that leads to its own page; its fields are keys of a stored wrapper."""

    place: str = ""
    number: int = 0
    begins: str = ""  # how its address begins, after the site
    mould: str = ""  # how its address is written, digits as 0, where all are written alike
    without: tuple[str, ...] = ()  # parameters that do not identify the record


def learn_own_link(records: Sequence[Sequence[LabelledPiece]], pages: Sequence[str]) -> OwnPageLink:
    """Return the link that leads to a page of the record's own, each to another; an empty place when there is none."""
    found: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
    order: dict[tuple[str, int], int] = {}
    for item, page in zip(records, pages, strict=True):
        counts: Counter[str] = Counter()
        for position, each in enumerate(item):
            if each.href:
                counts[each.place] += 1
                key = (each.place, counts[each.place])
                address = resolve_link(each.href, page)
                if address:
                    found[key].append((page, address))
                    order.setdefault(key, position)
    fitting = [key for key, links in found.items() if _lead_to_own_pages(links, len(records))]
    if not fitting:
        return OwnPageLink()
    place, number = min(fitting, key=lambda key: (-round(len(found[key]) / len(records), 1), order[key]))
    links = found[place, number]
    addresses = [address for _, address in links]
    return OwnPageLink(
        place, number, _common_start(addresses), _find_address_shape(addresses), _find_loose_parameters(links)
    )


def learn_identity(own: OwnPageLink, ids: Sequence[str]) -> str:
    """Return what identifies a record in every answer: its address, or the id of its tag, unless that counts along."""
    if own.number:
        return "address"
    numbers = [_NO_DIGITS.sub("", each) for each in ids]
    is_own = all(numbers) and len(set(ids)) == len(ids) > 1 and not _count_up(numbers)
    return "id" if is_own else ""


def resolve_link(href: str, page: str) -> str:
    """Return where a link leads, or nothing when it leads to no page."""
    if not href or href.startswith("#"):
        return ""
    return resolve(href, page) or ""


def _lead_to_own_pages(links: RecordLinks, count: int) -> bool:
    addresses = {address for _, address in links}
    pages = {page for page, _ in links}
    return len(links) >= MIN_LINKED_SHARE * count and len(addresses - pages) >= MIN_DISTINCT_SHARE * len(links) * (
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


def _find_address_shape(addresses: Sequence[str]) -> str:
    """Return how most addresses are written, or nothing when they are written differently."""
    shape, count = Counter(map(_address_shape, addresses)).most_common(1)[0]
    return shape if count >= MIN_DISTINCT_SHARE * len(addresses) else ""


def _address_shape(address: str) -> str:
    """Return a path with 0 for every number and the names of the parameters after it."""
    path, _, query = address[len(origin(address)) :].partition("?")
    names = sorted(part.partition("=")[0] for part in query.split("&")[:MAX_LINK_PARAMETERS])
    return f"{_NUMBER.sub('0', path)}?{'&'.join(names)}" if query else _NUMBER.sub("0", path)


def _find_loose_parameters(links: RecordLinks) -> tuple[str, ...]:
    """Return the parameters that come from the query or count the records on the page, and do not name one."""
    by_name: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for page, address in links:
        for name, value in _parameters(address):
            by_name[name].append((page, value))
    loose = [name for name, seen in by_name.items() if _is_loose(name, seen)]
    ranks = [name for name, seen in by_name.items() if name not in loose and _count_up([value for _, value in seen])]
    paths = {address.partition("?")[0] for _, address in links}
    left = len(by_name) - len(loose) - len(ranks)
    if ranks and (left or len(paths) > 1) and len(links) > 2 and _tell_apart(links, (*loose, *ranks)):
        loose += ranks
    return tuple(sorted(loose))


def _tell_apart(links: RecordLinks, without: tuple[str, ...]) -> bool:
    """Return True if addresses still differ on each page without some parameters: a record may be called by a number that counts."""
    whole, bare = set(links), {(page, record_key(address, OwnPageLink(without=without))) for page, address in links}
    return len(bare) >= MIN_DISTINCT_SHARE * len(whole)


def _is_loose(name: str, seen: RecordLinks) -> bool:
    """Return True if a parameter is what the page was asked with, or the same for all records of a page but not of others."""
    asked = [dict(_parameters(page)).get(name) for page, _ in seen]
    if all(own is not None and own == value for own, (_, value) in zip(asked, seen, strict=True)):
        return True
    pages = {page: {value for other, value in seen if other == page} for page, _ in seen}
    return len(pages) > 1 and all(len(values) == 1 for values in pages.values()) and len(seen) > 2 * len(pages)


def _count_up(values: Sequence[str]) -> bool:
    numbers = [int(value) for value in values if value.isdecimal() and len(value) < 6]
    return len(numbers) == len(values) and numbers[:3] in ([0, 1, 2], [1, 2, 3])


def _parameters(address: str) -> list[tuple[str, str]]:
    query = address.partition("?")[2]
    return parse_qsl(query, keep_blank_values=True) if query.count("&") < MAX_LINK_PARAMETERS else []


def find_own_link(pieces: Sequence[LabelledPiece], own: OwnPageLink, page: str) -> str:
    """Return the address of a record's own page, or nothing."""
    counts: Counter[str] = Counter()
    for each in pieces:
        if each.href:
            counts[each.place] += 1
            if each.place == own.place and counts[each.place] == own.number:
                return resolve_link(each.href, page)
    return ""


def record_key(address: str, own: OwnPageLink) -> str:
    """Return an address without the parameters that do not identify the record."""
    head, mark, query = address.partition("?")
    if not mark or not own.without:
        return address
    kept = [part for part in query.split("&") if part.partition("=")[0] not in own.without]
    return f"{head}?{'&'.join(kept)}" if kept else head


def is_record_address(address: str, own: OwnPageLink) -> bool:
    """Return True if an address is like those of other records."""
    path = address[len(origin(address)) :] if address else "/"
    if path == "/" or not path.startswith(own.begins):
        return False
    return not own.mould or _address_shape(address) == own.mould


# -- what the page says: names and values in pairs


def read_detail(tree: Node) -> tuple[Value, ...]:
    """Return the attributes of a record from its own page, without what stands in its menus."""
    found: dict[Value, None] = {}
    for value in _find_pairs(_without_menus(tree)):
        found.setdefault(value)
        if len(found) >= MAX_PAIRS:
            break
    return tuple(found)


def _without_menus(tree: Node) -> Node:
    content = tuple(
        _without_menus(part) if isinstance(part, Node) else part
        for part in tree.content
        if isinstance(part, str) or part.tag not in _MENUS
    )
    return Node(tree.tag, tree.attributes, content)


def _find_pairs(tree: Node) -> Iterator[Value]:
    for node in find_nodes(tree):
        if node.tag == "h1":
            yield from _make_value("title", text_of(node))
        elif node.tag == "dl":
            yield from _read_list(node)
        elif node.tag == "tr":
            yield from _read_row(node)
        elif node.tag in ("li", "p", "div", "td", "span") and not any(child.tag in _BLOCKS for child in node.children):
            found = _LABELLED.match(text_of(node))
            yield from _make_value(found[1], found[2]) if found else ()
        if node.attribute("itemprop"):
            said = node.attribute("content") or node.attribute("datetime") or text_of(node)
            yield from _make_value(node.attribute("itemprop"), said)


def _read_list(node: Node) -> Iterator[Value]:
    name = ""
    for child in node.children:
        inner = child.children if child.tag == "div" else (child,)
        for part in inner:
            if part.tag == "dt":
                name = text_of(part)
            elif part.tag == "dd":
                yield from _make_value(name, text_of(part))


def _read_row(node: Node) -> Iterator[Value]:
    """Yield the pair of a row with a heading cell, or with two cells of which the first is a name."""
    cells = [child for child in node.children if child.tag in ("th", "td")]
    if len(cells) == 2 and (cells[0].tag == "th") >= (cells[1].tag == "th"):
        yield from _make_value(text_of(cells[0]), text_of(cells[1]))


def _make_value(name: str, text: str) -> Iterator[Value]:
    name = name.strip(" :：*\t")
    if name and text and len(name) <= MAX_PAIR_NAME_CHARS:
        yield Value(name, text[:MAX_DETAIL_VALUE_CHARS])
