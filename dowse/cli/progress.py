"""Progress on standard error: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING

from dowse.cli.printing import write_span
from dowse.engine.job import FindRun
from dowse.reasons import say_count

if TYPE_CHECKING:
    from dowse.harvester.resume import HarvestRun

LIVE_SECONDS = 0.2  # between two updates on a terminal
PLAIN_SECONDS = 5.0  # between two lines elsewhere
SPEED_SECONDS = 10.0  # over which pages per second are averaged
MIN_FORECAST_SECONDS = 10.0  # below which the time left is not shown
CURVE_WIDTH, CURVE_HEIGHT = 60, 10  # characters
_BLOCKS = " ▁▂▃▄▅▆▇█"


@contextmanager
def counted(first: str, second: str) -> Iterator[Callable[[int, int], None]]:
    """Yield a function that shows two growing counts for as long as the block lasts."""
    live = sys.stderr.isatty()
    shown_at = time.monotonic()

    def tell(one: int, other: int) -> None:
        nonlocal shown_at
        if time.monotonic() - shown_at < (LIVE_SECONDS if live else PLAIN_SECONDS):
            return
        shown_at = time.monotonic()
        line = f"{say_count(one, first)}, {say_count(other, second)}"
        sys.stderr.write(f"\r{line}\x1b[K" if live else f"{line}\n")
        sys.stderr.flush()

    try:
        yield tell
    finally:
        if live:
            sys.stderr.write("\r\x1b[K")


@dataclass(slots=True)
class Speed:
    """Pages per second over the last few seconds."""

    points: deque[tuple[float, int]] = field(default_factory=deque)

    def update(self, now: float, pages: int) -> float:
        """Take a reading and return the speed."""
        self.points.append((now, pages))
        while self.points[0][0] < now - SPEED_SECONDS and len(self.points) > 2:
            self.points.popleft()
        begun, first = self.points[0]
        return (pages - first) / (now - begun) if now > begun else 0.0


@dataclass(frozen=True, slots=True)
class ProgressGoal:
    """What the time left is estimated against: sites or pages."""

    word: str
    total: int

    def left(self, done: int, seconds: float) -> str:
        """Estimate how long the rest takes at this pace."""
        if not done or not self.total or done > self.total:
            return ""
        left = seconds / done * (self.total - done)
        return f"{clock(left)} left" if left >= MIN_FORECAST_SECONDS else ""  # the last site takes as long as it takes


@asynccontextmanager
async def shown(run: FindRun) -> AsyncIterator[None]:
    """Show the progress of a search for as long as the block lasts."""
    show = _show_live if sys.stderr.isatty() else _show_plain
    task = asyncio.create_task(show(run))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def goal_of(run: FindRun) -> ProgressGoal:
    """Return what the run ends with: a budget, or the sites that wait."""
    if run.page_budget is not None:
        return ProgressGoal("pages", run.page_budget)
    if run.site_budget is not None:
        return ProgressGoal("sites", run.site_budget)
    return ProgressGoal("sites", 0 if run.seeks == "sites" else run.tally.sites + run.waiting)


async def _show_plain(run: FindRun) -> None:
    begun, speed = time.monotonic(), Speed()
    speed.update(begun, run.tally.pages)
    while True:
        await asyncio.sleep(PLAIN_SECONDS)
        sys.stderr.write(status_line(run, speed, begun, goal_of(run)) + "\n")
        sys.stderr.flush()


async def _show_live(run: FindRun) -> None:
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    begun, speed = time.monotonic(), Speed()
    with Live(console=Console(stderr=True), refresh_per_second=4, transient=True) as live:
        while True:
            grid = Table.grid(padding=(0, 2))
            for name, value in readings(run, speed, begun, goal_of(run)):
                grid.add_row(f"[dim]{name}[/dim]", value)
            live.update(grid)
            await asyncio.sleep(LIVE_SECONDS)


def status_line(run: FindRun, speed: Speed, begun: float, goal: ProgressGoal) -> str:
    """Write all readings in one line."""
    return ", ".join(f"{name} {value}" for name, value in readings(run, speed, begun, goal) if value)


def readings(run: FindRun, speed: Speed, begun: float, goal: ProgressGoal) -> list[tuple[str, str]]:
    """Return what is shown of a run, by name."""
    tally, now = run.tally, time.monotonic()
    sites = sites_done(run)
    left = goal.left(sites if goal.word == "sites" else tally.pages, now - begun)
    return [
        ("sites", f"{sites:,}" + (f" of {goal.total:,}" if goal.word == "sites" and goal.total else "")),
        ("pages", f"{tally.pages:,}" + (f" of {goal.total:,}" if goal.word == "pages" else "")),
        ("pages/s", f"{speed.update(now, tally.pages):,.0f}"),
        *_yields(run),
        ("time", clock(now - begun) + (f", {left}" if left else "")),
    ]


def sites_done(run: FindRun) -> int:
    """Return the sites that a run has searched, or found where it looks for sites."""
    return run.tally.sites_found if run.seeks == "sites" else run.tally.sites


def _yields(run: FindRun) -> list[tuple[str, str]]:
    """Return what the pages yielded."""
    tally = run.tally
    if run.seeks == "sites":
        return [("sites/page", f"{tally.sites_found / tally.pages:.4f}" if tally.pages else "")]
    found = [("sites found", f"{tally.sites_found:,}")] if tally.finder_pages else []
    return [
        *found,
        ("forms", f"{tally.forms:,}"),
        ("yield", f"{tally.harvest:.4f}"),
        ("errors", f"{sum(tally.errors.values()):,}"),
    ]


def clock(seconds: float) -> str:
    """Write a duration as people read it."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


