"""The record finder: the regions of a page whose content repeats, in every way it may be cut into records.

Each way is scored: how many words it holds that other answers have not, how alike its records are, how many of them
hold what was asked for, how much each of them says. Menus differ in nothing, facets in little, and both say little; the
parts of a record do not hold what was asked for, each of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import fsum, inf, log
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from dowse.model import Verdict
from dowse.records.pieces import (
    BETWEEN_SIGNS,
    MAX_LABEL_CHARS,
    MIN_REPEATS,
    Cut,
    PieceReader,
    RecordUnits,
    TextPiece,
    Unit,
    cut_items,
    find_cuts,
    join_paths,
    resolve_link,
    split_units,
    starts_within,
    unit_parts,
    walk_paths,
    without_classes,
)
from dowse.tree.node import Node, find_nodes

# How places and cuts are weighed is fitted (`models/regions.json`, by `python -m bench.extraction.fit`). What the facts are made of was set by hand
# on family A, the labelled list pages and real records in common designs; `python -m bench sensitivity --parts regions` shows what each is worth.
MIN_USUAL_SHARE: Final = 0.5  # of things that have what is usual
MIN_LIKENESS: Final = 0.45  # to what is usual, from which one of them is a record
MAX_AGREE_ROUNDS: Final = 3  # of leaving out what is not like the others
MAX_PIECES_AT_PLACE: Final = 12  # of one record that are told apart
MAX_PLACE_GROUPS: Final = 60  # that are looked at closely, those with the most words of their own
MAX_SINGLE_PLACES: Final = 40  # tags at one kind of place that are looked at by themselves
MAX_WEIGHED_RECORDS: Final = 400  # of one place
FULL_WEIGHT_CHARS: Final = 250  # of one record that always count; one long text is no list
MAX_WEIGHT_RATIO: Final = 3  # times as many characters as others have, beyond which they no longer count
MAX_ONE_UNIT_SHARE: Final = 0.55  # of a place's words in one of its units; with more the records stand in that one
# What facts of a region are made of; sources as above:
UNASKED_SHARE: Final = 0.1  # of a record that does not hold what was asked for, beside 1 of one that does
SHARED_TEXT_WEIGHT: Final = 0.05  # of a text that all answers have; two answers may be the same
MIN_OWN_SHARE: Final = 0.5  # of the characters of a record that no other answer has; with less it stands there, too
MIN_HEADED_SHARE: Final = 0.8  # headings for each record that are left out
MAX_FIRST_TEXTS: Final = 4  # texts at the beginning of records that may be the same for all: Details, New
MIN_SAME_FIRST_SHARE: Final = 0.6  # of records with the same text there that makes it the same for all
# When what repeats are the labels and values of one record:
MIN_LABEL_ROWS: Final = 3  # labels
MIN_LABEL_ROW_SHARE: Final = 0.8  # of rows that begin with a label of their own
MIN_LABEL_TURN_SHARE: Final = 0.6  # of labels that a record has, where those of several records follow each other
MAX_SAME_VALUE_SHARE: Final = 0.5  # of their values that another answer has; with more it found the same
# What facts of an answer are made of, weighed by `models/answering.json` (`python -m bench.extraction.answering`); set by hand on real software:
MAX_FEW_STATED: Final = 3  # records that a page says there are; their parts are easily taken for more of them
MIN_PLAIN_LINES: Final = 3  # lines of text without a link that may be a list; two are a message and a date
SCORE_UNIT: Final = 10  # of the logarithm of odds that a region holds records: its fact is of the size of the others
# When a place only shows what another one does; set by hand on HyperKitty's lists for small and large screens:
MIN_SAME_ITEMS_SHARE: Final = 0.8  # of things that stand at the other place as well; a date may change
MAX_VIEWS: Final = 4  # places that may show the same things; what stands at more of them tells no thing
# When a cut has more records than another, in as many words; the cards of a grid and advertisements of the tests and of common designs:
MIN_MORE_RECORDS_RATIO: Final = 1.5  # times as many records as of the other cut
MIN_REST_WEIGHT_SHARE: Final = 0.6  # of words of the other cut that they hold: the rest stands among them
MIN_LIKENESS_RATIO: Final = 0.85  # of their likeness to that of the rows
MIN_ASKED_RATIO: Final = 0.8  # of the share that holds what was asked to that of the other cut
MIN_CARD_PIECES: Final = 2  # of one card of a grid
MIN_ASKED_OTHERS: Final = 0.5  # of records that advertisements begin, that hold what was asked
MAX_SAME_FIRST_SHARE: Final = 0.2  # of the cells of a grid that begin with the words of others

_HEADING = re.compile(r"(?:h[1-6]|dt)(?![a-z])")
_CELL = re.compile(r"t[dh](?![a-z])")
_NEVER_A_REGION = frozenset({"tr", "script"})  # the cells of a row are no records
_MENU_NAME = re.compile(
    r"(?:^|[./_-])(?:nav|navi|navbar|navigation|menu|footer|sidebar|breadcrumbs?|cookies?|pagination|pager)(?=[./_-]|$)"
)

_RESULTS_NAME = re.compile(
    r"(?:^|[./_-])(?:results?|hits?|records?|listings?|products?|search-?results?|entries|matches)(?=[./_-]|$)"
)
_LABELLED = re.compile(r"\A([^:：]++[:：])\s*+(.+)", re.DOTALL)

PieceShape = frozenset[str]

# What a person reads at a glance.
MAX_SAID_FACTS: Final = 3  # that a reason names
MODEL: Final = Path(__file__).parent / "models" / "regions.json"
ANSWER_MODEL: Final = Path(__file__).parent / "models" / "answering.json"


class RegionModel(msgspec.Struct, frozen=True, dict=True):
    """What each fact of a region counts, times its number, and what that was fitted on."""

    source: str
    bias: float  # against places that say too little to be a list of records
    weights: dict[str, float]

    def score(self, facts: Mapping[str, float]) -> float:
        """Return the logarithm of the odds that a region holds the records, rather than none on the page."""
        return self.bias + fsum(self.weights.get(fact, 0.0) * number for fact, number in facts.items())

    def say_against(self, facts: Mapping[str, float]) -> str:
        """Return the facts that speak most against a region, the strongest first."""
        found = sorted((self.weights.get(fact, 0.0) * number, fact) for fact, number in facts.items())
        against = [fact.removesuffix(_LOGARITHM) for counts, fact in found[:MAX_SAID_FACTS] if counts < 0]
        return "; ".join(against)

    def bound(self, characters: float) -> float:
        """Return the most that a region with so many characters of its own can score."""
        return self.bias + self.weights.get(_OWN_CHARACTERS, 0.0) * log(max(1.0, characters)) + self._rest

    @cached_property
    def _rest(self) -> float:
        """What facts can add to the characters of a region: shares, and logarithms of shares, which are below zero."""
        signs = {fact: -weight if fact.endswith(_LOGARITHM) else weight for fact, weight in self.weights.items()}
        return fsum(max(0.0, most) for fact, most in signs.items() if fact != _OWN_CHARACTERS)


_LOGARITHM: Final = ", logarithm"
_SAME_FIRST: Final = "a few words come first in many"
_OWN_CHARACTERS: Final = "how much it says of its own, logarithm"


@cache
def load_region_model() -> RegionModel:
    """Return the weights that come with Dowse."""
    return msgspec.json.decode(MODEL.read_bytes(), type=RegionModel)


@cache
def load_answer_model() -> RegionModel:
    """Return the weights by which a region answers what was asked."""
    return msgspec.json.decode(ANSWER_MODEL.read_bytes(), type=RegionModel)


# -- which of several things are made alike


@dataclass(frozen=True, slots=True)
class Agreement:
    """How alike some things are."""

    kept: tuple[int, ...]  # those that are like most of them, by number
    likeness: float  # of those, on average
    shares: dict[str, float]  # of those that have each part


def piece_shape(pieces: Iterable[TextPiece]) -> PieceShape:
    """Return which pieces a record has: the second at a place is one of its own."""
    counts: Counter[str] = Counter()
    shape = set()
    for piece in pieces:
        counts[piece.place] += 1
        if counts[piece.place] <= MAX_PIECES_AT_PLACE:
            shape.add(f"{piece.place}#{counts[piece.place]}")
    return frozenset(shape)


def find_alike(shapes: Sequence[PieceShape]) -> Agreement:
    """Return which of several are like most of them, most of the others left out first."""
    kept = tuple(range(len(shapes)))
    shares = find_shares(shapes)
    for _ in range(MAX_AGREE_ROUNDS):
        like = tuple(number for number in kept if shape_likeness(shapes[number], shares) >= MIN_LIKENESS)
        if not like or like == kept:
            break
        kept, shares = like, find_shares([shapes[number] for number in like])
    if not kept:
        return Agreement((), 0.0, {})
    return Agreement(kept, sum(shape_likeness(shapes[number], shares) for number in kept) / len(kept), shares)


def find_shares(shapes: Collection[PieceShape]) -> dict[str, float]:
    """Return the share of them that have each part."""
    counts = Counter(part for shape in shapes for part in shape)
    return {part: count / len(shapes) for part, count in counts.items()}


def shape_likeness(shape: PieceShape, shares: dict[str, float]) -> float:
    """Return how much of what is usual a shape has, and how little else, from 0 to 1."""
    # exact sums: the order of a set would show in the last digits
    usual = fsum(share for share in shares.values() if share >= MIN_USUAL_SHARE)
    have = fsum(share for part in shape if (share := shares.get(part, 0.0)) >= MIN_USUAL_SHARE)
    odd = fsum(1 - shares.get(part, 0.0) for part in shape if shares.get(part, 0.0) < MIN_USUAL_SHARE)
    return have / (usual + 0.5 * odd) if usual or odd else 0.0


# -- regions


@dataclass(frozen=True, slots=True)
class RecordRegion:
    """A place where records may stand, one way to cut it, and what is known of it."""

    path: str  # signs of the tags down to the one that holds them
    cut: Cut
    items: tuple[RecordUnits, ...]
    likeness: float
    weight: float  # characters of their own
    asked: float  # share that hold what was asked for
    richness: float  # pieces of one
    parents: int = 1  # tags that they stand in
    nodes: tuple[Node, ...] = ()  # at the place, whether records stand in them or not
    facts: Mapping[str, float] = field(default_factory=dict)  # what speaks for it and against it, by name
    score: float = 0.0  # what these facts say together, in logarithms of odds


@dataclass(frozen=True, slots=True)
class _PlaceGroup:
    """Tags at one kind of place."""

    path: str
    nodes: Sequence[Node]
    total: float  # characters of their own
    mixed: bool = False  # tags of several kinds


@dataclass(slots=True)
class AnswerView:
    """An answer as the record finder sees it: what its texts weigh, what was asked for."""

    tree: Node
    asked: tuple[str, ...] = ()
    known: tuple[frozenset[str], ...] = ()  # texts of each other answer
    unasked: tuple[frozenset[str], ...] = ()  # those of them that found nothing, or were not asked at all
    empty: tuple[frozenset[str], ...] = ()  # those that say themselves that nothing was found
    stated: int = (
        0  # records that the page says there are; 0 where it says nothing, or only that there are more than some
    )
    shown: int = 0  # records that the page says it shows of these
    url: str = ""  # of the page
    says_nothing: bool = False  # the page says itself that nothing was found
    _units: dict[int, list[Unit]] = field(default_factory=dict)
    _reader: PieceReader = field(default_factory=PieceReader)

    def own(self, text: str) -> float:
        """Return how much a text is this answer's own."""
        if not self.known:
            return float(len(text))
        strange = sum(text not in texts for texts in self.known) / len(self.known)
        return len(text) * max(SHARED_TEXT_WEIGHT, strange)

    def units(self, parent: Node) -> list[Unit]:
        """Return what stands in a tag, split once."""
        if id(parent) not in self._units:
            self._units[id(parent)] = split_units(parent)
        return self._units[id(parent)]

    def read(self, item: RecordUnits, cut: Cut) -> list[TextPiece]:
        """Return the pieces of a record."""
        return self._reader.read(unit_parts(item), cut)


