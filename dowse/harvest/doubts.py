"""Why a proof would not hold: answers that contradict what was asked, their own counts, or each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dowse.harvest.loop import Draught, key_of
from dowse.harvest.matching import Matching
from dowse.model import Answer, Query, Record, Value
from dowse.records.words import find_words
from dowse.select.selector import Asked

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
