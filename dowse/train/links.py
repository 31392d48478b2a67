"""Trains the model by which the `learned` strategy follows links, and measures it on sites it has not seen.

The sites are simulated, of template family A. Each is recorded whole; then a guide walks through the recordings, at first
at random, later by what it has learned, and every link it follows is an example: what was said of the link then, and
what it led to.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from dowse.crawl.site import search_site
from dowse.fetch.build import wrap_fetch
from dowse.learn.fit import fit_loglinear
from dowse.learn.linear import LogLinear
from dowse.model import LinkChoice, Site
from dowse.sample.record import Recording, count_queries, record_site
from dowse.sample.replay import play, replay_search
from dowse.seeds.lists import read_seed
from dowse.sim import World, simulate
from dowse.strategy import build_strategy
from dowse.strategy.guide import Strategy
from dowse.strategy.learned import LearnedGuide, LearnedStrategy

SHARE_BELOW = 0.5  # part of what the pages below a page give that counts for it
MAX_PAGE_FORMS = 2.0  # forms that count for one page
ROUNDS = ((1.0, 40), (0.15, 60), (0.15, 60))  # for each round: share of links followed at random, pages of each site
PENALTY = 4.0  # half of the square of a weight costs so much
MIN_EXAMPLES = 20  # links that must have a fact
MIN_YIELD_RATIO = 3.0  # yield wanted over that of exhaustive:3; then as much coverage as possible
GRID = (0.1, 0.05, 0.02, 0.01, 0.008, 0.007, 0.006, 0.005, 0.0045, 0.004, 0.0035, 0.003, 0.0025, 0.002, 0.0015, 0.001)
SITE_PAGES = 150  # pages of a site that are recorded and replayed

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class FollowedLink:
    """A link that was followed: what was said of it, and what it led to."""

    facts: tuple[str, ...]
    forms: float


def record_world(world: World, indexes: Iterable[int], say: Say = lambda line: None) -> list[Recording]:
    """Record sites of a simulated world, as deep as strategies go."""

    async def record() -> list[Recording]:
        fetch = wrap_fetch(simulate(world)).within_site
        recordings = []
        for number, index in enumerate(indexes, 1):
            seed = read_seed(world.traits(index).address)
            recording = await record_site(seed, search_site, fetch, site_pages=SITE_PAGES)
            for recorded in recording.visits.values():
                if recorded.page:
                    recorded.page.layout.response = None  # the body, kept for the layout: training does not look at it
            recordings.append(recording)
            if not number % 100:
                say(f"{number:,} sites recorded")
        return [each for each in recordings if not each.search.error]

    return asyncio.run(record())


def train_links(recordings: Sequence[Recording], *, seed: int = 1, say: Say = lambda line: None) -> LogLinear:
    """Fit the model: walk through the sites, learn, and walk again by what was learned."""
    rng, model = Random(seed), LogLinear(-3000, {})
    earlier: list[FollowedLink] = []
    for random_share, pages in ROUNDS:
        examples = [
            each
            for recording in recordings
            for each in walk(recording, model, rng, random_share=random_share, pages=pages)
        ]
        used = earlier + examples
        model = fit_loglinear(
            [each.facts for each in used],
            [each.forms for each in used],
            [1.0] * len(used),
            penalty=PENALTY,
            min_examples=MIN_EXAMPLES,
        )
        say(f"{len(used):,} links followed, {len(model.weights):,} facts weighed")
        earlier = examples[len(examples) // 2 :] if random_share < 1 else []
    return model


def measure_left(model: LogLinear, elsewhere: float, recordings: Sequence[Recording]) -> float:
    """Return the query forms that are missed for each that the links promise which are left."""
    strategy = LearnedStrategy(elsewhere, model, left=1.0)
    missed = promised = 0.0
    for recording in recordings:
        found, _ = replay_search(recording, search_site, strategy, site_pages=SITE_PAGES)
        missed += recording.total - count_queries(found)
        promised += found.promised or 0.0
    return missed / promised if promised else 1.0


def walk(recording: Recording, model: LogLinear, rng: Random, *, random_share: float, pages: int) -> list[FollowedLink]:
    """Return the links that a guide follows through a recorded site, some of them at random."""
    strategy = _Walking(LearnedStrategy(0.0, model), rng, random_share, value_pages(recording))
    play(recording, search_site, strategy, site_pages=pages)
    return strategy.examples


def value_pages(recording: Recording) -> dict[str, float]:
    """Return the query forms that each page is worth: its own, and a part of what is found only through it."""
    parents: dict[str, str] = {}
    values: dict[str, float] = {}
    known: set[str] = set()
    for url, recorded in recording.visits.items():
        new = {door.signature for door in recorded.doors if door.judgement.kind == "database"} - known
        known |= new
        values[url] = float(len(new))
        for other in recorded.page.urls if recorded.page else ():
            parents.setdefault(other, url)
    for url in reversed(list(values)):
        above = parents.get(url)
        if above in values and above != url:
            values[above] += SHARE_BELOW * values[url]
    return values


@dataclass(slots=True)
class _Walking(Strategy):
    """Walks by a model, sometimes at random, and notes what it follows."""

    strategy: LearnedStrategy
    rng: Random
    random_share: float
    values: Mapping[str, float]
    examples: list[FollowedLink] = field(default_factory=list)

    def open(self, site: Site) -> _WalkingGuide:
        """Return a guide that notes."""
        return _WalkingGuide(self.strategy, walking=self)


@dataclass(slots=True)
class _WalkingGuide(LearnedGuide):
    walking: _Walking = field(kw_only=True)

    def pick(self, heads: Mapping[str, LinkChoice]) -> str:
        """Pick by the model or at random, and note the link with what is said of it now."""
        walking = self.walking
        is_random = walking.rng.random() < walking.random_share
        kind = walking.rng.choice(list(heads)) if is_random else LearnedGuide.pick(self, heads)
        url = heads[kind].link.url
        if url in self.facts:
            facts = (*self.facts[url], *self.kind_facts(kind), *self.site_facts())
            walking.examples.append(FollowedLink(facts, min(MAX_PAGE_FORMS, walking.values.get(url, 0.0))))
        return kind


@dataclass(frozen=True, slots=True)
class LinkFigures:
    """What a strategy gives on sites that were not learned from."""

    strategy: str
    sites: int
    pages: int
    forms: int
    harvest: float
    coverage: float


def measure(name: str, strategy: Strategy, recordings: Sequence[Recording]) -> LinkFigures:
    """Replay a strategy over recorded sites."""
    given = [play(each, search_site, strategy, site_pages=SITE_PAGES).given for each in recordings]
    pages, forms, total = (sum(getattr(each, what) for each in given) for what in ("pages", "forms", "total"))
    return LinkFigures(name, len(given), pages, forms, forms / max(1, pages), forms / max(1, total))


def measure_named(name: str, recordings: Sequence[Recording]) -> LinkFigures:
    """Replay a strategy, by its written form, over recorded sites."""
    return measure(name, build_strategy(name), recordings)


def measure_settings(model: LogLinear, recordings: Sequence[Recording]) -> dict[float, LinkFigures]:
    """Return what the model gives with each setting, from the most saving to the most thorough one."""
    return {each: measure(f"learned:{each:g}", LearnedStrategy(each, model), recordings) for each in GRID}


def choose_elsewhere(settings: Mapping[float, LinkFigures], usual: LinkFigures) -> float:
    """Return the most thorough setting that still gives several times the usual harvest."""
    saving = [each for each, given in settings.items() if given.harvest >= MIN_YIELD_RATIO * usual.harvest]
    return min(saving, default=GRID[0])


def write_model(model: LogLinear, elsewhere: float, left: float, path: Path) -> int:
    """Write a model as JSON, the same bytes for the same model; return how many."""
    weights = dict(sorted(model.weights.items()))
    data = {"elsewhere": elsewhere, "left": round(left, 3), "bias": model.bias, "weights": weights}
    text = json.dumps(data, indent=0, ensure_ascii=False) + "\n"
    return path.write_bytes(text.encode())
