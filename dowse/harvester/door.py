"""What a selector may ask a door, the values that go into the form, and what is asked first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import Final
from urllib.parse import quote, urlsplit

from dowse.form.conditions import find_ends
from dowse.form.questions import (
    all_stop_words,
    find_boxes,
    find_common,
    find_words,
    is_blank,
    low_end,
    make_nonsense,
    stop_words,
)
from dowse.form.roles import attribute_name
from dowse.model import Condition, Door, Field, Form, Judgement, Page, Query, Range, Record, Request, Value, Verdict
from dowse.select.selector import DEFAULT_PAGE_SIZE, Interface, Span

# From a door to what a selector may ask, and back: from a query to the values that go into the form.

MAX_CHOICES = 5_000  # of one control
MAX_SORT_ORDERS = 8  # that a list which is cut is asked in
SORTED_BY = "(sorted by)"  # what queries call an order of the list; no attribute of a record
TYPED_ENDS = frozenset({"text", "search", "number", "date"})  # controls that one end of a range is typed into
MAX_PAGE_SIZE = 1_000  # records on a page that are asked for, where the form lets one choose


@dataclass(frozen=True, slots=True)
class FieldMap:
    """What can be asked of a door, and which control takes it."""

    interface: Interface
    boxes: dict[str, str] = field(default_factory=dict)  # attribute -> control; "" is the box for any words
    codes: dict[str, dict[str, str]] = field(default_factory=dict)  # attribute -> what is read -> what is sent
    controls: dict[str, str] = field(default_factory=dict)  # attribute with choices -> control
    ends: dict[str, tuple[str, str]] = field(default_factory=dict)  # attribute with a range -> its two controls, or one
    fixed: dict[str, str] = field(default_factory=dict)  # sent with every query: the largest page there is
    labels: dict[str, str] = field(default_factory=dict)  # attribute -> what people read
    sorting: str = ""  # the control that sorts
    orders: dict[str, str] = field(default_factory=dict)  # its other orders: what is read -> what is sent
    widest: Range | None = None  # the range that holds whatever records have, of the first attribute with a range

    def fill(self, query: Query) -> dict[str, str] | Verdict:
        """Return the values for a form's controls, or why they cannot be had."""
        filled = dict(self.fixed)
        for value in query.values:
            attribute, text = value
            code = self.codes.get(attribute, {}).get(text)
            if attribute == SORTED_BY and text in self.orders:
                filled[self.sorting] = self.orders[text]
            elif code is not None:
                filled[self.controls[attribute]] = code
            elif attribute in self.boxes:
                filled[self.boxes[attribute]] = text
            elif attribute in self.controls:
                return Verdict(False, f"has no choice {text!r} for {attribute!r}")
            else:
                known = ", ".join(self.names()) or "none"
                return Verdict(False, f"has no condition {attribute!r}; it has {known}")
        for asked in query.ranges:
            if asked.attribute not in self.ends:
                return Verdict(False, f"has no range for {asked.attribute!r}")
            low, high = self.ends[asked.attribute]
            filled |= {name: text for name, text in ((low, asked.low), (high, asked.high)) if name}
        return filled

    def names(self) -> list[str]:
        """Return the attributes that can be asked for."""
        return [name for name in dict.fromkeys([*self.boxes, *self.controls, *self.ends]) if name]


def map_fields(door: Door, page_size: int = 0, limit: int = 0) -> FieldMap:
    """Read what a selector can ask of a door out of its conditions."""
    field_map = FieldMap(Interface())
    for box in find_boxes(door):
        own = (condition.attribute for condition in door.conditions if box.name in condition.fields)
        field_map.boxes.setdefault("" if box.general else next(own, ""), box.name)
    for condition in door.conditions:
        _add_condition(field_map, door, condition)
    if door.form.template and not field_map.boxes:
        places = [one.name for one in door.form.fields if one.name and one.type != "hidden"]
        field_map.boxes.update(dict(zip([""], places, strict=False)))
    field_map.fixed.update(_largest_page(door))
    return FieldMap(
        _interface(field_map, door, page_size, limit),
        field_map.boxes, field_map.codes, field_map.controls, field_map.ends, field_map.fixed, field_map.labels,
        *_find_sort_orders(door), _find_widest(field_map, door),
    )  # fmt: skip


