"""Whether the columns of records harvested from real software have the names that their values have in the truth.

The records are those that `bench realharvest` left in its scratch folder.

A true attribute is *held* when one column has its values in most of the records that were matched with true ones; of several such columns
the one that agrees most counts. Its name is right when it shares a word with the name of the attribute, or with what the pages of the program
call it (`names` of a database in `programs/NAME/truth.toml`, read off the pages by hand). What a thing is called by (title, name,
subject) is one idea: a heading without a label is rightly called `title`.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.install import Missing
from bench.options import Options
from bench.places import SCRATCH
from bench.realharvest import door_pages, filled_sites, identify_records
from bench.realweb.place import DOMAIN
from bench.realweb.truth import TrueDatabase
from bench.report import markdown_table

TITLE = "Names of the columns of records from real software, beside the truth"

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


@dataclass(frozen=True, slots=True)
class PageNames:
    """A page with a door, and how the columns of its records are called."""

    page: str
    records: int
    right: int  # records that are one of the database
    columns: int  # true attributes that a column of its own holds
    misnamed: tuple[str, ...] = ()  # those whose column is called otherwise, with what it is called


def run(options: Options) -> dict[str, object]:
    """Judge the records that the last `bench realharvest` wrote, page by page."""
    folder = SCRATCH / "realharvest"
    rows: list[PageNames] = []
    number = -1
    for site in filled_sites(options.parts):
        for page, databases in door_pages(site).items():
            number += 1
            path = folder / f"{number}.jsonl"
            if databases and path.exists():
                held = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
                rows.append(judge_page(page, held, databases))
                options.say(f"    {page}: {rows[-1].columns} columns, wrong: {', '.join(rows[-1].misnamed) or 'none'}")
    if not rows:
        raise Missing("no harvested records: python -m bench realharvest harvests them")
    columns, wrong = sum(row.columns for row in rows), sum(len(row.misnamed) for row in rows)
    medians = {
        "columns": columns,
        "right names": 1 - wrong / max(1, columns),
        "right records": sum(row.right for row in rows) / max(1, sum(row.records for row in rows)),
    }
    return {"rows": [asdict(row) for row in rows], "medians": medians}


def judge_page(page: str, held: list[dict[str, Any]], databases: Sequence[TrueDatabase]) -> PageNames:
    """Compare the records of a page with the database that most of them are of."""
    best = PageNames(page, len(held), 0, 0)
    for database in databases:
        true = list(database.records())
        numbers = identify_records(held, true)
        pairs = [(record, true[number]) for record, number in zip(held, numbers, strict=True) if number is not None]
        if len(pairs) > best.right:
            found = judge_names(pairs, database.names)
            wrong = tuple(f"{each.attribute}: {each.column}" for each in found if not each.right)
            best = PageNames(page, len(held), len(pairs), len(found), wrong)
    return best


def table(result: dict[str, Any]) -> str:
    """Return the table of the page."""
    rows = [PageNames(**each) for each in result["rows"]]
    lines = [
        [row.page.removeprefix("http://").replace(f".{DOMAIN}", "")[:60], f"{row.records:,}", f"{row.right:,}",
         f"{row.columns - len(row.misnamed)} of {row.columns}", "; ".join(row.misnamed)]
        for row in rows
    ]  # fmt: skip
    return markdown_table(["page", "records", "right", "right names", "wrong names"], lines, 3)


def notes(result: dict[str, Any]) -> str:
    """Return what the table means."""
    told = result["medians"]
    return (
        f"Records as `bench realharvest` harvested them: {told['right records']:.3f} of them are right. Of {told['columns']} true attributes that a column of its own"
        f" holds, {told['right names']:.3f} are called rightly: the name of the column shares a word with that of the attribute, or with what the pages call it"
        " (`names` in `truth.toml`). Nothing here is fitted on the programs."
    )
