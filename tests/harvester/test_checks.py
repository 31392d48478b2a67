"""No proof where answers contradict what was asked, their own counts, or each other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest

from dowse.harvester.checks import ALIKE, CHANGED, DEAF, FEWER, MORE, OTHERS, WENT_ON, Doubts, doubt_opening
from dowse.harvester.loop import Draught
from dowse.harvester.matching import Matching
from dowse.model import Answer, Query, Record, Response, Value
from dowse.select.selector import Asked, Interface
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
    ("the same page for every query", lambda: Deaf(make_books(9)), DEAF),
    ("10 of 10 while pages go on", lambda: Boastful(make_books(45), counts=False), WENT_ON),
    ("another total on each page", lambda: Wavering(make_books(39), counts=False), CHANGED),
]


@pytest.mark.parametrize("selector", ["greedy", "complete"])
@pytest.mark.parametrize(("make", "kind"), [row[1:] for row in LIARS], ids=[row[0] for row in LIARS])
def test_a_door_that_contradicts_itself_proves_nothing(
    tmp_path: Path, make: Callable[[], Library], kind: str, selector: str
) -> None:
    run, _ = harvest(tmp_path / "a.db", make(), HarvestSettings(selector=selector, rounds=120))
    assert not run.complete, run.proof
    assert run.proof.startswith("answers contradict each other: "), run.proof
    assert kind in run.watch.noticed
    again, _ = harvest(tmp_path / "a.db", make(), HarvestSettings(selector=selector, rounds=120))
    assert not again.complete, "what is kept says the same"


def test_pages_behind_an_untrue_count_are_drawn(tmp_path: Path) -> None:
    library = Boastful(make_books(45), counts=False)
    _, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy", rounds=120))
    assert len(records) == 45


def test_a_last_page_that_leads_to_the_first_is_no_contradiction(tmp_path: Path) -> None:
    library = Round(make_books(45))
    run, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    assert (run.complete, len(records)) == (True, 45), run.proof
    assert run.drawn.requests == library.requests


def _record(number: int, subject: str = "Botany", author: str = "Adler") -> Record:
    return Record((Value("Title", f"book {number}"), Value("Subject", subject), Value("Author", author)), str(number))


def _draught(
    query: Query, records: list[Record], total: int | None = None, page: int = 0, said: int | None = None
) -> Draught:
    asked = Asked(query, pages=page + 1, records=len(records), total=total)
    answer = Answer(query, page, tuple(records), said if said is not None else total)
    return Draught(asked, answer, tuple(int(record.key) for record in records), over=True)


def _ask(attribute: str, text: str) -> Query:
    return Query((Value(attribute, text),))


CASES: list[tuple[str, list[Draught], set[str]]] = [
    ("what was asked for", [_draught(_ask("subject", "Botany"), [_record(1), _record(2)], 2)], set()),
    ("another choice", [_draught(_ask("subject", "Chess"), [_record(1, "Chess"), _record(2)], 2)], {OTHERS}),
    ("no choice at all", [_draught(_ask("subject", "Chess"), [_record(1, "games")], 1)], set()),
    ("part of a name", [_draught(_ask("author", "Adler, K."), [_record(1)], 1)], set()),
    ("one name of many", [_draught(_ask("author", "Adler"), [_record(1), _record(2), _record(3, author="Lenz")])], set()),
    ("other names", [_draught(_ask("author", "Kern"), [_record(1)], 1)], {OTHERS}),
    ("a word that is not shown", [_draught(_ask("", "amber"), [_record(1)], 1)], set()),
    (
        "the same for words that are not shown",
        [_draught(_ask("", word), [_record(1), _record(2), _record(3)]) for word in ("amber", "birch", "dune")],
        {ALIKE},
    ),
    (
        "the same for words that are shown",
        [_draught(_ask("", word), [_record(1), _record(2), _record(3)]) for word in ("adler", "botany", "book")],
        set(),
    ),
    ("more than said", [_draught(_ask("", "book"), [_record(1), _record(2)], 1)], {FEWER}),
    ("another total", [_draught(_ask("", "book"), [_record(1)], 9, page=1, said=8)], {CHANGED}),
    ("a part larger than the whole", [_draught(Query(), [_record(1)], 1), _draught(_ask("", "book"), [_record(2)], 5)], {MORE}),
]  # fmt: skip


@pytest.mark.parametrize(("draughts", "kinds"), [row[1:] for row in CASES], ids=[row[0] for row in CASES])
def test_what_contradicts(draughts: list[Draught], kinds: set[str]) -> None:
    doubts = Doubts(Matching(FORM, dict(SHOWN)))
    assert {kind for draught in draughts for kind in doubts.note(draught)} == kinds
    assert bool(doubts.why_not(held=1)) == bool(kinds)


def test_a_whole_that_is_smaller_than_what_is_held() -> None:
    doubts = Doubts(Matching(FORM))
    assert not list(doubts.note(_draught(Query(), [_record(1)], 1)))
    assert doubts.why_not(held=1) == ""
    assert "1 records, and 2 are held" in doubts.why_not(held=2)


def test_an_attribute_that_asks_for_nothing_takes_its_doubts_with_it() -> None:
    doubts = Doubts(Matching(FORM, dict(SHOWN)))
    assert list(doubts.note(_draught(_ask("subject", "Chess"), [_record(1)], 1))) == [OTHERS]
    assert "subject=Chess brought a record with subject botany" in doubts.why_not(1)
    assert doubts.why_not(1, dull={"subject"}) == ""


def test_a_door_that_listens_to_something_is_not_deaf() -> None:
    one, two, whole = _ask("", "a"), _ask("", "b"), Query()
    same = {query: Answer(query, 0, (_record(1), _record(2)), 2) for query in (whole, one, two)}
    deaf = doubt_opening(same, [(_record(1), _record(2))])
    assert deaf is not None
    assert deaf.kind == DEAF
    assert doubt_opening(same, [()]) is None, "a word that nobody has written brought nothing"
    fewer = doubt_opening({**same, two: Answer(two, 0, (_record(3),), 1)}, [])
    assert fewer is not None
    assert fewer.kind == FEWER
