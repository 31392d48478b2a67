"""The two-stage crawler of paper 5 (SmartCrawler): which site next by what known sources are called, which link next by what led to forms.

Sites wait in two queues: those met on sites with forms, and the others. A site is on the topic when its home page is; then its
links are followed by how alike they are to links that led to forms before, directories by turns (the link tree). What the
paper leaves open (how many pages, forms, depths) is a parameter of `SmartRules`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dowse.model import ON_TOPIC, KnownSite, Link, LinkChoice, Mention, Site, SiteRank, SiteSearch
from dowse.reasons import StopReason
from dowse.strategy.contexts import LinkWords, WordSpace, address_words, link_words
from dowse.strategy.guide import NO_OUTLOOK, Guide, LinkOutcome, Outlook, SiteRanker, Strategy
from dowse.topic.text import count_stems

HIGH, LOW = 0, 1  # queues: sites met where forms were found, and the others
SEED_WORTH = 10.0  # seeds are chosen with care: before all that is ranked by likeness (at most 3) and frequency
SEED_LIKELY = (
    0.9  # how likely a seed is on the topic, whatever its home page says: paper 5 takes seeds for known deep-web sites
)
FREQUENCY_WORTH = 0.1  # of each further site that links to a site, of which at most ten count
MAX_FREQUENCY = 10
SEARCH_WORDS = (
    "search find advanced query browse database catalogue"  # what links to forms are called before any was seen
)


@dataclass(frozen=True, slots=True)
class SmartRules:
    """When a site is left, and which of the paper's parts are in use: the baseline SCDI has none of them."""

    depth: int = 3  # as most query forms are found within (paper 2)
    depth_pages: int = 20  # pages of one depth
    depth_forms: int = 5  # wanted forms of one depth: a deep-web site has 4.2 on average (paper 2)
    barren_pages: int = (
        3  # pages in a row without a wanted form; with ten, 298 forms instead of 533 on four topics of family A
    )
    ranked: bool = True  # links and sites by likeness, or as they come
    adaptive: bool = True  # what led to forms is learned from
    tree: bool = True  # directories by turns
    queues: bool = True  # sites met where forms were found first


@dataclass(slots=True)
class SmartStrategy(Strategy):
    """Opens a guide for each site; what links to forms are called is shared by all of them."""

    rules: SmartRules = SmartRules()
    links: WordSpace = field(default_factory=WordSpace)
    depth: int = 3
    only_on_topic: bool = True

    @classmethod
    def begin(cls, words: Iterable[str], rules: SmartRules = SmartRules()) -> SmartStrategy:  # noqa: B008 (it is frozen)
        """Return the strategy for a topic of such words, before any form was found."""
        strategy = cls(rules, depth=rules.depth)
        known = count_stems(f"{SEARCH_WORDS} {' '.join(words)}")
        for context in strategy.links.counts:
            strategy.links.fill(context, known)
        return strategy

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> Guide:
        """Return the guide through one site."""
        return SmartGuide(self, topic=SEED_LIKELY if outlook.likely(site) >= SEED_LIKELY else None)

    def take_lessons(self) -> dict[str, dict[str, float]]:
        """Return what was learned since the last call, as sums."""
        return {"smart link": self.links.take_new()}

    def recall(self, lessons: Mapping[str, Mapping[str, float]]) -> None:
        """Take in what earlier crawls of the topic have learned."""
        self.links.recall(lessons.get("smart link", {}))


