"""The topical world: shares, names that do not tell, words of real text, links with a say, the search engine, the oracle."""

from __future__ import annotations

import json
import re
from collections import Counter
from urllib.parse import quote_plus

import pytest

from dowse.errors import BadInput
from dowse.model import Request, Response
from dowse.sim import Oracle, World
from dowse.sim.chance import dice
from dowse.sim.naming import path_of
from dowse.sim.topical import GENERAL, SIBLINGS, SIDE_TOPICS, TOPICS, is_world_text, share_of, sites_on
from dowse.sim.topical.lexicon import FOLDER, read_lexicon
from dowse.sim.topical.oracle import relevant_forms
from dowse.sim.topical.shares import BLOCK, topic_of
from dowse.sim.topical.wording import read_phrasing, read_topical_wording

SITES = 2000


@pytest.fixture(scope="module", params=["A", "B"])
def world(request: pytest.FixtureRequest) -> World:
    return World(4, SITES, family=request.param, topics="power-law")


def read_page(world: World, url: str) -> str:
    answer = world.answer(Request(url))
    assert isinstance(answer, Response), url
    return answer.body.decode("latin-1")


def test_shares_follow_a_power_law_and_six_in_ten_sites_are_on_no_topic(world: World) -> None:
    counts = Counter(world.traits(index).topic for index in range(SITES))
    shares = sorted((counts[topic] / SITES for topic in TOPICS), reverse=True)
    assert counts[GENERAL] / SITES == 0.6
    assert (shares[0], shares[-1]) == (0.05, 0.002)
    assert all(share_of(world.themes.key, topic) == counts[topic] / SITES for topic in (*TOPICS, *SIDE_TOPICS))


def test_which_topic_is_rare_differs_between_worlds() -> None:
    assert (
        len(
            {
                max(TOPICS, key=lambda topic: share_of(World(seed, topics="power-law").themes.key, topic))
                for seed in range(9)
            }
        )
        > 3
    )


def test_sites_on_a_topic_are_found_both_ways() -> None:
    key, sites = World(2, topics="power-law").themes.key, 2 * BLOCK + 123
    for topic in (*TOPICS, GENERAL):
        assert sites_on(key, topic, sites) == [index for index in range(sites) if topic_of(key, index) == topic]


def test_no_host_tells_the_name_of_its_topic(world: World) -> None:
    keys = {word for topic in TOPICS for word in (topic.replace(" ", ""), topic.split()[0].removesuffix("s"))} - {
        "real",
        "car",
        "job",
    }
    assert not [
        world.traits(index).host for index in range(SITES) if any(key in world.traits(index).host for key in keys)
    ]


def test_every_topic_has_two_thousand_words_and_siblings_are_topics() -> None:
    for topic in (*TOPICS, *SIDE_TOPICS, GENERAL):
        assert len(read_lexicon(topic).words) == len(set(read_lexicon(topic).words)) >= 2000, topic
    assert {path.stem for path in FOLDER.glob("*.tsv")} == {
        topic.replace(" ", "-") for topic in (*TOPICS, *SIDE_TOPICS, GENERAL)
    }
    assert set(SIBLINGS) == {*TOPICS, *SIDE_TOPICS} >= {each for siblings in SIBLINGS.values() for each in siblings}


def test_half_of_the_domains_are_left_for_training() -> None:
    half = sum(is_world_text(f"site{number}.com") for number in range(1000))
    assert 430 < half < 570


def test_the_families_have_their_own_sentences_labels_and_synonyms() -> None:
    first, second = (read_phrasing(family) for family in "AB")
    assert not {*first.sentences, *first.blurbs} & {*second.sentences, *second.blurbs}
    for topic in TOPICS:
        assert not set(first.synonyms[topic]) & set(second.synonyms[topic]), topic
        ways = [read_topical_wording(family).topics[topic].labels for family in "AB"]
        assert not {label for labels in ways[0].values() for label in labels} & {
            label for labels in ways[1].values() for label in labels
        }


def test_a_page_speaks_of_its_topic(world: World) -> None:
    index = next(
        each for each in range(SITES) if world.traits(each).topic in TOPICS and not world.traits(each).is_closed
    )
    site = world.plan(index)
    pages = [
        each
        for each in range(1, min(60, site.tree.articles))
        if world.themes.page_topic(site, each) == site.traits.topic
    ]
    texts = [" ".join(world.themes.write_paragraphs(dice("page", each), site, each)) for each in pages]
    words = Counter(re.findall("[a-z]+", " ".join(texts).casefold()))
    own, other = ({*read_lexicon(topic).words[:40]} for topic in (site.traits.topic, "sports"))
    assert sum(words[word] for word in own - other) > 1.5 * sum(words[word] for word in other - own)


def test_some_home_pages_are_empty_and_some_forms_are_on_another_topic_than_their_site(world: World) -> None:
    sites = [world.plan(each) for each in range(300)]
    texts = [world.themes.write_paragraphs(dice("home"), site, 0) for site in sites]
    assert 0.04 < sum(not text for text in texts) / len(texts) < 0.18
    databases = [
        (world.traits(index).topic, topic)
        for index in range(SITES)
        for topic in world.themes.draw_databases(dice("unused"), index, world.traits(index).topic)
        if topic in TOPICS
    ]
    assert 0.05 < sum(site != topic for site, topic in databases) / len(databases) < 0.3


