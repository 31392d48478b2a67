"""How alike two pages are built: their shapes, the restricted top-down mapping between them (de Castro Reis et al., WWW 2004), and where likenesses part."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from math import exp, floor, log, sqrt
from statistics import median
from typing import Final, NamedTuple

from dowse.errors import BadInput
from dowse.reasons import say_count
from dowse.tree.node import MAX_DEPTH, MAX_NODES, Node, sign_of

# -- shapes: a page as what it is built of

# Tags of one kind in one tag that count: a list is a list, however long. Measured by bench/sametemplate.py.
MAX_REPEATS: Final = 1
ALL_REPEATS: Final = MAX_NODES  # leaves nothing out
# Levels of a shape: those of a page, the root and texts. It keeps recursion shallow.
MAX_SHAPE_DEPTH: Final = MAX_DEPTH + 4
TEXT_LABEL: Final = "#text"  # no tag has this name; whether a tag has text of its own counts, how much does not
# Their classes name the page, and everything inside would differ with them.
TAGS_WITHOUT_CLASS: Final = frozenset({"html", "body"})
# Inline tags come and go with the text.
INLINE: Final = frozenset((TEXT_LABEL, *(
    "a abbr b bdi bdo big br center cite code del em font i img ins kbd mark nobr q s samp small span strike strong"
    " sub sup time tt u var wbr"
).split()))  # fmt: skip
# Old pages are laid out with tables; a row of such a table is no repetition.
WRAPPING: Final = INLINE | frozenset({"table", "tbody", "tr", "td"})
MAX_SHAPE_BYTES: Final = 8 * 1024 * 1024  # of a shape before compression


class ShapePart(NamedTuple):
    """A tag with everything inside, however often it occurs."""

    label: int
    size: int  # tags and texts, itself included
    children: tuple[int, ...]  # names of parts, in document order


@dataclass(frozen=True, slots=True)
class Shape:
    """A labelled ordered tree in which equal parts are stored once; equal names mean equal parts, between shapes too."""

    root: int
    parts: Mapping[int, ShapePart]

    @property
    def size(self) -> int:
        """The number of tags and texts, repetitions included as far as they count."""
        return self.parts[self.root].size


def shape_of(node: Node, *, repeats: int = MAX_REPEATS) -> Shape:
    """Return the shape of a page; of the children of one kind in a tag, only the first `repeats` count."""
    builder = _ShapeBuilder(repeats)
    root = builder.add(node, 0)
    parts: dict[int, ShapePart] = {}
    waiting = [root]
    while waiting:  # keeps what the root is made of, without the repetitions that were left out
        name = waiting.pop()
        if name not in parts:
            parts[name] = builder.parts[name]
            waiting.extend(parts[name].children)
    return Shape(root, parts)


@lru_cache(maxsize=16_384)
def label_of(sign: str) -> int:
    """Return the number that stands for a label, the same in every process."""
    return _number(sign.encode("utf-8", "replace"))


def _number(encoded: bytes) -> int:
    return int.from_bytes(blake2b(encoded, digest_size=8).digest(), "big")


_INLINE_LABELS = frozenset(map(label_of, INLINE))
_WRAPPING_LABELS = frozenset(map(label_of, WRAPPING))
_RepeatKind = tuple[int, frozenset[int]]


class _ShapeBuilder:
    """Collects the parts of a page."""

    def __init__(self, repeats: int) -> None:
        self.repeats, self.left = repeats, MAX_NODES
        self.parts: dict[int, ShapePart] = {}
        self.names: dict[tuple[int, tuple[int, ...]], int] = {}
        # What tags must share to be repetitions of each other: label, and labels of the blocks inside.
        self.kinds: dict[int, _RepeatKind] = {}
        self.text = self._name(label_of(TEXT_LABEL), ())

    def add(self, node: Node, depth: int) -> int:
        """Add a tag and return the name of its part."""
        self.left -= 1
        children: list[int] = []  # without repetitions
        counts: Counter[_RepeatKind] = Counter()
        for each in node.content if depth < MAX_SHAPE_DEPTH else ():
            if self.left <= 0 or (isinstance(each, str) and each.isspace()):
                continue
            name = self.text if isinstance(each, str) else self.add(each, depth + 1)
            kind = self.kinds[name]
            counts[kind] += 1
            if counts[kind] <= self.repeats:
                children.append(name)
        label = label_of(node.tag if node.tag in TAGS_WITHOUT_CLASS else sign_of(node))
        return self._name(label, tuple(children))

    def _name(self, label: int, children: tuple[int, ...]) -> int:
        key = (label, children)
        name = self.names.get(key)
        if name is not None:
            return name
        name = self.names[key] = _number(b"".join(each.to_bytes(8, "big") for each in (label, *children)))
        self.parts[name] = ShapePart(label, 1 + sum(self.parts[child].size for child in children), children)
        blocks: set[int] = set()  # labels of the blocks inside; wrapping tags stand for what they wrap
        for child in children:
            inner, within = self.kinds[child]
            if inner not in _INLINE_LABELS:
                blocks.add(inner)
            if inner in _WRAPPING_LABELS:
                blocks |= within
        self.kinds[name] = (label, frozenset(blocks))
        return name


def write_shape(shape: Shape) -> str:
    """Return a shape as compressed text, short enough for a pattern file: its parts, each after those inside."""
    places: dict[int, int] = {}
    rows: list[list[int]] = []
    waiting = [(shape.root, False)]
    while waiting:
        name, ready = waiting.pop()
        if name in places:
            continue
        part = shape.parts[name]
        if ready:
            places[name] = len(rows)
            rows.append([name, part.label, *(places[child] for child in part.children)])
        else:
            waiting.append((name, True))
            waiting.extend((child, False) for child in part.children if child not in places)
    return b64encode(zlib.compress(json.dumps(rows, separators=(",", ":")).encode(), 9)).decode()


def read_shape(text: str) -> Shape:
    """Return the shape that a text holds; any other text is refused."""
    try:
        encoded = zlib.decompressobj().decompress(b64decode(text, validate=True), MAX_SHAPE_BYTES)
        rows: list[list[int]] = json.loads(encoded)
        if not 0 < len(rows) <= MAX_NODES:
            raise ValueError("too many parts, or none")
        parts: dict[int, ShapePart] = {}
        names: list[int] = []
        for name, label, *below in rows:
            children = tuple(names[place] for place in below if place >= 0)
            size = 1 + sum(parts[child].size for child in children)
            if not isinstance(name, int) or not isinstance(label, int) or size > MAX_NODES:
                raise ValueError("a part is malformed")
            parts[name] = ShapePart(label, size, children)
            names.append(name)
        return Shape(names[-1], parts)
    except (ValueError, TypeError, IndexError, KeyError, RecursionError, zlib.error):
        raise BadInput("this is not the shape of a page; make the pattern again with `dowse like`") from None


# -- fingerprints: an upper bound of the similarity without mapping


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A shape as counts of label paths: the labels from the root, without its own, down to a tag."""

    label: int  # of the root
    size: int
    tags: Mapping[int, int]  # tags at the end of each label path
    children: Mapping[int, int]  # children of all tags at the end of each label path


