"""The proof that everything was harvested: it can be checked without the source, or by asking it again.

    region  = read to the end without overflowing            (read)
            | as many records harvested as an exact count     (total)
            | inside a region that was read                   (inside)
            | covered by parts, each of them proven           (cover)

A cover reaches only records that have a value of the attribute it divides by. No count, no proof
of that: the check then returns what the proof rests on instead of a yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, Literal

import msgspec

from dowse.model import Query, Range, Verdict
from dowse.select.divide import UNIT, QueryRegion, read_amount, write_amount
from dowse.select.selector import Ask

VERSION: Final = 1
MAX_REGIONS: Final = 2_000_000
MAX_PAGES: Final = 10_000  # of one answer that is asked for again
NONE_CHOICES: Final = frozenset(
    {"none", "n/a", "not specified", "unspecified", "unknown", "missing", "(none)", "(blank)"}
)
ASSUMPTIONS: Final = (
    "a query finds all records that have what it asks for, and a range includes its ends",
    "a list of choices has every value that a record can have",
    "the database did not change while it was harvested",
)


class CertificateDivision(msgspec.Struct, frozen=True):
    """A region divided by one attribute, and the numbers of its parts."""

    by: str
    kind: Literal["ranges", "choices"]
    parts: tuple[int, ...]


class CertificateRegion(msgspec.Struct, frozen=True):
    """One query, what its answer showed, and why no record of it is missing."""

    id: int
    query: Query
    asked: bool
    shown: int
    total: int | None
    overflowed: bool
    held: int  # records of it that were harvested
    proof: str  # read, total, inside or cover; nothing where it is not proven
    why: str = ""  # why it is not
    divided: tuple[CertificateDivision, ...] = ()


class CertificateInterface(msgspec.Struct, frozen=True):
    """What the form lets one ask, as far as the proof rests on it."""

    choices: dict[str, tuple[str, ...]]
    ranges: dict[str, str]  # attribute -> number or date
    blank: bool = False
    joins: bool = False
    required: tuple[str, ...] = ()


class Certificate(msgspec.Struct, frozen=True):
    """What was asked and why that is everything, as it is written to a database or a file."""

    interface: CertificateInterface
    limit: int
    records: int
    grain: dict[str, str]  # attribute -> the least step between two values
    regions: tuple[CertificateRegion, ...]
    version: int = VERSION
    time: str = ""
    assumed: tuple[str, ...] = ASSUMPTIONS
    untrue_count: str = ""
    contradictions: tuple[str, ...] = msgspec.field(name="doubts", default=())
    loose: tuple[str, ...] = ()  # attributes that records show otherwise than they are found by
    lacking: tuple[str, ...] = ()  # attributes that some records do not have


def read_certificate(plain: Any) -> Certificate:
    """Read a certificate from plain data; raise ValueError where it is none."""
    found = msgspec.convert(plain, Certificate)
    if found.version != VERSION:
        raise ValueError("another version")
    return found


def write_region(region: QueryRegion) -> CertificateRegion:
    """Return a region of the selector as a certificate has it."""
    is_proven = region.state == "proven"
    return CertificateRegion(
        region.number,
        region.query,
        region.asked,
        region.shown,
        region.total,
        region.overflowed,
        region.harvested,
        proof=region.why if is_proven else "",
        why="" if is_proven else region.why or region.state,
        divided=tuple(
            CertificateDivision(
                each.attribute, "ranges" if each.ranges else "choices", tuple(child.number for child in each.children)
            )
            for each in region.divisions
        ),
    )


def walk_regions(root: QueryRegion, slices: Iterable[QueryRegion]) -> Iterator[QueryRegion]:
    """Yield every region after the one it lies in."""
    waiting = [each for each in slices if each.number < 0 and each.state == "proven"] + [root]
    while waiting:
        region = waiting.pop()
        yield region
        for division in region.divisions:
            waiting.extend(reversed(division.children))


def check_certificate(certificate: Certificate | Mapping[str, Any]) -> Verdict:
    """Return whether a certificate proves that everything was harvested, or why it does not."""
    try:
        found = certificate if isinstance(certificate, Certificate) else read_certificate(certificate)
        return _Check(found).verdict()
    except (KeyError, TypeError, ValueError, IndexError) as fault:
        return Verdict(False, f"not a certificate: {fault}"[:200])


class _Check:
    """One certificate under examination; regions are judged from the last to the first, parts before the whole."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self.regions = certificate.regions[:MAX_REGIONS]
        self.by_id = {region.id: region for region in self.regions}
        self.whole = {frozenset(_conditions(each.query)) for each in self.regions if self._ended(each)}
        self.faults: dict[int, str] = {}  # region -> why it is not proven, or nothing
        self.rests: dict[int, frozenset[str]] = {}  # region -> attributes that each record has to have

    def verdict(self) -> Verdict:
        root = self.by_id.get(0)
        if len(self.by_id) != len(self.regions) or root is None or root.query != Query():
            return Verdict(False, "its regions are not those of one database")
        proofs = {"read": self._read, "total": self._total, "inside": self._inside, "cover": self._cover}
        for region in reversed(self.regions):
            self.rests[region.id] = frozenset()
            proof = proofs.get(region.proof)
            self.faults[region.id] = proof(region) if proof else region.why or "no proof"
        if self.faults[0]:
            return Verdict(False, self._explain())
        if self.certificate.contradictions:
            return Verdict(False, f"answers contradict each other: {self.certificate.contradictions[0]}")
        rests = self.rests[0]
        lacking = sorted(rests.intersection(self.certificate.lacking))
        if lacking:
            return Verdict(False, f"there are records without {lacking[0]}, and no count shows that all were found")
        if rests:
            names = " and ".join(sorted(rests))
            return Verdict(False, f"complete only if every record has a value of {names}, which no count shows")
        if root.proof == "total":
            return Verdict(True, f"{root.held} records were harvested, as many as the source reports")
        return Verdict(True, "every answer was read to its end, and together they cover everything")

    def _explain(self) -> str:
        """Return what is missing, the parts before the whole."""
        leaves = [each for each in self.regions if self.faults[each.id] and not each.divided and each.id >= 0]
        leaves = [each for each in leaves if each.why != "not needed"]
        root, untrue = self.by_id[0], self.certificate.untrue_count
        left = f"; {root.total - root.held} records are left" if root.total is not None else ""
        first = self.faults[leaves[0].id] if leaves else self.faults[0]
        if untrue:
            first, left = f"counts are not to be trusted ({untrue}): {first}", ""
        return f"{first}{f', and {len(leaves) - 1} more like it' if len(leaves) > 1 else ''}{left}"

    def _ended(self, region: CertificateRegion) -> bool:
        """Return True if a region was asked for and its answer shown whole."""
        if not region.asked or region.overflowed:
            return region.proof == "total" and not self._total(region)
        if region.total is not None and not self.certificate.untrue_count:
            return region.total <= region.shown
        return not self.certificate.limit or region.shown < self.certificate.limit

    def _read(self, region: CertificateRegion) -> str:
        return "" if self._ended(region) else f"{region.query} was not read to its end"

    def _total(self, region: CertificateRegion) -> str:
        query = region.query
        if self.certificate.untrue_count:
            return f"{query} is proven by a count"
        if set(self.certificate.loose) & {name for name, *_ in _conditions(query)}:
            return f"{query}: records show other values than they are found by"
        if region.total is None or region.total != region.held or region.held > self.certificate.records:
            return f"{query}: {region.held} were harvested of {region.total}"
        return ""

    def _inside(self, region: CertificateRegion) -> str:
        query = region.query
        if any(frozenset([condition]) in self.whole for condition in _conditions(query) if len(condition) == 2):
            return ""
        return f"{query} lies inside nothing that was read"

    def _cover(self, region: CertificateRegion) -> str:
        """Check that all parts are proven and leave no gap."""
        query, names = region.query, []
        rests: frozenset[str] = frozenset()
        for division in region.divided:
            parts = [self.by_id[part].query for part in division.parts]
            fault = next((self.faults[part] for part in division.parts if self.faults[part]), "")
            check = self._leaves_choice if division.kind == "choices" else self._leaves_gap
            fault = fault or check(query, division.by, parts) or self._adds_up(region, division)
            if fault:
                return fault
            names.append(division.by)
            rests = rests.union(*(self.rests[part] for part in division.parts))
        if not names:
            return f"{query} has no parts"
        texts = [text.casefold() for name in names for text in self.certificate.interface.choices.get(name, ())]
        here = frozenset() if not NONE_CHOICES.isdisjoint(texts) else frozenset([" or ".join(names)])
        self.rests[region.id] = rests | here
        return ""

    def _leaves_choice(self, whole: Query, name: str, parts: list[Query]) -> str:
        """Check that the parts are the whole with each choice of an attribute."""
        taken = set()
        for part in parts:
            own = set(part.values) - set(whole.values)
            if part.ranges != whole.ranges or len(own) != 1 or not set(whole.values) <= set(part.values):
                return f"{part} is no part of {whole}"
            taken |= {text for attribute, text in own if attribute == name}
        missed = set(self.certificate.interface.choices[name]) - taken
        return f"{whole}: {name}={min(missed)} was not asked for" if missed else ""

    def _leaves_gap(self, whole: Query, name: str, parts: list[Query]) -> str:
        """Check that the parts are the whole with ranges that lie side by side from one end to the other."""
        kind = self.certificate.interface.ranges[name]
        grain = int(read_amount(self.certificate.grain[name], "number") or 0) if kind == "number" else UNIT
        others = _others(whole, name)
        if any(set(part.values) != set(whole.values) or _others(part, name) != others for part in parts):
            return f"{whole} has a part that is none"
        low, high = _bounds(whole, name, kind)
        reach = low  # all up to here is covered; the parts are laid from the lowest to the highest
        for start, end in sorted(
            (_bounds(part, name, kind) for part in parts), key=lambda each: (each[0] is not None, each[0] or 0)
        ):
            if start is not None and (reach is None or start > reach):
                return f"{whole}: {name} is not covered below {write_amount(start, kind)}"
            if end is None:
                return ""
            reach = end + grain if reach is None or end + grain > reach else reach
        is_covered = high is not None and reach is not None and reach > high
        return "" if is_covered else f"{whole}: {name} is not covered to its end"

    def _adds_up(self, region: CertificateRegion, division: CertificateDivision) -> str:
        """Check that the parts have no fewer records than the whole, where counts are exact."""
        totals = [self.by_id[part].total for part in dict.fromkeys(division.parts)]
        counted = [total for total in totals if total is not None]
        if region.total is None or len(counted) < len(totals) or self.certificate.untrue_count:
            return ""
        return (
            "" if sum(counted) >= region.total else f"{region.query}: its parts have {sum(counted)} of {region.total}"
        )


