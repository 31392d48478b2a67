"""What a user can get wrong, and what stops a run.

DowseError            anything Dowse says in one line and ends with
├── BadInput          exit 2: what was given cannot be used
└── Stopped           exit 1: the run could not go on
    └── NoDoor        the page that was given has no form that can be asked
"""

from __future__ import annotations


class DowseError(Exception):
    """One clear line for a person; never a traceback."""

    exit_code = 1


class BadInput(DowseError):
    """What was given cannot be used, and the line says what to do."""

    exit_code = 2


class Stopped(DowseError):
    """The run could not go on: a full disk, a lost database."""


class NoDoor(Stopped):
    """The page that was given has no form that can be asked; its site may have one elsewhere."""