def fingerprint_of(shape: Shape) -> Fingerprint:
    """Return the fingerprint of a shape."""
    parts, tags, counts = shape.parts, dict[int, int](), dict[int, int]()
    waiting = [(0, shape.root)]
    for path, name in waiting:  # grows during the loop
        children = parts[name].children
        if children:
            counts[path] = counts.get(path, 0) + len(children)
        for child in children:
            below = hash((path, parts[child].label))
            tags[below] = tags.get(below, 0) + 1
            waiting.append((below, child))
    return Fingerprint(parts[shape.root].label, shape.size, tags, counts)


def similarity_bound(a: Fingerprint, b: Fingerprint) -> float:
    """Return an upper bound of the similarity of two shapes.

    Tags are only mapped under mapped tags with the same labels up to the root: so no more of them than both have at the
    end of a label path are mapped at no cost, and no more than both have under it at all are mapped or replaced.
    """
    same = _count_both(a.tags, b.tags)
    mapped = _count_both(a.children, b.children)
    roots = 2 if a.label == b.label else 1
    return min(1.0, (roots + same + mapped) / (a.size + b.size))


def _count_both(some: Mapping[int, int], others: Mapping[int, int]) -> int:
    if len(others) < len(some):
        some, others = others, some
    both = 0
    for path, count in some.items():
        other = others.get(path, 0)
        both += count if count < other else other
    return both


