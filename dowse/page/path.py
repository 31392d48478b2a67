"""Where an element stands: the tags above it, without numbers, so that equal places read equal."""

from __future__ import annotations

from dowse.page.parser import DOCUMENT, HtmlNode

MAX_TAGS = 30  # deeper elements get the path of an ancestor
MAX_CLIMB = 512  # Chromium lets no tree grow deeper


class TagPaths:
    """The tag paths of one tree, such as html/body/div/ul/li/a, at a cost that does not grow with the number of its elements."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def __call__(self, element: HtmlNode) -> str:
        """Return the path of an element."""
        parent = element.parent
        if parent is None:
            return str(element.tag)
        above = self._known.get(parent.mem_id)
        if above is None:  # most often of a list item whose list is known
            over = parent.parent
            path = self._known.get(over.mem_id) if over is not None else None
            if path is None:
                above = self._climb(parent)
            else:
                above = self._known[parent.mem_id] = _lengthen(path, str(parent.tag))
        return f"{above}/{element.tag}" if above else str(element.tag)

    def _climb(self, element: HtmlNode) -> str:
        """Write the paths of an element and of all above it that have none yet."""
        climbed: list[HtmlNode] = []
        path: str | None = None
        above: HtmlNode | None = element
        while path is None and above is not None and len(climbed) < MAX_CLIMB:
            if above.tag == DOCUMENT:
                path = ""
                break
            climbed.append(above)
            above = above.parent
            path = self._known.get(above.mem_id) if above is not None else ""
        path = "…" if path is None else path
        for below in reversed(climbed):
            path = self._known[below.mem_id] = _lengthen(path, str(below.tag))
        return path


def _lengthen(path: str, tag: str) -> str:
    if not path:
        return tag
    full = len(path) >= 2 * MAX_TAGS - 5 and path.count("/") >= MAX_TAGS - 2  # one more is added by who asks
    return path if full else f"{path}/{tag}"
