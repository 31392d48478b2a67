"""Crawlers learned from one sample on sites whose markup and addresses are random."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dowse.errors import BadInput
from dowse.example.learn import learn_like
from dowse.example.map import MapLimits
from dowse.example.pattern import Pattern
from dowse.fetch.build import wrap_fetch
from dowse.model import Request, Response
from dowse.sim.shapes import ShapeSite, open_shape, plan
from dowse.store import open_store

from .random_sites import NAME, find_tables, open_random_site
from .sites import Score, score, walk

SITES = [
    ("look-alikes", 4),
    ("look-alikes", 7),
    ("near-templates", 1),
    ("near-templates", 4),
    ("months", 4),
    ("two-styles", 3),
    ("two-styles", 8),
    ("optional-parts", 9),
    ("related", 4),
    ("related", 6),
    ("pages-path", 3),
    ("pages-path", 8),
    ("depths", 2),
    ("categories-two", 7),
]
FIRST = (0, 3, 7, 13)  # places of the sites that every run looks at; all of them are a proof
SEEDS = range(1, 9)


async def learn_on(web: ShapeSite) -> Pattern:
    """Learn a pattern from one sample, as a file gives it back."""
    learned = await learn_like(web.samples[:1], web.entry, wrap_fetch(web.fetch), MapLimits())
    return Pattern.from_json(learned.pattern.to_json())


async def follow(pattern: Pattern, web: ShapeSite, path: Path) -> Score:
    """Follow a pattern on a site with a store of its own."""
    with open_store(str(path)) as store:
        run, found = await walk(store, pattern, web)
    return score(found, run.links, web)


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param(name, seed, id=f"{name}-{seed}", marks=[] if place in FIRST else pytest.mark.proof)
        for place, (name, seed) in enumerate(SITES)
    ],
)
async def test_one_sample_is_enough_however_a_site_is_written(
    name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pattern = await learn_on(open_random_site(monkeypatch, name, seed))
    scores = [
        await follow(pattern, open_random_site(monkeypatch, name, seed, day), tmp_path / f"{day}.db")
        for day in (0, 100)
    ]
    assert [each.precision for each in scores] == [1, 1]
    assert min(each.recall for each in scores) >= 0.98


def find_tags(web: ShapeSite) -> frozenset[str]:
    """Find which tags the page of a sample has, with their classes: what does not depend on its text."""
    answer = web.answer(Request(web.samples[0]))
    assert isinstance(answer, Response)
    return frozenset(re.findall(r"<[a-z]+[1-6]?(?: class=[^ >]+)?", answer.body.decode(web.plan.habits.encoding)))


def test_every_seed_is_written_in_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    webs = [open_random_site(monkeypatch, "related", seed) for seed in SEEDS]
    assert len({find_tags(web) for web in webs}) == len(SEEDS)
    assert len({web.plan.book.target for web in webs}) > 2
    assert find_tags(webs[0]) == find_tags(open_random_site(monkeypatch, "related", SEEDS[0]))


def test_nothing_of_the_drawn_family_stays() -> None:
    words = vars(plan)["read_wording"]
    with pytest.MonkeyPatch.context() as patch:
        open_random_site(patch, "related", 1)
        assert all(NAME in table for table in find_tables())
        assert vars(plan)["read_wording"] is not words
    assert not any(NAME in table for table in find_tables())
    assert vars(plan)["read_wording"] is words
    with pytest.raises(BadInput, match="no template family"):
        open_shape("related", NAME)
