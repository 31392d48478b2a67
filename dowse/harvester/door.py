"""A door as the harvest asks it: queries and page numbers go in, answers come out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import quote, urlsplit

from dowse.fetch import Fetch
from dowse.form.fill import fill
from dowse.harvester.interface import Opening
from dowse.harvester.reader import Reader
from dowse.model import Answer, Condition, Door, Failure, Field, Form, Judgement, Query, Record, Request, Verdict
from dowse.records.details import read_detail
from dowse.records.paging import PagingGuard
from dowse.records.trouble import TroubleKind
from dowse.step.ask import Heard, ask
from dowse.step.visit import offload
from dowse.url import same_site

# --- address
# Addresses with places for what is asked: {query}, {page}, {start}, {count}, and the names that OpenSearch gives them.

MAX_TEMPLATE: Final = 4_096  # characters
MAX_ADDRESS: Final = 8_192  # characters; servers refuse longer ones
MAX_QUERY: Final = 1_000  # characters

_PLACE: Final = re.compile(r"\{([A-Za-z][\w.:-]{0,60})(\??)\}")
_QUERY: Final = frozenset({"query", "searchterms"})
_PAGE: Final = frozenset({"page", "startpage"})
_START: Final = frozenset({"start", "startindex", "offset"})
_FIXED: Final = {"language": "*", "inputencoding": "UTF-8", "outputencoding": "UTF-8"}
KNOWN: Final = "{query}, {page}, {start}, {count}"


def fill_template(
    template: str,
    query_text: str,
    page: int = 0,
    page_size: int = 10,
    page_offset: int = 1,
    index_offset: int | None = None,
) -> Request | Verdict:
    """Return the request for a page, counted from 0, of what is asked; or what is wrong with the template.

    Where counting begins is what OpenSearch calls pageOffset and indexOffset: 1, but 0 for a plain {start}.
    """
    wrong = judge_template(template)
    if not wrong.yes:
        return wrong
    if page < 0 or page_size < 1:
        return Verdict(False, "pages are counted from 0, and have at least one record")

    def written(place: re.Match[str]) -> str:
        name = place[1].lower()
        if name in _QUERY:
            return quote(query_text[:MAX_QUERY], safe="", errors="replace")
        first = index_offset if index_offset is not None else int(name == "startindex")
        known = dict.fromkeys(_PAGE, page + page_offset) | dict.fromkeys(_START, page * page_size + first)
        return str({**_FIXED, **known, "count": page_size}.get(name, ""))

    url = _PLACE.sub(written, template.strip())
    if len(url) > MAX_ADDRESS:
        return Verdict(False, f"the address would have {len(url):,} characters")
    return Request(url)


def judge_template(template: str) -> Verdict:
    """Say whether an address can be filled, and if not, the first thing that is wrong with it."""
    template = template.strip()
    if len(template) > MAX_TEMPLATE:
        return Verdict(False, f"the template has more than {MAX_TEMPLATE:,} characters")
    if not template.lower().startswith(("http://", "https://")):
        return Verdict(False, "the template is no web address: it begins neither with http:// nor with https://")
    places = _PLACE.findall(template)
    rest = _PLACE.sub("", template)
    if "{" in rest or "}" in rest:
        return Verdict(False, f"the template has a brace that is not part of a place such as {KNOWN}")
    unknown = [name for name, optional in places if not optional and not _is_known(name)]
    if unknown:
        return Verdict(False, f"the template wants {{{unknown[0]}}}; known are {KNOWN}")
    if not any(name.lower() in _QUERY for name, _ in places):
        return Verdict(False, "the template has no place for what is asked: {query}")
    return _judge_host(template)


def _is_known(name: str) -> bool:
    return name.lower() in _QUERY | _PAGE | _START | _FIXED.keys() | {"count"}


def _judge_host(template: str) -> Verdict:
    try:
        host = urlsplit(_PLACE.sub("x", template)).hostname
    except ValueError:
        host = None
    if not host:
        return Verdict(False, "the template names no host")
    if "{" in template.partition("//")[2].partition("/")[0].partition("?")[0]:
        return Verdict(False, "the template has a place in its host")
    return Verdict(True)


def has_pages(template: str) -> bool:
    """Say whether a template can ask for later pages at all."""
    return any(name.lower() in _PAGE | _START for name, _ in _PLACE.findall(template))


# --- template
# A service that is given by hand: an address with places for what is asked, as a door.

WORDS = "query"


def open_template(template: str) -> Door | Verdict:
    """Return the door that an address with {query} in it is, or what is wrong with it."""
    judged = judge_template(template)
    if not judged.yes:
        return judged
    template = template.strip()
    form = Form(0, "GET", template, (Field(WORDS, "search"),), made="template", template=template)
    asked = Condition("words", "", "contains", "text", (WORDS,))
    return Door(form, Judgement("database", 1.0, ("given by hand",)), (asked,), signature=template, page=template)


# --- dull
# Attributes of a form that ask for nothing: an operator, a sort, a language of the page, a choice that needs another.
#
# Whatever is chosen, the same records come; or none come, though records are known that have what was chosen. After a few
# tries such an attribute is no longer asked.

SAME = 3  # different values of one attribute that bring the same first page; one fewer when everything brings it, too
FAILED = 3  # values that bring nothing, though records are known that have them
NOTHING = 12  # values that bring nothing, where no record shows what it should have brought
MOST_KEPT = 20_000  # values of choices that are remembered as seen

_Page = tuple[tuple[str, ...], int | None]


@dataclass(slots=True)
class Dull:
    """Notices attributes that ask for nothing, from the answers as they come."""

    choices: frozenset[str]  # all that can be chosen, in small letters
    everything: _Page | None = None  # the first page of a query without values
    pages: dict[str, _Page] = field(
        default_factory=dict
    )  # attribute -> the one first page that all of its values brought
    tries: Counter[str] = field(default_factory=Counter)  # attribute -> values that brought it
    alive: set[str] = field(default_factory=set)  # attributes that brought different pages
    failed: Counter[str] = field(default_factory=Counter)  # attribute -> such values that known records have
    seen: set[str] = field(default_factory=set)  # choices that records have shown
    reasons: dict[str, str] = field(default_factory=dict)  # attribute -> why it is no longer asked

    def why_not(self, query: Query) -> str:
        """Say why a query is not asked: one of its attributes asks for nothing."""
        return next((self.reasons[value.attribute] for value in query.values if value.attribute in self.reasons), "")

    def note(self, answer: Answer) -> None:
        """Take in the first page of an answer."""
        if answer.failure or answer.trouble or answer.page:
            return
        self._see(answer.records)
        page = _first_page(answer)
        if answer.query == Query():
            self.everything = page
        elif len(answer.query.values) == 1 and not answer.query.ranges and answer.query.values[0].attribute:
            self._judge(answer.query.values[0].attribute, answer.query.values[0].text.lower(), page)

    def _see(self, records: tuple[Record, ...]) -> None:
        if len(self.seen) < MOST_KEPT:
            self.seen.update(text for record in records for _, text in _lower(record) if text in self.choices)

    def _judge(self, attribute: str, text: str, page: _Page) -> None:
        if attribute in self.alive:
            return
        if self.pages.setdefault(attribute, page) != page:
            self.alive.add(attribute)
            del self.pages[attribute]
            return
        self.tries[attribute] += 1
        self.failed[attribute] += not page[0] and text in self.seen
        reason = self._why_dull(attribute, page)
        if reason:
            self.reasons[attribute] = reason

    def _why_dull(self, attribute: str, page: _Page) -> str:
        """Say why an attribute asks for nothing, all of whose values have brought one page."""
        tries = self.tries[attribute]
        if page[0] and tries >= SAME - (page == self.everything):
            return f"whatever is given for {attribute!r}, the same records come"
        if not page[0] and (self.failed[attribute] >= FAILED or tries >= NOTHING):
            return f"whatever is given for {attribute!r}, nothing comes"
        return ""


def _first_page(answer: Answer) -> _Page:
    shown = tuple(sorted(record.key or "\t".join(text for _, text in record.values) for record in answer.records))
    return shown, answer.total


def _lower(record: Record) -> list[tuple[str, str]]:
    return [(attribute, text.lower()) for attribute, text in record.values]


# --- details
# Records with what their own pages say, on request: each page is asked for once.


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
        said = await offload(heard.large, read_detail, heard.tree)
        told = tuple(value for value in said if value.attribute.lower() not in named)
        return replace(record, values=(*record.values, *told), key=record.key or record.url)


# --- source
# A door as the harvest asks it: queries and page numbers go in, answers come out.

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
    _paging: PagingGuard = field(default_factory=PagingGuard)  # of the answer that it is in

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
        if page or self.reopen is None or answer.trouble != TroubleKind.EXPIRED:
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
        return await offload(heard.large, self.reader.read, heard, query, page)

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
            self._paging = PagingGuard()
        shown = map(_name_of, answer.records)
        return following if self._paging.judge(following, shown).yes else None


def _name_of(record: Record) -> str:
    return record.key or record.url or str(record.values)


def _words_of(query: Query) -> str:
    return " ".join(value.text for value in query.values)
