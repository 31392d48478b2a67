"""What a request to a door brings."""

from __future__ import annotations

import pytest

from dowse.model import Response
from dowse.step.ask import is_service

HERE = "http://e.com/"


@pytest.mark.parametrize(
    ("kind", "body", "wanted"),
    [
        ("application/json", b"[]", True),
        ("application/atom+xml", b"<feed/>", True),
        ("text/javascript", b'{"a": 1}', True),
        ("text/html", b"<html></html>", False),
        ("", b"<title>Soups</title><p>one", False),
        ("application/xhtml+xml", b"<html></html>", False),
        ("", b"<!DOCTYPE html><p>", False),
    ],
)
def test_what_is_a_service(kind: str, body: bytes, wanted: bool) -> None:
    assert is_service(Response(HERE, 200, (("content-type", kind),), body)) is wanted
