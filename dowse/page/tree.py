"""A response as a tree, in which records are found, and its words with their places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dowse.page.parser import COMMENT, TEXT, HtmlNode, Tree, attribute, descend
from dowse.page.text import leave_out
from dowse.tree.node import KEPT, MAX_DEPTH, MAX_NODES, NOTHING, Node

# --- tree
# A response as a tree: what records are found in, without code, choices and words for other browsers.

MAX_TEXT: Final = 2_000  # characters of one text
MAX_SCRIPT: Final = 100_000  # characters of a script that declares records
MAX_ATTRIBUTE: Final = 1_000  # characters of one attribute; addresses may be long

_UNSEEN = frozenset(
    "head script style noscript iframe noframes select textarea datalist template svg object".split()
) | {COMMENT, ""}
_JSON = "application/ld+json"
_LISTS = ("class", "rel")  # attributes that hold several words
_BLANKS = (" ", "\xa0", "\t")


def build_nodes(tree: Tree) -> tuple[Node, bool]:
    """Return what records are found in, the tags and texts that people see and the records that a page declares; and True if that is all."""
    if tree.root is None:
        return Node("html"), True
    growth = _Growth()
    declared = [Node("script", {"rel": _JSON}, (text,)) for text in _find_declared(tree)]
    bases = [Node("base", _keep_attributes(base.attributes)) for base in tree.tags("base")[:1]]
    nodes = Node("html", NOTHING, (*bases, *declared, *growth.read_content(tree.root, 1)))
    return nodes, not tree.is_cut and not growth.is_full


def _find_declared(tree: Tree) -> list[str]:
    """Return the scripts that say in JSON what is on the page."""
    scripts = [each for each in tree.tags("script")[:200] if (attribute(each, "type") or "").lower() == _JSON]
    return [text for text in (each.text() for each in scripts[:20]) if len(text) <= MAX_SCRIPT]


class _Growth:
    """Reads tags into nodes as long as there is room for them."""

    def __init__(self) -> None:
        self._nodes_left = MAX_NODES - 1
        self.is_full = False  # there was no room for a tag

    def read_content(self, element: HtmlNode, depth: int) -> tuple[Node | str, ...]:
        """Return what stands in an element; below the deepest level, only its texts."""
        content: list[Node | str] = []
        part = element.first_child
        while part is not None:
            tag = part.tag or ""
            if tag == TEXT:
                _add_text(content, part.text_content or "")
            elif tag in _UNSEEN:
                pass
            elif not self._nodes_left:
                self.is_full = True
            elif depth > MAX_DEPTH:
                self._add_texts_below(content, part)
            else:
                self._nodes_left -= 1
                attributes = part.attributes
                inside = self.read_content(part, depth + 1)
                content.append(Node(tag, _keep_attributes(attributes) if attributes else NOTHING, inside))
            part = part.next
        return tuple(content)

    def _add_texts_below(self, content: list[Node | str], element: HtmlNode) -> None:
        parts = descend(element)
        for part in parts:
            if part.tag == TEXT:
                _add_text(content, part.text_content or "")
            elif part.tag in _UNSEEN:
                leave_out(part, parts)


def _keep_attributes(attributes: dict[str, str | None]) -> Mapping[str, str]:
    kept: dict[str, str] = {}
    for name, value in attributes.items():
        if name in KEPT:
            value = value or ""
            if name in _LISTS:
                value = " ".join(value.split())
            kept[name] = value if len(value) <= MAX_ATTRIBUTE else value[:MAX_ATTRIBUTE]
    return kept or NOTHING


def _add_text(content: list[Node | str], text: str) -> None:
    """Add a text in one line; a blank at its ends is kept, for it parts words from those in the next tag."""
    line = " ".join(text[: 2 * MAX_TEXT].split())[:MAX_TEXT]
    if line:
        before = " " if text[0].isspace() else ""
        content.append(f"{before}{line}{' ' if text[-1].isspace() else ''}")
    elif text in _BLANKS and content:
        content.append(" ")
