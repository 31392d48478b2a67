"""A service that is given by hand: an address with places for what is asked, as a door."""

from __future__ import annotations

from dowse.model import Condition, Door, Field, Form, Judgement, Verdict
from dowse.records.address import judge_template

WORDS = "query"


def open_template(template: str) -> Door | Verdict:
    """Return the door that an address with {query} in it is, or what is wrong with it."""
    judged = judge_template(template)
    if not judged.yes:
        return judged
    template = template.strip()
    form = Form(0, "GET", template, (Field(WORDS, "search"),), made="template", template=template)
    asked = Condition("words", "", "contains", "text", (WORDS,))
    return Door(form, Judgement("database", 1.0, ("given by hand",)), (asked,), signature=template, page=template)
