"""Lists of records: divided by letter, category or time, within each other, cut into pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from dowse.sim.chance import mix
from dowse.sim.shapes.addresses import AddressBook
from dowse.sim.shapes.page import Block, Cells, Entry, Facts, Links, Page, Rows, Step, Steps, Text
from dowse.sim.shapes.pieces import DIVISIONS, Piece
from dowse.sim.shapes.shape import Divisions, Shape

PAGES_SHOWN = 8  # numbers to jump to
SHOWN_CELLS = 4  # values of a record in a list


@dataclass(slots=True)
class Hub:
    """A list while it is filled: the records in it and the lists below it."""

    names: tuple[str, ...]  # that its address is made of
    division: str  # by which it was cut from the one above; nothing for the first
    path: str = ""
    title: str = ""
    pieces: list[Piece] = field(default_factory=list)
    below: dict[str, Hub] = field(default_factory=dict)

    def walk(self) -> Iterator[Hub]:
        """Give the list and all below it."""
        yield self
        for hub in self.below.values():
            yield from hub.walk()


@dataclass(frozen=True, slots=True)
class ListMaker:
    """What one site's lists are made with."""

    shape: Shape
    book: AddressBook
    number: int  # of the site: where it decides by chance
    months: tuple[str, ...]
    top: str  # what the first list is called
    says: Callable[[str], str]
    path_of: Callable[[Piece], str]
    manner: str  # rows or links
    intro: Callable[[str], tuple[str, ...]]  # paragraphs for a title

    def gather(self, divisions: Divisions, pieces: Sequence[Piece], path: str) -> Hub:
        """Put records in lists; the first list stands at a path."""
        word = self.book.words[divisions[0] if divisions else ""]
        root = Hub((), "", path or self.book.hub_path(word, ()), self.top)
        for piece in pieces:
            for names in product(*(DIVISIONS[each](piece) for each in divisions)):
                self._reach(root, divisions, names[: self._level(piece, len(names))], word).pieces.append(piece)
        return root

    def _level(self, piece: Piece, deepest: int) -> int:
        """Return how far down a record stands: at the end, or where chance puts it."""
        return deepest if self.shape.depths == "leaf" else mix(self.number, piece.number) % (deepest + 1)

    def _reach(self, root: Hub, divisions: Divisions, names: tuple[str, ...], word: str) -> Hub:
        hub = root
        for division, name in zip(divisions, names, strict=False):
            if name not in hub.below:
                hub.below[name] = self._open_below(hub, division, name, word)
            hub = hub.below[name]
        return hub

    def _open_below(self, hub: Hub, division: str, name: str, word: str) -> Hub:
        """Begin a list below another, at an address that no list beside it has."""
        taken = {each.path for each in hub.below.values()}
        for again in range(len(taken) + 1):
            trail = (*hub.names, f"{name} {again + 1}" if again else name)
            path = self.book.hub_path(word, trail)
            if path not in taken:
                break
        return Hub(trail, division, path, self._label(division, name))

    def _label(self, division: str, name: str) -> str:
        return self.months[int(name) - 1] if division == "month" else name

    def write(self, hub: Hub, crumbs: Steps, side: Steps) -> Iterator[Page]:
        """Write a list and those below it, each in as many pages as it takes."""
        yield from self._cut(hub, crumbs, side)
        trail = (*crumbs, Step(hub.path, hub.title))
        for below in sort_below(hub, self.shape.order):
            yield from self.write(below, trail, side)

    def _cut(self, hub: Hub, crumbs: Steps, side: Steps) -> Iterator[Page]:
        pieces = self._sort(hub.pieces)
        size = self.shape.page_size or max(1, len(pieces))
        count = max(1, -(-len(pieces) // size))
        for number in range(1, count + 1):
            shown = pieces[(number - 1) * size : number * size]
            blocks = (*self._open(hub, number), *self._list(hub, shown, number, count, size))
            yield Page(self.book.page_path(hub.path, number, size), "list", hub.title, blocks, crumbs, side)

    def _sort(self, pieces: list[Piece]) -> list[Piece]:
        if self.shape.order == "newest":
            return sorted(pieces, key=lambda piece: -piece.number)
        return sorted(pieces, key=lambda piece: (piece.title.casefold(), piece.number))

    def _open(self, hub: Hub, number: int) -> tuple[Block, ...]:
        """Write what stands above a list: who it is about, a word or two, and the lists below it."""
        blocks: list[Block] = []
        if hub.division == "owner":
            blocks.append(Facts(hub.title, _sum_up(hub), manner="other"))
        elif "descriptions" in self.shape.decoys and hub.division:
            blocks += [Facts(hub.title, _sum_up(hub)), Text("", self.intro(hub.title))]
        elif number == 1:
            blocks.append(Text(hub.title, self.intro(hub.title)[:1]))
        below = () if number > 1 or (self.shape.form and not hub.division) else sort_below(hub, self.shape.order)
        if below:
            blocks.append(Links(self.says("more"), tuple(Step(each.path, each.title) for each in below)))
        return tuple(blocks)

    def _list(self, hub: Hub, shown: list[Piece], number: int, count: int, size: int) -> tuple[Block, ...]:
        if not shown:
            return ()

        def step(page: int, text: str) -> Step | None:
            return Step(self.book.page_path(hub.path, page, size), text) if 1 <= page <= count else None

        before, after = step(number - 1, self.says("previous")), step(number + 1, self.says("next"))
        pages = self._number_pages(number, count, step) if self.shape.steps == "numbers" and count > 1 else ()
        if self.manner == "rows":
            entries = tuple(Entry(self.path_of(each), each.title, each.cells[1:SHOWN_CELLS]) for each in shown)
            return (Rows(hub.title, entries, before, after, pages),)
        listed = Links("", tuple(Step(self.path_of(each), each.title) for each in shown))
        around = tuple(each for each in (before, *(each for _, each in pages), after) if each)
        return (listed, Links("", around)) if around else (listed,)

    def _number_pages(
        self, here: int, count: int, step: Callable[[int, str], Step | None]
    ) -> tuple[tuple[str, Step | None], ...]:
        first = max(1, min(here - PAGES_SHOWN // 2, count - PAGES_SHOWN + 1))
        numbers = range(first, min(count, first + PAGES_SHOWN - 1) + 1)
        return tuple((str(each), None if each == here else step(each, str(each))) for each in numbers)


def sort_below(hub: Hub, order: str) -> list[Hub]:
    """Return the lists below one in the order in which they are shown: years may go back in time."""
    backwards = order == "newest" and all(name.isdecimal() for name in hub.below)
    return [hub.below[name] for name in sorted(hub.below, key=str.casefold, reverse=backwards)]


def _sum_up(hub: Hub) -> Cells:
    """Return some values of what is in a list, as a description of it would tell them."""
    pieces = [piece for each in hub.walk() for piece in each.pieces]
    first, last = pieces[0], pieces[-1]
    told = [(label, value) for label, value in first.cells[2:5] if value]
    return (*told[:2], (last.cells[0][0], last.cells[0][1]))
