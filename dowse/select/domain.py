"""Domain tables: what a source of the same domain says of values, met or not (paper 4, Section 4)."""

from __future__ import annotations

import math
import operator
import os
import re
import sys
import unicodedata
import zipfile
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Final, NamedTuple

import msgspec

from dowse.errors import BadInput
from dowse.model import Query, Record, Value
from dowse.select.expect import GroupCalibration
from dowse.select.greedy import RankedValues
from dowse.select.selector import Candidates, Interface, QueryProgress, SelectorParts, takes_alone

# -- what is known of a domain from a source that was harvested before: its values and their records (paper 4, Definition 4.1)
#
# A table is plain data in one file: a zip archive with JSON for the names and rows of numbers for the rest.
# Nothing in it is run, and nothing in it is believed before it is checked.

FORMAT: Final = "dowse domain table 1"
MAX_TABLE_BYTES: Final = 1 << 30  # unpacked: a table of 400,000 films with all their people has a tenth of it
MAX_TABLE_VALUES: Final = 20_000_000
MAX_TEXT_CHARS: Final = 300  # letters: a longer text is a description, which nobody asks for
_NAMES, _ATTRIBUTES, _ENDS, _RECORDS = "names.json", "attributes.u16", "ends.u64", "records.u32"
_ROW_TYPES: Final = {_ATTRIBUTES: "H", _ENDS: "Q", _RECORDS: "I"}


_Text = Annotated[str, msgspec.Meta(max_length=MAX_TEXT_CHARS)]


class _TableNames(msgspec.Struct, frozen=True):
    """The part of the file that is JSON."""

    format: str
    records: Annotated[int, msgspec.Meta(ge=0, lt=1 << 32)]
    attributes: tuple[_Text, ...]
    texts: list[_Text]  # of each value


@dataclass(frozen=True, slots=True)
class DomainTable:
    """The values of a domain and, for each, the records that have it: from that, how probable it is."""

    attributes: tuple[str, ...]
    texts: Sequence[str]  # of each value
    attribute_of: array[int]  # of each value, its place in attributes
    ends: array[int]  # of each value, where its records end
    postings: array[int]  # the records of all values, one value after the other
    record_count: int

    @property
    def value_count(self) -> int:
        """How many values there are."""
        return len(self.texts)

    def count(self, value: int) -> int:
        """Return how many records have a value."""
        return self.ends[value] - (self.ends[value - 1] if value else 0)

    def records_of(self, value: int) -> array[int]:
        """Return the records that have a value."""
        return self.postings[self.ends[value - 1] if value else 0 : self.ends[value]]


NO_TABLE: Final = DomainTable((), (), array("H"), array("Q"), array("I"), 0)


def build_table(records: Iterable[Record]) -> DomainTable:
    """Make a table of records, of any source or file."""
    found: dict[tuple[str, str], array[int]] = {}
    number = -1
    for number, record in enumerate(records):
        for value in dict.fromkeys(record.values):
            if value.text and len(value.text) <= MAX_TEXT_CHARS:
                found.setdefault(value, array("I")).append(number)
        if len(found) > MAX_TABLE_VALUES:
            raise BadInput(f"more than {MAX_TABLE_VALUES:,} values are too many for a domain table")
    places = {name: place for place, name in enumerate(dict.fromkeys(name for name, _ in found))}
    ends, postings = array("Q"), array("I")
    for records_of in found.values():
        postings.extend(records_of)
        ends.append(len(postings))
    kinds = array("H", (places[name] for name, _ in found))
    return DomainTable(tuple(places), tuple(text for _, text in found), kinds, ends, postings, number + 1)


