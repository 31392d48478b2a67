"""The forms of the pages that come with Formasaurus, as its parser sees them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

import tldextract
from formasaurus.formhash import get_form_hash
from formasaurus.html import get_forms, load_html
from formasaurus.utils import at_root
from lxml.html import HtmlElement

from bench.judges.features import Control, measure_form
from bench.judges.folds import NOT_ANNOTATED, Row, simplify, split_domains

DATA = Path(at_root("data"))
_CONTROLS = ("input", "button", "option", "select", "textarea")
_SILENT = ("script", "style", "noscript", "template")
_UNSEEN_TYPES = ("hidden", "password", "checkbox", "radio", "file")  # their values are not shown


@dataclass(frozen=True, slots=True)
class Sample:
    """A form to learn from or to judge."""

    row: Row
    element: HtmlElement
    fingerprint: str  # equal for forms that Formasaurus takes for one


def read_samples(rows: Sequence[Row]) -> list[Sample]:
    """Return the forms of the rows, in their order."""
    pages = {name: get_forms(load_html(read_page(name))) for name in {row.page for row in rows}}
    samples = []
    for row in rows:
        if not 0 <= row.form < len(pages[row.page]):
            raise SystemExit(f"{row.page} has no form {row.form}")
        element = pages[row.page][row.form]
        samples.append(Sample(row, element, get_form_hash(element, only_visible=True)))
    return samples


def read_page(name: str) -> bytes:
    """Return a page as it was stored: in UTF-8, whatever it declares."""
    return (DATA / "html" / name).read_bytes()


def list_pages() -> list[str]:
    """Return the names of all pages."""
    return [Path(path).name for path in _read_index()]


def make_rows() -> list[Row]:
    """Return all annotated forms, split into folds by registrable domain."""
    forms = list(_find_annotated())
    folds = split_domains(Counter(domain for *_, domain in forms))
    return [Row(page, number, kind, domain, folds[domain]) for page, number, kind, domain in forms]


def _find_annotated() -> Iterator[tuple[str, int, str, str]]:
    extract = tldextract.TLDExtract(suffix_list_urls=())  # the list it comes with: no network
    for path, page in _read_index().items():
        domain = extract(page["url"]).top_domain_under_public_suffix or urlsplit(page["url"]).hostname or page["url"]
        for number, letter in enumerate(page["forms"]):
            if letter not in NOT_ANNOTATED:
                yield Path(path).name, number, simplify(letter), domain


def _read_index() -> dict[str, dict[str, object]]:
    return dict(json.loads((DATA / "index.json").read_text(encoding="utf-8")))


def measure_element(form: HtmlElement) -> list[float]:
    """Return paper 2's features of a form."""
    controls = [
        Control(each.tag, each.get("type") or "", each.get("size") or "")
        for each in form.iter(*_CONTROLS)
    ]  # fmt: skip
    return measure_form(controls, form.get("method") or "", _write_inside(form))


def _write_inside(form: HtmlElement) -> str:
    return " ".join(chain(form.itertext(), *(each.values() for each in form.iter("*"))))


def read_words(form: HtmlElement) -> str:
    """Return what a reader sees in a form: its text, its buttons, and what is written into its boxes."""
    words: list[str] = []
    for each in form.iter():
        if isinstance(each.tag, str) and each.tag not in _SILENT:
            words += [each.text or "", *_find_shown(each)]
        if each is not form:
            words.append(each.tail or "")
    return " ".join(words)


def _find_shown(element: HtmlElement) -> Iterator[str]:
    for name in ("placeholder", "title", "alt"):
        yield element.get(name) or ""
    if element.tag == "input" and (element.get("type") or "").lower() not in _UNSEEN_TYPES:
        yield element.get("value") or ""
