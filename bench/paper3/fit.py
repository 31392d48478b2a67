"""Fits the weights of `dowse/example/judge.py` on sites whose pages are known: `python -m bench.paper3.fit`.

Sites of family A, drawn sites and sites with templates drawn at random; never family B, nor real software. Each site is mapped
twice, first with the truth in place of the judge, then with the weights that there are; what is known of each page at some moments of
the map is an example. The weights that there are also are where the fit begins, and it pays for leaving them: they hold what
manuals and programs of `PAGE_KINDS` said in earlier fits, and facts that excluded a page when they were rules keep their weight where no
example speaks against it. Figures are of folds that have all examples of a site.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields

import msgspec
import pytest

from bench.paper3 import MIN_TARGETS, PAGES, Moment, Task, open_drawn_task
from dowse.errors import DowseError
from dowse.example.judge import MODEL, Judge, PageModel, load_page_model
from dowse.example.learn import open_cleaned
from dowse.example.map import MapLimits, map_site
from dowse.fetch.build import wrap_fetch
from dowse.learn.fit import FactTable
from dowse.learn.linear import SOFTMAX_SCALE, Softmax
from dowse.sim.shapes import SHAPES, ShapeSite, open_shape
from dowse.url import canonical

CLASSES = ("like", "unlike")
SEEDS_A = (101, 102)  # of the shapes of family A; others are measured
SEEDS_RANDOM = range(101, 111)  # of sites with random templates; others are tested
SEEDS_DRAWN = range(201, 262)  # of drawn sites; others are measured
RANDOM_SHARE = 3  # of their shapes, every third with each seed
PENALTY = 1.0  # of half the square of what a weight changes by; on development sites 0.3 does as well, with 3 more pages are missed
# The same of how much a likeness says, which the weights before know from real software: with 1 to 10 it is less for some
# likenesses than for lower ones, and pages of tests are lost; with 30 for all facts, 14 pages of development sites are missed, not 5.
LIKENESS_PENALTY = 30.0
SITE_WEIGHT = (
    20.0  # of all examples of a site, by the roots of their numbers: lists of hundreds count as those of tens do
)
EARLY_PAGES = 10  # of a map whose examples are kept, beside those of the first and the last times it is judged again
KEPT_EARLY, KEPT_LATE = 2, 2
FOLDS = 10
MIN_SITES = 2  # that have a fact which is weighed
# What a fact says before any example, in logarithms of odds. Each of these excluded a page in the rules that the score took
# the place of, or let it in; few sites have them, and examples move them.
EXCLUDED = -8.0
ALIKE = {
    "listed where the samples are, where all pages look the same": -EXCLUDED,
    "not listed with them, where all pages look the same": EXCLUDED,
}
PRIORS = ALIKE | dict.fromkeys(
    (
        "another view of a page",
        "the samples' address with more parameters",
        "varies otherwise, as all that is listed there",
        "in a list of other pages",
        "ends with a word of the template",
        "lists many such pages",
        "outside what is below the entry",
        "its kind varies otherwise",
    ),
    EXCLUDED,
)


@dataclass(frozen=True, slots=True)
class PageExample:
    """What is known of some pages alike, whether they are wanted, and how many there are."""

    facts: tuple[str, ...]
    is_like: bool
    count: int


@dataclass(frozen=True, slots=True)
class KnownSite:
    """The examples of a site, at several moments of its map; the last are what figures are of."""

    name: str
    moments: tuple[tuple[PageExample, ...], ...]


@dataclass(slots=True)
class TaughtJudge(Judge):
    """A judge that keeps what it knows of each page; it decides by the truth when it has no weights yet."""

    truth: frozenset[str] = frozenset()
    moments: list[tuple[PageExample, ...]] = field(default_factory=list)

    def is_target(self, url: str) -> bool:
        """Return the truth, or what was learned."""
        return Judge.is_target(self, url) if self.model.weights else canonical(url) in self.truth

    def rejudge(self) -> None:
        """Judge again, and keep what is known of all pages."""
        Judge.rejudge(self)
        self.keep()

    def keep(self) -> None:
        """Keep what is known of all pages but the samples."""
        counts = Counter(
            (tuple(self.find_facts(url)), canonical(url) in self.truth)
            for url in self.pages
            if url not in self.sample_urls
        )
        self.moments.append(tuple(PageExample(facts, like, count) for (facts, like), count in counts.items()))
        del self.moments[KEPT_EARLY:-KEPT_LATE]


def find_tasks() -> Iterator[tuple[str, Task]]:
    """Yield the sites that are learned from, each with the name of what it is left out with."""
    for seed in SEEDS_A:
        for shape in SHAPES:
            yield f"A {seed}", _simulated(open_shape(shape, "A", seed, 0))
    drawn = ((f"drawn {seed}", open_drawn_task(seed)) for seed in SEEDS_DRAWN)
    yield from ((name, task) for name, task in drawn if len(task.days[0].targets) >= MIN_TARGETS)


def find_random() -> Iterator[tuple[str, Task]]:
    """Yield sites with random templates; each is open only until the next is asked for."""
    from tests.example.random_sites import open_random_site

    for seed in SEEDS_RANDOM:
        for shape in [each for place, each in enumerate(SHAPES) if (place + seed) % RANDOM_SHARE == 0]:
            with pytest.MonkeyPatch.context() as patch:
                yield f"random {shape} {seed}", _simulated(open_random_site(patch, shape, seed))


def _simulated(site: ShapeSite) -> Task:
    targets = frozenset(canonical(url) or url for url in site.truth.targets)
    return Task(site.entry, site.samples[0], site.entry, (Moment(site.fetch, targets, 0),))


def collect(tasks: Iterable[tuple[str, Task]], model: Softmax) -> Iterator[KnownSite]:
    """Map sites, and yield what was known of their pages."""
    for name, task in tasks:
        try:
            moments = asyncio.run(map_known(task, model))
        except DowseError as error:
            print(f"    {task.name}: {error}")
            continue
        yield KnownSite(name, tuple(moments))


async def map_known(task: Task, model: Softmax) -> list[tuple[PageExample, ...]]:
    """Map a site with a judge that keeps what it knows."""
    example, open_page, _ = await open_cleaned([task.sample], task.entry, wrap_fetch(task.days[0].fetch))
    plain = example.open_judge()
    known = {each.name: getattr(plain, each.name) for each in fields(plain)}
    judge = TaughtJudge(**(known | {"model": model}), truth=task.days[0].targets)

    def report(mapped: int, _: int) -> None:
        if mapped == EARLY_PAGES:
            judge.keep()

    await map_site(example.entry, judge, open_page, MapLimits(PAGES), report)
    return judge.moments


def add_priors(before: Softmax) -> Softmax:
    """Return weights with those of facts that say something before any example, and that have no weight yet."""
    priors = {fact: (round(weight * SOFTMAX_SCALE), 0) for fact, weight in PRIORS.items()}
    return Softmax(before.classes, before.bias, priors | before.weights)


def fit(sites: Sequence[KnownSite], before: Softmax) -> Softmax:
    """Return the weights that tell the pages of some sites, from those that there were."""
    rows = [(site, moment, each) for site in sites for moment in site.moments for each in moment]
    weights = []
    for site, moment, each in rows:
        whole = sum(math.sqrt(one.count) for one in moment) * len(site.moments)
        weights.append(SITE_WEIGHT * math.sqrt(each.count) / whole)
    table = FactTable([dict.fromkeys(each.facts, 1) for _, _, each in rows], [site.name for site, _, _ in rows])
    labels = [CLASSES[0] if each.is_like else CLASSES[1] for _, _, each in rows]
    given = [before.score(each.facts) for _, _, each in rows]

    def price(fact: str) -> float:
        """Return what it costs to change the weight of a fact."""
        return LIKENESS_PENALTY if fact.startswith("likeness") and fact in before.weights else PENALTY

    found = table.fit(range(len(rows)), labels, given, CLASSES, penalty=price, min_sources=MIN_SITES, counting=weights)

    def add(one: Sequence[int], other: Sequence[int]) -> tuple[int, ...]:
        return tuple(first + second for first, second in zip(one, other, strict=True))

    none = (0,) * len(CLASSES)
    both = {**before.weights, **found.weights}
    moved = {fact: add(before.weights.get(fact, none), found.weights.get(fact, none)) for fact in both}
    return Softmax(found.classes, add(before.bias, found.bias), moved)


def count_errors(model: Softmax, sites: Iterable[KnownSite]) -> Counter[str]:
    """Count the pages at the ends of maps: right, wrong and missed."""
    counts: Counter[str] = Counter()
    for site in sites:
        for each in site.moments[-1]:
            like, unlike = model.score(each.facts)
            found = like > unlike
            counts["right" if found else "missed"] += each.count * each.is_like
            counts["wrong"] += each.count * (found and not each.is_like)
    return counts


def cross_validate(sites: Sequence[KnownSite], before: Softmax) -> Counter[str]:
    """Return the errors on sites that were left out; the weights before may know some of them."""
    names = sorted({site.name for site in sites})
    counts: Counter[str] = Counter()
    for fold in range(FOLDS):
        held = set(names[fold::FOLDS])
        model = fit([site for site in sites if site.name not in held], before)
        counts += count_errors(model, [site for site in sites if site.name in held])
    return counts


def write_model(sites: Sequence[KnownSite], before: PageModel, kinds: str) -> None:
    """Fit the weights on some sites and write them, with what they come from and how they do on sites that were left out."""
    start = add_priors(before.weights)
    held = cross_validate(sites, start)
    source = (
        f"bench/paper3/fit.py: {len(sites)} maps of {len({site.name for site in sites})} sites ({kinds}), penalty {PENALTY}, from the weights "
        f"before ({before.source.partition(', from the weights')[0]}); {FOLDS} folds by site: "
        + ", ".join(f"{held[what]} pages {what}" for what in ("right", "wrong", "missed"))
    )
    print(source)
    model = msgspec.to_builtins(PageModel(source, fit(sites, start)))
    rows = [f"{json.dumps(fact)}: {json.dumps(row)}" for fact, row in sorted(model["weights"].pop("weights").items())]
    head = json.dumps(model)[:-2]
    MODEL.write_text(head + ', "weights": {\n' + ",\n".join(rows) + "\n}}}\n")


def main() -> None:
    """Map the sites twice, and fit."""
    sites: list[KnownSite] = []
    before = load_page_model()
    for model in (Softmax(CLASSES, (0, 0), {}), before.weights):  # without weights, the truth decides
        for found in (find_random(), find_tasks()):
            sites += collect(found, model)
    write_model(sites, before, "family A, drawn sites, random templates")


if __name__ == "__main__":
    main()
