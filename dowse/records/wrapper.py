"""Wrapper induction: learn from answers how a site writes its records, and read records from further answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from dowse.model import Record, Verdict
from dowse.records.attributes import (
    ATTRIBUTES,
    RECORDS,
    Own,
    Samples,
    Wrapper,
    begins_like,
    find_own,
    find_plain,
    follow,
    key_of,
    learn_attributes,
    learn_identity,
    learn_own,
    name_title,
    read_values,
)
from dowse.records.counts import best_count, says_nothing_found
from dowse.records.declared import Declared, find_things
from dowse.records.labels import Told, fold, learn_labels, tell
from dowse.records.pieces import (
    SPONSORED,
    Cut,
    Part,
    Piece,
    Reader,
    cut_items,
    find_places,
    parts_of,
    split_units,
    width_of,
)
from dowse.records.regions import Region, Sight, agree, find_regions, find_texts, shape_of
from dowse.tree.node import Node, find_nodes, sign_of, text_of

# --- found
# What stands where records stand, on one page.

MAX_FOUND: Final = 3_000  # on one page


@dataclass(frozen=True, slots=True)
class Found:
    """Something that may be a record."""

    parts: tuple[Part, ...]
    pieces: tuple[Piece, ...]
    page: str  # what its links are relative to

    @property
    def id(self) -> str:
        """The id of its own tag, if it has one."""
        first = self.parts[0] if self.parts else ""
        return first.attribute("id") if isinstance(first, Node) else ""


def find_candidates(wrapper: Wrapper, tree: Node, url: str, most: int = MAX_FOUND) -> list[Found]:
    """Return what stands where the records of a wrapper stand, in the order of the page."""
    page = find_base(tree, url)
    top = "outside" if wrapper.cut.way == "element" else "inside"
    reader = Reader(wrapper.marks)
    found: list[Found] = []
    for parent in find_places(tree, wrapper.where):
        for item in cut_items(split_units(parent), wrapper.cut):
            if len(found) >= most:
                return found
            parts = parts_of(item)
            pieces = reader.read(parts, top)
            if pieces:
                found.append(Found(parts, tuple(pieces), page))
    return found


def find_base(tree: Node, url: str) -> str:
    """Return what the links of a page are relative to."""
    base = next((node.attribute("href") for node in tree.children if node.tag == "base"), "")
    return (follow(base, url) or url) if base else url


# --- adverts
# What says of itself that it is no record: advertisements, in the words that law and custom want them to have.

_WORDS: Final = frozenset(
    "ad|ads|advert|adverts|advertisement|advertisements|advertising|sponsored|sponsor|sponsored link|sponsored links|"
    "sponsored result|sponsored listing|promoted|promotion|featured ad|anzeige|anzeigen|werbung|gesponsert|annonce|annonces|"
    "annonce sponsorisée|publicité|publicite|sponsorisé|sponsorise|anuncio|anuncios|publicidad|patrocinado|patrocinados|"
    "pubblicità|pubblicita|sponsorizzato|annuncio|annuncio sponsorizzato|anúncio|publicidade|advertentie|gesponsord|"
    "reklama|ogłoszenie sponsorowane|sponsorowane|реклама|спонсор|annons|reklame|mainos|reklam|hirdetés|διαφήμιση|"
    "広告|協賛|提供|スポンサー|pr|广告|廣告|광고|إعلان|פרסומת".split("|")
)
_SIGNS: Final = " \t()[]{}<>:：-–—*•·.!"


def says_advert(pieces: Iterable[Piece]) -> bool:
    """Say whether a piece of something says that it is an advertisement, or its link is marked as one."""
    return any(piece.place.endswith(SPONSORED) or piece.text.strip(_SIGNS).casefold() in _WORDS for piece in pieces)


# --- likeness
# Which of the things where records stand are records: they have what each of the others has, and little else.

USUAL: Final = 0.8  # share of records that have what each should have
KNOWN: Final = 0.05  # share that have what a record may have
OWN_PAGE: Final = 2.0  # what a page of its own counts among what a record has
ENOUGH: Final = 0.55  # of what records have that one must have
MORE: Final = 0.9  # the same for what says of itself that it is an advertisement

_PAGE = "own page"

Shape = tuple[tuple[str, float], ...]


def learn_shape(told: Sequence[Sequence[Told]], pages: Sequence[str], own: Own) -> Shape:
    """Return what records have, and the share of them that have it."""
    counts: Counter[str] = Counter()
    for item, page in zip(told, pages, strict=True):
        counts.update(_parts(item, page, own))
    least = max(KNOWN * len(told), 2 if len(told) > 3 else 1)
    return tuple(sorted((part, count / len(told)) for part, count in counts.items() if count >= least))


def _parts(told: Sequence[Told], page: str, own: Own) -> set[str]:
    """Return what something has: names, pieces without one, a page of its own."""
    parts = {f"label {fold(each.label)}" if each.label else f"piece {each.place} {each.number}" for each in told}
    if own.number and begins_like(find_own(told, own, page), own):
        parts.add(_PAGE)
    return parts


def is_record(wrapper: Wrapper, found: Found, told: Sequence[Told]) -> bool:
    """Say whether something is made like the records that a wrapper was learned from."""
    parts = _parts(told, found.page, wrapper.own)
    shares = dict(wrapper.shape)
    if not shares or not any(each.text for each in told):
        return False
    least = min(USUAL, max(shares.values()))
    usual = {part: share * (OWN_PAGE if part == _PAGE else 1) for part, share in shares.items() if share >= least}
    have = sum(share for part, share in usual.items() if part in parts) / sum(usual.values())
    known = sum(part in shares for part in parts) / len(parts)
    return have * known >= (MORE if says_advert(found.pieces) else ENOUGH)


# --- frame
# What stands around records on every answer: how a page is known when nothing was found.

MAX_FRAME: Final = 120  # pairs of tags that are kept


def find_frame(trees: Sequence[Node], records: Collection[int]) -> tuple[str, ...]:
    """Return the pairs of tags, one in the other, that stand on all pages outside their records."""
    found = [set(_find_pairs(tree, records)) for tree in trees]
    return tuple(sorted(set.intersection(*found))[:MAX_FRAME]) if found else ()


def frame_likeness(frame: Collection[str], tree: Node) -> float:
    """Return the share of a frame that a page has."""
    if not frame:
        return 0.0
    there = set(_find_pairs(tree, ()))
    return sum(pair in there for pair in frame) / len(frame)


def _find_pairs(tree: Node, records: Collection[int]) -> Iterator[str]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        inner = [child for child in node.children if id(child) not in records]
        own = sign_of(node)
        for child in inner:
            yield f"{own}/{sign_of(child)}"
        waiting.extend(inner)


# --- fits
# Whether a page still looks like those that a wrapper was made from.

SAME_FRAME: Final = 0.6  # share of what stands around records that is there when nothing was found
MORE_LINES: Final = 1.5  # times the lines around records before a page without records holds something else
SOME_LINES: Final = 8  # lines that a page may have more than others
STRANGERS: Final = 3  # things at the place of records that are none, more than there were


def judge_fit(wrapper: Wrapper, tree: Node, lines: Sequence[str], strangers: int, records: int) -> Verdict:
    """Say whether a page is built like the others; one without records must be so all around."""
    if records:
        return _judge_found(wrapper, strangers, records)
    if any(map(says_nothing_found, lines)):
        return Verdict(True, "no records, and the page says so")
    likeness = frame_likeness(wrapper.frame, tree)
    if likeness < SAME_FRAME:
        return Verdict(False, f"built differently: {likeness:.0%} of what stood around records is there")
    count = best_count(lines)
    if count is not None and count.number > 0:
        return Verdict(False, f"says that there are {count.number:,} records, and none is where they stood")
    if strangers > wrapper.strangers + STRANGERS:
        return Verdict(False, f"{strangers} things stand where records stood, and none is like them")
    if len(lines) > MORE_LINES * wrapper.lines + SOME_LINES:
        return Verdict(
            False, f"no record where they stood, and {len(lines)} lines elsewhere instead of {wrapper.lines}"
        )
    return Verdict(True, "no records, and the page is built as before")


def _judge_found(wrapper: Wrapper, strangers: int, records: int) -> Verdict:
    others = strangers - wrapper.strangers - STRANGERS
    if others > records:
        return Verdict(False, f"only {records} of {records + strangers} things where records stood are like them")
    return Verdict(True, f"{records} records")


# --- header
# What the head of a table calls its columns.

MAX_NAME: Final = 60  # characters of a column's name
MAX_ROWS: Final = 3_000
_CELLS = frozenset({"td", "th"})
# Signs beside a name that say how rows are sorted, as arrows, triangles and icons of a font: id ▼
_HEADER_SIGNS = r"\s\u2190-\u21ff\u25a0-\u25ff\u2b00-\u2bff\ue000-\uf8ff\U0001f53c\U0001f53d^\ufe0e\ufe0f"
_SORTING = re.compile(rf"^[{_HEADER_SIGNS}]++|(?<![{_HEADER_SIGNS}])[{_HEADER_SIGNS}]++$")


def find_header(trees: Sequence[Node], records: Collection[Part]) -> dict[str, str]:
    """Return the name of each column, such as td[2]: Year, where the records are rows of a table that has a head."""
    rows = {id(part) for part in records if isinstance(part, Node) and part.tag == "tr"}
    for tree in trees if rows else ():
        for table in find_nodes(tree, "table"):
            names = _read_head(list(_find_rows(table)), rows)
            if names:
                return names
    return {}


def _find_rows(table: Node) -> Iterator[Node]:
    for child in table.children[:MAX_ROWS]:
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child.children[:MAX_ROWS] if row.tag == "tr")


def _read_head(rows: Sequence[Node], records: Collection[int]) -> dict[str, str]:
    """Return the names in the last row before the records that looks like a head."""
    first = next((place for place, row in enumerate(rows) if id(row) in records), 0)
    for row in reversed(rows[:first]):
        cells = [cell for cell in row.children if cell.tag in _CELLS]
        names = [_SORTING.sub("", text_of(cell, MAX_NAME)) for cell in cells]
        filled = [name for name in names if name]
        if len(filled) >= 2 and len(set(filled)) == len(filled) and _is_head(row, cells, rows[first]):
            return _name_columns(cells, names)
    return {}


def _is_head(row: Node, cells: Sequence[Node], record: Node) -> bool:
    """Say whether a row names the columns of another: by its tags, or by having as many cells of a few words each."""
    if sum(cell.tag == "th" for cell in cells) >= len(cells) / 2:
        return True
    count = sum(cell.tag in _CELLS for cell in record.children)
    return len(cells) == count and not any(cell.attribute("colspan") for cell in row.children)


def _name_columns(cells: Sequence[Node], names: Sequence[str]) -> dict[str, str]:
    named: dict[str, str] = {}
    column = 0
    for cell, name in zip(cells, names, strict=True):
        for _ in range(width_of(cell)):
            column += 1
            named[f"td[{column}]"] = name
    return named


# --- marks
# Tags that only highlight the words that were asked for: they part no text.

LEAST: Final = 2  # highlighted words that make a tag a highlight
MOSTLY: Final = 0.8  # share of such tags that hold what was asked for

_TAGS: Final = frozenset("b strong em i span font u".split())


def find_marks(pages: Collection[tuple[Node, tuple[str, ...]]]) -> tuple[str, ...]:
    """Return the signs of tags that stand in the middle of a text and hold the words asked for, on pages and their queries."""
    seen: Counter[str] = Counter()
    hits: Counter[str] = Counter()
    for tree, asked in pages:
        words = {word.casefold() for value in asked for word in (value, *value.split())}
        for node, flows in _find_inline(tree) if words else ():
            seen[sign_of(node)] += 1
            hits[sign_of(node)] += flows and " ".join("".join(node.texts).split()).casefold() in words
    return tuple(sorted(sign for sign, count in hits.items() if count >= max(LEAST, MOSTLY * seen[sign])))


def _find_inline(tree: Node) -> Iterator[tuple[Node, bool]]:
    """Yield tags of letters, and whether other words stand right before or after them."""
    for parent in find_nodes(tree):
        content = parent.content
        for place, part in enumerate(content):
            if isinstance(part, Node) and part.tag in _TAGS and part.content:
                beside = [each for each in (*content[max(0, place - 1) : place], *content[place + 1 : place + 2])]
                yield part, not part.children and any(isinstance(each, str) and each.strip() for each in beside)


# --- outside
# The lines of a page outside its records: a count, a remark, steps to further pages.

MAX_LINES: Final = 600
LONGEST_LINE: Final = 400

_INLINE = frozenset("a abbr b big cite code em font i mark q small span strong sub sup tt u var".split())


def find_lines(tree: Node, records: Collection[int]) -> tuple[str, ...]:
    """Return the lines of text that stand in no record, in their order."""
    lines: list[str] = []
    words: list[str] = []
    _read(tree, records, lines, words)
    _end(lines, words)
    return tuple(lines[:MAX_LINES])


def _read(node: Node, records: Collection[int], lines: list[str], words: list[str]) -> None:
    if node.tag == "script" or len(lines) >= MAX_LINES:
        return
    for part in node.content:
        if id(part) in records:
            _end(lines, words)
        elif isinstance(part, str):
            words.append(part)
        elif part.tag in _INLINE:
            _read(part, records, lines, words)
        else:
            _end(lines, words)
            _read(part, records, lines, words)
            _end(lines, words)


def _end(lines: list[str], words: list[str]) -> None:
    line = " ".join("".join(words).split())[:LONGEST_LINE]
    words.clear()
    if any(map(str.isalnum, line)):
        lines.append(line)


# --- wrapper
# Learn from answers how a site writes its records, and read records from further answers.
#
# `learn_wrapper` needs one answer; others, to other queries, show what belongs to the page and what to the answer.
# `apply_wrapper` says of every page whether it still looks like those.

__all__ = ["Extract", "Sample", "Wrapper", "apply_wrapper", "find_records", "learn_wrapper"]

MAX_SAMPLES: Final = 12
MAX_LEARNED_NODES: Final = 80_000  # tags of all samples: as many as the two largest trees that are read have
MAX_RECORDS: Final = 2_500  # of one page
MAX_LEARNED: Final = 200  # records of one page that are learned from
LEAST_SCORE: Final = 0.2  # of a place, below which what repeats there says nothing
ROUNDS: Final = 3  # of learning what records are made of, each without what the one before has found to be none


@dataclass(frozen=True, slots=True)
class Sample:
    """One page of answers, and the values of the query that it answers."""

    tree: Node
    url: str
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extract:
    """What was read from one page of answers."""

    records: tuple[Record, ...] = ()
    lines: tuple[str, ...] = ()  # of text outside the records
    fits: Verdict = field(
        default_factory=lambda: Verdict(True)
    )  # whether the page looks like those that the wrapper was made from


@dataclass(frozen=True, slots=True)
class _Lesson:
    """What may be records on all samples, and which of them are."""

    found: Sequence[Found]
    told: Sequence[Sequence[Told]]
    kept: Sequence[int]
    asked: tuple[str, ...]

    @property
    def records(self) -> list[Sequence[Told]]:
        """What the records say."""
        return [self.told[number] for number in self.kept]

    @property
    def pages(self) -> list[str]:
        """The page of each record."""
        return [self.found[number].page for number in self.kept]


def learn_wrapper(samples: Sequence[Sample]) -> Wrapper | Verdict:
    """Return how the records of these answers are written, or why that cannot be told."""
    samples = keep_last(samples[:MAX_SAMPLES])
    if not samples:
        return Verdict(False, "no answer to learn from")
    region = _find_best(samples)
    if region is None or region.score < LEAST_SCORE:
        return _learn_declared(samples)
    marks = find_marks([(sample.tree, sample.asked) for sample in samples])
    wrapper = Wrapper(tuple(region.path.split("/")), region.cut, marks=marks)
    found = [each for sample in samples for each in find_candidates(wrapper, sample.tree, sample.url, MAX_LEARNED)]
    asked = tuple(value for sample in samples for value in sample.asked)
    found = _without_copies(found)
    kept = agree([shape_of(each.pieces) for each in found]).kept
    if not kept:
        return Verdict(False, "what stands where records stand is not alike")
    wrapper, lesson = _learn_parts(wrapper, _Lesson(found, (), kept, asked))
    return _learn_page(_name_parts(wrapper, lesson, samples), samples)


def keep_last(samples: Sequence[Sample]) -> Sequence[Sample]:
    """Return the last samples, two at least, that have no more tags together than are learned from."""
    tags = 0
    for kept, sample in enumerate(reversed(samples)):
        tags += sum(1 for _ in find_nodes(sample.tree))
        if kept >= 2 and tags > MAX_LEARNED_NODES:
            return samples[-kept:]
    return samples


def _learn_declared(samples: Sequence[Sample]) -> Wrapper | Verdict:
    """Return a wrapper for pages that only say in JSON-LD what their records are."""
    if not any(find_things(sample.tree, sample.url) for sample in samples):
        return Verdict(False, "nothing on these pages repeats like records do")
    frame = find_frame([sample.tree for sample in samples], ())
    lines = max(len(find_lines(sample.tree, ())) for sample in samples)
    return Wrapper((), Cut("element", "tag", ""), frame=frame, lines=lines, declared=RECORDS)


def _without_copies(found: Sequence[Found]) -> list[Found]:
    """Leave out records that an earlier answer has shown: what comes back with them is not what records have in common."""
    return list({tuple(piece.text for piece in each.pieces): each for each in reversed(found)}.values())[::-1]


def _find_best(samples: Sequence[Sample]) -> Region | None:
    """Return the likeliest place of records on any of the answers."""
    texts = [find_texts(sample.tree) for sample in samples]
    best: Region | None = None
    for number, sample in enumerate(samples):
        others = tuple(each for place, each in enumerate(texts) if place != number)
        regions = find_regions(Sight(sample.tree, sample.asked, others))
        if regions and (best is None or regions[0].score > best.score):
            best = regions[0]
    return best


def _learn_parts(wrapper: Wrapper, lesson: _Lesson) -> tuple[Wrapper, _Lesson]:
    """Learn what records are made of, first with what may be none, then without."""
    for _ in range(ROUNDS):
        labels = learn_labels([lesson.found[number].pieces for number in lesson.kept], lesson.asked)
        lesson = replace(lesson, told=[tell(each.pieces, labels) for each in lesson.found])
        own = learn_own(lesson.records, lesson.pages)
        shape = learn_shape(lesson.records, lesson.pages, own)
        wrapper = replace(wrapper, labels=labels, own=own, shape=shape, learned_from=len(lesson.kept))
        like = [number for number, each in enumerate(lesson.found) if is_record(wrapper, each, lesson.told[number])]
        if not like or like == list(lesson.kept):
            break
        lesson = replace(lesson, kept=like)
    return wrapper, lesson


def _name_parts(wrapper: Wrapper, lesson: _Lesson, samples: Sequence[Sample]) -> Wrapper:
    told = lesson.records
    parts = [part for number in lesson.kept for part in lesson.found[number].parts]
    header = find_header([sample.tree for sample in samples], parts)
    attributes = learn_attributes(Samples(told, lesson.asked, header, find_plain(told, lesson.asked)))
    attributes, title = name_title(attributes, told, (wrapper.own.place, wrapper.own.number))
    frame = find_frame([sample.tree for sample in samples], {id(part) for part in parts})
    identity = learn_identity(wrapper.own, [lesson.found[number].id for number in lesson.kept])
    return replace(wrapper, attributes=attributes, title=title, frame=frame, identity=identity)


def _learn_page(wrapper: Wrapper, samples: Sequence[Sample]) -> Wrapper:
    """Note how much stands beside the records on pages like these."""
    strangers = lines = 0
    declared = ""
    for sample in samples:
        found, told, kept = _find_all(wrapper, sample.tree, sample.url)
        things = Declared(find_things(sample.tree, find_base(sample.tree, sample.url)))
        if things.knows([_read_record(wrapper, told[number], found[number]) for number in kept[:MAX_LEARNED]]):
            declared = ATTRIBUTES
        strangers = max(strangers, len(found) - len(kept))
        lines = max(lines, len(_lines_outside(sample.tree, [found[number] for number in kept])))
    return replace(wrapper, strangers=strangers, lines=lines, declared=declared)


def _find_all(wrapper: Wrapper, tree: Node, url: str) -> tuple[list[Found], list[list[Told]], list[int]]:
    found = find_candidates(wrapper, tree, url)
    told = [tell(each.pieces, wrapper.labels) for each in found]
    return found, told, [number for number, each in enumerate(found) if is_record(wrapper, each, told[number])]


def find_records(wrapper: Wrapper, tree: Node, url: str) -> list[Found]:
    """Return the records of a page as they stand on it."""
    found, _, kept = _find_all(wrapper, tree, url)
    return [found[number] for number in kept[:MAX_RECORDS]]


def _lines_outside(tree: Node, records: Sequence[Found]) -> tuple[str, ...]:
    return find_lines(tree, {id(part) for each in records for part in each.parts})


def apply_wrapper(wrapper: Wrapper, tree: Node, url: str) -> Extract:
    """Return the records of an answer, the lines beside them, and whether the wrapper still fits."""
    found, told, kept = _find_all(wrapper, tree, url)
    kept = kept[:MAX_RECORDS]
    records = tuple(_read_record(wrapper, told[number], found[number]) for number in kept)
    if wrapper.declared:
        declared = Declared(find_things(tree, find_base(tree, url)))
        records = declared.records() if wrapper.declared == RECORDS else tuple(map(declared.extend, records))
    lines = _lines_outside(tree, [found[number] for number in kept])
    return Extract(records, lines, judge_fit(wrapper, tree, lines, len(found) - len(kept), len(records)))


def _read_record(wrapper: Wrapper, told: Sequence[Told], found: Found) -> Record:
    address = find_own(told, wrapper.own, found.page) if wrapper.own.number else ""
    key = found.id if wrapper.identity == "id" else key_of(address, wrapper.own)
    return Record(tuple(read_values(told, wrapper.attributes)), key, address)
