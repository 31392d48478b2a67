"""How sources write the same thing: a value of one found in another, and written as that one would."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Final

_WORD: Final = re.compile(r"\w+")
LONGEST: Final = 300  # letters that are looked at


def normalise(text: str) -> str:
    """Return what is the same however a value is written: its words without case, accents, marks and order."""
    text = text[:LONGEST].casefold()
    if not text.isascii():
        plain = unicodedata.normalize("NFKD", text).casefold()
        text = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return " ".join(sorted(_WORD.findall(text)))


def _turn_comma(text: str) -> str:
    """Write `Hanks, Tom` as `Tom Hanks`."""
    family, comma, rest = text.partition(", ")
    return f"{rest} {family}" if comma else text


def _put_family_first(text: str) -> str:
    """Write `Tom Hanks` as `Hanks, Tom`."""
    rest, space, family = text.rpartition(" ")
    return f"{family}, {rest}" if space else text


WRITINGS: Final[dict[str, Callable[[str], str]]] = {
    "as it is": str,
    "given name first": _turn_comma,
    "family name first": _put_family_first,
    "lower case": str.lower,
    "upper case": str.upper,
    "capitals": str.title,
}
