"""Runs of a crawler by example: what was found is kept once, and a run that was cut off goes on."""

from __future__ import annotations

from pathlib import Path

from dowse.model import Value
from dowse.store import open_store
from dowse.store.walks import Target, add_targets, begin_walk, count_targets, known_targets, read_targets

PATTERN = "http://a.example/ http://a.example/1"


def target(number: int) -> Target:
    return Target(f"http://a.example/{number}", f"page {number}", 0.9, (Value("colour", "red"),))


def test_a_run_that_was_cut_off_goes_on_and_knows_what_it_opened(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        first = begin_walk(store, PATTERN, only_new=False)
        add_targets(store, first, [target(1), target(2)], 3)
    with open_store(str(tmp_path / "a.db")) as store:
        again = begin_walk(store, PATTERN, only_new=False)
        assert (again.id, again.links) == (first.id, 3)
        assert known_targets(store, again) == {target(1).url, target(2).url}


def test_a_finished_run_is_followed_by_another_which_opens_all_again(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        first = begin_walk(store, PATTERN, only_new=False)
        add_targets(store, first, [target(1)], 2, finished=True)
        second = begin_walk(store, PATTERN, only_new=False)
        assert second.id != first.id
        assert known_targets(store, second) == set()
        add_targets(store, second, [target(1), target(2)], 3, finished=True)
        assert [(each.url, each.new) for each in read_targets(store, second)] == [
            (target(1).url, False),
            (target(2).url, True),
        ]
        assert count_targets(store, second) == (2, 1)


def test_only_new_pages_leave_out_what_is_known(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        first = begin_walk(store, PATTERN, only_new=False)
        add_targets(store, first, [target(1)], 2, finished=True)
        new = begin_walk(store, PATTERN, only_new=True)
        assert known_targets(store, new) == {target(1).url}
        add_targets(store, new, [target(2)], 1, finished=True)
        assert [each.values for each in read_targets(store, new)] == [target(2).values]
        assert begin_walk(store, "another", only_new=True).id > new.id
