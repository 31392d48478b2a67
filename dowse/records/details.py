"""Pages of one template, such as detail pages: what stays is template, what varies are their attributes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import msgspec
import orjson
from msgspec import Struct

from dowse.errors import BadInput
from dowse.model import Value
from dowse.records.labels import (
    COLUMN_MARK,
    MAX_NUMBERED_TEXTS,
    MIN_STEADY_SHARE,
    TIME,
    VALUE_MARK,
    PlacedText,
    TemplateTexts,
    VaryingText,
    can_name,
    find_column_heads,
    find_head,
    find_varying_texts,
    is_trail,
    learn_columns,
    learn_template_texts,
)
from dowse.records.pieces import (
    HIGHLIGHT_TAGS,
    MAX_LABEL_CHARS,
    MAX_PIECE_CHARS,
    TextPiece,
    fold_label,
    width_of,
    without_classes,
    write_step,
)
from dowse.tree.node import Node, find_nodes, text_of

# -- names of attributes, and which places hold the same: the price of what is sold out stands elsewhere

# Set by hand on the development part of SWDE (cars, books, cameras), measured on the part held back: `python -m bench attributes`.
MIN_NAMED_SHARE: Final = 0.7  # of pages that must give the same name
PAGE_COLUMN_PREFIX: Final = "_"  # names of columns that say something about the page begin so: `_url`
NEAR_STEPS: Final = 2  # last steps of a place whose classes and ids may name it

_ID_STEPS = re.compile(r"#[^/]*")
_TITLE = re.compile(r"(?:^|/)h1(?:[.#/=]|$)")
_HEADING = re.compile(r"(?:^|/)h[23](?:[.#/=]|$)")
_CLASSES = re.compile(r"[.#]([A-Za-z][\w-]*)")
_WORDS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{3,}")
_STYLE_WORDS = frozenset(  # words that say how it looks or where it stands, not what it is
    "active align area background black block blue body bold border bottom box center clear clearfix col color column "
    "container content css cell default div even field first fix float font frame gray green grey grid group head header "
    "hidden hide inline inner item label large last layout left line link list main margin medium middle mod module nav new normal "
    "odd outer pad padding page panel para part primary red right row secondary section side sidebar small span style sub "
    "tab table tbl text tiny top txt unit value val white width wrap wrapper wide yellow the and for".split()
)


@dataclass(frozen=True, slots=True)
class VaryingPlace:
    """A place of texts that vary."""

    label: str  # the text of the template that they stand after; nothing where the place is enough
    place: str
    number: int  # which of the texts there; 0 for all of them
    seen: dict[int, list[VaryingText]]  # by page


class FoundName(NamedTuple):
    """A name, and how it was found."""

    name: str
    how: str


def name_attributes(found: Sequence[VaryingPlace]) -> list[FoundName]:
    """Return the name of each place; those that hold the same on different pages have one name."""
    calls = [_find_name(each) for each in found]
    names = [FoundName("", "")] * len(found)
    taken: Counter[str] = Counter()
    for group in _group_places(found, calls):
        best = max(group, key=lambda which: (calls[which].how != "place", len(found[which].seen)))
        own = _make_unique(
            FoundName(calls[best].name.strip().lstrip(PAGE_COLUMN_PREFIX).strip() or "text", calls[best].how), taken
        )
        for which in group:
            names[which] = own
    return names


def _make_unique(called: FoundName, taken: Counter[str]) -> FoundName:
    """Return a name that nothing else has: the second price is `price 2`, unless the page itself calls something so."""
    name, how = called
    while True:
        taken[fold_label(name)] += 1
        count = taken[fold_label(name)]
        own = f"{name} {count}" if count > 1 or how == "place" else name
        if own == name or not taken[fold_label(own)]:
            if own != name:
                taken[fold_label(own)] += 1
            return FoundName(own, how)


def _group_places(found: Sequence[VaryingPlace], calls: Sequence[FoundName]) -> list[list[int]]:
    """Return groups of places that have one name or one path of tags, and never stand on the same page."""
    groups: list[list[int]] = []
    pages: list[set[int]] = []
    known: dict[str, list[int]] = {}
    for which, each in enumerate(found):
        path = without_classes(_ID_STEPS.sub("", each.place))
        label = [fold_label(calls[which].name)] if calls[which].how == "label" else []
        keys = [*label, f"/{path}|{each.label}|{each.number}"]
        own = set(each.seen)
        group = next((group for key in keys for group in known.get(key, ()) if not pages[group] & own), None)
        if group is None:
            group = len(groups)
            groups.append([])
            pages.append(set())
            for key in keys:
                known.setdefault(key, []).append(group)
        groups[group].append(which)
        pages[group] |= own
    return groups


def _find_name(each: VaryingPlace) -> FoundName:
    """Return the name that pages give: declared, before it, its heading, its class; nothing when they give none."""
    first = [texts[0] for texts in each.seen.values()]
    if each.place.startswith(f"{JSON_LD_PLACE}/"):
        return FoundName(each.place.split("/", 2)[-1].replace("/", "."), "json-ld")
    if find_head(each.place):
        return FoundName(find_head(each.place), "label")
    prop, count = Counter(seen.piece.prop for seen in first).most_common(1)[0]
    if prop.split() and count >= MIN_NAMED_SHARE * len(first):
        return FoundName(prop.split()[0].rpartition(":")[2], "itemprop")
    label = _find_label(first)
    if label or _TITLE.search(each.place):
        return FoundName(label, "label") if label else FoundName("title", "title")
    word = _find_class_word(each.place)
    if word:
        return FoundName(word, "class")
    return FoundName("heading", "title") if _HEADING.search(each.place) else FoundName("", "place")


def _find_label(first: Sequence[VaryingText]) -> str:
    """Return the words that stand right before on most pages."""
    pairs = ((seen.near, seen.piece) for seen in first if seen.near)
    labels = (label.text for label, value in pairs if can_name(label, value) and not is_trail(label, value))
    near = Counter(label.strip(" :：*=") for label in labels if not TIME.search(label))
    for name, count in near.most_common(1):
        if count >= MIN_NAMED_SHARE * len(first) and len(name) <= MAX_LABEL_CHARS and name[:1].isalpha():
            return name
    return ""


def _find_class_word(place: str) -> str:
    """Return what the last classes and ids say of what stands there, in words."""
    for step in reversed(place.rstrip("=").split("/")[-NEAR_STEPS:]):
        for name in reversed(_CLASSES.findall(step)):
            words = [word.lower() for word in _WORDS.findall(name)]
            meaning = [word for word in words if word not in _STYLE_WORDS]
            if meaning:
                return " ".join(meaning)[:MAX_LABEL_CHARS]
    return ""


# -- what varies and is not the page's own: lists of links to others, and boxes whose content rotates

# Set by hand on the development part of SWDE (cars, books, cameras), measured on the part held back: `python -m bench attributes`.
MIN_LINK_SHARE: Final = 0.8  # of the texts at a place that are links
MIN_LIST_LINKS: Final = 4  # links on a page from which a list leads to other things; few books have as many authors
MIN_ROTATING_TEXTS: Final = 3  # on a page, from which a list can rotate
MIN_ROTATED_SHARE: Final = 0.3  # of these that other pages have at another number
MIN_BOX_STEPS: Final = 3  # steps that the parts of one box have in common
MAX_STEPS_IN_BOX: Final = 3  # steps below these
MIN_BOX_PAGE_SHARE: Final = 0.7  # of pages with as many texts at two places, which makes these parts of one box
MAX_BOX_LISTS: Final = 20  # lists of one box that others are compared with

Texts = Mapping[int, Sequence[VaryingText]]  # page -> texts


def drop_other_items(found: Sequence[VaryingPlace]) -> list[VaryingPlace]:
    """Return what is the page's own, as far as it can be recognised; links after a name are judged apart from those after another."""
    at: dict[PlacedText, dict[int, list[VaryingText]]] = defaultdict(lambda: defaultdict(list))
    for each in found:
        if COLUMN_MARK in each.place:  # what has a head is said of the page's own, links as well
            continue
        for page, texts in each.seen.items():
            at[each.place, each.label][page] += texts
    others = {key for key, texts in at.items() if _are_links(texts) or _rotate(texts)}
    beside = _find_beside(at, others)
    return [each for each in found if (each.place, each.label) not in others | beside]


