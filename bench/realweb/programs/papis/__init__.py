"""Papis: a library of papers with its own web application."""

from __future__ import annotations

import json

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("papis==0.16.1",)


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("papis")


def fill(place: Place) -> dict[str, list[Record]]:
    papers = data.papers(700)
    library = place.state / "papers"
    for record in papers:
        folder = library / record["key"]
        folder.mkdir(parents=True)
        known = {
            "author": record["authors"],
            "booktitle": record["proceedings"],
            "ref": record["key"],
            "type": "inproceedings",
        }
        known |= {
            "title": record["title"],
            "year": record["year"],
            "papis_id": record["key"].replace(".", "").replace("-", ""),
        }
        (folder / "info.yaml").write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")  # JSON is YAML
    config = place.state / "config" / "papis"
    config.mkdir(parents=True)
    (config / "config").write_text(f"[settings]\ndefault-library = papers\n\n[papers]\ndir = {library}\n")
    place.run(place.tool("papis"), "list", "--all", env=_env(place))  # fills its cache
    return {"papers": papers}


def serve(place: Place) -> Server:
    return Server((place.tool("papis"), "serve", "--address", "127.0.0.1", "--port", str(place.port)), env=_env(place))


def _env(place: Place) -> dict[str, str]:
    state = str(place.state)
    return {"HOME": state, "XDG_CONFIG_HOME": f"{state}/config", "XDG_CACHE_HOME": f"{state}/cache", "EDITOR": "true"}
