"""What varies from page to page and is not the page's own: lists of links to others, and boxes whose content goes round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from dowse.records.alignedcolumns import COLUMN
from dowse.records.alignedlabels import Key, Seen
from dowse.records.alignednames import Found

LINKED: Final = 0.8  # share of the texts at a place that are links
LINKS: Final = 4  # links on a page from which a list leads to other things; few books have as many authors
ROUND: Final = 3  # texts on a page from which a list can go round
TURNED: Final = 0.3  # share of these that other pages have at another number
SHARED: Final = 3  # steps that the parts of one box have in common
INSIDE: Final = 3  # steps below these
ALONG: Final = 0.7  # share of pages with as many texts at both of two places, which makes them parts of one box
MAX_LISTS: Final = 20  # lists of one box that others are compared with

Texts = Mapping[int, Sequence[Seen]]  # page -> texts


def leave_others(found: Sequence[Found]) -> list[Found]:
    """Return what is the page's own, as far as can be told; links after a name are judged apart from those after another."""
    at: dict[Key, dict[int, list[Seen]]] = defaultdict(lambda: defaultdict(list))
    for each in found:
        if COLUMN in each.place:  # what has a head is said of the page's own, links as well
            continue
        for page, texts in each.seen.items():
            at[each.place, each.label][page] += texts
    others = {key for key, texts in at.items() if _are_links(texts) or _goes_round(texts)}
    beside = _find_beside(at, others)
    return [each for each in found if (each.place, each.label) not in others | beside]


def _are_links(texts: Texts) -> bool:
    """Say whether a place holds a list of links."""
    every = [seen for own in texts.values() for seen in own]
    return len(every) >= LINKS * len(texts) and sum(bool(seen.piece.href) for seen in every) >= LINKED * len(every)


def _goes_round(texts: Texts) -> bool:
    """Say whether the same texts stand on several pages, each time at another number; those with names stand after them."""
    every = [seen for own in texts.values() for seen in own]
    if len(every) < ROUND * len(texts) or any(seen.near for seen in every):
        return False
    numbers: dict[str, set[int]] = defaultdict(set)
    for own in texts.values():
        for number, seen in enumerate(own):
            numbers[seen.piece.text].add(number)
    return sum(len(own) > 1 for own in numbers.values()) >= TURNED * len(numbers)


def _find_beside(at: Mapping[Key, Texts], others: Collection[Key]) -> set[Key]:
    """Return what stands in the same box as a list, with as many texts: prices beside links."""
    boxes: dict[str, list[Key]] = defaultdict(list)
    for other in sorted(others):
        steps = other[0].split("/")
        boxes["/".join(steps[: max(SHARED, len(steps) - INSIDE)])].append(other)
    found = set()
    for key, texts in at.items():
        steps = key[0].split("/")
        around = ("/".join(steps[:count]) for count in range(SHARED, len(steps) + 1))
        if any(_goes_along(texts, at[other]) for box in around for other in boxes.get(box, ())[:MAX_LISTS]):
            found.add(key)
    return found


def _goes_along(texts: Texts, others: Texts) -> bool:
    as_many = sum(len(texts.get(page, ())) == len(own) for page, own in others.items())
    return as_many >= ALONG * len(others)
