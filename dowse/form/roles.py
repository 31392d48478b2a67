"""The controls of a form one by one: the words that stand for each, and those that ask nothing themselves (sort, paging, display)."""

from __future__ import annotations

import re
from functools import lru_cache

from dowse.model import Field, Option
from dowse.words.forms import (
    ALL,
    ALL_OF,
    CAPTCHA,
    CONNECTORS,
    DATE_VALUE,
    DIRECTION,
    DISPLAY,
    DISPLAY_NAMES,
    END_START,
    EXTRA_WORDS,
    HIGH_END,
    INVITATION,
    LEAD_INS,
    LOW_END,
    MATCHING,
    MATCHING_NAMES,
    NEGATIVE,
    OLDER,
    ORDERS,
    PAGING,
    PAGING_NAMES,
    PROMPT_END,
    PROMPT_START,
    SEEK,
    SELECT_ALL,
    SIGNS,
    SORT,
    TITLE_START,
    TOLERANCE,
)

# --- attributes
# From what people read to the name of an attribute: Author(s): -> author.

MAX_LENGTH = 100

_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SIGNS = re.compile(r"[\W_]+")
_LEFT_OVER = frozenset({"for", "by", "in", "of", "with", "within", "text", "words"})
_PARTS = re.compile(r"[$.:\[\]|/]+")
_PREFIX = re.compile(r"\A(?:txt|ddl|tb|cb|chk|cbo|drp|dd|lst|rbl|rb|sel|inp|fld|f|frm|field|input|select)(?=[A-Z_])_?")
_ICONS = re.compile("[\ue000-\uf8ff\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf]")
_TRAILING = " \t|:：*＊•»›>→▼▾↓.…،;,"


@lru_cache(maxsize=4096)
def attribute_name(label: str) -> str:
    """Normalise a label to an attribute: Author(s): -> author; Min price -> price; firstName -> first name."""
    words = _BRACKETS.sub(" ", label[:MAX_LENGTH])
    words = _HUMPS.sub(" ", words).replace("_", " ").lower().strip(" .:*…-–")
    bare = _strip_ends(LEAD_INS.sub("", words, count=1) if LEAD_INS.match(words) else words)
    bare = words if bare in _LEFT_OVER else bare
    bare = EXTRA_WORDS.sub(" ", ALL_OF.sub("", bare, count=1) if ALL_OF.match(bare) else bare)
    return _join(bare) or _join(words) or _join(label.lower())


def attribute_of_name(name: str) -> str:
    """Return the attribute that the name of a control speaks of: ctl00$Form$ddlMake -> make."""
    parts = [part for part in _PARTS.split(name[: MAX_LENGTH * 3]) if any(letter.isalpha() for letter in part)]
    last = parts[-1] if parts else name
    return attribute_name(_PREFIX.sub("", last) or last)


def strip_ends(label: str) -> str:
    """Take the words for an end of a range off a caption, and leave the rest as it is written."""
    kept = label.strip()
    lower = kept.lower()
    for pattern in (LOW_END, HIGH_END):
        found = pattern.search(lower)
        if found and found.start():
            return kept[: found.start()].rstrip(" ,:(-–")
    return kept


def _strip_ends(words: str) -> str:
    started = END_START.match(words)
    return strip_ends(words[started.end() :] if started else words)


def _join(words: str) -> str:
    return " ".join(_SIGNS.sub(" ", words).split())


@lru_cache(maxsize=4096)
def trim_label(words: str) -> str:
    """Return a caption as on the page, in one line, without a colon, a star or an arrow at its end."""
    if not words:
        return ""
    line = (
        " ".join(_ICONS.sub(" ", words).split())
        .strip(" \t•*＊")
        .rstrip(_TRAILING if not words.rstrip().endswith(("...", "…")) else " ")
    )
    return line.lstrip("»›→")


# --- asked
# What a form asks, control by control: the controls of one name, and the words that stand for them.

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


# --- roles
# Which controls of a form ask nothing themselves: orders, pages, views, ways of matching.

