"""The directory: the forms of a database and the sources behind them, the best first."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from dowse.errors import BadInput
from dowse.model import ON_TOPIC, SEARCHABLE_KINDS
from dowse.reasons import SkipKind
from dowse.store.rows import exported_form
from dowse.store.store import DATABASE, Store
from dowse.url import seed_address, site_of

# What a probe told comes first: 1 when records came back, -1 when none did. Then the confidence that it is a search, less where
# little can be asked: a form of n searchable fields counts n / (n + 1) of it.
_FIELDS = "max(json_array_length(conditions), 1)"
_SCORE = f"""
    CASE WHEN probe = '' OR json_extract(probe, '$.failed') THEN 0 WHEN json_extract(probe, '$.answers') THEN 1 ELSE -1 END
    + probability * {_FIELDS} / ({_FIELDS} + 1.0)
"""


_ON_TOPIC = "(SELECT json_extract(value, '$[1]') FROM json_each(form.topics) WHERE json_extract(value, '$[0]') = ?)"
_KIND_ORDER = "CASE kind WHEN 'database' THEN 0 WHEN 'site-search' THEN 1 ELSE 2 END"


@dataclass(frozen=True, slots=True)
class FormFilter:
    """Which forms are wanted; nothing means all."""

    words: tuple[str, ...] = ()  # all of them, in its title, heading, fields or address
    kinds: tuple[str, ...] = ()
    site: str = ""  # a host or an address
    run: int | None = None  # on sites of one run
    topic: str = ""  # likely on it, the likeliest of equals first


@dataclass(frozen=True, slots=True)
class ListedSource:
    """A database that can be asked, by the best of its forms."""

    id: int  # of that form
    site: str
    url: str  # of the page
    kind: str
    topic: str | None  # the likeliest; None where none is likely, or nobody asked
    conditions: list[dict[str, Any]]
    size: float | None  # records, by a harvest or as the answer to a probe says
    size_ci: tuple[float, float] | None
    score: float  # the higher the better
    title: str  # of the page
    heading: str  # over the form
    confidence: float
    answers: bool | None  # whether records came back; None when nobody has asked, or no query got an answer
    probed: bool  # whether it was asked
    forms: int  # that ask it
    topics: list[dict[str, Any]]  # names and probabilities, the likeliest first

    @property
    def fields(self) -> list[str]:
        """What can be asked, as people read it."""
        return [condition["label"] or condition["attribute"] for condition in self.conditions]


def find_forms(store: Store, wanted: FormFilter, limit: int = 0) -> tuple[list[dict[str, Any]], int]:
    """Return the best forms, as `dowse export forms` writes them, and how many there are in all."""
    shown: list[dict[str, Any]] = []
    total = 0
    for row in _matching(store, wanted, _rank(store, wanted)):
        total += 1
        if not limit or len(shown) < limit:
            shown.append(exported_form(row))
    return shown, total


def count_forms(store: Store, wanted: FormFilter) -> int:
    """Count the forms that are wanted; by all but their words."""
    return len(_rank(store, wanted))


def find_sources(store: Store, wanted: FormFilter, limit: int = 0) -> tuple[list[ListedSource], int]:
    """Return the best sources, each once however many forms ask it, and how many there are in all."""
    ranked = _rank(store, wanted)
    forms = Counter(row["source"] for row in ranked)
    best: dict[str, int] = {}
    for row in _matching(store, wanted, ranked) if wanted.words else ranked:
        best.setdefault(row["source"], row["id"])
    shown = (_read_row(store, number) for number in list(best.values())[: limit or None])
    return [_read_source(store, row, forms[row["source"]]) for row in shown if row], len(best)


def find_forbidden(store: Store, site: str = "") -> tuple[list[dict[str, str]], int]:
    """Return addresses that look like searches but that robots.txt forbids, on all sites or one, and how many there are in all.

    Of one site, a hundred are kept as examples.
    """
    kind = str(SkipKind.FORBIDDEN_SEARCH)
    sites = find_sites(store, site) if site else []
    scope = f"AND site_id IN ({', '.join('?' for _ in sites)})" if site else ""
    query = f"""
        SELECT site.url AS site, skip.url FROM skip JOIN site ON site.id = site_id WHERE reason = ? {scope}
        ORDER BY site_id, skip.url
    """
    count = f"SELECT coalesce(sum(count), 0) FROM skip_count WHERE kind = ? {scope}"
    with store.database.reading():
        found = [dict(row) for row in store.database.execute(query, (kind, *sites))]
        return found, int(store.database.execute(count, (kind, *sites)).fetchone()[0])


def read_source(store: Store, number: int) -> tuple[ListedSource, list[dict[str, Any]]]:
    """Return the source that a form asks, by that form, and all its forms, the best first."""
    own = _read_row(store, number)
    if own is None:
        raise BadInput(f"there is no form {number} in this database; `dowse sources` and `dowse forms` list them")
    is_search = own["kind"] in SEARCHABLE_KINDS
    same = _rank(store, FormFilter(kinds=tuple(SEARCHABLE_KINDS)), own["source"]) if is_search else [own]
    doors = [exported_form(row) for row in _matching(store, FormFilter(), same)]
    return _read_source(store, own, len(doors)), doors


def _rank(store: Store, wanted: FormFilter, source: str = "") -> list[sqlite3.Row]:
    """Return the ids of forms with their sources and scores, the best first."""
    conditions, values = ["TRUE"], list[object]()
    if wanted.kinds:
        conditions.append(f"kind IN ({', '.join('?' for _ in wanted.kinds)})")
        values += wanted.kinds
    if wanted.site:
        sites = find_sites(store, wanted.site)
        conditions.append(f"site_id IN ({', '.join('?' for _ in sites)})")
        values += sites
    if wanted.run is not None:
        conditions.append("site_id IN (SELECT id FROM site WHERE run_id = ?)")
        values.append(wanted.run)
    if source:
        conditions.append(f"{DATABASE} = ?")
        values.append(source)
    score = _SCORE
    if wanted.topic:
        conditions.append(f"{_ON_TOPIC} >= {ON_TOPIC}")
        values.append(wanted.topic)
        score = f"{_SCORE} + {_ON_TOPIC}"
        values.insert(0, wanted.topic)
    query = (
        f"SELECT id, {DATABASE} AS source, {score} AS score FROM form WHERE {' AND '.join(conditions)}"
        f" ORDER BY {_KIND_ORDER}, score DESC, id"
    )
    with store.database.reading():
        return store.database.execute(query, values).fetchall()


def find_sites(store: Store, name: str) -> list[int]:
    """Return the sites of a host, or the one of an address; BadInput where none is known."""
    address = seed_address(name)
    if address is None:
        raise BadInput(f"{name!r} is not a web address")
    site = site_of(address)
    schemes = (site.scheme,) if "://" in name else ("http", "https")
    hosts = (site.host,) if "://" in name else (site.host, f"www.{site.host}")
    port = "" if str(site) == f"{site.scheme}://{site.host}" else f":{site.port}"
    urls = [f"{scheme}://{host}{port}" for scheme in schemes for host in hosts]
    query = f"SELECT id FROM site WHERE url IN ({', '.join('?' for _ in urls)})"
    found = [row["id"] for row in store.database.execute(query, urls)]
    if not found:
        raise BadInput(f"no site {name} is known in this database; `dowse sites` lists them")
    return found


def _matching(store: Store, wanted: FormFilter, ranked: list[sqlite3.Row]) -> Iterator[sqlite3.Row]:
    """Yield the whole rows of those forms that have all words."""
    words = [word.casefold() for word in wanted.words]
    for each in ranked:
        row = _read_row(store, each["id"])
        if row is not None and (not words or _has_words(row, words)):
            yield row


def _read_row(store: Store, number: int) -> sqlite3.Row | None:
    """Return a form with its site, source and score."""
    query = (
        f"SELECT form.*, site.url AS site, {DATABASE} AS source, {_SCORE} AS score"
        " FROM form JOIN site ON site.id = form.site_id WHERE form.id = ?"
    )
    row: sqlite3.Row | None = store.database.execute(query, (number,)).fetchone()
    return row


def _has_words(row: sqlite3.Row, words: list[str]) -> bool:
    labels = (condition["label"] for condition in orjson.loads(row["conditions"]))
    text = " ".join([row["title"], row["heading"], row["page"], row["action"], row["fields"], *labels]).casefold()
    return all(word in text for word in words)


def _read_source(store: Store, row: sqlite3.Row, forms: int) -> ListedSource:
    probe = orjson.loads(row["probe"]) if row["probe"] else {}
    size, size_ci = _read_size(store, row, probe.get("total"))
    topics = [{"name": name, "probability": probability} for name, probability in orjson.loads(row["topics"])]
    return ListedSource(
        id=row["id"],
        site=row["site"],
        url=row["page"],
        kind=row["kind"],
        topic=topics[0]["name"] if topics and topics[0]["probability"] >= ON_TOPIC else None,
        conditions=orjson.loads(row["conditions"]),
        size=size,
        size_ci=size_ci,
        score=round(row["score"], 4),
        title=row["title"],
        heading=row["heading"],
        confidence=row["probability"],
        answers=None if not probe or probe.get("failed") else bool(probe["answers"]),
        probed=bool(probe),
        forms=forms,
        topics=topics,
    )


def _read_size(store: Store, row: sqlite3.Row, told: int | None) -> tuple[float | None, tuple[float, float] | None]:
    """Return how many records a source has: by its largest harvest, else as a probe was told."""
    query = (
        "SELECT records, size, size_low, size_high, complete FROM harvest WHERE door = ? AND substr(url, 1, length(?)) = ?"
        " ORDER BY complete DESC, records DESC LIMIT 1"
    )
    home = f"{row['site']}/"
    harvest = store.database.execute(query, (row["signature"], home, home)).fetchone()
    if harvest and harvest["complete"]:
        return harvest["records"], (harvest["records"], harvest["records"])
    if harvest and harvest["size"] is not None:
        return round(harvest["size"]), (harvest["size_low"], harvest["size_high"])
    return told, None
