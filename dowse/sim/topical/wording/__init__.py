"""What authors of the topical world say: the English of a family, with topics whose words come from real text."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dowse.sim.topical.lexicon import GENERAL, read_lexicon
from dowse.sim.topical.shares import SIDE_TOPICS, TOPICS
from dowse.sim.wording import TopicWords, Wording, build_topic, read_wording

FOLDER = Path(__file__).parent
OLD_NAMES = {"movies": "films", "publications": "papers", "real estate": "homes"}  # in the wording of even worlds
# Kinds of databases on none of the topics, with the words their titles are made of.
OTHER_KINDS = {"products": GENERAL, "events": GENERAL, "articles": "news", "plants": "earth science"}
TITLE_WORDS = 300  # words of a topic that titles are made of
HEADS, TAILS = slice(20, 60), slice(60, 120)  # ranks of the words that names of records begin and end with


@dataclass(frozen=True, slots=True, eq=False)
class Phrasing:
    """How a family puts words into text: pieces of sentences, with a word between each two."""

    sentences: tuple[tuple[str, ...], ...]
    about_pages: tuple[tuple[str, ...], ...]
    blurbs: tuple[tuple[str, ...], ...]
    vague_links: tuple[str, ...]
    directory_titles: tuple[str, ...]
    synonyms: MappingProxyType[str, tuple[str, ...]]  # topic -> words for it in names of hosts and sites


@cache
def _read_file(family: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{family.lower()}.toml").read_text(encoding="utf-8"))


@cache
def read_phrasing(family: str) -> Phrasing:
    """Read how a family writes."""
    read = _read_file(family)
    names = {**{topic: each["hosts"] for topic, each in read["topics"].items()}, **read["names"]}

    def cut(name: str) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(each.split("{w}")) for each in read[name])

    return Phrasing(
        sentences=cut("sentences"),
        about_pages=cut("about_pages"),
        blurbs=cut("blurbs"),
        vague_links=tuple(read["vague_links"]),
        directory_titles=tuple(read["directory_titles"]),
        synonyms=MappingProxyType({topic: tuple(words) for topic, words in names.items()}),
    )


@cache
def read_topical_wording(family: str) -> Wording:
    """Read what authors of a family say in the topical world."""
    base, read = read_wording(family, "en"), _read_file(family)
    names = (*TOPICS, *SIDE_TOPICS, GENERAL, *OTHER_KINDS)
    return replace(base, topics=MappingProxyType({name: _topic(name, base, read) for name in names}))


def rank_telling(topic: str) -> list[str]:
    """Return the words of a topic, first those that tell it from common text, as titles do."""
    own, common = read_lexicon(topic).counts, read_lexicon(GENERAL).counts
    if topic == GENERAL:
        return list(own)
    return sorted(own, key=lambda word: (-own[word] * math.log(own[word] / common.get(word, 1)), word))


def _topic(name: str, base: Wording, read: dict[str, Any]) -> TopicWords:
    ranked = rank_telling(OTHER_KINDS.get(name, name))
    words = tuple(word.capitalize() for word in ranked[:TITLE_WORDS])
    old = base.topics.get(OLD_NAMES.get(name, name))
    if old:
        return replace(old, words=words, sentences=())
    own = read["topics"].get(name)
    if own is None:  # a topic without databases of its own
        own = {"noun": read["names"][name][0].capitalize(), "nouns": read["names"][name], "labels": {}}
    parts = {"heads": [*map(str.capitalize, ranked[HEADS])], "tails": [*map(str.capitalize, ranked[TAILS])]}
    return build_topic({**own, **parts, "words": words, "sentences": ()})
