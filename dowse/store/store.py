"""The memory of Dowse: sites, pages, forms, and what was not fetched. The only place with SQL."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from dowse.model import Seed, SiteSearch, Tally, Why
from dowse.store import rows
from dowse.store.database import connect, connect_to_read, database_path, explained, take_lock, transaction
from dowse.url import origin, site_of

IMPORT_BATCH = 10_000
MOVES = 5  # from site to site that are followed for a seed, whether new sites are to be discovered or not
DONE = "('searched', 'failed', 'moved')"
DATABASE = "CASE database WHEN '' THEN site_id || ' ' || signature ELSE database END"


def open_store(location: str) -> Store:
    """Open the database that `--db` names, making it where there is none."""
    path = database_path(location)
    return Store(path, connect(path))


def open_existing(location: str) -> Store:
    """Open a database to look into it; one that is not there is the user's mistake."""
    from dowse.errors import BadInput

    path = database_path(location)
    if not path.exists():
        raise BadInput(f"there is no database {path}; `dowse find` makes one, --db names another")
    return Store(path, connect_to_read(path))


class Store:
    """One SQLite file. A search is committed whole or not at all."""

    def __init__(self, path: Path, connection: sqlite3.Connection, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self._db = connection
        self._db.row_factory = sqlite3.Row
        self._now = now
        self._lock: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let others search with it."""
        self._db.close()
        if self._lock:
            self._lock.close()

    # sites: in, out, done

    def begin_run(self, command: str) -> int:
        """Begin to search, or go on: the same command is the same run. One process at a time."""
        self._lock = take_lock(self.path)
        self.release_sites()  # of a run that died
        with explained(self.path), transaction(self._db):
            self._db.execute("INSERT OR IGNORE INTO run (command, started_at) VALUES (?, ?)", (command, self._now()))
            return int(self._db.execute("SELECT id FROM run WHERE command = ?", (command,)).fetchone()[0])

    def add_seeds(self, seeds: Iterable[Seed], run: int | None = None) -> int:
        """Add sites to search; one that is done stays done. Returns how many were new."""
        statement = """
            INSERT INTO site (url, entrance, state, rank, run_id) VALUES (?, ?, 'waiting', ?, ?)
            ON CONFLICT (url) DO UPDATE SET
                state = CASE state WHEN 'seen' THEN 'waiting' ELSE state END,
                entrance = CASE WHEN state IN ('seen', 'waiting') THEN excluded.entrance ELSE entrance END,
                run_id = coalesce(excluded.run_id, run_id)
        """
        before = self.count_sites()
        stream = iter(seeds)
        with explained(self.path):
            while batch := [(str(s.site), s.entrance, s.rank, run) for s in islice(stream, IMPORT_BATCH)]:
                with transaction(self._db):
                    self._db.executemany(statement, batch)
        return self.count_sites() - before

    def take_sites(self, run: int, count: int, *, own: bool) -> list[Seed]:
        """Lease the next waiting sites: those of the run, then any unless they must be its own; each is handed out once."""
        query = "SELECT id, url, entrance, rank FROM site WHERE state = 'waiting' {} ORDER BY rank, id LIMIT ?"
        with explained(self.path), transaction(self._db):
            found = self._db.execute(query.format("AND run_id = ?"), (run, count)).fetchall()
            if not own and len(found) < count:
                known = {row["id"] for row in found}
                others = self._db.execute(query.format(""), (count,)).fetchall()
                found += [row for row in others if row["id"] not in known][: count - len(found)]
            self._db.executemany(
                "UPDATE site SET state = 'leased', run_id = ? WHERE id = ?", [(run, row["id"]) for row in found]
            )
        return [Seed(site_of(row["url"]), row["entrance"], row["rank"]) for row in found]

    def retry_failed(self, run: int, *, own: bool) -> int:
        """Let the failed sites of a run, or all, wait once more; return how many."""
        scope = "run_id = ?" if own else "TRUE OR ?"
        with explained(self.path), transaction(self._db):
            return self._db.execute(
                f"UPDATE site SET state = 'waiting' WHERE state = 'failed' AND ({scope})", (run,)
            ).rowcount

    def release_sites(self) -> None:
        """Give back what was leased and not searched."""
        with explained(self.path), transaction(self._db):
            self._db.execute("UPDATE site SET state = 'waiting' WHERE state = 'leased'")

    def commit(self, run: int, searches: Iterable[SiteSearch], *, discover: bool) -> None:
        """Keep what searches gave, all of it in one transaction."""
        with explained(self.path), transaction(self._db):
            for search in searches:
                self._commit_one(run, search, "waiting" if discover else "seen")

    def _commit_one(self, run: int, search: SiteSearch, neighbour_state: str) -> None:
        found = self._db.execute("SELECT id, searched_at, hops FROM site WHERE url = ?", (str(search.site),)).fetchone()
        site_id = found["id"]
        if found["searched_at"] is not None:
            self._forget(site_id)  # a search that was stopped half way is replaced by the whole one
        state = _state_after(search)
        queries = sum(1 for door in search.doors if door.judgement.kind == "database")
        self._db.execute(
            "UPDATE site SET state = ?, strategy = ?, pages = ?, forms = ?, stopped = ?, error = ?, searched_at = ? WHERE id = ?",
            (state, search.strategy, len(search.visits), queries, search.stopped, search.error, self._now(), site_id),
        )
        self._db.executemany(
            "INSERT OR REPLACE INTO page (site_id, url, status, depth, failure, moved, digest, fetched_at, why)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows.page_rows(site_id, search),
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO form (site_id, page, depth, kind, searchable, probability, reasons, method, action, fields,"
            " conditions, signature, database, probe, made, template, controls)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [rows.form_row(site_id, door) for door in search.doors],
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO skip VALUES (?, ?, ?, ?)", [(site_id, s.url, s.reason, s.detail) for s in search.skipped]
        )
        self._db.executemany(
            "INSERT INTO skip_count VALUES (?, ?, ?)", [(site_id, *pair) for pair in search.skip_counts]
        )
        if state == "moved" and found["hops"] < MOVES:
            self._link(run, site_id, search, "waiting", found["hops"] + 1)
        else:
            self._link(run, site_id, search, neighbour_state, 0)

    def _link(self, run: int, site_id: int, search: SiteSearch, state: str, hops: int) -> None:
        """Keep the links to other sites, and those sites."""
        if not search.neighbours:
            return
        self._db.executemany(
            "INSERT INTO site (url, entrance, state, run_id, hops) VALUES (?, ?, ?, ?, ?) ON CONFLICT (url) DO UPDATE"
            " SET state = 'waiting', run_id = excluded.run_id WHERE state = 'seen' AND excluded.state = 'waiting'",
            [(url, f"{url}/", state, run if state == "waiting" else None, hops) for url in search.neighbours],
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO site_link SELECT ?, id FROM site WHERE url = ?",
            [(site_id, url) for url in search.neighbours],
        )

    def _forget(self, site_id: int) -> None:
        for table in ("page", "form", "skip", "skip_count"):
            self._db.execute(f"DELETE FROM {table} WHERE site_id = ?", (site_id,))
        self._db.execute("DELETE FROM site_link WHERE from_id = ?", (site_id,))

    # numbers and rows: what people and scripts read

    def count_sites(self) -> int:
        """Count the sites that are known."""
        return int(self._db.execute("SELECT count(*) FROM site").fetchone()[0])

    def count_states(self) -> dict[str, int]:
        """Count the sites in each state."""
        return dict(self._db.execute("SELECT state, count(*) FROM site GROUP BY state ORDER BY state").fetchall())

    def count_outcomes(self, run: int) -> dict[str, int]:
        """Count the sites of a run in each state."""
        return dict(
            self._db.execute("SELECT state, count(*) FROM site WHERE run_id = ? GROUP BY state", (run,)).fetchall()
        )

    def count_done(self, run: int) -> tuple[int, int]:
        """Count the sites a run has finished, and the pages of all its sites."""
        done = self._db.execute(f"SELECT count(*) FROM site WHERE run_id = ? AND state IN {DONE}", (run,)).fetchone()[0]
        pages = self._db.execute("SELECT coalesce(sum(pages), 0) FROM site WHERE run_id = ?", (run,)).fetchone()[0]
        return int(done), int(pages)

    def count_waiting(self, run: int, *, own: bool) -> int:
        """Count the sites that are still to be searched."""
        scope = "run_id = ?" if own else "TRUE OR ?"
        return int(
            self._db.execute(
                f"SELECT count(*) FROM site WHERE state IN ('waiting', 'leased') AND ({scope})", (run,)
            ).fetchone()[0]
        )

    def tally(self) -> Tally:
        """Count all there is in the database."""
        states = self.count_states()
        kinds = dict(self._db.execute("SELECT kind, count(*) FROM form GROUP BY kind").fetchall())
        failures = self._db.execute(
            "SELECT failure, count(*) FROM page WHERE failure <> '' GROUP BY failure"
        ).fetchall()
        refused = self._db.execute(
            "SELECT error, count(*) FROM site WHERE state = 'failed' AND pages = 0 GROUP BY error"
        ).fetchall()
        return Tally(
            sites=sum(states.get(state, 0) for state in ("searched", "failed", "moved")),
            failed=states.get("failed", 0),
            pages=int(self._db.execute("SELECT coalesce(sum(pages), 0) FROM site").fetchone()[0]),
            forms=kinds.get("database", 0),
            kinds=kinds,
            errors=_by_reason([*failures, *refused]),
            skipped=dict(
                self._db.execute("SELECT reason, sum(count) FROM skip_count GROUP BY reason ORDER BY 2 DESC").fetchall()
            ),
        )

    def count_sources(self) -> int:
        """Count the databases behind the query forms, however many sites ask one; a form of which none is known is one."""
        return int(
            self._db.execute(f"SELECT count(DISTINCT {DATABASE}) FROM form WHERE kind = 'database'").fetchone()[0]
        )

    def sites(self) -> Iterator[dict[str, Any]]:
        """Yield every known site as `dowse export sites` writes it."""
        query = f"""
            SELECT url AS site, state, pages, forms,
                (SELECT count(DISTINCT {DATABASE}) FROM form WHERE site_id = site.id AND kind = 'database') AS sources,
                error, stopped, entrance, rank
            FROM site ORDER BY id
        """
        for row in self._db.execute(query):
            yield dict(row)

    def forms(self) -> Iterator[dict[str, Any]]:
        """Yield every form as `dowse export forms` writes it."""
        query = "SELECT form.*, site.url AS site FROM form JOIN site ON site.id = form.site_id ORDER BY form.site_id, form.id"
        for row in self._db.execute(query):
            yield rows.exported_form(row)

    def form(self, number: int) -> dict[str, Any] | None:
        """Return the form with this number, or None."""
        query = "SELECT form.*, site.url AS site FROM form JOIN site ON site.id = form.site_id WHERE form.id = ?"
        row = self._db.execute(query, (number,)).fetchone()
        return rows.exported_form(row) if row else None

    def about(self, url: str) -> dict[str, Any]:
        """Return all that is known about one address: its site, its page, its forms, why it was skipped."""
        site = self._db.execute("SELECT * FROM site WHERE url = ?", (origin(url),)).fetchone()
        if site is None:
            return {}
        key = (site["id"], url)
        page = self._db.execute(
            "SELECT * FROM page WHERE site_id = ? AND (url = ? OR moved = ?) ORDER BY moved LIMIT 1", (*key, url)
        ).fetchone()
        skip = self._db.execute("SELECT reason FROM skip WHERE site_id = ? AND url = ?", key).fetchone()
        forms = self._db.execute(
            "SELECT form.*, ? AS site FROM form WHERE site_id = ? AND page = ? ORDER BY id", (origin(url), *key)
        )
        counts = self._db.execute(
            "SELECT reason, count FROM skip_count WHERE site_id = ? ORDER BY count DESC", (site["id"],)
        )
        return {
            "site": dict(site),
            "page": dict(page) if page else None,
            "skip": skip["reason"] if skip else "",
            "forms": [rows.exported_form(row) for row in forms],
            "skip_counts": dict(counts.fetchall()),
        }


def _state_after(search: SiteSearch) -> str:
    if not search.finished:
        return "waiting"
    if search.error.startswith("moved to "):
        return "moved"
    return "failed" if search.error else "searched"


def _by_reason(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Add up failures by their reason; of a status and of a robots.txt out of reach, the detail is the reason."""
    counts: dict[str, int] = {}
    for text, count in pairs:
        reason, _, detail = text.partition(": ")
        if reason == Why.STATUS:
            reason = detail
        elif reason == Why.ROBOTS_DOWN:
            reason = f"{reason}: {detail.partition(': ')[0]}"
        counts[reason] = counts.get(reason, 0) + count
    return dict(sorted(counts.items(), key=lambda pair: -pair[1]))
