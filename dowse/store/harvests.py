"""Stored harvests: records once each, answers page by page, so that a harvest can be replayed and resumed."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dowse.model import Answer, Query, Range, Record, Request, Value
from dowse.store.store import Store

# Queries that failed at the end of the last run are sent again: the source may answer now.
DELETE_LAST_FAILURES = """
    DELETE FROM answer WHERE trouble <> '' AND requests > 0 AND harvest_id = (SELECT id FROM harvest WHERE name = ?)
        AND id > coalesce((SELECT max(id) FROM answer AS good WHERE good.harvest_id = answer.harvest_id AND good.trouble = ''), 0)
"""


@dataclass(frozen=True, slots=True)
class StoredHarvest:
    """One harvest and its progress."""

    id: int
    name: str  # the command without its budgets: the same command resumes it
    url: str  # of the door's page
    door: str  # its signature
    wrapper: dict[str, Any]
    records: int
    requests: int
    queries: int
    size: float | None
    size_low: float | None
    size_high: float | None
    complete: bool
    stopped: str
    certificate: dict[str, Any]


def begin_harvest(store: Store, name: str, url: str, door: str) -> StoredHarvest:
    """Begin a harvest, or resume it: the same name is the same harvest. One process at a time."""
    store.database.lock()
    with store.database.writing():
        store.database.execute(
            "INSERT OR IGNORE INTO harvest (name, url, door, started_at) VALUES (?, ?, ?, ?)",
            (name, url, door, store.database.now()),
        )
        store.database.execute(DELETE_LAST_FAILURES, (name,))
    found = find_harvest(store, name)
    assert found is not None
    return found


def find_harvest(store: Store, name: str) -> StoredHarvest | None:
    """Return a harvest by its name."""
    row = store.database.execute("SELECT * FROM harvest WHERE name = ?", (name,)).fetchone()
    return _read_harvest(row) if row else None


def list_harvests(store: Store) -> list[StoredHarvest]:
    """Return all harvests, oldest first."""
    return [_read_harvest(row) for row in store.database.execute("SELECT * FROM harvest ORDER BY id")]


def _read_harvest(row: Any) -> StoredHarvest:
    return StoredHarvest(
        row["id"], row["name"], row["url"], row["door"], json.loads(row["wrapper"]), row["records"], row["requests"],
        row["queries"], row["size"], row["size_low"], row["size_high"], bool(row["complete"]), row["stopped"],
        json.loads(row["certificate"]),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """One page of an answer as it is stored: its records by their numbers."""

    answer: Answer  # without its records
    numbers: Sequence[int]
    new: tuple[Record, ...] = ()  # those that are new, in their order


def add_pages(store: Store, harvest: int, pages: Iterable[StoredAnswer], counts: dict[str, Any]) -> None:
    """Store pages of answers with their new records, and the progress of the harvest, in one transaction."""
    with store.database.writing():
        for page in pages:
            _add_page(store, harvest, page)
        columns = ", ".join(f"{name} = ?" for name in counts)
        if columns:
            store.database.execute(
                f"UPDATE harvest SET {columns} WHERE id = ?", (*map(_plain, counts.values()), harvest)
            )


def _plain(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value


def _add_page(store: Store, harvest: int, page: StoredAnswer) -> None:
    answer = page.answer
    fresh = set(page.numbers)
    store.database.execute(
        "INSERT INTO answer (harvest_id, query, page, total, exact, most, more, requests, trouble, numbers, following)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            harvest, write_query(answer.query), answer.page, answer.total, answer.exact, answer.limit, answer.more,
            answer.requests, answer.trouble or (str(answer.failure) if answer.failure else ""),
            array("I", page.numbers).tobytes(), _write_request(answer.next),
        ),
    )  # fmt: skip
    first = max(fresh, default=-1) + 1 - len(page.new)
    store.database.executemany(
        "INSERT INTO record (harvest_id, number, key, url, held) VALUES (?, ?, ?, ?, ?)",
        [
            (harvest, first + place, record.key, record.url, json.dumps(record.values, ensure_ascii=False))
            for place, record in enumerate(page.new)
        ],
    )


def write_query(query: Query) -> str:
    """Return a query as JSON."""
    plain: dict[str, Any] = {"values": query.values}
    if query.ranges:
        plain["ranges"] = query.ranges
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def read_query(text: str) -> Query:
    """Return a query from its JSON."""
    plain = json.loads(text)
    return Query(
        tuple(Value(*each) for each in plain["values"]), tuple(Range(*each) for each in plain.get("ranges", ()))
    )


def read_pages(store: Store, harvest: int) -> Iterator[StoredAnswer]:
    """Yield the pages of a harvest in the order they came; nothing may be written meanwhile."""
    query = "SELECT * FROM answer WHERE harvest_id = ? ORDER BY id"
    for row in store.database.execute(query, (harvest,)):
        answer = Answer(
            read_query(row["query"]), row["page"], (), row["total"], bool(row["exact"]), row["most"], bool(row["more"]),
            _read_request(row["following"]), row["requests"], None, row["trouble"],
        )  # fmt: skip
        numbers = array("I")
        numbers.frombytes(row["numbers"])
        yield StoredAnswer(answer, numbers)


def find_answered(store: Store, harvest: int, queries: Sequence[Query]) -> set[Query]:
    """Return those of some queries of which a harvest holds an answer."""
    texts = {write_query(query): query for query in queries}
    marks = ", ".join("?" * len(texts))
    sql = f"SELECT DISTINCT query FROM answer WHERE harvest_id = ? AND query IN ({marks})"
    rows = store.database.execute(sql, (harvest, *texts)) if texts else ()
    return {texts[row["query"]] for row in rows}


def _write_request(request: Request | None) -> str:
    if request is None:
        return ""
    return json.dumps(
        [request.url, request.method, request.body.decode("latin-1"), request.headers], ensure_ascii=False
    )


def _read_request(text: str) -> Request | None:
    if not text:
        return None
    url, method, body, headers = json.loads(text)
    return Request(url, method, body.encode("latin-1"), tuple((name, value) for name, value in headers))


def read_records(store: Store, harvest: int) -> Iterator[Record]:
    """Yield the records of a harvest in the order they came."""
    query = "SELECT key, url, held FROM record WHERE harvest_id = ? ORDER BY number"
    for key, url, held in store.database.execute(query, (harvest,)):
        yield Record(tuple(Value(*each) for each in json.loads(held)), key, url)


def read_copies(store: Store, harvest: int) -> frozenset[int]:
    """Return the numbers of records of a harvest that are copies of others, as far as could be told."""
    (wrapper,) = store.database.execute("SELECT wrapper FROM harvest WHERE id = ?", (harvest,)).fetchone() or ("{}",)
    return frozenset(json.loads(wrapper).get("copies", ()))


def all_records(store: Store) -> Iterator[tuple[str, int, int, Record]]:
    """Yield the records of all harvests: the page of the door, the number of the harvest and of the record, and the record."""
    query = (
        "SELECT harvest.url, harvest.id, number, key, record.url, held FROM record"
        " JOIN harvest ON harvest.id = harvest_id ORDER BY harvest_id, number"
    )
    for source, harvest, number, key, url, held in store.database.execute(query):
        yield source, harvest, number, Record(tuple(Value(*each) for each in json.loads(held)), key, url)
