"""The pages of records: their values, parts that only some have, and ties between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final

from dowse.sim.chance import between, dice, mix, pick
from dowse.sim.shapes.addresses import PICTURES, WORK_PATTERNS
from dowse.sim.shapes.furniture import Room
from dowse.sim.shapes.page import Block, Cells, Entry, Facts, Links, Page, Rows, Step, Steps, Text
from dowse.sim.shapes.pieces import Piece
from dowse.sim.tables import TOPIC_NAMES, Table, make_table

SHARES: Final[Mapping[str, float]] = {"text": 0.8, "table": 0.5, "pictures": 0.5, "comments": 0.4, "lists": 0.5}
RELATED: Final = 4
MOST_WORKS: Final = 3  # below a target
WORK_NUMBERS: Final = 1200  # as many as any site could need: what a table holds depends on its size
WORK_CELLS: Final = 4
LONGEST: Final[Mapping[str, int]] = {"table": 14, "pictures": 5, "comments": 10, "lists": 16}


@dataclass(frozen=True)
class TargetMaker:
    """What the pages of records are made with."""

    room: Room
    pieces: Sequence[Piece]
    paths: Mapping[int, str]  # of records by number
    others: Steps  # where long lists lead

    def step(self, piece: Piece) -> Step:
        """Return the link to a record."""
        return Step(self.paths[piece.number], piece.title)

    @cached_property
    def _alike(self) -> dict[str, list[Piece]]:
        alike: dict[str, list[Piece]] = {}
        for piece in self.pieces:
            alike.setdefault(piece.category, []).append(piece)
        return alike

    @cached_property
    def _places(self) -> tuple[list[Piece], dict[int, int]]:
        """Records in the order in which one leads to the next, and the place of each."""
        ordered = sorted(self.pieces, key=lambda piece: (piece.title.casefold(), piece.number))
        return ordered, {piece.number: place for place, piece in enumerate(ordered)}

    @cached_property
    def _first(self) -> list[Piece]:
        return [piece for piece in self.pieces if not piece.day]

    @cached_property
    def _works(self) -> Table:
        topic = TOPIC_NAMES[(TOPIC_NAMES.index(self.room.topic) + 3) % len(TOPIC_NAMES)]
        return make_table(topic, self.room.habits.wording, f"{self.room.key}/works", (WORK_NUMBERS,))

    def write(self, piece: Piece, crumbs: Steps, side: Steps) -> Iterator[Page]:
        """Write the page of a record, and those below it."""
        path, works = self.paths[piece.number], self._find_works(piece)
        facts = Facts(piece.title, piece.cells, self._find_related(piece))
        blocks: list[Block] = [facts, *self._write_parts(piece)]
        if works:
            blocks.append(Links(self.room.habits.says["more"], tuple(works.values())))
        yield Page(path, "target", piece.title, tuple(blocks), crumbs, side, self._find_neighbours(piece))
        for number, step in works.items():
            below = Facts(step.text, self._show_work(number), manner="other")
            yield Page(step.path, "work", step.text, (below,), (*crumbs, Step(path, piece.title)), side)

    def _find_related(self, piece: Piece) -> Steps:
        if "related" not in self.room.shape.ties:
            return ()
        alike, bits = self._alike[piece.category], mix(piece.number, 11)
        chosen = {(bits + place * 7) % len(alike) for place in range(RELATED)}
        return tuple(self.step(alike[place]) for place in sorted(chosen) if alike[place] is not piece)

    def _find_neighbours(self, piece: Piece) -> Steps:
        if "neighbours" not in self.room.shape.ties:
            return ()
        says, (ordered, places) = self.room.habits.says, self._places
        place, steps = places[piece.number], []
        if place > 0:
            steps.append(self.step(ordered[place - 1])._replace(text=says["previous"]))
        if place + 1 < len(ordered):
            steps.append(self.step(ordered[place + 1])._replace(text=says["next"]))
        return tuple(steps)

    def _find_works(self, piece: Piece) -> dict[int, Step]:
        if not self.room.shape.works:
            return {}
        count = 1 + mix(piece.number, 5) % MOST_WORKS
        numbers = range(piece.number * MOST_WORKS, piece.number * MOST_WORKS + count)
        return {number: Step(self._work_path(number), self._works.name(number)) for number in numbers}

    def _work_path(self, number: int) -> str:
        book = self.room.book
        return WORK_PATTERNS[book.family].format(word=book.words["work"], n=100 + number)

    def _show_work(self, number: int) -> Cells:
        row = self._works.row(number)
        return tuple((each.labels[0], ", ".join(row[each.name])) for each in self._works.attributes[1 : 1 + WORK_CELLS])

    def _write_parts(self, piece: Piece) -> list[Block]:
        rng = dice(self.room.key, "parts", piece.number)
        drawn = [(part, rng.random()) for part in self.room.shape.parts]
        return [self._write_part(part, rng, piece) for part, chance in drawn if chance < SHARES[part]]

    def _write_part(self, part: str, rng: Random, piece: Piece) -> Block:
        habits, number = self.room.habits, piece.number
        if part == "text":
            return Text("", self.room.write_paragraphs("target", number)[: between(rng, 1, 4)])
        count = between(rng, 1, LONGEST[part])
        if part == "table":
            return Rows(habits.topic(self.room.topic).noun, self._tabulate(rng, count))
        if part == "pictures":
            pattern = PICTURES[self.room.book.family]
            shown = tuple((pattern.format(n=number * 10 + place), piece.title) for place in range(count))
            return Text("", (), shown)
        if part == "comments":
            titles = habits.wording.titles["comment"]
            said = (self.room.write_paragraphs("comment", number, place)[0] for place in range(count))
            by_name = tuple(f"{pick(rng, habits.wording.first_names)}: {text}" for text in said)
            return Text(titles[habits.key % len(titles)], by_name)
        first = number % len(self.others)
        return Links(habits.says["also"], (self.others[first:] + self.others[:first])[:count])

    def _tabulate(self, rng: Random, count: int) -> tuple[Entry, ...]:
        """Return a table of others: their names and some of their values, without links."""
        chosen = [pick(rng, self._first) for _ in range(count)]
        return tuple(Entry("", each.title, each.cells[2:5]) for each in chosen)
