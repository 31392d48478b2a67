"""Next pages that no link leads to: a form with a button, an address in a script or an attribute."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from typing import Final
from urllib.parse import urlsplit

from dowse.model import Field, Form, Request
from dowse.records.pagewords import read_number, read_word
from dowse.records.relation import SAME_LIST, relate
from dowse.records.steps import counts_pages
from dowse.submit import submit
from dowse.url import canonical

MAX_SOURCE: Final = 2_000_000  # characters of a page that are looked through
_PRESSED: Final = frozenset({"submit", "image", "button"})
_NEVER_SENT: Final = frozenset({"file", "password"})

_ATTRIBUTE: Final = re.compile(
    r"\bdata-(?:next(?:-?(?:url|page|href|link|page-url))?|load-?more(?:-?url)?|more-?url|page-?url|infinite(?:-?url)?)\s{0,4}=\s{0,4}[\"']([^\"'<>]{2,2000})[\"']",
    re.IGNORECASE,
)
_JSON_NEXT: Final = re.compile(
    r"[\"'](?:next_?(?:page_?)?(?:url|link|href)|load_?more_?url|next_?page)[\"']\s{0,4}:\s{0,4}[\"']([^\"'<>]{2,2000})[\"']",
    re.IGNORECASE,
)
_POST_BACK: Final = re.compile(
    r"__doPostBack\((?:'|&#39;)([^'&]{1,200})(?:'|&#39;),\s?(?:'|&#39;)Page\$(Next|\d{1,6})(?:'|&#39;)\)"
)


def find_next_form(forms: Sequence[Form], here: str, number: int) -> Request | None:
    """Return the request of a form whose button says next, or the number after this page's."""
    for form in forms:
        button = _find_button(form, number)
        if button is not None and _stays_here(form, here):
            return _press(form, button)
    return None


def _stays_here(form: Form, here: str) -> bool:
    """Say whether a form asks for more of the same: a booking in steps says next too."""
    if any(each.type in ("password", "file") or (each.required and not each.value) for each in form.fields):
        return False
    one, two = urlsplit(here), urlsplit(form.action)
    return one.hostname == two.hostname and (one.path == two.path or any(_is_counter(each) for each in form.fields))


def _is_counter(each: Field) -> bool:
    return each.type == "hidden" and each.value.isdecimal() and counts_pages(each.name)


def _find_button(form: Form, number: int) -> Field | None:
    buttons = [each for each in form.fields if each.type in _PRESSED]
    for button in buttons:
        if any(
            read_word(said) in ("next", "right") for said in (button.value, button.label, button.title, button.aria)
        ):
            return button
    hidden = any(each.type == "hidden" for each in form.fields)
    numbered = [each for each in buttons if hidden and number and read_number(each.value) == number + 1]
    return numbered[0] if len(buttons) > 1 and numbered else None


def _press(form: Form, button: Field | None, extra: Sequence[tuple[str, str]] = ()) -> Request | None:
    """Return the request that is sent when a button is pressed and scripts have set some values; nothing else is touched."""
    given = dict(extra)
    kept = [each for each in form.fields if each.type not in _NEVER_SENT and each.name not in given]
    fields = (*kept, *(Field(name, "hidden", value=value) for name, value in extra))
    request = submit(replace(form, fields=fields), {}, fields.index(button) if button in fields else -1)
    return request if isinstance(request, Request) else None


def find_scripted(source: str, here: str, forms: Sequence[Form], number: int) -> Request | None:
    """Return the next page that an attribute or a script of the page names plainly."""
    source = source[:MAX_SOURCE]
    for found in (*_ATTRIBUTE.findall(source), *_JSON_NEXT.findall(source)):
        url = canonical(unescape(found).replace("\\/", "/"), here) if re.search(r"[/?=]", found) else None
        if url and url != here and relate(here, url) >= SAME_LIST:
            return Request(url)
    return _post_back(source, forms, number)


def _post_back(source: str, forms: Sequence[Form], number: int) -> Request | None:
    """Return what the page of an ASP.NET grid sends when its next page is pressed."""
    wanted = {(target, page) for target, page in _POST_BACK.findall(source) if page in ("Next", str(number + 1))}
    states = [form for form in forms if any(each.name == "__VIEWSTATE" for each in form.fields)]
    if len({target for target, _ in wanted}) != 1 or not states:
        return None
    target, page = min(wanted)
    return _press(states[0], None, (("__EVENTTARGET", target), ("__EVENTARGUMENT", f"Page${page}")))
