"""Work on a large page in a thread beside the event loop, so that the other sites of a crawl do not wait for it.

The interpreter takes turns between threads every few milliseconds: a page that takes a second to read holds the event
loop no longer than the longest single call of a library does. Most pages are read at once, where they came.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import ParamSpec, TypeVar

LARGE_BYTES = 256 * 1024
LARGE_TAGS = 5_000  # tags that begin or end; reading, its tree and its records take up to 40 µs for each

Given = ParamSpec("Given")
Made = TypeVar("Made")


def is_large(body: bytes) -> bool:
    """Return True if to read a body may take longer than the event loop can wait."""
    return len(body) > LARGE_BYTES or (len(body) > 3 * LARGE_TAGS and body.count(b"<") > LARGE_TAGS)


async def offload(large: bool, work: Callable[Given, Made], *args: Given.args, **named: Given.kwargs) -> Made:
    """Return what work makes: at once, or where a page is large, from the thread for large pages."""
    if not large:
        return work(*args, **named)
    return await asyncio.get_running_loop().run_in_executor(
        _open_thread(), partial(_work, partial(work, *args, **named))
    )


def _work(work: Callable[[], Made]) -> Made:
    """Do it without collecting garbage: to look through the parts of large trees again and again took a third of the time."""
    gc.disable()
    try:
        return work()
    finally:
        gc.enable()


@lru_cache(maxsize=1)
def _open_thread() -> ThreadPoolExecutor:
    """Return the one thread for large pages: with several, each turn of the event loop would wait for all of them."""
    return ThreadPoolExecutor(1, "large-page")
