"""Running the command line in this process, in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import orjson
import pytest

from dowse.cli.main import run


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
