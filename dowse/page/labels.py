"""What a page calls its controls in so many words: label for, a label around, aria-labelledby."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from dowse.page.heading import HEADINGS
from dowse.page.parser import HtmlNode, Tree, attribute, is_same
from dowse.page.text import collapse, read_words, read_words_before

_BOXES = ("radio", "checkbox")
MAX_LABELS = 5_000
MAX_WORDS = 200
MAX_REFERENCES = 10  # ids in one aria-labelledby


class Labels:
    """The labels of one page, and its elements by id."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._ids: dict[str, HtmlNode] | None = None
        self._around: dict[Any, Any] = {}  # control -> the label it stands in
        self._taken: dict[Any, Any] = {}  # label -> the first control in it
        self._shared: set[Any] = set()
        self._inside: dict[str, Any] = {}  # id of a control -> the label around it that names it by its id
        self._for: dict[str, HtmlNode] | None = None
        self._controls: Collection[HtmlNode] = ()
        self._control_ids: set[str] | None = None

    def wrap(self, label: HtmlNode, control: HtmlNode) -> None:
        """Note that a control stands in a label; a label names the only control in it."""
        if attribute(control, "type") == "hidden":
            return
        named = attribute(label, "for")
        if named:
            if named == attribute(control, "id"):
                self._inside.setdefault(named, label)
            return
        if label in self._taken:
            first = self._taken[label]
            if (
                self._around.pop(first, None) is not None
            ):  # its words stand between controls: layout tells which are whose
                self._shared.add(first)
            return
        self._taken[label] = control
        self._around[control] = label

    def shares(self, control: HtmlNode) -> bool:
        """Say whether a control is the first of several in one label: the words before it are its own."""
        return control in self._shared

    def know(self, controls: Collection[HtmlNode]) -> None:
        """Take the controls of the page: a label for none of them speaks for what is next to it."""
        self._controls = controls

    def is_taken(self, label: HtmlNode) -> bool:
        """Say whether a label speaks for a control."""
        named = attribute(label, "for")
        if named:
            if self._control_ids is None:
                self._control_ids = {attribute(control, "id") or "" for control in self._controls}
            return named in self._control_ids and is_same(self._inside.get(named, label), label)
        first = self._taken.get(label)
        return first is not None and first in self._around

    def find_id(self, id: str) -> HtmlNode | None:
        """Return the first element with an id; most pages never ask."""
        if self._ids is None:
            self._ids = {}
            for element in self._tree.select("[id]"):
                self._ids.setdefault(attribute(element, "id") or "", element)
        return self._ids.get(id) if id else None

    def _named(self) -> dict[str, HtmlNode]:
        """Return the labels by the id they are for, read when the first control asks."""
        if self._for is None:
            self._for = dict(
                self._inside
            )  # where two name one box, the one around it is its own, the other its group's
            for label in self._tree.tags("label")[:MAX_LABELS]:
                named = attribute(label, "for")
                if named:
                    self._for.setdefault(named, label)
        return self._for

    def of(self, control: HtmlNode, given: Mapping[str, Any]) -> str:
        """Return what a control with these attributes is called, or nothing."""
        around = self._around.get(control)
        label = self._named().get(given.get("id") or "") or around
        words = self._read_label(label) if label is not None else ""
        if (
            label is not None
            and words
            and (is_same(label, around) or is_same(label, self._inside.get(given.get("id") or "")))
        ):
            words = self._read_before(label, control, given) or words
        words = words or self._referred(given.get("aria-labelledby"))
        return self._read(control) if not words and control.tag == "button" else words

    def _read_label(self, label: HtmlNode) -> str:
        """Return the words of a label, without a heading at its start that has more words after it."""
        words = self._read(label)
        first = label.first_child
        if first is not None and first.tag in HEADINGS:
            return words[len(self._read(first)) :].strip() or words
        return words

    def _read_before(self, label: HtmlNode, control: HtmlNode, given: Mapping[str, Any]) -> str:
        """Return the words of a label before what it stands around: those after it are a unit or a hint.

        A box to tick is called by what follows it.
        """
        first = label.first_child
        if (given.get("type") or "").lower() in _BOXES or (first is not None and first.tag in HEADINGS):
            return ""
        words = read_words_before(label, control, MAX_WORDS)
        return words if any(letter.isalpha() for letter in words) else ""

    def _referred(self, ids: str | None) -> str:
        if not ids:
            return ""
        found = map(self.find_id, ids[:1000].split()[:MAX_REFERENCES])
        return collapse(" ".join(self._read(element) for element in found if element is not None), MAX_WORDS)

    def _read(self, element: HtmlNode) -> str:
        return read_words(element, MAX_WORDS)
