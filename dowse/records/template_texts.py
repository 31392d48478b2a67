"""The texts of pages of one template: their places, the columns of tables, and the texts that name others."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

import orjson

from dowse.records.attributes import LONGEST, fold
from dowse.records.pieces import MARKING, MAX_PIECE, Piece, width_of, write_step
from dowse.tree.node import Node, text_of

# --- alignedcolumns
# Tables with a row of heads: what each cell is called by the head of its column.

COLUMN: Final = " | "  # between a cell and the head of its column: td[2] | Year; classes and ids have no spaces
PAIR: Final = 2  # columns of a table that can hold names and what they name
LISTED: Final = 1.5  # names on a page, on average, from which a first column can be one of names
AGAIN: Final = 0.5  # share of pages with the same text in the first column, and of such texts in it

_CELLS = ("td", "th")
_PARTS = ("thead", "tbody", "tfoot")
_SIGNS = re.compile(r"[/.#=:：|]+")  # that mean something in a place
_FIRST = ("td[1]", "th[1]")

Row = tuple[Node, ...]  # cells


def find_columns(table: Node) -> dict[int, str | None]:
    """Return the heads of cells by the identity of these; nothing for cells that are heads."""
    found: dict[int, str | None] = {}
    heads: Row = ()
    names: dict[int, str] = {}
    for part, cells in _list_rows(table):
        if part == "thead" or all(cell.tag == "th" for cell in cells):
            heads = cells if len(cells) > 1 else heads
            continue
        if heads:
            names = _read_heads(heads) if _end(heads) == _end(cells) else {}
            found.update((id(cell), None) for cell in heads if names)
            heads = ()
        if names and _end(cells) == max(names):
            found.update((id(cell), names[at]) for at, cell in _number(cells) if width_of(cell) == 1 and names.get(at))
    return found


def _list_rows(table: Node) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a table that have cells, with the part of it that they stand in."""
    for part in table.children:
        for row in part.children if part.tag in _PARTS else (part,):
            cells = tuple(each for each in row.children if each.tag in _CELLS)
            if row.tag == "tr" and cells:
                yield part.tag, cells


def _number(cells: Row) -> Iterator[tuple[int, Node]]:
    """Yield cells with the numbers of their columns: the last one for a cell that takes several."""
    at = 0
    for cell in cells:
        at += width_of(cell)
        yield at, cell


def _end(cells: Row) -> int:
    return sum(map(width_of, cells))


def _read_heads(heads: Row) -> dict[int, str]:
    """Return the names of columns; a head without words, or over several columns, names none of them."""
    return {at: name_column(text_of(head)) if width_of(head) == 1 else "" for at, head in _number(heads)}


def name_column(text: str) -> str:
    """Return the words of a head as they can stand in a place."""
    return " ".join(_SIGNS.sub(" ", text).split())[:LONGEST].strip()


def find_head(place: str) -> str:
    """Return the head of the column that a place is in, or nothing."""
    return place.rpartition(COLUMN)[2].partition("/")[0] if COLUMN in place else ""


def learn_columns(pages: Sequence[Sequence[Piece]]) -> frozenset[str]:
    """Return the steps of columns that heads name; a table of names and values says itself what these are."""
    steps: dict[str, set[str]] = defaultdict(set)
    firsts: dict[str, list[set[str]]] = defaultdict(list)
    for page in pages:
        own: dict[str, set[str]] = defaultdict(set)
        for piece in page:
            if COLUMN in piece.place:
                table, step = _part_place(piece.place)
                steps[table].add(step)
                own[table].update({fold(piece.text)} if step.startswith(_FIRST) else ())
        for table, texts in own.items():
            firsts[table].append(texts)
    return frozenset(step for table, own_steps in _leave_pairs(steps, firsts).items() for step in own_steps)


def _part_place(place: str) -> tuple[str, str]:
    before, _, after = place.rpartition(COLUMN)
    row, _, cell = before.rpartition("/")
    return row, f"{cell}{COLUMN}{after.partition('/')[0]}"


def _leave_pairs(steps: Mapping[str, set[str]], firsts: Mapping[str, list[set[str]]]) -> dict[str, set[str]]:
    pairs = {table for table, own in steps.items() if len(own) == PAIR and _are_names(firsts[table])}
    return {table: own for table, own in steps.items() if table not in pairs}


def _are_names(pages: Sequence[set[str]]) -> bool:
    """Say whether the texts of a first column come back from page to page, several on each."""
    counts = Counter(text for texts in pages for text in texts)
    again = sum(count for text, count in counts.items() if count > AGAIN * len(pages) and text[:1].isalpha())
    return counts.total() >= LISTED * len(pages) and again >= AGAIN * counts.total()


