"""People in records: those of a record belong to one circle, so that the same people meet again and again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dowse.sim.tables.columns import BOUNDS, Groups, Key, Slot
from dowse.sim.tables.law import Law, Span
from dowse.sim.tables.matches import NOTHING, Everything, Match, any_of, at_places
from dowse.sim.tables.names import PEOPLE, Names
from dowse.sim.tables.shuffle import Shuffle


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


class Circles(NamedTuple):
    """The circles of a block of records; the first are the largest."""

    places: Slot
    guests: Shuffle

    def circle(self, number: int, crew: Crew) -> Circle:
        """Return a circle."""
        start, end = self.places.law.span(number)
        person, limit = PEOPLE.span(number)
        members = crew.members[0] * (end - start) // 1000 + crew.members[1]
        return Circle(start, end - start, person, min(members, limit - person))


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
            for member in members:
                seated += self._seats(circle, member)
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

    def _seats(self, circle: Circle, member: int) -> Iterator[Span]:
        """Return the places of the records that a member of a circle has a seat in."""
        for offset, seat in enumerate(self.crew.seats):
            rank = (member - offset) % circle.members
            first, end = Law(circle.members, circle.size, seat.power).span(rank)
            turn = circle.size * seat.turn // 1000
            taken = -(-circle.size * seat.share // 1000)
            yield circle.start + max(0, first - turn), circle.start + min(taken, end - turn)
            yield circle.start + first - turn + circle.size, circle.start + min(taken, end - turn + circle.size)

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

    def _among(self, found: Match, circles: Iterable[int]) -> Iterator[tuple[int, Circle, list[int]]]:
        for number in circles:
            circle = self.circles.circle(number, self.crew)
            people = found.keep(range(circle.person, circle.person + circle.members))
            if people:
                yield number, circle, [person - circle.person for person in people]

    def _known(self, by_circle: dict[int, list[int]], circles: int) -> Iterator[tuple[int, Circle, list[int]]]:
        for number, people in by_circle.items():
            if number < circles:
                circle = self.circles.circle(number, self.crew)
                members = [person - circle.person for person in people if person - circle.person < circle.members]
                yield number, circle, members
