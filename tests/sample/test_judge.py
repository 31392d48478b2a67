"""What a sample says."""

from __future__ import annotations

from random import Random

import pytest

from dowse.errors import BadInput, DowseError
from dowse.sample.judge import SiteSample, YieldTarget, draw_sites, judge_sample, judge_switch
from dowse.seeds.lists import read_seed
from dowse.yields import Interval, SiteYield

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


STRATEGIES = ("all", "menu")


def sample(number: int, total: int, menu: int) -> SiteSample:
    given = {"all": SiteYield(100, total, total), "menu": SiteYield(10, menu, total)}
    return SiteSample(f"http://s{number}.example", 100, given)


def failed(number: int) -> SiteSample:
    return SiteSample(f"http://f{number}.example", 5, {}, "timed out")


SAMPLES = [sample(number, number % 3, min(1, number % 3)) for number in range(60)]


def test_the_highest_harvest_that_reaches_the_coverage_is_chosen() -> None:
    assert judge_sample(SAMPLES, STRATEGIES, 600, YieldTarget(coverage=0.6)).choice.name == "menu"
    assert judge_sample(SAMPLES, STRATEGIES, 600, YieldTarget(coverage=0.9)).choice.name == "all"
    assert judge_sample(SAMPLES, STRATEGIES, 600, YieldTarget(harvest=0.05)).choice.name == "menu"


def test_failed_sites_are_left_out_of_yields_and_counted_in_the_forecast() -> None:
    without = judge_sample(SAMPLES, STRATEGIES, 600, YieldTarget(coverage=0.6))
    judged = judge_sample([*SAMPLES, *map(failed, range(20))], STRATEGIES, 600, YieldTarget(coverage=0.6))
    assert (judged.sites, judged.failed) == (80, 20)
    assert judged.yields[1].harvest.value == without.yields[1].harvest.value
    assert judged.whole.forms.value == pytest.approx(without.whole.forms.value * 60 / 80)
    assert judged.whole.pages.value == pytest.approx(600 * (60 * 10 + 20 * 5) / 80)


def test_the_forecast_is_for_the_whole_list_and_for_its_rest() -> None:
    judged = judge_sample(SAMPLES, STRATEGIES, 600, YieldTarget())
    assert (judged.whole.sites, judged.rest.sites) == (600, 540)
    assert judged.whole.pages.value > judged.rest.pages.value


def test_a_sample_that_failed_whole_says_so() -> None:
    with pytest.raises(DowseError, match=r"none of the 2 sampled sites.*timed out") as error:
        judge_sample([failed(1), failed(2)], STRATEGIES, 10, YieldTarget())
    assert error.value.exit_code == 1
    assert not isinstance(error.value, BadInput)


# -- switching from the strategy that a sample was recorded with

COVERED = Interval(0.95, 0.9, 0.99, "test")
FIVES = [number % 5 for number in range(400)]


def switching(other: list[SiteYield]) -> list[SiteSample]:
    """Return sites of which every fifth has four forms, with 20 pages of the usual strategy, and another one."""
    return [
        SiteSample(f"http://s{place}.example", 20, {"usual": SiteYield(20, 4 * (not five), 4), "other": each})
        for place, (five, each) in enumerate(zip(FIVES, other, strict=False))
    ]


@pytest.mark.parametrize(
    ("other", "target", "chosen"),
    [
        ([SiteYield(10, 4 * (not five), 4) for five in FIVES], YieldTarget(), "other"),  # half the pages, and all forms
        (
            [SiteYield(10, 4 * (not five), 4) for five in FIVES[:30]],
            YieldTarget(),
            "usual",
        ),  # too few sites to be certain
        ([SiteYield(10, 2 * (not five), 4) for five in FIVES], YieldTarget(), "usual"),  # half the forms
        (
            [SiteYield(5, 2 * (not five), 4) for five in FIVES],
            YieldTarget(coverage=0.4),
            "other",
        ),  # which is enough here
        ([SiteYield(5, 2 * (not five), 4) for five in FIVES], YieldTarget(harvest=0.06), "other"),  # or yields enough
        ([SiteYield(10, 4 * (not five), 4) for five in FIVES], YieldTarget(harvest=0.01), "usual"),  # it yields enough
        ([SiteYield(30, 4 * (not five), 4) for five in FIVES], YieldTarget(), "usual"),  # more pages
        (
            [SiteYield(10, 4 * (not five), 4, 1) for five in FIVES],
            YieldTarget(),
            "usual",
        ),  # a tenth of them nobody judges
        ([SiteYield(40, 8 * (not five), 4) for five in FIVES], YieldTarget(coverage=0.99), "other"),  # twice the forms
        (
            [SiteYield(50, 8 * (not five), 4) for five in FIVES],
            YieldTarget(coverage=0.9),
            "usual",
        ),  # which nobody needs
    ],
)
def test_another_strategy_is_taken_where_it_is_clearly_better(
    other: list[SiteYield], target: YieldTarget, chosen: str
) -> None:
    judged = judge_switch(switching(other), ("usual", "other"), 1_000, target, COVERED)
    assert judged is not None
    assert judged.choice.name == chosen == judged.rest.name


def test_more_sites_are_needed_the_less_is_known() -> None:
    alike = [SiteYield(10, 4 * (not five), 4) for five in FIVES]
    few, many = (
        judge_switch(switching(alike[:n]), ("usual", "other"), 1_000, YieldTarget(), COVERED) for n in (30, 400)
    )
    assert few is not None
    assert many is not None
    assert few.needed > 100
    assert many.needed <= 400
    assert few.hoped == many.hoped == pytest.approx(0.5)


def test_failed_sites_say_nothing_but_are_forecast() -> None:
    samples = [*switching([SiteYield(10, 4 * (not five), 4) for five in FIVES]), *map(failed, range(100))]
    judged = judge_switch(samples, ("usual", "other"), 1_000, YieldTarget(), COVERED)
    assert judged is not None
    assert judged.rest.pages.value == pytest.approx(1_000 * (400 * 10 + 100 * 5) / 500)
    assert judge_switch([failed(1)], ("usual", "other"), 1_000, YieldTarget(), COVERED) is None


def test_a_sample_without_a_form_changes_nothing() -> None:
    samples = switching([SiteYield(10, 0, 0)] * 40)
    barren = [SiteSample(each.site, 20, each.given | {"usual": SiteYield(20, 0, 0)}) for each in samples]
    judged = judge_switch(barren, ("usual", "other"), 1_000, YieldTarget(), None)
    assert judged is not None
    assert judged.choice.name == "usual"


def test_where_coverage_is_unknown_fewer_forms_are_not_enough() -> None:
    half = switching([SiteYield(5, 2 * (not five), 4) for five in FIVES])
    judged = judge_switch(half, ("usual", "other"), 1_000, YieldTarget(), None)
    assert judged is not None
    assert judged.choice.name == "usual", (
        "it costs a quarter of the pages, and nobody knows whether half of the forms will do"
    )
