"""Crawls on a topic over a tiny web: three car sites, three others, a directory, a search engine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from dowse.crawl.pages import PageRules
from dowse.engine.find import begin_run
from dowse.engine.job import FindRun
from dowse.engine.topical import (
    SiteCrawl,
    check_topical,
    crawl_on_topic,
    open_site_crawl,
    search_on_topic,
    search_wanted,
    visit_on_topic,
)
from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.fetch.build import wrap_fetch
from dowse.model import Response, SiteSearch
from dowse.reasons import StopReason
from dowse.seeds.backlinks import SearxngSearch
from dowse.seeds.lists import read_seed
from dowse.settings import FindSettings
from dowse.store import Store, open_store
from dowse.store.frontier import read_lessons
from dowse.strategy.levels import BestFirst
from tests.topics import topic_of
from tests.webs import Answer, web

CARS = topic_of("cars", "car dealer vehicle mileage")
FORM = """<form action="/find" method="get"><h2>Search used cars</h2><label>Make <input name="make"></label>
<label>Price from <input name="low"></label><label>to <input name="high"></label>
<label>Vehicle <select name="kind"><option>van<option>estate</select></label><input type="submit" value="Search cars"></form>"""
WORDS = "used car dealer vehicle mileage engine " * 5
OTHER = "knitting wool yarn pattern needle scarf " * 5


def write(text: str, *links: str, form: str = "") -> str:
    anchors = "".join(
        f'<li><a href="{link}">{name}</a> {about}</li>'
        for link, _, rest in map(lambda each: each.partition(" "), links)
        for name, _, about in [rest.partition("|")]
    )
    return f"<html><head><title>{text[:20]}</title></head><body><p>{text}</p><ul>{anchors}</ul>{form}</body></html>"


PAGES: dict[str, Answer] = {
    "http://one.example/": write(WORDS, "/search Search used cars|", "http://two.example/ Car dealer two|used vehicles", "http://wool.example/ Wool|scarf"),
    "http://one.example/search": write(WORDS, form=FORM),
    "http://two.example/": write(WORDS, "/find Find a car|", "http://three.example/ Third car dealer|", "http://yarn.example/ Yarn|"),
    "http://two.example/find": write(WORDS, form=FORM),
    "http://three.example/": write(WORDS, "/find Find a car|"),
    "http://three.example/find": write(WORDS, form=FORM),
    "http://wool.example/": write(OTHER, "/a All patterns|", "/b More|", "http://needles.example/ Needles|"),
    "http://wool.example/a": write(OTHER),
    "http://wool.example/b": write(OTHER),
    "http://yarn.example/": write(OTHER, "/a All patterns|"),
    "http://yarn.example/a": write(OTHER),
    "http://needles.example/": write(OTHER),
    "http://hidden.example/": write(WORDS, "/find Find a car|"),
    "http://hidden.example/find": write(WORDS, form=FORM),
    "http://list.example/cars": write(
        WORDS, "http://one.example/ One|", "http://two.example/ Two|", "http://three.example/ Three|", "http://hidden.example/ Hidden car dealer|"
    ),
}  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "d.db")) as opened:
        yield opened


def begin(store: Store, settings: FindSettings) -> FindRun:
    return begin_run(store, [read_seed("http://one.example/")], settings)


def settings_of(strategy: str, pages: int = 0) -> FindSettings:
    return FindSettings(strategy=strategy, pages=pages, topic="cars", jobs=2, audit=0.0)


async def crawl_sites(
    store: Store, name: str, fetch: Fetch, searxng: str = "", pages: int = 0
) -> tuple[FindRun, list[SiteSearch], list[str]]:
    settings = settings_of(name, pages)
    run = begin(store, settings)
    backlinks = [SearxngSearch(fetch, searxng)] if searxng else []
    crawl: SiteCrawl = open_site_crawl(name, CARS, visit_on_topic(CARS, fetch), backlinks)
    events = [event async for event in search_on_topic(store, run, fetch, settings, crawl)]
    return (
        run,
        [each for each in events if isinstance(each, SiteSearch)],
        [each for each in events if isinstance(each, str)],
    )


@pytest.mark.parametrize("name", ["focused", "smart"])
async def test_sites_on_the_topic_are_found(store: Store, name: str) -> None:
    asked: list[str] = []
    _, searches, _ = await crawl_sites(store, name, web(PAGES, asked))
    relevant = {str(each.site) for each in searches if each.relevant}
    assert relevant == {"http://one.example", "http://two.example", "http://three.example"}
    assert {"http://wool.example/a", "http://wool.example/b", "http://yarn.example/a"}.isdisjoint(asked)
    forms = [form for form in store.forms() if form["kind"] == "database"]
    assert {form["topics"][0]["name"] for form in forms} == {"cars"}
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize("name", ["focused", "smart"])
async def test_a_site_off_the_topic_is_left_with_a_reason(store: Store, name: str) -> None:
    _, searches, _ = await crawl_sites(store, name, web(PAGES))
    wool = next(each for each in searches if str(each.site) == "http://wool.example")
    assert wool.stopped == StopReason.OFF_TOPIC
    assert len(wool.visits) == 1
    assert wool.topic is not None
    assert wool.topic < 0.5


async def test_pages_that_were_asked_for_are_spent_on_what_is_less_likely(store: Store) -> None:
    far = {f"http://far{each}.example/": write(OTHER, f"http://far{each + 1}.example/ More yarn|") for each in range(3)}
    pages = {
        "http://one.example/": write(OTHER, "/a All patterns|"),
        "http://one.example/a": write(OTHER, "/b Older patterns|"),
        "http://one.example/b": write(OTHER, "http://far0.example/ Friends|"),
        **far,
        "http://far3.example/": write(WORDS, "/find Find a car|"),
        "http://far3.example/find": write(WORDS, form=FORM),
    }
    settings = settings_of("focused", 40)
    run, fetch = begin(store, settings), web(pages)
    crawl = open_site_crawl("focused", CARS, visit_on_topic(CARS, fetch), least=0.0)
    events = [event async for event in search_on_topic(store, run, fetch, settings, crawl)]
    searches = [each for each in events if isinstance(each, SiteSearch)]
    assert {str(each.site) for each in searches if each.relevant} == {"http://far3.example"}
    asked = [visit.link.url for each in searches for visit in each.visits]
    assert sorted(asked) == sorted(pages)  # each once, although most sites were left for better ones in between


async def test_smart_takes_out_links_of_relevant_sites_only(store: Store) -> None:
    await crawl_sites(store, "smart", web(PAGES))
    assert not store.knows_site("http://needles.example")


def searching(results: list[str], status: int = 200) -> dict[str, Answer]:
    """Return the web with a search engine that knows who names one.example."""
    body = json.dumps({"results": [{"url": each} for each in results]}).encode()
    ask = "http://searx.example/search?q=%22{0}.example%22%20-site%3A{0}.example&format=json"
    answers = {
        ask.format(name): Response(ask.format(name), status, (), body) for name in ("one", "two", "three", "hidden")
    }
    return {**PAGES, **answers}


@pytest.mark.parametrize("name", ["focused", "smart"])
async def test_reverse_search_finds_what_no_link_leads_to(store: Store, name: str) -> None:
    run, searches, said = await crawl_sites(
        store, name, web(searching(["http://list.example/cars"])), "http://searx.example"
    )
    assert "http://hidden.example" in {str(each.site) for each in searches if each.relevant}
    assert not said
    assert run.tally.pages >= len({visit.link.url for each in searches for visit in each.visits}) + 2  # look-ups count


async def test_without_a_seed_the_search_engine_is_asked_for_the_words_of_the_topic(store: Store) -> None:
    ask = "http://searx.example/search?q={}&format=json"
    found = {"car": [], "dealer": ["http://list.example/cars"]}
    pages = {
        ask.format(word): Response(ask.format(word), 200, (), json.dumps({"results": [{"url": each} for each in urls]}).encode())
        for word, urls in found.items()
    }  # fmt: skip
    asked: list[str] = []
    fetch = web({**PAGES, **pages}, asked)
    settings = replace(settings_of("focused"), searxng="http://searx.example")
    run = begin_run(store, [], settings)
    crawl = open_site_crawl("focused", CARS, visit_on_topic(CARS, fetch), [SearxngSearch(fetch, settings.searxng)])
    events = [event async for event in search_on_topic(store, run, fetch, settings, crawl)]
    relevant = {str(each.site) for each in events if isinstance(each, SiteSearch) and each.relevant}
    assert relevant == {f"http://{host}.example" for host in ("one", "two", "three", "hidden")}
    assert asked.index(ask.format("car")) < asked.index(ask.format("dealer"))
    assert ask.format("vehicle") not in asked  # by then there were sources to go by


def test_without_a_seed_smart_has_nothing_to_begin_at(store: Store) -> None:
    with pytest.raises(BadInput, match="no site is waiting"):
        begin_run(store, [], replace(settings_of("smart"), searxng="http://searx.example"))


async def test_a_search_engine_that_refuses_is_named_once_and_the_crawl_goes_on(store: Store) -> None:
    asked: list[str] = []
    run, searches, said = await crawl_sites(store, "focused", web(searching([], 429), asked), "http://searx.example")
    assert len(said) == 1
    assert "HTTP 429" in said[0]
    assert run.tally.pages == len(asked)  # nothing is counted that was not asked for
    assert sum(each.relevant for each in searches) == 3


async def test_of_the_pages_that_name_a_source_those_are_read_that_are_said_to_be_on_the_topic(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dowse.engine.topical.LEAST_SAID", 0.2)  # the topic of the tests gives 0.08 to any text
    ask = "http://searx.example/search?q=%22one.example%22%20-site%3Aone.example&format=json"
    results = [
        {"url": "http://list.example/wool", "title": "Knitting patterns", "content": "Yarn and needles, one.example"},
        {"url": "http://list.example/cars", "title": "Used car dealers", "content": "vehicle mileage, one.example"},
    ]
    pages = {**PAGES, ask: Response(ask, 200, (), json.dumps({"results": results}).encode())}
    asked: list[str] = []
    await crawl_sites(store, "focused", web(pages, asked), "http://searx.example")
    assert "http://list.example/cars" in asked
    assert "http://list.example/wool" not in asked


async def test_a_graph_that_is_damaged_is_named_and_the_crawl_goes_on(store: Store, tmp_path: Path) -> None:
    names = tmp_path / "vertices.gz"
    names.write_bytes(b"no archive")
    settings = replace(settings_of("focused"), graph=(str(names), str(names)))
    run = begin(store, settings)
    events = [event async for event in search_wanted(store, run, wrap_fetch(web(PAGES)), settings)]
    said = [event for event in events if isinstance(event, str)]
    assert [line for line in said if "vertices.gz could not be read" in line] == said[:1]
    assert any(event.visits for event in events if isinstance(event, SiteSearch))


def test_a_graph_that_is_not_there_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(BadInput, match=r"no file nowhere\.gz"):
        check_topical(replace(settings_of("focused"), graph=("nowhere.gz", "nowhere.gz")))


async def test_what_was_learned_is_kept_for_the_next_crawl(store: Store) -> None:
    await crawl_sites(store, "focused", web(PAGES))
    assert read_lessons(store, "cars", "focused expected")
    await crawl_sites(store, "smart", web(PAGES))


async def test_the_same_command_goes_on(store: Store) -> None:
    asked: list[str] = []
    run, _, _ = await crawl_sites(store, "focused", web(PAGES, asked), pages=2)
    assert run.stopped == StopReason.PAGE_BUDGET
    await crawl_sites(store, "focused", web(PAGES, asked))
    assert len(set(asked)) == len(asked)
    assert store.tally().forms == 3


async def test_page_by_page_only_pages_on_the_topic_give_links_as_in_the_paper(store: Store) -> None:
    asked: list[str] = []
    run = begin(store, settings_of("levels:3"))
    rules = PageRules(jobs=2, ends_off_topic=True)
    parts = [
        part
        async for part in crawl_on_topic(store, run, CARS, visit_on_topic(CARS, web(PAGES, asked)), BestFirst(), rules)
    ]
    assert sum(part.relevant for part in parts) == 3
    assert "http://wool.example/" in asked
    assert "http://wool.example/a" not in asked
    assert len(set(asked)) == len(asked)
    assert store.tally().forms == 3
    assert run.tally.pages == len(parts) == len(asked)


async def test_page_by_page_links_of_pages_off_the_topic_come_last(store: Store) -> None:
    asked: list[str] = []
    run = begin(store, settings_of("levels:3"))
    visit = visit_on_topic(CARS, web(PAGES, asked))
    async for _ in crawl_on_topic(store, run, CARS, visit, BestFirst(), PageRules(jobs=1)):
        pass
    late = min(asked.index(f"http://{host}.example/a") for host in ("wool", "yarn"))
    assert late > asked.index("http://three.example/find")


async def test_page_by_page_all_pages_of_sites_to_start_from_give_links(store: Store) -> None:
    asked: list[str] = []
    pages = {**PAGES, "http://one.example/": write("Knitting wool.", "/search Search|", "http://two.example/ Two|")}
    run = begin(store, settings_of("levels:3"))
    visit, rules = visit_on_topic(CARS, web(pages, asked)), PageRules(jobs=1, ends_off_topic=True)
    async for _ in crawl_on_topic(store, run, CARS, visit, BestFirst(), rules):
        pass
    assert {"http://one.example/search", "http://two.example/"} <= set(asked)


async def test_page_by_page_a_site_that_gave_enough_is_left(store: Store) -> None:
    asked: list[str] = []
    run = begin(store, settings_of("levels:3"))
    rules = PageRules(jobs=1, site_pages=1)
    async for _ in crawl_on_topic(store, run, CARS, visit_on_topic(CARS, web(PAGES, asked)), BestFirst(), rules):
        pass
    assert "http://one.example/search" not in asked
    assert "http://two.example/" in asked


async def test_a_site_that_was_left_waits_with_what_it_promises_and_is_read_on(store: Store) -> None:
    """A long site with its form at the end: others come first, no page is asked for twice, and nothing waits at the end."""
    pages = dict(PAGES)
    chain = [f"/p{number}" for number in range(12)]
    pages["http://one.example/"] = write(
        WORDS, "/p0 Next|", "http://two.example/ Car dealer two|", "http://three.example/ Car dealer three|"
    )
    for here, following in pairwise(chain):
        pages[f"http://one.example{here}"] = write(WORDS, f"{following} Next|")
    pages[f"http://one.example{chain[-1]}"] = write(WORDS, form=FORM)
    asked: list[str] = []
    _, searches, _ = await crawl_sites(store, "focused", web(pages, asked))
    assert len(set(asked)) == len(asked)
    assert {str(each.site) for each in searches if each.relevant} >= {"http://two.example", "http://three.example"}
    parts = [each for each in searches if str(each.site) == "http://one.example"]
    assert all(part.visits for part in parts[:-1])
    assert store.count_states().get("waiting", 0) == 0


KILLED = """
import asyncio, os, signal, sys
from dowse.crawl.pages import PageRules
from dowse.engine.topical import crawl_on_topic, visit_on_topic
from dowse.strategy.levels import BestFirst
from dowse.store import open_store
from tests.engine.test_topical import CARS, PAGES, begin, crawl_sites, settings_of
from tests.webs import web

