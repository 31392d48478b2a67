"""Thresholds from the spread of similarities, and pages compared with several samples."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.alike import (
    HALF,
    LEAST,
    MOST_SAMPLES,
    STRICT,
    Clear,
    find_threshold,
    judge_clear,
    learn_alike,
    part_pages,
    spread,
)
from bench.traits import weigh_traits
from dowse.tree.node import Node
from dowse.tree.similarity import Shape, Threshold, fingerprint_of, shape_of, similarity
from tests.tree.test_similarity import Tree, read, trees, whole

OTHERS = [0.05, 0.07, 0.1, 0.12, 0.2, 0.22, 0.25, 0.31]
SAME = [0.84, 0.87, 0.9, 0.91, 0.95, 0.97, 0.98]


@pytest.mark.parametrize(
    ("same", "others"),
    [
        pytest.param(SAME, OTHERS, id="both"),
        pytest.param(SAME[:2], OTHERS * 20, id="two among many"),
        pytest.param(SAME * 20, OTHERS[:2], id="nearly all"),
        pytest.param([0.62, 0.64, 0.7, 0.75], OTHERS, id="a sample that is less like the rest"),
        pytest.param([0.9, 0.93, 0.96, 1.0], [0.61, 0.63, 0.66, 0.7], id="pages that share a frame"),
        pytest.param([1.0] * 9, [0.7] * 9, id="two values"),
        pytest.param([0.99, 1.0, *[0.62, 0.64, 0.66] * 6], [0.2, 0.25, 0.3] * 6, id="near copies of the sample"),
        pytest.param(SAME, [0.02, 0.03, 0.04, 0.5, 0.51, 0.52, 0.55], id="two groups of others"),
        pytest.param(
            [0.99] * 29, [0.65] * 4 + [0.05, 0.1, 0.15, 0.2] * 8, id="a few that are nearer than other others"
        ),
    ],
)
def test_two_groups_are_told_apart(same: list[float], others: list[float]) -> None:
    found = find_threshold([*others, *same])
    assert max(others) < found.value <= min(same)
    assert 0 < found.confidence <= 1
    assert f"{len(same)} pages have {min(same):.0%} or more" in found.why


@pytest.mark.parametrize(
    ("similarities", "value", "why"),
    [
        pytest.param([], STRICT, "0 pages are too few", id="nothing"),
        pytest.param([0.1, 0.9, 0.9], STRICT, "3 pages are too few", id="few"),
        pytest.param(OTHERS, HALF, "no page has more than 31%", id="none alike"),
        pytest.param([0.0] * 9, HALF, "no page has more than 0%", id="nothing in common"),
        pytest.param(SAME, STRICT, "all pages are alike", id="all alike"),
        pytest.param([1.0] * 9, STRICT, "all pages are alike", id="all equal"),
        pytest.param([0.6, 0.62, 0.63, 0.65, 0.66], STRICT, "one group", id="one group, neither alike nor not"),
        pytest.param([0.6] * 5, STRICT, "one group", id="one value"),
    ],
)
def test_where_there_is_one_group_it_is_said(similarities: list[float], value: float, why: str) -> None:
    found = find_threshold(similarities)
    assert found.value == value
    assert why in found.why


def test_a_wider_gap_is_surer() -> None:
    wide = find_threshold([0.1, 0.12, 0.13, 0.95, 0.96])
    narrow = find_threshold([0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.95, 0.96])
    assert find_threshold([0.1, 0.9]).confidence == 0 < narrow.confidence < wide.confidence


@settings(max_examples=200, deadline=None)
@given(st.lists(st.floats(0, 1), max_size=60))
def test_any_spread_gives_a_threshold_and_its_order_does_not_matter(similarities: list[float]) -> None:
    found = find_threshold(similarities)
    assert LEAST <= found.value <= 1
    assert 0 <= found.confidence <= 1
    assert found == find_threshold(similarities[::-1])


PAGE = "a(h(x) m(p p(y) t(r(c) r(c d))) f(x))"
LIKE = "a(h(x) m(p p(y) t(r(c))) f(x z))"
UNLIKE = "a(g(x) n(p p(y)))"
SECOND = "a(g(x) n(p p(y) q))"


def shapes(*texts: str) -> list[Shape]:
    return [whole(read(text)) for text in texts]


def test_the_nearest_sample_counts() -> None:
    page, like, unlike, second = shapes(PAGE, LIKE, UNLIKE, SECOND)
    one, both = learn_alike([page]), learn_alike([page, second])
    assert one.score(page) == both.score(page) == 1
    assert one.score(like) == similarity(page, like) > 0.8
    assert one.score(unlike) < 0.3
    assert both.score(unlike) == similarity(second, unlike) > 0.8


@settings(max_examples=80, deadline=None)
@given(st.lists(trees, min_size=1, max_size=4), trees, st.floats(0, 1))
def test_what_is_skipped_changes_no_score(samples: list[Tree], tree: Tree, at_least: float) -> None:
    alike, shape = learn_alike(map(whole, samples)), whole(tree)
    best = max(similarity(whole(sample), shape) for sample in samples)
    assert alike.score(shape) == pytest.approx(best)
    found = alike.score(shape, at_least=at_least)
    assert found == pytest.approx(best) if best >= at_least else found < at_least


@pytest.mark.parametrize(
    ("text", "expected"), [(PAGE, True), (LIKE, True), (UNLIKE, False), ("a", False), ("z", False), (SECOND, False)]
)
def test_fingerprints_and_mapping_agree(text: str, expected: bool) -> None:
    (shape,) = shapes(text)
    alike = learn_alike(shapes(PAGE))
    assert alike.is_alike(shape, 0.8) == (alike.score(shape) >= 0.8) == expected


FRAME = frozenset(range(100, 140))  # what all pages of a site have
ARTICLE, NOTE = frozenset(range(10)), frozenset(range(10, 18))


def page(kind: frozenset[int], number: int) -> frozenset[int]:
    """A page of a kind, with something of its own and without something that most have."""
    return (FRAME | kind | {1_000 + number}) - {min(kind) + number % 5}


def test_pages_in_one_frame_are_told_apart() -> None:
    notes, articles = [page(NOTE, number) for number in range(12)], [page(ARTICLE, number) for number in range(30)]
    parted = part_pages(notes[:1], [*notes[1:], *articles])
    like = [score >= parted.threshold.value for score in parted.scores]
    assert like == [True] * 11 + [False] * 30


def draw(random: Random, own: range, foreign: range) -> frozenset[int]:
    """A page with most of what its kind has, and some of what another has."""
    most = {trait for trait in own if random.random() < 0.7}
    return FRAME | most | {trait for trait in foreign if random.random() < 0.15}


def count_errors(scores: Sequence[float], threshold: Threshold, same: int) -> int:
    return sum((score >= threshold.value) != (place < same) for place, score in enumerate(scores))


def test_a_second_look_mends_most_of_what_the_first_gets_wrong() -> None:
    once = twice = 0
    for seed in range(30):
        random = Random(seed)
        same = [draw(random, range(14), range(20, 34)) for _ in range(20)]
        pages = [*same[1:], *(draw(random, range(20, 34), range(14)) for _ in range(30))]
        telling = weigh_traits([same[0], *pages])
        first = [telling.likeness(same[0], page) for page in pages]
        once += count_errors(first, find_threshold(first), 19)
        parted = part_pages(same[:1], pages)
        twice += count_errors(parted.scores, parted.threshold, 19)
    assert twice < once / 2


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.frozensets(st.integers(0, 30), max_size=12), max_size=3),
    st.lists(st.frozensets(st.integers(0, 30), max_size=12), max_size=30),
)
def test_any_pages_are_parted(samples: list[frozenset[int]], pages: list[frozenset[int]]) -> None:
    parted = part_pages(samples, pages)
    assert len(parted.scores) == len(pages)
    assert all(0 <= score <= 1 for score in parted.scores)
    assert parted == part_pages(samples, pages)


@pytest.mark.parametrize(
    ("count", "most", "expected"),
    [(0, 5, []), (3, 5, [0, 1, 2]), (5, 5, [0, 1, 2, 3, 4]), (10, 5, [0, 2, 4, 6, 8]), (7, 3, [0, 2, 4]), (7, 0, [])],
)
def test_some_from_all_over_a_row(count: int, most: int, expected: list[int]) -> None:
    assert spread(range(count), most) == expected


def test_samples_are_bounded() -> None:
    assert len(learn_alike(shape_of(Node("p")) for _ in range(1_000)).samples) == MOST_SAMPLES
    assert learn_alike([]).score(shape_of(Node("p"))) == 0


@pytest.mark.parametrize(
    ("threshold", "said"),
    [
        pytest.param(0.60, Clear.ALIKE, id="far above"),
        pytest.param(0.80, Clear.UNCLEAR, id="a little above"),
        pytest.param(0.90, Clear.UNLIKE, id="below: the bound is sure"),
    ],
)
def test_what_is_clear(threshold: float, said: Clear) -> None:
    a, b = (fingerprint_of(whole(read(tree))) for tree in ("a(b c)", "a(b d)"))
    assert judge_clear(a, b, threshold, margin=0.1) is said
