"""What a form asks, control by control: the controls of one name, and the words that stand for them."""

from __future__ import annotations

import re
from functools import lru_cache

from dowse.form.attributes import trim_label
from dowse.form.vocabulary import (
    ALL,
    CONNECTORS,
    DATE_VALUE,
    INVITATION,
    NEGATIVE,
    PROMPT_END,
    PROMPT_START,
    SEEK,
    TITLE_START,
)
from dowse.model import Field, Option

BOXES = frozenset({"radio", "checkbox"})
_CHOICES = BOXES | {"select"}
MAX_PROMPT = 60  # characters of a first choice, or of words preset in a box, that can be a caption
MAX_PROMPT_WORDS = 4  # of a first choice that sends nothing
LEAST_NAME = 3  # letters of a name that a first choice can repeat
LEAST_CHOICES = 4  # among which one stands out by repeating the name
MAX_LOOK = 40  # choices that are looked at

_EMPTY_VALUES = frozenset({"", "0", "-1", "all", "any", "none", "null", "*", "alle", "tous"})
_WORDS = re.compile(r"\w+")
_NUMBER = re.compile(r"\d")
_TOKENS = re.compile(r"[A-Z]?[a-zà-ÿ]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
_JOINERS = frozenset(
    {"or", "and/or", "oder", "ou", "o", "of", "lub", "или", "vagy", "eller", "nebo", "alebo", "または"}
)


class Asked:
    """The controls of one name, or of several that belong together, while a form is being read."""

    __slots__ = (
        "_choices", "_options", "_prompt", "_tokens", "_words", "caption", "fields", "first", "is_box", "kind", "modes",
        "names", "operator", "parts", "type",
    )  # fmt: skip

    def __init__(self, fields: list[Field], names: list[str], caption: str = "") -> None:
        self.fields = fields
        self.names = names
        self.caption = caption  # words on the page that stand for it
        self.operator = ""  # set when controls are joined
        self.type = ""
        self.modes: Asked | None = None  # how it is matched, where that can be chosen
        self.parts: list[Asked] = []  # what was joined
        self.first = fields[0]
        self.kind = self.first.type if self.first.type in _CHOICES else "text"
        self.is_box = self.kind in BOXES
        self._prompt: str | None = None
        self._words: str | None = None
        self._choices: list[str] | None = None
        self._tokens: list[str] | None = None
        self._options: tuple[Option, ...] | None = None

    @property
    def tokens(self) -> list[str]:
        """The words of its name: fromYear and from_year are from, year."""
        if self._tokens is None:
            self._tokens = split_name(self.names[0])
        return self._tokens

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be chosen."""
        if not self.is_box:
            return self.first.options
        if self._options is None or len(self._options) != len(self.fields):
            self._options = tuple([Option(each.value, box_words(each), each.checked) for each in self.fields])
        return self._options

    @property
    def choices(self) -> list[str]:
        """The first choices, as people read them, in lower case."""
        if self._choices is None:
            self._choices = [option.label.strip().lower() for option in self.options[:MAX_LOOK]]
        return self._choices

    @property
    def words(self) -> str:
        """All that is said of it, in lower case."""
        if self._words is None:
            one = self.first
            self._words = (
                f"{self.caption} {self.prompt} {one.title} {one.aria} {one.group if self.is_box else ''}".lower()
            )
        return self._words

    @property
    def prompt(self) -> str:
        """Words inside the control that name it: a placeholder, words preset in a box, a first choice that is none."""
        if self._prompt is None:
            self._prompt = _read_prompt(self.first, self.kind)
        return self._prompt

    def forget_prompt(self) -> None:
        """Take the first choice for no name."""
        self._prompt = ""

    @property
    def label(self) -> str:
        """What a person reads for it."""
        if self.caption or self.is_box:
            return self.caption
        hint = trim_label(self.first.title or self.first.aria)
        if self.kind == "select" and hint and INVITATION.match(bare_words(self.prompt)):
            return hint  # "please choose" names nothing
        return self.prompt or hint


@lru_cache(maxsize=4096)
def _split(name: str) -> tuple[str, ...]:
    return tuple([token.lower() for token in _TOKENS.findall(name)])


def split_name(name: str) -> list[str]:
    """Return the words in the name of a control, in lower case."""
    return list(_split(name[:200]))


def _read_prompt(one: Field, kind: str) -> str:
    if kind == "text":
        return trim_label(one.placeholder) or (trim_label(one.value) if one.value and _is_prompt(one.value) else "")
    if kind == "select" and not one.multiple and one.options and names_choice(one.options, one.name):
        return trim_label(one.options[0].label)
    return ""


def bare_words(words: str) -> str:
    """Return a choice without the signs around it, in lower case."""
    return words.strip(" -–—[]()<>*.:…=_|").lower()


def box_words(one: Field) -> str:
    """Return what one box is called."""
    return trim_label(one.label or one.near or one.aria or one.title)


def ask(one: Field) -> Asked:
    """Return a control as something asked."""
    asked = Asked([one], [one.name])
    asked.caption = _box_caption(one) if asked.is_box else _caption(one)
    return asked


def add(asked: Asked, one: Field) -> None:
    """Add a control of the same name."""
    asked.fields.append(one)
    if not asked.caption:
        asked.caption = _box_caption(one) if asked.is_box else _caption(one)


def _caption(one: Field) -> str:
    words = trim_label(one.label or one.near)
    lower = words.lower()
    if bare_words(lower) in _JOINERS or (not one.label and ALL.match(lower)):
        return ""
    return "" if one.type == "select" and not one.label and TITLE_START.match(lower) else words


def _box_caption(one: Field) -> str:
    words = trim_label(one.group)
    lower = words.lower()
    return "" if TITLE_START.match(lower) or (one.type == "checkbox" and SEEK.match(lower)) else words


def same_title(asked: Asked) -> str:
    """Return the title that all boxes share, where they do."""
    titles = {one.title or one.aria for one in asked.fields}
    return trim_label(titles.pop()) if len(titles) == 1 and len(asked.fields) > 1 else ""


def _is_prompt(value: str) -> bool:
    """Say whether words preset in a box are for the reader, and no value."""
    words = value.strip()
    if not words or len(words) > MAX_PROMPT or DATE_VALUE.match(words.lower()):
        return False
    if not any(letter.isalpha() for letter in words) or "://" in words:
        return False
    return words[0].isupper() or words.endswith(("...", "…", ":", "?")) or PROMPT_START.match(words.lower()) is not None


def names_choice(options: tuple[Option, ...], name: str = "") -> bool:
    """Say whether the first of some choices names what is chosen under a name, or invites to choose it."""
    words = options[0].label.strip()
    bare = bare_words(words)
    if ALL.match(bare) or len(words) > MAX_PROMPT or not any(letter.isalpha() for letter in bare):
        return False
    if words.endswith(("...", "…", ":")) or (words[0] in "-–—[(<*=" and not _all_start(options[1:], words[0])):
        return True
    if PROMPT_START.match(bare):
        start = bare.split()[0]
        return ALL.match(start) is not None or not _is_among(start, options)  # two that start alike are two choices
    if PROMPT_END.search(bare):
        return True
    return _is_the_name(options, bare, name) or _stands_apart(options, bare)


def _is_among(word: str, options: tuple[Option, ...]) -> bool:
    return any(option.label.strip().lower().startswith(word) for option in options[1:MAX_LOOK])


def _is_the_name(options: tuple[Option, ...], bare: str, name: str) -> bool:
    """Say whether a first choice says what the control is called, as no other choice does."""
    words = _WORDS.findall(bare)
    if len(options) < LEAST_CHOICES or not 0 < len(words) <= MAX_PROMPT_WORDS or len(words[0]) < LEAST_NAME:
        return False
    return words[0] in split_name(name) and not _is_among(words[0], options)


def _all_start(options: tuple[Option, ...], sign: str) -> bool:
    return bool(options) and all(option.label.strip().startswith(sign) for option in options[:MAX_LOOK])


def _stands_apart(options: tuple[Option, ...], bare: str) -> bool:
    """Say whether a first choice is unlike the others: it sends nothing and they do, or only they have numbers."""
    others = options[1 : MAX_LOOK + 1]
    if _NUMBER.search(bare) is None and len(others) > 1:
        numbered = sum(_NUMBER.search(option.label) is not None for option in others)
        if numbered == len(others):
            return not NEGATIVE.search(bare) and CONNECTORS.match(bare) is None
    sends = options[0].value.strip().lower()
    if sends not in _EMPTY_VALUES or (
        sends == "0" and any(option.value == "1" for option in others[:1]) and len(others) < 3
    ):
        return False
    return len(bare.split()) <= MAX_PROMPT_WORDS and not NEGATIVE.search(bare)
