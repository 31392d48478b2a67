"""No proof where answers contradict what was asked, their own counts, or each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import pytest

from dowse.harvester.checks import AnswerMonitor, Contradictions, check_trials
from dowse.harvester.door import AttributeMap
from dowse.harvester.loop import ResultPage
from dowse.model import Answer, Query, Record, Response, Value
from dowse.reasons import ContradictionKind, StopReason
from dowse.select.selector import Interface, QueryProgress
from dowse.settings import HarvestSettings
from tests.harvester.library import Book, Library, make_books
from tests.harvester.test_harvest import harvest

FORM = Interface(attributes=("author",), choices=(("subject", ("Botany", "Chess", "Music")),), keyword=True)
SHOWN = {"Subject": "subject", "Author": "author"}


class Deaf(Library):
    """Shows the same books whatever is asked."""

    def _matches(self, book: Book, asked: dict[str, str]) -> bool:
        return True


class Boastful(Library):
    """Says on each page that what stands there is all."""

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        answer = super()._answer(url, sent)
        shown = answer.body.count(b"<tr><td>")
        said = f"<p class=count>{shown} of {shown} books found</p><table".encode()
        return Response(answer.url, 200, answer.headers, answer.body.replace(b"<table", said, 1))


class Wavering(Library):
    """Says another total on every page."""

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        answer = super()._answer(url, sent)
        page = int(sent.get("page", ["1"])[0])
        said = f"<p class=count>{40 - page} books found</p><table".encode()
        return Response(answer.url, 200, answer.headers, answer.body.replace(b"<table", said, 1))


class Round(Library):
    """Has a link to a next page on its last page, which leads to the first."""

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        answer = super()._answer(url, sent)
        if b"Next page" in answer.body or b"No books" in answer.body:
            return answer
        further = urlencode({name: values[0] for name, values in sent.items()} | {"page": "1"})
        link = f"<p><a href='/find?{further}&again=1'>Next page</a></p><p id=foot".encode()
        return Response(answer.url, 200, answer.headers, answer.body.replace(b"<p id=foot", link, 1))


LIARS: list[tuple[str, Callable[[], Library], str]] = [
    ("the same page for every query", lambda: Deaf(make_books(9)), ContradictionKind.QUERY_IGNORED),
    ("10 of 10 while pages go on", lambda: Boastful(make_books(45), counts=False), ContradictionKind.PAGES_AFTER_COUNT),
    ("another total on each page", lambda: Wavering(make_books(39), counts=False), ContradictionKind.COUNT_CHANGED),
]


@pytest.mark.parametrize("selector", ["greedy", "complete"])
@pytest.mark.parametrize(("make", "kind"), [row[1:] for row in LIARS], ids=[row[0] for row in LIARS])
def test_a_door_that_contradicts_itself_proves_nothing(
    tmp_path: Path, make: Callable[[], Library], kind: str, selector: str
) -> None:
    run, _ = harvest(tmp_path / "a.db", make(), HarvestSettings(selector=selector, rounds=120))
    assert not run.complete, run.proof
    assert run.proof.startswith("answers contradict each other: "), run.proof
    assert kind in run.monitor.noticed
    again, _ = harvest(tmp_path / "a.db", make(), HarvestSettings(selector=selector, rounds=120))
    assert not again.complete, "what is kept says the same"


def test_pages_behind_an_untrue_count_are_harvested(tmp_path: Path) -> None:
    library = Boastful(make_books(45), counts=False)
    _, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy", rounds=120))
    assert len(records) == 45


def test_a_last_page_that_leads_to_the_first_is_no_contradiction(tmp_path: Path) -> None:
    library = Round(make_books(45))
    run, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    assert (run.complete, len(records)) == (True, 45), run.proof
    assert run.harvested.requests == library.requests


def _record(number: int, subject: str = "Botany", author: str = "Adler") -> Record:
    return Record((Value("Title", f"book {number}"), Value("Subject", subject), Value("Author", author)), str(number))


def _page(
    query: Query, records: list[Record], total: int | None = None, page: int = 0, said: int | None = None
) -> ResultPage:
    asked = QueryProgress(query, pages=page + 1, records=len(records), total=total)
    answer = Answer(query, page, tuple(records), said if said is not None else total)
    return ResultPage(asked, answer, tuple(int(record.key) for record in records), over=True)


def _ask(attribute: str, text: str) -> Query:
    return Query((Value(attribute, text),))


CASES: list[tuple[str, list[ResultPage], set[str]]] = [
    ("what was asked for", [_page(_ask("subject", "Botany"), [_record(1), _record(2)], 2)], set()),
    ("another choice", [_page(_ask("subject", "Chess"), [_record(1, "Chess"), _record(2)], 2)], {ContradictionKind.WRONG_RECORDS}),
    ("no choice at all", [_page(_ask("subject", "Chess"), [_record(1, "games")], 1)], set()),
    ("part of a name", [_page(_ask("author", "Adler, K."), [_record(1)], 1)], set()),
    ("one name of many", [_page(_ask("author", "Adler"), [_record(1), _record(2), _record(3, author="Lenz")])], set()),
    ("other names", [_page(_ask("author", "Kern"), [_record(1)], 1)], {ContradictionKind.WRONG_RECORDS}),
    ("a word that is not shown", [_page(_ask("", "amber"), [_record(1)], 1)], set()),
    (
        "the same for words that are not shown",
        [_page(_ask("", word), [_record(1), _record(2), _record(3)]) for word in ("amber", "birch", "dune")],
        {ContradictionKind.SAME_RECORDS},
    ),
    (
        "the same for words that are shown",
        [_page(_ask("", word), [_record(1), _record(2), _record(3)]) for word in ("adler", "botany", "book")],
        set(),
    ),
    ("more than said", [_page(_ask("", "book"), [_record(1), _record(2)], 1)], {ContradictionKind.MORE_THAN_COUNTED}),
    ("another total", [_page(_ask("", "book"), [_record(1)], 9, page=1, said=8)], {ContradictionKind.COUNT_CHANGED}),
    (
        "parts as large as the whole that are not the same",
        [_page(Query(), [_record(1)], 48), *[_page(_ask("subject", kind), [_record(place, kind)], 48) for place, kind in enumerate(("Botany", "Chess"), 2)]],
        {ContradictionKind.SAME_COUNT},
    ),
    (
        "parts that are all of the whole",
        [_page(Query(), [_record(1)], 48), *[_page(_ask("subject", "Botany"), [_record(2)], 48)] * 2],
        set(),
    ),
    ("a part larger than the whole", [_page(Query(), [_record(1)], 1), _page(_ask("", "book"), [_record(2)], 5)], {ContradictionKind.PART_OVER_WHOLE}),
]  # fmt: skip


@pytest.mark.parametrize(("pages", "kinds"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_what_contradicts(pages: list[ResultPage], kinds: set[str]) -> None:
    contradictions = Contradictions(AttributeMap(FORM, dict(SHOWN)))
    assert {kind for page in pages for kind in contradictions.note(page)} == kinds
    assert bool(contradictions.why_unproven(harvested=1)) == bool(kinds)


def test_a_whole_that_is_smaller_than_what_was_harvested() -> None:
    contradictions = Contradictions(AttributeMap(FORM))
    assert not list(contradictions.note(_page(Query(), [_record(1)], 1)))
    assert contradictions.why_unproven(harvested=1) == ""
    assert "1 records, and 2 were harvested" in contradictions.why_unproven(harvested=2)


def test_an_attribute_that_has_no_effect_contradicts_nothing() -> None:
    contradictions = Contradictions(AttributeMap(FORM, dict(SHOWN)))
    assert list(contradictions.note(_page(_ask("subject", "Chess"), [_record(1)], 1))) == [
        ContradictionKind.WRONG_RECORDS
    ]
    assert "subject=Chess brought a record with subject botany" in contradictions.why_unproven(1)
    assert contradictions.why_unproven(1, ineffective={"subject"}) == ""


def test_a_door_that_listens_to_something_is_not_deaf() -> None:
    one, two, whole = _ask("", "a"), _ask("", "b"), Query()
    same = {query: Answer(query, 0, (_record(1), _record(2)), 2) for query in (whole, one, two)}
    deaf = check_trials(same, [(_record(1), _record(2))])
    assert deaf is not None
    assert deaf.kind == ContradictionKind.QUERY_IGNORED
    assert check_trials(same, [()]) is None, "a word that nobody has written brought nothing"
    fewer = check_trials({**same, two: Answer(two, 0, (_record(3),), 1)}, [])
    assert fewer is not None
    assert fewer.kind == ContradictionKind.MORE_THAN_COUNTED


@pytest.mark.parametrize(
    ("words", "stops"),
    [
        pytest.param(
            ["book", "1", "bot", "any", "adler", "ok 1", "ler"], False, id="words of the one record that comes"
        ),
        pytest.param(["amber", "birch", "dune", "fjord", "kelp", "jade"], True, id="words that it does not show"),
    ],
)
def test_the_same_record_for_each_of_its_words_is_no_reason_to_stop(words: list[str], stops: bool) -> None:
    monitor = AnswerMonitor()
    reasons = [monitor.note(_page(_ask("", word), [_record(1)], 1)) for word in words]
    assert (StopReason.SAME_RECORDS in reasons) is stops


def test_any_query_after_a_counted_list_confirms_it(tmp_path: Path) -> None:
    """As many records as a limit lets through: few of the first queries show enough of them."""
    rng = Random(1)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(400)]
    books = [replace(book, author=" ".join(rng.sample(words, 3))) for book in make_books(200)]
    run, records = harvest(tmp_path / "a.db", Library(books), HarvestSettings(selector="greedy", rounds=300))
    assert (run.complete, len(records)) == (True, 200), run.proof
