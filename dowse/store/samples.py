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
    pages: int
    forms: int
    total: int
    error: str = ""


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
            "INSERT OR REPLACE INTO sample (name, site, strategy, pages, forms, total, error, sampled_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [(name, row.site, row.strategy, row.pages, row.forms, row.total, row.error, now) for row in rows],
        )


def read_samples(store: Store, name: str) -> list[SampleRow]:
    """Return the stored results of a sample, in the order of its sites."""
    query = "SELECT site, strategy, pages, forms, total, error FROM sample WHERE name = ? ORDER BY site, strategy"
    with store.database.reading():
        return [SampleRow(*row) for row in store.database.execute(query, (name,))]


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


def searched_with(store: Store, run: int, strategy: str) -> Iterator[tuple[int, int]]:
    """Yield the pages and query forms of each site that a run has searched with a strategy."""
    query = f"SELECT pages, forms FROM site WHERE run_id = ? AND strategy = ? AND state IN {DONE_STATES} ORDER BY searched_at, id"
    yield from store.database.execute(query, (run, strategy))


def count_searched(store: Store, run: int, strategy: str) -> SearchCounts:
    """Count the sites that a run has searched with a strategy, and what they gave."""
    query = f"SELECT count(*), total(pages), total(forms) FROM site WHERE run_id = ? AND strategy = ? AND state IN {DONE_STATES}"
    with store.database.reading():
        return SearchCounts(*map(int, store.database.execute(query, (run, strategy)).fetchone()))


def sum_left(store: Store) -> LeftBehind | None:
    """Add up what searched sites left behind; None when of one nobody knows."""
    query = (
        "SELECT count(*), count(promised), total(promised), total(drawn_pages), total(drawn_expected), total(drawn_forms)"
        " FROM site WHERE state = 'searched' OR round > 0"
    )
    sites, known, expected, pages, drawn_expected, drawn_forms = store.database.execute(query).fetchone()
    return LeftBehind(expected, int(pages), drawn_expected, int(drawn_forms)) if sites and known == sites else None
