"""What a form is for: a table of evidence, and on top of it what models learned from labelled forms of the web.

Three questions, each a softmax over the same facts: what sort of form it is (`type`); of a search, whether a
database or the site's own pages are behind it (`door`); of something to buy, whether it is ordered or put together
(`bought`). The models are plain data in `models/forms.json`; `dowse train forms` makes them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import orjson

from dowse.form.evidence import BOUGHT, DOOR, TYPE, Row
from dowse.form.features import PAGE_WORD, describe, page_facts, page_words, put_in_words
from dowse.form.services import judge_made
from dowse.learn.softmax import SCALE, Softmax, read_softmax, to_odds
from dowse.model import Form, Judgement, Page

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
