"""Two numbers that grow, on standard error: in one line on a terminal, now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LIVE_SECONDS = 0.2
PLAIN_SECONDS = 5.0


def say_count(number: int, things: str) -> str:
    """Say how many things there are: `1 page mapped`, `2 pages mapped`; the first word is that for several."""
    noun, _, rest = things.partition(" ")
    one = f"{noun.removesuffix('s')} {rest}".rstrip()
    return f"{number:,} {one if number == 1 else things}"


@contextmanager
def counted(first: str, second: str) -> Iterator[Callable[[int, int], None]]:
    """Give a function that is told two numbers, and shows them for as long as the block lasts."""
    live = sys.stderr.isatty()
    shown_at = time.monotonic()

    def tell(one: int, other: int) -> None:
        nonlocal shown_at
        if time.monotonic() - shown_at < (LIVE_SECONDS if live else PLAIN_SECONDS):
            return
        shown_at = time.monotonic()
        line = f"{say_count(one, first)}, {say_count(other, second)}"
        sys.stderr.write(f"\r{line}\x1b[K" if live else f"{line}\n")
        sys.stderr.flush()

    try:
        yield tell
    finally:
        if live:
            sys.stderr.write("\r\x1b[K")
