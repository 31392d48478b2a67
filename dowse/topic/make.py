"""Makes a topic from what a user gives: a few pages, a description, or both; everything else comes from the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dowse.errors import BadInput
from dowse.learn.calibrate import Sigmoid
from dowse.topic.background import Background
from dowse.topic.describe import add_size, label_sure, list_rivals, load_curves, read_description, weigh_match
from dowse.topic.fit import (
    FORM_COST,
    FORM_MIN_SITES,
    LIKELIER_FORMS,
    HeldOutScore,
    TopicExample,
    find_rarities,
    fit_curve,
    fit_weights,
    measure,
    score_held_out,
    to_stem_weights,
)
from dowse.topic.model import EvidenceCurve, StemWeights, Topic, TopicFigures, list_shipped, load_topic
from dowse.topic.text import count_stems, read_form_stems, read_stems, spread_evenly

MIN_PAGE_STEMS = 10  # distinct stems of an example that something can be learned from
MIN_LANGUAGE_SITES = 3  # of the background, for it to know a language
TELLING_STEMS = 20  # of examples, that describe their topic where no words were given
EXAMPLE_COST = 3.0  # of an example that was given, beside one that was found
PAGE_AS_FORM_STEMS = 60  # of a page, that are learned as those of a form
MAX_FORM_WEIGHTS = 4_000


@dataclass(frozen=True, slots=True)
class TopicPage:
    """A page that a user gives as an example of a topic, or of what it is not."""

    url: str
    site: str
    title: str
    text: str
    language: str = ""
    forms: tuple[str, ...] = ()  # the words of its search forms


@dataclass(frozen=True, slots=True)
class MadeTopic:
    """A topic and what its user should know about how it was made."""

    topic: Topic
    notes: tuple[str, ...] = ()
    found: int = 0  # texts of the background that were taken to be on it


def make_topic(
    name: str,
    words: Sequence[str],
    pages: Sequence[TopicPage],
    others: Sequence[TopicPage],
    background: Background,
) -> MadeTopic:
    """Make a topic from examples, a description or both."""
    given, notes = _read_examples(words, pages, others, background)
    texts = [one for one in background.examples() if one.kind != "form"]
    rarities = find_rarities(texts)
    described = list(words) or _describe_examples(given, rarities)
    description = read_description(described, rarities)
    known = any(stem in rarities for phrase in described for stem in count_stems(phrase))
    if not known and not any(one.positive for one in given):
        raise BadInput(
            f"none of the words stands on pages that Dowse knows ({_list_languages(background)}): give pages of the topic with --examples"
        )
    curves = load_curves()
    found = _find_likely(name, description, texts, rarities, curves.match)
    spoken = [replace(one, kind="words") for one in _speak(described)]
    learned = [*given, *found, *spoken]
    if not any(one.positive for one in [*given, *found]):
        notes.append(
            "no page that Dowse knows is likely on it: it is told by its words alone; give --examples to learn more"
        )
    scored = score_held_out(learned)
    counts = {
        "pages": sum(one.positive for one in given),
        "other pages": sum(not one.positive for one in given),
        "words": len(words),
        "found": sum(one.positive for one in found),
    }
    figures = _measure_given(scored, given)
    curve = fit_curve(scored) if len({one.example.positive for one in scored}) == 2 else Sigmoid(3.0, 0.0)
    topic = Topic(
        name=name,
        words=tuple(described),
        languages=tuple(dict.fromkeys(page.language for page in pages if page.language)) or ("en",),
        examples={what: count for what, count in counts.items() if count},
        pages=tuple(page.url for page in pages),
        other_pages=tuple(page.url for page in others),
        page=to_stem_weights(fit_weights(learned), curve),
        terms={"en": description} if words else {},
        # From words alone: as the topics that come with Dowse taught. With pages of enough sites: as those say.
        curves={} if figures or not words else add_size(curves.learned, description),
        form=_learn_forms(described, pages, [*given, *found], background),
        figures=tuple(row for row in [figures] if row),
    )
    return MadeTopic(topic, tuple(notes), counts["found"])


def _find_likely(
    name: str,
    description: Mapping[str, int],
    texts: Sequence[TopicExample],
    rarities: Mapping[str, float],
    curve: EvidenceCurve,
) -> list[TopicExample]:
    """Return the texts that surely match a description, better than those of other topics, and those that surely do not."""
    shipped = [read_description(load_topic(other).words, rarities) for other in list_shipped() if other != name]
    rivals = list_rivals(description, shipped)
    return label_sure(texts, [curve.odds(weigh_match(description, rivals, one.strengths)) for one in texts])


def _read_examples(
    words: Sequence[str], pages: Sequence[TopicPage], others: Sequence[TopicPage], background: Background
) -> tuple[list[TopicExample], list[str]]:
    """Return the examples that can be learned from, and what is to be said about them."""
    both = {page.url for page in pages} & {page.url for page in others}
    same = {page.text for page in pages} & {page.text for page in others} - {""}
    if both or same:
        what = min(both) if both else next(page.url for page in pages if page.text in same)
        raise BadInput(f"{what} is given as an example of the topic and of what it is not")
    notes = []
    given = []
    for page, positive in [*((page, True) for page in pages), *((page, False) for page in others)]:
        stems = read_stems(page.title, page.text)
        if len(stems.strengths) < MIN_PAGE_STEMS:
            notes.append(f"{page.url} has too few words to learn from")
        else:
            given.append(TopicExample(stems.strengths, page.site, positive, "page", EXAMPLE_COST))
    if not words and not any(one.positive for one in given):
        why = f"none of its {len(pages)} examples has words to learn from" if pages else "it has no example"
        raise BadInput(f"a topic needs pages or words: {why}; give --examples or --words")
    for language in dict.fromkeys(page.language for page in pages if page.language):
        if background.languages.get(language, 0) < MIN_LANGUAGE_SITES:
            known = _list_languages(background)
            notes.append(
                f"Dowse knows no other pages in the language {language!r} ({known}): what is only its language may count as the topic"
            )
    return given, notes


def _list_languages(background: Background) -> str:
    known = [language for language, sites in background.languages.items() if sites >= MIN_LANGUAGE_SITES]
    return f"it knows {', '.join(sorted(known))}"


def _describe_examples(given: Sequence[TopicExample], rarities: dict[str, float]) -> list[str]:
    """Return the stems that examples have in common and others do not."""
    shares: dict[str, float] = {}
    for one in given:
        for stem, strength in one.strengths.items():
            if stem in rarities:
                shares[stem] = shares.get(stem, 0.0) + (strength if one.positive else -strength) * rarities[stem]
    return sorted(shares, key=lambda stem: (-shares[stem], stem))[:TELLING_STEMS]


def _speak(words: Sequence[str]) -> list[TopicExample]:
    """Return each phrase of a description as a little example."""
    return [TopicExample(read_stems("", phrase).strengths, "words", True, "words", 0.5) for phrase in words]


def _measure_given(scored: Sequence[HeldOutScore], given: Sequence[TopicExample]) -> TopicFigures | None:
    """Measure the examples that were given, site by site, among the texts that were refused; None for too few sites."""
    own = {id(one) for one in given}
    return measure("page", [one for one in scored if id(one.example) in own or not one.example.positive])


def _learn_forms(
    words: Sequence[str], pages: Sequence[TopicPage], sure: Sequence[TopicExample], background: Background
) -> StemWeights:
    """Learn the words of forms: from those of the examples, from pages as if they were forms, and from the description."""
    found = [
        TopicExample(read_form_stems(form).strengths, page.site, True, "form", EXAMPLE_COST)
        for page in pages
        for form in page.forms
    ]
    found += [replace(one, strengths=_as_form(one), kind="form") for one in sure if one.kind != "described"]
    found += [TopicExample(spread_evenly(read_stems("", phrase).strengths), "words", True, "words") for phrase in words]
    described = {stem for phrase in words for stem in count_stems(phrase)}
    for one in background.examples():
        if one.kind == "form" and not one.strengths.keys() & described:
            found.append(one)
    scored = score_held_out(found, FORM_COST, FORM_MIN_SITES)
    curve = (
        fit_curve(scored, LIKELIER_FORMS) if len({one.example.positive for one in scored}) == 2 else Sigmoid(3.0, 0.0)
    )
    return to_stem_weights(fit_weights(found, FORM_COST, FORM_MIN_SITES), curve, MAX_FORM_WEIGHTS)


def _as_form(one: TopicExample) -> dict[str, float]:
    strongest = sorted(one.strengths, key=lambda stem: (-one.strengths[stem], stem))[:PAGE_AS_FORM_STEMS]
    return spread_evenly(strongest)
