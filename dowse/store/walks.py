"""Stored runs of crawlers by example, and each page that they found, once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dowse.model import Value
from dowse.store.store import Store

LIKE: Final = "like"  # the sample, though no path may end there
UNLIKE: Final = "unlike"


@dataclass(frozen=True, slots=True)
class WalkRun:
    """A run of a pattern: a new one, or the last one if it was interrupted."""

    id: int
    pattern: str
    only_new: bool
    links: int  # traversed before it was interrupted


@dataclass(frozen=True, slots=True)
class TargetPage:
    """A page like the sample, as it is stored."""

    url: str
    title: str
    likeness: float
    values: tuple[Value, ...] = ()
    new: bool = True


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """A page that a run has opened, with what is needed to resume the run; or why it failed."""

    name: str  # its URL, and what was sent there
    links: tuple[str, ...] = ()  # those that the pattern may follow
    following: tuple[str, ...] = ()  # further pages of the same list
    judged: str = ""  # LIKE, UNLIKE, or empty where it was not judged
    failure: str = ""
    tries: int = 1


def begin_walk(store: Store, pattern: str, *, only_new: bool, steps: str = "") -> WalkRun:
    """Begin a run, or resume the last one if it was interrupted; with other steps, its pages are opened again. One process at a time."""
    store.database.lock()
    last = store.database.execute(
        "SELECT * FROM walk WHERE pattern = ? ORDER BY id DESC LIMIT 1", (pattern,)
    ).fetchone()
    goes_on = last and not last["finished"] and bool(last["only_new"]) == only_new
    if goes_on and last["steps"] == steps:
        return WalkRun(last["id"], pattern, only_new, last["links"])
    with store.database.writing():
        store.database.execute("DELETE FROM opened WHERE walk IN (SELECT id FROM walk WHERE pattern = ?)", (pattern,))
        if goes_on:
            store.database.execute("UPDATE walk SET steps = ? WHERE id = ?", (steps, last["id"]))
            return WalkRun(last["id"], pattern, only_new, last["links"])
        row = store.database.execute(
            "INSERT INTO walk (pattern, only_new, started_at, steps) VALUES (?, ?, ?, ?)",
            (pattern, only_new, store.database.now(), steps),
        )
        return WalkRun(int(row.lastrowid or 0), pattern, only_new, 0)


def add_targets(
    store: Store, walk: WalkRun, targets: Iterable[TargetPage], links: int, *, opened: Iterable[OpenedPage] = (), finished: bool = False,
) -> None:  # fmt: skip
    """Store pages that were found and the progress of the run, in one transaction; a finished run needs no opened pages."""
    with store.database.writing():
        store.database.executemany(
            "INSERT INTO target (pattern, url, first_walk, last_walk, title, likeness, held) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (pattern, url) DO UPDATE SET last_walk = excluded.last_walk, title = excluded.title,"
            " likeness = excluded.likeness, held = excluded.held",
            [
                (walk.pattern, each.url, walk.id, walk.id, each.title, each.likeness, _write(each.values))
                for each in targets
            ],
        )
        store.database.executemany(
            "INSERT OR REPLACE INTO opened (walk, name, links, following, judged, failure, tries) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (walk.id, each.name, _write(each.links), _write(each.following), each.judged, each.failure, each.tries)
                for each in opened
            ],
        )
        store.database.execute("UPDATE walk SET links = ?, finished = ? WHERE id = ?", (links, finished, walk.id))
        if finished:
            store.database.execute("DELETE FROM opened WHERE walk = ?", (walk.id,))


def forget_failures(store: Store, walk: WalkRun) -> None:
    """Let a resumed run open again the pages that failed."""
    with store.database.writing():
        store.database.execute("DELETE FROM opened WHERE walk = ? AND failure <> ''", (walk.id,))


def read_opened(store: Store, walk: WalkRun, name: str) -> OpenedPage | None:
    """Return a page that a run opened before it was interrupted, or None."""
    query = "SELECT links, following, judged, failure, tries FROM opened WHERE walk = ? AND name = ?"
    row = store.database.execute(query, (walk.id, name)).fetchone()
    if row is None:
        return None
    links, following, *rest = row
    return OpenedPage(name, tuple(json.loads(links)), tuple(json.loads(following)), *rest)


def measure_opened(store: Store, walk: WalkRun) -> int:
    """Return the size of the opened pages of a run, in characters."""
    query = "SELECT coalesce(sum(length(name) + length(links)), 0) FROM opened WHERE walk = ?"
    return int(store.database.execute(query, (walk.id,)).fetchone()[0])


def _write(values: Sequence[Value] | Sequence[str]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def known_targets(store: Store, walk: WalkRun) -> set[str]:
    """Return the URLs that a run need not open: those it opened before it was interrupted, and known ones if only new are wanted."""
    query = "SELECT url FROM target WHERE pattern = ? AND (? OR last_walk = ?)"
    return {url for (url,) in store.database.execute(query, (walk.pattern, walk.only_new, walk.id))}


def read_targets(store: Store, walk: WalkRun) -> Iterator[TargetPage]:
    """Yield the pages that a run found: all it saw, or only the new ones."""
    query = (
        "SELECT url, title, likeness, held, first_walk FROM target WHERE pattern = ? AND last_walk = ?"
        " AND (NOT ? OR first_walk = ?) ORDER BY first_walk, url"
    )
    for url, title, likeness, held, first in store.database.execute(
        query, (walk.pattern, walk.id, walk.only_new, walk.id)
    ):
        yield TargetPage(url, title, likeness, tuple(Value(*each) for each in json.loads(held)), first == walk.id)


def count_targets(store: Store, walk: WalkRun) -> tuple[int, int]:
    """Return how many pages a run found, and how many of them were new."""
    query = "SELECT count(*), coalesce(sum(first_walk = ?), 0) FROM target WHERE pattern = ? AND last_walk = ?"
    pages, new = store.database.execute(query, (walk.id, walk.pattern, walk.id)).fetchone()
    return int(pages), int(new)


def last_targets(store: Store, pattern: str) -> Iterator[str]:
    """Yield the URLs of pages that a pattern found, the latest run's first."""
    query = "SELECT url FROM target WHERE pattern = ? ORDER BY last_walk DESC, url"
    for (url,) in store.database.execute(query, (pattern,)).fetchall():
        yield url
