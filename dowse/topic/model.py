"""A topic: a file one can share, and the probabilities that a page, a site or a form is on it.

The file is JSON: name, words, languages, how many examples it was learned from, the models (stems with weights) and the figures that were measured.
Topics that come with Dowse are in `shipped/`; others are named by their path.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec

from dowse.errors import BadInput
from dowse.learn.calibrate import Sigmoid, log_odds, logistic
from dowse.topic.text import Stems, read_form_stems, read_stems

SHIPPED = Path(__file__).parent / "shipped"
FORMAT = "dowse topic"
VERSION = 1
WEIGHT_SCALE = 1000  # weights are thousandths
# Known stems of a form that count as much as the page around it, and the most that a page says, in logarithms of odds. On forms of labelled pages more stems are
# better (without a bound 2 gave F1 0.60, 8 gave 0.78, 32 gave 0.90), but those are labelled by their site: a form to rent cars on a hotel's page has to stay one.
FORM_STEMS_AS_PAGE = 8.0
MAX_PAGE_ODDS = 4.0
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
    examples: dict[str, int] = {}  # learned from, by kind: pages, home pages, descriptions, forms, words
    page: StemWeights
    site_curve: Sigmoid  # of the same weights, for the text of a home page
    form: StemWeights
    figures: tuple[TopicFigures, ...] = ()

    def page_probability(self, title: str, text: str) -> float:
        """Return the probability that a page is on the topic."""
        return self.page.curve.probability(self.page.score(read_stems(title, text)))

    def site_probability(self, title: str, text: str) -> float:
        """Return the probability that the site of a home page is on the topic."""
        return self.site_curve.probability(self.page.score(read_stems(title, text)))

    def form_probability(self, form_text: str, page_text: str = "") -> float:
        """Return the probability that a form searches something on the topic; whether it searches at all is judged elsewhere.

        The form's own words decide (HIFI's second classifier), and the page around it the more, the fewer of them are known.
        """
        stems = read_form_stems(form_text)
        own = self.form.curve.probability(self.form.score(stems))
        if not page_text:
            return own
        known = self.form.count_known(stems)
        share = known / (known + FORM_STEMS_AS_PAGE)
        around = log_odds(self.page_probability("", page_text))
        bounded = max(-MAX_PAGE_ODDS, min(MAX_PAGE_ODDS, around))
        return logistic(share * log_odds(own) + (1 - share) * bounded)

    def figure(self, what: str) -> TopicFigures | None:
        """Return what was measured of pages, sites, forms or a description; None where nothing was."""
        return next((row for row in self.figures if row.what == what), None)

    @property
    def measured(self) -> str:
        """On how many sites it was measured, in words."""
        sites = max([row.sites for row in self.figures], default=0)
        return f"measured on {sites:,} sites" if sites else NOT_MEASURED


def list_shipped() -> list[str]:
    """Return the names of the topics that come with Dowse."""
    return sorted(path.stem.replace("-", " ") for path in SHIPPED.glob("*.json"))


def rank_topics(probability: Callable[[Topic], float]) -> list[dict[str, str | float]]:
    """Return the topics that come with Dowse with a probability each, the best first."""
    found = [(round(probability(topic), 4), topic.name) for topic in map(load_topic, list_shipped())]
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
