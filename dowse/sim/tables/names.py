"""The names of people: a few names of a language become those of hundreds of thousands."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from dowse.sim.tables.law import Law, Span
from dowse.sim.tables.matches import Everything, Match, all_of, at_places
from dowse.sim.tables.pools import blend_names, make_families, turn_list
from dowse.sim.tables.shuffle import Shuffle
from dowse.sim.tables.values import Parts, Pattern, Values
from dowse.sim.wording import Wording

# Who there can be: circles and their members, by a power law. The same people serve databases of every size, so that
# the people of older records come up in those that are added later.
PEOPLE = Law(1 << 17, 1 << 21, 3)


class NameStyle(NamedTuple):
    """How a language makes more names of the ones it has."""

    given: int  # given names that blend two others
    hyphen: str  # between two family names
    dot: str  # after a middle initial
    order: tuple[int, int, int]  # of given name, initial and family name


_GIVEN, _INITIAL, _FAMILY = range(3)
_POWERS = (2, 4, 3)
_MOST_KNOWN = 16
_STYLE = NameStyle(160, "-", ".", (_GIVEN, _INITIAL, _FAMILY))
_STYLES = {"ja": NameStyle(400, "", "", (_FAMILY, _INITIAL, _GIVEN))}


class Names:
    """The name of everyone who can be in a database, and everyone who has a name.

    Family names divide the places of one shuffle, and given names divide those of a family name, so that all who have
    both stand together. Initials are drawn by themselves.
    """

    def __init__(self, wording: Wording, *key: object) -> None:
        self._people = Shuffle(PEOPLE.length, *key, "people")
        self._initials = Shuffle(PEOPLE.length, *key, "initials")
        self._style = _STYLES.get(wording.language, _STYLE)
        self.parts = _name_parts(wording.first_names, wording.last_names, self._style)
        sizes = dict(zip(self._style.order, (len(each.texts) for each in self.parts.lists), strict=True))
        plain = (len(wording.first_names), 1, len(wording.last_names))
        self._turns = [turn_list(plain[part], sizes[part], *key, part) for part in range(3)]
        self._known: dict[tuple[str, str], Match] = {}

    def name(self, person: int) -> str:
        """Return the name of a person."""
        place = self._people.place(person)
        family = self._law(_FAMILY, PEOPLE.length).rank(place)
        start, end = self._family_bounds[family : family + 2]
        given = self._law(_GIVEN, end - start).rank(place - start)
        initial = self._law(_INITIAL, PEOPLE.length).rank(self._initials.place(person))
        indexes = [turn.text_at(rank) for turn, rank in zip(self._turns, (given, initial, family), strict=True)]
        return self.parts.text(indexes[part] for part in self._style.order)

    def match(self, way: str, wanted: str) -> Match:
        """Return the people whose name meets what is wanted; all blocks of a database ask for the same."""
        if (way, wanted) not in self._known:
            if len(self._known) == _MOST_KNOWN:
                self._known.clear()
            self._known[way, wanted] = self.parts.match(way, wanted, self.find, Everything(PEOPLE.length))
        return self._known[way, wanted]

    def find(self, pattern: Pattern) -> Match:
        """Return the people whose name has these parts."""
        wanted = {self._style.order[at]: indexes for at, indexes in pattern}
        ranks = {part: sorted(map(self._turns[part].rank, indexes)) for part, indexes in wanted.items()}
        everything = Everything(PEOPLE.length)
        named = everything if ranks.keys() <= {_INITIAL} else at_places(self._people, self._spans(ranks))
        if _INITIAL not in ranks:
            return named
        initials = self._law(_INITIAL, PEOPLE.length).spans(ranks[_INITIAL])
        return all_of((named, at_places(self._initials, initials)), everything)

    @cached_property
    def _family_bounds(self) -> tuple[int, ...]:
        law = self._law(_FAMILY, PEOPLE.length)
        return tuple(map(law.bound, range(law.values + 1)))

    def _law(self, part: int, length: int) -> Law:
        return Law(self._turns[part].total, length, _POWERS[part])

    def _spans(self, ranks: dict[int, list[int]]) -> Iterator[Span]:
        """Return the places of family names, divided by given names where these are wanted."""
        bounds = self._family_bounds
        for family in ranks.get(_FAMILY, range(len(bounds) - 1)):
            start, end = bounds[family : family + 2]
            if _GIVEN not in ranks:
                yield start, end
                continue
            for first, last in self._law(_GIVEN, end - start).spans(ranks[_GIVEN]):
                yield start + first, start + last


@lru_cache(maxsize=32)
def _name_parts(first_names: tuple[str, ...], last_names: tuple[str, ...], style: NameStyle) -> Parts:
    """Return the parts of a name as they are written, each but the first after a space."""
    letters = dict.fromkeys(f"{name[0]}{style.dot}" for name in first_names if style.dot)
    lists = (
        (*first_names, *blend_names(first_names, style.given)),
        ("", *letters),
        (*last_names, *make_families(last_names, style.hyphen)),
    )
    front, *others = (lists[part] for part in style.order)
    return Parts(Values(front), *(Values(tuple(f" {text}" if text else "" for text in each)) for each in others))
