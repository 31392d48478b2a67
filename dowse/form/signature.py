"""A name for a form that is the same wherever the form stands on its site."""

from __future__ import annotations

import hashlib

from dowse.form.words import STATE_TYPES
from dowse.model import Form


def sign(form: Form) -> str:
    """Return what stays the same when hidden state, options' order and hosts change.

    A form that sends to the page it stands on is known by what it says instead: its
    address changes from page to page, its words do not.
    """
    target = form.action.partition("?")[0]
    fields = sorted({f"{field.type}:{field.name}" for field in form.fields if field.type not in STATE_TYPES})
    if form.own_page:
        place = form.text[:300]
    else:
        place = target.partition("://")[2].partition("/")[2]
    text = "\n".join([form.method, place, *fields])
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
