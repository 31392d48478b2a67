"""json-server with a single page of its own: everything a visitor sees is drawn by a script."""

from __future__ import annotations

import json
import shutil

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("json-server@0.17.4",)


def install(place: Place) -> str:
    place.npm(*PACKAGES)
    return "0.17.4"


def fill(place: Place) -> dict[str, list[Record]]:
    cities = data.cities(2500)
    numbered = [{"id": number + 1, **city} for number, city in enumerate(cities)]
    (place.state / "db.json").write_text(json.dumps({"cities": numbered}, ensure_ascii=False), encoding="utf-8")
    shutil.copytree(place.recipe / "public", place.state / "public")
    return {"cities": cities}


def serve(place: Place) -> Server:
    script = str(place.home / "node_modules" / "json-server" / "lib" / "cli" / "bin.js")
    command = ("node", script, "--host", "127.0.0.1", "--port", str(place.port), "--read-only", "--quiet")
    return Server((*command, "--static", str(place.state / "public"), str(place.state / "db.json")))
