"""The pieces of a page: kinds of places, the ways to cut the content of a tag into records, the texts of a record with their places.

A place is a path of tags, each by its tag and classes, never by its number: a step such as `div.row` stands for every
div that has that class, whatever others it has and wherever it comes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Final, NamedTuple

from msgspec import Struct

from dowse.tree.node import Node, find_nodes, sign_of
from dowse.url import resolve

# Numbers that begin with MAX bound the work on one page. The shares were set by hand on family A and the labelled list pages;
# what they are worth together is measured by `python -m bench extract`.
MAX_LABEL_CHARS: Final = 60  # of a label
LABEL_ENDS: Final = " \t:：;,|•·"
MAX_PIECES: Final = 400  # of one record; longer ones are cut
MAX_PIECE_CHARS: Final = 10_000  # of one piece: a description, an abstract
MAX_COLSPAN: Final = 100  # columns that one cell may take
MAX_UNITS: Final = 10_000  # in one tag: as many as records of a page
MAX_RECORD_UNITS: Final = 60  # of one record
MAX_UNIT_KINDS: Final = 6  # in one tag that may be records or begin one
MAX_SHAPE_PARTS: Final = 24  # parts of a tag that its shape is made of
MIN_SAME_TAG_SHARE: Final = 0.4  # of records with a unit of the starter's tag after it, to be a part of them
MIN_OTHER_TAG_SHARE: Final = 0.1  # the same for a unit of another tag: what a record may have
MIN_REPEATS: Final = 2  # records that are a repetition
LAST_STEPS: Final = 2  # of a place that must be the same when the page around it is built differently
MIN_HIGHLIGHTS: Final = 2  # highlighted words that make a tag a highlight
MIN_HIGHLIGHT_SHARE: Final = 0.8  # of such tags that hold what was asked for
HIGHLIGHT_TAGS: Final = frozenset(
    {"mark", "wbr"}
)  # tags that separate no words: highlighted search words, places to break
MIN_CUT_CHARS: Final = 4  # of a text before the dots that say it was cut
MIN_RUNNING_CHARS: Final = 40  # of text beside a word that is highlighted; a label has less
CELL_PLACE: Final = re.compile(
    r"(?:tbody[^/]*/)?(?:tr[^/]*/)?t[dh]\[(\d+)\]"
)  # a cell of the record's row: td[2], tr.odd/th[1]/a
SPONSORED_PLACE: Final = "@sponsored"  # below a link that is marked so for search engines

_CUT_ENDS: Final = " .…"
_BEFORE_TEXT: Final = re.compile(r"\A[.–—-] ")  # signs that part a text from what stands before it
BETWEEN_SIGNS: Final = " ,;|•·"  # signs that stand between texts and belong to none
_NAVIGATION_TAGS = frozenset({"nav", "footer", "aside"})
_CELLS = frozenset({"td", "th"})
_THING_PROPERTIES = frozenset({"itemListElement", "item", "itemOffered", "mainEntity"})  # properties that are things
_VALUE_ATTRIBUTES = ("content", "datetime")
_NAME_ATTRIBUTES = (
    "data-label",
    "data-title",
    "data-th",
)  # the head of a column, repeated in its cells for small screens
_INLINE_TAGS = frozenset(
    "a abbr b bdi bdo big cite code em font i img input kbd label mark q s samp small span strike strong sub sup time tt u var wbr".split()
)
_HIGHLIGHT_LIKE_TAGS: Final = frozenset("b strong em i span font u".split())
_NAMING_ID = re.compile(r"[A-Za-z_-]{1,40}")  # an id with digits numbers its tag, and is of one page
_RULE, _GAP = "hr", "br+br"
_LEVELS = ("tag", "sign", "shape")  # fields of a Unit, from the plainest to the most detailed

NodeOrText = Node | str


class TextPiece(NamedTuple):
    """A text of a record, or a link or picture without one."""

    place: str  # tags from the record's own on: div.head/h3/a, td[2]
    text: str
    href: str = ""  # where the link leads that it stands in
    prop: str = ""  # what microdata, RDFa or the cell itself call it


class Unit(NamedTuple):
    """A tag among others of its kind, or a line of words and inline tags."""

    parts: tuple[NodeOrText, ...]
    sign: str  # div.card; ~b for a line that begins with a bold word; hr
    tag: str  # div
    shape: str  # div(h3 p): what stands in it


RecordUnits = tuple[Unit, ...]


class Cut(Struct, frozen=True, forbid_unknown_fields=True):
    """Where one record begins and ends among the units of a tag; its fields are keys of a stored wrapper."""

    way: str  # element: each unit is a record; starter: one begins each; between: separators stand between them
    level: str  # by which field of a unit its kind is known: tag, sign (tag and classes) or shape (what stands in it)
    sign: str
    follows: tuple[str, ...] = ()  # kinds of units that follow a starter within one record
    most: int = 1  # units of the longest record

    @property
    def is_tag(self) -> bool:
        """Whether each record is one tag, not a line of text: places are counted from within it."""
        return self.way == "element" and not self.sign.startswith("~")


# -- places


def walk_paths(tree: Node) -> Iterator[tuple[Node, str]]:
    """Yield each tag with the signs of those it stands in, and its own; navigation left out."""
    waiting = [(tree, tree.tag)]
    while waiting:
        node, path = waiting.pop()
        yield node, path
        inner = [part for part in node.content if isinstance(part, Node) and part.tag not in _NAVIGATION_TAGS]
        waiting.extend((child, f"{path}/{sign_of(child)}") for child in reversed(inner))


def without_classes(path: str) -> str:
    """Return a path by tags alone."""
    return "/".join(sign.partition(".")[0] for sign in path.split("/"))


def join_paths(paths: Sequence[str]) -> str:
    """Return the path that paths of the same tags have in common: the classes of all of them."""
    joined = []
    for signs in zip(*(path.split("/") for path in paths), strict=True):
        tag, *classes = signs[0].split(".")
        shared = set(classes).intersection(*(sign.split(".")[1:] for sign in signs[1:]))
        joined.append(".".join((tag, *sorted(shared))))
    return "/".join(joined)


def find_places(tree: Node, where: Sequence[str]) -> list[Node]:
    """Return the tags at a place, in the order of the page; if there is none, those whose last steps are the same."""
    level = [tree] if where and _matches(sign_of(tree), where[0]) else []
    for each in where[1:]:
        step, _, own = each.partition("#")
        level = [
            child
            for node in level
            for child in node.content
            if isinstance(child, Node)
            and child.tag not in _NAVIGATION_TAGS
            and _matches(sign_of(child), step)
            and (not own or child.attribute("id") == own)
        ]
    last = [step.partition("#")[0] for step in where[-LAST_STEPS:]]
    if level or not any("." in step for step in last):  # plain tags are everywhere
        return level
    ends = ((node, path.rsplit("/", LAST_STEPS)[-LAST_STEPS:]) for node, path in walk_paths(tree))
    return [node for node, signs in ends if len(signs) == len(last) and all(map(_matches, signs, last))]


def find_texts_before(tree: Node, places: Collection[Node]) -> list[str]:
    """Return the text that stands right before each of these tags, such as the heading of a list."""
    found = {id(node): "" for node in places}
    last = ""
    waiting: list[NodeOrText] = [tree]
    while waiting:
        part = waiting.pop()
        if not isinstance(part, Node):
            last = " ".join(part.split()) or last
            continue
        if id(part) in found:
            found[id(part)] = last
        if part.tag != "script":
            waiting.extend(reversed(part.content))
    return [found[id(node)] for node in places]


def add_ids(tree: Node, where: Sequence[str], node: Node) -> tuple[str, ...]:
    """Return a place with the ids of the tags on the way to one at it, where others stand at the same kind of place: div.box#hits."""
    way: list[Node] = []
    waiting = [(tree, 0)]
    while waiting and (not way or way[-1] is not node):
        each, depth = waiting.pop()
        way[depth:] = [each]
        waiting.extend((child, depth + 1) for child in each.children)
    if way[-1:] != [node] or len(way) != len(where):
        return tuple(where)
    ids = (each.attribute("id") for each in way)
    return tuple(f"{step}#{own}" if _NAMING_ID.fullmatch(own) else step for step, own in zip(where, ids, strict=True))


