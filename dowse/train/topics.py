"""Trains the topics that come with Dowse, and measures them on sites they have not seen: from labelled examples, and from a description alone.

Only statistics of words leave the labelled data. A site is a registrable domain; no site is on both sides of a measurement.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from dowse.learn.calibrate import Sigmoid, logistic
from dowse.learn.svm import LinearScore
from dowse.topic.background import Background, keep_strongest, pack_background, write_background
from dowse.topic.describe import DescriptionCurves, label_sure, read_description
from dowse.topic.fit import (
    FOLDS,
    LIKELIER_FORMS,
    MIN_MEASURED_SITES,
    MIN_SITES,
    TEXT_COST,
    HeldOutScore,
    TopicExample,
    find_rarities,
    fit_curve,
    fold_of,
    make_figures,
    measure,
    to_stem_weights,
)
from dowse.topic.model import EvidenceCurve, StemWeights, Topic, TopicFigures, match_terms, write_topic
from dowse.train.labelled import PORTALS, LabelledText
from dowse.train.stem_table import StemTable
from dowse.train.topic_corpus import (
    LabelledStems,
    TopicCorpus,
    TopicSpec,
    TrainingSettings,
    count_sites,
    read_specs,
)

EVIDENCE = ("body", "head", "host", "terms", "head terms", "words", "head words")
MISSING = {
    "head": -1.0,
    "host": -1.0,
}  # what a page without it is taken to have: the score of most pages that are not on a topic
# What weights of evidence cost away from zero, and the offset of a topic away from that of all.
POOL_PENALTY, OFFSET_PENALTY = 0.05, 0.3
MAX_TYPE_ODDS = 5.0  # that a declared type adds: 607 of the 609 pages that declare one are on its topic
NO_WEIGHTS = StemWeights(0, Sigmoid(1.0, 0.0), {})
MIN_LANGUAGE_SITES = 3  # on a topic, for it to be trained in a language
DESCRIBED_IN_BACKGROUND = 250  # of each topic
DESCRIBE_FOLDS = 3  # in which topics from a description are measured
SHORT_DESCRIPTION = 8  # words of a description that is called short
DESCRIPTION_SIZES = (
    5,
    SHORT_DESCRIPTION,
    None,
)  # words of descriptions that curves are fitted on: users give few or many
MATCH = ("own", "rival", "size")
LEARNED = ("body", "words", "head words", "size")
FORM_CURVE = Sigmoid(3.0, 0.0)  # where no form on the topic is known


# -- what all kinds of evidence say together


Evidence = dict[
    str, Any
]  # by topic, an array: for each text of a corpus what each kind of evidence says, not a number where the text lacks it
SETTINGS = tuple(
    TrainingSettings(beside, drawn) for beside in (1.0, 0.3) for drawn in (1.0, 3.0, 10.0)
)  # to choose from


@dataclass(frozen=True, slots=True)
class HeldOutEvidence:
    """Scores of texts by weights that were fitted without their sites, by what examples beside pages count.

    `inner` has, for each fold, scores of the texts of the other folds by weights that have seen neither their sites nor that fold: whatever is chosen
    or fitted on them knows nothing of the fold.
    """

    outer: dict[float, Evidence]
    inner: dict[float, tuple[Evidence, ...]]

    def without(self, beside: float, fold: int) -> Evidence:
        """Return the scores that know nothing of a fold, or all of them for -1."""
        return self.inner[beside][fold] if fold >= 0 else self.outer[beside]


def gather_evidence(corpus: TopicCorpus, say: Callable[[str], None] = lambda line: None) -> HeldOutEvidence:
    """Score all texts by each kind of evidence without their sites, and without each pair of folds."""
    said = _weigh_terms_of_texts(corpus)
    choices = dict.fromkeys(one.beside for one in SETTINGS)
    outer = {beside: {label: rows.copy() for label, rows in said.items()} for beside in choices}
    inner = {
        beside: tuple({label: rows.copy() for label, rows in said.items()} for _ in range(FOLDS)) for beside in choices
    }
    groups = [{fold} for fold in range(FOLDS)] + [{one, two} for one in range(FOLDS) for two in range(one)]
    for number, folds in enumerate(groups):
        say(f"  weights without folds, {number + 1} of {len(groups)}")
        for label in corpus.labels:
            hosts = corpus.host.score_without(label, TrainingSettings(), folds)
            for beside in choices:
                settings = TrainingSettings(beside)
                bodies = corpus.body.score_without(label, settings, folds)
                heads = corpus.head.score_without(label, settings, folds)
                for place, row in _scores_of_texts(corpus, bodies, heads, hosts):
                    fold = fold_of(corpus.texts[place].domain)
                    into = outer[beside] if len(folds) == 1 else inner[beside][min(folds - {fold})]
                    into[label][place, :3] = row
    return HeldOutEvidence(outer, inner)


def _weigh_terms_of_texts(corpus: TopicCorpus) -> Evidence:
    """Return what the terms of topics say of the texts; the other columns are not numbers."""
    import numpy as np

    found = {}
    for label in corpus.labels:
        topic = Topic(name=label, words=(), page=NO_WEIGHTS, form=NO_WEIGHTS, terms=corpus.terms[label])
        rows = [{**topic.weigh_evidence(stems), "body": math.nan} for stems in corpus.stems]
        found[label] = np.array([[row.get(name, math.nan) for name in EVIDENCE] for row in rows])
    return found


def _scores_of_texts(
    corpus: TopicCorpus, body: Mapping[int, float], head: Mapping[int, float], host: Mapping[int, float]
) -> Iterator[tuple[int, list[float]]]:
    """Yield the places of scored texts with the scores of body, head and host, not a number for what they lack."""
    for place, score in body.items():
        if place < len(corpus.texts):
            stems = corpus.stems[place]
            yield (
                place,
                [
                    score,
                    head[place] if stems.head else math.nan,
                    host[corpus.hosts[corpus.texts[place].host]] if stems.host else math.nan,
                ],
            )


def choose_settings(corpus: TopicCorpus, held: HeldOutEvidence, leave_out: int = -1) -> TrainingSettings:
    """Return the settings by which pages and home pages are likeliest, by curves fitted without their folds; one fold is not looked at at all."""
    losses = {}
    for settings in SETTINGS:
        evidence = held.without(settings.beside, leave_out)
        losses[settings] = 0.0
        for fold in set(range(FOLDS)) - {leave_out}:
            curves = fit_curves(corpus, evidence, settings, {leave_out, fold}, [()])
            losses[settings] += _find_loss(corpus, evidence, curves, fold)
    return min(losses, key=losses.__getitem__)


def _find_loss(
    corpus: TopicCorpus, evidence: Evidence, curves: Mapping[str, Mapping[str, EvidenceCurve]], fold: int
) -> float:
    """Return how unlikely the labels of a fold's pages are by the curves of all kinds, sites counting alike."""
    import numpy as np

    rows = [
        number for number, text in enumerate(corpus.texts) if text.kind != "described" and fold_of(text.domain) == fold
    ]
    often = Counter(corpus.texts[row].domain for row in rows)
    shares = np.array([often[corpus.texts[row].domain] ** -0.5 for row in rows])
    loss = 0.0
    for label in corpus.labels:
        curve = next(iter(curves[label].values()))
        odds = _fill_missing(evidence[label][rows], EVIDENCE) @ np.array(list(curve.weights.values())) + curve.offset
        sides = np.array([-1.0 if label in corpus.texts[row].topics else 1.0 for row in rows])
        loss += float((shares * np.logaddexp(0, sides * odds)).sum())
    return loss


