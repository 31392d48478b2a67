"""Labels: which texts name others, in records of a list and on pages of one template, and the heads of columns.

One way to learn it for both: a label comes back from thing to thing, once in each, and stands before what differs; in a tag of
its own, or in one text with what it names. How often labels come is not the same in both: `RECORD_LABELS` and `PAGE_LABELS`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Final, NamedTuple

from msgspec import Struct

from dowse.records.pieces import CELL_PLACE, LABEL_ENDS, MAX_LABEL_CHARS, TextPiece, fold_label, width_of
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


# -- labels: texts that come back from thing to thing, of records of a list or pages of a template, and stand before what differs


# Shares were set by hand on family A, harvests of real software and the development part of SWDE (cars, books, cameras).
MIN_LABEL_THINGS: Final = 2  # that a label comes back in
MIN_NAMING_SHARE: Final = 0.8  # of the texts at a place that come back, and stand there once in a thing
MIN_LABELS_PER_THING: Final = 1.5  # on average, from which a place is one of labels whatever its tag
MIN_RUNNING_LABEL_SHARE: Final = (
    0.3  # of the texts at a place with a word before a colon that make it a label of running text
)
MIN_PAIR_SHARE: Final = 0.9  # of the second of two words that stand after the first, which makes both one label
MAX_LABEL_STEPS: Final = 2  # steps from a label up to the tag that holds it and what it names
MAX_VALUE_STEPS: Final = 3  # steps from there down to the value
MAX_KEY_CHARS: Final = 80  # of a text that distinguish it from others
LABEL_MARK: Final = ":"  # ends the place of a label that stands in one text with its value
VALUE_MARK: Final = "="  # ends the place of such a value
COLONS: Final = (":", "：")
_COLON_END: Final = " :："  # of a text that names nothing, and so is a value
TIME: Final = re.compile(r"\b(?:19|20)\d\d\b.*\d|\b\d{1,2}:\d\d\b")  # a date or a time, which names nothing

_IN_TEXT = re.compile(
    r"(?:^|[;|•·(,/\[]|\s[-–—])\s{0,2}([^\W\d][^:：;|•·,()\[\]/]{0,40}(?:\([^:：()]{1,30}\)\s?)?)[:：](?=\s|$)\s?"
)
_FIRST_IN_TEXT = re.compile(r"\A([^\W\d][^:：=\n]{0,38}?)(?:\s?[:：]|\s=)\s(?=\S)")
_ONE_WORD = re.compile(r"(?:^|\s)([^\W\d_]{2,20})[:：]\s")  # within running text: medium: Oil dated: 1904
_TWO_WORDS = re.compile(r"(?:^|\s)([^\W\d_]{2,20} [^\W\d_]{2,20})[:：]\s")  # the same: average rating: 3.9
_CELL = re.compile(r"t[dh]\[(\d{1,9})\]")
_TAG = re.compile(r"[a-z0-9]*")
_HEADINGS = frozenset({"h1", "h2", "h3"})

PlacedText = tuple[str, str]  # a place and a text


@dataclass(frozen=True, slots=True)
class LabelRules:
    """What tells labels from values in things of one sort: the code is one for all of them, how often labels come is not."""

    patterns: tuple[re.Pattern[str], ...]  # of a label and what ends it, in one text with its value
    running: tuple[re.Pattern[str], ...]  # the same within running text, where only what often comes back is a label
    min_name_share: float  # of things that have a label with its value in one text
    min_inside_share: float  # of things with a text at a place, in which there is such a label
    min_rests: int  # different texts after such a label
    lone_share: float  # of things with the same text at a place that has one text in each, which makes it a label
    lone_tags: frozenset[str]  # tags of such a text
    max_kinds: float  # different texts at a place of labels, for each that one thing has
    min_followed_share: float  # of the texts at a place of labels, after which something stands elsewhere
    min_value_share: float  # of what follows labels, that stands at a place of values
    min_named_share: float  # of the texts at a place of values, that follow labels
    min_varied_share: float  # of the texts at a place of values, that differ from thing to thing


RECORD_LABELS: Final = LabelRules(
    patterns=(_IN_TEXT,),
    running=(_TWO_WORDS, _ONE_WORD),
    min_name_share=0.1,
    min_inside_share=0.5,
    min_rests=1,  # all records of an answer may have what was asked for
    lone_share=0.9,
    lone_tags=frozenset("dt th b strong i em label".split()),
    max_kinds=1.6,
    min_followed_share=0.5,
    min_value_share=0.05,
    min_named_share=0.0,
    min_varied_share=0.0,
)
PAGE_LABELS: Final = LabelRules(
    patterns=(_FIRST_IN_TEXT,),
    running=(),  # descriptions of a page have any words before colons
    min_name_share=0.0,
    min_inside_share=0.0,
    min_rests=2,
    lone_share=0.0,
    lone_tags=frozenset({"dt", "th", "label"}),
    max_kinds=1_000.0,  # pages of facts have most of their names on a few pages each
    min_followed_share=0.3,
    min_value_share=0.0,
    min_named_share=0.5,
    min_varied_share=0.2,
)


class LabelTally:
    """What is counted of the texts at one place."""

    __slots__ = ("again", "colons", "followed", "kinds", "once", "things", "total")

    def __init__(self) -> None:
        self.total = self.again = self.once = self.things = self.colons = self.followed = 0
        self.kinds: Counter[str] = Counter()  # things that have each text that comes back

    def are_labels(self, place: str, rules: LabelRules) -> bool:
        """Return True if texts that come back, each once in a thing, name what stands after them."""
        least = MIN_NAMING_SHARE * self.total
        if self.things < MIN_LABEL_THINGS or self.again < least or self.once < least:
            return False
        if self.total == self.things and take_turns(self.kinds, self.things, rules):
            return False
        if self.colons >= least:
            return True
        if self.followed < rules.min_followed_share * self.total or len(self.kinds) > rules.max_kinds * self.mean + 2:
            return False
        tag = _TAG.match(place.rpartition("/")[2])
        is_lone = tag is not None and tag[0] in rules.lone_tags
        return self.mean >= MIN_LABELS_PER_THING or (
            is_lone and max(self.kinds.values()) >= rules.lone_share * self.things
        )

    @property
    def mean(self) -> float:
        """Texts of one thing."""
        return self.total / self.things


Things = Sequence[Sequence[TextPiece]]


def take_turns(kinds: Counter[str], things: int, rules: LabelRules) -> bool:
    """Return True if words of which no thing has two are the values of a column, not names of several: bug, task and wish before a colon."""
    return (
        len(kinds) > 1
        and kinds.total() >= MIN_NAMING_SHARE * things
        and max(kinds.values()) < rules.lone_share * things
    )


def find_label_places(
    things: Things, rules: LabelRules, same: Collection[PlacedText] = (), asked: Collection[str] = ()
) -> frozenset[str]:
    """Return the places of texts that only name others; what was asked for comes back in every record and names nothing."""
    counts = Counter(key for thing in things for key in {placed_text(piece) for piece in thing if piece.text})
    tallies: dict[str, LabelTally] = defaultdict(LabelTally)
    for thing in things:
        own: dict[str, set[str]] = defaultdict(set)
        for piece, after in zip_longest(thing, thing[1:]):
            if not piece.text:
                continue
            tally, key = tallies[piece.place], placed_text(piece)
            tally.total += 1
            tally.again += counts[key] >= MIN_LABEL_THINGS and is_name(piece.text) and (not piece.href or key in same)
            tally.colons += piece.text.endswith(COLONS)
            if after is not None and after.text and after.place != piece.place and placed_text(after) not in same:
                tally.followed += not _stands_apart(piece, after)
            own[piece.place].add(key[1])
        for place, texts in own.items():
            tallies[place].things += 1
            tallies[place].once += len(texts)
            tallies[place].kinds.update(text for text in texts if counts[place, text] >= MIN_LABEL_THINGS)
    found = {
        place
        for place, tally in tallies.items()
        if place and not place.endswith((LABEL_MARK, VALUE_MARK)) and tally.are_labels(place, rules)
    }
    return frozenset(
        place
        for place in found
        if tallies[place].mean >= MIN_LABELS_PER_THING
        or not any(is_asked(text, asked) for text in tallies[place].kinds)
    )


def find_value_places(
    things: Things, labels: Collection[str], rules: LabelRules, same: Collection[PlacedText] = ()
) -> frozenset[str]:
    """Return the places of what stands right after labels."""
    total: Counter[str] = Counter()
    after: Counter[str] = Counter()
    varied: Counter[str] = Counter()
    for thing in things:
        for before, piece in pairwise((None, *thing)):
            if piece is not None and piece.text:
                total[piece.place] += 1
                varied[piece.place] += placed_text(piece) not in same
                after[piece.place] += before is not None and before.place in labels and can_name(before, piece)
    least = rules.min_value_share * sum(count for place, count in after.items() if place not in labels)
    return frozenset(
        place
        for place, count in after.items()
        if place not in labels
        and count >= max(1, least, rules.min_named_share * total[place])
        and varied[place] >= rules.min_varied_share * total[place]
    )


def find_labels_inside(
    things: Things, rules: LabelRules, same: Collection[PlacedText] = ()
) -> dict[str, frozenset[str]]:
    """Return the labels that stand in one text with what they name, by the places of such texts."""
    rests: dict[PlacedText, dict[str, int]] = defaultdict(dict)
    counts: Counter[PlacedText] = Counter()  # things with each label
    running: Counter[PlacedText] = Counter()  # the same, of words before a colon in running text
    texts: Counter[str] = Counter()
    holders: dict[str, list[set[str]]] = defaultdict(
        list
    )  # of things that have a place, the words before a colon there
    for number, thing in enumerate(things):
        own: dict[str, set[str]] = defaultdict(set)
        said: dict[str, set[str]] = defaultdict(set)
        for piece in thing:
            if not piece.text or COLUMN_MARK in piece.place or (same and placed_text(piece) in same):
                continue
            texts[piece.place] += 1
            found = {fold_label(match[1]) for pattern in rules.patterns for match in pattern.finditer(piece.text)}
            own[piece.place] |= found
            for name in found:
                rests[piece.place, name].setdefault(piece.text, number)
            words = {fold_label(match[1]) for pattern in rules.running for match in pattern.finditer(piece.text)}
            running.update((piece.place, word) for word in words)
            said[piece.place] |= found | words
        for place, each in said.items():
            holders[place].append(each)
        counts.update((place, name) for place, names in own.items() for name in names)
    least = max(MIN_LABEL_THINGS, rules.min_name_share * len(things)) if len(things) > 1 else 1
    if len(things) > 1:
        counts |= _find_running(running, texts, least)
    known = {
        name
        for (place, name), count in counts.items()
        if count >= least and len(set(rests[place, name].values())) >= (rules.min_rests if rests[place, name] else 0)
    }
    return _list_by_place(counts, known, holders, rules)


def _list_by_place(
    counts: Mapping[PlacedText, int],
    known: Collection[str],
    holders: Mapping[str, Sequence[set[str]]],
    rules: LabelRules,
) -> dict[str, frozenset[str]]:
    """Return the known labels at each place where enough things have one, and not one of several in turn."""
    again: Counter[str] = Counter()
    names: dict[str, set[str]] = defaultdict(set)
    for (place, name), count in counts.items():
        if name in known:
            again[place] += count
            names[place].add(name)
    found = {}
    for place, own in names.items():
        said = [own & words for words in holders[place]]
        in_turn = all(len(words) < 2 for words in said) and take_turns(
            Counter(word for words in said for word in words), len(said), rules
        )
        if again[place] >= rules.min_inside_share * len(said) and not in_turn:
            found[place] = frozenset(own)
    return found


def _find_running(counts: Mapping[PlacedText, int], texts: Mapping[str, int], least: float) -> Counter[PlacedText]:
    """Return the words before a colon in running text that name something: those of a place where several of them come back."""
    by_place: dict[str, dict[str, int]] = defaultdict(dict)
    for (place, word), count in counts.items():
        by_place[place][word] = count
    found: Counter[PlacedText] = Counter()
    for place, own in by_place.items():
        often = {word for word, count in own.items() if count >= max(least, MIN_RUNNING_LABEL_SHARE * texts[place])}
        # two words are one label where the second hardly ever stands without the first
        two = {word for word in often if " " in word and own[word] >= MIN_PAIR_SHARE * own.get(word.split()[-1], 0)}
        often = {word for word in often if " " not in word} - {word.split()[-1] for word in two} | two
        found.update({(place, word): own[word] for word in often} if len(often) > 1 else {})
    return found


def part_labels(text: str, names: Collection[str], rules: LabelRules) -> tuple[str, list[tuple[str, str]]]:
    """Return what a text says before its first known label, and the labels in it with their values."""
    patterns = (*rules.patterns, *rules.running)
    matches = [match for pattern in patterns for match in pattern.finditer(text)]
    known = {match.end(): match for match in reversed(matches) if fold_label(match[1]) in names}
    found = [known[end] for end in sorted(known)]
    pairs = []
    for match, after in zip_longest(found, found[1:]):
        value = text[match.end() : after.start() if after else len(text)].strip(LABEL_ENDS)
        if any(value.endswith(end) and value.count(end) > value.count(start) for start, end in ("()", "[]")):
            value = value[:-1].rstrip(LABEL_ENDS)
        pairs.append((match[1].strip(), value))
    return (text[: found[0].start()].strip(" (") if found else text), pairs


def is_name(text: str) -> bool:
    """Return True if a text is written as the name of an attribute may be."""
    return len(text) <= MAX_LABEL_CHARS and text[:1].isalpha()


def is_asked(text: str, asked: Iterable[str]) -> bool:
    """Return True if most of a text was asked for; a common word of a query stands in labels, too: de in Pays de production."""
    return any(each in text and 2 * len(each) >= len(text) for each in asked)


def placed_text(piece: TextPiece) -> PlacedText:
    """Return what distinguishes a text at its place from others."""
    return piece.place, fold_label(piece.text[: 2 * MAX_KEY_CHARS])[:MAX_KEY_CHARS]


def can_name(label: TextPiece, value: TextPiece) -> bool:
    """Return True if one tag holds a name and what stands after it, and little else."""
    left, entered = _steps_apart(label.place, value.place)
    return len(left) <= MAX_LABEL_STEPS and len(entered) <= MAX_VALUE_STEPS and not _stands_apart(label, value)


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


# -- labels of records of a list


class LabelPlaces(Struct, frozen=True, forbid_unknown_fields=True):
    """Where labels stand in the records of one place; its fields are keys of a stored wrapper."""

    names: frozenset[str] = frozenset()  # that were seen, folded
    places: frozenset[str] = frozenset()  # where only labels stand
    inside: frozenset[str] = frozenset()  # where a text holds labels and values
    values: frozenset[str] = frozenset()  # where the values stand that they name
    repeats: dict[str, str] = {}  # where a line says the title again and goes on, and what stands between its values


class LabelledPiece(NamedTuple):
    """A piece of a record that is no label, with the label it stands under."""

    label: str  # as the page has it, or nothing
    place: str
    number: int  # among those of its label and place
    text: str
    href: str = ""
    prop: str = ""


def learn_labels(items: Things, asked: Collection[str] = ()) -> LabelPlaces:
    """Return where labels stand in records, by what comes back from one to the other."""
    again = _find_repeats(items)
    items = [_leave_out_repeats(item, again) for item in items]
    inside = find_labels_inside(items, RECORD_LABELS)
    names = frozenset(name for own in inside.values() for name in own)
    split_items = [split_labelled_texts(item, names, inside) for item in items]
    places = {piece.place for item in split_items for piece in item if piece.place.endswith(LABEL_MARK)}
    wanted = tuple(each.casefold() for each in asked if each)
    places |= find_label_places(split_items, RECORD_LABELS, asked=wanted)
    found = {fold_label(piece.text) for item in split_items for piece in item if piece.place in places}
    values = find_value_places(split_items, places, RECORD_LABELS)
    repeats = {
        place: sign for place, sign in again.items() if place not in values
    }  # what has a label says what it says
    return LabelPlaces(frozenset(found), frozenset(places), frozenset(inside), values, repeats)


# Set by hand on family A; `tests/records/test_attributes.py` has lines of either kind.
MIN_REPEAT_TEXTS: Final = 4  # different titles that show that lines repeat them: fewer may be the same by chance
MIN_REPEAT_SHARE: Final = (
    0.8  # of texts at a place that say the title again; an advertisement among few records does not
)
_TITLE_ENDS: Final = " \t,;:|/·•-–—"  # between a title that a line begins with and what follows


def _find_repeats(items: Sequence[Sequence[TextPiece]]) -> dict[str, str]:
    """Return the places whose texts say the title of their record once more before they go on, each with the sign that follows it.

    A cell of a table says what it says.
    """
    seen: Counter[str] = Counter()
    again: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for item in items:
        said = [piece for piece in item if piece.text]
        title = said[0].text if said else ""
        for place, text in {piece.place: piece.text for piece in reversed(said[1:])}.items():
            if not CELL_PLACE.match(place):
                seen[place] += 1
                rest = _after_title(text, title)
                again[place] += [(title, text[len(title) : len(text) - len(rest)])] if rest else []
    return {
        place: Counter(sign for _, sign in found).most_common(1)[0][0]
        for place, found in sorted(again.items())
        if len({title for title, _ in found}) >= MIN_REPEAT_TEXTS and len(found) >= MIN_REPEAT_SHARE * seen[place]
    }


def _leave_out_repeats(item: Sequence[TextPiece], repeats: Mapping[str, str]) -> Sequence[TextPiece]:
    """Return the texts without the title where it stands a second time."""
    title = next((piece.text for piece in item if piece.text), "") if repeats else ""
    return [
        piece._replace(text=rest) if piece.place in repeats and (rest := _after_title(piece.text, title)) else piece
        for piece in item
    ]


def _after_title(text: str, title: str) -> str:
    """Return what a text says after the title that it begins with, or nothing."""
    if not title or not text.startswith(title) or text[len(title) :][:1].isalnum():
        return ""
    rest = text[len(title) :].lstrip()
    return rest.lstrip(_TITLE_ENDS) if rest[:1] and rest[0] in _TITLE_ENDS else ""


def split_labelled_texts(item: Sequence[TextPiece], names: Collection[str], inside: Collection[str]) -> list[TextPiece]:
    """Return the pieces of a record with those that hold labels split: labels, and their values."""
    parts: list[TextPiece] = []
    for piece in item:
        if piece.place not in inside:
            parts.append(piece)
            continue
        head, pairs = part_labels(piece.text, names, RECORD_LABELS)
        parts += [piece._replace(text=head)] if any(map(str.isalnum, head)) else []
        for label, value in pairs:
            parts.append(piece._replace(place=f"{piece.place}{LABEL_MARK}", text=label))
            if any(map(str.isalnum, value)):
                parts.append(piece._replace(place=f"{piece.place}{VALUE_MARK}", text=value))
    return parts


def label_pieces(item: Sequence[TextPiece], labels: LabelPlaces) -> list[LabelledPiece]:
    """Return the pieces of a record, each with its label, where it has one."""
    labelled: list[LabelledPiece] = []
    counts: Counter[tuple[str, str]] = Counter()
    label = ""
    for piece in split_labelled_texts(_leave_out_repeats(item, labels.repeats), labels.names, labels.inside):
        if piece.place in labels.places and (is_name(piece.text) or fold_label(piece.text) in labels.names):
            label = piece.text.strip(LABEL_ENDS)
            labelled.append(
                LabelledPiece(label, f"{piece.place}!", 0, "")
            )  # the label itself: a record may have it and no value
            continue
        under = label if piece.place in labels.values else ""
        counts[under, piece.place] += 1
        labelled.append(
            LabelledPiece(
                under, piece.place, counts[under, piece.place], piece.text.rstrip(_COLON_END), piece.href, piece.prop
            )
        )
    return labelled


# -- the template of pages: texts that stay the same, those of them that name others, and what stands after each

# Set by hand on the development part of SWDE, as those of `details`: `python -m bench attributes`.
MIN_FIXED_SHARE: Final = 0.8  # of pages with the same text at the same place that make it a part of the template
MIN_OPTIONAL_PAGES: Final = 3  # pages that a text of the template must stand on, where others lack its place
MIN_STEADY_SHARE: Final = 0.9  # of pages with as many texts at a place that make a number of each of them
MIN_SAME_NUMBER_SHARE: Final = 0.95  # of pages with the same text of one number at a place
MAX_NUMBERED_TEXTS: Final = 12  # texts at one place that are told apart by their number
BEFORE_FIRST: Final = "^"  # stands for a text of the template before the first one

_CRUMBS = re.compile(r"[.#][\w-]*(?:crumb|trail)", re.IGNORECASE)


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


def learn_template_texts(pages: Things) -> tuple[TemplateTexts, frozenset[str]]:
    """Return what pages have in common, and where names have their values: what stands there is one, though all say it."""
    counts = Counter(key for page in pages for key in set(map(placed_text, page)))
    same = _find_same(pages, counts)
    inside = find_labels_inside(pages, PAGE_LABELS, same)
    columns = {place for place, _ in counts if COLUMN_MARK in place}
    naming = find_label_places(pages, PAGE_LABELS, same) - set(inside) - columns
    named = find_value_places(pages, naming, PAGE_LABELS, same) | columns
    names = {key for key, count in counts.items() if key[0] in naming and count >= MIN_LABEL_THINGS}
    texts = frozenset(names | {key for key in same if key[0] not in named})
    return TemplateTexts(texts, frozenset((place, name) for place, own in inside.items() for name in own)), named


def _find_same(pages: Sequence[Sequence[TextPiece]], counts: Counter[PlacedText]) -> set[PlacedText]:
    """Return the texts that stand on nearly all pages that have their place, without those that others stand for on some."""
    by_place: dict[str, list[list[str]]] = defaultdict(list)
    for page in pages:
        own: dict[str, list[str]] = defaultdict(list)
        for piece in page:
            own[piece.place].append(placed_text(piece)[1])
        for place, texts in own.items():
            by_place[place].append(texts)
    least = MIN_OPTIONAL_PAGES if len(pages) > MIN_OPTIONAL_PAGES + 1 else MIN_LABEL_THINGS
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


def is_trail(label: TextPiece, value: TextPiece) -> bool:
    """Return True if a text is a link that leads elsewhere and names nothing: before a link in the same place, or before a time."""
    if not label.href or label.text.endswith(COLONS):
        return False
    return (bool(value.href) and label.place == value.place) or TIME.search(value.text) is not None


def find_varying_texts(page: Sequence[TextPiece], fixed: TemplateTexts) -> Iterator[VaryingText]:
    """Yield what a page says beside its template, each text under the one of the template before it."""
    label, near, last = BEFORE_FIRST, None, None  # the last text of the template before, and the last of any
    names: dict[str, set[str]] = defaultdict(set)
    for place, name in fixed.inside:
        names[place].add(name)
    for piece in page:
        key = placed_text(piece)
        if not piece.text:
            near = None
            continue
        if key in fixed.texts:
            label, near, last = key[1], None if _is_crumb(last, piece) else piece, piece
            continue
        own = names.get(piece.place, set())
        is_whole = len(own) < MIN_LABEL_THINGS and near is not None and near.text.endswith(COLONS)
        _, pairs = part_labels(piece.text, own, PAGE_LABELS) if own and not is_whole else ("", [])
        for name, value in pairs:
            of_name = piece._replace(place=f"{piece.place}{LABEL_MARK}", text=name)
            yield VaryingText(fold_label(name), of_name, piece._replace(place=f"{piece.place}{VALUE_MARK}", text=value))
        if not pairs:
            yield VaryingText(label, near, piece) if COLUMN_MARK not in piece.place else VaryingText("", None, piece)
        near, last = None, piece


def _is_crumb(before: TextPiece | None, link: TextPiece) -> bool:
    """Return True if a text is one of a trail of links that leads down to the page, and names nothing: Home > Books > Fiction."""
    if not link.href or link.text.endswith(COLONS) or _CELL.match(link.place.rpartition("/")[2]):
        return False
    return _CRUMBS.search(link.place) is not None or (
        before is not None and bool(before.href) and before.place == link.place
    )
