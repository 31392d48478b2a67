"""An object of a file that a person may have changed, read key by key: what is wrong is told with its key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from dowse.errors import BadInput

T = TypeVar("T")
Read = Callable[[Any], T]  # returns the value, or raises a ValueError that says what is wrong
LARGEST: Final = 1e15  # a number in a file; JSON as Python reads it has infinite ones too
_NEEDED: Final = object()


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of one object, and where it stands in the file."""

    file: str
    place: str
    told: dict[str, Any]

    @classmethod
    def of(cls, file: str, place: str, told: object, known: tuple[str, ...]) -> Keys:
        """Return the keys of an object that has no other keys than the known ones."""
        if not isinstance(told, dict):
            raise BadInput(f"{file}: {place or 'the whole'} is not an object {{...}}")
        keys = cls(file, place, told)
        for key in told:
            if key not in known:
                raise BadInput(f"{file}: {keys.name(str(key)[:60])} is not known; there are {', '.join(known)}")
        return keys

    def name(self, key: str) -> str:
        """Return where a key stands, such as paths[0].steps[1].pattern."""
        return f"{self.place}.{key}" if self.place else key

    def take(self, key: str, read: Read[T], otherwise: object = _NEEDED) -> T:
        """Return the value of a key, as `read` gives it."""
        if key not in self.told:
            if otherwise is _NEEDED:
                raise BadInput(f"{self.file}: {self.name(key)} is missing")
            return read(otherwise)
        return self._read(self.name(key), self.told[key], read)

    def _read(self, place: str, value: object, read: Read[T]) -> T:
        try:
            return read(value)
        except ValueError as wrong:
            raise BadInput(f"{self.file}: {place} {wrong}") from None

    def several(self, key: str, most: int) -> Iterator[tuple[str, Any]]:
        """Yield the values of a list, each with where it stands; a list that is missing is empty."""
        values = self.told.get(key, [])
        if not isinstance(values, list):
            raise BadInput(f"{self.file}: {self.name(key)} is not a list [...]")
        if len(values) > most:
            raise BadInput(f"{self.file}: {self.name(key)} has more than {most:,} values")
        for place, value in enumerate(values):
            yield f"{self.name(key)}[{place}]", value

    def take_several(self, key: str, most: int, read: Read[T]) -> tuple[T, ...]:
        """Return the values of a list, each as `read` gives it."""
        return tuple(self._read(place, value, read) for place, value in self.several(key, most))


def read_text(value: object) -> str:
    """Take a text."""
    if not isinstance(value, str):
        raise ValueError('is not a text "..."')
    return value


def read_flag(value: object) -> bool:
    """Take true or false."""
    if not isinstance(value, bool):
        raise ValueError("is neither true nor false")
    return value


def read_number(value: object) -> float:
    """Take a number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
        raise ValueError("is not a number")
    return value
