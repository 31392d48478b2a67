"""Canonical addresses: one table, and what must hold for any text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dowse.url import (
    Base,
    canonical,
    is_like_file,
    origin,
    registrable_domain,
    resolve,
    seed_address,
    site_of,
    sorted_parameters,
)

CANONICAL = [
    ("fragment off", "http://e.com/a#top", "", "http://e.com/a"),
    ("host in lower case", "http://EXAMPLE.com/A", "", "http://example.com/A"),
    ("default port off", "http://e.com:80/", "", "http://e.com/"),
    ("default port of https off", "https://e.com:443/x", "", "https://e.com/x"),
    ("other port kept", "http://e.com:8080/x", "", "http://e.com:8080/x"),
    ("empty path becomes root", "http://e.com", "", "http://e.com/"),
    ("dots resolved", "http://e.com/a/./b/../c", "", "http://e.com/a/c"),
    ("backslashes as browsers read them", "http:\\\\e.com\\a", "", "http://e.com/a"),
    ("tabs and newlines out", "http://e.com/a\n\tb", "", "http://e.com/ab"),
    ("spaces escaped", "a b", "http://e.com/d/", "http://e.com/d/a%20b"),
    ("relative", "../x", "http://e.com/a/b/c?x=1", "http://e.com/a/x"),
    ("further up than there are folders", "../" * 50 + "x", "http://e.com/a/b/c?x=1", "http://e.com/x"),
    ("query only", "?q=2", "http://e.com/a/b?x=1", "http://e.com/a/b?q=2"),
    ("empty means this page", "", "http://e.com/a/b?x=1#f", "http://e.com/a/b?x=1"),
    ("protocol-relative", "//cdn.e.com/x", "https://e.com/", "https://cdn.e.com/x"),
    ("credentials off", "http://user:secret@e.com/x", "", "http://e.com/x"),
    ("international host", "http://bücher.example/ä", "", "http://xn--bcher-kva.example/%C3%A4"),
    ("address written as a number", "http://2130706433/", "", "http://127.0.0.1/"),
    ("IPv6", "http://[::1]:8080/x", "", "http://[::1]:8080/x"),
    ("tracking off", "http://e.com/?utm_source=a&q=1&gclid=x", "", "http://e.com/?q=1"),
    ("only tracking", "http://e.com/p?fbclid=abc", "", "http://e.com/p"),
    ("empty query off", "http://e.com/p?", "", "http://e.com/p"),
    ("session in a parameter", "http://e.com/p?PHPSESSID=abc&a=1", "", "http://e.com/p?a=1"),
    ("session in the path", "http://e.com/p;jsessionid=12AB?a=1", "", "http://e.com/p?a=1"),
    ("cookieless session", "http://e.com/(S(abcdefghijklmnop123))/p.aspx", "", "http://e.com/p.aspx"),
    ("a short sid is data", "http://e.com/p?sid=12", "", "http://e.com/p?sid=12"),
    ("a random sid is a session", "http://e.com/p?sid=0123456789abcdef0123456789abcdef", "", "http://e.com/p"),
    ("order of parameters kept", "http://e.com/?b=2&a=1", "", "http://e.com/?b=2&a=1"),
    ("semicolons as separators", "http://e.com/?p=a;utm_medium=x;h=1", "", "http://e.com/?p=a;h=1"),
    ("script", "javascript:void(0)", "http://e.com/", None),
    ("mail", "mailto:a@e.com", "http://e.com/", None),
    ("other scheme", "ftp://e.com/x", "", None),
    ("no base", "/x", "", None),
    ("bad port", "http://e.com:99999/", "", None),
    ("bad host", "http://e com/", "", None),
    ("too long", "http://e.com/" + "x" * 3000, "", None),
]


@pytest.mark.parametrize(
    ("href", "base", "expected"), [row[1:] for row in CANONICAL], ids=[row[0] for row in CANONICAL]
)
def test_canonical(href: str, base: str, expected: str | None) -> None:
    assert canonical(href, base) == expected
    if base:
        assert resolve(href, base) == expected


SEEDS = [
    ("example.com", "http://example.com/"),
    (" https://Example.com/a ", "https://example.com/a"),
    ("localhost:8000", "http://localhost:8000/"),
    ("127.0.0.1:80", "http://127.0.0.1/"),
    ("bücher.de", "http://xn--bcher-kva.de/"),
    ("foo", None),
    ("not a url", None),
    ("http://", None),
    ("http://.com", None),
    ("example..com", None),
    ("-x.com", None),
    ("ftp://example.com", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "expected"), SEEDS, ids=[row[0] or "empty" for row in SEEDS])
def test_seed_address(text: str, expected: str | None) -> None:
    assert seed_address(text) == expected


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("www.example.com", "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("me.github.io", "me.github.io"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[::1]"),
        ("localhost", "localhost"),
        ("a.b.unlisted-tld-x", "b.unlisted-tld-x"),
    ],
)
def test_registrable_domain(host: str, expected: str) -> None:
    assert registrable_domain(host) == expected


def test_site() -> None:
    assert str(site_of("https://e.com/a/b?c")) == "https://e.com"
    assert str(site_of("http://e.com:8080/")) == "http://e.com:8080"
    assert site_of("http://[::1]:8080/x").port == 8080
    assert site_of("http://e.com/").root == "http://e.com/"
    assert origin("http://e.com/a/b") == "http://e.com"
    assert sorted_parameters("http://e.com/?b=2&a=1") == "http://e.com/?a=1&b=2"


addresses = st.one_of(
    st.text(max_size=200),
    st.builds(
        "{}://{}{}{}".format,
        st.sampled_from(["http", "https", "HTTP"]),
        st.sampled_from(["e.com", "bücher.example", "[::1]", "1.2.3.4", "E.com:80"]),
        st.text(st.characters(codec="utf-8"), max_size=60).map(lambda text: "/" + text),
        st.text(st.characters(codec="utf-8"), max_size=60).map(lambda text: "?" + text),
    ),
)


@given(addresses)
def test_canonical_is_idempotent_and_never_raises(text: str) -> None:
    once = canonical(text, "http://base.example/d/e?f")
    if once is not None:
        assert canonical(once) == once
        assert once.startswith(("http://", "https://"))
        assert "#" not in once
        assert str(site_of(once)) == origin(once)


plain = st.text("ab1/.-_~?=&+#: ", max_size=25)


@given(
    st.one_of(addresses, plain),
    st.sampled_from(["http://e.com/", "http://e.com/a/b/c?d=/e", "http://e.com/a?b", "https://e.com:81/x/y/"]),
)
def test_remembering_changes_nothing(href: str, base: str) -> None:
    assert resolve(href, base) == canonical(href, base)


@given(addresses)
@example("0?;&")
def test_seed_address_never_raises(text: str) -> None:
    url = seed_address(text)
    assert url is None or canonical(url) == url


def test_a_reference_that_is_remembered_belongs_to_its_folder() -> None:
    """What stands in the root folder is no reference from the root: elsewhere the same words lead elsewhere."""
    home, folder = Base.of("http://kept.example/"), Base.of("http://kept.example/a/")
    assert home.resolve("page/2/") == "http://kept.example/page/2/"
    assert folder.resolve("page/2/") == "http://kept.example/a/page/2/"
    assert [base.resolve("/page/2/") for base in (home, folder)] == ["http://kept.example/page/2/"] * 2
    assert [base.resolve("../x") for base in (folder, home)] == ["http://kept.example/x"] * 2
    assert Base.of("http://kept.example/a/b/").resolve("../x") == "http://kept.example/a/x"
    assert [base.resolve("httpd.html") for base in (home, folder)] == [
        "http://kept.example/httpd.html",
        "http://kept.example/a/httpd.html",
    ]


@pytest.mark.parametrize(
    ("text", "is_file"),
    [
        ("nofile.json", True),
        ("Page.HTML", True),
        ("./page", True),
        ("/tmp/page", True),
        ("data/list.csv", True),
        ("a.example", False),
        ("a.example/list.json", False),
        ("localhost/list.json", False),
        ("localhost:8000/list.json", False),
        ("http://a.example/list.json", False),
        ("//a.example/list", False),
    ],
)
def test_names_of_files_are_told_from_addresses(text: str, is_file: bool) -> None:
    assert is_like_file(text) is is_file
