"""Small topics for tests: a few words that decide."""

from __future__ import annotations

from dowse.learn.calibrate import Sigmoid
from dowse.topic import Topic
from dowse.topic.model import StemWeights
from dowse.topic.text import count_stems


def topic_of(name: str, words: str) -> Topic:
    """Return a topic that texts with one of these words are on."""
    weights = StemWeights(bias=-200, curve=Sigmoid(12.0, 0.0), weights=dict.fromkeys(count_stems(words), 4000))
    return Topic(name=name, words=tuple(words.split()), page=weights, form=weights)
