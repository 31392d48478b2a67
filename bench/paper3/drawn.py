"""Sites drawn at random to learn crawlers on: templates of `tests/example/random_sites.py`, and what makes real sites hard.

Lists with facets and orders that combine, months that go on for ever, wikis whose categories and articles share one form of
address, targets of two templates, other kinds of pages in the targets' template, boxes with the newest on every page, related
pages, a category as the entry. Each site draws which of these it has; its truth is what it was drawn from.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from urllib.parse import parse_qsl, urlencode, urlsplit

from dowse.model import Failure, Request, Response
from dowse.sim.chance import dice
from dowse.sim.view import Anchor, Anchors, Detail, Group, Listing, Row, Style, View
from dowse.url import canonical
from tests.example.random_sites import (
    Design,
    DetailTemplate,
    ListingTemplate,
    ListTemplate,
    TextTemplate,
    draw_design,
    draw_detail,
    draw_list,
    draw_listing,
    draw_text,
)

SYLLABLES = "ba be bo da de do fa fe ga go ha ka ke ko la le lo ma me mo na ne no pa po ra re ro sa se ta te to va ve vo".split()
ADDED_SHARE = 5  # every fifth record is added later
STYLE = Style("", "", "", "", "", "", "")
SAYS = {"home": "home", "rights": "all rights", "liked": "see also"}
LABELS = ("kind", "place", "size", "colour", "price", "age", "state", "maker", "source", "weight")
STATIC = ("about", "contact", "help", "imprint", "terms")
ITEM_ADDRESSES = (
    "/item/{n}", "/item/{n}/", "/{slug}/", "/{slug}.html", "/item/{slug}", "/{group}/{slug}/", "/{year}/{month}/{slug}/", "/show.php?id={n}",
    "/index.php?do=item&id={n}", "/item-{n}.html", "/view/{n}/{slug}/",
)  # fmt: skip
GROUP_ADDRESSES = (
    "/group/{slug}/",
    "/{slug}/",
    "/group/{slug}",
    "/groups/{slug}.html",
    "/list.php?group={slug}",
    "/index.php?do=group&g={slug}",
)
PERSON_ADDRESSES = ("/person/{slug}/", "/{slug}/", "/people/{n}", "/person.php?id={n}", "/people/{slug}.html")
NOTE_ADDRESSES = (
    "/notes/{slug}/",
    "/{slug}/",
    "/note/{n}",
    "/notes/{year}/{month}/{slug}/",
    "/note.php?id={n}",
    "/item/note-{n}",
)
WIKI_ADDRESSES = ("/wiki/{name}", "/wiki/index.php?title={name}", "/{name}", "/w.cgi?{name}", "/wiki/{name}/")
LIST_PAGINGS = ("?page={n}", "?start={n}0", "page/{n}/")


@dataclass(frozen=True, slots=True)
class Record:
    """A page about one thing."""

    number: int
    title: str
    group: int
    person: int
    year: int
    month: int
    cells: tuple[tuple[str, str], ...]
    is_added: bool
    is_short: bool  # written with the second template, where there are two


@dataclass(slots=True)
class DrawnSite:
    """A site on a day."""

    host: str
    rng: Random
    day: int
    target: str  # items, group, persons or notes
    entry: str = ""
    sample: str = ""
    targets: frozenset[str] = frozenset()
    is_listed: bool = False  # the entry lists them all
    pages: dict[str, Callable[[], str]] = field(default_factory=dict)  # path and query -> how it is written
    describe: str = ""

    async def fetch(self, request: Request) -> Response | Failure:
        """Answer a request."""
        parts = urlsplit(request.url)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        write = self.pages.get(path) or self._find_view(parts.path, parts.query)
        if write is None:
            return Response(request.url, 404)
        return Response(request.url, 200, (("content-type", "text/html; charset=utf-8"),), write().encode())

    def _find_view(self, path: str, query: str) -> Callable[[], str] | None:
        """Return how a page with further parameters is written: facets and orders, in any combination."""
        given = dict(parse_qsl(query))
        if self.views is not None and (write := self.views(path, given)) is not None:
            return write
        return None

    views: Callable[[str, dict[str, str]], Callable[[], str] | None] | None = None


def open_drawn(seed: int, day: int = 0) -> DrawnSite:
    """Open the site of a seed on a day; the truth is the same, but for pages that are added later."""
    return _Draw(seed, day).build()


class _Draw:
    """Draws a site, and writes its pages."""

    def __init__(self, seed: int, day: int) -> None:
        rng = self.rng = dice("site", seed)
        self.day, self.host = day, f"www.drawn{seed}.example"
        self.design: Design = draw_design(rng)
        self.details: Sequence[DetailTemplate] = [draw_detail(rng) for _ in range(4)]
        self.listing: ListingTemplate = draw_listing(rng)
        self.listings: Sequence[ListingTemplate] = [self.listing, draw_listing(rng)]
        self.list: ListTemplate = draw_list(rng, "lst")
        self.box: ListTemplate = draw_list(rng, "bx")
        self.text: TextTemplate = draw_text(rng)
        chance = rng.random
        self.is_wiki = chance() < 0.2
        self.has_facets, self.has_orders = chance() < 0.4, chance() < 0.4
        self.has_months, self.has_latest = chance() < 0.3, chance() < 0.5
        self.has_related, self.has_neighbours = chance() < 0.5, chance() < 0.3
        self.has_tools = chance() < 0.4  # edit, print and history of each item
        self.has_group_menu = chance() < 0.3  # groups stand in a menu on every page
        self.is_mixed = chance() < 0.4  # items of two templates
        self.notes_like_items = chance() < 0.3  # notes are written with the items' template
        self.persons_list_items = chance() < 0.7
        self.has_catalogue = chance() < 0.7
        self.has_parts = chance() < 0.2  # further pages of an item, with a parameter more
        self.is_plain = chance() < 0.12  # all pages are built alike
        self.page_size = rng.choice((8, 12, 20, 50))
        self.paging = rng.choice(LIST_PAGINGS)
        self.pages_near = chance() < 0.5  # only the next page is linked, else all
        self.words = [self._word() for _ in range(400)]
        self.group_names = [self._name(1) for _ in range(rng.randint(4, 10))]
        self.person_names = [self._name(2) for _ in range(rng.randint(8, 30))]
        self.labels = rng.sample(LABELS, rng.randint(3, 7))
        self.items = [
            self._record(number, rng.randint(1, 900))
            for number in range(rng.choice((rng.randint(8, 40), rng.randint(40, 160), rng.randint(40, 160))))
        ]
        self.notes = [self._record(number, rng.randint(1, 900)) for number in range(rng.randint(15, 60))]
        self._draw_addresses()
        self.pages: dict[str, Callable[[], str]] = {}

    # -- words and addresses

    def _word(self) -> str:
        return "".join(self.rng.choice(SYLLABLES) for _ in range(self.rng.randint(2, 3)))

    def _name(self, words: int) -> str:
        return " ".join(self._word().capitalize() for _ in range(words))

    def _record(self, number: int, offset: int) -> Record:
        rng = self.rng
        cells = tuple(
            (label, " ".join(rng.choice(self.words) for _ in range(rng.randint(1, 4))))
            for label in self.labels
            if rng.random() < 0.85
        )
        return Record(
            1000 + 7 * number + offset % 5, self._name(rng.randint(2, 4)), rng.randrange(len(self.group_names)),
            rng.randrange(len(self.person_names)), rng.randint(2019, 2024), rng.randint(1, 12), cells,
            number % ADDED_SHARE == 3, rng.random() < 0.3,
        )  # fmt: skip

    def _draw_addresses(self) -> None:
        rng = self.rng
        forms = {
            "item": rng.choice(ITEM_ADDRESSES),
            "group": rng.choice(GROUP_ADDRESSES),
            "person": rng.choice(PERSON_ADDRESSES),
            "note": rng.choice(NOTE_ADDRESSES),
        }
        if self.is_wiki:
            forms = dict.fromkeys(forms, rng.choice(WIKI_ADDRESSES))
        if self.notes_like_items and forms["note"] == forms["item"]:
            forms["note"] = "/notes/{slug}/"  # nobody could tell them apart
        self.forms = forms

    def _path(self, form: str, title: str, number: int = 0, group: str = "", year: int = 0, month: int = 0) -> str:
        slug = title.lower().replace(" ", "-")
        name = title.replace(" ", "_")
        return self.forms[form].format(
            n=number, slug=slug, name=name, group=group.lower().replace(" ", "-"), year=year, month=f"{month:02}"
        )

    def item_path(self, record: Record) -> str:
        return self._path(
            "item", record.title, record.number, self.group_names[record.group], record.year, record.month
        )

    def note_path(self, record: Record) -> str:
        return self._path("note", record.title, record.number, "", record.year, record.month)

    def person_path(self, number: int) -> str:
        return self._path("person", self.person_names[number], 50 + 3 * number)

    def group_path(self, number: int) -> str:
        prefix = "Category:" if self.is_wiki else ""
        return self._path("group", prefix + self.group_names[number], number)

    # -- pages

    def shown(self, records: Iterable[Record]) -> list[Record]:
        """Return what is there on the day."""
        return [each for each in records if self.day or not each.is_added]

    def page(self, title: str, content: str, number: int = 0, tools: Anchors = (), crumbs: Anchors = ()) -> str:
        """Write a page with what stands around it."""
        menu = [
            Anchor("/", "home"),
            *(Anchor(f"/{name}.html", name) for name in STATIC[:3]),
            Anchor(self.notes_at, "notes"),
            Anchor(self.people_at, "people"),
        ]
        if self.has_catalogue:
            menu.insert(1, Anchor(self.catalogue_at, "catalogue"))
        groups = [Group("menu", tuple(menu))]
        if self.has_group_menu:
            groups.append(
                Group("groups", tuple(Anchor(self.group_path(g), name) for g, name in enumerate(self.group_names)))
            )
        latest: Anchors = ()
        if self.has_latest:
            newest = sorted(self.shown(self.items), key=lambda each: (each.year, each.month, each.number))[-5:]
            latest = tuple(Anchor(self.item_path(each), each.title) for each in newest)
        if self.is_plain:  # what is inside is a row of links and texts, whatever it is
            content = f"<h1>{title}</h1><p>{re.sub('<(?!/?a[ >])[^>]*>', ' ', content)}</p>"
        return self.design.write(
            View(
                STYLE,
                SAYS,
                "en",
                "utf-8",
                number,
                title,
                "Site",
                "",
                "",
                "",
                tuple(groups),
                latest,
                (Anchor("/", "home"), *crumbs),
                (),
                tools,
                (),
                (),
                "",
                content,
                "",
            )
        )

    def add_list(
        self,
        at: str,
        title: str,
        records: Sequence[Record],
        path_of: Callable[[Record], str],
        template: ListingTemplate,
        links: Anchors = (),
    ) -> None:
        """Add the pages of a list."""
        size = self.page_size
        count = max(1, -(-len(records) // size))

        def address(number: int) -> str:
            if number == 1:
                return at
            paging = self.paging.format(n=number)
            if paging.startswith("?"):
                return at + ("&" + paging[1:] if "?" in at else paging)
            return at + paging if at.endswith("/") else f"{at}{'&' if '?' in at else '?'}page={number}"

        for number in range(1, count + 1):
            some = records[(number - 1) * size : number * size]
            rows = tuple(Row(path_of(each), each.title, each.cells[:2]) for each in some)
            numbers = (
                ()
                if self.pages_near or count == 1
                else tuple(
                    (str(each), None if each == number else Anchor(address(each), str(each)))
                    for each in range(1, count + 1)
                )
            )
            previous = Anchor(address(number - 1), "previous") if number > 1 else None
            following = Anchor(address(number + 1), "next") if number < count else None
            listing = Listing(STYLE, SAYS, title, "", "", rows, (), previous, following, numbers, (), (), "")
            head = self.box.write("refine", links) if links else ""

            def write(listing: Listing = listing, head: str = head, number: int = number) -> str:
                return self.page(title, head + template.write(listing), number)

            self.pages[address(number)] = write

    def add_records(self) -> None:
        """Add the pages of items, notes, persons and groups."""
        items, notes = self.shown(self.items), self.shown(self.notes)
        for place, each in enumerate(items):
            self.pages[self.item_path(each)] = lambda each=each, place=place: self.write_item(each, items, place)  # type: ignore[misc]
            if self.has_parts:
                for part in range(2, 2 + each.number % 3):
                    path = self.part_path(each, part)
                    self.pages[path] = lambda each=each, place=place, part=part: self.write_item(
                        each, items, place, part
                    )  # type: ignore[misc]
            if self.has_tools:
                for tool in ("edit", "history"):
                    self.pages[self.tool_path(each, tool)] = lambda each=each, tool=tool: self.page(
                        f"{tool} {each.title}",
                        f"<form method=post><textarea name=t>{each.title}</textarea><input type=submit></form>",
                    )  # type: ignore[misc]
        template = self.details[0] if self.notes_like_items else self.details[2]
        for each in notes:
            cells = (
                each.cells
                if self.notes_like_items
                else (*each.cells[:2], ("text", " ".join(self.words[each.number % 300 :][:40])))
            )
            detail = Detail(STYLE, SAYS, each.title, cells, ())
            self.pages[self.note_path(each)] = lambda detail=detail, number=each.number: self.page(
                detail.title, template.write(detail), number
            )  # type: ignore[misc]
        for number, name in enumerate(self.person_names):
            own = [each for each in items if each.person == number]
            liked = tuple(Anchor(self.item_path(each), each.title) for each in own) if self.persons_list_items else ()
            detail = Detail(STYLE, SAYS, name, (("born", str(1900 + number)), ("lives in", self.words[number])), liked)
            self.pages[self.person_path(number)] = lambda detail=detail, number=number: self.page(
                detail.title, self.details[3].write(detail), number
            )  # type: ignore[misc]

    def part_path(self, record: Record, part: int) -> str:
        path = self.item_path(record)
        return f"{path}{'&' if '?' in path else '?'}part={part}"

    def tool_path(self, record: Record, tool: str) -> str:
        path = self.item_path(record)
        if "?" in path:
            return f"{path}&action={tool}"
        return f"{path}{tool}/" if path.endswith("/") else f"{path}?action={tool}"

    def write_item(self, record: Record, items: Sequence[Record], place: int, part: int = 1) -> str:
        """Write the page of an item, or a further page of it."""
        person = f'<a href="{self.person_path(record.person)}">{self.person_names[record.person]}</a>'
        cells = (
            *record.cells,
            ("by", person),
            ("group", f'<a href="{self.group_path(record.group)}">{self.group_names[record.group]}</a>'),
        )
        liked: list[Anchor] = []
        if self.has_related:
            near = [each for each in items if each.group == record.group and each is not record][
                : 1 + record.number % 5
            ]
            liked += [Anchor(self.item_path(each), each.title) for each in near]
        if self.is_wiki:
            others = [items[(place * 7 + step) % len(items)] for step in (3, 11, 29)]
            text = ", ".join(f'<a href="{self.item_path(each)}">{each.title}</a>' for each in others)
            cells = (*cells, ("text", text))
        if part > 1:
            cells = tuple(
                (label, self.words[(record.number + 31 * part + step) % 400]) for step, (label, _) in enumerate(cells)
            )
        is_short = self.is_mixed and record.is_short
        detail = Detail(STYLE, SAYS, record.title, cells, tuple(liked))
        content = self.details[1 if is_short else 0].write(detail)
        if self.has_neighbours:
            content += f'<p><a href="{self.item_path(items[place - 1])}">before</a> <a href="{self.item_path(items[(place + 1) % len(items)])}">after</a></p>'
        if self.has_parts:
            content += " ".join(
                f'<a href="{self.part_path(record, each)}">part {each}</a>' for each in range(2, 2 + record.number % 3)
            )
        tools = (
            tuple(Anchor(self.tool_path(record, tool), tool) for tool in ("edit", "history")) if self.has_tools else ()
        )
        crumbs = (Anchor(self.group_path(record.group), self.group_names[record.group]),)
        return self.page(record.title, content, record.number, tools, crumbs)

    def add_months(self) -> None:
        """Add months with what was written in them, and neighbours without end."""
        items = self.shown(self.items)

        def write(year: int, month: int) -> str:
            own = [each for each in items if (each.year, each.month) == (year, month)]
            before, after = divmod(year * 12 + month - 2, 12), divmod(year * 12 + month, 12)
            links = [f'<a href="/archive/{y}/{m + 1:02}/">{y}-{m + 1:02}</a>' for y, m in (before, after)]
            rows = tuple(Row(self.item_path(each), each.title, each.cells[:1]) for each in own)
            listing = Listing(STYLE, SAYS, f"{year}-{month}", "", "", rows, (), None, None, (), (), (), "")
            return self.page(f"{year}-{month}", " ".join(links) + self.listing.write(listing))

        def find(path: str, given: dict[str, str]) -> Callable[[], str] | None:
            parts = [part for part in path.split("/") if part]
            if len(parts) == 3 and parts[0] == "archive" and parts[1].isdigit() and parts[2].isdigit():
                return lambda: write(int(parts[1]), int(parts[2]))
            return None

        self.find_month = find

    def find_view(self, path: str, given: dict[str, str]) -> Callable[[], str] | None:
        """Return the catalogue with facets and an order."""
        if self.has_months and (write := self.find_month(path, given)) is not None:
            return write
        if path != self.catalogue_at or not given.keys() <= {"group", "by", "sort", "dir", "page", "start"}:
            return None
        some = [each for each in self.shown(self.items) if given.get("group", str(each.group)) == str(each.group)]
        some = [each for each in some if given.get("by", str(each.person)) == str(each.person)]
        if given.get("sort") in ("title", "number"):
            some.sort(key=lambda each: str(getattr(each, given["sort"])), reverse=given.get("dir") == "desc")
        number = int(given.get("page") or 1) if given.get("page", "1").isdigit() else 1
        number = int(given["start"]) // 10 if given.get("start", "").isdigit() else number
        page = some[(number - 1) * self.page_size : number * self.page_size]
        if not page:
            return None
        rows = tuple(Row(self.item_path(each), each.title, each.cells[:2]) for each in page)
        name = "start" if "start" in self.paging else "page"
        more = (
            Anchor(self._with(given, name, f"{number + 1}{'0' if name == 'start' else ''}"), "next")
            if number * self.page_size < len(some)
            else None
        )
        listing = Listing(STYLE, SAYS, "catalogue", "", "", rows, (), None, more, (), (), (), "")
        links = self.view_links(given)
        return lambda: self.page("catalogue", self.box.write("refine", links) + self.listing.write(listing), number)

    def _with(self, given: dict[str, str], name: str, value: str) -> str:
        kept = {key: each for key, each in given.items() if key not in ("page", "start")} | {name: value}
        return f"{self.catalogue_at}?{urlencode(kept)}"

    def view_links(self, given: dict[str, str]) -> Anchors:
        """Return the links to other facets and orders of the catalogue."""
        links = []
        if self.has_facets:
            links += [Anchor(self._with(given, "group", str(g)), name) for g, name in enumerate(self.group_names)]
            links += [Anchor(self._with(given, "by", str(p)), name) for p, name in enumerate(self.person_names[:8])]
        if self.has_orders:
            links += [
                Anchor(self._with(given | {"dir": way}, "sort", key), f"{key} {way}")
                for key in ("title", "number")
                for way in ("asc", "desc")
            ]
        return tuple(links)

    def build(self) -> DrawnSite:
        """Write the site, and choose entry, sample and targets."""
        rng = self.rng
        self.catalogue_at = rng.choice(("/catalogue/", "/browse.php", "/items/"))
        self.notes_at, self.people_at = rng.choice(("/notes/", "/news.html")), rng.choice(("/people/", "/people.html"))
        if self.paging.startswith("page/") and not self.catalogue_at.endswith("/"):
            self.paging = "?page={n}"
        items = self.shown(self.items)
        self.add_records()
        links = self.view_links({})
        if self.has_catalogue:
            self.add_list(self.catalogue_at, "catalogue", items, self.item_path, self.listing, links)
        for number, name in enumerate(self.group_names):
            own = [each for each in items if each.group == number]
            self.add_list(self.group_path(number), name, own, self.item_path, self.listing)
        self.add_list(self.notes_at, "notes", self.shown(self.notes), self.note_path, self.listings[1])
        people = tuple(Anchor(self.person_path(number), name) for number, name in enumerate(self.person_names))
        self.pages[self.people_at] = lambda: self.page("people", self.list.write("people", people))
        for place, name in enumerate(STATIC):
            text = tuple(" ".join(self.words[place * 20 + line :][:25]) for line in range(3))
            self.pages[f"/{name}.html"] = lambda name=name, text=text: self.page(name, self.text.write(name, text))  # type: ignore[misc]
        self.add_months()
        self.pages["/"] = self.write_home
        return self._choose()

    def write_home(self) -> str:
        """Write the home page: the groups, and the months."""
        groups = tuple(Anchor(self.group_path(g), name) for g, name in enumerate(self.group_names))
        content = self.text.write("welcome", (" ".join(self.words[:20]),)) + self.list.write("groups", groups)
        if self.has_months:
            dates = sorted({(each.year, each.month) for each in self.shown(self.items)})
            content += self.box.write("archive", tuple(Anchor(f"/archive/{y}/{m:02}/", f"{y}-{m}") for y, m in dates))
        return self.page("home", content)

    def _choose(self) -> DrawnSite:
        rng = self.rng
        draw = rng.random()
        items, start = self.shown(self.items), f"http://{self.host}"
        if draw < 0.5:
            target, urls = "items", [self.item_path(each) for each in items]
            entry = rng.choice(("/", self.catalogue_at if self.has_catalogue else "/"))
        elif draw < 0.75:
            group = rng.choice([each for each in self.items if not each.is_added]).group
            target, urls = "group", [self.item_path(each) for each in items if each.group == group]
            entry = self.group_path(group)
        elif draw < 0.88:
            target, urls = "notes", [self.note_path(each) for each in self.shown(self.notes)]
            entry = rng.choice(("/", self.notes_at))
        else:
            target, urls = "persons", [self.person_path(number) for number in range(len(self.person_names))]
            entry = rng.choice(("/", self.people_at))
        old = {self.item_path(each) for each in self.items if each.is_added} | {
            self.note_path(each) for each in self.notes if each.is_added
        }
        first = [url for url in urls if url not in old]
        sample = first[len(first) // 2]
        traits = [
            name
            for name in vars(self)
            if name.startswith(("is_", "has_", "notes_like")) and getattr(self, name) is True
        ]
        listed = (
            (target == "persons" and entry == self.people_at)
            or (target == "notes" and entry == self.notes_at and len(urls) <= self.page_size)
            or (target == "group" and len(urls) <= self.page_size)
        )
        site = DrawnSite(
            self.host,
            rng,
            self.day,
            target,
            canonical(start + entry) or "",
            canonical(start + sample) or "",
            frozenset(canonical(start + url) or "" for url in urls),
            listed,
            self._canonical_pages(),
            f"{target} {' '.join(traits)} {self.forms[{'items': 'item', 'group': 'item', 'notes': 'note', 'persons': 'person'}[target]]}",
        )
        site.views = self.find_view
        return site

    def _canonical_pages(self) -> dict[str, Callable[[], str]]:
        """Return the pages by their addresses as they are asked for."""
        found = {}
        for path, write in self.pages.items():
            parts = urlsplit(canonical(f"http://{self.host}{path}") or "")
            found[parts.path + (f"?{parts.query}" if parts.query else "")] = write
        return found


def find_drawn(seeds: Iterable[int]) -> Iterator[tuple[DrawnSite, DrawnSite]]:
    """Yield sites on their first day and a while later."""
    for seed in seeds:
        yield open_drawn(seed), open_drawn(seed, 60)
