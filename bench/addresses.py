"""Patterns of addresses: what patterns learnt from ten addresses of one kind of page match, and what they match wrongly.

Real detail pages of fifty sites, one kind of page each. Half of the registrable domains were looked at while the rules
were made, the other half was held back. Beside it paper 3 as it is written, K = 2 and token by token.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from itertools import zip_longest
from random import Random
from statistics import fmean
from typing import Any
from urllib.parse import urlsplit

from bench.intervals import explain_intervals, measure_interval, write_interval
from bench.options import Options
from bench.places import DATA
from bench.report import markdown_table
from dowse.example.address import (
    Address,
    AddressPattern,
    LevelKey,
    generalise,
    group_by_shape,
    group_similar,
    read_address,
    tighten_pattern,
)
from dowse.example.expression import count_common, token_regex, tokenize
from dowse.url import registrable_domain

TITLE = "Patterns of addresses"
FILE = "swde_page_urls.tsv.gz"
PARTS = ("dev", "held")
LEARNT = 10  # addresses that a pattern is made from
TESTED = 300  # other addresses of the site
UNWANTED = 200  # addresses of other kinds of page
TOLD = 10  # of each sort that a narrowed pattern is told
WAYS = ("paper 3, K = 2", "one kind", "one kind, told others")
FIGURES = ("recall", "scrambled", "menu", "moved")
WORDS = ("reviews", "help", "list", "photos", "about")
MENU = (
    "about contact help index.html search new top-rated all login news browse a-z 2011 sitemap.xml page-2 "
    "categories best-sellers jobs terms privacy-policy archive faq rss gifts popular upcoming Default.aspx press home tags"
).split()

Matcher = Callable[[Address], bool]


@dataclass(frozen=True, slots=True)
class Kind:
    """The addresses of one kind of page on one site."""

    name: str
    part: str
    addresses: tuple[Address, ...]
    urls: tuple[str, ...]


@lru_cache(maxsize=1)
def read_kinds() -> tuple[Kind, ...]:
    """Return the addresses of all sites; a registrable domain is in one part with all of its sites."""
    sites: dict[str, list[str]] = {}
    with gzip.open(DATA / "pages" / FILE, "rt", encoding="utf-8") as lines:
        for line in lines:
            topic, site, _, url = line.rstrip("\n").split("\t")
            sites.setdefault(f"{topic} {site}", []).append(url)
    return tuple(_read_kind(name, urls) for name, urls in sites.items())


def _read_kind(name: str, urls: list[str]) -> Kind:
    read = {url: address for url in urls if (address := read_address(url))}
    domain = registrable_domain(urlsplit(urls[0]).hostname or "")
    part = PARTS[blake2b(domain.encode(), digest_size=1).digest()[0] % 2]
    return Kind(name, part, tuple(read.values()), tuple(read))


def write(address: Address) -> str:
    """Return an address as it is written."""
    query = "&".join(name + value for name, value in address.parameters)
    return f"{address.origin}/{'/'.join(address.path)}" + (f"?{query}" if query else "")


def scramble(address: Address, fixed: Sequence[LevelKey], rng: Random) -> Address:
    """Return an address of the same site that shows another kind of page: a part more, one less, or another word."""
    path, word = address.path, rng.choice(WORDS)
    ways = [(*path, word), (word, *path)]
    if len(path) > 1:
        ways.append(path[:-1])
    places = [key for key in fixed if isinstance(key, int) and path[key]]
    if places:
        place = rng.choice(places)
        ways += [(*path[:place], word, *path[place + 1 :])] * 3
    numbers = [place for place, level in enumerate(path) if level.isdigit()]
    if numbers:
        place = rng.choice(numbers)
        ways.append((*path[:place], word, *path[place + 1 :]))
    return replace(address, path=rng.choice(ways))


def find_menu(address: Address, fixed: Sequence[LevelKey]) -> Iterator[Address]:
    """Yield addresses of the same shape that have words of a menu in the last level that varies."""
    free = [place for place in range(len(address.path)) if place not in fixed and address.path[place]]
    for word in MENU if free else ():
        yield replace(address, path=(*address.path[: free[-1]], word, *address.path[free[-1] + 1 :]))


def find_fixed(kind: Kind) -> list[LevelKey]:
    """Return the levels that all addresses of a kind have in common."""
    if len({address.shape for address in kind.addresses}) > 1:
        return []
    first = kind.addresses[0].levels
    return [key for key, value in first.items() if all(each.levels.get(key) == value for each in kind.addresses)]


def move(address: Address, onto: Address) -> Address:
    """Return an address of another site as if this one had it."""
    return replace(address, origin=onto.origin)


def learn_paper(urls: Sequence[str]) -> Matcher:
    """Return what the paper's patterns match: groups by URLsim, levels by prefix, suffix and tokens in their places."""
    patterns = [_Paper.of([each for url in group if (each := read_address(url))]) for group in group_similar(urls)]
    return lambda address: any(pattern.matches(address) for pattern in patterns)


