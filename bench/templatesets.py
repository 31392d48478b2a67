"""Real pages whose template is known: which pages are of one template, and which others one could take for them."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath
from random import Random

from bench.places import DATA
from dowse.model import Response
from dowse.page.document import Document
from dowse.tree.node import Node

PARTS = {"auto": "dev", "book": "dev", "camera": "dev", "job": "held", "movie": "held"}
SEEN_DOMAINS = frozenset({"yahoo", "hotjobs", "msn"})  # of both parts: hotjobs was a site of Yahoo
PAGES = 30  # read of one site of SWDE, of 200
OTHERS = 4  # pages of each other site of the same vertical
MANUAL_PAGES = 40  # at most, of one kind of page of a manual
MOST_BYTES = 700_000  # of one page of a manual: whole manuals on one page are left out
_NUMBER = re.compile(r"(?P<vertical>\w+)/\w+-(?P<site>\w+)\(\d+\)/")
_LISTS = re.compile(r"(intro|funclist|objlist|constlist)\.html$")


@dataclass(frozen=True, slots=True)
class Task:
    """Pages of one template, and pages of others."""

    pages: str  # which set
    name: str
    same: tuple[Node, ...]
    others: tuple[Node, ...]


def find_tasks(seed: int) -> Iterator[Task]:
    """Yield all tasks; the same seed reads the same pages."""
    sites = {vertical: read_vertical(vertical, seed) for vertical in PARTS}
    for vertical, part in PARTS.items():
        yield from _part_sites(vertical, part, sites[vertical])
    yield from _part_kinds(sites)
    yield from _part_folders(seed)
    yield from _part_indexes(seed)


def _part_sites(vertical: str, part: str, sites: dict[str, list[Node]]) -> Iterator[Task]:
    """The pages of one site, among those of other sites about the same."""
    for site, pages in sites.items():
        if part == "dev" or site not in SEEN_DOMAINS:
            others = [page for other, more in sites.items() if other != site for page in more[:OTHERS]]
            yield Task(f"SWDE, other sites, {part}", f"{vertical} {site}", tuple(pages), tuple(others))


def _part_kinds(sites: dict[str, dict[str, list[Node]]]) -> Iterator[Task]:
    """The pages of one site about one thing, among those of the same site about another."""
    for here, first in sites.items():
        for there, second in sites.items():
            for site in (first.keys() & second.keys()) if here != there else ():
                seen = "dev" if PARTS[here] == PARTS[there] == "dev" else "half held"
                name = f"{here} and not {there} {site}"
                yield Task(f"SWDE, same site, {seen}", name, tuple(first[site]), tuple(second[site]))


def _part_folders(seed: int) -> Iterator[Task]:
    """Kinds of pages that the manual of SQLite keeps in folders of their own; lists of these pages are a kind apart."""
    kinds: dict[str, list[str]] = {}
    for path in list_manual("sqlite_html"):
        folder = PurePosixPath(path).parent.name
        if folder in ("c3ref", "session"):
            folder = "lists" if _LISTS.search(path) else "interface"
        kinds.setdefault(folder or "articles", []).append(path)
    pages = {kind: _read_some("sqlite_html", paths, seed) for kind, paths in kinds.items()}
    for kind in ("interface", "releaselog", "syntax"):
        others = [page for other, more in pages.items() if other != kind for page in more[: MANUAL_PAGES // 2]]
        yield Task("manual of SQLite, dev", kind, pages[kind], tuple(others))


def _part_indexes(seed: int) -> Iterator[Task]:
    """The index of Python's manual, a page for each letter, among its articles."""
    paths = list_manual("python311_html")
    letters = [path for path in paths if path.startswith("genindex-") and path != "genindex-all.html"]
    articles = [path for path in paths if "/" in path and not path.endswith("index.html")]
    same, others = (_read_some("python311_html", some, seed) for some in (letters, articles))
    yield Task("manual of Python, dev", "index", same, others)


def read_vertical(vertical: str, seed: int, pages: int = PAGES) -> dict[str, list[Node]]:
    """Return some pages of each site about a thing."""
    with tarfile.open(DATA / "pages" / f"swde_{vertical}.tar.xz") as archive:
        members: dict[str, list[tarfile.TarInfo]] = {}
        for member in archive.getmembers():
            named = _NUMBER.search(member.name) if member.isfile() else None
            if named:
                members.setdefault(named["site"], []).append(member)
        chosen = {
            member.name: site
            for site, some in sorted(members.items())
            for member in Random(seed).sample(some, min(pages, len(some)))
        }
        found: dict[str, list[Node]] = {site: [] for site in sorted(members)}
        for name, body in _read_files(archive, chosen):
            found[chosen[name]].append(_read(body))
        return found


@lru_cache(maxsize=2)
def _sizes(name: str) -> dict[str, int]:
    with tarfile.open(_manual(name)) as archive:
        return {each.name.removeprefix("./"): each.size for each in archive if each.isfile()}


def list_manual(name: str) -> list[str]:
    """Return the pages of a manual that are not too long, in order."""
    sizes = _sizes(name)
    return sorted(path for path, size in sizes.items() if path.endswith(".html") and size <= MOST_BYTES)


def _read_some(name: str, paths: list[str], seed: int) -> tuple[Node, ...]:
    chosen = Random(seed).sample(paths, min(MANUAL_PAGES, len(paths)))
    with tarfile.open(_manual(name)) as archive:
        return tuple(_read(body) for _, body in _read_files(archive, [f"./{path}" for path in chosen]))


def _read_files(archive: tarfile.TarFile, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield files in the order of the archive: going back in it would unpack it again."""
    wanted = set(names)
    for member in archive:
        if member.name in wanted:
            held = archive.extractfile(member)
            assert held is not None
            yield member.name, held.read()


def _manual(name: str) -> Path:
    return DATA / "sites" / f"{name}.tar.xz"


def _read(body: bytes) -> Node:
    return Document(Response("http://page.test/", 200, (), body)).nodes
