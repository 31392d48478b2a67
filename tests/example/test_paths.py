"""Paths to targets, grouped; and the best of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dowse.example.address import AddressPattern
from dowse.example.generalise import read_pattern
from dowse.example.paths import MAX_COVER_PATHS, Branch, TargetMap, cover, find_ends, group_links
from dowse.example.pattern import Path, Step

SITE = "http://e.example"
START = r"^http://e\.example"


def build_map(links: dict[str, str], targets: str) -> TargetMap:
    """Return a map from `page: pages it links to`, in the order in which they were found."""
    parents: dict[str, tuple[str, ...]] = {}
    for page, others in links.items():
        for other in others.split():
            parents[SITE + other] = (*parents.get(SITE + other, ()), SITE + page)
    return TargetMap(f"{SITE}/", parents, frozenset(SITE + each for each in targets.split()))


def outline(branch: Branch) -> dict[str, object]:
    """Return the tree as pages and their number of targets."""
    return {
        f"{' '.join(page.removeprefix(SITE) for page in each.pages)} ({each.targets})": outline(each)
        for each in branch.branches
    }


def best_path(root: Branch) -> Path | None:
    """Return the path that ends in the branch with most targets."""
    best = max(find_ends(root), key=lambda way: way[-1].targets, default=None)
    return Path(tuple(Step(branch.pattern.text, branch.repeats) for branch in best)) if best else None


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
    assert path == Path(
        (
            Step(rf"{START}/b/[a-zA-Z]+/b[0-9]+$"),
            Step(rf"{START}/e/[a-zA-Z]+/e[0-9]+\.html$"),
            Step(rf"{START}/t\.asp\?h=[0-9]+$"),
        )
    )


def test_no_targets_no_path() -> None:
    assert best_path(group_links(TargetMap(f"{SITE}/", {}, frozenset()))) is None


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
    assert best_path(group_links(site)) == Path(
        (Step(rf"{START}/list(?:[?&]page=[0-9]+)?$", repeats=True), Step(rf"{START}/i/[0-9]+$"))
    )


def test_lists_found_from_the_entry_repeat_where_they_link_to_each_other() -> None:
    site = build_map({"/": "/l/1 /l/2", "/l/1": "/l/2 /i/1", "/l/2": "/l/1 /i/2"}, "/i/1 /i/2")
    path = best_path(group_links(site))
    assert path is not None
    assert path.steps[0] == Step(rf"{START}/l/[0-9]+$", repeats=True)


def test_targets_and_the_pages_that_lead_to_them_are_never_one() -> None:
    site = build_map({"/": "/x/1 /x/2", "/x/1": "/x/7 /x/8"}, "/x/2 /x/7 /x/8")
    assert outline(group_links(site)) == {"/x/2 (1)": {}, "/x/1 (0)": {"/x/7 /x/8 (2)": {}}}


def test_every_link_to_a_target_counts() -> None:
    site = build_map({"/": "/i/1 /l", "/l": "/i/1 /i/2"}, "/i/1 /i/2")
    assert max(way[-1].targets for way in find_ends(group_links(site))) == 2


def test_a_map_in_circles_ends() -> None:
    parents = {f"{SITE}/a/b/c": (f"{SITE}/d",), f"{SITE}/d": (f"{SITE}/a/b/c", f"{SITE}/")}
    site = TargetMap(f"{SITE}/", parents, frozenset({f"{SITE}/d"}))
    assert find_ends(group_links(site))


COVER_SITE = "http://e.example"
COVER_START = r"^http://e\.example"


def build_map_cover(links: dict[str, list[str]], targets: list[str], others: list[str] | None = None) -> TargetMap:
    parents: dict[str, tuple[str, ...]] = {}
    for page, below in links.items():
        for other in below:
            parents[COVER_SITE + other] = (*parents.get(COVER_SITE + other, ()), COVER_SITE + page)
    return TargetMap(
        f"{COVER_SITE}/",
        parents,
        frozenset(COVER_SITE + each for each in targets),
        tuple(COVER_SITE + each for each in others or ()),
    )


ITEMS = [f"/item?id={number}" for number in range(20)]


def test_one_path_where_one_is_enough() -> None:
    site = build_map_cover({"/": ["/list/a", "/list/b"], "/list/a": ITEMS[:9], "/list/b": ITEMS[9:]}, ITEMS)
    found = cover(site)
    (path,) = found.paths
    assert path.steps == (Step(rf"{COVER_START}/list/[a-zA-Z]+$"), Step(rf"{COVER_START}/item\?id=[0-9]+$"))
    assert not found.missed


def test_a_box_on_the_entry_page_takes_nothing_from_the_lists() -> None:
    site = build_map_cover(
        {"/": [*ITEMS[5:12], "/list/a", "/list/b"], "/list/a": ITEMS[:9], "/list/b": ITEMS[9:]}, ITEMS
    )
    found = cover(site)
    assert len(found.paths) == 1
    assert len(found.paths[0].steps) == 2
    assert not found.missed


def test_several_paths_where_one_does_not_reach_all() -> None:
    site = build_map_cover(
        {"/": ["/list/a", "/archive/old/deep/x"], "/list/a": ITEMS[:15], "/archive/old/deep/x": ITEMS[15:]}, ITEMS
    )
    found = cover(site)
    assert [len(path.steps) for path in found.paths] == [2, 2]
    assert not found.missed


def test_a_path_that_adds_too_little_is_left_out() -> None:
    site = build_map_cover(
        {"/": ["/list/a", "/archive/old/deep/x"], "/list/a": ITEMS[:19], "/archive/old/deep/x": ITEMS[19:]}, ITEMS
    )
    found = cover(site)
    assert len(found.paths) == 1
    assert found.missed == {COVER_SITE + ITEMS[19]}


def test_steps_leave_out_pages_of_another_kind() -> None:
    films = [f"/{word}" for word in ("jaws", "psycho", "alien", "brazil", "vertigo", "heat")]
    others = [f"/{first}{second}elp" for first in "ABCDEF" for second in "abcdef"]
    site = build_map_cover({"/": ["/all/films"], "/all/films": films}, films, others)
    found = cover(site)
    last = read_pattern(found.paths[0].steps[-1].pattern)
    assert not found.missed
    assert isinstance(last, AddressPattern)
    assert [url for url in others if last.matches(COVER_SITE + url)] == []


def test_what_cannot_be_told_apart_is_said() -> None:
    films, others = ["/jaws", "/heat"], [f"/{first}o{second}s" for first in "abcdef" for second in "abcdef"]
    found = cover(build_map_cover({"/": ["/all/films"], "/all/films": films}, films, others))
    assert "such as" in found.reasons[0]
    assert not found.missed


def test_a_few_pages_of_another_kind_make_no_pattern_tighter() -> None:
    films, others = ["/jaws", "/heat"], ["/jobs", "/help"]
    found = cover(build_map_cover({"/": ["/all/films"], "/all/films": films}, films, others))
    assert found.reasons == ()
    assert not found.missed


def test_nothing_to_reach() -> None:
    assert cover(build_map_cover({}, [])).paths == ()


@given(st.dictionaries(st.sampled_from(["/", *"/a /b /c/1 /c/2".split()]), st.lists(st.sampled_from(
    [*"/a /b /c/1 /c/2".split(), *ITEMS]), unique=True), max_size=5))  # fmt: skip
def test_what_is_reached_and_missed_is_all(links: dict[str, list[str]]) -> None:
    targets = sorted({each for below in links.values() for each in below if each in ITEMS})
    found = cover(build_map_cover(links, targets))
    assert found.reached | found.missed == {COVER_SITE + each for each in targets}
    assert not found.reached & found.missed
    assert len(found.paths) <= MAX_COVER_PATHS
