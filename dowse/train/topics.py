"""Reads labelled texts and forms of real sites, trains the topics that come with Dowse, and measures them on sites they have not seen.

The data is not part of Dowse: `../shared/data` or the folder in `$DOWSE_DATA` has it, and its README says where each file comes from.
Only statistics of words leave it. A site is a registrable domain; no site is on both sides of a measurement.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import tarfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from dowse.errors import BadInput
from dowse.learn.calibrate import Sigmoid, fit_sigmoid
from dowse.model import Form, Page, Response
from dowse.page import read_page
from dowse.topic.background import Background, keep_strongest, pack_background
from dowse.topic.describe import self_train
from dowse.topic.fit import (
    FORM_COST,
    FORM_MIN_SITES,
    LIKELIER_FORMS,
    LIKELIER_SITES,
    MIN_MEASURED_SITES,
    MIN_SITES,
    TEXT_COST,
    Fitter,
    HeldOutScore,
    TopicExample,
    fit_curve,
    fold_of,
    make_figures,
    measure,
    score_held_out,
    to_stem_weights,
)
from dowse.topic.model import Topic, TopicFigures
from dowse.topic.text import count_stems, form_text, read_form_stems, read_stems, spread_evenly
from dowse.train.stem_table import StemTable
from dowse.url import registrable_domain, site_of

OTHER = "other"
SITE_PAGES = 12  # of one site that are read: a template says little more on its thirteenth page
TEXT_CHARACTERS = 20_000  # of a page that are read
SWDE_TOPICS = {"auto": "cars", "book": "books", "job": "jobs", "movie": "movies", "camera": OTHER}
WORDS = Path(__file__).parent / "topic_words.toml"
# What kinds of examples cost on the wrong side beside a page; chosen on held-out sites.
DESCRIBED_COST = 0.3
BESIDE_COST = 0.5
NAMES_COST = 0.1
WORD_COST = 0.05
FORM_WORD_COST = 0.1
BOX_COST = 0.1
PAGE_AS_FORM_COST = 0.3
PAGE_AS_FORM_STEMS = 60  # of a page that are learned as those of a form
MANY_FORM_STEMS = 6  # from which on a form on a page says more than that something is searched
MAX_FORM_WEIGHTS = 4_000
MIN_LANGUAGE_SITES = 3  # on a topic, for it to be trained in a language
DESCRIBED_IN_BACKGROUND = 250  # of each topic
DESCRIBE_FOLDS = 3  # in which topics from a description are measured
FORM_CURVE = Sigmoid(3.0, 0.0)  # where no form on the topic is known
UTF_8 = "text/html; charset=utf-8"  # whatever pages of formasaurus declare
MIN_CHARACTERS = 100  # of a page: from less nobody could tell what it is about
PORTALS = "described_sites.jsonl.gz"  # descriptions in English of portals in any language
PORTALS_READ = 1_500  # described sites of each source and topic: ten thousand portals are described in the same words


@dataclass(frozen=True, slots=True)
class LabelledText:
    """Words of a page or about a site, and what people say they are about."""

    kind: str  # page; home: the text of a home page; described: a title and a sentence or two
    source: str  # the file it stands in
    domain: str
    topics: frozenset[str]  # `other` alone where it is about none of them
    title: str
    text: str
    language: str = ""
    host: str = ""
    headings: str = ""
    description: str = ""  # what a page says of itself to search engines
    types: tuple[str, ...] = ()  # what it declares to be on it
    forms: tuple[str, ...] = ()  # the words of the search forms on the page


@dataclass(frozen=True, slots=True)
class LabelledFormText:
    """Words of a form, and what people say it searches."""

    source: str
    domain: str
    topic: str
    text: str


def find_folder() -> Path:
    """Return the folder of the real data."""
    folder = Path(os.environ.get("DOWSE_DATA") or Path(__file__).parents[2].parent / "shared" / "data")
    if not (folder / "topics").is_dir():
        raise BadInput(f"{folder} has no folder `topics` with labelled texts: set DOWSE_DATA")
    return folder


def read_texts(folder: Path) -> list[LabelledText]:
    """Return all labelled texts, of each site and kind no more than a few."""
    topics = folder / "topics"
    found = [
        *_read_archive(topics / "recipes_pages.tar.xz"),
        *_read_archive(topics / "topic_pages_misc.tar.xz"),
        *_read_archive(topics / "swde_other_pages.tar.xz"),
        *(text for name in SWDE_TOPICS for text in _read_swde(folder / "pages", name)),
        *_read_formasaurus(topics),
        *_read_rows(topics / "swde_other_text.jsonl.gz", "page"),
        *_read_rows(topics / "home_text.jsonl.gz", "home"),
        *_read_rows(topics / "catalogue_pages.jsonl.gz", "described"),
        *_read_rows(topics / "job_boards.jsonl.gz", "described"),
        *_read_rows(topics / "described_sites.jsonl.gz", "described"),
    ]
    return [text for text in _limit(found) if len(text.title + text.text) >= MIN_CHARACTERS or text.kind == "described"]


def _limit(texts: Iterable[LabelledText]) -> Iterator[LabelledText]:
    """Yield some texts of each site, and some of each source and topic."""
    often: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        site, source = (text.domain, text.kind), (text.source, *sorted(text.topics), text.kind)
        if often[site] < SITE_PAGES and (text.kind != "described" or often[source] < PORTALS_READ):
            often[site] += 1
            often[source] += 1
            yield text


def _read_archive(path: Path) -> Iterator[LabelledText]:
    """Yield the pages of an archive that begins with an index."""
    with tarfile.open(path) as archive:
        index: dict[str, dict[str, Any]] = {}
        for member in archive:
            body = archive.extractfile(member)
            if member.name == "index.jsonl" and body:
                index = {row["file"]: row for row in map(json.loads, body)}
            elif member.name in index and body:
                row = index[member.name]
                yield _read_text(row["url"] or row["domain"], body.read(), row["domain"], {row["topic"]}, path.name)


def _read_swde(folder: Path, name: str) -> Iterator[LabelledText]:
    """Yield some pages of each site of a SWDE vertical."""
    often: Counter[str] = Counter()
    with tarfile.open(folder / f"swde_{name}.tar.xz") as archive:
        for member in archive:
            site = member.name.split("/")[1].partition("(")[0].partition("-")[2] if member.isfile() else ""
            body = archive.extractfile(member) if site else None
            if not body or often[site] >= SITE_PAGES:
                continue
            often[site] += 1
            url = f"http://www.{site}.com/{name}/{member.name.split('/')[-1]}"
            yield _read_text(url, body.read(), f"{site}.com", {SWDE_TOPICS[name]}, f"swde_{name}")


def _read_formasaurus(folder: Path) -> Iterator[LabelledText]:
    """Yield the pages of the package formasaurus that were labelled by hand, or whose site is known to be about nothing of ours."""
    from dowse.train.forms import find_data

    data = find_data()
    by_hand = dict[str, str]()
    for line in (folder / "formasaurus_topics.tsv").read_text().splitlines()[1:]:
        file, _, _, topic = line.split("\t")
        by_hand[file] = topic
    others = _find_other_sites(folder / "site_categories.jsonl.gz")
    index: dict[str, dict[str, Any]] = json.loads((data / "index.json").read_text())
    for name, facts in index.items():
        domain = registrable_domain(site_of(facts["url"]).host)
        topic = by_hand.get(name) or (OTHER if domain in others else "")
        if topic:
            yield _read_text(facts["url"], (data / name).read_bytes(), domain, {topic}, "formasaurus", UTF_8)


def _find_other_sites(path: Path) -> set[str]:
    """Return the domains that a list of categories puts under none of the topics."""
    found: dict[str, set[str]] = {}
    for row in _read_lines(path):
        for domain in row.get("domains") or [row["domain"]]:
            found.setdefault(domain, set()).update(row["topics"])
    return {domain for domain, topics in found.items() if topics == {OTHER}}


def _read_text(
    url: str, body: bytes, domain: str, topics: set[str], source: str, content: str = "text/html"
) -> LabelledText:
    page = read_page(Response(_with_scheme(url), 200, (("content-type", content),), body))
    forms = tuple(form_text(form) for form in page.forms if _is_search(form, page))
    text = page.text[:TEXT_CHARACTERS]
    return LabelledText(
        "page", source, domain, frozenset(topics), page.title, text, page.language, site_of(page.url).host,
        page.headings, page.description, page.types, forms,
    )  # fmt: skip


def _is_search(form: Form, page: Page) -> bool:
    from dowse.form.judge import judge_form

    return judge_form(form, page).searchable


def _with_scheme(url: str) -> str:
    return url if "://" in url else f"http://{url}/"


def _read_rows(path: Path, kind: str) -> Iterator[LabelledText]:
    """Yield the texts of a file of JSON lines."""
    for row in _read_lines(path):
        topics = frozenset(row["topics"] if "topics" in row else [row["topic"]]) - {"unknown"}
        if not topics or (kind == "described" and not row.get("title")):  # of a list page only its site's name is known
            continue
        title = row.get("title") or row.get("site") or ""
        text = row.get("text") or " ".join(filter(None, [row.get("description"), row.get("container")]))
        language = row.get("language") or ""
        first = (language[0] if isinstance(language, list) else language).partition("-")[0].lower()
        code = first if len(first) == 2 else ""  # three letters are another code
        host = row.get("host") or row["domain"]
        yield LabelledText(kind, path.name, row["domain"], topics, title, text[:TEXT_CHARACTERS], code, host)


def _read_lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


# -- forms


def read_forms(folder: Path) -> list[LabelledFormText]:
    """Return the query interfaces of TEL-8 and the forms of OntoBuilder, in words."""
    topics = folder / "topics"
    found = []
    for row in _read_lines(topics / "query_interfaces_tel8.jsonl.gz"):
        words = [
            part
            for condition in row["attributes"]
            for part in [condition["label"], *(value for given in condition["inputs"] for value in given["values"])]
        ]
        found.append(LabelledFormText("tel8", row["domain"], row["topic"], " ".join(words)))
    for row in _read_lines(topics / "query_forms_ontobuilder.jsonl.gz"):
        words = [part for field in row["fields"] for part in [field["label"], field["field"], *field["values"]]]
        found.append(LabelledFormText("ontobuilder", row["domain"], row["topic"], " ".join(filter(None, words))))
    return found


# -- training


@dataclass(frozen=True, slots=True)
class TopicSpec:
    """A topic that comes with Dowse: its name, what the data calls it, and words that describe it."""

    name: str
    label: str
    words: tuple[str, ...]


def read_specs() -> list[TopicSpec]:
    """Return the topics that come with Dowse."""
    found = tomllib.loads(WORDS.read_text("utf-8"))
    return [
        TopicSpec(name, row.get("label", name), tuple(word.strip() for word in row["words"].split(",")))
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
class TopicCorpus:
    """Labelled texts and forms as stems, read once for all topics, and the tables that weights are fitted on."""

    texts: tuple[LabelledText, ...]
    text_rows: tuple[LabelledStems, ...]  # of the texts, in their order, then what is learned beside them
    form_rows: tuple[LabelledStems, ...]  # of the forms, in their order, then pages as forms
    form_sources: tuple[str, ...]  # of the forms
    text_table: StemTable
    form_table: StemTable


def read_corpus(
    folder: Path, texts: Sequence[LabelledText] = (), forms: Sequence[LabelledFormText] = ()
) -> TopicCorpus:
    """Read all labelled data, or take what was read before; a form of a page is labelled by its page, and counts once for each site."""
    texts = texts or read_texts(folder)
    forms = list(forms or read_forms(folder))
    for text in texts:
        if len(text.topics) == 1:
            forms += [LabelledFormText("page", text.domain, min(text.topics), one) for one in text.forms]
    forms = list(dict.fromkeys(forms))
    text_rows = [*_text_rows(texts), *_beside_rows(forms), *_word_rows(folder)]
    form_rows = [*_form_rows(forms), *_page_rows(texts, text_rows), *_phrase_rows()]
    tables = [StemTable([row.as_example(OTHER) for row in rows]) for rows in (text_rows, form_rows)]
    return TopicCorpus(tuple(texts), tuple(text_rows), tuple(form_rows), tuple(form.source for form in forms), *tables)


def _text_rows(texts: Sequence[LabelledText]) -> Iterator[LabelledStems]:
    """Yield texts; sites count alike."""
    often = Counter(text.domain for text in texts)
    for text in texts:
        cost = (DESCRIBED_COST if text.kind == "described" else 1.0) / math.sqrt(often[text.domain])
        yield LabelledStems(read_stems(text.title, text.text).strengths, text.domain, text.topics, text.kind, cost)


def _beside_rows(forms: Sequence[LabelledFormText]) -> Iterator[LabelledStems]:
    """Yield query forms as if they were texts: of some topics little else is known."""
    for form in forms:
        if form.source != "page" and form.topic != OTHER:
            stems = read_stems("", form.text).strengths
            yield LabelledStems(stems, form.domain, frozenset([form.topic]), "beside", BESIDE_COST)


def _word_rows(folder: Path) -> Iterator[LabelledStems]:
    """Yield what places of a topic are called in many languages, and the words of the descriptions."""
    named: dict[tuple[str, str], list[str]] = {}
    for row in _read_lines(folder / "topics" / "topic_words.jsonl.gz"):
        listed = [row["name"], *row["aliases"], *row["terms"]]
        named.setdefault((row["topic"], row["lang"]), []).extend(filter(None, listed))
    for (topic, language), words in named.items():
        stems = read_stems("", " ".join(words)).strengths
        yield LabelledStems(stems, f"words {language}", frozenset([topic]), "words", NAMES_COST)
    for spec in read_specs():
        for phrase in spec.words:
            stems = read_stems("", phrase).strengths
            yield LabelledStems(stems, "words", frozenset([spec.label]), "words", WORD_COST)


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
    for text, row in zip(texts, rows, strict=False):
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


def train_topic(corpus: TopicCorpus, spec: TopicSpec) -> Topic:
    """Fit a topic on all examples, with the figures of sites that were held out in turn."""
    texts = [row.as_example(spec.label) for row in corpus.text_rows]
    forms = [row.as_example(spec.label) for row in corpus.form_rows]
    fit_text, fit_form = corpus.text_table.fit, corpus.form_table.fit
    scored = score_held_out(texts, fit=fit_text)
    scored_forms = score_held_out(forms, FORM_COST, FORM_MIN_SITES, fit=fit_form)
    weights = fit_text(texts, TEXT_COST, MIN_SITES)
    form_weights = fit_form(forms, FORM_COST, FORM_MIN_SITES)
    pages = [one for one in scored if one.example.kind in ("page", "home")]
    sites = average_sites(pages)
    enough = len({one.example.site for one in pages if one.example.positive}) >= MIN_MEASURED_SITES
    measured = [
        measure("page", [one for one in scored if one.example.kind == "page"]),
        measure("site", sites, LIKELIER_SITES),
        measure("described", [one for one in scored if one.example.kind == "described"]),
        measure("form", scored_forms, LIKELIER_FORMS),
    ]
    languages = Counter(
        language
        for language, _ in {
            (text.language, text.domain)
            for text in corpus.texts
            if spec.label in text.topics and text.source != PORTALS
        }
        if language
    )
    return Topic(
        name=spec.name,
        words=spec.words,
        languages=tuple(language for language, count in languages.most_common() if count >= MIN_LANGUAGE_SITES)
        or ("en",),
        examples=_count_examples(texts, forms),
        page=to_stem_weights(weights, fit_curve(pages if enough else scored)),
        site_curve=fit_curve(sites if enough else scored, LIKELIER_SITES),
        form=to_stem_weights(
            form_weights,
            fit_curve(scored_forms, LIKELIER_FORMS) if _has_both(scored_forms) else FORM_CURVE,
            MAX_FORM_WEIGHTS,
        ),
        figures=tuple(row for row in measured if row),
    )


def _has_both(scored: Sequence[HeldOutScore]) -> bool:
    return len({one.example.positive for one in scored}) == 2


def _count_examples(texts: Sequence[TopicExample], forms: Sequence[TopicExample]) -> dict[str, int]:
    kinds = {"page": "pages", "home": "home pages", "described": "descriptions", "form": "forms", "words": "words"}
    counted = [*texts, *(one for one in forms if one.kind == "form")]
    counts = Counter(kinds[one.kind] for one in counted if one.positive and one.kind in kinds)
    return dict(sorted(counts.items()))


def average_sites(scored: Sequence[HeldOutScore]) -> list[HeldOutScore]:
    """Return one score for each site: of its home page where that is there, else the mean of its pages."""
    found: dict[str, list[HeldOutScore]] = {}
    for one in scored:
        found.setdefault(one.example.site, []).append(one)
    sites = []
    for rows in found.values():
        homes = [one for one in rows if one.example.kind == "home"] or rows
        first = next((one for one in homes if one.example.positive), homes[0])
        sites.append(HeldOutScore(first.example, first.fold, sum(one.score for one in homes) / len(homes)))
    return sites


def describe_alone(corpus: TopicCorpus, spec: TopicSpec) -> TopicFigures | None:
    """Measure pages of held-out sites by a topic that was made from its words alone and unlabelled texts of the other sites.

    Of the texts to learn from only what a background keeps is used, as by `dowse topic new`.
    """
    held_out = [row for row in corpus.text_rows if row.kind in ("page", "home")]
    sites = {row.site for row in held_out if spec.label in row.topics}
    if len(sites) < MIN_MEASURED_SITES:
        return None
    texts = [
        replace(row.as_example(""), strengths=keep_strongest(row.strengths))
        for row in _choose_background(corpus)
        if row.kind != "form"
    ]
    fit = StemTable(texts).fit
    rivals = [each.words for each in read_specs() if each.name != spec.name]
    said: list[float] = []
    true: list[bool] = []
    for fold in range(DESCRIBE_FOLDS):
        pool = [one for one in texts if fold_of(one.site, DESCRIBE_FOLDS) != fold]
        held = [row for row in held_out if fold_of(row.site, DESCRIBE_FOLDS) == fold]
        probability = describe_topic(spec.words, pool, rivals, fit)
        said += [probability(row.strengths) for row in held]
        true += [spec.label in row.topics for row in held]
    return make_figures("description", len(sites), said, true)


def describe_topic(
    words: Sequence[str], pool: Sequence[TopicExample], rivals: Sequence[Sequence[str]], fit: Fitter
) -> Callable[[Mapping[str, float]], float]:
    """Return what gives the probability of a text by a description and unlabelled texts."""
    sure = self_train(words, pool, rivals, fit=fit)
    scored = score_held_out(sure, fit=fit)
    curve = fit_sigmoid([one.score for one in scored], [one.example.positive for one in scored])
    weights = fit(sure, TEXT_COST, MIN_SITES)
    return lambda strengths: curve.probability(weights.score(strengths))


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
    for row in corpus.text_rows[: len(corpus.texts)]:
        if row.kind == "described":
            described[min(row.topics)] += 1
        if row.kind != "described" or described[min(row.topics)] <= DESCRIBED_IN_BACKGROUND:
            rows.append(row)
    return rows + [row for row in corpus.form_rows if row.kind == "form"]
