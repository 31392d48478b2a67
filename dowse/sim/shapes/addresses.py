"""How browsable sites write their addresses: each style in the words and manner of a family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, TypeVar
from urllib.parse import quote

from dowse.sim.habits import Habits
from dowse.sim.naming import slug
from dowse.sim.shapes.pieces import Piece
from dowse.sim.shapes.shape import Shape

T = TypeVar("T")

# The address of a target, by style and family. {item} is the family's word for a record, {id} a name of a parameter.
TARGETS: Mapping[str, Mapping[str, str]] = {
    "number": {"A": "/{item}/{n}", "B": "/{item}/{n}/show"},
    "slug": {"A": "/{item}/{slug}", "B": "/{item}-{slug}"},
    "slug-number": {"A": "/{item}/{slug}-{n}", "B": "/{n},{slug}.{item}"},
    "folder": {"A": "/{item}/{slug}/", "B": "/{item}/v-{slug}/"},
    "html": {"A": "/{item}/{slug}.html", "B": "/{item}/{slug}.xhtml"},
    "php": {"A": "/{item}{n}.php", "B": "/{item}.{n}.jsp"},
    "asp": {"A": "/{item}_{n}.asp", "B": "/{n}/{item}.aspx"},
    "date": {"A": "/{year}/{month}/{slug}", "B": "/{year}/{month}/{day}/{slug}.x"},
    "letter-file": {"A": "/{letter}/{name}.html", "B": "/{letter}/{name}.xhtml"},
    "nested": {"A": "/{category}/{part}/{slug}", "B": "/{category}/{part}/{slug}.x"},
    "owned": {"A": "/{owner}/{slug}.html", "B": "/{owner}/-/{slug}"},
    "native": {"A": "/{item}/{native}", "B": "/{native}/{item}.x"},
    "query": {"A": "/{item}.php?{id}={n}", "B": "/{item}.do?{id}={n}"},
    "parameters": {
        "A": "/{item}.cgi?sec={category}&{id}={n}&view=full",
        "B": "/{item}.wcgi?{id}={n}&t=7&rub={category}",
    },
}
# The address of a list: what stands first, before each name in it, and last.
HUBS: Mapping[str, Mapping[str, tuple[str, str, str]]] = {
    "folder": {"A": ("/{word}", "/", "/"), "B": ("/{word}/d", "/d-", "/")},
    "bare": {"A": ("", "/", "/"), "B": ("", "/", "/index.xhtml")},
    "file": {"A": ("/{word}", "_", ".html"), "B": ("/{word}", ",", ".xhtml")},
    "query": {"A": ("/{word}.php", "", ""), "B": ("/{word}.do", "", "")},
}
PAGINGS: Mapping[str, Mapping[str, str]] = {
    "query": {"A": "", "B": ""},
    "path": {"A": "page/{n}/", "B": "s{n}/"},
}
ITEMS: Mapping[str, tuple[str, ...]] = {
    "A": ("item", "title", "entry", "card", "record", "show"),
    "B": ("scheda", "objekt", "fiche", "titel", "artykul", "ficha"),
}
IDS: Mapping[str, tuple[str, ...]] = {"A": ("id", "cd", "no", "item"), "B": ("oid", "nr", "cle", "kennung")}
KEYS: Mapping[str, tuple[str, ...]] = {
    "A": ("c", "group", "sub"),
    "B": ("gr", "teil", "sez"),
}
WORDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "A": {
        "": ("list", "catalogue", "all"),
        "letter": ("index", "az", "alphabet"),
        "category": ("category", "section", "shelf"),
        "year": ("archive", "by-year", "years"),
        "tag": ("tag", "keyword", "subject"),
        "initial": ("people", "names", "makers"),
        "news": ("news", "notices", "whatsnew"),
        "work": ("part", "copy", "piece"),
    },
    "B": {
        "": ("bestand", "elenco", "spis"),
        "letter": ("register", "abc", "indice"),
        "category": ("rubrik", "ressort", "gruppo"),
        "year": ("jahrgang", "annate", "lata"),
        "tag": ("stichwort", "mot", "etykieta"),
        "initial": ("personen", "autori", "osoby"),
        "news": ("meldung", "avviso", "aktuell"),
        "work": ("exemplar", "copia", "werk"),
    },
}
NEWS_PATTERNS: Final = {"A": "/{word}/{n}.htm", "B": "/{word}~{n}"}
WORK_PATTERNS: Final = {"A": "/{word}-{n}.html", "B": "/{word}/{n}.xhtml"}
PICTURES: Final = {"A": "/img/{n}.gif", "B": "/media/p{n}.gif"}


@dataclass(frozen=True, slots=True)
class AddressBook:
    """How one site writes addresses."""

    family: str
    target: str  # pattern
    older: str  # pattern of older targets, the same or another
    hub: tuple[str, str, str]
    hub_style: str
    item: str
    id: str
    words: Mapping[str, str]
    paging: str  # what pages of a list add to its path; nothing for a parameter
    parameter: tuple[str, str]  # that pages of a list have, and whether it counts pages or records

    def target_path(self, piece: Piece, style: str = "") -> str:
        """Write the address of a target."""
        return (style or self.target).format(
            item=self.item,
            id=self.id,
            n=piece.public,
            slug=piece.slug,
            native=quote(piece.native, safe="-_"),
            name=piece.slug.capitalize().replace("-", "_"),
            letter=slug(piece.letter),
            category=slug(piece.category),
            part=slug(piece.part),
            owner=slug(piece.owner),
            year=piece.date.year,
            month=f"{piece.date.month:02}",
            day=f"{piece.date.day:02}",
        )

    def decoy_path(self, piece: Piece, title: str) -> str:
        """Write the address of another page as if it were a target, beside one."""
        return self.target_path(replace(piece, public=piece.public + 1, slug=slug(title), native=title))

    def hub_path(self, word: str, names: Sequence[str]) -> str:
        """Write the address of a list from the names that lead to it."""
        first, before, last = self.hub
        shorts = [slug(name) for name in names]
        if self.hub_style == "query":
            query = "&".join(f"{name}={short}" for name, short in zip(KEYS[self.family], shorts, strict=False))
            return first.format(word=word) + (f"?{query}" if query else "")
        if self.hub_style == "bare" and not shorts:
            return f"/{word}{last}"
        return first.format(word=word) + "".join(f"{before}{short}" for short in shorts) + last

    def page_path(self, hub: str, page: int, size: int) -> str:
        """Write the address of a further page of a list."""
        if page == 1:
            return hub
        if self.paging:
            return hub + self.paging.format(n=page)
        name, counts = self.parameter
        return f"{hub}{'&' if '?' in hub else '?'}{quote(name)}={page if counts == 'pages' else (page - 1) * size}"


def draw_addresses(rng: Random, habits: Habits, shape: Shape, moves: int) -> AddressBook:
    """Draw how a site writes addresses; each time that it moved, with other words."""
    family = habits.family.name

    def draw(values: Sequence[T]) -> T:
        return values[(int(len(values) * rng.random()) + moves) % len(values)]

    return AddressBook(
        family=family,
        target=TARGETS[shape.target][family],
        older=TARGETS[shape.older or shape.target][family],
        hub=HUBS[shape.hub][family],
        hub_style=shape.hub,
        item=draw(ITEMS[family]),
        id=draw(IDS[family]),
        words={purpose: draw(words) for purpose, words in WORDS[family].items()},
        paging=PAGINGS[shape.paging][family],
        parameter=draw(habits.family.addresses.paging),
    )
