"""Whether a page still looks like those that a wrapper was made from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dowse.model import Verdict
from dowse.records.count import best_count, says_nothing_found
from dowse.records.frame import frame_likeness
from dowse.records.template import Wrapper
from dowse.tree.node import Node

SAME_FRAME: Final = 0.6  # share of what stands around records that is there when nothing was found
MORE_LINES: Final = 1.5  # times the lines around records before a page without records holds something else
SOME_LINES: Final = 8  # lines that a page may have more than others
STRANGERS: Final = 3  # things at the place of records that are none, more than there were


def judge_fit(wrapper: Wrapper, tree: Node, lines: Sequence[str], strangers: int, records: int) -> Verdict:
    """Say whether a page is built like the others; one without records must be so all around."""
    if records:
        return _judge_found(wrapper, strangers, records)
    if any(map(says_nothing_found, lines)):
        return Verdict(True, "no records, and the page says so")
    likeness = frame_likeness(wrapper.frame, tree)
    if likeness < SAME_FRAME:
        return Verdict(False, f"built differently: {likeness:.0%} of what stood around records is there")
    count = best_count(lines)
    if count is not None and count.number > 0:
        return Verdict(False, f"says that there are {count.number:,} records, and none is where they stood")
    if strangers > wrapper.strangers + STRANGERS:
        return Verdict(False, f"{strangers} things stand where records stood, and none is like them")
    if len(lines) > MORE_LINES * wrapper.lines + SOME_LINES:
        return Verdict(
            False, f"no record where they stood, and {len(lines)} lines elsewhere instead of {wrapper.lines}"
        )
    return Verdict(True, "no records, and the page is built as before")


def _judge_found(wrapper: Wrapper, strangers: int, records: int) -> Verdict:
    others = strangers - wrapper.strangers - STRANGERS
    if others > records:
        return Verdict(False, f"only {records} of {records + strangers} things where records stood are like them")
    return Verdict(True, f"{records} records")
