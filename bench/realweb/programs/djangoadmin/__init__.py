"""Django's own administration, which every visitor may read and nobody change."""

from __future__ import annotations

from bench.realweb import data
from bench.realweb.data import Record
from bench.realweb.place import Place, Server

PACKAGES = ("Django==5.2.19", "waitress")


def install(place: Place) -> str:
    place.pip(*PACKAGES)
    return place.pip_version("Django")


def fill(place: Place) -> dict[str, list[Record]]:
    tables = {"films": data.movies(2000, 1990), "books": data.books(1500), "packages": data.packages(1500, "science")}
    data.write_sqlite(place.state / "data.db", tables)
    place.run(place.python, str(place.recipe / "app.py"), "migrate", str(place.state / "data.db"))
    return tables


def serve(place: Place) -> Server:
    return Server((place.python, str(place.recipe / "app.py"), str(place.port), str(place.state / "data.db")))
