"""Answers that are meant for programs: JSON and XML into records, how many there are, and the next page."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

import orjson

from dowse.model import Record, Request, Response, Verdict
from dowse.records.envelope import find_total
from dowse.records.following import find_next_request
from dowse.records.listing import Listing, find_listing, read_records
from dowse.records.xmlread import read_xml

MAX_BODY: Final = 16_000_000  # bytes that are read
MAX_LINES: Final = 50_000  # of JSON, one value each
MAX_MESSAGE: Final = 200  # characters of what a service complains about

_CALLBACK: Final = re.compile(r"\A\s{0,20}(?:/\*\*/)?\s{0,20}[\w$.\[\]]{1,100}\s{0,5}\(")
_GUARD: Final = re.compile(r"\s{0,20}(?:\)\]\}',?|while\(1\);|for\(;;\);)\s{0,20}")
_ERROR_NAMES: Final = ("error", "errors", "fault", "exception", "error_message", "errorMessage", "message", "detail")


@dataclass(frozen=True, slots=True)
class ServiceAnswer:
    """What a service answered."""

    records: tuple[Record, ...] = ()
    total: int | None = None  # matches in all, as the answer says
    exact: bool = True
    next: Request | None = None
    how: str = ""  # how the next page was found
    place: str = ""  # where in the answer the records stand, such as response.docs


def read_service(response: Response, request: Request | None = None) -> ServiceAnswer | Verdict:
    """Return the records of a JSON or XML answer, or why there are none to be read."""
    if not response.body.strip():
        return Verdict(False, "the answer is empty")
    if response.truncated or len(response.body) > MAX_BODY:
        return Verdict(False, "the answer is too large")
    said = _read_values(response)
    if isinstance(said, Verdict):
        return said
    listing = find_listing(said)
    asked = request or Request(response.url)
    if listing is None:
        return _write_none(said, asked)
    return _write_answer(said, listing, response, asked)


def _write_answer(said: Any, listing: Listing, response: Response, asked: Request) -> ServiceAnswer:
    records = read_records(listing)
    following, how = find_next_request(said, listing, response, asked)
    total, exact = find_total(said, listing, asked, has_next=following is not None)
    return ServiceAnswer(records, total, exact, following, how, ".".join(listing.place))


def _write_none(said: Any, asked: Request) -> ServiceAnswer | Verdict:
    """Return an answer without records where it says that there are none, else why it cannot be read."""
    total, _ = find_total(said, Listing(("",), ()), asked, has_next=False)
    if total == 0:
        return ServiceAnswer(total=0)
    complaint = find_complaint(said)
    return Verdict(False, f"the service says: {complaint}" if complaint else "no list of records in the answer")


def is_service(response: Response) -> bool:
    """Say whether a response is JSON or XML rather than a page."""
    kind = response.header("content-type").partition(";")[0].strip().lower()
    if kind.endswith(("json", "+xml", "/xml")) and "xhtml" not in kind:
        return True
    start = response.body[:300].lstrip(b"\xef\xbb\xbf \t\r\n")
    return "html" not in kind and (start[:1] in (b"{", b"[") or _is_xml(start))


def _is_xml(start: bytes) -> bool:
    return start[:1] == b"<" and b"<html" not in start.lower() and b"<!doctype html" not in start.lower()


def _read_values(response: Response) -> Any:
    """Return the plain values that a body stands for, or why it stands for none."""
    start = response.body[:300].lstrip(b"\xef\xbb\xbf\xff\xfe\xfe\xff \t\r\n\0")
    if start[:1] == b"<":
        return read_xml(response.body) if _is_xml(start) else Verdict(False, "a page, neither JSON nor XML")
    return read_json(response.body)


def read_json(body: bytes) -> Any:
    """Return what JSON says, also as one value to a line, in a call or behind a guard; or why it is none."""
    try:
        return orjson.loads(body)
    except ValueError:
        text = _bare_text(body)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _read_lines(text)


def _bare_text(body: bytes) -> str:
    """Return JSON without what scripts put around it."""
    text = body.decode(json.detect_encoding(body), "replace").lstrip("\ufeff")
    text = text[found.end() :] if (found := _GUARD.match(text)) else text
    call = _CALLBACK.match(text)
    if call and text[:1000].lstrip()[:1] not in "{[" and (end := text.rfind(")")) > call.end():
        return text[call.end() : end]
    return text


def _read_lines(text: str) -> Any:
    lines = [line for line in text[:MAX_BODY].splitlines()[:MAX_LINES] if line.strip()]
    try:
        values = [orjson.loads(line) for line in lines]
    except ValueError:
        return Verdict(False, "neither JSON nor XML")
    return values if len(values) > 1 else Verdict(False, "neither JSON nor XML")


def find_complaint(said: Any) -> str:
    """Return what a service says went wrong, or nothing."""
    found: Any = said if isinstance(said, dict) else None
    for _ in range(4):
        if isinstance(found, list):
            found = found[0] if found else None
        if isinstance(found, str):
            return " ".join(found.split())[:MAX_MESSAGE]
        if not isinstance(found, dict):
            return ""
        found = next((found[name] for name in _ERROR_NAMES if found.get(name)), None)
    return ""
