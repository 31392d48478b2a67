"""Filters that a form comes with: what is sent beside a query and may keep records back, tried emptied and changed.

A tracker's list is set to "status open", a hidden field says category=5: what such a form lists is not everything. Emptied,
it may list more, and that is harvested then. Where it cannot be emptied, and other choices show other records, no proof
says more than "all with status open".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final
from urllib.parse import unquote, urlsplit

from dowse.form.questions import is_blank
from dowse.harvester.loop import key_of
from dowse.model import Answer, Door, Field, Record
from dowse.words.lookup import concepts_of, expression, parts_of, whole_text

MAX_PRESETS: Final = 12  # that are looked at: a form with more is a settings page
MAX_FILTER_CHARS: Final = 40  # of a hidden value that may be a filter; longer ones are tokens and states
MIN_TOKEN_CHARS: Final = 12  # from which on letters and digits mixed are a token
MIN_SHOWING_SHARE: Final = 0.95  # of the records that show a hidden value: so many is no chance

_TICKED = frozenset({"checkbox", "radio"})
_TYPED = frozenset({"text", "search", "number", "date", "textarea"})
_ASKS_NOTHING = frozenset({"button", "sort", "paging", "display", "operator"})  # roles of controls
# names of hidden fields that choose a page, a language or a session, never records
_ROUTING = re.compile(
    r"(?i)^_|token|csrf|nonce|sess|charset|utf|^(?:ie|oe|hl|sid|cmd|op|act|action|do|go|mode|module|view|page|p|option|task|"
    r"itemid|lang|locale|language|submit|submitted|form|formid|form_id|form_build_id|method|function|screen|template|layout|"
    r"format|output|return|referer|referrer|redirect|next|sort|order|dir|limit|offset|start|rows|num|count|per_?page|size)$"
)


@dataclass(frozen=True, slots=True)
class Preset:
    """A control that is sent with a value though nobody chose it."""

    name: str
    value: str
    words: str  # as people read it: status open
    neutral: str = ""  # what asks for nothing: a choice that means any, else nothing at all
    others: tuple[str, ...] = ()  # other values that it can have
    hidden: bool = False
    typed: bool = False  # a text, not a choice


class Widening(Enum):
    """What an answer has beside that to the form as it came."""

    MORE = auto()
    SAME = auto()
    LESS = auto()
    UNKNOWN = auto()  # both begin alike, and neither says how many there are


def find_presets(door: Door) -> tuple[Preset, ...]:
    """Return the controls of a form that may keep records back without being asked."""
    no_filter = {name for control in door.controls if control.role in _ASKS_NOTHING for name in control.fields}
    fields = [field for field in door.form.fields if field.name and field.name not in no_filter]
    found: dict[str, Preset] = {}
    for field in fields:
        preset = _read_preset(field, fields)
        if preset is not None:
            found.setdefault(field.name, preset)
    return tuple(found.values())[:MAX_PRESETS]


def _read_preset(field: Field, fields: Sequence[Field]) -> Preset | None:
    """Return what an untouched control sends, where that may be a filter."""
    if field.type == "hidden":
        return (
            _read_hidden(field)
            if not any(each.name == field.name and each.type != "hidden" for each in fields)
            else None
        )
    label = " ".join((field.label or field.group or field.name).split()).strip(" :*").lower()[:MAX_FILTER_CHARS]
    if field.type == "select":
        chosen = next((each for each in field.options if each.value == field.value), None)
        if chosen is None or _asks_for_any(chosen.value, chosen.label):
            return None
        free = (each.value for each in field.options if _asks_for_any(each.value, each.label))
        others = tuple(each.value for each in field.options if each.value != field.value and each.value.strip())
        return Preset(
            field.name, field.value, f"{label} {chosen.label or chosen.value}".strip(), next(free, ""), others
        )
    if field.type in _TICKED and field.checked and not _asks_for_any(field.value, field.label):
        group = [each for each in fields if each.name == field.name and each.type == field.type]
        free = (each.value for each in group if _asks_for_any(each.value, each.label))
        others = tuple(each.value for each in group if not each.checked)  # where all are ticked, nothing is kept back
        words = field.label or f"{field.name} {field.value}"
        return Preset(field.name, field.value, " ".join(words.split()).lower(), next(free, ""), others)
    if field.type in _TYPED and field.value.strip() and not is_blank(field.value):
        return Preset(field.name, field.value, f"{label} {field.value.strip()[:MAX_FILTER_CHARS]}", typed=True)
    return None


def _read_hidden(field: Field) -> Preset | None:
    value = field.value.strip()
    is_token = len(value) >= MIN_TOKEN_CHARS and any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    if is_blank(value) or is_token or len(value) > MAX_FILTER_CHARS or _ROUTING.search(field.name):
        return None
    if any("search" in concepts_of(word) for word in parts_of(value)) or "://" in value:
        return None
    return Preset(field.name, value, f"{field.name} {value}", hidden=True)


def _asks_for_any(value: str, label: str) -> bool:
    """Return True if a choice asks for nothing: its value is blank, or it is called any, or all of something."""
    said = " ".join(label.split()).lower().strip(" -—.()")
    if is_blank(value) or whole_text("all").match(said):
        return True
    return expression("all of", r"(?:...)\b").match(said) is not None


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
    return {preset.name: preset.neutral for preset in presets}


def changed(presets: Sequence[Preset]) -> Iterator[tuple[Preset, dict[str, str]]]:
    """Yield controls that have other choices with one of them: one of each, then another, for a choice may have no records."""
    for place in (0, -1):
        for preset in presets:
            if preset.others:
                yield preset, {preset.name: preset.others[place]}


def is_shown(preset: Preset, records: Sequence[Record]) -> bool:
    """Return True if nearly all records show the value of a control as one of theirs."""
    wanted = preset.value.casefold()
    showing = sum(any(text.casefold() == wanted for _, text in record.values) for record in records)
    return showing >= MIN_SHOWING_SHARE * max(1, len(records))


def find_path_filter(door: Door, others: Sequence[Door]) -> str:
    """Return the part of the address a form sends to that keeps records back, as people read it, or nothing.

    A folder whose name has spaces is a value (`/distro/Debian 11/search`). So is one that another form of the page, with a
    control of the same name, goes without.
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
    values = [folder for folder in folders if " " in folder.strip()]
    values += [
        folder for folder in folders if any(folder not in known and len(known) < len(folders) for known in wider)
    ]
    return f"{values[0]!r} in the address of the form" if values else ""


def _folders(door: Door) -> list[str]:
    """Return the folders of the address that a form sends to, readable, without the last part."""
    path = urlsplit(door.form.action).path.rstrip("/")
    return [unquote(part) for part in path.split("/")[:-1] if part]