@asynccontextmanager
async def showing(run: HarvestRun) -> AsyncIterator[None]:
    """Show the progress of a harvest for as long as the block lasts: a curve on a terminal, plain lines elsewhere."""
    task = asyncio.create_task(_show_live_curve(run) if sys.stderr.isatty() else _show_plain_curve(run))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _show_plain_curve(run: HarvestRun) -> None:
    begun = time.monotonic()
    while True:
        await asyncio.sleep(PLAIN_SECONDS)
        line = ", ".join(f"{name} {value}" for name, value in curve_readings(run, time.monotonic() - begun) if value)
        sys.stderr.write(line + "\n")
        sys.stderr.flush()


async def _show_live_curve(run: HarvestRun) -> None:
    from rich.console import Console, Group
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    begun = time.monotonic()
    with Live(console=Console(stderr=True), refresh_per_second=4, transient=True) as live:
        while True:
            grid = Table.grid(padding=(0, 2))
            for name, value in curve_readings(run, time.monotonic() - begun):
                grid.add_row(f"[dim]{name}[/dim]", value)
            live.update(Group(Text(plot_curve(run.curve, run.size.size if run.size else 0)), grid))
            await asyncio.sleep(LIVE_SECONDS)


def curve_readings(run: HarvestRun, seconds: float) -> list[tuple[str, str]]:
    """Return what is shown of a harvest, by name."""
    size, harvested = run.size, run.harvested
    rows = [
        ("records", f"{run.records:,}"),
        ("requests", f"{harvested.requests:,}" + (f" of {run.settings.rounds:,}" if run.settings.rounds else "")),
        ("queries", f"{harvested.queries:,}"),
    ]
    if size and not isfinite(size.high):
        rows.append(("estimated total", f"at least {max(size.low, run.records):,.0f}"))
    elif size:
        rows.append(("estimated total", f"{size.size:,.0f} ({write_span(size.low, size.high)})"))
        wanted = run.settings.until_coverage
        waits = f" (stops when at least {wanted:.0%} is sure; now {size.coverage_low:.1%})" if wanted else ""
        rows.append(("coverage", f"{size.coverage:.1%}{waits}"))
    left = run.forecast()
    rows += [("left", left)] if left else []
    return [*rows, ("time", clock(seconds))]


def plot_curve(points: Sequence[tuple[int, int]], size: float = 0) -> str:
    """Plot records against requests in block characters; the top is the estimated total, where there is one."""
    most_requests = max(1, points[-1][0])
    top = max(size, *(records for _, records in points), 1)
    heights = [
        _records_after(points, (column + 1) * most_requests / CURVE_WIDTH) / top * CURVE_HEIGHT
        for column in range(CURVE_WIDTH)
    ]
    rows = []
    for row in range(CURVE_HEIGHT - 1, -1, -1):
        cells = (_BLOCKS[max(0, min(8, round((height - row) * 8)))] for height in heights)
        label = f"{top:,.0f}" if row == CURVE_HEIGHT - 1 else ""
        rows.append(f"{label:>10} │{''.join(cells)}")
    return "\n".join(
        [*rows, f"{'':>10} └{'─' * CURVE_WIDTH}", f"{'records':>10}  0{most_requests:>{CURVE_WIDTH - 1},} requests"]
    )


def _records_after(points: Sequence[tuple[int, int]], requests: float) -> float:
    """Return the records after so many requests."""
    reached = 0
    for asked, records in points:
        if asked > requests:
            break
        reached = records
    return reached
