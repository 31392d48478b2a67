"""Waiting for what happens in another process, instead of for a time."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

PATIENCE = 120  # seconds until a test gives up; a busy machine needs a few


def wait_until(is_so: Callable[[], object]) -> None:
    """Look again and again until it is so."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "it does not come to that"
        time.sleep(0.02)


def count_rows(db: Path, query: str) -> int:
    """Return the one number that a query gives; 0 as long as there is no such database or table."""
    if not db.exists():
        return 0
    with closing(sqlite3.connect(db, timeout=PATIENCE)) as connection:
        try:
            return int(connection.execute(query).fetchone()[0])
        except sqlite3.OperationalError:  # not made yet
            return 0