def test_links_lead_to_the_own_topic_far_more_often_than_by_chance(world: World) -> None:
    topic = max(TOPICS, key=lambda each: share_of(world.themes.key, each))
    linked = [
        world.traits(each).topic
        for index in sites_on(world.themes.key, topic, SITES)
        for each in world.linked_sites(index).numbers
    ]
    assert linked.count(topic) / len(linked) > 6 * share_of(world.themes.key, topic)


def test_other_sites_are_named_described_and_linked_deeply(world: World) -> None:
    mentions = [
        (world.plan(index).themes.mention(world.plan(index), address), address)
        for index in range(200)
        for address in world.plan(index).neighbours
    ]
    assert 0.05 < sum(address.count("/") > 3 or "?" in address for _, address in mentions) / len(mentions) < 0.2
    assert 0.3 < sum(each.note != "" for each, _ in mentions) / len(mentions) < 0.6
    bare = sum(each.anchor.text == address[7:].strip("/") for each, address in mentions)
    assert 0 < bare / len(mentions) < 0.2
    for each, address in mentions[:40]:
        assert (
            isinstance(world.answer(Request(address)), Response)
            or world.traits(world.host_index(address[7:].partition("/")[0]) or 0).is_dead
        )
        assert each.anchor.href == address


def test_a_directory_has_pages_of_one_topic_each(world: World) -> None:
    hubs = [
        world.plan(each)
        for each in range(400)
        if world.traits(each).spread == "directory" and not world.traits(each).is_closed
    ]
    hub = max(hubs, key=lambda each: len(each.neighbours))
    page, (topic, addresses) = max(hub.centres.items(), key=lambda each: len(each[1][1]))
    assert len(addresses) > 5
    assert (
        Counter(
            world.traits(world.host_index(each[7:].partition("/")[0]) or 0).topic for each in addresses
        ).most_common(1)[0][0]
        == topic
    )
    assert all(
        each.replace("&", "&amp;") in read_page(world, hub.origin + path_of(hub, page))
        or each in read_page(world, hub.origin + path_of(hub, page))
        for each in addresses
    )
    assert {each for shelf in hub.centres.values() for each in shelf[1]} == set(hub.neighbours)


def search(world: World, query: str, page: int = 1) -> dict[str, list[dict[str, str]]]:
    answer = world.answer(Request(f"{world.search_address}?q={quote_plus(query)}&format=json&pageno={page}"))
    assert isinstance(answer, Response)
    found: dict[str, list[dict[str, str]]] = json.loads(answer.body)
    return found


def test_the_search_engine_gives_pages_that_name_a_host_in_json_and_as_a_page(world: World) -> None:
    hosts = [world.traits(index).address[7:-1] for index in range(40)]
    found = {host: search(world, f'"{host}" -site:{host}')["results"] for host in hosts}
    assert sum(map(bool, found.values())) > 10
    for host, results in found.items():
        for each in results[:2]:
            assert host in read_page(world, each["url"])
            assert host not in each["url"]
    host = next(host for host, results in found.items() if results)
    page = read_page(world, f"{world.search_address}?q=%22{host}%22+-site:{host}")
    assert all(each["url"].replace("&", "&amp;") in page for each in found[host])


def test_the_search_engine_finds_sites_by_words_and_pages_of_a_site(world: World) -> None:
    assert search(world, "car hotel music")["results"]
    assert search(world, "no-such-word-anywhere")["results"] == []
    known = next(
        search(world, f"site:{world.traits(index).host}")["results"]
        for index in range(30)
        if search(world, f"site:{world.traits(index).host}")["results"]
    )
    assert len({each["url"].split("/")[2] for each in known}) == 1
    assert world.answer(Request("http://search.example/elsewhere")).status == 404


def test_only_the_topical_world_has_a_search_engine() -> None:
    world = World(1, 20)
    assert world.search_address == ""
    assert not isinstance(world.answer(Request("http://search.example/search?q=a")), Response)


def test_the_oracle_counts_the_relevant_forms_and_never_exceeds_the_bound(world: World) -> None:
    oracle = Oracle(world)
    topic = max(TOPICS, key=lambda each: share_of(world.themes.key, each))
    truths = [world.site(index) for index in range(SITES)]
    relevant = {
        index: len(relevant_forms(site, topic)) for index, site in enumerate(truths) if relevant_forms(site, topic)
    }
    assert {index: sum(page.forms for page in pages) for index, pages in oracle.relevant(topic).items()} == relevant
    start = oracle.choose_starts(topic, 5)
    best = oracle.best_order(topic, 400, start)
    assert all(
        one.pages <= two.pages and one.forms < two.forms for one, two in zip(best.steps, best.steps[1:], strict=False)
    )
    for pages in (10, 100, 400):
        assert 0 < best.at(pages).forms <= oracle.bound(topic, pages).forms
        assert best.at(pages).pages <= pages
    assert best.at(10**6).forms <= sum(relevant.values())
    assert oracle.best_order(topic, 100, start, most="sites").at(100).sites >= best.at(100).sites


def test_an_oracle_wants_topics() -> None:
    with pytest.raises(BadInput, match="topics"):
        Oracle(World(1, 20))
    with pytest.raises(BadInput, match="no topic"):
        Oracle(World(1, 20, topics="power-law")).relevant("gardening")
    with pytest.raises(BadInput, match="power-law"):
        World(topics="zipf")
