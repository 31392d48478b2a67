"""The texts of pages of one template: their places, the columns of tables, and the texts that name others."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

import orjson

from dowse.records.pieces import (
    HIGHLIGHT_TAGS,
    MAX_LABEL_CHARS,
    MAX_PIECE_CHARS,
    TextPiece,
    fold_label,
    width_of,
    write_step,
)
from dowse.tree.node import Node, text_of

# -- tables with a row of heads: each cell is named by the head of its column

# Set by hand as those of `details`, and measured with them: `python -m bench attributes`.
COLUMN_MARK: Final = " | "  # between a cell and the head of its column: td[2] | Year; classes and ids have no spaces
PAIR_COLUMNS: Final = 2  # columns of a table that can hold names and what they name
MIN_MEAN_NAMES: Final = 1.5  # names on a page, on average, from which a first column can be one of names
MIN_REPEATED_TEXT_SHARE: Final = 0.5  # of pages with the same text in the first column, and of such texts in it

_CELLS = ("td", "th")
_PARTS = ("thead", "tbody", "tfoot")
_SIGNS = re.compile(r"[/.#=:：|]+")  # that mean something in a place
_FIRST = ("td[1]", "th[1]")

Cells = tuple[Node, ...]  # of one row


def find_column_heads(table: Node) -> dict[int, str | None]:
    """Return the heads of cells by the identity of these; nothing for cells that are heads."""
    found: dict[int, str | None] = {}
    heads: Cells = ()
    names: dict[int, str] = {}
    for part, cells in _list_rows(table):
        if part == "thead" or all(cell.tag == "th" for cell in cells):
            heads = cells if len(cells) > 1 else heads
            continue
        if heads:
            # a head without words, or over several columns, names none of them
            are_heads = _count_columns(heads) == _count_columns(cells)
            named = _number_columns(heads if are_heads else ())
            names = {at: name_column(text_of(head)) if width_of(head) == 1 else "" for at, head in named}
            found.update((id(cell), None) for cell in heads if names)
            heads = ()
        if names and _count_columns(cells) == max(names):
            found.update(
                (id(cell), names[at]) for at, cell in _number_columns(cells) if width_of(cell) == 1 and names.get(at)
            )
    return found


def _list_rows(table: Node) -> Iterator[tuple[str, Cells]]:
    """Yield the rows of a table that have cells, with the part of it that they stand in."""
    for part in table.children:
        for row in part.children if part.tag in _PARTS else (part,):
            cells = tuple(each for each in row.children if each.tag in _CELLS)
            if row.tag == "tr" and cells:
                yield part.tag, cells


def _number_columns(cells: Cells) -> Iterator[tuple[int, Node]]:
    """Yield cells with the numbers of their columns: the last one for a cell that takes several."""
    at = 0
    for cell in cells:
        at += width_of(cell)
        yield at, cell


def _count_columns(cells: Cells) -> int:
    return sum(map(width_of, cells))


def name_column(text: str) -> str:
    """Return the words of a head as they can stand in a place."""
    return " ".join(_SIGNS.sub(" ", text).split())[:MAX_LABEL_CHARS].strip()


def find_head(place: str) -> str:
    """Return the head of the column that a place is in, or nothing."""
    return place.rpartition(COLUMN_MARK)[2].partition("/")[0] if COLUMN_MARK in place else ""


def learn_columns(pages: Sequence[Sequence[TextPiece]]) -> frozenset[str]:
    """Return the steps of columns that heads name; a table of names and values says itself what these are."""
    steps: dict[str, set[str]] = defaultdict(set)
    firsts: dict[str, list[set[str]]] = defaultdict(list)
    for page in pages:
        own: dict[str, set[str]] = defaultdict(set)
        for piece in page:
            if COLUMN_MARK in piece.place:
                before, _, after = piece.place.rpartition(COLUMN_MARK)
                table, _, cell = before.rpartition("/")
                step = f"{cell}{COLUMN_MARK}{after.partition('/')[0]}"
                steps[table].add(step)
                own[table].update({fold_label(piece.text)} if step.startswith(_FIRST) else ())
        for table, texts in own.items():
            firsts[table].append(texts)
    pairs = {table for table, own in steps.items() if len(own) == PAIR_COLUMNS and _are_names(firsts[table])}
    return frozenset(step for table, own in steps.items() if table not in pairs for step in own)


def _are_names(pages: Sequence[set[str]]) -> bool:
    """Return True if the texts of a first column come back from page to page, several on each."""
    counts = Counter(text for texts in pages for text in texts)
    again = sum(
        count for text, count in counts.items() if count > MIN_REPEATED_TEXT_SHARE * len(pages) and text[:1].isalpha()
    )
    return counts.total() >= MIN_MEAN_NAMES * len(pages) and again >= MIN_REPEATED_TEXT_SHARE * counts.total()


# -- the template: texts that stay the same, those of them that name others, and what stands after each

MIN_FIXED_SHARE: Final = 0.8  # of pages with the same text at the same place that make it a part of the template
MIN_OPTIONAL_PAGES: Final = 3  # pages that a text of the template must stand on, where others lack its place
MIN_STEADY_SHARE: Final = 0.9  # of pages with as many texts at a place that make a number of each of them
MIN_SAME_NUMBER_SHARE: Final = 0.95  # of pages with the same text of one number at a place
MAX_NUMBERED_TEXTS: Final = 12  # texts at one place that are told apart by their number
MIN_NAME_PAGES: Final = 2  # pages that a name must come back on
MIN_NAMING_SHARE: Final = 0.8  # of the texts at a place that come back, and stand there once on a page
MIN_FOLLOWED_SHARE: Final = 0.3  # of the names at a place that something stands after which differs
MIN_NAMES_PER_PAGE: Final = 1.5  # names on a page from which a place is one of names whatever its tag
MIN_AFTER_NAME_SHARE: Final = 0.5  # of the texts at a place that stand after names
MIN_VARIED_SHARE: Final = 0.2  # of these that differ
BEFORE_FIRST: Final = "^"  # stands for a text of the template before the first one
VALUE_MARK: Final = "="  # ends the place of what a name stands before in one text
MAX_KEY_CHARS: Final = 80  # of a text that distinguish it from others
MAX_LABEL_STEPS: Final = 2  # steps from a name up to the tag that holds it and what it names
MAX_VALUE_STEPS: Final = 3

_INSIDE = re.compile(r"([^\W\d][^:：=\n]{0,38}?)(?:\s?[:：]|\s=)\s(?=\S)")
_COLONS = (":", "：")
TIME: Final = re.compile(r"\b(?:19|20)\d\d\b.*\d|\b\d{1,2}:\d\d\b")  # a date or a time, which names nothing
_LEADING_COLON = re.compile(r"\A[:：]\s+")
_NAMING_TAGS = ("dt", "th[", "label")
_CELL = re.compile(r"t[dh]\[(\d{1,9})\]")
_TAG = re.compile(r"[a-z0-9]*")
_HEADINGS = frozenset({"h1", "h2", "h3"})
_CRUMBS = re.compile(r"[.#][\w-]*(?:crumb|trail)", re.IGNORECASE)

PlacedText = tuple[str, str]  # a place and a text


class VaryingText(NamedTuple):
    """A text that is no part of the template, under the last text before it that is."""

    label: str  # folded
    near: TextPiece | None  # that text, when nothing stands between
    piece: TextPiece


@dataclass(frozen=True, slots=True)
class TemplateTexts:
    """The texts that stay the same from page to page."""

    texts: frozenset[PlacedText] = frozenset()
    inside: frozenset[PlacedText] = frozenset()  # names that stand in one text with what they name


def placed_text(piece: TextPiece) -> PlacedText:
    """Return what distinguishes a text at its place from others."""
    return piece.place, fold_label(piece.text[: 2 * MAX_KEY_CHARS])[:MAX_KEY_CHARS]


def learn_template_texts(pages: Sequence[Sequence[TextPiece]]) -> tuple[TemplateTexts, frozenset[str]]:
    """Return what pages have in common, and where names have their values: what stands there is one, though all say it."""
    counts = Counter(key for page in pages for key in set(map(placed_text, page)))
    same = _find_same(pages, counts)
    inside = _find_inside(pages, same)
    inside_places = {place for place, _ in inside}
    columns = {place for place, _ in counts if COLUMN_MARK in place}
    naming = _find_naming(pages, counts, same) - inside_places - columns
    named = _find_named(pages, naming, same) | columns
    names = {key for key, count in counts.items() if key[0] in naming and count >= MIN_NAME_PAGES}
    texts = frozenset(names | {key for key in same if key[0] not in named})
    return TemplateTexts(texts, inside), named


def _find_same(pages: Sequence[Sequence[TextPiece]], counts: Counter[PlacedText]) -> set[PlacedText]:
    """Return the texts that stand on nearly all pages that have their place, without those that others stand for on some."""
    by_place: dict[str, list[list[str]]] = defaultdict(list)
    for page in pages:
        own: dict[str, list[str]] = defaultdict(list)
        for piece in page:
            own[piece.place].append(placed_text(piece)[1])
        for place, texts in own.items():
            by_place[place].append(texts)
    least = MIN_OPTIONAL_PAGES if len(pages) > MIN_OPTIONAL_PAGES + 1 else MIN_NAME_PAGES
    return {
        (place, text)
        for place, texts in by_place.items()
        for text in _find_steady(texts)
        if counts[place, text] >= max(least, MIN_FIXED_SHARE * len(texts))
    }


def _find_steady(pages: Sequence[Sequence[str]]) -> set[str]:
    """Return the texts at a place; where all pages have as many, only those that are always the one of their number."""
    every = {text for texts in pages for text in texts}
    count, often = Counter(map(len, pages)).most_common(1)[0]
    if often < MIN_STEADY_SHARE * len(pages) or count > MAX_NUMBERED_TEXTS:
        return every
    rows = [texts for texts in pages if len(texts) == count]
    for column in zip(*rows, strict=True):
        text, times = Counter(column).most_common(1)[0]
        every -= set(column) - ({text} if times >= MIN_SAME_NUMBER_SHARE * len(column) else set())
    return every


class _TextTally:
    """What is counted of the texts at one place."""

    __slots__ = ("again", "colons", "followed", "once", "pages", "total")

    def __init__(self) -> None:
        self.total = self.again = self.once = self.pages = self.colons = self.followed = 0

    def are_names(self, place: str) -> bool:
        """Return True if texts that come back, each once on a page, name what stands after them."""
        least = MIN_NAMING_SHARE * self.total
        if self.pages < MIN_NAME_PAGES or self.again < least or self.once < least:
            return False
        if self.colons >= least:
            return True
        has_tag = place.rpartition("/")[2].startswith(_NAMING_TAGS)
        return self.followed >= MIN_FOLLOWED_SHARE * self.total and (
            has_tag or self.total >= MIN_NAMES_PER_PAGE * self.pages
        )


def _find_naming(
    pages: Sequence[Sequence[TextPiece]], counts: Counter[PlacedText], same: Collection[PlacedText]
) -> frozenset[str]:
    """Return the places of names."""
    tallies: dict[str, _TextTally] = defaultdict(_TextTally)
    for page in pages:
        own: dict[str, set[PlacedText]] = defaultdict(set)
        for piece, after in zip(page, [*page[1:], None], strict=False):
            tally, key = tallies[piece.place], placed_text(piece)
            is_name = len(piece.text) <= MAX_LABEL_CHARS and piece.text[:1].isalpha()
            tally.total += 1
            tally.again += counts[key] >= MIN_NAME_PAGES and is_name and (not piece.href or key in same)
            tally.colons += piece.text.endswith(_COLONS)
            if after is not None and after.text and after.place != piece.place and placed_text(after) not in same:
                tally.followed += not _stands_apart(piece, after)
            own[piece.place].add(key)
        for place, keys in own.items():
            tallies[place].pages += 1
            tallies[place].once += len(keys)
    return frozenset(place for place, tally in tallies.items() if tally.are_names(place))


def _find_named(
    pages: Sequence[Sequence[TextPiece]], naming: Collection[str], same: Collection[PlacedText]
) -> frozenset[str]:
    """Return the places of what stands right after names, where it differs."""
    total: Counter[str] = Counter()
    after: Counter[str] = Counter()
    varied: Counter[str] = Counter()
    for page in pages:
        for before, piece in pairwise(page):
            total[piece.place] += 1
            varied[piece.place] += placed_text(piece) not in same
            after[piece.place] += before.place in naming and can_name(before, piece)
    found = (
        place
        for place in total
        if after[place] >= MIN_AFTER_NAME_SHARE * total[place] and varied[place] >= MIN_VARIED_SHARE * total[place]
    )
    return frozenset(place for place in found if place not in naming)


def can_name(label: TextPiece, value: TextPiece) -> bool:
    """Return True if one tag holds a name and what stands after it, and little else."""
    left, entered = _steps_apart(label.place, value.place)
    return len(left) <= MAX_LABEL_STEPS and len(entered) <= MAX_VALUE_STEPS and not _stands_apart(label, value)


def is_trail(label: TextPiece, value: TextPiece) -> bool:
    """Return True if a text is a link that leads elsewhere and names nothing: before a link in the same place, or before a time."""
    if not label.href or label.text.endswith(_COLONS):
        return False
    return (bool(value.href) and label.place == value.place) or TIME.search(value.text) is not None


def _stands_apart(label: TextPiece, value: TextPiece) -> bool:
    """Return True if a text cannot name the one after it: this is a heading, which only what is in it names, or in the next row."""
    if value.place.endswith(VALUE_MARK):
        return False
    left, entered = _steps_apart(label.place, value.place)
    own = entered if label.place != value.place else value.place.split("/")
    # the second of two cells stands in a row below the first, which others stand before
    cells = [_CELL.match(steps[0]) for steps in (left, entered) if steps]
    numbers = [int(cell[1]) for cell in cells if cell]
    is_in_next_row = len(numbers) == len((left, entered)) and numbers[0] > 1 and numbers[0] >= numbers[1]
    tags = {found[0] for step in own if (found := _TAG.match(step))}
    return is_in_next_row or not _HEADINGS.isdisjoint(tags)


def _steps_apart(label: str, value: str) -> tuple[list[str], list[str]]:
    """Return the steps of two places below those that they share."""
    first, second = label.split("/"), value.split("/")
    shared = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        shared += 1
    return first[shared:], second[shared:]


def _find_inside(pages: Sequence[Sequence[TextPiece]], texts: Collection[PlacedText]) -> frozenset[PlacedText]:
    """Return the names that begin a text, with a colon after them, on page after page, while the rest of it differs."""
    rests: dict[PlacedText, dict[str, int]] = defaultdict(dict)
    for number, page in enumerate(pages):
        for piece in page:
            found = _INSIDE.match(piece.text)
            if found and COLUMN_MARK not in piece.place and placed_text(piece) not in texts:
                rests[piece.place, fold_label(found[1])].setdefault(piece.text, number)
    return frozenset(key for key, rest in rests.items() if len(set(rest.values())) >= MIN_NAME_PAGES)


def find_varying_texts(page: Sequence[TextPiece], fixed: TemplateTexts) -> Iterator[VaryingText]:
    """Yield what a page says beside its template, each text under the one of the template before it."""
    label, near, last = BEFORE_FIRST, None, None  # the last text of the template before, and the last of any
    names = Counter(place for place, _ in fixed.inside)
    for piece in page:
        key = placed_text(piece)
        if not piece.text:
            near = None
            continue
        if key in fixed.texts:
            label, near, last = key[1], None if _is_crumb(last, piece) else piece, piece
            continue
        is_whole = names[piece.place] < MIN_NAME_PAGES and near is not None and near.text.endswith(_COLONS)
        found = None if is_whole else _INSIDE.match(piece.text)
        if found and (piece.place, fold_label(found[1])) in fixed.inside:
            name = piece._replace(place=f"{piece.place}:", text=found[1])
            value = piece._replace(place=f"{piece.place}{VALUE_MARK}", text=piece.text[found.end() :])
            yield VaryingText(fold_label(found[1]), name, value)
        else:
            yield VaryingText(label, near, piece) if COLUMN_MARK not in piece.place else VaryingText("", None, piece)
        near, last = None, piece


def _is_crumb(before: TextPiece | None, link: TextPiece) -> bool:
    """Return True if a text is one of a trail of links that leads down to the page, and names nothing: Home > Books > Fiction."""
    if not link.href or link.text.endswith(_COLONS) or _CELL.match(link.place.rpartition("/")[2]):
        return False
    return _CRUMBS.search(link.place) is not None or (
        before is not None and bool(before.href) and before.place == link.place
    )


# -- texts and their places: tags by class and id, cells by column, what JSON-LD declares by its keys

MAX_TEXTS: Final = 4_000  # of one page; long pages of documentation have two thousand
MAX_PLACE_CHARS: Final = 800  # of a place, from which its steps are written without classes; most have 200
MAX_TAG_DEPTH: Final = 80  # tags in tags; as deep as trees are read
MAX_DECLARED_VALUES: Final = 300  # values that the scripts of one page declare
MAX_SCRIPT_PARTS: Final = 5_000  # of all scripts of one page that are looked at
MIN_USUAL_PAGE_SHARE: Final = 0.8  # of pages with a class or id that make it a part of the template
MAX_COPYRIGHT_CHARS: Final = 160  # of a line of copyright; a longer text only ends with one
JSON_LD_PLACE: Final = "json-ld"  # how the places of declared values begin

_JSON = "application/ld+json"
_SKIPPED_TAGS = frozenset({"nav", "footer", "base", "script"})
_ID = re.compile(r"[A-Za-z][A-Za-z_-]{0,39}")  # an id with digits numbers its tag
_BLOCKS = frozenset(  # cells and terms are none: a name in a link stands beside its value there
    "address article aside blockquote div dl fieldset figure form h1 h2 h3 h4 h5 h6 header li main ol p pre section table "
    "tr ul".split()
)
_NAMES = re.compile(r"(?=[.#])")
_VALUED = ("content", "datetime")
_COPYRIGHT = re.compile(r"©|^\s*copyright\b(?!\s*(?:$|[:：]))", re.IGNORECASE)  # the word alone is the name of a year

BLOCK_BORDER: Final = TextPiece("", "")  # stands where a block begins or ends after a link, which names nothing beyond

CellHeads = dict[int, str | None]  # the heads of cells by their identity; nothing for cells that are heads


def read_texts(tree: Node) -> list[TextPiece]:
    """Return the texts of a page in their order, after what its scripts declare."""
    return [*_read_declared(tree), *_read_shown(tree)]


def learn_usual_classes(pages: Sequence[Sequence[TextPiece]]) -> frozenset[str]:
    """Return the classes and ids, with their tags, that nearly all pages have: others tell a state, such as sold out."""
    counts: Counter[str] = Counter()
    for page in pages:
        steps = {step for place in {piece.place for piece in page} for step in place.split("/")}
        parted = (_NAMES.split(step) for step in steps)
        counts.update({f"{head}{name}" for head, *names in parted for name in names})
    return frozenset(
        sign for sign, count in counts.items() if count >= MIN_USUAL_PAGE_SHARE * len(pages)
    ) | learn_columns(pages)


def keep_usual_classes(page: Sequence[TextPiece], usual: Collection[str]) -> list[TextPiece]:
    """Return the texts of a page with places by usual classes and ids; a tag that has none of these keeps its own."""
    known: dict[str, str] = {}
    found = []
    for piece in page:
        if piece.place not in known:
            steps = []
            for step in piece.place.split("/"):
                head, *names = _NAMES.split(step)
                kept = [name for name in names if f"{head}{name}" in usual]
                if COLUMN_MARK in step:
                    steps.append(step if step in usual else step.partition(COLUMN_MARK)[0])
                else:
                    steps.append("".join((head, *kept)) if kept else step)
            known[piece.place] = "/".join(steps)
        found.append(piece._replace(place=known[piece.place]))
    return found


def _read_shown(tree: Node) -> list[TextPiece]:
    found: list[TextPiece] = []
    heads: CellHeads = {}
    waiting: list[tuple[Node | TextPiece, TextPiece, int]] = [(tree, TextPiece("", ""), 0)]
    while waiting and len(found) < MAX_TEXTS:
        part, around, depth = waiting.pop()
        if isinstance(part, TextPiece):
            found += [part] if part.text or (found and found[-1].href) else []
        elif depth < MAX_TAG_DEPTH and not _is_copyright(part):
            heads.update(find_column_heads(part) if part.tag == "table" else ())
            pauses = [(BLOCK_BORDER, around)] if part.tag in _BLOCKS else []
            inside = [*pauses, *_open_tag(part, around, heads), *pauses]
            waiting.extend(reversed([(each, own, depth + 1) for each, own in inside]))
    return found


def _is_copyright(node: Node) -> bool:
    """Return True if a tag holds a line of copyright and nothing else."""
    if not any(_COPYRIGHT.search(text[: 2 * MAX_PIECE_CHARS]) for text in node.texts):
        return False
    whole = text_of(node)
    return len(whole) <= MAX_COPYRIGHT_CHARS and bool(_COPYRIGHT.search(whole))


def _open_tag(node: Node, around: TextPiece, heads: CellHeads) -> Iterator[tuple[Node | TextPiece, TextPiece]]:
    """Yield the texts and tags in a tag, each with the place, link and property that hold for what stands in it."""
    line: list[str] = []
    column = 0
    for part in node.content:
        if isinstance(part, str):
            line.append(part)
        elif part.tag in HIGHLIGHT_TAGS:
            line += part.texts
        elif part.tag not in _SKIPPED_TAGS:
            yield from _end_line(line, around)
            column += width_of(part)
            head = heads.get(id(part), "")
            if head is not None:
                own = part.attribute("id")
                sign = f"{COLUMN_MARK}{head}" if head else f"#{own}" if own and _ID.fullmatch(own) else ""
                yield _enter_tag(part, around, f"{write_step(part, column)}{sign}")
    yield from _end_line(line, around)


def _enter_tag(part: Node, around: TextPiece, written: str) -> tuple[Node | TextPiece, TextPiece]:
    step = written if len(around.place) < MAX_PLACE_CHARS else part.tag
    place = f"{around.place}/{step}" if around.place else step
    own = part.attribute("itemprop") or part.attribute("property")
    is_thing = bool(part.attribute("itemtype") or part.attribute("typeof"))
    prop = "" if is_thing else own or around.prop
    href = part.attribute("href") if part.tag == "a" else around.href
    inside = TextPiece(place, "", href, prop)
    said = next((part.attribute(name) for name in _VALUED if own and part.attribute(name)), "")
    return (inside._replace(text=_one_line(said)) if said else part), inside


def _end_line(line: list[str], around: TextPiece) -> Iterator[tuple[TextPiece, TextPiece]]:
    text = _one_line("".join(line))
    text = _LEADING_COLON.sub("", text)  # after a name in a tag of its own
    line.clear()
    if any(map(str.isalnum, text)):
        yield around._replace(text=text), around


def _one_line(text: str) -> str:
    return " ".join(text[: 2 * MAX_PIECE_CHARS].split())[:MAX_PIECE_CHARS]


def _read_declared(tree: Node) -> list[TextPiece]:
    """Return the values in the scripts of a page: json-ld/Product/offers/price."""
    found: list[TextPiece] = []
    waiting = list(reversed([(JSON_LD_PLACE, said) for said in _read_scripts(tree)]))
    for _ in range(MAX_SCRIPT_PARTS):
        if not waiting or len(found) >= MAX_DECLARED_VALUES:
            break
        place, part = waiting.pop()
        if isinstance(part, dict):
            waiting.extend(reversed(list(_enter_thing(place, part))))
        elif isinstance(part, list):
            waiting.extend((place, each) for each in reversed(part[:MAX_DECLARED_VALUES]))
        elif isinstance(part, str | int | float) and not isinstance(part, bool) and _one_line(str(part)):
            found.append(TextPiece(place, _one_line(str(part))))
    return found


def _read_scripts(tree: Node) -> Iterator[Any]:
    for script in tree.children[:MAX_DECLARED_VALUES]:
        if script.tag == "script" and script.attribute("rel") == _JSON:
            try:
                yield orjson.loads("".join(script.texts))
            except ValueError:  # a script with a mistake declares nothing
                continue


def _enter_thing(place: str, thing: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    kind = thing.get("@type")
    above = f"{place}/{kind}" if isinstance(kind, str) and place.count("/") < 1 else place
    for key, value in list(thing.items())[:MAX_DECLARED_VALUES]:
        if not key.startswith("@") and above.count("/") < MAX_TAG_DEPTH:
            yield (above if key == "name" and above.count("/") > 1 else f"{above}/{key}"), value