def _matches(sign: str, step: str) -> bool:
    """Return True if a tag with a sign is of the kind that a step stands for."""
    if sign == step:
        return True
    tag, *classes = step.split(".")
    own, *others = sign.split(".")
    return tag == own and set(classes) <= set(others)


# -- the texts of a record


@dataclass(slots=True)
class PieceReader:
    """Reads the pieces of records of one page; what stands in a tag is read once, whatever is tried with it."""

    marks: Collection[str] = ()  # signs of tags that only highlight words, beside those that always do
    asked: Collection[str] = ()  # words, folded, that are highlighted where they stand in running text
    _known: dict[int, list[TextPiece]] = field(default_factory=dict)

    def read(self, parts: Iterable[NodeOrText], cut: Cut) -> list[TextPiece]:
        """Return the pieces of a record; the tag that is one is no part of each place."""
        parts = tuple(parts)
        if cut.is_tag and len(parts) == 1 and isinstance(parts[0], Node):
            return self._read_node(parts[0])
        return self._read_content(parts)[:MAX_PIECES]

    def _read_node(self, node: Node) -> list[TextPiece]:
        """Return the pieces in a tag; each with the link and the property around it."""
        known = self._known.get(id(node))
        if known is None:
            known = self._read_content(node.content)
            if node.attributes:
                known = _with_attributes(node, known)
            known = self._known[id(node)] = known[:MAX_PIECES]
        return known

    def _read_content(self, content: tuple[NodeOrText, ...]) -> list[TextPiece]:
        """Return texts and tags in their order; texts that only a highlighted word separates are one."""
        pieces: list[TextPiece] = []
        line: list[str] = []
        column = 0
        for part in content:
            if isinstance(part, str):
                line.append(part)
            elif (
                part.tag in HIGHLIGHT_TAGS
                or sign_of(part) in self.marks
                or (self.asked and self._is_hit(part, content))
            ):
                line += part.texts
            else:
                _add_line(pieces, line)
                if part.tag != "br":
                    step = write_step(part, column + 1)
                    column += width_of(part)
                    pieces += [
                        TextPiece(f"{step}/{place}" if place else step, text, href, prop)
                        for place, text, href, prop in self._read_node(part)
                    ]
        _add_line(pieces, line)
        return pieces

    def _is_hit(self, node: Node, around: Sequence[NodeOrText]) -> bool:
        """Return True if a tag only highlights a word that was asked for, in running text."""
        if node.tag not in _HIGHLIGHT_LIKE_TAGS or node.children or " ".join(node.texts).casefold() not in self.asked:
            return False
        return sum(len(part) for part in around if isinstance(part, str)) >= MIN_RUNNING_CHARS


