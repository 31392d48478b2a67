"""Forms kept twice and forms lost are counted, and disturbing a form leaves it the same form."""

from __future__ import annotations

from random import Random

import pytest

from bench.duplicates import Extent, count_kept, disturb, measure, notes, sign_as_written, table
from bench.intervals import measure_interval
from dowse.form.signature import sign
from dowse.model import Field, Form, Option


@pytest.mark.parametrize(
    ("pairs", "twice", "lost"),
    [
        ([("a", "1"), ("b", "2"), ("a", "1")], 0, 0),
        ([("a", "1"), ("a", "2"), ("a", "3"), ("b", "4")], 2, 0),
        ([("a", "1"), ("b", "1"), ("c", "1")], 0, 2),
        ([("a", "1"), ("a", "2"), ("b", "2")], 1, 1),
    ],
)
def test_what_is_kept_twice_and_what_is_lost(pairs: list[tuple[str, str]], twice: int, lost: int) -> None:
    counts = count_kept(pairs)
    assert (counts["twice"], counts["lost"]) == (twice, lost)


def test_a_disturbed_form_is_written_otherwise_and_is_the_same_form() -> None:
    options = tuple(Option(str(number)) for number in range(9))
    form = Form(
        0, "GET", "http://e.example/find?page=search", (Field("q", "text"), Field("s", "select", options=options))
    )
    rng = Random(1)
    others = [disturb(form, rng) for _ in range(50)]
    assert len({sign_as_written(other) for other in others}) == 50
    assert {sign(other) for other in others} == {sign(form)}


def test_a_small_world_of_the_family_that_may_be_looked_at() -> None:
    one = measure(1, Extent(sites=6, world=60), family="A")
    assert one["read"] > 100
    assert not one["unknown"]
    assert one["ways"]["as it is written"]["twice"] > 0
    for way in ("signature", "signature, every page disturbed", "as a search keeps them"):
        assert (one["ways"][way]["twice"], one["ways"][way]["lost"]) == (0, 0), way
    intervals = {
        way: {name: measure_interval([value]).to_json() for name, value in counts.items()}
        for way, counts in one["ways"].items()
    }
    result = {"runs": [one], "intervals": intervals, "settings": {"family": "A"}}
    assert "| signature |" in table(result)
    assert "kept" in notes(result)
