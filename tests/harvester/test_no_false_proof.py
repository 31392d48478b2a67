"""Nothing is called complete that is not: filters a form comes with, tokens in addresses, silent caps, remembered queries."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path

import pytest

from dowse.export.rows import write_all_records, write_records
from dowse.harvester.identity import UnstableParts, compare_queries, compare_readings
from dowse.harvester.presets import Widening, compare_answers, find_presets
from dowse.harvester.trials import try_door
from dowse.model import Answer, Door, Field, Form, Judgement, Option, Query, Record, Response, Value, Verdict
from dowse.reasons import ContradictionKind
from dowse.settings import HarvestSettings
from dowse.store import open_store
from tests.harvester.library import SITE, SUBJECTS, Book, Library, make_books
from tests.harvester.test_harvest import harvest, open_door, titles

GREEDY = HarvestSettings(selector="greedy", rounds=200)


@dataclass
class Preset(Library):
    """A library whose form comes with a filter."""

    control: str = ""  # beside the other controls of the form
    neutral: bool = True  # an empty subject finds all of them
    hides: str = ""  # hidden field: only books whose author begins with it, unless it is empty
    sent_tokens: int = 0

    def _form(self) -> str:
        return super()._form().replace("<button>", f"{self.control}<button>")

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        if not self.neutral and not sent.get("subject", [""])[0]:
            return self._page(url, "<p class=none>No books were found.</p>")
        return super()._answer(url, sent)

    def _matches(self, book: Book, asked: dict[str, str]) -> bool:
        if asked.get("old") and book.year >= 1980:
            return False
        if not book.author.startswith(asked.get("author_start", "")):
            return False
        return super()._matches(
            book, {name: value for name, value in asked.items() if name not in ("old", "author_start")}
        )


@dataclass
class Ticked(Library):
    """A library with a box that is ticked, also for the server where nothing is sent."""

    def _form(self) -> str:
        box = "<label><input type=checkbox name=old value=1 checked> old books only</label>"
        return super()._form().replace("<button>", f"{box}<button>")

    def _matches(self, book: Book, asked: dict[str, str]) -> bool:
        if asked.get("old") != "0" and book.year >= 1980:
            return False
        return super()._matches(book, {name: value for name, value in asked.items() if name != "old"})


def test_a_box_that_cannot_be_left_out_bounds_the_claim(tmp_path: Path) -> None:
    library = Ticked(make_books(137))
    old = sum(book.year < 1980 for book in library.books)
    run, _ = harvest(tmp_path / "a.db", library, GREEDY)
    assert not run.complete
    assert run.complete_for == f"all {old} with old books only"


@dataclass
class Limited(Library):
    """A library that asks for a subject alone, and shows and counts no more than so many books of an answer."""

    def _form(self) -> str:
        choices = "".join(f"<option value={place + 1}>{name}</option>" for place, name in enumerate(SUBJECTS))
        return f"<form action=/find><label>Subject <select name=subject><option value=''>all subjects</option>{choices}</select></label><button>Search the catalogue</button></form>"

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        whole = super()._answer(url, sent)
        return replace(
            whole,
            body=re.sub(
                rb"\d+ books found",
                lambda found: b"%d books found" % min(self.limit, int(found[0].split()[0])),
                whole.body,
            ),
        )


def test_a_limit_that_passes_for_a_count_is_none(tmp_path: Path) -> None:
    books = [replace(book, subject=SUBJECTS[book.number % 2]) for book in make_books(400)]
    run, _ = harvest(tmp_path / "a.db", Limited(books, limit=40), GREEDY)
    assert not run.complete
    assert str(ContradictionKind.SAME_COUNT) in run.monitor.noticed
    assert run.size is not None
    assert run.size.low <= 400
    assert run.size.high == float("inf")


@dataclass
class Chosen(Preset):
    """Chess is chosen when the form comes."""

    def _form(self) -> str:
        form = super()._form().replace(f"<option value=2>{SUBJECTS[1]}", f"<option value=2 selected>{SUBJECTS[1]}")
        return form if self.neutral else form.replace("<option value=''>all subjects</option>", "")


def test_a_choice_that_the_form_comes_with_is_emptied(tmp_path: Path) -> None:
    run, records = harvest(tmp_path / "a.db", Chosen(make_books(137)), GREEDY)
    assert run.complete
    assert not run.complete_for
    assert len(set(titles(records))) == 137


def test_a_choice_that_cannot_be_emptied_bounds_the_claim(tmp_path: Path) -> None:
    library = Chosen(make_books(137), neutral=False)
    chess = sum(book.subject == "Chess" for book in library.books)
    run, _ = harvest(tmp_path / "a.db", library, GREEDY)
    assert not run.complete
    assert run.complete_for == f"all {chess} with subject Chess"
    assert "subject Chess" in run.proof
    assert run.size is not None
    assert run.size.coverage_low < 1


@pytest.mark.parametrize(
    "control",
    [
        "<label><input type=checkbox name=old value=1 checked> old books only</label>",
        "<input type=hidden name=old value=before1980>",
        "<input type=hidden name=author_start value=K>",
        "<label>Author begins with <input name=author_start value=K></label>",
    ],
)
def test_what_else_the_form_comes_with_is_emptied(tmp_path: Path, control: str) -> None:
    run, records = harvest(tmp_path / "a.db", Preset(make_books(137), control=control), GREEDY)
    assert len(set(titles(records))) == 137
    assert run.complete


@dataclass
class Tokens(Library):
    """Each address of a record has a token that no other has."""

    path: bool = False
    given: int = 0

    def _row(self, book: Book) -> str:
        self.given += 1
        if self.path:
            return super()._row(book).replace("/book/", f"/s/{self.given:08x}/book/")
        return super()._row(book).replace(f"/book/{book.number}'", f"/book/{book.number}?sid={self.given:08x}'")


@pytest.mark.parametrize("path", [False, True])
def test_a_token_in_each_address_makes_no_copies(tmp_path: Path, path: bool) -> None:
    run, records = harvest(tmp_path / "a.db", Tokens(make_books(90), path=path, lists_all=False), GREEDY)
    assert len(records) == len(set(titles(records))) == 90
    assert run.size is None or run.size.size < 200


@dataclass
class Renumbering(Library):
    """Each query gives books other addresses, the same whenever it is asked again."""

    shift: int = 0

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        self.shift = sum(map(ord, "".join(sent.get(name, [""])[0] for name in ("q", "author", "subject"))))
        return super()._answer(url, sent)

    def _row(self, book: Book) -> str:
        return super()._row(book).replace(f"/book/{book.number}'", f"/book/{book.number + 1_000 * self.shift}'")


def test_copies_are_counted_and_written_once(tmp_path: Path) -> None:
    settings = replace(GREEDY, rounds=40)
    run, records = harvest(tmp_path / "a.db", Renumbering(make_books(90), lists_all=False), settings)
    assert len(records) > len(set(titles(records)))
    assert not run.complete
    assert len(records) - len(run.harvested.copies) == len(set(titles(records)))
    out = tmp_path / "a.jsonl"
    with open_store(str(tmp_path / "a.db")) as store:
        assert write_records(store, run.harvest.id, str(out)) == len(set(titles(records)))
        assert write_all_records(store, "jsonl", BytesIO()) == len(set(titles(records)))


@dataclass
class Capped(Library):
    """A query for everything lists the first 40, and says that these are all."""

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        kept = self.books
        if not any(sent.get(name, [""])[0] for name in ("q", "author", "subject", "year_from", "year_to")):
            self.books = kept[:40]
        answer = super()._answer(url, sent)
        self.books = kept
        return answer


def test_a_silent_cap_is_no_proof(tmp_path: Path) -> None:
    run, records = harvest(tmp_path / "a.db", Capped(make_books(137)), GREEDY)
    assert not run.complete
    assert len(records) > 40
    assert "contradict" in run.proof


@dataclass
class Remembering(Library):
    """A query for everything is answered like the query before it."""

    last: dict[str, list[str]] = field(default_factory=dict)

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        asked = {name: sent[name] for name in ("q", "author", "subject") if sent.get(name, [""])[0]}
        found = [book for book in self.books if self._matches(book, {name: texts[0] for name, texts in asked.items()})]
        self.last = asked if asked and found else self.last
        return super()._answer(url, {**sent, **self.last})


def test_a_query_that_is_remembered_is_no_proof(tmp_path: Path) -> None:
    run, records = harvest(tmp_path / "a.db", Remembering(make_books(137)), GREEDY)
    assert len(records) == 137 or not run.complete


@dataclass
class Picky(Library):
    """Nothing is found for less than five letters: the page says so, for every short query."""

    def _form(self) -> str:
        return super()._form().replace("name=q>", "name=q placeholder='sea old Amber'>")

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        if len(sent.get("q", [""])[0]) < 5 and not sent.get("author", [""])[0]:
            return self._page(url, "<p>Please enter at least 5 characters.</p>")
        return super()._answer(url, sent)


def test_queries_that_are_refused_for_what_they_are_do_not_close_a_door(tmp_path: Path) -> None:
    run, records = harvest(tmp_path / "a.db", Picky(make_books(60)), GREEDY)
    assert len(records) == 60, run.stop_sentence


@dataclass
class Menu(Library):
    """Whatever is asked, the page shows the same shelves, and so does the page of the form."""

    def _shelves(self) -> str:
        names = ("New books of this month", "Books for young readers", "Maps and old prints", "Music and scores")
        return "".join(
            f"<div class=shelf><a href='/shelf/{n}'>{name}</a> <span>Room {n}</span></div>"
            for n, name in enumerate(names)
        )

    def _form(self) -> str:
        return super()._form() + self._shelves()

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        said = sent.get("q", ["nothing"])[0]
        return self._page(url, f"<p>You asked for {said}</p>{self._form()}")


def test_links_that_stand_on_every_page_are_no_records() -> None:
    async def go() -> object:
        door, page, fetch = await open_door(Menu([]))
        return await try_door(door, page, fetch, [])  # type: ignore[arg-type]

    opened = asyncio.run(go())
    assert isinstance(opened, Verdict)


# -- the pieces


def door_with(*fields: Field) -> Door:
    form = Form(0, "GET", "http://a.example/find", fields)
    return Door(form, Judgement("database", 0.9), page="http://a.example/")


def test_presets_are_what_may_keep_records_back() -> None:
    status = Field(
        "status",
        "select",
        label="Status",
        value="1",
        options=(Option("", "any"), Option("1", "open", True), Option("2", "closed")),
    )
    every = Field("kind", "select", value="all", options=(Option("all", "All kinds", True), Option("b", "books")))
    called = Field("kind2", "select", value="9", options=(Option("9", "All kinds", True), Option("b", "books")))
    hidden = [
        Field("csrf_token", "hidden", value="open"),
        Field("action", "hidden", value="find"),
        Field("sig", "hidden", value="a8f7e6d5c4b3a2f1"),
    ]
    found = find_presets(
        door_with(status, every, called, *hidden, Field("category", "hidden", value="5"), Field("q", "text"))
    )
    assert [(each.name, each.words, each.neutral, each.is_route) for each in found] == [
        ("status", "status open", "", False),
        ("action", "action find", None, True),
        ("category", "category 5", None, False),
    ]


def test_boxes_that_are_all_ticked_keep_nothing_back() -> None:
    boxes = [Field("kind", "checkbox", label=each, value=each, checked=True) for each in ("books", "maps")]
    assert [each.others for each in find_presets(door_with(*boxes))] == [()]
    some = [*boxes, Field("kind", "checkbox", label="music", value="music")]
    assert [each.others for each in find_presets(door_with(*some))] == [("music",)]


def answer(*keys: str, total: int | None = None, more: bool = False) -> Answer:
    records = tuple(Record((Value("a", key),), key) for key in keys)
    return Answer(Query(), 0, records, total, more=more)


@pytest.mark.parametrize(
    ("came", "tried", "wanted"),
    [
        (answer("1", total=5), answer("1", total=9), Widening.MORE),
        (answer("1", total=5), answer("2", total=5), Widening.SAME),
        (answer("1", total=5), answer("2", total=3), Widening.LESS),
        (answer("1"), answer(), Widening.LESS),
        (answer("1", "2"), answer("1", "2"), Widening.SAME),
        (answer("1", "2", more=True), answer("1", "2", more=True), Widening.UNKNOWN),
        (answer("1", "2"), answer("1", "2", more=True), Widening.MORE),
        (answer("1", "2"), answer("1", "2", "3"), Widening.MORE),
    ],
)
def test_an_answer_is_compared_with_that_to_the_form_as_it_came(came: Answer, tried: Answer, wanted: Widening) -> None:
    assert compare_answers(came, tried) is wanted


def reading(token: str, views: int = 0) -> Answer:
    texts = [(str(number), f"http://a.example/r/{number};s={token}?sid={token}&id={number}") for number in range(5)]
    values = [(Value("title", f"title {number}"), Value("views", str(views))) for number, _ in texts]
    return Answer(Query(), 0, tuple(Record(own, url, url) for own, (_, url) in zip(values, texts, strict=True)))


def test_what_changes_between_two_readings_is_no_identity() -> None:
    found = compare_readings(reading("aa", 3), reading("bb", 4))
    assert found.parameters == {"sid"}
    assert not found.doubt
    one, other = (found.clean_record(each.records[2]).key for each in (reading("aa"), reading("cc")))
    assert one == other
    assert len({found.clean_record(each).key for each in reading("aa").records}) == 5
    assert UnstableParts.from_dict(found.to_dict()) == found


def in_order(answered: Answer, *places: int) -> Answer:
    return replace(answered, records=tuple(answered.records[place] for place in places))


def test_a_parameter_that_comes_with_larger_pages_is_no_identity() -> None:
    one, other = (
        Answer(Query(), records=tuple(Record((Value("title", f"Thing {n}"), Value("maker", "M")), f"{SITE}/t/{n}{end}") for n in range(5)))
        for end in ("", "?size=100")
    )  # fmt: skip
    parts = compare_readings(one, other)
    assert not parts.doubt
    assert {parts.clean_record(each).key for each in other.records} == {each.key for each in one.records}


def test_records_in_another_order_keep_their_identity() -> None:
    """Two of three values are those of all records: by place, each would pass for another one under a changed address."""
    urls = [f"http://a.example/hosts?host={number}" for number in range(6)]
    records = [Record((Value("host", url[-1]), Value("pages", "1"), Value("hits", "2")), url, url) for url in urls]
    first = Answer(Query(), 0, tuple(records))
    assert not compare_readings(first, in_order(first, 3, 5, 0, 2, 1, 4))
    without = compare_readings(first, in_order(first, 3, 5, 0, 2, 1))  # one is gone
    assert not without
    assert not without.doubt


def test_tokens_are_found_in_another_order() -> None:
    found = compare_readings(reading("aa", 3), in_order(reading("bb", 3), 3, 0, 4, 2, 1))
    assert found.parameters == {"sid"}
    assert not found.doubt


def test_a_record_in_place_of_another_is_not_taken_for_it() -> None:
    first, again = listed("aa", 1, 2, 3, 4), listed("aa", 1, 2, 3, 9)
    assert not compare_readings(first, again).parameters


def listed(query: str, *numbers: int) -> Answer:
    urls = [f"http://a.example/r?id={number}&back={query}" for number in numbers]
    values = [(Value("title", f"title {number}"), Value("year", "1990")) for number in numbers]
    return Answer(Query(), 0, tuple(Record(own, url, url) for own, url in zip(values, urls, strict=True)))


def test_what_changes_with_the_query_is_no_identity() -> None:
    """An address that says where one came from: the same for all records of an answer, another in the next."""
    found = compare_queries(UnstableParts(), [listed("aa", 1, 2, 3), listed("bb", 3, 4, 5)])
    assert found.parameters == {"back"}
    apart = compare_queries(UnstableParts(), [listed("aa", 1, 2), listed("bb", 3, 4)])
    assert not apart.parameters, "no record was shown twice: it may be what tells them apart"


def test_a_counter_among_the_values_is_no_identity() -> None:
    plain = [
        Answer(Query(), 0, tuple(Record(each.values) for each in reading("aa", views).records)) for views in (3, 4)
    ]
    found = compare_readings(*plain)
    assert found.attributes == {"views"}
    assert found.clean_record(plain[0].records[1]).key == found.clean_record(plain[1].records[1]).key


@pytest.mark.parametrize(
    ("first", "again", "said"),
    [
        (answer("1", "2", total=9), answer("1", "2", total=4), "reported 9 records, then 4"),
        (answer("1", "2"), answer(), "none when it was asked again"),
        (answer("1", "2", "3"), answer("7", "8", "9"), "other records"),
    ],
)
def test_readings_that_contradict_are_a_doubt(first: Answer, again: Answer, said: str) -> None:
    assert said in compare_readings(first, again).doubt


def test_records_in_an_order_by_chance_keep_their_identity() -> None:
    """Most of a page are others when it is asked again; what is like one of them is not taken for it."""
    urls = [f"http://a.example/p/{number}" for number in range(60)]
    values = [
        (Value("no", url[-2:]), Value("title", f"View {url}"), Value("artist", "Turner"), Value("medium", "graphite"))
        for url in urls
    ]
    records = [Record(own, url, url) for own, url in zip(values, urls, strict=True)]
    found = compare_readings(Answer(Query(), 0, tuple(records[:20])), Answer(Query(), 0, tuple(records[58:17:-1])))
    assert found.doubt
    assert not found


def ranked(words: str, *titles: str) -> Answer:
    """Records without an address, with their rank in the answer."""
    values = [(Value("rank", f"{place}."), Value("title", title)) for place, title in enumerate(titles, 1)]
    return Answer(Query((Value("", words),)), 0, tuple(map(Record, values)))


def test_a_rank_is_no_identity() -> None:
    found = compare_queries(UnstableParts(), [ranked("jam", "fig", "plum", "pear"), ranked("cake", "pear", "fig")])
    assert found.attributes == {"rank"}
    once = compare_queries(UnstableParts(), [ranked("jam", "fig", "plum", "pear")])
    assert not once.attributes, "numbers of records may count from one, too"
    same = compare_queries(UnstableParts(), [ranked("jam", "fig", "fig", "fig"), ranked("cake", "fig", "fig")])
    assert not same.attributes, "without it nothing tells them apart"