# --- alignedlabels
# What pages of one template have in common: texts that stay the same, those of them that name others, and what stands after each.

FIXED: Final = 0.8  # share of pages with the same text at the same place that make it a part of the template
OPTIONAL: Final = 3  # pages that a text of the template must stand on, where others lack its place
STEADY: Final = 0.9  # share of pages with as many texts at a place that make a number of each of them
ALWAYS: Final = 0.95  # share of pages with the same text of one number at a place
MAX_NUMBER: Final = 12  # texts at one place that are told apart by their number
ALIGNEDLABELS_AGAIN: Final = 2  # pages that a name must come back on
NAMING: Final = 0.8  # share of the texts at a place of names that come back, and that stand there once on a page
FOLLOWED: Final = 0.3  # share of the names at a place that something stands after which differs
SEVERAL: Final = 1.5  # names on a page from which a place is one of names whatever its tag
NAMED: Final = 0.5  # share of the texts at a place that stand after names
VARIED: Final = 0.2  # share of these that differ
START: Final = "^"  # stands for a text of the template before the first one
PARTED: Final = "="  # ends the place of what a name stands before in one text
MAX_KEY: Final = 80  # characters of a text that tell it from others
LABEL_STEPS: Final = 2  # steps from a name up to the tag that holds it and what it names
VALUE_STEPS: Final = 3

_INSIDE = re.compile(r"([^\W\d][^:：=\n]{0,38}?)(?:\s?[:：]|\s=)\s(?=\S)")
_COLONS = (":", "：")
_NAMING_TAGS = ("dt", "th[", "label")
_CELL = re.compile(r"t[dh]\[(\d{1,9})\]")
_TAG = re.compile(r"[a-z0-9]*")
_HEADINGS = frozenset({"h1", "h2", "h3"})

Key = tuple[str, str]  # a place and a text


class Seen(NamedTuple):
    """A text that is no part of the template, under the last text before it that is."""

    label: str  # folded
    near: Piece | None  # that text, when nothing stands between
    piece: Piece


@dataclass(frozen=True, slots=True)
class Fixed:
    """The texts that stay the same from page to page."""

    texts: frozenset[Key] = frozenset()
    inside: frozenset[Key] = frozenset()  # names that stand in one text with what they name


def key_of(piece: Piece) -> Key:
    """Return what tells a text at its place from others."""
    return piece.place, fold(piece.text[: 2 * MAX_KEY])[:MAX_KEY]


def learn_fixed(pages: Sequence[Sequence[Piece]]) -> tuple[Fixed, frozenset[str]]:
    """Return what pages have in common, and where names have their values: what stands there is one, though all say it."""
    counts = Counter(key for page in pages for key in set(map(key_of, page)))
    same = _find_same(pages, counts)
    inside = _find_inside(pages, same)
    parted = {place for place, _ in inside}
    columns = {place for place, _ in counts if COLUMN in place}
    naming = _find_naming(pages, counts, same) - parted - columns
    named = _find_named(pages, naming, same) | columns
    names = {key for key, count in counts.items() if key[0] in naming and count >= ALIGNEDLABELS_AGAIN}
    texts = frozenset(names | {key for key in same if key[0] not in named})
    return Fixed(texts, inside), named


def _find_same(pages: Sequence[Sequence[Piece]], counts: Counter[Key]) -> set[Key]:
    """Return the texts that stand on nearly all pages that have their place, without those that others stand for on some."""
    by_place: dict[str, list[list[str]]] = defaultdict(list)
    for page in pages:
        own: dict[str, list[str]] = defaultdict(list)
        for piece in page:
            own[piece.place].append(key_of(piece)[1])
        for place, texts in own.items():
            by_place[place].append(texts)
    least = OPTIONAL if len(pages) > OPTIONAL + 1 else ALIGNEDLABELS_AGAIN
    return {
        (place, text)
        for place, texts in by_place.items()
        for text in _find_steady(texts)
        if counts[place, text] >= max(least, FIXED * len(texts))
    }


def _find_steady(pages: Sequence[Sequence[str]]) -> set[str]:
    """Return the texts at a place; where all pages have as many, only those that are always the one of their number."""
    every = {text for texts in pages for text in texts}
    count, often = Counter(map(len, pages)).most_common(1)[0]
    if often < STEADY * len(pages) or count > MAX_NUMBER:
        return every
    rows = [texts for texts in pages if len(texts) == count]
    for column in zip(*rows, strict=True):
        text, times = Counter(column).most_common(1)[0]
        every -= set(column) - ({text} if times >= ALWAYS * len(column) else set())
    return every


