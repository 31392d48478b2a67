"""How well a page fits a wrapper."""

from __future__ import annotations

from bench.attributes import fits
from dowse.records.details import learn_page_wrapper
from tests.records.test_details import _bold, _cells, page, trees
from tests.records.trees import tree_of


def test_fits_tells_a_redesign() -> None:
    wrapper = learn_page_wrapper(trees(_cells))
    assert fits(wrapper, trees(_cells)[3]) == 1.0
    assert fits(wrapper, trees(_bold)[3]) == 0.0


def test_fits_nothing_without_attributes() -> None:
    assert fits(learn_page_wrapper([tree_of(page("same"))] * 3), tree_of(page("same"))) == 0.0
