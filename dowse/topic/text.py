"""Texts as stems with their counts: what topics are learned from and looked up in.

A word is letters in a row, in lower case, without stop words and single letters, cut back to its stem: Cyrillic by the rules of Russian, all else
by those of English, since the language of a text is often declared wrong and any rule serves that treats a word alike everywhere. Scripts that
leave no spaces give pairs of letters. Each distinct word is stemmed once and remembered, and so are the stems of the last texts, for all topics.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import snowballstemmer

from dowse.model import Form
from dowse.words.lookup import all_parts_of

STOP_WORDS = Path(__file__).parent / "stopwords.txt"
MAX_CHARACTERS = 60_000  # of a text that are read
MAX_LETTERS = 24  # of a word
MAX_REMEMBERED_WORDS = 200_000  # whose stems are remembered
MAX_REMEMBERED_TEXTS = 8  # whose stems are remembered: a page, its forms, and the page before
TITLE_TIMES = 3  # that a title counts: it says in a few words what the page is about
FORM_OPTIONS = 60  # choices of one control that are read, as TEL-8 keeps them
FORM_CHARACTERS = 8_000  # of the words of a form

_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")


@dataclass(frozen=True, slots=True)
class Stems:
    """The stems of a text, each with how strongly it is there: the logarithm of its count, over the length of all of them."""

    strengths: dict[str, float]
    words: int  # that were counted

    def __bool__(self) -> bool:
        return bool(self.strengths)


@cache
def read_stop_words() -> frozenset[str]:
    """Return the words that are about nothing."""
    lines = STOP_WORDS.read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def _stemmer(language: str) -> snowballstemmer.EnglishStemmer:
    return snowballstemmer.stemmer(language)


@lru_cache(maxsize=MAX_REMEMBERED_WORDS)
def stems_of(token: str) -> tuple[str, ...]:
    """Return the stems of what stands between two spaces, in lower case; none for stop words."""
    return tuple(stem for word in _WORD.findall(token) for stem in _stems_of_word(word))


def _stems_of_word(word: str) -> tuple[str, ...]:
    if _UNSPACED.search(word):
        return tuple(word[place : place + 2] for place in range(max(1, len(word) - 1)))
    if not 1 < len(word) <= MAX_LETTERS or word in read_stop_words():
        return ()
    return (_stemmer("russian" if _CYRILLIC.search(word) else "english").stemWord(word),)


def count_stems(text: str) -> dict[str, int]:
    """Return how often each stem stands in a text."""
    counts: dict[str, int] = {}
    for token, count in Counter(text[:MAX_CHARACTERS].lower().split()).items():
        for stem in stems_of(token):
            counts[stem] = counts.get(stem, 0) + count
    return counts


@lru_cache(maxsize=MAX_REMEMBERED_TEXTS)
def read_stems(title: str, text: str) -> Stems:
    """Return the stems of a page by its title and its words."""
    counts = count_stems(text)
    for stem, count in count_stems(title).items():
        counts[stem] = counts.get(stem, 0) + TITLE_TIMES * count
    strengths = {stem: _strength(count) for stem, count in counts.items()}
    length = math.sqrt(sum([strength * strength for strength in strengths.values()])) or 1.0
    return Stems({stem: strength / length for stem, strength in strengths.items()}, sum(counts.values()))


@lru_cache(maxsize=MAX_REMEMBERED_TEXTS)
def read_form_stems(text: str) -> Stems:
    """Return the stems of a form, each as strong as the others: how often a word stands in its lists says nothing."""
    counts = count_stems(text)
    return Stems(spread_evenly(counts), sum(counts.values()))


def spread_evenly(stems: Iterable[str]) -> dict[str, float]:
    """Return stems that are equally strong."""
    distinct = list(dict.fromkeys(stems))
    return dict.fromkeys(distinct, 1 / math.sqrt(len(distinct) or 1))


@lru_cache(maxsize=4096)
def _strength(count: int) -> float:
    return 1.0 + math.log(count)


def form_text(form: Form) -> str:
    """Return the words of a form: its heading, labels, the names of its fields and what can be chosen."""
    parts = [form.heading, *all_parts_of(f"{form.name} {form.id}")]
    for field in form.fields:
        if field.type == "hidden" or field.unseen:
            continue
        parts += [field.group, field.label, field.near, field.placeholder, field.title, field.aria]
        parts += all_parts_of(field.name)
        parts += [option.label or option.value for option in field.options[:FORM_OPTIONS]]
        if field.type in ("submit", "button"):
            parts.append(field.value)
    return " ".join([part for part in [*parts, form.text] if part])[:FORM_CHARACTERS]