def _fill_missing(rows: Any, names: Sequence[str]) -> Any:
    """Return scores of some kinds, with what a text without them is taken to have."""
    import numpy as np

    columns = rows[:, [EVIDENCE.index(name) for name in names]]
    return np.where(np.isnan(columns), np.array([MISSING.get(name, 0.0) for name in names]), columns)


LACKING: tuple[tuple[str, ...], ...] = ((), ("host",), ("head",), ("head", "host"))  # kinds that a page may not have


def fit_curves(
    corpus: TopicCorpus,
    evidence: Evidence,
    settings: TrainingSettings,
    without: Collection[int] = (),
    choices: Sequence[tuple[str, ...]] = LACKING,
) -> dict[str, dict[str, EvidenceCurve]]:
    """Return for each topic the curves of all choices of kinds; sites of some folds may be left out.

    Weights are fitted for all topics with pages together, then for each one drawn towards those: a topic with eight sites takes most from the others. Of topics
    without pages only descriptions are known, and theirs are fitted on those.
    """
    import numpy as np

    texts = corpus.texts
    often = Counter((text.domain, text.kind == "described") for text in texts)
    known = [number for number, text in enumerate(texts) if fold_of(text.domain) not in without]
    pages = [number for number in known if texts[number].kind != "described"]
    curves: dict[str, dict[str, EvidenceCurve]] = {label: {} for label in corpus.labels}
    with_pages = [label for label in corpus.labels if count_sites(corpus, label) >= MIN_MEASURED_SITES]
    for lacking in choices:
        names = [name for name in EVIDENCE if name.split()[0] not in lacking]

        def read_rows(label: str, names: Sequence[str] = names) -> tuple[Any, Any, Any]:
            rows = pages if label in with_pages else known
            return (
                _fill_missing(evidence[label][rows], names),
                np.array([label in texts[row].topics for row in rows], dtype=float),
                np.array([often[texts[row].domain, texts[row].kind == "described"] ** -0.5 for row in rows]),
            )

        matrix, truth, shares = map(np.concatenate, zip(*map(read_rows, with_pages), strict=True))
        prices = np.full(len(names) + 1, POOL_PENALTY)
        together = fit_logistic(matrix, truth, shares, np.zeros(len(names) + 1), prices)
        there = " ".join(kind for kind in ("head", "host") if kind not in lacking)
        own_prices = np.array([*[settings.drawn] * len(names), OFFSET_PENALTY])
        for label in corpus.labels:
            own = fit_logistic(*read_rows(label), together, own_prices)
            weights = dict(zip(names, own[:-1].round(3).tolist(), strict=True))
            curves[label][there] = EvidenceCurve(round(float(own[-1]), 3), weights)
    return curves


