"""The command line: one module per command, each a library function plus printing."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line and end the process with its exit code.

    From the first line on Ctrl-C and SIGTERM end it with 130: everything that takes time to load is imported after.
    """
    try:
        sys.unraisablehook = _end_if_interrupted
        signal.signal(signal.SIGTERM, _interrupt)
        from dowse.cli.main import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before `run`, or while it printed an earlier one
        _print_interrupted()
        code = 130
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)  # what comes now ends a process that has nothing left to do
    sys.exit(code)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Let SIGTERM do what Ctrl-C does now; or end the command where Ctrl-C is ignored, as in the background of a script."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        raise KeyboardInterrupt
    handler(signal.SIGINT, frame)


def _end_if_interrupted(unraisable: sys.UnraisableHookArgs) -> None:
    """End at once when an interrupt came where Python drops exceptions, such as a finaliser; what was committed is kept."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
        return
    _print_interrupted()
    os._exit(130)


def _print_interrupted() -> None:
    os.write(2, b"dowse: interrupted\n")
