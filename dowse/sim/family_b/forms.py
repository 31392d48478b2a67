"""A form as HTML: its questions with labels, arranged, with buttons; or the script that makes it."""

from __future__ import annotations

from functools import cache
from zlib import crc32

from dowse.sim.family_b.arrangements import ARRANGEMENTS, Layout, arrange
from dowse.sim.family_b.controls import LOUD, Dialect, Hand, dialect_of, write_hidden
from dowse.sim.family_b.labels import WAYS, choice_of, is_state, write_units
from dowse.sim.family_b.markup import PIXEL
from dowse.sim.family_b.naming import css, ident
from dowse.sim.family_b.scripted import write_completion, write_scripted, write_sender
from dowse.sim.view import Choice, FormView, Part, Question

LABELS = tuple(WAYS)
FORMS = tuple(ARRANGEMENTS)

_LOUD_DESIGNS = frozenset({"homestead", "jumpgate", "gazette"})
_COMPLETED = frozenset({"text", "search"})
# Only a parser that reads a whole page ties a form opened inside a table to its controls.
_SCRIPTED = {"straddle": "rows"}
_WITHOUT_ELEMENT = {"straddle": "rows", "apart": "stack"}


def write_form(form: FormView) -> str:
    """Write a form in the style of its site."""
    completion = write_completion(form) if form.suggest else ""
    if form.made == "formless":
        return _write_formless(form) + completion
    if form.made == "script":
        html = _write_markup(form, _SCRIPTED.get(form.style.form, form.style.form))
        return write_scripted(form, html, _completed_name(form)) + completion
    return _write_markup(form, form.style.form) + completion


def _write_markup(form: FormView, arrangement: str) -> str:
    name = ident(form.style, "f", form.number)
    apart = arrangement == "apart" and form.place == "content"
    hand = _hand_of(form, f' form="{name}"' if apart else "")
    spelled = hand.dialect.form
    unseen = "".join([write_hidden(hand, part) for part in _unseen_parts(form.questions)])
    layout = Layout(
        style=form.style,
        opening=_opening(form, hand.dialect, name) + unseen,
        closing=f"</{spelled}>",
        heading=form.heading if form.place == "content" else "",
        units=write_units(hand, form.questions, form.style.labels, form.place),
        buttons=_write_buttons(form, hand),
    )
    return arrange(layout, arrangement, form.place)


def _unseen_parts(questions: tuple[Question, ...]) -> list[Part]:
    return [part for question in questions if is_state(question) for part in question.parts]


def _hand_of(form: FormView, common: str) -> Hand:
    return Hand(
        dialect=dialect_of(form.style),
        ids=ident(form.style, "e", form.number) + "_",
        common=common,
        any=form.says["any"],
        choice=choice_of(form.style.labels),
        completed=_completed_name(form),
        completion=f' list="{ident(form.style, "list", form.number)}" autocomplete="off"' if form.suggest else "",
    )


def _opening(form: FormView, dialect: Dialect, name: str) -> str:
    method = "" if form.method == "GET" and dialect is LOUD else f' method="{form.method.lower()}"'
    action = f' action="{form.action}"' if form.action or dialect is not LOUD else ""
    sort = ' enctype="multipart/form-data"' if _has_file(form.questions) else ""
    if dialect is LOUD:
        return f"<FORM{action}{method}{sort} NAME={name} ID={name}>"
    return f'<form id="{name}" class="{css(form.style, "frame")}"{action}{method}{sort}>'


def _has_file(questions: tuple[Question, ...]) -> bool:
    return any(part.control == "file" for question in questions for part in question.parts)


def _completed_name(form: FormView) -> str:
    """Return the name of the field that a service completes."""
    parts = (part for question in form.questions for part in question.parts)
    return next((part.name for part in parts if part.control in _COMPLETED), "") if form.suggest else ""


def _write_formless(form: FormView) -> str:
    """Write controls in a box that is no form, and the script that sends them."""
    box = ident(form.style, "f", form.number)
    hand = _hand_of(form, "")
    unseen = "".join([write_hidden(hand, part) for part in _unseen_parts(form.questions)])
    opening = f'<div id="{box}" class="{css(form.style, "frame")}" data-{form.style.mark}-to="{form.action}">{unseen}'
    layout = Layout(
        style=form.style,
        opening=opening,
        closing="</div>",
        heading=form.heading if form.place == "content" else "",
        units=write_units(hand, form.questions, form.style.labels, form.place),
        buttons=_loose_buttons(form),
    )
    arrangement = _WITHOUT_ELEMENT.get(form.style.form, form.style.form)
    return arrange(layout, arrangement, form.place) + write_sender(form, box)


def _loose_buttons(form: FormView) -> str:
    """Write buttons that submit nothing by themselves."""
    buttons = [_button_element(form, button, "button", "") for button in form.buttons]
    if form.reset:
        buttons.append(f'<button type="button" data-{form.style.mark}-clear>{form.reset}</button>')
    return " ".join(buttons)


def _write_buttons(form: FormView, hand: Hand) -> str:
    manner = _manner_of(form.style.design, form.style.mark)
    if manner == "element":
        buttons = [_button_element(form, button, "submit", hand.common) for button in form.buttons]
    else:
        buttons = [_button_input(hand, button, manner) for button in form.buttons]
    return " ".join([*buttons, _write_reset(form, hand, manner)] if form.reset else buttons)


@cache
def _manner_of(design: str, mark: str) -> str:
    """Return how a site writes buttons; pictures are for old sites."""
    chosen = crc32(f"{mark} {design}".encode())
    if design in _LOUD_DESIGNS:
        return ("input", "image")[chosen % 2]
    return ("element", "element", "input")[chosen % 3]


def _button_element(form: FormView, button: Choice, sort: str, common: str) -> str:
    name, text = button
    sent = f' name="{name}" value="{text}"' if name else ""
    return f'<button type="{sort}"{sent} class="{css(form.style, "button")}"{common}>{text}</button>'


def _button_input(hand: Hand, button: Choice, manner: str) -> str:
    name, text = button
    tag, end = hand.dialect.input, hand.dialect.end
    if manner == "image" and not name:  # a picture sends no value under its name
        picture = f'src="{PIXEL}" width="48" height="20" alt="{text}" title="{text}"'
        return f'<{tag} type="image" {picture}{hand.common}{end}'
    sent = f' name="{name}"' if name else ""
    return f'<{tag} type="submit"{sent} value="{text}"{hand.common}{end}'


def _write_reset(form: FormView, hand: Hand, manner: str) -> str:
    if manner == "element":
        return f'<button type="reset"{hand.common}>{form.reset}</button>'
    return f'<{hand.dialect.input} type="reset" value="{form.reset}"{hand.common}{hand.dialect.end}'
