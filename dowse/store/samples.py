"""Stored samples, and the counts that estimates are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dowse.model import Seed
from dowse.reasons import UNFOLLOWED_KINDS
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


def count_levels(store: Store) -> list[tuple[int, int, int]]:
    """Return for each depth how many pages were had, and how many query forms found there first."""
    pages = dict(
        store.database.execute("SELECT depth, count(*) FROM page WHERE failure = '' GROUP BY depth").fetchall()
    )
    forms = dict(
        store.database.execute("SELECT depth, count(*) FROM form WHERE kind = 'database' GROUP BY depth").fetchall()
    )
    return [(depth, pages[depth], forms.get(depth, 0)) for depth in sorted(pages)]


def count_promised(store: Store) -> float | None:
    """Add up the query forms that searched sites still promise; None when of one nobody can say."""
    query = "SELECT count(*), count(promised), sum(promised) FROM site WHERE state = 'searched' OR round > 0"
    sites, known, promised = store.database.execute(query).fetchone()
    return float(promised) if sites and known == sites else None


def count_unfollowed(store: Store) -> int:
    """Count the links of searched sites that a strategy or a limit left, and that may lead to forms."""
    kinds = sorted(UNFOLLOWED_KINDS)
    query = f"SELECT coalesce(sum(count), 0) FROM skip_count WHERE kind IN ({', '.join('?' for _ in kinds)})"
    waiting = store.database.execute("SELECT count(*) FROM frontier").fetchone()[0]  # for a deeper round
    return int(store.database.execute(query, kinds).fetchone()[0]) + int(waiting)
