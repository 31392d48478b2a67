"""A topic: a file one can share, and the probabilities that a page, a site or a form is on it.

The file is JSON: name, words, languages, how many examples it was learned from, the models (stems with weights) and the figures that were measured.
Topics that come with Dowse are in `shipped/`; others are named by their path.

What a page says comes in several kinds: the words of its body, of its head (title, headings, description), the letters of its host's name, and terms of the
topic in the language of the page. Each gives a score, and a curve adds them up; there is one curve for each choice of kinds that a page may lack.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

import msgspec

from dowse.errors import BadInput
from dowse.learn.calibrate import Sigmoid, log_odds, logistic
from dowse.model import Page
from dowse.topic.text import (
    PageStems,
    Stems,
    host_of,
    read_form_stems,
    read_head_stems,
    read_host_grams,
    read_page_stems,
    read_stems,
    term_key,
)

SHIPPED = Path(__file__).parent / "shipped"
FORMAT = "dowse topic"
VERSION = 2
WEIGHT_SCALE = 1000  # weights are thousandths
FORM_STEMS = 8.0  # of a form that are known, or not known, for them to have half of their weight
MAX_FORM_ODDS, MAX_PAGE_ODDS = 6.0, 4.0  # that the words of a form and its page say at most, in logarithms
SHARED_WORDS = 0.3  # part of a topic's words from which on another is about the same, and no rival
NOT_MEASURED = "not measured"


class StemWeights(msgspec.Struct, frozen=True):
    """What each stem adds to a score, in thousandths, and the curve that turns scores into probabilities."""

    bias: int
    curve: Sigmoid
    weights: dict[str, int]

    def score(self, stems: Stems) -> float:
        """Return how far a text is on the side of the topic."""
        known = self.weights.get
        return (
            sum([known(stem, 0) * strength for stem, strength in stems.strengths.items()]) + self.bias
        ) / WEIGHT_SCALE

    def count_known(self, stems: Stems) -> int:
        """Return how many stems of a text are weighed."""
        return sum([stem in self.weights for stem in stems.strengths])


class EvidenceCurve(msgspec.Struct, frozen=True):
    """What each kind of evidence adds to the logarithm of the odds."""

    offset: float
    weights: dict[str, float]

    def odds(self, evidence: Mapping[str, float]) -> float:
        """Return the logarithm of the odds that a page is on the topic."""
        return self.offset + sum([weight * evidence[name] for name, weight in self.weights.items() if name in evidence])


class TopicFigures(msgspec.Struct, frozen=True):
    """How well texts of sites that were held out are told: one row for pages, sites, forms, or from a description alone."""

    what: str  # page, site, described (title and abstract), form, description (pages, by a topic made from its words alone)
    sites: int  # on the topic that were held out in turn
    examples: int  # on the topic
    others: int  # not on it
    precision: float
    recall: float
    f1: float
    calibration_error: float


class Topic(msgspec.Struct, frozen=True, kw_only=True):
    """What a page, a site and a form on a topic look like."""

    format: str = FORMAT
    version: int = VERSION
    name: str
    words: tuple[str, ...]  # that describe it
    languages: tuple[str, ...] = ()  # of its examples, two letters each
    examples: dict[str, int] = {}  # learned from, by kind: pages, home pages, descriptions, forms, hosts, words
    pages: tuple[
        str, ...
    ] = ()  # that its user gave, as files and addresses, so that it can be made again with more of them
    other_pages: tuple[str, ...] = ()
    page: StemWeights  # of the words of pages; its curve is for words alone, without any of what follows
    form: StemWeights
    head: StemWeights | None = None  # of titles, headings and descriptions
    host: StemWeights | None = None  # of letters in a row of hosts' names
    terms: dict[str, dict[str, int]] = {}  # by language: first letters of stems, in thousandths
    curves: dict[str, EvidenceCurve] = {}  # by which of head and host are there
    types: tuple[str, ...] = ()  # that pages on it declare, as schema.org names them
    type_odds: float = 0.0  # what declaring one of them adds, in logarithms
    figures: tuple[TopicFigures, ...] = ()

    def page_probability(self, title: str, text: str, url: str = "") -> float:
        """Return the probability that a page is on the topic, by its title and its words."""
        head = read_head_stems(title, text) if title else Stems({}, 0)
        host = read_host_grams(host_of(url))
        return logistic(self.judge_stems(PageStems(read_stems(title, text), head, host)))

    def judge_page(self, page: Page) -> float:
        """Return the probability that a page is on the topic, by all that it says."""
        return logistic(self.judge_stems(read_page_stems(page)))

    def judge_stems(self, stems: PageStems) -> float:
        """Return the logarithm of the odds that a page is on the topic."""
        evidence = self.weigh_evidence(stems)
        is_there = {"head": bool(stems.head), "host": bool(self.host and stems.host)}
        curve = self.curves.get(" ".join([kind for kind, there in is_there.items() if there]))
        declared = self.type_odds if self.type_odds and not set(self.types).isdisjoint(stems.types) else 0.0
        if curve is None:
            return self.page.curve.slope * evidence["body"] + self.page.curve.offset + declared
        return curve.odds(evidence) + declared

    def weigh_evidence(self, stems: PageStems) -> dict[str, float]:
        """Return the score of each kind of evidence that a page has."""
        found = {"body": self.page.score(stems.body)}
        if self.head and stems.head:
            found["head"] = self.head.score(stems.head)
        if self.host and stems.host:
            found["host"] = self.host.score(stems.host)
        english = self.terms.get("en", {})
        own = {} if stems.language == "en" else self.terms.get(stems.language, {})
        kind, terms = ("terms", {**english, **own}) if own else ("words", english)
        if terms:
            found[kind] = _match_by_term(terms, stems.body.by_term)
            if stems.head:
                found[f"head {kind}"] = _match_by_term(terms, stems.head.by_term)
        return found

    def form_probability(self, form_text: str, around: Page | str = "") -> float:
        """Return the probability that a form searches something on the topic; whether it searches at all is judged elsewhere.

        The form's own words decide (HIFI's second classifier), and the page around it the more, the fewer words the form has and the less they speak for
        another of the topics that come with Dowse.
        """
        stems = read_form_stems(form_text)
        own = self.form_odds(stems)
        if not around:
            return logistic(own)
        on_page = (
            self.judge_stems(read_page_stems(around))
            if isinstance(around, Page)
            else log_odds(self.page_probability("", around))
        )
        rivals = find_rivals(self.name, self.words)
        rival = max([odds for name, odds in _judge_form(form_text) if name in rivals], default=0.0)
        known = self.form.count_known(stems)
        return logistic(FORM_ON_PAGE.odds(weigh_form(own, rival, known, len(stems.strengths), on_page)))

    def form_odds(self, stems: Stems) -> float:
        """Return the logarithm of the odds that a form is on the topic, by its own words."""
        return log_odds(self.form.curve.probability(self.form.score(stems)))

    def figure(self, what: str) -> TopicFigures | None:
        """Return what was measured of pages, sites, forms or a description; None where nothing was."""
        return next((row for row in self.figures if row.what == what), None)

    @property
    def measured(self) -> str:
        """On how many sites it was measured, in words, and on what, where it was not on pages or home pages."""
        sites = max([row.sites for row in self.figures if row.what in ("page", "site")], default=0)
        if sites:
            return f"measured on {sites:,} sites"
        beside = {"form": "forms", "described": "titles with abstracts"}
        parts = [f"{beside[row.what]} of {row.sites:,} sites" for row in self.figures if row.what in beside]
        return f"measured on {' and '.join(parts)}, not on pages" if parts else NOT_MEASURED


def _match_by_term(terms: Mapping[str, int], by_term: Mapping[str, float]) -> float:
    """Return what `match_terms` does, of stems that were looked up before: a page has many, a topic few."""
    found = by_term.get
    return math.sqrt(sum([weight * found(key, 0.0) for key, weight in terms.items()]) / WEIGHT_SCALE)


def match_terms(terms: Mapping[str, int], strengths: Mapping[str, float]) -> float:
    """Return how far stems match terms, as a square root: what many terms add to a few is little."""
    known = terms.get
    return math.sqrt(sum([known(term_key(stem), 0) * strength for stem, strength in strengths.items()]) / WEIGHT_SCALE)


# What the words of a form and the page around it say together, for all topics alike: fitted by `bench topics` on the search forms of labelled pages, and on forms of
# known topics put onto pages of theirs and of others, of which one in ten is taken to be on a page about something else.
FORM_ON_PAGE = EvidenceCurve(
    1.25,
    {
        "form": 0.76, "page": 1.4, "known form": 0.75, "known page": -0.44, "unknown page": -0.69, "rival page": 0.23, "rival on page": -0.46,
    },
)  # fmt: skip


def weigh_form(form_odds: float, rival_odds: float, known: int, stems: int, page_odds: float) -> dict[str, float]:
    """Return what speaks for a form being on a topic: its own words and the page, as far as words are known, not known, and those of another topic."""
    own = max(-MAX_FORM_ODDS, min(MAX_FORM_ODDS, form_odds))
    page = max(-MAX_PAGE_ODDS, min(MAX_PAGE_ODDS, page_odds))
    rival = max(0.0, min(MAX_FORM_ODDS, rival_odds))
    share, unknown = known / (known + FORM_STEMS), (stems - known) / (stems - known + FORM_STEMS)
    return {
        "form": own, "page": page, "known form": share * own, "known page": share * page, "unknown page": unknown * page,
        "rival page": rival * page, "rival on page": rival * max(0.0, page),
    }  # fmt: skip


@lru_cache(maxsize=64)
def find_rivals(name: str, words: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the topics that come with Dowse and are about something else than one with this name and these words."""
    topics = [topic for topic in map(load_topic, list_shipped()) if topic.name != name]
    shared = {
        topic.name: len(set(words) & set(topic.words)) / min(len(words) or 1, len(topic.words)) for topic in topics
    }
    return frozenset(other for other, share in shared.items() if share < SHARED_WORDS)


