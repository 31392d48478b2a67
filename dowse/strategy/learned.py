"""Dowse's own strategy: a learned prior for each link, corrected by what this site gives, and a reason to leave.

A model (plain data, trained by `dowse train links`) says how many new query forms a page brings, with half of what the
pages below it bring, from facts about the link and about what the search has seen so far. That is the prior. Links in one
place of the template are an arm, and so are links whose addresses have one shape: what their pages gave, beside what the
prior expected of them, corrects it. Two corrections, both Gamma-Poisson: a multiplier of the prior, and a rate of forms that the
prior cannot explain. So one page of a foreign site says little, and a few overrule the prior. The link with the highest
upper bound is followed; the site is left when its best link promises less than a page is worth.
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
from dowse.learn.linear import LogLinear
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
MAX_CACHED_SCORES = 10_000  # combinations of facts whose score is remembered
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
    strength: float = 1.0  # forms by which the multiplier of an arm is known beforehand
    extra_forms: float = 0.01  # forms that the prior cannot explain, in so many pages, that an arm starts with
    extra_pages: float = 3.0
    site_strength: float = 2.0  # forms by which the multiplier of a whole site is known beforehand
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
    _weighed: dict[tuple[str, ...], float] = field(init=False, repr=False, compare=False, default_factory=dict)

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

    def weigh(self, facts: tuple[str, ...]) -> float:
        """Return the score of facts that many links share; the same few thousand come again and again."""
        score = self._weighed.get(facts)
        if score is None:
            if len(self._weighed) >= MAX_CACHED_SCORES:
                self._weighed.clear()
            score = self._weighed[facts] = self.model.score(facts)
        return score

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> LearnedGuide:
        """Return a guide that knows the model, and nothing of this site."""
        return LearnedGuide(self, outlook)


@dataclass(slots=True)
class LinkArm:
    """What the pages behind links of one sort gave, beside what the prior expected of them."""

    pages: int = 0
    expected: float = 0.0  # forms, by the prior
    explained: float = 0.0  # forms that came, as far as they were expected
    extra: float = 0.0  # forms beyond that
    sites: int = 0  # new sites
    # what follows from that: roots, because a link has two arms and the two are multiplied
    times: float = 1.0  # of the prior: the mean, and its upper bound
    upper_times: float = 1.0
    rate: float = 0.0  # of unexplained forms for a page: the mean, and its upper bound
    upper_rate: float = 0.0

    def update(self, model: LinkModel) -> LinkArm:
        """Work out anew what follows from the counts."""
        known, extra = model.strength + self.explained, model.extra_forms + self.extra
        times, pages = model.strength + self.expected, model.extra_pages + self.pages
        self.times, self.rate = math.sqrt(known / times), math.sqrt(extra / pages)
        self.upper_times = math.sqrt((known + model.bound * math.sqrt(known)) / times)
        spread = model.bound * math.sqrt(extra) if self.extra else 0.0
        self.upper_rate = math.sqrt((extra + spread) / pages)
        return self

    def site_rate(self, usual: float) -> float:
        """Return how many new sites a page shows, given what pages of the site usually do."""
        pages = SITES_PRIOR[1]
        return (usual * pages + self.sites) / (pages + self.pages)


_COUNTS = ("pages", "sites", "forms", "barren", "promising", "stale", "broken", "entrance")  # that a guide remembers


def _write_arm(arm: LinkArm) -> tuple[float, ...]:
    """Return the counts of an arm: the rest follows from them."""
    return arm.pages, arm.expected, arm.explained, arm.extra, arm.sites


@dataclass(slots=True)
class LearnedGuide(Guide):
    """What one site has taught."""

    strategy: LearnedStrategy
    outlook: Outlook = NO_OUTLOOK
    facts: dict[str, list[str]] = field(default_factory=dict)  # of links, by their address
    kinds: dict[str, str] = field(
        default_factory=dict
    )  # of links: depth, sort, place in the template, shape of address
    parents: dict[str, Link] = field(default_factory=dict)  # address -> the link to the page that showed it first
    priors: dict[str, float] = field(default_factory=dict)  # of links that were followed
    once: dict[str, LinkChoice] = field(default_factory=dict)  # links that a single page has shown
    arms: dict[str, LinkArm] = field(default_factory=dict)  # by place, and by shape
    pairs: dict[str, tuple[LinkArm, LinkArm]] = field(default_factory=dict)  # the two arms of each kind
    named: set[str] = field(default_factory=set)  # links whose words name a page of links
    whole: LinkArm = field(default_factory=LinkArm)  # the site as one
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

    def remember(self) -> dict[str, Any]:
        """Return what the site has taught; of links that were followed, no facts: they are not looked at again."""
        return {
            "counts": {name: getattr(self, name) for name in _COUNTS},
            "arms": {name: _write_arm(arm) for name, arm in self.arms.items()},
            "whole": _write_arm(self.whole),
            "priors": self.priors,
            "parents": {url: link.url for url, link in self.parents.items()},
            "links": {url: (self.kinds[url], () if url in self.priors else facts) for url, facts in self.facts.items()},
            "once": [url for url in self.once if url not in self.priors],
            "named": list(self.named),
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
        self.arms = {name: LinkArm(*arm).update(self.strategy.model) for name, arm in kept["arms"].items()}
        self.whole = LinkArm(*kept["whole"]).update(self.strategy.model)
        self.priors, self.named = dict(kept["priors"]), set(kept["named"])
        self.parents = {url: Link(parent) for url, parent in kept["parents"].items()}
        self.kinds = {url: kind for url, (kind, _) in kept["links"].items()}
        self.facts = {url: facts for url, (_, facts) in kept["links"].items()}
        known = {link.url: link for link in (*earlier.unchosen, *(choice.link for choice in earlier.left))}
        score = self.strategy.model.score
        self.once = {
            url: LinkChoice(known[url], score(self.facts[url]), self.kinds[url]) for url in kept["once"] if url in known
        }

    # -- what a page brought

    def learn(self, seen: LinkOutcome) -> Iterator[LinkChoice]:
        """Count what a page brought, choose again what it shares with another page, and let its new links wait."""
        self._count(seen)
        # what pages have in common is navigation
        for url in seen.urls:
            if url in self.once:
                choice = self.once.pop(url)
                kind = self.kinds[url] = f"{choice.kind[0]}{SHARED}{choice.kind[2:]}"
                yield LinkChoice(choice.link, choice.worth, kind)
        if seen.link.depth >= MAX_DEPTH or not seen.links:
            return
        company = facts_of_company(seen.link, len(seen.links), seen.forms)
        promising, wants_sites = self.promising, self.outlook.wants_sites()
        for link, run in zip(seen.links, find_runs(seen.links), strict=True):
            facts = facts_of_link(link, run, company)
            self.promising += "says search" in facts
            self.parents[link.url] = seen.link
            if wants_sites and promises_links(link):
                self.named.add(link.url)
            choice = self.once[link.url] = self._describe(link, facts)
            yield choice
        self.stale = 0 if self.promising > promising else self.stale
        self._scores.clear()

    def _describe(self, link: Link, facts: list[str]) -> LinkChoice:
        """Return a link as it waits: with what its own facts say, among those of its kind."""
        sort = f"{min(link.depth, DEPTH_CLASSES - 1)}{NOT_SHARED}{says_searching(facts)}"
        kind = self.kinds[link.url] = f"{sort}{link.path} {shape_of_address(link.url)}"
        self.facts[link.url] = facts
        return LinkChoice(link, self.strategy.model.score(facts), kind)

    def _count(self, seen: LinkOutcome) -> None:
        """Count a page for its arms and for the site, and credit those that led to its forms."""
        url, model = seen.link.url, self.strategy.model
        sites = min(MAX_PAGE_SITES, seen.sites)
        kind = self.kinds.get(url)
        if kind is not None:  # not an entrance
            prior = self.priors[url] = self._prior(kind, model.score(self.facts[url]))
            for arm in (*self._find_arms(kind), self.whole):
                arm.pages += 1
                arm.expected += prior
                arm.sites += sites
                arm.update(model)
        if seen.forms:
            self._credit(seen.link, min(seen.forms, MAX_PAGE_FORMS))
        self.pages += 1
        self.sites += sites
        self.forms += seen.forms
        self.barren, self.stale = (0, 0) if seen.forms else (self.barren + 1, self.stale + 1)
        self.broken += not seen.forms and says_searching(self.facts.get(url, ())) == "?"
        self.entrance = self.entrance or len(seen.urls)
        self._scores.clear()

    def _credit(self, link: Link, forms: float) -> None:
        """Credit the arms that led to forms: as far as the prior expected them, and beyond."""
        for _ in range(GENERATIONS):
            prior = self.priors.get(link.url)
            if prior is None:
                return
            place, shape = self._find_arms(self.kinds[link.url])
            known, extra = prior * place.times * shape.times, place.rate * shape.rate
            share = known / (known + extra)
            for arm in (place, shape, self.whole):
                arm.explained += forms * share
                arm.extra += forms * (1 - share)
                arm.update(self.strategy.model)
            link, forms = self.parents.get(link.url, link), forms * SHARE_BELOW

    def _find_arms(self, kind: str) -> tuple[LinkArm, LinkArm]:
        """Return the two arms of a kind: its place in the template, and its shape of address."""
        pair = self.pairs.get(kind)
        if pair is None:
            place, _, shape = kind[SORT:].partition(" ")
            found = []
            for name in (f"in {place}", f"to {shape}"):
                if name not in self.arms:
                    self.arms[name] = LinkArm().update(self.strategy.model)
                found.append(self.arms[name])
            pair = self.pairs[kind] = found[0], found[1]
        return pair

    # -- what is expected

    def _prior(self, kind: str, worth: float) -> float:
        """Return the forms that the model expects of a link as the search stands now."""
        sort = kind[:SORT]
        score = self._scores.get(sort)
        if score is None:
            score = self._scores[sort] = self.strategy.weigh(self.sort_facts(sort))
        return self.strategy.model.rate(worth + score)

    def sort_facts(self, sort: str) -> tuple[str, ...]:
        """Return what is said of links of one depth whose words are alike and that one page, or several, have shown."""
        shown = "unknown" if self.pages < 2 else "shared" if sort[1] == SHARED else "not shared"
        counts = (self.pages, self.barren, self.stale, min(self.promising, 8), min(self.broken, 8), self.entrance)
        return state_facts(shown, sort[2], sort[0], min(self.forms, 3), *map(bucket, counts))

    def expect(self, choice: LinkChoice) -> float:
        """Return the query forms expected of a link."""
        place, shape = self._find_arms(choice.kind)
        prior = self._prior(choice.kind, choice.worth)
        return (prior * place.times * shape.times + place.rate * shape.rate) * self._site_times()

    def expect_link(self, link: Link) -> float:
        """Return the query forms expected of a link, also of one that was never chosen."""
        facts, kind = self.facts.get(link.url), self.kinds.get(link.url)
        if facts is None or kind is None:
            return self.expect(self._describe(link, facts_of_link(link, (1, 0), ())))
        return self.expect(LinkChoice(link, self.strategy.model.score(facts), kind))

    def expect_sites(self, choice: LinkChoice) -> float:
        """Return the new sites expected of a link."""
        place, shape = self._find_arms(choice.kind)
        sites, pages = SITES_PRIOR
        usual = (sites + self.sites) / (pages + self.pages)
        rate = math.sqrt(place.site_rate(usual) * shape.site_rate(usual))
        return rate * (NAMED_TIMES if choice.link.url in self.named else 1.0)

    def _site_times(self) -> float:
        """Return what the site as a whole multiplies expectations by."""
        strength = self.strategy.model.site_strength
        return (strength + self.whole.explained) / (strength + self.whole.expected)

    # -- what to do

    def pick(self, heads: Mapping[str, LinkChoice]) -> str:
        """Return the kind whose best link may give most."""
        if len(heads) == 1:
            return next(iter(heads))
        wants_sites = self.outlook.wants_sites()
        best, most = "", -1.0
        for kind, choice in heads.items():
            place, shape = self.pairs.get(kind) or self._find_arms(kind)
            prior = self._prior(kind, choice.worth)
            worth = prior * place.upper_times * shape.upper_times + place.upper_rate * shape.upper_rate
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
            f" {self.page_worth():.4f}{others}; {say_count(len(promised), 'links')} are left"
        )

    def explain(self, link: Link) -> str:
        """Return what is expected of a link, and what weighs most for and against it."""
        facts, kind = self.facts.get(link.url), self.kinds.get(link.url)
        if facts is None or kind is None:
            return ""
        model = self.strategy.model
        strongest = model.find_strongest([*facts, *self.sort_facts(kind[:SORT])])
        reasons = [f"{put_in_words(fact)} (x {model.times(fact):.2g})" for fact in strongest]
        place, shape = self._find_arms(kind)
        for arm, where in ((place, "in this part of the template"), (shape, "with such an address")):
            if arm.pages:
                reasons.append(
                    f"{say_count(arm.pages, 'pages')} behind links {where} gave"
                    f" {arm.explained + arm.extra:.1f} query forms, {arm.expected:.1f} expected"
                )
        return f"expected {self.expect_link(link):.3f} query forms: {'; '.join(reasons)}"

    def why_not(self, link: Link) -> str:
        """Return that it is too deep."""
        return f"deeper than {MAX_DEPTH}"
