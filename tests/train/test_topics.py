"""Training topics: the fast way gives the same weights as the plain one, and the list of topics is whole."""

from __future__ import annotations

import random

import pytest

from dowse.topic import list_shipped
from dowse.topic.fit import TopicExample, fit_weights, measure, score_held_out
from dowse.topic.text import read_stems
from dowse.train.stem_table import StemTable
from dowse.train.topics import read_specs

pytest.importorskip("sklearn")

OWN, ANY = [f"own{letter}" for letter in "abcdefgh"], [f"any{letter}" for letter in "abcdefghijklmnop"]


def make_examples(seed: int) -> list[TopicExample]:
    rng = random.Random(seed)
    found = []
    for number in range(120):
        positive = number % 4 == 0
        words = rng.choices(ANY, k=12) + rng.choices(OWN if positive else ANY, k=4)
        found.append(TopicExample(read_stems("", " ".join(words)).strengths, f"site{number // 2}", positive))
    return found


def test_the_topics_that_are_described_are_those_that_come_with_dowse() -> None:
    assert sorted(spec.name for spec in read_specs()) == list_shipped()


def test_the_table_gives_the_weights_of_the_plain_fit() -> None:
    examples = make_examples(1)
    plain, fast = fit_weights(examples), StemTable(examples).fit(examples)
    for one in examples:
        assert plain.score(one.strengths) == pytest.approx(fast.score(one.strengths), abs=0.05)


def test_held_out_sites_are_told_and_measured() -> None:
    figures = measure("page", score_held_out(make_examples(2)))
    assert figures is not None
    assert figures.f1 > 0.9
    assert figures.sites == len({f"site{number // 2}" for number in range(0, 120, 4)})


def test_too_few_sites_are_not_measured() -> None:
    examples = [one for one in make_examples(3) if not one.positive or one.site in ("site0", "site2")]
    assert measure("page", score_held_out(examples)) is None
