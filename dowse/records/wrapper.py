"""Wrapper induction: learn from answers how a site writes its records, and read records from further answers.

`learn_wrapper` needs one answer; others, to other queries, show what belongs to the page and what to the answer.
`apply_wrapper` says of every page whether it still looks like those.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import msgspec
from msgspec import Struct, structs

from dowse.errors import BadInput
from dowse.model import Page, Record, Response, Value, Verdict
from dowse.records.attributes import (
    Attribute,
    AttributeSamples,
    drop_redundant,
    find_constant_pieces,
    find_header,
    learn_attributes,
    name_title,
    read_record_values,
)
from dowse.records.counts import best_count, judge_empty, says_nothing_found
from dowse.records.details import read_detail
from dowse.records.labels import LabelledPiece, LabelPlaces, label_pieces, learn_labels
from dowse.records.pieces import (
    MAX_UNITS,
    SPONSORED_PLACE,
    Cut,
    NodeOrText,
    PieceReader,
    TextPiece,
    add_ids,
    cut_items,
    find_highlights,
    find_places,
    find_texts_before,
    fold_label,
    resolve_link,
    split_units,
    unit_parts,
)
from dowse.records.regions import (
    AnswerView,
    RecordRegion,
    find_alike,
    find_other_views,
    find_regions,
    find_texts,
    judge_region,
    load_region_model,
    piece_shape,
)
from dowse.records.service import DeclaredThings, find_things
from dowse.tree.node import Node, find_nodes, sign_of, text_of
from dowse.url import origin, registrable_domain, same_site
from dowse.words.lookup import by_language

# Shares were set by hand on family A and the labelled list pages, and are measured by `python -m bench extract` and `draws`;
# numbers that begin with MAX bound the work on one page.
WRAPPER_VERSION: Final = 1  # of what is stored; another one is not read
MAX_SAMPLES: Final = 12  # answers that a wrapper is learned from
MAX_LEARNED_NODES: Final = 80_000  # tags of all samples: as many as the two largest trees that are read have
MAX_CANDIDATES: Final = 12_000  # on one page: records, and what stands between them
MAX_PAGE_RECORDS: Final = (
    10_000  # of one page: with two tags each they fill a tree; a page with more says that it was cut
)
MAX_LEARNED_RECORDS: Final = 200  # of one page that are learned from
MAX_LEARN_ROUNDS: Final = 3  # of learning what records are made of, each without what the one before found to be none
# When what stands under a heading is no answer, at a place where answers stand, too; set by hand on family A:
MIN_HEADED_ANSWERS: Final = 2  # that have the heading
MIN_HEADED_ITEMS: Final = 4  # under it, on all of these
MAX_HEADED_ASKED_SHARE: Final = 0.2  # of them that hold what was asked
MIN_OTHER_ASKED_SHARE: Final = 0.6  # of what stands at the place elsewhere, that does
MIN_EXPECTED_SHARE: Final = 0.8  # of records that have what each should have
MIN_KNOWN_SHARE: Final = 0.05  # of records that have what a record may have
OWN_PAGE_WEIGHT: Final = 2.0  # of a page of its own among what a record has
MIN_RECORD_LIKENESS: Final = 0.55  # to what records have
MIN_ADVERT_LIKENESS: Final = 0.9  # the same for what says of itself that it is an advertisement
MAX_SURROUNDING_PAIRS: Final = 120  # pairs of tags around the records that are kept
MIN_SURROUNDINGS_SHARE: Final = 0.6  # of these pairs that are there when nothing was found
MAX_LINES_RATIO: Final = 1.5  # times the usual lines before a page without records holds something else
MAX_EXTRA_LINES: Final = 8  # that a page may have more than others
MAX_EXTRA_OTHERS: Final = 3  # things at the place of records that are none, more than there were
MAX_OUTSIDE_LINES: Final = 600  # of one page
MAX_OUTSIDE_LINE_CHARS: Final = 400  # of one line
MAX_TITLE_CHARS: Final = 300  # of a heading that is the name of a record
DECLARED_ATTRIBUTES: Final = "attributes"
DECLARED_RECORDS: Final = "records"

_OWN_PAGE: Final = "own page"
_INLINE_TAGS: Final = frozenset("a abbr b big cite code em font i mark q small span strong sub sup tt u var".split())
_HEADINGS: Final = frozenset({"h1", "h2", "h3"})
_HEADING_NAME: Final = "title"  # the name of a heading on a record's own page
_ADVERT_SIGNS: Final = " \t()[]{}<>:：-–—*•·.!"  # around a word that says what follows is an advertisement


class OwnPageLink(Struct, frozen=True, forbid_unknown_fields=True):
    """The link of a record that leads to its own page; its fields are keys of a stored wrapper."""

    place: str = ""
    number: int = 0
    begins: str = ""  # how its address begins, after the site
    mould: str = ""  # how its address is written, digits as 0, where all are written alike
    without: tuple[str, ...] = ()  # parameters that do not identify the record
    site: str = ""  # the domain that nearly all lead to: what leads elsewhere is advertised


class Wrapper(Struct, frozen=True, forbid_unknown_fields=True):
    """How the answers of one door are made; its fields are the keys of what a harvest stores."""

    where: tuple[str, ...]  # signs of the tags down to the one that holds the records
    cut: Cut  # how a record begins and ends in it
    attributes: tuple[Attribute, ...] = ()
    labels: LabelPlaces = LabelPlaces()
    own: OwnPageLink = OwnPageLink()
    title: str = (
        ""  # the attribute that says which record it is; nothing where only a heading made of other values does
    )
    identity: str = ""  # address: of its own page; id: of its tag; nothing: its values
    shape: tuple[tuple[str, float], ...] = ()  # what records have, and the share of them that do
    marks: tuple[str, ...] = ()  # tags that only highlight words
    frame: tuple[str, ...] = ()  # pairs of tags around the records that every answer has
    strangers: int = 0  # things at the place of records that are none, on one page
    lines: int = 0  # of text outside the records, on one page
    declared: str = ""  # what JSON-LD adds: attributes of the records, or the records themselves
    not_under: tuple[str, ...] = ()  # texts before lists at this place that hold none, such as See also
    learned_from: int = 0  # records
    version: int = WRAPPER_VERSION

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        shape = tuple((part, round(share, 3)) for part, share in self.shape)
        plain: dict[str, Any] = msgspec.to_builtins(structs.replace(self, shape=shape), order="deterministic")
        return plain

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> Wrapper:
        """Return the wrapper that was stored."""
        if stored.get("version") != WRAPPER_VERSION:
            raise BadInput(f"this wrapper is of version {stored.get('version')}; version {WRAPPER_VERSION} can be read")
        try:
            return msgspec.convert(stored, cls)
        except msgspec.ValidationError as error:
            raise BadInput(f"not a wrapper: {error}") from error


@dataclass(frozen=True, slots=True)
class AnswerSample:
    """One page of answers, and the values of the query that it answers."""

    tree: Node
    url: str
    asked: tuple[str, ...] = ()
    unasked: bool = False  # a page that found nothing, or was not asked at all: what stands there is no answer


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read from one page of answers."""

    records: tuple[Record, ...] = ()
    lines: tuple[str, ...] = ()  # of text outside the records
    # whether the page looks like those that the wrapper was made from
    fits: Verdict = field(default_factory=lambda: Verdict(True))
    is_cut: bool = False  # the page has more records than are read


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be a record."""

    parts: tuple[NodeOrText, ...]
    pieces: tuple[TextPiece, ...]
    page: str  # what its links are relative to

    @property
    def id(self) -> str:
        """The id of its own tag, if it has one."""
        first = self.parts[0] if self.parts else ""
        return first.attribute("id") if isinstance(first, Node) else ""


# -- learning


@dataclass(frozen=True, slots=True)
class _RecordCandidates:
    """What may be records on all samples, and which of them are."""

    found: Sequence[Candidate]
    labelled: Sequence[Sequence[LabelledPiece]]
    kept: Sequence[int]
    asked: tuple[str, ...]

    @property
    def records(self) -> list[Sequence[LabelledPiece]]:
        """The labelled pieces of each record."""
        return [self.labelled[number] for number in self.kept]

    @property
    def pages(self) -> list[str]:
        """The page of each record."""
        return [self.found[number].page for number in self.kept]


def learn_wrapper(samples: Sequence[AnswerSample]) -> Wrapper | Verdict:
    """Return how the records of these answers are written, or why that cannot be learned."""
    samples = keep_last(samples[:MAX_SAMPLES])
    if not samples:
        return Verdict(False, "no answer to learn from")
    best = _find_best_region(samples)
    if isinstance(best, Verdict):
        return _learn_declared(samples, best.reason)
    place, region = best
    highlights = find_highlights([(sample.tree, sample.asked) for sample in samples])
    wrapper = Wrapper(tuple(region.path.split("/")), region.cut, marks=highlights)
    if len(region.nodes) == 1 and len(find_places(samples[place].tree, wrapper.where)) > 1:
        wrapper = structs.replace(wrapper, where=add_ids(samples[place].tree, wrapper.where, region.nodes[0]))
    wrapper = structs.replace(wrapper, not_under=_find_unanswering(wrapper, samples))
    found = [
        each for sample in samples for each in find_candidates(wrapper, sample.tree, sample.url, MAX_LEARNED_RECORDS)
    ]
    # Records that an earlier answer has shown are left out: what comes back with them is not what records have in common.
    every, found = found, list({_texts_of(each): each for each in reversed(found)}.values())[::-1]
    kept = find_alike([piece_shape(each.pieces) for each in found]).kept
    if not kept:
        return Verdict(False, "what stands where records stand is not alike")
    asked = tuple(value for sample in samples for value in sample.asked)
    wrapper, candidates = _learn_parts(wrapper, _RecordCandidates(found, (), kept, asked))
    records = {_texts_of(found[number]) for number in candidates.kept}
    parts = [part for each in every if _texts_of(each) in records for part in each.parts]
    return _learn_page(_name_parts(wrapper, candidates, samples, parts), samples)


def _find_unanswering(wrapper: Wrapper, samples: Sequence[AnswerSample]) -> tuple[str, ...]:
    """Return the texts under which things like records do not hold what was asked, while those elsewhere do: recommendations."""
    asked: dict[str, list[bool]] = {}  # for each text, of each thing under it, whether it holds what was asked
    answers: Counter[str] = Counter()  # that have each text
    for sample in samples:
        wanted = [" ".join(each.casefold().split()) for each in sample.asked if each.strip()]
        places = find_places(sample.tree, wrapper.where)
        if not wanted or sample.unasked or len(places) > MAX_LEARNED_RECORDS:
            continue
        texts, reader = find_texts_before(sample.tree, places), PieceReader(wrapper.marks)
        answers.update(set(texts))
        for text, place in zip(texts, places, strict=True):
            said = (" ".join(_texts_of(each)).casefold() for each in _read_place(wrapper, place, sample.url, reader))
            asked.setdefault(text, []).extend(any(each in one for each in wanted) for one in said)
    refused = []
    for text, own in asked.items():
        others = [yes for other, each in asked.items() if other != text for yes in each]
        if (
            text
            and answers[text] >= MIN_HEADED_ANSWERS
            and len(own) >= MIN_HEADED_ITEMS
            and sum(own) <= MAX_HEADED_ASKED_SHARE * len(own)
            and others
            and sum(others) >= MIN_OTHER_ASKED_SHARE * len(others)
        ):
            refused.append(text)
    return tuple(refused)


def _texts_of(found: Candidate) -> tuple[str, ...]:
    return tuple(piece.text for piece in found.pieces)


def keep_last(samples: Sequence[AnswerSample]) -> Sequence[AnswerSample]:
    """Return the last samples, two at least, that have no more tags together than are learned from."""
    tags = 0
    for kept, sample in enumerate(reversed(samples)):
        tags += sum(1 for _ in find_nodes(sample.tree))
        if kept >= 2 and tags > MAX_LEARNED_NODES:
            return samples[-kept:]
    return samples


def _learn_declared(samples: Sequence[AnswerSample], reason: str) -> Wrapper | Verdict:
    """Return a wrapper for pages that only say in JSON-LD what their records are, or why nothing else was learned."""
    if not any(find_things(sample.tree, sample.url) for sample in samples):
        return Verdict(False, reason)
    frame = find_surroundings([sample.tree for sample in samples], ())
    lines = max(len(find_outside_lines(sample.tree, ())) for sample in samples)
    return Wrapper((), Cut("element", "tag", ""), frame=frame, lines=lines, declared=DECLARED_RECORDS)


def make_views(samples: Sequence[AnswerSample]) -> list[AnswerView]:
    """Return the answers as the record finder sees them, each beside the others."""
    texts = [find_texts(sample.tree) for sample in samples]
    lines = [find_outside_lines(sample.tree, ()) for sample in samples]
    empty = [sample.unasked and judge_empty(own).yes for sample, own in zip(samples, lines, strict=True)]
    views = []
    for number, sample in enumerate(samples):
        others = [place for place in range(len(samples)) if place != number]
        count = best_count(lines[number])
        view = AnswerView(
            sample.tree, sample.asked, tuple(texts[place] for place in others),
            tuple(texts[place] for place in others if samples[place].unasked),
            tuple(texts[place] for place in others if empty[place]),
            count.number if count and count.exact else 0,
            count.shown if count else 0,
            sample.url, says_nothing=judge_empty(lines[number], count=count).yes,
        )  # fmt: skip
        views.append(view)
    return views


def _find_best_region(samples: Sequence[AnswerSample]) -> tuple[int, RecordRegion] | Verdict:
    """Return the likeliest place of records on any of the answers and the number of that answer, or why there is none."""
    best: tuple[int, RecordRegion] | None = None
    refused = ""
    for number, view in enumerate(make_views(samples)):
        if samples[number].unasked and len(samples) > 1:
            continue
        for region in find_regions(view):
            if region.score < 0:
                why = load_region_model().say_against(region.facts)
                refused = refused or f"the {len(region.items)} things that repeat are no list of records ({why})"
                break
            verdict = judge_region(view, region)
            if verdict.yes:
                best = (number, region) if best is None or region.score > best[1].score else best
                break
            refused = refused or verdict.reason
    return best or Verdict(False, refused or "nothing on these pages repeats like records do")


def _learn_parts(wrapper: Wrapper, candidates: _RecordCandidates) -> tuple[Wrapper, _RecordCandidates]:
    """Learn what records are made of, first with what may be none, then without."""
    for _ in range(MAX_LEARN_ROUNDS):
        labels = learn_labels([candidates.found[number].pieces for number in candidates.kept], candidates.asked)
        candidates = replace(candidates, labelled=[label_pieces(each.pieces, labels) for each in candidates.found])
        own = learn_own_link(candidates.records, candidates.pages)
        shape = learn_shape(candidates.records, candidates.pages, own)
        wrapper = structs.replace(wrapper, labels=labels, own=own, shape=shape, learned_from=len(candidates.kept))
        like = [
            number
            for number, each in enumerate(candidates.found)
            if is_record(wrapper, each, candidates.labelled[number])
        ]
        if not like or like == list(candidates.kept):
            break
        candidates = replace(candidates, kept=like)
    return wrapper, candidates


def _name_parts(
    wrapper: Wrapper, candidates: _RecordCandidates, samples: Sequence[AnswerSample], parts: Sequence[NodeOrText]
) -> Wrapper:
    """Name the attributes of the records, and note what stands around these; `parts` are those of all records on all samples."""
    records = candidates.records
    header = find_header([sample.tree for sample in samples], parts)
    constant = find_constant_pieces(records, candidates.asked)
    attributes = learn_attributes(AttributeSamples(records, candidates.asked, header, constant, wrapper.labels.repeats))
    attributes, title = name_title(attributes, records, (wrapper.own.place, wrapper.own.number))
    attributes = drop_redundant(attributes, records, title)
    title = title if any(each.name == title for each in attributes) else ""
    frame = find_surroundings([sample.tree for sample in samples], {id(part) for part in parts})
    identity = learn_identity(wrapper.own, [candidates.found[number].id for number in candidates.kept])
    return structs.replace(wrapper, attributes=attributes, title=title, frame=frame, identity=identity)


def _learn_page(wrapper: Wrapper, samples: Sequence[AnswerSample]) -> Wrapper:
    """Note how much stands beside the records on pages like these."""
    others = lines = 0
    declared = ""
    for sample in samples:
        found, labelled, kept = _find_labelled(wrapper, sample.tree, sample.url)
        things = DeclaredThings(find_things(sample.tree, find_base(sample.tree, sample.url)))
        learned = kept[:MAX_LEARNED_RECORDS]
        if things.knows([_read_record(wrapper, labelled[number], found[number]) for number in learned]):
            declared = DECLARED_ATTRIBUTES
        others = max(others, len(found) - len(kept))
        inside = {id(part) for number in kept for part in found[number].parts}
        lines = max(lines, len(find_outside_lines(sample.tree, inside)))
    return structs.replace(wrapper, strangers=others, lines=lines, declared=declared)


# -- reading


def apply_wrapper(wrapper: Wrapper, tree: Node, url: str) -> Extraction:
    """Return the records of an answer, the lines outside them, and whether the wrapper still fits."""
    found, labelled, kept = _find_labelled(wrapper, tree, url)
    is_cut = len(kept) > MAX_PAGE_RECORDS or len(found) >= MAX_CANDIDATES
    is_cut = is_cut or any(len(place.content) > MAX_UNITS for place in find_places(tree, wrapper.where))
    kept = kept[:MAX_PAGE_RECORDS]
    records = tuple(_read_record(wrapper, labelled[number], found[number]) for number in kept)
    if wrapper.declared:
        declared = DeclaredThings(find_things(tree, find_base(tree, url)))
        records = declared.records() if wrapper.declared == DECLARED_RECORDS else tuple(map(declared.extend, records))
    lines = find_outside_lines(tree, {id(part) for number in kept for part in found[number].parts})
    fits = judge_fit(wrapper, tree, lines, len(found) - len(kept), len(records))
    return Extraction(records, lines, fits, is_cut)


def find_records(wrapper: Wrapper, tree: Node, url: str) -> list[Candidate]:
    """Return the records of a page as they stand on it."""
    found, _, kept = _find_labelled(wrapper, tree, url)
    return [found[number] for number in kept[:MAX_PAGE_RECORDS]]


def _find_labelled(
    wrapper: Wrapper, tree: Node, url: str
) -> tuple[list[Candidate], list[list[LabelledPiece]], list[int]]:
    """Return what stands where records stand, its pieces with their labels, and the numbers of those that are records."""
    found = find_candidates(wrapper, tree, url)
    labelled = [label_pieces(each.pieces, wrapper.labels) for each in found]
    return found, labelled, [number for number, each in enumerate(found) if is_record(wrapper, each, labelled[number])]


def _read_record(wrapper: Wrapper, labelled: Sequence[LabelledPiece], found: Candidate) -> Record:
    address = find_own_link(labelled, wrapper.own, found.page) if wrapper.own.number else ""
    key = found.id if wrapper.identity == "id" else record_key(address, wrapper.own)
    return Record(tuple(read_record_values(labelled, wrapper.attributes)), key, address)


# -- what may be a record


def find_candidates(wrapper: Wrapper, tree: Node, url: str, most: int = MAX_CANDIDATES) -> list[Candidate]:
    """Return what stands where the records of a wrapper stand, in the order of the page."""
    places = find_places(tree, wrapper.where)
    if wrapper.not_under:
        texts = find_texts_before(tree, places)
        places = [place for place, text in zip(places, texts, strict=True) if text not in wrapper.not_under]
    base = find_base(tree, url)
    asked = {word.casefold() for _, value in _parameters(url) for word in (value, *value.split())}
    reader = PieceReader(wrapper.marks, asked)
    found: list[list[Candidate]] = []
    left = MAX_CANDIDATES
    for place in places:
        found.append(list(islice(_read_place(wrapper, place, base, reader), min(left, most))))
        left -= len(found[-1])
    # what several places show is there once, but where too much stands there to see it
    views = find_other_views([[each.pieces for each in own] for own in found]) if left and len(found) > 1 else ()
    return [each for number, own in enumerate(found) if number not in views for each in own][:most]


def _read_place(wrapper: Wrapper, place: Node, base: str, reader: PieceReader) -> Iterator[Candidate]:
    """Yield what stands at one place of records."""
    for item in cut_items(split_units(place), wrapper.cut):
        parts = unit_parts(item)
        pieces = reader.read(parts, wrapper.cut)
        if pieces:
            yield Candidate(parts, tuple(pieces), base)


def find_base(tree: Node, url: str) -> str:
    """Return what the links of a page are relative to."""
    base = next((node.attribute("href") for node in tree.children if node.tag == "base"), "")
    return (resolve_link(base, url) or url) if base else url


@cache
def _advert_words() -> frozenset[str]:
    """Return what says of itself that it is no record, in the words that law and custom want advertisements to have."""
    return frozenset(word for words in by_language("advertisement").values() for word in words)


def is_advert(pieces: Iterable[TextPiece]) -> bool:
    """Return True if one of the pieces says that this is an advertisement, or its link is marked as one."""
    return any(piece.place.endswith(SPONSORED_PLACE) or _names_advert(piece.text) for piece in pieces)


def _names_advert(text: str) -> bool:
    return text.strip(_ADVERT_SIGNS).casefold() in _advert_words()


def learn_shape(
    records: Sequence[Sequence[LabelledPiece]], pages: Sequence[str], own: OwnPageLink
) -> tuple[tuple[str, float], ...]:
    """Return what records have, and the share of them that have it."""
    counts: Counter[str] = Counter()
    for item, page in zip(records, pages, strict=True):
        counts.update(_features(item, page, own))
    least = max(MIN_KNOWN_SHARE * len(records), 2 if len(records) > 3 else 1)
    return tuple(sorted((part, count / len(records)) for part, count in counts.items() if count >= least))


def _features(labelled: Sequence[LabelledPiece], page: str, own: OwnPageLink) -> set[str]:
    """Return what a candidate has: labels, pieces without one, a page of its own."""
    parts = {
        f"label {fold_label(each.label)}" if each.label else f"piece {each.place} {each.number}" for each in labelled
    }
    if own.number and is_record_address(find_own_link(labelled, own, page), own):
        parts.add(_OWN_PAGE)
    return parts


def is_record(wrapper: Wrapper, found: Candidate, labelled: Sequence[LabelledPiece]) -> bool:
    """Return True if a candidate is made like the records that a wrapper was learned from.

    Of an advertisement the word that says so is left out: where it stands in the place of a value, a record has that value.
    """
    told = [each for each in labelled if not _names_advert(each.text)]
    parts = _features(told, found.page, wrapper.own)
    shares = dict(wrapper.shape)
    if not shares or not any(each.text for each in told):
        return False
    least = min(MIN_EXPECTED_SHARE, max(shares.values()))
    usual = {
        part: share * (OWN_PAGE_WEIGHT if part == _OWN_PAGE else 1) for part, share in shares.items() if share >= least
    }
    have = sum(share for part, share in usual.items() if part in parts) / sum(usual.values())
    known = sum(part in shares for part in parts) / len(parts)
    return have * known >= (MIN_ADVERT_LIKENESS if is_advert(found.pieces) else MIN_RECORD_LIKENESS)


# -- whether a page still fits


def find_surroundings(trees: Sequence[Node], records: Collection[int]) -> tuple[str, ...]:
    """Return the pairs of tags, one in the other, that stand on all pages outside their records."""
    found = [set(_find_tag_pairs(tree, records)) for tree in trees]
    return tuple(sorted(set.intersection(*found))[:MAX_SURROUNDING_PAIRS]) if found else ()


def surroundings_share(pairs: Collection[str], tree: Node) -> float:
    """Return the share of pairs around the records that a page has."""
    if not pairs:
        return 0.0
    there = set(_find_tag_pairs(tree, ()))
    return sum(pair in there for pair in pairs) / len(pairs)


def _find_tag_pairs(tree: Node, records: Collection[int]) -> Iterator[str]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        inner = [child for child in node.children if id(child) not in records]
        own = sign_of(node)
        for child in inner:
            yield f"{own}/{sign_of(child)}"
        waiting.extend(inner)


def judge_fit(wrapper: Wrapper, tree: Node, lines: Sequence[str], others: int, records: int) -> Verdict:
    """Judge whether a page is built like the others; one without records must be so all around.

    `others` are things that stand where records stand and are none.
    """
    if records:
        if others - wrapper.strangers - MAX_EXTRA_OTHERS > records:
            return Verdict(False, f"only {records} of {records + others} things where records stood are like them")
        return Verdict(True, f"{records} records")
    if any(map(says_nothing_found, lines)):
        return Verdict(True, "no records, and the page says so")
    share = surroundings_share(wrapper.frame, tree)
    if share < MIN_SURROUNDINGS_SHARE:
        return Verdict(False, f"built differently: {share:.0%} of what stood around records is there")
    count = best_count(lines)
    if count is not None and count.number > 0:
        return Verdict(False, f"says that there are {count.number:,} records, and none is where they stood")
    if others > wrapper.strangers + MAX_EXTRA_OTHERS:
        return Verdict(False, f"{others} things stand where records stood, and none is like them")
    if len(lines) > MAX_LINES_RATIO * wrapper.lines + MAX_EXTRA_LINES:
        reason = f"no record where they stood, and {len(lines)} lines elsewhere instead of {wrapper.lines}"
        return Verdict(False, reason)
    return Verdict(True, "no records, and the page is built as before")


# -- lines outside the records


def find_outside_lines(tree: Node, records: Collection[int]) -> tuple[str, ...]:
    """Return the lines of text that stand in no record, in their order; the records by the identity of their parts."""
    lines: list[str] = []
    words: list[str] = []  # of the line that is read
    waiting: list[NodeOrText | None] = [None, tree]  # None ends a line
    while waiting and len(lines) < MAX_OUTSIDE_LINES:
        part = waiting.pop()
        is_inside = id(part) in records
        if isinstance(part, str) and not is_inside:
            words.append(part)
            continue
        if isinstance(part, Node) and part.tag in _INLINE_TAGS and not is_inside:
            waiting.extend(reversed(part.content))
            continue
        line = " ".join("".join(words).split())[:MAX_OUTSIDE_LINE_CHARS]
        words.clear()
        if any(map(str.isalnum, line)):
            lines.append(line)
        if isinstance(part, Node) and part.tag != "script" and not is_inside:
            waiting.append(None)
            waiting.extend(reversed(part.content))
    return tuple(lines)


# -- an answer that is one record's own page


def find_own_page_address(response: Response, page: Page) -> str:
    """Return the address of the page that a door led to instead of a list, or that a page says is its own."""
    if response.redirects:
        return response.url
    return page.canonical if page.canonical and same_site(page.canonical, response.url) else ""


def read_own_page(wrapper: Wrapper, tree: Node, address: str, usual: Collection[str]) -> Record | None:
    """Return the record whose own page this is, in the words of answers; None where it is no such page.

    `usual` are lines that answers have, too: they say nothing of a record.
    """
    own = wrapper.own
    has_own_addresses = own.number and (own.mould or own.begins not in ("", "/"))
    if not has_own_addresses or not is_record_address(address, own):
        return None
    names = {attribute.name.casefold(): attribute.name for attribute in wrapper.attributes}
    values = [
        Value(names.get(value.attribute.casefold(), value.attribute), value.text)
        for value in read_detail(tree)
        if value.attribute != _HEADING_NAME and value.text not in usual
    ]
    if not values:
        return None
    if wrapper.title and wrapper.title not in {value.attribute for value in values}:
        headings = (text_of(node) for node in find_nodes(tree) if node.tag in _HEADINGS)
        title = next((text for text in headings if text and len(text) <= MAX_TITLE_CHARS and text not in usual), "")
        values = [*([Value(wrapper.title, title)] if title else []), *values]
    return Record(tuple(values), record_key(address, own), address)


# -- the link of a record to its own page, and what distinguishes its address from others

# Set by hand on family A and harvests of real software, measured by `python -m bench draws` and `realharvest`; the share of one site on one-line records of the tests.
MIN_DISTINCT_SHARE: Final = 0.9  # of the links at a place that lead to different pages
MIN_LINKED_SHARE: Final = 0.7  # of records that have such a link
MIN_SAME_SITE_SHARE: Final = 0.8  # of them that lead to one site, from which others are advertised
MAX_LINK_PARAMETERS: Final = 60  # of one address

_NO_DIGITS = re.compile(r"[^0-9]+")
_NUMBER = re.compile(r"[0-9]+")

RecordLinks = Sequence[tuple[str, str]]  # page that a record stands on, and the address it leads to


def learn_own_link(records: Sequence[Sequence[LabelledPiece]], pages: Sequence[str]) -> OwnPageLink:
    """Return the link that leads to a page of the record's own, each to another; an empty place when there is none."""
    found: dict[tuple[str, int], list[tuple[str, str]]] = defaultdict(list)
    order: dict[tuple[str, int], int] = {}
    for item, page in zip(records, pages, strict=True):
        counts: Counter[str] = Counter()
        for position, each in enumerate(item):
            if each.href:
                counts[each.place] += 1
                key = (each.place, counts[each.place])
                address = resolve_link(each.href, page)
                if address:
                    found[key].append((page, address))
                    order.setdefault(key, position)
    fitting = []
    for key, links in found.items():
        # each to another page of those that one answer lists: other answers may show the same records again
        on = {page for page, _ in links}
        different = sum(address not in on for _, address in set(links))
        if len(links) >= MIN_LINKED_SHARE * len(records) and different >= MIN_DISTINCT_SHARE * len(links):
            fitting.append(key)
    if not fitting:
        return OwnPageLink()
    place, number = min(fitting, key=lambda key: (-round(len(found[key]) / len(records), 1), order[key]))
    links = found[place, number]
    site = _find_usual_site([address for _, address in links])
    addresses = [address for _, address in links if not site or _domain_of(address) == site]
    shape, count = Counter(map(_address_shape, addresses)).most_common(1)[0]
    usual_shape = shape if count >= MIN_DISTINCT_SHARE * len(addresses) else ""
    return OwnPageLink(place, number, _common_start(addresses), usual_shape, _find_loose_parameters(links), site)


