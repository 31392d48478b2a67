"""Learn from answers how a site writes its records, and read records from further answers.

`learn_wrapper` needs one answer; others, to other queries, show what belongs to the page and what to the answer.
`apply_wrapper` says of every page whether it still looks like those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from dowse.model import Record, Verdict
from dowse.records.align import agree, shape_of
from dowse.records.attributes import Samples, find_plain, learn_attributes, name_title, read_values
from dowse.records.fits import judge_fit
from dowse.records.found import Found, find_base, find_candidates
from dowse.records.frame import find_frame
from dowse.records.header import find_header
from dowse.records.labels import Told, learn_labels, tell
from dowse.records.likeness import is_record, learn_shape
from dowse.records.marks import find_marks
from dowse.records.microdata import Declared, find_things
from dowse.records.outside import find_lines
from dowse.records.own import find_own, key_of, learn_identity, learn_own
from dowse.records.regions import Region, Sight, find_regions, find_texts
from dowse.records.template import ATTRIBUTES, RECORDS, Wrapper
from dowse.records.units import Cut
from dowse.tree.node import Node

__all__ = ["Extract", "Sample", "Wrapper", "apply_wrapper", "find_records", "learn_wrapper"]

MAX_SAMPLES: Final = 12
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
    samples = samples[:MAX_SAMPLES]
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