def save_table(table: DomainTable, path: str | Path) -> None:
    """Write a table to a file, whole or not at all."""
    names = _TableNames(FORMAT, table.record_count, table.attributes, list(table.texts))
    unfinished = f"{path}.unfinished"
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as packed:
            packed.writestr(_NAMES, msgspec.json.encode(names))
            for name, row in ((_ATTRIBUTES, table.attribute_of), (_ENDS, table.ends), (_RECORDS, table.postings)):
                packed.writestr(name, _to_bytes(row))
        os.replace(unfinished, path)
    except OSError as error:
        Path(unfinished).unlink(missing_ok=True)
        raise BadInput(f"{path} cannot be written: {(error.strerror or str(error)).lower()}") from error


def read_table(path: str | Path) -> DomainTable:
    """Read a table from a file; say in one line what is wrong with it."""
    try:
        with zipfile.ZipFile(path) as packed:
            return _read(packed)
    except (
        zipfile.BadZipFile,
        zlib.error,
        KeyError,
        ValueError,
        TypeError,
        NotImplementedError,
        RuntimeError,
        EOFError,
    ) as error:
        why = str(error).strip("'\"") or type(error).__name__
        raise BadInput(f"{path} is not a domain table ({why}); make one with `dowse domain build`") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from error


def _read(packed: zipfile.ZipFile) -> DomainTable:
    if sum(each.file_size for each in packed.infolist()) > MAX_TABLE_BYTES:
        raise ValueError("it is too large")
    names = msgspec.json.decode(_read_part(packed, _NAMES), type=_TableNames)
    if names.format != FORMAT:
        raise ValueError("another format")
    rows = {name: _from_bytes(_read_part(packed, name), kind) for name, kind in _ROW_TYPES.items()}
    table = DomainTable(names.attributes, names.texts, rows[_ATTRIBUTES], rows[_ENDS], rows[_RECORDS], names.records)
    # every number leads somewhere
    if not len(table.texts) == len(table.attribute_of) == len(table.ends):
        raise ValueError("its parts do not fit")
    if any(place >= len(table.attributes) for place in table.attribute_of):
        raise ValueError("a value without an attribute")
    if any(before > after for before, after in pairwise(table.ends)) or (table.ends or [0])[-1] != len(table.postings):
        raise ValueError("its parts do not fit")
    if table.postings and max(table.postings) >= table.record_count:
        raise ValueError("a record that is not there")
    return table


def _read_part(packed: zipfile.ZipFile, name: str) -> bytes:
    """Read one part; the size that the archive tells may be a lie."""
    with packed.open(name) as part:
        found = part.read(MAX_TABLE_BYTES + 1)
    if len(found) > MAX_TABLE_BYTES:
        raise ValueError("it is too large")
    return found


def _to_bytes(row: array[int]) -> bytes:
    if sys.byteorder == "big":
        row = row[:]
        row.byteswap()
    return row.tobytes()


def _from_bytes(found: bytes, kind: str) -> array[int]:
    row: array[int] = array(kind)
    row.frombytes(found)
    if sys.byteorder == "big":
        row.byteswap()
    return row


# -- how sources write the same thing: a value of one found in another, and written as that one would

_WORD: Final = re.compile(r"\w+")
MAX_NORMALISED_CHARS: Final = 300  # letters that are looked at


def normalise(text: str) -> str:
    """Return what is the same however a value is written: its words without case, accents, marks and order."""
    text = text[:MAX_NORMALISED_CHARS].casefold()
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text).casefold()
        text = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(sorted(_WORD.findall(text)))


def _turn_comma(text: str) -> str:
    """Write `Hanks, Tom` as `Tom Hanks`."""
    family, comma, rest = text.partition(", ")
    return f"{rest} {family}" if comma else text


def _put_family_first(text: str) -> str:
    """Write `Tom Hanks` as `Hanks, Tom`."""
    rest, space, family = text.rpartition(" ")
    return f"{family}, {rest}" if space else text


WRITINGS: Final[dict[str, Callable[[str], str]]] = {
    "as it is": str,
    "given name first": _turn_comma,
    "family name first": _put_family_first,
    "lower case": str.lower,
    "upper case": str.upper,
    "capitals": str.title,
}

# -- which attribute of a domain table is which of a source, and how the source writes its values: found by overlap
#
# The one calls it `cast`, the other `actor` and `starring`; the one writes `Tom Hanks`, the other `Hanks, Tom`.

