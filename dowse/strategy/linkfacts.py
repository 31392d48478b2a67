"""What can be said of a link before it is followed: facts with names, none of which knows a site or a template.

Of the link: what its words and its address are about (in any language that the lexicon has), where it stands, how deep.
Of its company: the links beside it, the page it stands on. Of its kind: what links in that place of the template
have paid on this site. Of the site: what it has given so far.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from dowse.form.lexicon import CONCEPTS
from dowse.form.meaning import concepts_of, is_subject, parts_of, words_of
from dowse.model import Link

MAX_ADDRESS = 200  # characters of an address that are read
REMEMBERED = 20_000

_PLACES = frozenset(
    "nav header footer aside main article section menu table td th li dd dt p form map area h1 h2 h3 h4 select label"
    " center font blockquote search frame iframe button".split()
)
_SITEMAP = re.compile(
    r"site ?-?map|sitemap|übersicht|inhaltsverzeichnis|plan du site|mapa|mappa|карта сайта|サイトマップ", re.I
)
# One of these is in every text that the pattern finds, in lower case; to look for them is ten times faster. None has a
# letter that the pattern also finds in another form (i, k, s).
_SITEMAP_HINTS = ("map", "cht", "verze", "plan d", "кар", "サイ")
_LARGE = 64
_SIZES = tuple(str(number) if number < 3 else f"<{1 << number.bit_length()}" for number in range(_LARGE))


_SAYS = {concept: f"says {concept}" for concept in CONCEPTS}
_ADDRESS_SAYS = {concept: f"address says {concept}" for concept in CONCEPTS}
_DEPTHS = tuple(f"depth {depth}" for depth in range(8))
_DIGIT = re.compile(r"\d")


def bucket(number: int) -> str:
    """Return a size in a word: powers of two."""
    return _SIZES[number] if number < _LARGE else f">{_LARGE - 1}"


def _list_sizes(what: str) -> tuple[str, ...]:
    return tuple(f"{what} {bucket(number)}" for number in range(_LARGE + 1))


_WORDS, _FOLDERS, _BESIDE, _BEFORE = map(_list_sizes, ("words", "folders", "beside", "before it"))


def _understand(words: Iterable[str]) -> tuple[set[str], bool]:
    """Return what words are about, and whether one of them names a subject."""
    about: set[str] = set()
    subject = False
    for word in words:
        concepts = concepts_of(word)
        if concepts:
            about.update(concepts)
        elif not subject:
            subject = is_subject(word)
    return about, subject


def _names_sitemap(text: str) -> bool:
    lower = text.lower()
    for hint in _SITEMAP_HINTS:
        if hint in lower:
            return _SITEMAP.search(text) is not None
    return False


@lru_cache(REMEMBERED)
def facts_of_words(text: str) -> tuple[str, ...]:
    """Return what the words of an anchor are about."""
    words = words_of(text)
    about, subject = _understand(words)
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
    if _names_sitemap(text):
        facts.append("names a map of the site")
    return tuple(facts)


@lru_cache(REMEMBERED)
def facts_of_place(path: str) -> tuple[str, ...]:
    """Return where in the template a link stands, by the tags around it."""
    tags = path.split("/")
    return tuple(f"in {tag}" for tag in sorted(_PLACES.intersection(tags)))


@lru_cache(REMEMBERED)
def _facts_of_name(name: str) -> tuple[str, ...]:
    about: set[str] = set()
    for word in parts_of(name):
        about.update(concepts_of(word))
    return tuple([_ADDRESS_SAYS[concept] for concept in sorted(about)]) if about else ()


def facts_of_address(url: str) -> list[str]:
    """Return what an address says by itself."""
    rest = url[url.find("/", 8) + 1 : MAX_ADDRESS]
    path, mark, query = rest.partition("?")
    folder, _, name = path.rstrip("/").rpartition("/")
    facts = list(_facts_of_name(name or folder))
    facts.append(_FOLDERS[min(path.count("/"), _LARGE)])
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


@lru_cache(REMEMBERED)
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
        _BESIDE[beside if beside < _LARGE else _LARGE],
        _BEFORE[before if before < _LARGE else _LARGE],
        _DEPTHS[min(link.depth, 7)],
    ]
    if link.nearby:
        facts += _facts_nearby(link.nearby)
    if link.rel:
        facts.append("rel " + link.rel[:12])
    facts += company
    return facts
