"""One page as crawling by example sees it: its tree, its blocks of links, and the form that is asked first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import unquote_plus, urlencode

import msgspec

from dowse.example.address import Address, read_address
from dowse.example.pattern import MAX_FORM_VALUES, FormQuery
from dowse.fetch import Fetch, Render
from dowse.form.doors import open_door
from dowse.form.fill import fill
from dowse.form.questions import find_box
from dowse.model import Door, Failure, Page, Request, Verdict, Why
from dowse.page.read import read_page
from dowse.page.tree import read_tree
from dowse.step.ask import Heard, ask
from dowse.step.offload import is_large, offload
from dowse.tree.node import Node
from dowse.url import Base, canonical, same_site

# --- blocks
# Links that stand together on a page: in one list, one row of a menu, one column of a table.

CLASS_TAGS: Final = frozenset(
    "div ul ol dl table tbody section nav aside main header footer form".split()
)  # tags whose class says what is in them; those of rows say odd and even, first and last
ROW_TAGS: Final = frozenset({"tr", "tbody", "thead"})  # a list in a table goes on in the next row
MAX_CLASS_NAMES: Final = 20  # of a class that are looked at
MIN_BLOCK_LINKS: Final = 3  # links that make a list; of fewer, two may do
MIN_PAIR_LINKS: Final = 2

_BlockKey = tuple[int, int]  # a tag, and the way from it down to a link


class LinkBlock(NamedTuple):
    """Links that stand together, and in what kind of place: the tags from the root down to each of them."""

    place: int
    links: tuple[str, ...]


def find_blocks(tree: Node, resolve: Callable[[str], str | None], links: Collection[str]) -> tuple[LinkBlock, ...]:
    """Return which of a page's links stand together; each in the smallest part of the page where others stand as it does."""
    known = set(links)
    found = [(url, keys, place) for href, keys, place in _find_anchors(tree) if (url := resolve(href)) in known]
    counts = Counter(key for _, keys, _ in found for key in keys)
    blocks: dict[tuple[_BlockKey, int], dict[str, None]] = {}
    for url, keys, place in found:
        key = next(
            (key for least in (MIN_BLOCK_LINKS, MIN_PAIR_LINKS) for key in keys if counts[key] >= least), keys[0]
        )
        if url is not None:
            blocks.setdefault((key, place), {})[url] = None
    return tuple(LinkBlock(place, tuple(urls)) for (_, place), urls in blocks.items())


def _find_anchors(tree: Node) -> Iterator[tuple[str, list[_BlockKey], int]]:
    """Yield where each link leads, with the tags around it from the nearest to the root."""
    waiting: list[tuple[Node, tuple[Node, ...]]] = [(tree, ())]
    while waiting:
        node, above = waiting.pop()
        if node.tag == "a" and node.attribute("href"):
            yield node.attribute("href"), *_name_place(node, above or (node,))
        inside = (*above, node)
        waiting.extend((each, inside) for each in reversed(node.content) if isinstance(each, Node))


def _name_place(node: Node, above: tuple[Node, ...]) -> tuple[list[_BlockKey], int]:
    way, keys = hash(node.tag), []
    for tag in reversed(above):
        if tag.tag not in ROW_TAGS or tag is above[0]:
            keys.append((id(tag), way))
        way = hash((way, tag.tag, _first_class_name(tag.attribute("class")) if tag.tag in CLASS_TAGS else ""))
    return keys, way


@lru_cache(maxsize=8_192)
def _first_class_name(css: str) -> str:
    """Return the first name of a class that has no digits: those after it tell the tags of one kind apart."""
    names = css.lower().split()[:MAX_CLASS_NAMES]
    return next((name for name in names if not any(map(str.isdigit, name))), "")


# --- look
# One page of a site as crawling by example sees it: how like the sample it is, and where it leads.

MIN_SHARED_LINK_SHARE = 0.5  # of the links of a page
_RANDOM = re.compile(r"\A(?=[^=]*\d)[0-9a-zA-Z_.!-]{12,}")
_IN_PATH = re.compile(r";[^=;/]+=[^;/]*")  # a parameter of a folder
MAX_PAGE_LINKS = 5_000  # of one page that are kept, as many as are read of it


