"""Every way to `complete` or 100 % is tried on sites that keep records back, and on sites that keep nothing back."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import orjson
import pytest

from dowse.harvester.resume import HarvestRun
from dowse.model import Failure, Record, Request, Response
from tests.harvester.library import SITE, SUBJECTS, Book, Library, make_books
from tests.harvester.test_harvest import titles
from tests.harvester.test_ways import harvest

BOOKS = 137

Match = Callable[[Book], bool]


def is_chess(book: Book) -> bool:
    return book.subject == "Chess"


def is_old(book: Book) -> bool:
    return book.year < 1990


@dataclass
class Filtered(Library):
    """A library whose form sends a value that nobody chose; `kept` says which books each value lets through."""

    control: str = ""  # beside the other controls of the form
    name: str = "f"
    kept: dict[str, Match | None] = field(default_factory=dict)  # value -> the books that it shows, None for no answer
    others: Match | None = None  # for any other value; None for the message that nothing was found

    def _form(self) -> str:
        return super()._form().replace("<button>", f"{self.control}<button>").replace("name=view value=list", "name=utf8 value=yes")  # fmt: skip

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        value = parse_qs(urlsplit(url).query, keep_blank_values=True).get(self.name, [None])[0]  # type: ignore[list-item]
        if value in self.kept and self.kept[value] is None:
            return self._page(url, "<p>This page does not exist. Please go back to the start.</p>")
        shows = self.kept.get(value or "", self.others)
        kept, self.books = self.books, [book for book in self.books if shows and shows(book)]
        answer = super()._answer(url, {name: texts for name, texts in sent.items() if name != self.name})
        self.books = kept
        body = answer.body.replace(b"/find?", f"/find?{self.name}={value}&".encode()) if value else answer.body
        return Response(answer.url, answer.status, answer.headers, body)


def everything(_: Book) -> bool:
    return True


HIDDEN = "<input type=hidden name=f value=2>"
STATUS = "<label>Status <select name=f>{}<option value=2 selected>open<option value=3>closed</select></label>"
RADIO = "<label><input type=radio name=f value=2 checked> open</label> <label><input type=radio name=f value=3> closed</label>"

KEEP_BACK = {
    "a hidden code, without which nothing is found": Filtered(make_books(BOOKS), control=HIDDEN, kept={"2": is_chess}),
    "a hidden code that is taken for nothing": Filtered(make_books(BOOKS), control=HIDDEN, kept={"2": is_chess, "": is_chess}),
    "a hidden code, other codes show others": Filtered(make_books(BOOKS), control=HIDDEN, kept={"2": is_chess}, others=is_old),
    "a hidden code without which there is no page": Filtered(make_books(BOOKS), control=HIDDEN, kept={"2": is_chess, "": None}),
    "a hidden zero": Filtered(make_books(BOOKS), control="<input type=hidden name=f value=0>", kept={"0": is_old}),
    "a hidden view": Filtered(make_books(BOOKS), control="<input type=hidden name=view value=open>", name="view", kept={"open": is_old}),
    "a hidden language that is taken for nothing": Filtered(
        make_books(BOOKS), control="<input type=hidden name=lang value=en>", name="lang", kept={"en": is_old, "": is_old}
    ),
    "a hidden name with digits": Filtered(
        make_books(BOOKS), control="<input type=hidden name=f value='Reading room 2, shelf 1990'>", kept={"Reading room 2, shelf 1990": is_old}
    ),
    "a hidden flag": Filtered(make_books(BOOKS), control=HIDDEN, kept={"": everything}, others=is_old),
    "a choice without any, nothing is the default": Filtered(
        make_books(BOOKS), control=STATUS.format(""), kept={"2": is_old, "": is_old, "3": lambda book: not is_old(book)}
    ),
    "a choice without any, nothing is not answered": Filtered(
        make_books(BOOKS), control=STATUS.format(""), kept={"2": is_old, "3": lambda book: not is_old(book)}
    ),
    "a choice whose code is 0": Filtered(
        make_books(BOOKS), control=STATUS.format("").replace("value=2", "value=0"), kept={"0": is_old, "": is_old, "3": lambda book: not is_old(book)}
    ),
    "a button among two, nothing is the default": Filtered(
        make_books(BOOKS), control=RADIO, kept={"2": is_old, "": is_old, "3": lambda book: not is_old(book)}
    ),
    "a box that is ticked": Filtered(
        make_books(BOOKS), control="<label><input type=checkbox name=f value=1 checked> only old ones</label>", kept={"1": is_old, "": everything}
    ),
    "a box that is not ticked": Filtered(
        make_books(BOOKS), control="<label><input type=checkbox name=f value=1> with those of the store room</label>", kept={"1": everything, "": is_old}
    ),
    "what is to be shown": Filtered(
        make_books(BOOKS), control="<label>View <select name=view><option value=open selected>open<option value=all>all of them</select></label>",
        name="view", kept={"open": is_old, "": is_old, "all": everything},
    ),
    "a date that is typed already": Filtered(
        make_books(BOOKS), control="<label>Acquired until <input type=date name=f value=2020-01-01></label>", kept={"2020-01-01": is_old, "": is_old}
    ),
}  # fmt: skip
KEEP_NOTHING = {
    "a hidden view": Filtered(make_books(BOOKS), control="<input type=hidden name=view value=list>", name="view", others=everything),
    "a hidden number": Filtered(make_books(BOOKS), control=HIDDEN, others=everything),
    "a hidden command that is known, or nothing": Filtered(
        make_books(BOOKS), control="<input type=hidden name=action value=books>", name="action", kept={"books": everything, "": everything, "zxqvk": None}
    ),
    "a hidden page without which there is none": Filtered(
        make_books(BOOKS), control="<input type=hidden name=page_id value=2><input type=hidden name=module value=find>", name="module",
        kept={"find": everything, "": None, "zxqvk": None},
    ),
    "a token": Filtered(make_books(BOOKS), control="<input type=hidden name=f value=a8f7e6d5c4b3a2f1>", kept={"a8f7e6d5c4b3a2f1": everything}),
    "how words are matched": Filtered(make_books(BOOKS), control=STATUS.format("").replace("open", "all words"), others=everything),
    "a choice of any": Filtered(make_books(BOOKS), control=STATUS.format("<option value=''>any"), kept={"2": is_old, "": everything}),
}  # fmt: skip


def is_claimed(run: HarvestRun) -> bool:
    """Return True if it says that everything was harvested."""
    return run.complete or (run.size is not None and run.size.coverage_low >= 0.9995)


def has_all(records: list[Record]) -> bool:
    return len(set(titles(records))) == BOOKS == len(records)


@pytest.mark.parametrize("library", KEEP_BACK.values(), ids=KEEP_BACK.keys())
def test_what_a_form_comes_with_bounds_the_claim(tmp_path: Path, library: Filtered) -> None:
    run, records = harvest(tmp_path / "a.db", library)
    assert has_all(records) or not is_claimed(run), run.proof


@pytest.mark.parametrize("library", KEEP_NOTHING.values(), ids=KEEP_NOTHING.keys())
def test_what_keeps_nothing_back_bounds_nothing(tmp_path: Path, library: Filtered) -> None:
    run, records = harvest(tmp_path / "a.db", library)
    assert has_all(records)
    assert run.complete, run.proof


@pytest.mark.parametrize("library", KEEP_BACK.values(), ids=KEEP_BACK.keys())
def test_a_harvest_that_goes_on_claims_no_more(tmp_path: Path, library: Filtered) -> None:
    harvest(tmp_path / "a.db", library, rounds=9)
    run, records = harvest(tmp_path / "a.db", library)
    assert has_all(records) or not is_claimed(run), run.proof


# -- links beside the form with a choice that it does not send


@dataclass
class Viewed(Library):
    """Shows the books that stand in a view, which links beside the form choose; a cookie may keep the choice."""

    links: str = "<a href='/find?shelf=open'>Reading room</a> <a href='/find?shelf=store'>Store room</a>"
    views: dict[str, Match] = field(default_factory=lambda: {"open": is_old, "store": lambda book: not is_old(book)})
    usual: Match = is_old
    remembers: bool = False
    marks: bool = False  # addresses of records have the view
    kind: str = ""  # the folder of the addresses in a view
    forgets: bool = False  # pages after the first are those of the usual list
    shown: list[str] = field(default_factory=list)  # the views that were asked for

    def _form(self) -> str:
        return super()._form() + f"<p>{self.links}</p>"

    async def fetch(self, request: Request) -> Response | Failure:
        cookies = " ".join(value for name, value in request.headers if name == "cookie")
        parts = urlsplit(request.url)
        asked = parse_qs(parts.query)
        view = asked.get("shelf", [""])[0]
        view = "" if self.forgets and "page" in asked else view
        if view or {"sort", "lang", "per_page"} & set(asked):
            self.shown.append(parts.query)
        held = cookies.partition("shelf=")[2] if self.remembers else ""
        kept, self.books = self.books, list(filter(self.views.get(view or held, self.usual), self.books))
        stripped = "&".join(
            each for each in parts.query.split("&") if each.partition("=")[0] not in ("shelf", "sort", "lang")
        )
        if parts.path.startswith("/book/"):
            self.books = kept
        answer = await super().fetch(
            Request(parts._replace(query=stripped).geturl(), request.method, request.body, request.headers)
        )
        self.books = kept
        if isinstance(answer, Failure):
            return answer
        headers = (
            (*answer.headers, ("set-cookie", f"shelf={view}; Path=/")) if view and self.remembers else answer.headers
        )
        body = (
            re.sub(rb"(/book/[0-9]+)", rb"\1?back=" + view.encode(), answer.body)
            if view and self.marks
            else answer.body
        )
        if view and self.kind:
            body = body.replace(b"/book/", f"/{self.kind}/".encode())
        return Response(request.url, answer.status, headers, body)


@pytest.mark.parametrize("remembers", [False, True])
def test_a_view_beside_the_form_that_shows_others_is_harvested_and_no_proof(tmp_path: Path, remembers: bool) -> None:
    library = Viewed(make_books(BOOKS), remembers=remembers)
    run, records = harvest(tmp_path / "a.db", library)
    assert has_all(records)
    assert not run.complete
    stored = sum(not is_old(book) for book in library.books)
    assert (
        run.proof
        == f"the link 'Store room' beside the form showed {stored} records that it does not list; there may be more such"
    )
    assert run.complete_for == f"all {BOOKS} of the form and of the link 'Store room'"
    assert run.size is not None
    assert run.size.high == float("inf")


def test_where_two_of_many_views_show_others_all_are_harvested(tmp_path: Path) -> None:
    rooms = {f"r{n}": (lambda book, n=n: book.number % 6 == n) for n in range(6)}  # type: ignore[misc]
    links = " ".join(f"<a href='/find?shelf={name}'>Room {name}</a>" for name in rooms)
    library = Viewed(make_books(BOOKS), links=links, views=rooms, usual=rooms["r0"])
    run, records = harvest(tmp_path / "a.db", library)
    assert has_all(records)
    assert not run.complete
    assert run.complete_for.startswith(f"all {BOOKS} of the form and of the links 'Room r")
    again, _ = harvest(tmp_path / "a.db", library)  # from what is kept
    assert (again.records, again.complete_for, again.proof) == (run.records, run.complete_for, run.proof)


def test_a_view_of_everything_is_the_list_where_it_counts_more(tmp_path: Path) -> None:
    links = "<a href='/find?shelf=all'>All books</a>"
    library = Viewed(make_books(BOOKS), links=links, views={"all": everything})
    run, records = harvest(tmp_path / "a.db", library)
    assert has_all(records)
    assert run.complete, run.proof
    assert run.way == "the link 'All books' shows more than the form"


def test_a_view_of_things_of_another_kind_is_not_harvested(tmp_path: Path) -> None:
    library = Viewed(make_books(BOOKS), usual=is_old, kind="shelf-mark")
    run, records = harvest(tmp_path / "a.db", library)
    assert len(records) == sum(map(is_old, library.books))
    assert run.proof == "the link 'Store room' shows records that were not harvested"
    assert not is_claimed(run)


def test_a_view_that_cannot_be_read_to_its_end_is_told(tmp_path: Path) -> None:
    library = Viewed(make_books(BOOKS), forgets=True)
    run, records = harvest(tmp_path / "a.db", library)
    assert sum(map(is_old, library.books)) < len(records) < BOOKS
    assert run.proof == "the link 'Store room' shows records that were not harvested"
    assert not is_claimed(run)


@pytest.mark.parametrize("marks", [False, True])
def test_views_that_show_what_was_harvested_bound_nothing(tmp_path: Path, marks: bool) -> None:
    library = Viewed(make_books(BOOKS), usual=everything, marks=marks)
    run, records = harvest(tmp_path / "a.db", library)
    assert has_all(records)
    assert len(library.shown) == 2
    assert run.complete, run.proof


def test_other_orders_languages_and_pages_are_no_views(tmp_path: Path) -> None:
    links = "<a href='/find?sort=year'>Year</a> <a href='/find?lang=de'>Deutsch</a> <a href='/find?page=3'>3</a> <a href='/find?q=sea&shelf=store'>Sea</a>"
    library = Viewed(make_books(BOOKS), links=links, usual=everything)
    run, _ = harvest(tmp_path / "a.db", library)
    assert run.complete, run.proof
    assert not library.shown


def test_what_a_form_does_not_send_of_an_address_is_told(tmp_path: Path) -> None:
    run, _ = harvest(tmp_path / "a.db", Library(make_books(BOOKS)), f"{SITE}/?shelf=store&q=sea")
    assert [words for words in run.monitor.noticed if "shelf=store" in words and "q=sea" not in words]
    run, _ = harvest(tmp_path / "b.db", Library(make_books(BOOKS)))
    assert not [words for words in run.monitor.noticed if "does not send" in words]


# -- lists that are cut without a word


@dataclass
class Cut(Library):
    """Shows the first books of an answer alone: of a query for everything, or of each query."""

    most: int = 40
    every: bool = False  # each query is cut
    says: str = "{shown} books found"  # beside an answer; {found} is how many there are
    order: Callable[[Book], object] = lambda book: book.number

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        names = ("q", "author", "subject", "year_from", "year_to")
        asked = {name: sent[name][0] for name in names if sent.get(name, [""])[0]}
        found = sorted((book for book in self.books if self._matches(book, asked)), key=self.order)  # type: ignore[arg-type]
        shown = found[: self.most] if self.every or not asked else found
        kept, self.books, self.counts = self.books, shown, False
        answer = super()._answer(url, sent)
        self.books = kept
        said = self.says.format(shown=len(shown), found=len(found), visits=48_211)
        body = answer.body.replace(b"<table", f"<p>{said}</p><table".encode(), 1)
        return Response(answer.url, answer.status, answer.headers, body)


def by_year(book: Book) -> object:
    return book.year


CUT = {
    "everything, and the count of what is shown": Cut(make_books(BOOKS)),
    "everything, by year": Cut(make_books(BOOKS), order=by_year),
    "everything at a round number": Cut(make_books(BOOKS), most=100),
    "everything, without a count": Cut(make_books(BOOKS), says=""),
    "everything at a round number, without a count": Cut(make_books(BOOKS), most=100, says=""),
    "everything by year, without a count": Cut(make_books(BOOKS), most=100, says="", order=by_year),
    "each query, and the count of what is shown": Cut(make_books(BOOKS), every=True),
    "each query, without a count": Cut(make_books(BOOKS), every=True, says=""),
    "each query at a round number, without a count": Cut(make_books(BOOKS), most=100, every=True, says=""),
    "each query, by year, without a count": Cut(make_books(BOOKS), most=100, every=True, says="", order=by_year),
    "at least": Cut(make_books(BOOKS), says="{shown}+ books found", every=True),
    "more than": Cut(make_books(BOOKS), says="More than {shown} books found", every=True),
    "about": Cut(make_books(BOOKS), says="about {shown} books found", every=True),
    "visits are counted": Cut(make_books(BOOKS), says="{visits} visits since 2004", every=True),
}


@pytest.mark.parametrize("library", CUT.values(), ids=CUT.keys())
def test_a_list_that_is_cut_is_no_proof(tmp_path: Path, library: Cut) -> None:
    run, records = harvest(tmp_path / "a.db", library)
    assert has_all(records) or not is_claimed(run), run.proof
    assert run.size is None or round(run.size.low) <= BOOKS  # as it is written


@dataclass
class Offering(Library):
    """Offers its books in another way, which leaves some out."""

    rows: int = 100  # that it has
    kind: str = "csv"
    total: bool = False  # the other way counts what it has

    async def fetch(self, request: Request) -> Response | Failure:
        parts = urlsplit(request.url)
        some = self.books[: self.rows]
        if parts.path == "/books.csv":
            self.requests += 1
            lines = [f'{book.number},"{book.title}","{book.author}",{book.subject},{book.year}' for book in some]
            body = "\n".join(["Number,Title,Author,Subject,Year", *lines]).encode()
            return Response(request.url, 200, (("content-type", "text/csv"),), body)
        if parts.path == "/books.json":
            self.requests += 1
            rows = [
                {"Title": book.title, "Author": book.author, "Subject": book.subject, "Year": book.year}
                for book in some
            ]
            body = orjson.dumps({"total": len(rows), "books": rows} if self.total else rows)
            return Response(request.url, 200, (("content-type", "application/json"),), body)
        return await super().fetch(request)

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        answer = super()._answer(url, sent)
        link = f"<a href=/books.{self.kind}>{self.kind.upper()}</a><p id=foot>".encode()
        return Response(answer.url, answer.status, answer.headers, answer.body.replace(b"<p id=foot>", link))


@dataclass
class Dropping(Library):
    """Pages can be made larger, but show a hundred books at most, and the next one begins where the larger one would end."""

    most: int = 100

    def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
        size = int(sent.pop("per_page", ["10"])[0])
        page = int(sent.get("page", ["1"])[0])
        self.page_size = size
        answer = super()._answer(url, sent)
        rows = answer.body.split(b"<tr>")
        body = b"<tr>".join(rows[: self.most + 2]) + (b"</table>" if len(rows) > self.most + 2 else b"")
        links = " ".join(f"<a href='/find?q=&per_page={each}'>{each}</a>" for each in (10, 50, 1000))
        following = (
            f"<p><a href='/find?q=&per_page={size}&page={page + 1}'>Next page</a></p>"
            if page * size < len(self.books)
            else ""
        )
        plain = body.replace(b"<p><a href='/find", b"<p><a hidden href='/none")
        return Response(answer.url, answer.status, answer.headers, plain + f"{links}{following}".encode())


OTHER_WAYS: dict[str, Library] = {
    "a table that is cut, no counts": Offering(make_books(BOOKS), counts=False),
    "a table that lacks five books, no counts": Offering(make_books(BOOKS), rows=132, counts=False),
    "a table that is cut, and counts": Offering(make_books(BOOKS)),
    "JSON that is cut, no counts": Offering(make_books(BOOKS), kind="json", counts=False),
    "JSON that is cut and counts itself": Offering(make_books(BOOKS), kind="json", counts=False, total=True),
    "JSON that lacks five books and counts itself": Offering(make_books(BOOKS), rows=132, kind="json", counts=False, total=True),
    "larger pages that drop books, no counts": Dropping(make_books(BOOKS), counts=False),
    "larger pages that drop books, and counts": Dropping(make_books(BOOKS)),
}  # fmt: skip


@pytest.mark.parametrize("library", OTHER_WAYS.values(), ids=OTHER_WAYS.keys())
def test_a_way_that_leaves_books_out_is_no_proof(tmp_path: Path, library: Library) -> None:
    run, records = harvest(tmp_path / "a.db", library)
    assert has_all(records) or not is_claimed(run), run.proof


def test_a_way_that_drops_books_is_given_up(tmp_path: Path) -> None:
    run, records = harvest(tmp_path / "a.db", Dropping(make_books(BOOKS)))
    assert has_all(records)
    assert run.complete, run.proof


def test_values_in_the_address_of_a_form_bound_the_claim(tmp_path: Path) -> None:
    """Of a POST, whose address is kept as it is; of a GET, by folders that records show as their subject."""

    @dataclass
    class Shelf(Library):
        def _form(self) -> str:
            return super()._form().replace("action=/find", "action=/Chess/find")

        def _answer(self, url: str, sent: dict[str, list[str]]) -> Response:
            return super()._answer(url, {**sent, "subject": [str(SUBJECTS.index("Chess") + 1)]})

    run, records = harvest(tmp_path / "a.db", Shelf(make_books(BOOKS)))
    assert records
    assert not is_claimed(run)
    assert "Chess" in run.complete_for
