"""Adminer and its Editor over one SQLite file, opened to everybody."""

from __future__ import annotations

import shutil

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("adminer", "php8.2-cli", "php8.2-sqlite3", "php8.2-mbstring")


def install(place: Place) -> str:
    place.apt(*PACKAGES[1:])
    place.unpack("adminer")
    return place.apt_version("adminer")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"artworks": data.artworks(2000), "papers": data.papers(1500)}
    site = place.state / "site"
    site.mkdir()
    shutil.copy(place.home / "root/usr/share/adminer/adminer.php", site / "adminer.php")
    shutil.copy(place.recipe / "index.php", site / "index.php")
    data.write_sqlite(place.state / "site" / "gallery.sqlite", tables)
    return tables


def serve(place: Place) -> Server:
    command = (
        "php",
        "-d",
        "display_errors=0",
        "-d",
        f"session.save_path={place.state}",
        "-S",
        f"127.0.0.1:{place.port}",
    )
    return Server((*command, "-t", str(place.state / "site")), cwd=place.state / "site")