@dataclass(frozen=True, slots=True)
class ExamplePage:
    """A page that came: its tree, its words, its links to the same site."""

    url: str  # the address that was asked for
    page: Page
    tree: Node
    links: tuple[str, ...]
    moved: bool = False  # the address led on to another
    without: Collection[str] = ()  # parameters that were left out of the links
    large: bool = False  # so much that it is worked on beside the event loop

    def find_blocks(self) -> tuple[LinkBlock, ...]:
        """Return which links stand together."""
        base = Base.of(self.page.base)
        return find_blocks(self.tree, lambda href: strip_parameters(base.resolve(href) or "", self.without), self.links)


OpenPage = Callable[[Request], Awaitable[ExamplePage | Failure]]


def build_opener(
    fetch: Fetch, render: Render | None = None, without: Collection[str] = (), avoid: Collection[str] = ()
) -> OpenPage:
    """Return a way to look at pages, in a browser where that shows more; what is no page says why.

    Parameters that only number a visit are left out of addresses, and links to what is avoided are none.
    """
    avoided = frozenset(filter(None, map(read_address, avoid)))

    async def look(request: Request) -> ExamplePage | Failure:
        heard = await ask(request, fetch)
        if isinstance(heard, Failure):
            return heard
        if heard.page is not None and heard.page.unrendered and render is not None:
            heard = await _render(heard, render)
        return await offload(heard.large, _read_answer, heard, without, avoided)

    return look


async def _render(heard: Heard, render: Render) -> Heard:
    """Return a page as a browser shows it, or as it came."""
    shown = await render(heard.response)
    if isinstance(shown, Failure):
        return heard
    large = is_large(shown.body)
    page, tree = await offload(large, lambda: (read_page(shown), read_tree(shown)))
    return replace(heard, response=shown, page=page, tree=tree, large=large)


def _read_answer(heard: Heard, without: Collection[str], avoided: frozenset[Address]) -> ExamplePage | Failure:
    url, status = heard.request.url, heard.response.status
    if 300 <= status < 400:
        return Failure(url, Why.REDIRECT_BAD, heard.response.header("location")[:200], status)
    if status >= 400:
        return Failure(url, Why.STATUS, f"HTTP {status}", status)
    if heard.page is None or heard.tree is None:
        return Failure(url, Why.NOT_A_PAGE, heard.response.header("content-type")[:80], status)
    links = _find_links(heard.page, without)
    if avoided:
        links = tuple(url for url in links if read_address(url) not in avoided)
    return ExamplePage(url, heard.page, heard.tree, links, bool(heard.response.redirects), without, heard.large)


def failure_reason(failure: Failure) -> str:
    """Return why a page did not come, in few words."""
    return f"HTTP {failure.status}" if failure.why is Why.STATUS else str(failure.why)


def _find_links(page: Page, without: Collection[str]) -> tuple[str, ...]:
    """Return where a page leads on its own site, each address once, in their order."""
    nofollow = {link.url for link in page.links if "nofollow" in link.rel.split()}
    there = [url for url in page.urls if url not in nofollow and same_site(url, page.url)]
    return tuple(dict.fromkeys(strip_parameters(url, without) for url in there))[:MAX_PAGE_LINKS]


def strip_parameters(url: str, names: Collection[str]) -> str:
    """Return an address without some of its parameters; those of its path are written with their semicolon."""
    if not names:
        return url
    head, _, query = url.partition("?")
    path = _IN_PATH.sub(lambda found: "" if parameter_name(found[0]) in names else found[0], head)
    kept = "&".join(pair for pair in query.split("&") if parameter_name(pair) not in names)
    return f"{path}?{kept}" if kept else path


def find_session_parameters(links: Sequence[str], others: Sequence[str] = ()) -> frozenset[str]:
    """Return the parameters that number a visit: one value in most links of a page, and it is random or another on another page."""
    here, there = _find_shared(links), _find_shared(others)
    return frozenset(
        name for name, value in here.items() if _RANDOM.fullmatch(value) or there.get(name, value) != value
    )


def _find_shared(links: Sequence[str]) -> dict[str, str]:
    """Return the parameters that most links of a page have with the same value."""
    pairs = Counter(pair for url in links for pair in _find_pairs(url))
    often = (pair for pair, count in pairs.items() if count >= max(3, MIN_SHARED_LINK_SHARE * len(links)))
    return {parameter_name(pair): pair.partition("=")[2] for pair in often}