# Which of several places that say the same is kept: the surest name first.
_SURE_NAMES: Final = ("json-ld", "itemprop", "label", "title", "class", "place")


def drop_copies(found: Sequence[VaryingPlace]) -> list[VaryingPlace]:
    """Return places without those that say the same as another on all pages: a title that stands in the trail of links, too."""

    def doubt(which: int) -> tuple[int, int]:
        return _SURE_NAMES.index(_find_name(found[which]).how), which

    kept: dict[tuple[tuple[int, tuple[str, ...]], ...], int] = {}
    for which in sorted(range(len(found)), key=doubt):
        said = tuple((page, tuple(seen.piece.text for seen in own)) for page, own in sorted(found[which].seen.items()))
        kept.setdefault(said, which)
    return [found[which] for which in sorted(kept.values())]


def _are_links(texts: Texts) -> bool:
    """Return True if a place holds a list of links."""
    every = [seen for own in texts.values() for seen in own]
    return len(every) >= MIN_LIST_LINKS * len(texts) and sum(
        bool(seen.piece.href) for seen in every
    ) >= MIN_LINK_SHARE * len(every)


def _rotate(texts: Texts) -> bool:
    """Return True if the same texts stand on several pages, each time at another number; those with names stand after them."""
    every = [seen for own in texts.values() for seen in own]
    if len(every) < MIN_ROTATING_TEXTS * len(texts) or any(seen.near for seen in every):
        return False
    numbers: dict[str, set[int]] = defaultdict(set)
    for own in texts.values():
        for number, seen in enumerate(own):
            numbers[seen.piece.text].add(number)
    return sum(len(own) > 1 for own in numbers.values()) >= MIN_ROTATED_SHARE * len(numbers)


