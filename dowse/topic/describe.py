"""A topic from a few words: texts that surely match them are found among many, and what else those have in common is learned.

Nobody labels these texts. The first ones taken are those that stand out from all by the words of the description and match it better than the description
of any other topic that comes with Dowse; a model is learned from them, says of which texts it is sure, and is learned again (self-training).
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace

from dowse.learn.calibrate import fit_sigmoid
from dowse.topic.fit import MIN_SITES, TEXT_COST, Fitter, TopicExample, find_rarities, fit_weights, fold_of
from dowse.topic.text import count_stems

ROUNDS = 3  # of self-training; a fourth changes nothing
SURE_FOLDS = 4  # in which a round scores texts by a model that has not seen them
SURE, UNLIKELY = 0.8, 0.3  # probability over which a text is taken, and under which it is taken for another topic's
# How far a text stands out by the words of a description, in distances from the median to the ninth decile of all texts: chosen on nine topics.
STANDS_OUT, STANDS_BELOW = 3.0, 1.5
MIN_MATCHES = 3  # stems of a description in a text that matches it, or all where it has fewer
MIN_TAKEN = 15  # texts that are taken at first where fewer stand out
SHARED_WORDS = 0.3  # part of a description from which on another is about the same, and no rival


def read_description(words: Sequence[str]) -> dict[str, float]:
    """Return the stems of a description; words of one phrase share what it counts."""
    found: dict[str, float] = {}
    for phrase in words:
        stems = list(count_stems(phrase))
        for stem in stems:
            found[stem] = found.get(stem, 0.0) + 1 / len(stems)
    return found


def stand_out(
    description: Mapping[str, float], texts: Sequence[TopicExample], rarities: Mapping[str, float]
) -> list[float]:
    """Return how far each text stands out by the words of a description; texts with too few of them not at all."""
    weights = {stem: count * rarities[stem] ** 2 for stem, count in description.items() if stem in rarities}
    enough = min(MIN_MATCHES, len(weights))
    scores, matches = [], []
    for text in texts:
        strengths = text.strengths
        shared = [strengths[stem] * weight for stem, weight in weights.items() if stem in strengths]
        scores.append(sum(shared))
        matches.append(len(shared))
    middle = statistics.median(scores)
    # words that hardly a text has: half of the most that one has stands out
    width = sorted(scores)[int(len(scores) * 0.9)] - middle or max(scores) / (2 * STANDS_OUT) or 1.0
    return [
        (score - middle) / width if count >= enough else min((score - middle) / width, (STANDS_OUT + STANDS_BELOW) / 2)
        for score, count in zip(scores, matches, strict=True)
    ]


def self_train(
    words: Sequence[str],
    texts: Sequence[TopicExample],
    rivals: Sequence[Sequence[str]] = (),
    given: Sequence[TopicExample] = (),
    cost: float = TEXT_COST,
    fit: Fitter = fit_weights,
) -> list[TopicExample]:
    """Return the texts that are surely on the topic of a description or surely not, labelled so, with the examples that were given."""
    description = read_description(words)
    rarities = find_rarities(texts)
    own = stand_out(description, texts, rarities)
    for rival in map(read_description, rivals):
        if len(rival.keys() & description.keys()) < SHARED_WORDS * len(description):
            other = stand_out(rival, texts, rarities)
            own = [min(mine, STANDS_BELOW) if theirs > mine else mine for mine, theirs in zip(own, other, strict=True)]
    least = min(STANDS_OUT, sorted(own, reverse=True)[: MIN_TAKEN + 1][-1])
    taken = [score > least for score in own]
    refused = [score <= min(STANDS_BELOW, least / 2) for score in own]
    for _ in range(ROUNDS):
        sure = _label(texts, taken, refused)
        if len({one.positive for one in [*given, *sure]}) < 2:
            break
        scores = _score_apart(texts, [*given, *sure], cost, fit)
        known = [(score, yes) for score, yes, no in zip(scores, taken, refused, strict=True) if yes or no]
        curve = fit_sigmoid(*zip(*known, strict=True))
        likely = [curve.probability(score) for score in scores]
        if max(likely) <= SURE:
            break
        taken, refused = [chance > SURE for chance in likely], [chance < UNLIKELY for chance in likely]
    return [*given, *_label(texts, taken, refused)]


def _label(texts: Sequence[TopicExample], taken: Sequence[bool], refused: Sequence[bool]) -> list[TopicExample]:
    """Return the texts that are taken or refused, labelled so."""
    rows = zip(texts, taken, refused, strict=True)
    return [replace(text, positive=yes) for text, yes, no in rows if yes or no]


def _score_apart(texts: Sequence[TopicExample], sure: Sequence[TopicExample], cost: float, fit: Fitter) -> list[float]:
    """Score all texts by weights that were fitted on the sure ones of other sites."""
    folds = [fold_of(text.site, SURE_FOLDS) for text in texts]
    weights = {}
    for fold in set(folds):
        rest = [one for one in sure if fold_of(one.site, SURE_FOLDS) != fold]
        both = len({one.positive for one in rest}) == 2  # else all that is sure are texts of these sites
        weights[fold] = fit(rest if both else sure, cost, MIN_SITES)
    return [weights[fold].score(text.strengths) for text, fold in zip(texts, folds, strict=True)]
