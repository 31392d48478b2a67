"""A form as it is planned, before it is written as HTML."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dowse.sim.address import Params
from dowse.sim.tables import Ask
from dowse.sim.view import Choice, Part, Question

WORD_MODES = ("keyword", "any", "phrase")
TEXT_MODES = ("contains", "starts", "equals")


@dataclass(frozen=True, slots=True)
class FormPlan:
    """A form: what it is for, where it sends what."""

    kind: str  # one of dowse.model.KINDS
    purpose: str  # "database", or what the decoy is for
    heading: str
    method: str
    action: str  # path
    questions: tuple[Question, ...]
    buttons: tuple[Choice, ...]
    reset: str = ""
    place: str = "content"  # content; header and footer stand on every page, articles on many pages of text
    database: int = -1  # number within the site, or -1
    made: str = "html"  # html, script, formless
    changes: str = ""  # name of a hidden field whose value is another one on every page, or nothing
    same_as: int = -1  # number of the form that this one is a copy of, or -1

    @property
    def names(self) -> tuple[str, ...]:
        """The names of what it sends, buttons aside."""
        return tuple(sorted({part.name for each in self.questions for part in each.parts}))

    @property
    def visible_names(self) -> tuple[str, ...]:
        """The names of what a person can see and set."""
        return tuple(sorted({part.name for each in self.questions if each.kind != "state" for part in each.parts}))

    def on_page(self, number: int) -> FormPlan:
        """Return the form as it stands on a page: the same, with small changes."""
        if not self.changes:
            return self
        return replace(self, questions=tuple(_changed(each, self.changes, number) for each in self.questions))


def _changed(question: Question, name: str, number: int) -> Question:
    if question.parts[0].name == name:
        return question._replace(parts=(question.parts[0]._replace(value=str(number)),))
    if question.kind != "choice":
        return question
    part = question.parts[0]
    turn = number % len(part.choices) if part.control == "select" and part.choices else 0
    return question._replace(parts=(part._replace(choices=part.choices[turn:] + part.choices[:turn]),))


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a form goes: its depth, and the way there."""

    form: FormPlan
    depth: int
    title: str = ""
    way: str = "menu"  # menu, advanced, content, sitemap


def read_asks(questions: tuple[Question, ...], params: Params) -> tuple[Ask, ...]:
    """Return the conditions that submitted parameters ask for; unknown names ask nothing."""
    sent: dict[str, list[str]] = {}
    for name, value in params:
        if value.strip():
            sent.setdefault(name, []).append(value.strip())
    if not sent:
        return ()
    modes = {each.attribute: _read_mode(each, sent) for each in questions if each.kind == "operator"}
    asks = [ask for each in questions if each.operator for ask in _read(each, sent, modes)]
    return tuple(dict.fromkeys(asks))


def _read_mode(question: Question, sent: dict[str, list[str]]) -> str:
    part = question.parts[0]
    values = [value for value, _ in part.choices]
    chosen = sent.get(part.name, [""])[0]
    modes = TEXT_MODES if question.attribute else WORD_MODES
    return modes[values.index(chosen)] if chosen in values else modes[0]


def _read(question: Question, sent: dict[str, list[str]], modes: dict[str, str]) -> list[Ask]:
    operator, attribute = question.operator, question.attribute
    if operator == "range":
        low, high = (sent.get(part.name, [""])[0] for part in question.parts)
        ends = (("min", _decode(question.parts[0], low)), ("max", _decode(question.parts[1], high)))
        return [Ask(end, attribute, (value,)) for end, value in ends if value]
    if operator == "since":
        day = _read_date(question, sent)
        return [Ask("min", attribute, (day,))] if day else []
    values = tuple(_decode(question.parts[0], value) for value in sent.get(question.parts[0].name, ()))
    if not values:
        return []
    mode = modes.get(attribute, "") if operator in ("keyword", "contains") else ""
    return [Ask(mode or operator, attribute, values if operator == "equals" else values[:1])]


def _decode(part: Part, value: str) -> str:
    """Return what a code of a select stands for."""
    return dict(part.choices).get(value, value) if part.choices else value


def _read_date(question: Question, sent: dict[str, list[str]]) -> str:
    given = [sent.get(part.name, [""])[0] for part in question.parts]
    if len(given) == 1:
        return given[0]
    day, month, year = given
    if not year:
        return ""
    return f"{year}-{month.zfill(2) if month else '01'}-{day.zfill(2) if day else '01'}"
