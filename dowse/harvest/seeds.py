"""What to ask first, before anything was drawn: what the user gives, everything, choices of the form, words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dowse.harvest.opening import Opening
from dowse.model import Door, Page, Query, Value
from dowse.records.words import STOP_WORDS, find_common, find_words, make_nonsense

YEARS = ("2010", "2000", "1995")  # in any language; records of most kinds have years
FIRST_CHOICES = 2  # of one attribute
MOST_WORDS = 12


def first_queries(given: Sequence[Value], opening: Opening, door: Door, page: Page | None) -> Iterator[Query]:
    """Yield queries to begin with, the likeliest to bring records first."""
    yield from (Query((value,)) for value in given)
    if not opening.interface.required:
        yield Query()
    for attribute, choices in opening.interface.choices:
        yield from (Query((Value(attribute, choice),)) for choice in choices[:FIRST_CHOICES])
    for attribute in ("", *opening.interface.attributes) if opening.boxes else ():
        if attribute in opening.boxes:
            yield from (Query((Value(attribute, word),)) for word in first_words(door, page))


def first_words(door: Door, page: Page | None) -> list[str]:
    """Return words that records are likely to have: an example in the form, words of its page, of its language, years."""
    language = page.language if page and page.language else "en"
    stops = STOP_WORDS.get(language, STOP_WORDS["en"])
    examples = [word for field in door.form.fields for word in find_words(field.placeholder)]
    form_words = {word.lower() for word in find_words(door.form.text)}
    own = find_common([page.title, *(link.text for link in page.links)], {*stops, *form_words}) if page else []
    return list(dict.fromkeys([*examples[:3], stops[0], YEARS[0], *own[:4], *YEARS[1:], *stops[1:]]))[:MOST_WORDS]


def nothing_query(opening: Opening, door: Door) -> Query | None:
    """Return a query that finds nothing: its answer shows the frame without records."""
    attribute = "" if "" in opening.boxes else next(iter(opening.boxes), None)
    if attribute is None or attribute not in opening.boxes:
        return None
    return Query((Value(attribute, make_nonsense(f"{door.signature} {door.form.action}")),))


def known_values(given: Sequence[Value], opening: Opening) -> list[Value]:
    """Return all values that can be asked for before a record was seen: given ones, and the choices of the form."""
    chosen = [Value(attribute, text) for attribute, choices in opening.interface.choices for text in choices]
    return list(dict.fromkeys([*given, *chosen]))
