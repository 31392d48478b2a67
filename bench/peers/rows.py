"""The same SQLite rows for every peer: pages and their forms, committed in batches."""

from __future__ import annotations

import json
import sqlite3
import time
from hashlib import sha1

SCHEMA = """
create table pages (url text primary key, status integer, digest text, fetched real);
create table forms (page text, place integer, method text, action text, fields text);
"""
BATCH = 200  # pages per transaction


class Rows:
    """A store a peer's user would write in ten minutes."""

    def __init__(self, path: str) -> None:
        self.database = sqlite3.connect(path)
        self.database.execute("pragma journal_mode=wal")
        self.database.execute("pragma synchronous=normal")
        self.database.executescript(SCHEMA)
        self.pages: list[tuple[object, ...]] = []
        self.forms: list[tuple[object, ...]] = []

    def add(self, url: str, status: int, body: bytes, forms: list[dict[str, object]]) -> None:
        """Keep a page; every so often, commit."""
        digest = sha1(body, usedforsecurity=False).hexdigest()
        self.pages.append((url, status, digest, time.time()))
        for place, form in enumerate(forms):
            self.forms.append((url, place, form["method"], form["action"], json.dumps(form["fields"])))
        if len(self.pages) >= BATCH:
            self.commit()

    def commit(self) -> None:
        """Write what has gathered in one transaction."""
        with self.database:
            self.database.executemany("insert or ignore into pages values (?, ?, ?, ?)", self.pages)
            self.database.executemany("insert into forms values (?, ?, ?, ?, ?)", self.forms)
        self.pages.clear()
        self.forms.clear()

    def close(self) -> None:
        """Commit the rest."""
        self.commit()
        self.database.close()


def read_forms(selector, join) -> list[dict[str, object]]:  # type: ignore[no-untyped-def]
    """Read forms and fields with parsel, as its manual shows (Scrapy and Crawlee both use it)."""
    return [
        {
            "method": form.css("::attr(method)").get("get"),
            "action": join(form.attrib.get("action", "")),
            "fields": [
                [field.attrib.get("name", ""), field.root.tag, field.attrib.get("type", "")]
                for field in form.css("input:not([type=submit]), select, textarea")
            ],
        }
        for form in selector.css("form")
    ]
