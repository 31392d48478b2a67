"""From a response to an answer: records by a wrapper that is learned, checked each time, and learned again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from dowse.model import Answer, Page, Query, Record, Value, Verdict
from dowse.records.counts import best_count, judge_empty
from dowse.records.paging import find_next
from dowse.records.service import read_service
from dowse.records.trouble import judge_redirect, judge_trouble
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
from dowse.step.ask import Heard

KEPT = 4  # pages that a new wrapper is made from
FEW = 3  # records of an answer that are easily taken for what they are made of
MOST_RECORDS = 10**9  # that a source may say it has
MAX_SOURCE = 500_000  # bytes of a page in which scripts are looked for that load more


@dataclass(slots=True)
class Reader:
    """Reads the answers of one door."""

    wrapper: Wrapper | None = None
    samples: deque[AnswerSample] = field(default_factory=lambda: deque(maxlen=KEPT))
    why_not: str = ""  # why no wrapper could be made

    def read(self, heard: Heard, query: Query, number: int) -> Answer:
        """Return the answer in what came back for the page of a query."""
        led_away = judge_redirect(heard.request, heard.response, heard.page)
        if led_away:
            return Answer(query, number, requests=heard.requests, trouble=led_away)
        if heard.page is None or heard.tree is None:
            return _read_service(heard, query, number)
        lone = self._read_lone(heard)
        if lone is not None:
            return Answer(query, number, _readable((lone,)), total=1, requests=heard.requests)
        extract = self._extract(heard, query)
        lines, records = extract.lines, _readable(extract.records)
        trouble = judge_trouble(heard.response.status, heard.page, lines, len(records))
        if trouble:
            return Answer(query, number, requests=heard.requests, trouble=trouble)
        count = best_count(lines, len(records))
        if count and count.exact and 0 < count.number <= FEW and count.number < len(records):
            records = ()  # cells of so few records that the page shows them one below the other
        if count and count.number > MOST_RECORDS:
            count = None
        found = (
            find_next(_without_records(heard.page, records), heard.request, len(records), number, _text_of(heard))
            if records
            else None
        )
        following = found.request if found else None
        return Answer(
            query, number, records,
            total=count.number if count else (0 if not records else None),
            exact=count.exact if count else not records,
            limit=count.limit if count else 0,
            more=following is not None, next=following, requests=heard.requests,
        )  # fmt: skip

    def _read_lone(self, heard: Heard) -> Record | None:
        """Return the only record of an answer that is shown as that record's own page, once it is known how these are written."""
        if self.wrapper is None or heard.page is None or heard.tree is None or heard.response.status >= 400:
            return None
        address = find_own_page_address(heard.response, heard.page)
        count = best_count(find_outside_lines(heard.tree, ())) if address else None
        if not address or (count and count.number > 1):
            return None
        usual = {line for sample in self.samples for line in find_outside_lines(sample.tree, ())}
        return read_own_page(self.wrapper, heard.tree, address, usual)

    def _extract(self, heard: Heard, query: Query) -> Extraction:
        """Apply the wrapper; where it does not fit, the last pages make another."""
        assert heard.tree is not None
        if self.wrapper is None:
            lines = find_outside_lines(heard.tree, ())
            if judge_empty(lines).yes:  # before anything is known of records, a menu could pass for them
                self.add_frame(heard)
                return Extraction((), lines)
        self.samples.append(AnswerSample(heard.tree, heard.response.url, tuple(value.text for value in query.values)))
        if self.wrapper is not None:
            found = apply_wrapper(self.wrapper, heard.tree, heard.response.url)
            if found.fits.yes or judge_empty(find_outside_lines(heard.tree, ())).yes:
                return found if found.fits.yes else Extraction((), find_outside_lines(heard.tree, ()))
        if not self.learn():
            return Extraction((), find_outside_lines(heard.tree, ()), Verdict(False, self.why_not))
        assert self.wrapper is not None
        return apply_wrapper(self.wrapper, heard.tree, heard.response.url)

    def add_frame(self, heard: Heard) -> None:
        """Take a page that holds no records: what it shows is the frame of all answers."""
        if heard.tree is not None:
            self.samples.append(AnswerSample(heard.tree, heard.response.url, ()))

    def look(self, heard: Heard) -> tuple[Record, ...]:
        """Return the records that the wrapper finds in what came back, and learn nothing from it."""
        if heard.tree is None or self.wrapper is None:
            return ()
        found = apply_wrapper(self.wrapper, heard.tree, heard.response.url)
        return found.records if found.fits.yes else ()

    def learn_from(self, chosen: Iterable[tuple[Heard, Query]]) -> bool:
        """Make a wrapper from these pages, and keep them as the last ones."""
        self.samples.clear()
        self.samples.extend(
            AnswerSample(heard.tree, heard.response.url, tuple(value.text for value in query.values))
            for heard, query in chosen
            if heard.tree is not None
        )
        return self.learn()

    def learn(self) -> bool:
        """Make a wrapper from the pages at hand; say whether there is one now."""
        made = learn_wrapper(list(self.samples))
        if isinstance(made, Verdict):
            self.why_not = made.reason
            return False
        self.wrapper = _with_names_of(self.wrapper, made) if self.wrapper else made
        return True

    def to_dict(self) -> dict[str, Any]:
        """Return what was learned as plain data."""
        return self.wrapper.to_dict() if self.wrapper else {}


def _with_names_of(old: Wrapper, new: Wrapper) -> Wrapper:
    """Return a wrapper whose attributes are called as before, where only the letters' size differs: Title, title."""
    names = {attribute.name.lower(): attribute.name for attribute in old.attributes}
    attributes = tuple(replace(each, name=names.get(each.name.lower(), each.name)) for each in new.attributes)
    return replace(new, attributes=attributes, title=names.get(new.title.lower(), new.title))


def _readable(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """Return records as they can be written: half a letter (a lone surrogate) becomes a question mark."""
    return tuple(
        Record(
            tuple(Value(_whole(name), _whole(text)) for name, text in each.values), _whole(each.key), _whole(each.url)
        )
        for each in records
    )


def _whole(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def counted(heard: Heard) -> int:
    """Return how many records a page says there are, or 0 where it does not say it for sure."""
    count = best_count(find_outside_lines(heard.tree, ()), 0) if heard.tree is not None else None
    return count.number if count and count.exact else 0


def why_no_answer(heard: Heard) -> str:
    """Return why a page without records is no answer at all, or nothing."""
    if heard.page is None or heard.tree is None:
        return ""
    led_away = judge_redirect(heard.request, heard.response, heard.page)
    return led_away or judge_trouble(heard.response.status, heard.page, find_outside_lines(heard.tree, ()))


def _without_records(page: Page, records: tuple[Record, ...]) -> Page:
    """Return a page without the links to its records: one that is called 2 is no second page."""
    own = {record.url for record in records}
    return replace(page, links=tuple(link for link in page.links if link.url not in own))


def _text_of(heard: Heard) -> str:
    return heard.response.body[:MAX_SOURCE].decode(heard.page.encoding if heard.page else "utf-8", "replace")


def _read_service(heard: Heard, query: Query, number: int) -> Answer:
    found = read_service(heard.response, heard.request)
    if isinstance(found, Verdict):
        return Answer(query, number, requests=heard.requests, trouble=found.reason)
    total = found.total if found.total is None or found.total <= MOST_RECORDS else None
    return Answer(
        query, number, _readable(found.records), total, found.exact,
        more=found.next is not None, next=found.next, requests=heard.requests,
    )  # fmt: skip
