"""What several answers of one door say about the door: it ignores queries, shuffles its records, counts otherwise each time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dowse.model import Verdict

SAME: Final = 0.9  # share of their records that equal answers have in common
LEAST: Final = 2  # records that two answers must have for their sameness to tell anything


def judge_ignored(first_keys: Sequence[str], second_keys: Sequence[str]) -> Verdict:
    """Say whether two different queries were answered alike, so that what is asked does not matter."""
    one, two = set(first_keys), set(second_keys)
    if min(len(one), len(two)) < LEAST:
        return Verdict(False, "too few records to tell")
    share = len(one & two) / len(one | two)
    if share >= SAME:
        return Verdict(True, "the same records whatever is asked")
    return Verdict(False, f"{share:.0%} of the records in common")


def judge_shuffled(first_keys: Sequence[str], second_keys: Sequence[str]) -> Verdict:
    """Say whether the same query asked twice gives other records or another order, so that pages cannot be told apart."""
    if list(first_keys) == list(second_keys):
        return Verdict(False, "the same records in the same order")
    one, two = set(first_keys), set(second_keys)
    if min(len(one), len(two)) < LEAST:
        return Verdict(False, "too few records to tell")
    if one == two:
        return Verdict(True, "the same records in another order each time")
    share = len(one & two) / len(one | two)
    return Verdict(share < SAME, f"{share:.0%} of the records again for the same query")


def judge_totals(totals: Sequence[int | None]) -> Verdict:
    """Say whether the pages of one answer agree on how many records there are; those that say nothing do not count."""
    told = sorted({total for total in totals if total is not None})
    if len(told) < 2:
        return Verdict(True)
    return Verdict(False, f"the total changes between pages: {told[0]:,} to {told[-1]:,}")