@dataclass(frozen=True, slots=True)
class _Paper:
    """Each level as its beginning, its tokens and its end."""

    shape: tuple[str, int]
    levels: dict[LevelKey, tuple[str, tuple[str, ...], str]]

    @classmethod
    def of(cls, addresses: Sequence[Address]) -> _Paper:
        keys = dict.fromkeys(key for address in addresses for key in address.levels)
        columns = {key: sorted({each.levels[key] for each in addresses if key in each.levels}) for key in keys}
        return cls(addresses[0].shape, {key: _write_places(values) for key, values in columns.items()})

    def matches(self, address: Address) -> bool:
        levels = address.levels
        if address.shape != self.shape or levels.keys() != self.levels.keys():
            return False
        return all(_fits(levels[key], *written) for key, written in self.levels.items())


def _write_places(values: Sequence[str]) -> tuple[str, tuple[str, ...], str]:
    start = values[0][: count_common(values)]
    rests = [value[len(start) :] for value in values]
    end = rests[0][len(rests[0]) - count_common([rest[::-1] for rest in rests]) :]
    rows = [tokenize(rest[: len(rest) - len(end)]) for rest in rests]
    return start, tuple(token_regex(column) for column in zip_longest(*rows, fillvalue="")), end


def _fits(level: str, start: str, places: Sequence[str], end: str) -> bool:
    """Return True if a level is matched, place by place and never going back: tokens are the longest of their kind."""
    if len(level) < len(start) + len(end) or not (level.startswith(start) and level.endswith(end)):
        return False
    tokens = list(tokenize(level[len(start) : len(level) - len(end)]))
    for place in places:
        one = re.compile(place)
        if tokens and one.fullmatch(tokens[0]):
            tokens.pop(0)
        elif not one.fullmatch(""):
            return False
    return not tokens


def learn_kind(urls: Iterable[str]) -> tuple[AddressPattern, ...]:
    """Return the patterns of addresses that are known to show one kind of page: one for each number of levels."""
    return tuple(generalise(group) for group in group_by_shape(urls))


def learn_ours(urls: Sequence[str]) -> Matcher:
    """Return what the patterns of one kind match."""
    return _any_of(learn_kind(urls))


def learn_narrow(urls: Sequence[str], unwanted: Sequence[str]) -> Matcher:
    """Return what the same patterns match when they are narrowed by some addresses of other kinds."""
    return _any_of([tight for each in learn_kind(urls) for tight in tighten_pattern(each, urls, unwanted).patterns])


def _any_of(patterns: Iterable[AddressPattern]) -> Matcher:
    there = tuple(patterns)
    return lambda address: any(pattern.matches_address(address) for pattern in there)


