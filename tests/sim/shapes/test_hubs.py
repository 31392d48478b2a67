"""Lists: divided, cut into pages, overlapping, each as its shape says."""

from __future__ import annotations

import pytest

from dowse.sim.shapes import SHAPES

from .sites import links, site


def listed(name: str, family: str) -> dict[str, set[str]]:
    """Return the targets that each list links to."""
    web = site(name, family)
    targets = set(web.truth.targets)
    return {url: targets & set(links(web, url)) for url in web.truth.lists}


@pytest.mark.parametrize("family", ["A", "B"])
@pytest.mark.parametrize("name", [name for name, shape in SHAPES.items() if shape.page_size])
def test_a_page_has_no_more_records_than_it_may(name: str, family: str) -> None:
    counts = [len(each) for each in listed(name, family).values()]
    assert max(counts) == SHAPES[name].page_size


@pytest.mark.parametrize("family", ["A", "B"])
def test_a_list_that_leads_only_to_the_next_page_has_one_way_on(family: str) -> None:
    web = site("pages-next", family)
    pages = list(web.truth.lists)
    assert pages[0] == web.entry
    for place, url in enumerate(pages):
        steps = set(links(web, url)) & set(pages) - {web.entry, url}
        assert steps <= {pages[place - 1], *pages[place + 1 : place + 2]}


@pytest.mark.parametrize("family", ["A", "B"])
def test_a_record_stands_in_up_to_three_lists(family: str) -> None:
    web = site("tags", family)
    counts = {url: 0 for url in web.truth.targets}
    for found in listed("tags", family).values():
        for url in found:
            counts[url] += 1
    assert max(counts.values()) == 3
    assert min(counts.values()) >= 1


@pytest.mark.parametrize("family", ["A", "B"])
def test_three_ways_lead_to_every_record(family: str) -> None:
    lists = listed("ways", family).values()
    counts = [sum(url in found for found in lists) for url in site("ways", family).truth.targets]
    assert set(counts) == {3}


@pytest.mark.parametrize("family", ["A", "B"])
def test_targets_stand_at_several_depths(family: str) -> None:
    assert set(site("depths", family).truth.clicks) == {1, 2, 3}


@pytest.mark.parametrize("family", ["A", "B"])
def test_new_months_are_new_lists(family: str) -> None:
    early, late = site("months", family).truth, site("months", family, day=80).truth
    assert set(late.lists) > set(early.lists)
