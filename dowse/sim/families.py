"""The template families by name."""

from __future__ import annotations

from collections.abc import Mapping

from dowse.sim.family_a import FAMILY_A
from dowse.sim.family_b import FAMILY_B
from dowse.sim.view import Family

FAMILIES: Mapping[str, Family] = {"A": FAMILY_A, "B": FAMILY_B}
