"""Fits a topic on examples and measures it on sites that were held out.

A linear support vector machine tells texts on the topic from all others, with rare stems counting more (inverse document frequency, kept in the weights);
a logistic curve, fitted on the scores of held-out sites, makes probabilities of its scores.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dowse.learn.calibrate import Sigmoid, calibration_error, fit_sigmoid
from dowse.learn.svm import LinearScore, SvmExample, fit_svm
from dowse.topic.model import WEIGHT_SCALE, StemWeights, TopicFigures

FOLDS = 5  # of cross-validation; all texts of a site in one
MIN_SITES = 3  # that a stem stands on to be weighed
MAX_WEIGHTS = 9_000  # stems of a model, those with the largest weights
MIN_MEASURED_SITES = 4  # on the topic: figures from fewer say nothing
THRESHOLD = 0.5  # probability from which on a text is taken to be on the topic (paper 2, section 3.2)


@dataclass(frozen=True, slots=True)
class TopicExample:
    """The stems of a text and whether it is on the topic."""

    strengths: Mapping[str, float]
    site: str
    positive: bool
    kind: str = "page"  # page, home, described, form, words
    cost: float = 1.0  # of having it on the wrong side


@dataclass(frozen=True, slots=True)
class HeldOutScore:
    """The score of an example by weights that were fitted without its site."""

    example: TopicExample
    fold: int
    score: float


def fold_of(site: str, folds: int = FOLDS) -> int:
    """Return the part of the sites that one belongs to: the same in each run."""
    return int(hashlib.md5(site.encode()).hexdigest(), 16) % folds


def find_rarities(examples: Iterable[TopicExample], min_sites: int = MIN_SITES) -> dict[str, float]:
    """Return the inverse document frequency of stems that stand on enough sites."""
    often: Counter[str] = Counter()
    sites: dict[str, set[str] | None] = {}  # None from enough sites on
    count = 0
    for example in examples:
        count += 1
        often.update(example.strengths.keys())
        for stem in example.strengths:
            known = sites.setdefault(stem, set())
            if known is not None:
                known.add(example.site)
                if len(known) >= min_sites:
                    sites[stem] = None
    return {stem: math.log((count + 1) / (often[stem] + 1)) for stem, few in sites.items() if few is None}


def fit_weights(examples: Sequence[TopicExample], min_sites: int = MIN_SITES) -> LinearScore:
    """Return weights for the strengths of stems."""
    rarities = find_rarities(examples, min_sites)
    rows = [
        SvmExample(
            {stem: strength * rarities[stem] for stem, strength in one.strengths.items() if stem in rarities},
            one.positive,
            one.cost,
        )
        for one in examples
    ]
    fitted = fit_svm(rows)
    return LinearScore(fitted.bias, {stem: weight * rarities[stem] for stem, weight in fitted.weights.items()})


def score_held_out(
    examples: Sequence[TopicExample], folds: int = FOLDS, min_sites: int = MIN_SITES
) -> list[HeldOutScore]:
    """Score each example by weights that were fitted without its site."""
    found = []
    for fold in range(folds):
        held = [one for one in examples if fold_of(one.site, folds) == fold and one.kind != "words"]
        rest = [one for one in examples if fold_of(one.site, folds) != fold or one.kind == "words"]
        if held and len({one.positive for one in rest}) == 2:
            weights = fit_weights(rest, min_sites)
            found += [HeldOutScore(one, fold, weights.score(one.strengths)) for one in held]
    return found


def fit_curve(scored: Sequence[HeldOutScore]) -> Sigmoid:
    """Return the curve from scores of held-out sites to probabilities; sites count alike."""
    often = Counter(one.example.site for one in scored)
    weights = [1 / math.sqrt(often[one.example.site]) for one in scored]
    return fit_sigmoid([one.score for one in scored], [one.example.positive for one in scored], weights)


def measure(what: str, scored: Sequence[HeldOutScore]) -> TopicFigures | None:
    """Measure probabilities of held-out sites, each from the curve of the other folds; None where too few sites are on the topic."""
    sites = {one.example.site for one in scored if one.example.positive}
    if len(sites) < MIN_MEASURED_SITES:
        return None
    said: list[float] = []
    true: list[bool] = []
    for fold in {one.fold for one in scored}:
        rest = [one for one in scored if one.fold != fold]
        if len({one.example.positive for one in rest}) < 2:
            return None
        curve = fit_curve(rest)
        said += [curve.probability(one.score) for one in scored if one.fold == fold]
        true += [one.example.positive for one in scored if one.fold == fold]
    return make_figures(what, len(sites), said, true)


def make_figures(what: str, sites: int, said: Sequence[float], true: Sequence[bool]) -> TopicFigures:
    """Compare probabilities with what is true."""
    claimed = sum([each > THRESHOLD for each in said])
    right = sum([each > THRESHOLD and yes for each, yes in zip(said, true, strict=True)])
    positives = sum(true)
    precision, recall = right / max(1, claimed), right / max(1, positives)
    return TopicFigures(
        what=what,
        sites=sites,
        examples=positives,
        others=len(true) - positives,
        precision=round(precision, 3),
        recall=round(recall, 3),
        f1=round(2 * right / max(1, claimed + positives), 3),
        calibration_error=round(calibration_error(said, true), 3),
    )


def to_stem_weights(fitted: LinearScore, curve: Sigmoid) -> StemWeights:
    """Return weights as they are written: whole numbers, the largest of them."""
    whole = {stem: round(weight * WEIGHT_SCALE) for stem, weight in fitted.weights.items()}
    largest = sorted((stem for stem, weight in whole.items() if weight), key=lambda stem: (-abs(whole[stem]), stem))
    return StemWeights(
        round(fitted.bias * WEIGHT_SCALE), curve, {stem: whole[stem] for stem in sorted(largest[:MAX_WEIGHTS])}
    )