def find_texts(tree: Node) -> frozenset[str]:
    """Return the texts of a page."""
    return frozenset(" ".join(text.split()).strip(BETWEEN_SIGNS) for node in find_nodes(tree) for text in node.texts)


def find_regions(view: AnswerView, model: RegionModel | None = None) -> list[RecordRegion]:
    """Return the places that may hold the records, the likeliest first; what cannot be better than another is not looked at."""
    model = model or load_region_model()
    weights = _weigh_tags(view)
    found: list[RecordRegion] = []
    best = -inf
    for group in _find_groups(view.tree, weights):
        if model.bound(group.total) < best:
            break
        rows = [view.units(parent)[:MAX_WEIGHED_RECORDS] for parent in group.nodes[:MAX_WEIGHED_RECORDS]]
        for cut in find_cuts([unit for units in rows for unit in units]):
            items = [cut_items(units, cut) for units in rows]
            if model.bound(_sum_words(view, items, weights)) < best:
                continue
            region = _measure(view, group, cut, rows)
            if region is not None:
                found.append(region)
                best = max(best, model.score(region.facts))
    lead = max(found, key=lambda region: model.score(region.facts), default=None)
    compared = (replace(region, facts={**region.facts, **_compare(region, lead)}) for region in found)
    scored = (replace(region, score=model.score(region.facts)) for region in compared)
    return sorted(scored, key=lambda region: -region.score)


