"""Which forms are judged together by a model that has seen none of their registrable domains."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

FOLDS = 10
OTHER = frozenset("PVNC")  # polls, display options, navigation, captchas: Formasaurus itself learns them as `o`
NOT_ANNOTATED = frozenset("X-")  # not looked at, to be skipped


@dataclass(frozen=True, slots=True)
class Row:
    """An annotated form: where it stands, what it is, whose it is, and the fold in which it is judged."""

    page: str
    form: int
    type: str
    domain: str
    fold: int


def read_rows(path: Path) -> list[Row]:
    """Read the forms of a folds file."""
    lines = map(json.loads, filter(str.strip, path.read_text(encoding="utf-8").splitlines()))
    rows = [
        Row(str(line["page"]), int(line["form"]), simplify(line["type"]), str(line["domain"]), int(line["fold"]))
        for line in lines
    ]
    astray = [domain for domain, folds in _gather_folds(rows).items() if len(folds) > 1]
    if astray:
        raise SystemExit(f"{path}: a domain must stand in one fold, but {astray[0]} stands in several")
    return rows


def write_rows(rows: Iterable[Row], path: Path) -> None:
    """Write a folds file."""
    path.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows), encoding="utf-8")


def simplify(letter: str) -> str:
    """Return the kind, of eight, that a letter of the annotators stands for."""
    return "o" if letter in OTHER else letter


def split_domains(forms: Mapping[str, int], folds: int = FOLDS) -> dict[str, int]:
    """Give each domain a fold: the largest first, equal ones by their hash, always to the fold with the fewest forms."""
    filled: Counter[int] = Counter(dict.fromkeys(range(folds), 0))
    chosen = {}
    for domain in sorted(forms, key=lambda name: (-forms[name], hashlib.sha256(name.encode()).digest())):
        chosen[domain] = min(filled, key=lambda fold: (filled[fold], fold))
        filled[chosen[domain]] += forms[domain]
    return chosen


def _gather_folds(rows: Iterable[Row]) -> dict[str, set[int]]:
    folds: dict[str, set[int]] = {}
    for row in rows:
        folds.setdefault(row.domain, set()).add(row.fold)
    return folds
