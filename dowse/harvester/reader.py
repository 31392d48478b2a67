"""From a query to an answer: the request for a page is sent, its records are read by a wrapper that is learned and checked."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from msgspec import structs

from dowse.fetch import Fetch
from dowse.form.fill import fill
from dowse.harvester.door import FieldMap, fill_template, has_pages, judge_template
from dowse.harvester.identity import UnstableParts
from dowse.harvester.listing import Listing, ListView, ValueIndex
from dowse.model import Answer, Door, Failure, Page, Query, Record, Request, Value, Verdict
from dowse.reasons import FailureReason, TroubleKind
from dowse.records.answers import MAX_SERVICE_RECORDS
from dowse.records.counts import (
    best_count,
    judge_empty,
    judge_redirect,
    judge_trouble,
    read_bare_total,
    read_page_total,
)
from dowse.records.details import read_detail
from dowse.records.paging import PagingGuard, find_next, read_step
from dowse.records.service import read_service, set_parameter
from dowse.records.values import find_separator, split_values
from dowse.records.wrapper import (
    AnswerSample,
    Extraction,
    Wrapper,
    apply_wrapper,
    find_outside_lines,
    find_own_page_address,
    learn_wrapper,
    read_own_page,
)
from dowse.step.ask import FetchedPage, ask
from dowse.step.visit import offload
from dowse.url import same_site

MAX_LEFT_ANSWERS = 10_000  # whose next pages are known; one that was left before them begins again
MAX_SAMPLES = 4  # pages that a wrapper is learned from
MAX_SMALL_ANSWER = 3  # records of an answer that are easily taken for what they are made of
ENOUGH_RECORDS = 40  # that a wrapper was learned from; by fewer a list is easily missed (bench/extraction/lists.py: pages of 10 and 20)
MAX_NAMING_SHARE = (
    0.9  # of different texts among those of an attribute that may be a list; names of records have more on family A
)
MORE_RECORDS = 2  # times as many as before, from which on it is looked again
MIN_AROUND = 3  # records with addresses around one that has none and is none of them
MAX_STRANGERS = 1  # such on a page; more are records of another kind
MAX_PLAUSIBLE_TOTAL = 10**9  # that a source may say it has
MAX_SCRIPT_BYTES = 500_000  # bytes of a page in which scripts are looked for that load more


@dataclass(slots=True)
class Reader:
    """Reads the answers of one door."""

    wrapper: Wrapper | None = None
    samples: deque[AnswerSample] = field(default_factory=lambda: deque(maxlen=MAX_SAMPLES))
    why_not: str = ""  # why no wrapper could be made
    unstable: UnstableParts = field(default_factory=UnstableParts)  # what no record is known by
    texts: dict[str, dict[str, str]] = field(default_factory=dict)  # attribute of one value -> record -> its text
    _next_look: int = 0  # records from which on it is looked again which attributes are lists

    def read(self, fetched: FetchedPage, query: Query, number: int) -> Answer:
        """Return the answer in the response to the request for a page of a query; an error has no records."""
        led_away = judge_redirect(fetched.request, fetched.response, fetched.page)
        if led_away:
            return Answer(query, number, requests=fetched.requests, trouble=led_away)
        if fetched.page is None or fetched.tree is None:
            return self.clean(_read_service(fetched, query, number))
        if fetched.is_error:
            trouble = why_no_answer(fetched)
            return Answer(query, number, total=None if trouble else 0, requests=fetched.requests, trouble=trouble)
        return self.clean(self._read_page(fetched, fetched.page, query, number))

    def clean(self, answer: Answer) -> Answer:
        """Return an answer whose records are known by nothing that changes from one reading to the next."""
        if not self.unstable:
            return answer
        return replace(answer, records=tuple([self.unstable.clean_record(record) for record in answer.records]))

    def find_lists(self, answer: Answer) -> Answer:
        """Return an answer with its lists split; what few records showed as one value may be a list by those of further answers."""
        if self.wrapper is None or self.wrapper.learned_from >= ENOUGH_RECORDS or not answer.records:
            return answer
        single = {each.name for each in self.wrapper.attributes if not each.several and each.name != self.wrapper.title}
        for record in answer.records:
            for name, text in record.values:
                if name in single:
                    self.texts.setdefault(name, {})[record.key or text] = text
        known = max(map(len, self.texts.values()), default=0)
        if (
            known >= max(self._next_look, MORE_RECORDS * self.wrapper.learned_from)
            and self._next_look <= ENOUGH_RECORDS
        ):
            self._next_look = MORE_RECORDS * known
            asked = [value.text for value in answer.query.values]
            # what is another text in nearly every record is what these are called by
            texts = {name: list(held.values()) for name, held in self.texts.items()}
            found = {
                name: find_separator(held, asked)
                for name, held in texts.items()
                if len(set(held)) <= MAX_NAMING_SHARE * len(held)
            }
            attributes = [
                structs.replace(each, several=each.several or found.get(each.name, ""))
                for each in self.wrapper.attributes
            ]
            self.wrapper = structs.replace(self.wrapper, attributes=tuple(attributes))
        lists = {
            each.name: each.several for each in self.wrapper.attributes if each.several and each.name in self.texts
        }
        return (
            replace(answer, records=tuple(split_lists(record, lists) for record in answer.records)) if lists else answer
        )

    def _read_page(self, fetched: FetchedPage, page: Page, query: Query, number: int) -> Answer:
        lone = self._read_lone(fetched)
        if lone is not None:
            return Answer(query, number, _readable((lone,)), total=1, requests=fetched.requests)
        extract = self._extract(fetched, query)
        lines, records = extract.lines, _leave_strangers(_readable(extract.records))
        trouble = judge_trouble(fetched.response.status, page, lines, len(records))
        if trouble:
            return Answer(query, number, requests=fetched.requests, trouble=trouble)
        count = best_count(lines, len(records))
        if count and count.exact and 0 < count.number <= MAX_SMALL_ANSWER and count.number < len(records):
            records = ()  # cells of so few records that the page shows them one below the other
        if count and count.number > MAX_PLAUSIBLE_TOTAL:
            count = None
        following = None
        if records:  # a link to a record that is called 2 is none to the next page
            own = {record.url for record in records}
            below = max((link.place for link in page.links if link.url in own), default=-1)
            page = replace(page, links=tuple([link for link in page.links if link.url not in own]))
            source = fetched.response.body[:MAX_SCRIPT_BYTES].decode(page.encoding, "replace")
            following = find_next(page, fetched.request, len(records), number, source, below)
        if count is None and number == 0:  # a last page shows fewer than the others
            pages = following.pages if following else 0
            count = read_bare_total(lines, len(records), following is not None, pages)
            if count is None and following is not None:
                count = read_page_total(lines, len(records), pages if following.skips else 0)
        is_cut = fetched.partial or extract.is_cut  # by a bound of our own: what ends there is not everything
        limit = (count.limit if count else 0) or (len(records) if is_cut else 0)
        return Answer(
            query, number, records,
            total=count.number if count else (None if records or number else 0),  # a further page without any counts none
            exact=count.exact if count else not records,
            limit=limit,
            more=following is not None, next=following.request if following else None, requests=fetched.requests,
        )  # fmt: skip

    def _read_lone(self, fetched: FetchedPage) -> Record | None:
        """Return the only record of an answer that redirects to its own page, once a wrapper knows how records are written."""
        if self.wrapper is None or fetched.page is None or fetched.tree is None:
            return None
        address = find_own_page_address(fetched.response, fetched.page)
        count = best_count(find_outside_lines(fetched.tree, ())) if address else None
        if not address or (count and count.number > 1):
            return None
        usual = {line for sample in self.samples for line in find_outside_lines(sample.tree, ())}
        return read_own_page(self.wrapper, fetched.tree, address, usual)

    def _extract(self, fetched: FetchedPage, query: Query) -> Extraction:
        """Apply the wrapper; where it does not fit, learn another from the last pages."""
        assert fetched.tree is not None
        if self.wrapper is None:
            lines = find_outside_lines(fetched.tree, ())
            if judge_empty(lines).yes:  # before anything is known of records, a menu could pass for them
                self.add_empty_page(fetched)
                return Extraction((), lines)
        self.samples.append(
            AnswerSample(fetched.tree, fetched.response.url, tuple(value.text for value in query.values))
        )
        if self.wrapper is not None:
            found = apply_wrapper(self.wrapper, fetched.tree, fetched.response.url)
            if found.fits.yes or judge_empty(find_outside_lines(fetched.tree, ())).yes:
                return found if found.fits.yes else Extraction((), find_outside_lines(fetched.tree, ()))
        if not self.learn():
            return Extraction((), find_outside_lines(fetched.tree, ()), Verdict(False, self.why_not))
        assert self.wrapper is not None
        return apply_wrapper(self.wrapper, fetched.tree, fetched.response.url)

    def add_empty_page(self, fetched: FetchedPage) -> None:
        """Add a page without records as a sample: what it shows stands on all answers."""
        if fetched.tree is not None:
            self.samples.append(AnswerSample(fetched.tree, fetched.response.url, unasked=True))

    def extract(self, fetched: FetchedPage) -> tuple[Record, ...]:
        """Return the records that the wrapper finds on a page, and learn nothing from it."""
        if fetched.tree is None or self.wrapper is None or fetched.is_error:
            return ()
        found = apply_wrapper(self.wrapper, fetched.tree, fetched.response.url)
        return found.records if found.fits.yes else ()

    def learn_from(self, chosen: Iterable[tuple[FetchedPage, Query]], empty: FetchedPage | None = None) -> bool:
        """Learn a wrapper from these pages and one that found nothing, and keep them as samples."""
        self.samples.clear()
        if empty is not None:
            self.add_empty_page(empty)
        self.samples.extend(
            AnswerSample(fetched.tree, fetched.response.url, tuple(value.text for value in query.values))
            for fetched, query in chosen
            if fetched.tree is not None
        )
        return self.learn()

    def learn(self) -> bool:
        """Learn a wrapper from the samples; return True if there is one now."""
        made = learn_wrapper(list(self.samples))
        if isinstance(made, Verdict):
            self.why_not = made.reason
            return False
        # attributes are called as before, where only the letters' size differs: Title, title
        before = self.wrapper.attributes if self.wrapper else ()
        names = {attribute.name.lower(): attribute.name for attribute in before}
        attributes = tuple(
            structs.replace(each, name=names.get(each.name.lower(), each.name)) for each in made.attributes
        )
        title = names.get(made.title.lower(), made.title)
        # what was no part of an address before is none now: words to be marked are the same on all of one answer
        without = {*made.own.without, *(self.wrapper.own.without if self.wrapper else ())}
        own = structs.replace(made.own, without=tuple(sorted(without)))
        self.wrapper = structs.replace(made, attributes=attributes, title=title, own=own)
        return True

    def to_dict(self) -> dict[str, Any]:
        """Return what was learned as plain data."""
        return self.wrapper.to_dict() if self.wrapper else {}


def split_lists(record: Record, lists: Mapping[str, str]) -> Record:
    """Return a record with the values of lists one by one; `lists` says what stands between them, by attribute."""
    values = [Value(name, part) for name, text in record.values for part in split_values(text, lists.get(name, ""))]
    return replace(record, values=tuple(dict.fromkeys(values)))


def _leave_strangers(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """Return records without one that has neither an address, as all others have, nor any attribute of theirs: a heading among them."""
    own = [record for record in records if record.url]
    if not MIN_AROUND <= len(own) < len(records) or len(records) - len(own) > MAX_STRANGERS:
        return records
    names = {name for record in own for name, _ in record.values}
    return tuple(record for record in records if record.url or any(name in names for name, _ in record.values))


def _readable(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """Return records as they can be written: half a letter (a lone surrogate) becomes a question mark."""
    texts = {text for each in records for text in (each.key, each.url, *chain.from_iterable(each.values))}
    as_written = {text: text.encode("utf-8", "replace").decode() for text in texts if not text.isascii()}
    broken = {text: readable for text, readable in as_written.items() if text != readable}
    if not broken:
        return records
    return tuple(
        Record(
            tuple(Value(broken.get(name, name), broken.get(text, text)) for name, text in each.values),
            broken.get(each.key, each.key),
            broken.get(each.url, each.url),
        )
        for each in records
    )


def read_exact_count(fetched: FetchedPage) -> int:
    """Return how many records a page reports, or 0 where it reports no exact count."""
    count = best_count(find_outside_lines(fetched.tree, ()), 0) if fetched.tree is not None else None
    return count.number if count and count.exact else 0


def why_no_answer(fetched: FetchedPage) -> str:
    """Return why a page without records is no answer at all, or nothing."""
    if fetched.page is None or fetched.tree is None:
        return ""
    led_away = judge_redirect(fetched.request, fetched.response, fetched.page)
    return led_away or judge_trouble(fetched.response.status, fetched.page, find_outside_lines(fetched.tree, ()))


def _read_service(fetched: FetchedPage, query: Query, number: int) -> Answer:
    found = read_service(fetched.response, fetched.request)
    if isinstance(found, Verdict):
        return Answer(query, number, requests=fetched.requests, trouble=found.reason)
    if found.records and fetched.is_error:  # what it lists are messages
        return Answer(query, number, requests=fetched.requests, trouble=f"HTTP {fetched.response.status}")
    total = found.total if found.total is None or found.total <= MAX_PLAUSIBLE_TOTAL else None
    return Answer(
        query, number, _readable(found.records), total, found.exact,
        limit=len(found.records) if len(found.records) >= MAX_SERVICE_RECORDS else 0,
        more=found.next is not None, next=found.next, requests=fetched.requests,
    )  # fmt: skip


# -- a door as the harvest asks it: queries and page numbers go in, answers come out

GET_OR_POST = frozenset({"GET", "POST"})
MIN_RESULT_CAP = 10  # records; a shorter answer is no sign of a cap
MIN_ANSWERS_SAME_END = 3  # answers that end at the same record, and none later
MAX_RETRIES = 2  # of a request whose trouble may pass
MAX_VAIN_RETRIES = 6  # in a row that helped nothing, after which no request is sent again until one is answered
_MAY_PASS = frozenset({FailureReason.TIMEOUT, FailureReason.BROKEN, FailureReason.REFUSED})
GROWTH = (
    10  # times as many records as a link asks for that a page which grows is asked for: each shows all before once more
)
MAX_GROWN = 10_000  # records that a page is asked for so
MAX_VAIN_STEPS = 2  # links that seemed to lead on by one parameter and did not, after which it is no longer followed
MAX_COUNT_CHECKS = 2  # times that a page is requested though as many records were shown as the answer reports


@dataclass(frozen=True, slots=True)
class LeftPages:
    """Where an answer was left, and how it goes on."""

    page: int = -1
    next: Request | None = None
    shown: int = 0  # records on its pages
    link: Request | None = None  # what its last page links to, where a larger step is asked for instead
    step: str = ""  # the parameter by which it goes on, where that is all that a link changes
    paging: PagingGuard = field(default_factory=PagingGuard)


@dataclass(slots=True)
class Source:
    """Puts queries to one door. It remembers the answer it is in, for the request for the next page."""

    door: Door
    field_map: FieldMap
    fetch: Fetch
    reader: Reader
    methods: frozenset[str] = frozenset({"GET"})
    details: DetailPages | None = None  # reads the records' own pages, where that is wanted
    ready: dict[tuple[Query, int], Answer] = field(default_factory=dict)  # answers that came before the harvest began
    reopen: Callable[[], Awaitable[Door | None]] | None = None  # reads the form again, with fresh hidden values
    ineffective: IneffectiveFields = field(init=False)
    listing: Listing | None = None  # how everything is listed, where that is cheaper than to ask the form
    views: dict[Query, ListView] = field(default_factory=dict)  # links beside the form to more than it lists
    list_reader: Reader = field(default_factory=Reader)  # reads it, where its pages are written in another way
    listed: ValueIndex = field(default_factory=ValueIndex)  # its records, where they have other attributes
    own_page_box: str | None = (
        None  # a query for the name of a record, in this box, leads to its own page, which is no list
    )
    names: set[str] = field(default_factory=set)  # of the records of such a list
    is_set_up: bool = True  # what makes pages larger by a cookie was requested in this run
    untrue_count: str = ""  # how counts were found to be untrue: none is exact from then on
    _vain_retries: int = 0  # requests in a row that were sent again and failed again
    _count_checks: int = 0  # pages requested to see whether a count is true
    _ends: Counter[int] = field(default_factory=Counter)  # records that answers without a count have ended with
    _at: tuple[Query, int] = (Query(), -1)
    _next: Request | None = None
    _lists_read: int = 0  # of the further lists that hold everything
    _left: dict[Query, LeftPages] = field(default_factory=dict)  # answers that may go on later
    _shown: int = 0  # records of the answer that it is in
    _paging: PagingGuard = field(default_factory=PagingGuard)  # of the answer that it is in
    _link: Request | None = None  # what its page links to, where a larger step is asked for instead
    _step: str = ""  # the parameter by which it goes on, where that is all that a link changes
    _vain_steps: Counter[str] = field(default_factory=Counter)  # such parameters -> how often nothing new came
    _good_steps: set[str] = field(default_factory=set)  # those that brought further records
    _small_steps: set[str] = field(default_factory=set)  # those that bring no more than their links ask for

    def __post_init__(self) -> None:
        """Begin to look for fields that have no effect."""
        choices = self.field_map.interface.choices
        self.ineffective = IneffectiveFields(frozenset(text.lower() for _, texts in choices for text in texts))

    async def ask(self, query: Query, page: int) -> Answer:
        """Return one page of the answer to a query; one with an ineffective field is not sent."""
        self._turn_to(query)
        refused = self.ineffective.why_not(query) if page == 0 else ""
        if refused:
            return Answer(query, page, requests=0, trouble=refused)
        answer = self.ready.pop((query, page), None) or await self._request_answer(query, page)
        if page:
            answer = self._leave_known(await self._ask_smaller(answer))
        answer = self.reader.find_lists(answer)
        answer = self._leave_own_page(self._match_listed(answer))
        listing = self.listing if query == Query() else None
        if listing is not None and (
            listing.then or listing.only or listing.own_count
        ):  # what it counts is not everything
            answer = replace(answer, total=None, exact=False)
        if answer.trouble == TroubleKind.EXPIRED and page == 0 and self.reopen is not None:
            answer = await self._ask_in_new_session(answer)
        if self.untrue_count and answer.records:
            answer = replace(answer, exact=False)
        self._shown = len(answer.records) + (self._shown if page else 0)
        self.ineffective.note(answer)

        # Where as many records were shown as the answer reports, what looks like a further page is none.
        shows_all = answer.total is not None and answer.exact and self._shown >= answer.total
        if shows_all and answer.next is not None and self._count_checks < MAX_COUNT_CHECKS:
            answer = await self._check_count(answer, answer.next)
            shows_all = answer.exact
        following = None if shows_all else self._find_next(answer)
        answer = replace(answer, more=following is not None, next=following)

        answer = self._note_cap(answer)
        self._at, self._next = (query, page), following
        return await self.details.add(answer) if self.details and answer.records else answer

    def _note_cap(self, answer: Answer) -> Answer:
        """Return an answer with the result cap that no page states, where the longest answers all end at the same record."""
        if not answer.records or answer.more or answer.total is not None or self._shown < MIN_RESULT_CAP:
            return answer
        self._ends[self._shown] += 1
        is_cap = self._shown == max(self._ends) and self._ends[self._shown] >= MIN_ANSWERS_SAME_END
        return replace(answer, limit=self._shown) if is_cap else answer

    def _turn_to(self, query: Query) -> None:
        """Keep where the answer that was read last goes on, and go back to where another was left."""
        if query == self._at[0]:
            return
        if self._next is not None:
            self._left[self._at[0]] = LeftPages(
                self._at[1], self._next, self._shown, self._link, self._step, self._paging
            )
            if len(self._left) > MAX_LEFT_ANSWERS:
                del self._left[next(iter(self._left))]
        left = self._left.pop(query, None) or LeftPages()
        self._at, self._next, self._shown, self._paging = (query, left.page), left.next, left.shown, left.paging
        self._link, self._step = left.link, left.step

    async def _ask_smaller(self, answer: Answer) -> Answer:
        """Return the page that was linked to, where a larger step brought no more than was shown before."""
        if self._link is None or len(answer.records) > self._shown:
            return answer
        self._next, self._link = self._link, None
        self._small_steps.add(self._step)
        linked = await self._request_answer(answer.query, answer.page)
        return replace(linked, requests=linked.requests + answer.requests)

    def _leave_known(self, answer: Answer) -> Answer:
        """Return a further page without the records that were shown before: it grows, or the pages went round and have ended."""
        keys = list(map(_identify, answer.records))
        is_new = bool(self._paging.leave_new(keys))
        if answer.next is not None and self._paging.has_shown(keys):
            answer = replace(answer, records=(), more=False, next=None)
        elif repeated := self._paging.count_repeated(keys):
            answer = replace(answer, records=answer.records[repeated:])
        if self._step and is_new:
            self._good_steps.add(self._step)
        elif self._step:
            self._vain_steps[self._step] += 1
        return answer

    def _grow(self, answer: Answer, following: Request) -> Request | None:
        """Return the request for a page that grows by more than its link asks for; None for a link that led nowhere before."""
        self._link, self._step = None, ""
        sent = self._next if answer.page else self._first_request(answer.query)
        if not isinstance(sent, Request) or sent.body or following.body:
            return following
        step = read_step(sent.url, following.url, self._shown)
        if step is None:
            return following
        if step.name not in self._good_steps and self._vain_steps[step.name] >= MAX_VAIN_STEPS:
            return None
        self._step = step.name
        if not 0 < GROWTH * step.wanted <= MAX_GROWN or step.name in self._small_steps:
            return following
        self._link = following
        return set_parameter(following, step.name, str(GROWTH * step.wanted))

    async def _check_count(self, answer: Answer, following: Request) -> Answer:
        """Request the page after the last: with other records on it the count is not true, and the answer goes on."""
        self._count_checks += 1
        self._at, self._next = (answer.query, answer.page), following
        beyond = await self._request_answer(answer.query, answer.page + 1)
        paid = replace(answer, requests=answer.requests + beyond.requests)
        fresh = {*map(_identify, beyond.records)}.difference(map(_identify, answer.records))
        is_new = self._paging.leave_new(fresh) if answer.page else fresh
        if beyond.failure or beyond.trouble or not is_new:
            return paid
        self._note_untrue_count(answer)
        self.ready[answer.query, answer.page + 1] = replace(beyond, requests=0)
        return replace(paid, exact=False)

    def _note_untrue_count(self, answer: Answer) -> None:
        if not self.untrue_count:
            self.untrue_count = f"{answer.query}: {answer.total:,} were reported to match, and pages go on after them"

    def resume_at(self, answer: Answer) -> None:
        """Go on from a page of an answer that came in an earlier run."""
        self._turn_to(answer.query)
        self._shown = len(answer.records) + (self._shown if answer.page else 0)
        if answer.more and answer.total is not None and self._shown >= answer.total > 0:
            self._note_untrue_count(answer)
        self.ineffective.note(answer)
        self._leave_own_page(self._match_listed(answer))
        if answer.next is not None:
            self._paging = self._paging if answer.page else PagingGuard()
            self._paging.judge(answer.next, map(_identify, answer.records))
        if answer.next is not None and self.listing is not None and answer.next.url in self.listing.then:
            self._lists_read = self.listing.then.index(answer.next.url) + 1
        self._at, self._next = (answer.query, answer.page), answer.next

    async def _ask_in_new_session(self, expired: Answer) -> Answer:
        """Open the door again and ask once more."""
        door = await self.reopen() if self.reopen else None
        if door is None:
            return expired
        self.door = door
        answer = await self._request_answer(expired.query, expired.page)
        return replace(answer, requests=answer.requests + expired.requests + 1)

    async def _request_answer(self, query: Query, page: int) -> Answer:
        """Send the request for a page of an answer and read the response; before the first, what makes pages larger."""
        if self.listing is not None and self.listing.setup and not self.is_set_up:
            self.is_set_up = True
            await ask(Request(self.listing.setup), self.fetch)
        fetched, spent = await self._send_until_answered(query, page)
        if isinstance(fetched, Verdict):
            return Answer(query, page, requests=0, trouble=fetched.reason)
        if isinstance(fetched, Failure):
            return Answer(query, page, requests=spent + int(fetched.asked), failure=fetched)
        answer = await offload(fetched.large, self.reader_of(query).read, fetched, query, page)
        return replace(answer, requests=answer.requests + spent) if spent else answer

    async def _send_until_answered(self, query: Query, page: int) -> tuple[FetchedPage | Failure | Verdict, int]:
        """Send a request, a few times where its trouble may pass; return what came back at last, and the requests before."""
        fetched, spent = await self.send(query, page), 0
        for _ in range(MAX_RETRIES):
            if not may_pass(fetched):
                break
            if self._vain_retries >= MAX_VAIN_RETRIES:
                return fetched, spent
            spent += fetched.requests if isinstance(fetched, FetchedPage) else 1
            self._vain_retries += 1
            fetched = await self.send(query, page)
        if not may_pass(fetched) and not isinstance(fetched, Verdict):
            self._vain_retries = 0
        return fetched, spent

    def reader_of(self, query: Query) -> Reader:
        """Return what reads the answer to a query: a list of everything may be written in another way."""
        return self.list_reader if query == Query() and self.listing and self.listing.own_layout else self.reader

    def _match_listed(self, answer: Answer) -> Answer:
        """Return an answer with the records of the list that its own ones are, where their attributes have other names."""
        if self.listing is None or not self.listing.own_values:
            return answer
        if answer.query == Query():
            self.listed.add(answer.records)
            return answer
        named_by = self.listing.named_by
        return replace(
            answer, records=tuple([self.listed.find(record, named_by) or record for record in answer.records])
        )

    def _leave_own_page(self, answer: Answer) -> Answer:
        """Return the record that was asked for alone where the answer is its own page: what else stands there is not of the list."""
        if self.own_page_box is None:
            return answer
        if answer.query == Query():
            self.names.update(record.values[0].text for record in answer.records if record.values)
            return answer
        (asked,) = answer.query.values if len(answer.query.values) == 1 else (Value("", ""),)
        if asked.attribute != self.own_page_box or asked.text not in self.names:
            return answer
        own = [record for record in answer.records if record.values and record.values[0].text == asked.text]
        return replace(answer, records=tuple(own), total=len(own), exact=True, more=False, next=None) if own else answer

    async def send(self, query: Query, page: int) -> FetchedPage | Failure | Verdict:
        """Send the request for a page of an answer; return what came back, or why nothing did."""
        request: Request | Verdict | None = self._next if page else self._first_request(query)
        if request is None or (page and self._at != (query, page - 1)):
            return Verdict(False, "the address of this page of the answer is unknown")
        return request if isinstance(request, Verdict) else await ask(request, self.fetch)

    def _first_request(self, query: Query) -> Request | Verdict:
        if self.listing is not None and self.listing.url and query == Query():
            return Request(self.listing.url)
        if query in self.views:
            return self.views[query].request
        request = self.form_request(query)
        if self.listing is not None and isinstance(request, Request):
            for name, value in self.listing.parameters:
                request = set_parameter(request, name, value)
        return request

    def form_request(self, query: Query) -> Request | Verdict:
        """Return the request that puts a query to the form, or why there is none."""
        template = self.door.form.template
        if template and judge_template(template).yes:
            return fill_template(template, _words_of(query), 0, self.field_map.interface.page_size)
        values = self.field_map.fill(query)
        return values if isinstance(values, Verdict) else fill(self.door, values, self.methods)

    def _find_next(self, answer: Answer) -> Request | None:
        """Return the request for the next page, by the template or by the answer, unless the pages repeat."""
        following, template = answer.next, self.door.form.template
        if answer.records and template and judge_template(template).yes and has_pages(template):
            size = self.field_map.interface.page_size
            filled = fill_template(template, _words_of(answer.query), answer.page + 1, size)
            following = filled if isinstance(filled, Request) else following
        if following is None and answer.query == Query() and self.listing is not None:
            following = self._next_list()
        following = self._grow(answer, following) if following is not None else None
        if following is None:
            return None
        view = self._find_view(answer.query)
        following = view.carry(following) if view else following
        if answer.page == 0:
            self._paging = PagingGuard()
        return following if self._paging.judge(following, map(_identify, answer.records)).yes else None

    def _find_view(self, query: Query) -> ListView | None:
        """Return the link beside the form that a query stands for; one may be the list of everything."""
        if query == Query() and self.listing is not None:
            return next((view for view in self.views.values() if view.is_in(self.listing.url)), None)
        return self.views.get(query)

    def _next_list(self) -> Request | None:
        """Return the request for the list after the one that ended, where everything stands in several."""
        left = self.listing.then[self._lists_read :] if self.listing else ()
        self._lists_read += bool(left)
        return Request(left[0]) if left else None


def may_pass(fetched: FetchedPage | Failure | Verdict) -> bool:
    """Return True if the same request may be answered when it is sent again: a server error, a broken connection."""
    if isinstance(fetched, Failure):
        return fetched.why in _MAY_PASS
    return isinstance(fetched, FetchedPage) and fetched.response.status >= 500


def _identify(record: Record) -> str:
    return record.key or record.url or str(record.values)


def _words_of(query: Query) -> str:
    return " ".join(value.text for value in query.values)


# -- fields that have no effect: an operator, a sort, a language of the page, a choice that needs another
#
# Whatever is chosen, the same records come; or none come, though known records have what was chosen. After a few
# tries such an attribute is no longer asked.

MIN_VALUES_SAME_PAGE = 3  # of one attribute that bring one first page; one fewer when everything brings it, too
MIN_VALUES_MISSED = 3  # that bring nothing, though known records have them
MIN_VALUES_EMPTY = 12  # that bring nothing, where no record shows what they should have brought
MAX_SEEN_CHOICES = 20_000  # that are remembered as shown by records

_FirstPage = tuple[tuple[str, ...], int | None]  # what identifies its records, and its total


@dataclass(slots=True)
class IneffectiveFields:
    """Notices attributes whose values do not change what is found, from the answers as they come."""

    choices: frozenset[str]  # all that can be chosen, in small letters
    everything: _FirstPage | None = None  # of a query without values
    pages: dict[str, _FirstPage] = field(default_factory=dict)  # attribute -> the one page that all its values brought
    tried: dict[str, list[str]] = field(
        default_factory=dict
    )  # attribute -> values that brought it; of those with records none is part of another
    effective: set[str] = field(default_factory=set)  # attributes that brought different pages
    missed: Counter[str] = field(
        default_factory=Counter
    )  # attribute -> values without an answer that known records have
    seen: set[str] = field(default_factory=set)  # choices that records have shown
    reasons: dict[str, str] = field(default_factory=dict)  # attribute -> why it is no longer asked

    def why_not(self, query: Query) -> str:
        """Return why a query is not sent: one of its attributes has no effect."""
        return next((self.reasons[value.attribute] for value in query.values if value.attribute in self.reasons), "")

    def note(self, answer: Answer) -> None:
        """Compare the first page of an answer with those before."""
        if answer.failure or answer.trouble or answer.page:
            return
        query, records = answer.query, answer.records
        if len(self.seen) < MAX_SEEN_CHOICES:
            texts = (text.lower() for record in records for _, text in record.values)
            self.seen.update([text for text in texts if text in self.choices])
        keys = sorted([record.key or "\t".join([text for _, text in record.values]) for record in records])
        page = tuple(keys), answer.total
        if query == Query():
            self.everything = page
        elif len(query.values) == 1 and not query.ranges and query.values[0].attribute:
            self._compare(query.values[0].attribute, query.values[0].text.lower(), page)

    def _compare(self, attribute: str, text: str, page: _FirstPage) -> None:
        """Compare the first page for a value with that for other values of its attribute."""
        if attribute in self.effective:
            return
        if self.pages.setdefault(attribute, page) != page:
            self.effective.add(attribute)
            del self.pages[attribute]
            return
        tried = self.tried.setdefault(attribute, [])
        if page[0] and any(text in other or other in text for other in tried):  # soup and soups may well find the same
            return
        tried.append(text)
        self.missed[attribute] += not page[0] and text in self.seen
        tries = len(tried)
        if page[0] and tries >= MIN_VALUES_SAME_PAGE - (page == self.everything):
            self.reasons[attribute] = f"whatever is given for {attribute!r}, the same records come"
        elif not page[0] and (self.missed[attribute] >= MIN_VALUES_MISSED or tries >= MIN_VALUES_EMPTY):
            self.reasons[attribute] = f"whatever is given for {attribute!r}, nothing comes"


# -- records with what their own pages show, on request: each page is requested once


@dataclass(slots=True)
class DetailPages:
    """Reads the own pages of records that were not seen before."""

    fetch: Fetch
    known: dict[str, Record] = field(
        default_factory=dict
    )  # address of a record's page -> the record with what it shows

    def restore(self, records: Iterable[Record]) -> None:
        """Add records that were read in an earlier run."""
        self.known |= {record.url: record for record in records if record.url}

    async def add(self, answer: Answer) -> Answer:
        """Return an answer whose records have what their own pages show; each new page is a request."""
        records, cost = [], 0
        for record in answer.records:
            is_new = record.url and record.url not in self.known
            if is_new and same_site(record.url, answer.records[0].url or record.url):
                cost += 1
                self.known[record.url] = await self._read(record)
            records.append(self.known.get(record.url, record))
        return replace(answer, records=tuple(records), requests=answer.requests + cost)

    async def _read(self, record: Record) -> Record:
        fetched = await ask(Request(record.url), self.fetch)
        if isinstance(fetched, Failure) or fetched.tree is None or fetched.is_error:
            return record
        named = {value.attribute.lower() for value in record.values}
        found = await offload(fetched.large, read_detail, fetched.tree)
        shown = tuple(value for value in found if value.attribute.lower() not in named)
        return replace(record, values=(*record.values, *shown), key=record.key or record.url)
