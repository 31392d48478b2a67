"""Addresses of other kinds of page are made as they should be, and the paper's patterns are the paper's."""

from __future__ import annotations

from random import Random

from bench.addresses import find_menu, learn_narrow, learn_ours, learn_paper, scramble, write
from dowse.example.address import Address, read_address

SITE = "http://e.example"


def read(url: str) -> Address:
    address = read_address(SITE + url)
    assert address is not None
    return address


def test_a_scrambled_address_has_another_shape_or_another_word() -> None:
    address, rng = read("/film/jaws/17"), Random(1)
    for _ in range(50):
        other = scramble(address, [0], rng)
        fixed = len(other.path) == 3 and other.path[0] == "film"
        assert not fixed or not other.path[2].isdigit()


def test_a_menu_stands_in_the_last_level_that_varies() -> None:
    menu = {write(each) for each in find_menu(read("/film/jaws/details"), [0, 2])}
    assert f"{SITE}/film/about/details" in menu
    assert not list(find_menu(read("/film"), [0]))


def test_the_paper_matches_as_many_tokens_as_it_has_seen() -> None:
    urls = [f"{SITE}/film/{title}" for title in ("jaws", "the-sting", "a-star-born")]
    paper, ours = learn_paper(urls), learn_ours(urls)
    assert paper(read("/film/big-fish"))
    assert not paper(read("/film/once-upon-a-time-in-the-west"))
    assert ours(read("/film/once-upon-a-time-in-the-west"))


def test_the_paper_matches_levels_that_differ_little() -> None:
    urls = [f"{SITE}/{year}/{make}/{model}" for year, make, model in ((2010, "ford", "ka"), (2011, "audi", "tt"))]
    assert not learn_paper(urls)(read("/2012/seat/leon"))
    assert learn_ours(urls)(read("/2012/seat/leon"))


def test_no_pattern_is_narrowed_by_lengths() -> None:
    urls = [f"{SITE}/b/{number}" for number in (9780553277579, 9781433668234, 9780312570767)]
    assert learn_ours(urls)(read("/b/17"))
    assert learn_narrow(urls, [f"{SITE}/b/4"])(read("/b/9780062315007"))
    assert learn_narrow(urls, [f"{SITE}/b/4"])(read("/b/17")), "shorter numbers may come later"
