"""Sorts of controls, and the words inside a form."""

from __future__ import annotations

from dowse.model import Field, Form

BUTTON_TYPES = frozenset({"submit", "button", "image", "reset"})
STATE_TYPES = frozenset({"hidden"}) | BUTTON_TYPES
TYPED_TYPES = frozenset({"text", "search", "email", "tel", "url", "number", "date", "textarea", "password", "range"})
OWN_TEXT = 80  # characters of text for each control, from which a form has swallowed its page


def visible_fields(form: Form) -> list[Field]:
    """Return the controls a person fills in."""
    return [field for field in form.fields if field.type not in STATE_TYPES]


def own_text(form: Form) -> str:
    """Return the words inside a form, unless there are so many that it was never closed."""
    return form.text if len(form.text) <= OWN_TEXT * (1 + len(form.fields)) else ""
