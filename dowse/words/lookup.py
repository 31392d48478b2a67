"""Words of natural languages: what a word is about, and the phrases that say something, looked up in tables.

The tables are `tables/*.toml`, a language each, read when the first word is looked up. `[stems]` lists for each concept
the beginnings of words that are about it (`=word` must be the whole word, `*stem` may stand anywhere in a word: compounds,
and scripts that leave no spaces); `generic` lists words that are about nothing in particular; `[phrases]` lists words,
phrases or small regular expressions by what they say, with ` | ` between them. All are in lower case.

`tables/answers/*.toml` are the words of answers (counts, paging, trouble) in the same form, read with the first answer.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

TABLES = Path(__file__).parent / "tables"
ANSWER_TABLES = TABLES / "answers"
# What words in and around forms and links are about. Models have learned facts by these names: `button~search`.
CONCEPTS = (
    "search", "browse", "go", "site", "page", "this", "catalogue", "query", "word", "field", "login", "password", "register", "recover",
    "subscribe", "unsubscribe", "mail", "contact", "write", "order", "card", "agree", "configure", "vote", "destroy", "set", "chooser",
    "booking", "person", "attribute", "range", "sort", "advanced", "upload", "news", "shop", "captcha",
)  # fmt: skip
MAX_TEXT = 800  # characters of one text that are read
MAX_WORDS = 60  # words of one text that are read
MAX_REMEMBERED_WORDS = 50_000  # words whose concepts are remembered
MAX_ENDING_LETTERS = 20  # of a word in an answer that may go on: so one endless word is read once

_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARTED = re.compile(r"\b(log|sign|check|look)[ _-](in|on|up|out)\b")
_FROM_A_TO_Z = re.compile(r"\ba ?(?:to|bis|à|a|do|до|[-–])? ?[zя]\b")


class _Tables(NamedTuple):
    """The words of all languages, sorted for looking up."""

    whole: dict[str, list[str]]  # concepts by word
    beginnings: dict[str, list[str]]  # concepts by the beginning of a word
    parts: list[tuple[str, str]]  # a part of a word and its concept
    latin_parts: list[tuple[str, str]]
    longest_beginning: int
    generic: frozenset[str]
    phrases: dict[str, list[str]]  # by what they say


@cache
def _read_tables() -> _Tables:
    whole: dict[str, list[str]] = {}
    beginnings: dict[str, list[str]] = {}
    parts: list[tuple[str, str]] = []
    generic: set[str] = set()
    phrases: dict[str, list[str]] = {}
    for path in sorted(TABLES.glob("*.toml")):
        table = tomllib.loads(path.read_text("utf-8"))
        generic.update(table.get("generic", "").split())
        for idea, listed in table.get("phrases", {}).items():
            phrases.setdefault(idea, []).extend(" ".join(listed.split()).split(" | "))
        for concept, stems in table.get("stems", {}).items():
            for stem in stems.split():
                if stem[0] == "=":
                    whole.setdefault(stem[1:], []).append(concept)
                elif stem[0] == "*":
                    parts.append((stem[1:], concept))
                else:
                    beginnings.setdefault(stem, []).append(concept)
    latin = [(part, concept) for part, concept in parts if part.isascii()]
    return _Tables(whole, beginnings, parts, latin, max(map(len, beginnings)), frozenset(generic), phrases)


# -- words and what they are about


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; what is one word for a person (log in, A to Z) is one."""
    lower = text[:MAX_TEXT].lower()
    if (
        "log" in lower or "sign" in lower or "check" in lower or "look" in lower
    ):  # most texts have none, and a look is cheap
        lower = _PARTED.sub(r"\1\2", lower)
    if " z" in lower or "-z" in lower or " я" in lower or "–z" in lower:
        lower = _FROM_A_TO_Z.sub("atoz", lower)
    return _WORD.findall(lower)[:MAX_WORDS]


def parts_of(name: str) -> list[str]:
    """Return the words that a program's names are made of: parts of camelCase and snake_case count alone."""
    return all_parts_of(name[:MAX_TEXT])[:MAX_WORDS]


def all_parts_of(names: str) -> list[str]:
    """Return the words that many names are made of; who calls bounds them."""
    lower = names.lower()
    if lower != names:
        lower = _CAMEL.sub(" ", names).lower()
    if "log" in lower or "sign" in lower or "check" in lower or "look" in lower:
        lower = _PARTED.sub(r"\1\2", lower)
    return _WORD.findall(lower)


@lru_cache(maxsize=MAX_REMEMBERED_WORDS)
def concepts_of(word: str) -> tuple[str, ...]:
    """Return what a word is about, in the order of the alphabet."""
    tables = _read_tables()
    found = set(tables.whole.get(word, ()))
    for length in range(2, min(len(word), tables.longest_beginning) + 1):
        found.update(tables.beginnings.get(word[:length], ()))
    found.update(concept for part, concept in (tables.latin_parts if word.isascii() else tables.parts) if part in word)
    return tuple(sorted(found))


@lru_cache(maxsize=MAX_REMEMBERED_WORDS)
def is_subject(word: str) -> bool:
    """Return True if a word is about none of what forms are about: then it names what is searched."""
    return word not in _read_tables().generic and not concepts_of(word)


# -- phrases by what they say


@cache
def phrases(idea: str) -> tuple[str, ...]:
    """Return what says this in all languages, the longest first: phrases("sort"), phrases("next page")."""
    return tuple(sorted(dict.fromkeys(_read_tables().phrases[idea]), key=len, reverse=True))


@cache
def expression(idea: str, template: str) -> re.Pattern[str]:
    """Return an expression that has all that says this where the template has `...`."""
    return re.compile(template.replace("...", "|".join(phrases(idea))))


@cache
def whole_words(idea: str) -> re.Pattern[str]:
    """Return an expression that finds what says this as whole words, in a text of lower case."""
    return expression(idea, r"(?<!\w)(?:...)(?!\w)")


@cache
def word_starts(idea: str) -> re.Pattern[str]:
    """Return an expression that finds what says this at the start of a word, in a text of lower case."""
    return expression(idea, r"(?<!\w)(?:...)")


@cache
def whole_text(idea: str) -> re.Pattern[str]:
    """Return an expression that matches a text of lower case that says this and nothing else."""
    return expression(idea, r"(?:...)\Z")


@cache
def anywhere(idea: str) -> re.Pattern[str]:
    """Return an expression that finds what says this wherever it stands, in a text of lower case."""
    return expression(idea, "...")


# -- words of answers: by what they say, and by language


@cache
def _read_answer_tables() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the phrases of answers by idea and by language."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for path in sorted(ANSWER_TABLES.glob("*.toml")):
        for idea, listed in tomllib.loads(path.read_text("utf-8"))["phrases"].items():
            found.setdefault(idea, {})[path.stem] = tuple(" ".join(listed.split()).split(" | "))
    return found


def by_language(idea: str) -> dict[str, tuple[str, ...]]:
    """Return what says this in answers, for each language in the order of its table: by_language("common word")."""
    return _read_answer_tables()[idea]


@cache
def either(idea: str) -> str:
    """Return the source of an expression for all that says this in answers, in any language."""
    source = "|".join(phrase for listed in by_language(idea).values() for phrase in listed)
    return source.replace(r"\w+", rf"\w{{1,{MAX_ENDING_LETTERS}}}").replace(r"\w*", rf"\w{{0,{MAX_ENDING_LETTERS}}}")
