"""From a sample and a map to a pattern, or to the reason why there is none; and again after a redesign."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dowse
from dowse.errors import BadInput, DowseError, Stopped
from dowse.example.address import AddressPattern, read_pattern
from dowse.example.follow import ExamplePage, begin_follow, build_opener, run_pattern
from dowse.example.learn import (
    KEPT_SAMPLES,
    MAX_CHOICES_ASKED,
    MAX_COVER_PATHS,
    MAX_OLD_TARGETS_TRIED,
    Branch,
    LearnedPattern,
    cover_targets,
    find_ends,
    find_form_queries,
    group_links,
    judge_distinct_texts,
    learn_like,
    learn_pattern,
    loosen_text,
    relearn_pattern,
)
from dowse.example.map import MapLimits, TargetMap
from dowse.example.pattern import FormQuery, Step, build_request, judge_walk, name_pattern
from dowse.example.pattern import Path as PatternPath
from dowse.fetch.build import wrap_fetch
from dowse.fetch.guard import parse_connect_to
from dowse.model import Page, Request, Response, Verdict
from dowse.settings import FetchSettings
from dowse.store import open_store
from dowse.tree.node import Node
from tests.example.shop import HTML, SITE, Answer, Shop, address, item, listing, open_shop, other, pattern_of, serving
from tests.example.sites import learn, score, site, walk
from tests.example.test_map import draw


async def learn_from_map(
    shop: Shop, limits: MapLimits | None = None, first: FormQuery | None = None
) -> LearnedPattern | Verdict:
    return learn_pattern(await draw(shop, limits), [address("/item/0")], first)


async def test_a_path_leads_over_the_lists() -> None:
    learned = await learn_from_map(open_shop(40))
    assert isinstance(learned, LearnedPattern)
    (path,) = learned.pattern.paths
    hub, end = (read_pattern(step.pattern) for step in path.steps)
    assert not isinstance(hub, Verdict)
    assert not isinstance(end, Verdict)
    assert all(hub.matches(address(f"/list/{n}")) for n in range(4))
    assert all(end.matches(address(f"/item/{n}")) for n in (0, 39, 1234))
    assert not hub.matches(address("/about"))
    assert not end.matches(address("/list/1"))
    assert learned.targets == 40
    assert learned.pattern.figures["targets"] == 40
    assert len(learned.pattern.samples) == KEPT_SAMPLES
    assert learned.pattern.samples[0] == address("/item/0")


async def test_the_last_step_repeats_where_targets_are_reached_by_targets_alone() -> None:
    shop = open_shop(20)
    shop.pages["/item/19"] = item(19, "/item/20")
    shop.pages |= {f"/item/{n}": item(n, f"/item/{n + 1}") for n in range(20, 26)}
    learned = await learn_from_map(shop)
    assert isinstance(learned, LearnedPattern)
    assert learned.pattern.paths[0].steps[-1].repeats


@pytest.mark.parametrize("about", ["/about/us", "/about-us"])
async def test_words_may_have_signs_that_none_had(about: str) -> None:
    names = ["red", "blue", "green", "black", "white", "amber", "violet"]
    shop = Shop({"/": listing(*(f"/{name}" for name in names), about), about: other("/")})
    shop.pages |= {f"/{name}": item(number) for number, name in enumerate(names)}
    learned = learn_pattern(await draw(shop, sample="/red"), [address("/red")])
    assert isinstance(learned, LearnedPattern)
    end = read_pattern(learned.pattern.paths[0].steps[-1].pattern)
    assert not isinstance(end, Verdict)
    assert end.matches(address("/orange"))
    assert end.matches(address("/light-blue"))
    assert address(about) not in learned.site.targets


async def test_others_that_a_step_matches_are_avoided_unless_they_are_listed_with_targets() -> None:
    names = ["red", "blue", "green", "black", "white", "amber", "violet"]
    page = listing(*(f"/{name}" for name in names), "/imprint").replace("<h2>", '<p><a href="/terms">Terms</a></p><h2>')
    shop = Shop({"/": page, "/terms": other("/"), "/imprint": other("/")})
    shop.pages |= {f"/{name}": item(number) for number, name in enumerate(names)}
    learned = learn_pattern(await draw(shop, sample="/red"), [address("/red")])
    assert isinstance(learned, LearnedPattern)
    assert address("/terms") in learned.pattern.avoid


def test_years_are_any_years_and_hosts_stay() -> None:
    assert (
        loosen_text(r"^http://a2024\.example/2024-[0-9]+/x[0-9]{2}$")
        == r"^http://a2024\.example/[0-9]{4}-[0-9]+/x[0-9]{2}$"
    )


async def test_an_address_to_return_to_is_left_out_of_addresses() -> None:
    """As Flask-Admin writes them: each list names itself in the links to its things."""
    shop = Shop({"/": listing("/list?page=0", "/list?page=1", "/list?page=2")})
    for page in range(3):
        things = (f"/item?id={n}&url=%2Flist%3Fpage%3D{page}" for n in range(8 * page, 8 * page + 8))
        shop.pages[f"/list?page={page}"] = listing(*things)
    shop.make = lambda place: (
        item(int(place.partition("id=")[2].partition("&")[0])) if place.startswith("/item?id=") else None
    )
    sample = address("/item?id=3&url=%2Flist%3Fpage%3D0")
    learned = await learn_like([sample], address("/"), shop.fetches, MapLimits())
    assert learned.pattern.without == ("url",)
    assert learned.site.targets | learned.site.presumed.keys() == {address(f"/item?id={n}") for n in range(24)}


async def test_an_address_without_which_the_page_is_another_stays() -> None:
    shop = Shop({"/": listing(*(f"/show?url=/thing/{n}" for n in range(12))), "/show": other("/")})
    shop.make = lambda place: item(int(place.rpartition("/")[2])) if place.startswith("/show?url=/thing/") else None
    learned = await learn_like([address("/show?url=/thing/5")], address("/"), shop.fetches, MapLimits())
    assert learned.pattern.without == ()
    assert learned.site.targets == {address(f"/show?url=/thing/{n}") for n in range(12)}
    assert shop.asked.count("/show") == 1, "it is opened once to see"


async def test_filtered_lists_that_name_themselves_in_links_lead_to_the_same_pages() -> None:
    """As the admin of Django writes them: only a list with a filter or a page names itself."""
    shop = Shop({"/": listing("/list")})

    def make(place: str) -> str | None:
        path, _, query = place.partition("?")
        if path == "/list":
            back = f"?filters={quote(query, safe='')}" if query else ""
            things = [f"/item/{n}/{back}" for n in range(24) if n % 3 == len(query) % 3 or not query]
            return listing(*things, *(f"/list?{query}{'&' if query else ''}f{n}=1" for n in range(3)))
        return item(int(path.split("/")[2])) if path.startswith("/item/") else None

    shop.make = make
    learned = await learn_like([address("/item/3/")], address("/list"), shop.fetches, MapLimits(300))
    assert learned.site.targets | learned.site.presumed.keys() == {address(f"/item/{n}/") for n in range(24)}
    assert not any("filters" in step.pattern for path in learned.pattern.paths for step in path.steps)


async def test_tokens_that_change_when_a_page_is_asked_again_are_left_out() -> None:
    shop, numbers = open_shop(30), count(1)
    plain = dict(shop.pages)
    shop.pages = {}

    def make(place: str) -> Answer | None:
        page = plain.get(place.partition("?")[0])
        return (
            re.sub(r'href="(/(?:item|list)/\d+)"', lambda link: f'href="{link[1]}?t=x{next(numbers)}"', str(page))
            if page
            else None
        )

    shop.make = make
    learned = await learn_at(shop, address("/item/1?t=x0"))
    assert learned.pattern.without == ("t",)
    assert learned.targets == 30


async def test_an_address_that_needs_its_token_keeps_it() -> None:
    shop, numbers = open_shop(8), count(1)
    plain = dict(shop.pages)
    shop.pages = {}

    def make(place: str) -> Answer | None:
        path, _, token = place.partition("?t=")
        page = plain.get(path) if token or not path.startswith("/item/") else None
        return (
            re.sub(r'href="(/item/\d+)"', lambda link: f'href="{link[1]}?t=x{next(numbers)}"', str(page))
            if page
            else None
        )

    shop.make = make
    learned = await learn_at(shop, address("/item/1?t=x0"))
    assert learned.pattern.without == ()


async def test_a_box_on_a_category_that_shows_what_is_of_others_is_kept_in_the_pattern(tmp_path: Path) -> None:
    """Tomorrow the box shows other things, which are no more of the category than those of today."""

    def write(number: int, *things: str, newest: tuple[int, ...] = (90, 91, 92)) -> str:
        links = "".join(f'<li><a href="/item/{n}">{n}</a></li>' for n in newest)
        page = item(number) if not things else listing(*things)
        return page.replace("</body>", f'<div class="newest"><ul>{links}</ul></div></body>')

    kinds = {name: range(first, first + 12) for name, first in (("red", 0), ("blue", 20), ("green", 81))}
    shop = Shop({"/": listing(*(f"/kind/{name}" for name in kinds))})
    shop.pages |= {f"/kind/{name}": write(0, *(f"/item/{n}" for n in some)) for name, some in kinds.items()}
    shop.pages |= {f"/item/{n}": write(n, newest=(90, 91, 92)) for some in kinds.values() for n in some}
    learned = await learn_at(shop, address("/item/3"), entry=address("/kind/red"))
    assert learned.site.targets | learned.site.presumed.keys() == {address(f"/item/{n}") for n in kinds["red"]}
    assert learned.pattern.boxes
    shop.pages["/kind/red"] = write(0, *(f"/item/{n}" for n in kinds["red"]), newest=(93, 94, 95))
    shop.pages |= {f"/item/{n}": item(n) for n in (93, 94, 95)}
    with open_store(str(tmp_path / "a.db")) as store:
        run = begin_follow(store, learned.pattern, only_new=False)
        found = {each.seen.url async for each in run_pattern(store, run, shop.fetches)}
    assert found == {address(f"/item/{n}") for n in kinds["red"]}


async def test_two_pages_of_a_menu_are_no_list() -> None:
    shop = open_shop(20)
    with pytest.raises(Stopped, match="stands on every page, as in a menu"):
        await learn_at(shop, address("/about"))


async def test_one_page_is_not_enough() -> None:
    found = await learn_from_map(Shop({"/": listing("/item/0"), "/item/0": item(0)}))
    assert isinstance(found, Verdict)
    assert "2 pages were mapped from http://shop.example/ and 1 of them is like the sample" in found.reason


async def test_nothing_like_the_sample() -> None:
    found = await learn_from_map(Shop({"/": listing(), "/item/0": item(0)}))
    assert isinstance(found, Verdict)
    assert "1 page was mapped from http://shop.example/ and none of them are like the sample" in found.reason


async def test_a_form_takes_the_place_of_the_first_step() -> None:
    ask = FormQuery(address("/list"), "GET", "n", ("0", "1"))
    learned = await learn_from_map(open_shop(20), first=ask)
    assert isinstance(learned, LearnedPattern)
    assert [len(path.steps) for path in learned.pattern.paths] == [1]
    assert learned.pattern.first == ask


async def test_a_form_that_answers_with_the_pages_themselves_is_no_way() -> None:
    shop = Shop({"/": listing("/item/0", "/item/1", "/item/2"), **{f"/item/{n}": item(n) for n in range(3)}})
    found = await learn_from_map(shop, first=FormQuery(address("/item"), "GET", "n", ("0",)))
    assert isinstance(found, Verdict)
    assert "with no list of them" in found.reason


SHAPES = ("one-list", "categories", "pages-next", "ways", "popular", "session", "near-templates", "form")


@pytest.mark.parametrize("name", SHAPES)
async def test_every_page_and_no_other_on_the_first_day_and_later(name: str, tmp_path: Path) -> None:
    learned = await learn(name)
    with open_store(str(tmp_path / "a.db")) as store:
        for day in (0, 100):
            web = site(name, day)
            run, found = await walk(store, learned.pattern, web)
            told = score(found, run.walk.links, web)
            assert told.precision == 1
            assert told.recall >= 0.98
            assert told.cost <= 1.15
            assert run.pages == len(found)


async def test_lists_behind_a_form_are_reached_by_asking_it() -> None:
    truth = site("form").truth.form
    first = (await learn("form")).pattern.first
    assert truth is not None
    assert first is not None
    assert (first.address, first.field) == (truth.action, truth.name)
    assert set(truth.values) >= set(first.values)


async def test_a_parameter_that_numbers_a_visit_is_left_out() -> None:
    shop, numbers = Shop(), count(1)

    def make(place: str) -> str | None:
        here = place.partition("?")[0]
        links = {"/": [f"/list/{n}" for n in range(3)], "/list": [f"/item/{n}" for n in range(12)]}
        visit = f"?v={next(numbers):x}f3a9c01d2e4b7a6"
        if here.startswith("/item/"):
            return item(int(here[6:]), "/" + visit)
        return listing(*(link + visit for link in links.get("/" if here == "/" else here[:5], [])))

    shop.make = make
    learned = await learn_at(shop, address("/item/1"))
    assert learned.pattern.without == ("v",)
    assert learned.targets == 12
    assert not any("v=" in step.pattern for path in learned.pattern.paths for step in path.steps)


async def learn_at(
    shop: Shop, *samples: str, entry: str = SITE + "/", limits: MapLimits | None = None
) -> LearnedPattern:
    return await learn_like(samples or (address("/item/0"),), entry, shop.fetches, limits or MapLimits())


async def test_what_is_learned_says_how_pages_are_built_and_read() -> None:
    pattern = (await learn_at(open_shop(30))).pattern
    assert pattern.shapes
    assert {"maker", "colour", "weight"} <= {each["name"].lower() for each in pattern.reader["attributes"]}
    assert len(pattern.made) == 10


async def test_several_samples() -> None:
    learned = await learn_at(open_shop(30), address("/item/3"), address("/item/4"))
    assert learned.targets == 30
    assert learned.pattern.samples[:2] == (address("/item/3"), address("/item/4"))


def moved(to: str) -> Response:
    return Response("", 302, (("location", to),))


MISTAKES: list[tuple[str, tuple[str, ...], str, type[DowseError], str]] = [
    ("a sample of another site", ("http://else.example/1",), "/", BadInput, "is not on the site of the entry"),
    ("one of two of another site", (address("/item/1"), "http://else.example/1"), "/", BadInput, "is not on the site"),
    ("no address", ("nonsense://x",), "/", BadInput, "is not a web address"),
    ("nothing", ("",), "/", BadInput, "is not a web address"),
    ("a sample that is gone", (address("/item/999"),), "/", Stopped, "the sample http://shop.example/item/999 could not be opened: HTTP 404"),
    ("an entry that is gone", (address("/item/1"),), "/nowhere", Stopped, "the entry http://shop.example/nowhere could not be opened: HTTP 404"),
    ("an entry that leads elsewhere", (address("/item/1"),), "/moved", Stopped, "it leads to another site; give https://shop.example/ instead"),
    ("an entry like the sample", (address("/item/1"),), "/item/2", BadInput, "the entry is itself like the sample"),
    ("the entry as its own sample", (address("/"),), "/", BadInput, "the entry is itself like the sample"),
    ("a sample that no link leads to", (address("/item/1"),), "/about", Stopped, "2 pages were mapped"),
    ("an entry that leads nowhere", (address("/item/1"),), "/alone", Stopped, "1 page was mapped"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("samples", "entry", "error", "why"), [row[1:] for row in MISTAKES], ids=[row[0] for row in MISTAKES]
)
async def test_mistakes_are_one_line(samples: tuple[str, ...], entry: str, error: type[DowseError], why: str) -> None:
    shop = open_shop(20)
    shop.pages |= {"/moved": moved("https://shop.example/"), "/alone": "<html><p>nothing here</p></html>"}
    shop.pages |= {"/about": listing("/jobs"), "/jobs": listing()}
    with pytest.raises(error, match=why) as told:
        await learn_at(shop, *samples, entry=address(entry))
    assert "\n" not in str(told.value)


async def test_a_sample_that_no_link_leads_to_is_enough_where_others_are_like_it() -> None:
    shop = open_shop(20)
    shop.pages["/hidden/77"] = item(77)
    learned = await learn_at(shop, address("/hidden/77"))
    assert {url for url in learned.site.targets if "/item/" in url} == {address(f"/item/{n}") for n in range(20)}


async def test_a_limit_is_told_and_what_was_learned_is_kept() -> None:
    learned = await learn_at(open_shop(60), limits=MapLimits(pages=30))
    assert learned.site.stopped == "30 pages were mapped"
    assert learned.pattern.paths


async def test_as_verbs(tmp_path: Path) -> None:
    verbs: Any = dowse  # they are loaded when first used
    with serving(open_shop(30)) as port:
        fetching = FetchSettings(delay=0, allow_private=True, connect_to=(parse_connect_to(f"*=127.0.0.1:{port}"),))
        learned = await verbs.like([address("/item/0")], address("/"), fetching=fetching)
        db = str(tmp_path / "a.db")
        run = await verbs.follow(learned.pattern, db=db, fetching=fetching)
        again = await verbs.follow(learned.pattern, db=db, only_new=True, fetching=fetching)
    assert (run.pages, run.new) == (30, 30)
    assert (again.pages, again.new, again.walk.unread) == (0, 0, 30)


async def open_page(body: str, title: str = "") -> ExamplePage:
    shop = Shop({"/": f"<html><head><title>{title}</title></head><body>{body}</body></html>"})
    seen = await build_opener(shop.fetches.within_site)(Request(address("/")))
    assert isinstance(seen, ExamplePage)
    return seen


async def page(body: str, title: str = "") -> Page:
    return (await open_page(body, title)).page


def choices(count: int) -> str:
    return "".join(f"<option value='v{n}'>Kind {n}</option>" for n in range(count))


async def find(body: str, title: str = "Blue velvet") -> list[FormQuery]:
    return list(find_form_queries(await page(body), await page("", title)))


async def test_a_list_of_choices_is_asked_one_by_one() -> None:
    body = f"<form action='/find'><input type=hidden name=a value=1><select name=kind><option value=''>all</option>{choices(3)}</select><button>Search</button></form>"
    (ask, *_) = await find(body)
    assert (ask.field, ask.values, ask.words) == ("kind", ("v0", "v1", "v2"), False)
    assert build_request(ask, "v1").url == address("/find?a=1&kind=v1")


async def test_a_box_is_asked_with_words_of_the_sample() -> None:
    asks = await find("<form action='/find'>Search <input type=search name=q><button>Search</button></form>")
    assert [(ask.field, ask.values, ask.words) for ask in asks] == [("q", ("blue", "velvet"), True)]


REFUSED = [
    ("a login", "<form><input name=user><input type=password name=p><button>Log in</button></form>"),
    ("too many choices", f"<form action='/f'><select name=k>{choices(MAX_CHOICES_ASKED + 1)}</select><button>Go</button></form>"),
    ("one choice", f"<form action='/f'><select name=k>{choices(1)}</select><button>Go</button></form>"),
    ("no form", "<p>nothing</p>"),
]  # fmt: skip


@pytest.mark.parametrize("body", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
async def test_what_cannot_be_asked_through_gives_nothing(body: str) -> None:
    assert [ask for ask in await find(body, title="") if not ask.words] == []


PATHS_SITE = "http://e.example"
PATHS_START = r"^http://e\.example"


def build_map(links: dict[str, str], targets: str) -> TargetMap:
    """Return a map from `page: pages it links to`, in the order in which they were found."""
    parents: dict[str, tuple[str, ...]] = {}
    for page, others in links.items():
        for link in others.split():
            parents[PATHS_SITE + link] = (*parents.get(PATHS_SITE + link, ()), PATHS_SITE + page)
    return TargetMap(f"{PATHS_SITE}/", parents, frozenset(PATHS_SITE + each for each in targets.split()))


def outline(branch: Branch) -> dict[str, object]:
    """Return the tree as pages and their number of targets."""
    return {
        f"{' '.join(page.removeprefix(PATHS_SITE) for page in each.pages)} ({each.targets})": outline(each)
        for each in branch.branches
    }


def best_path(root: Branch) -> PatternPath | None:
    """Return the path that ends in the branch with most targets."""
    best = max(find_ends(root), key=lambda way: way[-1].targets, default=None)
    return PatternPath(tuple(Step(branch.pattern.text, branch.repeats) for branch in best)) if best else None


FIGURE_5 = build_map(
    {
        "/": "/a/a/a /b/x/b1 /b/y/b2",
        "/a/a/a": "/c/c/c/c /d/d/d/d/d",
        "/b/x/b1": "/e/x/e1.html /e/x/e2.html",
        "/b/y/b2": "/e/y/e3.html",
        "/c/c/c/c": "/t.asp?f=1 /t.asp?f=2",
        "/d/d/d/d/d": "/t.asp?g=1",
        "/e/x/e1.html": "/t.asp?h=1 /t.asp?h=2",
        "/e/x/e2.html": "/t.asp?h=3",
        "/e/y/e3.html": "/t.asp?h=4 /t.asp?h=5",
    },
    "/t.asp?f=1 /t.asp?f=2 /t.asp?g=1 /t.asp?h=1 /t.asp?h=2 /t.asp?h=3 /t.asp?h=4 /t.asp?h=5",
)


def test_figure_5() -> None:
    """A, C and D are single pages, B, E and H groups; three ways lead to targets."""
    tree = group_links(FIGURE_5)
    assert outline(tree) == {
        "/a/a/a (0)": {
            "/c/c/c/c (0)": {"/t.asp?f=1 /t.asp?f=2 (2)": {}},
            "/d/d/d/d/d (0)": {"/t.asp?g=1 (1)": {}},
        },
        "/b/x/b1 /b/y/b2 (0)": {
            "/e/x/e1.html /e/x/e2.html /e/y/e3.html (0)": {
                "/t.asp?h=1 /t.asp?h=2 /t.asp?h=3 /t.asp?h=4 /t.asp?h=5 (5)": {}
            }
        },
    }
    assert sorted(way[-1].targets for way in find_ends(tree)) == [1, 2, 5]


def test_the_best_path_of_figure_5_ends_in_h() -> None:
    path = best_path(group_links(FIGURE_5))
    assert path == PatternPath(
        (
            Step(rf"{PATHS_START}/b/[a-zA-Z]+/b[0-9]+$"),
            Step(rf"{PATHS_START}/e/[a-zA-Z]+/e[0-9]+\.html$"),
            Step(rf"{PATHS_START}/t\.asp\?h=[0-9]+$"),
        )
    )


def test_no_targets_no_path() -> None:
    assert best_path(group_links(TargetMap(f"{PATHS_SITE}/", {}, frozenset()))) is None


def test_further_pages_of_a_list_are_one_step_that_repeats() -> None:
    site = build_map(
        {
            "/": "/list",
            "/list": "/i/1 /i/2 /list?page=2",
            "/list?page=2": "/i/3 /list?page=3",
            "/list?page=3": "/i/4",
        },
        "/i/1 /i/2 /i/3 /i/4",
    )
    assert best_path(group_links(site)) == PatternPath(
        (Step(rf"{PATHS_START}/list(?:[?&]page=[0-9]+)?$", repeats=True), Step(rf"{PATHS_START}/i/[0-9]+$"))
    )


def test_lists_found_from_the_entry_repeat_where_they_link_to_each_other() -> None:
    site = build_map({"/": "/l/1 /l/2", "/l/1": "/l/2 /i/1", "/l/2": "/l/1 /i/2"}, "/i/1 /i/2")
    path = best_path(group_links(site))
    assert path is not None
    assert path.steps[0] == Step(rf"{PATHS_START}/l/[0-9]+$", repeats=True)


def test_targets_and_the_pages_that_lead_to_them_are_never_one() -> None:
    site = build_map({"/": "/x/1 /x/2", "/x/1": "/x/7 /x/8"}, "/x/2 /x/7 /x/8")
    assert outline(group_links(site)) == {"/x/2 (1)": {}, "/x/1 (0)": {"/x/7 /x/8 (2)": {}}}


def test_every_link_to_a_target_counts() -> None:
    site = build_map({"/": "/i/1 /l", "/l": "/i/1 /i/2"}, "/i/1 /i/2")
    assert max(way[-1].targets for way in find_ends(group_links(site))) == 2


def test_a_map_in_circles_ends() -> None:
    parents = {
        f"{PATHS_SITE}/a/b/c": (f"{PATHS_SITE}/d",),
        f"{PATHS_SITE}/d": (f"{PATHS_SITE}/a/b/c", f"{PATHS_SITE}/"),
    }
    site = TargetMap(f"{PATHS_SITE}/", parents, frozenset({f"{PATHS_SITE}/d"}))
    assert find_ends(group_links(site))


def build_map_of_lists(links: dict[str, list[str]], targets: list[str], others: list[str] | None = None) -> TargetMap:
    parents: dict[str, tuple[str, ...]] = {}
    for page, below in links.items():
        for link in below:
            parents[PATHS_SITE + link] = (*parents.get(PATHS_SITE + link, ()), PATHS_SITE + page)
    return TargetMap(
        f"{PATHS_SITE}/",
        parents,
        frozenset(PATHS_SITE + each for each in targets),
        tuple(PATHS_SITE + each for each in others or ()),
    )


ITEMS = [f"/item?id={number}" for number in range(20)]


def test_one_path_where_one_is_enough() -> None:
    site = build_map_of_lists({"/": ["/list/a", "/list/b"], "/list/a": ITEMS[:9], "/list/b": ITEMS[9:]}, ITEMS)
    found = cover_targets(site)
    (path,) = found.paths
    assert path.steps == (Step(rf"{PATHS_START}/list/[a-zA-Z]+$"), Step(rf"{PATHS_START}/item\?id=[0-9]+$"))
    assert not found.missed


def test_a_box_on_the_entry_page_takes_nothing_from_the_lists() -> None:
    site = build_map_of_lists(
        {"/": [*ITEMS[5:12], "/list/a", "/list/b"], "/list/a": ITEMS[:9], "/list/b": ITEMS[9:]}, ITEMS
    )
    found = cover_targets(site)
    assert len(found.paths) == 1
    assert len(found.paths[0].steps) == 2
    assert not found.missed


def test_several_paths_where_one_does_not_reach_all() -> None:
    site = build_map_of_lists(
        {"/": ["/list/a", "/archive/old/deep/x"], "/list/a": ITEMS[:15], "/archive/old/deep/x": ITEMS[15:]}, ITEMS
    )
    found = cover_targets(site)
    assert [len(path.steps) for path in found.paths] == [2, 2]
    assert not found.missed


def test_a_path_that_adds_too_little_is_left_out() -> None:
    site = build_map_of_lists(
        {"/": ["/list/a", "/archive/old/deep/x"], "/list/a": ITEMS[:19], "/archive/old/deep/x": ITEMS[19:]}, ITEMS
    )
    found = cover_targets(site)
    assert len(found.paths) == 1
    assert found.missed == {PATHS_SITE + ITEMS[19]}


def test_steps_leave_out_pages_of_another_kind() -> None:
    films = [f"/{word}" for word in ("jaws", "psycho", "alien", "brazil", "vertigo", "heat")]
    others = [f"/{first}{second}elp" for first in "ABCDEF" for second in "abcdef"]
    site = build_map_of_lists({"/": ["/all/films"], "/all/films": films}, films, others)
    found = cover_targets(site)
    last = read_pattern(found.paths[0].steps[-1].pattern)
    assert not found.missed
    assert isinstance(last, AddressPattern)
    assert [url for url in others if last.matches(PATHS_SITE + url)] == []


def test_what_cannot_be_told_apart_is_said() -> None:
    films, others = ["/jaws", "/heat"], [f"/{first}o{second}s" for first in "abcdef" for second in "abcdef"]
    found = cover_targets(build_map_of_lists({"/": ["/all/films"], "/all/films": films}, films, others))
    assert "such as" in found.reasons[0]
    assert not found.missed


def test_a_few_pages_of_another_kind_make_no_pattern_tighter() -> None:
    films, others = ["/jaws", "/heat"], ["/jobs", "/help"]
    found = cover_targets(build_map_of_lists({"/": ["/all/films"], "/all/films": films}, films, others))
    assert found.reasons == ()
    assert not found.missed


def test_nothing_to_reach() -> None:
    assert cover_targets(build_map_of_lists({}, [])).paths == ()


@given(st.dictionaries(st.sampled_from(["/", *"/a /b /c/1 /c/2".split()]), st.lists(st.sampled_from(
    [*"/a /b /c/1 /c/2".split(), *ITEMS]), unique=True), max_size=5))  # fmt: skip
def test_what_is_reached_and_missed_is_all(links: dict[str, list[str]]) -> None:
    targets = sorted({each for below in links.values() for each in below if each in ITEMS})
    found = cover_targets(build_map_of_lists(links, targets))
    assert found.reached | found.missed == {PATHS_SITE + each for each in targets}
    assert not found.reached & found.missed
    assert len(found.paths) <= MAX_COVER_PATHS


LOGIN = "<html><title>Log in</title><body><h1>Log in</h1><form method=post><input type=password name=p></form></body></html>"
RELEARNED = ("one-list", "popular")


@pytest.mark.parametrize("name", RELEARNED)
async def test_a_new_look_is_noticed_and_learned(name: str, tmp_path: Path) -> None:
    before, after = (await learn(name)).pattern, site(name, 20, edition=1)
    with open_store(str(tmp_path / "a.db")) as store:
        _, known = await walk(store, before, site(name))
        run, _ = await walk(store, before, after)
        assert not judge_walk(run.walk).yes
        now = await relearn_pattern(store, before, wrap_fetch(after.fetch))
        run, found = await walk(store, now, after)
        assert judge_walk(run.walk).yes
        assert name_pattern(now) == name_pattern(before)
        assert run.new == len(found - known)
    assert score(found, run.walk.links, after).precision == 1
    assert score(found, run.walk.links, after).recall >= 0.98


async def test_other_addresses_leave_nothing_to_learn_from(tmp_path: Path) -> None:
    name = "popular"
    before, after = (await learn(name)).pattern, site(name, 20, edition=1, addresses="moved")
    with open_store(str(tmp_path / "a.db")) as store:
        await walk(store, before, site(name))
        run, _ = await walk(store, before, after)
        assert not judge_walk(run.walk).yes
        with pytest.raises(Stopped, match="none of the pages that were found before is still there"):
            await relearn_pattern(store, before, wrap_fetch(after.fetch))


async def test_pages_that_all_ask_for_a_login_are_not_learned(tmp_path: Path) -> None:
    shop = open_shop(40)
    with open_store(str(tmp_path / "a.db")) as store:
        shop.pages |= {f"/item/{n}": LOGIN for n in range(40)}
        with pytest.raises(Stopped, match="say the same, as where a login is asked for"):
            await relearn_pattern(store, pattern_of(), shop.fetches)


async def test_a_server_that_breaks_is_not_learned_from(tmp_path: Path) -> None:
    shop = open_shop(40)
    with open_store(str(tmp_path / "a.db")) as store:
        shop.pages |= {f"/item/{n}": Response("", 500, HTML, b"") for n in range(6, 40)}
        with pytest.raises(Stopped, match=r"the site could not be read: HTTP 500 \(34\); try again later"):
            await relearn_pattern(store, pattern_of(), shop.fetches)


TEXTS = [
    ("one page", ["a"], True),
    ("twins", ["a", "a"], True),
    ("three of the same", ["a", "a", "a"], False),
    ("one differs", ["a", "a", "a", "b"], True),
    ("they differ after a long menu", [f"{'menu ' * 1_000}{n}" for n in range(3)], True),
    ("none", [], True),
]


@pytest.mark.parametrize(("texts", "is_so"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_pages_have_something_of_their_own_to_say(texts: list[str], is_so: bool) -> None:
    assert judge_distinct_texts([Node("html", content=(text,)) for text in texts]).yes is is_so


async def test_few_old_pages_are_tried(tmp_path: Path) -> None:
    shop = open_shop(100)
    with open_store(str(tmp_path / "a.db")) as store:
        shop.pages = {}
        with pytest.raises(Stopped):
            await relearn_pattern(store, pattern_of(), shop.fetches)
    assert len(shop.asked) <= MAX_OLD_TARGETS_TRIED + 5
