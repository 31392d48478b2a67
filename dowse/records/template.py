"""A wrapper as plain data: where the records of a site's answers stand, and what they are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from dowse.errors import BadInput
from dowse.records.labels import Labels
from dowse.records.units import Cut

VERSION: Final = 1
ATTRIBUTES: Final = "attributes"
RECORDS: Final = "records"


@dataclass(frozen=True, slots=True)
class Attribute:
    """One thing that records tell, where it stands in them and what it is called."""

    name: str
    how: str  # how the name was found: label, header, itemprop, json-ld, class, title or place
    label: str = ""  # the words that stand before it, folded
    place: str = ""  # tags from the record's own on; not looked at where there is a label
    number: int = 0  # which one of those at that place, counted from 1; 0 for all of them
    separator: str = ""  # what parts a text into several attributes
    part: int = 0  # which of these it is, counted from 1; 0 for the whole text
    several: str = ""  # what stands between several values: a comma, a semicolon; nothing for one value


@dataclass(frozen=True, slots=True)
class Own:
    """The link of a record that leads to its own page."""

    place: str = ""
    number: int = 0
    begins: str = ""  # how its address begins, after the site
    mould: str = ""  # how its address is written, digits as 0, where all are written alike
    without: tuple[str, ...] = ()  # parameters that do not tell which record it is


@dataclass(frozen=True, slots=True)
class Wrapper:
    """How the answers of one door are made."""

    where: tuple[str, ...]  # signs of the tags down to the one that holds the records
    cut: Cut  # how a record begins and ends in it
    attributes: tuple[Attribute, ...] = ()
    labels: Labels = field(default_factory=Labels)
    own: Own = Own()
    title: str = ""  # the attribute that says which record it is
    identity: str = ""  # address: of its own page; id: of its tag; nothing: its values
    shape: tuple[tuple[str, float], ...] = ()  # what records have, and the share of them that do
    marks: tuple[str, ...] = ()  # tags that only highlight words
    frame: tuple[str, ...] = ()  # what stands around the records on every answer
    strangers: int = 0  # things at the place of records that are none, on one page
    lines: int = 0  # of text beside the records, on one page
    declared: str = ""  # what JSON-LD says beside: attributes of the records, or the records themselves
    learned_from: int = 0  # records
    version: int = VERSION

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        return _plain(asdict(self))  # type: ignore[no-any-return]

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> Wrapper:
        """Return the wrapper that was written down."""
        if told.get("version") != VERSION:
            raise BadInput(f"this wrapper is of version {told.get('version')}; version {VERSION} can be read")
        try:
            return cls(**{**told, **_read_parts(told)})
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"this is no wrapper: {error}") from error


def _read_parts(told: Mapping[str, Any]) -> dict[str, Any]:
    cut = {**told["cut"], "follows": tuple(told["cut"]["follows"])}
    return {
        "where": tuple(told["where"]),
        "cut": Cut(**cut),
        "attributes": tuple(Attribute(**each) for each in told["attributes"]),
        "labels": Labels(**{name: frozenset(words) for name, words in told["labels"].items()}),
        "own": Own(**{**told["own"], "without": tuple(told["own"]["without"])}),
        "shape": tuple((str(part), float(share)) for part, share in told["shape"]),
        "marks": tuple(told["marks"]),
        "frame": tuple(told["frame"]),
    }


def _plain(value: Any) -> Any:
    """Return a value with lists for tuples and sets, in an order that stays."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return round(value, 3) if isinstance(value, float) else value
