"""The texts of a whole page with their places: tags by class and id, cells by column, what JSON-LD declares by its keys."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import orjson

from dowse.records.alignedcolumns import COLUMN, find_columns, learn_columns
from dowse.records.pieces import MARKING, MAX_PIECE, Piece, width_of, write_step
from dowse.tree.node import Node, text_of

MAX_TEXTS: Final = 4_000  # of one page; long pages of documentation have two thousand
MAX_PLACE: Final = 800  # characters of a place, from which its steps are written without classes; most have 200
MAX_STEPS: Final = 80  # tags in tags; as deep as trees are read
MAX_DECLARED: Final = 300  # values that the scripts of one page declare
MAX_PARTS: Final = 5_000  # of all scripts of one page that are looked at
USUAL: Final = 0.8  # share of pages with a class or id that make it a part of the template
MAX_COPYRIGHT: Final = 160  # characters of a line of copyright; a longer text only ends with one
DECLARED: Final = "json-ld"  # how the places of declared values begin

_JSON = "application/ld+json"
_SKIPPED = frozenset({"nav", "footer", "base", "script"})
_ID = re.compile(r"[A-Za-z][A-Za-z_-]{0,39}")  # an id with digits numbers its tag
_BLOCKS = frozenset(  # cells and terms are none: a name in a link stands beside its value there
    "address article aside blockquote div dl fieldset figure form h1 h2 h3 h4 h5 h6 header li main ol p pre section table "
    "tr ul".split()
)
_NAMES = re.compile(r"(?=[.#])")
_VALUED = ("content", "datetime")
_COPYRIGHT = re.compile(r"©|^\s*copyright\b(?!\s*(?:$|[:：]))", re.IGNORECASE)  # the word alone is the name of a year

PAUSE: Final = Piece("", "")  # stands where a block begins or ends after a link, which names nothing beyond

Heads = dict[int, str | None]  # what cells are called, by their identity; nothing for cells that call others


def read_texts(tree: Node) -> list[Piece]:
    """Return the texts of a page in their order, after what its scripts declare."""
    return [*_read_declared(tree), *_read_shown(tree)]


def learn_usual(pages: Sequence[Sequence[Piece]]) -> frozenset[str]:
    """Return the classes and ids, with their tags, that nearly all pages have: others tell a state, such as sold out."""
    counts = Counter(
        sign
        for page in pages
        for sign in {
            sign for place in {piece.place for piece in page} for step in place.split("/") for sign in _signs(step)
        }
    )
    return frozenset(sign for sign, count in counts.items() if count >= USUAL * len(pages)) | learn_columns(pages)


def _signs(step: str) -> list[str]:
    head, *names = _NAMES.split(step)
    return [f"{head}{name}" for name in names]


def keep_usual(page: Sequence[Piece], usual: Collection[str]) -> list[Piece]:
    """Return the texts of a page with places by usual classes and ids; a tag that has none of these keeps its own."""
    known: dict[str, str] = {}
    found = []
    for piece in page:
        if piece.place not in known:
            known[piece.place] = "/".join(_keep_step(step, usual) for step in piece.place.split("/"))
        found.append(piece._replace(place=known[piece.place]))
    return found


def _keep_step(step: str, usual: Collection[str]) -> str:
    if COLUMN in step:
        return step if step in usual else step.partition(COLUMN)[0]
    head, *names = _NAMES.split(step)
    kept = [name for name in names if f"{head}{name}" in usual]
    return "".join((head, *kept)) if kept else step


def _read_shown(tree: Node) -> list[Piece]:
    found: list[Piece] = []
    heads: Heads = {}
    waiting: list[tuple[Node | Piece, Piece, int]] = [(tree, Piece("", ""), 0)]
    while waiting and len(found) < MAX_TEXTS:
        part, around, depth = waiting.pop()
        if isinstance(part, Piece):
            found += [part] if part.text or (found and found[-1].href) else []
        elif depth < MAX_STEPS and not _is_copyright(part):
            heads.update(find_columns(part) if part.tag == "table" else ())
            pauses = [(PAUSE, around)] if part.tag in _BLOCKS else []
            inside = [*pauses, *_open(part, around, heads), *pauses]
            waiting.extend(reversed([(each, own, depth + 1) for each, own in inside]))
    return found


def _is_copyright(node: Node) -> bool:
    """Say whether a tag holds a line of copyright and nothing else."""
    if not any(_COPYRIGHT.search(text[: 2 * MAX_PIECE]) for text in node.texts):
        return False
    whole = text_of(node)
    return len(whole) <= MAX_COPYRIGHT and bool(_COPYRIGHT.search(whole))


def _open(node: Node, around: Piece, heads: Heads) -> Iterator[tuple[Node | Piece, Piece]]:
    """Yield the texts and tags in a tag, each with the place, link and property that hold for what stands in it."""
    line: list[str] = []
    column = 0
    for part in node.content:
        if isinstance(part, str):
            line.append(part)
        elif part.tag in MARKING:
            line += part.texts
        elif part.tag not in _SKIPPED:
            yield from _end_line(line, around)
            column += width_of(part)
            head = heads.get(id(part), "")
            if head is not None:
                yield _enter(part, around, _write_step(part, column, head))
    yield from _end_line(line, around)


def _enter(part: Node, around: Piece, written: str) -> tuple[Node | Piece, Piece]:
    step = written if len(around.place) < MAX_PLACE else part.tag
    place = f"{around.place}/{step}" if around.place else step
    own = part.attribute("itemprop") or part.attribute("property")
    is_thing = bool(part.attribute("itemtype") or part.attribute("typeof"))
    prop = "" if is_thing else own or around.prop
    href = part.attribute("href") if part.tag == "a" else around.href
    inside = Piece(place, "", href, prop)
    said = next((part.attribute(name) for name in _VALUED if own and part.attribute(name)), "")
    return (inside._replace(text=_flat(said)) if said else part), inside


def _write_step(node: Node, column: int, head: str) -> str:
    step = write_step(node, column)
    if head:
        return f"{step}{COLUMN}{head}"
    own = node.attribute("id")
    return f"{step}#{own}" if own and _ID.fullmatch(own) else step


def _end_line(line: list[str], around: Piece) -> Iterator[tuple[Piece, Piece]]:
    text = _flat("".join(line))
    line.clear()
    if any(map(str.isalnum, text)):
        yield around._replace(text=text), around


def _flat(text: str) -> str:
    return " ".join(text[: 2 * MAX_PIECE].split())[:MAX_PIECE]


def _read_declared(tree: Node) -> list[Piece]:
    """Return the values in the scripts of a page: json-ld/Product/offers/price."""
    found: list[Piece] = []
    waiting = list(reversed([(DECLARED, said) for said in _read_scripts(tree)]))
    for _ in range(MAX_PARTS):
        if not waiting or len(found) >= MAX_DECLARED:
            break
        place, part = waiting.pop()
        if isinstance(part, dict):
            waiting.extend(reversed(list(_enter_thing(place, part))))
        elif isinstance(part, list):
            waiting.extend((place, each) for each in reversed(part[:MAX_DECLARED]))
        elif isinstance(part, str | int | float) and not isinstance(part, bool) and _flat(str(part)):
            found.append(Piece(place, _flat(str(part))))
    return found


def _read_scripts(tree: Node) -> Iterator[Any]:
    for script in tree.children[:MAX_DECLARED]:
        if script.tag == "script" and script.attribute("rel") == _JSON:
            try:
                yield orjson.loads("".join(script.texts))
            except ValueError:  # a script with a mistake declares nothing
                continue


def _enter_thing(place: str, thing: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    kind = thing.get("@type")
    above = f"{place}/{kind}" if isinstance(kind, str) and place.count("/") < 1 else place
    for key, value in list(thing.items())[:MAX_DECLARED]:
        if not key.startswith("@") and above.count("/") < MAX_STEPS:
            yield (above if key == "name" and above.count("/") > 1 else f"{above}/{key}"), value
