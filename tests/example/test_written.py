"""Patterns that a person wrote are read, or refused with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dowse.example.generalise import AddressPattern, Parameter
from dowse.example.written import read_pattern
from dowse.model import Verdict


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (r"^http://e\.example/$", "http://e.example/"),
        (r"^http://e\.example/item/\d+$", "http://e.example/item/7"),
        (r"^https://e\.example:8443/(item|thing)/[^/?]+$", "https://e.example:8443/thing/a,b"),
        (r"^http://e\.example/x\.php\?id=\d+&lang=(?:de|en)$", "http://e.example/x.php?lang=en&id=3"),
        (r"^http://e\.example/x\.php\?z=1&a=[/a-z]+$", "http://e.example/x.php?a=b/c&z=1"),
        (r"^http://e\.example/l(?:[?&]page=\d+)?(?:[?&]q=(?:a|b))?$", "http://e.example/l?q=b"),
        (r"^http://e\.example/l\?a=\d(?:&b=[^&]+)?$", "http://e.example/l?b=x&a=1"),
        (r"^http://e\.example/a(?:&b)?\?c=1$", "http://e.example/a&b?c=1"),
        (r"^http://e\.example/l\?all$", "http://e.example/l?all"),
    ],
)
def test_read(text: str, url: str) -> None:
    pattern = read_pattern(text)
    assert isinstance(pattern, AddressPattern)
    assert pattern.matches(url)
    assert pattern.matches(url + "#top")
    assert not pattern.matches(url + "/more")


def test_parameters() -> None:
    pattern = read_pattern(r"^http://e\.example/l\?z=1&a=2(?:[?&]page=\d+)?$")
    assert isinstance(pattern, AddressPattern)
    assert pattern.parameters == (Parameter("a=", "2"), Parameter("z=", "1"), Parameter("page=", r"\d+", optional=True))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (r"http://e\.example/", "anchored"),
        (r"^http://e\.example/\$", "anchored"),
        ("^http://e.example/$", "bare dot"),
        (r"^[a-z]+://e\.example/$", "scheme and host"),
        (r"^ftp://e\.example/$", "web address"),
        (r"^http://e\.example$", "no path"),
        (r"^http://e\.example/(?:a/b)?$", "takes /"),
        (r"^http://e\.example/(?:a+)+$", "repeated"),
        (r"^http://e\.example/a+a+a+a+b$", "slow"),
        (r"^http://e\.example/x\?[a-z]+=1$", "name of a parameter"),
        (r"^http://e\.example/x\?a=1&$", "name of a parameter"),
        (r"^http://e\.example/x\?a=[^/]*$", "takes &"),
        (r"^http://e\.example/x(?:[?&]a=1)?b$", "after its optional"),
        (r"^http://e\.example/[a-$", "not understood"),
        ("^" + "a" * 10_000 + "$", "characters"),
    ],
)
def test_refused(text: str, why: str) -> None:
    verdict = read_pattern(text)
    assert isinstance(verdict, Verdict)
    assert why in verdict.reason


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for written in (text, f"^{text}$", rf"^http://e\.example/{text}$"):
        pattern = read_pattern(written)
        if isinstance(pattern, AddressPattern):
            pattern.matches("http://e.example/a")
