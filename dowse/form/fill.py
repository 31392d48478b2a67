"""A door filled in: the request that puts values to it, or why it may not be asked."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import replace

from dowse.model import Door, Field, Form, Judgement, Request, Verdict
from dowse.submit import find_names, judge_action, submit
from dowse.words.lookup import concepts_of, expression, parts_of

GET_ONLY = frozenset({"GET"})
MAX_ADDRESS = 8_192  # characters; servers refuse longer ones
MAX_VALUE = 1_000  # characters of one value that is asked for
MAX_COMMAND = 30  # characters of a hidden value that may be a command

_PRESSED = frozenset({"submit", "image"})
_PROTOCOLS = frozenset({"oai-pmh", "sru", "ckan"})
_DESTROYING = frozenset({"destroy", "unsubscribe"})
_CHANGING = _DESTROYING | frozenset({"order", "vote", "subscribe", "upload", "register"})
_CHANGING_PATHS = _CHANGING | frozenset({"contact", "login", "set"})  # of an address that no search is known at
_INSISTED = "it looks like a search, and was named as the form to ask"  # a reason of a judgement
_NAMED_KINDS = frozenset({"other", "configure"})  # that may be searches after all, where somebody says so


def fill(door: Door, values: Mapping[str, str], methods: Container[str] = GET_ONLY) -> Request | Verdict:
    """Return the request that puts these values, by field name, to a door; or why it is not to be asked."""
    form = door.form
    refused = judge_asking(door, methods)
    if not refused.yes:
        return refused
    unknown = [name for name in values if name not in find_names(form)]
    if unknown:
        return Verdict(False, f"has no field {unknown[0]!r}")
    values = {name: value[:MAX_VALUE] for name, value in values.items()}
    request = submit(form, values, _pressed_place(form))
    if isinstance(request, Request) and len(request.url) > MAX_ADDRESS:
        return Verdict(False, f"its address would have more than {MAX_ADDRESS:,} characters")
    return request


def judge_asking(door: Door, methods: Container[str] = GET_ONLY) -> Verdict:
    """Judge whether a door may be asked at all: only searches, and only with the methods that are allowed."""
    form = door.form
    types = {field.type for field in form.fields}
    if "password" in types:
        return Verdict(False, "asks for a password")
    if "file" in types:
        return Verdict(False, "asks for a file")
    if not door.judgement.searchable:
        return Verdict(False, f"is not a search form: its kind is {door.judgement.kind}")
    if form.made in _PROTOCOLS:
        return Verdict(False, f"speaks a protocol of its own ({form.made})")
    changing = _find_changing(form, is_named=_INSISTED in door.judgement.reasons)
    if changing:
        is_able = form.method == "GET" and not _find_changing(form, is_named=True)
        insist = f"; --form {form.index} insists" if is_able else ""
        return Verdict(False, f"may change something: {changing!r}{insist}")
    if form.fields and not form.template and not any(field.name for field in form.fields):
        return Verdict(
            False, "has no control with a name, so a request carries no query: a script of the page sends it"
        )
    if form.method not in methods:
        return Verdict(
            False, f"sends with {form.method}, and only {'GET' if 'GET' in methods else 'others'} is allowed"
        )
    return judge_action(form)


def judge_named(door: Door) -> Judgement:
    """Return a database for a form of no clear kind that somebody named as one to ask, unless it may change something.

    A search stays what it is; what its button says does not speak against it then.
    """
    form, said = door.form, door.judgement
    words = parts_of(form.action.partition("//")[2].partition("/")[2].partition("?")[0])
    if form.method == "GET" and said.searchable:
        return replace(said, reasons=(_INSISTED, *said.reasons))
    if form.method != "GET" or said.kind not in _NAMED_KINDS:
        return said
    if any(not _CHANGING_PATHS.isdisjoint(concepts_of(word)) for word in words):
        return said
    return Judgement("database", 1.0, ("it was named as the form to ask",))


def _find_changing(form: Form, *, is_named: bool = False) -> str:
    """Return the word of an address, a hidden value or the button to be pressed that speaks of changing what is there, or nothing.

    Beside a word of searching such a word is rather what is searched, where the form only asks: "Search the register"; unless it
    destroys, or both are to be done: "Search and order".
    """
    place = _pressed_place(form)
    button = form.fields[place] if place >= 0 else Field("", "submit")
    sent = [form.action.partition("//")[2].partition("/")[2]]
    sent += [f"{field.name} {field.value[:MAX_COMMAND]}" for field in form.fields if field.type == "hidden"]
    pressed = f"{button.name} {button.value} {button.label}"
    said = {concept for word in parts_of(pressed) for concept in concepts_of(word)}
    is_search = form.method == "GET" and "search" in said and not _both_deeds().search(pressed.lower())
    by_button = _DESTROYING if is_named or is_search else _CHANGING
    for text, concepts in ((" ".join(sent), _DESTROYING), (pressed, by_button)):
        found = next((word for word in parts_of(text) if not concepts.isdisjoint(concepts_of(word))), "")
        if found:
            return found
    return ""


def _both_deeds() -> re.Pattern[str]:
    """Return an expression for what joins two deeds."""
    return expression("and", r"(?<!\w)(?:...)(?!\w)|[&+/,;|]")


def _pressed_place(form: Form) -> int:
    """Return the button that is pressed: the first that mentions searching, else the first; -1 without one."""
    places = [place for place, field in enumerate(form.fields) if field.type in _PRESSED]
    for place in places:
        button = form.fields[place]
        said = parts_of(f"{button.name} {button.value} {button.label} {button.title}")
        if any("search" in concepts_of(word) for word in said):
            return place
    return places[0] if places else -1