def _with_attributes(node: Node, pieces: list[TextPiece]) -> list[TextPiece]:
    """Return the pieces of a tag with what its attributes say of them."""
    href = node.attribute("href") if node.tag == "a" else ""
    own = node.attribute("itemprop") or node.attribute("property")
    shown = next((node.attribute(name) for name in _NAME_ATTRIBUTES if node.attribute(name)), "") if not own else ""
    said = next((node.attribute(name) for name in _VALUE_ATTRIBUTES if own and node.attribute(name)), "")
    if said:
        return [TextPiece("", " ".join(said.split())[:MAX_PIECE_CHARS], href, own)]
    if node.attribute("title") and len(pieces) == 1:
        pieces = [pieces[0]._replace(text=_whole_text(pieces[0].text, node.attribute("title")))]
    if node.tag == "img" or (href and not pieces):
        pieces = [*pieces, TextPiece("", "")]
    if href and "sponsored" in node.attribute("rel"):
        pieces = [*pieces, TextPiece(SPONSORED_PLACE, "")]
    is_thing = own in _THING_PROPERTIES or node.attribute("itemtype") or node.attribute("typeof")
    prop = "" if is_thing else own or shown  # a thing has properties of its own, and is none itself
    if not href and not prop:
        return pieces
    return [TextPiece(piece.place, piece.text, piece.href or href, piece.prop or prop) for piece in pieces]


def _whole_text(shown: str, title: str) -> str:
    """Return the title of a tag where what it shows is the cut beginning of it."""
    start, whole = shown.rstrip(_CUT_ENDS), " ".join(title.split())[:MAX_PIECE_CHARS]
    return whole if start != shown and len(start) >= MIN_CUT_CHARS and whole.startswith(start) else shown


