"""Two sets of models are told apart by their weights."""

from __future__ import annotations

import pytest

from dowse.form.judge import Models
from dowse.learn.softmax import Softmax
from dowse.train.compare import Difference, compare_models


def models(weights: dict[str, tuple[int, int]], bias: tuple[int, int] = (0, 0), yes: str = "yes") -> Models:
    plain = Softmax(("a", "b"), (1, 2), {"x": (3, 4)})
    return Models(plain, Softmax((yes, "no"), bias, weights), plain)


BOTH = {"a": (10, -10), "b": (1, 0)}


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (models(BOTH), Difference(0, 0.0)),
        (models({"a": [10, -10], "b": [1, 0]}), Difference(0, 0.0)),  # type: ignore[dict-item]
        (models({**BOTH, "a": (10, -13)}), Difference(0, 0.03)),
        (models({"a": (10, -10)}), Difference(1, 0.01)),
        (models({**BOTH, "c": (0, 50)}), Difference(1, 0.5)),
        (models(BOTH, bias=(0, -7)), Difference(0, 0.07)),
    ],
    ids=["the same", "as JSON has it", "a weight", "a fact less", "a fact more", "a bias"],
)
def test_differences(other: Models, difference: Difference) -> None:
    for found in (compare_models(models(BOTH), other), compare_models(other, models(BOTH))):
        assert (found.facts, found.weight) == (difference.facts, pytest.approx(difference.weight))
        assert found.none == difference.none


def test_other_classes_are_never_the_same() -> None:
    assert not compare_models(models({}), models({}, yes="maybe")).none
