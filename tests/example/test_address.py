"""Addresses as levels, which are similar, and session parameters in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.address import (
    MAX_DIFFERENT_LEVELS,
    MAX_PATH_LEVELS,
    AddressCleaning,
    differ_in_page_number,
    find_changing_parameters,
    find_differences,
    find_session_parameters,
    group_by_shape,
    group_similar,
    read_address,
    strip_parameters,
)
from dowse.example.lists import address_kind, ends_in_number, has_more_parameters, loose_address_kind

SITE = "http://www.ejazz.example"
SHOP = "http://shop.example"
WORDS = st.text("ab1-", max_size=3)
TAILS = st.builds(
    lambda path, query: f"/{'/'.join(path)}?{'&'.join(f'{name}={value}' for name, value in query.items())}",
    st.lists(WORDS, max_size=4),
    st.dictionaries(st.sampled_from("xyz"), WORDS, max_size=3),
)


def are_similar(a: str, b: str, most: int = MAX_DIFFERENT_LEVELS) -> bool:
    """Return True if two addresses become one group: URLsim(K)."""
    return len(group_similar([a, b], most)) == 1


def differ_little(a: str, b: str) -> bool:
    """Return True if two addresses of one shape differ in few levels, compared level by level."""
    one, other = read_address(a), read_address(b)
    assert one is not None
    assert other is not None
    names, others = set(one.names), set(other.names)
    is_nested = names <= others or others <= names
    return one.shape == other.shape and is_nested and len(find_differences(one, other)) <= MAX_DIFFERENT_LEVELS


@pytest.mark.parametrize(
    ("a", "b", "similar"),
    [
        pytest.param("/artistas/default_a", "/artistas/default_b", True, id="one level differs"),
        pytest.param("/a/b/c", "/a/x/y", True, id="two levels differ"),
        pytest.param("/a/b/c", "/x/y/z", False, id="three levels differ"),
        pytest.param("/a/b", "/a/b/c", False, id="another number of levels"),
        pytest.param("/a/", "/a", False, id="a slash at the end is a level"),
        pytest.param("/x.asp?cd=1", "/x.asp?cd=2", True, id="a parameter is a level"),
        pytest.param("/x?a=1&b=2&c=3", "/x?a=4&b=5&c=6", False, id="three parameters differ"),
        pytest.param("/x?a=1&b=2", "/x?b=2&a=1", True, id="the order does not matter"),
        pytest.param("/list", "/list?page=2", True, id="a parameter that is missing differs"),
        pytest.param("/x?id=1", "/x?page=2", False, id="each has a parameter of its own"),
        pytest.param("/a/b/c?utm_source=x", "/a/b/c?PHPSESSID=1", True, id="tracking and sessions are nothing"),
        pytest.param("/a/b;jsessionid=AB", "/a/b", True, id="a session in the path is nothing"),
    ],
)
def test_similar(a: str, b: str, similar: bool) -> None:
    assert are_similar(SITE + a, SITE + b) is similar
    assert are_similar(SITE + b, SITE + a) is similar


def test_another_host_is_never_similar() -> None:
    assert not are_similar("http://a.example/x", "http://b.example/x")
    assert not are_similar("http://a.example/x", "https://a.example/x")
    assert not are_similar("http://a.example/x", "mailto:a@example.com")


def test_how_many_may_differ() -> None:
    assert not are_similar(f"{SITE}/a/b", f"{SITE}/x/y", most=1)
    assert are_similar(f"{SITE}/a/b/c", f"{SITE}/x/y/z", most=3)


def test_levels_of_an_address() -> None:
    address = read_address(f"{SITE}/a/b.asp?z=1&a=2&a&utm_medium=mail")
    assert address is not None
    assert address.path == ("a", "b.asp")
    assert address.parameters == (("", "a"), ("a=", "2"), ("z=", "1"))
    assert address.levels == {0: "a", 1: "b.asp", ("", 0): "a", ("a=", 0): "2", ("z=", 0): "1"}


def test_what_is_no_address_has_no_levels() -> None:
    assert read_address("javascript:void(0)") is None
    assert read_address(SITE + "/x" * (MAX_PATH_LEVELS + 1)) is None


@pytest.mark.parametrize(
    ("page", "following", "yes"),
    [
        ("/list", "/list?page=2", True),
        ("/list?page=2", "/list?page=3", True),
        ("/list/page-2.html", "/list/page-3.html", True),
        ("/artists/default_a", "/artists/default_b", True),
        ("/list?sort=name", "/list?sort=date", False),
        ("/jazz", "/blues", False),
        ("/list/2", "/list/2/3", False),
    ],
)
def test_pages_of_one_list(page: str, following: str, yes: bool) -> None:
    first, second = read_address(SITE + page), read_address(SITE + following)
    assert first is not None
    assert second is not None
    assert differ_in_page_number(first, second) is yes


def test_groups_of_similar_addresses() -> None:
    lists = [f"{SITE}/a/default_{letter}" for letter in "abc"]
    pages = [f"{SITE}/x.asp?cd={number}" for number in (1, 2)]
    assert group_similar([lists[0], *pages, lists[1], lists[2]]) == [lists, pages]


def test_a_page_without_parameters_joins_no_two_kinds() -> None:
    items = [f"{SITE}/i.php?id={number}" for number in (1, 2, 3)]
    texts = [f"{SITE}/i.php?text={number}" for number in (1, 2)]
    groups = group_similar([f"{SITE}/i.php", *items, *texts])
    assert sorted(map(len, groups)) == [2, 4]


def test_pages_of_one_kind_are_parted_by_shape_alone() -> None:
    short = [f"{SITE}/{word}/{word}" for word in ("ab", "cd")]
    long = [f"{SITE}/{word}/{word}/{word}/{word}" for word in ("ab", "cd", "ef")]
    assert group_by_shape([*short, *long]) == [short, long]
    assert len(group_similar(long)) == 3


@given(st.lists(TAILS, max_size=12))
def test_similar_addresses_are_in_one_group(tails: list[str]) -> None:
    urls = list(dict.fromkeys(SITE + tail for tail in tails))
    groups = group_similar(urls)
    assert sorted(url for group in groups for url in group) == sorted(urls)
    place = {url: number for number, group in enumerate(groups) for url in group}
    for a in urls:
        for b in urls:
            one, other = read_address(a), read_address(b)
            assert one is not None
            assert other is not None
            if one.names == other.names and differ_little(a, b):
                assert place[a] == place[b]


@given(st.lists(TAILS, min_size=2, max_size=8))
def test_no_group_without_a_similar_neighbour(tails: list[str]) -> None:
    for group in group_similar(SITE + tail for tail in tails):
        for url in group:
            assert len(group) == 1 or any(differ_little(url, other) for other in group if other != url)


KIND_SITE = "http://a.example"
SAME = [
    ("the last level differs", "/item/1", "/item/abc"),
    ("numbers in folders", "/2024/05/x", "/2023/11/y"),
    ("values of parameters", "/a.php?id=1", "/a.php?id=zz"),
    ("folders that differ in the last name", "/item/abc/", "/item/def/"),
    ("order of parameters", "/a?x=1&y=2", "/a?y=3&x=4"),
]
OTHER = [
    ("another folder", "/item/1", "/list/1"),
    ("another depth", "/item/1", "/item/a/1"),
    ("another ending", "/item/1.html", "/item/1.php"),
    ("a folder and a file", "/item/", "/item/1"),
    ("other parameters", "/a?x=1", "/a?y=1"),
    ("with and without parameters", "/a", "/a?x=1"),
]


@pytest.mark.parametrize(("one", "two"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
def test_one_kind(one: str, two: str) -> None:
    assert address_kind(KIND_SITE + one) == address_kind(KIND_SITE + two)
    assert loose_address_kind(KIND_SITE + one) == loose_address_kind(KIND_SITE + two)


@pytest.mark.parametrize(("one", "two"), [row[1:] for row in OTHER], ids=[row[0] for row in OTHER])
def test_two_kinds(one: str, two: str) -> None:
    assert address_kind(KIND_SITE + one) != address_kind(KIND_SITE + two)


def test_names_of_folders_are_no_part_of_the_form() -> None:
    assert loose_address_kind(f"{KIND_SITE}/books/1.html") == loose_address_kind(f"{KIND_SITE}/films/2.html")
    assert loose_address_kind(f"{KIND_SITE}/books/1.html") != loose_address_kind(f"{KIND_SITE}/books/old/1.html")


@pytest.mark.parametrize("url", ["", "nonsense", "ftp://a.example/x", "http://"])
def test_what_is_no_address_is_a_kind_of_its_own(url: str) -> None:
    assert address_kind(url) == (url,)
    assert loose_address_kind(url) == (url,)


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("/2025/01/", True),
        ("/item/7", True),
        ("/item/7?x=a", True),
        ("/item/7.html", False),
        ("/a1", False),
        ("/", False),
    ],
)
def test_ends_in_number(url: str, wanted: bool) -> None:
    assert ends_in_number(KIND_SITE + url) is wanted


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("/t?id=1&start=10", True),
        ("/t?id=1", False),
        ("/t?start=10", False),
        ("/a/t?id=1&start=10", False),
        ("nonsense", False),
    ],
)
def test_more_parameters(url: str, wanted: bool) -> None:
    assert (
        has_more_parameters(
            address_kind(KIND_SITE + url if url[0] == "/" else url), address_kind(f"{KIND_SITE}/t?id=7")
        )
        is wanted
    )


ADDRESSES = [
    ("/a?x=1&y=2", ("x",), "/a?y=2"),
    ("/a?x=1", ("x",), "/a"),
    ("/a?xx=1", ("x",), "/a?xx=1"),
    ("/a?x=1&x=2&y", ("x",), "/a?y"),
    ("/a?x=1", (), "/a?x=1"),
    ("/a", ("x",), "/a"),
    ("/a;x=1?y=2", (";x",), "/a?y=2"),
    ("/a;x=1;y=2/b", (";x",), "/a;y=2/b"),
    ("/a;x=1?x=2", ("x",), "/a;x=1"),
]


@pytest.mark.parametrize(("url", "names", "wanted"), ADDRESSES, ids=[row[0] for row in ADDRESSES])
def test_leave_out(url: str, names: tuple[str, ...], wanted: str) -> None:
    assert strip_parameters(SHOP + url, names) == SHOP + wanted


SESSIONS = [
    ("a long random value in most links", ["v=8f3a9c01d2e4b7a6"] * 5, {"v"}),
    ("too short", ["v=8f3a9c"] * 5, set()),
    ("words are no number", ["v=abcdefghijklmnop"] * 5, set()),
    ("another in every link", [f"v=8f3a9c01d2e4b7a{n}" for n in range(5)], set()),
    ("in few links", ["v=8f3a9c01d2e4b7a6"] * 3 + [f"id={n}" for n in range(9)], set()),
]


@pytest.mark.parametrize(("queries", "wanted"), [row[1:] for row in SESSIONS], ids=[row[0] for row in SESSIONS])
def test_find_session(queries: list[str], wanted: set[str]) -> None:
    assert find_session_parameters([f"{SHOP}/{n}?{query}" for n, query in enumerate(queries)]) == wanted


def test_a_session_in_a_path() -> None:
    assert find_session_parameters([f"{SHOP}/item/{n};tk=8f3a9c01d2e4b7a6?id={n}" for n in range(5)]) == {";tk"}


def test_a_parameter_that_differs_from_page_to_page_numbers_a_visit() -> None:
    here = [f"http://a.example/{number}?v=abc&lang=de" for number in range(6)]
    there = [f"http://a.example/{number}?v=xyz&lang=de" for number in range(6)]
    assert find_session_parameters(here, there) == {"v"}
    assert find_session_parameters(here, here) == frozenset()


WAYS_BACK = [
    ("the query of the page", "/list?p=2&o=1", "/item/1?back=p%3D2%26o%3D1", "/item/1"),
    ("in another order", "/list?p=2&o=1", "/item/1?back=o%3D1%26p%3D2", "/item/1"),
    ("with more than the way back", "/list?p=2", "/item?id=4&back=p%3D2", "/item?id=4"),
    ("the address of the page", "/list?p=2", "/login?next=%2Flist%3Fp%3D2", "/login"),
    ("the whole address of the page", "/list", "/login?next=http%3A%2F%2Fshop.example%2Flist", "/login"),
    ("another query", "/list?p=2", "/item/1?back=p%3D3", "/item/1?back=p%3D3"),
    ("another address", "/list", "/show?url=%2Fthing", "/show?url=%2Fthing"),
    ("a value and no query", "/list?p=2", "/list?p=2&o=1", "/list?p=2&o=1"),
    ("a parameter that samples have", "/list?p=2", "/item/1?from=p%3D2", "/item/1?from=p%3D2"),
]


@pytest.mark.parametrize(("page", "link", "wanted"), [row[1:] for row in WAYS_BACK], ids=[row[0] for row in WAYS_BACK])
def test_the_way_back_to_a_page_is_no_part_of_an_address(page: str, link: str, wanted: str) -> None:
    assert AddressCleaning.of([SHOP + "/item/9?from=x"]).clean(SHOP + link, SHOP + page) == SHOP + wanted


CHANGES = [
    ("a token in each link", [f"/{n}?t=a{n}" for n in range(9)], [f"/{n}?t=b{n}" for n in range(9)], {"t"}),
    ("two of them", [f"/{n}?t=a{n}&u=x" for n in range(9)], [f"/{n}?t=b{n}&u=y" for n in range(9)], {"t", "u"}),
    ("in the path", [f"/{n};t=a{n}" for n in range(9)], [f"/{n};t=b{n}" for n in range(9)], {";t"}),
    (
        "what stays is no token",
        [f"/s?id={n}&l=de&t=a" for n in range(9)],
        [f"/s?id={n}&l=de&t=b" for n in range(9)],
        {"t"},
    ),
    ("other news", [f"/news?id={n}" for n in range(9)], [f"/news?id={n}" for n in range(9, 18)], set()),
    ("one of several drawn at random", ["/a", "/b", "/show?id=1"], ["/a", "/b", "/show?id=2"], set()),
    ("nothing changes", [], [], set()),
]


@pytest.mark.parametrize(("gone", "new", "wanted"), [row[1:] for row in CHANGES], ids=[row[0] for row in CHANGES])
def test_what_changes_when_a_page_is_asked_again(gone: list[str], new: list[str], wanted: set[str]) -> None:
    assert find_changing_parameters([SHOP + url for url in gone], [SHOP + url for url in new]) == wanted
