"""Dowse's own strategy: a learned prior for each link, corrected by what this site gives, and a reason to leave.

A model (plain data, trained by `dowse train links`) says how many new query forms a page brings, with half of what the
pages below it bring, from facts about the link and about what the search has seen so far. That is the prior. It is corrected
by what pages gave beside what was expected of them: links in one place of the template are an arm, so are links whose
addresses have one shape, and the site as a whole. An arm multiplies expectations by a factor whose logarithm is normal beforehand: one page
of a foreign site says little, and a few overrule the prior. And with every page of a crawl the weights of the
model move a little: the sites of one crawl are more like each other than like those that were learned from.
The link with the highest upper bound is followed; the site is left when its best link promises less than a page is worth.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from dowse.errors import BadInput
from dowse.learn.linear import MAX_LOG_RATE, RATE_SCALE, LogLinear
from dowse.learn.online import DriftingRates, find_shift
from dowse.model import Earlier, Link, LinkChoice, Site
from dowse.reasons import StopReason, say_count
from dowse.strategy.adaptive import promises_links
from dowse.strategy.facts import (
    bucket,
    facts_of_company,
    facts_of_link,
    find_runs,
    put_in_words,
    says_searching,
    shape_of_address,
    state_facts,
)
from dowse.strategy.guide import MANY_SITES, MAX_DEPTH, NO_OUTLOOK, Guide, LinkOutcome, Outlook, Strategy

MODEL = Path(__file__).parent / "models" / "links.json"
MAX_PAGE_WORTH = 0.05  # query forms: a site that is asked for more is left at its entrance, whatever it has
SHARE_BELOW = 0.5  # part of what the pages below a page give that counts for it
GENERATIONS = 3  # pages above a page, and itself, that share in what it gave
MAX_PAGE_FORMS = 2  # forms that count for one page
DEPTH_CLASSES = 8  # the last one holds all deeper links
NOT_SHARED, SHARED = "-", "+"  # whether one page or several have shown a link
SORT = (
    3  # letters of a kind before the place in the template: depth, shown by one page or several, about searching or not
)
MANY_WAITING = 100  # sites that wait, from which a page must be worth as much as where there is no end of them
SITE_WORTH = 0.2  # query forms that a new site is worth where sites are wanted: most have none, and it costs pages
MAX_PAGE_SITES = 5  # new sites that count for one page
SITES_PRIOR = 0.03, 3.0  # new sites in so many pages that a site, and each of its arms, starts with
NAMED_TIMES = 20.0  # as many new sites are behind a link whose words name a page of links


class LinkModel(LogLinear, frozen=True, kw_only=True):
    """How many query forms a link leads to, and how fast a site overrules that; fitted by `dowse train links`."""

    page_worth: float = 0.01  # query forms that a page must promise where many sites wait
    thorough_worth: float = 0.004  # the same where no other site waits
    coverages: tuple[tuple[float, float], ...] = ()  # coverage reached on unseen sites, by what a page had to promise
    # variances of logarithms beforehand: of what a place in the template, a shape of address, and a whole site multiply the prior
    # by, and of a weight of the model on the sites of another crawl
    place_variance: float = 1.0
    shape_variance: float = 1.0
    site_variance: float = 0.3
    drift_variance: float = 0.02
    # forms that no fact explains, in so many pages, that each place and each shape starts with
    extra_forms: float = 0.01
    extra_pages: float = 3.0
    bound: float = 1.0  # standard deviations of the upper bound

    def worth_for(self, coverage: float) -> float:
        """Return what a page must promise so that this part of all forms is found, as it was on sites not learned from."""
        enough = [worth for reached, worth in self.coverages if reached >= coverage]
        return min(MAX_PAGE_WORTH, max(enough, default=0.0))


@cache
def read_model() -> LinkModel:
    """Return the model that comes with Dowse."""
    return msgspec.json.decode(MODEL.read_bytes(), type=LinkModel)


@dataclass(frozen=True, slots=True)
class LearnedStrategy(Strategy):
    """Follow the link of which most is expected, while that is more than a page is worth."""

    worth: float | None = None  # forms that a page must promise; None: by how many sites wait
    model: LinkModel = field(default_factory=read_model, repr=False)
    rates: DriftingRates = field(init=False, repr=False, compare=False)  # of this crawl
    _said: dict[str, str] = field(init=False, repr=False, compare=False, default_factory=dict)  # facts in words

    def __post_init__(self) -> None:
        weights = {fact: weight / RATE_SCALE for fact, weight in self.model.weights.items()}
        object.__setattr__(self, "rates", DriftingRates(weights, self.model.drift_variance))

    @classmethod
    def parse(cls, parameters: str) -> LearnedStrategy:
        """Read what a page must promise in `learned:0.05`."""
        if not parameters:
            return cls()
        try:
            worth = float(parameters)
        except ValueError:
            worth = -1.0
        if not 0.0 <= worth <= 1.0:
            raise BadInput(f"learned takes query forms per page from 0 to 1, as in learned:0.03, not {parameters!r}")
        return cls(worth)

    def say(self, fact: str) -> str:
        """Return a fact in words, with what it multiplies expectations by; the same few thousand come again and again."""
        said = self._said.get(fact)
        if said is None:
            said = self._said[fact] = f"{put_in_words(fact)} (x {self.model.times(fact):.2g})"
        return said

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> LearnedGuide:
        """Return a guide that knows what the crawl has taught, and nothing of this site."""
        return LearnedGuide(self, outlook)


@dataclass(slots=True)
class LinkArm:
    """What the pages behind links of one sort gave, beside what was expected of them."""

    variance: float  # of the logarithm of its factor, beforehand
    pages: int = 0
    expected: float = 0.0  # forms
    forms: float = 0.0
    sites: int = 0  # new sites
    shift: float = 0.0  # logarithm of what it multiplies expectations by: the likeliest, and its upper bound
    upper: float = 0.0

    def update(self, bound: float) -> LinkArm:
        """Work out anew what follows from the counts."""
        self.shift = find_shift(self.variance, self.forms, self.expected)
        known = 1 / self.variance + self.expected * math.exp(self.shift)
        self.upper = self.shift + bound / math.sqrt(known)
        return self

    def write(self) -> tuple[float, ...]:
        """Return the counts: the rest follows from them."""
        return self.variance, self.pages, self.expected, self.forms, self.sites

    def site_rate(self, usual: float) -> float:
        """Return how many new sites a page shows, given what pages of the site usually do."""
        pages = SITES_PRIOR[1]
        return (usual * pages + self.sites) / (pages + self.pages)


_COUNTS = ("pages", "sites", "forms", "barren", "promising", "stale", "broken", "entrance")  # that a guide remembers


@dataclass(slots=True)
class LinkNote:
    """What is remembered of a link of the site."""

    facts: list[str]
    kind: str  # depth, sort, place in the template, shape of address
    parent: Link | None = None  # the link to the page that showed it first
    followed: tuple[str, ...] = ()  # what the search had seen when it was followed


@dataclass(slots=True)
class LearnedGuide(Guide):
    """What one site has taught."""

    strategy: LearnedStrategy
    outlook: Outlook = NO_OUTLOOK
    notes: dict[str, LinkNote] = field(default_factory=dict)  # of links, by their address
    once: dict[str, LinkChoice] = field(default_factory=dict)  # links that a single page has shown
    arms: dict[str, LinkArm] = field(default_factory=dict)  # by place, and by shape
    pairs: dict[str, tuple[str, LinkArm, LinkArm]] = field(
        default_factory=dict
    )  # of each kind: its sort and its two arms
    named: set[str] = field(default_factory=set)  # links whose words name a page of links
    whole: LinkArm = field(init=False)  # the site as one
    pages: int = 0
    sites: int = 0  # new ones that count
    forms: int = 0
    barren: int = 0  # pages since a form was found
    promising: int = 0  # links whose words speak of searching
    stale: int = 0  # pages since such a link, or a form, was new
    broken: int = 0  # pages that such a link led to and that had no new form
    entrance: int = 0  # links on the first page
    promised: float = 0.0  # what the link that was picked last promises, with the sites it may lead to
    _scores: dict[str, float] = field(default_factory=dict)  # of sorts of links, as of the last page

    def __post_init__(self) -> None:
        self.whole = LinkArm(self.strategy.model.site_variance)

    def remember(self) -> dict[str, Any]:
        """Return what the site has taught, for a search that goes on later."""
        return {
            "counts": {name: getattr(self, name) for name in _COUNTS},
            "arms": {name: arm.write() for name, arm in self.arms.items()},
            "whole": self.whole.write(),
            "notes": {
                url: (note.facts, note.kind, note.parent.url if note.parent else "", note.followed)
                for url, note in self.notes.items()
            },
            "once": list(self.once),
            "named": list(self.named),
            "crawl": (self.strategy.rates.moved, self.strategy.rates.variances),
        }

    def go_on(self, earlier: Earlier) -> None:
        """Take in what the site has taught, or where that is not known, what earlier rounds gave."""
        kept = earlier.guide
        if not kept:
            self.pages, self.forms = len(earlier.fetched), earlier.forms
            for choice in earlier.left:
                self._describe(choice.link, facts_of_link(choice.link, (1, 0), ()))
            return
        for name, count in kept["counts"].items():
            setattr(self, name, count)
        bound = self.strategy.model.bound
        self.arms = {name: LinkArm(*arm).update(bound) for name, arm in kept["arms"].items()}
        self.whole, self.named = LinkArm(*kept["whole"]).update(bound), set(kept["named"])
        if not self.strategy.rates.moved:  # the crawl was interrupted, too
            moved, variances = kept["crawl"]
            self.strategy.rates.moved.update(moved)
            self.strategy.rates.variances.update(variances)
        for url, (facts, kind, parent, followed) in kept["notes"].items():
            self.notes[url] = LinkNote(facts, kind, Link(parent) if parent else None, tuple(followed))
        known = {link.url: link for link in (*earlier.unchosen, *(choice.link for choice in earlier.left))}
        for url in filter(known.__contains__, kept["once"]):
            note = self.notes[url]
            self.once[url] = LinkChoice(known[url], self.strategy.rates.score(note.facts), note.kind)

    # -- what a page brought

    def learn(self, seen: LinkOutcome) -> Iterator[LinkChoice]:
        """Count what a page brought, choose again what it shares with another page, and let its new links wait."""
        self._count(seen)
        # what pages have in common is navigation
        for url in seen.urls:
            if url in self.once:
                choice = self.once.pop(url)
                kind = self.notes[url].kind = f"{choice.kind[0]}{SHARED}{choice.kind[2:]}"
                yield LinkChoice(choice.link, choice.worth, kind)
        if seen.link.depth >= MAX_DEPTH or not seen.links:
            return
        company = facts_of_company(seen.link, len(seen.links), seen.forms)
        promising, wants_sites = self.promising, self.outlook.wants_sites()
        for link, run in zip(seen.links, find_runs(seen.links), strict=True):
            facts = facts_of_link(link, run, company)
            self.promising += "says search" in facts
            if wants_sites and promises_links(link):
                self.named.add(link.url)
            choice = self.once[link.url] = self._describe(link, facts, seen.link)
            yield choice
        self.stale = 0 if self.promising > promising else self.stale
        self._scores.clear()

    def _describe(self, link: Link, facts: list[str], parent: Link | None = None) -> LinkChoice:
        """Return a link as it waits: with what its own facts say, among those of its kind."""
        sort = f"{min(link.depth, DEPTH_CLASSES - 1)}{NOT_SHARED}{says_searching(facts)}"
        note = self.notes[link.url] = LinkNote(facts, f"{sort}{link.path} {shape_of_address(link.url)}", parent)
        return LinkChoice(link, self.strategy.rates.score(facts), note.kind)

    def _count(self, seen: LinkOutcome) -> None:
        """Count a page for its arms, for the site and for the crawl, and credit what led to its forms."""
        sites = min(MAX_PAGE_SITES, seen.sites)
        note = self.notes.get(seen.link.url)
        if note is not None:  # not an entrance
            sort, place, shape = self._find_arms(note.kind)
            note.followed = self.sort_facts(sort)
            rates = self.strategy.rates
            log = self._log_prior(sort, rates.score(note.facts))
            expected = log + place.shift + shape.shift + self.whole.shift
            for arm in (place, shape, self.whole):
                arm.pages += 1
                arm.expected += to_rate(expected - arm.shift)
                arm.sites += sites
                arm.update(self.strategy.model.bound)
            rates.learn((*note.facts, *note.followed), to_rate(expected), 0.0)
            self.broken += not seen.forms and sort[2] == "?"
        if seen.forms:
            self._credit(seen.link, min(seen.forms, MAX_PAGE_FORMS))
        self.pages += 1
        self.sites += sites
        self.forms += seen.forms
        self.barren, self.stale = (0, 0) if seen.forms else (self.barren + 1, self.stale + 1)
        self.entrance = self.entrance or len(seen.urls)
        self._scores.clear()

    def _credit(self, link: Link, forms: float) -> None:
        """Credit the arms, and the facts, that led to forms."""
        for _ in range(GENERATIONS):
            note = self.notes.get(link.url)
            if note is None or not note.followed:
                return
            _, place, shape = self._find_arms(note.kind)
            for arm in (place, shape, self.whole):
                arm.forms += forms
                arm.update(self.strategy.model.bound)
            self.strategy.rates.learn((*note.facts, *note.followed), 0.0, forms)
            link, forms = note.parent or link, forms * SHARE_BELOW

    def _find_arms(self, kind: str) -> tuple[str, LinkArm, LinkArm]:
        """Return the sort of a kind and its two arms: its place in the template, and its shape of address."""
        found = self.pairs.get(kind)
        if found is None:
            place, _, shape = kind[SORT:].partition(" ")
            model = self.strategy.model
            arms = []
            for name, variance in ((f"in {place}", model.place_variance), (f"to {shape}", model.shape_variance)):
                if name not in self.arms:
                    self.arms[name] = LinkArm(variance).update(model.bound)
                arms.append(self.arms[name])
            found = self.pairs[kind] = kind[:SORT], arms[0], arms[1]
        return found

    # -- what is expected

    def _log_prior(self, sort: str, worth: float) -> float:
        """Return the logarithm of the forms that the model expects of a link as the search stands now."""
        score = self._scores.get(sort)
        if score is None:
            bias = self.strategy.model.bias / RATE_SCALE
            score = self._scores[sort] = bias + self.strategy.rates.score(self.sort_facts(sort))
        return worth + score

    def sort_facts(self, sort: str) -> tuple[str, ...]:
        """Return what is said of links of one depth whose words are alike and that one page, or several, have shown."""
        shown = "unknown" if self.pages < 2 else "shared" if sort[1] == SHARED else "not shared"
        counts = (self.pages, self.barren, self.stale, min(self.promising, 8), min(self.broken, 8), self.entrance)
        return state_facts(shown, sort[2], sort[0], min(self.forms, 3), *map(bucket, counts))

    def expect(self, choice: LinkChoice) -> float:
        """Return the query forms expected of a link."""
        sort, place, shape = self._find_arms(choice.kind)
        known = to_rate(self._log_prior(sort, choice.worth) + place.shift + shape.shift + self.whole.shift)
        return known + self._extra(place, shape)

    def _extra(self, place: LinkArm, shape: LinkArm) -> float:
        """Return the forms that no fact explains and that may be behind a link: fewer, the more pages of its arms were read."""
        model = self.strategy.model
        return model.extra_forms / math.sqrt((model.extra_pages + place.pages) * (model.extra_pages + shape.pages))

    def expect_link(self, link: Link) -> float:
        """Return the query forms expected of a link, also of one that was never chosen."""
        note = self.notes.get(link.url)
        if note is None:
            return self.expect(self._describe(link, facts_of_link(link, (1, 0), ())))
        return self.expect(LinkChoice(link, self.strategy.rates.score(note.facts), note.kind))

    def expect_sites(self, choice: LinkChoice) -> float:
        """Return the new sites expected of a link."""
        _, place, shape = self._find_arms(choice.kind)
        sites, pages = SITES_PRIOR
        usual = (sites + self.sites) / (pages + self.pages)
        rate = math.sqrt(place.site_rate(usual) * shape.site_rate(usual))
        return rate * (NAMED_TIMES if choice.link.url in self.named else 1.0)

    # -- what to do

    def pick(self, heads: Mapping[str, LinkChoice]) -> str:
        """Return the kind whose best link may give most."""
        if len(heads) == 1:
            return next(iter(heads))
        wants_sites = self.outlook.wants_sites()
        best, most = "", -1.0
        for kind, choice in heads.items():
            sort, place, shape = self.pairs.get(kind) or self._find_arms(kind)
            worth = to_rate(self._log_prior(sort, choice.worth) + place.upper + shape.upper) + self._extra(place, shape)
            if wants_sites:
                worth += SITE_WORTH * self.expect_sites(choice)
            if worth > most:
                best, most = kind, worth
        return best

    def page_worth(self) -> float:
        """Return the forms that a page must promise: more where many other sites really wait."""
        if self.strategy.worth is not None:
            return self.strategy.worth
        model = self.strategy.model
        waiting = min(1.0, self.outlook.waiting() / MANY_WAITING)
        return model.thorough_worth + (model.page_worth - model.thorough_worth) * waiting

    def why_stop(self, choice: LinkChoice) -> StopReason | None:
        """Stop when the best link promises less than a page is worth."""
        self.promised = self.expect(choice)
        if self.outlook.wants_sites():
            self.promised += SITE_WORTH * self.expect_sites(choice)
        return None if self.promised >= self.page_worth() else StopReason.LOW_YIELD

    def why_left(self, left: Iterable[LinkChoice]) -> str:
        """Return what the links that are left promise, and what a page has to."""
        promised = [self.expect(choice) for choice in left if choice.kind]
        waiting = self.outlook.waiting()
        others = (
            f" while {say_count(waiting, 'sites')} wait" if self.strategy.worth is None and waiting < MANY_SITES else ""
        )
        return (
            f"the next link promises {self.promised:.4f} query forms, where a page has to promise"
            f" {self.page_worth():.4f}{others}; {say_count(len(promised), 'links')} {'is' if len(promised) == 1 else 'are'} left"
        )

    def explain(self, link: Link) -> str:
        """Return what is expected of a link, and what weighs most for and against it."""
        note = self.notes.get(link.url)
        if note is None:
            return ""
        sort, place, shape = self._find_arms(note.kind)
        strongest = self.strategy.model.find_strongest([*note.facts, *self.sort_facts(sort)])
        reasons = [self.strategy.say(fact) for fact in strongest]
        for arm, where in ((place, "in this part of the template"), (shape, "with such an address")):
            if arm.pages:
                reasons.append(
                    f"{say_count(arm.pages, 'pages')} behind links {where} gave"
                    f" {arm.forms:.1f} query forms, {arm.expected:.1f} expected"
                )
        return f"expected {self.expect_link(link):.3f} query forms: {'; '.join(reasons)}"

    def why_not(self, link: Link) -> str:
        """Return that it is too deep."""
        return f"deeper than {MAX_DEPTH}"


def to_rate(logarithm: float) -> float:
    """Return the forms that a logarithm stands for, never more than ever expected."""
    return math.exp(min(MAX_LOG_RATE, logarithm))