class _Tally:
    """What is counted of the texts at one place."""

    __slots__ = ("again", "colons", "followed", "once", "pages", "total")

    def __init__(self) -> None:
        self.total = self.again = self.once = self.pages = self.colons = self.followed = 0

    def are_names(self, place: str) -> bool:
        """Say whether texts that come back, each once on a page, name what stands after them."""
        least = NAMING * self.total
        if self.pages < ALIGNEDLABELS_AGAIN or self.again < least or self.once < least:
            return False
        if self.colons >= least:
            return True
        has_tag = place.rpartition("/")[2].startswith(_NAMING_TAGS)
        return self.followed >= FOLLOWED * self.total and (has_tag or self.total >= SEVERAL * self.pages)


def _find_naming(pages: Sequence[Sequence[Piece]], counts: Counter[Key], same: Collection[Key]) -> frozenset[str]:
    """Return the places of names."""
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    for page in pages:
        own: dict[str, set[Key]] = defaultdict(set)
        for piece, after in zip(page, [*page[1:], None], strict=False):
            tally, key = tallies[piece.place], key_of(piece)
            tally.total += 1
            tally.again += counts[key] >= ALIGNEDLABELS_AGAIN and _is_name(piece) and (not piece.href or key in same)
            tally.colons += piece.text.endswith(_COLONS)
            tally.followed += after is not None and _differs_after(piece, after, same)
            own[piece.place].add(key)
        for place, keys in own.items():
            tallies[place].pages += 1
            tallies[place].once += len(keys)
    return frozenset(place for place, tally in tallies.items() if tally.are_names(place))


def _differs_after(piece: Piece, after: Piece, same: Collection[Key]) -> bool:
    differs = bool(after.text) and after.place != piece.place and key_of(after) not in same
    return differs and not _stands_apart(piece, after)


def _is_name(piece: Piece) -> bool:
    return len(piece.text) <= LONGEST and piece.text[:1].isalpha()


def _find_named(pages: Sequence[Sequence[Piece]], naming: Collection[str], same: Collection[Key]) -> frozenset[str]:
    """Return the places of what stands right after names, where it differs."""
    total: Counter[str] = Counter()
    after: Counter[str] = Counter()
    varied: Counter[str] = Counter()
    for page in pages:
        for before, piece in pairwise(page):
            total[piece.place] += 1
            varied[piece.place] += key_of(piece) not in same
            after[piece.place] += before.place in naming and can_name(before, piece)
    found = (
        place for place in total if after[place] >= NAMED * total[place] and varied[place] >= VARIED * total[place]
    )
    return frozenset(place for place in found if place not in naming)


def can_name(label: Piece, value: Piece) -> bool:
    """Say whether one tag holds a name and what stands after it, and little else."""
    left, entered = _part_ways(label.place, value.place)
    return len(left) <= LABEL_STEPS and len(entered) <= VALUE_STEPS and not _stands_apart(label, value)


def _stands_apart(label: Piece, value: Piece) -> bool:
    """Say whether a text cannot name the one after it: this is a heading, which only what is in it names, or in the next row."""
    if value.place.endswith(PARTED):
        return False
    left, entered = _part_ways(label.place, value.place)
    own = entered if label.place != value.place else value.place.split("/")
    return _turns_back(left, entered) or not _HEADINGS.isdisjoint(map(_tag_of, own))


def _turns_back(left: Sequence[str], entered: Sequence[str]) -> bool:
    """Say whether the second of two cells stands in a row below the first, which others stand before."""
    cells = [_CELL.match(steps[0]) for steps in (left, entered) if steps]
    numbers = [int(cell[1]) for cell in cells if cell]
    return len(numbers) == len((left, entered)) and numbers[0] > 1 and numbers[0] >= numbers[1]


def _part_ways(label: str, value: str) -> tuple[list[str], list[str]]:
    """Return the steps of two places below those that they share."""
    first, second = label.split("/"), value.split("/")
    shared = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        shared += 1
    return first[shared:], second[shared:]


def _tag_of(step: str) -> str:
    found = _TAG.match(step)
    return found[0] if found else ""


def _find_inside(pages: Sequence[Sequence[Piece]], texts: Collection[Key]) -> frozenset[Key]:
    """Return the names that begin a text, with a colon after them, on page after page, while the rest of it differs."""
    rests: dict[Key, dict[str, int]] = defaultdict(dict)
    for number, page in enumerate(pages):
        for piece in page:
            found = _INSIDE.match(piece.text)
            if found and COLUMN not in piece.place and key_of(piece) not in texts:
                rests[piece.place, fold(found[1])].setdefault(piece.text, number)
    return frozenset(key for key, rest in rests.items() if len(set(rest.values())) >= ALIGNEDLABELS_AGAIN)


