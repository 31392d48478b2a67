"""Kinds of addresses: what is written the same way is one kind."""

from __future__ import annotations

import pytest

from dowse.example.kind import ends_in_number, form_of, has_more_parameters, kind_of

SITE = "http://a.example"
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
    assert kind_of(SITE + one) == kind_of(SITE + two)
    assert form_of(SITE + one) == form_of(SITE + two)


@pytest.mark.parametrize(("one", "two"), [row[1:] for row in OTHER], ids=[row[0] for row in OTHER])
def test_two_kinds(one: str, two: str) -> None:
    assert kind_of(SITE + one) != kind_of(SITE + two)


def test_names_of_folders_are_no_part_of_the_form() -> None:
    assert form_of(f"{SITE}/books/1.html") == form_of(f"{SITE}/films/2.html")
    assert form_of(f"{SITE}/books/1.html") != form_of(f"{SITE}/books/old/1.html")


@pytest.mark.parametrize("url", ["", "nonsense", "ftp://a.example/x", "http://"])
def test_what_is_no_address_is_a_kind_of_its_own(url: str) -> None:
    assert kind_of(url) == (url,)
    assert form_of(url) == (url,)


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
    assert ends_in_number(SITE + url) is wanted


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
    assert has_more_parameters(kind_of(SITE + url if url[0] == "/" else url), kind_of(f"{SITE}/t?id=7")) is wanted
