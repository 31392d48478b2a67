"""How many of the true forms a search found, from what `dowse export forms` wrote."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.realweb.truth import FormPurpose, TrueForm, TrueSite


@dataclass(frozen=True, slots=True)
class FormScore:
    """What became of the true forms, and of what was kept."""

    wanted: int  # doors that a polite crawler can reach, and that need no browser
    found: int  # of those, kept and judged to ask a database
    misjudged: tuple[str, ...]  # of those, kept and judged something else
    missed: tuple[str, ...]  # of those, not kept at all
    false_doors: tuple[str, ...]  # distinct true forms of another kind that were judged to ask a database
    claimed: int  # rows judged to ask a database
    unknown: int  # rows that no true form matches
    confusion: dict[tuple[str, str], int]  # (true kind, judged kind) -> distinct true forms

    @property
    def recall(self) -> float:
        return self.found / self.wanted if self.wanted else 0.0

    @property
    def precision(self) -> float:
        doors = self.found + len(self.false_doors)
        return self.found / doors if doors else 0.0


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of an export of forms."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def score_forms(rows: Iterable[dict[str, Any]], sites: list[TrueSite]) -> FormScore:
    """Compare what was kept with the truth; a form that was kept often counts once, by its best judgement."""
    by_host = {site.host: site for site in sites}
    judged: dict[TrueForm, Counter[str]] = {}
    claimed = unknown = 0
    for row in rows:
        claimed += row["kind"] == FormPurpose.DATABASE
        site = by_host.get(urlsplit(row["page"]).hostname or "")
        form = site.recognise(row["page"], row["method"].lower(), row["action"], row["fields"]) if site else None
        if form is None:
            unknown += 1
        else:
            judged.setdefault(form, Counter())[row["kind"]] += 1
    return _summarise(sites, judged, claimed, unknown)


def _summarise(sites: list[TrueSite], judged: dict[TrueForm, Counter[str]], claimed: int, unknown: int) -> FormScore:
    wanted = [form for site in sites for form in site.doors if form.depth is not None and not form.browser]
    found = [form for form in wanted if FormPurpose.DATABASE in judged.get(form, ())]
    others = [form for form in judged if form.purpose is not FormPurpose.DATABASE]
    return FormScore(
        wanted=len(wanted),
        found=len(found),
        misjudged=tuple(
            f"{form.site}/{form.name}: {', '.join(judged[form])}"
            for form in wanted
            if form in judged and form not in found
        ),
        missed=tuple(f"{form.site}/{form.name}" for form in wanted if form not in judged),
        false_doors=tuple(f"{form.site}/{form.name}" for form in others if FormPurpose.DATABASE in judged[form]),
        claimed=claimed,
        unknown=unknown,
        confusion=dict(Counter((str(form.purpose), kinds.most_common(1)[0][0]) for form, kinds in judged.items())),
    )
