"""What the columns of a file are, judged by what they hold, and which of them make the attributes of a table."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterator
from datetime import date
from itertools import count
from math import ceil, floor

from dowse.sim.tables.gather import Filed
from dowse.sim.tables.table import Attribute

MOST_ATTRIBUTES = 24
_MOST_CHOICES = 60
_NEARLY = 0.95
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]+)?")  # no leading zeros: those are codes
_PERSON = re.compile(r"[^\W\d_][^\d,]*\s[^\d,]*[^\W\d_]\.?")
_SAMPLE = 2000


def pick_attributes(columns: list[Filed]) -> list[tuple[Attribute, Filed]]:
    """Return the attributes of a table: the title first, then columns that are filled and repeat their values."""
    judged = [_judge_column(column) for column in columns if column.texts]
    title = _find_title(judged)
    best = sorted((each for each in judged if each[1] is not title), key=lambda each: -_worth(each[1]))
    kept = {column.name for _, column in best[: MOST_ATTRIBUTES - (title is not None)]}
    picked = [each for each in judged if each[1].name in kept]
    picked.sort(
        key=lambda each: each[0].kind == "number" and _own(each[1]) > _NEARLY
    )  # what numbers records says least
    if title is not None:
        picked.insert(0, (_describe(title, "title"), title))
    return _name_safely(picked)


def _name_safely(picked: list[tuple[Attribute, Filed]]) -> list[tuple[Attribute, Filed]]:
    """Give each attribute a name of its own that can stand in a form or an address."""
    named: dict[str, tuple[Attribute, Filed]] = {}
    for at, (attribute, column) in enumerate(picked, start=1):
        plain = _safe_name(column.name) or f"column_{at}"
        name = next(each for each in _numbered(plain) if each not in named)
        named[name] = (attribute._replace(name=name), column)
    return list(named.values())


def _safe_name(name: str) -> str:
    """Return the letters without accents, digits and underscores of a name; `prix (€)` is prix."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"\W+", "_", bare).strip("_")


def _numbered(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in count(2))


def _judge_column(column: Filed) -> tuple[Attribute, Filed]:
    if column.lists:
        return _describe(column, "persons" if _holds_people(column) else "several"), column
    if _share(column, _NUMBER.fullmatch) >= _NEARLY:
        numbers = _keep(column, _plain_number)
        return _describe_range(numbers, "number", [float(text) for text in numbers.texts]), numbers
    if _share(column, _read_date) >= _NEARLY:
        dates = _keep(column, _plain_date)
        return _describe_range(dates, "date", [int(text[:4]) for text in dates.texts]), dates
    return _describe(column, "choice" if len(column.texts) <= _MOST_CHOICES else "text"), column


def _share(column: Filed, test: Callable[[str], object]) -> float:
    """Return how many of the texts pass a test, each counted once."""
    return sum(1 for text in column.texts if test(text)) / len(column.texts)


def _read_date(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None


def _plain_date(text: str) -> str:
    found = _read_date(text)
    return found.isoformat() if found else ""


def _plain_number(text: str) -> str:
    if not _NUMBER.fullmatch(text):
        return ""
    return text.rstrip("0").rstrip(".") if "." in text else text


def _keep(column: Filed, rewrite: Callable[[str], str]) -> Filed:
    """Write the texts of a column anew; what has no new text loses its value."""
    known: dict[str, int] = {}
    new_ids = [known.setdefault(text, len(known)) if text else -1 for text in map(rewrite, column.texts)]
    ids, ends = array("I"), array("I")
    start = 0
    for end in column.ends:
        ids.extend(new for old in column.ids[start:end] if (new := new_ids[old]) >= 0)
        ends.append(len(ids))
        start = end
    return Filed(column.name, list(known), ids, ends, 0)


def _holds_people(column: Filed) -> bool:
    """Judge whether a list of many values names people: two words or more, no digits."""
    sample = column.texts[:: len(column.texts) // _SAMPLE + 1]
    people = sum(1 for text in sample if _PERSON.fullmatch(text) and text.istitle() and len(text) < 40)
    return len(column.texts) > _MOST_CHOICES and people > 0.5 * len(sample)


def _find_title(judged: list[tuple[Attribute, Filed]]) -> Filed | None:
    """Return the first text column that nearly every record has its own value of; one that says title or name if any."""
    texts = [column for attribute, column in judged if attribute.kind == "text"]
    named = [each for each in texts if re.search(r"title|name", each.name, re.IGNORECASE) and _own(each) > 0.2]
    plain = [each for each in texts if _own(each) > 0.5 and not _is_address(each)]
    return next(iter([*named, *plain]), None)


def _own(column: Filed) -> float:
    return len(column.texts) / max(1, len(column.ids))


def _is_address(column: Filed) -> bool:
    return (
        "://" in column.texts[0] or column.name.lower() in ("id", "url", "href") or column.name.lower().endswith("_id")
    )


def _worth(column: Filed) -> float:
    """Return how well a column serves in a form: filled everywhere, its values on many records, yet not all the same."""
    if len(column.texts) < 2:
        return 0.0
    return column.filled / len(column.ends) * (1 - _own(column)) + 1e-6


def _describe(column: Filed, kind: str) -> Attribute:
    choices = tuple(column.texts) if len(column.texts) <= _MOST_CHOICES and kind in ("choice", "several") else ()
    return Attribute(column.name, kind, (_label(column.name),), choices)


def _describe_range(column: Filed, kind: str, values: list[float]) -> Attribute:
    return Attribute(column.name, kind, (_label(column.name),), low=floor(min(values)), high=ceil(max(values)))


def _label(name: str) -> str:
    """Return what a form would call a column: `pub_year` and `pubYear` are "Pub year"."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " ")
    plain = " ".join(spaced.split())
    words = plain if " " in name or name.isupper() else plain.lower()
    return words[:1].upper() + words[1:]
