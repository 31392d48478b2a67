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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dowse.errors import BadInput
from dowse.learn.calibrate import Sigmoid, logistic
from dowse.learn.svm import LinearScore
from dowse.model import Form, Page, Response
from dowse.page import read_page
from dowse.topic.background import Background, keep_strongest, pack_background, write_background
from dowse.topic.describe import DescriptionCurves, label_sure, read_description
from dowse.topic.fit import (
    FOLDS,
    FORM_COST,
    FORM_MIN_SITES,
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
    score_held_out,
    to_stem_weights,
)
from dowse.topic.model import WEIGHT_SCALE, EvidenceCurve, StemWeights, Topic, TopicFigures, match_terms, write_topic
from dowse.topic.text import (
    PageStems,
    count_stems,
    form_text,
    read_form_stems,
    read_head_stems,
    read_host_grams,
    read_stems,
    spread_evenly,
    term_key,
)
from dowse.train.stem_table import StemTable
from dowse.url import registrable_domain, site_of

OTHER = "other"
SITE_PAGES = 12  # of one site that are read: a template says little more on its thirteenth page
TEXT_CHARACTERS = 20_000  # of a page that are read
SWDE_TOPICS = {"auto": "cars", "book": "books", "job": "jobs", "movie": "movies", "camera": OTHER}
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
MANY_FORM_STEMS = 6  # from which on a form on a page says more than that something is searched
# Weights of a topic that are kept, the largest: with all of them held-out figures are the same within 0.01.
MAX_BODY_WEIGHTS, MAX_HEAD_WEIGHTS, MAX_HOST_WEIGHTS, MAX_FORM_WEIGHTS = 6_000, 3_000, 4_000, 4_000
NAME_COST, BRAND_COST, TERMS_COST = (
    0.5,
    0.3,
    0.3,
)  # of the name of a site, of a brand, and of the terms of a language, beside a page
EVIDENCE = ("body", "head", "host", "terms", "head terms", "words", "head words")
MISSING = {
    "head": -1.0,
    "host": -1.0,
}  # what a page without it is taken to have: the score of most pages that are not on a topic
# What weights of evidence cost away from zero, those of a topic away from those of all, and its offset. Of 0.3, 1, 3 and 10 for a topic's, 10 was as good as any.
POOL_PENALTY, TOPIC_PENALTY, OFFSET_PENALTY = 0.05, 10.0, 0.3
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

    def fit_all(self, label: str) -> LinearScore:
        """Return the weights of all examples."""
        return self.fit([row.as_example(label) for row in self.rows], self.cost, self.min_sites)


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
    texts = [text for text in texts or read_texts(folder) if keep(text.domain)]
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
    for text in texts:
        by_host.setdefault(text.host, (text.domain, text.topics))
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


@dataclass(frozen=True, slots=True)
class LabelledName:
    """A site that only its name or its host is known of, or a brand, and what people say it is about."""

    name: str
    host: str
    domain: str
    topics: frozenset[str]


def read_names(folder: Path) -> Iterator[LabelledName]:
    """Yield names of sites and brands, and hosts by category."""
    topics = folder / "topics"
    for row in _read_lines(topics / "job_boards.jsonl.gz"):
        yield LabelledName("", row["host"], row["domain"], frozenset(["jobs"]))
    for row in _read_lines(topics / "site_categories.jsonl.gz"):
        host = row["domain"] if row.get("ambiguous") else row["name"].replace(" ", ".")
        yield LabelledName("", host, row["domain"], frozenset(row["topics"]))
    for row in _read_lines(topics / "search_sites.jsonl.gz"):
        yield LabelledName(row["name"], row["host"], row["domain"], frozenset([row["topic"]]))
    for row in _read_lines(topics / "brand_names.jsonl.gz"):
        yield LabelledName(row["name"], "", f"{row['name'].casefold()}.example", frozenset([row["topic"]]))


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
    for row in _read_lines(folder / "topics" / "topic_words.jsonl.gz"):
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


# -- what all kinds of evidence say together


Evidence = dict[str, list[dict[str, float]]]  # by topic, for each text of a corpus: what each kind of evidence says


def gather_evidence(corpus: TopicCorpus) -> Evidence:
    """Score all texts by each kind of evidence, by weights that were fitted without their sites."""
    found = {}
    for label in corpus.labels:
        body, head, host = _by_row(corpus.body, label), _by_row(corpus.head, label), _by_row(corpus.host, label)
        terms = Topic(name=label, words=(), page=NO_WEIGHTS, form=NO_WEIGHTS, terms=corpus.terms[label])
        rows = []
        for number, (text, stems) in enumerate(zip(corpus.texts, corpus.stems, strict=True)):
            row = {**terms.weigh_evidence(stems), "body": body[number]}
            if stems.head:
                row["head"] = head[number]
            if stems.host:
                row["host"] = host[corpus.hosts[text.host]]
            rows.append(row)
        found[label] = rows
    return found


