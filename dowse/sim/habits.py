"""What the author of one site always does: design, addresses, names, labels, wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from dowse.sim.chance import mix, number_of, pick, shuffled, skewed
from dowse.sim.hosts import make_name
from dowse.sim.view import Choice, Family, Style
from dowse.sim.wording import TopicWords, Wording

SEARCHING = ("keyword", "search_site")
NEUTRAL_WORDS = {"A": ("process", "go", "handler", "action"), "B": ("exec", "dispatch", "run", "ctl")}
NEUTRAL_SHARE = 0.15  # forms that send to a place whose name says nothing
HREFS = ("root", "relative", "absolute", "protocol", "base")


@lru_cache(1024)
def _number_of(word: str) -> int:
    return number_of(word)


class Says(dict[str, str]):
    """What a site says for each thing, chosen when it is first said: a page needs few of them."""

    def __init__(self, wording: Wording, key: int) -> None:
        self._wording, self._key = wording, key

    def __missing__(self, name: str) -> str:
        phrases = self._wording.says[name]
        said = self[name] = phrases[mix(self._key, _number_of(name)) % len(phrases)]
        return said


@dataclass(frozen=True, slots=True)
class Habits:
    """One author's choices; drawn once for each site, the look of it again when it is redesigned."""

    key: int
    family: Family
    style: Style
    wording: Wording
    says: Mapping[str, str]
    site_name: str
    encoding: str
    hrefs: str
    pages: str  # pattern of the addresses of pages
    answers: str  # and of what answers forms
    details: str
    attributes: str  # pattern of the names of a database's fields
    ends: Choice
    paging: tuple[str, str]
    codes: str  # how the values of a select are written: "plain" or "number"

    @property
    def is_old(self) -> bool:
        """Whether the site is written the way of the nineties."""
        return self.style.design in self.family.old

    @property
    def ampersand(self) -> str:
        """How `&` is written in addresses."""
        return "&" if self.is_old else "&amp;"

    def name(self, purpose: str) -> str:
        """Return the name that this author gives to a field of some purpose; searches of all sorts share theirs."""
        names = self.family.addresses.names[purpose]
        if purpose in SEARCHING:
            names = sum((self.family.addresses.names[each] for each in SEARCHING), ())
        return names[mix(self.key, _number_of(purpose)) % len(names)]

    def action(self, rng: Random, purpose: str, taken: set[str]) -> str:
        """Choose a path that answers a form, none that is taken; a search may be called what another sort of search is."""
        words = self.family.addresses.words
        own = words["database"] + words["site_search"] if purpose in ("database", "site_search") else words[purpose]
        drawn = NEUTRAL_WORDS[self.family.name] if rng.random() < NEUTRAL_SHARE else own
        paths = [self.answers.format(word=word) for word in (*shuffled(rng, drawn), *own)]
        path = next(each for each in (*paths, f"{paths[0]}2") if each not in taken)
        taken.add(path)
        return path

    def topic(self, topic: str) -> TopicWords:
        """Return how this author's language speaks of a topic."""
        return self.wording.topics[topic]


def draw_habits(rng: Random, look: Random, family: Family, wording: Wording, topic: str) -> Habits:
    """Draw the habits of a site's author; `look` is the chance of what a redesign changes."""
    addresses = family.addresses
    style = _draw_style(look, family)
    is_old = style.design in family.old
    return Habits(
        key=int(rng.random() * 2**53),
        family=family,
        style=style,
        wording=wording,
        says=Says(wording, int(rng.random() * 2**53)),
        site_name=make_name(rng, family.name, wording.topics[topic].noun),
        encoding=skewed(look, wording.encodings, 1.0 if is_old else 4.0),
        hrefs=pick(rng, HREFS),
        pages=pick(rng, addresses.pages),
        answers=pick(rng, addresses.answers),
        details=pick(rng, addresses.details),
        attributes=pick(rng, addresses.attributes),
        ends=pick(rng, addresses.ends),
        paging=pick(rng, addresses.paging),
        codes=pick(rng, ("plain", "plain", "number")),
    )


def _draw_style(rng: Random, family: Family) -> Style:
    return Style(
        design=pick(rng, tuple(family.designs)),
        labels=pick(rng, family.labels),
        form=pick(rng, family.forms),
        results=pick(rng, tuple(family.results)),
        detail=pick(rng, tuple(family.details)),
        lists=pick(rng, tuple(family.lists)),
        mark=pick(rng, family.marks),
    )