def _find_usual_site(addresses: Sequence[str]) -> str:
    """Return the domain that nearly all addresses lead to, or nothing."""
    site, count = Counter(map(_domain_of, addresses)).most_common(1)[0]
    return site if count >= MIN_SAME_SITE_SHARE * len(addresses) else ""


def _domain_of(address: str) -> str:
    return registrable_domain(urlsplit(address).hostname or "")


def learn_identity(own: OwnPageLink, ids: Sequence[str]) -> str:
    """Return what identifies a record in every answer: its address, or the id of its tag, unless that counts along."""
    if own.number:
        return "address"
    numbers = [_NO_DIGITS.sub("", each) for each in ids]
    is_own = all(numbers) and len(set(ids)) == len(ids) > 1 and not _count_up(numbers)
    return "id" if is_own else ""


def _common_start(addresses: Sequence[str]) -> str:
    """Return how the paths of addresses begin, up to a border; nothing when they lead to different sites."""
    if len({origin(address) for address in addresses}) > 1:
        return ""
    paths = [address[len(origin(address)) :].partition("?")[0] for address in addresses]
    low, high = min(paths), max(paths)
    same = next((place for place, sign in enumerate(low) if sign != high[place : place + 1]), len(low))
    border = max(low.rfind(sign, 0, same) for sign in "/?&=-_") + 1
    return low[: same if same == len(low) == len(high) else border]


