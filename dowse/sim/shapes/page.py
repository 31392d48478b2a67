"""A page as it is planned: blocks of content and links by path, before a family writes it as HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Step(NamedTuple):
    """A link: the path within the site, and what it says."""

    path: str
    text: str


Steps = tuple[Step, ...]
Cells = tuple[tuple[str, str], ...]  # label, value


@dataclass(frozen=True, slots=True)
class Text:
    """Paragraphs under a heading, which may be nothing."""

    heading: str
    paragraphs: tuple[str, ...]
    pictures: tuple[tuple[str, str], ...] = ()  # path and words instead of it, each in a paragraph of its own

    def steps(self) -> Steps:
        """Return the links in it."""
        return ()


@dataclass(frozen=True, slots=True)
class Links:
    """Links under a heading."""

    heading: str
    links: Steps

    def steps(self) -> Steps:
        """Return the links in it."""
        return self.links


@dataclass(frozen=True, slots=True)
class Facts:
    """A record: its labels and values, and others that one might like."""

    title: str
    cells: Cells
    liked: Steps = ()
    manner: str = "own"  # the one of targets, or an "other"

    def steps(self) -> Steps:
        """Return the links in it."""
        return self.liked


class Entry(NamedTuple):
    """A line of a list."""

    path: str  # or nothing
    title: str
    cells: Cells


@dataclass(frozen=True, slots=True)
class Rows:
    """Records in a list with some of their values, and the way to its other pages."""

    heading: str
    entries: tuple[Entry, ...]
    previous: Step | None = None
    next: Step | None = None
    pages: tuple[tuple[str, Step | None], ...] = ()  # None for the one shown

    def steps(self) -> Steps:
        """Return the links in it."""
        own = [Step(each.path, each.title) for each in self.entries if each.path]
        around = [self.previous, self.next, *(step for _, step in self.pages)]
        return (*own, *(step for step in around if step))


@dataclass(frozen=True, slots=True)
class Chooser:
    """A form with one choice, which alone leads to the lists."""

    heading: str
    label: str
    action: str  # path
    name: str
    choices: tuple[tuple[str, str], ...]  # value, label

    def steps(self) -> Steps:
        """Return the links in it: there are none."""
        return ()


Block = Text | Links | Facts | Rows | Chooser


@dataclass(frozen=True, slots=True)
class Page:
    """A page: what it is, where it is, and all that its own part of the site leads to."""

    path: str
    kind: str  # home, list, target, work, news, article, note
    title: str
    blocks: tuple[Block, ...]
    crumbs: Steps = ()
    side: Steps = ()  # a menu of this part of the site, or a box on every page
    tools: Steps = ()

    def leads(self) -> Iterator[str]:
        """Give the paths that the page leads to, menus and crumbs aside."""
        for block in self.blocks:
            for step in block.steps():
                yield step.path
        yield from (step.path for step in (*self.side, *self.tools))
