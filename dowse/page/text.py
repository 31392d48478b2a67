"""What a reader sees: the title, the words, and the language they are in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from dowse.page.html import Tree

MAX_TEXT = 200_000
MAX_TITLE = 300
MAX_PARTS = 64  # tags and texts that are looked at for a few words
LEAST_SAMPLE = 60  # characters; from fewer the guess is no better than chance
LANGUAGE_SAMPLE = 250  # characters; some 0.06 ms, where a whole page takes ten times that

_UNSEEN = "head, script, style, noscript, iframe, noframes, select, textarea, datalist"
_BLANKS = "\n\t\r\xa0\f"
_LANGUAGE = re.compile(r"\A\s*+([a-zA-Z]{2})(?![a-zA-Z])")
_NO_WORDS = frozenset({"script", "style", "option", "textarea", "noscript", "template"})
_INLINE_TAGS = (
    "a abbr b bdi bdo big cite code em font i img kbd mark q s samp small span strike strong sub sup tt u var wbr"
)
_INLINE = frozenset(_INLINE_TAGS.split())


def read_title(tree: Tree) -> str:
    """Return the title, in one line."""
    titles = tree.find_all("title")
    return collapse(titles[0].text, MAX_TITLE) if titles else ""


def hide_unseen(tree: Tree) -> None:
    """Take out of the tree what is no reading text: code, choices, words for other browsers."""
    tree.remove(_UNSEEN)


def read_text(tree: Tree) -> str:
    """Return the words of a tree without its unseen parts, in one line.

    The parser's own layout of text pads the columns of tables: 29 KB were seen to become 10 MB.
    """
    return one_line(" ".join(tree.stripped_strings))[:MAX_TEXT].rstrip()


def one_line(text: str) -> str:
    """Collapse blanks; four times faster on a page than to split it into its words and join them again."""
    found = [blank for blank in _BLANKS if blank in text]
    for blank in found:
        text = text.replace(blank, " ")
    while found and "  " in text:  # two plain blanks in a row are rare without any other, and slow to look for
        text = text.replace("  ", " ")
    return text


def read_words(element: Any, text_type: type[Any], limit: int, parts: int = MAX_PARTS) -> str:
    """Return the first words in an element, at a cost that does not grow with what is in it.

    Elements nest: to read each of 5,000 anchors whole would read a hostile page 5,000 times.
    """
    first = first_part(element)
    if type(first) is text_type and first.next_sibling is None:
        return collapse(first.text, limit)
    return collapse("".join(_find_words(element, text_type, parts)), limit)


def read_words_before(element: Any, stop: Any, text_type: type[Any], limit: int) -> str:
    """Return the words in an element that stand before a tag in it."""
    return collapse("".join(_find_words(element, text_type, MAX_PARTS, stop)), limit)


def first_part(element: Any) -> Any:
    """Return the first child of an element, or None; to count the children would be to walk along them."""
    try:
        return element[0]
    except IndexError:
        return None


def _find_words(element: Any, text_type: type[Any], parts: int, stop: Any = None) -> Iterator[str]:
    """Yield texts, and a blank wherever a tag parts two words, as far as a tag to stop at."""
    hidden = False
    for part in islice(element.descendants, parts):
        if type(part) is text_type:
            if not hidden or not _is_hidden(part.parent):
                yield part.text
            continue
        tag = getattr(part, "tag", "span")  # a comment has none, and parts nothing
        if tag not in _INLINE:
            if stop is not None and part == stop:
                return
            yield " "
            hidden = hidden or tag in _NO_WORDS


def _is_hidden(element: Any) -> bool:
    """Say whether words in an element are none to read: those of a choice may be marked up inside it."""
    return element.tag in _NO_WORDS or getattr(element.parent, "tag", "") in _NO_WORDS


def collapse(text: str, limit: int) -> str:
    """Return a text in one line, cut to a length."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[:limit].rstrip()


def read_language(tree: Tree, declared: str, text: str, detect: Callable[[str], str]) -> str:
    """Return the two letters of the language: as the page says, as meta or header say, or as it looks."""
    root = tree.root
    for tag in ((root.attr("lang") or root.attr("xml:lang") or "") if root else "", declared):
        found = _LANGUAGE.match(tag)
        if found:
            return found[1].lower()
    if len(text) < LEAST_SAMPLE:
        return ""
    middle = len(text) // 3  # menus stand first, and are in no language
    return detect(text[middle : middle + LANGUAGE_SAMPLE])
