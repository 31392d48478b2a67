"""An answer with one record, shown as its own page: doors lead there straight when nothing else was found."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from dowse.model import Page, Record, Response, Value
from dowse.records.detail import read_detail
from dowse.records.own import begins_like, key_of
from dowse.records.template import Own, Wrapper
from dowse.tree.node import Node, find_nodes, text_of
from dowse.url import same_site

LONGEST_TITLE: Final = 300  # characters of a heading that is the name of a record
_HEADINGS: Final = frozenset({"h1", "h2", "h3"})
_TITLE: Final = "title"  # what a heading is called where it stands on a record's own page


def find_own_address(response: Response, page: Page) -> str:
    """Return the address of the page that a door led to instead of a list, or that a page says is its own."""
    if response.redirects:
        return response.url
    return page.canonical if page.canonical and same_site(page.canonical, response.url) else ""


def read_lone(wrapper: Wrapper, tree: Node, address: str, usual: Collection[str]) -> Record | None:
    """Return the record whose own page this is, in the words of answers; None where it is no such page.

    `usual` are lines that answers have, too: they say nothing of a record.
    """
    if not _tells(wrapper.own) or not begins_like(address, wrapper.own):
        return None
    names = {attribute.name.casefold(): attribute.name for attribute in wrapper.attributes}
    told = [
        Value(names.get(value.attribute.casefold(), value.attribute), value.text)
        for value in read_detail(tree)
        if value.attribute != _TITLE and value.text not in usual
    ]
    if not told:
        return None
    title = next(_find_titles(tree, usual), "") if wrapper.title not in {value.attribute for value in told} else ""
    named = [Value(wrapper.title or _TITLE, title)] if title else []
    return Record((*named, *told), key_of(address, wrapper.own), address)


def _tells(own: Own) -> bool:
    """Say whether addresses of records can be told from others: they begin alike, or are written alike."""
    return bool(own.number and (own.mould or own.begins not in ("", "/")))


def _find_titles(tree: Node, usual: Collection[str]) -> Iterator[str]:
    for node in find_nodes(tree):
        text = text_of(node) if node.tag in _HEADINGS else ""
        if text and len(text) <= LONGEST_TITLE and text not in usual:
            yield text
