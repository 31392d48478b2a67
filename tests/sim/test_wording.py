"""The files of words are complete, clean and writable, and the two families of a language share nothing.

One language alone: `pytest tests/sim/test_wording.py -k "de]"`.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import pytest

from dowse.sim.wording import FOLDER, LANGUAGES, read_wording

FAMILIES = ("a", "b")
DECOYS = (
    "site_search login registration newsletter contact comment poll cart configurator currency language recovery "
    "guestbook booking donation feedback checkout"
)
FIELDS = (
    "user password password2 remember email name firstname lastname phone company address city zip country subject "
    "message comment website rating quantity size colour gift currency language agree captcha format amount date time "
    "persons card coupon search_site title birthday"
)
PROSE = "noun 1 nouns 8 words 24 sentences 8"
NAMED = f"{PROSE} heads 14 tails 14"


def three_each(keys: str) -> str:
    """Ask for three phrases under each key."""
    return " ".join(f"{key} 3" for key in keys.split())


# How many phrases each key has: at least the number, or between two. In tables of children, the number is for `each`.
REQUIRED = {
    "": "language 1 encodings 3-4 first_names 24 last_names 40 cities 16 months 12-12 sentences 24 page_titles 24",
    "says": (
        "home 4 about 3 contact 3 news 3 links 4 sitemap 3 shop 3 help 3 more 4 also 4 here 3 menu 3 updated 3 rights 3 "
        "friends 3 tags 2 print 2 top 2 skip 2 search_pages 10 advanced 5 search_buttons 8 reset_buttons 3 "
        "keyword_labels 6 any 5 from 3 to 3 day 2 month 2 year 2 all_words 2 any_word 2 exact_phrase 2 starts_with 2 "
        "contains 2 is_exactly 2 sort_by 3 per_page 2 next 5 previous 4 load_more 2 counts 5 rough_counts 2 limited 2 "
        "empty 5 blank 3 details 3 advert 4 advert_label 2 liked 3 back_to_results 2 not_found 4 thanks 4 expired 2 "
        "wait 2 closed 1"
    ),
    "titles": three_each(DECOYS),
    "buttons": three_each(DECOYS),
    "fields": three_each(FIELDS),
    "choices": (
        "country 12 language 5 subject 5 rating 5 size 5 colour 6 format 2 title 3 newsletter 2 poll_question 4 "
        "poll_answer 6 gift 3"
    ),
    "topics.books": NAMED,
    "topics.books.labels": three_each("title author publisher subject language year price format"),
    "topics.books.values": "publisher 10 subject 10 language 6 format 4",
    "topics.cars": PROSE,
    "topics.cars.labels": three_each("make model year price mileage fuel colour body"),
    "topics.cars.values": "make 10 fuel 5 colour 8 body 6",
    "topics.cars.children.model": "each 4-7",
    "topics.jobs": NAMED,
    "topics.jobs.labels": three_each("position company city category contract salary posted"),
    "topics.jobs.values": "company 12 category 9 contract 5",
    "topics.homes": PROSE,
    "topics.homes.labels": three_each("city district type bedrooms price surface features"),
    "topics.homes.values": "type 7 features 10",
    "topics.homes.children.district": "each 4",
    "topics.recipes": NAMED,
    "topics.recipes.labels": three_each("name cuisine course ingredient minutes"),
    "topics.recipes.values": "cuisine 9 course 6 ingredient 24",
    "topics.films": NAMED,
    "topics.films.labels": three_each("title director actor genre country year"),
    "topics.films.values": "genre 9 country 8",
    "topics.papers": NAMED,
    "topics.papers.labels": three_each("title author journal year keyword published"),
    "topics.papers.values": "journal 10 keyword 16",
    "topics.plants": NAMED,
    "topics.plants.labels": three_each("name family genus flower height soil"),
    "topics.plants.values": "family 7 flower 7 soil 5",
    "topics.plants.children.genus": "each 3-5",
}

PARENTS = {
    "topics.cars.children.model": ("topics.cars.values", "make"),
    "topics.homes.children.district": ("", "cities"),
    "topics.plants.children.genus": ("topics.plants.values", "family"),
}

ENCODINGS = {
    "en": ["utf-8", "iso-8859-1", "windows-1252"],
    "de": ["utf-8", "iso-8859-1", "windows-1252"],
    "fr": ["utf-8", "iso-8859-15", "windows-1252"],
    "es": ["utf-8", "iso-8859-1", "windows-1252"],
    "it": ["utf-8", "iso-8859-1", "iso-8859-15"],
    "pl": ["utf-8", "iso-8859-2", "windows-1250"],
    "ru": ["utf-8", "windows-1251", "koi8-r"],
    "ja": ["utf-8", "shift_jis", "euc-jp"],
}

# Which slots a phrase of a list may have, each way once; every other phrase has none.
SLOTS = {
    ("", "sentences"): ("", "n"),
    ("", "page_titles"): ("n", "w"),
    ("says", "search_pages"): ("n",),
    ("says", "counts"): ("total", "first last total"),
    ("says", "rough_counts"): ("total",),
    ("says", "limited"): ("limit",),
}

# How large a part of a list has a slot: low and high.
SHARES = {
    ("", "sentences", "n"): (1 / 3, 2 / 3),
    ("", "page_titles", "w"): (1 / 3, 2 / 3),
    ("says", "counts", "first"): (1 / 2, 1.0),
}

# What the two families of a language may not share: whole sections, and keys of the others.
OWN_SECTIONS = ("says", "titles", "buttons", "fields")
OWN_KEYS = ("sentences", "page_titles", "noun", "nouns")
SHARED = (("says", "from"), ("says", "to"), ("says", "day"), ("says", "month"), ("says", "year"))

FORBIDDEN = re.compile(r"[&<>\"\x00-\x1f\x7f]|^\s|\s$|\s\s|^$")
SLOT = re.compile(r"\{(\w+)\}")
COUNT = re.compile(r"(\w+) (\d+)(?:-(\d+))?")

every_file = pytest.mark.parametrize(
    ("family", "language"), [pytest.param(f, n, id=f"{f}-{n}") for f in FAMILIES for n in LANGUAGES]
)


class Bounds(NamedTuple):
    """How many phrases a list may have."""

    least: int
    most: int


class Phrase(NamedTuple):
    """One thing said, and where it stands."""

    section: str
    key: str
    text: str

    @property
    def slots(self) -> str:
        return " ".join(sorted(SLOT.findall(self.text)))


Sections = Mapping[str, Mapping[str, list[str]]]


@cache
def read_sections(family: str, language: str) -> Sections:
    """Read a file as it stands, so that a stray key is seen as well."""
    text = (FOLDER / family / f"{language}.toml").read_text(encoding="utf-8")
    return dict(_sections("", tomllib.loads(text)))


def _sections(name: str, table: dict[str, Any]) -> Iterator[tuple[str, dict[str, list[str]]]]:
    lists = {
        key: [each] if isinstance(each, str) else each for key, each in table.items() if isinstance(each, str | list)
    }
    if lists:
        yield name, lists
    for key, each in table.items():
        if isinstance(each, dict):
            yield from _sections(f"{name}.{key}".strip("."), each)


def find_phrases(sections: Sections) -> Iterator[Phrase]:
    """Find every phrase of a file."""
    for section, lists in sections.items():
        for key, texts in lists.items():
            yield from (Phrase(section, key, text) for text in texts)


def required(section: str) -> dict[str, Bounds]:
    """Read a row of the table."""
    return {key: Bounds(int(least), int(most or 10_000)) for key, least, most in COUNT.findall(REQUIRED[section])}


def folded(text: str) -> str:
    """Make phrases the same that differ in case or in the punctuation at their ends; the braces of slots stay."""
    kept = [place for place, char in enumerate(text) if char in "{}" or unicodedata.category(char)[0] not in "PSZ"]
    return text[kept[0] : kept[-1] + 1].casefold() if kept else text


def own_phrases(family: str, language: str) -> dict[str, list[str]]:
    """Find what only one family may say, with the places where it does."""
    found: dict[str, list[str]] = {}
    for phrase in find_phrases(read_sections(family, language)):
        if _is_own(phrase):
            found.setdefault(folded(phrase.text), []).append(f"{phrase.section}.{phrase.key}".strip("."))
    return found


def _is_own(phrase: Phrase) -> bool:
    if (phrase.section, phrase.key) in SHARED:
        return False
    return phrase.section in OWN_SECTIONS or phrase.section.endswith(".labels") or phrase.key in OWN_KEYS


@every_file
def test_the_reader_reads_it(family: str, language: str) -> None:
    wording = read_wording(family, language)
    assert wording.language == language
    assert list(wording.encodings) == ENCODINGS[language]
    assert set(wording.topics) == {name.split(".")[1] for name in REQUIRED if name.startswith("topics.")}


@every_file
def test_it_has_the_sections_and_keys_asked_for_and_no_others(family: str, language: str) -> None:
    sections = read_sections(family, language)
    assert sorted(sections) == sorted(REQUIRED)
    wrong = {
        section: sorted(set(sections[section]) ^ set(required(section)))
        for section in REQUIRED
        if section not in PARENTS and set(sections[section]) != set(required(section))
    }
    assert wrong == {}, "missing or unknown keys"


@every_file
def test_every_list_is_as_long_as_asked_for(family: str, language: str) -> None:
    wrong = []
    for section, lists in read_sections(family, language).items():
        bounds = required(section)
        for key, texts in lists.items():
            least, most = bounds["each" if section in PARENTS else key]
            if not least <= len(texts) <= most:
                wrong.append(f"{section}.{key} has {len(texts)}, not {least} to {most}")
    assert wrong == []


@every_file
def test_children_have_the_values_of_their_parents(family: str, language: str) -> None:
    sections = read_sections(family, language)
    for children, (section, key) in PARENTS.items():
        assert sorted(sections[children]) == sorted(sections[section][key]), children


@every_file
def test_slots_stand_where_they_may(family: str, language: str) -> None:
    wrong = []
    for phrase in find_phrases(read_sections(family, language)):
        is_stray = re.search(r"[{}]", SLOT.sub("", phrase.text)) is not None
        if is_stray or phrase.slots not in SLOTS.get((phrase.section, phrase.key), ("",)):
            wrong.append(phrase)
    assert wrong == []


@every_file
def test_slots_are_as_frequent_as_asked_for(family: str, language: str) -> None:
    sections = read_sections(family, language)
    for (section, key, slot), (low, high) in SHARES.items():
        texts = sections[section][key]
        share = sum(f"{{{slot}}}" in text for text in texts) / len(texts)
        assert low <= share <= high, f"{{{slot}}} in {section}.{key}"


@every_file
def test_no_phrase_has_a_forbidden_character(family: str, language: str) -> None:
    assert [each for each in find_phrases(read_sections(family, language)) if FORBIDDEN.search(each.text)] == []


@every_file
def test_no_list_says_a_thing_twice(family: str, language: str) -> None:
    times = Counter(each._replace(text=each.text.casefold()) for each in find_phrases(read_sections(family, language)))
    assert [each for each, count in times.items() if count > 1] == []


@every_file
def test_every_encoding_can_write_it(family: str, language: str) -> None:
    sections = read_sections(family, language)
    wrong = []
    for encoding in sections[""]["encodings"]:
        for phrase in find_phrases(sections):
            if phrase.text.encode(encoding, "ignore").decode(encoding) != phrase.text:
                wrong.append((encoding, phrase))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_families_share_no_phrase(language: str) -> None:
    first, second = (own_phrases(family, language) for family in FAMILIES)
    assert {text: (first[text], second[text]) for text in sorted(first.keys() & second.keys())} == {}


def test_the_requirements_cover_every_language() -> None:
    assert set(ENCODINGS) == set(LANGUAGES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Search", "search:", id="case and punctuation at the ends"),
        pytest.param("- Any -", "(any)", id="brackets"),
        pytest.param("All {n}", "all {n}.", id="slots stay"),
    ],
)
def test_phrases_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert folded(one) == folded(other)
    assert folded("»") != folded("»»")
