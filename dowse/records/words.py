"""Words to ask for: one that nobody has written, and some that records or pages surely have."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from dowse.records.compare import Item, Items, find_pairs

SYLLABLES = 5
SHORTEST, LONGEST = 3, 20  # letters of a word to ask for
REPEATED = 0.8  # share of the records from which equal words are a label
LOOKED_AT = 60  # records
LONGEST_VALUE = 80  # characters
_WORD = re.compile(
    r"[\u30a1-\u30ff]{2,}|[\u3400-\u9fff]{2,}|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+"
)  # a change of script parts words
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_CONSONANTS, _VOWELS = "bdfgjklmnprstvwxz", "aeiou"

# The word that most texts of a language have, and search machines mostly know; the plainest first.
STOP_WORDS = {
    "en": ("the", "of", "and", "in"), "de": ("der", "die", "und", "das"), "fr": ("de", "la", "le", "les"), "es": ("de", "la", "el", "en"),
    "it": ("di", "la", "il", "e"), "pt": ("de", "a", "o", "da"), "nl": ("de", "van", "het", "een"), "pl": ("i", "w", "na", "z"),
    "ru": ("и", "в", "на", "с"), "ja": ("の", "日本"), "zh": ("的", "中国"), "sv": ("och", "i"), "cs": ("a", "v"), "da": ("og", "i"), "fi": ("ja",),
    "uk": ("і", "в"), "tr": ("ve",), "hu": ("a", "az"), "ro": ("de", "in"), "ko": ("한국",), "ca": ("de", "la"), "no": ("og", "i"),
}  # fmt: skip


def make_nonsense(seed: str) -> str:
    """Return a word that can be spoken and that nobody has written; the same for the same seed."""
    digest = hashlib.blake2b(seed.encode("utf-8", "replace"), digest_size=2 * SYLLABLES).digest()
    pairs = zip(digest[::2], digest[1::2], strict=True)
    return "".join(_CONSONANTS[one % len(_CONSONANTS)] + _VOWELS[two % len(_VOWELS)] for one, two in pairs)


def find_words(text: str) -> Iterator[str]:
    """Yield the words of a text that are worth asking for."""
    for word in _WORD.findall(text[:2_000]):
        if SHORTEST <= len(word) <= LONGEST or (len(word) >= 2 and not word.isascii()):
            yield word


def pieces_of(item: Item) -> list[str]:
    """Return the texts of a record; of one that names several values, each name and each value."""
    return [piece for block in item for piece in (_named(block.text) or [block.text])]


def _named(text: str) -> list[str]:
    return [piece for name, value in find_pairs(text) for piece in (f"{name}:", value)]


def find_labels(items: Items) -> frozenset[str]:
    """Return the texts that most records repeat: names of their attributes, words on buttons."""
    counts = Counter(text for item in items.items for text in set(pieces_of(item)))
    return frozenset(text for text, count in counts.items() if items.size >= 3 and count >= REPEATED * items.size)


def values_of(items: Items) -> list[list[str]]:
    """Return the records without what most of them repeat."""
    labels = find_labels(items)
    return [[text for text in pieces_of(item) if text not in labels] for item in items.items[:LOOKED_AT]]


def values_under(items: Items, label: str) -> list[str]:
    """Return the values that stand behind a label like this one in each record."""
    wanted = {word.lower() for word in find_words(label)}
    best = max(find_labels(items), key=lambda text: len(wanted & {w.lower() for w in find_words(text)}), default="")
    if not wanted & {word.lower() for word in find_words(best)}:
        return []
    found = []
    for item in items.items[:LOOKED_AT]:
        texts = pieces_of(item)
        if best in texts[:-1]:
            found.append(texts[texts.index(best) + 1])
    return found


def find_part(values: Iterable[str], without: Iterable[str] = ()) -> tuple[str, str]:
    """Return a word that is part of most values, and the longest value that it is part of; nothing where all are single words."""
    left_out = {word.lower() for word in without}
    counts: Counter[str] = Counter()
    first: dict[str, tuple[str, str]] = {}
    for value in values:
        for word in dict.fromkeys(_parts(value)):
            if word.lower() not in left_out:
                counts[word.lower()] += 1
                first.setdefault(word.lower(), (word, value))
    best = max(counts, key=lambda word: (counts[word], len(word)), default="")
    return first.get(best, ("", ""))


def _parts(value: str) -> Iterator[str]:
    """Yield the words of a value that has several; of one in a script without blanks, its first half."""
    if len(value.split()) > 1:
        yield from find_words(value)
    elif _UNSPACED.match(value) and len(value) >= 4:
        yield value[: len(value) // 2]


def find_titles(items: Items) -> list[str]:
    """Return the first words of each record that are its own."""
    return [texts[0] for texts in values_of(items) if texts]


def find_all_values(items: Items) -> list[str]:
    """Return all that the records say, without labels; a long text is no value."""
    return [text for texts in values_of(items) for text in texts if len(text) <= LONGEST_VALUE]


def find_common(texts: Iterable[str], without: Iterable[str] = ()) -> list[str]:
    """Return the words that most of these texts have, most frequent first; longer ones before shorter."""
    left_out = {word.lower() for word in without}
    counts: Counter[str] = Counter()
    written: dict[str, str] = {}
    for text in texts:
        for word in {word.lower(): word for word in find_words(text)}.values():
            counts[word.lower()] += 1
            written.setdefault(word.lower(), word)
    ranked = sorted(counts, key=lambda word: (-counts[word], -len(word), word))
    return [written[word] for word in ranked if word not in left_out]


def count_attributes(items: Items) -> int:
    """Return how many values of their own most records have."""
    sizes = sorted(len(texts) for texts in values_of(items))
    return sizes[int((1 - REPEATED) * len(sizes))] if sizes else 0
