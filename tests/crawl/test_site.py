"""The links that wait: by kind, by worth, by age, and chosen again."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from dowse.crawl.site import search_site
from dowse.frontier.queue import LinkQueue
from dowse.model import (
    Door,
    Earlier,
    Failure,
    Link,
    LinkChoice,
    Page,
    Probe,
    Response,
    Seed,
    SeenOnSite,
    SiteSearch,
    Visit,
)
from dowse.reasons import FailureReason, StopReason
from dowse.step.probe import MOST_DOORS
from dowse.step.visit import visit
from dowse.strategy import SITE_STRATEGIES, STRATEGIES, build_strategy
from dowse.url import site_of
from tests.webs import HTML, Answer, page, refused, web


def choice(name: str, worth: float = 0.0, kind: str = "") -> LinkChoice:
    return LinkChoice(Link(f"http://e.com/{name}"), worth, kind)


def names(choices: object) -> str:
    return "".join(each.link.url[-1] for each in choices)  # type: ignore[attr-defined]


def test_the_best_comes_first_and_the_oldest_of_equals() -> None:
    queue = LinkQueue()
    for each in (choice("a"), choice("b", 2.0), choice("c"), choice("d", 2.0)):
        queue.push(each)
    assert names(queue.rest()) == "abcd"
    assert names(queue.pop("") for _ in range(4)) == "bdac"
    assert not queue.heads


def test_kinds_wait_apart() -> None:
    queue = LinkQueue()
    for each in (choice("a", 1.0, "x"), choice("b", 5.0, "y"), choice("c", 3.0, "x")):
        queue.push(each)
    assert {kind: head.link.url[-1] for kind, head in queue.heads.items()} == {"x": "c", "y": "b"}
    assert queue.pop("x").link.url[-1] == "c"
    assert queue.pop("y").link.url[-1] == "b"
    assert set(queue.heads) == {"x"}


def test_a_link_that_is_chosen_again_waits_once_as_it_was_chosen_last() -> None:
    queue = LinkQueue()
    for each in (choice("a", 1.0, "x"), choice("b", 0.5, "x"), choice("a", 0.1, "y")):
        queue.push(each)
    assert {kind: head.link.url[-1] for kind, head in queue.heads.items()} == {"x": "b", "y": "a"}
    assert names(queue.rest()) == "ba"
    assert queue.pop("y").worth == 0.1
    assert "http://e.com/a" not in queue
    assert queue.pop("x").link.url[-1] == "b"
    assert not queue.heads


def test_what_was_taken_can_be_put_back_before_its_equals() -> None:
    queue = LinkQueue()
    queue.push(choice("a"))
    queue.push(choice("b"))
    queue.put_back(queue.pop(""))
    assert names(queue.rest()) == "ab"


def test_against_a_plain_list() -> None:
    dice = random.Random(7)
    queue, plain = LinkQueue(), {}
    for step in range(2_000):
        if plain and dice.random() < 0.4:
            kind = dice.choice(sorted({each.kind for each, _ in plain.values()}))
            expected = min(
                (pair for pair in plain.values() if pair[0].kind == kind), key=lambda pair: (-pair[0].worth, pair[1])
            )[0]
            assert queue.heads[kind] == expected
            assert queue.pop(kind) == expected
            del plain[expected.link.url]
        else:
            each = choice(str(dice.randrange(60)), dice.randrange(5), dice.choice("xyz"))
            queue.push(each)
            plain[each.link.url] = (each, step)
        assert set(queue.heads) == {each.kind for each, _ in plain.values()}


ROOT = "http://e.com/"


def search(
    pages: dict[str, Answer] | Callable[[str], Answer], depth: int = 3, site_pages: int = 500, entrance: str = ROOT,
    strategy: str = "", also: tuple[str, ...] = (), earlier: Earlier | None = None,
) -> SiteSearch:  # fmt: skip
    fetch = web(pages)

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    seed = Seed(site_of(entrance), entrance, also=also)
    chosen = build_strategy(strategy or f"exhaustive:{depth}", {**STRATEGIES, **SITE_STRATEGIES})
    return asyncio.run(search_site(seed, chosen, visit_link, site_pages=site_pages, earlier=earlier))


def fetched(result: SiteSearch) -> dict[str, int]:
    return {visit.link.url.removeprefix("http://e.com"): visit.link.depth for visit in result.visits}


def skipped(result: SiteSearch) -> dict[str, int]:
    return {str(reason): count for reason, count in result.skip_counts}


def test_breadth_first_with_true_depths() -> None:
    pages = {
        ROOT: page("/a", "/b"),
        f"{ROOT}a": page("/c", "/"),
        f"{ROOT}b": page("/c"),
        f"{ROOT}c": page("/d"),
        f"{ROOT}d": page(),
    }
    assert fetched(search(pages, depth=2)) == {"/": 0, "/a": 1, "/b": 1, "/c": 2}


@pytest.mark.parametrize("strategy", ["learned", "learned:1", "tagpath", "tagpath:1", "links", "links:0"])
def test_the_page_that_was_named_is_read_whatever_the_guide_prefers(strategy: str) -> None:
    box = '<form action="/find"><input name="title"><input name="author"><button>Search books</button></form>'
    pages = {
        ROOT: page("/a", "/search", "/c"),
        f"{ROOT}deep/page.html": page(forms=box),
        f"{ROOT}a": page(),
        f"{ROOT}search": page(),
        f"{ROOT}c": page(),
    }
    result = search(pages, entrance=f"{ROOT}deep/page.html", strategy=strategy)
    assert list(fetched(result).items())[:2] == [("/", 0), ("/deep/page.html", 0)]
    assert [door.form.action for door in result.doors] == [f"{ROOT}find"]


@pytest.mark.parametrize("strategy", [*STRATEGIES, *SITE_STRATEGIES])
@pytest.mark.parametrize("site_pages", [1, 2, 3, 500])
def test_all_pages_that_were_named_are_read(strategy: str, site_pages: int) -> None:
    """The home page links to one of them: it stays a page that was named, and is not left to the guide."""
    named = tuple(f"{ROOT}{name}" for name in ("deep/one", "sort?sort=price&sort=name", "file.json", "cal/2024/01/01"))
    pages = {ROOT: page("/deep/one", "/a", "/search"), f"{ROOT}a": page(), f"{ROOT}search": page()}
    pages |= {url: page("/a", text=url) for url in named}
    result = search(pages, entrance=named[0], also=named, strategy=strategy, site_pages=site_pages)
    wanted = [ROOT, *named]
    assert [(visit.link.url, visit.link.depth) for visit in result.visits][: len(wanted)] == [
        (url, 0) for url in wanted[:site_pages]
    ]
    left = {skip.url: str(skip.reason) for skip in result.skipped}
    assert all("page limit of one site" in left[url] for url in wanted[site_pages:])


@pytest.mark.parametrize("strategy", [*STRATEGIES, *SITE_STRATEGIES])
def test_a_page_that_is_named_later_is_read_beside_what_was_read(strategy: str) -> None:
    named = LinkChoice(Link(f"{ROOT}deep"), why="given as a seed")
    earlier = Earlier(fetched=frozenset({ROOT, f"{ROOT}a"}), left=(named,), pages=2, answered=True)
    box = '<form action="/find"><input name="title"><input name="author"><button>Search books</button></form>'
    result = search({f"{ROOT}deep": page("/", "/a", forms=box)}, strategy=strategy, earlier=earlier)
    assert fetched(result) == {"/deep": 0}
    assert len(result.doors) == 1
    gone = search({}, strategy=strategy, earlier=earlier)
    assert fetched(gone) == {"/deep": 0}
    assert not gone.error, "the site has given pages before"


def test_what_is_too_deep_is_counted() -> None:
    result = search({ROOT: page("/a"), f"{ROOT}a": page("/b", "/c")}, depth=1)
    assert skipped(result) == {"deeper than 1": 2}
    assert {skip.url for skip in result.skipped} == {f"{ROOT}b", f"{ROOT}c"}


def test_other_sites_are_neighbours_unless_nofollow() -> None:
    links = '<a href="https://e.com/x">same host, other site</a><a href="http://f.com/y">f</a><a rel="nofollow" href="http://g.com/">g</a>'
    result = search({ROOT: f"<html><body>{links}</body></html>"})
    assert set(result.neighbours) == {"https://e.com", "http://f.com"}
    assert fetched(result) == {"/": 0}


def test_a_form_on_every_page_is_found_once() -> None:
    box = '<form action="/find"><input name="q"><button>Search books</button></form>'
    other = '<form action="/cars"><input name="make"><input name="model"><button>Search cars</button></form>'
    pages = {ROOT: page("/a", forms=box), f"{ROOT}a": page(forms=box + other)}
    result = search(pages)
    assert sorted((door.form.action, door.depth) for door in result.doors) == [(f"{ROOT}cars", 1), (f"{ROOT}find", 0)]


OPENSEARCH = "<OpenSearchDescription><Url type='text/html' template='/find?q={searchTerms}'/></OpenSearchDescription>"
OPENAPI = '{"openapi": "3.0", "paths": {"/search": {"get": {"parameters": [{"name": "q", "in": "query"}]}}}}'


def describing(*names: str, links: tuple[str, ...] = ()) -> str:
    head = "".join(f"<link rel=search type=application/opensearchdescription+xml href=/{name}>" for name in names)
    return head + page(*links)


def test_descriptions_are_read_last_and_cost_a_page_each() -> None:
    pages = {
        ROOT: describing("os.xml", links=("/a", "/openapi.json", "/other.json")),
        f"{ROOT}a": page(),
        f"{ROOT}os.xml": OPENSEARCH,
        f"{ROOT}openapi.json": OPENAPI,
        f"{ROOT}other.json": "{}",
    }
    result = search(pages)
    assert list(fetched(result)) == ["/", "/a", "/openapi.json", "/os.xml"]
    assert [door.form.made for door in result.doors] == ["openapi", "opensearch"]
    assert skipped(result) == {"not a page by its name": 1}


def test_only_so_many_descriptions() -> None:
    pages: dict[str, Answer] = {
        ROOT: describing("1.xml", "2.xml", "3.xml", "4.xml", "5.xml", links=("/a",)),
        f"{ROOT}a": page(),
    }
    result = search(pages | {f"{ROOT}{number}.xml": OPENSEARCH for number in range(6)})
    assert list(fetched(result)) == ["/", "/a", "/1.xml", "/2.xml", "/3.xml"]
    assert skipped(result) == {"enough descriptions of services": 2}


def test_there_is_room_for_descriptions_when_there_is_not_for_all_pages() -> None:
    pages: dict[str, Answer] = {
        ROOT: describing("os.xml", links=tuple(f"/p{n}" for n in "abcdefgh")),
        f"{ROOT}os.xml": OPENSEARCH,
    }
    result = search(pages, site_pages=4)
    assert list(fetched(result)) == ["/", "/pa", "/pb", "/os.xml"]
    assert result.stopped is StopReason.SITE_PAGES


def test_no_description_is_read_below_the_last_depth() -> None:
    assert list(fetched(search({ROOT: describing("os.xml"), f"{ROOT}os.xml": OPENSEARCH}, depth=0))) == ["/"]


def test_an_entrance_that_is_not_the_root() -> None:
    pages = {ROOT: page(), f"{ROOT}deep/in": page("/x"), f"{ROOT}x": page()}
    assert fetched(search(pages, entrance=f"{ROOT}deep/in")) == {"/": 0, "/deep/in": 0, "/x": 1}


def test_the_page_limit_is_a_stop_and_finishes_the_site() -> None:
    result = search({ROOT: page(*(f"/p{letter}" for letter in "abcdefgh"))}, site_pages=4)
    assert len(result.visits) == 4
    assert result.finished
    assert result.stopped is StopReason.SITE_PAGES
    assert sum(count for _, count in result.skip_counts) == 5


def test_a_dead_site_says_why() -> None:
    result = search(lambda url: refused(url))
    assert result.error == "connection refused"
    assert result.finished


def test_robots_is_no_page_but_a_reason() -> None:
    result = search(lambda url: Failure(url, FailureReason.ROBOTS, "Disallow: /"))
    assert not result.visits
    assert result.error.startswith("robots.txt forbids it")
    assert skipped(result) == {"robots.txt forbids it": 1}


def test_a_site_that_moved() -> None:
    moved = Response(ROOT, 301, (("location", "https://www.e.com/"),))
    result = search({ROOT: moved})
    assert (result.error, result.moved_to) == ("moved to https://www.e.com", "https://www.e.com")
    assert result.neighbours == ("https://www.e.com",)


def test_silence_ends_a_search() -> None:
    result = search(
        lambda url: (
            page(*(f"/p{letter}" for letter in "abcdefghij")) if url == ROOT else Failure(url, FailureReason.TIMEOUT)
        )
    )
    assert len(result.visits) == 6
    assert result.stopped is StopReason.NO_RESPONSE


def test_files_are_not_pages() -> None:
    result = search({ROOT: page("/a.pdf", "/b.JPG?x=1", "/c.html")})
    assert set(fetched(result)) == {"/", "/c.html"}
    assert skipped(result) == {"not a page by its name": 2}


def test_a_stopped_run_leaves_the_site_unfinished() -> None:
    stops = itertools.chain(["", ""], itertools.repeat("page budget"))
    fetch = web(lambda url: page("/a", "/b", "/c"))

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    result = asyncio.run(
        search_site(
            Seed(site_of(ROOT), ROOT),
            build_strategy("exhaustive:3"),
            visit_link,
            site_pages=9,
            why_stop=lambda: next(stops),
        )
    )
    assert len(result.visits) == 2
    assert not result.finished


# Traps: each is endless; each may cost a bounded number of pages beside the real ones, and is named.

WORDS = ["".join(letters) for letters in itertools.product("bcdfgklmnprst", "aeiou", "bdgklmnprst", "aeo")]
REAL = [f"/real/{name}" for name in ("one", "two", "three", "four", "five")]


def words(seed: object, count: int = 120) -> str:
    return " ".join(random.Random(str(seed)).sample(WORDS, count))


def with_trap(entry: str, trap: Callable[[str], str | None]) -> Callable[[str], Answer]:
    """A site of five real pages, and a trap that its entrance links to."""

    def answer(url: str) -> Answer:
        tail = url.removeprefix("http://e.com")
        if tail == "/":
            return page(*REAL, entry, text=words("root"))
        if tail in REAL:
            return page("/", *REAL, text=words(tail))
        return trap(tail)

    return answer


def calendar_by_parameter(tail: str) -> str | None:
    found = re.fullmatch(r"/events\?y=(\d+)&m=(\d+)", tail)
    if not found:
        return None
    year, month = int(found[1]), int(found[2])
    links = [
        f"/events?y={year + (month + step - 1) // 12}&m={(month + step - 1) % 12 + 1}" for step in (-1, 1, 2, 3, 4, 5)
    ]
    return page("/", *links, text=f"Events in {month} {year} " + words("calendar"))


def calendar_in_path_with_chatter(tail: str) -> str | None:
    found = re.fullmatch(r"/kalender/(\d+)/(\d+)/", tail)
    if not found:
        return None
    year, month = int(found[1]), int(found[2])
    links = [f"/kalender/{year + step}/{month}/" for step in (-1, 1, 2)] + [f"/kalender/{year}/{month % 12 + 1}/"]
    return page("/", *links, text=words(tail))


def circles(tail: str) -> str | None:
    return page("one/two/", "two/one/", "/", text=words(tail)) if tail.startswith("/loop/") else None


def near_identical(tail: str) -> str | None:
    found = re.fullmatch(r"/offer-(\d+)", tail)
    return (
        page(
            *(f"/offer-{int(found[1]) * 7 + step}" for step in range(1, 8)), text=f"Offer {found[1]} " + words("offer")
        )
        if found
        else None
    )


def facets(tail: str) -> str | None:
    if not tail.startswith("/shop"):
        return None
    chosen = dict(part.split("=") for part in tail.partition("?")[2].split("&") if "=" in part)
    links = []
    for name in ("color", "size", "brand", "price", "year"):
        for value in range(6):
            more = {**chosen, name: f"v{value}"}
            links.append("/shop?" + "&".join(f"{key}={more[key]}" for key in more))
    return page("/", *links, text=words(tail))


def path_facets(tail: str) -> str | None:
    if not tail.startswith("/wear"):
        return None
    chosen = [part for part in tail.split("/") if part][1:]
    options = [f"{name}-{value}" for name in ("red", "wool", "small", "cheap", "new") for value in "abcd"]
    links = ["/wear/" + "/".join([*chosen, option]) for option in options if option not in chosen]
    return page("/", *links, text=words(tail))


def sorts_and_sizes(tail: str) -> str | None:
    if not tail.startswith("/list"):
        return None
    links = [
        f"/list?page={n}&sort={s}&per_page={k}&dir={d}"
        for n in range(1, 6)
        for s in "abcd"
        for k in (10, 20, 50)
        for d in ("asc", "desc")
    ]
    return page("/", *links, text=words(re.sub(r"sort=\w+|per_page=\d+|dir=\w+", "", tail)))


def wiki(tail: str) -> str | None:
    found = re.match(r"/w\?title=(\w+)", tail)
    if not found:
        return None
    title = found[1]
    links = [f"/w?title={title}&action=history", f"/w?title={title}&action=edit", f"/w?title={title}&printable=yes"]
    links += [f"/w?title={title}&oldid={n}" for n in range(1000, 1020)] + [
        f"/w?title={title}&diff={n}&oldid={n - 1}" for n in range(1000, 1020)
    ]
    return page("/", *links, *(f"/w?title=Page{step}" for step in range(8)), text=words(title))


def print_views(tail: str) -> str | None:
    found = re.fullmatch(r"/story/(\w+)(/print)?", tail)
    return (
        page(*(f"/story/{found[1]}{letter}" for letter in "ab"), f"/story/{found[1]}/print", text=words(found[1]))
        if found and len(found[1]) < 6
        else None
    )


def sessions() -> Callable[[str], str | None]:
    """Every page is written with a session of its own, in a parameter nobody has heard of."""
    ticket = itertools.count(1000)

    def answer(tail: str) -> str | None:
        path = tail.partition("?")[0]
        if path not in ("/shelf", "/shelf/a", "/shelf/b", "/shelf/c"):
            return None
        session = next(ticket)
        return (
            page(*(f"/shelf{leaf}?xq={session}" for leaf in ("", "/a", "/b", "/c")), text=words(path))
            .replace(">/shelf", ">shelf")
            .replace(f"?xq={session}<", "<")
        )

    return answer


TRAPS = [
    ("calendar by parameter", "/events?y=2026&m=11", calendar_by_parameter, "endless calendar"),
    (
        "calendar in the path, every page other words",
        "/kalender/2026/11/",
        calendar_in_path_with_chatter,
        "endless calendar",
    ),
    ("path in circles", "/loop/", circles, "path repeats itself"),
    ("near-identical pages", "/offer-1", near_identical, "near-identical pages"),
    ("facets in parameters", "/shop", facets, "facets combined"),
    ("facets in the path", "/wear", path_facets, "facets combined"),
    ("sort orders and page sizes", "/list", sorts_and_sizes, "sort order"),
    ("wiki histories and differences", "/w?title=Main", wiki, "history"),
    ("print views", "/story/x", print_views, "print view"),
    ("sessions in an unknown parameter", "/shelf?xq=1", sessions(), "same page as another address"),
]


@pytest.mark.parametrize(("entry", "trap", "name"), [row[1:] for row in TRAPS], ids=[row[0] for row in TRAPS])
def test_a_trap_costs_a_bounded_number_of_pages(entry: str, trap: Callable[[str], str | None], name: str) -> None:
    result = search(with_trap(entry, trap), depth=12, site_pages=3000)
    cost = len(result.visits) - 1 - len(REAL)
    assert set(REAL) <= set(fetched(result)), "the trap kept real pages from being read"
    assert cost <= 120, f"{cost} pages went into the trap"
    assert any(name in reason for reason in skipped(result)), skipped(result)
    assert not result.stopped


def test_many_pages_of_one_shape_are_no_trap() -> None:
    """A catalogue of leaf pages, each with its own words, is read whole."""
    items = [f"/item/{number}" for number in range(300)]

    def answer(url: str) -> Answer:
        tail = url.removeprefix("http://e.com")
        if tail == "/":
            return page(*items, text=words("root"))
        return page("/", items[(int(tail.rpartition("/")[2]) + 1) % 300], text=words(tail)) if tail in items else None

    result = search(answer)
    assert len(result.visits) == 301
    assert not result.skip_counts


def test_one_script_that_serves_all_pages_is_no_trap() -> None:
    """index.php?option=...&view=...&id=...: the parameters cannot each be left out."""
    tails = [
        f"/index.php?option={o}&view={v}&id={n}" for o in ("news", "shop") for v in ("item", "group") for n in range(30)
    ]
    tails += [f"/index.php?option={o}&view={v}" for o in ("news", "shop") for v in ("item", "group")]

    def answer(url: str) -> Answer:
        tail = url.removeprefix("http://e.com")
        return page(*tails, text=words(tail)) if tail in {*tails, "/"} else None

    assert len(search(answer).visits) == len(tails) + 1


def test_a_form_behind_a_sorted_list_is_still_found() -> None:
    form = '<form action="/find"><input name="q"><button>Search</button></form>'
    pages = {ROOT: page("/list?sort=name"), f"{ROOT}list?sort=name": page(forms=form)}
    assert len(search(pages).doors) == 1


def test_hostile_amounts_stay_bounded() -> None:
    result = search(
        lambda url: page(*(f"/{words(url, 1)}x{number}" for number in range(4000)), text=words(url)), site_pages=30
    )
    assert len(result.visits) == 30
    assert len(result.skipped) <= 1000


def test_response_of_an_error_status_is_a_counted_failure() -> None:
    result = search({ROOT: Response(ROOT, 500, HTML, b"oops")})
    assert (result.error, result.error_kind) == ("error status: HTTP 500", "HTTP 500")
    assert result.visits[0].status == 500


def test_a_page_that_no_browser_opened_is_counted_with_the_reason() -> None:
    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return Visit(link, status=200, unrendered="it was not done in 20 s")

    seed = Seed(site_of(ROOT), ROOT)
    result = asyncio.run(search_site(seed, build_strategy("exhaustive:1"), visit_link, site_pages=9))
    assert skipped(result) == {"not opened in a browser: it was not done in 20 s": 1}
    assert not result.error


def test_doors_are_asked_where_they_are_found_and_only_so_many() -> None:
    forms = "".join(
        f'<form action="/find{n}"><input name="q{n}"><button>Search</button></form>' for n in range(MOST_DOORS - 1)
    )
    fetch = web({ROOT: page("/a", forms=forms), f"{ROOT}a": page(forms=forms.replace("/find", "/look"))})
    rooms: list[int] = []

    async def visit_link(link: Link, seen: SeenOnSite) -> Visit:
        return await visit(link, fetch, seen)

    async def ask(doors: Sequence[Door], found: Page | None, most: int) -> tuple[Door, ...]:
        rooms.append(most)
        return tuple(replace(door, probe=Probe(True, "")) if n < most else door for n, door in enumerate(doors))

    seed = Seed(site_of(ROOT), ROOT)
    result = asyncio.run(search_site(seed, build_strategy("exhaustive:3"), visit_link, site_pages=9, ask=ask))
    assert rooms == [MOST_DOORS, 1]
    assert sum(door.probe is not None for door in result.doors) == MOST_DOORS
