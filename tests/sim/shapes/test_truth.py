"""The truth about browsable sites is what an independent reader sees."""

from __future__ import annotations

import json

import pytest

from dowse.sim.shapes.truth import to_json

from .sites import CASES, IDS, get, links, site


@pytest.mark.parametrize(("name", "family"), CASES, ids=IDS)
def test_hubs_link_to_all_targets_and_none_is_idle(name: str, family: str) -> None:
    truth = site(name, family).truth
    targets = set(truth.targets)
    linked = {url: targets & set(links(site(name, family), url)) for url in truth.hubs}
    assert set().union(*linked.values()) == targets
    assert set(truth.hubs) <= set(truth.lists) <= set(truth.pages)
    for url in truth.hubs:
        assert linked[url] - set().union(*(found for other, found in linked.items() if other != url))


def test_the_fewest_pages_are_those_of_the_shortest_way() -> None:
    for family in "AB":
        truth = site("ways", family).truth
        assert len(truth.hubs) < len(truth.lists) / 2


@pytest.mark.parametrize("family", ["A", "B"])
def test_decoys_have_addresses_like_targets(family: str) -> None:
    web = site("look-alikes", family)
    item = web.plan.book.item
    lead = {"A": f"/{item}/", "B": f"/{item}-"}[family]
    alike = [url for url in web.truth.decoys if url.removeprefix(web.plan.origin).startswith(lead)]
    assert len(alike) >= 12
    assert not set(alike) & set(web.truth.targets)
    assert all(get(web, url).status == 200 for url in alike)


@pytest.mark.parametrize("family", ["A", "B"])
def test_decoys_are_written_nearly_as_targets_are(family: str) -> None:
    web = site("near-templates", family)
    assert len(web.truth.decoys) >= 20
    assert not set(web.truth.decoys) & set(web.truth.targets)


def test_sites_without_decoys_have_none() -> None:
    assert site("categories", "A").truth.decoys == ()


def test_the_truth_is_plain_values() -> None:
    truth = site("form", "A").truth
    told = json.loads(json.dumps(to_json(truth)))
    assert told["targets"] == list(truth.targets)
    assert told["form"]["name"]
