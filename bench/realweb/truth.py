"""The truth about the real web: every form with its kind and depth, every database with its records and example queries.

Forms are written down by hand, in `programs/NAME/truth.toml`; counts are computed from the records a program was filled with.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bench.install import Missing
from bench.realweb.data import Record
from bench.realweb.place import DOMAIN, HOME, PROGRAMS
from bench.realweb.web import NAMES


class FormPurpose(StrEnum):
    """What a form is for."""

    DATABASE = "database"  # asks a database of records
    SITE_SEARCH = "site-search"  # searches the pages of its site
    LOGIN = "login"
    REGISTRATION = "registration"
    CONTACT = "contact"
    SUBSCRIBE = "subscribe"
    ORDER = "order"
    CONFIGURE = "configure"  # shapes what is shown: language, sorting, page size, columns
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class TrueCondition:
    """What a record must have to be among the answers: the wanted text in one of some attributes."""

    attributes: tuple[str, ...]
    how: str  # a key of MATCHES
    wanted: str

    def holds(self, record: Record) -> bool:
        return any(MATCHES[self.how](str(record.get(name, "")), self.wanted) for name in self.attributes)


# How an engine compares. A word is what stands between characters that are neither letters nor digits.
MATCHES = {
    "word": lambda text, wanted: wanted.lower() in re.findall(r"[^\W_]+", text.lower()),
    "part": lambda text, wanted: wanted.lower() in text.lower(),
    "equal": lambda text, wanted: text == wanted,
    "start": lambda text, wanted: text.lower().startswith(wanted.lower()),
    "from": lambda text, wanted: float(text) >= float(wanted),
    "above": lambda text, wanted: float(text) > float(wanted),
}


@dataclass(frozen=True, slots=True, eq=False)
class TrueQuery:
    """What to send through a door, and how many records answer it."""

    send: dict[str, str]
    count: int


@dataclass(frozen=True, slots=True)
class AnswerMarks:
    """How an answer tells its count: a number that it shows, or its records and the link to more of them."""

    total: str = ""  # pattern with one group, in the text of the page
    none: str = ""  # pattern that says: nothing was found
    record: str = ""  # XPath
    more: str = ""  # XPath
    json: str = ""  # address of a list in JSON that a script asks with the values


@dataclass(frozen=True, slots=True, eq=False)
class TrueForm:
    """A form, by what identifies it; the first of a site's forms that matches is the one."""

    site: str
    name: str
    purpose: FormPurpose
    page: str  # an address where it stands at its least depth
    on: str  # pattern of the addresses (path and query) it stands on
    method: str
    action: str  # pattern of the address (path and query) it sends to
    fields: tuple[str, ...]  # names that it has, beside others
    depth: int | None  # clicks from the entrance; None: a polite crawler does not get there
    impolite_depth: int | None  # for a crawler that obeys neither robots.txt nor nofollow
    database: str = ""
    browser: bool = False  # drawn by a script: the HTML that is sent does not have it
    note: str = ""
    marks: AnswerMarks = field(default_factory=AnswerMarks)
    queries: tuple[TrueQuery, ...] = ()

    def matches(self, page: str, method: str, action: str, names: Iterable[str]) -> bool:
        """Return True if a form that was met is this one; addresses are paths with their queries."""
        return (
            method == self.method
            and set(self.fields) <= set(names)
            and re.fullmatch(self.action, action) is not None
            and re.fullmatch(self.on, page) is not None
        )


@dataclass(frozen=True, slots=True)
class TrueDatabase:
    """A database and where its records are exported to, one JSON object a line."""

    site: str
    name: str
    about: str
    path: Path
    count: int
    names: dict[str, list[str]] = field(
        default_factory=dict
    )  # what its pages call an attribute that the truth calls otherwise

    def records(self) -> Iterator[Record]:
        return read_records(self.path)


