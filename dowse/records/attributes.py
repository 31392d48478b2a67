"""What records tell: each attribute with its place and its name, learned from many records and read from one."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from dowse.model import Value
from dowse.records.labels import CONSTANT, Told, fold
from dowse.records.lists import find_columns, find_separator, split_values
from dowse.records.template import Attribute

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
    placed = [each for place in _find_places(samples) for each in _learn_place(samples, *place)]
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


def _learn_place(samples: Samples, place: str, number: int) -> Iterator[Attribute]:
    """Yield the attributes at a place: one for each piece there, or for each part of its text."""
    for which in range(1, number + 1) if number else (0,):
        if (place, which) in samples.plain:
            continue
        pieces = [
            each
            for item in samples.told
            for each in item
            if each.text and not each.label and each.place == place and which in (0, each.number)
        ]
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
