"""Next pages that no link leads to: a form with a button, an address in a script or an attribute."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final
from urllib.parse import quote_from_bytes, urlsplit

from dowse.model import Field, Form, Request
from dowse.records.pagewords import read_number, read_word
from dowse.records.relation import SAME_LIST, relate
from dowse.records.steps import counts_pages
from dowse.url import canonical

MAX_SOURCE: Final = 2_000_000  # characters of a page that are looked through
MAX_FIELDS: Final = 500
_PRESSED: Final = frozenset({"submit", "image", "button"})
_NEVER_SENT: Final = _PRESSED | {"reset", "file", "password"}
_URLENCODED: Final = "application/x-www-form-urlencoded"

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
            return press(form, button)
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


def press(form: Form, button: Field, extra: Sequence[tuple[str, str]] = ()) -> Request | None:
    """Return the request that a browser sends when a button of a form is pressed and nothing else is touched."""
    if form.enctype not in ("", _URLENCODED) or not form.action.startswith(("http://", "https://")):
        return None
    given = dict(extra)
    pairs = [pair for pair in _untouched(form) if pair[0] not in given]
    if button.name:
        pairs += (
            [(f"{button.name}.x", "0"), (f"{button.name}.y", "0")]
            if button.type == "image"
            else [(button.name, button.value)]
        )
    text = "&".join(f"{_encode(name, form.charset)}={_encode(value, form.charset)}" for name, value in [*pairs, *extra])
    if form.method == "POST":
        return Request(form.action, "POST", text.encode("ascii"), (("content-type", _URLENCODED),))
    return Request(f"{form.action.partition('#')[0].partition('?')[0]}?{text}")


def _untouched(form: Form) -> Iterator[tuple[str, str]]:
    """Yield what the controls of a form send that nobody touched, buttons aside."""
    for each in form.fields[:MAX_FIELDS]:
        if not each.name or each.type in _NEVER_SENT or (each.type in ("radio", "checkbox") and not each.checked):
            continue
        if each.type == "select" and each.multiple:
            yield from ((each.name, option.value) for option in each.options if option.selected)
        elif each.type != "select" or each.options:
            yield each.name, each.value


def _encode(text: str, charset: str) -> str:
    try:
        raw = text.encode(charset or "utf-8", "xmlcharrefreplace")
    except (LookupError, ValueError):
        raw = text.encode("utf-8", "replace")
    return quote_from_bytes(raw, safe="*-._ ").replace(" ", "+")


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
    return press(states[0], Field("", "submit"), (("__EVENTTARGET", target), ("__EVENTARGUMENT", f"Page${page}")))
