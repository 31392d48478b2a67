"""The words of the simulated web: for each template family and language one file of phrases, names and topics.

The files are data (TOML). They hold what sites say, never how they say it in HTML. No phrase stands in both
families, so that nothing learned from the words of one helps with the other by accident.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

LANGUAGES = ("en", "de", "fr", "es", "it", "pl", "ru", "ja")
FOLDER = Path(__file__).parent

Phrases = MappingProxyType[str, tuple[str, ...]]  # what is said, and the ways to say it


@dataclass(frozen=True, slots=True, eq=False)
class TopicWords:
    """How one language speaks of a topic."""

    noun: str
    nouns: tuple[str, ...]
    words: tuple[str, ...]
    sentences: tuple[str, ...]
    heads: tuple[str, ...]  # first and second halves of the names that records have
    tails: tuple[str, ...]
    labels: Phrases  # attribute -> what forms call it
    values: Phrases  # attribute -> what it can be
    children: MappingProxyType[str, Phrases]  # attribute -> value of the one it depends on -> what it can be


@dataclass(frozen=True, slots=True, eq=False)
class Wording:
    """Everything one language says, in one family."""

    language: str
    encodings: tuple[str, ...]
    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    cities: tuple[str, ...]
    months: tuple[str, ...]
    sentences: tuple[str, ...]
    page_titles: tuple[str, ...]
    says: Phrases
    fields: Phrases  # labels of the fields that decoys have
    choices: Phrases
    titles: Phrases  # headings of decoys, by what they are for
    buttons: Phrases
    topics: MappingProxyType[str, TopicWords]


@cache
def read_wording(family: str, language: str) -> Wording:
    """Read the words of a language in a family."""
    return build_wording(tomllib.loads((FOLDER / family.lower() / f"{language}.toml").read_text(encoding="utf-8")))


def build_wording(read: dict[str, Any]) -> Wording:
    """Make the words from what a file holds."""
    return Wording(
        language=read["language"],
        encodings=tuple(read["encodings"]),
        first_names=tuple(read["first_names"]),
        last_names=tuple(read["last_names"]),
        cities=tuple(read["cities"]),
        months=tuple(read["months"]),
        sentences=tuple(read["sentences"]),
        page_titles=tuple(read["page_titles"]),
        says=_phrases(read["says"]),
        fields=_phrases(read["fields"]),
        choices=_phrases(read["choices"]),
        titles=_phrases(read["titles"]),
        buttons=_phrases(read["buttons"]),
        topics=MappingProxyType({name: build_topic(each) for name, each in read["topics"].items()}),
    )


def build_topic(read: dict[str, Any]) -> TopicWords:
    """Make the words of a topic from what a file holds."""
    return TopicWords(
        noun=read["noun"],
        nouns=tuple(read["nouns"]),
        words=tuple(read["words"]),
        sentences=tuple(read["sentences"]),
        heads=tuple(read.get("heads", ())),
        tails=tuple(read.get("tails", ())),
        labels=_phrases(read["labels"]),
        values=_phrases(read.get("values", {})),
        children=MappingProxyType({name: _phrases(rows) for name, rows in read.get("children", {}).items()}),
    )


def _phrases(read: dict[str, list[str]]) -> Phrases:
    return MappingProxyType({name: tuple(values) for name, values in read.items()})
