"""What a form is for: a table of evidence and what models learned from labelled forms; services by what they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import orjson

from dowse.form.features import (
    BOUGHT,
    DOOR,
    PAGE_WORD,
    TYPE,
    Row,
    describe,
    page_facts,
    page_words,
    put_in_words,
    visible_fields,
)
from dowse.learn.softmax import SCALE, Softmax, read_softmax, to_odds
from dowse.model import Form, Judgement, Page
from dowse.words.lookup import concepts_of, words_of

# --- services
# What doors that are no HTML forms are for, where it is known from what they are.
#
# A standard's own service (OAI-PMH, SRU, CKAN) stands before a database and before nothing else. A
# description or a declared search mostly speaks of the whole site; unless its words say what is
# searched, when it is judged like any form.

_STANDARDS: dict[str, tuple[float, tuple[str, ...]]] = {
    "oai-pmh": (0.95, ("gives out its records by OAI-PMH, the protocol for harvesting metadata",)),
    "sru": (0.97, ("answers queries by SRU, the protocol of library catalogues",)),
    "ckan": (0.97, ("searches the datasets of a CKAN catalogue",)),
}
_DECLARED = {
    "opensearch": "an OpenSearch description says how the site is searched",
    "search-action": "the page declares how the site is searched",
}
_RECORDS = re.compile(
    r"catalog|librar|\bbooks?\b|\bjobs?\b|vacanc|\bcars?\b|vehicle|recipe|products?\b|articles?\b|journal|papers?\b|publication|patent|record"
    r"|dataset|statistic|propert(?:y|ies)|real estate|hotel|flight|events?\b|people|person|staff|species|genes?\b|protein|compound|dictionar|encyclop"
    r"|museum|artwork|photos?\b|images?\b|videos?\b|music|songs?\b|films?\b|movies?\b|maps?\b|laws?\b|court|compan(?:y|ies)|packages?\b|questions?\b"
    r"|bücher|bibliothek|stellen|rezept|produkt|artikel|livres?\b|emplois?|recettes?|libros?|empleos?|recetas?|libri|lavoro|ricette|boeken|vacatures"
    r"|książ|oferty|przepis|книг|ваканси|товар|рецепт",
    re.IGNORECASE,
)


def judge_made(form: Form) -> Judgement | None:
    """Judge a door by what it is made of, or return None where its words decide."""
    if form.made in _STANDARDS:
        sure, reasons = _STANDARDS[form.made]
        return Judgement("database", sure, reasons)
    if form.made == "openapi":
        return _judge_operation(form)
    if form.made not in _DECLARED or _says_what(form):
        return None
    return Judgement("site-search", 0.8, (_DECLARED[form.made], "no word on what is searched"))


def _says_what(form: Form) -> bool:
    """Say whether a declared search speaks of a collection, or asks several things."""
    if len(visible_fields(form)) > 1:
        return True
    said = f"{form.text} {form.name}"
    about = {concept for word in words_of(said) for concept in concepts_of(word)}
    return "site" not in about and ("catalogue" in about or bool(_RECORDS.search(said)))


def _judge_operation(form: Form) -> Judgement:
    """Judge an operation of a documented service: those that were read choose among records."""
    asked = visible_fields(form)
    reasons = ["a documented service that takes questions"]
    if any(field.type == "search" for field in asked):
        reasons.append("takes words to search for")
    if len(asked) > 1:
        reasons.append("several things can be asked")
    return Judgement("database", min(0.9, 0.6 + 0.15 * (len(reasons) - 1)), tuple(reasons))


# --- judge
# What a form is for: a table of evidence, and on top of it what models learned from labelled forms of the web.
#
# Three questions, each a softmax over the same facts: what sort of form it is (`type`); of a search, whether a
# database or the site's own pages are behind it (`door`); of something to buy, whether it is ordered or put together
# (`bought`). The models are plain data in `models/forms.json`; `dowse train forms` makes them again.

MODELS = Path(__file__).parent / "models" / "forms.json"
TYPES = ("search", "login", "recovery", "registration", "contact", "subscribe", "order", "other")
DOORS = ("database", "site-search")
BOUGHTS = ("order", "configure")
KIND_OF = {"recovery": "login"}  # types that are no kind of their own
TRUST = 0.7  # how far what was learned counts: the web is wider than the sites that were learned from
BENEFIT_OF_DOUBT = 0.75  # for databases, in logarithms of odds: to miss one costs more than to look at a site search
NO_REASON = "nothing says what it is for"
MOST_REASONS = 5
LEARNED_REASONS = 2  # of them from what was learned, when the table says little
SPEAKING = 0.3  # weight from which a learned fact is worth a word


class Models(NamedTuple):
    """What was learned."""

    type: Softmax
    door: Softmax
    bought: Softmax


@cache
def load_models() -> Models:
    """Return the models that come with Dowse."""
    data = orjson.loads(MODELS.read_bytes())
    return Models(*(read_softmax(data[name]) for name in Models._fields))


def judge_form(form: Form, page: Page, models: Models | None = None) -> Judgement:
    """Say what a form of a page is for, how sure that is, and why."""
    judgement = judge_made(form) or _judge(form, page, models or load_models())
    if judgement.searchable and not form.action and not form.template:
        return Judgement("other", judgement.probability, ("sends to no web address", *judgement.reasons)[:MOST_REASONS])
    return judgement


def _judge(form: Form, page: Page, models: Models) -> Judgement:
    facts, words = describe(form, page)
    odds, reasons = _answer(models.type, TYPE, facts, words)
    best = max(range(len(TYPES)), key=odds.__getitem__)
    sort = TYPES[best]
    if sort == "search":
        inner = (
            facts | set(page_facts(models.door.known(PAGE_WORD) & page_words(page))) if "asked 1" in facts else facts
        )
        split, more = _answer(models.door, DOOR, inner, words, (BENEFIT_OF_DOUBT, 0.0))
    elif sort == "order":
        split, more = _answer(models.bought, BOUGHT, facts, words)
    else:
        return Judgement(KIND_OF.get(sort, sort), odds[best], reasons)
    within = DOORS if sort == "search" else BOUGHTS
    second = max(range(len(within)), key=split.__getitem__)
    known = [reason for reason in (*more, *reasons) if reason != NO_REASON] or [NO_REASON]
    return Judgement(within[second], odds[best] * split[second], tuple(known[:MOST_REASONS]))


def weigh(rows: Sequence[Row], classes: Sequence[str], facts: set[str]) -> tuple[list[float], set[str], list[Row]]:
    """Return the points of a table for each class, the facts with its rows, and the rows that hold."""
    points = [0.0] * len(classes)
    holding = [row for row in rows if row.holds(facts)]
    for row in holding:
        points[classes.index(row.kind)] += row.points
    return points, facts | {row.reason for row in holding}, holding


def _answer(
    model: Softmax, rows: Sequence[Row], facts: set[str], words: set[str], given: Sequence[float] = ()
) -> tuple[list[float], tuple[str, ...]]:
    """Return the odds of each class and the reasons for the likeliest."""
    points, facts, holding = weigh(rows, model.classes, facts)
    if given:
        points = [value + extra for value, extra in zip(points, given, strict=True)]
    odds = to_odds(mix(points, model.score(facts, words)))
    best = max(range(len(odds)), key=odds.__getitem__)
    return odds, _give_reasons(model, best, facts, holding)


def mix(points: Sequence[float], learned: Sequence[float]) -> list[float]:
    """Return the points of a table and what was learned as one."""
    return [known + TRUST * found for known, found in zip(points, learned, strict=True)]


def _give_reasons(model: Softmax, best: int, facts: set[str], holding: Sequence[Row]) -> tuple[str, ...]:
    kind = model.classes[best]
    reasons = [row.reason for row in holding if row.kind == kind and row.points > 0]
    if len(reasons) >= LEARNED_REASONS:
        return tuple(reasons[:MOST_REASONS])
    least = SPEAKING * SCALE
    found = [(-row[best], fact) for fact in facts if (row := model.weights.get(fact)) and row[best] > least]
    learned = [words for _, fact in sorted(found) if (words := put_in_words(fact))]
    return tuple(dict.fromkeys([*reasons, *learned[:LEARNED_REASONS]])) or (NO_REASON,)
