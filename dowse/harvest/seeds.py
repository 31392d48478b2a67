"""What to ask first, before anything was drawn: what the user gives, everything, choices of the form, words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from dowse.harvest.opening import Opening
from dowse.model import Door, Page, Query, Value
from dowse.records.words import STOP_WORDS, find_common, find_words, make_nonsense

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
