"""An address as levels (paper 3, section 4.3.1), groups and kinds of similar addresses, patterns that match them, and session parameters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations, islice
from typing import Final

from dowse.example.expression import escape
from dowse.url import canonical, origin

MAX_DIFFERENT_LEVELS: Final = 2  # levels that may differ: the K of the paper, found there by trying
MAX_PATH_LEVELS: Final = 32  # a longer path goes in circles
MAX_ADDRESS_PARAMETERS: Final = 32
MAX_PAIRED_LEVELS: Final = 16  # levels: of longer addresses, one level is left out at a time instead of two
MAX_PARAMETER_SETS: Final = 8  # compared with addresses that have fewer parameters

LevelKey = (
    int | tuple[str, int]
)  # a level by its place in the path, or by a parameter's name and how often it stood before
NumberedNames = frozenset[tuple[str, int]]
_NUMBER: Final = re.compile(r"\d+")
_FURTHER: Final = re.compile(r"(?:[a-zA-Z_-]{1,12}/)?[a-zA-Z_-]{0,12}[0-9]{1,6}/?")  # page/2/, p2
HOME_NAMES: Final = frozenset(
    {"index", "home", "default", "welcome", "main"}
)  # of files that servers give for a folder
_LONE_LETTER: Final = re.compile(r"(?<![a-zA-Z])[a-zA-Z](?![a-zA-Z])")


@dataclass(frozen=True, slots=True)
class Address:
    """The levels of an address, without what tracks a visitor or a session."""

    origin: str
    path: tuple[str, ...]  # an address that ends with a slash has an empty last level
    parameters: tuple[tuple[str, str], ...] = ()  # by name, which ends with its "="; a lone value has none

    @property
    def levels(self) -> dict[LevelKey, str]:
        """Every level after the first, by where it stands."""
        return dict(enumerate(self.path)) | dict(zip(self.names, (value for _, value in self.parameters), strict=True))

    @property
    def names(self) -> tuple[tuple[str, int], ...]:
        """The names of the parameters; repeated names are numbered."""
        return number_names(name for name, _ in self.parameters)

    @property
    def shape(self) -> tuple[str, int]:
        """What similar addresses have in common: the first level, and how many the path has."""
        return self.origin, len(self.path)


@lru_cache(maxsize=20_000)  # each page of a map is asked for once for every branch
def read_address(url: str) -> Address | None:
    """Return the levels of an address, or None when it leads to no page or has too many."""
    clean = canonical(url)
    if clean is None:
        return None
    head, _, query = clean.partition("?")
    path = tuple(head[len(origin(head)) :].split("/")[1:])
    pairs = [part.partition("=") for part in query.split(";" if ";" in query and "&" not in query else "&") if part]
    # What stands without a "=" is a value without a name: wiki.pl?HomePage.
    named = ((name + mark, value) if mark else ("", name) for name, mark, value in pairs)
    parameters = tuple(sorted(named, key=lambda each: each[0]))
    if len(path) > MAX_PATH_LEVELS or len(parameters) > MAX_ADDRESS_PARAMETERS:
        return None
    return Address(origin(head), path, parameters)


def number_names(names: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return each name with how often it occurred before."""
    seen: dict[str, int] = {}
    numbered = []
    for name in names:
        numbered.append((name, seen.get(name, 0)))
        seen[name] = seen.get(name, 0) + 1
    return tuple(numbered)


def find_differences(first: Address, second: Address) -> list[LevelKey]:
    """Return the levels in which two addresses of one shape differ."""
    one, other = first.levels, second.levels
    return [key for key in one | other if one.get(key) != other.get(key)]


def differ_in_page_number(first: Address, second: Address) -> bool:
    """Return True if two addresses differ in numbers and single letters only: pages of one list, or of one index from A to Z."""
    names, others = set(first.names), set(second.names)
    if first.shape != second.shape or not (names <= others or others <= names):
        return False
    one, other = first.levels, second.levels
    return all(
        _without_counters(one.get(key, "")) == _without_counters(other.get(key, ""))
        for key in find_differences(first, second)
    )


def is_further_page(url: str, first: str) -> bool:
    """Return True if an address is that of a list with a number added: `?page=2`, `/page/2/`, `index2.html`."""
    one, other = read_address(first), read_address(url)
    if one is None or other is None or one.origin != other.origin or one == other:
        return False
    added = set(other.parameters) - set(one.parameters)
    if one.path == other.path:
        # Or a number in place of the first one.
        gone = set(one.parameters) - set(other.parameters)
        return all(value.isdigit() for _, value in added) and all(value in ("", "0", "1") for _, value in gone)
    folders = [level for level in one.path if level]
    more = [level for level in other.path if level]
    if more[: len(folders)] == folders:
        return not added and _FURTHER.fullmatch("/".join(more[len(folders) :])) is not None
    name, _, suffix = one.path[-1].rpartition(".")
    return (
        other.path[:-1] == one.path[:-1]
        and re.fullmatch(
            rf"{re.escape(name or one.path[-1])}[-_]?[0-9]{{1,6}}{re.escape('.' + suffix if name else '')}",
            other.path[-1],
        )
        is not None
    )


