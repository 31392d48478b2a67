"""Ctrl-C once stops cleanly, twice at once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from dowse.cli.printing import note
from dowse.engine.local import INTERRUPTED


class Stoppable(Protocol):
    """A run of any kind: it ends when it is told why."""

    stopped: str


@contextmanager
def stopping_on_signals(run: Stoppable) -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the run for as long as the block lasts."""
    loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, _stop, run)
    try:
        yield
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
        signal.signal(signal.SIGTERM, before)  # the loop would leave the default, which ends the process without a word


def _stop(run: Stoppable) -> None:
    if run.stopped == INTERRUPTED:
        note("\nstopped at once; what was committed is kept")
        os._exit(130)
    run.stopped = INTERRUPTED
    note("\nstopping: what is under way is being kept; Ctrl-C again stops at once")
