"""Which of the things where records stand are records: they have what each of the others has, and little else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from dowse.records.adverts import says_advert
from dowse.records.found import Found
from dowse.records.labels import Told, fold
from dowse.records.own import begins_like, find_own
from dowse.records.template import Own, Wrapper

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
