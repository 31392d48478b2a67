"""The words of links, by where they stand: in the address, in the anchor, around it. What crawlers on a topic rank by."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import urlsplit

from dowse.model import Link
from dowse.topic.text import count_stems

CONTEXTS = ("url", "anchor", "around")

_APART = re.compile(r"[\W\d_]+|(?<=[a-z])(?=[A-Z])")
# words of addresses that every site has
_EVERYWHERE = frozenset("http https www com net org html htm php asp aspx jsp index default example".split())


class LinkWords(NamedTuple):
    """Stems and how often each stands there."""

    url: dict[str, int]
    anchor: dict[str, int]
    around: dict[str, int]


def link_words(link: Link, *, host: bool = True) -> LinkWords:
    """Return the words of a link; those of its host only where hosts differ."""
    return LinkWords(address_words(link.url, host=host), count_stems(link.text), count_stems(link.nearby))


def address_words(url: str, *, host: bool = True) -> dict[str, int]:
    """Return the words of an address."""
    parts = urlsplit(url)
    text = f"{parts.netloc if host else ''} {parts.path} {parts.query}"
    words = (word for word in _APART.split(text) if word.lower() not in _EVERYWHERE)
    return count_stems(" ".join(words))


@dataclass(slots=True)
class WordSpace:
    """What links that led to something were called, by context (paper 5: the feature spaces FSS and FSL)."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in CONTEXTS})
    new: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in CONTEXTS})  # not yet kept
    _lengths: dict[str, float] = field(default_factory=dict)

    def add(self, words: LinkWords) -> None:
        """Take in a link that led to something."""
        for name, counted in zip(CONTEXTS, words, strict=True):
            self.counts[name].update(counted)
            self.new[name].update(counted)
        self._lengths.clear()

    def fill(self, name: str, counted: Mapping[str, float]) -> None:
        """Take in what is known beforehand of one context."""
        for word, count in counted.items():
            self.counts[name][word] += int(count)
        self._lengths.clear()

    def similarity(self, words: LinkWords) -> float:
        """Return the sum of three cosines (paper 5, Eq. 1 to 3)."""
        return sum(self._cosine(name, counted) for name, counted in zip(CONTEXTS, words, strict=True))

    def _cosine(self, name: str, counted: Mapping[str, int]) -> float:
        known = self.counts[name]
        if not counted or not known:
            return 0.0
        if name not in self._lengths:
            self._lengths[name] = math.sqrt(sum(count * count for count in known.values()))
        product = sum(count * known[word] for word, count in counted.items())
        return product / (self._lengths[name] * math.sqrt(sum(count * count for count in counted.values())))

    def take_new(self) -> dict[str, float]:
        """Return what was added since the last call, as `context word` and how often."""
        taken = {
            f"{name} {word}": float(count) for name, counted in self.new.items() for word, count in counted.items()
        }
        self.new = {name: Counter() for name in CONTEXTS}
        return taken

    def recall(self, kept: Mapping[str, float]) -> None:
        """Take in what was kept before, in the form of `take_new`."""
        for key, count in kept.items():
            name, _, word = key.partition(" ")
            if name in self.counts:
                self.counts[name][word] += int(count)
        self._lengths.clear()