def _find_beside(at: Mapping[PlacedText, Texts], others: Collection[PlacedText]) -> set[PlacedText]:
    """Return what stands in the same box as a list, with as many texts: prices beside links."""
    boxes: dict[str, list[PlacedText]] = defaultdict(list)
    for other in sorted(others):
        steps = other[0].split("/")
        boxes["/".join(steps[: max(MIN_BOX_STEPS, len(steps) - MAX_STEPS_IN_BOX)])].append(other)
    found = set()
    for key, texts in at.items():
        steps = key[0].split("/")
        around = ("/".join(steps[:count]) for count in range(MIN_BOX_STEPS, len(steps) + 1))
        for others_there in (at[other] for box in around for other in boxes.get(box, ())[:MAX_BOX_LISTS]):
            as_many = sum(len(texts.get(page, ())) == len(own) for page, own in others_there.items())
            if as_many >= MIN_BOX_PAGE_SHARE * len(others_there):
                found.add(key)
                break
    return found


# -- texts and their places: tags by class and id, cells by column, what JSON-LD declares by its keys

# Bounds on the work, beside what the largest pages at hand have; the share as those above.
MAX_TEXTS: Final = 4_000  # of one page; long pages of documentation have two thousand
MAX_PLACE_CHARS: Final = 800  # of a place, from which its steps are written without classes; most have 200
MAX_TAG_DEPTH: Final = 80  # tags in tags; as deep as trees are read
MAX_DECLARED_VALUES: Final = 300  # values that the scripts of one page declare
MAX_SCRIPT_PARTS: Final = 5_000  # of all scripts of one page that are looked at
MIN_USUAL_PAGE_SHARE: Final = 0.8  # of pages with a class or id that make it a part of the template
MAX_COPYRIGHT_CHARS: Final = 160  # of a line of copyright; a longer text only ends with one
JSON_LD_PLACE: Final = "json-ld"  # how the places of declared values begin

