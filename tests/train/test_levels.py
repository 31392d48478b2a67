"""The model of `levels:N` from a crawl backward, over links within sites and between them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from dowse.engine.topical import visit_on_topic
from dowse.errors import BadInput
from dowse.model import Link
from dowse.seeds.backlinks import SearxngSearch
from dowse.seeds.lists import read_seed
from dowse.strategy.contexts import link_words
from dowse.strategy.levels import levels_beside, load_levels
from dowse.train.levels import learn_levels
from tests.engine.test_topical import CARS, FORM, WORDS, searching, write
from tests.webs import Answer, web

NAMES = [f"http://dealer{number}.example" for number in range(8)]


def dealers() -> dict[str, Answer]:
    """Return eight sites whose forms are behind `Search used cars`, and a page that names them all."""
    pages: dict[str, Answer] = {}
    for name in NAMES:
        pages[f"{name}/"] = write(WORDS, f"{name}/search Search used cars|", f"{name}/imprint Imprint and contact|")
        pages[f"{name}/search"] = write(WORDS, form=FORM)
        pages[f"{name}/imprint"] = write("who we are and how to write to us", f"{name}/ Home|")
    for number in range(8):
        pages[f"http://list{number}.example/"] = write(
            WORDS, *(f"{name}/ Dealer of used vehicles|" for name in NAMES), "/about About this list|"
        )
    return pages


async def learn(*, looks_up: bool) -> list[int]:
    pages = {**searching([f"http://list{number}.example/" for number in range(5)]), **dealers()}
    ask = "http://searx.example/search?q=%22{0}%22%20-site%3A{0}&format=json"
    answer = pages[ask.format("one.example")]
    pages.update((ask.format(name.removeprefix("http://")), answer) for name in NAMES)
    fetch = web(pages)
    backlinks = [SearxngSearch(fetch, "http://searx.example")] if looks_up else []
    seeds = [read_seed(f"{name}/") for name in NAMES]
    models = await learn_levels(seeds, "cars", visit_on_topic(CARS, fetch), backlinks, rng=Random(1))
    model = models[2]
    inside = link_words(Link("http://new.example/search", "Search used cars"), host=False)
    other = link_words(Link("http://new.example/imprint", "Imprint and contact"), host=False)
    across = link_words(Link("http://new.example/", "Dealer of used vehicles"), host=False)
    return [model.classify(words)[0] for words in (inside, other, across)]


async def test_links_to_forms_are_told_from_others() -> None:
    assert (await learn(looks_up=False))[:2] == [1, 0]


async def test_a_link_from_another_site_is_a_click_further() -> None:
    assert await learn(looks_up=True) == [1, 0, 2]


def test_a_topic_of_ones_own_has_its_model_beside_it(tmp_path: Path) -> None:
    topic = str(tmp_path / "mine.json")
    shipped = load_levels(3, topic, "mine")
    own = tuple(msgspec.structs.replace(shipped, weights={}) for _ in range(4))
    levels_beside(topic).write_bytes(msgspec.json.encode(own))
    assert load_levels(3, topic, "mine").weights == {}
    levels_beside(topic).write_text("{}")
    with pytest.raises(BadInput, match="no file of `dowse train levels`"):
        load_levels(3, topic, "mine")
