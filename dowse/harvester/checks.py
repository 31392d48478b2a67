"""Checks on every answer: contradictions that forbid a proof of completeness, and signs that a door no longer answers."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dowse.form.questions import find_words
from dowse.harvester.door import AttributeMap
from dowse.harvester.loop import ResultPage, key_of
from dowse.model import Answer, Query, Record, Value
from dowse.page.tree import MAX_TEXT
from dowse.reasons import QUERY_REFUSALS, ContradictionKind, HarvestNotice, StopReason, TroubleKind
from dowse.records.answers import MAX_VALUE_CHARS
from dowse.records.details import MAX_DETAIL_VALUE_CHARS
from dowse.records.pieces import MAX_PIECE_CHARS

# -- answers that contradict what was asked, their own counts, or each other

MIN_TELLING_RECORDS: Final = 3  # of a first page: so many are hardly the same by chance
MAX_QUERIES_SAME_PAGE: Final = 3  # different queries with one first page, though its records do not show what was asked
MAX_QUERIES_SAME_SHORT_PAGE: Final = 6  # the same for a page of fewer records
MAX_FIRST_PAGES: Final = 5_000  # that are remembered


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One contradiction, in words; it is void once its attribute turns out to have no effect on answers."""

    kind: str
    case: str
    attribute: str = ""
    count: int = 1


