"""Records with what their own pages say, on request: each page is asked for once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from dowse.fetch import Fetch
from dowse.model import Answer, Failure, Record, Request
from dowse.records.detail import read_detail
from dowse.step.ask import ask
from dowse.url import same_site


@dataclass(slots=True)
class Details:
    """Reads the own pages of records that were not seen before."""

    fetch: Fetch
    known: dict[str, Record] = field(default_factory=dict)  # address of a record's page -> the record with what it says

    def recall(self, records: Iterable[Record]) -> None:
        """Take records that were read in an earlier run."""
        self.known |= {record.url: record for record in records if record.url}

    async def add(self, answer: Answer) -> Answer:
        """Return an answer whose records have what their own pages say; each new page is a request."""
        records, cost = [], 0
        for record in answer.records:
            if (
                record.url
                and record.url not in self.known
                and same_site(record.url, answer.records[0].url or record.url)
            ):
                cost += 1
                self.known[record.url] = await self._read(record)
            records.append(self.known.get(record.url, record))
        return replace(answer, records=tuple(records), requests=answer.requests + cost)

    async def _read(self, record: Record) -> Record:
        heard = await ask(Request(record.url), self.fetch)
        if isinstance(heard, Failure) or heard.tree is None or heard.response.status >= 400:
            return record
        named = {value.attribute.lower() for value in record.values}
        told = tuple(value for value in read_detail(heard.tree) if value.attribute.lower() not in named)
        return replace(record, values=(*record.values, *told), key=record.key or record.url)
