"""When two forms are the same form."""

from __future__ import annotations

from dataclasses import replace

from dowse.form.signature import sign
from dowse.model import Field, Form, Option

FORM = Form(
    0,
    "GET",
    "http://e.com/find?session=1",
    (
        Field("q", "text"),
        Field("t", "hidden", value="1"),
        Field("s", "select", options=(Option("a"), Option("b"))),
    ),
)


def test_hidden_state_order_and_host_do_not_matter() -> None:
    other = replace(
        FORM,
        index=3,
        action="http://www.e.com/find?session=2",
        fields=(
            Field("s", "select", options=(Option("b"), Option("a"))),
            Field("q", "text"),
            Field("t", "hidden", value="2"),
        ),
    )
    assert sign(other) == sign(FORM)


def test_target_method_and_fields_matter() -> None:
    signatures = {
        sign(FORM),
        sign(replace(FORM, action="http://e.com/other")),
        sign(replace(FORM, method="POST")),
        sign(replace(FORM, fields=FORM.fields[:2])),
    }
    assert len(signatures) == 4


def test_a_form_that_sends_to_its_own_page_is_known_by_its_words() -> None:
    first = sign(replace(FORM, action="http://e.com/a", own_page=True, text="Search books"))
    again = sign(replace(FORM, action="http://e.com/b?x=1", own_page=True, text="Search books"))
    other = sign(replace(FORM, action="http://e.com/c", own_page=True, text="Search cars"))
    assert first == again != other
