"""Which sites are sampled: at random, the same ones for the same seed."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable

from dowse.model import Seed


def draw_sites(seeds: Iterable[Seed], count: int, seed: int) -> list[Seed]:
    """Return so many sites of a list that has each once; a larger sample holds every smaller one.

    A site's place in the draw depends on its name alone, so the list may come in any order and in any length.
    """

    def place(each: Seed) -> bytes:
        return hashlib.blake2b(f"{seed} {each.site}".encode(), digest_size=8).digest()

    return heapq.nsmallest(count, seeds, key=place)
