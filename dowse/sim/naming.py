"""What pages are called and where they are, both ways: from a page's number to its address, and back."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from urllib.parse import quote

from dowse.sim.chance import mix, scramble, unscramble
from dowse.sim.plan import SitePlan
from dowse.sim.tree import MOST_ADDED
from dowse.sim.wording import Wording

STEP = 7919  # a prime: neighbours get titles that are far apart in the list
PATHS_KEPT = 400  # of a site: those in its menus are written on every page
NESTED_LIMIT = 3000  # pages beyond which a title alone may not tell siblings apart
_NOT_WORD = re.compile(r"[^a-z0-9]+")


@lru_cache(128)
def list_titles(wording: Wording, topic: str) -> tuple[str, ...]:
    """Return every title that an ordinary page on a topic can have."""
    words = wording.topics[topic]
    slots = [(word, words.nouns[place % len(words.nouns)]) for place, word in enumerate(words.words)]
    titles = (each.format(w=word, n=noun) for word, noun in slots for each in wording.page_titles)
    return tuple(dict.fromkeys(title[:1].upper() + title[1:] for title in titles))


@lru_cache(16384)
def slug(title: str) -> str:
    """Return a title as a part of an address; in other scripts than ours, percent-encoded."""
    plain = unicodedata.normalize("NFKD", title.casefold()).encode("ascii", "ignore").decode()
    short = _NOT_WORD.sub("-", plain).strip("-")
    return short if len(short) * 2 > len(title) else quote(title.replace(" ", "_"))


def title_of(site: SitePlan, number: int) -> str:
    """Return the title of a page."""
    if number == 0:
        return site.habits.site_name
    special = site.tree.special(number)
    if special:
        return special.title
    own = site.themes.page_title(site, number)
    if own:
        return own
    titles = list_titles(site.habits.wording, site.themes.page_topic(site, number))
    return titles[(site.number + number * STEP) % len(titles)]


def path_of(site: SitePlan, number: int) -> str:
    """Return the path of a page, with the query where the site's addresses have one."""
    path = site.paths.get(number)
    if path is None:
        path = _write_path(site, number)
        if len(site.paths) < PATHS_KEPT:
            site.paths[number] = path
    return path


def public_of(site: SitePlan, number: int) -> int:
    """Return the number that addresses have for a page; its order says nothing of what the page is for."""
    return scramble(site.number, number, _bits(site))


def number_at(site: SitePlan, public: int) -> int | None:
    """Return the number of the page that addresses know by a number."""
    if public >> _bits(site):
        return None
    number = unscramble(site.number, public, _bits(site))
    return number if number < site.tree.size else None


def _bits(site: SitePlan) -> int:
    """Return the size of the numbers in addresses; it stays when pages are added."""
    return max(9, (site.tree.articles + len(site.tree.specials) + MOST_ADDED).bit_length() + 1)


def _write_path(site: SitePlan, number: int) -> str:
    if number == 0:
        return "/"
    public = public_of(site, number)
    if number in site.secluded:
        return f"{site.folder}{public}"
    pattern, short = site.habits.pages, slug(title_of(site, number))
    if not pattern.startswith("{above}"):
        return pattern.format(n=public, slug=short)
    tree = site.tree
    above = tree.parent(number)
    if tree.articles > NESTED_LIMIT or _has_namesake(site, number, above):
        short = f"{short}-{public}"
    return pattern.format(above="/" if above in site.secluded else path_of(site, above), slug=short, n=public)


def page_at(site: SitePlan, path: str) -> int | None:
    """Return the number of the page at a path."""
    if path == "/":
        return 0
    if site.folder and path.startswith(site.folder):
        text = path[len(site.folder) :]
        number = number_at(site, int(text)) if text.isdecimal() and len(text) < 9 else None
        return number if number in site.secluded else None
    if site.habits.pages.startswith("{above}"):
        return _walk_to(site, path, 0)
    found = _reader(site.habits.pages).fullmatch(path)
    number = number_at(site, int(found["n"])) if found else None
    return number if number is not None and path_of(site, number) == path else None


def _has_namesake(site: SitePlan, number: int, above: int) -> bool:
    """Return True if a page that is no article of the first day has the title of one beside it."""
    if number < site.tree.articles:
        return False
    title = title_of(site, number)
    return any(each < number and title_of(site, each) == title for each in site.tree.children(above))


@lru_cache(256)
def _reader(pattern: str) -> re.Pattern[str]:
    escaped = re.escape(pattern).replace(r"\{slug\}", r"[^/?]*?")
    return re.compile(escaped.replace(r"\{n\}", "(?P<n>[0-9]{1,9})"))


def _walk_to(site: SitePlan, path: str, above: int) -> int | None:
    """Follow a nested path down from a page."""
    for number in site.tree.children(above):
        own = path_of(site, number)
        if own == path:
            return number
        if path.startswith(own) and number not in site.secluded:
            found = _walk_to(site, path, number)
            if found is not None:
                return found
    return None


def has_articles_form(site: SitePlan, form: int, number: int) -> bool:
    """Return True if a form that stands on many pages of text stands on this one."""
    tree = site.tree
    deep_enough = len(tree.starts) > 2 and tree.starts[2] <= number < tree.articles
    return deep_enough and number % stride_of(site, form) == 0


def stride_of(site: SitePlan, form: int) -> int:
    """Return how many pages of text there are for one with this form."""
    return 1 + mix(site.number, form) % 3


def first_page_with(site: SitePlan, form: int) -> int:
    """Return the first page of text that has a form, or -1."""
    tree, stride = site.tree, stride_of(site, form)
    if len(tree.starts) < 3:
        return -1
    number = -(-tree.starts[2] // stride) * stride
    return number if number < tree.articles else -1
