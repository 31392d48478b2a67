"""Unfold: another face for Django's administration, with forms of many filters; every visitor may read."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("django-unfold==0.91.0", "Django==5.2.19", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("django-unfold")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"vehicles": data.vehicles(1500), "artworks": data.artworks(1500)}
    data.write_sqlite(place.state / "data.db", tables)
    place.run(place.python, str(place.recipe / "app.py"), "migrate", str(place.state / "data.db"))
    return tables


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state / "data.db")))
