"""Which attribute of a form asks for which attribute of the records."""

from __future__ import annotations

from dowse.harvest.matching import MOST_VALUES, Matching
from dowse.model import Query, Record, Value
from dowse.select.selector import Interface


def record(**held: str) -> Record:
    return Record(tuple(Value(name, text) for name, text in held.items()))


def test_by_name() -> None:
    matching = Matching(Interface(("author",)))
    matching.learn(Query(), [record(Author="Kafka", Year="1925")])
    assert matching.asks == {"Author": "author"}


def test_by_choices() -> None:
    matching = Matching(Interface(choices=(("make", ("Ford", "Opel", "Lada")),)))
    matching.learn(Query(), [record(brand="ford", model="Ka"), record(brand="Opel", model="Astra")])
    assert matching.asks == {"brand": "make"}
    assert matching.decompose(record(brand="FORD", model="Ka")) == [Value("make", "Ford")]


def test_by_what_an_answer_shows() -> None:
    matching = Matching(Interface(("writer",)))
    matching.learn(Query((Value("writer", "Kafka"),)), [record(c1="Franz Kafka", c2=f"book {n}") for n in range(4)])
    assert matching.asks == {"c1": "writer"}
    assert matching.decompose(record(c1="Max Brod", c2="x")) == [Value("writer", "Max Brod")]


def test_two_records_tell_nothing() -> None:
    matching = Matching(Interface(("writer",)))
    matching.learn(Query((Value("writer", "Kafka"),)), [record(c1="Franz Kafka"), record(c1="Kafka, F.")])
    assert not matching.asks


def test_a_box_for_any_words_gets_values_and_their_words() -> None:
    matching = Matching(Interface(keyword=True))
    assert matching.decompose(record(title="The Blue Whale")) == [
        Value("", "The Blue Whale"), Value("", "blue"), Value("", "whale"),
    ]  # fmt: skip


def test_a_long_text_is_asked_for_by_its_words() -> None:
    matching = Matching(Interface(keyword=True))
    text = "words " * 50
    assert matching.decompose(record(about=text)) == [Value("", "words")]


def test_a_record_cannot_fill_the_graph() -> None:
    matching = Matching(Interface(keyword=True))
    text = " ".join(f"wo{chr(97 + n % 26)}rd{chr(97 + n // 26)}" for n in range(500))
    assert len(matching.decompose(record(about=text))) == MOST_VALUES
