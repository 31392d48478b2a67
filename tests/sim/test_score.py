"""Scores count what they should: forms, sources, records."""

from __future__ import annotations

from dataclasses import replace

from dowse.model import Record
from dowse.sim import World, score_forms, score_records
from dowse.sim.score import read_found
from dowse.sim.truth import FormTruth, SiteTruth

_FORM = FormTruth(
    id="a#0",
    kind="database",
    purpose="database",
    page="http://a/",
    depth=0,
    method="GET",
    action="http://a/s",
    fields=("q",),
    buttons=("go",),
    conditions=(),
    database="a/0",
    repeated="",
    changes=False,
    same_as=None,
    made="html",
    way="root",
    by_menu=True,
    reachable=True,
)


def _site(name: str, *forms: FormTruth) -> SiteTruth:
    truth = World(seed=1, sites=1).site(0)
    return replace(truth, site=f"http://{name}", forms=forms, databases=())


def test_forms_count_once_for_each_site() -> None:
    hidden = replace(_FORM, action="http://a/h", reachable=False)
    login = replace(_FORM, kind="login", action="http://a/l")
    copy = replace(_FORM, id="a#9", page="http://a/c", same_as="a#0")
    truth = [_site("a", _FORM, hidden, login, copy), _site("b", _FORM)]
    found = [
        ("http://a", "database", "http://a/s", ("q",)),
        ("http://a/", "database", "http://a/s", ("go", "q")),  # the same with its button
        ("http://a", "database", "http://a/h", ("q",)),  # true, though nobody was expected to find it
        ("http://a", "database", "http://a/l", ("q",)),  # a login is not a query form
        ("http://a", "login", "http://a/l", ("q",)),
        ("http://c", "database", "http://c/s", ("q",)),  # no such site
    ]
    score = score_forms(found, truth)
    assert (score.reachable, score.right, score.wrong, score.missed) == (2, 1, 2, 1)
    assert score.recall == 0.5
    assert score.precision == 1 / 3
    assert score_forms([], []).recall == 1.0


def test_rows_of_an_export_are_read() -> None:
    row = {"site": "http://a", "kind": "database", "action": "http://a/s", "fields": ["q"], "page": "http://a/"}
    assert read_found([row]) == [("http://a", "database", "http://a/s", ("q",))]


def _records(*rows: dict[str, tuple[str, ...]]) -> list[Record]:
    return [Record(tuple((name, value) for name, values in row.items() for value in values)) for row in rows]


def test_records_match_by_their_values_whatever_attributes_are_called() -> None:
    truth = _records(
        {"title": ("Old Roads",), "author": ("Anna B", "Carl D"), "year": ("1999",), "price": ("5",)},
        {"title": ("New Roads",), "author": ("Anna B",), "year": ("1999",), "price": ("5",)},
        {"title": ("New Roads",), "author": ("Anna B",), "year": ("1999",), "price": ("5",)},  # twins are two records
        {"title": ("Unseen",), "author": ("Zoe",), "year": ("2001",), "price": ("7",)},
    )
    found = [
        {"Name": "old roads", "By": ["Anna B", "Carl D"], "Y": 1999, "P": "5"},
        {"Name": "New Roads", "By": "Anna B", "Y": "1999", "P": "5"},
        {"Name": "New Roads", "By": "Anna B", "Y": "1999", "P": "5"},
        {"Name": "New Roads", "By": "Anna B", "Y": "1999", "P": "5"},  # one more than there are
        {"Name": "Old Roads", "By": ["Anna B", "Carl D"], "Y": "1999"},  # again, with a value missing
        {"Name": "Old", "By": "Anna B"},  # too little of any record
    ]
    score = score_records(found, truth)
    assert (score.reachable, score.right, score.wrong, score.repeated) == (4, 3, 1, 2)
    assert score.exact == 3
    assert score.recall == 0.75


def test_a_whole_database_scores_full(world: World) -> None:
    index = next(index for index in range(300) if world.plan(index).databases and world.database(index).size < 400)
    table = world.database(index)
    rows = [table.row(number) for number in range(table.size)]
    score = score_records(rows, world.records(index))
    assert score.recall == 1.0
    assert score.wrong == 0
    assert score.accuracy == 1.0
    half = score_records(rows[: len(rows) // 2], world.records(index))
    assert 0.45 < half.recall <= 0.5
