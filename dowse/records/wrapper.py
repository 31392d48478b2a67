"""Wrapper induction: learn from answers how a site writes its records, and read records from further answers.

`learn_wrapper` needs one answer; others, to other queries, show what belongs to the page and what to the answer.
`apply_wrapper` says of every page whether it still looks like those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from dowse.errors import BadInput
from dowse.model import Page, Record, Response, Value, Verdict
from dowse.records.attributes import (
    Attribute,
    AttributeSamples,
    LabelledPiece,
    LabelPlaces,
    find_constant_pieces,
    find_header,
    fold_label,
    label_pieces,
    learn_attributes,
    learn_labels,
    name_title,
    read_record_values,
)
from dowse.records.counts import best_count, says_nothing_found
from dowse.records.declared import DeclaredThings, find_things
from dowse.records.details import (
    OwnPageLink,
    find_own_link,
    is_record_address,
    learn_identity,
    learn_own_link,
    read_detail,
    record_key,
    resolve_link,
)
from dowse.records.pieces import (
    SPONSORED_PLACE,
    Cut,
    NodeOrText,
    PieceReader,
    TextPiece,
    cut_items,
    find_highlights,
    find_places,
    split_units,
    unit_parts,
)
from dowse.records.regions import AnswerView, RecordRegion, find_alike, find_regions, find_texts, piece_shape
from dowse.tree.node import Node, find_nodes, sign_of, text_of
from dowse.url import same_site

WRAPPER_VERSION: Final = 1
DECLARED_ATTRIBUTES: Final = "attributes"
DECLARED_RECORDS: Final = "records"


@dataclass(frozen=True, slots=True)
class Wrapper:
    """How the answers of one door are made."""

    where: tuple[str, ...]  # signs of the tags down to the one that holds the records
    cut: Cut  # how a record begins and ends in it
    attributes: tuple[Attribute, ...] = ()
    labels: LabelPlaces = field(default_factory=LabelPlaces)
    own: OwnPageLink = field(default_factory=OwnPageLink)
    title: str = ""  # the attribute that says which record it is
    identity: str = ""  # address: of its own page; id: of its tag; nothing: its values
    shape: tuple[tuple[str, float], ...] = ()  # what records have, and the share of them that do
    marks: tuple[str, ...] = ()  # tags that only highlight words
    frame: tuple[str, ...] = ()  # what stands around the records on every answer
    strangers: int = 0  # things at the place of records that are none, on one page
    lines: int = 0  # of text beside the records, on one page
    declared: str = ""  # what JSON-LD says beside: attributes of the records, or the records themselves
    learned_from: int = 0  # records
    version: int = WRAPPER_VERSION

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        return _to_plain(asdict(self))  # type: ignore[no-any-return]

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Wrapper:
        """Return the wrapper that was written down."""
        if told.get("version") != WRAPPER_VERSION:
            raise BadInput(f"this wrapper is of version {told.get('version')}; version {WRAPPER_VERSION} can be read")
        try:
            return cls(**{**told, **_read_parts(told)})
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"this is no wrapper: {error}") from error


def _read_parts(told: Mapping[str, Any]) -> dict[str, Any]:
    cut = {**told["cut"], "follows": tuple(told["cut"]["follows"])}
    return {
        "where": tuple(told["where"]),
        "cut": Cut(**cut),
        "attributes": tuple(Attribute(**each) for each in told["attributes"]),
        "labels": LabelPlaces(**{name: frozenset(words) for name, words in told["labels"].items()}),
        "own": OwnPageLink(**{**told["own"], "without": tuple(told["own"]["without"])}),
        "shape": tuple((str(part), float(share)) for part, share in told["shape"]),
        "marks": tuple(told["marks"]),
        "frame": tuple(told["frame"]),
    }


def _to_plain(value: Any) -> Any:
    """Return a value with lists for tuples and sets, in an order that stays."""
    if isinstance(value, dict):
        return {key: _to_plain(each) for key, each in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_to_plain(each) for each in value]
    return round(value, 3) if isinstance(value, float) else value


# -- learning and reading

MAX_SAMPLES: Final = 12
MAX_PAGE_RECORDS: Final = 2_500  # of one page
MAX_LEARNED_RECORDS: Final = 200  # records of one page that are learned from
MIN_REGION_SCORE: Final = 0.2  # of a place, below which what repeats there says nothing
MAX_LEARN_ROUNDS: Final = (
    3  # of learning what records are made of, each without what the one before has found to be none
)


@dataclass(frozen=True, slots=True)
class AnswerSample:
    """One page of answers, and the values of the query that it answers."""

    tree: Node
    url: str
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read from one page of answers."""

    records: tuple[Record, ...] = ()
    lines: tuple[str, ...] = ()  # of text outside the records
    fits: Verdict = field(
        default_factory=lambda: Verdict(True)
    )  # whether the page looks like those that the wrapper was made from


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What may be records on all samples, and which of them are."""

    found: Sequence[Candidate]
    told: Sequence[Sequence[LabelledPiece]]
    kept: Sequence[int]
    asked: tuple[str, ...]

    @property
    def records(self) -> list[Sequence[LabelledPiece]]:
        """What the records say."""
        return [self.told[number] for number in self.kept]

    @property
    def pages(self) -> list[str]:
        """The page of each record."""
        return [self.found[number].page for number in self.kept]


def learn_wrapper(samples: Sequence[AnswerSample]) -> Wrapper | Verdict:
    """Return how the records of these answers are written, or why that cannot be told."""
    samples = samples[:MAX_SAMPLES]
    if not samples:
        return Verdict(False, "no answer to learn from")
    region = _find_best_region(samples)
    if region is None or region.score < MIN_REGION_SCORE:
        return _learn_declared(samples)
    marks = find_highlights([(sample.tree, sample.asked) for sample in samples])
    wrapper = Wrapper(tuple(region.path.split("/")), region.cut, marks=marks)
    found = [
        each for sample in samples for each in find_candidates(wrapper, sample.tree, sample.url, MAX_LEARNED_RECORDS)
    ]
    asked = tuple(value for sample in samples for value in sample.asked)
    found = _without_copies(found)
    kept = find_alike([piece_shape(each.pieces) for each in found]).kept
    if not kept:
        return Verdict(False, "what stands where records stand is not alike")
    wrapper, lesson = _learn_parts(wrapper, _Candidates(found, (), kept, asked))
    return _learn_page(_name_parts(wrapper, lesson, samples), samples)


def _learn_declared(samples: Sequence[AnswerSample]) -> Wrapper | Verdict:
    """Return a wrapper for pages that only say in JSON-LD what their records are."""
    if not any(find_things(sample.tree, sample.url) for sample in samples):
        return Verdict(False, "nothing on these pages repeats like records do")
    frame = find_surroundings([sample.tree for sample in samples], ())
    lines = max(len(find_outside_lines(sample.tree, ())) for sample in samples)
    return Wrapper((), Cut("element", "tag", ""), frame=frame, lines=lines, declared=DECLARED_RECORDS)


def _without_copies(found: Sequence[Candidate]) -> list[Candidate]:
    """Leave out records that an earlier answer has shown: what comes back with them is not what records have in common."""
    return list({tuple(piece.text for piece in each.pieces): each for each in reversed(found)}.values())[::-1]


def _find_best_region(samples: Sequence[AnswerSample]) -> RecordRegion | None:
    """Return the likeliest place of records on any of the answers."""
    texts = [find_texts(sample.tree) for sample in samples]
    best: RecordRegion | None = None
    for number, sample in enumerate(samples):
        others = tuple(each for place, each in enumerate(texts) if place != number)
        regions = find_regions(AnswerView(sample.tree, sample.asked, others))
        if regions and (best is None or regions[0].score > best.score):
            best = regions[0]
    return best


def _learn_parts(wrapper: Wrapper, lesson: _Candidates) -> tuple[Wrapper, _Candidates]:
    """Learn what records are made of, first with what may be none, then without."""
    for _ in range(MAX_LEARN_ROUNDS):
        labels = learn_labels([lesson.found[number].pieces for number in lesson.kept], lesson.asked)
        lesson = replace(lesson, told=[label_pieces(each.pieces, labels) for each in lesson.found])
        own = learn_own_link(lesson.records, lesson.pages)
        shape = learn_shape(lesson.records, lesson.pages, own)
        wrapper = replace(wrapper, labels=labels, own=own, shape=shape, learned_from=len(lesson.kept))
        like = [number for number, each in enumerate(lesson.found) if is_record(wrapper, each, lesson.told[number])]
        if not like or like == list(lesson.kept):
            break
        lesson = replace(lesson, kept=like)
    return wrapper, lesson


def _name_parts(wrapper: Wrapper, lesson: _Candidates, samples: Sequence[AnswerSample]) -> Wrapper:
    told = lesson.records
    parts = [part for number in lesson.kept for part in lesson.found[number].parts]
    header = find_header([sample.tree for sample in samples], parts)
    attributes = learn_attributes(
        AttributeSamples(told, lesson.asked, header, find_constant_pieces(told, lesson.asked))
    )
    attributes, title = name_title(attributes, told, (wrapper.own.place, wrapper.own.number))
    frame = find_surroundings([sample.tree for sample in samples], {id(part) for part in parts})
    identity = learn_identity(wrapper.own, [lesson.found[number].id for number in lesson.kept])
    return replace(wrapper, attributes=attributes, title=title, frame=frame, identity=identity)


def _learn_page(wrapper: Wrapper, samples: Sequence[AnswerSample]) -> Wrapper:
    """Note how much stands beside the records on pages like these."""
    strangers = lines = 0
    declared = ""
    for sample in samples:
        found, told, kept = _find_labelled(wrapper, sample.tree, sample.url)
        things = DeclaredThings(find_things(sample.tree, find_base(sample.tree, sample.url)))
        if things.knows([_read_record(wrapper, told[number], found[number]) for number in kept[:MAX_LEARNED_RECORDS]]):
            declared = DECLARED_ATTRIBUTES
        strangers = max(strangers, len(found) - len(kept))
        lines = max(lines, len(_lines_outside(sample.tree, [found[number] for number in kept])))
    return replace(wrapper, strangers=strangers, lines=lines, declared=declared)


def _find_labelled(
    wrapper: Wrapper, tree: Node, url: str
) -> tuple[list[Candidate], list[list[LabelledPiece]], list[int]]:
    found = find_candidates(wrapper, tree, url)
    told = [label_pieces(each.pieces, wrapper.labels) for each in found]
    return found, told, [number for number, each in enumerate(found) if is_record(wrapper, each, told[number])]


def find_records(wrapper: Wrapper, tree: Node, url: str) -> list[Candidate]:
    """Return the records of a page as they stand on it."""
    found, _, kept = _find_labelled(wrapper, tree, url)
    return [found[number] for number in kept[:MAX_PAGE_RECORDS]]


def _lines_outside(tree: Node, records: Sequence[Candidate]) -> tuple[str, ...]:
    return find_outside_lines(tree, {id(part) for each in records for part in each.parts})


def apply_wrapper(wrapper: Wrapper, tree: Node, url: str) -> Extraction:
    """Return the records of an answer, the lines beside them, and whether the wrapper still fits."""
    found, told, kept = _find_labelled(wrapper, tree, url)
    kept = kept[:MAX_PAGE_RECORDS]
    records = tuple(_read_record(wrapper, told[number], found[number]) for number in kept)
    if wrapper.declared:
        declared = DeclaredThings(find_things(tree, find_base(tree, url)))
        records = declared.records() if wrapper.declared == DECLARED_RECORDS else tuple(map(declared.extend, records))
    lines = _lines_outside(tree, [found[number] for number in kept])
    return Extraction(records, lines, judge_fit(wrapper, tree, lines, len(found) - len(kept), len(records)))


def _read_record(wrapper: Wrapper, told: Sequence[LabelledPiece], found: Candidate) -> Record:
    address = find_own_link(told, wrapper.own, found.page) if wrapper.own.number else ""
    key = found.id if wrapper.identity == "id" else record_key(address, wrapper.own)
    return Record(tuple(read_record_values(told, wrapper.attributes)), key, address)


# -- what may be a record

MAX_CANDIDATES: Final = 3_000  # on one page


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


def find_candidates(wrapper: Wrapper, tree: Node, url: str, most: int = MAX_CANDIDATES) -> list[Candidate]:
    """Return what stands where the records of a wrapper stand, in the order of the page."""
    page = find_base(tree, url)
    top = "outside" if wrapper.cut.way == "element" else "inside"
    reader = PieceReader(wrapper.marks)
    found: list[Candidate] = []
    for parent in find_places(tree, wrapper.where):
        for item in cut_items(split_units(parent), wrapper.cut):
            if len(found) >= most:
                return found
            parts = unit_parts(item)
            pieces = reader.read(parts, top)
            if pieces:
                found.append(Candidate(parts, tuple(pieces), page))
    return found


def find_base(tree: Node, url: str) -> str:
    """Return what the links of a page are relative to."""
    base = next((node.attribute("href") for node in tree.children if node.tag == "base"), "")
    return (resolve_link(base, url) or url) if base else url


_ADVERT_WORDS: Final = frozenset(
    "ad|ads|advert|adverts|advertisement|advertisements|advertising|sponsored|sponsor|sponsored link|sponsored links|"
    "sponsored result|sponsored listing|promoted|promotion|featured ad|anzeige|anzeigen|werbung|gesponsert|annonce|annonces|"
    "annonce sponsorisée|publicité|publicite|sponsorisé|sponsorise|anuncio|anuncios|publicidad|patrocinado|patrocinados|"
    "pubblicità|pubblicita|sponsorizzato|annuncio|annuncio sponsorizzato|anúncio|publicidade|advertentie|gesponsord|"
    "reklama|ogłoszenie sponsorowane|sponsorowane|реклама|спонсор|annons|reklame|mainos|reklam|hirdetés|διαφήμιση|"
    "広告|協賛|提供|スポンサー|pr|广告|廣告|광고|إعلان|פרסומת".split("|")
)
_ADVERT_SIGNS: Final = " \t()[]{}<>:：-–—*•·.!"


def is_advert(pieces: Iterable[TextPiece]) -> bool:
    """Return True if a piece of something says that it is an advertisement, or its link is marked as one."""
    return any(
        piece.place.endswith(SPONSORED_PLACE) or piece.text.strip(_ADVERT_SIGNS).casefold() in _ADVERT_WORDS
        for piece in pieces
    )


MIN_EXPECTED_SHARE: Final = 0.8  # share of records that have what each should have
MIN_KNOWN_SHARE: Final = 0.05  # share that have what a record may have
OWN_PAGE_WEIGHT: Final = 2.0  # what a page of its own counts among what a record has
MIN_RECORD_LIKENESS: Final = 0.55  # of what records have that one must have
MIN_ADVERT_LIKENESS: Final = 0.9  # the same for what says of itself that it is an advertisement

_OWN_PAGE = "own page"

RecordShape = tuple[tuple[str, float], ...]


def learn_shape(told: Sequence[Sequence[LabelledPiece]], pages: Sequence[str], own: OwnPageLink) -> RecordShape:
    """Return what records have, and the share of them that have it."""
    counts: Counter[str] = Counter()
    for item, page in zip(told, pages, strict=True):
        counts.update(_features(item, page, own))
    least = max(MIN_KNOWN_SHARE * len(told), 2 if len(told) > 3 else 1)
    return tuple(sorted((part, count / len(told)) for part, count in counts.items() if count >= least))


def _features(told: Sequence[LabelledPiece], page: str, own: OwnPageLink) -> set[str]:
    """Return what something has: names, pieces without one, a page of its own."""
    parts = {f"label {fold_label(each.label)}" if each.label else f"piece {each.place} {each.number}" for each in told}
    if own.number and is_record_address(find_own_link(told, own, page), own):
        parts.add(_OWN_PAGE)
    return parts


def is_record(wrapper: Wrapper, found: Candidate, told: Sequence[LabelledPiece]) -> bool:
    """Return True if something is made like the records that a wrapper was learned from."""
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

MAX_SURROUNDING_PAIRS: Final = 120  # pairs of tags that are kept


def find_surroundings(trees: Sequence[Node], records: Collection[int]) -> tuple[str, ...]:
    """Return the pairs of tags, one in the other, that stand on all pages outside their records."""
    found = [set(_find_tag_pairs(tree, records)) for tree in trees]
    return tuple(sorted(set.intersection(*found))[:MAX_SURROUNDING_PAIRS]) if found else ()


def surroundings_share(frame: Collection[str], tree: Node) -> float:
    """Return the share of a frame that a page has."""
    if not frame:
        return 0.0
    there = set(_find_tag_pairs(tree, ()))
    return sum(pair in there for pair in frame) / len(frame)


def _find_tag_pairs(tree: Node, records: Collection[int]) -> Iterator[str]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        inner = [child for child in node.children if id(child) not in records]
        own = sign_of(node)
        for child in inner:
            yield f"{own}/{sign_of(child)}"
        waiting.extend(inner)


MIN_SURROUNDINGS_SHARE: Final = 0.6  # share of what stands around records that is there when nothing was found
MAX_LINES_RATIO: Final = 1.5  # times the lines around records before a page without records holds something else
MAX_EXTRA_LINES: Final = 8  # lines that a page may have more than others
MAX_EXTRA_OTHERS: Final = 3  # things at the place of records that are none, more than there were


def judge_fit(wrapper: Wrapper, tree: Node, lines: Sequence[str], strangers: int, records: int) -> Verdict:
    """Return True if a page is built like the others; one without records must be so all around."""
    if records:
        return _judge_found(wrapper, strangers, records)
    if any(map(says_nothing_found, lines)):
        return Verdict(True, "no records, and the page says so")
    likeness = surroundings_share(wrapper.frame, tree)
    if likeness < MIN_SURROUNDINGS_SHARE:
        return Verdict(False, f"built differently: {likeness:.0%} of what stood around records is there")
    count = best_count(lines)
    if count is not None and count.number > 0:
        return Verdict(False, f"says that there are {count.number:,} records, and none is where they stood")
    if strangers > wrapper.strangers + MAX_EXTRA_OTHERS:
        return Verdict(False, f"{strangers} things stand where records stood, and none is like them")
    if len(lines) > MAX_LINES_RATIO * wrapper.lines + MAX_EXTRA_LINES:
        return Verdict(
            False, f"no record where they stood, and {len(lines)} lines elsewhere instead of {wrapper.lines}"
        )
    return Verdict(True, "no records, and the page is built as before")


def _judge_found(wrapper: Wrapper, strangers: int, records: int) -> Verdict:
    others = strangers - wrapper.strangers - MAX_EXTRA_OTHERS
    if others > records:
        return Verdict(False, f"only {records} of {records + strangers} things where records stood are like them")
    return Verdict(True, f"{records} records")


# -- lines outside the records

MAX_OUTSIDE_LINES: Final = 600
MAX_OUTSIDE_LINE_CHARS: Final = 400

_INLINE_TAGS = frozenset("a abbr b big cite code em font i mark q small span strong sub sup tt u var".split())


def find_outside_lines(tree: Node, records: Collection[int]) -> tuple[str, ...]:
    """Return the lines of text that stand in no record, in their order."""
    lines: list[str] = []
    words: list[str] = []
    _read(tree, records, lines, words)
    _end(lines, words)
    return tuple(lines[:MAX_OUTSIDE_LINES])


def _read(node: Node, records: Collection[int], lines: list[str], words: list[str]) -> None:
    if node.tag == "script" or len(lines) >= MAX_OUTSIDE_LINES:
        return
    for part in node.content:
        if id(part) in records:
            _end(lines, words)
        elif isinstance(part, str):
            words.append(part)
        elif part.tag in _INLINE_TAGS:
            _read(part, records, lines, words)
        else:
            _end(lines, words)
            _read(part, records, lines, words)
            _end(lines, words)


def _end(lines: list[str], words: list[str]) -> None:
    line = " ".join("".join(words).split())[:MAX_OUTSIDE_LINE_CHARS]
    words.clear()
    if any(map(str.isalnum, line)):
        lines.append(line)


# -- an answer that is one record's own page

MAX_TITLE_CHARS: Final = 300  # characters of a heading that is the name of a record
_HEADINGS: Final = frozenset({"h1", "h2", "h3"})
_HEADING_NAME: Final = "title"  # what a heading is called where it stands on a record's own page


def find_own_page_address(response: Response, page: Page) -> str:
    """Return the address of the page that a door led to instead of a list, or that a page says is its own."""
    if response.redirects:
        return response.url
    return page.canonical if page.canonical and same_site(page.canonical, response.url) else ""


def read_own_page(wrapper: Wrapper, tree: Node, address: str, usual: Collection[str]) -> Record | None:
    """Return the record whose own page this is, in the words of answers; None where it is no such page.

    `usual` are lines that answers have, too: they say nothing of a record.
    """
    if not _has_own_addresses(wrapper.own) or not is_record_address(address, wrapper.own):
        return None
    names = {attribute.name.casefold(): attribute.name for attribute in wrapper.attributes}
    told = [
        Value(names.get(value.attribute.casefold(), value.attribute), value.text)
        for value in read_detail(tree)
        if value.attribute != _HEADING_NAME and value.text not in usual
    ]
    if not told:
        return None
    title = next(_find_titles(tree, usual), "") if wrapper.title not in {value.attribute for value in told} else ""
    named = [Value(wrapper.title or _HEADING_NAME, title)] if title else []
    return Record((*named, *told), record_key(address, wrapper.own), address)


def _has_own_addresses(own: OwnPageLink) -> bool:
    """Return True if addresses of records can be told from others: they begin alike, or are written alike."""
    return bool(own.number and (own.mould or own.begins not in ("", "/")))


def _find_titles(tree: Node, usual: Collection[str]) -> Iterator[str]:
    for node in find_nodes(tree):
        text = text_of(node) if node.tag in _HEADINGS else ""
        if text and len(text) <= MAX_TITLE_CHARS and text not in usual:
            yield text
