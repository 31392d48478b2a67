"""Link groups of real pages, beside those that lynx's own lines give.

Lynx is read twice: a dump with numbers, and marks where anchors end, says which signs belong to which
link; a plain dump, in which numbers take no columns, says in which lines they stand. The signs of both
are the same in the same order, so that each sign of one is found in the other.
"""

from __future__ import annotations

import gzip
import html
import json
import os
import random
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dowse.model import LinkGroup
from dowse.page.charset import decode, find_encoding
from dowse.page.lines import Line, find_groups, lay_out
from dowse.page.parser import attribute, parse

DATA = Path(os.environ.get("DOWSE_DATA", Path(__file__).parents[3] / "shared" / "data"))
EACH = 40  # pages of each collection
FEW = 6  # pages of one collection that every run compares; all of them are a proof
LEAST_F1 = 0.95  # 0.955 when it was written
LEAST_EQUAL = 0.85  # 0.862
LEAST_COMPARED = 125  # of 160 pages; the others have no groups

END = "`~`"  # stands at the end of each anchor
TARGET = "http://l.test/"
BULLET = re.compile(r"\s*(?:[*+o#@=-]|\d{1,3}\.)\s")
CONTROL = re.compile(r"___|\[[ X]\]|\([ *]\)")
IMAGE = re.compile(r"\[[^\s\]]*\]")
LETTER = re.compile(r"[^\W_]")
HREF = re.compile(r"""(<a\b[^<>]*?\bhref\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)""", re.IGNORECASE)
TOO_MUCH = re.compile(r"<(?:base\b|meta\b[^>]*charset)[^>]*>", re.IGNORECASE)
TEMPORARY = re.compile(r"/tmp/lynxXXXX\w{6}/L\d+-\d+TMP")
FOLLOWED = re.compile(r"(?!#|mailto:|javascript:|data:|tel:)\S", re.IGNORECASE)

pytestmark = [
    pytest.mark.skipif(not shutil.which("lynx"), reason="needs lynx (make browser)"),
    pytest.mark.skipif(not DATA.is_dir(), reason="needs the real pages of ../shared/data or $DOWSE_DATA"),
]


class Span(NamedTuple):
    """An anchor in the signs of a dump."""

    place: int | None  # nothing when it leads nowhere else
    start: int
    end: int


def read_archive(name: str) -> list[bytes]:
    with tarfile.open(DATA / "pages" / f"{name}.tar.xz") as archive:
        files = sorted(one.name for one in archive if one.isfile() and one.name.endswith((".html", "%2F", ".htm")))
        return [archive.extractfile(one).read() for one in choose(files)]  # type: ignore[union-attr]


def read_webkb() -> list[bytes]:
    with gzip.open(DATA / "sites" / "webkb_pages.jsonl.gz", "rt") as rows:
        return [json.loads(row)["html"].encode() for row in choose(list(rows))]


def read_formasaurus() -> list[bytes]:
    found = find_spec("formasaurus")
    if found is None or found.origin is None:
        return []
    return [path.read_bytes() for path in choose(sorted((Path(found.origin).parent / "data" / "html").glob("*.html")))]


COLLECTIONS: dict[str, Callable[[], list[bytes]]] = {
    "webkb": read_webkb,
    "ache": lambda: read_archive("ache_topic_pages"),
    "autopager": lambda: read_archive("autopager"),
    "formasaurus": read_formasaurus,
}


def choose(some: Sequence[Any]) -> list[Any]:
    """Choose the same on each run."""
    return random.Random(5).sample(some, min(EACH, len(some)))


def number_links(body: bytes) -> str:
    """Return a page in which each link leads to a number, so that lynx and we call it the same."""
    encoding = find_encoding(body, "")
    numbers = iter(range(100_000))

    def lead(match: re.Match[str]) -> str:
        followed = FOLLOWED.match(html.unescape(match[2].strip("\"'")).strip())
        return f'{match[1]}"{TARGET}{next(numbers)}"' if followed else match[0]

    return HREF.sub(lead, TOO_MUCH.sub("", decode(body, encoding)))


def dump(page: str, *options: str) -> str:
    """Return what lynx shows of a page, without asking anybody for anything."""
    command = ["lynx", "-dump", "-width=80", "-force_html", "-assume_charset=utf-8", "-display_charset=utf-8"]
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": "/nonexistent", "TERM": "dumb"}
    done = subprocess.run(
        [*command, *options, "-stdin"],
        input=f'<base href="http://b.test/">{page}'.encode(errors="replace"),
        capture_output=True,
        env=environment,
        timeout=600,
        check=False,
    )
    return done.stdout.decode(errors="replace")


def find_spans(marked: str) -> tuple[str, list[Span]]:
    """Return the signs of a numbered and marked dump without numbers and marks, and where anchors stand in them."""
    text, _, listed = marked.rpartition("\nReferences\n")
    targets = {int(number): url for number, url in re.findall(r"^\s*(\d+)\. (\S+)", listed, re.MULTILINE)}
    signs, size, last = [], 0, 0
    spans: list[Span] = []
    opened: Span | None = None
    for piece in re.split(rf"({END}|\[\d+\])", "".join(text.split())):
        number = int(piece[1:-1]) if re.fullmatch(r"\[\d+\]", piece) else 0
        begins = last < number <= last + 30 and number in targets  # any other is the page's own
        if opened and (piece == END or (begins and opened.place is not None)):  # a frame has no end
            spans.append(opened._replace(end=size))
        if begins:
            opened, last = Span(read_place(targets[number]), size, size), number
        elif piece == END:
            opened = None
        else:
            signs.append(piece)
            size += len(piece)
    return "".join(signs), spans


