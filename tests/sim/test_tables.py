"""Databases of any size answer exactly what a look at every record would give, made or read from a file."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import tracemalloc
from array import array
from calendar import monthrange
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise
from math import log
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dowse.errors import BadInput
from dowse.sim.tables import TOPIC_NAMES, Ask, Order, Table, describe_topic, make_table, read_table
from dowse.sim.tables import files as table_files
from dowse.sim.tables.answers import Answers
from dowse.sim.tables.law import Law
from dowse.sim.tables.shuffle import Shuffle
from dowse.sim.tables.table import Row
from dowse.sim.wording import LANGUAGES, Wording, build_wording, read_wording

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


def as_number(text: str) -> tuple[float, float] | None:
    plain = text.replace(",", "").replace(" ", "")
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)", plain):
        return None
    return float(plain), float(plain)


def as_days(text: str) -> tuple[str, str] | None:
    """Return the first and the last day of a year, a month or a day."""
    if not re.fullmatch(r"[0-9]{4}(-[0-9]{1,2}){0,2}", text):
        return None
    year, month, day = (*map(int, text.split("-")), 0, 0)[:3]
    last = monthrange(year, month or 12)[1] if year >= 1 and month <= 12 and (month or text.count("-") == 0) else 0
    if not last or day > last or (text.count("-") == 2 and not day):
        return None
    return f"{year:04}-{month or 1:02}-{day or 1:02}", f"{year:04}-{month or 12:02}-{day or last:02}"


def compare(operator: str, value: tuple[Any, Any], wanted: tuple[Any, Any]) -> bool:
    above = value[0] >= wanted[0]
    below = value[0] <= wanted[1]
    return {"min": above, "max": below, "equals": above and below}[operator]


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
    """Return True if a value compares as asked; only equals can be asked of texts."""
    read: Callable[[str], Any] | None = {"number": as_number, "date": as_days}.get(kind)
    if read is None:
        wanted = [each.strip().casefold() for each in ask.values if each.strip()]
        return ask.operator != "equals" or not wanted or any(value.casefold() in wanted for value in values)
    asked = ask.values if ask.operator == "equals" else ask.values[:1]
    bounds = [read(each.strip()) for each in asked if each.strip()]
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
    return Ask(operator, draw(st.sampled_from(["", name])) if operator in ANYWHERE else name, values)


@st.composite
def orders_of(draw: st.DrawFn, subject: Checked) -> Order:
    return Order(draw(st.sampled_from(["", "", *subject.kinds])), draw(st.sampled_from(["up", "down"])))


PAGE = (st.sampled_from([0, 0, 3, 40, 150]), st.sampled_from([0, 10, 1000]))


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", TOPIC_NAMES)
@settings(max_examples=100, deadline=None)
@given(draw=st.data())
def test_made_databases_answer_exactly(name: str, language: str, draw: st.DataObject) -> None:
    subject = checked(name, language, draw.draw(st.sampled_from(["one", "two"])))
    asks = draw.draw(st.lists(asks_of(subject), max_size=2)) if draw.draw(st.integers(0, 9)) else []
    subject.check(tuple(asks), draw.draw(orders_of(subject)), draw.draw(PAGE[0]), draw.draw(PAGE[1]))


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(TOPIC_NAMES), draw=st.data())
def test_pages_put_together_are_the_whole_answer(name: str, draw: st.DataObject) -> None:
    subject = checked(name, "en", "one")
    asks = tuple(draw.draw(st.lists(asks_of(subject), max_size=1)))
    order = draw.draw(orders_of(subject))
    step = draw.draw(st.sampled_from([7, 30, 64]))
    total, everyone = subject.table.find(asks, order, 0, 1000)
    pages = [subject.table.find(asks, order, first, step) for first in range(0, total + step, step)]
    assert {count for count, _ in pages} == {total}
    assert tuple(number for _, page in pages for number in page) == everyone


@pytest.mark.parametrize("name", TOPIC_NAMES)
def test_what_is_added_changes_nothing_older(name: str) -> None:
    begun = make_table(name, wording(), "key", (90,))
    grown = make_table(name, wording(), "key", (90, 30, 20))
    assert [grown.row(number) for number in range(90)] == [begun.row(number) for number in range(90)]
    other = make_table(name, wording(), "key", (60, 30))
    assert [other.row(60 + number) for number in range(30)] == [grown.row(90 + number) for number in range(30)]
    assert grown.size == 140
    with pytest.raises(IndexError):
        grown.row(140)


def test_the_people_of_older_records_come_up_in_later_ones() -> None:
    table = make_table("papers", wording(), "key", (3000, 200))
    older = {author for number in range(3000) for author in table.row(number)["author"]}
    later = Counter(author for number in range(3000, 3200) for author in table.row(number)["author"])
    assert sum(count for author, count in later.items() if author in older) > 0.5 * later.total()


def test_databases_of_different_keys_differ() -> None:
    one, two = (make_table("books", wording(), key, (60,)) for key in ("one", "two"))
    same = sum(one.row(number) == two.row(number) for number in range(60))
    assert same < 3


# --- what made databases are like


def test_the_attributes_are_those_of_the_topic_and_children_fit_their_parents() -> None:
    words = wording().topics["homes"]
    attributes = {each.name: each for each in describe_topic("homes", wording())}
    assert list(attributes) == ["city", "district", "type", "bedrooms", "price", "surface", "features"]
    assert attributes["district"].parent == "city"
    assert attributes["city"].choices == wording().cities
    assert set(attributes["district"].choices) == {
        each for some in words.children["district"].values() for each in some
    }
    for row in checked("homes", "en", "one").rows:
        assert row["district"][0] in words.children["district"][row["city"][0]]
        assert 1 <= len(row["features"]) <= 4
        for each in row["bedrooms"]:
            assert attributes["bedrooms"].low <= int(each) <= attributes["bedrooms"].high


def test_dates_agree_with_years_and_some_values_are_missing() -> None:
    rows = [row for key in "abcdef" for row in Checked(make_table("papers", wording(), key, (300,))).rows]
    assert all(date[:4] == year for row in rows for date, year in zip(row["published"], row["year"], strict=True))
    missing = sum(not row["year"] for row in rows)
    assert 0 < missing < 0.08 * len(rows)
    assert all(row["title"] and row["author"] for row in rows)


def test_a_few_values_have_most_records() -> None:
    """The counts of people by rank fall as a power: a line that falls in logarithms."""
    table = make_table("papers", wording(), "key", (6000,))
    rows = [table.row(number) for number in range(6000)]
    counts = [count for _, count in Counter(author for row in rows for author in row["author"]).most_common()]
    points = [(log(rank), log(counts[rank - 1])) for rank in (1, 3, 10, 30, 100, 300)]
    slopes = [(high[1] - low[1]) / (high[0] - low[0]) for low, high in pairwise(points)]
    assert all(-2.5 < slope < -0.15 for slope in slopes)
    journals = Counter(row["journal"][0] for row in rows if row["journal"]).most_common()
    assert journals[0][1] > 0.6 * sum(count for _, count in journals)


def test_people_who_wrote_together_do_so_again() -> None:
    """Far more often than by chance, which would bring together the people of records that do not hang together."""
    table = make_table("papers", wording(), "key", (3000,))
    authors = [table.row(number)["author"] for number in range(3000)]
    together = Counter(pair for people in authors for pair in combinations(sorted(people), 2))
    by_chance = Counter(pair for pair in ((one[0], two[-1]) for one, two in pairwise(authors)) if pair[0] != pair[1])
    again, chance = (sum(n for n in pairs.values() if n > 1) / pairs.total() for pairs in (together, by_chance))
    assert again > 0.25
    assert again > 4 * chance


def test_directors_work_with_the_same_actors() -> None:
    table = make_table("films", wording(), "key", (3000,))
    pairs = Counter((table.row(n)["director"], actor) for n in range(3000) for actor in table.row(n)["actor"])
    assert sum(count for count in pairs.values() if count > 1) > 0.5 * pairs.total()


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_are_mostly_distinct_and_people_are_many(language: str) -> None:
    table = make_table("papers", read_wording("a", language), "key", (20_000,))
    rows = [table.row(number) for number in range(0, 20_000, 5)]
    assert len({row["title"] for row in rows}) > 0.9 * len(rows)
    assert len({author for row in rows for author in row["author"]}) > 2500
    assert all(" " in author for row in rows for author in row["author"])


# --- size


@pytest.fixture(scope="module")
def large() -> Table:
    return make_table("books", read_wording("a", "en"), "key", (480_000, 20_000))


def test_half_a_million_records_need_no_memory() -> None:
    words = read_wording("a", "en")
    make_table("books", words, "warm", (300,)).row(0)
    tracemalloc.start()
    table = make_table("books", words, "key", (480_000, 20_000))
    for number in range(0, 500_000, 5_000):
        table.row(number)
    subject = table.row(1)["publisher"]
    assert table.find((Ask("equals", "publisher", subject),), Order(), 0, 20)[0] > 0
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert used < 2_000_000


def test_a_table_is_made_at_once() -> None:
    words = read_wording("a", "en")
    begun = process_time()
    for number in range(200):
        make_table(TOPIC_NAMES[number % len(TOPIC_NAMES)], words, str(number), (500_000, 1000))
    assert process_time() - begun < 200 * 0.001  # ten times what is needed


@pytest.mark.parametrize("number", [0, 123_456, 479_999, 480_000, 499_999])
def test_every_value_of_a_record_leads_to_it(large: Table, number: int) -> None:
    row = large.row(number)
    title = Ask("equals", "title", row["title"])
    for name, values in row.items():
        for value in values:
            total, found = large.find((title, Ask("equals", name, (value,))), Order(), 0, 50)
            assert number in found
            assert total == len(found)
    total, found = large.find((Ask("equals", "author", row["author"][:1]),), Order(), 0, 100_000)
    assert number in found
    assert all(row["author"][0] in large.row(each)["author"] for each in found[:: max(1, total // 20)])


def test_a_large_answer_is_counted_and_paged_in_order(large: Table) -> None:
    ask = (Ask("min", "year", ("2010",)), Ask("max", "year", ("2019",)))
    total, first = large.find(ask, Order(), 0, 50)
    _, last = large.find(ask, Order(), total - 50, 100)
    _, newest = large.find(ask, Order("", "down"), 0, 50)
    assert 20_000 < total < 400_000
    assert list(first) == sorted(first)
    assert newest == last[::-1]
    assert all(2010 <= int(large.row(each)["year"][0]) <= 2019 for each in (*first, *last))
    _, dear = large.find((), Order("price", "down"), 0, 30)
    assert len({large.row(each)["price"] for each in dear}) == 1
    assert list(dear) == sorted(dear)


def test_answers_are_forgotten_in_time() -> None:
    answers = Answers()
    for number in range(100):
        answers.add(number, array("I", range(number)))
    assert answers.get(0) is None
    assert len(answers.get(99) or ()) == 99
    answers.add("long", array("I", bytes(4 * 1_999_990)))
    assert answers.get(99) is None
    answers.add("too long", array("I", bytes(4 * 2_000_001)))
    assert answers.get("too long") is None
    answers.add("twice", array("I", [1, 2]))
    answers.add("twice", array("I", [1, 2]))
    assert answers.get("twice") == array("I", [1, 2])


# --- the arithmetic


@settings(max_examples=60, deadline=None)
@given(size=st.integers(1, 700), key=st.text(max_size=3))
def test_a_shuffle_is_one_to_one_both_ways(size: int, key: str) -> None:
    shuffle = Shuffle(size, key)
    places = shuffle.places(range(size))
    assert sorted(places) == list(range(size))
    assert shuffle.numbers(places) == list(range(size))
    assert [shuffle.place(number) for number in range(size)] == places


def test_shuffles_do_not_hang_together() -> None:
    """Two attributes of a block are independent: each quarter of one holds a quarter of each quarter of the other."""
    size = 4000
    one, two = (Shuffle(size, "key", 0, name).places(range(size)) for name in ("colour", "fuel"))
    cells = Counter((a * 4 // size, b * 4 // size) for a, b in zip(one, two, strict=True))
    assert all(170 < cells[a, b] < 330 for a in range(4) for b in range(4))


@given(values=st.integers(1, 300), length=st.integers(0, 400), power=st.integers(1, 4))
def test_a_law_gives_every_place_to_the_rank_whose_span_holds_it(values: int, length: int, power: int) -> None:
    law = Law(values, length, power)
    places = [place for rank in range(values) for place in range(*law.span(rank))]
    assert places == list(range(length))
    assert all(law.span(law.rank(place))[0] <= place < law.span(law.rank(place))[1] for place in range(length))


def test_the_world_does_not_change_by_accident() -> None:
    rows = [make_table("papers", wording(), "golden", (40, 20)).row(number) for number in range(51)]
    rows += [make_table("homes", wording("ja"), "golden", (60,)).row(number) for number in range(51)]
    digest = hashlib.blake2b(json.dumps(rows, ensure_ascii=False).encode(), digest_size=8).hexdigest()
    assert digest == "2b531fec385bfa49"


# --- tables from files

WORKS: list[dict[str, Any]] = [
    {
        "id": f"W{number:03}",
        "work_title": f"{('The Silent', 'A lost', 'Über')[number % 3]} {('Garden', 'House', 'Straße')[number % 7 % 3]} {number}",
        "authors": [f"{first} {last}" for first, last in (("Anna", "Novak"), ("Bo", "Weiß"), ("Li", "Wu"))][
            : number % 4
        ],
        "pubYear": None if number % 11 == 0 else 1980 + number % 37,
        "price": number % 23 + 0.5 * (number % 2),
        "added": f"20{number % 20:02}-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "subject": ("History", "history of art", "Poetry", "")[number % 4],
        "tags": [("red", "blue", "dark red")[each % 3] for each in range(number, number + number % 3)],
        "loaned": number % 5 == 0,
        "note": f"Shelf {number % 90}, row {number % 7}",
        "inner": {"left": "out"},
    }
    for number in range(240)
]


def write_csv(path: Path) -> None:
    names = [name for name in WORKS[0] if name not in ("authors", "tags", "inner")]
    lines = [",".join(names), *(",".join(f'"{"" if row[n] is None else row[n]}"' for n in names) for row in WORKS)]
    path.write_text("\ufeff" + "\r\n".join(lines), encoding="utf-8")


def write_file(folder: Path, name: str) -> Path:
    path = folder / name
    if name.startswith("works.csv"):
        write_csv(path)
    elif name.startswith("works.json."):
        path.write_text(json.dumps(WORKS))
    elif name.startswith("works.json"):
        path.write_text("\n\n".join(map(json.dumps, WORKS)) if "l" in name else json.dumps(WORKS, indent=1))
    else:
        path.write_text("\n".join(map(json.dumps, WORKS)))
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(path.read_bytes()))
    return path


FILES = ("works.csv", "works.csv.gz", "works.jsonl", "works.ndjson.gz", "works.json", "works.json.gz")


@pytest.fixture(scope="module")
def filed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Checked]:
    folder = tmp_path_factory.mktemp("tables")
    return {name: Checked(read_table(write_file(folder, name))) for name in FILES}


@settings(max_examples=200, deadline=None)
@given(draw=st.data())
def test_tables_from_files_answer_exactly(filed: dict[str, Checked], draw: st.DataObject) -> None:
    subject = filed[draw.draw(st.sampled_from(FILES))]
    asks = draw.draw(st.lists(asks_of(subject), max_size=2))
    subject.check(tuple(asks), draw.draw(orders_of(subject)), draw.draw(PAGE[0]), draw.draw(PAGE[1]))


def test_columns_become_attributes(filed: dict[str, Checked]) -> None:
    table = filed["works.jsonl"].table
    kinds = {each.name: each.kind for each in table.attributes}
    assert next(iter(kinds)) == "work_title"
    assert kinds == {
        "work_title": "title",
        "id": "text",
        "authors": "several",
        "pubYear": "number",
        "price": "number",
        "added": "date",
        "subject": "choice",
        "tags": "several",
        "loaned": "choice",
        "note": "text",
    }
    attributes = {each.name: each for each in table.attributes}
    assert attributes["work_title"].labels == ("Work title",)
    assert attributes["pubYear"].labels == ("Pub year",)
    assert attributes["subject"].choices == ("History", "history of art", "Poetry")
    assert (attributes["pubYear"].low, attributes["pubYear"].high) == (1980, 2016)
    assert (attributes["added"].low, attributes["added"].high) == (2000, 2019)
    assert table.name(1) == "A lost House 1"
    assert table.row(0)["pubYear"] == ()
    assert table.row(3)["price"] == ("3.5",)


def test_all_kinds_of_files_give_the_same_rows(filed: dict[str, Checked]) -> None:
    for name in FILES:
        same = filed["works.jsonl"].rows if not name.startswith("works.csv") else None
        assert same in (None, filed[name].rows)
    csv_rows = filed["works.csv"].rows
    assert [row["price"] for row in csv_rows] == [row["price"] for row in filed["works.jsonl"].rows]
    assert csv_rows == filed["works.csv.gz"].rows


def test_lists_of_many_names_are_people_and_numbers_lose_their_dots(tmp_path: Path) -> None:
    rows = [
        {"cast": [f"Anna {chr(65 + n % 26)}ova{chr(97 + n // 26)}", "Bo Li"], "year": f"{1990 + n}.0"}
        for n in range(80)
    ]
    path = tmp_path / "films.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    table = read_table(path)
    assert {each.name: each.kind for each in table.attributes} == {"cast": "persons", "year": "number"}
    assert table.row(2)["year"] == ("1992",)
    assert table.find((Ask("contains", "cast", ("an cov",)),), Order(), 0, 9)[1] == (2, 28, 54)


def test_at_most_so_many_columns_are_kept_and_those_that_repeat_first(tmp_path: Path) -> None:
    rows = [
        {f"only_{c}": f"{c}-{n}" for c in range(19)} | {f"often_{c}": f"x{n % (70 + c)}" for c in range(9)}
        for n in range(200)
    ]
    path = tmp_path / "wide.jsonl"
    path.write_text("\n".join(json.dumps({"name": f"Thing {n}"} | row) for n, row in enumerate(rows)))
    names = [each.name for each in read_table(path).attributes]
    assert names[0] == "name"
    assert len(names) == 24
    assert {f"often_{c}" for c in range(9)} < set(names)


BAD = {
    "missing.csv": (None, "cannot be read: No such file or directory"),
    "table.tar.xz": (b"x", "a table is a .csv, .jsonl, .ndjson or .json file, or one of these with .gz"),
    "empty.csv": (b"", "there are no rows in it"),
    "head.csv": (b"a,b\n", "there are no rows in it"),
    "blank.jsonl": (b"\n\n", "there are no rows in it"),
    "none.json": (b"[]", "there are no rows in it"),
    "nothing.jsonl": (b'{}\n{"a": null}\n', "not a table: no row has a single value in it"),
    "binary.csv": (b"a,b\n1,\x00\x01", "line 2 is not text"),
    "latin.csv": ("a,b\n1,ü".encode("latin-1"), "line 2 is not UTF-8 text"),
    "latin.json": ('[{"a": "ü"}]'.encode("latin-1"), "not UTF-8 text after line 1"),
    "broken.jsonl": (b'{"a": 1}\n{"a": \n', "line 2 is not JSON: Expecting value at character 6"),
    "list.jsonl": (b'{"a": 1}\n[1]\n', "line 2 is not a record: each line must be a JSON object"),
    "deep.jsonl": (b"[" * 100_000, "line 1 is not JSON: nested too deeply"),
    "digits.jsonl": (b'{"a": ' + b"9" * 5000 + b"}", "line 1 is not JSON: a number is too long"),
    "object.json": (b'{"a": 1}', "not a table: it must be a JSON list of objects"),
    "numbers.json": (b"[1, 2]", "line 1: not a list of JSON objects, or its end is missing"),
    "mixed.json": (b'[{"a": 1},\n 2]', "line 2 is not a record: the list must hold JSON objects"),
    "cut.json": (b'[{"a": 1},\n{"a": 2}', "line 2: not a list of JSON objects, or its end is missing"),
    "broken.json": (b'[{"a": 1},\n{"a" 2}]', "line 2 is not JSON: Expecting ':' delimiter at character 6"),
    "plain.csv.gz": (b"a,b\n1,2\n", "the compressed file is broken: Not a gzipped file (b'a,')"),
    "cut.csv.gz": (
        gzip.compress(b"a,b\n" + b"1,2\n" * 999, mtime=0)[:-12],
        "the compressed file is broken: Compressed file ended before the end-of-stream marker was reached",
    ),
    "wide.csv": (b'a,b\n1,"' + b"x" * 200_000, "line 2 is not CSV: field larger than field limit (131072)"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_no_table_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    content, reason = BAD[name]
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput) as refused:
        read_table(path)
    assert str(refused.value) == f"{path}: {reason}"


def test_too_many_rows_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "MOST_ROWS", 3)
    path = tmp_path / "long.csv"
    path.write_text("a\n1\n2\n3\n")
    assert read_table(path).size == 3
    path.write_text("a\n1\n2\n3\n4\n")
    with pytest.raises(BadInput, match="more than 3 rows"):
        read_table(path)


# --- the words of the simulated web, and orders that are put together value by value


@cache
def checked_world(name: str, language: str) -> Checked:
    return Checked(make_table(name, read_wording("A", language), "world", (200, 30, 30)))


@pytest.mark.parametrize(("language", "few"), [("en", 0), ("en", 500), ("ja", 500), ("ru", 500)], ids=str)
@settings(max_examples=30, deadline=None)
@given(draw=st.data())
def test_databases_of_the_world_answer_exactly(language: str, few: int, draw: st.DataObject) -> None:
    subject = checked_world(draw.draw(st.sampled_from(TOPIC_NAMES)), language)
    asks = draw.draw(st.lists(asks_of(subject), max_size=2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dowse.sim.tables.records._FEW", few)
        order, first = draw.draw(orders_of(subject)), draw.draw(PAGE[0])
        subject.check(tuple(asks), order, first, draw.draw(PAGE[1]))
        subject.check(tuple(asks), order, first + 10, 10)


@pytest.mark.parametrize("sizes", [(1,), (2, 1), (7, 0, 3)], ids=str)
@pytest.mark.parametrize("name", TOPIC_NAMES)
def test_the_smallest_databases_find_each_value(name: str, sizes: tuple[int, ...]) -> None:
    subject = Checked(make_table(name, read_wording("A", "en"), "small", sizes))
    for row in subject.rows:
        for attribute, values in row.items():
            for operator in ("keyword", "equals", "min"):
                subject.check((Ask(operator, attribute, values[:1] or ("",)),), Order(attribute, "down"), 0, 9)


def test_names_of_columns_become_safe_and_stay_readable(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    heads = 'Année de parution,prix.net,prix net,名前,,prix net,"a ""b"""\n'
    path.write_text(
        heads + "".join(f"{1990 + n % 5},{n % 3},{n % 4},x{n % 2},y{n % 2},{n % 6},z{n % 2}\n" for n in range(40))
    )
    table = read_table(path)
    assert all(re.fullmatch("[A-Za-z0-9_]+", each.name) for each in table.attributes)
    assert len({each.name for each in table.attributes}) == len(table.attributes) == 7
    assert [each.labels[0] for each in table.attributes][:4] == ["Année de parution", "Prix.net", "Prix net", "名前"]
    assert list(table.row(0)) == [each.name for each in table.attributes]


def test_what_follows_a_json_list_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "more.json"
    path.write_text('[{"a": 1}]\n{"a": 2}')
    with pytest.raises(BadInput, match="line 2: there is more after the end of the list"):
        read_table(path)


REAL = Path(os.environ.get("DOWSE_DATA", Path(__file__).parents[3] / "shared" / "data")) / "db"


@cache
def real(name: str) -> Checked:
    return Checked(read_table(REAL / name))


@pytest.mark.proof
@pytest.mark.skipif(not REAL.is_dir(), reason="needs the real tables of ../shared/data or $DOWSE_DATA")
@pytest.mark.parametrize("name", ["goodbooks10k.csv.gz", "wikipedia_movies.jsonl.gz"])
@settings(max_examples=6, deadline=None)
@given(draw=st.data())
def test_real_tables_answer_exactly(name: str, draw: st.DataObject) -> None:
    subject = real(name)
    asks = draw.draw(st.lists(asks_of(subject), min_size=1, max_size=2))
    subject.check(tuple(asks), draw.draw(orders_of(subject)), draw.draw(PAGE[0]), draw.draw(PAGE[1]))
