"""AWStats: what visitors of a site asked for, counted from its log."""

from __future__ import annotations

import random
import re
import shutil
from collections import Counter

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, cgi_server, write_lines

PACKAGES = ("awstats", "liburi-perl")

_CONFIG = """LogFile="{state}/access.log"
LogFormat=1
SiteDomain="books.example"
HostAliases="localhost 127.0.0.1"
DirData="{state}/counts"
DirCgi="/cgi-bin"
DirIcons="/awstats-icon"
DNSLookup=0
"""
_HOME = """<html><head><title>Reading room statistics</title></head><body><h1>Reading room</h1>
<p>What is read here: <a href="/cgi-bin/awstats.pl?config=books&amp;year=2024&amp;month=03">statistics of March 2024</a>.</p></body></html>"""
_SEED = 16


def install(place: Place) -> str:
    place.apt(*PACKAGES[1:])
    place.unpack("awstats")
    return place.apt_version("awstats")


def fill(place: Place) -> dict[str, list[Record]]:
    pages = _pages(400)
    root = place.home / "root"
    programs = place.state / "site" / "cgi-bin"
    programs.mkdir(parents=True)
    (place.state / "counts").mkdir()
    shutil.copytree(root / "usr/share/awstats/icon", place.state / "site" / "awstats-icon")
    for name in ("lib", "lang", "plugins"):
        shutil.copytree(root / "usr/share/awstats" / name, programs / name)
    shutil.copy(root / "usr/lib/cgi-bin/awstats.pl", programs / "awstats.pl")
    shipped = (root / "etc/awstats/awstats.conf").read_text(encoding="utf-8", errors="replace")
    lines = [line for line in shipped.splitlines() if not line.startswith("Include")]
    write_lines(programs / "awstats.books.conf", [*lines, _CONFIG.format(state=place.state)])
    asked = _visits(pages)
    write_lines(place.state / "access.log", (_line(number, host, url) for number, (host, url) in enumerate(asked)))
    write_lines(place.state / "site" / "index.html", [_HOME])
    place.run("perl", str(programs / "awstats.pl"), "-config=books", "-update", f"-configdir={programs}")
    hosts = Counter(host for host, _ in asked)
    return {"pages": pages, "hosts": [{"host": host, "hits": hits} for host, hits in hosts.items()], "referers": []}


def _pages(count: int) -> list[Record]:
    """Pages about books, and how often each was read."""
    chance = random.Random(_SEED)
    names: dict[str, Record] = {}
    for book in data.books(3000):
        name = re.sub(r"[^a-z0-9]+", "-", book["title"].lower()).strip("-")
        names[name] = {"url": f"/{book['language']}/{name}.html", "views": chance.randint(1, 12)}
    return data.draw(list(names.values()), count)


def _visits(pages: list[Record]) -> list[tuple[str, str]]:
    """Who asked for which page, in the order of the log."""
    asked = [page["url"] for page in pages for _ in range(page["views"])]
    random.Random(_SEED).shuffle(asked)
    return [(f"10.0.{number % 5}.{number % 120}", url) for number, url in enumerate(asked)]


def _line(number: int, host: str, url: str) -> str:
    second = number * 600
    when = f"{1 + second // 86400:02}/Mar/2024:{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02} +0000"
    return f'{host} - - [{when}] "GET {url} HTTP/1.1" 200 4096 "-" "Mozilla/5.0 (X11; Linux) Firefox/115.0"'


def serve(place: Place) -> Server:
    return cgi_server(place, place.state / "site")
