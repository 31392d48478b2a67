"""The frontier of crawls on a topic: sites by what is expected of them, pages in queues, and what such crawls have taught.

All of it is in the store: a crawl that is killed goes on with every count, and any number of workers may add. Pages wait in
two parts (paper 2, Section 3.4): those that were loaded are all followed before the best of the rest are loaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dowse.model import KnownSite, LinkChoice, Mention, SiteRank, SiteSearch
from dowse.store.rows import choice_row, commit_page, link_sites, read_choice
from dowse.store.store import Store
from dowse.url import origin, site_of

MAX_MENTIONS_READ = 50  # of one site, the newest: more say nothing new
LATER, LOADED, TAKEN, DONE, GIVEN_UP = range(5)  # states of a page
STAYING_WAYS = ("seed", "reverse search")

# -- sites


def read_unranked(store: Store, most: int) -> list[KnownSite]:
    """Return sites that wait and of which nobody has said what to expect, with how others name them."""
    with store.database.reading():
        found = store.database.execute(
            "SELECT id, url, inlinks, way FROM site WHERE state = 'waiting' AND worth IS NULL ORDER BY id LIMIT ?",
            (most,),
        ).fetchall()
        return [
            KnownSite(row["url"], _read_mentions(store, row["id"]), row["inlinks"], _way(row["way"])) for row in found
        ]


def _way(kept: str) -> str:
    """Return how a site was met, where that stays so whoever links to it."""
    return kept if kept in STAYING_WAYS else ""


def _read_mentions(store: Store, site_id: int) -> tuple[Mention, ...]:
    rows = store.database.execute(
        "SELECT link.*, site.topic AS of_topic, site.relevant AS of_forms FROM site_link AS link"
        " JOIN site ON site.id = link.from_id WHERE link.to_id = ? ORDER BY link.from_id DESC LIMIT ?",
        (site_id, MAX_MENTIONS_READ),
    )
    return tuple(
        Mention(
            "", row["url"], row["page"], row["text"], row["nearby"], row["links"], row["topic"], row["forms"],
            row["of_topic"], row["of_forms"],
        )
        for row in rows
    )  # fmt: skip


def keep_ranks(store: Store, ranks: Iterable[SiteRank]) -> None:
    """Keep what is expected of sites."""
    with store.database.writing():
        store.database.executemany(
            "UPDATE site SET worth = ?, queue = ?, way = ?, worth_why = ?, topic = ? WHERE url = ? AND state = 'waiting'",
            [(rank.worth, rank.queue, rank.way, rank.why, rank.likely, rank.site) for rank in ranks],
        )


def read_likely(store: Store, site: str) -> float | None:
    """Return how likely a site is on the topic, as was said last; None where nobody did."""
    found = store.database.look_up("SELECT topic FROM site WHERE url = ?", (site,))
    return None if found is None else found[0]


def read_known(store: Store, site: str) -> KnownSite:
    """Return what others say of a site."""
    with store.database.reading():
        row = store.database.execute("SELECT id, inlinks, way FROM site WHERE url = ?", (site,)).fetchone()
        return (
            KnownSite(site, _read_mentions(store, row["id"]), row["inlinks"], _way(row["way"]))
            if row
            else KnownSite(site)
        )


def promote_queue(store: Store, queue: int, into: int) -> int:
    """Let all sites of one queue wait in another; return how many."""
    with store.database.writing():
        return store.database.execute(
            "UPDATE site SET queue = ? WHERE queue = ? AND state = 'waiting' AND worth IS NOT NULL", (into, queue)
        ).rowcount


def count_ranked(store: Store, queue: int | None = None, most: int = 1_000, least: float = 0.0) -> int:
    """Count the sites that wait and of which at least so much is expected, in one queue or all, no further than asked."""
    scope = f"AND worth >= {least!r}" if queue is None else f"AND worth >= {least!r} AND queue = {int(queue)}"
    query = f"SELECT count(*) FROM (SELECT 1 FROM site WHERE state = 'waiting' AND worth IS NOT NULL {scope} LIMIT ?)"
    with store.database.reading():
        return int(store.database.execute(query, (most,)).fetchone()[0])


def read_best_worth(store: Store) -> float:
    """Return what the best site that waits is worth; nothing where none does."""
    query = "SELECT worth FROM site WHERE state = 'waiting' AND worth IS NOT NULL ORDER BY queue, worth DESC LIMIT 1"
    with store.database.reading():
        found = store.database.execute(query).fetchone()
    return float(found[0]) if found else 0.0


def read_relevant(store: Store, run: int) -> list[str]:
    """Return the sites of a run with query forms on its topic."""
    with store.database.reading():
        rows = store.database.execute("SELECT url FROM site WHERE run_id = ? AND relevant > 0 ORDER BY id", (run,))
        return [row["url"] for row in rows]


def reopen_off_topic(store: Store, run: int, reason: str) -> None:
    """Let sites wait again that crawls on other topics left for being off theirs, and say anew what is expected of all that wait."""
    with store.database.writing():
        store.database.execute(
            "UPDATE site SET state = 'waiting', worth = NULL, run_id = ?1"
            " WHERE state = 'searched' AND run_id <> ?1 AND (stopped = ?2 OR stopped LIKE ?2 || ':%')",
            (run, reason),
        )
        store.database.execute("UPDATE site SET worth = NULL WHERE state = 'waiting' AND run_id IS NOT ?", (run,))


def add_mentions(store: Store, run: int, page: str, mentions: Sequence[Mention], way: str) -> int:
    """Keep how a page names sites, which wait then as met in this way where they are new; return how many are."""
    site = origin(page)
    search = SiteSearch(
        site_of(page), neighbours=tuple(each.site for each in mentions), mentions=tuple(mentions), topic=0.0
    )
    with store.database.writing():
        store.database.execute(
            "INSERT OR IGNORE INTO site (url, entrance, state) VALUES (?, ?, 'seen')", (site, f"{site}/")
        )
        site_id = store.database.execute("SELECT id FROM site WHERE url = ?", (site,)).fetchone()["id"]
        newest = store.database.execute("SELECT max(id) FROM site").fetchone()[0]
        new = link_sites(store.database, run, site_id, search, "waiting")
        store.database.execute("UPDATE site SET way = ? WHERE id > ?", (way, newest))
        return new


def pages_naming(store: Store, site: str, most: int) -> list[str]:
    """Return pages of other sites that are known to name a site."""
    query = (
        "SELECT page FROM site_link WHERE page <> '' AND to_id = (SELECT id FROM site WHERE url = ?)"
        " ORDER BY links DESC LIMIT ?"
    )
    with store.database.reading():
        return [row["page"] for row in store.database.execute(query, (site, most))]


# -- what crawls have taught


def read_lessons(store: Store, topic: str, kind: str) -> dict[str, float]:
    """Return the sums of one kind."""
    with store.database.reading():
        rows = store.database.execute("SELECT name, amount FROM lesson WHERE topic = ? AND kind = ?", (topic, kind))
        return {row["name"]: row["amount"] for row in rows}


def add_lessons(store: Store, topic: str, kind: str, amounts: Mapping[str, float]) -> None:
    """Add to sums."""
    with store.database.writing():
        store.database.executemany(
            "INSERT INTO lesson (topic, kind, name, amount) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET amount = amount + excluded.amount",
            [(topic, kind, name, amount) for name, amount in amounts.items()],
        )


# -- pages


@dataclass(frozen=True, slots=True)
class TakenPage:
    """A page to fetch, and what its site has given so far."""

    id: int
    choice: LinkChoice
    level: int
    pages: int  # of its site that were fetched
    forms: int  # wanted query forms on them


def add_pages(store: Store, run: int, choices: Iterable[tuple[int, LinkChoice]]) -> None:
    """Let links wait in their queues, each once."""
    with store.database.writing():
        _add_pages(store, run, choices)


def _add_pages(store: Store, run: int, choices: Iterable[tuple[int, LinkChoice]]) -> None:
    rows, sites = [], dict[str, None]()
    for level, choice in choices:
        url, rest = choice_row(choice)
        site = origin(url)
        sites[site] = None
        rows.append((run, url, LATER, level, choice.worth, rest, site))
    store.database.executemany(
        "INSERT OR IGNORE INTO site (url, entrance, state, run_id) VALUES (?, ?, 'seen', ?)",
        [(site, f"{site}/", run) for site in sites],
    )
    store.database.executemany(
        "INSERT OR IGNORE INTO waiting_page (run_id, url, state, level, score, link, site_id)"
        " SELECT ?, ?, ?, ?, ?, ?, id FROM site WHERE url = ?",
        rows,
    )


def load_pages(store: Store, run: int, count: int, last: int) -> int:
    """Load the best pages of those that wait, the lowest queues first, none of a queue behind the last; return how many."""
    with store.database.writing():
        return store.database.execute(
            "UPDATE waiting_page SET state = ? WHERE id IN (SELECT id FROM waiting_page WHERE run_id = ? AND state = ?"
            " AND level <= ? ORDER BY level, score DESC, id LIMIT ?)",
            (LOADED, run, LATER, last, count),
        ).rowcount


def take_pages(store: Store, run: int, count: int, busy: frozenset[str] = frozenset()) -> list[TakenPage]:
    """Take the best pages that are loaded, none of a busy site and one of each site."""
    query = (
        "SELECT waiting_page.id, waiting_page.url, level, link, site.url AS site, site.pages, site.relevant"
        " FROM waiting_page JOIN site ON site.id = site_id WHERE waiting_page.run_id = ? AND waiting_page.state = ?"
        " ORDER BY level, score DESC, waiting_page.id LIMIT ?"
    )
    taken: dict[str, TakenPage] = {}
    with store.database.writing():
        for row in store.database.execute(query, (run, LOADED, 8 * (count + len(busy)))).fetchall():
            if len(taken) < count and row["site"] not in busy and row["site"] not in taken:
                taken[row["site"]] = TakenPage(row["id"], read_choice(row), row["level"], row["pages"], row["relevant"])
        _set_state(store, TAKEN, [page.id for page in taken.values()])
    return list(taken.values())


def give_up_site(store: Store, run: int, site: str) -> int:
    """Give up the pages of a site that wait or were taken; return how many."""
    with store.database.writing():
        return store.database.execute(
            "UPDATE waiting_page SET state = ? WHERE run_id = ? AND state <= ?"
            " AND site_id = (SELECT id FROM site WHERE url = ?)",
            (GIVEN_UP, run, TAKEN, site),
        ).rowcount


def release_pages(store: Store, run: int) -> None:
    """Let pages wait again that were taken and not committed."""
    with store.database.writing():
        store.database.execute("UPDATE waiting_page SET state = ? WHERE run_id = ? AND state = ?", (LOADED, run, TAKEN))


def commit_pages(
    store: Store, run: int, fetched: Sequence[tuple[TakenPage, SiteSearch]], found: Iterable[tuple[int, LinkChoice]]
) -> None:
    """Store pages that were fetched, as parts of the searches of their sites, and the links that wait because of them."""
    with store.database.writing():
        for _, search in fetched:
            commit_page(store.database, run, search, store.database.now())
        _set_state(store, DONE, [page.id for page, _ in fetched])
        _add_pages(store, run, found)


def count_pages(store: Store, run: int) -> int:
    """Count the pages that still wait, or are being fetched."""
    with store.database.reading():
        return int(
            store.database.execute(
                "SELECT count(*) FROM waiting_page WHERE run_id = ? AND state <= ?", (run, TAKEN)
            ).fetchone()[0]
        )


def count_page_sites(store: Store, run: int) -> int:
    """Count the sites with pages that still wait."""
    query = "SELECT count(DISTINCT site_id) FROM waiting_page WHERE run_id = ? AND state <= ?"
    with store.database.reading():
        return int(store.database.execute(query, (run, TAKEN)).fetchone()[0])


def _set_state(store: Store, state: int, pages: Sequence[int]) -> None:
    store.database.executemany("UPDATE waiting_page SET state = ? WHERE id = ?", [(state, each) for each in pages])
