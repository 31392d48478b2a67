"""Ctrl-C and SIGTERM while a command is still starting: exit code 130, one line, no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Dowse

SEED = "http://127.0.0.1:9/"
COMMANDS = {
    "find": ["find", SEED],
    "harvest": ["harvest", SEED],
    "follow": ["follow", "pattern.json"],
    "like": ["like", SEED, "--entry", SEED],
    "sample": ["sample", SEED],
    "sim": ["sim", "--port", "0"],
    "demo": ["demo"],
    "sites discover": ["sites", "discover", SEED],
}

# Runs a command that sends itself a signal when it begins to load a module.
STARTING = """
import os, sys, time

module, number, place, *arguments = sys.argv[1:]

def send():
    os.kill(os.getpid(), int(number))
    time.sleep(10)  # ends when the signal is heard

class Finalised:
    def __del__(self):
        send()

class Watcher:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            Finalised() if place == "finaliser" else send()

sys.argv[1:] = arguments
sys.meta_path.insert(0, Watcher())
from dowse.cli import main
main()
"""


def interrupt(
    folder: Path, arguments: list[str], module: str, number: signal.Signals, place: str = "import"
) -> tuple[int, str]:
    """Run a command that gets a signal while it loads a module; return its exit code and what it said."""
    words = [sys.executable, "-c", STARTING, module, str(int(number)), place, *arguments]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.strip()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_signal_while_a_command_starts(command: str, number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "pattern.json").write_text("{}")
    assert interrupt(tmp_path, COMMANDS[command], "uvloop", number) == (130, "dowse: interrupted")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_the_command_line_is_read(number: signal.Signals, tmp_path: Path) -> None:
    assert interrupt(tmp_path, ["--version"], "click", number) == (130, "dowse: interrupted")


def test_a_signal_in_a_finaliser_whose_exceptions_python_drops(tmp_path: Path) -> None:
    assert interrupt(tmp_path, ["--version"], "click", signal.SIGINT, "finaliser") == (130, "dowse: interrupted")


def test_a_mistake_does_not_take_away_what_was_there(dowse: Dowse) -> None:
    Path("list").write_text("a.example\n")
    assert dowse("sites", "import", "list").code == 0
    assert dowse("find", "b.example", "--strategy", "clever").code == 2
    assert dowse("sites", "--json").json["known"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["find"], id="nothing to search"),
        pytest.param(["find", "a.example", "--strategy", "clever"], id="no such strategy"),
        pytest.param(["find", "a.example", "--replay", "none"], id="seen when the sites were added already"),
        pytest.param(["sites", "discover"], id="nothing to look through"),
        pytest.param(["sites", "discover", "a.example", "--site-strategy", "best"], id="no such site strategy"),
        pytest.param(["sites", "import", "none"], id="no such list"),
    ],
)
def test_a_mistake_leaves_nothing_behind(dowse: Dowse, arguments: list[str]) -> None:
    assert dowse(*arguments).code == 2
    assert not list(Path.cwd().iterdir())
