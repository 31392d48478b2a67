"""Printing: JSON for scripts on standard output, words for people, progress on standard error."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from math import isfinite
from pathlib import Path
from unicodedata import east_asian_width

import click

from dowse.errors import BadInput

NO_BREAK = "\u00a0"
PIPE_WIDTH = 120  # columns where there is no terminal


def print_json(value: object) -> None:
    """Print one JSON object on one line."""
    from dowse.store.rows import to_json

    click.echo(to_json(value))
    sys.stdout.flush()


def note(line: str) -> None:
    """Print a message on standard error, beside the output."""
    click.echo(line, err=True)


def table(rows: Iterable[Sequence[object]], *, indent: str = "  ") -> str:
    """Lay rows out in columns; numbers to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    if not cells:
        return ""
    widths = [max(_width(row[column]) for row in cells if column < len(row)) for column in range(max(map(len, cells)))]
    lines = []
    for row in cells:
        parts = []
        for column, text in enumerate(row):
            blanks = " " * (widths[column] - _width(text))
            parts.append(blanks + text if _is_number(text) else text + blanks)
        lines.append((indent + "  ".join(parts)).rstrip())
    return "\n".join(lines)


class Styled(str):
    """Text that we have coloured: the only text whose control characters reach a terminal."""

    __slots__ = ()


def style(text: str, *, fg: str | None = None, bold: bool = False) -> Styled:
    """Return text from anywhere in a colour."""
    return Styled(click.style(printable(text), fg=fg, bold=bold or None))


def printable(text: str) -> str:
    """Return text from the web without control characters, which a terminal would obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return value if isinstance(value, Styled) else printable(str(value))


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes: colours none, letters of East Asia two."""
    plain = click.unstyle(text)
    return len(plain) + sum(east_asian_width(letter) in "WF" for letter in plain)


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").replace("%", "").replace(" ", "").isdigit()


def find_width() -> int:
    """Return how many columns there are."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else PIPE_WIDTH


def wrap(text: str, *, indent: str = "") -> str:
    """Lay a text out in lines that fit; a NO_BREAK is a space that is never broken at."""
    lines = textwrap.fill(text, find_width(), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return lines.replace(NO_BREAK, " ")


def write_span(low: float, high: float) -> str:
    """Write an interval of counts; one without an upper end says so."""
    return f"{low:,.0f} to {high:,.0f}" if isfinite(high) else f"{low:,.0f} or more"


def write_file(file: str, text: str) -> None:
    """Write a file; what cannot be written says why."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{file} cannot be written: {(error.strerror or str(error)).lower()}") from None
