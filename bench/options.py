"""What the user of the bench can choose."""

from __future__ import annotations

import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """The same for every experiment; each takes what it needs."""

    repeats: int = 3
    extent: str = "short"  # or "full", for experiments that can do more
    seed: int = 1
    hosts: int = 500  # throughput: virtual hosts
    few_hosts: int = 100  # throughput: virtual hosts for the slow peers
    crawlers: tuple[str, ...] = ()  # throughput: only these
    sites: int = 2000  # memory: sites searched
    kills: int = 100  # chaos
    parts: tuple[str, ...] = ()  # of long experiments: only these

    def say(self, line: str) -> None:
        """Print how it goes."""
        print(line, file=sys.stderr, flush=True)
