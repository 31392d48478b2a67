"""The tree of a body, from one of two parsers behind the same few methods.

`Element` and `Tree` are the part of turbohtml's own interface that Dowse uses, so its
elements are used bare: a wrapper would cost as much as the parsing. selectolax is wrapped
(`lexbor.py`) and takes over where turbohtml cannot be had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Protocol

from dowse.page.path import ClimbedPaths, TagPath, without_numbers

MAX_BODY = 2 * 1024 * 1024
MAX_XPATH = 128 * 1024  # bytes up to which the parser's own paths are taken: they count siblings, and those can be many

Position = tuple[int, int]  # line and column, or anything else that grows along the source


class Element(Protocol):
    """A tag with its place in the tree."""

    @property
    def tag(self) -> str: ...
    @property
    def parent(self) -> Any: ...  # an Element, or the tree itself above the root
    @property
    def previous_sibling(self) -> Any: ...  # an Element, a text, a comment or None
    @property
    def next_sibling(self) -> Any: ...
    @property
    def children(self) -> Sequence[Any]: ...  # elements, texts and comments
    @property
    def descendants(self) -> Iterator[Any]: ...  # elements, texts and comments, in the order of the source
    @property
    def text(self) -> str: ...
    @property
    def html(self) -> str: ...  # as it would be written
    @property
    def position(self) -> Position | None: ...
    @property
    def attrs(self) -> Any: ...  # a mapping of all attributes
    def __getitem__(self, index: int, /) -> Any: ...  # a child
    def attr(self, name: str, /) -> str | None: ...
    def find_all(self, tag: str, /) -> Sequence[Element]: ...
    def iter_elements(self, tags: tuple[str, ...], /) -> Iterator[Element]: ...


class Tree(Protocol):
    """A parsed body."""

    @property
    def root(self) -> Element | None: ...
    @property
    def stripped_strings(self) -> Iterator[str]: ...
    def find_all(self, tag: str, /) -> Sequence[Element]: ...
    def iter_elements(self, tags: tuple[str, ...], /) -> Iterator[Element]: ...
    def select(self, selector: str, /) -> Sequence[Element]: ...
    def remove(self, selector: str, /) -> object: ...


@dataclass(frozen=True, slots=True)
class Parser:
    """One library's way to do the four things a page needs."""

    parse: Callable[[bytes, str], Any]  # body and encoding give a Tree
    text_type: type[Any]  # what stands between the tags
    detect_encoding: Callable[[bytes], str]
    detect_language: Callable[[str], str]  # two letters or nothing
    open_paths: Callable[[int], TagPath]  # the size of a body gives the way to say where its elements stand


def build_turbohtml() -> Parser:
    """Return the parser that Dowse is made for."""
    import turbohtml
    from turbohtml.detect import detect, detect_language

    from dowse.page.iso639 import TWO_LETTERS

    def parse(body: bytes, encoding: str) -> Tree:
        return turbohtml.parse(body, encoding=encoding)

    def encoding_of(body: bytes) -> str:
        return (detect(body).encoding or "windows-1252").lower()

    def language_of(text: str) -> str:
        match = detect_language(text)
        return TWO_LETTERS.get(match.language or "", "") if match.confidence >= 0.5 else ""

    def path_of(element: Any) -> str:
        return without_numbers(element.xpath_path())

    def open_paths(size: int) -> TagPath:
        return path_of if size <= MAX_XPATH else ClimbedPaths()

    return Parser(parse, turbohtml.Text, encoding_of, language_of, open_paths)


def build_selectolax() -> Parser:
    """Return the parser that stands in; it guesses neither encodings nor languages."""
    from dowse.page import lexbor

    return Parser(lexbor.parse, lexbor.Words, lambda _: "windows-1252", lambda _: "", lambda _: ClimbedPaths())


PARSERS: dict[str, Callable[[], Parser]] = {"turbohtml": build_turbohtml, "selectolax": build_selectolax}


@lru_cache(maxsize=8)
def open_parser(name: str = "") -> Parser:
    """Return the parser of that name, or the first that is installed."""
    if not name:
        name = next((known for known in PARSERS if find_spec(known)), "turbohtml")
    return PARSERS[name]()
