"""A navigation pattern as a value, and as a file that people can read and change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from dowse.errors import BadInput
from dowse.example.generalise import read_pattern
from dowse.model import Verdict
from dowse.records.template_pages import BadName, PageWrapper
from dowse.tree.similarity import read_shape
from dowse.url import canonical

# --- keys
# An object of a file that a person may have changed, read key by key: what is wrong is told with its key.

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


# --- pattern
# A navigation pattern as a value, and as a file that people can read and change.

VERSION: Final = 1
MAX_PATTERN_BYTES: Final = 4_000_000  # characters of a file
MAX_PATTERN_PATHS: Final = 50
MAX_PATH_STEPS: Final = 16  # of a path; nobody clicks further
MAX_FILE_ADDRESSES: Final = 1_000
MAX_FORM_VALUES: Final = 100_000  # that a form is asked with
MAX_SAMPLE_SHAPES: Final = 20
MAX_SESSION_PARAMETERS: Final = 50
METHOD: Final = "GET"  # of a form that is asked: what is sent with POST may change something


@dataclass(frozen=True, slots=True)
class Step:
    """Links to follow: those whose address the pattern matches; one that repeats is taken again on the pages it leads to."""

    pattern: str
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """The way from the entry to pages like the sample: the last step leads to them."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class FormQuery:
    """A form that is asked before the first step, with each of some values in one field."""

    address: str
    method: str
    field: str
    values: tuple[str, ...]
    words: bool = False  # words out of the titles of pages that are found are asked, too


@dataclass(frozen=True, slots=True)
class SampleShape:
    """How a sample is built, as text, and what the entry has in common with it."""

    shape: str
    common: float


@dataclass(frozen=True, slots=True)
class Pattern:
    """How to reach all pages like a sample, and what it was made from."""

    entry: str
    paths: tuple[Path, ...]
    samples: tuple[str, ...] = ()
    threshold: float = 0.0  # of likeness, from which a page is like the sample
    made: str = ""  # when
    figures: Mapping[str, float] = field(default_factory=dict)  # such as targets, mapped_pages
    first: FormQuery | None = None
    without: tuple[str, ...] = ()  # parameters of addresses that only number a visit
    avoid: tuple[str, ...] = ()  # pages that a step matches and that are known to be others, such as those of a menu
    lists: tuple[str, ...] = ()  # pages on the way that the last step matches, too, and that are no targets
    scale: float = 1.0  # what pages of the kind reach in likeness
    shapes: tuple[SampleShape, ...] = ()  # how the samples are built
    reader: Mapping[str, Any] = field(default_factory=dict)  # how the data of the pages is read

    def to_json(self) -> str:
        """Return the pattern as text, one step a line."""
        told: dict[str, Any] = {"version": VERSION, "entry": self.entry}
        if self.first:
            ask = self.first
            told["first"] = {
                "address": ask.address,
                "method": ask.method,
                "field": ask.field,
                "values": list(ask.values),
            }
            if ask.words:
                told["first"] |= {"words": True}
        told["paths"] = [{"steps": [_tell_step(step) for step in path.steps]} for path in self.paths]
        told |= {"samples": list(self.samples), "threshold": self.threshold, "made": self.made}
        if self.without:
            told["without"] = list(self.without)
        if self.avoid:
            told["avoid"] = list(self.avoid)
        if self.lists:
            told["lists"] = list(self.lists)
        told |= {"figures": dict(self.figures), "scale": self.scale, "reader": dict(self.reader)}
        return (
            json.dumps(
                {**told, "shapes": [{"common": each.common, "shape": each.shape} for each in self.shapes]},
                indent=2,
                ensure_ascii=False,
            )
            + "\n"
        )

    @classmethod
    def from_json(cls, text: str, name: str = "the pattern") -> Pattern:
        """Return the pattern that a file holds; a bad one is refused with the key that is wrong."""
        if len(text) > MAX_PATTERN_BYTES:
            raise BadInput(f"{name} has more than {MAX_PATTERN_BYTES:,} characters")
        try:
            told = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{name} is not JSON: {str(error)[:120]}") from None
        keys = Keys.of(name, "", told, ("version", *cls.__slots__))
        keys.take("version", _version, VERSION)
        paths = tuple(_read_path(name, place, path) for place, path in keys.several("paths", MAX_PATTERN_PATHS))
        if not paths:
            raise BadInput(f"{name}: paths is missing or empty")
        first, entry = told.get("first"), keys.take("entry", _address)
        return cls(
            entry,
            paths,
            keys.take_several("samples", MAX_FILE_ADDRESSES, _address),
            keys.take("threshold", _share, 0.0),
            keys.take("made", read_text, ""),
            keys.take("figures", _figures, {}),
            _read_ask(name, first, entry) if first is not None else None,
            keys.take_several("without", MAX_SESSION_PARAMETERS, read_text),
            keys.take_several("avoid", MAX_FILE_ADDRESSES, _address),
            keys.take_several("lists", MAX_FILE_ADDRESSES, _address),
            keys.take("scale", _scale, 1.0),
            tuple(_read_kept(name, place, kept) for place, kept in keys.several("shapes", MAX_SAMPLE_SHAPES)),
            _check_names(name, keys.take("reader", _reader, {})),
        )


