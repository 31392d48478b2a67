"""Why an address was or was not fetched, from what the store knows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dowse.export.explanations import explain
from dowse.model import Link, LinkChoice, Skip, Visit
from dowse.reasons import SkipKind, SkipReason
from dowse.store import open_store
from tests.store.test_store import searched, seed

ROOT = "http://one.example/"


def test_the_reasons_of_the_strategy_are_told(tmp_path: Path) -> None:
    visits = (Visit(Link(ROOT), status=200, seconds=1.0, why="given as a seed"),)
    skipped = (
        Skip(f"{ROOT}x", SkipReason(SkipKind.NOT_CHOSEN, "worth too little"), "0.02 forms a page in this place"),
        Skip(f"{ROOT}y", SkipReason(SkipKind.NOT_CHOSEN, "deeper than 3")),
    )
    with open_store(str(tmp_path / "a.db")) as store:
        run = store.begin_run("a")
        store.add_seeds([seed("one")], run)
        store.commit(run, [searched("one", visits=visits, skipped=skipped)], discover=True)
        assert "followed because: given as a seed" in explain(ROOT, store.about(ROOT))
        assert explain(f"{ROOT}x", store.about(f"{ROOT}x"))[1] == (
            "not fetched: worth too little (0.02 forms a page in this place)"
        )
        assert explain(f"{ROOT}y", store.about(f"{ROOT}y"))[1] == "not fetched: deeper than 3"


def test_what_waits_for_a_deeper_round(tmp_path: Path) -> None:
    left = (LinkChoice(Link(f"{ROOT}deep", depth=1)),)
    with open_store(str(tmp_path / "a.db")) as store:
        run = store.begin_run("a")
        store.add_seeds([seed("one")], run)
        store.commit(run, [replace(searched("one"), left=left, round=1, memory=b"")], discover=True)
        assert "goes on" in explain(f"{ROOT}deep", store.about(f"{ROOT}deep"))[1]
