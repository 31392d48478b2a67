"""Filters that a form comes with: what is sent beside a query and may keep records back, tried emptied and changed.

A tracker's list is set to "status open", a hidden field says category=5: what such a form lists is not everything. Emptied,
it may list more, and that is harvested then. A site may take nothing for its default, so what has no choice that means any
is changed as well: what other choices show has to be among the harvested records in the end. A hidden value counts as
harmless only where another in its place brings the same records. Else no proof says more than "all with status open".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final
from urllib.parse import unquote, urlsplit

from dowse.form.questions import is_blank
from dowse.harvester.loop import key_of
from dowse.model import Answer, Door, Field, Record
from dowse.words.lookup import anywhere, concepts_of, expression, parts_of, whole_text

MAX_PRESETS: Final = 12  # that are looked at: a form with more is a settings page
MAX_FILTER_CHARS: Final = (
    40  # of a hidden value without a blank that may be a filter; longer ones are states of a server
)
MIN_TOKEN_CHARS: Final = 12  # from which on a value without blanks may be a token
MIN_TOKEN_CHANGES: Final = 3  # from letters to digits and back: a8f7e6 is drawn at random, archive2024 is a name
MIN_SHOWING_SHARE: Final = 0.95  # of the records that show a part of an address: so many is no chance
MIN_SHOWN_CHARS: Final = 3  # of it
OTHER_NUMBER: Final = 918_273  # in place of a hidden number: hardly one that the site knows
OTHER_WORD: Final = "zxqvk"  # in place of a hidden word: one of no language

_TICKED = frozenset({"checkbox", "radio"})
_TYPED = frozenset(
    {"text", "search", "number", "date", "textarea", "month", "week", "datetime-local", "tel", "email", "url"}
)
_ASKS_NOTHING = frozenset({"button", "sort", "paging", "operator"})  # roles of controls
_MEANS_ANY = frozenset({"", "all", "any", "*", "%"})  # values; 0 and -1 may be the code of a choice
# names of hidden fields that seldom choose records: a page, a language, the way a list is written
_ROUTING = re.compile(
    r"(?i)charset|utf|^(?:ie|oe|hl|sid|cmd|op|act|action|do|go|mode|module|view|page|p|option|task|"
    r"itemid|lang|locale|language|submit|submitted|form|formid|form_id|form_build_id|method|function|screen|template|layout|"
    r"format|output|return|referer|referrer|redirect|next|sort|order|dir|limit|offset|start|rows|num|count|per_?page|size)$"
)
# such of them as say where a list goes on, how it is sorted or written, or what is sent back: none is a choice of records
_ARRANGING = re.compile(
    r"(?i)charset|utf|^(?:ie|oe|sid|page|p|itemid|submit|submitted|form|formid|form_id|form_build_id|template|layout|format|output|"
    r"return|referer|referrer|redirect|next|sort|order|dir|limit|offset|start|rows|num|count|per_?page|size)$"
)
_TOKEN_NAME = re.compile(r"(?i)^_|token|csrf|nonce|sess|viewstate")
_RUNS = re.compile(r"[0-9]+|[a-z]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Preset:
    """A control that is sent with a value though nobody chose it, or a box that is not ticked."""

    name: str
    value: str
    words: str  # as people read it: status open
    neutral: str | None = None  # a choice that means any; None where the form offers none
    others: tuple[str, ...] = ()  # other values that it can have
    hidden: bool = False
    typed: bool = False  # a text, not a choice
    is_route: bool = False  # by its name it says what page is meant, not which records
    is_display: bool = False  # it seems to say how a list is written
    opposite: str = ""  # of a box that is ticked: a server may tick it where nothing is sent


_OPPOSITES: Final = {"1": "0", "on": "off", "true": "false", "yes": "no", "y": "n", "": "0"}  # of what a box sends


class Widening(Enum):
    """What an answer has beside that to the form as it came."""

    MORE = auto()
    SAME = auto()
    LESS = auto()
    UNKNOWN = auto()  # both begin alike, and neither says how many there are


def find_presets(door: Door) -> tuple[Preset, ...]:
    """Return the controls of a form that may keep records back without being asked."""
    roles = {name: control.role for control in door.controls for name in control.fields}
    fields = [field for field in door.form.fields if field.name and roles.get(field.name) not in _ASKS_NOTHING]
    found: dict[str, Preset] = {}
    for field in fields:
        preset = _read_preset(field, fields)
        if preset is not None:
            found.setdefault(field.name, replace(preset, is_display=roles.get(field.name) == "display"))
    return tuple(found.values())[:MAX_PRESETS]


def _read_preset(field: Field, fields: Sequence[Field]) -> Preset | None:
    """Return what an untouched control sends, where that may be a filter."""
    group = [each for each in fields if each.name == field.name]
    if field.type == "hidden":
        return _read_hidden(field) if all(each.type == "hidden" for each in group) else None
    label = " ".join((field.label or field.group or field.name).split()).strip(" :*").lower()[:MAX_FILTER_CHARS]
    if field.type == "select":
        chosen = next((each for each in field.options if each.value == field.value), None)
        if chosen is None or asks_for_any(chosen.value, chosen.label):
            return None
        free = (each.value for each in field.options if asks_for_any(each.value, each.label))
        others = tuple(each.value for each in field.options if each.value != field.value and each.value.strip())
        words = f"{label} {chosen.label or chosen.value}".strip()
        return Preset(field.name, field.value, words, next(free, None), others)
    if field.type in _TICKED and field.checked and not asks_for_any(field.value, field.label):
        group = [each for each in group if each.type == field.type]
        free = (each.value for each in group if asks_for_any(each.value, each.label))
        others = tuple(each.value for each in group if not each.checked)  # where all are ticked, nothing is kept back
        opposite = _OPPOSITES.get(field.value.lower(), "") if len(group) == 1 else ""
        words = field.label or f"{field.name} {field.value}"
        words = " ".join(words.split()).lower()
        return Preset(field.name, field.value, words, next(free, None), others, opposite=opposite)
    if field.type == "checkbox" and len(group) == 1:  # include archived: it may keep records back as it is
        words = " ".join((field.label or field.name).split()).lower()
        return Preset(field.name, "", f"{words} not ticked", "", (field.value or "on",))
    if field.type in _TYPED and field.value.strip() and field.value.strip().lower() not in _MEANS_ANY:
        return Preset(field.name, field.value, f"{label} {field.value.strip()[:MAX_FILTER_CHARS]}", typed=True)
    return None


def _read_hidden(field: Field) -> Preset | None:
    """Return a hidden value, unless it is a token or the state of a server: these are of one visit."""
    value = field.value.strip()
    if value.lower() in _MEANS_ANY or is_token(field.name, value):
        return None
    is_route = bool(_ROUTING.search(field.name)) or "://" in value
    is_route = is_route or any("search" in concepts_of(word) for word in parts_of(value))
    return Preset(field.name, value, f"{field.name} {value}", hidden=True, is_route=is_route)


def is_token(name: str, value: str) -> bool:
    """Return True if a hidden value was made for one visit, by its name or as letters and digits drawn at random."""
    if _TOKEN_NAME.search(name):
        return True
    if " " in value or len(value) < MIN_TOKEN_CHARS:
        return False
    return len(value) > MAX_FILTER_CHARS or len(_RUNS.findall(value)) > MIN_TOKEN_CHANGES


def asks_for_any(value: str, label: str) -> bool:
    """Return True if a choice asks for nothing: its value is blank, or it is called any, or all of something.

    0 and -1 are blank where the choice is called nothing, or bids to choose; else they may be the code of a kind.
    """
    said = " ".join(label.split()).lower().strip(" -—.()")
    if value.strip().lower() in _MEANS_ANY or whole_text("all").match(said):
        return True
    if is_blank(value) and (not any(map(str.isalpha, said)) or anywhere("lead-in").match(f"{said} ")):
        return True
    return expression("all of", r"(?:...)\b").match(said) is not None


def other_value(preset: Preset) -> str:
    """Return a value that the site hardly knows, of the same kind: what it brings tells whether the one that is sent matters."""
    return str(OTHER_NUMBER) if preset.value.isdecimal() else OTHER_WORD


def compare_answers(as_it_came: Answer, tried: Answer) -> Widening:
    """Return whether an answer has more than that to the form as it came: by counts, else by what the first page shows."""
    if not tried.records or tried.failure or tried.trouble:
        return Widening.LESS
    if as_it_came.total is not None and tried.total is not None and as_it_came.exact and tried.exact:
        more = tried.total - as_it_came.total
        return Widening.MORE if more > 0 else Widening.LESS if more < 0 else Widening.SAME
    one, other = (frozenset(map(key_of, each.records)) for each in (as_it_came, tried))
    if one == other:
        ended = not as_it_came.more and not tried.more
        return Widening.SAME if ended else Widening.UNKNOWN if as_it_came.more == tried.more else Widening.MORE
    return Widening.MORE if len(other) >= len(one) or one < other else Widening.LESS


def may_choose(route: Preset) -> bool:
    """Return True if a hidden value that says what page is meant may choose records as well, as lang or view do: no search, no sorting."""
    is_search = "://" in route.value or any("search" in concepts_of(word) for word in parts_of(route.value))
    return not is_search and not _ARRANGING.search(route.name)


def restricts(as_it_came: Answer, other: Answer) -> bool:
    """Return True if an answer to a made-up value says that it has none, or counts another number; a page that says neither is no answer."""
    if other.failure or other.trouble or other.total is None or not other.exact:
        return False
    return other.total == 0 or (as_it_came.total is not None and as_it_came.exact and as_it_came.total != other.total)


def is_same(as_it_came: Answer, tried: Answer) -> bool:
    """Return True if two answers show the same records, and count as many where they count."""
    if not tried.records or tried.failure or tried.trouble or as_it_came.total != tried.total:
        return False
    one, other = (frozenset(map(key_of, each.records)) for each in (as_it_came, tried))
    return len(one & other) >= max(len(one), len(other)) / 2 and as_it_came.more == tried.more


def shows_others(as_it_came: Answer, changed: Answer) -> bool:
    """Return True if another choice brings other records, or another number of them: then the first keeps some back."""
    if not changed.records or changed.failure or changed.trouble:
        return False
    if as_it_came.total is not None and changed.total is not None and as_it_came.exact and changed.exact:
        return as_it_came.total != changed.total
    one, other = (frozenset(map(key_of, each.records)) for each in (as_it_came, changed))
    return len(one & other) < len(other) / 2


def emptied(presets: Iterable[Preset]) -> dict[str, str]:
    """Return the values that make these controls ask for nothing."""
    return {preset.name: preset.neutral or "" for preset in presets}


def is_shown(text: str, records: Sequence[Record]) -> bool:
    """Return True if nearly all records show a text as one of their values."""
    wanted = text.casefold()
    showing = sum(any(shown.casefold() == wanted for _, shown in record.values) for record in records)
    return len(text) >= MIN_SHOWN_CHARS and showing >= MIN_SHOWING_SHARE * max(1, len(records))


def find_path_filter(door: Door, others: Sequence[Door], records: Sequence[Record] = ()) -> str:
    """Return the part of the address a form sends to that keeps records back, as people read it, or nothing.

    A folder whose name has spaces is a value (`/distro/Debian 11/search`). So is one that another form of the page, with a
    control of the same name, goes without, and one that nearly all records show as theirs.
    """
    folders = _folders(door)
    names = {field.name for field in door.form.fields if field.type in _TYPED}
    wider = [
        set(_folders(other))
        for other in others
        if other.judgement.searchable
        and other.form.method == "GET"
        and names & {field.name for field in other.form.fields}
    ]
    values = [folder for folder in folders if " " in folder.strip() or is_shown(folder, records)]
    values += [
        folder for folder in folders if any(folder not in known and len(known) < len(folders) for known in wider)
    ]
    return f"{values[0]!r} in the address of the form" if values else ""


def _folders(door: Door) -> list[str]:
    """Return the folders of the address that a form sends to, readable, without the last part."""
    path = urlsplit(door.form.action).path.rstrip("/")
    return [unquote(part) for part in path.split("/")[:-1] if part]
