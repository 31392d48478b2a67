"""A topic from a few words: texts that surely match them are found among many, and what else those have in common is learned.

Nobody labels these texts. How likely a text is on a topic by the words of a description alone, and by those together with a model that was learned from
texts which surely match, are curves fitted on the topics that come with Dowse (`shipped/description.json`, made by `dowse topic train`): what holds for how descriptions
match texts of eleven topics holds for a twelfth, and it was measured so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec

from dowse.learn.calibrate import logistic
from dowse.topic.fit import TopicExample
from dowse.topic.model import SHIPPED, WEIGHT_SCALE, EvidenceCurve, match_terms
from dowse.topic.text import count_stems, term_key

FILE = SHIPPED / "description.json"
# Probability over which a text is taken, and under which it is taken for another topic's; the texts between teach nothing.
SURE, UNLIKELY = 0.8, 0.1
MIN_TAKEN = 15  # texts that are taken where fewer are sure, as long as they are likelier on the topic than not
SHARED_WORDS = 0.3  # part of a description from which on another is about the same, and no rival


class DescriptionCurves(msgspec.Struct, frozen=True):
    """How likely a text is on a topic by how it matches a description."""

    match: EvidenceCurve  # by the words of descriptions: of the topic, of its best rival, and how many words there are
    learned: dict[str, EvidenceCurve]  # with a model that was learned from sure texts: without a head, and with one


@cache
def load_curves(path: Path = FILE) -> DescriptionCurves:
    """Return the curves that come with Dowse."""
    return msgspec.json.decode(path.read_bytes(), type=DescriptionCurves)


def read_description(words: Sequence[str], rarities: Mapping[str, float]) -> dict[str, int]:
    """Return the terms of a description as topics have them: first letters of stems, the heavier the rarer; words of one phrase share what it counts.

    A stem that no known text has is as rare as can be.
    """
    found: dict[str, float] = {}
    rarest = max(rarities.values(), default=1.0)
    for phrase in words:
        stems = list(count_stems(phrase))
        for stem in stems:
            rarity = rarities.get(stem, rarest)
            found[term_key(stem)] = min(rarity, found.get(term_key(stem), 0.0) + rarity / len(stems))
    return {key: round(WEIGHT_SCALE * weight) for key, weight in found.items() if weight > 0}


def weigh_match(
    description: Mapping[str, int], rivals: Sequence[Mapping[str, int]], strengths: Mapping[str, float]
) -> dict[str, float]:
    """Return how a text matches a description, and the best of others."""
    others = [match_terms(rival, strengths) for rival in rivals]
    return {
        "own": match_terms(description, strengths),
        "rival": max(others, default=0.0),
        "size": math.log(len(description) or 1),
    }


def list_rivals(description: Mapping[str, int], others: Sequence[Mapping[str, int]]) -> list[Mapping[str, int]]:
    """Return the descriptions that are about something else."""
    return [one for one in others if len(one.keys() & description.keys()) < SHARED_WORDS * len(description)]


def label_sure(texts: Sequence[TopicExample], odds: Sequence[float]) -> list[TopicExample]:
    """Return the texts that are surely on a topic or surely not by their odds, labelled so."""
    likely = [logistic(each) for each in odds]
    least = min(SURE, max(0.5, sorted(likely, reverse=True)[: MIN_TAKEN + 1][-1]))
    rows = zip(texts, likely, strict=True)
    return [replace(text, positive=chance > least) for text, chance in rows if chance > least or chance < UNLIKELY]


def add_size(curves: Mapping[str, EvidenceCurve], description: Mapping[str, int]) -> dict[str, EvidenceCurve]:
    """Return curves for one description: how many terms it has is part of their offsets."""
    size = math.log(len(description) or 1)
    return {
        there: EvidenceCurve(
            round(curve.offset + curve.weights["size"] * size, 3),
            {name: weight for name, weight in curve.weights.items() if name != "size"},
        )
        for there, curve in curves.items()
    }