_JSON = "application/ld+json"
_SKIPPED_TAGS = frozenset({"nav", "footer", "base", "script"})
_ID = re.compile(r"[A-Za-z][A-Za-z_-]{0,39}")  # an id with digits numbers its tag
_BLOCKS = frozenset(  # cells and terms are none: a name in a link stands beside its value there
    "address article aside blockquote div dl fieldset figure form h1 h2 h3 h4 h5 h6 header li main ol p pre section table "
    "tr ul".split()
)
_LEADING_COLON = re.compile(r"\A[:：]\s+")
_NAMES = re.compile(r"(?=[.#])")
_VALUED = ("content", "datetime")
_COPYRIGHT = re.compile(r"©|^\s*copyright\b(?!\s*(?:$|[:：]))", re.IGNORECASE)  # the word alone is the name of a year

BLOCK_BORDER: Final = TextPiece("", "")  # stands where a block begins or ends after a link, which names nothing beyond

CellHeads = dict[int, str | None]  # the heads of cells by their identity; nothing for cells that are heads


def read_texts(tree: Node) -> list[TextPiece]:
    """Return the texts of a page in their order, after what its scripts declare."""
    return [*_read_declared(tree), *_read_shown(tree)]


def learn_usual_classes(pages: Sequence[Sequence[TextPiece]]) -> frozenset[str]:
    """Return the classes and ids, with their tags, that nearly all pages have: others tell a state, such as sold out."""
    counts: Counter[str] = Counter()
    for page in pages:
        steps = {step for place in {piece.place for piece in page} for step in place.split("/")}
        parted = (_NAMES.split(step) for step in steps)
        counts.update({f"{head}{name}" for head, *names in parted for name in names})
    return frozenset(
        sign for sign, count in counts.items() if count >= MIN_USUAL_PAGE_SHARE * len(pages)
    ) | learn_columns(pages)


def keep_usual_classes(page: Sequence[TextPiece], usual: Collection[str]) -> list[TextPiece]:
    """Return the texts of a page with places by usual classes and ids; a tag that has none of these keeps its own."""
    known: dict[str, str] = {}
    found = []
    for piece in page:
        if piece.place not in known:
            steps = []
            for step in piece.place.split("/"):
                head, *names = _NAMES.split(step)
                kept = [name for name in names if f"{head}{name}" in usual]
                if COLUMN_MARK in step:
                    steps.append(step if step in usual else step.partition(COLUMN_MARK)[0])
                else:
                    steps.append("".join((head, *kept)) if kept else step)
            known[piece.place] = "/".join(steps)
        found.append(piece._replace(place=known[piece.place]))
    return found


def _read_shown(tree: Node) -> list[TextPiece]:
    found: list[TextPiece] = []
    heads: CellHeads = {}
    waiting: list[tuple[Node | TextPiece, TextPiece, int]] = [(tree, TextPiece("", ""), 0)]
    while waiting and len(found) < MAX_TEXTS:
        part, around, depth = waiting.pop()
        if isinstance(part, TextPiece):
            found += [part] if part.text or (found and found[-1].href) else []
        elif depth < MAX_TAG_DEPTH and not _is_copyright(part):
            heads.update(find_column_heads(part) if part.tag == "table" else ())
            pauses = [(BLOCK_BORDER, around)] if part.tag in _BLOCKS else []
            inside = [*pauses, *_open_tag(part, around, heads), *pauses]
            waiting.extend(reversed([(each, own, depth + 1) for each, own in inside]))
    return found


def _is_copyright(node: Node) -> bool:
    """Return True if a tag holds a line of copyright and nothing else."""
    if not any(_COPYRIGHT.search(text[: 2 * MAX_PIECE_CHARS]) for text in node.texts):
        return False
    whole = text_of(node)
    return len(whole) <= MAX_COPYRIGHT_CHARS and bool(_COPYRIGHT.search(whole))


def _open_tag(node: Node, around: TextPiece, heads: CellHeads) -> Iterator[tuple[Node | TextPiece, TextPiece]]:
    """Yield the texts and tags in a tag, each with the place, link and property that hold for what stands in it."""
    line: list[str] = []
    column = 0
    for part in node.content:
        if isinstance(part, str):
            line.append(part)
        elif part.tag in HIGHLIGHT_TAGS:
            line += part.texts
        elif part.tag not in _SKIPPED_TAGS:
            yield from _end_line(line, around)
            column += width_of(part)
            head = heads.get(id(part), "")
            if head is not None:
                own = part.attribute("id")
                sign = f"{COLUMN_MARK}{head}" if head else f"#{own}" if own and _ID.fullmatch(own) else ""
                yield _enter_tag(part, around, f"{write_step(part, column)}{sign}")
    yield from _end_line(line, around)


