"""The records of a browsable site, drawn from the tables that stand behind forms elsewhere, and how lists divide them."""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

from dowse.sim.chance import between, dice, mix, number_of
from dowse.sim.naming import slug
from dowse.sim.shapes.shape import Shape
from dowse.sim.tables import Attribute, Table, make_table
from dowse.sim.tables.table import Row
from dowse.sim.wording import Wording

FIRST_DAY: Final = date(2025, 1, 15)
YEARS_BACK: Final = 3.4  # that a site was filled before its first day
MOST_TARGETS: Final = 400
MOST_ADDED: Final = 120
BLOCK: Final = 20  # records that are made together; what a block holds depends on its place and size only
MISSING: Final = 12  # of a hundred values that nobody filled in
TAGS: Final = 3


class Roles(NamedTuple):
    """The attributes of a topic by what lists are made of."""

    category: str
    part: str
    owner: str
    tags: str


ROLES: Mapping[str, Roles] = {
    "books": Roles("subject", "publisher", "author", ""),
    "cars": Roles("make", "model", "", ""),
    "jobs": Roles("category", "city", "company", ""),
    "homes": Roles("city", "district", "", "features"),
    "recipes": Roles("cuisine", "course", "", "ingredient"),
    "films": Roles("genre", "country", "director", ""),
    "papers": Roles("journal", "keyword", "author", "keyword"),
    "plants": Roles("family", "genus", "", ""),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A record: what it is called, when it came, and by what it is listed."""

    number: int
    public: int  # the number that addresses have for it
    title: str
    slug: str  # unlike that of any other
    native: str  # the same with the letters of its language
    letter: str
    day: int  # on which it came; 0 for those of the beginning
    date: date
    category: str
    part: str
    owner: str
    tags: tuple[str, ...]
    cells: tuple[tuple[str, str], ...]  # label and value; no value where nobody filled it in


DIVISIONS: Mapping[str, Callable[[Piece], tuple[str, ...]]] = {
    "letter": lambda piece: (piece.letter,),
    "category": lambda piece: (piece.category,),
    "part": lambda piece: (piece.part,),
    "year": lambda piece: (f"{piece.date.year}",),
    "month": lambda piece: (f"{piece.date.month:02}",),
    "initial": lambda piece: (first_letter(piece.owner.split()[-1]),),
    "owner": lambda piece: (piece.owner,),
    "tag": lambda piece: piece.tags,
}


def draw_pieces(shape: Shape, topic: str, wording: Wording, key: str, day: int) -> tuple[Piece, ...]:
    """Draw the records that a site has on a day: those of the beginning, and after them what came since."""
    size = between(dice(key, "size"), *shape.sizes)
    most = min(MOST_ADDED, MOST_TARGETS - size)
    added = min(most, int(day * shape.growth))
    blocks = math.ceil(added / BLOCK)
    table = make_table(topic, wording, f"{key}/pieces", (size, *[BLOCK] * blocks))
    writer = _Writer(table, topic, number_of(key, "pieces"), size, shape.growth)
    return tuple(writer.write(number) for number in range(size + added))


class _Writer:
    """Makes records one after the other; a name that was taken gets a number."""

    def __init__(self, table: Table, topic: str, key: int, size: int, growth: float) -> None:
        self._table, self._roles, self._key, self._size, self._growth = table, ROLES[topic], key, size, growth
        self._is_titled = table.attributes[0].kind == "title"
        self._taken: Counter[str] = Counter()
        self._last: dict[str, tuple[str, ...]] = {each.name: (each.labels[0],) for each in table.attributes}

    def write(self, number: int) -> Piece:
        """Make the next record."""
        table, roles = self._table, self._roles
        row, title = self._fill(table.row(number)), table.name(number)
        words = title.replace(",", "").replace(":", "").split()
        short, native = slug(title), title.replace(" ", "-")
        again = self._count(short)
        return Piece(
            number=number,
            public=1000 + self._key % 4000 + number * 3 + mix(self._key, number) % 2,
            title=title,
            slug=f"{short}-{again}" if again else short,
            native=f"{native}-{again}" if again else native,
            letter=first_letter(words[1 if self._is_titled and len(words) > 2 else 0]),
            day=self._day_of(number),
            date=self._date_of(number),
            category=_first(row, roles.category),
            part=_first(row, roles.part),
            owner=_first(row, roles.owner),
            tags=tuple(dict.fromkeys(row.get(roles.tags, ())))[:TAGS],
            cells=tuple((each.labels[0], self._show(each, row[each.name], number)) for each in table.attributes),
        )

    def _fill(self, row: Row) -> Row:
        """Give what lists are made of where it is missing: the value of the record before."""
        filled = {name: row[name] or self._last[name] for name in self._roles if name}
        self._last |= {name: values[:1] for name, values in filled.items()}
        return row | filled

    def _count(self, short: str) -> int:
        self._taken[short] += 1
        return self._taken[short] - 1 and self._taken[short]

    def _day_of(self, number: int) -> int:
        later = number - self._size + 1
        return math.ceil(later / self._growth) if later > 0 else 0

    def _date_of(self, number: int) -> date:
        if number >= self._size:
            return FIRST_DAY + timedelta(days=self._day_of(number))
        return FIRST_DAY - timedelta(days=int((self._size - number) * YEARS_BACK * 365 / self._size))

    def _show(self, attribute: Attribute, values: tuple[str, ...], number: int) -> str:
        """Write the values of an attribute; what lists are made of is never missing."""
        kept = attribute.kind == "title" or attribute.name in self._roles
        if not kept and mix(self._key ^ number_of(attribute.name), number) % 100 < MISSING:
            return ""
        return ", ".join(values)


def _first(row: Mapping[str, tuple[str, ...]], name: str) -> str:
    return row[name][0] if name else ""


def first_letter(word: str) -> str:
    """Return the letter under which a word stands in an alphabet, without its accents."""
    for character in unicodedata.normalize("NFKD", word):
        if character.isalnum():
            return character.upper()
    return "0"
