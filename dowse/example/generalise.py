"""Addresses as a pattern that matches them and others like them (paper 3, URLPattern in Figure 7)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dowse.example.address import (
    Address,
    Key,
    number_names,
    read_address,
)
from dowse.example.level import level_regex
from dowse.example.tokens import escape

IN_PATH: Final = "/?"  # characters that no level of a path holds
IN_QUERY: Final = "&"  # the character that no parameter holds


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter by its name, with its "=", and the expression for its value; an address may do without an optional one."""

    name: str
    value: str
    optional: bool = False

    @property
    def text(self) -> str:
        """Name and value as an expression."""
        return escape(self.name) + self.value


@dataclass(frozen=True)
class AddressPattern:
    """What addresses of one kind have in common: an expression for each level."""

    origin: str
    path: tuple[str, ...]
    parameters: tuple[Parameter, ...] = ()  # those that must be there first, each kind by name

    @cached_property
    def text(self) -> str:
        """The pattern as one regular expression; it is for addresses whose parameters stand in the pattern's order."""
        needed = "&".join(each.text for each in self.parameters if not each.optional)
        mark = "&" if needed else "[?&]"
        optional = "".join(f"(?:{mark}{each.text})?" for each in self.parameters if each.optional)
        query = (rf"\?{needed}" if needed else "") + optional
        return f"^{escape(self.origin)}/{'/'.join(self.path)}{query}$"

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """The levels by where they stand: those of the path, then the parameters."""
        return (*range(len(self.path)), *number_names(each.name for each in self.parameters))

    @cached_property
    def _levels(self) -> dict[Key, re.Pattern[str]]:
        texts = [*self.path, *(each.value for each in self.parameters)]
        return {key: re.compile(text, re.ASCII) for key, text in zip(self.keys, texts, strict=True)}

    @cached_property
    def _needed(self) -> frozenset[Key]:
        optional = (*(False for _ in self.path), *(each.optional for each in self.parameters))
        return frozenset(key for key, spared in zip(self.keys, optional, strict=True) if not spared)

    def matches(self, url: str) -> bool:
        """Say whether an address is of this kind, whatever the order of its parameters."""
        address = read_address(url)
        return address is not None and self.matches_address(address)

    def matches_address(self, address: Address) -> bool:
        """Do as `matches`, for an address that was read; level by level, so that none can make another slow."""
        if address.shape != (self.origin, len(self.path)):
            return False
        levels, known = address.levels, self._levels
        if not self._needed <= levels.keys() <= known.keys():
            return False
        return all(known[key].fullmatch(value) for key, value in levels.items())


def generalise(urls: Iterable[str]) -> AddressPattern:
    """Return the pattern of addresses that have as many levels: URLPattern. Levels that are equal stay as they are."""
    return generalise_addresses(read_all(urls))


def read_all(urls: Iterable[str]) -> list[Address]:
    """Return the addresses as levels, each once."""
    found = []
    for url in dict.fromkeys(urls):
        address = read_address(url)
        if address is None:
            raise ValueError(f"{url[:120]!r} is no address of a page")
        found.append(address)
    return list(dict.fromkeys(found))


def generalise_addresses(addresses: Sequence[Address]) -> AddressPattern:
    """Do as `generalise`, for addresses that were read."""
    if len({address.shape for address in addresses}) != 1:
        raise ValueError("a pattern is made of addresses that have one host and as many levels")
    columns = columns_of(addresses)
    path = [write_column(key, values) for key, values in columns.items() if isinstance(key, int)]
    return AddressPattern(addresses[0].origin, tuple(path), _write_parameters(columns, len(addresses)))


def columns_of(addresses: Sequence[Address]) -> dict[Key, list[str]]:
    """Return the values of each level, one for each address that has it."""
    columns: dict[Key, list[str]] = {}
    for address in addresses:
        for key, value in address.levels.items():
            columns.setdefault(key, []).append(value)
    return columns


def write_column(key: Key, values: Sequence[str]) -> str:
    """Return the expression for the values of one level."""
    return level_regex(values, forbidden_in(key))


def forbidden_in(key: Key) -> str:
    """Return the characters that a level does not hold."""
    return IN_PATH if isinstance(key, int) else IN_QUERY


def _write_parameters(columns: Mapping[Key, Sequence[str]], count: int) -> tuple[Parameter, ...]:
    named = sorted((key, values) for key, values in columns.items() if isinstance(key, tuple))
    found = [Parameter(key[0], write_column(key, values), len(values) < count) for key, values in named]
    return tuple(sorted(found, key=lambda each: each.optional))
