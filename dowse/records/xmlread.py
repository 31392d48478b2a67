"""XML as plain values, for what reads JSON: elements become names, repeated ones lists.

A document that declares entities or refers to a file is refused, so nothing is fetched and nothing is multiplied.
"""

from __future__ import annotations

from typing import Any, Final
from xml.parsers import expat

from dowse.model import Verdict

MAX_ELEMENTS: Final = 300_000
MAX_DEPTH: Final = 60
MAX_TEXT: Final = 20_000  # characters of one element
MAX_ATTRIBUTES: Final = 100
# Elements whose name says only what type of value they hold; what they are called stands in an attribute.
_NAMED_BY: Final = ("name", "tag", "code", "key")
_BARE: Final = frozenset(
    "str int long float double bool date arr lst field datafield controlfield subfield data value property param attribute attr".split()
)
_TYPES: Final = frozenset({"str", "int", "long", "float", "double", "bool", "date"})


class _Refused(Exception):
    """Reading was given up, and why."""


class _Reader:
    """What is open while a document is read: for each element its name, what it holds, and its text."""

    def __init__(self) -> None:
        self.root: dict[str, Any] = {}
        self.open: list[tuple[str, dict[str, Any], list[str]]] = [("", self.root, [])]
        self.elements = 0

    def start(self, name: str, given: dict[str, str]) -> None:
        """Open an element."""
        self.elements += 1
        if self.elements > MAX_ELEMENTS:
            raise _Refused("has too many elements")
        if len(self.open) > MAX_DEPTH:
            raise _Refused("is nested too deep")
        local = name.rpartition(":")[2]
        if local in _TYPES and not given:  # a value in a list of them
            local = "#text"
        holds = {
            key.rpartition(":")[2]: value[:MAX_TEXT]
            for key, value in list(given.items())[:MAX_ATTRIBUTES]
            if not _is_space(key)
        }
        if local.lower() in _BARE and (by := next((each for each in _NAMED_BY if holds.get(each)), "")):
            local = holds.pop(by)[:200]
            holds = {} if name.rpartition(":")[2].lower() == "datafield" else holds
        self.open.append((local, holds, []))

    def say(self, text: str) -> None:
        """Add words to the open element."""
        self.open[-1][2].append(text[:MAX_TEXT])

    def end(self, _: str) -> None:
        """Close an element and give it to the one around it."""
        name, holds, texts = self.open.pop()
        text = " ".join("".join(texts)[:MAX_TEXT].split())
        value: Any = ({**holds, "#text": text} if text else holds) if holds else text
        above = self.open[-1][1]
        if name not in above:
            above[name] = value
        elif isinstance(above[name], list):
            above[name].append(value)
        else:
            above[name] = [above[name], value]

    def refuse(self, *_: Any) -> int:
        """Refuse what could be used to hurt who reads it."""
        raise _Refused("declares entities")


def _is_space(name: str) -> bool:
    return name.startswith("xmlns") or name.endswith(":schemaLocation")


def read_xml(body: bytes) -> Any:
    """Return a document as plain values, or why it is not read."""
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.say
    parser.EntityDeclHandler = reader.refuse
    parser.ExternalEntityRefHandler = reader.refuse
    try:
        parser.Parse(body, True)
    except _Refused as refused:
        return Verdict(False, f"the XML {refused}")
    except (expat.ExpatError, ValueError, LookupError) as broken:
        return Verdict(False, f"broken XML: {broken}"[:200])
    return _with_lone_records(reader.root)


_LONE: Final = frozenset({"record", "item", "entry", "doc", "result", "row", "hit", "document", "feature"})


def _with_lone_records(root: dict[str, Any]) -> dict[str, Any]:
    """Return the values with a lone record as a list of one: XML does not tell the two apart."""
    waiting: list[dict[str, Any]] = [root]
    for _ in range(1_000):
        if not waiting:
            break
        holds = waiting.pop(0)
        for name, value in holds.items():
            if isinstance(value, dict):
                waiting.append(value)
                if name.lower() in _LONE and len(value) > 1 and "numFound" not in value:
                    holds[name] = [value]
                    waiting.pop()
    return root
