"""The words of topics, with how often real text has them; made by `bench/topicwords.py`, no sentence of anybody in them.

Of the source texts only those of one half of the registrable domains were counted (`is_world_text`): word models that
are to be tried on the simulated web are trained on the texts of the other half.
"""

from __future__ import annotations

import hashlib
from bisect import bisect
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from random import Random

FOLDER = Path(__file__).parent / "words"
GENERAL = "general"  # words of text on no topic


def is_world_text(domain: str) -> bool:
    """Return True if the texts of a registrable domain made the words of the simulated web, False if they are left for training."""
    return hashlib.blake2b(domain.casefold().encode(), digest_size=1).digest()[0] % 2 == 0


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """Words by falling frequency, to be drawn by it."""

    words: tuple[str, ...]
    totals: tuple[int, ...]  # how often this word and those before it were counted

    def draw_place(self, rng: Random) -> int:
        """Draw the rank of a word as often as real text has it."""
        return bisect(self.totals, int(self.totals[-1] * rng.random()))

    def draw(self, rng: Random) -> str:
        """Draw a word."""
        return self.words[self.draw_place(rng)]

    @property
    def counts(self) -> dict[str, int]:
        """Each word with how often it was counted."""
        before = (0, *self.totals)
        return {word: self.totals[place] - before[place] for place, word in enumerate(self.words)}


@cache
def read_lexicon(topic: str) -> Lexicon:
    """Read the words of a topic, or those of no topic."""
    lines = (FOLDER / f"{topic.replace(' ', '-')}.tsv").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return Lexicon(tuple(word for word, _ in rows), tuple(accumulate(int(count) for _, count in rows)))
