"""A drawing for each figure of the paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bench.paper4.facts import ABORTING, LINKED, PUBLISHED_MMMI, SWITCHED_MMMI, Pair
from bench.paper4.figures import Cell, divide, find_cell
from bench.plots import COLOURS, draw, paint_curves

PANELS = 3  # side by side in one drawing


def draw_all(result: dict[str, Any]) -> dict[str, str]:
    """Return the drawings of what was measured."""
    cells, databases = result["cells"], list(result["degrees"])
    found = {}
    for number, names in enumerate(_split(databases), 1):
        found[f"degrees-{number}"] = _draw(
            "Degrees of values in real databases, log-log, with the power law that fits best", names,
            lambda axis, name: _paint_degrees(axis, name, result["degrees"][name]),
        )  # fmt: skip
        found[f"requests-{number}"] = _draw(
            "Requests for each part of the records, by selector",
            names,
            lambda axis, name: _paint_requests(axis, name, cells),
        )
    pairs = [Pair(**pair) for pair in result["settings"]["pairs"]]
    for number, some in enumerate(_split(pairs), 1):
        found[f"domain-{number}"] = _draw(
            "Part of the records against requests: greedy, domain statistics without a table, and with tables of two sizes", some,
            lambda axis, pair: _paint_domain(axis, pair, cells),
        )  # fmt: skip
        found[f"limits-{number}"] = _draw(
            "Part of the records against requests with answers limited to 10, 50 and not", some,
            lambda axis, pair: _paint_limits(axis, pair, cells),
        )  # fmt: skip
    aborting = list(dict.fromkeys(cell["database"] for cell in cells if cell["abort"] == "always"))
    for number, some in enumerate(_split(aborting), 1):
        found[f"leaving-{number}"] = _draw(
            "Requests to 90 % with answers that are left, over those with answers read to their end, by selector", some,
            lambda axis, name: _paint_leaving(axis, name, cells),
        )  # fmt: skip
    return found


def _split(names: Sequence[Any]) -> list[Sequence[Any]]:
    return [names[first : first + PANELS] for first in range(0, len(names), PANELS)]


def _draw(title: str, names: Sequence[Any], paint: Callable[[Any, Any], None]) -> str:
    def paint_all(axes: list[Any]) -> None:
        for place, (axis, name) in enumerate(zip(axes, names, strict=True)):
            paint(axis, name)
            if place and axis.get_legend():
                axis.get_legend().remove()

    return draw(title, len(names), paint_all)


def _paint_degrees(axis: Any, name: str, one: Cell) -> None:
    across, up = zip(*one["histogram"], strict=True)
    axis.plot(across, up, "o", color=COLOURS[0], markersize=3)
    start = next((place for place, degree in enumerate(across) if degree >= one["from"]), 0)
    law = [up[start] * (degree / across[start]) ** -one["exponent"] for degree in across[start:]]
    axis.plot(across[start:], law, "--", color=COLOURS[1], linewidth=1.2)
    axis.set(
        xscale="log", yscale="log", xlabel="degree", ylabel="part of the values", title=f"{name}: {one['exponent']:.2f}"
    )


def _points(cell: Cell | None) -> list[tuple[float, float]]:
    return [(float(place), requests) for place, requests in enumerate(cell["curve"], 1)] if cell else []


def _turn(cell: Cell | None) -> list[tuple[float, float]]:
    return [(requests, part) for part, requests in _points(cell)]


def _paint_requests(axis: Any, name: str, cells: list[Cell]) -> None:
    curves = {selector: _points(find_cell(cells, name, selector)) for selector in LINKED}
    paint_curves(axis, curves, dashed=("mmmi", PUBLISHED_MMMI, SWITCHED_MMMI))
    axis.set(xlabel="% of the records", ylabel="requests", title=name, yscale="log")


def _paint_domain(axis: Any, pair: Pair, cells: list[Cell]) -> None:
    name = pair.database
    curves = {
        "greedy": _turn(find_cell(cells, name, "greedy")),
        "no table": _turn(find_cell(cells, name, "domain")),
        "DM(I)": _turn(find_cell(cells, name, "domain", kin=pair.large)),
        "DM(II)": _turn(find_cell(cells, name, "domain", kin=pair.small)),
    }
    paint_curves(axis, curves, dashed=("no table",))
    axis.set(xlabel="requests", ylabel="% of the records", title=f"{name}\nby {pair.large}")


def _paint_leaving(axis: Any, name: str, cells: list[Cell]) -> None:
    shown = [
        (selector, divide(left, read, 90) or 0.0)
        for selector in ABORTING
        if (left := find_cell(cells, name, selector, abort="always")) and (read := find_cell(cells, name, selector))
    ]
    axis.barh([selector for selector, _ in shown], [ratio for _, ratio in shown], color=COLOURS[0])
    axis.axvline(1, color="#666666", linewidth=0.8)
    axis.invert_yaxis()
    axis.set(xlabel="left over read", title=name)


def _paint_limits(axis: Any, pair: Pair, cells: list[Cell]) -> None:
    kin, name = pair.large, pair.database
    curves = {}
    for limit in (0, 50, 10):
        shown = f"limit {limit}" if limit else "no limit"
        curves[f"greedy, {shown}"] = _turn(find_cell(cells, name, "greedy", limit=limit))
        curves[f"domain, {shown}"] = _turn(find_cell(cells, name, "domain", kin=kin, limit=limit))
    paint_curves(axis, curves, dashed=[each for each in curves if each.startswith("greedy")])
    axis.set(xlabel="requests", ylabel="% of the records", title=name, xscale="log")
