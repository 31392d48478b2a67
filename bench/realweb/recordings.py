"""The real web recorded once, page by page, with what is true of its forms: strategies are replayed over it without a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import uvloop

from bench.install import Missing
from bench.realweb.place import HOME, PROXY_PORT
from bench.realweb.truth import TrueSite, load_sites
from dowse.crawl.site import search_site
from dowse.fetch.build import build_fetch
from dowse.model import Door, Judgement
from dowse.sample.record import Recorded, Recording, record_site
from dowse.seeds.lists import read_seed
from dowse.settings import ConnectTo, FetchSettings
from dowse.train.links import record_archive

ARCHIVE = HOME / "archive"
SITE_PAGES = 600  # of one site that are recorded

Say = Callable[[str], None]


def load_recordings(say: Say) -> dict[str, Recording]:
    """Return every site of the real web that gave a page, by name, with its forms as they truly are."""
    found: dict[str, Recording] = {}
    for site in load_sites():
        folder = ARCHIVE / site.name
        if not folder.exists():
            say(f"    {site.name}: recording (the web must be up)")
            uvloop.run(_archive(site))
        for recording in record_archive(str(folder), [read_seed(site.entrance)], SITE_PAGES):
            found[site.name] = tell_truth(recording, site)
    if not found:
        raise Missing("no site of the real web could be recorded: python -m bench.realweb up")
    return found


async def _archive(site: TrueSite) -> None:
    """Search a site to its bottom and keep all that it sent."""
    ours = (ConnectTo("*", "127.0.0.1", PROXY_PORT),)
    settings = FetchSettings(delay=0.0, allow_private=True, connect_to=ours, warc=str(ARCHIVE / site.name))
    async with build_fetch(settings) as fetches:
        await record_site(read_seed(site.entrance), search_site, fetches.within_site, site_pages=SITE_PAGES)
        fetches.flush()


def tell_truth(recording: Recording, site: TrueSite) -> Recording:
    """Return a recording whose doors are the true forms: each once, of its true kind; unknown ones are other."""
    known: dict[str, Door] = {}

    def find_true(door: Door) -> Door:
        if door.signature not in known:
            names = [field.name for field in door.form.fields if field.name]
            form = site.recognise(door.page, door.form.method.lower(), door.form.action, names)
            name, kind = (f"{site.name}/{form.name}", str(form.purpose)) if form else (door.signature, "other")
            known[door.signature] = replace(door, signature=name, judgement=Judgement(kind, 1.0))
        return known[door.signature]

    return relabel(recording, find_true)


def relabel(recording: Recording, label: Callable[[Door], Door]) -> Recording:
    """Return a recording with other doors in place of its own: each once on a page, whatever its signature was."""
    visits: dict[str, Recorded] = {}
    for url, recorded in recording.visits.items():
        doors = {door.signature: door for door in map(label, recorded.doors)}
        visits[url] = replace(recorded, doors=tuple(doors.values()))
    all_doors = {door.signature: door for recorded in visits.values() for door in recorded.doors}
    return replace(recording, search=replace(recording.search, doors=tuple(all_doors.values())), visits=visits)
