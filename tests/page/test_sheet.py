"""Pieces of a page as lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.page.sheet import BLANK, FLOWING, WRITTEN, Line, Piece, _fit, _Sheet, set_lines


def text(words: str, place: int | None = None) -> Piece:
    return words, FLOWING, place is not None, place


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        pytest.param([text("one link", 0)], [Line((0,), 2, 2)], id="a link"),
        pytest.param([text("a", 0), BLANK, text("|"), BLANK, text("b", 1)], [Line((0, 1), 2, 2)], id="in one line"),
        pytest.param([text("x" * 19, 0), BLANK, text("y")], [Line((0,), 1, 1), Line((), 1, 0)], id="too long"),
        pytest.param([text("x" * 18, 0), BLANK, text("y")], [Line((0,), 2, 1)], id="just not too long"),
        pytest.param([text("a", 0), ("x", 20, False, None)], [Line((0,), 1, 1), Line((), 1, 0)], id="control"),
        pytest.param([("a\nb", WRITTEN, True, 3)], [Line((3,), 1, 1), Line((), 1, 1)], id="own line breaks"),
        pytest.param([text("a\n\t b", 0)], [Line((0,), 2, 2)], id="blanks of the source"),
        pytest.param([text("x" * 15 + 4 * "\xa0"), text("a", 0)], [Line((), 1, 0), Line((0,), 1, 1)], id="hard blanks"),
    ],
)  # fmt: skip
def test_lines(pieces: list[Piece], lines: list[Line]) -> None:
    assert list(set_lines(pieces, 20)) == lines


PIECES = st.one_of(
    st.just(BLANK),
    st.builds(text, st.text(st.sampled_from("ab|  \n\t\xa0"), min_size=1, max_size=12).filter(str.strip)),
    st.builds(text, st.text(st.sampled_from("ab| \xa0"), min_size=1, max_size=12).filter(str.strip), st.integers(0, 9)),
    st.tuples(st.sampled_from(("x", "", "a b")), st.integers(1, 20), st.booleans(), st.none()),
)


@given(st.lists(PIECES, max_size=12), st.integers(20, 60))
def test_what_fits_in_one_line_is_that_line(pieces: list[Piece], room: int) -> None:
    line = _fit(pieces, room)
    if line is not None:
        assert _Sheet(room).write(pieces) == ([line] if line.words or line.places else [])
