"""What is learned from the templates of family A must be worth nothing on family B."""

from __future__ import annotations

from typing import Any

import pytest

from bench.families import LEAKED, MARKED_SITES, ON_B, WORDS, area, compare, list_marks, shape_of

SITES = 300


@pytest.fixture(scope="module")
def compared() -> dict[str, dict[str, Any]]:
    return compare(seed=1, sites=SITES)


@pytest.mark.proof
def test_templates_of_a_say_nothing_about_b(compared: dict[str, dict[str, Any]]) -> None:
    on_b = compared[ON_B]
    low, high = on_b["interval"]
    assert low <= 0.5 <= high or abs(on_b["area"] - 0.5) <= 0.05, on_b


@pytest.mark.proof
def test_the_classifier_can_learn(compared: dict[str, dict[str, Any]]) -> None:
    assert compared[LEAKED]["area"] > 0.95
    assert compared[WORDS]["area"] > 0.7


@pytest.mark.parametrize("sites", [12, pytest.param(MARKED_SITES, marks=pytest.mark.proof)])
def test_families_have_no_mark_in_common(sites: int) -> None:
    common = list_marks("A", 1, sites) & list_marks("B", 1, sites)
    assert not common, f"class names or ids of both families: {sorted(common)}"


@pytest.mark.parametrize(
    ("scored", "wanted"),
    [
        ([(2.0, True), (1.0, False)], 1.0),
        ([(1.0, True), (2.0, False)], 0.0),
        ([(1.0, True), (1.0, False)], 0.5),
        ([(3.0, True), (1.0, True), (2.0, False), (0.0, False)], 0.75),
    ],
)
def test_area_counts_how_often_a_door_scores_higher(scored: list[tuple[float, bool]], wanted: float) -> None:
    assert area(scored) == wanted


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("http://a.example/", "/?"),
        ("http://a.example/books/12.html", "/a/0.html?"),
        ("http://a.example/view.php?id=3&cat=x", "/a.php?a&a"),
    ],
)
def test_a_shape_keeps_no_word(url: str, shape: str) -> None:
    assert shape_of(url) == shape
