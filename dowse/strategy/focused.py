"""Dowse's own crawler on a topic: the worth of a site is how likely it is on the topic, times the wanted forms that a page gives there.

Evidence is bought stepwise: how others name a site (no page), its home page (one), then as many pages as
promise more than the home page of the next site does. Before a page is read, facts of the mentions multiply a rate by what a model has learned; crawls
of the topic add to that, as sums of what was counted and expected where a fact held. Inside a site the guide
of `learned` expects forms, and what was read so far says how likely they are wanted.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Protocol

import msgspec

from dowse.learn.linear import LogLinear
from dowse.learn.online import find_shift
from dowse.model import ON_TOPIC, Earlier, KnownSite, Link, LinkChoice, Mention, Site, SiteRank, SiteSearch
from dowse.reasons import StopReason
from dowse.strategy.guide import NO_OUTLOOK, Guide, LinkOutcome, Outlook, SiteRanker, Strategy
from dowse.strategy.learned import LearnedGuide, LearnedStrategy

MODEL = Path(__file__).parent / "models" / "focused.json"
# By how much the logarithm of the odds that a site is on the topic moves with a page of which the classifier says so, by steps of its own
# log odds: counted on 7,755 pages of family A of the simulated web by the site's truth; beyond that a site counts as known.
PAGE_EVIDENCE = {-6: -4.8, -4: -2.5, -2: -0.4, 0: 1.8, 2: 3.0, 4: 3.5, 6: 5.0}
LATER_PAGES = 0.5  # that evidence of pages beside the first counts: pages of a site are alike
BASE = 0.05  # of sites that are on a topic, where nothing is known: between the 0.2 to 5 % of all and the share among linked ones
FACT_VARIANCE = (
    0.1  # of the logarithm of what a topic changes in a fact's factor: 1.4 times more or less is no surprise
)
ANY_SITE = "named by others"  # the fact that holds for every site: how rare the topic is
RARITY_VARIANCE = 2.0  # of the logarithm of that: topics have 0.2 to 5 % of the sites
MAX_LIKELY = 0.95
SEED_LIKELY = 0.9  # seeds are chosen with care
FORMS_PRIOR = (
    6.0,
    60.0,
)  # wanted forms on so many pages of sites on the topic, as if they had been seen; a way of discovery is as others, as if on as many
YIELD_PRIOR = (
    0.5,
    10.0,
)  # wanted forms on so many pages of a crawl, before it has begun: crawls over family A gave 0.035 to 0.067 a page
SHARE_OF_YIELD = 1.0  # of the yield of the crawl that the next page of a site has to promise
SCARCE = 0.5  # of that, where no site waits: those that are searched now will name others
ENOUGH_WAITING = 16  # sites that wait, from which on that holds; with fewer, a page has to promise less
# What the first page of a site gives, times what pages of such a site give on average: of 129 wanted forms of 38 sites of family A, 41 stood on home pages.
FIRST_PAGE_TIMES = 3.0
UNNAMED = 0.25  # what a link counts on a site off the topic, where its words are off it, too
NAMED_LIKELY = 0.3  # how likely a page is on the topic whose link is named so, on a site that is not
LEAST_WORTH = (
    0.005  # wanted forms that a page has to promise even where no site waits, unless so many pages are to be spent
)
SITE_WORTH = (
    0.15  # wanted forms that a new site is worth where few wait: on family A sites on the topic gave 0.6 in four pages
)


class PageTopic(Protocol):
    """The part of a topic that is asked here."""

    @property
    def name(self) -> str:
        """What the topic is called."""
        raise NotImplementedError

    def page_probability(self, title: str, text: str) -> float:
        """Return how likely a page is on the topic."""
        raise NotImplementedError


# -- sites


@dataclass(slots=True)
class FactSums:
    """What was counted, and what was expected, where a fact held."""

    counted: float = 0.0
    expected: float = 0.0
    variance: float = FACT_VARIANCE

    @property
    def shift(self) -> float:
        """The logarithm of the factor of this fact."""
        return find_shift(self.variance, self.counted, self.expected)


@cache
def read_model() -> LogLinear:
    """Return what facts of mentions say, learned on family A of the simulated web (bench/topical/prior.py)."""
    return msgspec.json.decode(MODEL.read_bytes(), type=LogLinear)


@dataclass(slots=True)
class FocusedRanker(SiteRanker):
    """Says how likely a site is on the topic by how others name it, and draws what that is worth."""

    topic: PageTopic
    explores: bool = True  # Thompson draws for each way of discovery, instead of its mean
    adapts: bool = True
    model: LogLinear = field(default_factory=read_model)
    facts: dict[str, FactSums] = field(default_factory=dict)  # what this topic's crawls have added to it
    ways: dict[str, list[float]] = field(default_factory=dict)  # wanted forms and pages, by how sites were met
    new: dict[str, dict[str, float]] = field(default_factory=dict)  # not yet kept
    rng: Random = field(default_factory=lambda: Random(1))

    def rank(self, known: KnownSite) -> SiteRank:
        """Return what a site is worth: the forms that its home page promises, to be compared with what the next page of another site does."""
        way = way_of(known)
        if way == "seed":
            return SiteRank(known.site, 1.0, 0, way, "given as a seed", SEED_LIKELY)
        facts = self.facts_of(known)
        likely = self.likely(facts)
        forms, pages = self.ways.get(way, (0.0, 0.0))
        shape, scale = self._usual_rate() * FORMS_PRIOR[1] + forms, FORMS_PRIOR[1] + pages
        rate = self.rng.gammavariate(shape, 1 / scale) if self.explores else shape / scale
        strongest = self.model.find_strongest(facts, 3)
        why = f"on the topic with probability {likely:.2f} ({', '.join(strongest)}); met by {way}, {rate:.3f} forms a page"
        return SiteRank(known.site, FIRST_PAGE_TIMES * likely * rate, 0, way, why, likely)

    def _usual_rate(self) -> float:
        """Return the wanted forms that a page of a site on the topic gives, however it was met."""
        forms, pages = map(sum, zip(FORMS_PRIOR, *self.ways.values(), strict=True))
        return forms / pages

    def facts_of(self, known: KnownSite) -> list[str]:
        """Return what is said of a site, in facts."""
        mentions = known.mentions
        named = self.topic.page_probability("", " ".join(say_mention(each) for each in mentions))
        pages = [each.topic for each in mentions if each.topic is not None]
        sites = [each.of_topic for each in mentions if each.of_topic is not None]
        sources = sum(1 for each in mentions if each.of_forms)
        return [
            ANY_SITE,
            f"named like the topic {in_steps(named)}",
            f"best page that names it {in_steps(max(pages, default=None))}",
            f"mean page that names it {in_steps(sum(pages) / len(pages) if pages else None)}",
            f"best site that names it {in_steps(max(sites, default=None))}",
            f"named by {min(sources, 3)} sources",
            f"named by {min(len(mentions), 8).bit_length()} doublings of sites",
            f"met by {way_of(known)}",
        ]

    def likely(self, facts: Iterable[str]) -> float:
        """Return how likely a site of these facts is on the topic."""
        known = list(facts)
        return min(MAX_LIKELY, self.model.rate(self.model.score(known) + sum(map(self._shift, known))))

    def _sums(self, fact: str) -> FactSums:
        if fact not in self.facts:
            self.facts[fact] = FactSums(variance=RARITY_VARIANCE if fact == ANY_SITE else FACT_VARIANCE)
        return self.facts[fact]

    def _shift(self, fact: str) -> float:
        sums = self.facts.get(fact)
        return sums.shift if sums else 0.0

    def learn(self, search: SiteSearch, known: KnownSite) -> None:
        """Learn from a site that was read: whether it was on the topic, and what its pages gave."""
        if search.topic is None or not search.visits or not self.adapts:
            return
        way, facts = way_of(known), self.facts_of(known)
        likely = self.likely(facts)
        for fact in facts if way != "seed" else ():
            sums = self._sums(fact)
            expected = likely / math.exp(sums.shift)  # by all facts but this one
            sums.counted += search.topic
            sums.expected += expected
            self._note("focused counted", fact, search.topic)
            self._note("focused expected", fact, expected)
        if search.topic >= ON_TOPIC:
            forms, pages = self.ways.setdefault(way, [0.0, 0.0]), float(len(search.visits))
            forms[0] += search.relevant
            forms[1] += pages
            self._note("focused forms", way, float(search.relevant))
            self._note("focused pages", way, pages)

    def _note(self, kind: str, name: str, amount: float) -> None:
        amounts = self.new.setdefault(kind, {})
        amounts[name] = amounts.get(name, 0.0) + amount

    def take_lessons(self) -> dict[str, dict[str, float]]:
        """Return what was learned since the last call, as sums."""
        taken, self.new = self.new, {}
        return taken

    def recall(self, lessons: Mapping[str, Mapping[str, float]]) -> None:
        """Take in what earlier crawls of the topic have learned."""
        for fact, counted in lessons.get("focused counted", {}).items():
            sums = self._sums(fact)
            sums.counted += counted
            sums.expected += lessons["focused expected"].get(fact, 0.0)
        for way, pages in lessons.get("focused pages", {}).items():
            self.ways[way] = [lessons.get("focused forms", {}).get(way, 0.0), pages]


def way_of(known: KnownSite) -> str:
    """Return how a site was met: the best of its mentions."""
    if known.way or not known.mentions:
        return known.way or "seed"
    if any(each.of_forms for each in known.mentions):
        return "form site"
    if any(each.links >= MANY_LINKS and (each.topic or 0.0) >= ON_TOPIC for each in known.mentions):
        return "directory"
    return "link"


MANY_LINKS = 50  # of a page, from which it counts as a directory


def say_mention(mention: Mention) -> str:
    """Return the words by which a page names a site."""
    return f"{mention.text} {mention.text} {mention.nearby}"


def in_steps(probability: float | None) -> str:
    """Return a probability in steps of its odds, as part of a fact."""
    return "unknown" if probability is None else f"{step_of(probability):+d}"


def step_of(probability: float) -> int:
    """Return the logarithm of the odds in steps of two, from -6 to 6."""
    odds = math.log(max(probability, 1e-4) / max(1 - probability, 1e-4))
    return max(-6, min(6, 2 * round(odds / 2)))


# -- inside a site


@dataclass(slots=True)
class FocusedStrategy(Strategy):
    """Opens a guide for each site; counts what the crawl gives."""

    topic: PageTopic
    inner: LearnedStrategy = field(default_factory=LearnedStrategy)
    pages: int = 0
    forms: int = 0
    least: float = LEAST_WORTH  # wanted forms that a page has to promise whatever else waits
    looks: bool = False
    returns: bool = True

    def __post_init__(self) -> None:
        self.looks = self.inner.looks
        self.depth = self.inner.depth

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> Guide:
        """Return the guide through one site."""
        guide = self.inner.open(site, outlook)
        assert isinstance(guide, LearnedGuide)
        return FocusedGuide(self, guide, outlook, outlook.likely(site))

    def page_worth(self, waiting: int) -> float:
        """Return the wanted forms that the next page of a site has to promise: less than pages gave so far, where few sites wait."""
        given = (self.forms + YIELD_PRIOR[0]) / (self.pages + YIELD_PRIOR[1])
        return max(self.least, SHARE_OF_YIELD * given * min(1.0, max(SCARCE, waiting / ENOUGH_WAITING)))


@dataclass(slots=True)
class FocusedGuide(Guide):
    """Weighs what the guide of `learned` expects by how likely the site is on the topic."""

    strategy: FocusedStrategy
    inner: LearnedGuide
    outlook: Outlook
    prior: float
    evidence: float = 0.0  # logarithm of odds, by the pages that were read
    pages: int = 0
    forms: int = 0
    promised: float = 0.0
    wanted: float = 0.0
    resumed: bool = False  # it goes on, and has read no page since
    named: dict[str, float] = field(default_factory=dict)  # how likely links are on the topic, by their words

    def learn(self, seen: LinkOutcome) -> Iterable[LinkChoice]:
        """Take in whether a page is on the topic, and what it gave."""
        self.pages += 1
        self.forms += seen.forms
        self.strategy.pages += 1
        self.strategy.forms += seen.forms
        if seen.topic is not None and seen.page is not None:
            self.evidence += PAGE_EVIDENCE[step_of(seen.topic)] * (LATER_PAGES if self.evidence else 1.0)
        for choice in self.inner.learn(seen):
            likely = self.likely
            weight = likely + (1 - likely) * (UNNAMED + self._named(choice.link))
            yield choice._replace(worth=choice.worth + math.log(weight))

    def _named(self, link: Link) -> float:
        """Return how likely a link leads to something on the topic, by its words alone."""
        known = self.named.get(link.url)
        if known is None:
            known = self.named[link.url] = self.strategy.topic.page_probability(
                "", f"{link.text} {link.text} {link.nearby}"
            )
        return known

    @property
    def likely(self) -> float:
        """How likely the site is on the topic."""
        odds = math.log(self.prior / (1 - self.prior)) + self.evidence
        return 0.99 if self.forms else 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))

    def pick(self, heads: Mapping[str, LinkChoice]) -> str:
        """Pick as `learned` does: the topic is the site's."""
        return self.inner.pick(heads)

    def why_stop(self, choice: LinkChoice) -> StopReason | None:
        """Leave when the best link promises less than a page is worth, or than the home page of another site."""
        likely = max(self.likely, NAMED_LIKELY * self._named(choice.link))
        self.promised = likely * self.inner.expect(choice)
        waiting = self.outlook.waiting()
        if waiting < ENOUGH_WAITING:
            scarce = 1 - waiting / ENOUGH_WAITING
            self.promised += scarce * likely * SITE_WORTH * self.inner.expect_sites(choice)
        other = self.outlook.alternative()
        self.wanted = max(self.strategy.least, min(self.strategy.page_worth(waiting), other))
        is_best = self.resumed and self.promised >= self.strategy.least  # of all that waited
        self.resumed = False
        if self.promised >= self.wanted or is_best:
            return None
        is_left = likely < ON_TOPIC and self.strategy.least > 0  # for good; else it waits behind all that promises more
        return StopReason.OFF_TOPIC if is_left else StopReason.LOW_YIELD

    def why_left(self, left: Iterable[LinkChoice]) -> str:
        """Return the numbers by which the site was left."""
        return (
            f"on the topic with probability {self.likely:.2f}; the next link promises {self.promised:.4f} wanted forms,"
            f" where a page has to promise {self.wanted:.4f}"
        )

    def promise(self) -> float | None:
        """Return what the next link promises."""
        return self.promised

    def site_topic(self) -> float | None:
        """Return how likely the site is on the topic."""
        return self.likely

    def why_not(self, link: Link) -> str:
        """Return what the inner guide says."""
        return self.inner.why_not(link)

    def explain(self, link: Link) -> str:
        """Return what is expected of a link, and how likely the site is on the topic."""
        return f"{self.inner.explain(link)}; the site is on the topic with probability {self.likely:.2f}"

    def remember(self) -> dict[str, Any]:
        """Return what the site has taught, for a search that goes on later."""
        own = [self.prior, self.evidence, self.pages, self.forms]
        return {"inner": self.inner.remember(), "topic": self.strategy.topic.name, "own": own}

    def go_on(self, earlier: Earlier) -> None:
        """Take in what the site has taught."""
        from dataclasses import replace

        if earlier.guide and earlier.guide.get("topic", self.strategy.topic.name) == self.strategy.topic.name:
            self.prior, self.evidence, self.pages, self.forms = earlier.guide["own"]
            self.resumed = True
        self.inner.go_on(replace(earlier, guide=earlier.guide.get("inner", {}) if earlier.guide else {}))
