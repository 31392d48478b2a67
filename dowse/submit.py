"""A filled form as the request that a browser would send, by the HTML standard's form submission algorithm.

https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm: which controls are
sent and in which order, what they are encoded in, and how they are written. Whether a form should be sent at all is
decided elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Final
from urllib.parse import quote, quote_from_bytes

from dowse.model import Field, Form, Request, Verdict

Entry = tuple[str, str]  # a name and its value, as they are sent

_URLENCODED: Final = "application/x-www-form-urlencoded"
_MULTIPART: Final = "multipart/form-data"
_PLAIN: Final = "text/plain"
_HTML_FORMS: Final = frozenset({"html", "input"})  # made of a page's own controls

_BUTTONS: Final = frozenset({"submit", "image", "reset", "button"})
_TICKED: Final = frozenset({"radio", "checkbox"})
_UNSEEN: Final = frozenset({"hidden"}) | _BUTTONS
_PLACE: Final = re.compile(r"\{([^{}?]{1,200})(\??)\}")
_SCHEME: Final = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]{0,30}):")
_LINE_END: Final = re.compile(r"\r\n?|\n")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")

# Labels of the Encoding standard whose codec has another name in Python, or is another one there.
# https://encoding.spec.whatwg.org/#names-and-labels
_CODECS: Final = {
    label: codec
    for codec, labels in {
        "cp1252": "iso-8859-1 iso8859-1 iso_8859-1 latin1 latin-1 l1 ascii us-ascii x-cp1252",
        "cp1254": "iso-8859-9 iso8859-9 iso_8859-9 latin5 l5",
        "cp874": "windows-874 dos-874 iso-8859-11 tis-620",
        "iso-8859-8": "iso-8859-8-i logical",
        "mac_roman": "macintosh x-mac-roman mac",
        "mac_cyrillic": "x-mac-cyrillic x-mac-ukrainian",
        "gbk": "gb2312 gb_2312 x-gbk chinese",
        "cp950": "big5 big5-hkscs cn-big5 x-x-big5",
        "cp932": "shift_jis shift-jis sjis x-sjis windows-31j",
        "cp949": "euc-kr ks_c_5601-1987 ksc5601 korean windows-949",
    }.items()
    for label in labels.split()
}


def submit(form: Form, values: Mapping[str, str], pressed: int = -1) -> Request | Verdict:
    """Return the request that sends a form with these values, by field name, and the button at this place pressed.

    All other controls are sent as the page has them. A form that cannot be sent says why.
    """
    address = judge_action(form)
    if not address.yes:
        return address
    charset = output_charset(form.charset)
    if form.template:
        return _fill_template(form, values, charset)
    entries = list(find_entries(form, values, pressed))
    if form.method == "POST":
        return _post(form, entries, charset)
    if form.method != "GET":
        return Verdict(False, f"sends with {form.method}")
    return Request(f"{form.action.partition('#')[0].partition('?')[0]}?{_urlencode(entries, charset)}")


def judge_action(form: Form) -> Verdict:
    """Return whether a form is sent to a web address."""
    address = form.template or form.action
    if address.lower().startswith(("http://", "https://")):
        return Verdict(True)
    scheme = _SCHEME.match(address)
    if scheme:
        return Verdict(False, f"sends to {scheme[1].lower()}:, not to a web address")
    return Verdict(False, "sends to no web address")


def find_names(form: Form) -> set[str]:
    """Return the names that can be given a value."""
    return {field.name for field in form.fields if field.name} | {name for name, _ in _PLACE.findall(form.template)}


def find_entries(form: Form, values: Mapping[str, str], pressed: int = -1) -> Iterator[Entry]:
    """Yield the names and values that are sent, in the order of the controls: given values, and the defaults of other controls."""
    asked = _find_asked(form, values)
    for place, field in enumerate(form.fields):
        if place in asked:
            chosen, value = asked[place] == place, values[field.name]
            if chosen and (value or field.type not in _TICKED):  # of a group of boxes, only the one that has it
                yield field.name, value
        elif field.type in _BUTTONS:
            yield from _press(field) if place == pressed else ()
        elif field.type == "hidden" and field.name.lower() == "_charset_":
            yield field.name, form.charset if output_charset(form.charset) != "utf-8" else "UTF-8"
        elif field.name:
            yield from _leave_untouched(field)


def _find_asked(form: Form, values: Mapping[str, str]) -> dict[int, int]:
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


def _press(button: Field) -> Iterator[Entry]:
    if button.type == "image":  # the point that was pressed
        head = f"{button.name}." if button.name else ""
        yield f"{head}x", "0"
        yield f"{head}y", "0"
    elif button.name:
        yield button.name, button.value


def _leave_untouched(field: Field) -> Iterator[Entry]:
    """Yield what an untouched control sends."""
    if field.type in _TICKED:
        if field.checked:
            yield field.name, field.value
    elif field.type == "select":
        chosen = [option.value for option in field.options if option.selected] if field.multiple else [field.value]
        yield from ((field.name, value) for value in chosen if field.options)
    else:
        yield field.name, field.value


def _post(form: Form, entries: Sequence[Entry], charset: str) -> Request | Verdict:
    """Return the request of a form that sends its values in the body."""
    kind = form.enctype or _URLENCODED
    if kind == _MULTIPART:
        boundary, body = _write_multipart(entries, charset)
        return Request(form.action, "POST", body, (("content-type", f"{_MULTIPART}; boundary={boundary}"),))
    if kind == _PLAIN:
        body = b"".join(_encode(f"{name}={value}\n", charset) for name, value in entries)
        return Request(form.action, "POST", body, (("content-type", _PLAIN),))
    if kind != _URLENCODED and form.made not in _HTML_FORMS:  # a service that wants JSON, for example
        return Verdict(False, f"sends as {kind}")
    body = _urlencode(entries, charset).encode("ascii")
    return Request(form.action, "POST", body, (("content-type", _URLENCODED),))


def _write_multipart(entries: Sequence[Entry], charset: str) -> tuple[str, bytes]:
    """Return the boundary and the body; the same values give the same boundary, so that a request can be recognised."""
    parts = []
    for name, value in entries:
        quoted = _encode(name, charset).replace(b"\r", b"%0D").replace(b"\n", b"%0A").replace(b'"', b"%22")
        parts.append(b'Content-Disposition: form-data; name="' + quoted + b'"\r\n\r\n' + _encode(value, charset))
    boundary = f"----DowseFormBoundary{blake2b(b''.join(parts), digest_size=16).hexdigest()}"
    line = b"--" + boundary.encode("ascii")
    return boundary, b"".join(line + b"\r\n" + part + b"\r\n" for part in parts) + line + b"--\r\n"


def _fill_template(form: Form, values: Mapping[str, str], charset: str) -> Request | Verdict:
    """Expand an address template with values; {name?} may stay empty."""
    known = {field.name: field.value for field in form.fields} | dict(values)
    missing = [name for name, optional in _PLACE.findall(form.template) if not optional and name not in known]
    if missing:
        return Verdict(False, f"wants a value for {missing[0]!r}")

    def encoded(place: re.Match[str]) -> str:
        return quote(known.get(place[1], ""), safe="", encoding=charset, errors="xmlcharrefreplace")

    return Request(_PLACE.sub(encoded, form.template))


def output_charset(label: str) -> str:
    """Return the codec that values are sent in: that of the page or of accept-charset, but UTF-8 instead of UTF-16."""
    codec = _CODECS.get(label.lower(), label)
    try:
        written = "é".encode(codec, "xmlcharrefreplace") if codec else b""
    except (LookupError, ValueError):
        return "utf-8"
    return codec if written and b"\0" not in written else "utf-8"


def _encode(text: str, charset: str) -> bytes:
    """Encode a name or a value; lines end in CR LF, and a character that is not in the encoding becomes `&#8364;`."""
    lines = _LINE_END.sub("\r\n", _SURROGATE.sub("\ufffd", text))
    try:
        return lines.encode(charset, "xmlcharrefreplace")
    except (ValueError, LookupError):
        return lines.encode("utf-8")


def _urlencode(entries: Sequence[Entry], charset: str) -> str:
    quoted = [
        quote_from_bytes(_encode(text, charset), safe="*-._ ").replace(" ", "+").replace("~", "%7E")
        for entry in entries
        for text in entry
    ]
    return "&".join([f"{name}={value}" for name, value in zip(quoted[::2], quoted[1::2], strict=True)])
