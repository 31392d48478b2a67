"""The web of real software: its truth can be read, its visitor walks as said, its servers end when told."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from lxml import html
from protego import Protego

from bench.install import Missing
from bench.realweb import check, processes, proxy, truth, web
from bench.realweb.cgi_server import split_answer
from bench.realweb.place import Place, Server
from bench.realweb.score import score_forms
from bench.realweb.truth import MATCHES, FormPurpose, TrueForm, TrueQuery, TrueSite
from bench.realweb.visitor import VisitedPage, controls, find_forms, first_button, shape_of, walk

# Kept for judging: nothing is developed on them.
JUDGED = (
    "datasette sqlite-web sqlite_web roundup trac calibre-web calibreweb django-oscar oscar mediawiki dokuwiki wordpress "
    "redmine gitweb cgit omega xapian-omega"
).split()


@pytest.fixture
def nothing_filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every database is empty, so that truth can be read without the programs."""
    monkeypatch.setattr(truth, "HOME", tmp_path)
    for name in web.NAMES:
        for database in truth.read_toml(name).get("database", []):
            path = tmp_path / name / "truth" / f"{database['name']}.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    return tmp_path


@pytest.mark.parametrize("name", web.NAMES)
def test_a_program_has_a_recipe_and_a_truth(name: str, nothing_filled: Path) -> None:
    (program,) = web.programs([name])
    assert all(callable(getattr(program.recipe, verb)) for verb in ("install", "fill", "serve"))
    assert isinstance(program.recipe.PACKAGES, tuple)
    site = truth.load_site(name)
    assert len({form.name for form in site.forms}) == len(site.forms)
    for form in site.forms:
        path = form.page.removeprefix(f"http://{site.host}")
        assert re.fullmatch(form.on, path), f"{form.name} stands on {path}, which its pattern does not know"
        assert form.purpose is not FormPurpose.DATABASE or form.database
        assert form.impolite_depth is not None
        assert form.depth is None or form.depth >= form.impolite_depth


def test_there_are_enough_programs_and_none_that_is_kept_for_judging(nothing_filled: Path) -> None:
    assert len(web.NAMES) > 14
    packages = {re.split("[=<@]", package)[0] for program in web.programs() for package in program.recipe.PACKAGES}
    assert not packages & set(JUDGED)
    assert not set(web.NAMES) & set(JUDGED)
    purposes = {form.purpose for site in truth.load_sites() for form in site.forms}
    assert purposes == set(FormPurpose)


def test_a_program_that_was_not_filled_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truth, "HOME", tmp_path)
    with pytest.raises(Missing, match="has not been filled"):
        truth.load_site("fossil")


def test_an_unknown_program_is_named() -> None:
    with pytest.raises(Missing, match="nosuch"):
        web.programs(["nosuch"])


@pytest.mark.parametrize(
    ("how", "text", "wanted", "holds"),
    [
        ("word", "The Blue-Green Door", "blue", True),
        ("word", "Bluebird", "blue", False),
        ("word", "snake_case", "snake", True),
        ("part", "Bluebird", "blue", True),
        ("equal", "en", "en", True),
        ("equal", "eng", "en", False),
        ("start", "Berlin", "ber", True),
        ("from", "1999", "1999", True),
        ("above", "1999", "1999", False),
    ],
)
def test_how_engines_compare(how: str, text: str, wanted: str, holds: bool) -> None:
    assert MATCHES[how](text, wanted) is holds


