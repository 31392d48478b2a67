"""Model objects to rows and back, and the commit of a search, a round or an exploration."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import orjson

from dowse.form.signature import database_of
from dowse.model import Condition, Control, Door, Earlier, Link, LinkChoice, Seed, SiteSearch
from dowse.reasons import GIVEN_AS_SEED
from dowse.store.database import Database
from dowse.url import origin, site_of

# -- model objects to rows and back


def page_rows(site_id: int, search: SiteSearch) -> Iterator[tuple[object, ...]]:
    """Yield the pages of a search as rows."""
    for visit in search.visits:
        failure = str(visit.failure) if visit.failure else ""
        yield (
            site_id,
            visit.link.url,
            visit.status,
            visit.link.depth,
            failure,
            visit.moved,
            visit.digest,
            visit.seconds,
            visit.why,
            visit.failure.counted_as if visit.failure else "",
        )


def choice_row(choice: LinkChoice) -> tuple[str, str]:
    """Return a queued link as its URL and the rest as JSON."""
    link, worth, kind, why = choice
    return link.url, to_json([*link[1:], worth, kind, why])


def read_choice(row: sqlite3.Row) -> LinkChoice:
    """Return a queued link from its row."""
    text, nearby, rel, path, place, depth, worth, kind, why = orjson.loads(row["link"])
    return LinkChoice(Link(row["url"], text, nearby, rel, path, place, depth), worth, kind, why)


SEED_COLUMNS = (
    "id, url, entrance, rank, round, (SELECT json_group_array(url) FROM entrance WHERE site_id = site.id) AS also"
)


def read_seed_row(row: sqlite3.Row) -> Seed:
    """Return a site that is to be searched, from SEED_COLUMNS."""
    return Seed(site_of(row["url"]), row["entrance"], row["rank"], row["round"], tuple(orjson.loads(row["also"])))


def form_row(site_id: int, door: Door) -> tuple[object, ...]:
    """Return a door as a row."""
    form, judgement = door.form, door.judgement
    return (
        site_id, door.page, door.depth, judgement.kind, judgement.searchable, round(judgement.probability, 4),
        to_json(judgement.reasons), form.method, form.action, to_json(field_names(door)),
        to_json([condition_dict(condition) for condition in door.conditions]), door.signature, database_of(form),
        to_json(asdict(door.probe)) if door.probe else "", form.made, form.template,
        to_json([control_dict(control) for control in door.controls]), to_text(door.title), to_text(form.heading),
        to_json([list(match) for match in door.topics]),
    )  # fmt: skip


def field_names(door: Door) -> list[str]:
    """Return the names of a form's controls, each once, in order."""
    return list(dict.fromkeys(field.name for field in door.form.fields if field.name))


def condition_dict(condition: Condition) -> dict[str, Any]:
    """Return a condition as in the JSON output."""
    return {
        "label": condition.label,
        "attribute": condition.attribute,
        "operator": condition.operator,
        "type": condition.type,
        "fields": list(condition.fields),
        "options": [{"value": option.value, "label": option.label} for option in condition.options],
        "default": list(condition.default),
        "operators": [{"value": option.value, "label": option.label} for option in condition.operators],
        "operator_field": condition.operator_field,
    }


def control_dict(control: Control) -> dict[str, Any]:
    """Return controls that are no condition as in the JSON output."""
    return {"fields": list(control.fields), "role": control.role}


def to_json(value: object) -> str:
    """Write JSON as text; a lone surrogate from a broken page becomes a question mark."""
    try:
        return orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        import json

        return json.dumps(value, ensure_ascii=True)


