"""`dowse sites discover` against the simulated web, served on loopback, and what `dowse find` says of sites."""

from __future__ import annotations

from pathlib import Path

from dowse.sim.world import World
from tests.cli.conftest import Dowse
from tests.cli.test_find import SITES, arguments, port

__all__ = ["port"]  # the web of `dowse find`


def words(port: int, *more: str) -> list[str]:
    find = arguments(port)
    return ["sites", "discover", *find[1:], *more]


def test_sites_are_found_and_wait(dowse: Dowse, port: int) -> None:
    outcome = dowse(*words(port, "--json"))
    assert outcome.code == 0, outcome.err
    result = outcome.json
    assert set(result) >= {"found", "known", "pages", "harvest"}
    assert result["found"] == result["known"] - len(World(1, SITES).seeds()) > SITES / 2  # type: ignore[operator]
    listed = dowse("sites", "--json", "--limit", "0").json
    assert listed["states"] == {"waiting": result["known"]}
    again = dowse(*words(port, "--json")).json
    assert {**again, "seconds": 0} == {**result, "seconds": 0}, "no site is looked through twice"


def test_enough_is_done_and_a_page_budget_is_a_stop(dowse: Dowse, port: int) -> None:
    some = dowse(*words(port, "--sites", "3"))
    assert some.code == 0
    assert "sites found with" in some.out
    stopped = dowse(*words(port, "--pages", "5", "--db", "b.db", "--json"))
    assert (stopped.code, stopped.json["stopped"]) == (3, "page budget")
    assert "page budget" in stopped.err


def test_mistakes_are_one_line(dowse: Dowse) -> None:
    for arguments_, said in (
        (["sites", "discover"], "no site is known"),
        (["sites", "discover", "e.com", "--site-strategy", "best"], "no strategy"),
        (["find", "e.com", "--site-strategy", "navmenu:3"], "no strategy"),
        (["find", "e.com", "--schedule", "best"], "schedule"),
    ):
        outcome = dowse(*arguments_)
        assert outcome.code == 2
        assert said in outcome.err
        assert len(outcome.err.splitlines()) == 1
        assert not list(Path.cwd().iterdir()), "a mistake left a database behind"


def test_find_says_what_the_site_finder_did(dowse: Dowse, port: int) -> None:
    shallow = arguments(port, "--strategy", "exhaustive:0")
    outcome = dowse(*shallow, "--json")
    assert outcome.code == 0, outcome.err
    report = outcome.json
    assert report["sites_found"] > 0  # type: ignore[operator]
    assert 0 < report["finder_pages"] < report["pages"]  # type: ignore[operator]
    assert "found by looking for sites" in dowse(*shallow).out
    none = dowse(*arguments(port, "--strategy", "exhaustive:0", "--finder", "0", "--db", "b.db", "--json")).json
    assert (none["finder_pages"], none["sites_found"]) == (0, 0)


def test_rounds_find_the_same(dowse: Dowse, port: int) -> None:
    exhaustive = ("--strategy", "exhaustive:3")
    whole = dowse(*arguments(port, *exhaustive, "--json")).json
    rounds = dowse(*arguments(port, *exhaustive, "--schedule", "round-robin", "--db", "b.db", "--json")).json
    for key in ("sites_searched", "pages", "forms", "kinds", "skipped"):
        assert rounds[key] == whole[key]


def test_sites_that_are_all_dead_are_said(dowse: Dowse) -> None:
    outcome = dowse(
        "sites", "discover", "a.example", "--connect-to", "*=127.0.0.1:9", "--allow-private", "--delay", "0"
    )
    assert outcome.code == 1
    assert "none of 1 sites could be looked through" in outcome.err