MIN_COMMON_VALUES: Final = 3  # values in common before two attributes are taken for the same
MIN_COMMON_SHARE: Final = 0.05  # of a source's values of an attribute that must be in the table's
MAX_TRUSTED_VALUES: Final = 30  # values after which attributes of one name must have some in common, too


@dataclass(slots=True)
class TableMatch:
    """The table's attributes for each of a source's, as far as its values have shown."""

    table: DomainTable
    given: Mapping[str, Sequence[str]] = field(default_factory=dict)  # what the user says, by the source's attribute
    met: Counter[str] = field(default_factory=Counter)  # values of the source, by attribute
    common: Counter[tuple[str, int]] = field(default_factory=Counter)  # of them in the table, by both attributes
    right: dict[tuple[str, int], Counter[str]] = field(default_factory=dict)  # ways of writing that gave the source's
    _values: list[dict[str, list[int]]] = field(default_factory=list)  # of each table attribute, normal text -> values

    def __post_init__(self) -> None:
        """Index the table by what is the same in all writings."""
        self._values = [{} for _ in self.table.attributes]
        for value, (place, text) in enumerate(zip(self.table.attribute_of, self.table.texts, strict=True)):
            self._values[place].setdefault(normalise(text), []).append(value)

    def compare_value(self, attribute: str, text: str) -> None:
        """Compare a value of the source with the table."""
        self.met[attribute] += 1
        normal = normalise(text)
        for place, values in enumerate(self._values):
            for value in values.get(normal, ())[:1] if normal else ():
                self.common[attribute, place] += 1
                ways = self.right.setdefault((attribute, place), Counter())
                ways.update(name for name, write in WRITINGS.items() if write(self.table.texts[value]) == text)

    def find(self, places: Iterable[int], text: str) -> tuple[int, ...]:
        """Return the table's values that are the same as a text."""
        normal = normalise(text)
        return tuple(value for place in places for value in self._values[place].get(normal, ())) if normal else ()

    def match(self, attribute: str) -> tuple[int, ...]:
        """Return the table's attributes that are the same as one of the source."""
        if attribute in self.given:
            return tuple(place for place, name in enumerate(self.table.attributes) if name in self.given[attribute])
        return tuple(filter(partial(self._is_same, attribute), range(len(self.table.attributes))))

    def _is_same(self, attribute: str, place: int) -> bool:
        common, met = self.common[attribute, place], self.met[attribute]
        if met < MAX_TRUSTED_VALUES and normalise(self.table.attributes[place]) == normalise(attribute):
            return True
        return common >= MIN_COMMON_VALUES and common >= MIN_COMMON_SHARE * met

    def hit_rate(self, attribute: str, places: Iterable[int]) -> float:
        """Return which part of the source's values of an attribute one of the table's has (paper 4, Section 4.3)."""
        most = max((self.common[attribute, place] for place in places), default=0)
        return (most + 1) / (self.met[attribute] + 2)

    def write(self, attribute: str, value: int) -> str:
        """Return a value of the table as the source would write it."""
        ways = self.right.get((attribute, self.table.attribute_of[value]))
        best = max(ways, key=lambda name: (ways[name], name == "as it is")) if ways else "as it is"
        return WRITINGS[best](self.table.texts[value])


# -- how many records a query will bring, by what a source of the same domain holds (paper 4, Sections 4.2 to 4.4)

MIN_QUERIED_SHARE: Final = 0.02  # of the domain that was asked for, before the part is believed
PRIOR_KNOWN_SHARE: Final = 0.5  # of the matches of a value that the table lacks, before experience corrects it; chosen on vehicles, goodbooks, movies
PRIOR_TRIES: Final = 1.0  # values of the table that are taken to have been tried, as often found as values of the source are in the table
MIN_EXPECTED_RATE: Final = (
    0.05  # new records per request that are never excluded, so that a wrong "nothing" can be found out
)


