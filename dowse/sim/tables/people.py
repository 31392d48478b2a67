"""People in records: those of a record belong to one circle, so that the same people meet again and again."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from dowse.sim.tables.columns import BOUNDS, Groups, Key, Slot
from dowse.sim.tables.law import Law, Span
from dowse.sim.tables.matches import NOTHING, Everything, Match, any_of, at_places
from dowse.sim.tables.names import PEOPLE, Names
from dowse.sim.tables.shuffle import Shuffle

_MANY = 2000  # circles for which the bounds of all are worth keeping


class Seat(NamedTuple):
    """One of the people of a record, by the record's place in its circle; in thousandths of the circle."""

    turn: int  # the members are counted from here on
    power: int
    share: int  # how many records have this seat


class Crew(NamedTuple):
    """How many people records have and who they are."""

    seats: tuple[Seat, ...]
    members: tuple[int, int]  # thousandths of a circle's records, and some more
    guests: int  # thousandths of the records that have someone of another circle


CREWS = {
    "persons": Crew((Seat(0, 3, 1000), Seat(500, 2, 650), Seat(750, 1, 350)), (750, 2), 120),
    "person": Crew((Seat(200, 2, 1000),), (125, 1), 0),
}


class Circle(NamedTuple):
    """Records that stand together, and the people they are by."""

    start: int  # its first place
    size: int
    person: int  # its first member
    members: int


class Circles:
    """The circles of a block of records; the first are the largest."""

    def __init__(self, places: Slot, guests: Shuffle) -> None:
        self.places = places
        self.guests = guests

    def circle(self, number: int, crew: Crew) -> Circle:
        """Return a circle."""
        return _make_circle(*self.places.law.span(number), *PEOPLE.span(number), crew)

    def several(self, numbers: Collection[int], crew: Crew) -> Iterator[tuple[int, Circle]]:
        """Return circles with their numbers; for many, all bounds are worked out once and kept."""
        if len(numbers) < _MANY:
            yield from ((number, self.circle(number, crew)) for number in numbers)
            return
        places, people = self._bounds
        for number in numbers:
            span = (places[number], places[number + 1], people[number], people[number + 1])
            yield number, _make_circle(*span, crew)

    @cached_property
    def _bounds(self) -> tuple[array[int], array[int]]:
        law = self.places.law
        return law.bounds(law.values), _people_bounds(1 << law.values.bit_length())


def _make_circle(start: int, end: int, person: int, limit: int, crew: Crew) -> Circle:
    members = crew.members[0] * (end - start) // 1000 + crew.members[1]
    return Circle(start, end - start, person, min(members, limit - person))


@lru_cache(maxsize=4)
def _people_bounds(circles: int) -> array[int]:
    return PEOPLE.bounds(min(circles, PEOPLE.values))


@lru_cache(maxsize=8192)
def _seat_spans(seats: tuple[Seat, ...], size: int, members: int, member: int) -> tuple[Span, ...]:
    """Return the places within a circle of the records that a member has a seat in; small circles are much alike."""
    spans: list[Span] = []
    for offset, seat in enumerate(seats):
        first, end = Law(members, size, seat.power).span((member - offset) % members)
        turn = size * seat.turn // 1000
        taken = -(-size * seat.share // 1000)
        spans.append((max(0, first - turn), min(taken, end - turn)))
        spans.append((first - turn + size, min(taken, end - turn + size)))
    return tuple((first, end) for first, end in spans if first < end)


def make_circles(size: int, *key: object) -> Circles:
    """Divide a block of records into circles of some six records, a few of them far larger."""
    law = Law(min(max(1, size // 6), PEOPLE.values), size, 3)
    return Circles(Slot(Shuffle(size, *key, "circle"), law), Shuffle(size, *key, "guest"))


class People(NamedTuple):
    """The people of each record of a block."""

    circles: Circles
    crew: Crew
    names: Names

    def values(self, number: int) -> tuple[str, ...]:
        """Return their names."""
        return tuple(dict.fromkeys(map(self.names.name, self._people(number))))

    def key(self, number: int) -> Key:
        """Sort by the first name."""
        return self.names.name(next(self._people(number))).casefold()

    def groups(self) -> Groups:
        """Group by the first part of the first name."""
        clusters = self.names.parts.clusters()
        first = self._replace(crew=self.crew._replace(seats=self.crew.seats[:1], guests=0))
        return Groups(len(clusters), lambda at: first._match(self.names.find(((0, clusters[at]),))), False, NOTHING)

    def match(self, way: str, wanted: str) -> Match:
        """Find people, then the places where they sit."""
        return Everything(self.circles.guests.size) if way in BOUNDS else self._match(self.names.match(way, wanted))

    def _match(self, people: Match) -> Match:
        seated: list[Span] = []
        guests: list[Span] = []
        for number, circle, members in self._find(people):
            start = circle.start
            for member in members:
                spans = _seat_spans(self.crew.seats, circle.size, circle.members, member)
                seated += ((start + low, start + high) for low, high in spans)
            if self.crew.guests and 0 in members:
                guests.append(self._guest_law().span(number))
        return any_of((at_places(self.circles.places.shuffle, seated), at_places(self.circles.guests, guests)))

    def _people(self, number: int) -> Iterator[int]:
        """Return the people of a record; someone may come twice."""
        place = self.circles.places.shuffle.place(number)
        circle = self.circles.circle(self.circles.places.law.rank(place), self.crew)
        at = place - circle.start
        for offset, seat in enumerate(self.crew.seats):
            if at * 1000 < circle.size * seat.share:
                turned = (at + circle.size * seat.turn // 1000) % circle.size
                rank = Law(circle.members, circle.size, seat.power).rank(turned)
                yield circle.person + (rank + offset) % circle.members
        law = self._guest_law()
        guest = self.circles.guests.place(number) if law.length else 0
        if guest < law.length:
            yield PEOPLE.bound(law.rank(guest))

    def _guest_law(self) -> Law:
        """Guests are the first members of circles, those of large circles more often."""
        return Law(self.circles.places.law.values, self.circles.guests.size * self.crew.guests // 1000, 2)

    def _find(self, found: Match) -> Iterator[tuple[int, Circle, list[int]]]:
        """Return the circles with people who are wanted, and which members these are.

        Few people are looked up; for many it is sooner done to go through all who are in the block.
        """
        circles = self.circles.places.law.values
        if found.most > self.circles.guests.size + circles:
            return self._among(found, range(circles))
        by_circle: dict[int, list[int]] = {}
        for person in found.numbers():
            by_circle.setdefault(PEOPLE.rank(person), []).append(person)
        return self._known(by_circle, circles)

    def _among(self, found: Match, circles: range) -> Iterator[tuple[int, Circle, list[int]]]:
        known = list(self.circles.several(circles, self.crew))
        everyone = [each for _, circle in known for each in range(circle.person, circle.person + circle.members)]
        kept = set(found.keep(everyone))
        for number, circle in known:
            people = [each for each in range(circle.person, circle.person + circle.members) if each in kept]
            if people:
                yield number, circle, [person - circle.person for person in people]

    def _known(self, by_circle: dict[int, list[int]], circles: int) -> Iterator[tuple[int, Circle, list[int]]]:
        present = [number for number in by_circle if number < circles]
        for number, circle in self.circles.several(present, self.crew):
            people = (person - circle.person for person in by_circle[number])
            members = [member for member in people if member < circle.members]
            if members:
                yield number, circle, members
