"""Links that stand together, and how they rank."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.model import Familiar, LinkGroup, Response
from dowse.page import read_page
from dowse.page.groups import find_groups, rank_groups, share_of_anchors
from dowse.page.sheet import Line


def single(place: int, words: int = 1) -> Line:
    """Return a line that is one link."""
    return Line((place,), words, words)


PROSE = Line((), 8, 0)
MENU = Line((0, 1, 2), 5, 3)
COLUMN = [single(3), single(4, 2), single(5)]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param([MENU], [LinkGroup((0, 1, 2), 5, 3, False)], id="one line"),
        pytest.param(COLUMN, [LinkGroup((3, 4, 5), 4, 4, True)], id="lines of their own"),
        pytest.param([Line((0, 1), 2, 2)], [], id="two are too few"),
        pytest.param([single(0), single(1)], [], id="two lines are too few"),
        pytest.param([single(0), PROSE, single(1), single(2)], [], id="words end a column"),
        pytest.param([single(0), single(1), Line((2,), 3, 1)], [], id="a link beside words is none of it"),
        pytest.param([single(0), Line((1, 2), 2, 2), single(3), single(4)], [], id="a line of links ends a column"),
        pytest.param(
            [single(0), single(1), Line((), 2, 2), single(2)],
            [LinkGroup((0, 1, 2), 3, 3, True)],
            id="the rest of a long anchor does not",
        ),
        pytest.param(
            [MENU, *COLUMN],
            [LinkGroup((0, 1, 2), 5, 3, False), LinkGroup((3, 4, 5), 4, 4, True)],
            id="a line of links is a group of its own",
        ),
        pytest.param(
            [MENU, Line((3, 4, 5), 3, 3)],
            [LinkGroup((0, 1, 2), 5, 3, False), LinkGroup((3, 4, 5), 3, 3, False)],
            id="two lines of links are two groups",
        ),
        pytest.param(
            [MENU, Line((), 2, 2), *COLUMN],
            [LinkGroup((0, 1, 2), 5, 3, False), LinkGroup((3, 4, 5), 4, 4, True)],
            id="a column does not join the line above it",
        ),
    ],
)
def test_find_groups(lines: list[Line], found: list[LinkGroup]) -> None:
    assert find_groups(lines) == tuple(found)


def test_rank_is_as_in_the_figure() -> None:
    first, second = LinkGroup((0, 1, 2), 5, 3), LinkGroup((4, 5, 6, 7), 15, 4)
    ranked = rank_groups([first, second], 10, size=0.5, words=0.3, distance=0.2)
    # links are counted from 1: the middles stand at 2 and 6.5, 8 and 3.5 links over the bottom
    assert ranked == [
        (pytest.approx(0.5 * 4 / 7 + 0.3 * 15 / 20 + 0.2 * 3.5 / 11.5), second),
        (pytest.approx(0.5 * 3 / 7 + 0.3 * 5 / 20 + 0.2 * 8 / 11.5), first),
    ]


@pytest.mark.parametrize(
    ("weights", "best"),
    [
        pytest.param({"size": 1, "words": 0, "distance": 0}, 1, id="the largest"),
        pytest.param({"size": 0, "words": 1, "distance": 0}, 2, id="the wordiest"),
        pytest.param({"size": 0, "words": 0, "distance": 1}, 0, id="the highest"),
        pytest.param({"size": 0, "words": 1, "distance": 0, "share": share_of_anchors}, 1, id="the purest"),
        pytest.param({"size": 0, "words": 0, "distance": 0}, 0, id="the first of equals"),
    ],
)
def test_weights(weights: dict[str, float], best: int) -> None:
    groups = [LinkGroup((0, 1, 2), 6, 3), LinkGroup((3, 4, 5, 6), 4, 4), LinkGroup((7, 8, 9), 30, 3)]
    assert rank_groups(groups, 10, **weights)[0][1] == groups[best]  # type: ignore[arg-type]


def test_nothing_to_rank() -> None:
    assert rank_groups([], 0) == []
    assert rank_groups([LinkGroup((0, 1, 2))], 3)[0][0] > 0  # links of signs have no words


LINES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(0, 5)).map(
        lambda row: (row[0], row[1] + row[2], row[1])
    )
)


@given(LINES)
def test_groups_are_disjoint_and_in_order(rows: list[tuple[int, int, int]]) -> None:
    lines, count = [], 0
    for links, words, anchor_words in rows:
        lines.append(Line(tuple(range(count, count + links)), words, anchor_words))
        count += links
    groups = find_groups(lines)
    places = [place for group in groups for place in group.places]
    assert places == sorted(set(places))
    assert all(len(group.places) >= 3 and group.words >= group.anchor_words for group in groups)
    ranked = rank_groups(groups, count)
    assert sorted(group.places for _, group in ranked) == [group.places for group in groups]
    assert [rank for rank, _ in ranked] == sorted((rank for rank, _ in ranked), reverse=True)


def test_places_are_those_of_the_page() -> None:
    html = (
        "<a href=#x>top</a> <a href=mailto:a@b.c>mail</a> <iframe src=/frame></iframe><p>text <a href=/0>zero</a></p>"
        "<ul><li><a href=/1>one</a><li><a href=/2>two</a><li><a href='#'>more</a><li><a href=/3>three</a></ul>"
    )
    page = read_page(Response("http://e.com/", 200, (), html.encode()), familiar=Familiar(layout=True))
    (group,) = page.groups
    assert [page.urls[place] for place in group.places] == ["http://e.com/1", "http://e.com/2", "http://e.com/3"]
