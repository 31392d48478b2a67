"""The short way to a seed gives what the long way gives."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dowse.find import address
from dowse.find.address import front_pages, is_number, origin_of, seed_of
from dowse.find.refused import Refused
from dowse.model import Seed
from dowse.url import seed_address, site_of

LABEL = st.text("ab0129zx_-AÉ%", min_size=0, max_size=6) | st.sampled_from(
    ["www", "com", "xn--p1ai", "xn--", "0x7f", "127", "256", "a" * 63, "a" * 64, "-a", "a-", "r3---sn", "ſ"]
)
ENDING = st.sampled_from(["", ".com", ".example", ".1", ".0x1", ".xn--p1ai", ".c0m", "."])
HOST = st.builds("{}{}".format, st.lists(LABEL, min_size=1, max_size=4).map(".".join), ENDING)
PATH = st.text("/.?#@:\\a~-_%A &;=é\t", max_size=12) | st.sampled_from(
    ["", "/", "/a/../b", "//", "/x;jsessionid=1", "/?utm_source=a&b=c", ":80/", ":8080", "/(S(abcdefabcdefabcdef))/x"]
)
TEXT = st.builds(
    "".join,
    st.tuples(
        st.sampled_from(["", "", "http://", "https://", "HTTP://", "http:", "ftp://", "//"]), HOST, PATH
    ),
)  # fmt: skip


def parsed(text: str) -> Seed | None:
    url = seed_address(text)
    return Seed(site_of(url), url) if url else None


@settings(max_examples=2000, deadline=None)
@given(TEXT)
@example("xn--zzzzzz99999.com")
@example("http://xn--.example/")
@example(f"{'a.' * 130}com")
def test_the_short_way_is_the_long_way(text: str) -> None:
    assert seed_of(text) == (None if is_number(text) else parsed(text))


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", True), ("1.5", True), ("1.2.3", True), ("1,234", True), ("99%", True), ("-1", True),
     ("1.2.3.4", False), ("12.example", False), ("http://12/", False), ("", False), ("9" * 50, False)],
)  # fmt: skip
def test_a_bare_number_is_no_address(text: str, number: bool) -> None:
    assert is_number(text) == number
    assert not number or seed_of(text) is None


@settings(max_examples=2000, deadline=None)
@given(TEXT.filter(lambda text: "&" not in text))
@example("http://xn--.example/")
@example(f"http://a.example/{'é' * 500}")  # escaped, it is too long
def test_the_site_of_an_address_is_the_same_without_parsing_it(text: str) -> None:
    seed = parsed(text)
    assert origin_of(text) == (str(seed.site) if seed else None)


SHORT = ["a.example", "r3---sn.a-b.example", "_x.example", "http://a.example", "https://a.example/x/y.html"]


@pytest.mark.parametrize("text", SHORT)
def test_usual_addresses_are_not_parsed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = parsed(text)
    monkeypatch.setattr(address, "seed_address", lambda text: pytest.fail(f"{text} was parsed"))
    assert seed_of(text) == expected


def test_the_pages_of_a_site_give_one_seed() -> None:
    refused = Refused()
    pages = [
        "http://a.example/1?x=1&amp;y=2",
        "http://b.example/",
        "nonsense",
        "http://a.example/2",
        "https://a.example",
    ]
    seeds = list(front_pages(pages, "list", refused))
    assert [seed.entrance for seed in seeds] == ["http://a.example/", "http://b.example/", "https://a.example/"]
    assert (refused.accepted, refused.count) == (4, 1)
    assert "address 3" in refused.first


def test_what_is_remembered_of_a_long_list_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(address, "_RECENT", 2)
    pages = [f"http://{name}.example/" for name in "abca"]
    assert len(list(front_pages(pages, "list", Refused()))) == 4
