"""Where an element stands: the tags above it, without numbers, so that equal places read equal."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

MAX_TAGS = 30  # deeper elements get the path of an ancestor
MAX_CLIMB = 512  # Chromium lets no tree grow deeper

_NUMBER = re.compile(r"\[\d+\]")

TagPath = Callable[[Any], str]  # an element gives a path such as html/body/div/ul/li/a


@lru_cache(maxsize=5_000)
def without_numbers(xpath: str) -> str:
    """Return /html/body/div[2]/a as html/body/div/a; the pages of a site have the same few hundred places."""
    tags = _NUMBER.sub("", xpath[1:]).split("/")
    return "/".join(tags if len(tags) <= MAX_TAGS else [*tags[: MAX_TAGS - 1], tags[-1]])


class ClimbedPaths:
    """The tag paths of one tree, at a cost that does not grow with the number of its elements."""

    def __init__(self) -> None:
        self._known: dict[Any, str] = {}

    def __call__(self, element: Any) -> str:
        """Return the path of an element."""
        return f"{self._of(element.parent)}/{element.tag}"

    def _of(self, element: Any) -> str:
        """Write the paths of an element and of all above it that have none yet."""
        climbed: list[Any] = []
        path = self._known.get(element)
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
