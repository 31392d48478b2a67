"""Why a proof would not hold, and whether a door has stopped answering."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dowse.harvester.loop import Draught, key_of
from dowse.harvester.matching import Matching
from dowse.model import Answer, Query, Record, Value
from dowse.page.tree import MAX_TEXT
from dowse.records.answers import MAX_VALUE_CHARS
from dowse.records.compare import find_words
from dowse.records.details import MAX_DETAIL_VALUE_CHARS
from dowse.records.pieces import MAX_PIECE_CHARS
from dowse.records.trouble import TroubleKind
from dowse.select.selector import Asked

# --- doubts
# Why a proof would not hold: answers that contradict what was asked, their own counts, or each other.

SEVERAL: Final = 3  # records of a first page that are hardly the same by chance
SAME: Final = 3  # different queries that bring the same such page, though its records do not show what was asked for
SAME_FEW: Final = 6  # the same for a page of fewer records
MOST_PAGES: Final = 5_000  # first pages that are remembered

OTHERS: Final = "answers with records that do not have what was asked for"
ALIKE: Final = "queries that brought the same records as others, which do not show what was asked for"
FEWER: Final = "answers that showed more records than they said there are"
CHANGED: Final = "pages that said another total than the page before"
MORE: Final = "answers that said there are more than a query for everything said"
DEAF: Final = "different queries that all brought the same records"
WENT_ON: Final = "answers that went on after as many records as they said there are"


@dataclass(frozen=True, slots=True)
class Doubt:
    """One contradiction, in words; an attribute that turns out to ask for nothing takes its doubts with it."""

    kind: str
    case: str
    attribute: str = ""
    count: int = 1


@dataclass(slots=True)
class Doubts:
    """Compares each answer with what was asked and with those before; remembers the first case of each kind."""

    matching: Matching
    everything: int | None = None  # records, as a query for everything said
    largest: tuple[int, str] = (0, "")  # the most that any other query said it finds, and which
    found: dict[tuple[str, str], Doubt] = field(default_factory=dict)  # kind and attribute -> the first case
    pages: dict[frozenset[int], set[Query]] = field(
        default_factory=dict
    )  # first page -> narrow queries that brought it
    asked: dict[str, frozenset[str]] = field(init=False)  # attribute -> its choices, folded

    def __post_init__(self) -> None:
        """Fold the choices once."""
        self.asked = {name: frozenset(map(str.casefold, texts)) for name, texts in self.matching.interface.choices}

    def note(self, draught: Draught) -> Iterator[str]:
        """Take in a page; yield the kinds of contradiction that it shows."""
        if draught.asked.failed:
            return
        for doubt in (*self._compare_values(draught), *self._compare_pages(draught), *self._compare_counts(draught)):
            self.found.setdefault((doubt.kind, doubt.attribute), doubt)
            yield doubt.kind

    def why_not(self, held: int, dull: Iterable[str] = ()) -> str:
        """Say why nothing is proven, or nothing; attributes that ask for nothing say nothing."""
        left_out = frozenset(dull)
        cases = (doubt.case for doubt in self.found.values() if not doubt.attribute or doubt.attribute not in left_out)
        case = next(cases, "") or self._why_untrue(held)
        return f"answers contradict each other: {case}" if case else ""

    def _why_untrue(self, held: int) -> str:
        """Say why what a query for everything said is not true."""
        if self.everything is None:
            return ""
        if held > self.everything:
            return f"everything is said to be {self.everything:,} records, and {held:,} are held"
        if self.largest[0] > self.everything:
            return (
                f"everything is said to be {self.everything:,} records, and {self.largest[1]} to be {self.largest[0]:,}"
            )
        return ""

    def _compare_values(self, draught: Draught) -> Iterator[Doubt]:
        """Yield records that show something else than was asked for."""
        query, records = draught.asked.query, draught.answer.records
        for value in query.values:
            shown = [(record, self._shows(record, value)) for record in records]
            wrong = [record for record, shows in shown if shows is False]
            telling = sum(shows is not None for _, shows in shown)
            if wrong and (value.attribute in self.asked or 2 * len(wrong) > telling):
                other = ", ".join(self._shown(wrong[0], value.attribute))[:80]
                yield Doubt(OTHERS, f"{query} brought a record with {value.attribute} {other}", value.attribute)

    def _compare_pages(self, draught: Draught) -> Iterator[Doubt]:
        """Yield a first page that several narrow queries brought, though its records do not show why."""
        query, records = draught.asked.query, draught.answer.records
        if draught.answer.page or len(query.values) != 1 or not records or len(self.pages) >= MOST_PAGES:
            return
        if all(self._shows(record, query.values[0]) for record in records):
            return
        alike = self.pages.setdefault(frozenset(draught.numbers), set())
        alike.add(query)
        if len(alike) >= (SAME if len(records) >= SEVERAL else SAME_FEW):
            named = {value.attribute for each in alike for value in each.values}
            yield Doubt(ALIKE, f"the same records came for {len(alike)} queries, as for {query}", _single(named))

    def _compare_counts(self, draught: Draught) -> Iterator[Doubt]:
        """Yield counts that are not true, of a page or of a whole answer."""
        asked, answer = draught.asked, draught.answer
        if answer.page and answer.exact and asked.exact and answer.records and answer.total not in (None, asked.total):
            yield Doubt(CHANGED, f"{asked.query}: {asked.total:,} on one page, {answer.total:,} on another")
        if asked.total is None or not asked.exact or not draught.over:
            return
        shown = asked.records - asked.repeats
        if shown > asked.total:
            yield Doubt(FEWER, f"{asked.query}: {asked.total:,} were said to match, {shown:,} were shown")
        yield from self._compare_whole(asked, asked.total)

    def _compare_whole(self, asked: Asked, total: int) -> Iterator[Doubt]:
        """Yield a part that is larger than the whole."""
        if asked.query == Query():
            self.everything = total
        elif total > self.largest[0]:
            self.largest = total, str(asked.query)
        if asked.query != Query() and self.everything is not None and total > self.everything:
            yield Doubt(MORE, f"{asked.query} is said to be {total:,} records, everything {self.everything:,}")

    def _shows(self, record: Record, value: Value) -> bool | None:
        """Say whether a record shows what was asked for; None where it shows nothing that could tell."""
        wanted = value.text.casefold()
        if not value.attribute:
            return any(wanted in text.casefold() for _, text in record.values) or None
        shown = self._shown(record, value.attribute)
        if value.attribute in self.asked:
            told = self.asked[value.attribute].intersection(shown)
            return wanted in told if told else None
        words = [word.casefold() for word in find_words(value.text)] or [wanted]
        return any(word in text for text in shown for word in words) if shown else None

    def _shown(self, record: Record, attribute: str) -> list[str]:
        """Return what a record has of an attribute of the form, folded."""
        return [text.casefold() for name, text in record.values if self.matching.asks.get(name) == attribute]


def _single(names: set[str]) -> str:
    return next(iter(names)) if len(names) == 1 else ""


def doubt_opening(answers: Mapping[Query, Answer], beside: Iterable[Sequence[Record]]) -> Doubt | None:
    """Say why what was heard when a door was opened contradicts itself: it does not listen, or its counts are not true."""
    pages = {query: frozenset(map(key_of, answer.records)) for query, answer in answers.items()}
    narrow = [page for query, page in pages.items() if query.values]
    others = (frozenset(map(key_of, records)) for records in beside)  # of queries that brought nothing, or should have
    if len(narrow) >= 2 and len({*pages.values(), *others}) == 1:
        return Doubt(DEAF, f"the same records came for {len(narrow)} different queries", count=len(narrow))
    whole = answers.get(Query())
    if whole is None or whole.total is None or not whole.exact:
        return None
    seen = len(frozenset[bytes]().union(*pages.values()))
    if seen <= whole.total:
        return None
    return Doubt(FEWER, f"everything is said to be {whole.total:,} records, and {seen:,} were seen")


# --- watch
# Notices that a door has stopped answering in earnest: troubles one after the other, the same page for every query.

PATIENCE = 5  # queries without an answer, one after the other
CLEAR = 2  # the same for a captcha or a login: asking on makes it worse
MAX_SAME_PAGES = 6  # different queries with the same records, one after the other
NO_ANSWERS = "no answers any more"
_GRAVE = frozenset({TroubleKind.ROBOT_CHECK, TroubleKind.LOGIN, TroubleKind.RATE_LIMITED, TroubleKind.CONSENT})
CUT_SHORT = "records with a value as long as one can be: its end may be missing"
_BOUNDS = (
    MAX_TEXT,
    MAX_PIECE_CHARS,
    MAX_DETAIL_VALUE_CHARS,
    MAX_VALUE_CHARS,
)  # characters of a value, by where it stands
_CUT = frozenset(length for bound in _BOUNDS for length in (bound, bound - 1))  # the last one may have been a blank
_LED_AWAY = frozenset({TroubleKind.LOGIN, TroubleKind.CONSENT, TroubleKind.OTHER_SITE})
_NUMBERS = re.compile(r"\d[\d.,]*")  # the same reason for all of its like


def count_reason(counts: dict[str, int], reason: str) -> None:
    """Count a reason once more."""
    counts[reason] = counts.get(reason, 0) + 1


@dataclass(slots=True)
class Watch:
    """Looks at each page of a harvest; says why to stop."""

    troubles: int = 0
    grave: int = 0
    last: deque[tuple[int, ...]] = field(default_factory=lambda: deque(maxlen=MAX_SAME_PAGES))
    skipped: dict[str, int] = field(
        default_factory=dict
    )  # queries that were not sent or not read to the end, by reason

    noticed: dict[str, int] = field(default_factory=dict)  # what makes the rest less sure

    def note(self, draught: Draught) -> str:
        """Take in a page; return why the harvest should stop, or nothing."""
        asked, answer = draught.asked, draught.answer
        if draught.over and (asked.failed or asked.aborted):
            count_reason(self.skipped, _NUMBERS.sub("…", asked.failed or asked.aborted))
        self._note_oddities(draught)
        if asked.failed and not answer.requests and not answer.failure:  # it was never sent: the door is not to blame
            return ""
        if asked.failed:
            return self._note_trouble(asked.failed)
        self.troubles = self.grave = 0
        if answer.page == 0 and answer.query.values:
            self._note_first(draught)
            if len(self.last) == MAX_SAME_PAGES and self.last[0] and len(set(self.last)) == 1:
                return "the same records come for every query"
        return ""

    def _note_first(self, draught: Draught) -> None:
        """Keep what words of any kind brought; of other attributes only what differs: those that ask for nothing are left out one by one."""
        words = any(not value.attribute for value in draught.answer.query.values)
        if words or (self.last and self.last[-1] != draught.numbers):
            self.last.append(draught.numbers)

    def _note_oddities(self, draught: Draught) -> None:
        """Count what does not end a harvest, but makes it less sure."""
        asked = draught.asked
        cut = sum(any(len(value.text) in _CUT for value in record.values) for record in draught.new)
        if cut:
            self.noticed[CUT_SHORT] = self.noticed.get(CUT_SHORT, 0) + cut
        if draught.over and asked.repeats:
            count_reason(
                self.noticed, "answers that showed records twice: their order changes, or records came in meanwhile"
            )

    def _note_trouble(self, reason: str) -> str:
        self.troubles += 1
        if reason in _LED_AWAY:
            count_reason(self.noticed, f"pages that came instead of an answer: {reason}")
        self.grave += reason in _GRAVE
        if self.grave >= CLEAR or self.troubles >= PATIENCE:
            return f"{NO_ANSWERS}: {reason}"
        return ""
