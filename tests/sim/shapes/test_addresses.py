"""Addresses of browsable sites: what a style promises, in words that no two families share."""

from __future__ import annotations

import re

import pytest

from bench.families import shape_of
from dowse.sim.shapes.addresses import HUBS, IDS, ITEMS, KEYS, TARGETS, WORDS

from .sites import site

FILLED = {"item": "ab", "id": "ab", "n": 3, "year": 2024, "month": "05", "day": "09", "letter": "c", "name": "Ab"}
NAMES = ("slug", "native", "category", "part", "owner")
LOOKS = [
    ("one-list", r"/\w+/\d+", r"/\w+/\d+/show"),
    ("letters", r"/[^/]+/[^/]+\.html", r"/[^/]+/[^/]+\.xhtml"),
    ("letters-query", r"/\w+\.php\?\w+=\d+", r"/\w+\.do\?\w+=\d+"),
    ("categories", r"/\w+/[^/]+/", r"/\w+/v-[^/]+/"),
    ("categories-two", r"/[^/]+/[^/]+/[^/]+", r"/[^/]+/[^/]+/[^/]+\.x"),
    ("months", r"/20\d\d/\d\d/[^/]+", r"/20\d\d/\d\d/\d\d/[^/]+\.x"),
    ("years", r"/\w+_\d+\.asp", r"/\d+/\w+\.aspx"),
    ("related", r"/\w+/[^/]+", r"/\w+-[^/]+"),
    ("two-styles", r"/\w+/[^/]+-\d+|/\w+\.php\?\w+=\d+", r"/\d+,[^/]+\.\w+|/\w+\.do\?\w+=\d+"),
    ("parameters", r"/\w+\.cgi\?sec=[^&]+&\w+=\d+&view=full", r"/\w+\.wcgi\?\w+=\d+&t=7&rub=[^&]+"),
    ("native", r"/\w+/\S*%[0-9A-F]{2}\S*|/\w+/\S+", r"/\S+/\w+\.x"),
]


@pytest.mark.parametrize(("name", "of_a", "of_b"), LOOKS, ids=[each[0] for each in LOOKS])
def test_targets_look_as_their_style_says(name: str, of_a: str, of_b: str) -> None:
    for family, pattern in (("A", of_a), ("B", of_b)):
        web = site(name, family)
        assert not [url for url in web.truth.targets if not re.fullmatch(pattern, url.removeprefix(web.plan.origin))]


def test_older_targets_have_another_style() -> None:
    targets = site("two-styles", "A").truth.targets
    asked = ["?" in url for url in targets]
    assert asked == sorted(asked, reverse=True)
    assert abs(sum(asked) - len(asked) / 2) <= 1


def test_words_of_the_language_are_percent_encoded() -> None:
    for family in "AB":
        for seed in range(3):
            web = site("native", family, seed=seed)
            assert all(url.isascii() and " " not in url for url in web.truth.pages)
            assert any("%" in url for url in web.truth.targets)


def test_families_share_no_style_and_no_word() -> None:
    def shapes(family: str) -> set[str]:
        filled = FILLED | dict.fromkeys(NAMES, "ab")
        return {shape_of("http://host.example" + each[family].format(**filled)) for each in TARGETS.values()}

    def words(family: str) -> set[str]:
        return {each for values in WORDS[family].values() for each in values} | {
            *ITEMS[family],
            *IDS[family],
            *KEYS[family],
        }

    assert not shapes("A") & shapes("B")
    assert not words("A") & words("B")
    assert all(each["A"] != each["B"] for each in HUBS.values())
