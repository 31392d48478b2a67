"""Where a row of pages, by how alike they are to a sample, is cut in two."""

from __future__ import annotations

from collections import Counter
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.tree.likeness import Threshold, count_mixed, explain_cuts


@given(st.lists(st.sampled_from("abcd"), max_size=40))
def test_what_is_on_both_sides_is_counted_in_one_pass(kinds: list[str]) -> None:
    plain = []
    for cut in range(1, len(kinds)):
        below, above = Counter(kinds[:cut]), Counter(kinds[cut:])
        plain.append(sum(min(below[kind], count) for kind, count in above.items()))
    assert count_mixed(kinds) == plain


def test_the_cut_between_two_groups_explains_most() -> None:
    assert explain_cuts([0.0, 0.0, 1.0, 1.0])[1] == 1.0
    assert explain_cuts([0.5, 0.5]) == [0.0]


def test_what_was_found_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Threshold(0.5, "", 1.0).value = 0.1  # type: ignore[misc]
