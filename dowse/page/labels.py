"""What a page calls its controls: label for, a label around, aria-label, aria-labelledby."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dowse.page.html import Element, Tree
from dowse.page.text import collapse, read_words

MAX_LABELS = 5_000
MAX_WORDS = 200
MAX_REFERENCES = 10  # ids in one aria-labelledby


class Labels:
    """The labels of one page, and its elements by id."""

    def __init__(self, tree: Tree, text_type: type[Any]) -> None:
        self._tree = tree
        self._text_type = text_type
        self._ids: dict[str, Element] | None = None
        self._around: dict[Any, Any] = {}  # control -> the label it stands in
        self._taken: set[Any] = set()
        self._for: dict[str, Element] = {}
        for label in tree.find_all("label")[:MAX_LABELS]:
            named = label.attr("for")
            if named:
                self._for.setdefault(named, label)

    def wrap(self, label: Element, control: Element) -> None:
        """Note that a control stands in a label; a label names the first control in it."""
        if label in self._taken or label.attr("for") or control.attr("type") == "hidden":
            return
        self._taken.add(label)
        self._around[control] = label

    def find_id(self, id: str) -> Element | None:
        """Return the first element with an id; most pages never ask."""
        if self._ids is None:
            self._ids = {}
            for element in self._tree.select("[id]"):
                self._ids.setdefault(element.attr("id") or "", element)
        return self._ids.get(id) if id else None

    def of(self, control: Element) -> str:
        """Return what a control is called, or nothing."""
        return next(filter(None, self._calls(control)), "")

    def _calls(self, control: Element) -> Iterator[str]:
        id = control.attr("id")
        if id and id in self._for:
            yield self._read(self._for[id])
        if control in self._around:
            yield self._read(self._around[control])
        yield collapse(control.attr("aria-label") or "", MAX_WORDS)
        referred = control.attr("aria-labelledby")
        if referred:
            found = map(self.find_id, referred[:1000].split()[:MAX_REFERENCES])
            yield collapse(" ".join(self._read(element) for element in found if element is not None), MAX_WORDS)
        if control.tag == "button":
            yield self._read(control)

    def _read(self, element: Element) -> str:
        return read_words(element, self._text_type, MAX_WORDS)
