"""Ways to mend the probabilities of topics, by nested held-out site: each way is fitted on sites whose weights and curves have seen neither them nor the sites it is tried on.

A way can be fitted on all texts of a topic alike, which is all that a program can do that is given a text, or on pages apart from titles with abstracts, which
says how far it would get if it knew which is which.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bench.report import markdown_table
from dowse.learn.calibrate import fit_isotonic, fit_sigmoid, log_odds, logistic
from dowse.topic.fit import FOLDS, fold_of
from dowse.topic.model import EvidenceCurve, TopicFigures
from dowse.train.topic_corpus import TopicCorpus, TrainingSettings
from dowse.train.topics import EVIDENCE, HeldOutEvidence, fit_curves, fit_logistic, judge_held_out, measure_texts

SHORT_STEMS = 30.0  # stems of a text that is half short, half long: a title with a sentence or two has 10 to 60
RIDGE = 1.0  # what parameters of a way cost away from changing nothing, times half their square
MAX_ODDS = 12.0  # in logarithms, that a way is fitted on

Mend = Callable[["OddsRow"], float]  # the odds of a text to better ones


class OddsRow(NamedTuple):
    """The odds of a text on a topic, in logarithms, and what is true."""

    odds: float
    true: bool
    share: float  # what it counts: sites count alike
    short: float  # how short the text is, from 0 to 1


@dataclass(frozen=True, slots=True)
class NestedOdds:
    """The odds of all texts by topic: held out, and for each fold those of the others by models that have not seen the fold either."""

    outer: dict[str, list[float]]
    inner: tuple[dict[str, list[float]], ...]


def judge_nested(corpus: TopicCorpus, held: HeldOutEvidence, chosen: Sequence[TrainingSettings]) -> NestedOdds:
    """Return the odds of all texts, and those that know nothing of each fold."""
    inner = []
    for left_out in range(FOLDS):
        found: dict[str, list[float]] = {label: [0.0] * len(corpus.texts) for label in corpus.labels}
        evidence = held.without(chosen[left_out].beside, left_out)
        for fold in set(range(FOLDS)) - {left_out}:
            curves = fit_curves(corpus, evidence, chosen[left_out], {left_out, fold})
            for label, rows in evidence.items():
                _judge_fold(corpus, rows, curves[label], fold, found[label])
        inner.append(found)
    return NestedOdds(judge_held_out(corpus, held, chosen), tuple(inner))


def _judge_fold(
    corpus: TopicCorpus, evidence: Any, curves: Mapping[str, EvidenceCurve], fold: int, into: list[float]
) -> None:
    for number, text in enumerate(corpus.texts):
        if fold_of(text.domain) == fold:
            known = zip(EVIDENCE, evidence[number].tolist(), strict=True)
            row = {name: score for name, score in known if not math.isnan(score)}
            into[number] = curves[" ".join(kind for kind in ("head", "host") if kind in row)].odds(row)


# -- the ways


def change_nothing(rows: Sequence[OddsRow]) -> Mend:
    """Leave odds as they are."""
    return lambda row: row.odds


def fit_platt(rows: Sequence[OddsRow]) -> Mend:
    """Fit a slope and an offset (Platt 1999)."""
    if len({row.true for row in rows}) < 2:
        return change_nothing(rows)
    curve = fit_sigmoid([_bound(row.odds) for row in rows], [row.true for row in rows], [row.share for row in rows])
    return lambda row: curve.slope * _bound(row.odds) + curve.offset


def fit_steps(rows: Sequence[OddsRow]) -> Mend:
    """Fit steps that never fall (isotonic regression)."""
    steps = fit_isotonic([row.odds for row in rows], [row.true for row in rows])
    starts = [start for start, _ in steps]
    return lambda row: log_odds(min(0.999, max(0.0005, steps[max(0, bisect_right(starts, row.odds) - 1)][1])))


def fit_beta(rows: Sequence[OddsRow]) -> Mend:
    """Fit slopes of the logarithms of a probability and of its complement (beta calibration, Kull and others 2017)."""
    return _fit_parts(rows, lambda row: (_log_yes(row.odds), -_log_yes(-row.odds)), (1.0, 1.0))


def fit_temperature(rows: Sequence[OddsRow]) -> Mend:
    """Fit a slope alone."""
    return _fit_parts(rows, lambda row: (_bound(row.odds),), (1.0,), offset=False)


def fit_prior(rows: Sequence[OddsRow]) -> Mend:
    """Fit an offset alone: "everything else" is likelier or rarer than in training."""
    return _fit_parts(rows, lambda row: (), (), known=lambda row: _bound(row.odds))


def fit_length(rows: Sequence[OddsRow]) -> Mend:
    """Fit what shortness does to slope and offset, so that long texts stay as they are."""
    return _fit_parts(
        rows, lambda row: (row.short * _bound(row.odds), row.short), (0.0, 0.0), offset=False, known=lambda row: _bound(row.odds),
    )  # fmt: skip


def _fit_parts(
    rows: Sequence[OddsRow],
    parts: Callable[[OddsRow], tuple[float, ...]],
    expected: tuple[float, ...],
    *,
    offset: bool = True,
    known: Callable[[OddsRow], float] = lambda row: 0.0,
) -> Mend:
    """Return the weighted sum of some parts, on top of what is known, by logistic regression."""
    matrix = np.array([[known(row), *parts(row)] for row in rows])
    truth, shares = (np.array([float(getattr(row, name)) for row in rows]) for name in ("true", "share"))
    start = np.array([1.0, *expected, 0.0])
    fixed = 1e9  # of what is not fitted
    prices = np.array([fixed, *[RIDGE] * len(expected), RIDGE if offset else fixed])
    point = fit_logistic(matrix, truth, shares, start, prices)
    return lambda row: float(sum(w * v for w, v in zip(point, (known(row), *parts(row), 1.0), strict=True)))


def _bound(odds: float) -> float:
    return max(-MAX_ODDS, min(MAX_ODDS, odds))


def _log_yes(odds: float) -> float:
    return math.log(max(1e-6, logistic(odds)))


WAYS: dict[str, tuple[Callable[[Sequence[OddsRow]], Mend], str]] = {  # and on what it is fitted
    "as shipped": (change_nothing, "topic"),
    "one temperature for all topics": (fit_temperature, "all"),
    "temperature by topic": (fit_temperature, "topic"),
    "Platt by topic": (fit_platt, "topic"),
    "isotonic by topic": (fit_steps, "topic"),
    "beta calibration by topic": (fit_beta, "topic"),
    "prior shift by topic": (fit_prior, "topic"),
    "by length, one for all topics": (fit_length, "all"),
    "by length and topic": (fit_length, "topic"),
    "Platt by topic, titles apart": (fit_platt, "kind"),
    "isotonic by topic, titles apart": (fit_steps, "kind"),
    "beta calibration by topic, titles apart": (fit_beta, "kind"),
    "prior shift by topic, titles apart": (fit_prior, "kind"),
}


def mend_odds(corpus: TopicCorpus, nested: NestedOdds, way: str) -> dict[str, list[float]]:
    """Return the held-out odds of all texts as one way mends them."""
    fit, scope = WAYS[way]
    found = {label: list(odds) for label, odds in nested.outer.items()}
    described = [text.kind == "described" for text in corpus.texts]
    folds = [fold_of(text.domain) for text in corpus.texts]
    for fold in range(FOLDS):
        known = {label: _list_rows(corpus, label, nested.inner[fold][label]) for label in corpus.labels}
        asked = {label: _list_rows(corpus, label, nested.outer[label]) for label in corpus.labels}
        rest = [number for number, each in enumerate(folds) if each != fold]
        together = fit([known[label][number] for label in corpus.labels for number in rest]) if scope == "all" else None
        for label in corpus.labels:
            for kind in (True, False) if scope == "kind" else (None,):
                some = [number for number in rest if kind is None or described[number] == kind]
                mend = together or fit([known[label][number] for number in some])
                for number, each in enumerate(folds):
                    if each == fold and (kind is None or described[number] == kind):
                        found[label][number] = mend(asked[label][number])
    return found


def _list_rows(corpus: TopicCorpus, label: str, odds: Sequence[float]) -> list[OddsRow]:
    often = Counter((text.domain, text.kind == "described") for text in corpus.texts)
    return [
        OddsRow(one, label in text.topics, often[text.domain, text.kind == "described"] ** -0.5, SHORT_STEMS / (SHORT_STEMS + len(stems.body.strengths)))
        for text, stems, one in zip(corpus.texts, corpus.stems, odds, strict=True)
    ]  # fmt: skip


def compare_ways(
    corpus: TopicCorpus, held: HeldOutEvidence, chosen: Sequence[TrainingSettings], say: Callable[[str], None]
) -> dict[str, dict[str, float | str]]:
    """Return the worst calibration error and the worst F1 of pages, sites and titles with abstracts, by way."""
    nested = judge_nested(corpus, held, chosen)
    found = {}
    for way in WAYS:
        say(f"  {way}")
        found[way] = _summarise(measure_texts(corpus, mend_odds(corpus, nested, way)))
    return found


def _summarise(figures: Mapping[str, Sequence[TopicFigures]]) -> dict[str, float | str]:
    row: dict[str, float | str] = {}
    for what in ("page", "site", "described"):
        some = [
            (one.calibration_error, one.f1, label)
            for label, rows in figures.items()
            for one in rows
            if one.what == what
        ]
        row[f"{what} error"], _, row[f"{what} worst"] = max(some)
        row[f"{what} f1"] = round(sum(f1 for _, f1, _ in some) / len(some), 3)
    return row


def write_ways(compared: Mapping[str, Mapping[str, float | str]]) -> str:
    """Write the ways as a table."""
    heads = [
        "way",
        *(f"{what}: {figure}" for what in ("pages", "sites", "titles") for figure in ("worst error", "mean F1")),
    ]
    rows = [
        [way, *(f"{row[f'{what} {figure}']:.3f}" for what in ("page", "site", "described") for figure in ("error", "f1"))]
        for way, row in compared.items()
    ]  # fmt: skip
    return markdown_table(heads, rows, 6)
