"""How far a harvest is: records against requests as a curve on a terminal, plain lines elsewhere."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from dowse.cli.printing import write_span
from dowse.cli.progress import LIVE_SECONDS, PLAIN_SECONDS, clock

if TYPE_CHECKING:
    from dowse.harvest.run import Run

WIDTH, HEIGHT = 60, 10
_BLOCKS = " ▁▂▃▄▅▆▇█"


@asynccontextmanager
async def showing(run: Run) -> AsyncIterator[None]:
    """Show how a harvest goes for as long as the block lasts."""
    task = asyncio.create_task(_show_live(run) if sys.stderr.isatty() else _show_plain(run))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _show_plain(run: Run) -> None:
    begun = time.monotonic()
    while True:
        await asyncio.sleep(PLAIN_SECONDS)
        line = ", ".join(f"{name} {value}" for name, value in readings(run, time.monotonic() - begun) if value)
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


async def _show_live(run: Run) -> None:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    begun = time.monotonic()
    with Live(console=Console(stderr=True), refresh_per_second=4, transient=True) as live:
        while True:
            grid = Table.grid(padding=(0, 2))
            for name, value in readings(run, time.monotonic() - begun):
                grid.add_row(f"[dim]{name}[/dim]", value)
            live.update(Group(Text(draw_curve(run.curve, run.size.size if run.size else 0)), grid))
            await asyncio.sleep(LIVE_SECONDS)


def readings(run: Run, seconds: float) -> list[tuple[str, str]]:
    """Return what is shown of a harvest, by name."""
    size, drawn = run.size, run.drawn
    told = [
        ("records", f"{run.records:,}"),
        ("requests", f"{drawn.requests:,}" + (f" of {run.settings.rounds:,}" if run.settings.rounds else "")),
        ("queries", f"{drawn.queries:,}"),
    ]
    if size:
        told.append(("in all", f"about {size.size:,.0f} ({write_span(size.low, size.high)})"))
        told.append(("coverage", f"{size.coverage:.1%}"))
    left = run.forecast()
    if left:
        told.append(("to go", left))
    return [*told, ("time", clock(seconds))]


def draw_curve(points: Sequence[tuple[int, int]], size: float = 0) -> str:
    """Draw records against requests in block characters; a line on top is what there seems to be in all."""
    most_requests = max(1, points[-1][0])
    top = max(size, *(records for _, records in points), 1)
    heights = [_at(points, (column + 1) * most_requests / WIDTH) / top * HEIGHT for column in range(WIDTH)]
    rows = []
    for row in range(HEIGHT - 1, -1, -1):
        cells = (_BLOCKS[max(0, min(8, round((height - row) * 8)))] for height in heights)
        label = f"{top:,.0f}" if row == HEIGHT - 1 else ""
        rows.append(f"{label:>10} │{''.join(cells)}")
    return "\n".join([*rows, f"{'':>10} └{'─' * WIDTH}", f"{'records':>10}  0{most_requests:>{WIDTH - 1},} requests"])


def _at(points: Sequence[tuple[int, int]], requests: float) -> float:
    """Return the records after so many requests."""
    reached = 0
    for asked, records in points:
        if asked > requests:
            break
        reached = records
    return reached