def _leaves_headings(rows: Sequence[Sequence[Unit]], cut: Cut, count: int) -> bool:
    """Return True if headings stand between what a cut takes for records, as many as these: each is the beginning of one."""
    if cut.way != "element" or _HEADING.match(cut.sign):
        return False
    return sum(_HEADING.match(unit.tag) is not None for units in rows for unit in units) >= MIN_HEADED_SHARE * count


def judge_region(view: AnswerView, region: RecordRegion, model: RegionModel | None = None) -> Verdict:
    """Return whether a region answers what was asked, or why not: menus, facets and what others searched for do not."""
    facts = describe_answer(view, region)
    model = model or load_answer_model()
    if model.score(facts) >= 0:
        return Verdict(True)
    why = model.say_against(facts) or "they say too little"
    return Verdict(False, f"the {len(region.items)} things that repeat are no answer ({why})")


def describe_answer(view: AnswerView, region: RecordRegion) -> dict[str, float]:
    """Return what speaks for a region as an answer to what was asked, and against it.

    A page that says that it found them has not heard what was asked, and lists everything: then it tells nothing that they stand elsewhere, too.
    """
    count = len(region.items)
    pieces = [view.read(item, region.cut) for item in region.items]
    texts = [{piece.text for piece in each if piece.text} for each in pieces]

    def stand_on(pages: Iterable[frozenset[str]]) -> list[float]:
        return [sum(own <= page for own in texts) / count for page in pages] if view.stated < count else []

    alone = sum(len(own) == 1 for own in texts) / count
    without_link = sum(not any(piece.href for piece in each) for each in pieces) / count
    asking = [page for page in view.known if page not in view.unasked] if view.asked else []
    return {
        "they stand on a page that says that nothing was found": max(stand_on(view.empty), default=0.0),
        "they stand on pages that found nothing or were not asked": min(stand_on(view.unasked), default=0.0),
        "they stand there whatever is asked": min(stand_on(asking), default=0.0),
        "the page says that there are three at most": float(0 < view.stated < count and view.stated <= MAX_FEW_STATED),
        "the page says that it found them": float(view.stated >= count),
        "they are as many as the page says": float(count in (view.stated, view.shown)),
        "the page says that nothing was found": float(view.says_nothing),
        "each is one text alone": alone,
        "none of them is a link": without_link,
        "they are too few lines without a link": float(alone == without_link == 1 and count < MIN_PLAIN_LINES),
        "they are addresses of other sites": sum(map(_names_its_address, pieces)) / count if alone == 1 else 0.0,
        "their links ask for this page again": sum(_asks_again(view.url, each) for each in pieces) / count,
        "something was asked": float(bool(view.asked)),
        "they hold what was asked": region.asked,
        "how many there are, logarithm": log(count),
        "how likely they are a list of records": region.score / SCORE_UNIT,
    }