def to_text(text: str) -> str:
    """Return a text that can be stored: a lone surrogate from a broken page becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def exported_form(row: sqlite3.Row) -> dict[str, Any]:
    """Return a stored form as `dowse export forms` writes it."""
    return {
        "site": row["site"],
        "page": row["page"],
        "depth": row["depth"],
        "kind": row["kind"],
        "searchable": bool(row["searchable"]),
        "probability": row["probability"],
        "reasons": orjson.loads(row["reasons"]),
        "method": row["method"],
        "action": row["action"],
        "fields": orjson.loads(row["fields"]),
        "conditions": orjson.loads(row["conditions"]),
        "signature": row["signature"],
        "database": row["database"],
        "id": row["id"],
        "probe": orjson.loads(row["probe"]) if row["probe"] else None,
        "made": row["made"],
        "template": row["template"],
        "controls": orjson.loads(row["controls"]),
        "title": row["title"],
        "heading": row["heading"],
        "topics": [{"name": name, "probability": probability} for name, probability in orjson.loads(row["topics"])],
    }


# -- committing the result of a whole search, of one more round of it, or of an exploration; each inside a transaction

OPEN_STATES = ("leased", "waiting")
MAX_SITE_MOVES = 5  # redirects from site to site that are followed for a seed, with --no-discover, too
MAX_FRONTIER_LINKS = 20_000  # that may wait for a site's next round


def commit_search(db: Database, run: int, search: SiteSearch, neighbour_state: str, now: float) -> None:
    """Store the result of a search: beside what it gave before where it goes on, else in place of that."""
    found = _read_site(db, search)
    if found["searched_at"] is not None and not found["round"]:
        _delete_results(db, found["id"])
    _store_frontier(db, found["id"], search)
    _commit(db, run, found, search, neighbour_state, now, going_on=bool(found["round"]))


def commit_page(db: Database, run: int, page: SiteSearch, now: float) -> None:
    """Store a page as a part of the search of its site: beside its other pages. Once one came, others may fail."""
    found = _read_site(db, page)
    if found["state"] == "searched":
        page = replace(page, error="", error_kind="")
    topics = [topic for topic in (found["topic"], page.topic) if topic is not None]
    page = replace(page, topic=max(topics, default=None))
    _commit(db, run, found, page, "seen", now, going_on=True)
    db.execute("UPDATE site SET run_id = ? WHERE id = ?", (run, found["id"]))


def _read_site(db: Database, search: SiteSearch) -> sqlite3.Row:
    query = "SELECT id, state, searched_at, hops, round, topic FROM site WHERE url = ?"
    found: sqlite3.Row = db.execute(query, (str(search.site),)).fetchone()
    return found


def _commit(
    db: Database, run: int, found: sqlite3.Row, search: SiteSearch, neighbour_state: str, now: float, *, going_on: bool
) -> None:
    """Store pages, forms and links of a site, and what follows for it; where it goes on, counts are added to."""
    site_id, state = found["id"], state_after(search)
    insert_results(db, site_id, search)
    _update_site(db, site_id, search, state, now, going_on=going_on)
    if state in ("failed", "moved"):
        db.execute("UPDATE site SET explored = 'done' WHERE id = ? AND explored = ''", (site_id,))
    if state == "moved" and found["hops"] < MAX_SITE_MOVES:
        link_sites(db, run, site_id, search, "waiting", found["hops"] + 1)
    else:
        link_sites(db, run, site_id, search, neighbour_state)
    if found["hops"] < MAX_SITE_MOVES:
        _follow_entrances(db, run, search, found["hops"] + 1)


def _follow_entrances(db: Database, run: int, search: SiteSearch, hops: int) -> None:
    """Let pages that were named, and redirect to another site, be read there."""
    for visit in search.visits:
        if visit.link.depth or not visit.left_site or visit.link.url == search.site.root:
            continue
        site = origin(visit.moved)
        db.execute(
            "UPDATE site SET run_id = CASE state WHEN 'seen' THEN ? ELSE run_id END, hops = max(hops, ?),"
            " state = CASE state WHEN 'seen' THEN 'waiting' ELSE state END WHERE url = ?",
            (run, hops, site),
        )
        name_entrance(db, site, visit.moved)


def name_entrance(db: Database, site: str, url: str) -> None:
    """Let a page of a site be read for sure; a site that is done is opened again for it, unless it was named or read before."""
    found = db.execute("SELECT id, state, round FROM site WHERE url = ?", (site,)).fetchone()
    is_new = db.execute("INSERT OR IGNORE INTO entrance VALUES (?, ?)", (found["id"], url)).rowcount > 0
    read = "SELECT 1 FROM page WHERE site_id = ? AND (url = ? OR moved = ?)"
    if not is_new or url == f"{site}/" or db.execute(read, (found["id"], url, url)).fetchone():
        return
    if found["state"] in ("failed", "moved"):  # it gave nothing: searched from the beginning
        db.execute("UPDATE site SET state = 'waiting' WHERE id = ?", (found["id"],))
    elif found["state"] == "searched" or found["round"]:  # nothing that was read is read again
        db.execute(
            "UPDATE site SET state = 'waiting', round = CASE round WHEN 0 THEN 1 ELSE round END WHERE id = ?",
            (found["id"],),
        )
        db.execute(
            "INSERT INTO frontier SELECT ?1, coalesce(max(place), -1) + 1, ?2, ?3 FROM frontier WHERE site_id = ?1",
            (found["id"], *choice_row(LinkChoice(Link(url), why=GIVEN_AS_SEED))),
        )


def commit_exploration(db: Database, run: int, search: SiteSearch) -> int:
    """Store the sites that an exploration found, or why it failed; return how many are new."""
    site_id = db.execute("SELECT id FROM site WHERE url = ?", (str(search.site),)).fetchone()["id"]
    new = link_sites(db, run, site_id, search, "waiting")
    db.execute(
        "UPDATE site SET explored = ?, explored_by = ?, explored_pages = explored_pages + ?, explored_sites = explored_sites + ?"
        " WHERE id = ?",
        ("done" if search.finished else "", run, len(search.visits), new, site_id),
    )
    if search.error:  # until its search for forms says more
        db.execute("UPDATE site SET error = ? WHERE id = ? AND state = 'waiting'", (search.error, site_id))
    return new


def state_after(search: SiteSearch) -> str:
    """Return the state of a site after its search, or one round of it."""
    if search.under_way:
        return "leased"
    if not search.finished or search.left:
        return "waiting"
    if search.moved_to:
        return "moved"
    return "failed" if search.error else "searched"


def link_sites(db: Database, run: int, site_id: int, search: SiteSearch, state: str, hops: int = 0) -> int:
    """Store the links to other sites, and those sites; return how many of them are new."""
    if not search.neighbours:
        return 0
    before = _newest_id(db)
    db.executemany(
        "INSERT INTO site (url, entrance, state, run_id, hops) VALUES (?, ?, ?, ?, ?) ON CONFLICT (url) DO UPDATE"
        " SET state = 'waiting', run_id = excluded.run_id WHERE state = 'seen' AND excluded.state = 'waiting'",
        [(url, f"{url}/", state, run if state == "waiting" else None, hops) for url in search.neighbours],
    )
    new = _newest_id(db) - before
    pairs = [(site_id, url) for url in search.neighbours]
    db.executemany(
        "UPDATE site SET inlinks = inlinks + 1 WHERE url = ?2"
        " AND NOT EXISTS (SELECT 1 FROM site_link WHERE from_id = ?1 AND to_id = site.id)",
        pairs,
    )
    db.executemany("INSERT OR IGNORE INTO site_link (from_id, to_id) SELECT ?, id FROM site WHERE url = ?", pairs)
    _keep_mentions(db, site_id, search)
    return new


def _keep_mentions(db: Database, site_id: int, search: SiteSearch) -> None:
    """Store how a site names others; what is expected of those that wait is to be said again."""
    db.executemany(
        "UPDATE site_link SET url = ?, page = ?, text = ?, nearby = ?, links = ?, topic = ?, forms = ?"
        " WHERE from_id = ? AND page = '' AND to_id = (SELECT id FROM site WHERE url = ?)",
        [
            (each.url, each.page, to_text(each.text), to_text(each.nearby), each.links, each.topic, each.forms, site_id, each.site)
            for each in search.mentions
        ],
    )  # fmt: skip
    if search.topic is not None:
        db.executemany(
            "UPDATE site SET worth = NULL WHERE url = ? AND state = 'waiting' AND round = 0 AND worth IS NOT NULL",
            [(each.site,) for each in search.mentions],
        )


def _newest_id(db: Database) -> int:
    """Return the id of the newest site, which counts them: none is ever deleted."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM site").fetchone()[0])


