"""A form as it is planned, before it is written as HTML."""

from __future__ import annotations

from dataclasses import dataclass

from dowse.sim.databases import Ask

Choice = tuple[str, str]  # value, label


@dataclass(frozen=True, slots=True)
class FieldPlan:
    """One control, and what it asks of the database if it asks anything."""

    name: str
    control: str  # text, select, radio, checkbox, hidden, password, textarea, number, email ...
    label: str = ""
    choices: tuple[Choice, ...] = ()
    value: str = ""
    operator: str = ""
    attribute: str = ""

    def read(self, value: str) -> Ask | None:
        """Return what a submitted value asks for; codes of a select become the values they stand for."""
        value = value.strip()
        if not value or not self.operator:
            return None
        labels = dict(self.choices)
        return Ask(self.operator, self.attribute, labels.get(value, value) if self.choices else value)


@dataclass(frozen=True, slots=True)
class FormPlan:
    """A form: what it is for, where it sends what."""

    kind: str  # one of dowse.model.KINDS
    heading: str
    method: str
    action: str  # path
    fields: tuple[FieldPlan, ...]
    button: str
    button_name: str = ""
    place: str = "content"  # content; header and footer stand on every page
    database: int = -1  # number within the site, or -1

    @property
    def names(self) -> tuple[str, ...]:
        """The names of what it sends, buttons aside."""
        return tuple(sorted({each.name for each in self.fields}))


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a form goes: its depth, and whether menus lead there."""

    form: FormPlan
    depth: int
    title: str = ""
    menu: str = "in"  # in or out of the menus
