"""Two answers of one door side by side: what only one of them has, and which of that are the records.

Menus stand on both and fall away. What is left is grouped by the place it stands at: the records are the
children of one element that look alike and hold the most words. Facets and numbers of pages differ from
answer to answer too, but say less.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dowse.model import Block, Link

MAX_BLOCKS = 6_000  # blocks of one answer that are compared
MAX_GROUPS = 60  # groups that are looked at closely, those with the most words
LIKE = 0.5  # share of its pieces that a record must have in common with most of them
ALIKE = 0.7  # the same, where that many are made of exactly the same pieces
LEAST = 2  # records that make a group
LONGEST_LINE = 400

_INLINE = frozenset("# a abbr b big cite code em font i mark q small span strong sub sup tt u var".split())
_NUMBERS = re.compile(r"\.\d+")
_PAIR = re.compile(r"(?:^|[;|•·(,]|\s[-–])\s?([^\W\d][^:;|•·,()]{0,30}):\s?([^;|•·]{0,80})")

Item = tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """The records of an answer, as the page shows them."""

    place: str  # the element that they stand in
    items: tuple[Item, ...] = ()

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.items)

    @property
    def pieces(self) -> float:
        """How many pieces of text most of them have."""
        sizes = sorted(len(item) for item in self.items)
        return float(sizes[len(sizes) // 2]) if sizes else 0.0

    @property
    def alike(self) -> float:
        """The share of them that are made of exactly the same pieces."""
        shapes = Counter(tuple(sorted(shape_of(self.place, item).items())) for item in self.items)
        return shapes.most_common(1)[0][1] / self.size if self.items else 0.0


def key_of(block: Block) -> str:
    """Return what is the same for the same words at the same kind of place."""
    return f"{_NUMBERS.sub('', block.path)} {block.text}"


def keys_of(blocks: Iterable[Block]) -> frozenset[str]:
    """Return what an answer says, and at which kind of place."""
    return frozenset(map(key_of, blocks))


def find_items(blocks: Sequence[Block], other: Collection[str]) -> Items:
    """Return the records of an answer: the largest group of like things that another, by its keys, does not have."""
    blocks = blocks[:MAX_BLOCKS]
    own = {block.path for block in blocks if key_of(block) not in other}
    best, most = Items(""), 0
    for place, tag in _largest_groups(block for block in blocks if block.path in own):
        found = _split(blocks, place, tag)
        weight = sum(len(block.text) for item in found.items for block in item if block.path in own)
        if found.size >= LEAST and weight > most:
            best, most = found, weight
    return _go_down(best)


def _largest_groups(own: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """Yield the elements that have several children of one tag with something of their own in them, most words first."""
    children: dict[tuple[str, str], set[str]] = {}
    words: Counter[tuple[str, str]] = Counter()
    for block in own:
        place = ""
        for part in block.path.split("/"):
            group = (place, part.partition(".")[0])
            children.setdefault(group, set()).add(part)
            words[group] += len(block.text)
            place = f"{place}/{part}" if place else part
    several = [group for group, parts in children.items() if len(parts) >= LEAST]
    yield from sorted(several, key=lambda group: -words[group])[:MAX_GROUPS]


def _split(blocks: Sequence[Block], place: str, tag: str) -> Items:
    """Return the like children of an element; where one tag opens each record and others follow, each with what follows."""
    inside = [block for block in blocks if block.path.startswith(f"{place}/")]
    starter = _find_starter(inside, place, tag)
    if starter != tag:
        opened = _from_starter(inside, place, starter)
        like = _like(place, opened)
        if len(like) >= max(LEAST, 0.6 * len(opened)):
            return Items(place, like)
    grouped: dict[str, list[Block]] = {}
    for block in inside:
        child = _child(block, place)
        if child.partition(".")[0] == tag:
            grouped.setdefault(child, []).append(block)
    return Items(place, _like(place, [tuple(item) for item in grouped.values()]))


def _child(block: Block, place: str) -> str:
    return block.path[len(place) + 1 :].partition("/")[0]


def _find_starter(inside: Sequence[Block], place: str, tag: str) -> str:
    """Return the tag that opens each record, where records have no element of their own (dt dd dd dt dd dd)."""
    order = [child.partition(".")[0] for child in dict.fromkeys(_child(block, place) for block in inside)]
    for starter in dict.fromkeys(order[: order.index(tag)] if tag in order else ()):
        runs = sum(1 for one, two in pairwise(order) if one != tag and two == tag)
        opened = order.count(starter)
        if opened >= LEAST and runs >= 0.8 * opened and opened >= 0.8 * runs:
            return starter
    return tag


def _from_starter(inside: Sequence[Block], place: str, starter: str) -> list[Item]:
    items: list[list[Block]] = []
    seen = ""
    for block in inside:
        child = _child(block, place)
        if child.partition(".")[0] == starter and child != seen:
            items.append([])
            seen = child
        if items:
            items[-1].append(block)
    return [tuple(item) for item in items]


def shape_of(place: str, item: Iterable[Block]) -> Counter[str]:
    """Return which pieces a record is made of: paths from its own element on, without numbers; and names within a text."""
    shape: Counter[str] = Counter()
    for block in item:
        path = _NUMBERS.sub("", block.path[len(place) + 1 :])
        shape[path] += 1
        shape.update(f"{path} {name}" for name, _ in find_pairs(block.text))
    return shape


def find_pairs(text: str) -> list[tuple[str, str]]:
    """Return the names and values in a text such as (Year: 1999; Colour: red); one name alone is a title with a colon."""
    pairs = [(name.strip(), value.strip(" )")) for name, value in _PAIR.findall(text)]
    return pairs if len(pairs) > 1 else []


def _like(place: str, items: Sequence[Item]) -> tuple[Item, ...]:
    """Return those that are made like most of them: an advertisement between records is not."""
    shapes = [shape_of(place, item) for item in items]
    if not shapes:
        return ()
    written = [tuple(sorted(shape.items())) for shape in shapes]
    counted = Counter(written)
    usual = max(zip(written, shapes, strict=True), key=lambda pair: (counted[pair[0]] * pair[1].total(), pair[0]))[1]
    wanted = ALIKE if max(counted.values()) >= ALIKE * len(items) else LIKE
    return tuple(item for item, shape in zip(items, shapes, strict=True) if _likeness(shape, usual) > wanted)


def _likeness(one: Counter[str], two: Counter[str]) -> float:
    return (one & two).total() / max(1, (one | two).total())


def _go_down(found: Items) -> Items:
    """Return the records in the rows of a grid, when the items are such rows."""
    inner = [_split(item, *_inner_group(item)) for item in found.items[:200]]
    if len(inner) < LEAST or not all(each.size >= LEAST and each.pieces >= 2 for each in inner[:-1]):
        return found
    items = [item for each in inner for item in each.items]
    first = [item[0].text for item in items]
    covered = sum(map(len, items)) >= 0.8 * sum(map(len, found.items))
    if covered and len(set(first)) >= 0.8 * len(first):  # with labels before each value they would repeat
        return Items(found.place, tuple(items))
    return found


def _inner_group(item: Item) -> tuple[str, str]:
    """Return the element in a row that holds most of its children."""
    groups = list(_largest_groups(item))
    return groups[0] if groups else (item[0].path, "")


def find_lines(blocks: Sequence[Block], items: Items, other: Collection[str]) -> list[str]:
    """Return the lines beside the records that only this answer has: a count, a remark, numbers of pages."""
    inside = {block.path for item in items.items for block in item}
    lines: dict[str, list[Block]] = {}
    for block in blocks[:MAX_BLOCKS]:
        if block.path not in inside:
            lines.setdefault(_line_of(block.path), []).append(block)
    return [
        " ".join(block.text for block in line)[:LONGEST_LINE]
        for line in lines.values()
        if any(key_of(block) not in other for block in line)
    ]


def _line_of(path: str) -> str:
    """Return the element that begins a line: the first one above that is not in the flow of words."""
    while path.rpartition("/")[2].partition(".")[0] in _INLINE:
        path = path.rpartition("/")[0]
    return path


def find_item_links(links: Iterable[Link], items: Items) -> list[Link]:
    """Return the links of an answer that stand in its records."""
    titles = {block.text for item in items.items for block in item}
    place = _NUMBERS.sub("", items.place)
    return [link for link in links if link.path.startswith(place) and (not link.text or _says(link.text, titles))]


def _says(text: str, titles: Collection[str]) -> bool:
    return text in titles or any(text.startswith(title) for title in titles if len(title) > 3)