def _find_sort_orders(door: Door) -> tuple[str, dict[str, str]]:
    """Return the control that sorts, and its other orders by what people read: each shows other records first."""
    names = {name for control in door.controls if control.role == "sort" for name in control.fields}
    for one in door.form.fields:
        others = {each.label or each.value: each.value for each in one.options if each.value.strip() and each.value != one.value}  # fmt: skip
        if one.name in names and one.type == "select" and others:
            return one.name, dict([*others.items()][:MAX_SORT_ORDERS])
    return "", {}


def _interface(field_map: FieldMap, door: Door, page_size: int, limit: int) -> Interface:
    # what must be given; a select always has a value
    needed = {one.name for one in door.form.fields if one.required and one.type != "select"}
    return Interface(
        attributes=tuple(name for name in field_map.boxes if name),
        keyword="" in field_map.boxes,
        choices=tuple((name, tuple(codes)) for name, codes in field_map.codes.items()),
        spans=tuple(_span(door, name, ends) for name, ends in field_map.ends.items() if all(ends)),
        required=tuple(attribute for attribute, name in field_map.boxes.items() if name in needed),
        joins=len(field_map.names()) > 1,
        page_size=page_size or max(map(int, field_map.fixed.values()), default=DEFAULT_PAGE_SIZE),
        limit=limit,
    )


def _add_condition(field_map: FieldMap, door: Door, condition: Condition) -> None:
    """Note how a condition is asked: a choice, or a range by its two ends; boxes are known already."""
    attribute = condition.attribute
    field_map.labels.setdefault(attribute, condition.label or attribute)
    fields = _fields(door, condition.fields)
    if condition.operator == "range" and len(fields) == 2:
        low = low_end(fields)
        high = fields[1] if low is fields[0] else fields[0]
        field_map.ends.setdefault(attribute, (low.name, high.name))
    elif condition.operator == "range" and len(fields) == 1 and fields[0].type in TYPED_ENDS:
        end = find_ends(condition.label)
        if end in (("low",), ("high",)):
            field_map.ends.setdefault(attribute, (fields[0].name, "") if end == ("low",) else ("", fields[0].name))
    elif condition.options and condition.operator != "range" and len(condition.fields) == 1:
        # what people read of each choice, and what is sent for it; what asks for nothing is none
        codes = {
            " ".join((option.label or option.value).split()): option.value
            for option in condition.options[:MAX_CHOICES]
            if option.value.strip()
            and not is_blank(option.value)
            and any(map(str.isalnum, option.label or option.value))
        }
        if codes and attribute not in field_map.codes:
            field_map.codes[attribute] = codes
            field_map.controls[attribute] = condition.fields[0]


def _fields(door: Door, names: Iterable[str]) -> list[Field]:
    return [one for name in names for one in [f for f in door.form.fields if f.name == name][:1]]


def _span(door: Door, attribute: str, ends: tuple[str, str]) -> Span:
    condition = next(each for each in door.conditions if each.attribute == attribute and each.operator == "range")
    low = _fields(door, filter(None, ends))[0]
    steps = tuple(option.value for option in low.options if option.value.strip() and not is_blank(option.value))
    return Span(attribute, "date" if condition.type == "date" else "number", steps=steps[:MAX_CHOICES])


def _largest_page(door: Door) -> Iterator[tuple[str, str]]:
    """Yield the control that says how many records a page shows, with the most it offers: fewer requests for both sides."""
    for control in door.controls:
        for one in _fields(door, control.fields) if control.role == "paging" else []:
            sizes = [
                option.value
                for option in one.options
                if option.value.isdecimal() and 5 <= int(option.value[:9]) <= MAX_PAGE_SIZE
            ]
            if len(sizes) >= 2:
                yield one.name, max(sizes, key=int)


