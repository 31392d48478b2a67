"""A page's forms as doors: judged, signed, with what can be asked."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import replace

from dowse.form.conditions import read_structure
from dowse.form.judge import judge_form
from dowse.form.signature import names_of, sign
from dowse.model import Door, Form, Page


def open_door(form: Form, page: Page, depth: int = 0) -> Door:
    """Return a form of a page as a door, searchable or not: the judgement says which."""
    return _with_structure(_judge(form, page, depth))


def _judge(form: Form, page: Page, depth: int) -> Door:
    return Door(form, judge_form(form, page), signature=sign(form), page=page.url, depth=depth)


def _with_structure(door: Door) -> Door:
    read = read_structure(door.form)
    return replace(door, conditions=read.conditions, controls=read.controls)


def find_doors(page: Page, depth: int = 0, known: Container[str] = (), names: set[str] | None = None) -> Iterator[Door]:
    """Yield the forms of a page whose signature is not known yet, each once; add the names they go by.

    The same search box stands on every page of a site: it is judged once. What can be asked is read where something is searched.
    """
    names = set() if names is None else names
    for form in page.forms:
        own = names_of(form, page.url)
        new = not any(name in known or name in names for name in own)
        names.update(own)
        if new:
            door = _judge(form, page, depth)
            yield _with_structure(door) if door.judgement.searchable else door
