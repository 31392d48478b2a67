"""The attributes of records: their names on the page, learned from many records, and their values, read from one."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from dowse.model import Value
from dowse.records.labels import LabelledPiece, is_asked
from dowse.records.pieces import CELL_PLACE, NodeOrText, fold_label, width_of
from dowse.records.values import (
    TextColumn,
    align_columns,
    align_parts,
    count_along,
    find_clear_separator,
    find_column_separator,
    find_columns,
    find_kind,
    find_optional_columns,
    find_separator,
    learn_columns,
    split_columns,
    split_values,
)
from dowse.tree.node import Node, find_nodes, text_of

# Set by hand on family A and on harvests of real software; names are measured by `python -m bench realnames`, values by `extract`.
CONSTANT_SHARE: Final = 0.9  # of records with the same words at a place that make them a label, or no value
MAX_HEAD_CHARS: Final = 300  # of a cell that names a column, with what stands beside the name
MAX_COLUMN_NAME_CHARS: Final = 60  # of a name
MAX_TABLE_ROWS: Final = 3_000  # of one table that heads are looked for in
MAX_ATTRIBUTES: Final = 80  # of one record
MAX_RECORD_VALUES: Final = 200  # of one record
MIN_SAME_COUNT_SHARE: Final = 0.7  # of records with as many pieces at a place that make these columns, not a list
MIN_MORE_SHARE: Final = 0.1  # of records with more pieces at a place than most have, which are columns too
MIN_LIST_RECORDS: Final = 2  # with several pieces where others have one: several values of one attribute
MIN_REDUNDANT_SHARE: Final = (
    0.95  # of records in which a column only says what others say; a few values may be cut or left out
)
MIN_REDUNDANT_TEXTS: Final = 4  # different texts that show it: fewer may be the same by chance
MIN_TELLING_SHARE: Final = 0.5  # of records with a text of their own, from which an attribute can be the title
MIN_PLACE_SHARE: Final = 0.05  # of records with a piece at a place, below which it is chance

BUTTON: Final = "button"  # what stands among the values of a place and is none, the same in all records

_CELLS = frozenset({"td", "th"})
_ROW_GROUPS = frozenset({"thead", "tbody", "tfoot"})
# Signs beside a name that say how rows are sorted, as arrows, triangles and icons of a font: id ▼
_HEADER_SIGNS = r"\s=\u2190-\u21ff\u25a0-\u25ff\u2b00-\u2bff\ue000-\uf8ff\U0001f53c\U0001f53d^\ufe0e\ufe0f"
_SORT_SIGNS = re.compile(rf"^[{_HEADER_SIGNS}]++|(?<![{_HEADER_SIGNS}])[{_HEADER_SIGNS}]++$")
_CELL_LIST = re.compile(
    r"^" + CELL_PLACE.pattern + r"(?:/[^/]+)*/li(?:[./]|$)"
)  # an item of a list in such a cell: td[2]/ul/li
_CLASS_SEPARATOR = re.compile(r"[-_]+")
_ATTRIBUTE_CLASSES = frozenset(  # class names that say what stands there; most say how it looks
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
_WORDS: Final = re.compile(r"[^\W_]+")
_HEADING_PLACE = re.compile(r"(?:^|/)h[1-6](?:[./]|$)")


class Attribute(Struct, frozen=True, forbid_unknown_fields=True):
    """An attribute of records: its name, and where it stands in them; its fields are keys of a stored wrapper."""

    name: str
    how: str  # how the name was found: label, header, itemprop, json-ld, class, title, kind or place; button for none
    label: str = ""  # the words that stand before it, folded
    place: str = ""  # tags from the record's own on; not looked at where there is a label
    number: int = 0  # which one of those at that place, counted from 1; 0 for all of them
    separator: str = ""  # what splits a text into several attributes
    part: int = 0  # which of these it is, counted from 1; 0 for the whole text
    several: str = ""  # what stands between several values: a comma, a semicolon; nothing for one value
    seen: tuple[str, ...] = ()  # values that come back, of what may be missing among others: it is known by them
    shapes: tuple[tuple[str, float], ...] = ()  # how the values of such a part are written, and the share that is


# -- the head of a table


def find_header(trees: Sequence[Node], records: Collection[NodeOrText]) -> dict[str, str]:
    """Return the name of each column, such as 2: Year, where the records are rows of a table that has a head, or groups of rows."""
    rows = {id(row) for part in records if isinstance(part, Node) for row in _rows_of(part)}
    heads = [
        names
        for tree in (trees if rows else ())
        for table in find_nodes(tree, "table")
        if (names := _read_head([row for part in table.children[:MAX_TABLE_ROWS] for row in _rows_of(part)], rows))
    ]
    if not heads:
        return {}
    same = [head for head in heads if len(head) == len(heads[0])]
    joined = {column: _join_names([head[column] for head in same]) for column in heads[0]}
    return {column: _SORT_SIGNS.sub("", name[:MAX_COLUMN_NAME_CHARS]) for column, name in joined.items()}


def _join_names(names: Sequence[str]) -> str:
    """Return what the heads of one column have in common: a count or the words asked for may stand beside its name."""
    if len(set(names)) == 1:
        return names[0]
    words = [name.split() for name in names]
    ends = [own[::-1] for own in words]
    start, end = (_common_start(each) for each in (words, ends))
    return " ".join(start if len(start) >= len(end) else end[::-1])


def _common_start(rows: Sequence[Sequence[str]]) -> Sequence[str]:
    return [some[0] for some in takewhile(lambda some: len(set(some)) == 1, zip(*rows, strict=False))]


def _rows_of(part: Node) -> Sequence[Node]:
    """Return the rows of a group, or a row itself; the cells of a head that stand in no row are one."""
    if part.tag == "tr":
        return (part,)
    if part.tag not in _ROW_GROUPS:
        return ()
    rows = [child for child in part.children[:MAX_TABLE_ROWS] if child.tag == "tr"]
    return rows or ([part] if any(child.tag in _CELLS for child in part.children) else [])


def _read_head(rows: Sequence[Node], records: Collection[int]) -> dict[str, str]:
    """Return the names in the last row before the records that looks like a head."""
    first = next((place for place, row in enumerate(rows) if id(row) in records), 0)
    for row in reversed(rows[:first]):
        cells = [cell for cell in row.children if cell.tag in _CELLS]
        names = [_SORT_SIGNS.sub("", text_of(cell, MAX_HEAD_CHARS)) for cell in cells]
        filled = [name for name in names if name]
        if len(filled) >= 2 and len(set(filled)) == len(filled) and _is_head(row, cells, rows[first]):
            wide = [name for cell, name in zip(cells, names, strict=True) for _ in range(width_of(cell))]
            return {str(column): name for column, name in enumerate(wide, 1)}
    return {}


def _is_head(row: Node, cells: Sequence[Node], record: Node) -> bool:
    """Return True if a row names the columns of another: by its tags, or by having as many cells of a few words each."""
    if row.tag == "thead" or sum(cell.tag == "th" for cell in cells) >= len(cells) / 2:
        return True
    others = [cell for cell in record.children if cell.tag in _CELLS]
    if len(cells) != len(others) or any(cell.attribute("colspan") for cell in row.children):
        return False
    # a row of numbers, or with links where the record has them, is a record that was not known as one
    is_linked = any(
        any(find_nodes(one, "a")) and any(find_nodes(other, "a")) for one, other in zip(cells, others, strict=True)
    )
    return not is_linked and not any(text_of(cell).strip(".)").isdecimal() for cell in cells)


# -- learning attributes


@dataclass(frozen=True, slots=True)
class AttributeSamples:
    """The records that attributes are learned from, and what is known beside them."""

    records: Sequence[Sequence[LabelledPiece]]
    asked: Collection[str] = ()
    header: Mapping[str, str] = field(default_factory=dict)  # column -> its name in the table's head: 2 -> Year
    constant: Collection[tuple[str, int]] = ()  # pieces that are no value: the same words in every record
    repeats: Mapping[str, str] = field(default_factory=dict)  # as in LabelPlaces


def learn_attributes(samples: AttributeSamples) -> tuple[Attribute, ...]:
    """Return the attributes of records: what only has a place, then what has a label in them."""
    named = list(_learn_named(samples))
    at: dict[str, list[LabelledPiece]] = defaultdict(list)  # without a label; a row may have as many places as cells
    for each in (each for item in samples.records for each in item if each.text and not each.label):
        at[each.place].append(each)
    placed = [each for place in _find_places(samples) for each in _learn_place(samples, at, *place)]
    # the values of a cell that is a list in some records are one attribute, a list in all of them
    lists = {each.name for each in placed if each.how == "header" and _CELL_LIST.match(each.place)}
    joined: dict[Attribute, None] = {}
    for found in placed:
        joined.setdefault(replace(found, number=0) if found.name in lists else found)
        if found.name in lists and (cell := CELL_PLACE.match(found.place)):  # one value may stand in the cell itself
            joined.setdefault(replace(found, number=0, place=cell[0]))
    return _with_unique_names([*_rename_repeated(joined, at, lists), *named], lists)[:MAX_ATTRIBUTES]


def _rename_repeated(
    attributes: Iterable[Attribute], at: Mapping[str, Sequence[LabelledPiece]], lists: Collection[str]
) -> Iterator[Attribute]:
    """Yield attributes; of several under one head, no list, only the one that most records have is called by it: the others by their class or kind, where they have one."""
    attributes = list(attributes)
    headed = [each for each in attributes if each.how == "header"]
    # the first of those that as many have
    named = {each.name: each for each in sorted(reversed(headed), key=lambda each: len(at[each.place]))}
    others: Counter[str] = Counter()
    for each in attributes:
        if each.how == "header" and each is not named[each.name] and each.name not in lists:
            others[each.name] += 1
            texts = [piece.text for piece in at[each.place] if each.number in (0, piece.number)]
            word = _find_class_word(each.place)
            kind = "" if word else find_kind(texts)
            numbered = f"{each.name} {others[each.name] + 1}"
            yield replace(each, name=word or kind or numbered, how="class" if word else "kind" if kind else each.how)
        else:
            yield each


def _learn_named(samples: AttributeSamples) -> Iterator[Attribute]:
    texts: dict[str, list[str]] = defaultdict(list)
    written: dict[str, Counter[str]] = defaultdict(Counter)
    for item in samples.records:
        for each in item:
            if each.label:
                written[fold_label(each.label)][each.label] += 1
                texts[fold_label(each.label)] += [each.text] if each.text else []
    for label, names in written.items():
        if not label:
            continue
        yield Attribute(
            names.most_common(1)[0][0], "label", label=label, several=find_separator(texts[label], samples.asked)
        )


def find_constant_pieces(
    records: Sequence[Sequence[LabelledPiece]], asked: Collection[str]
) -> frozenset[tuple[str, int]]:
    """Return the pieces that say the same in record after record: buttons, More, and no value."""
    texts: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    linked: set[tuple[str, int]] = set()
    for item in records:
        for each in item:
            if not each.label and each.text and not each.prop:
                texts[each.place, each.number][each.text.casefold()] += 1
                linked |= {(each.place, each.number)} if each.href else set()
    wanted = [each.casefold() for each in asked if each]
    constant = set()
    for key, counts in texts.items():
        text, count = counts.most_common(1)[0]
        is_cell = key[0].rpartition("/")[2].startswith("td[")
        # beside values at the same kind of place it is one: all records may be in one language
        others = [texts[other] for other in texts if other[0] == key[0] != "" and other != key and other not in linked]
        is_beside = key not in linked and any(
            each.most_common(1)[0][1] < CONSTANT_SHARE * each.total() for each in others
        )
        said = is_asked(text, wanted)
        # what is no link and differs now and then by a word of its kind is a value: a language, a state
        is_value = key not in linked and len(counts) > 1 and all(_is_alike(text, each) for each in counts)
        is_same = len(records) >= 3 and count >= CONSTANT_SHARE * counts.total() and count >= 3
        if is_same and not is_value and not is_beside and not said and not is_cell:
            constant.add(key)
    return frozenset(constant | _find_constant_links(records))


def _is_alike(one: str, other: str) -> bool:
    """Return True if two texts have as many words, and about as many letters."""
    return len(one.split()) == len(other.split()) and max(len(one), len(other)) <= 2 * min(len(one), len(other))


def _find_constant_links(records: Sequence[Sequence[LabelledPiece]]) -> set[tuple[str, int]]:
    """Return the links that have the same words and lead elsewhere each time."""
    seen: dict[tuple[str, int], tuple[set[str], set[str], list[int]]] = {}
    for item in records:
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


def _find_places(samples: AttributeSamples) -> list[tuple[str, int]]:
    """Return the places without a label, in their order, each with the number of pieces there; 0 for a list."""
    counts: dict[str, list[int]] = {}
    order: dict[str, float] = {}
    for item in samples.records:
        own: Counter[str] = Counter()
        for position, each in enumerate(item):
            if each.text and not each.label and (each.place, each.number) not in samples.constant:
                own[each.place] = max(own[each.place], each.number)
                order.setdefault(each.place, position)
        for place, count in own.items():
            counts.setdefault(place, []).append(count)
    found = []
    for place in sorted(counts, key=order.__getitem__):
        number, share = Counter(counts[place]).most_common(1)[0]
        is_list = number > 12 or share < MIN_SAME_COUNT_SHARE * len(counts[place])
        is_list = is_list or (number == 1 and sum(count > 1 for count in counts[place]) >= MIN_LIST_RECORDS)
        least = max(MIN_LIST_RECORDS, MIN_MORE_SHARE * len(counts[place]))  # records that have more than most of them
        number = max(
            number, 0, *(count for count, often in Counter(counts[place]).items() if often >= least and count <= 12)
        )
        if len(counts[place]) >= MIN_PLACE_SHARE * len(samples.records):
            found.append((place, 0 if is_list else number))
    return found


def _learn_place(
    samples: AttributeSamples, at: Mapping[str, Sequence[LabelledPiece]], place: str, number: int
) -> Iterator[Attribute]:
    """Yield the attributes at a place: one for each piece there, or for each part of its text."""
    rows = [own for item in samples.records if (own := _pieces_at(item, place))]
    columns = align_columns([[each.text for each in own] for own in rows]) if len(set(map(len, rows))) > 1 else ()
    if columns:
        aligned = [_align_pieces(own, columns) for own in rows]
        for which, column in enumerate(columns):
            pieces = [own[which] for own in aligned if which in own]
            start = _with_looks(Attribute("", "place", place=place, number=which + 1), column)
            is_button = all(each.href for each in pieces) and len({each.text for each in pieces}) == 1
            yield replace(start, how=BUTTON) if is_button else _learn_whole(samples, pieces, start)
        return
    for which in range(1, number + 1) if number else (0,):
        if (place, which) in samples.constant:
            continue
        pieces = [each for each in at[place] if which in (0, each.number)]
        if pieces:
            yield from _learn_pieces(samples, pieces, Attribute("", "place", place=place, number=which))


def _pieces_at(item: Sequence[LabelledPiece], place: str) -> list[LabelledPiece]:
    return [each for each in item if each.place == place and each.text and not each.label]


def _align_pieces(pieces: Sequence[LabelledPiece], columns: Sequence[TextColumn]) -> dict[int, LabelledPiece]:
    """Return which piece at a place belongs to which column there."""
    at = find_columns([each.text for each in pieces], columns)
    return {column: pieces[which] for column, which in at.items()}


def _learn_pieces(samples: AttributeSamples, pieces: Sequence[LabelledPiece], start: Attribute) -> Iterator[Attribute]:
    name, how = _name_pieces(samples, pieces, start.place)
    texts = [piece.text for piece in pieces]
    if not name and count_along(texts):
        return
    is_one = _is_title_place(pieces, start) or how == "header"  # what has one name is one thing, however it is written
    alone = all(sum(bool(each.text) for each in item) < 2 for item in samples.records)
    separator, parts = ("", 0) if is_one else find_column_separator(texts, alone=alone)
    optional: tuple[TextColumn, ...] = ()
    if not is_one and (not parts or any(len(split_columns(text, separator)) != parts for text in texts)):
        other, optional = find_optional_columns(texts, alone=alone)
        separator = other or separator
    if not parts and not optional:
        yield _learn_whole(samples, pieces, start)
        return
    split = [split_columns(text, separator) for text in texts]
    whole = [dict(enumerate(own)) for own in split if len(own) == parts]
    columns = optional or learn_columns(whole, parts)  # a record that comes later may lack one of them
    rows = [align_parts(own, columns) for own in split] if optional else whole
    for part, column in enumerate(columns):
        own = [row[part] for row in rows if part in row]
        kind = "" if name else find_kind(own)
        named = replace(start, name=name or kind, how="kind" if kind else how, separator=separator, part=part + 1)
        named = _with_looks(named, column)
        yield replace(named, several=find_separator(own, samples.asked))


def _learn_whole(samples: AttributeSamples, pieces: Sequence[LabelledPiece], start: Attribute) -> Attribute:
    """Return the attribute of texts that are no columns: one value each, or a list."""
    name, how = _name_pieces(samples, pieces, start.place)
    texts = [piece.text for piece in pieces]
    is_one = _is_title_place(pieces, start) or how == "header"
    kind = "" if name or _HEADING_PLACE.search(start.place) else find_kind(texts)
    between = find_separator(texts, samples.asked) or ("" if is_one else find_clear_separator(texts))
    if start.place in samples.repeats and {item[0] for item in samples.records if item}.isdisjoint(pieces):
        between = between or samples.repeats[start.place]  # not in the title itself
    return replace(start, name=name or kind, how="kind" if kind else how, several=between)


def _is_title_place(pieces: Iterable[LabelledPiece], start: Attribute) -> bool:
    return _HEADING_PLACE.search(start.place) is not None or any(piece.href for piece in pieces)


def _with_looks(attribute: Attribute, column: TextColumn) -> Attribute:
    """Return an attribute with what its values look like."""
    shapes = tuple(sorted((shape, round(share, 3)) for shape, share in column.shapes.items()))
    return replace(attribute, seen=tuple(sorted(column.seen)), shapes=shapes)


def _name_pieces(samples: AttributeSamples, pieces: Sequence[LabelledPiece], place: str) -> tuple[str, str]:
    """Return the name of the pieces at a place, and how it was found."""
    prop, count = Counter(piece.prop for piece in pieces).most_common(1)[0]
    if prop and count >= CONSTANT_SHARE * len(pieces):
        return prop.split()[0].rpartition(":")[2], "itemprop"
    cell = CELL_PLACE.match(place)
    if cell and samples.header.get(cell[1]):
        return samples.header[cell[1]], "header"
    word = _find_class_word(place)
    return (word, "class") if word else ("", "place")


def _find_class_word(place: str) -> str:
    """Return the last class at a place that says what stands there, or nothing."""
    words = (_CLASS_SEPARATOR.split(word)[-1] for step in reversed(place.split("/")) for word in step.split(".")[1:])
    return next((word for word in words if word in _ATTRIBUTE_CLASSES), "")


def _with_unique_names(attributes: Sequence[Attribute], lists: Collection[str] = ()) -> tuple[Attribute, ...]:
    """Give every attribute a name of its own, but for the places of one list; one that has none is named by its number: column 3."""
    taken: Counter[str] = Counter()
    named = []
    for place, each in enumerate(attributes, 1):
        name = each.name or f"column {place}"
        taken[fold_label(name)] += 1
        if taken[fold_label(name)] > 1 and not (each.how == "header" and name in lists):
            name = f"{name} {taken[fold_label(name)]}"
        named.append(replace(each, name=name))
    return tuple(named)


def name_title(
    attributes: Sequence[Attribute], records: Sequence[Sequence[LabelledPiece]], link: tuple[str, int]
) -> tuple[tuple[Attribute, ...], str]:
    """Return the attributes, and the name of the one that identifies records: always one value, named title if by nothing else."""
    # the attribute in the link to a record's page, or in a heading, else the first one that differs
    unlabelled = [each for each in attributes if not each.label]
    linked = (each for each in unlabelled if each.part <= 1 and each.place == link[0] and each.number in (0, link[1]))
    headed = (each for each in unlabelled if each.part <= 1 and _HEADING_PLACE.search(each.place))
    found = next(linked, None) or next(headed, None) or _find_telling(unlabelled or attributes, records)
    if found is None:
        return tuple(attributes), ""
    name = "title" if found.how in ("place", "kind") else found.name
    whole = [replace(each, several="") for each in attributes]
    same = _find_copies(records, whole, found.name)
    named = [replace(each, several="") if each.name in same else each for each in attributes]
    return tuple(
        replace(each, name=name, how="title") if each.name == found.name != name else each for each in named
    ), name


def _find_telling(attributes: Sequence[Attribute], records: Sequence[Sequence[LabelledPiece]]) -> Attribute | None:
    """Return the first attribute that tells most records from each other; the first of all where none does."""
    texts: dict[str, set[str]] = defaultdict(set)
    for item in records:
        for value in read_record_values(item, attributes):
            texts[value.attribute].add(value.text)
    telling = (each for each in attributes if len(texts[each.name]) >= MIN_TELLING_SHARE * len(records))
    return next(telling, next(iter(attributes), None))


# How a column was named that the page has no name for, the best way first: of two that say the same, the better name is kept.
_UNSAID_NAMES: Final = ("class", "title", "kind", "place")


def drop_redundant(
    attributes: Sequence[Attribute], records: Sequence[Sequence[LabelledPiece]], title: str = ""
) -> tuple[Attribute, ...]:
    """Return the attributes without those that only repeat others: the same text, or a title that is made of several values."""
    rows = [_texts_by_name(read_record_values(item, attributes)) for item in records]
    dropped: set[str] = set()
    # what the page itself names is an attribute, but for a title that leads to the record and is made of others
    looked_at = [each for each in attributes if each.how in _UNSAID_NAMES or (each.name == title and not each.label)]
    for each in sorted(looked_at, key=lambda each: -_UNSAID_NAMES.index(each.how) if each.how in _UNSAID_NAMES else 1):
        own = [row for row in rows if each.name in row]
        if len({tuple(row[each.name]) for row in own}) < MIN_REDUNDANT_TEXTS:
            continue
        kept = [other.name for other in attributes if other.name not in dropped and other.name != each.name]
        equal = Counter(name for row in own for name in kept if row.get(name) == row[each.name])
        composed = sum(_is_composed(row, each.name, kept) for row in own)
        is_named = each.how not in _UNSAID_NAMES
        if max(composed, 0, *(() if is_named else equal.values())) >= MIN_REDUNDANT_SHARE * len(own):
            dropped.add(each.name)
    return tuple(each for each in attributes if each.name not in dropped)


def _texts_by_name(values: Iterable[Value]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for value in values:
        found[value.attribute].append(value.text)
    return found


def _is_composed(row: Mapping[str, Sequence[str]], name: str, others: Iterable[str]) -> bool:
    """Return True if the words of a text are the values of two other attributes or more, one after the other: Ford Mondeo 2005."""
    left = f" {' '.join(_WORDS.findall(' '.join(row[name]).casefold()))} "
    used = 0
    values = ((" ".join(_WORDS.findall(text.casefold())), other) for other in others for text in row.get(other, ()))
    for words, _ in sorted(values, key=lambda each: -len(each[0])):
        if words and f" {words} " in left:
            left = left.replace(f" {words} ", "  ", 1)
            used += 1
    return used > 1 and not left.strip()


def _find_copies(records: Sequence[Sequence[LabelledPiece]], attributes: Sequence[Attribute], title: str) -> set[str]:
    """Return the attributes that say the same as the title."""
    counts: Counter[str] = Counter()
    for item in records:
        values = read_record_values(item, attributes)
        titles = {value.text for value in values if value.attribute == title}
        counts.update({value.attribute for value in values if value.text in titles})
    return {name for name, count in counts.items() if count >= MIN_SAME_COUNT_SHARE * counts[title]}


# -- reading values


def read_record_values(pieces: Sequence[LabelledPiece], attributes: Sequence[Attribute]) -> list[Value]:
    """Return the values of one record."""
    named = {each.label: each for each in attributes if each.label}
    placed: dict[str, list[Attribute]] = defaultdict(list)
    for each in attributes:
        if not each.label:
            placed[each.place].append(each)
    joined = list(_join_pieces(pieces))
    numbers: dict[tuple[str, int], int] = {}  # of pieces at places where any may be missing: the column of each
    for place, own in placed.items():
        columns = [each for each in own if each.number and not each.part and each.shapes]
        if columns:
            aligned = _align_pieces(_pieces_at(joined, place), _columns_of(columns))
            numbers |= {(place, piece.number): columns[which].number for which, piece in aligned.items()}
    values: list[Value] = []
    for piece in joined:
        if piece.label:
            attribute = named.get(fold_label(piece.label)) or Attribute(piece.label, "label")
            values += [Value(attribute.name, text) for text in split_values(piece.text, attribute.several)]
        else:
            number = numbers.get((piece.place, piece.number), piece.number)
            own = [each for each in placed.get(piece.place, ()) if each.number in (0, number) and each.how != BUTTON]
            for each, text in _part_text(piece.text, own):
                values += [Value(each.name, part) for part in split_values(text, each.several) if part]
    return list(dict.fromkeys(values))[:MAX_RECORD_VALUES]


def _part_text(text: str, attributes: Sequence[Attribute]) -> Iterator[tuple[Attribute, str]]:
    """Yield the attributes of a text with their parts of it; one that is not split has the whole."""
    optional = [each for each in attributes if each.part and each.shapes]
    columns = _columns_of(optional)
    last = max((each.part for each in attributes), default=0)  # what is more than the parts belongs to the last of them
    for each in attributes:
        parts = split_columns(text, each.separator, last) if each.part else [text]
        row = align_parts(parts, columns) if each in optional else dict(enumerate(parts))
        own = row.get(max(each.part, 1) - 1)
        if own:
            yield each, own


def _columns_of(attributes: Iterable[Attribute]) -> list[TextColumn]:
    return [TextColumn(dict(each.shapes), frozenset(each.seen)) for each in attributes]


def _join_pieces(pieces: Sequence[LabelledPiece]) -> Iterator[LabelledPiece]:
    """Yield the pieces of a record; those under one label at different places are one value: 12 <small>km</small>."""
    under: list[LabelledPiece] = []
    for piece in pieces:
        if under and (
            piece.label != under[0].label or not piece.label or piece.place in {each.place for each in under}
        ):
            yield under[0]._replace(text=" ".join(each.text for each in under))
            under = []
        if piece.text:
            under.append(piece)
    if under:
        yield under[0]._replace(text=" ".join(each.text for each in under))