def is_root(url: str) -> bool:
    """Return True if an address is the home page of a site."""
    address = read_address(url)
    names = [level for level in address.path if level] if address is not None else []
    return not names or (len(names) == 1 and names[0].partition(".")[0].lower() in HOME_NAMES)


def _without_counters(level: str) -> str:
    """Return a level without numbers and single letters; a missing level is the first page."""
    return _LONE_LETTER.sub("", _NUMBER.sub("", level))


def group_similar(urls: Iterable[str], most: int = MAX_DIFFERENT_LEVELS) -> list[list[str]]:
    """Return the addresses in groups: those that are similar, and those similar to one of them.

    Similar addresses are equal without some of their levels, so they have a hash in common: no two are compared. Those with
    fewer parameters join one group of those with more, so that no group holds two kinds for the sake of a third.
    """
    read = {url: read_address(url) for url in dict.fromkeys(urls)}
    similar = _SimilarAddresses({url: url for url in read})
    for url, address in sorted(read.items(), key=lambda each: -len(each[1].parameters) if each[1] else 0):
        if address is not None:
            similar.add(url, address, most)
    for leader, larger in similar.find_supersets():
        similar.join(leader, larger)
    groups: dict[str, list[str]] = {}
    for url in read:
        groups.setdefault(similar.leader(url), []).append(url)
    return list(groups.values())


def group_by_shape(urls: Iterable[str]) -> list[list[str]]:
    """Return addresses of one kind of page in groups that can have one pattern: as many levels, a parameter in common."""
    groups: dict[tuple[str, int], list[tuple[set[tuple[str, int]], list[str]]]] = {}
    for url in dict.fromkeys(urls):
        address = read_address(url)
        if address is None:
            continue
        names, there = set(address.names), groups.setdefault(address.shape, [])
        for known, members in there:
            if (names & known or not (names and known)) and len(names | known) <= MAX_ADDRESS_PARAMETERS:
                known |= names
                members.append(url)
                break
        else:
            there.append((names, [url]))
    return [members for there in groups.values() for _, members in there]


@dataclass(slots=True)
class _SimilarAddresses:
    """A union-find of addresses: each points to another of its group, and the last of them is the leader."""

    leaders: dict[str, str]
    by_hash: dict[int, str] = field(default_factory=dict)
    kinds: dict[tuple[str, int], dict[NumberedNames, None]] = field(default_factory=dict)  # of parameters, by shape
    supersets: dict[str, Counter[str]] = field(default_factory=dict)  # an address -> similar ones with more parameters

    def add(self, url: str, address: Address, most: int) -> None:
        """Join an address with similar ones of the same parameter names, and note groups that have more."""
        names = frozenset(address.names)
        kinds = self.kinds.setdefault(address.shape, {})
        more = [kind for kind in islice(kinds, MAX_PARAMETER_SETS) if names < kind]
        kinds[names] = None
        for key in _hash_subsets(address, most):
            self.join(url, self.by_hash.setdefault(hash((key, names)), url))
            others = [other for kind in more if (other := self.by_hash.get(hash((key, kind))))]
            if others:
                self.supersets.setdefault(url, Counter()).update(others)

    def find_supersets(self) -> list[tuple[str, str]]:
        """Return, for each group, the one with more parameters that most of its addresses are similar to."""
        found: dict[str, Counter[str]] = {}
        for url, others in self.supersets.items():
            found.setdefault(self.leader(url), Counter()).update(map(self.leader, others.elements()))
        return [(leader, counts.most_common(1)[0][0]) for leader, counts in found.items()]

    def leader(self, url: str) -> str:
        """Return the leader of the group of an address."""
        while self.leaders[url] != url:
            self.leaders[url] = self.leaders[self.leaders[url]]
            url = self.leaders[url]
        return url

    def join(self, one: str, other: str) -> None:
        """Make two groups one."""
        self.leaders[self.leader(one)] = self.leader(other)


def _hash_subsets(address: Address, most: int) -> Iterator[int]:
    """Yield a hash of an address without each choice of up to `most` levels."""
    marks = [hash(level) for level in address.levels.items()]
    whole = hash(address.shape)
    for mark in marks:
        whole ^= mark
    for count in range(min(most if len(marks) <= MAX_PAIRED_LEVELS else 1, len(marks)) + 1):
        for gone in combinations(marks, count):
            key = whole
            for mark in gone:
                key ^= mark
            yield key


# -- patterns that match addresses


