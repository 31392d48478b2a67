"""How far a search is: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from dowse.engine.local import Run

LIVE_SECONDS = 0.25
PLAIN_SECONDS = 5.0
RATE_SECONDS = 10.0


@dataclass(slots=True)
class Speed:
    """Pages per second over the last few seconds."""

    points: deque[tuple[float, int]] = field(default_factory=deque)

    def update(self, now: float, pages: int) -> float:
        """Take a reading and return the speed."""
        self.points.append((now, pages))
        while self.points[0][0] < now - RATE_SECONDS and len(self.points) > 2:
            self.points.popleft()
        begun, first = self.points[0]
        return (pages - first) / (now - begun) if now > begun else 0.0


@dataclass(frozen=True, slots=True)
class Goal:
    """What the time left is reckoned against: sites or pages."""

    word: str
    total: int

    def left(self, done: int, seconds: float) -> str:
        """Say how long the rest takes at this pace."""
        if not done or not self.total or done > self.total:
            return ""
        return f"{clock(seconds / done * (self.total - done))} left"


@asynccontextmanager
async def shown(run: Run) -> AsyncIterator[None]:
    """Show how a run goes for as long as the block lasts."""
    show = _show_live if sys.stderr.isatty() else _show_plain
    task = asyncio.create_task(show(run))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def goal_of(run: Run) -> Goal:
    """Return what the run ends with: a budget, or the sites that wait."""
    if run.page_budget:
        return Goal("pages", run.page_budget)
    if run.site_budget:
        return Goal("sites", run.site_budget)
    return Goal("sites", 0 if run.seeks == "sites" else run.tally.sites + run.waiting)


async def _show_plain(run: Run) -> None:
    begun, speed = time.monotonic(), Speed()
    speed.update(begun, run.tally.pages)
    while True:
        await asyncio.sleep(PLAIN_SECONDS)
        sys.stderr.write(status_line(run, speed, begun, goal_of(run)) + "\n")
        sys.stderr.flush()


async def _show_live(run: Run) -> None:
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


def status_line(run: Run, speed: Speed, begun: float, goal: Goal) -> str:
    """Say all readings in one line."""
    return ", ".join(f"{name} {value}" for name, value in readings(run, speed, begun, goal) if value)


def readings(run: Run, speed: Speed, begun: float, goal: Goal) -> list[tuple[str, str]]:
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


def sites_done(run: Run) -> int:
    """Return the sites that a run has searched, or found where it looks for sites."""
    return run.tally.sites_found if run.seeks == "sites" else run.tally.sites


def _yields(run: Run) -> list[tuple[str, str]]:
    """Return what the pages brought."""
    tally = run.tally
    if run.seeks == "sites":
        return [("sites/page", f"{tally.sites_found / tally.pages:.4f}" if tally.pages else "")]
    found = [("sites found", f"{tally.sites_found:,}")] if tally.finder_pages else []
    return [
        *found,
        ("forms", f"{tally.forms:,}"),
        ("harvest", f"{tally.harvest:.4f}"),
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