def make_form(**changes: object) -> TrueForm:
    facts: dict[str, object] = {
        "site": "s",
        "name": "search",
        "purpose": FormPurpose.DATABASE,
        "page": "http://s.real.example/books",
        "on": "/books.*",
        "method": "get",
        "action": "/books",
        "fields": ("q",),
        "depth": 1,
        "impolite_depth": 1,
        "note": "has no examples",
    }
    return TrueForm(**(facts | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("met", "known"),
    [
        (("/books", "get", "/books", ("q", "sort")), True),
        (("/books?page=2", "get", "/books", ("q",)), True),
        (("/films", "get", "/books", ("q",)), False),
        (("/books", "post", "/books", ("q",)), False),
        (("/books", "get", "/films", ("q",)), False),
        (("/books", "get", "/books", ("sort",)), False),
    ],
    ids=["more fields", "another page", "wrong page", "wrong method", "wrong action", "field missing"],
)
def test_a_form_is_known_by_page_method_action_and_fields(
    met: tuple[str, str, str, tuple[str, ...]], known: bool
) -> None:
    assert make_form().matches(*met) is known


def test_addresses_of_one_shape() -> None:
    assert shape_of("http://s/record/17") == shape_of("http://s/record/18")
    assert shape_of("http://s/list?page=1&sort=a") == shape_of("http://s/list?sort=b&page=2")
    assert shape_of("http://s/list?page=1") != shape_of("http://s/list?letter=a")


def test_what_a_form_sends() -> None:
    form = html.fromstring(
        "<form><input name=q value=blue><input type=checkbox name=a value=1><input type=checkbox name=b value=2 checked>"
        "<select name=s><option value=1>One<option value=2 selected>Two</select><select name=t><option>First</select>"
        "<textarea name=x>text</textarea><input type=submit name=go value=Go></form>"
    )
    assert controls(form) == [("q", "blue"), ("b", "2"), ("s", "2"), ("t", "First"), ("x", "text")]
    assert first_button(form) == [("go", "Go")]


class PaperVisitor:
    """A visitor of pages that are written down."""

    def __init__(self, pages: dict[str, str], robots: str = "") -> None:
        self.pages, self.rules = pages, robots

    def get(self, url: str) -> VisitedPage | None:
        text = self.pages.get(url.removeprefix("http://s.real.example"))
        if text is None:
            return None
        tree = html.document_fromstring(text)
        return VisitedPage(url, tree, not tree.xpath("//meta[@content='nofollow']"))

    def robots(self, url: str) -> Protego:
        return Protego.parse(self.rules)

    def forget(self) -> None:
        pass


@pytest.mark.parametrize(
    ("send", "sent"),
    [({"q": "blue"}, [("q", "blue"), ("more", "+")]), ({"q": "blue", "go": "Go"}, [("q", "blue"), ("go", "Go")])],
    ids=["the first button", "the one it names"],
)
def test_which_button_a_query_presses(send: dict[str, str], sent: list[tuple[str, str]]) -> None:
    page = "<form action=/books><input name=q><input type=submit name=more value=+><input type=submit name=go value=Go></form>"

    class Asked(PaperVisitor):
        def send(self, method: str, url: str, values: list[tuple[str, str]]) -> None:
            self.sent = values

    visitor = Asked({"/books": page})
    form = make_form()
    site = TrueSite("s", "", "", "", "", form.page, (form,), (), 4, r"(?!)")
    check.ask(visitor, site, form, TrueQuery(send, 0))  # type: ignore[arg-type]
    assert visitor.sent == sent


PAGES = {
    "/": "<a href=/books>Books</a> <a href=/private>Private</a> <a rel=nofollow href=/tools>Tools</a> <a href=http://other.example/>Other</a>",
    "/books": "<form action=/books><input name=q></form><a href=/deep>Deep</a>",
    "/private": "<form action=/private method=post><input name=p type=password></form>",
    "/tools": "<form action=/tools><input name=t></form>",
    "/deep": "<meta name=robots content=nofollow><a href=/below>Below</a>",
    "/below": "<form action=/below><input name=b></form>",
}


@pytest.mark.parametrize(
    ("polite", "wanted"),
    [
        (True, {"/books": 1}),
        (False, {"/books": 1, "/private": 1, "/tools": 1, "/below": 3}),
    ],
    ids=["obeys robots.txt, rel and meta nofollow", "obeys nothing"],
)
def test_a_walk_meets_forms_at_their_depth(polite: bool, wanted: dict[str, int]) -> None:
    visitor = PaperVisitor(PAGES, "User-agent: *\nDisallow: /private\n")
    found = walk(visitor, "http://s.real.example/", polite=polite, max_depth=4, ignore="(?!)")  # type: ignore[arg-type]
    assert {met.action: met.depth for met in found.forms} == wanted


def make_site(*forms: TrueForm) -> TrueSite:
    return TrueSite("s", "S", "s", "", "", "http://s.real.example/", forms, (), 4, "(?!)")


def test_the_check_tells_wrong_depths_and_unknown_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "Visitor", lambda: PaperVisitor(PAGES))
    faults = check.check_site(make_site(make_form(depth=2))).faults
    assert "search: polite depth 2 is said, 1 was met on /books" in faults
    assert any(fault.startswith("unknown form: post /private [p]") for fault in faults)
    assert not any("impolite" in fault for fault in faults)


