"""A pattern learned again after its site was redesigned; where nothing is left, that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from dowse.errors import Stopped
from dowse.example.again import TRIED, judge_words, learn_again
from dowse.example.run import name_pattern
from dowse.example.walk import judge_walk
from dowse.fetch.build import wrap_fetch
from dowse.model import Response
from dowse.store import open_store
from dowse.tree.node import Node

from .shop import HTML, open_shop, pattern_of
from .sites import learn, score, site, walk

LOGIN = "<html><title>Log in</title><body><h1>Log in</h1><form method=post><input type=password name=p></form></body></html>"
SHAPES = ("one-list", "popular")


@pytest.mark.parametrize("name", SHAPES)
async def test_a_new_look_is_noticed_and_learned(name: str, tmp_path: Path) -> None:
    before, after = (await learn(name)).pattern, site(name, 20, edition=1)
    with open_store(str(tmp_path / "a.db")) as store:
        _, known = await walk(store, before, site(name))
        run, _ = await walk(store, before, after)
        assert not judge_walk(run.walk).yes
        now = await learn_again(store, before, wrap_fetch(after.fetch))
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
            await learn_again(store, before, wrap_fetch(after.fetch))


async def test_pages_that_all_ask_for_a_login_are_not_learned(tmp_path: Path) -> None:
    shop = open_shop(40)
    with open_store(str(tmp_path / "a.db")) as store:
        shop.pages |= {f"/item/{n}": LOGIN for n in range(40)}
        with pytest.raises(Stopped, match="say the same, as where a login is asked for"):
            await learn_again(store, pattern_of(), shop.fetches)


async def test_a_server_that_breaks_is_not_learned_from(tmp_path: Path) -> None:
    shop = open_shop(40)
    with open_store(str(tmp_path / "a.db")) as store:
        shop.pages |= {f"/item/{n}": Response("", 500, HTML, b"") for n in range(6, 40)}
        with pytest.raises(Stopped, match=r"the site could not be read: HTTP 500 \(34\); try again later"):
            await learn_again(store, pattern_of(), shop.fetches)


WORDS = [
    ("one page", ["a"], True),
    ("twins", ["a", "a"], True),
    ("three of the same", ["a", "a", "a"], False),
    ("one differs", ["a", "a", "a", "b"], True),
    ("they differ after a long menu", [f"{'menu ' * 1_000}{n}" for n in range(3)], True),
    ("none", [], True),
]


@pytest.mark.parametrize(("texts", "is_so"), [row[1:] for row in WORDS], ids=[row[0] for row in WORDS])
def test_pages_have_something_of_their_own_to_say(texts: list[str], is_so: bool) -> None:
    assert judge_words([Node("html", content=(text,)) for text in texts]).yes is is_so


async def test_few_old_pages_are_tried(tmp_path: Path) -> None:
    shop = open_shop(100)
    with open_store(str(tmp_path / "a.db")) as store:
        shop.pages = {}
        with pytest.raises(Stopped):
            await learn_again(store, pattern_of(), shop.fetches)
    assert len(shop.asked) <= TRIED + 5
