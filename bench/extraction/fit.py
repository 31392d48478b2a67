"""Fits the weights of `dowse/records/regions.py` on pages whose records are known: `python -m bench.extraction.fit`.

Answers of family A, real records in common designs, and the labelled list pages; never family B. Every place of a page that
may hold its records, in every way to cut it, is an alternative, and that there are none is one more; the weights make those
likely that hold the true records best. Figures are of folds that have all pages of a site, a design or a page.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize

from bench.extraction.designs import DESIGNS, make_sites
from bench.extraction.pages import URL, read_pages, squeeze
from bench.extraction.world import Asked, Shown, ask_doors
from dowse.records.pieces import unit_parts
from dowse.records.regions import MODEL, AnswerView, RecordRegion, RegionModel, find_regions, load_region_model
from dowse.records.wrapper import AnswerSample, make_views
from dowse.sim import World

SEEDS = (101, 102)  # of worlds of family A; others are measured
SITES = 30  # of each
DESIGN_BASES = 3  # databases, of the nine in designs; others are measured
DESIGN_SEED = 101
LARGE = 3  # records of an answer that is learned from
FOLDS = 10
PAGES = "labelled pages"
PAGE_WEIGHT = 3.0  # of a real page beside an answer that was made
PENALTY = 0.3  # of half the square of what a weight differs from its prior, the first that was tried
GOOD = 0.02  # by which a region may hold the records worse than the best one and still be right
LEAST_RIGHT = 0.5  # of the records of a page that a region must hold
PREFERRED = 5.0  # of what the rules preferred whatever else was known
# What each fact said in the rules that the score took the place of.
PRIORS = {
    "how much it says of its own, logarithm": 1.0,
    "how alike they are, logarithm": 2.0,
    "how many pieces one has, logarithm": 1.0,
    "how many there are, logarithm": 1.0,
    "named like a menu": -0.9,
    "named like results": 0.0,
    "one begins each and others follow": -0.05,
    "rules stand between them": -0.1,
    "known by their classes": -0.03,
    "known by what stands in them": -0.06,
    "each alone in its tag": -0.2,
    "holds the heading of the next": -0.4,
    "a few words come first in many": -0.7,
    "repetitions of others": -1.0,
    "stand on other answers": -1.0,
    "how many hold what was asked, logarithm": 1.0,
    "begins in the middle of a record": -0.4,
    "leaves a heading before each": -0.4,
    "tags of several kinds": -0.1,
    "how many are like the others, logarithm": 0.0,
    "more of them than of a cut around them, in as many words": PREFERRED,
    "more of them than begin with others": PREFERRED,
}
BIAS = 1.6  # the same, of the score below which a place said too little


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """The alternatives of an answer: the facts of each region, and how well it holds the true records."""

    group: str
    sort: str
    facts: tuple[dict[str, float], ...]
    quality: tuple[float, ...]


class _Every(RegionModel):
    """A model that leaves no region out."""

    def bound(self, characters: float) -> float:
        """Return more than any score."""
        return float("inf")


def find_answers() -> Iterator[KnownAnswer]:
    """Yield the answers that are learned from."""
    for seed in SEEDS:
        for asked in ask_doors(World(seed, SITES, family="A"), seed):
            yield from _weigh_door(asked, f"A {seed} {asked.name.partition(' ')[0]}", "family A", 2)
    for number, asked in enumerate(make_sites(DESIGN_SEED)):
        if number >= DESIGN_BASES * len(DESIGNS):
            break
        yield from _weigh_door(asked, f"design {asked.design}", "designs", 3)
    for page in read_pages():
        view = make_views([AnswerSample(page.tree, URL)])[0]
        truth = list(page.records)
        yield _weigh(view, f"page {page.name}", PAGES, lambda region, truth=truth: hold_texts(region, truth))


def _weigh_door(asked: Asked, group: str, sort: str, count: int) -> Iterator[KnownAnswer]:
    large = sorted((page for page in asked.pages if len(page.records) >= LARGE), key=lambda page: -len(page.records))
    empty = [page for page in asked.pages if not page.records][:1]
    if not large:
        return
    pages = [*large[:count], *empty]
    for page, view in zip(pages, make_views([page.sample for page in pages]), strict=True):
        if len(pages) > 1:
            yield _weigh(view, group, sort, lambda region, page=page: hold_values(region, page.records))
    alone = make_views([large[0].sample])[0]
    yield _weigh(alone, group, f"{sort}, one answer", lambda region: hold_values(region, large[0].records))


def _weigh(view: AnswerView, group: str, sort: str, hold: Any) -> KnownAnswer:
    regions = find_regions(view, _Every("", 0.0, load_region_model().weights))
    return KnownAnswer(group, sort, tuple(dict(each.facts) for each in regions), tuple(map(hold, regions)))


def hold_texts(region: RecordRegion, truth: Sequence[str]) -> float:
    """Return how many of the true records a region has, with nothing else in them; parts of one count as a part."""
    left = list(truth)
    held = 0.0
    for item in region.items:
        own = squeeze(unit_parts(item))
        best = max(
            left, key=lambda each: len(each) if each in own else len(own) if own and own in each else 0, default=""
        )
        if best and own and (best in own or own in best):
            left.remove(best)
            held += min(len(own), len(best)) / max(len(own), len(best))
    return held / max(len(truth), len(region.items))


def hold_values(region: RecordRegion, truth: Sequence[Shown]) -> float:
    """Return how much of the values of the true records stands in the region, each record in one of its parts."""
    left = list(truth)
    held = 0.0
    for item in region.items:
        own = squeeze(unit_parts(item)).casefold()
        shares = [
            sum(squeeze((text,)).casefold() in own for _, text in each.values) / max(1, len(each.values))
            for each in left
        ]
        best = max(range(len(left)), key=shares.__getitem__, default=None)
        if best is not None and shares[best] >= LEAST_RIGHT:
            words = sum(len(squeeze((text,))) for _, text in left[best].values)
            held += shares[best] * min(1.0, 3 * (words + 60) / (len(own) + 1))  # labels and buttons may stand with them
            del left[best]
    return held / max(len(truth), len(region.items)) if truth else 0.0


def fit(answers: Sequence[KnownAnswer]) -> tuple[dict[str, float], float]:
    """Return the weights and the bias that make the right alternatives likely."""
    names = list(PRIORS)
    prior = np.array([BIAS, *PRIORS.values()])
    parts = [(_matrix(each, names), _right(each)) for each in answers]
    sizes: dict[str, int] = {}
    for each in answers:
        sizes[each.group] = sizes.get(each.group, 0) + 1
    counting = [
        (PAGE_WEIGHT if each.sort == PAGES else 1) * sizes[each.group] ** -0.5 for each in answers
    ]  # hundreds of answers of a site count as tens do

    def cost(point: Any) -> tuple[float, Any]:
        loss = PENALTY / 2 * float(((point - prior) ** 2).sum())
        slope = PENALTY * (point - prior)
        for (matrix, right), share in zip(parts, counting, strict=True):
            scores = matrix @ point
            powers = np.exp(scores - scores.max())
            total, good = powers.sum(), powers[right].sum()
            loss -= share * float(np.log(good / total + 1e-12))
            slope += share * (matrix.T @ (powers / total) - matrix[right].T @ (powers[right] / max(good, 1e-300)))
        return loss, slope

    found = minimize(cost, prior, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return {name: round(float(weight), 2) for name, weight in zip(names, found[1:], strict=True)}, round(
        float(found[0]), 2
    )


def _matrix(answer: KnownAnswer, names: Sequence[str]) -> Any:
    """Return the facts of each alternative, the last of which is that there are no records."""
    rows = [[1.0, *(facts.get(name, 0.0) for name in names)] for facts in answer.facts]
    return np.array([*rows, [0.0] * (1 + len(names))])


def _right(answer: KnownAnswer) -> Any:
    best = max(answer.quality, default=0.0)
    if best < LEAST_RIGHT:
        return np.array([len(answer.quality)])
    return np.array([place for place, each in enumerate(answer.quality) if each >= best - GOOD])


def score_answers(answers: Sequence[KnownAnswer], weights: dict[str, float], bias: float) -> dict[str, list[float]]:
    """Return for each sort of answer how many there are, how many have the right region first, and how well that holds the records."""
    found: dict[str, list[float]] = {}
    for each in answers:
        model = RegionModel("", bias, weights)
        scores = [*(model.score(facts) for facts in each.facts), 0.0]
        best = max(range(len(scores)), key=scores.__getitem__)
        own = found.setdefault(each.sort, [0, 0, 0.0])
        own[0] += 1
        own[1] += best in _right(each)
        own[2] += (
            each.quality[best] / max(each.quality)
            if best < len(each.quality) and max(each.quality)
            else float(best in _right(each))
        )
    return found


def main() -> None:
    """Fit, print what folds give, and write the model."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--dry", action="store_true", help="write no model")
    dry = parser.parse_args().dry
    answers = list(find_answers())  # places are compared with the one that the weights of before find the likeliest
    groups = list(dict.fromkeys(each.group for each in answers))
    print(f"{len(answers)} answers of {len(groups)} groups, {sum(len(each.facts) for each in answers)} regions")
    print("priors", score_answers(answers, PRIORS, BIAS))
    total: dict[str, list[float]] = {}
    for fold in range(FOLDS):
        held = set(groups[fold::FOLDS])
        weights, bias = fit([each for each in answers if each.group not in held])
        for sort, own in score_answers([each for each in answers if each.group in held], weights, bias).items():
            total[sort] = [one + other for one, other in zip(total.get(sort, [0, 0, 0.0]), own, strict=True)]
    print("folds", total)
    weights, bias = fit(answers)
    print("all", score_answers(answers, weights, bias))
    print(json.dumps({"bias": bias, **weights}, indent=1))
    if not dry:
        told = "; ".join(f"{sort} {own[1]:.0f} of {own[0]:.0f} right" for sort, own in total.items())
        source = f"bench/extraction/fit.py: {len(answers)} answers of {len(groups)} sites, designs and pages, penalty {PENALTY}; {FOLDS} folds: {told}"
        lines = ",\n".join(f"{json.dumps(name)}: {weight}" for name, weight in sorted(weights.items()))
        MODEL.write_text(
            f'{{"source": {json.dumps(source)}, "bias": {bias}, "weights": {{\n{lines}\n}}}}\n', encoding="utf-8"
        )


if __name__ == "__main__":
    main()