def _conditions(query: Query) -> list[tuple[str, ...]]:
    return [tuple(value) for value in query.values] + [tuple(each) for each in query.ranges]


def _others(query: Query, name: str) -> set[Range]:
    return {each for each in query.ranges if each.attribute != name}


def _bounds(query: Query, name: str, kind: str) -> tuple[int | None, int | None]:
    for each in query.ranges:
        if each.attribute == name:
            return _end(each.low, kind), _end(each.high, kind)
    return None, None


def _end(text: str, kind: str) -> int | None:
    """Read an end of a range: nothing for no end, and no number is a fault."""
    if not text:
        return None
    amount = read_amount(text, kind)
    if amount is None:
        raise ValueError(f"{text} is no {kind}")
    return amount


async def reask_regions(regions: Sequence[CertificateRegion], ask: Ask, rng: Random, sample: int = 0) -> Verdict:
    """Ask some queries of a certificate again, or all, and return whether the answers are still the same."""
    read = [each for each in regions if each.proof == "read" and each.asked]
    picked = rng.sample(read, sample) if 0 < sample < len(read) else read
    for region in picked:
        query = region.query
        shown, total, failed = await _count_shown(query, ask)
        if failed:
            return Verdict(False, f"{query} was not answered: {failed}")
        if shown != region.shown or (region.total is not None and total != region.total):
            return Verdict(False, f"{query}: {region.shown} were shown, now {shown}")
    return Verdict(True, f"{len(picked)} of {len(read)} answers are the same")


async def _count_shown(query: Query, ask: Ask) -> tuple[int, int | None, str]:
    """Read an answer to its end: how many it shows, how many it reports, and why it did not come."""
    shown, total = 0, None
    for page in range(MAX_PAGES):
        answer = await ask(query, page)
        if answer.failure or answer.trouble:
            return shown, total, str(answer.failure or answer.trouble)
        shown, total = shown + len(answer.records), answer.total if answer.total is not None else total
        if not answer.more or not answer.records:
            break
    return shown, total, ""
