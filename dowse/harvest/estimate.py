"""How large the source seems while it is drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dowse.harvest.loop import Draught
from dowse.select.graph import Graph


@dataclass(slots=True)
class Estimator:
    graph: Graph

    def note(self, draught: Draught) -> None: ...

    def estimate(self) -> Any: return None
