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
from dowse.step.ask import Heard, ask
from dowse.step.visit import offload, why_no_page
from dowse.tree.node import Node
from dowse.url import Base, canonical, same_site

# -- links that stand together: in one list, one row of a menu, one column of a table

# Tags whose class says what is inside; classes of rows say odd and even, first and last.
CLASS_TAGS: Final = frozenset("div ul ol dl table tbody section nav aside main header footer form".split())
ROW_TAGS: Final = frozenset({"tr", "tbody", "thead"})  # a list in a table goes on in the next row
MAX_CLASS_NAMES: Final = 20  # of a class attribute that are read
MIN_BLOCK_LINKS: Final = 3  # links that make a list; where there are fewer, two do
MIN_PAIR_LINKS: Final = 2

_BlockKey = tuple[int, int]  # a tag, and the tags from it down to a link


class LinkBlock(NamedTuple):
    """Links that stand together, and their place: a hash of the tags from the root down to each of them."""

    place: int
    links: tuple[str, ...]


def find_blocks(tree: Node, resolve: Callable[[str], str | None], links: Collection[str]) -> tuple[LinkBlock, ...]:
    """Return which links of a page stand together; each in the smallest part of the page with others in the same position."""
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
    """Yield the address of each link, the keys of the tags around it from the nearest to the root, and its place."""
    waiting: list[tuple[Node, tuple[Node, ...]]] = [(tree, ())]
    while waiting:
        node, above = waiting.pop()
        if node.tag == "a" and node.attribute("href"):
            yield node.attribute("href"), *_name_place(node, above or (node,))
        inside = (*above, node)
        waiting.extend((each, inside) for each in reversed(node.content) if isinstance(each, Node))


def _name_place(node: Node, above: tuple[Node, ...]) -> tuple[list[_BlockKey], int]:
    path, keys = hash(node.tag), []
    for tag in reversed(above):
        if tag.tag not in ROW_TAGS or tag is above[0]:
            keys.append((id(tag), path))
        path = hash((path, tag.tag, _first_class_name(tag.attribute("class")) if tag.tag in CLASS_TAGS else ""))
    return keys, path


@lru_cache(maxsize=8_192)
def _first_class_name(css: str) -> str:
    """Return the first class name without digits: those after it tell the tags of one kind apart."""
    names = css.lower().split()[:MAX_CLASS_NAMES]
    return next((name for name in names if not any(map(str.isdigit, name))), "")


# -- opening a page

MIN_SHARED_LINK_SHARE: Final = 0.5  # of the links of a page that have a session parameter
_RANDOM: Final = re.compile(r"\A(?=[^=]*\d)[0-9a-zA-Z_.!-]{12,}")
_IN_PATH: Final = re.compile(r";[^=;/]+=[^;/]*")  # a parameter of a folder
MAX_PAGE_LINKS: Final = 5_000  # kept of one page, as many as are read of it


@dataclass(frozen=True, slots=True)
class ExamplePage:
    """A page that was read: its tree, its text, its links to the same site."""

    url: str  # the address that was requested
    page: Page
    tree: Node
    links: tuple[str, ...]
    moved: bool = False  # the address redirected to another
    without: Collection[str] = ()  # session parameters that were removed from the links
    large: bool = False  # so large that it is worked on in a thread beside the event loop

    def find_blocks(self) -> tuple[LinkBlock, ...]:
        """Return which links stand together."""
        base = Base.of(self.page.base)
        return find_blocks(self.tree, lambda href: strip_parameters(base.resolve(href) or "", self.without), self.links)


OpenPage = Callable[[Request], Awaitable[ExamplePage | Failure]]


def build_opener(
    fetch: Fetch, render: Render | None = None, without: Collection[str] = (), avoid: Collection[str] = ()
) -> OpenPage:
    """Return a function that opens pages, in a browser where that shows more; what is no page says why.

    Session parameters are removed from addresses, and links to avoided pages are dropped.
    """
    avoided = frozenset(filter(None, map(read_address, avoid)))

    async def open_page(request: Request) -> ExamplePage | Failure:
        heard = await ask(request, fetch, render)
        if isinstance(heard, Failure):
            return heard
        return await offload(heard.large, _read_answer, heard, without, avoided)

    return open_page


def _read_answer(heard: Heard, without: Collection[str], avoided: frozenset[Address]) -> ExamplePage | Failure:
    """Return the page with its links to the same site, each once; or why it is none."""
    url, status = heard.request.url, heard.response.status
    if status >= 300:
        return why_no_page(heard.response, url)
    if heard.page is None or heard.tree is None:
        return Failure(url, Why.NOT_A_PAGE, heard.response.header("content-type")[:80], status)
    nofollow = {link.url for link in heard.page.links if "nofollow" in link.rel.split()}
    inside = [each for each in heard.page.urls if each not in nofollow and same_site(each, heard.page.url)]
    links = tuple(dict.fromkeys(strip_parameters(each, without) for each in inside))[:MAX_PAGE_LINKS]
    if avoided:
        links = tuple(each for each in links if read_address(each) not in avoided)
    return ExamplePage(url, heard.page, heard.tree, links, bool(heard.response.redirects), without, heard.large)