def insert_results(db: Database, site_id: int, search: SiteSearch) -> None:
    """Insert pages, forms and skips."""
    db.executemany(
        "INSERT OR REPLACE INTO page (site_id, url, status, depth, failure, moved, digest, fetched_at, why, failure_kind)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        page_rows(site_id, search),
    )
    db.executemany(
        "INSERT OR IGNORE INTO form (site_id, page, depth, kind, searchable, probability, reasons, method, action, fields,"
        " conditions, signature, database, probe, made, template, controls, title, heading, topics)"
        f" VALUES ({', '.join('?' * 20)})",
        [form_row(site_id, door) for door in search.doors],
    )
    db.executemany(
        "INSERT OR IGNORE INTO skip VALUES (?, ?, ?, ?)",
        [(site_id, each.url, str(each.reason), each.detail) for each in search.skipped],
    )
    db.executemany(
        "INSERT INTO skip_count (site_id, reason, kind, count) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
        [(site_id, str(reason), reason.kind, count) for reason, count in search.skip_counts],
    )


def _update_site(db: Database, site_id: int, search: SiteSearch, state: str, now: float, *, going_on: bool) -> None:
    left = search.left_behind
    # what was left before still stands, until the search has ended
    before = "coalesce({}, 0)" if going_on else "0"
    promised = "promised" if going_on and not left and state in OPEN_STATES else before.format("promised") + " + ?"
    stopped = (
        f"{search.stopped}: {search.why_stopped}" if search.stopped and search.why_stopped else search.stopped or ""
    )
    db.execute(
        f"UPDATE site SET state = ?, strategy = ?, pages = {before.format('pages')} + ?, round = ?, stopped = ?,"
        f" error = ?, error_kind = ?, promised = {promised}, drawn_pages = {before.format('drawn_pages')} + ?,"
        f" drawn_expected = {before.format('drawn_expected')} + ?, drawn_forms = {before.format('drawn_forms')} + ?,"
        " searched_at = ?, topic = coalesce(?, topic), worth = coalesce(?, worth),"
        f" relevant = {before.format('relevant')} + ?,"
        " forms = (SELECT count(*) FROM form WHERE site_id = site.id AND kind = 'database')"
        " WHERE id = ?",
        (
            state, search.strategy, len(search.visits), search.round, str(stopped), search.error, search.error_kind,
            *([left.expected if left else None] if promised != "promised" else []), *(left[1:4] if left else (0, 0.0, 0)),
            now, search.topic, search.worth, search.relevant, site_id,
        ),
    )  # fmt: skip