# -- the restricted top-down mapping (de Castro Reis et al., WWW 2004)
#
# Roots are mapped to each other, tags in document order, and children of mapped tags only to children of their partners.
# Only tags of one label go on to their children; a tag that is replaced by another label loses everything inside, as a
# tag that is deleted or inserted does. Every tag or text that is deleted, inserted or replaced costs one.

MAX_CELLS: Final = 1_000_000  # filled for one pair, about a second; pages of one site need 1,000, seldom 20,000
BELOW_LIMIT: Final = "less alike than was asked for"
WORK_LIMIT: Final = "too much work: at least as alike as this"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the cheapest mapping costs; `why` says why the figures are only a bound, and is empty where they are exact."""

    distance: int
    similarity: float
    why: str = ""


def compare(a: Shape, b: Shape, *, at_least: float = 0.0, max_cells: int = MAX_CELLS) -> Comparison:
    """Map one shape to another; stop as soon as the pair cannot be as similar as `at_least`."""
    whole = a.size + b.size
    first, second = a.parts[a.root], b.parts[b.root]
    replaced = int(first.label != second.label)
    most = floor((1.0 - at_least) * whole + 1e-9)
    mapping = _TreeMapping(a, b, max_cells)
    found = replaced + mapping.measure(a.root, b.root, most - replaced)
    if mapping.is_over_limit:
        cost, why = found if found <= most else whole - 2 + replaced, WORK_LIMIT
    else:
        cost, why = min(found, most + 1), BELOW_LIMIT if found > most else ""
    return Comparison(cost, 1.0 - cost / whole, why)


def similarity(a: Shape, b: Shape, *, at_least: float = 0.0) -> float:
    """Return the share of both shapes that is the same, 0 to 1; any value below `at_least` when it cannot reach that."""
    return compare(a, b, at_least=at_least).similarity


class _TreeMapping:
    """The costs of pairs of parts of two shapes, computed once each."""

    def __init__(self, a: Shape, b: Shape, max_cells: int) -> None:
        self.left, self.right = a.parts, b.parts
        self.work, self.is_over_limit = max_cells, False
        self.exact: dict[tuple[int, int], int] = {}
        self.over: dict[tuple[int, int], int] = {}  # pairs that cost more than this

    def measure(self, x: int, y: int, most: int) -> int:
        """Return what mapping the children of two parts costs; any number above `most` where it is more."""
        pair = (x, y)
        known = self.exact.get(pair)
        if known is not None:
            return known
        if self.over.get(pair, -1) >= most:
            return most + 1
        if self.is_over_limit:
            return self.left[x].size + self.right[y].size - 2
        found = 0 if x == y else self._align(self.left[x].children, self.right[y].children, most)
        if found <= most:
            self.exact[pair] = found
        else:
            self.over[pair] = most
        return found

    def _align(self, names: Sequence[int], others: Sequence[int], most: int) -> int:
        self.work -= min(len(names), len(others)) // 8  # trimming one is that much faster than filling a cell
        names, others = trim(names, others)
        rows = [(name, self.left[name]) for name in names]
        columns = [(name, self.right[name]) for name in others]
        self.work -= (len(rows) + 1) * (len(columns) + 1)
        if rows and columns and self.work >= 0:
            return self._fill(rows, columns, most)
        self.is_over_limit |= self.work < 0
        return sum(part.size for _, part in rows) + sum(part.size for _, part in columns)

    def _fill(self, rows: list[tuple[int, ShapePart]], columns: list[tuple[int, ShapePart]], most: int) -> int:
        """Fill the edit distance table, a row for each part of one side."""
        line = [0]
        for _, part in columns:
            line.append(line[-1] + part.size)
        for x, (label, size, _) in rows:
            diagonal = line[0]
            left_cell = diagonal + size
            filled = [left_cell]
            for (y, (other, extent, _)), above in zip(columns, line[1:], strict=True):
                best = min(above + size, left_cell + extent)
                if x == y:
                    best = diagonal  # equal parts are mapped in some cheapest mapping
                elif label != other:
                    best = min(best, diagonal + size + extent - 1)
                else:
                    room = min(best - 1, most) - diagonal
                    if abs(size - extent) <= room:  # the least that any pair of these sizes costs
                        best = min(best, diagonal + self.measure(x, y, room))
                filled.append(best)
                diagonal, left_cell = above, best
            if min(filled) > most:
                return most + 1
            line = filled
        return line[-1]


def trim(names: Sequence[int], others: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
    """Leave out the common prefix and suffix: some cheapest mapping maps them to each other."""
    start, shorter = 0, min(len(names), len(others))
    while start < shorter and names[start] == others[start]:
        start += 1
    end = 0
    while end < shorter - start and names[-1 - end] == others[-1 - end]:
        end += 1
    return names[start : len(names) - end], others[start : len(others) - end]


# -- likeness: similarity to samples beyond what all pages of their site share

# Of the similarity to the entry that is taken off, so that something is left of samples that are built like the entry.
MAX_ENTRY_SIMILARITY: Final = 0.98


@dataclass(frozen=True, slots=True)
class PageShape:
    """A shape with its fingerprint, ready to be compared."""

    shape: Shape
    fingerprint: Fingerprint


@dataclass(frozen=True, slots=True)
class ReferenceSample:
    """A sample, and its similarity to the entry: what all pages of the site share counts for nothing."""

    page: PageShape
    common: float

    def likeness(self, page: PageShape) -> float:
        """Return the likeness of a page to the sample: 0 as little as the entry, 1 the same."""
        return max(0.0, (similarity(page.shape, self.page.shape) - self.common) / (1.0 - self.common))

    def needed(self, likeness: float) -> float:
        """Return the similarity that a likeness comes from."""
        return self.common + likeness * (1.0 - self.common)


def reference_sample(sample: PageShape, entry: PageShape) -> ReferenceSample:
    """Return a sample with what the entry shares with it, to be taken off."""
    return ReferenceSample(sample, min(MAX_ENTRY_SIMILARITY, similarity(entry.shape, sample.shape)))


def nearest_likeness(page: PageShape, samples: Iterable[ReferenceSample]) -> float:
    """Return the likeness of a page to the nearest sample; fingerprints spare most comparisons."""
    best = 0.0
    for sample in samples:
        if similarity_bound(page.fingerprint, sample.page.fingerprint) > sample.needed(best):
            best = max(best, sample.likeness(page))
    return best


@dataclass(frozen=True, slots=True)
class Likeness:
    """Compares pages with the samples of a pattern."""

    samples: Sequence[ReferenceSample]
    scale: float = 1.0  # the likeness that pages of the kind reach: long texts are never very alike

    def of(self, tree: Node) -> float:
        """Return the likeness of a page to the nearest sample; 1 where a pattern written by hand has no samples."""
        if not self.samples:
            return 1.0
        shape = shape_of(tree)
        return min(1.0, nearest_likeness(PageShape(shape, fingerprint_of(shape)), self.samples) / self.scale)


# -- where likenesses part in two groups
# Chosen on simulated sites of family A, sites with random templates and recorded sites (bench/paper3).

STRICT_LIKENESS: Final = 0.7  # the threshold until pages part, and where nothing parts them
MIN_LIKENESS: Final = 0.3  # less never counts as like the samples by its likeness alone
MAX_LIKENESS_SHOWN: Final = 0.995  # from which a likeness is written as 1.00: none is higher
PURITY_WEIGHT: Final = 2.0  # of addresses beside a gap
GAP_SMOOTHING: Final = 0.2  # keeps the logarithm of a difference finite: less does not tell templates apart
MIN_VALUES: Final = 5  # fewer show no distribution
SERIES_TERMS: Final = 20  # of the Kolmogorov series, which converges fast
MIN_KS_STATISTIC: Final = 0.3  # under this the series converges slowly, and is as good as 1


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which similarity on pages count as like the samples, why, and with which confidence: 0 is a guess, 1 plain to see."""

    value: float
    why: str
    confidence: float


