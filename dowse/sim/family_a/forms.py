"""Forms as HTML: what is asked, with labels one way or another, arranged as their author arranges all of his."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dowse.sim.family_a.controls import Asked, Pen, write_hidden, write_question
from dowse.sim.family_a.eras import OLD
from dowse.sim.family_a.labels import IN_TABLES, WAYS, LabelWay, choose_way, write_rows
from dowse.sim.family_a.scripts import (
    write_by_creating,
    write_by_document,
    write_by_filling,
    write_by_inserting,
    write_completing,
    write_sending,
)
from dowse.sim.view import FormView, Question

Attributes = tuple[tuple[str, str], ...]
_OPENED = frozenset({"text", "search"})  # what can be completed


class Sheet(NamedTuple):
    """A form before it is arranged."""

    id: str
    mark: str
    start: str  # the form's start tag, and what it hides
    end: str
    heading: str
    asked: list[Asked]
    way: str  # one of labels.WAYS
    buttons: str

    @property
    def lines(self) -> list[str]:
        """Its questions in running HTML."""
        if self.way in IN_TABLES:
            return [f"<table>{write_rows(self.asked, self.way)}</table>"]
        write = WAYS[self.way].write
        return [write(each) for each in self.asked]

    @property
    def rows(self) -> str:
        """Its questions as rows of a table."""
        return write_rows(self.asked, self.way)


def write_form(view: FormView) -> str:
    """Write a form; nothing in its markup says what it is for, only its words do."""
    id_ = f"{view.style.mark}f{view.number}"
    completed = _find_completed(view)
    script = write_completing(f"{id_}_{completed}") if completed >= 0 else ""
    return _MADE[view.made](view, id_) + script


def _write_whole(view: FormView, id_: str) -> str:
    """Write a form into the page."""
    attributes = "".join([f' {name}="{value}"' for name, value in _attributes(view, id_)])
    sheet = _plan_sheet(view, id_, f"<form{attributes}>", "</form>")
    return _arrangement(view.style.form, view.place)(sheet)


def _write_by_script(view: FormView, id_: str) -> str:
    """Write a form that only a browser shows; parsers outside a page lose forms that cross tables."""
    if view.style.design in OLD or view.style.form in _CROSSING:
        return write_by_document(_write_whole(view, id_))
    if view.number % 3 == 2:
        inside = _arrangement(_CLOSED.get(view.style.form, view.style.form), view.place)(_plan_sheet(view, id_, "", ""))
        return write_by_creating(inside, id_, _attributes(view, id_))
    write = (write_by_filling, write_by_inserting)[view.number % 3]
    return write(_write_whole(view, id_), id_)


def _write_formless(view: FormView, id_: str) -> str:
    """Write the controls without a form, and what sends them."""
    start = f'<div id="{id_}" class="{view.style.mark}fo" data-to="{view.action}">'
    arrange = _arrangement(_CLOSED.get(view.style.form, view.style.form), view.place)
    return arrange(_plan_sheet(view, id_, start, "</div>")) + write_sending(id_)


_MADE: dict[str, Callable[[FormView, str], str]] = {
    "html": _write_whole,
    "script": _write_by_script,
    "formless": _write_formless,
}


def _attributes(view: FormView, id_: str) -> Attributes:
    method = view.method if view.style.design in OLD else view.method.lower()
    attributes = [("id", id_), ("class", f"{view.style.mark}fo"), ("action", view.action), ("method", method)]
    if any(part.control == "file" for question in view.questions for part in question.parts):
        attributes.append(("enctype", "multipart/form-data"))
    return tuple(attributes)


def _plan_sheet(view: FormView, id_: str, start: str, end: str) -> Sheet:
    shown = _shown(view)
    name = choose_way(view.style.labels, view.place, len([each for each in shown if each.kind != "operator"]))
    owner = f' form="{id_}"' if view.style.form == "outside" and end == "</form>" else ""
    return Sheet(
        id=id_,
        mark=view.style.mark,
        start=start + write_hidden(view.questions),
        end=end,
        heading=view.heading if view.place == "content" else "",
        asked=_write_questions(view, shown, id_, WAYS[name], owner),
        way=name,
        buttons=_write_buttons(view, owner),
    )


def _shown(view: FormView) -> list[Question]:
    """Return the questions that a person sees."""
    return [each for each in view.questions if each.parts[0].control != "hidden" or each.parts[-1].control != "hidden"]


def _write_questions(view: FormView, shown: list[Question], id_: str, way: LabelWay, owner: str) -> list[Asked]:
    """Write the questions; how to compare stands beside what is compared."""
    pen = Pen(view.says["any"], way.attribute, way.choice, way.hints, owner)
    completed = _find_completed(view)
    asked: list[Asked] = []
    for number, question in enumerate(shown):
        own = f"{id_}_{number}"
        first = way.points.format(own) + (_complete(view, own) if number == completed else "")
        one = write_question(question, own, pen, first)
        if number == completed:
            one = one._replace(controls=one.controls + _completions(view, own))
        if question.kind == "operator" and asked:
            asked[-1] = _stand_beside(asked[-1], one)
        else:
            asked.append(one)
    return asked


def _stand_beside(asked: Asked, compared: Asked) -> Asked:
    label = f"{compared.label} " if compared.label else ""
    return asked._replace(beside=f"{asked.beside}\n{label}{compared.controls}")


def _find_completed(view: FormView) -> int:
    """Return the number of the question whose field a service completes, or -1."""
    if not view.suggest:
        return -1
    asked = enumerate(_shown(view))
    return next((number for number, question in asked if question.parts[0].control in _OPENED), -1)


def _names_list(view: FormView) -> bool:
    return view.style.design not in OLD and len(view.style.mark) % 2 == 0


def _complete(view: FormView, own: str) -> str:
    """Return the attributes of a field that is completed."""
    return f' list="{own}d"' if _names_list(view) else f' data-src="{view.suggest}" autocomplete="off"'


def _completions(view: FormView, own: str) -> str:
    """Return where the completions will stand."""
    if _names_list(view):
        return f'<datalist id="{own}d" data-src="{view.suggest}"></datalist>'
    return f'<span id="{own}d"></span>'


def _write_buttons(view: FormView, owner: str) -> str:
    """Write the buttons as inputs or as elements of their own, as the site does; outside a form they are plain."""
    kind = "button" if view.made == "formless" else "submit"
    inputs = view.style.design in OLD or sum(view.style.mark.encode()) % 2 == 0
    pattern = _INPUT if inputs else _BUTTON
    written = [pattern.format(kind, f' name="{name}"' if name else "", text, owner) for name, text in view.buttons]
    if view.reset:
        clears = ("button", ' data-clear="1"') if kind == "button" else ("reset", "")
        written.append(pattern.format(clears[0], clears[1], view.reset, owner))
    return " ".join(written)


_INPUT = '<input type="{0}"{1} value="{2}"{3}>'
_BUTTON = '<button type="{0}"{1} value="{2}"{3}>{2}</button>'


def _simple(sheet: Sheet) -> str:
    heading = f"<h3>{sheet.heading}</h3>\n" if sheet.heading else ""
    rows = "<br>\n".join(sheet.lines)
    return f"{heading}{sheet.start}\n{rows}\n<br>{sheet.buttons}{sheet.end}"


def _in_rows(sheet: Sheet) -> str:
    """Write a table within a form."""
    heading = f'<tr><th colspan="3">{sheet.heading}</th></tr>\n' if sheet.heading else ""
    ends = f'<tr><td colspan="3">{sheet.buttons}</td></tr>'
    return f'{sheet.start}<table border="0" cellpadding="3">\n{heading}{sheet.rows}\n{ends}\n</table>{sheet.end}'


def _across_table(sheet: Sheet) -> str:
    """Write a form that opens between table and row: the finished tree leaves it empty."""
    heading = f"<b>{sheet.heading}</b>\n" if sheet.heading else ""
    rows = f"{sheet.rows}\n<tr><td colspan=3>{sheet.buttons}</td></tr>"
    return f"{heading}<table border=0>{sheet.start}\n{rows}\n{sheet.end}</table>"


def _across_cells(sheet: Sheet) -> str:
    """Write a form that opens in the first cell of a table and closes in the last."""
    rows = f"<tr><td colspan=3><b>{sheet.heading}</b>{sheet.start}</td></tr>\n{sheet.rows}"
    ends = f"<tr><td colspan=3 align=center>{sheet.buttons}{sheet.end}</td></tr>"
    return f"<table border=1 cellspacing=0>\n{rows}\n{ends}</table>"


def _in_fieldset(sheet: Sheet) -> str:
    legend = f"<legend>{sheet.heading}</legend>\n" if sheet.heading else ""
    rows = "\n".join([f"<div>{line}</div>" for line in sheet.lines])
    return f"{sheet.start}<fieldset>{legend}{rows}</fieldset>\n<div>{sheet.buttons}</div>{sheet.end}"


def _in_paragraphs(sheet: Sheet) -> str:
    heading = f"<h2>{sheet.heading}</h2>\n" if sheet.heading else ""
    rows = "\n".join([f"<p>{line}" for line in sheet.lines])
    return f"{sheet.start}\n{heading}{rows}\n<p>{sheet.buttons}\n{sheet.end}"


def _outside(sheet: Sheet) -> str:
    """Write the controls where they please, before or after the form that they name."""
    heading = f"<h3>{sheet.heading}</h3>\n" if sheet.heading else ""
    rows = "\n".join([f'<div class="{sheet.mark}fr">{line}</div>' for line in sheet.lines])
    if len(sheet.asked) % 2:
        return f"{heading}{sheet.start}{sheet.end}\n{rows}\n<div>{sheet.buttons}</div>"
    return f"{heading}{rows}\n{sheet.start}<div>{sheet.buttons}</div>{sheet.end}"


def _in_blocks(sheet: Sheet) -> str:
    """Write blocks within blocks, as component frameworks do."""
    mark = sheet.mark
    heading = f'<div class="{mark}fh"><h4>{sheet.heading}</h4></div>' if sheet.heading else ""
    rows = "\n".join(
        [
            f'<div class="{mark}fr {mark}fr{n % 3}"><div class="{mark}fc">'
            f'<div class="{mark}fi">{line}</div></div></div>'
            for n, line in enumerate(sheet.lines)
        ]
    )
    ends = f'<div class="{mark}fr {mark}fe"><div class="{mark}fc">{sheet.buttons}</div></div>'
    return f'<div class="{mark}fw">{sheet.start}{heading}<div class="{mark}fg">{rows}{ends}</div>{sheet.end}</div>'


def _in_list(sheet: Sheet) -> str:
    heading = f"<h5>{sheet.heading}</h5>\n" if sheet.heading else ""
    rows = "\n".join([f"<li>{line}</li>" for line in sheet.lines])
    return f'{heading}{sheet.start}<ul class="{sheet.mark}fu">\n{rows}\n<li>{sheet.buttons}</li></ul>{sheet.end}'


FORMS: dict[str, Callable[[Sheet], str]] = {
    "simple": _simple,
    "rows": _in_rows,
    "across": _across_table,
    "cells": _across_cells,
    "fieldset": _in_fieldset,
    "paragraphs": _in_paragraphs,
    "outside": _outside,
    "blocks": _in_blocks,
    "list": _in_list,
}
_CROSSING = frozenset({"across", "cells"})
_CLOSED = {"across": "rows", "cells": "rows", "outside": "blocks"}  # where there is no form element to cross


def _small_line(sheet: Sheet) -> str:
    return f"{sheet.start}{' '.join(sheet.lines)} {sheet.buttons}{sheet.end}"


def _small_row(sheet: Sheet) -> str:
    """Write a form that opens in a cell and closes after the table."""
    cells = "".join([f"<td>{line}</td>" for line in sheet.lines])
    row = f"<table><tr>{cells}<td>{sheet.buttons}</td></tr></table>"
    return f'<table border="0" cellpadding="1"><tr><td>{sheet.start}<td>{row}</td></tr></table>{sheet.end}'


def _small_table(sheet: Sheet) -> str:
    cells = "".join([f"<td>{line}</td>" for line in sheet.lines])
    return f"{sheet.start}<table><tr>{cells}<td>{sheet.buttons}</td></tr></table>{sheet.end}"


def _small_across(sheet: Sheet) -> str:
    cells = "".join([f"<td>{line}</td>" for line in sheet.lines])
    return f"<table>{sheet.start}<tr>{cells}<td>{sheet.buttons}</td></tr>{sheet.end}</table>"


def _small_blocks(sheet: Sheet) -> str:
    cells = "".join([f'<div class="{sheet.mark}fi">{line}</div>' for line in sheet.lines])
    ends = f'<div class="{sheet.mark}fi">{sheet.buttons}</div>'
    return f'<div class="{sheet.mark}fw">{sheet.start}{cells}{ends}{sheet.end}</div>'


_SMALL: dict[str, Callable[[Sheet], str]] = {
    "rows": _small_table,
    "across": _small_across,
    "cells": _small_row,
    "blocks": _small_blocks,
    "outside": _small_blocks,
}


def _arrangement(form: str, place: str) -> Callable[[Sheet], str]:
    return FORMS[form] if place == "content" else _SMALL.get(form, _small_line)