def _by_row(table: EvidenceTable, label: str) -> dict[int, float]:
    place = {id(row.strengths): number for number, row in enumerate(table.rows)}
    return {place[id(one.example.strengths)]: one.score for one in table.score_held_out(label)}


def fit_curves(corpus: TopicCorpus, held: Evidence, leave_out: int = -1) -> dict[str, dict[str, EvidenceCurve]]:
    """Return for each topic the curves of all choices of kinds; sites of one fold may be left out.

    Weights are fitted for all topics with pages together, then for each one drawn towards those: a topic with eight sites takes most from the others. Of topics
    without pages only descriptions are known, and theirs are fitted on those.
    """
    import numpy as np

    texts = corpus.texts
    often = Counter((text.domain, text.kind == "described") for text in texts)
    known = [number for number, text in enumerate(texts) if fold_of(text.domain) != leave_out]
    pages = [number for number in known if texts[number].kind != "described"]
    curves: dict[str, dict[str, EvidenceCurve]] = {label: {} for label in corpus.labels}
    with_pages = [label for label in corpus.labels if _count_sites(corpus, label) >= MIN_MEASURED_SITES]
    for lacking in ((), ("host",), ("head",), ("head", "host")):
        names = [name for name in EVIDENCE if name.split()[0] not in lacking]

        def read_rows(label: str, names: Sequence[str] = names) -> tuple[Any, Any, Any]:
            rows = pages if label in with_pages else known
            evidence = [held[label][row] for row in rows]
            return (
                np.array([[one.get(name, MISSING.get(name, 0.0)) for name in names] for one in evidence]),
                np.array([label in texts[row].topics for row in rows], dtype=float),
                np.array([often[texts[row].domain, texts[row].kind == "described"] ** -0.5 for row in rows]),
            )

        matrix, truth, shares = map(np.concatenate, zip(*map(read_rows, with_pages), strict=True))
        prices = np.full(len(names) + 1, POOL_PENALTY)
        together = fit_logistic(matrix, truth, shares, np.zeros(len(names) + 1), prices)
        there = " ".join(kind for kind in ("head", "host") if kind not in lacking)
        for label in corpus.labels:
            own = fit_logistic(*read_rows(label), together, np.array([*[TOPIC_PENALTY] * len(names), OFFSET_PENALTY]))
            weights = dict(zip(names, own[:-1].round(3).tolist(), strict=True))
            curves[label][there] = EvidenceCurve(round(float(own[-1]), 3), weights)
    return curves


def _count_sites(corpus: TopicCorpus, label: str) -> int:
    return len({text.domain for text in corpus.texts if label in text.topics and text.kind != "described"})


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


def judge_held_out(corpus: TopicCorpus, held: Evidence, without: Sequence[str] = ()) -> dict[str, list[float]]:
    """Return the odds of each text by topic, in logarithms, from weights and curves that were fitted without its site.

    Kinds of evidence can be left out, as if pages did not have them.
    """
    found: dict[str, list[float]] = {label: [0.0] * len(corpus.texts) for label in corpus.labels}
    for fold in range(FOLDS):
        curves = fit_curves(corpus, held, fold)
        for number, text in enumerate(corpus.texts):
            if fold_of(text.domain) == fold:
                for label in corpus.labels:
                    row = {name: score for name, score in held[label][number].items() if name.split()[0] not in without}
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


def train_topics(corpus: TopicCorpus) -> Iterator[Topic]:
    """Fit all topics on all examples, with the figures of sites that were held out in turn."""
    held = gather_evidence(corpus)
    odds = judge_held_out(corpus, held)
    figures = measure_texts(corpus, odds)
    curves = fit_curves(corpus, held)
    type_odds = fit_type_odds(corpus, odds)
    for spec in read_specs():
        topic = _train_topic(corpus, spec, curves[spec.label], figures[spec.label])
        yield msgspec.structs.replace(topic, types=spec.types, type_odds=type_odds)


def _train_topic(
    corpus: TopicCorpus, spec: TopicSpec, curves: dict[str, EvidenceCurve], figures: Sequence[TopicFigures]
) -> Topic:
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
        page=to_stem_weights(corpus.body.fit_all(spec.label), Sigmoid(alone.weights["body"], alone.offset)),
        head=to_stem_weights(corpus.head.fit_all(spec.label), NO_WEIGHTS.curve),
        host=to_stem_weights(corpus.host.fit_all(spec.label), NO_WEIGHTS.curve),
        terms=corpus.terms[spec.label],
        curves=curves,
        form=to_stem_weights(corpus.forms.fit_all(spec.label), form_curve),
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
            figures[one.label].append(make_figures(what, _count_sites(corpus, one.label), said, true))
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
        if _count_sites(corpus, spec.label) < MIN_MEASURED_SITES:
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
    for topic in train_topics(corpus):
        if not names or topic.name in names:
            figures = (*topic.figures, *described.figures[labels[topic.name]])
            whole = msgspec.structs.replace(topic, figures=figures)
            write_topic(whole, folder / f"{topic.name.replace(' ', '-')}.json")
            yield whole