def _enter_tag(part: Node, around: TextPiece, written: str) -> tuple[Node | TextPiece, TextPiece]:
    step = written if len(around.place) < MAX_PLACE_CHARS else part.tag
    place = f"{around.place}/{step}" if around.place else step
    own = part.attribute("itemprop") or part.attribute("property")
    is_thing = bool(part.attribute("itemtype") or part.attribute("typeof"))
    prop = "" if is_thing else own or around.prop
    href = part.attribute("href") if part.tag == "a" else around.href
    inside = TextPiece(place, "", href, prop)
    said = next((part.attribute(name) for name in _VALUED if own and part.attribute(name)), "")
    return (inside._replace(text=_one_line(said)) if said else part), inside


def _end_line(line: list[str], around: TextPiece) -> Iterator[tuple[TextPiece, TextPiece]]:
    text = _one_line("".join(line))
    text = _LEADING_COLON.sub("", text)  # after a name in a tag of its own
    line.clear()
    if any(map(str.isalnum, text)):
        yield around._replace(text=text), around


def _one_line(text: str) -> str:
    return " ".join(text[: 2 * MAX_PIECE_CHARS].split())[:MAX_PIECE_CHARS]


def _read_declared(tree: Node) -> list[TextPiece]:
    """Return the values in the scripts of a page: json-ld/Product/offers/price."""
    found: list[TextPiece] = []
    waiting = list(reversed([(JSON_LD_PLACE, said) for said in _read_scripts(tree)]))
    for _ in range(MAX_SCRIPT_PARTS):
        if not waiting or len(found) >= MAX_DECLARED_VALUES:
            break
        place, part = waiting.pop()
        if isinstance(part, dict):
            waiting.extend(reversed(list(_enter_thing(place, part))))
        elif isinstance(part, list):
            waiting.extend((place, each) for each in reversed(part[:MAX_DECLARED_VALUES]))
        elif isinstance(part, str | int | float) and not isinstance(part, bool) and _one_line(str(part)):
            found.append(TextPiece(place, _one_line(str(part))))
    return found


def _read_scripts(tree: Node) -> Iterator[Any]:
    for script in tree.children[:MAX_DECLARED_VALUES]:
        if script.tag == "script" and script.attribute("rel") == _JSON:
            try:
                yield orjson.loads("".join(script.texts))
            except ValueError:  # a script with a mistake declares nothing
                continue