def fit_logistic(matrix: Any, truth: Any, shares: Any, expected: Any, penalties: Any) -> Any:
    """Return the weights, and an offset, that make labels likeliest; what they are away from what is expected costs half its square times a penalty."""
    import numpy as np
    from scipy.optimize import minimize

    full = np.hstack([matrix, np.ones((len(matrix), 1))])

    def cost(point: Any) -> tuple[float, Any]:
        odds = full @ point
        away = point - expected
        loss = (shares * (np.logaddexp(0, odds) - truth * odds)).sum() + (penalties * away * away).sum() / 2
        return loss, full.T @ (shares * (1 / (1 + np.exp(-odds)) - truth)) + penalties * away

    return minimize(cost, expected.copy(), jac=True, method="L-BFGS-B").x


def judge_held_out(
    corpus: TopicCorpus, held: HeldOutEvidence, chosen: Sequence[TrainingSettings], without: Sequence[str] = ()
) -> dict[str, list[float]]:
    """Return the odds of each text by topic, in logarithms, from weights, curves and settings (chosen for each fold) that know nothing of its fold.

    Kinds of evidence can be left out, as if pages did not have them.
    """
    found: dict[str, list[float]] = {label: [0.0] * len(corpus.texts) for label in corpus.labels}
    for fold in range(FOLDS):
        settings = chosen[fold]
        curves = fit_curves(corpus, held.without(settings.beside, fold), settings, {fold})
        for label in corpus.labels:
            scores = held.outer[settings.beside][label].tolist()
            for number, text in enumerate(corpus.texts):
                if fold_of(text.domain) == fold:
                    row = {
                        name: score
                        for name, score in zip(EVIDENCE, scores[number], strict=True)
                        if not math.isnan(score) and name.split()[0] not in without
                    }
                    there = " ".join(kind for kind in ("head", "host") if kind in row)
                    found[label][number] = curves[label][there].odds(row)
    return found


