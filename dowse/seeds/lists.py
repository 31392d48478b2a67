"""Places to start from: addresses that were typed, plain lists, rankings, host graphs, DMOZ RDF, sitemaps.

Lists are read as they come, packed or not, and never held whole; what kind one is shows in how it begins.
"""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

from dowse.errors import BadInput
from dowse.model import Seed, Site
from dowse.seeds.unpack import HEAD_BYTES, SiteList, open_listing, open_listings, split_lines
from dowse.url import DEFAULT_PORTS, check_no_file, seed_address, site_of


@dataclass(slots=True)
class RefusedLines:
    """Lines of a list that are no address: how many, and the first; beside how many are."""

    accepted: int = 0
    count: int = 0
    first: str = ""
    broken: bool = False  # whether a part of the list broke off
    unread: int = 0  # sitemaps that are named, but not there to be read

    def add(self, where: str, text: str, why: str = "is not a web address") -> None:
        """Count a line."""
        self.add_reason(f"{where}: {text[:80]!r} {why}")

    def add_broken(self, why: str) -> None:
        """Count a part of the list that could not be read to its end."""
        self.broken = True
        self.add_reason(why)

    def add_reason(self, why: str) -> None:
        """Count something that could not be used."""
        self.count += 1
        self.first = self.first or why


# -- from the text of an address to a seed, a million times

# Most entries of a list are a plain host name or an address that begins with one. For those,
# what `seed_address` and `site_of` would find is known without parsing.

# A last label of letters is never part of an IP address; xn-- has rules of its own and takes the long way.
_HOST = r"(?:[a-z0-9_][a-z0-9_-]{0,62}\.)++[a-z]{2,63}"
_PLAIN_HOST = re.compile(rf"\A{_HOST}\Z")
_PLAIN_ADDRESS = re.compile(rf"(https?)://({_HOST})((?:/[\w~-][\w~.-]*+)*+/?)\Z", re.ASCII)
_PLAIN_START = re.compile(rf"(https?)://({_HOST})(?=[/?#]|\Z)")
_NUMBER = re.compile(r"[+-]?\d{1,40}(?:[.,]\d{0,40}){0,2}%?\Z")  # three dots and more are an IP address
_MAX_HOST_CHARS = 253  # longer names do not exist; they take the long way
_MAX_PLAIN_CHARS = 160  # an address of so many letters stays within url.MAX_LENGTH, however it is escaped
_MAX_RECENT_SITES = 20_000  # sites that are remembered, so that the pages of one site give one seed


def seed_of(text: str, rank: int = 0) -> Seed | None:
    """Return the seed for an address or a bare host name, or None."""
    if len(text) <= _MAX_HOST_CHARS and "xn--" not in text:
        if _PLAIN_HOST.match(text):
            return Seed(Site("http", text, 80), f"http://{text}/", rank)
        if found := _PLAIN_ADDRESS.match(text):
            scheme, host, path = found.groups()
            return Seed(Site(scheme, host, DEFAULT_PORTS[scheme]), text if path else f"{text}/", rank)
    url = None if is_number(text) else seed_address(text)
    return Seed(site_of(url), url, rank) if url else None


def why_not_an_address(text: str) -> str:
    """Return why a text is no web address, in words that follow it."""
    return "is a number, not a web address" if is_number(text) else "is not a web address"


def is_number(text: str) -> bool:
    """Return True if a text is a rank or a count; a browser would take it for an IP address in short (1.5 for 1.0.0.5)."""
    return bool(_NUMBER.match(text))


def origin_of(text: str) -> str | None:
    """Return the site of an address as it is written in markup, or None."""
    found = _PLAIN_START.match(text) if len(text) <= _MAX_PLAIN_CHARS else None
    if found and "xn--" not in found[2]:
        return found[0]
    url = seed_address(html.unescape(text))
    return str(site_of(url)) if url else None


def find_home_pages(addresses: Iterable[str], name: str, refused: RefusedLines) -> Iterator[Seed]:
    """Yield the sites of many addresses, each entered at its root; the same site is not given twice in a row."""
    recent: set[str] = set()
    for number, text in enumerate(addresses, 1):
        origin = origin_of(text)
        if origin is None:
            refused.add(f"{name}, address {number:,}", text)
            continue
        refused.accepted += 1
        if origin in recent:
            continue
        if len(recent) >= _MAX_RECENT_SITES:
            recent.clear()
        recent.add(origin)
        yield Seed(_site(origin), f"{origin}/")


