"""Real records in ways of writing lists that are common on the web, with what stands around them: truth for what is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from random import Random

from bench.extraction.world import Asked, Page, Shown
from bench.harvest.databases import DATABASES, Row
from dowse.model import Response
from dowse.page.document import Document
from dowse.records.wrapper import AnswerSample

URL = "http://list.test/search?q={}"
ROWS = 3_000  # of a database, spread over all of it
ANSWERS = 6  # of each design: three to learn from, three that are only read
PAGE_SIZES = (10, 20, 25)
MAX_LIST_VALUES = 3  # of one attribute that designs with lists show

# The attribute that a record is called by, then the others; several values of one are joined as a person would.
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "movies": ("title", "year", "cast", "genres"),
    "tate": ("title", "artists", "date_text", "medium"),
    "artsmia": ("title", "artist", "dated", "medium", "country"),
    "papers": ("title", "authors", "year", "venue", "pages"),
    "gutenberg": ("title", "author", "language"),
    "goodbooks": ("title", "author", "year", "average_rating"),
    "packages": ("package", "version", "section", "maintainer", "description"),
    "vehicles": ("model", "make", "year", "class", "trans", "fuel"),
    "cities": ("name", "admin1", "admin2", "cc"),
}
LABELS = {"cc": "Country", "trans": "Transmission", "admin1": "State", "admin2": "County", "date_text": "Date"}

Texts = tuple[tuple[str, str], ...]  # attribute and text; the first is the title
Write = Callable[[Sequence[Texts], Random], str]


def _label(name: str) -> str:
    return LABELS.get(name, name.replace("_", " ").capitalize())


def _link(record: Texts) -> str:
    title = record[0][1]
    return f'<a href="/item/{abs(hash_of(record)) % 10**6}">{escape(title)}</a>'


def hash_of(record: Texts) -> int:
    """Return a number of a record that is the same in every run."""
    return Random(repr(record)).randrange(10**6)


def _values(record: Texts) -> list[str]:
    return [escape(text) for _, text in record[1:]]


def write_table(records: Sequence[Texts], rng: Random) -> str:
    """A table with a head."""
    names = list(dict.fromkeys(name for record in records for name, _ in record))
    head = "".join(f"<th>{_label(name)}</th>" for name in names)
    rows = []
    for record in records:
        held = dict(record)
        cells = "".join(f"<td>{escape(held.get(name, ''))}</td>" for name in names[1:])
        rows.append(f"<tr><td>{_link(record)}</td>{cells}</tr>")
    return f"<table class=results><tr>{head}</tr>{''.join(rows)}</table>"


def write_headless_table(records: Sequence[Texts], rng: Random) -> str:
    """A table without a head, a number before each row."""
    names = list(dict.fromkeys(name for record in records for name, _ in record))
    rows = []
    for number, record in enumerate(records, 1):
        held = dict(record)
        cells = "".join(f"<td>{escape(held.get(name, '')) or '&nbsp;'}</td>" for name in names[1:])
        rows.append(f"<tr><td>{number}.</td><td>{_link(record)}</td>{cells}</tr>")
    return f"<table border=0>{''.join(rows)}</table>"


def write_cards(records: Sequence[Texts], rng: Random) -> str:
    """Boxes with a heading and labels in bold."""
    cards = []
    for record in records:
        lines = "".join(f"<div><b>{_label(name)}:</b> {escape(text)}</div>" for name, text in record[1:])
        cards.append(f'<div class="card"><h3>{_link(record)}</h3>{lines}<a href="/buy">Details</a></div>')
    return f'<div class="cards">{"".join(cards)}</div>'


def write_definitions(records: Sequence[Texts], rng: Random) -> str:
    """One list of terms for each record."""
    return "".join(
        "<dl>" + "".join(f"<dt>{_label(name)}</dt><dd>{escape(text)}</dd>" for name, text in record) + "</dl>"
        for record in records
    )


def write_citations(records: Sequence[Texts], rng: Random) -> str:
    """Paragraphs with values one after the other, as in a bibliography."""
    lines = "".join(f"<p>{_link(record)}. {'. '.join(_values(record))}.</p>" for record in records)
    return f'<div id="hits">{lines}</div>'


def _write_plain(sign: str) -> Write:
    def write(records: Sequence[Texts], rng: Random) -> str:
        lines = "".join(f"<li>{_link(record)}<br>{sign.join(_values(record))}</li>" for record in records)
        return f"<ul>{lines}</ul>"

    return write


def _write_bare(sign: str) -> Write:
    def write(records: Sequence[Texts], rng: Random) -> str:
        lines = "".join(f"<li>{sign.join(escape(text) for _, text in record)}</li>" for record in records)
        return f"<ol>{lines}</ol>"

    return write


def write_lines(records: Sequence[Texts], rng: Random) -> str:
    """Nothing but line breaks: the title in bold, a line for each value, an empty one after the record."""
    return "".join(
        f"<b>{_link(record)}</b><br>"
        + "".join(f"{_label(name)}: {escape(text)}<br>" for name, text in record[1:])
        + "<br>"
        for record in records
    )


def write_double_rows(records: Sequence[Texts], rng: Random) -> str:
    """Two rows of a table for each record: the title over the whole width, then the values."""
    names = list(dict.fromkeys(name for record in records for name, _ in record))[1:]
    rows = []
    for record in records:
        held = dict(record)
        cells = "".join(f"<td><i>{_label(name)}:</i> {escape(held.get(name, '-'))}</td>" for name in names)
        rows.append(f"<tr class=t><td colspan={len(names)}>{_link(record)}</td></tr><tr class=v>{cells}</tr>")
    return f"<table width=100%>{''.join(rows)}</table>"


def write_grid(records: Sequence[Texts], rng: Random) -> str:
    """Three records side by side, each in a cell."""
    cells = [
        f"<td><img src=/i.gif><br>{_link(record)}<br>"
        + "".join(f"<small>{text}</small><br>" for text in _values(record)) + "</td>"
        for record in records
    ]  # fmt: skip
    rows = "".join(f"<tr>{''.join(cells[start : start + 3])}</tr>" for start in range(0, len(cells), 3))
    return f"<table>{rows}</table>"


def write_snippets(records: Sequence[Texts], rng: Random) -> str:
    """Title, a line of values with bars between them, a line with links that are the same for all."""
    return "".join(
        f'<div class="r"><h3>{_link(record)}</h3><p class="s">{" | ".join(_values(record))}</p>'
        f'<p class="f"><a href="/cite?{hash_of(record)}">Cite</a> - <a href="/like?{hash_of(record)}">Similar</a></p></div>'
        for record in records
    )


def write_spans(records: Sequence[Texts], rng: Random) -> str:
    """Spans whose classes say how they look; every other record has another class."""
    return "".join(
        f'<article class="row {"odd" if number % 2 else "even"}"><a class="t1" href="/r/{hash_of(record)}">{escape(record[0][1])}</a>'
        + "".join(f'<span class="x{place}">{text}</span>' for place, text in enumerate(_values(record)))
        + "</article>"
        for number, record in enumerate(records)
    )


def _grouped(record: Texts) -> list[tuple[str, list[str]]]:
    """Return the attributes after the title, each with all of its values."""
    held: dict[str, list[str]] = {}
    for name, text in record[1:]:
        held.setdefault(name, []).append(text)
    return list(held.items())


def write_one_definition_list(records: Sequence[Texts], rng: Random) -> str:
    """One list of terms for all records: the title as term, what is said of it in one description, labels within."""
    return "<dl>" + "".join(
        f"<dt>{_link(record)}</dt><dd>" + "<br>".join(f"{_label(name)}: {escape(text)}" for name, text in record[1:]) + "</dd>"
        for record in records
    ) + "</dl>"  # fmt: skip


def write_nested_tables(records: Sequence[Texts], rng: Random) -> str:
    """A table in each row, with a row for each attribute."""
    rows = []
    for record in records:
        inner = "".join(f"<tr><td>{_label(name)}</td><td>{escape(text)}</td></tr>" for name, text in record[1:])
        rows.append(f"<tr><td><img src=/i.gif></td><td><p>{_link(record)}</p><table>{inner}</table></td></tr>")
    return f"<table>{''.join(rows)}</table>"


def write_label_rows(records: Sequence[Texts], rng: Random) -> str:
    """Rows of one table: the title over two columns, then a row for each attribute."""
    rows = []
    for record in records:
        rows.append(f'<tr class="head"><td colspan=2>{_link(record)}</td></tr>')
        rows += [f"<tr><th>{_label(name)}</th><td>{escape(text)}</td></tr>" for name, text in record[1:]]
    return f"<table>{''.join(rows)}</table>"


def write_running_labels(records: Sequence[Texts], rng: Random) -> str:
    """Labels and values in one running text, without signs between them."""
    lines = "".join(
        f"<li>{_link(record)}<br>{' '.join(f'{_label(name)}: {escape(text)}' for name, text in record[1:])}</li>"
        for record in records
    )
    return f"<ol>{lines}</ol>"


def write_cut_titles(records: Sequence[Texts], rng: Random) -> str:
    """Titles that are cut, with the whole one beside them for the mouse."""
    return "".join(
        f'<div class="hit"><a href="/r/{hash_of(record)}" title="{escape(record[0][1])}">{_cut(record[0][1])}</a>'
        + "".join(f'<div class="f{place}">{text}</div>' for place, text in enumerate(_values(record)))
        + "</div>"
        for record in records
    )


def _cut(title: str) -> str:
    return escape(f"{title[:22].rstrip()}..." if len(title) > 25 else title)


def write_badges(records: Sequence[Texts], rng: Random) -> str:
    """Headings with a word before some of them, a button in each box, and values that may be missing."""
    boxes = []
    for record in records:
        badge = '<span class="badge">New!</span>' if rng.random() < 0.3 else ""
        lines = "".join(f'<p><span class="l">{_label(name)}</span> {escape(text)}</p>' for name, text in record[1:])
        boxes.append(
            f'<section class="item">{badge}<h4>{_link(record)}</h4>{lines}<button>Add to list</button></section>'
        )
    return "".join(boxes)


def write_linked_lists(records: Sequence[Texts], rng: Random) -> str:
    """Labels in bold, several values of one as links with commas between them."""
    items = []
    for record in records:
        lines = "".join(
            f"<div><b>{_label(name)}</b>: " + ", ".join(f'<a href="/v?{name}={escape(text)}">{escape(text)}</a>' for text in texts) + "</div>"
            for name, texts in _grouped(record)
        )  # fmt: skip
        items.append(f'<div class="entry"><h3>{_link(record)}</h3>{lines}</div>')
    return "".join(items)


def write_inner_lists(records: Sequence[Texts], rng: Random) -> str:
    """A table with a head; several values of one cell are a list in it."""
    names = list(dict.fromkeys(name for record in records for name, _ in record))
    rows = []
    for record in records:
        held = dict(_grouped(record))
        cells = "".join(
            "<td>" + (f"<ul>{''.join(f'<li>{escape(text)}</li>' for text in texts)}</ul>" if len(texts) > 1 else escape("".join(texts))) + "</td>"
            for texts in (held.get(name, []) for name in names[1:])
        )  # fmt: skip
        rows.append(f"<tr><td>{_link(record)}</td>{cells}</tr>")
    return f"<table><tr>{''.join(f'<th>{_label(name)}</th>' for name in names)}</tr>{''.join(rows)}</table>"


def write_headings(records: Sequence[Texts], _: Random) -> str:
    """A heading for each record, and its values in a paragraph below."""
    return "".join(
        f"<h3>{_link(record)}</h3><p>{'; '.join(escape(text) for _, text in record[1:])}</p>" for record in records
    )


DESIGNS: dict[str, Write] = {
    "table": write_table, "headless table": write_headless_table, "cards": write_cards,
    "definitions": write_definitions, "citations": write_citations, "lines": write_lines,
    "double rows": write_double_rows, "grid": write_grid, "snippets": write_snippets, "spans": write_spans,
    "comma below": _write_plain(", "), "dash below": _write_plain(" - "), "dot below": _write_plain(" · "),
    "comma": _write_bare(", "), "dash": _write_bare(" – "), "bar": _write_bare(" | "), "semicolon": _write_bare("; "),
    "one definition list": write_one_definition_list, "nested tables": write_nested_tables, "label rows": write_label_rows,
    "running labels": write_running_labels, "cut titles": write_cut_titles, "badges": write_badges,
    "headings": write_headings,
    "linked lists": write_linked_lists, "inner lists": write_inner_lists,
}  # fmt: skip
LISTING = frozenset({"linked lists", "inner lists"})  # designs that show several values of one attribute


@dataclass(frozen=True, slots=True)
class _Site:
    """What stands around the records of one site."""

    name: str
    design: str
    facets: tuple[str, ...]
    advert: bool
    counts: bool

    def page(self, records: Sequence[Texts], asked: str, total: int, rng: Random) -> str:
        """Return a whole answer."""
        menu = "".join(
            f'<li><a href="/{word.lower()}">{word}</a></li>' for word in ("Home", "News", "About us", "Help")
        )
        facets = "".join(
            f'<li><a href="/f?v={word}">{escape(word)}</a> ({rng.randrange(1, 90)})</li>' for word in self.facets
        )
        form = f'<form action="/search"><input name="q" value="{escape(asked)}"><input type="submit" value="Search"></form>'
        listed = DESIGNS[self.design](records, rng) if records else "<p>Nothing was found.</p>"
        count = f"<p>{total} results for {escape(asked)}</p>" if self.counts and records else ""
        advert = "<div class=ad><p>Buy new tyres now, cheap and good!</p></div>" if self.advert else ""
        pages = "".join(f'<a href="/search?q={escape(asked)}&amp;p={number}">{number}</a> ' for number in (2, 3, 4))
        pages = f"<p>{pages}</p>" if len(records) > 5 else ""
        return (
            f"<html><head><title>{self.name}</title></head><body><ul id=menu>{menu}</ul><h1>{self.name}</h1>{form}"
            f"<div id=side><h4>Narrow</h4><ul>{facets}</ul></div>{advert}{count}<div id=main>{listed}</div>{pages}"
            "<p>Copyright by the library. All rights reserved.</p></body></html>"
        )


def read_records(base: str) -> list[Texts]:
    """Return records of a database, up to three values of an attribute; what is not there is left out."""
    rows = list(DATABASES[base][1]())
    found = (_read_texts(row, ATTRIBUTES[base]) for row in rows[:: max(1, len(rows) // ROWS)])
    return [texts for texts in found if len(texts) > 1 and texts[0][0] == ATTRIBUTES[base][0]]


def _read_texts(row: Row, names: Sequence[str]) -> Texts:
    texts: list[tuple[str, str]] = []
    for name in names:
        held = row.get(name)
        values = [
            " ".join(str(each or "").split())[:120].strip() for each in (held if isinstance(held, list) else [held])
        ]
        texts += [(name, text) for text in dict.fromkeys(values[:MAX_LIST_VALUES]) if text]
    return tuple(texts)


def _keep_first(record: Texts) -> Texts:
    """Return a record with one value of each attribute."""
    return tuple({name: (name, text) for name, text in reversed(record)}.values())[::-1]


def make_sites(seed: int) -> Iterator[Asked]:
    """Yield each database in each design, asked for words of its records."""
    for base in ATTRIBUTES:
        records = read_records(base)
        for design in DESIGNS:
            rng = Random(f"{seed} {base} {design}")
            own = records if design in LISTING else [_keep_first(record) for record in records]
            yield Asked(f"{base} {design}", design, tuple(_make_pages(base, design, own, rng)))


def _make_pages(base: str, design: str, records: Sequence[Texts], rng: Random) -> Iterator[Page]:
    site = _Site(
        base.title(), design, tuple(sorted({text for _, text in rng.choice(records)[1:] if len(text) < 30})),
        rng.random() < 0.5, rng.random() < 0.5,
    )  # fmt: skip
    size = rng.choice(PAGE_SIZES)
    yield _read(site.page((), "qzxvkwq", 0, rng), "qzxvkwq", ())
    for asked, found in islice(_ask(records, rng), ANSWERS):
        shown = found[:size]
        yield _read(site.page(shown, asked, len(found), rng), asked, shown)


def _ask(records: Sequence[Texts], rng: Random) -> Iterator[tuple[str, list[Texts]]]:
    for _ in range(10 * ANSWERS):
        words = [word for _, text in rng.choice(records) for word in text.split() if len(word) > 3 and word.isalpha()]
        asked = rng.choice(words) if words else ""
        found = [record for record in records if any(asked in text for _, text in record)] if asked else []
        if len(found) >= 4:
            yield asked, found


def _read(html: str, asked: str, records: Sequence[Texts]) -> Page:
    url = URL.format(asked)
    tree = Document(Response(url, 200, (("content-type", "text/html; charset=utf-8"),), html.encode())).nodes
    shown = tuple(Shown(record[0][1], record) for record in records)
    return Page(AnswerSample(tree, url, (asked,)), shown)
