"""Services that a page's scripts asked, as forms: an address with a question in it can be asked another."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import parse_qsl

from dowse.model import Call, Field, Form
from dowse.url import canonical

MAX_FORMS = 10  # made of the calls of one page
MAX_FIELDS = 50
MAX_WORDS = 200
MAX_VALUE = 2_000
MAX_NESTED = 4  # levels of JSON in which a question is looked for

_QUESTION = re.compile(
    r"(?:(?:search|query|filter|full|free)[._-]?)?(?:q|qs|query|search|searchterms?|terms?|keywords?|kw|text|querystring|searchtext|searchstring|phrase)",
    re.IGNORECASE,
)
_NOT_WORDS = re.compile(r"\s{0,20}(?:query|fragment|subscription|\{)", re.IGNORECASE)  # GraphQL, not what people type


def find_call_forms(calls: Sequence[Call]) -> list[Form]:
    """Return the calls that ask something as forms, each address once."""
    found: dict[tuple[str, str, tuple[str, ...]], Form] = {}
    for call in calls:
        if len(found) >= MAX_FORMS:
            break
        form = _read_call(call)
        if form is not None:
            found.setdefault((form.method, form.action, tuple(sorted(field.name for field in form.fields))), form)
    return list(found.values())


def _read_call(call: Call) -> Form | None:
    action = canonical(call.url.partition("?")[0])
    if action is None or not 200 <= call.status < 300:
        return None
    pairs = list(_find_values(call))[:MAX_FIELDS]
    if not any(_is_question(name, value) for name, value in pairs):
        return None
    kind = "application/json" if call.method == "POST" else ""
    return Form(0, call.method, action, tuple(_field(*pair) for pair in pairs), enctype=kind, made="call")


def _find_values(call: Call) -> Iterator[tuple[str, str]]:
    """Yield what was sent: the parameters of the address, or the values of a JSON body with their paths as names."""
    if call.method == "GET":
        try:
            yield from parse_qsl(call.url.partition("?")[2], keep_blank_values=True, max_num_fields=MAX_FIELDS)
        except ValueError:
            return
    elif call.body:
        try:
            sent = json.loads(call.body)
        except (ValueError, RecursionError):
            return
        yield from _find_leaves(sent, "", MAX_NESTED)


def _find_leaves(value: Any, name: str, levels: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and levels:
        for key, inside in list(value.items())[:MAX_FIELDS]:
            yield from _find_leaves(inside, f"{name}.{key}" if name else str(key), levels - 1)
    elif isinstance(value, str | int | float) and name:
        yield name, str(value)


def _is_question(name: str, value: str) -> bool:
    last = name.rpartition(".")[2]
    return _QUESTION.fullmatch(last[:MAX_WORDS]) is not None and not ("{" in value and _NOT_WORDS.match(value))


def _field(name: str, value: str) -> Field:
    kind = "search" if _is_question(name, value) else "hidden"
    return Field(name[:MAX_WORDS], kind, value=value[:MAX_VALUE])
