"""Databases of any size answer exactly what a look at every record would give, made or read from a file."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.sim.tables import TOPIC_NAMES, Ask, Order, Table, make_table
from dowse.sim.tables.table import Row
from dowse.sim.wording import Wording, build_wording

OPERATORS = ("keyword", "any", "phrase", "contains", "starts", "equals", "min", "max")
ANYWHERE = ("keyword", "any", "phrase")
SIZES = (130, 40, 7)


# --- a wording of our own, so that nothing here changes when phrases are edited


def topic(**values: list[str]) -> dict[str, Any]:
    names = (
        "title author publisher subject language year price format make model mileage fuel colour body position company"
    )
    names += (
        " city category contract salary posted district type bedrooms surface features name cuisine course ingredient"
    )
    names += " minutes director actor genre country journal keyword published family genus flower height soil"
    children = {
        "model": {"Volvo": ["S40", "V70 Cross", "240"], "Land Rover": ["Defender", "240"], "Škoda": ["Fabia"]},
        "district": {
            "Straße": ["Old Town", "Station"],
            "Bath": ["Station", "Bath Hills"],
            "İzmir": ["Old Town", "Konak", "North-West"],
        },
        "genus": {"Rosaceae": ["Rosa", "Prunus", "Malus"], "Poaceae": ["Poa"], "Liliaceae": ["Lilium", "Tulipa"]},
    }
    return {
        "noun": "Things",
        "nouns": ["things"],
        "words": ["Garden", "Old Town", "River", "Stone", "2010"],
        "sentences": ["Things are things."],
        "heads": ["The", "The Silent", "A", "Lost", "Über"],
        "tails": ["Garden", "House of Stone", "Straße", "Night"],
        "labels": {name: [name.capitalize(), f"By {name}"] for name in names.split()},
        "values": values,
        "children": children,
    }


@cache
def wording(language: str = "en") -> Wording:
    shared = {
        "publisher": ["Meridian", "Old Mill Press", "Quay"],
        "subject": ["History", "history of art", "Poetry"],
        "language": ["English", "German"],
        "format": ["Paperback", "Hardcover", "Large print"],
        "make": ["Volvo", "Land Rover", "Škoda"],
        "fuel": ["Petrol", "Diesel"],
        "colour": ["Red", "Dark red", "Blue"],
        "body": ["Estate", "Van"],
        "company": ["Acme", "Borealis & Sons", "City"],
        "category": ["Health", "Trades"],
        "contract": ["Full-time", "Part-time"],
        "type": ["House", "Flat"],
        "features": ["Garden", "Garage", "Old stove", "Pool", "Cellar"],
        "cuisine": ["Greek", "Thai"],
        "course": ["Main", "Starter"],
        "ingredient": ["Garlic", "Red onion", "Butter", "Basil", "Mint", "Rice"],
        "genre": ["Drama", "Comedy"],
        "country": ["Italy", "Japan"],
        "journal": ["Annals", "Acta Mechanica"],
        "keyword": ["graphs", "logic", "climate", "red soil"],
        "family": ["Rosaceae", "Poaceae", "Liliaceae"],
        "flower": ["White", "Yellow"],
        "soil": ["Sandy", "Clay"],
    }
    latin = {
        "first_names": ["Anna", "Bo", "Çelik", "Anna Maria"],
        "last_names": ["Novak", "O'Hara", "van Dijk", "Weiß", "Lindqvist"],
        "cities": ["Straße", "Bath", "İzmir"],
    }
    japanese = {
        "first_names": ["一郎", "花子", "健"],
        "last_names": ["田中", "佐々木", "林"],
        "cities": latin["cities"],
    }
    read: dict[str, Any] = {
        "language": language,
        "encodings": ["utf-8"],
        "months": [],
        "sentences": [],
        "page_titles": [],
    }
    read |= {name: {} for name in ("says", "fields", "choices", "titles", "buttons")}
    read |= japanese if language == "ja" else latin
    read["topics"] = {name: topic(**shared) for name in TOPIC_NAMES}
    return build_wording(read)


# --- a look at every record


def split(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def has_run(words: list[str], wanted: list[str]) -> bool:
    return any(words[at : at + len(wanted)] == wanted for at in range(len(words)))


def as_number(text: str) -> float | None:
    plain = text.replace(",", "").replace(" ", "")
    return float(plain) if re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)", plain) else None


def as_date(text: str) -> str | None:
    return text if re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])", text) else None


def compare(operator: str, value: Any, wanted: Any) -> bool:
    return bool(value >= wanted if operator == "min" else value <= wanted if operator == "max" else value == wanted)


def meets_words(row: Row, ask: Ask) -> bool:
    wanted = split(ask.values[0])
    values = [value for name, values in row.items() if ask.attribute in ("", name) for value in values]
    words = [split(value) for value in values]
    if not wanted:
        return True
    if ask.operator == "phrase":
        return any(has_run(each, wanted) for each in words)
    every = {word for each in words for word in each}
    return (all if ask.operator == "keyword" else any)(word in every for word in wanted)


def meets_part(values: tuple[str, ...], kind: str, ask: Ask) -> bool:
    wanted = ask.values[0].strip().casefold()
    folded = [value.casefold() for value in values]
    if not wanted:
        return True
    if ask.operator == "starts":
        return any(value.startswith(wanted) for value in folded)
    if kind in ("title", "person", "persons"):
        starts = split(wanted)
        found = (all(any(word.startswith(s) for word in split(value)) for s in starts) for value in folded)
        return not starts or any(found)
    return any(wanted in value for value in folded)


def meets_size(values: tuple[str, ...], kind: str, ask: Ask) -> bool:
    """Say whether a value compares as asked; only equals can be asked of texts."""
    read = {"number": as_number, "date": as_date}.get(kind)
    if read is None:
        wanted = [each.strip().casefold() for each in ask.values if each.strip()]
        return ask.operator != "equals" or not wanted or any(value.casefold() in wanted for value in values)
    bounds = [read(each.strip()) for each in ask.values if each.strip()][: None if ask.operator == "equals" else 1]
    if not bounds or None in bounds:
        return True
    return any(compare(ask.operator, read(value), bound) for value in values for bound in bounds)


def meets(row: Row, kinds: dict[str, str], ask: Ask) -> bool:
    if ask.operator in ANYWHERE:
        return meets_words(row, ask)
    check = meets_part if ask.operator in ("contains", "starts") else meets_size
    return check(row[ask.attribute], kinds[ask.attribute], ask)


def sort_rows(rows: list[Row], kinds: dict[str, str], numbers: list[int], order: Order) -> list[int]:
    if not order.attribute:
        return numbers if order.way == "up" else numbers[::-1]
    read = float if kinds[order.attribute] == "number" else str.casefold
    valued = [number for number in numbers if rows[number][order.attribute]]
    valued.sort(key=lambda n: read(rows[n][order.attribute][0]), reverse=order.way == "down")
    return valued + [number for number in numbers if not rows[number][order.attribute]]


class Checked:
    """A table with all its rows, for comparison."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rows = [table.row(number) for number in range(table.size)]
        self.kinds = {each.name: each.kind for each in table.attributes}

    def check(self, asks: tuple[Ask, ...], order: Order, first: int, count: int) -> None:
        numbers = [n for n, row in enumerate(self.rows) if all(meets(row, self.kinds, ask) for ask in asks)]
        expected = sort_rows(self.rows, self.kinds, numbers, order)
        assert self.table.find(asks, order, first, count) == (len(numbers), tuple(expected[first : first + count]))