def _add_line(pieces: list[TextPiece], line: list[str]) -> None:
    if not line:
        return
    text = " ".join("".join(line).split())[:MAX_PIECE_CHARS].strip(BETWEEN_SIGNS)
    text = _BEFORE_TEXT.sub("", text)
    line.clear()
    if any(map(str.isalnum, text)):
        pieces.append(TextPiece("", text))


def width_of(cell: Node) -> int:
    """Return how many columns a cell takes."""
    if cell.tag not in _CELLS:
        return 1
    span = cell.attribute("colspan")[:3]
    return min(MAX_COLSPAN, max(1, int(span))) if span.isdecimal() else 1


def write_step(node: Node, column: int) -> str:
    """Return one step of a place: cells by their first column, other tags by their property and class."""
    if node.tag in _CELLS:
        return f"{node.tag}[{column}]"
    prop = node.attribute("itemprop") if node.attributes else ""
    return f"{node.tag}@{prop}{sign_of(node)[len(node.tag) :]}" if prop else sign_of(node)


def resolve_link(href: str, page: str) -> str:
    """Return where a link leads, or nothing when it leads to no page."""
    if not href or href.startswith("#"):
        return ""
    return resolve(href, page) or ""


# -- cutting the content of a tag into records


def split_units(parent: Node) -> list[Unit]:
    """Return what stands in a tag, unit by unit."""
    flows = any(
        (isinstance(part, str) and any(map(str.isalnum, part))) or (isinstance(part, Node) and part.tag == "br")
        for part in parent.content
    )
    units: list[Unit] = []
    line: list[NodeOrText] = []
    breaks = 0  # in a row
    for part in (*parent.content[: 4 * MAX_UNITS], None):  # None ends the last line
        if part is not None and flows and _flows_inline(part):
            line.append(part)
            continue
        first = next((each for each in line if not isinstance(each, str) or each.strip()), None)
        if first is not None:
            sign, tag = (f"~{sign_of(first)}", f"~{first.tag}") if isinstance(first, Node) else ("~", "~")
            units.append(Unit(tuple(line), sign, tag, sign))
            breaks = 0
        line.clear()
        if isinstance(part, Node) and part.tag != "br":
            # which tags stand in it, each once in a row
            tags = (each for each in part.content[:MAX_SHAPE_PARTS] if isinstance(each, Node))
            spans = (f"{each.tag}{each.attribute('colspan')}{'^' * bool(each.attribute('rowspan'))}" for each in tags)
            inner = [step for step, _ in groupby(spans)]
            units.append(Unit((part,), sign_of(part), part.tag, f"{part.tag}({' '.join(inner)})"))
            breaks = 0
        elif isinstance(part, Node):
            if breaks == 1:
                units.append(Unit((), _GAP, _GAP, _GAP))
            breaks += 1
    return units[:MAX_UNITS]


def _flows_inline(part: NodeOrText) -> bool:
    if isinstance(part, str):
        return True
    return part.tag in _INLINE_TAGS and not any(
        each.tag not in _INLINE_TAGS or any(deep.tag not in _INLINE_TAGS for deep in each.children)
        for each in part.children
    )


def find_cuts(units: Sequence[Unit]) -> list[Cut]:
    """Return the ways in which a row of units may fall into records."""
    cuts: dict[tuple[str, tuple[int, ...]], Cut] = {}
    for level in _LEVELS:
        symbols = list(map(attrgetter(level), units))
        for symbol, count in Counter(symbols).most_common(MAX_UNIT_KINDS):
            places = tuple(place for place, each in enumerate(symbols) if each == symbol)
            if count < MIN_REPEATS or symbol in (_RULE, _GAP, "br"):
                continue
            cuts.setdefault(("element", places), Cut("element", level, symbol))
            if count < len(units):
                cuts.setdefault(("starter", places), _cut_at_starter(units, symbols, level, symbol))
    for separator in (_RULE, _GAP):
        if sum(unit.sign == separator for unit in units) >= 1:
            cuts["between", (len(separator),)] = Cut("between", "sign", separator, most=MAX_RECORD_UNITS)
    return list(cuts.values())