@dataclass(frozen=True)
class TrueSite:
    """A program of the web with all that is true about it."""

    name: str
    title: str
    software: str
    about: str
    topic: str
    entrance: str
    forms: tuple[TrueForm, ...]
    databases: tuple[TrueDatabase, ...]
    max_depth: int  # how deep the check walks
    ignore: str  # pattern of addresses the check leaves out, because they change the program or never end

    @property
    def host(self) -> str:
        return f"{self.name}.{DOMAIN}"

    def recognise(self, page: str, method: str, action: str, names: Iterable[str]) -> TrueForm | None:
        """Return which form this is, by the address of its page, its method, the address it sends to, and its fields."""
        wanted = set(names)
        there, target = path_of(page), path_of(action)
        return next((form for form in self.forms if form.matches(there, method, target, wanted)), None)

    @cached_property
    def doors(self) -> tuple[TrueForm, ...]:
        """The forms that ask a database."""
        return tuple(form for form in self.forms if form.purpose is FormPurpose.DATABASE)


def path_of(url: str) -> str:
    """Return path and query of an address."""
    parts = urlsplit(url)
    return f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"


def read_records(path: Path) -> Iterator[Record]:
    """Yield the exported records of a database."""
    with open(path, encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def load_sites(names: Iterable[str] = ()) -> list[TrueSite]:
    """Return the truth about these programs, or all of them; they must have been filled."""
    return [load_site(name) for name in (tuple(names) or NAMES)]


def load_site(name: str) -> TrueSite:
    """Return the truth about a program."""
    written = read_toml(name)
    folder = HOME / name / "truth"
    databases = tuple(_database(name, folder, each) for each in written.get("database", []))
    by_name = {database.name: list(database.records()) for database in databases}
    site = written["site"]
    return TrueSite(
        name=name,
        title=site["title"],
        software=site["software"],
        about=site["about"],
        topic=site.get("topic", ""),
        entrance=f"http://{name}.{DOMAIN}{site.get('entrance', '/')}",
        forms=tuple(_form(name, each, by_name) for each in written.get("form", [])),
        databases=databases,
        max_depth=site.get("max_depth", 4),
        ignore=site.get("ignore", r"(?!)"),
    )


def read_toml(name: str) -> dict[str, Any]:
    """Return what is written down about a program."""
    return tomllib.loads((PROGRAMS / name / "truth.toml").read_text(encoding="utf-8"))


def _database(site: str, folder: Path, written: dict[str, Any]) -> TrueDatabase:
    path = folder / f"{written['name']}.jsonl"
    if not path.exists():
        raise Missing(f"{site} has not been filled: python -m bench.realweb up {site}")
    count = sum(1 for _ in read_records(path))
    return TrueDatabase(site, written["name"], written.get("about", ""), path, count, written.get("names", {}))


def _form(site: str, written: dict[str, Any], databases: dict[str, list[Record]]) -> TrueForm:
    database = written.get("database", "")
    queries = tuple(_query(each, databases[database]) for each in written.get("query", []))
    depth = written.get("depth")
    return TrueForm(
        site=site,
        name=written["name"],
        purpose=FormPurpose(written["kind"]),
        page=f"http://{site}.{DOMAIN}{written['page']}",
        on=written.get("on", ".*"),
        method=written.get("method", "get"),
        action=written["action"],
        fields=tuple(written.get("fields", ())),
        depth=depth,
        impolite_depth=written.get("impolite_depth", depth),
        database=database,
        browser=written.get("browser", False),
        note=written.get("note", ""),
        marks=AnswerMarks(**written.get("answer", {})),
        queries=queries,
    )


def _query(written: dict[str, Any], records: list[Record]) -> TrueQuery:
    conditions = [
        TrueCondition(tuple(each["in"]), how, str(wanted))
        for each in written.get("where", [])
        for how, wanted in each.items()
        if how != "in"
    ]
    count = sum(all(condition.holds(record) for condition in conditions) for record in records)
    return TrueQuery({name: str(value) for name, value in written["send"].items()}, count)
