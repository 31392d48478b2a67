"""Plots as SVG text: the same figures give the same bytes, on a white ground, with a description for those who do not see."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bench import install

COLOURS = ("#1f5a8c", "#c2571a", "#3d7d3d", "#7a4a9c", "#8c6d1f", "#666666", "#b03060", "#2a8c8c")
WIDTH, HEIGHT = 7.2, 3.6  # inches of 72 points
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Series:
    """A row of values under a name, with an interval for each where there is one."""

    name: str
    values: Sequence[float]
    lows: Sequence[float] = ()
    highs: Sequence[float] = ()

    @property
    def errors(self) -> list[list[float]] | None:
        """How far the interval reaches below and above each value."""
        if not self.lows:
            return None
        below = [max(0.0, value - low) for value, low in zip(self.values, self.lows, strict=True)]
        return [below, [max(0.0, high - value) for value, high in zip(self.values, self.highs, strict=True)]]


def draw(title: str, panels: int, paint: Callable[[list[Any]], None]) -> str:
    """Return a drawing with panels side by side, painted by the given function; the title is its description."""
    with _drawing() as pyplot:
        figure, axes = pyplot.subplots(1, panels, figsize=(WIDTH, HEIGHT), squeeze=False, layout="constrained")
        paint(list(axes[0]))
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
        pyplot.close(figure)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines()) + "\n"


def describe(svg: str) -> str:
    """Return the description that a drawing carries."""
    found = _TITLE.search(svg)
    return found[1].strip() if found else ""


def paint_bars(axis: Any, names: Sequence[str], series: Sequence[Series], form: str = "{:,.0f}") -> None:
    """Paint bars side by side, each with its value above."""
    width = 0.8 / len(series)
    for place, one in enumerate(series):
        at = [number - 0.4 + width * (place + 0.5) for number in range(len(names))]
        bars = axis.bar(
            at, one.values, width * 0.95, yerr=one.errors, label=one.name, color=COLOURS[place], ecolor="#222222"
        )
        axis.bar_label(bars, labels=[form.format(value) for value in one.values], fontsize=7, padding=2)
    axis.set_xticks(range(len(names)), names)
    axis.margins(y=0.12)
    if len(series) > 1:
        axis.legend(frameon=False)


def paint_lines(axis: Any, places: Sequence[float], series: Sequence[Series]) -> None:
    """Paint lines with their intervals."""
    for place, one in enumerate(series):
        axis.errorbar(places, one.values, yerr=one.errors, label=one.name, color=COLOURS[place], marker="o", capsize=3)
    axis.set_xticks(list(places))
    if len(series) > 1:
        axis.legend(frameon=False)


def paint_curves(axis: Any, curves: Mapping[str, Sequence[tuple[float, float]]], dashed: Sequence[str] = ()) -> None:
    """Paint curves through points, without marks."""
    for place, (name, points) in enumerate(curves.items()):
        across, up = zip(*points, strict=True) if points else ((), ())
        colour = COLOURS[place % len(COLOURS)]
        axis.plot(across, up, "--" if name in dashed else "-", label=name, color=colour, linewidth=1.6)
    axis.legend(frameon=False, fontsize=8)


def move_legend(axes: Sequence[Any]) -> None:
    """Show the legend of the first of some axes, which all share, in the place of the last."""
    for axis in axes[:-1]:
        axis.get_legend().remove()
    axes[-1].axis("off")
    axes[-1].legend(*axes[0].get_legend_handles_labels(), frameon=False, fontsize=8, loc="center left")


def paint_histogram(axis: Any, low: float, width: float, counts: Sequence[int], over: Callable[[float], float]) -> None:
    """Paint a histogram, and over it the curve of how many values a bin would have."""
    middles = [low + (place + 0.5) * width for place in range(len(counts))]
    axis.bar(middles, counts, width, color="#9dbbd3", edgecolor="white")
    fine = [low + place * width / 4 for place in range(-4, 4 * len(counts) + 5)]
    axis.plot(fine, [over(each) for each in fine], color=COLOURS[1], linewidth=1.6)


@dataclass(frozen=True, slots=True)
class Dot:
    """A value across and one up, each with its interval: value, low, high."""

    name: str
    across: tuple[float, float, float]
    up: tuple[float, float, float]


def paint_dots(axis: Any, dots: Sequence[Dot], colour: str, *, line: str = "") -> None:
    """Paint dots with their intervals and names; a line style joins them."""
    across, up = ([getattr(dot, way) for dot in dots] for way in ("across", "up"))
    errors = [
        [[max(0.0, value - low) for value, low, _ in some], [max(0.0, high - value) for value, _, high in some]]
        for some in (across, up)
    ]
    axis.errorbar(
        [each[0] for each in across], [each[0] for each in up], xerr=errors[0], yerr=errors[1],
        fmt=f"o{line}", color=colour, ecolor="#999999", elinewidth=0.8, capsize=2, markersize=5,
    )  # fmt: skip
    for dot in dots:
        axis.annotate(
            dot.name, (dot.across[0], dot.up[0]), textcoords="offset points", xytext=(5, 5), fontsize=7, color=colour
        )


@contextmanager
def _drawing() -> Iterator[Any]:
    folder = str(install.install_plots())
    if folder not in sys.path:
        sys.path.append(folder)
    import matplotlib  # type: ignore[import-not-found,unused-ignore]

    matplotlib.use("svg")
    from matplotlib import pyplot

    look = {
        "svg.hashsalt": "dowse",
        "svg.fonttype": "path",  # the letters of one machine on all
        "font.size": 9,
        "font.family": "DejaVu Sans",  # comes with matplotlib
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "grid.color": "#dddddd",
        "axes.axisbelow": True,
        "figure.facecolor": "white",
        "savefig.facecolor": "white",
    }
    with pyplot.rc_context(look):
        yield pyplot
