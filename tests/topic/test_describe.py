"""Descriptions: their terms, how texts match them, and which texts are sure."""

from __future__ import annotations

import pytest

from dowse.topic.describe import add_size, label_sure, list_rivals, read_description, weigh_match
from dowse.topic.fit import TopicExample
from dowse.topic.model import EvidenceCurve

RARITIES = {"boat": 3.0, "sail": 4.0, "use": 0.5, "marina": 5.0}


def test_words_of_a_phrase_share_what_it_counts_and_rare_or_unknown_ones_count_more() -> None:
    terms = read_description(["used boat", "sail", "unheard"], RARITIES)
    assert terms == {"use": 250, "boat": 1500, "sail": 4000, "unhear": 5000}


def test_a_text_matches_by_the_terms_it_has() -> None:
    own, other = read_description(["boat", "sail"], RARITIES), read_description(["marina"], RARITIES)
    both = weigh_match(own, [other], {"boat": 0.5, "sail": 0.5, "marina": 0.5})
    one = weigh_match(own, [other], {"boat": 0.5})
    assert both["own"] > one["own"] > 0
    assert both["rival"] > one["rival"] == 0


def test_a_description_of_the_same_is_no_rival() -> None:
    own = read_description(["boat", "sail"], RARITIES)
    same, another = read_description(["boat", "marina"], RARITIES), read_description(["marina"], RARITIES)
    assert list_rivals(own, [same, another]) == [another]


def test_only_sure_texts_are_labelled() -> None:
    texts = [TopicExample({"boat": 1.0}, f"site{number}", False) for number in range(60)]
    odds = [4.0] * 20 + [0.0] * 20 + [-4.0] * 20
    labelled = label_sure(texts, odds)
    assert [one.positive for one in labelled] == [True] * 20 + [False] * 20


def test_the_likeliest_texts_are_taken_where_few_are_sure() -> None:
    texts = [TopicExample({"boat": 1.0}, f"site{number}", False) for number in range(60)]
    labelled = label_sure(texts, [0.1 + number / 60 for number in range(30)] + [-4.0] * 30)
    assert sum(one.positive for one in labelled) == 15


def test_unlikely_texts_are_never_taken() -> None:
    texts = [TopicExample({"boat": 1.0}, f"site{number}", False) for number in range(60)]
    assert not any(one.positive for one in label_sure(texts, [-1.0 - number / 60 for number in range(60)]))


def test_the_size_of_a_description_goes_into_the_offset() -> None:
    curve = EvidenceCurve(-1.0, {"body": 2.0, "size": -0.5})
    found = add_size({"": curve}, {"boat": 1, "sail": 1})[""]
    assert found.weights == {"body": 2.0}
    assert found.offset == pytest.approx(-1.347)