def read_values(texts: Iterable[str], field_map: FieldMap) -> list[Value] | Verdict:
    """Read what a user gives to begin with: `author=Kafka`, or words alone for the box for any words."""
    found = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            name, value = "", text
        attribute = _named(name.strip(), field_map)
        if attribute is None:
            said = ", ".join(field_map.names()) or "none"
            return Verdict(
                False,
                f"the form has no condition {name.strip()!r}; it has {said}"
                if name
                else "the form has no box for any words; name the condition, as in author=Kafka",
            )
        found.append(Value(attribute, value.strip()))
    return found


def _named(name: str, field_map: FieldMap) -> str | None:
    """Return the attribute that a name means: its own, its label or its control's."""
    if not name:
        return "" if "" in field_map.boxes else None
    lower = name.lower()
    for attribute in dict.fromkeys([*field_map.boxes, *field_map.controls, *field_map.ends]):
        names = {
            attribute.lower(),
            field_map.labels.get(attribute, "").lower(),
            field_map.boxes.get(attribute, "").lower(),
            field_map.controls.get(attribute, "").lower(),
        }
        if lower in names - {""}:
            return attribute
    return None


# What to ask first, before anything was harvested: what the user gives, everything, choices of the form, words.

WILDCARD = (
    "*"  # what stands for any word in most boxes that have such a sign; asked where an empty query brings nothing
)
FIRST_YEARS = ("2010", "2000", "1995")  # in any language; records of most kinds have years
FIRST_CHOICES_PER_ATTRIBUTE = 2  # of one attribute
FIRST_LETTERS = ("a", "e")  # many values have them, where a box takes parts of words
LAST_LATIN_LETTER = "\u024f"  # end of Latin Extended-B in Unicode
WORDS_BEFORE_LETTERS = 5  # words that found nothing, of the doors of family A that answer words at all
VALUES_BEFORE_RANGES = 3  # the same for values, where a range can be asked as well
FIRST_NUMBERS = ("0", "999999999")  # a range of any numbers that records have
FIRST_DATES = ("1900-01-01", "2099-12-31")  # the same for dates
MIN_STEM_LETTERS = 4  # letters of a word whose last one may be an ending
MAX_FIRST_WORDS = 12
MAX_FIRST_ATTRIBUTES = 8  # attributes with choices that are begun with
MAX_WORD_BOXES = 4  # boxes that each word is typed into


def first_queries(given: Sequence[Value], field_map: FieldMap, door: Door, page: Page | None) -> Iterator[Query]:
    """Yield queries to begin with, the likeliest to bring records first; each has what the form demands."""
    if not field_map.interface.required:
        yield from (Query((value,)) for value in given)
        yield Query()
        yield from (Query((Value(name, WILDCARD),)) for name in [*field_map.boxes][:1])
        values = (Query((value,)) for value in _first_values(field_map, door, page))
        yield from islice(values, VALUES_BEFORE_RANGES)
        yield from (Query(ranges=(widest,)) for widest in (field_map.widest,) if widest)
        yield from values
        return
    fillers = _find_fillers(given, field_map, door, page)
    queries: dict[Query, None] = {}
    if field_map.interface.required == ("",) and not given:  # what a browser insists on the server may do without
        queries |= dict.fromkeys([Query(), Query((Value("", WILDCARD),))])
    for turn, value in enumerate((*given, *_first_values(field_map, door, page))):
        # beside it one value for each other attribute that the form demands, another with each turn
        beside = [some[turn % len(some)] for name, some in fillers.items() if name != value.attribute and some]
        queries.setdefault(Query(tuple(sorted([value, *beside]))))
    yield from queries


def _find_widest(field_map: FieldMap, door: Door) -> Range | None:
    """Return the range that holds whatever records have, by the ends of the form where it offers some."""
    for name, ends in sorted(field_map.ends.items(), key=lambda each: not all(each[1])):  # with two ends first
        span = _span(door, name, ends)
        widest = FIRST_DATES if span.type == "date" else FIRST_NUMBERS
        low, high = (span.steps[0], span.steps[-1]) if span.steps else widest
        return Range(name, low, high)
    return None


