"""Training topics: the fast way gives the same weights as the plain one, and the list of topics is whole."""

from __future__ import annotations

import random

import pytest

from dowse.topic import list_shipped
from dowse.topic.fit import TopicExample, fit_weights, measure, score_held_out
from dowse.topic.text import PageStems, Stems, read_stems
from dowse.train.stem_table import StemTable
from dowse.train.topic_corpus import read_specs, weigh_terms
from dowse.train.topics import fit_logistic

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


def test_a_curve_is_drawn_towards_what_is_expected_the_more_the_fewer_examples_there_are() -> None:
    import numpy as np

    expected, penalties = np.array([1.0, 0.0]), np.full(2, 1.0)
    score = np.array([[-1.0], [1.0], [-1.0], [1.0]])
    truth = np.array([1.0, 0.0, 1.0, 0.0])  # the other way round
    few = fit_logistic(score, truth, np.full(4, 0.1), expected, penalties)
    many = fit_logistic(score, truth, np.full(4, 10.0), expected, penalties)
    assert 0 < few[0] < 1
    assert many[0] < 0


def test_a_term_that_topics_share_counts_less_and_one_that_all_pages_have_nothing() -> None:
    pages = [
        PageStems(read_stems("", "hotel" if number else "movie"), Stems({}, 0), Stems({}, 0)) for number in range(9)
    ]
    terms = weigh_terms(read_specs(), pages)
    assert terms["hotels"]["en"].get("hotel", 0) < terms["hotels"]["en"]["suit"]
    assert terms["airfares"]["de"]["ankunf"] > 0
    shared = terms["hotels"]["fr"]["arrivé"], terms["airfares"]["fr"]["arrivé"]
    assert shared[0] == shared[1] < terms["hotels"]["fr"]["chambr"]
