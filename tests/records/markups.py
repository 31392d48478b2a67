"""Pages of our own in markups that have nothing in common, with values that some of their records lack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby

from dowse.model import Record, Verdict
from dowse.records.wrapper import AnswerSample, apply_wrapper, learn_wrapper
from dowse.tree import Node
from tests.records.trees import URL, tree_of

Book = dict[str, str | list[str]]

BOOKS: list[Book] = [
    {"title": title, "author": author, "year": year, "publisher": publisher, "status": status, "price": price}
    for title, author, year, publisher, status, price in (
        line.split(" | ")
        for line in """\
Emma | Jane Austen | 1815 | John Murray | in print | £4.50
Persuasion | Jane Austen | 1817 | John Murray | lent | £3.20
The Warden | Anthony Trollope | 1855 | Longman | in print | £12.00
Middlemarch | George Eliot | 1871 | Blackwood | in print | £7.99
Bleak House | Charles Dickens | 1853 | Bradbury & Evans | lent | £9.00
Hard Times | Charles Dickens | 1854 | Bradbury & Evans | missing | £5.25
Cranford | Elizabeth Gaskell | 1853 | Chapman & Hall | in print | £4.10
Villette | Charlotte Brontë | 1853 | Smith, Elder | lent | £6.60
Shirley | Charlotte Brontë | 1849 | Smith, Elder | in print | £3.75
Ivanhoe | Walter Scott | 1819 | Constable | in print | £8.00
Waverley | Walter Scott | 1814 | Constable | missing | £2.99
Lorna Doone | Richard Blackmore | 1869 | Sampson Low | in print | £11.40
The Moonstone | Wilkie Collins | 1868 | Tinsley | lent | £4.80
Erewhon | Samuel Butler | 1872 | Trübner | in print | £5.00""".splitlines()
    )
]
KINDS = "defect task defect enhancement task defect defect enhancement task defect task defect enhancement task".split()
COUNTRIES = ("British", "Irish", "Scottish")
SUBJECTS = (
    "love family,love,church,marriage politics science,law love,politics,family,school love,politics family,war,war law,"
    "family war,law,science church"
).split(",")
NO_AUTHOR = {1, 4, 5, 9}
NO_PUBLISHER = {2, 5, 11}


def _books(*names: str, **lacking: set[int]) -> list[Book]:
    return [
        {name: book[name] for name in ("title", *names) if place not in lacking.get(name, ())}
        for place, book in enumerate(BOOKS)
    ]


def _link(book: Book) -> str:
    return f"<a href='/book/{KEYS[str(book['title'])]}'>{book['title']}</a>"


KEYS = {str(book["title"]): 7 * place + 3 for place, book in enumerate(BOOKS)}
PLAIN = _books("author", "year", "price")
SAID = _books("author", author=NO_AUTHOR)
NO_LABELS = _books("author", "year", "price", author=NO_AUTHOR)
WORDS = _books("author", "status", "price", author=NO_AUTHOR)
TWO_LACK = _books("author", "year", "publisher", "price", author=NO_AUTHOR, publisher=NO_PUBLISHER)
LABELLED = _books("author", "year", "publisher", author=NO_AUTHOR)
OF_KIND: list[Book] = [
    {"title": book["title"], "kind": kind, "author": book["author"]} for book, kind in zip(BOOKS, KINDS, strict=True)
]
BORN: list[Book] = [
    {"title": book["title"], "country": COUNTRIES[place % 3], "born": f"born {book['year']}"}
    for place, book in enumerate(BOOKS)
]
ON: list[Book] = [
    {"title": book["title"], "author": book["author"], "subjects": own.split()}
    for book, own in zip(BOOKS, SUBJECTS, strict=True)
]


def _each(books: Sequence[Book], write: Callable[[Book], str], between: str = "") -> str:
    return between.join(map(write, books))


def _rest(book: Book, start: str, end: str) -> str:
    return "".join(f"{start}{text}{end}" for name, text in book.items() if name != "title")


def _subjects(book: Book) -> list[str]:
    return list(book["subjects"])


def _write_spanned(books: Sequence[Book]) -> str:
    """A table whose first column names an author once for all books below."""
    rows = ""
    for author, own in groupby(books, lambda book: book["author"]):
        group = list(own)
        cell = f"<td rowspan={len(group)}>{author}</td>" if len(group) > 1 else f"<td>{author}</td>"
        for book in group:
            rows += f"<tr>{cell}<td>{_link(book)}</td><td>{book['year']}</td><td>{book['price']}</td></tr>"
            cell = ""
    return f"<table><tr><th>Author</th><th>Title</th><th>Year</th><th>Price</th></tr>{rows}</table>"


def _write_shelves(books: Sequence[Book]) -> str:
    """A table with one head and a group of rows for each shelf, under a heading."""
    groups = [books[start : start + 5] for start in range(0, len(books), 5)]
    rows = "".join(
        f"<tbody><tr><td colspan=4><b>Shelf {number}</b></td></tr>"
        + _each(own, lambda book: f"<tr><td>{_link(book)}</td>{_rest(book, '<td>', '</td>')}</tr>")
        + "</tbody>"
        for number, own in enumerate(groups)
    )
    return f"<table><thead><tr><th>Title<th>Author<th>Year<th>Price</tr></thead>{rows}</table>"


def _write_grid(books: Sequence[Book]) -> str:
    rows = (books[start : start + 3] for start in range(0, len(books), 3))
    cells = (
        _each(row, lambda book: f"<td>{_link(book)}<br>{_rest(book, '<small>', '</small><br>')}</td>") for row in rows
    )
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _write_table(books: Sequence[Book]) -> str:
    rows = _each(books, lambda book: f"<tr class=list><td>{_link(book)}</td>{_rest(book, '<td>', '</td>')}</tr>")
    return f"<table class=t><thead><tr><th>Title<th>Author<th>Year<th>Price</tr></thead><tbody>{rows}</tbody></table>"


def _write_narrow_table(books: Sequence[Book]) -> str:
    rows = _each(books, lambda book: f"<tr class=list><td>{_link(book)} <i>{book['author']}</i></td></tr>")
    return f"<table class=t><tbody>{rows}</tbody></table>"


def _advertise(books: Sequence[Book], write: Callable[[Book], str], advert: str) -> str:
    return "".join((advert if place % 5 == 2 else "") + write(book) for place, book in enumerate(books))


PAGES: dict[str, tuple[list[Book], str]] = {
    "a list of terms for each": (
        LABELLED,
        _each(LABELLED, lambda book: "<dl>" + "".join(f"<dt>{name.title()}</dt><dd>{book[name]}</dd>" for name in book) + "</dl>"),
    ),
    "one list of terms": (NO_LABELS, "<dl>" + _each(NO_LABELS, lambda book: f"<dt>{_link(book)}</dt>{_rest(book, '<dd>', '</dd>')}") + "</dl>"),
    "cards with spans": (NO_LABELS, _each(NO_LABELS, lambda book: f"<div class=card><h3>{_link(book)}</h3>{_rest(book, '<span>', '</span>')}</div>")),
    "cards with boxes": (TWO_LACK, _each(TWO_LACK, lambda book: f"<div class=card><h3>{_link(book)}</h3>{_rest(book, '<div>', '</div>')}</div>")),
    "cards with words": (WORDS, _each(WORDS, lambda book: f"<div class=card><h3>{_link(book)}</h3>{_rest(book, '<span>', '</span>')}</div>")),
    "cells over several rows": (PLAIN, _write_spanned(PLAIN)),
    "records of two rows": (
        PLAIN,
        "<table><tr><th>Picture<th>Title<th>More</tr>"
        + _each(PLAIN, lambda book: f"<tr><td rowspan=2><img src=/i.gif></td><td>{_link(book)}</td><td>{book['price']}</td></tr>"
                                    f"<tr><td>{book['author']}</td><td>{book['year']}</td></tr>")
        + "</table>",
    ),
    "a group of rows for each": (
        PLAIN,
        "<table>" + _each(PLAIN, lambda book: f"<tbody><tr><th colspan=3>{_link(book)}</th></tr><tr>{_rest(book, '<td>', '</td>')}</tr></tbody>") + "</table>",
    ),
    "groups of rows": (PLAIN, _write_shelves(PLAIN)),
    "lists in a list": (TWO_LACK, "<ul>" + _each(TWO_LACK, lambda book: f"<li>{_link(book)}<ul>{_rest(book, '<li>', '</li>')}</ul></li>") + "</ul>"),
    "named items of lists in a list": (
        LABELLED,
        "<ul>" + _each(LABELLED, lambda book: f"<li>{_link(book)}<ul>" + "".join(f"<li>{name.title()}: {book[name]}</li>" for name in book if name != "title") + "</ul></li>") + "</ul>",
    ),
    "advertisements of their own kind": (
        PLAIN,
        _advertise(PLAIN, lambda book: f"<div class=item><h4>{_link(book)}</h4>{_rest(book, '<p>', '</p>')}</div>",
                   "<div class=banner><p>Advertisement</p><a href='http://ads.test/7'>Buy new tyres</a></div>"),
    ),
    "advertisements like records": (
        PLAIN,
        "<ol>" + _advertise(PLAIN, lambda book: f"<li>{_link(book)} <i>{book['author']}</i>, <span>{book['year']}</span> <b>{book['price']}</b></li>",
                            "<li><a href='http://ads.test/7'>Buy new tyres</a> <small>Sponsored</small></li>") + "</ol>",
    ),
    "links with and without words": (SAID, "<p>" + _each(SAID, lambda book: f"{_link(book)}{' - ' + str(book['author']) if 'author' in book else ''}", "<br>\n") + "</p>"),
    "items with and without words": (SAID, "<ul>" + _each(SAID, lambda book: f"<li>{_link(book)}{' - ' + str(book['author']) if 'author' in book else ''}</li>") + "</ul>"),
    "terms with and without words": (
        SAID, "<dl>" + _each(SAID, lambda book: f"<dt>{_link(book)}</dt>" + (f"<dd>{book['author']}</dd>" if "author" in book else "")) + "</dl>",
    ),
    "a kind before a colon": (OF_KIND, "<ul>" + _each(OF_KIND, lambda book: f"<li>{book['kind']}: {book['title']}<br>{book['author']}</li>") + "</ul>"),
    "a kind in bold": (OF_KIND, "<ul>" + _each(OF_KIND, lambda book: f"<li><b>{book['kind']}:</b> {_link(book)} <i>{book['author']}</i></li>") + "</ul>"),
    "a kind after a number": (
        OF_KIND,
        "<dl>" + "".join(f"<dt><a href=/ticket/{place}>#{place}</a> {book['kind']}: {book['title']}</dt><dd>{book['author']}</dd>" for place, book in enumerate(OF_KIND, 5)) + "</dl>",
    ),
    "two values in a line": (BORN, _each(BORN, lambda book: f"<div class=a><h3>{_link(book)}</h3><p>{book['country']}, {book['born']}</p></div>")),
    "several values with commas": (ON, _each(ON, lambda book: f"<div class=a><h3>{_link(book)}</h3><p>{book['author']}</p><p>{', '.join(_subjects(book))}</p></div>")),
    "several values as links": (
        ON,
        _each(ON, lambda book: f"<div class=a><h3>{_link(book)}</h3><p>{book['author']}</p><div>" + " ".join(f"<a href=/s/{each}>{each}</a>" for each in _subjects(book)) + "</div></div>"),
    ),
    "several values in a cell": (
        ON,
        "<table><tr><th>Title<th>Author<th>Subjects</tr>"
        + _each(ON, lambda book: f"<tr><td>{_link(book)}</td><td>{book['author']}</td><td><ul>" + "".join(f"<li>{each}</li>" for each in _subjects(book)) + "</ul></td></tr>")
        + "</table>",
    ),
    "a view within each record": (
        PLAIN,
        _each(PLAIN, lambda book: f"<div class=a><span class=m>{_link(book)}</span><span class=n>{book['author']}</span><em>{book['year']}</em>"
                                  f"<span class=d>{book['title']}</span><span class=e>{book['author']}</span><s>{book['price']}</s></div>"),
    ),
    "two tables of the same": (PLAIN, f"<section class='row small'><div>{_write_narrow_table(PLAIN)}</div></section><section class='row large'><div>{_write_table(PLAIN)}</div></section>"),
    "two lists of the same": (
        PLAIN,
        "<div class=v>" + _each(PLAIN, lambda book: f"<div class=it>{_link(book)} <i>{book['author']}</i></div>")
        + "</div><div class=v>" + _each(PLAIN, lambda book: f"<div class=it>{_link(book)}{_rest(book, '<p>', '</p>')}</div>") + "</div>",
    ),
    "lines": (WORDS, _each(WORDS, lambda book: f"<p class=r>{_link(book)}{_rest(book, '<br>', '')}</p>")),
    "dots": (NO_LABELS, _each(NO_LABELS, lambda book: f"<div class=r>{_link(book)}<p>{' · '.join(str(book[name]) for name in book if name != 'title')}</p></div>")),
    "commas": (WORDS, _each(WORDS, lambda book: f"<div class=r>{_link(book)}<p>{', '.join(str(book[name]) for name in book if name != 'title')}</p></div>")),
    "a grid": (WORDS, _write_grid(WORDS)),
    "empty boxes": (
        WORDS,
        _each(WORDS, lambda book: f"<div class=row><div class=col-6>{_link(book)}</div>" + "".join(f"<div class=col-3>{book.get(name, '')}</div>" for name in ("author", "status", "price")) + "</div>"),
    ),
    "rules between": (WORDS, _each(WORDS, lambda book: f"<b>{book['title']}</b> {_rest(book, '<i>', '</i> ')}", "<hr>")),
    "what opens": (
        WORDS,
        _each(WORDS, lambda book: f"<details><summary>{book['title']}</summary>" + "".join(f"<p><strong>{name.title()}</strong> {book[name]}</p>" for name in book if name != "title") + "</details>"),
    ),
    "a button after the values": (
        NO_LABELS,
        _each(NO_LABELS, lambda book: f"<div class=card><h3>{_link(book)}</h3>{_rest(book, '<span>', '</span>')}<span><a href='/buy?b={KEYS[str(book['title'])]}'>Buy</a></span></div>"),
    ),
    "few": (PLAIN[:5], _each(PLAIN[:5], lambda book: f"<article><h2>{_link(book)}</h2><p>{book['author']}, {book['year']}</p><b>{book['price']}</b></article>")),
    "words before values": (
        WORDS,
        _each(WORDS, lambda book: f"<div><h2>{_link(book)}</h2><div>" + (f"by <a href=/u/{len(str(book['author']))}>{book['author']}</a> " if "author" in book else "") + f"in <a href=/c/{len(str(book['status']))}>{book['status']}</a> for <i>{book['price']}</i></div></div>"),
    ),
    "lines in a cell": (
        NO_LABELS,
        "<table><tr><th>Book<th>Price</tr>" + _each(NO_LABELS, lambda book: f"<tr><td>{_link(book)}" + (f"<br>{book['author']}" if "author" in book else "") + f"<br>{book['year']}</td><td>{book['price']}</td></tr>") + "</table>",
    ),
    "some stand above the list": (
        PLAIN,
        "<div class=some>" + _each(PLAIN[2:5], lambda book: f"<div class=c>{_link(book)}</div>") + "</div><div class=all>" + _each(PLAIN, lambda book: f"<div class=c>{_link(book)}{_rest(book, '<p>', '</p>')}</div>") + "</div>",
    ),
    "headings and lines side by side": (NO_LABELS, _each(NO_LABELS, lambda book: f"<h3>{_link(book)}</h3>{_rest(book, '<p>', '</p>')}")),
    "the state first": (WORDS, "<table>" + _each(WORDS, lambda book: f"<tr><td>{book['status']}</td><td>{book['title']}</td><td>{book.get('author', '')}</td><td>{book['price']}</td></tr>") + "</table>"),
}  # fmt: skip


def parse_page(name: str) -> Node:
    """Return a page with what stands around its list."""
    menu = "<ul id=menu><li><a href=/>Home</a></li><li><a href=/news>News</a></li><li><a href=/help>Help</a></li></ul>"
    listed = PAGES[name][1]
    return tree_of(f"<html><body>{menu}<h1>Library</h1><div id=main>{listed}</div><p>Copyright by us</p></body></html>")


def read(name: str) -> Sequence[Record]:
    """Return the records of a page, read by what it taught itself."""
    tree = parse_page(name)
    wrapper = learn_wrapper([AnswerSample(tree, URL)])
    return () if isinstance(wrapper, Verdict) else apply_wrapper(wrapper, tree, URL).records


def texts_of(book: Book) -> list[tuple[str, str]]:
    """Return the attributes of a record, each with each of its values."""
    return [(name, text) for name, own in book.items() for text in (own if isinstance(own, list) else [own])]


def share_right(name: str) -> float:
    """Return the share of a page's values that stand in their record, in the column that holds most of their attribute, of those that are there or read."""
    books, found = PAGES[name][0], read(name)
    told = {
        value.text: {each.text: each.attribute for each in record.values}
        for record in found
        for value in record.values
        if value.text in KEYS
    }
    columns = Counter(
        (name, told.get(str(book["title"]), {}).get(text, "")) for book in books for name, text in texts_of(book)
    )
    usual = {
        name: max((count, column) for (own, column), count in columns.items() if own == name and column)
        for name, column in columns
        if column
    }
    there = sum(columns.values())
    right = (
        sum(count for count, _ in usual.values()) if len({column for _, column in usual.values()}) == len(usual) else 0
    )
    return right / max(there, sum(len(record.values) for record in found))
