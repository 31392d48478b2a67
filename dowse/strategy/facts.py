"""What can be noticed about a link before it is followed: named facts, none of which knows a site or a template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from dowse.model import Link
from dowse.words.lookup import CONCEPTS, anywhere, concepts_of, is_subject, parts_of, phrases, words_of

# Of the link: what its words and its address are about (in any language that the lexicon has), where it stands, how deep.
# Of its surroundings: the links beside it, the page it stands on. Of its kind: what links in that place of the template
# have given on this site. Of the site: what it has given so far.

MAX_ADDRESS_CHARS = 200  # of an address that are read
MAX_CACHED_TEXTS = 20_000  # anchors, places and names whose facts are remembered

_PLACES = frozenset(
    "nav header footer aside main article section menu table td th li dd dt p form map area h1 h2 h3 h4 select label"
    " center font blockquote search frame iframe button".split()
)
_MAX_COUNT = 64  # from which on counts are one and the same
_SIZES = tuple(str(number) if number < 3 else f"<{1 << number.bit_length()}" for number in range(_MAX_COUNT))


_SAYS = {concept: f"says {concept}" for concept in CONCEPTS}
_ADDRESS_SAYS = {concept: f"address says {concept}" for concept in CONCEPTS}
_DEPTHS = tuple(f"depth {depth}" for depth in range(8))
_DIGIT = re.compile(r"\d")


def bucket(number: int) -> str:
    """Return a size in a word: powers of two."""
    return _SIZES[number] if number < _MAX_COUNT else f">{_MAX_COUNT - 1}"


def _list_sizes(what: str) -> tuple[str, ...]:
    return tuple(f"{what} {bucket(number)}" for number in range(_MAX_COUNT + 1))


_WORDS, _FOLDERS, _BESIDE, _BEFORE = map(_list_sizes, ("words", "folders", "beside", "before it"))


@lru_cache(MAX_CACHED_TEXTS)
def facts_of_words(text: str) -> tuple[str, ...]:
    """Return what the words of an anchor are about."""
    words = words_of(text)
    about: set[str] = set()
    subject = False
    for word in words:
        concepts = concepts_of(word)
        about.update(concepts)
        subject = subject or (not concepts and is_subject(word))
    facts = [_SAYS[concept] for concept in sorted(about)] if about else []
    facts.append(_WORDS[len(words)])  # some sixty at most
    if subject:
        facts.append("names a subject")
    if "search" in about:
        facts.append("searches a subject" if subject else "searches, no subject")
        if about & {"site", "page"}:
            facts.append("searches the site")
        if about & {"advanced", "catalogue"}:
            facts.append("searches, advanced or catalogue")
    if not about:
        facts.append("says nothing known")
    lower = text.lower()
    # a hint is in all that the expression finds; to look for them is ten times faster
    if any(hint in lower for hint in phrases("map of the site hint")) and anywhere("map of the site").search(lower):
        facts.append("names a map of the site")
    return tuple(facts)


@lru_cache(MAX_CACHED_TEXTS)
def facts_of_place(path: str) -> tuple[str, ...]:
    """Return where in the template a link stands, by the tags around it."""
    tags = path.split("/")
    return tuple(f"in {tag}" for tag in sorted(_PLACES.intersection(tags)))


@lru_cache(MAX_CACHED_TEXTS)
def _facts_of_name(name: str) -> tuple[str, ...]:
    about: set[str] = set()
    for word in parts_of(name):
        about.update(concepts_of(word))
    return tuple([_ADDRESS_SAYS[concept] for concept in sorted(about)]) if about else ()


def facts_of_address(url: str) -> list[str]:
    """Return what an address says by itself."""
    rest = url[url.find("/", 8) + 1 : MAX_ADDRESS_CHARS]
    path, mark, query = rest.partition("?")
    folder, _, name = path.rstrip("/").rpartition("/")
    facts = list(_facts_of_name(name or folder))
    facts.append(_FOLDERS[min(path.count("/"), _MAX_COUNT)])
    if mark:
        facts.append("address has a query")
        facts += [fact for fact in _facts_of_name(query) if fact not in facts]
    if _DIGIT.search(name):
        facts.append("address has a number")
    return facts


def find_runs(links: Sequence[Link]) -> list[tuple[int, int]]:
    """Return for each link how many links beside it stand in the same place of the template, and how many of those before it."""
    runs: list[tuple[int, int]] = []
    start = 0
    for place in range(1, len(links) + 1):
        if place == len(links) or links[place].path != links[start].path:
            runs += [(place - start, each) for each in range(place - start)]
            start = place
    return runs


@lru_cache(MAX_CACHED_TEXTS)
def _facts_nearby(text: str) -> tuple[str, ...]:
    near: set[str] = set()
    for word in words_of(text):
        near.update(concepts_of(word))
    return tuple(f"near {concept}" for concept in ("search", "advanced", "catalogue") if concept in near)


def facts_of_link(link: Link, run: tuple[int, int], company: Iterable[str]) -> list[str]:
    """Return all that is said of a link where it is first seen; `company` is what is said of the page it stands on."""
    beside, before = run
    facts = [
        *facts_of_words(link.text),
        *facts_of_place(link.path),
        *facts_of_address(link.url),
        _BESIDE[beside if beside < _MAX_COUNT else _MAX_COUNT],
        _BEFORE[before if before < _MAX_COUNT else _MAX_COUNT],
        _DEPTHS[min(link.depth, 7)],
    ]
    if link.nearby:
        facts += _facts_nearby(link.nearby)
    if link.rel:
        facts.append("rel " + link.rel[:12])
    facts += company
    return facts


def facts_of_company(link: Link, links: int, forms: int) -> list[str]:
    """Return what is said of all links of a page: how many are new, and what led to it."""
    facts = [f"page has {bucket(links)} new links"]
    if forms:
        facts.append("stands beside a query form")
    facts += [f"page: {fact}" for fact in facts_of_words(link.text) if fact in _OF_PAGE]
    return facts


_OF_PAGE = frozenset(("says search", "says catalogue", "says advanced", "says browse", "names a map of the site"))
_SEARCHING = frozenset(("says search", "says catalogue", "says query", "says advanced", "address says search"))
_SPEAKS = {"?": "searching", ".": "other", "_": "silent"}


def says_searching(facts: Iterable[str]) -> str:
    """Return what the words of a link speak of, as a letter: searching, something else, or nothing that is known."""
    facts = frozenset(facts)
    return "?" if not _SEARCHING.isdisjoint(facts) else "_" if "says nothing known" in facts else "."


@lru_cache(MAX_CACHED_TEXTS)
def shape_of_address(url: str) -> str:
    """Return what addresses of one sort have in common: first folder, length of the path, names of the parameters."""
    path, _, query = url[url.find("/", 8) + 1 : MAX_ADDRESS_CHARS].partition("?")
    parts = path.split("/")
    names = sorted({part.partition("=")[0] for part in query.replace(";", "&").split("&")}) if query else ()
    return f"{parts[0] if len(parts) > 1 else ''}/{len(parts)}?{'&'.join(names)}"


@lru_cache(8192)
def state_facts(
    shown: str, speaks: str, depth: str, gave: int,
    pages: str, barren: str, stale: str, promising: str, broken: str, entrance: str,
) -> tuple[str, ...]:  # fmt: skip
    """Return what is said of links of one sort by what the search has seen: the same for all of them until the next page."""
    what = f"{shown} {_SPEAKS[speaks]} link"
    site = "site gave" if gave else "site gave nothing"
    here = f"{what}, {site}"
    return (
        f"{what}, depth {depth}",
        f"{what}, depth {depth}, {site}",
        f"{here}, barren for {barren}",
        f"{here} in {pages}",
        f"{what}, site promises {promising}",
        f"{what}, nothing new for {stale}",
        f"{here}, promises broken {broken}",
        f"{here}, entrance has {entrance} links",
        f"{here}, nothing new for {stale}",
        f"depth {depth}, {site}",
        f"depth {depth}, barren for {barren}",
        f"site gave {gave}",
        f"{site} in {pages}",
        f"barren for {barren}" if gave else "",
        f"site promises {promising}",
        f"entrance has {entrance} links",
    )


# -- facts as people would say them; the facts themselves are what the model has weights for

_PHRASES = {
    "says nothing known": "its words say nothing about searching",
    "searches a subject": "its words say what is searched",
    "searches, no subject": "its words are about searching",
    "searches the site": "its words are about searching the site",
    "searches, advanced or catalogue": "its words name an advanced search or a catalogue",
    "names a map of the site": "its words name a site map",
    "names a subject": "its words name a subject",
    "address has a query": "its address has a query string",
    "address has a number": "its address has a number",
    "stands beside a query form": "it is on a page with a query form",
    "unknown searching link": "a link about searching",
    "unknown other link": "a link about something else than searching",
    "unknown silent link": "a link that says nothing about searching",
    "shared searching link": "a link about searching that is on several pages",
    "shared other link": "a link about something else than searching that is on several pages",
    "shared silent link": "a link that says nothing about searching and is on several pages",
    "not shared searching link": "a link about searching that is on one page only",
    "not shared other link": "a link about something else than searching that is on one page only",
    "not shared silent link": "a link that says nothing about searching and is on one page only",
    "site gave": "the site has given query forms before",
    "site gave nothing": "the site has given no query form yet",
    "site gave 0": "the site has given no query form yet",
    "site gave 3": "the site has given 3 query forms or more",
    "barren for 0": "the last page had a new query form",
    "nothing new for 0": "the last page had a new form or link about searching",
    "promises broken 0": "no link about searching has disappointed yet",
    "promises broken <16": "8 or more links about searching led to no form",
    "site promises <16": "the site has shown 8 or more links about searching",
    "depth 7": "7 or more clicks from the entrance",
}
# how other facts begin, and the phrase with a place for the rest
_PHRASES_WITH_REST = (
    ("page: ", "the link to its page: {phrase}"),
    ("says ", "its words are about {}"),
    ("address says ", "its address is about {}"),
    ("near ", "the words beside it are about {}"),
    ("in ", "it is in <{}>"),
    ("rel ", 'it has rel="{}"'),
    ("words ", "{count:word} in its text"),
    ("folders ", "{count:folder} in its address"),
    ("beside ", "{count:link} in its list"),
    ("before it ", "{count:link} before it in its list"),
    ("depth ", "{count:click} from the entrance"),
    ("barren for ", "{count:page} since the last query form"),
    ("nothing new for ", "{count:page} since the last new form or link about searching"),
    ("promises broken ", "{count:link} about searching led to no form"),
    ("site promises ", "the site has shown {count:link} about searching"),
    ("entrance has ", "{count:link} on the entrance page"),
    ("page has ", "{count:new link} on its page"),
    ("site gave nothing in ", "the site has given no query form in {count:page}"),
    ("site gave in ", "the site has given query forms in {count:page}"),
    ("site gave ", "the site has given {count:query form}"),
)
_COUNT = re.compile(r"\{(count|of):([\w ]+)\}")


def put_in_words(fact: str) -> str:
    """Return a fact as people would say it; facts that were observed together are said one after the other."""
    if fact in _PHRASES:
        return _PHRASES[fact]
    first, comma, rest = fact.partition(", ")
    if comma:
        return f"{put_in_words(first)}, {put_in_words(rest)}"
    for start, phrase in _PHRASES_WITH_REST:
        if fact.startswith(start):
            return _fill_phrase(phrase, fact.removeprefix(start))
    return fact


def _fill_phrase(phrase: str, rest: str) -> str:
    if "{phrase}" in phrase:
        return phrase.replace("{phrase}", put_in_words(rest))
    sizes = {"count": rest.split(" ")[0], "of": rest.rpartition(" ")[2]}
    return _COUNT.sub(lambda place: _write_size(sizes[place[1]], place[2]), phrase).replace("{}", rest)


def _write_size(size: str, thing: str) -> str:
    """Write a bucket of a count: `<8` is 4 to 7."""
    if size.startswith("<"):
        end = int(size[1:])
        return f"{max(3, end // 2)} to {end - 1} {thing}s" if end > 4 else f"3 {thing}s"
    if size.startswith(">"):
        return f"more than {size[1:]} {thing}s"
    return f"{'no' if size == '0' else size} {thing}{'s' * (size != '1')}"
