"""From text to words, and from a word to what it is about: the lexicon, looked up once for each word."""

from __future__ import annotations

import re

from dowse.form.lexicon import CONCEPTS, GENERIC

MAX_TEXT = 800  # characters of one text that are read
MAX_WORDS = 60
MAX_KNOWN = 50_000  # words whose meaning is remembered

_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARTED = re.compile(r"\b(log|sign|check|look)[ _-](in|on|up|out)\b")
_FROM_A_TO_Z = re.compile(r"\ba ?(?:to|bis|à|a|do|до|[-–])? ?[zя]\b")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; what is one word for a person (log in, A to Z) is one."""
    lower = _join(text[:MAX_TEXT].lower())
    if " z" in lower or "-z" in lower or " я" in lower or "–z" in lower:
        lower = _FROM_A_TO_Z.sub("atoz", lower)
    return _WORD.findall(lower)[:MAX_WORDS]


def parts_of(name: str) -> list[str]:
    """Return the words that a program's names are made of: parts of camelCase and snake_case count alone."""
    name = name[:MAX_TEXT]
    lower = name.lower()
    if lower != name:
        lower = _CAMEL.sub(" ", name).lower()
    return _WORD.findall(_join(lower))[:MAX_WORDS]


def _join(lower: str) -> str:
    """Make one word of two that belong together; most texts have no such pair, and a look is cheap."""
    if "log" in lower or "sign" in lower or "check" in lower or "look" in lower:
        return _PARTED.sub(r"\1\2", lower)
    return lower


def _read_stems() -> tuple[dict[str, list[str]], dict[str, list[str]], list[tuple[str, str]]]:
    """Sort the lexicon into whole words, beginnings and parts of words."""
    whole: dict[str, list[str]] = {}
    begin: dict[str, list[str]] = {}
    inside: list[tuple[str, str]] = []
    for concept, stems in CONCEPTS.items():
        for stem in stems.split():
            if stem.startswith("="):
                whole.setdefault(stem[1:], []).append(concept)
            elif stem.startswith("*"):
                inside.append((stem[1:], concept))
            else:
                begin.setdefault(stem, []).append(concept)
    return whole, begin, inside


_WHOLE, _BEGIN, _INSIDE = _read_stems()
_INSIDE_LATIN = [(part, concept) for part, concept in _INSIDE if part.isascii()]
_LONGEST = max(map(len, _BEGIN))
_GENERIC = frozenset(GENERIC.split())
_KNOWN: dict[str, tuple[str, ...]] = {}


def concepts_of(word: str) -> tuple[str, ...]:
    """Return what a word is about."""
    known = _KNOWN.get(word)
    if known is None:
        known = tuple(sorted(_look_up(word)))
        if len(_KNOWN) < MAX_KNOWN:
            _KNOWN[word] = known
    return known


def _look_up(word: str) -> set[str]:
    found = set(_WHOLE.get(word, ()))
    for length in range(2, min(len(word), _LONGEST) + 1):
        found.update(_BEGIN.get(word[:length], ()))
    found.update(concept for part, concept in (_INSIDE_LATIN if word.isascii() else _INSIDE) if part in word)
    return found


def is_subject(word: str) -> bool:
    """Say whether a word is about none of what forms are about: then it names what is searched."""
    return word not in _GENERIC and not concepts_of(word)
