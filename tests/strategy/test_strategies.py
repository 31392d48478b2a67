"""One battery that every strategy passes, by its written form."""

from __future__ import annotations

import pytest

from dowse.errors import BadInput
from dowse.model import Link, LinkChoice, LinkGroup, Page
from dowse.strategy import SITE_STRATEGIES, STRATEGIES, LinkOutcome, build_strategy
from dowse.strategy.exhaustive import Exhaustive
from dowse.url import site_of

ROOT = "http://e.com/"
SITE = site_of(ROOT)
LINKS = tuple(
    Link(f"{ROOT}{name}", text=f"Search {name}", path="html/body/nav/a", place=place, depth=1)
    for place, name in enumerate("abcd")
)
URLS = tuple(link.url for link in LINKS)
PAGE = Page(ROOT, links=LINKS, urls=URLS, link_count=4, groups=(LinkGroup((0, 1, 2, 3), 4, 4),))
ALL = {**STRATEGIES, **SITE_STRATEGIES}


def first_choices(name: str) -> list[LinkChoice]:
    guide = build_strategy(name, ALL).open(SITE)
    return list(guide.learn(LinkOutcome(Link(ROOT), PAGE, LINKS, URLS)))


@pytest.mark.parametrize("name", ALL)
def test_battery(name: str) -> None:
    chosen = first_choices(name)
    assert chosen == first_choices(name), "the same page gives the same choice"
    assert chosen, "links of the entrance are worth something"
    assert {choice.link for choice in chosen} <= set(LINKS), "a strategy makes up no links"
    strategy = build_strategy(name, ALL)
    assert strategy.depth >= 1
    guide = strategy.open(SITE)
    assert not list(guide.learn(LinkOutcome(Link(ROOT), Page(ROOT)))), "no link is chosen where there is none"
    assert not list(guide.learn(LinkOutcome(Link(ROOT)))), "nor where a page failed"
    assert guide.why_not(Link(f"{ROOT}z", depth=50))
    assert guide.pick({choice.kind: choice for choice in chosen}) in {choice.kind for choice in chosen}


@pytest.mark.parametrize("text", ["Search", "Links"], ids=["about searching", "about other sites"])
@pytest.mark.parametrize("name", ALL)
def test_nothing_is_followed_below_the_last_depth(name: str, text: str) -> None:
    strategy = build_strategy(name, ALL)
    deep = tuple(link._replace(text=text, depth=strategy.depth + 1) for link in LINKS)
    guide = strategy.open(SITE)
    list(guide.learn(LinkOutcome(Link(ROOT), PAGE, LINKS, URLS)))
    chosen = list(guide.learn(LinkOutcome(Link(URLS[0], depth=strategy.depth), PAGE, deep, URLS)))
    assert not {choice.link for choice in chosen} & set(deep)


def test_exhaustive_goes_down_to_its_depth() -> None:
    guide = build_strategy("exhaustive:2").open(SITE)
    assert [choice.link for choice in guide.learn(LinkOutcome(Link(ROOT, depth=1), PAGE, LINKS))] == list(LINKS)
    assert not list(guide.learn(LinkOutcome(Link(ROOT, depth=2), PAGE, LINKS)))
    assert guide.why_not(Link(ROOT, depth=3)) == "deeper than 2"
    assert build_strategy("exhaustive") == Exhaustive(3)


@pytest.mark.parametrize(
    "text",
    [
        "", "best", "exhaustive:-1", "exhaustive:1000", "exhaustive:3.5", "exhaustive:³", "navmenu:x", "navmenu:101", "navmenu:3,", "navmenu:3,0",
        "navmenu:3,101", "navmenu:3,2,1", "navmenu:,2", "navmenu:-1", "navmenu:³", "tagpath:0",
        "adaptive:1", "adaptive:1,0,0", "adaptive:1,1,2", "adaptive:a,b,c",
    ],
)  # fmt: skip
def test_mistakes(text: str) -> None:
    with pytest.raises(BadInput) as mistake:
        build_strategy(text, ALL)
    assert len(str(mistake.value).splitlines()) == 1
