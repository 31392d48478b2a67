"""A page's forms as doors: judged, signed, with what can be asked."""

from __future__ import annotations

from collections.abc import Container, Iterator

from dowse.form.conditions import Structure, read_structure
from dowse.form.judge import judge_form
from dowse.form.signature import names_of, sign
from dowse.model import Door, Form, Page


def open_door(form: Form, page: Page, depth: int = 0) -> Door:
    """Return a form of a page as a door, searchable or not: the judgement says which."""
    read = read_structure(form)
    return Door(
        form,
        judge_form(form, page),
        read.conditions,
        signature=sign(form),
        page=page.url,
        depth=depth,
        controls=read.controls,
    )


def find_doors(page: Page, depth: int = 0, known: Container[str] = (), names: set[str] | None = None) -> Iterator[Door]:
    """Yield the forms of a page whose signature is not known yet, each once; add the names they go by.

    The same search box stands on every page of a site: it is judged once. What can be asked is read where something is searched.
    """
    names = set() if names is None else names
    for form in page.forms:
        own = names_of(form, page.url)
        is_new = not any(name in known or name in names for name in own)
        names.update(own)
        if is_new:
            judgement = judge_form(form, page)
            read = read_structure(form) if judgement.searchable else Structure()
            yield Door(
                form,
                judgement,
                read.conditions,
                signature=own[0],
                page=page.url,
                depth=depth,
                controls=read.controls,
            )