def _first_values(field_map: FieldMap, door: Door, page: Page | None) -> Iterator[Value]:
    """Yield choices of the form and words by turns."""
    for chosen, said in zip_longest(_first_choices(field_map), _first_words(field_map, door, page)):
        yield from (value for value in (chosen, said) if value)


def _find_fillers(given: Sequence[Value], field_map: FieldMap, door: Door, page: Page | None) -> dict[str, list[Value]]:
    """Return for each attribute that the form demands what goes beside other values: what the user gives, else choices, else what many records have."""
    choices = dict(field_map.interface.choices)
    found = {}
    for name in field_map.interface.required:
        broad = first_words(door, page) if not name else [*_common_letters(page), *_words_for_one(door, page)]
        own = [value for value in given if value.attribute == name]
        found[name] = own or [Value(name, text) for text in choices.get(name, broad)[:MAX_FIRST_WORDS]]
    return found


def _first_choices(field_map: FieldMap) -> Iterator[Value]:
    """Yield choices: one of each attribute, those with the fewest choices first, as each of them has more records; then another."""
    ranked = sorted(field_map.interface.choices, key=lambda each: len(each[1]))[:MAX_FIRST_ATTRIBUTES]
    for which in range(FIRST_CHOICES_PER_ATTRIBUTE):
        yield from (
            Value(name, texts[which * len(texts) // FIRST_CHOICES_PER_ATTRIBUTE])
            for name, texts in ranked
            if len(texts) > which
        )


def _first_words(field_map: FieldMap, door: Door, page: Page | None) -> Iterator[Value]:
    """Yield words for the box for any words, with a letter for each of the others between them; without one, words for each of the others."""
    boxes = field_map.interface.attributes[:MAX_WORD_BOXES]
    if "" in field_map.boxes:
        words = [Value("", word) for word in first_words(door, page)]
        letters = [Value(box, _common_letters(page)[0]) for box in boxes]
        yield from (*words[:WORDS_BEFORE_LETTERS], *letters, *words[WORDS_BEFORE_LETTERS:])
        return
    yield from (Value(box, word) for word in _words_for_one(door, page) for box in boxes)


def first_words(door: Door, page: Page | None) -> list[str]:
    """Return words that records are likely to have: an example in the form, words of its page, of its language, years."""
    stops = stop_words(page.language if page else "")
    examples = [word for field in door.form.fields for word in find_words(field.placeholder)]
    form_words = {word.lower() for word in find_words(door.form.text)}
    own = find_common([page.title, *(link.text for link in page.links)], {*stops, *form_words}) if page else []
    return list(dict.fromkeys([*examples[:3], stops[0], FIRST_YEARS[0], *own[:4], *FIRST_YEARS[1:], *stops[1:]]))[
        :MAX_FIRST_WORDS
    ]


def _words_for_one(door: Door, page: Page | None) -> list[str]:
    """Return words for a box that takes one attribute: beginnings of what the page is about, where soups asks for soup, and letters."""
    about = find_common([door.form.heading, *((page.title, *(link.text for link in page.links)) if page else ())])
    begun = [word[:-1] for word in about if len(word) > MIN_STEM_LETTERS]
    words, letters = first_words(door, page), _common_letters(page)
    return list(dict.fromkeys([*words[:1], *begun[:2], letters[0], *words[1:], *begun[2:4], *letters[1:]]))[
        :MAX_FIRST_WORDS
    ]


def _common_letters(page: Page | None) -> Sequence[str]:
    """Return letters that many values have, where a box takes parts of words: those of the page's script, if it is not Latin."""
    texts = (page.title, *(link.text for link in page.links)) if page else ()
    counts = Counter(letter for text in texts for letter in text.casefold() if letter.isalpha())
    foreign = Counter({letter: count for letter, count in counts.items() if letter > LAST_LATIN_LETTER})
    if 2 * foreign.total() <= counts.total():
        return FIRST_LETTERS
    return [letter for letter, _ in foreign.most_common(len(FIRST_LETTERS))]


def nothing_query(field_map: FieldMap, door: Door) -> Query | None:
    """Return a query that finds nothing: its answer shows the frame without records."""
    attribute = "" if "" in field_map.boxes else next(iter(field_map.boxes), None)
    if attribute is None or attribute not in field_map.boxes:
        return None
    nonsense = make_nonsense(f"{door.signature} {door.form.action}")
    return Query(tuple(Value(name, nonsense) for name in sorted({attribute, *field_map.interface.required})))


def known_values(given: Sequence[Value], field_map: FieldMap) -> list[Value]:
    """Return all values that can be asked for before a record was seen: given ones, and the choices of the form."""
    chosen = [Value(attribute, text) for attribute, choices in field_map.interface.choices for text in choices]
    return list(dict.fromkeys([*given, *chosen]))


# Addresses with places for what is asked: {query}, {page}, {start}, {count}, and the names that OpenSearch gives them.

MAX_TEMPLATE_CHARS: Final = 4_096  # characters
MAX_ADDRESS_CHARS: Final = 8_192  # characters; servers refuse longer ones
MAX_QUERY_CHARS: Final = 1_000  # characters

_PLACEHOLDER: Final = re.compile(r"\{([A-Za-z][\w.:-]{0,60})(\??)\}")
_QUERY_NAMES: Final = frozenset({"query", "searchterms"})
_PAGE_NAMES: Final = frozenset({"page", "startpage"})
_START_NAMES: Final = frozenset({"start", "startindex", "offset"})
_FIXED_VALUES: Final = {"language": "*", "inputencoding": "UTF-8", "outputencoding": "UTF-8"}
PLACEHOLDERS: Final = "{query}, {page}, {start}, {count}"


def fill_template(
    template: str,
    query_text: str,
    page: int = 0,
    page_size: int = 10,
    page_offset: int = 1,
    index_offset: int | None = None,
) -> Request | Verdict:
    """Return the request for a page, counted from 0, of what is asked; or what is wrong with the template.

    Where counting begins is what OpenSearch calls pageOffset and indexOffset: 1, but 0 for a plain {start}.
    """
    wrong = judge_template(template)
    if not wrong.yes:
        return wrong
    if page < 0 or page_size < 1:
        return Verdict(False, "pages are counted from 0, and have at least one record")

    def written(place: re.Match[str]) -> str:
        name = place[1].lower()
        if name in _QUERY_NAMES:
            return quote(query_text[:MAX_QUERY_CHARS], safe="", errors="replace")
        first = index_offset if index_offset is not None else int(name == "startindex")
        known = dict.fromkeys(_PAGE_NAMES, page + page_offset) | dict.fromkeys(_START_NAMES, page * page_size + first)
        return str({**_FIXED_VALUES, **known, "count": page_size}.get(name, ""))

    url = _PLACEHOLDER.sub(written, template.strip())
    if len(url) > MAX_ADDRESS_CHARS:
        return Verdict(False, f"the address would have more than {MAX_ADDRESS_CHARS:,} characters")
    return Request(url)


def judge_template(template: str) -> Verdict:
    """Return True if an address can be filled, and if not, the first thing that is wrong with it."""
    template = template.strip()
    if len(template) > MAX_TEMPLATE_CHARS:
        return Verdict(False, f"the template has more than {MAX_TEMPLATE_CHARS:,} characters")
    if not template.lower().startswith(("http://", "https://")):
        return Verdict(False, "the template is not a web address: it begins neither with http:// nor with https://")
    places = _PLACEHOLDER.findall(template)
    rest = _PLACEHOLDER.sub("", template)
    if "{" in rest or "}" in rest:
        return Verdict(False, f"the template has a brace that is not part of a place such as {PLACEHOLDERS}")
    known = _QUERY_NAMES | _PAGE_NAMES | _START_NAMES | _FIXED_VALUES.keys() | {"count"}
    unknown = [name for name, optional in places if not optional and name.lower() not in known]
    if unknown:
        return Verdict(False, f"the template wants {{{unknown[0]}}}; known are {PLACEHOLDERS}")
    if not any(name.lower() in _QUERY_NAMES for name, _ in places):
        return Verdict(False, "the template has no place for what is asked: {query}")
    return _judge_host(template)


def _judge_host(template: str) -> Verdict:
    try:
        host = urlsplit(_PLACEHOLDER.sub("x", template)).hostname
    except ValueError:
        host = None
    if not host:
        return Verdict(False, "the template names no host")
    if "{" in template.partition("//")[2].partition("/")[0].partition("?")[0]:
        return Verdict(False, "the template has a place in its host")
    return Verdict(True)


def has_pages(template: str) -> bool:
    """Return True if a template can ask for later pages at all."""
    return any(name.lower() in _PAGE_NAMES | _START_NAMES for name, _ in _PLACEHOLDER.findall(template))


# A service that is given by hand: an address with places for what is asked, as a door.

TEMPLATE_FIELD = "query"


def open_template(template: str) -> Door | Verdict:
    """Return the door that an address with {query} in it is, or what is wrong with it."""
    judged = judge_template(template)
    if not judged.yes:
        return judged
    template = template.strip()
    form = Form(0, "GET", template, (Field(TEMPLATE_FIELD, "search"),), made="template", template=template)
    asked = Condition("words", "", "contains", "text", (TEMPLATE_FIELD,))
    return Door(form, Judgement("database", 1.0, ("given by hand",)), (asked,), signature=template, page=template)


# Which field of a form asks for which attribute of the records: by name, by choices, by what answers show.

MAX_ASKED_CHARS = 80  # characters of a value that is asked for whole
MAX_VALUES_PER_RECORD = 64  # of one record
MIN_CHOICE_SHARE = 0.6  # share of an attribute's values that are choices of the form
MIN_SHOWN_SHARE = 0.6  # share of the records of an answer that show what was asked for
MIN_SHOWN_RECORDS = 3  # records of an answer that can tell
MIN_TELLING_CHARS = 4  # characters of a value that one record with it can tell: shorter ones stand everywhere
MAX_TRIAL_CHARS = 60  # characters of a value that is asked for to see which box it belongs to
MIN_NAME_SIMILARITY = 0.5  # part of its words that a name shares with another for the same thing
MIN_TYPE_SHARE = 0.8  # share of values that are numbers, or dates, where an attribute is of that type
MIN_STEMMED_LETTERS, ENDING_LETTERS = 5, 1  # letters of a word whose last one may be an ending
_NUMBER = re.compile(r"[^\d\n]{0,6}\d[\d.,' \u00a0]{0,14}[^\d\n]{0,8}")
_DATE = re.compile(r"\d{1,4}[-./ ]\w{1,10}[-./ ,]{1,2}\d{1,4}|[^\W\d]{3,10} \d{1,2},? \d{4}")


@dataclass(slots=True)
class AttributeMap:
    """What is known of how the attributes of records can be asked for."""

    interface: Interface
    asks: dict[str, str] = field(default_factory=dict)  # attribute of records -> attribute of the form
    shown: Counter[tuple[str, str]] = field(
        default_factory=Counter
    )  # (of records, of the form) -> answers that showed it
    worded: set[str] = field(
        default_factory=set
    )  # attributes of the form that were asked for a word and found values with it

    def learn(self, query: Query, records: Sequence[Record]) -> None:
        """Learn from the records that came back for a query."""
        self._match_names(records)
        self._match_choices(records)
        self._match_lone_spans(records)
        if (
            len(query.values) != 1
            or query.ranges
            or not query.values[0].attribute
            or not self.interface.takes(query.values[0].attribute)
        ):
            return
        asked = query.values[0]
        shown = _best_shown(asked.text, records)
        if shown is None or (not shown.whole and asked.attribute in dict(self.interface.choices)):
            return
        if len(records) >= MIN_SHOWN_RECORDS or (shown.whole and len(asked.text) >= MIN_TELLING_CHARS):
            self._believe(asked, shown.attribute, records)
            if not shown.whole and asked.text.isalpha():
                self.worded.add(asked.attribute)

    def _believe(self, asked: Value, attribute: str, records: Sequence[Record]) -> None:
        """Take what an answer shows; what was matched otherwise gives way when the answer does not show it there."""
        self.shown[attribute, asked.attribute] += 1
        before = next((name for name, own in self.asks.items() if own == asked.attribute), None)
        if before is not None:
            wanted = asked.text.lower()
            shows = [any(name == before and wanted in text.lower() for name, text in each.values) for each in records]
            if before == attribute or sum(shows) / max(1, len(records)) >= MIN_SHOWN_SHARE:
                return
            del self.asks[before]
        if self.asks.get(attribute, asked.attribute) == asked.attribute:
            self.asks[attribute] = asked.attribute

    def _match_names(self, records: Sequence[Record]) -> None:
        """Match equal names first, then those that share most of their words: author, name of the author."""
        values = _values_of(records)
        spans = {span.attribute: span.type for span in self.interface.spans}
        askable = [*self.interface.attributes, *(name for name, _ in self.interface.choices), *spans]
        pairs = [
            (_name_similarity(own, attribute), own, attribute)
            for own in askable
            if own not in self.asks.values()
            for attribute in values
            if attribute not in self.asks
        ]
        for likeness, own, attribute in sorted(pairs, key=lambda pair: -pair[0]):
            fits = own not in spans or _are_of_type(values[attribute], spans[own])
            if (
                likeness >= MIN_NAME_SIMILARITY
                and fits
                and attribute not in self.asks
                and own not in self.asks.values()
            ):
                self.asks[attribute] = own

    def _match_choices(self, records: Sequence[Record]) -> None:
        """Match attributes whose values are choices of the form, those with most of them first."""
        found = []
        for own, choices in self.interface.choices:
            known = {choice.lower() for choice in choices}
            for attribute, texts in _values_of(records).items():
                share = len(texts & known) / len(texts)
                if attribute not in self.asks and len(texts) > 1 and share >= MIN_CHOICE_SHARE:
                    found.append((share, attribute, own))
        for _, attribute, own in sorted(found, key=lambda each: -each[0]):
            if attribute not in self.asks and own not in self.asks.values():
                self.asks[attribute] = own

    def _match_lone_spans(self, records: Sequence[Record]) -> None:
        """Match a range to the only attribute of its type that is left, where it is the only range of it."""
        values = _values_of(records)
        for span in self.interface.spans:
            rivals = [
                each
                for each in self.interface.spans
                if each.type == span.type and each.attribute not in self.asks.values()
            ]
            fitting = [
                name
                for name, texts in values.items()
                if name not in self.asks and len(texts) > 1 and _are_of_type(texts, span.type)
            ]
            if rivals == [span] and len(fitting) == 1:
                self.asks[fitting[0]] = span.attribute

    def trials(self, records: Sequence[Record]) -> Iterator[Query]:
        """Yield queries that would show which box asks for an attribute that nothing is known of: a value of each, the likeliest first."""
        boxes = [name for name in self.interface.attributes if name not in self.asks.values()]
        left = {name: texts for name, texts in _distinctive_values(records).items() if name not in self.asks}
        for box in boxes:
            for name in sorted(left, key=lambda each: -_name_similarity(box, each)):
                if name not in self.asks and box not in self.asks.values():
                    yield Query((Value(box, left[name]),))

    def decompose(self, record: Record) -> list[Value]:
        """Return the values of a record that can be asked for; words of any kind where the form takes them."""
        choices = dict(self.interface.choices)
        found: list[Value] = []
        for attribute, text in record.values:
            own = self.asks.get(attribute)
            if own is not None and own in choices:
                lower = text.lower()
                found += [Value(own, choice) for choice in choices[own] if choice.lower() == lower]
            elif own is not None and own in self.interface.attributes and len(text) <= MAX_ASKED_CHARS:
                found.append(Value(own, text))
                found += [Value(own, word) for _, word in _as_words(text) if own in self.worded and word != text]
            if self.interface.keyword and own is None:
                found += _as_words(text)
        return list(dict.fromkeys(found))[:MAX_VALUES_PER_RECORD]


@dataclass(frozen=True, slots=True)
class _Shown:
    """An attribute that shows what was asked for, in most records of an answer."""

    attribute: str
    whole: bool  # each shows it as its whole value, not among other words


def _values_of(records: Sequence[Record]) -> dict[str, set[str]]:
    """Return the different values of each attribute, in small letters."""
    values: dict[str, set[str]] = {}
    for record in records:
        for attribute, text in record.values:
            values.setdefault(attribute, set()).add(text.lower())
    return values


def _distinctive_values(records: Sequence[Record]) -> dict[str, str]:
    """Return a value for each attribute that could only be its own: with letters, and held by no other attribute."""
    found: dict[str, str] = {}
    texts_of = _values_of(records)
    others = {  # a title may stand twice
        name: [texts for texts in texts_of.values() if texts != own] for name, own in texts_of.items()
    }
    for attribute, text in (value for record in records for value in record.values):
        is_short = MIN_TELLING_CHARS <= len(text) <= MAX_TRIAL_CHARS
        if attribute in found or not is_short or not any(map(str.isalpha, text)):
            continue
        if not any(text.lower() in texts for texts in others[attribute]):
            found[attribute] = text
    return found


def _are_of_type(texts: Collection[str], kind: str) -> bool:
    """Return True if most values are numbers, or dates."""
    pattern = _DATE if kind == "date" else _NUMBER
    return sum(bool(pattern.fullmatch(text.strip()[:MAX_ASKED_CHARS])) for text in texts) >= MIN_TYPE_SHARE * len(texts)


def _name_similarity(one: str, two: str) -> float:
    """Return which part of the words of the longer name both names have; a name that is part of another is alike."""
    first, second = _name_words(one), _name_words(two)
    both = sum(any(_are_one_word(word, other) for other in second) for word in first)
    share = both / max(len(first), len(second), 1)
    return max(share, MIN_NAME_SIMILARITY) if both and both == min(len(first), len(second)) else share


def _name_words(name: str) -> list[str]:
    words = attribute_name(name).split()
    return [word for word in words if word not in all_stop_words() and len(word) > 1] or words


def _are_one_word(one: str, other: str) -> bool:
    """Return True if two words are the same but for their ending: autore, autori."""
    longer = max(len(one), len(other))
    return one == other or (
        longer >= MIN_STEMMED_LETTERS and one[: longer - ENDING_LETTERS] == other[: longer - ENDING_LETTERS]
    )


def _as_words(text: str) -> Iterator[Value]:
    """Yield a short value whole, and its words: what a box for any words can be asked."""
    if len(text) <= MAX_ASKED_CHARS and any(map(str.isalpha, text)):
        yield Value("", text)
    for word in find_words(text):
        if word.lower() not in all_stop_words() and word != text:
            yield Value("", word.lower())


def _best_shown(text: str, records: Sequence[Record]) -> _Shown | None:
    """Return the attribute that shows a text in most records, as its whole value rather than among other words."""
    wanted = text.lower()
    whole: Counter[str] = Counter()
    within: Counter[str] = Counter()
    for record in records:
        # each attribute once, in the order of the record: of two that show it as often, the first one
        whole.update(list(dict.fromkeys(name for name, shown in record.values if shown.lower() == wanted)))
        within.update(list(dict.fromkeys(name for name, shown in record.values if wanted in shown.lower())))
    for counts in (whole, within):
        for attribute, count in counts.most_common(1):
            if count >= MIN_SHOWN_SHARE * len(records):
                return _Shown(attribute, counts is whole)
    return None