def measure_texts(corpus: TopicCorpus, odds: Mapping[str, Sequence[float]]) -> dict[str, list[TopicFigures]]:
    """Measure pages, sites and descriptions by topic; a site by its home page where the data has it, else by the mean of its pages."""
    found: dict[str, list[TopicFigures]] = {}
    for label in corpus.labels:
        rows: dict[str, list[tuple[str, float, bool]]] = {"page": [], "site": [], "described": []}
        by_site: dict[str, list[tuple[LabelledText, float]]] = {}
        for text, chance in zip(corpus.texts, odds[label], strict=True):
            if text.kind != "home":
                rows[text.kind].append((text.domain, chance, label in text.topics))
            if text.kind != "described":
                by_site.setdefault(text.domain, []).append((text, chance))
        for site, some in by_site.items():
            judged = [row for row in some if row[0].kind == "home"] or some
            mean = sum(chance for _, chance in judged) / len(judged)
            rows["site"].append((site, mean, any(label in text.topics for text, _ in judged)))
        found[label] = []
        for what, judgements in rows.items():
            own = {site for site, _, yes in judgements if yes}
            if len(own) >= MIN_MEASURED_SITES:
                said = [logistic(chance) for _, chance, _ in judgements]
                found[label].append(make_figures(what, len(own), said, [yes for _, _, yes in judgements]))
    return found


def fit_type_odds(corpus: TopicCorpus, odds: Mapping[str, Sequence[float]], leave_out: int = -1) -> float:
    """Return what a declared type adds to the odds of a page, the same for all topics, by the pages that declare one of theirs; sites count alike."""
    import numpy as np

    rows = [
        (text.domain, odds[spec.label][number], spec.label in text.topics)
        for spec in read_specs()
        for number, text in enumerate(corpus.texts)
        if fold_of(text.domain) != leave_out and not set(spec.types).isdisjoint(text.types)
    ]
    often = Counter(site for site, _, _ in rows)
    shares = np.array([often[site] ** -0.5 for site, _, _ in rows])
    wrong = np.array([-before if yes else before for _, before, yes in rows])
    sides = np.array([-1 if yes else 1 for *_, yes in rows])
    added = np.linspace(0, MAX_TYPE_ODDS, 51)
    losses = [(shares * np.logaddexp(0, wrong + sides * one)).sum() for one in added]
    return float(added[int(np.argmin(losses))].round(2))


def train_topics(corpus: TopicCorpus, say: Callable[[str], None] = lambda line: None) -> Iterator[Topic]:
    """Fit all topics on all examples, with the figures of sites that were held out in turn."""
    held = gather_evidence(corpus, say)
    odds = judge_held_out(corpus, held, [choose_settings(corpus, held, fold) for fold in range(FOLDS)])
    figures = measure_texts(corpus, odds)
    settings = choose_settings(corpus, held)
    curves = fit_curves(corpus, held.without(settings.beside, -1), settings)
    type_odds = fit_type_odds(corpus, odds)
    for spec in read_specs():
        topic = _train_topic(corpus, spec, settings, curves[spec.label], figures[spec.label])
        yield msgspec.structs.replace(topic, types=spec.types, type_odds=type_odds)


def _train_topic(
    corpus: TopicCorpus, spec: TopicSpec, settings: TrainingSettings, curves: dict[str, EvidenceCurve], figures: Sequence[TopicFigures]
) -> Topic:  # fmt: skip
    scored_forms = corpus.forms.score_held_out(spec.label)
    form_curve = fit_curve(scored_forms, LIKELIER_FORMS) if _has_both(scored_forms) else FORM_CURVE
    languages = Counter(
        language
        for language, _ in {
            (text.language, text.domain)
            for text in corpus.texts
            if spec.label in text.topics and text.source != PORTALS
        }
        if language
    )
    alone = curves[""]
    return Topic(
        name=spec.name,
        words=spec.words,
        languages=tuple(language for language, count in languages.most_common() if count >= MIN_LANGUAGE_SITES)
        or ("en",),
        examples=_count_examples(corpus, spec.label),
        page=to_stem_weights(corpus.body.fit_all(spec.label, settings), Sigmoid(alone.weights["body"], alone.offset)),
        head=to_stem_weights(corpus.head.fit_all(spec.label, settings), NO_WEIGHTS.curve),
        host=to_stem_weights(corpus.host.fit_all(spec.label, settings), NO_WEIGHTS.curve),
        terms=corpus.terms[spec.label],
        curves=curves,
        form=to_stem_weights(corpus.forms.fit_all(spec.label, TrainingSettings()), form_curve),
        figures=(*figures, *(row for row in [measure("form", scored_forms, LIKELIER_FORMS)] if row)),
    )


