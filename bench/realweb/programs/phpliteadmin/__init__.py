"""phpLiteAdmin: a data browser over SQLite files, opened to everybody."""

from __future__ import annotations

import shutil

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("phpliteadmin", "php8.2-cli", "php8.2-sqlite3", "php8.2-mbstring")


def install(place: Place) -> str:
    place.apt(*PACKAGES[1:])
    place.unpack("phpliteadmin")
    return place.apt_version("phpliteadmin")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"books": data.books(3000), "packages": data.packages(3000, "science")}
    site = place.state / "site"
    site.mkdir()
    shutil.copy(place.home / "root/usr/share/phpliteadmin/phpliteadmin.php", site / "index.php")
    settings = ["<?php", "$password = '';", "$subdirectories = false;", "$directory = '../tables';"]
    (site / "phpliteadmin.config.php").write_text("\n".join([*settings, ""]))
    (place.state / "tables").mkdir()
    data.write_sqlite(place.state / "tables" / "library.sqlite", tables)
    more = {"vehicles": data.vehicles(2000), "cities": data.cities(2000)}
    data.write_sqlite(place.state / "tables" / "world.sqlite", more)
    return tables | more


def serve(place: Place) -> Server:
    command = ("php", "-d", "display_errors=0", "-S", f"127.0.0.1:{place.port}", "-t", str(place.state / "site"))
    return Server(command, env={"PHP_CLI_SERVER_WORKERS": "2"})