def tell_page(page: Sequence[Piece], fixed: Fixed) -> Iterator[Seen]:
    """Yield what a page says beside its template, each text under the one of the template before it."""
    label, near = START, None
    names = Counter(place for place, _ in fixed.inside)
    for piece in page:
        key = key_of(piece)
        if not piece.text:
            near = None
            continue
        if key in fixed.texts:
            label, near = key[1], piece
            continue
        is_whole = names[piece.place] < ALIGNEDLABELS_AGAIN and near is not None and near.text.endswith(_COLONS)
        found = None if is_whole else _INSIDE.match(piece.text)
        if found and (piece.place, fold(found[1])) in fixed.inside:
            yield _part(piece, found)
        else:
            yield Seen(label, near, piece) if COLUMN not in piece.place else Seen("", None, piece)
        near = None


def _part(piece: Piece, found: re.Match[str]) -> Seen:
    name = piece._replace(place=f"{piece.place}:", text=found[1])
    return Seen(fold(found[1]), name, piece._replace(place=f"{piece.place}{PARTED}", text=piece.text[found.end() :]))


# --- alignedplaces
# The texts of a whole page with their places: tags by class and id, cells by column, what JSON-LD declares by its keys.

MAX_TEXTS: Final = 4_000  # of one page; long pages of documentation have two thousand
MAX_PLACE: Final = 800  # characters of a place, from which its steps are written without classes; most have 200
MAX_STEPS: Final = 80  # tags in tags; as deep as trees are read
MAX_DECLARED: Final = 300  # values that the scripts of one page declare
MAX_PARTS: Final = 5_000  # of all scripts of one page that are looked at
USUAL: Final = 0.8  # share of pages with a class or id that make it a part of the template
MAX_COPYRIGHT: Final = 160  # characters of a line of copyright; a longer text only ends with one
DECLARED: Final = "json-ld"  # how the places of declared values begin

_JSON = "application/ld+json"
_SKIPPED = frozenset({"nav", "footer", "base", "script"})
_ID = re.compile(r"[A-Za-z][A-Za-z_-]{0,39}")  # an id with digits numbers its tag
_BLOCKS = frozenset(  # cells and terms are none: a name in a link stands beside its value there
    "address article aside blockquote div dl fieldset figure form h1 h2 h3 h4 h5 h6 header li main ol p pre section table "
    "tr ul".split()
)
_NAMES = re.compile(r"(?=[.#])")
_VALUED = ("content", "datetime")
_COPYRIGHT = re.compile(r"©|^\s*copyright\b(?!\s*(?:$|[:：]))", re.IGNORECASE)  # the word alone is the name of a year

PAUSE: Final = Piece("", "")  # stands where a block begins or ends after a link, which names nothing beyond

Heads = dict[int, str | None]  # what cells are called, by their identity; nothing for cells that call others


def read_texts(tree: Node) -> list[Piece]:
    """Return the texts of a page in their order, after what its scripts declare."""
    return [*_read_declared(tree), *_read_shown(tree)]


def learn_usual(pages: Sequence[Sequence[Piece]]) -> frozenset[str]:
    """Return the classes and ids, with their tags, that nearly all pages have: others tell a state, such as sold out."""
    counts = Counter(
        sign
        for page in pages
        for sign in {
            sign for place in {piece.place for piece in page} for step in place.split("/") for sign in _signs(step)
        }
    )
    return frozenset(sign for sign, count in counts.items() if count >= USUAL * len(pages)) | learn_columns(pages)


def _signs(step: str) -> list[str]:
    head, *names = _NAMES.split(step)
    return [f"{head}{name}" for name in names]


def keep_usual(page: Sequence[Piece], usual: Collection[str]) -> list[Piece]:
    """Return the texts of a page with places by usual classes and ids; a tag that has none of these keeps its own."""
    known: dict[str, str] = {}
    found = []
    for piece in page:
        if piece.place not in known:
            known[piece.place] = "/".join(_keep_step(step, usual) for step in piece.place.split("/"))
        found.append(piece._replace(place=known[piece.place]))
    return found


def _keep_step(step: str, usual: Collection[str]) -> str:
    if COLUMN in step:
        return step if step in usual else step.partition(COLUMN)[0]
    head, *names = _NAMES.split(step)
    kept = [name for name in names if f"{head}{name}" in usual]
    return "".join((head, *kept)) if kept else step


