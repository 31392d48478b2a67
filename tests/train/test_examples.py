"""Labelled forms are found on their pages however browsers and the labels' own parser number them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("lxml")

from dowse.errors import BadInput
from dowse.train import examples
from dowse.train.examples import Example, find_data, read_examples

SEARCH = '<form action="/s"><input name="q"><button>Search</button></form>'
LOGIN = '<form method="post"><input name="user"><input type="password" name="pass"></form>'
VOTE = '<form method="post"><input type="radio" name="vote" value="1"></form>'


def read(folder: Path, monkeypatch: pytest.MonkeyPatch, html: str, letters: str, name: str = "7.html") -> list[Example]:
    (folder / "html").mkdir(exist_ok=True)
    (folder / "html" / name).write_text(html)
    facts = {"url": "http://www.shop.co.uk/start", "forms": list(letters)}
    (folder / "index.json").write_text(json.dumps({f"html/{name}": facts}))
    monkeypatch.setattr(examples, "find_data", lambda: folder)
    return read_examples()


def test_a_form_has_its_label_its_page_and_its_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    search, login = read(tmp_path, monkeypatch, f"<title>Shop</title>{SEARCH}{LOGIN}", "sl")
    assert (search.type, search.page_file, search.number, search.domain) == ("search", "7.html", 0, "shop.co.uk")
    assert search.page.title == "Shop"
    assert search.form
    assert search.form.action == "http://www.shop.co.uk/s"
    assert login.type == "login"
    assert login.form
    assert {field.name for field in login.form.fields} == {"user", "pass"}


@pytest.mark.parametrize(
    ("letters", "types"),
    [("sXl", ["search", "login"]), ("-ll", ["login", "login"]), ("sVP", ["search", "other", "other"])],
    ids=["not looked at", "to be skipped", "kinds of other"],
)
def test_forms_without_a_label_are_left_out(
    letters: str, types: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = read(tmp_path, monkeypatch, SEARCH + VOTE + LOGIN, letters)
    assert [one.type for one in found] == types


def test_a_form_that_browsers_do_not_see_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A form inside a form is one to lxml and none to a browser; the login must not be taken for it."""
    nested = (
        f'<form action="/a"><input name="a"><form action="/b"><input name="b1"><input name="b2"></form></form>{LOGIN}'
    )
    outer, inner, login = read(tmp_path, monkeypatch, nested, "osl")
    assert outer.form
    assert outer.form.action.endswith("/a")
    assert inner.form is None
    assert login.form
    assert {field.name for field in login.form.fields} == {"user", "pass"}


def test_more_labels_than_forms_are_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.form is None for one in read(tmp_path, monkeypatch, SEARCH, "ss")] == [False, True]


def test_what_a_search_searches_is_told_by_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = examples._read_kinds()
    page, number = next(place for place, kind in kinds.items() if kind == "database")
    found = read(tmp_path, monkeypatch, SEARCH * (number + 1), "s" * (number + 1), page)
    assert found[number].kind == "database"
    assert set(kinds.values()) == {"database", "site-search", "configure", "other", "unsure"}


def test_without_the_labelled_forms_one_line_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examples, "find_spec", lambda name: None)
    with pytest.raises(BadInput, match=r"pip install 'dowse\[train\]'"):
        find_data()
