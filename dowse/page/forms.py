"""The forms of a page as a browser has them: which controls, under which labels, with which choices."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from dowse.model import Field, Form, Option
from dowse.page.captions import BOXES, NOTHING, Beside, Captions, Labels, find_heading, is_end
from dowse.page.formless import are_new, find_panels, finish_panel, write_panel
from dowse.page.layout import MAX_NODES, Layout
from dowse.page.parser import (
    DOCUMENT,
    FILLED_TAGS,
    MAX_CLIMB,
    Above,
    Bounds,
    HtmlNode,
    MarkupKeys,
    TagPaths,
    Tree,
    attribute,
    find_inside,
    is_same,
)
from dowse.page.text import collapse, read_seen_words
from dowse.url import MAX_LENGTH, Base

MAX_FORMS = 200
MAX_FIELDS = 500
MAX_OPTIONS = 1_000
MAX_WORDS = 200  # characters of a name, a title, a choice
MAX_VALUE = 65_536  # a longer one (state that some servers keep in the page) is left out whole
MAX_TEXT = 1_000
MAX_TEXT_PARTS = 400
MAX_ALL_NODES = 40_000  # tags and texts that are walked for the layout of all forms
MAX_WRITTEN = 2_000_000  # characters of the forms of a page that are compared with those of other pages
MAX_REMEMBERED = 20_000  # characters of a form whose key is remembered
MAX_TIED = 5_000  # controls that are looked at for the form they name

_TAGS = re.compile(r"<(?:form|input|select|textarea|button)\b[^>]*>")
_DRAWN = re.compile(
    r'(?<= type="hidden")[^<>]* value="[^"\d]*+\d[^"]*+"[^<>]*|<input\b[^<>]* value="[^"\d]*+\d[^"]*+"(?=[^<>]* type="hidden")'
)
_METHODS = {"post": "POST", "dialog": "DIALOG"}
_BUTTONS = frozenset({"submit", "reset", "button"})
_HINTS = frozenset({"placeholder", "title", "aria-label"})
_UNASKED = _BUTTONS | {"image", "hidden"}


class FoundControls(NamedTuple):
    """A form with the controls a browser gives it."""

    number: int
    element: HtmlNode
    fields: tuple[Field, ...]
    heading: str = ""


class _Met(NamedTuple):
    """A control as it is met, before its words are known."""

    control: HtmlNode
    tag: str
    given: Mapping[str, Any]
    kind: str
    label: str


def find_fields(tree: Tree, bounds: Bounds, keys: MarkupKeys, base: Base) -> tuple[list[FoundControls], int]:
    """Return the new forms of a page by number, with the controls a browser gives them; and count all."""
    forms = tree.forms
    kept = bounds.keep("forms", forms, MAX_FORMS)
    new = _find_new(tree, kept, keys, base)
    if not new and (not may_be_loose(tree, forms) or not are_new(tree, forms, keys)):
        return [], len(kept)
    labels = Labels(tree)
    owned, outside = _find_owned(tree, forms, labels)
    reader = _ControlReader(labels, bounds)
    found = [FoundControls(number, kept[number], *reader.read(kept[number], owned[number])) for number in new]
    number = len(kept)
    for panel in bounds.keep("forms", find_panels(outside, tree, labels.of), MAX_FORMS - len(kept)):
        if keys.is_new("panel", write_panel(panel), index=number):
            found.append(FoundControls(number, panel.element, *reader.read(panel.element, panel.controls)))
            number += 1
    return found, len(kept)


def _find_new(tree: Tree, forms: Sequence[HtmlNode], keys: MarkupKeys, base: Base) -> Sequence[int]:
    """Return the numbers of the forms that the site has not shown before."""
    # the tags of controls that name a form by its id, wherever they stand
    tied: dict[str, str] = {}
    if any(attribute(form, "id") for form in forms):
        for control in tree.controls[:MAX_TIED]:
            named = attribute(control, "form")
            if named:
                tied[named] = tied.get(named, "") + "".join(_TAGS.findall((control.html or "")[:MAX_LENGTH])[:1])

    new: list[int] = []
    room = MAX_WRITTEN
    for number, form in enumerate(forms):
        # A form without a control inside is always new: broken markup keeps its controls elsewhere.
        # One that sends to its own page is known by its words too.
        own = _names_own_page(form)
        written = (form.html or "") if room > 0 else ""  # forms nest: each of them holds the next
        room -= len(written)
        find_key = _find_key if len(written) <= MAX_REMEMBERED else _find_key.__wrapped__
        controls, markup = find_key(written, own)
        action = "" if own else _read_action(form, "", base)
        if controls < 1 or keys.is_new(markup, tied.get(attribute(form, "id") or "", ""), action, index=number):
            new.append(number)
    return new


@lru_cache(maxsize=300)
def _find_key(written: str, own: bool) -> tuple[int, str]:
    """Return how many controls stand in a form as it is written, and what it is known by: its tags, without values that change."""
    tags = _TAGS.findall(written)
    return len(tags) - 1, _DRAWN.sub("", written if own else "".join(tags))


class _ControlReader:
    """Reads the controls of forms; forms in one broken table share the look at its layout."""

    def __init__(self, labels: Labels, bounds: Bounds) -> None:
        self._labels = labels
        self._bounds = bounds
        self._layouts: dict[int, Layout] = {}
        self._nodes = MAX_ALL_NODES

    def read(self, form: HtmlNode, controls: Sequence[HtmlNode]) -> tuple[tuple[Field, ...], str]:
        """Return the fields of a form, and what stands over it."""
        met = [self._meet(control) for control in self._bounds.keep_fields(controls, MAX_FIELDS)]
        beside: Mapping[Any, Beside] = {}
        heading = ""
        asked = [each for each in met if each.kind not in _UNASKED]
        layout = self._look(form, asked) if _wants_words(asked) else None
        if layout is not None:
            named = {each.control: each.label for each in met if each.label}
            hinted = {each.control for each in asked if not _HINTS.isdisjoint(each.given)}
            kinds = {each.control: each.kind for each in met}
            captions = Captions(layout, kinds, named, hinted, layout.starts.get(form, (0, 0)))
            captions.find()
            beside, heading = captions.beside, captions.heading
        fields = tuple(
            [_read_field(each, beside.get(each.control, NOTHING), self._labels, self._bounds) for each in met]
        )
        return fields, heading or (find_heading(form) if fields else "")

    def _meet(self, control: HtmlNode) -> _Met:
        given = control.attributes  # in one call: a control is asked for a dozen
        tag = control.tag or ""
        kind = _read_type(tag, given)
        return _Met(control, tag, given, kind, "" if kind == "hidden" else self._labels.of(control, given))

    def _look(self, form: HtmlNode, met: Sequence[_Met]) -> Layout | None:
        """Return the layout of a form, as long as the page has not been walked too often."""
        root = _find_root(form, met[0].control, met[-1].control)
        layout = self._layouts.get(root.mem_id)
        if layout is None and self._nodes > 0:
            alone = is_same(root, form)
            last = met[-1].control if alone and len(met) < MAX_FIELDS else None
            layout = Layout(root, self._labels.is_taken, min(MAX_NODES, self._nodes), last)
            self._nodes -= layout.walked
            if not alone:
                self._layouts[root.mem_id] = layout
        return layout


def _wants_words(asked: list[_Met]) -> bool:
    """Return True if it matters where controls stand: one has no label, or is a box of a group; a lone box may say it itself."""
    if len(asked) == 1 and asked[0].kind not in BOXES and not _HINTS.isdisjoint(asked[0].given):
        return False
    return any(not each.label or each.kind in BOXES or is_end(each.label) for each in asked)


def _find_root(form: HtmlNode, first: HtmlNode, last: HtmlNode) -> HtmlNode:
    """Return the lowest element around a form and its controls: the form itself, unless markup is broken."""
    root = form
    for control in (first, last):
        around = {place.mem_id for place in islice(_climb(control), MAX_CLIMB)}
        if is_same(root, form) and form.mem_id in around:
            continue
        root = next((place for place in islice(_climb(root), MAX_CLIMB) if place.mem_id in around), form)
    return root


def _climb(element: HtmlNode | None) -> Iterator[HtmlNode]:
    while element is not None:
        yield element
        element = element.parent


def _find_owned(tree: Tree, forms: Sequence[HtmlNode], labels: Labels) -> tuple[list[list[HtmlNode]], list[HtmlNode]]:
    """Return the controls of each form and those of none, and tell the labels what stands inside them."""
    controls = tree.controls
    labels.know(controls)
    climbing = Above(forms)
    above = [climbing.of(control) for control in controls]
    numbers = {form.mem_id: number for number, form in enumerate(forms)}
    owners = find_owners(tree, [form for form, _ in above])
    owned: list[list[HtmlNode]] = [[] for _ in (*forms, None)]
    for control, owner, (_, label) in zip(controls, owners, above, strict=True):
        if label is not None:
            labels.wrap(label, control)
        named = attribute(control, "form")
        if named is not None:
            holder = labels.find_id(named)
            owner = numbers.get(holder.mem_id, -1) if holder is not None else -1
        owned[owner].append(control)  # the last is for those of none
    return owned[:-1], owned[-1]


def read_form(found: FoundControls, text: str, url: str, base: Base, path_of: TagPaths, encoding: str = "") -> Form:
    """Return one form with its own attributes."""
    element = found.element
    form = Form(
        index=found.number,
        method=_METHODS.get((attribute(element, "method") or "").strip().lower(), "GET"),
        action=_read_action(element, url, base),
        fields=found.fields,
        id=_words(element, "id"),
        name=_words(element, "name"),
        css=_words(element, "class"),
        role=find_role(element),
        text=text,
        enctype=_words(element, "enctype").lower(),
        path=path_of(element),
        own_page=_names_own_page(element),
        heading=found.heading,
        charset=_read_charset(element, encoding),
    )
    return form if element.tag == "form" else finish_panel(form, element, base)


def read_form_text(element: HtmlNode, fields: tuple[Field, ...]) -> str:
    """Return the words in a form; of one opened in a table, which is left empty, those of the table."""
    text = read_seen_words(element, MAX_TEXT, MAX_TEXT_PARTS)
    if text or not fields or element.parent is None:
        return text
    return read_seen_words(element.parent, MAX_TEXT, MAX_TEXT_PARTS)


def _read_charset(element: HtmlNode, encoding: str) -> str:
    """Return what values are encoded in: as the form asks for, else as the page is; nothing means UTF-8."""
    asked = (attribute(element, "accept-charset") or "").replace(",", " ").split()
    charset = asked[0].lower()[:MAX_WORDS] if asked else encoding
    return "" if charset in ("utf-8", "utf8") else charset


def _names_own_page(element: HtmlNode) -> bool:
    """Return True if a form names no address but that of its page."""
    return (attribute(element, "action") or "").partition("#")[0].strip() in ("", "?")


def _read_action(element: HtmlNode, url: str, base: Base) -> str:
    action = (attribute(element, "action") or "").strip()
    if not action:
        return url  # the standard: the page itself, whatever its base
    return (len(action) <= MAX_LENGTH and base.resolve(action)) or ""


def _read_field(met: _Met, beside: Beside, labels: Labels, bounds: Bounds) -> Field:
    control, tag, given, kind, label = met
    name, id = (given.get("name") or "")[:MAX_WORDS], (given.get("id") or "")[:MAX_WORDS]
    if kind == "hidden":
        return Field(name, kind, id, value=_read_value(control, kind, given, (), bounds))
    options = _read_options(control, tag, given, labels, bounds)
    if kind == "image" and not label:
        label = collapse(given.get("alt") or "", MAX_WORDS)
    if beside.near and not label and labels.shares(control):
        label, beside = beside.near, beside._replace(near="")
    return Field(
        name,
        kind,
        id,
        label,
        _read_value(control, kind, given, options, bounds),
        (given.get("placeholder") or "")[:MAX_WORDS],
        (given.get("title") or "")[:MAX_WORDS],
        options,
        "required" in given,
        "multiple" in given,
        "checked" in given,
        (given.get("autocomplete") or "")[:MAX_WORDS],
        collapse(given["aria-label"] or "", MAX_WORDS) if "aria-label" in given else "",
        beside.near,
        beside.group,
        "style" in given and _is_unseen(given["style"] or ""),
    )


def _is_unseen(style: str) -> bool:
    """Return True if a style hides the control that has it: a trap for programs, or state that a script fills in."""
    bare = style[:1000].replace(" ", "").lower()
    return "display:none" in bare or "visibility:hidden" in bare


def _read_type(tag: str, given: Mapping[str, Any]) -> str:
    if tag == "input":
        return (given.get("type") or "").strip().lower()[:MAX_WORDS] or "text"
    if tag == "button":
        kind = (given.get("type") or "").strip().lower()
        return kind if kind in _BUTTONS else "submit"
    return tag


def _read_value(
    control: HtmlNode, kind: str, given: Mapping[str, Any], options: tuple[Option, ...], bounds: Bounds
) -> str:
    """Return what a browser would send when nobody touched the control."""
    if kind == "select":
        return _chosen("multiple" in given, options)
    value = control.text() if kind == "textarea" else given.get("value")
    if value is None:
        return "on" if kind in ("checkbox", "radio") and "value" not in given else ""
    if len(value) > MAX_VALUE:
        bounds.drop("values")
        return ""
    return str(value)


def _chosen(several: bool, options: tuple[Option, ...]) -> str:
    selected = [option.value for option in options if option.selected]
    if several:
        return selected[0] if selected else ""
    return selected[-1] if selected else options[0].value if options else ""


def _read_options(
    control: HtmlNode, tag: str, given: Mapping[str, Any], labels: Labels, bounds: Bounds
) -> tuple[Option, ...]:
    """Return the choices of a select, or those that a datalist suggests for a text field."""
    holder: HtmlNode | None = None
    if tag == "select":
        holder = control
    elif tag == "input" and given.get("list"):
        holder = labels.find_id(given["list"])
        if holder is not None and holder.tag != "datalist":
            holder = None
    if holder is None:
        return ()
    return tuple(_list_options(bounds.keep_options(find_inside(holder, "option"), MAX_OPTIONS)))


def _list_options(options: Sequence[HtmlNode]) -> Iterator[Option]:
    for option in options:
        text = " ".join(option.text().split())[:MAX_WORDS].rstrip()
        value = attribute(option, "value")
        yield Option(
            text if value is None else value[:MAX_LENGTH],
            text or (attribute(option, "label") or "")[:MAX_WORDS],
            attribute(option, "selected") is not None,
        )


def _words(element: HtmlNode, name: str) -> str:
    value = attribute(element, name)
    return value[:MAX_WORDS] if value else ""


# --- owner
# Which form a control belongs to, by the rule of browsers.
#
# The HTML standard's parser keeps a *form element pointer*: a control belongs to the form
# that was opened before it in the source and not yet closed, wherever the finished tree puts
# either of them (a form inside a table is left empty, its fields stand beside it). Where no
# form is open, the nearest form above the control owns it; a `form` attribute outranks both.

MAX_ENDS = 2_000  # closing tags looked at
MAX_ROLE = 4  # levels from a form up to a search landmark
MANY_FORMS = 20  # more forms than this are not counted one by one
MAX_TAGS = 20_000  # of forms and controls

# What stands in comments, scripts and the like is no tag; they are jumped over, since to look for the end of
# one letter by letter would take longer than to parse the page.
_NEXT = re.compile(
    r"<(?:(!--)|(script|style|textarea|title|xmp|iframe|noembed|noframes)(?=[\s/>])"
    r"|(/form)(?=[\s/>])|(form)(?=[\s/>])|(?:input|select|button)(?=[\s/>]))",
    re.IGNORECASE | re.ASCII,
)
_COMMENT_END = re.compile(r"--!?>")
_PLACED = re.compile(r"<(?:form|input|select|textarea|button)(?=[\s/>])", re.IGNORECASE | re.ASCII)
_AT = "data-dowse-at"


def find_owners(tree: Tree, above: Sequence[int]) -> list[int]:
    """Return the number of each control's form, or -1, leaving `form` attributes aside.

    Above each control is the number of the nearest form, or -1. Where as many controls follow the
    start of a form in the source as stand in forms of the tree, the tree tells the truth.
    """
    known = set(above)
    full = len(known - {-1}) == len(tree.forms)  # no form is empty
    if not tree.forms or (full and -1 not in known):
        return list(above)
    ends, count = _look_through(tree.source)
    if full and count == sum(nearest >= 0 for nearest in above):
        return list(above)
    return _find_by_position(tree, above, ends, full)


def _find_by_position(tree: Tree, above: Sequence[int], ends: Sequence[int], full: bool) -> list[int]:
    positions = _find_positions(tree)
    starts = ((positions.get(form.mem_id, 0), number) for number, form in enumerate(tree.forms))
    events = sorted([*starts, *((end, -1) for end in ends)])
    places = [place for place, _ in events]
    owners = []
    for control, nearest in zip(tree.controls, above, strict=True):
        if full and nearest >= 0:
            owners.append(nearest)
            continue
        before = bisect(places, positions.get(control.mem_id, 0)) - 1
        opened = events[before][1] if before >= 0 else -1
        owners.append(nearest if opened < 0 else opened)
    return owners


def _find_positions(tree: Tree) -> dict[int, int]:
    """Return how many characters stand before each form and control.

    The parser does not tell. So the source is parsed again, with its place written into each tag
    that matters: the tree is the same but for these attributes.
    """
    marked = Tree(_PLACED.sub(lambda found: f"{found[0]} {_AT}={found.start()} ", tree.source))
    if len(marked.asking) != len(tree.asking):
        return {}
    return {part.mem_id: int(attribute(twin, _AT) or 0) for part, twin in zip(tree.asking, marked.asking, strict=True)}


def find_form_ends(source: str) -> list[int]:
    """Return how many characters stand before each closing form tag."""
    return _look_through(source)[0]


def _look_through(source: str) -> tuple[list[int], int]:
    """Return where forms end, and how many controls stand between the start of a form and its end."""
    ends: list[int] = []
    count, opened = 0, False
    for place, tag in islice(_find_asking(source), MAX_TAGS):
        if tag == "/form":
            opened = False
            ends.append(place)
        elif tag == "form":
            opened = True
        else:
            count += opened
    return ends[:MAX_ENDS], count


def _find_asking(source: str) -> Iterator[tuple[int, str]]:
    """Yield where forms begin and end and controls begin; what finds no end takes all the rest, so that the source is read once."""
    place = 0
    while found := _NEXT.search(source, place):
        place = found.end()
        raw = (found[2] or "").lower()
        if not found[1] and (not raw or raw == "textarea"):
            yield found.start(), (found[3] or found[4] or "control").lower()
        if raw:
            end = re.compile(f"</{raw}", re.IGNORECASE | re.ASCII).search(source, place)
            place = end.start() if end else -1
        elif found[1] and source[place : place + 1] != ">" and source[place : place + 2] != "->":
            end = _COMMENT_END.search(source, place)
            place = end.end() if end else -1
        if place < 0:
            return


def may_be_loose(tree: Tree, forms: Sequence[HtmlNode]) -> bool:
    """Return False if all controls of a page stand inside its forms, as far as a quick look tells."""
    if len(forms) > MANY_FORMS:
        return True
    there = len(tree.boxes)
    return there > 0 and there != sum(len(find_inside(form, *FILLED_TAGS)) for form in forms)


def find_role(element: HtmlNode) -> str:
    """Return the role of a form: its own, or search when it stands in an element that is one."""
    own = attribute(element, "role")
    if own:
        return own[:200]
    above = element.parent
    for _ in range(MAX_ROLE):
        if above is None or above.tag in ("body", "html", DOCUMENT):
            break
        if above.tag == "search" or attribute(above, "role") == "search":
            return "search"
        above = above.parent
    return ""