@dataclass(slots=True)
class Contradictions:
    """Compares each answer with what was asked and with those before; remembers the first case of each kind."""

    attributes: AttributeMap
    noticed: dict[str, int] = field(default_factory=dict)  # kind -> how often
    everything: int | None = None  # records, as a query for everything reported
    largest: tuple[int, str] = (0, "")  # the most that any other query reported, and which
    as_many: dict[str, dict[frozenset[int], Query]] = field(
        default_factory=dict
    )  # attribute -> first pages of such queries
    found: dict[tuple[str, str], Contradiction] = field(default_factory=dict)  # kind and attribute -> the first case
    pages: dict[frozenset[int], set[Query]] = field(default_factory=dict)  # first page -> narrow queries for it
    choices: dict[str, frozenset[str]] = field(init=False)  # attribute -> its choices, folded

    def __post_init__(self) -> None:
        """Fold the choices once."""
        self.choices = {name: frozenset(map(str.casefold, texts)) for name, texts in self.attributes.interface.choices}

    def note(self, result: ResultPage) -> list[str]:
        """Compare a page with what was asked and with earlier ones; count and return the kinds of contradiction."""
        if result.asked.failed:
            return []
        found = [*self._compare_records(result), *self._compare_counts(result)]
        for each in found:
            self.add(each)
        return [each.kind for each in found]

    def add(self, contradiction: Contradiction) -> None:
        """Remember the first case of its kind, and count it."""
        self.found.setdefault((contradiction.kind, contradiction.attribute), contradiction)
        count_reason(self.noticed, contradiction.kind)

    def why_unproven(self, harvested: int, ineffective: Iterable[str] = ()) -> str:
        """Return why nothing is proven, or nothing; attributes without effect on answers do not count."""
        left_out = frozenset(ineffective)
        cases = (each.case for each in self.found.values() if not each.attribute or each.attribute not in left_out)
        case = next(cases, "")
        if not case and self.everything is not None:
            reported = f"everything is reported to be {self.everything:,} records"
            if harvested > self.everything:
                case = f"{reported}, and {harvested:,} were harvested"
            elif self.largest[0] > self.everything:
                case = f"{reported}, and {self.largest[1]} to be {self.largest[0]:,}"
        return f"answers contradict each other: {case}" if case else ""

    def _compare_records(self, result: ResultPage) -> Iterator[Contradiction]:
        """Yield records that show something else than was asked for, and a first page that several narrow queries brought."""
        query, records = result.asked.query, result.answer.records
        for value in query.values:
            shown = [(record, self._shows(record, value)) for record in records]
            wrong = [record for record, shows in shown if shows is False]
            telling = sum(shows is not None for _, shows in shown)
            if wrong and (value.attribute in self.choices or 2 * len(wrong) > telling):
                other = ", ".join(self._texts_of(wrong[0], value.attribute))[:80]
                case = f"{query} brought a record with {value.attribute} {other}"
                yield Contradiction(ContradictionKind.WRONG_RECORDS, case, value.attribute)

        # a first page that came for other queries, too, though its records do not show why
        if result.answer.page or len(query.values) != 1 or not records or len(self.pages) >= MAX_FIRST_PAGES:
            return
        if all(self._shows(record, query.values[0]) for record in records):
            return
        same = self.pages.setdefault(frozenset(result.numbers), set())
        same.add(query)
        if len(same) >= (MAX_QUERIES_SAME_PAGE if len(records) >= MIN_TELLING_RECORDS else MAX_QUERIES_SAME_SHORT_PAGE):
            names = {value.attribute for each in same for value in each.values}
            only = next(iter(names)) if len(names) == 1 else ""
            yield Contradiction(
                ContradictionKind.SAME_RECORDS, f"the same records came for {len(same)} queries, as for {query}", only
            )

    def _compare_counts(self, result: ResultPage) -> Iterator[Contradiction]:
        """Yield counts that are not true: of a page, of a whole answer, of a part that is larger than the whole."""
        asked, answer = result.asked, result.answer
        if answer.page and answer.exact and asked.exact and answer.records and answer.total not in (None, asked.total):
            case = f"{asked.query}: {asked.total:,} on one page, {answer.total:,} on another"
            yield Contradiction(ContradictionKind.COUNT_CHANGED, case)
        total = asked.total
        if total is None or not asked.exact or not result.over:
            return
        shown = asked.records - asked.repeats
        if shown > total:
            case = f"{asked.query}: {total:,} were reported to match, {shown:,} were shown"
            yield Contradiction(ContradictionKind.MORE_THAN_COUNTED, case)
        if asked.query == Query():
            self.everything = total
            return
        yield from self._compare_with_everything(result, total)
        if total > self.largest[0]:
            self.largest = total, str(asked.query)
        if self.everything is not None and total > self.everything:
            case = f"{asked.query} is reported to be {total:,} records, everything {self.everything:,}"
            yield Contradiction(ContradictionKind.PART_OVER_WHOLE, case)

    def _compare_with_everything(self, result: ResultPage, total: int) -> Iterator[Contradiction]:
        """Yield queries that all report as many records as one for everything, and begin with others: that is a limit, no count."""
        query = result.asked.query
        if total != self.everything or len(query.values) != 1 or result.answer.page or total <= len(result.numbers):
            return
        pages = self.as_many.setdefault(query.values[0].attribute, {})
        pages.setdefault(frozenset(result.numbers), query)
        if len(pages) > 1:
            first, second = list(pages.values())[:2]
            case = f"{first} and {second} are each reported to be {total:,} records, as many as everything, and are not the same"
            yield Contradiction(ContradictionKind.SAME_COUNT, case)

    def _shows(self, record: Record, value: Value) -> bool | None:
        """Return True if a record shows what was asked for; None where it shows nothing that could tell."""
        wanted = value.text.casefold()
        if not value.attribute:
            return any(wanted in text.casefold() for _, text in record.values) or None
        shown = self._texts_of(record, value.attribute)
        if value.attribute in self.choices:
            chosen = self.choices[value.attribute].intersection(shown)
            return wanted in chosen if chosen else None
        words = [word.casefold() for word in find_words(value.text)] or [wanted]
        return any(word in text for text in shown for word in words) if shown else None

    def _texts_of(self, record: Record, attribute: str) -> list[str]:
        """Return what a record has of an attribute of the form, folded."""
        asks = self.attributes.asks
        return [text.casefold() for name, text in record.values if asks.get(name) == attribute]


def check_trials(answers: Mapping[Query, Answer], others: Iterable[Sequence[Record]]) -> Contradiction | None:
    """Return what contradicts itself in the answers to trial queries: the query is ignored, or counts are not true.

    `others` are the records of queries that brought nothing, or should have.
    """
    pages = {query: frozenset(map(key_of, answer.records)) for query, answer in answers.items()}
    narrow = [page for query, page in pages.items() if query.values]
    if len(narrow) >= 2 and len({*pages.values(), *(frozenset(map(key_of, records)) for records in others)}) == 1:
        case = f"the same records came for {len(narrow)} different queries"
        return Contradiction(ContradictionKind.QUERY_IGNORED, case, count=len(narrow))
    whole = answers.get(Query())
    if whole is None or whole.total is None or not whole.exact:
        return None
    seen = len(frozenset[bytes]().union(*pages.values()))
    if seen <= whole.total:
        return None
    return Contradiction(
        ContradictionKind.MORE_THAN_COUNTED, f"everything is reported to be {whole.total:,} records, {seen:,} were seen"
    )


# -- a door that no longer answers

