"""A response as a tree: what records are found in, without code, choices and words for other browsers."""

from __future__ import annotations

from typing import Any, Final

from dowse.model import Response
from dowse.page.charset import find_encoding
from dowse.page.html import MAX_BODY, open_parser
from dowse.tree.node import KEPT, MAX_DEPTH, MAX_NODES, NOTHING, Node

MAX_PARTS: Final = 4 * MAX_NODES  # tags, texts and comments that are looked at
MAX_TEXT: Final = 2_000  # characters of one text
MAX_SCRIPT: Final = 100_000  # characters of a script that declares records
MAX_ATTRIBUTE: Final = 1_000  # characters of one attribute; addresses may be long

_UNSEEN = frozenset("head script style noscript iframe noframes select textarea datalist template svg object".split())
_JSON = "application/ld+json"
_BLANKS = (" ", "\xa0", "\t")


class _Growing:
    """A tag that is still being read."""

    __slots__ = ("attributes", "content", "depth", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], depth: int) -> None:
        self.tag, self.attributes, self.depth = tag, attributes, depth
        self.content: list[_Growing | str] = []


def read_tree(response: Response, parser: str = "") -> Node:
    """Return the tree of a page; a body that is no page gives a tree without anything in it."""
    reading = open_parser(parser)
    body = response.body[:MAX_BODY]
    encoding = find_encoding(body, response.header("content-type")) or reading.detect_encoding(body)
    tree = reading.parse(body, encoding)
    if tree.root is None:
        return Node("html")
    grown = _grow(tree.root, reading.text_type)
    declared = [Node("script", {"rel": _JSON}, (text,)) for text in _find_declared(tree)]
    bases = [Node("base", _kept(base)) for base in tree.find_all("base")[:1]]
    return _freeze(grown, (*bases, *declared))


def _find_declared(tree: Any) -> list[str]:
    """Return the scripts that say in JSON what is on the page."""
    scripts = [each for each in tree.find_all("script")[:200] if (each.attr("type") or "").lower() == _JSON]
    return [text for text in (each.text for each in scripts[:20]) if len(text) <= MAX_SCRIPT]


def _grow(root: Any, text_type: type[Any]) -> list[_Growing]:
    """Walk the page in its order; return its tags, each after the one that it stands in."""
    top = _Growing("html", {}, 0)
    places: dict[Any, _Growing | None] = {root: top}
    grown = [top]
    for step, part in enumerate(root.descendants):
        if step >= MAX_PARTS or len(grown) >= MAX_NODES:
            break
        above = places.get(part.parent)
        if type(part) is text_type:
            if above is not None:
                _add_text(above, part.text)
        elif hasattr(part, "tag"):
            places[part] = None if above is None or part.tag in _UNSEEN else _add_tag(above, part, grown)
    return grown


def _add_tag(above: _Growing, part: Any, grown: list[_Growing]) -> _Growing:
    if above.depth >= MAX_DEPTH:
        return above
    new = _Growing(part.tag, _kept(part), above.depth + 1)
    above.content.append(new)
    grown.append(new)
    return new


def _kept(part: Any) -> dict[str, str]:
    attributes = part.attrs
    if not attributes:
        return {}
    return {name: _one_value(attributes[name])[:MAX_ATTRIBUTE] for name in attributes if name in KEPT}


def _one_value(value: Any) -> str:
    """Return an attribute as one text; a parser may give a class as a list of names."""
    return value if isinstance(value, str) else " ".join(value or ())


def _add_text(above: _Growing, text: str) -> None:
    """Add a text in one line; a blank at its ends is kept, for it parts words from those in the next tag."""
    line = " ".join(text[: 2 * MAX_TEXT].split())[:MAX_TEXT]
    if line:
        before = " " if text[0].isspace() else ""
        above.content.append(f"{before}{line}{' ' if text[-1].isspace() else ''}")
    elif text in _BLANKS and above.content:
        above.content.append(" ")


def _freeze(grown: list[_Growing], first: tuple[Node, ...]) -> Node:
    done: dict[int, Node] = {}
    for each in reversed(grown):
        content = tuple(part if isinstance(part, str) else done.pop(id(part)) for part in each.content)
        if each is grown[0]:
            content = (*first, *content)
        done[id(each)] = Node(each.tag, each.attributes or NOTHING, content)
    return done[id(grown[0])]
