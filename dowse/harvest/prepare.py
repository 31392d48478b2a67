"""Before the first query: a door is opened, a few questions show how its answers are to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from dowse.fetch import Fetch
from dowse.form.ask import judge_asking
from dowse.harvest.matching import Matching
from dowse.harvest.opening import Opening, open_interface
from dowse.harvest.reader import Reader
from dowse.harvest.seeds import first_queries, nothing_query
from dowse.harvest.source import GET_OR_POST, Source
from dowse.model import Door, Page, Query, Value, Verdict
from dowse.records.wrapper import Wrapper
from dowse.step.ask import Heard
from dowse.store.harvests import read_query, write_query

MOST_TRIES = 10  # queries to find out how a door answers
ENOUGH = 2  # of them that brought records
GET = frozenset({"GET"})


@dataclass(frozen=True, slots=True)
class Prepared:
    """A door that is ready to be drawn from."""

    source: Source
    matching: Matching
    given: tuple[Value, ...] = ()
    requests: int = 0  # what finding out has cost
    seeds: tuple[Query, ...] = ()  # queries that brought records
    learned: dict[str, Any] = field(
        default_factory=dict
    )  # plain data: how answers are read, which attribute asks for which


def judge_door(door: Door, post: bool) -> Verdict:
    """Say whether a door may be drawn from."""
    allowed = judge_asking(door, GET_OR_POST if post else GET)
    if not allowed.yes and "POST" in allowed.reason:
        return Verdict(False, f"{allowed.reason}; --post allows it")
    return allowed


async def prepare(
    door: Door, page: Page | None, fetch: Fetch, given: Sequence[Value], *, post: bool = False, learned: dict[str, Any] | None = None
) -> Prepared | Verdict:  # fmt: skip
    """Ask a door a few questions, and learn from the answers how they are read; what was learned before is not asked for again."""
    opening = open_interface(door)
    source = Source(door, opening, fetch, Reader(), GET_OR_POST if post else GET)
    if learned:
        return _recall(source, given, learned)
    heard, cost = await _listen(source, first_queries(given, opening, door, page), nothing_query(opening, door))
    if not heard:
        return Verdict(False, _why_nothing(source, cost))
    return _learn(source, given, heard, cost)


def _recall(source: Source, given: Sequence[Value], learned: dict[str, Any]) -> Prepared:
    """Open a door that was drawn from before."""
    if learned.get("wrapper"):
        source.reader.wrapper = Wrapper.from_dict(learned["wrapper"])
    interface = replace(
        source.opening.interface, **{name: learned[name] for name in ("page_size", "limit", "blank") if name in learned}
    )
    source.opening = replace(source.opening, interface=interface)
    first = tuple(read_query(text) for text in learned.get("first", ()))
    return Prepared(
        source, Matching(interface, dict(learned.get("asks", {}))), tuple(given), learned.get("cost", 0), first, learned
    )


@dataclass(slots=True)
class _Tried:
    """A query that was tried, and what was heard."""

    query: Query
    heard: Heard
    records: int = 0


async def _listen(source: Source, queries: Any, nothing: Query | None) -> tuple[list[_Tried], int]:
    """Ask until enough queries brought records; one for nothing shows the frame of an answer."""
    tried: list[_Tried] = []
    cost = hits = 0
    empty = await source.listen(nothing, 0) if nothing else None
    if isinstance(empty, Heard):
        cost += empty.requests
        source.reader.add_frame(empty)
    for query in islice(queries, MOST_TRIES):
        heard = await source.listen(query, 0)
        cost += heard.requests if isinstance(heard, Heard) else 0
        if not isinstance(heard, Heard):
            source.reader.why_not = getattr(heard, "reason", "") or str(heard)
            continue
        found = source.reader.read(heard, query, 0)
        tried.append(_Tried(query, heard, len(found.records)))
        hits += bool(found.records)
        if found.trouble:
            source.reader.why_not = found.trouble
        if hits >= ENOUGH:
            break
    return [each for each in tried if each.records] and tried, cost


def _why_nothing(source: Source, cost: int) -> str:
    reason = f" ({source.reader.why_not})" if source.reader.why_not else ""
    return f"no records came back in {cost} requests{reason}; give values to begin with, as in --value author=Kafka"


def _learn(source: Source, given: Sequence[Value], tried: list[_Tried], cost: int) -> Prepared:
    """Read all that was heard once more, now that the wrapper knows several answers."""
    reader = source.reader
    reader.learn()
    size = limit = 0
    blank = False
    matching = Matching(source.opening.interface)
    hits = []
    for each in tried:
        answer = reader.read(each.heard, each.query, 0)
        if not answer.records:
            continue
        hits.append(each.query)
        matching.learn(each.query, answer.records)
        source.ready[each.query, 0] = replace(answer, requests=0)  # paid already
        size = max(size, len(answer.records) if answer.more else 0)
        limit = max(limit, answer.limit)
        blank = blank or each.query == Query()
    interface = replace(
        source.opening.interface, page_size=size or source.opening.interface.page_size, limit=limit, blank=blank
    )
    source.opening = replace(source.opening, interface=interface)
    matching.interface = interface
    learned = {
        "wrapper": reader.to_dict(), "asks": matching.asks,
        "page_size": interface.page_size, "limit": limit, "blank": blank,
        "cost": cost, "first": [write_query(query) for query in hits],
    }  # fmt: skip
    return Prepared(source, matching, tuple(given), cost, tuple(hits), learned)


def describe_opening(opening: Opening) -> list[tuple[str, str]]:
    """Return what can be asked, in words."""
    told = [("words", "of any kind")] if opening.interface.keyword else []
    told += [(name, "a value of your own") for name in opening.interface.attributes]
    told += [(name, f"{len(choices):,} choices") for name, choices in opening.interface.choices]
    return told + [(span.attribute, "from and to") for span in opening.interface.spans]
