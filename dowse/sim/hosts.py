"""Host names: each carries its site's number, so that a world of any size needs no list of them."""

from __future__ import annotations

import re
from random import Random

from dowse.sim.chance import pick

SHAPES = {
    "A": (
        "www.{a}{b}{n}.example",
        "www.{a}-{t}{n}.example",
        "{a}{n}.example",
        "{a}{b}{n}.test",
        "{t}{n}.{a}.example",
        "www.{n}{a}.test",
        "{a}.{b}{n}.example",
        "www.{a}{n}.co.example",
    ),
    "B": (
        "{a}-{b}-{n}.example",
        "www.my{a}{n}.test",
        "{n}-{t}.{b}.example",
        "the{t}{a}{n}.example",
        "portal.{a}{n}.test",
        "{b}{n}.{a}.test",
        "www.{a}.{b}{n}.example",
    ),
}
FIRST = {
    "A": (
        "acorn amber anchor aspen atlas badger beacon birch bridge canal cedar citadel clover comet coral crane delta "
        "ember falcon fern fjord garnet granite harbor hazel heron indigo ivory juniper kestrel lagoon lantern linden "
        "magnet maple meadow nimbus north oak onyx orchard osprey pebble pine prairie quartz raven ridge river saffron "
        "sierra slate sparrow summit tidal timber tulip umber vale velvet violet walnut willow zephyr"
    ).split(),
    "B": (
        "alto bento bloom bolt brisk cargo cobalt crisp dash dot echo elm evo fable flint flux forma gala glint grid "
        "halo hive icon jet jolt kilo kite lark lime loop lumen mango mint moss neon nova opal orbit pixel plume polar "
        "prism pulse quill rally relay root scout shore spark stone swift terra thread trek unity vista wave yonder zest"
    ).split(),
}
SECOND = {
    "A": (
        "online world net guide hub house point direct place zone link base port works page central express corner "
        "line club"
    ).split(),
    "B": "labs market cloud desk studio shop list wiki media group life city office space team today plus store".split(),
}
_NUMBER = re.compile(r"\d+")


def make_host(rng: Random, family: str, index: int, topic: str) -> str:
    """Make the name of a site."""
    return pick(rng, SHAPES[family]).format(a=pick(rng, FIRST[family]), b=pick(rng, SECOND[family]), t=topic, n=index)


def make_name(rng: Random, family: str, noun: str) -> str:
    """Make what a site calls itself: words of its own, or one and its topic."""
    first = pick(rng, FIRST[family]).title()
    return f"{first} {noun}" if rng.random() < 0.5 else f"{first} {pick(rng, SECOND[family]).title()}"


def index_in(host: str) -> int:
    """Return the number that a host name carries, or -1."""
    numbers = _NUMBER.findall(host)
    return int(numbers[0]) if len(numbers) == 1 and len(numbers[0]) < 12 else -1