@dataclass(slots=True)
class SmartGuide(Guide):
    """Ranks the links of one site."""

    strategy: SmartStrategy
    topic: float | None = None  # of the home page; a seed is a known source, whatever its home page says (Algorithm 1)
    pages: Counter[int] = field(default_factory=Counter)  # by depth
    forms: Counter[int] = field(default_factory=Counter)
    barren: int = 0
    visits: Counter[str] = field(default_factory=Counter)  # by directory
    words: dict[str, LinkWords] = field(default_factory=dict)  # of links that were shown

    def learn(self, seen: LinkOutcome) -> Iterable[LinkChoice]:
        """Classify the site by its home page; learn from a link that led to forms; let new links wait."""
        rules, link = self.strategy.rules, seen.link
        self.pages[link.depth] += 1
        self.forms[link.depth] += seen.forms
        self.barren = 0 if seen.forms else self.barren + 1
        self.visits[directory_of(link.url)] += 1
        if self.topic is None and seen.page is not None:
            self.topic = seen.topic
        if seen.forms and rules.adaptive and link.url in self.words:
            self.strategy.links.add(self.words[link.url])
        if link.depth >= rules.depth:
            return []
        return [self._choose(each) for each in seen.links]

    def _choose(self, link: Link) -> LinkChoice:
        words = self.words[link.url] = link_words(link, host=False)
        worth = self.strategy.links.similarity(words) if self.strategy.rules.ranked else -float(link.depth)
        return LinkChoice(link, worth, directory_of(link.url) if self.strategy.rules.tree else "")

    def _is_off(self) -> bool:
        return self.topic is not None and self.topic < ON_TOPIC

    def pick(self, heads: Mapping[str, LinkChoice]) -> str:
        """Take the directories by turns, of those with equally many visits the one with the best link."""
        return min(heads, key=lambda kind: (self.visits[kind] if kind else 0, -heads[kind].worth))

    def why_stop(self, choice: LinkChoice) -> StopReason | None:
        """Leave a site that is off the topic, or that gives nothing any more."""
        rules, depth = self.strategy.rules, choice.link.depth
        if self._is_off():
            return StopReason.OFF_TOPIC
        if self.barren >= rules.barren_pages:
            return StopReason.NO_NEW_FORMS
        is_done = self.pages[depth] >= rules.depth_pages or self.forms[depth] >= rules.depth_forms
        return StopReason.ENOUGH_FORMS if is_done else None

    def why_left(self, left: Iterable[LinkChoice]) -> str:
        """Return what the site gave, and how likely it is on the topic."""
        topic = "" if self.topic is None else f", on the topic with probability {self.topic:.2f}"
        return f"{sum(self.forms.values())} wanted forms on {sum(self.pages.values())} pages{topic}"

    def why_not(self, link: Link) -> str:
        """Return that it is too deep."""
        return f"deeper than {self.strategy.rules.depth}"

    def explain(self, link: Link) -> str:
        """Return how alike a link is to those that led to forms."""
        words = self.words.get(link.url)
        return f"alike {self.strategy.links.similarity(words):.2f} of 3 to links that led to forms" if words else ""

    def site_topic(self) -> float | None:
        """Return how likely the home page is on the topic."""
        return self.topic if self.topic is not None else 0.0

    def remember(self) -> dict[str, Any] | None:
        """Begin again: its sites are small."""
        return None


def directory_of(url: str) -> str:
    """Return the first part of a path: a branch of the link tree."""
    path = url.split("://", 1)[-1].partition("/")[2].partition("?")[0]
    return path.partition("/")[0] if "/" in path else ""


@dataclass(slots=True)
class SmartRanker(SiteRanker):
    """Ranks sites by how alike they are named to known sources (Eq. 1), and by how many sites link to them."""

    rules: SmartRules = SmartRules()
    sites: WordSpace = field(default_factory=WordSpace)

    @classmethod
    def begin(cls, words: Iterable[str], rules: SmartRules = SmartRules()) -> SmartRanker:  # noqa: B008 (it is frozen)
        """Return the ranker for a topic of such words, before any source is known."""
        ranker = cls(rules)
        known = count_stems(" ".join(words))
        for context in ranker.sites.counts:
            ranker.sites.fill(context, known)
        return ranker

    def rank(self, known: KnownSite) -> SiteRank:
        """Return what is expected of a site."""
        if not known.mentions:
            return SiteRank(known.site, SEED_WORTH, HIGH, known.way or "seed", "given as a seed", SEED_LIKELY)
        is_high = any(each.of_forms for each in known.mentions) if self.rules.queues else True
        queue = HIGH if is_high else LOW
        if not self.rules.ranked:
            return SiteRank(known.site, 0.0, queue, known.way or "link", "in the order they were met")
        likeness = self.sites.similarity(words_of_mentions(known))
        worth = likeness + FREQUENCY_WORTH * min(known.inlinks, MAX_FREQUENCY)
        why = f"alike {likeness:.2f} of 3 to known sources, {known.inlinks} sites link to it"
        return SiteRank(known.site, worth, queue, known.way or ("form site" if is_high else "link"), why)

    def learn(self, search: SiteSearch, known: KnownSite) -> None:
        """Learn what a source is called."""
        if self.rules.adaptive and search.relevant:
            self.sites.add(words_of_mentions(known))

    def take_lessons(self) -> dict[str, dict[str, float]]:
        """Return what was learned since the last call, as sums."""
        return {"smart site": self.sites.take_new()}

    def recall(self, lessons: Mapping[str, Mapping[str, float]]) -> None:
        """Take in what earlier crawls of the topic have learned."""
        self.sites.recall(lessons.get("smart site", {}))


def words_of_mentions(known: KnownSite) -> LinkWords:
    """Return the words by which others name a site, and of its address."""
    mentions: tuple[Mention, ...] = known.mentions
    return LinkWords(
        address_words(known.site),
        count_stems(" ".join(each.text for each in mentions)),
        count_stems(" ".join(each.nearby for each in mentions)),
    )
