"""The plan of a browsable site: of a size, with days that only add, and editions that keep what is told."""

from __future__ import annotations

import pytest

from dowse.sim.shapes import open_shape

from .sites import CASES, IDS, get, site, walk


@pytest.mark.parametrize(("name", "family"), CASES, ids=IDS)
def test_is_of_a_size(name: str, family: str) -> None:
    truth = site(name, family).truth
    assert 40 <= len(truth.targets) <= 400
    assert 60 <= len(truth.pages) <= 600
    assert len(set(truth.pages)) == len(truth.pages)


@pytest.mark.parametrize(("name", "family"), CASES, ids=IDS)
def test_days_add_and_never_remove(name: str, family: str) -> None:
    early, late = site(name, family).truth, site(name, family, day=45).truth
    assert late.targets[: len(early.targets)] == early.targets
    assert set(late.pages) > set(early.pages)
    assert late.new == late.since(0) == late.targets[len(early.targets) :]
    assert late.new
    assert late.clicks.count(-1) in (0, len(late.targets))
    assert site(name, family, day=45).samples == site(name, family).samples


def test_another_seed_is_another_site() -> None:
    one, other = site("letters", "A"), site("letters", "A", seed=2)
    assert one.truth.targets != other.truth.targets
    assert one.host != other.host


@pytest.mark.parametrize("family", ["A", "B"])
def test_a_redesign_has_the_same_content_in_another_look(family: str) -> None:
    for name in ("categories", "makers", "pages-numbers"):
        before, after = site(name, family), site(name, family, edition=1)
        assert after.truth.targets == before.truth.targets
        assert after.truth.design != before.truth.design
        assert [page.title for page in after.plan.pages.values()] == [page.title for page in before.plan.pages.values()]
        assert get(after, after.samples[0]).body != get(before, before.samples[0]).body


@pytest.mark.parametrize("family", ["A", "B"])
def test_a_site_that_moved_has_other_addresses(family: str) -> None:
    for name in ("categories", "letters-query"):
        before, after = site(name, family), open_shape(name, family, edition=1, addresses="moved")
        assert len(after.truth.targets) == len(before.truth.targets)
        assert not set(after.truth.targets) & set(before.truth.targets)
        assert get(after, before.samples[0]).status == 404
        assert set(walk(after)) >= set(after.truth.targets)
