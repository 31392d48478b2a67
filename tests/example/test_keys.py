"""Objects of a file, read key by key."""

from __future__ import annotations

import pytest

from dowse.errors import BadInput
from dowse.example.keys import Keys, read_flag, read_number, read_text


def test_values_are_taken_with_where_they_stand() -> None:
    keys = Keys.of("f.json", "paths[0]", {"name": "x", "list": [1, 2]}, ("name", "list"))
    assert keys.take("name", read_text) == "x"
    assert keys.take_several("list", 5, read_number) == (1, 2)
    assert list(keys.several("list", 5)) == [("paths[0].list[0]", 1), ("paths[0].list[1]", 2)]


def test_what_is_missing_has_another_value_or_is_named() -> None:
    keys = Keys.of("f.json", "", {}, ("name",))
    assert keys.take("name", read_text, "usual") == "usual"
    with pytest.raises(BadInput, match=r"^f.json: name is missing$"):
        keys.take("name", read_text)


@pytest.mark.parametrize(
    ("read", "value"),
    [(read_text, 3), (read_text, None), (read_flag, 1), (read_flag, "true"), (read_number, True), (read_number, "3")],
)
def test_a_value_of_another_kind_is_named(read: object, value: object) -> None:
    keys = Keys.of("f.json", "first", {"name": value}, ("name",))
    with pytest.raises(BadInput, match=r"^f.json: first.name is "):
        keys.take("name", read)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("told", "why"),
    [([], "not an object"), ({"nmae": 1}, "nmae is not known; there are name"), (None, "not an object")],
)
def test_objects_with_other_keys(told: object, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        Keys.of("f.json", "", told, ("name",))


def test_lists() -> None:
    keys = Keys.of("f.json", "", {"list": [1, 2, 3], "text": "x"}, ("list", "text"))
    with pytest.raises(BadInput, match="list has more than 2 values"):
        list(keys.several("list", 2))
    with pytest.raises(BadInput, match="text is not a list"):
        list(keys.several("text", 2))
