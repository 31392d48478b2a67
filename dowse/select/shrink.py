"""Where to cut a range, and by which attribute to divide (Sheng, Zhang, Tao, Jin: rank-shrink, VLDB 2012).

The paper cuts at the median of the k records that an overflowing answer showed, so that each part
keeps at least a quarter of them: no part is asked for in vain. Here all records that are known to lie
in the range take the place of the k, and where an answer says how many there are, a part is cut off
that should just fill an answer: most of the queries that only overflow are spared.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import Final

from dowse.select.held import Held
from dowse.select.region import Region

FILL: Final = 0.95  # of an answer that a part should fill: more overflow in vain, less are half empty
LEAST_SAMPLE: Final = 2  # known records that a part is cut around: with fewer, its size is anybody's guess
LOOK: Final = 400  # members that are looked at to choose an attribute
UNTOLD: Final = 100  # times worse is an attribute that a record lacks, where no count tells what lies outside
AGAIN: Final = 3  # times worse, where a count tells
UNSEEN: Final = 0.05  # of the choices that no known record has, those that are asked for where counts tell when to end


def place_cut(ranked: Sequence[int], first: int, about: int | None, limit: int) -> int | None:
    """Return a place to cut after, so that the part from `first` fills an answer; None when all is to stay whole."""
    size = len(ranked) - first
    want = _members_wanted(size if about is not None else len(ranked), about, limit)
    if size < 2 or (about is not None and about <= limit) or (about is None and first and size < 1.5 * want):
        return None
    return _cut_between(ranked, first, want, (about or 2 * size) / size, limit)


def _members_wanted(size: int, about: int | None, limit: int) -> int:
    """Return how many of the known records the next part should have."""
    if about is None:  # the paper's median, or more parts when more is known than two answers hold
        parts = max(2, -(-size // max(1, int(limit * FILL))))
        return max(1, size // parts)
    parts = max(2, -(-about // max(1, int(limit * FILL))))
    return max(LEAST_SAMPLE, round(size / parts))


def _cut_between(ranked: Sequence[int], first: int, want: int, per: float, limit: int) -> int | None:
    """Cut after so many, beside a value that many share, not inside of it; None when they all share one."""
    last = ranked[min(first + want, len(ranked)) - 1]
    begin, end = bisect_left(ranked, last, first), bisect_right(ranked, last, first)
    before, upto = begin - first, end - first
    if before and (before * 2 >= want or upto * per > limit) and upto > want:
        return last - 1
    if end == len(ranked):
        return last - 1 if before else None
    following = ranked[end]
    heavy = (bisect_right(ranked, following, end) - end) * per > limit / 2
    return following - 1 if heavy else (last + following) // 2


def pick_attribute(region: Region, candidates: Sequence[str], held: Held, limit: int) -> str:
    """Return the attribute that should divide a region into the fewest answers."""
    members = region.known()
    sample = members[:: max(1, len(members) // LOOK)]
    about = region.about or 2 * max(len(members), limit)
    return min(candidates, key=lambda name: (_cost(name, sample, about, held, limit, region), candidates.index(name)))


def _cost(name: str, sample: Sequence[int], about: int, held: Held, limit: int, region: Region) -> float:
    """Guess how many queries it takes to draw a region divided by an attribute."""
    answers = max(2.0, about / (limit * FILL))
    lacking = held.lacking(name, sample) / max(1, len(sample))
    cost = _range_cost(name, sample, held, answers) if name in held.scales else 0.0
    if name not in held.scales:
        cost = _choice_cost(name, sample, held, answers, region)
    if held.lacks(name):  # what lacks it has to be found by another attribute, all over again
        return cost * (AGAIN + 8 * lacking) if region.total is not None else cost * UNTOLD
    return cost


def _range_cost(name: str, sample: Sequence[int], held: Held, answers: float) -> float:
    seen = held.amounts[name]
    counts = Counter(seen[record][0] for record in sample if record in seen)
    if not counts:
        return 2 * answers
    top = max(counts.values()) / counts.total()
    return answers * (1 + top) if len(counts) > 1 else 4 * answers


def _choice_cost(name: str, sample: Sequence[int], held: Held, answers: float, region: Region) -> float:
    seen = held.texts[name]
    counts = Counter(text for record in sample for text in seen.get(record, ()))
    domain = len(held.choices[name])
    each = answers / max(1, len(sample))
    cost = sum(max(1.0, count * each) for count in counts.values())
    unseen = max(0, domain - len(counts))
    return cost * 1.2 + unseen * (UNSEEN if region.total is not None and counts else 1.0)