_SORT_NAME = re.compile(
    r"(?:\A|[_\W])(?:sort|order_?by|sort_?by|sortorder|sort_?order)|sort\d*\Z|(?i:order_?by)|\Aorder\Z"
)
_SORTING = re.compile(
    r"\bsort(?:ing|iert?|ierung|ieren)?\b|сортиров|\btriage\b|řazení|rendezés|並び?替え|並べ替え|sortowani"
)
_MACHINE_NAME = re.compile(r"\A(?:__|[0-9a-f]{24,}\Z)")  # state that a server keeps in the page
_COUNT = re.compile(r"\d+|all|alle|tous|todos|все")
MOST_WAYS = 12  # choices that a way of matching can have
MOST = 0.6  # part of the choices that must be ways of matching


def find_role(asked: Asked) -> str:
    """Return what controls are for that ask nothing themselves, or nothing."""
    if asked.kind == "text":
        if is_captcha(asked) or _MACHINE_NAME.match(asked.names[0]):
            return "state"
        return "paging" if asked.first.value.isdigit() and _is_paging(asked) else ""
    for role, holds in (
        ("operator", _is_matching),
        ("sort", _is_sort),
        ("paging", _is_paging),
        ("display", _is_display),
    ):
        if holds(asked):
            return role
    return ""


def is_captcha(asked: Asked) -> bool:
    """Say whether a control is there to keep programs out."""
    one = asked.first
    return _speaks_of_captcha(f"{one.name} {one.id} {asked.words}".lower())


@lru_cache(maxsize=4096)
def _speaks_of_captcha(said: str) -> bool:
    return CAPTCHA.search(said) is not None


def _is_sort(asked: Asked) -> bool:
    caption = asked.caption.lower()
    if _SORT_NAME.search(asked.names[0].lower()) or SORT.match(caption) or _SORTING.search(caption):
        return True
    choices = [choice for choice in asked.choices if choice]
    if not 1 <= len(choices) <= MOST_WAYS:
        return False
    if all(DIRECTION.search(choice) or SORT.match(choice) for choice in choices):
        return True
    return any(ORDERS.search(choice) for choice in choices) and (
        SORT.search(asked.words) is not None or _says(asked, SORT)
    )


def _says(asked: Asked, pattern: re.Pattern[str]) -> bool:
    return any(pattern.search(token) for token in asked.tokens)


def _is_paging(asked: Asked) -> bool:
    if PAGING.search(asked.words) or PAGING.search(asked.names[0].lower()):
        return asked.kind != "checkbox"
    choices = [choice for choice in asked.choices if choice]
    if asked.is_box or len(choices) < 2:
        return False
    if not PAGING_NAMES.match("_".join(asked.tokens)) and not PAGING_NAMES.match(
        asked.tokens[-1] if asked.tokens else ""
    ):
        return all(PAGING.search(choice) for choice in choices)
    return all(_COUNT.match(choice) for choice in choices)


def _is_display(asked: Asked) -> bool:
    own = box_words(asked.first).lower() if asked.is_box else ""
    if SELECT_ALL.search(own) or (len(asked.fields) == 1 and asked.kind == "checkbox" and DISPLAY.match(own)):
        return True
    if DISPLAY.match(asked.caption.lower()) and (asked.kind != "checkbox"):
        return True
    return DISPLAY_NAMES.match("_".join(asked.tokens)) is not None and asked.kind != "text"


def _is_matching(asked: Asked) -> bool:
    if asked.kind == "checkbox":
        return len(asked.fields) == 1 and _box_matches(asked)
    choices = [choice for choice in asked.choices if choice]
    if not 2 <= len(choices) <= MOST_WAYS:
        return False
    if TOLERANCE.match(asked.caption.lower()):
        return True
    signs = sum(SIGNS.match(choice) is not None for choice in choices)
    if signs == len(choices):
        return True
    ways = sum(map(_is_way, choices))
    named = MATCHING_NAMES.match("_".join(asked.tokens)) is not None
    return signs + ways >= (1 if named else max(2, MOST * len(choices)))


@lru_cache(maxsize=8192)
def _is_way(choice: str) -> bool:
    if MATCHING.search(choice) or TOLERANCE.search(choice):
        return True
    return OLDER.search(choice) is not None and not any(map(str.isdigit, choice))


def _box_matches(asked: Asked) -> bool:
    words = box_words(asked.first).lower()
    if TOLERANCE.search(words):
        return True
    named = MATCHING_NAMES.match("_".join(asked.tokens)) is not None
    return named or (MATCHING.search(words) is not None and len(words.split()) <= 4)
