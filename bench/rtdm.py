"""How long it takes to map real pages of about 1,500 tags and texts, beside apted and zss."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import mean, median
from typing import Any

from bench.install import Missing, install_trees
from bench.options import Options
from bench.places import PEERS
from bench.report import markdown_table
from bench.templatesets import PARTS, read_vertical
from dowse.tree.node import Node
from dowse.tree.similarity import ALL_REPEATS, Shape, compare, fingerprint_of, shape_of, similarity_bound

TITLE = "Mapping pages to each other"
SIZES = range(1_200, 1_801)  # tags and texts of a whole page
PAGES = 12  # read of each site
PAIRS = 100  # of pages of one site, and as many of two sites
PATIENCE = 25  # seconds that a peer gets for its one pair; both need more than 100
NAMES = ("apted", "zss")


def run(options: Options) -> dict[str, object]:
    """Map pairs of pages whole and as they are used; let each peer try one pair."""
    rng = Random(options.seed)
    sites = [pages for vertical in PARTS for pages in read_vertical(vertical, options.seed, PAGES).values()]
    sized = [
        [each for each in ((page, shape_of(page, repeats=ALL_REPEATS)) for page in some) if each[1].size in SIZES]
        for some in sites
    ]
    sized = [some for some in sized if len(some) > 1]
    options.say(f"  {sum(map(len, sized))} pages of {len(sized)} sites")
    pairs = {"of one site": _draw_inside(sized, rng), "of two sites": _draw_between(sized, rng)}
    times = {f"{kind}, {what}": _time(some, what) for kind, some in pairs.items() for what in WAYS}
    peers = {name: _try_peer(name, pairs["of one site"][0]) for name in NAMES}
    whole = [
        mean_of for name, mean_of in ((name, some["mean ms"]) for name, some in times.items()) if name.endswith("whole")
    ]
    return {
        "seeds": [options.seed],
        "settings": {"pairs": PAIRS, "patience": PATIENCE},
        "times": times,
        "peers": peers,
        "medians": {
            "mean ms, whole": mean(whole),
            "times as fast as": {
                name: 1000 * peer["seconds"] / peer["ours ms"] for name, peer in peers.items() if "seconds" in peer
            },
        },
    }


Pair = tuple[tuple[Node, Shape], tuple[Node, Shape]]


def _draw_inside(sites: Sequence[Sequence[tuple[Node, Shape]]], rng: Random) -> list[Pair]:
    drawn = (rng.sample(rng.choice(sites), 2) for _ in range(PAIRS))
    return [(first, second) for first, second in drawn]


def _draw_between(sites: Sequence[Sequence[tuple[Node, Shape]]], rng: Random) -> list[Pair]:
    drawn = (rng.sample(sites, 2) for _ in range(PAIRS))
    return [(rng.choice(first), rng.choice(second)) for first, second in drawn]


def _map_whole(pair: Pair) -> Callable[[], object]:
    return lambda: compare(pair[0][1], pair[1][1])


def _map_used(pair: Pair) -> Callable[[], object]:
    first, second = (shape_of(page) for page, _ in pair)
    return lambda: compare(first, second)


def _shape(pair: Pair) -> Callable[[], object]:
    return lambda: shape_of(pair[0][0])


def _print(pair: Pair) -> Callable[[], object]:
    shape = shape_of(pair[0][0])
    return lambda: fingerprint_of(shape)


def _compare_prints(pair: Pair) -> Callable[[], object]:
    first, second = (fingerprint_of(shape_of(page)) for page, _ in pair)
    return lambda: similarity_bound(first, second)


WAYS: dict[str, Callable[[Pair], Callable[[], object]]] = {
    "whole": _map_whole,
    "without repetitions": _map_used,
    "shape of one page": _shape,
    "fingerprint of one": _print,
    "two fingerprints": _compare_prints,
}


def _time(pairs: Sequence[Pair], what: str) -> dict[str, float]:
    taken = []
    for pair in pairs:
        work = WAYS[what](pair)
        taken.append(_clock(work))
    return {"mean ms": mean(taken), "median ms": median(taken), "most ms": max(taken)}


def _clock(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return 1000 * (time.process_time() - begun)


def _try_peer(name: str, pair: Pair) -> dict[str, Any]:
    """Let a peer measure one pair; where it runs out of time, the seconds are those that it had."""
    try:
        folder = install_trees()
    except Missing as missing:
        return {"missing": str(missing)}
    sizes = [shape.size for _, shape in pair]
    ours = mean(_clock(_map_whole(pair)) for _ in range(5))
    asked = json.dumps({"peer": name, "a": _to_lists(pair[0][1]), "b": _to_lists(pair[1][1])})
    words = [sys.executable, str(PEERS / "tree_peer.py")]
    path = {**os.environ, "PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(
            words, input=asked, env=path, capture_output=True, text=True, timeout=PATIENCE, check=True
        )
    except subprocess.TimeoutExpired:
        return {"sizes": sizes, "ours ms": ours, "seconds": float(PATIENCE), "ended": "not done by then"}
    except subprocess.CalledProcessError as error:
        return {"missing": (error.stderr.strip().splitlines() or ["no reason given"])[-1]}
    return {"sizes": sizes, "ours ms": ours, "ended": "done", **json.loads(done.stdout)}


def _to_lists(shape: Shape) -> list[Any]:
    """Return a shape as nested lists of label and children."""

    def write(name: int) -> list[Any]:
        part = shape.parts[name]
        return [part.label, [write(child) for child in part.children]]

    return write(shape.root)


def table(result: dict[str, Any]) -> str:
    """What each step takes, then the peers."""
    rows = [
        [name, *(f"{some[key]:.3f}" for key in ("mean ms", "median ms", "most ms"))]
        for name, some in result["times"].items()
    ]
    times = markdown_table(["pairs", "mean ms", "median ms", "most ms"], rows, numbers=3)
    peers = [_write_peer(name, peer) for name, peer in result["peers"].items()]
    return (
        f"{times}\n\n{markdown_table(['peer', 'seconds for one pair', 'Dowse, ms', 'times as fast'], peers, numbers=3)}"
    )


def _write_peer(name: str, peer: dict[str, Any]) -> list[str]:
    if "seconds" not in peer:
        return [name, f"not measured: {peer['missing']}", "", ""]
    more = "" if peer["ended"] == "done" else "over "
    ratio = 1000 * peer["seconds"] / peer["ours ms"]
    return [name, f"{more}{peer['seconds']:.1f}", f"{peer['ours ms']:.2f}", f"{more}{ratio:,.0f}"]


def notes(result: dict[str, Any]) -> str:
    """What a reader must know beside the table."""
    return (
        f"Pages of SWDE with {SIZES[0]:,} to {SIZES[-1]:,} tags and texts, all of them counted (whole) or without what repeats, as pages are "
        f"compared in a crawl; {PAIRS} pairs of each sort, seconds of the processor. apted and zss measure the tree edit distance without the "
        f"restriction, which is a harder question; each gets the first pair of one site and {PATIENCE} seconds in a process of its own. "
        "Where it is not done by then, the ratio is the least that it can be."
    )
