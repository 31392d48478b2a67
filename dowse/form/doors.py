"""A page's forms as doors: judged, signed, with what can be asked."""

from __future__ import annotations

from collections.abc import Container, Iterator

from dowse.form.conditions import find_conditions
from dowse.form.judge import judge_form
from dowse.form.signature import sign
from dowse.model import Door, Form, Page


def open_door(form: Form, page: Page, depth: int = 0) -> Door:
    """Return a form of a page as a door, searchable or not: the judgement says which."""
    return Door(form, judge_form(form, page), find_conditions(form), sign(form), page.url, depth)


def find_doors(page: Page, depth: int = 0, known: Container[str] = ()) -> Iterator[Door]:
    """Yield the forms of a page whose signature is not known yet, each once.

    The same search box stands on every page of a site: it is judged once.
    """
    seen: set[str] = set()
    for form in page.forms:
        signature = sign(form)
        if signature not in known and signature not in seen:
            seen.add(signature)
            yield open_door(form, page, depth)
