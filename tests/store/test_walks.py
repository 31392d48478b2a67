"""Runs of a crawler by example: what was found is kept once, and a run that was cut off goes on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dowse.model import Value
from dowse.store import Store, open_store
from dowse.store.schema import MIGRATIONS
from dowse.store.walks import (
    LIKE,
    OpenedPage,
    TargetPage,
    WalkRun,
    add_targets,
    begin_walk,
    count_targets,
    forget_failures,
    known_targets,
    measure_opened,
    read_opened,
    read_targets,
)

PATTERN = "http://a.example/ http://a.example/1"


def target(number: int) -> TargetPage:
    return TargetPage(f"http://a.example/{number}", f"page {number}", 0.9, (Value("colour", "red"),))


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


LISTED = OpenedPage(
    "http://a.example/list q=1", ("http://a.example/1", "http://a.example/ü"), ("http://a.example/list?2",), LIKE
)
FAILED = OpenedPage("http://a.example/x", failure="HTTP 500", tries=2)


def open_pages(store: Store, *, only_new: bool = False, steps: str = "a") -> WalkRun:
    begun = begin_walk(store, PATTERN, only_new=only_new, steps=steps)
    add_targets(store, begun, [target(1)], 3, opened=[LISTED, FAILED])
    return begun


def test_opened_pages_are_there_as_they_were_when_a_run_goes_on(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        open_pages(store)
    with open_store(str(tmp_path / "a.db")) as store:
        again = begin_walk(store, PATTERN, only_new=False, steps="a")
        assert [read_opened(store, again, each.name) for each in (LISTED, FAILED)] == [LISTED, FAILED]
        assert read_opened(store, again, "http://a.example/") is None
        assert measure_opened(store, again) > sum(map(len, LISTED.links))


def test_a_page_that_was_opened_again_is_there_once(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        begun = open_pages(store)
        add_targets(store, begun, [], 4, opened=[OpenedPage(FAILED.name, ("http://a.example/2",))])
        assert read_opened(store, begun, FAILED.name) == OpenedPage(FAILED.name, ("http://a.example/2",))


def test_a_finished_run_forgets_its_way(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        begun = open_pages(store)
        add_targets(store, begun, [], 5, finished=True)
        assert read_opened(store, begun, LISTED.name) is None


def test_other_steps_go_on_with_the_same_run_and_not_with_its_pages(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        first = open_pages(store)
        again = begin_walk(store, PATTERN, only_new=False, steps="b")
        assert (again.id, again.links, read_opened(store, again, LISTED.name)) == (first.id, 3, None)
        assert known_targets(store, again) == {target(1).url}
        assert begin_walk(store, PATTERN, only_new=False, steps="b") == again


def test_a_run_that_is_left_for_another_is_forgotten(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        first = open_pages(store)
        other = begin_walk(store, "another", only_new=False)
        add_targets(store, other, [], 1, opened=[FAILED])
        assert begin_walk(store, PATTERN, only_new=True, steps="a").id != first.id
        assert measure_opened(store, first) == 0
        assert read_opened(store, other, FAILED.name) == FAILED


def test_failures_are_forgotten_alone(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        begun = open_pages(store)
        forget_failures(store, begun)
        assert (read_opened(store, begun, FAILED.name), read_opened(store, begun, LISTED.name)) == (None, LISTED)


def test_a_run_of_an_older_database_goes_on(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "a.db")) as store:
        begun = open_pages(store, steps="")
        newer = "".join(MIGRATIONS[7:])
        for table in re.findall(r"CREATE TABLE (\w+)", newer):
            store.database.execute(f"DROP TABLE {table}")
        for table, column in re.findall(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", newer):
            store.database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        store.database.execute("PRAGMA user_version = 7")
    with open_store(str(tmp_path / "a.db")) as store:
        again = begin_walk(store, PATTERN, only_new=False, steps="a")
        assert (again.id, known_targets(store, again)) == (begun.id, {target(1).url})
        add_targets(store, again, [], 4, opened=[LISTED])
        assert read_opened(store, again, LISTED.name) == LISTED


def test_a_database_without_a_file_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for location in (":memory:", "sqlite:///:memory:"):
        with open_store(location) as store:
            open_pages(store)
            assert not list(tmp_path.iterdir())
