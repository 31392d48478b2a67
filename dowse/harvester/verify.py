"""Verifies a proof of completeness by asking some of its queries again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Final

from dowse.errors import BadInput, Stopped
from dowse.fetch.build import Fetches
from dowse.harvester.harvest import HarvestOrder, find_doors
from dowse.harvester.reader import Source
from dowse.harvester.trials import try_door
from dowse.model import Answer, Door, Query, Verdict
from dowse.reasons import StopReason, say_count
from dowse.select.certificate import CertificateRegion, read_certificate, reask_regions
from dowse.settings import HarvestSettings
from dowse.store import open_existing
from dowse.store.database import database_path
from dowse.store.harvests import StoredAnswer, StoredHarvest, list_harvests, read_pages

SAMPLE_QUERIES: Final = 20  # queries of a certificate that are put again
MAX_REASKED_PAGES: Final = 10  # pages of an answer that is put again
MAX_SCANNED_PAGES: Final = 200_000  # of a harvest that are looked through for such answers


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """Return True if a proof still holds, and why."""

    holds: bool
    reason: str
    queries: int = 0
    requests: int = 0
    records: int = 0  # that were proven to be all
    is_cut: bool = False  # a budget ended it before it could be told


async def verify_proof(
    order: HarvestOrder, db: str, settings: HarvestSettings, fetches: Fetches, sample: int = SAMPLE_QUERIES
) -> ProofCheck:
    """Ask some queries of the last proof of a source again; raise where it has no proof."""
    if not database_path(db).exists():
        raise _no_proof(order, db)
    doors = await find_doors(order, db, settings, fetches)
    proven = next(((each, proof) for each in doors if (proof := find_proof(order, db, each.door))), None)
    if proven is None:
        raise _no_proof(order, db)
    door, page = proven[0].door, proven[0].page
    kept, regions = proven[1]
    opened = await try_door(door, page, fetches.within_site, [], post=settings.post, learned=kept.wrapper)
    if isinstance(opened, Verdict):
        raise Stopped(f"{order.target}: {opened.reason}")
    asking = _CountedAsking(opened.source, settings.rounds)
    verdict = await _compare_whole(asking, kept)
    if verdict.yes and regions:
        verdict = await reask_regions(regions, asking.ask, Random(settings.seed), sample)
    if verdict.yes and not asking.queries:
        verdict = Verdict(False, "the proof names no query that could be asked again")
    return ProofCheck(
        verdict.yes, verdict.reason, asking.queries, asking.requests, kept.records, not verdict.yes and asking.is_spent
    )


def _no_proof(order: HarvestOrder, db: str) -> BadInput:
    return BadInput(
        f"{order.target} has no proof in {db} that could be checked; `dowse harvest` makes one where it can"
    )


def find_proof(order: HarvestOrder, db: str, door: Door) -> tuple[StoredHarvest, Sequence[CertificateRegion]] | None:
    """Return the last harvest of a door that was proven to be complete, and the queries that the proof rests on; None without."""
    url = door.page or order.target
    with open_existing(db) as store:
        harvests = list_harvests(store)
        proven = [each for each in harvests if each.complete and (each.door, each.url) == (door.signature, url)]
        if not proven:
            return None
        last = proven[-1]
        if last.certificate:
            return last, read_certificate(last.certificate).regions
        return last, list(read_answers(read_pages(store, last.id)))


def read_answers(pages: Iterable[StoredAnswer]) -> Iterator[CertificateRegion]:
    """Yield the short answers that were read to their end, as a certificate has them: a proof by count has none of its own."""
    shown, total = 0, None
    for page in islice(pages, MAX_SCANNED_PAGES):
        answer = page.answer
        if answer.page == 0:
            shown, total = 0, answer.total if answer.exact else None
        shown += len(page.numbers)
        is_whole = not answer.more and not answer.trouble and total in (None, shown)
        if is_whole and answer.page < MAX_REASKED_PAGES and answer.query != Query():
            yield CertificateRegion(0, answer.query, True, shown, total, False, shown, "read")


async def _compare_whole(asking: _CountedAsking, kept: StoredHarvest) -> Verdict:
    """Compare how many records a query for everything reports with how many were harvested."""
    if not kept.wrapper.get("blank"):
        return Verdict(True)
    answer = await asking.ask(Query(), 0)
    if answer.failure or answer.trouble:
        return Verdict(False, f"everything was not answered: {answer.failure or answer.trouble}")
    if answer.total is not None and answer.exact and answer.total != kept.records:
        return Verdict(False, f"{say_count(kept.records, 'records')} were all, now there are {answer.total:,}")
    return Verdict(True, f"there are still {say_count(kept.records, 'records')}")


@dataclass(slots=True)
class _CountedAsking:
    """Asks a source, and counts the queries and requests."""

    source: Source
    budget: int  # 0 for none
    queries: int = 0
    requests: int = 0
    is_spent: bool = False  # a page was not requested for want of budget

    async def ask(self, query: Query, page: int) -> Answer:
        """Return a page of an answer, while there are requests left."""
        if self.budget and self.requests >= self.budget:
            self.is_spent = True
            return Answer(query, page, requests=0, trouble=StopReason.REQUEST_BUDGET)
        answer = await self.source.ask(query, page)
        self.queries += page == 0
        self.requests += answer.requests
        return answer
