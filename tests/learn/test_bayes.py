"""Naive Bayes over a taxonomy."""

from __future__ import annotations

from dowse.learn.bayes import BayesCounts


def learned() -> BayesCounts:
    counts = BayesCounts()
    counts.learn("travel/hotels", {"room": 20, "book": 5, "travel": 10})
    counts.learn("travel/flights", {"seat": 20, "book": 5, "travel": 10})
    counts.learn("cars", {"engine": 20, "seat": 5})
    return counts


def test_words_tell_classes() -> None:
    bayes = learned().fit()
    assert bayes.probabilities({"room": 2})["travel/hotels"] > 0.5
    assert bayes.probabilities({"engine": 2})["cars"] > 0.5
    assert abs(sum(bayes.probabilities({"room": 1, "seat": 3}).values()) - 1) < 1e-9


def test_a_class_takes_words_it_lacks_from_the_class_above() -> None:
    counts = learned()
    counts.learn("travel/trains", {"station": 3})
    said = counts.fit().probabilities({"travel": 1, "station": 1})
    assert max(said, key=said.__getitem__) == "travel/trains"
    said = counts.fit().probabilities({"travel": 3})
    assert said["travel/trains"] > said["cars"]


def test_unknown_words_leave_what_was_likely_before() -> None:
    said = learned().fit().probabilities({"unheard": 5})
    assert max(said.values()) - min(said.values()) < 1e-9


def test_counts_learned_apart_are_added() -> None:
    counts = BayesCounts()
    for _ in range(2):
        counts.learn("a", {"x": 1})
    once = BayesCounts()
    once.learn("a", {"x": 1}, times=2)
    assert counts == once
