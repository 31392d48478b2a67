"""The table of strategies over real sites that were kept: university hosts of 1997 and two sites of documentation."""

from __future__ import annotations

import gzip
import json
import os
import re
import tarfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import uvloop

from bench.install import Missing
from bench.paper1.facts import LOCAL, Plan
from bench.paper1.local import sum_up
from bench.paper1.sites import Row, survey_recording
from bench.paper1.workers import Say, Task
from bench.places import ROOT
from dowse.crawl.site import search_site
from dowse.fetch import Fetch
from dowse.model import Failure, Request, Response, Seed
from dowse.reasons import FailureReason
from dowse.sample.record import record_site
from dowse.seeds.lists import read_seed
from dowse.url import canonical, origin, site_of

DATA = Path(os.environ.get("DOWSE_DATA", ROOT.parent / "shared" / "data"))
LEAST_PAGES = 5  # of a host that is searched
MANUALS = {"sqlite_html.tar.xz": "http://sqlite.example", "python311_html.tar.xz": "http://python.example"}
OBJECTS = ("forms", "searchable")
REFERENCE = re.compile(rb"""\b(href|src)(\s*=\s*)("[^"]*"|'[^']*'|[^\s>"']+)""", re.IGNORECASE)

Pages = Mapping[str, bytes]  # by address


def run_real(plan: Plan, say: Say) -> dict[str, Any]:
    """Record every kept site and replay every strategy over it."""
    told: dict[str, Any] = {}
    for name, sites in (("WebKB", read_webkb()), ("documentation", read_manuals())):
        rows = uvloop.run(survey_kept(sites, plan.extent.site_pages))
        say(f"    {name}: {len(rows)} sites")
        told[name] = sum_up_kept(rows)
        told.setdefault("rows", []).extend(rows)
    return told | {"all": sum_up_kept(told.pop("rows"))}


def sum_up_kept(rows: list[Row]) -> dict[str, Any]:
    """Return the table for query forms, and for all that can be searched."""
    answering = [row for row in rows if not row["error"]]
    return {"sites": len(answering), **{objects: sum_up(answering, LOCAL, objects) for objects in OBJECTS}}


async def survey_kept(sites: Mapping[str, Pages], site_pages: int) -> list[Row]:
    """Record kept sites, one after the other, and replay every strategy over each."""
    rows, task = [], Task("", 0, 0, site_pages=site_pages, strategies=LOCAL)
    for pages in sites.values():
        recording = await record_site(find_entrance(pages), search_site, serve(pages), site_pages=site_pages)
        rows.append(survey_recording(recording, task))
    return rows


def find_entrance(pages: Pages) -> Seed:
    """Return the root of a site if it was kept, else the page with the shortest address."""
    root = f"{origin(next(iter(pages)))}/"
    return read_seed(root if root in pages else min(pages, key=lambda url: (len(url), url)))


def serve(pages: Pages) -> Fetch:
    """Return a Fetch that knows one site, without its links to pages of its own that were not kept."""
    shown: dict[str, Response] = {}  # a page is stripped once: those who time it are not to wait for that

    async def fetch(request: Request) -> Response | Failure:
        url = request.url
        if url not in pages:
            return Failure(url, FailureReason.NOT_RECORDED)
        if url not in shown:
            body = strip_dead(pages[url], url, pages)
            shown[url] = Response(url, 200, (("content-type", "text/html"),), body)
        return shown[url]

    return fetch


def strip_dead(body: bytes, address: str, pages: Collection[str]) -> bytes:
    """Return a page whose references to pages of its site that were not kept lead nowhere."""

    def keep(match: re.Match[bytes]) -> bytes:
        target = canonical(match[3].strip(b"\"'").decode("utf-8", "replace"), address)
        dead = target is not None and origin(target) == origin(address) and target not in pages
        return b"data-dead" + match[2] + match[3] if dead else match[0]

    return REFERENCE.sub(keep, body)


def read_webkb() -> dict[str, Pages]:
    """Return the hosts of WebKB with enough pages, each with its pages by address."""
    hosts: dict[str, dict[str, bytes]] = defaultdict(dict)
    with gzip.open(_require("webkb_pages.jsonl.gz"), "rt") as lines:
        for line in lines:
            kept = json.loads(line)
            url = canonical(kept["url"])
            if url:
                hosts[str(site_of(url))][url] = kept["html"].encode("utf-8", "replace")
    return {host: pages for host, pages in hosts.items() if len(pages) >= LEAST_PAGES}


def read_manuals() -> dict[str, Pages]:
    """Return the sites of documentation."""
    return {site: dict(_read_tar(_require(file), site)) for file, site in MANUALS.items()}


def _read_tar(file: Path, site: str) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(file) as tar:
        for member in tar:
            inside = tar.extractfile(member) if member.name.endswith(".html") else None
            if inside is None:
                continue
            path, body = member.name.removeprefix("./"), inside.read()
            if path == "index.html":
                yield f"{site}/", body
            yield f"{site}/{path}", body


def _require(file: str) -> Path:
    path = DATA / "sites" / file
    if not path.exists():
        raise Missing(f"the real recordings are not there: {path}")
    return path
