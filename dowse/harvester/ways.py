"""Tries the ways to list everything that a site offers, a request each, and takes the one that needs the fewest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from math import inf
from urllib.parse import urlsplit

from dowse.fetch import Fetch
from dowse.form.questions import all_stop_words, find_common, find_words
from dowse.harvester.door import WILDCARD
from dowse.harvester.listing import (
    MAX_LISTING_TRIALS,
    MAX_VIEWS,
    MIN_CONTAINED_SHARE,
    MIN_PAGES_TO_SHORTEN,
    Listing,
    ListView,
    find_api_lists,
    find_exports,
    find_lists,
    find_naming,
    find_views,
    judge_listing,
    rank_ways,
)
from dowse.harvester.loop import key_of
from dowse.harvester.reader import Reader
from dowse.harvester.trials import MIN_WORD_LETTERS, OpenedDoor, find_sizes, is_wildcard, main_query
from dowse.model import Answer, Door, Failure, Form, Judgement, Page, Query, Record, Request, Value, Verdict
from dowse.records.service import set_parameter
from dowse.step.ask import FetchedPage, ask
from dowse.step.visit import offload

MAX_SOURCE_BYTES = 300_000  # of a page in which links to other formats are looked for
MIN_SERVICE_RECORDS = 2  # of an answer for programs that is a list
# of a page without a form that is a list: the usual least size of a page of results; boxes of news and links have fewer
MIN_PAGE_RECORDS = 10
LIKELIHOOD_AFTER_FAILURE = 0.1  # of a way when one of its kind failed: an export that is cut is cut in every format
MAX_COMMON_WORDS = 2  # that nearly all known records show, and that are asked where nothing lists everything
MIN_KNOWN_RECORDS = 10  # to tell what nearly all of them show
ENOUGH_PAGES = 2  # a way that needs so few requests is taken as it is


@dataclass(slots=True)
class _Ways:
    """The ways that were tried so far, and the best of them."""

    opened: OpenedDoor
    left: int  # requests that may be made
    query: Query  # that is answered with everything, or with much
    usual: Answer
    best: Listing | None = None
    pages: float = inf  # that the best way needs
    answer: Answer | None = None  # its first page
    reader: Reader | None = None  # that read it, where its pages have a layout of their own
    cost: int = 0

    @property
    def is_over(self) -> bool:
        """Return True if no further way is worth a request."""
        return self.left <= self.cost or self.pages <= ENOUGH_PAGES

    async def try_all(self, listings: Iterable[Listing]) -> None:
        """Try ways in their order until one needs few requests."""
        for listing in listings:
            if self.is_over:
                return
            await self.try_one(listing)

    async def try_worthy(self, listings: Iterable[Listing]) -> None:
        """Try the way that is likely to save the most, then the one that saves the most of what is left, while one does."""
        waiting = list(listings)
        while self.left > self.cost:
            shown = len((self.answer or self.usual).records)
            waiting = rank_ways(waiting, self.pages, shown)
            if not waiting:
                return
            tried = waiting.pop(0)
            await self.try_one(tried)
            if self.best is not tried:  # what is like it is likely to fail as well
                waiting = [replace(each, likelihood=each.likelihood * LIKELIHOOD_AFTER_FAILURE) if each.likelihood == tried.likelihood else each for each in waiting]  # fmt: skip

    async def try_one(self, listing: Listing) -> None:
        """Ask for the first page of a way; remember it where it needs fewer requests than those before."""
        source = self.opened.source
        before, read_by = source.listing, source.list_reader
        samples = tuple(source.reader.samples)
        source.listing, source.list_reader = _join(before, listing), Reader()
        query = Query() if listing.url else self.query
        fetched = await (ask(Request(listing.setup), source.fetch) if listing.setup else source.send(query, 0))
        reader = source.reader_of(query)
        self.cost += (
            fetched.requests if not isinstance(fetched, Verdict | Failure) else int(isinstance(fetched, Failure))
        )
        answer = None
        if not isinstance(fetched, Verdict | Failure):
            answer = await offload(fetched.large, reader.read, fetched, query, 0)
        source.listing, source.list_reader = before, read_by
        source.reader.samples.clear()
        source.reader.samples.extend(samples)  # what is only compared teaches nothing
        if answer is not None:
            self.compare(listing, answer, reader)

    def compare(self, listing: Listing, answer: Answer, reader: Reader | None) -> None:
        """Remember a way by its first page where it needs fewer requests than those before."""
        pages = judge_listing(self.usual, answer, listing)
        if pages < self.pages:
            self.best, self.pages, self.answer, self.reader = listing, pages, answer, reader


async def find_list(address: str, fetch: Fetch) -> Door | None:
    """Return an address as a door where what it shows is a list itself: there is nothing to ask, and all of it to read."""
    fetched = await ask(Request(address), fetch)
    if isinstance(fetched, Failure) or fetched.is_error:
        return None
    answer = await offload(fetched.large, Reader().read, fetched, Query(), 0)
    is_page = fetched.page is not None
    if len(answer.records) < (MIN_PAGE_RECORDS if is_page else MIN_SERVICE_RECORDS):
        return None
    form = Form(0, "GET", address, made="list" if is_page else "service", template=address)
    why = "a page that lists records" if is_page else "a list in JSON or XML"
    return Door(form, Judgement("database", 1.0, (why,)), signature=address, page=address)


async def look_at_views(opened: OpenedDoor, page: Page | None, budget: int = 0) -> OpenedDoor:
    """Read what links beside the form show with a choice that it does not send: where it is more, it is harvested as well.

    They are read without the cookies of the session: a site may keep the choice in one. One that counts more than the form and
    shows what it shows is the list of everything from then on.
    """
    source = opened.source
    spent = sum(answer.requests for answer in source.ready.values())
    is_listed = Query() in opened.seeds or bool(opened.attributes.interface.choices)
    is_over = bool(budget) and spent + MAX_VIEWS >= budget
    if source.door.form.template or opened.learned.get("bounded") or not is_listed or is_over:
        return opened
    shown = opened.sample.page if opened.sample else None
    known = [record for answer in source.ready.values() for record in answer.records]
    cost, whole = 0, None
    views = find_views([each for each in (page, shown) if each is not None], source.door, known)
    for place, view in enumerate(views[:MAX_VIEWS]):
        fetched = await ask(view.request, source.fetch)
        cost += int(fetched.asked) if isinstance(fetched, Failure) else fetched.requests
        answer = None if isinstance(fetched, Failure) else await _read_view(fetched, source.reader)
        if answer is None or not answer.records:
            views[place] = replace(view, is_alike=False)
            continue
        keys = tuple(key_of(record).hex() for record in answer.records) if _has_same_keys(answer.records, known) else ()
        total = answer.total if answer.exact and answer.total else 0
        is_alike = bool(keys) and _has_same_shapes(answer.records, known)
        views[place] = replace(view, keys=keys, total=total, is_alike=is_alike)
        if whole is None and views[place].is_alike and _lists_more(source.ready.get((Query(), 0)), answer, view):
            whole = view, answer
    opened.learned["views"] = [asdict(view) for view in views]
    source.views = {view.query: view for view in views}
    first = source.ready[opened.seeds[0], 0]
    source.ready[opened.seeds[0], 0] = replace(first, requests=first.requests + cost)
    return opened if whole is None else _take_view(opened, *whole)


def _lists_more(usual: Answer | None, seen: Answer, view: ListView) -> bool:
    """Return True if a view counts more than the form lists, and is called all or begins with what the form shows."""
    if usual is None or usual.total is None or seen.total is None or not (usual.exact and seen.exact):
        return False
    shown = {key_of(record) for record in seen.records}
    contained = sum(key_of(record) in shown for record in usual.records)
    return seen.total > usual.total and (view.is_free or contained >= MIN_CONTAINED_SHARE * len(usual.records))


def _take_view(opened: OpenedDoor, view: ListView, answer: Answer) -> OpenedDoor:
    """Return the door with a view as its list of everything; what the form lists itself has to be among that."""
    source = opened.source
    usual = source.ready[Query(), 0]
    source.ready[Query(), 0] = replace(answer, query=Query(), page=0, requests=usual.requests)
    source.listing = Listing(f"the link {view.name!r} shows more than the form", view.url)
    opened.learned["listing"] = source.listing.to_dict()
    return replace(opened, larger=None)


async def _read_view(fetched: FetchedPage, reader: Reader) -> Answer | None:
    """Return what a view shows where its records are written as those of answers are; it teaches the reader nothing."""
    wrapper, samples = reader.wrapper, tuple(reader.samples)
    answer = await offload(fetched.large, reader.read, fetched, Query(), 0)
    is_alike = reader.wrapper is wrapper and fetched.page is not None
    reader.wrapper = wrapper
    reader.samples.clear()
    reader.samples.extend(samples)
    return answer if is_alike else None


def _has_same_keys(records: Sequence[Record], known: Sequence[Record]) -> bool:
    """Return False if a record has the values of a known one and another key, or more parameters in its address: a view may stand there."""
    usual, own = (
        {part.partition("=")[0] for each in group for part in urlsplit(each.url).query.split("&")}
        for group in (known, records)
    )
    if own - usual - {""}:
        return False
    keys: dict[tuple[Value, ...], set[bytes]] = {}
    for record in known:
        keys.setdefault(record.values, set()).add(key_of(record))
    return all(record.values not in keys or key_of(record) in keys[record.values] for record in records)


def _has_same_shapes(records: Sequence[Record], known: Sequence[Record]) -> bool:
    """Return True if nearly all records have addresses like those of known ones: a list of authors is none of books."""
    shapes = {_shape_of(record.url) for record in known}
    return sum(_shape_of(record.url) in shapes for record in records) >= MIN_CONTAINED_SHARE * len(records)


def _shape_of(url: str) -> tuple[str, str, int]:
    """Return the host of an address, its first folder, and how many there are."""
    parts = urlsplit(url)
    folders = parts.path.strip("/").split("/")
    return parts.netloc, folders[0] if len(folders) > 1 else "", len(folders)


async def choose_listing(opened: OpenedDoor, page: Page | None, doors: Sequence[Door], budget: int = 0) -> OpenedDoor:
    """Return a door whose list of everything is read in the way that needs the fewest requests, where one was found."""
    source = opened.source
    spent = sum(answer.requests for answer in source.ready.values())
    left = min(MAX_LISTING_TRIALS, budget - spent) if budget else MAX_LISTING_TRIALS
    sample = opened.sample
    if sample is None or left <= 0:
        return opened
    if Query() not in opened.seeds:  # one trial is left for larger pages
        opened, left = await _find_everything(opened, page, left - 1)
        opened, left = (opened, left) if Query() in opened.seeds else await _ask_common_word(opened, left)
        left += 1
    query = main_query(opened)
    usual = source.ready[query, 0]
    pages, sizes = find_sizes(opened, query)
    if pages < MIN_PAGES_TO_SHORTEN or not usual.records:
        return opened
    ways = _Ways(opened, left, query, usual, pages=pages)
    offered = sizes
    if opened.larger is not None:  # tried already, to see whether the same records come again
        ways.compare(*opened.larger, None)
        offered = [each for each in sizes if each != opened.larger[0]]
    shown = sample.page
    if shown and query == Query() and (source.listing is None or not source.listing.url):
        text = sample.response.body[:MAX_SOURCE_BYTES].decode(shown.encoding or "utf-8", "replace")
        around = [(shown, text), *([(page, "")] if page else [])]
        offered = [*offered, *find_exports(around, doors), *find_api_lists(shown, source.door, usual.records)]
    await ways.try_worthy(offered)
    return _take(ways)


def _take(ways: _Ways) -> OpenedDoor:
    """Return the door with the best way as that to everything; what was tried is paid with its first answer."""
    opened, source = ways.opened, ways.opened.source
    first = opened.seeds[0]
    if ways.best is None or ways.answer is None:
        paid = source.ready[first, 0]
        source.ready[first, 0] = replace(paid, requests=paid.requests + ways.cost)
        return opened
    paid_before = source.ready[first, 0].requests
    source.ready[first, 0] = replace(source.ready[first, 0], requests=0)
    query = Query() if ways.best.url else ways.query
    answer = replace(ways.answer, query=query, requests=paid_before + ways.cost)
    if answer.total is None and query == ways.query and ways.usual.exact:  # an export states no count; the form did
        answer = replace(answer, total=ways.usual.total, exact=ways.usual.total is not None)
    is_file = ways.best.url and not answer.more and answer.total == len(answer.records)
    is_own_count = (is_file or ways.best.own_values) and not (ways.usual.exact and ways.usual.total == answer.total)
    if is_own_count:  # what counts itself says nothing of what it leaves out
        answer = replace(answer, total=None, exact=False)
    source.ready[query, 0] = answer
    named_by = find_naming(ways.usual.records, answer.records) if ways.best.own_values else ""
    is_counted_apart = bool(is_own_count and ways.best.own_values)
    source.listing = _join(source.listing, replace(ways.best, named_by=named_by, own_count=is_counted_apart))
    if ways.reader is not None and ways.best.own_layout:
        source.list_reader = ways.reader
    size = max(opened.attributes.interface.page_size, len(ways.answer.records) if ways.answer.more else 0)
    interface = replace(
        opened.attributes.interface, page_size=size, blank=opened.attributes.interface.blank or query == Query()
    )
    source.field_map = replace(source.field_map, interface=interface)
    opened.attributes.interface = interface
    opened.learned["page_size"], opened.learned["blank"] = size, interface.blank
    opened.learned["listing"] = source.listing.to_dict()
    seeds = tuple(dict.fromkeys([query, *opened.seeds]))
    return replace(opened, seeds=seeds)


def _join(before: Listing | None, chosen: Listing) -> Listing:
    """Return a way with the address of the one before it, where the later one only makes its pages larger."""
    if before is None or chosen.url:
        return chosen
    url = _with_parameters(before.url, chosen.parameters) if before.url else ""
    return replace(chosen, url=url, reason=f"{before.reason}; {chosen.reason}", own_layout=before.own_layout)


def _with_parameters(url: str, parameters: Sequence[tuple[str, str]]) -> str:
    request = Request(url)
    for name, value in parameters:
        request = set_parameter(request, name, value)
    return request.url


async def _find_everything(opened: OpenedDoor, page: Page | None, left: int) -> tuple[OpenedDoor, int]:
    """Look for a list of everything where the form gives none for an empty query: a wildcard, or a page beside the search."""
    source = opened.source
    answers = {seed: source.ready[seed, 0] for seed in opened.seeds}
    sizes = {seed: answer.total or len(answer.records) for seed, answer in answers.items()}
    any_word = next((seed for seed in answers if is_wildcard(seed)), None)
    request = source.form_request(any_word) if any_word else None
    if any_word and isinstance(request, Request) and request.method == "GET" and sizes[any_word] == max(sizes.values()):
        reason = f"a query for {WILDCARD} lists everything"
        ways = _Ways(opened, left, Query(), answers[any_word], Listing(reason, request.url), answer=answers[any_word])
        others = (seed for seed in opened.seeds if seed not in (any_word, Query()))
        return replace(_take(ways), seeds=(Query(), *others)), left
    opened, left = await _ask_widest_range(opened, left, max(sizes.values()))
    if Query() in opened.seeds:
        return opened, left
    known = {key_of(record): record for answer in answers.values() for record in answer.records}
    ways = _Ways(opened, left, Query(), Answer(Query(), records=tuple(known.values())))
    if page is not None:
        await ways.try_all(find_lists(page, ways.usual.records))
    return _take(ways), left - ways.cost


async def _ask_widest_range(opened: OpenedDoor, left: int, most: int) -> tuple[OpenedDoor, int]:
    """Ask for the range that holds whatever records have, where it may list more than any other query did."""
    source = opened.source
    widest = source.field_map.widest
    query = Query(ranges=(widest,)) if widest else Query()
    request = source.form_request(query)
    if widest is None or left <= 0 or not isinstance(request, Request) or request.method != "GET":
        return opened, left
    answer, cost = source.ready.get((query, 0)), 0
    if answer is None:
        fetched = await source.send(query, 0)
        cost = fetched.requests if isinstance(fetched, FetchedPage) else int(isinstance(fetched, Failure))
        if isinstance(fetched, FetchedPage):
            answer = await offload(fetched.large, source.reader.read, fetched, query, 0)
    ways = _Ways(opened, left, Query(), Answer(Query()), cost=cost)
    if answer is not None and answer.records and (answer.total or len(answer.records)) >= most:
        name = widest.attribute
        listing = Listing(f"any {name!r} lists all that have one", request.url, only=f"a value for {name!r}")
        ways.best, ways.answer = listing, replace(answer, total=None, exact=False)
    opened = _take(ways)
    if ways.best is None or query not in opened.seeds:
        return opened, left - cost
    # it was a trial: what it cost is paid with the list that it is now
    everything, trial = source.ready[Query(), 0], source.ready.pop((query, 0))
    source.ready[Query(), 0] = replace(everything, requests=everything.requests + trial.requests)
    return replace(opened, seeds=tuple(seed for seed in opened.seeds if seed != query)), left - cost


async def _ask_common_word(opened: OpenedDoor, left: int) -> tuple[OpenedDoor, int]:
    """Ask for words that nearly all known records show, where nothing lists everything: one may bring more than all before."""
    source = opened.source
    if "" not in source.field_map.boxes:
        return opened, left
    answers = [source.ready[seed, 0] for seed in opened.seeds]
    known = {key_of(record): record for answer in answers for record in answer.records}
    texts = [" ".join(value.text for value in record.values) for record in known.values()]
    asked = {word for seed in opened.seeds for value in seed.values for word in find_words(value.text)}
    words = [each for each in find_common(texts, {*asked, *all_stop_words()}) if len(each) >= MIN_WORD_LETTERS]
    shared = [
        word
        for word in words[: 2 * MAX_COMMON_WORDS]
        if sum(word.lower() in text.lower() for text in texts) >= MIN_CONTAINED_SHARE * len(texts)
    ]
    most, seeds, cost = max(answer.total or len(answer.records) for answer in answers), list(opened.seeds), 0
    for word in shared[: min(MAX_COMMON_WORDS, left)] if len(texts) >= MIN_KNOWN_RECORDS else []:
        query = Query((Value("", word),))
        fetched = await source.send(query, 0)
        cost += fetched.requests if isinstance(fetched, FetchedPage) else int(isinstance(fetched, Failure))
        if not isinstance(fetched, FetchedPage):
            continue
        answer = await offload(fetched.large, source.reader.read, fetched, query, 0)
        if (answer.total or len(answer.records)) > most:
            source.ready[query, 0], most = replace(answer, requests=0), answer.total or len(answer.records)
            seeds.insert(0, query)
    # what was paid so far stands with the answer that is read first
    paid = source.ready[opened.seeds[0], 0].requests + cost
    source.ready[opened.seeds[0], 0] = replace(source.ready[opened.seeds[0], 0], requests=0)
    source.ready[seeds[0], 0] = replace(source.ready[seeds[0], 0], requests=paid)
    return replace(opened, seeds=tuple(seeds)), left - cost