def _cut_at_starter(units: Sequence[Unit], symbols: Sequence[str], level: str, symbol: str) -> Cut:
    """Return the cut at a starter: what follows it at least twice is a part of its record."""
    runs: list[list[str]] = []
    for unit, each in zip(units, symbols, strict=True):
        if each == symbol:
            runs.append([])
        elif runs:
            runs[-1].append(_follow_symbol(unit, level, symbol))
    counts = Counter(each for run in runs for each in set(run))
    own = _tag_of(symbol)
    follows = {
        each
        for each, count in counts.items()
        if each != _RULE
        and count >= max(MIN_REPEATS, (MIN_SAME_TAG_SHARE if _tag_of(each) == own else MIN_OTHER_TAG_SHARE) * len(runs))
    }
    lengths = [next((place for place, each in enumerate(run) if each not in follows), len(run)) for run in runs]
    most = max(lengths[:-1], default=0)
    return Cut("starter", level, symbol, tuple(sorted(follows)), min(MAX_RECORD_UNITS, most + 1))


def _tag_of(symbol: str) -> str:
    return symbol.partition(".")[0].partition("(")[0]


def _follow_symbol(unit: Unit, level: str, starter: str) -> str:
    """Return what a unit after a starter counts as: its tag, or more where the starter has the same one."""
    return str(getattr(unit, level)) if unit.tag == _tag_of(starter) else unit.tag


def cut_items(units: Sequence[Unit], cut: Cut) -> list[RecordUnits]:
    """Return the records, or what may be one, of a row of units."""
    if cut.way == "between":
        runs = groupby(units, key=lambda unit: unit.sign == cut.sign)
        return [tuple(run)[: cut.most] for is_separator, run in runs if not is_separator]
    kind_of = attrgetter(cut.level)
    if cut.way == "element":
        return [(unit,) for unit in units if kind_of(unit) == cut.sign]
    items: list[list[Unit]] = []
    is_open = False  # whether units belong to the last record
    for unit in units:
        if kind_of(unit) == cut.sign:
            items.append([unit])
            is_open = True
        elif is_open and _follow_symbol(unit, cut.level, cut.sign) in cut.follows and len(items[-1]) < cut.most:
            items[-1].append(unit)
        else:
            is_open = False
    return [tuple(item) for item in items]


def starts_within(units: Sequence[Unit], cut: Cut) -> bool:
    """Return True if a unit that only follows others within a record comes before the first starter."""
    if cut.way != "starter":
        return False
    kind_of = attrgetter(cut.level)
    before = list(takewhile(lambda unit: kind_of(unit) != cut.sign, units))
    return bool(before) and len(before) < len(units) and _follow_symbol(before[-1], cut.level, cut.sign) in cut.follows


def unit_parts(item: RecordUnits) -> tuple[NodeOrText, ...]:
    """Return the tags and texts of a record."""
    if len(item) == 1:
        return item[0].parts
    parts: list[NodeOrText] = []
    for unit in item:
        parts += unit.parts
        parts.append(Node("br"))  # two lines are two pieces
    return tuple(parts)


# -- highlights


def find_highlights(pages: Collection[tuple[Node, tuple[str, ...]]]) -> tuple[str, ...]:
    """Return the signs of tags that stand in the middle of a text and hold the words asked for, on pages and their queries."""
    seen: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for tree, asked in pages:
        words = {word.casefold() for value in asked for word in (value, *value.split())}
        for node, flows in _find_inline(tree) if words else ():
            seen[sign_of(node)] += 1
            hits[sign_of(node)] += flows and " ".join("".join(node.texts).split()).casefold() in words
    return tuple(
        sorted(sign for sign, count in hits.items() if count >= max(MIN_HIGHLIGHTS, MIN_HIGHLIGHT_SHARE * seen[sign]))
    )


def _find_inline(tree: Node) -> Iterator[tuple[Node, bool]]:
    """Yield tags of letters, and whether other words stand right before or after them."""
    for parent in find_nodes(tree):
        content = parent.content
        for place, part in enumerate(content):
            if isinstance(part, Node) and part.tag in _HIGHLIGHT_LIKE_TAGS and part.content:
                beside = (*content[max(0, place - 1) : place], *content[place + 1 : place + 2])
                yield part, not part.children and any(isinstance(each, str) and each.strip() for each in beside)


def fold_label(text: str) -> str:
    """Return a label without what ends it, in small letters."""
    return text.strip(LABEL_ENDS).casefold()
