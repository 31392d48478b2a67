"""What can be noticed about a form: named facts, each there or not.

A fact is a short text. `button~search`: a word on the button is about searching. `name=q`: a word
in the name of a field is q. `asked 3`, `method GET`: what the form is made of. The models of
`dowse.form.judge` weigh these facts; nothing else of a form is known to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from dowse.form.choices import name_choices
from dowse.form.evidence import derive
from dowse.form.fields import BUTTON_TYPES, STATE_TYPES
from dowse.form.meaning import MAX_TEXT, concepts_of, is_subject, parts_of, words_of
from dowse.model import Field, Form, Page

MAX_HEADING = 60  # characters; a longer one has swallowed what stands under it
MAX_NEAR = 60  # characters; more words beside a control are about something else
OWN_TEXT = 50  # characters of text for each control
MAX_PAGE = 5_000  # characters of a page that are looked at
MAX_CONSTANT = 20  # characters of a hidden value that may be a word
SHORT_NAME = 3  # letters; longer ones that stand in the host's name, too, name the site
LONG_WORD = 15
PAGE_WORD = "page="
LARGE_CHOICE = 8  # options from which a select lists things rather than settings

_TYPED = ("text", "search", "email", "tel", "url", "number", "date", "month", "range", "")
_COUNTED = (
    "password", "email", "textarea", "select", "checkbox", "radio", "file", "search", "image", "tel", "number", "date",
)  # fmt: skip
_SPELLED = frozenset({"button", "name", "label", "form", "action"})
_OWN = _SPELLED | {"text", "heading"}
_WRITTEN = ("button", "label")
_SAID = frozenset({*_WRITTEN, "text", "heading"})
_PLACES_ON_PAGE = ("header", "nav", "footer", "aside", "main")


class Description(NamedTuple):
    """What was noticed about a form: facts, and the words whose spelling counts."""

    facts: set[str]
    words: set[str]


def describe(form: Form, page: Page) -> Description:
    """Return what can be noticed about a form of a page."""
    visible = [field for field in form.fields if field.type not in STATE_TYPES]
    zones = {zone: dict.fromkeys(split(text)) for zone, split, text in _zones(form, page, visible) if text}
    facts = {f"{zone}={word}" for zone, words in zones.items() for word in words}
    about = {zone: {concept for word in words for concept in concepts_of(word)} for zone, words in zones.items()}
    for zone, concepts in about.items():
        facts.update([f"{zone}~{concept}" for concept in concepts])
    own = set().union(*(about.get(zone, ()) for zone in _OWN))
    if any(field.type == "email" for field in visible):
        own.add("mail")
    facts.update([f"any~{concept}" for concept in own])
    facts.update([f"said~{concept}" for concept in set().union(*(about.get(zone, ()) for zone in _SAID))])
    facts.update(_structure(form, visible))
    facts.update([f"lists {name}" for name in name_choices(visible)])
    facts.update(_subjects(zones, facts, page))
    facts.update(_place(form, page))
    facts.update(_crosses(own, facts))
    facts.update(list(derive(facts)))
    return Description(facts, set().union(*(zones.get(zone, ()) for zone in _SPELLED)))


Zone = tuple[str, Callable[[str], list[str]], str]


def _zones(form: Form, page: Page, visible: list[Field]) -> Iterator[Zone]:
    """Yield the places where a form says what it is for, and how their words are told apart."""
    buttons = [field for field in form.fields if field.type in BUTTON_TYPES]
    yield (
        "button",
        parts_of,
        " ".join([f"{field.label or field.value} {field.title} {field.name}" for field in buttons]),
    )
    yield "name", parts_of, " ".join([f"{field.name} {field.id}" for field in visible])
    yield "label", words_of, " ".join(map(_saying, visible))
    yield "form", parts_of, f"{form.id} {form.name} {form.css}"
    yield "action", parts_of, form.action.partition("//")[2].partition("/")[2]
    yield "text", words_of, _text_inside(form)
    yield "heading", words_of, form.heading[:MAX_HEADING]
    hidden = [field for field in form.fields if field.type == "hidden"]
    yield "hidden", parts_of, " ".join([f"{field.name} {_constant(field)}" for field in hidden])
    yield "url", parts_of, page.url.partition("//")[2].partition("/")[2]
    yield "title", words_of, page.title


def _text_inside(form: Form) -> str:
    """Return the words inside a form, unless there are so many that it stands around something else."""
    return form.text if len(form.text) <= OWN_TEXT * (1 + len(form.fields)) else ""


def _saying(field: Field) -> str:
    preset = field.value if field.type in ("text", "search") else ""
    label = field.label or (field.near if len(field.near) <= MAX_NEAR else "")
    return f"{label} {field.placeholder} {field.title} {field.aria} {field.group} {preset}"


def _constant(field: Field) -> str:
    return field.value if len(field.value) < MAX_CONSTANT else ""


def _structure(form: Form, visible: list[Field]) -> Iterator[str]:
    """Yield what the form is made of."""
    counts = _count_types(form)
    typed = sum(counts.get(kind, 0) for kind in _TYPED)
    choices = counts.get("select", 0) + counts.get("radio", 0) + counts.get("checkbox", 0)
    yield f"method {form.method}"
    yield f"typed {_bucket(typed)}"
    yield f"choices {_bucket(choices)}"
    yield f"asked {_bucket(typed + choices)}"
    yield f"hidden {_bucket(counts.get('hidden', 0))}"
    yield f"buttons {_bucket(sum(counts.get(kind, 0) for kind in BUTTON_TYPES))}"
    yield from (f"{kind} {_bucket(counts[kind])}" for kind in _COUNTED if kind in counts)
    yield "begins " + " ".join([field.type for field in visible[:3]])
    if "multipart" in form.enctype:
        yield "multipart"
    if any(len(field.options) >= LARGE_CHOICE for field in visible):
        yield "long list"


def _count_types(form: Form) -> dict[str, int]:
    """Count the controls by type, radios and boxes of one name once."""
    counts: dict[str, int] = {}
    seen: set[tuple[str, str]] = set()
    for field in form.fields:
        if field.type in ("radio", "checkbox"):
            if (field.type, field.name) in seen:
                continue
            seen.add((field.type, field.name))
        counts[field.type] = counts.get(field.type, 0) + 1
    return counts


def _subjects(zones: dict[str, dict[str, None]], facts: set[str], page: Page) -> Iterator[str]:
    """Yield whether there are words on what is searched, and whether anything but a button says a word."""
    host = page.url.partition("//")[2].partition("/")[0]
    found = {zone: [word for word in zones.get(zone, ()) if is_subject(word)] for zone in _SAID}
    own = [word for zone in _WRITTEN for word in found[zone] if len(word) > SHORT_NAME and word in host]
    number = sum(len(found[zone]) for zone in _WRITTEN) - len(own)
    yield f"subjects {min(number, 3)}"
    if own and not number:
        yield "names itself"
    if "asked 1" in facts:
        yield f"alone subjects {min(number, 2)}"
    if found["heading"]:
        yield "heading subject"
    if not zones.get("label"):
        yield "unlabelled"


def _place(form: Form, page: Page) -> Iterator[str]:
    """Yield where the form stands."""
    yield from (f"in {place}" for place in _PLACES_ON_PAGE if f"/{place}/" in form.path)
    if not form.heading:
        yield "no heading"
    if form.own_page:
        yield "own page"
    if form.role:
        yield f"role {form.role[:MAX_CONSTANT].lower()}"
    if not page.url.partition("//")[2].partition("/")[2]:
        yield "root"
    if "?" in form.heading or "?" in _text_inside(form)[:MAX_TEXT]:
        yield "question"


def _crosses(own: set[str], facts: set[str]) -> Iterator[str]:
    """Yield facts that only mean something together."""
    if "asked 1" in facts:
        yield from (
            f"alone any~{concept}"
            for concept in ("site", "catalogue", "search", "news", "shop", "mail")
            if concept in own
        )
        yield from (f"alone {fact}" for fact in ("root", "heading~catalogue", "title~catalogue") if fact in facts)
    elif own & {"search", "browse"}:
        yield "several and search"


def _bucket(number: int) -> str:
    return str(number) if number < 4 else "4+" if number < 7 else "7+" if number < 15 else "15+"


def page_words(page: Page) -> set[str]:
    """Return the words a page begins with."""
    return set(page.text[:MAX_PAGE].lower().split())


def page_facts(words: Iterable[str]) -> Iterator[str]:
    """Yield words of a page as facts."""
    return (PAGE_WORD + word for word in words if 2 < len(word) < LONG_WORD and word.isalpha())


_SPOKEN = {
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
    if place in _SPOKEN:
        return f'"{word}" {_SPOKEN[place]}' if sign == "=" else f"a word about {word} {_SPOKEN[place]}"
    kind, _, count = fact.partition(" ")
    if kind in _COUNTED:
        return f"{count} of type {kind}" if count != "1" else f"a control of type {kind}"
    return ""
