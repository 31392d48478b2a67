"""What the paper claims beside what was measured: figures that can have a floor, none of them over what was not measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bench.paper4.facts import FILMS, LIMITS, MISFITS, NAIVE, PAIRS, PUBLISHED_MMMI

Cell = dict[str, Any]


def find_cell(
    cells: Iterable[Cell], database: str, selector: str, *, kin: str = "", limit: int = 0, abort: str = "never"
) -> Cell | None:
    """Return the trial of a database, if it was made."""
    wanted = {"database": database, "selector": selector, "kin": kin, "limit": limit, "abort": abort}
    return next((cell for cell in cells if wanted.items() <= cell.items()), None)


def list_databases(cells: Iterable[Cell]) -> list[str]:
    """Return the databases that were harvested by the selectors of Fig. 3."""
    return list(dict.fromkeys(cell["database"] for cell in cells if cell["selector"] == "greedy" and not cell["limit"]))


def divide(one: Cell | None, other: Cell | None, mark: int) -> float | None:
    """Return the requests of one trial over those of another."""
    first, second = (cell["marks"][str(mark)] if cell else None for cell in (one, other))
    return round(first / second, 3) if first and second else None


def divide_span(one: Cell | None, other: Cell | None, low: int, high: int) -> float | None:
    """Return the requests of two trials to a mark, one over the other, both from where the other has passed a lower mark.

    Who switches at the lower mark has come there with the same requests; who switches before keeps what that saves or costs.
    """
    ends = [cell["marks"][str(high)] if cell else None for cell in (one, other)]
    first = other["marks"][str(low)] if other else None
    return round((ends[0] - first) / (ends[1] - first), 3) if first and all(ends) else None


def lose(limited: Cell | None, free: Cell | None) -> float | None:
    """Return the part that a limit costs of what is harvested with the budget of Fig. 5 and 6."""
    if limited is None or free is None:
        return None
    return round(1 - float(limited["within the budget"] / free["within the budget"]), 3)


def find_worst(figures: Mapping[str, float | None]) -> float | None:
    """Return the largest figure; None where one is missing, or there is none: what was not measured is not reached."""
    known = [each for each in figures.values() if each is not None]
    return max(known) if known and len(known) == len(figures) else None


def judge(cells: list[Cell], sizes: list[Cell], interfaces: Mapping[str, Cell]) -> dict[str, Any]:
    """Return the figures that can have a floor."""
    names = list_databases(cells)
    found: dict[str, Any] = {"fewest runs that differ": min((cell["runs"] for cell in cells), default=None)}
    tables = {
        "greedy over the best naive, 90 %": {name: _compare_naive(cells, name) for name in names},
        "mmmi over greedy, 95 %": {
            name: divide(find_cell(cells, name, "mmmi"), find_cell(cells, name, "greedy"), 95) for name in names
        },
        "mmmi over greedy, 85 to 95 %": {name: _compare_tail(cells, name, "mmmi") for name in names},
        "published mmmi over greedy, 85 to 95 %": {name: _compare_tail(cells, name, PUBLISHED_MMMI) for name in names},
        "table over none, 80 %": {f"{pair.large} to {pair.database}": _compare_table(cells, pair.large, pair.database, 80) for pair in PAIRS},
        "table that does not fit over none, 80 %": {f"{kin} to {name}": _compare_table(cells, kin, name, 80) for kin, name in MISFITS},
        "table that does not fit over none, 90 %": {f"{kin} to {name}": _compare_table(cells, kin, name, 90) for kin, name in MISFITS},
        "leaving answers over reading them, 90 %": compare_aborting(cells, 90),
    }  # fmt: skip
    found |= tables
    found |= {f"worst {what}": find_worst(figures) for what, figures in tables.items()}
    found["films"] = _judge_films(cells)
    held = [one["truth"] <= one["published"] for one in sizes]
    found["sizes under the published bound"] = sum(held) / len(held) if held else None
    found["one attribute alone"] = {name: one["single"] / one["interfaces"] for name, one in interfaces.items()}
    return found


def _compare_naive(cells: list[Cell], name: str) -> float | None:
    ratios = [divide(find_cell(cells, name, "greedy"), find_cell(cells, name, naive), 90) for naive in NAIVE]
    return max((each for each in ratios if each), default=None)


def _compare_tail(cells: list[Cell], name: str, selector: str) -> float | None:
    return divide_span(find_cell(cells, name, selector), find_cell(cells, name, "greedy"), 85, 95)


def _compare_table(cells: list[Cell], kin: str, name: str, mark: int) -> float | None:
    return divide(find_cell(cells, name, "domain", kin=kin), find_cell(cells, name, "domain"), mark)


def compare_aborting(cells: list[Cell], mark: int) -> dict[str, float | None]:
    """Return what leaving answers saves each selector on each database."""
    return {
        f"{cell['selector']} on {cell['database']}": divide(
            cell, find_cell(cells, cell["database"], cell["selector"]), mark
        )
        for cell in cells
        if cell["abort"] == "always"
    }


def _judge_films(cells: list[Cell]) -> dict[str, Any]:
    """Return the figures of Fig. 5 and 6 for films, the paper's own domain."""
    name = FILMS.database
    greedy = find_cell(cells, name, "greedy")
    large, small = (find_cell(cells, name, "domain", kin=kin) for kin in (FILMS.large, FILMS.small))
    found: dict[str, Any] = {
        "domain within the budget": large["within the budget"] if large else None,
        "domain over greedy, 80 %": divide(large, greedy, 80),
        "more than greedy within the budget": round(large["within the budget"] - greedy["within the budget"], 3)
        if large and greedy
        else None,
        "smaller table over larger, 80 %": divide(small, large, 80),
    }
    for limit in LIMITS:
        found[f"greedy loses at a limit of {limit}"] = lose(find_cell(cells, name, "greedy", limit=limit), greedy)
        limited = find_cell(cells, name, "domain", kin=FILMS.large, limit=limit)
        found[f"domain loses at a limit of {limit}"] = lose(limited, large)
    return found