@lru_cache(maxsize=8)
def _judge_form(form_text: str) -> tuple[tuple[str, float], ...]:
    """Return what the words of a form say of each topic that comes with Dowse: once for all topics that it is judged by."""
    stems = read_form_stems(form_text)
    return tuple((name, load_topic(name).form_odds(stems)) for name in list_shipped())


def list_shipped() -> list[str]:
    """Return the names of the topics that come with Dowse."""
    return sorted(path.stem.replace("-", " ") for path in SHIPPED.glob("*.json") if path.stem != "description")


def rank_topics(probability: Callable[[Topic], float], own: Sequence[Topic] = ()) -> list[dict[str, str | float]]:
    """Return one's own topics and those that come with Dowse with a probability each, the best first."""
    judged = {topic.name: topic for topic in [*map(load_topic, list_shipped()), *own]}
    found = [(round(probability(topic), 4), name) for name, topic in judged.items()]
    return [{"name": name, "probability": chance} for chance, name in sorted(found, key=lambda row: (-row[0], row[1]))]


def load_topic(name_or_path: str | Path) -> Topic:
    """Return a topic that comes with Dowse by its name, or one from a file."""
    name = str(name_or_path)
    if "/" not in name and not name.endswith(".json"):
        shipped = SHIPPED / f"{name.strip().lower().replace(' ', '-')}.json"
        if shipped.is_file():
            return _load_shipped(shipped)
        if not Path(name).is_file():
            known = ", ".join(list_shipped())
            raise BadInput(f"there is no topic {name!r}; there are {known}; or give the file of `dowse topic new`")
    return read_topic(Path(name))


@cache
def _load_shipped(path: Path) -> Topic:
    return read_topic(path)


class _Head(msgspec.Struct, frozen=True):
    """What tells whose file it is."""

    format: str = ""
    version: int = 0


def read_topic(path: Path) -> Topic:
    """Read the file of a topic; one line says why it cannot be used."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None
    try:
        head = msgspec.json.decode(content, type=_Head)
    except msgspec.MsgspecError as error:
        raise BadInput(f"{path} is not the file of a topic: {error}") from None
    if head.format != FORMAT:
        raise BadInput(f"{path} is not the file of a topic of Dowse: it does not begin with the format {FORMAT!r}")
    if head.version != VERSION:
        raise BadInput(
            f"{path} is a topic of version {head.version}; this Dowse reads version {VERSION}: make it again"
        )
    try:
        return msgspec.json.decode(content, type=Topic)
    except msgspec.MsgspecError as error:
        raise BadInput(f"{path} is a damaged file of a topic: {error}") from None


def write_topic(topic: Topic, path: Path) -> int:
    """Write a topic and return the bytes."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.write_bytes(msgspec.json.encode(topic) + b"\n")
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from None
