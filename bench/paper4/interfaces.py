"""Which query interfaces can be asked for one attribute alone, or have a box for keywords (Table 1), in the paper's repository."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any, Final

from bench.places import DATA

FILE: Final = (
    DATA / "topics" / "query_interfaces_tel8.jsonl.gz"
)  # interfaces of the UIUC repository, written down by people
PAPER: Final = {  # percent of the sources: keywords, one attribute alone
    "Books": (82, 100),
    "Jobs": (98, 96),
    "Movies": (63, 100),
    "Automobiles": (14, 58),
    "MusicRecords": (65, 100),
}
_KEYWORDS: Final = re.compile(r"key ?word|any word|any field|full text|^all$|^search(?: for)?$|^words?$", re.IGNORECASE)
_OPEN: Final = re.compile(
    r"^\W*$|\b(any|all|every\w*|either|no pref\w*|select|choose|optional|none|not specified|both)\b", re.IGNORECASE
)
_SHOWN: Final = re.compile(
    r"sort|order by|display|per page|results?|show|format", re.IGNORECASE
)  # how, not what is shown


def measure_interfaces() -> dict[str, dict[str, Any]]:
    """Return for each domain of the paper how many interfaces have keywords, and how many take one attribute."""
    found: dict[str, dict[str, Any]] = {}
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["tel8_domain"] in PAPER:
                one = found.setdefault(row["tel8_domain"], {"interfaces": 0, "keyword": 0, "single": 0})
                one["interfaces"] += 1
                one["keyword"] += any(map(takes_keywords, row["attributes"]))
                one["single"] += takes_one_attribute(row["attributes"])
    return found


def takes_keywords(condition: dict[str, Any]) -> bool:
    """Return True if a condition is a box for words of any kind."""
    names = {condition["concept"], condition["label"].strip(" :")}
    return any(map(_KEYWORDS.search, names)) and any(each["format"] == "text_box" for each in condition["inputs"])


def takes_one_attribute(conditions: list[dict[str, Any]]) -> bool:
    """Return True if at most one condition must be given, as far as is written down: a list without an open choice must be.

    Whether a text box must be filled is not written down; it is taken to be free.
    """
    return sum(map(_is_demanded, conditions)) <= 1


def _is_demanded(condition: dict[str, Any]) -> bool:
    if _SHOWN.search(f"{condition['concept']} {condition['label']}"):
        return False
    lists = [each["values"] for each in condition["inputs"] if str(each["format"]).startswith("selection")]
    return any(values and not any(_OPEN.search(value) for value in values) for values in lists)
