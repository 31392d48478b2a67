"""How the content of a tag falls into records: its tags and lines, and the ways to cut their row into records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from dowse.records.pieces import Part
from dowse.tree.node import Node, sign_of

MAX_UNITS: Final = 3_000  # in one tag
MAX_FOLLOWING: Final = 60  # units of one record
MAX_SYMBOLS: Final = 6  # kinds of units in one tag that may be records or begin one
MAX_SHAPE: Final = 24  # parts of a tag that its shape is made of
OFTEN: Final = 0.4  # share of records after whose first unit another of the same tag stands, to be a part of them
SELDOM: Final = 0.1  # the same for one of another tag: what a record may have
LEAST: Final = 2  # records that are a repetition

_INLINE = frozenset(
    "a abbr b bdi bdo big cite code em font i img input kbd label mark q s samp small span strike strong sub sup time tt u var wbr".split()
)
_RULE, _GAP = "hr", "br+br"
_LEVELS = ("tag", "sign", "shape")


class Unit(NamedTuple):
    """A tag among its like, or a line of words and tags that flow with them."""

    parts: tuple[Part, ...]
    sign: str  # div.card; ~b for a line that begins with a bold word; hr
    tag: str  # div
    shape: str  # div(h3 p): what stands in it


Item = tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Cut:
    """Where one record begins and ends among the units of a tag."""

    way: str  # element: each is one; starter: one begins each; between: others part them
    level: str  # what of a unit tells: its tag, its sign (tag and classes) or its shape (what stands in it)
    sign: str
    follows: tuple[str, ...] = ()  # tags that follow a starter within one record
    most: int = 1  # units of the longest record


def split_units(parent: Node) -> list[Unit]:
    """Return what stands in a tag, unit by unit."""
    flows = any(
        (isinstance(part, str) and any(map(str.isalnum, part))) or (isinstance(part, Node) and part.tag == "br")
        for part in parent.content
    )
    units: list[Unit] = []
    line: list[Part] = []
    breaks = 0
    for part in parent.content[: 4 * MAX_UNITS]:
        if flows and _is_inline(part):
            line.append(part)
            continue
        breaks = _end_line(units, line, breaks)
        if isinstance(part, Node):
            breaks = _add_tag(units, part, breaks)
    _end_line(units, line, breaks)
    return units[:MAX_UNITS]


def _add_tag(units: list[Unit], part: Node, breaks: int) -> int:
    """Add a tag as a unit, or count a break; return how many breaks stand in a row."""
    if part.tag != "br":
        units.append(Unit((part,), sign_of(part), part.tag, _shape_of(part)))
        return 0
    if breaks == 1:
        units.append(Unit((), _GAP, _GAP, _GAP))
    return breaks + 1


def _end_line(units: list[Unit], line: list[Part], breaks: int) -> int:
    """Add a line as a unit, if something stands in it; return how many breaks stand in a row still."""
    parts = tuple(part for part in line if not isinstance(part, str) or part.strip())
    if not parts:
        line.clear()
        return breaks
    first = parts[0]
    sign, tag = (f"~{sign_of(first)}", f"~{first.tag}") if isinstance(first, Node) else ("~", "~")
    units.append(Unit(tuple(line), sign, tag, sign))
    line.clear()
    return 0


def _is_inline(part: Part) -> bool:
    if isinstance(part, str):
        return True
    return part.tag in _INLINE and not any(
        each.tag not in _INLINE or any(deep.tag not in _INLINE for deep in each.children) for each in part.children
    )


def symbol_of(unit: Unit, level: str) -> str:
    """Return what a unit counts as at one level of detail."""
    if level == "tag":
        return unit.tag
    return unit.sign if level == "sign" else unit.shape


def _shape_of(node: Node) -> str:
    """Return which tags stand in a tag, each once in a row."""
    inner: list[str] = []
    for part in node.content[:MAX_SHAPE]:
        if isinstance(part, Node):
            step = f"{part.tag}{part.attribute('colspan')}"
            if not inner or inner[-1] != step:
                inner.append(step)
    return f"{node.tag}({' '.join(inner)})"


def find_cuts(units: Sequence[Unit]) -> list[Cut]:
    """Return the ways in which a row of units may fall into records."""
    cuts: dict[tuple[str, tuple[int, ...]], Cut] = {}
    for level in _LEVELS:
        symbols = [symbol_of(unit, level) for unit in units]
        for symbol, count in Counter(symbols).most_common(MAX_SYMBOLS):
            places = tuple(place for place, each in enumerate(symbols) if each == symbol)
            if count < LEAST or symbol in (_RULE, _GAP, "br"):
                continue
            cuts.setdefault(("element", places), Cut("element", level, symbol))
            if count < len(units):
                cuts.setdefault(("starter", places), _cut_from(units, symbols, level, symbol))
    for separator in (_RULE, _GAP):
        if sum(unit.sign == separator for unit in units) >= 1:
            cuts["between", (len(separator),)] = Cut("between", "sign", separator, most=MAX_FOLLOWING)
    return list(cuts.values())


def _cut_from(units: Sequence[Unit], symbols: Sequence[str], level: str, symbol: str) -> Cut:
    """Return the cut at a starter: what follows it at least twice is a part of its record."""
    runs: list[list[str]] = []
    for unit, each in zip(units, symbols, strict=True):
        if each == symbol:
            runs.append([])
        elif runs:
            runs[-1].append(_follow_symbol(unit, level, symbol))
    counts = Counter(each for run in runs for each in set(run))
    own = _tag_of(symbol)
    follows = {
        each
        for each, count in counts.items()
        if each != _RULE and count >= max(LEAST, (OFTEN if _tag_of(each) == own else SELDOM) * len(runs))
    }
    lengths = [_known_length(run, follows) for run in runs]
    most = max(lengths[:-1], default=0)
    return Cut("starter", level, symbol, tuple(sorted(follows)), min(MAX_FOLLOWING, most + 1))


def _tag_of(symbol: str) -> str:
    return symbol.partition(".")[0].partition("(")[0]


def _follow_symbol(unit: Unit, level: str, starter: str) -> str:
    """Return what a unit after a starter counts as: its tag, or more where the starter has the same one."""
    tag = symbol_of(unit, "tag")
    return symbol_of(unit, level) if tag == _tag_of(starter) else tag


def _known_length(run: Sequence[str], follows: set[str]) -> int:
    return next((place for place, tag in enumerate(run) if tag not in follows), len(run))


def cut_items(units: Sequence[Unit], cut: Cut) -> list[Item]:
    """Return the records, or what may be one, of a row of units."""
    if cut.way == "element":
        return [(unit,) for unit in units if symbol_of(unit, cut.level) == cut.sign]
    if cut.way == "between":
        return _cut_between(units, cut)
    items: list[list[Unit]] = []
    open_item = False
    for unit in units:
        if symbol_of(unit, cut.level) == cut.sign:
            items.append([unit])
            open_item = True
        elif open_item and _follow_symbol(unit, cut.level, cut.sign) in cut.follows and len(items[-1]) < cut.most:
            items[-1].append(unit)
        else:
            open_item = False
    return [tuple(item) for item in items]


def _cut_between(units: Sequence[Unit], cut: Cut) -> list[Item]:
    items: list[list[Unit]] = [[]]
    for unit in units:
        if unit.sign == cut.sign:
            items.append([])
        elif len(items[-1]) < cut.most:
            items[-1].append(unit)
    return [tuple(item) for item in items if item]


def parts_of(item: Item) -> tuple[Part, ...]:
    """Return the tags and texts of a record."""
    if len(item) == 1:
        return item[0].parts
    parts: list[Part] = []
    for unit in item:
        parts += unit.parts
        parts.append(Node("br"))  # two lines are two pieces
    return tuple(parts)
