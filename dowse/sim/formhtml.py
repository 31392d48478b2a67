"""A planned form as HTML, with labels and markup as its author writes them."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from dowse.sim.formplan import FieldPlan, FormPlan
from dowse.sim.habits import Habits

Labelled = Callable[[str, str, str], str]  # id, label, control


def write_form(form: FormPlan, action: str, habits: Habits, number: int) -> str:
    """Write a form as HTML; its number keeps ids apart on one page."""
    mark = f"{habits.css}f{number}"  # says nothing about what the form is for
    hidden = "".join(_hidden(field) for field in form.fields if field.control == "hidden")
    shown = [field for field in form.fields if field.control != "hidden"]
    name = f' name="{form.button_name}"' if form.button_name else ""
    button = f'<input type="submit"{name} value="{form.button}">'
    method = form.method if habits.is_old else form.method.lower()
    start = f'<form id="{mark}" action="{action}" method="{method}">{hidden}'
    heading = f"<h3>{form.heading}</h3>\n" if form.place == "content" else ""
    if form.place == "content" and habits.form_style == "across-table":
        return heading + _across_table(shown, start, button, habits, mark)
    if form.place == "content" and habits.form_style == "outside" and len(shown) > 1:
        *inside, last = shown
        body = _write_fields(inside, habits, mark)
        return f"{heading}{start}\n{body}\n{button}</form>\n<p>{last.label} {_control(last, f'{mark}x', mark)}</p>"
    return f"{heading}{start}\n{_write_fields(shown, habits, mark)}\n{button}</form>"


def _hidden(field: FieldPlan) -> str:
    return f'<input type="hidden" name="{field.name}" value="{escape(field.value)}">'


def _across_table(fields: list[FieldPlan], start: str, button: str, habits: Habits, mark: str) -> str:
    """Write a form that opens between table and row, as many pages of old do."""
    rows = "\n".join(
        f"<tr><td>{field.label}</td><td>{_control(field, f'{mark}{number}')}</td></tr>"
        for number, field in enumerate(fields)
    )
    return f"<table border=0>{start}\n{rows}\n<tr><td colspan=2>{button}</td></tr></form></table>"


def _write_fields(fields: list[FieldPlan], habits: Habits, mark: str) -> str:
    label = LABELS[habits.labels]
    rows = []
    for number, field in enumerate(fields):
        id_ = f"{mark}{number}"
        hint = ""
        if habits.labels in ("placeholder", "title") and field.label:
            hint = f' {habits.labels}="{escape(field.label)}"'
        rows.append(label(id_, field.label, _control(field, id_, "", hint, habits.any)))
    whole = "\n".join(rows)
    return f"<table>{whole}</table>" if habits.labels == "cell" else whole


def _control(field: FieldPlan, id_: str, form: str = "", hint: str = "", any_: str = "Any") -> str:
    owner = f' form="{form}"' if form else ""
    if field.control == "select":
        options = "".join(f'<option value="{escape(value)}">{escape(label)}</option>' for value, label in field.choices)
        return f'<select name="{field.name}" id="{id_}"{owner}{hint}><option value="">{any_}</option>{options}</select>'
    if field.control == "radio":
        buttons = (
            f'<label><input type="radio" name="{field.name}" value="{escape(value)}"{owner}> {escape(label)}</label>'
            for value, label in field.choices
        )
        return "\n".join(buttons)
    if field.control == "textarea":
        return f'<textarea name="{field.name}" id="{id_}" rows="5"{owner}{hint}></textarea>'
    value = f' value="{field.value}"' if field.value else ""
    return f'<input type="{field.control}" name="{field.name}" id="{id_}"{value}{owner}{hint}>'


LABELS: dict[str, Labelled] = {
    "for": lambda id_, label, control: f'<div><label for="{id_}">{label}</label> {control}</div>',
    "before": lambda id_, label, control: f"{label}: {control}<br>",
    "cell": lambda id_, label, control: f"<tr><td align=right><b>{label}</b></td><td>{control}</td></tr>",
    "after": lambda id_, label, control: f"<p>{control} <small>{label}</small></p>",
    "placeholder": lambda id_, label, control: f'<div class="row">{control}</div>',
    "title": lambda id_, label, control: f"<span>{control}</span>",
    "wrapped": lambda id_, label, control: f"<label>{label} {control}</label>",
    "line": lambda id_, label, control: f"<p>{label}<br>\n{control}",
}