@cache
def checked(name: str, language: str, key: str) -> Checked:
    return Checked(make_table(name, wording(language), key, SIZES))


# --- conditions that hit


def pieces_of(value: str) -> st.SearchStrategy[str]:
    """Return what people ask for when they mean a value: all of it, words, beginnings, parts."""
    words = value.split()
    cut = st.tuples(st.integers(0, len(value)), st.integers(0, len(value))).map(sorted).map(lambda c: value[slice(*c)])
    some = st.lists(st.sampled_from(words), min_size=1, max_size=3).map(" ".join)
    runs = st.tuples(st.integers(0, len(words)), st.integers(1, 4)).map(lambda c: " ".join(words[c[0] : c[0] + c[1]]))
    near = st.integers(-3, 3).map(lambda by: str(int(value) + by) if value.isdigit() else f" {value.upper()} ")
    return st.one_of(st.just(value), cut, some, runs, near, st.integers(0, len(value)).map(lambda end: value[:end]))


STRANGE = st.sampled_from(
    ["", " ", ":", "a", "x y", "1", "05", "2010", "2010.5", "1,990", "nan", "-5", "9" * 400, "2024-02"]
)


@st.composite
def asks_of(draw: st.DrawFn, subject: Checked) -> Ask:
    operator = draw(st.sampled_from(OPERATORS))
    name = draw(st.sampled_from(list(subject.kinds)))
    rows = st.integers(0, subject.table.size - 1).map(lambda number: subject.rows[number])
    row = draw(rows.filter(lambda row: bool(row[name])))
    texts = st.one_of(pieces_of(draw(st.sampled_from(row[name]))), STRANGE)
    other = st.sampled_from([value for values in row.values() for value in values])
    values = (draw(st.one_of(texts, other)),)
    if operator == "equals":
        values += tuple(draw(st.lists(st.one_of(texts, other), max_size=1)))
    if subject.kinds[name] == "date":  # a year or a month is a span of days, which is checked by itself
        values = tuple(each if not re.fullmatch(r"\s*\d{4}(-\d+)?(-\d)?\s*", each) else "2024-05-05" for each in values)
    return Ask(operator, draw(st.sampled_from(["", name])) if operator in ANYWHERE else name, values)


@st.composite
def orders_of(draw: st.DrawFn, subject: Checked) -> Order:
    return Order(draw(st.sampled_from(["", "", *subject.kinds])), draw(st.sampled_from(["up", "down"])))


PAGE = (st.sampled_from([0, 0, 3, 40, 150]), st.sampled_from([0, 10, 1000]))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", TOPIC_NAMES)
@settings(max_examples=120, deadline=None)
@given(draw=st.data())
def test_made_databases_answer_exactly(name: str, language: str, draw: st.DataObject) -> None:
    subject = checked(name, language, draw.draw(st.sampled_from(["one", "two"])))
    asks = draw.draw(st.lists(asks_of(subject), max_size=2)) if draw.draw(st.integers(0, 9)) else []
    subject.check(tuple(asks), draw.draw(orders_of(subject)), draw.draw(PAGE[0]), draw.draw(PAGE[1]))
