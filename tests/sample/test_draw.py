"""Which sites are drawn."""

from __future__ import annotations

from random import Random

from dowse.find.seeds import read_seed
from dowse.sample.draw import draw_sites

SEEDS = [read_seed(f"http://s{number}.example/") for number in range(500)]


def test_a_larger_sample_holds_the_smaller_one() -> None:
    assert draw_sites(SEEDS, 100, 1)[:30] == draw_sites(SEEDS, 30, 1)


def test_the_order_of_the_list_does_not_matter() -> None:
    shuffled = list(SEEDS)
    Random(3).shuffle(shuffled)
    assert draw_sites(shuffled, 50, 1) == draw_sites(SEEDS, 50, 1)


def test_another_seed_draws_other_sites() -> None:
    first, second = set(draw_sites(SEEDS, 50, 1)), set(draw_sites(SEEDS, 50, 2))
    assert len(first) == len(second) == 50
    assert len(first & second) < 20


def test_every_site_is_as_likely_as_another() -> None:
    counts = dict.fromkeys(SEEDS, 0)
    for seed in range(400):
        for each in draw_sites(SEEDS, 50, seed):
            counts[each] += 1
    assert 10 < min(counts.values()) < 40 < max(counts.values()) < 80  # 40 on average, with a deviation of 6


def test_a_short_list_is_drawn_whole() -> None:
    assert sorted(map(str, draw_sites(SEEDS[:3], 100, 1))) == sorted(map(str, SEEDS[:3]))
