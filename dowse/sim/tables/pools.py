"""Long lists of texts made of the short ones of a wording: names of people, and the parts of titles.

They are the same for every database of a language and shared by all; each database turns them by itself, so that
other texts are frequent in it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from dowse.sim.tables.shuffle import draw
from dowse.sim.tables.values import Parts, Values, in_keyed_order

_VOWELS = frozenset("aeiouyàáâãäåæąèéêëęìíîïòóôõöøœùúûüýаеёиоуыэюя")
_NUMERALS = ("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


class Turn(NamedTuple):
    """A database's own order of a list: the plain texts stay more frequent than the made ones, each kind is rotated."""

    plain: int
    total: int
    by: int

    def text_at(self, rank: int) -> int:
        """Return which text has a rank; a rank beyond the list stays what it is."""
        return self._rotate(rank, self.by)

    def rank(self, index: int) -> int:
        """Return the rank of a text."""
        return self._rotate(index, -self.by)

    def _rotate(self, at: int, by: int) -> int:
        if at < self.plain:
            return (at + by) % self.plain
        if at < self.total:
            return self.plain + (at - self.plain + by) % (self.total - self.plain)
        return at


def turn_list(plain: int, total: int, *key: object) -> Turn:
    """Return the order that belongs to a key."""
    return Turn(plain, total, draw(*key, "turn") % max(1, total))


def blend_names(names: tuple[str, ...], count: int) -> tuple[str, ...]:
    """Make names of the first half of one and the second half of another, in no order."""
    halves = [_halve(name) for name in names]
    blends = (" ".join((first + last).split()) for first, _ in halves for _, last in halves if last)
    made = tuple(dict.fromkeys(blend for blend in blends if blend not in names))
    return in_keyed_order(made, "blends")[:count]


def _halve(name: str) -> tuple[str, str]:
    """Cut a name after a vowel, near the middle, so that any two halves can be spoken; else in the middle."""
    cuts = [at for at in range(1, len(name)) if name[at - 1] in _VOWELS and name[at] not in _VOWELS]
    cut = min(cuts, key=lambda at: abs(2 * at - len(name)), default=(len(name) + 1) // 2)
    return name[:cut], name[cut:]


@lru_cache(maxsize=32)
def make_families(names: tuple[str, ...], hyphen: str) -> tuple[str, ...]:
    """Return more family names: blends, and double names where the language has a hyphen for them."""
    doubles = [f"{one}{hyphen}{other}" for one in names for other in names if hyphen and one != other]
    made = dict.fromkeys((*blend_names(names, len(names) ** 2), *doubles))
    return in_keyed_order(tuple(made), "families")


@lru_cache(maxsize=32)
def make_title_parts(
    heads: tuple[str, ...], words: tuple[str, ...], tails: tuple[str, ...], endings: tuple[str, ...], comma: str
) -> Parts:
    """Return the parts of titles: head, perhaps a word, tail, perhaps an ending or the number of a volume."""
    return Parts(
        Values(heads),
        Values((*(f" {word}" for word in words), "")),
        Values(tuple(f" {tail}" for tail in tails)),
        Values((*(f" {numeral}" for numeral in _NUMERALS), *(f"{comma}{each}" for each in endings), "")),
    )


def count_plain_endings(endings: int) -> int:
    """Return how many endings are plain when so many plain ones are given."""
    return len(_NUMERALS) + endings
