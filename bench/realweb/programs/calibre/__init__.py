"""calibre: its content server over a library of books."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("calibre", "calibre-bin")


def install(place: Place) -> str:
    place.apt(*PACKAGES)
    return place.apt_version("calibre")


def fill(place: Place) -> dict[str, list[Record]]:
    works = data.gutenberg(1200)
    data.write_jsonl(place.state / "works.jsonl", works)
    place.run("calibre-debug", "-e", str(place.recipe / "fill.py"), "--", str(place.state), env=_env(place))
    return {"works": works}


def serve(place: Place) -> Server:
    command = ("calibre-server", "--listen-on", "127.0.0.1", "--port", str(place.port), "--disable-use-bonjour")
    return Server((*command, "--disable-auth", str(place.state / "library")), env=_env(place))


def _env(place: Place) -> dict[str, str]:
    return {
        "HOME": str(place.state),
        "CALIBRE_CONFIG_DIRECTORY": str(place.state / "config"),
        "QT_QPA_PLATFORM": "offscreen",
    }