def _read_shown(tree: Node) -> list[Piece]:
    found: list[Piece] = []
    heads: Heads = {}
    waiting: list[tuple[Node | Piece, Piece, int]] = [(tree, Piece("", ""), 0)]
    while waiting and len(found) < MAX_TEXTS:
        part, around, depth = waiting.pop()
        if isinstance(part, Piece):
            found += [part] if part.text or (found and found[-1].href) else []
        elif depth < MAX_STEPS and not _is_copyright(part):
            heads.update(find_columns(part) if part.tag == "table" else ())
            pauses = [(PAUSE, around)] if part.tag in _BLOCKS else []
            inside = [*pauses, *_open(part, around, heads), *pauses]
            waiting.extend(reversed([(each, own, depth + 1) for each, own in inside]))
    return found


def _is_copyright(node: Node) -> bool:
    """Say whether a tag holds a line of copyright and nothing else."""
    if not any(_COPYRIGHT.search(text[: 2 * MAX_PIECE]) for text in node.texts):
        return False
    whole = text_of(node)
    return len(whole) <= MAX_COPYRIGHT and bool(_COPYRIGHT.search(whole))


def _open(node: Node, around: Piece, heads: Heads) -> Iterator[tuple[Node | Piece, Piece]]:
    """Yield the texts and tags in a tag, each with the place, link and property that hold for what stands in it."""
    line: list[str] = []
    column = 0
    for part in node.content:
        if isinstance(part, str):
            line.append(part)
        elif part.tag in MARKING:
            line += part.texts
        elif part.tag not in _SKIPPED:
            yield from _end_line(line, around)
            column += width_of(part)
            head = heads.get(id(part), "")
            if head is not None:
                yield _enter(part, around, _write_step(part, column, head))
    yield from _end_line(line, around)


def _enter(part: Node, around: Piece, written: str) -> tuple[Node | Piece, Piece]:
    step = written if len(around.place) < MAX_PLACE else part.tag
    place = f"{around.place}/{step}" if around.place else step
    own = part.attribute("itemprop") or part.attribute("property")
    is_thing = bool(part.attribute("itemtype") or part.attribute("typeof"))
    prop = "" if is_thing else own or around.prop
    href = part.attribute("href") if part.tag == "a" else around.href
    inside = Piece(place, "", href, prop)
    said = next((part.attribute(name) for name in _VALUED if own and part.attribute(name)), "")
    return (inside._replace(text=_flat(said)) if said else part), inside


def _write_step(node: Node, column: int, head: str) -> str:
    step = write_step(node, column)
    if head:
        return f"{step}{COLUMN}{head}"
    own = node.attribute("id")
    return f"{step}#{own}" if own and _ID.fullmatch(own) else step


def _end_line(line: list[str], around: Piece) -> Iterator[tuple[Piece, Piece]]:
    text = _flat("".join(line))
    line.clear()
    if any(map(str.isalnum, text)):
        yield around._replace(text=text), around


def _flat(text: str) -> str:
    return " ".join(text[: 2 * MAX_PIECE].split())[:MAX_PIECE]


def _read_declared(tree: Node) -> list[Piece]:
    """Return the values in the scripts of a page: json-ld/Product/offers/price."""
    found: list[Piece] = []
    waiting = list(reversed([(DECLARED, said) for said in _read_scripts(tree)]))
    for _ in range(MAX_PARTS):
        if not waiting or len(found) >= MAX_DECLARED:
            break
        place, part = waiting.pop()
        if isinstance(part, dict):
            waiting.extend(reversed(list(_enter_thing(place, part))))
        elif isinstance(part, list):
            waiting.extend((place, each) for each in reversed(part[:MAX_DECLARED]))
        elif isinstance(part, str | int | float) and not isinstance(part, bool) and _flat(str(part)):
            found.append(Piece(place, _flat(str(part))))
    return found


def _read_scripts(tree: Node) -> Iterator[Any]:
    for script in tree.children[:MAX_DECLARED]:
        if script.tag == "script" and script.attribute("rel") == _JSON:
            try:
                yield orjson.loads("".join(script.texts))
            except ValueError:  # a script with a mistake declares nothing
                continue


def _enter_thing(place: str, thing: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    kind = thing.get("@type")
    above = f"{place}/{kind}" if isinstance(kind, str) and place.count("/") < 1 else place
    for key, value in list(thing.items())[:MAX_DECLARED]:
        if not key.startswith("@") and above.count("/") < MAX_STEPS:
            yield (above if key == "name" and above.count("/") > 1 else f"{above}/{key}"), value
