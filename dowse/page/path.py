"""Where an element stands: the tags above it, without numbers, so that equal places read equal."""

from __future__ import annotations

from typing import Any

from dowse.page.html import Element

MAX_TAGS = 30  # deeper elements get the path of their 30th ancestor
MAX_CLIMB = 512  # Chromium lets no tree grow deeper


class TagPaths:
    """The tag paths of one tree; each parent's is written once."""

    def __init__(self) -> None:
        self._known: dict[Any, str] = {}

    def of(self, element: Element) -> str:
        """Return a path such as html/body/div/ul/li/a."""
        parent = element.parent
        above = self._known.get(parent)
        if above is None:
            above = self._write(parent)
        return f"{above}/{element.tag}" if above else element.tag

    def _write(self, parent: Any) -> str:
        """Write the paths of an element and of all above it that have none yet."""
        climbed: list[Any] = []
        above: str | None = None
        while above is None and len(climbed) < MAX_CLIMB:
            climbed.append(parent)
            parent = parent.parent
            above = "" if parent is None else self._known.get(parent)
        path = "…" if above is None else above
        for element in reversed(climbed):
            path = self._known[element] = _lengthen(path, element)
        return path


def _lengthen(path: str, element: Any) -> str:
    if element.parent is None:  # the tree itself, above the root
        return ""
    if path.count("/") >= MAX_TAGS - 2:
        return path
    return f"{path}/{element.tag}" if path else str(element.tag)
