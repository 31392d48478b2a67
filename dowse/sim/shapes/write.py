"""A planned page as its family writes it: blocks, menus, and the skeleton around them."""

from __future__ import annotations

from html import escape

from dowse.model import Response
from dowse.sim.address import LinkWriter
from dowse.sim.chance import number_of
from dowse.sim.pages import GROUPS_FROM
from dowse.sim.shapes.page import Block, Cells, Chooser, Facts, Links, Page, Rows, Step, Steps, Text
from dowse.sim.shapes.plan import ShapePlan
from dowse.sim.traps import new_session
from dowse.sim.view import Anchor, Anchors, Detail, FormView, Group, Listing, Part, Question, Row, View


def write_page(site: ShapePlan, page: Page, asked: str, status: int = 200) -> Response:
    """Write a page as it is answered to what was asked."""
    writer = PageWriter(site, page, asked)
    habits = site.habits
    body = habits.family.designs[habits.style.design](writer.view()).encode(habits.encoding, "xmlcharrefreplace")
    kind = "text/html" if habits.is_old else f"text/html; charset={habits.encoding}"
    return Response(site.origin + page.path, status, (("content-type", kind),), body)


class PageWriter:
    """Writes one page with the habits of its site."""

    def __init__(self, site: ShapePlan, page: Page, asked: str) -> None:
        self._site, self._page, self._habits = site, page, site.habits
        session = new_session(site.session, site.key, asked) if site.session else ""
        self._link = LinkWriter(site.origin, page.path, site.habits.hrefs, site.habits.ampersand, session)

    def view(self) -> View:
        """Return all that a design needs to write the page."""
        site, page, habits = self._site, self._page, self._habits
        return View(
            style=habits.style,
            says=habits.says,
            language=habits.wording.language,
            encoding=habits.encoding,
            number=number_of(page.path) % 1000,
            title=escape(page.title),
            site_name=escape(habits.site_name),
            base=f"{site.origin}/" if habits.hrefs == "base" else "",
            canonical=f"{site.origin}{page.path}".replace("&", "&amp;") if site.canonical else "",
            search_description="",
            menu=self._write_menu(),
            submenu=self._anchors(page.side),
            crumbs=self._anchors(page.crumbs),
            tags=(),
            tools=self._anchors(page.tools),
            outside=(),
            hidden=(),
            header="",
            content="\n".join(self._write_block(block) for block in page.blocks),
            footer="",
        )

    def _anchor(self, step: Step) -> Anchor:
        return Anchor(self._link(step.path), escape(step.text))

    def _anchors(self, steps: Steps) -> Anchors:
        return tuple(self._anchor(step) for step in steps)

    def _write_menu(self) -> tuple[Group, ...]:
        links, says = self._anchors(self._site.menu), self._habits.says
        if len(links) < GROUPS_FROM:
            return (Group(says["menu"], links),)
        half = len(links) // 2
        return Group(self._habits.topic(self._site.topic).noun, links[:half]), Group(says["about"], links[half:])

    def _write_block(self, block: Block) -> str:
        match block:
            case Text():
                return self._write_text(block)
            case Links():
                lists = self._habits.family.lists[self._habits.style.lists]
                return lists(escape(block.heading), self._anchors(block.links))
            case Facts():
                return self._write_facts(block)
            case Rows():
                return self._write_rows(block)
            case Chooser():
                return self._write_form(block)

    def _write_text(self, block: Text) -> str:
        pictures = [
            f'<img src="{self._link.plain(path)}" alt="{escape(words)}" width="160" height="120">'
            for path, words in block.pictures
        ]
        paragraphs = (*map(escape, block.paragraphs), *pictures)
        return self._habits.family.write_text(self._habits.style, escape(block.heading), paragraphs)

    def _write_facts(self, block: Facts) -> str:
        details, style = self._habits.family.details, self._habits.style
        names = tuple(details)
        other = names[(names.index(style.detail) + 1) % len(names)]
        detail = Detail(
            style=style,
            says=self._habits.says,
            title=escape(block.title),
            cells=_escape_cells(block.cells),
            liked=self._anchors(block.liked),
        )
        return details[style.detail if block.manner == "own" else other](detail)

    def _write_rows(self, block: Rows) -> str:
        habits = self._habits
        rows = (
            Row(self._link(each.path) if each.path else "", escape(each.title), _escape_cells(each.cells))
            for each in block.entries
        )
        listing = Listing(
            style=habits.style,
            says=habits.says,
            heading=escape(block.heading),
            count="",
            remark="",
            rows=tuple(rows),
            notices=(),
            previous=self._anchor(block.previous) if block.previous else None,
            next=self._anchor(block.next) if block.next else None,
            pages=tuple((number, self._anchor(step) if step else None) for number, step in block.pages),
            sorts=(),
            liked=(),
            form="",
        )
        return habits.family.results[habits.style.results](listing)

    def _write_form(self, block: Chooser) -> str:
        habits, part = self._habits, Part(block.name, "select", tuple((v, escape(t)) for v, t in block.choices))
        return habits.family.write_form(
            FormView(
                style=habits.style,
                says=habits.says,
                number=1,
                heading=escape(block.heading),
                method="GET",
                action=self._link.plain(block.action),
                questions=(Question(escape(block.label), "choice", (part,)),),
                buttons=(("", escape(habits.says["search_buttons"])),),
                reset="",
                place="content",
                made="html",
                suggest="",
            )
        )


def _escape_cells(cells: Cells) -> tuple[tuple[str, str], ...]:
    return tuple((escape(label), escape(value)) for label, value in cells)
