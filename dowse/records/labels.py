"""Names in a record: words that come back from record to record and stand before what differs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from dowse.records.pieces import Piece

LONGEST: Final = 60  # characters of a name
LEAST_AGAIN: Final = 2  # records that a name must come back in
COVERED: Final = 0.8  # share of the texts at a place of names that come back
CONSTANT: Final = 0.9  # share of records with the same words at a place that make them a name, or no value
FOLLOWING: Final = 0.05  # share of names after which a value stands at a place
INSIDE: Final = 0.5  # share of the texts at a place that hold names

_NAME = re.compile(r"(?:^|[;|•·(,/\[]|\s[-–—])\s{0,2}([^\W\d][^:：;|•·,()\[\]/]{0,40})[:：](?=\s|$)\s?")
_ENDS = " \t:：;,|•·"
_NAMING = frozenset("dt th td b strong i em label span small font u cite abbr div p h4 h5 h6 li".split())
_CALLING = frozenset("dt th b strong i em label".split())  # tags of a name that stands alone in its record
_STEP = re.compile(r"[.\[]")


@dataclass(frozen=True, slots=True)
class Labels:
    """Where names stand in the records of one place."""

    names: frozenset[str] = frozenset()  # that were seen, folded
    places: frozenset[str] = frozenset()  # where only names stand
    inside: frozenset[str] = frozenset()  # where a text holds names and values
    values: frozenset[str] = frozenset()  # where what they name stands


class Told(NamedTuple):
    """A piece of a record that is no name, with the name it stands under."""

    label: str  # as the page has it, or nothing
    place: str
    number: int  # among those of its label and place
    text: str
    href: str = ""
    prop: str = ""


def fold(text: str) -> str:
    """Return a name without what ends it, in small letters."""
    return text.strip(_ENDS).casefold()


def learn_labels(items: Sequence[Sequence[Piece]], asked: Collection[str] = ()) -> Labels:
    """Return where names stand in records, by what comes back from one to the other."""
    names, inside = _find_inside(items)
    parted = [part_texts(item, names, inside) for item in items]
    wanted = tuple(each.casefold() for each in asked if each)
    places = {place for place in {piece.place for item in parted for piece in item} if place.endswith(":")}
    for place, texts in _gather(parted).items():
        if _are_names(place, texts, len(items), wanted) and _stands_before(parted, place):
            places.add(place)
    found = {fold(piece.text) for item in parted for piece in item if piece.place in places}
    return Labels(frozenset(found), frozenset(places), frozenset(inside), _find_values(parted, places))


def _gather(items: Sequence[Sequence[Piece]]) -> dict[str, list[list[str]]]:
    """Return the texts at each place, record by record."""
    found: dict[str, list[list[str]]] = defaultdict(list)
    for item in items:
        own: dict[str, list[str]] = defaultdict(list)
        for piece in item:
            if piece.text and not piece.href and not piece.place.endswith((":", "=")):
                own[piece.place].append(fold(piece.text))
        for place, texts in own.items():
            found[place].append(texts)
    return found


def _are_names(place: str, texts: list[list[str]], count: int, asked: tuple[str, ...]) -> bool:
    """Say whether what stands at a place names what stands after it: few words, once each, in record after record."""
    step = place.rpartition("/")[2]
    if _STEP.split(step)[0] not in _NAMING or len(texts) < LEAST_AGAIN:
        return False
    counts = Counter(text for own in texts for text in set(own))
    total = sum(map(len, texts))
    again = sum(sum(counts[text] >= LEAST_AGAIN and len(text) <= LONGEST for text in own) for own in texts)
    once = sum(len(set(own)) for own in texts)
    if again < COVERED * total or once < COVERED * total:
        return False
    per_item = total / len(texts)
    if per_item < 1.5:
        if any(each in text for text in counts for each in asked):  # what was asked for is the same in all records
            return False
        return counts.most_common(1)[0][1] >= CONSTANT * len(texts) and _STEP.split(step)[0] in _CALLING
    return len([text for text in counts if counts[text] >= LEAST_AGAIN]) <= 1.6 * per_item + 2


def _stands_before(items: Sequence[Sequence[Piece]], place: str) -> bool:
    """Say whether something else stands after what is at a place, most of the time."""
    seen = after = 0
    for item in items:
        for number, piece in enumerate(item):
            if piece.place == place:
                seen += 1
                after += number + 1 < len(item) and item[number + 1].place != place
    return after >= INSIDE * seen


def _find_values(items: Sequence[Sequence[Piece]], places: Collection[str]) -> frozenset[str]:
    """Return the places of what comes right after a name."""
    counts: Counter[str] = Counter()
    for item in items:
        for number, piece in enumerate(item[:-1]):
            after = item[number + 1]
            if piece.place in places and after.place not in places and after.text:
                counts[after.place] += 1
    total = sum(counts.values())
    return frozenset(place for place, count in counts.items() if count >= FOLLOWING * total)


# Names and values in one text


def _find_inside(items: Sequence[Sequence[Piece]]) -> tuple[frozenset[str], frozenset[str]]:
    """Return names that come back with a colon after them, and the places whose texts hold them."""
    seen: dict[str, Counter[str]] = defaultdict(Counter)
    texts: Counter[str] = Counter()
    for item in items:
        own: dict[str, set[str]] = defaultdict(set)
        for piece in item:
            if piece.text:
                texts[piece.place] += 1
                own[piece.place].update(map(fold, _NAME.findall(piece.text)))
        for place, names in own.items():
            seen[place].update(names)
    least = max(LEAST_AGAIN, 0.1 * len(items)) if len(items) > 1 else 1
    known = frozenset(name for counts in seen.values() for name, count in counts.items() if count >= least)
    again = {place: sum(count for name, count in counts.items() if name in known) for place, counts in seen.items()}
    return known, frozenset(place for place, count in again.items() if count and count >= INSIDE * texts[place])


def part_texts(item: Sequence[Piece], names: Collection[str], inside: Collection[str]) -> list[Piece]:
    """Return the pieces of a record with those that hold names parted: names, and what they name."""
    return [part for piece in item for part in (_part(piece, names) if piece.place in inside else (piece,))]


def _part(piece: Piece, names: Collection[str]) -> Iterator[Piece]:
    text = piece.text
    found = [match for match in _NAME.finditer(text) if fold(match[1]) in names]
    head = text[: found[0].start()].strip(" (") if found else text
    if any(map(str.isalnum, head)):
        yield piece._replace(text=head)
    for number, match in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(text)
        yield piece._replace(place=f"{piece.place}:", text=match[1].strip())
        value = text[match.end() : end].strip(_ENDS)
        if any(value.endswith(end) and value.count(end) > value.count(start) for start, end in ("()", "[]")):
            value = value[:-1].rstrip(_ENDS)
        if any(map(str.isalnum, value)):
            yield piece._replace(place=f"{piece.place}=", text=value)


def tell(item: Sequence[Piece], labels: Labels) -> list[Told]:
    """Return what a record says, each piece under its name, where it has one."""
    told: list[Told] = []
    counts: Counter[tuple[str, str]] = Counter()
    label = ""
    for piece in part_texts(item, labels.names, labels.inside):
        if piece.place in labels.places:
            label = piece.text.strip(_ENDS)
            told.append(Told(label, f"{piece.place}!", 0, ""))  # the name itself: a record may have it and no value
            continue
        under = label if piece.place in labels.values else ""
        counts[under, piece.place] += 1
        told.append(Told(under, piece.place, counts[under, piece.place], piece.text, piece.href, piece.prop))
    return told
