"""What the texts at a place are called, and which places tell the same: the price of what is sold out stands elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from dowse.records.alignedcolumns import find_head
from dowse.records.alignedlabels import Seen, can_name
from dowse.records.alignedplaces import DECLARED
from dowse.records.labels import LONGEST, fold
from dowse.records.places import without_classes

CALLED: Final = 0.7  # share of pages that must call it so
OWN: Final = "_"  # names of columns that say something about the page begin so: `_url`
NEAR_STEPS: Final = 2  # last steps of a place whose classes and ids may name it

_IDS = re.compile(r"#[^/]*")
_TITLE = re.compile(r"(?:^|/)h1(?:[.#/=]|$)")
_HEADING = re.compile(r"(?:^|/)h[23](?:[.#/=]|$)")
_CLASSES = re.compile(r"[.#]([A-Za-z][\w-]*)")
_WORDS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}")
_LOOKS = frozenset(  # words that say how it looks or where it stands, not what it is
    "active align area background black block blue body bold border bottom box center clear clearfix col color column "
    "container content css cell default div even field first fix float font frame gray green grey grid group head header "
    "hidden hide inline inner item label large last layout left line link list main margin medium middle mod module nav new normal "
    "odd outer pad padding page panel para part primary red right row secondary section side sidebar small span style sub "
    "tab table tbl text tiny top txt unit value val white width wrap wrapper wide yellow the and for".split()
)


@dataclass(frozen=True, slots=True)
class Found:
    """A place of texts that vary."""

    label: str  # the text of the template that they stand after; nothing where the place is enough
    place: str
    number: int  # which of the texts there; 0 for all of them
    seen: dict[int, list[Seen]]  # by page


class Called(NamedTuple):
    """A name, and how it was found."""

    name: str
    how: str


def name_attributes(found: Sequence[Found]) -> list[Called]:
    """Return what each place is called; those that tell the same on different pages have one name."""
    calls = [_call(each) for each in found]
    names = [Called("", "")] * len(found)
    taken: Counter[str] = Counter()
    for group in _join(found, calls):
        best = max(group, key=lambda which: (calls[which].how != "place", len(found[which].seen)))
        own = _number(Called(calls[best].name.strip().lstrip(OWN).strip() or "text", calls[best].how), taken)
        for which in group:
            names[which] = own
    return names


def _number(called: Called, taken: Counter[str]) -> Called:
    """Return a name that nothing else has: the second price is `price 2`, unless the page itself calls something so."""
    name, how = called
    while True:
        taken[fold(name)] += 1
        count = taken[fold(name)]
        own = f"{name} {count}" if count > 1 or how == "place" else name
        if own == name or not taken[fold(own)]:
            if own != name:
                taken[fold(own)] += 1
            return Called(own, how)


def _join(found: Sequence[Found], calls: Sequence[Called]) -> list[list[int]]:
    """Return groups of places that have one name or one path of tags, and never stand on the same page."""
    groups: list[list[int]] = []
    pages: list[set[int]] = []
    known: dict[str, list[int]] = {}
    for which, each in enumerate(found):
        keys = _keys(each, calls[which])
        own = set(each.seen)
        group = next((group for key in keys for group in known.get(key, ()) if not pages[group] & own), None)
        if group is None:
            group = len(groups)
            groups.append([])
            pages.append(set())
            for key in keys:
                known.setdefault(key, []).append(group)
        groups[group].append(which)
        pages[group] |= own
    return groups


def _keys(each: Found, called: Called) -> list[str]:
    path = without_classes(_IDS.sub("", each.place))
    return [*([fold(called.name)] if called.how == "label" else []), f"/{path}|{each.label}|{each.number}"]


def _call(each: Found) -> Called:
    """Return the name that pages give: declared, before it, its heading, its class; nothing when they give none."""
    first = [texts[0] for texts in each.seen.values()]
    if each.place.startswith(f"{DECLARED}/"):
        return Called(each.place.split("/", 2)[-1].replace("/", "."), "json-ld")
    if find_head(each.place):
        return Called(find_head(each.place), "label")
    prop, count = Counter(seen.piece.prop for seen in first).most_common(1)[0]
    if prop.split() and count >= CALLED * len(first):
        return Called(prop.split()[0].rpartition(":")[2], "itemprop")
    label = _find_label(first)
    return Called(label, "label") if label else _call_place(each.place)


def _call_place(place: str) -> Called:
    if _TITLE.search(place):
        return Called("title", "title")
    word = _find_word(place)
    if word:
        return Called(word, "class")
    return Called("heading", "title") if _HEADING.search(place) else Called("", "place")


def _find_label(first: Sequence[Seen]) -> str:
    """Return the words that stand right before on most pages."""
    near = Counter(seen.near.text.strip(" :：*=") for seen in first if seen.near and can_name(seen.near, seen.piece))
    for name, count in near.most_common(1):
        if count >= CALLED * len(first) and len(name) <= LONGEST and name[:1].isalpha():
            return name
    return ""


def _find_word(place: str) -> str:
    """Return what the last classes and ids say of what stands there, in words."""
    for step in reversed(place.rstrip("=").split("/")[-NEAR_STEPS:]):
        for name in reversed(_CLASSES.findall(step)):
            words = [word.lower() for word in _WORDS.findall(name)]
            told = [word for word in words if word not in _LOOKS]
            if told:
                return " ".join(told)[:LONGEST]
    return ""
