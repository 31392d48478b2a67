"""Fits a topic on examples and measures it on sites that were held out.

A linear support vector machine tells texts on the topic from all others, with rare stems counting more (inverse document frequency, kept in the weights);
a logistic curve, fitted on the scores of held-out sites, makes probabilities of its scores.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dowse.learn.calibrate import Sigmoid, calibration_error, fit_sigmoid
from dowse.learn.svm import LinearScore, SvmExample, fit_svm
from dowse.topic.model import WEIGHT_SCALE, StemWeights, TopicFigures

FOLDS = 5  # of cross-validation; all texts of a site in one
MIN_SITES = 3  # that a stem stands on to be weighed, in texts and in forms
FORM_MIN_SITES = 2
TEXT_COST = 0.1  # of a text on the wrong side, and of a form: chosen on held-out sites among 0.1, 0.3, 1, 3
FORM_COST = 0.3
UNSEEN = 0.3  # count of a stem that one side does not have
BESIDE = ("words", "beside")  # kinds of examples that are learned from and not measured
MAX_WEIGHTS = 9_000  # stems of a model, those with the largest weights
MIN_MEASURED_SITES = 4  # on the topic: figures from fewer say nothing
# How much likelier a text on the topic is where somebody asks than among the examples, of which one in fifteen to two hundred is on it. Of 1, 2, 3, 5 and 8 these
# gave the best mean F1 over topics, by held-out site; calibration errors rise from 0.005 to 0.01.
LIKELIER_PAGES, LIKELIER_FORMS = 1.0, 2.0
THRESHOLD = 0.5  # probability from which on a text is taken to be on the topic (paper 2, section 3.2)


@dataclass(frozen=True, slots=True)
class TopicExample:
    """The stems of a text and whether it is on the topic."""

    strengths: Mapping[str, float]
    site: str
    positive: bool
    kind: str = "page"  # page, home, described, form; words: of a description; beside: text of a site, learned for another purpose
    cost: float = 1.0  # of having it on the wrong side


Solver = Callable[
    [Sequence[SvmExample]], LinearScore
]  # what parts examples: `fit_svm`, or a faster one with the same answer


@dataclass(frozen=True, slots=True)
class HeldOutScore:
    """The score of an example by weights that were fitted without its site."""

    example: TopicExample
    fold: int
    score: float


@lru_cache(maxsize=50_000)
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


def fit_weights(examples: Sequence[TopicExample], cost: float = TEXT_COST, min_sites: int = MIN_SITES) -> LinearScore:
    """Return weights for the strengths of stems.

    A stem counts by its rarity and by how much more often it stands on one side than on the other (Wang and Manning 2012), half each.
    """
    rarities = find_rarities(examples, min_sites)
    telling = _find_telling(examples, rarities)
    scales = {stem: (rarity + telling[stem]) / 2 for stem, rarity in rarities.items()}
    rows = [
        SvmExample(
            {stem: strength * scales[stem] for stem, strength in one.strengths.items() if stem in scales},
            one.positive,
            one.cost * cost,
        )
        for one in examples
    ]
    fitted = fit_svm(rows)
    return LinearScore(fitted.bias, {stem: weight * scales[stem] for stem, weight in fitted.weights.items()})


# Examples, their cost and the sites that a stem needs, to weights: `fit_weights`, or a faster one with the same answer.
Fitter = Callable[[Sequence[TopicExample], float, int], LinearScore]


def _find_telling(examples: Sequence[TopicExample], known: Mapping[str, float]) -> dict[str, float]:
    """Return how far the logarithm of a stem's share on one side is from that on the other."""
    sides: dict[bool, dict[str, float]] = {True: {}, False: {}}
    wholes = {True: 0.0, False: 0.0}
    for one in examples:
        counts = sides[one.positive]
        wholes[one.positive] += one.cost
        for stem in one.strengths:
            if stem in known:
                counts[stem] = counts.get(stem, 0.0) + one.cost
    shift = math.log(max(wholes[True], 1e-9) / max(wholes[False], 1e-9))
    return {
        stem: abs(math.log((sides[True].get(stem, 0.0) + UNSEEN) / (sides[False].get(stem, 0.0) + UNSEEN)) - shift)
        for stem in known
    }


def score_held_out(
    examples: Sequence[TopicExample],
    cost: float = TEXT_COST,
    min_sites: int = MIN_SITES,
    folds: int = FOLDS,
    fit: Fitter = fit_weights,
) -> list[HeldOutScore]:
    """Score each example by weights that were fitted without its site."""
    found = []
    for fold in range(folds):
        held = [one for one in examples if one.kind not in BESIDE and fold_of(one.site, folds) == fold]
        rest = [one for one in examples if one.kind == "words" or fold_of(one.site, folds) != fold]
        if held and len({one.positive for one in rest}) == 2:
            weights = fit(rest, cost, min_sites)
            found += [HeldOutScore(one, fold, weights.score(one.strengths)) for one in held]
    return found


def fit_curve(scored: Sequence[HeldOutScore], likelier: float = LIKELIER_PAGES) -> Sigmoid:
    """Return the curve from scores of held-out sites to probabilities; sites count alike."""
    often = Counter(one.example.site for one in scored)
    weights = [(likelier if one.example.positive else 1.0) / math.sqrt(often[one.example.site]) for one in scored]
    return fit_sigmoid([one.score for one in scored], [one.example.positive for one in scored], weights)


def measure(what: str, scored: Sequence[HeldOutScore], likelier: float = LIKELIER_PAGES) -> TopicFigures | None:
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
        curve = fit_curve(rest, likelier)
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


def to_stem_weights(fitted: LinearScore, curve: Sigmoid, most: int = MAX_WEIGHTS) -> StemWeights:
    """Return weights as they are written: whole numbers, the largest of them."""
    whole = {stem: round(weight * WEIGHT_SCALE) for stem, weight in fitted.weights.items()}
    largest = sorted((stem for stem, weight in whole.items() if weight), key=lambda stem: (-abs(whole[stem]), stem))
    return StemWeights(round(fitted.bias * WEIGHT_SCALE), curve, {stem: whole[stem] for stem in sorted(largest[:most])})
