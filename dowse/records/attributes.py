"""The attributes of records on a list: learned from many records, read from one; the link to a record's own page."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final
from urllib.parse import parse_qsl

from dowse.errors import BadInput
from dowse.model import Value
from dowse.records.labels import CONSTANT, Labels, Told, fold
from dowse.records.pieces import Cut
from dowse.records.values import find_columns, find_separator, split_values
from dowse.url import origin, resolve

# --- template
# A wrapper as plain data: where the records of a site's answers stand, and what they are made of.

VERSION: Final = 1
ATTRIBUTES: Final = "attributes"
RECORDS: Final = "records"


@dataclass(frozen=True, slots=True)
class Attribute:
    """One thing that records tell, where it stands in them and what it is called."""

    name: str
    how: str  # how the name was found: label, header, itemprop, json-ld, class, title or place
    label: str = ""  # the words that stand before it, folded
    place: str = ""  # tags from the record's own on; not looked at where there is a label
    number: int = 0  # which one of those at that place, counted from 1; 0 for all of them
    separator: str = ""  # what parts a text into several attributes
    part: int = 0  # which of these it is, counted from 1; 0 for the whole text
    several: str = ""  # what stands between several values: a comma, a semicolon; nothing for one value


@dataclass(frozen=True, slots=True)
class Own:
    """The link of a record that leads to its own page."""

    place: str = ""
    number: int = 0
    begins: str = ""  # how its address begins, after the site
    mould: str = ""  # how its address is written, digits as 0, where all are written alike
    without: tuple[str, ...] = ()  # parameters that do not tell which record it is


@dataclass(frozen=True, slots=True)
class Wrapper:
    """How the answers of one door are made."""

    where: tuple[str, ...]  # signs of the tags down to the one that holds the records
    cut: Cut  # how a record begins and ends in it
    attributes: tuple[Attribute, ...] = ()
    labels: Labels = field(default_factory=Labels)
    own: Own = Own()
    title: str = ""  # the attribute that says which record it is
    identity: str = ""  # address: of its own page; id: of its tag; nothing: its values
    shape: tuple[tuple[str, float], ...] = ()  # what records have, and the share of them that do
    marks: tuple[str, ...] = ()  # tags that only highlight words
    frame: tuple[str, ...] = ()  # what stands around the records on every answer
    strangers: int = 0  # things at the place of records that are none, on one page
    lines: int = 0  # of text beside the records, on one page
    declared: str = ""  # what JSON-LD says beside: attributes of the records, or the records themselves
    learned_from: int = 0  # records
    version: int = VERSION

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        return _plain(asdict(self))  # type: ignore[no-any-return]

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Wrapper:
        """Return the wrapper that was written down."""
        if told.get("version") != VERSION:
            raise BadInput(f"this wrapper is of version {told.get('version')}; version {VERSION} can be read")
        try:
            return cls(**{**told, **_read_parts(told)})
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"this is no wrapper: {error}") from error


def _read_parts(told: Mapping[str, Any]) -> dict[str, Any]:
    cut = {**told["cut"], "follows": tuple(told["cut"]["follows"])}
    return {
        "where": tuple(told["where"]),
        "cut": Cut(**cut),
        "attributes": tuple(Attribute(**each) for each in told["attributes"]),
        "labels": Labels(**{name: frozenset(words) for name, words in told["labels"].items()}),
        "own": Own(**{**told["own"], "without": tuple(told["own"]["without"])}),
        "shape": tuple((str(part), float(share)) for part, share in told["shape"]),
        "marks": tuple(told["marks"]),
        "frame": tuple(told["frame"]),
    }


def _plain(value: Any) -> Any:
    """Return a value with lists for tuples and sets, in an order that stays."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return round(value, 3) if isinstance(value, float) else value


# --- own
# Which link of a record leads to its own page, and which part of its address tells records apart.

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


# --- attributes
# What records tell: each attribute with its place and its name, learned from many records and read from one.

MAX_ATTRIBUTES: Final = 80
MAX_VALUES: Final = 200  # of one record
SAME_COUNT: Final = 0.7  # share of records with as many pieces at a place that make these columns, not a list
RARE: Final = 0.05  # share of records with a piece at a place, below which it is chance

_ENDING = re.compile(r"[-_]+")
_TELLING = frozenset(  # class names that say what stands there; most say how it looks
    "abstract actor address age album amount artist author authors bedrooms birth brand category categories city "
    "comments company condition country created currency date dates department description director discount "
    "distance duration edition editor email employer excerpt experience format genre genres identifier isbn issn "
    "issue journal keywords kind language languages licence license likes location make maker manufacturer "
    "maintainer material mileage model modified month neighborhood organisation organization owner pages phone "
    "posted price prices province published publisher quantity rank rating region release released review reviews "
    "room rooms salary score seller series severity shop sku snippet source speaker species stars status stock "
    "street subject subjects subtitle summary tags team teaser telephone topic topics updated username vendor venue "
    "version views volume votes writer year years".split()
)
_TITLED = re.compile(r"(?:^|/)h[1-6](?:[./]|$)")