def _find_pairs(url: str) -> set[str]:
    """Return the parameters of an address: of its query, and those that stand in its path with a semicolon."""
    head, _, query = url.partition("?")
    return {pair for pair in (*_IN_PATH.findall(head), *query.split("&")) if "=" in pair}


def parameter_name(pair: str) -> str:
    """Return the name of a parameter."""
    return pair.partition("=")[0]


# --- asking
# The first step of a pattern into the hidden web: a form that is asked, and what it is asked next.

MAX_CHOICES_ASKED: Final = 400  # of a list that is asked through; longer ones are the database itself
MAX_WORDS_ASKED: Final = 2_000  # that a box is asked with in one run
MAX_TITLE_WORDS: Final = 6  # taken from the title of a page that was found
_WORD: Final = re.compile(r"[^\W\d_]{3,30}")


@dataclass(slots=True)
class FormQuestions:
    """What is asked: the values of a list, or words out of the titles of pages that were found, each once."""

    ask: FormQuery | None
    asked: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, ask: FormQuery | None) -> FormQuestions:
        """Return the questions of a pattern's first step, or none."""
        return cls(ask)

    def start(self, entry: str) -> Iterator[Request]:
        """Yield the pages to begin with: the entry, or the answers to every value."""
        if self.ask is None:
            yield Request(canonical(entry) or entry)
            return
        yield from self._put(self.ask.values, MAX_FORM_VALUES)

    def learn(self, seen: ExamplePage) -> Iterator[Request]:
        """Yield the answers to words of a page that was found, where the form has a box for words."""
        if self.ask is None or not self.ask.words:
            return
        yield from self._put(tuple(_WORD.findall(seen.page.title.lower()))[:MAX_TITLE_WORDS], MAX_WORDS_ASKED)

    def _put(self, values: tuple[str, ...], most: int) -> Iterator[Request]:
        for value in values:
            if self.ask is not None and value not in self.asked and len(self.asked) < most:
                self.asked[value] = None
                yield build_request(self.ask, value)


def build_request(ask: FormQuery, value: str) -> Request:
    """Return the request that puts one value to a form."""
    pair = urlencode({ask.field: value}, errors="replace")
    if ask.method == "POST":
        return Request(
            canonical(ask.address) or ask.address,
            "POST",
            pair.encode(),
            (("content-type", "application/x-www-form-urlencoded"),),
        )
    url = f"{ask.address}{'&' if '?' in ask.address else '?'}{pair}"
    return Request(canonical(url) or url)


def find_asks(page: Page, sample: Page) -> Iterator[FormQuery]:
    """Yield how the forms of a page can be asked: lists of choices one by one, then boxes with words of the sample."""
    doors = [open_door(form, page) for form in page.forms]
    for door in doors:
        for condition in door.conditions:
            values = tuple(option.value for option in condition.options if option.value.strip())
            if condition.operator != "range" and 2 <= len(values) <= MAX_CHOICES_ASKED:
                yield from _build_asks(door, condition.fields[0], values)
    words = tuple(_WORD.findall(sample.title.lower()))[:MAX_TITLE_WORDS]
    for door in doors:
        box = find_box(door)
        if box is not None and words:
            yield from (msgspec.structs.replace(ask, words=True) for ask in _build_asks(door, box.name, words))


def _judge_as_search(door: Door) -> Door:
    """Take a form that sends with GET and has nothing but lists to choose from as a search: to choose is to look."""
    asked = {field.type for field in door.form.fields} - {"hidden", "submit", "image", "button", "reset"}
    if door.form.method != "GET" or not asked <= {"select", "radio"}:
        return door
    return replace(door, judgement=replace(door.judgement, kind="database"))


def _build_asks(door: Door, name: str, values: tuple[str, ...]) -> Iterator[FormQuery]:
    """Yield a form as one address and one field; a form that may not be asked, or only with POST, gives nothing."""
    request = fill(_judge_as_search(door), {name: values[0]})
    if isinstance(request, Verdict):
        return
    address, _, query = request.url.partition("?")
    rest = "&".join(pair for pair in query.split("&") if pair and unquote_plus(pair.partition("=")[0]) != name)
    yield FormQuery(f"{address}?{rest}" if rest else address, "GET", name, values)