def _address_shape(address: str) -> str:
    """Return a path with 0 for every number and the names of the parameters after it."""
    path, _, query = address[len(origin(address)) :].partition("?")
    names = sorted(part.partition("=")[0] for part in query.split("&")[:MAX_LINK_PARAMETERS])
    return f"{_NUMBER.sub('0', path)}?{'&'.join(names)}" if query else _NUMBER.sub("0", path)


def _find_loose_parameters(links: RecordLinks) -> tuple[str, ...]:
    """Return the parameters that come from the query or count the records on the page, and do not name one."""
    by_name: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for page, address in links:
        for name, value in _parameters(address):
            by_name[name].append((page, value))
    loose = [name for name, seen in by_name.items() if _is_loose(name, seen)]
    ranks = [name for name, seen in by_name.items() if name not in loose and _count_up([value for _, value in seen])]
    paths = {address.partition("?")[0] for _, address in links}
    left = len(by_name) - len(loose) - len(ranks)
    if ranks and (left or len(paths) > 1) and len(links) > 2:
        # without them addresses must still differ on each page: a record may be called by a number that counts
        without = OwnPageLink(without=(*loose, *ranks))
        bare = {(page, record_key(address, without)) for page, address in links}
        loose += ranks if len(bare) >= MIN_DISTINCT_SHARE * len(set(links)) else []
    return tuple(sorted(loose))


