"""What a reader sees: the title, the words, and the language they are in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from dowse.page.language import detect_language
from dowse.page.parser import TEXT, UNSEEN, HtmlNode, Tree, attribute, descend

MAX_TEXT = 200_000
MAX_TITLE = 300
MAX_PARTS = 64  # tags and texts that are looked at for a few words

_ASCII_BLANKS = " \t\n\r\f"
_BLANKS = "\n\t\r\xa0\f"
_LANGUAGE = re.compile(r"\A\s*+([a-zA-Z]{2})(?![a-zA-Z])")
NO_WORDS = frozenset({"script", "style", "option", "textarea", "noscript", "template"})
_INLINE_TAGS = "a abbr b bdi bdo big cite code em font i img kbd mark q s samp small span strike strong sub sup tt u var wbr -comment"
_INLINE = frozenset(_INLINE_TAGS.split())


def read_title(tree: Tree) -> str:
    """Return the title, in one line."""
    titles = tree.tags("title")
    return collapse(titles[0].text(), MAX_TITLE) if titles else ""


def read_text(tree: Tree) -> str:
    """Return the words of a tree in one line, without what is no reading text: code, choices, words for other browsers."""
    return one_line(" ".join([text.strip(_ASCII_BLANKS) for text in tree.texts]))[:MAX_TEXT].rstrip()


def leave_out(part: HtmlNode, parts: Iterator[HtmlNode]) -> None:
    """Go on in a walk behind what stands in an element."""
    inside = sum(1 for _ in descend(part))
    next(islice(parts, inside, inside), None)


def one_line(text: str) -> str:
    """Collapse blanks; four times faster on a page than to split it into its words and join them again."""
    found = [blank for blank in _BLANKS if blank in text]
    for blank in found:
        text = text.replace(blank, " ")
    while found and "  " in text:  # two plain blanks in a row are rare without any other, and slow to look for
        text = text.replace("  ", " ")
    return text


def read_words(element: HtmlNode, limit: int, parts: int = MAX_PARTS) -> str:
    """Return the first words in an element, at a cost that does not grow with what is in it.

    Elements nest: to read each of 5,000 anchors whole would read a hostile page 5,000 times.
    """
    first = element.first_child
    if first is not None and first.is_text_node and first.next is None:
        return collapse(first.text_content or "", limit)
    return collapse("".join(_find_words(element, parts)), limit)


def read_seen_words(element: HtmlNode, limit: int, most: int) -> str:
    """Return the first words in an element, over its choices and all else that is no reading text."""
    words: list[str] = []
    parts = descend(element)
    for part in parts:
        tag = part.tag
        if tag in UNSEEN:
            leave_out(part, parts)
            continue
        most -= 1
        if most < 0:
            break
        if tag == TEXT:
            words.append(part.text_content or "")
        elif tag in NO_WORDS:
            leave_out(part, parts)
        elif tag not in _INLINE:
            words.append(" ")
    return collapse("".join(words), limit)


def read_words_before(element: HtmlNode, stop: HtmlNode, limit: int) -> str:
    """Return the words in an element that stand before a tag in it."""
    return collapse("".join(_find_words(element, MAX_PARTS, stop.mem_id)), limit)


def _find_words(element: HtmlNode, parts: int, stop: int = 0) -> Iterator[str]:
    """Yield texts, and a blank wherever a tag parts two words, as far as a tag to stop at."""
    hidden = False
    for part in islice(descend(element), parts):
        tag = part.tag
        if tag == TEXT:
            if not hidden or not _is_hidden(part):
                yield part.text_content or ""
        elif tag not in _INLINE:
            if stop and part.mem_id == stop:
                return
            yield " "
            hidden = hidden or tag in NO_WORDS


def _is_hidden(text: HtmlNode) -> bool:
    """Say whether a text is none to read: that of a choice may be marked up inside it."""
    above = text.parent
    return above is not None and (above.tag in NO_WORDS or (above.parent is not None and above.parent.tag in NO_WORDS))


def collapse(text: str, limit: int) -> str:
    """Return a text in one line, cut to a length."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[:limit].rstrip()


def read_language(tree: Tree, declared: str, text: str) -> str:
    """Return the two letters of the language: as the page says, as meta or header say, or as it looks."""
    root = tree.root
    own = (attribute(root, "lang") or attribute(root, "xml:lang") or "") if root is not None else ""
    for tag in (own, declared):
        found = _LANGUAGE.match(tag)
        if found:
            return found[1].lower()
    return detect_language(text)