def read_place(url: str) -> int | None:
    return int(url.removeprefix(TARGET)) if re.fullmatch(rf"{TARGET}\d+", url) else None


def read_lines(page: str) -> list[Line] | None:
    """Return the lines that lynx gives, or nothing when its two dumps are not of the same signs."""
    plain = dump(page, "-nolist", "-nonumbers")
    signs, spans = find_spans(dump(re.sub(r"</a\s*>", f"{END}</a>", page, flags=re.IGNORECASE)))
    if TEMPORARY.sub("", signs) != TEMPORARY.sub("", "".join(plain.split())):
        return None
    in_anchor = bytearray(len(signs))
    begins: dict[int, int] = {}
    for span in spans:
        in_anchor[span.start : span.end] = b"\1" * (span.end - span.start)
        if span.place is not None and span.end > span.start:
            begins[span.start] = span.place
    return list(measure_lines(plain, in_anchor, begins))


def measure_lines(plain: str, in_anchor: bytearray, begins: dict[int, int]) -> Iterator[Line]:
    """Count words and links of each line of a plain dump."""
    at = 0
    for line in plain.splitlines():
        bullet = BULLET.match(line)
        places: list[int] = []
        anchor_words = other_words = 0
        for word in re.finditer(r"\S+", line):
            end = at + len(word[0])
            places += [begins[sign] for sign in range(at, end) if sign in begins]
            if not bullet or word.start() >= bullet.end():
                anchor_words += is_word(part_of(word[0], in_anchor[at:end], 1))
                other_words += is_word(part_of(word[0], in_anchor[at:end], 0))
            at = end
        if places or anchor_words or other_words:
            yield Line(tuple(places), anchor_words + other_words, anchor_words)


def part_of(word: str, in_anchor: bytearray, side: int) -> str:
    """Return the signs of a word that stand in an anchor (1), or beside one (0)."""
    return "".join(sign for sign, inside in zip(word, in_anchor, strict=True) if inside == side)


def is_word(signs: str) -> bool:
    """Return True if signs are a word: a control is one, the name of an image is none."""
    return bool(CONTROL.search(signs) or (LETTER.search(signs) and not IMAGE.fullmatch(signs)))


def own_groups(page: str) -> tuple[LinkGroup, ...]:
    tree = parse(page.encode(errors="replace").decode())
    targets = {anchor: attribute(anchor, "href") or "" for anchor in tree.tags("a")}
    places = {anchor: int(url.removeprefix(TARGET)) for anchor, url in targets.items() if read_place(url) is not None}
    assert tree.root is not None
    return find_groups(lay_out(tree.root, places))


def pairs(groups: Sequence[LinkGroup]) -> set[tuple[int, int]]:
    """Return which links stand together."""
    return {pair for group in groups for pair in combinations(group.places, 2)}


class Agreement:
    """How far groups of the same pages agree."""

    def __init__(self) -> None:
        self.f1: list[float] = []
        self.equal = 0
        self.all = 0

    def add(self, ours: Sequence[LinkGroup], theirs: Sequence[LinkGroup]) -> None:
        if not ours and not theirs:
            return
        first, second = pairs(ours), pairs(theirs)
        self.f1.append(2 * len(first & second) / (len(first) + len(second)))
        own, other = ({group.places for group in groups} for groups in (ours, theirs))
        self.equal += len(own & other)
        self.all += len(own | other)

    def __str__(self) -> str:
        return f"{len(self.f1)} pages, pair F1 {self.mean:.3f}, groups equal {self.share:.3f}"

    @property
    def mean(self) -> float:
        """Mean over pages: of links that stand together for one of the two, how many do for both."""
        return sum(self.f1) / max(len(self.f1), 1)

    @property
    def share(self) -> float:
        """Groups that are the same for both, among all that either has."""
        return self.equal / max(self.all, 1)


def compare(bodies: Iterable[bytes], *agreements: Agreement) -> int:
    """Compare pages; return how many could not be."""
    unread = 0
    for body in bodies:
        page = number_links(body)
        lines = read_lines(page)
        if lines is None:
            unread += 1
            continue
        ours, theirs = own_groups(page), find_groups(lines)
        for agreement in agreements:
            agreement.add(ours, theirs)
    return unread


def test_groups_of_a_few_pages_agree_with_those_of_lynx() -> None:
    few = Agreement()
    compare(read_formasaurus()[:FEW], few)
    assert len(few.f1) >= FEW / 2
    assert few.mean >= 0.9


@pytest.mark.proof
def test_groups_agree_with_those_of_lynx(record_property: Callable[[str, object], None]) -> None:
    total, unread = Agreement(), 0
    for name, read in COLLECTIONS.items():
        part = Agreement()
        unread += compare(read(), part, total)
        record_property(name, str(part))
        print(f"{name}: {part}")
    record_property("all", str(total))
    print(f"all: {total}; {unread} not compared")
    assert len(total.f1) >= LEAST_COMPARED
    assert total.mean >= LEAST_F1
    assert total.share >= LEAST_EQUAL


def test_the_dump_is_read_as_it_stands() -> None:
    page = (
        "<p>see <a href=http://l.test/0>our shop</a> now</p><ul><li><a href=http://l.test/1>one</a>"
        "<li><a href=http://l.test/2>two</a> (2)</ul><hr><a href=#x>top</a> <a href=http://l.test/3><img alt=''></a>"
    )
    assert read_lines(page) == [
        Line((0,), 4, 2),
        Line((1,), 1, 1),
        Line((2,), 2, 1),
        Line((), 1, 0),
        Line((), 1, 1),
    ]
