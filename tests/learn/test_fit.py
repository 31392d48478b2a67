"""Weights are learned on top of what is given, and the same examples give the same weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from dowse.learn.softmax import Softmax, to_odds

pytest.importorskip("scipy")

from dowse.learn.fit import fit_softmax

CLASSES = ("yes", "no")
FACTS = [{"red": 1}, {"red": 1, "round": 1}, {"red": 1}, {"blue": 1}, {"blue": 1, "round": 1}, {"blue": 1}]
LABELS = ["yes", "yes", "yes", "no", "no", "no"]
NOTHING = [(0.0, 0.0)] * len(FACTS)


def fit(
    facts: Sequence[Mapping[str, int]] = FACTS,
    labels: Sequence[str] = LABELS,
    given: Sequence[Sequence[float]] = NOTHING,
    *,
    penalty: float = 0.5,
    least: int = 1,
) -> Softmax:
    return fit_softmax(facts, labels, given, CLASSES, penalty=penalty, least=least)


def test_what_tells_the_classes_apart_is_learned() -> None:
    model = fit()
    assert to_odds(model.score({"red"}))[0] > 0.8
    assert to_odds(model.score({"blue"}))[0] < 0.2
    red, blue = model.weights["red"], model.weights["blue"]
    assert red[0] == -red[1] > 0  # a weight for one class is a weight against the other
    assert red == (blue[1], blue[0])


def test_a_fact_that_says_nothing_is_not_kept() -> None:
    assert "round" not in fit().weights


def test_a_rare_fact_is_not_weighed() -> None:
    facts = [*FACTS[:-1], {"blue": 1, "seen once": 1}]
    assert "seen once" in fit(facts).weights
    assert set(fit(facts, least=3).weights) == {"red", "blue"}


def test_what_is_given_need_not_be_learned() -> None:
    given = [(4.0, 0.0)] * 3 + [(0.0, 4.0)] * 3
    assert 0 < fit(given=given).weights["red"][0] < 0.2 * fit().weights["red"][0]


def test_a_higher_price_makes_smaller_weights() -> None:
    assert fit(penalty=5.0).weights["red"][0] < fit(penalty=0.5).weights["red"][0]


def test_a_fact_that_holds_twice_counts_twice() -> None:
    facts = [{"word": 2}, {"word": 2}, {"word": 1}, {"word": 1}]
    model = fit_softmax(facts, ["yes", "yes", "no", "no"], [(0.0, 0.0)] * 4, CLASSES, penalty=0.01, least=1)
    word, (yes, no) = model.weights["word"], model.bias
    assert 2 * word[0] + yes > 2 * word[1] + no
    assert word[0] + yes < word[1] + no


def test_the_order_of_facts_does_not_matter() -> None:
    turned = [dict(reversed(each.items())) for each in FACTS]
    assert fit(turned) == fit()
