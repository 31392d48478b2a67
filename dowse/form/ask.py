"""From a door and values to the request that a browser would send.

The rules are those of the HTML standard (form submission): which controls count, in which order, how
values are encoded. What must not be sent is refused, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from urllib.parse import quote, quote_from_bytes

from dowse.form.meaning import concepts_of, parts_of
from dowse.model import Door, Field, Form, Request, Verdict

GET_ONLY = frozenset({"GET"})
MAX_ADDRESS = 8_192  # characters; servers refuse longer ones
MAX_VALUE = 1_000  # characters of one value that is asked for

_URLENCODED = "application/x-www-form-urlencoded"
_NEVER_SENT = frozenset({"reset", "button"})
_TICKED = frozenset({"radio", "checkbox"})
_PRESSED = frozenset({"submit", "image"})
_UNSEEN = frozenset({"hidden"}) | _PRESSED | _NEVER_SENT
_PROTOCOLS = frozenset({"oai-pmh", "sru", "ckan"})
_DESTROYING = frozenset({"destroy", "unsubscribe"})
_CHANGING = _DESTROYING | frozenset({"order", "vote", "subscribe", "upload", "register"})
SHORT = 30  # characters of a hidden value that may be a command
_PLACE = re.compile(r"\{([^{}?]{1,200})(\??)\}")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]{0,30}):")

Pair = tuple[str, str]


def fill(door: Door, values: Mapping[str, str], methods: Container[str] = GET_ONLY) -> Request | Verdict:
    """Return the request that puts these values, by field name, to a door; or why it is not to be asked."""
    form = door.form
    refused = judge_asking(door, methods)
    if not refused.yes:
        return refused
    unknown = [name for name in values if name not in _names(form)]
    if unknown:
        return Verdict(False, f"has no field {unknown[0]!r}")
    values = {name: value[:MAX_VALUE] for name, value in values.items()}
    request = _fill_template(form, values) if form.template else _fill_fields(form, values)
    if isinstance(request, Request) and len(request.url) > MAX_ADDRESS:
        return Verdict(False, f"its address would have {len(request.url):,} characters")
    return request


def judge_asking(door: Door, methods: Container[str] = GET_ONLY) -> Verdict:
    """Say whether a door may be asked at all: only searches, and only in the ways that are allowed."""
    form = door.form
    types = {field.type for field in form.fields}
    if "password" in types:
        return Verdict(False, "asks for a password")
    if "file" in types:
        return Verdict(False, "asks for a file")
    if not door.judgement.searchable:
        return Verdict(False, f"is no search: its kind is {door.judgement.kind}")
    if form.made in _PROTOCOLS:
        return Verdict(False, f"speaks a protocol of its own ({form.made})")
    changing = _find_changing(form)
    if changing:
        return Verdict(False, f"may change something: {changing!r}")
    if form.method not in methods:
        return Verdict(
            False, f"sends with {form.method}, and only {'GET' if 'GET' in methods else 'others'} is allowed"
        )
    return _judge_address(form)


def _find_changing(form: Form) -> str:
    """Return the word of an address, a hidden value or the button to be pressed that speaks of changing what is there, or nothing."""
    place = _pressed_place(form)
    button = form.fields[place] if place >= 0 else Field("", "submit")
    sent = [form.action.partition("//")[2].partition("/")[2]]
    sent += [f"{field.name} {field.value[:SHORT]}" for field in form.fields if field.type == "hidden"]
    return _find_word(" ".join(sent), _DESTROYING) or _find_word(
        f"{button.name} {button.value} {button.label}", _CHANGING
    )


def _find_word(text: str, concepts: frozenset[str]) -> str:
    return next((word for word in parts_of(text) if not concepts.isdisjoint(concepts_of(word))), "")


def _pressed_place(form: Form) -> int:
    """Return the button that is pressed: the first that speaks of searching, else the first; -1 without one."""
    places = [place for place, field in enumerate(form.fields) if field.type in _PRESSED]
    searching = (place for place in places if _speaks_of_search(form.fields[place]))
    return next(searching, places[0] if places else -1)


def _speaks_of_search(button: Field) -> bool:
    return any(
        "search" in concepts_of(word)
        for word in parts_of(f"{button.name} {button.value} {button.label} {button.title}")
    )


def _judge_address(form: Form) -> Verdict:
    address = form.template or form.action
    if address.lower().startswith(("http://", "https://")):
        return Verdict(True)
    scheme = _SCHEME.match(address)
    if scheme:
        return Verdict(False, f"sends to {scheme[1].lower()}:, not to a web address")
    return Verdict(False, "sends to no web address")


def _names(form: Form) -> set[str]:
    """Return the names that can be given a value."""
    return {field.name for field in form.fields if field.name} | {name for name, _ in _PLACE.findall(form.template)}


def _fill_fields(form: Form, values: Mapping[str, str]) -> Request | Verdict:
    charset = output_charset(form.charset)
    text = "&".join(
        f"{_encode(name, charset)}={_encode(value, charset)}" for name, value in find_pairs(form, values, charset)
    )
    if form.method == "POST":
        if form.enctype not in ("", _URLENCODED):
            return Verdict(False, f"sends as {form.enctype}")
        return Request(form.action, "POST", text.encode("ascii"), (("content-type", _URLENCODED),))
    return Request(f"{form.action.partition('#')[0].partition('?')[0]}?{text}")  # the action's own query is replaced


def find_pairs(form: Form, values: Mapping[str, str], charset: str = "utf-8") -> Iterator[Pair]:
    """Yield the names and values that go out, in the order of the controls: what is asked, and what stands there anyway."""
    pressed = _pressed_place(form)
    asked = _places(form, values)
    for place, field in enumerate(form.fields):
        if place in asked:
            yield from _given(field, values[field.name], place == asked[place])
        elif field.type in _PRESSED:
            yield from _press(field) if place == pressed else ()
        elif field.type == "hidden" and field.name == "_charset_":
            yield field.name, charset
        elif field.name and field.type not in _NEVER_SENT:
            yield from _untouched(field)


def _places(form: Form, values: Mapping[str, str]) -> dict[int, int]:
    """Return the controls that values were given for, each with the place of the one of its name that gets the value."""
    found: dict[int, int] = {}
    for name, value in values.items():
        own = [place for place, field in enumerate(form.fields) if field.name == name]
        seen = [place for place in own if form.fields[place].type not in _UNSEEN] or own
        ticked = [place for place in seen if form.fields[place].type in _TICKED]
        right = next((place for place in ticked if form.fields[place].value == value), None)
        chosen = right if right is not None else seen[0] if seen else -1
        found |= dict.fromkeys(ticked or [chosen], chosen)
    return found


def _given(field: Field, value: str, chosen: bool) -> Iterator[Pair]:
    """Yield what a control sends that a value was given for: of a group of boxes, only the one that has it."""
    if chosen and (value or field.type not in _TICKED):
        yield field.name, value


def _press(button: Field) -> Iterator[Pair]:
    if button.type == "image":  # the place that was pressed
        head = f"{button.name}." if button.name else ""
        yield f"{head}x", "0"
        yield f"{head}y", "0"
    elif button.name:
        yield button.name, button.value


def _untouched(field: Field) -> Iterator[Pair]:
    """Yield what a control sends that nobody touched."""
    if field.type in _TICKED:
        if field.checked:
            yield field.name, field.value
    elif field.type == "select":
        chosen = [option.value for option in field.options if option.selected] if field.multiple else [field.value]
        yield from ((field.name, value) for value in chosen if field.options)
    else:
        yield field.name, field.value


def _fill_template(form: Form, values: Mapping[str, str]) -> Request | Verdict:
    """Put values into the places of an address; {name?} may stay empty."""
    charset = output_charset(form.charset)
    known = {field.name: field.value for field in form.fields} | dict(values)
    missing = [name for name, optional in _PLACE.findall(form.template) if not optional and name not in known]
    if missing:
        return Verdict(False, f"wants a value for {missing[0]!r}")

    def encoded(place: re.Match[str]) -> str:
        return quote(known.get(place[1], ""), safe="", encoding=charset, errors="xmlcharrefreplace")

    return Request(_PLACE.sub(encoded, form.template))


def output_charset(name: str) -> str:
    """Return the encoding that values go out in: what the page is written in, but never UTF-16."""
    try:
        known = "é".encode(name, "xmlcharrefreplace") if name else b""
    except (LookupError, ValueError):
        return "utf-8"
    return name if known and b"\0" not in known else "utf-8"


def _encode(text: str, charset: str) -> str:
    """Encode a name or value as `application/x-www-form-urlencoded` has it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    try:
        raw = lines.encode(charset, "xmlcharrefreplace")
    except (ValueError, LookupError):
        raw = lines.encode("utf-8", "replace")
    return quote_from_bytes(raw, safe="*-._ ").replace(" ", "+").replace("~", "%7E")
