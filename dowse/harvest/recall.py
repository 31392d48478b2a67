"""A harvest that goes on: what came back before is played again to the same selector, which then stands where it stood."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from dowse.harvest.loop import Ask
from dowse.model import Answer, Query, Record
from dowse.store.harvests import Page


@dataclass(slots=True)
class Recall:
    """Answers from what is kept, in the order it came; from then on the source itself."""

    pages: Iterator[Page]
    records: list[Record]  # all that are kept, by their numbers
    ask: Ask
    stand_at: Callable[[Answer], None]  # tells the source where the last answer that was played left it
    take_all: Callable[[list[Record]], object]  # for what is kept, when it no longer fits what is asked
    live: bool = False  # what is kept was played, or no longer fits

    async def __call__(self, query: Query, page: int) -> Answer:
        """Return the page that came back then, or ask for it now."""
        kept = None if self.live else self._take(query, page)
        return kept if kept is not None else await self.ask(query, page)

    def _take(self, query: Query, page: int) -> Answer | None:
        kept = next(self.pages, None)
        if kept is None or kept.answer.query != query or kept.answer.page != page:
            self.live = True
            self.take_all(self.records)
            return None
        answer = replace(kept.answer, records=tuple(self.records[number] for number in kept.numbers))
        self.stand_at(answer)
        return answer
