"""Template family B: sites by a second hand, with nothing in common with the first."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dowse.sim.family_b.addresses import ADDRESSES
from dowse.sim.family_b.designs_app import write_hydrated, write_shell
from dowse.sim.family_b.designs_cms import write_pageroot, write_regions, write_weblog
from dowse.sim.family_b.designs_early import write_gazette, write_homestead, write_jumpgate, write_tiles
from dowse.sim.family_b.designs_modern import write_ministry, write_swift, write_twelve, write_utility
from dowse.sim.family_b.designs_server import write_board, write_dense, write_portlets, write_postback, write_stacks
from dowse.sim.family_b.details import DETAILS
from dowse.sim.family_b.forms import FORMS, LABELS, write_form
from dowse.sim.family_b.lists import LISTS, write_notes, write_text
from dowse.sim.family_b.naming import MARKS
from dowse.sim.family_b.results import RESULTS
from dowse.sim.view import Family, View

__all__ = ["FAMILY_B"]

_DESIGNS: Mapping[str, Callable[[View], str]] = {
    "homestead": write_homestead,
    "jumpgate": write_jumpgate,
    "gazette": write_gazette,
    "tiles": write_tiles,
    "postback": write_postback,
    "portlets": write_portlets,
    "stacks": write_stacks,
    "board": write_board,
    "dense": write_dense,
    "pageroot": write_pageroot,
    "weblog": write_weblog,
    "regions": write_regions,
    "twelve": write_twelve,
    "utility": write_utility,
    "ministry": write_ministry,
    "swift": write_swift,
    "hydrated": write_hydrated,
    "shell": write_shell,
}

FAMILY_B = Family(
    name="B",
    designs=_DESIGNS,
    old=frozenset({"homestead", "jumpgate", "gazette"}),
    labels=LABELS,
    forms=FORMS,
    results=RESULTS,
    details=DETAILS,
    lists=LISTS,
    marks=MARKS,
    write_form=write_form,
    write_notes=write_notes,
    write_text=write_text,
    addresses=ADDRESSES,
)
