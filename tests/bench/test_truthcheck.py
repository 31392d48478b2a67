"""The independent walk agrees with the truth, and says so when the truth is wrong."""

from __future__ import annotations

from dataclasses import replace

from bench.truthcheck import choose_sites, walk_site
from dowse.sim import World


def test_a_walk_agrees_with_the_truth_and_notices_a_wrong_one() -> None:
    world = World(seed=1, sites=60, family="A")
    truth = next(one for one in choose_sites(world, 20) if one.forms and sum(one.pages_by_depth) < 80)
    assert not walk_site(world, truth).differences
    form = truth.forms[0]
    wrong = replace(truth, forms=(replace(form, fields=("nothing",), made="html"), *truth.forms[1:]))
    assert walk_site(world, wrong).differences
    assert walk_site(world, replace(truth, pages_by_depth=(1,))).differences