def _enter_thing(place: str, thing: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    kind = thing.get("@type")
    above = f"{place}/{kind}" if isinstance(kind, str) and place.count("/") < 1 else place
    for key, value in list(thing.items())[:MAX_DECLARED_VALUES]:
        if not key.startswith("@") and above.count("/") < MAX_TAG_DEPTH:
            yield (above if key == "name" and above.count("/") > 1 else f"{above}/{key}"), value


# -- learning and reading

# Bounds on the work; shares were set by hand on the development part of SWDE, too.
PAGE_WRAPPER_VERSION: Final = 2  # since 2 places of cells have the heads of their columns; older files lack these
MIN_PAGES: Final = 2  # what varies is seen on two pages at least
MAX_LEARNED_PAGES: Final = 30  # that are learned from; more teach little
MAX_PAGE_ATTRIBUTES: Final = 300  # places of one template; long lists of technical facts have half of it
MAX_PAGE_VALUES: Final = 1_000  # of one page
MIN_ATTRIBUTE_PAGE_SHARE: Final = 0.15  # of pages with a text at a place, below which it is chance
MAX_MEAN_VALUES: Final = 3  # texts at one place of a page, on average, that can be the values of one attribute
MIN_NUMBERED_SHARE: Final = 0.7  # of pages with as many texts after a name that make a number of each of them
SHARE_ROUNDING: Final = 0.001  # what a share that is written down may be off


class BadName(BadInput):
    """An attribute has a name that cannot be a column."""


class PageAttribute(Struct, frozen=True, forbid_unknown_fields=True):
    """An attribute of pages of a template; those with one name are where it stands on different pages."""

    name: str
    how: str  # how the name was found: label, itemprop, json-ld, title, class or place
    label: str = ""  # the text of the template that it stands after, folded; nothing where the place is enough
    place: str = ""
    number: int = 0  # which of the texts there, counted from 1; 0 for all of them
    share: float = 1.0  # of the pages learned from that have it


@dataclass(frozen=True, slots=True)
class PageWrapper:
    """How pages of one template are made."""

    attributes: tuple[PageAttribute, ...] = ()
    fixed: TemplateTexts = field(default_factory=TemplateTexts)
    usual: frozenset[str] = frozenset()  # classes and ids, with their tags, that places are told by
    learned_from: int = 0  # pages
    version: int = PAGE_WRAPPER_VERSION

    def to_dict(self) -> dict[str, Any]:
        """Return it as what JSON can hold."""
        texts, inside = _group(self.fixed.texts), _group(self.fixed.inside)
        stored = _StoredPageWrapper(self.version, self.learned_from, self.attributes, texts, inside, self.usual)
        plain: dict[str, Any] = msgspec.to_builtins(stored, order="deterministic")
        return plain

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> PageWrapper:
        """Return the wrapper that was stored."""
        if stored.get("version") != PAGE_WRAPPER_VERSION:
            given = str(stored.get("version"))[:20]
            raise BadInput(
                f"the page wrapper of the pattern is of version {given}, not {PAGE_WRAPPER_VERSION}; --relearn learns the pattern again"
            )
        try:
            found = msgspec.convert(stored, _StoredPageWrapper)
        except msgspec.ValidationError as error:
            raise BadInput(f"not a wrapper of pages: {error}") from error
        _check_names(found.attributes)
        fixed = TemplateTexts(_ungroup(found.texts), _ungroup(found.inside))
        return cls(found.attributes, fixed, found.usual, found.learned_from)


class _StoredPageWrapper(Struct, frozen=True):
    """A page wrapper as a pattern file has it: each place of texts of the template is written once."""

    version: int
    learned_from: int
    attributes: tuple[PageAttribute, ...]
    texts: dict[str, tuple[str, ...]]  # by place
    inside: dict[str, tuple[str, ...]]
    usual: frozenset[str]


def _check_names(attributes: Sequence[PageAttribute]) -> None:
    """Refuse names that cannot be columns; places with one name are told apart by the pages they are on, so there are pages for all."""
    shares: Counter[str] = Counter()
    for place, each in enumerate(attributes):
        shares[each.name] += each.share  # type: ignore[assignment]  # a Counter of shares
        where, name = f"attributes[{place}].name", each.name[:60]
        if not each.name.strip():
            raise BadName(f"{where} is empty")
        if each.name.startswith(PAGE_COLUMN_PREFIX):
            raise BadName(f"{where} {name!r} begins with {PAGE_COLUMN_PREFIX!r}, as columns about the page do")
        if shares[each.name] > 1 + SHARE_ROUNDING * len(attributes):
            raise BadName(f"{where} {name!r} is the name of another attribute, too")


def _group(keys: Iterable[PlacedText]) -> dict[str, tuple[str, ...]]:
    """Return texts by their places, each place written once."""
    grouped: dict[str, list[str]] = {}
    for place, text in sorted(keys):
        grouped.setdefault(place, []).append(text)
    return {place: tuple(texts) for place, texts in grouped.items()}


def _ungroup(grouped: Mapping[str, Sequence[str]]) -> frozenset[PlacedText]:
    return frozenset((place, text) for place, texts in grouped.items() for text in texts)


def learn_page_wrapper(trees: Sequence[Node]) -> PageWrapper:
    """Return how pages of one template are made, from two of them or more."""
    if len(trees) < MIN_PAGES:
        raise BadInput(f"what varies is seen on {MIN_PAGES} pages or more; {len(trees)} given")
    read = [read_texts(tree) for tree in trees[:MAX_LEARNED_PAGES]]
    usual = learn_usual_classes(read)
    pages = [keep_usual_classes(page, usual) for page in read]
    fixed, named = learn_template_texts(pages)
    found = drop_copies(drop_other_items(_find_varying(pages, fixed, named)))[:MAX_PAGE_ATTRIBUTES]
    attributes = tuple(
        PageAttribute(*called, each.label, each.place, each.number, round(len(each.seen) / len(pages), 3))
        for each, called in zip(found, name_attributes(found), strict=True)
    )
    return PageWrapper(attributes, _keep_needed(fixed, pages, attributes), usual, len(pages))


def _find_varying(
    pages: Sequence[Sequence[TextPiece]], fixed: TemplateTexts, named: Collection[str]
) -> list[VaryingPlace]:
    """Return the places of what varies; what stands after a name is a value though it may not vary."""
    at: dict[str, dict[int, list[VaryingText]]] = defaultdict(lambda: defaultdict(list))
    for number, page in enumerate(pages):
        for seen in find_varying_texts(page, fixed):
            at[seen.piece.place][number].append(seen)
    least = max(MIN_PAGES, MIN_ATTRIBUTE_PAGE_SHARE * len(pages))
    often = {place: texts for place, texts in at.items() if len(texts) >= least}
    found: list[VaryingPlace] = []
    for place, texts in often.items():
        if COLUMN_MARK in place:
            found.append(VaryingPlace("", place, 0, dict(texts)))
        elif place in named or place.endswith(VALUE_MARK):
            found += _find_under(place, texts, least)
        else:
            for each in _find_at(place, texts, least):
                values = {seen.piece.text for own in each.seen.values() for seen in own}
                found += [each] if len(values) > 1 else []
    return found


def _find_at(place: str, texts: Mapping[int, list[VaryingText]], least: float) -> Iterator[VaryingPlace]:
    """Yield what stands at a place without names: by numbers, as one list, or after texts of the template."""
    count, often = Counter(map(len, texts.values())).most_common(1)[0]
    if often >= MIN_STEADY_SHARE * len(texts) and count <= MAX_NUMBERED_TEXTS:
        yield from _number_texts("", place, texts, count)
        return
    parts = list(_find_under(place, texts, least))
    come_and_go = any(len(each.seen) < MIN_STEADY_SHARE * len(texts) for each in parts)
    if come_and_go and sum(map(len, texts.values())) <= MAX_MEAN_VALUES * len(texts):
        yield VaryingPlace("", place, 0, dict(texts))
    else:
        yield from parts


def _find_under(place: str, texts: Mapping[int, list[VaryingText]], least: float) -> Iterator[VaryingPlace]:
    """Yield what stands at a place, by the text of the template before it."""
    under: dict[str, dict[int, list[VaryingText]]] = defaultdict(lambda: defaultdict(list))
    for page, own in texts.items():
        for seen in own:
            under[seen.label][page].append(seen)
    for label, own_texts in under.items():
        count, often = Counter(map(len, own_texts.values())).most_common(1)[0]
        is_list = count == 1 or count > MAX_NUMBERED_TEXTS or often < MIN_NUMBERED_SHARE * len(own_texts)
        if len(own_texts) >= least:
            yield from _number_texts(label, place, own_texts, 0 if is_list else count)


def _number_texts(label: str, place: str, texts: Mapping[int, list[VaryingText]], count: int) -> Iterator[VaryingPlace]:
    if not count:
        yield VaryingPlace(label, place, 0, dict(texts))
    for number in range(1, count + 1):
        own = {page: [each[number - 1]] for page, each in texts.items() if len(each) >= number}
        yield VaryingPlace(label, place, number, own)


def _keep_needed(
    fixed: TemplateTexts, pages: Sequence[Sequence[TextPiece]], attributes: Sequence[PageAttribute]
) -> TemplateTexts:
    """Return the texts of the template that what stands at the places of attributes comes after, or that stand there."""
    places = {each.place for each in attributes}
    labels = {seen.label for page in pages for seen in find_varying_texts(page, fixed) if seen.piece.place in places}
    parted = {place.removesuffix(VALUE_MARK) for place in places}
    texts = frozenset(key for key in fixed.texts if key[0] in places | parted or key[1] in labels)
    return TemplateTexts(texts, frozenset(key for key in fixed.inside if key[0] in parted))


def read_page_values(wrapper: PageWrapper, tree: Node) -> tuple[Value, ...]:
    """Return what a page of the template says of its attributes, in the order of the page."""
    by_place: dict[str, list[PageAttribute]] = defaultdict(list)
    for each in wrapper.attributes:
        by_place[each.place].append(each)
    counts: Counter[tuple[str, str]] = Counter()
    found: dict[Value, None] = {}
    for seen in find_varying_texts(keep_usual_classes(read_texts(tree), wrapper.usual), wrapper.fixed):
        place = seen.piece.place
        counts["", place] += 1
        counts[seen.label, place] += 1
        for each in by_place.get(place, ()):
            if each.label in ("", seen.label) and each.number in (0, counts[each.label, place]):
                found.setdefault(Value(each.name, seen.piece.text))
        if len(found) >= MAX_PAGE_VALUES:
            break
    return tuple(found)[:MAX_PAGE_VALUES]


# -- the names and values of any page of a record, without a template: in pairs

# Bounds on the work; a longer name is a sentence: names of SWDE have 40 at most.
MAX_PAIRS: Final = 200  # of one page
MAX_PAIR_NAME_CHARS: Final = 40  # of a name
MAX_DETAIL_VALUE_CHARS: Final = 10_000  # of a value
_LABELLED = re.compile(r"\A\s*([^\W\d][^:：\n]{0,38}?)\s*[:：]\s*(\S.{0,9999})\Z", re.DOTALL)
_MENUS = frozenset({"nav", "header", "footer", "aside", "form"})
_BLOCK_TAGS = ("div", "p", "ul", "ol", "dl", "table", "section", "li", "tr")


def read_detail(tree: Node) -> tuple[Value, ...]:
    """Return the attributes of a record from its own page, without what stands in its menus."""
    found: dict[Value, None] = {}
    for value in _find_pairs(_without_menus(tree)):
        found.setdefault(value)
        if len(found) >= MAX_PAIRS:
            break
    return tuple(found)


def _without_menus(tree: Node) -> Node:
    content = tuple(
        _without_menus(part) if isinstance(part, Node) else part
        for part in tree.content
        if isinstance(part, str) or part.tag not in _MENUS
    )
    return Node(tree.tag, tree.attributes, content)


def _find_pairs(tree: Node) -> Iterator[Value]:
    for node in find_nodes(tree):
        if node.tag == "h1":
            yield from _make_value("title", text_of(node))
        elif node.tag == "dl":
            yield from _read_list(node)
        elif node.tag == "tr":  # with a heading cell, or two cells of which the first is a name
            cells = [child for child in node.children if child.tag in ("th", "td")]
            if len(cells) == 2 and (cells[0].tag == "th") >= (cells[1].tag == "th"):
                yield from _make_value(text_of(cells[0]), text_of(cells[1]))
        elif node.tag in ("li", "p", "div", "td", "span") and not any(
            child.tag in _BLOCK_TAGS for child in node.children
        ):
            found = _LABELLED.match(text_of(node))
            yield from _make_value(found[1], found[2]) if found else ()
        if node.attribute("itemprop"):
            said = node.attribute("content") or node.attribute("datetime") or text_of(node)
            yield from _make_value(node.attribute("itemprop"), said)


def _read_list(node: Node) -> Iterator[Value]:
    name = ""
    for child in node.children:
        inner = child.children if child.tag == "div" else (child,)
        for part in inner:
            if part.tag == "dt":
                name = text_of(part)
            elif part.tag == "dd":
                yield from _make_value(name, text_of(part))


def _make_value(name: str, text: str) -> Iterator[Value]:
    name = name.strip(" :：*\t")
    if name and text and len(name) <= MAX_PAIR_NAME_CHARS:
        yield Value(name, text[:MAX_DETAIL_VALUE_CHARS])