def _has_both(scored: Sequence[HeldOutScore]) -> bool:
    return len({one.example.positive for one in scored}) == 2


def _count_examples(corpus: TopicCorpus, label: str) -> dict[str, int]:
    """Return how many examples of each kind a topic has."""
    kinds = {"page": "pages", "home": "home pages", "described": "descriptions", "form": "forms", "words": "words"}
    counts = Counter(kinds[row.kind] for row in corpus.body.rows if label in row.topics and row.kind in kinds)
    counts["forms"] = sum(row.kind == "form" and label in row.topics for row in corpus.forms.rows)
    counts["hosts"] = sum(label in row.topics for row in corpus.host.rows)
    return {what: count for what, count in sorted(counts.items()) if count}


# -- from a description alone


@dataclass(frozen=True, slots=True)
class LearnedDescriptions:
    """The curves of topics from a description, and how well pages are told by topics whose curves were fitted on all other topics."""

    curves: DescriptionCurves
    figures: dict[str, list[TopicFigures]]  # by topic: from its whole description, and from its first words


@dataclass(slots=True)
class DescriptionTrial:
    """A topic from some of its words: how texts match them, and what a model learned from sure texts says of pages of held-out sites."""

    label: str
    size: int | None  # words of the description; None for all
    terms: dict[str, int]
    matches: list[dict[str, float]]  # of the texts
    learned: dict[int, dict[str, float]] = field(default_factory=dict)  # of pages, by their place in the corpus


def learn_descriptions(corpus: TopicCorpus, say: Callable[[str], None] = lambda line: None) -> LearnedDescriptions:
    """Fit how descriptions match texts, and measure it on pages and home pages: each topic by curves of the others, each site by texts of the others.

    Of the texts to learn from only what a background keeps is used, as by `dowse topic new`.
    """
    rows = [row for row in _choose_background(corpus) if row.kind != "form"]
    texts = [replace(row.as_example(""), strengths=keep_strongest(row.strengths)) for row in rows]
    trials = _match_descriptions(corpus, texts)
    known = {number: (row.site, row.topics) for number, row in enumerate(rows) if row.kind in ("page", "home")}
    pages = {
        number: (text.domain, text.topics) for number, text in enumerate(corpus.texts) if text.kind in ("page", "home")
    }
    table = StemTable(texts)
    for one in trials:
        say(f"  description of {one.label}, {one.size or 'all'} words")
        curve = _fit_trials(trials, one.label, known, "matches", MATCH)
        _learn_from_sure(one, [curve.odds(row) for row in one.matches], texts, table, corpus)
    figures: dict[str, list[TopicFigures]] = {label: [] for label in corpus.labels}
    for one in trials:
        what = {None: "description", SHORT_DESCRIPTION: "short description"}.get(one.size)
        if what:
            curve = _fit_trials(trials, one.label, pages, "learned", LEARNED)
            said = [logistic(curve.odds(one.learned[number])) for number in pages]
            true = [one.label in topics for _, topics in pages.values()]
            figures[one.label].append(make_figures(what, count_sites(corpus, one.label), said, true))
    without_head = [name for name in LEARNED if not name.startswith("head")]
    learned = {
        "": _fit_trials(trials, "", pages, "learned", without_head),
        "head": _fit_trials(trials, "", pages, "learned", LEARNED),
    }
    return LearnedDescriptions(DescriptionCurves(_fit_trials(trials, "", known, "matches", MATCH), learned), figures)


def _match_descriptions(corpus: TopicCorpus, texts: Sequence[TopicExample]) -> list[DescriptionTrial]:
    """Return how texts match the descriptions of topics with enough sites, from their first words and from all."""
    rarities = find_rarities(texts)
    specs = read_specs()
    whole = {spec.label: read_description(spec.words, rarities) for spec in specs}
    matches = {label: [match_terms(terms, one.strengths) for one in texts] for label, terms in whole.items()}
    found = []
    for spec in specs:
        if count_sites(corpus, spec.label) < MIN_MEASURED_SITES:
            continue
        rivals = [max(row) for row in zip(*[matches[label] for label in whole if label != spec.label], strict=True)]
        for size in DESCRIPTION_SIZES:
            terms = read_description(spec.words[:size], rarities)
            rows = [
                {"own": match_terms(terms, one.strengths), "rival": rival, "size": math.log(len(terms))}
                for one, rival in zip(texts, rivals, strict=True)
            ]
            found.append(DescriptionTrial(spec.label, size, terms, rows))
    return found