def measure_kind(kind: Kind, kinds: Sequence[Kind], rng: Random) -> dict[str, dict[str, float]]:
    """Learn from ten addresses in every way, and try the others."""
    order = rng.sample(range(len(kind.urls)), len(kind.urls))
    learnt = [kind.urls[place] for place in order[:LEARNT]]
    rest = [kind.addresses[place] for place in order[LEARNT : LEARNT + TESTED]]
    fixed = find_fixed(kind)
    wrong = {
        "scrambled": [scramble(rng.choice(rest), fixed, rng) for _ in range(UNWANTED)],
        "menu": rng.sample(found := list(find_menu(rest[0], fixed)), len(found)),
        "moved": [move(rng.choice(rng.choice(kinds).addresses), rest[0]) for _ in range(UNWANTED)],
    }
    told = [write(each) for some in wrong.values() for each in some[:TOLD]]
    ways = (learn_paper(learnt), learn_ours(learnt), learn_narrow(learnt, told))
    return {way: _try(matcher, rest, wrong) for way, matcher in zip(WAYS, ways, strict=True)}


def _try(matcher: Matcher, rest: Sequence[Address], wrong: dict[str, list[Address]]) -> dict[str, float]:
    """Return the share of the others that is matched; what was told is left out of what is wrong."""
    found = {"recall": fmean(map(matcher, rest))}
    return found | {name: fmean(map(matcher, some[TOLD:])) for name, some in wrong.items() if some}


def measure(seed: int, part: str) -> dict[str, Any]:
    """Return the mean of each figure over the sites of a part, and every site's."""
    everything = read_kinds()
    sites = {
        kind.name: measure_kind(
            kind, [each for each in everything if each.name != kind.name], Random(f"{seed} {kind.name}")
        )
        for kind in everything
        if kind.part == part
    }
    means = {
        way: {name: fmean(each[way][name] for each in sites.values() if name in each[way]) for name in FIGURES}
        for way in WAYS
    }
    return {"means": means, "sites": sites}


def run(options: Options) -> dict[str, object]:
    """Measure both parts for each seed."""
    seeds = [options.seed + repeat for repeat in range(options.repeats)]
    runs = {part: [measure(seed, part) for seed in seeds] for part in PARTS}
    intervals = {
        part: {
            way: {name: measure_interval([one["means"][way][name] for one in some]).to_json() for name in FIGURES}
            for way in WAYS
        }
        for part, some in runs.items()
    }
    held = intervals["held"]
    options.say(f"  recall on those held back: {held['one kind']['recall']['median']:.3f}")
    medians = {way: {name: held[way][name]["median"] for name in FIGURES} for way in WAYS}
    return {"seeds": seeds, "runs": runs, "intervals": intervals, "medians": medians}


def table(result: dict[str, Any]) -> str:
    """One row for each way and part."""
    rows = [
        [f"{way}, {part}", *(write_interval(figures[name], ".1%") for name in FIGURES)]
        for part, ways in result["intervals"].items()
        for way, figures in ways.items()
    ]
    head = [
        "patterns",
        "other addresses matched",
        "scrambled matched",
        "menu matched",
        "moved matched",
    ]
    return markdown_table(head, rows, numbers=len(FIGURES))


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    first = result["intervals"]["held"][WAYS[0]]["recall"]
    counts = {part: len(some[0]["sites"]) for part, some in result["runs"].items()}
    worst = sorted((each["one kind"]["recall"], name) for name, each in result["runs"]["held"][0]["sites"].items())[:3]
    return (
        f"Addresses of detail pages of SWDE, one kind of page per site; {counts['dev']} sites were looked at while the rules were made (dev), "
        f"{counts['held']} were held back, parted by registrable domain. A pattern is made from {LEARNT} addresses and tried on {TESTED} others of the "
        f"site; the figures are means over the sites. {explain_intervals(first, 'seeds')} Scrambled: addresses of the site with a level more, one less, "
        "or another word in a level that all pages share or that is a number. Menu: the last level that varies is a word of a menu, such as about, a-z or page-2; "
        "where it is a title, no pattern can tell. Moved: addresses of the other sites as if this site had them. "
        "What the narrowed patterns were told "
        f"({TOLD} of each sort) is not counted. The paper's patterns: groups of addresses that differ in at most two levels, each level by its common beginning and end and "
        "its tokens in their places. Worst sites of those held back, first seed: "
        + ", ".join(f"{name} {share:.0%}" for share, name in worst)
        + "."
    )
