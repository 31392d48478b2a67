"""Whether the columns of harvested records have the names that their values have in the truth.

A true attribute is *held* when one column has its values in most of the records that were matched with true ones; of several such columns
the one that agrees most counts. Its name is right when it shares a word with the name of the attribute, or with what the pages of the program
call it (`names` of a database in `programs/NAME/truth.toml`, read off the pages by hand). What a thing is called by (title, name,
subject) is one idea: a heading without a label is rightly called `title`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MIN_MATCHED_RECORDS = 5  # from which a column's values can be compared; fewer agree by chance
MIN_EQUAL_SHARE = 0.7  # of records with a value of an attribute whose column has just that value
MIN_COLUMN_SHARE = 0.1  # of the records that have a column, below which it is a chance find
# Words for what a thing is called by: truth and pages use one for the other where there is no label.
CALLED_BY = frozenset("title name label subject heading headline".split())

_DECIMAL = re.compile(r"-?\d+(?:\.\d+)?")  # 2007 and 2007.0000 are the same
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class NamedColumn:
    """A true attribute, the column that holds its values, and whether that is called rightly."""

    attribute: str
    column: str
    right: bool


def judge_names(
    pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], names: Mapping[str, Collection[str]]
) -> list[NamedColumn]:
    """Return the columns that hold true attributes, from harvested records beside the true ones.

    `names` are further names of an attribute, as the pages have them.
    """
    equal: dict[str, Counter[str]] = defaultdict(Counter)
    both: dict[str, Counter[str]] = defaultdict(Counter)
    for held, true in pairs:
        columns = {
            name: write_value(value) for name, value in held.items() if name != "_url" and value not in (None, "", [])
        }
        for attribute, value in true.items():
            wanted = write_value(value)
            if wanted:
                for column, text in columns.items():
                    both[attribute][column] += 1
                    equal[attribute][column] += text == wanted
    found = []
    for attribute, counts in equal.items():
        least = max(MIN_MATCHED_RECORDS, MIN_COLUMN_SHARE * len(pairs))
        good = [
            (count, column)
            for column, count in counts.items()
            if both[attribute][column] >= least and count >= MIN_EQUAL_SHARE * both[attribute][column]
        ]
        if good:
            column = max(good, key=lambda each: (each[0], is_right_name(each[1], attribute, names.get(attribute, ()))))[
                1
            ]
            found.append(NamedColumn(attribute, column, is_right_name(column, attribute, names.get(attribute, ()))))
    return found


def write_value(value: Any) -> str:
    """Return a value as its words; several values in the order of the alphabet, as those of a list in one text are."""
    if not isinstance(value, list) and _DECIMAL.fullmatch(str(value)):
        return str(float(value))
    texts = value if isinstance(value, list) else re.split(r"[,;] ", str(value))
    return " ".join(sorted(word for text in texts for word in _WORD.findall(str(text).casefold())))


def is_right_name(column: str, attribute: str, others: Collection[str]) -> bool:
    """Return True if a column is called like an attribute, or like one of the other names of it."""
    words = split_name(column)
    wanted = split_name(attribute).union(*map(split_name, others))
    return bool(words & wanted) or bool(words & CALLED_BY and wanted & CALLED_BY)


def split_name(name: str) -> set[str]:
    """Return the words of a name, without the s of a plural."""
    words = _WORD.findall(_CAMEL.sub(" ", name).casefold().replace("_", " "))
    return {word[:-1] if len(word) > 3 and word.endswith("s") else word for word in words}
