"""Texts as stems with their counts, hosts as parts of their names: what topics are learned from and looked up in.

A word is letters in a row, in lower case, without stop words and single letters, cut back to its stem: Cyrillic by the rules of Russian, all else
by those of English, since the language of a text is often declared wrong and any rule serves that treats a word alike everywhere. Scripts that
leave no spaces give pairs of letters. Each distinct word is stemmed once and remembered, and so are the stems of the last texts, for all topics.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import snowballstemmer

from dowse.model import Form, Page
from dowse.words.lookup import all_parts_of

STOP_WORDS = Path(__file__).parent / "stopwords.txt"
MAX_CHARACTERS = 20_000  # of a text that are read: as many as topics are trained on
MAX_LETTERS = 24  # of a word
MAX_REMEMBERED_WORDS = 200_000  # whose stems are remembered
MAX_REMEMBERED_TEXTS = 8  # whose stems are remembered: a page, its forms, and the page before
TITLE_TIMES = 3  # that a title counts: it says in a few words what the page is about
HEAD_WORDS = 40  # the first of a page, which stand for its title and description where it has none: those of 1,842 pages have 41, the median
HEAD_TITLE_TIMES = 2  # that a title counts beside headings and description
GRAM_LENGTHS = range(3, 8)  # letters in a row of a host's name that are looked at
TERM_LETTERS = 6  # the first of a stem, by which terms of a language are told: endings differ
FORM_OPTIONS = 60  # choices of one control that are read, as TEL-8 keeps them
FORM_CHARACTERS = 8_000  # of the words of a form

_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_HOST_WORD = re.compile(r"[^\W\d_]+")
_SECOND_LEVEL = frozenset("co com org net gov ac edu go gob gouv or ne".split())  # `co` in `co.uk`
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LETTERS = bytes(  # bytes of UTF-8 to themselves, signs and digits of ASCII to spaces
    byte if byte >= 128 or chr(byte).isalpha() else ord(" ") for byte in range(256)
)


@dataclass(frozen=True, slots=True)
class Stems:
    """The stems of a text, each with how strongly it is there: the logarithm of its count, over the length of all of them."""

    strengths: dict[str, float]
    words: int  # that were counted
    by_term: dict[str, float] = dataclasses.field(
        default_factory=dict
    )  # the same by what terms are looked up by, for texts of pages

    def __bool__(self) -> bool:
        return bool(self.strengths)


@cache
def read_stop_words() -> frozenset[str]:
    """Return the words that are about nothing."""
    lines = STOP_WORDS.read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def _stemmer(language: str) -> snowballstemmer.EnglishStemmer:
    """Return the stemmer of a language: PyStemmer's where it is installed (a fiftieth of the time, the same stems), else one in Python."""
    found = snowballstemmer.stemmer(language)
    if hasattr(found, "maxCacheSize"):
        found.maxCacheSize = (
            0  # stems are remembered here; PyStemmer takes three times as long to remember them as to find them
        )
    return found


