"""Running the command line in this process, in an empty folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import orjson
import pytest

from dowse.cli.main import run
from tests.served import serve_world


@dataclass(frozen=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, object]:
        """The one JSON object that was printed."""
        (line,) = self.out.splitlines()
        value: dict[str, object] = orjson.loads(line)
        return value


Dowse = Callable[..., Outcome]


@pytest.fixture
def dowse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Dowse:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("dowse.cli.progress.PLAIN_SECONDS", 1e6)  # a busy machine says no more than a quick one

    def call(*arguments: str) -> Outcome:
        capfdbinary.readouterr()
        code = run(list(arguments))
        out, err = capfdbinary.readouterr()
        return Outcome(code, out.decode(), err.decode())

    return call


@pytest.fixture(scope="session")
def served_world() -> Iterator[Callable[[int], int]]:
    """The port of a simulated web with so many sites; each is started when it is first asked for."""
    with ExitStack() as servers:
        yield cache(lambda sites: servers.enter_context(serve_world(sites)))
