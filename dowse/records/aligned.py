"""Attributes of pages of one template, found by laying the pages beside each other: what stays is template, what varies is data."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from dowse.errors import BadInput
from dowse.model import Value
from dowse.records.alignedcolumns import COLUMN
from dowse.records.alignedlabels import (
    MAX_NUMBER,
    PARTED,
    STEADY,
    Fixed,
    Key,
    Seen,
    learn_fixed,
    tell_page,
)
from dowse.records.alignednames import OWN, Found, name_attributes
from dowse.records.alignedothers import leave_others
from dowse.records.alignedplaces import keep_usual, learn_usual, read_texts
from dowse.records.pieces import Piece
from dowse.tree.node import Node

VERSION: Final = 2  # places of cells have the heads of their columns since: values of a file of before would be lost
MIN_PAGES: Final = 2  # what varies is seen on two pages at least
MAX_PAGES: Final = 30  # that are learned from; more teach little
MAX_ATTRIBUTES: Final = 300  # places of one template; long lists of technical facts have half of it
MAX_VALUES: Final = 1_000  # of one page
LEAST: Final = 0.15  # share of pages with a text at a place, below which it is chance
FEW: Final = 3  # texts at one place of a page, on average, that can be the values of one attribute
MOSTLY: Final = 0.7  # share of pages with as many texts after a name that make a number of each of them
ROUNDED: Final = 0.001  # what a share that is written down may be off


class BadName(BadInput):
    """An attribute has a name that cannot be a column."""


@dataclass(frozen=True, slots=True)
class PageAttribute:
    """One thing that pages of a template tell; those with one name are where it stands on different pages."""

    name: str
    how: str  # how the name was found: label, itemprop, json-ld, title, class or place
    label: str = ""  # the text of the template that it stands after, folded; nothing where the place is enough
    place: str = ""
    number: int = 0  # which of the texts there, counted from 1; 0 for all of them
    share: float = 1.0  # of the pages learned from that have it


@dataclass(frozen=True, slots=True)
class PageWrapper:
    """How pages of one template are made."""

    attributes: tuple[PageAttribute, ...] = ()
    fixed: Fixed = field(default_factory=Fixed)
    usual: frozenset[str] = frozenset()  # classes and ids, with their tags, that places are told by
    learned_from: int = 0  # pages
    version: int = VERSION

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        return {
            "version": self.version,
            "learned_from": self.learned_from,
            "attributes": [asdict(each) | {"share": round(each.share, 3)} for each in self.attributes],
            "texts": _group(self.fixed.texts),
            "inside": _group(self.fixed.inside),
            "usual": sorted(self.usual),
        }

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> PageWrapper:
        """Return the wrapper that was written down."""
        if told.get("version") != VERSION:
            given = str(told.get("version"))[:20]
            raise BadInput(
                f"the reader of the pattern is of version {given}, not {VERSION}; --relearn learns the pattern again"
            )
        try:
            attributes = tuple(PageAttribute(**each) for each in told["attributes"])
            _check_names(attributes)
            fixed = Fixed(_ungroup(told["texts"]), _ungroup(told["inside"]))
            return cls(attributes, fixed, frozenset(told["usual"]), int(told["learned_from"]))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BadInput(f"this is no wrapper of pages: {error}") from error


def _check_names(attributes: Sequence[PageAttribute]) -> None:
    """Refuse names that cannot be columns; places with one name are told apart by the pages they are on, so there are pages for all."""
    shares: Counter[str] = Counter()
    for place, each in enumerate(attributes):
        shares[each.name] += each.share  # type: ignore[assignment]  # a Counter of shares
        where, name = f"attributes[{place}].name", each.name[:60]
        if not each.name.strip():
            raise BadName(f"{where} is empty")
        if each.name.startswith(OWN):
            raise BadName(f"{where} {name!r} begins with {OWN!r}, as columns about the page do")
        if shares[each.name] > 1 + ROUNDED * len(attributes):
            raise BadName(f"{where} {name!r} is the name of another attribute, too")


def _group(keys: Iterable[Key]) -> dict[str, list[str]]:
    """Return texts by their places, each place written once."""
    grouped: dict[str, list[str]] = {}
    for place, text in sorted(keys):
        grouped.setdefault(place, []).append(text)
    return grouped


def _ungroup(grouped: Mapping[str, Sequence[str]]) -> frozenset[Key]:
    return frozenset((place, text) for place, texts in grouped.items() for text in texts)


def learn_page(trees: Sequence[Node]) -> PageWrapper:
    """Return how pages of one template are made, from two of them or more."""
    if len(trees) < MIN_PAGES:
        raise BadInput(f"what varies is seen on {MIN_PAGES} pages or more; {len(trees)} given")
    read = [read_texts(tree) for tree in trees[:MAX_PAGES]]
    usual = learn_usual(read)
    pages = [keep_usual(page, usual) for page in read]
    fixed, named = learn_fixed(pages)
    found = leave_others(_find_varying(pages, fixed, named))[:MAX_ATTRIBUTES]
    attributes = tuple(
        PageAttribute(*called, each.label, each.place, each.number, round(len(each.seen) / len(pages), 3))
        for each, called in zip(found, name_attributes(found), strict=True)
    )
    return PageWrapper(attributes, _keep_needed(fixed, pages, attributes), usual, len(pages))


def _find_varying(pages: Sequence[Sequence[Piece]], fixed: Fixed, named: Collection[str]) -> list[Found]:
    """Return the places of what varies; what stands after a name is a value though it may not vary."""
    at: dict[str, dict[int, list[Seen]]] = defaultdict(lambda: defaultdict(list))
    for number, page in enumerate(pages):
        for seen in tell_page(page, fixed):
            at[seen.piece.place][number].append(seen)
    least = max(MIN_PAGES, LEAST * len(pages))
    often = {place: texts for place, texts in at.items() if len(texts) >= least}
    found: list[Found] = []
    for place, texts in often.items():
        if COLUMN in place:
            found.append(Found("", place, 0, dict(texts)))
        elif place in named or place.endswith(PARTED):
            found += _find_under(place, texts, least)
        else:
            found += [each for each in _find_at(place, texts, least) if _varies(each)]
    return found


def _varies(found: Found) -> bool:
    return len({seen.piece.text for texts in found.seen.values() for seen in texts}) > 1


def _find_at(place: str, texts: Mapping[int, list[Seen]], least: float) -> Iterator[Found]:
    """Yield what stands at a place without names: by numbers, as one list, or after texts of the template."""
    count, often = Counter(map(len, texts.values())).most_common(1)[0]
    if often >= STEADY * len(texts) and count <= MAX_NUMBER:
        yield from _number_texts("", place, texts, count)
        return
    parts = list(_find_under(place, texts, least))
    come_and_go = any(len(each.seen) < STEADY * len(texts) for each in parts)
    if come_and_go and sum(map(len, texts.values())) <= FEW * len(texts):
        yield Found("", place, 0, dict(texts))
    else:
        yield from parts


def _find_under(place: str, texts: Mapping[int, list[Seen]], least: float) -> Iterator[Found]:
    """Yield what stands at a place, by the text of the template before it."""
    under: dict[str, dict[int, list[Seen]]] = defaultdict(lambda: defaultdict(list))
    for page, own in texts.items():
        for seen in own:
            under[seen.label][page].append(seen)
    for label, own_texts in under.items():
        count, often = Counter(map(len, own_texts.values())).most_common(1)[0]
        is_list = count == 1 or count > MAX_NUMBER or often < MOSTLY * len(own_texts)
        if len(own_texts) >= least:
            yield from _number_texts(label, place, own_texts, 0 if is_list else count)


def _number_texts(label: str, place: str, texts: Mapping[int, list[Seen]], count: int) -> Iterator[Found]:
    if not count:
        yield Found(label, place, 0, dict(texts))
    for number in range(1, count + 1):
        own = {page: [each[number - 1]] for page, each in texts.items() if len(each) >= number}
        yield Found(label, place, number, own)


def _keep_needed(fixed: Fixed, pages: Sequence[Sequence[Piece]], attributes: Sequence[PageAttribute]) -> Fixed:
    """Return the texts of the template that what stands at the places of attributes comes after, or that stand there."""
    places = {each.place for each in attributes}
    labels = {seen.label for page in pages for seen in tell_page(page, fixed) if seen.piece.place in places}
    parted = {place.removesuffix(PARTED) for place in places}
    texts = frozenset(key for key in fixed.texts if key[0] in places | parted or key[1] in labels)
    return Fixed(texts, frozenset(key for key in fixed.inside if key[0] in parted))


def read_values(wrapper: PageWrapper, tree: Node) -> tuple[Value, ...]:
    """Return what a page of the template says of its attributes, in the order of the page."""
    by_place: dict[str, list[PageAttribute]] = defaultdict(list)
    for each in wrapper.attributes:
        by_place[each.place].append(each)
    counts: Counter[tuple[str, str]] = Counter()
    found: dict[Value, None] = {}
    for seen in tell_page(keep_usual(read_texts(tree), wrapper.usual), wrapper.fixed):
        place = seen.piece.place
        counts["", place] += 1
        counts[seen.label, place] += 1
        for each in by_place.get(place, ()):
            if each.label in ("", seen.label) and each.number in (0, counts[each.label, place]):
                found.setdefault(Value(each.name, seen.piece.text))
        if len(found) >= MAX_VALUES:
            break
    return tuple(found)[:MAX_VALUES]
