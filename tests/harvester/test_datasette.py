"""A real web program as a source: Datasette serves a database on loopback, and the command draws it."""

from __future__ import annotations

import json
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from dowse.cli.main import run
from tests.harvester.library import make_books
from tests.waiting import PATIENCE, count_rows, wait_until

BOOKS = 730
PROGRAM = shutil.which("datasette", path=str(Path(sys.executable).parent))

pytestmark = pytest.mark.xdist_group("datasette")


def make_database(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author TEXT, subject TEXT, year INTEGER)"
        )
        rows = [(book.number, book.title, book.author, book.subject, book.year) for book in make_books(BOOKS)]
        database.executemany("INSERT INTO books VALUES (?, ?, ?, ?, ?)", rows)
        database.execute("CREATE VIRTUAL TABLE [books_fts] USING fts5([title], [author], [subject], content=[books])")
        database.execute(
            "INSERT INTO books_fts(rowid, title, author, subject) SELECT id, title, author, subject FROM books"
        )


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    assert PROGRAM, "the test extra installs datasette"
    folder = tmp_path_factory.mktemp("datasette")
    make_database(folder / "town.db")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        PROGRAM,
        "serve",
        "town.db",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--setting",
        "default_page_size",
        "50",
    ]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/town/books"
    try:
        wait_for(address, process)
        yield address
    finally:
        process.terminate()
        process.wait(PATIENCE)


def wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    def answers() -> bool:
        assert process.poll() is None, "datasette ended"
        try:
            with urlopen(address, timeout=PATIENCE):
                return True
        except OSError:
            return False

    wait_until(answers)


def harvest(
    capsys: pytest.CaptureFixture[str], folder: Path, target: str, *more: str
) -> tuple[int, dict[str, object], list[dict[str, object]]]:
    output = folder / "records.jsonl"
    code = run(
        [
            "harvest",
            target,
            "--allow-private",
            "--delay",
            "0",
            "--db",
            str(folder / "a.db"),
            "-o",
            str(output),
            "--json",
            *more,
        ]
    )
    rows = [json.loads(line) for line in output.read_text().splitlines()] if output.exists() else []
    return code, json.loads(capsys.readouterr().out), rows


def test_through_its_pages(served: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told, rows = harvest(capsys, tmp_path, served)
    assert code == 0
    assert told["complete"] is True
    assert told["records"] == BOOKS
    assert {row["title"] for row in rows} == {book.title for book in make_books(BOOKS)}
    assert isinstance(told["requests"], int)
    assert told["requests"] <= BOOKS / 50 + 16  # those to see that it is everything among them


@pytest.mark.proof
def test_through_its_service(served: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Words are found in titles, authors and subjects; each query is answered in pages of fifty."""
    code, told, rows = harvest(
        capsys, tmp_path, f"{served}.json?_search={{query}}", "--value", "amber", "--rounds", "150"
    )
    assert code in (0, 3)
    titles = {row["title"] for row in rows}
    assert len(rows) == len(titles) == told["records"]
    assert len(titles) >= 0.95 * BOOKS
    size, low_high = told["size"], told["size_ci"]
    assert isinstance(size, int)
    assert isinstance(low_high, list)
    assert low_high[0] <= size <= low_high[1]


@pytest.mark.proof
def test_nothing_is_lost_at_kill_9(served: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Killed in the middle of its work, the same command goes on and asks for no page twice."""
    order = ["harvest", served, "--allow-private", "--db", str(tmp_path / "a.db"), "--selector", "greedy"]
    process = subprocess.Popen(
        [sys.executable, "-m", "dowse", *order, "--delay", "0.5"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_until(lambda: count_records(tmp_path / "a.db") >= 60 or process.poll() is not None)
    process.kill()
    process.wait(PATIENCE)
    kept = count_records(tmp_path / "a.db")
    assert 60 <= kept < BOOKS
    code = run([*order, "--delay", "0", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert code == 0, told
    assert told["records"] == count_records(tmp_path / "a.db") == BOOKS
    with sqlite3.connect(tmp_path / "a.db") as database:
        asked = database.execute("SELECT query, page, count(*) FROM answer GROUP BY query, page HAVING count(*) > 1")
        assert asked.fetchall() == []


def count_records(path: Path) -> int:
    return count_rows(path, "SELECT count(*) FROM record")