@dataclass(slots=True)
class DomainStatistics:
    """The domain table beside what was harvested: which of its records the queries match, and how far the two differ."""

    table: DomainTable
    covered: bytearray = field(init=False)  # of each record of the table, whether a query that was asked matches it
    covered_count: int = 0
    local: int = 0  # records that were harvested
    outside: int = 0  # of them, those with a value that the table lacks (Delta DM)
    values: int = 0  # of the harvested records, each as often as it stands there
    shared: int = 0  # of them, those that the table has

    def __post_init__(self) -> None:
        """Begin with nothing asked."""
        self.covered = bytearray(self.table.record_count)

    def cover(self, values: Iterable[int]) -> None:
        """Add the records of a query to those of all before it: the incremental union of Section 4.4."""
        covered = self.covered
        for value in values:
            for record in self.table.records_of(value):
                if not covered[record]:
                    covered[record] = 1
                    self.covered_count += 1

    @property
    def part(self) -> float:
        """Which part of the domain was asked for: P(L-queried, DM)."""
        return max(MIN_QUERIED_SHARE, self.covered_count / max(1, self.table.record_count))

    @property
    def own_part(self) -> float:
        """The same for values that the table lacks: it counts as far as the table has what was harvested, else nothing is known."""
        fit = self.shared / self.values if self.values else 0.0
        return float(self.part**fit * PRIOR_KNOWN_SHARE ** (1 - fit))

    def estimate(self, frequency: int) -> float:
        """Estimate the matches of a value with so many records in DM and Delta DM (Eq. 4.2 and 4.3)."""
        if not self.covered_count or not self.local:
            return float(frequency)
        return self.local * frequency / (self.outside + self.table.record_count) / self.part


def predict_answer(interface: Interface, matches: float, known: int) -> tuple[float, int]:
    """Return the new records of a query and its requests, of so many matches and so many of them known (Eq. 2.1)."""
    matches = max(matches, known, 0.01)
    shown = min(matches, interface.limit) if interface.limit else matches
    requests = max(1, math.ceil(shown / interface.page_size))
    return max((matches - known) * shown / matches, MIN_EXPECTED_RATE * requests), requests


# -- values by what a source of the same domain says of them, met or not (paper 4, Section 4)

PRIOR_MATCHES: Final = 20.0  # matches that an estimator is taken to have predicted rightly, before it has predicted any
PRIOR_VARIANCE: Final = (
    1.0  # of an estimator's error, as a logarithm, before it has predicted any: a factor of e either way
)
PRIOR_ERRORS: Final = 5.0  # predictions that this counts for
ERRORS_KEPT: Final = 0.97  # of the errors, after each prediction of the same kind: the last thirty or so count
FIRST_COMPARED_VALUES: Final = 32  # values met before attributes are compared; then at each doubling
RANK_STEPS: Final = 1 << 20  # of a rank
# by what the crawl itself has seen of a value; by the table, for values that it has, lacks, and has before they were met
SEEN, MET, NEW, TABLE = "seen", "met", "new", "table"


class CandidateGroup(NamedTuple):
    """Candidates whose harvest is predicted in the same way."""

    kind: str
    attribute: str  # of the source
    level: int  # the power of two of the records that the table has, or the graph for what the crawl itself has seen


class MatchEstimate(NamedTuple):
    """How many records match a value, by one estimator."""

    group: CandidateGroup
    predicted: float  # before experience corrects it
    corrected: float


class DomainCandidate(NamedTuple):
    """A value that can be asked for, and what it promises."""

    rate: float  # new records per request to be expected
    group: CandidateGroup  # that it stands in
    number: int  # of the value: in the table for Q_DT, else in the graph
    estimates: tuple[MatchEstimate, ...]


