"""The first step of a pattern into the hidden web: a form that is asked, and what it is asked next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import unquote_plus, urlencode

from dowse.example.look import Seen
from dowse.example.pattern import MOST_VALUES, Ask
from dowse.form.ask import fill
from dowse.form.doors import open_door
from dowse.form.questions import find_box
from dowse.model import Door, Page, Request, Verdict
from dowse.url import canonical

MOST_CHOICES: Final = 400  # of a list that is asked through; longer ones are the database itself
MOST_WORDS: Final = 2_000  # that a box is asked with in one run
WORDS_OF_A_PAGE: Final = 6  # taken from the title of a page that was found
_WORD: Final = re.compile(r"[^\W\d_]{3,30}")


@dataclass(slots=True)
class Questions:
    """What is asked: the values of a list, or words out of the titles of pages that were found, each once."""

    ask: Ask | None
    asked: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, ask: Ask | None) -> Questions:
        """Return the questions of a pattern's first step, or none."""
        return cls(ask)

    def start(self, entry: str) -> Iterator[Request]:
        """Yield the pages to begin with: the entry, or the answers to every value."""
        if self.ask is None:
            yield Request(canonical(entry) or entry)
            return
        yield from self._put(self.ask.values, MOST_VALUES)

    def learn(self, seen: Seen) -> Iterator[Request]:
        """Yield the answers to words of a page that was found, where the form has a box for words."""
        if self.ask is None or not self.ask.words:
            return
        yield from self._put(tuple(_WORD.findall(seen.page.title.lower()))[:WORDS_OF_A_PAGE], MOST_WORDS)

    def _put(self, values: tuple[str, ...], most: int) -> Iterator[Request]:
        for value in values:
            if self.ask is not None and value not in self.asked and len(self.asked) < most:
                self.asked[value] = None
                yield send(self.ask, value)


def send(ask: Ask, value: str) -> Request:
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


def find_asks(page: Page, sample: Page) -> Iterator[Ask]:
    """Yield how the forms of a page can be asked: lists of choices one by one, then boxes with words of the sample."""
    doors = [open_door(form, page) for form in page.forms]
    for door in doors:
        for condition in door.conditions:
            values = tuple(option.value for option in condition.options if option.value.strip())
            if condition.operator != "range" and 2 <= len(values) <= MOST_CHOICES:
                yield from _open(door, condition.fields[0], values)
    words = tuple(_WORD.findall(sample.title.lower()))[:WORDS_OF_A_PAGE]
    for door in doors:
        box = find_box(door)
        if box is not None and words:
            yield from (replace(ask, words=True) for ask in _open(door, box.name, words))


def _as_search(door: Door) -> Door:
    """Take a form that sends with GET and has nothing but lists to choose from as a search: to choose is to look."""
    asked = {field.type for field in door.form.fields} - {"hidden", "submit", "image", "button", "reset"}
    if door.form.method != "GET" or not asked <= {"select", "radio"}:
        return door
    return replace(door, judgement=replace(door.judgement, kind="database"))


def _open(door: Door, name: str, values: tuple[str, ...]) -> Iterator[Ask]:
    """Yield a form as one address and one field; a form that may not be asked, or only with POST, gives nothing."""
    request = fill(_as_search(door), {name: values[0]})
    if isinstance(request, Verdict):
        return
    address, _, query = request.url.partition("?")
    rest = "&".join(pair for pair in query.split("&") if pair and unquote_plus(pair.partition("=")[0]) != name)
    yield Ask(f"{address}?{rest}" if rest else address, "GET", name, values)
