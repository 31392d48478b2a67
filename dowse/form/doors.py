"""A page's forms as doors: judged, signed, with what can be asked."""

from __future__ import annotations

from collections.abc import Container

from dowse.form.conditions import Structure, read_structure
from dowse.form.judge import judge_form
from dowse.form.signature import names_of
from dowse.model import Door, Form, Page


def open_door(form: Form, page: Page, depth: int = 0) -> Door:
    """Return a form of a page as a door, searchable or not: the judgement says which."""
    read = read_structure(form)
    return Door(
        form,
        judge_form(form, page),
        read.conditions,
        signature=names_of(form, page.url)[0],
        page=page.url,
        depth=depth,
        controls=read.controls,
    )


def find_doors(page: Page, depth: int = 0, known: Container[str] = ()) -> tuple[tuple[Door, ...], frozenset[str]]:
    """Return the forms of a page whose signature is not known yet, each once, and the signatures that all its forms go by.

    The same search box stands on every page of a site: it is judged once. What can be asked is read where something is searched.
    """
    doors: list[Door] = []
    signatures: set[str] = set()
    for form in page.forms:
        own = names_of(form, page.url)
        is_new = not any(name in known or name in signatures for name in own)
        signatures.update(own)
        if is_new:
            judgement = judge_form(form, page)
            read = read_structure(form) if judgement.searchable else Structure()
            door = Door(form, judgement, read.conditions, own[0], page.url, depth, controls=read.controls)
            doors.append(door)
    return tuple(doors), frozenset(signatures)