@dataclass(slots=True)
class EstimatorErrors:
    """How far the estimators were off, as logarithms: by that they are weighed against each other."""

    squares: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)  # by kind and attribute

    def variance(self, group: CandidateGroup) -> float:
        """Return the mean square of the errors of estimates of the same kind and attribute."""
        total, count = self.squares.get(group[:2], (0.0, 0.0))
        return (total + PRIOR_ERRORS * PRIOR_VARIANCE) / (count + PRIOR_ERRORS)

    def add(self, estimate: MatchEstimate, came: float) -> None:
        """Learn how many records matched."""
        total, count = self.squares.get(estimate.group[:2], (0.0, 0.0))
        error = math.log((came + 0.5) / (estimate.corrected + 0.5))
        self.squares[estimate.group[:2]] = total * ERRORS_KEPT + error * error, count * ERRORS_KEPT + 1

    def mix(self, estimates: Sequence[MatchEstimate]) -> float:
        """Return the mean of several estimates, as logarithms, each with its precision (one over its variance)."""
        if len(estimates) == 1:
            return estimates[0].corrected
        weights = [1 / self.variance(each.group) for each in estimates]
        logs = [math.log(each.corrected + 0.5) for each in estimates]
        return math.exp(sum(map(operator.mul, weights, logs)) / sum(weights)) - 0.5


