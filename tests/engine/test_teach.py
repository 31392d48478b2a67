"""What sites teach the next: by block, and the same whichever site is done first."""

from __future__ import annotations

import random

import pytest

from dowse.engine.teach import BLOCK, Teacher
from dowse.strategy.learned import Learned, LearnedGuide
from dowse.strategy.lessons import BELIEF, FARTHEST, Lessons
from dowse.url import site_of

SORT, OTHER = "shared searching link, site gave nothing", "shared other link, site gave"
STRATEGY = Learned(paid={SORT: 0.5, OTHER: 0.5})


def run(order: list[int]) -> list[dict[str, float]]:
    """Begin three blocks of sites; the sites of a block are done in some order."""
    teacher = Teacher(STRATEGY)
    corrections = []
    for _ in range(4):
        begun = [teacher.begin() for _ in range(BLOCK)]
        corrections.append(dict(begun[0][1].corrections))  # type: ignore[attr-defined]
        assert all(strategy is begun[0][1] for _, strategy in begun)
        for place in order:
            teacher.learn(begun[place][0], ((OTHER, 9.0, 4.5), (SORT, 1.0, float(place % 3 == 0))))
    return corrections


def test_a_block_knows_what_the_blocks_before_the_last_taught() -> None:
    corrections = run(list(range(BLOCK)))
    assert corrections[0] == corrections[1] == {}
    assert corrections[2][SORT] < 0, "a third came where half was usual"
    assert corrections[3][SORT] < corrections[2][SORT], "and more of it is believed more"


def test_the_order_in_which_sites_are_done_does_not_matter() -> None:
    order = list(range(BLOCK))
    random.Random(5).shuffle(order)
    assert run(order) == run(list(range(BLOCK)))


def test_what_sites_before_this_call_taught_is_known() -> None:
    teacher = Teacher(STRATEGY, 2 * BLOCK, {0: ((OTHER, 900.0, 450.0), (SORT, 100.0, 200.0))})
    block, strategy = teacher.begin()
    assert block == 2
    assert strategy.corrections[SORT] > 0  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("expected", "given", "times"), [(0.0, 0.0, 1.0), (1e6, 0.0, 1 / FARTHEST), (1.0, 1e6, FARTHEST)]
)
def test_corrections_are_bounded(expected: float, given: float, times: float) -> None:
    lessons = Lessons()
    lessons.add(OTHER, 1e9, 0.5e9)
    lessons.add(SORT, expected, given)
    assert 2.718281828459045 ** lessons.corrections({SORT: 0.5, OTHER: 0.5})[SORT] == pytest.approx(times, rel=0.01)
    assert lessons.corrections({}) == {}
    assert BELIEF > 0


def test_a_guide_follows_what_was_taught() -> None:
    lesson = ((OTHER, 900.0, 450.0), (SORT, 100.0, 0.0))
    plain, taught = STRATEGY.open(site_of("http://e.com/")), STRATEGY.taught([lesson]).open(site_of("http://e.com/"))
    assert isinstance(taught, LearnedGuide)
    assert taught._score_kind("1+?p") < plain._score_kind("1+?p")
    assert taught._score_kind("1-?p") == plain._score_kind("1-?p")


def test_where_all_pays_more_nothing_is_corrected() -> None:
    lessons = Lessons()
    lessons.add(OTHER, 1_000.0, 1_000.0)
    lessons.add(SORT, 1_000.0, 1_000.0)
    assert lessons.corrections({SORT: 0.5, OTHER: 0.5}) == pytest.approx({SORT: 0.0, OTHER: 0.0}, abs=0.01)