def _is_loose(name: str, seen: RecordLinks) -> bool:
    """Return True if a parameter is what the page was asked with, or the same for all records of a page but not of others."""
    asked = [dict(_parameters(page)).get(name) for page, _ in seen]
    if all(own is not None and own == value for own, (_, value) in zip(asked, seen, strict=True)):
        return True
    pages = {page: {value for other, value in seen if other == page} for page, _ in seen}
    return len(pages) > 1 and all(len(values) == 1 for values in pages.values()) and len(seen) > 2 * len(pages)


def _count_up(values: Sequence[str]) -> bool:
    numbers = [int(value) for value in values if value.isdecimal() and len(value) < 6]
    return len(numbers) == len(values) and numbers[:3] in ([0, 1, 2], [1, 2, 3])


def _parameters(address: str) -> list[tuple[str, str]]:
    query = address.partition("?")[2]
    return parse_qsl(query, keep_blank_values=True) if query.count("&") < MAX_LINK_PARAMETERS else []


def find_own_link(pieces: Sequence[LabelledPiece], own: OwnPageLink, page: str) -> str:
    """Return the address of a record's own page, or nothing."""
    counts: Counter[str] = Counter()
    for each in pieces:
        if each.href:
            counts[each.place] += 1
            if each.place == own.place and counts[each.place] == own.number:
                return resolve_link(each.href, page)
    return ""


def record_key(address: str, own: OwnPageLink) -> str:
    """Return an address without the parameters that do not identify the record."""
    head, mark, query = address.partition("?")
    if not mark or not own.without:
        return address
    kept = [part for part in query.split("&") if part.partition("=")[0] not in own.without]
    return f"{head}?{'&'.join(kept)}" if kept else head


def is_record_address(address: str, own: OwnPageLink) -> bool:
    """Return True if an address is like those of other records."""
    if own.site and _domain_of(address) != own.site:
        return False
    path = address[len(origin(address)) :] if address else "/"
    if path == "/" or not path.startswith(own.begins):
        return False
    return not own.mould or _address_shape(address) == own.mould
