"""How much of a page is kept, and a count of what is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

Part = TypeVar("Part")

MAX_ALL_OPTIONS = 20_000  # of all the selects of a page
MAX_ALL_FIELDS = 5_000  # of all the forms of a page; judging and pairing them takes 30 µs each


class Bounds:
    """The room that one page has."""

    def __init__(self) -> None:
        self._dropped: Counter[str] = Counter()
        self._options_left = MAX_ALL_OPTIONS
        self._fields_left = MAX_ALL_FIELDS

    def keep(self, what: str, found: Sequence[Part], limit: int) -> Sequence[Part]:
        """Return the first of what was found, and count the rest."""
        if len(found) <= limit:
            return found
        self.drop(what, len(found) - limit)
        return found[:limit]

    def keep_options(self, found: Sequence[Part], limit: int) -> Sequence[Part]:
        """Do as `keep` with the choices of one control, of which the page as a whole has a limit too."""
        kept = self.keep("options", found, min(limit, self._options_left))
        self._options_left -= len(kept)
        return kept

    def keep_fields(self, found: Sequence[Part], limit: int) -> Sequence[Part]:
        """Do as `keep` with the controls of one form, of which the page as a whole has a limit too."""
        kept = self.keep("fields", found, min(limit, self._fields_left))
        self._fields_left -= len(kept)
        return kept

    def drop(self, what: str, count: int = 1) -> None:
        """Count what was left out."""
        self._dropped[what] += count

    def dropped(self) -> tuple[tuple[str, int], ...]:
        """Return what was left out, and how many of each, by name."""
        return tuple(sorted(self._dropped.items()))
