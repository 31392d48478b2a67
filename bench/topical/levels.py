"""The models of `levels:N` that come with Dowse, learned on family A: a crawl backward from sites of each topic (paper 2, Section 3.1)."""

from __future__ import annotations

import sys
from random import Random

import msgspec
import uvloop

from bench.topical.crawls import CrawlTask, VisitCache, load_bench_topic, open_search, start_sites
from dowse.model import Seed
from dowse.sim import simulate
from dowse.strategy.levels import SHIPPED, LevelModel
from dowse.train.levels import learn_levels

TOPICS = (
    "airfares",
    "hotels",
    "car rentals",
    "cars",
    "books",
    "movies",
    "music",
    "jobs",
    "publications",
    "recipes",
    "real estate",
)
SITES = 20  # of each topic
WORLD, WORLD_SITES = 7, 20_000


async def fit_topic(topic: str) -> tuple[LevelModel, ...]:
    """Learn models with one to four levels from sites of family A on a topic."""
    task = CrawlTask(topic, WORLD, "A", WORLD_SITES)
    world = task.world()
    visit = VisitCache(task, simulate(world), load_bench_topic(topic))
    seeds: list[Seed] = start_sites(world, topic, WORLD, SITES)
    return await learn_levels(seeds, topic, visit, [open_search(visit, world)], rng=Random(WORLD))


def ship() -> None:
    """Write the models that come with Dowse."""
    models = {}
    for topic in TOPICS:
        models[topic] = uvloop.run(fit_topic(topic))
        print(
            topic, models[topic][-1].links, [len(each.weights) for each in models[topic]], file=sys.stderr, flush=True
        )
    models[""] = combine(list(models.values()))
    SHIPPED.write_bytes(msgspec.json.encode(models) + b"\n")


def combine(models: list[tuple[LevelModel, ...]]) -> tuple[LevelModel, ...]:
    """Return the models of all topics in one: words that most of them know, by the mean of their weights."""
    combined = []
    for some in zip(*models, strict=True):
        known = [word for word in some[0].weights | {w: () for each in some for w in each.weights}]
        shared = [word for word in known if sum(word in each.weights for each in some) >= len(some) / 2]
        weights = {}
        for word in shared:
            rows = [each.weights[word] for each in some if word in each.weights]
            weights[word] = tuple(
                round(sum(row[level] for row in rows) / len(rows), 3) for level in range(some[0].levels + 1)
            )
        priors = tuple(
            round(sum(each.priors[level] for each in some) / len(some), 3) for level in range(some[0].levels + 1)
        )
        links = tuple(sum(each.links[level] for each in some) for level in range(len(some[0].links)))
        combined.append(LevelModel(some[0].levels, priors, weights, links))
    return tuple(combined)


if __name__ == "__main__":
    ship()
