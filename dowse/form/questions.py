"""What a door can be asked: a box for words, choices, extremes of numbers, and words that records may have."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from dowse.model import Condition, Door, Field
from dowse.words.lookup import anywhere, by_language, whole_text

MAX_CHOICES = 50  # choices of one control that are looked at
MAX_FIELDS = 20  # controls of one condition that are looked at

_TYPED = frozenset({"text", "search", "textarea"})
_LOW_NAME = re.compile(r"min|from|low|lo$|since|after|start|von$|ab$|desde|_?1$|de$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Box:
    """A control to type words into."""

    name: str
    label: str = ""
    general: bool = False  # words of any kind, not the value of one attribute


@dataclass(frozen=True, slots=True)
class ProbeQuery:
    """Values to put to a door to see whether it answers, and what a person would call them."""

    values: tuple[tuple[str, str], ...] = ()
    words: str = ""


def find_box(door: Door) -> Box | None:
    """Return the control that words are best typed into: one for words of any kind, else the first."""
    boxes = list(find_boxes(door))
    return next((box for box in boxes if box.general), boxes[0] if boxes else None)


def find_boxes(door: Door) -> Iterator[Box]:
    """Yield the controls that words can be typed into."""
    no_conditions = {name for control in door.controls for name in control.fields}
    asked = {name: condition for condition in door.conditions for name in condition.fields}
    for field in door.form.fields:
        condition = asked.get(field.name)
        if not field.name or field.type not in _TYPED or field.name in no_conditions:
            continue
        if condition and (condition.type in ("number", "date") or condition.operator == "range"):
            continue
        label = (condition.label if condition else "") or field.label or field.placeholder
        if anywhere("personal").search(f"{field.name} {label}".lower()):
            continue
        said = [text.lower() for text in (field.name, label, field.placeholder)]
        named, worded = whole_text("box for any words, by name"), anywhere("box for any words")
        is_general = any(named.match(text) or worded.search(text) for text in said)
        yield Box(field.name, label, field.type == "search" or is_general)


def find_choices(door: Door) -> list[ProbeQuery]:
    """Return choices to ask for, two of each control at most, of controls that are not preset.

    A control that is preset to a choice mostly says how to match or how to show, not what.
    """
    free = [condition for condition in door.conditions if not _is_preset(door, condition)]
    return [query for condition in free for query in _ask_condition(door, condition)]


def find_preset_choices(door: Door) -> list[ProbeQuery]:
    """Return choices to ask for of controls that are preset to another: what is left when nothing else can be asked."""
    preset = [condition for condition in door.conditions if _is_preset(door, condition)]
    return [query for condition in preset for query in _ask_condition(door, condition)]


def _is_preset(door: Door, condition: Condition) -> bool:
    own = [field for field in door.form.fields if field.name in condition.fields]
    return any(field.checked or (field.type == "select" and not is_blank(field.value)) for field in own)


def is_blank(value: str) -> bool:
    """Return True if a choice asks for nothing."""
    return value.strip().lower() in ("", "0", "-1", "all", "any", "*", "%")


def _ask_condition(door: Door, condition: Condition) -> Iterator[ProbeQuery]:
    fields = [field for name in condition.fields for field in door.form.fields if field.name == name][:MAX_FIELDS]
    if not fields or not condition.options or condition.operator == "range" or condition.type in ("number", "date"):
        return
    usual = fields[0].value if fields[0].type == "select" else None
    # not the blank choice, not that which is chosen anyway, and rather none that means any
    rest = [each for each in condition.options[:MAX_CHOICES] if each.value.strip() and each.value != usual]
    telling = [each for each in rest if not is_blank(each.value) and any(map(str.isalnum, each.label or "x"))]
    for option in (telling or rest)[:2]:
        yield ProbeQuery(((condition.fields[0], option.value),), option.label or option.value)


def find_extremes(door: Door) -> list[ProbeQuery]:
    """Return the lowest and the highest value of the first number or date that can be asked: one of them finds all.

    Of a range the lowest beginning finds all; it is told from a single number by its two ends.
    """
    asked = [condition for condition in door.conditions if condition.type in ("number", "date")]
    asked += [condition for condition in door.conditions if condition.operator == "range" and condition not in asked]
    for condition in sorted(asked, key=lambda condition: condition.operator != "range"):
        fields = [field for name in condition.fields[:3] for field in door.form.fields if field.name == name]
        if fields:
            # of the parts of a date each, of a range only its lower part
            parts = fields if condition.type == "date" and len(fields) == 3 else [low_end(fields)]
            ends = [tuple([(field.name, _end_value(field, condition, end)) for field in parts]) for end in (0, -1)]
            return [ProbeQuery(values, " ".join([value for _, value in values])) for values in ends]
    return []


def has_range(door: Door) -> bool:
    """Return True if a range of numbers or dates can be asked."""
    return any(condition.operator == "range" and len(condition.fields) > 1 for condition in door.conditions)


def low_end(fields: list[Field]) -> Field:
    """Return the control for the lower end of a range."""
    return next((field for field in fields if _LOW_NAME.search(field.name)), fields[0])


def _end_value(field: Field, condition: Condition, end: int) -> str:
    if field.options:
        numbers = sorted((o for o in field.options if o.value.strip().isdigit()), key=lambda o: int(o.value[:12]))
        options = numbers or [o for o in field.options if o.value.strip()] or list(field.options)
        return options[end].value
    if condition.type == "date" or field.type == "date":
        return ("1900-01-01", "2099-12-31")[end]
    return ("1", "987654321")[end]


# -- words to ask for: one that nobody has written, and some that records or pages have

NONSENSE_SYLLABLES = 5
MIN_WORD_LETTERS, MAX_WORD_LETTERS = 3, 20  # letters of a word to ask for
_WORD = re.compile(
    r"[\u30a1-\u30ff]{2,}|[\u3400-\u9fff]{2,}|[^\W\d_\u3040-\u30ff\u3400-\u9fff]+"
)  # a change of script separates words
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_CONSONANTS, _VOWELS = "bdfgjklmnprstvwxz", "aeiou"


def stop_words(language: str) -> tuple[str, ...]:
    """Return the words that most texts of a language have, and search machines mostly know; the plainest first."""
    known = by_language("common word")
    return known.get(language, known["en"])


@cache
def all_stop_words() -> frozenset[str]:
    """Return the words that most texts have, of all languages."""
    return frozenset(word for words in by_language("common word").values() for word in words)


def make_nonsense(seed: str) -> str:
    """Return a word that can be spoken and that nobody has written; the same for the same seed."""
    digest = hashlib.blake2b(seed.encode("utf-8", "replace"), digest_size=2 * NONSENSE_SYLLABLES).digest()
    pairs = zip(digest[::2], digest[1::2], strict=True)
    return "".join(_CONSONANTS[one % len(_CONSONANTS)] + _VOWELS[two % len(_VOWELS)] for one, two in pairs)


def find_words(text: str) -> Iterator[str]:
    """Yield the words of a text that are worth asking for."""
    for word in _WORD.findall(text[:2_000]):
        if MIN_WORD_LETTERS <= len(word) <= MAX_WORD_LETTERS or (len(word) >= 2 and not word.isascii()):
            yield word


def find_part(values: Iterable[str], without: Iterable[str] = ()) -> tuple[str, str]:
    """Return a word that is part of most values, and the longest value that it is part of; nothing where all are single words."""
    left_out = {word.lower() for word in without}
    counts: Counter[str] = Counter()
    first: dict[str, tuple[str, str]] = {}
    for value in values:
        # the words of a value that has several; of one in a script without blanks, its first half
        is_unspaced = _UNSPACED.match(value) and len(value) >= 4 and len(value.split()) == 1
        words = find_words(value) if len(value.split()) > 1 else (value[: len(value) // 2],) if is_unspaced else ()
        for word in dict.fromkeys(words):
            if word.lower() not in left_out:
                counts[word.lower()] += 1
                first.setdefault(word.lower(), (word, value))
    best = max(counts, key=lambda word: (counts[word], len(word)), default="")
    return first.get(best, ("", ""))


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
