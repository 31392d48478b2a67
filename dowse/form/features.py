"""What can be noticed about a form: named facts, and tables of the evidence that facts give.

A fact is a short text. `button~search`: a word on the button is about searching. `name=q`: a word in the name of a field
is q. `asked 3`, `method GET`: what the form is made of. The models of `dowse.form.judge` weigh these facts by name, and
know nothing else of a form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote

from dowse.form.roles import ControlGroup, box_words, caption_of, find_role
from dowse.model import Field, Form, Page
from dowse.words.lookup import (
    MAX_TEXT,
    all_parts_of,
    concepts_of,
    is_subject,
    parts_of,
    phrases,
    whole_text,
    whole_words,
    word_starts,
    words_of,
)

BUTTON_TYPES = frozenset({"submit", "button", "image", "reset"})
STATE_TYPES = frozenset({"hidden"}) | BUTTON_TYPES
TYPED_TYPES = frozenset({"text", "search", "email", "tel", "url", "number", "date", "textarea", "password", "range"})

MAX_HEADING = 60  # characters; a longer one has swallowed what stands under it
MAX_NEAR = 60  # characters; more words beside a control are about something else
MAX_TEXT_PER_CONTROL = 50  # characters of text for each control; a form with more stands around something else
MAX_PAGE_TEXT = 5_000  # characters of a page whose words are facts
MAX_LIST_TEXT = 20_000  # characters of a page in which amounts, dates and counts are looked for
MAX_PAGE_LINKS = 300  # links of a page within its site that are looked at
MAX_DATES = 30  # of one page that are counted
MAX_DATE = 18  # characters of a date before its year
MAX_PAGE_WORD = 15  # characters; longer words are no facts
MAX_CONSTANT = 20  # characters of a hidden value that may be a word
MAX_SHORT_NAME = 3  # letters; longer words that stand in the host's name, too, name the site
MIN_LONG_LIST = 8  # options from which a select lists things rather than settings
MIN_LISTED = 2  # choices that must be names of a language, a currency ...
MIN_LISTED_SHARE = 0.5  # part of all choices that must be
MAX_LISTED_READ = 40  # choices that are looked at
MAX_SAID = 120  # characters of words in a form that say what it does; more say other things, too
MIN_TICKED = 3  # boxes of one name from which they may stand for the rows of a table
MIN_FILLED = 3  # boxes with a value from which a form shows one thing, to be changed
MAX_ROLES_READ = 12  # controls whose role is looked at; a form with more asks more than how to show something
PAGE_WORD = "page="
LINK_WORD = "link="

_TYPED = ("text", "search", "email", "tel", "url", "number", "date", "month", "range", "")
_COUNTED = (
    "password", "email", "textarea", "select", "checkbox", "radio", "file", "search", "image", "tel", "number", "date",
)  # fmt: skip
_SPELLED = frozenset({"button", "name", "label", "form", "action"})
_OWN = _SPELLED | {"text", "heading"}
_WRITTEN = ("button", "label")
_SAID = frozenset({*_WRITTEN, "text", "heading"})
_PLACES_ON_PAGE = ("header", "nav", "footer", "aside", "main")
# Facts that mean something else where a single thing is asked
_ALONE = {
    fact: f"alone {fact}"
    for fact in (
        "any~site, any~catalogue, any~search, any~news, any~shop, any~mail, root, heading~catalogue, title~catalogue,"
        " subjects 0, subjects 1, subjects 2"
    ).split(", ")
} | {"subjects 3": "alone subjects 2"}
_LISTED = ("languages", "currencies", "colours", "sizes")


# -- facts


class FormFacts(NamedTuple):
    """What was noticed about a form: facts, and the words whose spelling counts."""

    facts: set[str]
    words: set[str]


def describe(form: Form, page: Page) -> FormFacts:
    """Return what can be noticed about a form of a page."""
    visible = visible_fields(form)
    # more words inside it than controls need: it stands around something else, and they are not its own
    inside = form.text if len(form.text) <= MAX_TEXT_PER_CONTROL * (1 + len(form.fields)) else ""
    roles = _find_roles(visible)
    asking = [field for field in visible if not roles.get(field.name or field.id)]
    zones = _split_zones(form, page, asking or visible, inside)
    choices = [option.label for field in asking for option in field.options[:MAX_LISTED_READ]]
    choices += [field.label or field.near[:MAX_NEAR] for field in asking if field.type == "radio"]
    zones["option"] = dict.fromkeys(words_of(" ; ".join(choices)))
    facts = {f"{zone}={word}" for zone, words in zones.items() for word in words}
    about = {zone: {concept for word in words for concept in concepts_of(word)} for zone, words in zones.items()}
    for zone, concepts in about.items():
        facts.update([f"{zone}~{concept}" for concept in concepts])
    own = set().union(*(about.get(zone, ()) for zone in _OWN))
    if any(field.type == "email" for field in visible):
        own.add("mail")
    facts.update([f"any~{concept}" for concept in own])
    facts.update([f"said~{concept}" for concept in set().union(*(about.get(zone, ()) for zone in _SAID))])
    facts.update(_structure(form, asking))
    facts.update(_effects(form, visible))
    facts.update(_view_controls(roles))
    facts.update([f"lists {name}" for name in name_choices(visible)])
    facts.update(_place(form, page, zones, inside))
    # what only means something together
    if "asked 1" in facts:
        facts.update([_ALONE[fact] for fact in _ALONE.keys() & facts])
    elif own & {"search", "browse"}:
        facts.add("several and search")
    facts.update([name for name, row in _DERIVED if row.holds(facts)])
    return FormFacts(facts, set().union(*(zones.get(zone, ()) for zone in _SPELLED)))


def visible_fields(form: Form) -> list[Field]:
    """Return the controls a person fills in."""
    return [field for field in form.fields if field.type not in STATE_TYPES]


def _split_zones(form: Form, page: Page, asking: list[Field], inside: str) -> dict[str, dict[str, None]]:
    """Return the words of each place where a form says what it is for, in order."""
    label = ""
    boxes = [field for field in asking if field.type in ("text", "search")]
    for field in asking:
        preset = field.value if boxes == [field] else ""  # the values of several are data, and not what they are for
        beside = field.label or (field.near if len(field.near) <= MAX_NEAR else "")
        label += f"{beside} {field.placeholder} {field.title} {field.aria} {field.group} {preset} "
    buttons = [field for field in form.fields if field.type in BUTTON_TYPES]
    hidden = [field for field in form.fields if field.type == "hidden"]
    constants = [f"{field.name} {field.value if len(field.value) < MAX_CONSTANT else ''}" for field in hidden]
    names = {  # as programs write them
        "button": " ".join([f"{field.label or field.value} {field.title} {field.name}" for field in buttons]),
        "name": " ".join([f"{field.name} {field.id}" for field in asking]),
        "form": f"{form.id} {form.name} {form.css}",
        "action": form.action.partition("//")[2].partition("/")[2],
        "hidden": " ".join(constants),
        "url": page.url.partition("//")[2].partition("/")[2],
    }
    texts = {
        "label": label,
        "text": inside,
        "heading": form.heading[:MAX_HEADING],
        "title": page.title,
    }
    zones = {zone: dict.fromkeys(parts_of(text)) for zone, text in names.items() if text}
    return zones | {zone: dict.fromkeys(words_of(text)) for zone, text in texts.items() if text}


def _structure(form: Form, asking: list[Field]) -> Iterator[str]:
    """Yield what the form is made of, without what only says how answers are shown; radios and boxes of one name count once."""
    counts: dict[str, int] = {}
    controls = [*asking, *(field for field in form.fields if field.type in STATE_TYPES)]
    boxes = dict.fromkeys([(field.type, field.name) for field in controls if field.type in ("radio", "checkbox")])
    others = [field.type for field in controls if field.type not in ("radio", "checkbox")]
    for kind in [*(kind for kind, _ in boxes), *others]:
        counts[kind] = counts.get(kind, 0) + 1
    typed = sum(counts.get(kind, 0) for kind in _TYPED)
    choices = counts.get("select", 0) + counts.get("radio", 0) + counts.get("checkbox", 0)
    yield f"method {form.method}"
    yield f"typed {_bucket(typed)}"
    yield f"choices {_bucket(choices)}"
    yield f"asked {_bucket(typed + choices)}"
    yield f"hidden {_bucket(counts.get('hidden', 0))}"
    yield f"buttons {_bucket(sum(counts.get(kind, 0) for kind in BUTTON_TYPES))}"
    yield from (f"{kind} {_bucket(counts[kind])}" for kind in _COUNTED if kind in counts)
    yield "begins " + " ".join([field.type for field in asking[:3]])
    if "multipart" in form.enctype:
        yield "multipart"
    if any(len(field.options) >= MIN_LONG_LIST for field in asking):
        yield "long list"


_START_NAME = re.compile(
    r"\A(?:start|from|first|page|num|max)_?(?:row|record|item|page|no|rows|records)?s?\Z", re.IGNORECASE
)
_TOKEN = re.compile(r"csrf|xsrf|token|nonce|authenticity|signature", re.IGNORECASE)
_STATEMENT = re.compile(r"\A\s{0,50}(?:select\s.{1,500}\sfrom|prefix\s|for\s{1,9}\$)", re.IGNORECASE | re.DOTALL)


@cache
def _effect_words() -> dict[str, re.Pattern[str]]:
    """Return the words for what a form does beside asking: on its buttons, over it and in the address it sends to."""
    return {
        "changes something": word_starts("changes something"),
        "gives a file": word_starts("gives a file"),
        "compares versions": word_starts("compares versions"),
        "shapes a view": word_starts("shapes a view"),
    }


def _effects(form: Form, visible: list[Field]) -> Iterator[str]:
    """Yield what sending the form would do: shape a view, change what it shows, act on rows, run a query."""
    typed = [field for field in visible if field.type in TYPED_TYPES and not field.unseen]
    filled = sum(1 for field in typed if field.value.strip())
    boxes = Counter([field.name for field in visible if field.type == "checkbox"])
    rows = [name for name, count in boxes.items() if count >= MIN_TICKED]
    others = {
        "token": any(_TOKEN.search(field.name) for field in form.fields if field.type == "hidden"),
        "query language": any(_is_query_language(field, form.heading[:MAX_HEADING]) for field in visible),
        "all filled": 0 < filled == len(typed),
        "half filled": filled < len(typed) <= 2 * filled,
        "many filled": filled >= MIN_FILLED and len(typed) <= 2 * filled,
        "one filled": 0 < 2 * filled < len(typed),
        # boxes of one name without words of their own
        "ticks rows": any(len({box.label or box.near for box in visible if box.name == name}) < 2 for name in rows),
    }
    yield from (fact for fact, holds in others.items() if holds)
    yield from _say_effects(form)


def _say_effects(form: Form) -> Iterator[str]:
    """Yield what buttons, heading and address say that the form does."""
    buttons = [f"{field.label or field.value} {field.name}" for field in form.fields if field.type in BUTTON_TYPES]
    inside = form.text if len(form.text) <= MAX_SAID else ""
    said = f"{' '.join(buttons)[:MAX_TEXT]} ; {form.heading[:MAX_HEADING]} ; {inside}".lower()
    sent = f"{form.action.partition('//')[2].partition('/')[2][-MAX_TEXT:]} {form.id} {form.name} {form.css}".lower()
    sent = sent.replace("_", " ").replace("-", " ")
    for effect, words in _effect_words().items():
        if words.search(said):
            yield f"says it {effect}"
        if words.search(sent):
            yield f"its address {effect}"


def _find_roles(visible: list[Field]) -> dict[str, str]:
    """Return the role of each control by its name: nothing for those that ask something."""
    groups: dict[str, list[Field]] = {}
    for field in visible[: 8 * MAX_ROLES_READ]:
        groups.setdefault(field.name or field.id, []).append(field)
    if len(groups) > MAX_ROLES_READ:
        return {}
    return {name: _role(ControlGroup(some, [name], caption_of(some[0])), groups) for name, some in groups.items()}


def _view_controls(roles: Mapping[str, str]) -> Iterator[str]:
    """Yield the roles of controls that ask nothing themselves, and how many they are of all."""
    yield from (f"control {role}" for role in roles.values() if role)
    asking = list(roles.values()).count("")
    if roles and not asking:
        yield "only view controls"
    elif 2 * asking <= len(roles):
        yield "mostly view controls"


def _role(group: ControlGroup, names: Collection[str]) -> str:
    """Return what controls are for that ask nothing themselves: by their name and caption, or by what can be chosen."""
    if group.first.type in ("password", "textarea", "file", "email"):
        return ""
    role = find_role(group, names)
    if role or group.kind == "text":
        return role if role or not _START_NAME.match(group.names[0]) else "paging"
    if len(group.choices) > 1 and all(whole_text("length of answers").match(choice) for choice in group.choices):
        return "display"
    said = [group.caption.lower(), *(group.choices if len(group.choices) > 1 else (box_words(group.first).lower(),))]
    shown = (_effect_words()["shapes a view"], whole_words("display"))
    views = sum(1 for words in said if any(pattern.search(words) for pattern in shown))
    return "display" if 2 * views >= len(said) else ""


def _is_query_language(field: Field, heading: str) -> bool:
    """Return True if a control takes an expression of a language for queries; a heading speaks for a large one."""
    if field.type not in ("text", "search", "textarea", ""):
        return False
    said = f"{heading if field.type == 'textarea' else ''} {field.name} {field.id} {field.label or field.near[:MAX_NEAR]} {field.placeholder[:MAX_NEAR]} {field.title[:MAX_NEAR]}"
    return bool(
        whole_words("query language").search(said.lower().replace("_", " "))
        or (field.value and _STATEMENT.match(field.value[:MAX_TEXT]))
    )


def _bucket(number: int) -> str:
    return str(number) if number < 4 else "4+" if number < 7 else "7+" if number < 15 else "15+"


def name_choices(visible: Iterable[Field]) -> Iterator[str]:
    """Yield what the lists of a form list, told from the choices themselves: languages, currencies, colours, sizes."""
    lists: list[list[str]] = []
    boxes: dict[str, list[str]] = {}  # radios or boxes of one name are one list
    for field in visible:
        if field.options:
            lists.append([option.label for option in field.options[:MAX_LISTED_READ]])
        elif field.type in ("radio", "checkbox"):
            boxes.setdefault(field.name, []).append(field.label or field.near or field.value)
    for labels in (*lists, *boxes.values()):
        firsts = [label.lower().split(None, 1)[:1] for label in labels[:MAX_LISTED_READ]]
        words = [first[0].strip("().,:;") if first else "" for first in firsts]
        for name, known in _listed_words().items():
            hits = sum(1 for word in words if word in known)
            if hits >= MIN_LISTED and hits >= MIN_LISTED_SHARE * (len(words) - 1):
                yield name


@cache
def _listed_words() -> dict[str, frozenset[str]]:
    return {name: frozenset(phrases(f"list of {name}")) for name in _LISTED}


def _place(form: Form, page: Page, zones: dict[str, dict[str, None]], inside: str) -> Iterator[str]:
    """Yield where the form stands, and whether there are words on what is searched."""
    host, _, path = page.url.partition("//")[2].partition("/")
    here = unquote(path.partition("?")[0]).lower()
    held = [field.value.strip("/ ").lower() for field in form.fields if field.type == "text" and field.value]
    subjects = {zone: [word for word in zones.get(zone, ()) if is_subject(word)] for zone in _SAID}
    own = [word for zone in _WRITTEN for word in subjects[zone] if len(word) > MAX_SHORT_NAME and word in host]
    number = sum(len(subjects[zone]) for zone in _WRITTEN) - len(own)  # words of the host's name name the site
    yield f"subjects {min(number, 3)}"
    yield from (f"in {place}" for place in _PLACES_ON_PAGE if f"/{place}/" in form.path)
    if form.role:
        yield f"role {form.role[:MAX_CONSTANT].lower()}"
    others = {
        "names itself": own and not number,
        "heading subject": subjects["heading"],
        "names records": any(_names_records(word) for zone in _WRITTEN for word in zones.get(zone, ())),
        "unlabelled": not zones.get("label"),
        "no heading": not form.heading,
        "own page": form.own_page,
        "root": not path,
        "holds its address": any(len(value) > MAX_SHORT_NAME and value in here for value in held),
        "question": "?" in form.heading or "?" in inside[:MAX_TEXT],
    }
    yield from (fact for fact, holds in others.items() if holds)


_NO_RECORDS = frozenset(
    "search browse go site page this query word field login password advanced news sort set write agree captcha".split()
)


def _names_records(word: str) -> bool:
    """Return True if a word may name what is found: tickets, books, packages; but no pages, news or help."""
    concepts = concepts_of(word)
    return len(word) > MAX_SHORT_NAME and bool(concepts or is_subject(word)) and _NO_RECORDS.isdisjoint(concepts)


# -- the page around


_MONEY = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹]|(?:usd|eur|gbp|kr|zł|руб)\b)", re.IGNORECASE)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_YEAR = re.compile(r"(?:19|20)(?<!\d\d\d)\d\d(?!\d)")  # the digit before it is looked at last: it is seldom there
_AFTER_YEAR = re.compile(r"[-/.]\d\d?[-/.]\d\d?(?!\d)")
_BEFORE_YEAR = re.compile(
    rf"(?:(?<!\d)\d\d?[-/. ](?:\d\d?|{_MONTH})[-/. ,]{{1,2}}|\b{_MONTH}\.? \d\d?(?:st|nd|rd|th)?,? )\Z", re.IGNORECASE
)
COUNTED_RECORDS = re.compile(r"\b\d+ ?(?:-|–|to) ?\d+ (?:of|von|de|di|van|av|из|z) (?:about )?\d", re.IGNORECASE)
_DATED_PATH = re.compile(r"(?:\A|/)(?:19|20)\d\d/\d\d?(?:/|\Z)")
_DIGITS = re.compile(r"\d+")
SORT_PARAMETER = re.compile(r"(?:^|[?&;_])(?:sort|order)[a-z_]{0,8}=", re.IGNORECASE | re.MULTILINE)
PAGE_PARAMETER = re.compile(r"(?:^|[?&;])(?:page|p|start|offset|pg|from)=\d", re.IGNORECASE | re.MULTILINE)
_FILE_OF_RECORDS = re.compile(r"(?:download|format=|\.)(?:csv|xlsx?|json|bib|ris|tsv)\b")


def page_facts(page: Page, known: Callable[[str], frozenset[str]] | None = None) -> set[str]:
    """Return what the page around a form says about what is searched: its words, what its links lead to, and lists on it.

    Words are facts where they are known (the words behind `page=` and `link=` that a model weighs), or all of them.
    """
    said = set(page.text[:MAX_PAGE_TEXT].lower().split())
    site = page.url.partition("//")[2].partition("/")[0]
    starts = f"http://{site}/", f"https://{site}/"
    inner = dict.fromkeys([url.partition("//")[2].partition("/")[2] for url in page.urls if url.startswith(starts)])
    paths = list(inner)[:MAX_PAGE_LINKS]
    joined = "\n".join(paths)
    linked = set(all_parts_of(joined))
    joined = joined.lower()
    facts: set[str] = set()
    for prefix, words in ((PAGE_WORD, said), (LINK_WORD, linked)):
        kept = (
            words & known(prefix)
            if known
            else {word for word in words if 2 < len(word) < MAX_PAGE_WORD and word.isalpha()}
        )
        facts.update([prefix + word for word in kept])
    facts.update([f"link~{concept}" for concept in {concept for word in linked for concept in concepts_of(word)}])
    # lists: links of one shape, with counts, sorting, paging and files beside them
    shapes = _find_shapes(paths) if paths else Counter()
    numbered = [count for shape, count in shapes.items() if "0" in shape or not shape.endswith("?")]
    read = page.text[:MAX_LIST_TEXT]
    asked = "\n".join([path for path in paths if "=" in path])
    amounts = {
        "amounts of money": len(_MONEY.findall(read)),
        "dates on the page": count_dates(read),
        "links on the page": len(paths),
        "links with dates": sum(1 for path in paths if ("20" in path or "19" in path) and _DATED_PATH.search(path)),
        "links of one shape": max(shapes.values(), default=0),
        "numbered links of one shape": max(numbered, default=0),
        "links in cells of tables": sum(1 for link in page.links[:MAX_PAGE_LINKS] if "/td/" in link.path),
        "links that sort": len(SORT_PARAMETER.findall(asked)),
    }
    facts.update([f"{name} {_size(number)}" for name, number in amounts.items()])
    if COUNTED_RECORDS.search(read):
        facts.add("counts of records")
    if PAGE_PARAMETER.search(asked):
        facts.add("links to further pages")
    if "export" in joined or _FILE_OF_RECORDS.search(joined):
        facts.add("links to files of records")
    return facts


def count_dates(text: str) -> int:
    """Return how many dates with day, month and year a text has, up to a bound."""
    count = 0
    for year in _YEAR.finditer(text):
        before = text[max(0, year.start() - MAX_DATE) : year.start()]
        count += bool(_AFTER_YEAR.match(text, year.end()) or _BEFORE_YEAR.search(before))
        if count >= MAX_DATES:
            break
    return count


def _find_shapes(paths: list[str]) -> Counter[str]:
    """Count addresses by what those of one sort of page share: folders, digits as 0, and the names of parameters."""
    shapes: Counter[str] = Counter()
    for path in _DIGITS.sub("0", "\n".join(paths)).split("\n"):
        address, _, query = path.partition("?")
        folders, slash, last = address.rpartition("/")
        names = sorted({part.partition("=")[0] for part in query.split("&")[:MAX_PAGE_WORD]}) if query else ()
        shapes[f"{folders}{slash}{'0' if '0' in last else ''}?{','.join(names)}"] += 1
    return shapes


def _size(number: int) -> str:
    return "0" if number < 1 else "1+" if number < 3 else "3+" if number < 10 else "10+" if number < 30 else "30+"


_SPOKEN = {
    "button": "on its button",
    "name": "in the name of a field",
    "label": "in a label",
    "form": "in the form's own name",
    "action": "in the address it sends to",
    "text": "in its words",
    "heading": "in its heading",
    "option": "in a choice",
    "hidden": "in a hidden field",
    "url": "in the page's address",
    "title": "in the page's title",
    "page": "on the page",
    "link": "in a link of the page",
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


# Rows of the tables below whose reason is shown in other words: the reason itself is a fact that models have weights for.
SHOWN_REASONS = {
    "speaks of registering": "mentions registering",
    "speaks of a newsletter": "mentions a newsletter",
    "speaks of buying": "mentions buying",
    "speaks of searching": "mentions searching",
    "several things can be asked, nothing personal, and nothing is changed by asking": "has several fields, asks for nothing personal, and changes nothing",
    "several attributes of things can be asked": "has fields for several attributes",
    "attributes of things can be asked, and nothing personal": "has fields for attributes, and asks for nothing personal",
    "several things can be asked": "has several fields to search by",
    "nothing but choices: what is there is known": "all fields are lists of choices",
    "asks for an attribute of things": "has a field for an attribute",
    "speaks of a catalogue": "mentions a catalogue",
    "speaks of a query to something": "mentions a query",
}


# -- evidence
#
# What people who know forms would say at a glance: tables of evidence, each row with its reason in words.
#
# A row holds when all the facts it needs are there, one of those it takes any of, and none of those it bars.
# Points are natural logarithms of odds. The models learn what these tables do not know, from forms of the web that
# people have labelled; where those are few (votes, bookings, choosers of a language), the tables have the say.

Facts = set[str]


class Evidence(NamedTuple):
    """A piece of evidence."""

    kind: str
    points: float
    reason: str
    needs: frozenset[str]
    takes: frozenset[str]
    bars: frozenset[str]

    def holds(self, facts: Facts) -> bool:
        """Return True if it is there."""
        if not self.needs <= facts or (self.takes and self.takes.isdisjoint(facts)):
            return False
        return self.bars.isdisjoint(facts)


def _row(kind: str, points: float, reason: str, needs: str = "", any_of: str = "", bars: str = "") -> Evidence:
    return Evidence(kind, points, reason, _split(needs), _split(any_of), _split(bars))


def _split(text: str) -> frozenset[str]:
    return frozenset(part for part in text.split(", ") if part)


_PASSWORD = "password 1, password 2"
_SAYS_SEARCH = "title~search, title~catalogue, title~query, heading~search, heading~catalogue, heading~query"
_MORE_THAN_A_SETTING = "searches, any~browse, any~attribute, any~catalogue, title~catalogue, any~query"
_PRIVATE = f"any~mail, any~order, any~vote, any~booking, any~recover, any~card, any~contact, any~upload, any~register, {_PASSWORD}, textarea 1, file 1"

_SAYS_WHAT = "title~catalogue, label~catalogue, button~catalogue, heading~catalogue, button~query, label~attribute, label~word, label~field"

_DERIVED = (
    ("personal", _row("", 0, "", any_of=f"any~mail, textarea 1, {_PASSWORD}", bars="query language")),
    ("searches", _row("", 0, "", any_of="any~search, search 1, role search")),
    ("several", _row("", 0, "", bars="asked 0, asked 1")),
    ("asks much by GET", _row("", 0, "", needs="method GET", any_of="asked 4+, asked 7+, asked 15+")),
    ("says search", _row("", 0, "", any_of="button~search, label~search, heading~search, search 1, role search")),
    ("shapes a view", _row("", 0, "", any_of="only view controls, mostly view controls, says it shapes a view, option~sort", bars="says search, name~search, button~search")),
    ("a choice set", _row("", 0, "", needs="typed 0", any_of="any~chooser, lists languages, lists currencies")),
    ("site named", _row("", 0, "", any_of="label~site, button~site, text~site, label~page, button~page")),
    ("site named", _row("", 0, "", needs="text~page, text~this")),
    ("site named", _row("", 0, "", needs="title~search", any_of="title~site, title~page, heading~site", bars="title~catalogue, heading~catalogue")),
    ("site named", _row("", 0, "", needs="heading~search", any_of="heading~site", bars="title~catalogue, heading~catalogue")),
)  # fmt: skip

TYPE: tuple[Evidence, ...] = (
    _row("login", 2.5, "asks for one password", "password 1"),
    _row("registration", 3, "asks for a password twice", "password 2"),
    _row("registration", 1.5, "a password among many fields", "password 1", "typed 3, typed 4+, typed 7+"),
    _row("registration", 1, "speaks of registering", "said~register", f"any~person, {_PASSWORD}", "searches"),
    _row("recovery", 2.5, "recovers what was forgotten", "any~recover", bars="password 1, searches"),
    _row("subscribe", 2, "asks for little more than a mail address", "any~mail", "typed 1, typed 2", f"{_PASSWORD}, textarea 1, any~contact, any~booking, any~recover"),
    _row("subscribe", 2, "speaks of a newsletter", "any~mail", "said~subscribe, any~unsubscribe, action~subscribe", f"{_PASSWORD}, textarea 1"),
    _row("contact", 1.5, "has room for a message", any_of="textarea 1, textarea 2", bars="query language"),
    _row("contact", 1.5, "has room for a message and asks who is writing", "textarea 1", "any~mail, any~person", "any~booking, any~order, query language"),
    _row("order", 1.5, "speaks of buying", "any~order", bars="searches"),
    _row("order", 2, "asks for payment", "any~card, any~person"),
    _row("order", 1, "a person's address and the terms", "any~person, any~agree, any~order"),
    _row("order", 2.5, "chooses options of one thing", "method POST", "any~configure, lists colours, lists sizes", "choices 0, searches, personal, title~catalogue, said~catalogue, title~search"),
    _row("other", 2.5, "a vote", "typed 0", "said~vote, action~vote, form~vote", "textarea 1, textarea 2"),
    _row("other", 2.5, "chooses a language, a country or a currency", "a choice set", "asked 1, asked 2", "searches"),
    _row("other", 1, "one question, to be answered by a choice", "question, typed 0, asked 1", bars="searches"),
    _row("other", 2.5, "books a time or a place", "said~booking", "any~mail, any~person, textarea 1", "any~attribute, any~search"),
    _row("other", 2, "asks for a day and for a person", "date 1", "any~mail, textarea 1", "searches, password 1, password 2"),
    _row("other", 1.5, "only choices, and no word of searching", "typed 0", bars=f"{_MORE_THAN_A_SETTING}, textarea 1, textarea 2"),
    _row("other", 1.5, "changes a setting or adds something", "button~set", "asked 1, asked 2", "said~search, search 1, role search, button~browse"),
    _row("other", 5, "deletes something", any_of="button~destroy, action~destroy", bars="said~search, search 1, role search"),
    _row("other", 2, "converts money", "lists currencies", bars="searches, typed 0, any~attribute"),
    _row("other", 2, "uploads a file", "file 1"),
    _row("other", 4, "nothing to fill in", "asked 0", bars="only view controls, textarea 1, textarea 2, file 1, password 1, password 2"),
    _row("other", 3, "only says how something is shown", "only view controls", bars="says search"),
    _row("other", 2, "mostly says how something is shown", "mostly view controls, typed 0", bars="says search"),
    _row("other", 1.5, "says that it only shapes a view", "says it shapes a view", bars="says search, several"),
    _row("other", 1.5, "says that it gives a file", any_of="says it gives a file, its address gives a file", bars="says search"),
    _row("other", 2.5, "its one box shapes a view", "asked 1, its address shapes a view", bars="says search"),
    _row("other", 2.5, "holds the address of the page it stands on", "holds its address", bars="says search, query language"),
    _row("other", 3, "compares versions", any_of="says it compares versions, its address compares versions", bars="says search"),
    _row("other", 2, "says that it changes something", any_of="says it changes something, its address changes something", bars="says search, password 1, password 2, asks much by GET"),
    _row("other", 2, "sends values that stand in it already", "method POST", "all filled, half filled", "button~search, search 1, role search, password 1, query language"),
    _row("other", 5, "its boxes hold values of one thing, to be changed", "method POST, many filled", bars="button~search, search 1, role search, password 1, password 2"),
    _row("other", 4, "chooses rows to do something with", "ticks rows", bars="search 1, role search"),
    _row("search", 4, "takes a query in a language for queries", "query language", bars="password 1, password 2, file 1, says it changes something"),
    _row("search", -2.5, "is sent with a token that guards against changes", "method POST, token", bars="says search, query language, button~browse"),
    _row("search", 1, "speaks of searching", "said~search", bars="personal"),
    _row("search", 1, "is marked as a search", "searches", bars="said~search"),
    _row("search", 1.5, "several things can be asked, nothing personal, and nothing is changed by asking", "several, method GET", bars="personal, said~order, said~vote, a choice set, shapes a view, ticks rows"),
    _row("search", 1.5, "several things can be asked, to filter what is shown", "several, button~browse", bars="personal, said~order, shapes a view, ticks rows"),
    _row("search", 1.5, "several attributes of things can be asked", "several, any~attribute", "searches, any~range, any~catalogue, title~catalogue, title~search", "personal, said~order, said~vote, any~card, any~person"),
    _row("search", 1, "attributes of things can be asked, and nothing personal", "several, any~attribute", bars=f"{_PRIVATE}, a choice set"),
    _row("search", 1.5, "stands on a page about searching", any_of=_SAYS_SEARCH, bars="personal, any~order"),
    _row("search", -2.5, "asks for a password, a message or a mail address", "personal"),
)  # fmt: skip

DOOR: tuple[Evidence, ...] = (
    _row("database", 2.5, "several things can be asked", "several"),
    _row("database", 1, "nothing but choices: what is there is known", "typed 0"),
    _row("database", 1, "asks for an attribute of things", any_of="label~attribute", bars="site named"),
    _row("database", 1, "names what to type", any_of="label~word, label~field", bars="site named"),
    _row("database", 1.5, "speaks of a catalogue", any_of="label~catalogue, button~catalogue, heading~catalogue, title~catalogue", bars="site named"),
    _row("database", 1.5, "its heading says what is searched", "heading subject", "heading~search, heading~browse, heading~query", "site named"),
    _row("database", 1, "speaks of a query to something", any_of="button~query, heading~query, title~query", bars="site named"),
    _row("database", 1, "names the records that it finds", "names records", "button~search, label~search, search 1, role search", "site named"),
    _row("database", 1, "says what is searched", bars="subjects 0, unlabelled, site named"),
    _row("site-search", 1, "one box that filters what is shown", "asked 1", "label~browse, button~browse", "said~search"),
    _row("site-search", 4, "searches this site's own pages", "site named", bars="several"),
    _row("site-search", 2, "names nothing but the site itself", "names itself", bars=f"several, {_SAYS_WHAT}"),
    _row("site-search", 1, "one box with no heading over it", "no heading", bars=f"several, {_SAYS_WHAT}"),
    _row("site-search", 0.5, "one box on the entrance page", "root", bars=f"several, {_SAYS_WHAT}"),
    _row("site-search", 1, "one box in the head, the foot or the menu of the page", any_of="in header, in nav, in footer, in aside", bars="several"),
    _row("site-search", 1.5, "one box, and no word on what is searched", "subjects 0", bars=f"several, {_SAYS_WHAT}"),
    _row("site-search", 1, "one box without a word", "unlabelled, subjects 0", bars=f"several, {_SAYS_WHAT}"),
)  # fmt: skip

BOUGHT: tuple[Evidence, ...] = (
    _row("configure", 0.5, "chooses among options of one thing", bars="choices 0, any~card, any~mail"),
    _row("configure", 1.5, "chooses a size, a colour or a model", any_of="any~configure, lists sizes, lists colours", bars="choices 0"),
    _row("order", 1.5, "nothing to choose", "choices 0"),
    _row("order", 2, "asks who buys", any_of="any~card, any~mail"),
)  # fmt: skip
