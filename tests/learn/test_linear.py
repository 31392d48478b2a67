"""Linear models over named facts: sums, spelling, odds, rates, and the way to JSON and back."""

from __future__ import annotations

import math

import msgspec
import pytest

from dowse.learn.linear import MAX_REMEMBERED_WORDS, LogLinear, Softmax, spell, to_odds

MODEL = Softmax(("yes", "no"), (10, 0), {"a": (100, -50), "b": (0, 200), ":_cat": (30, 0), ":cat_": (5, -5)})
RATES = LogLinear(-1000, {"good": 2000, "bad": -500})


@pytest.mark.parametrize(
    ("facts", "words", "sums"),
    [
        ((), (), [0.1, 0.0]),
        (("a",), (), [1.1, -0.5]),
        (("a", "b", "unheard of"), (), [1.1, 1.5]),
        ((), ("cat",), [0.45, -0.05]),
        ((), ("cats",), [0.4, 0.0]),
        (("a",), ("cat", "dog"), [1.45, -0.55]),
    ],
    ids=["bias alone", "one fact", "unknown facts say nothing", "a word's spelling", "part of one", "both"],
)
def test_facts_and_spelling_add_up(facts: tuple[str, ...], words: tuple[str, ...], sums: list[float]) -> None:
    assert MODEL.score(facts, words) == pytest.approx(sums)
    assert MODEL.score(facts, words) == pytest.approx(sums)  # from memory, the second time


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("cat", {":_cat", ":cat_"}),
        ("search", {":_sea", ":sear", ":earc", ":arch", ":rch_"}),
        ("go", {":_go_"}),
        ("q", set()),
        ("", set()),
    ],
)
def test_a_word_is_spelled_by_four_letters_in_a_row(word: str, parts: set[str]) -> None:
    assert spell(word) == parts


def test_what_is_remembered_of_words_has_a_bound() -> None:
    model = Softmax(("yes", "no"), (0, 0), {})
    model.score((), (f"w{number}" for number in range(MAX_REMEMBERED_WORDS + 50)))
    assert len(model._sums) == MAX_REMEMBERED_WORDS


def test_odds_sum_to_one_whatever_the_scores() -> None:
    assert to_odds([0.0, 0.0]) == [0.5, 0.5]
    assert to_odds([1000.0, -1000.0, 1000.0]) == pytest.approx([0.5, 0.0, 0.5])
    assert sum(to_odds([-3.2, 0.4, 1.7])) == pytest.approx(1.0)


def test_a_model_goes_to_json_and_back() -> None:
    MODEL.score({"a"}, {"cat"})
    kept = msgspec.json.encode(MODEL)
    assert msgspec.json.decode(kept) == {
        "classes": ["yes", "no"],
        "bias": [10, 0],
        "weights": {"a": [100, -50], "b": [0, 200], ":_cat": [30, 0], ":cat_": [5, -5]},
    }, "and nothing that is only remembered"
    back = msgspec.json.decode(kept, type=Softmax)
    assert back == MODEL
    assert back.score({"a", "b"}, {"cat"}) == MODEL.score({"a", "b"}, {"cat"})
    with pytest.raises(msgspec.ValidationError, match="weights"):
        msgspec.json.decode(kept.replace(b"200", b'"many"'), type=Softmax)


def test_scores_and_rates() -> None:
    assert RATES.score(["good", "bad", "unknown"]) == pytest.approx(1.5)
    assert RATES.rate(1.0) == pytest.approx(1.0)
    assert RATES.rate(1e9) == pytest.approx(math.exp(3.0)), "never more than a bound"
    assert RATES.find_strongest(["bad", "good", "unknown"]) == ["good", "bad"]
    assert [RATES.times(fact) for fact in ("good", "bad", "unknown")] == pytest.approx(
        [math.exp(2.0), math.exp(-0.5), 1.0]
    )
    assert msgspec.json.decode(msgspec.json.encode(RATES), type=LogLinear) == RATES
