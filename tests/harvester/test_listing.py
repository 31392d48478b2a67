"""Cheaper ways to list everything: what a page offers, whether it shows the same records, and which is taken."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import pytest

from dowse.harvester.listing import (
    Listing,
    ValueIndex,
    count_pages,
    find_exports,
    find_lists,
    find_page_sizes,
    judge_listing,
)
from dowse.model import Answer, Door, Field, Form, Judgement, Link, Option, Page, Query, Record, Value

HERE = "http://shop.example/items?q="


def page_with(*links: tuple[str, str]) -> Page:
    return Page(HERE, links=tuple(Link(url, text) for url, text in links))


def door_with(*fields: Field) -> Door:
    return Door(Form(0, "GET", "http://shop.example/items", fields), Judgement("database", 1.0))


def records(*numbers: int, folder: str = "item") -> tuple[Record, ...]:
    return tuple(
        Record((Value("title", f"The thing {n}"),), f"http://shop.example/{folder}/{n}", f"http://shop.example/{folder}/{n}")
        for n in numbers
    )  # fmt: skip


@pytest.mark.parametrize(
    ("links", "fields", "wanted"),
    [
        pytest.param([], [], [], id="nothing is offered"),
        pytest.param(
            [("http://shop.example/items?q=&per_page=50", "50"), ("http://shop.example/items?q=&per_page=100", "100")],
            [],
            [("per_page", "100"), ("per_page", "1000")],
            id="links with choices: the largest that is offered, then a larger one",
        ),
        pytest.param(
            [("http://shop.example/items?page=2&limit=20", "2")],
            [],
            [("limit", "1000")],
            id="a size in the next address",
        ),
        pytest.param([("http://shop.example/other?limit=20", "2")], [], [], id="a size on another page"),
        pytest.param([("http://shop.example/items?year=1999", "1999")], [], [], id="a number that is no size"),
        pytest.param([], [Field("limit", "text", value="20")], [("limit", "1000")], id="a box of the form"),
        pytest.param(
            [],
            [Field("max", "select", value="20", options=tuple(Option(str(n), str(n)) for n in (20, 50, 100)))],
            [("max", "100"), ("max", "1000")],
            id="choices of the form",
        ),
    ],
)
def test_larger_pages_are_found(
    links: list[tuple[str, str]], fields: list[Field], wanted: list[tuple[str, str]]
) -> None:
    found = find_page_sizes(page_with(*links), HERE, 20, door_with(*fields))
    assert [each.parameters[0] for each in found] == wanted


@pytest.mark.parametrize(
    ("url", "text", "is_offer"),
    [
        ("http://shop.example/items/export/csv", "Export", True),
        ("http://shop.example/items.json", "", True),
        ("http://shop.example/items?q=&format=xml", "XML", True),
        ("http://shop.example/items/import/csv/upload", "Upload a CSV file", False),
        ("http://elsewhere.example/items.json", "", False),
        ("http://shop.example/jsonwebtoken", "a record about tokens", False),
    ],
)
def test_exports_are_found(url: str, text: str, is_offer: bool) -> None:
    assert bool(find_exports([(page_with((url, text)), "")])) is is_offer


def test_an_alternate_in_the_head_is_an_offer() -> None:
    head = '<link rel="alternate" type="application/json" href="/items.json?all=1">'
    assert [each.url for each in find_exports([(page_with(), head)])] == ["http://shop.example/items.json?all=1"]


def test_a_service_for_harvesters_comes_first() -> None:
    oai = Door(Form(1, "GET", "http://shop.example/oai", made="oai-pmh"), Judgement("database", 1.0))
    found = find_exports([(page_with(("http://shop.example/items.csv", "CSV")), "")], [oai])
    assert found[0].url == "http://shop.example/oai?verb=ListRecords&metadataPrefix=oai_dc"


def test_the_list_above_the_records_is_found() -> None:
    found = find_lists(
        page_with(("http://shop.example/item/", "Items"), ("http://shop.example/help", "Help")), records(1, 2)
    )
    assert [each.url for each in found] == ["http://shop.example/item/"]


def test_what_edits_or_is_called_index_php_is_no_list() -> None:
    page = page_with(
        ("http://shop.example/index.php?title=Home&oldid=1", "Permanent link"),
        ("http://shop.example/register/all", "All"),
        ("http://shop.example/index/a", "A"),
    )
    assert [each.url for each in find_lists(page, [])] == []
    browsing = page_with(("http://shop.example/index", "Index of titles"))
    assert [each.url for each in find_lists(browsing, [])] == ["http://shop.example/index"]


def test_the_api_of_a_weblog_is_an_offer() -> None:
    for root, url in (
        ("/wp-json/", "/wp-json/wp/v2/posts?per_page=100"),
        ("/?rest_route=/", "/?rest_route=/wp/v2/posts&per_page=100"),
    ):
        head = f'<link rel="https://api.w.org/" href="{root}" />'
        assert find_exports([(page_with(), head)])[0].url == f"http://shop.example{url}"
    foreign = find_exports([(page_with(), '<link rel="https://api.w.org/" href="http://other.example/wp-json/" />')])
    assert not any("/wp/v2/posts" in each.url for each in foreign)


def test_several_folders_are_one_list() -> None:
    held = [*records(1, 2, 3, folder="old"), *records(4, 5, folder="new")]
    page = page_with(*((f"http://shop.example/{name}/", name) for name in ("old", "new", "rare")))
    (found,) = find_lists(page, held)
    assert (found.url, found.then[0]) == ("http://shop.example/old/", "http://shop.example/new/")
    assert "http://shop.example/rare/" in found.then  # its link stands where theirs do


@dataclass(frozen=True)
class Way:
    """A way that was tried beside the usual page of records 0 to 9."""

    tried: tuple[Record, ...]
    pages: float
    more: bool = False
    total: int | None = 100
    listing: Listing = field(default_factory=lambda: Listing("larger", parameters=(("n", "50"),)))


FILE_NAMES = tuple(
    Record((Value("title", f"{n}.html"),), each.key, each.url) for n, each in enumerate(records(*range(100)))
)


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(Way(records(*range(50)), 2, more=True), id="pages of 50"),
        pytest.param(Way(records(*range(100)), 1), id="all on one page"),
        pytest.param(Way(records(*range(10)), inf, more=True), id="the same page again"),
        pytest.param(Way(records(*range(50, 100)), inf, more=True), id="others"),
        pytest.param(Way(records(*range(30)), inf), id="the latest 30 of 100"),
        pytest.param(Way((), inf), id="nothing"),
        pytest.param(
            Way(FILE_NAMES, inf, total=None, listing=Listing("list", HERE, own_layout=True)), id="names of files alone"
        ),
        pytest.param(
            Way(
                tuple(Record((Value("name", f"the thing {n}"),), str(n)) for n in range(100)),
                1,
                listing=Listing("csv", HERE, own_layout=True, own_values=True),
            ),
            id="an export with other names",
        ),
    ],
)
def test_a_way_counts_when_it_shows_the_same_and_more(way: Way) -> None:
    usual = Answer(Query(), records=records(*range(10)), total=way.total, more=True)
    tried = Answer(Query(), records=way.tried, more=way.more, total=None)
    assert judge_listing(usual, tried, way.listing) == way.pages


def test_a_list_without_a_count_may_have_many_pages() -> None:
    short, long = (Answer(Query(), records=records(*range(n)), more=True, total=None) for n in (10, 50))
    assert count_pages(short, None) > count_pages(long, None) > count_pages(long, 500) == 10


def test_records_of_an_export_are_known_by_their_values() -> None:
    index = ValueIndex()
    index.add(
        [Record((Value("name", "The Amber Dune"), Value("year", "1999")), "1"), Record((Value("year", "1999"),), "2")]
    )
    found = index.find(Record((Value("Title", "the  amber dune"), Value("Year", "1999"))))
    assert found is not None
    assert found.key == "1"
    assert index.find(Record((Value("Year", "1999"),))) is None  # a year tells nothing


def test_records_of_an_export_are_known_by_their_addresses() -> None:
    index, address = ValueIndex(), "http://shop.example/item/7"
    index.add(
        [
            Record((Value("link", address), Value("name", "Amber &#038; Dune")), "1"),
            Record((Value("name", "Other"),), "2"),
        ]
    )
    for record in (Record((Value("Title", "Cut ..."),), "x", address), Record((Value("Title", "amber & dune"),), "y")):
        found = index.find(record)
        assert found is not None
        assert found.key == "1"


def test_a_listing_is_kept_as_plain_data() -> None:
    listing = Listing("why", HERE, ("http://shop.example/b",), (("n", "50"),), own_layout=True, own_values=True)
    assert Listing.from_dict(listing.to_dict()) == listing
