"""The tables and drawings of the harvests."""

from __future__ import annotations

from statistics import mean
from typing import Any

from bench.harvest.compare import MARKS, OURS, PAPER, TUNED, judge, judge_limit
from bench.plots import draw, paint_curves
from bench.report import markdown_table

Cells = dict[str, dict[str, Any]]
DRAWN = (("movies", "packages"), ("tate", "cities"))  # databases whose curves stand side by side


def write_requests(cells: Cells, mark: int) -> str:
    """Write the mean requests to a mark, for each source and selector."""
    names = [*PAPER, OURS, "all-knowing"]
    rows = [
        [name, f"{cell['records']:,}", *(show(cell["requests"].get(each, {}).get(str(mark))) for each in names)]
        for name, cell in cells.items()
    ]
    return markdown_table(["source / limit", "records", *names], rows, len(names) + 1)


def write_ratios(cells: Cells) -> str:
    """Write how ours compares, for each source without a limit."""
    rows = []
    for name, cell in cells.items():
        if not cell["limit"]:
            found = judge(cell)
            paper = [
                show(found[f"{mark} {what}over the paper's best"], "{:.2f}")
                for what, marks in (("", MARKS), ("full pages ", (90, 95)))
                for mark in marks
            ]
            knowing = [show(found[f"{mark} over all-knowing"], "{:.2f}") for mark in (90, 95)]
            rows.append([name.partition("/")[0], "yes" if cell["database"] in TUNED else "no", *paper, *knowing])
    heads = [
        "source",
        "tuned on",
        *(f"{mark} % / paper's best" for mark in MARKS),
        *(f"{mark} %, full pages / paper's best" for mark in (90, 95)),
        "90 % / all-knowing",
        "95 % / all-knowing",
    ]
    return markdown_table(heads, rows, 9)


def write_limits(cells: Cells) -> str:
    """Write what limits cost greedy and ours."""
    rows = []
    for name, cell in cells.items():
        free = cells.get(f"{cell['database']}/all")
        lost = judge_limit(cell, free) if cell["limit"] and free else {}
        if lost:
            reached = [f"{100 * mean(cell[way]) / cell['records']:.0f} %" for way in ("reachable alone", "reachable")]
            rows.append([name, *reached, *(show(each, "{:.2f}") for each in lost.values())])
    heads = ["source / limit", "one value reaches", "joins reach"]
    goals = ("of 90 %", "of what can be reached")
    told = [f"{who} {goal}" for goal in goals for who in ("lost by greedy", "lost by auto", "auto / greedy")]
    return markdown_table([*heads, *told], rows, 8)


def write_speed(speed: dict[str, Any]) -> str:
    """Write what choosing takes in a large source."""
    heads = ["selector", "records", "values", "ms for a choice", "MB"]
    rows = [
        [name, f"{one['records']:,}", f"{one['values']:,}", f"{one['milliseconds']:.2f}", f"{one['megabytes']:,}"]
        for name, one in speed["choices"].items()
    ]
    return markdown_table(heads, rows, 4)


def show(figure: float | None, form: str = "{:,.0f}") -> str:
    """Write a figure, or that there is none."""
    return form.format(figure) if figure is not None else "-"


def draw_curves(cells: Cells) -> dict[str, str]:
    """Draw the records against the requests, two databases side by side."""
    drawings = {}
    for pair in DRAWN:
        shown = [name for name in pair if f"{name}/all" in cells]
        if shown:
            title = f"Percent of the records drawn, by requests: {' and '.join(shown)}"
            drawings["-".join(shown)] = draw(title, len(shown), lambda axes, of=shown: _paint(axes, of, cells))  # type: ignore[misc]
    return drawings


def _paint(axes: list[Any], names: list[str], cells: Cells) -> None:
    for axis, name in zip(axes, names, strict=True):
        cell = cells[f"{name}/all"]
        curves = {each: average_steps(some) for each, some in cell["curves"].items()}
        paint_curves(axis, curves, dashed=("all-knowing",))
        most = max(curves[OURS][-1][0], 1.0)
        axis.set_xlim(0, 3 * most)  # the slow ones end far to the right
        axis.set_title(name)
        axis.set_xlabel("requests")
        axis.set_ylabel("% of all records")


def average_steps(curves: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Return the mean requests for each percent that all harvests reached."""
    shortest = min(len(curve["steps"]) for curve in curves)
    return [(sum(curve["steps"][at] for curve in curves) / len(curves), at + 1.0) for at in range(shortest)]
