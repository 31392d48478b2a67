"""Kerko: a bibliography with facets, filled as if it had been copied from Zotero."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("kerko==1.3.0", "setuptools<81", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("kerko")


def fill(place: Place) -> dict[str, list[Record]]:
    papers = data.papers(600)
    data.write_jsonl(place.state / "papers.jsonl", papers)
    place.run(place.python, str(place.recipe / "app.py"), "fill", str(place.state))
    return {"papers": papers}


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state)))
