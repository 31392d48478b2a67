"""Real pages to read: bytes and addresses from the package formasaurus and from `../shared/data`, where they are at hand.

Nothing of the program is imported here, so what is read cannot change with it.
"""

from __future__ import annotations

import csv
import io
import json
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

from bench.places import DATA

FORMASAURUS_PAGES = 160  # of 954, spread over all of them
AUTOPAGER_STEP = 3  # every third of 203 pages
TEMPLATE_VERTICALS = ("auto", "book", "camera", "job", "movie")
TEMPLATE_SITES = 2  # of each vertical of SWDE: more would have to be unpacked for longer
TEMPLATE_PAGES = 16  # of each of those sites
TEMPLATE_PAGES_READ = 4  # of those, the ones that are also read as pages
LIST_ARCHIVES = ("next_eval_list_pages.tar.xz", "list_pages_misc.tar.xz")
UNKNOWN_URL = "http://page.test/"


@dataclass(frozen=True, slots=True)
class RawPage:
    """A real page as it was saved."""

    name: str  # set and file: what a case is called by
    url: str
    content_type: str
    body: bytes


def formasaurus_folder() -> Path | None:
    """Return the folder of the pages that come with the package formasaurus, or None."""
    found = find_spec("formasaurus")
    return Path(found.origin).parent / "data" if found and found.origin else None


def missing_sets() -> dict[str, str]:
    """Return the sets of pages that are not at hand, by the beginning of their names, and why."""
    missing = {}
    if formasaurus_folder() is None:
        missing["real/formasaurus/"] = "the package formasaurus is not installed"
    if not (DATA / "pages").exists():
        why = f"{DATA / 'pages'} does not exist"
        missing |= {f"real/{name}/": why for name in ("autopager", "lists", "swde")}
    return missing


def formasaurus_pages() -> Iterator[RawPage]:
    """Yield pages with labelled forms."""
    folder = formasaurus_folder()
    if folder is None:
        return
    index = json.loads((folder / "index.json").read_text())
    for name in islice(index, 0, None, max(1, len(index) // FORMASAURUS_PAGES)):
        body = (folder / name).read_bytes()
        file = name.removeprefix("html/")
        yield RawPage(f"real/formasaurus/{file}", index[name]["url"], "text/html; charset=utf-8", body)


def autopager_pages() -> Iterator[RawPage]:
    """Yield list pages with links to further pages."""
    files = {Path(name).name: body for name, body in _unpack("autopager.tar.xz", lambda name: True)}
    for row in islice(csv.DictReader(io.StringIO(files.get("data.csv", b"").decode())), 0, None, AUTOPAGER_STEP):
        file = f"{row['File Name']}.html"
        yield RawPage(f"real/autopager/{file}", row["Page URL"], f"text/html; charset={row['Encoding']}", files[file])


def list_pages() -> Iterator[RawPage]:
    """Yield saved list pages whose addresses nobody knows."""
    for archive in LIST_ARCHIVES:
        for name, body in _unpack(archive, lambda name: name.endswith(".html")):
            yield RawPage(f"real/lists/{name.removeprefix('./')}", UNKNOWN_URL, "", body)


def template_sites() -> Iterator[tuple[str, list[RawPage]]]:
    """Yield the first pages of some sites of SWDE: pages of one site are of one template."""
    for vertical in TEMPLATE_VERTICALS:
        sites: dict[str, list[RawPage]] = {}
        for name, body in _unpack(f"swde_{vertical}.tar.xz", lambda name: name.endswith(".htm")):
            _, folder, file = name.rsplit("/", 2)
            site = f"real/swde/{vertical}/{folder.partition('-')[2].partition('(')[0]}"
            pages = sites.setdefault(site, [])
            if len(pages) < TEMPLATE_PAGES:
                pages.append(RawPage(f"{site}/{file}", f"http://{folder.partition('(')[0]}.test/{file}", "", body))
            if len(sites) >= TEMPLATE_SITES and all(len(some) >= TEMPLATE_PAGES for some in sites.values()):
                break
        yield from sites.items()


def _unpack(archive: str, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Yield files of an archive in its order, unpacked only as far as they are taken; none where it is missing."""
    path = DATA / "pages" / archive
    if not path.exists():
        return
    with tarfile.open(path, "r|xz") as held:
        for member in held:
            opened = held.extractfile(member) if member.isfile() and wanted(member.name) else None
            if opened is not None:
                yield member.name, opened.read()
