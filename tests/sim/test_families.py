"""The families have nothing in common that is written in addresses and forms."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from bench.families import shape_of
from dowse.sim.families import FAMILIES
from dowse.sim.view import Addresses

A, B = FAMILIES["A"].addresses, FAMILIES["B"].addresses


def _shapes(patterns: Iterable[str]) -> set[str]:
    filled = (each.format(n=3, slug="ab", above="/", word="ab", db=1) for each in patterns)
    return {shape_of(f"http://host.example{each}") for each in filled}


@pytest.mark.parametrize("which", ["pages", "answers", "details", "services"])
def test_no_address_has_the_same_shape(which: str) -> None:
    assert not _shapes(getattr(A, which)) & _shapes(getattr(B, which))


@pytest.mark.parametrize("which", ["words", "names"])
def test_no_word_and_no_field_name_is_in_both(which: str) -> None:
    assert not _all(A, which) & _all(B, which)


def _all(addresses: Addresses, which: str) -> set[str]:
    return {each for values in getattr(addresses, which).values() for each in values}


@pytest.mark.parametrize("which", ["ends", "paging", "hidden", "attributes"])
def test_no_habit_is_in_both(which: str) -> None:
    assert not set(getattr(A, which)) & set(getattr(B, which))


def test_no_design_and_no_mark_is_in_both() -> None:
    one, other = FAMILIES["A"], FAMILIES["B"]
    assert not set(one.designs) & set(other.designs)
    assert not set(one.marks) & set(other.marks)
    assert len(one.designs) >= 12 <= len(other.designs)
