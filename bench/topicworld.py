"""What the topical world holds: shares, locality of links, what names tell, and how well a naive Bayes tells its topics.

The Bayes is the plain one that papers compare with: words of text, stop words out, smoothed by the mean of all topics. It is
trained on real texts of the half of the domains that did not make the world, and on pages of family A.
"""

from __future__ import annotations

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from bench.places import DATA
from bench.timing import resident_mb
from bench.topicwords import average, count_by_site, page_text, read_texts, split_words
from dowse.model import Request, Response
from dowse.sim import World
from dowse.sim.naming import path_of
from dowse.sim.plan import SitePlan
from dowse.sim.topical import GENERAL, SIDE_TOPICS, TOPICS, is_world_text, sites_on
from dowse.sim.topical.wording import read_phrasing

SITES = 20_000
COUNTED = 1000  # sites whose plans are looked at
TRAINED_PAGES, TOLD_PAGES = 1500, 600
SITE_PAGES = 4  # looked at for each site, its root among them
LATE_PAGES = 200  # pages of a site that are drawn from, from the root down
BACKGROUND = 0.3  # part of a word's chance that is the mean of all topics
EVERY_TOPIC = (*TOPICS, *SIDE_TOPICS, GENERAL)

Shares = Mapping[str, Mapping[str, float]]


class ToldPage(NamedTuple):
    """A page whose topic is known."""

    topic: str
    number: int  # 0 for the root of its site
    words: list[str]


def open_world(family: str, seed: int) -> World:
    """Open the world that is measured."""
    return World(seed, SITES, family=family, topics="power-law")


def count_topics(world: World) -> dict[str, Any]:
    """Count what can be counted without a page."""
    key, plans = world.themes.key, [world.plan(index) for index in range(COUNTED)]
    hosts = [(world.traits(index).topic, world.traits(index).host) for index in range(SITES)]
    synonyms = read_phrasing(world.family).synonyms
    databases = [(plan.traits.topic, each.topic) for plan in plans for each in plan.databases]
    addresses = [address for plan in plans for address in plan.neighbours]
    mentions = [plan.themes.mention(plan, address) for plan in plans for address in plan.neighbours]
    on_topic = [(topic, host) for topic, host in hosts if topic in TOPICS]
    return {
        "shares": {topic: len(sites_on(key, topic, SITES)) / SITES for topic in TOPICS},
        "sites on no topic": sum(topic == GENERAL for topic, _ in hosts) / SITES,
        "hosts of sites on a topic with its name": _share(_first_word(topic) in host for topic, host in on_topic),
        "... with a word for it": _share(any(word in host for word in synonyms[topic]) for topic, host in on_topic),
        "databases on a topic, on a site of another": _share(site != own for site, own in databases if own in TOPICS),
        "links that lead into a site": _share(address.count("/") > 3 or "?" in address for address in addresses),
        "links with words beside them": _share(bool(each.note) for each in mentions),
        "links by the bare host": _share("." in each.anchor.text for each in mentions),
    }


def _first_word(topic: str) -> str:
    """Return the word by which a host would give its topic away."""
    return {"car rentals": "rentals", "real estate": "estate"}.get(topic, topic)


def _share(values: Iterable[bool]) -> float:
    counts = Counter(map(bool, values))
    return counts[True] / max(1, counts.total())


def measure_locality(world: World) -> dict[str, float]:
    """Return the part of the links of a topic's sites that lead to its sites."""
    found = {}
    for topic in TOPICS:
        linked = [
            world.traits(number).topic
            for index in sites_on(world.themes.key, topic, SITES)[:200]
            for number in world.linked_sites(index).numbers
        ]
        found[topic] = linked.count(topic) / max(1, len(linked))
    return found


