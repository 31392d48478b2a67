"""Where an element stands: the tags above it, without numbers, so that equal places read equal."""

from __future__ import annotations

from typing import Any

MAX_TAGS = 30  # deeper elements get the path of an ancestor
MAX_CLIMB = 512  # Chromium lets no tree grow deeper


class TagPaths:
    """The tag paths of one tree; each parent's is written once."""

    def __init__(self) -> None:
        self._known: dict[Any, str] = {}

    def of(self, element: Any) -> str:
        """Return a path such as html/body/div/ul/li."""
        known = self._known
        path = known.get(element)
        if path is not None:
            return path
        above = known.get(element.parent)  # most often a new li in a list that was met before
        if above:
            path = known[element] = _lengthen(above, element.tag)
            return path
        return self._write(element)

    def _write(self, element: Any) -> str:
        """Write the paths of an element and of all above it that have none yet."""
        climbed: list[Any] = []
        path: str | None = None
        while path is None and len(climbed) < MAX_CLIMB:
            climbed.append(element)
            element = element.parent
            path = "" if element is None else self._known.get(element)
        if path is None:
            path = "…"
        elif element is None:  # what was climbed last is no element but the tree itself
            self._known[climbed.pop()] = ""
        for below in reversed(climbed):
            path = self._known[below] = _lengthen(path, below.tag)
        return path


def _lengthen(path: str, tag: str) -> str:
    if not path:
        return tag
    full = len(path) >= 2 * MAX_TAGS - 5 and path.count("/") >= MAX_TAGS - 2  # one more is added by who asks
    return path if full else f"{path}/{tag}"
