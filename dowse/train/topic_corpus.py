"""Labelled texts, names, hosts and forms as stems, in the tables that weights of topics are fitted on: what is an example of what, and how much it counts."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from dowse.learn.svm import LinearScore
from dowse.topic.fit import (
    BESIDE,
    FOLDS,
    FORM_COST,
    FORM_MIN_SITES,
    MIN_SITES,
    TEXT_COST,
    HeldOutScore,
    TopicExample,
    fold_of,
    score_held_out,
)
from dowse.topic.model import WEIGHT_SCALE
from dowse.topic.text import (
    PageStems,
    count_stems,
    read_form_stems,
    read_head_stems,
    read_host_grams,
    read_stems,
    spread_evenly,
    term_key,
)
from dowse.train.labelled import (
    OTHER,
    LabelledFormText,
    LabelledName,
    LabelledText,
    correct_labels,
    read_forms,
    read_lines,
    read_names,
    read_texts,
)
from dowse.train.stem_table import StemTable

WORDS = Path(__file__).parent / "topic_words.toml"
TERMS = Path(__file__).parent / "topic_terms.toml"
# What kinds of examples cost on the wrong side beside a page; chosen on held-out sites.
DESCRIBED_COST = 0.3
BESIDE_COST = 0.5
NAMES_COST = 0.1
WORD_COST = 0.05
FORM_WORD_COST = 0.1
BOX_COST = 0.1
PAGE_AS_FORM_COST = 0.3
PAGE_AS_FORM_STEMS = 60  # of a page that are learned as those of a form
COUNTED_BESIDE = ("described", "beside", "words")  # kinds of examples whose cost the settings of training scale
MANY_FORM_STEMS = 6  # from which on a form on a page says more than that something is searched
# Weights of a topic that are kept, the largest: with all of them held-out figures are the same within 0.01.
MAX_BODY_WEIGHTS, MAX_HEAD_WEIGHTS, MAX_HOST_WEIGHTS, MAX_FORM_WEIGHTS = 6_000, 3_000, 4_000, 4_000
NAME_COST, BRAND_COST, TERMS_COST = (
    0.5,
    0.3,
    0.3,
)  # of the name of a site, of a brand, and of the terms of a language, beside a page


@dataclass(frozen=True, slots=True)
class TopicSpec:
    """A topic that comes with Dowse: its name, what the data calls it, and words that describe it."""

    name: str
    label: str
    words: tuple[str, ...]
    types: tuple[str, ...]  # of schema.org


def read_specs() -> list[TopicSpec]:
    """Return the topics that come with Dowse."""
    found = tomllib.loads(WORDS.read_text("utf-8"))
    return [
        TopicSpec(
            name, row.get("label", name), *(tuple(map(str.strip, row[each].split(","))) for each in ("words", "types"))
        )
        for name, row in found.items()
    ]


class LabelledStems(NamedTuple):
    """Stems with what they are an example of: the same objects for all topics."""

    strengths: Mapping[str, float]
    site: str
    topics: frozenset[str]
    kind: str
    cost: float

    def as_example(self, label: str) -> TopicExample:
        """Return it as an example for or against a topic."""
        return TopicExample(self.strengths, self.site, label in self.topics, self.kind, self.cost)


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """What is chosen for all topics together, on sites that the figures do not look at."""

    beside: float = 1.0  # what descriptions, forms, names and terms count beside pages, times their costs above
    drawn: float = 10.0  # how far the weights of a topic's kinds of evidence are drawn to those of all topics


class EvidenceTable:
    """Labelled examples of one kind of evidence, and weights fitted on them."""

    def __init__(
        self, rows: Sequence[LabelledStems], most: int, cost: float = TEXT_COST, min_sites: int = MIN_SITES
    ) -> None:
        self.rows = tuple(rows)
        self.most, self.cost, self.min_sites = most, cost, min_sites
        self._table = StemTable([row.as_example(OTHER) for row in rows])

    def fit(self, examples: Sequence[TopicExample], cost: float, min_sites: int) -> LinearScore:
        """Return the largest weights of a fit."""
        fitted = self._table.fit(examples, cost, min_sites)
        largest = sorted(fitted.weights, key=lambda stem: (-abs(fitted.weights[stem]), stem))[: self.most]
        return LinearScore(fitted.bias, {stem: fitted.weights[stem] for stem in largest})

    def score_held_out(self, label: str, folds: int = FOLDS) -> list[HeldOutScore]:
        """Score each example by weights that were fitted without its site."""
        return score_held_out([row.as_example(label) for row in self.rows], self.cost, self.min_sites, folds, self.fit)

    def score_without(self, label: str, settings: TrainingSettings, folds: Collection[int]) -> dict[int, float]:
        """Score the pages, descriptions and hosts of some folds by weights that were fitted without those folds."""
        scored = [
            number for number, row in enumerate(self.rows) if row.kind not in BESIDE and fold_of(row.site) in folds
        ]
        weights = self._fit_rows(label, settings, folds)
        return dict(zip(scored, self._table.score(weights, scored).tolist(), strict=True))

    def fit_all(self, label: str, settings: TrainingSettings) -> LinearScore:
        """Return the weights of all examples."""
        return self._fit_rows(label, settings, ())

    def _fit_rows(self, label: str, settings: TrainingSettings, without: Collection[int]) -> LinearScore:
        rows = [row for row in self.rows if row.kind == "words" or fold_of(row.site) not in without]
        if settings.beside != 1.0:
            rows = [
                row._replace(cost=row.cost * settings.beside) if row.kind in COUNTED_BESIDE else row for row in rows
            ]
        return self.fit([row.as_example(label) for row in rows], self.cost, self.min_sites)


@dataclass(frozen=True, slots=True)
class TopicCorpus:
    """Labelled texts, names, hosts and forms as stems, read once for all topics, and the tables that weights are fitted on."""

    texts: tuple[LabelledText, ...]
    stems: tuple[PageStems, ...]  # of the texts
    body: EvidenceTable  # the texts in their order, then what is learned beside them
    head: EvidenceTable  # the texts in their order, then names of sites and brands
    host: EvidenceTable  # hosts, each once
    hosts: dict[str, int]  # the row of each host
    forms: EvidenceTable  # the forms in their order, then pages as forms
    form_sources: tuple[str, ...]  # of the forms
    terms: dict[str, dict[str, dict[str, int]]]  # by topic and language
    labels: tuple[str, ...]


def read_corpus(
    folder: Path,
    texts: Sequence[LabelledText] = (),
    forms: Sequence[LabelledFormText] = (),
    keep: Callable[[str], bool] = lambda domain: True,
) -> TopicCorpus:
    """Read all labelled data of the domains to keep, or take what was read before; a form of a page is labelled by its page, and counts once for each site."""
    texts = [text for text in texts or correct_labels(read_texts(folder)) if keep(text.domain)]
    forms = [form for form in forms or read_forms(folder) if keep(form.domain)]
    for text in texts:
        if len(text.topics) == 1:
            forms += [LabelledFormText("page", text.domain, min(text.topics), one) for one in text.forms]
    forms = list(dict.fromkeys(forms))
    stems = [_read_page_stems(text) for text in texts]
    names = [name for name in read_names(folder) if keep(name.domain)]
    words = list(_word_rows(folder, keep))
    body_rows, head_rows = _text_rows(texts, stems)
    by_host = {name.host: (name.domain, name.topics) for name in reversed(names) if name.host}
    for text in texts:  # the fold of a host is that of its texts
        by_host[text.host] = (text.domain, by_host.get(text.host, (text.domain, text.topics))[1])
    host_rows = [
        LabelledStems(read_host_grams(host).strengths, domain, topics, "host", 1.0)
        for host, (domain, topics) in by_host.items()
    ]
    form_rows = [*_form_rows(forms), *_page_rows(texts, body_rows), *_phrase_rows()]
    specs = read_specs()
    return TopicCorpus(
        texts=tuple(texts),
        stems=tuple(stems),
        body=EvidenceTable([*body_rows, *_beside_rows(forms), *words], MAX_BODY_WEIGHTS),
        head=EvidenceTable([*head_rows, *_name_rows(names), *words], MAX_HEAD_WEIGHTS),
        host=EvidenceTable(host_rows, MAX_HOST_WEIGHTS),
        hosts={host: number for number, host in enumerate(by_host)},
        forms=EvidenceTable(form_rows, MAX_FORM_WEIGHTS, FORM_COST, FORM_MIN_SITES),
        form_sources=tuple(form.source for form in forms),
        terms=weigh_terms(specs, [one for text, one in zip(texts, stems, strict=True) if text.kind != "described"]),
        labels=tuple(spec.label for spec in specs),
    )


def _read_page_stems(text: LabelledText) -> PageStems:
    fields = text.title, text.text, text.headings, text.description
    return PageStems(read_stems(*fields), read_head_stems(*fields), read_host_grams(text.host), text.language)


def _text_rows(
    texts: Sequence[LabelledText], stems: Sequence[PageStems]
) -> tuple[list[LabelledStems], list[LabelledStems]]:
    """Return the bodies of texts, and their heads; sites count alike."""
    often = Counter(text.domain for text in texts)
    bodies, heads = [], []
    for text, one in zip(texts, stems, strict=True):
        share = 1 / math.sqrt(often[text.domain])
        cost = share * (DESCRIBED_COST if text.kind == "described" else 1.0)
        # Copies, since remembered stems of equal texts are one object, and rows are told apart by theirs.
        bodies.append(LabelledStems(dict(one.body.strengths), text.domain, text.topics, text.kind, cost))
        heads.append(LabelledStems(dict(one.head.strengths), text.domain, text.topics, text.kind, share))
    return bodies, heads


def _name_rows(names: Sequence[LabelledName]) -> Iterator[LabelledStems]:
    """Yield names of sites and brands as heads."""
    for name in names:
        if name.name:
            stems = read_head_stems(name.name, "").strengths
            yield LabelledStems(stems, name.domain, name.topics, "beside", NAME_COST if name.host else BRAND_COST)


def weigh_terms(specs: Sequence[TopicSpec], stems: Sequence[PageStems]) -> dict[str, dict[str, dict[str, int]]]:
    """Return the terms of each topic by language, a term the heavier, the rarer it is and the fewer topics share it."""
    often = Counter(key for one in stems for key in {term_key(stem) for stem in one.body.strengths})
    listed = tomllib.loads(TERMS.read_text("utf-8"))
    keys: dict[str, dict[str, list[str]]] = {}  # by language and key: topics
    for spec in specs:
        for language, terms in [("en", ", ".join(spec.words)), *listed[spec.name].items()]:
            for key in dict.fromkeys(map(term_key, count_stems(terms))):
                keys.setdefault(language, {}).setdefault(key, []).append(spec.label)
    found: dict[str, dict[str, dict[str, int]]] = {spec.label: {} for spec in specs}
    for language, by_key in keys.items():
        for key, labels in by_key.items():
            rarity = max(0.0, math.log(len(stems) / (often[key] + 1)))
            for label in labels:
                found[label].setdefault(language, {})[key] = round(WEIGHT_SCALE * rarity / len(labels))
    return found


def _beside_rows(forms: Sequence[LabelledFormText]) -> Iterator[LabelledStems]:
    """Yield query forms as if they were texts: of some topics little else is known."""
    for form in forms:
        if form.source != "page" and form.topic != OTHER:
            stems = read_stems("", form.text).strengths
            yield LabelledStems(stems, form.domain, frozenset([form.topic]), "beside", BESIDE_COST)


def _word_rows(folder: Path, keep: Callable[[str], bool]) -> Iterator[LabelledStems]:
    """Yield what places of a topic are called in many languages, terms, and the words of the descriptions."""
    named: dict[tuple[str, str], list[str]] = {}
    for row in read_lines(folder / "topics" / "topic_words.jsonl.gz"):
        if keep(f"{row['preset']}.example"):
            listed = [row["name"], *row["aliases"], *row["terms"]]
            named.setdefault((row["topic"], row["lang"]), []).extend(filter(None, listed))
    for (topic, language), words in named.items():
        stems = read_stems("", " ".join(words)).strengths
        yield LabelledStems(stems, f"words {language}", frozenset([topic]), "words", NAMES_COST)
    terms = tomllib.loads(TERMS.read_text("utf-8"))
    for spec in read_specs():
        for phrase in spec.words:
            stems = read_stems("", phrase).strengths
            yield LabelledStems(stems, "words", frozenset([spec.label]), "words", WORD_COST)
        for language, listed in terms[spec.name].items():
            stems = read_stems("", listed).strengths
            yield LabelledStems(stems, f"words {language}", frozenset([spec.label]), "words", TERMS_COST)


def _form_rows(forms: Sequence[LabelledFormText]) -> Iterator[LabelledStems]:
    """Yield forms; those of pages, which nobody labelled by themselves, are learned and not measured."""
    often = Counter((form.domain, form.source) for form in forms)
    for form in forms:
        stems = read_form_stems(form.text).strengths
        share = 1.0 if form.source != "page" else BESIDE_COST if len(stems) >= MANY_FORM_STEMS else BOX_COST
        kind = "beside" if form.source == "page" else "form"
        cost = share / math.sqrt(often[form.domain, form.source])
        yield LabelledStems(stems, form.domain, frozenset([form.topic]), kind, cost)


def _page_rows(texts: Sequence[LabelledText], rows: Sequence[LabelledStems]) -> Iterator[LabelledStems]:
    """Yield the strongest stems of pages as if they were those of forms."""
    often = Counter(text.domain for text in texts if text.kind != "described")
    for text, row in zip(texts, rows, strict=True):
        if text.kind != "described" and len(text.topics) == 1:
            strongest = sorted(row.strengths, key=lambda stem: (-row.strengths[stem], stem))[:PAGE_AS_FORM_STEMS]
            stems = spread_evenly([*strongest, *count_stems(text.title)])
            cost = PAGE_AS_FORM_COST / math.sqrt(often[text.domain])
            yield LabelledStems(stems, text.domain, text.topics, "beside", cost)


def _phrase_rows() -> Iterator[LabelledStems]:
    """Yield the phrases of descriptions as if they were forms."""
    for spec in read_specs():
        for phrase in spec.words:
            yield LabelledStems(
                spread_evenly(count_stems(phrase)), "words", frozenset([spec.label]), "words", FORM_WORD_COST
            )


def count_sites(corpus: TopicCorpus, label: str) -> int:
    """Return how many sites on a topic have a page in a corpus."""
    return len({text.domain for text in corpus.texts if label in text.topics and text.kind != "described"})
