"""What a selector may ask a door, the values that go into the form, and what is asked first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from dowse.form.questions import Box, find_boxes, is_blank, low_end
from dowse.model import Condition, Door, Field, Option, Page, Query, Value, Verdict
from dowse.records.compare import STOP_WORDS, find_common, find_words, make_nonsense
from dowse.select.selector import USUAL_PAGE, Interface, Span

# --- opening
# From a door to what a selector may ask, and back: from a query to the values that go into the form.

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


# --- seeds
# What to ask first, before anything was drawn: what the user gives, everything, choices of the form, words.

YEARS = ("2010", "2000", "1995")  # in any language; records of most kinds have years
FIRST_CHOICES = 2  # of one attribute
LETTERS = ("a", "e")  # many values have them, where a box takes parts of words
LEAST_BEGUN = 4  # letters of a word whose last one may be an ending
MOST_WORDS = 12
MOST_CHOSEN = 8  # attributes with choices that are begun with
MOST_BOXES = 4  # boxes that each word is typed into


def first_queries(given: Sequence[Value], opening: Opening, door: Door, page: Page | None) -> Iterator[Query]:
    """Yield queries to begin with, the likeliest to bring records first; each has what the form demands."""
    if not opening.interface.required:
        yield from (Query((value,)) for value in given)
        yield Query()
        yield from (Query((value,)) for value in _first_values(opening, door, page))
        return
    fillers = _find_fillers(given, opening, door, page)
    values = (*given, *_first_values(opening, door, page))
    yield from dict.fromkeys(_complete(value, turn, fillers) for turn, value in enumerate(values))


def _first_values(opening: Opening, door: Door, page: Page | None) -> Iterator[Value]:
    """Yield choices of the form and words by turns."""
    for chosen, said in zip_longest(_first_choices(opening), _first_words(opening, door, page)):
        yield from (value for value in (chosen, said) if value)


def _find_fillers(given: Sequence[Value], opening: Opening, door: Door, page: Page | None) -> dict[str, list[Value]]:
    """Return for each attribute that the form demands what goes beside other values: what the user gives, else choices, else what many records have."""
    choices = dict(opening.interface.choices)
    found = {}
    for name in opening.interface.required:
        broad = first_words(door, page) if not name else [*LETTERS, *_words_for_one(door, page)]
        own = [value for value in given if value.attribute == name]
        found[name] = own or [Value(name, text) for text in choices.get(name, broad)[:MOST_WORDS]]
    return found


def _complete(value: Value, turn: int, fillers: dict[str, list[Value]]) -> Query:
    """Return the query for a value and one for each other attribute that the form demands, another with each turn."""
    beside = [some[turn % len(some)] for name, some in fillers.items() if name != value.attribute and some]
    return Query(tuple(sorted([value, *beside])))


def _first_choices(opening: Opening) -> Iterator[Value]:
    """Yield choices: one of each attribute, those with the fewest choices first, as each of them has more records; then another."""
    ranked = sorted(opening.interface.choices, key=lambda each: len(each[1]))[:MOST_CHOSEN]
    for which in range(FIRST_CHOICES):
        yield from (
            Value(name, texts[which * len(texts) // FIRST_CHOICES]) for name, texts in ranked if len(texts) > which
        )


def _first_words(opening: Opening, door: Door, page: Page | None) -> Iterator[Value]:
    """Yield words for the box for any words; without one, for each of the others."""
    if "" in opening.boxes:
        yield from (Value("", word) for word in first_words(door, page))
        return
    boxes = opening.interface.attributes[:MOST_BOXES]
    yield from (Value(box, word) for word in _words_for_one(door, page) for box in boxes)


def first_words(door: Door, page: Page | None) -> list[str]:
    """Return words that records are likely to have: an example in the form, words of its page, of its language, years."""
    language = page.language if page and page.language else "en"
    stops = STOP_WORDS.get(language, STOP_WORDS["en"])
    examples = [word for field in door.form.fields for word in find_words(field.placeholder)]
    form_words = {word.lower() for word in find_words(door.form.text)}
    own = find_common([page.title, *(link.text for link in page.links)], {*stops, *form_words}) if page else []
    return list(dict.fromkeys([*examples[:3], stops[0], YEARS[0], *own[:4], *YEARS[1:], *stops[1:]]))[:MOST_WORDS]


def _words_for_one(door: Door, page: Page | None) -> list[str]:
    """Return words for a box that takes one attribute: beginnings of what the page is about, where soups asks for soup, and letters."""
    about = find_common([door.form.heading, *((page.title, *(link.text for link in page.links)) if page else ())])
    begun = [word[:-1] for word in about if len(word) > LEAST_BEGUN]
    words = first_words(door, page)
    return list(dict.fromkeys([*words[:1], *begun[:2], *LETTERS[:1], *words[1:], *begun[2:4], *LETTERS[1:]]))[
        :MOST_WORDS
    ]


def nothing_query(opening: Opening, door: Door) -> Query | None:
    """Return a query that finds nothing: its answer shows the frame without records."""
    attribute = "" if "" in opening.boxes else next(iter(opening.boxes), None)
    if attribute is None or attribute not in opening.boxes:
        return None
    nonsense = make_nonsense(f"{door.signature} {door.form.action}")
    return Query(tuple(Value(name, nonsense) for name in sorted({attribute, *opening.interface.required})))


def known_values(given: Sequence[Value], opening: Opening) -> list[Value]:
    """Return all values that can be asked for before a record was seen: given ones, and the choices of the form."""
    chosen = [Value(attribute, text) for attribute, choices in opening.interface.choices for text in choices]
    return list(dict.fromkeys([*given, *chosen]))