@dataclass(frozen=True, slots=True)
class Samples:
    """The records that attributes are learned from, and what is known beside them."""

    told: Sequence[Sequence[Told]]
    asked: Collection[str] = ()
    header: Mapping[str, str] = field(
        default_factory=dict
    )  # column -> what the table's head calls it, such as td[2]: Year
    plain: Collection[tuple[str, int]] = ()  # pieces that are no value: the same words in every record


def learn_attributes(samples: Samples) -> tuple[Attribute, ...]:
    """Return what records tell: what has a name in them, then what only has a place."""
    named = list(_learn_named(samples))
    at = _find_pieces(samples)
    placed = [each for place in _find_places(samples) for each in _learn_place(samples, at, *place)]
    return _with_own_names([*placed, *named])[:MAX_ATTRIBUTES]


def _learn_named(samples: Samples) -> Iterator[Attribute]:
    texts: dict[str, list[str]] = defaultdict(list)
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for item in samples.told:
        for each in item:
            if each.label:
                written[fold(each.label)][each.label] += 1
                texts[fold(each.label)] += [each.text] if each.text else []
    for label, names in written.items():
        if not label:
            continue
        yield Attribute(
            names.most_common(1)[0][0], "label", label=label, several=find_separator(texts[label], samples.asked)
        )


def find_plain(told: Sequence[Sequence[Told]], asked: Collection[str]) -> frozenset[tuple[str, int]]:
    """Return the pieces that say the same in record after record: buttons, More, and no value."""
    texts: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for item in told:
        for each in item:
            if not each.label and each.text:
                texts[each.place, each.number][each.text.casefold()] += 1
    wanted = [each.casefold() for each in asked if each]
    plain = set()
    for key, counts in texts.items():
        text, count = counts.most_common(1)[0]
        is_cell = key[0].rpartition("/")[2].startswith("td[")
        said = any(each in text for each in wanted)
        if len(told) >= 3 and count >= CONSTANT * counts.total() and count >= 3 and not said and not is_cell:
            plain.add(key)
    return frozenset(plain | _plain_links(told))


def _plain_links(told: Sequence[Sequence[Told]]) -> set[tuple[str, int]]:
    """Return the links that have the same words and lead elsewhere each time."""
    seen: dict[tuple[str, int], tuple[set[str], set[str], list[int]]] = {}
    for item in told:
        for each in item:
            if each.href and each.text and not each.label:
                words, hrefs, count = seen.setdefault((each.place, each.number), (set(), set(), []))
                words.add(each.text)
                hrefs.add(each.href)
                count.append(1)
    return {
        key
        for key, (words, hrefs, count) in seen.items()
        if len(count) >= 2 and len(words) == 1 and len(hrefs) == len(count)
    }


def _find_places(samples: Samples) -> list[tuple[str, int]]:
    """Return the places without a name, in their order, each with the number of pieces there; 0 for a list."""
    counts: dict[str, list[int]] = {}
    order: dict[str, float] = {}
    for item in samples.told:
        own: Counter[str] = Counter()
        for position, each in enumerate(item):
            if each.text and not each.label and (each.place, each.number) not in samples.plain:
                own[each.place] = max(own[each.place], each.number)
                order.setdefault(each.place, position)
        for place, count in own.items():
            counts.setdefault(place, []).append(count)
    found = []
    for place in sorted(counts, key=order.__getitem__):
        number, share = Counter(counts[place]).most_common(1)[0]
        if len(counts[place]) >= RARE * len(samples.told):
            found.append((place, number if share >= SAME_COUNT * len(counts[place]) and number <= 12 else 0))
    return found


def _find_pieces(samples: Samples) -> dict[str, list[Told]]:
    """Return the pieces without a name by their places: a row may have as many places as a page has cells."""
    at: dict[str, list[Told]] = defaultdict(list)
    for item in samples.told:
        for each in item:
            if each.text and not each.label:
                at[each.place].append(each)
    return at


def _learn_place(samples: Samples, at: Mapping[str, Sequence[Told]], place: str, number: int) -> Iterator[Attribute]:
    """Yield the attributes at a place: one for each piece there, or for each part of its text."""
    for which in range(1, number + 1) if number else (0,):
        if (place, which) in samples.plain:
            continue
        pieces = [each for each in at[place] if which in (0, each.number)]
        if pieces:
            yield from _learn_pieces(samples, pieces, Attribute("", "place", place=place, number=which))


