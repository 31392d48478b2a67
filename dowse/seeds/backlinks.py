"""Pages that name a site: what a crawl on a topic asks when it runs out of sites (reverse search), behind one small interface.

They come from the mentions in one's own store, from a SearXNG instance, or from the host graph of Common Crawl, whose files
are read once for all sites that are asked about.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from dowse.errors import BadInput
from dowse.fetch import Fetch
from dowse.model import Failure, Request, Site, Verdict
from dowse.url import canonical, origin

MAX_RESULTS = 20  # pages of one answer that are looked at
MAX_FAILURES = 3  # in a row, after which an instance is not asked again
MAX_GRAPH_TARGETS = 1_000  # sites in one pass through the files of a graph
MAX_GRAPH_SOURCES = 50  # hosts kept for each of them


@dataclass(frozen=True, slots=True)
class Backlink:
    """A page that names a site, or is about some words, and what is said of it where it was found."""

    url: str
    title: str = ""
    text: str = ""


class Backlinks(Protocol):
    """Finds pages that name a site; or says why not."""

    refused: str = ""  # why it is not asked again

    @property
    def costs(self) -> int:
        """Requests for one site."""
        return 0

    async def find(self, site: Site) -> list[Backlink] | Verdict:
        """Return pages on other sites, the best first."""
        raise NotImplementedError

    async def about(self, words: str) -> list[Backlink] | Verdict:
        """Return pages about some words; none from what only knows who names whom."""
        return []


@dataclass(slots=True)
class OwnMentions(Backlinks):
    """Pages that one's own crawls have seen: co-citation, for nothing."""

    pages_naming: Callable[[str, int], list[str]]
    costs: int = 0

    async def find(self, site: Site) -> list[Backlink] | Verdict:
        """Return pages of the store that name a site."""
        return [Backlink(url) for url in self.pages_naming(str(site), MAX_RESULTS)]


@dataclass(slots=True)
class SearxngSearch(Backlinks):
    """A SearXNG instance, asked for pages that name a host and are not on it."""

    fetch: Fetch
    url: str  # of the instance
    refused: str = ""
    most: int = MAX_RESULTS  # pages of one answer
    failures: int = 0  # in a row

    @property
    def costs(self) -> int:
        """One request, unless it is not asked again."""
        return 0 if self.refused else 1

    async def find(self, site: Site) -> list[Backlink] | Verdict:
        """Return the pages that the instance lists."""
        found = await self.about(f'"{site.host}" -site:{site.host}')
        return found if isinstance(found, Verdict) else [each for each in found if origin(each.url) != str(site)]

    async def about(self, words: str) -> list[Backlink] | Verdict:
        """Return the pages that the instance lists for some words."""
        if self.refused:
            return Verdict(False, self.refused)
        answer = await self.fetch(Request(f"{self.url.rstrip('/')}/search?q={quote(words)}&format=json"))
        if isinstance(answer, Failure):
            self.failures += 1
            why = f"{self.url} could not be asked: {answer}"
            self.refused = f"{why}; it is not asked again" if self.failures == MAX_FAILURES else ""
            return Verdict(False, self.refused or why)
        self.failures = 0
        if answer.status != 200:
            self.refused = f"{self.url} answers with HTTP {answer.status}; it is not asked again"
            return Verdict(False, self.refused)
        try:
            results = json.loads(answer.body)["results"]
            found = [_read_result(each) for each in results[: self.most]]
        except (ValueError, KeyError, TypeError, RecursionError):
            self.refused = f"{self.url} does not answer with JSON (its settings.yml has to list json under search.formats); it is not asked again"
            return Verdict(False, self.refused)
        return [each for each in found if each.url]


def _read_result(result: dict[str, object]) -> Backlink:
    url = canonical(str(result["url"]), "") or ""
    return Backlink(url, str(result.get("title") or ""), str(result.get("content") or ""))


@dataclass(slots=True)
class HostGraph(Backlinks):
    """The host graph of Common Crawl: hosts that link to a host, by their home pages."""

    sources: dict[str, list[str]] = field(default_factory=dict)  # host -> hosts that link to it
    costs: int = 0

    @classmethod
    def read(cls, vertices: Path, edges: Path, targets: Iterable[str]) -> HostGraph:
        """Read the hosts that link to some hosts: one pass through the edges, two through the names."""
        wanted = set(list(targets)[:MAX_GRAPH_TARGETS])
        numbers = {number: host for number, host in _read_names(vertices) if host in wanted}
        linking: dict[str, list[str]] = {}
        for source, target in _read_pairs(edges):
            if not target.isdecimal():
                raise BadInput(f"{edges} has no edges of a Common Crawl graph: {target[:60]!r} is no number of a host")
            host = numbers.get(target)
            if host and len(linking.setdefault(host, [])) < MAX_GRAPH_SOURCES:
                linking[host].append(source)
        sources = {number for found in linking.values() for number in found}
        names = {number: host for number, host in _read_names(vertices) if number in sources}
        return cls({host: [names[each] for each in found if each in names] for host, found in linking.items()})

    async def find(self, site: Site) -> list[Backlink] | Verdict:
        """Return the home pages of hosts that link to a site."""
        return [Backlink(f"http://{host}/") for host in self.sources.get(site.host, [])]


def _read_names(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the numbers of hosts and their names, which the files write from the last part to the first."""
    for number, name in _read_pairs(path):
        if "." not in name and name.isdecimal():
            raise BadInput(f"{path} names no hosts, as the first file of --graph has to: {name[:60]!r} is a number")
        yield number, ".".join(reversed(name.split(".")))


def _read_pairs(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the first two columns of a tab-separated file, gzipped or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8", errors="replace") as lines:
            line = ""
            for line in lines:
                parts = line.rstrip("\n").split("\t")
                if len(parts) < 2:
                    raise BadInput(f"{path} is no file of a Common Crawl graph: {line[:60]!r} has no tab")
                yield parts[0], parts[1]
            if not line:
                raise BadInput(f"{path} is empty")
    except (OSError, EOFError, zlib.error) as error:
        raise BadInput(f"{path} could not be read: {error}") from error


async def ask_all(ways: Sequence[Backlinks], subject: Site | str) -> tuple[list[Backlink], list[str]]:
    """Return the pages that all ways give for a site or some words, each once, and why ways gave none."""
    pages: dict[str, Backlink] = {}
    refusals = []
    for way in ways:
        found = await (way.about(subject) if isinstance(subject, str) else way.find(subject))
        if isinstance(found, Verdict):
            refusals.append(found.reason)
        else:
            pages.update({each.url: each for each in found if each.url not in pages})
    return list(pages.values())[:MAX_RESULTS], refusals
