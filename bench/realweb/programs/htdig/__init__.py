"""ht://Dig over a folder of pages: the search program of many sites around 2000."""

from __future__ import annotations

import html
import shutil
from collections import defaultdict

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server, cgi_server, write_lines

PACKAGES = ("htdig",)

_CONFIG = """database_dir: {state}/index
start_url: http://{host}/
limit_urls_to: ${{start_url}}
local_urls: http://{host}/={state}/site/
local_urls_only: true
local_default_doc: index.html
search_algorithm: exact:1
exclude_urls: /cgi-bin/
max_doc_size: 200000
"""


def install(place: Place) -> str:
    place.apt(*PACKAGES)
    return place.apt_version("htdig")


def fill(place: Place) -> dict[str, list[Record]]:
    books = data.books(400)
    site = place.state / "site"
    by_letter: dict[str, list[str]] = defaultdict(list)
    for number, book in enumerate(books):
        rows = "".join(f"<tr><th>{name}</th><td>{html.escape(str(book[name]), quote=False)}</td></tr>" for name in book)
        write_lines(
            site / "cards" / f"card{number}.html",
            _page(html.escape(book["title"], quote=False), f"<table>{rows}</table>"),
        )
        letter = (
            book["authors"][0].lower() if book["authors"][0].isascii() and book["authors"][0].isalpha() else "other"
        )
        by_letter[letter].append(
            f'<li><a href="/cards/card{number}.html">{html.escape(book["title"], quote=False)}</a>'
        )
    for letter, links in by_letter.items():
        write_lines(
            site / "lists" / f"{letter}.html", _page(f"Authors: {letter.upper()}", f"<ul>{''.join(links)}</ul>")
        )
    letters = " ".join(f'<a href="/lists/{letter}.html">{letter.upper()}</a>' for letter in sorted(by_letter))
    write_lines(
        site / "index.html",
        _page("Card catalogue", f"<p>Authors: {letters}</p><p><a href='/search.html'>Search the catalogue</a></p>"),
    )
    _index(place)
    return {"cards": books}


def _page(title: str, body: str) -> list[str]:
    return [
        f"<html><head><meta charset='utf-8'><title>{title}</title></head><body><h1>{title}</h1>{body}<hr><a href='/'>Card catalogue</a></body></html>"
    ]


def _index(place: Place) -> None:
    site = place.state / "site"
    shutil.copy("/usr/share/doc/htdig/examples/search.html", site / "search.html")
    (site / "cgi-bin").mkdir()
    shutil.copy("/usr/lib/cgi-bin/htsearch", site / "cgi-bin" / "htsearch")
    config = place.state / "config"
    shutil.copytree("/etc/htdig", config)
    (config / "htdig.conf").write_text(_CONFIG.format(state=place.state, host=place.host))
    (place.state / "index").mkdir()
    place.run("htdig", "-i", "-c", str(config / "htdig.conf"))
    place.run("htpurge", "-c", str(config / "htdig.conf"))


def serve(place: Place) -> Server:
    server = cgi_server(place, place.state / "site")
    return Server(server.command, env={"CONFIG_DIR": str(place.state / "config")})
