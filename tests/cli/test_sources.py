"""`dowse sources`, `dowse show`, `dowse forms` and `dowse export forms` on what a search has found."""

from __future__ import annotations

import re

import orjson
import pytest

from dowse.export.rows import FORM_COLUMNS
from tests.cli.conftest import Dowse
from tests.served import serving

PAGES = {
    "/": b"""<title>City library</title><a href="/books">books</a> <a href="/in">in</a>
        <form action="/cars"><input name="make"><input name="model"><button>Search used cars</button></form>""",
    "/books": b"""<title>Books | City library</title>
        <form action="/find"><label>Author <input name="author"></label><label>Title <input name="title"></label>
        <label>Subject <select name="subject"><option>Any<option>Law<option>Art</select></label><button>Search books</button></form>""",
    "/in": b"""<title>Log in</title><form action="/in" method="post"><input name="user">
        <input type="password" name="password"><button>Log in</button></form>""",
}
KEYS = {"id", "site", "url", "kind", "topic", "conditions", "size", "size_ci", "score"}  # that programs rely on


@pytest.fixture
def library(dowse: Dowse) -> str:
    with serving(PAGES) as root:
        found = dowse(
            "find", f"{root}/", "--allow-private", "--delay", "0", "--no-discover", "--strategy", "exhaustive"
        )
        assert found.code == 0
        return root


def test_sources(dowse: Dowse, library: str) -> None:
    sources = dowse("sources", "--json").json["sources"]
    assert [(each["url"], each["title"]) for each in sources] == [  # type: ignore[attr-defined]
        (f"{library}/books", "Books | City library"),
        (f"{library}/", "City library"),
    ]
    assert set(sources[0]) >= KEYS  # type: ignore[index]
    out = dowse("sources").out.splitlines()
    assert re.fullmatch(r" +\d+  Books \| City library", out[0])
    assert out[1].strip() == f"{library}/books"
    assert out[2].strip().startswith("Author, Title, Subject (confidence ")
    assert out[-1] == "2 sources in dowse.db"
    assert dowse("sources", "--limit", "1").out.splitlines()[-1] == "1 of 2 sources in dowse.db; --limit 0 shows all"
    assert dowse("sources", "BOOKS author").out.splitlines()[-1] == "1 source in dowse.db"


SAID = [
    ("words that nothing has", ["sources", "boats"], 0, "no source with boats; the database has 2 database forms, 1 login"),
    ("a kind that nothing has", ["forms", "--kind", "order,contact"], 0, "no form of kind order or contact; the database has"),
    ("a kind that asks nothing", ["sources", "--kind", "login"], 2, "a login form asks no database; `dowse forms --kind login`"),
    ("no such kind", ["forms", "--kind", "databse"], 2, "no kind of form is called 'databse'; there is database, site-search, login"),
    ("no such kind to export", ["export", "forms", "--kind", "x"], 2, "no kind of form is called 'x'; there is database, "),
    ("kinds of sites", ["export", "sites", "--kind", "database"], 2, "--kind chooses among forms, not sites"),
    ("records of a site", ["export", "records", "--site", "a.com"], 2, "--site chooses among forms, not records"),
    ("a site that is not known", ["sources", "--site", "a.com"], 2, "no site a.com is known"),
    ("no site", ["forms", "--site", "?"], 2, "'?' is not a web address"),
    ("a source that is not there", ["show", "99"], 2, "there is no form 99"),
]  # fmt: skip


@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(("command", "code", "said"), [row[1:] for row in SAID], ids=[row[0] for row in SAID])
def test_what_is_not_there_is_said_in_one_line(dowse: Dowse, command: list[str], code: int, said: str) -> None:
    outcome = dowse(*command)
    assert outcome.code == code
    (line,) = (outcome.err if code else outcome.out).splitlines()
    assert said in line


@pytest.mark.usefixtures("library")
def test_forms_are_those_that_are_exported(dowse: Dowse) -> None:
    for chosen in ((), ("--kind", "login"), ("--kind", "database,login"), ("--kind", "database", "--kind", "order")):
        exported = [orjson.loads(line) for line in dowse("export", "forms", *chosen).out.splitlines()]
        listed = dowse("forms", *chosen, "--json").json["forms"]
        assert sorted(listed, key=lambda form: form["id"]) == exported  # type: ignore[call-overload]
        assert {form["kind"] for form in exported} <= set("database,login".split(","))
        assert len(exported) == {(): 3, ("--kind", "login"): 1, ("--kind", "database,login"): 3}.get(chosen, 2)
        assert set(exported[0]) == set(FORM_COLUMNS) >= {"id", "title", "heading"}
    assert "Log in" in dowse("forms", "--kind", "login").out


def test_show(dowse: Dowse, library: str) -> None:
    number = dowse("sources", "--json").json["sources"][0]["id"]  # type: ignore[index]
    shown = dowse("show", str(number), "--json").json
    assert set(shown) >= KEYS | {"reasons", "probe", "doors"}
    assert [door["action"] for door in shown["doors"]] == [f"{library}/find"]  # type: ignore[attr-defined]
    out = dowse("show", str(number)).out
    assert "Subject" in out
    assert "Law, Art" in out
    assert f"{library}/find" in out
    login = dowse("forms", "--kind", "login", "--json").json["forms"][0]["id"]  # type: ignore[index]
    assert "login; confidence" in dowse("show", str(login)).out