class _StemMemory(dict[str, tuple[str, ...]]):
    """Stems of what stands between two spaces, in lower case and without signs of ASCII; none for stop words. Looking up is the most frequent step of all."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        if len(self) >= MAX_REMEMBERED_WORDS:
            self.clear()
        if token.isascii():
            told = 1 < len(token) <= MAX_LETTERS and token not in read_stop_words()
            stems: tuple[str, ...] = (_stemmer("english").stemWord(token),) if told else ()
        else:
            stems = tuple([stem for word in _WORD.findall(token) for stem in _stems_of_word(word)])
        self[token] = stems
        return stems


_STEMS = _StemMemory()


def _stems_of_word(word: str) -> tuple[str, ...]:
    if _UNSPACED.search(word):
        return tuple(word[place : place + 2] for place in range(max(1, len(word) - 1)))
    if not 1 < len(word) <= MAX_LETTERS or word in read_stop_words():
        return ()
    return (_stemmer("russian" if _CYRILLIC.search(word) else "english").stemWord(word),)


def count_stems(text: str) -> dict[str, int]:
    """Return how often each stem stands in a text."""
    counts: dict[str, int] = {}
    known = counts.get
    for token, count in Counter(_split_words(text[:MAX_CHARACTERS])).items():
        for stem in _STEMS[token]:
            counts[stem] = known(stem, 0) + count
    return counts


def _split_words(text: str) -> list[str]:
    """Return what stands between spaces and signs of ASCII, in lower case: as bytes, since a regular expression takes four times as long."""
    plain = text.lower().encode("utf-8", "surrogatepass").translate(_LETTERS)
    return plain.decode("utf-8", "surrogatepass").split()


@lru_cache(maxsize=MAX_REMEMBERED_TEXTS)
def read_stems(title: str, text: str, headings: str = "", description: str = "") -> Stems:
    """Return the stems of a page by its title and its words, and what else it says of itself."""
    return _weigh_counts(count_stems(text), title, TITLE_TIMES, headings, description)


@lru_cache(maxsize=MAX_REMEMBERED_TEXTS)
def read_head_stems(title: str, text: str, headings: str = "", description: str = "") -> Stems:
    """Return the stems of what a page is headed by: its title (else its first words), headings, and description."""
    title = title or " ".join(text[:400].split()[:HEAD_WORDS])
    return _weigh_counts({}, title, HEAD_TITLE_TIMES, headings, description)


def _weigh_counts(counts: dict[str, int], title: str, title_times: int, headings: str, description: str) -> Stems:
    """Add to counts those of a title, which count more, and of what else heads a page, and return how strong each stem is."""
    for part, times in ((title, title_times), (headings, 1), (description, 1)):
        for stem, count in _count_short(part).items() if part else ():
            counts[stem] = counts.get(stem, 0) + times * count
    often = Counter(counts.values())
    length = math.sqrt(sum([times * _strength(count) ** 2 for count, times in often.items()]))
    by_count = {count: _strength(count) / length for count in often}
    strengths = {stem: by_count[count] for stem, count in counts.items()}
    by_term = dict(strengths)
    for stem in [stem for stem in strengths if len(stem) > TERM_LETTERS]:
        key = stem[:TERM_LETTERS]
        by_term[key] = by_term.get(key, 0.0) + by_term.pop(stem)
    return Stems(strengths, sum(counts.values()), by_term)


@lru_cache(maxsize=MAX_REMEMBERED_TEXTS)
def _count_short(text: str) -> dict[str, int]:
    """Return how often each stem stands in a part of a page that both its body and its head are weighed with."""
    return count_stems(text)


@lru_cache(maxsize=4096)
def read_host_grams(host: str) -> Stems:
    """Return the letters in a row of a host's name, `^` and `$` where a part of it begins and ends, and its endings (`.gov`)."""
    names = host.lower().removeprefix("www.").split(".")
    if len(names) < 2 or not names[-1].isalpha():  # `localhost`, a number: nobody's name
        return Stems({}, 0)
    grams = {f".{names.pop()}"}
    if len(names) > 1 and names[-1] in _SECOND_LEVEL:
        grams.add(f".{names.pop()}")
    for name in names:
        for word in _HOST_WORD.findall(name):
            marked = f"^{word}$"
            grams.update(marked[at : at + length] for length in GRAM_LENGTHS for at in range(len(marked) - length + 1))
    return Stems(spread_evenly(sorted(grams)), len(grams))


def term_key(stem: str) -> str:
    """Return what a stem is looked up by among the terms of a language: its first letters, which pairs of letters are whole."""
    return stem[:TERM_LETTERS]


@dataclass(frozen=True, slots=True)
class PageStems:
    """All that a page says of what it is about."""

    body: Stems
    head: Stems
    host: Stems
    language: str = ""
    types: tuple[str, ...] = ()  # that it declares


def read_page_stems(page: Page) -> PageStems:
    """Return what a page says of what it is about; the host is that of its main address where its own is nobody's name."""
    fields = page.title, page.text, page.headings, page.description
    host = read_host_grams(host_of(page.url)) or read_host_grams(host_of(page.canonical))
    return PageStems(read_stems(*fields), read_head_stems(*fields), host, page.language, page.types)


def host_of(url: str) -> str:
    """Return the host of an address, nothing where it has none."""
    return re.split(r"[/?#]", url.partition("://")[2], maxsplit=1)[0].rpartition("@")[2].partition(":")[0]


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
