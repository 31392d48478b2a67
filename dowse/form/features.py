"""What can be noticed about a form: named facts, each there or not.

A fact is a short text. `button~search`: a word on the button is about searching. `name=q`: a word
in the name of a field is q. `fields 3`, `method GET`: what the form is made of. The models of
`dowse.form.judge` weigh these facts; nothing else of a form is known to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from dowse.form.choices import name_choices
from dowse.form.lexicon import CONCEPTS, GENERIC
from dowse.form.words import BUTTON_TYPES, STATE_TYPES, own_text
from dowse.model import Field, Form, Page

MAX_WORDS = 60  # of one zone
MAX_ZONE = 800  # characters of one zone
MAX_KNOWN = 50_000  # words whose meaning is remembered
MAX_HEADING = 60  # characters; a longer one has swallowed what stands under it
MAX_PAGE = 5_000  # characters of a page that are looked at
LONG_WORD = 15
LARGE_CHOICE = 8  # options from which a select lists things rather than settings

_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARTED = re.compile(r"\b(log|sign|check|look)[ _-](in|on|up|out)\b")
_FROM_A_TO_Z = re.compile(r"\ba ?(?:to|bis|à|a|do|до|[-–])? ?[zя]\b")
_YEARS = re.compile(r"(?:19|20)\d\d")
_TYPED = frozenset({"text", "search", "email", "tel", "url", "number", "date", "month", "range", ""})
_COUNTED = (
    "password",
    "email",
    "textarea",
    "select",
    "checkbox",
    "radio",
    "file",
    "search",
    "image",
    "tel",
    "number",
    "date",
)


def _read_stems() -> tuple[dict[str, list[str]], dict[str, list[str]], list[tuple[str, str]]]:
    """Sort the lexicon into whole words, beginnings and parts of words."""
    whole: dict[str, list[str]] = {}
    begin: dict[str, list[str]] = {}
    inside: list[tuple[str, str]] = []
    for concept, stems in CONCEPTS.items():
        for stem in stems.split():
            if stem.startswith("="):
                whole.setdefault(stem[1:], []).append(concept)
            elif stem.startswith("*"):
                inside.append((stem[1:], concept))
            else:
                begin.setdefault(stem.rstrip("*"), []).append(concept)
    return whole, begin, inside


_WHOLE, _BEGIN, _INSIDE = _read_stems()
_LONGEST = max(map(len, _BEGIN))
_GENERIC = frozenset(GENERIC.split())
_KNOWN: dict[str, tuple[str, ...]] = {}


def concepts_of(word: str) -> tuple[str, ...]:
    """Return what a word is about; each word is looked up once."""
    known = _KNOWN.get(word)
    if known is None:
        known = tuple(sorted(_look_up(word)))
        if len(_KNOWN) < MAX_KNOWN:
            _KNOWN[word] = known
    return known


def _look_up(word: str) -> set[str]:
    found = set(_WHOLE.get(word, ()))
    least = 3 if word.isascii() else 2
    for length in range(least, min(len(word), _LONGEST) + 1):
        found.update(_BEGIN.get(word[:length], ()))
    found.update(_BEGIN.get(word, ()))
    found.update(concept for part, concept in _INSIDE if part in word)
    return found


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case: parts of camelCase and snake_case count alone."""
    lower = _CAMEL.sub(" ", text[:MAX_ZONE]).lower()
    joined = _FROM_A_TO_Z.sub("atoz", _PARTED.sub(r"\1\2", lower))
    return _WORD.findall(joined)[:MAX_WORDS]


class Description(NamedTuple):
    """What was noticed about a form: facts, and the words whose spelling counts."""

    facts: set[str]
    words: set[str]


def describe(form: Form, page: Page) -> Description:
    """Return what can be noticed about a form of a page."""
    visible = [field for field in form.fields if field.type not in STATE_TYPES]
    facts = {*_structure(form, visible), *(f"lists {name}" for name in name_choices(visible))}
    if "?" in form.heading or "?" in own_text(form)[:MAX_ZONE]:
        facts.add("question")
    subjects = 0
    spoken: set[str] = set()
    said: set[str] = set()
    spelled: set[str] = set()
    labelled = False
    for zone, text in _zones(form, page, visible):
        words = dict.fromkeys(words_of(text))
        facts.update([f"{zone}={word}" for word in words])
        about = {concept for word in words for concept in concepts_of(word)}
        facts.update([f"{zone}~{concept}" for concept in about])
        if zone in _OWN:
            spoken |= about
        if zone in _SPELLED:
            spelled.update(words)
        if zone in _SAYING:
            said |= about
            unknown = sum(1 for word in words if word not in _GENERIC and not concepts_of(word))
            subjects += unknown
            if zone == "heading" and unknown:
                facts.add("heading subject")
        labelled = labelled or (zone == "label" and bool(words))
        if zone == "button":
            pressed = set(words)
        elif zone == "text" and not labelled:
            labelled = any(word not in pressed for word in words)
    facts.update([f"any~{concept}" for concept in spoken])
    facts.update([f"said~{concept}" for concept in said])
    if not labelled:
        facts.add("unlabelled")
    facts.update(_crosses(spoken, visible, facts, subjects, page, form.path))
    return Description(facts, spelled)


