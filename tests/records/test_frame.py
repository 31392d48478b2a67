"""What stands around records."""

from __future__ import annotations

from dowse.records.frame import find_frame, frame_likeness
from dowse.tree import find_nodes
from tests.records.trees import tree_of

PAGE = "<body><div class=head><b>Library</b></div><ul>{}</ul><p class=foot>Street</p></body>"


def test_the_frame_is_what_all_pages_have_without_their_records() -> None:
    one, two = tree_of(PAGE.format("<li><i>a</i></li>")), tree_of(PAGE.format(""))
    frame = find_frame([one, two], {id(node) for node in find_nodes(one, "li")})
    assert frame == ("body/div.head", "body/p.foot", "body/ul", "div.head/b", "html/body")
    assert frame_likeness(frame, two) == 1
    assert frame_likeness(frame, tree_of("<main>x</main>")) < 0.5
    assert frame_likeness((), two) == 0
