"""Through which queries records came, and what that tells of the records that did not come.

All records of a value may have come through one query that was read to its end: then the value probably
lies within what was asked for (a model of a make), and has no others. Where they came through many
queries it has its share in what was not asked for.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

from dowse.select.graph import Graph

LONE: Final = 0  # one record, through a query that was read to its end
OPEN: Final = 1  # some came through queries that were not: more of the same is known to be there
WITHIN: Final = 2  # all came through one query that was read to its end
SPREAD: Final = 3  # they came through several
SPREADS: Final = 4
ENOUGH: Final = 24  # records of a value that are looked at: more tell no more


class Routes:
    """Of each record, the query that brought it first."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.via: list[int] = []  # records that came through queries of each attribute
        self._found_by = array("I")  # of each record
        self._whole = bytearray()  # of each query, whether all its records were seen
        self._attributes = array("h")  # of each query; -1 for one of several values

    def begin(self, attribute: int) -> None:
        """Take up a query of an attribute, which is under way from now on."""
        self._attributes.append(attribute)
        self._whole.append(1)  # until something else is known

    def end(self, known: Sequence[int] = ()) -> None:
        """Note that the last query was read to its end; of the records that it has, none is half seen any more."""
        query = len(self._whole) - 1
        for record in known:
            if not self._whole[self._found_by[record]]:
                self._found_by[record] = query

    def leave(self) -> None:
        """Note that the last query was not read to its end."""
        self._whole[-1] = 0

    def add(self, records: Sequence[int]) -> None:
        """Note that the query under way brought records."""
        query, attribute = len(self._whole) - 1, self._attributes[-1]
        missing = len(self.graph.attributes) - len(self.via)
        self.via.extend([0] * missing)
        self._found_by.extend([query] * len(records))
        if attribute >= 0:
            self.via[attribute] += len(records)

    def through_others(self, value: int) -> int:
        """Count the records of a value that came through queries of other attributes than its own."""
        own, found_by, attributes = self.graph.attribute_of[value], self._found_by, self._attributes
        return sum(attributes[found_by[record]] != own for record in self.graph.records_of(value))

    def spread(self, value: int) -> int:
        """Say how the records of a value came."""
        records = self.graph.records_of(value)
        queries = {self._found_by[record] for record in records[-ENOUGH:]}
        if not all(self._whole[query] for query in queries):
            return OPEN
        if len(queries) > 1:
            return SPREAD
        return LONE if len(records) == 1 else WITHIN
