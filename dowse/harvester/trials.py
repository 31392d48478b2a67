"""Before the harvest: a few trial queries to a door show how its answers are read and which field asks for what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from dowse.fetch import Fetch
from dowse.form.fill import judge_asking
from dowse.form.questions import find_common
from dowse.harvester.checks import check_trials
from dowse.harvester.door import WILDCARD, AttributeMap, first_queries, map_fields, nothing_query
from dowse.harvester.identity import UnstableParts, compare_queries, compare_readings
from dowse.harvester.listing import (
    MIN_GROWTH,
    MIN_PAGES_TO_SHORTEN,
    Listing,
    ListView,
    count_pages,
    find_page_sizes,
    guess_page_size,
    rank_ways,
)
from dowse.harvester.loop import key_of
from dowse.harvester.presets import (
    Preset,
    Widening,
    compare_answers,
    emptied,
    find_presets,
    is_same,
    may_choose,
    other_value,
    restricts,
    shows_others,
)
from dowse.harvester.reader import GET_OR_POST, Reader, Source, read_exact_count, why_no_answer
from dowse.model import Answer, Door, Failure, Page, Query, Record, Value, Verdict
from dowse.reasons import QUERY_REFUSALS, say_count
from dowse.records.counts import judge_empty
from dowse.records.wrapper import Wrapper, find_outside_lines
from dowse.step.ask import FetchedPage
from dowse.step.visit import offload
from dowse.store.harvests import read_query

MAX_TRIALS = 14  # queries to find out how a door answers
MAX_REFUSALS = 3  # of them without an answer, and none with records, after which a door is left alone
MIN_GOOD_ANSWERS = 2  # that brought several records, and not the same
MAX_TRIAL_REQUESTS = 8  # after which one such answer must do
MAX_LISTED_TRIAL_REQUESTS = 4  # the same where a query for everything lists and counts them: its next pages show others
MANY_QUERIES = 5  # as long as the longest known, at the least, where no query lists everything
MIN_LISTED = 5  # records that an empty query brings where it lists everything
MIN_RECORDS_OF_ANSWER = 3  # fewer may be something else that stands there
MAX_PAGE_RECORDS = 100_000  # where a page does not report how many there are
MIN_WORD_LETTERS = 4  # of a word that is asked for
MAX_TRIED_BYTES = 6 * 1024 * 1024  # of all answers together: each is read again with every further one
MAX_LEARNED_PAGES = 3  # that the wrapper is learned from, beside the empty one
MAX_BOX_TRIALS = 6  # queries to find out which box asks for which attribute
MAX_BOX_TRIALS_BESIDE_LISTS = (
    2  # the same where all is listed and counted, or a box for any words can be asked; none where both are so
)
MIN_OWN_SHARE = 0.8  # of the records of a list that it links to the answers to their names
MAX_OWN_PARAMETERS = 5  # of such a link
MAX_CHANGED_PRESETS = 3  # other choices that are tried in place of what a form comes with, a request each
GET = frozenset({"GET"})


@dataclass(frozen=True, slots=True)
class OpenedDoor:
    """A door that is ready to be harvested."""

    source: Source
    attributes: AttributeMap
    given: tuple[Value, ...] = ()
    seeds: tuple[Query, ...] = ()  # queries that brought records
    sample: FetchedPage | None = None  # the page of an answer, for what the site offers beside it
    larger: tuple[Listing, Answer] | None = None  # larger pages that were tried when a page was read twice
    learned: dict[str, Any] = field(
        default_factory=dict
    )  # plain data: how answers are read, which field asks for which attribute


class DoorRefusal(Verdict):
    """Why a door could not be asked at all: robots.txt, a login, an error."""

    __slots__ = ()


def is_wildcard(query: Query) -> bool:
    """Return True if a query asks for a sign that may stand for any word."""
    return len(query.values) == 1 and query.values[0].text == WILDCARD


def judge_door(door: Door, post: bool) -> Verdict:
    """Return whether a door may be harvested, or why not."""
    allowed = judge_asking(door, GET_OR_POST if post else GET)
    if not allowed.yes and not post and judge_asking(door, GET_OR_POST).yes:
        return Verdict(False, f"{allowed.reason}; --post allows it")
    return allowed


async def try_door(
    door: Door, page: Page | None, fetch: Fetch, given: Sequence[Value], *, post: bool = False, learned: dict[str, Any] | None = None,
    budget: int = 0,
) -> OpenedDoor | Verdict:  # fmt: skip
    """Send a few trial queries to a door and learn from the answers how they are read, unless that was learned before.

    They are no more than the budget of requests allows; 0 for no limit.
    """
    field_map = map_fields(door)
    source = Source(door, field_map, fetch, Reader(), GET_OR_POST if post else GET)
    if learned:
        return _reopen(source, given, learned)
    trials = _Trials(source, budget)
    await trials.run(first_queries(given, field_map, door, page), nothing_query(field_map, door))
    if not trials.hits():
        source.reader.why_not = trials.refused or source.reader.why_not
    opened = await offload(trials.large, _learn, source, given, trials)
    if not opened.seeds:
        reason = f" ({source.reader.why_not})" if source.reader.why_not else ""
        return (DoorRefusal if trials.refused else Verdict)(
            False,
            f"no records came back in {say_count(trials.cost, 'requests')}{reason}; give values to begin with, as in --value author=Kafka",
        )
    refused = _judge_menu(opened, page)
    if not refused.yes:
        return refused
    opened, is_harmless = await _read_twice(opened, trials)
    opened = await _widen(opened, trials, is_harmless=is_harmless)
    await _sort_otherwise(opened, trials)
    return await _try_boxes(opened, trials)


def _reopen(source: Source, given: Sequence[Value], learned: dict[str, Any]) -> OpenedDoor:
    """Open a door that was harvested before."""
    if learned.get("wrapper"):
        source.reader.wrapper = Wrapper.from_dict(learned["wrapper"])
    known = {name: learned[name] for name in ("page_size", "limit", "blank") if name in learned}
    interface = replace(source.field_map.interface, **known)
    fixed = {**source.field_map.fixed, **learned.get("emptied", {})}
    source.field_map = replace(source.field_map, interface=interface, fixed=fixed)
    source.reader.unstable = UnstableParts.from_dict(learned.get("unstable", {}))
    first = tuple(read_query(text) for text in learned.get("first", ()))
    if learned.get("listing"):
        source.listing, source.is_set_up = Listing.from_dict(learned["listing"]), False
    source.views = {view.query: view for view in map(ListView.from_dict, learned.get("views", ()))}
    if learned.get("list_wrapper"):
        source.list_reader.wrapper = Wrapper.from_dict(learned["list_wrapper"])
    source.own_page_box = learned.get("own pages")
    asks = AttributeMap(interface, dict(learned.get("asks", {})), worded=set(learned.get("worded", ())))
    return OpenedDoor(source, asks, tuple(given), first, learned=learned)


@dataclass(slots=True)
class _Trial:
    """A trial query and its answer."""

    query: Query
    fetched: FetchedPage
    records: int = 0
    shown: tuple[tuple[Value, ...], ...] = ()  # the values of its records, to tell an answer from another

    def set_records(self, records: Sequence[Record], most: int = MAX_PAGE_RECORDS) -> None:
        """Set the records of this answer; where it reports fewer, they are rather parts of them."""
        self.records = min(len(records), most)
        self.shown = tuple(record.values for record in records)


@dataclass(slots=True)
class _Trials:
    """The answers of a door so far; records count only as long as the wrapper learned from all answers finds them."""

    source: Source
    budget: int = 0  # requests that may be made; 0 for no limit
    tried: list[_Trial] = field(default_factory=list)
    empty_page: FetchedPage | None = None  # the answer to a query that finds nothing
    cost: int = 0  # requests
    failures: int = 0
    refused: str = ""  # why the door does not answer

    async def run(self, queries: Iterable[Query], nothing: Query | None) -> None:
        """Ask until enough queries brought different records; first one for nothing, which shows an answer without records."""
        empty = await self.source.send(nothing, 0) if nothing and self.budget != 1 else None
        if isinstance(empty, FetchedPage):
            self.cost += empty.requests
            self.empty_page = empty
            self.source.reader.add_empty_page(empty)
        for query in islice(self._add_words_of_records(queries), MAX_TRIALS):
            if is_wildcard(query) and any(each.records >= MIN_LISTED for each in self.hits()):
                continue
            await self.try_query(query)
            if await offload(self.large, self._is_done) or self.is_spent:
                return

    @property
    def is_spent(self) -> bool:
        """Return True if no further request may be made."""
        return 0 < self.budget <= self.cost

    @property
    def large(self) -> bool:
        """Return True if an answer is so large that answers are read beside the event loop."""
        return any(each.fetched.large for each in self.tried)

    @property
    def is_counted(self) -> bool:
        """Return True if a query for everything lists records, and states that there are more of them."""
        listed = next((each for each in self.tried if each.query == Query() and each.records >= MIN_LISTED), None)
        return listed is not None and read_exact_count(listed.fetched) > listed.records

    def _is_done(self) -> bool:
        """Read the answers so far; return True if they are enough, or nothing more will come."""
        self._learn_wrapper()
        good = {each.shown for each in self.tried if each.records >= MIN_RECORDS_OF_ANSWER}
        is_late = self.cost >= (MAX_LISTED_TRIAL_REQUESTS if self.is_counted else MAX_TRIAL_REQUESTS) and bool(good)
        read = sum(len(each.fetched.response.body) for each in self.tried)
        if len(good) >= MIN_GOOD_ANSWERS or is_late:
            return True
        # whether the door has refused to answer often enough
        whys = (why_no_answer(each.fetched) for each in self.tried if not each.records and each.query.values)
        reasons = [why for why in whys if why and why not in QUERY_REFUSALS]  # another query may be answered
        self.refused = reasons[0] if reasons else self.refused
        is_refused = not self.hits() and max(len(reasons), self.failures) >= MAX_REFUSALS
        return is_refused or read > MAX_TRIED_BYTES

    def _add_words_of_records(self, queries: Iterable[Query]) -> Iterator[Query]:
        """Yield queries, and once there are records, words that several of them have: these bring others."""
        for query in queries:
            yield query
            said = self._find_common_word()
            if (
                said is not None
                and sum(each.records >= MIN_RECORDS_OF_ANSWER for each in self.tried) <= MIN_GOOD_ANSWERS
            ):
                yield said

    def _find_common_word(self) -> Query | None:
        """Return a word that many records of the last good answer have, for the box for any words, or the one that brought it."""
        good = next((each for each in reversed(self.tried) if each.records >= MIN_RECORDS_OF_ANSWER), None)
        if good is None:
            return None
        names = ["", *(value.attribute for value in good.query.values)]
        box = next((name for name in names if name in self.source.field_map.boxes), None)
        asked = [value.text for each in self.tried for value in each.query.values]
        common = find_common([" ".join(value.text for value in values) for values in good.shown], asked)
        word = next((word for word in common if len(word) >= MIN_WORD_LETTERS), "")
        return Query((Value(box, word),)) if word and box is not None else None

    def is_ineffective(self, query: Query) -> bool:
        """Return True if values of the same attribute have brought what a query for everything brings."""
        everything = next((each.shown for each in self.tried if each.query == Query()), ())
        names = {value.attribute for value in query.values}
        same = (each for each in self.tried if each.query.values and each.shown == everything)
        return bool(everything) and any(names & {value.attribute for value in each.query.values} for each in same)

    def finds_nothing(self, fetched: FetchedPage) -> bool:
        """Return True if an answer says that there are no records, or has the same lines as that to the query for nothing."""
        if fetched.tree is None:
            return True
        lines, empty = find_outside_lines(fetched.tree, ()), self.empty_page
        is_like_empty = empty is not None and empty.tree and set(find_outside_lines(empty.tree, ())) == set(lines)
        return judge_empty(lines).yes or bool(is_like_empty)

    async def try_query(self, query: Query) -> _Trial | None:
        """Put a query to the door, and note the answer."""
        reader = self.source.reader
        fetched = await self.source.send(query, 0)
        if isinstance(fetched, Verdict):
            reader.why_not = fetched.reason
            return None
        if isinstance(fetched, Failure):
            reader.why_not = self.refused = str(fetched)
            self.failures += 1
            self.cost += fetched.asked
            return None
        self.cost += fetched.requests
        self.tried.append(_Trial(query, fetched))
        if fetched.is_error:
            reader.why_not = f"HTTP {fetched.response.status}"
        if fetched.tree is None:
            answer = await offload(fetched.large, reader.read, fetched, query, 0)
            reader.why_not = answer.trouble or reader.why_not
            self.tried[-1].set_records(answer.records)
        return self.tried[-1]

    def hits(self) -> list[_Trial]:
        """Return what brought records."""
        return [each for each in self.tried if each.records]

    def _learn_wrapper(self) -> None:
        """Learn a wrapper from the longest pages and the empty one, and read all of them with it."""
        reader, empty_page = self.source.reader, self.empty_page
        pages = [each for each in self.tried if each.fetched.page is not None and not each.fetched.is_error]
        longest = sorted(pages, key=lambda each: -len(each.fetched.response.body))[:MAX_LEARNED_PAGES]
        if not longest or not reader.learn_from([(each.fetched, each.query) for each in longest], empty_page):
            return
        for each in pages:
            each.set_records(reader.extract(each.fetched), read_exact_count(each.fetched) or MAX_PAGE_RECORDS)
            why = why_no_answer(each.fetched) if not each.records else ""
            reader.why_not = why or reader.why_not

        # What the answer to a query for nothing shows as well are messages, no records.
        messages = len(reader.extract(empty_page)) if empty_page else 0
        if 0 < messages < MIN_RECORDS_OF_ANSWER and all(each.records <= messages for each in self.tried):
            for each in self.tried:
                each.set_records(())


def _learn(source: Source, given: Sequence[Value], trials: _Trials) -> OpenedDoor:
    """Read all answers once more, now that the wrapper knows several of them."""
    attributes = AttributeMap(source.field_map.interface)
    hits: list[Query] = []
    size = limit = 0
    any_word = max((each.records for each in trials.hits() if is_wildcard(each.query)), default=0)
    for each in trials.hits():
        answer = source.reader.read(each.fetched, each.query, 0)
        if not answer.records or (each.query == Query() and len(answer.records) < any_word):
            continue
        hits.append(each.query)
        attributes.learn(each.query, answer.records)
        source.ready[each.query, 0] = replace(answer, requests=0)  # paid already
        size = max(size, len(answer.records) if answer.more else 0)
        limit = max(limit, answer.limit)
    page_size = size or source.field_map.interface.page_size
    interface = replace(source.field_map.interface, page_size=page_size, limit=limit, blank=Query() in hits)
    source.field_map = replace(source.field_map, interface=interface)
    attributes.interface = interface
    best = max(trials.hits(), key=lambda each: (each.query == Query(), each.records), default=None)
    return OpenedDoor(source, attributes, tuple(given), tuple(hits), best.fetched if best else None)


def _judge_menu(opened: OpenedDoor, page: Page | None) -> Verdict:
    """Refuse what stays the same for different queries and stands on the page of the form as well: a menu answers nothing.

    A list of everything for an empty query may stand there, too.
    """
    narrow = [answer.records for (query, _), answer in opened.source.ready.items() if query.values]
    addresses = {frozenset(record.url for record in records) for records in narrow}
    linked = {link.url for link in page.links} if page else set()
    if len(narrow) < MIN_GOOD_ANSWERS or len(addresses) != 1 or not next(iter(addresses)) <= linked:
        return Verdict(True)
    count = say_count(len(narrow[0]), "links")
    return Verdict(
        False, f"no records came back: the same {count} stand there whatever is asked, and on the page of the form"
    )


async def _ask_again(opened: OpenedDoor, trials: _Trials, query: Query, fixed: dict[str, str]) -> Answer | None:
    """Send a query once more, with other values beside it; None where no request may be made or nothing came."""
    source, reader = opened.source, opened.source.reader
    if trials.is_spent:
        return None
    usual, samples = source.field_map, tuple(reader.samples)
    source.field_map = replace(usual, fixed={**usual.fixed, **fixed})
    fetched = await source.send(query, 0)
    source.field_map = usual
    if isinstance(fetched, Verdict):
        return None
    if isinstance(fetched, Failure):
        trials.cost += fetched.asked
        return None
    trials.cost += fetched.requests
    answer = await offload(fetched.large, reader.read, fetched, query, 0)
    if not answer.records and not trials.finds_nothing(fetched):
        answer = replace(answer, total=None, exact=False)  # no records, and no word that there are none
    reader.samples.clear()
    reader.samples.extend(samples)  # what is only compared teaches nothing
    return replace(answer, requests=0)


def main_query(opened: OpenedDoor) -> Query:
    """Return the query that lists everything, or the most of what is known."""
    ready = opened.source.ready
    if (Query(), 0) in ready:
        return Query()
    return max(opened.seeds, key=lambda each: ready[each, 0].total or 0)


def find_sizes(opened: OpenedDoor, query: Query) -> tuple[float, list[Listing]]:
    """Return how many pages there are to read as they come, and the ways to make them larger."""
    source, usual = opened.source, opened.source.ready[query, 0]
    shown = opened.sample.page if opened.sample else None
    pages, sizes = count_pages(usual, usual.total), list[Listing]()
    if shown is not None and opened.sample is not None:
        sizes = find_page_sizes(shown, opened.sample.response.url, len(usual.records), source.door)
    if not usual.more and len(sizes) > 1 and usual.total is None:  # larger pages are offered, and no next one
        pages = count_pages(replace(usual, more=True), None)
    if query != Query() and usual.more:  # one of many queries
        pages *= MANY_QUERIES
    if not sizes and source.door.form.method == "GET":
        sizes = [guess_page_size()]
    return pages, sizes


async def _read_twice(opened: OpenedDoor, trials: _Trials) -> tuple[OpenedDoor, bool]:
    """Ask one page again, after other queries, a larger one where that may save requests: what differs is no part of a record's identity.

    Hidden values are left out or changed in it; return as well whether the same records came without them.
    """
    source, query = opened.source, main_query(opened)
    first = source.ready[query, 0]
    hidden = [each for each in _list_presets(opened, query) if each.hidden]
    beside = {each.name: other_value(each) if each.is_route else "" for each in hidden}
    larger, again = await _ask_once_more(opened, trials, query, beside)
    parts = compare_readings(first, again) if again else None
    is_harmless = parts is not None and again is not None and is_same(*(_clean(each, parts) for each in (first, again)))
    if parts is None or parts.doubt or (hidden and not is_harmless):  # once more as it was asked first
        is_harmless = False
        if hidden:
            larger, again = await _ask_once_more(opened, trials, query, {})
        else:
            again = await _ask_again(opened, trials, query, {})
        parts = compare_readings(first, again) if again else None
    if parts is None:
        return opened, False
    source.reader.unstable = compare_queries(parts, list(source.ready.values()))
    for place, answer in source.ready.items():
        source.ready[place] = source.reader.clean(answer)
    opened.learned["unstable"] = source.reader.unstable.to_dict()
    if larger is None or parts.doubt:
        return opened, is_harmless
    return replace(opened, larger=(larger[0], source.reader.clean(larger[1]))), is_harmless


def _clean(answer: Answer, parts: UnstableParts) -> Answer:
    return replace(answer, records=tuple(map(parts.clean_record, answer.records)))


def _list_presets(opened: OpenedDoor, query: Query) -> list[Preset]:
    """Return the controls that a query leaves as the form comes with them."""
    filled = opened.source.field_map.fill(query)
    asked = filled if isinstance(filled, dict) else {}
    door = opened.source.door
    return [] if door.form.template else [each for each in find_presets(door) if each.name not in asked]


async def _ask_once_more(
    opened: OpenedDoor, trials: _Trials, query: Query, beside: dict[str, str]
) -> tuple[tuple[Listing, Answer] | None, Answer | None]:
    """Ask a page again, a larger one where that may save requests; return the larger page, and as much of it as was shown before."""
    first = opened.source.ready[query, 0]
    larger = await _ask_larger(opened, trials, query, beside)
    if larger is None:
        return None, await _ask_again(opened, trials, query, beside)
    return larger, replace(larger[1], records=larger[1].records[: len(first.records)], more=first.more)


async def _ask_larger(
    opened: OpenedDoor, trials: _Trials, query: Query, beside: dict[str, str]
) -> tuple[Listing, Answer] | None:
    """Ask for a larger page in the way that is likeliest to save requests; None where none is worth it."""
    pages, sizes = find_sizes(opened, query)
    shown = len(opened.source.ready[query, 0].records)
    worth = rank_ways((each for each in sizes if each.parameters), pages, shown)
    if pages < MIN_PAGES_TO_SHORTEN or not worth:
        return None
    opened.source.listing = worth[0]
    answer = await _ask_again(opened, trials, query, beside)
    opened.source.listing = None
    return (worth[0], answer) if answer and answer.records else None


async def _widen(opened: OpenedDoor, trials: _Trials, *, is_harmless: bool) -> OpenedDoor:
    """Try what the form comes with emptied and changed: where that brings more it is asked so, else it bounds what is proven."""
    source, query = opened.source, opened.seeds[0] if Query() not in opened.seeds else Query()
    presets = _list_presets(opened, query)
    look = _PresetLook(opened, trials, query, source.ready[query, 0])
    visible = await look.leave_harmless([each for each in presets if not each.hidden])
    await look.try_emptied([each for each in visible if each.value and not each.is_display])
    await look.try_opposites(visible)
    await look.try_others(visible)
    await look.try_hidden([each for each in presets if each.hidden], is_left_out=is_harmless)
    await look.try_address()
    if look.bounds:
        opened.learned["bounded"] = " and ".join(look.bounds)
        opened.learned["unreachable"] = look.is_unreachable
    if look.witnesses:
        opened.learned["witnesses"] = look.witnesses
    if not look.values:
        return opened
    opened.learned["emptied"] = look.values
    source.field_map = replace(source.field_map, fixed={**source.field_map.fixed, **look.values})
    if not look.is_wider:
        source.ready[query, 0] = look.base
        return opened
    source.ready.clear()  # other answers came with what is emptied now
    source.ready[query, 0] = look.base
    return replace(opened, seeds=(query,), larger=None)


@dataclass(slots=True)
class _PresetLook:
    """What is known of the values that a form comes with."""

    opened: OpenedDoor
    trials: _Trials
    query: Query
    base: Answer  # to the form as it is going to be asked
    values: dict[str, str] = field(default_factory=dict)  # that are sent in place of what it comes with
    is_wider: bool = False  # they bring more
    bounds: list[str] = field(default_factory=list)  # what keeps records back, in words
    is_unreachable: bool = False  # no query of the form reaches what a bound keeps back
    witnesses: dict[str, list[str]] = field(
        default_factory=dict
    )  # in words -> keys of records that have to be harvested

    async def ask(self, values: dict[str, str]) -> Answer | None:
        """Ask the query once more, with other values beside it."""
        return await _ask_again(self.opened, self.trials, self.query, {**self.values, **values})

    def take(self, answer: Answer, values: dict[str, str], wider: Widening) -> None:
        """Ask with these values from now on; what came without them has to be harvested as well."""
        said = " and ".join(f"{name} {text or 'empty'}" for name, text in values.items())
        self.witnesses[said] = self._list_keys(self.base)
        self.base, self.values = answer, {**self.values, **values}
        self.is_wider = self.is_wider or wider is not Widening.SAME

    @staticmethod
    def _list_keys(answer: Answer) -> list[str]:
        return [key_of(record).hex() for record in answer.records]

    async def leave_harmless(self, presets: list[Preset]) -> list[Preset]:
        """Return the controls without those that have other choices, none of them any, and bring the same whatever is chosen."""
        doubtful = [each for each in presets if each.value and each.others and each.neutral is None]
        other = await self.ask({each.name: each.others[0] for each in doubtful}) if doubtful else None
        return [each for each in presets if each not in doubtful] if other and is_same(self.base, other) else presets

    async def try_emptied(self, presets: list[Preset]) -> None:
        """Ask without what is chosen; what brings fewer records so is asked for otherwise."""
        tried = await self.ask(emptied(presets)) if presets else None
        if tried is None:
            return
        wider = compare_answers(self.base, tried)
        free = [each for each in presets if each.neutral is not None]
        if wider is Widening.LESS and 0 < len(free) < len(presets):  # the others may not be empty
            await self.try_emptied(free)
            return
        is_larger = len(tried.records) >= MIN_GROWTH * len(self.base.records)
        if wider in (Widening.MORE, Widening.UNKNOWN) or (wider is Widening.SAME and is_larger):
            self.take(tried, emptied(presets), wider)
        elif wider is Widening.SAME:  # the choice that means any brings no more than what was chosen
            self.values |= emptied(free)

    async def try_opposites(self, presets: list[Preset]) -> None:
        """Send the opposite of a ticked box that may not be left out: where that shows others, it bounds the claim."""
        for preset in [each for each in presets if each.opposite and each.name not in self.values]:
            other = await self.ask({preset.name: preset.opposite})
            if other is not None and other.records and shows_others(self.base, other):
                self.bounds.append(preset.words)

    async def try_others(self, presets: list[Preset]) -> None:
        """Choose otherwise where nothing that means any was: what comes then has to be harvested in the end, or bounds the claim."""
        doubtful = [each for each in presets if each.neutral is None or each.name not in self.values]
        self.bounds += [each.words for each in doubtful if each.typed and each.name not in self.values]
        able = [each for each in doubtful if each.others]
        trials = [(preset, place) for place in (0, -1) for preset in able]
        self.bounds += [each.words for each in able[MAX_CHANGED_PRESETS:] if each.value and not each.is_display]
        for preset, place in trials[:MAX_CHANGED_PRESETS]:
            if preset.words in self.bounds or preset.words in self.witnesses:
                continue
            other = await self.ask({preset.name: preset.others[place]})
            if other is None and preset.value:  # no request is left: nobody knows
                self.bounds.append(preset.words)
            elif other is not None and (preset.is_display or not preset.value):
                self._compare_box(preset, other)
            elif other is not None and preset.name not in self.values and shows_others(self.base, other):
                self.bounds.append(preset.words)
            elif other is not None and other.records and not is_same(self.base, other):
                self.witnesses[preset.words] = self._list_keys(other)

    def _compare_box(self, preset: Preset, other: Answer) -> None:
        """Compare what comes with a box ticked, or written in another way: more records, by their counts, are asked for so."""
        known = None not in (self.base.total, other.total) and self.base.exact and other.exact
        if known and compare_answers(self.base, other) is Widening.MORE:
            self.take(other, {preset.name: preset.others[0]}, Widening.MORE)

    async def try_hidden(self, presets: list[Preset], *, is_left_out: bool) -> None:
        """Leave hidden values out and send others in their place: they are harmless where the same records come both times."""
        filters, routes = ([each for each in presets if each.is_route is kind] for kind in (False, True))
        wider = Widening.SAME
        if filters and not is_left_out:
            tried = await self.ask(emptied(filters))
            wider = compare_answers(self.base, tried) if tried else Widening.LESS
            if tried is not None and wider in (Widening.MORE, Widening.UNKNOWN):
                self.take(tried, emptied(filters), wider)
        if filters and wider in (Widening.SAME, Widening.UNKNOWN):  # nothing may be taken for the same as what is sent
            other = await self.ask({each.name: other_value(each) for each in filters})
            wider = Widening.SAME if other is not None and is_same(self.base, other) else Widening.LESS
        if wider is Widening.LESS:
            self.bounds += [each.words for each in filters]
            self.is_unreachable = True
            return
        if routes and not is_left_out:
            await self._try_routes(routes)

    async def _try_routes(self, routes: list[Preset]) -> None:
        """Leave out hidden values that say what page is meant; where nothing changes, send others in their place."""
        tried = await self.ask(emptied(routes))
        if tried is None:
            return
        if is_same(self.base, tried):  # nothing may be taken for the same as what is sent
            await self._change_routes([each for each in routes if may_choose(each)])
            return
        wider = compare_answers(self.base, tried)
        if wider in (Widening.MORE, Widening.UNKNOWN):
            self.take(tried, emptied(routes), wider)
        elif tried.records or tried.total == 0:  # an answer with fewer records, not another page
            self.bounds += [each.words for each in routes]
            self.is_unreachable = True

    async def _change_routes(self, routes: list[Preset]) -> None:
        """Send made-up values in place of hidden ones that say what page is meant: an answer without records, not another page, bounds the claim."""
        for each in routes[:MAX_CHANGED_PRESETS]:
            other = await self.ask({each.name: other_value(each)})
            if other is not None and restricts(self.base, other):
                self.bounds.append(each.words)
                self.is_unreachable = True

    async def try_address(self) -> None:
        """Leave out what the address has that a POST goes to: where other records come, it keeps some back."""
        source, form = self.opened.source, self.opened.source.door.form
        address, _, query = form.action.partition("?")
        pairs = parse_qsl(query)[:MAX_OWN_PARAMETERS] if form.method == "POST" and query.count("&") < MAX_OWN_PARAMETERS else []  # fmt: skip
        if not pairs or form.template:
            return
        door = source.door
        source.door = replace(door, form=replace(form, action=address))
        tried = await self.ask({})
        source.door = door
        if tried is None or (tried.records and not is_same(self.base, tried)):
            self.bounds.append(f"{' '.join(pairs[0])} in the address of the form")
            self.is_unreachable = True


async def _sort_otherwise(opened: OpenedDoor, trials: _Trials) -> None:
    """Ask for everything in another order: what comes first then has to be there in the end.

    Where everything is counted, and words can be asked, these are the second look.
    """
    source = opened.source
    if Query() not in opened.seeds or not source.ready[Query(), 0].more:
        return
    if _is_counted(opened) and source.field_map.interface.keyword:
        return
    orders = source.field_map.orders
    if not orders:
        return
    answer = await _ask_again(opened, trials, Query(), {source.field_map.sorting: [*orders.values()][-1]})
    if answer is not None and not answer.trouble:
        opened.learned["sorted"] = [key_of(record).hex() for record in answer.records]


def _find_own_page_box(opened: OpenedDoor) -> str | None:
    """Return the box that leads to the own page of a record: the list links each to the answer to a query for its name."""
    source, page = opened.source, opened.sample.page if opened.sample else None
    everything = source.ready.get((Query(), 0))
    if page is None or everything is None or len(everything.records) < MIN_LISTED:
        return None
    action = urlsplit(source.door.form.action)
    names = {record.values[0].text for record in everything.records if record.values}
    for box, control in source.field_map.boxes.items():
        linked = {
            link.text
            for link in page.links
            if (there := urlsplit(link.url))[:3] == action[:3]
            and there.query.count("&") < MAX_OWN_PARAMETERS
            and (control, link.text) in parse_qsl(there.query)
        }
        if len(linked & names) >= MIN_OWN_SHARE * len(names):
            return box
    return None


def _is_counted(opened: OpenedDoor) -> bool:
    """Return True if a query for everything states how many there are, and shows them without a limit."""
    everything = opened.source.ready.get((Query(), 0))
    return everything is not None and everything.exact and everything.total is not None and not everything.limit


async def _try_boxes(opened: OpenedDoor, trials: _Trials) -> OpenedDoor:
    """Type values of records into boxes of which it is unknown what they ask for; the answers show it."""
    source, attributes = opened.source, opened.attributes
    seen = [record for answer in source.ready.values() for record in answer.records]
    hits = list(opened.seeds)
    asks_words, is_listed = attributes.interface.keyword, _is_counted(opened)
    most = MAX_BOX_TRIALS_BESIDE_LISTS if asks_words or is_listed else MAX_BOX_TRIALS
    for query in islice(attributes.trials(seen), 0 if asks_words and is_listed else most):
        is_left_out = trials.is_spent or trials.is_ineffective(query)
        tried = None if is_left_out else await trials.try_query(query)
        answer = await offload(tried.fetched.large, source.reader.read, tried.fetched, query, 0) if tried else None
        if tried is None or answer is None or not answer.records:
            continue
        tried.set_records(answer.records)
        attributes.learn(query, answer.records)
        source.ready[query, 0] = replace(answer, requests=0)
        hits.append(query)
    source.own_page_box = _find_own_page_box(opened)
    first = source.ready[hits[0], 0]
    source.ready[hits[0], 0] = replace(first, requests=trials.cost)  # all of it was paid to come so far

    # Beside the answers with records: what came for a query for nothing, and queries that found nothing.
    others: list[Sequence[Record]] = [() for each in trials.tried if not each.records]
    empty, reader = trials.empty_page, source.reader
    if empty is not None and empty.tree is not None:
        others.append(await offload(trials.large, reader.extract, empty))
    elif empty is not None:
        others.append((await offload(trials.large, reader.read, empty, Query(), 0)).records)
    found = check_trials({query: source.ready[query, 0] for query in hits}, others)
    interface = attributes.interface
    learned = opened.learned | {
        "wrapper": reader.to_dict(), "asks": attributes.asks, "worded": sorted(attributes.worded),
        "page_size": interface.page_size, "limit": interface.limit, "blank": interface.blank,
        "own pages": source.own_page_box,
    }  # fmt: skip
    if found:
        learned["doubt"] = [found.kind, found.case, found.count]
    return replace(opened, seeds=tuple(hits), learned=learned)