def _site(origin: str) -> Site:
    """Do as `site_of`, which remembers what it is asked for: here nothing is asked for twice."""
    scheme, _, host = origin.partition("://")
    return site_of(origin) if ":" in host else Site(scheme, host, DEFAULT_PORTS[scheme])


# -- lists with one address per line: plain ones, and rankings in columns (Tranco, Umbrella, Majestic)

# A ranking has the rank and the host, in either order, or a header that names its columns.
# Commas, tabs and semicolons stand between columns; what stands in quotation marks is one column.

SEPARATORS = (",", "\t", ";")
_ADDRESS_COLUMNS = ("url", "site", "domain", "host", "homepage", "address", "origin", "rootdomain", "name")
_RANK_COLUMNS = ("rank", "globalrank", "position", "#")
_MAX_RANK_DIGITS = 12


@dataclass(frozen=True, slots=True)
class RankingColumns:
    """What stands between the columns of a ranking, and which of them hold address and rank; -1 when nothing says it."""

    separator: str
    address: int = -1
    rank: int = -1


def read_plain(listing: SiteList, refused: RefusedLines) -> Iterator[Seed]:
    """Yield the seeds of a plain list; words after an address are ignored."""
    first = True
    for number, line in enumerate(split_lines(listing.blocks), 1):
        text = line.strip()
        if not text or text[0] == "#":
            continue
        is_header, first = first and text.lower() in _ADDRESS_COLUMNS, False
        if is_header:
            continue
        word = text.split(None, 1)[0]
        seed = seed_of(word)
        if seed:
            refused.accepted += 1
            yield seed
        else:
            refused.add(f"{listing.name}, line {number}", text, why_not_an_address(word))


def read_ranking(listing: SiteList, refused: RefusedLines) -> Iterator[Seed]:
    """Yield the seeds of a list in columns, with their ranks."""
    columns: RankingColumns | None = None
    for number, line in enumerate(split_lines(listing.blocks), 1):
        text = line.strip()
        if not text or (text[0] == "#" and not text.startswith("#,")):
            continue
        if columns is None:
            columns = find_columns(text)
            if columns.address >= 0:
                continue
        seed = _read_row(text, columns)
        if isinstance(seed, Seed):
            refused.accepted += 1
            yield seed
        else:
            refused.add(f"{listing.name}, line {number}", text, seed)


def find_columns(text: str) -> RankingColumns:
    """Return what the first line of a list says about its columns: names, or nothing but what stands between them."""
    separator = next((mark for mark in SEPARATORS if mark in text), ",")
    names = [name.strip().lower() for name in _cells(text, separator)]
    address = next((names.index(name) for name in _ADDRESS_COLUMNS if name in names), -1)
    rank = next((names.index(name) for name in _RANK_COLUMNS if name in names), -1)
    return RankingColumns(separator, address, rank)


def _read_row(text: str, columns: RankingColumns) -> Seed | str:
    """Return the seed of a row, or why it has none."""
    cells = _cells(text, columns.separator)
    at, rank = columns.address, columns.rank
    if at < 0:
        at = 1 if len(cells) > 1 and cells[0].isdigit() else 0
        rank = 1 - at
    words = cells[at].split(None, 1) if at < len(cells) else []
    if not words:
        return "has no web address"
    found = seed_of(words[0], _rank(cells[rank]) if 0 <= rank < len(cells) else 0)
    return found or ("has a number for its web address" if is_number(words[0]) else "is not a web address")


