"""Which attribute of a form asks for which attribute of the records."""

from __future__ import annotations

import pytest

from dowse.harvester.matching import MAX_VALUES_PER_RECORD, AttributeMap
from dowse.model import Query, Record, Value
from dowse.select.selector import Interface, Span
from tests.hash_seeds import run_with_hash_seed


def record(**held: str) -> Record:
    return Record(tuple(Value(name, text) for name, text in held.items()))


def test_by_name() -> None:
    matching = AttributeMap(Interface(("author",)))
    matching.learn(Query(), [record(Author="Kafka", Year="1925")])
    assert matching.asks == {"Author": "author"}


def test_by_choices() -> None:
    matching = AttributeMap(Interface(choices=(("make", ("Ford", "Opel", "Lada")),)))
    matching.learn(Query(), [record(brand="ford", model="Ka"), record(brand="Opel", model="Astra")])
    assert matching.asks == {"brand": "make"}
    assert matching.decompose(record(brand="FORD", model="Ka")) == [Value("make", "Ford")]


def test_by_what_an_answer_shows() -> None:
    matching = AttributeMap(Interface(("writer",)))
    matching.learn(Query((Value("writer", "Kafka"),)), [record(c1="Franz Kafka", c2=f"book {n}") for n in range(4)])
    assert matching.asks == {"c1": "writer"}
    assert matching.decompose(record(c1="Max Brod", c2="x")) == [Value("writer", "Max Brod")]


def test_of_attributes_that_show_it_as_often_the_first_one_is_taken_whatever_the_order_of_sets() -> None:
    script = (
        "from dowse.harvester.matching import AttributeMap\n"
        "from dowse.model import Query, Record, Value\n"
        "from dowse.select.selector import Interface\n"
        "records = [Record(tuple(Value(f'c{n}', 'Franz Kafka') for n in range(9))) for _ in range(4)]\n"
        "matching = AttributeMap(Interface(('writer',)))\n"
        "matching.learn(Query((Value('writer', 'Kafka'),)), records)\n"
        "print(matching.asks)"
    )
    assert {run_with_hash_seed(script, seed) for seed in range(3)} == {"{'c0': 'writer'}"}


def test_two_records_tell_nothing() -> None:
    matching = AttributeMap(Interface(("writer",)))
    matching.learn(Query((Value("writer", "Kafka"),)), [record(c1="Franz Kafka"), record(c1="Kafka, F.")])
    assert not matching.asks


def test_a_box_for_any_words_gets_values_and_their_words() -> None:
    matching = AttributeMap(Interface(keyword=True))
    assert matching.decompose(record(title="The Blue Whale")) == [
        Value("", "The Blue Whale"), Value("", "blue"), Value("", "whale"),
    ]  # fmt: skip


def test_a_long_text_is_asked_for_by_its_words() -> None:
    matching = AttributeMap(Interface(keyword=True))
    text = "words " * 50
    assert matching.decompose(record(about=text)) == [Value("", "words")]


def test_a_record_cannot_fill_the_graph() -> None:
    matching = AttributeMap(Interface(keyword=True))
    text = " ".join(f"wo{chr(97 + n % 26)}rd{chr(97 + n // 26)}" for n in range(500))
    assert len(matching.decompose(record(about=text))) == MAX_VALUES_PER_RECORD


@pytest.mark.parametrize(
    ("own", "shown"),
    [
        pytest.param("height in cm", "Height", id="with its unit"),
        pytest.param("cognome dell autore", "Autore", id="a part of the other"),
        pytest.param("autori", "Autore", id="another ending"),
    ],
)
def test_names_that_are_alike(own: str, shown: str) -> None:
    matching = AttributeMap(Interface((own,)))
    matching.learn(Query(), [record(**{shown: "x", "Other": "y"})])
    assert matching.asks == {shown: own}


def test_a_range_is_matched_to_what_has_its_type() -> None:
    held = [record(Published=f"2001-0{n}-02", Year=str(2000 + n), Title=f"Book {n}") for n in range(1, 5)]
    matching = AttributeMap(Interface(spans=(Span("year published"), Span("in print", "date"))))
    matching.learn(Query(), held)
    assert matching.asks == {"Year": "year published", "Published": "in print"}


def test_what_an_answer_shows_is_believed_before_a_name() -> None:
    matching = AttributeMap(Interface(("name",)))
    held = [record(Name=f"Book {n}", c2="Franz Kafka") for n in range(4)]
    matching.learn(Query(), held)
    assert matching.asks == {"Name": "name"}
    matching.learn(Query((Value("name", "Franz Kafka"),)), held)
    assert matching.asks == {"c2": "name"}


def test_a_choice_in_a_longer_text_is_no_value_of_it() -> None:
    matching = AttributeMap(Interface(choices=(("town", ("Bonn", "Ulm")),)))
    matching.learn(Query((Value("town", "Bonn"),)), [record(title=f"House {n} in Bonn") for n in range(5)])
    assert not matching.asks


def test_values_of_records_are_tried_in_boxes_that_nobody_knows() -> None:
    held = [record(c1="The Trial", c2="Franz Kafka", c3="1925"), record(c1="Amerika", c2="Franz Kafka", c3="1927")]
    matching = AttributeMap(Interface(("by",)))
    tried = []
    for query in matching.trials(held):
        tried.append(query.values[0].text)
        matching.learn(query, [each for each in held if Value("c2", query.values[0].text) in each.values])
    assert tried == ["The Trial", "Franz Kafka"]
    assert matching.asks == {"c2": "by"}
