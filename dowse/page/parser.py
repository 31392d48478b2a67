"""HTML to a tree by Lexbor (the package selectolax), bounded before it; where an element stands, and what is kept of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any, Generic, TypeAlias, TypeVar

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from dowse.model import LOOSE_CONTROLS, NOT_READ

# --- parser
# HTML to a tree, by Lexbor (the package selectolax), whose nodes are used bare: a wrapper would cost as much as the parsing.
#
# Lexbor follows the HTML standard, which has no bounds: time grows with the square of depth and of
# attributes, memory with open formatting times all that follows. So a source that could be such is
# rewritten before it is parsed. The sums and the choice of the parser are in docs/parser.md.

HtmlNode: TypeAlias = LexborNode  # an element, a text, a comment

TEXT = "-text"  # what stands in place of a tag's name in a text, and in others below
COMMENT = "-comment"
DOCUMENT = "-document"

MAX_TAGS = 60_000  # starts and ends; the largest of 954 real pages has 20,000
MAX_END_CHARS = 64  # of a source by which its end is known
MAX_DEPTH = 400  # elements that are open at once, as far as a look at the tags tells; Chromium has 512
MAX_ATTRIBUTES = 256  # of one tag, where one has too many
MAX_CLONES = 600_000  # elements that open formatting may be doubled into: some 380 bytes each

# A source below these is parsed as it is: the worst of them took 0.2 s and 200 MB.
PLAIN_LENGTH = 30_000  # characters: room for 10,000 attributes
PLAIN_TAGS = 15_000  # their square is still 0.2 s
PLAIN_FORMATTING = 36  # elements without attributes that stay open: of each of twelve tags, the standard keeps three
MANY_ATTRIBUTES = 100  # of one tag

FILLED_TAGS = ("input", "select", "textarea")
UNSEEN = frozenset(
    "head script style noscript iframe noframes select textarea datalist".split()
)  # their texts are none to read

_ALONE = frozenset("label meta link base title script".split())
_KINDS = {
    **dict.fromkeys(UNSEEN, "unseen"),
    **{tag: tag for tag in _ALONE},
    "form": "forms",
    "button": "buttons",
    **dict.fromkeys(FILLED_TAGS, "boxes"),
    **dict.fromkeys(("a", "area", "frame", "iframe"), "targets"),
}
_HEAP = 4 * 1024 * 1024  # bytes

_ATTRIBUTE = r"""(?:[\s/]++|=?[^\s/>=]++(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|(?=>)|(?!["'])[^\s>]++))?+|=)"""
_BOMB = re.compile(rf"<[a-zA-Z][^\s/>]*+{_ATTRIBUTE}{{{2 * MANY_ATTRIBUTES}}}+")
_TOKEN = re.compile(
    rf"<(?:!--(?:-?>|.*?--!?>|.*\Z)|(!\[CDATA\[)|[!?][^>]*+>?|(/?)([a-zA-Z][^\s/>]*+)({_ATTRIBUTE}*+)>?)", re.DOTALL
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_FORMATTING = frozenset("b big code em font i nobr s small strike strong tt u a".split())
_FORMAT = re.compile(
    r"<(?:[bB](?:[iI][gG])?|[cC][oO][dD][eE]|[eE][mM]|[fF][oO][nN][tT]|[iI]|[nN][oO][bB][rR]|[uU]|[tT][tT]"
    r"|[sS](?:[mM][aA][lL]{2}|[tT][rR][iI][kK][eE]|[tT][rR][oO][nN][gG])?)[\s/]"
)  # without IGNORECASE, with which it is four times slower
_VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
_RAW = frozenset("script style textarea title xmp iframe noembed noframes".split())
# An element whose end may be left out, and what ends it.
_BLOCKS = frozenset(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6"
    " header hgroup hr li main menu nav ol p pre search section summary table ul dd dt".split()
)
_ENDED_BY = {
    "p": _BLOCKS,
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "option": frozenset({"option", "optgroup"}),
    "optgroup": frozenset({"optgroup"}),
    "td": frozenset({"td", "th", "tr", "tbody", "thead", "tfoot"}),
    "th": frozenset({"td", "th", "tr", "tbody", "thead", "tfoot"}),
    "tr": frozenset({"tr", "tbody", "thead", "tfoot"}),
    "tbody": frozenset({"tbody", "thead", "tfoot"}),
    "thead": frozenset({"tbody", "thead", "tfoot"}),
    "tfoot": frozenset({"tbody", "thead", "tfoot"}),
    "a": frozenset({"a"}),
}
_FOREIGN = frozenset({"svg", "math", "select", "frameset"})
_TOPS = frozenset({"html", "body"})
MAX_TOPS = 10  # starts of them whose attributes are read
_IMPLIED = frozenset(_ENDED_BY) - {"a"}


Made = TypeVar("Made")


class view(Generic[Made]):
    """An attribute that is made the first time it is asked for.

    Not `functools.cached_property`: up to Python 3.11 that lets all threads wait while one of them makes any of them, so that the
    event loop would wait for the large page that is read beside it.
    """

    def __init__(self, make: Callable[[Any], Made]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, holder: Any, owner: type) -> Made:
        made = holder.__dict__[self._name] = self._make(holder)
        return made


class Tree:
    """A parsed source, and what every page is asked for: its texts and the elements that matter, in their order."""

    def __init__(self, source: str, *, is_cut: bool = False) -> None:
        self.source = source
        self.is_cut = is_cut  # it had more tags than are read
        self._parser = LexborHTMLParser(source, options=LexborDocumentOptions.WO_EVENTS)
        self.root = self._parser.root
        found: dict[str, list[HtmlNode]] = {kind: [] for kind in _KINDS.values()}
        self.texts: list[str] = []  # not blank, without code, choices and words for other browsers
        # One walk, as short as can be: a page has some thousand parts.
        hidden = 0  # the node up to which no text is seen
        for part in self.root.traverse(include_text=True, skip_empty=True) if self.root is not None else ():
            tag = part.tag
            if hidden and part.mem_id == hidden:
                hidden = 0
            if tag in _KINDS:
                found[_KINDS[tag]].append(part)
                if not hidden and tag in UNSEEN:
                    hidden = _find_next(part)
            elif tag == TEXT and not hidden:
                self.texts.append(part.text_content or "")
        self._found = found
        self.forms = found["forms"]
        self.boxes = found["boxes"]  # controls that something is typed, chosen or ticked in
        self.targets = found["targets"]  # what may lead somewhere: anchors, areas, frames

    def tags(self, tag: str) -> list[HtmlNode]:
        """Return the elements of a tag in the order of the source."""
        return self._found[tag] if tag in _ALONE else self._parser.tags(tag)

    @view
    def controls(self) -> list[HtmlNode]:
        """The boxes and the buttons, in the order of the tree."""
        return self._in_order(*FILLED_TAGS, "button") if self._found["buttons"] else self.boxes

    @view
    def asking(self) -> list[HtmlNode]:
        """The forms and their controls, in the order of the tree."""
        return self._in_order("form", *FILLED_TAGS, "button") if self.forms else self.controls

    def _in_order(self, *tags: str) -> list[HtmlNode]:
        return [part for part in self.root.traverse() if part.tag in tags] if self.root is not None else []

    def select(self, selector: str) -> list[HtmlNode]:
        """Return the elements that a CSS selector names."""
        return self._parser.css(selector)


def parse(source: str) -> Tree:
    """Return the tree of a source, of which no more is read than can be read in reasonable time."""
    _keep_heap()
    bounded = bound_source(source)
    # ends that are missing are written, and attributes left out: only what follows the last tag says whether all of it was read
    return Tree(bounded, is_cut=bounded is not source and not bounded.endswith(source[-MAX_END_CHARS:]))


def _find_next(element: HtmlNode) -> int:
    """Return what is walked next after an element and all in it, or -1 when nothing is."""
    above: HtmlNode | None = element
    while above is not None:
        beside = above.next
        while beside is not None and beside.is_empty_text_node:
            beside = beside.next
        if beside is not None:
            return beside.mem_id
        above = above.parent
    return -1


def attribute(element: HtmlNode, name: str) -> str | None:
    """Return an attribute; one without a value is empty, one that is not there None."""
    attributes = element.attributes
    return (attributes[name] or "") if name in attributes else None


def descend(element: HtmlNode) -> Iterator[HtmlNode]:
    """Return what stands in an element, in the order of the source: elements, texts and comments."""
    return islice(element.traverse(include_text=True), 1, None)


def find_inside(element: HtmlNode, *tags: str, parts: int | None = None) -> list[HtmlNode]:
    """Return the elements of some tags inside of an element, of which no more parts are looked at than given."""
    return [part for part in islice(element.traverse(), 1, parts) if part.tag in tags]


def is_same(one: HtmlNode | None, other: HtmlNode | None) -> bool:
    """Return True if both are the same node; `==` would compare what they are written as."""
    return one is not None and other is not None and one.mem_id == other.mem_id


@cache
def _keep_heap() -> None:
    """Have the C library keep the memory of one tree for the next.

    It gives memory at the top of the heap back to the system when a tree is freed, and takes it
    again for the next, which is half of the time of parsing. A larger block that was freed once
    raises its bounds for that (mallopt(3), M_MMAP_THRESHOLD).
    """
    bytes(_HEAP)


def bound_source(source: str) -> str:
    """Return a source that is parsed in time and memory that grow with its length: most often, as it is."""
    tags = source.count("<")
    if tags > PLAIN_TAGS:
        return _Rewriter(source, tags).rewrite()
    if tags * tags > 4 * MAX_CLONES and (PLAIN_FORMATTING + len(_FORMAT.findall(source))) * tags > MAX_CLONES:
        return _Rewriter(source, tags).rewrite()
    if len(source) > PLAIN_LENGTH and _BOMB.search(source):
        return _Rewriter(source, tags).rewrite()
    return source


class _Rewriter:
    """Goes through the tags of a source and closes what has been left open too long.

    What it takes for open is never less than what the parser will: an end counts only where it
    ends the last that was begun, and not in what may be no markup (scripts in foreign content,
    CDATA). Ends that are written for what is not open are ignored by the parser.
    """

    def __init__(self, source: str, tags: int) -> None:
        self._source = source
        self._open: list[str] = []
        self._formatting = 0
        self._foreign = 0  # open elements in which scripts and the like may be read as markup
        self._max_formatting = max(4, min(100, MAX_CLONES // max(1, tags)))
        self._written: list[str] = []
        self._copied = 0  # up to where the source is written
        self.deepest = 0  # how many were taken for open at once
        self._no_ends = 0  # up to where ends do not count
        self._next_ends: dict[str, int] = {}
        self._tops = 0  # starts of body and html: the attributes of all become those of the first

    def rewrite(self) -> str:
        """Return the source with the ends that it lacks, without attributes and tags over the bound."""
        place = 0
        for _ in range(MAX_TAGS):
            token = _TOKEN.search(self._source, place)
            if token is None:
                place = len(self._source)
                break
            place = token.end()
            cdata, slash, name, _ = token.groups()
            if cdata:
                self._no_ends = max(self._no_ends, self._find_end("]]>", place))
            elif slash and token.start() >= self._no_ends:
                self._close(name.lower())
            elif name and not slash:
                place = self._begin(name.lower(), token)
        self._written.append(self._source[self._copied : place])
        return "".join(self._written)

    def _begin(self, name: str, token: re.Match[str]) -> int:
        """Note a start, and return from where to read on."""
        self._tops += name in _TOPS
        most = 0 if name in _TOPS and self._tops > MAX_TOPS else MAX_ATTRIBUTES
        if len(token[4]) > 2 * most:
            self._cut_attributes(token, most)
        if name in _VOID:
            return token.end()
        if name in _RAW:
            end = self._find_end(f"</{name}", token.end())
            if not self._foreign:
                return end
            self._no_ends = max(self._no_ends, end)
        while self._open and name in _ENDED_BY.get(self._open[-1], ()):
            self._pop()
        if len(self._open) >= MAX_DEPTH or (name in _FORMATTING and self._formatting >= self._max_formatting):
            self._close_some(token.start())
        self._open.append(name)
        self.deepest = max(self.deepest, len(self._open))
        self._formatting += name in _FORMATTING
        self._foreign += name in _FOREIGN
        return token.end()

    def _cut_attributes(self, token: re.Match[str], most: int) -> None:
        """Leave out the attributes of a tag that are too many."""
        for number, found in enumerate(_ATTRIBUTES.finditer(self._source, token.start(4), token.end(4))):
            if number >= 2 * most:  # each, and what parts it from the one before
                self._written.append(self._source[self._copied : found.start()])
                self._copied = token.end(4)
                return

    def _close(self, name: str) -> None:
        """Take an end for one if it ends the last that was begun, over those whose ends may be left out."""
        place = len(self._open) - 1
        while place >= 0 and self._open[place] != name and self._open[place] in _IMPLIED:
            place -= 1
        if place >= 0 and self._open[place] == name:
            while len(self._open) > place:
                self._pop()

    def _pop(self) -> None:
        name = self._open.pop()
        self._formatting -= name in _FORMATTING
        self._foreign -= name in _FOREIGN

    def _close_some(self, place: int) -> None:
        """Write ends for the upper half of what is open, before the tag that would be one too many."""
        self._written.append(self._source[self._copied : place])
        self._copied = place
        while len(self._open) > MAX_DEPTH // 2 or self._formatting > self._max_formatting // 2:
            self._written.append(f"</{self._open[-1]}>")
            self._pop()

    def _find_end(self, end: str, start: int) -> int:
        """Return where something ends; the place is kept, so that the source is read once for each."""
        known = self._next_ends.get(end, -1)
        if known < start:
            found = re.compile(re.escape(end), re.IGNORECASE).search(self._source, start)
            known = self._next_ends[end] = found.start() if found else len(self._source)
        return known


# --- bounds
# How much of a page is kept, and a count of what is not.

Part = TypeVar("Part")

MAX_ALL_OPTIONS = 20_000  # of all the selects of a page
MAX_ALL_FIELDS = 5_000  # of all the forms of a page; judging and pairing them takes 30 µs each


class Bounds:
    """The room that one page has."""

    def __init__(self) -> None:
        self._dropped: Counter[str] = Counter()
        self._options_left = MAX_ALL_OPTIONS
        self._fields_left = MAX_ALL_FIELDS

    def keep(self, what: str, found: Sequence[Part], limit: int) -> Sequence[Part]:
        """Return the first of what was found, and count the rest."""
        if len(found) <= limit:
            return found
        self.drop(what, len(found) - limit)
        return found[:limit]

    def keep_options(self, found: Sequence[Part], limit: int) -> Sequence[Part]:
        """Do as `keep` with the choices of one control, of which the page as a whole has a limit too."""
        kept = self.keep("options", found, min(limit, self._options_left))
        self._options_left -= len(kept)
        return kept

    def keep_fields(self, found: Sequence[Part], limit: int) -> Sequence[Part]:
        """Do as `keep` with the controls of one form, of which the page as a whole has a limit too."""
        kept = self.keep("fields", found, min(limit, self._fields_left))
        self._fields_left -= len(kept)
        return kept

    def drop(self, what: str, count: int = 1) -> None:
        """Count what was left out."""
        self._dropped[what] += count

    def dropped(self) -> tuple[tuple[str, int], ...]:
        """Return what was left out, and how many of each, by name."""
        return tuple(sorted(self._dropped.items()))


# --- keys
# Which forms of a page are new to a search.


class MarkupKeys:
    """The keys of a page's forms: a form whose markup the site has shown before need not be read again."""

    def __init__(self, seen: Container[int] | None) -> None:
        self._seen = seen  # None: nobody compares, all are new
        self.found: dict[int, int] = {}  # key -> index of the form on the page

    def is_new(self, *markup: object, index: int = NOT_READ) -> bool:
        """Return True if neither the site nor this page has shown this markup before; the index is that of the form."""
        if self._seen is None:
            return True
        key = hash(markup)
        if key in self.found:
            return False
        is_new = key not in self._seen
        self.found[key] = index if is_new or index == LOOSE_CONTROLS else NOT_READ
        return is_new


# --- path
# Where an element stands: the tags above it, without numbers, so that equal places read equal.

MAX_PATH_TAGS = 30  # deeper elements get the path of an ancestor
MAX_CLIMB = 512  # Chromium lets no tree grow deeper


class TagPaths:
    """The tag paths of one tree, such as html/body/div/ul/li/a, at a cost that does not grow with the number of its elements."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def __call__(self, element: HtmlNode) -> str:
        """Return the path of an element."""
        parent = element.parent
        if parent is None:
            return str(element.tag)
        above = self._known.get(parent.mem_id)
        if above is None:  # most often of a list item whose list is known
            over = parent.parent
            path = self._known.get(over.mem_id) if over is not None else None
            if path is None:
                above = self._climb(parent)
            else:
                above = self._known[parent.mem_id] = _lengthen(path, str(parent.tag))
        return f"{above}/{element.tag}" if above else str(element.tag)

    def _climb(self, element: HtmlNode) -> str:
        """Write the paths of an element and of all above it that have none yet."""
        climbed: list[HtmlNode] = []
        path: str | None = None
        above: HtmlNode | None = element
        while path is None and above is not None and len(climbed) < MAX_CLIMB:
            if above.tag == DOCUMENT:
                path = ""
                break
            climbed.append(above)
            above = above.parent
            path = self._known.get(above.mem_id) if above is not None else ""
        path = "…" if path is None else path
        for below in reversed(climbed):
            path = self._known[below.mem_id] = _lengthen(path, str(below.tag))
        return path


def _lengthen(path: str, tag: str) -> str:
    if not path:
        return tag
    full = len(path) >= 2 * MAX_PATH_TAGS - 5 and path.count("/") >= MAX_PATH_TAGS - 2  # one more is added by who asks
    return path if full else f"{path}/{tag}"


FormAndLabel = tuple[
    int, HtmlNode | None
]  # the number of the form above an element, or -1; the label above it, or None


class Above:
    """The form and the label that stand above each control; siblings share one climb."""

    def __init__(self, forms: Sequence[HtmlNode]) -> None:
        self._forms = {form.mem_id: number for number, form in enumerate(forms)}
        self._known: dict[int, FormAndLabel] = {}

    def of(self, control: HtmlNode) -> FormAndLabel:
        """Return the number of the nearest form above a control, or -1, and the nearest label, or None."""
        parent = control.parent
        if parent is None:
            return -1, None
        return self._known.get(parent.mem_id) or self._climb(parent)

    def _climb(self, parent: HtmlNode) -> FormAndLabel:
        climbed: list[HtmlNode] = []
        found: FormAndLabel | None = None
        above: HtmlNode | None = parent
        while found is None and above is not None and len(climbed) < MAX_CLIMB:
            climbed.append(above)
            above = above.parent
            found = self._known.get(above.mem_id) if above is not None else None
        form, label = found or (-1, None)
        for element in reversed(climbed):
            form = self._forms.get(element.mem_id, form)
            if element.tag == "label":
                label = element
            self._known[element.mem_id] = form, label
        return form, label
