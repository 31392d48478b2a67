"""An address as levels (paper 3, section 4.3.1), groups of similar addresses, the pattern that matches them and others like them (Figure 7), and session parameters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations, islice, pairwise
from typing import Final
from urllib.parse import unquote_plus

from dowse.example.expression import (
    MAX_EXPRESSION_CHARS,
    MAX_LEFT_OUT,
    MIN_SHARE_MATCHED,
    MIN_VALUES_LEFT_OUT,
    Lexeme,
    escape,
    judge_expression,
    level_regex,
    read_lexemes,
    tells_held_out,
    tighter_regexes,
    token_kind,
    tokenize,
)
from dowse.model import Verdict
from dowse.url import canonical, origin, same_site

# Paper 3, section 4.3.1.
MAX_DIFFERENT_LEVELS: Final = 2  # levels that may differ: the K of the paper, found there by trying
# A bound on work or memory; what it does to figures was not measured.
MAX_PATH_LEVELS: Final = 32  # a longer path goes in circles
# A bound on work or memory; what it does to figures was not measured.
MAX_ADDRESS_PARAMETERS: Final = 32
# A bound on work or memory; what it does to figures was not measured. 16 levels give 120 pairs.
MAX_PAIRED_LEVELS: Final = 16  # levels: of longer addresses, one level is left out at a time instead of two
# A bound on work or memory; what it does to figures was not measured.
MAX_PARAMETER_SETS: Final = 8  # compared with addresses that have fewer parameters

LevelKey = (
    int | tuple[str, int]
)  # a level by its place in the path, or by a parameter's name and how often it stood before
NumberedNames = frozenset[tuple[str, int]]
_NUMBER: Final = re.compile(r"\d+")
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


# -- a pattern of given addresses (paper 3, Figure 7), read back, and tightened

FORBIDDEN_IN_PATH: Final = "/?"  # characters that no level of a path holds
FORBIDDEN_IN_QUERY: Final = "&"  # the character that no parameter holds


def generalise(urls: Iterable[str]) -> AddressPattern:
    """Return the pattern of addresses that have as many levels: URLPattern. Levels that are equal stay as they are."""
    found: dict[Address, None] = {}
    for url in urls:
        address = read_address(url)
        if address is None:
            raise ValueError(f"{url[:120]!r} is not the address of a page")
        found[address] = None
    return generalise_addresses(list(found))


def generalise_addresses(addresses: Sequence[Address]) -> AddressPattern:
    """Do as `generalise`, for addresses that were read."""
    if len({address.shape for address in addresses}) != 1:
        raise ValueError("a pattern is made of addresses that have one host and as many levels")
    columns = columns_of(addresses)
    path = [level_regex(values, FORBIDDEN_IN_PATH) for key, values in columns.items() if isinstance(key, int)]
    named = sorted((key, values) for key, values in columns.items() if isinstance(key, tuple))
    found = []
    for (name, _), values in named:
        optional = len(values) < len(addresses)  # not all of them have it
        found.append(ParameterPattern(name, level_regex(values, FORBIDDEN_IN_QUERY), optional))
    parameters = tuple(sorted(found, key=lambda each: each.optional))
    return AddressPattern(addresses[0].origin, tuple(path), parameters)


def columns_of(addresses: Sequence[Address]) -> dict[LevelKey, list[str]]:
    """Return the values of each level, one for each address that has it."""
    columns: dict[LevelKey, list[str]] = {}
    for address in addresses:
        for key, value in address.levels.items():
            columns.setdefault(key, []).append(value)
    return columns


# -- reading a pattern from its text, which a person may have changed

_LITERAL: Final = frozenset({"plain", "escaped"})
# By how addresses are written (RFC 3986).
_LEVELS_OF_ORIGIN: Final = 3  # "http:", "" and the host


def read_pattern(text: str) -> AddressPattern | Verdict:
    """Return the pattern that a text stands for, or what is wrong with it."""
    if len(text) > MAX_EXPRESSION_CHARS:
        return Verdict(False, f"has more than {MAX_EXPRESSION_CHARS:,} characters")
    if not text.startswith("^") or not text.endswith("$") or text.endswith(r"\$"):
        return Verdict(False, "is not anchored: it begins with ^ and ends with $")
    pieces = read_lexemes(text[1:-1])
    if isinstance(pieces, Verdict):
        return pieces
    # Parameters begin at the question mark, which may stand in the group of an optional one.
    texts = [piece.text for piece in pieces]
    starts = (at for at, text in enumerate(texts) if text == r"\?" or texts[at : at + 2] == ["(?:", "[?&]"])
    place = next(starts, len(pieces))
    levels = _split(pieces[:place], "/")
    start = _read_origin(levels[:_LEVELS_OF_ORIGIN])
    if isinstance(start, Verdict):
        return start
    if len(levels) <= _LEVELS_OF_ORIGIN:
        return Verdict(False, "has no path: write at least a / after the host")
    return _read_levels(start, levels[_LEVELS_OF_ORIGIN:], pieces[place:])


def _split(pieces: Sequence[Lexeme], mark: str) -> list[list[Lexeme]]:
    """Split a row of pieces at a character that stands outside groups."""
    parts: list[list[Lexeme]] = [[]]
    depth = 0
    for piece in pieces:
        depth += (piece.kind == "open") - (piece.kind == "close")
        if piece.text == mark and piece.kind == "plain" and depth <= 0:
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts


def _read_origin(levels: Sequence[Sequence[Lexeme]]) -> str | Verdict:
    pieces = [piece for level in levels for piece in level]
    if any(piece.kind not in _LITERAL for piece in pieces):
        return Verdict(False, r"does not write out its scheme and host, such as ^http://www\.example\.com/")
    start = "/".join(map(_plain, levels))
    if canonical(start + "/") != start + "/":
        return Verdict(False, f"does not begin with a web address: {start[:80]!r}")
    return start


def _plain(pieces: Sequence[Lexeme]) -> str:
    return "".join(piece.text[-1] for piece in pieces)


def _write(pieces: Sequence[Lexeme]) -> str:
    return "".join(piece.text for piece in pieces)


def _read_levels(start: str, path: Sequence[Sequence[Lexeme]], query: Sequence[Lexeme]) -> AddressPattern | Verdict:
    """Return the pattern when each of its levels can be matched."""
    levels = tuple(map(_write, path))
    for level in levels:
        verdict = judge_expression(level, FORBIDDEN_IN_PATH)
        if not verdict.yes:
            return Verdict(False, f"{level[:80]!r} {verdict.reason}" if level else verdict.reason)
    parameters = _read_parameters(query)
    if isinstance(parameters, Verdict):
        return parameters
    return AddressPattern(start, levels, parameters)


def _read_parameters(pieces: Sequence[Lexeme]) -> tuple[ParameterPattern, ...] | Verdict:
    """Return the parameters: those that must be there after the question mark, then each optional one as a group."""
    texts = [piece.text for piece in pieces]
    openings = ["(?:", "[?&]"], ["(?:", "&"]
    ends = [place for place in range(len(texts)) if texts[place : place + 2] in openings] + [len(texts)]
    needed = [(part, False) for part in _split(pieces[1 : ends[0]], "&")] if ends[0] else []
    optional = [(list(pieces[start:end]), True) for start, end in pairwise(ends)]
    found: list[ParameterPattern] = []
    for part, may_miss in needed + optional:
        if may_miss and [piece.text for piece in part[-2:]] != [")", "?"]:
            return Verdict(False, "has something after its optional parameters; each is written (?:&name=value)?")
        read = _read_parameter(part[2:-2] if may_miss else part)
        if isinstance(read, Verdict):
            return read
        found.append(replace(read, optional=may_miss))
    return tuple(sorted(found, key=lambda each: (each.optional, each.name)))


def _read_parameter(pieces: Sequence[Lexeme]) -> ParameterPattern | Verdict:
    texts = [piece.text for piece in pieces]
    end = texts.index("=") + 1 if "=" in texts else 0  # a lone value has no name
    if not pieces or any(piece.kind not in _LITERAL for piece in pieces[:end]):
        return Verdict(False, f"does not write out the name of a parameter: {_write(pieces)[:80]!r}")
    value = _write(pieces[end:])
    verdict = judge_expression(value, FORBIDDEN_IN_QUERY)
    return (
        ParameterPattern(_plain(pieces[:end]), value)
        if verdict.yes
        else Verdict(False, f"{value[:80]!r} {verdict.reason}")
    )


# -- tightening patterns until they leave out the addresses of other pages

# A bound on work or memory; what it does to figures was not measured.
MAX_TIGHTENED_LEVELS: Final = 4  # one after the other
# A bound on work or memory; what it does to figures was not measured.
MAX_UNWANTED_ADDRESSES: Final = 2_000  # that a pattern is tightened against; more of them tell the same
# A bound on work or memory; what it does to figures was not measured.
MAX_SPLIT_PATTERNS: Final = 6  # that one pattern may be split into
# The fewest that show what varies.
MIN_SPLIT_ADDRESSES: Final = 2  # of each: a pattern of one address matches that address alone


@dataclass(frozen=True, slots=True)
class TightenedPattern:
    """What a pattern became, and a verdict whether it leaves out all unwanted addresses."""

    patterns: tuple[AddressPattern, ...]
    verdict: Verdict
    wrong: tuple[str, ...] = ()  # addresses that still match though they must not


@dataclass(frozen=True, slots=True)
class _Tightening:
    """Some patterns for all wanted addresses, and the unwanted ones they match."""

    patterns: tuple[AddressPattern, ...]
    wrong: tuple[Address, ...]


def tighten_pattern(pattern: AddressPattern, must_match: Iterable[str], must_not: Iterable[str]) -> TightenedPattern:
    """Return the loosest patterns found that match the same wanted addresses and none of the others.

    First levels are made tighter (cases, beginnings, the words seen), then the addresses are split into several patterns.
    Lengths and counts are never told: the next page has others. Where some cannot be told apart, the best that was found
    comes with a verdict that says so.
    """
    wanted = _take_matched(pattern, must_match)
    unwanted = _take_matched(pattern, must_not)
    if not unwanted or not wanted:
        return TightenedPattern((pattern,), Verdict(True))
    kept = list(dict.fromkeys(wanted.values()))
    known = set(kept)
    distinct = dict.fromkeys(address for address in unwanted.values() if address not in known)
    others = tuple(islice(distinct, MAX_UNWANTED_ADDRESSES))
    found = _tighten_levels(pattern, kept, others)
    if found.wrong:
        tries = [_tighten_parts(parts, others) for parts in _find_splits(kept) if _generalise_to_unseen(parts)]
        found = min([found, *tries], key=lambda each: (len(each.wrong), len(each.patterns)))
    wrong = [url for url, each in unwanted.items() if any(one.matches_address(each) for one in found.patterns)]
    verdict = Verdict(True)
    if wrong:
        such = f"{len(wrong):,} of {len(unwanted):,} addresses apart, such as {wrong[0][:120]}"
        verdict = Verdict(False, f"no pattern tells {such}")
    return TightenedPattern(found.patterns, verdict, tuple(wrong))


def _take_matched(pattern: AddressPattern, urls: Iterable[str]) -> dict[str, Address]:
    read = {url: read_address(url) for url in dict.fromkeys(urls)}
    return {url: address for url, address in read.items() if address is not None and pattern.matches_address(address)}


def _tighten_levels(pattern: AddressPattern, wanted: Sequence[Address], unwanted: tuple[Address, ...]) -> _Tightening:
    """Tighten one level after the other, each time the one that leaves out most, and no more than needed."""
    for _ in range(MAX_TIGHTENED_LEVELS):
        tries = list(_find_tighter(pattern, wanted, unwanted)) if unwanted else []
        best = min(tries, key=lambda each: len(each.wrong), default=None)
        if best is None or len(best.wrong) == len(unwanted):
            break
        (pattern,), unwanted = best.patterns, best.wrong
    return _Tightening((pattern,), unwanted)


def _find_tighter(
    pattern: AddressPattern, wanted: Sequence[Address], unwanted: tuple[Address, ...]
) -> Iterator[_Tightening]:
    for key, values in columns_of(wanted).items():
        forbidden = FORBIDDEN_IN_PATH if isinstance(key, int) else FORBIDDEN_IN_QUERY
        for text, tighten in tighter_regexes(values, forbidden):
            level = re.compile(text, re.ASCII)
            left = tuple(address for address in unwanted if level.fullmatch(address.levels.get(key, "")))
            if len(left) == len(unwanted):
                continue
            others = [address.levels.get(key, "") for address in unwanted]
            if tells_held_out(values, others, forbidden, tighten):
                yield _Tightening((_replace(pattern, key, text),), left)


def _replace(pattern: AddressPattern, key: LevelKey, text: str) -> AddressPattern:
    if isinstance(key, int):
        return replace(pattern, path=(*pattern.path[:key], text, *pattern.path[key + 1 :]))
    parameters = zip(pattern.keys[len(pattern.path) :], pattern.parameters, strict=True)
    return replace(
        pattern,
        parameters=tuple(replace(each, value=text) if name == key else each for name, each in parameters),
    )


def _tighten_parts(parts: Sequence[Sequence[Address]], unwanted: tuple[Address, ...]) -> _Tightening:
    """Return a pattern for each part, tightened against what it matches wrongly."""
    patterns: list[AddressPattern] = []
    wrong: dict[Address, None] = {}
    for part in parts:
        pattern = generalise_addresses(part)
        found = _tighten_levels(pattern, part, tuple(each for each in unwanted if pattern.matches_address(each)))
        patterns += found.patterns
        wrong |= dict.fromkeys(found.wrong)
    return _Tightening(tuple(patterns), tuple(wrong))


def _find_splits(wanted: Sequence[Address]) -> Iterator[list[list[Address]]]:
    """Yield splits of the addresses: by the names of parameters, by the word of a level, or its kinds of tokens."""
    keys = dict.fromkeys(key for address in wanted for key in address.levels)
    for key_of in _SPLITS:
        for key in keys:
            parts: dict[object, list[Address]] = {}
            for address in wanted:
                parts.setdefault(key_of(address.levels.get(key, "")), []).append(address)
            if 1 < len(parts) <= MAX_SPLIT_PATTERNS and min(map(len, parts.values())) >= MIN_SPLIT_ADDRESSES:
                yield list(parts.values())


def _generalise_to_unseen(parts: Sequence[Sequence[Address]]) -> bool:
    """Return True if patterns of the parts match addresses they were not made from: each is left out in turn."""
    turns = [(part, turn) for part in parts for turn in range(0, len(part), 1 + len(part) // MAX_LEFT_OUT)]
    if len(turns) < MIN_VALUES_LEFT_OUT:
        return True
    right = [generalise_addresses([*part[:at], *part[at + 1 :]]).matches_address(part[at]) for part, at in turns]
    return sum(right) >= MIN_SHARE_MATCHED * len(right)


_SPLITS: Final[tuple[Callable[[str], object], ...]] = (
    bool,
    str,
    lambda level: tuple(token_kind(token) for token in tokenize(level)),
)


# -- parameters that number a visit

# The larger part; not measured alone.
MIN_SHARED_LINK_SHARE: Final = 0.5  # of the links of a page that have a session parameter
# Of the links that changed, those that are the same without what changed in them: the others may be an advertisement or news.
MIN_SAME_SHARE: Final = 0.5
# So many links, each to another page: one or two may be drawn at random for each visit.
MIN_SAME_LINKS: Final = 3
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
    for url in links:
        pairs.update(set(_find_pairs(url)))
    often = (pair for pair, count in pairs.items() if count >= max(3, MIN_SHARED_LINK_SHARE * len(links)))
    return {parameter_name(pair): pair.partition("=")[2] for pair in often}


def find_changing_parameters(before: Collection[str], after: Collection[str]) -> frozenset[str]:
    """Return the parameters that have another value in each link when a page is asked again, though the links lead to the same pages.

    Without them several links are as before; news that come and go leave no more than one address.
    """
    first, second = ({pair for url in urls for pair in _find_pairs(url)} for urls in (before, after))
    fixed = {parameter_name(pair) for pair in first & second}
    names = frozenset(map(parameter_name, second - first)) - fixed
    known, new = set(before), {url for url in after if url not in before}
    there = {strip_parameters(url, names) for url in known}
    same = {strip_parameters(url, names) for url in new} & there
    return names if len(same) >= max(MIN_SAME_LINKS, MIN_SAME_SHARE * len(new)) else frozenset()


def _find_pairs(url: str) -> Iterator[str]:
    """Yield the parameters of an address, those of folders too."""
    head, _, query = url.partition("?")
    yield from (pair for pair in (*_IN_PATH.findall(head), *query.split("&")) if "=" in pair)


def parameter_name(pair: str) -> str:
    """Return the name of a parameter."""
    return pair.partition("=")[0]


_STARTS_ADDRESS: Final = re.compile(r"https?://|\.{0,2}/")
_IS_QUERY: Final = re.compile(r"(?<![\w.-])[\w.-]++=[^&=]*+(?:&[\w.-]++=[^&=]*+)*+")


def holds_way_back(pair: str, page: str) -> bool:
    """Return True if the value of a parameter is an address of the site of a page, or a query."""
    there = unquote_plus(pair.partition("=")[2])
    target = canonical(there, page) if _STARTS_ADDRESS.match(there) else None
    return _IS_QUERY.fullmatch(there) is not None or (target is not None and same_site(target, page))


@dataclass(frozen=True, slots=True)
class AddressCleaning:
    """What is removed from the addresses that pages link to: sessions, and what only says where to go back to."""

    without: frozenset[str] = frozenset()  # parameters that are removed wherever they stand
    kept: frozenset[str] = frozenset()  # parameters that the samples have: they are part of an address

    @classmethod
    def of(cls, samples: Iterable[str], without: Iterable[str] = ()) -> AddressCleaning:
        """Return the cleaning that leaves the addresses of samples as they are, but for some parameters."""
        left, queries = frozenset(without), [url.partition("?")[2] for url in samples]
        names = {parameter_name(pair) for query in queries for pair in query.split("&") if pair}
        return cls(left, frozenset(names) - left)

    def clean(self, url: str, page: str) -> str:
        """Return an address that a page links to; a parameter that holds the page's own address or query is the way back to it."""
        url = strip_parameters(url, self.without)
        pairs = [
            pair for pair in url.partition("?")[2].split("&") if "=" in pair and parameter_name(pair) not in self.kept
        ]
        back = {parameter_name(pair) for pair in pairs if "%" in pair or "/" in pair if _is_way_back(pair, page)}
        return strip_parameters(url, back)


def _is_way_back(pair: str, page: str) -> bool:
    there, query = unquote_plus(pair.partition("=")[2]), page.partition("?")[2]
    if query and sorted(there.lstrip("?").split("&")) == sorted(unquote_plus(query).split("&")):
        return True
    return _STARTS_ADDRESS.match(there) is not None and canonical(there, page) == page
