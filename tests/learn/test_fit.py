"""Weights are learned on top of what is given, and the same examples give the same weights."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

import pytest

from dowse.learn.linear import Softmax, to_odds

pytest.importorskip("scipy")

from dowse.learn.fit import FactTable, fit_loglinear

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
    min_sources: int = 1,
    sources: Sequence[str] = (),
) -> Softmax:
    table = FactTable(facts, sources or list(map(str, range(len(facts)))))
    return table.fit(
        range(len(facts)),
        labels,
        given,
        CLASSES,
        penalty=lambda _: penalty,
        min_sources=min_sources,
        counting=[1.0] * len(facts),
    )


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
    assert set(fit(facts, min_sources=3).weights) == {"red", "blue"}


def test_a_fact_of_one_source_is_rare_however_often_it_holds() -> None:
    sources = ["one", "one", "one", "two", "three", "four"]
    assert set(fit(min_sources=2, sources=sources).weights) == {"blue"}


def test_rows_that_are_left_out_say_nothing() -> None:
    table = FactTable([*FACTS, {"left out": 1}, {"red": 1}], list("abcdefgh"))
    model = table.fit(
        range(6), LABELS, NOTHING, CLASSES, penalty=lambda _: 0.5, min_sources=1, counting=[1.0] * 6
    )  # fmt: skip
    assert model == fit()


def test_what_is_given_need_not_be_learned() -> None:
    given = [(4.0, 0.0)] * 3 + [(0.0, 4.0)] * 3
    assert 0 < fit(given=given).weights["red"][0] < 0.2 * fit().weights["red"][0]


def test_a_higher_price_makes_smaller_weights() -> None:
    assert fit(penalty=5.0).weights["red"][0] < fit(penalty=0.5).weights["red"][0]


def test_a_fact_that_holds_twice_counts_twice() -> None:
    facts = [{"word": 2}, {"word": 2}, {"word": 1}, {"word": 1}]
    model = fit(facts, ["yes", "yes", "no", "no"], [(0.0, 0.0)] * 4, penalty=0.01)
    word, (yes, no) = model.weights["word"], model.bias
    assert 2 * word[0] + yes > 2 * word[1] + no
    assert word[0] + yes < word[1] + no


def test_the_order_of_facts_does_not_matter() -> None:
    turned = [dict(reversed(each.items())) for each in FACTS]
    assert fit(turned) == fit()


def test_a_rate_is_fitted_to_what_made_the_counts() -> None:
    dice = random.Random(3)
    facts = [[name for name in ("a", "b", "c") if dice.random() < 0.5] + ["rare"] * (n == 0) for n in range(4_000)]
    rates = [math.exp(-1.0 + 1.2 * ("a" in each) - 0.8 * ("b" in each)) for each in facts]
    counts = [float(sum(dice.random() < rate / 20 for _ in range(20))) for rate in rates]
    model = fit_loglinear(facts, counts, [1.0] * len(facts), penalty=1.0, min_examples=10)
    assert model.weights["a"] / 1000 == pytest.approx(1.2, abs=0.12)
    assert model.weights["b"] / 1000 == pytest.approx(-0.8, abs=0.12)
    assert abs(model.weights.get("c", 0)) < 120
    assert "rare" not in model.weights
    assert model.bias / 1000 == pytest.approx(-1.0, abs=0.12)
    assert fit_loglinear(facts, counts, [1.0] * len(facts), penalty=1.0, min_examples=10) == model