@dataclass(frozen=True, slots=True)
class ParameterPattern:
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
    parameters: tuple[ParameterPattern, ...] = ()  # those that must be there first, each kind by name

    @cached_property
    def text(self) -> str:
        """The pattern as one regular expression; it is for addresses whose parameters stand in the pattern's order."""
        needed = "&".join(each.text for each in self.parameters if not each.optional)
        mark = "&" if needed else "[?&]"
        optional = "".join(f"(?:{mark}{each.text})?" for each in self.parameters if each.optional)
        query = (rf"\?{needed}" if needed else "") + optional
        return f"^{escape(self.origin)}/{'/'.join(self.path)}{query}$"

    @cached_property
    def keys(self) -> tuple[LevelKey, ...]:
        """The levels by where they stand: those of the path, then the parameters."""
        return (*range(len(self.path)), *number_names(each.name for each in self.parameters))

    @cached_property
    def _levels(self) -> dict[LevelKey, re.Pattern[str]]:
        texts = [*self.path, *(each.value for each in self.parameters)]
        return {key: re.compile(text, re.ASCII) for key, text in zip(self.keys, texts, strict=True)}

    @cached_property
    def _needed(self) -> frozenset[LevelKey]:
        optional = (*(False for _ in self.path), *(each.optional for each in self.parameters))
        return frozenset(key for key, spared in zip(self.keys, optional, strict=True) if not spared)

    def matches(self, url: str) -> bool:
        """Return True if an address is of this kind, whatever the order of its parameters."""
        address = read_address(url)
        return address is not None and self.matches_address(address)

    def matches_address(self, address: Address) -> bool:
        """Do as `matches`, for an address that was read; level by level, so that no level can slow down another."""
        if address.shape != (self.origin, len(self.path)):
            return False
        levels, known = address.levels, self._levels
        if not self._needed <= levels.keys() <= known.keys():
            return False
        return all(known[key].fullmatch(value) for key, value in levels.items())


# -- kinds: what addresses of one kind of page have in common

AddressKind = tuple[object, ...]


@lru_cache(maxsize=65_536)
def address_kind(url: str) -> AddressKind:
    """Return what addresses of one kind share: folders, with numbers as one; how the last level ends; names of parameters."""
    address = read_address(url)
    if address is None:
        return (url,)
    *folders, last = [level for level in address.path if level] or [""]
    suffix = last.rpartition(".")[2] if "." in last else ""
    suffix = "" if suffix.isdigit() else suffix  # of a version, such as 0.17.3
    ends = "/" if address.path and not address.path[-1] else suffix
    numbered = tuple("0" if any(map(str.isdigit, level)) else level for level in folders)
    return (numbered, bool(last), ends, address.names)


def loose_address_kind(url: str) -> AddressKind:
    """Return what addresses share that differ in the names of folders only."""
    address = read_address(url)
    return (len(address.path), *address_kind(url)[1:]) if address is not None else (url,)


@lru_cache(maxsize=65_536)
def last_word(url: str) -> str:
    """Return the last level of a path below others, if it is a word without a number and the address has no parameters."""
    address = read_address(url)
    levels = [level for level in address.path if level] if address is not None and not address.parameters else []
    return levels[-1] if len(levels) > 1 and not any(map(str.isdigit, levels[-1])) else ""


def ends_in_number(url: str) -> bool:
    """Return True if the last level of an address is a number and nothing else."""
    address = read_address(url)
    levels = [level for level in address.path if level] if address is not None else []
    return bool(levels) and levels[-1].isdigit()


def has_more_parameters(kind: AddressKind, other: AddressKind) -> bool:
    """Return True if addresses of one kind are those of another with parameters added."""
    more, fewer = kind[-1], other[-1]
    if not isinstance(more, tuple) or not isinstance(fewer, tuple) or kind[:-1] != other[:-1]:
        return False
    return set(more) > set(fewer)


# -- parameters that number a visit

MIN_SHARED_LINK_SHARE: Final = 0.5  # of the links of a page that have a session parameter
_RANDOM: Final = re.compile(r"\A(?=[^=]*\d)[0-9a-zA-Z_.!-]{12,}")
_IN_PATH: Final = re.compile(r";[^=;/]+=[^;/]*")  # a parameter of a folder


def strip_parameters(url: str, names: Collection[str]) -> str:
    """Return an address without some of its parameters; names of path parameters begin with their semicolon."""
    if not names:
        return url
    head, _, query = url.partition("?")
    path = _IN_PATH.sub(lambda found: "" if parameter_name(found[0]) in names else found[0], head)
    kept = "&".join(pair for pair in query.split("&") if parameter_name(pair) not in names)
    return f"{path}?{kept}" if kept else path


def find_session_parameters(links: Sequence[str], others: Sequence[str] = ()) -> frozenset[str]:
    """Return the session parameters: one value in most links of a page, and it looks random or differs on another page."""
    here, there = _find_shared(links), _find_shared(others)
    return frozenset(
        name for name, value in here.items() if _RANDOM.fullmatch(value) or there.get(name, value) != value
    )


def _find_shared(links: Sequence[str]) -> dict[str, str]:
    """Return the parameters that most links of a page have with the same value."""
    pairs: Counter[str] = Counter()
    for url in links:  # parameters of the query, and those in the path with a semicolon
        head, _, query = url.partition("?")
        pairs.update({pair for pair in (*_IN_PATH.findall(head), *query.split("&")) if "=" in pair})
    often = (pair for pair, count in pairs.items() if count >= max(3, MIN_SHARED_LINK_SHARE * len(links)))
    return {parameter_name(pair): pair.partition("=")[2] for pair in often}


def parameter_name(pair: str) -> str:
    """Return the name of a parameter."""
    return pair.partition("=")[0]