MAX_TROUBLES_IN_A_ROW = 5  # queries without an answer
MAX_REFUSALS_IN_A_ROW = 40  # queries that are too short or too broad: the next one may be neither
MAX_BLOCKS_IN_A_ROW = 2  # the same for a captcha or a login: asking on makes it worse
MAX_SAME_PAGES_IN_A_ROW = 6  # different queries with the same records
_BLOCKS = frozenset({TroubleKind.ROBOT_CHECK, TroubleKind.LOGIN, TroubleKind.RATE_LIMITED, TroubleKind.CONSENT})
_VALUE_LENGTH_BOUNDS = (
    MAX_TEXT,
    MAX_PIECE_CHARS,
    MAX_DETAIL_VALUE_CHARS,
    MAX_VALUE_CHARS,
)  # characters, by where a value stands
# the last character may have been a blank
_CUT_LENGTHS = frozenset(length for bound in _VALUE_LENGTH_BOUNDS for length in (bound, bound - 1))
_REDIRECT_REASONS = frozenset({TroubleKind.LOGIN, TroubleKind.CONSENT, TroubleKind.OTHER_SITE})
# reasons that differ in numbers alone are counted together; an HTTP status is a reason of its own
_NUMBERS = re.compile(r"(?<![\w.,])(?<!HTTP )\d+(?:[.,]\d+)*")


def count_reason(counts: dict[str, int], reason: str, times: int = 1) -> None:
    """Count a reason once more, by its sentence."""
    counts[str(reason)] = counts.get(reason, 0) + times


def show_words(answer: Answer) -> bool:
    """Return True if each record of an answer shows all words that were asked for."""
    words = [value.text.casefold() for value in answer.query.values if not value.attribute]
    looks = ["\n".join([text for _, text in record.values]).casefold() for record in answer.records]
    return bool(looks) and all(word in shown for shown in looks for word in words)


@dataclass(slots=True)
class AnswerMonitor:
    """Looks at each page of a harvest, for signs that the door no longer answers."""

    troubles: int = 0  # in a row
    blocks: int = 0  # of them, captchas, logins and the like
    refusals: int = 0  # queries in a row that were too short or too broad
    last: deque[tuple[int, ...]] = field(default_factory=lambda: deque(maxlen=MAX_SAME_PAGES_IN_A_ROW))
    skipped: dict[str, int] = field(default_factory=dict)  # queries not sent or not read to the end, by reason
    noticed: dict[str, int] = field(default_factory=dict)  # what makes the rest less certain
    last_trouble: str = ""  # why the last query had no answer

    def note(self, result: ResultPage) -> StopReason | None:
        """Look at a page; return why the harvest should stop, or None."""
        asked, answer = result.asked, result.answer
        if result.over and (asked.failed or asked.aborted):
            count_reason(self.skipped, _NUMBERS.sub("N", asked.failed or asked.aborted))
        if result.over and asked.repeats:
            count_reason(self.noticed, HarvestNotice.SHIFTED)
        cut = sum([any([len(value.text) in _CUT_LENGTHS for value in record.values]) for record in result.new])
        if cut:
            count_reason(self.noticed, HarvestNotice.CUT_SHORT, cut)

        if asked.failed:
            was_sent = answer.requests or answer.failure
            return self._note_trouble(asked.failed, answer.trouble) if was_sent else None
        self.troubles = self.blocks = self.refusals = 0
        if answer.page == 0 and answer.query.values:
            # Of attributes other than words of any kind only what differs is kept: ineffective ones are left out one by one.
            # So it is with records that all show the words: the words of one long title all bring the same record.
            has_words = any(not value.attribute for value in answer.query.values)
            if (has_words and not show_words(answer)) or (self.last and self.last[-1] != result.numbers):
                self.last.append(result.numbers)
            if len(self.last) == MAX_SAME_PAGES_IN_A_ROW and self.last[0] and len(set(self.last)) == 1:
                return StopReason.SAME_RECORDS
        return None

    def _note_trouble(self, reason: str, trouble: str) -> StopReason | None:
        self.last_trouble = reason
        if trouble in QUERY_REFUSALS:
            self.refusals += 1
            return StopReason.NO_ANSWERS if self.refusals >= MAX_REFUSALS_IN_A_ROW else None
        self.troubles += 1
        if trouble in _REDIRECT_REASONS:
            count_reason(self.noticed, f"pages that came instead of an answer: {trouble}")
        self.blocks += trouble in _BLOCKS
        is_over = self.blocks >= MAX_BLOCKS_IN_A_ROW or self.troubles >= MAX_TROUBLES_IN_A_ROW
        return StopReason.NO_ANSWERS if is_over else None