@dataclass(slots=True)
class DomainSelector:
    """Asks for the value with the greatest harvest rate by the domain's statistics and by what the crawl has seen.

    Candidates stand in groups of one kind, attribute and order of magnitude. Only the first of each group has its rate
    computed (the lazy evaluation of Section 4.4); inside a group the order does not change with what is harvested. A value
    that was met stands in a group by its own records, as it would without a table, and where the table has it, in one by
    the table's. What it matches is the mean of both estimates by their precision: a table that does not fit soon weighs
    nothing.
    """

    parts: SelectorParts
    table: DomainTable = NO_TABLE
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)  # the table's attributes by the source's, if given
    candidates: Candidates = field(init=False)
    match: TableMatch = field(init=False)
    statistics: DomainStatistics = field(init=False)
    same: list[tuple[int, ...]] = field(default_factory=list)  # of each value of the graph: the same in the table
    outside_of: array[int] = field(default_factory=lambda: array("I"))  # of each value: its records in Delta DM
    seen_ranks: array[int] = field(default_factory=lambda: array("Q"))  # of each value by its own records
    table_ranks: array[int] = field(default_factory=lambda: array("Q"))  # of each value by those of the table
    groups_of: list[tuple[CandidateGroup, ...]] = field(default_factory=list)  # of each value of the graph
    groups: dict[CandidateGroup, RankedValues] = field(default_factory=dict)
    unmet: dict[CandidateGroup, list[int]] = field(
        default_factory=dict
    )  # values of the table only, the most frequent last
    found: set[int] = field(default_factory=set)  # values of the table that were met or asked for
    places: dict[str, tuple[int, ...]] = field(default_factory=dict)  # the table's attributes for each of the source
    next_look: int = 0  # values to be met before attributes are compared again
    touched: set[int] = field(default_factory=set)
    calibration: GroupCalibration = field(default_factory=lambda: GroupCalibration(PRIOR_MATCHES))
    errors: EstimatorErrors = field(default_factory=EstimatorErrors)
    tried: dict[str, tuple[int, int]] = field(
        default_factory=dict
    )  # values of the table that were found, of how many tried
    choice: DomainCandidate | None = None
    chosen: Query | None = None  # what was chosen

    def __post_init__(self) -> None:
        """Begin with what the graph has."""
        self.candidates = Candidates(self.parts.graph, self.parts.interface)
        self.match = TableMatch(self.table, self.names)
        self.statistics = DomainStatistics(self.table)

    def seed(self, values: list[Value]) -> None:
        """Add values to begin with."""
        self.candidates.add(values)

    def choose(self) -> Query | None:
        """Return the query with the greatest harvest rate, of the values that were met and those in the table."""
        self._add_new_values(self.candidates.add_new())
        self.choice = self._best()
        if self.choice is None:
            self._add_new_values(self.candidates.add_listed())
            self.choice = self._best()
        self.chosen = None if self.choice is None else self._make_query(self.choice)
        return self.chosen

    def why_abort(self, asked: QueryProgress) -> str:
        """Read every answer to its end."""
        return ""

    def learn(self, asked: QueryProgress) -> None:
        """Note what came of a forecast, and bring the statistics up to date."""
        self.candidates.learn(asked)
        self._add_new_values(self.candidates.add_new())
        if 0 <= asked.value < len(self.same):
            self.statistics.cover(self.same[asked.value])
        if self.choice is not None and asked.query == self.chosen and not asked.failed:
            self._learn_estimates(self.choice, asked)
        for record in asked.fresh:
            values = self.parts.graph.values_of(record)
            self.statistics.local += 1
            self.statistics.values += len(values)
            self.statistics.shared += sum(1 for value in values if self.same[value])
            self.touched.update(values)
            if not all(self.same[value] for value in values):
                self.statistics.outside += 1
                for value in values:
                    self.outside_of[value] += 1

    def _learn_estimates(self, choice: DomainCandidate, asked: QueryProgress) -> None:
        """Note how many records matched beside what was estimated."""
        came = asked.total if asked.total is not None and asked.exact else asked.records
        if choice.group.kind == TABLE:
            found, tried = self.tried.get(choice.group.attribute, (0, 0))
            self.tried[choice.group.attribute] = found + (came > 0), tried + 1
        if came or choice.group.kind != TABLE:  # that it was not found says nothing of how often others are
            for estimate in choice.estimates:
                self.calibration.add(estimate.group, estimate.predicted, came)
                self.errors.add(estimate, came)

    def _add_new_values(self, values: Iterable[int]) -> None:
        """Look values up in the table, and rank those that changed."""
        graph = self.parts.graph
        for value in range(len(self.same), graph.value_count):
            attribute, text = graph.value(value)
            self.match.compare_value(attribute, text)
            self._look_up(value)
        self.groups_of.extend([()] * (len(self.same) - len(self.groups_of)))
        self.outside_of.frombytes(bytes((len(self.same) - len(self.outside_of)) * self.outside_of.itemsize))
        self.touched.update(values)
        if len(self.same) >= self.next_look:
            self._compare()
        self._rank(self.touched)
        self.touched.clear()

    def _look_up(self, value: int) -> None:
        attribute, text = self.parts.graph.value(value)
        entries = self.match.find(self.places.get(attribute, ()), text)
        self.same[value:] = [entries]
        self.found.update(entries)

    def _compare(self) -> None:
        """Compare the attributes of the source and the table again; start over if more is known of them."""
        self.next_look = max(FIRST_COMPARED_VALUES, 2 * len(self.same))
        interface = self.parts.interface
        names = dict.fromkeys([*self.parts.graph.attributes, *interface.attributes, *dict(interface.choices)])
        places = {name: self.match.match(name) for name in names}
        if places == self.places:
            return
        self.places = places
        same, self.same = self.same, []
        for value in range(len(same)):
            self._look_up(value)
        self.touched.update(range(len(same)))
        self._list_unmet()

    def _list_unmet(self) -> None:
        """Sort the values of the table into groups, the most frequent of each last."""
        count = self.table.count
        self.unmet = {}
        for name, places in self.places.items():
            if takes_alone(self.parts.interface, name):
                for value in range(self.table.value_count):
                    if self.table.attribute_of[value] in places and value not in self.found:
                        self.unmet.setdefault(CandidateGroup(TABLE, name, count(value).bit_length()), []).append(value)
        for values in self.unmet.values():
            values.sort(key=lambda value: (count(value), -value))

    def _frequency(self, value: int) -> int:
        """Return the records of a value in DM and Delta DM (Eq. 4.3)."""
        return sum(map(self.table.count, self.same[value])) + self.outside_of[value]

    def _rank(self, values: Iterable[int]) -> None:
        graph, waits = self.parts.graph, self.candidates.waits
        for value in sorted(values):
            if waits(value):
                known, name = graph.count(value), graph.attributes[graph.attribute_of[value]]
                seen = CandidateGroup(SEEN, name, known.bit_length())
                self.groups_of[value] = (seen,)
                self._push(seen, self.seen_ranks, value, graph.links[value])
                if self.same[value]:
                    frequency = self._frequency(value)
                    met = CandidateGroup(MET, name, frequency.bit_length())
                    self.groups_of[value] = (seen, met)
                    self._push(met, self.table_ranks, value, RANK_STEPS * frequency // max(1, known))

    def _push(self, group: CandidateGroup, ranks: array[int], value: int, rank: int) -> None:
        if group not in self.groups:
            self.groups[group] = RankedValues(partial(self._waits_in, group), ranks)
        self.groups[group].push([(value, rank)])

    def _waits_in(self, group: CandidateGroup, value: int) -> bool:
        return group in self.groups_of[value] and self.candidates.waits(value)

    def _best(self) -> DomainCandidate | None:
        """Return the best of the first candidates of all groups."""
        firsts = [(group, ranked.peek()) for group, ranked in self.groups.items()]
        firsts += [(group, self._first_unmet(values)) for group, values in self.unmet.items()]
        choices = [self._predict(group, number) for group, number in firsts if number is not None]
        return max(choices, default=None)

    def _first_unmet(self, values: list[int]) -> int | None:
        while values and values[-1] in self.found:
            values.pop()
        return values[-1] if values else None

    def _predict(self, group: CandidateGroup, number: int) -> DomainCandidate:
        """Estimate what a candidate will bring."""
        known = 0 if group.kind == TABLE else self.parts.graph.count(number)
        estimates = tuple(self._estimate(group, number, known))
        new, requests = predict_answer(self.parts.interface, self.errors.mix(estimates), known)
        return DomainCandidate(new / requests, group, number, estimates)

    def _estimate(self, group: CandidateGroup, number: int, known: int) -> Iterator[MatchEstimate]:
        """Estimate how many records match (Section 4.2), by the table and by what was seen, each corrected by experience."""
        if group.kind == TABLE:
            yield self._correct(group, self.statistics.estimate(self.table.count(number)), 0)
            return
        name, level = group.attribute, known.bit_length()
        # a value that somebody gave is expected to bring a page
        page = float(self.parts.interface.page_size)
        yield self._correct(CandidateGroup(SEEN, name, level), known / PRIOR_KNOWN_SHARE if known else page, known)
        if self.same[number]:
            frequency = self._frequency(number)
            matches = self.statistics.estimate(frequency)
            yield self._correct(CandidateGroup(MET, name, frequency.bit_length()), matches, known)
        elif known and self.places.get(name):  # what the table lacks is taken to be as far known as the domain
            yield self._correct(CandidateGroup(NEW, name, level), known / self.statistics.own_part, known)

    def _correct(self, group: CandidateGroup, matches: float, known: int) -> MatchEstimate:
        return MatchEstimate(group, matches, max(float(known), matches * self._correction(group)))

    def _correction(self, group: CandidateGroup) -> float:
        """Return by what an estimate is multiplied: for values that were not met, at first by the hit rate (4.3)."""
        if group.kind == TABLE:
            hits = self.match.hit_rate(group.attribute, self.places[group.attribute])
            found, tried = self.tried.get(group.attribute, (0, 0))
            prior = (found + PRIOR_TRIES * hits) / (tried + PRIOR_TRIES)
            return prior * self.calibration.factor(group)
        return self.calibration.factor(group)

    def _make_query(self, choice: DomainCandidate) -> Query:
        if choice.group.kind != TABLE:
            return self.candidates.make_query(choice.number)
        text = self.match.write(choice.group.attribute, choice.number)
        self.found.add(choice.number)
        number = self.parts.graph.number(Value(choice.group.attribute, text))
        self._add_new_values(self.candidates.add_new())
        self.same[number] = self.same[number] or (choice.number,)
        return self.candidates.make_query(number)
