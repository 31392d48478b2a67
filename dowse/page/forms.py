"""The forms of a page as a browser has them: which controls, under which labels, with which choices."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dowse.model import Field, Form, Option
from dowse.page.bounds import Bounds
from dowse.page.html import Element, Position, Tree
from dowse.page.labels import Labels
from dowse.page.owner import Above, find_owners
from dowse.page.path import TagPath
from dowse.page.text import collapse, read_words
from dowse.url import MAX_LENGTH, Base

MAX_FORMS = 200
MAX_FIELDS = 500
MAX_OPTIONS = 1_000
MAX_WORDS = 200  # characters of a name, a title, a choice
MAX_VALUE = 65_536  # a longer one (state that some servers keep in the page) is left out whole
MAX_TEXT = 1_000
MAX_TEXT_PARTS = 400
MAX_FAMILIAR = 5_000  # ways of writing a form that are remembered for a site

_CONTROLS = ("input", "select", "textarea", "button")
_TAGS = re.compile(r"<(?:form|input|select|textarea|button)\b[^>]*>")
_METHODS = {"post": "POST", "dialog": "DIALOG"}
_BUTTONS = frozenset({"submit", "reset", "button"})


Found = tuple[int, Element, tuple[Field, ...]]


def find_fields(
    tree: Tree, text_type: type[Any], ends: Callable[[], list[Position]], bounds: Bounds, familiar: set[int] | None
) -> tuple[list[Found], int]:
    """Return the forms of a page that are not familiar, by number, with the controls a browser gives them; and count all."""
    forms = tree.find_all("form")
    if not forms:
        return [], 0
    kept = bounds.keep("forms", forms, MAX_FORMS)
    new = [number for number, form in enumerate(kept) if familiar is None or not _is_familiar(form, familiar)]
    if not new:
        return [], len(kept)
    labels = Labels(tree, text_type)
    owned = _find_owned(tree, forms, labels, ends)
    return [(number, kept[number], _read_fields(owned[number], labels, bounds)) for number in new], len(kept)


def _is_familiar(form: Element, familiar: set[int]) -> bool:
    """Say whether a form with these tags was read before; if not, it has been now.

    One that has no control inside is always new: broken markup keeps its controls elsewhere. One
    that sends to its own page is known by its words too.
    """
    written = form.html
    tags = _TAGS.findall(written)
    if len(tags) < 2:
        return False
    name = hash("".join(tags) if form.attr("action") else written)
    if name in familiar:
        return True
    if len(familiar) < MAX_FAMILIAR:
        familiar.add(name)
    return False


def _read_fields(controls: Sequence[Element], labels: Labels, bounds: Bounds) -> tuple[Field, ...]:
    return tuple([_read_field(control, labels, bounds) for control in bounds.keep("fields", controls, MAX_FIELDS)])


def _find_owned(
    tree: Tree, forms: Sequence[Element], labels: Labels, ends: Callable[[], list[Position]]
) -> list[list[Element]]:
    """Return the controls of each form, and tell the labels what stands inside them."""
    controls = list(tree.iter_elements(_CONTROLS))
    above = Above(forms)
    found = [above.of(control) for control in controls]
    owners = find_owners(controls, forms, [form for form, _ in found], ends)
    owned: list[list[Element]] = [[] for _ in forms]
    for control, owner, (_, label) in zip(controls, owners, found, strict=True):
        if label is not None:
            labels.wrap(label, control)
        named = control.attr("form")
        if named is not None:
            owner = above.number(labels.find_id(named))
        if owner >= 0:
            owned[owner].append(control)
    return owned


def read_form(
    number: int, element: Element, fields: tuple[Field, ...], text: str, url: str, base: Base, path_of: TagPath
) -> Form:
    """Return one form with its own attributes."""
    return Form(
        index=number,
        method=_METHODS.get((element.attr("method") or "").strip().lower(), "GET"),
        action=_read_action(element, url, base),
        fields=fields,
        id=_words(element, "id"),
        name=_words(element, "name"),
        css=_words(element, "class"),
        role=_words(element, "role"),
        text=text,
        enctype=_words(element, "enctype").lower(),
        path=path_of(element),
        own_page=not (element.attr("action") or "").strip(),
    )


def read_form_text(element: Element, fields: tuple[Field, ...], text_type: type[Any]) -> str:
    """Return the words in a form; of one opened in a table, which is left empty, those of the table."""
    text = read_words(element, text_type, MAX_TEXT, MAX_TEXT_PARTS)
    if text or not fields:
        return text
    return read_words(element.parent, text_type, MAX_TEXT, MAX_TEXT_PARTS)


def _read_action(element: Element, url: str, base: Base) -> str:
    action = (element.attr("action") or "").strip()
    if not action:
        return url  # the standard: the page itself, whatever its base
    return (len(action) <= MAX_LENGTH and base.resolve(action)) or ""


def _read_field(control: Element, labels: Labels, bounds: Bounds) -> Field:
    given: Mapping[str, Any] = control.attrs.copy()  # in one call: a control is asked for a dozen
    tag = control.tag
    kind = _read_type(tag, given)
    options = _read_options(control, tag, given, labels, bounds)
    return Field(
        (given.get("name") or "")[:MAX_WORDS],
        kind,
        (given.get("id") or "")[:MAX_WORDS],
        labels.of(control, given),
        _read_value(control, kind, given, options, bounds),
        (given.get("placeholder") or "")[:MAX_WORDS],
        (given.get("title") or "")[:MAX_WORDS],
        options,
        "required" in given,
        "multiple" in given,
        "checked" in given,
        (given.get("autocomplete") or "")[:MAX_WORDS],
    )


def _read_type(tag: str, given: Mapping[str, Any]) -> str:
    if tag == "input":
        return (given.get("type") or "").strip().lower()[:MAX_WORDS] or "text"
    if tag == "button":
        kind = (given.get("type") or "").strip().lower()
        return kind if kind in _BUTTONS else "submit"
    return tag


def _read_value(
    control: Element, kind: str, given: Mapping[str, Any], options: tuple[Option, ...], bounds: Bounds
) -> str:
    """Return what a browser would send when nobody touched the control."""
    if kind == "select":
        return _chosen("multiple" in given, options)
    value = control.text if kind == "textarea" else given.get("value")
    if value is None:
        return "on" if kind in ("checkbox", "radio") and "value" not in given else ""
    if len(value) > MAX_VALUE:
        bounds.drop("values")
        return ""
    return str(value)


def _chosen(several: bool, options: tuple[Option, ...]) -> str:
    selected = [option.value for option in options if option.selected]
    if several:
        return selected[0] if selected else ""
    return selected[-1] if selected else options[0].value if options else ""


def _read_options(
    control: Element, tag: str, given: Mapping[str, Any], labels: Labels, bounds: Bounds
) -> tuple[Option, ...]:
    """Return the choices of a select, or those that a datalist suggests for a text field."""
    holder: Element | None = None
    if tag == "select":
        holder = control
    elif tag == "input" and given.get("list"):
        holder = labels.find_id(given["list"])
        if holder is not None and holder.tag != "datalist":
            holder = None
    if holder is None:
        return ()
    return tuple(map(_read_option, bounds.keep_options(holder.find_all("option"), MAX_OPTIONS)))


def _read_option(option: Element) -> Option:
    text = collapse(option.text, MAX_WORDS)
    value = option.attr("value")
    return Option(
        text if value is None else value[:MAX_LENGTH],
        text or (option.attr("label") or "")[:MAX_WORDS],
        option.attr("selected") is not None,
    )


def _words(element: Element, name: str) -> str:
    value: Any = element.attr(name)
    return value[:MAX_WORDS] if value else ""
