"""Controls that no form owns, gathered into panels: what a script reads when a button is pressed.

A panel is what somebody marked as one (a search landmark, an element that carries an address), or
controls that stand close together. Of those, a page offers the panels that say they search, and
those with something to fill in and a button to press; checkboxes that open menus are none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dowse.model import LOOSE_CONTROLS, Form
from dowse.page.parser import DOCUMENT, Above, HtmlNode, MarkupKeys, Tree, attribute, find_inside, is_same
from dowse.url import MAX_LENGTH, Base

MAX_CONTROLS = 300  # that no form owns and that are looked at
MAX_PANEL_CLIMB = 40
MAX_NEAR = 3  # boxes between a control and what holds it together with the next
MAX_MARKED = 16  # levels up to an element that carries an address
MAX_INSIDE = 30  # buttons and links of a panel that are asked where they lead
MAX_KNOWN = 100_000  # characters by which the controls of a page are remembered
MAX_LINKS = 12  # in what holds a panel: more of them are a part of a page
MAX_PARTS = 1_000  # elements of a panel that are looked at for links and buttons
MAX_GROWTHS = 50  # elements that are looked into for links

_UNSEEN = frozenset({"hidden"})
_PRESSED = frozenset({"submit", "button", "image", "reset"})
_TICKED = frozenset({"checkbox", "radio"})
_NOT_FILLED = _UNSEEN | _PRESSED | _TICKED
_WORDY = frozenset({"text", "search", ""})
# Tags that only arrange what stands in them: they part nothing.
_THROUGH = frozenset(
    "td th tr tbody thead tfoot table li ul ol dl dd dt label span p b i u em strong small font center nobr".split()
)
_WALLS = frozenset("html body main header footer nav aside article section dialog".split())
_MARKS = frozenset({"search", "form"})
_SEARCH = re.compile(
    r"(?<!re)search|\bfind|finder|quer(?:y|ies)|keyword|such(?:e|en|begriff|wort|feld)|recherche|chercher|trouver|busca|búsqueda|pesquis|procurar"
    r"|cerca|ricerca|trova|zoek|sök|søg|søk|\bhaku|etsi|szuka|hledat|vyhled|hľadať|keres|caută|căuta|paiešk|meklē|otsi\b|\bhae\b|\bara(?:ma)?\b|traži|išči"
    r"|поиск|искать|найти|пошук|търсене|搜索|搜尋|搜寻|查询|查詢|検索|검색|بحث|חיפוש|αναζήτηση|ค้นหา|tìm kiếm|खोज",
    re.IGNORECASE,
)
_SEARCH_NAME = re.compile(r"(?:q|qs|kw|wd|s|query|term|terms|keyword|keywords)", re.IGNORECASE)
_ADDRESS_NAME = re.compile(
    r"data-(?:[a-z-]*-)?(?:action|to|url|uri|href|endpoint|target|route|api|search|submit|link|go)\Z"
)
_NO_ADDRESS_NAME = re.compile(r"suggest|complete|typeahead|image|img|icon|media|share|login|csrf|ajax-target")
_ADDRESS = re.compile(
    r"\A(?:https?://|//?|\.{1,2}/|\?)[^\s<>\"'{}]*\Z"
    r"|\A[\w-]++(?:/[\w.-]*|\.(?:php|aspx?|cgi|jsp|html?|do|pl|cfm))(?:[/?][^\s<>\"'{}]*)?\Z"
)
_PLAINLY = re.compile(r"(?:url|uri|href|endpoint|to)\Z")  # names whose value is an address even when it is one word
_WORD = re.compile(r"[\w-]{2,60}\Z")
_EVENTS = ("onclick", "onkeydown", "onkeypress", "onkeyup", "onchange")
_WRITTEN = re.compile(r"location(?:\.href)?\s{0,5}=\s{0,5}['\"]([^'\"\s]{1,500})['\"]")


NameOf = Callable[[HtmlNode, Mapping[str, str | None]], str]  # what a control with these attributes is called


@dataclass(slots=True)
class Panel:
    """Controls that stand together, and what holds them."""

    element: HtmlNode
    controls: list[HtmlNode] = field(default_factory=list)
    marked: bool = False  # somebody says they belong together
    pressed: bool = False  # it has a button
    grown: bool = False  # it holds more than one control


def are_new(tree: Tree, forms: Sequence[HtmlNode], keys: MarkupKeys) -> bool:
    """Return True if there are controls to fill outside the forms, and the site has not shown the same before."""
    above = Above(forms)
    controls = [control for control in tree.controls if above.of(control)[0] < 0]
    if not any(map(_is_filled, controls)):
        return False
    written, length = [], 0
    for control in controls[:MAX_CONTROLS]:
        written.append(control.html or "")
        length += len(written[-1])
        if length > MAX_KNOWN:
            break
    return keys.is_new("loose", "".join(written), index=LOOSE_CONTROLS)


def find_panels(controls: Sequence[HtmlNode], tree: Tree, name_of: NameOf) -> list[Panel]:
    """Return the panels that controls without a form make and that ask something."""
    if not any(map(_is_filled, controls)):
        return []
    gathered = _Gathered(tree)
    for control in controls[:MAX_CONTROLS]:
        gathered.add(control)
    return [panel for panel in gathered.panels if _asks(panel, name_of)]


def write_panel(panel: Panel) -> str:
    """Return what a panel is known by: its controls with their attributes and words."""
    return "\n".join((control.html or "")[:MAX_LENGTH] for control in panel.controls)


def finish_panel(form: Form, element: HtmlNode, base: Base) -> Form:
    """Return a panel that was read like a form, with where it leads as far as its markup says."""
    address = next((url for url in (base.resolve(each) for each in _find_addresses(element) if each) if url), "")
    form = replace(form, made="input", method="GET", enctype="")
    return replace(form, action=address, own_page=False) if address else form


class _Gathered:
    """The panels of a page, gathered control by control in the order of the source."""

    def __init__(self, tree: Tree) -> None:
        self.panels: list[Panel] = []
        self._order = {part.mem_id: place for place, part in enumerate(tree.asking)}
        self._starts = [self._order[form.mem_id] for form in tree.forms]
        self._marked: dict[int, Panel] = {}
        self._last: Panel | None = None
        self._chain: list[HtmlNode] = []  # what stands above the last control
        self._place = 0
        self._growths = 0
        self._marks: dict[int, bool] = {}

    def add(self, control: HtmlNode) -> None:
        """Put a control into the panel it belongs to, or begin one."""
        chain = _climb(control)
        place = self._order[control.mem_id]
        marked = next((each for each in chain[:MAX_MARKED] if self._is_marked(each)), None)
        panel = self._of_mark(marked) if marked is not None else self._near(control, chain, place)
        if panel is None and _kind(control) in _UNSEEN:
            return  # state that belongs to nothing on the page
        if panel is None:
            panel = Panel(_holder(chain))
            self.panels.append(panel)
        panel.controls.append(control)
        panel.pressed = panel.pressed or _kind(control) in _PRESSED
        self._last, self._chain, self._place = panel, chain, place

    def _is_marked(self, element: HtmlNode) -> bool:
        known = self._marks.get(element.mem_id)
        if known is None:
            known = self._marks[element.mem_id] = _is_marked(element)
        return known

    def _of_mark(self, element: HtmlNode) -> Panel:
        panel = self._marked.get(element.mem_id)
        if panel is None:
            panel = self._marked[element.mem_id] = Panel(element, marked=True)
            self.panels.append(panel)
        return panel

    def _near(self, control: HtmlNode, chain: list[HtmlNode], place: int) -> Panel | None:
        """Return the last panel when a control stands close to it, grown to hold both."""
        last = self._last
        if last is None or last.marked or any(self._place < start < place for start in self._starts):
            return None
        around = {element.mem_id for element in chain}
        if last.element.mem_id in around and last.grown and _boxes(chain, last.element) <= MAX_NEAR:
            return last
        around = {element.mem_id for element in self._chain}
        common = next((element for element in chain if element.mem_id in around), None)
        if common is None or not self._may_grow(last, _kind(control), common, chain):
            return None
        last.element, last.grown = common, common.tag not in _WALLS
        return last

    def _may_grow(self, panel: Panel, kind: str, common: HtmlNode, chain: list[HtmlNode]) -> bool:
        """Return True if an element that holds a panel and the next control is no more than a panel."""
        kinds = {_kind(control) for control in panel.controls}
        room = 1 if common.tag in _WALLS or kinds <= _PRESSED else MAX_NEAR
        if max(_boxes(chain, common), _boxes(self._chain, common)) > room:
            return False
        if panel.pressed and not kinds <= _PRESSED and kind not in _PRESSED | _TICKED | _UNSEEN:
            return False  # what stood before has its own button
        self._growths += 1
        return self._growths <= MAX_GROWTHS and len(find_inside(common, "a", parts=MAX_PARTS)) <= MAX_LINKS


def _climb(element: HtmlNode) -> list[HtmlNode]:
    """Return what stands above an element, the nearest first, without the tree itself."""
    chain: list[HtmlNode] = []
    above = element.parent
    while above is not None and above.tag != DOCUMENT and len(chain) < MAX_PANEL_CLIMB:
        chain.append(above)
        above = above.parent
    return chain


def _boxes(chain: Sequence[HtmlNode], common: HtmlNode) -> int:
    """Count what parts a control from an element above it; a part of the page is more than can be counted."""
    count = 0
    for element in chain:
        if is_same(element, common):
            break
        tag = element.tag
        count += MAX_PANEL_CLIMB if tag in _WALLS else tag not in _THROUGH
    return count


def _holder(chain: Sequence[HtmlNode]) -> HtmlNode:
    """Return the nearest element above that is more than arrangement."""
    return next((element for element in chain[:4] if element.tag not in _THROUGH), chain[0])


def _is_marked(element: HtmlNode) -> bool:
    """Return True if somebody marked an element as a search, or gave it an address to send to."""
    tag = element.tag
    if tag in ("html", "body", "main"):
        return False
    given = element.attributes
    if tag == "search" or (given.get("role") or "").lower() in _MARKS:
        return True
    if not _given_address(given):
        return False
    return len(find_inside(element, "a", parts=MAX_PARTS)) <= MAX_LINKS and not find_inside(
        element, "form", parts=MAX_PARTS
    )


def _given_address(given: Mapping[str, str | None]) -> str:
    """Return the address in the data attributes of an element, or nothing."""
    for name, value in list(given.items())[:50]:
        if (
            name.startswith("data-")
            and value
            and len(value) <= MAX_LENGTH
            and _ADDRESS_NAME.match(name)
            and not _NO_ADDRESS_NAME.search(name)
            and (_ADDRESS.match(value) or (_PLAINLY.search(name) and _WORD.match(value)))
        ):
            return value
    return ""


def _find_addresses(element: HtmlNode) -> Iterator[str]:
    """Yield what may say where a panel leads: itself, its buttons, its boxes, its only link."""
    yield _given_address(element.attributes)
    buttons = 0
    for control in [
        *find_inside(element, "button", parts=MAX_PARTS)[:MAX_INSIDE],
        *find_inside(element, "input", parts=MAX_PARTS)[:MAX_INSIDE],
    ]:
        kind, given = _kind(control), control.attributes
        buttons += kind in _PRESSED
        if kind in _PRESSED | _WORDY:
            yield from _find_sent(given)
    links = (
        [attribute(each, "href") or "" for each in find_inside(element, "a", parts=MAX_PARTS)[:MAX_INSIDE]]
        if not buttons
        else []
    )
    if len(links) == 1 and _SEARCH.search(links[0][:MAX_LENGTH]):
        yield links[0]


def _find_sent(given: Mapping[str, str | None]) -> Iterator[str]:
    """Yield the addresses that a button or a box names."""
    yield given.get("formaction") or ""
    yield _given_address(given)
    for event in _EVENTS:
        written = _WRITTEN.search((given.get(event) or "")[:1000])
        yield written[1] if written else ""


def _kind(control: HtmlNode) -> str:
    tag = control.tag
    kind = (attribute(control, "type") or "").strip().lower()
    if tag == "input":
        return kind
    return (kind if kind in _PRESSED else "submit") if tag == "button" else str(tag)


def _is_filled(control: HtmlNode) -> bool:
    return _kind(control) not in _NOT_FILLED


def _asks(panel: Panel, name_of: NameOf) -> bool:
    """Return True if a panel searches, or has something to fill in and a button."""
    if not any(map(_is_filled, panel.controls)):
        return False
    return panel.pressed or _is_search(panel.element) or any(_says_search(each, name_of) for each in panel.controls)


def _is_search(element: HtmlNode) -> bool:
    return bool(element.tag == "search" or attribute(element, "role") == "search")


def _says_search(control: HtmlNode, name_of: NameOf) -> bool:
    """Return True if a box is for what is searched, by its kind, its name or the words in it."""
    kind = _kind(control)
    if kind not in _WORDY:
        return False
    given = control.attributes
    if kind == "search" or (given.get("role") or "") == "searchbox" or _SEARCH_NAME.fullmatch(given.get("name") or ""):
        return True
    said = [(given.get(name) or "")[:200] for name in ("name", "id", "placeholder", "aria-label", "title", "class")]
    return _SEARCH.search(" ".join([*said, name_of(control, given)])) is not None
