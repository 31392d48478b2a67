"""The support vector machine: the same as liblinear's, and sure of what can be parted."""

from __future__ import annotations

import random

import pytest

from dowse.learn.svm import SvmExample, fit_svm


def make_examples(seed: int, count: int = 300) -> list[SvmExample]:
    """Texts of ten words out of forty; those on the topic use the first ten words more often."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        positive = number % 3 == 0
        words = [f"w{rng.randrange(10) if positive and rng.random() < 0.4 else rng.randrange(40)}" for _ in range(10)]
        found.append(SvmExample({word: 0.3 for word in words}, positive, 0.5 + rng.random()))
    return found


def test_words_of_the_topic_weigh_for_it() -> None:
    fitted = fit_svm(make_examples(1))
    own = sum(fitted.weights[f"w{number}"] for number in range(10)) / 10
    others = sum(fitted.weights[f"w{number}"] for number in range(10, 40)) / 30
    assert own > 0 > others


def test_scores_are_those_of_liblinear() -> None:
    svm = pytest.importorskip("sklearn.svm")
    examples = make_examples(2)
    fitted = fit_svm(examples)
    names = sorted({name for one in examples for name in one.features})
    matrix = [[one.features.get(name, 0.0) for name in names] for one in examples]
    peer = svm.LinearSVC(C=1.0, tol=1e-6, max_iter=100_000)
    peer.fit(matrix, [one.positive for one in examples], sample_weight=[one.cost for one in examples])
    expected = peer.decision_function(matrix)
    found = [fitted.score(one.features) for one in examples]
    assert max(abs(one - other) for one, other in zip(found, expected, strict=True)) < 0.1


def test_the_same_examples_give_the_same_weights() -> None:
    assert fit_svm(make_examples(3)) == fit_svm(make_examples(3))