def _tell_step(step: Step) -> dict[str, object]:
    return {"pattern": step.pattern, "repeats": True} if step.repeats else {"pattern": step.pattern}


def _read_path(name: str, place: str, told: object) -> Path:
    keys = Keys.of(name, place, told, Path.__slots__)
    steps = tuple(_read_step(name, where, step) for where, step in keys.several("steps", MAX_PATH_STEPS))
    if not steps:
        raise BadInput(f"{name}: {place}.steps is missing or empty")
    return Path(steps)


def _read_step(name: str, place: str, told: object) -> Step:
    keys = Keys.of(name, place, told, Step.__slots__)
    return Step(keys.take("pattern", _pattern), keys.take("repeats", read_flag, False))


def _read_ask(name: str, told: object, entry: str) -> FormQuery:
    keys = Keys.of(name, "first", told, FormQuery.__slots__)
    if _host(keys.take("address", _address)) != _host(entry):
        raise BadInput(f"{name}: first.address is on another host than entry")
    values = keys.take_several("values", MAX_FORM_VALUES, read_text)
    return FormQuery(
        keys.take("address", _address),
        keys.take("method", _method),
        keys.take("field", read_text),
        values,
        keys.take("words", read_flag, False),
    )


def _host(url: str) -> str:
    return urlsplit(canonical(url) or "").hostname or ""


def _read_kept(name: str, place: str, told: object) -> SampleShape:
    keys = Keys.of(name, place, told, SampleShape.__slots__)
    return SampleShape(keys.take("shape", _shape), keys.take("common", _less_than_whole, 0.0))


def _shape(value: object) -> str:
    try:
        read_shape(read_text(value))
    except BadInput as wrong:
        raise ValueError(f"is refused: {wrong}") from None
    return str(value)


def _less_than_whole(value: object) -> float:
    if not 0 <= read_number(value) < 1:
        raise ValueError("is not 0 or more and less than 1")
    return read_number(value)


def _scale(value: object) -> float:
    if not 0 < read_number(value) <= 1:
        raise ValueError("is not more than 0 and 1 at most")
    return read_number(value)


def _version(value: object) -> None:
    if value != VERSION:
        raise ValueError(f"is {str(value)[:20]}; version {VERSION} can be read")


def _address(value: object) -> str:
    if canonical(read_text(value)) is None:
        raise ValueError(f"is not a web address: {str(value)[:120]!r}")
    return str(value)


def _pattern(value: object) -> str:
    read = read_pattern(read_text(value))
    if isinstance(read, Verdict):
        raise ValueError(read.reason)
    return str(value)


def _share(value: object) -> float:
    if not 0 <= read_number(value) <= 1:
        raise ValueError("is not between 0 and 1")
    return read_number(value)


def _method(value: object) -> str:
    if value != METHOD:
        raise ValueError(f"is not {METHOD}; no other forms are asked")
    return str(value)


def _reader(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("is not an object {...}")
    return value


def _check_names(name: str, reader: dict[str, Any]) -> dict[str, Any]:
    """Refuse names that cannot be columns; a reader of another Dowse is refused where it is used, for it can be learned again."""
    try:
        PageWrapper.from_dict(reader)
    except BadName as wrong:
        raise BadInput(f"{name}: reader.{wrong}") from None
    except BadInput:
        pass
    return reader


def _figures(value: object) -> dict[str, float]:
    if not isinstance(value, dict):
        raise ValueError("is not an object {...}")
    if any(isinstance(each, bool) or not isinstance(each, int | float) for each in value.values()):
        raise ValueError("has a value that is not a number")
    return {str(key): read_number(each) for key, each in value.items()}
