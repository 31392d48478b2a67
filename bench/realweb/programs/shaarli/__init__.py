"""Shaarli: shared bookmarks with tags, here of a registry of databases."""

from __future__ import annotations

import gzip
import json
import shutil

from bench.places import DATA
from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("php-cgi", "php8.2-cli", "shaarli")  # with php-cgi it asks for no web server

# What its rules for Apache do: a file is sent as it is, everything else is for index.php.
_ROUTER = """<?php
if (is_file(__DIR__ . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH))) {
    return false;
}
$_SERVER['SCRIPT_NAME'] = '/index.php';
require __DIR__ . '/index.php';
"""


def install(place: Place) -> str:
    place.apt(*PACKAGES)
    return place.apt_version("shaarli")


def fill(place: Place) -> dict[str, list[Record]]:
    bookmarks = _bookmarks(600)
    data.write_jsonl(place.state / "bookmarks.jsonl", bookmarks)
    site = place.state / "site"
    shutil.copytree("/usr/share/shaarli", site, symlinks=True)
    for path in (
        site / "index.php",
        site / "init.php",
        site / "autoload.php",
        site / "application/config/ConfigManager.php",
    ):
        text = path.read_text().replace("/usr/share/shaarli", str(site)).replace("/var/lib/shaarli", str(place.state))
        path.write_text(text.replace("/var/cache/shaarli", f"{place.state}/cache"))
    (site / "router.php").write_text(_ROUTER)
    for name in ("data", "cache/tmp", "cache/cache", "cache/pagecache", "sessions"):
        (place.state / name).mkdir(parents=True)
    place.run("php", str(place.recipe / "fill.php"), str(place.state), cwd=site)
    return {"bookmarks": bookmarks}


def _bookmarks(count: int) -> list[Record]:
    rows = []
    with gzip.open(DATA / "registries" / "registries.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row["registry"] == "re3data" and row["homepage"] and row["description"]:
                text = data.one_line(row["description"])[:600]
                words = [word.replace(" ", "_").lower() for word in (row.get("keywords") or [])[:5]]
                rows.append(
                    {"title": row["name"], "url": row["homepage"], "description": text, "tags": " ".join(words)}
                )
    urls: dict[str, Record] = {row["url"]: row for row in rows}  # an address is kept once
    return data.draw(list(urls.values()), count)


def serve(place: Place) -> Server:
    folder = str(place.state / "site")
    command = ("php", "-d", "display_errors=0", "-d", f"session.save_path={place.state}/sessions", "-S")
    return Server((*command, f"127.0.0.1:{place.port}", "-t", folder, f"{folder}/router.php"), cwd=place.state / "site")