def _names_its_address(pieces: Iterable[TextPiece]) -> bool:
    """Return True if something says nothing but the site that it leads to."""
    return any(piece.text and piece.text.casefold() == urlsplit(piece.href).hostname for piece in pieces)


def _asks_again(url: str, pieces: Iterable[TextPiece]) -> bool:
    """Return True if something has links, and all of them lead to its own page with all that this was asked: facets, ways to sort."""
    links = [resolve_link(piece.href, url) for piece in pieces if piece.href]
    here, _, asked = url.partition("#")[0].partition("?")
    wanted = set(asked.split("&"))
    return bool(links) and all(
        link.partition("?")[0] == here and wanted <= {*link.partition("?")[2].split("&"), ""} for link in links
    )


def _sum_words(view: AnswerView, rows: Sequence[Sequence[RecordUnits]], weights: Mapping[int, float]) -> float:
    """Return the characters of its own in what a way to cut a place takes for records."""
    return sum(
        weights[id(part)] if isinstance(part, Node) else view.own(part)
        for items in rows
        for item in items
        for unit in item
        for part in unit.parts
    )


def _weigh_tags(view: AnswerView) -> dict[int, float]:
    """Return the words of each tag's own, with those of the tags in it."""
    order = list(find_nodes(view.tree))
    weights: dict[int, float] = {}
    for node in reversed(order):
        total = 0.0
        for part in node.content:
            total += (
                weights[id(part)] if isinstance(part, Node) else view.own(" ".join(part.split()).strip(BETWEEN_SIGNS))
            )
        weights[id(node)] = 0.0 if node.tag == "script" else total
    return weights


