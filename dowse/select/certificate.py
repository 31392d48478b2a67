"""The proof that everything was drawn, as plain data that can be checked without the source, or by asking it again.

    region  = read to the end without overflowing            (read)
            | as many records held as an exact count says     (total)
            | inside a region that was read                   (inside)
            | covered by parts, each of them proven           (cover)

A cover reaches only records that have a value of the attribute it divides by. No count, no proof
of that: the check then says on what it rests instead of saying yes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from dowse.model import Answer, Query, Range, Value, Verdict
from dowse.select.divide import UNIT, Division, Region, Scale, read_amount, write_amount
from dowse.select.selector import Interface

VERSION: Final = 1
MAX_REGIONS: Final = 2_000_000
MAX_PAGES: Final = 10_000  # of one answer that is asked for again
NONE_CHOICES: Final = frozenset(
    {"none", "n/a", "not specified", "unspecified", "unknown", "missing", "(none)", "(blank)"}
)
ASSUMED: Final = (
    "a query finds all records that have what it asks for, and a range includes its ends",
    "a list of choices has every value that a record can have",
    "the database did not change while it was drawn",
)

Ask = Callable[[Query, int], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a certificate is written from."""

    interface: Interface
    root: Region
    slices: tuple[Region, ...]
    scales: Mapping[str, Scale]
    limit: int
    records: int
    lies: str
    doubts: tuple[str, ...]
    loose: tuple[str, ...]
    lacking: tuple[str, ...]
    time: str


def write_certificate(drawing: Drawing) -> dict[str, Any]:
    """Write down what was asked and why that is everything."""
    face = drawing.interface
    return {
        "version": VERSION,
        "time": drawing.time,
        "interface": {
            "choices": {name: list(texts) for name, texts in face.choices},
            "ranges": {span.attribute: span.type for span in face.spans},
            "blank": face.blank,
            "joins": face.joins,
            "required": list(face.required),
        },
        "limit": drawing.limit,
        "records": drawing.records,
        "grain": {name: write_amount(scale.grain, "number") for name, scale in drawing.scales.items()},
        "assumed": list(ASSUMED),
        "untrue_count": drawing.lies,
        "doubts": list(drawing.doubts[:100]),
        "loose": list(drawing.loose),
        "lacking": list(drawing.lacking),
        "regions": [_write_region(region) for region in _walk(drawing.root, drawing.slices)],
    }


def _walk(root: Region, slices: tuple[Region, ...]) -> Iterator[Region]:
    """Yield every region after the one it lies in."""
    waiting = [each for each in slices if each.number < 0 and each.state == "proven"] + [root]
    while waiting:
        region = waiting.pop()
        yield region
        for division in region.divisions:
            waiting.extend(reversed(division.children))


def _write_region(region: Region) -> dict[str, Any]:
    return {
        "id": region.number,
        "query": write_query(region.query),
        "asked": region.asked,
        "shown": region.shown,
        "total": region.total,
        "overflowed": region.overflowed,
        "held": region.held,
        "proof": region.why if region.state == "proven" else "",
        "why": "" if region.state == "proven" else region.why or region.state,
        "divided": [_write_division(division) for division in region.divisions],
    }


def _write_division(division: Division) -> dict[str, Any]:
    kind = "ranges" if division.ranges else "choices"
    return {"by": division.attribute, "kind": kind, "parts": [child.number for child in division.children]}


def write_query(query: Query) -> dict[str, Any]:
    """Write a query as plain data."""
    return {"values": [list(value) for value in query.values], "ranges": [list(each) for each in query.ranges]}


def read_query(plain: Mapping[str, Any]) -> Query:
    """Read a query from plain data."""
    values = tuple(Value(str(name), str(text)) for name, text in plain["values"])
    return Query(values, tuple(Range(str(name), str(low), str(high)) for name, low, high in plain["ranges"]))


def check_certificate(certificate: Mapping[str, Any]) -> Verdict:
    """Say whether a certificate proves that everything was drawn, or why it does not."""
    try:
        return _Check(certificate).verdict()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as fault:
        return Verdict(False, f"not a certificate: {type(fault).__name__} {fault}"[:200])


