"""Lines of a page outside its records."""

from __future__ import annotations

from dowse.records.outside import find_lines
from dowse.tree import find_nodes
from tests.records.trees import tree_of


def test_lines_are_parted_by_blocks_and_not_by_letters() -> None:
    tree = tree_of("<p><b>12</b> results of <i>40</i></p><ul><li>one</li></ul><div>Next<br>Last</div>")
    records = {id(node) for node in find_nodes(tree, "li")}
    assert find_lines(tree, records) == ("12 results of 40", "Next", "Last")