def _learn_pieces(samples: Samples, pieces: Sequence[Told], start: Attribute) -> Iterator[Attribute]:
    name, how = _name_place(samples, pieces, start.place)
    texts = [piece.text for piece in pieces]
    is_title = _TITLED.search(start.place) or any(piece.href for piece in pieces)
    is_one = is_title or how == "header"  # what has one name is one thing, however it is written
    separator, parts = ("", 0) if is_one else find_columns(texts)
    named = replace(start, name=name, how=how)
    if not parts:
        yield replace(named, several=find_separator(texts, samples.asked))
        return
    split = [text.split(separator) for text in texts]
    for part in range(parts):
        own = [each[part].strip() for each in split if len(each) == parts]
        several = find_separator(own, samples.asked)
        yield replace(named, separator=separator, part=part + 1, several=several)


def _name_place(samples: Samples, pieces: Sequence[Told], place: str) -> tuple[str, str]:
    """Return what the pieces at a place are called, and how that is known."""
    prop, count = Counter(piece.prop for piece in pieces).most_common(1)[0]
    if prop and count >= CONSTANT * len(pieces):
        return prop.split()[0].rpartition(":")[2], "itemprop"
    column = place.partition("/")[0]
    if samples.header.get(column):
        return samples.header[column], "header"
    words = (_ENDING.split(word)[-1] for step in reversed(place.split("/")) for word in step.split(".")[1:])
    told = next((word for word in words if word in _TELLING), "")
    if told:
        return told, "class"
    return "", "place"


def _with_own_names(attributes: Sequence[Attribute]) -> tuple[Attribute, ...]:
    """Give every attribute a name of its own; one that has none is called by where it stands."""
    taken: Counter[str] = Counter()
    named = []
    for place, each in enumerate(attributes, 1):
        name = each.name or f"column {place}"
        taken[fold(name)] += 1
        if taken[fold(name)] > 1:
            name = f"{name} {taken[fold(name)]}"
        named.append(replace(each, name=name))
    return tuple(named)


def name_title(
    attributes: Sequence[Attribute], told: Sequence[Sequence[Told]], link: tuple[str, int]
) -> tuple[tuple[Attribute, ...], str]:
    """Return the attributes, and which tells records apart: it is one value, wherever it stands, and called title if by nothing else."""
    found = _find_title(attributes, link)
    if found is None:
        return tuple(attributes), ""
    name = "title" if found.how == "place" else found.name
    whole = [replace(each, several="") for each in attributes]
    same = _find_same(told, whole, found.name)
    named = [replace(each, several="") if each.name in same else each for each in attributes]
    return tuple(
        replace(each, name=name, how="title") if each.name == found.name != name else each for each in named
    ), name


def _find_title(attributes: Sequence[Attribute], link: tuple[str, int]) -> Attribute | None:
    """Return the attribute in the link to a record's page, or in a heading, else the first one."""
    placed = [each for each in attributes if not each.label and each.part <= 1]
    linked = (each for each in placed if each.place == link[0] and each.number in (0, link[1]))
    headed = (each for each in placed if _TITLED.search(each.place))
    return next(linked, None) or next(headed, None) or next(iter([*placed, *attributes]), None)


def _find_same(told: Sequence[Sequence[Told]], attributes: Sequence[Attribute], title: str) -> set[str]:
    """Return the attributes that say the same as the title."""
    counts: Counter[str] = Counter()
    for item in told:
        values = read_values(item, attributes)
        titles = {value.text for value in values if value.attribute == title}
        counts.update({value.attribute for value in values if value.text in titles})
    return {name for name, count in counts.items() if count >= SAME_COUNT * counts[title]}


def read_values(told: Sequence[Told], attributes: Sequence[Attribute]) -> list[Value]:
    """Return the values of one record."""
    named = {each.label: each for each in attributes if each.label}
    placed: dict[str, list[Attribute]] = defaultdict(list)
    for each in attributes:
        if not each.label:
            placed[each.place].append(each)
    values: list[Value] = []
    for piece in _joined(told):
        if piece.label:
            attribute = named.get(fold(piece.label)) or Attribute(piece.label, "label")
            values += [Value(attribute.name, text) for text in split_values(piece.text, attribute.several)]
        else:
            values += [value for each in placed.get(piece.place, ()) for value in _read_piece(piece, each)]
    return list(dict.fromkeys(values))[:MAX_VALUES]


def _joined(told: Sequence[Told]) -> Iterator[Told]:
    """Yield what a record says; pieces under one name at different places are one value: 12 <small>km</small>."""
    under: list[Told] = []
    for piece in told:
        if under and (
            piece.label != under[0].label or not piece.label or piece.place in {each.place for each in under}
        ):
            yield under[0]._replace(text=" ".join(each.text for each in under))
            under = []
        if piece.text:
            under.append(piece)
    if under:
        yield under[0]._replace(text=" ".join(each.text for each in under))


def _read_piece(piece: Told, attribute: Attribute) -> list[Value]:
    if attribute.number not in (0, piece.number):
        return []
    text = piece.text
    if attribute.part:
        parts = text.split(attribute.separator)
        if attribute.part > len(parts):
            return []
        text = parts[attribute.part - 1].strip()
    return [Value(attribute.name, each) for each in split_values(text, attribute.several) if each]