def _find_groups(tree: Node, weights: dict[int, float]) -> list[_PlaceGroup]:
    """Return tags alone and with those at the same kind of place, those with the most words first."""
    groups: dict[str, list[Node]] = {}
    for node, path in walk_paths(tree):
        if node.content and weights[id(node)] > 0 and node.tag not in _NEVER_A_REGION:
            groups.setdefault(path, []).append(node)
    chosen = [
        (path, some, False)
        for path, nodes in groups.items()
        for some in (nodes, *([node] for node in nodes[:MAX_SINGLE_PLACES]))
    ]
    chosen += [(path, nodes, True) for path, nodes in _find_mixed(groups)]
    spread: dict[tuple[int, ...], _PlaceGroup] = {}
    for path, some, mixed in chosen:
        total = sum(weights[id(node)] for node in some)
        # where the words of a place are all in one of its units, the records stand in that one
        largest = max((weights[id(child)] for child in some[0].children), default=0.0)
        is_one = len(some[0].content) < MIN_REPEATS or largest > MAX_ONE_UNIT_SHARE * total
        if len(some) > 1 or not is_one:
            spread.setdefault(tuple(map(id, some)), _PlaceGroup(path, some, total, mixed))
    return sorted(spread.values(), key=lambda group: -group.total)[:MAX_PLACE_GROUPS]


def _find_mixed(groups: dict[str, list[Node]]) -> Iterator[tuple[str, list[Node]]]:
    """Yield places that only their classes tell apart, together: odd and even rows, the first of them."""
    alike: dict[str, list[str]] = {}
    for path in groups:
        alike.setdefault(without_classes(path), []).append(path)
    for paths in alike.values():
        if 1 < len(paths) <= MAX_SINGLE_PLACES:
            yield join_paths(paths), [node for path in paths for node in groups[path]]


def find_other_views(places: Sequence[Sequence[Sequence[TextPiece]]]) -> frozenset[int]:
    """Return the numbers of places whose things another place shows as well, and says more of: the table for small screens beside that for large ones.

    A thing is told by what no other thing of its place has: its links, or its longest text.
    """
    keys = [_find_own_keys(things) for things in places]
    at: dict[str, list[int]] = {}
    for number, own in enumerate(keys):
        for key in {key for thing in own for key in thing}:
            at.setdefault(key, []).append(number)
    shared: dict[int, Counter[int]] = {}  # of each place, how many of its things stand at each other one
    for number, own in enumerate(keys):
        if len(own) >= MIN_REPEATS:
            near = (
                {each for key in thing if len(at[key]) <= MAX_VIEWS for each in at[key]} - {number} for thing in own
            )
            shared[number] = Counter(each for found in near for each in found)
    said = [sum(len(piece.text) for pieces in things for piece in pieces) for things in places]

    def is_in(number: int, other: int) -> bool:
        return shared.get(number, Counter())[other] >= MIN_SAME_ITEMS_SHARE * len(keys[number])

    return frozenset(
        number
        for number, others in shared.items()
        if any(
            is_in(number, other) and (not is_in(other, number) or (said[other], number) > (said[number], other))
            for other in others
        )
    )


def _find_own_keys(things: Sequence[Sequence[TextPiece]]) -> list[set[str]]:
    """Return what tells each thing of a place from the others there: links that are its own, or the longest text that is."""
    links = [{piece.href for piece in pieces if piece.href} for pieces in things]
    texts = [dict.fromkeys(piece.text for piece in pieces if piece.text) for pieces in things]
    counts = Counter(key for own in (*links, *texts) for key in own)
    return [
        {href for href in linked if counts[href] == 1}
        or {max((text for text in said if counts[text] == 1), key=len, default="")} - {""}
        for linked, said in zip(links, texts, strict=True)
    ]


