"""Notices that a door has stopped answering in earnest: troubles one after the other, the same page for every query."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field

from dowse.harvest.loop import Draught
from dowse.page.tree import MAX_TEXT
from dowse.records import listing
from dowse.records.detail import LONGEST_VALUE
from dowse.records.pieces import MAX_PIECE
from dowse.records.trouble import CONSENT, ELSEWHERE, LOGIN

PATIENCE = 5  # queries without an answer, one after the other
CLEAR = 2  # the same for a captcha or a login: asking on makes it worse
SAME = 6  # different queries with the same records, one after the other
NO_ANSWERS = "no answers any more"
_GRAVE = ("captcha", "robot check", "log in", "login", "too many requests", "rate limit", "consent")
CUT_SHORT = "records with a value as long as one can be: its end may be missing"
_BOUNDS = (MAX_TEXT, MAX_PIECE, LONGEST_VALUE, listing.MAX_TEXT)  # characters of a value, by where it stands
_CUT = frozenset(length for bound in _BOUNDS for length in (bound, bound - 1))  # the last one may have been a blank
_LED_AWAY = frozenset({LOGIN, CONSENT, ELSEWHERE})
_NUMBERS = re.compile(r"\d[\d.,]*")  # the same reason for all of its like


def count_reason(counts: dict[str, int], reason: str) -> None:
    """Count a reason once more."""
    counts[reason] = counts.get(reason, 0) + 1


@dataclass(slots=True)
class Watch:
    """Looks at each page of a harvest; says why to stop."""

    troubles: int = 0
    grave: int = 0
    last: deque[tuple[int, ...]] = field(default_factory=lambda: deque(maxlen=SAME))
    skipped: dict[str, int] = field(
        default_factory=dict
    )  # queries that were not sent or not read to the end, by reason

    noticed: dict[str, int] = field(default_factory=dict)  # what makes the rest less sure

    def note(self, draught: Draught) -> str:
        """Take in a page; return why the harvest should stop, or nothing."""
        asked, answer = draught.asked, draught.answer
        if draught.over and (asked.failed or asked.aborted):
            count_reason(self.skipped, _NUMBERS.sub("…", asked.failed or asked.aborted))
        self._note_oddities(draught)
        if asked.failed and not answer.requests and not answer.failure:  # it was never sent: the door is not to blame
            return ""
        if asked.failed:
            return self._note_trouble(asked.failed)
        self.troubles = self.grave = 0
        if answer.page == 0 and answer.query.values:
            self._note_first(draught)
            if len(self.last) == SAME and self.last[0] and len(set(self.last)) == 1:
                return "the same records come for every query"
        return ""

    def _note_first(self, draught: Draught) -> None:
        """Keep what words of any kind brought; of other attributes only what differs: those that ask for nothing are left out one by one."""
        words = any(not value.attribute for value in draught.answer.query.values)
        if words or (self.last and self.last[-1] != draught.numbers):
            self.last.append(draught.numbers)

    def _note_oddities(self, draught: Draught) -> None:
        """Count what does not end a harvest, but makes it less sure."""
        asked = draught.asked
        cut = sum(any(len(value.text) in _CUT for value in record.values) for record in draught.new)
        if cut:
            self.noticed[CUT_SHORT] = self.noticed.get(CUT_SHORT, 0) + cut
        if draught.over and asked.repeats:
            count_reason(
                self.noticed, "answers that showed records twice: their order changes, or records came in meanwhile"
            )

    def _note_trouble(self, reason: str) -> str:
        self.troubles += 1
        if reason in _LED_AWAY:
            count_reason(self.noticed, f"pages that came instead of an answer: {reason}")
        self.grave += any(word in reason.lower() for word in _GRAVE)
        if self.grave >= CLEAR or self.troubles >= PATIENCE:
            return f"{NO_ANSWERS}: {reason}"
        return ""
