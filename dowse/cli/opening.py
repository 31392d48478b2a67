"""Opening the database of a command that may turn out to be a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dowse.store import Store

_PARTS = ("", "-wal", "-shm", "-lock")  # files of one database


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
                is_useless = not store.count_sites()
            except BadInput:
                is_useless = not store.tally().pages
                raise
    finally:
        if is_new and is_useless:
            for part in _PARTS:
                Path(f"{path}{part}").unlink(missing_ok=True)
