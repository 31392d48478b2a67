"""The database file: its version, its lock, statements and transactions."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from dowse.errors import BadInput, DowseError, Stopped
from dowse.store.schema import APPLICATION_ID, MIGRATIONS, VERSION

IN_MEMORY = Path(":memory:")  # SQLite's name for a database without a file
_BUSY_SECONDS = 30.0
LOG_TURNS = 40  # that a new database is tried to be given its log, while others open it
LOG_PAUSE = 0.05  # seconds between two of them


class Database:
    """One open database file, through which the modules of the store read and write."""

    def __init__(self, path: Path, connection: sqlite3.Connection, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self.now = now  # seconds since the epoch
        self.connection = connection
        self.connection.row_factory = sqlite3.Row
        self._thread_lock = threading.RLock()  # commits run in threads
        self._lock_file: IO[bytes] | None = None
        self._reader: sqlite3.Connection | None = None

    def execute(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement."""
        return self.connection.execute(statement, values)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row."""
        self.connection.executemany(statement, rows)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read while no other thread reads or writes."""
        with self._thread_lock, explain_errors(self.path):
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Run a transaction while no other thread reads or writes."""
        with self.reading():
            self.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.execute("ROLLBACK") if self.connection.in_transaction else None
                raise
            self.execute("COMMIT")

    def look_up(self, query: str, values: Sequence[Any]) -> Any:
        """Return the first row of what is committed, also while another thread writes; None when there is none."""
        if self._reader is None:
            self._reader = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._reader.execute("PRAGMA query_only = ON")
        return self._reader.execute(query, values).fetchone()

    def lock(self) -> None:
        """Lock the file for this process; the system releases it however the process ends."""
        if self._lock_file is None and self.path != IN_MEMORY:  # no other process can open that one
            self._lock_file = _take_lock(self.path)

    def close(self) -> None:
        """Close the file and release its lock."""
        if self._reader:
            self._reader.close()
        self.connection.close()
        if self._lock_file:
            self._lock_file.close()


def database_path(location: str) -> Path:
    """Return the file that `--db` means: a path or sqlite:///path."""
    if location.startswith("sqlite:///"):
        location = location.removeprefix("sqlite:///")
    elif "://" in location:
        scheme = location.partition("://")[0]
        raise BadInput(f"--db: {scheme} databases are not supported yet; give a file name or sqlite:///path")
    if not location:
        raise BadInput("--db needs a file name")
    return Path(location)


def connect(path: Path) -> sqlite3.Connection:
    """Open a Dowse database, create it if there is none, and migrate it to this version."""
    with explain_errors(path):
        if path.exists() and not path.is_file():
            raise BadInput(f"{path} is a folder or a device, not a database; give another --db")
        if not path.parent.is_dir():
            raise BadInput(f"the folder {path.parent} for the database does not exist")
        connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        _check_owner(connection, path)
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous = FULL")  # a commit survives a power cut, not only kill -9
        connection.execute("PRAGMA foreign_keys = OFF")  # checked by tests; costs a look-up per row here
        connection.execute("PRAGMA cache_size = -8000")
        _migrate(connection)
        return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a Dowse database for reading, also where nothing may be written."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return connect(path)
    with explain_errors(path):
        # Where it may not write beside the file, SQLite reads one without a log only when told that no other process writes.
        how = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
        place = f"file:{quote(str(path.absolute()))}?{how}"
        connection = sqlite3.connect(place, uri=True, isolation_level=None, check_same_thread=False)
        _check_owner(connection, path)
        if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            raise BadInput(f"{path} is of an older Dowse and may not be written to; copy it to where it may")
        return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Turn to a log that is written ahead; SQLite does not wait by itself where another process does the same now."""
    for turn in reversed(range(LOG_TURNS)):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if not turn:
                raise
            time.sleep(LOG_PAUSE)


def _check_owner(connection: sqlite3.Connection, path: Path) -> None:
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if (tables or owner) and owner != APPLICATION_ID:
        raise BadInput(f"{path} is a database of another program; give another --db")
    if version > VERSION:
        raise BadInput(
            f"{path} was written by a newer Dowse (schema {version}, this one knows {VERSION}); upgrade Dowse"
        )


def _migrate(connection: sqlite3.Connection) -> None:
    """Migrate the tables to this version in one transaction."""
    if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for step in MIGRATIONS[version:]:
        for statement in step.split(";\n"):
            if statement.strip():
                connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")


@contextmanager
def explain_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into one line about the database file."""
    try:
        yield
    except sqlite3.Error as error:
        raise _explain(error, path) from error


def _explain(error: sqlite3.Error, path: Path) -> DowseError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without what an extended result code adds
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return BadInput(f"{path} is not a Dowse database ({error}); give another --db")
    if code == sqlite3.SQLITE_CANTOPEN:
        return BadInput(f"{path} cannot be opened: check that the folder exists and may be written to")
    if code == sqlite3.SQLITE_READONLY:
        return BadInput(f"{path} may not be written to")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return Stopped(
            f"the disk of {path} is full or failing ({error}); what was committed is kept, run the same command to go on"
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Stopped(f"{path} is locked by another program")
    return Stopped(f"{path}: {error}")


def _take_lock(path: Path) -> IO[bytes]:
    try:
        lock = open(f"{path}-lock", "ab")  # noqa: SIM115 (held until the store is closed)
    except OSError as error:
        raise BadInput(f"{path}-lock cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise BadInput(f"another dowse is searching with {path}; wait for it, or give another --db") from None
    if not _is_the_file(lock, f"{path}-lock"):  # it was removed meanwhile, with a database that came to nothing
        lock.close()
        return _take_lock(path)
    os.set_inheritable(lock.fileno(), False)
    return lock


def _is_the_file(opened: IO[bytes], path: str) -> bool:
    """Return True if an open file is still the one of its name."""
    try:
        return os.fstat(opened.fileno()).st_ino == os.stat(path).st_ino
    except FileNotFoundError:
        return False
