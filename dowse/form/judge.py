"""What a form is for: a table of evidence, and on top of it what models learned from labelled forms of the web.

Three questions, each a softmax over the same facts: what sort of form it is (`type`); of a search, whether a database or
the site's own pages are behind it (`door`); of something to buy, whether it is ordered or put together (`bought`). The models are plain data in
`models/forms.json`; `dowse train forms` makes them again. Services that are no HTML forms are judged by what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from dowse.form.features import (
    BOUGHT,
    DOOR,
    SHOWN_REASONS,
    TYPE,
    Evidence,
    describe,
    page_facts,
    put_in_words,
    visible_fields,
)
from dowse.learn.linear import SOFTMAX_SCALE, Softmax, to_odds
from dowse.model import Form, Judgement, Page
from dowse.words.lookup import anywhere, concepts_of, words_of

MODELS = Path(__file__).parent / "models" / "forms.json"
TYPES = ("search", "login", "recovery", "registration", "contact", "subscribe", "order", "other")
DOORS = ("database", "site-search")
BOUGHTS = ("order", "configure")
KIND_OF = {"recovery": "other"}  # types that are no kind of their own
TRUST = 0.7  # how far what was learned counts on top of a table: the web is wider than the sites that were learned from
NO_REASON = "nothing says what it is for"
MAX_REASONS = 5  # reasons that are kept
MAX_LEARNED_REASONS = 2  # of them from what was learned, when the table says little
MIN_LEARNED_WEIGHT = 0.3  # in logarithms of odds, from which a learned fact is a reason

# A standard's own service stands before a database and before nothing else.
_STANDARDS: dict[str, Judgement] = {
    "oai-pmh": Judgement("database", 0.95, ("gives out its records by OAI-PMH, the protocol for harvesting metadata",)),
    "sru": Judgement("database", 0.97, ("answers queries by SRU, the protocol of library catalogues",)),
    "ckan": Judgement("database", 0.97, ("searches the datasets of a CKAN catalogue",)),
}
# A description or a declared search mostly speaks of the whole site; unless its words say what is searched, when it is
# judged like any form.
_DECLARED = {
    "opensearch": "an OpenSearch description says how the site is searched",
    "search-action": "the page declares how the site is searched",
}


class Models(msgspec.Struct, frozen=True):
    """What was learned."""

    type: Softmax
    door: Softmax
    bought: Softmax


@cache
def load_models() -> Models:
    """Return the models that come with Dowse."""
    return msgspec.json.decode(MODELS.read_bytes(), type=Models)


class _LastPage:
    """What the page that was judged last says: the search forms of a page are judged one after the other."""

    def __init__(self) -> None:
        self._kept: tuple[Page, Softmax, set[str]] | None = None

    def facts(self, page: Page, model: Softmax) -> set[str]:
        """Return the facts of a page that a model may know, found once."""
        kept = self._kept
        if kept is None or kept[0] is not page or kept[1] is not model:
            kept = self._kept = (page, model, page_facts(page, model.known))
        return kept[2]


_LAST_PAGE = _LastPage()


def judge_form(form: Form, page: Page, models: Models | None = None) -> Judgement:
    """Return what a form of a page is for, with its probability and the reasons."""
    judgement = judge_service(form)
    if judgement is None:
        models = models or load_models()
        facts, words = describe(form, page)
        odds, reasons = _answer(models.type, TYPE, facts, words)
        probability = max(odds)
        sort = TYPES[odds.index(probability)]
        kinds: tuple[str, ...] = (KIND_OF.get(sort, sort),)
        if sort == "other" and "only view controls" in facts:
            kinds = ("configure",)
        split: list[float] = [1.0]
        more: tuple[str, ...] = ()
        # of what is searched or bought it is asked on
        if sort == "search":
            facts = facts | _LAST_PAGE.facts(page, models.door)
            kinds, (split, more) = DOORS, _answer(models.door, DOOR, facts, words)
        elif sort == "order":
            kinds, (split, more) = BOUGHTS, _answer(models.bought, BOUGHT, facts, words)
        share = max(split)
        known = [reason for reason in (*more, *reasons) if reason != NO_REASON] or [NO_REASON]
        judgement = Judgement(kinds[split.index(share)], probability * share, tuple(known[:MAX_REASONS]))
    if judgement.searchable and not form.action and not form.template:
        return Judgement("other", judgement.probability, ("sends to no web address", *judgement.reasons)[:MAX_REASONS])
    return judgement


def judge_service(form: Form) -> Judgement | None:
    """Judge a door by what it is made of, or return None where its words decide."""
    if form.made in _STANDARDS:
        return _STANDARDS[form.made]
    if form.made == "openapi":  # only operations that choose among records become doors
        asked = visible_fields(form)
        reasons = ["a documented service that takes questions"]
        if any(field.type == "search" for field in asked):
            reasons.append("takes words to search for")
        if len(asked) > 1:
            reasons.append("has several fields to search by")
        return Judgement("database", min(0.9, 0.6 + 0.15 * (len(reasons) - 1)), tuple(reasons))
    if form.made not in _DECLARED or len(visible_fields(form)) > 1:
        return None
    said = f"{form.text} {form.name}"
    about = {concept for word in words_of(said) for concept in concepts_of(word)}
    if "site" not in about and ("catalogue" in about or anywhere("kind of records").search(said.lower())):
        return None
    return Judgement("site-search", 0.8, (_DECLARED[form.made], "no word on what is searched"))


def _answer(
    model: Softmax, rows: Sequence[Evidence], facts: set[str], words: set[str]
) -> tuple[list[float], tuple[str, ...]]:
    """Return the odds of each class and the reasons for the likeliest."""
    points, facts, holding = weigh(rows, model.classes, facts)
    odds = to_odds(mix(rows, points, model.score(facts, words)))
    best = odds.index(max(odds))
    # the rows that speak for it; where they are few, what was learned to speak most for it
    speaking = [row.reason for row in holding if row.kind == model.classes[best] and row.points > 0]
    reasons = [SHOWN_REASONS.get(reason, reason) for reason in speaking]
    if len(reasons) >= MAX_LEARNED_REASONS:
        return odds, tuple(reasons[:MAX_REASONS])
    least = MIN_LEARNED_WEIGHT * SOFTMAX_SCALE
    found = [(-row[best], fact) for fact in facts if (row := model.weights.get(fact)) and row[best] > least]
    learned = [said for _, fact in sorted(found) if (said := put_in_words(fact))]
    return odds, tuple(dict.fromkeys([*reasons, *learned[:MAX_LEARNED_REASONS]])) or (NO_REASON,)


def weigh(
    rows: Sequence[Evidence], classes: Sequence[str], facts: set[str]
) -> tuple[list[float], set[str], list[Evidence]]:
    """Return the points of a table for each class, the facts with its rows, and the rows that hold."""
    points = [0.0] * len(classes)
    holding = [row for row in rows if row.holds(facts)]
    for row in holding if rows is not DOOR else ():
        points[classes.index(row.kind)] += row.points
    return points, facts | {row.reason for row in holding}, holding


def mix(rows: Sequence[Evidence], points: Sequence[float], learned: Sequence[float]) -> list[float]:
    """Return the points of a table and what was learned as one.

    Of the table for doors only what was learned counts: its points by hand were right on 60 % of the sites of the web,
    weights fitted for its rows among the other facts on more than 80 %.
    """
    if rows is DOOR:
        return list(learned)
    return [known + TRUST * found for known, found in zip(points, learned, strict=True)]
