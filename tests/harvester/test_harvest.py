"""A harvest through a form, from the first question to the reason it ended: on a small site of our own."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from pathlib import Path

import pytest

from dowse.fetch.build import wrap_fetch
from dowse.fetch.cookies import Jar
from dowse.harvester.door import open_template
from dowse.harvester.harvest import (
    HarvestOrder,
    open_harvest,
    run_harvest,
)
from dowse.harvester.loop import HarvestedRecords
from dowse.harvester.resume import HarvestRun, start_run
from dowse.harvester.trials import OpenedDoor, judge_door, try_door
from dowse.model import Answer, Door, Failure, Page, Query, Record, Request, Response, Value, Verdict
from dowse.reasons import HarvestNotice, StopReason
from dowse.select.graph import Graph
from dowse.settings import HarvestSettings
from dowse.step.visit import Inspection, inspect
from dowse.store import open_store
from dowse.store.harvests import StoredHarvest, begin_harvest, read_pages, read_records
from dowse.yields.size import SizeEstimate
from tests.harvester.library import SHELVES, SITE, Library, make_books


async def open_door(library: Library) -> tuple[Door, Page, object]:
    fetches = wrap_fetch(library.fetch, jar=Jar())
    seen = await inspect(f"{SITE}/", fetches.anywhere)
    assert isinstance(seen, Inspection)
    door = next(door for door in seen.doors if door.judgement.searchable)
    return door, seen.page, fetches.within_site


def harvest(
    path: Path, library: Library, settings: HarvestSettings, stop_at: int = 0, die_at: int = 0
) -> tuple[HarvestRun, list[Record]]:
    """Harvest the library; stop, or die, at a request."""

    async def go() -> HarvestRun:
        door, page, fetch = await open_door(library)
        with open_store(str(path)) as store:
            kept = begin_harvest(store, settings.selector, SITE, door.signature)
            opened = await try_door(door, page, fetch, [], post=settings.post, learned=kept.wrapper)  # type: ignore[arg-type]
            assert isinstance(opened, OpenedDoor), opened
            run = start_run(kept, settings)
            async for _ in run_harvest(store, run, opened):
                if stop_at and run.harvested.requests >= stop_at:
                    run.stopped = StopReason.INTERRUPTED
            return run

    run = asyncio.run(go())
    with open_store(str(path)) as store:
        return run, list(read_records(store, run.harvest.id))


def titles(records: list[Record]) -> list[str]:
    return [next(value.text for value in record.values if value.attribute in ("Title", "title")) for record in records]


def test_a_form_that_lists_everything_is_read_to_its_end(tmp_path: Path) -> None:
    library = Library(make_books(137))
    run, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    assert sorted(titles(records)) == sorted(book.title for book in library.books)
    assert run.complete
    assert run.stopped == StopReason.ALL_HARVESTED
    assert run.harvested.requests == library.requests
    assert run.harvested.requests <= 14 + 4  # pages, and finding out how it answers


def test_values_are_harvested_by_name(tmp_path: Path) -> None:
    library = Library(make_books(40))
    _, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    by_title = {book.title: book for book in library.books}
    for record in records:
        held = dict(record.values)
        book = by_title[held["Title"]]
        assert (held["Author"], held["Subject"], held["Year"]) == (book.author, book.subject, str(book.year))
        assert record.url == f"{SITE}/book/{book.number}"


@pytest.mark.parametrize("selector", ["breadth", "greedy", "mmmi", "auto"])
def test_a_form_that_wants_values_is_harvested_by_what_it_shows(tmp_path: Path, selector: str) -> None:
    library = Library(make_books(137), lists_all=False)
    run, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector=selector, rounds=400))
    assert len(set(titles(records))) == len(records)
    assert len(records) == 137
    assert run.harvested.requests == library.requests


def test_a_budget_ends_it_and_the_same_command_goes_on(tmp_path: Path) -> None:
    stopped = Library(make_books(137), lists_all=False)
    first, _ = harvest(tmp_path / "a.db", stopped, HarvestSettings(selector="greedy", rounds=12))
    assert first.stopped == StopReason.REQUEST_BUDGET
    assert first.harvested.requests == 12
    again = Library(make_books(137), lists_all=False)
    second, records = harvest(tmp_path / "a.db", again, HarvestSettings(selector="greedy", rounds=60))
    whole = Library(make_books(137), lists_all=False)
    undisturbed, wanted = harvest(tmp_path / "b.db", whole, HarvestSettings(selector="greedy", rounds=60))
    assert records == wanted
    assert second.harvested.requests == undisturbed.harvested.requests == first.harvested.requests + again.requests
    assert stopped.asked + again.asked == whole.asked, "nothing is asked twice"


def test_an_interrupt_in_the_middle_of_an_answer_loses_nothing(tmp_path: Path) -> None:
    library = Library(make_books(137))
    first, some = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"), stop_at=7)
    assert first.stopped == StopReason.INTERRUPTED
    _, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    assert records[: len(some)] == some
    assert len(records) == 137
    assert max(library.asked.values()) == 1, "the page that is asked twice has another hidden value then"


def test_what_no_longer_fits_is_kept_and_not_harvested_twice(tmp_path: Path) -> None:
    """The site has changed meanwhile: what the selector asks next is not what it asked then."""
    harvest(
        tmp_path / "a.db",
        Library(make_books(60), lists_all=False),
        HarvestSettings(selector="random", rounds=20, seed=1),
    )
    run, records = harvest(
        tmp_path / "a.db",
        Library(make_books(60), lists_all=False),
        HarvestSettings(selector="random", rounds=500, seed=2),
    )
    assert len(records) == len(set(titles(records))) == 60
    assert run.records == 60


def test_a_post_form_with_a_session(tmp_path: Path) -> None:
    library = Library(make_books(35), method="post", session="sid=4711")
    run, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy", post=True))
    assert len(records) == 35, run.stopped
    assert any(asked.startswith("POST") for asked in library.asked)


def test_a_post_form_is_refused_by_default() -> None:
    door, _, _ = asyncio.run(open_door(Library(make_books(5), method="post")))
    refused = judge_door(door, post=False)
    assert refused == Verdict(False, "sends with POST, and only GET is allowed; --post allows it")


def test_a_changed_template_is_learned_again(tmp_path: Path) -> None:
    library = Library(make_books(137))
    harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"), stop_at=8)
    library.template = 2
    _, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    assert sorted(set(titles(records))) == sorted(book.title for book in library.books)


CAPTCHA = "<h2>Are you a robot?</h2><p>Please solve the captcha to continue.</p><div class=g-recaptcha></div>"


def test_a_captcha_stops_it_and_keeps_what_was_harvested(tmp_path: Path) -> None:
    library = Library(make_books(137), lists_all=False, breaks=dict.fromkeys(range(15, 1000), CAPTCHA))
    run, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    assert run.stop_sentence.startswith("no answers any more: ")
    assert "robot check" in run.stop_sentence
    assert records
    assert library.requests < 20


LED_AWAY = [
    ("a login", "/login?back=1", "asks to log in"),
    ("a page that asks for a password", "/members", "asks to log in"),
    ("consent", "/cookie-consent?back=1", "asks for consent first"),
    ("another site", "http://elsewhere.example/", "leads to another site"),
]


@pytest.mark.parametrize(("target", "reason"), [row[1:] for row in LED_AWAY], ids=[row[0] for row in LED_AWAY])
def test_a_redirect_to_something_else_stops_it_and_keeps_what_was_harvested(
    tmp_path: Path, target: str, reason: str
) -> None:
    """The page it leads to has the look of all others, a menu and a list of links."""

    class Closing(Library):
        async def fetch(self, request: Request) -> Response | Failure:
            if request.url.startswith(f"{SITE}/find") and self.requests >= 14:
                return Response(request.url, 302, (("location", target),))
            if request.url in (f"{SITE}{target}", target):
                form = "<form method=post action=/enter><input name=user><input type=password name=word></form>"
                return self._page(request.url, form if target == "/members" else "<p>Hello</p>")
            return await super().fetch(request)

    library = Closing(make_books(137), lists_all=False)
    run, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    assert run.stop_sentence == f"no answers any more: {reason}"
    assert run.monitor.noticed.get(f"pages that came instead of an answer: {reason}", 0) >= 2
    assert len(records) == run.records > 0
    assert not run.complete


def test_an_answer_that_is_the_page_of_its_only_record_is_read(tmp_path: Path) -> None:
    """Each author has written one book; whoever asks for one is led to that book."""

    class Leading(Library):
        def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
            asked = {name: values[0] for name, values in sent.items() if values[0] and name not in ("page", "view")}
            found = [book for book in self.books if self._matches(book, asked)]
            if len(found) == 1:
                return Response(url, 302, (("location", f"/book/{found[0].number}"),))
            return super()._answer(url, sent)

    books = [replace(book, author=f"Author{book.number:03}") for book in make_books(60)]

    async def go() -> Answer:
        door, page, fetch = await open_door(Leading(books))
        opened = await try_door(door, page, fetch, [])  # type: ignore[arg-type]
        assert isinstance(opened, OpenedDoor), opened
        return await opened.source.ask(Query((Value("author", "Author047"),)), 0)

    answer = asyncio.run(go())
    assert (answer.total, answer.trouble, answer.more) == (1, "", False)
    assert [(record.key, record.url) for record in answer.records] == [(f"{SITE}/book/47", f"{SITE}/book/47")]
    told = {"Title": books[47].title, "Author": "Author047", "Shelf": SHELVES[47 % 3], "Pages": "147"}
    assert dict(answer.records[0].values) == told


def test_the_same_records_for_every_query_stop_it(tmp_path: Path) -> None:
    class Deaf(Library):
        def _matches(self, book: object, asked: dict[str, str]) -> bool:
            return True

    run, records = harvest(tmp_path / "a.db", Deaf(make_books(9), counts=False), HarvestSettings(selector="greedy"))
    assert run.stopped is StopReason.SAME_RECORDS
    assert len(records) == 9


def test_a_door_without_records_says_what_to_do(tmp_path: Path) -> None:
    async def go() -> OpenedDoor | Verdict:
        door, page, fetch = await open_door(Library([]))
        return await try_door(door, page, fetch, [])  # type: ignore[arg-type]

    refused = asyncio.run(go())
    assert isinstance(refused, Verdict)
    assert refused.reason.startswith("no records came back in ")
    assert "--value" in refused.reason


def test_every_page_is_kept(tmp_path: Path) -> None:
    library = Library(make_books(50))
    run, _ = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    with open_store(str(tmp_path / "a.db")) as store:
        pages = list(read_pages(store, run.harvest.id))
    assert [page.answer.page for page in pages[:5]] == [0, 1, 2, 3, 4]
    assert pages[0].answer.total == 50
    assert pages[0].answer.next is not None


def test_details_are_read_once_for_each_record(tmp_path: Path) -> None:
    library = Library(make_books(30))
    settings = HarvestSettings(selector="greedy", details=True)
    first, _ = harvest(tmp_path / "a.db", library, settings, stop_at=12)
    assert first.stopped == StopReason.INTERRUPTED
    run, records = harvest(tmp_path / "a.db", library, settings)
    assert len(records) == 30
    for record in records:
        held = dict(record.values)
        number = int(record.url.rpartition("/")[2])
        assert (held["Shelf"], held["Pages"]) == (SHELVES[number % 3], str(100 + number))
    own = [count for asked, count in library.asked.items() if "/book/" in asked]
    assert own == [1] * 30
    assert run.harvested.requests == library.requests + 30


def test_what_was_no_answer_is_asked_for_again(tmp_path: Path) -> None:
    """The door breaks half way, is mended, and the same command goes on."""
    library = Library(make_books(137), breaks=dict.fromkeys(range(10, 1000), CAPTCHA))
    first, some = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    assert first.stopped is StopReason.NO_ANSWERS
    library.breaks = {}
    run, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy"))
    assert records[: len(some)] == some
    assert len(records) == 137
    assert run.complete


def test_a_limit_that_nobody_speaks_of_is_noticed(tmp_path: Path) -> None:
    library = Library(make_books(300), lists_all=False, limit=20, counts=False)
    run, records = harvest(tmp_path / "a.db", library, HarvestSettings(selector="greedy", rounds=60))
    assert len(records) < 300
    assert run.size is not None
    assert run.size.high >= 300 or run.size.coverage_low < 0.8, "it does not claim to have everything"


def test_a_session_that_ends_is_renewed(tmp_path: Path) -> None:
    class Forgetful(Library):
        async def fetch(self, request: Request) -> Response | Failure:
            if request.url == f"{SITE}/" or self.requests == 12:
                self.session = f"sid={self.requests}"
            return await super().fetch(request)

    library = Forgetful(make_books(60), lists_all=False, session="sid=0")

    async def go() -> HarvestRun:
        fetches = wrap_fetch(library.fetch, jar=Jar())
        order = HarvestOrder(f"{SITE}/")
        async with open_harvest(order, str(tmp_path / "a.db"), HarvestSettings(rounds=300), fetches) as (
            store,
            run,
            ready,
        ):
            async for _ in run_harvest(store, run, ready):
                pass
            return run

    run = asyncio.run(go())
    assert run.records == 60, run.stopped


def test_half_a_letter_is_kept_as_a_question_mark() -> None:
    async def fetch(request: Request) -> Response | Failure:
        body = (
            b'{"total": 1000000000000000000000000, "items": [{"id": 1, "name": "a\\ud800b"}, {"id": 2, "name": "c"}]}'
        )
        return Response(request.url, 200, (("content-type", "application/json"),), body)

    door = open_template("http://a.example/?q={query}")
    assert isinstance(door, Door)
    opened = asyncio.run(try_door(door, None, fetch, [Value("", "a")]))
    assert isinstance(opened, OpenedDoor)
    answer = next(iter(opened.source.ready.values()))
    assert [value.text for record in answer.records for value in record.values if value.attribute == "name"] == [
        "a?b",
        "c",
    ]
    assert answer.total is None


def test_a_long_value_is_kept_as_far_as_can_be_and_that_is_told(tmp_path: Path) -> None:
    books = [replace(book, subject="Music", author=f"{book.author} {'word ' * 800}") for book in make_books(12)]
    books[0] = replace(books[0], author="Short")
    run, records = harvest(tmp_path / "a.db", Library(books), HarvestSettings(selector="greedy"))
    longest = [len(dict(record.values)["Author"]) for record in records]
    assert min(longest) == len("Short")
    assert 1_990 <= max(longest) <= 10_000
    assert run.monitor.noticed[HarvestNotice.CUT_SHORT] == 11


@pytest.mark.parametrize(
    ("high", "words"),
    [
        (10_000.0, "about 2,600 requests to 90%, 1,300 to 7,800"),
        (float("inf"), "cannot be said yet: how many records there are at most is unknown"),
        (90_000.0, "cannot be said yet: between 10,000 and 90,000 records are too far apart"),
    ],
    ids=["known", "at least", "anything"],
)
def test_what_is_left_is_told_in_orders_or_not_at_all(high: float, words: str) -> None:
    curve = [(asked, round(10_000 * (1 - math.exp(-0.0005 * asked)))) for asked in range(0, 2_001, 10)]
    kept = StoredHarvest(1, "", "", "", {}, 0, 0, 0, None, None, None, complete=False, certificate={}, stopped="")
    run = HarvestRun(kept, HarvestSettings(), HarvestedRecords(Graph()), curve=curve)
    run.size = SizeEstimate(10_000, 10_000, high, "", 0.6, 0.6, 0.6)
    assert run.forecast() == words
