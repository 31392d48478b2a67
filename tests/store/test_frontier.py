"""The frontier of crawls on a topic: sites by worth, pages in queues, sums that any crawl adds to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dowse.model import Link, LinkChoice, Mention, Seed, SiteRank, SiteSearch, Visit
from dowse.store import BY_WORTH, Store, open_store
from dowse.store.frontier import (
    add_lessons,
    add_mentions,
    add_pages,
    commit_pages,
    count_page_sites,
    count_pages,
    count_ranked,
    give_up_site,
    keep_ranks,
    load_pages,
    pages_naming,
    promote_queue,
    read_known,
    read_lessons,
    read_likely,
    read_relevant,
    read_unranked,
    release_pages,
    reopen_off_topic,
    take_pages,
)
from dowse.url import site_of

HOME = "http://a.example"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "d.db")) as opened:
        yield opened


def begin(store: Store) -> int:
    run = store.begin_run("find", BY_WORTH)
    store.add_seeds([Seed(site_of(HOME), f"{HOME}/")], run)
    return run


def name(store: Store, run: int, *sites: str, topic: float = 0.9, forms: int = 0) -> None:
    """Search the seed, which names other sites."""
    mentions = tuple(
        Mention(site, f"{site}/x", f"{HOME}/links", "used cars", "dealers", 60, topic, forms) for site in sites
    )
    search = SiteSearch(
        site_of(HOME), visits=(Visit(Link(f"{HOME}/"), status=200),), neighbours=sites, mentions=mentions, topic=topic, relevant=forms
    )  # fmt: skip
    store.take_sites(run, 1, own=False)
    store.commit(run, [search], discover=True)


def test_sites_are_taken_by_worth_once_they_are_ranked(store: Store) -> None:
    run = begin(store)
    name(store, run, "http://b.example", "http://c.example")
    assert not store.take_sites(run, 5, own=False, schedule=BY_WORTH)
    assert [known.site for known in read_unranked(store, 10)] == ["http://b.example", "http://c.example"]
    keep_ranks(store, [SiteRank("http://b.example", 0.1), SiteRank("http://c.example", 0.7, likely=0.8)])
    assert not read_unranked(store, 10)
    assert read_likely(store, "http://c.example") == 0.8
    taken = store.take_sites(run, 5, own=False, schedule=BY_WORTH)
    assert [str(seed.site) for seed in taken] == ["http://c.example", "http://b.example"]


def test_a_site_that_is_named_again_is_ranked_again(store: Store) -> None:
    run = begin(store)
    name(store, run, "http://b.example")
    keep_ranks(store, [SiteRank("http://b.example", 0.1)])
    add_mentions(store, run, "http://z.example/list", [Mention("http://b.example", text="cars")], "reverse search")
    (known,) = read_unranked(store, 10)
    assert {mention.text for mention in known.mentions} == {"used cars", "cars"}


def test_mentions_say_who_names_a_site(store: Store) -> None:
    run = begin(store)
    name(store, run, "http://b.example", forms=2)
    (mention,) = read_known(store, "http://b.example").mentions
    assert (mention.text, mention.nearby, mention.links) == ("used cars", "dealers", 60)
    assert (mention.topic, mention.forms, mention.of_topic, mention.of_forms) == (0.9, 2, 0.9, 2)
    assert pages_naming(store, "http://b.example", 5) == [f"{HOME}/links"]
    assert read_relevant(store, run) == [HOME]


def test_sites_found_by_reverse_search_stay_so(store: Store) -> None:
    run = begin(store)
    assert add_mentions(store, run, "http://z.example/list", [Mention("http://b.example")], "reverse search") == 1
    assert read_known(store, "http://b.example").way == "reverse search"
    name(store, run, "http://c.example")
    keep_ranks(store, [SiteRank("http://c.example", 0.1, way="link")])
    assert not read_known(store, "http://c.example").way  # the next link may show another way


def test_the_second_queue_is_taken_up(store: Store) -> None:
    run = begin(store)
    name(store, run, "http://b.example", "http://c.example")
    keep_ranks(store, [SiteRank("http://b.example", 0.9, 1), SiteRank("http://c.example", 0.1, 0)])
    assert [str(seed.site) for seed in store.take_sites(run, 1, own=False, schedule=BY_WORTH)] == ["http://c.example"]
    assert (count_ranked(store, 0), count_ranked(store, 1), count_ranked(store)) == (0, 1, 1)
    assert promote_queue(store, 1, 0) == 1
    assert count_ranked(store, 0) == 1


def test_sites_off_one_topic_are_opened_for_another(store: Store) -> None:
    first = begin(store)
    store.take_sites(first, 1, own=False)
    off = SiteSearch(site_of(HOME), visits=(Visit(Link(f"{HOME}/"), status=200),), topic=0.1)
    store.commit(first, [off], discover=True)
    store.database.execute("UPDATE site SET stopped = 'off the topic: 0.10'")
    second = store.begin_run("find another topic", BY_WORTH)
    reopen_off_topic(store, first, "off the topic")
    assert store.count_states() == {"searched": 1}
    reopen_off_topic(store, second, "off the topic")
    assert store.count_states() == {"waiting": 1}


def test_lessons_are_sums(store: Store) -> None:
    add_lessons(store, "cars", "site", {"a": 1.0, "b": 2.0})
    add_lessons(store, "cars", "site", {"a": 0.5})
    add_lessons(store, "jobs", "site", {"a": 9.0})
    assert read_lessons(store, "cars", "site") == {"a": 1.5, "b": 2.0}
    assert not read_lessons(store, "cars", "link")


def choice(path: str, score: float, site: str = HOME) -> LinkChoice:
    return LinkChoice(Link(f"{site}{path}", "anchor", "nearby", depth=1), score)


def test_no_page_of_a_queue_behind_the_last_is_loaded(store: Store) -> None:
    run = begin(store)
    add_pages(store, run, [(9, choice("/doubtful", 0.9)), (2, choice("/ranked", 0.2))])
    assert load_pages(store, run, 5, last=8) == 1
    assert load_pages(store, run, 5, last=8) == 0
    assert load_pages(store, run, 5, last=9) == 1


def test_loaded_pages_are_all_followed_before_better_ones(store: Store) -> None:
    run = begin(store)
    add_pages(store, run, [(2, choice("/low", 0.9)), (1, choice("/high", 0.2))])
    assert not take_pages(store, run, 5)
    assert load_pages(store, run, 1, last=9) == 1
    add_pages(store, run, [(1, choice("/best", 0.99))])
    (page,) = take_pages(store, run, 5)
    assert (page.choice.link.url, page.choice.link.text, page.level) == (f"{HOME}/high", "anchor", 1)
    assert load_pages(store, run, 5, last=9) == 2
    (page,) = take_pages(store, run, 5)  # one of a site
    assert page.choice.link.url == f"{HOME}/best"
    assert not take_pages(store, run, 5, frozenset({HOME}))


def test_pages_that_were_taken_wait_again_after_a_kill(store: Store) -> None:
    run = begin(store)
    add_pages(store, run, [(1, choice("/a", 0.9)), (1, choice("/a", 0.1))])
    load_pages(store, run, 5, last=9)
    assert len(take_pages(store, run, 5)) == 1
    release_pages(store, run)
    (page,) = take_pages(store, run, 5)
    assert count_pages(store, run) == 1
    part = SiteSearch(site_of(HOME), "levels:3", (Visit(page.choice.link, status=200),), topic=0.8, relevant=1)
    commit_pages(store, run, [(page, part)], [(1, choice("/b", 0.5))])
    release_pages(store, run)
    assert (count_pages(store, run), store.count_states()) == (1, {"searched": 1})
    load_pages(store, run, 5, last=9)
    (page,) = take_pages(store, run, 5)
    assert (page.choice.link.url, page.pages, page.forms) == (f"{HOME}/b", 1, 1)


def test_the_rest_of_a_site_is_given_up(store: Store) -> None:
    run = begin(store)
    add_pages(store, run, [(1, choice("/a", 0.9)), (1, choice("/b", 0.1)), (1, choice("/", 0.1, "http://b.example"))])
    load_pages(store, run, 5, last=9)
    assert count_page_sites(store, run) == 2
    (taken,) = take_pages(store, run, 1)
    assert taken.choice.link.url == f"{HOME}/a"
    assert give_up_site(store, run, HOME) == 2  # the one that was taken, too
    release_pages(store, run)
    assert count_page_sites(store, run) == 1
    assert [page.choice.link.url for page in take_pages(store, run, 5)] == ["http://b.example/"]
