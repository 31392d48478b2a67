"""The plan of a browsable site: every page of it by its path, made from a shape, a family and a seed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final
from urllib.parse import unquote

from dowse.errors import BadInput
from dowse.sim.chance import dice, mix, number_of, pick, shuffled
from dowse.sim.families import FAMILIES
from dowse.sim.habits import Habits, draw_habits
from dowse.sim.hosts import make_host
from dowse.sim.naming import slug
from dowse.sim.shapes.addresses import KEYS, AddressBook, draw_addresses
from dowse.sim.shapes.furniture import Room, find_furniture, write_furniture
from dowse.sim.shapes.hubs import Hub, ListMaker, sort_below
from dowse.sim.shapes.page import Block, Chooser, Links, Page, Step, Steps, Text
from dowse.sim.shapes.pieces import Piece, draw_pieces
from dowse.sim.shapes.shape import Shape
from dowse.sim.shapes.targets import TargetMaker
from dowse.sim.traps import WAYS, TrapPlan
from dowse.sim.view import Family
from dowse.sim.wording import read_wording

BOXED: Final = 5  # records in a box
SIDE: Final = 8  # lists in the menu beside a list
SIDE_SHARE: Final = 0.5  # sites that have one
ROWS_SHARE: Final = 0.5  # sites whose lists show values
CANONICAL_SHARE: Final = 0.25


@dataclass(frozen=True)
class ShapePlan:
    """A browsable site on a day, in an edition."""

    shape: Shape
    key: str
    host: str
    habits: Habits
    topic: str
    book: AddressBook
    entry: str  # path
    menu: Steps
    pages: Mapping[str, Page]
    pieces: tuple[Piece, ...]
    paths: Mapping[int, str]  # of records by number
    chooser: Chooser | None
    session: TrapPlan | None
    canonical: str  # "yes" where pages name the address they want

    @property
    def origin(self) -> str:
        """Scheme and host."""
        return f"http://{self.host}"


def plan_shape(shape: Shape, family_name: str, seed: int, day: int, edition: int, moves: int) -> ShapePlan:
    """Plan a site: the same content in each edition, at the same addresses unless it moved."""
    if family_name not in FAMILIES:
        raise BadInput(f"no template family {family_name!r}; there are {' and '.join(FAMILIES)}")
    key, family = f"{seed}/{family_name}/{shape.name}", FAMILIES[family_name]
    rng = dice(key, "plan")
    topic, wording = pick(rng, shape.topics), read_wording(family_name, pick(rng, shape.languages))
    habits = _draw_look(rng, key, family, draw_habits(rng, dice(key, "look", edition), family, wording, topic), edition)
    pieces = draw_pieces(shape, topic, wording, key, day)
    book = draw_addresses(dice(key, "addresses"), habits, shape, moves)
    room = Room(key, shape, habits, topic, book, day, pieces[0])
    return _Builder(room, pieces, edition).build(make_host(rng, family_name, number_of(key) % 10_000, topic))


def _draw_look(rng: Random, key: str, family: Family, habits: Habits, edition: int) -> Habits:
    """Give each edition a design that no other has, as long as there are any."""
    designs = shuffled(dice(key, "designs"), tuple(family.designs))
    return replace(habits, style=habits.style._replace(design=designs[edition % len(designs)]))


class _Builder:
    """Puts the parts of a site together."""

    def __init__(self, room: Room, pieces: tuple[Piece, ...], edition: int) -> None:
        self._room, self._pieces, self._shape = room, pieces, room.shape
        self._look = dice(room.key, "lists", edition)
        self._home = Step("/", room.habits.says["home"])
        self._older = sum(not piece.day for piece in pieces) // 2
        self._paths = {piece.number: self._path_of(piece) for piece in pieces}

    def _path_of(self, piece: Piece) -> str:
        """Return where a record is; those of the first half of the first day have the older style."""
        book = self._room.book
        return book.target_path(piece, book.older if piece.number < self._older else book.target)

    def build(self, host: str) -> ShapePlan:
        """Build the site at a host."""
        room, shape = self._room, self._shape
        found = find_furniture(room)
        maker = self._open_lists()
        ways = [maker.gather(each, self._pieces, self._top_path(place)) for place, each in enumerate(shape.ways)]
        chooser = self._write_chooser(ways[0]) if shape.form else None
        tops = () if shape.form else tuple(self._name_top(hub, place) for place, hub in enumerate(ways))
        menu = (self._home, *(each for each in tops if each.path != "/"), *found[0])
        pages = [
            *self._write_lists(maker, ways),
            *self._write_targets(ways[0], found[1]),
            *write_furniture(room, found, self._home),
        ]
        known = {page.path: page for page in pages}
        if len(known) < len(pages):
            raise ValueError(f"two pages of {room.key} have one address")  # a style of address that is too poor
        known["/"] = self._write_home(known.get("/"), menu[1:], chooser)
        entry = ways[0].path if shape.entry == "catalogue" else "/"
        known[entry] = self._with_boxes(known[entry])
        return ShapePlan(
            shape=shape,
            key=room.key,
            host=host,
            habits=room.habits,
            topic=room.topic,
            book=room.book,
            entry=entry,
            menu=menu,
            pages={path: self._with_popular(page) for path, page in known.items()},
            pieces=self._pieces,
            paths=self._paths,
            chooser=chooser,
            session=_draw_session(room) if shape.session else None,
            canonical=_draw_canonical(room),
        )

    def _top_path(self, place: int) -> str:
        """Return where a way begins: the home page, or nothing for a page of its own."""
        return "/" if place == 0 and self._shape.entry == "home" and not self._shape.form else ""

    def _open_lists(self) -> ListMaker:
        room, says = self._room, self._room.habits.says
        return ListMaker(
            shape=self._shape,
            book=room.book,
            number=number_of(room.key, "lists"),
            months=room.habits.wording.months,
            top=says["search_pages"].format(n=room.habits.topic(room.topic).noun),
            says=lambda name: says[name],
            path_of=lambda piece: self._paths[piece.number],
            manner="rows" if self._look.random() < ROWS_SHARE else "links",
            intro=lambda title: room.write_paragraphs("list", title),
        )

    def _name_top(self, hub: Hub, place: int) -> Step:
        """Name a way to browse: the second and third by what they are divided by."""
        sample = next(iter(sort_below(hub, self._shape.order)), hub)
        return Step(hub.path, f"{hub.title}: {sample.title} ..." if place else hub.title)

    def _write_lists(self, maker: ListMaker, ways: list[Hub]) -> Iterator[Page]:
        for hub in ways:
            below = tuple(Step(each.path, each.title) for each in sort_below(hub, self._shape.order))
            has_side = self._look.random() < SIDE_SHARE and not self._shape.form
            crumbs = () if hub.path == "/" else (self._home,)
            yield from maker.write(hub, crumbs, below[:SIDE] if has_side else ())

    def _write_targets(self, top: Hub, news: Steps) -> Iterator[Page]:
        maker, trails = TargetMaker(self._room, self._pieces, self._paths, news), self._find_trails(top)
        for piece in self._pieces:
            yield from maker.write(piece, trails[piece.number], ())

    def _find_trails(self, top: Hub) -> dict[int, Steps]:
        """Return for each record the lists that lead to it, from the home page down."""
        trails: dict[int, Steps] = {}
        waiting: list[tuple[Hub, Steps]] = [(top, (self._home,))]
        while waiting:
            hub, above = waiting.pop()
            hidden = hub.path == "/" or (self._shape.form and not hub.division)
            trail = above if hidden or self._shape.form else (*above, Step(hub.path, hub.title))
            trails |= {piece.number: trail for piece in hub.pieces if piece.number not in trails}
            waiting += [(each, trail) for each in hub.below.values()]
        return trails

    def _write_home(self, found: Page | None, menu: Steps, chooser: Chooser | None) -> Page:
        """Write the home page: words of welcome, the first list or a form where it has them, and where else to go."""
        name = self._room.habits.site_name
        welcome = Text(name, self._room.write_paragraphs("home")[:2])
        own = found.blocks if found else ()
        blocks: tuple[Block, ...] = (welcome, *own, *((chooser,) if chooser else ()))
        links = Links(self._room.habits.says["menu"], menu)
        return Page("/", "list" if found else "home", name, (*blocks, links), side=found.side if found else ())

    def _write_chooser(self, hub: Hub) -> Chooser:
        label = self._pieces[0].cells[0][0]
        choices = tuple((unquote(slug(each.names[-1])), each.title) for each in sort_below(hub, self._shape.order))
        return Chooser(hub.title, label, hub.path, KEYS[self._room.book.family][0], choices)

    def _with_boxes(self, page: Page) -> Page:
        """Put the newest and the best beside what the way in has."""
        says, boxes = self._room.habits.says, []
        newest = self._pieces[: -BOXED - 1 : -1]
        if "newest" in self._shape.boxes:
            boxes.append(Links(says["news"], self._link(newest)))
        if "featured" in self._shape.boxes:
            boxes.append(Links(says["liked"], self._link(self._choose("featured"))))
        return replace(page, blocks=(*page.blocks, *boxes))

    def _with_popular(self, page: Page) -> Page:
        if "popular" not in self._shape.boxes:
            return page
        return replace(page, side=self._link(self._choose("popular")))

    def _choose(self, box: str) -> tuple[Piece, ...]:
        """Choose some records of the first day."""
        first, bits = [each for each in self._pieces if not each.day], number_of(self._room.key, box)
        places = sorted({mix(bits, place) % len(first) for place in range(BOXED)})
        return tuple(first[place] for place in places)

    def _link(self, pieces: tuple[Piece, ...]) -> Steps:
        return tuple(Step(self._paths[piece.number], piece.title) for piece in pieces)


def _draw_session(room: Room) -> TrapPlan:
    """Draw the name of the session that every link carries, and the pattern to take it off by."""
    style, names = pick(dice(room.key, "session"), WAYS[room.book.family]["session"].styles)
    lead = "" if names[0].startswith(";") else "[?&]"
    return TrapPlan("session", room.book.family, "", style, names, rf"{lead}{re.escape(names[0])}=[0-9a-f]{{24}}")


def _draw_canonical(room: Room) -> str:
    chance = dice(room.key, "canonical").random()
    return "yes" if chance < CANONICAL_SHARE and not room.habits.is_old and not room.shape.session else ""
