from __future__ import annotations

import json

import pytest

from dowse.records.details import PageWrapper, learn_page_wrapper, read_page_values
from tests.records.test_details import Design, read, trees
from tests.records.trees import ROWS, Row


def _people(head: str, count: int) -> Design:
    """Return pages with a table of people, one in a row, below its heads."""

    def design(row: Row) -> str:
        start = ROWS.index(row)
        people = (ROWS[(start + 3 * step) % len(ROWS)] for step in range(count))
        body = "".join(f"<tr><td>{name}<td>{year}<td>{place}</tr>" for _, place, name, year in people)
        return f"<table>{head}{body}</table>"

    return design


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize(
    "head",
    [
        pytest.param("<tr><th>Name<th>Year<th>Home town</tr>", id="th"),
        pytest.param("<thead><tr><td>Name<td>Year<td>Home town</tr></thead>", id="td in thead"),
        pytest.param("<thead><tr><th>Name<th>Year<th><a href=/s>Home town</a></tr></thead>", id="linked"),
        pytest.param("<tr><th colspan=3>People</tr><tr><th>Name<th>Year<th>Home town</tr>", id="below a title"),
    ],
)
def test_heads_name_the_cells_of_their_columns(head: str, count: int) -> None:
    design = _people(head, count)
    people = [ROWS[(4 + 3 * step) % len(ROWS)] for step in range(count)]
    expected = {
        "Name": [each[2] for each in people],
        "Year": [each[3] for each in people],
        "Home town": [each[1] for each in people],
    }
    wrapper = learn_page_wrapper(trees(design))
    assert read(wrapper, trees(design)[4]) == expected
    assert {each.how for each in wrapper.attributes} == {"label"}


def test_a_column_that_never_varies_is_read_and_names_nothing() -> None:
    def design(row: Row) -> str:
        return f"<table><tr><th>Binding<th>Year</tr><tr><td>Paper<td>{row[3]}</tr></table><p class=maker>{row[2]}</p>"

    expected = {"Binding": ["Paper"], "Year": [ROWS[2][3]], "maker": [ROWS[2][2]]}
    assert read(learn_page_wrapper(trees(design)), trees(design)[2]) == expected


@pytest.mark.parametrize("tag", ["td", "th"])
def test_heads_over_names_and_values_leave_the_names(tag: str) -> None:
    def design(row: Row) -> str:
        lines = "".join(
            f"<tr><{tag}>{name}</{tag}><td>{text}</td></tr>" for name, text in (("Author", row[2]), ("Year", row[3]))
        )
        return f"<table><tr><th>Feature<th>Value</tr>{lines}</table>"

    assert read(learn_page_wrapper(trees(design)), trees(design)[2]) == {"Author": [ROWS[2][2]], "Year": [ROWS[2][3]]}


def test_a_wrapper_with_columns_is_plain_data() -> None:
    design = _people("<tr><th>Name / nom.<th>Year #1<th>Town = home|x</tr>", 2)
    wrapper = learn_page_wrapper(trees(design))
    again = PageWrapper.from_dict(json.loads(json.dumps(wrapper.to_dict())))
    assert again == wrapper
    assert read_page_values(again, trees(design)[2]) == read_page_values(wrapper, trees(design)[2])
    assert len({value.attribute for value in read_page_values(again, trees(design)[2])}) == 3
