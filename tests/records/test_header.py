"""What the head of a table calls its columns."""

from __future__ import annotations

import pytest

from dowse.records.header import find_header
from dowse.tree import find_nodes
from tests.records.trees import tree_of


@pytest.mark.parametrize(
    ("head", "named"),
    [
        pytest.param("<tr><th>Name<th>Year", {"td[1]": "Name", "td[2]": "Year"}, id="th"),
        pytest.param("<thead><tr><th>Name<th>Year</thead>", {"td[1]": "Name", "td[2]": "Year"}, id="thead"),
        pytest.param("<tr><td>Name<td>Year", {"td[1]": "Name", "td[2]": "Year"}, id="td"),
        pytest.param("<tr><th>Name ▼<th>⇅ Year", {"td[1]": "Name", "td[2]": "Year"}, id="signs of sorting"),
        pytest.param("<tr><td>Buy socks<td colspan=2>Sponsored", {}, id="an advertisement"),
        pytest.param("", {}, id="none"),
    ],
)
def test_columns_are_named(head: str, named: dict[str, str]) -> None:
    tree = tree_of(f"<table>{head}<tr class=r><td>Anna<td>1990<tr class=r><td>Boris<td>1991</table>")
    rows = [node for node in find_nodes(tree, "tr") if node.attribute("class") == "r"]
    assert find_header([tree], rows) == named


def test_a_wide_cell_names_all_columns_under_it() -> None:
    tree = tree_of("<table><tr><th>Name<th colspan=2>Price<tr class=r><td>a<td>1<td>2</table>")
    rows = [node for node in find_nodes(tree, "tr") if node.attribute("class") == "r"]
    assert find_header([tree], rows) == {"td[1]": "Name", "td[2]": "Price", "td[3]": "Price"}
