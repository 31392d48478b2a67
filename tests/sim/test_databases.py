"""Databases look like those of the web: dependent values, several values, a heavy head."""

from __future__ import annotations

from collections import Counter

import pytest

from dowse.sim.databases import Ask, DatabasePlan, make_table
from dowse.sim.topics import TOPIC_NAMES, TOPICS


@pytest.mark.parametrize("topic", TOPIC_NAMES)
def test_records_have_every_attribute_and_children_fit_their_parents(topic: str) -> None:
    table = make_table(DatabasePlan(0, "x/0", topic, 300, "key"))
    assert len(table.rows) == 300
    for row in table.rows:
        assert list(row) == [each.name for each in TOPICS[topic].attributes]
        for attribute in TOPICS[topic].attributes:
            if attribute.kind == "child":
                assert row[attribute.name][0] in dict(attribute.children)[row[attribute.parent][0]]
            if attribute.kind == "number":
                assert attribute.low <= int(row[attribute.name][0]) <= attribute.high


def test_a_few_values_are_frequent_and_some_records_have_several() -> None:
    table = make_table(DatabasePlan(0, "x/0", "books", 400, "key"))
    authors = Counter(author for row in table.rows for author in row["author"])
    head = sum(count for _, count in authors.most_common(len(authors) // 5))
    assert head > authors.total() * 0.45
    assert max(len(row["author"]) for row in table.rows) > 1


@pytest.mark.parametrize(
    ("ask", "field", "value"),
    [
        (Ask("equals", "make", "toyota"), "make", "Toyota"),
        (Ask("contains", "model", "coro"), "model", "Corolla"),
        (Ask("keyword", "", "corolla TOYOTA"), "model", "Corolla"),
    ],
    ids=["case does not matter", "part of a value", "words in any order"],
)
def test_conditions(ask: Ask, field: str, value: str) -> None:
    table = make_table(DatabasePlan(0, "x/0", "cars", 300, "key"))
    assert table.find((ask,)) == [number for number, row in enumerate(table.rows) if value in row[field]]


def test_a_bound_that_is_no_number_bounds_nothing() -> None:
    table = make_table(DatabasePlan(0, "x/0", "cars", 50, "key"))
    assert table.find((Ask("min", "price", "cheap"),)) == list(range(50))
