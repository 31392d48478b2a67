"""A page as it is kept: without what depends on the order of a search, and laid out only when somebody looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dowse.model import Door, Familiar, Link, LinkGroup, Page, Response, Visit
from dowse.page.read import read_groups


@dataclass(slots=True)
class Layout:
    """The groups of links of a page, computed from its body the first time they are asked for.

    To lay out a page is a third of the work of reading it, and strategies look at few pages of a site.
    """

    response: Response | None = None
    familiar: Familiar = field(default_factory=Familiar)  # what needs no description; pages of a site share it
    groups: tuple[LinkGroup, ...] = ()

    def find_groups(self) -> tuple[LinkGroup, ...]:
        """Return the groups, and let go of the body."""
        if self.response is not None:
            self.groups, self.response = read_groups(self.response, self.familiar), None
        return self.groups


class RecordedPage(Page):
    """A page whose groups come from a layout."""

    __slots__ = ("_layout",)
    _layout: Layout

    @property
    def groups(self) -> tuple[LinkGroup, ...]:
        """Links that stand together."""
        return self._layout.find_groups()

    @groups.setter
    def groups(self, layout: Any) -> None:
        object.__setattr__(self, "_layout", layout)  # by the constructor, once

    @property
    def layout(self) -> Layout:
        """What the groups come from."""
        return self._layout


def keep_page(page: Page, links: tuple[Link, ...], layout: Layout) -> RecordedPage:
    """Return a page with these links and no forms."""
    given: Any = layout
    return RecordedPage(
        page.url, page.title, page.text, page.language, page.encoding, page.canonical, page.base, page.robots,
        links, page.link_count, page.urls, given, (), page.form_count, page.refresh, page.dropped, page.calls,
        page.unrendered,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recorded:
    """What one address showed, whoever comes there and whenever."""

    visit: Visit  # its page has neither links nor forms: which are new depends on what a search has met
    page: RecordedPage | None = None
    doors: tuple[Door, ...] = ()  # all that stand on the page, whichever page they were found on first
    beside: tuple[Link, ...] = ()  # links that are none of the page's anchors: refreshes, descriptions
