"""Sources and forms, the best first: what speaks for one, and what is listed once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dowse.errors import BadInput
from dowse.form.doors import open_door
from dowse.model import Door, Field, Form, Judgement, Link, Page, Probe, Seed, SiteSearch, Skip, Visit
from dowse.reasons import SkipKind, SkipReason
from dowse.store import Store, open_store
from dowse.store.directory import FormFilter, find_forbidden, find_forms, find_sources, read_source
from dowse.url import site_of

ANSWERED = Probe(answers=True, kind="database", total=1234)
SILENT = Probe(answers=False, kind="")
FAILED = Probe(answers=False, kind="", failed=True)


def door(
    host: str, name: str, fields: int = 1, *, kind: str = "database", probability: float = 0.9, **changes: object
) -> Door:
    root = f"http://{host}/"
    controls = tuple(Field(f"{name}{number}", "text", label=f"{name} {number}") for number in range(fields))
    form = Form(0, "GET", f"{root}{name}", controls, text="Search", heading=f"Look for {name}")
    opened = open_door(form, Page(f"{root}page-{name}", title=f"All {name}"))
    return replace(opened, judgement=Judgement(kind, probability, ("says so",)), title=f"All {name}", **changes)  # type: ignore[arg-type]


def keep(store: Store, *doors: Door, command: str = "a") -> int:
    """Keep doors, each on the site of its page; return the run."""
    run = store.begin_run(command)
    for each in doors:
        site = site_of(each.page)
        store.add_seeds([Seed(site, site.root)], run)
        store.take_sites(run, 10, own=True)
        own = tuple(one for one in doors if site_of(one.page) == site)
        store.commit(run, [SiteSearch(site, visits=(Visit(Link(site.root), status=200),), doors=own)], discover=True)
    return run


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "a.db")) as opened:
        yield opened


ORDERS = [
    ("records came back", door("a.com", "one", probe=ANSWERED, probability=0.6), door("b.com", "two", 5, probability=0.99)),
    ("nobody asked before nothing came", door("a.com", "one"), door("b.com", "two", 5, probe=SILENT, probability=0.99)),
    ("a probe that failed tells nothing", door("a.com", "one", 2, probe=FAILED), door("b.com", "two", 1)),
    ("confidence", door("a.com", "one", probability=0.95), door("b.com", "two", probability=0.9)),
    ("searchable fields", door("a.com", "one", 4), door("b.com", "two", 1)),
    ("many fields do not outweigh a guess", door("a.com", "one", 2, probability=0.99), door("b.com", "two", 9, probability=0.5)),
]  # fmt: skip


@pytest.mark.parametrize(("better", "worse"), [row[1:] for row in ORDERS], ids=[row[0] for row in ORDERS])
def test_the_best_come_first(store: Store, better: Door, worse: Door) -> None:
    keep(store, worse, better)
    found, total = find_sources(store, FormFilter())
    assert ([source.site for source in found], total) == (["http://a.com", "http://b.com"], 2)
    assert [form["site"] for form in find_forms(store, FormFilter())[0]] == ["http://a.com", "http://b.com"]


def test_a_source_is_listed_once_by_its_best_form(store: Store) -> None:
    few, many = door("a.com", "cars", 1), door("b.com", "bikes", 3)
    same = replace(many, form=replace(many.form, action=few.form.action), signature="another")
    keep(store, few, same)
    (source,), total = find_sources(store, FormFilter())
    assert (total, source.forms, source.url, source.fields) == (1, 2, many.page, ["bikes 0", "bikes 1", "bikes 2"])
    own, doors = read_source(store, source.id)
    assert (own, [each["page"] for each in doors]) == (source, [many.page, few.page])


WANTED = [
    ("a word of the title", FormFilter(("all", "CARS")), {"cars"}),
    ("a word of the heading", FormFilter(("look",)), {"cars", "books", "door"}),
    ("a label", FormFilter(("books 1",)), {"books"}),
    ("an address", FormFilter(("page-cars",)), {"cars"}),
    ("words that no form has", FormFilter(("cars", "books")), set()),
    ("a key of the stored JSON is no field", FormFilter(("operator",)), set()),
    ("a kind", FormFilter(kinds=("login",)), {"door"}),
    ("two kinds", FormFilter(kinds=("login", "database")), {"cars", "books", "door"}),
    ("a host", FormFilter(site="a.com"), {"cars"}),
    ("the host with www", FormFilter(site="b.com"), {"books", "door"}),
    ("an address of a site", FormFilter(site="http://www.b.com/any/page"), {"books", "door"}),
]


@pytest.mark.parametrize(("wanted", "names"), [row[1:] for row in WANTED], ids=[row[0] for row in WANTED])
def test_what_is_wanted(store: Store, wanted: FormFilter, names: set[str]) -> None:
    keep(store, door("a.com", "cars", 2), door("www.b.com", "books", 2), door("www.b.com", "door", 2, kind="login"))
    found, total = find_forms(store, wanted)
    assert {form["title"].removeprefix("All ") for form in found} == names
    assert total == len(names)
    assert len(find_forms(store, wanted, 1)[0]) == min(1, total)
    assert find_sources(store, wanted, 1)[1] == total


def test_what_is_not_there_is_said(store: Store) -> None:
    keep(store, door("a.com", "cars"))
    with pytest.raises(BadInput, match=r"no site c\.com is known"):
        find_forms(store, FormFilter(site="c.com"))
    with pytest.raises(BadInput, match="there is no form 99"):
        read_source(store, 99)


def test_sources_of_one_run(store: Store) -> None:
    first, second = keep(store, door("a.com", "cars")), keep(store, door("b.com", "books"), command="b")
    for run, site in ((first, "http://a.com"), (second, "http://b.com")):
        assert [source.site for source in find_sources(store, FormFilter(run=run))[0]] == [site]
    assert (store.count_kinds(first), store.count_kinds(99)) == ({"database": 1}, {})


def test_the_size_is_what_a_harvest_or_a_probe_says(store: Store) -> None:
    cars, books = door("a.com", "cars", probe=ANSWERED), door("b.com", "books")
    keep(store, cars, books, door("c.com", "none", probe=SILENT))
    insert = "INSERT INTO harvest (name, url, door, records, size, size_low, size_high, complete, started_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)"
    sizes = {
        source.site: (source.size, source.size_ci, source.answers) for source in find_sources(store, FormFilter())[0]
    }
    assert sizes == {
        "http://a.com": (1234, None, True),
        "http://b.com": (None, None, None),
        "http://c.com": (None, None, False),
    }
    store.database.execute(insert, ("one", books.page, books.signature, 50, 90.4, 80.0, 120.0, 0))
    store.database.execute(insert, ("elsewhere", cars.page, books.signature, 70, None, None, None, 1))
    assert read_source(store, 2)[0].size_ci == (80.0, 120.0)
    store.database.execute(insert, ("two", books.page, books.signature, 97, None, None, None, 1))
    assert (read_source(store, 2)[0].size, read_source(store, 2)[0].size_ci) == (97, (97, 97))


def test_forms_that_search_come_before_the_others(store: Store) -> None:
    keep(
        store,
        door("a.com", "login", 3, kind="login", probability=1.0),
        door("b.com", "pages", 1, kind="site-search", probability=0.99),
        door("c.com", "cars", 1, probability=0.6),
    )
    assert [form["kind"] for form in find_forms(store, FormFilter())[0]] == ["database", "site-search", "login"]


def test_searches_that_robots_forbids(store: Store) -> None:
    run = store.begin_run("a")
    reason, site = SkipReason(SkipKind.FORBIDDEN_SEARCH), site_of("http://a.com/")
    store.add_seeds([Seed(site, site.root)], run)
    store.take_sites(run, 1, own=True)
    kept = SiteSearch(site, skipped=(Skip("http://a.com/search", reason),), skip_counts=((reason, 120),))
    store.commit(run, [kept], discover=True)
    assert find_forbidden(store) == ([{"site": "http://a.com", "url": "http://a.com/search"}], 120)
    with pytest.raises(BadInput, match=r"no site b\.com"):
        find_forbidden(store, "b.com")
