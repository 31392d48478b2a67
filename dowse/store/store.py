"""The store: sites, pages, forms, and addresses that were skipped."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice
from types import TracebackType
from typing import Any, Self

from dowse.model import Door, Earlier, Seed, SiteSearch, Tally
from dowse.store import rows
from dowse.store.database import Database, connect, connect_to_read, database_path
from dowse.store.rows import (
    OPEN_STATES,
    SEED_COLUMNS,
    commit_exploration,
    commit_search,
    name_entrance,
    read_earlier,
    read_seed_row,
)
from dowse.store.schema import RANKED, RANKED_INDEXES, TOPIC_INDEXES
from dowse.url import origin

IMPORT_BATCH_SITES = 25_000
DONE_STATES = "('searched', 'failed', 'moved')"
ORDERS = {"simple": "round, id", "ranked": RANKED, "round-robin": "round, id"}  # how waiting sites are taken
BY_WORTH = "topic"  # the order of a crawl on a topic
_INDEXES = {"ranked": RANKED_INDEXES, BY_WORTH: TOPIC_INDEXES}
DATABASE = "CASE database WHEN '' THEN site_id || ' ' || signature ELSE database END"


def open_store(location: str) -> Store:
    """Open the database that `--db` names; it is created if it does not exist."""
    path = database_path(location)
    return Store(Database(path, connect(path)))


def open_existing(location: str) -> Store:
    """Open a database for reading; BadInput if it does not exist."""
    from dowse.errors import BadInput

    path = database_path(location)
    if not path.exists():
        raise BadInput(f"there is no database {path}; `dowse find` makes one, --db names another")
    return Store(Database(path, connect_to_read(path)))


class Store:
    """One SQLite file. A search is committed whole or not at all."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release its lock."""
        self.database.close()

    # the queue of sites

    def lock(self) -> None:
        """Lock the database for this process."""
        self.database.lock()

    def begin_run(self, command: str, schedule: str = "simple") -> int:
        """Begin a run, or resume it: the same command is the same run. One process at a time."""
        self.lock()
        self.release_sites()  # of a run that died
        self.release_explored()
        with self.database.writing():
            for statement in _INDEXES.get(schedule, ()):
                self.database.execute(statement)
            self.database.execute(
                "INSERT OR IGNORE INTO run (command, started_at) VALUES (?, ?)", (command, self.database.now())
            )
            return int(self.database.execute("SELECT id FROM run WHERE command = ?", (command,)).fetchone()[0])

    def add_seeds(self, seeds: Iterable[Seed], run: int | None = None) -> int:
        """Add sites to search, and pages of them; a site that is done is opened again only for a page that was never named.

        Returns how many sites were new.
        """
        statement = """
            INSERT INTO site (url, entrance, state, rank, run_id) VALUES (?, ?, 'waiting', ?, ?)
            ON CONFLICT (url) DO UPDATE SET
                state = CASE state WHEN 'seen' THEN 'waiting' ELSE state END,
                entrance = CASE WHEN state IN ('seen', 'waiting') THEN excluded.entrance ELSE entrance END,
                run_id = coalesce(excluded.run_id, run_id)
            WHERE state = 'seen' OR excluded.run_id IS NOT NULL
                OR (state = 'waiting' AND entrance <> excluded.entrance)  -- else nothing changes, and nothing is written
        """
        before = self.count_sites()
        stream = iter(seeds)
        with self.database.reading():
            usual = self.database.execute("PRAGMA cache_size").fetchone()[0]
            self.database.execute(
                "PRAGMA cache_size = -48000"
            )  # URLs come in no order, so that their whole index is in use
            while batch := list(islice(stream, IMPORT_BATCH_SITES)):
                sites = [(str(each.site), each.entrance, each.rank, run) for each in batch]
                with self.database.writing():
                    self.database.executemany(statement, sites)
                    for site, entrance, *_ in sites:
                        if len(entrance) > len(site) + 1:  # more than the root
                            name_entrance(self.database, site, entrance)
            self.database.execute(f"PRAGMA cache_size = {usual}")
        return self.count_sites() - before

    def take_sites(
        self, run: int, count: int, *, own: bool, schedule: str = "simple", begun: bool = False
    ) -> list[Seed]:
        """Lease the next waiting sites: those of the run, then any unless they must be its own; each is handed out once.

        Where they must have begun, only those whose search goes on. One that was interrupted comes before all others.
        """
        only = "AND round <> 0" if begun else "AND worth IS NOT NULL" if schedule == BY_WORTH else ""
        order = "queue, worth DESC, id" if schedule == BY_WORTH else ORDERS["simple" if begun else schedule]
        query = f"SELECT {SEED_COLUMNS} FROM site WHERE state = 'waiting' {{}} {only} ORDER BY {order} LIMIT ?"
        with self.database.writing():
            found = self._take(query, run, count, own=own)
            self.database.executemany(
                "UPDATE site SET state = 'leased', run_id = ? WHERE id = ?", [(run, row["id"]) for row in found]
            )
        return list(map(read_seed_row, found))

    def _take(self, query: str, run: int, count: int, *, own: bool) -> list[sqlite3.Row]:
        """Return rows of the run, then of any other."""
        found = self.database.execute(query.format("AND run_id = ?"), (run, count)).fetchall()
        if not own and len(found) < count:
            known = {row["id"] for row in found}
            others = self.database.execute(query.format(""), (count,)).fetchall()
            found += [row for row in others if row["id"] not in known][: count - len(found)]
        return found

    def read_earlier(self, seed: Seed) -> Earlier | None:
        """Return what the search of a site brought before; None where it has not begun."""
        with self.database.reading():
            return read_earlier(self.database, str(seed.site)) if seed.round else None

    def retry_failed(self, run: int, *, own: bool) -> int:
        """Queue the failed sites of a run, or all, again; return how many."""
        scope = "run_id = ?" if own else "TRUE OR ?"
        with self.database.writing():
            return self.database.execute(
                f"UPDATE site SET state = 'waiting', explored = '' WHERE state = 'failed' AND ({scope})", (run,)
            ).rowcount

    def release_sites(self) -> None:
        """Release the sites that were leased and not searched."""
        with self.database.writing():
            self.database.execute("UPDATE site SET state = 'waiting' WHERE state = 'leased'")

    def release_explored(self) -> None:
        """Release the sites that were leased and not explored."""
        with self.database.writing():
            self.database.execute("UPDATE site SET explored = '' WHERE explored = 'leased'")

    def commit(self, run: int, searches: Iterable[SiteSearch], *, discover: bool) -> None:
        """Store the results of searches in one transaction."""
        with self.database.writing():
            for search in searches:
                commit_search(self.database, run, search, "waiting" if discover else "seen", self.database.now())

    # the Site Finder: sites that link to others

    def take_unexplored(self, run: int, count: int) -> list[Seed]:
        """Lease sites that were not yet explored, those of the run first, but none that is being searched."""
        query = f"""
            SELECT {SEED_COLUMNS} FROM site WHERE explored = '' AND state <> 'seen' AND state <> 'leased' {{}}
            ORDER BY run_id, id LIMIT ?
        """
        with self.database.writing():
            found = self._take(query, run, count, own=False)
            self.database.executemany(
                "UPDATE site SET explored = 'leased' WHERE id = ?", [(row["id"],) for row in found]
            )
        return [replace(read_seed_row(row), round=0) for row in found]

    def commit_explored(self, run: int, searches: Iterable[SiteSearch]) -> int:
        """Store the sites that explorations found in one transaction; return how many are new."""
        with self.database.writing():
            return sum(commit_exploration(self.database, run, search) for search in searches)

    def knows_site(self, url: str) -> bool:
        """Return True if a site is in the database, as of the last commit."""
        return self.database.look_up("SELECT 1 FROM site WHERE url = ?", (url,)) is not None

    def count_explored(self, run: int) -> tuple[int, int]:
        """Count the sites that a run's explorations were the first to find, and the pages they fetched."""
        found = self.database.execute(
            "SELECT coalesce(sum(explored_sites), 0), coalesce(sum(explored_pages), 0) FROM site WHERE explored_by = ?",
            (run,),
        ).fetchone()
        return int(found[0]), int(found[1])

    def count_exploration_errors(self, run: int) -> dict[str, int]:
        """Count the explored sites of a run by why that failed; those where it did not under an empty reason."""
        query = "SELECT error, count(*) FROM site WHERE explored = 'done' AND (explored_by = ? OR run_id = ?) GROUP BY error"
        return dict(self.database.execute(query, (run, run)).fetchall())

    # counts and rows

    def count_sites(self) -> int:
        """Count the sites that are known."""
        return int(self.database.execute("SELECT count(*) FROM site").fetchone()[0])

    def count_states(self) -> dict[str, int]:
        """Count the sites in each state."""
        return dict(self.database.execute("SELECT state, count(*) FROM site GROUP BY state ORDER BY state").fetchall())

    def count_outcomes(self, run: int) -> dict[str, int]:
        """Count the sites of a run in each state."""
        return dict(
            self.database.execute("SELECT state, count(*) FROM site WHERE run_id = ? GROUP BY state", (run,)).fetchall()
        )

    def count_kinds(self, run: int) -> dict[str, int]:
        """Count the forms on the sites of a run by kind."""
        query = "SELECT kind, count(*) FROM form WHERE site_id IN (SELECT id FROM site WHERE run_id = ?) GROUP BY kind"
        return dict(self.database.execute(query, (run,)).fetchall())

    def count_errors(self, run: int) -> dict[str, int]:
        """Count the failed sites of a run by kind of failure, each as one of them says it; the most frequent first."""
        failed = "FROM site WHERE run_id = ? AND state = 'failed'"
        query = f"SELECT min(error), count(*) {failed} GROUP BY error_kind ORDER BY 2 DESC"
        return dict(self.database.execute(query, (run,)).fetchall())

    def why_unread(self, url: str) -> str:
        """Return why a page, or the one of another site that it redirects to, could not be read; nothing where it was, or nobody tried."""
        for _ in range(rows.MAX_SITE_MOVES + 1):
            known = self.about(url)
            page = known.get("page")
            if not page or page["failure"] or not page["moved"] or origin(page["moved"]) == origin(url):
                return str(page["failure"] if page else known.get("skip", ""))
            url = page["moved"]
        return ""

    def count_done(self, run: int) -> tuple[int, int]:
        """Count the sites a run has finished, and the pages of all its sites and explorations."""
        done = self.database.execute(
            f"SELECT count(*) FROM site WHERE run_id = ? AND state IN {DONE_STATES}", (run,)
        ).fetchone()[0]
        pages = self.database.execute("SELECT coalesce(sum(pages), 0) FROM site WHERE run_id = ?", (run,)).fetchone()[0]
        return int(done), int(pages) + self.count_explored(run)[1]

    def count_queries(self, run: int) -> int:
        """Count the queries that a run sent to probe forms."""
        query = (
            "SELECT coalesce(sum(json_extract(probe, '$.requests')), 0) FROM form"
            " WHERE probe <> '' AND site_id IN (SELECT id FROM site WHERE run_id = ?)"
        )
        return int(self.database.execute(query, (run,)).fetchone()[0])

    def count_begun(self, run: int) -> int:
        """Count the sites of a run whose search has begun and goes on."""
        query = "SELECT count(*) FROM site WHERE run_id = ? AND state = 'waiting' AND round <> 0"
        return int(self.database.execute(query, (run,)).fetchone()[0])

    def count_waiting(self, run: int, *, own: bool, most: int = -1) -> int:
        """Count the sites that are still to be searched, or are being searched; no further than asked."""
        scope = "AND run_id = ?" if own else "AND (TRUE OR ?)"
        halves = " UNION ALL ".join(f"SELECT 1 FROM site WHERE state = '{state}' {scope}" for state in OPEN_STATES)
        with self.database.reading():
            found = self.database.execute(f"SELECT count(*) FROM ({halves} LIMIT ?)", (run, run, most)).fetchone()
        return int(found[0])

    def tally(self) -> Tally:
        """Count all there is in the database."""
        states = self.count_states()
        kinds = dict(self.database.execute("SELECT kind, count(*) FROM form GROUP BY kind").fetchall())
        failures = self.database.execute(
            "SELECT failure_kind, count(*) FROM page WHERE failure <> '' GROUP BY failure_kind"
        ).fetchall()
        refused = self.database.execute(
            "SELECT error_kind, count(*) FROM site WHERE state = 'failed' AND pages = 0 GROUP BY error_kind"
        ).fetchall()
        errors: Counter[str] = Counter()
        for kind, count in [*failures, *refused]:
            errors[kind] += count
        pages, finder_pages, found = self.database.execute(
            "SELECT coalesce(sum(pages), 0), coalesce(sum(explored_pages), 0), coalesce(sum(explored_sites), 0) FROM site"
        ).fetchone()
        return Tally(
            sites=sum(states.get(state, 0) for state in ("searched", "failed", "moved")),
            failed=states.get("failed", 0),
            pages=pages + finder_pages,
            forms=kinds.get("database", 0),
            kinds=kinds,
            errors=dict(errors.most_common()),
            skipped=dict(
                self.database.execute(
                    "SELECT reason, sum(count) FROM skip_count GROUP BY reason ORDER BY 2 DESC"
                ).fetchall()
            ),
            finder_pages=finder_pages,
            sites_found=found,
        )

    def count_sources(self) -> int:
        """Count the databases behind the query forms; one that several sites query counts once, a form without a known one counts as one."""
        return int(
            self.database.execute(f"SELECT count(DISTINCT {DATABASE}) FROM form WHERE kind = 'database'").fetchone()[0]
        )

    def sites(self) -> Iterator[dict[str, Any]]:
        """Yield every known site as `dowse export sites` writes it."""
        query = f"""
            SELECT url AS site, state, pages, forms,
                (SELECT count(DISTINCT {DATABASE}) FROM form WHERE site_id = site.id AND kind = 'database') AS sources,
                error, stopped, entrance, rank, topic, worth_why AS why
            FROM site ORDER BY id
        """
        for row in self.database.execute(query):
            yield dict(row)

    def forms(self, kinds: Collection[str] = (), sites: Collection[int] = ()) -> Iterator[dict[str, Any]]:
        """Yield every form as `dowse export forms` writes it; only those of some kinds, on some sites, where any are given."""
        chosen = [("form.kind", kinds), ("form.site_id", sites)]
        conditions = [f"{name} IN ({', '.join('?' for _ in values)})" for name, values in chosen if values]
        query = (
            "SELECT form.*, site.url AS site FROM form JOIN site ON site.id = form.site_id"
            f" WHERE {' AND '.join(['TRUE', *conditions])} ORDER BY form.site_id, form.id"
        )
        for row in self.database.execute(query, [*kinds, *sites]):
            yield rows.exported_form(row)

    def form_signatures(self, site: str) -> set[str]:
        """Return what the forms of a site are known by."""
        query = "SELECT signature FROM form WHERE site_id = (SELECT id FROM site WHERE url = ?)"
        with self.database.reading():
            return {row["signature"] for row in self.database.execute(query, (site,))}

    def form(self, number: int) -> dict[str, Any] | None:
        """Return the form with this number, or None."""
        query = "SELECT form.*, site.url AS site FROM form JOIN site ON site.id = form.site_id WHERE form.id = ?"
        row = self.database.execute(query, (number,)).fetchone()
        return rows.exported_form(row) if row else None

    def keep_probe(self, number: int, door: Door) -> None:
        """Keep what a form answered, and what it is taken for since."""
        judged = door.judgement
        values = (rows.to_json(asdict(door.probe)) if door.probe else "", judged.kind, judged.searchable)
        with self.database.writing():
            self.database.execute(
                "UPDATE form SET probe = ?, kind = ?, searchable = ?, probability = ?, reasons = ? WHERE id = ?",
                (*values, round(judged.probability, 4), rows.to_json(judged.reasons), number),
            )
            self.database.execute(
                "UPDATE site SET forms = (SELECT count(*) FROM form WHERE site_id = site.id AND kind = 'database')"
                " WHERE id = (SELECT site_id FROM form WHERE id = ?)",
                (number,),
            )

    def about(self, url: str) -> dict[str, Any]:
        """Return what the store has about one URL: its site, its page, its forms, why it was skipped."""
        site = self.database.execute("SELECT * FROM site WHERE url = ?", (origin(url),)).fetchone()
        if site is None:
            return {}
        key = (site["id"], url)
        page = self.database.execute(
            "SELECT * FROM page WHERE site_id = ? AND (url = ? OR moved = ?) ORDER BY moved LIMIT 1", (*key, url)
        ).fetchone()
        skip = self.database.execute("SELECT reason, detail FROM skip WHERE site_id = ? AND url = ?", key).fetchone()
        later = self.database.execute("SELECT link FROM frontier WHERE site_id = ? AND url = ?", key).fetchone()
        forms = self.database.execute(
            "SELECT form.*, ? AS site FROM form WHERE site_id = ? AND page = ? ORDER BY id", (origin(url), *key)
        )
        counts = self.database.execute(
            "SELECT reason, count FROM skip_count WHERE site_id = ? ORDER BY count DESC", (site["id"],)
        )
        links = self.database.execute("SELECT count(*) FROM site_link WHERE from_id = ?", (site["id"],)).fetchone()[0]
        return {
            "site": dict(site),
            "links": links,
            "page": dict(page) if page else None,
            "skip": skip["reason"] if skip else "",
            "detail": skip["detail"] if skip else "",
            "later": later is not None,
            "forms": [rows.exported_form(row) for row in forms],
            "skip_counts": dict(counts.fetchall()),
        }
