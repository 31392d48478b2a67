"""What is kept of crawlers by example: their runs, and each page that they found, once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dowse.model import Value
from dowse.store.store import Store


@dataclass(frozen=True, slots=True)
class Begun:
    """A run of a pattern: a new one, or the last one that was cut off."""

    id: int
    pattern: str
    only_new: bool
    links: int  # traversed before it was cut off


@dataclass(frozen=True, slots=True)
class Target:
    """A page like the sample, as it is kept."""

    url: str
    title: str
    likeness: float
    values: tuple[Value, ...] = ()
    new: bool = True


def begin_walk(store: Store, pattern: str, *, only_new: bool) -> Begun:
    """Begin a run, or go on with the last one if it was cut off. One process at a time."""
    store.lock()
    last = store._db.execute("SELECT * FROM walk WHERE pattern = ? ORDER BY id DESC LIMIT 1", (pattern,)).fetchone()
    if last and not last["finished"] and bool(last["only_new"]) == only_new:
        return Begun(last["id"], pattern, only_new, last["links"])
    with store._writing():
        row = store._db.execute(
            "INSERT INTO walk (pattern, only_new, started_at) VALUES (?, ?, ?)", (pattern, only_new, store._now())
        )
        return Begun(int(row.lastrowid or 0), pattern, only_new, 0)


def add_targets(store: Store, walk: Begun, targets: Iterable[Target], links: int, *, finished: bool = False) -> None:
    """Keep pages that were found and how far the run is, in one transaction."""
    with store._writing():
        store._db.executemany(
            "INSERT INTO target (pattern, url, first_walk, last_walk, title, likeness, held) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (pattern, url) DO UPDATE SET last_walk = excluded.last_walk, title = excluded.title,"
            " likeness = excluded.likeness, held = excluded.held",
            [
                (walk.pattern, each.url, walk.id, walk.id, each.title, each.likeness, _write(each.values))
                for each in targets
            ],
        )
        store._db.execute("UPDATE walk SET links = ?, finished = ? WHERE id = ?", (links, finished, walk.id))


def _write(values: Sequence[Value]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def known_targets(store: Store, walk: Begun) -> set[str]:
    """Return the addresses that a run need not open: those it opened before it was cut off, and known ones if only new are wanted."""
    query = "SELECT url FROM target WHERE pattern = ? AND (? OR last_walk = ?)"
    return {url for (url,) in store._db.execute(query, (walk.pattern, walk.only_new, walk.id))}


def read_targets(store: Store, walk: Begun) -> Iterator[Target]:
    """Yield the pages that a run found: all it saw, or only the new ones."""
    query = (
        "SELECT url, title, likeness, held, first_walk FROM target WHERE pattern = ? AND last_walk = ?"
        " AND (NOT ? OR first_walk = ?) ORDER BY first_walk, url"
    )
    for url, title, likeness, held, first in store._db.execute(query, (walk.pattern, walk.id, walk.only_new, walk.id)):
        yield Target(url, title, likeness, tuple(Value(*each) for each in json.loads(held)), first == walk.id)


def count_targets(store: Store, walk: Begun) -> tuple[int, int]:
    """Return how many pages a run found, and how many of them were new."""
    query = "SELECT count(*), coalesce(sum(first_walk = ?), 0) FROM target WHERE pattern = ? AND last_walk = ?"
    pages, new = store._db.execute(query, (walk.id, walk.pattern, walk.id)).fetchone()
    return int(pages), int(new)


def last_targets(store: Store, pattern: str) -> Iterator[str]:
    """Yield the addresses of pages that a pattern found, the latest run's first."""
    query = "SELECT url FROM target WHERE pattern = ? ORDER BY last_walk DESC, url"
    for (url,) in store._db.execute(query, (pattern,)).fetchall():
        yield url
