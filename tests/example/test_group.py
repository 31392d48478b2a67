"""Paths to targets, grouped; and the best of them."""

from __future__ import annotations

from dowse.example.group import Branch, TargetMap, find_ends, group_links
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