def explain_cuts(ranked: Sequence[float]) -> list[float]:
    """Return for each cut the part of the variance that lies between the two groups (Otsu 1979)."""
    count, sums = len(ranked), list(accumulate(ranked))
    mean = sums[-1] / count
    whole = sum((each - mean) ** 2 for each in ranked)
    between = (
        (low / cut - (sums[-1] - low) / (count - cut)) ** 2 * cut * (count - cut) / count
        for cut, low in enumerate(sums[:-1], 1)
    )
    return [each / whole if whole else 0.0 for each in between]


def count_mixed(kinds: Sequence[Hashable]) -> list[int]:
    """Return for each cut of a row how many values are of a kind that is on both sides: of each kind, those on the side with fewer."""
    below, above = Counter[Hashable](), Counter(kinds)
    mixed, counts = 0, []
    for kind in kinds[:-1]:
        mixed -= min(below[kind], above[kind])
        below[kind] += 1
        above[kind] -= 1
        mixed += min(below[kind], above[kind])
        counts.append(mixed)
    return counts


def find_cut(pages: Sequence[tuple[float, Hashable]]) -> Threshold:
    """Find where pages part in two groups: a wide gap, little variance within, and addresses of one kind on one side."""
    ranked = sorted(pages, key=lambda each: each[0])
    values = [likeness for likeness, _ in ranked]
    if len(values) < MIN_VALUES or values[-1] < MIN_LIKENESS:
        return Threshold(STRICT_LIKENESS, f"{len(values)} pages are too few to see a distribution", 0.0)
    explained, mixed = explain_cuts(values), count_mixed([kind for _, kind in ranked])
    best, worth = 0, 0.0
    for cut in range(1, len(values)):
        if not values[cut - 1] < values[cut] >= MIN_LIKENESS:
            continue
        # The gap that a cut lies in, and the share of pages whose kind of address lies on one side of it.
        pure = 1.0 - mixed[cut - 1] / min(cut, len(values) - cut)
        weight = weigh_gap(values[cut - 1], values[cut]) + PURITY_WEIGHT * max(0.0, pure)
        if not best or explained[cut - 1] + weight > worth:
            best, worth = cut, explained[cut - 1] + weight
    if not best:
        return Threshold(STRICT_LIKENESS, "nothing parts the pages", 0.0)
    value = (values[best] + values[best - 1]) / 2
    high = f"{values[best]:.2f}" + (" or more" if values[best] < MAX_LIKENESS_SHOWN else "")
    why = f"likeness {high} for {say_count(len(values) - best, 'pages')}, {values[best - 1]:.2f} or less for {best:,}"
    return Threshold(max(MIN_LIKENESS, value), why, worth)


