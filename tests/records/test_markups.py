"""Records in markups that have nothing in common, with values that some of them lack: each value in a column of its own."""

from __future__ import annotations

from collections import defaultdict

import pytest

from dowse.records.wrapper import AnswerSample, Wrapper, apply_wrapper, learn_wrapper
from tests.records.markups import KEYS, PAGES, read, share_right, texts_of
from tests.records.trees import URL, tree_of


@pytest.mark.parametrize("name", PAGES)
def test_each_value_stands_in_a_column_of_its_own(name: str) -> None:
    books, records = PAGES[name][0], read(name)
    told = {next(value.text for value in record.values if value.text in KEYS): record for record in records}
    assert (len(records), set(told)) == (len(books), {book["title"] for book in books})
    columns: dict[str, set[str]] = defaultdict(set)
    for book in books:
        said = {(value.text, value.attribute) for value in told[str(book["title"])].values if value.text[:1] != "#"}
        assert sorted(text for text, _ in said) == sorted(text for _, text in texts_of(book))
        for attribute, text in texts_of(book):
            columns[attribute].add(dict(said)[text])
    assert all(len(own) == 1 for own in columns.values()), dict(columns)
    assert len(set.union(*columns.values())) == len(columns), dict(columns)


@pytest.mark.parametrize("name", [name for name, (_, html) in PAGES.items() if "href='/book/" in html])
def test_each_record_keeps_the_address_of_its_page(name: str) -> None:
    for record in read(name):
        title = next(value.text for value in record.values if value.text in KEYS)
        assert record.url.endswith(f"/book/{KEYS[title]}")


@pytest.mark.parametrize("name", PAGES)
def test_no_value_is_the_name_of_a_column(name: str) -> None:
    values = {text for book in PAGES[name][0] for _, text in texts_of(book)}
    assert not values & {value.attribute for record in read(name) for value in record.values}


def test_a_mark_that_few_have_does_not_take_the_head_of_their_column() -> None:
    def mark(number: int) -> str:
        return f"<span class=x>{('new', 'hot')[number % 8 == 0]}</span> " if number % 4 == 0 else ""

    books = PAGES["few"][0]
    rows = "".join(
        f"<tr><td>{mark(number)}<a href=/book/{number}>{book['title']}</a></td><td>{book['author']}</td></tr>"
        for number, book in enumerate(books * 2)
    )
    tree = tree_of(f"<html><body><table><tr><th>Book</th><th>Author</th></tr>{rows}</table></body></html>")
    wrapper = learn_wrapper([AnswerSample(tree, URL)])
    assert isinstance(wrapper, Wrapper)
    records = apply_wrapper(wrapper, tree, URL).records
    assert [dict(record.values)["Book"] for record in records] == [book["title"] for book in books * 2]


def test_the_share_that_is_right_is_that_of_values_in_their_column(monkeypatch: pytest.MonkeyPatch) -> None:
    (books, _), (_, others) = PAGES["cards with boxes"], PAGES["cards with words"]
    assert share_right("cards with boxes") == 1
    monkeypatch.setitem(PAGES, "cards with words", (books, others))  # without years and publishers
    assert 0.3 < share_right("cards with words") < 0.7