asked = []
inner = web(PAGES, asked)

async def fetch(request):
    if len(asked) == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    return await inner(request)

async def crawl(store):
    if sys.argv[2] == "levels":
        run = begin(store, settings_of("levels:3"))
        async for _ in crawl_on_topic(store, run, CARS, visit_on_topic(CARS, fetch), BestFirst(), PageRules(jobs=1)):
            pass
    else:
        await crawl_sites(store, sys.argv[2], fetch)

with open_store(sys.argv[1]) as store:
    asyncio.run(crawl(store))
"""


@pytest.mark.parametrize("name", ["focused", "smart", "levels"])
async def test_a_killed_crawl_goes_on_and_loses_no_count(name: str, tmp_path: Path) -> None:
    for count in (3, 4):
        call = [sys.executable, "-c", KILLED, str(tmp_path / "d.db"), name, str(count)]
        assert subprocess.run(call, check=False, cwd=Path(__file__).parents[2]).returncode == -signal.SIGKILL  # noqa: ASYNC221
    with open_store(str(tmp_path / "d.db")) as store:
        kept = {row["url"] for row in store.database.execute("SELECT url FROM page")}
        assert kept
        asked: list[str] = []
        if name == "levels":
            run = begin(store, settings_of("levels:3"))
            visit = visit_on_topic(CARS, web(PAGES, asked))
            async for _ in crawl_on_topic(store, run, CARS, visit, BestFirst(), PageRules(jobs=1)):
                pass
        else:
            await crawl_sites(store, name, web(PAGES, asked))
        assert kept.isdisjoint(asked)  # nothing that was committed is read again
        assert store.tally().forms == 3
        counted = "SELECT sum(site.pages), (SELECT count(*) FROM page), sum(site.relevant) FROM site"
        assert tuple(store.database.execute(counted).fetchone()) == (len(kept) + len(asked), len(kept) + len(asked), 3)
