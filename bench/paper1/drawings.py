"""A drawing for each figure of the paper."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from statistics import NormalDist
from typing import Any

from bench.paper1.facts import (
    ADAPTIVE,
    FIG3_WITHIN_3,
    FIG17_COVERAGE,
    FIG17_HARVEST,
    ORDERS,
    OURS,
    PAPER,
    SETTINGS,
)
from bench.paper1.wide import list_wide
from bench.paper1.windows import read_setting
from bench.plots import COLOURS, Dot, Series, draw, paint_curves, paint_dots, paint_histogram, paint_lines

Part = dict[str, Any]
PAPER_COLOUR = "#111111"


def draw_all(parts: dict[str, Part]) -> dict[str, str]:
    """Return the drawings of what was measured."""
    return {name: paint(parts) for name, (part, paint) in DRAWINGS.items() if part in parts}


def draw_depths(parts: dict[str, Part]) -> str:
    """Fig. 3."""
    counts = parts["local"]["depths"]["counts"]

    def paint(axes: list[Any]) -> None:
        shares = {what: [100 * each / max(1, sum(some)) for each in some] for what, some in counts.items()}
        depths = range(len(counts["pages"]))
        paint_lines(axes[0], depths, [Series(what, some) for what, some in shares.items()])
        axes[0].set(xlabel="depth", ylabel="% at this depth")
        paint_lines(axes[1], depths, [Series(what, list(accumulate(some))) for what, some in shares.items()])
        for place, what in enumerate(counts):
            axes[1].plot([3], [100 * FIG3_WITHIN_3[what]], "D", color=COLOURS[place], markeredgecolor=PAPER_COLOUR)
        axes[1].set(xlabel="down to depth (diamonds: the paper)", ylabel="% so far", ylim=(0, 105))
        axes[1].get_legend().remove()

    return draw(
        "Lines: pages, query forms and other sites by depth, each and added up, beside the paper's parts", 2, paint
    )


def draw_trials(parts: dict[str, Part]) -> str:
    """Fig. 5."""
    trials = parts["local"]["trials"]

    def paint(axes: list[Any]) -> None:
        for axis, figure in zip(axes, ("harvest", "coverage"), strict=True):
            one = trials.get(figure)
            if one:
                _paint_trial(axis, one, trials["trials"])
            axis.set(xlabel=f"mean {figure} of {trials['sites']} sites", ylabel="trials")

    return draw(
        "Histograms: mean harvest and coverage of exhaustive:3 over many samples, with the normal curve", 2, paint
    )


def _paint_trial(axis: Any, one: Part, trials: int) -> None:
    histogram = one["histogram"]
    normal = NormalDist(one["mean"], max(one["error"], 1e-12))
    high = trials * histogram["width"]
    paint_histogram(axis, histogram["low"], histogram["width"], histogram["counts"], lambda at: high * normal.pdf(at))
    for end in (-1.96, 1.96):
        axis.axvline(one["mean"] + end * one["error"], color="#666666", linestyle=":", linewidth=1)


def draw_tradeoff(parts: dict[str, Part]) -> str:
    """Fig. 17 as a picture: harvest against coverage."""
    strategies = parts["local"]["strategies"]

    def dots(names: tuple[str, ...]) -> list[Dot]:
        return [
            Dot(_label(name), _ends(strategies[name]["site coverage"]), _ends(strategies[name]["site harvest"]))
            for name in names
        ]

    def paint(axes: list[Any]) -> None:
        ours = sorted((OURS, *SETTINGS), key=lambda name: strategies[name]["site coverage"]["value"])
        paint_dots(axes[0], dots(PAPER), COLOURS[0])
        paint_dots(axes[0], dots(("tagpath",)), COLOURS[2])
        paint_dots(axes[0], dots(tuple(ours)), COLOURS[1], line="-")
        axes[0].set(xlabel="mean coverage", ylabel="mean harvest", title="measured", yscale="log")
        paper = [
            Dot(name, _around(*FIG17_COVERAGE[name]), _around(*FIG17_HARVEST[name])) for name in PAPER
        ]  # fmt: skip
        paint_dots(axes[1], paper, PAPER_COLOUR)
        axes[1].set(xlabel="mean coverage", title="the paper", yscale="log")

    return draw(
        "Dots: harvest against coverage of each strategy, ours as a curve over its setting, and the paper's", 2, paint
    )


def _label(name: str) -> str:
    """Return what stands beside a dot; of ours the setting is enough."""
    return name.partition(":")[2] if name in SETTINGS else name


def _ends(interval: dict[str, Any]) -> tuple[float, float, float]:
    return interval["value"], interval["low"], interval["high"]


def _around(value: float, half: float) -> tuple[float, float, float]:
    return value, value - half, value + half


def draw_wide(parts: dict[str, Part]) -> str:
    """Fig. 18."""

    def paint(axes: list[Any]) -> None:
        curves = {
            name: [(sites, forms / max(1, pages)) for sites, pages, forms in one["points"] if forms]
            for name, one in list_wide(parts).items()
        }
        paint_curves(axes[0], curves)
        axes[0].set(xlabel="sites searched", ylabel="query forms per page", yscale="log")

    return draw("Curves: harvest of each strategy as more sites are searched", 1, paint)


def draw_windows(parts: dict[str, Part]) -> str:
    """Fig. 19 in the usual world."""
    return _draw_windows(parts["windows"]["settings"], "the usual world")


def draw_windows_many(parts: dict[str, Part]) -> str:
    """Fig. 19 in a world of many links."""
    return _draw_windows(parts["windows-many"]["settings"], "a world of many links")


def _draw_windows(settings: dict[str, Part], world: str) -> str:
    chances = sorted({read_setting(name)[2] for name in ADAPTIVE})

    def paint(axes: list[Any]) -> None:
        for axis, figure in zip(axes, ("harvest", "coverage"), strict=True):
            names = [[name for name in ADAPTIVE if read_setting(name)[2] == chance] for chance in chances]
            rows = [[settings[name][f"site {figure}"]["value"] for name in some] for some in names]
            paint_lines(
                axis, range(len(rows[0])), [Series(f"p = {p:g}", row) for p, row in zip(chances, rows, strict=True)]
            )
            labels = ["{},{}".format(*read_setting(name)[:2]) for name in names[0]]
            axis.set_xticks(range(len(labels)), labels, fontsize=7)
            axis.set(xlabel="T,S", title=f"mean {figure}")

    return draw(f"Lines: harvest and coverage of Adaptive in {world} for each threshold, window and chance", 2, paint)


def draw_finder(parts: dict[str, Part]) -> str:
    """Fig. 20."""

    def paint(axes: list[Any]) -> None:
        curves = {
            f"from {parts['finder'][start]['known']:,} {what}": [
                (pages, found / max(1, pages)) for pages, found in parts["finder"][start]["points"]
            ]
            for start, what in (("seeds", "seeds"), ("list", "known sites"))
        }
        paint_curves(axes[0], curves)
        axes[0].set(xlabel="pages", ylabel="new sites per page", ylim=(0, None))

    return draw("Curves: new sites per page of the Site Finder from a hundred seeds and from a large list", 1, paint)


def draw_crawls(parts: dict[str, Part]) -> str:
    """Fig. 21 (b)."""

    def paint(axes: list[Any]) -> None:
        curves = {
            f"page-based, {name}" if name in ORDERS else name: [(pages, forms / max(1, pages)) for pages, forms in one["points"] if forms]
            for name, one in parts["crawls"]["ways"].items()
        }  # fmt: skip
        paint_curves(axes[0], curves, dashed=[name for name in curves if name.startswith("page-based")])
        axes[0].set(xlabel="pages", ylabel="query forms per page", yscale="log")

    return draw("Curves: harvest of site-based and page-based crawls from the same seeds", 1, paint)


DRAWINGS: dict[str, tuple[str, Callable[[dict[str, Part]], str]]] = {
    "depth": ("local", draw_depths),
    "trials": ("local", draw_trials),
    "tradeoff": ("local", draw_tradeoff),
    "wide": ("wide", draw_wide),
    "adaptive-many": ("windows-many", draw_windows_many),
    "adaptive": ("windows", draw_windows),
    "finder": ("finder", draw_finder),
    "crawls": ("crawls", draw_crawls),
}