def _measure(view: AnswerView, group: _PlaceGroup, cut: Cut, rows: Sequence[Sequence[Unit]]) -> RecordRegion | None:
    """Return a way to cut a place with what is known of it, or None when nothing repeats in it."""
    parted = [cut_items(units, cut) for units in rows]
    items = [item for each in parted for item in each][:MAX_WEIGHED_RECORDS]
    pieces = [view.read(item, cut) for item in items]
    filled = [place for place, each in enumerate(pieces) if any(piece.text for piece in each)]
    if len(filled) < MIN_REPEATS:
        return None
    found = find_alike([piece_shape(pieces[place]) for place in filled])
    kept = [filled[number] for number in found.kept]
    if len(kept) < MIN_REPEATS or not found.likeness:
        return None
    said = [[piece.text for piece in pieces[place] if piece.text] for place in kept]
    if _are_label_rows(view, said):
        return None
    texts = [" ".join(piece.text for piece in pieces[place]).casefold() for place in kept]
    wanted = [" ".join(each.casefold().split()) for each in view.asked if each.strip()]
    # one that is far longer than the others counts as they do
    weights = [sum(view.own(piece.text) for piece in pieces[place]) for place in kept]
    chars = [sum(len(piece.text) for piece in pieces[place]) for place in kept]
    stale = sum(weight < MIN_OWN_SHARE * whole for weight, whole in zip(weights, chars, strict=True)) / len(kept)
    most = max(FULL_WEIGHT_CHARS, MAX_WEIGHT_RATIO * sorted(weights)[len(weights) // 2])
    region = RecordRegion(
        path=group.path,
        cut=cut,
        items=tuple(items[place] for place in kept),
        likeness=found.likeness,
        weight=sum(min(most, weight) for weight in weights),
        asked=sum(any(each in text for each in wanted) for text in texts) / len(texts),
        richness=sum(len(pieces[place]) for place in kept) / len(kept),
        parents=sum(bool(each) for each in parted),
        nodes=tuple(group.nodes),
    )
    facts = {
        "stand on other answers": stale,
        _SAME_FIRST: 1 - _share_first(said),
        "repetitions of others": 1 - len(set(texts)) / len(texts),
        "how many hold what was asked, logarithm": log(UNASKED_SHARE + region.asked) if wanted else 0.0,
        "begins in the middle of a record": float(
            not _HEADING.match(cut.sign) and any(starts_within(units, cut) for units in rows)
        ),
        "leaves a heading before each": float(_leaves_headings(rows, cut, sum(map(len, parted)))),
        "how many are like the others, logarithm": log(len(kept) / len(filled)),
        "tags of several kinds": float(group.mixed),
    }
    return replace(region, facts={**_describe(region), **facts})


def _describe(region: RecordRegion) -> dict[str, float]:
    """Return what is known of a region by itself; shares and numbers as logarithms, so that weights are powers of them."""
    count, cut = len(region.items), region.cut
    # a cell alone is no record, so the only thing in each may be one, unless it is a single text: of a row, such are the values
    is_card = _CELL.match(region.path.rpartition("/")[2]) is not None and region.richness >= MIN_CARD_PIECES
    is_inside = cut.way == "starter" and not _HEADING.match(cut.sign) and any(map(_HEADING.match, cut.follows))
    return {
        _OWN_CHARACTERS: log(max(1.0, region.weight)),
        "how alike they are, logarithm": log(region.likeness),
        "how many pieces one has, logarithm": log(region.richness / (region.richness + 1)),
        "how many there are, logarithm": log(count / (count + 2)),
        "named like results": float(_RESULTS_NAME.search(region.path) is not None),
        "named like a menu": float(_MENU_NAME.search(region.path) is not None),
        "one begins each and others follow": float(cut.way == "starter"),
        "rules stand between them": float(cut.way == "between"),
        "known by their classes": float(cut.level == "sign"),
        "known by what stands in them": float(cut.level == "shape"),
        "each alone in its tag": float(1 < count <= region.parents and not is_card),
        "holds the heading of the next": float(is_inside),
    }


def _compare(region: RecordRegion, lead: RecordRegion | None) -> dict[str, float]:
    """Return what is known of a region beside the one that is the likeliest by itself: cards of its grid, or records that its advertisements begin."""
    finer = begun = False
    if lead is not None and lead.path == region.path:
        is_begun = region.cut.way == "element" and lead.cut.way == "starter" and lead.asked > MIN_ASKED_OTHERS
        begun = is_begun and region.likeness >= lead.likeness and _has_more(region, lead)
    elif lead is not None and region.path.startswith(f"{lead.path}/"):
        # the rows of a grid hold what was asked, where something was
        is_grid = region.richness >= MIN_CARD_PIECES and (not lead.asked or lead.asked > MIN_ASKED_OTHERS)
        is_alike = region.likeness >= MIN_LIKENESS_RATIO * lead.likeness and _begin_differently(region)
        finer = is_grid and is_alike and _has_more(region, lead)
    return {
        "more of them than of a cut around them, in as many words": float(finer),
        "more of them than begin with others": float(begun),
    }


def _are_label_rows(view: AnswerView, texts: Sequence[Sequence[str]]) -> bool:
    """Return True if these are labels with their values, so that all of them are one record, or many are each.

    Each begins with another word, or with one of a few that come again in turn, and the words either end with a colon or stand on all other
    answers, whose values differ.
    """
    pairs, order = _find_labels(texts)
    if len(set(order)) < MIN_LABEL_ROW_SHARE * len(texts):
        pairs, order = _find_labels([_part_label(each) for each in texts])
        if not _come_in_turn(order):
            return False
    first = set(order)
    if len(first) < MIN_LABEL_ROWS or len(order) < MIN_LABEL_ROW_SHARE * len(texts):
        return False
    if sum(each.endswith((":", "：")) for each in first) >= MIN_LABEL_ROW_SHARE * len(first):
        return True
    others = [known for known in view.known if len(first & known) >= MIN_LABEL_ROWS]  # answers that found something
    # the values of each column: a list that another query shows as well, but for a counter, has names and authors that stay
    columns = [
        {each[place] for each in pairs if len(each) > place} for place in range(1, max(map(len, pairs), default=1))
    ]
    return bool(others) and all(
        len(first & known) >= MIN_LABEL_ROW_SHARE * len(first)
        and all(len(values & known) <= MAX_SAME_VALUE_SHARE * len(values) for values in columns)
        for known in others
    )


def _find_labels(texts: Sequence[Sequence[str]]) -> tuple[list[Sequence[str]], list[str]]:
    """Return those that say more than one thing, and what may be labels at their beginning."""
    pairs = [each for each in texts if len(each) > 1]
    return pairs, [each[0] for each in pairs if any(map(str.isalpha, each[0])) and len(each[0]) <= MAX_LABEL_CHARS]


def _part_label(texts: Sequence[str]) -> Sequence[str]:
    """Return a lone text that has a colon as what stands before it and after: `Author: Austen`."""
    found = _LABELLED.fullmatch(texts[0]) if len(texts) == 1 else None
    return found.groups() if found else texts


def _come_in_turn(labels: Sequence[str]) -> bool:
    """Return True if a few words come again and again, nearly all of them before one does for the second time."""
    turns: list[set[str]] = [set()]
    for label in labels:
        if label in turns[-1]:
            turns.append(set())
        turns[-1].add(label)
    usual = len(labels) / len(turns)
    return len(turns) > 1 and usual >= max(MIN_LABEL_ROWS, MIN_LABEL_TURN_SHARE * len(set(labels)))


def _share_first(texts: Sequence[Sequence[str]]) -> float:
    """Return the share of records that begin with words of their own; what all of them begin with is passed over."""
    share = 0.0
    for position in range(MAX_FIRST_TEXTS):
        first = Counter(each[position] if position < len(each) else "" for each in texts)
        share = len(first) / len(texts)
        if first.most_common(1)[0][1] < MIN_SAME_FIRST_SHARE * len(texts):
            break
    return share


def _begin_differently(region: RecordRegion) -> bool:
    return region.facts[_SAME_FIRST] <= MAX_SAME_FIRST_SHARE


def _has_more(one: RecordRegion, other: RecordRegion) -> bool:
    """Return True if a region has more records than another, in nearly as many words, which hold what was asked as often."""
    return (
        len(one.items) >= MIN_MORE_RECORDS_RATIO * len(other.items)
        and one.weight >= MIN_REST_WEIGHT_SHARE * other.weight
        and one.asked >= MIN_ASKED_RATIO * other.asked
    )