def weigh_gap(low: float, high: float) -> float:
    """Return the width of a gap between two likenesses, as the logarithm of the ratio of what differs."""
    return log((1 - low + GAP_SMOOTHING) / (1 - high + GAP_SMOOTHING))


# -- Kolmogorov-Smirnov


def ks_p_value(some: Sequence[float], others: Sequence[float]) -> float:
    """Return the p-value of the two-sample test: that both come from one distribution (Kolmogorov 1933, Smirnov 1939)."""
    n, m = len(some), len(others)
    if n < MIN_VALUES or m < MIN_VALUES:
        return 1.0
    root = sqrt(n * m / (n + m))
    reach = (root + 0.12 + 0.11 / root) * ks_distance(some, others)
    terms = ((-1) ** (k - 1) * exp(-2 * k * k * reach * reach) for k in range(1, SERIES_TERMS))
    return min(1.0, max(0.0, 2 * sum(terms))) if reach > MIN_KS_STATISTIC else 1.0


def is_median_less(some: Sequence[float], others: Sequence[float], by: float = 0.0) -> bool:
    """Return True if the median of some values is less than that of others by more than `by`."""
    return bool(some) and bool(others) and median(some) < median(others) - by


def ks_distance(some: Sequence[float], others: Sequence[float]) -> float:
    """Return the largest difference between the empirical distribution functions of two samples."""
    first, second = sorted(some), sorted(others)
    return max(
        (
            abs(bisect_right(first, value) / len(first) - bisect_right(second, value) / len(second))
            for value in {*first, *second}
        ),
        default=0.0,
    )
