"""A pattern learned again after its site has changed: from pages that it found before and that are still there."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import islice
from typing import Final

from dowse.errors import Stopped
from dowse.example.look import Look, look_with
from dowse.example.map import Limits
from dowse.example.pattern import Pattern
from dowse.example.run import name_pattern
from dowse.example.start import learn_like
from dowse.example.walk import judge_map
from dowse.fetch.build import Fetches
from dowse.model import Failure, Request, Verdict
from dowse.store import Store
from dowse.store.walks import last_targets
from dowse.tree.node import Node, text_of

TRIED: Final = 20  # addresses of old targets that are opened to see whether they are still there
SAMPLES: Final = 2  # that are learned from
LEAST_SAME: Final = 3  # pages with the same words; two may be twins
MOST_READ: Final = 100_000  # characters of a page that are compared: menus before the text of a page may be long


async def learn_again(store: Store, pattern: Pattern, fetches: Fetches, limits: Limits | None = None) -> Pattern:
    """Learn the way to the same pages as they are now; it stays the same pattern to the store."""
    known = islice(last_targets(store, name_pattern(pattern)), TRIED)
    samples = await _find_alive((*pattern.samples, *known), look_with(fetches.within_site, fetches.render))
    if not samples:
        raise Stopped("none of the pages that were found before is still there; make a new pattern with `dowse like`")
    learned = await learn_like(samples, pattern.entry, fetches, limits or Limits())
    for verdict in (
        judge_map(learned.site.failures, len(learned.site.pages)),
        judge_words(learned.site.trees.values()),
    ):
        if not verdict.yes:
            raise Stopped(verdict.reason)
    return replace(learned.pattern, samples=tuple(dict.fromkeys((*pattern.samples[:1], *learned.pattern.samples))))


def judge_words(trees: Collection[Node]) -> Verdict:
    """Tell whether pages have something of their own to say; those behind a login all ask for the same."""
    texts = {text_of(tree, MOST_READ) for tree in trees}
    if len(trees) >= LEAST_SAME and len(texts) == 1:
        return Verdict(
            False,
            f"all {len(trees):,} pages that were compared say the same, as where a login is asked for; the pattern was not changed",
        )
    return Verdict(True)


async def _find_alive(urls: tuple[str, ...], look: Look) -> list[str]:
    """Return a few of the addresses that still answer with a page of their own."""
    alive: list[str] = []
    for url in dict.fromkeys(urls):
        seen = await look(Request(url))
        if not isinstance(seen, Failure) and not seen.moved:
            alive.append(url)
        if len(alive) >= SAMPLES:
            break
    return alive
