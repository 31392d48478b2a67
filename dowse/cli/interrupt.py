"""Ctrl-C once stops cleanly, twice at once; opening the database of a command that may turn out to be a mistake."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from dowse.cli.printing import note
from dowse.reasons import StopReason

if TYPE_CHECKING:
    from dowse.store import Store

_DATABASE_SUFFIXES = ("", "-wal", "-shm", "-lock")  # files of one database


class Stoppable(Protocol):
    """A run of any kind: it ends once a reason is set."""

    stopped: Any  # a StopReason once somebody stops it


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
    if run.stopped == StopReason.INTERRUPTED:
        note("\nstopped at once; what was committed is kept")
        os._exit(130)
    run.stopped = StopReason.INTERRUPTED
    note("\nstopping: what is under way is being kept; Ctrl-C again stops at once")


@contextmanager
def opened_store(location: str) -> Iterator[Store]:
    """Open the database; where there was none, one that came to hold nothing, or was a mistake, is not left behind."""
    from dowse.errors import BadInput
    from dowse.store import open_store
    from dowse.store.database import database_path

    path = database_path(location)
    is_new, is_useless = not path.exists(), False
    try:
        with open_store(location) as store:
            try:
                yield store
                is_useless = not store.count_sites() and _is_ours(store)
            except (BadInput, OSError):
                is_useless = not store.tally().pages and _is_ours(store)
                raise
    finally:
        if is_new and is_useless:
            for suffix in _DATABASE_SUFFIXES:
                Path(f"{path}{suffix}").unlink(missing_ok=True)


def _is_ours(store: Store) -> bool:
    """Return True if nobody else has the database open for writing: else it is theirs, empty as it may be yet."""
    from dowse.errors import BadInput

    try:
        store.database.lock()
    except BadInput:
        return False
    return True
