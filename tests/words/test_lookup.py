"""Words and what they are about, phrases and what they say."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

import dowse
from dowse.records import counts, paging
from dowse.words.lookup import (
    ANSWER_TABLES,
    CONCEPTS,
    TABLES,
    anywhere,
    by_language,
    concepts_of,
    either,
    expression,
    is_subject,
    parts_of,
    phrases,
    whole_text,
    whole_words,
    word_starts,
    words_of,
)

LANGUAGES = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in TABLES.glob("*.toml")}
ANSWER_LANGUAGES = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in ANSWER_TABLES.glob("*.toml")}
LOOKED_UP = frozenset({"phrases", "expression", "whole_words", "word_starts", "whole_text", "anywhere"})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Log in or sign up", ["login", "or", "signup"]),
        ("Plants from A to Z", ["plants", "from", "atoz"]),
        ("Pflanzen von A bis Z", ["pflanzen", "von", "atoz"]),
        ("1,234 books", ["books"]),
        ("", []),
    ],
)
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_names_are_taken_apart() -> None:
    assert parts_of("txtSearchFor_main") == ["txt", "search", "for", "main"]


@pytest.mark.parametrize(
    ("word", "concept"),
    [
        ("searching", "search"), ("suchen", "search"), ("rechercher", "search"), ("buscar", "search"), ("cerca", "search"), ("szukaj", "search"), ("поиск", "search"), ("検索する", "search"),
        ("website", "site"), ("сайту", "site"), ("サイト内検索", "site"), ("newsletter", "subscribe"), ("рассылку", "subscribe"), ("warenkorb", "order"), ("kennwort", "password"),
        ("katalog", "catalogue"), ("bases", "catalogue"), ("auteur", "attribute"), ("цена", "attribute"),
    ],
)  # fmt: skip
def test_what_words_are_about(word: str, concept: str) -> None:
    assert concept in concepts_of(word)


@pytest.mark.parametrize("word", ["the", "search", "suchen", "votre", "seite"])
def test_words_that_name_no_subject(word: str) -> None:
    assert not is_subject(word)


def test_a_word_about_nothing_in_the_tables_is_a_subject() -> None:
    assert is_subject("orchids")


def test_every_concept_has_stems_and_no_other_is_in_the_tables() -> None:
    listed = {concept for table in LANGUAGES.values() for concept in table.get("stems", {})}
    assert listed == set(CONCEPTS)
    assert set(LANGUAGES["en"]["stems"]) == set(CONCEPTS)


@pytest.mark.parametrize(
    "table", [*LANGUAGES.values(), *ANSWER_LANGUAGES.values()], ids=[*LANGUAGES, *(f"{each} answers" for each in ANSWER_LANGUAGES)]
)  # fmt: skip
def test_a_table_lists_each_word_once_and_in_lower_case(table: dict[str, Any]) -> None:
    assert set(table) <= {"generic", "stems", "phrases"}
    lists = {concept: stems.split() for concept, stems in table.get("stems", {}).items()}
    lists |= {
        idea: " ".join(listed.split()).split(" | ")
        for idea, listed in table.get("phrases", {}).items()
        if idea not in lists
    }
    for name, words in lists.items():
        assert not [word for word, count in Counter(words).items() if count > 1], name
        assert not [word for word in words if word != word.lower() and "\\" not in word], name
        assert all(words), name


def find_looked_up(functions: Collection[str] = LOOKED_UP) -> set[str]:
    """Return the ideas that the program looks up by a name that is written out."""
    found = set()
    for path in Path(dowse.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(idea)), *_]) if name in functions:
                    found.add(idea)
    return found


def test_every_idea_that_is_looked_up_has_phrases_and_every_phrase_an_idea() -> None:
    listed = {idea for table in LANGUAGES.values() for idea in table.get("phrases", {})}
    made = {f"{end} end{part}" for end in ("low", "high") for part in ("", " suffix", " anywhere")}
    made |= {f"list of {name}" for name in ("languages", "currencies", "colours", "sizes")} | {"day", "month", "year"}
    assert listed == find_looked_up() | made


def test_every_idea_of_answers_is_looked_up_and_listed() -> None:
    listed = {idea for table in ANSWER_LANGUAGES.values() for idea in table["phrases"]}
    looked_up = find_looked_up({"either", "by_language"})
    made = {*paging._KINDS.values(), *counts._IDEAS.values(), *counts._MESSAGE_IDEAS.values()}
    assert listed == looked_up | made | {"login address", "consent address"}


def test_words_of_answers_in_all_languages_and_in_one() -> None:
    assert re.fullmatch(either("result"), "ergebnisse")
    assert re.fullmatch(either("found"), "gefundenen")
    assert not re.fullmatch(either("found"), f"gefunden{'e' * 21}")
    assert by_language("common word")["fr"][0] == "de"
    with pytest.raises(KeyError):
        either("no such idea")


def test_phrases_come_from_all_languages_the_longest_first() -> None:
    found = phrases("sort")
    assert {"sort by", "sortieren nach", "trier par", "排序"} <= set(found)
    assert [len(phrase) for phrase in found] == sorted(map(len, found), reverse=True)
    with pytest.raises(KeyError):
        phrases("no such idea")


def test_phrases_are_found_as_words_as_a_whole_and_anywhere() -> None:
    assert whole_words("sort").search("please sort by name")
    assert not whole_words("sort").search("consorts")
    assert whole_text("seek").match("suchen")
    assert not whole_text("seek").match("suchen und finden")
    assert anywhere("captcha").search("recaptcha_field")
    assert word_starts("matching").search("das wort enthält")
    assert not word_starts("matching").search("unenthält")
    assert expression("article", r"\A(?:...) ").match("the year")


def test_the_help_reads_no_table() -> None:
    script = "import sys, dowse.cli; sys.exit('dowse.words.lookup' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


def test_every_phrase_is_an_expression() -> None:
    for table in (*LANGUAGES.values(), *ANSWER_LANGUAGES.values()):
        for idea, listed in table.get("phrases", {}).items():
            if idea not in ("low end", "high end") and not idea.startswith("list of "):  # words as they are
                for phrase in " ".join(listed.split()).split(" | "):
                    re.compile(phrase)
