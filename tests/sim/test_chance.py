"""Numbers are scrambled one for one, and turned back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dowse.sim.chance import scramble, unscramble


@given(key=st.integers(0, 2**64 - 1), bits=st.integers(2, 22), drawn=st.integers(0, 2**22 - 1))
def test_what_is_scrambled_can_be_turned_back(key: int, bits: int, drawn: int) -> None:
    number = drawn % (1 << bits)
    there = scramble(key, number, bits)
    assert 0 <= there < 1 << bits
    assert unscramble(key, there, bits) == number
