"""Words with the places they stand at."""

from __future__ import annotations

import pytest

from dowse.model import Response
from dowse.page.blocks import MAX_BLOCKS, MAX_DEPTH, MAX_TEXT, read_blocks


def read(html: str) -> list[tuple[str, str]]:
    return [tuple(block) for block in read_blocks(Response("http://e.com/", 200, (), html.encode()))]  # type: ignore[misc]


def test_places_are_numbered() -> None:
    html = "<html><body><p>one<b>two</b>three</p><p> </p><p>four</p><script>no</script><select><option>no</select></body></html>"
    assert read(html) == [
        ("html.1/body.1/p.1/#.1", "one"),
        ("html.1/body.1/p.1/b.1/#.1", "two"),
        ("html.1/body.1/p.1/#.2", "three"),
        ("html.1/body.1/p.3/#.1", "four"),
    ]


def test_bounds() -> None:
    assert len(read("<p>x" * (MAX_BLOCKS + 10))) <= MAX_BLOCKS
    ((path, text),) = read("<div>" * 1000 + "y" * 5000)
    assert path.count("/") <= MAX_DEPTH + 1
    assert len(text) == MAX_TEXT


@pytest.mark.parametrize(
    "body", [b"", b"\xff\xfe\x00", b"\x00" * 100, b"<" * 5000], ids=["none", "mark", "zeros", "angles"]
)
def test_garbage(body: bytes) -> None:
    read_blocks(Response("http://e.com/", 200, (), body))
