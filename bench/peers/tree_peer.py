"""Measures with apted or zss how far two trees are apart: a name and two nested lists as JSON in, seconds and distance out."""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def measure_apted(a: list[Any], b: list[Any]) -> float:
    from apted import APTED, Config

    class Lists(Config):  # type: ignore[misc]
        def rename(self, node1: list[Any], node2: list[Any]) -> int:
            return int(node1[0] != node2[0])

        def children(self, node: list[Any]) -> list[Any]:
            return list(node[1])

    return float(APTED(a, b, Lists()).compute_edit_distance())


def measure_zss(a: list[Any], b: list[Any]) -> float:
    from zss import distance

    return float(
        distance(
            a, b, lambda node: node[1],
            insert_cost=lambda node: 1, remove_cost=lambda node: 1,
            update_cost=lambda one, other: int(one[0] != other[0]),
        )
    )  # fmt: skip


PEERS = {"apted": measure_apted, "zss": measure_zss}

if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    asked = json.load(sys.stdin)
    begun = time.process_time()
    found = PEERS[asked["peer"]](asked["a"], asked["b"])
    print(json.dumps({"seconds": time.process_time() - begun, "distance": found}))