def _learn_from_sure(
    one: DescriptionTrial, odds: Sequence[float], texts: Sequence[TopicExample], table: StemTable, corpus: TopicCorpus
) -> None:
    """Learn from texts that surely match, and add what that says of pages of other sites."""
    topic = Topic(name=one.label, words=(), page=NO_WEIGHTS, form=NO_WEIGHTS, terms={"en": one.terms})
    size = math.log(len(one.terms))
    for fold in range(DESCRIBE_FOLDS):
        pool = [number for number, text in enumerate(texts) if fold_of(text.site, DESCRIBE_FOLDS) != fold]
        sure = label_sure([texts[number] for number in pool], [odds[number] for number in pool])
        taken = any(text.positive for text in sure)
        weights = table.fit(sure, TEXT_COST, MIN_SITES) if taken else LinearScore(MISSING["head"], {})
        for number, text in enumerate(corpus.texts):
            if text.kind in ("page", "home") and fold_of(text.domain, DESCRIBE_FOLDS) == fold:
                stems = replace(corpus.stems[number], language="en")
                body = weights.score(stems.body.strengths)
                one.learned[number] = {**topic.weigh_evidence(stems), "body": body, "size": size}


def _fit_trials(
    trials: Sequence[DescriptionTrial], left_out: str, pages: Mapping[int, tuple[str, frozenset[str]]], stage: str, names: Sequence[str]
) -> EvidenceCurve:  # fmt: skip
    """Return the curve of all topics but one, by labelled pages; sites count alike."""
    import numpy as np

    often = Counter(site for site, _ in pages.values())
    some = [one for one in trials if one.label != left_out]
    matrix = np.array(
        [[getattr(one, stage)[number].get(name, 0.0) for name in names] for one in some for number in pages]
    )
    true = np.array([one.label in topics for one in some for _, topics in pages.values()], dtype=float)
    shares = np.array([often[site] ** -0.5 for _ in some for site, _ in pages.values()])
    prices = np.full(len(names) + 1, POOL_PENALTY)
    found = fit_logistic(matrix, true, shares, np.zeros(len(names) + 1), prices)
    return EvidenceCurve(round(float(found[-1]), 3), dict(zip(names, found[:-1].round(3).tolist(), strict=True)))


def make_background(corpus: TopicCorpus) -> Background:
    """Return what a new topic is told from."""
    rows = _choose_background(corpus)
    languages = Counter(language for language, _ in {(text.language, text.domain) for text in corpus.texts} if language)
    examples = [row.as_example("") for row in rows]
    return pack_background(examples, [row.topics for row in rows], dict(languages.most_common()))


def _choose_background(corpus: TopicCorpus) -> list[LabelledStems]:
    """Return all pages and home pages, some descriptions, and forms."""
    rows = []
    described: Counter[str] = Counter()
    for row in corpus.body.rows[: len(corpus.texts)]:
        if row.kind == "described":
            described[min(row.topics)] += 1
        if row.kind != "described" or described[min(row.topics)] <= DESCRIBED_IN_BACKGROUND:
            rows.append(row)
    return rows + [row for row in corpus.forms.rows if row.kind == "form"]


def write_shipped(
    corpus: TopicCorpus, folder: Path, names: Sequence[str] = (), say: Callable[[str], None] = lambda line: None
) -> Iterator[Topic]:
    """Train topics, write them with the background and the curves of descriptions into a folder, and yield them."""
    write_background(make_background(corpus), folder / "background.zst")
    described = learn_descriptions(corpus, say)
    (folder / "description.json").write_bytes(msgspec.json.encode(described.curves) + b"\n")
    labels = {spec.name: spec.label for spec in read_specs()}
    for topic in train_topics(corpus, say):
        if not names or topic.name in names:
            figures = (*topic.figures, *described.figures[labels[topic.name]])
            whole = msgspec.structs.replace(topic, figures=figures)
            write_topic(whole, folder / f"{topic.name.replace(' ', '-')}.json")
            yield whole