def _store_frontier(db: Database, site_id: int, search: SiteSearch) -> None:
    """Replace what the search was to go on with by what it goes on with now."""
    db.execute("DELETE FROM frontier WHERE site_id = ?", (site_id,))
    if not search.round:
        db.execute("DELETE FROM memory WHERE site_id = ?", (site_id,))
        return
    db.execute("INSERT OR REPLACE INTO memory VALUES (?, ?)", (site_id, search.memory))
    db.executemany(
        "INSERT INTO frontier VALUES (?, ?, ?, ?)",
        [(site_id, place, *choice_row(choice)) for place, choice in enumerate(search.left[:MAX_FRONTIER_LINKS])],
    )


def read_earlier(db: Database, url: str) -> Earlier | None:
    """Return what the search of a site brought before it was interrupted, or in earlier rounds; None where it has not begun."""
    site = db.execute("SELECT id, round, pages, forms FROM site WHERE url = ?", (url,)).fetchone()
    if site is None or not site["round"]:
        return None
    key = (site["id"],)
    fetched = db.execute("SELECT url, moved FROM page WHERE site_id = ?", key).fetchall()
    known = db.execute("SELECT known FROM memory WHERE site_id = ?", key).fetchone()
    waiting = db.execute("SELECT url, link FROM frontier WHERE site_id = ? ORDER BY place", key).fetchall()
    came = "SELECT 1 FROM page WHERE site_id = ? AND failure = '' AND status BETWEEN 200 AND 299 LIMIT 1"
    return Earlier(
        fetched=frozenset(each for row in fetched for each in row if each.startswith(f"{url}/")),
        signatures=frozenset(row[0] for row in db.execute("SELECT signature FROM form WHERE site_id = ?", key)),
        forms=site["forms"],
        left=tuple(map(read_choice, waiting)),
        pages=site["pages"],
        memory=known["known"] if known else b"",
        answered=db.execute(came, key).fetchone() is not None,
    )


def _delete_results(db: Database, site_id: int) -> None:
    """Delete the results of a search that begins again; links to other sites stay, and so do forms: they were there."""
    for table in ("page", "skip", "skip_count"):
        db.execute(f"DELETE FROM {table} WHERE site_id = ?", (site_id,))
