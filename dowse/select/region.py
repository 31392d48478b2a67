"""A part of a database that one query asks for, and how it was divided: the tree of a complete drawing."""

from __future__ import annotations

from dataclasses import dataclass, field

from dowse.model import Query, Range, Value
from dowse.select.scale import Scale

Bounds = tuple[int | None, int | None]


@dataclass(slots=True, repr=False, eq=False)
class Division:
    """A region divided by one attribute: into all its choices, or into ranges one after the other."""

    attribute: str
    choices: list[str] = field(default_factory=list)  # that still wait, the next one last
    ranges: bool = False
    start: int | None = None  # where the next range begins
    end: int | None = None
    ranked: list[int] = field(default_factory=list)  # values of records that were known when it was divided
    groups: dict[str, list[int]] = field(default_factory=dict)  # members by their choice
    grouped: int = 0  # members that are in groups
    children: list[Region] = field(default_factory=list)
    over: bool = False  # nothing is left to make a child of
    spared: bool = False  # counts say that the rest is empty, so it was not asked for
    insisted: bool = False  # the counts did not add up, so that it was asked for after all


@dataclass(slots=True, repr=False, eq=False)
class Region:
    """What one query asks for."""

    number: int
    parent: Region | None
    values: tuple[Value, ...] = ()
    bounds: tuple[tuple[str, Bounds], ...] = ()
    query: Query = field(default_factory=Query)
    guess: int | None = None  # how many it should have, by the counts of others
    asked: bool = False
    shown: int = 0
    said: int | None = None  # the count that the answer gave
    exact: bool = False
    overflowed: bool = False
    failed: str = ""
    tries: int = 0
    state: str = "waiting"  # open, proven, short
    why: str = ""  # read, total, inside, cover; or what it lacks
    members: list[int] | None = None  # records that are known to be in it
    held: int = 0  # how many that were in the end
    divisions: list[Division] = field(default_factory=list)

    @property
    def total(self) -> int | None:
        """How many records it has, where an answer said so exactly."""
        return self.said if self.exact else None

    @property
    def about(self) -> int | None:
        """How many records it should have."""
        return self.said if self.said is not None else self.guess

    @property
    def given(self) -> frozenset[str]:
        """Attributes that its query names."""
        return frozenset([each.attribute for each in self.values] + [name for name, _ in self.bounds])

    def bound(self, attribute: str) -> Bounds:
        """Return the ends of its range of an attribute."""
        return dict(self.bounds).get(attribute, (None, None))

    def known(self) -> list[int]:
        """Return its members; none before it was looked at."""
        return self.members if self.members is not None else []


def chosen(region: Region, number: int, value: Value) -> Region:
    """Return the part of a region that has a value."""
    return Region(number, region, tuple(sorted((*region.values, value))), region.bounds)


def ranged(region: Region, number: int, attribute: str, bounds: Bounds) -> Region:
    """Return the part of a region that lies in a range."""
    others = tuple(each for each in region.bounds if each[0] != attribute)
    kept = others if bounds == (None, None) else (*others, (attribute, bounds))
    return Region(number, region, region.values, tuple(sorted(kept, key=lambda each: each[0])))


def query_of(region: Region, scales: dict[str, Scale]) -> Query:
    """Return what asks for a region."""
    ranges = tuple(
        Range(name, scales[name].write(low), scales[name].write(high)) for name, (low, high) in region.bounds
    )
    return Query(region.values, ranges)
