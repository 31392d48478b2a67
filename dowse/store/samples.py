"""Stored samples, and the counts that estimates are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dowse.model import LeftBehind, Seed
from dowse.store.rows import SEED_COLUMNS, read_seed_row
from dowse.store.store import DONE_STATES, Store


@dataclass(frozen=True, slots=True)
class SampleRow:
    """The result of one strategy on one sampled site."""

    site: str
    strategy: str
    pages: float  # estimated where a site was recorded in part
    forms: float
    total: float
    error: str = ""
    unjudged: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchCounts:
    """Sites that were searched, their pages and forms."""

    sites: int
    pages: int
    forms: int


def add_samples(store: Store, name: str, rows: Iterable[SampleRow]) -> None:
    """Store the results of strategies on sampled sites in one transaction."""
    now = store.database.now()
    with store.database.writing():
        store.database.executemany(
            "INSERT OR REPLACE INTO sample (name, site, strategy, pages, forms, total, error, unjudged, sampled_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (name, row.site, row.strategy, row.pages, row.forms, row.total, row.error, row.unjudged, now)
                for row in rows
            ],
        )


def read_samples(store: Store, name: str, *, only_searched: bool = False) -> list[SampleRow]:
    """Return the stored results of a sample, in the order of its sites; of all, or of those whose search is committed too."""
    query = "SELECT site, strategy, pages, forms, total, error, unjudged FROM sample WHERE name = ?"
    if only_searched:
        query += f" AND site IN (SELECT url FROM site WHERE state IN {DONE_STATES})"
    with store.database.reading():
        return [SampleRow(*row) for row in store.database.execute(f"{query} ORDER BY site, strategy", (name,))]


def waiting_sites(store: Store, run: int = 0, *, own: bool = False) -> Iterator[Seed]:
    """Yield the sites that wait and were not begun, of one run or all; nothing may be written meanwhile."""
    scope = "run_id = ?" if own else "TRUE OR ?"
    query = f"SELECT {SEED_COLUMNS} FROM site WHERE state = 'waiting' AND round = 0 AND ({scope}) ORDER BY id"
    yield from map(read_seed_row, store.database.execute(query, (run,)))


def lease_sites(store: Store, run: int, seeds: Sequence[Seed]) -> None:
    """Lease just these sites."""
    with store.database.writing():
        store.database.executemany(
            "UPDATE site SET state = 'leased', run_id = ? WHERE url = ? AND state = 'waiting'",
            [(run, str(seed.site)) for seed in seeds],
        )


_BY_STRATEGY = (  # of a run, its sample left out
    f"WHERE run_id = ? AND strategy = ? AND state IN {DONE_STATES} AND url NOT IN (SELECT site FROM sample WHERE name = ?)"
)


def searched_with(store: Store, run: int, strategy: str, sample: str = "") -> Iterator[tuple[int, int]]:
    """Yield the pages and query forms of each site that a run has searched with a strategy, but for those of a sample."""
    query = f"SELECT pages, forms FROM site {_BY_STRATEGY} ORDER BY searched_at, id"
    yield from store.database.execute(query, (run, strategy, sample))


def count_searched(store: Store, run: int, strategy: str, sample: str = "") -> SearchCounts:
    """Count the sites that a run has searched with a strategy, and what they gave; but for those of a sample."""
    query = f"SELECT count(*), total(pages), total(forms) FROM site {_BY_STRATEGY}"
    with store.database.reading():
        return SearchCounts(*map(int, store.database.execute(query, (run, strategy, sample)).fetchone()))


def sum_left(store: Store, sample: str = "") -> LeftBehind | None:
    """Add up what searched sites, or those of a sample, left behind; None when of one nobody knows."""
    query = (
        "SELECT count(*), count(promised), total(promised), total(drawn_pages), total(drawn_expected), total(drawn_forms),"
        " total(promised * promised)"
        " FROM site WHERE (state = 'searched' OR round > 0)"
    )
    query += " AND url IN (SELECT site FROM sample WHERE name = ?)" if sample else ""
    row = store.database.execute(query, (sample,) if sample else ()).fetchone()
    sites, known, expected, pages, drawn_expected, drawn_forms, squares = row
    if not sites or known < sites:
        return None
    return LeftBehind(expected, int(pages), drawn_expected, int(drawn_forms), squares)


def count_searched_forms(store: Store) -> int:
    """Count the query forms of the sites that were searched to their end, which is what these left behind goes with."""
    query = "SELECT total(forms) FROM site WHERE state = 'searched' OR round > 0"
    return int(store.database.execute(query).fetchone()[0])
