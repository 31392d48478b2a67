"""From a door to what a selector may ask, and back: from a query to the values that go into the form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from dowse.form.questions import Box, find_boxes, is_blank, low_end
from dowse.model import Condition, Door, Field, Option, Query, Value, Verdict
from dowse.select.selector import USUAL_PAGE, Interface, Span

MOST_CHOICES = 5_000  # of one control
LARGEST_PAGE = 1_000  # records on a page that are asked for, where the form lets one choose


@dataclass(frozen=True, slots=True)
class Opening:
    """What can be asked of a door, and which control takes it."""

    interface: Interface
    boxes: dict[str, str] = field(default_factory=dict)  # attribute -> control; "" is the box for any words
    codes: dict[str, dict[str, str]] = field(default_factory=dict)  # attribute -> what is read -> what is sent
    controls: dict[str, str] = field(default_factory=dict)  # attribute with choices -> control
    ends: dict[str, tuple[str, str]] = field(default_factory=dict)  # attribute with a range -> its two controls
    fixed: dict[str, str] = field(default_factory=dict)  # sent with every query: the largest page there is
    labels: dict[str, str] = field(default_factory=dict)  # attribute -> what people read

    def fill(self, query: Query) -> dict[str, str] | Verdict:
        """Return the values for a form's controls, or why they cannot be had."""
        filled = dict(self.fixed)
        for value in query.values:
            placed = self._place(value)
            if isinstance(placed, Verdict):
                return placed
            filled |= placed
        for asked in query.ranges:
            if asked.attribute not in self.ends:
                return Verdict(False, f"has no range for {asked.attribute!r}")
            low, high = self.ends[asked.attribute]
            filled |= {low: asked.low, high: asked.high}
        return filled

    def _place(self, value: Value) -> dict[str, str] | Verdict:
        attribute, text = value
        code = self.codes.get(attribute, {}).get(text)
        if code is not None:
            return {self.controls[attribute]: code}
        if attribute in self.boxes:
            return {self.boxes[attribute]: text}
        if attribute in self.controls:
            return Verdict(False, f"has no choice {text!r} for {attribute!r}")
        return Verdict(False, f"has no condition {attribute!r}; it has {', '.join(self.names()) or 'none'}")

    def names(self) -> list[str]:
        """Return the attributes that can be asked for."""
        return [name for name in dict.fromkeys([*self.boxes, *self.controls, *self.ends]) if name]


def open_interface(door: Door, page_size: int = 0, limit: int = 0) -> Opening:
    """Read what a selector can ask of a door out of its conditions."""
    opening = Opening(Interface())
    for box in find_boxes(door):
        opening.boxes.setdefault(_attribute_of(door, box), box.name)
    for condition in door.conditions:
        _add_condition(opening, door, condition)
    if door.form.template and not opening.boxes:
        opening.boxes[""] = _first_place(door)
    opening.fixed.update(_largest_page(door))
    return Opening(
        _interface(opening, door, page_size, limit),
        opening.boxes, opening.codes, opening.controls, opening.ends, opening.fixed, opening.labels,
    )  # fmt: skip


def _interface(opening: Opening, door: Door, page_size: int, limit: int) -> Interface:
    return Interface(
        attributes=tuple(name for name in opening.boxes if name),
        keyword="" in opening.boxes,
        choices=tuple((name, tuple(codes)) for name, codes in opening.codes.items()),
        spans=tuple(_span(door, name, ends) for name, ends in opening.ends.items()),
        required=tuple(_required(opening, door)),
        joins=len(opening.names()) > 1,
        page_size=page_size or max(map(int, opening.fixed.values()), default=USUAL_PAGE),
        limit=limit,
    )


def _attribute_of(door: Door, box: Box) -> str:
    if box.general:
        return ""
    own = (condition.attribute for condition in door.conditions if box.name in condition.fields)
    return next(own, "")


def _add_condition(opening: Opening, door: Door, condition: Condition) -> None:
    """Note how a condition is asked: a choice, or a range by its two ends; boxes are known already."""
    attribute = condition.attribute
    opening.labels.setdefault(attribute, condition.label or attribute)
    fields = _fields(door, condition.fields)
    if condition.operator == "range" and len(fields) == 2:
        low = low_end(fields)
        high = fields[1] if low is fields[0] else fields[0]
        opening.ends.setdefault(attribute, (low.name, high.name))
    elif condition.options and condition.operator != "range" and len(condition.fields) == 1:
        codes = dict(_codes(condition.options))
        if codes and attribute not in opening.codes:
            opening.codes[attribute] = codes
            opening.controls[attribute] = condition.fields[0]


def _codes(options: Iterable[Option]) -> Iterator[tuple[str, str]]:
    """Yield what people read of each choice, and what is sent for it; what asks for nothing is none."""
    for option in list(options)[:MOST_CHOICES]:
        if option.value.strip() and not is_blank(option.value) and any(map(str.isalnum, option.label or option.value)):
            yield " ".join((option.label or option.value).split()), option.value


def _fields(door: Door, names: Iterable[str]) -> list[Field]:
    return [one for name in names for one in [f for f in door.form.fields if f.name == name][:1]]


def _span(door: Door, attribute: str, ends: tuple[str, str]) -> Span:
    condition = next(each for each in door.conditions if each.attribute == attribute and each.operator == "range")
    low, _ = _fields(door, ends)
    steps = tuple(option.value for option in low.options if option.value.strip() and not is_blank(option.value))
    return Span(attribute, "date" if condition.type == "date" else "number", steps=steps[:MOST_CHOICES])


def _required(opening: Opening, door: Door) -> Iterator[str]:
    """Yield the attributes that must be given; a select always has a value."""
    needed = {one.name for one in door.form.fields if one.required and one.type != "select"}
    yield from (attribute for attribute, name in opening.boxes.items() if name in needed)


def _first_place(door: Door) -> str:
    return next((one.name for one in door.form.fields if one.name and one.type != "hidden"), "")


def _largest_page(door: Door) -> Iterator[tuple[str, str]]:
    """Yield the control that says how many records a page shows, with the most it offers: fewer requests for both sides."""
    for control in door.controls:
        for one in _fields(door, control.fields) if control.role == "paging" else []:
            sizes = [
                option.value
                for option in one.options
                if option.value.isdecimal() and 5 <= int(option.value[:9]) <= LARGEST_PAGE
            ]
            if len(sizes) >= 2:
                yield one.name, max(sizes, key=int)


def read_values(texts: Iterable[str], opening: Opening) -> list[Value] | Verdict:
    """Read what a user gives to begin with: `author=Kafka`, or words alone for the box for any words."""
    found = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            name, value = "", text
        attribute = _named(name.strip(), opening)
        if attribute is None:
            said = ", ".join(opening.names()) or "none"
            return Verdict(
                False,
                f"the form has no condition {name.strip()!r}; it has {said}"
                if name
                else "the form has no box for any words; name the condition, as in author=Kafka",
            )
        found.append(Value(attribute, value.strip()))
    return found


def _named(name: str, opening: Opening) -> str | None:
    """Return the attribute that a name means: its own, its label or its control's."""
    if not name:
        return "" if "" in opening.boxes else None
    lower = name.lower()
    for attribute in dict.fromkeys([*opening.boxes, *opening.controls, *opening.ends]):
        names = {
            attribute.lower(),
            opening.labels.get(attribute, "").lower(),
            opening.boxes.get(attribute, "").lower(),
            opening.controls.get(attribute, "").lower(),
        }
        if lower in names - {""}:
            return attribute
    return None