def test_forms_of_a_page_keep_their_names() -> None:
    page = PaperVisitor(PAGES).get("http://s.real.example/books")
    assert page is not None
    (met,) = find_forms(page, 1)
    assert (met.method, met.action, met.names) == ("get", "/books", ("q",))


def test_the_proxy_knows_every_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "HOME", tmp_path)
    servers = [(Place("one", 9001), Server(("x",))), (Place("two", 9002), Server(folder=tmp_path))]
    text = proxy.write_config(servers).read_text()
    assert "server_name one.real.example; location / { proxy_pass http://127.0.0.1:9001; }" in text
    assert f"server_name two.real.example; root {tmp_path};" in text


def make_row(path: str, kind: str, **changes: object) -> dict[str, object]:
    address = f"http://s.real.example{path}"
    return {"page": address, "kind": kind, "method": "GET", "action": address, "fields": ["q"]} | changes


def test_a_score_counts_each_true_form_once() -> None:
    doors = (
        make_form(),
        make_form(name="films", on="/films", action="/films"),
        make_form(name="far", on="/far", action="/far"),
    )
    unseen = make_form(name="hidden", depth=None), make_form(name="drawn", browser=True)
    pages = make_form(name="pages", purpose=FormPurpose.SITE_SEARCH, on="/pages", action="/pages")
    rows = [
        make_row("/books", "database"),
        make_row("/books?page=2", "database", action="http://s.real.example/books"),
        make_row("/films", "site-search"),
        make_row("/pages", "database"),
        make_row("/elsewhere", "login"),
    ]
    score = score_forms(rows, [make_site(*doors, *unseen, pages)])
    assert (score.wanted, score.found, score.claimed, score.unknown) == (3, 1, 3, 1)
    assert score.misjudged == ("s/films: site-search",)
    assert score.missed == ("s/far",)
    assert score.false_doors == ("s/pages",)
    assert (score.recall, score.precision) == (1 / 3, 0.5)


@pytest.mark.parametrize(
    ("said", "head", "content"),
    [
        (b"Status: 302\r\nLocation: /\r\n\r\n", b"Status: 302\r\nLocation: /", b""),
        (b"Content-Type: text/html\n\n<p>\r\n\r\n", b"Content-Type: text/html", b"<p>\r\n\r\n"),
        (b"", b"", b""),
    ],
    ids=["with returns", "without", "nothing"],
)
def test_what_a_cgi_program_says_is_head_and_content(said: bytes, head: bytes, content: bytes) -> None:
    assert split_answer(said) == (head, content)


def test_a_server_is_started_apart_and_ended_with_its_children(tmp_path: Path) -> None:
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(600)'])"
    processes.start(tmp_path, (sys.executable, "-c", code), {})
    assert processes.running(tmp_path)
    assert processes.stop(tmp_path)
    assert processes.running(tmp_path) is None
    assert not processes.stop(tmp_path)


def test_a_number_that_another_process_has_now_is_not_ours(tmp_path: Path) -> None:
    (tmp_path / "pid").write_text('[1, "another start"]')
    assert processes.running(tmp_path) is None
    assert not processes.stop(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", web.NAMES)
def test_the_truth_holds_where_a_program_runs(name: str) -> None:
    (program,) = web.programs([name])
    if name != "hub" and not processes.running(program.place.home):
        pytest.skip(f"{name} does not run: python -m bench.realweb up")
    if name == "hub" and not processes.running(program.place.home.parent / "proxy"):
        pytest.skip("nothing runs: python -m bench.realweb up")
    assert check.check_site(truth.load_site(name)).faults == ()
