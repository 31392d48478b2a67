"""A heap whose ranks change."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dowse.select.ranked import LEAST, Ranked


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 1 << 40)), max_size=200))
def test_the_last_rank_counts(pushed: list[tuple[int, int]]) -> None:
    ranked = Ranked(lambda value: value != 7)
    ranked.push(pushed)
    wanted = sorted(
        ((value, rank) for value, rank in dict(pushed).items() if value != 7), key=lambda pair: (-pair[1], pair[0])
    )
    taken = list(iter(ranked.pop, None))
    assert list(dict.fromkeys(taken)) == [value for value, _ in wanted]


def test_old_entries_do_not_pile_up() -> None:
    ranked = Ranked(lambda value: True)
    for rank in range(100):
        ranked.push((value, rank) for value in range(1000))
    assert len(ranked.entries) <= LEAST + 6 * 1000
    assert ranked.peek() == 0