def _cells(text: str, separator: str) -> list[str]:
    if '"' not in text:
        return text.split(separator)
    try:
        return next(csv.reader([text], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return text.replace('"', "").split(separator)


def _rank(cell: str) -> int:
    digits = cell.strip()
    return int(digits) if digits.isdecimal() and len(digits) <= _MAX_RANK_DIGITS else 0


# -- Common Crawl's graphs of hosts and domains: files of vertices, and of ranks

# Both are tab separated and write names backwards (com.example.www). Vertices are an id, a name and, for
# domains, how many hosts they have; ranks are the positions and values of harmonic centrality and
# PageRank, then the name, under a header whose names begin with `#`. The rank is the harmonic position.

_NAME = r"[^\s.,/:]{1,63}(?:\.[^\s.,/:]{1,63})*+"
_VERTEX = re.compile(rf"\d{{1,12}}\t({_NAME})(?:\t\d{{1,12}})?\s*\Z")
_RANKED = re.compile(rf"\d{{1,12}}\t[\d.eE+-]{{1,40}}\t\d{{1,12}}\t[\d.eE+-]{{1,40}}\t({_NAME})(?:\t\d{{1,12}})?\s*\Z")
_GRAPH_LINES = 200


@dataclass(frozen=True, slots=True)
class _GraphColumns:
    """Where a line has its name and its rank; -1 for no rank."""

    name: int
    rank: int


_VERTICES = _GraphColumns(name=1, rank=-1)
_RANKS = _GraphColumns(name=4, rank=0)


def read_graph(listing: SiteList, refused: RefusedLines) -> Iterator[Seed]:
    """Yield the hosts or domains of a graph."""
    columns: _GraphColumns | None = None
    for number, line in enumerate(split_lines(listing.blocks), 1):
        if line.startswith("#") or not line.strip():
            columns = columns or _read_header(line)
            continue
        cells = line.rstrip().split("\t")
        columns = columns or (_RANKS if len(cells) > 3 else _VERTICES)
        labels = cells[columns.name].split(".") if columns.name < len(cells) else []
        rank = cells[columns.rank] if 0 <= columns.rank < len(cells) else ""
        rank = rank if rank.isdecimal() and len(rank) <= _MAX_RANK_DIGITS else "0"
        seed = seed_of(".".join(labels[::-1]), int(rank)) if labels else None
        if seed:
            refused.accepted += 1
            yield seed
        else:
            refused.add(f"{listing.name}, line {number}", line.rstrip())


def is_graph(lines: list[str]) -> bool:
    """Return True if these lines begin a graph: a header, ranks, or vertices whose names are backwards."""
    if lines and lines[0].startswith("#") and _read_header(lines[0]):
        return True
    sample = [line for line in lines if line.strip() and not line.startswith("#")][:_GRAPH_LINES]
    if not sample:
        return False
    if all(_RANKED.match(line) for line in sample):
        return True
    vertices = [_VERTEX.match(line) for line in sample]
    return all(vertices) and _are_backwards([found[1] for found in vertices if found])


def _read_header(line: str) -> _GraphColumns | None:
    names = [name.strip().lstrip("#").lower() for name in line.split("\t")]
    name = next((place for place, each in enumerate(names) if each.endswith("_rev")), -1)
    rank = next((place for place, each in enumerate(names) if each in ("harmonicc_pos", "hc_pos")), -1)
    return _GraphColumns(name, rank) if name >= 0 else None


def _are_backwards(names: list[str]) -> bool:
    """Return True if more names begin with a public suffix than end with one."""
    from publicsuffixlist import PublicSuffixList  # loads in 0.1 s

    suffixes = PublicSuffixList(accept_unknown=False)
    first = sum(1 for name in names if suffixes.publicsuffix(name.partition(".")[0]))
    last = sum(1 for name in names if suffixes.publicsuffix(name.rpartition(".")[2]))
    return first > last


# -- addresses out of large XML, by scanning: nothing is expanded, nothing is kept, nothing has to be well formed

# Real dumps of DMOZ are not well formed, and real sitemaps often are not; a parser would stop at the first fault.

MAX_TAG_BYTES = 1 << 16
_OUTERMOST = ("urlset", "sitemapindex", "rdf")  # parts of a directory that have no such element have no end, either
_ROOT = re.compile(rb"<(?:[\w.-]{1,60}:)?([A-Za-z][\w.-]{0,60})")


def find_matches(blocks: Iterable[bytes], pattern: re.Pattern[bytes], end: bytes) -> Iterator[re.Match[bytes]]:
    """Yield where the pattern matches; whatever stands before `end` is taken to be whole."""
    rest = b""
    for block in strip_comments(blocks):
        rest += block
        # As much as can be scanned without the rest; what goes over the bound is not waited for.
        ends = (max(0, rest.rfind(mark)) for mark in (end, b"<"))
        whole = next((place for place in ends if len(rest) - place <= MAX_TAG_BYTES), len(rest))
        yield from pattern.finditer(rest, 0, whole + 1)  # with the first byte of what ends it
        rest = rest[whole:]
    yield from pattern.finditer(rest)


def find_in_document(listing: SiteList, pattern: re.Pattern[bytes], end: bytes) -> Iterator[re.Match[bytes]]:
    """Do as `find_matches` with a document; one whose outermost element is not closed breaks off, which is said last."""
    root, last = find_root(listing.head), [b""]

    def noted() -> Iterator[bytes]:
        for block in listing.blocks:
            last[0] = (last[0] + block)[-MAX_TAG_BYTES:]
            yield block

    yield from find_matches(noted(), pattern, end)
    if root not in _OUTERMOST:
        return
    # The end of a document closes its outermost element, unless that holds nothing.
    name = rb"(?:[\w.-]{1,60}:)?" + re.escape(root.encode())
    if re.search(rb"</%b\s*+>|<%b\b[^<>]{0,9000}/>" % (name, name), last[0], re.IGNORECASE) is None:
        raise BadInput(f"{listing.name} breaks off: its </{root}> is missing")


def strip_comments(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield markup without its comments; one that has no end takes the rest with it."""
    rest, inside = b"", False
    for block in blocks:
        rest += block
        at, kept = 0, []
        while (found := rest.find(b"-->" if inside else b"<!--", at)) >= 0:
            if not inside:
                kept.append(rest[at:found])
            at, inside = found + (3 if inside else 4), not inside
        edge = max(at, len(rest) - 3)  # a mark may go on in the next block
        if not inside:
            kept.append(rest[at:edge])
        rest = rest[edge:]
        yield b"".join(kept)
    if not inside:
        yield rest


def find_root(head: bytes) -> str:
    """Return the name of the outermost element, lower case and without its prefix."""
    found = _ROOT.search(b"".join(strip_comments([head])))
    return found[1].decode().lower() if found else ""


# -- the directory of DMOZ as RDF (`content.rdf.u8`)

_LISTED = re.compile(
    rb"""<(?:(?:ExternalPage|link1?)\b[^<>]*?\b(?:about|resource)\s*+=\s*+(?:"([^"<]{0,4096})"|'([^'<]{0,4096})')"""
    rb"""|ExternalPage\b)"""
)


def read_rdf(listing: SiteList, refused: RefusedLines) -> Iterator[Seed]:
    """Yield the sites of a directory; a topic's links and the pages that they describe are one."""
    found = find_in_document(listing, _LISTED, b"<")
    addresses = ((match[1] or match[2] or b"").decode("utf-8", "replace").strip() for match in found)
    return find_home_pages(addresses, listing.name, refused)


# -- sitemaps and their indexes; nothing is fetched

# An index names other sitemaps. One that lies beside it on disk, by its file name, is read; of the others only the
# site is known.

_LOC = re.compile(
    rb"<(?:([\w.-]{1,60}):)?loc(?:\s[^<>]*+)?>\s*+(?:<!\[CDATA\[\s*+)?([^<>\]]{1,4096}+)(?=[<\]])", re.IGNORECASE
)
_MAX_DEPTH = 3  # indexes in indexes; the protocol knows none
_MAX_CHILDREN = 50_000  # of the protocol


def read_sitemap(listing: SiteList, refused: RefusedLines) -> Iterator[Seed]:
    """Yield the sites that a sitemap, or an index and the sitemaps beside it, lists."""
    return find_home_pages(_addresses(listing, refused, set(), 0), listing.name, refused)


def _addresses(listing: SiteList, refused: RefusedLines, read: set[Path], depth: int) -> Iterator[str]:
    found = find_in_document(listing, _LOC, b"</")
    # The addresses of pictures on pages are no pages.
    listed = (each[2].decode("utf-8", "replace").strip() for each in found if (each[1] or b"").lower() != b"image")
    if find_root(listing.head) != "sitemapindex":
        yield from listed
        return
    for address in listed:
        child = _find_local_file(address, listing.folder) if depth < _MAX_DEPTH else None
        if child in read:
            continue
        if child and len(read) < _MAX_CHILDREN:
            read.add(child)
            try:
                with open_listing(str(child)) as inner:
                    yield from _addresses(inner, refused, read, depth + 1)
            except BadInput as error:
                refused.add_broken(str(error))
        else:
            refused.unread += 1
            yield address


def _find_local_file(address: str, folder: Path | None) -> Path | None:
    """Return the file in the folder whose name an address ends with."""
    name = unquote(re.split(r"[?#]", address, maxsplit=1)[0].rpartition("/")[2])
    if (
        folder is None
        or not name
        or "/" in name
        or "\0" in name
        or len(name.encode("utf-8", "replace")) > 250
        or name in (".", "..")
    ):
        return None
    path = folder / name
    return path if path.is_file() else None


# -- what kind of list a file is, by how it begins

_ROOTS = {"rdf": "rdf", "externalpage": "rdf", "topic": "rdf", "urlset": "sitemap", "sitemapindex": "sitemap"}
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1a")
_RECOGNISED_LINES = 100


def detect_format(listing: SiteList) -> str:
    """Return the name of the format; what is no list of any kind is the user's mistake."""
    head = listing.head.lstrip()
    if head.startswith(b"<"):
        root = find_root(head)
        if root in _ROOTS:
            return _ROOTS[root]
        if root == "html" or head[:14].lower().startswith(b"<!doctype html"):
            raise BadInput(f"{listing.name} is a web page, not a list of sites")
        raise BadInput(
            f"{listing.name} is not a list of sites that Dowse knows: its outermost element is <{root[:40]}>"
        )
    if len(head) - len(head.translate(None, _CONTROLS)) > max(32, len(head) // 25):
        raise BadInput(f"{listing.name} is not a list of sites but binary data")
    lines = list(_whole_lines(head))
    if is_graph(lines):
        return "graph"
    entries = [line for line in lines if line.strip() and not line.startswith("#")][:_RECOGNISED_LINES]
    in_columns = [any(mark in line for mark in SEPARATORS) for line in entries]
    has_header = bool(entries) and in_columns[0] and find_columns(entries[0]).address >= 0
    return "csv" if has_header or sum(in_columns) * 2 > len(entries) else "plain"


def lists_addresses(listing: SiteList) -> bool:
    """Return True if at least half of the first lines begin with an address: a licence has words there."""
    entries = [line.strip() for line in _whole_lines(listing.head) if line.strip() and not line.startswith("#")][
        :_RECOGNISED_LINES
    ]
    return 2 * sum(1 for line in entries if seed_of(line.split(None, 1)[0])) >= max(1, len(entries))


def _whole_lines(head: bytes) -> Iterator[str]:
    """Yield the lines of a beginning, without the one that it cuts."""
    whole = head if len(head) < HEAD_BYTES - 1024 or b"\n" not in head else head[: head.rfind(b"\n")]
    return split_lines(iter([whole]))


# -- what other packages use

FORMATS: dict[str, Callable[[SiteList, RefusedLines], Iterator[Seed]]] = {
    "plain": read_plain,
    "csv": read_ranking,
    "rdf": read_rdf,
    "sitemap": read_sitemap,
    "graph": read_graph,
}


def merge_seeds(seeds: Iterable[Seed]) -> list[Seed]:
    """Return one seed for each site, with all pages of it that were named."""
    found: dict[Site, Seed] = {}
    for seed in seeds:
        known = found.get(seed.site)
        found[seed.site] = replace(known, also=(*known.also, *seed.entrances[1:])) if known else seed
    return list(found.values())


def read_seed(text: str) -> Seed:
    """Return the seed for an address that a person typed."""
    check_no_file(text)
    url = seed_address(text)
    if url is None:
        raise BadInput(f"{text[:120]!r} is not a web address; give one such as http://example.com/ or example.com")
    return Seed(site_of(url), url)


def read_list(path: str, refused: RefusedLines, kind: str = "") -> Iterator[Seed]:
    """Yield the sites of a list, or of all lists in an archive; `-` is standard input. Lines that are none are counted.

    A list that breaks off is the user's mistake; what stood before that has been given by then.
    """
    for listing in open_listings(path):
        if isinstance(listing, str):
            refused.add_reason(listing)
        elif listing.in_archive:
            yield from _read_member(listing, refused, kind)
        else:
            yield from FORMATS[kind or detect_format(listing)](listing, refused)


def _read_member(listing: SiteList, refused: RefusedLines, kind: str) -> Iterator[Seed]:
    """Yield the sites of one file of an archive; a licence, a picture or a list that breaks off is only counted."""
    try:
        kind = kind or detect_format(listing)
    except BadInput as error:
        refused.add_reason(str(error))
        return
    if kind == "plain" and not lists_addresses(listing):
        refused.add_reason(f"{listing.name} is not a list of sites")
        return
    try:
        yield from FORMATS[kind](listing, refused)
    except BadInput as error:
        refused.add_broken(str(error))
