"""Shapes as text."""

from __future__ import annotations

import pytest

from dowse.errors import BadInput
from dowse.model import Response
from dowse.page.tree import read_tree
from dowse.tree.rtdm import similarity
from dowse.tree.shape import shape_of
from dowse.tree.written import read_shape, write_shape

PAGE = (
    b"<html><body><div class=a><p>x</p><p>y</p></div><ul><li>1<li>2<li>3</ul><div class=a><p>x</p></div></body></html>"
)


def test_a_shape_is_the_same_when_it_is_read_again() -> None:
    shape = shape_of(read_tree(Response("http://a.example/", 200, (("content-type", "text/html"),), PAGE)))
    again = read_shape(write_shape(shape))
    assert again == shape
    assert similarity(again, shape) == 1.0


@pytest.mark.parametrize(
    "text", ["", "no", "eJyLjgUAARUAuQ==", "####", "eJw="], ids=["nothing", "words", "empty list", "no base64", "cut"]
)
def test_what_is_no_shape_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="not the shape of a page"):
        read_shape(text)
