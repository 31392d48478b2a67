"""The form-focused crawler of paper 2: links in queues by how many clicks they seem to be away from a query form.

A naive Bayes over the words of a link (in its address, its anchor, around it) says its level: 1 when it leads to a form, 2 when to a
page with such a link, and so on. It is learned from a backward crawl, from pages with forms to pages that link to them. The last
class is all other links, which wait in a queue behind the levels.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Protocol, TypeVar

import msgspec

from dowse.errors import BadInput
from dowse.model import Link, Page
from dowse.strategy.contexts import CONTEXTS, LinkWords, link_words

SHIPPED = Path(__file__).parent / "models" / "levels.json"
MAX_LEVELS = 4  # as far as the paper's backward crawl goes
BACKLINKS = 5  # pages that link to a page, of which the backward crawl goes on: a sample, as in the paper
MIN_COUNT = 5  # links of a level, from which on a word of one context is a feature (the paper: "a fixed threshold")
MIN_SITES = 4  # that such links stand on: what one site calls its sections says nothing of others
ROOT_WORTH = 0.5  # of a link on a home page, beside its probability; half of it for each click further down
SMOOTHING = 0.5  # of a link, added to every count

Drawn = TypeVar("Drawn")


def label_links(
    pages: Mapping[str, Sequence[Link]], with_forms: Collection[str], rng: Random, per_page: int = BACKLINKS
) -> list[list[tuple[int, Link, str]]]:
    """Return links with their levels and their pages, from a crawl backward: a list for each level of pages.

    Level by level, from pages with forms, up to so many pages that link to each are taken; of each of these, the links that lead
    on are of the level, and as many others are of none (0).
    """
    linking: dict[str, list[str]] = defaultdict(list)
    for url, links in pages.items():
        for link in links:
            linking[link.url].append(url)
    found: list[list[tuple[int, Link, str]]] = []
    targets, known = set(with_forms), set(with_forms)
    for level in range(1, MAX_LEVELS + 1):
        sources = sorted(
            {each for url in sorted(targets) for each in _draw(linking.get(url, []), per_page, rng)} - known
        )
        samples: list[tuple[int, Link, str]] = []
        for url in sources:
            leading = [link for link in pages[url] if link.url in targets]
            others = [link for link in pages[url] if link.url not in known]
            samples += [(level, link, url) for link in leading]
            samples += [(0, link, url) for link in _draw(others, len(leading) + 1, rng)]
        found.append(samples)
        targets = set(sources)
        known |= targets
    return found


def _draw(some: Sequence[Drawn], count: int, rng: Random) -> list[Drawn]:
    return list(some) if len(some) <= count else rng.sample(list(some), count)


class PageRanker(Protocol):
    """Says in which queue a link of a page on the topic waits, and where there; None where it is not followed."""

    def rank(self, link: Link, page: Page, topic: float, depth: int) -> tuple[int, float] | None:
        """Rank a link of a page that is so likely on the topic, so many clicks from its site's entrance."""
        raise NotImplementedError

    def learn(self, link: Link, topic: float, forms: int) -> None:
        """Take in what a link led to."""
        return


class BestFirst(PageRanker):
    """The baseline of paper 2: all links of pages on the topic, those of the likeliest pages first."""

    def rank(self, link: Link, page: Page, topic: float, depth: int) -> tuple[int, float] | None:
        """Rank a link by the page it stands on."""
        return 1, topic