_SPELLED = frozenset({"button", "name", "label", "form", "action"})
_OWN = frozenset({"button", "name", "label", "form", "action", "text", "heading"})
_SAYING = frozenset({"button", "label", "heading", "text"})


def _zones(form: Form, page: Page, visible: list[Field]) -> Iterator[tuple[str, str]]:
    """Yield the places where a form says what it is for."""
    yield (
        "button",
        " ".join([f"{f.label or f.value} {f.title} {f.name}" for f in form.fields if f.type in BUTTON_TYPES]),
    )
    yield "name", " ".join([f"{f.name} {f.id}" for f in visible])
    yield "label", " ".join(_said(visible))
    yield "form", f"{form.id} {form.name} {form.css}"
    yield "action", form.action.partition("//")[2].partition("/")[2]
    yield "text", own_text(form)
    yield "heading", form.heading[:MAX_HEADING]
    yield (
        "hidden",
        " ".join([f"{f.name} {f.value if len(f.value) < 20 else ''}" for f in form.fields if f.type == "hidden"]),
    )
    yield "url", page.url.partition("//")[2].partition("/")[2]
    yield "title", page.title


def _said(visible: Iterable[Field]) -> Iterator[str]:
    for field in visible:
        yield field.label or field.near
        yield field.placeholder
        yield field.title
        yield field.aria
        yield field.group
        if field.type in ("text", "search"):
            yield field.value


def _structure(form: Form, visible: list[Field]) -> Iterator[str]:
    """Yield what the form is made of."""
    counts: dict[str, int] = {}
    names: dict[str, set[str]] = {"radio": set(), "checkbox": set()}
    for field in form.fields:
        if field.type in names:
            names[field.type].add(field.name)
        counts[field.type] = counts.get(field.type, 0) + 1
    for kind, several in names.items():
        counts[kind] = len(several)
    typed = sum(counts.get(kind, 0) for kind in _TYPED)
    choices = counts.get("select", 0) + counts["radio"] + counts["checkbox"]
    yield f"method {form.method}"
    yield f"typed {_bucket(typed)}"
    yield f"choices {_bucket(choices)}"
    yield f"asked {_bucket(typed + choices)}"
    yield f"hidden {_bucket(counts.get('hidden', 0))}"
    yield f"buttons {_bucket(sum(counts.get(kind, 0) for kind in BUTTON_TYPES))}"
    for kind in _COUNTED:
        if counts.get(kind):
            yield f"{kind} {_bucket(counts[kind])}"
    if form.own_page:
        yield "own page"
    if form.role:
        yield f"role {form.role[:20].lower()}"
    if "multipart" in form.enctype:
        yield "multipart"
    if any(len(field.options) >= LARGE_CHOICE for field in visible):
        yield "long list"
    yield "begins " + " ".join([field.type for field in visible[:3]])


def _crosses(
    spoken: set[str], visible: list[Field], facts: set[str], subjects: int, page: Page, path: str
) -> Iterator[str]:
    """Yield facts that only mean something together."""
    alone = "asked 1" in facts
    yield f"subjects {min(subjects, 3)}"
    if alone:
        yield f"alone subjects {min(subjects, 2)}"
        for concept in ("site", "catalogue", "search", "news", "shop", "mail"):
            if concept in spoken:
                yield f"alone any~{concept}"
        for zone in ("heading", "title"):
            if f"{zone}~catalogue" in facts:
                yield f"alone {zone}~catalogue"
    elif "search" in spoken or "browse" in spoken:
        yield "several and search"
    for place in ("header", "nav", "footer", "aside", "main"):
        if f"/{place}/" in path:
            yield f"in {place}"
    if not page.url.partition("//")[2].partition("/")[2]:
        yield "root"
        if alone:
            yield "alone root"


def _bucket(number: int) -> str:
    return str(number) if number < 4 else "4+" if number < 7 else "7+" if number < 15 else "15+"


def page_words(page: Page) -> set[str]:
    """Return the words a page begins with, as facts."""
    return {f"page={word}" for word in _WORD.findall(page.text[:MAX_PAGE].lower()) if 2 < len(word) < LONG_WORD}


_PLACES = {
    "button": "on its button",
    "name": "in the name of a field",
    "label": "in a label",
    "form": "in the form's own name",
    "action": "in the address it sends to",
    "text": "in its words",
    "heading": "in its heading",
    "hidden": "in a hidden field",
    "url": "in the page's address",
    "title": "in the page's title",
    "page": "on the page",
    "any": "somewhere in it",
    "said": "in what it says",
}


def put_in_words(fact: str) -> str:
    """Return a fact as a person would say it, or nothing if it takes more than words to say."""
    place, sign, word = fact.partition("=") if "=" in fact else fact.partition("~")
    if place in _PLACES:
        return f'"{word}" {_PLACES[place]}' if sign == "=" else f"a word about {word} {_PLACES[place]}"
    kind, _, count = fact.partition(" ")
    if kind in _COUNTED:
        return f"{count} of type {kind}" if count != "1" else f"a control of type {kind}"
    return ""
