"""A proof of completeness verified again by asking some of its queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, Final

from dowse.errors import BadInput, Stopped
from dowse.fetch.build import Fetches
from dowse.harvester.door import Source
from dowse.harvester.harvest import Order, find_door
from dowse.harvester.prepare import prepare
from dowse.model import Answer, Door, Query, Verdict
from dowse.select.certificate import ask_again, write_query
from dowse.settings import HarvestSettings
from dowse.store import open_existing
from dowse.store.harvests import StoredAnswer, StoredHarvest, list_harvests, read_pages

SAMPLE: Final = 20  # queries of a certificate that are put again
LONGEST: Final = 10  # pages of an answer that is put again
MOST_PAGES: Final = 200_000  # of a harvest that are looked through for such answers
SPENT: Final = "request budget"


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether a proof still holds, and why."""

    holds: bool
    reason: str
    queries: int = 0
    requests: int = 0
    records: int = 0  # that were proven to be all

    @property
    def is_cut(self) -> bool:
        """Whether a budget ended it before it could be said."""
        return not self.holds and self.reason.endswith(SPENT)


async def check_again(
    order: Order, db: str, settings: HarvestSettings, fetches: Fetches, sample: int = SAMPLE
) -> Checked:
    """Put some queries of the last proof of a source again; what has no proof says so."""
    door, page = await find_door(order, db, settings, fetches)
    kept, certificate = find_proof(order, db, door)
    ready = await prepare(door, page, fetches.within_site, [], post=settings.post, learned=kept.wrapper)
    if isinstance(ready, Verdict):
        raise Stopped(f"{order.target}: {ready.reason}")
    asking = _Asking(ready.source, settings.rounds)
    verdict = await _compare_whole(asking, kept)
    if verdict.yes and certificate["regions"]:
        verdict = await ask_again(certificate, asking.ask, Random(settings.seed), sample)
    if verdict.yes and not asking.queries:
        verdict = Verdict(False, "the proof names no query that could be put again")
    return Checked(verdict.yes, verdict.reason, asking.queries, asking.requests, kept.records)


def find_proof(order: Order, db: str, door: Door) -> tuple[StoredHarvest, Mapping[str, Any]]:
    """Return the last harvest of a door that was proven to be complete, and the queries that the proof rests on."""
    url = door.page or order.target
    with open_existing(db) as store:
        proven = [
            each for each in list_harvests(store) if each.complete and (each.door, each.url) == (door.signature, url)
        ]
        if not proven:
            raise BadInput(
                f"{order.target} has no proof in {db} that could be checked; `dowse harvest` makes one where it can"
            )
        last = proven[-1]
        return last, last.certificate or {"regions": list(read_answers(read_pages(store, last.id)))}


def read_answers(pages: Iterable[StoredAnswer]) -> Iterator[dict[str, Any]]:
    """Yield the short answers that were read to their end, as a certificate has them: a proof by count has none of its own."""
    region: dict[str, Any] = {}
    for page in islice(pages, MOST_PAGES):
        answer = page.answer
        if answer.page == 0:
            total = answer.total if answer.exact else None
            region = {"query": write_query(answer.query), "shown": 0, "total": total, "asked": True, "proof": "read"}
        region["shown"] += len(page.numbers)
        is_whole = not answer.more and not answer.trouble and region["total"] in (None, region["shown"])
        if is_whole and answer.page < LONGEST and answer.query != Query():
            yield region


async def _compare_whole(asking: _Asking, kept: StoredHarvest) -> Verdict:
    """Compare how many records there are in all with what was held, where a query for everything says it."""
    if not kept.wrapper.get("blank"):
        return Verdict(True)
    answer = await asking.ask(Query(), 0)
    if answer.failure or answer.trouble:
        return Verdict(False, f"everything was not answered: {answer.failure or answer.trouble}")
    if answer.total is not None and answer.exact and answer.total != kept.records:
        return Verdict(False, f"{kept.records:,} records were all, now there are {answer.total:,}")
    return Verdict(True, f"there are still {kept.records:,} records")


@dataclass(slots=True)
class _Asking:
    """Asks a source, and counts what that costs."""

    source: Source
    budget: int  # 0 for none
    queries: int = 0
    requests: int = 0

    async def ask(self, query: Query, page: int) -> Answer:
        """Return a page of an answer, while there are requests left."""
        if self.budget and self.requests >= self.budget:
            return Answer(query, page, requests=0, trouble=SPENT)
        answer = await self.source.ask(query, page)
        self.queries += page == 0
        self.requests += answer.requests
        return answer
