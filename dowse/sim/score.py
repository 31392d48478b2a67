"""How much somebody found of what there is, and how much of what they found is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from dowse.model import Record
from dowse.sim.truth import FormTruth, SiteTruth

Found = tuple[str, str, str, tuple[str, ...]]  # site, kind, action, names of the fields
CANDIDATES = 2000  # true records compared with one that was found
SAME = 0.8  # part of a record's values that must be right for it to count


class HasForms(Protocol):
    """What is asked of a store: its forms, as rows."""

    def forms(self) -> Iterable[Mapping[str, Any]]:
        """Give every form."""
        ...


@dataclass(frozen=True, slots=True)
class Score:
    """What was found against what can be found."""

    reachable: int
    right: int
    wrong: int

    @property
    def missed(self) -> int:
        """What was not found."""
        return self.reachable - self.right

    @property
    def precision(self) -> float:
        """Part of what was found that is right."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Part of what can be found that was found: its coverage."""
        return self.right / self.reachable if self.reachable else 1.0


@dataclass(frozen=True, slots=True)
class RecordScore(Score):
    """The same for records."""

    repeated: int  # records that were given more than once
    exact: int  # records with every value right, and no other

    @property
    def accuracy(self) -> float:
        """Part of the right records that have every value right."""
        return self.exact / self.right if self.right else 1.0


def read_found(rows: Iterable[Mapping[str, Any]]) -> list[Found]:
    """Read forms from the rows that `dowse export forms` writes."""
    return [(row["site"], row["kind"], row["action"], tuple(row["fields"])) for row in rows]


def score_store(store: HasForms, truth: Iterable[SiteTruth]) -> Score:
    """Compare the query forms that a store holds with the truth."""
    return score_forms(read_found(store.forms()), truth)


def score_forms(found: Iterable[Found], truth: Iterable[SiteTruth]) -> Score:
    """Compare found query forms with the truth; a form counts once for each site, its copies with it."""
    by_site: dict[str, set[tuple[str, frozenset[str]]]] = {}
    for site, kind, action, fields in found:
        if kind == "database":
            by_site.setdefault(site.rstrip("/"), set()).add((action, frozenset(fields)))
    reachable = right = wrong = 0
    for site_truth in truth:
        forms = [form for form in site_truth.forms if form.kind == "database" and not form.same_as]
        claims = by_site.pop(site_truth.site, set())
        matched = [form for form in forms if any(is_same_form(form, claim) for claim in claims)]
        reachable += sum(form.reachable for form in forms)
        right += sum(form.reachable for form in matched)
        wrong += sum(not any(is_same_form(form, claim) for form in forms) for claim in claims)
    return Score(reachable, right, wrong + sum(map(len, by_site.values())))


def is_same_form(form: FormTruth, claim: tuple[str, frozenset[str]]) -> bool:
    """Return True if what was found, an action and names of fields, is that form of the truth."""
    action, fields = claim
    return action == form.action and fields - set(form.buttons) == frozenset(form.fields)


def score_records(found: Iterable[Mapping[str, Any]], truth: Iterable[Record]) -> RecordScore:
    """Compare drawn records with those of a database, by their values: names of attributes are the reader's own."""
    true = [_values(value for _, value in record.values) for record in truth]
    postings: dict[str, list[int]] = {}
    for number, values in enumerate(true):
        for value in values:
            postings.setdefault(value, []).append(number)
    hits: Counter[int] = Counter()
    wrong = exact = 0
    for row in found:
        values = _values(_flat(row))
        best = _best_match(values, true, postings, hits)
        if best < 0:
            wrong += 1
            continue
        exact += not hits[best] and values == true[best]
        hits[best] += 1
    return RecordScore(len(true), len(hits), wrong, sum(hits.values()) - len(hits), exact)


def _best_match(
    values: frozenset[str], true: list[frozenset[str]], postings: dict[str, list[int]], hits: Counter[int]
) -> int:
    """Return the true record that has the most of these values, one not yet found before one that was."""
    lists = sorted((postings[value] for value in values if value in postings), key=len)[:3]
    candidates = {number for numbers in lists for number in numbers[:CANDIDATES]}
    ranked = sorted(
        candidates, key=lambda number: (-len(values & true[number]) / len(true[number]), hits[number], number)
    )
    if not ranked or len(values & true[ranked[0]]) < SAME * len(true[ranked[0]]):
        return -1
    return ranked[0]


def _flat(row: Mapping[str, Any]) -> Iterable[str]:
    for value in row.values():
        if isinstance(value, (list, tuple)):
            yield from map(str, value)
        elif value is not None:
            yield str(value)


def _values(values: Iterable[str]) -> frozenset[str]:
    return frozenset(" ".join(value.casefold().split()) for value in values if value.strip())