def failure_reason(failure: Failure) -> str:
    """Return why a page could not be read, in few words."""
    return f"HTTP {failure.status}" if failure.why is Why.STATUS else str(failure.why)


def strip_parameters(url: str, names: Collection[str]) -> str:
    """Return an address without some of its parameters; names of path parameters begin with their semicolon."""
    if not names:
        return url
    head, _, query = url.partition("?")
    path = _IN_PATH.sub(lambda found: "" if parameter_name(found[0]) in names else found[0], head)
    kept = "&".join(pair for pair in query.split("&") if parameter_name(pair) not in names)
    return f"{path}?{kept}" if kept else path


def find_session_parameters(links: Sequence[str], others: Sequence[str] = ()) -> frozenset[str]:
    """Return the session parameters: one value in most links of a page, and it looks random or differs on another page."""
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
    """Return the parameters of an address: of its query, and those in its path with a semicolon."""
    head, _, query = url.partition("?")
    return {pair for pair in (*_IN_PATH.findall(head), *query.split("&")) if "=" in pair}


def parameter_name(pair: str) -> str:
    """Return the name of a parameter."""
    return pair.partition("=")[0]


# -- the form that is asked before the first step of a pattern

MAX_CHOICES_ASKED: Final = 400  # of one list; longer ones are the database itself
MAX_WORDS_ASKED: Final = 2_000  # in one text box, in one run
MAX_TITLE_WORDS: Final = 6  # taken from the title of a page that was found
_WORD: Final = re.compile(r"[^\W\d_]{3,30}")


@dataclass(slots=True)
class FormQuestions:
    """What a form is asked: the values of a list, or words from the titles of pages that were found, each once."""

    form: FormQuery | None
    asked: dict[str, None] = field(default_factory=dict)

    def start(self, entry: str) -> Iterator[Request]:
        """Yield the first requests: the entry, or the form with every value."""
        if self.form is None:
            yield Request(canonical(entry) or entry)
        else:
            yield from self._ask(self.form, self.form.values, MAX_FORM_VALUES)

    def learn(self, title: str) -> Iterator[Request]:
        """Yield requests with the words of a title, where the form has a text box."""
        if self.form is not None and self.form.words:
            yield from self._ask(self.form, _WORD.findall(title.lower())[:MAX_TITLE_WORDS], MAX_WORDS_ASKED)

    def _ask(self, form: FormQuery, values: Sequence[str], most: int) -> Iterator[Request]:
        for value in values:
            if value not in self.asked and len(self.asked) < most:
                self.asked[value] = None
                yield build_request(form, value)


def build_request(form: FormQuery, value: str) -> Request:
    """Return the request that asks a form with one value."""
    pair = urlencode({form.field: value}, errors="replace")
    if form.method == "POST":
        return Request(
            canonical(form.address) or form.address,
            "POST",
            pair.encode(),
            (("content-type", "application/x-www-form-urlencoded"),),
        )
    url = f"{form.address}{'&' if '?' in form.address else '?'}{pair}"
    return Request(canonical(url) or url)


def find_form_queries(page: Page, sample: Page) -> Iterator[FormQuery]:
    """Yield how the forms of a page can be asked: lists of choices one by one, then text boxes with words of the sample."""
    doors = [open_door(form, page) for form in page.forms]
    for door in doors:
        for condition in door.conditions:
            values = tuple(option.value for option in condition.options if option.value.strip())
            if condition.operator != "range" and 2 <= len(values) <= MAX_CHOICES_ASKED:
                yield from _build_form_query(door, condition.fields[0], values)
    words = tuple(_WORD.findall(sample.title.lower()))[:MAX_TITLE_WORDS]
    for door in doors:
        box = find_box(door)
        if box is not None and words:
            yield from (msgspec.structs.replace(ask, words=True) for ask in _build_form_query(door, box.name, words))


def _judge_as_search(door: Door) -> Door:
    """Judge a GET form with nothing but lists of choices as a search: choosing changes nothing."""
    asked = {field.type for field in door.form.fields} - {"hidden", "submit", "image", "button", "reset"}
    if door.form.method != "GET" or not asked <= {"select", "radio"}:
        return door
    return replace(door, judgement=replace(door.judgement, kind="database"))


def _build_form_query(door: Door, name: str, values: tuple[str, ...]) -> Iterator[FormQuery]:
    """Yield a form as one address and one field; a form that may not be asked, or only with POST, gives nothing."""
    request = fill(_judge_as_search(door), {name: values[0]})
    if isinstance(request, Verdict):
        return
    address, _, query = request.url.partition("?")
    rest = "&".join(pair for pair in query.split("&") if pair and unquote_plus(pair.partition("=")[0]) != name)
    yield FormQuery(f"{address}?{rest}" if rest else address, "GET", name, values)
