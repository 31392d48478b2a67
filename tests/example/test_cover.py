"""A few paths that together reach the targets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dowse.example.cover import MOST_PATHS, cover
from dowse.example.generalise import AddressPattern
from dowse.example.group import TargetMap
from dowse.example.pattern import Step
from dowse.example.written import read_pattern

SITE = "http://e.example"
START = r"^http://e\.example"


def build_map(links: dict[str, list[str]], targets: list[str], others: list[str] | None = None) -> TargetMap:
    parents: dict[str, tuple[str, ...]] = {}
    for page, below in links.items():
        for other in below:
            parents[SITE + other] = (*parents.get(SITE + other, ()), SITE + page)
    return TargetMap(
        f"{SITE}/", parents, frozenset(SITE + each for each in targets), tuple(SITE + each for each in others or ())
    )


ITEMS = [f"/item?id={number}" for number in range(20)]


def test_one_path_where_one_is_enough() -> None:
    site = build_map({"/": ["/list/a", "/list/b"], "/list/a": ITEMS[:9], "/list/b": ITEMS[9:]}, ITEMS)
    found = cover(site)
    (path,) = found.paths
    assert path.steps == (Step(rf"{START}/list/[a-zA-Z]+$"), Step(rf"{START}/item\?id=[0-9]+$"))
    assert not found.missed


def test_a_box_on_the_entry_page_takes_nothing_from_the_lists() -> None:
    site = build_map({"/": [*ITEMS[5:12], "/list/a", "/list/b"], "/list/a": ITEMS[:9], "/list/b": ITEMS[9:]}, ITEMS)
    found = cover(site)
    assert len(found.paths) == 1
    assert len(found.paths[0].steps) == 2
    assert not found.missed


def test_several_paths_where_one_does_not_reach_all() -> None:
    site = build_map(
        {"/": ["/list/a", "/archive/old/deep/x"], "/list/a": ITEMS[:15], "/archive/old/deep/x": ITEMS[15:]}, ITEMS
    )
    found = cover(site)
    assert [len(path.steps) for path in found.paths] == [2, 2]
    assert not found.missed


def test_a_path_that_adds_too_little_is_left_out() -> None:
    site = build_map(
        {"/": ["/list/a", "/archive/old/deep/x"], "/list/a": ITEMS[:19], "/archive/old/deep/x": ITEMS[19:]}, ITEMS
    )
    found = cover(site)
    assert len(found.paths) == 1
    assert found.missed == {SITE + ITEMS[19]}


def test_steps_leave_out_pages_of_another_kind() -> None:
    films = [f"/{word}" for word in ("jaws", "psycho", "alien", "brazil", "vertigo", "heat")]
    others = [f"/{first}{second}elp" for first in "ABCDEF" for second in "abcdef"]
    site = build_map({"/": ["/all/films"], "/all/films": films}, films, others)
    found = cover(site)
    last = read_pattern(found.paths[0].steps[-1].pattern)
    assert not found.missed
    assert isinstance(last, AddressPattern)
    assert [url for url in others if last.matches(SITE + url)] == []


def test_what_cannot_be_told_apart_is_said() -> None:
    films, others = ["/jaws", "/heat"], [f"/{first}o{second}s" for first in "abcdef" for second in "abcdef"]
    found = cover(build_map({"/": ["/all/films"], "/all/films": films}, films, others))
    assert "such as" in found.reasons[0]
    assert not found.missed


def test_a_few_pages_of_another_kind_make_no_pattern_tighter() -> None:
    films, others = ["/jaws", "/heat"], ["/jobs", "/help"]
    found = cover(build_map({"/": ["/all/films"], "/all/films": films}, films, others))
    assert found.reasons == ()
    assert not found.missed


def test_nothing_to_reach() -> None:
    assert cover(build_map({}, [])).paths == ()


@given(st.dictionaries(st.sampled_from(["/", *"/a /b /c/1 /c/2".split()]), st.lists(st.sampled_from(
    [*"/a /b /c/1 /c/2".split(), *ITEMS]), unique=True), max_size=5))  # fmt: skip
def test_what_is_reached_and_missed_is_all(links: dict[str, list[str]]) -> None:
    targets = sorted({each for below in links.values() for each in below if each in ITEMS})
    found = cover(build_map(links, targets))
    assert found.reached | found.missed == {SITE + each for each in targets}
    assert not found.reached & found.missed
    assert len(found.paths) <= MOST_PATHS
