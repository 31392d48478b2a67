"""The pages of a browsable site that are no records and no lists: news, notes, help; some of them decoys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from dowse.sim.chance import between, dice, mix, number_of, pick
from dowse.sim.habits import Habits
from dowse.sim.naming import STEP, list_titles, slug
from dowse.sim.shapes.addresses import NEWS_PATTERNS, AddressBook
from dowse.sim.shapes.page import Block, Facts, Links, Page, Step, Steps, Text
from dowse.sim.shapes.pieces import FIRST_DAY, Piece
from dowse.sim.shapes.shape import Shape

ABOUT: Final = ("about", "contact", "help")  # what every site says of itself; the last has pages below it
NEWS: Final = (12, 24)
HELP: Final = (4, 8)
NEWS_EVERY: Final = 7  # days
MOST_NEWS: Final = 20  # that come after the first day
PUBLIC: Final = 70_000  # where the numbers of such pages begin: no target has them
ALIKE: Final = 2  # one of so many pages of news has the address of a target where such decoys are


@dataclass(frozen=True, slots=True)
class Room:
    """What the pages of text on one site are made with."""

    key: str
    shape: Shape
    habits: Habits
    topic: str
    book: AddressBook
    day: int
    first: Piece  # decoys stand beside it and those after it

    def write_paragraphs(self, *about: object) -> tuple[str, ...]:
        """Write a few paragraphs, always the same for the same thing."""
        rng, words = dice(self.key, "text", *about), self.habits.topic(self.topic)
        stock = (*words.sentences, *self.habits.wording.sentences)
        return tuple(
            " ".join(dict.fromkeys(pick(rng, stock) for _ in range(between(rng, 2, 4)))).replace(
                "{n}", pick(rng, words.nouns)
            )
            for _ in range(between(rng, 2, 4))
        )

    def title(self, number: int) -> str:
        """Return what a page of text is called."""
        titles = list_titles(self.habits.wording, self.topic)
        return titles[(number_of(self.key) + number * STEP) % len(titles)]

    def path(self, number: int, title: str) -> str:
        """Return where a page of text is: where the site puts them, or where targets are."""
        if "address" in self.shape.decoys:
            return self._beside(number, title)
        return self.habits.pages.format(n=PUBLIC + number, slug=f"{slug(title)}-{number}", above="/")

    def news_path(self, number: int, title: str) -> str:
        """Return where a piece of news is."""
        if "address" in self.shape.decoys and number % ALIKE == 0:
            return self._beside(100 + number, title)
        word = self.book.words["news"]
        return NEWS_PATTERNS[self.book.family].format(word=word, n=PUBLIC + number)

    def _beside(self, number: int, title: str) -> str:
        return self.book.decoy_path(self.first, f"{title} {number}" if number >= len(ABOUT) else title)


def find_furniture(room: Room) -> tuple[Steps, Steps, Steps]:
    """Return where news and the pages about the site are: the menu's, the news, and those of help."""
    says = room.habits.says
    menu = [Step(room.path(place, says[name]), says[name]) for place, name in enumerate(ABOUT)]
    menu.append(Step(room.path(len(ABOUT), says["news"]), says["news"]))
    rng = dice(room.key, "furniture")
    base, helped = between(rng, *NEWS), between(rng, *HELP)
    count = base + min(MOST_NEWS, room.day // NEWS_EVERY)
    titles = [room.title(number) for number in range(count)]
    news = tuple(Step(room.news_path(number, title), title) for number, title in enumerate(titles))
    guides = [room.title(500 + number) for number in range(helped)]
    return tuple(menu), news, tuple(Step(room.path(10 + place, title), title) for place, title in enumerate(guides))


def write_furniture(room: Room, found: tuple[Steps, Steps, Steps], home: Step) -> Iterator[Page]:
    """Write the pages of text."""
    menu, news, guides = found
    said = room.habits.says["also"]
    for step in menu[: len(ABOUT) - 1]:
        yield _write_article(room, step, (home,), ())
    yield _write_article(room, menu[len(ABOUT) - 1], (home,), (Links(said, guides),))
    yield _write_article(room, menu[-1], (home,), (Links("", news[::-1]),))
    for place, step in enumerate(guides):
        beside = guides[(place + 1) % len(guides)]
        yield _write_article(room, step, (home, menu[len(ABOUT) - 1]), (Links(said, (beside,)),))
    for number, step in enumerate(news):
        yield Page(step.path, "news", step.text, _write_news(room, number, step.text), (home, menu[-1]))


def _write_article(room: Room, step: Step, crumbs: Steps, below: tuple[Block, ...]) -> Page:
    text = Text(step.text, room.write_paragraphs("article", step.path))
    return Page(step.path, "article", step.text, (text, *below), crumbs)


def _write_news(room: Room, number: int, title: str) -> tuple[Block, ...]:
    """Write a piece of news: as text, or nearly as a target is written."""
    paragraphs = room.write_paragraphs("news", number)
    if "news" not in room.shape.decoys:
        return (Text(title, paragraphs),)
    says, words = room.habits.says, room.habits.topic(room.topic).words
    written = FIRST_DAY - timedelta(days=(40 - number) * NEWS_EVERY)
    cells = ((says["updated"], f"{written:%d.%m.%Y}"), (says["tags"], words[mix(number, 7) % len(words)]))
    return Facts(title, cells), Text("", paragraphs)
