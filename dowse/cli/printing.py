"""Printing: JSON for scripts on standard output, words for people, progress on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from math import isfinite

import click


def print_json(value: object) -> None:
    """Print one JSON object on one line."""
    from dowse.store.rows import to_json

    click.echo(to_json(value))
    sys.stdout.flush()


def note(line: str) -> None:
    """Say something to the person, beside the output."""
    click.echo(line, err=True)


def table(rows: Iterable[Sequence[object]], *, indent: str = "  ") -> str:
    """Lay rows out in columns; numbers to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    if not cells:
        return ""
    widths = [max(len(row[column]) for row in cells if column < len(row)) for column in range(max(map(len, cells)))]
    lines = []
    for row in cells:
        parts = [
            text.rjust(widths[column]) if _is_number(text) else text.ljust(widths[column])
            for column, text in enumerate(row)
        ]
        lines.append((indent + "  ".join(parts)).rstrip())
    return "\n".join(lines)


def printable(text: str) -> str:
    """Return text from the web without what would steer a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return printable(str(value))


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").replace("%", "").replace(" ", "").isdigit()


def write_span(low: float, high: float) -> str:
    """Write an interval of counts; one without an upper end says so."""
    return f"{low:,.0f} to {high:,.0f}" if isfinite(high) else f"{low:,.0f} or more"