class _Check:
    """One certificate under examination; regions are judged from the last to the first, parts before the whole."""

    def __init__(self, certificate: Mapping[str, Any]) -> None:
        self.plain = certificate
        self.limit = int(certificate["limit"])
        self.regions: list[Mapping[str, Any]] = certificate["regions"][:MAX_REGIONS]
        self.queries = {region["id"]: read_query(region["query"]) for region in self.regions}
        self.whole = {frozenset(_conditions(self.queries[each["id"]])) for each in self.regions if self._ended(each)}
        self.faults: dict[int, str] = {}  # region -> why it is not proven, or nothing
        self.rests: dict[int, frozenset[str]] = {}  # region -> attributes that each record has to have

    def verdict(self) -> Verdict:
        if self.plain["version"] != VERSION:
            return Verdict(False, "a certificate of another version")
        if len(self.queries) != len(self.regions) or self.queries.get(0) != Query():
            return Verdict(False, "its regions are not those of one database")
        for region in reversed(self.regions):
            self._judge(region)
        if self.faults[0]:
            return Verdict(False, self._explain())
        if self.plain["doubts"]:
            return Verdict(False, f"answers contradict each other: {self.plain['doubts'][0]}")
        if self.rests[0]:
            return Verdict(False, self._explain_rest(self.rests[0]))
        root = next(region for region in self.regions if region["id"] == 0)
        if root["proof"] == "total":
            return Verdict(True, f"{root['held']} records are held, as many as the source says it has")
        return Verdict(True, "every answer was read to its end, and together they cover everything")

    def _explain_rest(self, rests: frozenset[str]) -> str:
        """Say what the proof rests on."""
        lacking = sorted(rests.intersection(self.plain["lacking"]))
        if lacking:
            return f"there are records without {lacking[0]}, and no count says that all were found"
        return f"complete only if every record has a value of {' and '.join(sorted(rests))}, which no count says"

    def _explain(self) -> str:
        """Say what is short, the parts before the whole."""
        leaves = [each for each in self.regions if self.faults[each["id"]] and not each["divided"] and each["id"] >= 0]
        leaves = [each for each in leaves if each["why"] != "not needed"]
        root = next(region for region in self.regions if region["id"] == 0)
        left = f"; {root['total'] - root['held']} records are left" if root["total"] is not None else ""
        first = self.faults[leaves[0]["id"]] if leaves else self.faults[0]
        if self.plain["untrue_count"]:
            first, left = f"counts are not to be trusted ({self.plain['untrue_count']}): {first}", ""
        return f"{first}{f', and {len(leaves) - 1} more like it' if len(leaves) > 1 else ''}{left}"

    def _judge(self, region: Mapping[str, Any]) -> None:
        self.rests[region["id"]] = frozenset()
        proofs = {"read": self._read, "total": self._total, "inside": self._inside, "cover": self._cover}
        proof = proofs.get(region["proof"])
        fault = proof(region) if proof else str(region["why"] or "no proof")
        self.faults[region["id"]] = fault

    def _ended(self, region: Mapping[str, Any]) -> bool:
        """Say whether a region was asked for and its answer shown whole."""
        if not region["asked"] or region["overflowed"]:
            return region["proof"] == "total" and not self._total(region)
        if region["total"] is not None and not self.plain["untrue_count"]:
            return bool(region["total"] <= region["shown"])
        return not self.limit or bool(region["shown"] < self.limit)

    def _read(self, region: Mapping[str, Any]) -> str:
        return "" if self._ended(region) else f"{self.queries[region['id']]} was not read to its end"

    def _total(self, region: Mapping[str, Any]) -> str:
        query = read_query(region["query"])
        if self.plain["untrue_count"]:
            return f"{query} is proven by a count"
        if set(self.plain["loose"]) & {name for name, *_ in _conditions(query)}:
            return f"{query}: records show other values than they are found by"
        if region["total"] is None or region["total"] != region["held"] or region["held"] > self.plain["records"]:
            return f"{query}: {region['held']} are held of {region['total']}"
        return ""

    def _inside(self, region: Mapping[str, Any]) -> str:
        query = self.queries[region["id"]]
        if any(frozenset([condition]) in self.whole for condition in _conditions(query) if len(condition) == 2):
            return ""
        return f"{query} lies inside nothing that was read"

    def _cover(self, region: Mapping[str, Any]) -> str:
        """Check that all parts are proven and leave no gap."""
        query, names = self.queries[region["id"]], []
        rests: frozenset[str] = frozenset()
        for division in region["divided"]:
            parts = [self.queries[part] for part in division["parts"]]
            fault = next((self.faults[part] for part in division["parts"] if self.faults[part]), "")
            check = self._leaves_choice if division["kind"] == "choices" else self._leaves_gap
            fault = fault or check(query, str(division["by"]), parts) or self._adds_up(region, division)
            if fault:
                return fault
            names.append(str(division["by"]))
            rests = rests.union(*(self.rests[part] for part in division["parts"]))
        if not names:
            return f"{query} has no parts"
        here = frozenset() if any(map(self._has_none_choice, names)) else frozenset([" or ".join(names)])
        self.rests[region["id"]] = rests | here
        return ""

    def _leaves_choice(self, whole: Query, name: str, parts: list[Query]) -> str:
        """Check that the parts are the whole with each choice of an attribute."""
        taken = set()
        for part in parts:
            own = set(part.values) - set(whole.values)
            if part.ranges != whole.ranges or len(own) != 1 or not set(whole.values) <= set(part.values):
                return f"{part} is no part of {whole}"
            taken |= {text for attribute, text in own if attribute == name}
        missed = set(self.plain["interface"]["choices"][name]) - taken
        return f"{whole}: {name}={min(missed)} was not asked for" if missed else ""

    def _leaves_gap(self, whole: Query, name: str, parts: list[Query]) -> str:
        """Check that the parts are the whole with ranges that lie side by side from one end to the other."""
        kind = self.plain["interface"]["ranges"][name]
        grain = int(read_amount(str(self.plain["grain"][name]), "number") or 0) if kind == "number" else UNIT
        others = {each for each in whole.ranges if each.attribute != name}
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
        return (
            ""
            if high is not None and reach is not None and reach > high
            else f"{whole}: {name} is not covered to its end"
        )

    def _adds_up(self, region: Mapping[str, Any], division: Mapping[str, Any]) -> str:
        """Check that the parts have no fewer records than the whole, where exact counts say so."""
        by_id = {each["id"]: each["total"] for each in self._parts(division)}
        totals = list(by_id.values())
        if region["total"] is None or None in totals or self.plain["untrue_count"] or sum(totals) >= region["total"]:
            return ""
        return f"{self.queries[region['id']]}: its parts have {sum(totals)} of {region['total']}"

    def _parts(self, division: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        if not hasattr(self, "_by_id"):
            self._by_id = {each["id"]: each for each in self.regions}
        return [self._by_id[part] for part in division["parts"]]

    def _has_none_choice(self, name: str) -> bool:
        return any(text.casefold() in NONE_CHOICES for text in self.plain["interface"]["choices"].get(name, ()))


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


async def ask_again(certificate: Mapping[str, Any], ask: Ask, rng: Random, sample: int = 0) -> Verdict:
    """Put some of the queries of a certificate again, or all, and say whether the answers are still the same."""
    read = [each for each in certificate["regions"] if each["proof"] == "read" and each["asked"]]
    picked = rng.sample(read, sample) if 0 < sample < len(read) else read
    for region in picked:
        query = read_query(region["query"])
        shown, total, failed = await _count(query, ask)
        if failed:
            return Verdict(False, f"{query} was not answered: {failed}")
        if shown != region["shown"] or (region["total"] is not None and total != region["total"]):
            return Verdict(False, f"{query}: {region['shown']} were shown, now {shown}")
    return Verdict(True, f"{len(picked)} of {len(read)} answers are the same")


async def _count(query: Query, ask: Ask) -> tuple[int, int | None, str]:
    """Read an answer to its end: how many it shows, how many it says, and why it did not come."""
    shown, total = 0, None
    for page in range(MAX_PAGES):
        answer = await ask(query, page)
        if answer.failure or answer.trouble:
            return shown, total, str(answer.failure or answer.trouble)
        shown, total = shown + len(answer.records), answer.total if answer.total is not None else total
        if not answer.more or not answer.records:
            break
    return shown, total, ""
