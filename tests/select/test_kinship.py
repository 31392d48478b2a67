"""Attributes of two sources that are the same, by the values that they share."""

from __future__ import annotations

from dowse.model import Record, Value
from dowse.select.kinship import DOUBTED, Kinship
from dowse.select.table import build_table

PEOPLE = ["Hanks, Tom", "Ryan, Meg", "Foster, Jodie", "Reno, Jean", "Ford, Harrison"]
TABLE = build_table(
    Record((Value("actor name", name), Value("year", str(1990 + place)), Value("length", str(100 + place))))
    for place, name in enumerate(PEOPLE)
)


def met(*values: tuple[str, str]) -> Kinship:
    kinship = Kinship(TABLE)
    for attribute, text in values:
        kinship.meet(attribute, text)
    return kinship


def names(kinship: Kinship, attribute: str) -> list[str]:
    return [TABLE.attributes[place] for place in kinship.match(attribute)]


def test_attributes_of_other_names_are_found_by_their_values() -> None:
    kinship = met(("cast", "Tom Hanks"), ("cast", "Meg Ryan"), ("cast", "Jodie Foster"))
    assert names(kinship, "cast") == ["actor name"]


def test_values_are_written_as_the_source_writes_them() -> None:
    kinship = met(("cast", "Tom Hanks"), ("cast", "Meg Ryan"), ("cast", "Jodie Foster"))
    reno = list(TABLE.texts).index("Reno, Jean")
    assert kinship.write("cast", reno) == "Jean Reno"
    assert kinship.write("unknown", reno) == "Reno, Jean"


def test_one_name_is_enough_until_values_differ() -> None:
    assert names(met(), "year") == ["year"]
    assert names(met(*[("year", str(number)) for number in range(DOUBTED)]), "year") == []


def test_a_few_values_in_common_by_chance_are_not_enough() -> None:
    assert names(met(("size", "100"), ("size", "101")), "size") == []
    assert names(met(*[("size", str(number)) for number in range(103)]), "size") == []


def test_the_user_knows_better() -> None:
    kinship = Kinship(TABLE, {"size": ["length"], "year": []})
    assert names(kinship, "size") == ["length"]
    assert names(kinship, "year") == []


def test_the_hit_rate_is_the_part_that_the_table_has() -> None:
    kinship = met(*[("year", str(1985 + number)) for number in range(10)])
    assert kinship.hit_rate("year", kinship.match("year")) == (5 + 1) / (10 + 2)