def read_pages(world: World, count: int, seed: int) -> Iterator[ToldPage]:
    """Give pages of sites, as many for each topic, with what each page is about."""
    rng = Random(seed)
    sites = {topic: sites_on(world.themes.key, topic, SITES) for topic in EVERY_TOPIC}
    while count > 0:
        plan = world.plan(rng.choice(sites[rng.choice(EVERY_TOPIC)]))
        if plan.traits.is_closed:
            continue
        numbers = {0, *(rng.randrange(min(plan.tree.articles, LATE_PAGES)) for _ in range(SITE_PAGES - 1))}
        for number in sorted(numbers)[:count]:
            count -= 1
            yield ToldPage(world.themes.page_topic(plan, number), number, _read_words(world, plan, number))


def _read_words(world: World, plan: SitePlan, number: int) -> list[str]:
    answer = world.answer(Request(plan.origin + path_of(plan, number)))
    return split_words(page_text(answer.body)) if isinstance(answer, Response) and answer.body else []


def train_bayes(shares: Shares) -> Callable[[list[str]], str]:
    """Return what tells the topic of words, from how often each topic has them."""
    background: dict[str, float] = defaultdict(float)
    for own in shares.values():
        for word, share in own.items():
            background[word] += share / len(shares)
    totals = {topic: sum(own.values()) for topic, own in shares.items()}
    whole = sum(background.values())

    def tell(words: list[str]) -> str:
        known = [word for word in words if word in background]

        def score(topic: str) -> float:
            own, total = shares[topic], totals[topic]
            return sum(
                math.log((1 - BACKGROUND) * own.get(word, 0) / total + BACKGROUND * background[word] / whole)
                for word in known
            )

        return max(shares, key=score)

    return tell


def train_on_texts() -> Callable[[list[str]], str]:
    """Train on real texts that did not make the world."""
    texts = (each for each in read_texts() if not is_world_text(each.domain) and (each.topic or GENERAL) in EVERY_TOPIC)
    return train_bayes(average(count_by_site(texts)))


def train_on_pages(pages: Iterable[ToldPage]) -> Callable[[list[str]], str]:
    """Train on pages of a world."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        counts[page.topic].update(page.words)
    return train_bayes(counts)


def measure_telling(tell: Callable[[list[str]], str], pages: list[ToldPage]) -> dict[str, float]:
    """Return the part of the pages whose topic is told."""
    right = [(page, tell(page.words) == page.topic) for page in pages]
    return {
        "all pages": _share(each for _, each in right),
        "root pages": _share(each for page, each in right if page.number == 0),
        "other pages": _share(each for page, each in right if page.number),
        "pages on the twelve topics": _share(each for page, each in right if page.topic in TOPICS),
    }


def measure_speed(world: World, pages: int = 2000) -> dict[str, float]:
    """Ask pages of many sites in turn, as a crawler does, in processor seconds of one core."""
    plans = [plan for plan in map(world.plan, range(200)) if not plan.traits.is_closed]
    urls = [
        plan.origin + path_of(plan, number)
        for number in range(pages // len(plans) + 1)
        for plan in plans
        if number < plan.tree.articles
    ]
    started = time.process_time()
    for url in urls:
        world.answer(Request(url))
    return {"pages a second": len(urls) / (time.process_time() - started), "memory, MB": resident_mb()}


def measure(seed: int, say: Callable[[str], None]) -> dict[str, Any]:
    """Measure both families of a seed."""
    worlds = {family: open_world(family, seed + (family == "B")) for family in "AB"}
    figures: dict[str, Any] = {}
    for family, world in worlds.items():
        figures[family] = count_topics(world) | {"locality": measure_locality(world), "speed": measure_speed(world)}
        say(f"  topical {family}: {figures[family]['speed']}")
    told = {family: list(read_pages(world, TOLD_PAGES, seed)) for family, world in worlds.items()}
    by_pages = train_on_pages(read_pages(worlds["A"], TRAINED_PAGES, seed + 1))
    figures["B"]["told by pages of A"] = measure_telling(by_pages, told["B"])
    if DATA.exists():
        by_texts = train_on_texts()
        for family in worlds:
            figures[family]["told by other texts"] = measure_telling(by_texts, told[family])
            say(f"  topical {family}: told by other texts {figures[family]['told by other texts']}")
    return figures