class LevelModel(msgspec.Struct, frozen=True):
    """How often each word stands in links of each level, as logarithms; level 0 is all other links."""

    levels: int
    priors: tuple[float, ...]  # by level
    weights: dict[str, tuple[float, ...]]  # `context word` -> by level
    links: tuple[int, ...] = ()  # of each level of the backward crawl

    @classmethod
    def fit(
        cls,
        samples: Iterable[tuple[int, LinkWords, str]],
        levels: int,
        links: Sequence[int] = (),
        min_sites: int = MIN_SITES,
    ) -> LevelModel:
        """Learn from links, their levels and their sites; higher levels than wanted count as other links."""
        counts: dict[str, Counter[int]] = defaultdict(Counter)
        seen: Counter[int] = Counter()
        sites: dict[str, set[str]] = defaultdict(set)
        for level, words, site in samples:
            known = level if level <= levels else 0
            seen[known] += 1
            for context, counted in zip(CONTEXTS, words, strict=True):
                for word in counted:
                    counts[f"{context} {word}"][known] += 1
                    sites[f"{context} {word}"].add(site)
        if not seen[1]:
            raise BadInput("no link that leads to a query form is among the examples")
        total = sum(seen.values())
        weights = {
            word: tuple(
                round(math.log((counted[level] + SMOOTHING) / (seen[level] + 2 * SMOOTHING)), 3)
                for level in range(levels + 1)
            )
            for word, counted in counts.items()
            if max(counted.values()) >= MIN_COUNT and len(sites[word]) >= min_sites
        }
        priors = tuple(round(math.log((seen[level] + SMOOTHING) / total), 3) for level in range(levels + 1))
        return cls(levels, priors, weights, tuple(links))

    def classify(self, words: LinkWords) -> tuple[int, float]:
        """Return the likeliest level of a link (0 for none of them), and its probability; for none, that it is of a level after all."""
        sums = list(self.priors)
        for context, counted in zip(CONTEXTS, words, strict=True):
            for word in counted:
                row = self.weights.get(f"{context} {word}")
                if row:
                    sums = [each + weight for each, weight in zip(sums, row, strict=True)]
        highest = max(sums)
        powers = [math.exp(each - highest) for each in sums]
        level = max(range(len(powers)), key=powers.__getitem__)
        share = powers[level] / sum(powers)
        return level, share if level else 1 - share


class LevelsRanker(PageRanker):
    """Queues by level; within one by probability, links of pages near the entrance of their site first."""

    def __init__(self, model: LevelModel) -> None:
        self.model = model

    def rank(self, link: Link, page: Page, topic: float, depth: int) -> tuple[int, float] | None:
        """Rank a link by its words."""
        level, probability = self.model.classify(link_words(link, host=False))
        return level or self.model.levels + 1, probability + ROOT_WORTH * 0.5**depth


@cache
def _read_shipped() -> dict[str, tuple[LevelModel, ...]]:
    return msgspec.json.decode(SHIPPED.read_bytes(), type=dict[str, tuple[LevelModel, ...]])


def shipped_levels(levels: int, topic: str = "") -> LevelModel:
    """Return the model of a topic that comes with Dowse, learned on family A of the simulated web; that of all topics where it has none."""
    known = _read_shipped()
    return known.get(topic, known[""])[levels - 1]


def levels_beside(topic: str) -> Path:
    """Return where the models of a topic of one's own are: beside its file."""
    path = Path(topic)
    return path.with_name(f"{path.stem}.levels.json")


def load_levels(levels: int, topic: str, name: str) -> LevelModel:
    """Return the model for a topic: what `dowse train levels` has written beside its file, else what comes with Dowse."""
    own = levels_beside(topic)
    if not topic.endswith(".json") or not own.is_file():
        return shipped_levels(levels, name)
    try:
        return msgspec.json.decode(own.read_bytes(), type=tuple[LevelModel, ...])[levels - 1]
    except (OSError, msgspec.MsgspecError, IndexError) as error:
        raise BadInput(f"{own} is no file of `dowse train levels`: {error}") from None


def read_levels(parameters: str) -> int:
    """Read the number in `levels:3`."""
    if not parameters:
        return 3
    if not (parameters.isascii() and parameters.isdecimal()) or not 1 <= int(parameters) <= MAX_LEVELS:
        raise BadInput(f"levels takes a number from 1 to {MAX_LEVELS}, as in levels:3, not {parameters!r}")
    return int(parameters)
