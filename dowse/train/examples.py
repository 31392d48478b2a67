"""Labelled forms of the web: the data set of the package formasaurus, with hand labels for what a search searches.

The pages and the type of each form come from the package (MIT licence); `search_kinds.tsv` beside this file says of its
search, order and other forms which ask a database, and which only the site's own pages.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dowse.errors import BadInput
from dowse.model import Form, Page, Response
from dowse.page import read_page
from dowse.url import registrable_domain, site_of

TYPE_OF = {
    "s": "search", "l": "login", "p": "recovery", "r": "registration", "c": "contact", "m": "subscribe", "b": "order",
    "o": "other", "P": "other", "V": "other", "N": "other", "C": "other",
}  # fmt: skip
SAME = 0.3  # part of its names that a form must share with what another parser saw of it
_CONTROLS = ("input", "select", "textarea", "button")


@dataclass(frozen=True, slots=True)
class Example:
    """A form of a page of the web and what people say it is."""

    page_file: str
    number: int  # among the forms of its page, as lxml sees them
    type: str
    kind: str  # database, site-search, configure, other, unsure; nothing where nobody looked
    domain: str
    page: Page
    form: Form | None  # None where no such form is on the page as browsers read it


def read_examples() -> list[Example]:
    """Return all labelled forms."""
    folder = find_data()
    kinds = _read_kinds()
    index: dict[str, dict[str, Any]] = json.loads((folder / "index.json").read_text())
    return [example for name, facts in index.items() for example in _read_page_examples(folder / name, facts, kinds)]


def find_data() -> Path:
    """Return where the labelled pages are."""
    found = find_spec("formasaurus")
    if found is None or not found.origin or find_spec("scipy") is None:
        raise BadInput("training needs the labelled forms and the tools: pip install 'dowse[train]'")
    return Path(found.origin).parent / "data"


def _read_kinds() -> dict[tuple[str, int], str]:
    with resources.files("dowse.train").joinpath("search_kinds.tsv").open(encoding="utf-8") as lines:
        return {(row["page"], int(row["form"])): row["label"] for row in csv.DictReader(lines, delimiter="\t")}


def _read_page_examples(path: Path, facts: dict[str, Any], kinds: dict[tuple[str, int], str]) -> Iterator[Example]:
    body = path.read_bytes()
    page = read_page(Response(facts["url"], 200, (("content-type", "text/html; charset=utf-8"),), body))
    domain = registrable_domain(site_of(facts["url"]).host)
    found = _match(_read_names(body), page.forms)
    for number, letter in enumerate(facts["forms"]):
        if letter in TYPE_OF:
            form = found[number] if number < len(found) else None
            yield Example(path.name, number, TYPE_OF[letter], kinds.get((path.name, number), ""), domain, page, form)


def _read_names(body: bytes) -> list[Counter[str]]:
    """Return the names of the controls of each form, as lxml sees them: the labels are numbered by it."""
    from lxml import html

    tree = html.fromstring(body, parser=html.HTMLParser(encoding="utf8"))
    return [
        Counter(name for control in form.iter(*_CONTROLS) if (name := control.get("name")))
        for form in tree.xpath("//form")
    ]


def _match(wanted: Sequence[Counter[str]], forms: Sequence[Form]) -> list[Form | None]:
    """Return for each form that lxml sees the one a browser sees: the same names, and nearest in order."""
    left = {form.index: form for form in forms if form.made == "html"}
    found: list[Form | None] = []
    for number, names in enumerate(wanted):
        ranked = sorted((-_likeness(names, form) + abs(index - number) / 100, index) for index, form in left.items())
        good = ranked and _likeness(names, left[ranked[0][1]]) >= SAME
        found.append(left.pop(ranked[0][1]) if good else None)
    return found


def _likeness(names: Counter[str], form: Form) -> float:
    own = Counter(field.name for field in form.fields if field.name)
    either = sum((names | own).values())
    return sum((names & own).values()) / either if either else 1.0
