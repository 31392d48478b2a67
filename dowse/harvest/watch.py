"""Notices that a door has stopped answering in earnest: troubles one after the other, the same page for every query."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from dowse.harvest.loop import Draught

PATIENCE = 5  # queries without an answer, one after the other
CLEAR = 2  # the same for a captcha or a login: asking on makes it worse
SAME = 6  # different queries with the same records, one after the other
_GRAVE = ("captcha", "robot check", "log in", "login", "too many requests", "rate limit")


@dataclass(slots=True)
class Watch:
    """Looks at each page of a harvest; says why to stop."""

    troubles: int = 0
    grave: int = 0
    last: deque[tuple[int, ...]] = field(default_factory=lambda: deque(maxlen=SAME))
    skipped: dict[str, int] = field(
        default_factory=dict
    )  # queries that were not sent or not read to the end, by reason

    def note(self, draught: Draught) -> str:
        """Take in a page; return why the harvest should stop, or nothing."""
        asked, answer = draught.asked, draught.answer
        if draught.over and (asked.failed or asked.aborted):
            reason = asked.failed or asked.aborted
            self.skipped[reason] = self.skipped.get(reason, 0) + 1
        if asked.failed:
            return self._note_trouble(asked.failed)
        self.troubles = self.grave = 0
        if answer.page == 0 and answer.query.values:
            self.last.append(draught.numbers)
            if len(self.last) == SAME and self.last[0] and len(set(self.last)) == 1:
                return "the same records come for every query"
        return ""

    def _note_trouble(self, reason: str) -> str:
        self.troubles += 1
        self.grave += any(word in reason.lower() for word in _GRAVE)
        if self.grave >= CLEAR or self.troubles >= PATIENCE:
            return f"no answers any more: {reason}"
        return ""
