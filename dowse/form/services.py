"""What doors that are no HTML forms are for, where it is known from what they are.

A standard's own service (OAI-PMH, SRU, CKAN) stands before a database and before nothing else. A
description or a declared search mostly speaks of the whole site; unless its words say what is
searched, when it is judged like any form.
"""

from __future__ import annotations

import re

from dowse.form.fields import visible_fields
from dowse.form.meaning import concepts_of, words_of
from dowse.model import Form, Judgement

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
