"""A door as the harvest asks it: queries and page numbers go in, answers come out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from dowse.fetch import Fetch
from dowse.form.ask import fill
from dowse.harvest.details import Details
from dowse.harvest.dull import Dull
from dowse.harvest.opening import Opening
from dowse.harvest.reader import Reader
from dowse.model import Answer, Door, Failure, Query, Record, Request, Verdict
from dowse.records.address import fill_template, has_pages, judge_template
from dowse.records.paging import Paging
from dowse.step.ask import Heard, ask

GET_OR_POST = frozenset({"GET", "POST"})
LEAST_LIMIT = 10  # records that a limit allows at least
SAME_END = 3  # answers that end at the same record, and none later
MOST_CHECKS = 2  # answers that have shown as many as they say, and have a further page all the same: it is looked at


@dataclass(slots=True)
class Source:
    """Puts queries to one door. It remembers the answer it is in, for the way to the next page."""

    door: Door
    opening: Opening
    fetch: Fetch
    reader: Reader
    methods: frozenset[str] = frozenset({"GET"})
    details: Details | None = None  # reads the records' own pages, where that is wanted
    ready: dict[tuple[Query, int], Answer] = field(default_factory=dict)  # answers that came before the harvest began
    reopen: Callable[[], Awaitable[Door | None]] | None = None  # reads the form again, with fresh hidden values
    dull: Dull = field(init=False)
    untrue: str = ""  # how counts were found to be untrue: none is exact from then on
    _checks: int = 0  # further pages that were looked at, to see whether a count is true
    _ends: Counter[int] = field(default_factory=Counter)  # records that answers without a count have ended with
    _at: tuple[Query, int] = (Query(), -1)
    _next: Request | None = None
    _shown: int = 0  # records of the answer that it is in
    _paging: Paging = field(default_factory=Paging)  # of the answer that it is in

    def __post_init__(self) -> None:
        """Begin to look for attributes that ask for nothing."""
        self.dull = Dull(frozenset(text.lower() for _, texts in self.opening.interface.choices for text in texts))

    async def ask(self, query: Query, page: int) -> Answer:
        """Return one page of the answer to a query; one that asks for nothing is not sent."""
        refused = self.dull.why_not(query) if page == 0 else ""
        if refused:
            return Answer(query, page, requests=0, trouble=refused)
        held = self.ready.pop((query, page), None)
        answer = held or await self._hear_again(query, page)
        answer = replace(answer, exact=False) if self.untrue and answer.records else answer
        self._count(answer)
        self.dull.note(answer)
        if self._shows_all(answer) and answer.next is not None and self._checks < MOST_CHECKS:
            answer = await self._check_count(answer, answer.next)
        following = None if self._shows_all(answer) else self._guard(self._step(answer) or answer.next, answer)
        answer = self._find_limit(replace(answer, more=following is not None, next=following))
        self._at, self._next = (query, page), following
        return await self.details.add(answer) if self.details and answer.records else answer

    def _count(self, answer: Answer) -> None:
        self._shown = len(answer.records) + (self._shown if answer.page else 0)

    def _shows_all(self, answer: Answer) -> bool:
        """Whether as many records were shown as the answer says there are: what looks like a further page is none."""
        return answer.total is not None and answer.exact and self._shown >= answer.total

    async def _check_count(self, answer: Answer, following: Request) -> Answer:
        """Look at the page after the last: with other records on it, the count is not true, and the answer goes on."""
        self._checks += 1
        self._at, self._next = (answer.query, answer.page), following
        beyond = await self.hear(answer.query, answer.page + 1)
        paid = replace(answer, requests=answer.requests + beyond.requests)
        if beyond.failure or beyond.trouble or self._goes_round(beyond, answer):
            return paid
        self._doubt_count(answer)
        self.ready[answer.query, answer.page + 1] = replace(beyond, requests=0)
        return replace(paid, exact=False)

    def _goes_round(self, beyond: Answer, answer: Answer) -> bool:
        """Say whether a further page shows nothing but what the answer has shown before it."""
        fresh = {*map(_name_of, beyond.records)}.difference(map(_name_of, answer.records))
        return not (self._paging.leave_new(fresh) if answer.page else fresh)

    def _doubt_count(self, answer: Answer) -> None:
        self.untrue = self.untrue or f"{answer.query}: {answer.total:,} were said to match, and pages go on after them"

    def stand_at(self, answer: Answer) -> None:
        """Go on from a page of an answer, which may have come in an earlier run."""
        self._count(answer)
        if answer.more and answer.total is not None and self._shown >= answer.total > 0:
            self._doubt_count(answer)
        self.dull.note(answer)
        self._at, self._next = (answer.query, answer.page), answer.next

    def _find_limit(self, answer: Answer) -> Answer:
        """Notice a limit that nobody speaks of: the longest answers all end at the same record."""
        if answer.more or answer.total is not None or not answer.records or self._shown < LEAST_LIMIT:
            return answer
        self._ends[self._shown] += 1
        if self._shown < max(self._ends) or self._ends[self._shown] < SAME_END:
            return answer
        return replace(answer, limit=self._shown)

    async def _hear_again(self, query: Query, page: int) -> Answer:
        """Ask, and where a session has ended meanwhile, open the door again and ask once more."""
        answer = await self.hear(query, page)
        if page or self.reopen is None or "session" not in answer.trouble:
            return answer
        door = await self.reopen()
        if door is None:
            return answer
        self.door = door
        again = await self.hear(query, page)
        return replace(again, requests=again.requests + answer.requests + 1)

    async def hear(self, query: Query, page: int) -> Answer:
        """Send the request for a page of an answer and read what comes back."""
        heard = await self.listen(query, page)
        if isinstance(heard, Verdict):
            return Answer(query, page, requests=0, trouble=heard.reason)
        if isinstance(heard, Failure):
            return Answer(query, page, requests=int(heard.asked), failure=heard)
        return self.reader.read(heard, query, page)

    async def listen(self, query: Query, page: int) -> Heard | Failure | Verdict:
        """Send the request for a page of an answer; return what came back, or why nothing did."""
        request = self._request(query, page)
        return request if isinstance(request, Verdict) else await ask(request, self.fetch)

    def _request(self, query: Query, page: int) -> Request | Verdict:
        if page == 0:
            return self._first_request(query)
        if self._at != (query, page - 1) or self._next is None:
            return Verdict(False, "the way to this page of the answer is not known")
        return self._next

    def _first_request(self, query: Query) -> Request | Verdict:
        template = self.door.form.template
        if template and judge_template(template).yes:
            return fill_template(template, _words_of(query), 0, self.opening.interface.page_size)
        values = self.opening.fill(query)
        return values if isinstance(values, Verdict) else fill(self.door, values, self.methods)

    def _step(self, answer: Answer) -> Request | None:
        """Return the next page of a template that has a place for its number, while there may be more."""
        template = self.door.form.template
        if not answer.records or not template or not judge_template(template).yes or not has_pages(template):
            return None
        made = fill_template(template, _words_of(answer.query), answer.page + 1, self.opening.interface.page_size)
        return made if isinstance(made, Request) else None

    def _guard(self, following: Request | None, answer: Answer) -> Request | None:
        """Return the request for the next page, unless the pages go round."""
        if following is None:
            return None
        if answer.page == 0:
            self._paging = Paging()
        shown = map(_name_of, answer.records)
        return following if self._paging.judge(following, shown).yes else None


def _name_of(record: Record) -> str:
    return record.key or record.url or str(record.values)


def _words_of(query: Query) -> str:
    return " ".join(value.text for value in query.values)
