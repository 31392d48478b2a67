"""The controls of a form one by one: the words that stand for each, and the role of those that ask nothing themselves (sort, paging, display)."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import NamedTuple

from dowse.model import Field, Option
from dowse.words.lookup import anywhere, expression, phrases, whole_text, whole_words, word_starts

BOXES = frozenset({"radio", "checkbox"})
MAX_NAME = 200  # characters of a control's name that are read
MAX_LABEL = 100  # characters of a label that become an attribute
MAX_PROMPT = 60  # characters of a first choice, or of words preset in a box, that can be a caption
MAX_PROMPT_WORDS = 4  # words of a first choice that sends nothing
MIN_NAME_LETTERS = 3  # letters of a name that a first choice can repeat
MIN_CHOICES = 4  # choices among which one stands out by repeating the name
MAX_CHOICES_READ = 40  # choices of a control that are looked at
MAX_MATCHING_CHOICES = 12  # choices of a control that chooses how words are matched, or sorts
MIN_CHOSEN_CONTROLS = 3  # controls that choices name, more than half of them, where they choose columns: no labelled form has two by chance
MIN_MATCHING_SHARE = 0.6  # part of the choices that must speak of matching, where the name does not

_CHOICES = BOXES | {"select"}
_EMPTY_VALUES = frozenset({"", "0", "-1", "all", "any", "none", "null", "*", "alle", "tous"})
_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SIGNS = re.compile(r"[\W_]+")
_NAME_JOINTS = re.compile(r"[$.:\[\]|/]+")
_NAME_PREFIX = re.compile(
    r"\A(?:txt|ddl|tb|cb|chk|cbo|drp|dd|lst|rbl|rb|sel|inp|fld|f|frm|field|input|select)(?=[A-Z_])_?"
)
_ICONS = re.compile("[\ue000-\uf8ff\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf]")
_TRAILING = " \t|:：*＊•»›>→▼▾↓.…،;,"
_WORDS = re.compile(r"\w+")
_NUMBER = re.compile(r"\d")
_TOKENS = re.compile(r"[A-Z]?[a-zà-ÿ]+|[A-Z]+(?![a-z])|\d+|[^\W\d_a-zA-Z]+")
DATE_VALUE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\Z|[dmyjat]{1,4}[./-][dmyjat]{1,4}[./-][dmyjat]{1,4}\Z")

# Names that programmers give to controls which ask nothing
_SORT_NAME = re.compile(
    r"(?:\A|[_\W])(?:sort|order_?by|sort_?by|sortorder|sort_?order)|sort\d*\Z|(?i:order_?by)|\Aorder\Z"
)
_PAGING_NAME = re.compile(
    r"(?:n?results?|num(?:_?page|_?results?|_?rows|_?hits|_?items)?|rows?|limit|page_?ing|paging|paginate|page_?size|psize|perpage|per_page|hits(?:_?per_?page)?|hitsize|itemsperpage|ipp|rpp|pp|pagelen|page_?length|maxresults?|max_?(?:hits|results|rows|records)|show_?num|count|max_?count|batch(?:_?size)?|b_size|resultsperpage|nb_?par_?page|anzahl|trefferanzahl|items)\Z"
)
_DISPLAY_NAME = re.compile(
    r"\A(?:\w*_)?(?:display|view|viewmode|view_mode|layout|toggle|show_abstract|showposts|showresults|show_results|showas|output|outputformat|skin|template|resultview|displaymode|showas)\Z"
)
_MATCHING_NAME = re.compile(
    r"\A(?:\w+_)?(?:(?:match|exact|usage|flex)\w*+|(?:op|oper|operator|andor|and_or|bool|boolean|wholewords?|fulltext|conj|logic|beforeafter|wildcards?|fuzzy|casesensitive)\d*+)\Z"
)
_STATE_NAME = re.compile(r"\A(?:__|[0-9a-f]{24,}\Z)")  # state that a server keeps in the page


# -- captions and attributes


class RangeWords(NamedTuple):
    """Expressions for the words by which a caption speaks of an end of a range."""

    low: re.Pattern[str]
    high: re.Pattern[str]
    low_last: re.Pattern[str]  # at the end of a caption: Year from
    high_last: re.Pattern[str]
    first: re.Pattern[str]  # at the start of a caption: Min price
    between: re.Pattern[str]  # nothing but what stands between two ends: to, -


@cache
def range_words() -> RangeWords:
    """Return the expressions; weak words such as "and" are no ends at the end of a caption."""
    weak = frozenset(phrases("weak end"))
    found: dict[str, re.Pattern[str]] = {}
    for end in ("low", "high"):
        words = [re.escape(word) for word in phrases(f"{end} end") if word[0].isalpha()]
        last = "|".join([word for word in words if word not in weak])
        suffix, inside = "|".join(phrases(f"{end} end suffix")), "|".join(phrases(f"{end} end anywhere"))
        found[end] = re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)|(?:{inside})|(?:{suffix})\b")
        # all the signs before the word are looked at once
        found[f"{end}_last"] = re.compile(rf"(?<![\s,:(\-–])[\s,:(\-–]++(?:{last})[.:)]*\Z|(?:{suffix})\Z")
    found["first"] = re.compile(rf"(?:{'|'.join(phrases('strong end'))})\b[.:]?\s+")
    between = "|".join(map(re.escape, phrases("high end")))
    return RangeWords(**found, between=re.compile(rf"(?:{between}|to:?|/|bis:?)\Z"))


@lru_cache(maxsize=4096)
def attribute_name(label: str) -> str:
    """Normalise a label to an attribute: Author(s): -> author; Min price -> price; firstName -> first name."""
    words = _BRACKETS.sub(" ", label[:MAX_LABEL])
    words = _CAMEL_CASE.sub(" ", words).replace("_", " ").lower().strip(" .:*…-–")
    lead_in = anywhere("lead-in").match(words)
    bare = words[lead_in.end() :] if lead_in else words
    started = range_words().first.match(bare)
    bare = strip_end_word(bare[started.end() :] if started else bare)
    bare = words if bare in phrases("left after a lead-in") else bare
    bare = whole_words("optional or required").sub(" ", expression("all of", r"\A(?:...)\s+").sub("", bare))
    candidates = (" ".join(_SIGNS.sub(" ", each).split()) for each in (bare, words, label.lower()))
    return next(filter(None, candidates), "")


def attribute_of_name(name: str) -> str:
    """Return the attribute that the name of a control speaks of: ctl00$Form$ddlMake -> make."""
    parts = [part for part in _NAME_JOINTS.split(name[: MAX_LABEL * 3]) if any(letter.isalpha() for letter in part)]
    last = parts[-1] if parts else name
    return attribute_name(_NAME_PREFIX.sub("", last) or last)


def strip_end_word(label: str) -> str:
    """Take the words for an end of a range off the end of a caption, and leave the rest as it is written."""
    kept = label.strip()
    lower = kept.lower()
    for pattern in (range_words().low_last, range_words().high_last):
        found = pattern.search(lower)
        if found and found.start():
            return kept[: found.start()].rstrip(" ,:(-–")
    return kept


@lru_cache(maxsize=4096)
def trim_label(words: str) -> str:
    """Return a caption as on the page, in one line, without a colon, a star or an arrow at its end."""
    if not words:
        return ""
    line = " ".join(_ICONS.sub(" ", words).split()).strip(" \t•*＊")
    return line.rstrip(" " if words.rstrip().endswith(("...", "…")) else _TRAILING).lstrip("»›→")


def caption_of(field: Field) -> str:
    """Return the words on the page that stand for a control: of a box, those over its group."""
    is_box = field.type in BOXES
    words = trim_label(field.group if is_box else field.label or field.near)
    lower = words.lower()
    if is_box:
        is_none = anywhere("title").match(lower) or (field.type == "checkbox" and whole_text("seek").match(lower))
        return "" if is_none else words
    if bare_words(lower) in phrases("or"):
        return ""
    # words that only stand beside it may be a choice, or the title of the form
    is_none = whole_text("all").match(lower) or (field.type == "select" and anywhere("title").match(lower))
    return "" if is_none and not field.label else words


def box_words(field: Field) -> str:
    """Return what one box is called."""
    return trim_label(field.label or field.near or field.aria or field.title)


def bare_words(words: str) -> str:
    """Return a choice without the signs around it, in lower case."""
    return words.strip(" -–—[]()<>*.:…=_|").lower()


@lru_cache(maxsize=4096)
def split_name(name: str) -> tuple[str, ...]:
    """Return the words in the name of a control, in lower case: fromYear and from_year are from, year."""
    return tuple([token.lower() for token in _TOKENS.findall(name[:MAX_NAME])])


# -- controls that belong together


class ControlGroup:
    """The controls of one name, or of several that belong together, while a form is being read."""

    __slots__ = (
        "_choices", "_options", "_prompt", "_words", "caption", "fields", "first", "is_box", "kind", "modes", "names",
        "operator", "parts", "tokens", "type",
    )  # fmt: skip

    def __init__(self, fields: list[Field], names: list[str], caption: str = "") -> None:
        self.fields = fields
        self.names = names
        self.tokens = split_name(names[0])  # the words of its name
        self.caption = caption  # words on the page that stand for it
        self.operator = ""  # set when controls are joined
        self.type = ""
        self.modes: ControlGroup | None = None  # the control that chooses how its words are matched
        self.parts: list[ControlGroup] = []  # what was joined
        self.first = fields[0]
        self.kind = self.first.type if self.first.type in _CHOICES else "text"
        self.is_box = self.kind in BOXES
        self._prompt: str | None = None
        self._words: str | None = None
        self._choices: list[str] | None = None
        self._options: tuple[Option, ...] | None = None

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
            self._choices = [option.label.strip().lower() for option in self.options[:MAX_CHOICES_READ]]
        return self._choices

    @property
    def words(self) -> str:
        """All that is said of it, in lower case."""
        if self._words is None:
            field = self.first
            over = field.group if self.is_box else ""
            self._words = f"{self.caption} {self.prompt} {field.title} {field.aria} {over}".lower()
        return self._words

    @property
    def prompt(self) -> str:
        """Words inside the control that name it: a placeholder, words preset in a box, a first choice that is none."""
        if self._prompt is None:
            field = self.first
            self._prompt = trim_label(field.placeholder) if self.kind == "text" else ""
            if self.kind == "text" and not self._prompt and field.value and _is_prompt(field.value):
                self._prompt = trim_label(field.value)
            elif self.kind == "select" and not field.multiple and field.options:
                self._prompt = trim_label(field.options[0].label) if names_choice(field.options, field.name) else ""
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
        if self.kind == "select" and hint and whole_text("invitation").match(bare_words(self.prompt)):
            return hint  # "please choose" names nothing
        return self.prompt or hint


def _is_prompt(value: str) -> bool:
    """Return True if words preset in a box are for the reader, and no value."""
    words = value.strip()
    if not words or len(words) > MAX_PROMPT or DATE_VALUE.match(words.lower()):
        return False
    if not any(letter.isalpha() for letter in words) or "://" in words:
        return False
    ends = words.endswith(("...", "…", ":", "?"))
    return words[0].isupper() or ends or anywhere("prompt start").match(words.lower()) is not None


def names_choice(options: tuple[Option, ...], name: str = "") -> bool:
    """Return True if the first of some choices names what is chosen under a name, or invites to choose it."""
    words = options[0].label.strip()
    bare = bare_words(words)
    if whole_text("all").match(bare) or len(words) > MAX_PROMPT or not any(letter.isalpha() for letter in bare):
        return False
    if words.endswith(("...", "…", ":")):
        return True
    others = options[1:]
    if words[0] in "-–—[(<*=":
        alike = bool(others) and all(each.label.strip().startswith(words[0]) for each in others[:MAX_CHOICES_READ])
        if not alike:
            return True
    if anywhere("prompt start").match(bare):
        start = bare.split()[0]
        return whole_text("all").match(start) is not None or not _is_among(
            start, options
        )  # two that start alike are two choices
    if anywhere("prompt end").search(bare):
        return True
    return _repeats_name(options, bare, name) or _stands_apart(options, bare)


def _is_among(word: str, options: tuple[Option, ...]) -> bool:
    return any(option.label.strip().lower().startswith(word) for option in options[1:MAX_CHOICES_READ])


def _repeats_name(options: tuple[Option, ...], bare: str, name: str) -> bool:
    """Return True if a first choice says what the control is called, as no other choice does."""
    words = _WORDS.findall(bare)
    if len(options) < MIN_CHOICES or not 0 < len(words) <= MAX_PROMPT_WORDS or len(words[0]) < MIN_NAME_LETTERS:
        return False
    return words[0] in split_name(name) and not _is_among(words[0], options)


def _stands_apart(options: tuple[Option, ...], bare: str) -> bool:
    """Return True if a first choice is unlike the others: it sends nothing and they do, or only they have numbers."""
    others = options[1 : MAX_CHOICES_READ + 1]
    is_negative = whole_words("negative").search(bare) is not None
    if _NUMBER.search(bare) is None and len(others) > 1 and all(_NUMBER.search(option.label) for option in others):
        return not is_negative and range_words().between.match(bare) is None
    sends = options[0].value.strip().lower()
    is_switch = sends == "0" and len(others) < 3 and any(option.value == "1" for option in others[:1])
    return sends in _EMPTY_VALUES and not is_switch and len(bare.split()) <= MAX_PROMPT_WORDS and not is_negative


# -- roles of what asks nothing


def find_role(group: ControlGroup, names: Collection[str] = ()) -> str:
    """Return what controls are for that ask nothing themselves, or nothing; `names` are those of all controls of the form."""
    if group.kind == "text":
        field = group.first
        if _STATE_NAME.match(group.names[0]):
            return "state"
        if anywhere("captcha").search(f"{field.name} {field.id} {group.words}".lower()):
            return "state"
        return "paging" if field.value.isdigit() and _is_paging(group) else ""
    if _is_matching(group):
        return "operator"
    if _is_sort(group):
        return "sort"
    if _chooses_controls(group, names):
        return "display" if group.kind == "checkbox" else "sort"
    return "paging" if _is_paging(group) else "display" if _is_display(group) else ""


def _chooses_controls(group: ControlGroup, names: Collection[str]) -> bool:
    """Return True if what can be chosen are other controls of the form: columns to show, or what answers are ordered by."""
    values = {option.value for option in group.options[:MAX_CHOICES_READ] if option.value}
    named = values.intersection(names).difference(group.names)
    return len(named) >= MIN_CHOSEN_CONTROLS and 2 * len(named) > len(values)


def _is_sort(group: ControlGroup) -> bool:
    caption = group.caption.lower()
    sort = whole_words("sort")
    if _SORT_NAME.search(group.names[0].lower()) or sort.match(caption) or anywhere("sorting").search(caption):
        return True
    choices = [choice for choice in group.choices if choice]
    if not 1 <= len(choices) <= MAX_MATCHING_CHOICES:
        return False
    if all(anywhere("direction").search(choice) or sort.match(choice) for choice in choices):
        return True
    if not any(expression("order of answers", r"\b(?:...)\b").search(choice) for choice in choices):
        return False
    return sort.search(group.words) is not None or any(sort.search(token) for token in group.tokens)


def _is_paging(group: ControlGroup) -> bool:
    paging = anywhere("page size")
    if paging.search(group.words) or paging.search(group.names[0].lower()):
        return group.kind != "checkbox"
    choices = [choice for choice in group.choices if choice]
    if group.is_box or len(choices) < 2:
        return False
    if _PAGING_NAME.match("_".join(group.tokens)) or (group.tokens and _PAGING_NAME.match(group.tokens[-1])):
        return all(choice[0].isdecimal() or anywhere("every count").match(choice) for choice in choices)
    return all(paging.search(choice) for choice in choices)


def _is_display(group: ControlGroup) -> bool:
    display = whole_words("display")
    own = box_words(group.first).lower() if group.is_box else ""
    if anywhere("select all").search(own):
        return True
    if group.kind == "checkbox":
        return bool((len(group.fields) == 1 and display.match(own)) or _DISPLAY_NAME.match("_".join(group.tokens)))
    return bool(display.match(group.caption.lower()) or _DISPLAY_NAME.match("_".join(group.tokens)))


def _is_matching(group: ControlGroup) -> bool:
    """Return True if a control chooses how words are matched."""
    is_named = _MATCHING_NAME.match("_".join(group.tokens)) is not None
    if group.kind == "checkbox":
        words = box_words(group.first).lower()
        is_said = is_named or (word_starts("matching").search(words) is not None and len(words.split()) <= 4)
        return len(group.fields) == 1 and (is_said or anywhere("tolerance").search(words) is not None)
    choices = [choice for choice in group.choices if choice]
    if not 2 <= len(choices) <= MAX_MATCHING_CHOICES:
        return False
    if anywhere("tolerance").match(group.caption.lower()):
        return True
    signs = sum(whole_text("matching sign").match(choice) is not None for choice in choices)
    if signs == len(choices):
        return True
    return signs + sum(map(_says_matching, choices)) >= (1 if is_named else max(2, MIN_MATCHING_SHARE * len(choices)))


@lru_cache(maxsize=8192)
def _says_matching(choice: str) -> bool:
    if word_starts("matching").search(choice) or anywhere("tolerance").search(choice):
        return True
    return anywhere("older or newer").search(choice) is not None and not any(map(str.isdigit, choice))
