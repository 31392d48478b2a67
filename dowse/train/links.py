"""Trains the prior by which the `learned` strategy follows links, and measures it on sites it has not seen.

Sites are recorded whole: simulated ones of template family A, and real ones where they are at hand (`dowse train links
--archive`, `python -m bench links`). Then a guide walks through the recordings, at first at random, later by what it has
learned, and every link it follows is an example: what was said of the link then, and what it led to.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from dowse.crawl.site import search_site
from dowse.fetch import Fetch
from dowse.fetch.build import build_fetch, wrap_fetch
from dowse.learn.fit import fit_loglinear
from dowse.model import LinkChoice, Seed, Site
from dowse.sample.record import Recording, record_site
from dowse.sample.replay import play
from dowse.seeds.lists import read_seed
from dowse.settings import FetchSettings
from dowse.sim import World, simulate
from dowse.strategy import build_strategy
from dowse.strategy.guide import NO_OUTLOOK, Outlook, Strategy
from dowse.strategy.learned import MAX_PAGE_FORMS, SHARE_BELOW, SORT, LearnedGuide, LearnedStrategy, LinkModel

ROUNDS = ((1.0, 40), (0.3, 60))  # for each round: share of links followed at random, pages of each site
PENALTY = 4.0  # half of the square of a weight costs so much
MIN_EXAMPLES = 20  # links that must have a fact
REAL_WEIGHT = 3.0  # of an example from a real site: there are few of them
GRID = (0.2, 0.1, 0.05, 0.03, 0.02, 0.015, 0.01, 0.007, 0.005, 0.004, 0.003, 0.002)
MANY_WAIT_COVERAGE = 0.93  # of the forms of unseen sites, wanted where many sites wait
FEW_WAIT_COVERAGE = 0.97  # the same where the sites given are all there is
SITE_PAGES = 150  # pages of a simulated site that are recorded and replayed

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class FollowedLink:
    """A link that was followed: what was said of it, and what it led to."""

    facts: tuple[str, ...]
    forms: float


@dataclass(frozen=True, slots=True)
class TrainingSites:
    """Recorded sites of one sort, and how much an example of theirs counts."""

    recordings: Sequence[Recording]
    weight: float = 1.0


# -- sites that are recorded


def record_world(world: World, indexes: Iterable[int], say: Say = lambda line: None) -> list[Recording]:
    """Record sites of a simulated world, as deep as strategies go."""
    seeds = [read_seed(world.traits(index).address) for index in indexes]
    return asyncio.run(_record(seeds, wrap_fetch(simulate(world)).within_site, SITE_PAGES, say))


def record_archive(
    folder: str, seeds: Sequence[Seed], site_pages: int, say: Say = lambda line: None
) -> list[Recording]:
    """Record sites from a folder of web archives that a thorough search wrote: `dowse find --warc`."""

    async def replay() -> list[Recording]:
        settings = FetchSettings(replay=folder, delay=0.0, allow_private=True)
        async with build_fetch(settings) as fetches:
            return await _record(seeds, fetches.within_site, site_pages, say)

    return asyncio.run(replay())


async def _record(seeds: Sequence[Seed], fetch: Fetch, site_pages: int, say: Say) -> list[Recording]:
    recordings = []
    for number, seed in enumerate(seeds, 1):
        recording = await record_site(seed, search_site, fetch, site_pages=site_pages)
        for recorded in recording.visits.values():
            if recorded.page:
                recorded.page.layout.response = None  # the body, kept for the layout: training does not look at it
        recordings.append(recording)
        if not number % 100:
            say(f"{number:,} sites recorded")
    return [each for each in recordings if not each.search.error]


# -- the prior


def train_links(groups: Sequence[TrainingSites], *, seed: int = 1, say: Say = lambda line: None) -> LinkModel:
    """Fit the prior: walk through the sites, learn, and walk again by what was learned."""
    examples = walk_all(groups, seed=seed, say=say)
    return fit_prior([(each, group.weight) for group, some in zip(groups, examples, strict=True) for each in some])


def walk_all(
    groups: Sequence[TrainingSites], *, seed: int = 1, say: Say = lambda line: None
) -> list[list[list[FollowedLink]]]:
    """Return the links followed on each site of each group: at random, and then by what the first group taught.

    The walks know no other group, so that sites can be left out of the fit that measures them.
    """
    rng, model = Random(seed), LinkModel(-3000, {})
    walked: list[list[list[FollowedLink]]] = []
    for random_share, pages in ROUNDS:
        walked = [
            [walk(each, model, rng, random_share=random_share, pages=pages) for each in group.recordings]
            for group in groups
        ]
        model = fit_prior([(some, groups[0].weight) for some in walked[0]])
        say(
            f"{sum(len(some) for group in walked for some in group):,} links followed, {len(model.weights):,} facts weighed"
        )
    return walked


def fit_prior(sites: Sequence[tuple[Sequence[FollowedLink], float]]) -> LinkModel:
    """Fit the prior to the links followed on sites, each with the weight of its examples."""
    examples = [each for some, _ in sites for each in some]
    fitted = fit_loglinear(
        [each.facts for each in examples],
        [each.forms for each in examples],
        [weight for some, weight in sites for _ in some],
        penalty=PENALTY,
        min_examples=MIN_EXAMPLES,
    )
    return LinkModel(fitted.bias, fitted.weights)


def walk(recording: Recording, model: LinkModel, rng: Random, *, random_share: float, pages: int) -> list[FollowedLink]:
    """Return the links that a guide follows through a recorded site, some of them at random."""
    strategy = _Walking(LearnedStrategy(0.0, model), rng, random_share, value_pages(recording))
    play(recording, search_site, strategy, site_pages=pages)
    return strategy.examples


def value_pages(recording: Recording) -> dict[str, float]:
    """Return the query forms that each page is worth: its own, and a part of what is found only through it."""
    parents: dict[str, str] = {}
    values: dict[str, float] = {}
    waiting = {
        door.signature for door in recording.search.doors if door.judgement.kind == "database"
    }  # as judged at the end
    for url, recorded in recording.visits.items():
        new = {door.signature for door in recorded.doors} & waiting
        waiting -= new
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

    def open(self, site: Site, outlook: Outlook = NO_OUTLOOK) -> _WalkingGuide:
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
        if url in self.notes:
            facts = (*self.notes[url].facts, *self.sort_facts(kind[:SORT]))
            walking.examples.append(FollowedLink(facts, min(MAX_PAGE_FORMS, walking.values.get(url, 0.0))))
        return kind


# -- what it gives on sites that were not learned from


@dataclass(frozen=True, slots=True)
class LinkFigures:
    """What a strategy gives on sites that were not learned from."""

    strategy: str
    sites: int
    pages: int
    forms: int
    harvest: float
    coverage: float


def measure(
    name: str, strategy: Strategy, recordings: Sequence[Recording], site_pages: int = SITE_PAGES
) -> LinkFigures:
    """Replay a strategy over recorded sites."""
    given = [play(each, search_site, strategy, site_pages=site_pages).given for each in recordings]
    pages, forms, total = (sum(getattr(each, what) for each in given) for what in ("pages", "forms", "total"))
    return LinkFigures(name, len(given), pages, forms, forms / max(1, pages), forms / max(1, total))


def measure_named(name: str, recordings: Sequence[Recording]) -> LinkFigures:
    """Replay a strategy, by its written form, over recorded sites."""
    return measure(name, build_strategy(name), recordings)


def measure_settings(model: LinkModel, recordings: Sequence[Recording]) -> dict[float, LinkFigures]:
    """Return what the model gives with each setting, from the most saving to the most thorough one."""
    return {each: measure(f"learned:{each:g}", LearnedStrategy(each, model), recordings) for each in GRID}


def set_worths(model: LinkModel, settings: Mapping[float, float]) -> LinkModel:
    """Return the model with what a page must promise, given the coverage that each setting reached on unseen sites."""
    import msgspec

    ranked = sorted(settings.items(), reverse=True)
    model = msgspec.structs.replace(model, coverages=tuple((round(reached, 4), worth) for worth, reached in ranked))
    return msgspec.structs.replace(
        model,
        page_worth=model.worth_for(MANY_WAIT_COVERAGE) or GRID[-1],
        thorough_worth=model.worth_for(FEW_WAIT_COVERAGE) or GRID[-1],
    )


def write_model(model: LinkModel, path: Path) -> int:
    """Write a model as JSON, the same bytes for the same model; return how many."""
    import msgspec

    data: dict[str, Any] = msgspec.to_builtins(model)
    data["weights"] = dict(sorted(model.weights.items()))
    text = json.dumps(data, indent=0, ensure_ascii=False) + "\n"
    return path.write_bytes(text.encode())
